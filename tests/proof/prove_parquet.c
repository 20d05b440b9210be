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

static void take_at(size_t at)
{
    struct fault fault;
    struct reader reader;
    struct span span;

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
    size_t at, size;

    fill(bytes, SIZE);
    fletch_find_parquet_schema(bytes, SIZE, &at, &size, &fault);
    //@ loop unroll SIZE + 1;
    for (at = 0; at <= SIZE; at++)
        take_at(at);
}
