/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before each source of prove_open.c:
 *  - Where the whole characters of a text end. prove_views.c shows that looking for it has no error
 *    between any two places of the bytes; here it is only looked whether they are that.
 *  - Whether a type has the children that it should. prove_rules.c takes the types one by one;
 *    here, where they are merged, a union has any number of type ids.
 */
#ifndef FLETCH_PROOF_OPEN_H
#define FLETCH_PROOF_OPEN_H

#include "forget.h"

#define utf8_end find_utf8_end
#include "utf8.h"
#undef utf8_end

#include "__fc_builtin.h"

static inline size_t utf8_end(const uint8_t *bytes, size_t at, size_t end)
{
    //@ check \valid_read(bytes + (0 .. SIZE - 1));
    //@ check end <= SIZE;
    (void)bytes;
    (void)at;
    return Frama_C_unsigned_long_interval(0, end);
}

#define check_child_count count_children_really
#include "rules.h"
#undef check_child_count

static inline bool check_child_count(const fletch_type *type, uint32_t count, bool is_strict,
                                     struct finding *finding)
{
    const uint32_t type_ids = Frama_C_unsigned_int_interval(0, UINT32_MAX);

    return fletch_check_child_count(type->id, type_ids, count, is_strict, finding);
}

#endif
