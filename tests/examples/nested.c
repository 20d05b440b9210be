/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nested types, into a buffer on the stack: fletch_begin_field opens a field, what follows are its
 * children, and fletch_end_field closes it. No status is looked at on the way, since the first
 * error stands and fletch_finish reports it.
 */
#include <fletch/fletch.h>
#include <string.h>

/* A struct of two numbers. */
static void add_point(fletch_builder *builder, const char *name)
{
    fletch_begin_field(builder, name, fletch_struct(), FLETCH_NULLABLE);
    fletch_add_field(builder, "x", fletch_floating_point(FLETCH_DOUBLE), 0);
    fletch_add_field(builder, "y", fletch_floating_point(FLETCH_DOUBLE), 0);
    fletch_end_field(builder);
}

/* A map's one child is a struct of a key, which cannot be null, and a value. */
static void add_labels(fletch_builder *builder)
{
    fletch_begin_field(builder, "labels", fletch_map(false), FLETCH_NULLABLE);
    fletch_begin_field(builder, "entries", fletch_struct(), 0);
    fletch_add_field(builder, "key", fletch_utf8(), 0);
    fletch_add_field(builder, "value", fletch_utf8(), FLETCH_NULLABLE);
    fletch_end_field(builder);
    fletch_end_field(builder);
}

/* Copies the schema of a table of routes to `to`; gives its size, or 0 with the error. */
size_t make_routes(void *to, size_t space, fletch_error *error)
{
    unsigned char memory[4096];
    const fletch_int_type index = {8, true};
    fletch_builder builder;
    const void *bytes;
    size_t size;

    fletch_builder_init(&builder, memory, sizeof memory);
    fletch_begin_field(&builder, "route", fletch_list(), 0);
    add_point(&builder, "item");
    fletch_end_field(&builder);
    add_labels(&builder);
    /* Text by dictionary: the values are utf8, a column holds 8-bit indices. */
    fletch_begin_field(&builder, "vehicle", fletch_utf8(), FLETCH_NULLABLE);
    fletch_set_dictionary(&builder, 0, index, false);
    fletch_end_field(&builder);
    if (fletch_finish(&builder, FLETCH_STREAM, &bytes, &size, error) != FLETCH_OK) return 0;
    if (size > space) return 0;
    memcpy(to, bytes, size);
    return size;
}
