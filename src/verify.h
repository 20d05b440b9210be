/* SPDX-License-Identifier: Apache-2.0 */
/* Verification of one flatbuffer, whose container was found before. */
#ifndef FLETCH_SRC_VERIFY_H
#define FLETCH_SRC_VERIFY_H

#include "fletch/read.h"

/*
 * Decodes the root of schema->buffer (kind: FLETCH_SCHEMA, FLETCH_MESSAGE or FLETCH_FOOTER) into
 * `schema`, whose origin and wrapper framing are set, and checks it. Leaves the schema empty unless
 * its structure holds.
 */
fletch_status fletch_verify_root(fletch_schema *schema, fletch_kind kind, fletch_level level,
                                 const fletch_limits *limits, fletch_error *error);

/* Checks the schema again, without its wrapper. */
fletch_status fletch_verify_schema(const fletch_schema *schema, fletch_level level,
                                   const fletch_limits *limits, fletch_error *error);

/* Where paths to a schema's members start: "message.header", "footer.schema" or "". */
const char *fletch_schema_prefix(const fletch_schema *schema);

/* A schema without fields, metadata and features; wrapper and all. */
void fletch_empty_schema(fletch_schema *schema);

#endif
