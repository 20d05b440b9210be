/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before each source of the drivers that compare strings: reading a string gives any view of at
 * most SIZE bytes, or a fault. prove_views.c shows for every place of a string that its view is
 * readable as a whole; here the view stands apart from the bytes, so that its pointer and size are
 * right without each other.
 */
#ifndef FLETCH_PROOF_VIEWS_H
#define FLETCH_PROOF_VIEWS_H

#define read_string read_this_string
#include "forget.h"
#undef read_string

#include "__fc_builtin.h"

extern char view[SIZE + 1];

static inline bool read_string(fletch_buffer buffer, uint32_t at, fletch_string *string,
                               struct fault *fault)
{
    string->data = view;
    string->size = Frama_C_unsigned_long_interval(0, SIZE);
    if (Frama_C_interval(0, 1) != 0) return true;
    return fail(fault, FAULT_STRING_OUTSIDE, at, Frama_C_interval(INT32_MIN, INT32_MAX),
                buffer.size);
}

#endif
