/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sensor that tells what it will send, on a machine without a heap, files or an operating system:
 * all memory is set aside when the program is linked. tests/microcontroller.sh runs this on an
 * emulated Cortex-M3.
 */
#include <fletch/fletch.h>

/* The schema as a line of text, for a serial line; NULL if it did not work out. */
const char *announce(size_t *size)
{
    /* Memory that is certain to do: for 3 fields, and 4 strings (their names, and a time zone) of
     * 4 + 11 + 8 + 3 bytes in all. As base64 it takes two and a half times as much. */
    static unsigned char memory[FLETCH_BUILD_SPACE(3, 0, 0, 4, 26, 0, 0) * 5 / 2];
    static unsigned char decoded[sizeof memory];
    static fletch_builder builder;
    fletch_options options = {FLETCH_BASE64, FLETCH_LEVEL_STRICT, {0, 0, 0}, NULL, 0, false};
    fletch_schema schema;
    fletch_field field;
    const void *text;

    fletch_builder_init(&builder, memory, sizeof memory);
    fletch_add_field(&builder, "time", fletch_timestamp(FLETCH_MILLISECOND, "UTC"), 0);
    fletch_add_field(&builder, "temperature", fletch_floating_point(FLETCH_SINGLE), 0);
    fletch_add_field(&builder, "pressure", fletch_int(32, false), FLETCH_NULLABLE);
    if (fletch_finish(&builder, FLETCH_BASE64, &text, size, NULL) != FLETCH_OK) return NULL;

    /* Read it again as the other side will. */
    options.scratch = decoded;
    options.scratch_size = sizeof decoded;
    if (fletch_open_with(text, *size, &options, &schema, NULL) != FLETCH_OK) return NULL;
    if (fletch_find_field(&schema.fields, fletch_text("pressure"), &field) != FLETCH_OK)
        return NULL;
    return field.nullable ? (const char *)text : NULL;
}
