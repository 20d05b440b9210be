/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the drivers share. An analysis covers every input of SIZE bytes at once: the bytes are
 * unknown, and so is whatever else comes from the caller. Nothing here, and nothing in the library,
 * tells the analyser what it is to prove: there are hints how to cut the work into cases (split,
 * unroll, widen), which it checks or which cannot matter, and no assert, requires or assumes.
 */
#ifndef FLETCH_PROOF_PROVE_H
#define FLETCH_PROOF_PROVE_H

#include "__fc_builtin.h"

#include "fletch/fletch.h"

/* Thresholds at which growing intervals stop first: the depth of a walk, the steps of a path. */
#define WIDEN_HINTS                                                                                \
    global:                                                                                        \
    "all", 5, 128

static unsigned any_bits(void)
{
    return Frama_C_unsigned_int_interval(0, UINT32_MAX);
}

static uint64_t any_number(void)
{
    return Frama_C_unsigned_long_interval(0, UINT64_MAX);
}

static bool any_bool(void)
{
    return Frama_C_interval(0, 1) != 0;
}

static void fill(void *bytes, size_t size)
{
    if (size != 0) Frama_C_make_unknown(bytes, size);
}

/* Unknown limits; each may be the default, 0. */
static fletch_limits any_limits(void)
{
    fletch_limits limits;

    limits.depth = any_bits();
    limits.tables = any_number();
    limits.text = any_number();
    return limits;
}

#endif
