/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same calls give the same bytes on every machine: whatever its byte order,
 * the width of its pointers, its compiler. Sets of schemas are drawn from
 * seeds, built as every kind that can be written, and all their bytes go into
 * one number a set, which stands here. So do their hashes.
 *
 * A number that differs on one machine only is a bug. One that differs on all
 * of them says that the builder now writes something else (or that a set was
 * changed): if that was meant, the number that the test prints belongs here.
 * The draws are this file's own, each in a statement of its own, since C leaves
 * the order within an expression to the compiler.
 */
#include "support/building.h"

#include <inttypes.h>
#include <string.h>

enum { SCHEMAS = 100, MOST_TEXT = 80 };

/* How a schema of a set is built. */
typedef void (*maker_of_schema)(fletch_builder *b, uint64_t *state);

static uint8_t memory[1 << 18];

/* Draws: a 64-bit linear congruential generator, of which the upper half is
 * used. */

static uint32_t draw(uint64_t *state, uint32_t bound)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 32) * bound >> 32);
}

static int64_t draw_number(uint64_t *state)
{
    uint64_t high = draw(state, UINT32_MAX);
    uint64_t low = draw(state, UINT32_MAX);
    uint32_t shift = 1 + draw(state, 63);
    int64_t number = (int64_t)((high << 32 | low) >> shift);
    return draw(state, 2) ? number : -number;
}

/* Text of up to MOST_TEXT bytes, NUL and letters of two bytes in it, often one
 * that came before. */
static fletch_string draw_text(uint64_t *state, char *to)
{
    uint32_t size = draw(state, 4) ? draw(state, 12) : draw(state, MOST_TEXT);
    uint32_t letters = draw(state, 3) ? 2 : 26;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t letter = draw(state, letters + 2);
        to[i] = letter < letters ? (char)('a' + letter) : '\0';
        if (letter == letters && i + 1 < size) memcpy(to + i++, "\xC3\xA4", 2);
    }
    return (fletch_string){to, size};
}

/* Types */

static fletch_type draw_decimal(uint64_t *state)
{
    static const uint32_t digits[] = {9, 18, 38, 76};
    uint32_t width = draw(state, 4);
    uint32_t precision = draw(state, digits[width]);
    int32_t scale = (int32_t)draw_number(state);
    return fletch_decimal(1 + (int32_t)precision, scale, 32 << width);
}

static fletch_type draw_zoned(uint64_t *state)
{
    static const char *const zones[] = {NULL, "", "UTC", "+05:30", "Pacific/Chatham"};
    int32_t unit = (int32_t)draw(state, 4);
    return fletch_timestamp(unit, zones[draw(state, 5)]);
}

static fletch_type draw_int(uint64_t *state)
{
    int32_t width = 8 << draw(state, 4);
    return fletch_int(width, draw(state, 2));
}

/* A type without children; of every one that has parameters, with any of them.
 */
static fletch_type draw_leaf(uint64_t *state, int32_t id)
{
    switch (id) {
    case FLETCH_TYPE_INT: return draw_int(state);
    case FLETCH_TYPE_FLOATING_POINT: return fletch_floating_point((int32_t)draw(state, 3));
    case FLETCH_TYPE_DECIMAL: return draw_decimal(state);
    case FLETCH_TYPE_DATE: return fletch_date((int32_t)draw(state, 2));
    case FLETCH_TYPE_TIME: return fletch_time((int32_t)draw(state, 4));
    case FLETCH_TYPE_TIMESTAMP: return draw_zoned(state);
    case FLETCH_TYPE_INTERVAL: return fletch_interval((int32_t)draw(state, 3));
    case FLETCH_TYPE_FIXED_SIZE_BINARY:
        return fletch_fixed_size_binary((int32_t)draw(state, INT32_MAX));
    case FLETCH_TYPE_DURATION: return fletch_duration((int32_t)draw(state, 4));
    default: return fletch_type_of(id);
    }
}

static void add_leaf(fletch_builder *b, uint64_t *state, int32_t id)
{
    char name[MOST_TEXT];
    fletch_string text = draw_text(state, name);
    fletch_type type = draw_leaf(state, id);
    fletch_add_field_of(b, text, &type, draw(state, 2));
}

static void add_any_leaf(fletch_builder *b, uint64_t *state)
{
    static const int32_t ids[] = {FLETCH_TYPE_NULL,           FLETCH_TYPE_INT,
                                  FLETCH_TYPE_FLOATING_POINT, FLETCH_TYPE_BINARY,
                                  FLETCH_TYPE_UTF8,           FLETCH_TYPE_BOOL,
                                  FLETCH_TYPE_DECIMAL,        FLETCH_TYPE_DATE,
                                  FLETCH_TYPE_TIME,           FLETCH_TYPE_TIMESTAMP,
                                  FLETCH_TYPE_INTERVAL,       FLETCH_TYPE_FIXED_SIZE_BINARY,
                                  FLETCH_TYPE_DURATION,       FLETCH_TYPE_LARGE_BINARY,
                                  FLETCH_TYPE_LARGE_UTF8,     FLETCH_TYPE_BINARY_VIEW,
                                  FLETCH_TYPE_UTF8_VIEW};
    add_leaf(b, state, ids[draw(state, sizeof ids / sizeof *ids)]);
}

/* Parents */

/* A list of some kind, with any leaf. */
static void add_list(fletch_builder *b, uint64_t *state, int32_t id)
{
    fletch_type type = fletch_type_of(id);
    if (id == FLETCH_TYPE_FIXED_SIZE_LIST)
        type = fletch_fixed_size_list((int32_t)draw(state, INT32_MAX));
    fletch_begin_field(b, "list", type, draw(state, 2));
    add_any_leaf(b, state);
    fletch_end_field(b);
}

static void add_map(fletch_builder *b, uint64_t *state)
{
    fletch_type type = fletch_map(draw(state, 2));
    fletch_begin_field(b, "map", type, draw(state, 2));
    fletch_begin_field(b, "entries", fletch_struct(), 0);
    fletch_add_field(b, "key", draw_int(state), 0);
    add_any_leaf(b, state);
    fletch_end_field(b);
    fletch_end_field(b);
}

static void add_runs(fletch_builder *b, uint64_t *state)
{
    fletch_begin_field(b, "runs", fletch_run_end_encoded(), draw(state, 2));
    fletch_add_field(b, "run_ends", fletch_int(16 << draw(state, 3), true), 0);
    add_any_leaf(b, state);
    fletch_end_field(b);
}

/* A union whose type ids are absent, in order, or any. */
static void add_union(fletch_builder *b, uint64_t *state)
{
    int32_t type_ids[6];
    uint32_t count = draw(state, 7);
    int32_t step = 1 + (int32_t)draw(state, 20);
    int32_t mode = (int32_t)draw(state, 2);
    for (int32_t i = 0; i < 6; i++)
        type_ids[i] = i * step;
    bool has_ids = draw(state, 3) > 0;
    fletch_begin_field(b, "union", fletch_union(mode, has_ids ? type_ids : NULL, count), 0);
    for (uint32_t i = 0; i < count; i++)
        add_any_leaf(b, state);
    fletch_end_field(b);
}

/* A field of any type but Struct_, with children that are leaves. */
static void add_of_type(fletch_builder *b, uint64_t *state, int32_t id)
{
    switch (id) {
    case FLETCH_TYPE_LIST:
    case FLETCH_TYPE_FIXED_SIZE_LIST:
    case FLETCH_TYPE_LARGE_LIST:
    case FLETCH_TYPE_LIST_VIEW:
    case FLETCH_TYPE_LARGE_LIST_VIEW: add_list(b, state, id); return;
    case FLETCH_TYPE_MAP: add_map(b, state); return;
    case FLETCH_TYPE_UNION: add_union(b, state); return;
    case FLETCH_TYPE_RUN_END_ENCODED: add_runs(b, state); return;
    default: add_leaf(b, state, id); return;
    }
}

/* Settings, which a schema of every set has. */
static void set_all(fletch_builder *b, uint64_t *state)
{
    if (draw(state, 2)) fletch_set_legacy_framing(b);
    if (draw(state, 2)) fletch_set_version(b, draw(state, 2) ? FLETCH_V4 : FLETCH_V5);
    if (draw(state, 2)) fletch_set_endianness(b, FLETCH_BIG_ENDIAN);
    if (draw(state, 2)) fletch_add_feature(b, FLETCH_FEATURE_COMPRESSED_BODY);
    if (draw(state, 2)) fletch_add_feature(b, FLETCH_FEATURE_DICTIONARY_REPLACEMENT);
}

/* The sets */

static void make_types(fletch_builder *b, uint64_t *state)
{
    for (int32_t id = FLETCH_TYPE_NULL; id <= FLETCH_TYPE_LARGE_LIST_VIEW; id++)
        add_of_type(b, state, id);
}

/* Structs in structs: a field begins, ends, or is a leaf. */
static void make_nested(fletch_builder *b, uint64_t *state)
{
    uint32_t most = draw(state, 10) ? 8 : 127;
    uint32_t depth = 0;
    char name[MOST_TEXT];
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t turn = draw(state, 4);
        if (turn > 1 && depth < most) {
            fletch_type type = turn == 2 ? fletch_struct() : fletch_union(FLETCH_DENSE, NULL, 0);
            fletch_string text = draw_text(state, name);
            fletch_begin_field_of(b, text, &type, draw(state, 2));
            depth++;
        } else if (turn == 1 && depth > 0) {
            fletch_end_field(b);
            depth--;
        } else {
            add_any_leaf(b, state);
        }
    }
    for (; depth > 0; depth--)
        fletch_end_field(b);
}

typedef fletch_status (*adder_of_pairs)(fletch_builder *b, fletch_string key, fletch_string value);

static void add_pairs(fletch_builder *b, uint64_t *state, adder_of_pairs add)
{
    char key[MOST_TEXT], value[MOST_TEXT];
    for (uint32_t count = draw(state, 5); count > 0; count--) {
        fletch_string first = draw_text(state, key);
        fletch_string second = draw_text(state, value);
        add(b, first, second);
    }
}

static void make_metadata(fletch_builder *b, uint64_t *state)
{
    add_pairs(b, state, fletch_add_metadata_string);
    add_pairs(b, state, fletch_add_message_metadata);
    for (uint32_t count = draw(state, 10); count > 0; count--) {
        fletch_begin_field(b, "struct", fletch_struct(), draw(state, 2));
        add_pairs(b, state, fletch_add_metadata_string);
        add_any_leaf(b, state);
        add_pairs(b, state, fletch_add_metadata_string);
        if (draw(state, 4) == 0) fletch_set_extension(b, "example.pair", "two");
        fletch_end_field(b);
    }
    add_pairs(b, state, fletch_add_metadata_string);
    add_pairs(b, state, fletch_add_footer_metadata);
}

static void make_dictionaries(fletch_builder *b, uint64_t *state)
{
    for (uint32_t count = draw(state, 12); count > 0; count--) {
        int64_t id = draw_number(state);
        fletch_type index = draw_int(state);
        fletch_begin_field(b, "values", draw_leaf(state, FLETCH_TYPE_TIMESTAMP), 0);
        fletch_set_dictionary(b, id, index.as.integer, draw(state, 2));
        add_pairs(b, state, fletch_add_metadata_string);
        fletch_end_field(b);
        fletch_begin_field(b, "lists", fletch_list(), FLETCH_NULLABLE);
        fletch_set_dictionary(b, id - 1, index.as.integer, draw(state, 2));
        add_any_leaf(b, state);
        fletch_end_field(b);
    }
}

/* Numbers */

/* FNV-1a, 64 bits, of the bytes and their number. */
static void take_in(uint64_t *number, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    for (size_t i = 0; i < size; i++)
        *number = (*number ^ from[i]) * 0x100000001B3u;
    *number = (*number ^ size) * 0x100000001B3u;
}

/* What a set came to: its bytes and its hashes. */
typedef struct numbers {
    uint64_t bytes, hashes;
} numbers;

static void take_in_hash(numbers *n, const void *bytes, size_t size)
{
    fletch_schema schema;
    uint64_t hash;
    fletch_options options = {.kind = FLETCH_SCHEMA, .level = FLETCH_LEVEL_STRICT};
    assert_int_equal(fletch_open_with(bytes, size, &options, &schema, NULL), FLETCH_OK);
    assert_int_equal(fletch_hash(&schema, NULL, &hash, NULL), FLETCH_OK);
    n->hashes = (n->hashes ^ hash) * 0x100000001B3u;
}

/* Builds a schema and gives it as every kind, in a block that starts at an odd
 * address at times. */
static void build_all_kinds(maker_of_schema make, uint64_t seed, numbers *n)
{
    static fletch_builder b;
    const void *bytes;
    size_t size;
    fletch_error error;
    uint64_t state = seed;
    fletch_builder_init(&b, memory + seed % 3, sizeof memory - 2);
    set_all(&b, &state);
    make(&b, &state);
    fletch_status status = fletch_finish(&b, FLETCH_SCHEMA, &bytes, &size, &error);
    if (status != FLETCH_OK)
        fail_msg("seed %" PRIu64 ": %s, %s: %s", seed, fletch_status_word(status), error.path,
                 error.sentence);
    take_in_hash(n, bytes, size);
    for (size_t i = 0; i < WRITTEN_KINDS; i++) {
        assert_int_equal(fletch_wrap(&b, written_kinds[i], &bytes, &size, NULL), FLETCH_OK);
        take_in(&n->bytes, bytes, size);
    }
}

/* Demands that a set comes to these numbers. */
static void expect_numbers(maker_of_schema make, uint64_t bytes, uint64_t hashes)
{
    numbers n = {0xCBF29CE484222325u, 0xCBF29CE484222325u};
    for (uint64_t seed = 1; seed <= SCHEMAS; seed++)
        build_all_kinds(make, seed, &n);
    if (n.bytes != bytes || n.hashes != hashes)
        fail_msg("bytes 0x%016" PRIX64 " instead of 0x%016" PRIX64 ", hashes 0x%016" PRIX64
                 " instead of 0x%016" PRIX64,
                 n.bytes, bytes, n.hashes, hashes);
}

static void schemas_of_all_types_are_the_same_bytes_everywhere(void **state)
{
    (void)state;
    expect_numbers(make_types, 0xF146762468844399u, 0x34BC9F617E753222u);
}

static void nested_schemas_are_the_same_bytes_everywhere(void **state)
{
    (void)state;
    expect_numbers(make_nested, 0x2E1E3C202991D005u, 0x4824D8B99653FDE3u);
}

static void schemas_with_metadata_are_the_same_bytes_everywhere(void **state)
{
    (void)state;
    expect_numbers(make_metadata, 0x480D46BB7B8A51F9u, 0x483D5A743318F754u);
}

static void schemas_with_dictionaries_are_the_same_bytes_everywhere(void **state)
{
    (void)state;
    expect_numbers(make_dictionaries, 0x76E8762EA1FBC098u, 0x0971CC402725583Cu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemas_of_all_types_are_the_same_bytes_everywhere),
        cmocka_unit_test(nested_schemas_are_the_same_bytes_everywhere),
        cmocka_unit_test(schemas_with_metadata_are_the_same_bytes_everywhere),
        cmocka_unit_test(schemas_with_dictionaries_are_the_same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
