/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schemas as text: type names as pyarrow users know them, a tree for the terminal, and the JSON of
 * Arrow's integration tests. Everything goes through the caller's write callback, in pieces of
 * any size; nothing is allocated.
 */
#ifndef FLETCH_TEXT_H
#define FLETCH_TEXT_H

#include "read.h"

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/** The name of a type id in Arrow's own words ("FixedSizeList"); "unknown" above 26. */
const char *fletch_type_name(int32_t id);

/** Where fletch_write_text puts text: begin with {memory, its size, 0}. */
typedef struct fletch_text_buffer {
    char *data;  /**< The caller's memory; NULL where `size` is 0. Ends with a NUL once used. */
    size_t size; /**< Its bytes, one of which is for the NUL. */
    size_t used; /**< Bytes of all the text, whether they fit or not; without the NUL. */
} fletch_text_buffer;

/**
 * A fletch_write whose context is a fletch_text_buffer: as snprintf does, it leaves out what does
 * not fit and goes on counting, so a buffer of size 0 measures. It refuses nothing.
 */
bool fletch_write_text(void *context, const char *text, size_t size);

/** How to print; all zero is the default. */
typedef struct fletch_print_options {
    fletch_limits limits; /**< Bounds of the work, as for verification. */
    size_t max_type;      /**< Type: bytes before it is cut with "..."; 0: no bound. */
    size_t max_value;     /**< Tree: bytes of a metadata value before it is cut; 0: no bound. */
    bool color;           /**< Tree: ANSI colours. */
} fletch_print_options;

/**
 * Prints the type of a field: `timestamp[us, tz=UTC]`, `list<item: int64 not null>`,
 * `dictionary<values=string, indices=int8, ordered=0>`, `unknown type 27`. Names inside are
 * escaped as the tree's. `options` may be NULL.
 */
fletch_status fletch_print_type(const fletch_field *field, const fletch_print_options *options,
                                fletch_write write, void *context, fletch_error *error);

/**
 * Prints a schema as a tree: a line that says what it came in, then a line a field, children
 * indented, then the metadata. Safe on a terminal: control characters, U+007F, C1 and bytes that
 * are not UTF-8 are escaped. Works on any schema that opened with its structure intact, and marks
 * what it does not know. `options` may be NULL.
 */
fletch_status fletch_print_tree(const fletch_schema *schema, const fletch_print_options *options,
                                fletch_write write, void *context, fletch_error *error);

/**
 * Prints `{"schema": ...}` as Arrow's integration tests have it, compact, one line, without a line
 * end: members in the order name, nullable, type, children, dictionary, metadata. Absent strings
 * are "", absent parameters their defaults, absent typeIds spelled out. Features, endianness and
 * the wrapper have no place in it.
 *
 * The schema must pass level arrow, and its strings be UTF-8; the first fault is returned with its
 * place, before or after part of the text was written. `options` may be NULL.
 */
fletch_status fletch_print_json(const fletch_schema *schema, const fletch_print_options *options,
                                fletch_write write, void *context, fletch_error *error);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
