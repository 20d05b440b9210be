/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef FLETCH_SRC_UTF8_H
#define FLETCH_SRC_UTF8_H

#include "fletch/base.h"

#include <string.h>

/* Behind the character at `at`, which is below `end`; `at` itself: not UTF-8. */
static inline size_t utf8_step(const uint8_t *bytes, size_t at, size_t end)
{
    const uint8_t first = bytes[at];
    uint8_t low = 0x80, high = 0xBF; /* the next byte's range; that of the second is narrower */
    size_t left, next;

    if (first < 0x80) return at + 1;
    if (first < 0xC2 || first > 0xF4) return at;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
    left = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    for (next = at + 1; left != 0; left--, next++) {
        if (next >= end || bytes[next] < low || bytes[next] > high) return at;
        low = 0x80;
        high = 0xBF;
    }
    return next;
}

/* Behind the last of the whole characters in [at, end): `end` when all of it is UTF-8. */
static inline size_t utf8_end(const uint8_t *bytes, size_t at, size_t end)
{
    while (at < end) {
        size_t next;
        uint64_t word;

        if (end >= 8) { /* eight ASCII bytes at once; the last eight again where fewer are left */
            next = at <= end - 8 ? at : end - 8;
            memcpy(&word, bytes + next, 8);
            if ((word & UINT64_C(0x8080808080808080)) == 0) {
                at = next + 8;
                continue;
            }
        }
        next = utf8_step(bytes, at, end);
        if (next == at) break;
        at = next;
    }
    return at;
}

/* The same as a function of its own, in small builds. */
size_t fletch_utf8_end(const uint8_t *bytes, size_t at, size_t end);

/* The bytes of the character at `text`, of which `left` bytes (at least 1) remain; 0: not UTF-8. */
static inline size_t utf8_character(const uint8_t *text, size_t left)
{
    return utf8_step(text, 0, left);
}

/* How many of the first bytes are UTF-8: `size` when all are. */
static inline size_t utf8_prefix(const char *text, size_t size)
{
    return utf8_end((const uint8_t *)text, 0, size);
}

#endif
