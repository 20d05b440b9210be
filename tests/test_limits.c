/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits: depth, tables, text and size, which bound the work that any bytes can cause, and which
 * no schema of real size comes near.
 */
#define _DEFAULT_SOURCE /* mmap, on systems that have it */

#include "support/check.h"

#include <string.h>
#include <time.h>

#if defined(__unix__)
#include <sys/mman.h>
#endif

/* Depth */

static void fields_may_nest_128_deep(void **state)
{
    maker *m = *state;
    expect_everywhere(finish(m, deep_schema(m, 127)), FLETCH_SCHEMA, FLETCH_OK);
    expect_everywhere(finish(m, deep_schema(m, 128)), FLETCH_SCHEMA, FLETCH_OK);
}

static void fields_that_nest_129_deep_are_a_limit(void **state)
{
    maker *m = *state;
    expect_everywhere(finish(m, deep_schema(m, 129)), FLETCH_SCHEMA, FLETCH_LIMIT);
    expect_everywhere(finish(m, deep_schema(m, 5000)), FLETCH_SCHEMA, FLETCH_LIMIT);
}

static void options_can_lower_the_depth(void **state)
{
    maker *m = *state;
    block b = finish(m, deep_schema(m, 3));
    fletch_options options = {.kind = FLETCH_SCHEMA, .limits.depth = 3};
    expect(b, &options, FLETCH_OK);
    options.limits.depth = 2;
    expect(b, &options, FLETCH_LIMIT);
}

static void options_cannot_raise_the_depth(void **state)
{
    maker *m = *state;
    fletch_options options = {.kind = FLETCH_SCHEMA, .limits.depth = 1000};
    expect(finish(m, deep_schema(m, 129)), &options, FLETCH_LIMIT);
}

static void a_message_or_footer_around_costs_no_depth(void **state)
{
    maker *m = *state;
    expect_everywhere(finish(m, new_message(m, deep_schema(m, 128))), FLETCH_MESSAGE, FLETCH_OK);
    expect_everywhere(finish(m, new_footer(m, deep_schema(m, 128))), FLETCH_FOOTER, FLETCH_OK);
}

/* Tables and text */

static void fields_without_end_are_a_limit(void **state)
{
    maker *m = *state;
    static const unsigned fans[][2] = {{30, 2}, {10, 50}, {100, 2}, {18, 2}, {126, 3}};
    clock_t begin = clock();
    for (size_t i = 0; i < sizeof fans / sizeof *fans; i++) {
        block b = finish(m, fan_schema(m, fans[i][0], fans[i][1]));
        expect_everywhere(b, FLETCH_SCHEMA, FLETCH_LIMIT);
    }
    assert_in_range(clock() - begin, 0, 5 * CLOCKS_PER_SEC);
}

static void pairs_without_end_are_a_limit(void **state)
{
    maker *m = *state;
    node *root = new_schema(m), *list = make_list(m), *field = int_field(m, "a");
    node *pair = add_pair(m, field, FIELD_METADATA, "k", "v");
    for (int i = 0; i < 2000; i++)
        append(list, pair);
    set_node(field, FIELD_METADATA, list);
    for (int i = 0; i < 2000; i++)
        add_field(root, field);
    expect_everywhere(finish(m, root), FLETCH_SCHEMA, FLETCH_LIMIT);
}

static void options_can_raise_the_tables(void **state)
{
    maker *m = *state;
    fletch_options options = {.kind = FLETCH_SCHEMA};
    block b = finish(m, fan_schema(m, 12, 2));
    expect(b, &options, FLETCH_LIMIT);
    options.limits.tables = 100000;
    expect(b, &options, FLETCH_OK);
}

static void options_can_lower_the_tables(void **state)
{
    maker *m = *state;
    block b = finish(m, make_sample(m).schema);
    fletch_options options = {.kind = FLETCH_SCHEMA, .limits.tables = 20};
    expect(b, &options, FLETCH_OK);
    options.limits.tables = 2;
    expect(b, &options, FLETCH_LIMIT);
}

/* 4 MB of shared name: 20 fields with it make more than 16 times the buffer and 1 MiB. */
static node *long_names(maker *m, unsigned count)
{
    enum { LONG = 1 << 22 };
    block text = pad(m, (block){NULL, 0}, LONG);
    memset(text.bytes, 'n', LONG);
    node *root = new_schema(m), *name = make_string(m, text.bytes, LONG);
    for (unsigned i = 0; i < count; i++) {
        node *field = int_field(m, NULL);
        set_node(field, FIELD_NAME, name);
        add_field(root, field);
    }
    return root;
}

static void text_without_end_is_a_limit_where_it_is_read(void **state)
{
    maker *m = *state;
    expect_levels(finish(m, long_names(m, 20)), FLETCH_SCHEMA, FLETCH_OK, FLETCH_OK, FLETCH_LIMIT);
    expect_everywhere(finish(m, long_names(m, 15)), FLETCH_SCHEMA, FLETCH_OK);
}

static void options_can_move_the_limit_of_text(void **state)
{
    maker *m = *state;
    fletch_options options = {.kind = FLETCH_SCHEMA, .level = FLETCH_LEVEL_STRICT};
    options.limits.text = 1 << 27;
    expect(finish(m, long_names(m, 20)), &options, FLETCH_OK);
    options.limits.text = 4;
    expect(finish(m, make_sample(m).schema), &options, FLETCH_LIMIT);
    options.limits.text = 5;
    expect(finish(m, make_sample(m).schema), &options, FLETCH_OK);
}

static void half_a_million_columns_are_good(void **state)
{
    maker *m = *state;
    expect_everywhere(wide_schema(m, 500000), FLETCH_SCHEMA, FLETCH_OK);
}

static void more_than_a_million_columns_are_good(void **state)
{
    maker *m = *state;
    block b = wide_schema(m, 1200000);
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_status status;
    assert_int_equal(fletch_count_fields(&schema.fields), 1200000);
    assert_int_equal(walk_all(&schema, &status), 1200000);
    assert_int_equal(status, FLETCH_OK);
}

static void hundreds_of_thousands_of_pairs_are_good(void **state)
{
    enum { PAIRS = 300000 };
    maker *m = *state;
    sample s = make_sample(m);
    share_vtables(m);
    for (unsigned i = 1; i < PAIRS; i++) {
        node *pair = make_table(m);
        set_node(pair, PAIR_KEY, member(s.pair, PAIR_KEY));
        set_node(pair, PAIR_VALUE, member(s.pair, PAIR_VALUE));
        append(s.metadata, pair);
    }
    block b = finish(m, s.schema);
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_field field = field_number(&schema, 0);
    assert_int_equal(fletch_count_metadata(&field.metadata), PAIRS);
}

/* Size */

/* Address space of any size, of which only the first page can be read; NULL: there is none. */
static uint8_t *reserve(uint64_t size)
{
#if defined(__unix__)
    if (size > SIZE_MAX) return NULL;
    void *bytes =
        mmap(NULL, (size_t)size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bytes == MAP_FAILED) return NULL;
    return mprotect(bytes, 4096, PROT_READ | PROT_WRITE) == 0 ? bytes : NULL;
#else
    (void)size;
    return NULL;
#endif
}

static void give_back(uint8_t *bytes, uint64_t size)
{
#if defined(__unix__)
    munmap(bytes, (size_t)size);
#else
    (void)bytes;
    (void)size;
#endif
}

/* The sample at the head of so many bytes, as this kind; skips where there is no such space. */
static void judge_in_space(maker *m, uint64_t size, fletch_kind kind, fletch_status status)
{
    sample s = make_sample(m);
    node *root = kind == FLETCH_SCHEMA ? s.schema : new_message(m, s.schema);
    block b = finish(m, root);
    if (kind == FLETCH_STREAM) b = stream_of(m, b);
    uint8_t *bytes = reserve(size);
    if (!bytes) {
        print_message("no address space of that size can be had: skipped\n");
        skip();
        return;
    }
    memcpy(bytes, b.bytes, b.size);
    expect_as((block){bytes, (size_t)size}, kind, FLETCH_LEVEL_STRICT, status);
    give_back(bytes, size);
}

/* The builder works at both ends of what it may use: only these pages are there. */
static void a_builder_may_be_lent_more_than_a_flatbuffer_can_have(void **state)
{
#if defined(__unix__)
    const uint64_t size = UINT64_C(3) << 30;
    uint8_t *memory = reserve(size);
    fletch_builder b;
    fletch_schema schema;
    const void *bytes;
    size_t used;
    (void)state;
    if (!memory) skip();
    if (mprotect(memory + size - 65536, 65536, PROT_READ | PROT_WRITE) != 0) skip();
    fletch_builder_init(&b, memory, (size_t)size);
    fletch_add_field(&b, "a", fletch_int(32, true), 0);
    assert_int_equal(fletch_finish(&b, FLETCH_STREAM, &bytes, &used, NULL), FLETCH_OK);
    assert_int_equal(fletch_open(bytes, used, &schema, NULL), FLETCH_OK);
    assert_int_equal(fletch_count_fields(&schema.fields), 1);
    give_back(memory, size);
#else
    (void)state;
    skip();
#endif
}

static void a_flatbuffer_of_two_gigabytes_is_too_large(void **state)
{
    judge_in_space(*state, 0x80000000, FLETCH_SCHEMA, FLETCH_TOO_LARGE);
}

static void a_flatbuffer_one_byte_below_two_gigabytes_is_good(void **state)
{
    judge_in_space(*state, 0x7FFFFFFF, FLETCH_SCHEMA, FLETCH_OK);
}

/* Its end lies beyond two gigabytes, counted from the input's first byte. */
static void a_message_of_nearly_two_gigabytes_is_good(void **state)
{
    enum { LENGTH = 0x7FFFFFF0 };
    maker *m = *state;
    block b = finish(m, new_message(m, make_sample(m).schema));
    uint8_t *bytes = reserve(8 + (uint64_t)LENGTH);
    if (!bytes) skip();
    block whole = {bytes, (size_t)8 + LENGTH};
    poke32(whole, 0, 0xFFFFFFFF);
    poke32(whole, 4, LENGTH);
    memcpy(bytes + 8, b.bytes, b.size);
    expect_as(whole, FLETCH_STREAM, FLETCH_LEVEL_STRICT, FLETCH_OK);
    give_back(bytes, 8 + (uint64_t)LENGTH);
}

static void a_stream_may_be_larger_than_four_gigabytes(void **state)
{
    judge_in_space(*state, 0x140000000, FLETCH_STREAM, FLETCH_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(fields_may_nest_128_deep),
        WITH_MAKER(fields_that_nest_129_deep_are_a_limit),
        WITH_MAKER(options_can_lower_the_depth),
        WITH_MAKER(options_cannot_raise_the_depth),
        WITH_MAKER(a_message_or_footer_around_costs_no_depth),
        WITH_MAKER(fields_without_end_are_a_limit),
        WITH_MAKER(pairs_without_end_are_a_limit),
        WITH_MAKER(options_can_raise_the_tables),
        WITH_MAKER(options_can_lower_the_tables),
        WITH_MAKER(text_without_end_is_a_limit_where_it_is_read),
        WITH_MAKER(options_can_move_the_limit_of_text),
        WITH_MAKER(half_a_million_columns_are_good),
        WITH_MAKER(more_than_a_million_columns_are_good),
        WITH_MAKER(hundreds_of_thousands_of_pairs_are_good),
        cmocka_unit_test(a_builder_may_be_lent_more_than_a_flatbuffer_can_have),
        WITH_MAKER(a_flatbuffer_of_two_gigabytes_is_too_large),
        WITH_MAKER(a_flatbuffer_one_byte_below_two_gigabytes_is_good),
        WITH_MAKER(a_message_of_nearly_two_gigabytes_is_good),
        WITH_MAKER(a_stream_may_be_larger_than_four_gigabytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
