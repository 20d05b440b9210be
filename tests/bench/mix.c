/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the schemas that are measured. A column depends on its own number alone, never on its
 * place, so a shuffled schema holds the very columns of the one in turn. Memory comes from blocks
 * that never move, since the structs point at each other.
 */
#include "mix.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"

enum { BLOCK_SIZE = 1 << 20, DEEP_LEVELS = 100 };

struct block {
    struct block *next;
    size_t size, used; /* of the bytes behind this struct */
};

struct maker {
    struct block *blocks;
    uint64_t tables;
};

/* Zeroed, 8-byte aligned. */
static void *take(struct maker *maker, size_t size)
{
    struct block *block = maker->blocks;

    size = (size + 7) / 8 * 8;
    if (block == NULL || size > block->size - block->used) {
        size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        block = calloc(1, sizeof *block + room);
        if (block == NULL) {
            fputs("no memory for the schema to measure\n", stderr);
            exit(1);
        }
        block->next = maker->blocks;
        block->size = room;
        maker->blocks = block;
    }
    block->used += size;
    return (char *)(block + 1) + (block->used - size);
}

static struct mix_text literal(const char *data)
{
    struct mix_text text;

    text.data = data;
    text.size = (uint32_t)strlen(data);
    return text;
}

static struct mix_text numbered(struct maker *maker, const char *stem, uint32_t number, int digits)
{
    char scratch[64];
    struct mix_text text = {NULL, 0};
    int size = snprintf(scratch, sizeof scratch, "%s%0*u", stem, digits, (unsigned)number);

    if (size > 0) {
        char *copy = take(maker, (size_t)size + 1);
        memcpy(copy, scratch, (size_t)size);
        text.data = copy;
        text.size = (uint32_t)size;
    }
    return text;
}

/* Splitmix64: good bits from any number, the same everywhere. */
static uint64_t scramble(uint64_t number)
{
    number += UINT64_C(0x9E3779B97F4A7C15);
    number = (number ^ (number >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ (number >> 27)) * UINT64_C(0x94D049BB133111EB);
    return number ^ (number >> 31);
}

static struct mix_text letters(struct maker *maker, uint64_t seed, uint32_t size)
{
    char *data = take(maker, (size_t)size + 1);
    struct mix_text text;
    uint32_t i;

    for (i = 0; i < size; i++)
        data[i] = (char)('a' + scramble(seed + i) % 26);
    text.data = data;
    text.size = size;
    return text;
}

static struct mix_field *add_children(struct maker *maker, struct mix_field *field, uint32_t count)
{
    struct mix_field *children = take(maker, count * sizeof *children);

    field->children = children;
    field->child_count = count;
    maker->tables += count;
    return children;
}

static struct mix_pair *add_pairs(struct maker *maker, struct mix_field *field, uint32_t count)
{
    struct mix_pair *pairs = take(maker, count * sizeof *pairs);

    field->metadata = pairs;
    field->metadata_count = count;
    return pairs;
}

static void add_dictionary(struct maker *maker, struct mix_field *field, uint32_t id)
{
    static const int32_t widths[] = {32, 16, 8};
    struct mix_dictionary *dictionary = take(maker, sizeof *dictionary);

    dictionary->id = id;
    dictionary->index_width = widths[id % 3];
    dictionary->index_signed = id % 4 != 3;
    dictionary->ordered = id % 5 == 0;
    field->dictionary = dictionary;
}

static void set(struct mix_field *field, const char *name, uint8_t type, bool nullable)
{
    field->name = literal(name);
    field->type = type;
    field->nullable = nullable;
}

static void set_int(struct mix_field *field, int32_t width)
{
    field->type = MIX_INT;
    field->width = width;
    field->flag = true;
}

static void set_double(struct mix_field *field)
{
    field->type = MIX_FLOATING_POINT;
    field->unit = 2;
}

static void set_decimal(struct mix_field *field, int32_t precision, int32_t scale)
{
    field->type = MIX_DECIMAL;
    field->precision = precision;
    field->scale = scale;
    field->width = 128;
}

/* list<item: struct<id: int64, score: float64, label: utf8>> */
static void set_list_of_structs(struct maker *maker, struct mix_field *field)
{
    struct mix_field *item = add_children(maker, field, 1);
    struct mix_field *members = add_children(maker, item, 3);

    field->type = MIX_LIST;
    set(item, "item", MIX_STRUCT, true);
    set(&members[0], "id", MIX_INT, false);
    set_int(&members[0], 64);
    set(&members[1], "score", MIX_FLOATING_POINT, true);
    set_double(&members[1]);
    set(&members[2], "label", MIX_UTF8, true);
}

static void set_model_leaf(struct mix_field *field, uint32_t number)
{
    switch (number % 8) {
    case 0: set_int(field, 32); break;
    case 1: set_int(field, 64); break;
    case 2: set_double(field); break;
    case 3: field->type = MIX_UTF8; break;
    case 4:
        field->type = MIX_TIMESTAMP;
        field->unit = 2;
        field->timezone = literal("UTC");
        break;
    case 5: set_decimal(field, 18, 4); break;
    case 6: field->type = MIX_BOOL; break;
    default: field->type = MIX_DATE; break;
    }
}

static void make_model(struct maker *maker, struct mix_field *field, uint32_t number)
{
    field->name = numbered(maker, "column_", number, 6);
    field->nullable = number % 5 != 4;
    if (number % 20 == 7) {
        set_list_of_structs(maker, field);
    } else if (number % 33 == 16) {
        field->type = MIX_UTF8;
        add_dictionary(maker, field, number);
    } else {
        set_model_leaf(field, number);
    }
    if (number % 10 == 0) {
        struct mix_pair *pairs = add_pairs(maker, field, 2);
        pairs[0].key = literal("unit");
        pairs[0].value = literal("metre");
        pairs[1].key = literal("origin");
        pairs[1].value = numbered(maker, "sensor ", number, 6);
    }
}

static void set_union(struct maker *maker, struct mix_field *field, uint32_t number)
{
    struct mix_field *members = add_children(maker, field, 2);
    int32_t *type_ids = take(maker, 2 * sizeof *type_ids);

    type_ids[0] = (int32_t)(number % 100);
    type_ids[1] = (int32_t)(number % 100) + 5;
    field->type_ids = type_ids;
    field->unit = (int16_t)(number % 2);
    set(&members[0], "number", MIX_INT, true);
    set_int(&members[0], 16);
    set(&members[1], "text", MIX_LARGE_UTF8, true);
}

static void set_map(struct maker *maker, struct mix_field *field, uint32_t number)
{
    struct mix_field *entries = add_children(maker, field, 1);
    struct mix_field *members = add_children(maker, entries, 2);

    field->flag = number % 2 == 1;
    set(entries, "entries", MIX_STRUCT, false);
    set(&members[0], "key", MIX_UTF8, false);
    set(&members[1], "value", MIX_BINARY, true);
}

static void set_run_end_encoded(struct maker *maker, struct mix_field *field)
{
    struct mix_field *members = add_children(maker, field, 2);

    set(&members[0], "run_ends", MIX_INT, false);
    set_int(&members[0], 32);
    set(&members[1], "values", MIX_UTF8_VIEW, true);
}

/* The parameters and children of `field`, whose type is set; valid by Arrow's rules. */
static void set_parameters(struct maker *maker, struct mix_field *field, uint32_t number)
{
    switch (field->type) {
    case MIX_INT:
        field->width = 8 << number % 4;
        field->flag = number % 3 != 0;
        break;
    case MIX_FLOATING_POINT: field->unit = (int16_t)(number % 3); break;
    case MIX_DECIMAL:
        set_decimal(field, (int32_t)(number % 38) + 1, (int32_t)(number % 9) - 4);
        break;
    case MIX_DATE: field->unit = (int16_t)(number % 2); break;
    case MIX_TIME:
        field->unit = (int16_t)(number % 4);
        field->width = field->unit < 2 ? 32 : 64;
        break;
    case MIX_TIMESTAMP:
        field->unit = (int16_t)(number % 4);
        if (number % 3 != 0) field->timezone = literal("Europe/Paris");
        break;
    case MIX_INTERVAL: field->unit = (int16_t)(number % 3); break;
    case MIX_DURATION: field->unit = (int16_t)(number % 4); break;
    case MIX_FIXED_SIZE_BINARY: field->width = (int32_t)(number % 64); break;
    case MIX_FIXED_SIZE_LIST:
        field->width = (int32_t)(number % 64);
        set(add_children(maker, field, 1), "item", MIX_BOOL, true);
        break;
    case MIX_LIST:
    case MIX_LARGE_LIST:
    case MIX_LIST_VIEW:
    case MIX_LARGE_LIST_VIEW: set(add_children(maker, field, 1), "item", MIX_BOOL, true); break;
    case MIX_STRUCT: set(add_children(maker, field, 1), "x", MIX_NULL, true); break;
    case MIX_UNION: set_union(maker, field, number); break;
    case MIX_MAP: set_map(maker, field, number); break;
    case MIX_RUN_END_ENCODED: set_run_end_encoded(maker, field); break;
    default: break;
    }
}

static void make_types(struct maker *maker, struct mix_field *field, uint32_t number)
{
    field->name = numbered(maker, "", number, 1);
    field->nullable = number % 3 != 0;
    field->type = (uint8_t)(1 + number % MIX_LAST_TYPE);
    set_parameters(maker, field, number / MIX_LAST_TYPE);
    if (number % 7 == 3) add_dictionary(maker, field, number);
}

static void make_deep(struct maker *maker, struct mix_field *field, uint32_t number)
{
    uint32_t level;

    field->name = numbered(maker, "tree_", number, 6);
    field->nullable = true;
    for (level = 1; level < DEEP_LEVELS; level++) {
        field->type = level % 2 == 1 ? MIX_LIST : MIX_STRUCT;
        field = add_children(maker, field, 1);
        set(field, level % 2 == 1 ? "item" : "branch", MIX_UTF8, true);
    }
}

static void make_metadata(struct maker *maker, struct mix_field *field, uint32_t number)
{
    uint32_t i, count = 8;
    struct mix_pair *pairs = add_pairs(maker, field, count);

    field->name = numbered(maker, "column_", number, 6);
    field->nullable = true;
    set_int(field, 64);
    for (i = 0; i < count; i++) {
        uint64_t seed = scramble((uint64_t)number * count + i);
        pairs[i].key = letters(maker, seed, 8 + (uint32_t)(seed % 17));
        pairs[i].value = letters(maker, seed + 1, 8 + (uint32_t)(seed % 89));
    }
}

static void make_dictionary(struct maker *maker, struct mix_field *field, uint32_t number)
{
    field->name = numbered(maker, "column_", number, 6);
    field->nullable = true;
    field->type = MIX_UTF8;
    add_dictionary(maker, field, number);
}

static void make_strings(struct maker *maker, struct mix_field *field, uint32_t number)
{
    uint64_t seed = scramble(number);

    field->name = letters(maker, seed, 40 + (uint32_t)(seed % 160));
    field->nullable = true;
    field->type = MIX_UTF8;
}

static void make_wide(struct maker *maker, struct mix_field *field, uint32_t number)
{
    field->name = numbered(maker, "f", number, 1);
    field->nullable = true;
    set_double(field);
}

static const struct {
    const char *name;
    void (*make)(struct maker *maker, struct mix_field *field, uint32_t number);
} shapes[MIX_SHAPES] = {
    {"model", make_model},       {"types", make_types},           {"deep", make_deep},
    {"metadata", make_metadata}, {"dictionary", make_dictionary}, {"strings", make_strings},
    {"wide", make_wide},
};

const char *mix_shape_name(enum mix_shape shape)
{
    return shapes[shape].name;
}

/* The number of the column at each place. */
static uint32_t *make_order(struct maker *maker, uint32_t columns, bool shuffled)
{
    uint32_t *order = take(maker, columns * sizeof *order);
    uint32_t i;

    for (i = 0; i < columns; i++)
        order[i] = i;
    for (i = columns; shuffled && i > 1; i--) {
        uint32_t other = (uint32_t)(scramble(i) % i), last = order[i - 1];
        order[i - 1] = order[other];
        order[other] = last;
    }
    return order;
}

struct mix_schema *mix_new(enum mix_shape shape, uint32_t columns, bool shuffled)
{
    struct maker maker = {NULL, 0};
    struct mix_schema *schema = take(&maker, sizeof *schema);
    const uint32_t *order = make_order(&maker, columns, shuffled);
    struct mix_field *fields = take(&maker, columns * sizeof *fields);
    struct mix_pair *pair = take(&maker, sizeof *pair);
    uint32_t i;

    for (i = 0; i < columns; i++)
        shapes[shape].make(&maker, &fields[i], order[i]);
    pair->key = literal("writer");
    pair->value = literal("bench");
    schema->fields = fields;
    schema->field_count = columns;
    schema->metadata = pair;
    schema->metadata_count = 1;
    schema->tables = columns + maker.tables;
    schema->blocks = maker.blocks;
    return schema;
}

void mix_free(struct mix_schema *schema)
{
    struct block *block = schema->blocks;

    while (block != NULL) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
}

static uint64_t text_number(struct mix_text text)
{
    return checksum_text(text.data, text.size);
}

static uint64_t type_id_number(const struct mix_field *field)
{
    uint64_t sum = field->child_count;
    uint32_t i;

    for (i = 0; i < field->child_count; i++)
        sum += (uint64_t)field->type_ids[i];
    return sum;
}

static uint64_t parameter_number(const struct mix_field *field)
{
    uint64_t unit = (uint64_t)field->unit, width = (uint64_t)field->width;

    switch (field->type) {
    case MIX_INT: return checksum_parameters(width, field->flag, 0);
    case MIX_DECIMAL:
        return checksum_parameters((uint64_t)field->precision, (uint64_t)field->scale, width);
    case MIX_TIME: return checksum_parameters(unit, width, 0);
    case MIX_TIMESTAMP: return checksum_parameters(unit, text_number(field->timezone), 0);
    case MIX_UNION: return checksum_parameters(unit, type_id_number(field), 0);
    case MIX_FIXED_SIZE_BINARY:
    case MIX_FIXED_SIZE_LIST: return width;
    case MIX_MAP: return field->flag;
    default: return unit; /* 0 for a type without parameters */
    }
}

static uint64_t dictionary_number(const struct mix_dictionary *dictionary)
{
    if (dictionary == NULL) return 0;
    return checksum_dictionary(dictionary->id, (uint64_t)dictionary->index_width,
                               dictionary->index_signed, dictionary->ordered, 0);
}

static uint64_t add_pair_checksums(uint64_t sum, const struct mix_pair *pairs, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++) {
        sum = checksum_pair(sum, text_number(pairs[i].key), text_number(pairs[i].value));
    }
    return sum;
}

/* Recursion is bounded by DEEP_LEVELS: these schemas are our own. */
static uint64_t add_field_checksums(uint64_t sum, const struct mix_field *fields, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++) {
        const struct mix_field *field = &fields[i];
        struct checksum_field numbers;

        numbers.name = text_number(field->name);
        numbers.nullable = field->nullable;
        numbers.type = field->type;
        numbers.parameters = parameter_number(field);
        numbers.dictionary = dictionary_number(field->dictionary);
        numbers.children = field->child_count;
        numbers.metadata = field->metadata_count;
        sum = checksum_add_field(sum, &numbers);
        sum = add_pair_checksums(sum, field->metadata, field->metadata_count);
        sum = add_field_checksums(sum, field->children, field->child_count);
    }
    return sum;
}

uint64_t mix_checksum(const struct mix_schema *schema)
{
    uint64_t sum = checksum_schema(0, schema->field_count, schema->metadata_count, 0, 0);

    sum = add_pair_checksums(sum, schema->metadata, schema->metadata_count);
    return add_field_checksums(sum, schema->fields, schema->field_count);
}
