/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every Arrow table, described once: its members as rows. A row's place in its list is the member's
 * slot, so the rows of a table stand in the order of the format's documents, without gaps.
 *
 * A type from a newer Arrow is added by its rows here, its line in TYPE_TABLES, and its enumerator
 * in model.h.
 */
#ifndef FLETCH_SRC_ROWS_H
#define FLETCH_SRC_ROWS_H

#include "fletch/read.h"

typedef enum row_kind {
    ROW_BOOL,     /* bool */
    ROW_TAG,      /* u8 union tag -> int32_t */
    ROW_I16,      /* enum -> int32_t */
    ROW_I32,      /* int32_t */
    ROW_I64,      /* int64_t */
    ROW_STRING,   /* fletch_string */
    ROW_TABLE,    /* position of a table -> uint32_t */
    ROW_UNION,    /* position of the value -> uint32_t; `flag` is the tag's member */
    ROW_FIELDS,   /* [Field] -> fletch_fields */
    ROW_PAIRS,    /* [KeyValue] -> fletch_metadata */
    ROW_INTEGERS, /* [i32] or [i64] by `width` -> fletch_integers */
    ROW_BLOCKS    /* [Block]: checked, not kept */
} row_kind;

#define NO_MEMBER UINT16_MAX

struct row {
    const char *name; /* as Arrow's documents spell it */
    uint8_t kind;
    uint8_t size;    /* bytes inline */
    uint8_t width;   /* vectors: bytes per element */
    int16_t absent;  /* scalars: the default */
    uint16_t member; /* offsetof in the model's struct, or NO_MEMBER */
    uint16_t flag;   /* bool that says whether it is there, or NO_MEMBER */
};

#define MEMBER(struct_type, member) (uint16_t) offsetof(struct_type, member)
#define SCALAR(name, kind, size, type, member, absent)                                             \
    {                                                                                              \
        name, kind, size, 0, absent, MEMBER(type, member), NO_MEMBER                               \
    }
#define REFERENCE(name, kind, width, type, member, flag)                                           \
    {                                                                                              \
        name, kind, 4, width, 0, MEMBER(type, member), MEMBER(type, flag)                          \
    }
#define POSITION(name, type, member)                                                               \
    {                                                                                              \
        name, ROW_TABLE, 4, 0, 0, MEMBER(type, member), NO_MEMBER                                  \
    }

static const struct row schema_rows[] = {
    SCALAR("endianness", ROW_I16, 2, fletch_schema, endianness, FLETCH_LITTLE_ENDIAN),
    REFERENCE("fields", ROW_FIELDS, 4, fletch_schema, fields, has_fields),
    REFERENCE("custom_metadata", ROW_PAIRS, 4, fletch_schema, metadata, has_metadata),
    REFERENCE("features", ROW_INTEGERS, 8, fletch_schema, features, has_features),
};

static const struct row message_rows[] = {
    {"version", ROW_I16, 2, 0, FLETCH_V1, MEMBER(fletch_schema, wrapper.version),
     MEMBER(fletch_schema, wrapper.has_version)},
    SCALAR("header_type", ROW_TAG, 1, fletch_schema, wrapper.header_type, FLETCH_HEADER_NONE),
    REFERENCE("header", ROW_UNION, 0, fletch_schema, at, wrapper.header_type),
    SCALAR("bodyLength", ROW_I64, 8, fletch_schema, wrapper.body_length, 0),
    REFERENCE("custom_metadata", ROW_PAIRS, 4, fletch_schema, wrapper.metadata,
              wrapper.has_metadata),
};

static const struct row footer_rows[] = {
    {"version", ROW_I16, 2, 0, FLETCH_V1, MEMBER(fletch_schema, wrapper.version),
     MEMBER(fletch_schema, wrapper.has_version)},
    POSITION("schema", fletch_schema, at),
    {"dictionaries", ROW_BLOCKS, 4, 24, 0, NO_MEMBER, NO_MEMBER},
    {"recordBatches", ROW_BLOCKS, 4, 24, 0, NO_MEMBER, NO_MEMBER},
    REFERENCE("custom_metadata", ROW_PAIRS, 4, fletch_schema, wrapper.metadata,
              wrapper.has_metadata),
};

static const struct row field_rows[] = {
    REFERENCE("name", ROW_STRING, 1, fletch_field, name, has_name),
    SCALAR("nullable", ROW_BOOL, 1, fletch_field, nullable, false),
    SCALAR("type_type", ROW_TAG, 1, fletch_field, type.id, FLETCH_TYPE_NONE),
    REFERENCE("type", ROW_UNION, 0, fletch_field, type.at, type.id),
    POSITION("dictionary", fletch_field, dictionary.at),
    REFERENCE("children", ROW_FIELDS, 4, fletch_field, children, has_children),
    REFERENCE("custom_metadata", ROW_PAIRS, 4, fletch_field, metadata, has_metadata),
};

static const struct row key_value_rows[] = {
    REFERENCE("key", ROW_STRING, 1, fletch_key_value, key, has_key),
    REFERENCE("value", ROW_STRING, 1, fletch_key_value, value, has_value),
};

static const struct row dictionary_rows[] = {
    SCALAR("id", ROW_I64, 8, fletch_dictionary, id, 0),
    POSITION("indexType", fletch_dictionary, index_type_at),
    SCALAR("isOrdered", ROW_BOOL, 1, fletch_dictionary, is_ordered, false),
    SCALAR("dictionaryKind", ROW_I16, 2, fletch_dictionary, kind, FLETCH_DENSE_ARRAY),
};

/* Int stands in fletch_type.as and in fletch_dictionary: `base` is the struct that holds it. */
#define INT_ROWS(type, base)                                                                       \
    SCALAR("bitWidth", ROW_I32, 4, type, base bit_width, 0),                                       \
        SCALAR("is_signed", ROW_BOOL, 1, type, base is_signed, false)

static const struct row index_type_rows[] = {INT_ROWS(fletch_int_type, )};
static const struct row int_rows[] = {INT_ROWS(fletch_type, as.integer.)};

static const struct row floating_point_rows[] = {
    SCALAR("precision", ROW_I16, 2, fletch_type, as.floating_point.precision, FLETCH_HALF),
};

static const struct row decimal_rows[] = {
    SCALAR("precision", ROW_I32, 4, fletch_type, as.decimal.precision, 0),
    SCALAR("scale", ROW_I32, 4, fletch_type, as.decimal.scale, 0),
    SCALAR("bitWidth", ROW_I32, 4, fletch_type, as.decimal.bit_width, 128),
};

static const struct row date_rows[] = {
    SCALAR("unit", ROW_I16, 2, fletch_type, as.date.unit, FLETCH_DATE_MILLISECOND),
};

static const struct row time_rows[] = {
    SCALAR("unit", ROW_I16, 2, fletch_type, as.time.unit, FLETCH_MILLISECOND),
    SCALAR("bitWidth", ROW_I32, 4, fletch_type, as.time.bit_width, 32),
};

static const struct row timestamp_rows[] = {
    SCALAR("unit", ROW_I16, 2, fletch_type, as.timestamp.unit, FLETCH_SECOND),
    REFERENCE("timezone", ROW_STRING, 1, fletch_type, as.timestamp.timezone,
              as.timestamp.has_timezone),
};

static const struct row interval_rows[] = {
    SCALAR("unit", ROW_I16, 2, fletch_type, as.interval.unit, FLETCH_YEAR_MONTH),
};

static const struct row union_rows[] = {
    SCALAR("mode", ROW_I16, 2, fletch_type, as.union_.mode, FLETCH_SPARSE),
    REFERENCE("typeIds", ROW_INTEGERS, 4, fletch_type, as.union_.type_ids, as.union_.has_type_ids),
};

static const struct row fixed_size_binary_rows[] = {
    SCALAR("byteWidth", ROW_I32, 4, fletch_type, as.fixed_size_binary.byte_width, 0),
};

static const struct row fixed_size_list_rows[] = {
    SCALAR("listSize", ROW_I32, 4, fletch_type, as.fixed_size_list.list_size, 0),
};

static const struct row map_rows[] = {
    SCALAR("keysSorted", ROW_BOOL, 1, fletch_type, as.map.keys_sorted, false),
};

static const struct row duration_rows[] = {
    SCALAR("unit", ROW_I16, 2, fletch_type, as.duration.unit, FLETCH_MILLISECOND),
};

/* A list of rows with its length, as two arguments or initialisers. */
#define ROWS(rows) rows, (uint32_t)(sizeof(rows) / sizeof((rows)[0]))
#define NO_ROWS    NULL, 0u

/* X(enumerator, name, rows): the tables of the union Type, by tag. Tables without members have no
 * rows, but are still checked as tables. */
#define TYPE_TABLES(X)                                                                             \
    X(NONE, "NONE", NO_ROWS)                                                                       \
    X(NULL, "Null", NO_ROWS)                                                                       \
    X(INT, "Int", ROWS(int_rows))                                                                  \
    X(FLOATING_POINT, "FloatingPoint", ROWS(floating_point_rows))                                  \
    X(BINARY, "Binary", NO_ROWS)                                                                   \
    X(UTF8, "Utf8", NO_ROWS)                                                                       \
    X(BOOL, "Bool", NO_ROWS)                                                                       \
    X(DECIMAL, "Decimal", ROWS(decimal_rows))                                                      \
    X(DATE, "Date", ROWS(date_rows))                                                               \
    X(TIME, "Time", ROWS(time_rows))                                                               \
    X(TIMESTAMP, "Timestamp", ROWS(timestamp_rows))                                                \
    X(INTERVAL, "Interval", ROWS(interval_rows))                                                   \
    X(LIST, "List", NO_ROWS)                                                                       \
    X(STRUCT, "Struct_", NO_ROWS)                                                                  \
    X(UNION, "Union", ROWS(union_rows))                                                            \
    X(FIXED_SIZE_BINARY, "FixedSizeBinary", ROWS(fixed_size_binary_rows))                          \
    X(FIXED_SIZE_LIST, "FixedSizeList", ROWS(fixed_size_list_rows))                                \
    X(MAP, "Map", ROWS(map_rows))                                                                  \
    X(DURATION, "Duration", ROWS(duration_rows))                                                   \
    X(LARGE_BINARY, "LargeBinary", NO_ROWS)                                                        \
    X(LARGE_UTF8, "LargeUtf8", NO_ROWS)                                                            \
    X(LARGE_LIST, "LargeList", NO_ROWS)                                                            \
    X(RUN_END_ENCODED, "RunEndEncoded", NO_ROWS)                                                   \
    X(BINARY_VIEW, "BinaryView", NO_ROWS)                                                          \
    X(UTF8_VIEW, "Utf8View", NO_ROWS)                                                              \
    X(LIST_VIEW, "ListView", NO_ROWS)                                                              \
    X(LARGE_LIST_VIEW, "LargeListView", NO_ROWS)

#endif
