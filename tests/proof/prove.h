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

#include "walk.h"

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

static int any_int(void)
{
    return Frama_C_interval(INT32_MIN, INT32_MAX);
}

static bool any_bool(void)
{
    return Frama_C_interval(0, 1) != 0;
}

static void fill(void *bytes, size_t size)
{
    if (size != 0) Frama_C_make_unknown(bytes, size);
}

static fletch_buffer buffer_of(const uint8_t *bytes)
{
    fletch_buffer buffer;

    buffer.bytes = bytes;
    buffer.size = SIZE;
    return buffer;
}

/* Iterators over SIZE bytes, of anybody's making. */

static fletch_fields any_fields(const uint8_t *bytes)
{
    fletch_fields fields;

    fill(&fields, sizeof fields);
    fields.buffer = buffer_of(bytes);
    return fields;
}

static fletch_metadata any_metadata(const uint8_t *bytes)
{
    fletch_metadata metadata;

    fill(&metadata, sizeof metadata);
    metadata.buffer = buffer_of(bytes);
    return metadata;
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

/*
 * A walk over the same bytes in any state, so also in any that a walk can come to: all memory is
 * defined, and no more runs are open than there are places.
 */
static void any_state(fletch_walk *walk)
{
    const fletch_buffer buffer = walk->buffer;

    fill(walk, sizeof *walk);
    walk->buffer = buffer;
    walk->open_runs = Frama_C_unsigned_int_interval(0, FLETCH_MAX_DEPTH);
}

/* What one driver leaves out of another's work, it looks whether it gets what it needs. */

static void look_at_text(const char *text)
{
    volatile char character = *text;

    (void)character;
}

static void look_at_fault(const struct fault *fault)
{
    volatile uint64_t number = (uint64_t)fault->value + (uint64_t)fault->other + fault->at;
    uint32_t i;

    //@ check fault->reason <= FAULT_DIFFERENT;
    //@ check fault->step_count <= FAULT_MAX_STEPS;
    for (i = 0; i < FAULT_MAX_STEPS; i++) {
        look_at_text(fault->names[i]);
        number += fault->indices[i];
    }
}

static void look_at_runs(const fletch_walk *walk)
{
    //@ check walk->open_runs <= FLETCH_MAX_DEPTH;
    (void)walk;
}

static void any_error(fletch_error *error)
{
    fill(error, sizeof *error);
}

#endif
