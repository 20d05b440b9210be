/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Openings and what must hold of each; stepping through whatever was opened.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reading every byte would be optimised away without it. */
static volatile unsigned sink;

enum { HAND_DEPTH = 200, HAND_BUDGET = 20000 };

static const char *level_word(fletch_level level)
{
    static const char *const words[] = {"default", "unchecked", "structure", "arrow", "strict"};
    return (size_t)level < sizeof words / sizeof words[0] ? words[level] : "?";
}

static void print_fletch_error(const fletch_error *error)
{
    print_error("  got %s, offset %llu, wanted %llu, path \"%s\", sentence \"%s\"\n",
                fletch_status_word(error->status), (unsigned long long)error->offset,
                (unsigned long long)error->wanted, error->path, error->sentence);
}

static void complain(const char *what, const fletch_options *options, const fletch_error *error)
{
    print_error("%s (kind %s, level %s)\n", what,
                options ? fletch_kind_word(options->kind) : "none",
                level_word(options ? options->level : FLETCH_LEVEL_DEFAULT));
    print_fletch_error(error);
    fail();
}

static bool is_plain_text(const char *text, size_t size)
{
    const char *end = memchr(text, 0, size);
    if (!end) return false;
    for (; text < end; text++)
        if (*text < ' ' || *text > '~') return false;
    return true;
}

/* What is wrong with an error, or NULL. */
static const char *fault_of_error(const fletch_error *error, size_t size)
{
    if (!is_plain_text(error->path, sizeof error->path)) return "the path is no plain text";
    if (!is_plain_text(error->sentence, sizeof error->sentence)) return "the sentence is no text";
    if (error->status == FLETCH_OK)
        return error->offset || error->wanted || *error->path || *error->sentence
                   ? "success leaves something in the error"
                   : NULL;
    if (error->offset > size) return "the offset is outside of the input";
    if (!*error->sentence) return "there is no sentence";
    if (error->sentence[strlen(error->sentence) - 1] == '.') return "the sentence has a full stop";
    /* a file without its trailer is known to be cut, but not how much is gone */
    if (error->status == FLETCH_TRUNCATED && error->wanted && error->wanted <= size)
        return "truncated does not want more than there is";
    return NULL;
}

static const char *fault_of_schema(const fletch_schema *schema, fletch_status status)
{
    if (status == FLETCH_OK && !schema->at) return "success gives no schema";
    if (schema->at && status != FLETCH_OK && status != FLETCH_UNSUPPORTED &&
        status != FLETCH_INVALID && status != FLETCH_MISSING)
        return "a schema that may be unsound can be walked";
    if (!schema->at && fletch_count_fields(&schema->fields)) return "an empty schema has fields";
    if (!schema->at && fletch_count_metadata(&schema->metadata)) return "an empty schema has pairs";
    return NULL;
}

fletch_error expect(block b, const fletch_options *options, fletch_status status)
{
    fletch_schema schema;
    fletch_error error, other;
    memset(&schema, 0xA5, sizeof schema);
    memset(&error, 0xA5, sizeof error);
    fletch_status got = fletch_open_with(b.bytes, b.size, options, &schema, &error);
    if (got != error.status) complain("the error has another status", options, &error);
    if (got != status) {
        print_error("wanted %s\n", fletch_status_word(status));
        complain("another status than expected", options, &error);
    }
    const char *fault = fault_of_error(&error, b.size);
    if (!fault) fault = fault_of_schema(&schema, got);
    if (fault) complain(fault, options, &error);
    if (fletch_verify(b.bytes, b.size, options, &other) != got)
        complain("fletch_verify disagrees", options, &error);
    if (fletch_open_with(b.bytes, b.size, options, &schema, NULL) != got)
        complain("the status depends on the error", options, &error);
    walk_by_hand(&schema, HAND_BUDGET);
    return error;
}

fletch_error expect_as(block b, fletch_kind kind, fletch_level level, fletch_status status)
{
    fletch_options options = {.kind = kind, .level = level};
    return expect(b, &options, status);
}

void expect_levels(block b, fletch_kind kind, fletch_status structure, fletch_status arrow,
                   fletch_status strict)
{
    expect_as(b, kind, FLETCH_LEVEL_STRUCTURE, structure);
    expect_as(b, kind, FLETCH_LEVEL_ARROW, arrow);
    expect_as(b, kind, FLETCH_LEVEL_STRICT, strict);
}

void expect_everywhere(block b, fletch_kind kind, fletch_status status)
{
    expect_levels(b, kind, status, status, status);
}

void expect_at(block b, fletch_kind kind, fletch_level level, fletch_status status, size_t offset,
               const char *path)
{
    fletch_options options = {.kind = kind, .level = level};
    fletch_error error = expect(b, &options, status);
    if (error.offset == offset && !strcmp(error.path, path)) return;
    print_error("wanted offset %zu, path \"%s\"\n", offset, path);
    complain("another place than expected", &options, &error);
}

void expect_under(block b, fletch_kind kind, fletch_level level, fletch_status status,
                  const char *path)
{
    fletch_options options = {.kind = kind, .level = level};
    fletch_error error = expect(b, &options, status);
    if (!strncmp(error.path, path, strlen(path))) return;
    print_error("wanted a path under \"%s\"\n", path);
    complain("another path than expected", &options, &error);
}

void expect_refused(block b, fletch_kind kind)
{
    fletch_error error;
    fletch_options options = {.kind = kind};
    fletch_status got = fletch_verify(b.bytes, b.size, &options, &error);
    if (got == FLETCH_OK) complain("opened what is to be refused", &options, &error);
    expect(b, &options, got);
}

fletch_schema open_as(block b, fletch_kind kind, fletch_level level)
{
    fletch_schema schema;
    fletch_error error;
    fletch_options options = {.kind = kind, .level = level};
    if (fletch_open_with(b.bytes, b.size, &options, &schema, &error) != FLETCH_OK)
        complain("refused what is good", &options, &error);
    return schema;
}

fletch_field field_number(const fletch_schema *schema, uint32_t i)
{
    fletch_field field;
    assert_int_equal(fletch_field_at(&schema->fields, i, &field), FLETCH_OK);
    return field;
}

fletch_field child_number(const fletch_field *field, uint32_t i)
{
    fletch_field child;
    assert_int_equal(fletch_field_at(&field->children, i, &child), FLETCH_OK);
    return child;
}

bool is_text(fletch_string string, const char *text)
{
    return string.size == strlen(text) && !memcmp(string.data, text, string.size);
}

/* By hand */

static void read_string(fletch_string string)
{
    assert_non_null(string.data);
    for (size_t i = 0; i < string.size; i++)
        sink += (unsigned char)string.data[i];
}

static void read_pairs(fletch_metadata pairs, uint64_t *budget)
{
    fletch_key_value pair;
    while (*budget && fletch_next_metadata(&pairs, &pair)) {
        --*budget;
        read_string(pair.key);
        read_string(pair.value);
    }
}

static void read_type(const fletch_type *type)
{
    if (type->id == FLETCH_TYPE_TIMESTAMP) read_string(type->as.timestamp.timezone);
    if (type->id != FLETCH_TYPE_UNION) return;
    const fletch_integers *ids = &type->as.union_.type_ids;
    for (uint32_t i = 0; i < ids->count; i++)
        sink += (unsigned)fletch_integer_at(ids, i);
}

static void read_fields(fletch_fields fields, unsigned depth, uint64_t *budget)
{
    fletch_field field;
    fletch_extension extension;
    while (*budget && fletch_next_field(&fields, &field)) {
        --*budget;
        read_string(field.name);
        read_type(&field.type);
        read_pairs(field.metadata, budget);
        sink += (unsigned)fletch_count_buffers(&field, FLETCH_V5);
        if (fletch_find_extension(&field, &extension) == FLETCH_OK) read_string(extension.metadata);
        if (depth < HAND_DEPTH) read_fields(field.children, depth + 1, budget);
    }
}

uint64_t walk_by_hand(const fletch_schema *schema, uint64_t budget)
{
    uint64_t left = budget;
    for (uint32_t i = 0; i < schema->features.count; i++)
        sink += (unsigned)fletch_integer_at(&schema->features, i);
    read_pairs(schema->metadata, &left);
    read_pairs(schema->wrapper.metadata, &left);
    read_fields(schema->fields, 0, &left);
    return budget - left;
}

uint64_t walk_all(const fletch_schema *schema, fletch_status *status)
{
    uint64_t count = 0;
    fletch_walk walk;
    fletch_field field;
    fletch_walk_begin(&walk, schema, NULL);
    for (; fletch_walk_next(&walk, &field); count++)
        read_string(field.name);
    *status = walk.status;
    return count;
}

/* Paper */

bool write_on(void *context, const char *text, size_t size)
{
    paper *p = context;
    if (p->limit && size > p->limit - p->size) return false;
    if (size >= p->space - p->size) {
        p->space = 2 * p->space + size + 256;
        p->text = realloc(p->text, p->space);
        if (!p->text) abort();
    }
    memcpy(p->text + p->size, text, size);
    p->size += size;
    p->text[p->size] = 0;
    return true;
}

void tear_up(paper *p)
{
    free(p->text);
    memset(p, 0, sizeof *p);
}

/* Verdicts */

fletch_status open_lending(maker *m, block b, const fletch_options *options, fletch_schema *schema,
                           fletch_error *error)
{
    fletch_error own;
    fletch_options lending = *options;
    if (!error) error = &own;
    fletch_status status = fletch_open_with(b.bytes, b.size, &lending, schema, error);
    if (status != FLETCH_NO_SPACE) return status;
    block scratch = pad(m, (block){NULL, 0}, (size_t)error->wanted);
    lending.scratch = scratch.bytes;
    lending.scratch_size = scratch.size;
    return fletch_open_with(b.bytes, b.size, &lending, schema, error);
}

fletch_status check_dictionaries(const fletch_schema *schema, fletch_error *error)
{
    fletch_status status = fletch_check_dictionaries(schema, NULL, 0, NULL, error);
    if (status != FLETCH_NO_SPACE) return status;
    size_t size = (size_t)error->wanted;
    void *memory = malloc(size);
    if (!memory) abort();
    status = fletch_check_dictionaries(schema, memory, size, NULL, error);
    free(memory);
    return status;
}

fletch_status verdict(block b, fletch_kind kind, fletch_level level, fletch_error *error)
{
    fletch_schema schema;
    fletch_options options = {.kind = kind, .level = level};
    maker *m = maker_new();
    fletch_status status = open_lending(m, b, &options, &schema, error);
    if (status == FLETCH_OK && level != FLETCH_LEVEL_STRUCTURE)
        status = check_dictionaries(&schema, error);
    maker_free(m);
    return status;
}
