/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding the schema in any input of which the first SIZE bytes are at hand, and the last SIZE or
 * none; the input's size is unknown, so it may be that all of it is at hand.
 */
#include "parquet.h"
#include "prove.h"

/* Its own proof is prove_parquet.c, for a footer of which the size is known. */
bool fletch_find_parquet_schema(const uint8_t *bytes, size_t size, size_t *at, size_t *value_size,
                                struct fault *fault)
{
    look_at_text((const char *)bytes);
    *at = Frama_C_unsigned_long_interval(0, size);
    *value_size = Frama_C_unsigned_long_interval(0, size);
    if (any_bool()) return true;
    return fail(fault, FAULT_THRIFT_CUT, any_bits(), any_int(), any_int());
}

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
