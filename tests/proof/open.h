/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before each source of prove_open.c:
 *  - Where the whole characters of a text end. prove_views.c shows that looking for it has no error
 *    between any two places of the bytes; here it is only looked whether they are that.
 *  - Arrow's rules for a field as level arrow has them (prove_rules.c): they say yes, or no to a
 *    type.
 */
#ifndef FLETCH_PROOF_OPEN_H
#define FLETCH_PROOF_OPEN_H

#include "forget.h"

#define utf8_end find_utf8_end
#include "utf8.h"
#undef utf8_end

#define check_rules check_all_of_level_arrow
#include "verify.h"
#undef check_rules

#include "__fc_builtin.h"

static inline size_t utf8_end(const uint8_t *bytes, size_t at, size_t end)
{
    //@ check \valid_read(bytes + (0 .. SIZE - 1));
    //@ check end <= SIZE;
    (void)bytes;
    (void)at;
    return Frama_C_unsigned_long_interval(0, end);
}

/* Says yes, or no to a type; also for level strict (prove_open.c). */
static inline bool check_rules(const fletch_walk *walk, const fletch_field *field,
                               bool is_type_good, bool is_strict, struct finding *finding)
{
    (void)walk;
    (void)field;
    (void)is_type_good;
    (void)is_strict;
    if (Frama_C_interval(0, 1) != 0) return true;
    finding->reason = FAULT_TYPE_UNKNOWN;
    finding->table = IN_FIELD;
    finding->slot = FIELD_TYPE_TYPE;
    finding->element = NO_INDEX;
    finding->value = Frama_C_interval(INT32_MIN, INT32_MAX);
    finding->other = Frama_C_interval(INT32_MIN, INT32_MAX);
    return false;
}

#endif
