/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading: steps through fields and pairs, finding, walking, and what becomes of damaged bytes.
 */
#include "support/check.h"
#include "support/wire.h"

#include <string.h>

/* The model of one field of this type, in a schema of its own. */
static fletch_field read_field_of(maker *m, node *field)
{
    fletch_schema schema =
        open_as(finish(m, schema_with(m, field)), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
    assert_int_equal(fletch_count_fields(&schema.fields), 1);
    return field_number(&schema, 0);
}

/* Opened whole, damaged afterwards, opened again without checking. */
static fletch_schema open_unchecked(block b)
{
    return open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
}

/* Steps */

static node *three_fields(maker *m)
{
    node *schema = schema_with(m, int_field(m, "a"));
    add_field(schema, text_field(m, "b"));
    add_field(schema, int_field(m, "a"));
    return schema;
}

static void fields_come_in_their_order(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(finish(m, three_fields(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_fields fields = schema.fields;
    fletch_field field;
    static const char *const names[] = {"a", "b", "a"};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(fletch_count_fields(&fields), 3 - i);
        assert_true(fletch_next_field(&fields, &field));
        assert_true(is_text(field.name, names[i]));
    }
    assert_false(fletch_next_field(&fields, &field));
    assert_int_equal(fields.status, FLETCH_OK);
    assert_int_equal(fletch_count_fields(&fields), 0);
}

static void the_end_of_the_fields_stays_the_end(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(finish(m, new_schema(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_field field;
    for (int i = 0; i < 3; i++)
        assert_false(fletch_next_field(&schema.fields, &field));
    assert_int_equal(schema.fields.status, FLETCH_OK);
}

static void a_copy_of_the_fields_steps_on_its_own(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(finish(m, three_fields(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_fields copy = schema.fields;
    fletch_field field;
    assert_true(fletch_next_field(&copy, &field));
    assert_int_equal(fletch_count_fields(&schema.fields), 3);
    assert_int_equal(fletch_count_fields(&copy), 2);
}

static void a_field_by_its_index_counts_from_the_next(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(finish(m, three_fields(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_field field;
    assert_int_equal(fletch_field_at(&schema.fields, 1, &field), FLETCH_OK);
    assert_true(is_text(field.name, "b"));
    assert_true(fletch_next_field(&schema.fields, &field));
    assert_int_equal(fletch_field_at(&schema.fields, 0, &field), FLETCH_OK);
    assert_true(is_text(field.name, "b"));
}

static void a_field_beyond_the_last_is_missing(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(finish(m, three_fields(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_field field;
    assert_int_equal(fletch_field_at(&schema.fields, 3, &field), FLETCH_MISSING);
    assert_int_equal(fletch_field_at(&schema.fields, UINT32_MAX, &field), FLETCH_MISSING);
    assert_int_equal(fletch_field_at(&schema.fields, 0x40000000, &field), FLETCH_MISSING);
}

static void pairs_come_in_their_order(void **state)
{
    maker *m = *state;
    node *root = new_schema(m);
    add_pair(m, root, SCHEMA_METADATA, "k", "1");
    add_pair(m, root, SCHEMA_METADATA, NULL, NULL);
    add_pair(m, root, SCHEMA_METADATA, "", "");
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_metadata pairs = schema.metadata;
    fletch_key_value pair;
    assert_int_equal(fletch_count_metadata(&pairs), 3);
    assert_true(fletch_next_metadata(&pairs, &pair));
    assert_true(is_text(pair.key, "k") && is_text(pair.value, "1"));
    assert_true(fletch_next_metadata(&pairs, &pair));
    assert_false(pair.has_key || pair.has_value);
    assert_non_null(pair.key.data);
    assert_non_null(pair.value.data);
    assert_true(fletch_next_metadata(&pairs, &pair));
    assert_true(pair.has_key && pair.has_value && is_text(pair.key, "") && is_text(pair.value, ""));
    assert_false(fletch_next_metadata(&pairs, &pair));
    assert_int_equal(pairs.status, FLETCH_OK);
}

static void a_string_may_hold_nul(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    set_node(field, FIELD_NAME, make_string(m, "a\0b", 3));
    fletch_field read = read_field_of(m, field);
    assert_int_equal(read.name.size, 3);
    assert_memory_equal(read.name.data, "a\0b", 3);
}

/* Finding */

static void a_field_is_found_by_its_name_the_first_of_two(void **state)
{
    maker *m = *state;
    node *root = three_fields(m);
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_field field, first = field_number(&schema, 0);
    assert_int_equal(fletch_find_field(&schema.fields, fletch_text("a"), &field), FLETCH_OK);
    assert_int_equal(field.at, first.at);
    assert_int_equal(fletch_find_field(&schema.fields, fletch_text("b"), &field), FLETCH_OK);
    assert_int_equal(field.type.id, FLETCH_TYPE_UTF8);
}

static void a_name_that_no_field_has_is_missing(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(finish(m, three_fields(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    static const char *const names[] = {"", "A", "aa", "c", "a.b"};
    fletch_field field;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(fletch_find_field(&schema.fields, fletch_text(names[i]), &field),
                         FLETCH_MISSING);
}

static void a_name_leads_to_an_index(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(finish(m, three_fields(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_field field;
    uint32_t index = 9;
    assert_int_equal(fletch_find_index(&schema.fields, fletch_text("c"), &index), FLETCH_MISSING);
    assert_int_equal(index, 3);
    assert_int_equal(fletch_find_index(&schema.fields, fletch_text("b"), &index), FLETCH_OK);
    assert_int_equal(index, 1);
    assert_int_equal(fletch_field_at(&schema.fields, index, &field), FLETCH_OK);
    assert_int_equal(field.type.id, FLETCH_TYPE_UTF8);
    assert_true(fletch_next_field(&schema.fields, &field));
    assert_int_equal(fletch_find_index(&schema.fields, fletch_text("b"), &index), FLETCH_OK);
    assert_int_equal(index, 0);
}

static void finding_looks_only_at_what_is_left(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(finish(m, three_fields(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_field field, last = field_number(&schema, 2);
    assert_true(fletch_next_field(&schema.fields, &field));
    assert_int_equal(fletch_find_field(&schema.fields, fletch_text("a"), &field), FLETCH_OK);
    assert_int_equal(field.at, last.at);
}

/* a: struct { b.c: struct { d\e: int32, "": int32 } } */
static node *dotted(maker *m)
{
    node *a = nested_field(m, "a", FLETCH_TYPE_STRUCT);
    node *b = add_child(a, nested_field(m, "b.c", FLETCH_TYPE_STRUCT));
    add_child(b, int_field(m, "d\\e"));
    add_child(b, text_field(m, ""));
    return schema_with(m, a);
}

static fletch_status find_in_dotted(maker *m, const char *path, fletch_field *field)
{
    fletch_schema schema = open_as(finish(m, dotted(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    return fletch_find_path(&schema.fields, fletch_text(path), field);
}

static void a_path_leads_down_by_names(void **state)
{
    fletch_field field;
    assert_int_equal(find_in_dotted(*state, "a", &field), FLETCH_OK);
    assert_true(is_text(field.name, "a"));
    assert_int_equal(find_in_dotted(*state, "a.b\\.c", &field), FLETCH_OK);
    assert_true(is_text(field.name, "b.c"));
    assert_int_equal(find_in_dotted(*state, "a.b\\.c.d\\\\e", &field), FLETCH_OK);
    assert_true(is_text(field.name, "d\\e"));
    assert_int_equal(find_in_dotted(*state, "a.b\\.c.", &field), FLETCH_OK);
    assert_int_equal(field.type.id, FLETCH_TYPE_UTF8);
}

static void a_path_may_end_in_an_escape(void **state)
{
    static const char *const names[] = {"b.", "b\\", "."}, *const paths[] = {"b\\.", "b\\\\",
                                                                             "\\."};
    maker *m = *state;
    for (size_t i = 0; i < 3; i++) {
        fletch_schema schema = open_as(finish(m, schema_with(m, int_field(m, names[i]))),
                                       FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
        fletch_field field;
        assert_int_equal(fletch_find_path(&schema.fields, fletch_text(paths[i]), &field),
                         FLETCH_OK);
    }
}

static void a_path_that_leads_nowhere_is_missing(void **state)
{
    static const char *const paths[] = {"",       "b",         "a.",        "a.b",
                                        "a.b.c",  ".a",        "a.b\\.c.d", "a\\.b\\.c",
                                        "a.b\\.", "a.b\\.c\\", "a.b\\.c..", "a.b\\.c.d\\\\e.f"};
    fletch_field field;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (find_in_dotted(*state, paths[i], &field) == FLETCH_MISSING) continue;
        fail_msg("the path %s led somewhere", paths[i]);
    }
}

static node *repeated_keys(maker *m)
{
    node *root = new_schema(m);
    add_pair(m, root, SCHEMA_METADATA, "a", "1");
    add_pair(m, root, SCHEMA_METADATA, "b", "2");
    add_pair(m, root, SCHEMA_METADATA, NULL, "none");
    add_pair(m, root, SCHEMA_METADATA, "a", "3");
    add_pair(m, root, SCHEMA_METADATA, "", "empty");
    return root;
}

static void a_key_is_found_again_and_again(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(finish(m, repeated_keys(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_metadata pairs = schema.metadata;
    fletch_key_value pair;
    assert_true(fletch_find_metadata(&pairs, fletch_text("a"), &pair));
    assert_true(is_text(pair.value, "1"));
    assert_true(fletch_find_metadata(&pairs, fletch_text("a"), &pair));
    assert_true(is_text(pair.value, "3"));
    assert_false(fletch_find_metadata(&pairs, fletch_text("a"), &pair));
    assert_int_equal(pairs.status, FLETCH_OK);
}

static void a_pair_without_a_key_matches_nothing(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(finish(m, repeated_keys(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_metadata pairs = schema.metadata;
    fletch_key_value pair;
    assert_true(fletch_find_metadata(&pairs, fletch_text(""), &pair));
    assert_true(is_text(pair.value, "empty"));
}

static void an_extension_has_a_name_and_metadata(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    add_pair(m, field, FIELD_METADATA, "ARROW:extension:metadata", "opaque");
    add_pair(m, field, FIELD_METADATA, "ARROW:extension:name", "arrow.uuid");
    fletch_field read = read_field_of(m, field);
    fletch_extension extension;
    assert_int_equal(fletch_find_extension(&read, &extension), FLETCH_OK);
    assert_true(is_text(extension.name, "arrow.uuid"));
    assert_true(is_text(extension.metadata, "opaque"));
    assert_true(extension.has_metadata);
}

static void an_extension_may_come_without_metadata(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    add_pair(m, field, FIELD_METADATA, "ARROW:extension:name", "arrow.uuid");
    fletch_field read = read_field_of(m, field);
    fletch_extension extension;
    assert_int_equal(fletch_find_extension(&read, &extension), FLETCH_OK);
    assert_false(extension.has_metadata);
    assert_true(is_text(extension.metadata, ""));
}

static void a_field_without_the_key_is_no_extension(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    add_pair(m, field, FIELD_METADATA, "ARROW:extension:metadata", "opaque");
    fletch_field read = read_field_of(m, field);
    fletch_extension extension;
    assert_int_equal(fletch_find_extension(&read, &extension), FLETCH_MISSING);
}

/* Buffers */

static void buffers_are_counted_by_type(void **state)
{
    /* by type id; unions, which depend on the version, apart */
    static const int counts[27] = {-1, 0, 2, 2, 3, 3, 2, 2, 2, 2, 2, 2, 2, 1,
                                   -9, 2, 1, 2, 2, 3, 3, 2, 0, 2, 2, 3, 3};
    maker *m = *state;
    for (int tag = 1; tag <= 26; tag++) {
        fletch_field field = read_field_of(m, nested_field(m, "a", tag));
        if (tag == FLETCH_TYPE_UNION) continue;
        if (fletch_count_buffers(&field, FLETCH_V5) != counts[tag] ||
            fletch_count_buffers(&field, FLETCH_V4) != counts[tag])
            fail_msg("%s has another number of buffers", fletch_type_name(tag));
    }
}

static void a_type_that_is_unknown_has_an_unknown_number_of_buffers(void **state)
{
    maker *m = *state;
    fletch_field field = read_field_of(m, nested_field(m, "a", 27));
    assert_int_equal(fletch_count_buffers(&field, FLETCH_V5), -1);
    field.type.id = -1; /* only fields made by hand have that */
    assert_int_equal(fletch_count_buffers(&field, FLETCH_V5), -1);
}

static void a_union_lost_its_validity_buffer_in_v5(void **state)
{
    maker *m = *state;
    node *dense_type = make_table(m);
    set16(dense_type, UNION_MODE, 1);
    fletch_field sparse = read_field_of(m, nested_field(m, "a", FLETCH_TYPE_UNION));
    fletch_field dense = read_field_of(m, new_field(m, "a", FLETCH_TYPE_UNION, dense_type));
    assert_int_equal(fletch_count_buffers(&sparse, FLETCH_V4), 2);
    assert_int_equal(fletch_count_buffers(&sparse, FLETCH_V5), 1);
    assert_int_equal(fletch_count_buffers(&dense, FLETCH_V4), 3);
    assert_int_equal(fletch_count_buffers(&dense, FLETCH_V5), 2);
}

static void a_dictionary_encoded_field_has_the_buffers_of_its_indices(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a");
    add_dictionary(m, field, 0, int_type(m, 8, true));
    fletch_field read = read_field_of(m, field);
    assert_int_equal(fletch_count_buffers(&read, FLETCH_V5), 2);
}

/* Walking */

/* a: struct { b: list { item: int32 }, c: int32 }, d: int32 */
static node *small_tree(maker *m)
{
    node *a = nested_field(m, "a", FLETCH_TYPE_STRUCT);
    node *b = add_child(a, nested_field(m, "b", FLETCH_TYPE_LIST));
    add_child(b, int_field(m, "item"));
    add_child(a, int_field(m, "c"));
    node *root = schema_with(m, a);
    add_field(root, int_field(m, "d"));
    return root;
}

/* "name depth index;" of each field that a walk returns; children of `skipped` are left out. */
static void tell_walk(const fletch_schema *schema, const char *skipped, paper *told)
{
    fletch_walk walk;
    fletch_field field;
    fletch_walk_begin(&walk, schema, NULL);
    while (fletch_walk_next(&walk, &field)) {
        const char numbers[] = {' ', (char)('0' + walk.depth), ' ', (char)('0' + walk.index), ';'};
        write_on(told, field.name.data, field.name.size);
        write_on(told, numbers, sizeof numbers);
        if (is_text(field.name, skipped)) fletch_walk_skip(&walk);
    }
    assert_int_equal(walk.status, FLETCH_OK);
}

static void check_walk(maker *m, const char *skipped, const char *expected)
{
    fletch_schema schema = open_as(finish(m, small_tree(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    paper told = {0};
    tell_walk(&schema, skipped, &told);
    assert_string_equal(told.text, expected);
    tear_up(&told);
}

static void a_walk_goes_through_each_field_before_its_children(void **state)
{
    check_walk(*state, "?", "a 0 0;b 1 0;item 2 0;c 1 1;d 0 1;");
}

static void a_walk_can_leave_out_children(void **state)
{
    check_walk(*state, "b", "a 0 0;b 1 0;c 1 1;d 0 1;");
    check_walk(*state, "a", "a 0 0;d 0 1;");
}

static void leaving_out_the_children_of_a_leaf_changes_nothing(void **state)
{
    check_walk(*state, "item", "a 0 0;b 1 0;item 2 0;c 1 1;d 0 1;");
    check_walk(*state, "d", "a 0 0;b 1 0;item 2 0;c 1 1;d 0 1;");
}

static void a_walk_over_no_fields_ends_at_once(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(finish(m, new_schema(m)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_status status;
    assert_int_equal(walk_all(&schema, &status), 0);
    assert_int_equal(status, FLETCH_OK);
}

static void a_walk_goes_128_fields_deep(void **state)
{
    maker *m = *state;
    fletch_schema schema =
        open_as(finish(m, deep_schema(m, 128)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_status status;
    assert_int_equal(walk_all(&schema, &status), 128);
    assert_int_equal(status, FLETCH_OK);
}

static void a_walk_ends_with_a_limit_at_129(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_unchecked(finish(m, deep_schema(m, 129)));
    fletch_status status;
    walk_all(&schema, &status);
    assert_int_equal(status, FLETCH_LIMIT);
}

static void a_walk_has_a_budget_of_tables(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_unchecked(finish(m, fan_schema(m, 24, 2)));
    fletch_status status;
    uint64_t seen = walk_all(&schema, &status);
    assert_int_equal(status, FLETCH_LIMIT);
    assert_in_range(seen, 1, schema.buffer.size);
}

static void a_walk_takes_limits(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(finish(m, deep_schema(m, 5)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    const fletch_limits limits = {.depth = 4};
    fletch_walk walk;
    fletch_field field;
    fletch_walk_begin(&walk, &schema, &limits);
    while (fletch_walk_next(&walk, &field))
        assert_in_range(walk.depth, 0, 3);
    assert_int_equal(walk.status, FLETCH_LIMIT);
}

/* Damage */

/* Three fields, the offset of the second spoiled. */
static fletch_schema damaged_fields(maker *m)
{
    node *root = three_fields(m);
    block b = finish(m, root);
    poke32(b, place_of_element(member(root, SCHEMA_FIELDS), 1), 0x7FFFFFF0);
    return open_unchecked(b);
}

static void damage_ends_the_fields_with_a_status(void **state)
{
    fletch_schema schema = damaged_fields(*state);
    fletch_field field;
    assert_true(fletch_next_field(&schema.fields, &field));
    assert_false(fletch_next_field(&schema.fields, &field));
    assert_int_equal(schema.fields.status, FLETCH_MALFORMED);
    assert_false(fletch_next_field(&schema.fields, &field));
    assert_int_equal(schema.fields.status, FLETCH_MALFORMED);
}

static void damage_is_told_by_the_index(void **state)
{
    fletch_schema schema = damaged_fields(*state);
    fletch_field field;
    assert_int_equal(fletch_field_at(&schema.fields, 0, &field), FLETCH_OK);
    assert_int_equal(fletch_field_at(&schema.fields, 1, &field), FLETCH_MALFORMED);
    assert_int_equal(fletch_field_at(&schema.fields, 2, &field), FLETCH_OK);
}

static void damage_is_told_by_finding(void **state)
{
    fletch_schema schema = damaged_fields(*state);
    fletch_field field;
    assert_int_equal(fletch_find_field(&schema.fields, fletch_text("a"), &field), FLETCH_OK);
    assert_int_equal(fletch_find_field(&schema.fields, fletch_text("z"), &field), FLETCH_MALFORMED);
    assert_int_equal(fletch_find_path(&schema.fields, fletch_text("z"), &field), FLETCH_MALFORMED);
}

static void damage_ends_a_walk_with_a_status(void **state)
{
    fletch_schema schema = damaged_fields(*state);
    fletch_status status;
    assert_int_equal(walk_all(&schema, &status), 1);
    assert_int_equal(status, FLETCH_MALFORMED);
}

static void damage_ends_the_pairs_with_a_status(void **state)
{
    maker *m = *state;
    node *root = repeated_keys(m);
    block b = finish(m, root);
    poke32(b, place_of_element(member(root, SCHEMA_METADATA), 1), 2);
    fletch_schema schema = open_unchecked(b);
    fletch_metadata pairs = schema.metadata;
    fletch_key_value pair;
    assert_true(fletch_next_metadata(&pairs, &pair));
    assert_false(fletch_next_metadata(&pairs, &pair));
    assert_int_equal(pairs.status, FLETCH_MALFORMED);
    pairs = schema.metadata;
    assert_false(fletch_find_metadata(&pairs, fletch_text("z"), &pair));
    assert_int_equal(pairs.status, FLETCH_MALFORMED);
}

static void an_unchecked_schema_whose_fields_lead_out_is_refused_or_empty(void **state)
{
    maker *m = *state;
    node *root = three_fields(m);
    block b = finish(m, root);
    poke32(b, place_of(root, SCHEMA_FIELDS), 0xFFFFFFF0);
    fletch_schema schema;
    fletch_options options = {.kind = FLETCH_SCHEMA, .level = FLETCH_LEVEL_UNCHECKED};
    assert_int_equal(fletch_open_with(b.bytes, b.size, &options, &schema, NULL), FLETCH_MALFORMED);
    assert_int_equal(walk_by_hand(&schema, 100), 0);
}

static void any_byte_may_be_spoiled_after_the_opening(void **state)
{
    static const uint8_t spoilt[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
    maker *m = *state;
    node *root = small_tree(m);
    node *encoded = text_field(m, "x");
    add_dictionary(m, encoded, 1, int_type(m, 8, true));
    add_field(root, encoded);
    add_pair(m, root, SCHEMA_METADATA, "k", "v");
    block b = finish(m, root);
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_status status;
    for (size_t at = 0; at < b.size; at++) {
        uint8_t kept = b.bytes[at];
        for (size_t i = 0; i < sizeof spoilt; i++) {
            poke8(b, at, spoilt[i]);
            walk_by_hand(&schema, 1000);
            walk_all(&schema, &status);
        }
        poke8(b, at, kept);
    }
    assert_int_equal(walk_all(&schema, &status), 6);
    assert_int_equal(status, FLETCH_OK);
}

static fletch_schema damaged_pairs(maker *m)
{
    node *schema = new_schema(m);
    node *pair = add_pair(m, schema, SCHEMA_METADATA, "first", "1");
    add_pair(m, schema, SCHEMA_METADATA, "second", "2");
    block b = finish(m, schema);
    poke32(b, place_of(pair, PAIR_KEY), 0x7FFFFFFC);
    return open_unchecked(b);
}

static void damage_in_pairs_stays_the_end_of_them(void **state)
{
    fletch_schema schema = damaged_pairs(*state);
    fletch_key_value pair;
    for (int i = 0; i < 2; i++) {
        assert_false(fletch_next_metadata(&schema.metadata, &pair));
        assert_int_equal(schema.metadata.status, FLETCH_MALFORMED);
    }
}

static void damage_in_pairs_ends_a_walk_over_them(void **state)
{
    fletch_schema schema = damaged_pairs(*state);
    fletch_walk walk;
    fletch_key_value pair;
    fletch_walk_begin(&walk, &schema, NULL);
    for (int i = 0; i < 2; i++) {
        assert_false(fletch_walk_metadata(&walk, &schema.metadata, &pair));
        assert_int_equal(schema.metadata.status, FLETCH_MALFORMED);
        assert_int_equal(walk.status, FLETCH_MALFORMED);
    }
}

/* Of the fields before the one that is looked for, table and vtable count, and offset and string of
 * the name. */
static void damage_on_the_way_to_a_name_ends_the_search(void **state)
{
    maker *m = *state;
    for (int i = 0; i < 6; i++) {
        node *root = three_fields(m), *first = first_of(member(root, SCHEMA_FIELDS));
        block b = finish(m, root);
        fletch_field field;
        if (i == 0) poke32(b, place(first), 0x40000000);
        if (i == 1) poke32(b, place_of(first, FIELD_NAME), 0);
        if (i == 2) poke32(b, place(member(first, FIELD_NAME)), 0x40000000);
        if (i == 3) poke16(b, vtable_of(first), 0xFFFE);
        if (i == 4) poke16(b, vtable_of(first) + 2, 0xFFFE);
        if (i == 5) poke16(b, vtable_slot_of(first, FIELD_NAME), 2);
        fletch_schema schema = open_unchecked(b);
        assert_int_equal(fletch_find_field(&schema.fields, fletch_text("b"), &field),
                         FLETCH_MALFORMED);
    }
}

/* Nothing else of the field is looked at, but what leads to the name is. */
static void a_name_is_not_found_by_a_vtable_of_odd_size(void **state)
{
    uint8_t memory[1024];
    fletch_builder builder;
    fletch_schema schema;
    fletch_field field;
    const void *made;
    block b;

    (void)state;
    fletch_builder_init(&builder, memory, sizeof memory);
    fletch_add_field(&builder, "id", fletch_int(64, true), 0);
    assert_int_equal(fletch_finish(&builder, FLETCH_SCHEMA, &made, &b.size, NULL), FLETCH_OK);
    b.bytes = memory + ((const uint8_t *)made - memory);
    assert_int_equal(fletch_open(b.bytes, b.size, &schema, NULL), FLETCH_OK);
    assert_int_equal(fletch_find_field(&schema.fields, fletch_text("id"), &field), FLETCH_OK);
    b.bytes[wire_vtable(b, field.at)] |= 1;
    assert_int_equal(fletch_find_field(&schema.fields, fletch_text("id"), &field),
                     FLETCH_MALFORMED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_not_found_by_a_vtable_of_odd_size),
        WITH_MAKER(fields_come_in_their_order),
        WITH_MAKER(the_end_of_the_fields_stays_the_end),
        WITH_MAKER(a_copy_of_the_fields_steps_on_its_own),
        WITH_MAKER(a_field_by_its_index_counts_from_the_next),
        WITH_MAKER(a_field_beyond_the_last_is_missing),
        WITH_MAKER(pairs_come_in_their_order),
        WITH_MAKER(a_string_may_hold_nul),
        WITH_MAKER(a_field_is_found_by_its_name_the_first_of_two),
        WITH_MAKER(a_name_that_no_field_has_is_missing),
        WITH_MAKER(a_name_leads_to_an_index),
        WITH_MAKER(finding_looks_only_at_what_is_left),
        WITH_MAKER(a_path_leads_down_by_names),
        WITH_MAKER(a_path_may_end_in_an_escape),
        WITH_MAKER(a_path_that_leads_nowhere_is_missing),
        WITH_MAKER(a_key_is_found_again_and_again),
        WITH_MAKER(a_pair_without_a_key_matches_nothing),
        WITH_MAKER(an_extension_has_a_name_and_metadata),
        WITH_MAKER(an_extension_may_come_without_metadata),
        WITH_MAKER(a_field_without_the_key_is_no_extension),
        WITH_MAKER(buffers_are_counted_by_type),
        WITH_MAKER(a_type_that_is_unknown_has_an_unknown_number_of_buffers),
        WITH_MAKER(a_union_lost_its_validity_buffer_in_v5),
        WITH_MAKER(a_dictionary_encoded_field_has_the_buffers_of_its_indices),
        WITH_MAKER(a_walk_goes_through_each_field_before_its_children),
        WITH_MAKER(a_walk_can_leave_out_children),
        WITH_MAKER(leaving_out_the_children_of_a_leaf_changes_nothing),
        WITH_MAKER(a_walk_over_no_fields_ends_at_once),
        WITH_MAKER(a_walk_goes_128_fields_deep),
        WITH_MAKER(a_walk_ends_with_a_limit_at_129),
        WITH_MAKER(a_walk_has_a_budget_of_tables),
        WITH_MAKER(a_walk_takes_limits),
        WITH_MAKER(damage_ends_the_fields_with_a_status),
        WITH_MAKER(damage_is_told_by_the_index),
        WITH_MAKER(damage_is_told_by_finding),
        WITH_MAKER(damage_ends_a_walk_with_a_status),
        WITH_MAKER(damage_ends_the_pairs_with_a_status),
        WITH_MAKER(an_unchecked_schema_whose_fields_lead_out_is_refused_or_empty),
        WITH_MAKER(any_byte_may_be_spoiled_after_the_opening),
        WITH_MAKER(damage_in_pairs_stays_the_end_of_them),
        WITH_MAKER(damage_in_pairs_ends_a_walk_over_them),
        WITH_MAKER(damage_on_the_way_to_a_name_ends_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
