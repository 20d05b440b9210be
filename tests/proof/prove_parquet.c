/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for ARROW:schema in any FileMetaData of SIZE bytes. */
#include "prove.h"

#include "parquet.h"

static uint8_t bytes[SIZE + 1];

void prove(void)
{
    struct fault fault;
    size_t at, size;

    fill(bytes, SIZE);
    fletch_find_parquet_schema(bytes, SIZE, &at, &size, &fault);
}
