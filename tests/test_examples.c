/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The examples do what they say, and README quotes them as they are: each C block of README stands
 * in a file of tests/examples to the letter.
 */
#include "examples/read.c"
#include "examples/build.c"
#include "examples/project.c"
#include "examples/exchange.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);

    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

/* Runs write_schema into a temporary file, gives its bytes. */
static size_t written(unsigned char *bytes, size_t space)
{
    FILE *file = tmpfile();
    size_t size;

    assert_non_null(file);
    assert_int_equal(write_schema(file), 0);
    rewind(file);
    size = fread(bytes, 1, space, file);
    fclose(file);
    return size;
}

static void the_build_example_writes_a_stream_that_opens_strictly(void **state)
{
    fletch_options options = {FLETCH_STREAM, FLETCH_LEVEL_STRICT, {0, 0, 0}, NULL, 0, false};
    unsigned char bytes[4096];
    size_t size = written(bytes, sizeof bytes);
    fletch_schema schema;
    fletch_field field;

    (void)state;
    assert_int_equal(fletch_open_with(bytes, size, &options, &schema, NULL), FLETCH_OK);
    assert_int_equal(fletch_find_path(&schema.fields, fletch_text("tags.item"), &field), FLETCH_OK);
    assert_int_equal(field.type.id, FLETCH_TYPE_UTF8);
}

static void the_read_example_takes_what_the_build_example_wrote(void **state)
{
    unsigned char bytes[4096];
    size_t size = written(bytes, sizeof bytes);

    (void)state;
    assert_int_equal(print_columns(bytes, size), 0);
}

static void the_read_example_refuses_a_stream_cut_short(void **state)
{
    unsigned char bytes[4096];
    size_t size = written(bytes, sizeof bytes);

    (void)state;
    assert_int_equal(print_columns(bytes, size / 2), 1);
}

static void the_projection_example_drops_and_renames(void **state)
{
    unsigned char bytes[4096];
    size_t size = written(bytes, sizeof bytes), made;
    fletch_schema schema, projected;
    fletch_builder builder;
    const void *result;
    fletch_field field;

    (void)state;
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
    assert_int_equal(project(&schema, &builder, &result, &made), FLETCH_OK);
    assert_int_equal(fletch_open(result, made, &projected, NULL), FLETCH_OK);
    assert_int_equal(fletch_find_field(&projected.fields, fletch_text("key"), &field), FLETCH_OK);
    assert_int_equal(fletch_find_field(&projected.fields, fletch_text("id"), &field),
                     FLETCH_MISSING);
    fletch_builder_release(&builder);
}

static void the_exchange_example_gives_and_takes_the_same_schema(void **state)
{
    unsigned char bytes[4096];
    size_t size = written(bytes, sizeof bytes), made;
    const fletch_allocator heap = fletch_heap();
    fletch_schema schema, taken;
    struct ArrowSchema between;
    fletch_builder builder;
    const void *result;

    (void)state;
    assert_int_equal(give(bytes, size, &between, NULL), FLETCH_OK);
    fletch_builder_init_growing(&builder, &heap);
    assert_int_equal(take(&between, &builder, &result, &made, NULL), FLETCH_OK);
    assert_null(between.release);
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
    assert_int_equal(fletch_open(result, made, &taken, NULL), FLETCH_OK);
    assert_int_equal(fletch_compare(&schema, &taken, NULL, NULL), FLETCH_OK);
    fletch_builder_release(&builder);
}

static void the_exchange_example_gives_nothing_of_a_stream_cut_short(void **state)
{
    unsigned char bytes[4096];
    size_t size = written(bytes, sizeof bytes);
    struct ArrowSchema between;

    (void)state;
    assert_int_equal(give(bytes, size / 2, &between, NULL), FLETCH_TRUNCATED);
    assert_null(between.release);
}

static bool stands_in(const char *block, size_t size, const char *text)
{
    for (; *text != '\0'; text++)
        if (strncmp(text, block, size) == 0) return true;
    return false;
}

static void every_c_block_of_readme_is_an_example(void **state)
{
    static const char *const names[] = {"read.c", "build.c", "project.c", "exchange.c"};
    char *readme = text_of(FLETCH_DATA_DIR "/../../README.md");
    const char *block = readme;
    unsigned blocks = 0;

    (void)state;
    while ((block = strstr(block, "```c\n")) != NULL) {
        const char *end = strstr(block += 5, "```");
        bool found = false;
        size_t i;

        assert_non_null(end);
        for (i = 0; i < sizeof names / sizeof names[0]; i++) {
            char path[4096];
            char *example;

            snprintf(path, sizeof path, "%s/../examples/%s", FLETCH_DATA_DIR, names[i]);
            example = text_of(path);
            found |= stands_in(block, (size_t)(end - block), example);
            free(example);
        }
        if (!found) print_error("not an example: %.60s\n", block);
        assert_true(found);
        blocks++;
    }
    assert_true(blocks >= 3);
    free(readme);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_build_example_writes_a_stream_that_opens_strictly),
        cmocka_unit_test(the_read_example_takes_what_the_build_example_wrote),
        cmocka_unit_test(the_read_example_refuses_a_stream_cut_short),
        cmocka_unit_test(the_projection_example_drops_and_renames),
        cmocka_unit_test(the_exchange_example_gives_and_takes_the_same_schema),
        cmocka_unit_test(the_exchange_example_gives_nothing_of_a_stream_cut_short),
        cmocka_unit_test(every_c_block_of_readme_is_an_example),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
