/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What goes around a schema: every container byte by byte, and what is always on the wire, read
 * with the tests' own reader.
 */
#include "support/building.h"
#include "support/random_schema.h"
#include "support/wire.h"

#include <stdlib.h>
#include <string.h>

/* A schema with all that a container can have; its size is no multiple of anything by chance. */
static void add_all(fletch_builder *b)
{
    fletch_add_feature(b, FLETCH_FEATURE_COMPRESSED_BODY);
    fletch_begin_field(b, "u", fletch_union(FLETCH_DENSE, NULL, 0), FLETCH_NULLABLE);
    fletch_add_field(b, NULL, fletch_timestamp(FLETCH_NANOSECOND, "UTC"), 0);
    fletch_add_field(b, "b", fletch_utf8(), FLETCH_NULLABLE);
    fletch_end_field(b);
    fletch_begin_field(b, "d", fletch_utf8(), FLETCH_NULLABLE);
    fletch_set_dictionary(b, 0, (fletch_int_type){8, false}, false);
    fletch_add_metadata(b, "k", NULL);
    fletch_end_field(b);
    fletch_add_metadata(b, NULL, "v");
    fletch_add_message_metadata(b, fletch_text("m"), fletch_text(""));
    fletch_add_footer_metadata(b, fletch_text("f"), fletch_text(""));
}

static block container(maker *m, fletch_kind kind)
{
    fletch_builder *b = new_builder(m);
    add_all(b);
    return built(m, b, kind);
}

static block legacy_container(maker *m, fletch_kind kind)
{
    fletch_builder *b = new_builder(m);
    fletch_set_legacy_framing(b);
    add_all(b);
    return built(m, b, kind);
}

static block part(maker *m, block b, size_t from, size_t size)
{
    assert_true(from <= b.size && size <= b.size - from);
    return copy_of(m, b.bytes + from, size);
}

static void all_zero(block b, size_t from, size_t to)
{
    for (; from < to; from++)
        assert_int_equal(b.bytes[from], 0);
}

/* Bare flatbuffers */

static void a_bare_flatbuffer_is_a_multiple_of_8_bytes(void **state)
{
    static const fletch_kind kinds[] = {FLETCH_SCHEMA, FLETCH_MESSAGE, FLETCH_FOOTER};
    for (size_t i = 0; i < 3; i++) {
        block b = container(*state, kinds[i]);
        assert_int_equal(b.size % 8, 0);
        expect_everywhere(b, kinds[i], FLETCH_OK);
    }
}

static void a_message_has_its_header_and_no_body(void **state)
{
    block b = container(*state, FLETCH_MESSAGE);
    size_t message = wire_root(b);
    assert_int_equal(peek16(b, wire_member(b, message, MESSAGE_VERSION)), FLETCH_V5);
    assert_int_equal(b.bytes[wire_member(b, message, MESSAGE_TAG)], FLETCH_HEADER_SCHEMA);
    assert_int_not_equal(wire_target(b, message, MESSAGE_HEADER), 0);
    assert_int_equal(wire_member(b, message, MESSAGE_BODY), 0);
    assert_int_equal(wire_count(b, wire_target(b, message, MESSAGE_METADATA)), 1);
}

/* Empty, and with their elements, which would be 8 bytes wide, where those may stand. */
static void a_footer_has_its_vectors_of_blocks(void **state)
{
    block b = container(*state, FLETCH_FOOTER);
    size_t footer = wire_root(b);
    assert_int_equal(peek16(b, wire_member(b, footer, FOOTER_VERSION)), FLETCH_V5);
    for (unsigned slot = FOOTER_DICTIONARIES; slot <= FOOTER_BATCHES; slot++) {
        size_t vector = wire_target(b, footer, slot);
        assert_int_not_equal(vector, 0);
        assert_int_equal(wire_count(b, vector), 0);
        assert_int_equal((vector + 4) % 8, 0);
    }
    assert_int_equal(wire_count(b, wire_target(b, footer, FOOTER_METADATA)), 1);
}

static void metadata_that_nobody_gave_are_absent(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_add_field(b, "a", fletch_bool(), 0);
    block bytes = built(m, b, FLETCH_MESSAGE);
    assert_int_equal(wire_member(bytes, wire_root(bytes), MESSAGE_METADATA), 0);
    size_t schema = wire_schema(bytes, ROOT_IS_MESSAGE);
    assert_int_equal(wire_member(bytes, schema, SCHEMA_METADATA), 0);
    assert_int_equal(wire_member(bytes, schema, SCHEMA_FEATURES), 0);
    size_t field = wire_element(bytes, wire_target(bytes, schema, SCHEMA_FIELDS), 0);
    assert_int_equal(wire_member(bytes, field, FIELD_METADATA), 0);
    assert_int_equal(wire_member(bytes, field, FIELD_DICTIONARY), 0);
}

/* Framing */

static void a_framed_message_is_continuation_length_and_flatbuffer(void **state)
{
    maker *m = *state;
    block b = container(m, FLETCH_ENCAPSULATED), message = container(m, FLETCH_MESSAGE);
    same_bytes(b, frame(m, message, false));
    assert_int_equal(peek32(b, 0), 0xFFFFFFFF);
    assert_int_equal(peek32(b, 4), message.size);
    assert_int_equal(b.size % 8, 0);
}

static void a_stream_is_a_framed_message_and_its_end(void **state)
{
    maker *m = *state;
    same_bytes(container(m, FLETCH_STREAM), stream_of(m, container(m, FLETCH_MESSAGE)));
}

static void legacy_framing_is_length_and_flatbuffer_of_version_4(void **state)
{
    maker *m = *state;
    block b = legacy_container(m, FLETCH_ENCAPSULATED);
    block message = legacy_container(m, FLETCH_MESSAGE);
    same_bytes(b, frame(m, message, true));
    assert_int_equal(b.size % 8, 0);
    assert_int_equal(peek32(b, 0), b.size - 4);
    assert_int_equal(peek16(message, wire_member(message, wire_root(message), MESSAGE_VERSION)),
                     FLETCH_V4);
}

static void a_legacy_stream_ends_in_a_length_of_zero(void **state)
{
    maker *m = *state;
    block message = legacy_container(m, FLETCH_MESSAGE);
    same_bytes(legacy_container(m, FLETCH_STREAM),
               join(m, frame(m, message, true), end_of_stream(m, true)));
}

static void framed_messages_can_stand_behind_each_other(void **state)
{
    maker *m = *state;
    for (int is_legacy = 0; is_legacy < 2; is_legacy++) {
        block one = is_legacy ? legacy_container(m, FLETCH_ENCAPSULATED)
                              : container(m, FLETCH_ENCAPSULATED);
        block two = join(m, one, one);
        fletch_schema schema = open_as(two, FLETCH_STREAM, FLETCH_LEVEL_STRICT);
        assert_true(schema.wrapper.end == one.size);
        expect_everywhere(part(m, two, (size_t)schema.wrapper.end, one.size), FLETCH_STREAM,
                          FLETCH_OK);
    }
}

/* Files */

static void a_file_is_magic_stream_footer_and_magic(void **state)
{
    maker *m = *state;
    block message = container(m, FLETCH_MESSAGE), footer = container(m, FLETCH_FOOTER);
    same_bytes(container(m, FLETCH_FILE), file_of(m, message, footer));
}

static void a_files_footer_stands_at_a_multiple_of_8(void **state)
{
    block b = container(*state, FLETCH_FILE);
    assert_memory_equal(b.bytes, "ARROW1\0\0", 8);
    assert_memory_equal(b.bytes + b.size - 6, "ARROW1", 6);
    size_t length = peek32(b, b.size - 10);
    assert_int_equal((b.size - 10 - length) % 8, 0);
    assert_int_equal(length % 8, 0);
}

static void both_copies_of_a_files_schema_are_equal(void **state)
{
    maker *m = *state;
    block b = container(m, FLETCH_FILE);
    fletch_options options = {.kind = FLETCH_FILE, .level = FLETCH_LEVEL_STRICT};
    fletch_schema footer, stream;
    assert_int_equal(fletch_open_with(b.bytes, b.size, &options, &footer, NULL), FLETCH_OK);
    options.stream_copy = true;
    assert_int_equal(fletch_open_with(b.bytes, b.size, &options, &stream, NULL), FLETCH_OK);
    same_bytes(json_of(m, &footer), json_of(m, &stream));
    assert_true(footer.origin != stream.origin);
    assert_int_equal(stream.features.count, footer.features.count);
    fletch_key_value pair;
    assert_true(fletch_next_metadata(&stream.wrapper.metadata, &pair) && is_text(pair.key, "m"));
    assert_true(fletch_next_metadata(&footer.wrapper.metadata, &pair) && is_text(pair.key, "f"));
}

static void a_file_is_not_framed_the_old_way(void **state)
{
    maker *m = *state;
    block message = legacy_container(m, FLETCH_MESSAGE),
          footer = legacy_container(m, FLETCH_FOOTER);
    same_bytes(legacy_container(m, FLETCH_FILE), file_of(m, message, footer));
}

/* Base64 */

static void base64_is_that_of_a_framed_message(void **state)
{
    maker *m = *state;
    same_bytes(container(m, FLETCH_BASE64), base64_of(m, container(m, FLETCH_ENCAPSULATED), true));
}

static void base64_is_not_framed_the_old_way(void **state)
{
    maker *m = *state;
    block message = legacy_container(m, FLETCH_MESSAGE);
    same_bytes(legacy_container(m, FLETCH_BASE64), base64_of(m, frame(m, message, false), true));
}

static void base64_is_what_parquet_has_as_its_key(void **state)
{
    maker *m = *state;
    block file = parquet_with(m, container(m, FLETCH_BASE64));
    fletch_error error;
    assert_int_equal(verdict(file, FLETCH_PARQUET, FLETCH_LEVEL_STRICT, &error), FLETCH_OK);
}

/* All of them */

/* Names of all lengths, so that whatever follows them stands at all remainders. */
static void add_names(fletch_builder *b, unsigned size)
{
    char name[40] = {0};
    memset(name, 'n', size);
    fletch_add_field(b, name, fletch_bool(), 0);
    fletch_begin_field(b, "d", fletch_utf8(), 0);
    fletch_set_dictionary(b, 1, (fletch_int_type){32, true}, false);
    fletch_end_field(b);
}

static void every_container_is_sniffed_as_what_it_is(void **state)
{
    for (size_t i = 0; i < WRITTEN_KINDS; i++)
        for (int is_legacy = 0; is_legacy < 2; is_legacy++) {
            block b = is_legacy ? legacy_container(*state, written_kinds[i])
                                : container(*state, written_kinds[i]);
            fletch_schema schema;
            fletch_error error;
            fletch_options options = {.level = FLETCH_LEVEL_STRICT};
            assert_int_equal(open_lending(*state, b, &options, &schema, &error), FLETCH_OK);
            assert_int_equal(schema.wrapper.kind, written_kinds[i]);
            assert_int_equal(schema.wrapper.legacy_framing,
                             is_legacy && (written_kinds[i] == FLETCH_ENCAPSULATED ||
                                           written_kinds[i] == FLETCH_STREAM));
        }
}

static void every_container_is_strict_whatever_its_length(void **state)
{
    maker *m = *state;
    for (unsigned size = 0; size < 24; size++)
        for (size_t i = 0; i < WRITTEN_KINDS; i++) {
            fletch_builder *b = new_builder_in(m, 4096);
            fletch_error error;
            add_names(b, size);
            block bytes = built(m, b, written_kinds[i]);
            assert_int_equal(verdict(bytes, written_kinds[i], FLETCH_LEVEL_STRICT, &error),
                             FLETCH_OK);
            if (written_kinds[i] == FLETCH_ENCAPSULATED) assert_int_equal(bytes.size % 8, 0);
        }
}

static void containers_can_follow_each_other_in_any_order(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    add_all(b);
    built(m, b, FLETCH_FILE);
    for (size_t i = 0; i < WRITTEN_KINDS; i++)
        for (size_t k = 0; k < WRITTEN_KINDS; k++) {
            same_bytes(rebuilt(m, b, written_kinds[i]), container(m, written_kinds[i]));
            same_bytes(rebuilt(m, b, written_kinds[k]), container(m, written_kinds[k]));
        }
}

static void a_version_is_written_in_messages_and_footers(void **state)
{
    static const fletch_kind kinds[] = {FLETCH_MESSAGE, FLETCH_FOOTER, FLETCH_STREAM, FLETCH_FILE};
    maker *m = *state;
    for (int32_t version = FLETCH_V4; version <= FLETCH_V5; version++)
        for (size_t i = 0; i < 4; i++) {
            fletch_builder *b = new_builder(m);
            assert_int_equal(fletch_set_version(b, version), FLETCH_OK);
            fletch_schema schema = open_as(built(m, b, kinds[i]), kinds[i], FLETCH_LEVEL_STRICT);
            assert_true(schema.wrapper.has_version);
            assert_int_equal(schema.wrapper.version, version);
        }
}

/* Bytes that are no part of any object are zero: two schemas differ in their names only. */
static void nothing_of_the_memory_shows_in_what_is_written(void **state)
{
    maker *m = *state;
    for (size_t i = 0; i < WRITTEN_KINDS; i++)
        for (unsigned size = 0; size < 9; size++) {
            block first = {NULL, 0};
            for (int fill = 0; fill < 256; fill += 85) {
                fletch_builder *b = new_builder_in(m, 4096);
                memset(b->block, fill, b->size);
                fletch_builder_init(b, b->block, b->size);
                add_names(b, size);
                block bytes = built(m, b, written_kinds[i]);
                if (fill) same_bytes(bytes, first);
                first = bytes;
            }
        }
}

static void padding_is_zero(void **state)
{
    maker *m = *state;
    block b = legacy_container(m, FLETCH_ENCAPSULATED);
    all_zero(b, b.size - 4, b.size);
    for (unsigned size = 0; size < 8; size++) {
        fletch_builder *builder = new_builder(m);
        add_names(builder, size);
        block bytes = built(m, builder, FLETCH_SCHEMA);
        size_t fields = wire_target(bytes, wire_root(bytes), SCHEMA_FIELDS);
        size_t name = wire_target(bytes, wire_element(bytes, fields, 0), FIELD_NAME);
        size_t end = name + 4 + size;
        all_zero(bytes, end, (end + 4) & ~(size_t)3);
    }
}

/* What is always on the wire */

static void demand_pairs(block b, size_t pairs)
{
    for (uint32_t i = 0; pairs && i < wire_count(b, pairs); i++) {
        size_t pair = wire_element(b, pairs, i);
        assert_int_not_equal(wire_target(b, pair, PAIR_KEY), 0);
        assert_int_not_equal(wire_target(b, pair, PAIR_VALUE), 0);
    }
}

static void demand_members(block b, size_t field, void *context)
{
    size_t dictionary = wire_target(b, field, FIELD_DICTIONARY);
    unsigned *unions = context;
    size_t type = wire_target(b, field, FIELD_TYPE);
    assert_int_not_equal(wire_target(b, field, FIELD_NAME), 0);
    assert_int_not_equal(wire_target(b, field, FIELD_CHILDREN), 0);
    assert_int_not_equal(wire_member(b, field, FIELD_TYPE_TAG), 0);
    assert_int_not_equal(type, 0);
    if (dictionary) assert_int_not_equal(wire_target(b, dictionary, DICTIONARY_INDEX), 0);
    if (b.bytes[wire_member(b, field, FIELD_TYPE_TAG)] == FLETCH_TYPE_UNION) {
        assert_int_not_equal(wire_target(b, type, UNION_TYPE_IDS), 0);
        assert_int_equal(wire_count(b, wire_target(b, type, UNION_TYPE_IDS)),
                         wire_count(b, wire_target(b, field, FIELD_CHILDREN)));
        ++*unions;
    }
    demand_pairs(b, wire_target(b, field, FIELD_METADATA));
}

static void demand_schema(block b, unsigned root, unsigned *unions)
{
    size_t schema = wire_schema(b, root);
    assert_int_not_equal(wire_target(b, schema, SCHEMA_FIELDS), 0);
    demand_pairs(b, wire_target(b, schema, SCHEMA_METADATA));
    wire_each_field(b, schema, demand_members, unions);
}

static void what_picky_readers_want_is_always_written(void **state)
{
    unsigned unions = 0;
    demand_schema(container(*state, FLETCH_SCHEMA), ROOT_IS_SCHEMA, &unions);
    demand_schema(container(*state, FLETCH_MESSAGE), ROOT_IS_MESSAGE, &unions);
    demand_schema(container(*state, FLETCH_FOOTER), ROOT_IS_FOOTER, &unions);
    demand_schema(built(*state, new_builder(*state), FLETCH_SCHEMA), ROOT_IS_SCHEMA, &unions);
    assert_int_equal(unions, 3);
}

static void what_picky_readers_want_is_written_in_random_schemas(void **state)
{
    unsigned unions = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        maker *m = maker_new();
        fletch_builder *b = new_builder_in(m, 1 << 18);
        build_random(b, &(random_plan){.seed = seed, .fields = 40, .is_loose = seed % 2});
        demand_schema(built(m, b, FLETCH_FOOTER), ROOT_IS_FOOTER, &unions);
        maker_free(m);
    }
    assert_true(unions > 100);
}

/* In random schemas too, members of 8 bytes stand at multiples of 8. */
static void demand_alignment(block b, size_t field, void *context)
{
    size_t dictionary = wire_target(b, field, FIELD_DICTIONARY);
    size_t id = dictionary ? wire_member(b, dictionary, DICTIONARY_ID) : 0;
    unsigned *ids = context;
    assert_int_equal(field % 4, 0);
    assert_int_equal(wire_vtable(b, field) % 2, 0);
    assert_int_equal(id % 8, 0);
    *ids += id != 0;
}

static void ids_of_dictionaries_stand_at_multiples_of_8(void **state)
{
    unsigned ids = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        maker *m = maker_new();
        fletch_builder *b = new_builder_in(m, 1 << 18);
        build_random(b, &(random_plan){.seed = seed, .fields = 40});
        block bytes = built(m, b, FLETCH_MESSAGE);
        wire_each_field(bytes, wire_schema(bytes, ROOT_IS_MESSAGE), demand_alignment, &ids);
        size_t schema = wire_schema(bytes, ROOT_IS_MESSAGE);
        size_t features = wire_target(bytes, schema, SCHEMA_FEATURES);
        if (features) assert_int_equal(features % 8, 4);
        maker_free(m);
    }
    assert_true(ids > 100);
}

/* Measured, not stored: what fits a flatbuffer may not fit as base64. */
static void base64_of_more_than_two_gigabytes_is_too_large(void **state)
{
    enum { SIZE = 64 << 20, TIMES = 26 };
    char *text = calloc(1, SIZE);
    fletch_string value;
    fletch_builder b;
    fletch_error error;
    const void *bytes;
    size_t size;
    (void)state;
    if (text == NULL) skip();
    value.data = text;
    value.size = SIZE;
    fletch_builder_init(&b, NULL, 0);
    fletch_set_level(&b, FLETCH_LEVEL_ARROW);
    for (int i = 0; i < TIMES; i++)
        fletch_add_metadata_string(&b, fletch_text("k"), value);
    assert_int_equal(fletch_finish(&b, FLETCH_SCHEMA, &bytes, &size, &error), FLETCH_NO_SPACE);
    assert_int_equal(fletch_wrap(&b, FLETCH_BASE64, &bytes, &size, &error), FLETCH_TOO_LARGE);
    assert_int_equal(error.status, FLETCH_TOO_LARGE);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(a_bare_flatbuffer_is_a_multiple_of_8_bytes),
        WITH_MAKER(a_message_has_its_header_and_no_body),
        WITH_MAKER(a_footer_has_its_vectors_of_blocks),
        WITH_MAKER(metadata_that_nobody_gave_are_absent),
        WITH_MAKER(a_framed_message_is_continuation_length_and_flatbuffer),
        WITH_MAKER(a_stream_is_a_framed_message_and_its_end),
        WITH_MAKER(legacy_framing_is_length_and_flatbuffer_of_version_4),
        WITH_MAKER(a_legacy_stream_ends_in_a_length_of_zero),
        WITH_MAKER(framed_messages_can_stand_behind_each_other),
        WITH_MAKER(a_file_is_magic_stream_footer_and_magic),
        WITH_MAKER(a_files_footer_stands_at_a_multiple_of_8),
        WITH_MAKER(both_copies_of_a_files_schema_are_equal),
        WITH_MAKER(a_file_is_not_framed_the_old_way),
        WITH_MAKER(base64_is_that_of_a_framed_message),
        WITH_MAKER(base64_is_not_framed_the_old_way),
        WITH_MAKER(base64_is_what_parquet_has_as_its_key),
        WITH_MAKER(every_container_is_sniffed_as_what_it_is),
        WITH_MAKER(every_container_is_strict_whatever_its_length),
        WITH_MAKER(containers_can_follow_each_other_in_any_order),
        WITH_MAKER(a_version_is_written_in_messages_and_footers),
        WITH_MAKER(nothing_of_the_memory_shows_in_what_is_written),
        WITH_MAKER(padding_is_zero),
        WITH_MAKER(what_picky_readers_want_is_always_written),
        cmocka_unit_test(what_picky_readers_want_is_written_in_random_schemas),
        cmocka_unit_test(ids_of_dictionaries_stand_at_multiples_of_8),
        WITH_MAKER(base64_of_more_than_two_gigabytes_is_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
