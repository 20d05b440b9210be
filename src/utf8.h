/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef FLETCH_SRC_UTF8_H
#define FLETCH_SRC_UTF8_H

#include "fletch/base.h"

#include <string.h>

/* The bytes of the character at `text`, of which `left` bytes (at least 1) remain; 0: not UTF-8. */
static inline size_t utf8_character(const uint8_t *text, size_t left)
{
    const uint8_t first = text[0];
    size_t size, i;
    uint8_t low = 0x80, high = 0xBF; /* the second byte's range */

    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
    if (size > left || text[1] < low || text[1] > high) return 0;
    for (i = 2; i < size; i++)
        if (text[i] < 0x80 || text[i] > 0xBF) return 0;
    return size;
}

/* How many of the first bytes are UTF-8: `size` when all are. */
static inline size_t utf8_prefix(const char *text, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t at = 0;

    while (at < size) {
        size_t step;
        uint64_t word;

        if (size - at >= 8) { /* eight ASCII bytes at once */
            memcpy(&word, bytes + at, 8);
            if ((word & UINT64_C(0x8080808080808080)) == 0) {
                at += 8;
                continue;
            }
        }
        step = utf8_character(bytes + at, size - at);
        if (step == 0) return at;
        at += step;
    }
    return size;
}

#endif
