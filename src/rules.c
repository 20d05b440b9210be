/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrow's rules. Nothing here touches the buffer but through the model's views.
 */
#include "rules.h"

bool fletch_find_fault(struct finding *finding, enum reason reason, enum finding_table table,
                       uint32_t slot, int64_t value, int64_t other)
{
    finding->reason = reason;
    finding->table = table;
    finding->slot = slot;
    finding->element = NO_INDEX;
    finding->value = value;
    finding->other = other;
    //@ split finding->slot;
    //@ split finding->table;
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
        const bool in_range = id >= 0 && id <= 127;
        const uint32_t bit = in_range ? 1u << (id & 31) : 0;

        if (in_range && (seen[id >> 5] & bit) == 0) {
            seen[id >> 5] |= bit;
            continue;
        }
        find_in_type(finding, in_range ? FAULT_TYPE_ID_TWICE : FAULT_TYPE_ID_RANGE, UNION_TYPE_IDS,
                     id, 0);
        finding->element = i;
        return false;
    }
    return true;
}

bool fletch_check_type(const fletch_type *type, struct finding *finding)
{
    return check_type(type, finding);
}

bool fletch_check_dictionary(const fletch_dictionary *dictionary, struct finding *finding)
{
    return check_dictionary(dictionary->kind, dictionary->index_type.bit_width, finding);
}

const int8_t fletch_child_counts[TYPE_COUNT] = {
    [FLETCH_TYPE_STRUCT] = -1,
    [FLETCH_TYPE_UNION] = -1,
    [FLETCH_TYPE_RUN_END_ENCODED] = 2,
    [FLETCH_TYPE_LIST] = 1,
    [FLETCH_TYPE_LARGE_LIST] = 1,
    [FLETCH_TYPE_LIST_VIEW] = 1,
    [FLETCH_TYPE_LARGE_LIST_VIEW] = 1,
    [FLETCH_TYPE_FIXED_SIZE_LIST] = 1,
    [FLETCH_TYPE_MAP] = 1,
};

/* One type id per child, where they are not left to count themselves. */
static bool check_union_count(uint32_t type_ids, uint32_t count, struct finding *finding)
{
    if (count > 128)
        return fletch_find_fault(finding, FAULT_UNION_WIDE, IN_FIELD, FIELD_CHILDREN, count, 0);
    return type_ids == NO_TYPE_IDS || type_ids == count ||
           find_in_type(finding, FAULT_TYPE_IDS_COUNT, UNION_TYPE_IDS, type_ids, count);
}

bool fletch_check_child_count(int32_t type_id, uint32_t type_ids, uint32_t count, bool is_strict,
                              struct finding *finding)
{
    const int32_t wanted = fletch_child_count(type_id);

    if (type_id == FLETCH_TYPE_UNION) return check_union_count(type_ids, count, finding);
    if (wanted < 0 || count == (uint32_t)wanted) return true;
    if (wanted > 0)
        return fletch_find_fault(finding, FAULT_CHILD_COUNT, IN_FIELD, FIELD_CHILDREN, count,
                                 wanted);
    return !is_strict ||
           fletch_find_fault(finding, FAULT_LEAF_CHILDREN, IN_FIELD, FIELD_CHILDREN, count, 0);
}

static bool check_map_entries(const fletch_field *field, uint32_t child_count, bool is_strict,
                              struct finding *finding)
{
    if (field->type.id != FLETCH_TYPE_STRUCT)
        return fletch_find_fault(finding, FAULT_MAP_ENTRIES, IN_FIELD, FIELD_TYPE_TYPE,
                                 field->type.id, 0);
    if (child_count != 2)
        return fletch_find_fault(finding, FAULT_MAP_ENTRIES_COUNT, IN_FIELD, FIELD_CHILDREN,
                                 child_count, 2);
    return !is_strict || !field->nullable ||
           fletch_find_fault(finding, FAULT_MAP_ENTRIES_NULLABLE, IN_FIELD, FIELD_NULLABLE, 1, 0);
}

static bool check_run_ends(const fletch_field *field, bool is_strict, struct finding *finding)
{
    const fletch_int_type *type = &field->type.as.integer;

    if (field->type.id != FLETCH_TYPE_INT)
        return fletch_find_fault(finding, FAULT_RUN_ENDS_TYPE, IN_FIELD, FIELD_TYPE_TYPE,
                                 field->type.id, 0);
    if (!type->is_signed) return find_in_type(finding, FAULT_RUN_ENDS_UNSIGNED, 1, 0, 0);
    if (type->bit_width == 8)
        return find_in_type(finding, FAULT_RUN_ENDS_WIDTH, 0, type->bit_width, 0);
    return !is_strict || !field->nullable ||
           fletch_find_fault(finding, FAULT_RUN_ENDS_NULLABLE, IN_FIELD, FIELD_NULLABLE, 1, 0);
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
        return fletch_find_fault(finding, FAULT_MAP_KEY_NULLABLE, IN_FIELD, FIELD_NULLABLE, 1, 0);
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
           (!field->has_dictionary || fletch_check_dictionary(&field->dictionary, finding)) &&
           fletch_check_child_count(field->type.id, type_ids, count, is_strict, finding) &&
           fletch_check_surroundings(field, count, around, is_strict, finding);
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
