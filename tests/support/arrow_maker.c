/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the maker knows of Arrow: its tables, made of nodes, each good as it comes; a test then
 * breaks the one thing it is about.
 */
#include "maker.h"

#include <string.h>

enum { TAG_INT = 2, TAG_UTF8 = 5, TAG_LIST = 12, TAG_STRUCT = 13, VERSION_5 = 4, SCHEMA_TAG = 1 };

/* The list in a slot of a table; made, when there is none. */
static node *list_in(maker *m, node *table, unsigned slot, node *known)
{
    if (known) return known;
    node *list = make_list(m);
    set_node(table, slot, list);
    return list;
}

node *int_type(maker *m, int width, bool is_signed)
{
    node *type = make_table(m);
    set32(type, INT_WIDTH, width);
    set8(type, INT_SIGNED, is_signed);
    return type;
}

node *new_field(maker *m, const char *name, int tag, node *type)
{
    node *field = make_table(m);
    if (name) set_node(field, FIELD_NAME, make_text(m, name));
    set8(field, FIELD_NULLABLE, 1);
    set8(field, FIELD_TYPE_TAG, tag);
    set_node(field, FIELD_TYPE, type);
    set_node(field, FIELD_CHILDREN, make_list(m));
    return field;
}

node *int_field(maker *m, const char *name)
{
    return new_field(m, name, TAG_INT, int_type(m, 32, true));
}

node *text_field(maker *m, const char *name)
{
    return nested_field(m, name, TAG_UTF8);
}

node *nested_field(maker *m, const char *name, int tag)
{
    return new_field(m, name, tag, make_table(m));
}

node *new_schema(maker *m)
{
    node *schema = make_table(m);
    set_node(schema, SCHEMA_FIELDS, make_list(m));
    return schema;
}

node *schema_with(maker *m, node *field)
{
    node *schema = new_schema(m);
    add_field(schema, field);
    return schema;
}

void add_field(node *schema, node *field)
{
    append(member(schema, SCHEMA_FIELDS), field);
}

node *add_child(node *field, node *child)
{
    append(member(field, FIELD_CHILDREN), child);
    return child;
}

node *add_pair(maker *m, node *table, unsigned slot, const char *key, const char *value)
{
    node *pair = make_table(m);
    if (key) set_node(pair, PAIR_KEY, make_text(m, key));
    if (value) set_node(pair, PAIR_VALUE, make_text(m, value));
    append(list_in(m, table, slot, member(table, slot)), pair);
    return pair;
}

node *add_dictionary(maker *m, node *field, int64_t id, node *index)
{
    node *dictionary = make_table(m);
    set64(dictionary, DICTIONARY_ID, id);
    if (index) set_node(dictionary, DICTIONARY_INDEX, index);
    set_node(field, FIELD_DICTIONARY, dictionary);
    return dictionary;
}

node *new_message(maker *m, node *schema)
{
    node *message = make_table(m);
    set16(message, MESSAGE_VERSION, VERSION_5);
    set8(message, MESSAGE_TAG, SCHEMA_TAG);
    set_node(message, MESSAGE_HEADER, schema);
    return message;
}

node *new_footer(maker *m, node *schema)
{
    node *footer = make_table(m);
    set16(footer, FOOTER_VERSION, VERSION_5);
    set_node(footer, FOOTER_SCHEMA, schema);
    return footer;
}

sample make_sample(maker *m)
{
    sample s;
    s.field = int_field(m, "col");
    s.pair = add_pair(m, s.field, FIELD_METADATA, "k", "v");
    s.schema = schema_with(m, s.field);
    s.fields = member(s.schema, SCHEMA_FIELDS);
    s.name = member(s.field, FIELD_NAME);
    s.type = member(s.field, FIELD_TYPE);
    s.children = member(s.field, FIELD_CHILDREN);
    s.metadata = member(s.field, FIELD_METADATA);
    return s;
}

node *deep_schema(maker *m, unsigned depth)
{
    node *field = int_field(m, "item");
    for (unsigned i = 1; i < depth; i++) {
        node *list = nested_field(m, "item", TAG_LIST);
        add_child(list, field);
        field = list;
    }
    return schema_with(m, field);
}

node *fan_schema(maker *m, unsigned levels, unsigned fan)
{
    node *field = int_field(m, "leaf");
    for (unsigned i = 0; i < levels; i++) {
        node *parent = nested_field(m, "fan", TAG_STRUCT);
        for (unsigned k = 0; k < fan; k++)
            add_child(parent, field);
        field = parent;
    }
    return schema_with(m, field);
}

/* Containers */

static block word(maker *m, uint32_t value)
{
    block b = pad(m, (block){NULL, 0}, 4);
    poke32(b, 0, value);
    return b;
}

block frame(maker *m, block message, bool legacy)
{
    size_t prefix = legacy ? 4 : 8;
    size_t padding = (8 - (prefix + message.size) % 8) % 8;
    block length = word(m, (uint32_t)(message.size + padding));
    block head = legacy ? length : join(m, word(m, 0xFFFFFFFF), length);
    return join(m, head, pad(m, message, padding));
}

block end_of_stream(maker *m, bool legacy)
{
    return legacy ? word(m, 0) : join(m, word(m, 0xFFFFFFFF), word(m, 0));
}

block stream_of(maker *m, block message)
{
    return join(m, frame(m, message, false), end_of_stream(m, false));
}

block file_tail(maker *m, block footer)
{
    block end = join(m, word(m, (uint32_t)footer.size), text_block(m, "ARROW1"));
    return join(m, footer, end);
}

block file_of(maker *m, block message, block footer)
{
    block head = pad(m, text_block(m, "ARROW1"), 2);
    return join(m, join(m, head, stream_of(m, message)), file_tail(m, footer));
}

block base64_of(maker *m, block b, bool padded)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t size = b.size / 3 * 4 + (b.size % 3 ? b.size % 3 + 1 : 0);
    block text = pad(m, (block){NULL, 0}, padded ? (b.size + 2) / 3 * 4 : size);
    memset(text.bytes, '=', text.size);
    for (size_t i = 0; i < size; i++) {
        size_t bit = 6 * i;
        unsigned two = (unsigned)b.bytes[bit / 8] << 8;
        if (bit / 8 + 1 < b.size) two |= b.bytes[bit / 8 + 1];
        text.bytes[i] = (uint8_t)digits[(two >> (10 - bit % 8)) & 63];
    }
    return text;
}

/* Parquet */

enum { THRIFT_I32 = 5, THRIFT_I64 = 6, THRIFT_BINARY = 8, THRIFT_LIST = 9, THRIFT_STRUCT = 12 };

thrift new_thrift(maker *m)
{
    return (thrift){m, copy_of(m, NULL, 0)};
}

void thrift_byte(thrift *t, unsigned byte)
{
    uint8_t one = (uint8_t)byte;
    t->bytes = join(t->owner, t->bytes, (block){&one, 1});
}

void thrift_varint(thrift *t, uint64_t value)
{
    for (; value > 127; value >>= 7)
        thrift_byte(t, (unsigned)(value & 127) | 128);
    thrift_byte(t, (unsigned)value);
}

void thrift_text(thrift *t, const void *bytes, size_t size)
{
    thrift_varint(t, size);
    t->bytes = join(t->owner, t->bytes, copy_of(t->owner, bytes, size));
}

void thrift_pair(thrift *t, const char *key, block value)
{
    thrift_byte(t, 1 << 4 | THRIFT_BINARY);
    thrift_text(t, key, strlen(key));
    thrift_byte(t, 1 << 4 | THRIFT_BINARY);
    thrift_text(t, value.bytes, value.size);
    thrift_byte(t, 0);
}

void thrift_opening(thrift *t)
{
    thrift_byte(t, 1 << 4 | THRIFT_I32); /* version: 1 */
    thrift_varint(t, 2);
    thrift_byte(t, 1 << 4 | THRIFT_LIST); /* schema: one SchemaElement, only its name */
    thrift_byte(t, 1 << 4 | THRIFT_STRUCT);
    thrift_byte(t, 4 << 4 | THRIFT_BINARY);
    thrift_text(t, "schema", 6);
    thrift_byte(t, 0);
    thrift_byte(t, 1 << 4 | THRIFT_I64); /* num_rows: 0 */
    thrift_varint(t, 0);
    thrift_byte(t, 1 << 4 | THRIFT_LIST); /* row_groups: none */
    thrift_byte(t, THRIFT_STRUCT);
}

block parquet_of(maker *m, const thrift *metadata)
{
    block magic = text_block(m, "PAR1");
    block end = join(m, word(m, (uint32_t)metadata->bytes.size), magic);
    return join(m, magic, join(m, metadata->bytes, end));
}

block parquet_with(maker *m, block value)
{
    thrift t = new_thrift(m);
    thrift_opening(&t);
    thrift_byte(&t, 1 << 4 | THRIFT_LIST);
    thrift_byte(&t, 1 << 4 | THRIFT_STRUCT);
    thrift_pair(&t, "ARROW:schema", value);
    thrift_byte(&t, 0);
    return parquet_of(m, &t);
}

/* Wide schemas: one vtable for all fields, and one name, type and empty children for all. */

static void poke_words(block b, size_t at, const uint16_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        poke16(b, at + 2 * i, words[i]);
}

/* An offset at `at` that leads to `to`. */
static void poke_offset(block b, size_t at, size_t to)
{
    poke32(b, at, (uint32_t)(to - at));
}

block wide_schema(maker *m, uint32_t count)
{
    enum { FIELD_VTABLE = 8, SCHEMA_VTABLE = 24, SCHEMA = 32, VECTOR = 40, FIELD_SIZE = 20 };
    static const uint16_t field_vtable[] = {16, FIELD_SIZE, 4, 16, 17, 8, 0, 12};
    static const uint16_t schema_vtable[] = {8, 8, 0, 4};
    static const uint16_t int_vtable[] = {8, 9, 4, 8};
    size_t fields = VECTOR + 4 + 4 * (size_t)count;
    size_t name = fields + FIELD_SIZE * (size_t)count;
    size_t type = name + 8 + 8, children = type + 12;
    block b = pad(m, (block){NULL, 0}, children + 4);
    poke_words(b, FIELD_VTABLE, field_vtable, 8);
    poke_words(b, SCHEMA_VTABLE, schema_vtable, 4);
    poke_words(b, type - 8, int_vtable, 4);
    poke32(b, 0, SCHEMA);
    poke32(b, SCHEMA, SCHEMA - SCHEMA_VTABLE);
    poke_offset(b, SCHEMA + 4, VECTOR);
    poke32(b, VECTOR, count);
    for (size_t i = 0; i < count; i++) {
        size_t field = fields + FIELD_SIZE * i;
        poke_offset(b, VECTOR + 4 + 4 * i, field);
        poke32(b, field, (uint32_t)(field - FIELD_VTABLE));
        poke_offset(b, field + 4, name);
        poke_offset(b, field + 8, type);
        poke_offset(b, field + 12, children);
        poke8(b, field + 16, 1);
        poke8(b, field + 17, TAG_INT);
    }
    poke32(b, type, 8);
    poke32(b, type + 4, 32);
    poke8(b, type + 8, 1);
    return b;
}
