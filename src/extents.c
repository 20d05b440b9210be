/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The extents of objects, from the rows: each table that the walk comes to is taken apart by its
 * shape, so a new member or type needs nothing here.
 *
 * Nothing is taken to be sound: every object is checked right before it is given, so damaged bytes
 * give all that stands before the damage. Words are read again, so that bytes which change
 * meanwhile can lead anywhere; give() lets nothing through that is not in the buffer.
 */
#include "fletch/explain.h"

#include "verify.h"
#include "walk.h"

struct visitor {
    fletch_walk walk;
    const fletch_schema *schema;
    const char *prefix; /* of a path: the wrapper, then what leads to the Schema */
    fletch_visit visit;
    void *context;
    uint32_t depth;
    struct fault fault;
};

/* How a table was come to: by which member of which table. */
struct way {
    const char *member;
    uint32_t owner, index;
};

/* What a newer Arrow brings: a table, and no more is known. */
static const struct shape unknown_shape = {"unknown", NO_ROWS, FLETCH_TYPE_NONE};

static struct way way_by(uint32_t owner, const char *member, uint32_t index)
{
    struct way way;

    way.member = member;
    way.owner = owner;
    way.index = index;
    return way;
}

static bool give(struct visitor *visitor, const fletch_object *object)
{
    if (!holds(visitor->walk.buffer, object->begin, object->end - object->begin))
        return fail(&visitor->fault, FAULT_CHANGED, 0, 0, 0);
    if (visitor->visit(visitor->context, object)) return true;
    return fail(&visitor->fault, FAULT_VISITOR_ENDED, object->begin, 0, 0);
}

static fletch_object new_object(const struct visitor *visitor, fletch_object_kind kind,
                                uint32_t begin, uint32_t size, const char *table)
{
    static const fletch_object none = {FLETCH_OBJECT_ROOT, 0, 0,    "", "", 0, 0,
                                       FLETCH_NO_ELEMENT,  0, false};
    fletch_object object = none;

    object.kind = kind;
    object.begin = begin;
    object.end = begin + size;
    object.table = table;
    object.depth = visitor->depth;
    return object;
}

static bool is_vector(const struct row *row)
{
    return row->kind >= ROW_FIELDS;
}

/* The string or vector that a member leads to. */
static bool give_target(struct visitor *visitor, uint32_t place, const struct row *row,
                        fletch_object object)
{
    const fletch_buffer buffer = visitor->walk.buffer;
    uint32_t begin = 0, count = 0;
    fletch_string string;
    flat_position target;

    if (!follow(buffer, place, &target, &visitor->fault)) return false;
    object.begin = (uint32_t)target;
    object.is_offset = row->kind == ROW_FIELDS || row->kind == ROW_PAIRS;
    if (is_vector(row)) {
        if (!read_vector(buffer, object.begin, row->width, &begin, &count, &visitor->fault))
            return false;
        object.kind = FLETCH_OBJECT_VECTOR;
        object.width = row->width;
        object.end = begin + count * row->width;
    } else {
        if (!read_string(buffer, object.begin, &string, &visitor->fault)) return false;
        object.kind = FLETCH_OBJECT_STRING;
        object.end = object.begin + 5 + (uint32_t)string.size;
    }
    return give(visitor, &object);
}

/* A member, and what it leads to where that is no table: those come by themselves. */
static bool give_member(struct visitor *visitor, uint32_t at, uint32_t place, const struct row *row,
                        const char *table)
{
    const bool is_table = row->kind == ROW_TABLE || row->kind == ROW_UNION;
    fletch_object object = new_object(visitor, FLETCH_OBJECT_MEMBER, place, row->size, table);

    object.member = row->name;
    object.owner = at;
    object.is_offset = row->kind >= ROW_STRING;
    if (!give(visitor, &object)) return false;
    return !object.is_offset || is_table || give_target(visitor, place, row, object);
}

/* A table's vtable, with the slots of the members that are known. */
static bool give_vtable(struct visitor *visitor, uint32_t at, const struct shape *shape)
{
    const fletch_buffer buffer = visitor->walk.buffer;
    const uint32_t vtable = at - load_u32(buffer, at);
    const uint32_t size = load_u16(buffer, vtable);
    fletch_object object = new_object(visitor, FLETCH_OBJECT_VTABLE, vtable, size, shape->name);
    uint32_t slot;

    object.owner = at;
    if (!give(visitor, &object)) return false;
    object.kind = FLETCH_OBJECT_SLOT;
    //@ loop unroll 7;
    for (slot = 0; slot < shape->row_count && 6 + 2 * slot <= size; slot++) {
        object.begin = vtable + 4 + 2 * slot;
        object.end = object.begin + 2;
        object.member = shape->rows[slot].name;
        object.index = slot;
        if (!give(visitor, &object)) return false;
    }
    return true;
}

/* A table with its vtable and members. */
static bool give_table(struct visitor *visitor, uint32_t at, const struct shape *shape,
                       struct way way)
{
    const fletch_buffer buffer = visitor->walk.buffer;
    fletch_object object;
    uint32_t slot;

    if (!fletch_check_table(buffer, at, shape, &visitor->fault) || !give_vtable(visitor, at, shape))
        return false;
    object = new_object(visitor, FLETCH_OBJECT_TABLE, at,
                        load_u16(buffer, at - load_u32(buffer, at) + 2), shape->name);
    object.member = way.member;
    object.owner = way.owner;
    object.index = way.index;
    if (!give(visitor, &object)) return false;
    //@ loop unroll 7;
    for (slot = 0; slot < shape->row_count; slot++) {
        const uint32_t place = fletch_member_at(buffer, at, slot);

        if (place != 0 && !give_member(visitor, at, place, &shape->rows[slot], shape->name))
            return false;
    }
    return true;
}

/* What could not be decoded is given as far as it goes, and then the fault is again what decoding
 * said of it, unless the visitor ended the visit. */
static void put_back(struct visitor *visitor, const struct fault *fault)
{
    if (visitor->fault.reason != FAULT_VISITOR_ENDED) visitor->fault = *fault;
}

/* A pair that could not be decoded: the element of a vector that leads to it. */
static void give_broken_pair(struct visitor *visitor, uint32_t element, struct way way)
{
    const struct fault fault = visitor->fault;
    flat_position at = 0;

    if (follow(visitor->walk.buffer, element, &at, &visitor->fault))
        (void)give_table(visitor, (uint32_t)at, &fletch_key_value_shape, way);
    put_back(visitor, &fault);
}

/* The next pair: false at the end (the fault's reason is FAULT_NONE) or at a fault. */
static bool give_next_pair(struct visitor *visitor, fletch_metadata *pairs, uint32_t owner,
                           uint32_t index)
{
    const struct way way = way_by(owner, "custom_metadata", index);
    fletch_key_value pair;

    if (fletch_walk_pair(&visitor->walk, pairs, &pair, &visitor->fault))
        return give_table(visitor, pair.at, &fletch_key_value_shape, way);
    if (visitor->fault.reason == FAULT_NONE) return false;
    fletch_fault_inside(&visitor->fault, way.member, index);
    if (fletch_fault_status(visitor->fault.reason) == FLETCH_MALFORMED)
        give_broken_pair(visitor, pairs->position, way);
    return false;
}

static bool give_pairs(struct visitor *visitor, fletch_metadata pairs, uint32_t owner)
{
    uint32_t index = 0;

    while (give_next_pair(visitor, &pairs, owner, index))
        index++;
    return visitor->fault.reason == FAULT_NONE;
}

/* A type, if there is one; one that is not known need not be a table. */
static bool give_type(struct visitor *visitor, uint32_t field, uint32_t at, int32_t id)
{
    const struct way way = way_by(field, "type", FLETCH_NO_ELEMENT);
    struct fault ignored;

    if (id == FLETCH_TYPE_NONE) return true;
    if (id < TYPE_COUNT) {
        //@ split id;
        return give_table(visitor, at, &fletch_type_shapes[id], way);
    }
    return !fletch_check_table(visitor->walk.buffer, at, &unknown_shape, &ignored) ||
           give_table(visitor, at, &unknown_shape, way);
}

static bool give_dictionary(struct visitor *visitor, const fletch_field *field)
{
    const fletch_dictionary *dictionary = &field->dictionary;

    if (!field->has_dictionary) return true;
    if (!give_table(visitor, dictionary->at, &fletch_dictionary_shape,
                    way_by(field->at, "dictionary", FLETCH_NO_ELEMENT)))
        return false;
    return dictionary->index_type_at == 0 ||
           give_table(visitor, dictionary->index_type_at, &fletch_int_shape,
                      way_by(dictionary->at, "indexType", FLETCH_NO_ELEMENT));
}

/* How the field at which the walk stands was come to. */
static struct way way_to_field(struct visitor *visitor)
{
    const fletch_walk *walk = &visitor->walk;

    visitor->depth = walk->open_runs - 1;
    return way_by(walk->run.parent, visitor->depth == 0 ? "fields" : "children",
                  fletch_walk_index(walk));
}

static bool give_field(struct visitor *visitor, const fletch_field *field)
{
    const struct way way = way_to_field(visitor);

    return give_table(visitor, field->at, &fletch_field_shape, way) &&
           give_type(visitor, field->at, field->type.at, field->type.id) &&
           give_dictionary(visitor, field) && give_pairs(visitor, field->metadata, field->at);
}

/* The type of the field at `at`, of which no more is known than that its table is good. */
static void give_type_of(struct visitor *visitor, uint32_t at)
{
    const fletch_buffer buffer = visitor->walk.buffer;
    const uint32_t tag = fletch_member_at(buffer, at, FIELD_TYPE_TYPE);
    const uint32_t place = fletch_member_at(buffer, at, FIELD_TYPE);
    flat_position type;

    if (tag != 0 && place != 0 && follow(buffer, place, &type, &visitor->fault))
        (void)give_type(visitor, at, (uint32_t)type, (int32_t)load_u8(buffer, tag));
}

/* As much as there is of the field that the walk could not decode. What is malformed is the element
 * taken last: going into children fails by limits only. */
static void give_broken_field(struct visitor *visitor)
{
    const fletch_buffer buffer = visitor->walk.buffer;
    const struct fault fault = visitor->fault;
    flat_position at = 0;

    if (fletch_fault_status(fault.reason) == FLETCH_MALFORMED &&
        follow(buffer, visitor->walk.run.position - 4, &at, &visitor->fault) &&
        give_table(visitor, (uint32_t)at, &fletch_field_shape, way_to_field(visitor)))
        give_type_of(visitor, (uint32_t)at);
    put_back(visitor, &fault);
}

/* A step of the walk, and the field it comes to. */
static walk_event give_step(struct visitor *visitor)
{
    fletch_field field;
    const walk_event event = fletch_walk_step(&visitor->walk, &field, &visitor->fault);

    if (event == WALK_FAULT) give_broken_field(visitor);
    if (event == WALK_FIELD && !give_field(visitor, &field)) return WALK_FAULT;
    return event;
}

static bool give_fields(struct visitor *visitor)
{
    for (;;) {
        const walk_event event = give_step(visitor);

        if (event == WALK_END) return true;
        if (event == WALK_FAULT) return false;
    }
}

static bool give_root(struct visitor *visitor, uint32_t *root)
{
    fletch_object object = new_object(visitor, FLETCH_OBJECT_ROOT, 0, 4, "");

    if (!fletch_root(visitor->walk.buffer, root, &visitor->fault)) return false;
    object.is_offset = true;
    return give(visitor, &object);
}

static const struct shape *wrapper_shape(fletch_kind root)
{
    return root == FLETCH_MESSAGE ? &fletch_message_shape : &fletch_footer_shape;
}

static struct way way_to_schema(fletch_kind root, uint32_t wrapper)
{
    if (root == FLETCH_SCHEMA) return way_by(0, "", FLETCH_NO_ELEMENT);
    return way_by(wrapper, root == FLETCH_MESSAGE ? "header" : "schema", FLETCH_NO_ELEMENT);
}

/* Root, wrapper and Schema. */
static bool give_top(struct visitor *visitor)
{
    const fletch_schema *schema = visitor->schema;
    const fletch_kind kind = schema->wrapper.root;
    uint32_t root = 0;

    if (!give_root(visitor, &root)) return false;
    if (kind != FLETCH_SCHEMA &&
        (!give_table(visitor, root, wrapper_shape(kind), way_by(0, "", FLETCH_NO_ELEMENT)) ||
         !give_pairs(visitor, schema->wrapper.metadata, root)))
        return false;
    visitor->prefix = fletch_schema_prefix(schema);
    return schema->at == 0 ||
           (give_table(visitor, schema->at, &fletch_schema_shape, way_to_schema(kind, root)) &&
            give_pairs(visitor, schema->metadata, schema->at));
}

static void begin_visit(struct visitor *visitor, const fletch_schema *schema,
                        const fletch_limits *limits, fletch_visit visit, void *context)
{
    fletch_walk_begin(&visitor->walk, schema, limits);
    visitor->schema = schema;
    visitor->prefix = fletch_root_prefix(schema->wrapper.root);
    visitor->visit = visit;
    visitor->context = context;
    visitor->depth = 0;
    fletch_set_fault(&visitor->fault, FAULT_NONE, 0, 0, 0);
}

static fletch_status end_visit(struct visitor *visitor, fletch_error *error)
{
    const struct fault *fault = &visitor->fault;

    fletch_tell(error, fault, visitor->schema->origin, visitor->prefix,
                visitor->walk.open_runs != 0 ? &visitor->walk : NULL);
    return fletch_fault_status(fault->reason);
}

fletch_status fletch_visit_objects(const fletch_schema *schema, const fletch_limits *limits,
                                   fletch_visit visit, void *context, fletch_error *error)
{
    struct visitor visitor;

    if (!fletch_has_bytes(schema, error)) return FLETCH_MISSING;
    begin_visit(&visitor, schema, limits, visit, context);
    return give_top(&visitor) && give_fields(&visitor) ? FLETCH_OK : end_visit(&visitor, error);
}

/* Damaged bytes */

/* Bytes of the word that a fault of structure is about. */
static uint32_t fault_size(enum reason reason)
{
    switch (reason) {
    case FAULT_VTABLE_SIZE_ODD:
    case FAULT_VTABLE_SIZE_SMALL:
    case FAULT_VTABLE_SIZE_OUTSIDE:
    case FAULT_TABLE_SIZE_SMALL:
    case FAULT_TABLE_SIZE_OUTSIDE:
    case FAULT_SLOT_SMALL:
    case FAULT_SLOT_OUTSIDE:
    case FAULT_SLOT_MISALIGNED: return 2;
    case FAULT_STRING_UNTERMINATED: return 1;
    default: return 4;
    }
}

static void give_fault(struct visitor *visitor)
{
    const struct fault *fault = &visitor->fault;
    fletch_object object;

    if (fletch_fault_status(fault->reason) != FLETCH_MALFORMED) return;
    object = new_object(visitor, FLETCH_OBJECT_FAULT, fault->at, fault_size(fault->reason), "");
    (void)give(visitor, &object);
}

/* A table, and what it says into `schema`. */
static bool give_decoded(struct visitor *visitor, uint32_t at, const struct shape *shape,
                         struct way way, fletch_schema *schema)
{
    struct fault fault;

    if (fletch_decode(schema->buffer, at, shape, schema, &visitor->fault))
        return give_table(visitor, at, shape, way);
    fault = visitor->fault;
    (void)give_table(visitor, at, shape, way);
    put_back(visitor, &fault);
    return false;
}

static bool give_wrapper(struct visitor *visitor, fletch_schema *schema, uint32_t root)
{
    if (!give_decoded(visitor, root, wrapper_shape(schema->wrapper.root),
                      way_by(0, "", FLETCH_NO_ELEMENT), schema))
        return false;
    if (schema->wrapper.root == FLETCH_MESSAGE &&
        schema->wrapper.header_type != FLETCH_HEADER_SCHEMA)
        schema->at = 0;
    return give_pairs(visitor, schema->wrapper.metadata, root);
}

static bool give_damaged(struct visitor *visitor, fletch_schema *schema)
{
    const fletch_kind kind = schema->wrapper.root;
    uint32_t root = 0;

    if (!give_root(visitor, &root)) return false;
    schema->at = root;
    if (kind != FLETCH_SCHEMA && !give_wrapper(visitor, schema, root)) return false;
    if (schema->at == 0) return true;
    visitor->prefix = fletch_schema_prefix(schema);
    if (!give_decoded(visitor, schema->at, &fletch_schema_shape, way_to_schema(kind, root),
                      schema) ||
        !give_pairs(visitor, schema->metadata, schema->at))
        return false;
    fletch_walk_enter(&visitor->walk, &schema->fields, schema->at, FLETCH_TYPE_NONE);
    return give_fields(visitor);
}

fletch_status fletch_visit_bytes(const void *bytes, size_t size, fletch_kind root,
                                 const fletch_limits *limits, fletch_visit visit, void *context,
                                 fletch_error *error)
{
    struct visitor visitor;
    fletch_schema schema;

    fletch_clear_error(error);
    if (root != FLETCH_SCHEMA && root != FLETCH_MESSAGE && root != FLETCH_FOOTER) {
        fletch_say_fault(error, FAULT_MISUSE_KIND, 0, (int64_t)root, 0);
        return FLETCH_MISUSE;
    }
    if (size > FLAT_MAX_SIZE) {
        fletch_say_fault(error, FAULT_FLATBUFFER_LARGE, 0, (int64_t)size, 0);
        return FLETCH_TOO_LARGE;
    }
    fletch_empty_schema(&schema);
    schema.wrapper.root = root;
    schema.buffer.bytes = bytes;
    schema.buffer.size = (uint32_t)size;
    schema.fields.buffer = schema.metadata.buffer = schema.wrapper.metadata.buffer = schema.buffer;
    begin_visit(&visitor, &schema, limits, visit, context);
    if (give_damaged(&visitor, &schema)) return FLETCH_OK;
    give_fault(&visitor);
    return end_visit(&visitor, error);
}
