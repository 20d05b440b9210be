/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON of Arrow's integration tests, as calls of a builder.
 *
 * Taken is `{"schema": S}`, beside which anything may stand, or S alone, beside whose members
 * `dictionaries` and `batches` may stand. Inside S members come in any order, and an unknown one is
 * an error. Of what that JSON always has, these may be left out or null: children (none), metadata,
 * dictionary and timezone (likewise), a decimal's bitWidth (128). A name may be null, but not left
 * out. `decimal32` and so on are decimals of that width.
 */
#ifndef JSON_SCHEMA_H
#define JSON_SCHEMA_H

#include "json_reader.h"

#include "fletch/build.h"

/* Members of the root that json_read is to skip. */
extern const char *const json_schema_skipped[];

/*
 * Adds the schema to a builder, which is not to be finished yet; false: `error` says why and where,
 * also when it is the builder that refuses.
 */
bool json_build_schema(const struct json_document *document, fletch_builder *builder,
                       struct json_error *error);

#endif
