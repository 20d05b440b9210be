/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every step that a reader can make in any SIZE bytes, from any place and in any state of a walk:
 * so also in what was never verified, or has changed since.
 */
#include "vtable.h"
#include "walk.h"

static uint8_t bytes[SIZE + 1];
static fletch_walk walk;

/* What was decoded can be stepped into. */
static void look_at(const fletch_field *field)
{
    //@ check field->children.buffer.bytes == &bytes[0];
    //@ check field->metadata.buffer.bytes == &bytes[0];
    //@ check field->children.buffer.size == SIZE;
    //@ check field->metadata.buffer.size == SIZE;
    fletch_count_fields(&field->children);
    fletch_count_metadata(&field->metadata);
}

static void step_fields(void)
{
    fletch_fields fields = any_fields(bytes);
    fletch_field field;
    fletch_status status;

    if (fletch_next_field(&fields, &field)) look_at(&field);
    status = fletch_field_at(&fields, any_bits(), &field);
    if (status == FLETCH_OK) look_at(&field);
}

static void step_metadata(void)
{
    fletch_metadata metadata = any_metadata(bytes);
    fletch_key_value pair;

    fletch_next_metadata(&metadata, &pair);
    fletch_walk_metadata(&walk, &metadata, &pair);
}

static void step_walk(void)
{
    fletch_field field;

    if (fletch_walk_next(&walk, &field)) {
        fletch_count_fields(&field.children);
        fletch_count_metadata(&field.metadata);
    }
    look_at_runs(&walk);
    //@ check walk.buffer.bytes == &bytes[0];
    //@ check walk.buffer.size == SIZE;
    fletch_walk_skip(&walk);
}

void prove(void)
{
    fill(bytes, SIZE);
    walk.buffer = buffer_of(bytes);
    any_state(&walk);
    step_walk();
    step_metadata();
    step_fields();
}
