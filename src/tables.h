/* SPDX-License-Identifier: Apache-2.0 */
/* The tables as shapes, and decoding any one of them by its rows. */
#ifndef FLETCH_SRC_TABLES_H
#define FLETCH_SRC_TABLES_H

#include "flat.h"
#include "rows.h"

struct shape {
    const char *name;
    const struct row *rows;
    uint32_t row_count; /* at most 7, see fletch_vtable */
    uint32_t id;        /* of a type its tag, else as follows */
};

#define TYPE_COUNT 27
enum {
    SHAPE_FIELD = TYPE_COUNT,
    SHAPE_KEY_VALUE,
    SHAPE_DICTIONARY,
    SHAPE_SCHEMA,
    SHAPE_MESSAGE,
    SHAPE_FOOTER
};

/* What most Fields are: with a name, a type and children, without dictionary and metadata. */
#define PLAIN_FIELD                                                                                \
    (1u << FIELD_NAME | 1u << FIELD_TYPE_TYPE | 1u << FIELD_TYPE | 1u << FIELD_CHILDREN)

extern const struct shape fletch_schema_shape; /* -> fletch_schema */
extern const struct shape
    fletch_message_shape; /* -> fletch_schema (the schema's position, wrapper) */
extern const struct shape fletch_footer_shape;     /* -> likewise */
extern const struct shape fletch_field_shape;      /* -> fletch_field */
extern const struct shape fletch_key_value_shape;  /* -> fletch_key_value */
extern const struct shape fletch_dictionary_shape; /* -> fletch_dictionary */
extern const struct shape fletch_int_shape;        /* -> fletch_int_type */

/* Type tables by union tag -> fletch_type. */
extern const struct shape fletch_type_shapes[TYPE_COUNT];

/* The word of an enumerator of a table that has one, which is one member at most, as the
 * integration JSON spells it, or where it has none, Schema.fbs; NULL where the value is none. */
const char *fletch_enumerator_word(const struct shape *shape, int64_t value);

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
    FOOTER_DICTIONARIES = 2,
    FOOTER_RECORD_BATCHES = 3,
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
    DICTIONARY_ORDERED = 2,
    DICTIONARY_KIND = 3,
    KEY_VALUE_KEY = 0,
    KEY_VALUE_VALUE = 1,
    TIMESTAMP_TIMEZONE = 1,
    UNION_TYPE_IDS = 1
};

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

#endif
