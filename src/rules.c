/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrow's rules. Nothing here touches the buffer but through the model's views.
 */
#include "rules.h"

bool fletch_find_fault(struct finding *finding, enum reason reason, uint32_t where, int32_t value)
{
    finding->reason = reason;
    finding->table = (enum finding_table)(where & ~7u);
    finding->slot = where & 7u; /* a table has at most 7 */
    finding->element = NO_INDEX;
    finding->value = value;
    finding->other = 0;
    //@ split finding->slot;
    //@ split finding->table;
    return false;
}

static bool find_type_id(struct finding *finding, enum reason reason, int64_t id, uint32_t element)
{
    find_in_type(finding, reason, UNION_TYPE_IDS, 0);
    finding->value = id;
    finding->element = element;
    return false;
}

/*
 * Type ids: each 0 to 127, none twice. More than 128 cannot pass, so the loop ends before that.
 */
bool fletch_check_type_ids(const fletch_integers *ids, struct finding *finding)
{
    uint32_t seen[4] = {0, 0, 0, 0}; /* a bit per id */
    uint32_t i;

    for (i = 0; i < ids->count; i++) {
        const int64_t id = fletch_integer_at(ids, i);
        const uint32_t bit = 1u << (id & 31);

        if (id < 0 || id > 127) return find_type_id(finding, FAULT_TYPE_ID_RANGE, id, i);
        if ((seen[id >> 5] & bit) != 0) return find_type_id(finding, FAULT_TYPE_ID_TWICE, id, i);
        seen[id >> 5] |= bit;
    }
    return true;
}

/* Units and the like: all of them from 0 on. */
#define UP_TO(last) (UINT64_MAX >> (63 - (last)))
#define ANY         1, 0, FAULT_NONE
#define MORE        0, 0, FAULT_NONE
#define MANY        (-1)

const struct type_rules fletch_type_rules[TYPE_COUNT] = {
    [FLETCH_TYPE_NONE] = {MORE, 0},
    [FLETCH_TYPE_NULL] = {ANY, 0},
    [FLETCH_TYPE_INT] = {1 | 1 << (16 - 8) | 1 << (32 - 8) | UINT64_C(1) << (64 - 8), 8,
                         FAULT_INT_WIDTH, 0},
    [FLETCH_TYPE_FLOATING_POINT] = {UP_TO(FLETCH_DOUBLE), 0, FAULT_PRECISION_UNKNOWN, 0},
    [FLETCH_TYPE_BINARY] = {ANY, 0},
    [FLETCH_TYPE_UTF8] = {ANY, 0},
    [FLETCH_TYPE_BOOL] = {ANY, 0},
    [FLETCH_TYPE_DECIMAL] = {UP_TO(38 - 1), 1, FAULT_NONE, 0}, /* of 128 bits */
    [FLETCH_TYPE_DATE] = {UP_TO(FLETCH_DATE_MILLISECOND), 0, FAULT_UNIT_UNKNOWN, 0},
    [FLETCH_TYPE_TIME] = {UP_TO(FLETCH_MILLISECOND), 0, FAULT_NONE, 0}, /* of 32 bits */
    [FLETCH_TYPE_TIMESTAMP] = {UP_TO(FLETCH_NANOSECOND), 0, FAULT_UNIT_UNKNOWN, 0},
    [FLETCH_TYPE_INTERVAL] = {UP_TO(FLETCH_MONTH_DAY_NANO), 0, FAULT_UNIT_UNKNOWN, 0},
    [FLETCH_TYPE_LIST] = {ANY, 1},
    [FLETCH_TYPE_STRUCT] = {ANY, MANY},
    [FLETCH_TYPE_UNION] = {MORE, MANY},
    [FLETCH_TYPE_FIXED_SIZE_BINARY] = {UP_TO(63), 0, FAULT_NONE, 0},
    [FLETCH_TYPE_FIXED_SIZE_LIST] = {UP_TO(63), 0, FAULT_NONE, 1},
    [FLETCH_TYPE_MAP] = {ANY, 1},
    [FLETCH_TYPE_DURATION] = {UP_TO(FLETCH_NANOSECOND), 0, FAULT_UNIT_UNKNOWN, 0},
    [FLETCH_TYPE_LARGE_BINARY] = {ANY, 0},
    [FLETCH_TYPE_LARGE_UTF8] = {ANY, 0},
    [FLETCH_TYPE_LARGE_LIST] = {ANY, 1},
    [FLETCH_TYPE_RUN_END_ENCODED] = {ANY, 2},
    [FLETCH_TYPE_BINARY_VIEW] = {ANY, 0},
    [FLETCH_TYPE_UTF8_VIEW] = {ANY, 0},
    [FLETCH_TYPE_LIST_VIEW] = {ANY, 1},
    [FLETCH_TYPE_LARGE_LIST_VIEW] = {ANY, 1},
};

/* The rule of the first member, for types that have no other. */
static bool check_first(const fletch_type *type, struct finding *finding)
{
    const struct type_rules *rules;
    int32_t first;

    if (type->id < 0 || type->id >= TYPE_COUNT)
        return fletch_find_fault(finding, FAULT_TYPE_UNKNOWN, IN_FIELD + FIELD_TYPE_TYPE, type->id);
    rules = &fletch_type_rules[type->id];
    if (rules->reason == FAULT_NONE) return true;
    first = type->as.integer.bit_width; /* those of all others stand at the same place */
    return allows(rules, (uint32_t)first) ||
           find_in_type(finding, (enum reason)rules->reason, 0, first);
}

static bool check_known(int32_t value, int32_t last, enum reason reason, struct finding *finding)
{
    return (value >= 0 && value <= last) || find_in_type(finding, reason, 0, value);
}

static bool check_decimal(const fletch_type *type, struct finding *finding)
{
    const int32_t width = type->as.decimal.bit_width;
    const int32_t precision = type->as.decimal.precision;
    const int32_t most = width == 32 ? 9 : width == 64 ? 18 : width == 128 ? 38 : 76;

    if (width != 32 && width != 64 && width != 128 && width != 256)
        return find_in_type(finding, FAULT_DECIMAL_WIDTH, 2, width);
    if (precision >= 1 && precision <= most) return true;
    find_in_type(finding, FAULT_DECIMAL_PRECISION, 0, precision);
    return find_other(finding, most);
}

static bool check_time(const fletch_type *type, struct finding *finding)
{
    const int32_t unit = type->as.time.unit;
    const int32_t width = type->as.time.bit_width;

    if (!check_known(unit, FLETCH_NANOSECOND, FAULT_UNIT_UNKNOWN, finding)) return false;
    if (width == (unit <= FLETCH_MILLISECOND ? 32 : 64)) return true;
    find_in_type(finding, FAULT_TIME_WIDTH, 1, width);
    return find_other(finding, unit);
}

static bool check_union(const fletch_type *type, struct finding *finding)
{
    return check_known(type->as.union_.mode, FLETCH_DENSE, FAULT_MODE_UNKNOWN, finding) &&
           (!type->as.union_.has_type_ids ||
            fletch_check_type_ids(&type->as.union_.type_ids, finding));
}

bool fletch_check_type(const fletch_type *type, struct finding *finding)
{
    switch (type->id) {
    case FLETCH_TYPE_NONE:
        return fletch_find_fault(finding, FAULT_TYPE_ABSENT, IN_FIELD + FIELD_TYPE, 0);
    case FLETCH_TYPE_DECIMAL: return check_decimal(type, finding);
    case FLETCH_TYPE_TIME: return check_time(type, finding);
    case FLETCH_TYPE_UNION: return check_union(type, finding);
    case FLETCH_TYPE_FIXED_SIZE_BINARY:
        return type->as.fixed_size_binary.byte_width >= 0 ||
               find_in_type(finding, FAULT_BYTE_WIDTH, 0, type->as.fixed_size_binary.byte_width);
    case FLETCH_TYPE_FIXED_SIZE_LIST:
        return type->as.fixed_size_list.list_size >= 0 ||
               find_in_type(finding, FAULT_LIST_SIZE, 0, type->as.fixed_size_list.list_size);
    default: return check_first(type, finding);
    }
}

bool fletch_check_dictionary(const fletch_dictionary *dictionary, struct finding *finding)
{
    return check_dictionary(dictionary->kind, dictionary->index_type.bit_width, finding);
}

/* A finding about the number of children; a vector has less than 2^31 elements. */
static bool find_children(struct finding *finding, enum reason reason, uint32_t count)
{
    return fletch_find_fault(finding, reason, IN_FIELD + FIELD_CHILDREN, (int32_t)count);
}

/* One type id per child, where they are not left to count themselves. */
static bool check_union_count(uint32_t type_ids, uint32_t count, struct finding *finding)
{
    if (count > 128) return find_children(finding, FAULT_UNION_WIDE, count);
    if (type_ids == NO_TYPE_IDS || type_ids == count) return true;
    find_in_type(finding, FAULT_TYPE_IDS_COUNT, UNION_TYPE_IDS, (int32_t)type_ids);
    return find_other(finding, (int32_t)count);
}

bool fletch_check_child_count(int32_t type_id, uint32_t type_ids, uint32_t count, bool is_strict,
                              struct finding *finding)
{
    const int32_t wanted = fletch_child_count(type_id);

    if (type_id == FLETCH_TYPE_UNION) return check_union_count(type_ids, count, finding);
    if (wanted < 0 || count == (uint32_t)wanted) return true;
    if (wanted == 0) return !is_strict || find_children(finding, FAULT_LEAF_CHILDREN, count);
    find_children(finding, FAULT_CHILD_COUNT, count);
    return find_other(finding, wanted);
}

static bool check_map_entries(const fletch_field *field, uint32_t child_count, bool is_strict,
                              struct finding *finding)
{
    if (field->type.id != FLETCH_TYPE_STRUCT)
        return fletch_find_fault(finding, FAULT_MAP_ENTRIES, IN_FIELD + FIELD_TYPE_TYPE,
                                 field->type.id);
    if (child_count != 2) return find_children(finding, FAULT_MAP_ENTRIES_COUNT, child_count);
    return !is_strict || !field->nullable ||
           fletch_find_fault(finding, FAULT_MAP_ENTRIES_NULLABLE, IN_FIELD + FIELD_NULLABLE, 1);
}

static bool check_run_ends(const fletch_field *field, bool is_strict, struct finding *finding)
{
    const fletch_int_type *type = &field->type.as.integer;

    if (field->type.id != FLETCH_TYPE_INT)
        return fletch_find_fault(finding, FAULT_RUN_ENDS_TYPE, IN_FIELD + FIELD_TYPE_TYPE,
                                 field->type.id);
    if (!type->is_signed) return find_in_type(finding, FAULT_RUN_ENDS_UNSIGNED, 1, 0);
    if (type->bit_width == 8)
        return find_in_type(finding, FAULT_RUN_ENDS_WIDTH, 0, type->bit_width);
    return !is_strict || !field->nullable ||
           fletch_find_fault(finding, FAULT_RUN_ENDS_NULLABLE, IN_FIELD + FIELD_NULLABLE, 1);
}

bool fletch_check_surroundings(const fletch_field *field, uint32_t child_count,
                               const struct surroundings *around, bool is_strict,
                               struct finding *finding)
{
    if (around->parent_type == FLETCH_TYPE_MAP)
        return check_map_entries(field, child_count, is_strict, finding);
    if (around->parent_type == FLETCH_TYPE_RUN_END_ENCODED && around->index == 0)
        return check_run_ends(field, is_strict, finding);
    if (is_strict && around->parent_type == FLETCH_TYPE_STRUCT && around->index == 0 &&
        around->grandparent_type == FLETCH_TYPE_MAP && field->nullable)
        return fletch_find_fault(finding, FAULT_MAP_KEY_NULLABLE, IN_FIELD + FIELD_NULLABLE, 1);
    return true;
}

bool fletch_check_field(const fletch_field *field, const struct surroundings *around,
                        bool is_strict, struct finding *finding)
{
    const uint32_t count = fletch_count_fields(&field->children);
    uint32_t type_ids = NO_TYPE_IDS;

    if (field->type.id == FLETCH_TYPE_UNION && field->type.as.union_.has_type_ids)
        type_ids = field->type.as.union_.type_ids.count;
    return fletch_check_type(&field->type, finding) &&
           fletch_check_child_count(field->type.id, type_ids, count, is_strict, finding) &&
           fletch_check_surroundings(field, count, around, is_strict, finding) &&
           (!field->has_dictionary || fletch_check_dictionary(&field->dictionary, finding));
}

const struct shape *fletch_finding_shape(const struct finding *finding, int32_t type_id)
{
    switch (finding->table) {
    case IN_TYPE: return &fletch_type_shapes[type_id];
    case IN_DICTIONARY: return &fletch_dictionary_shape;
    case IN_INDEX_TYPE: return &fletch_int_shape;
    default: return &fletch_field_shape;
    }
}

void fletch_describe(const struct finding *finding, int32_t type_id, uint32_t at,
                     struct fault *fault)
{
    const struct shape *shape = fletch_finding_shape(finding, type_id);
    /* A tag at fault is the type's, in words. */
    const uint32_t slot = shape == &fletch_field_shape && finding->slot == FIELD_TYPE_TYPE
                              ? FIELD_TYPE
                              : finding->slot;

    fletch_set_fault(fault, finding->reason, at, finding->value, finding->other);
    fletch_fault_inside(fault, shape->rows[slot].name, finding->element);
    if (finding->table == IN_TYPE) fletch_fault_inside(fault, "type", NO_INDEX);
    if (finding->table == IN_INDEX_TYPE) fletch_fault_inside(fault, "indexType", NO_INDEX);
    if (finding->table == IN_DICTIONARY || finding->table == IN_INDEX_TYPE)
        fletch_fault_inside(fault, "dictionary", NO_INDEX);
}
