/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparing: whether two schemas are equal, where they differ, and a hash that agrees with that.
 *
 *     status = fletch_expect(bytes, size, NULL, &expected, NULL, &error);
 *     if (status == FLETCH_DIFFERENT) printf("%s: %s\n", error.path, error.sentence);
 *
 * What is absent equals what is empty, or the member's default: names, metadata, keys, values and
 * time zones equal "", type ids 0, 1, 2... by position, an index type 32 bits with a sign. Two
 * types newer than this library are equal if their numbers are. The order of fields and of features
 * matters, that of metadata unless it is ignored. What a schema came in (container, version,
 * metadata of the message or footer) is no part of it.
 *
 * Nothing here allocates, and work is bounded as for verification. A call takes some 13 KB of
 * stack.
 */
#ifndef FLETCH_COMPARE_H
#define FLETCH_COMPARE_H

#include "read.h"

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/** What makes no difference, and does not enter the hash; all zero is the default: nothing. */
typedef struct fletch_compare_options {
    fletch_limits limits; /**< Bounds of the work, for each of the two schemas. */
    /** All metadata, of schema and fields; so an extension type equals its storage. */
    bool ignore_metadata;
    /** The order of metadata: what was repeated must still be there as often. */
    bool ignore_metadata_order;
    /** Names that the format leaves free: of the children of lists of all kinds, maps and
     * run-end encoded fields, and of a map's key and value. */
    bool ignore_child_names;
    /** Ids of dictionaries, and so which fields share one. */
    bool ignore_dictionary_ids;
    bool ignore_endianness; /**< Schema.endianness. */
    bool ignore_features;   /**< Schema.features. */
    /**
     * Memory of any alignment, used only where the order of metadata is ignored and differs;
     * free again afterwards. FLETCH_NO_SPACE tells in error->wanted how much is certain to do.
     */
    void *memory;
    size_t memory_size; /**< Bytes of memory. */
} fletch_compare_options;

/** Bytes of memory for each pair of the longest metadata of the one and of the other schema. */
#define FLETCH_COMPARE_MEMORY 16u

/**
 * Compares two schemas: FLETCH_OK, or FLETCH_DIFFERENT with the first difference. Its path starts
 * at the schema ("fields[3].type.timezone", "custom_metadata[2].value"), its offset is in what `a`
 * came from, and its sentence has the value in `a` first: `bitWidth 32 against 64`,
 * `unit SECOND against MILLISECOND`.
 *
 * Fields are compared by position, each before its children; what the schema has beside fields
 * comes first, but for its metadata, which comes last. Other statuses are of a fault in one of the
 * two, and offset and path are of that one; FLETCH_MISSING: one is empty, as when it failed to
 * open. `options` and `error` may be NULL.
 */
fletch_status fletch_compare(const fletch_schema *a, const fletch_schema *b,
                             const fletch_compare_options *options, fletch_error *error);

/**
 * fletch_open_with and fletch_compare in one: is this file's schema the expected one? The schema of
 * the bytes is the first of the two. `open_options` may be NULL, too.
 */
fletch_status fletch_expect(const void *bytes, size_t size, const fletch_options *open_options,
                            const fletch_schema *expected,
                            const fletch_compare_options *compare_options, fletch_error *error);

/** What it is that differs. */
typedef enum fletch_aspect {
    FLETCH_ASPECT_ENDIANNESS, /**< Schema.endianness. */
    FLETCH_ASPECT_FEATURES,   /**< One of Schema.features, or how many there are. */
    FLETCH_ASPECT_FIELD,      /**< A field that only one schema has. */
    FLETCH_ASPECT_NAME,       /**< A field's name. */
    FLETCH_ASPECT_NULLABLE,   /**< Whether a field is nullable. */
    FLETCH_ASPECT_TYPE,       /**< A field's type, fletch_type.id. */
    FLETCH_ASPECT_PARAMETER,  /**< A parameter of a type that both have. */
    FLETCH_ASPECT_DICTIONARY, /**< Whether a field is dictionary-encoded. */
    FLETCH_ASPECT_ENCODING,   /**< Id, index type, order or kind of a dictionary. */
    FLETCH_ASPECT_METADATA    /**< A pair that only one has, a key or a value. */
} fletch_aspect;

/** How the values that differ are given. */
typedef enum fletch_form {
    FLETCH_FORM_PRESENCE,   /**< fletch_difference_side.is_there. */
    FLETCH_FORM_NUMBER,     /**< As a number. */
    FLETCH_FORM_COUNT,      /**< As a number: how many elements there are. */
    FLETCH_FORM_ENUMERATOR, /**< As a number that the model has a name for: FLETCH_SECOND... */
    FLETCH_FORM_BOOL,       /**< As a number, 0 or 1. */
    FLETCH_FORM_STRING      /**< As a string. */
} fletch_form;

/** One schema's part in a difference. */
typedef struct fletch_difference_side {
    bool is_there;                /**< false: only the other schema has what the path leads to. */
    const fletch_field *field;    /**< The field it is in; of FLETCH_ASPECT_FIELD, the field itself.
                                       NULL: there is none. */
    const fletch_key_value *pair; /**< The pair, of FLETCH_ASPECT_METADATA; else NULL. */
    int64_t number;               /**< The value, as the form says. */
    fletch_string string;         /**< Likewise. */
    uint64_t offset; /**< As fletch_error.offset; where absent, of what it is not in. */
} fletch_difference_side;

/** A difference; it and all it leads to are valid during the call that it is given to. */
typedef struct fletch_difference {
    fletch_aspect aspect;     /**< What differs. */
    fletch_form form;         /**< How both sides give it. */
    fletch_difference_side a; /**< The first schema's part. */
    fletch_difference_side b; /**< The second's. */
    fletch_error error;       /**< What fletch_compare would tell: path, sentence, offset in a. */
} fletch_difference;

/** Takes a difference; false: no more of them. */
typedef bool (*fletch_take_difference)(void *context, const fletch_difference *difference);

/**
 * Tells every difference, in the order that fletch_compare has. Children of two fields are compared
 * by position as far as both have them, whatever else differs; each one beyond is a difference,
 * without its own children.
 *
 * Returns FLETCH_DIFFERENT if there was any; `error` then says no more than that. Other statuses
 * can come after differences were told.
 */
fletch_status fletch_compare_each(const fletch_schema *a, const fletch_schema *b,
                                  const fletch_compare_options *options,
                                  fletch_take_difference take, void *context, fletch_error *error);

/**
 * A 64-bit hash: schemas that are equal under some options have equal hashes under them. It is the
 * same on every host and in every version. No defence against those who look for collisions.
 *
 * The hash is 0, and takes in one 64-bit word after the other, with all arithmetic modulo 2^64:
 *
 *     z = (hash ^ word) + 0x9E3779B97F4A7C15
 *     z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
 *     z = (z ^ (z >> 27)) * 0x94D049BB133111EB
 *     hash = z ^ (z >> 31)
 *
 * The words: the Schema table, then every field's in pre-order. Of a table come those members that
 * are neither ignored nor at their default, each as its slot in the format plus 1, then its value;
 * a 0 ends the table. First come the scalars, strings and integer vectors, then, with their slots,
 * what else the table has, both in the order of slots.
 *
 * - A scalar is a word, with its sign. Field.type_type is one.
 * - A string is its size, then its bytes, eight a word, little-endian, zeros filling the last.
 * - An integer vector is its count, then its elements. typeIds of 0, 1, 2... for each child are at
 *   their default.
 * - A vector of fields is its count.
 * - custom_metadata is its count, then each key and value; where order is ignored, the count, then
 *   the sum of the hashes that start from 0 with one pair's key and value each.
 * - Field.type, always there, is a table: of types newer than this library, an empty one.
 * - Field.dictionary is a table, in which indexType is always there.
 *
 * `options` and `error` may be NULL. When FLETCH_OK is not returned, `*hash` is 0.
 */
fletch_status fletch_hash(const fletch_schema *schema, const fletch_compare_options *options,
                          uint64_t *hash, fletch_error *error);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
