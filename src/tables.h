/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every Arrow table, described once: its members as rows, and the decoding that works from them.
 *
 * A row's place in its list is the member's slot. Decoding a table checks its vtable against the
 * rows (once per vtable, where a cache remembers it), then each member against the buffer.
 */
#ifndef FLETCH_SRC_TABLES_H
#define FLETCH_SRC_TABLES_H

#include "flat.h"
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

struct shape {
    const char *name;
    const struct row *rows;
    uint32_t row_count; /* at most 7, see fletch_vtable */
};

extern const struct shape fletch_schema_shape; /* -> fletch_schema */
extern const struct shape
    fletch_message_shape; /* -> fletch_schema (the schema's position, wrapper) */
extern const struct shape fletch_footer_shape;     /* -> likewise */
extern const struct shape fletch_field_shape;      /* -> fletch_field */
extern const struct shape fletch_key_value_shape;  /* -> fletch_key_value */
extern const struct shape fletch_dictionary_shape; /* -> fletch_dictionary */
extern const struct shape fletch_int_shape;        /* -> fletch_int_type */

/* Type tables by union tag -> fletch_type. */
#define TYPE_COUNT 27
extern const struct shape fletch_type_shapes[TYPE_COUNT];

/* Slots that the code names. */
enum {
    SCHEMA_ENDIANNESS = 0,
    SCHEMA_FIELDS = 1,
    SCHEMA_METADATA = 2,
    SCHEMA_FEATURES = 3,
    MESSAGE_VERSION = 0,
    MESSAGE_HEADER_TYPE = 1,
    MESSAGE_HEADER = 2,
    MESSAGE_BODY_LENGTH = 3,
    MESSAGE_METADATA = 4,
    FOOTER_VERSION = 0,
    FOOTER_SCHEMA = 1,
    FOOTER_METADATA = 4,
    FIELD_NAME = 0,
    FIELD_NULLABLE = 1,
    FIELD_TYPE_TYPE = 2,
    FIELD_TYPE = 3,
    FIELD_DICTIONARY = 4,
    FIELD_CHILDREN = 5,
    FIELD_METADATA = 6,
    DICTIONARY_ID = 0,
    DICTIONARY_INDEX_TYPE = 1,
    DICTIONARY_KIND = 3,
    KEY_VALUE_KEY = 0,
    KEY_VALUE_VALUE = 1,
    UNION_TYPE_IDS = 1
};

/*
 * Vtables that were found good, each by its position and the table it was checked for: the index
 * into the cache is taken from both, so equal vtables of two tables never stand for each other.
 */
struct cache {
    uint32_t *keys; /* position, or NO_VTABLE */
    fletch_vtable *vtables;
    bool is_whole; /* FLETCH_WALK_VTABLES entries; else SMALL_CACHE */
};

#define SMALL_CACHE 4

/* The root table's position, from the offset at byte 0. */
bool fletch_root(fletch_buffer buffer, uint32_t *at, struct fault *fault);

/* Where a member stands (slot applied), or 0 where it is absent or the vtable is not in bounds. */
uint32_t fletch_member_at(fletch_buffer buffer, uint32_t at, uint32_t slot);

/* Checks a table and its vtable, without what its members lead to. */
bool fletch_check_table(fletch_buffer buffer, uint32_t at, const struct shape *shape,
                        struct fault *fault);

/* Decodes one table by its rows into the struct they name. */
bool fletch_decode(fletch_buffer buffer, uint32_t at, const struct shape *shape, void *out,
                   struct fault *fault);

/* Decodes a Field with its type, dictionary and index type. Counts the tables it looked into. */
bool fletch_decode_field(fletch_buffer buffer, uint32_t at, struct cache *cache,
                         fletch_field *field, uint64_t *tables, struct fault *fault);

bool fletch_decode_pair(fletch_buffer buffer, uint32_t at, struct cache *cache,
                        fletch_key_value *pair, struct fault *fault);

#endif
