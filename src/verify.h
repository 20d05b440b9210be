/* SPDX-License-Identifier: Apache-2.0 */
/* Verification of one flatbuffer, whose container was found before. */
#ifndef FLETCH_SRC_VERIFY_H
#define FLETCH_SRC_VERIFY_H

#include "fletch/read.h"
#include "rules.h"

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

/* Where paths to a wrapper's members start: "message", "footer" or "". */
const char *fletch_root_prefix(fletch_kind root);

/* A schema without fields, metadata and features; wrapper and all. */
void fletch_empty_schema(fletch_schema *schema);

/*
 * What is called from a walk's loop gets what it needs by value: a field whose address is not given
 * away stays in registers, and what nobody looks at is not even stored.
 */

/* Where the tables of a field stand; 0: there is none. */
struct field_tables {
    int32_t type_id;
    uint32_t field, type, dictionary, index_type;
};

FORCE_INLINE struct field_tables tables_at(const fletch_field *field)
{
    struct field_tables tables = {field->type.id, field->at, field->type.at, 0, 0};

    if (!field->has_dictionary) return tables;
    tables.dictionary = field->dictionary.at;
    tables.index_type = field->dictionary.index_type_at;
    return tables;
}

/* Makes a fault of a finding, at the word that it is about. */
COLD void fletch_point_out(fletch_buffer buffer, struct field_tables tables,
                           const struct finding *finding, struct fault *fault);

/*
 * Arrow's rules for the field that the walk stands at, but for its dictionary: of its type, the
 * number of its children, and what its parent asks for; less those of level strict, but for one:
 * `is_strict` says that leaves have no children. False with the finding.
 */
bool fletch_check_rules(const fletch_walk *walk, const fletch_type *type, uint32_t children,
                        bool is_strict, struct finding *finding);

/* Whether a field's parent asks nothing of it. */
FORCE_INLINE bool is_free(int32_t parent_type)
{
    return parent_type != FLETCH_TYPE_MAP && parent_type != FLETCH_TYPE_RUN_END_ENCODED;
}

#endif
