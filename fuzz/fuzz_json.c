/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text through the program's reader of JSON, and whatever it reads into a builder. Each value
 * of the tree is led to once; a schema that is built, printed as JSON, read and built again is the
 * same to the byte, since JSON says all that can be built from JSON.
 */
#include "check.h"

#include "json_schema.h"

#include <fletch/fletch.h>
#include <fletch/heap.h>

/* Values from `value` on, and all that they lead to. */
static uint32_t count_values(const struct json_document *document, const struct json_value *value)
{
    uint32_t count = 0;

    for (; value != NULL; value = json_next(document, value)) {
        CHECK(value->kind == JSON_ARRAY || value->kind == JSON_OBJECT || value->first == 0);
        count += 1 + count_values(document, json_first(document, value));
    }
    return count;
}

static void check_json_error(const struct json_error *error, const char *text, size_t size)
{
    size_t line, column;

    CHECK(!error->is_memory && error->at <= size);
    CHECK(memchr(error->sentence, 0, sizeof error->sentence) != NULL && error->sentence[0] != 0);
    json_place(text, size, error->at, &line, &column);
    CHECK(line >= 1 && column >= 1 && line + column <= error->at + 2);
}

/* Reads a text, and adds what it says to a builder; false: the one or the other was refused. */
static bool read_into(fletch_builder *builder, const char *text, size_t size)
{
    struct json_document document;
    struct json_error error;
    bool is_built = false;

    if (json_read(text, size, json_schema_skipped, &document, &error)) {
        CHECK(count_values(&document, json_root(&document)) == document.count);
        is_built = json_build_schema(&document, builder, &error);
    }
    if (!is_built) check_json_error(&error, text, size);
    json_free(&document);
    return is_built;
}

/* Prints the schema, reads that, and wants the same bytes of it. */
static void check_again(const fletch_schema *schema, const void *bytes, size_t size)
{
    const fletch_allocator heap = fletch_heap();
    struct text text = {NULL, 0, 0};
    fletch_builder builder;
    fletch_error error;
    const void *again;
    size_t again_size;

    CHECK(fletch_print_json(schema, NULL, append_text, &text, &error) == FLETCH_OK);
    fletch_builder_init_growing(&builder, &heap);
    CHECK(read_into(&builder, text.data, text.size));
    CHECK(fletch_finish(&builder, FLETCH_SCHEMA, &again, &again_size, &error) == FLETCH_OK);
    CHECK(again_size == size && memcmp(again, bytes, size) == 0);
    fletch_builder_release(&builder);
    free(text.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fletch_options strict = {FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, {0, 0, 0}, NULL, 0, false};
    const fletch_allocator heap = fletch_heap();
    char *text = (char *)malloc(size != 0 ? size : 1); /* exact, and without a NUL */
    fletch_builder builder;
    fletch_schema schema;
    fletch_error error;
    const void *bytes;
    size_t made;

    CHECK(text != NULL);
    memcpy(text, data, size);
    fletch_builder_init_growing(&builder, &heap);
    if (read_into(&builder, text, size)) {
        CHECK(fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &made, &error) == FLETCH_OK);
        CHECK(fletch_open_with(bytes, made, &strict, &schema, &error) == FLETCH_OK);
        check_again(&schema, bytes, made);
    }
    fletch_builder_release(&builder);
    free(text);
    return 0;
}
