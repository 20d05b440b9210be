/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building: a stream's schema into a buffer on the stack, without any allocation. The field "tags"
 * is a list, so it is opened, its one child is added, and it is closed again. Statuses need not be
 * looked at one by one: the first error stands, and fletch_finish reports it.
 */
#include <fletch/fletch.h>
#include <stdio.h>

int write_schema(FILE *to)
{
    unsigned char memory[1024];
    fletch_builder builder;
    fletch_error error;
    const void *bytes;
    size_t size;

    fletch_builder_init(&builder, memory, sizeof memory);
    fletch_add_field(&builder, "id", fletch_int(64, true), 0);
    fletch_begin_field(&builder, "tags", fletch_list(), FLETCH_NULLABLE);
    fletch_add_field(&builder, "item", fletch_utf8(), FLETCH_NULLABLE);
    fletch_end_field(&builder);
    fletch_add_metadata(&builder, "origin", "sensor 7");
    if (fletch_finish(&builder, FLETCH_STREAM, &bytes, &size, &error) != FLETCH_OK) {
        fprintf(stderr, "%s: %s\n", error.path, error.sentence);
        return 1;
    }
    return fwrite(bytes, 1, size, to) == size ? 0 : 1;
}
