/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes, as any kind, at any level: no call may leave the bytes, hang, or contradict another.
 *
 * The first byte chooses kind, level and whether the stream copy is wanted; the rest is the input,
 * in a block of its exact size. What opens is walked whole, printed, and at level arrow built anew:
 * the copy must say the same.
 */
#include "check.h"

#include <fletch/fletch.h>
#include <fletch/heap.h>

#include <stdlib.h>
#include <string.h>

/* A walk by hand over unverified bytes is the caller's to bound: this many fields. */
#define MOST_FIELDS 5000

static void check_error(fletch_status status, const fletch_error *error, size_t size)
{
    CHECK(error->status == status);
    CHECK(memchr(error->path, 0, sizeof error->path) != NULL);
    CHECK(memchr(error->sentence, 0, sizeof error->sentence) != NULL);
    CHECK(status == FLETCH_OK || error->sentence[0] != 0);
    CHECK(error->offset <= size);
}

/* Steps with iterators and finders, as users do. */
static void step_through(const fletch_fields *fields, unsigned depth, unsigned *budget)
{
    fletch_fields left = *fields;
    fletch_field field, again;
    uint32_t index = 0;

    for (; *budget != 0 && fletch_next_field(&left, &field); index++) {
        fletch_metadata pairs = field.metadata;
        fletch_key_value pair;
        fletch_extension extension;

        --*budget;
        CHECK(fletch_field_at(fields, index, &again) == FLETCH_OK);
        CHECK(again.at == field.at);
        while (*budget != 0 && fletch_next_metadata(&pairs, &pair))
            --*budget;
        (void)fletch_find_extension(&field, &extension);
        (void)fletch_find_field(&field.children, field.name, &again);
        (void)fletch_count_buffers(&field, FLETCH_V5);
        (void)fletch_union_type_id(&field.type, index);
        if (depth < 40) step_through(&field.children, depth + 1, budget);
    }
}

static fletch_status print_into(const fletch_schema *schema, struct text *text)
{
    fletch_error error;

    text->size = 0;
    return fletch_print_json(schema, NULL, append_text, text, &error);
}

/* Builds what was opened anew; the copy must print the same. */
static void build_again(const fletch_schema *schema)
{
    static const fletch_kind kinds[] = {FLETCH_SCHEMA, FLETCH_ENCAPSULATED, FLETCH_STREAM,
                                        FLETCH_FILE};
    const fletch_allocator heap = fletch_heap();
    struct text first = {NULL, 0, 0}, second = {NULL, 0, 0};
    fletch_builder builder;
    fletch_error error;
    const void *bytes;
    size_t size, i;

    fletch_builder_init_growing(&builder, &heap);
    fletch_set_level(&builder, FLETCH_LEVEL_ARROW);
    fletch_copy_schema(&builder, schema);
    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const fletch_status status = i == 0
                                         ? fletch_finish(&builder, kinds[i], &bytes, &size, &error)
                                         : fletch_wrap(&builder, kinds[i], &bytes, &size, &error);
        fletch_options options = {kinds[i], FLETCH_LEVEL_ARROW, {0, 0, 0}, NULL, 0, false};
        fletch_schema copy;

        if (status == FLETCH_LIMIT) break; /* more features than the builder takes */
        CHECK(status == FLETCH_OK);
        CHECK(fletch_open_with(bytes, size, &options, &copy, &error) == FLETCH_OK);
        if (print_into(schema, &first) != FLETCH_OK) continue; /* text that is not UTF-8 */
        CHECK(print_into(&copy, &second) == FLETCH_OK);
        CHECK(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    }
    fletch_builder_release(&builder);
    free(first.data);
    free(second.data);
}

static void use(const fletch_schema *schema, fletch_status status, fletch_level level)
{
    const fletch_print_options cut = {{0, 0, 0}, 40, 20, true};
    struct text text = {NULL, 0, 0};
    unsigned budget = MOST_FIELDS;
    fletch_fields fields = schema->fields;
    fletch_field field;
    fletch_error error;
    fletch_walk walk;
    unsigned char memory[64 * FLETCH_DICTIONARY_MEMORY];

    step_through(&schema->fields, 0, &budget);
    fletch_walk_begin(&walk, schema, NULL);
    while (fletch_walk_next(&walk, &field))
        CHECK(walk.depth < FLETCH_MAX_DEPTH);
    (void)fletch_print_tree(schema, &cut, append_text, &text, &error);
    if (fletch_next_field(&fields, &field))
        (void)fletch_print_type(&field, &cut, append_text, &text, &error);
    (void)fletch_check_dictionaries(schema, memory, sizeof memory, NULL, &error);
    if (status == FLETCH_OK && level >= FLETCH_LEVEL_ARROW) build_again(schema);
    free(text.data);
}

static void open_as(const uint8_t *bytes, size_t size, fletch_kind kind, fletch_level level,
                    bool stream_copy)
{
    fletch_options options = {FLETCH_SNIFF, FLETCH_LEVEL_DEFAULT, {0, 0, 0}, NULL, 0, false};
    fletch_schema schema;
    fletch_error error;
    fletch_status status;
    size_t limit = size;

    options.kind = kind;
    options.level = level;
    options.stream_copy = stream_copy;
    status = fletch_open_with(bytes, size, &options, &schema, &error);
    if (status == FLETCH_NO_SPACE) {
        options.scratch_size = (size_t)error.wanted;
        options.scratch = malloc(options.scratch_size);
        CHECK(options.scratch != NULL);
        limit = size > options.scratch_size ? size : options.scratch_size;
        status = fletch_open_with(bytes, size, &options, &schema, &error);
        CHECK(status != FLETCH_NO_SPACE);
    }
    check_error(status, &error, limit);
    use(&schema, status, level);
    free(options.scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy;

    if (size == 0) return 0;
    copy = malloc(size - 1 != 0 ? size - 1 : 1); /* exact: the sanitizer guards both ends */
    CHECK(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    open_as(copy, size - 1, (fletch_kind)(data[0] % 9), (fletch_level)(1 + (data[0] >> 4) % 4),
            (data[0] & 0x80) != 0);
    free(copy);
    return 0;
}
