/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where every object of a schema's flatbuffer stands: for annotated dumps, and for finding out what
 * takes the space.
 */
#ifndef FLETCH_EXPLAIN_H
#define FLETCH_EXPLAIN_H

#include "read.h"

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
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
    FLETCH_OBJECT_VECTOR, /**< A vector: count and elements. */
    FLETCH_OBJECT_SLOT,   /**< A word of a vtable: where `member` stands in tables, 0: absent. */
    FLETCH_OBJECT_FAULT   /**< The word at fault, the last that comes; see fletch_visit_bytes. */
} fletch_object_kind;

/** fletch_object.index: it is no element, and none leads to it. */
#define FLETCH_NO_ELEMENT UINT32_MAX

/** An object of the flatbuffer. */
typedef struct fletch_object {
    fletch_object_kind kind; /**< What it is. */
    uint32_t begin;          /**< Its first byte in the flatbuffer. */
    uint32_t end;            /**< Behind its last byte. */
    const char *table;       /**< The table it is, or belongs to: "Field", "Timestamp". */
    /**
     * The member it is, or that leads to it: "timezone"; of a slot, the member it places. "" for
     * the root, what the root leads to, and vtables. Slots beyond the known members do not come.
     */
    const char *member;
    uint32_t depth; /**< Of the field it belongs to, as fletch_walk.depth; 0 above fields. */
    uint32_t owner; /**< Where the table starts that it belongs to, or whose member leads to it if
                         it is a table itself; 0: it has none. */
    uint32_t index; /**< Which element of `member` leads to the table; the number of a slot;
                         FLETCH_NO_ELEMENT for all else. */
    uint32_t width; /**< Vectors: bytes of an element; 0 for all else. */
    bool is_offset; /**< Members and elements of vectors: they are offsets to other objects. */
} fletch_object;

/** Takes an object; false ends the visit. */
typedef bool (*fletch_visit)(void *context, const fletch_object *object);

/**
 * Visits every object that can be reached, table by table: root, wrapper (Message or Footer),
 * Schema, then fields in pre-order with their types, dictionaries and metadata. Shared objects come
 * as often as something leads to them. A type from a newer Arrow comes as the table "unknown",
 * without its members. The schema's structure must hold (it opened with `schema->at` not 0); damage
 * that comes up all the same is told as by fletch_verify. Every object lies in the bytes, also
 * where these change meanwhile. `limits` may be NULL. FLETCH_NO_SPACE: the visitor ended it.
 */
fletch_status fletch_visit_objects(const fletch_schema *schema, const fletch_limits *limits,
                                   fletch_visit visit, void *context, fletch_error *error);

/**
 * The same for a bare flatbuffer whose structure need not hold: `root` is FLETCH_SCHEMA,
 * FLETCH_MESSAGE or FLETCH_FOOTER. Everything comes up to the first damage, which is told as by
 * fletch_verify at level structure; the word at fault comes last, as FLETCH_OBJECT_FAULT, where it
 * is in the bytes. Places in `error` count from `bytes`. Beyond structure nothing is checked, so a
 * negative bodyLength is no damage; of a message that carries no schema only the Message comes.
 * FLETCH_MISUSE: another root.
 */
fletch_status fletch_visit_bytes(const void *bytes, size_t size, fletch_kind root,
                                 const fletch_limits *limits, fletch_visit visit, void *context,
                                 fletch_error *error);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
