/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets share: a check that ends the process, and text that grows. */
#ifndef FUZZ_CHECK_H
#define FUZZ_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

struct text {
    char *data;
    size_t size, space;
};

/* A fletch_write that collects; refuses at 64 MiB. */
static inline bool append_text(void *context, const char *data, size_t size)
{
    struct text *text = (struct text *)context;

    if (size > (64u << 20) - text->size) return false;
    if (text->space - text->size < size) {
        const size_t space = 2 * (text->size + size) + 64;
        char *moved = (char *)realloc(text->data, space);

        if (moved == NULL) return false;
        text->data = moved;
        text->space = space;
    }
    memcpy(text->data + text->size, data, size);
    text->size += size;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
