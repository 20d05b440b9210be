/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before each source of prove_open.c: where the whole characters of a text end. prove_views.c shows
 * that looking for it has no error between any two places of the bytes; here it is only looked
 * whether they are that.
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

#endif
