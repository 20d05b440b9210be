/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ArrowSchemas in tests: exported ones, and ones made by hand, good or hostile, whose memory is the
 * maker's.
 */
#ifndef FLETCH_TESTS_CTREE_H
#define FLETCH_TESTS_CTREE_H

#include "building.h"

/* Exports what must export, through the ledger. */
struct ArrowSchema exported(const fletch_schema *schema, ledger *l);

/* Demands that an export fails with this status and path, gives nothing and keeps nothing. */
void not_exported(const fletch_schema *schema, fletch_status status, const char *path);

/* An ArrowSchema with a format, a name (copied; NULL stays NULL), nothing else, and a release that
 * only marks it released. */
struct ArrowSchema *c_node(maker *m, const char *format, const char *name);

/* Appends a child, which may be NULL, and returns it. */
struct ArrowSchema *c_child(maker *m, struct ArrowSchema *parent, struct ArrowSchema *child);

/* A metadata block of pairs; the keys and values end with a NULL. */
const char *c_metadata(maker *m, const char *const *texts);

/* Imports into a builder of 64 KB at a level; its schema, which must be there. */
fletch_schema imported_at(maker *m, const struct ArrowSchema *tree,
                          const fletch_import_options *options, fletch_level level);
fletch_schema imported(maker *m, const struct ArrowSchema *tree);

/* Demands that an import fails with this status and path. */
void not_imported(maker *m, const struct ArrowSchema *tree, const fletch_import_options *options,
                  fletch_status status, const char *path);

/* Every type with every parameter, and the format that says it. */
typedef struct typed_format {
    const char *format;
    fletch_type type;
    uint32_t children; /* of unions and structs; those of the others follow from the type */
} typed_format;
enum { MOST_FORMATS = 128 };
size_t typed_formats(typed_format *list);

/* A field of that type with good children, in a builder and as ArrowSchema. */
void add_typed(fletch_builder *b, const char *name, const typed_format *typed, unsigned flags);
struct ArrowSchema *c_typed(maker *m, const char *name, const typed_format *typed);

/* Demands that two schemas have the same integration JSON. */
void same_json(maker *m, const fletch_schema *a, const fletch_schema *b);

#endif
