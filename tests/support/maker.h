/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes FlatBuffers and containers for the tests, good ones and broken ones.
 *
 * Objects (tables, strings, vectors) are nodes, linked in any way that has no circle; finish()
 * writes them, every object behind all that refer to it, and remembers where each one stands, so
 * that a test can poke its words afterwards. Nothing here knows the library: the format is written
 * a second time, from its description. Everything made belongs to the maker and goes with it.
 */
#ifndef FLETCH_TESTS_MAKER_H
#define FLETCH_TESTS_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Slots of Arrow's tables. */
enum { SCHEMA_ENDIANNESS, SCHEMA_FIELDS, SCHEMA_METADATA, SCHEMA_FEATURES };
enum {
    FIELD_NAME,
    FIELD_NULLABLE,
    FIELD_TYPE_TAG,
    FIELD_TYPE,
    FIELD_DICTIONARY,
    FIELD_CHILDREN,
    FIELD_METADATA
};
enum { PAIR_KEY, PAIR_VALUE };
enum { DICTIONARY_ID, DICTIONARY_INDEX, DICTIONARY_ORDERED, DICTIONARY_KIND };
enum { INT_WIDTH, INT_SIGNED };
enum { DECIMAL_PRECISION, DECIMAL_SCALE, DECIMAL_WIDTH };
enum { TIME_UNIT, TIME_WIDTH };
enum { TIMESTAMP_UNIT, TIMESTAMP_ZONE };
enum { UNION_MODE, UNION_TYPE_IDS };
enum { MESSAGE_VERSION, MESSAGE_TAG, MESSAGE_HEADER, MESSAGE_BODY, MESSAGE_METADATA };
enum { FOOTER_VERSION, FOOTER_SCHEMA, FOOTER_DICTIONARIES, FOOTER_BATCHES, FOOTER_METADATA };

/* Most slots of a table that a maker writes, some beyond those of any schema included. */
enum { MAKER_SLOTS = 12 };

/* Bytes on the heap, in a block of exactly that size. */
typedef struct block {
    uint8_t *bytes;
    size_t size;
} block;

typedef struct maker maker;
typedef struct node node;

maker *maker_new(void);
void maker_free(maker *m);

/* A maker per test, for cmocka's setup and teardown. */
int maker_setup(void **state);
int maker_teardown(void **state);

/* Vtables that are equal are written once, as most writers do; else each table has its own. */
void share_vtables(maker *m);

/* Objects */

node *make_table(maker *m);
node *make_string(maker *m, const void *bytes, size_t size);
node *make_text(maker *m, const char *text);
node *make_list(maker *m);                   /* a vector of offsets */
node *make_vector(maker *m, unsigned width); /* a vector of integers, aligned to their width */
void append(node *list, node *element);
void append_number(node *vector, int64_t element);
uint32_t count_of(const node *vector);
node *first_of(const node *list); /* NULL: there is none */

/* Members of a table. Setting one again replaces it. */
void set8(node *table, unsigned slot, int64_t value);
void set16(node *table, unsigned slot, int64_t value);
void set32(node *table, unsigned slot, int64_t value);
void set64(node *table, unsigned slot, int64_t value);
void set_node(node *table, unsigned slot, node *to);
void drop(node *table, unsigned slot);
node *member(const node *table, unsigned slot); /* what set_node set; else NULL */

/* At least so many slots in the table's vtable, the last ones zero. */
void keep_slots(node *table, unsigned count);

/* Places the table so that its 8-byte members, or the vector so that its elements, are off 8. */
void put_off_eight(node *object);

/* Writes all that the root leads to, in one flatbuffer. */
block finish(maker *m, node *root);

/* Where an object stands in the flatbuffer written last, and the words that belong to it. */
size_t place(const node *object);
size_t place_of(const node *table, unsigned slot);
size_t place_of_element(const node *vector, uint32_t index);
size_t vtable_of(const node *table);
size_t vtable_slot_of(const node *table, unsigned slot);

/* Arrow's tables */

node *int_type(maker *m, int width, bool is_signed);
node *new_field(maker *m, const char *name, int tag, node *type); /* nullable; no children: [] */
node *int_field(maker *m, const char *name);                      /* signed, 32 bits */
node *text_field(maker *m, const char *name);                     /* Utf8 */
node *nested_field(maker *m, const char *name, int tag);          /* a type without parameters */
node *new_schema(maker *m);                                       /* fields: [] */
node *schema_with(maker *m, node *field);
void add_field(node *schema, node *field);
node *add_child(node *field, node *child); /* returns the child */
node *add_pair(maker *m, node *table, unsigned slot, const char *key, const char *value);
node *add_dictionary(maker *m, node *field, int64_t id, node *index);
node *new_message(maker *m, node *schema); /* V5 */
node *new_footer(maker *m, node *schema);  /* V5, no batches */

/* A schema of one field `col`: int32, nullable, metadata k=v; and all its nodes. */
typedef struct sample {
    node *schema, *fields, *field, *name, *type, *children, *metadata, *pair;
} sample;
sample make_sample(maker *m);

/* A list in a list and so on, `depth` fields deep in all. */
node *deep_schema(maker *m, unsigned depth);

/* Each of `levels` structs names the one below `fan` times: few bytes, many fields. */
node *fan_schema(maker *m, unsigned levels, unsigned fan);

/* `count` columns int32 with empty names, written without nodes; all tables apart. */
block wide_schema(maker *m, uint32_t count);

/* Blocks */

block copy_of(maker *m, const void *bytes, size_t size);
block text_block(maker *m, const char *text);
block join(maker *m, block a, block b);
block cut(maker *m, block whole, size_t size);
block pad(maker *m, block short_one, size_t zeros);
void poke8(block b, size_t at, uint8_t value);
void poke16(block b, size_t at, uint32_t value);
void poke32(block b, size_t at, uint32_t value);
void poke64(block b, size_t at, uint64_t value);
uint32_t peek16(block b, size_t at);
uint32_t peek32(block b, size_t at);

/* Containers */

block frame(maker *m, block message, bool legacy); /* padded so that the whole is 8-aligned */
block end_of_stream(maker *m, bool legacy);
block stream_of(maker *m, block message);
block file_of(maker *m, block message, block footer);
block file_tail(maker *m, block footer); /* the footer, its length and the magic */
block base64_of(maker *m, block b, bool padded);

/* Parquet: Thrift's compact protocol, as much of it as a footer takes. */

typedef struct thrift {
    maker *owner;
    block bytes;
} thrift;

thrift new_thrift(maker *m);
void thrift_byte(thrift *t, unsigned byte);
void thrift_varint(thrift *t, uint64_t value);
void thrift_text(thrift *t, const void *bytes, size_t size); /* its length, and the bytes */
void thrift_pair(thrift *t, const char *key, block value);   /* a KeyValue struct */

/* Footer fields 1 to 4 (version, schema, rows, row groups), and the end that Parquet needs. */
void thrift_opening(thrift *t);
block parquet_of(maker *m, const thrift *metadata);

/* A Parquet file with the key ARROW:schema of this value. */
block parquet_with(maker *m, block value);

#endif
