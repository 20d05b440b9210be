/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one walk over a schema's fields: pre-order, iterative, bounded in depth, tables and text.
 * The verifier, text and everything else that looks at a whole schema stands on it.
 */
#ifndef FLETCH_SRC_WALK_H
#define FLETCH_SRC_WALK_H

#include "tables.h"

typedef enum walk_event {
    WALK_FIELD, /* a field, before its children */
    WALK_LEAVE, /* a field whose children have all been seen: walk->left_at is its table */
    WALK_END,
    WALK_FAULT
} walk_event;

/* Starts a walk over any run of fields. `parent` is the table they belong to. */
void fletch_walk_over(fletch_walk *walk, const fletch_fields *fields, uint32_t parent,
                      int32_t parent_type, const fletch_limits *limits);

/* The same with the vtables that the walk remembers, of the same buffer; or of none, where tables
 * are only counted against the limits and no step is taken. */
void fletch_walk_restart(fletch_walk *walk, const fletch_fields *fields, uint32_t parent,
                         int32_t parent_type, const fletch_limits *limits);

/* Makes a run of fields the next thing to walk into; the budgets go on. */
void fletch_walk_enter(fletch_walk *walk, const fletch_fields *fields, uint32_t parent,
                       int32_t parent_type);

/* Goes one step. `field` is filled for WALK_FIELD, `fault` for WALK_FAULT. Does not set
 * walk->index, see fletch_walk_index. */
walk_event fletch_walk_step(fletch_walk *walk, fletch_field *field, struct fault *fault);

/* Takes the next element of the innermost run, of which there is one. */
bool fletch_walk_take(fletch_walk *walk, fletch_field *field, struct fault *fault);

/* Walks to the end, and checks the structure of everything on the way, metadata included. */
bool fletch_walk_check(fletch_walk *walk, struct fault *fault);

/* Decodes the field at `at` again, with the walk's memory; counts in its budget. */
bool fletch_walk_again(fletch_walk *walk, uint32_t at, fletch_field *field, struct fault *fault);

/* Takes the pair behind the element of a vector. */
bool fletch_walk_take_pair(fletch_walk *walk, uint32_t element, fletch_key_value *pair,
                           struct fault *fault);

/* The next pair: false at the end (fault->reason is FAULT_NONE) or at a fault. */
bool fletch_walk_pair(fletch_walk *walk, fletch_metadata *pairs, fletch_key_value *pair,
                      struct fault *fault);

/* Checks the pairs whose offsets stand in [begin, end). */
bool fletch_walk_check_pairs(fletch_walk *walk, uint32_t begin, uint32_t end, struct fault *fault);

/* Decode one table for an iterator, which remembers a vtable of Field. */
bool fletch_decode_field(fletch_buffer buffer, uint32_t at, fletch_vtable *vtable,
                         fletch_field *field, struct fault *fault);
/* Only the name of a Field; an absent one is empty. Of the vtable no more is looked at where that
 * does; `vtable` remembers others. */
bool fletch_decode_name(fletch_buffer buffer, uint32_t at, fletch_vtable *vtable,
                        fletch_string *name, struct fault *fault);
bool fletch_decode_pair(fletch_buffer buffer, uint32_t at, fletch_key_value *pair,
                        struct fault *fault);

/* Decodes the DictionaryEncoding at dictionary->at, and its index type; `walk` may be NULL. */
bool fletch_walk_dictionary(fletch_buffer buffer, fletch_walk *walk, fletch_dictionary *dictionary,
                            struct fault *fault);

/* Takes tables or bytes of text from the budgets; `at` is where a fault would be. */
bool fletch_take_tables(fletch_walk *walk, uint64_t count, uint32_t at, struct fault *fault);
bool fletch_take_text(fletch_walk *walk, uint64_t count, uint32_t at, struct fault *fault);

/* The place among its siblings of the field that was returned last or is being left. */
uint32_t fletch_walk_index(const fletch_walk *walk);

/* The types of the field's parent and grandparent, FLETCH_TYPE_NONE where there are none. */
int32_t fletch_walk_parent(const fletch_walk *walk);
int32_t fletch_walk_grandparent(const fletch_walk *walk);

/* Whether there is a schema: not where opening failed, or a wrapper has none. Clears the error, or
 * says FLETCH_MISSING in it. */
bool fletch_has_schema(const fletch_schema *schema, fletch_error *error);

/* The same of a schema, or of a wrapper without one, which has a version and metadata. */
bool fletch_has_bytes(const fletch_schema *schema, fletch_error *error);

/* Fills an error from a fault. `prefix` leads to the schema ("footer.schema", or ""); `walk` is
 * the walk that stands at the field at fault, or NULL when it is in no field. */
void fletch_tell(fletch_error *error, const struct fault *fault, uint64_t origin,
                 const char *prefix, const fletch_walk *walk);

#endif
