/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading: open, verify, step through fields and metadata, find by name or path.
 *
 * Nothing here allocates, and no call on any bytes reads outside of them, verified or not, even
 * when they change meanwhile. What is returned are views that live as long as the bytes do.
 */
#ifndef FLETCH_READ_H
#define FLETCH_READ_H

#include "model.h"

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/** The containers an Arrow schema comes in. */
typedef enum fletch_kind {
    FLETCH_SNIFF = 0,    /**< Not said: look at the bytes. */
    FLETCH_SCHEMA,       /**< A bare flatbuffer with root Schema. */
    FLETCH_MESSAGE,      /**< A bare flatbuffer with root Message (Flight's data_header). */
    FLETCH_FOOTER,       /**< A bare flatbuffer with root Footer. */
    FLETCH_ENCAPSULATED, /**< One framed message, and nothing behind it. */
    FLETCH_STREAM,       /**< An IPC stream: framed messages, the first is the schema's. */
    FLETCH_FILE,         /**< An IPC file (Feather V2). */
    FLETCH_PARQUET,      /**< A Parquet file with the key ARROW:schema. */
    FLETCH_BASE64        /**< Base64 text of a framed or bare message, as that key has. */
} fletch_kind;

/** The word of a kind ("stream"), a constant, as the program takes it; "unknown" for others. */
const char *fletch_kind_word(fletch_kind kind);

/** How much is checked; each level includes the ones before it. */
typedef enum fletch_level {
    FLETCH_LEVEL_DEFAULT = 0, /**< FLETCH_LEVEL_ARROW. */
    FLETCH_LEVEL_UNCHECKED,   /**< Only what it takes to reach the schema's table. */
    FLETCH_LEVEL_STRUCTURE,   /**< The rules of FlatBuffers, over everything. */
    FLETCH_LEVEL_ARROW,       /**< And the schema makes sense: widths, units, child counts... */
    FLETCH_LEVEL_STRICT       /**< And what good writers do: UTF-8, alignment of 8-byte words... */
} fletch_level;

/** Bounds on the work that any input can cause; 0 stands for the default. */
typedef struct fletch_limits {
    uint32_t depth;  /**< Nested fields, a top-level field being 1; default and most 128. */
    uint64_t tables; /**< Tables visited; default: the flatbuffer's size in bytes. */
    uint64_t text;   /**< Bytes of text read; default: 16 x the flatbuffer's size + 1 MiB. */
} fletch_limits;

/** How to open; all zero is the default. */
typedef struct fletch_options {
    fletch_kind kind;     /**< What the bytes are, or FLETCH_SNIFF. */
    fletch_level level;   /**< How much to check. */
    fletch_limits limits; /**< Bounds of the check. */
    /**
     * Memory to decode into, used for base64 and Parquet only; must outlive the schema.
     * FLETCH_NO_SPACE tells in fletch_error.wanted how much is needed.
     */
    void *scratch;
    size_t scratch_size; /**< Bytes of scratch. */
    bool stream_copy;    /**< Files: open the schema message at the head, not the footer's. */
} fletch_options;

/** The wrapper a schema came in: Message or Footer, and the framing around it. */
typedef struct fletch_wrapper {
    fletch_kind kind;    /**< What the bytes are: as said, or as sniffed. */
    fletch_kind root;    /**< The flatbuffer's root: FLETCH_SCHEMA, _MESSAGE or _FOOTER. */
    bool legacy_framing; /**< The framing is that of Arrow before 0.15, without FFFFFFFF. */
    bool has_version;    /**< false: absent (reads as V1), or a bare Schema. */
    int32_t version;     /**< Message.version or Footer.version: FLETCH_V5, or any raw number. */
    int32_t header_type; /**< Message.header_type: FLETCH_HEADER_..., or any raw number. */
    int64_t body_length; /**< Message.bodyLength: bytes of body behind the message. */
    fletch_metadata metadata; /**< custom_metadata of the Message or Footer. */
    bool has_metadata;        /**< false: absent, not just empty. */
    /** Where the message (its framing included), or the bare flatbuffer, starts in the input; for
     * base64 and Parquet, in the decoded bytes. */
    uint64_t begin;
    uint64_t flatbuffer; /**< Where its flatbuffer starts, likewise. */
    uint64_t end;        /**< Behind it, padding included: there the body or next message starts. */
} fletch_wrapper;

/**
 * An opened schema. Immutable: threads may share it, and every iterator copied from it steps on
 * its own. Valid as long as the bytes (or the scratch memory) it was opened from.
 */
typedef struct fletch_schema {
    fletch_buffer buffer;     /**< The flatbuffer; for fletch's own calls. */
    fletch_fields fields;     /**< The top-level fields. */
    fletch_metadata metadata; /**< custom_metadata of the Schema. */
    fletch_integers features; /**< FLETCH_FEATURE_..., or newer ones. */
    int32_t endianness;       /**< FLETCH_LITTLE_ENDIAN, FLETCH_BIG_ENDIAN, or a raw number. */
    bool has_fields;          /**< false: absent, not just empty. */
    bool has_metadata;        /**< false: absent, not just empty. */
    bool has_features;        /**< false: absent, not just empty. */
    /** Where its table starts in the flatbuffer; 0: there is none, as where opening failed. Calls
     * that take the schema then say FLETCH_MISSING. */
    uint32_t at;
    uint64_t origin;        /**< Where the flatbuffer starts in the input; see fletch_wrapper. */
    fletch_wrapper wrapper; /**< What the schema came in. */
} fletch_schema;

/**
 * Finds the schema in the bytes, whatever container they are, and checks it at level arrow.
 *
 * On return `*schema` can be walked if its structure holds: always with FLETCH_OK, and also with
 * unsupported, invalid and missing where it says so by `schema->at` not being 0; else it is empty
 * (no fields), never undefined. `error` may be NULL. For base64 and Parquet, which need memory to
 * decode into, use fletch_open_with. Work and stack are bounded: see fletch_limits.
 */
fletch_status fletch_open(const void *bytes, size_t size, fletch_schema *schema,
                          fletch_error *error);

/**
 * fletch_open with options; `options` may be NULL. FLETCH_NO_SPACE: base64 or Parquet takes more
 * memory than was lent. FLETCH_MISUSE: there is no such kind or level.
 */
fletch_status fletch_open_with(const void *bytes, size_t size, const fletch_options *options,
                               fletch_schema *schema, fletch_error *error);

/** fletch_open_with, for those who want the verdict only. */
fletch_status fletch_verify(const void *bytes, size_t size, const fletch_options *options,
                            fletch_error *error);

/** Bytes of memory per dictionary-encoded field that fletch_check_dictionaries takes. */
#define FLETCH_DICTIONARY_MEMORY 16u

/**
 * Checks that fields which share a dictionary id have the same value type: types of field and
 * children are compared; names, nullability, metadata and inner dictionaries are not.
 *
 * `memory` holds FLETCH_DICTIONARY_MEMORY bytes for each dictionary-encoded field of the schema
 * (any alignment), and is free again afterwards; FLETCH_NO_SPACE tells in error->wanted how much.
 * FLETCH_INVALID names the second of two fields in conflict. `limits` may be NULL.
 */
fletch_status fletch_check_dictionaries(const fletch_schema *schema, void *memory, size_t size,
                                        const fletch_limits *limits, fletch_error *error);

/* Steps */

/**
 * Decodes the next field; false at the end, or at damage: fields->status tells which. `field` is
 * undefined then. Damage cannot come up in verified bytes that stay as they are.
 */
bool fletch_next_field(fletch_fields *fields, fletch_field *field);

/** How many fields are left to step through. */
static inline uint32_t fletch_count_fields(const fletch_fields *fields)
{
    return (fields->end - fields->position) / 4;
}

/** Decodes field `index`, 0 being the next one; FLETCH_MISSING beyond the end. */
fletch_status fletch_field_at(const fletch_fields *fields, uint32_t index, fletch_field *field);

/** Decodes the next pair; false at the end, or at damage: metadata->status tells which. */
bool fletch_next_metadata(fletch_metadata *metadata, fletch_key_value *pair);

/** How many pairs are left to step through. */
static inline uint32_t fletch_count_metadata(const fletch_metadata *metadata)
{
    return (metadata->end - metadata->position) / 4;
}

/** The type id of child `index` of a union: as stored, or `index` where typeIds is absent. */
int32_t fletch_union_type_id(const fletch_type *type, uint32_t index);

/**
 * How many buffers a record batch holds for this field itself, without its children, dictionary
 * values or variadic buffers, in metadata version `version` (FLETCH_V4 or FLETCH_V5: unions lost
 * their validity buffer in V5); -1 when the type is unknown.
 */
int32_t fletch_count_buffers(const fletch_field *field, int32_t version);

/* Finding */

/**
 * The first field with this name, among those left to step through; FLETCH_MISSING: none. Of the
 * fields before it only the names are looked at.
 */
fletch_status fletch_find_field(const fletch_fields *fields, fletch_string name,
                                fletch_field *field);

/**
 * The index of the field that fletch_find_field finds, as fletch_field_at takes it. Where it finds
 * none, `index` is that of the damage, or how many fields there are.
 */
fletch_status fletch_find_index(const fletch_fields *fields, fletch_string name, uint32_t *index);

/**
 * The field at a path of names, "a.b.item": child `item` of child `b` of field `a`, the first of
 * each name. A dot or backslash inside a name is written with a backslash before it.
 * FLETCH_MISSING: none.
 */
fletch_status fletch_find_path(const fletch_fields *fields, fletch_string path,
                               fletch_field *field);

/**
 * Steps to the next pair with this key, so that a further call finds a further match; false: no
 * more, or damage (metadata->status). Pairs without a key match nothing.
 */
bool fletch_find_metadata(fletch_metadata *metadata, fletch_string key, fletch_key_value *pair);

/** An extension type: the keys ARROW:extension:name and ARROW:extension:metadata of a field. */
typedef struct fletch_extension {
    fletch_string name;     /**< "arrow.uuid". */
    fletch_string metadata; /**< Opaque bytes; empty where absent. */
    bool has_metadata;      /**< false: absent, not just empty. */
} fletch_extension;

/** The extension type of a field; FLETCH_MISSING: it has none. */
fletch_status fletch_find_extension(const fletch_field *field, fletch_extension *extension);

/* Walking the whole tree */

/** The most that fields can nest; fletch_limits.depth can only lower it. */
#define FLETCH_MAX_DEPTH    128u

/** Vtables that a walk remembers; not for users to touch. */
#define FLETCH_WALK_VTABLES 70u

/** A run of sibling fields under way; not for users to touch. */
typedef struct fletch_walk_run {
    uint32_t begin, position, end; /* elements of the vector of offsets */
    uint32_t parent;               /* the table that the run belongs to */
    int32_t parent_type;
} fletch_walk_run;

/**
 * A walk over all fields of a schema in pre-order: each field before its children, with bounded
 * work, no recursion, and about 5 KB of memory for its state.
 *
 *     fletch_walk walk;
 *     fletch_field field;
 *     fletch_walk_begin(&walk, &schema, NULL);
 *     while (fletch_walk_next(&walk, &field))
 *         printf("%*s%.*s\n", (int)walk.depth, "", (int)field.name.size, field.name.data);
 *     if (walk.status != FLETCH_OK) ...
 */
typedef struct fletch_walk {
    fletch_status status; /**< FLETCH_OK, also at the end; else why the walk ended. */
    uint32_t depth;       /**< Of the field just returned: 0 for a top-level field. */
    uint32_t index;       /**< Its place among its siblings. */

    /* the rest is not for users to touch */
    fletch_buffer buffer;
    uint64_t tables, text; /* the budgets, and what is left of them */
    uint64_t tables_left, text_left;
    uint32_t max_depth, open_runs, left_at;
    fletch_walk_run run;      /* the innermost */
    fletch_walk_run children; /* of the field just returned, to be walked next */
    fletch_vtable vtables[FLETCH_WALK_VTABLES];
    fletch_walk_run outer[FLETCH_MAX_DEPTH];
} fletch_walk;

/** Starts a walk over `schema`; `limits` may be NULL. */
void fletch_walk_begin(fletch_walk *walk, const fletch_schema *schema, const fletch_limits *limits);

/** Decodes the next field; false at the end, or at damage or a limit: walk->status tells which. */
bool fletch_walk_next(fletch_walk *walk, fletch_field *field);

/**
 * fletch_next_metadata within a walk: the same pairs, faster where there are many, and counted in
 * the walk's budget of tables. `metadata` is that of a field just returned, or of the schema.
 */
bool fletch_walk_metadata(fletch_walk *walk, fletch_metadata *metadata, fletch_key_value *pair);

/** Leaves out the children of the field just returned. */
void fletch_walk_skip(fletch_walk *walk);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
