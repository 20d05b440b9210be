/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the Arrow schema in the metadata of a Parquet file. */
#ifndef FLETCH_SRC_PARQUET_H
#define FLETCH_SRC_PARQUET_H

#include "fault.h"

/*
 * Looks for key_value_metadata "ARROW:schema" in a FileMetaData (Thrift compact protocol) and says
 * where its value stands in `bytes`; an absent value is an empty one. On failure the reason and
 * the position; FAULT_PARQUET_KEY when the key is not there.
 */
bool fletch_find_parquet_schema(const uint8_t *bytes, size_t size, size_t *at, size_t *value_size,
                                struct fault *fault);

#endif
