/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is it the schema that this program was written for? What is expected is built in a few lines, and
 * one call says whether a file's schema is that, or where it first differs.
 */
#include <fletch/fletch.h>
#include <stdio.h>

/* 0: the bytes have the columns "id" and "name" as they should be; else 1, and why not. */
int check_people(const void *bytes, size_t size, FILE *report)
{
    unsigned char memory[1024];
    fletch_compare_options free_in = {0}; /* nothing may differ ... */
    fletch_builder builder;
    fletch_schema expected;
    fletch_error error;
    const void *wanted;
    size_t wanted_size;

    free_in.ignore_metadata = true; /* ... but metadata */
    fletch_builder_init(&builder, memory, sizeof memory);
    fletch_add_field(&builder, "id", fletch_int(64, true), 0);
    fletch_add_field(&builder, "name", fletch_utf8(), FLETCH_NULLABLE);
    if (fletch_finish(&builder, FLETCH_SCHEMA, &wanted, &wanted_size, &error) != FLETCH_OK ||
        fletch_open(wanted, wanted_size, &expected, &error) != FLETCH_OK ||
        fletch_expect(bytes, size, NULL, &expected, &free_in, &error) != FLETCH_OK) {
        /* "different: fields[0].type.bitWidth: bitWidth 32 against 64" */
        fprintf(report, "%s: %s: %s\n", fletch_status_word(error.status), error.path,
                error.sentence);
        return 1;
    }
    return 0;
}
