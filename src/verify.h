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

/* A schema without fields, metadata and features; wrapper and all. */
void fletch_empty_schema(fletch_schema *schema);

/*
 * What is called for few fields gets what it needs by value: a field whose address is not given
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

/* The rules that the parent of the walk's field has for it. */
bool fletch_check_place(const fletch_walk *walk, int32_t type_id, fletch_int_type type,
                        uint32_t child_count, struct finding *finding);

/* Arrow's rules, less those of level strict, for the field that the walk stands at.
 * `is_type_good`: the type need not be looked at; `is_strict`: leaves have no children. */
FORCE_INLINE bool check_rules(const fletch_walk *walk, const fletch_field *field, bool is_type_good,
                              bool is_strict, struct finding *finding)
{
    const uint32_t children = (field->children.end - field->children.position) / 4;
    const int32_t parent = walk->run.parent_type;
    fletch_int_type type = {0, false};

    if ((!is_type_good && !check_type(&field->type, finding)) ||
        (field->has_dictionary &&
         !check_dictionary(field->dictionary.kind, field->dictionary.index_type.bit_width,
                           finding)) ||
        !check_child_count(&field->type, children, is_strict, finding))
        return false;
    if (parent != FLETCH_TYPE_MAP && parent != FLETCH_TYPE_RUN_END_ENCODED) return true;
    if (field->type.id == FLETCH_TYPE_INT) type = field->type.as.integer;
    return fletch_check_place(walk, field->type.id, type, children, finding);
}

#endif
