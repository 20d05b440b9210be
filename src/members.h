/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table's members by their rows, as comparison and hash both see them: so that schemas which are
 * equal have equal hashes.
 */
#ifndef FLETCH_SRC_MEMBERS_H
#define FLETCH_SRC_MEMBERS_H

#include "fletch/compare.h"
#include "walk.h"

/* Whether a row is of a scalar, whose value fletch_scalar_of gives. */
static inline bool is_scalar(const struct row *row)
{
    return row->kind < ROW_STRING;
}

/* The value of a scalar member of the struct that the row is about. */
int64_t fletch_scalar_of(const void *members, const struct row *row);

/* The elements of an integer vector: as they stand, or those that absent typeIds stand for. */
struct numbers {
    const fletch_integers *integers;
    uint32_t count;
    bool is_implied; /* element i is i */
};

/* `child_count`: of a union's field; else 0. */
struct numbers fletch_numbers_of(const void *members, const struct row *row, uint32_t child_count);
int64_t fletch_number_at(const struct numbers *numbers, uint32_t i);

/* Takes the text budget for all elements that reading takes. */
bool fletch_take_numbers(fletch_walk *walk, const struct numbers *numbers, struct fault *fault);

/* Takes the text budget for a string of the walk's buffer. */
bool fletch_take_string(fletch_walk *walk, fletch_string string, struct fault *fault);

/* Whether the options leave a member out; `has_free_name`: see below. */
bool fletch_is_ignored(const fletch_compare_options *options, const struct shape *shape,
                       uint32_t slot, bool has_free_name);

/* Whether the format leaves the name of the field that the walk stands at free. */
bool fletch_has_free_name(const fletch_walk *walk);

/* Hash of a pair alone. */
uint64_t fletch_hash_pair(const fletch_key_value *pair);

/* What is asked of nothing in particular. */
extern const fletch_compare_options fletch_compare_defaults;

#endif
