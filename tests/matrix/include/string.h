/* SPDX-License-Identifier: Apache-2.0 */
/* All of a C library that fletch needs, for the freestanding lines of the matrix. */
#ifndef FLETCH_TESTS_MATRIX_STRING_H
#define FLETCH_TESTS_MATRIX_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);

#endif
