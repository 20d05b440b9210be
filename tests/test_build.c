/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building: the calls one by one, what they refuse and where, and calls that do not fit.
 *
 * A test of an error looks three times: at the status of the call that makes it, at what finishing
 * tells, and at the path.
 */
#include "support/building.h"

#include <stdlib.h>
#include <string.h>

/* Top-level fields of what is built. */
static uint32_t count_built(maker *m, fletch_builder *b)
{
    fletch_schema schema = built_schema(m, b);
    return fletch_count_fields(&schema.fields);
}

/* Types */

/* The field as read from a schema of this type alone, at level strict. */
static fletch_field field_of(maker *m, fletch_type type)
{
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_add_field(b, "a", type, 0), FLETCH_OK);
    fletch_schema schema = built_schema(m, b);
    fletch_field field = field_number(&schema, 0);
    assert_int_equal(field.type.id, type.id);
    return field;
}

static void types_without_parameters_are_built(void **state)
{
    const fletch_type types[] = {fletch_null(),        fletch_binary(),       fletch_utf8(),
                                 fletch_bool(),        fletch_large_binary(), fletch_large_utf8(),
                                 fletch_binary_view(), fletch_utf8_view(),    fletch_struct()};
    static const int32_t ids[] = {1, 4, 5, 6, 19, 20, 23, 24, 13};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        assert_int_equal(field_of(*state, types[i]).type.id, ids[i]);
}

static void integers_are_built(void **state)
{
    for (int32_t width = 8; width <= 64; width *= 2)
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            fletch_type type = field_of(*state, fletch_int(width, is_signed)).type;
            assert_int_equal(type.as.integer.bit_width, width);
            assert_int_equal(type.as.integer.is_signed, is_signed);
        }
}

static void floating_points_are_built(void **state)
{
    for (int32_t precision = FLETCH_HALF; precision <= FLETCH_DOUBLE; precision++) {
        fletch_type type = field_of(*state, fletch_floating_point(precision)).type;
        assert_int_equal(type.as.floating_point.precision, precision);
    }
}

static void decimals_are_built(void **state)
{
    static const int32_t widths[] = {32, 64, 128, 256}, digits[] = {9, 18, 38, 76};
    static const int32_t scales[] = {0, 2, -3, 100, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 6; k++) {
            fletch_type type =
                field_of(*state, fletch_decimal(digits[i], scales[k], widths[i])).type;
            assert_int_equal(type.as.decimal.precision, digits[i]);
            assert_int_equal(type.as.decimal.scale, scales[k]);
            assert_int_equal(type.as.decimal.bit_width, widths[i]);
        }
}

static void dates_are_built(void **state)
{
    for (int32_t unit = FLETCH_DAY; unit <= FLETCH_DATE_MILLISECOND; unit++)
        assert_int_equal(field_of(*state, fletch_date(unit)).type.as.date.unit, unit);
}

static void times_are_built_with_the_width_of_their_unit(void **state)
{
    for (int32_t unit = FLETCH_SECOND; unit <= FLETCH_NANOSECOND; unit++) {
        fletch_type type = field_of(*state, fletch_time(unit)).type;
        assert_int_equal(type.as.time.unit, unit);
        assert_int_equal(type.as.time.bit_width, unit <= FLETCH_MILLISECOND ? 32 : 64);
    }
}

static void timestamps_are_built(void **state)
{
    static const char *const zones[] = {"UTC", "+05:30", "America/Argentina/ComodRivadavia", "a,b"};
    for (int32_t unit = FLETCH_SECOND; unit <= FLETCH_NANOSECOND; unit++)
        for (size_t i = 0; i < 4; i++) {
            fletch_type type = field_of(*state, fletch_timestamp(unit, zones[i])).type;
            assert_int_equal(type.as.timestamp.unit, unit);
            assert_true(is_text(type.as.timestamp.timezone, zones[i]));
        }
}

static void a_timestamp_without_a_zone_reads_so(void **state)
{
    assert_int_equal(
        field_of(*state, fletch_timestamp(FLETCH_SECOND, NULL)).type.as.timestamp.timezone.size, 0);
    assert_int_equal(
        field_of(*state, fletch_timestamp(FLETCH_SECOND, "")).type.as.timestamp.timezone.size, 0);
}

static void intervals_and_durations_are_built(void **state)
{
    for (int32_t unit = FLETCH_YEAR_MONTH; unit <= FLETCH_MONTH_DAY_NANO; unit++)
        assert_int_equal(field_of(*state, fletch_interval(unit)).type.as.interval.unit, unit);
    for (int32_t unit = FLETCH_SECOND; unit <= FLETCH_NANOSECOND; unit++)
        assert_int_equal(field_of(*state, fletch_duration(unit)).type.as.duration.unit, unit);
}

static void fixed_sizes_are_built(void **state)
{
    static const int32_t sizes[] = {0, 1, 16, INT32_MAX};
    for (size_t i = 0; i < 4; i++) {
        fletch_type type = field_of(*state, fletch_fixed_size_binary(sizes[i])).type;
        assert_int_equal(type.as.fixed_size_binary.byte_width, sizes[i]);
    }
}

/* Opens a field, gives it `count` children of int32, and closes it. */
static fletch_status add_nested(fletch_builder *b, const char *name, fletch_type type,
                                unsigned count)
{
    fletch_begin_field(b, name, type, FLETCH_NULLABLE);
    for (; count; count--)
        fletch_add_field(b, "item", fletch_int(32, true), 0);
    return fletch_end_field(b);
}

static fletch_field nested_of(maker *m, fletch_type type, unsigned count)
{
    fletch_builder *b = new_builder(m);
    assert_int_equal(add_nested(b, "a", type, count), FLETCH_OK);
    fletch_schema schema = built_schema(m, b);
    fletch_field field = field_number(&schema, 0);
    assert_int_equal(field.type.id, type.id);
    assert_int_equal(fletch_count_fields(&field.children), count);
    return field;
}

static void lists_are_built(void **state)
{
    static const int32_t sizes[] = {0, 3, INT32_MAX};
    nested_of(*state, fletch_list(), 1);
    nested_of(*state, fletch_large_list(), 1);
    nested_of(*state, fletch_list_view(), 1);
    nested_of(*state, fletch_large_list_view(), 1);
    for (size_t i = 0; i < 3; i++) {
        fletch_type type = nested_of(*state, fletch_fixed_size_list(sizes[i]), 1).type;
        assert_int_equal(type.as.fixed_size_list.list_size, sizes[i]);
    }
}

static void structs_of_any_width_are_built(void **state)
{
    for (unsigned count = 0; count < 300; count += 59)
        nested_of(*state, fletch_struct(), count);
}

static void run_ends_are_built(void **state)
{
    nested_of(*state, fletch_run_end_encoded(), 2);
}

static void unions_without_type_ids_get_them_written(void **state)
{
    static const unsigned counts[] = {0, 1, 3, 128};
    for (int32_t mode = FLETCH_SPARSE; mode <= FLETCH_DENSE; mode++)
        for (size_t i = 0; i < 4; i++) {
            fletch_type type = nested_of(*state, fletch_union(mode, NULL, 0), counts[i]).type;
            assert_int_equal(type.as.union_.mode, mode);
            assert_true(type.as.union_.has_type_ids);
            assert_int_equal(type.as.union_.type_ids.count, counts[i]);
            for (uint32_t k = 0; k < counts[i]; k++)
                assert_int_equal(fletch_integer_at(&type.as.union_.type_ids, k), k);
        }
}

static void unions_with_type_ids_keep_them(void **state)
{
    static const int32_t ids[] = {127, 0, 5, 42};
    fletch_type type = nested_of(*state, fletch_union(FLETCH_SPARSE, ids, 4), 4).type;
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(fletch_integer_at(&type.as.union_.type_ids, i), ids[i]);
}

static void add_map(fletch_builder *b, bool keys_sorted, unsigned entries, unsigned key)
{
    fletch_begin_field(b, "m", fletch_map(keys_sorted), FLETCH_NULLABLE);
    fletch_begin_field(b, "entries", fletch_struct(), entries);
    fletch_add_field(b, "key", fletch_utf8(), key);
    fletch_add_field(b, "value", fletch_int(32, true), FLETCH_NULLABLE);
    fletch_end_field(b);
    fletch_end_field(b);
}

static void maps_are_built(void **state)
{
    maker *m = *state;
    for (int keys_sorted = 0; keys_sorted < 2; keys_sorted++) {
        fletch_builder *b = new_builder(m);
        add_map(b, keys_sorted, 0, 0);
        fletch_schema schema = built_schema(m, b);
        fletch_field map = field_number(&schema, 0), entries = child_number(&map, 0);
        assert_int_equal(map.type.as.map.keys_sorted, keys_sorted);
        assert_int_equal(fletch_count_fields(&entries.children), 2);
    }
}

/* Fields */

static void a_schema_without_fields_is_built(void **state)
{
    maker *m = *state;
    fletch_schema schema = built_schema(m, new_builder(m));
    assert_true(schema.has_fields);
    assert_int_equal(fletch_count_fields(&schema.fields), 0);
}

static void fields_stand_in_the_order_of_the_calls(void **state)
{
    static const char *const names[] = {"b", "a", "", "b"};
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    for (size_t i = 0; i < 4; i++)
        fletch_add_field(b, names[i], fletch_bool(), i % 2 ? FLETCH_NULLABLE : 0);
    fletch_schema schema = built_schema(m, b);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(is_text(field_number(&schema, i).name, names[i]));
        assert_int_equal(field_number(&schema, i).nullable, i % 2);
    }
}

static void a_name_of_null_is_written_as_empty(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_add_field(b, NULL, fletch_bool(), 0);
    fletch_begin_field(b, NULL, fletch_bool(), 0);
    fletch_end_field(b);
    fletch_schema schema = built_schema(m, b);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(field_number(&schema, i).has_name);
        assert_int_equal(field_number(&schema, i).name.size, 0);
    }
}

/* All zero but for the type: strings without data, no children, no metadata. */
static void a_field_made_by_hand_may_be_all_zero(void **state)
{
    maker *m = *state;
    fletch_field field;
    memset(&field, 0, sizeof field);
    field.type = fletch_bool();
    for (int copied = 0; copied < 2; copied++) {
        fletch_builder *b = new_builder(m);
        fletch_status status =
            copied ? fletch_copy_field(b, &field) : fletch_begin_field_like(b, &field);
        assert_int_equal(status, FLETCH_OK);
        if (!copied) assert_int_equal(fletch_end_field(b), FLETCH_OK);
        fletch_schema schema = built_schema(m, b);
        assert_true(field_number(&schema, 0).has_name);
    }
}

static void strings_without_data_are_empty(void **state)
{
    const fletch_string none = {NULL, 0};
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    for (int i = 0; i < 2; i++)
        assert_int_equal(fletch_add_metadata_string(b, none, none), FLETCH_OK);
    fletch_schema schema = built_schema(m, b);
    assert_int_equal(fletch_count_metadata(&schema.metadata), 2);
}

static void what_was_passed_is_not_kept(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    char text[] = "text";
    int32_t ids[] = {3, 4};
    fletch_add_field(b, text, fletch_timestamp(FLETCH_SECOND, text), 0);
    fletch_begin_field(b, "u", fletch_union(FLETCH_DENSE, ids, 2), 0);
    ids[0] = ids[1] = 0;
    fletch_add_field(b, "x", fletch_bool(), 0);
    fletch_add_field(b, "y", fletch_bool(), 0);
    fletch_end_field(b);
    fletch_add_metadata(b, text, text);
    memset(text, '?', 4);
    fletch_schema schema = built_schema(m, b);
    fletch_field first = field_number(&schema, 0), second = field_number(&schema, 1);
    fletch_key_value pair;
    assert_true(is_text(first.name, "text"));
    assert_true(is_text(first.type.as.timestamp.timezone, "text"));
    assert_int_equal(fletch_union_type_id(&second.type, 1), 4);
    assert_true(fletch_next_metadata(&schema.metadata, &pair));
    assert_true(is_text(pair.key, "text") && is_text(pair.value, "text"));
}

static void nested_fields_stand_where_they_were_opened(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "a", fletch_struct(), 0);
    fletch_add_field(b, "b", fletch_bool(), 0);
    fletch_begin_field(b, "c", fletch_list(), 0);
    fletch_add_field(b, "d", fletch_bool(), 0);
    fletch_end_field(b);
    fletch_add_field(b, "e", fletch_bool(), 0);
    fletch_end_field(b);
    fletch_add_field(b, "f", fletch_bool(), 0);
    fletch_schema schema = built_schema(m, b);
    static const char *const paths[] = {"a", "a.b", "a.c", "a.c.d", "a.e", "f"};
    fletch_field field;
    fletch_status status;
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(fletch_find_path(&schema.fields, fletch_text(paths[i]), &field),
                         FLETCH_OK);
    assert_int_equal(walk_all(&schema, &status), 6);
}

static fletch_status open_levels(fletch_builder *b, unsigned depth)
{
    fletch_status status = FLETCH_OK;
    for (; depth; depth--)
        status = fletch_begin_field(b, "item", fletch_list(), 0);
    return status;
}

static void fields_may_nest_128_deep_and_no_deeper(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    assert_int_equal(open_levels(b, 127), FLETCH_OK);
    assert_int_equal(fletch_add_field(b, "leaf", fletch_bool(), 0), FLETCH_OK);
    for (int i = 0; i < 127; i++)
        assert_int_equal(fletch_end_field(b), FLETCH_OK);
    built_schema(m, b);
    b = new_builder(m);
    assert_int_equal(open_levels(b, 128), FLETCH_OK);
    assert_int_equal(fletch_add_field(b, "leaf", fletch_bool(), 0), FLETCH_LIMIT);
    fletch_error error = not_built(b, FLETCH_LIMIT);
    assert_int_equal(strncmp(error.path, "fields[0].children[0].", 22), 0);
    b = new_builder(m);
    assert_int_equal(open_levels(b, 129), FLETCH_LIMIT);
}

/* Settings and dictionaries */

static void endianness_is_written(void **state)
{
    maker *m = *state;
    for (int32_t endianness = FLETCH_LITTLE_ENDIAN; endianness <= FLETCH_BIG_ENDIAN; endianness++) {
        fletch_builder *b = new_builder(m);
        assert_int_equal(fletch_set_endianness(b, endianness), FLETCH_OK);
        assert_int_equal(built_schema(m, b).endianness, endianness);
    }
}

static void an_unknown_endianness_is_unsupported(void **state)
{
    static const int32_t wrong[] = {-1, 2, 255};
    for (size_t i = 0; i < 3; i++) {
        fletch_builder *b = new_builder(*state);
        assert_int_equal(fletch_set_endianness(b, wrong[i]), FLETCH_UNSUPPORTED);
        not_built_at(b, FLETCH_UNSUPPORTED, "endianness");
    }
}

static void features_are_written_in_their_order(void **state)
{
    static const int64_t features[] = {2, 1, 0, 2};
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(fletch_add_feature(b, features[i]), FLETCH_OK);
    fletch_schema schema = built_schema(m, b);
    assert_int_equal(schema.features.count, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(fletch_integer_at(&schema.features, i), features[i]);
}

static void an_unknown_feature_is_for_level_arrow_only(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_add_feature(b, 1);
    assert_int_equal(fletch_add_feature(b, 4), FLETCH_UNSUPPORTED);
    not_built_at(b, FLETCH_UNSUPPORTED, "features[1]");
    b = new_builder(m);
    fletch_set_level(b, FLETCH_LEVEL_ARROW);
    assert_int_equal(fletch_add_feature(b, INT64_MIN), FLETCH_OK);
    block bytes = built(m, b, FLETCH_SCHEMA);
    fletch_schema schema = open_as(bytes, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    assert_true(fletch_integer_at(&schema.features, 0) == INT64_MIN);
}

static void more_than_eight_features_are_a_limit(void **state)
{
    fletch_builder *b = new_builder(*state);
    for (int i = 0; i < 8; i++)
        assert_int_equal(fletch_add_feature(b, 1), FLETCH_OK);
    assert_int_equal(fletch_add_feature(b, 1), FLETCH_LIMIT);
    not_built_at(b, FLETCH_LIMIT, "features[8]");
}

static void an_index_type_of_another_width_is_invalid(void **state)
{
    static const int32_t wrong[] = {0, -8, 1, 24, 128};
    for (size_t i = 0; i < 5; i++) {
        fletch_builder *b = new_builder(*state);
        fletch_begin_field(b, "a", fletch_utf8(), 0);
        assert_int_equal(fletch_set_dictionary(b, 0, (fletch_int_type){wrong[i], true}, false),
                         FLETCH_INVALID);
        not_built_at(b, FLETCH_INVALID, "fields[0].dictionary.indexType.bitWidth");
    }
}

static void an_unknown_dictionary_kind_is_unsupported(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_field field;
    memset(&field, 0, sizeof field);
    field.name = fletch_text("a");
    field.type = fletch_utf8();
    field.has_dictionary = true;
    field.dictionary.index_type = (fletch_int_type){32, true};
    field.dictionary.kind = 1;
    assert_int_equal(fletch_begin_field_like(b, &field), FLETCH_UNSUPPORTED);
    not_built_at(b, FLETCH_UNSUPPORTED, "fields[0].dictionary.dictionaryKind");
}

static void a_dictionary_may_be_set_behind_children_and_pairs(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "a", fletch_list(), 0);
    fletch_add_metadata(b, "k", "v");
    fletch_add_field(b, "item", fletch_utf8(), 0);
    assert_int_equal(fletch_set_dictionary(b, -1, (fletch_int_type){16, false}, true), FLETCH_OK);
    fletch_end_field(b);
    fletch_schema schema = built_schema(m, b);
    fletch_field field = field_number(&schema, 0);
    assert_true(field.has_dictionary && field.dictionary.is_ordered);
    assert_true(field.dictionary.id == -1);
    assert_int_equal(fletch_count_fields(&field.children), 1);
    assert_int_equal(fletch_count_metadata(&field.metadata), 1);
}

/* Metadata */

static void expect_pair(fletch_metadata *pairs, const char *key, const char *value)
{
    fletch_key_value pair;
    assert_true(fletch_next_metadata(pairs, &pair));
    assert_true(pair.has_key && pair.has_value);
    assert_true(is_text(pair.key, key));
    assert_true(is_text(pair.value, value));
}

static void pairs_of_the_schema_may_come_between_fields(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_add_metadata(b, "1", "first");
    fletch_add_field(b, "a", fletch_bool(), 0);
    fletch_add_metadata(b, "1", "second");
    add_nested(b, "b", fletch_list(), 1);
    fletch_add_metadata(b, "", NULL);
    fletch_schema schema = built_schema(m, b);
    assert_int_equal(fletch_count_metadata(&schema.metadata), 3);
    expect_pair(&schema.metadata, "1", "first");
    expect_pair(&schema.metadata, "1", "second");
    expect_pair(&schema.metadata, "", "");
    assert_int_equal(fletch_count_fields(&schema.fields), 2);
}

static void pairs_of_a_field_may_come_between_its_children(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "a", fletch_struct(), 0);
    fletch_add_field(b, "x", fletch_bool(), 0);
    fletch_add_metadata(b, "k", "1");
    fletch_add_field(b, "y", fletch_bool(), 0);
    fletch_add_metadata(b, "k", "2");
    fletch_end_field(b);
    fletch_schema schema = built_schema(m, b);
    fletch_field field = field_number(&schema, 0);
    expect_pair(&field.metadata, "k", "1");
    expect_pair(&field.metadata, "k", "2");
    assert_int_equal(fletch_count_fields(&field.children), 2);
}

static void pairs_may_hold_nul(void **state)
{
    const fletch_string key = {"k\0y", 3}, value = {"\0", 1};
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_add_metadata_string(b, key, value), FLETCH_OK);
    fletch_schema schema = built_schema(m, b);
    fletch_key_value pair;
    assert_true(fletch_next_metadata(&schema.metadata, &pair));
    assert_true(fletch_same_string(pair.key, key) && fletch_same_string(pair.value, value));
}

static void an_extension_is_found_by_its_name(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "a", fletch_fixed_size_binary(16), 0);
    assert_int_equal(fletch_set_extension(b, "arrow.uuid", ""), FLETCH_OK);
    fletch_end_field(b);
    fletch_begin_field(b, "b", fletch_utf8(), 0);
    assert_int_equal(fletch_set_extension(b, "arrow.json", NULL), FLETCH_OK);
    fletch_end_field(b);
    fletch_schema schema = built_schema(m, b);
    fletch_field first = field_number(&schema, 0), second = field_number(&schema, 1);
    fletch_extension extension;
    assert_int_equal(fletch_find_extension(&first, &extension), FLETCH_OK);
    assert_true(is_text(extension.name, "arrow.uuid") && extension.has_metadata);
    assert_int_equal(fletch_find_extension(&second, &extension), FLETCH_OK);
    assert_true(is_text(extension.name, "arrow.json") && !extension.has_metadata);
}

static void wrappers_have_pairs_of_their_own(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_add_message_metadata(b, fletch_text("m"), fletch_text("1"));
    fletch_add_footer_metadata(b, fletch_text("f"), fletch_text("1"));
    fletch_add_field(b, "a", fletch_bool(), 0);
    fletch_add_metadata(b, "s", "1");
    fletch_add_message_metadata(b, fletch_text("m"), fletch_text("2"));
    block bytes = built(m, b, FLETCH_MESSAGE);
    fletch_schema schema = open_as(bytes, FLETCH_MESSAGE, FLETCH_LEVEL_STRICT);
    assert_int_equal(fletch_count_metadata(&schema.wrapper.metadata), 2);
    expect_pair(&schema.wrapper.metadata, "m", "1");
    expect_pair(&schema.wrapper.metadata, "m", "2");
    schema = open_as(rebuilt(m, b, FLETCH_FOOTER), FLETCH_FOOTER, FLETCH_LEVEL_STRICT);
    assert_int_equal(fletch_count_metadata(&schema.wrapper.metadata), 1);
    expect_pair(&schema.wrapper.metadata, "f", "1");
    assert_int_equal(fletch_count_metadata(&schema.metadata), 1);
}

/* Rules of types: each is broken in the second field of a struct, at both levels. */

static void refuse_type(maker *m, fletch_type type, fletch_status status, const char *member)
{
    static const fletch_level levels[] = {FLETCH_LEVEL_ARROW, FLETCH_LEVEL_STRICT};
    char path[100] = "fields[1].children[1].type";
    strcat(path, member);
    for (size_t i = 0; i < 4; i++) {
        fletch_builder *b = new_builder(m);
        fletch_set_level(b, levels[i % 2]);
        fletch_add_field(b, "a", fletch_bool(), 0);
        fletch_begin_field(b, "s", fletch_struct(), 0);
        assert_int_equal(fletch_add_field(b, "x", fletch_bool(), 0), FLETCH_OK);
        assert_int_equal(i < 2 ? fletch_add_field(b, "y", type, 0)
                               : fletch_begin_field(b, "y", type, 0),
                         status);
        not_built_at(b, status, path);
    }
}

static void a_type_of_none_is_missing(void **state)
{
    refuse_type(*state, fletch_type_of(FLETCH_TYPE_NONE), FLETCH_MISSING, "");
}

static void a_type_that_is_unknown_is_unsupported(void **state)
{
    static const int32_t ids[] = {27, 99, 255, 256, 256 + FLETCH_TYPE_BOOL, 65536, INT32_MAX};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        refuse_type(*state, fletch_type_of(ids[i]), FLETCH_UNSUPPORTED, "");
}

static void a_type_of_negative_number_is_unsupported(void **state)
{
    static const int32_t ids[] = {-1, -255, -256, -256 + FLETCH_TYPE_BOOL, INT32_MIN};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        refuse_type(*state, fletch_type_of(ids[i]), FLETCH_UNSUPPORTED, "");
}

static void an_integer_of_another_width_is_invalid(void **state)
{
    static const int32_t widths[] = {0, -8, 1, 7, 9, 24, 48, 65, 128, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        refuse_type(*state, fletch_int(widths[i], true), FLETCH_INVALID, ".bitWidth");
}

static void an_unknown_enumerator_is_unsupported(void **state)
{
    static const int32_t wrong[] = {-1, 4, 255, 256, 65536, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        maker *m = *state;
        refuse_type(m, fletch_floating_point(wrong[i]), FLETCH_UNSUPPORTED, ".precision");
        refuse_type(m, fletch_date(wrong[i]), FLETCH_UNSUPPORTED, ".unit");
        refuse_type(m, fletch_time(wrong[i]), FLETCH_UNSUPPORTED, ".unit");
        refuse_type(m, fletch_timestamp(wrong[i], NULL), FLETCH_UNSUPPORTED, ".unit");
        refuse_type(m, fletch_timestamp(wrong[i], "UTC"), FLETCH_UNSUPPORTED, ".unit");
        refuse_type(m, fletch_interval(wrong[i]), FLETCH_UNSUPPORTED, ".unit");
        refuse_type(m, fletch_duration(wrong[i]), FLETCH_UNSUPPORTED, ".unit");
        refuse_type(m, fletch_union(wrong[i], NULL, 0), FLETCH_UNSUPPORTED, ".mode");
    }
    refuse_type(*state, fletch_floating_point(3), FLETCH_UNSUPPORTED, ".precision");
    refuse_type(*state, fletch_date(2), FLETCH_UNSUPPORTED, ".unit");
    refuse_type(*state, fletch_interval(3), FLETCH_UNSUPPORTED, ".unit");
    refuse_type(*state, fletch_union(2, NULL, 0), FLETCH_UNSUPPORTED, ".mode");
}

static void a_decimal_out_of_bounds_is_invalid(void **state)
{
    static const int32_t widths[] = {32, 64, 128, 256}, most[] = {9, 18, 38, 76};
    static const int32_t wrong[] = {0, 16, 512, -128};
    for (size_t i = 0; i < 4; i++) {
        maker *m = *state;
        refuse_type(m, fletch_decimal(0, 0, widths[i]), FLETCH_INVALID, ".precision");
        refuse_type(m, fletch_decimal(-1, 0, widths[i]), FLETCH_INVALID, ".precision");
        refuse_type(m, fletch_decimal(most[i] + 1, 0, widths[i]), FLETCH_INVALID, ".precision");
        refuse_type(m, fletch_decimal(5, 0, wrong[i]), FLETCH_INVALID, ".bitWidth");
    }
}

static void a_time_whose_width_and_unit_disagree_is_invalid(void **state)
{
    for (int32_t unit = FLETCH_SECOND; unit <= FLETCH_NANOSECOND; unit++) {
        static const int32_t widths[] = {0, 16, 32, 64, 128};
        for (size_t i = 0; i < 5; i++) {
            fletch_type type = fletch_time(unit);
            if (type.as.time.bit_width == widths[i]) continue;
            type.as.time.bit_width = widths[i];
            refuse_type(*state, type, FLETCH_INVALID, ".bitWidth");
        }
    }
}

static void a_negative_size_is_invalid(void **state)
{
    refuse_type(*state, fletch_fixed_size_binary(-1), FLETCH_INVALID, ".byteWidth");
    refuse_type(*state, fletch_fixed_size_list(-1), FLETCH_INVALID, ".listSize");
    refuse_type(*state, fletch_fixed_size_list(INT32_MIN), FLETCH_INVALID, ".listSize");
}

static void a_type_id_out_of_range_or_twice_is_invalid(void **state)
{
    refuse_type(*state, fletch_union(0, (int32_t[]){3, 128}, 2), FLETCH_INVALID, ".typeIds[1]");
    refuse_type(*state, fletch_union(1, (int32_t[]){-1, 1}, 2), FLETCH_INVALID, ".typeIds[0]");
    refuse_type(*state, fletch_union(1, (int32_t[]){5, 6, 5}, 3), FLETCH_INVALID, ".typeIds[2]");
}

static void more_type_ids_than_there_can_be_are_invalid(void **state)
{
    static int32_t ids[1000];
    for (int32_t i = 0; i < 1000; i++)
        ids[i] = i % 128;
    refuse_type(*state, fletch_union(1, ids, 129), FLETCH_INVALID, ".typeIds[128]");
    refuse_type(*state, fletch_union(1, ids, 256 + 2), FLETCH_INVALID, ".typeIds[128]");
    refuse_type(*state, fletch_union(1, ids, 1000), FLETCH_INVALID, ".typeIds[128]");
}

/* An equal type before must not let a wrong one pass. */
static void a_rule_holds_also_for_what_resembles_the_type_before(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_add_field(b, "a", fletch_null(), 0);
    assert_int_equal(fletch_add_field(b, "b", fletch_type_of(FLETCH_TYPE_INT), 0), FLETCH_INVALID);
    b = new_builder(m);
    fletch_add_field(b, "a", fletch_int(8, false), 0);
    assert_int_equal(fletch_add_field(b, "b", fletch_decimal(8, 0, 128), 0), FLETCH_OK);
    assert_int_equal(fletch_add_field(b, "c", fletch_decimal(8, 0, 0), 0), FLETCH_INVALID);
}

/* Rules of children */

/* Demands this status of closing at both levels; `strict` may differ. */
static void close_with(maker *m, fletch_type type, unsigned children, fletch_status arrow,
                       fletch_status strict, const char *path)
{
    static const fletch_level levels[] = {FLETCH_LEVEL_ARROW, FLETCH_LEVEL_STRICT};
    for (size_t i = 0; i < 2; i++) {
        fletch_status wanted = i ? strict : arrow;
        fletch_builder *b = new_builder(m);
        fletch_set_level(b, levels[i]);
        fletch_add_field(b, "first", fletch_bool(), 0);
        assert_int_equal(add_nested(b, "a", type, children), wanted);
        if (wanted != FLETCH_OK) not_built_at(b, wanted, path);
        if (wanted == FLETCH_OK) open_as(built(m, b, FLETCH_SCHEMA), FLETCH_SCHEMA, levels[i]);
    }
}

static void a_wrong_number_of_children_is_invalid(void **state)
{
    const fletch_type lists[] = {fletch_list(), fletch_large_list(), fletch_list_view(),
                                 fletch_large_list_view(), fletch_fixed_size_list(2)};
    const char *path = "fields[1].children";
    maker *m = *state;
    for (size_t i = 0; i < 5; i++) {
        close_with(m, lists[i], 0, FLETCH_INVALID, FLETCH_INVALID, path);
        close_with(m, lists[i], 1, FLETCH_OK, FLETCH_OK, path);
        close_with(m, lists[i], 2, FLETCH_INVALID, FLETCH_INVALID, path);
    }
    for (unsigned count = 0; count < 4; count++) {
        fletch_status status = count == 2 ? FLETCH_OK : FLETCH_INVALID;
        close_with(m, fletch_run_end_encoded(), count, status, status, path);
    }
    close_with(m, fletch_map(false), 0, FLETCH_INVALID, FLETCH_INVALID, path);
}

static void a_nested_type_without_its_child_is_refused_when_added(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_add_field(b, "a", fletch_list(), 0), FLETCH_INVALID);
    not_built_at(b, FLETCH_INVALID, "fields[0].children");
    b = new_builder(m);
    assert_int_equal(fletch_add_field(b, "a", fletch_map(true), 0), FLETCH_INVALID);
}

static void structs_and_unions_may_be_added_without_children(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_add_field(b, "a", fletch_struct(), 0), FLETCH_OK);
    assert_int_equal(fletch_add_field(b, "b", fletch_union(FLETCH_DENSE, NULL, 0), 0), FLETCH_OK);
    assert_int_equal(count_built(m, b), 2);
}

static void children_of_a_leaf_are_for_level_arrow_only(void **state)
{
    close_with(*state, fletch_int(32, true), 1, FLETCH_OK, FLETCH_INVALID, "fields[1].children");
    close_with(*state, fletch_utf8(), 3, FLETCH_OK, FLETCH_INVALID, "fields[1].children");
}

static void a_union_wants_a_child_for_each_type_id(void **state)
{
    static const int32_t ids[] = {3, 1};
    const char *path = "fields[1].type.typeIds";
    for (unsigned count = 0; count < 4; count++) {
        fletch_status status = count == 2 ? FLETCH_OK : FLETCH_INVALID;
        close_with(*state, fletch_union(0, ids, 2), count, status, status, path);
    }
    close_with(*state, fletch_union(1, ids, 0), 1, FLETCH_INVALID, FLETCH_INVALID, path);
}

static void a_union_has_128_children_at_most(void **state)
{
    close_with(*state, fletch_union(1, NULL, 0), 128, FLETCH_OK, FLETCH_OK, "");
    close_with(*state, fletch_union(1, NULL, 0), 129, FLETCH_INVALID, FLETCH_INVALID,
               "fields[1].children");
}

static void a_map_wants_a_struct_of_two(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "m", fletch_map(false), 0);
    assert_int_equal(fletch_add_field(b, "entries", fletch_utf8(), 0), FLETCH_INVALID);
    not_built_at(b, FLETCH_INVALID, "fields[0].children[0].type");
    for (unsigned count = 0; count < 4; count++) {
        fletch_status status = count == 2 ? FLETCH_OK : FLETCH_INVALID;
        b = new_builder(m);
        fletch_begin_field(b, "m", fletch_map(false), 0);
        fletch_begin_field(b, "entries", fletch_struct(), 0);
        for (unsigned i = 0; i < count; i++)
            fletch_add_field(b, "x", fletch_bool(), 0);
        assert_int_equal(fletch_end_field(b), status);
        if (count != 2) not_built_at(b, FLETCH_INVALID, "fields[0].children[0].children");
    }
}

static void nullable_entries_and_keys_are_for_level_arrow_only(void **state)
{
    static const char *const paths[] = {"fields[0].children[0].nullable",
                                        "fields[0].children[0].children[0].nullable"};
    maker *m = *state;
    for (size_t i = 0; i < 2; i++) {
        fletch_builder *b = new_builder(m);
        add_map(b, false, i == 0, i == 1);
        not_built_at(b, FLETCH_INVALID, paths[i]);
        b = new_builder(m);
        fletch_set_level(b, FLETCH_LEVEL_ARROW);
        add_map(b, false, i == 0, i == 1);
        expect_levels(built(m, b, FLETCH_SCHEMA), FLETCH_SCHEMA, FLETCH_OK, FLETCH_OK,
                      FLETCH_INVALID);
    }
}

static fletch_status add_run_ends(fletch_builder *b, fletch_type run_ends, unsigned flags)
{
    fletch_begin_field(b, "r", fletch_run_end_encoded(), 0);
    fletch_status status = fletch_add_field(b, "run_ends", run_ends, flags);
    fletch_add_field(b, "values", fletch_utf8(), FLETCH_NULLABLE);
    fletch_end_field(b);
    return status;
}

static void run_ends_of_another_type_are_invalid(void **state)
{
    const fletch_type wrong[] = {fletch_utf8(), fletch_int(32, false), fletch_int(8, true)};
    static const char *const paths[] = {"fields[0].children[0].type",
                                        "fields[0].children[0].type.is_signed",
                                        "fields[0].children[0].type.bitWidth"};
    maker *m = *state;
    for (int32_t width = 16; width <= 64; width *= 2) {
        fletch_builder *b = new_builder(m);
        assert_int_equal(add_run_ends(b, fletch_int(width, true), 0), FLETCH_OK);
        built_schema(m, b);
    }
    for (size_t i = 0; i < 3; i++) {
        fletch_builder *b = new_builder(m);
        fletch_set_level(b, FLETCH_LEVEL_ARROW);
        assert_int_equal(add_run_ends(b, wrong[i], 0), FLETCH_INVALID);
        not_built_at(b, FLETCH_INVALID, paths[i]);
    }
}

static void nullable_run_ends_are_for_level_arrow_only(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    assert_int_equal(add_run_ends(b, fletch_int(32, true), FLETCH_NULLABLE), FLETCH_INVALID);
    not_built_at(b, FLETCH_INVALID, "fields[0].children[0].nullable");
    b = new_builder(m);
    fletch_set_level(b, FLETCH_LEVEL_ARROW);
    assert_int_equal(add_run_ends(b, fletch_int(32, true), FLETCH_NULLABLE), FLETCH_OK);
    built(m, b, FLETCH_SCHEMA);
}

/* Text */

static const char bad_text[] = "good, then \xC3\x28";

static void text_that_is_not_utf8_is_malformed_at_strict(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_add_field(b, bad_text, fletch_bool(), 0), FLETCH_MALFORMED);
    not_built_at(b, FLETCH_MALFORMED, "fields[0].name");
    b = new_builder(m);
    fletch_add_field(b, "a", fletch_bool(), 0);
    assert_int_equal(fletch_begin_field(b, bad_text, fletch_struct(), 0), FLETCH_MALFORMED);
    not_built_at(b, FLETCH_MALFORMED, "fields[1].name");
    b = new_builder(m);
    assert_int_equal(fletch_add_field(b, "a", fletch_timestamp(0, bad_text), 0), FLETCH_MALFORMED);
    not_built_at(b, FLETCH_MALFORMED, "fields[0].type.timezone");
    b = new_builder(m);
    fletch_add_metadata(b, "k", "v");
    assert_int_equal(fletch_add_metadata(b, bad_text, "v"), FLETCH_MALFORMED);
    not_built_at(b, FLETCH_MALFORMED, "custom_metadata[1].key");
    b = new_builder(m);
    fletch_begin_field(b, "a", fletch_bool(), 0);
    assert_int_equal(fletch_add_metadata(b, "k", bad_text), FLETCH_MALFORMED);
    not_built_at(b, FLETCH_MALFORMED, "fields[0].custom_metadata[0].value");
}

static void text_of_wrappers_is_checked_too(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_add_message_metadata(b, fletch_text(bad_text), fletch_text("v")),
                     FLETCH_MALFORMED);
    b = new_builder(m);
    assert_int_equal(fletch_add_footer_metadata(b, fletch_text("k"), fletch_text(bad_text)),
                     FLETCH_MALFORMED);
    not_built(b, FLETCH_MALFORMED);
}

/* Whatever its length: short text may be looked at in another way than long text. */
static void a_bad_byte_is_found_at_any_place(void **state)
{
    maker *m = *state;
    for (size_t size = 1; size <= 40; size++)
        for (size_t at = 0; at < size; at++) {
            fletch_builder *b = new_builder_in(m, 1024);
            char text[48] = {0};
            memset(text, 'x', size);
            text[at] = '\xFF';
            assert_int_equal(fletch_add_field(b, text, fletch_bool(), 0), FLETCH_MALFORMED);
            b = new_builder_in(m, 1024);
            assert_int_equal(fletch_add_metadata(b, text, ""), FLETCH_MALFORMED);
        }
}

static void text_of_any_bytes_passes_at_arrow(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_set_level(b, FLETCH_LEVEL_ARROW);
    fletch_begin_field(b, bad_text, fletch_timestamp(0, bad_text), 0);
    fletch_add_metadata(b, bad_text, bad_text);
    fletch_end_field(b);
    block bytes = built(m, b, FLETCH_SCHEMA);
    expect_levels(bytes, FLETCH_SCHEMA, FLETCH_OK, FLETCH_OK, FLETCH_MALFORMED);
    fletch_schema schema = open_as(bytes, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_field field = field_number(&schema, 0);
    assert_true(is_text(field.name, bad_text));
    assert_true(is_text(field.type.as.timestamp.timezone, bad_text));
    expect_pair(&field.metadata, bad_text, bad_text);
}

/* The first error */

static void the_first_error_sticks(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_add_field(b, "a", fletch_int(32, true), 0);
    assert_int_equal(fletch_add_field(b, "b", fletch_int(33, true), 0), FLETCH_INVALID);
    assert_int_equal(fletch_add_field(b, "c", fletch_bool(), 0), FLETCH_INVALID);
    assert_int_equal(fletch_add_field(b, "c", fletch_type_of(0), 0), FLETCH_INVALID);
    assert_int_equal(fletch_begin_field(b, "d", fletch_list(), 0), FLETCH_INVALID);
    assert_int_equal(fletch_end_field(b), FLETCH_INVALID);
    assert_int_equal(fletch_add_metadata(b, "k", "v"), FLETCH_INVALID);
    assert_int_equal(fletch_add_message_metadata(b, fletch_text("k"), fletch_text("v")),
                     FLETCH_INVALID);
    assert_int_equal(fletch_set_dictionary(b, 0, (fletch_int_type){8, true}, false),
                     FLETCH_INVALID);
    assert_int_equal(fletch_set_extension(b, "e", NULL), FLETCH_INVALID);
    assert_int_equal(fletch_add_feature(b, 99), FLETCH_INVALID);
    assert_int_equal(fletch_set_endianness(b, 7), FLETCH_INVALID);
    assert_int_equal(fletch_set_version(b, 7), FLETCH_INVALID);
    assert_int_equal(fletch_set_level(b, FLETCH_LEVEL_STRICT), FLETCH_INVALID);
    for (int i = 0; i < 2; i++)
        not_built_at(b, FLETCH_INVALID, "fields[1].type.bitWidth");
    const void *bytes;
    size_t size;
    assert_int_equal(fletch_wrap(b, FLETCH_SCHEMA, &bytes, &size, NULL), FLETCH_INVALID);
}

static void the_sentence_of_an_error_has_the_value(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_add_field(b, "b", fletch_int(33, true), 0);
    assert_non_null(strstr(not_built(b, FLETCH_INVALID).sentence, "33"));
}

static void finishing_may_be_without_an_error(void **state)
{
    maker *m = *state;
    const void *bytes;
    size_t size;
    fletch_builder *b = new_builder(m);
    fletch_add_field(b, "b", fletch_int(33, true), 0);
    assert_int_equal(fletch_finish(b, FLETCH_SCHEMA, &bytes, &size, NULL), FLETCH_INVALID);
    b = new_builder(m);
    assert_int_equal(fletch_finish(b, FLETCH_SCHEMA, &bytes, &size, NULL), FLETCH_OK);
}

static void after_an_error_a_reset_begins_anew(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    open_levels(b, 5);
    fletch_add_field(b, "b", fletch_int(33, true), 0);
    fletch_builder_reset(b);
    fletch_add_field(b, "a", fletch_bool(), 0);
    assert_int_equal(count_built(m, b), 1);
}

/* Misuse */

static void closing_what_is_not_open_is_misuse(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_end_field(b), FLETCH_MISUSE);
    not_built_at(b, FLETCH_MISUSE, "");
    b = new_builder(m);
    add_nested(b, "a", fletch_list(), 1);
    assert_int_equal(fletch_end_field(b), FLETCH_MISUSE);
}

static void what_only_fields_have_is_misuse_without_one(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_set_dictionary(b, 0, (fletch_int_type){8, true}, false), FLETCH_MISUSE);
    b = new_builder(m);
    assert_int_equal(fletch_set_extension(b, "a", "b"), FLETCH_MISUSE);
    not_built(b, FLETCH_MISUSE);
}

static void a_second_dictionary_is_misuse(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_begin_field(b, "a", fletch_utf8(), 0);
    fletch_set_dictionary(b, 0, (fletch_int_type){8, true}, false);
    assert_int_equal(fletch_set_dictionary(b, 1, (fletch_int_type){8, true}, false), FLETCH_MISUSE);
    not_built_at(b, FLETCH_MISUSE, "fields[0]");
}

static void a_dictionary_of_one_field_is_not_that_of_the_next(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    for (int i = 0; i < 2; i++) {
        fletch_begin_field(b, "a", fletch_utf8(), 0);
        assert_int_equal(fletch_set_dictionary(b, i, (fletch_int_type){8, true}, false), FLETCH_OK);
        fletch_end_field(b);
    }
    fletch_add_field(b, "b", fletch_utf8(), 0);
    fletch_schema schema = built_schema(m, b);
    assert_false(field_number(&schema, 2).has_dictionary);
}

static void pairs_of_a_wrapper_are_misuse_inside_a_field(void **state)
{
    const fletch_string text = fletch_text("k");
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    open_levels(b, 1);
    assert_int_equal(fletch_add_message_metadata(b, text, text), FLETCH_MISUSE);
    b = new_builder(m);
    open_levels(b, 1);
    assert_int_equal(fletch_add_footer_metadata(b, text, text), FLETCH_MISUSE);
}

/* Unlike the other misuse this leaves the builder as it was. */
static void finishing_with_a_field_open_is_misuse_and_may_be_tried_again(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "a", fletch_list(), 0);
    not_built(b, FLETCH_MISUSE);
    assert_int_equal(fletch_add_field(b, "item", fletch_bool(), 0), FLETCH_OK);
    assert_int_equal(fletch_end_field(b), FLETCH_OK);
    assert_int_equal(count_built(m, b), 1);
}

static void finishing_twice_is_misuse(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    block bytes = built(m, b, FLETCH_SCHEMA);
    not_built(b, FLETCH_MISUSE);
    same_bytes(rebuilt(m, b, FLETCH_SCHEMA), bytes);
}

static void wrapping_before_finishing_is_misuse(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    const void *bytes = "";
    size_t size = 1;
    fletch_error error;
    fletch_add_field(b, "a", fletch_bool(), 0);
    assert_int_equal(fletch_wrap(b, FLETCH_SCHEMA, &bytes, &size, &error), FLETCH_MISUSE);
    assert_true(bytes == NULL && size == 0 && error.status == FLETCH_MISUSE);
    assert_int_equal(count_built(m, b), 1);
}

static void a_kind_that_cannot_be_written_is_misuse(void **state)
{
    static const int kinds[] = {FLETCH_SNIFF, FLETCH_PARQUET, FLETCH_BASE64 + 1, -1, 1000};
    maker *m = *state;
    for (size_t i = 0; i < 5; i++) {
        fletch_builder *b = new_builder(m);
        const void *bytes;
        size_t size;
        fletch_add_field(b, "a", fletch_bool(), 0);
        assert_int_equal(fletch_finish(b, (fletch_kind)kinds[i], &bytes, &size, NULL),
                         FLETCH_MISUSE);
        assert_null(bytes);
    }
}

static void a_kind_that_cannot_be_written_is_named(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_error error;
    const void *bytes;
    size_t size;
    fletch_finish(b, FLETCH_PARQUET, &bytes, &size, &error);
    assert_string_equal(error.sentence, "kind 7 does not fit here");
}

/* The flag of an ArrowSchema that says nullable is 2: taken for ours, it would be lost. */
static void flags_that_no_field_has_are_misuse(void **state)
{
    static const unsigned flags[] = {2, FLETCH_NULLABLE | 4, 0x80000000u};
    const fletch_type types[] = {fletch_bool(), fletch_struct(), fletch_timestamp(0, "UTC")};
    for (size_t i = 0; i < 9; i++) {
        fletch_builder *b = new_builder(*state);
        fletch_add_field(b, "good", types[i / 3],
                         FLETCH_NULLABLE); /* and known when it comes again */
        assert_int_equal(fletch_add_field(b, "a", types[i / 3], flags[i % 3]), FLETCH_MISUSE);
        not_built_at(b, FLETCH_MISUSE, "");
        b = new_builder(*state);
        fletch_add_field(b, "good", types[i / 3], FLETCH_NULLABLE);
        assert_int_equal(fletch_begin_field(b, "a", types[i / 3], flags[i % 3]), FLETCH_MISUSE);
        not_built_at(b, FLETCH_MISUSE, "");
    }
}

static void flags_that_no_field_has_do_not_hide_the_first_error(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_add_field(b, "a", fletch_int(7, true), 0);
    assert_int_equal(fletch_add_field(b, "b", fletch_bool(), 2), FLETCH_INVALID);
}

typedef fletch_status (*late_call)(fletch_builder *b);

static fletch_status late_field(fletch_builder *b)
{
    return fletch_add_field(b, "late", fletch_bool(), 0);
}

static fletch_status late_opening(fletch_builder *b)
{
    return fletch_begin_field(b, "late", fletch_list(), 0);
}

static fletch_status late_closing(fletch_builder *b)
{
    return fletch_end_field(b);
}

static fletch_status late_pair(fletch_builder *b)
{
    return fletch_add_metadata(b, "late", "late");
}

static fletch_status late_wrapper_pair(fletch_builder *b)
{
    return fletch_add_footer_metadata(b, fletch_text("late"), fletch_text("late"));
}

static fletch_status late_dictionary(fletch_builder *b)
{
    return fletch_set_dictionary(b, 0, (fletch_int_type){8, true}, false);
}

static fletch_status late_feature(fletch_builder *b)
{
    return fletch_add_feature(b, 1);
}

static fletch_status late_version(fletch_builder *b)
{
    return fletch_set_version(b, FLETCH_V4);
}

static fletch_status late_framing(fletch_builder *b)
{
    return fletch_set_legacy_framing(b);
}

static fletch_status late_endianness(fletch_builder *b)
{
    return fletch_set_endianness(b, FLETCH_BIG_ENDIAN);
}

static fletch_status late_level(fletch_builder *b)
{
    return fletch_set_level(b, FLETCH_LEVEL_ARROW);
}

static fletch_status late_copy(fletch_builder *b)
{
    fletch_field field;
    memset(&field, 0, sizeof field);
    field.name = fletch_text("late");
    field.type = fletch_bool();
    return fletch_copy_field(b, &field);
}

static void calls_after_finishing_are_misuse_and_change_no_byte(void **state)
{
    static const late_call calls[] = {late_field,      late_opening,      late_closing,
                                      late_pair,       late_wrapper_pair, late_dictionary,
                                      late_feature,    late_version,      late_framing,
                                      late_endianness, late_level,        late_copy};
    maker *m = *state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        fletch_builder *b = new_builder(m);
        const void *bytes;
        size_t size;
        fletch_add_field(b, "a", fletch_bool(), 0);
        assert_int_equal(fletch_finish(b, FLETCH_FILE, &bytes, &size, NULL), FLETCH_OK);
        block before = copy_of(m, bytes, size);
        assert_int_equal(calls[i](b), FLETCH_MISUSE);
        assert_memory_equal(bytes, before.bytes, size);
        assert_int_equal(late_field(b), FLETCH_MISUSE);
    }
}

static void a_level_once_something_was_added_is_misuse(void **state)
{
    maker *m = *state;
    const late_call first[] = {late_field,        late_opening, late_pair,
                               late_wrapper_pair, late_feature, late_copy};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        fletch_builder *b = new_builder(m);
        assert_int_equal(first[i](b), FLETCH_OK);
        assert_int_equal(late_level(b), FLETCH_MISUSE);
    }
}

static void a_setting_that_is_none_is_misuse(void **state)
{
    static const int levels[] = {FLETCH_LEVEL_DEFAULT, FLETCH_LEVEL_UNCHECKED,
                                 FLETCH_LEVEL_STRUCTURE, FLETCH_LEVEL_STRICT + 1, -1};
    static const int32_t versions[] = {-1, FLETCH_V1, FLETCH_V2, FLETCH_V3, 5, 32767};
    for (size_t i = 0; i < 5; i++) {
        fletch_builder *b = new_builder(*state);
        assert_int_equal(fletch_set_level(b, (fletch_level)levels[i]), FLETCH_MISUSE);
        not_built_at(b, FLETCH_MISUSE, "");
    }
    for (size_t i = 0; i < 6; i++) {
        fletch_builder *b = new_builder(*state);
        assert_int_equal(fletch_set_version(b, versions[i]), FLETCH_MISUSE);
        not_built_at(b, FLETCH_MISUSE, "");
    }
}

/* Any calls in any order end in a status; what is built is good. */
static fletch_status any_call(fletch_builder *b, unsigned call, unsigned detail)
{
    static const late_call calls[] = {late_field, late_opening,      late_closing, late_closing,
                                      late_pair,  late_wrapper_pair, late_feature, late_dictionary,
                                      late_copy,  late_field,        late_opening};
    const void *bytes;
    size_t size;
    if (call < 11) return calls[call](b);
    if (call == 11) return fletch_begin_field(b, "any", fletch_type_of((int32_t)detail), detail);
    if (call == 12) return fletch_wrap(b, (fletch_kind)detail, &bytes, &size, NULL);
    return fletch_end_field(b);
}

static void any_calls_in_any_order_do_no_damage(void **state)
{
    uint32_t chance = 1;
    unsigned good = 0;
    (void)state;
    for (unsigned round = 0; round < 4000; round++) {
        maker *m = maker_new();
        fletch_builder *b = new_builder_in(m, round % 7 ? 4096 : round % 700);
        for (unsigned i = 0; i < round % 20; i++) {
            chance = chance * 1664525u + 1013904223u;
            any_call(b, (chance >> 24) % 14, (chance >> 16) % 28);
        }
        const void *bytes;
        size_t size;
        fletch_kind kind = written_kinds[round % WRITTEN_KINDS];
        if (fletch_finish(b, kind, &bytes, &size, NULL) == FLETCH_OK) {
            fletch_error error;
            good++;
            assert_int_equal(verdict(copy_of(m, bytes, size), kind, FLETCH_LEVEL_STRUCTURE, &error),
                             FLETCH_OK);
        }
        maker_free(m);
    }
    assert_true(good > 100);
}

/* Calls with small things, of which any can be the one that does not fit any more. */

static fletch_status begin_something(fletch_builder *b)
{
    return fletch_begin_field(b, "outer", fletch_struct(), FLETCH_NULLABLE);
}

static fletch_status encode_something(fletch_builder *b)
{
    return fletch_set_dictionary(b, 3, (fletch_int_type){16, true}, false);
}

static fletch_status add_a_leaf(fletch_builder *b)
{
    return fletch_add_field(b, "a leaf", fletch_timestamp(FLETCH_SECOND, "Europe/Bern"), 0);
}

static fletch_status add_a_list(fletch_builder *b)
{
    fletch_begin_field(b, "list", fletch_list(), 0);
    fletch_add_field(b, "union", fletch_union(FLETCH_SPARSE, NULL, 0), 0);
    return fletch_end_field(b);
}

static fletch_status add_some_metadata(fletch_builder *b)
{
    return fletch_add_metadata(b, "key", "a value");
}

static fletch_status finish_something(fletch_builder *b)
{
    const void *bytes;
    size_t size;
    return fletch_finish(b, FLETCH_STREAM, &bytes, &size, NULL);
}

enum { MANY = 64 << 20 }; /* 32 times that are two gigabytes */

/* Measured: two gigabytes less `left` bytes, and then small things, one after the other. Tells
 * which of them was the first that was too much, and where. */
static size_t first_that_is_too_large(const char *text, size_t left, fletch_error *error)
{
    static fletch_status (*const calls[])(
        fletch_builder *) = {begin_something,   encode_something,  add_a_leaf,
                             add_some_metadata, add_a_list,        fletch_end_field,
                             add_a_leaf,        begin_something,   fletch_end_field,
                             add_a_leaf,        add_some_metadata, finish_something};
    enum { CALLS = sizeof calls / sizeof *calls };
    fletch_builder b;
    size_t first = CALLS;
    fletch_builder_init(&b, NULL, 0);
    fletch_set_level(&b, FLETCH_LEVEL_ARROW);
    for (int i = 0; i < 31; i++)
        fletch_add_metadata_string(&b, fletch_text("k"), (fletch_string){text, MANY});
    fletch_add_metadata_string(&b, fletch_text("k"), (fletch_string){text, MANY - left});
    for (size_t i = 0; i < CALLS; i++) {
        fletch_status status = calls[i](&b);
        if (status == FLETCH_TOO_LARGE && first == CALLS) first = i;
        assert_int_equal(status, first < CALLS ? FLETCH_TOO_LARGE : FLETCH_NO_SPACE);
    }
    if (first < CALLS) *error = not_built(&b, FLETCH_TOO_LARGE);
    return first;
}

/* A builder keeps 4 KB for what goes around a schema. With more room it is never an earlier call
 * that is too much. Where all of a field fits but what is kept while it is open, it is not open. */
static void whatever_comes_behind_two_gigabytes_is_too_large(void **state)
{
    char *text = calloc(1, MANY);
    size_t last = 0, steps = 0;
    fletch_error error = {0}, of_first = {0};
    (void)state;
    if (text == NULL) skip();
    for (size_t left = 4096; left < 6400; left += 4) {
        size_t first = first_that_is_too_large(text, left, &error);
        if (first == 0) of_first = error;
        assert_true(first >= last);
        steps += first != last;
        last = first;
    }
    assert_int_equal(last, 12);
    assert_true(steps > 6);
    assert_string_equal(of_first.path, "");
    free(text);
}

static void a_failed_builder_keeps_its_fault_whatever_is_copied(void **state)
{
    enum { LARGE = 2 << 20 }; /* more text than a copy from an empty buffer may read */
    static const char text[LARGE];
    maker *m = *state;
    node *root = new_schema(m), *features = make_vector(m, 8);
    append_number(features, FLETCH_FEATURE_COMPRESSED_BODY);
    set_node(root, SCHEMA_FEATURES, features);
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_builder *b = new_builder(m);
    fletch_field field = {0};
    field.name.data = text;
    field.name.size = LARGE;
    field.type.id = FLETCH_TYPE_NULL;
    assert_int_equal(fletch_begin_field_like(b, &field), FLETCH_LIMIT);
    fletch_builder_reset(b);
    assert_int_equal(fletch_end_field(b), FLETCH_MISUSE);
    assert_int_equal(fletch_begin_field_like(b, &field), FLETCH_MISUSE);
    assert_int_equal(fletch_copy_schema(b, &schema), FLETCH_MISUSE);
    not_built(b, FLETCH_MISUSE);
}

static void pairs_that_share_a_long_text_are_a_limit_to_copy(void **state)
{
    enum { LARGE = 1 << 18, PAIRS = 40 };
    maker *m = *state;
    node *root = new_schema(m), *pair;
    block text = pad(m, (block){NULL, 0}, LARGE);
    memset(text.bytes, 'v', LARGE);
    node *value = make_string(m, text.bytes, LARGE);
    for (int i = 0; i < PAIRS; i++) {
        pair = add_pair(m, root, SCHEMA_METADATA, "k", "");
        set_node(pair, PAIR_VALUE, value);
    }
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_builder *b = new_builder_in(m, 0);
    assert_int_equal(fletch_copy_schema(b, &schema), FLETCH_LIMIT);
    not_built(b, FLETCH_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(types_without_parameters_are_built),
        WITH_MAKER(integers_are_built),
        WITH_MAKER(floating_points_are_built),
        WITH_MAKER(decimals_are_built),
        WITH_MAKER(dates_are_built),
        WITH_MAKER(times_are_built_with_the_width_of_their_unit),
        WITH_MAKER(timestamps_are_built),
        WITH_MAKER(a_timestamp_without_a_zone_reads_so),
        WITH_MAKER(intervals_and_durations_are_built),
        WITH_MAKER(fixed_sizes_are_built),
        WITH_MAKER(lists_are_built),
        WITH_MAKER(structs_of_any_width_are_built),
        WITH_MAKER(run_ends_are_built),
        WITH_MAKER(unions_without_type_ids_get_them_written),
        WITH_MAKER(unions_with_type_ids_keep_them),
        WITH_MAKER(maps_are_built),
        WITH_MAKER(a_schema_without_fields_is_built),
        WITH_MAKER(fields_stand_in_the_order_of_the_calls),
        WITH_MAKER(a_name_of_null_is_written_as_empty),
        WITH_MAKER(a_field_made_by_hand_may_be_all_zero),
        WITH_MAKER(strings_without_data_are_empty),
        WITH_MAKER(what_was_passed_is_not_kept),
        WITH_MAKER(nested_fields_stand_where_they_were_opened),
        WITH_MAKER(fields_may_nest_128_deep_and_no_deeper),
        WITH_MAKER(endianness_is_written),
        WITH_MAKER(an_unknown_endianness_is_unsupported),
        WITH_MAKER(features_are_written_in_their_order),
        WITH_MAKER(an_unknown_feature_is_for_level_arrow_only),
        WITH_MAKER(more_than_eight_features_are_a_limit),
        WITH_MAKER(an_index_type_of_another_width_is_invalid),
        WITH_MAKER(an_unknown_dictionary_kind_is_unsupported),
        WITH_MAKER(a_dictionary_may_be_set_behind_children_and_pairs),
        WITH_MAKER(pairs_of_the_schema_may_come_between_fields),
        WITH_MAKER(pairs_of_a_field_may_come_between_its_children),
        WITH_MAKER(pairs_may_hold_nul),
        WITH_MAKER(an_extension_is_found_by_its_name),
        WITH_MAKER(wrappers_have_pairs_of_their_own),
        WITH_MAKER(a_type_of_none_is_missing),
        WITH_MAKER(a_type_that_is_unknown_is_unsupported),
        WITH_MAKER(a_type_of_negative_number_is_unsupported),
        WITH_MAKER(an_integer_of_another_width_is_invalid),
        WITH_MAKER(an_unknown_enumerator_is_unsupported),
        WITH_MAKER(a_decimal_out_of_bounds_is_invalid),
        WITH_MAKER(a_time_whose_width_and_unit_disagree_is_invalid),
        WITH_MAKER(a_negative_size_is_invalid),
        WITH_MAKER(a_type_id_out_of_range_or_twice_is_invalid),
        WITH_MAKER(more_type_ids_than_there_can_be_are_invalid),
        WITH_MAKER(a_rule_holds_also_for_what_resembles_the_type_before),
        WITH_MAKER(a_wrong_number_of_children_is_invalid),
        WITH_MAKER(a_nested_type_without_its_child_is_refused_when_added),
        WITH_MAKER(structs_and_unions_may_be_added_without_children),
        WITH_MAKER(children_of_a_leaf_are_for_level_arrow_only),
        WITH_MAKER(a_union_wants_a_child_for_each_type_id),
        WITH_MAKER(a_union_has_128_children_at_most),
        WITH_MAKER(a_map_wants_a_struct_of_two),
        WITH_MAKER(nullable_entries_and_keys_are_for_level_arrow_only),
        WITH_MAKER(run_ends_of_another_type_are_invalid),
        WITH_MAKER(nullable_run_ends_are_for_level_arrow_only),
        WITH_MAKER(text_that_is_not_utf8_is_malformed_at_strict),
        WITH_MAKER(text_of_wrappers_is_checked_too),
        WITH_MAKER(a_bad_byte_is_found_at_any_place),
        WITH_MAKER(text_of_any_bytes_passes_at_arrow),
        WITH_MAKER(the_first_error_sticks),
        WITH_MAKER(the_sentence_of_an_error_has_the_value),
        WITH_MAKER(finishing_may_be_without_an_error),
        WITH_MAKER(after_an_error_a_reset_begins_anew),
        WITH_MAKER(closing_what_is_not_open_is_misuse),
        WITH_MAKER(what_only_fields_have_is_misuse_without_one),
        WITH_MAKER(a_second_dictionary_is_misuse),
        WITH_MAKER(a_dictionary_of_one_field_is_not_that_of_the_next),
        WITH_MAKER(pairs_of_a_wrapper_are_misuse_inside_a_field),
        WITH_MAKER(finishing_with_a_field_open_is_misuse_and_may_be_tried_again),
        WITH_MAKER(finishing_twice_is_misuse),
        WITH_MAKER(wrapping_before_finishing_is_misuse),
        WITH_MAKER(a_kind_that_cannot_be_written_is_misuse),
        WITH_MAKER(a_kind_that_cannot_be_written_is_named),
        WITH_MAKER(flags_that_no_field_has_are_misuse),
        WITH_MAKER(flags_that_no_field_has_do_not_hide_the_first_error),
        WITH_MAKER(calls_after_finishing_are_misuse_and_change_no_byte),
        WITH_MAKER(a_level_once_something_was_added_is_misuse),
        WITH_MAKER(a_setting_that_is_none_is_misuse),
        cmocka_unit_test(any_calls_in_any_order_do_no_damage),
        WITH_MAKER(whatever_comes_behind_two_gigabytes_is_too_large),
        WITH_MAKER(a_failed_builder_keeps_its_fault_whatever_is_copied),
        WITH_MAKER(pairs_that_share_a_long_text_are_a_limit_to_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
