/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memcpy and kin, for the freestanding lines of the matrix. The loops go through volatile, lest the
 * compiler makes them calls of the very functions they are.
 */
#include <string.h>

void *memcpy(void *to, const void *from, size_t size)
{
    volatile unsigned char *t = to;
    const unsigned char *f = from;
    for (size_t i = 0; i < size; i++)
        t[i] = f[i];
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    volatile unsigned char *t = to;
    const volatile unsigned char *f = from;
    if (t <= f) return memcpy(to, from, size);
    while (size-- > 0)
        t[size] = f[size];
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    volatile unsigned char *t = to;
    for (size_t i = 0; i < size; i++)
        t[i] = (unsigned char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const volatile unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

size_t strlen(const char *text)
{
    const volatile char *t = text;
    size_t size = 0;
    while (t[size] != 0)
        size++;
    return size;
}
