/* SPDX-License-Identifier: Apache-2.0 */
/* The extents of objects, and struct Buffer. */
#include <fletch/fletch.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_BYTES 16384u

/* What a visit saw. */
struct seen {
    unsigned char bytes[MOST_BYTES]; /* 1: some object has it */
    uint32_t size;
    unsigned counts[FLETCH_OBJECT_VECTOR + 1];
    unsigned left; /* objects to take before refusing */
    bool is_outside;
    uint32_t depth;
};

static bool see(void *context, const fletch_object *object)
{
    struct seen *seen = context;

    if (seen->left-- == 0) return false;
    if (object->begin >= object->end || object->end > seen->size) {
        seen->is_outside = true;
        return false;
    }
    memset(seen->bytes + object->begin, 1, object->end - object->begin);
    seen->counts[object->kind]++;
    if (object->depth > seen->depth) seen->depth = object->depth;
    return true;
}

static struct seen *look(const fletch_schema *schema, unsigned most, fletch_status *status)
{
    struct seen *seen = calloc(1, sizeof *seen);
    fletch_error error;

    assert_non_null(seen);
    assert_true(schema->buffer.size <= MOST_BYTES);
    seen->size = schema->buffer.size;
    seen->left = most;
    *status = fletch_visit_objects(schema, NULL, see, seen, &error);
    assert_int_equal(error.status, *status);
    return seen;
}

static const void *build(fletch_builder *builder, void *memory, size_t space, size_t *size)
{
    const void *bytes;

    fletch_builder_init(builder, memory, space);
    fletch_begin_field(builder, "a", fletch_list(), FLETCH_NULLABLE);
    fletch_add_field(builder, "item", fletch_timestamp(FLETCH_MICROSECOND, "UTC"), 0);
    fletch_end_field(builder);
    fletch_begin_field(builder, "b", fletch_utf8(), 0);
    fletch_set_dictionary(builder, 7, fletch_int(8, true).as.integer, false);
    fletch_add_metadata(builder, "key", "value");
    fletch_end_field(builder);
    assert_int_equal(fletch_finish(builder, FLETCH_MESSAGE, &bytes, size, NULL), FLETCH_OK);
    return bytes;
}

static void all_bytes_but_padding_belong_to_an_object(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    fletch_schema schema;
    fletch_status status;
    struct seen *seen;
    size_t size, i;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);

    (void)state;
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
    seen = look(&schema, UINT32_MAX, &status);
    assert_int_equal(status, FLETCH_OK);
    for (i = 0; i < size; i++)
        if (seen->bytes[i] == 0) assert_int_equal(bytes[i], 0);
    free(seen);
}

static void objects_come_once_for_each_way_to_them(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    fletch_schema schema;
    fletch_status status;
    struct seen *seen;
    size_t size;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);

    (void)state;
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
    seen = look(&schema, UINT32_MAX, &status);
    /* Message, Schema, three Fields, three types, DictionaryEncoding, its Int, KeyValue */
    assert_int_equal(seen->counts[FLETCH_OBJECT_TABLE], 11);
    assert_int_equal(seen->counts[FLETCH_OBJECT_VTABLE], 11);
    /* three names, the zone, key and value */
    assert_int_equal(seen->counts[FLETCH_OBJECT_STRING], 6);
    /* Schema.fields, three times children, custom_metadata */
    assert_int_equal(seen->counts[FLETCH_OBJECT_VECTOR], 5);
    assert_int_equal(seen->depth, 1);
    free(seen);
}

static void a_visitor_that_refuses_ends_the_visit(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    fletch_schema schema;
    fletch_status status;
    struct seen *seen;
    size_t size;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);
    unsigned most;

    (void)state;
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
    for (most = 0; most < 40; most++) {
        seen = look(&schema, most, &status);
        assert_int_equal(status, FLETCH_NO_SPACE);
        free(seen);
    }
}

static void extents_of_real_files_lie_in_the_flatbuffer(void **state)
{
    static const char *const names[] = {"flatc-2.0.8__all-types.schema",
                                        "flatc-2.0.8__dictionaries.message",
                                        "duckdbwasm-1.32.0__query.arrow"};
    static unsigned char bytes[MOST_BYTES];
    size_t i;

    (void)state;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[4096];
        fletch_schema schema;
        fletch_status status;
        struct seen *seen;
        FILE *file;
        size_t size;

        snprintf(path, sizeof path, "%s/%s", FLETCH_DATA_DIR, names[i]);
        file = fopen(path, "rb");
        assert_non_null(file);
        size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
        seen = look(&schema, UINT32_MAX, &status);
        assert_int_equal(status, FLETCH_OK);
        assert_false(seen->is_outside);
        assert_true(seen->counts[FLETCH_OBJECT_TABLE] > 2);
        free(seen);
    }
}

static void a_struct_buffer_is_two_little_endian_words_of_any_alignment(void **state)
{
    static const unsigned char bytes[1 + FLETCH_BODY_BUFFER_SIZE] = {0xAA, 8,    1,    0,    0,
                                                                     0,    0,    0,    0,    0xFE,
                                                                     0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                                                     0xFF, 0xFF};
    const fletch_body_buffer buffer = fletch_decode_body_buffer(bytes + 1);

    (void)state;
    assert_true(buffer.offset == 264);
    assert_true(buffer.length == -2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_bytes_but_padding_belong_to_an_object),
        cmocka_unit_test(objects_come_once_for_each_way_to_them),
        cmocka_unit_test(a_visitor_that_refuses_ends_the_visit),
        cmocka_unit_test(extents_of_real_files_lie_in_the_flatbuffer),
        cmocka_unit_test(a_struct_buffer_is_two_little_endian_words_of_any_alignment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
