/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an offset can lead to, from any place of any SIZE bytes, and the strings and vectors from
 * each place that one leads to: all that they give is inside the bytes. A view's pointer and size
 * are right only together, so each place is a case of its own.
 */
#include "flat.h"
#include "prove.h"
#include "utf8.h"

static uint8_t bytes[SIZE + 1]; /* the last is for SIZE 0, and not in the buffer */

static void follow_any(void)
{
    struct fault fault;
    uint64_t target;

    if (!follow(buffer_of(bytes), any_bits(), &target, &fault)) return;
    //@ check target <= SIZE - 4;
}

static void string_at(uint32_t at)
{
    fletch_string string;
    struct fault fault;

    if (!read_string(buffer_of(bytes), at, &string, &fault)) return;
    //@ check at + 4 + string.size < SIZE;
    //@ check string.data == (char *)&bytes[at + 4];
    //@ check \valid_read(string.data + (0 .. string.size));
}

static void vector_at(uint32_t at, uint32_t width)
{
    struct fault fault;
    uint32_t begin, count;

    if (!read_vector(buffer_of(bytes), at, width, &begin, &count, &fault)) return;
    //@ check begin == at + 4;
    //@ check begin + count * width <= SIZE;
}

/* Text between any two places. */
static void any_text(void)
{
    const size_t at = any_number(), end = Frama_C_unsigned_long_interval(0, SIZE);

    utf8_end(bytes, at, end);
}

void prove(void)
{
    uint32_t at;

    fill(bytes, SIZE);
    follow_any();
    any_text();
    //@ loop unroll SIZE + 1;
    for (at = 0; at + 4 <= SIZE; at++) {
        string_at(at);
        vector_at(at, 1);
        vector_at(at, 4);
        vector_at(at, 8);
        vector_at(at, 24);
    }
}
