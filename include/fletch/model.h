/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An Arrow schema as plain C values. The reader fills these structs; the builder takes the same.
 *
 * Strings and vectors are views into bytes that somebody else owns: of the buffer that was opened,
 * or of what the caller gave. Enumerators are integer members with named constants, so a value
 * from a newer Arrow keeps its number.
 */
#ifndef FLETCH_MODEL_H
#define FLETCH_MODEL_H

#include "base.h"

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/** fletch_type.id: the tags of Arrow's union Type. Values above 26 come from a newer Arrow. */
enum {
    FLETCH_TYPE_NONE = 0,               /**< The field has no type. */
    FLETCH_TYPE_NULL = 1,               /**< No values. */
    FLETCH_TYPE_INT = 2,                /**< as.integer */
    FLETCH_TYPE_FLOATING_POINT = 3,     /**< as.floating_point */
    FLETCH_TYPE_BINARY = 4,             /**< Bytes with 32-bit offsets. */
    FLETCH_TYPE_UTF8 = 5,               /**< Text with 32-bit offsets. */
    FLETCH_TYPE_BOOL = 6,               /**< A bit each. */
    FLETCH_TYPE_DECIMAL = 7,            /**< as.decimal */
    FLETCH_TYPE_DATE = 8,               /**< as.date */
    FLETCH_TYPE_TIME = 9,               /**< as.time */
    FLETCH_TYPE_TIMESTAMP = 10,         /**< as.timestamp */
    FLETCH_TYPE_INTERVAL = 11,          /**< as.interval */
    FLETCH_TYPE_LIST = 12,              /**< One child, 32-bit offsets. */
    FLETCH_TYPE_STRUCT = 13,            /**< Any number of children. */
    FLETCH_TYPE_UNION = 14,             /**< as.union_; up to 128 children. */
    FLETCH_TYPE_FIXED_SIZE_BINARY = 15, /**< as.fixed_size_binary */
    FLETCH_TYPE_FIXED_SIZE_LIST = 16,   /**< as.fixed_size_list; one child. */
    FLETCH_TYPE_MAP = 17,               /**< as.map; one child, a struct of key and value. */
    FLETCH_TYPE_DURATION = 18,          /**< as.duration */
    FLETCH_TYPE_LARGE_BINARY = 19,      /**< Bytes with 64-bit offsets. */
    FLETCH_TYPE_LARGE_UTF8 = 20,        /**< Text with 64-bit offsets. */
    FLETCH_TYPE_LARGE_LIST = 21,        /**< One child, 64-bit offsets. */
    FLETCH_TYPE_RUN_END_ENCODED = 22,   /**< Two children, run ends and values. */
    FLETCH_TYPE_BINARY_VIEW = 23,       /**< Bytes by views. */
    FLETCH_TYPE_UTF8_VIEW = 24,         /**< Text by views. */
    FLETCH_TYPE_LIST_VIEW = 25,         /**< One child, 32-bit offsets and sizes. */
    FLETCH_TYPE_LARGE_LIST_VIEW = 26    /**< One child, 64-bit offsets and sizes. */
};

/** Message.version and Footer.version: Arrow's MetadataVersion. V1 is also what absent means. */
enum {
    FLETCH_V1 = 0, /**< Arrow 0.1. */
    FLETCH_V2 = 1, /**< Arrow 0.2. */
    FLETCH_V3 = 2, /**< Arrow 0.3 to 0.7. */
    FLETCH_V4 = 3, /**< Arrow 0.8 to 0.17. */
    FLETCH_V5 = 4  /**< Arrow 1.0 and newer. */
};

/** Schema.endianness: of the data, never of the metadata. */
enum {
    FLETCH_LITTLE_ENDIAN = 0, /**< Least significant byte first; the default. */
    FLETCH_BIG_ENDIAN = 1     /**< Most significant byte first. */
};

/** FloatingPoint.precision. */
enum {
    FLETCH_HALF = 0,   /**< 16 bits; the default. */
    FLETCH_SINGLE = 1, /**< 32 bits. */
    FLETCH_DOUBLE = 2  /**< 64 bits. */
};

/** Date.unit. */
enum {
    FLETCH_DAY = 0,             /**< Days, in 32 bits. */
    FLETCH_DATE_MILLISECOND = 1 /**< Milliseconds, in 64 bits; the default. */
};

/** The unit of Time, Timestamp and Duration. */
enum {
    FLETCH_SECOND = 0,      /**< Seconds. */
    FLETCH_MILLISECOND = 1, /**< 1/1,000 seconds. */
    FLETCH_MICROSECOND = 2, /**< 1/1,000,000 seconds. */
    FLETCH_NANOSECOND = 3   /**< 1/1,000,000,000 seconds. */
};

/** Interval.unit. */
enum {
    FLETCH_YEAR_MONTH = 0,    /**< Months, in 32 bits; the default. */
    FLETCH_DAY_TIME = 1,      /**< Days and milliseconds, in 32 bits each. */
    FLETCH_MONTH_DAY_NANO = 2 /**< Months and days in 32 bits each, nanoseconds in 64. */
};

/** Union.mode. */
enum {
    FLETCH_SPARSE = 0, /**< All children are as long as the union; the default. */
    FLETCH_DENSE = 1   /**< Children have only their own values, found by offsets. */
};

/** DictionaryEncoding.dictionaryKind. */
enum {
    FLETCH_DENSE_ARRAY = 0 /**< The dictionary is an array; the only kind there is. */
};

/** Elements of Schema.features. */
enum {
    FLETCH_FEATURE_UNUSED = 0,                 /**< Says nothing. */
    FLETCH_FEATURE_DICTIONARY_REPLACEMENT = 1, /**< Dictionaries may be replaced on the way. */
    FLETCH_FEATURE_COMPRESSED_BODY = 2         /**< Bodies may be compressed. */
};

/** Message.header_type: what a message carries. */
enum {
    FLETCH_HEADER_NONE = 0,             /**< Nothing. */
    FLETCH_HEADER_SCHEMA = 1,           /**< A schema. */
    FLETCH_HEADER_DICTIONARY_BATCH = 2, /**< Values of a dictionary. */
    FLETCH_HEADER_RECORD_BATCH = 3,     /**< Values of all columns. */
    FLETCH_HEADER_TENSOR = 4,           /**< A tensor. */
    FLETCH_HEADER_SPARSE_TENSOR = 5     /**< A sparse tensor. */
};

/**
 * Integers somewhere else: on the wire, where they are little-endian and unaligned, or an array of
 * the caller's. Read them with fletch_integer_at.
 */
typedef struct fletch_integers {
    const void *data; /**< The array, or the flatbuffer's first byte; valid as long as that is. */
    uint32_t count;   /**< Elements. */
    uint8_t width;    /**< Bytes each on the wire: 4 (typeIds) or 8 (features). */
    bool native;      /**< `data` is an array of int32_t or int64_t in this machine's order. */
    uint32_t at;      /**< Not native: where the first element stands in the flatbuffer. */
    uint32_t size;    /**< Not native: bytes of the flatbuffer. */
} fletch_integers;

/** Element i; 0 when i is not below count. */
int64_t fletch_integer_at(const fletch_integers *integers, uint32_t i);

/** Int: also the index type of a dictionary. On the wire both members default to 0 and false. */
typedef struct fletch_int_type {
    int32_t bit_width; /**< 8, 16, 32 or 64. */
    bool is_signed;    /**< Two's complement, else unsigned. */
} fletch_int_type;

/** A type with its parameters. Types without parameters use no member of `as`. */
typedef struct fletch_type {
    int32_t id;  /**< FLETCH_TYPE_...; the union's tag, as it stands in the buffer. */
    uint32_t at; /**< Where its table starts in the flatbuffer; 0: not read from one, or none. */
    union {
        fletch_int_type integer; /**< Int */
        struct {
            int32_t precision; /**< FLETCH_HALF... */
        } floating_point;      /**< FloatingPoint */
        struct {
            int32_t precision; /**< Digits: 1 to 9, 18, 38 or 76 by width. */
            int32_t scale;     /**< Digits behind the point; any value. */
            int32_t bit_width; /**< 32, 64, 128 (the default) or 256. */
        } decimal;             /**< Decimal */
        struct {
            int32_t unit; /**< FLETCH_DAY or FLETCH_DATE_MILLISECOND (the default). */
        } date;           /**< Date */
        struct {
            int32_t unit;      /**< FLETCH_SECOND...; default FLETCH_MILLISECOND. */
            int32_t bit_width; /**< 32 for seconds and milliseconds, else 64; default 32. */
        } time;                /**< Time */
        struct {
            int32_t unit;           /**< FLETCH_SECOND (the default)... */
            bool has_timezone;      /**< false: absent; reads like empty. */
            fletch_string timezone; /**< Empty: without a zone. */
        } timestamp;                /**< Timestamp */
        struct {
            int32_t unit; /**< FLETCH_YEAR_MONTH (the default)... */
        } interval;       /**< Interval */
        struct {
            int32_t mode;             /**< FLETCH_SPARSE (the default) or FLETCH_DENSE. */
            bool has_type_ids;        /**< false: absent, which means 0, 1, 2... by position. */
            fletch_integers type_ids; /**< A type id per child, each 0 to 127. */
        } union_;                     /**< Union */
        struct {
            int32_t byte_width; /**< 0 or more. */
        } fixed_size_binary;    /**< FixedSizeBinary */
        struct {
            int32_t list_size; /**< 0 or more. */
        } fixed_size_list;     /**< FixedSizeList */
        struct {
            bool keys_sorted; /**< Keys of each value are in order. */
        } map;                /**< Map */
        struct {
            int32_t unit; /**< FLETCH_SECOND...; default FLETCH_MILLISECOND. */
        } duration;       /**< Duration */
    } as;                 /**< The parameters: the member that belongs to the id. */
} fletch_type;

/** How a field is dictionary-encoded. The field's type and children are then the values'. */
typedef struct fletch_dictionary {
    int64_t id;                 /**< Names the dictionary; two fields may share one. */
    fletch_int_type index_type; /**< Signed 32-bit when absent. */
    bool has_index_type;        /**< false: absent. */
    bool is_ordered;            /**< Order of the indices is order of the values. */
    int32_t kind;               /**< FLETCH_DENSE_ARRAY, or a newer kind. */
    uint32_t at;                /**< Where its table starts in the flatbuffer; 0: not read. */
    uint32_t index_type_at;     /**< Where the index type's table starts; 0: absent or not read. */
} fletch_dictionary;

/** A pair of custom_metadata. */
typedef struct fletch_key_value {
    fletch_string key;   /**< Any bytes; a key may come more than once. */
    fletch_string value; /**< Any bytes. */
    bool has_key;        /**< false: absent, not just empty. */
    bool has_value;      /**< false: absent, not just empty. */
    uint32_t at;         /**< Where its table starts in the flatbuffer. */
} fletch_key_value;

/** A vtable that was checked, remembered by iterators; not for users to touch. */
typedef struct fletch_vtable {
    uint32_t position;
    uint32_t table_size;
    uint16_t slots[7];
    uint16_t first_absent; /* of the first member, see first_bits in src/decode.h */
    uint32_t first_mask;
    uint16_t is_plain; /* see PLAIN_FIELD in src/tables.h */
    uint16_t padding;  /* to 32 bytes: a place in a cache is found by shifting */
} fletch_vtable;

/** The bytes of one flatbuffer; not for users to touch. */
typedef struct fletch_buffer {
    const uint8_t *bytes;
    uint32_t size;
} fletch_buffer;

/**
 * Arrow's struct Buffer: where a buffer of a record batch stands in its message's body. Schemas
 * have none; those who go on to the data read them from RecordBatch.buffers,
 * FLETCH_BODY_BUFFER_SIZE bytes each.
 */
typedef struct fletch_body_buffer {
    int64_t offset; /**< Bytes from the body's start. */
    int64_t length; /**< Bytes, without padding. */
} fletch_body_buffer;

/** Bytes of a struct Buffer on the wire. */
#define FLETCH_BODY_BUFFER_SIZE 16u

/** Decodes a struct Buffer from its 16 bytes, little-endian and of any alignment. */
fletch_body_buffer fletch_decode_body_buffer(const void *bytes);

/**
 * Fields yet to step through with fletch_next_field: of a schema, or the children of a field.
 * A plain value: a copy steps on its own. Valid as long as the bytes that were opened.
 */
typedef struct fletch_fields {
    fletch_buffer buffer; /**< The flatbuffer; for fletch's own calls, as the next two. */
    uint32_t position;    /**< Of the next element. */
    uint32_t end;         /**< Behind the last. */
    fletch_status status; /**< FLETCH_OK, also at the end; else the damage that ended the steps. */
    fletch_vtable vtable; /**< The last field's; for fletch's own calls. */
} fletch_fields;

/** Metadata pairs yet to step through with fletch_next_metadata; as fletch_fields. */
typedef struct fletch_metadata {
    fletch_buffer buffer; /**< The flatbuffer; for fletch's own calls, as the next two. */
    uint32_t position;    /**< Of the next element. */
    uint32_t end;         /**< Behind the last. */
    fletch_status status; /**< FLETCH_OK, also at the end; else the damage that ended the steps. */
} fletch_metadata;

/** A field (a column, or a child of one). */
typedef struct fletch_field {
    fletch_string name;           /**< Any bytes; siblings may share one. */
    fletch_type type;             /**< Of the values, where it is dictionary-encoded. */
    fletch_dictionary dictionary; /**< Means something where has_dictionary is true. */
    fletch_fields children;       /**< As many as the type asks for. */
    fletch_metadata metadata;     /**< custom_metadata. */
    bool nullable;                /**< Values may be null. */
    bool has_name;                /**< false: absent, not just empty. */
    bool has_dictionary;          /**< The field is dictionary-encoded. */
    bool has_children;            /**< false: absent, not just empty. */
    bool has_metadata;            /**< false: absent, not just empty. */
    uint32_t at; /**< Where its table starts in the flatbuffer; 0: not read from one. */
} fletch_field;

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
