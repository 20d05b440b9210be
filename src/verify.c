/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verifier: the walk's decoding run over everything, with limits.
 *
 * A fault of structure ends the check at once. The first fault of Arrow's rules is told, then only
 * structure is checked further: so `malformed` comes before `invalid` wherever each stands.
 */
#include "verify.h"

#include "utf8.h"
#include "visit.h"

#include <string.h>

struct checker {
    fletch_walk walk;
    fletch_schema *schema;
    const char *prefix; /* of paths, to the table being checked */
    bool is_arrow, is_strict;
    bool in_wrapper;       /* Message or Footer, not yet the schema */
    bool is_decided;       /* the version is bad: that verdict stands whatever comes */
    fletch_status verdict; /* the first fault of Arrow's rules; its error is told */
    fletch_error *error;
};

/* What a check that comes to its end leaves. */
static const struct fault no_fault = {FAULT_NONE,
                                      0,
                                      0,
                                      0,
                                      0,
                                      {"", "", "", "", ""},
                                      {NO_INDEX, NO_INDEX, NO_INDEX, NO_INDEX, NO_INDEX}};

/* Faults of Arrow's rules: only the first counts. */
static void find_fault(struct checker *checker, const struct fault *fault, const fletch_walk *walk)
{
    if (checker->verdict != FLETCH_OK) return;
    checker->verdict = fletch_fault_status(fault->reason);
    fletch_tell(checker->error, fault, checker->schema->origin, checker->prefix, walk);
}

/* A fault in a member of the table at `at`: at the member's word, or the table where absent. */
static void find_member_fault(struct checker *checker, enum reason reason, uint32_t at,
                              const struct shape *shape, uint32_t slot, int64_t value)
{
    struct fault fault;
    const uint32_t place = fletch_member_at(checker->schema->buffer, at, slot);

    fletch_set_fault(&fault, reason, place != 0 ? place : at, value, 0);
    fletch_fault_inside(&fault, shape->rows[slot].name, NO_INDEX);
    find_fault(checker, &fault, NULL);
}

/* Level strict, over one table: bools 0 or 1, 8-byte words aligned, strings UTF-8. */

static bool check_strict_string(fletch_walk *walk, uint32_t at, struct fault *fault)
{
    flat_position nul;
    size_t good;

    if (!find_string(walk->buffer, at, &nul, fault)) return false;
    if (!fletch_take_text(walk, nul - at - 4, at, fault)) return false;
    if (IS_SMALL)
        good = fletch_utf8_end(walk->buffer.bytes, at + 4, (size_t)nul);
    else
        good = utf8_end(walk->buffer.bytes, at + 4, (size_t)nul);
    return good == nul || fail(fault, FAULT_UTF8, (uint32_t)good, (int64_t)(good - at - 4), 0);
}

static bool check_strict_vector(fletch_walk *walk, uint32_t at, uint32_t width, struct fault *fault)
{
    uint32_t begin, count;

    if (!read_vector(walk->buffer, at, width, &begin, &count, fault)) return false;
    return count == 0 || width % 8 != 0 || begin % 8 == 0 ||
           fail(fault, FAULT_MISALIGNED_8, begin, begin, 0);
}

static bool check_strict_member(fletch_walk *walk, uint32_t place, const struct row *row,
                                struct fault *fault)
{
    flat_position target;

    switch (row->kind) {
    case ROW_BOOL: {
        const uint32_t byte = load_u8(walk->buffer, place);

        return byte <= 1 || fail(fault, FAULT_BOOL, place, byte, 0);
    }
    case ROW_I64: return place % 8 == 0 || fail(fault, FAULT_MISALIGNED_8, place, place, 0);
    case ROW_STRING:
        return follow(walk->buffer, place, &target, fault) &&
               check_strict_string(walk, (uint32_t)target, fault);
    case ROW_INTEGERS:
    case ROW_BLOCKS:
        return follow(walk->buffer, place, &target, fault) &&
               check_strict_vector(walk, (uint32_t)target, row->width, fault);
    default: return true;
    }
}

static bool check_strict_members(struct checker *checker, uint32_t at, const struct shape *shape,
                                 struct fault *fault)
{
    uint32_t slot;

    for (slot = 0; slot < shape->row_count; slot++) {
        const uint32_t place = fletch_member_at(checker->walk.buffer, at, slot);

        if (place != 0 && !check_strict_member(&checker->walk, place, &shape->rows[slot], fault))
            return fail_inside(fault, shape->rows[slot].name, NO_INDEX);
    }
    return true;
}

static bool check_strict(struct checker *checker, uint32_t at, const struct shape *shape,
                         struct fault *fault)
{
    return !checker->is_strict || check_strict_members(checker, at, shape, fault);
}

static bool check_strict_type(struct checker *checker, const fletch_type *type, struct fault *fault)
{
    if (type->at == 0 || type->id >= TYPE_COUNT) return true;
    //@ split type->id;
    return check_strict(checker, type->at, &fletch_type_shapes[type->id], fault) ||
           fail_inside(fault, "type", NO_INDEX);
}

static bool check_strict_field(struct checker *checker, const fletch_field *field,
                               struct fault *fault)
{
    if (!check_strict(checker, field->at, &fletch_field_shape, fault) ||
        !check_strict_type(checker, &field->type, fault))
        return false;
    if (!field->has_dictionary) return true;
    if (!check_strict(checker, field->dictionary.at, &fletch_dictionary_shape, fault))
        return fail_inside(fault, "dictionary", NO_INDEX);
    if (field->dictionary.index_type_at == 0 ||
        check_strict(checker, field->dictionary.index_type_at, &fletch_int_shape, fault))
        return true;
    fletch_fault_inside(fault, "indexType", NO_INDEX);
    return fail_inside(fault, "dictionary", NO_INDEX);
}

/* Metadata: every pair is decoded; level strict wants key and value. */

/* Of the schema and its fields; the wrapper's own metadata is no part of the schema. */
static void check_pair_rules(struct checker *checker, const fletch_key_value *pair, uint32_t index,
                             const fletch_walk *walk)
{
    struct fault fault;

    if (checker->in_wrapper || (pair->has_key && pair->has_value)) return;
    fletch_set_fault(&fault, pair->has_key ? FAULT_VALUE_ABSENT : FAULT_KEY_ABSENT, pair->at, 0, 0);
    fletch_fault_inside(&fault, pair->has_key ? "value" : "key", NO_INDEX);
    fletch_fault_inside(&fault, "custom_metadata", index);
    find_fault(checker, &fault, walk);
}

/* The next pair: false at the end (fault->reason is FAULT_NONE) or at a fault. */
static bool check_next_pair(struct checker *checker, fletch_metadata *pairs, uint32_t index,
                            const fletch_walk *walk, struct fault *fault)
{
    fletch_key_value pair;

    if (!fletch_walk_pair(&checker->walk, pairs, &pair, fault) ||
        !check_strict(checker, pair.at, &fletch_key_value_shape, fault))
        return false;
    if (!IS_SMALL || checker->is_strict) check_pair_rules(checker, &pair, index, walk);
    return true;
}

static bool check_pairs(struct checker *checker, const fletch_metadata *metadata,
                        const fletch_walk *walk, struct fault *fault)
{
    fletch_metadata pairs;
    uint32_t index = 0;

    if (!IS_SMALL && !checker->is_strict)
        return fletch_walk_check_pairs(&checker->walk, metadata->position, metadata->end, fault);
    pairs = *metadata;
    while (check_next_pair(checker, &pairs, index, walk, fault))
        index++;
    return fault->reason == FAULT_NONE || fail_inside(fault, "custom_metadata", index);
}

/* Fields */

/* The word in the table at `at` that a finding is about, or the table. */
static uint32_t locate(fletch_buffer buffer, uint32_t at, const struct row *row,
                       const struct finding *finding)
{
    const uint32_t place = at != 0 ? fletch_member_at(buffer, at, finding->slot) : 0;
    struct fault ignored;
    flat_position target;

    if (place == 0) return at;
    if (row->kind != ROW_FIELDS && row->kind != ROW_INTEGERS) return place;
    if (!follow(buffer, place, &target, &ignored)) return place;
    if (finding->element != NO_INDEX) target += 4 + 4 * (flat_position)finding->element;
    return (uint32_t)target;
}

void fletch_point_out(fletch_buffer buffer, struct field_tables tables,
                      const struct finding *finding, struct fault *fault)
{
    const struct shape *shape = fletch_finding_shape(finding, tables.type_id);
    uint32_t at = tables.field;

    if (finding->table == IN_TYPE) at = tables.type;
    if (finding->table == IN_DICTIONARY) at = tables.dictionary;
    if (finding->table == IN_INDEX_TYPE) at = tables.index_type;
    at = locate(buffer, at, &shape->rows[finding->slot], finding);
    fletch_describe(finding, tables.type_id, at, fault);
}

static struct surroundings surroundings_of(const fletch_walk *walk)
{
    struct surroundings around;

    around.parent_type = fletch_walk_parent(walk);
    around.grandparent_type = fletch_walk_grandparent(walk);
    around.index = fletch_walk_index(walk);
    return around;
}

bool fletch_check_rules(const fletch_walk *walk, const fletch_type *type, uint32_t children,
                        bool is_strict, struct finding *finding)
{
    struct surroundings around;
    fletch_field field;

    if (!fletch_check_type(type, finding) || !check_child_count(type, children, is_strict, finding))
        return false;
    if (is_free(walk->run.parent_type)) return true;
    around = surroundings_of(walk);
    field.type = *type;
    field.nullable = false; /* rules about it are of level strict */
    return fletch_check_surroundings(&field, children, &around, false, finding);
}

/* The rules by the whole type, decoded once more. Cold, so that it is not made part of its caller.
 */
static COLD bool check_whole(fletch_walk *walk, int32_t type_id, uint32_t type_at,
                             uint32_t children, struct finding *finding)
{
    const bool is_known = type_id > FLETCH_TYPE_NONE && type_id < TYPE_COUNT;
    fletch_type type;

    type.id = type_id;
    type.at = type_at;
    if (is_known && !decode_type(walk->buffer, walk, &type, VISIT_DECODE, NULL))
        return true; /* the bytes changed */
    return fletch_check_rules(walk, &type, children, false, finding);
}

/* Whether one look tells that a known type, of the field that was decoded last, is good. The vtable
 * remembered for such types is the type's own but where an index type came after it. */
static bool is_good_type(const fletch_walk *walk, int32_t type_id, uint32_t type_at,
                         uint32_t children)
{
    const struct type_rules *rules = &fletch_type_rules[type_id];
    const fletch_vtable *vtable = &walk->vtables[TYPE_PLACES + type_id];

    return allows_children(rules, children) &&
           vtable->position == vtable_of(walk->buffer, type_at) &&
           allows(rules, first_bits(walk->buffer, type_at, vtable));
}

/* The rules by one look; else by the whole type. */
static bool check_type_at(fletch_walk *walk, int32_t type_id, uint32_t type_at, uint32_t children,
                          struct finding *finding)
{
    return (is_free(walk->run.parent_type) && type_id > FLETCH_TYPE_NONE && type_id < TYPE_COUNT &&
            is_good_type(walk, type_id, type_at, children)) ||
           check_whole(walk, type_id, type_at, children, finding);
}

static void find_in_field(struct checker *checker, struct field_tables tables,
                          const struct finding *finding)
{
    struct fault fault;

    fletch_point_out(checker->walk.buffer, tables, finding, &fault);
    find_fault(checker, &fault, &checker->walk);
}

static void check_field_rules(struct checker *checker, const fletch_field *field)
{
    const struct surroundings around = surroundings_of(&checker->walk);
    struct finding finding;

    if (checker->verdict == FLETCH_OK &&
        !fletch_check_field(field, &around, checker->is_strict, &finding))
        find_in_field(checker, tables_at(field), &finding);
}

/* Level strict, and in a small build each: a step of the walk, and the check of the field it comes
 * to. */
static walk_event check_step(struct checker *checker, struct fault *fault)
{
    fletch_field field;
    const walk_event event = fletch_walk_step(&checker->walk, &field, fault);

    if (event != WALK_FIELD) return event;
    if (checker->is_strict && !check_strict_field(checker, &field, fault)) return WALK_FAULT;
    if (checker->is_arrow) check_field_rules(checker, &field);
    if (field.metadata.position < field.metadata.end &&
        !check_pairs(checker, &field.metadata, &checker->walk, fault))
        return WALK_FAULT;
    return WALK_FIELD;
}

static bool check_steps(struct checker *checker, struct fault *fault)
{
    for (;;) {
        const walk_event event = check_step(checker, fault);

        if (event == WALK_END) return true;
        if (event == WALK_FAULT) return false;
    }
}

/* Level arrow: whether one look tells that a field obeys the rules: it has no children, and a type
 * that wants none and is good by the first member. */
FORCE_INLINE bool is_good_leaf(const fletch_field *field)
{
    const uint32_t id = (uint32_t)field->type.id;

    return field->children.position >= field->children.end && id < TYPE_COUNT &&
           fletch_type_rules[id].children <= 0 &&
           allows(&fletch_type_rules[id], (uint32_t)field->type.as.integer.bit_width);
}

/* The rules for the field that the walk stands at. */
FORCE_INLINE void check_rules(struct checker *checker, const fletch_field *field)
{
    fletch_walk *walk = &checker->walk;
    struct finding finding;

    if (((!is_good_leaf(field) || !is_free(walk->run.parent_type)) &&
         !check_type_at(walk, field->type.id, field->type.at, fletch_count_fields(&field->children),
                        &finding)) ||
        (field->has_dictionary &&
         !check_dictionary(field->dictionary.kind, field->dictionary.index_type.bit_width,
                           &finding)))
        find_in_field(checker, tables_at(field), &finding);
}

/* The next field of the innermost run, and its metadata. */
FORCE_INLINE bool check_next_field(struct checker *checker, fletch_buffer buffer,
                                   fletch_field *field, struct fault *fault)
{
    fletch_walk *walk = &checker->walk;

    if (!take_field(walk, buffer, field, VISIT_RULES, fault)) return false;
    check_rules(checker, field);
    if (field->metadata.position >= field->metadata.end) return true;
    return fletch_walk_check_pairs(walk, field->metadata.position, field->metadata.end, fault);
}

/* Siblings until one has children, which wait then, or the run ends. */
static bool check_run(struct checker *checker, struct fault *fault)
{
    static const fletch_dictionary no_dictionary = {0};
    fletch_walk *walk = &checker->walk;
    const fletch_buffer buffer = walk->buffer;
    fletch_field field;

    field.children.position = field.children.end = 0;
    /* For compilers that cannot see that these are set where they are used. */
    field.dictionary = no_dictionary;
    field.type.as.integer.bit_width = 0;
    while (walk->run.position < walk->run.end) {
        if (!check_next_field(checker, buffer, &field, fault)) return false;
        if (field.children.position < field.children.end) break;
    }
    return true;
}

static bool check_fields(struct checker *checker, struct fault *fault)
{
    fletch_walk *walk = &checker->walk;

    if (IS_SMALL || checker->is_strict) return check_steps(checker, fault);
    if (!checker->is_arrow) return fletch_walk_check(walk, fault);
    do {
        if (walk->children.position < walk->children.end && !enter_children(walk, fault))
            return false;
        if (!check_run(checker, fault)) return false;
    } while (walk->children.position < walk->children.end || leave(walk) == WALK_LEAVE);
    return true;
}

/* Roots */

static void check_schema_rules(struct checker *checker)
{
    const fletch_schema *schema = checker->schema;
    uint32_t i;

    if (schema->endianness != FLETCH_LITTLE_ENDIAN && schema->endianness != FLETCH_BIG_ENDIAN)
        find_member_fault(checker, FAULT_ENDIANNESS, schema->at, &fletch_schema_shape,
                          SCHEMA_ENDIANNESS, schema->endianness);
    if (!schema->has_fields)
        find_member_fault(checker, FAULT_SCHEMA_FIELDS, schema->at, &fletch_schema_shape,
                          SCHEMA_FIELDS, 0);
    if (!checker->is_strict) return;
    for (i = 0; i < schema->features.count; i++) {
        const int64_t feature = fletch_integer_at(&schema->features, i);
        struct fault fault;

        if (feature >= FLETCH_FEATURE_UNUSED && feature <= FLETCH_FEATURE_COMPRESSED_BODY) continue;
        fletch_set_fault(&fault, FAULT_FEATURE, schema->features.at + 8 * i, feature, 0);
        fletch_fault_inside(&fault, "features", i);
        find_fault(checker, &fault, NULL);
        return;
    }
}

/* The Schema table at schema->at, and all below it. */
static bool check_schema(struct checker *checker, fletch_level level, struct fault *fault)
{
    fletch_schema *schema = checker->schema;

    if (!fletch_take_tables(&checker->walk, 1, schema->at, fault) ||
        !fletch_decode(schema->buffer, schema->at, &fletch_schema_shape, schema, fault) ||
        !check_strict(checker, schema->at, &fletch_schema_shape, fault))
        return false;
    if (level == FLETCH_LEVEL_UNCHECKED) return true;
    if (checker->is_arrow) check_schema_rules(checker);
    if (!check_pairs(checker, &schema->metadata, NULL, fault)) return false;
    fletch_walk_enter(&checker->walk, &schema->fields, schema->at, FLETCH_TYPE_NONE);
    return check_fields(checker, fault);
}

/* Which fault a header type other than Schema is. */
static enum reason header_reason(int32_t type)
{
    switch (type) {
    case FLETCH_HEADER_NONE: return FAULT_HEADER_NONE;
    case FLETCH_HEADER_DICTIONARY_BATCH: return FAULT_HEADER_DICTIONARY_BATCH;
    case FLETCH_HEADER_RECORD_BATCH: return FAULT_HEADER_RECORD_BATCH;
    case FLETCH_HEADER_TENSOR: return FAULT_HEADER_TENSOR;
    case FLETCH_HEADER_SPARSE_TENSOR: return FAULT_HEADER_SPARSE_TENSOR;
    default: return FAULT_HEADER;
    }
}

/* What the wrapper says of itself, once it is decoded. */
static bool check_message(struct checker *checker, uint32_t at, struct fault *fault)
{
    fletch_schema *schema = checker->schema;
    const int32_t type = schema->wrapper.header_type;
    const int64_t length = schema->wrapper.body_length;

    if (length < 0) {
        const uint32_t place = fletch_member_at(schema->buffer, at, MESSAGE_BODY_LENGTH);

        fletch_set_fault(fault, FAULT_BODY_NEGATIVE, place, length, 0);
        return fail_inside(fault, "bodyLength", NO_INDEX);
    }
    if (type != FLETCH_HEADER_SCHEMA) {
        schema->at = 0; /* what the header leads to is no Schema, and is not looked into */
        find_member_fault(checker, header_reason(type), at, &fletch_message_shape,
                          MESSAGE_HEADER_TYPE, type);
    }
    if (checker->is_strict && length != 0)
        find_member_fault(checker, FAULT_BODY_PRESENT, at, &fletch_message_shape,
                          MESSAGE_BODY_LENGTH, length);
    return true;
}

static void check_footer(struct checker *checker, uint32_t at)
{
    if (checker->schema->at == 0)
        find_member_fault(checker, FAULT_FOOTER_SCHEMA, at, &fletch_footer_shape, FOOTER_SCHEMA, 0);
}

/* The version comes before the structure of all but the root table, so it is read first. */
static void check_version(struct checker *checker, uint32_t at, fletch_kind kind,
                          const struct shape *shape)
{
    fletch_wrapper *wrapper = &checker->schema->wrapper;
    const uint32_t place = fletch_member_at(checker->schema->buffer, at, MESSAGE_VERSION);

    wrapper->has_version = place != 0;
    wrapper->version = place != 0 ? signed_16(load_u16(checker->schema->buffer, place)) : FLETCH_V1;
    if (wrapper->version == FLETCH_V4 || wrapper->version == FLETCH_V5) return;
    if (kind == FLETCH_FOOTER && wrapper->version == FLETCH_V1) return; /* old Java writers */
    find_member_fault(checker, FAULT_VERSION, at, shape, MESSAGE_VERSION, wrapper->version);
    checker->is_decided = true;
}

/* The Message or Footer at `at`, and the schema in it. */
static bool check_wrapper(struct checker *checker, uint32_t at, fletch_kind kind,
                          fletch_level level, struct fault *fault)
{
    const bool is_message = kind == FLETCH_MESSAGE;
    const struct shape *shape = is_message ? &fletch_message_shape : &fletch_footer_shape;
    fletch_schema *schema = checker->schema;

    if (!fletch_check_table(schema->buffer, at, shape, fault)) return false;
    check_version(checker, at, kind, shape);
    if (!fletch_take_tables(&checker->walk, 1, at, fault) ||
        !fletch_decode(schema->buffer, at, shape, schema, fault) ||
        !check_strict(checker, at, shape, fault))
        return false;
    if (is_message && !check_message(checker, at, fault)) return false;
    if (!is_message) check_footer(checker, at);
    checker->in_wrapper = true;
    if (level != FLETCH_LEVEL_UNCHECKED &&
        !check_pairs(checker, &schema->wrapper.metadata, NULL, fault))
        return false;
    checker->in_wrapper = false;
    if (schema->at == 0) return true;
    checker->prefix = fletch_schema_prefix(schema);
    return check_schema(checker, level, fault);
}

static bool check_root(struct checker *checker, fletch_kind kind, fletch_level level,
                       struct fault *fault)
{
    fletch_schema *schema = checker->schema;
    uint32_t at = 0;

    checker->prefix = fletch_root_prefix(kind);
    if (!fletch_root(schema->buffer, &at, fault)) return false;
    if (kind == FLETCH_SCHEMA) {
        schema->at = at;
        return check_schema(checker, level, fault);
    }
    return check_wrapper(checker, at, kind, level, fault);
}

/* Takes back what was decoded of a schema whose structure does not hold. */
static void forget_schema(fletch_schema *schema)
{
    const fletch_wrapper wrapper = schema->wrapper;
    const uint64_t origin = schema->origin;

    fletch_empty_schema(schema);
    schema->origin = origin;
    schema->wrapper = wrapper;
    schema->wrapper.metadata = schema->metadata;
    schema->wrapper.has_metadata = false;
}

const char *fletch_schema_prefix(const fletch_schema *schema)
{
    switch (schema->wrapper.root) {
    case FLETCH_MESSAGE: return "message.header";
    case FLETCH_FOOTER: return "footer.schema";
    default: return "";
    }
}

const char *fletch_root_prefix(fletch_kind root)
{
    switch (root) {
    case FLETCH_MESSAGE: return "message";
    case FLETCH_FOOTER: return "footer";
    default: return "";
    }
}

static void begin_check(struct checker *checker, fletch_schema *schema, fletch_level level,
                        const fletch_limits *limits, fletch_error *error)
{
    checker->schema = schema;
    checker->prefix = fletch_schema_prefix(schema);
    checker->is_arrow = level >= FLETCH_LEVEL_ARROW;
    checker->is_strict = level >= FLETCH_LEVEL_STRICT;
    checker->in_wrapper = false;
    checker->is_decided = false;
    checker->verdict = FLETCH_OK;
    checker->error = error;
    if (!IS_SMALL && level == FLETCH_LEVEL_UNCHECKED)
        fletch_walk_restart(&checker->walk, &schema->fields, 0, FLETCH_TYPE_NONE, limits);
    else
        fletch_walk_over(&checker->walk, &schema->fields, 0, FLETCH_TYPE_NONE, limits);
    fletch_walk_skip(&checker->walk);
}

/* Tells a fault of structure, which ends the check. */
static fletch_status end_check(struct checker *checker, const struct fault *fault)
{
    if (checker->is_decided) return checker->verdict;
    fletch_tell(checker->error, fault, checker->schema->origin, checker->prefix,
                checker->walk.open_runs != 0 ? &checker->walk : NULL);
    return fletch_fault_status(fault->reason);
}

fletch_status fletch_verify_root(fletch_schema *schema, fletch_kind kind, fletch_level level,
                                 const fletch_limits *limits, fletch_error *error)
{
    struct checker checker;
    struct fault fault = no_fault;
    fletch_status status;

    if (level == FLETCH_LEVEL_DEFAULT) level = FLETCH_LEVEL_ARROW;
    schema->wrapper.root = kind;
    schema->fields.buffer.bytes = schema->buffer.bytes; /* apart, as they were stored */
    schema->fields.buffer.size = schema->buffer.size;
    begin_check(&checker, schema, level, limits, error);
    if (check_root(&checker, kind, level, &fault)) return checker.verdict;
    status = end_check(&checker, &fault);
    forget_schema(schema);
    return status;
}

fletch_status fletch_verify_schema(const fletch_schema *schema, fletch_level level,
                                   const fletch_limits *limits, fletch_error *error)
{
    struct checker checker;
    struct fault fault = no_fault;
    fletch_schema copy = *schema;

    if (!fletch_has_schema(schema, error)) return FLETCH_MISSING;
    begin_check(&checker, &copy, level, limits, error);
    if (check_schema(&checker, level, &fault)) return checker.verdict;
    return end_check(&checker, &fault);
}

void fletch_empty_schema(fletch_schema *schema)
{
    static const uint8_t nothing[1] = {0};
    static const fletch_schema empty = {0};

    *schema = empty;
    schema->buffer.bytes = schema->fields.buffer.bytes = schema->metadata.buffer.bytes =
        schema->wrapper.metadata.buffer.bytes = nothing;
    schema->features.data = nothing;
    schema->features.width = 8;
}
