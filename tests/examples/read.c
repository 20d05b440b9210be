/* SPDX-License-Identifier: Apache-2.0 */
/* Reading: verify untrusted bytes, report the place of a fault, or print the columns. */
#include <fletch/fletch.h>
#include <stdio.h>

int print_columns(const void *bytes, size_t size)
{
    fletch_schema schema;
    fletch_field field;
    fletch_error error;

    if (fletch_open(bytes, size, &schema, &error) != FLETCH_OK) {
        fprintf(stderr, "%s at byte %llu: %s\n", error.path, (unsigned long long)error.offset,
                error.sentence);
        return 1;
    }
    for (fletch_fields it = schema.fields; fletch_next_field(&it, &field);)
        printf("%.*s: %s\n", (int)field.name.size, field.name.data,
               fletch_type_name(field.type.id));
    return 0;
}
