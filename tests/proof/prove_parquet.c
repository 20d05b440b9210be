/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking for ARROW:schema in any FileMetaData of SIZE bytes; and that what is taken as its value,
 * from each place in them, is inside of them.
 */
#include "prove.h"

/* Names that the tables have, too. */
#define KEY_VALUE_KEY   PARQUET_KEY
#define KEY_VALUE_VALUE PARQUET_VALUE
#include "parquet.c"
#undef KEY_VALUE_KEY
#undef KEY_VALUE_VALUE

static uint8_t bytes[SIZE + 1];

/* A number of `length` bytes: all but the last say that more follow. */
static void set_number(size_t at, size_t length)
{
    size_t i;

    fill(bytes, SIZE);
    //@ loop unroll 10;
    for (i = 0; i + 1 < length; i++)
        bytes[at + i] = (uint8_t)Frama_C_interval(0x80, 0xFF);
    bytes[at + length - 1] = (uint8_t)Frama_C_interval(0, 0x7F);
}

/* A value whose size is such a number. Longer ones are refused. */
static void take_value(size_t at, size_t length)
{
    struct fault fault;
    struct reader reader;
    struct span span;

    set_number(at, length);
    reader.bytes = bytes;
    reader.size = SIZE;
    reader.at = at;
    reader.fault = &fault;
    if (!take_binary(&reader, &span)) return;
    //@ check span.at + span.size <= SIZE;
}

void prove(void)
{
    struct fault fault;
    size_t at, size, length;

    fill(bytes, SIZE);
    fletch_find_parquet_schema(bytes, SIZE, &at, &size, &fault);
    //@ loop unroll SIZE + 1;
    for (at = 0; at <= SIZE; at++)
        //@ loop unroll 11;
        for (length = 1; length <= 10 && length <= SIZE - at; length++)
            take_value(at, length);
}
