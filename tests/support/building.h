/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building in tests: builders with memory that the maker owns, what they give as blocks of exactly
 * that size, and an allocator that keeps count and can fail.
 */
#ifndef FLETCH_TESTS_BUILDING_H
#define FLETCH_TESTS_BUILDING_H

#include "check.h"

/* A builder in 64 KB, or in `size` bytes, of memory; all of it goes with the maker. */
fletch_builder *new_builder(maker *m);
fletch_builder *new_builder_in(maker *m, size_t size);

/* Finishes, or wraps again, which must succeed; the bytes, copied. */
block built(maker *m, fletch_builder *b, fletch_kind kind);
block rebuilt(maker *m, fletch_builder *b, fletch_kind kind);

/* Finishes as a bare schema and opens it at level strict. */
fletch_schema built_schema(maker *m, fletch_builder *b);

/* Demands that finishing fails with this status, as the call before did, and gives nothing. */
fletch_error not_built(fletch_builder *b, fletch_status status);

/* Demands the status and the path of the first error. */
void not_built_at(fletch_builder *b, fletch_status status, const char *path);

/* All kinds that can be written, in the order of their numbers. */
enum { WRITTEN_KINDS = 7 };
extern const fletch_kind written_kinds[WRITTEN_KINDS];

/* Demands that two blocks are equal. */
void same_bytes(block a, block b);

/* The integration JSON of a schema, which must have one. */
block json_of(maker *m, const fletch_schema *schema);

/* An allocator that counts, moves its block at every call, and fails at will. */
typedef struct ledger {
    size_t calls, blocks, bytes;
    size_t fail_from, fail_to; /* of calls that want memory, the first being 1: these get none */
    size_t wanting;            /* calls that wanted memory */
    bool is_misused;           /* an old size was not that of the block */
} ledger;
fletch_allocator ledger_allocator(ledger *l);

#endif
