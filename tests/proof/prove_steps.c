/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every step and look that a reader can make in any SIZE bytes, from any place: so also in what
 * was never verified, or has changed since.
 */
#include "prove.h"

static uint8_t bytes[SIZE + 1];

static fletch_buffer any_buffer(void)
{
    fletch_buffer buffer;

    buffer.bytes = bytes;
    buffer.size = SIZE;
    return buffer;
}

static fletch_fields any_fields(void)
{
    fletch_fields fields = {0};

    fields.buffer = any_buffer();
    fields.position = any_bits();
    fields.end = any_bits();
    fields.vtable.position = 1; /* as fletch sets it: none is remembered */
    fields.vtable.table_size = UINT32_MAX;
    return fields;
}

static fletch_metadata any_metadata(void)
{
    fletch_metadata metadata = {0};

    metadata.buffer = any_buffer();
    metadata.position = any_bits();
    metadata.end = any_bits();
    return metadata;
}

static void look_at(const fletch_field *field)
{
    fletch_count_fields(&field->children);
    fletch_count_metadata(&field->metadata);
}

static void step_field(fletch_fields *fields)
{
    fletch_field field;

    if (fletch_next_field(fields, &field)) look_at(&field);
}

static void field_at(const fletch_fields *fields)
{
    fletch_field field;

    fletch_field_at(fields, any_bits(), &field);
}

static void step_metadata(fletch_metadata *metadata)
{
    fletch_key_value pair;

    fletch_next_metadata(metadata, &pair);
}

static void count_buffers(void)
{
    fletch_field field;

    fill(&field, sizeof field);
    field.has_dictionary = any_bool();
    fletch_count_buffers(&field, Frama_C_interval(INT32_MIN, INT32_MAX));
}

static void step_walk(fletch_walk *walk)
{
    fletch_field field;

    if (fletch_walk_next(walk, &field)) look_at(&field);
    if (any_bool()) fletch_walk_skip(walk);
}

void prove(void)
{
    static fletch_schema schema;
    fletch_walk walk;
    const fletch_limits limits = any_limits();
    fletch_fields fields;
    fletch_metadata metadata;

    /*@ widen_hints global:"all", 5, 128; */
    fill(bytes, SIZE);
    fields = any_fields();
    metadata = any_metadata();
    schema.buffer = any_buffer();
    schema.fields = fields;
    schema.at = any_bits();
    count_buffers();
    field_at(&fields);
    while (any_bool())
        step_field(&fields);
    while (any_bool())
        step_metadata(&metadata);
    fletch_walk_begin(&walk, &schema, any_bool() ? &limits : NULL);
    while (any_bool())
        step_walk(&walk);
}
