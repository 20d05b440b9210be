/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random schemas, thousands of them: each is built, found good at its level, and read back as what
 * was built.
 */
#include "support/building.h"
#include "support/random_schema.h"

#include <string.h>

enum { SMALL = 12000, LARGE = 100 };

static uint8_t memory[1 << 20];

/* Builds in lent memory; the bytes stand there until the next call. */
static block build(fletch_builder *b, const random_plan *plan, fletch_kind kind)
{
    const void *bytes;
    size_t size;
    fletch_error error;
    fletch_builder_init(b, memory, sizeof memory);
    build_random(b, plan);
    if (fletch_finish(b, kind, &bytes, &size, &error) != FLETCH_OK)
        fail_msg("seed %llu as %s: %s, %s: %s", (unsigned long long)plan->seed,
                 fletch_kind_word(kind), fletch_status_word(error.status), error.path,
                 error.sentence);
    return (block){memory + ((const uint8_t *)bytes - memory), size};
}

static void check(block b, const random_plan *plan, const fletch_options *options)
{
    static uint8_t scratch[1 << 20];
    fletch_schema schema;
    fletch_error error;
    fletch_options lending = *options;
    lending.scratch = scratch;
    lending.scratch_size = sizeof scratch;
    if (fletch_open_with(b.bytes, b.size, &lending, &schema, &error) != FLETCH_OK)
        fail_msg("seed %llu as %s: %s, offset %llu, %s: %s", (unsigned long long)plan->seed,
                 fletch_kind_word(options->kind), fletch_status_word(error.status),
                 (unsigned long long)error.offset, error.path, error.sentence);
    expect_random(&schema, plan);
}

static void build_and_check(const random_plan *plan)
{
    fletch_builder b;
    fletch_options options = {.kind = written_kinds[plan->seed % WRITTEN_KINDS]};
    options.level = plan->is_loose ? FLETCH_LEVEL_ARROW : FLETCH_LEVEL_STRICT;
    block bytes = build(&b, plan, options.kind);
    check(bytes, plan, &options);
    options.stream_copy = true;
    if (options.kind == FLETCH_FILE) check(bytes, plan, &options);
}

static void a_random_schema_is_strict_and_reads_as_it_was_built(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SMALL; seed++)
        build_and_check(&(random_plan){.seed = seed, .fields = 20});
}

static void a_random_schema_of_level_arrow_reads_as_it_was_built(void **state)
{
    (void)state;
    for (uint64_t seed = SMALL; seed < 2 * SMALL; seed++)
        build_and_check(&(random_plan){.seed = seed, .fields = 20, .is_loose = true});
}

static void a_large_random_schema_reads_as_it_was_built(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < LARGE; seed++)
        build_and_check(&(random_plan){.seed = seed, .fields = 1500});
}

/* The sequence itself is worth something only if it has everything in it. */
static void random_schemas_have_everything_in_them(void **state)
{
    random_counts all = {0};
    size_t deepest = 0;
    (void)state;
    for (uint64_t seed = 0; seed < SMALL; seed++) {
        random_counts n = count_random(&(random_plan){.seed = seed, .fields = 20});
        all.fields += n.fields;
        all.pairs += n.pairs;
        all.dictionaries += n.dictionaries;
        all.type_ids += n.type_ids;
        if (n.depth > deepest) deepest = n.depth;
    }
    assert_int_equal(deepest, 128);
    assert_true(all.fields > 5 * SMALL && all.pairs > SMALL);
    assert_true(all.dictionaries > SMALL / 2 && all.type_ids > SMALL / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_random_schema_is_strict_and_reads_as_it_was_built),
        cmocka_unit_test(a_random_schema_of_level_arrow_reads_as_it_was_built),
        cmocka_unit_test(a_large_random_schema_reads_as_it_was_built),
        cmocka_unit_test(random_schemas_have_everything_in_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
