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

/* Sets the finding, of no element; false. */
COLD bool fletch_find_fault(struct finding *finding, enum reason reason, enum finding_table table,
                            uint32_t slot, int64_t value, int64_t other);

/* Type ids of a union: each 0 to 127, none twice. */
bool fletch_check_type_ids(const fletch_integers *ids, struct finding *finding);

/* The rules of a type and of a dictionary, for where a whole schema is run over. */

FORCE_INLINE bool find_in_type(struct finding *finding, enum reason reason, uint32_t slot,
                               int64_t value, int64_t other)
{
    return fletch_find_fault(finding, reason, IN_TYPE, slot, value, other);
}

FORCE_INLINE bool is_integer_width(int32_t width)
{
    return width == 8 || width == 16 || width == 32 || width == 64;
}

FORCE_INLINE bool check_known(int32_t value, int32_t last, enum reason reason,
                              struct finding *finding)
{
    return (value >= 0 && value <= last) || find_in_type(finding, reason, 0, value, 0);
}

FORCE_INLINE bool check_decimal(const fletch_type *type, struct finding *finding)
{
    const int32_t width = type->as.decimal.bit_width;
    const int32_t precision = type->as.decimal.precision;
    const int32_t most = width == 32 ? 9 : width == 64 ? 18 : width == 128 ? 38 : 76;

    if (width != 32 && width != 64 && width != 128 && width != 256)
        return find_in_type(finding, FAULT_DECIMAL_WIDTH, 2, width, 0);
    if (precision < 1 || precision > most)
        return find_in_type(finding, FAULT_DECIMAL_PRECISION, 0, precision, most);
    return true;
}

FORCE_INLINE bool check_time(const fletch_type *type, struct finding *finding)
{
    const int32_t unit = type->as.time.unit;
    const int32_t width = type->as.time.bit_width;

    if (!check_known(unit, FLETCH_NANOSECOND, FAULT_UNIT_UNKNOWN, finding)) return false;
    if (width != (unit <= FLETCH_MILLISECOND ? 32 : 64))
        return find_in_type(finding, FAULT_TIME_WIDTH, 1, width, unit);
    return true;
}

FORCE_INLINE bool check_union(const fletch_type *type, struct finding *finding)
{
    const fletch_integers ids = type->as.union_.type_ids; /* so that `type` stays in registers */

    return check_known(type->as.union_.mode, FLETCH_DENSE, FAULT_MODE_UNKNOWN, finding) &&
           (!type->as.union_.has_type_ids || fletch_check_type_ids(&ids, finding));
}

FORCE_INLINE bool check_type(const fletch_type *type, struct finding *finding)
{
    switch (type->id) {
    case FLETCH_TYPE_NONE:
        return fletch_find_fault(finding, FAULT_TYPE_ABSENT, IN_FIELD, FIELD_TYPE, 0, 0);
    case FLETCH_TYPE_INT:
        return is_integer_width(type->as.integer.bit_width) ||
               find_in_type(finding, FAULT_INT_WIDTH, 0, type->as.integer.bit_width, 0);
    case FLETCH_TYPE_FLOATING_POINT:
        return check_known(type->as.floating_point.precision, FLETCH_DOUBLE,
                           FAULT_PRECISION_UNKNOWN, finding);
    case FLETCH_TYPE_DECIMAL: return check_decimal(type, finding);
    case FLETCH_TYPE_DATE:
        return check_known(type->as.date.unit, FLETCH_DATE_MILLISECOND, FAULT_UNIT_UNKNOWN,
                           finding);
    case FLETCH_TYPE_TIME: return check_time(type, finding);
    case FLETCH_TYPE_TIMESTAMP:
        return check_known(type->as.timestamp.unit, FLETCH_NANOSECOND, FAULT_UNIT_UNKNOWN, finding);
    case FLETCH_TYPE_INTERVAL:
        return check_known(type->as.interval.unit, FLETCH_MONTH_DAY_NANO, FAULT_UNIT_UNKNOWN,
                           finding);
    case FLETCH_TYPE_DURATION:
        return check_known(type->as.duration.unit, FLETCH_NANOSECOND, FAULT_UNIT_UNKNOWN, finding);
    case FLETCH_TYPE_UNION: return check_union(type, finding);
    case FLETCH_TYPE_FIXED_SIZE_BINARY:
        return type->as.fixed_size_binary.byte_width >= 0 ||
               find_in_type(finding, FAULT_BYTE_WIDTH, 0, type->as.fixed_size_binary.byte_width, 0);
    case FLETCH_TYPE_FIXED_SIZE_LIST:
        return type->as.fixed_size_list.list_size >= 0 ||
               find_in_type(finding, FAULT_LIST_SIZE, 0, type->as.fixed_size_list.list_size, 0);
    default:
        return (type->id >= 0 && type->id < TYPE_COUNT) ||
               fletch_find_fault(finding, FAULT_TYPE_UNKNOWN, IN_FIELD, FIELD_TYPE_TYPE, type->id,
                                 0);
    }
}

/* A dictionary, by its kind and the width of its index type. */
FORCE_INLINE bool check_dictionary(int32_t kind, int32_t width, struct finding *finding)
{
    if (kind != FLETCH_DENSE_ARRAY)
        return fletch_find_fault(finding, FAULT_KIND_UNKNOWN, IN_DICTIONARY, DICTIONARY_KIND, kind,
                                 0);
    if (!is_integer_width(width))
        return fletch_find_fault(finding, FAULT_INT_WIDTH, IN_INDEX_TYPE, 0, width, 0);
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
extern const int8_t fletch_child_counts[TYPE_COUNT];

static inline int32_t fletch_child_count(int32_t type)
{
    return type >= 0 && type < TYPE_COUNT ? fletch_child_counts[type] : 0;
}

/* The same, faster where the type says how many children there are. */
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
