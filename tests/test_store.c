/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building and memory: every size of a lent block, every failure of an allocator, and bytes that
 * depend on neither; what equal objects share, and what is never shared.
 */
#include "fletch/heap.h"

#include "support/building.h"
#include "support/random_schema.h"
#include "support/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Schemas to build */

typedef void (*recipe)(fletch_builder *b);

static void nothing(fletch_builder *b)
{
    (void)b;
}

static void one_column(fletch_builder *b)
{
    fletch_add_field(b, "a", fletch_int(32, true), 0);
}

static void nested(fletch_builder *b)
{
    fletch_begin_field(b, "m", fletch_map(true), FLETCH_NULLABLE);
    fletch_begin_field(b, "entries", fletch_struct(), 0);
    fletch_add_field(b, "key", fletch_utf8(), 0);
    fletch_begin_field(b, "value", fletch_union(FLETCH_DENSE, NULL, 0), FLETCH_NULLABLE);
    fletch_add_field(b, "a", fletch_timestamp(FLETCH_MICROSECOND, "Europe/Berlin"), 0);
    fletch_add_field(b, "b", fletch_decimal(76, -3, 256), FLETCH_NULLABLE);
    fletch_end_field(b);
    fletch_end_field(b);
    fletch_end_field(b);
}

static void everything(fletch_builder *b)
{
    fletch_set_endianness(b, FLETCH_BIG_ENDIAN);
    fletch_add_feature(b, FLETCH_FEATURE_COMPRESSED_BODY);
    nested(b);
    fletch_begin_field(b, "d", fletch_utf8(), FLETCH_NULLABLE);
    fletch_set_dictionary(b, 7, (fletch_int_type){8, true}, true);
    fletch_set_extension(b, "example.color", "rgb");
    fletch_end_field(b);
    fletch_add_metadata(b, "origin", "sensor 7");
    fletch_add_message_metadata(b, fletch_text("m"), fletch_text("1"));
    fletch_add_footer_metadata(b, fletch_text("f"), fletch_text("2"));
}

static void legacy(fletch_builder *b)
{
    fletch_set_legacy_framing(b);
    everything(b);
}

/* Lists of lists, as deep as they go. */
static void deep(fletch_builder *b)
{
    for (unsigned i = 1; i < FLETCH_MAX_DEPTH; i++)
        fletch_begin_field(b, "item", fletch_list(), FLETCH_NULLABLE);
    fletch_add_field(b, "item", fletch_bool(), FLETCH_NULLABLE);
    for (unsigned i = 1; i < FLETCH_MAX_DEPTH; i++)
        fletch_end_field(b);
}

static void many_columns(fletch_builder *b)
{
    char name[16];
    for (unsigned i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "column %u", i);
        fletch_add_field(b, name, i % 2 ? fletch_utf8() : fletch_int(64, true), FLETCH_NULLABLE);
    }
}

/* Equal names, types, keys and values, at the top and below. */
static void equal_columns(fletch_builder *b)
{
    for (unsigned i = 0; i < 4; i++)
        fletch_add_field(b, "same", fletch_int(32, true), FLETCH_NULLABLE);
    fletch_begin_field(b, "same", fletch_struct(), FLETCH_NULLABLE);
    for (unsigned i = 0; i < 4; i++)
        fletch_add_field(b, "same", fletch_timestamp(FLETCH_SECOND, "same"), FLETCH_NULLABLE);
    fletch_add_metadata(b, "same", "same");
    fletch_end_field(b);
    fletch_add_metadata(b, "same", "same");
}

static void many_equal_columns(fletch_builder *b)
{
    for (unsigned i = 0; i < 300; i++)
        fletch_add_field(b, "same", fletch_int(32, true), FLETCH_NULLABLE);
}

static const recipe small_recipes[] = {nothing,    one_column, nested,
                                       everything, legacy,     equal_columns};
static const recipe large_recipes[] = {everything, deep, many_columns, many_equal_columns};
enum { SMALL_RECIPES = 6, LARGE_RECIPES = 4 };

/* With plenty of memory. */
static block reference(maker *m, recipe build, fletch_kind kind)
{
    fletch_builder *b = new_builder(m);
    build(b);
    return built(m, b, kind);
}

/* Sizes of lent blocks */

/* Builds in a block of exactly that size; *bytes, where it succeeds, are the maker's. */
static fletch_status build_in(maker *m, recipe build, fletch_kind kind, size_t size, block *bytes,
                              fletch_error *error)
{
    fletch_builder b;
    const void *result;
    size_t result_size;
    void *memory = malloc(size ? size : 1);
    if (!memory) abort();
    memset(memory, 0xFF, size);
    fletch_builder_init(&b, memory, size);
    build(&b);
    fletch_status status = fletch_finish(&b, kind, &result, &result_size, error);
    if (status == FLETCH_OK) *bytes = copy_of(m, result, result_size);
    if (status != FLETCH_OK) assert_true(result == NULL && result_size == 0);
    free(memory);
    return status;
}

/* Every capacity up to the first that does; the sizes that were told do as well. */
static void check_capacities(recipe build, fletch_kind kind)
{
    maker *m = maker_new();
    block wanted = reference(m, build, kind), got = {NULL, 0};
    fletch_error error;
    size_t size = 0, told = 0;
    for (; build_in(m, build, kind, size, &got, &error) != FLETCH_OK; size++) {
        assert_int_equal(error.status, FLETCH_NO_SPACE);
        assert_string_equal(error.path, "");
        assert_true(error.wanted > size && error.wanted < 1 << 16);
        if (error.wanted == told) continue;
        told = (size_t)error.wanted;
        if (build_in(m, build, kind, told, &got, &error) != FLETCH_OK)
            fail_msg("%zu bytes as %s: %zu were told, now %llu", size, fletch_kind_word(kind), told,
                     (unsigned long long)error.wanted);
        same_bytes(got, wanted);
    }
    same_bytes(got, wanted);
    for (size_t more = 1; more < 20; more++) {
        assert_int_equal(build_in(m, build, kind, size + more, &got, &error), FLETCH_OK);
        same_bytes(got, wanted);
    }
    maker_free(m);
}

static void every_size_of_a_block_is_no_space_or_enough(void **state)
{
    (void)state;
    for (size_t i = 0; i < SMALL_RECIPES; i++)
        for (size_t k = 0; k < WRITTEN_KINDS; k++)
            check_capacities(small_recipes[i], written_kinds[k]);
}

static uint64_t measured(const random_plan *plan, fletch_kind kind)
{
    fletch_builder b;
    const void *bytes;
    size_t size;
    fletch_error error;
    fletch_builder_init(&b, NULL, 0);
    build_random(&b, plan);
    assert_int_equal(fletch_finish(&b, kind, &bytes, &size, &error), FLETCH_NO_SPACE);
    return error.wanted;
}

static bool does(const random_plan *plan, fletch_kind kind, uint64_t size)
{
    fletch_builder b;
    const void *bytes;
    size_t result_size;
    void *memory = malloc((size_t)size);
    if (!memory) abort();
    fletch_builder_init(&b, memory, (size_t)size);
    build_random(&b, plan);
    fletch_status status = fletch_finish(&b, kind, &bytes, &result_size, NULL);
    free(memory);
    return status == FLETCH_OK;
}

enum { PLANS = 2000 };

static random_plan plan_of(uint64_t seed)
{
    return (random_plan){.seed = seed, .fields = seed % 16 ? 20 : 400, .is_loose = seed % 3 == 0};
}

static void a_measured_size_does(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < PLANS; seed++) {
        random_plan plan = plan_of(seed);
        fletch_kind kind = written_kinds[seed % WRITTEN_KINDS];
        uint64_t size = measured(&plan, kind);
        if (!does(&plan, kind, size))
            fail_msg("seed %llu: %llu bytes do not do", (unsigned long long)seed,
                     (unsigned long long)size);
    }
}

/* What the header says does for a kind. */
static size_t said_space(const random_plan *plan, fletch_kind kind)
{
    size_t space = space_for_random(plan);
    return kind == FLETCH_FILE || kind == FLETCH_BASE64 ? space * 5 / 2 : space;
}

static void the_space_that_the_header_says_does(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < PLANS; seed++) {
        random_plan plan = plan_of(seed);
        for (size_t k = 0; k < WRITTEN_KINDS; k++)
            if (!does(&plan, written_kinds[k], said_space(&plan, written_kinds[k])))
                fail_msg("seed %llu as %s: %zu bytes do not do", (unsigned long long)seed,
                         fletch_kind_word(written_kinds[k]), said_space(&plan, written_kinds[k]));
    }
}

static void a_measured_size_is_not_above_what_the_header_says(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < PLANS; seed++) {
        random_plan plan = plan_of(seed);
        for (size_t k = 0; k < WRITTEN_KINDS; k++) {
            uint64_t size = measured(&plan, written_kinds[k]);
            if (size > said_space(&plan, written_kinds[k]))
                fail_msg("seed %llu as %s: %llu measured, %zu said", (unsigned long long)seed,
                         fletch_kind_word(written_kinds[k]), (unsigned long long)size,
                         said_space(&plan, written_kinds[k]));
        }
    }
}

/* What is measured and what is used, for schemas that share much or nothing. */
static uint64_t measure(recipe build, fletch_kind kind)
{
    fletch_error error;
    block none;
    assert_int_equal(build_in(NULL, build, kind, 0, &none, &error), FLETCH_NO_SPACE);
    return error.wanted;
}

static void check_measure(recipe build, uint64_t said)
{
    maker *m = maker_new();
    fletch_error error;
    block bytes;
    uint64_t size = measure(build, FLETCH_SCHEMA);
    if (build_in(m, build, FLETCH_SCHEMA, (size_t)size, &bytes, &error) != FLETCH_OK)
        fail_msg("%llu bytes were measured, %llu are wanted", (unsigned long long)size,
                 (unsigned long long)error.wanted);
    maker_free(m);
    if (said && size > said)
        fail_msg("%llu bytes were measured, the header says %llu", (unsigned long long)size,
                 (unsigned long long)said);
}

static unsigned shift; /* of what follows, by so many characters in a shared name */

/*
 * Integers between unions, whose tables all differ: a place where one is remembered may be that of
 * the other. Two equal names first, so that measuring, which shares no text, is out of step.
 */
static void unions_and_integers(fletch_builder *b)
{
    static const char spaces[] = "                                                ";
    char name[16];
    fletch_add_field(b, spaces + sizeof spaces - 1 - shift, fletch_bool(), 0);
    fletch_add_field(b, spaces + sizeof spaces - 1 - shift, fletch_bool(), 0);
    for (unsigned i = 0; i < 400; i++) {
        snprintf(name, sizeof name, "%u", i);
        fletch_add_field(b, name, fletch_union(FLETCH_SPARSE, NULL, 0), 0);
        fletch_add_field(b, name + 1, fletch_int(32, true), 0);
    }
}

static void a_measured_size_does_among_many_types(void **state)
{
    (void)state;
    for (shift = 0; shift < 40; shift++)
        check_measure(unions_and_integers, 0);
}

/* A zone and some sizes by turns, of which a few may be remembered in one place. */
static void zones_and_sizes(fletch_builder *b)
{
    char name[16];
    for (unsigned i = 0; i < 600; i++) {
        snprintf(name, sizeof name, "name %u", i);
        if (i % 6 == 0)
            fletch_add_field(b, name, fletch_timestamp(FLETCH_SECOND, "Z"), 0);
        else
            fletch_add_field(b, name, fletch_fixed_size_binary((int32_t)(shift * 6 + i % 6)), 0);
    }
}

static void a_measured_size_does_among_time_zones(void **state)
{
    (void)state;
    for (shift = 0; shift < 300; shift++)
        check_measure(zones_and_sizes, 0);
}

static void dense_unions(fletch_builder *b)
{
    char name[16];
    fletch_begin_field(b, "s", fletch_struct(), 0);
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "%u", i);
        fletch_add_field(b, name, fletch_union(FLETCH_DENSE, NULL, 0), 0);
    }
    fletch_end_field(b);
}

static void a_measured_size_does_for_unions_that_count_themselves(void **state)
{
    (void)state;
    check_measure(dense_unions, 0);
}

static void many_pairs(fletch_builder *b)
{
    for (unsigned i = 0; i < 1000; i++)
        fletch_add_metadata(b, "", "");
}

static void many_pairs_take_what_the_header_says(void **state)
{
    (void)state;
    check_measure(many_pairs, FLETCH_BUILD_SPACE(0u, 1000u, 0u, 2000u, 0u, 0u, 0u));
}

static void many_dictionaries(fletch_builder *b)
{
    for (unsigned i = 0; i < 1000; i++) {
        fletch_begin_field(b, "", fletch_utf8(), i % 2);
        fletch_set_dictionary(b, (int64_t)i - 1, (fletch_int_type){8 << i % 4, i % 3 == 0}, i % 5);
        fletch_end_field(b);
    }
}

static void many_dictionaries_take_what_the_header_says(void **state)
{
    (void)state;
    check_measure(many_dictionaries, FLETCH_BUILD_SPACE(1000u, 0u, 1000u, 1000u, 0u, 0u, 1u));
}

/* As few fields in common as can be: types and layouts by turns. */
static unsigned turn;

static void by_turns(fletch_builder *b)
{
    const fletch_type types[] = {fletch_decimal(5, 3, 64),
                                 fletch_time(FLETCH_NANOSECOND),
                                 fletch_int(8, true),
                                 fletch_fixed_size_binary(9),
                                 fletch_duration(FLETCH_SECOND),
                                 fletch_utf8(),
                                 fletch_floating_point(1),
                                 fletch_date(FLETCH_DAY),
                                 fletch_interval(2),
                                 fletch_timestamp(2, "UTC"),
                                 fletch_int(16, false),
                                 fletch_decimal(5, 0, 128),
                                 fletch_union(1, (int32_t[1]){0}, 0)};
    const unsigned count = sizeof types / sizeof *types;
    for (unsigned i = 0; i < 1000; i++) {
        const fletch_type *type = &types[i % 2 ? turn % count : turn / count % count];
        fletch_begin_field(b, "", *type, i % 2);
        if (turn / count / count) fletch_add_metadata(b, "", "");
        fletch_end_field(b);
    }
}

static void types_by_turns_take_what_the_header_says(void **state)
{
    (void)state;
    for (turn = 0; turn < 2 * 13 * 13; turn++) {
        const unsigned pairs = turn < 13 * 13 ? 0 : 1000, zones = 1000;
        check_measure(by_turns, FLETCH_BUILD_SPACE(1000u, pairs, 0u, 1000u + zones + 2 * pairs,
                                                   3 * zones, 0u, 1u));
    }
}

static void a_smaller_container_fits_where_a_larger_did_not(void **state)
{
    maker *m = *state;
    fletch_builder *b;
    fletch_error error;
    block bytes = {NULL, 0};
    size_t size = 0;
    while (build_in(m, everything, FLETCH_SCHEMA, size, &bytes, &error) != FLETCH_OK)
        size++;
    b = new_builder_in(m, size);
    everything(b);
    not_built(b, FLETCH_NO_SPACE);
    same_bytes(rebuilt(m, b, FLETCH_SCHEMA), bytes);
}

static void after_no_space_a_larger_block_does_and_a_wrap_tells_again(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder_in(m, 100);
    const void *bytes;
    size_t size;
    fletch_error error;
    everything(b);
    uint64_t wanted = not_built(b, FLETCH_NO_SPACE).wanted;
    assert_int_equal(fletch_wrap(b, FLETCH_SCHEMA, &bytes, &size, &error), FLETCH_NO_SPACE);
    assert_null(bytes);
    b = new_builder_in(m, (size_t)wanted);
    everything(b);
    same_bytes(built(m, b, FLETCH_STREAM), reference(m, everything, FLETCH_STREAM));
}

static void without_space_calls_are_still_checked(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder_in(m, 0);
    assert_int_equal(fletch_add_field(b, "a", fletch_int(32, true), 0), FLETCH_NO_SPACE);
    assert_int_equal(fletch_begin_field(b, "b", fletch_list(), 0), FLETCH_NO_SPACE);
    assert_int_equal(fletch_add_field(b, "c", fletch_int(12, true), 0), FLETCH_INVALID);
    not_built_at(b, FLETCH_INVALID, "fields[1].children[0].type.bitWidth");
}

static void no_memory_at_all_only_measures(void **state)
{
    fletch_builder b;
    (void)state;
    fletch_builder_init(&b, NULL, 1000);
    one_column(&b);
    assert_int_equal(not_built(&b, FLETCH_NO_SPACE).wanted, measure(one_column, FLETCH_STREAM));
}

/* Allocators */

static fletch_builder *growing(maker *m, ledger *l)
{
    fletch_builder *b = new_builder_in(m, 0);
    fletch_allocator allocator = ledger_allocator(l);
    fletch_builder_init_growing(b, &allocator);
    return b;
}

static void nothing_is_left(const ledger *l)
{
    assert_false(l->is_misused);
    assert_int_equal(l->blocks, 0);
    assert_int_equal(l->bytes, 0);
}

/* Fails call n, and the calls after it if `for_good`; tells whether there was a call n. */
static bool fail_at(recipe build, fletch_kind kind, size_t n, bool for_good, block wanted)
{
    maker *m = maker_new();
    ledger l = {.fail_from = n, .fail_to = for_good ? SIZE_MAX : n};
    fletch_builder *b = growing(m, &l);
    const void *bytes;
    size_t size;
    fletch_error error;
    build(b);
    fletch_status status = fletch_finish(b, kind, &bytes, &size, &error);
    bool was_refused = l.wanting >= n;
    assert_int_equal(status, was_refused ? FLETCH_NO_MEMORY : FLETCH_OK);
    assert_int_equal(error.status, status);
    assert_true((bytes == NULL) == was_refused);
    l.fail_from = 0;
    fletch_builder_reset(b);
    build(b);
    same_bytes(built(m, b, kind), wanted);
    fletch_builder_release(b);
    nothing_is_left(&l);
    maker_free(m);
    return was_refused;
}

static void every_allocation_that_fails_is_no_memory_and_leaks_nothing(void **state)
{
    maker *m = *state;
    for (size_t i = 0; i < LARGE_RECIPES; i++)
        for (size_t k = 0; k < WRITTEN_KINDS; k++) {
            block wanted = reference(m, large_recipes[i], written_kinds[k]);
            size_t n = 1;
            while (fail_at(large_recipes[i], written_kinds[k], n, false, wanted))
                assert_true(fail_at(large_recipes[i], written_kinds[k], n++, true, wanted));
            assert_true(n > 1);
        }
}

static void a_failure_while_wrapping_may_be_tried_again(void **state)
{
    maker *m = *state;
    ledger l = {0};
    fletch_builder *b = growing(m, &l);
    const void *bytes;
    size_t size;
    many_columns(b);
    block wanted = built(m, b, FLETCH_SCHEMA);
    l.fail_from = l.wanting + 1;
    l.fail_to = SIZE_MAX;
    assert_int_equal(fletch_wrap(b, FLETCH_FILE, &bytes, &size, NULL), FLETCH_NO_MEMORY);
    same_bytes(rebuilt(m, b, FLETCH_SCHEMA), wanted);
    l.fail_from = 0;
    same_bytes(rebuilt(m, b, FLETCH_FILE), reference(m, many_columns, FLETCH_FILE));
    fletch_builder_release(b);
    nothing_is_left(&l);
}

static void memory_is_kept_over_a_reset(void **state)
{
    ledger l = {0};
    maker *m = *state;
    fletch_builder *b = growing(m, &l);
    many_columns(b);
    built(m, b, FLETCH_FILE);
    size_t calls = l.calls;
    fletch_builder_reset(b);
    many_columns(b);
    built(m, b, FLETCH_FILE);
    assert_int_equal(l.calls, calls);
    fletch_builder_release(b);
    nothing_is_left(&l);
}

static void a_released_builder_gives_misuse_until_it_is_reset(void **state)
{
    ledger l = {0};
    maker *m = *state;
    fletch_builder *b = growing(m, &l);
    const void *bytes = "";
    size_t size = 1;
    one_column(b);
    built(m, b, FLETCH_SCHEMA);
    fletch_builder_release(b);
    nothing_is_left(&l);
    fletch_builder_release(b);
    assert_int_equal(fletch_wrap(b, FLETCH_SCHEMA, &bytes, &size, NULL), FLETCH_MISUSE);
    assert_null(bytes);
    assert_int_equal(fletch_finish(b, FLETCH_SCHEMA, &bytes, &size, NULL), FLETCH_MISUSE);
    assert_int_equal(fletch_add_field(b, "a", fletch_bool(), 0), FLETCH_MISUSE);
    fletch_builder_release(b);
    nothing_is_left(&l);
    fletch_builder_reset(b);
    one_column(b);
    same_bytes(built(m, b, FLETCH_SCHEMA), reference(m, one_column, FLETCH_SCHEMA));
    fletch_builder_release(b);
    nothing_is_left(&l);
}

static void a_release_in_the_middle_leaks_nothing(void **state)
{
    ledger l = {0};
    maker *m = *state;
    fletch_builder *b = growing(m, &l);
    many_columns(b);
    fletch_begin_field(b, "open", fletch_struct(), 0);
    fletch_builder_release(b);
    nothing_is_left(&l);
    assert_int_equal(fletch_end_field(b), FLETCH_MISUSE);
    assert_int_equal(fletch_add_metadata(b, "k", "v"), FLETCH_MISUSE);
    assert_int_equal(fletch_set_dictionary(b, 1, (fletch_int_type){8, true}, false), FLETCH_MISUSE);
    nothing_is_left(&l);
}

static void the_heap_allocator_does(void **state)
{
    maker *m = *state;
    const fletch_allocator heap = fletch_heap();
    fletch_builder b;
    fletch_builder_init_growing(&b, &heap);
    many_columns(&b);
    same_bytes(built(m, &b, FLETCH_FILE), reference(m, many_columns, FLETCH_FILE));
    fletch_builder_release(&b);
}

/* The builder had an allocator in a former life. */
static void a_lent_block_is_all_that_is_used(void **state)
{
    ledger l = {0};
    maker *m = *state;
    fletch_builder *b = growing(m, &l);
    one_column(b);
    fletch_builder_release(b);
    size_t calls = l.calls;
    uint8_t memory[200];
    fletch_builder_init(b, memory, sizeof memory);
    one_column(b);
    built(m, b, FLETCH_SCHEMA);
    fletch_builder_init(b, memory, sizeof memory);
    many_columns(b);
    not_built(b, FLETCH_NO_SPACE);
    fletch_builder_release(b);
    assert_int_equal(l.calls, calls);
}

static void releasing_a_lent_block_does_nothing(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    one_column(b);
    fletch_builder_release(b);
    same_bytes(built(m, b, FLETCH_SCHEMA), reference(m, one_column, FLETCH_SCHEMA));
}

/* Equal bytes */

static block build_at(maker *m, const random_plan *plan, fletch_kind kind, size_t offset,
                      size_t size)
{
    fletch_builder b;
    block memory = pad(m, (block){NULL, 0}, offset + size);
    memset(memory.bytes, (int)(0x5A + offset), memory.size);
    fletch_builder_init(&b, memory.bytes + offset, size);
    build_random(&b, plan);
    return built(m, &b, kind);
}

static void bytes_depend_on_neither_address_nor_size(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        maker *m = maker_new();
        random_plan plan = {.seed = seed, .fields = 30};
        fletch_kind kind = written_kinds[seed % WRITTEN_KINDS];
        size_t size = (size_t)measured(&plan, kind);
        block wanted = build_at(m, &plan, kind, 0, size);
        for (size_t offset = 0; offset < 9; offset++)
            same_bytes(build_at(m, &plan, kind, offset, size + 7 * offset * offset), wanted);
        maker_free(m);
    }
}

static void bytes_do_not_depend_on_when_memory_grew(void **state)
{
    maker *m = *state;
    for (size_t i = 0; i < LARGE_RECIPES; i++) {
        ledger l = {0};
        fletch_builder *b = growing(m, &l);
        large_recipes[i](b);
        same_bytes(built(m, b, FLETCH_SCHEMA), reference(m, large_recipes[i], FLETCH_SCHEMA));
        fletch_builder_release(b);
    }
}

static void bytes_do_not_depend_on_the_allocator(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        maker *m = maker_new();
        ledger l = {0};
        random_plan plan = {.seed = seed, .fields = 100};
        fletch_kind kind = written_kinds[seed % WRITTEN_KINDS];
        fletch_builder *b = growing(m, &l);
        build_random(b, &plan);
        block grown = built(m, b, kind);
        same_bytes(grown, build_at(m, &plan, kind, 0, (size_t)measured(&plan, kind)));
        fletch_builder_release(b);
        nothing_is_left(&l);
        maker_free(m);
    }
}

static void a_reset_builder_gives_the_bytes_of_a_new_one(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder_in(m, 1 << 18);
    for (uint64_t seed = 0; seed < 100; seed++) {
        random_plan plan = {.seed = seed, .fields = 30};
        fletch_kind kind = written_kinds[seed % WRITTEN_KINDS];
        fletch_builder_reset(b);
        build_random(b, &plan);
        block again = built(m, b, kind);
        same_bytes(again, build_at(m, &plan, kind, 0, 1 << 18));
    }
}

static void a_reset_forgets_settings_and_errors(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    legacy(b);
    fletch_set_level(b, FLETCH_LEVEL_ARROW);
    fletch_add_field(b, "a", fletch_int(3, true), 0);
    not_built(b, FLETCH_MISUSE);
    fletch_builder_reset(b);
    one_column(b);
    same_bytes(built(m, b, FLETCH_STREAM), reference(m, one_column, FLETCH_STREAM));
    fletch_builder_reset(b);
    assert_int_equal(fletch_add_metadata(b, "\xFF", ""), FLETCH_MALFORMED);
}

/* Sharing */

static void one_column_takes_no_more_than_it_must(void **state)
{
    maker *m = *state;
    assert_true(reference(m, one_column, FLETCH_SCHEMA).size <= 96);
    assert_true(reference(m, one_column, FLETCH_MESSAGE).size <= 120);
}

/* Where the members of all fields lead. */
typedef struct sharing {
    places fields, names, types, vtables, type_vtables, children, empty, vectors, pairs, keys;
} sharing;

static void look_at_pairs(block b, size_t vector, sharing *s)
{
    if (!vector) return;
    remember_place(&s->vectors, vector);
    for (uint32_t i = 0; i < wire_count(b, vector); i++) {
        size_t pair = wire_element(b, vector, i);
        remember_place(&s->pairs, pair);
        remember_place(&s->keys, wire_target(b, pair, PAIR_KEY));
    }
}

static void look(block b, size_t field, void *context)
{
    sharing *s = context;
    size_t children = wire_target(b, field, FIELD_CHILDREN);
    size_t type = wire_target(b, field, FIELD_TYPE);
    remember_place(&s->fields, field);
    remember_place(&s->names, wire_target(b, field, FIELD_NAME));
    remember_place(&s->types, type);
    remember_place(&s->vtables, wire_vtable(b, field));
    remember_place(&s->type_vtables, wire_vtable(b, type));
    remember_place(wire_count(b, children) ? &s->children : &s->empty, children);
    look_at_pairs(b, wire_target(b, field, FIELD_METADATA), s);
}

static sharing look_into(block b)
{
    sharing s = {0};
    wire_each_field(b, wire_schema(b, ROOT_IS_SCHEMA), look, &s);
    look_at_pairs(b, wire_target(b, wire_root(b), SCHEMA_METADATA), &s);
    return s;
}

static void stop_looking(sharing *s)
{
    places *all[] = {&s->fields,   &s->names, &s->types,   &s->vtables, &s->type_vtables,
                     &s->children, &s->empty, &s->vectors, &s->pairs,   &s->keys};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        forget_places(all[i]);
}

static void equal_types_and_vtables_are_written_once(void **state)
{
    maker *m = *state;
    sharing s = look_into(reference(m, many_columns, FLETCH_SCHEMA));
    assert_int_equal(s.fields.count, 300);
    assert_int_equal(different_places(&s.types), 2);
    assert_int_equal(different_places(&s.vtables), 1);
    assert_int_equal(different_places(&s.type_vtables), 2);
    stop_looking(&s);
}

static void all_leaves_have_one_empty_vector_of_children(void **state)
{
    maker *m = *state;
    sharing s = look_into(reference(m, many_columns, FLETCH_SCHEMA));
    assert_int_equal(s.empty.count, 300);
    assert_int_equal(different_places(&s.empty), 1);
    stop_looking(&s);
}

static void types_without_parameters_share_one_table(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_add_field(b, "a", fletch_utf8(), 0);
    fletch_add_field(b, "b", fletch_bool(), 0);
    fletch_add_field(b, "c", fletch_null(), 0);
    sharing s = look_into(built(m, b, FLETCH_SCHEMA));
    assert_int_equal(different_places(&s.types), 1);
    stop_looking(&s);
}

static void equal_names_of_64_bytes_are_written_once_and_longer_ones_not(void **state)
{
    maker *m = *state;
    for (size_t size = 0; size <= 66; size++) {
        char name[80];
        fletch_builder *b = new_builder(m);
        memset(name, 'n', size);
        name[size] = 0;
        fletch_begin_field(b, "p", fletch_struct(), 0);
        for (unsigned i = 0; i < 4; i++)
            fletch_add_field(b, name, fletch_bool(), 0);
        fletch_end_field(b);
        sharing s = look_into(built(m, b, FLETCH_SCHEMA));
        assert_int_equal(different_places(&s.names), size <= 64 ? 2 : 5);
        stop_looking(&s);
    }
}

static void equal_keys_and_equal_values_are_written_once(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    for (unsigned i = 0; i < 3; i++)
        fletch_add_metadata(b, "key", "value");
    block bytes = built(m, b, FLETCH_SCHEMA);
    size_t pairs = wire_target(bytes, wire_root(bytes), SCHEMA_METADATA);
    size_t first = wire_element(bytes, pairs, 0);
    for (uint32_t i = 1; i < 3; i++)
        for (unsigned slot = PAIR_KEY; slot <= PAIR_VALUE; slot++)
            assert_int_equal(wire_target(bytes, wire_element(bytes, pairs, i), slot),
                             wire_target(bytes, first, slot));
}

static void add_equal_fields(fletch_builder *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        fletch_begin_field(b, "same", fletch_struct(), FLETCH_NULLABLE);
        fletch_begin_field(b, "child", fletch_bool(), 0);
        fletch_add_metadata(b, "k", "v");
        fletch_add_metadata(b, "k", "v");
        fletch_end_field(b);
        fletch_end_field(b);
    }
}

static void equal_fields_pairs_and_vectors_are_never_shared(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    add_equal_fields(b, 50);
    fletch_add_metadata(b, "k", "v");
    sharing s = look_into(built(m, b, FLETCH_SCHEMA));
    assert_int_equal(different_places(&s.fields), 100);
    assert_int_equal(different_places(&s.children), 50);
    assert_int_equal(different_places(&s.vectors), 51);
    assert_int_equal(different_places(&s.pairs), 101);
    assert_int_equal(different_places(&s.keys), 1);
    stop_looking(&s);
}

static void random_schemas_share_no_field_pair_or_vector(void **state)
{
    maker *m = *state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        random_plan plan = {.seed = seed, .fields = 50};
        sharing s = look_into(build_at(m, &plan, FLETCH_SCHEMA, 0, 1 << 18));
        assert_int_equal(different_places(&s.fields), s.fields.count);
        assert_int_equal(different_places(&s.children), s.children.count);
        assert_int_equal(different_places(&s.vectors), s.vectors.count);
        assert_int_equal(different_places(&s.pairs), s.pairs.count);
        stop_looking(&s);
    }
}

/* However much is shared, a reader's budgets hold. */
static void what_shares_most_stays_within_the_budgets(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder_in(m, 8u << 20);
    char text[65];
    memset(text, 't', 64);
    text[64] = 0;
    for (unsigned i = 0; i < 20000; i++) {
        fletch_begin_field(b, text, fletch_timestamp(FLETCH_SECOND, text), 0);
        fletch_set_dictionary(b, 1, (fletch_int_type){8, true}, false);
        fletch_add_metadata(b, text, text);
        fletch_end_field(b);
    }
    fletch_schema schema = built_schema(m, b);
    fletch_status status;
    assert_int_equal(walk_all(&schema, &status), 20000);
    assert_int_equal(status, FLETCH_OK);
    json_of(m, &schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_of_a_block_is_no_space_or_enough),
        cmocka_unit_test(a_measured_size_does),
        cmocka_unit_test(the_space_that_the_header_says_does),
        cmocka_unit_test(a_measured_size_is_not_above_what_the_header_says),
        cmocka_unit_test(a_measured_size_does_among_many_types),
        cmocka_unit_test(a_measured_size_does_among_time_zones),
        cmocka_unit_test(a_measured_size_does_for_unions_that_count_themselves),
        cmocka_unit_test(many_pairs_take_what_the_header_says),
        cmocka_unit_test(many_dictionaries_take_what_the_header_says),
        cmocka_unit_test(types_by_turns_take_what_the_header_says),
        WITH_MAKER(a_smaller_container_fits_where_a_larger_did_not),
        WITH_MAKER(after_no_space_a_larger_block_does_and_a_wrap_tells_again),
        WITH_MAKER(without_space_calls_are_still_checked),
        cmocka_unit_test(no_memory_at_all_only_measures),
        WITH_MAKER(every_allocation_that_fails_is_no_memory_and_leaks_nothing),
        WITH_MAKER(a_failure_while_wrapping_may_be_tried_again),
        WITH_MAKER(memory_is_kept_over_a_reset),
        WITH_MAKER(a_released_builder_gives_misuse_until_it_is_reset),
        WITH_MAKER(a_release_in_the_middle_leaks_nothing),
        WITH_MAKER(the_heap_allocator_does),
        WITH_MAKER(a_lent_block_is_all_that_is_used),
        WITH_MAKER(releasing_a_lent_block_does_nothing),
        cmocka_unit_test(bytes_depend_on_neither_address_nor_size),
        WITH_MAKER(bytes_do_not_depend_on_when_memory_grew),
        cmocka_unit_test(bytes_do_not_depend_on_the_allocator),
        WITH_MAKER(a_reset_builder_gives_the_bytes_of_a_new_one),
        WITH_MAKER(a_reset_forgets_settings_and_errors),
        WITH_MAKER(one_column_takes_no_more_than_it_must),
        WITH_MAKER(equal_types_and_vtables_are_written_once),
        WITH_MAKER(all_leaves_have_one_empty_vector_of_children),
        WITH_MAKER(types_without_parameters_share_one_table),
        WITH_MAKER(equal_names_of_64_bytes_are_written_once_and_longer_ones_not),
        WITH_MAKER(equal_keys_and_equal_values_are_written_once),
        WITH_MAKER(equal_fields_pairs_and_vectors_are_never_shared),
        WITH_MAKER(random_schemas_share_no_field_pair_or_vector),
        WITH_MAKER(what_shares_most_stays_within_the_budgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
