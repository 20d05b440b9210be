/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A schema drawn as a tree, in columns: names to the left, types to the right.
 */
#ifndef TREE_H
#define TREE_H

#include "outline.h"

/* The line that says what a schema came in: kind, version, endianness, fields. */
void write_head(struct line *line, const fletch_schema *schema);

/*
 * A type without its children, as fletch_print_type has it but for dictionaries: "list",
 * "timestamp[us, tz=UTC]", "dictionary<struct, int8, ordered>". At most about `most` bytes of it
 * (0: all).
 * Returns false where there is no memory.
 */
bool write_type_head(struct line *line, const fletch_field *field, size_t most);

/* Prints fields and metadata; false: the error says why it ended early. */
bool print_tree(const struct arguments *arguments, const fletch_schema *schema,
                const struct outline *outline, fletch_error *error);

#endif
