/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What broke in other readers of this format, each report by its number in the project's list:
 * here the ones about reading.
 */
#define _POSIX_C_SOURCE 200809L /* threads, on systems that have them */

#include "support/check.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#if defined(__unix__)
#include <pthread.h>
#include <unistd.h>
#endif

#define OK          FLETCH_OK
#define MALFORMED   FLETCH_MALFORMED
#define INVALID     FLETCH_INVALID
#define UNSUPPORTED FLETCH_UNSUPPORTED

static block schema_block(maker *m, node *field)
{
    return finish(m, schema_with(m, field));
}

static fletch_schema open_schema(maker *m, node *root)
{
    return open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
}

static fletch_field read_field_of(maker *m, node *field)
{
    fletch_schema schema = open_schema(m, schema_with(m, field));
    return field_number(&schema, 0);
}

/* Verdicts on a schema of this field: at arrow and at strict. */
static void judge(maker *m, node *field, fletch_status arrow, fletch_status strict)
{
    expect_levels(schema_block(m, field), FLETCH_SCHEMA, OK, arrow, strict);
}

static void refuse(block b)
{
    expect_everywhere(b, FLETCH_SCHEMA, MALFORMED);
}

static node *one_16(maker *m, int value)
{
    node *type = make_table(m);
    set16(type, 0, value);
    return type;
}

static node *one_32(maker *m, int32_t value)
{
    node *type = make_table(m);
    set32(type, 0, value);
    return type;
}

static node *not_null(node *field)
{
    set8(field, FIELD_NULLABLE, 0);
    return field;
}

/* The JSON's `type` of the first field, to compare types by. */
static void type_json(maker *m, node *field, char *text, size_t space)
{
    fletch_schema schema = open_as(schema_block(m, field), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    paper p = {0};
    assert_int_equal(fletch_print_json(&schema, NULL, write_on, &p, NULL), OK);
    char *begin = strstr(p.text, "\"type\":"), *end = strstr(begin, ",\"children\"");
    snprintf(text, space, "%.*s", (int)(end - begin - 7), begin + 7);
    tear_up(&p);
}

static void type_is(maker *m, node *field, const char *type)
{
    char text[256];
    type_json(m, field, text, sizeof text);
    assert_string_equal(text, type);
}

static void type_name_is(maker *m, node *field, const char *name)
{
    fletch_field read = read_field_of(m, field);
    paper p = {0};
    assert_int_equal(fletch_print_type(&read, NULL, write_on, &p, NULL), OK);
    assert_string_equal(p.text, name);
    tear_up(&p);
}

/* NULL and absent */

static void case_01_a_schema_without_a_fields_vector_is_missing(void **state)
{
    maker *m = *state;
    block b = finish(m, new_message(m, make_table(m)));
    for (int legacy = 0; legacy < 2; legacy++)
        expect_levels(frame(m, b, legacy), FLETCH_STREAM, OK, FLETCH_MISSING, FLETCH_MISSING);
    fletch_error error = expect_as(b, FLETCH_MESSAGE, FLETCH_LEVEL_ARROW, FLETCH_MISSING);
    assert_string_equal(error.path, "message.header.fields");
    b = finish(m, new_message(m, new_schema(m)));
    for (int legacy = 0; legacy < 2; legacy++)
        expect_everywhere(frame(m, b, legacy), FLETCH_STREAM, OK);
}

static void case_03_a_union_tag_without_its_value_is_malformed(void **state)
{
    maker *m = *state;
    node *message = new_message(m, new_schema(m)), *field = int_field(m, "a");
    drop(message, MESSAGE_HEADER);
    expect_everywhere(finish(m, message), FLETCH_MESSAGE, MALFORMED);
    drop(field, FIELD_TYPE);
    refuse(schema_block(m, field));
    expect_under(schema_block(m, field), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, MALFORMED,
                 "fields[0].type");
}

static void case_03_a_union_value_without_its_tag_is_malformed(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    set8(field, FIELD_TYPE_TAG, 0);
    refuse(schema_block(m, field));
}

static void case_03_a_type_without_members_needs_its_table_too(void **state)
{
    static const int tags[] = {FLETCH_TYPE_NULL, FLETCH_TYPE_UTF8, FLETCH_TYPE_BOOL};
    maker *m = *state;
    for (size_t i = 0; i < 3; i++) {
        node *field = nested_field(m, "a", tags[i]);
        judge(m, field, OK, OK);
        drop(field, FIELD_TYPE);
        refuse(schema_block(m, field));
    }
}

static void case_04_a_field_without_a_type_is_missing_not_null(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    set8(field, FIELD_TYPE_TAG, 0);
    drop(field, FIELD_TYPE);
    judge(m, field, FLETCH_MISSING, FLETCH_MISSING);
    assert_int_equal(read_field_of(m, field).type.id, FLETCH_TYPE_NONE);
}

static void case_05_absent_children_are_no_children(void **state)
{
    static const int tags[] = {12, 16, 17, 21, 22, 25, 26};
    maker *m = *state;
    node *leaf = int_field(m, "a"), *empty = nested_field(m, "a", FLETCH_TYPE_STRUCT);
    drop(leaf, FIELD_CHILDREN);
    drop(empty, FIELD_CHILDREN);
    judge(m, leaf, OK, OK);
    judge(m, empty, OK, OK);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        node *field = nested_field(m, "a", tags[i]);
        drop(field, FIELD_CHILDREN);
        judge(m, field, INVALID, INVALID);
    }
}

static void case_06_a_name_may_be_absent_and_is_told_from_empty(void **state)
{
    maker *m = *state;
    judge(m, int_field(m, NULL), OK, OK);
    judge(m, int_field(m, ""), OK, OK);
    fletch_field absent = read_field_of(m, int_field(m, NULL));
    fletch_field empty = read_field_of(m, int_field(m, ""));
    assert_false(absent.has_name);
    assert_true(empty.has_name);
    assert_non_null(absent.name.data);
    assert_int_equal(absent.name.size, 0);
}

static void case_07_a_pair_may_lack_its_key_or_value(void **state)
{
    static const char *const pairs[][2] = {{"k", NULL}, {NULL, "v"}, {NULL, NULL}, {"", ""}};
    maker *m = *state;
    for (size_t i = 0; i < 4; i++) {
        node *field = int_field(m, "a");
        add_pair(m, field, FIELD_METADATA, pairs[i][0], pairs[i][1]);
        judge(m, field, OK, i == 3 ? OK : INVALID);
        fletch_field read = read_field_of(m, field);
        fletch_key_value pair;
        assert_true(fletch_next_metadata(&read.metadata, &pair));
        assert_int_equal(pair.has_key, pairs[i][0] != NULL);
        assert_int_equal(pair.has_value, pairs[i][1] != NULL);
        assert_non_null(pair.key.data);
        assert_non_null(pair.value.data);
    }
}

static void case_09_an_empty_int_is_no_int32(void **state)
{
    maker *m = *state;
    static const int widths[] = {0, 24, 128};
    node *encoded = text_field(m, "a");
    add_dictionary(m, encoded, 0, make_table(m));
    judge(m, encoded, INVALID, INVALID);
    judge(m, nested_field(m, "a", FLETCH_TYPE_INT), INVALID, INVALID);
    for (size_t i = 0; i < 3; i++) {
        char number[16];
        block b = schema_block(m, new_field(m, "a", FLETCH_TYPE_INT, int_type(m, widths[i], true)));
        fletch_error error = expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, INVALID);
        snprintf(number, sizeof number, "%d", widths[i]);
        assert_non_null(strstr(error.sentence, number));
    }
}

static node *union_of(maker *m, unsigned children, const int *ids, unsigned count)
{
    node *type = one_16(m, 1), *vector = make_vector(m, 4);
    for (unsigned i = 0; i < count; i++)
        append_number(vector, ids[i]);
    if (ids) set_node(type, UNION_TYPE_IDS, vector);
    node *field = new_field(m, "a", FLETCH_TYPE_UNION, type);
    for (unsigned i = 0; i < children; i++)
        add_child(field, int_field(m, "x"));
    return field;
}

static void case_11_absent_type_ids_count_from_zero(void **state)
{
    static const int none[1] = {0};
    maker *m = *state;
    node *implicit = union_of(m, 3, NULL, 0);
    judge(m, implicit, OK, OK);
    type_is(m, implicit, "{\"name\":\"union\",\"mode\":\"DENSE\",\"typeIds\":[0,1,2]}");
    fletch_field read = read_field_of(m, implicit);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(fletch_union_type_id(&read.type, i), i);
    judge(m, union_of(m, 3, none, 0), INVALID, INVALID);
    judge(m, union_of(m, 0, NULL, 0), OK, OK);
}

static void case_12_metadata_may_be_empty(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a"), *root = schema_with(m, field);
    fletch_schema absent = open_schema(m, root);
    set_node(field, FIELD_METADATA, make_list(m));
    set_node(root, SCHEMA_METADATA, make_list(m));
    expect_everywhere(finish(m, root), FLETCH_SCHEMA, OK);
    fletch_schema empty = open_schema(m, root);
    assert_int_equal(fletch_count_metadata(&absent.metadata), 0);
    assert_int_equal(fletch_count_metadata(&empty.metadata), 0);
    assert_false(absent.has_metadata || field_number(&absent, 0).has_metadata);
    assert_true(empty.has_metadata && field_number(&empty, 0).has_metadata);
}

/* Endianness */

static void case_15_endianness_is_read(void **state)
{
    maker *m = *state;
    node *root = schema_with(m, int_field(m, "a"));
    assert_int_equal(open_schema(m, root).endianness, FLETCH_LITTLE_ENDIAN);
    for (int value = 0; value < 2; value++) {
        set16(root, SCHEMA_ENDIANNESS, value);
        expect_everywhere(finish(m, root), FLETCH_SCHEMA, OK);
        assert_int_equal(open_schema(m, root).endianness, value);
    }
    set16(root, SCHEMA_ENDIANNESS, 2);
    expect_levels(finish(m, root), FLETCH_SCHEMA, OK, UNSUPPORTED, UNSUPPORTED);
    assert_int_equal(open_schema(m, root).endianness, 2);
}

static void case_16_metadata_is_little_endian_whatever_the_data_are(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a"), *root = schema_with(m, field);
    add_dictionary(m, field, 0x0102030405060708, int_type(m, 16, true));
    add_pair(m, root, SCHEMA_METADATA, "k", "v");
    paper little = {0}, big = {0};
    fletch_schema schema = open_schema(m, root);
    assert_int_equal(fletch_print_json(&schema, NULL, write_on, &little, NULL), OK);
    set16(root, SCHEMA_ENDIANNESS, 1);
    schema = open_schema(m, root);
    assert_int_equal(schema.endianness, FLETCH_BIG_ENDIAN);
    assert_int_equal(fletch_print_json(&schema, NULL, write_on, &big, NULL), OK);
    assert_string_equal(little.text, big.text);
    assert_true(field_number(&schema, 0).dictionary.id == 0x0102030405060708);
    tear_up(&little);
    tear_up(&big);
}

/* Alignment */

/* A message with 8-byte words in it. */
static block wordy_message(maker *m)
{
    node *field = text_field(m, "a");
    add_dictionary(m, field, 7, int_type(m, 8, true));
    return finish(m, new_message(m, schema_with(m, field)));
}

static void case_20_legacy_framing_is_read_where_it_stands(void **state)
{
    maker *m = *state;
    block legacy = frame(m, wordy_message(m), true);
    expect_everywhere(legacy, FLETCH_STREAM, OK);
    for (size_t shift = 0; shift < 16; shift++) {
        block moved = join(m, pad(m, (block){NULL, 0}, shift), legacy);
        expect_everywhere((block){moved.bytes + shift, legacy.size}, FLETCH_SNIFF, OK);
    }
}

static void case_22_an_empty_vector_of_8_byte_items_may_stand_at_4(void **state)
{
    maker *m = *state;
    node *schema = schema_with(m, int_field(m, "a")), *features = make_vector(m, 8);
    node *footer = new_footer(m, schema), *batches = make_vector(m, 8);
    set_node(schema, SCHEMA_FEATURES, features);
    set_node(footer, FOOTER_BATCHES, batches);
    put_off_eight(features);
    put_off_eight(batches);
    expect_everywhere(finish(m, footer), FLETCH_FOOTER, OK);
    assert_int_equal(place(features) % 8, 0);
    assert_int_equal(place(batches) % 8, 0);
}

static void case_24_a_misaligned_vector_of_8_byte_items_is_read_but_not_strict(void **state)
{
    maker *m = *state;
    node *schema = schema_with(m, int_field(m, "a")), *features = make_vector(m, 8);
    append_number(features, 1);
    set_node(schema, SCHEMA_FEATURES, features);
    put_off_eight(features);
    block b = finish(m, schema);
    expect_levels(b, FLETCH_SCHEMA, OK, OK, MALFORMED);
    fletch_schema read = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    assert_int_equal(fletch_integer_at(&read.features, 0), 1);
}

static void case_25_a_misaligned_8_byte_member_is_read_but_not_strict(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a"), *message = new_message(m, schema_with(m, field));
    node *dictionary = add_dictionary(m, field, 0x1122334455667788, int_type(m, 8, true));
    put_off_eight(dictionary);
    expect_levels(finish(m, message), FLETCH_MESSAGE, OK, OK, MALFORMED);
    fletch_schema read = open_as(finish(m, message), FLETCH_MESSAGE, FLETCH_LEVEL_ARROW);
    assert_true(field_number(&read, 0).dictionary.id == 0x1122334455667788);
    drop(field, FIELD_DICTIONARY);
    set64(message, MESSAGE_BODY, 0);
    put_off_eight(message);
    expect_levels(finish(m, message), FLETCH_MESSAGE, OK, OK, MALFORMED);
}

static void case_27_any_address_will_do(void **state)
{
    maker *m = *state;
    block b = wordy_message(m);
    for (size_t shift = 0; shift < 16; shift++) {
        block moved = join(m, pad(m, (block){NULL, 0}, shift), b);
        fletch_schema read =
            open_as((block){moved.bytes + shift, b.size}, FLETCH_MESSAGE, FLETCH_LEVEL_STRICT);
        assert_int_equal(field_number(&read, 0).dictionary.id, 7);
    }
}

/* Framing */

static void case_28_a_message_without_the_continuation_word_is_legacy(void **state)
{
    maker *m = *state;
    block legacy = frame(m, wordy_message(m), true);
    fletch_schema read =
        open_as(join(m, legacy, end_of_stream(m, true)), FLETCH_SNIFF, FLETCH_LEVEL_STRICT);
    assert_true(read.wrapper.legacy_framing);
    assert_int_equal(read.wrapper.kind, FLETCH_STREAM);
}

static void case_29_a_stream_may_end_in_any_way(void **state)
{
    maker *m = *state;
    block framed = frame(m, wordy_message(m), false);
    expect_everywhere(framed, FLETCH_STREAM, OK);
    expect_everywhere(join(m, framed, end_of_stream(m, false)), FLETCH_STREAM, OK);
    expect_everywhere(join(m, framed, end_of_stream(m, true)), FLETCH_STREAM, OK);
    expect_everywhere(end_of_stream(m, false), FLETCH_STREAM, FLETCH_MISSING);
    expect_everywhere(end_of_stream(m, true), FLETCH_STREAM, FLETCH_MISSING);
}

static void case_30_a_wild_metadata_length_is_refused_before_anything(void **state)
{
    maker *m = *state;
    block framed = frame(m, wordy_message(m), false);
    static const uint32_t negative[] = {0xFFFFFFFF, 0x80000000};
    for (size_t i = 0; i < 2; i++) {
        poke32(framed, 4, negative[i]);
        expect_everywhere(framed, FLETCH_STREAM, MALFORMED);
    }
    const uint32_t large[] = {0x7FFFFFFF, (uint32_t)framed.size - 8 + 1};
    for (size_t i = 0; i < 2; i++) {
        poke32(framed, 4, large[i]);
        fletch_error error = expect_as(framed, FLETCH_STREAM, FLETCH_LEVEL_ARROW, FLETCH_TRUNCATED);
        assert_int_equal(error.wanted, 8 + (uint64_t)large[i]);
    }
}

static void case_31_a_wild_body_length_is_told_not_allocated(void **state)
{
    static const int64_t lengths[] = {-1, INT64_MAX, 8, 1LL << 50};
    maker *m = *state;
    node *message = new_message(m, schema_with(m, int_field(m, "a")));
    for (size_t i = 0; i < 4; i++) {
        set64(message, MESSAGE_BODY, lengths[i]);
        block b = stream_of(m, finish(m, message));
        if (lengths[i] < 0) {
            expect_everywhere(b, FLETCH_STREAM, MALFORMED);
            continue;
        }
        expect_levels(b, FLETCH_STREAM, OK, OK, INVALID);
        fletch_schema read = open_as(b, FLETCH_STREAM, FLETCH_LEVEL_ARROW);
        assert_true(read.wrapper.body_length == lengths[i]);
    }
}

static void case_33_a_metadata_length_may_be_larger_than_the_flatbuffer(void **state)
{
    maker *m = *state;
    static const size_t extra[] = {8, 64, 1000};
    for (size_t i = 0; i < 3; i++) {
        block b = stream_of(m, pad(m, wordy_message(m), extra[i]));
        expect_everywhere(b, FLETCH_STREAM, OK);
        fletch_schema read = open_as(b, FLETCH_STREAM, FLETCH_LEVEL_ARROW);
        assert_int_equal(read.wrapper.end, b.size - 8);
    }
}

/* Versions */

static void case_38_a_version_from_the_future_is_unsupported_and_visible(void **state)
{
    static const int versions[] = {5, 6, 32767, -1};
    maker *m = *state;
    for (size_t i = 0; i < 8; i++) {
        node *schema = schema_with(m, int_field(m, "a"));
        node *root = i % 2 ? new_footer(m, schema) : new_message(m, schema);
        fletch_kind kind = i % 2 ? FLETCH_FOOTER : FLETCH_MESSAGE;
        set16(root, 0, versions[i / 2]);
        block b = finish(m, root);
        fletch_schema read;
        const fletch_options options = {.kind = kind};
        expect_everywhere(b, kind, UNSUPPORTED);
        fletch_open_with(b.bytes, b.size, &options, &read, NULL);
        assert_int_equal(read.wrapper.version, versions[i / 2]);
    }
}

static void case_40_the_version_tells_how_many_buffers_a_union_has(void **state)
{
    maker *m = *state;
    node *message = new_message(m, schema_with(m, union_of(m, 2, NULL, 0)));
    for (int version = FLETCH_V4; version <= FLETCH_V5; version++) {
        set16(message, MESSAGE_VERSION, version);
        fletch_schema read = open_as(finish(m, message), FLETCH_MESSAGE, FLETCH_LEVEL_STRICT);
        fletch_field field = field_number(&read, 0);
        assert_int_equal(fletch_count_buffers(&field, read.wrapper.version),
                         version == FLETCH_V4 ? 3 : 2);
    }
}

/* Dictionaries */

static node *encoded(maker *m, node *field, int64_t id)
{
    add_dictionary(m, field, id, int_type(m, 8, true));
    return field;
}

static void case_42_one_id_may_be_shared_by_one_value_type_only(void **state)
{
    maker *m = *state;
    fletch_error error;
    node *root = schema_with(m, encoded(m, text_field(m, "a"), 0));
    add_field(root, encoded(m, text_field(m, "b"), 0));
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(check_dictionaries(&schema, &error), OK);
    add_field(root, encoded(m, int_field(m, "c"), 0));
    schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(check_dictionaries(&schema, &error), INVALID);
    assert_int_equal(strncmp(error.path, "fields[2]", 9), 0);
}

/* map<utf8, dict 1>, list<dict 2>, struct<dict 3, struct<dict 4>> */
static node *nested_dictionaries(maker *m)
{
    node *map = nested_field(m, "map", FLETCH_TYPE_MAP);
    node *entries = add_child(map, not_null(nested_field(m, "entries", FLETCH_TYPE_STRUCT)));
    add_child(entries, not_null(text_field(m, "key")));
    add_child(entries, encoded(m, text_field(m, "value"), 1));
    node *list = nested_field(m, "list", FLETCH_TYPE_LIST);
    add_child(list, encoded(m, int_field(m, "item"), 2));
    node *outer = nested_field(m, "outer", FLETCH_TYPE_STRUCT);
    add_child(outer, encoded(m, text_field(m, "x"), 3));
    node *inner = add_child(outer, nested_field(m, "inner", FLETCH_TYPE_STRUCT));
    add_child(inner, encoded(m, text_field(m, "y"), 4));
    node *root = schema_with(m, map);
    add_field(root, list);
    add_field(root, outer);
    return root;
}

static void case_43_a_walk_meets_every_dictionary_in_a_stable_order(void **state)
{
    maker *m = *state;
    fletch_schema schema =
        open_as(finish(m, nested_dictionaries(m)), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_walk walk;
    fletch_field field;
    int64_t last = 0;
    fletch_walk_begin(&walk, &schema, NULL);
    while (fletch_walk_next(&walk, &field))
        if (field.has_dictionary) assert_int_equal(field.dictionary.id, ++last);
    assert_int_equal(walk.status, OK);
    assert_int_equal(last, 4);
}

static void case_45_a_dictionary_is_found_by_its_path(void **state)
{
    static const char *const paths[] = {"map.entries.value", "list.item", "outer.x",
                                        "outer.inner.y"};
    maker *m = *state;
    fletch_schema schema = open_schema(m, nested_dictionaries(m));
    for (int i = 0; i < 4; i++) {
        fletch_field field;
        assert_int_equal(fletch_find_path(&schema.fields, fletch_text(paths[i]), &field), OK);
        assert_int_equal(field.dictionary.id, i + 1);
    }
}

static void case_47_every_index_type_and_order_is_read(void **state)
{
    maker *m = *state;
    for (int i = 0; i < 16; i++) {
        int width = 8 << (i / 4);
        bool is_signed = i & 1, is_ordered = i & 2;
        node *field = text_field(m, "a");
        node *dictionary = add_dictionary(m, field, 0, int_type(m, width, is_signed));
        set8(dictionary, DICTIONARY_ORDERED, is_ordered);
        judge(m, field, OK, OK);
        fletch_field read = read_field_of(m, field);
        assert_int_equal(read.dictionary.index_type.bit_width, width);
        assert_int_equal(read.dictionary.index_type.is_signed, is_signed);
        assert_int_equal(read.dictionary.is_ordered, is_ordered);
    }
}

static void case_48_an_unknown_dictionary_kind_is_unsupported(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a");
    set16(add_dictionary(m, field, 0, NULL), DICTIONARY_KIND, 1);
    judge(m, field, UNSUPPORTED, UNSUPPORTED);
    assert_int_equal(read_field_of(m, field).dictionary.kind, 1);
}

/* Parameters */

static node *decimal_of(maker *m, int32_t precision, int32_t scale, int32_t width)
{
    node *type = one_32(m, precision);
    set32(type, DECIMAL_SCALE, scale);
    if (width >= 0) set32(type, DECIMAL_WIDTH, width);
    return new_field(m, "a", FLETCH_TYPE_DECIMAL, type);
}

static void case_49_a_decimal_without_a_width_has_128_bits(void **state)
{
    static const int good[] = {32, 64, 128, 256}, bad[] = {0, 16, 512};
    maker *m = *state;
    type_name_is(m, decimal_of(m, 10, 2, -1), "decimal128(10, 2)");
    for (size_t i = 0; i < 4; i++)
        judge(m, decimal_of(m, 5, 2, good[i]), OK, OK);
    for (size_t i = 0; i < 3; i++)
        judge(m, decimal_of(m, 5, 2, bad[i]), INVALID, INVALID);
}

static void case_50_a_decimals_precision_has_bounds_and_its_scale_none(void **state)
{
    maker *m = *state;
    judge(m, decimal_of(m, 0, 0, 128), INVALID, INVALID);
    judge(m, decimal_of(m, -1, 0, 128), INVALID, INVALID);
    judge(m, decimal_of(m, 39, 0, 128), INVALID, INVALID);
    judge(m, decimal_of(m, 77, 0, 256), INVALID, INVALID);
    judge(m, nested_field(m, "a", FLETCH_TYPE_DECIMAL), INVALID, INVALID);
    judge(m, decimal_of(m, 5, 9, 128), OK, OK);
    judge(m, decimal_of(m, 5, -9, 128), OK, OK);
    type_name_is(m, decimal_of(m, 5, -9, 128), "decimal128(5, -9)");
}

static node *time_of(maker *m, int unit, int width)
{
    node *type = one_16(m, unit);
    if (width >= 0) set32(type, TIME_WIDTH, width);
    return new_field(m, "a", FLETCH_TYPE_TIME, type);
}

static void case_51_a_time_whose_width_and_unit_disagree_is_invalid(void **state)
{
    maker *m = *state;
    judge(m, nested_field(m, "a", FLETCH_TYPE_TIME), OK, OK);
    type_name_is(m, nested_field(m, "a", FLETCH_TYPE_TIME), "time32[ms]");
    judge(m, time_of(m, FLETCH_NANOSECOND, -1), INVALID, INVALID);
    judge(m, time_of(m, FLETCH_SECOND, 64), INVALID, INVALID);
    judge(m, time_of(m, FLETCH_SECOND, 0), INVALID, INVALID);
    fletch_error error = expect_as(schema_block(m, time_of(m, FLETCH_NANOSECOND, -1)),
                                   FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, INVALID);
    assert_non_null(strstr(error.sentence, "32"));
}

static void case_52_every_table_has_its_own_defaults(void **state)
{
    static const struct {
        int tag;
        const char *name;
    } rows[] = {{FLETCH_TYPE_DATE, "date64[ms]"},          {FLETCH_TYPE_TIMESTAMP, "timestamp[s]"},
                {FLETCH_TYPE_DURATION, "duration[ms]"},    {FLETCH_TYPE_INTERVAL, "month_interval"},
                {FLETCH_TYPE_FLOATING_POINT, "halffloat"}, {FLETCH_TYPE_UNION, "sparse_union<>"}};
    static const int stored[] = {1, 0, 1, 0, 0, 0};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        type_name_is(m, nested_field(m, "a", rows[i].tag), rows[i].name);
        type_name_is(m, new_field(m, "a", rows[i].tag, one_16(m, stored[i])), rows[i].name);
    }
}

static void case_54_an_empty_timezone_is_none(void **state)
{
    static const char *const zones[] = {NULL, "", "UTC", "+01:00,x"};
    static const char *const names[] = {"timestamp[us]", "timestamp[us]", "timestamp[us, tz=UTC]",
                                        "timestamp[us, tz=+01:00,x]"};
    maker *m = *state;
    for (size_t i = 0; i < 4; i++) {
        node *type = one_16(m, FLETCH_MICROSECOND);
        if (zones[i]) set_node(type, TIMESTAMP_ZONE, make_text(m, zones[i]));
        node *field = new_field(m, "a", FLETCH_TYPE_TIMESTAMP, type);
        judge(m, field, OK, OK);
        type_name_is(m, field, names[i]);
        assert_int_equal(read_field_of(m, field).type.as.timestamp.has_timezone, zones[i] != NULL);
    }
}

static void case_55_a_type_from_the_future_hides_nothing_else(void **state)
{
    static const int tags[] = {27, 99, 255};
    maker *m = *state;
    for (size_t i = 0; i < 3; i++) {
        node *unknown = make_table(m);
        set64(unknown, 0, -1);
        set_node(unknown, 3, make_text(m, "a member of who knows what"));
        node *root = schema_with(m, int_field(m, "before"));
        node *future = new_field(m, "future", tags[i], unknown);
        add_child(future, text_field(m, "child"));
        add_field(root, future);
        add_field(root, text_field(m, "after"));
        block b = finish(m, root);
        fletch_schema schema;
        fletch_field field;
        expect_levels(b, FLETCH_SCHEMA, OK, UNSUPPORTED, UNSUPPORTED);
        assert_int_equal(fletch_open_with(b.bytes, b.size, &(fletch_options){.kind = FLETCH_SCHEMA},
                                          &schema, NULL),
                         UNSUPPORTED);
        assert_int_equal(fletch_find_field(&schema.fields, fletch_text("after"), &field), OK);
        assert_int_equal(fletch_find_path(&schema.fields, fletch_text("future.child"), &field), OK);
        assert_int_equal(field_number(&schema, 1).type.id, tags[i]);
    }
    type_name_is(m, nested_field(m, "a", 27), "unknown type 27");
}

static void case_55_types_20_to_26_are_known(void **state)
{
    maker *m = *state;
    for (int tag = 20; tag <= 26; tag++)
        assert_string_not_equal(fletch_type_name(tag), "unknown");
    judge(m, nested_field(m, "a", 20), OK, OK);
    judge(m, nested_field(m, "a", 23), OK, OK);
    judge(m, nested_field(m, "a", 24), OK, OK);
}

static node *map_of(maker *m, node *key, node *value)
{
    node *map = nested_field(m, "a", FLETCH_TYPE_MAP);
    node *entries = add_child(map, not_null(nested_field(m, "some_entries", FLETCH_TYPE_STRUCT)));
    if (key) add_child(entries, key);
    if (value) add_child(entries, value);
    return map;
}

static void case_56_a_maps_names_are_kept(void **state)
{
    maker *m = *state;
    node *map = map_of(m, not_null(text_field(m, "some_key")), int_field(m, "some_item"));
    fletch_schema schema = open_schema(m, schema_with(m, map));
    fletch_field field;
    judge(m, map, OK, OK);
    assert_int_equal(fletch_find_path(&schema.fields, fletch_text("a.some_entries.some_item"),
                                      &field),
                     OK);
}

static void case_56_a_maps_nullability_is_judged_at_strict(void **state)
{
    maker *m = *state;
    node *nullable_key = map_of(m, text_field(m, "key"), int_field(m, "value"));
    node *nullable_entries = map_of(m, not_null(text_field(m, "key")), int_field(m, "value"));
    set8(first_of(member(nullable_entries, FIELD_CHILDREN)), FIELD_NULLABLE, 1);
    judge(m, nullable_key, OK, INVALID);
    judge(m, nullable_entries, OK, INVALID);
}

static void case_56_a_maps_shape_is_judged(void **state)
{
    maker *m = *state;
    node *three = map_of(m, not_null(text_field(m, "key")), int_field(m, "value"));
    add_child(first_of(member(three, FIELD_CHILDREN)), int_field(m, "third"));
    node *no_struct = nested_field(m, "a", FLETCH_TYPE_MAP);
    add_child(no_struct, not_null(int_field(m, "entries")));
    judge(m, three, INVALID, INVALID);
    judge(m, map_of(m, not_null(text_field(m, "key")), NULL), INVALID, INVALID);
    judge(m, no_struct, INVALID, INVALID);
}

static void case_58_type_ids_are_read_verbatim(void **state)
{
    static const int ids[][2] = {{5, 7}, {1, 0}, {127, 3}};
    maker *m = *state;
    for (size_t i = 0; i < 3; i++) {
        node *field = union_of(m, 2, ids[i], 2);
        judge(m, field, OK, OK);
        fletch_field read = read_field_of(m, field);
        for (uint32_t k = 0; k < 2; k++)
            assert_int_equal(fletch_union_type_id(&read.type, k), ids[i][k]);
    }
}

static void case_60_negative_sizes_are_refused_and_zero_is_not(void **state)
{
    maker *m = *state;
    for (int size = -5; size <= 0; size += 5) {
        node *list = new_field(m, "a", FLETCH_TYPE_FIXED_SIZE_LIST, one_32(m, size));
        add_child(list, int_field(m, "item"));
        fletch_status status = size < 0 ? INVALID : OK;
        judge(m, new_field(m, "a", FLETCH_TYPE_FIXED_SIZE_BINARY, one_32(m, size)), status, status);
        judge(m, list, status, status);
    }
}

static void case_61_a_wrong_number_of_children_is_refused(void **state)
{
    maker *m = *state;
    node *none = nested_field(m, "a", FLETCH_TYPE_LIST);
    node *two = nested_field(m, "a", FLETCH_TYPE_LIST);
    node *runs = nested_field(m, "a", FLETCH_TYPE_RUN_END_ENCODED);
    node *leaf = int_field(m, "a"), *text_ends = nested_field(m, "a", FLETCH_TYPE_RUN_END_ENCODED);
    add_child(two, int_field(m, "a"));
    add_child(two, int_field(m, "b"));
    add_child(runs, not_null(int_field(m, "run_ends")));
    add_child(leaf, int_field(m, "b"));
    add_child(text_ends, not_null(text_field(m, "run_ends")));
    add_child(text_ends, int_field(m, "values"));
    judge(m, none, INVALID, INVALID);
    judge(m, two, INVALID, INVALID);
    judge(m, runs, INVALID, INVALID);
    judge(m, text_ends, INVALID, INVALID);
    judge(m, leaf, OK, INVALID);
}

/* Cost */

static void case_62_shared_subtables_end_in_a_limit_at_once(void **state)
{
    static const unsigned fans[][2] = {{30, 2}, {10, 50}};
    maker *m = *state;
    clock_t begin = clock();
    for (size_t i = 0; i < 2; i++) {
        share_vtables(m);
        block b = finish(m, fan_schema(m, fans[i][0], fans[i][1]));
        assert_in_range(b.size, 100, 6000);
        expect_everywhere(b, FLETCH_SCHEMA, FLETCH_LIMIT);
    }
    assert_in_range(clock() - begin, 0, CLOCKS_PER_SEC);
}

static void case_63_wide_schemas_are_accepted_by_default(void **state)
{
    maker *m = *state;
    expect_as(wide_schema(m, 500000), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, OK);
    expect_as(wide_schema(m, 1200000), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, OK);
    fletch_options options = {.kind = FLETCH_SCHEMA, .limits.tables = 1000};
    expect(wide_schema(m, 5000), &options, FLETCH_LIMIT);
}

static void case_64_deep_nesting_is_accepted_up_to_128(void **state)
{
    static const unsigned good[] = {1, 63, 64, 100, 127, 128}, bad[] = {129, 500, 5000};
    maker *m = *state;
    for (size_t i = 0; i < 6; i++)
        expect_everywhere(finish(m, deep_schema(m, good[i])), FLETCH_SCHEMA, OK);
    for (size_t i = 0; i < 3; i++)
        expect_everywhere(finish(m, deep_schema(m, bad[i])), FLETCH_SCHEMA, FLETCH_LIMIT);
}

typedef struct errand {
    block bytes;
    fletch_status status, walked;
} errand;

static void *open_and_walk(void *context)
{
    errand *e = context;
    fletch_options options = {.kind = FLETCH_SCHEMA, .level = FLETCH_LEVEL_STRICT};
    fletch_schema schema;
    fletch_error error;
    e->status = fletch_open_with(e->bytes.bytes, e->bytes.size, &options, &schema, &error);
    options.level = FLETCH_LEVEL_UNCHECKED;
    fletch_open_with(e->bytes.bytes, e->bytes.size, &options, &schema, &error);
    walk_all(&schema, &e->walked);
    return NULL;
}

#if defined(__unix__)
/* 64 KB, or the least a thread can have where that is more. */
static size_t small_stack(void)
{
    const long least = sysconf(_SC_THREAD_STACK_MIN);
    return least > 64 * 1024 ? (size_t)least : 64 * 1024;
}
#endif

/* In a thread with 64 KB of stack, where there are threads. */
static void run_with_little_stack(errand *e)
{
#if defined(__unix__)
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, small_stack()), 0);
    assert_int_equal(pthread_create(&thread, &attributes, open_and_walk, e), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
#else
    open_and_walk(e);
#endif
}

static void case_65_depth_takes_no_stack(void **state)
{
    maker *m = *state;
    share_vtables(m);
    errand e = {finish(m, deep_schema(m, 100000)), OK, OK};
    run_with_little_stack(&e);
    assert_int_equal(e.status, FLETCH_LIMIT);
    assert_int_equal(e.walked, FLETCH_LIMIT);
}

/* Bounds */

static void case_66_counts_and_offsets_near_the_top_do_not_wrap(void **state)
{
    static const uint32_t counts[] = {0x3FFFFFFF, 0x40000000, 0xFFFFFFFF};
    static const uint32_t offsets[] = {0xFFFFFFF0, 0x7FFFFFF0, 0x7FFFFFFF, 0x80000000};
    static const uint32_t soffsets[] = {0x7FFFFFFE, 0x80000000, 0x80000002, 0x00001000, 0xFFFFF000};
    maker *m = *state;
    sample s = make_sample(m);
    block good = finish(m, s.schema);
    const size_t vectors[] = {place(s.fields), place(s.children), place(s.metadata)};
    const size_t words[] = {0, place_of(s.schema, SCHEMA_FIELDS), place_of_element(s.fields, 0),
                            place_of(s.field, FIELD_NAME), place_of(s.field, FIELD_TYPE)};
    const size_t tables[] = {place(s.schema), place(s.field), place(s.type), place(s.pair)};
    for (size_t i = 0; i < 60; i++) {
        block b = copy_of(m, good.bytes, good.size);
        poke32(b, vectors[i % 3], counts[i / 3 % 3]);
        refuse(b);
        b = copy_of(m, good.bytes, good.size);
        poke32(b, words[i % 5], offsets[i / 5 % 4]);
        refuse(b);
        b = copy_of(m, good.bytes, good.size);
        poke32(b, tables[i % 4], soffsets[i / 4 % 5]);
        refuse(b);
    }
}

static void case_68_a_message_cut_by_a_few_bytes_is_refused_or_was_padding(void **state)
{
    maker *m = *state;
    block message = wordy_message(m), padded = pad(m, message, 8);
    for (size_t less = 1; less < 8; less++) {
        expect_everywhere(cut(m, padded, padded.size - less), FLETCH_MESSAGE, OK);
        expect_everywhere(cut(m, message, message.size - less), FLETCH_MESSAGE, MALFORMED);
    }
}

static void case_70_a_string_length_past_the_end_is_refused(void **state)
{
    static const uint32_t sizes[] = {5000, 0x7FFFFFFF, 0xFFFFFFFC, 0xFFFFFFFF};
    maker *m = *state;
    sample s = make_sample(m);
    block b = finish(m, s.schema);
    for (size_t i = 0; i < 4; i++) {
        poke32(b, place(s.name), sizes[i]);
        refuse(b);
        expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, MALFORMED, "fields[0].name");
    }
}

static void case_70_a_string_that_grew_into_its_neighbour_is_refused(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    node *root = s.schema;
    add_pair(m, root, SCHEMA_METADATA, "key", "a value that is long enough to be read into");
    block b = finish(m, root);
    poke32(b, place(s.name), 50);
    refuse(b);
}

static void case_71_a_string_without_its_nul_is_refused(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    block b = finish(m, s.schema);
    poke8(b, place(s.name) + 4 + 3, 'X');
    refuse(b);
    node *root = make_table(m), *pair = add_pair(m, root, SCHEMA_METADATA, NULL, "last");
    b = finish(m, root);
    refuse(cut(m, b, place(member(pair, PAIR_VALUE)) + 4 + 4));
}

static void case_73_a_malformed_vtable_is_refused(void **state)
{
    static const uint32_t sizes[] = {0, 2, 5, 0xFFFE};
    maker *m = *state;
    sample s = make_sample(m);
    block good = finish(m, s.schema);
    for (size_t i = 0; i < 4; i++) {
        block b = copy_of(m, good.bytes, good.size);
        poke16(b, vtable_of(s.field), sizes[i]);
        refuse(b);
    }
    for (uint32_t slot = 1; slot < 4; slot++) {
        block b = copy_of(m, good.bytes, good.size);
        poke16(b, vtable_slot_of(s.field, FIELD_NAME), slot);
        refuse(b);
    }
    block small = copy_of(m, good.bytes, good.size), none = copy_of(m, good.bytes, good.size);
    poke16(small, vtable_of(s.field) + 2, 8);
    poke32(none, place(s.field), 0); /* the vtable is the table itself */
    refuse(small);
    refuse(none);
}

static void case_73_a_vtable_may_be_longer_or_shorter_than_known(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    keep_slots(s.field, 11);
    keep_slots(s.type, 6);
    expect_everywhere(finish(m, s.schema), FLETCH_SCHEMA, OK);
}

static void case_75_an_error_says_where(void **state)
{
    maker *m = *state;
    node *root = new_schema(m), *pair = NULL;
    for (int i = 0; i < 200; i++) {
        node *field = int_field(m, "a");
        for (int k = 0; k < 3; k++) {
            node *last = add_pair(m, field, FIELD_METADATA, "k", "v");
            if (i == 137) pair = last;
        }
        add_field(root, field);
    }
    block b = finish(m, root);
    size_t at = place_of(pair, PAIR_VALUE);
    poke32(b, at, 0x7FFFFFF0);
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, MALFORMED, at,
              "fields[137].custom_metadata[2].value");
}

/* Text and metadata */

static void case_76_bytes_that_are_not_utf8_pass_but_not_at_strict(void **state)
{
    static const char *const texts[] = {"\xC3\x28", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC0\x80"};
    maker *m = *state;
    sample s = make_sample(m);
    set_node(s.pair, PAIR_VALUE, make_string(m, "\xFF\xFE\0A", 4));
    block b = finish(m, s.schema);
    expect_levels(b, FLETCH_SCHEMA, OK, OK, MALFORMED);
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, MALFORMED,
              place(member(s.pair, PAIR_VALUE)) + 4, "fields[0].custom_metadata[0].value");
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_field field = field_number(&schema, 0);
    fletch_key_value pair;
    assert_true(fletch_next_metadata(&field.metadata, &pair));
    assert_int_equal(pair.value.size, 4);
    assert_memory_equal(pair.value.data, "\xFF\xFE\0A", 4);
    for (size_t i = 0; i < 4; i++)
        judge(m, int_field(m, texts[i]), OK, MALFORMED);
}

static void case_78_repeated_keys_stay_in_their_order(void **state)
{
    static const char *const values[] = {"1", "2", "3"};
    maker *m = *state;
    node *field = int_field(m, "a"), *root = schema_with(m, field);
    for (int i = 0; i < 3; i++) {
        add_pair(m, field, FIELD_METADATA, i == 1 ? "b" : "a", values[i]);
        add_pair(m, root, SCHEMA_METADATA, i == 1 ? "b" : "a", values[i]);
    }
    fletch_schema schema = open_schema(m, root);
    for (int k = 0; k < 2; k++) {
        fletch_metadata pairs = k ? field_number(&schema, 0).metadata : schema.metadata;
        fletch_metadata search = pairs;
        fletch_key_value pair;
        for (int i = 0; i < 3; i++) {
            assert_true(fletch_next_metadata(&pairs, &pair));
            assert_true(is_text(pair.value, values[i]));
        }
        assert_true(fletch_find_metadata(&search, fletch_text("a"), &pair));
        assert_true(is_text(pair.value, "1"));
        assert_true(fletch_find_metadata(&search, fletch_text("a"), &pair));
        assert_true(is_text(pair.value, "3"));
        assert_false(fletch_find_metadata(&search, fletch_text("a"), &pair));
    }
}

static void case_80_extension_metadata_is_opaque(void **state)
{
    enum { LARGE = 1 << 20 };
    maker *m = *state;
    block large = pad(m, (block){NULL, 0}, LARGE);
    memset(large.bytes, 0xE9, LARGE);
    const block values[] = {text_block(m, "not json"), text_block(m, "{\"a\":{\"b\":1}}"),
                            copy_of(m, "\0\xFF\x80", 3), large};
    for (size_t i = 0; i < 4; i++) {
        node *field = int_field(m, "a");
        node *pair = add_pair(m, field, FIELD_METADATA, "ARROW:extension:metadata", NULL);
        set_node(pair, PAIR_VALUE, make_string(m, values[i].bytes, values[i].size));
        add_pair(m, field, FIELD_METADATA, "ARROW:extension:name", "nobody.knows");
        fletch_schema schema = open_as(schema_block(m, field), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
        fletch_field read = field_number(&schema, 0);
        fletch_extension extension;
        assert_int_equal(fletch_find_extension(&read, &extension), OK);
        assert_true(is_text(extension.name, "nobody.knows"));
        assert_int_equal(extension.metadata.size, values[i].size);
        assert_memory_equal(extension.metadata.data, values[i].bytes, values[i].size);
    }
}

/* The value under key "at" of these pairs is `where`. */
static void says(fletch_metadata pairs, const char *where)
{
    fletch_key_value pair;
    assert_true(fletch_find_metadata(&pairs, fletch_text("at"), &pair));
    assert_true(is_text(pair.value, where));
}

static void case_81_metadata_is_read_in_every_place(void **state)
{
    static const char *const paths[] = {"top",           "s.child",  "l.item",
                                        "m.entries.key", "u.member", "d"};
    maker *m = *state;
    node *schema = schema_with(m, int_field(m, "top"));
    node *s = nested_field(m, "s", FLETCH_TYPE_STRUCT), *l = nested_field(m, "l", FLETCH_TYPE_LIST);
    node *map = nested_field(m, "m", FLETCH_TYPE_MAP), *u = nested_field(m, "u", FLETCH_TYPE_UNION);
    node *entries = add_child(map, not_null(nested_field(m, "entries", FLETCH_TYPE_STRUCT)));
    node *holders[] = {first_of(member(schema, SCHEMA_FIELDS)),
                       add_child(s, int_field(m, "child")),
                       add_child(l, int_field(m, "item")),
                       add_child(entries, not_null(text_field(m, "key"))),
                       add_child(u, int_field(m, "member")),
                       encoded(m, text_field(m, "d"), 1)};
    add_child(entries, int_field(m, "value"));
    for (size_t i = 0; i < 6; i++)
        add_pair(m, holders[i], FIELD_METADATA, "at", paths[i]);
    node *others[] = {s, l, map, u, holders[5]};
    for (size_t i = 0; i < 5; i++)
        add_field(schema, others[i]);
    add_pair(m, schema, SCHEMA_METADATA, "at", "schema");
    node *message = new_message(m, schema), *footer = new_footer(m, schema);
    add_pair(m, message, MESSAGE_METADATA, "at", "message");
    add_pair(m, footer, FOOTER_METADATA, "at", "footer");
    fletch_schema read = open_as(finish(m, footer), FLETCH_FOOTER, FLETCH_LEVEL_STRICT);
    says(read.wrapper.metadata, "footer");
    read = open_as(finish(m, message), FLETCH_MESSAGE, FLETCH_LEVEL_STRICT);
    says(read.wrapper.metadata, "message");
    says(read.metadata, "schema");
    for (size_t i = 0; i < 6; i++) {
        fletch_field field;
        assert_int_equal(fletch_find_path(&read.fields, fletch_text(paths[i]), &field), OK);
        says(field.metadata, paths[i]);
    }
}

static void case_83_a_value_of_64_megabytes_is_read(void **state)
{
    enum { LARGE = 64 << 20 };
    maker *m = *state;
    block large = pad(m, (block){NULL, 0}, LARGE);
    memset(large.bytes, 'v', LARGE);
    sample s = make_sample(m);
    set_node(s.pair, PAIR_VALUE, make_string(m, large.bytes, LARGE));
    block b = finish(m, s.schema);
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_field field = field_number(&schema, 0);
    fletch_key_value pair;
    assert_true(fletch_next_metadata(&field.metadata, &pair));
    assert_int_equal(pair.value.size, LARGE);
}

/* Parquet */

static fletch_status open_value(maker *m, block value, fletch_schema *schema)
{
    const fletch_options options = {.kind = FLETCH_PARQUET};
    return open_lending(m, parquet_with(m, value), &options, schema, NULL);
}

static void case_85_an_undecodable_key_has_its_own_status(void **state)
{
    maker *m = *state;
    node *batch = new_message(m, make_table(m));
    set8(batch, MESSAGE_TAG, 3);
    fletch_schema schema;
    block good = base64_of(m, frame(m, wordy_message(m), false), true);
    assert_int_equal(open_value(m, text_block(m, ""), &schema), FLETCH_NOT_A_MESSAGE);
    assert_int_equal(open_value(m, text_block(m, "AAAA"), &schema), FLETCH_NOT_A_MESSAGE);
    assert_int_equal(open_value(m, cut(m, good, 41), &schema), FLETCH_BAD_BASE64);
    assert_int_equal(open_value(m, base64_of(m, frame(m, finish(m, batch), false), true), &schema),
                     FLETCH_NOT_A_SCHEMA);
}

static void case_86_the_number_of_columns_is_cheap_to_know(void **state)
{
    maker *m = *state;
    node *root = schema_with(m, int_field(m, "a"));
    add_field(root, text_field(m, "b"));
    add_field(root, text_field(m, "c"));
    fletch_schema schema;
    block message = finish(m, new_message(m, root));
    assert_int_equal(open_value(m, base64_of(m, frame(m, message, false), true), &schema), OK);
    assert_int_equal(fletch_count_fields(&schema.fields), 3);
    assert_true(is_text(field_number(&schema, 2).name, "c"));
}

static void case_87_the_key_may_be_framed_in_any_way(void **state)
{
    maker *m = *state;
    block message = wordy_message(m);
    const block forms[] = {frame(m, message, false), frame(m, message, true), message,
                           stream_of(m, message),
                           join(m, frame(m, message, true), end_of_stream(m, true))};
    for (size_t i = 0; i < 10; i++) {
        fletch_schema schema;
        assert_int_equal(open_value(m, base64_of(m, forms[i / 2], i % 2), &schema), OK);
        assert_int_equal(fletch_count_fields(&schema.fields), 1);
    }
}

static void case_88_a_schema_can_be_printed_for_people(void **state)
{
    maker *m = *state;
    node *root = nested_dictionaries(m);
    for (int tag = 1; tag <= 27; tag++)
        add_field(root, nested_field(m, "\x1B[2J\x07", tag));
    add_pair(m, root, SCHEMA_METADATA, "key", "value\x1B]0;title\x07");
    fletch_schema schema = open_schema(m, root);
    const fletch_print_options options = {.max_type = 100, .max_value = 100};
    paper p = {0};
    assert_int_equal(fletch_print_tree(&schema, &options, write_on, &p, NULL), OK);
    assert_null(strchr(p.text, '\x1B'));
    assert_null(strchr(p.text, '\x07'));
    assert_in_range(p.size, 100, 40000);
    tear_up(&p);
}

/* Files */

static void case_94_both_copies_of_a_files_schema_can_be_opened(void **state)
{
    maker *m = *state;
    block message = finish(m, new_message(m, schema_with(m, int_field(m, "stream"))));
    block footer = finish(m, new_footer(m, schema_with(m, int_field(m, "footer"))));
    block file = file_of(m, message, footer);
    fletch_options options = {.kind = FLETCH_FILE};
    fletch_schema schema;
    assert_int_equal(fletch_open_with(file.bytes, file.size, &options, &schema, NULL), OK);
    assert_true(is_text(field_number(&schema, 0).name, "footer"));
    options.stream_copy = true;
    assert_int_equal(fletch_open_with(file.bytes, file.size, &options, &schema, NULL), OK);
    assert_true(is_text(field_number(&schema, 0).name, "stream"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(case_01_a_schema_without_a_fields_vector_is_missing),
        WITH_MAKER(case_03_a_union_tag_without_its_value_is_malformed),
        WITH_MAKER(case_03_a_union_value_without_its_tag_is_malformed),
        WITH_MAKER(case_03_a_type_without_members_needs_its_table_too),
        WITH_MAKER(case_04_a_field_without_a_type_is_missing_not_null),
        WITH_MAKER(case_05_absent_children_are_no_children),
        WITH_MAKER(case_06_a_name_may_be_absent_and_is_told_from_empty),
        WITH_MAKER(case_07_a_pair_may_lack_its_key_or_value),
        WITH_MAKER(case_09_an_empty_int_is_no_int32),
        WITH_MAKER(case_11_absent_type_ids_count_from_zero),
        WITH_MAKER(case_12_metadata_may_be_empty),
        WITH_MAKER(case_15_endianness_is_read),
        WITH_MAKER(case_16_metadata_is_little_endian_whatever_the_data_are),
        WITH_MAKER(case_20_legacy_framing_is_read_where_it_stands),
        WITH_MAKER(case_22_an_empty_vector_of_8_byte_items_may_stand_at_4),
        WITH_MAKER(case_24_a_misaligned_vector_of_8_byte_items_is_read_but_not_strict),
        WITH_MAKER(case_25_a_misaligned_8_byte_member_is_read_but_not_strict),
        WITH_MAKER(case_27_any_address_will_do),
        WITH_MAKER(case_28_a_message_without_the_continuation_word_is_legacy),
        WITH_MAKER(case_29_a_stream_may_end_in_any_way),
        WITH_MAKER(case_30_a_wild_metadata_length_is_refused_before_anything),
        WITH_MAKER(case_31_a_wild_body_length_is_told_not_allocated),
        WITH_MAKER(case_33_a_metadata_length_may_be_larger_than_the_flatbuffer),
        WITH_MAKER(case_38_a_version_from_the_future_is_unsupported_and_visible),
        WITH_MAKER(case_40_the_version_tells_how_many_buffers_a_union_has),
        WITH_MAKER(case_42_one_id_may_be_shared_by_one_value_type_only),
        WITH_MAKER(case_43_a_walk_meets_every_dictionary_in_a_stable_order),
        WITH_MAKER(case_45_a_dictionary_is_found_by_its_path),
        WITH_MAKER(case_47_every_index_type_and_order_is_read),
        WITH_MAKER(case_48_an_unknown_dictionary_kind_is_unsupported),
        WITH_MAKER(case_49_a_decimal_without_a_width_has_128_bits),
        WITH_MAKER(case_50_a_decimals_precision_has_bounds_and_its_scale_none),
        WITH_MAKER(case_51_a_time_whose_width_and_unit_disagree_is_invalid),
        WITH_MAKER(case_52_every_table_has_its_own_defaults),
        WITH_MAKER(case_54_an_empty_timezone_is_none),
        WITH_MAKER(case_55_a_type_from_the_future_hides_nothing_else),
        WITH_MAKER(case_55_types_20_to_26_are_known),
        WITH_MAKER(case_56_a_maps_names_are_kept),
        WITH_MAKER(case_56_a_maps_nullability_is_judged_at_strict),
        WITH_MAKER(case_56_a_maps_shape_is_judged),
        WITH_MAKER(case_58_type_ids_are_read_verbatim),
        WITH_MAKER(case_60_negative_sizes_are_refused_and_zero_is_not),
        WITH_MAKER(case_61_a_wrong_number_of_children_is_refused),
        WITH_MAKER(case_62_shared_subtables_end_in_a_limit_at_once),
        WITH_MAKER(case_63_wide_schemas_are_accepted_by_default),
        WITH_MAKER(case_64_deep_nesting_is_accepted_up_to_128),
        WITH_MAKER(case_65_depth_takes_no_stack),
        WITH_MAKER(case_66_counts_and_offsets_near_the_top_do_not_wrap),
        WITH_MAKER(case_68_a_message_cut_by_a_few_bytes_is_refused_or_was_padding),
        WITH_MAKER(case_70_a_string_length_past_the_end_is_refused),
        WITH_MAKER(case_70_a_string_that_grew_into_its_neighbour_is_refused),
        WITH_MAKER(case_71_a_string_without_its_nul_is_refused),
        WITH_MAKER(case_73_a_malformed_vtable_is_refused),
        WITH_MAKER(case_73_a_vtable_may_be_longer_or_shorter_than_known),
        WITH_MAKER(case_75_an_error_says_where),
        WITH_MAKER(case_76_bytes_that_are_not_utf8_pass_but_not_at_strict),
        WITH_MAKER(case_78_repeated_keys_stay_in_their_order),
        WITH_MAKER(case_80_extension_metadata_is_opaque),
        WITH_MAKER(case_81_metadata_is_read_in_every_place),
        WITH_MAKER(case_83_a_value_of_64_megabytes_is_read),
        WITH_MAKER(case_85_an_undecodable_key_has_its_own_status),
        WITH_MAKER(case_86_the_number_of_columns_is_cheap_to_know),
        WITH_MAKER(case_87_the_key_may_be_framed_in_any_way),
        WITH_MAKER(case_88_a_schema_can_be_printed_for_people),
        WITH_MAKER(case_94_both_copies_of_a_files_schema_can_be_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
