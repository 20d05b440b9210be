/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The extents of objects, from the rows: each table that the walk comes to is taken apart by its
 * shape, so a new member or type needs nothing here.
 */
#include "fletch/explain.h"

#include "verify.h"
#include "walk.h"

struct visitor {
    fletch_walk walk;
    const fletch_schema *schema;
    fletch_visit visit;
    void *context;
    uint32_t depth;
    struct fault fault;
};

static bool give(struct visitor *visitor, fletch_object_kind kind, uint32_t begin, uint32_t size,
                 const char *table, const char *member)
{
    fletch_object object;

    object.kind = kind;
    object.begin = begin;
    object.end = begin + size;
    object.table = table;
    object.member = member;
    object.depth = visitor->depth;
    if (visitor->visit(visitor->context, &object)) return true;
    return fail(&visitor->fault, FAULT_WRITER_REFUSED, begin, 0, 0);
}

static bool give_string(struct visitor *visitor, uint32_t at, const char *table, const char *member)
{
    fletch_string string;

    return read_string(visitor->walk.buffer, at, &string, &visitor->fault) &&
           give(visitor, FLETCH_OBJECT_STRING, at, 5 + (uint32_t)string.size, table, member);
}

static bool give_vector(struct visitor *visitor, uint32_t at, uint32_t width, const char *table,
                        const char *member)
{
    uint32_t begin = 0, count = 0;

    return read_vector(visitor->walk.buffer, at, width, &begin, &count, &visitor->fault) &&
           give(visitor, FLETCH_OBJECT_VECTOR, at, 4 + count * width, table, member);
}

/* A member, and what it leads to where that is no table: those come by themselves. */
static bool give_member(struct visitor *visitor, uint32_t place, const struct row *row,
                        const char *table)
{
    uint32_t target = 0;

    if (!give(visitor, FLETCH_OBJECT_MEMBER, place, row->size, table, row->name)) return false;
    if (row->kind < ROW_STRING || row->kind == ROW_TABLE || row->kind == ROW_UNION) return true;
    if (!follow(visitor->walk.buffer, place, &target, &visitor->fault)) return false;
    return row->kind == ROW_STRING ? give_string(visitor, target, table, row->name)
                                   : give_vector(visitor, target, row->width, table, row->name);
}

/* A table with its vtable and members. */
static bool give_table(struct visitor *visitor, uint32_t at, const struct shape *shape)
{
    const fletch_buffer buffer = visitor->walk.buffer;
    const uint32_t vtable = at - load_u32(buffer, at);
    uint32_t slot;

    if (!fletch_check_table(buffer, at, shape, &visitor->fault) ||
        !give(visitor, FLETCH_OBJECT_VTABLE, vtable, load_u16(buffer, vtable), shape->name, "") ||
        !give(visitor, FLETCH_OBJECT_TABLE, at, load_u16(buffer, vtable + 2), shape->name, ""))
        return false;
    for (slot = 0; slot < shape->row_count; slot++) {
        const uint32_t place = fletch_member_at(buffer, at, slot);

        if (place != 0 && !give_member(visitor, place, &shape->rows[slot], shape->name))
            return false;
    }
    return true;
}

static bool give_pairs(struct visitor *visitor, fletch_metadata pairs)
{
    fletch_key_value pair;

    while (fletch_walk_pair(&visitor->walk, &pairs, &pair, &visitor->fault))
        if (!give_table(visitor, pair.at, &fletch_key_value_shape)) return false;
    return visitor->fault.reason == FAULT_NONE;
}

static bool give_field(struct visitor *visitor, const fletch_field *field)
{
    const fletch_dictionary *dictionary = &field->dictionary;

    visitor->depth = visitor->walk.depth;
    if (!give_table(visitor, field->at, &fletch_field_shape)) return false;
    if (field->type.at != 0 && field->type.id < TYPE_COUNT &&
        !give_table(visitor, field->type.at, &fletch_type_shapes[field->type.id]))
        return false;
    if (field->has_dictionary && !give_table(visitor, dictionary->at, &fletch_dictionary_shape))
        return false;
    if (field->has_dictionary && dictionary->index_type_at != 0 &&
        !give_table(visitor, dictionary->index_type_at, &fletch_int_shape))
        return false;
    return give_pairs(visitor, field->metadata);
}

/* Root, wrapper and Schema. */
static bool give_top(struct visitor *visitor)
{
    const fletch_schema *schema = visitor->schema;
    uint32_t root = 0;

    if (!fletch_root(schema->buffer, &root, &visitor->fault) ||
        !give(visitor, FLETCH_OBJECT_ROOT, 0, 4, "", ""))
        return false;
    if (schema->wrapper.root != FLETCH_SCHEMA &&
        (!give_table(visitor, root,
                     schema->wrapper.root == FLETCH_MESSAGE ? &fletch_message_shape
                                                            : &fletch_footer_shape) ||
         !give_pairs(visitor, schema->wrapper.metadata)))
        return false;
    return schema->at == 0 || (give_table(visitor, schema->at, &fletch_schema_shape) &&
                               give_pairs(visitor, schema->metadata));
}

static bool give_all(struct visitor *visitor)
{
    fletch_field field;
    walk_event event;

    if (!give_top(visitor)) return false;
    do {
        event = fletch_walk_step(&visitor->walk, &field, &visitor->fault);
        if (event == WALK_FIELD && !give_field(visitor, &field)) return false;
    } while (event == WALK_FIELD || event == WALK_LEAVE);
    return event == WALK_END;
}

fletch_status fletch_visit_objects(const fletch_schema *schema, const fletch_limits *limits,
                                   fletch_visit visit, void *context, fletch_error *error)
{
    struct visitor visitor;

    fletch_walk_begin(&visitor.walk, schema, limits);
    visitor.schema = schema;
    visitor.visit = visit;
    visitor.context = context;
    visitor.depth = 0;
    visitor.fault.reason = FAULT_NONE;
    fletch_clear_error(error);
    if (give_all(&visitor)) return FLETCH_OK;
    fletch_tell(error, &visitor.fault, schema->origin, fletch_schema_prefix(schema),
                visitor.walk.open_runs != 0 ? &visitor.walk : NULL);
    return fletch_fault_status(visitor.fault.reason);
}
