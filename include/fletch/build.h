/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building: write a schema that every Arrow reader accepts, into memory the caller owns.
 *
 *     fletch_builder builder;
 *     fletch_builder_init(&builder, memory, sizeof memory);
 *     fletch_add_field(&builder, "id", fletch_int(64, true), 0);
 *     fletch_begin_field(&builder, "tags", fletch_list(), FLETCH_NULLABLE);
 *     fletch_add_field(&builder, "item", fletch_utf8(), FLETCH_NULLABLE);
 *     fletch_end_field(&builder);
 *     fletch_add_metadata(&builder, "origin", "sensor 7");
 *     status = fletch_finish(&builder, FLETCH_STREAM, &bytes, &size, &error);
 *
 * Every call checks what it is given, and returns a status; the first error stands, later calls do
 * nothing but return it, and fletch_finish reports it with the path of the field it happened at.
 * So it is enough to look at fletch_finish. Nothing the caller passes is kept: names, values and
 * arrays are copied at once.
 *
 *     invalid, missing,       what is given breaks a rule of Arrow, of the builder's level, as when
 *       unsupported             it is read
 *     malformed               text is not UTF-8, at level strict
 *     limit                   a field is deeper than FLETCH_MAX_DEPTH, or there are more than
 *                             FLETCH_BUILD_FEATURES features
 *     too-large               the schema is more than the format holds
 *     no-space, no-memory     the memory lent is too small, or the allocator gave none
 *     misuse                  the call does not fit here: no field is open, or all is finished;
 *                             or a level, version, kind or flag is not one that the call takes
 *
 * The bytes depend on the calls alone: not on the machine, the memory's size or its address.
 *
 * Fields may nest to 128 levels here; of today's readers Arrow C++ takes 125, arrow-rs 61.
 */
#ifndef FLETCH_BUILD_H
#define FLETCH_BUILD_H

#include "read.h"

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/** Flags of a field. */
enum {
    FLETCH_NULLABLE = 1 /**< Values may be null. (Not ARROW_FLAG_NULLABLE, which is 2.) */
};

/**
 * Memory that is certain to do, in bytes, for a schema of `fields` fields (children counted too)
 * whose names, time zones, metadata keys and values have `text` bytes in all, in `strings`
 * strings, with `pairs` metadata pairs, `dictionaries` dictionary-encoded fields, `type_ids` union
 * type ids in all and `depth` levels of nesting, finished as any kind but FLETCH_FILE and
 * FLETCH_BASE64 (a file takes two and a half times that, base64 as well).
 */
#define FLETCH_BUILD_SPACE(fields, pairs, dictionaries, strings, text, type_ids, depth)            \
    (640u + 76u * (fields) + 20u * (pairs) + 48u * (dictionaries) + 8u * (strings) + (text) +      \
     4u * (type_ids) + 20u * (depth))

/** What a level of nesting needs to know; not for users to touch. */
typedef struct fletch_build_level {
    uint32_t child_count, pair_count;
    uint8_t type_id;
    uint8_t type_ids; /* of a union; 255: absent */
    uint8_t mode;     /* of a union whose type ids are absent */
    bool is_nullable, has_dictionary;
    bool asks; /* each child is looked at: by rules of its type, or since none may nest so deep */
} fletch_build_level;

/** A vtable that was written, and the layout of its tables; not for users to touch. */
typedef struct fletch_build_layout {
    uint32_t position; /* 0: none */
    uint16_t key;
    uint8_t size, align;
    uint8_t slots[8];
} fletch_build_layout;

/** A type table that was written; not for users to touch. */
typedef struct fletch_build_type {
    uint64_t key[2]; /* its id and members */
    uint32_t position;
} fletch_build_type;

/** A short string that was written; not for users to touch. */
typedef struct fletch_build_string {
    uint32_t position;
    uint32_t hash;
} fletch_build_string;

/** The most features that a schema can have. */
#define FLETCH_BUILD_FEATURES 8u

/* Sizes of the caches that let equal vtables, types and short strings be shared. */
/** Vtables that are remembered: all layouts that there can be. */
#define FLETCH_BUILD_LAYOUTS  64u
/** Types that are remembered; a newer one pushes an older one out. */
#define FLETCH_BUILD_TYPES    16u
/** Timestamps with a zone that are remembered beside them. */
#define FLETCH_BUILD_ZONED    4u
/** Short strings that are remembered; a newer one pushes an older one out. */
#define FLETCH_BUILD_STRINGS  32u

/**
 * A builder: a plain value of about 4 KB, with no memory of its own beyond what it was lent or
 * what its allocator gave. Not for users to touch.
 */
typedef struct fletch_builder {
    fletch_allocator allocator;
    uint8_t *block;
    size_t size;
    uint8_t *end;    /* of the finished bytes, which `high` counts from */
    uint64_t room;   /* for low and high together; 0 when full, at fault or finished */
    uint64_t wanted; /* the most bytes that were in use at once, counted when out of memory */
    uint32_t low;    /* bytes used from the start: what waits for its parent */
    uint32_t high;   /* bytes used from the end: what is finished */
    uint32_t base;   /* bytes at the end that `high` does not count */
    uint32_t frame;  /* where the innermost open field's record stands in the low end */
    uint32_t depth;  /* open fields */
    uint32_t schema; /* the finished Schema table, and the bytes in use with it */
    uint32_t schema_high;
    int32_t version, endianness;
    uint8_t full; /* out of memory, as a status: calls are checked and sized, nothing is stored */
    bool is_growing, is_strict, is_finished, is_legacy;
    bool is_at_child; /* the error is in a field that was not opened */
    /* the first error */
    int32_t reason;
    uint32_t step_count;
    const char *names[3];
    uint32_t indices[3];
    int64_t value, other;
    uint32_t feature_count;
    int64_t features[FLETCH_BUILD_FEATURES];
    fletch_build_level levels[FLETCH_MAX_DEPTH + 1];
    uint32_t bare_type; /* the table of all types without members; 0: none yet */
    uint32_t layout_count;
    uint8_t layout_order[FLETCH_BUILD_LAYOUTS]; /* in which they came */
    fletch_build_layout layouts[FLETCH_BUILD_LAYOUTS];
    fletch_build_type types[FLETCH_BUILD_TYPES + FLETCH_BUILD_ZONED];
    fletch_build_string strings[FLETCH_BUILD_STRINGS];
} fletch_builder;

/* Beginning */

/**
 * Starts a schema in `size` bytes at `memory` (any alignment), which stay the caller's and must
 * outlive the result. Running out is FLETCH_NO_SPACE: later calls are checked and sized, and
 * fletch_finish tells in error->wanted a size that is certain to do. Size 0 only measures.
 */
void fletch_builder_init(fletch_builder *builder, void *memory, size_t size);

/**
 * Starts a schema in memory that grows through `allocator`, to be given back by
 * fletch_builder_release. See heap.h for one over malloc.
 */
void fletch_builder_init_growing(fletch_builder *builder, const fletch_allocator *allocator);

/** Starts anew in the same memory, with nothing freed or allocated; settings are defaults again. */
void fletch_builder_reset(fletch_builder *builder);

/**
 * Gives the memory back to the allocator; the bytes that fletch_finish gave end with it. Until
 * fletch_builder_reset, calls are FLETCH_MISUSE. Does nothing to memory that was lent.
 */
void fletch_builder_release(fletch_builder *builder);

/**
 * How much of Arrow's rules every call checks: FLETCH_LEVEL_STRICT (the default), or
 * FLETCH_LEVEL_ARROW, which also allows what others write: text that is not UTF-8, nullable map
 * keys, children on leaf types; all that is written as it was given. FLETCH_MISUSE for other
 * levels, or once something was added.
 */
fletch_status fletch_set_level(fletch_builder *builder, fletch_level level);

/** FLETCH_V5 (the default) or FLETCH_V4, for the message and footer. */
fletch_status fletch_set_version(fletch_builder *builder, int32_t version);

/**
 * Frames messages and streams as before Arrow 0.15, and sets version V4 (which can be changed
 * after). Files and base64 are framed as today, since their readers want it.
 */
fletch_status fletch_set_legacy_framing(fletch_builder *builder);

/** Schema.endianness, of the data: FLETCH_LITTLE_ENDIAN (the default) or FLETCH_BIG_ENDIAN. */
fletch_status fletch_set_endianness(fletch_builder *builder, int32_t endianness);

/** Adds to Schema.features: FLETCH_FEATURE_...; newer ones at level arrow only. */
fletch_status fletch_add_feature(fletch_builder *builder, int64_t feature);

/* Fields */

/** fletch_add_field for a name of any bytes, and a type where it stands. */
fletch_status fletch_add_field_of(fletch_builder *builder, fletch_string name,
                                  const fletch_type *type, unsigned flags);

/** fletch_begin_field for a name of any bytes, and a type where it stands. */
fletch_status fletch_begin_field_of(fletch_builder *builder, fletch_string name,
                                    const fletch_type *type, unsigned flags);

/** Adds a field without children. `name` may be NULL, which is written as "". */
static inline fletch_status fletch_add_field(fletch_builder *builder, const char *name,
                                             fletch_type type, unsigned flags)
{
    return fletch_add_field_of(builder, fletch_text(name), &type, flags);
}

/** Opens a field: its children, metadata and dictionary follow, then fletch_end_field. */
static inline fletch_status fletch_begin_field(fletch_builder *builder, const char *name,
                                               fletch_type type, unsigned flags)
{
    return fletch_begin_field_of(builder, fletch_text(name), &type, flags);
}

/**
 * Opens a field with the name, nullability, type, dictionary and metadata of `field`, which was
 * read or made by hand; children are not copied.
 */
fletch_status fletch_begin_field_like(fletch_builder *builder, const fletch_field *field);

/** Makes the open field dictionary-encoded. Its type and children are then the values'. */
fletch_status fletch_set_dictionary(fletch_builder *builder, int64_t id, fletch_int_type index_type,
                                    bool is_ordered);

/** Makes the open field an extension type: two metadata pairs, or one when metadata is NULL. */
fletch_status fletch_set_extension(fletch_builder *builder, const char *name, const char *metadata);

/** Closes the open field, with what its type asks of its children checked. */
fletch_status fletch_end_field(fletch_builder *builder);

/**
 * Adds a field as it was read, with all its children, metadata and dictionaries. Change members of
 * the struct before to rename, re-type and so on. FLETCH_UNSUPPORTED: it has a type, unit or kind
 * that is newer than this library. Takes about 6 KB of stack.
 */
fletch_status fletch_copy_field(fletch_builder *builder, const fletch_field *field);

/** Adds all of a schema: fields, metadata, features, endianness. Errors as fletch_copy_field's. */
fletch_status fletch_copy_schema(fletch_builder *builder, const fletch_schema *schema);

/* Metadata */

/** Adds a pair to the open field, or to the schema when none is open. */
fletch_status fletch_add_metadata(fletch_builder *builder, const char *key, const char *value);

/** The same for bytes of any kind; at level strict they must be UTF-8. */
fletch_status fletch_add_metadata_string(fletch_builder *builder, fletch_string key,
                                         fletch_string value);

/** Adds a pair to the Message's own custom_metadata; no field may be open. */
fletch_status fletch_add_message_metadata(fletch_builder *builder, fletch_string key,
                                          fletch_string value);

/** Adds a pair to the Footer's own custom_metadata; no field may be open. */
fletch_status fletch_add_footer_metadata(fletch_builder *builder, fletch_string key,
                                         fletch_string value);

/* Ending */

/**
 * Ends the schema and gives its bytes as any kind but FLETCH_PARQUET: FLETCH_SCHEMA, _MESSAGE and
 * _FOOTER bare, FLETCH_ENCAPSULATED, FLETCH_STREAM with its end, FLETCH_FILE without batches, or
 * FLETCH_BASE64 as Parquet's ARROW:schema has it. They stand in the builder's memory until
 * fletch_wrap, _reset, _release or the end of that memory.
 *
 * Returns the first error of all the calls; `error` may be NULL. FLETCH_MISUSE: a field is open, or
 * the schema was finished before.
 */
fletch_status fletch_finish(fletch_builder *builder, fletch_kind kind, const void **bytes,
                            size_t *size, fletch_error *error);

/**
 * Gives a finished schema as another kind; the bytes given before are overwritten. Lifetime and
 * errors as fletch_finish has them; FLETCH_MISUSE: it was not finished.
 */
fletch_status fletch_wrap(fletch_builder *builder, fletch_kind kind, const void **bytes,
                          size_t *size, fletch_error *error);

/* Types, in the format's own terms. What they are given is checked where they are used. */

/** A type without parameters, or with all of them 0. */
fletch_type fletch_type_of(int32_t id);

/** Null: no values. */
static inline fletch_type fletch_null(void)
{
    return fletch_type_of(FLETCH_TYPE_NULL);
}

/** Int: 8, 16, 32 or 64 bits. */
static inline fletch_type fletch_int(int32_t bit_width, bool is_signed)
{
    fletch_type type = fletch_type_of(FLETCH_TYPE_INT);

    type.as.integer.bit_width = bit_width;
    type.as.integer.is_signed = is_signed;
    return type;
}

/** FloatingPoint: FLETCH_HALF, FLETCH_SINGLE or FLETCH_DOUBLE. */
static inline fletch_type fletch_floating_point(int32_t precision)
{
    fletch_type type = fletch_type_of(FLETCH_TYPE_FLOATING_POINT);

    type.as.floating_point.precision = precision;
    return type;
}

/** Binary: bytes with 32-bit offsets. */
static inline fletch_type fletch_binary(void)
{
    return fletch_type_of(FLETCH_TYPE_BINARY);
}

/** Utf8: text with 32-bit offsets. */
static inline fletch_type fletch_utf8(void)
{
    return fletch_type_of(FLETCH_TYPE_UTF8);
}

/** Bool: a bit each. */
static inline fletch_type fletch_bool(void)
{
    return fletch_type_of(FLETCH_TYPE_BOOL);
}

/** Decimal: 32, 64, 128 or 256 bits, with 1 to 9, 18, 38 or 76 digits. */
static inline fletch_type fletch_decimal(int32_t precision, int32_t scale, int32_t bit_width)
{
    fletch_type type = fletch_type_of(FLETCH_TYPE_DECIMAL);

    type.as.decimal.precision = precision;
    type.as.decimal.scale = scale;
    type.as.decimal.bit_width = bit_width;
    return type;
}

/** Date: FLETCH_DAY (32 bits) or FLETCH_DATE_MILLISECOND (64 bits). */
static inline fletch_type fletch_date(int32_t unit)
{
    fletch_type type = fletch_type_of(FLETCH_TYPE_DATE);

    type.as.date.unit = unit;
    return type;
}

/** Time of day: 32 bits for FLETCH_SECOND and FLETCH_MILLISECOND, else 64. */
static inline fletch_type fletch_time(int32_t unit)
{
    fletch_type type = fletch_type_of(FLETCH_TYPE_TIME);

    type.as.time.unit = unit;
    type.as.time.bit_width = unit <= FLETCH_MILLISECOND ? 32 : 64;
    return type;
}

/** Timestamp; `timezone` NULL or "" is without a zone, and must live until the type is used. */
static inline fletch_type fletch_timestamp(int32_t unit, const char *timezone)
{
    fletch_type type = fletch_type_of(FLETCH_TYPE_TIMESTAMP);

    type.as.timestamp.unit = unit;
    type.as.timestamp.timezone = fletch_text(timezone);
    type.as.timestamp.has_timezone = timezone != NULL;
    return type;
}

/** Interval: FLETCH_YEAR_MONTH, FLETCH_DAY_TIME or FLETCH_MONTH_DAY_NANO. */
static inline fletch_type fletch_interval(int32_t unit)
{
    fletch_type type = fletch_type_of(FLETCH_TYPE_INTERVAL);

    type.as.interval.unit = unit;
    return type;
}

/** List: one child, 32-bit offsets. */
static inline fletch_type fletch_list(void)
{
    return fletch_type_of(FLETCH_TYPE_LIST);
}

/** Struct_: any number of children. */
static inline fletch_type fletch_struct(void)
{
    return fletch_type_of(FLETCH_TYPE_STRUCT);
}

/**
 * Union: FLETCH_SPARSE or FLETCH_DENSE, with a type id of 0 to 127 for each child. `type_ids` NULL:
 * 0, 1, 2... by position; else it must live until the type is used.
 */
static inline fletch_type fletch_union(int32_t mode, const int32_t *type_ids, uint32_t count)
{
    fletch_type type = fletch_type_of(FLETCH_TYPE_UNION);

    type.as.union_.mode = mode;
    type.as.union_.has_type_ids = type_ids != NULL;
    type.as.union_.type_ids.data = type_ids;
    type.as.union_.type_ids.count = type_ids != NULL ? count : 0;
    type.as.union_.type_ids.width = 4;
    type.as.union_.type_ids.native = true;
    return type;
}

/** FixedSizeBinary: bytes each, 0 or more. */
static inline fletch_type fletch_fixed_size_binary(int32_t byte_width)
{
    fletch_type type = fletch_type_of(FLETCH_TYPE_FIXED_SIZE_BINARY);

    type.as.fixed_size_binary.byte_width = byte_width;
    return type;
}

/** FixedSizeList: one child; elements each, 0 or more. */
static inline fletch_type fletch_fixed_size_list(int32_t list_size)
{
    fletch_type type = fletch_type_of(FLETCH_TYPE_FIXED_SIZE_LIST);

    type.as.fixed_size_list.list_size = list_size;
    return type;
}

/** Map: one child, a non-nullable Struct_ of a non-nullable key and a value. */
static inline fletch_type fletch_map(bool keys_sorted)
{
    fletch_type type = fletch_type_of(FLETCH_TYPE_MAP);

    type.as.map.keys_sorted = keys_sorted;
    return type;
}

/** Duration: 64 bits, of FLETCH_SECOND... */
static inline fletch_type fletch_duration(int32_t unit)
{
    fletch_type type = fletch_type_of(FLETCH_TYPE_DURATION);

    type.as.duration.unit = unit;
    return type;
}

/** LargeBinary: bytes with 64-bit offsets. */
static inline fletch_type fletch_large_binary(void)
{
    return fletch_type_of(FLETCH_TYPE_LARGE_BINARY);
}

/** LargeUtf8: text with 64-bit offsets. */
static inline fletch_type fletch_large_utf8(void)
{
    return fletch_type_of(FLETCH_TYPE_LARGE_UTF8);
}

/** LargeList: one child, 64-bit offsets. */
static inline fletch_type fletch_large_list(void)
{
    return fletch_type_of(FLETCH_TYPE_LARGE_LIST);
}

/** RunEndEncoded: two children, run_ends (signed Int of 16, 32 or 64 bits) and values. */
static inline fletch_type fletch_run_end_encoded(void)
{
    return fletch_type_of(FLETCH_TYPE_RUN_END_ENCODED);
}

/** BinaryView: bytes by views. */
static inline fletch_type fletch_binary_view(void)
{
    return fletch_type_of(FLETCH_TYPE_BINARY_VIEW);
}

/** Utf8View: text by views. */
static inline fletch_type fletch_utf8_view(void)
{
    return fletch_type_of(FLETCH_TYPE_UTF8_VIEW);
}

/** ListView: one child, 32-bit offsets and sizes. */
static inline fletch_type fletch_list_view(void)
{
    return fletch_type_of(FLETCH_TYPE_LIST_VIEW);
}

/** LargeListView: one child, 64-bit offsets and sizes. */
static inline fletch_type fletch_large_list_view(void)
{
    return fletch_type_of(FLETCH_TYPE_LARGE_LIST_VIEW);
}

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
