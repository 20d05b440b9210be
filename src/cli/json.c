/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fletch json: the schema as the JSON of Arrow's integration tests.
 *
 * The text is collected before any of it is written, since the fault that ends it can come late.
 */
#include "input.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *data;
    size_t size;
    size_t space;
};

static bool append(void *context, const char *data, size_t size)
{
    struct text *text = context;

    if (size > text->space - text->size) {
        size_t space = text->space < 4096 ? 4096 : text->space;
        char *moved;

        while (space - text->size < size && space <= SIZE_MAX / 2)
            space *= 2;
        moved = space - text->size < size ? NULL : realloc(text->data, space);
        if (moved == NULL) return false;
        text->data = moved;
        text->space = space;
    }
    memcpy(text->data + text->size, data, size);
    text->size += size;
    return true;
}

static int print(const struct arguments *arguments, struct input *input,
                 const fletch_schema *schema)
{
    fletch_error error;
    struct text text = {NULL, 0, 0};
    int result = ALL_WELL;

    switch (fletch_print_json(schema, NULL, append, &text, &error)) {
    case FLETCH_OK:
        fwrite(text.data, 1, text.size, stdout);
        fputc('\n', stdout);
        break;
    case FLETCH_NO_SPACE: result = complain(input->name, "no memory for the text"); break;
    default: result = complain_of_input(input, arguments->kind, &error); break;
    }
    free(text.data);
    return result;
}

static int json(const struct arguments *arguments, struct input *input)
{
    fletch_schema schema;
    fletch_error error;

    if (open_schema(input, arguments->kind, FLETCH_LEVEL_ARROW, &schema, &error) != FLETCH_OK)
        return complain_of_input(input, arguments->kind, &error);
    return print(arguments, input, &schema);
}

int run_json(const struct arguments *arguments)
{
    return for_each_input(arguments, json);
}
