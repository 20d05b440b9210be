/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes, as any kind, at any level: no call may leave the bytes, hang, or contradict another.
 *
 * The first byte chooses kind, level and whether the stream copy is wanted; the rest is the input,
 * in a block of its exact size, and its last byte is also how low the limits are of a second try.
 * What opens is walked whole, visited, searched, printed, and at level arrow built anew: the copy
 * must say the same. Bare flatbuffers are visited whether they are sound or not.
 */
#include "check.h"
#include "objects.h"

#include <fletch/heap.h>

#include <stdlib.h>
#include <string.h>

/* A walk by hand over unverified bytes is the caller's to bound: this many fields. */
#define MOST_FIELDS   5000
/* Of siblings, this many are searched for: each search goes over those before. */
#define MOST_SEARCHES 8

static void check_error(fletch_status status, const fletch_error *error, size_t size)
{
    CHECK(error->status == status);
    CHECK(memchr(error->path, 0, sizeof error->path) != NULL);
    CHECK(memchr(error->sentence, 0, sizeof error->sentence) != NULL);
    CHECK(status == FLETCH_OK || error->sentence[0] != 0);
    CHECK(error->offset <= size);
}

/* A path of names: dots and backslashes are written with a backslash before them. */
struct path {
    char text[512];
    size_t size;
};

static bool append_name(struct path *path, fletch_string name)
{
    size_t i;

    for (i = 0; i < name.size && path->size + 3 < sizeof path->text; i++) {
        if (name.data[i] == '.' || name.data[i] == '\\') path->text[path->size++] = '\\';
        path->text[path->size++] = name.data[i];
    }
    return i == name.size;
}

/* The first field of this name, and its first child by a path: all that find say the same. */
static void find_again(const fletch_fields *fields, fletch_string name)
{
    fletch_field found, same;
    struct path path = {{0}, 0};
    fletch_string whole;
    uint32_t index;
    const fletch_status status = fletch_find_field(fields, name, &found);

    CHECK(fletch_find_index(fields, name, &index) == status);
    if (status != FLETCH_OK) return;
    CHECK(fletch_field_at(fields, index, &same) == FLETCH_OK && same.at == found.at);
    if (!append_name(&path, name)) return;
    whole.data = path.text;
    whole.size = path.size;
    CHECK(fletch_find_path(fields, whole, &same) == FLETCH_OK && same.at == found.at);
    if (fletch_field_at(&found.children, 0, &found) != FLETCH_OK) return;
    path.text[path.size++] = '.';
    if (!append_name(&path, found.name)) return;
    whole.size = path.size;
    CHECK(fletch_find_path(fields, whole, &same) == FLETCH_OK && same.at == found.at);
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
        if (fletch_find_extension(&field, &extension) == FLETCH_OK) CHECK(field.has_metadata);
        if (index < MOST_SEARCHES) find_again(fields, field.name);
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

/* All fields, each as a whole. */
static void copy_fields(fletch_builder *builder, const fletch_schema *schema)
{
    fletch_fields fields = schema->fields;
    fletch_field field;

    while (fletch_next_field(&fields, &field))
        CHECK(fletch_copy_field(builder, &field) == FLETCH_OK);
}

/* All fields, each opened and closed by itself. */
static void copy_each_field(fletch_builder *builder, const fletch_schema *schema)
{
    fletch_walk walk;
    fletch_field field;
    uint32_t open = 0;

    fletch_walk_begin(&walk, schema, NULL);
    while (fletch_walk_next(&walk, &field)) {
        for (; open > walk.depth; open--)
            CHECK(fletch_end_field(builder) == FLETCH_OK);
        CHECK(fletch_begin_field_like(builder, &field) == FLETCH_OK);
        open++;
    }
    for (; open != 0; open--)
        CHECK(fletch_end_field(builder) == FLETCH_OK);
}

/* Both ways come to the same bytes, with one builder. */
static void build_by_fields(const fletch_schema *schema)
{
    const fletch_allocator heap = fletch_heap();
    struct text first = {NULL, 0, 0};
    fletch_builder builder;
    const void *bytes;
    size_t size;

    fletch_builder_init_growing(&builder, &heap);
    fletch_set_level(&builder, FLETCH_LEVEL_ARROW);
    copy_fields(&builder, schema);
    CHECK(fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, NULL) == FLETCH_OK);
    CHECK(append_text(&first, (const char *)bytes, size));
    fletch_builder_reset(&builder);
    fletch_set_level(&builder, FLETCH_LEVEL_ARROW);
    copy_each_field(&builder, schema);
    CHECK(fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, NULL) == FLETCH_OK);
    CHECK(first.size == size && memcmp(first.data, bytes, size) == 0);
    fletch_builder_release(&builder);
    free(first.data);
}

static void walk_through(const fletch_schema *schema)
{
    fletch_walk walk;
    fletch_field field;
    fletch_key_value pair;
    uint32_t count = 0;

    fletch_walk_begin(&walk, schema, NULL);
    while (fletch_walk_next(&walk, &field)) {
        fletch_metadata pairs = field.metadata;

        CHECK(walk.depth < FLETCH_MAX_DEPTH);
        while (fletch_walk_metadata(&walk, &pairs, &pair))
            CHECK(pairs.position <= pairs.end);
    }
    if (walk.status != FLETCH_OK) return;
    fletch_walk_begin(&walk, schema, NULL);
    for (; fletch_walk_next(&walk, &field); count++)
        fletch_walk_skip(&walk);
    CHECK(count == fletch_count_fields(&schema->fields));
}

/* The tree, into memory that may be too small for it too: the same as far as it goes. */
static void print(const fletch_schema *schema)
{
    const fletch_print_options cut = {{0, 0, 0}, 40, 20, true};
    struct text text = {NULL, 0, 0};
    char some[100];
    fletch_text_buffer buffer = {some, sizeof some, 0};
    fletch_fields fields = schema->fields;
    fletch_field field;
    fletch_error error;

    if (fletch_print_tree(schema, &cut, append_text, &text, &error) == FLETCH_OK) {
        const size_t fits = text.size < sizeof some ? text.size : sizeof some - 1;

        CHECK(fletch_print_tree(schema, &cut, fletch_write_text, &buffer, &error) == FLETCH_OK);
        CHECK(buffer.used == text.size);
        CHECK(memcmp(some, text.data, fits) == 0 && some[fits] == 0);
    }
    if (fletch_next_field(&fields, &field))
        (void)fletch_print_type(&field, &cut, append_text, &text, &error);
    free(text.data);
}

/* With just the memory that it asks for, in a block of that size. */
static void check_dictionaries(const fletch_schema *schema)
{
    fletch_error error;
    fletch_status status = fletch_check_dictionaries(schema, NULL, 0, NULL, &error);
    void *memory;

    if (status != FLETCH_NO_SPACE) return;
    memory = malloc((size_t)error.wanted);
    CHECK(memory != NULL);
    status = fletch_check_dictionaries(schema, memory, (size_t)error.wanted, NULL, &error);
    CHECK(status != FLETCH_NO_SPACE);
    free(memory);
}

static void use(const fletch_schema *schema, fletch_status status, fletch_level level)
{
    unsigned budget = MOST_FIELDS;

    step_through(&schema->fields, 0, &budget);
    walk_through(schema);
    visit_schema(schema, level != FLETCH_LEVEL_UNCHECKED);
    print(schema);
    check_dictionaries(schema);
    if (status != FLETCH_OK || level < FLETCH_LEVEL_ARROW) return;
    build_again(schema);
    build_by_fields(schema);
}

/* The same with limits, which let everything stand or end it. */
static void open_limited(const uint8_t *bytes, size_t size, fletch_options options,
                         fletch_status status)
{
    const unsigned low = size != 0 ? bytes[size - 1] : 0;
    fletch_print_options narrow = {{0, 0, 0}, 0, 0, false};
    fletch_text_buffer nothing = {NULL, 0, 0};
    fletch_schema schema;
    fletch_error error;
    fletch_status limited;

    options.limits.depth = 1 + low % 4;
    options.limits.tables = 1 + low;
    options.limits.text = 4 * (1 + low);
    narrow.limits = options.limits;
    limited = fletch_open_with(bytes, size, &options, &schema, &error);
    CHECK(limited == status || limited == FLETCH_LIMIT);
    CHECK(error.status == limited);
    if (schema.at == 0) return;
    limited = fletch_print_tree(&schema, &narrow, fletch_write_text, &nothing, &error);
    CHECK(limited == FLETCH_OK || limited == FLETCH_LIMIT ||
          options.level == FLETCH_LEVEL_UNCHECKED);
    (void)fletch_print_json(&schema, &narrow, fletch_write_text, &nothing, &error);
}

static bool is_bare(fletch_kind kind)
{
    return kind == FLETCH_SCHEMA || kind == FLETCH_MESSAGE || kind == FLETCH_FOOTER;
}

static void visit_bare(const uint8_t *bytes, size_t size, fletch_kind kind)
{
    fletch_options options = {FLETCH_SNIFF, FLETCH_LEVEL_STRUCTURE, {0, 0, 0}, NULL, 0, false};
    fletch_error error;
    fletch_status status;

    options.kind = kind;
    status = fletch_verify(bytes, size, &options, &error);
    visit_bytes(bytes, size, kind, status, &error);
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
    open_limited(bytes, size, options, status);
    if (is_bare(kind)) visit_bare(bytes, size, kind);
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
