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
    enum finding_table { IN_FIELD, IN_TYPE, IN_DICTIONARY, IN_INDEX_TYPE } table;
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
extern const int8_t fletch_child_counts[TYPE_COUNT];

static inline int32_t fletch_child_count(int32_t type)
{
    return type >= 0 && type < TYPE_COUNT ? fletch_child_counts[type] : 0;
}

#endif
