/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where every object of a schema's flatbuffer stands: for annotated dumps, and for finding out what
 * takes the space.
 */
#ifndef FLETCH_EXPLAIN_H
#define FLETCH_EXPLAIN_H

#include "read.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What an extent of bytes is. */
typedef enum fletch_object_kind {
    FLETCH_OBJECT_ROOT,   /**< The offset to the root table, at the flatbuffer's start. */
    FLETCH_OBJECT_VTABLE, /**< A table's vtable. Tables share them: it comes with each. */
    FLETCH_OBJECT_TABLE,  /**< A table: its first word, members and padding. */
    FLETCH_OBJECT_MEMBER, /**< A member inside its table: a scalar, a tag or an offset. */
    FLETCH_OBJECT_STRING, /**< A string: length, bytes and NUL. */
    FLETCH_OBJECT_VECTOR  /**< A vector: count and elements. */
} fletch_object_kind;

/** An object of the flatbuffer. */
typedef struct fletch_object {
    fletch_object_kind kind;
    uint32_t begin;     /**< Its first byte in the flatbuffer. */
    uint32_t end;       /**< Behind its last byte. */
    const char *table;  /**< The table it is, or belongs to: "Field", "Timestamp". */
    const char *member; /**< The member it is, or that leads to it: "timezone"; "" for tables. */
    uint32_t depth;     /**< Of the field it belongs to, as fletch_walk.depth; 0 above fields. */
} fletch_object;

/** Takes an object; false ends the visit. */
typedef bool (*fletch_visit)(void *context, const fletch_object *object);

/**
 * Visits every object that can be reached, table by table: root, wrapper (Message or Footer),
 * Schema, then fields in pre-order with their types, dictionaries and metadata. Shared objects come
 * as often as something leads to them. The schema's structure must hold (it opened with
 * `schema->at` not 0); damage that comes up all the same is told as by fletch_verify. `limits` may
 * be NULL. FLETCH_NO_SPACE: the visitor ended it.
 */
fletch_status fletch_visit_objects(const fletch_schema *schema, const fletch_limits *limits,
                                   fletch_visit visit, void *context, fletch_error *error);

#ifdef __cplusplus
}
#endif

#endif
