/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checking dictionaries with memory of any size up to SIZE, for a schema of any SIZE bytes. The
 * walk gives any field and is in any state then, or says that it ended or failed (prove_steps.c),
 * and comparing two types gives any answer (prove_types.c).
 */
#define fletch_walk_next  take_next_of_walk
#define fletch_walk_again take_again
#include "any_walk.h"
#undef fletch_walk_next
#undef fletch_walk_again

#define fletch_same_type compare_types
#include "same.c"
#undef fletch_same_type

static uint8_t bytes[SIZE + 1];
static uint8_t memory[SIZE + 1];

bool fletch_walk_next(fletch_walk *walk, fletch_field *field)
{
    any_state(walk);
    fill(field, sizeof *field);
    field->has_dictionary = any_bool();
    field->children.buffer = field->metadata.buffer = walk->buffer;
    return any_bool();
}

bool fletch_walk_again(fletch_walk *walk, uint32_t at, fletch_field *field, struct fault *fault)
{
    (void)at;
    fletch_walk_next(walk, field);
    if (any_bool()) return true;
    return fail(fault, FAULT_CHANGED, any_bits(), any_int(), any_int());
}

bool fletch_same_type(const fletch_type *a, const fletch_type *b, uint32_t child_count,
                      uint32_t *slot)
{
    (void)a;
    (void)b;
    (void)child_count;
    *slot = any_bits();
    return any_bool();
}

void prove(void)
{
    const fletch_limits limits = any_limits();
    fletch_schema schema;
    fletch_error error;

    /*@ widen_hints global:"all", 5, 128; */
    fill(bytes, SIZE);
    fill(memory, SIZE);
    fill(&schema, sizeof schema);
    schema.wrapper.root = (fletch_kind)Frama_C_interval(FLETCH_SCHEMA, FLETCH_FOOTER);
    schema.buffer.bytes = bytes;
    schema.buffer.size = SIZE;
    schema.fields.buffer = schema.buffer;
    fletch_check_dictionaries(&schema, memory, Frama_C_unsigned_long_interval(0, SIZE),
                              any_bool() ? &limits : NULL, any_bool() ? &error : NULL);
}
