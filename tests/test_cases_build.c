/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What broke in other writers and round trips of this format, each report by its number in the
 * project's list: here the ones about building and copying.
 */
#include "fletch/heap.h"

#include "support/building.h"
#include "support/random_schema.h"
#include "support/wire.h"

#include <stdlib.h>
#include <string.h>

#define OK          FLETCH_OK
#define INVALID     FLETCH_INVALID
#define UNSUPPORTED FLETCH_UNSUPPORTED

static fletch_status add(fletch_builder *b, const char *name, fletch_type type)
{
    return fletch_add_field(b, name, type, 0);
}

/* A name of so many characters, at most 17. */
static const char *name_of(unsigned size)
{
    static const char name[] = "nnnnnnnnnnnnnnnnn";
    return &name[sizeof name - 1 - size];
}

/* A field of this type with int32 children of these names. */
static fletch_status add_parent(fletch_builder *b, const char *name, fletch_type type,
                                const char *const *children, unsigned count)
{
    fletch_begin_field(b, name, type, FLETCH_NULLABLE);
    for (unsigned i = 0; i < count; i++)
        add(b, children[i], fletch_int(32, true));
    return fletch_end_field(b);
}

static const char *const abc[] = {"a", "b", "c"};

/* What a copy of a schema of this field is, at level arrow. */
static fletch_schema copy_of_field(maker *m, node *field)
{
    block bytes = finish(m, schema_with(m, field));
    fletch_schema schema = open_as(bytes, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_copy_schema(b, &schema), OK);
    return built_schema(m, b);
}

static fletch_status refused_copy(maker *m, node *field)
{
    block bytes = finish(m, schema_with(m, field));
    fletch_schema schema = open_as(bytes, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
    fletch_builder *b = new_builder(m);
    fletch_set_level(b, FLETCH_LEVEL_ARROW);
    return fletch_copy_schema(b, &schema);
}

/* The Field table of the first column of a bare schema. */
static size_t first_field(block b)
{
    return wire_element(b, wire_target(b, wire_root(b), SCHEMA_FIELDS), 0);
}

static block one_field(maker *m, fletch_type type)
{
    fletch_builder *b = new_builder(m);
    assert_int_equal(add(b, "a", type), OK);
    return built(m, b, FLETCH_SCHEMA);
}

static fletch_status status_of_type(maker *m, fletch_type type)
{
    return add(new_builder(m), "a", type);
}

/* NULL and absent */

static void case_01_a_schema_without_columns_has_a_fields_vector(void **state)
{
    maker *m = *state;
    block b = built(m, new_builder(m), FLETCH_SCHEMA);
    size_t fields = wire_target(b, wire_root(b), SCHEMA_FIELDS);
    assert_int_not_equal(fields, 0);
    assert_int_equal(wire_count(b, fields), 0);
}

static void case_03_a_type_without_members_has_its_table(void **state)
{
    const fletch_type types[] = {fletch_null(), fletch_utf8(), fletch_bool()};
    for (size_t i = 0; i < 3; i++) {
        block b = one_field(*state, types[i]);
        assert_int_not_equal(wire_target(b, first_field(b), FIELD_TYPE), 0);
    }
}

static void case_04_a_field_of_type_none_is_not_built(void **state)
{
    assert_int_equal(status_of_type(*state, fletch_type_of(FLETCH_TYPE_NONE)), FLETCH_MISSING);
}

static void case_05_absent_children_become_no_children(void **state)
{
    static const int tags[] = {FLETCH_TYPE_UTF8, FLETCH_TYPE_STRUCT};
    maker *m = *state;
    for (size_t i = 0; i < 2; i++) {
        node *field = nested_field(m, "a", tags[i]);
        drop(field, FIELD_CHILDREN);
        fletch_schema copy = copy_of_field(m, field);
        assert_true(field_number(&copy, 0).has_children);
    }
    node *list = nested_field(m, "a", FLETCH_TYPE_LIST);
    drop(list, FIELD_CHILDREN);
    assert_int_equal(refused_copy(m, list), INVALID);
}

static void case_06_an_absent_name_becomes_empty(void **state)
{
    maker *m = *state;
    fletch_schema copy = copy_of_field(m, int_field(m, NULL));
    assert_true(field_number(&copy, 0).has_name);
    assert_int_equal(field_number(&copy, 0).name.size, 0);
    block b = one_field(m, fletch_bool());
    fletch_builder *builder = new_builder(m);
    add(builder, NULL, fletch_bool());
    b = built(m, builder, FLETCH_SCHEMA);
    assert_int_equal(peek32(b, wire_target(b, first_field(b), FIELD_NAME)), 0);
}

static void case_07_absent_keys_and_values_become_empty(void **state)
{
    static const char *const pairs[4][2] = {{"k", NULL}, {NULL, "v"}, {NULL, NULL}, {"", ""}};
    maker *m = *state;
    node *field = int_field(m, "a");
    for (size_t i = 0; i < 4; i++)
        add_pair(m, field, FIELD_METADATA, pairs[i][0], pairs[i][1]);
    fletch_schema copy = copy_of_field(m, field);
    fletch_metadata read = field_number(&copy, 0).metadata;
    fletch_key_value pair;
    for (size_t i = 0; i < 4; i++) {
        assert_true(fletch_next_metadata(&read, &pair));
        assert_true(pair.has_key && is_text(pair.key, pairs[i][0] ? pairs[i][0] : ""));
        assert_true(pair.has_value && is_text(pair.value, pairs[i][1] ? pairs[i][1] : ""));
    }
}

static void case_09_an_integer_without_a_width_is_not_built(void **state)
{
    static const int32_t widths[] = {0, 24, 128};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(status_of_type(*state, fletch_int(widths[i], false)), INVALID);
}

static void case_11_absent_type_ids_are_written_as_positions(void **state)
{
    maker *m = *state;
    for (unsigned count = 0; count <= 3; count += 3) {
        fletch_builder *b = new_builder(m);
        assert_int_equal(add_parent(b, "u", fletch_union(FLETCH_DENSE, NULL, 0), abc, count), OK);
        block bytes = built(m, b, FLETCH_SCHEMA);
        size_t type = wire_target(bytes, first_field(bytes), FIELD_TYPE);
        size_t ids = wire_target(bytes, type, UNION_TYPE_IDS);
        assert_int_not_equal(ids, 0);
        assert_int_equal(wire_count(bytes, ids), count);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(peek32(bytes, ids + 4 + 4 * i), i);
    }
}

static void case_11_no_type_ids_for_three_children_are_refused(void **state)
{
    static const int32_t none[1] = {0};
    fletch_builder *b = new_builder(*state);
    assert_int_equal(add_parent(b, "u", fletch_union(FLETCH_DENSE, none, 0), abc, 3), INVALID);
}

static void case_12_empty_metadata_is_not_written(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a"), *root = schema_with(m, field);
    set_node(field, FIELD_METADATA, make_list(m));
    set_node(root, SCHEMA_METADATA, make_list(m));
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_builder *b = new_builder(m);
    fletch_copy_schema(b, &schema);
    block bytes = built(m, b, FLETCH_SCHEMA);
    assert_int_equal(wire_member(bytes, wire_root(bytes), SCHEMA_METADATA), 0);
    assert_int_equal(wire_member(bytes, first_field(bytes), FIELD_METADATA), 0);
}

/* Endianness */

static void case_15_big_is_written_and_little_left_out(void **state)
{
    maker *m = *state;
    for (int32_t endianness = 0; endianness < 2; endianness++) {
        fletch_builder *b = new_builder(m);
        fletch_set_endianness(b, endianness);
        block bytes = built(m, b, FLETCH_SCHEMA);
        size_t at = wire_member(bytes, wire_root(bytes), SCHEMA_ENDIANNESS);
        assert_int_equal(at != 0, endianness);
        if (at) assert_int_equal(peek16(bytes, at), endianness);
    }
}

static void case_15_the_endianness_survives_a_copy(void **state)
{
    maker *m = *state;
    node *root = schema_with(m, int_field(m, "a"));
    set16(root, SCHEMA_ENDIANNESS, 1);
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_builder *b = new_builder(m);
    fletch_copy_schema(b, &schema);
    assert_int_equal(built_schema(m, b).endianness, FLETCH_BIG_ENDIAN);
}

static void case_16_the_endianness_changes_nothing_else(void **state)
{
    maker *m = *state;
    random_plan plan = {.seed = 5, .fields = 100};
    fletch_builder *little = new_builder_in(m, 1 << 18), *big = new_builder_in(m, 1 << 18);
    build_random(little, &plan);
    build_random(big, &plan);
    fletch_set_endianness(little, FLETCH_LITTLE_ENDIAN);
    fletch_set_endianness(big, FLETCH_BIG_ENDIAN);
    fletch_schema a = built_schema(m, little), b = built_schema(m, big);
    same_bytes(json_of(m, &a), json_of(m, &b));
}

/*
 * The whole of a column without any metadata, so that a host that stored a word the wrong way round
 * would show it. The second reader takes no part in it.
 */
static void case_18_bytes_are_the_same_on_every_host(void **state)
{
    static const uint8_t wanted[] = {
        0x04, 0x00, 0x00, 0x00, 0xF8, 0xFF, 0xFF, 0xFF, 0x0C, 0x00, 0x00, 0x00, 0x08, 0x00,
        0x08, 0x00, 0x00, 0x00, 0x04, 0x00, 0x01, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00,
        0xEC, 0xFF, 0xFF, 0xFF, 0x20, 0x00, 0x00, 0x00, 0x24, 0x00, 0x00, 0x00, 0x34, 0x00,
        0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x10, 0x00, 0x12, 0x00, 0x04, 0x00, 0x10, 0x00,
        0x11, 0x00, 0x08, 0x00, 0x00, 0x00, 0x0C, 0x00, 0x03, 0x00, 0x00, 0x00, 0x63, 0x6F,
        0x6C, 0x00, 0xF4, 0xFF, 0xFF, 0xFF, 0x20, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
        0x08, 0x00, 0x09, 0x00, 0x04, 0x00, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00,

    };
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_add_field(b, "col", fletch_int(32, true), FLETCH_NULLABLE);
    same_bytes(built(m, b, FLETCH_SCHEMA), copy_of(m, wanted, sizeof wanted));
}

/* Alignment */

static void case_22_empty_vectors_of_blocks_are_aligned_all_the_same(void **state)
{
    maker *m = *state;
    for (unsigned size = 0; size < 9; size++) {
        fletch_builder *b = new_builder(m);
        add(b, name_of(size), fletch_bool());
        block bytes = built(m, b, FLETCH_FOOTER);
        size_t vector = wire_target(bytes, wire_root(bytes), FOOTER_BATCHES);
        assert_int_equal((vector + 4) % 8, 0);
    }
}

static void case_24_features_stand_at_multiples_of_8(void **state)
{
    maker *m = *state;
    for (unsigned size = 0; size < 9; size++) {
        fletch_builder *b = new_builder(m);
        fletch_add_feature(b, 1);
        add(b, name_of(size), fletch_bool());
        block bytes = built(m, b, FLETCH_SCHEMA);
        size_t vector = wire_target(bytes, wire_root(bytes), SCHEMA_FEATURES);
        assert_int_equal((vector + 4) % 8, 0);
    }
}

static void case_25_ids_of_several_dictionaries_stand_at_multiples_of_8(void **state)
{
    maker *m = *state;
    for (unsigned count = 1; count < 5; count++)
        for (unsigned size = 0; size < 9; size++) {
            fletch_builder *b = new_builder(m);
            for (unsigned i = 0; i < count; i++) {
                fletch_begin_field(b, name_of(size), fletch_utf8(), i % 2);
                fletch_set_dictionary(b, (int64_t)i + 1, (fletch_int_type){32, true}, i % 2);
                fletch_end_field(b);
            }
            block bytes = built(m, b, FLETCH_SCHEMA);
            size_t fields = wire_target(bytes, wire_root(bytes), SCHEMA_FIELDS);
            for (uint32_t i = 0; i < count; i++) {
                size_t dictionary =
                    wire_target(bytes, wire_element(bytes, fields, i), FIELD_DICTIONARY);
                assert_int_equal(wire_member(bytes, dictionary, DICTIONARY_ID) % 8, 0);
            }
        }
}

/* Framing */

static void case_31_a_schema_message_has_no_body(void **state)
{
    maker *m = *state;
    fletch_schema schema =
        open_as(built(m, new_builder(m), FLETCH_STREAM), FLETCH_STREAM, FLETCH_LEVEL_STRICT);
    assert_true(schema.wrapper.body_length == 0);
}

static void case_34_the_metadata_size_covers_the_padding(void **state)
{
    maker *m = *state;
    for (int is_legacy = 0; is_legacy < 2; is_legacy++)
        for (unsigned size = 0; size < 17; size++) {
            fletch_builder *b = new_builder(m);
            if (is_legacy) fletch_set_legacy_framing(b);
            add(b, name_of(size), fletch_bool());
            block one = built(m, b, FLETCH_ENCAPSULATED);
            size_t prefix = is_legacy ? 4 : 8;
            assert_int_equal(one.size % 8, 0);
            assert_int_equal(peek32(one, prefix - 4), one.size - prefix);
            block two = join(m, one, one);
            fletch_schema first = open_as(two, FLETCH_STREAM, FLETCH_LEVEL_STRICT);
            assert_true(first.wrapper.end == one.size);
        }
}

static void case_38_a_version_is_always_written(void **state)
{
    maker *m = *state;
    block b = built(m, new_builder(m), FLETCH_MESSAGE);
    assert_int_not_equal(wire_member(b, wire_root(b), MESSAGE_VERSION), 0);
    for (int32_t version = -1; version < 8; version++) {
        fletch_status wanted = version == FLETCH_V4 || version == FLETCH_V5 ? OK : FLETCH_MISUSE;
        assert_int_equal(fletch_set_version(new_builder(m), version), wanted);
    }
}

/* Dictionaries */

static void add_encoded(fletch_builder *b, const char *name, fletch_type type, int64_t id)
{
    fletch_begin_field(b, name, type, FLETCH_NULLABLE);
    fletch_set_dictionary(b, id, (fletch_int_type){32, true}, false);
    fletch_end_field(b);
}

static void case_42_ids_are_written_as_given_and_a_conflict_is_found(void **state)
{
    maker *m = *state;
    fletch_error error;
    for (int is_conflict = 0; is_conflict < 2; is_conflict++) {
        fletch_builder *b = new_builder(m);
        add_encoded(b, "a", fletch_utf8(), 0);
        add_encoded(b, "b", is_conflict ? fletch_int(64, true) : fletch_utf8(), 0);
        fletch_schema schema = built_schema(m, b);
        assert_true(field_number(&schema, 1).dictionary.id == 0);
        assert_int_equal(check_dictionaries(&schema, &error), is_conflict ? INVALID : OK);
    }
}

static void case_43_dictionaries_inside_of_other_types_are_written(void **state)
{
    static const char *const paths[] = {"m.entries.value", "l.item", "s", "s.inner"};
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "m", fletch_map(false), 0);
    fletch_begin_field(b, "entries", fletch_struct(), 0);
    add(b, "key", fletch_utf8());
    add_encoded(b, "value", fletch_utf8(), 0);
    fletch_end_field(b);
    fletch_end_field(b);
    fletch_begin_field(b, "l", fletch_list(), 0);
    add_encoded(b, "item", fletch_utf8(), 1);
    fletch_end_field(b);
    fletch_begin_field(b, "s", fletch_struct(), 0);
    fletch_set_dictionary(b, 2, (fletch_int_type){8, true}, false);
    add_encoded(b, "inner", fletch_utf8(), 3);
    fletch_end_field(b);
    fletch_schema schema = built_schema(m, b);
    for (int64_t i = 0; i < 4; i++) {
        fletch_field field;
        assert_int_equal(fletch_find_path(&schema.fields, fletch_text(paths[i]), &field), OK);
        assert_true(field.has_dictionary && field.dictionary.id == i);
    }
}

static void case_45_any_id_is_kept(void **state)
{
    static const int64_t ids[] = {0, 5, -1, INT64_MAX, INT64_MIN, (int64_t)1 << 53};
    maker *m = *state;
    fletch_builder *b = new_builder(m), *again = new_builder(m);
    for (size_t i = 0; i < 6; i++)
        add_encoded(b, "a", fletch_utf8(), ids[i]);
    fletch_schema schema = built_schema(m, b);
    fletch_copy_schema(again, &schema);
    fletch_schema copy = built_schema(m, again);
    for (uint32_t i = 0; i < 6; i++)
        assert_true(field_number(&copy, i).dictionary.id == ids[i]);
}

static void case_47_every_index_type_and_order_survives(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    for (uint32_t i = 0; i < 16; i++) {
        fletch_begin_field(b, "a", fletch_utf8(), 0);
        fletch_set_dictionary(b, i, (fletch_int_type){8 << i % 4, (i & 4) != 0}, (i & 8) != 0);
        fletch_end_field(b);
    }
    fletch_schema schema = built_schema(m, b);
    for (uint32_t i = 0; i < 16; i++) {
        fletch_dictionary dictionary = field_number(&schema, i).dictionary;
        assert_int_equal(dictionary.index_type.bit_width, 8 << i % 4);
        assert_int_equal(dictionary.index_type.is_signed, (i & 4) != 0);
        assert_int_equal(dictionary.is_ordered, (i & 8) != 0);
    }
}

static void case_47_an_absent_index_type_is_written_as_int32(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a");
    add_dictionary(m, field, 1, NULL);
    fletch_schema copy = copy_of_field(m, field);
    fletch_dictionary dictionary = field_number(&copy, 0).dictionary;
    assert_true(dictionary.has_index_type && dictionary.index_type.is_signed);
    assert_int_equal(dictionary.index_type.bit_width, 32);
}

static void case_48_an_unknown_dictionary_kind_is_not_copied(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a");
    set16(add_dictionary(m, field, 1, int_type(m, 8, true)), DICTIONARY_KIND, 1);
    assert_int_equal(refused_copy(m, field), UNSUPPORTED);
}

/* Type parameters */

static void case_49_a_decimal_of_128_bits_leaves_its_width_out(void **state)
{
    static const int32_t widths[] = {32, 64, 128, 256}, wrong[] = {0, 16, 512};
    for (size_t i = 0; i < 4; i++) {
        block b = one_field(*state, fletch_decimal(9, 2, widths[i]));
        size_t at = wire_member(b, wire_target(b, first_field(b), FIELD_TYPE), DECIMAL_WIDTH);
        assert_int_equal(at == 0, widths[i] == 128);
        if (at) assert_int_equal(peek32(b, at), widths[i]);
    }
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(status_of_type(*state, fletch_decimal(9, 2, wrong[i])), INVALID);
}

static void case_50_a_decimals_precision_has_bounds_and_its_scale_none(void **state)
{
    maker *m = *state;
    assert_int_equal(status_of_type(m, fletch_decimal(0, 0, 128)), INVALID);
    assert_int_equal(status_of_type(m, fletch_decimal(-1, 0, 128)), INVALID);
    assert_int_equal(status_of_type(m, fletch_decimal(39, 0, 128)), INVALID);
    assert_int_equal(status_of_type(m, fletch_decimal(77, 0, 256)), INVALID);
    assert_int_equal(status_of_type(m, fletch_type_of(FLETCH_TYPE_DECIMAL)), INVALID);
    assert_int_equal(status_of_type(m, fletch_decimal(76, -5, 256)), OK);
    assert_int_equal(status_of_type(m, fletch_decimal(38, 100, 128)), OK);
}

static void case_51_a_time_whose_width_and_unit_disagree_is_not_built(void **state)
{
    fletch_type type = fletch_time(FLETCH_NANOSECOND);
    type.as.time.bit_width = 32;
    assert_int_equal(status_of_type(*state, type), INVALID);
    type = fletch_time(FLETCH_SECOND);
    type.as.time.bit_width = 64;
    assert_int_equal(status_of_type(*state, type), INVALID);
    type.as.time.bit_width = 0;
    assert_int_equal(status_of_type(*state, type), INVALID);
}

static void case_52_members_equal_to_their_default_are_left_out(void **state)
{
    const fletch_type types[] = {fletch_floating_point(FLETCH_HALF),
                                 fletch_date(FLETCH_DATE_MILLISECOND),
                                 fletch_time(FLETCH_MILLISECOND),
                                 fletch_timestamp(FLETCH_SECOND, NULL),
                                 fletch_duration(FLETCH_MILLISECOND),
                                 fletch_interval(FLETCH_YEAR_MONTH),
                                 fletch_fixed_size_binary(0)};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        block b = one_field(*state, types[i]);
        size_t type = wire_target(b, first_field(b), FIELD_TYPE);
        assert_int_equal(peek16(b, wire_vtable(b, type)), 4);
    }
}

static void case_54_an_empty_timezone_is_left_out(void **state)
{
    static const char *const zones[] = {NULL, "", "UTC", "a:b,c"};
    for (size_t i = 0; i < 4; i++) {
        block b = one_field(*state, fletch_timestamp(FLETCH_MICROSECOND, zones[i]));
        size_t type = wire_target(b, first_field(b), FIELD_TYPE);
        size_t zone = wire_target(b, type, TIMESTAMP_ZONE);
        assert_int_equal(zone != 0, i >= 2);
        if (zone) assert_memory_equal(b.bytes + zone + 4, zones[i], strlen(zones[i]) + 1);
    }
}

static void case_55_a_type_from_the_future_is_not_copied(void **state)
{
    static const int tags[] = {27, 99, 255};
    maker *m = *state;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(refused_copy(m, nested_field(m, "a", tags[i])), UNSUPPORTED);
}

static fletch_status add_map(fletch_builder *b, unsigned entries, unsigned key)
{
    fletch_begin_field(b, "m", fletch_map(false), FLETCH_NULLABLE);
    fletch_begin_field(b, "some_entries", fletch_struct(), entries);
    fletch_add_field(b, "some_key", fletch_utf8(), key);
    fletch_add_field(b, "some_item", fletch_utf8(), FLETCH_NULLABLE);
    fletch_end_field(b);
    return fletch_end_field(b);
}

static void case_56_a_maps_names_are_kept(void **state)
{
    static const char *const paths[] = {"m.some_entries.some_key", "m.some_entries.some_item"};
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    assert_int_equal(add_map(b, 0, 0), OK);
    fletch_schema schema = built_schema(m, b);
    fletch_field field;
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(fletch_find_path(&schema.fields, fletch_text(paths[i]), &field), OK);
}

static void case_56_a_maps_nullability_is_judged_at_strict(void **state)
{
    maker *m = *state;
    for (unsigned i = 0; i < 2; i++) {
        fletch_builder *b = new_builder(m);
        assert_int_equal(add_map(b, i, 1 - i), INVALID);
        fletch_builder_reset(b);
        fletch_set_level(b, FLETCH_LEVEL_ARROW);
        assert_int_equal(add_map(b, i, 1 - i), OK);
    }
}

static void case_58_type_ids_are_written_verbatim(void **state)
{
    static const int32_t ids[3][2] = {{5, 7}, {1, 0}, {127, 3}};
    maker *m = *state;
    for (size_t i = 0; i < 3; i++) {
        fletch_builder *b = new_builder(m), *again = new_builder(m);
        add_parent(b, "u", fletch_union(FLETCH_SPARSE, ids[i], 2), abc, 2);
        fletch_schema schema = built_schema(m, b);
        fletch_copy_schema(again, &schema);
        schema = built_schema(m, again);
        fletch_field field = field_number(&schema, 0);
        for (uint32_t k = 0; k < 2; k++)
            assert_int_equal(fletch_union_type_id(&field.type, k), ids[i][k]);
    }
}

static void case_60_negative_sizes_are_refused_and_zero_is_not(void **state)
{
    maker *m = *state;
    assert_int_equal(status_of_type(m, fletch_fixed_size_binary(-1)), INVALID);
    assert_int_equal(status_of_type(m, fletch_fixed_size_binary(0)), OK);
    assert_int_equal(add_parent(new_builder(m), "a", fletch_fixed_size_list(-5), abc, 1), INVALID);
    assert_int_equal(add_parent(new_builder(m), "a", fletch_fixed_size_list(0), abc, 1), OK);
}

static void case_61_a_wrong_number_of_children_is_refused(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    assert_int_equal(add_parent(new_builder(m), "a", fletch_list(), abc, 0), INVALID);
    assert_int_equal(add_parent(new_builder(m), "a", fletch_list(), abc, 2), INVALID);
    assert_int_equal(add_parent(new_builder(m), "a", fletch_run_end_encoded(), abc, 1), INVALID);
    assert_int_equal(add_parent(new_builder(m), "a", fletch_int(32, true), abc, 1), INVALID);
    fletch_set_level(b, FLETCH_LEVEL_ARROW);
    assert_int_equal(add_parent(b, "a", fletch_int(32, true), abc, 1), OK);
    b = new_builder(m);
    fletch_begin_field(b, "a", fletch_run_end_encoded(), 0);
    assert_int_equal(add(b, "run_ends", fletch_utf8()), INVALID);
}

/* Sizes and limits */

static void build_wide(unsigned columns, unsigned pairs)
{
    const fletch_allocator heap = fletch_heap();
    const void *bytes;
    size_t size;
    fletch_error error;
    fletch_schema schema;
    fletch_builder b;
    fletch_builder_init_growing(&b, &heap);
    for (unsigned i = 0; i < columns; i++)
        add(&b, "", fletch_int(32, true));
    fletch_begin_field(&b, "pairs", fletch_bool(), 0);
    for (unsigned i = 0; i < pairs; i++)
        fletch_add_metadata(&b, "", "");
    fletch_end_field(&b);
    assert_int_equal(fletch_finish(&b, FLETCH_STREAM, &bytes, &size, &error), OK);
    assert_int_equal(fletch_open(bytes, size, &schema, &error), OK);
    assert_int_equal(fletch_count_fields(&schema.fields), columns + 1);
    fletch_builder_release(&b);
}

static void case_63_wide_schemas_are_built_and_read_by_default(void **state)
{
    (void)state;
    build_wide(500000, 0);
    build_wide(1200000, 0);
    build_wide(1, 300000);
}

static fletch_status build_deep(fletch_builder *b, unsigned depth)
{
    for (unsigned i = 1; i < depth; i++)
        fletch_begin_field(b, "item", fletch_list(), 0);
    fletch_status status = add(b, "item", fletch_int(32, true));
    for (unsigned i = 1; i < depth; i++)
        fletch_end_field(b);
    return status;
}

static void case_64_deep_nesting_is_built_up_to_128(void **state)
{
    static const unsigned good[] = {1, 63, 64, 100, 127, 128}, bad[] = {129, 500, 5000};
    maker *m = *state;
    for (size_t i = 0; i < 6; i++) {
        fletch_builder *b = new_builder(m);
        fletch_status status;
        assert_int_equal(build_deep(b, good[i]), OK);
        fletch_schema schema = built_schema(m, b);
        assert_int_equal(walk_all(&schema, &status), good[i]);
    }
    for (size_t i = 0; i < 3; i++) {
        fletch_builder *b = new_builder(m);
        assert_int_equal(build_deep(b, bad[i]), FLETCH_LIMIT);
        not_built(b, FLETCH_LIMIT);
    }
}

static void case_75_an_error_says_where(void **state)
{
    fletch_builder *b = new_builder(*state);
    for (unsigned i = 0; i < 137; i++)
        add(b, "a", fletch_bool());
    fletch_begin_field(b, "a", fletch_bool(), 0);
    fletch_add_metadata(b, "0", "0");
    fletch_add_metadata(b, "1", "1");
    fletch_add_metadata(b, "2", "\xFF");
    not_built_at(b, FLETCH_MALFORMED, "fields[137].custom_metadata[2].value");
}

/* Text and metadata */

static void case_76_bytes_that_are_not_utf8_are_for_level_arrow(void **state)
{
    static const char *const wrong[] = {"\xFF\xFE",         "\xC3\x28", "\xED\xA0\x80",
                                        "\xF4\x90\x80\x80", "\xC0\x80", "cut \xE2\x82"};
    static const char *const right[] = {"\xC3\xA4", "\xED\x9F\xBF", "\xEE\x80\x80",
                                        "\xF4\x8F\xBF\xBF"};
    maker *m = *state;
    for (size_t i = 0; i < 6; i++) {
        fletch_builder *b = new_builder(m);
        assert_int_equal(fletch_add_metadata(b, "k", wrong[i]), FLETCH_MALFORMED);
        fletch_builder_reset(b);
        fletch_set_level(b, FLETCH_LEVEL_ARROW);
        assert_int_equal(fletch_add_metadata(b, "k", wrong[i]), OK);
    }
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(fletch_add_metadata(new_builder(m), "k", right[i]), OK);
}

static void case_78_repeated_keys_stay_in_their_order(void **state)
{
    static const char *const pairs[3][2] = {{"a", "1"}, {"b", "2"}, {"a", "3"}};
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "f", fletch_bool(), 0);
    for (size_t i = 0; i < 3; i++)
        fletch_add_metadata(b, pairs[i][0], pairs[i][1]);
    fletch_end_field(b);
    for (size_t i = 0; i < 3; i++)
        fletch_add_metadata(b, pairs[i][0], pairs[i][1]);
    fletch_schema schema = built_schema(m, b);
    fletch_metadata both[] = {schema.metadata, field_number(&schema, 0).metadata};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 3; i++) {
            fletch_key_value pair;
            assert_true(fletch_next_metadata(&both[k], &pair));
            assert_true(is_text(pair.key, pairs[i][0]) && is_text(pair.value, pairs[i][1]));
        }
}

static void case_80_extension_metadata_is_opaque(void **state)
{
    static char large[1 << 20];
    static const char *const payloads[] = {"not json", "{\"a\":{\"b\":1}}", "\xFF\x01", "", large};
    maker *m = *state;
    memset(large, 'x', sizeof large - 1);
    for (size_t i = 0; i < 5; i++) {
        fletch_builder *b = new_builder_in(m, 2u << 20);
        fletch_set_level(b, FLETCH_LEVEL_ARROW);
        fletch_begin_field(b, "a", fletch_binary(), 0);
        assert_int_equal(fletch_set_extension(b, "unknown", payloads[i]), OK);
        fletch_end_field(b);
        fletch_schema schema =
            open_as(built(m, b, FLETCH_SCHEMA), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
        fletch_field field = field_number(&schema, 0);
        fletch_extension extension;
        assert_int_equal(fletch_find_extension(&field, &extension), OK);
        assert_true(is_text(extension.metadata, payloads[i]));
    }
}

/* A field with a pair that tells its place. */
static void begin_marked(fletch_builder *b, const char *place, fletch_type type)
{
    fletch_begin_field(b, place, type, 0);
    fletch_add_metadata(b, "place", place);
}

static void add_marked(fletch_builder *b, const char *place, fletch_type type)
{
    begin_marked(b, place, type);
    fletch_end_field(b);
}

static void add_nine_places(fletch_builder *b)
{
    fletch_add_metadata(b, "place", "schema");
    fletch_add_message_metadata(b, fletch_text("place"), fletch_text("message"));
    fletch_add_footer_metadata(b, fletch_text("place"), fletch_text("footer"));
    begin_marked(b, "top field", fletch_struct());
    add_marked(b, "struct child", fletch_bool());
    fletch_end_field(b);
    fletch_begin_field(b, "list", fletch_list(), 0);
    add_marked(b, "list item", fletch_bool());
    fletch_end_field(b);
    fletch_begin_field(b, "map", fletch_map(false), 0);
    fletch_begin_field(b, "entries", fletch_struct(), 0);
    add_marked(b, "map key", fletch_utf8());
    add(b, "value", fletch_bool());
    fletch_end_field(b);
    fletch_end_field(b);
    fletch_begin_field(b, "union", fletch_union(FLETCH_DENSE, NULL, 0), 0);
    add_marked(b, "union child", fletch_bool());
    fletch_end_field(b);
    begin_marked(b, "dictionary field", fletch_utf8());
    fletch_set_dictionary(b, 1, (fletch_int_type){8, true}, false);
    fletch_end_field(b);
}

static void expect_place(fletch_metadata pairs, const char *place)
{
    fletch_key_value pair;
    assert_int_equal(fletch_count_metadata(&pairs), 1);
    assert_true(fletch_next_metadata(&pairs, &pair));
    assert_true(is_text(pair.key, "place") && is_text(pair.value, place));
}

static void expect_nine_places(const fletch_schema *schema)
{
    static const char *const paths[] = {"top field",         "top field.struct child",
                                        "list.list item",    "map.entries.map key",
                                        "union.union child", "dictionary field"};
    for (size_t i = 0; i < 6; i++) {
        const char *place = strrchr(paths[i], '.');
        fletch_field field;
        assert_int_equal(fletch_find_path(&schema->fields, fletch_text(paths[i]), &field), OK);
        expect_place(field.metadata, place ? place + 1 : paths[i]);
    }
    expect_place(schema->metadata, "schema");
    expect_place(schema->wrapper.metadata,
                 schema->wrapper.root == FLETCH_MESSAGE ? "message" : "footer");
}

static void case_81_metadata_survives_in_all_nine_places(void **state)
{
    static const fletch_kind kinds[] = {FLETCH_MESSAGE, FLETCH_STREAM, FLETCH_FOOTER, FLETCH_FILE};
    maker *m = *state;
    for (size_t i = 0; i < 4; i++) {
        fletch_builder *b = new_builder(m), *again = new_builder(m);
        add_nine_places(b);
        fletch_schema schema = open_as(built(m, b, kinds[i]), kinds[i], FLETCH_LEVEL_STRICT);
        expect_nine_places(&schema);
        fletch_add_message_metadata(again, fletch_text("place"), fletch_text("message"));
        fletch_add_footer_metadata(again, fletch_text("place"), fletch_text("footer"));
        fletch_copy_schema(again, &schema);
        schema = open_as(built(m, again, kinds[i]), kinds[i], FLETCH_LEVEL_STRICT);
        expect_nine_places(&schema);
    }
}

enum { LARGE = 64 << 20 };

/* 64 megabytes, all the same character; to be freed. */
static char *large_text(void)
{
    char *text = malloc(LARGE);
    if (!text) abort();
    return memset(text, 'v', LARGE);
}

static void case_83_a_value_of_64_megabytes_is_built(void **state)
{
    const fletch_allocator heap = fletch_heap();
    char *text = large_text();
    const fletch_string value = {text, LARGE};
    const void *bytes;
    size_t size;
    fletch_schema schema;
    fletch_key_value pair;
    fletch_builder b;
    (void)state;
    fletch_builder_init_growing(&b, &heap);
    assert_int_equal(fletch_add_metadata_string(&b, fletch_text("k"), value), OK);
    assert_int_equal(fletch_finish(&b, FLETCH_STREAM, &bytes, &size, NULL), OK);
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), OK);
    assert_true(fletch_next_metadata(&schema.metadata, &pair));
    assert_true(fletch_same_string(pair.value, value));
    fletch_builder_release(&b);
    free(text);
}

/* Measured, not stored: it takes no memory to find out. */
static void case_83_more_than_2_gigabytes_are_too_large(void **state)
{
    char *text = large_text();
    const fletch_string value = {text, LARGE};
    fletch_builder b;
    fletch_status status = FLETCH_NO_SPACE;
    unsigned count = 0;
    (void)state;
    fletch_builder_init(&b, NULL, 0);
    fletch_set_level(&b, FLETCH_LEVEL_ARROW);
    for (; count < 40 && status == FLETCH_NO_SPACE; count++)
        status = fletch_add_metadata_string(&b, fletch_text("k"), value);
    assert_int_equal(status, FLETCH_TOO_LARGE);
    assert_int_equal(count, 32); /* 32 times 64 megabytes are 2 gigabytes */
    not_built(&b, FLETCH_TOO_LARGE);
    free(text);
}

/* Containers */

static void case_87_the_parquet_key_is_base64_of_a_framed_message(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    add(b, "a", fletch_int(32, true));
    block text = built(m, b, FLETCH_BASE64), message = rebuilt(m, b, FLETCH_ENCAPSULATED);
    same_bytes(text, base64_of(m, message, true));
    assert_memory_equal(text.bytes, "/////", 5);
    fletch_error error;
    assert_int_equal(verdict(parquet_with(m, text), FLETCH_PARQUET, FLETCH_LEVEL_STRICT, &error),
                     OK);
}

static void case_94_both_copies_of_a_files_schema_are_the_same(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    add_nine_places(b);
    block file = built(m, b, FLETCH_FILE);
    fletch_options options = {.kind = FLETCH_FILE, .level = FLETCH_LEVEL_STRICT};
    fletch_schema footer, stream;
    assert_int_equal(fletch_open_with(file.bytes, file.size, &options, &footer, NULL), OK);
    options.stream_copy = true;
    assert_int_equal(fletch_open_with(file.bytes, file.size, &options, &stream, NULL), OK);
    same_bytes(json_of(m, &footer), json_of(m, &stream));
}

static void case_101_no_space_is_clean_at_every_size(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    add_nine_places(b);
    block wanted = built(m, b, FLETCH_FILE);
    size_t size = 0;
    for (;; size++) {
        const void *bytes;
        size_t written;
        fletch_error error;
        uint8_t *memory = malloc(size ? size : 1);
        if (!memory) abort();
        fletch_builder_init(b, memory, size);
        add_nine_places(b);
        fletch_status status = fletch_finish(b, FLETCH_FILE, &bytes, &written, &error);
        if (status == OK) same_bytes(copy_of(m, bytes, written), wanted);
        free(memory);
        if (status == OK) break;
        assert_int_equal(status, FLETCH_NO_SPACE);
        assert_true(error.wanted > size);
    }
    assert_true(size >= wanted.size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(case_01_a_schema_without_columns_has_a_fields_vector),
        WITH_MAKER(case_03_a_type_without_members_has_its_table),
        WITH_MAKER(case_04_a_field_of_type_none_is_not_built),
        WITH_MAKER(case_05_absent_children_become_no_children),
        WITH_MAKER(case_06_an_absent_name_becomes_empty),
        WITH_MAKER(case_07_absent_keys_and_values_become_empty),
        WITH_MAKER(case_09_an_integer_without_a_width_is_not_built),
        WITH_MAKER(case_11_absent_type_ids_are_written_as_positions),
        WITH_MAKER(case_11_no_type_ids_for_three_children_are_refused),
        WITH_MAKER(case_12_empty_metadata_is_not_written),
        WITH_MAKER(case_15_big_is_written_and_little_left_out),
        WITH_MAKER(case_15_the_endianness_survives_a_copy),
        WITH_MAKER(case_16_the_endianness_changes_nothing_else),
        WITH_MAKER(case_18_bytes_are_the_same_on_every_host),
        WITH_MAKER(case_22_empty_vectors_of_blocks_are_aligned_all_the_same),
        WITH_MAKER(case_24_features_stand_at_multiples_of_8),
        WITH_MAKER(case_25_ids_of_several_dictionaries_stand_at_multiples_of_8),
        WITH_MAKER(case_31_a_schema_message_has_no_body),
        WITH_MAKER(case_34_the_metadata_size_covers_the_padding),
        WITH_MAKER(case_38_a_version_is_always_written),
        WITH_MAKER(case_42_ids_are_written_as_given_and_a_conflict_is_found),
        WITH_MAKER(case_43_dictionaries_inside_of_other_types_are_written),
        WITH_MAKER(case_45_any_id_is_kept),
        WITH_MAKER(case_47_every_index_type_and_order_survives),
        WITH_MAKER(case_47_an_absent_index_type_is_written_as_int32),
        WITH_MAKER(case_48_an_unknown_dictionary_kind_is_not_copied),
        WITH_MAKER(case_49_a_decimal_of_128_bits_leaves_its_width_out),
        WITH_MAKER(case_50_a_decimals_precision_has_bounds_and_its_scale_none),
        WITH_MAKER(case_51_a_time_whose_width_and_unit_disagree_is_not_built),
        WITH_MAKER(case_52_members_equal_to_their_default_are_left_out),
        WITH_MAKER(case_54_an_empty_timezone_is_left_out),
        WITH_MAKER(case_55_a_type_from_the_future_is_not_copied),
        WITH_MAKER(case_56_a_maps_names_are_kept),
        WITH_MAKER(case_56_a_maps_nullability_is_judged_at_strict),
        WITH_MAKER(case_58_type_ids_are_written_verbatim),
        WITH_MAKER(case_60_negative_sizes_are_refused_and_zero_is_not),
        WITH_MAKER(case_61_a_wrong_number_of_children_is_refused),
        cmocka_unit_test(case_63_wide_schemas_are_built_and_read_by_default),
        WITH_MAKER(case_64_deep_nesting_is_built_up_to_128),
        WITH_MAKER(case_75_an_error_says_where),
        WITH_MAKER(case_76_bytes_that_are_not_utf8_are_for_level_arrow),
        WITH_MAKER(case_78_repeated_keys_stay_in_their_order),
        WITH_MAKER(case_80_extension_metadata_is_opaque),
        WITH_MAKER(case_81_metadata_survives_in_all_nine_places),
        cmocka_unit_test(case_83_a_value_of_64_megabytes_is_built),
        cmocka_unit_test(case_83_more_than_2_gigabytes_are_too_large),
        WITH_MAKER(case_87_the_parquet_key_is_base64_of_a_framed_message),
        WITH_MAKER(case_94_both_copies_of_a_files_schema_are_the_same),
        WITH_MAKER(case_101_no_space_is_clean_at_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
