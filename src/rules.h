/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrow's rules for a field, over the model's structs: the same for what was read and for what is
 * being built.
 */
#ifndef FLETCH_SRC_RULES_H
#define FLETCH_SRC_RULES_H

#include "tables.h"

/* Which rule is broken, and by which member of which of the field's tables. */
struct finding {
    enum reason reason;
    enum finding_table { IN_FIELD = 0, IN_TYPE = 8, IN_DICTIONARY = 16, IN_INDEX_TYPE = 24 } table;
    uint32_t slot;
    uint32_t element; /* of the member's vector, or NO_INDEX */
    int64_t value, other;
};

/* What a field stands under. */
struct surroundings {
    int32_t parent_type, grandparent_type; /* FLETCH_TYPE_NONE: there is none */
    uint32_t index;                        /* among its siblings */
};

/* For fletch_check_child_count: a union that leaves its type ids to count themselves. */
#define NO_TYPE_IDS UINT32_MAX

/* Sets the finding, of no element and no other value; false. `where` is a table and a slot, added:
 * few arguments are little code, and the rules call this often. */
COLD bool fletch_find_fault(struct finding *finding, enum reason reason, uint32_t where,
                            int32_t value);

/* Adds the other value to a finding; false. */
static inline bool find_other(struct finding *finding, int32_t other)
{
    finding->other = other;
    return false;
}

/* Type ids of a union: each 0 to 127, none twice. */
bool fletch_check_type_ids(const fletch_integers *ids, struct finding *finding);

FORCE_INLINE bool find_in_type(struct finding *finding, enum reason reason, uint32_t slot,
                               int32_t value)
{
    return fletch_find_fault(finding, reason, IN_TYPE + slot, value);
}

/*
 * The rules of a type that one look can tell. What its first member may be, where that is one of a
 * few values: bit i of `values` allows first + i. A type without rules allows 0, which stands for
 * the first member that it does not have. Of one with more rules than that, what is allowed here is
 * good if no bit width stands beside it; anything else is looked at whole.
 */
struct type_rules {
    uint64_t values;
    uint32_t first;
    uint16_t
        reason; /* enum reason: what another value is; FAULT_NONE where there is no such rule */
    int8_t children; /* how many it has, -1: any number */
};
extern const struct type_rules fletch_type_rules[TYPE_COUNT];

FORCE_INLINE bool allows(const struct type_rules *rules, uint32_t value)
{
    const uint32_t place = value - rules->first;

    return place < 64 && (rules->values >> place & 1) != 0;
}

FORCE_INLINE bool allows_children(const struct type_rules *rules, uint32_t count)
{
    return rules->children < 0 || (uint32_t)rules->children == count;
}

FORCE_INLINE bool is_integer_width(int32_t width)
{
    return allows(&fletch_type_rules[FLETCH_TYPE_INT], (uint32_t)width);
}

/* A dictionary, by its kind and the width of its index type. */
FORCE_INLINE bool check_dictionary(int32_t kind, int32_t width, struct finding *finding)
{
    if (kind != FLETCH_DENSE_ARRAY)
        return fletch_find_fault(finding, FAULT_KIND_UNKNOWN, IN_DICTIONARY + DICTIONARY_KIND,
                                 kind);
    if (!is_integer_width(width))
        return fletch_find_fault(finding, FAULT_INT_WIDTH, IN_INDEX_TYPE + 0, width);
    return true;
}

/* Each returns true, or false with the finding. */
bool fletch_check_type(const fletch_type *type, struct finding *finding);
bool fletch_check_dictionary(const fletch_dictionary *dictionary, struct finding *finding);
bool fletch_check_child_count(int32_t type_id, uint32_t type_ids, uint32_t count, bool is_strict,
                              struct finding *finding);
bool fletch_check_surroundings(const fletch_field *field, uint32_t child_count,
                               const struct surroundings *around, bool is_strict,
                               struct finding *finding);

/* All of them, in the order in which faults are told. */
bool fletch_check_field(const fletch_field *field, const struct surroundings *around,
                        bool is_strict, struct finding *finding);

/* Makes a fault of a finding about a field's tables: reason, values and the path inside it. */
void fletch_describe(const struct finding *finding, int32_t type_id, uint32_t at,
                     struct fault *fault);

/* The shape of the table that a finding is about. */
const struct shape *fletch_finding_shape(const struct finding *finding, int32_t type_id);

/* How many children a type has; -1: any number. A type that is not known has none. */
static inline int32_t fletch_child_count(int32_t type)
{
    return type >= 0 && type < TYPE_COUNT ? fletch_type_rules[type].children : 0;
}

/* The same for a type at hand, faster where it says how many children there are. */
FORCE_INLINE bool check_child_count(const fletch_type *type, uint32_t count, bool is_strict,
                                    struct finding *finding)
{
    uint32_t type_ids = NO_TYPE_IDS;

    if ((int64_t)count == fletch_child_count(type->id)) return true;
    if (type->id == FLETCH_TYPE_UNION && type->as.union_.has_type_ids)
        type_ids = type->as.union_.type_ids.count;
    return fletch_check_child_count(type->id, type_ids, count, is_strict, finding);
}

#endif
