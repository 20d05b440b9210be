/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model: what comes out of each table, stored, absent or empty; words and numbers of enums.
 */
#include "support/check.h"

#include <string.h>

/* The model of one field of this type, in a schema of its own. */
static fletch_field read_field_of(maker *m, node *field)
{
    fletch_schema schema =
        open_as(finish(m, schema_with(m, field)), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
    assert_int_equal(fletch_count_fields(&schema.fields), 1);
    return field_number(&schema, 0);
}

static fletch_type read_type(maker *m, int tag, node *type)
{
    return read_field_of(m, new_field(m, "a", tag, type)).type;
}

/* A type with no member stored, so that all are defaults. */
static fletch_type read_bare(maker *m, int tag)
{
    return read_type(m, tag, make_table(m));
}

/* A type with one 16-bit member, in slot 0: most units and modes. */
static fletch_type read_with_16(maker *m, int tag, int value)
{
    node *type = make_table(m);
    set16(type, 0, value);
    return read_type(m, tag, type);
}

/* A type with one 32-bit member, in slot 0. */
static fletch_type read_with_32(maker *m, int tag, int32_t value)
{
    node *type = make_table(m);
    set32(type, 0, value);
    return read_type(m, tag, type);
}

/* Types */

static void the_numbers_of_the_types_are_arrows(void **state)
{
    static const char *const names[] = {
        "NONE",          "Null",      "Int",           "FloatingPoint",
        "Binary",        "Utf8",      "Bool",          "Decimal",
        "Date",          "Time",      "Timestamp",     "Interval",
        "List",          "Struct_",   "Union",         "FixedSizeBinary",
        "FixedSizeList", "Map",       "Duration",      "LargeBinary",
        "LargeUtf8",     "LargeList", "RunEndEncoded", "BinaryView",
        "Utf8View",      "ListView",  "LargeListView"};
    (void)state;
    for (int id = 1; id <= 26; id++)
        assert_string_equal(fletch_type_name(id), names[id]);
    assert_int_equal(FLETCH_TYPE_LARGE_LIST_VIEW, 26);
    assert_int_equal(FLETCH_TYPE_RUN_END_ENCODED, 22);
    assert_int_equal(FLETCH_TYPE_DURATION, 18);
}

static void a_type_beyond_the_last_has_no_name(void **state)
{
    (void)state;
    assert_string_equal(fletch_type_name(27), "unknown");
    assert_string_equal(fletch_type_name(255), "unknown");
    assert_string_equal(fletch_type_name(-1), "unknown");
}

static void every_type_keeps_its_tag(void **state)
{
    maker *m = *state;
    for (int tag = 1; tag <= 26; tag++)
        assert_int_equal(read_bare(m, tag).id, tag);
}

static void a_tag_from_the_future_keeps_its_number(void **state)
{
    maker *m = *state;
    assert_int_equal(read_bare(m, 27).id, 27);
    assert_int_equal(read_bare(m, 255).id, 255);
}

static void an_int_has_a_width_and_a_sign(void **state)
{
    maker *m = *state;
    for (int width = 8; width <= 64; width *= 2) {
        fletch_type s = read_type(m, FLETCH_TYPE_INT, int_type(m, width, true));
        fletch_type u = read_type(m, FLETCH_TYPE_INT, int_type(m, width, false));
        assert_int_equal(s.as.integer.bit_width, width);
        assert_int_equal(u.as.integer.bit_width, width);
        assert_true(s.as.integer.is_signed);
        assert_false(u.as.integer.is_signed);
    }
}

static void an_int_with_nothing_stored_is_unsigned_and_zero_bits_wide(void **state)
{
    fletch_type type = read_bare(*state, FLETCH_TYPE_INT);
    assert_int_equal(type.as.integer.bit_width, 0);
    assert_false(type.as.integer.is_signed);
}

static void a_floating_point_defaults_to_half(void **state)
{
    maker *m = *state;
    assert_int_equal(read_bare(m, FLETCH_TYPE_FLOATING_POINT).as.floating_point.precision, 0);
    for (int i = 0; i <= 2; i++)
        assert_int_equal(read_with_16(m, FLETCH_TYPE_FLOATING_POINT, i).as.floating_point.precision,
                         i);
}

static void an_enumerator_below_zero_keeps_its_sign(void **state)
{
    maker *m = *state;
    fletch_type type = read_with_16(m, FLETCH_TYPE_FLOATING_POINT, -2);
    assert_int_equal(type.as.floating_point.precision, -2);
}

static void a_decimal_defaults_to_128_bits(void **state)
{
    fletch_type type = read_bare(*state, FLETCH_TYPE_DECIMAL);
    assert_int_equal(type.as.decimal.precision, 0);
    assert_int_equal(type.as.decimal.scale, 0);
    assert_int_equal(type.as.decimal.bit_width, 128);
}

static void a_decimal_has_precision_scale_and_width(void **state)
{
    maker *m = *state;
    node *type = make_table(m);
    set32(type, DECIMAL_PRECISION, 76);
    set32(type, DECIMAL_SCALE, -5);
    set32(type, DECIMAL_WIDTH, 256);
    fletch_type decimal = read_type(m, FLETCH_TYPE_DECIMAL, type);
    assert_int_equal(decimal.as.decimal.precision, 76);
    assert_int_equal(decimal.as.decimal.scale, -5);
    assert_int_equal(decimal.as.decimal.bit_width, 256);
}

static void a_date_defaults_to_milliseconds(void **state)
{
    maker *m = *state;
    assert_int_equal(read_bare(m, FLETCH_TYPE_DATE).as.date.unit, FLETCH_DATE_MILLISECOND);
    assert_int_equal(read_with_16(m, FLETCH_TYPE_DATE, 0).as.date.unit, FLETCH_DAY);
    assert_int_equal(FLETCH_DATE_MILLISECOND, 1);
}

static void a_time_defaults_to_32_bits_of_milliseconds(void **state)
{
    maker *m = *state;
    fletch_type bare = read_bare(m, FLETCH_TYPE_TIME);
    assert_int_equal(bare.as.time.unit, FLETCH_MILLISECOND);
    assert_int_equal(bare.as.time.bit_width, 32);
    node *type = make_table(m);
    set16(type, TIME_UNIT, 3);
    set32(type, TIME_WIDTH, 64);
    fletch_type nano = read_type(m, FLETCH_TYPE_TIME, type);
    assert_int_equal(nano.as.time.unit, FLETCH_NANOSECOND);
    assert_int_equal(nano.as.time.bit_width, 64);
}

static void a_timestamp_defaults_to_seconds_without_a_zone(void **state)
{
    fletch_type type = read_bare(*state, FLETCH_TYPE_TIMESTAMP);
    assert_int_equal(type.as.timestamp.unit, FLETCH_SECOND);
    assert_false(type.as.timestamp.has_timezone);
    assert_true(is_text(type.as.timestamp.timezone, ""));
}

static void a_timestamp_tells_an_empty_zone_from_none(void **state)
{
    maker *m = *state;
    node *type = make_table(m);
    set_node(type, TIMESTAMP_ZONE, make_text(m, ""));
    fletch_type timestamp = read_type(m, FLETCH_TYPE_TIMESTAMP, type);
    assert_true(timestamp.as.timestamp.has_timezone);
    assert_true(is_text(timestamp.as.timestamp.timezone, ""));
}

static void a_timestamp_has_a_unit_and_a_zone(void **state)
{
    maker *m = *state;
    node *type = make_table(m);
    set16(type, TIMESTAMP_UNIT, 2);
    set_node(type, TIMESTAMP_ZONE, make_text(m, "Europe/Paris"));
    fletch_type timestamp = read_type(m, FLETCH_TYPE_TIMESTAMP, type);
    assert_int_equal(timestamp.as.timestamp.unit, FLETCH_MICROSECOND);
    assert_true(is_text(timestamp.as.timestamp.timezone, "Europe/Paris"));
}

static void an_interval_defaults_to_year_month(void **state)
{
    maker *m = *state;
    assert_int_equal(read_bare(m, FLETCH_TYPE_INTERVAL).as.interval.unit, FLETCH_YEAR_MONTH);
    fletch_type nano = read_with_16(m, FLETCH_TYPE_INTERVAL, 2);
    assert_int_equal(nano.as.interval.unit, FLETCH_MONTH_DAY_NANO);
}

static void a_duration_defaults_to_milliseconds(void **state)
{
    maker *m = *state;
    assert_int_equal(read_bare(m, FLETCH_TYPE_DURATION).as.duration.unit, FLETCH_MILLISECOND);
    assert_int_equal(read_with_16(m, FLETCH_TYPE_DURATION, 0).as.duration.unit, FLETCH_SECOND);
}

static void fixed_sizes_are_read(void **state)
{
    maker *m = *state;
    fletch_type binary = read_with_32(m, FLETCH_TYPE_FIXED_SIZE_BINARY, 16);
    fletch_type list = read_with_32(m, FLETCH_TYPE_FIXED_SIZE_LIST, -7);
    assert_int_equal(binary.as.fixed_size_binary.byte_width, 16);
    assert_int_equal(list.as.fixed_size_list.list_size, -7);
}

static void fixed_sizes_default_to_zero(void **state)
{
    maker *m = *state;
    fletch_type binary = read_bare(m, FLETCH_TYPE_FIXED_SIZE_BINARY);
    fletch_type list = read_bare(m, FLETCH_TYPE_FIXED_SIZE_LIST);
    assert_int_equal(binary.as.fixed_size_binary.byte_width, 0);
    assert_int_equal(list.as.fixed_size_list.list_size, 0);
}

static void a_map_tells_whether_its_keys_are_sorted(void **state)
{
    maker *m = *state;
    node *type = make_table(m);
    set8(type, 0, 1);
    assert_true(read_type(m, FLETCH_TYPE_MAP, type).as.map.keys_sorted);
    assert_false(read_bare(m, FLETCH_TYPE_MAP).as.map.keys_sorted);
}

static void a_bool_of_two_reads_as_true(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    set8(field, FIELD_NULLABLE, 2);
    assert_true(read_field_of(m, field).nullable);
}

/* Unions */

static node *union_type(maker *m, const int32_t *ids, size_t count)
{
    node *type = make_table(m), *vector = make_vector(m, 4);
    for (size_t i = 0; i < count; i++)
        append_number(vector, ids[i]);
    set_node(type, UNION_TYPE_IDS, vector);
    return type;
}

static void a_union_defaults_to_sparse_with_ids_by_position(void **state)
{
    fletch_type type = read_bare(*state, FLETCH_TYPE_UNION);
    assert_int_equal(type.as.union_.mode, FLETCH_SPARSE);
    assert_false(type.as.union_.has_type_ids);
    assert_int_equal(type.as.union_.type_ids.count, 0);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(fletch_union_type_id(&type, i), i);
}

static void a_union_keeps_its_type_ids(void **state)
{
    static const int32_t ids[] = {5, 7, -1};
    maker *m = *state;
    fletch_type type = read_type(m, FLETCH_TYPE_UNION, union_type(m, ids, 3));
    assert_true(type.as.union_.has_type_ids);
    assert_int_equal(type.as.union_.type_ids.count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(fletch_union_type_id(&type, i), ids[i]);
}

static void a_union_tells_empty_type_ids_from_none(void **state)
{
    maker *m = *state;
    fletch_type type = read_type(m, FLETCH_TYPE_UNION, union_type(m, NULL, 0));
    assert_true(type.as.union_.has_type_ids);
    assert_int_equal(type.as.union_.type_ids.count, 0);
}

static void an_integer_beyond_the_count_is_zero(void **state)
{
    static const int32_t ids[] = {5, 7};
    maker *m = *state;
    fletch_type type = read_type(m, FLETCH_TYPE_UNION, union_type(m, ids, 2));
    assert_int_equal(fletch_integer_at(&type.as.union_.type_ids, 1), 7);
    assert_int_equal(fletch_integer_at(&type.as.union_.type_ids, 2), 0);
    assert_int_equal(fletch_integer_at(&type.as.union_.type_ids, UINT32_MAX), 0);
}

static void integers_of_the_callers_are_read_in_native_order(void **state)
{
    static const int32_t four[] = {1, -2};
    static const int64_t eight[] = {INT64_MIN, 3};
    const fletch_integers small = {four, 2, 4, true, 0, 0}, wide = {eight, 2, 8, true, 0, 0};
    (void)state;
    assert_int_equal(fletch_integer_at(&small, 1), -2);
    assert_true(fletch_integer_at(&wide, 0) == INT64_MIN);
    assert_int_equal(fletch_integer_at(&wide, 1), 3);
}

static void integers_of_the_wire_need_no_alignment(void **state)
{
    static const uint8_t bytes[] = {0, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F};
    const fletch_integers four = {bytes, 2, 4, false, 1, sizeof bytes};
    const fletch_integers eight = {bytes, 1, 8, false, 1, sizeof bytes};
    (void)state;
    assert_int_equal(fletch_integer_at(&four, 0), -2);
    assert_int_equal(fletch_integer_at(&four, 1), INT32_MAX);
    assert_true(fletch_integer_at(&eight, 0) == INT64_MAX - 1);
}

/* Fields */

static void a_fields_members_are_read(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    fletch_schema schema = open_as(finish(m, s.schema), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_field field = field_number(&schema, 0);
    assert_true(is_text(field.name, "col"));
    assert_true(field.has_name);
    assert_true(field.nullable);
    assert_false(field.has_dictionary);
    assert_true(field.has_children);
    assert_true(field.has_metadata);
    assert_int_equal(fletch_count_fields(&field.children), 0);
    assert_int_equal(fletch_count_metadata(&field.metadata), 1);
    assert_int_equal(field.at, place(s.field));
    assert_int_equal(field.type.at, place(s.type));
    assert_int_equal(schema.at, place(s.schema));
}

static void an_empty_field_has_nothing(void **state)
{
    maker *m = *state;
    fletch_field field = read_field_of(m, make_table(m));
    assert_false(field.has_name);
    assert_true(is_text(field.name, ""));
    assert_non_null(field.name.data);
    assert_false(field.nullable);
    assert_int_equal(field.type.id, FLETCH_TYPE_NONE);
    assert_int_equal(field.type.at, 0);
    assert_false(field.has_dictionary);
    assert_false(field.has_children);
    assert_false(field.has_metadata);
    assert_int_equal(fletch_count_fields(&field.children), 0);
    assert_int_equal(fletch_count_metadata(&field.metadata), 0);
}

static void an_empty_name_is_told_from_none(void **state)
{
    maker *m = *state;
    fletch_field field = read_field_of(m, int_field(m, ""));
    assert_true(field.has_name);
    assert_true(is_text(field.name, ""));
}

static void empty_children_are_told_from_none(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    assert_true(read_field_of(m, field).has_children);
    drop(field, FIELD_CHILDREN);
    assert_false(read_field_of(m, field).has_children);
}

static void empty_metadata_is_told_from_none(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    assert_false(read_field_of(m, field).has_metadata);
    set_node(field, FIELD_METADATA, make_list(m));
    assert_true(read_field_of(m, field).has_metadata);
}

static void a_dictionary_is_read(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a");
    node *dictionary = add_dictionary(m, field, INT64_MIN + 1, int_type(m, 8, false));
    set8(dictionary, DICTIONARY_ORDERED, 1);
    set16(dictionary, DICTIONARY_KIND, 3);
    fletch_field read = read_field_of(m, field);
    assert_true(read.has_dictionary);
    assert_true(read.dictionary.id == INT64_MIN + 1);
    assert_true(read.dictionary.has_index_type);
    assert_int_equal(read.dictionary.index_type.bit_width, 8);
    assert_false(read.dictionary.index_type.is_signed);
    assert_true(read.dictionary.is_ordered);
    assert_int_equal(read.dictionary.kind, 3);
}

static void an_absent_index_type_is_signed_32(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a");
    set_node(field, FIELD_DICTIONARY, make_table(m));
    fletch_field read = read_field_of(m, field);
    assert_true(read.has_dictionary);
    assert_false(read.dictionary.has_index_type);
    assert_int_equal(read.dictionary.index_type.bit_width, 32);
    assert_true(read.dictionary.index_type.is_signed);
    assert_int_equal(read.dictionary.id, 0);
    assert_false(read.dictionary.is_ordered);
    assert_int_equal(read.dictionary.kind, FLETCH_DENSE_ARRAY);
}

static void an_empty_index_type_is_no_default(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a");
    add_dictionary(m, field, 0, make_table(m));
    fletch_field read = read_field_of(m, field);
    assert_true(read.dictionary.has_index_type);
    assert_int_equal(read.dictionary.index_type.bit_width, 0);
    assert_false(read.dictionary.index_type.is_signed);
}

/* Schemas and wrappers */

static void a_schemas_members_are_read(void **state)
{
    maker *m = *state;
    node *root = schema_with(m, int_field(m, "a")), *features = make_vector(m, 8);
    append_number(features, 1);
    append_number(features, INT64_MIN);
    set_node(root, SCHEMA_FEATURES, features);
    set16(root, SCHEMA_ENDIANNESS, 1);
    add_pair(m, root, SCHEMA_METADATA, "k", "v");
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
    assert_int_equal(schema.endianness, FLETCH_BIG_ENDIAN);
    assert_true(schema.has_fields && schema.has_metadata && schema.has_features);
    assert_int_equal(fletch_count_fields(&schema.fields), 1);
    assert_int_equal(fletch_count_metadata(&schema.metadata), 1);
    assert_int_equal(schema.features.count, 2);
    assert_int_equal(fletch_integer_at(&schema.features, 0), FLETCH_FEATURE_DICTIONARY_REPLACEMENT);
    assert_true(fletch_integer_at(&schema.features, 1) == INT64_MIN);
}

static void an_empty_schema_has_nothing(void **state)
{
    maker *m = *state;
    block b = finish(m, make_table(m));
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
    assert_int_equal(schema.endianness, FLETCH_LITTLE_ENDIAN);
    assert_false(schema.has_fields || schema.has_metadata || schema.has_features);
    assert_int_equal(fletch_count_fields(&schema.fields), 0);
    assert_int_equal(fletch_count_metadata(&schema.metadata), 0);
    assert_int_equal(schema.features.count, 0);
}

static void empty_members_of_a_schema_are_told_from_none(void **state)
{
    maker *m = *state;
    node *root = new_schema(m);
    set_node(root, SCHEMA_METADATA, make_list(m));
    set_node(root, SCHEMA_FEATURES, make_vector(m, 8));
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_true(schema.has_fields && schema.has_metadata && schema.has_features);
    assert_int_equal(fletch_count_fields(&schema.fields), 0);
}

static void a_bare_schema_has_no_version(void **state)
{
    maker *m = *state;
    block b = finish(m, make_sample(m).schema);
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    assert_int_equal(schema.wrapper.kind, FLETCH_SCHEMA);
    assert_false(schema.wrapper.has_version);
    assert_false(schema.wrapper.has_metadata);
    assert_int_equal(schema.wrapper.begin, 0);
    assert_int_equal(schema.wrapper.flatbuffer, 0);
    assert_int_equal(schema.wrapper.end, b.size);
}

static void a_messages_members_are_read(void **state)
{
    maker *m = *state;
    node *message = new_message(m, make_sample(m).schema);
    set64(message, MESSAGE_BODY, 1LL << 50);
    add_pair(m, message, MESSAGE_METADATA, "of the", "message");
    fletch_schema schema = open_as(finish(m, message), FLETCH_MESSAGE, FLETCH_LEVEL_ARROW);
    assert_int_equal(schema.wrapper.kind, FLETCH_MESSAGE);
    assert_true(schema.wrapper.has_version);
    assert_int_equal(schema.wrapper.version, FLETCH_V5);
    assert_int_equal(schema.wrapper.header_type, FLETCH_HEADER_SCHEMA);
    assert_true(schema.wrapper.body_length == 1LL << 50);
    assert_true(schema.wrapper.has_metadata);
    assert_int_equal(fletch_count_metadata(&schema.wrapper.metadata), 1);
    assert_int_equal(fletch_count_fields(&schema.fields), 1);
}

static void a_footers_members_are_read(void **state)
{
    maker *m = *state;
    node *footer = new_footer(m, make_sample(m).schema);
    set16(footer, FOOTER_VERSION, FLETCH_V4);
    add_pair(m, footer, FOOTER_METADATA, "of the", "footer");
    fletch_schema schema = open_as(finish(m, footer), FLETCH_FOOTER, FLETCH_LEVEL_ARROW);
    assert_int_equal(schema.wrapper.kind, FLETCH_FOOTER);
    assert_int_equal(schema.wrapper.version, FLETCH_V4);
    assert_int_equal(fletch_count_metadata(&schema.wrapper.metadata), 1);
    assert_int_equal(fletch_count_fields(&schema.fields), 1);
}

/* Texts */

static void a_null_text_is_the_empty_string(void **state)
{
    (void)state;
    assert_true(is_text(fletch_text(NULL), ""));
    assert_true(is_text(fletch_text("ab"), "ab"));
    assert_non_null(fletch_text(NULL).data);
}

static void strings_are_the_same_by_their_bytes(void **state)
{
    const fletch_string with_nul = {"a\0b", 3}, other = {"a\0c", 3};
    (void)state;
    assert_true(fletch_same_string(fletch_text("a"), fletch_text("a")));
    assert_false(fletch_same_string(fletch_text("a"), fletch_text("ab")));
    assert_false(fletch_same_string(with_nul, other));
    assert_true(fletch_same_string(fletch_text(""), fletch_text(NULL)));
}

static void every_status_has_a_word_and_a_text(void **state)
{
    static const char *const words[] = {"ok",        "empty",      "truncated",     "unrecognised",
                                        "malformed", "limit",      "unsupported",   "missing",
                                        "invalid",   "bad-base64", "not-a-message", "not-a-schema",
                                        "no-space",  "no-memory",  "too-large",     "misuse",
                                        "different"};
    (void)state;
    for (int i = 0; i < 17; i++) {
        assert_string_equal(fletch_status_word((fletch_status)i), words[i]);
        assert_true(strlen(fletch_status_text((fletch_status)i)) > 0);
    }
    assert_string_equal(fletch_status_word((fletch_status)17), "unknown");
    assert_non_null(fletch_status_text((fletch_status)99));
}

static void every_kind_has_a_word(void **state)
{
    static const char *const words[] = {"schema", "message", "footer",  "encapsulated",
                                        "stream", "file",    "parquet", "base64"};
    (void)state;
    for (int i = 0; i < 8; i++)
        assert_string_equal(fletch_kind_word((fletch_kind)(i + 1)), words[i]);
    assert_non_null(fletch_kind_word((fletch_kind)99));
}

static void the_library_is_of_the_version_of_its_headers(void **state)
{
    (void)state;
    assert_string_equal(fletch_version(), FLETCH_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_numbers_of_the_types_are_arrows),
        cmocka_unit_test(a_type_beyond_the_last_has_no_name),
        WITH_MAKER(every_type_keeps_its_tag),
        WITH_MAKER(a_tag_from_the_future_keeps_its_number),
        WITH_MAKER(an_int_has_a_width_and_a_sign),
        WITH_MAKER(an_int_with_nothing_stored_is_unsigned_and_zero_bits_wide),
        WITH_MAKER(a_floating_point_defaults_to_half),
        WITH_MAKER(an_enumerator_below_zero_keeps_its_sign),
        WITH_MAKER(a_decimal_defaults_to_128_bits),
        WITH_MAKER(a_decimal_has_precision_scale_and_width),
        WITH_MAKER(a_date_defaults_to_milliseconds),
        WITH_MAKER(a_time_defaults_to_32_bits_of_milliseconds),
        WITH_MAKER(a_timestamp_defaults_to_seconds_without_a_zone),
        WITH_MAKER(a_timestamp_tells_an_empty_zone_from_none),
        WITH_MAKER(a_timestamp_has_a_unit_and_a_zone),
        WITH_MAKER(an_interval_defaults_to_year_month),
        WITH_MAKER(a_duration_defaults_to_milliseconds),
        WITH_MAKER(fixed_sizes_are_read),
        WITH_MAKER(fixed_sizes_default_to_zero),
        WITH_MAKER(a_map_tells_whether_its_keys_are_sorted),
        WITH_MAKER(a_bool_of_two_reads_as_true),
        WITH_MAKER(a_union_defaults_to_sparse_with_ids_by_position),
        WITH_MAKER(a_union_keeps_its_type_ids),
        WITH_MAKER(a_union_tells_empty_type_ids_from_none),
        WITH_MAKER(an_integer_beyond_the_count_is_zero),
        cmocka_unit_test(integers_of_the_callers_are_read_in_native_order),
        cmocka_unit_test(integers_of_the_wire_need_no_alignment),
        WITH_MAKER(a_fields_members_are_read),
        WITH_MAKER(an_empty_field_has_nothing),
        WITH_MAKER(an_empty_name_is_told_from_none),
        WITH_MAKER(empty_children_are_told_from_none),
        WITH_MAKER(empty_metadata_is_told_from_none),
        WITH_MAKER(a_dictionary_is_read),
        WITH_MAKER(an_absent_index_type_is_signed_32),
        WITH_MAKER(an_empty_index_type_is_no_default),
        WITH_MAKER(a_schemas_members_are_read),
        WITH_MAKER(an_empty_schema_has_nothing),
        WITH_MAKER(empty_members_of_a_schema_are_told_from_none),
        WITH_MAKER(a_bare_schema_has_no_version),
        WITH_MAKER(a_messages_members_are_read),
        WITH_MAKER(a_footers_members_are_read),
        cmocka_unit_test(a_null_text_is_the_empty_string),
        cmocka_unit_test(strings_are_the_same_by_their_bytes),
        cmocka_unit_test(every_status_has_a_word_and_a_text),
        cmocka_unit_test(every_kind_has_a_word),
        cmocka_unit_test(the_library_is_of_the_version_of_its_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
