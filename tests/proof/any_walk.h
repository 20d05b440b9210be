/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For drivers that go through whole schemas: walk.c, but for two calls.
 *  - A walk does not begin where the library begins it but in any state, which holds that one;
 *    prove_state.c shows what a state is.
 *  - The words of a fault (prove_error.c): here it is only looked whether the fault is whole.
 */
#ifndef FLETCH_PROOF_ANY_WALK_H
#define FLETCH_PROOF_ANY_WALK_H

#include "prove.h"

#define fletch_walk_over  begin_walk_over
#define fletch_walk_begin begin_walk
#define fletch_tell       tell_in_words
#include "walk.c"
#undef fletch_walk_over
#undef fletch_walk_begin
#undef fletch_tell

void fletch_walk_over(fletch_walk *walk, const fletch_fields *fields, uint32_t parent,
                      int32_t parent_type, const fletch_limits *limits)
{
    begin_walk_over(walk, fields, parent, parent_type, limits);
    any_state(walk);
}

void fletch_walk_begin(fletch_walk *walk, const fletch_schema *schema, const fletch_limits *limits)
{
    begin_walk(walk, schema, limits);
    any_state(walk);
}

void fletch_tell(fletch_error *error, const struct fault *fault, uint64_t origin,
                 const char *prefix, const fletch_walk *walk)
{
    if (error == NULL) return;
    look_at_fault(fault);
    any_error(error);
    look_at_text(prefix);
    if (walk != NULL) look_at_runs(walk);
    (void)origin;
}

#endif
