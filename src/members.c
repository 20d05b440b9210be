/* SPDX-License-Identifier: Apache-2.0 */
/* Members by their rows: values, budgets, and what the options leave out. */
#include "members.h"

const fletch_compare_options fletch_compare_defaults = {{0, 0, 0}, false, false, false, false,
                                                        false,     false, NULL,  0};

int64_t fletch_scalar_of(const void *members, const struct row *row)
{
    const void *member = (const char *)members + row->member;

    switch (row->kind) {
    case ROW_BOOL: return *(const bool *)member;
    case ROW_I64: return *(const int64_t *)member;
    default: return *(const int32_t *)member;
    }
}

struct numbers fletch_numbers_of(const void *members, const struct row *row, uint32_t child_count)
{
    const void *member = (const char *)members + row->member;
    const void *flag = (const char *)members + row->flag;
    struct numbers numbers;

    numbers.integers = member;
    numbers.is_implied = !*(const bool *)flag;
    numbers.count = numbers.is_implied ? child_count : numbers.integers->count;
    return numbers;
}

int64_t fletch_number_at(const struct numbers *numbers, uint32_t i)
{
    return numbers->is_implied ? i : fletch_integer_at(numbers->integers, i);
}

bool fletch_take_numbers(fletch_walk *walk, const struct numbers *numbers, struct fault *fault)
{
    const fletch_integers *integers = numbers->integers;

    if (numbers->is_implied || numbers->count == 0) return true;
    return fletch_take_text(walk, (uint64_t)numbers->count * integers->width, integers->at, fault);
}

bool fletch_take_string(fletch_walk *walk, fletch_string string, struct fault *fault)
{
    if (string.size == 0) return true;
    return fletch_take_text(walk, string.size,
                            (uint32_t)((const uint8_t *)string.data - walk->buffer.bytes), fault);
}

bool fletch_is_ignored(const fletch_compare_options *options, const struct shape *shape,
                       uint32_t slot, bool has_free_name)
{
    if (shape == &fletch_field_shape)
        return slot == FIELD_NAME && has_free_name && options->ignore_child_names;
    if (shape == &fletch_dictionary_shape)
        return slot == DICTIONARY_ID && options->ignore_dictionary_ids;
    if (shape == &fletch_schema_shape)
        return (slot == SCHEMA_ENDIANNESS && options->ignore_endianness) ||
               (slot == SCHEMA_FEATURES && options->ignore_features);
    return false;
}

bool fletch_has_free_name(const fletch_walk *walk)
{
    switch (fletch_walk_parent(walk)) {
    case FLETCH_TYPE_LIST:
    case FLETCH_TYPE_LARGE_LIST:
    case FLETCH_TYPE_LIST_VIEW:
    case FLETCH_TYPE_LARGE_LIST_VIEW:
    case FLETCH_TYPE_FIXED_SIZE_LIST:
    case FLETCH_TYPE_MAP:
    case FLETCH_TYPE_RUN_END_ENCODED: return true;
    case FLETCH_TYPE_STRUCT: return fletch_walk_grandparent(walk) == FLETCH_TYPE_MAP;
    default: return false;
    }
}
