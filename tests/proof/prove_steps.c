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

/* What the library's own visitors go by: a fault is whole when there is one. */
static void step_inside(void)
{
    fletch_metadata metadata = any_metadata(bytes);
    fletch_key_value pair;
    fletch_field field;
    struct fault fault;
    const walk_event event = fletch_walk_step(&walk, &field, &fault);

    //@ split event;
    if (event == WALK_FAULT) look_at_fault(&fault);
    if (event == WALK_FIELD) {
        look_at(&field);
        //@ check 0 <= field.type.id <= 255;
    }
    look_at_runs(&walk);
    fletch_set_fault(&fault, FAULT_NONE, 0, 0, 0); /* whole before; the end of pairs is no fault */
    if (!fletch_walk_pair(&walk, &metadata, &pair, &fault) && fault.reason != FAULT_NONE)
        look_at_fault(&fault);
    //@ check walk.buffer.bytes == &bytes[0];
    //@ check walk.buffer.size == SIZE;
    //@ check metadata.buffer.bytes == &bytes[0];
    //@ check metadata.buffer.size == SIZE;
}

void prove(void)
{
    fill(bytes, SIZE);
    walk.buffer = buffer_of(bytes);
    any_state(&walk);
    step_walk();
    step_inside();
    step_metadata();
    step_fields();
}
