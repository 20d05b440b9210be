/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random schemas. A seed stands for one sequence of settings, fields and pairs; it can be built,
 * counted, or held against a schema that was read, and each time the same sequence is made anew,
 * so nothing is remembered of what was built.
 */
#ifndef FLETCH_TESTS_RANDOM_SCHEMA_H
#define FLETCH_TESTS_RANDOM_SCHEMA_H

#include "check.h"

/* Which schema. */
typedef struct random_plan {
    uint64_t seed;
    uint32_t fields; /* about so many at most, children counted too */
    bool is_loose;   /* level arrow: also what that level allows and strict does not */
} random_plan;

/* What FLETCH_BUILD_SPACE asks for. */
typedef struct random_counts {
    size_t fields, pairs, dictionaries, strings, text, type_ids, depth;
} random_counts;

/* Calls the builder for all of it, settings included, but does not finish. */
void build_random(fletch_builder *b, const random_plan *plan);

random_counts count_random(const random_plan *plan);

/* What FLETCH_BUILD_SPACE says for it, for any kind but files and base64. */
size_t space_for_random(const random_plan *plan);

/* The metadata version that the plan sets, and whether messages are framed the old way. */
int32_t random_version(const random_plan *plan);
bool random_is_legacy(const random_plan *plan);

/*
 * Holds a schema against the plan, member by member, the wrapper's pairs too; demands that all is
 * equal. What differs is printed with the seed.
 */
void expect_random(const fletch_schema *schema, const random_plan *plan);

/* Numbers from a state: 0 to bound - 1. */
uint32_t random_below(uint64_t *state, uint32_t bound);

#endif
