/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schemas that are measured, as plain structs that favour neither side: both builders are fed
 * from them. A schema is a pure function of (shape, columns, shuffled), on every host.
 *
 * Everything is reachable from `struct mix_schema`, lives until mix_free() and is read-only. Texts
 * have a NUL behind them that their size does not count.
 */
#ifndef BENCH_MIX_H
#define BENCH_MIX_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arrow's numbers for the types. */
enum mix_type {
    MIX_NULL = 1,
    MIX_INT,
    MIX_FLOATING_POINT,
    MIX_BINARY,
    MIX_UTF8,
    MIX_BOOL,
    MIX_DECIMAL,
    MIX_DATE,
    MIX_TIME,
    MIX_TIMESTAMP,
    MIX_INTERVAL,
    MIX_LIST,
    MIX_STRUCT,
    MIX_UNION,
    MIX_FIXED_SIZE_BINARY,
    MIX_FIXED_SIZE_LIST,
    MIX_MAP,
    MIX_DURATION,
    MIX_LARGE_BINARY,
    MIX_LARGE_UTF8,
    MIX_LARGE_LIST,
    MIX_RUN_END_ENCODED,
    MIX_BINARY_VIEW,
    MIX_UTF8_VIEW,
    MIX_LIST_VIEW,
    MIX_LARGE_LIST_VIEW,
    MIX_LAST_TYPE = MIX_LARGE_LIST_VIEW
};

struct mix_text {
    const char *data;
    uint32_t size;
};

struct mix_pair {
    struct mix_text key, value;
};

struct mix_dictionary {
    int64_t id;
    int32_t index_width; /* bits */
    bool index_signed, ordered;
};

struct mix_field {
    struct mix_text name, timezone; /* Timestamp's, size 0: none */
    const struct mix_field *children;
    const struct mix_pair *metadata;
    const struct mix_dictionary *dictionary; /* NULL: none */
    const int32_t *type_ids;                 /* Union's, as many as children */
    uint32_t child_count, metadata_count;
    int32_t width; /* bits of Int, Decimal, Time; bytes of FixedSizeBinary; FixedSizeList's size */
    int32_t precision; /* Decimal's */
    int32_t scale;     /* Decimal's */
    int16_t unit;      /* of all the temporal types; FloatingPoint's precision; Union's mode */
    uint8_t type;      /* enum mix_type */
    bool nullable;
    bool flag; /* Int is signed; Map's keys are sorted */
};

struct mix_schema {
    const struct mix_field *fields;
    const struct mix_pair *metadata;
    uint32_t field_count, metadata_count;
    uint64_t tables; /* T: Field tables in all, nested ones too */
    void *blocks;    /* the memory behind it all */
};

enum mix_shape {
    MIX_MODEL,      /* the model mix, see README.md */
    MIX_TYPES,      /* every type in turn, with every parameter set */
    MIX_DEEP,       /* each column is 100 fields deep, lists and structs by turns */
    MIX_METADATA,   /* eight pairs on each column */
    MIX_DICTIONARY, /* each column dictionary-encoded */
    MIX_STRINGS,    /* names of 40 to 199 bytes */
    MIX_WIDE,       /* plain float64 columns with short names and nothing else */
    MIX_SHAPES
};

const char *mix_shape_name(enum mix_shape shape);

/* Ends the process when memory runs out. */
struct mix_schema *mix_new(enum mix_shape shape, uint32_t columns, bool shuffled);
void mix_free(struct mix_schema *schema);

/* The checksum of checksum.h, taken from the model itself: what every reader must find. */
uint64_t mix_checksum(const struct mix_schema *schema);

#ifdef __cplusplus
}
#endif

#endif
