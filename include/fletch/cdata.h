/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Arrow C data interface: schemas out to struct ArrowSchema, and in from it.
 *
 * Out:
 *     struct ArrowSchema c_schema;
 *     fletch_allocator heap = fletch_heap();
 *     status = fletch_export_schema(&schema, &heap, NULL, &c_schema, &error);
 *     ...
 *     if (c_schema.release != NULL) c_schema.release(&c_schema);
 * In:
 *     fletch_builder_init(&builder, memory, sizeof memory);
 *     fletch_import_schema(&builder, &c_schema, NULL);
 *     status = fletch_finish(&builder, FLETCH_STREAM, &bytes, &size, &error);
 *
 * What does not make the way there and back:
 *
 *     lost on the way out                        found on the way back in
 *     dictionary ids, and which fields share one new ids; see fletch_list_dictionaries to keep them
 *     Schema.endianness, Schema.features         little-endian, none; set them on the builder
 *     what stands around the schema: message,    what the builder is asked for
 *       its version and metadata, framing
 *     absent name                                "": written empty
 *     absent timezone, or empty                  absent
 *     absent indexType                           written out: signed, 32 bits
 *     absent typeIds                             written out: 0, 1, 2...
 *     absent custom_metadata, or empty           absent
 *     absent key or value of a pair              "": written empty
 *
 * lost on the way in                             by
 *     name, flags of the outermost ArrowSchema   fletch_import_schema
 *     name, nullability of a dictionary          both calls: the field's own count
 *     unknown flags; ORDERED without a           both calls
 *       dictionary, KEYS_SORTED but on a map
 *     metadata of a dictionary                   nothing: it becomes the field's, if that has none;
 *                                                if it has some, the import is refused
 *
 * How nullability and flags of a dictionary-encoded field are said: NULLABLE and ORDERED stand on
 * the field's own (index) schema, KEYS_SORTED on the dictionary if that is a map; the dictionary is
 * nullable and has the name "" on the way out.
 */
#ifndef FLETCH_CDATA_H
#define FLETCH_CDATA_H

#include "build.h"

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* As Arrow's specification has it, under its own guard. */
#ifndef ARROW_C_DATA_INTERFACE
/** That the two structs are defined; shared by all headers that bring them along. */
#define ARROW_C_DATA_INTERFACE

/** ArrowSchema.flags: order of the dictionary's indices is order of its values. */
#define ARROW_FLAG_DICTIONARY_ORDERED 1
/** ArrowSchema.flags: values may be null. */
#define ARROW_FLAG_NULLABLE           2
/** ArrowSchema.flags: keys of each of the map's values are in order. */
#define ARROW_FLAG_MAP_KEYS_SORTED    4

/** A type, or a field, or a schema as a struct of its fields. */
struct ArrowSchema {
    const char *format;             /**< The type, as a format string; of indices, if encoded. */
    const char *name;               /**< NULL: none. */
    const char *metadata;           /**< Pairs with sizes of 32 bits in native order; NULL: none. */
    int64_t flags;                  /**< ARROW_FLAG_... */
    int64_t n_children;             /**< 0 or more. */
    struct ArrowSchema **children;  /**< May be NULL if there are none. */
    struct ArrowSchema *dictionary; /**< The values' type, if dictionary-encoded; else NULL. */
    void (*release)(struct ArrowSchema *); /**< To be called once by the owner; NULL: released. */
    void *private_data;                    /**< The producer's. */
};

/** Values; fletch does nothing with them. */
struct ArrowArray {
    int64_t length;                       /**< Values. */
    int64_t null_count;                   /**< -1: not counted. */
    int64_t offset;                       /**< Values to be skipped at the start of buffers. */
    int64_t n_buffers;                    /**< As the type has them. */
    int64_t n_children;                   /**< As the type has them. */
    const void **buffers;                 /**< The values' bytes. */
    struct ArrowArray **children;         /**< May be NULL if there are none. */
    struct ArrowArray *dictionary;        /**< The dictionary's values; else NULL. */
    void (*release)(struct ArrowArray *); /**< To be called once by the owner; NULL: released. */
    void *private_data;                   /**< The producer's. */
};

#endif

/* Out */

/**
 * Makes an ArrowSchema of a schema: a struct "+s" of its fields.
 *
 * All of it is one block of exactly the size it takes, from `allocator`, which must outlive it; the
 * bytes the schema was opened from need not. It may be moved as the interface says, and so may any
 * child: taken out of its parent, which may be released before or after it, on other threads too.
 * The block is given back by the last release, on whatever thread that is. (Where the platform has
 * no lock-free counters, all parts of one tree must be released by one thread.)
 *
 * Everything that FLETCH_LEVEL_ARROW asks for is checked on the way, so a schema opened with
 * FLETCH_LEVEL_UNCHECKED will do; the first fault in pre-order is told. Beyond that FLETCH_INVALID
 * refuses what an ArrowSchema cannot say: a NUL in a name or time zone, children of a type that has
 * none. On any failure `out` is left released. `limits` and `error` may be NULL.
 */
fletch_status fletch_export_schema(const fletch_schema *schema, const fletch_allocator *allocator,
                                   const fletch_limits *limits, struct ArrowSchema *out,
                                   fletch_error *error);

/** The same for one field with all below it, read or made by hand. Paths start below the field. */
fletch_status fletch_export_field(const fletch_field *field, const fletch_allocator *allocator,
                                  const fletch_limits *limits, struct ArrowSchema *out,
                                  fletch_error *error);

/** A dictionary-encoded field of a schema. */
typedef struct fletch_listed_dictionary {
    int64_t id; /**< fletch_dictionary.id */
    /**
     * The field's number in pre-order, from 0 for the first field of the schema: as fletch_walk
     * comes by, and as the fields of an ArrowSchema come, the children of a dictionary counted in
     * the place of its field's.
     */
    uint64_t field;
    fletch_int_type index_type; /**< Signed 32-bit where absent. */
    bool is_ordered;            /**< fletch_dictionary.is_ordered */
} fletch_listed_dictionary;

/**
 * Lists what ArrowSchema has no place for: the ids of a schema's dictionary-encoded fields, in
 * pre-order. `*count` gets how many there are; the first `space` are stored. FLETCH_NO_SPACE: there
 * are more. Given to an import of the same fields, the list restores the ids. `limits` and `error`
 * may be NULL.
 */
fletch_status fletch_list_dictionaries(const fletch_schema *schema, const fletch_limits *limits,
                                       fletch_listed_dictionary *list, size_t space, size_t *count,
                                       fletch_error *error);

/* In */

/** How to import; all zero is the default. */
typedef struct fletch_import_options {
    /** Nested fields, the outermost imported being 1; default and most 128. */
    uint32_t depth;
    /** ArrowSchemas visited, dictionaries too; default 2^24. One that stands in several places
     * counts each time. */
    uint64_t nodes;
    /**
     * The next dictionary id, counted up for each dictionary-encoded field, in pre-order; for
     * several imports into one schema. NULL: ids start at 0.
     */
    int64_t *next_id;
    /**
     * Or the ids of all of them, in ascending order of their fields, as fletch_list_dictionaries
     * has it; only `field` and `id` are looked at. A dictionary-encoded field that is not listed is
     * FLETCH_MISUSE. NULL: none are given.
     */
    const fletch_listed_dictionary *dictionaries;
    size_t dictionary_count; /**< How many are listed. */
} fletch_import_options;

/**
 * Adds the fields and metadata of an ArrowSchema, which must be a struct ("+s"), to the schema; no
 * field may be open. The ArrowSchema stays as it is, and the caller's to release.
 *
 * As with every call that builds, the first error stands, and fletch_finish tells it with its path.
 *
 *     misuse       `schema` is NULL or released
 *     invalid      the ArrowSchema is not as the interface wants it: counts, NULL or released
 *                  children or dictionaries, format strings (numbers are written without sign,
 *                  leading zeros or blanks, but for the minus of a scale); or the schema breaks a
 *                  rule of Arrow, of the builder's level
 *     unsupported  the format begins with no code that this library knows
 *     limit        more nodes, or deeper, than the options allow
 *
 * Pointers cannot be checked: ArrowSchema is for producers one trusts to follow the interface.
 */
fletch_status fletch_import_schema(fletch_builder *builder, const struct ArrowSchema *schema,
                                   const fletch_import_options *options);

/**
 * Adds an ArrowSchema of any type as a field, with all below it: to the schema, or as a child of
 * the open field. Else as fletch_import_schema.
 */
fletch_status fletch_import_field(fletch_builder *builder, const struct ArrowSchema *schema,
                                  const fletch_import_options *options);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
