/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading: print the columns of a schema, or say what is wrong with the bytes, and where. The bytes
 * may be any container of a schema (an Arrow file or stream, a message, a bare flatbuffer) and need
 * not be trusted: fletch_open checks them first. Nothing is copied, so names are not
 * NUL-terminated.
 */
#include <fletch/fletch.h>
#include <stdio.h>

int print_columns(const void *bytes, size_t size)
{
    fletch_schema schema;
    fletch_field field;
    fletch_error error;

    if (fletch_open(bytes, size, &schema, &error) != FLETCH_OK) {
        fprintf(stderr, "byte %llu: %s %s\n", (unsigned long long)error.offset, error.sentence,
                error.path);
        return 1;
    }
    for (fletch_fields it = schema.fields; fletch_next_field(&it, &field);)
        printf("%.*s: %s\n", (int)field.name.size, field.name.data,
               fletch_type_name(field.type.id));
    return 0;
}
