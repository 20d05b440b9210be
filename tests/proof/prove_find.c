/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding the schema in any input of which the first SIZE bytes are at hand, and the last SIZE or
 * none; the input's size is unknown, so it may be that all of it is at hand.
 */
#include "prove.h"

static uint8_t head[SIZE + 1], tail[SIZE + 1];

void prove(void)
{
    fletch_input input;
    fletch_found found;
    fletch_error error;

    fill(head, SIZE);
    fill(tail, SIZE);
    input.head = head;
    input.head_size = SIZE;
    input.tail = any_bool() ? tail : NULL;
    input.tail_size = input.tail != NULL ? SIZE : 0;
    input.size = Frama_C_unsigned_long_interval(SIZE, UINT64_MAX);
    fletch_find(&input, (fletch_kind)Frama_C_interval(FLETCH_SNIFF, FLETCH_BASE64), any_bool(),
                &found, any_bool() ? &error : NULL);
}
