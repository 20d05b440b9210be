/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The examples do what they say, and README quotes them as they are: each C block of README stands
 * in a file of tests/examples to the letter.
 */
#include "examples/read.c"
#include "examples/build.c"
#include "examples/project.c"
#include "examples/exchange.c"
#include "examples/find.c"
#include "examples/verify.c"
#include "examples/nested.c"
#include "examples/expect.c"
#include "examples/microcontroller.c"

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
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
    assert_int_equal(give(&schema, &between, NULL), FLETCH_OK);
    fletch_builder_init_growing(&builder, &heap);
    assert_int_equal(take(&between, &builder), FLETCH_OK);
    assert_null(between.release);
    assert_int_equal(fletch_finish(&builder, FLETCH_STREAM, &result, &made, NULL), FLETCH_OK);
    assert_int_equal(fletch_open(result, made, &taken, NULL), FLETCH_OK);
    assert_int_equal(fletch_compare(&schema, &taken, NULL, NULL), FLETCH_OK);
    fletch_builder_release(&builder);
}

static void the_exchange_example_gives_nothing_of_an_empty_schema(void **state)
{
    struct ArrowSchema between;
    fletch_schema schema;

    (void)state;
    assert_int_equal(fletch_open("", 0, &schema, NULL), FLETCH_EMPTY);
    assert_int_equal(give(&schema, &between, NULL), FLETCH_MISSING);
    assert_null(between.release);
}

static fletch_status open_data(const char *name, unsigned char *memory, size_t size,
                               fletch_schema *schema)
{
    char path[4096];
    fletch_status status;
    FILE *file;
    long end;

    snprintf(path, sizeof path, "%s/%s", FLETCH_DATA_DIR, name);
    file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    end = ftell(file);
    assert_true(end > 0);
    status = open_file(file, (uint64_t)end, memory, size, schema, NULL);
    fclose(file);
    return status;
}

static void the_find_example_opens_what_has_its_schema_at_either_end(void **state)
{
    static const char *const names[] = {"polars-0.25.2__frame.stream", "polars-0.25.2__frame.arrow",
                                        "polars-0.25.2__frame.parquet", "polars-0.25.2__key.base64",
                                        "flatc-2.0.8__all-types.schema"};
    static unsigned char memory[1 << 16];
    fletch_schema schema;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(open_data(names[i], memory, sizeof memory, &schema), FLETCH_OK);
        assert_true(fletch_count_fields(&schema.fields) > 0);
    }
}

static void the_find_example_says_when_its_memory_is_too_small(void **state)
{
    unsigned char memory[100];
    fletch_schema schema;

    (void)state;
    assert_int_equal(open_data("polars-0.25.2__frame.arrow", memory, sizeof memory, &schema),
                     FLETCH_NO_SPACE);
}

/* What the verify example says of bytes; nothing if they are good. */
static void checked(const void *bytes, size_t size, char *said, size_t space)
{
    FILE *report = tmpfile();
    size_t read;
    int verdict;

    assert_non_null(report);
    verdict = check(bytes, size, report);
    assert_int_equal(verdict, ftell(report) != 0);
    rewind(report);
    read = fread(said, 1, space - 1, report);
    said[read] = '\0';
    fclose(report);
}

static void the_verify_example_says_nothing_of_good_bytes(void **state)
{
    unsigned char bytes[4096];
    size_t size = written(bytes, sizeof bytes);
    char said[1000];

    (void)state;
    checked(bytes, size, said, sizeof said);
    assert_string_equal(said, "");
}

static void the_verify_example_shows_the_bytes_at_fault(void **state)
{
    unsigned char bytes[4096];
    size_t size = written(bytes, sizeof bytes), i;
    char said[1000];

    (void)state;
    for (i = 0; memcmp(bytes + i, "tags", 5) != 0; i++)
        assert_true(i + 5 < size);
    bytes[i + 4] = 'X'; /* where the NUL was */
    checked(bytes, size, said, sizeof said);
    assert_non_null(strstr(said, "malformed: the string of 4 bytes is followed by 88, not by NUL"));
    assert_non_null(strstr(said, "fields[1].name, byte"));
    assert_non_null(strstr(said, ": 58 "));
}

static void the_nested_example_nests(void **state)
{
    fletch_options options = {FLETCH_STREAM, FLETCH_LEVEL_STRICT, {0, 0, 0}, NULL, 0, false};
    unsigned char bytes[4096];
    size_t size = make_routes(bytes, sizeof bytes, NULL);
    fletch_schema schema;
    fletch_field field;

    (void)state;
    assert_int_equal(fletch_open_with(bytes, size, &options, &schema, NULL), FLETCH_OK);
    assert_int_equal(fletch_find_path(&schema.fields, fletch_text("route.item.y"), &field),
                     FLETCH_OK);
    assert_int_equal(field.type.as.floating_point.precision, FLETCH_DOUBLE);
    assert_int_equal(fletch_find_path(&schema.fields, fletch_text("labels.entries.key"), &field),
                     FLETCH_OK);
    assert_int_equal(fletch_find_field(&schema.fields, fletch_text("vehicle"), &field), FLETCH_OK);
    assert_true(field.has_dictionary);
}

/* A stream of the columns "id", of that many bits, and "name". */
static size_t people(int32_t bits, unsigned char *to)
{
    unsigned char memory[1024];
    fletch_builder builder;
    const void *bytes;
    size_t size;

    fletch_builder_init(&builder, memory, sizeof memory);
    fletch_add_field(&builder, "id", fletch_int(bits, true), 0);
    fletch_add_field(&builder, "name", fletch_utf8(), FLETCH_NULLABLE);
    fletch_add_metadata(&builder, "made by", "somebody");
    assert_int_equal(fletch_finish(&builder, FLETCH_STREAM, &bytes, &size, NULL), FLETCH_OK);
    memcpy(to, bytes, size);
    return size;
}

static void the_expect_example_takes_the_schema_it_expects(void **state)
{
    unsigned char bytes[1024];

    (void)state;
    assert_int_equal(check_people(bytes, people(64, bytes), stderr), 0);
}

static void the_expect_example_tells_the_first_difference(void **state)
{
    unsigned char bytes[1024];
    FILE *report = tmpfile();
    char said[200] = "";

    (void)state;
    assert_non_null(report);
    assert_int_equal(check_people(bytes, people(32, bytes), report), 1);
    rewind(report);
    assert_non_null(fgets(said, sizeof said, report));
    assert_string_equal(said, "different: fields[0].type.bitWidth: bitWidth 32 against 64\n");
    fclose(report);
}

static void the_microcontroller_example_announces_what_it_sends(void **state)
{
    size_t size;
    const char *text = announce(&size);

    (void)state;
    assert_non_null(text);
    assert_memory_equal(text, "/////", 5);
    assert_int_equal(size % 4, 0);
}

static const char *const names[] = {"read.c",   "build.c",    "project.c",
                                    "find.c",   "verify.c",   "nested.c",
                                    "expect.c", "exchange.c", "microcontroller.c"};

static char *example(const char *name)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/../examples/%s", FLETCH_DATA_DIR, name);
    return text_of(path);
}

static void examples_are_short_enough_to_read(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *text = example(names[i]);
        const char *at = text;
        unsigned lines = 0;

        while ((at = strchr(at, '\n')) != NULL) {
            at++;
            lines++;
        }
        assert_true(lines <= 60);
        free(text);
    }
}

static bool stands_in(const char *block, size_t size, const char *text)
{
    for (; *text != '\0'; text++)
        if (strncmp(text, block, size) == 0) return true;
    return false;
}

static void every_c_block_of_readme_is_an_example(void **state)
{
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
            char *text = example(names[i]);

            found |= stands_in(block, (size_t)(end - block), text);
            free(text);
        }
        if (!found) print_error("not an example: %.60s\n", block);
        assert_true(found);
        blocks++;
    }
    assert_true(blocks >= 2);
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
        cmocka_unit_test(the_exchange_example_gives_nothing_of_an_empty_schema),
        cmocka_unit_test(the_find_example_opens_what_has_its_schema_at_either_end),
        cmocka_unit_test(the_find_example_says_when_its_memory_is_too_small),
        cmocka_unit_test(the_verify_example_says_nothing_of_good_bytes),
        cmocka_unit_test(the_verify_example_shows_the_bytes_at_fault),
        cmocka_unit_test(the_nested_example_nests),
        cmocka_unit_test(the_expect_example_takes_the_schema_it_expects),
        cmocka_unit_test(the_expect_example_tells_the_first_difference),
        cmocka_unit_test(the_microcontroller_example_announces_what_it_sends),
        cmocka_unit_test(examples_are_short_enough_to_read),
        cmocka_unit_test(every_c_block_of_readme_is_an_example),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
