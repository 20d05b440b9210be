/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrow's rules: each oddity's verdict at each level, where it is said to be, the order of faults,
 * and the check of dictionaries that share an id.
 */
#include "support/check.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define OK          FLETCH_OK
#define INVALID     FLETCH_INVALID
#define MISSING     FLETCH_MISSING
#define UNSUPPORTED FLETCH_UNSUPPORTED

enum { ABSENT = INT32_MIN }; /* no member of that value: leave it out */

/* Verdicts on a schema of one field: at arrow, at strict (at structure it is always good). */
static block judge(maker *m, node *field, fletch_status arrow, fletch_status strict)
{
    block b = finish(m, schema_with(m, field));
    expect_levels(b, FLETCH_SCHEMA, OK, arrow, strict);
    return b;
}

/* Judged the same at arrow and strict; when bad, at this path. */
static void judge_at(maker *m, node *field, fletch_status status, const char *path)
{
    block b = judge(m, field, status, status);
    if (status != OK) expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, status, path);
}

/* A type with two members in slots 0 and 1, of these widths in bytes. */
static node *two_members(maker *m, unsigned first_width, int32_t first, int32_t second)
{
    node *type = make_table(m);
    if (first != ABSENT && first_width == 2) set16(type, 0, first);
    if (first != ABSENT && first_width == 4) set32(type, 0, first);
    if (second != ABSENT) set32(type, 1, second);
    return type;
}

static node *one_16(maker *m, int32_t value)
{
    return two_members(m, 2, value, ABSENT);
}

static node *one_32(maker *m, int32_t value)
{
    return two_members(m, 4, value, ABSENT);
}

/* Schema */

static void a_schema_without_fields_is_missing(void **state)
{
    maker *m = *state;
    node *root = make_table(m);
    block b = finish(m, root);
    expect_levels(b, FLETCH_SCHEMA, OK, MISSING, MISSING);
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, MISSING, place(root), "fields");
}

static void a_schema_of_no_columns_is_good(void **state)
{
    maker *m = *state;
    expect_everywhere(finish(m, new_schema(m)), FLETCH_SCHEMA, OK);
}

static void an_unknown_endianness_is_unsupported(void **state)
{
    static const int32_t values[] = {2, 3, -1, 32767, -32768};
    maker *m = *state;
    for (size_t i = 0; i < 5; i++) {
        node *root = new_schema(m);
        set16(root, SCHEMA_ENDIANNESS, values[i]);
        block b = finish(m, root);
        expect_levels(b, FLETCH_SCHEMA, OK, UNSUPPORTED, UNSUPPORTED);
        expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, UNSUPPORTED,
                  place_of(root, SCHEMA_ENDIANNESS), "endianness");
    }
}

static void both_endiannesses_are_good(void **state)
{
    maker *m = *state;
    for (int value = 0; value < 2; value++) {
        node *root = new_schema(m);
        set16(root, SCHEMA_ENDIANNESS, value);
        expect_everywhere(finish(m, root), FLETCH_SCHEMA, OK);
    }
}

static void known_features_are_good(void **state)
{
    maker *m = *state;
    node *root = new_schema(m), *features = make_vector(m, 8);
    for (int i = 0; i < 3; i++)
        append_number(features, i);
    set_node(root, SCHEMA_FEATURES, features);
    expect_everywhere(finish(m, root), FLETCH_SCHEMA, OK);
}

static void an_unknown_feature_is_unsupported_at_strict(void **state)
{
    static const int64_t values[] = {3, 4, -1, INT64_MAX, 0x100000001};
    maker *m = *state;
    for (size_t i = 0; i < 5; i++) {
        node *root = new_schema(m), *features = make_vector(m, 8);
        append_number(features, 1);
        append_number(features, values[i]);
        set_node(root, SCHEMA_FEATURES, features);
        block b = finish(m, root);
        expect_levels(b, FLETCH_SCHEMA, OK, OK, UNSUPPORTED);
        expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, UNSUPPORTED, place_of_element(features, 1),
                  "features[1]");
    }
}

/* Names, children and types */

static void a_name_may_be_absent_or_empty(void **state)
{
    maker *m = *state;
    judge(m, int_field(m, NULL), OK, OK);
    judge(m, int_field(m, ""), OK, OK);
}

static void names_may_repeat(void **state)
{
    maker *m = *state;
    node *root = schema_with(m, int_field(m, "a"));
    add_field(root, int_field(m, "a"));
    expect_everywhere(finish(m, root), FLETCH_SCHEMA, OK);
}

static void a_field_without_a_type_is_missing(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    drop(field, FIELD_TYPE_TAG);
    drop(field, FIELD_TYPE);
    block b = judge(m, field, MISSING, MISSING);
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, MISSING, place(field), "fields[0].type");
}

static void a_type_beyond_the_last_is_unsupported(void **state)
{
    maker *m = *state;
    for (int tag = 27; tag < 256; tag += 57) {
        node *field = nested_field(m, "a", tag);
        block b = judge(m, field, UNSUPPORTED, UNSUPPORTED);
        expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, UNSUPPORTED,
                  place_of(field, FIELD_TYPE_TAG), "fields[0].type");
        fletch_error error = expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, UNSUPPORTED);
        char number[12];
        snprintf(number, sizeof number, "%d", tag);
        assert_non_null(strstr(error.sentence, number));
    }
}

/* A good field of each type, children included. */
static node *good_field(maker *m, int tag)
{
    node *field = nested_field(m, "a", tag), *type = member(field, FIELD_TYPE);
    if (tag == FLETCH_TYPE_INT) set_node(field, FIELD_TYPE, int_type(m, 64, true));
    if (tag == FLETCH_TYPE_DECIMAL) set32(type, DECIMAL_PRECISION, 38);
    if (tag == FLETCH_TYPE_LIST || tag == FLETCH_TYPE_LARGE_LIST || tag == FLETCH_TYPE_LIST_VIEW ||
        tag == FLETCH_TYPE_LARGE_LIST_VIEW || tag == FLETCH_TYPE_FIXED_SIZE_LIST)
        add_child(field, int_field(m, "item"));
    if (tag == FLETCH_TYPE_RUN_END_ENCODED) {
        set8(add_child(field, int_field(m, "run_ends")), FIELD_NULLABLE, 0);
        add_child(field, text_field(m, "values"));
    }
    if (tag == FLETCH_TYPE_MAP) {
        node *entries = add_child(field, nested_field(m, "entries", FLETCH_TYPE_STRUCT));
        set8(entries, FIELD_NULLABLE, 0);
        set8(add_child(entries, text_field(m, "key")), FIELD_NULLABLE, 0);
        add_child(entries, int_field(m, "value"));
    }
    return field;
}

static void every_type_has_a_good_form(void **state)
{
    maker *m = *state;
    for (int tag = 1; tag <= 26; tag++)
        judge(m, good_field(m, tag), OK, OK);
}

static bool has_children(int tag)
{
    static const int nested[] = {12, 13, 14, 16, 17, 21, 22, 25, 26};
    for (size_t i = 0; i < sizeof nested / sizeof *nested; i++)
        if (tag == nested[i]) return true;
    return false;
}

static void children_may_be_absent_where_there_need_be_none(void **state)
{
    maker *m = *state;
    for (int tag = 1; tag <= 26; tag++) {
        node *field = good_field(m, tag);
        bool needs = has_children(tag) && tag != FLETCH_TYPE_STRUCT && tag != FLETCH_TYPE_UNION;
        drop(field, FIELD_CHILDREN);
        block b = judge(m, field, needs ? INVALID : OK, needs ? INVALID : OK);
        if (!needs) continue;
        expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, INVALID, place(field),
                  "fields[0].children");
    }
}

static void a_leaf_with_children_is_invalid_at_strict(void **state)
{
    maker *m = *state;
    for (int tag = 1; tag <= 26; tag++) {
        if (has_children(tag)) continue;
        node *field = good_field(m, tag);
        add_child(field, int_field(m, "child"));
        block b = judge(m, field, OK, INVALID);
        expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, INVALID,
                  place(member(field, FIELD_CHILDREN)), "fields[0].children");
    }
}

/* One child too many, and none, of types that have a number of them. */
static void a_wrong_number_of_children_is_invalid(void **state)
{
    static const int tags[] = {12, 16, 17, 21, 22, 25, 26};
    maker *m = *state;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        node *many = good_field(m, tags[i]), *none = good_field(m, tags[i]);
        add_child(many, int_field(m, "extra"));
        set_node(none, FIELD_CHILDREN, make_list(m));
        judge_at(m, many, INVALID, "fields[0].children");
        judge_at(m, none, INVALID, "fields[0].children");
    }
}

static void run_ends_alone_are_invalid(void **state)
{
    maker *m = *state;
    node *field = nested_field(m, "a", FLETCH_TYPE_RUN_END_ENCODED);
    add_child(field, int_field(m, "run_ends"));
    block b = judge(m, field, INVALID, INVALID);
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, INVALID, place(member(field, FIELD_CHILDREN)),
              "fields[0].children");
}

static void a_child_is_judged_as_a_field_is(void **state)
{
    maker *m = *state;
    node *list = nested_field(m, "a", FLETCH_TYPE_LIST);
    node *child = add_child(list, new_field(m, "b", FLETCH_TYPE_INT, int_type(m, 9, true)));
    block b = judge(m, list, INVALID, INVALID);
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, INVALID,
              place_of(member(child, FIELD_TYPE), INT_WIDTH),
              "fields[0].children[0].type.bitWidth");
}

/* Parameters */

typedef struct parameter_row {
    int32_t first, second; /* members in slots 0 and 1; or ABSENT */
    fletch_status status;  /* at arrow and strict */
} parameter_row;

static void an_int_is_8_16_32_or_64_bits_wide(void **state)
{
    static const parameter_row rows[] = {{8, 0, OK},           {16, 0, OK},
                                         {32, 0, OK},          {64, 0, OK},
                                         {ABSENT, 0, INVALID}, {0, 0, INVALID},
                                         {1, 0, INVALID},      {24, 0, INVALID},
                                         {128, 0, INVALID},    {-8, 0, INVALID},
                                         {0x108, 0, INVALID},  {INT32_MAX, 0, INVALID}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        judge_at(m, new_field(m, "a", FLETCH_TYPE_INT, one_32(m, rows[i].first)), rows[i].status,
                 "fields[0].type.bitWidth");
}

static void a_floating_point_has_a_known_precision(void **state)
{
    static const parameter_row rows[] = {{0, 0, OK},           {1, 0, OK},
                                         {2, 0, OK},           {3, 0, UNSUPPORTED},
                                         {7, 0, UNSUPPORTED},  {-1, 0, UNSUPPORTED},
                                         {256, 0, UNSUPPORTED}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        judge_at(m, new_field(m, "a", FLETCH_TYPE_FLOATING_POINT, one_16(m, rows[i].first)),
                 rows[i].status, "fields[0].type.precision");
}

static void a_decimals_width_is_32_64_128_or_256(void **state)
{
    static const parameter_row rows[] = {{32, 0, OK},       {64, 0, OK},       {128, 0, OK},
                                         {256, 0, OK},      {0, 0, INVALID},   {16, 0, INVALID},
                                         {512, 0, INVALID}, {-128, 0, INVALID}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        node *type = one_32(m, 5);
        set32(type, DECIMAL_WIDTH, rows[i].first);
        judge_at(m, new_field(m, "a", FLETCH_TYPE_DECIMAL, type), rows[i].status,
                 "fields[0].type.bitWidth");
    }
}

/* first: precision; second: width */
static void a_decimals_precision_fits_its_width(void **state)
{
    static const parameter_row rows[] = {{1, 32, OK},
                                         {9, 32, OK},
                                         {10, 32, INVALID},
                                         {18, 64, OK},
                                         {19, 64, INVALID},
                                         {38, 128, OK},
                                         {39, 128, INVALID},
                                         {38, ABSENT, OK},
                                         {39, ABSENT, INVALID},
                                         {76, 256, OK},
                                         {77, 256, INVALID},
                                         {0, 128, INVALID},
                                         {-1, 128, INVALID},
                                         {ABSENT, 128, INVALID},
                                         {ABSENT, ABSENT, INVALID},
                                         {INT32_MIN + 1, 32, INVALID}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        node *type = one_32(m, rows[i].first);
        if (rows[i].second != ABSENT) set32(type, DECIMAL_WIDTH, rows[i].second);
        judge_at(m, new_field(m, "a", FLETCH_TYPE_DECIMAL, type), rows[i].status,
                 "fields[0].type.precision");
    }
}

static void a_decimals_scale_is_any_number(void **state)
{
    static const int32_t scales[] = {0, -1, 5, 6, 100, INT32_MAX, INT32_MIN};
    maker *m = *state;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        node *type = one_32(m, 5);
        set32(type, DECIMAL_SCALE, scales[i]);
        judge(m, new_field(m, "a", FLETCH_TYPE_DECIMAL, type), OK, OK);
    }
}

typedef struct unit_row {
    int tag;
    int last; /* the largest unit or mode that is known */
    const char *path;
} unit_row;

static void units_and_modes_beyond_the_known_are_unsupported(void **state)
{
    static const unit_row rows[] = {{FLETCH_TYPE_DATE, 1, "fields[0].type.unit"},
                                    {FLETCH_TYPE_TIMESTAMP, 3, "fields[0].type.unit"},
                                    {FLETCH_TYPE_INTERVAL, 2, "fields[0].type.unit"},
                                    {FLETCH_TYPE_DURATION, 3, "fields[0].type.unit"},
                                    {FLETCH_TYPE_UNION, 1, "fields[0].type.mode"}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int unit = -1; unit <= rows[i].last + 1; unit++) {
            bool known = unit >= 0 && unit <= rows[i].last;
            judge_at(m, new_field(m, "a", rows[i].tag, one_16(m, unit)), known ? OK : UNSUPPORTED,
                     rows[i].path);
        }
    }
}

/* first: unit; second: width */
static void a_times_unit_and_width_agree(void **state)
{
    static const parameter_row rows[] = {
        {0, 32, OK},           {1, 32, OK},          {2, 64, OK},           {3, 64, OK},
        {ABSENT, ABSENT, OK},  {ABSENT, 32, OK},     {0, ABSENT, OK},       {1, ABSENT, OK},
        {2, ABSENT, INVALID},  {3, ABSENT, INVALID}, {0, 64, INVALID},      {1, 64, INVALID},
        {2, 32, INVALID},      {3, 32, INVALID},     {ABSENT, 64, INVALID}, {0, 0, INVALID},
        {1, 16, INVALID},      {3, 128, INVALID},    {3, -64, INVALID},     {4, 64, UNSUPPORTED},
        {-1, 32, UNSUPPORTED}, {4, 0, UNSUPPORTED}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        node *type = two_members(m, 2, rows[i].first, rows[i].second);
        judge_at(m, new_field(m, "a", FLETCH_TYPE_TIME, type), rows[i].status, "fields[0].type.");
    }
}

static void a_timezone_may_be_anything_absent_or_empty(void **state)
{
    static const char *const zones[] = {NULL, "", "UTC", "+02:00", "no/such zone, at all"};
    maker *m = *state;
    for (size_t i = 0; i < 5; i++) {
        node *type = make_table(m);
        if (zones[i]) set_node(type, TIMESTAMP_ZONE, make_text(m, zones[i]));
        judge(m, new_field(m, "a", FLETCH_TYPE_TIMESTAMP, type), OK, OK);
    }
}

static void fixed_sizes_are_not_negative(void **state)
{
    static const parameter_row rows[] = {{0, 0, OK},       {ABSENT, 0, OK},
                                         {1, 0, OK},       {INT32_MAX, 0, OK},
                                         {-1, 0, INVALID}, {INT32_MIN + 1, 0, INVALID}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        node *type = one_32(m, rows[i].first);
        node *list = new_field(m, "a", FLETCH_TYPE_FIXED_SIZE_LIST, type);
        add_child(list, int_field(m, "item"));
        judge_at(m, new_field(m, "a", FLETCH_TYPE_FIXED_SIZE_BINARY, type), rows[i].status,
                 "fields[0].type.byteWidth");
        judge_at(m, list, rows[i].status, "fields[0].type.listSize");
    }
}

/* Unions */

/* A union with `children` children, and these ids unless there are none to store. */
static node *union_field(maker *m, unsigned children, const int32_t *ids, unsigned count)
{
    node *type = make_table(m), *vector = make_vector(m, 4);
    for (unsigned i = 0; i < count; i++)
        append_number(vector, ids[i]);
    if (ids) set_node(type, UNION_TYPE_IDS, vector);
    node *field = new_field(m, "a", FLETCH_TYPE_UNION, type);
    for (unsigned i = 0; i < children; i++)
        add_child(field, int_field(m, "child"));
    return field;
}

static void a_union_without_type_ids_is_good(void **state)
{
    maker *m = *state;
    judge(m, union_field(m, 0, NULL, 0), OK, OK);
    judge(m, union_field(m, 3, NULL, 0), OK, OK);
    judge(m, union_field(m, 128, NULL, 0), OK, OK);
}

static void a_union_has_at_most_128_children(void **state)
{
    maker *m = *state;
    judge_at(m, union_field(m, 129, NULL, 0), INVALID, "fields[0]");
}

static void as_many_type_ids_as_children_are_good(void **state)
{
    static const int32_t some[] = {5, 7, 0}, last[] = {127}, backwards[] = {1, 0};
    maker *m = *state;
    judge(m, union_field(m, 0, some, 0), OK, OK);
    judge(m, union_field(m, 3, some, 3), OK, OK);
    judge(m, union_field(m, 1, last, 1), OK, OK);
    judge(m, union_field(m, 2, backwards, 2), OK, OK);
}

static void all_128_type_ids_are_good(void **state)
{
    maker *m = *state;
    int32_t ids[128];
    for (int i = 0; i < 128; i++)
        ids[i] = 127 - i;
    judge(m, union_field(m, 128, ids, 128), OK, OK);
}

static void another_number_of_type_ids_than_children_is_invalid(void **state)
{
    static const int32_t ids[] = {0, 1, 2, 3};
    maker *m = *state;
    judge_at(m, union_field(m, 3, ids, 0), INVALID, "fields[0].type.typeIds");
    judge_at(m, union_field(m, 3, ids, 2), INVALID, "fields[0].type.typeIds");
    judge_at(m, union_field(m, 3, ids, 4), INVALID, "fields[0].type.typeIds");
    judge_at(m, union_field(m, 0, ids, 1), INVALID, "fields[0].type.typeIds");
}

static void a_type_id_outside_of_0_to_127_is_invalid(void **state)
{
    static const int32_t values[] = {128, -1, 255, 256, INT32_MAX, INT32_MIN};
    maker *m = *state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const int32_t ids[] = {0, values[i], 2};
        judge_at(m, union_field(m, 3, ids, 3), INVALID, "fields[0].type.typeIds[1]");
    }
}

static void a_type_id_that_stands_there_twice_is_invalid(void **state)
{
    static const int32_t low[] = {5, 7, 5}, high[] = {127, 127}, middle[] = {63, 64, 32, 64};
    maker *m = *state;
    judge_at(m, union_field(m, 3, low, 3), INVALID, "fields[0].type.typeIds");
    judge_at(m, union_field(m, 2, high, 2), INVALID, "fields[0].type.typeIds");
    judge_at(m, union_field(m, 4, middle, 4), INVALID, "fields[0].type.typeIds");
}

/* Maps and run ends */

static node *entries_of(const node *map)
{
    return first_of(member(map, FIELD_CHILDREN));
}

static void a_maps_child_must_be_a_struct(void **state)
{
    maker *m = *state;
    node *map = nested_field(m, "a", FLETCH_TYPE_MAP);
    node *entries = add_child(map, nested_field(m, "entries", FLETCH_TYPE_LIST));
    set8(entries, FIELD_NULLABLE, 0);
    add_child(entries, int_field(m, "item"));
    judge_at(m, map, INVALID, "fields[0].children[0]");
}

static void a_maps_entries_have_two_children(void **state)
{
    maker *m = *state;
    node *three = good_field(m, FLETCH_TYPE_MAP), *none = good_field(m, FLETCH_TYPE_MAP);
    add_child(entries_of(three), int_field(m, "third"));
    drop(entries_of(none), FIELD_CHILDREN);
    judge_at(m, three, INVALID, "fields[0].children[0]");
    judge_at(m, none, INVALID, "fields[0].children[0]");
}

static void a_maps_entries_nullable_are_invalid_at_strict(void **state)
{
    maker *m = *state;
    node *map = good_field(m, FLETCH_TYPE_MAP);
    set8(entries_of(map), FIELD_NULLABLE, 1);
    block b = judge(m, map, OK, INVALID);
    expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, INVALID, "fields[0].children[0]");
}

static void a_maps_key_nullable_is_invalid_at_strict(void **state)
{
    maker *m = *state;
    node *map = good_field(m, FLETCH_TYPE_MAP);
    set8(first_of(member(entries_of(map), FIELD_CHILDREN)), FIELD_NULLABLE, 1);
    block b = judge(m, map, OK, INVALID);
    expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, INVALID,
                 "fields[0].children[0].children[0]");
}

static void a_maps_children_have_any_names(void **state)
{
    maker *m = *state;
    node *map = good_field(m, FLETCH_TYPE_MAP);
    set_node(entries_of(map), FIELD_NAME, make_text(m, "some_entries"));
    drop(first_of(member(entries_of(map), FIELD_CHILDREN)), FIELD_NAME);
    judge(m, map, OK, OK);
}

static node *run_end_field(maker *m, int tag, node *type)
{
    node *field = nested_field(m, "a", FLETCH_TYPE_RUN_END_ENCODED);
    set8(add_child(field, new_field(m, "run_ends", tag, type)), FIELD_NULLABLE, 0);
    add_child(field, int_field(m, "values"));
    return field;
}

static void run_ends_are_signed_16_32_or_64(void **state)
{
    maker *m = *state;
    for (int width = 8; width <= 64; width *= 2) {
        fletch_status status = width == 8 ? INVALID : OK;
        judge_at(m, run_end_field(m, FLETCH_TYPE_INT, int_type(m, width, true)), status,
                 "fields[0].children[0]");
        judge_at(m, run_end_field(m, FLETCH_TYPE_INT, int_type(m, width, false)), INVALID,
                 "fields[0].children[0]");
    }
    judge_at(m, run_end_field(m, FLETCH_TYPE_UTF8, make_table(m)), INVALID,
             "fields[0].children[0]");
}

static void run_ends_nullable_are_invalid_at_strict(void **state)
{
    maker *m = *state;
    node *field = good_field(m, FLETCH_TYPE_RUN_END_ENCODED);
    set8(first_of(member(field, FIELD_CHILDREN)), FIELD_NULLABLE, 1);
    block b = judge(m, field, OK, INVALID);
    expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, INVALID, "fields[0].children[0]");
}

/* Metadata */

static void metadata_may_be_empty(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a"), *root = schema_with(m, field);
    set_node(field, FIELD_METADATA, make_list(m));
    set_node(root, SCHEMA_METADATA, make_list(m));
    expect_everywhere(finish(m, root), FLETCH_SCHEMA, OK);
}

static void keys_may_repeat(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    add_pair(m, field, FIELD_METADATA, "k", "1");
    add_pair(m, field, FIELD_METADATA, "j", "2");
    add_pair(m, field, FIELD_METADATA, "k", "1");
    judge(m, field, OK, OK);
}

static void keys_and_values_may_be_empty(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    add_pair(m, field, FIELD_METADATA, "", "");
    judge(m, field, OK, OK);
}

static void a_pair_without_key_or_value_is_invalid_at_strict(void **state)
{
    maker *m = *state;
    for (int has_key = 0; has_key < 2; has_key++) {
        node *field = int_field(m, "a");
        node *pair = add_pair(m, field, FIELD_METADATA, has_key ? "k" : NULL, has_key ? NULL : "v");
        block b = judge(m, field, OK, INVALID);
        expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, INVALID, place(pair),
                  has_key ? "fields[0].custom_metadata[0].value"
                          : "fields[0].custom_metadata[0].key");
    }
}

/* What a message or footer says of itself is no part of the schema. */
static void pairs_of_the_schema_are_judged_but_not_those_around_it(void **state)
{
    maker *m = *state;
    node *schema = new_schema(m), *message = new_message(m, schema);
    node *footer = new_footer(m, schema);
    add_pair(m, message, MESSAGE_METADATA, "k", NULL);
    add_pair(m, footer, FOOTER_METADATA, NULL, "v");
    expect_everywhere(finish(m, message), FLETCH_MESSAGE, OK);
    expect_everywhere(finish(m, footer), FLETCH_FOOTER, OK);
    add_pair(m, schema, SCHEMA_METADATA, NULL, "v");
    expect_levels(finish(m, schema), FLETCH_SCHEMA, OK, OK, INVALID);
    expect_levels(finish(m, message), FLETCH_MESSAGE, OK, OK, INVALID);
    expect_under(finish(m, footer), FLETCH_FOOTER, FLETCH_LEVEL_STRICT, INVALID,
                 "footer.schema.custom_metadata[0]");
}

/* Dictionaries, each for itself */

static void an_absent_index_type_is_good(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a");
    add_dictionary(m, field, 0, NULL);
    judge(m, field, OK, OK);
}

static void an_index_type_is_8_16_32_or_64_bits_wide(void **state)
{
    static const int widths[] = {8, 16, 32, 64, 0, 24, 128, -8};
    maker *m = *state;
    for (size_t i = 0; i < 16; i++) {
        node *field = text_field(m, "a");
        add_dictionary(m, field, 0, int_type(m, widths[i / 2], i % 2));
        judge_at(m, field, i / 2 < 4 ? OK : INVALID, "fields[0].dictionary.indexType.bitWidth");
    }
}

/* Both are of type Int, and the index type's vtable is read after the type's. */
static void a_types_width_is_not_looked_up_by_the_index_types_vtable(void **state)
{
    maker *m = *state;
    node *type = int_type(m, 7, true), *index = int_type(m, 32, true);
    node *field = new_field(m, "a", FLETCH_TYPE_INT, type);

    for (unsigned newer = 2; newer < MAKER_SLOTS; newer++)
        set32(type, newer, 32);
    set64(index, 2, 0); /* stands before the width */
    add_dictionary(m, field, 0, index);
    judge_at(m, field, INVALID, "fields[0].type.bitWidth");
}

static void an_empty_index_type_is_invalid(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a"), *index = make_table(m);
    add_dictionary(m, field, 0, index);
    block b = judge(m, field, INVALID, INVALID);
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, INVALID, place(index),
              "fields[0].dictionary.indexType.bitWidth");
}

static void an_unknown_dictionary_kind_is_unsupported(void **state)
{
    maker *m = *state;
    for (int kind = -1; kind <= 1; kind++) {
        node *field = text_field(m, "a"), *dictionary = add_dictionary(m, field, 0, NULL);
        set16(dictionary, DICTIONARY_KIND, kind);
        judge_at(m, field, kind ? UNSUPPORTED : OK, "fields[0].dictionary.dictionaryKind");
    }
}

static void a_dictionary_id_is_any_number(void **state)
{
    static const int64_t ids[] = {0, -1, INT64_MAX, INT64_MIN};
    maker *m = *state;
    for (size_t i = 0; i < 4; i++) {
        node *field = text_field(m, "a");
        add_dictionary(m, field, ids[i], NULL);
        judge(m, field, OK, OK);
    }
}

/* Where */

static void an_absent_member_is_at_its_table(void **state)
{
    maker *m = *state;
    node *type = make_table(m);
    block b = finish(m, schema_with(m, new_field(m, "a", FLETCH_TYPE_INT, type)));
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, INVALID, place(type),
              "fields[0].type.bitWidth");
}

static void a_stored_member_is_at_its_word(void **state)
{
    maker *m = *state;
    node *type = one_16(m, 9);
    block b = finish(m, schema_with(m, new_field(m, "a", FLETCH_TYPE_TIMESTAMP, type)));
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, UNSUPPORTED, place_of(type, 0),
              "fields[0].type.unit");
}

static void an_offending_value_is_in_the_sentence(void **state)
{
    maker *m = *state;
    node *field = new_field(m, "a", FLETCH_TYPE_INT, int_type(m, 24, true));
    block b = finish(m, schema_with(m, field));
    fletch_error error = expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, INVALID);
    assert_non_null(strstr(error.sentence, "24"));
}

static void the_first_fault_in_pre_order_is_told(void **state)
{
    maker *m = *state;
    node *list = nested_field(m, "a", FLETCH_TYPE_LIST), *root = schema_with(m, list);
    add_child(list, new_field(m, "b", FLETCH_TYPE_INT, int_type(m, 9, true)));
    add_field(root, nested_field(m, "c", 99));
    block b = finish(m, root);
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, INVALID,
              place_of(member(first_of(member(list, FIELD_CHILDREN)), FIELD_TYPE), INT_WIDTH),
              "fields[0].children[0].type.bitWidth");
    set_node(list, FIELD_CHILDREN, make_list(m));
    b = finish(m, root);
    expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, INVALID, "fields[0].children");
    add_child(list, int_field(m, "b"));
    b = finish(m, root);
    expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, UNSUPPORTED, "fields[1].type");
}

static void the_schemas_own_faults_come_before_its_fields(void **state)
{
    maker *m = *state;
    node *root = schema_with(m, nested_field(m, "c", 99));
    set16(root, SCHEMA_ENDIANNESS, 5);
    block b = finish(m, root);
    expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, UNSUPPORTED, "endianness");
}

/* A schema that breaks only Arrow's rules can still be walked. */
static void what_arrow_refuses_can_be_walked(void **state)
{
    maker *m = *state;
    node *root = schema_with(m, nested_field(m, "a", 99));
    add_field(root, int_field(m, "b"));
    block b = finish(m, root);
    fletch_schema schema;
    fletch_field field;
    assert_int_equal(fletch_open_with(b.bytes, b.size, &(fletch_options){.kind = FLETCH_SCHEMA},
                                      &schema, NULL),
                     UNSUPPORTED);
    assert_int_not_equal(schema.at, 0);
    assert_int_equal(fletch_find_field(&schema.fields, fletch_text("b"), &field), OK);
    assert_int_equal(field_number(&schema, 0).type.id, 99);
}

/* Dictionaries that share an id */

static node *encoded(maker *m, node *field, int64_t id)
{
    add_dictionary(m, field, id, int_type(m, 8, true));
    return field;
}

static fletch_status check_two(maker *m, node *a, node *b, fletch_error *error)
{
    node *root = schema_with(m, encoded(m, a, 7));
    add_field(root, encoded(m, b, 7));
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
    return check_dictionaries(&schema, error);
}

static void agree(maker *m, node *a, node *b)
{
    fletch_error error;
    assert_int_equal(check_two(m, a, b, &error), OK);
}

static void conflict(maker *m, node *a, node *b)
{
    fletch_error error;
    assert_int_equal(check_two(m, a, b, &error), INVALID);
    assert_int_equal(error.status, INVALID);
    if (strncmp(error.path, "fields[1]", 9)) fail_msg("the path is %s", error.path);
}

static void one_id_may_stand_for_one_value_type(void **state)
{
    maker *m = *state;
    for (int tag = 1; tag <= 26; tag++)
        agree(m, good_field(m, tag), good_field(m, tag));
}

static void one_id_for_two_value_types_is_invalid(void **state)
{
    maker *m = *state;
    for (int tag = 1; tag < 26; tag++)
        conflict(m, good_field(m, tag), good_field(m, tag + 1));
}

static void one_id_for_two_parameters_is_invalid(void **state)
{
    static const struct {
        int tag;
        int width;
    } rows[] = {{FLETCH_TYPE_FLOATING_POINT, 2},
                {FLETCH_TYPE_DATE, 2},
                {FLETCH_TYPE_TIME, 2},
                {FLETCH_TYPE_TIMESTAMP, 2},
                {FLETCH_TYPE_INTERVAL, 2},
                {FLETCH_TYPE_UNION, 2},
                {FLETCH_TYPE_FIXED_SIZE_BINARY, 4},
                {FLETCH_TYPE_FIXED_SIZE_LIST, 4},
                {FLETCH_TYPE_DURATION, 2},
                {FLETCH_TYPE_INT, 4},
                {FLETCH_TYPE_DECIMAL, 4}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned width = (unsigned)rows[i].width;
        node *zero = new_field(m, "a", rows[i].tag, two_members(m, width, 0, ABSENT));
        node *one = new_field(m, "a", rows[i].tag, two_members(m, width, 1, ABSENT));
        conflict(m, zero, one);
        agree(m, zero, zero);
    }
}

static void signs_scales_widths_and_zones_are_parameters_too(void **state)
{
    maker *m = *state;
    node *zoned = make_table(m), *scaled = one_32(m, 5), *wide = one_32(m, 5);
    set_node(zoned, TIMESTAMP_ZONE, make_text(m, "UTC"));
    set32(scaled, DECIMAL_SCALE, 2);
    set32(wide, DECIMAL_WIDTH, 256);
    conflict(m, new_field(m, "a", FLETCH_TYPE_INT, int_type(m, 8, true)),
             new_field(m, "a", FLETCH_TYPE_INT, int_type(m, 8, false)));
    conflict(m, new_field(m, "a", FLETCH_TYPE_DECIMAL, one_32(m, 5)),
             new_field(m, "a", FLETCH_TYPE_DECIMAL, scaled));
    conflict(m, new_field(m, "a", FLETCH_TYPE_DECIMAL, one_32(m, 5)),
             new_field(m, "a", FLETCH_TYPE_DECIMAL, wide));
    conflict(m, nested_field(m, "a", FLETCH_TYPE_TIMESTAMP),
             new_field(m, "a", FLETCH_TYPE_TIMESTAMP, zoned));
}

static void an_absent_zone_agrees_with_an_empty_one(void **state)
{
    maker *m = *state;
    node *empty = make_table(m);
    set_node(empty, TIMESTAMP_ZONE, make_text(m, ""));
    agree(m, nested_field(m, "a", FLETCH_TYPE_TIMESTAMP),
          new_field(m, "a", FLETCH_TYPE_TIMESTAMP, empty));
}

static void stored_defaults_agree_with_absent_ones(void **state)
{
    maker *m = *state;
    node *stored = one_32(m, 5);
    set32(stored, DECIMAL_WIDTH, 128);
    agree(m, new_field(m, "a", FLETCH_TYPE_DECIMAL, stored),
          new_field(m, "a", FLETCH_TYPE_DECIMAL, one_32(m, 5)));
}

static void type_ids_are_parameters_too(void **state)
{
    static const int32_t first[] = {0, 1}, other[] = {1, 0};
    maker *m = *state;
    agree(m, union_field(m, 2, first, 2), union_field(m, 2, first, 2));
    agree(m, union_field(m, 2, first, 2), union_field(m, 2, NULL, 0));
    conflict(m, union_field(m, 2, first, 2), union_field(m, 2, other, 2));
    conflict(m, union_field(m, 2, NULL, 0), union_field(m, 2, other, 2));
}

static void types_from_the_future_are_compared_by_their_number(void **state)
{
    maker *m = *state;
    for (int tag = 27; tag < 256; tag += 76) {
        agree(m, nested_field(m, "a", tag), nested_field(m, "b", tag));
        conflict(m, nested_field(m, "a", tag), nested_field(m, "b", tag - 1));
    }
}

static void names_nullability_and_metadata_are_not_compared(void **state)
{
    maker *m = *state;
    node *a = good_field(m, FLETCH_TYPE_LIST), *b = good_field(m, FLETCH_TYPE_LIST);
    node *item = first_of(member(b, FIELD_CHILDREN));
    set_node(b, FIELD_NAME, make_text(m, "other"));
    set8(b, FIELD_NULLABLE, 0);
    add_pair(m, b, FIELD_METADATA, "k", "v");
    set_node(item, FIELD_NAME, make_text(m, "other"));
    set8(item, FIELD_NULLABLE, 0);
    add_pair(m, item, FIELD_METADATA, "k", "v");
    agree(m, a, b);
}

static void inner_dictionaries_are_not_compared(void **state)
{
    maker *m = *state;
    node *a = good_field(m, FLETCH_TYPE_LIST), *b = good_field(m, FLETCH_TYPE_LIST);
    encoded(m, first_of(member(b, FIELD_CHILDREN)), 99);
    agree(m, a, b);
}

static void index_types_are_not_compared(void **state)
{
    maker *m = *state;
    node *a = text_field(m, "a"), *b = text_field(m, "b"), *root = schema_with(m, a);
    add_field(root, b);
    add_dictionary(m, a, 0, int_type(m, 8, true));
    add_dictionary(m, b, 0, int_type(m, 64, false));
    fletch_error error;
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(check_dictionaries(&schema, &error), OK);
}

static void the_types_of_children_are_compared(void **state)
{
    maker *m = *state;
    node *a = good_field(m, FLETCH_TYPE_LIST), *b = nested_field(m, "b", FLETCH_TYPE_LIST);
    add_child(b, text_field(m, "item"));
    conflict(m, a, b);
}

static void the_number_of_children_is_compared(void **state)
{
    maker *m = *state;
    node *one = nested_field(m, "a", FLETCH_TYPE_STRUCT);
    node *two = nested_field(m, "b", FLETCH_TYPE_STRUCT);
    add_child(one, int_field(m, "x"));
    add_child(two, int_field(m, "x"));
    add_child(two, int_field(m, "y"));
    conflict(m, one, two);
    conflict(m, two, one);
}

/* Two structs whose descendants are the same in pre-order, but hang differently. */
static void the_shape_of_the_tree_is_compared(void **state)
{
    maker *m = *state;
    node *flat = nested_field(m, "a", FLETCH_TYPE_STRUCT);
    node *deep = nested_field(m, "b", FLETCH_TYPE_STRUCT);
    add_child(flat, nested_field(m, "x", FLETCH_TYPE_STRUCT));
    add_child(flat, int_field(m, "y"));
    node *inner = add_child(deep, nested_field(m, "x", FLETCH_TYPE_STRUCT));
    add_child(inner, int_field(m, "y"));
    add_child(deep, int_field(m, "z"));
    conflict(m, flat, deep);
}

static void children_absent_agree_with_children_empty(void **state)
{
    maker *m = *state;
    node *absent = text_field(m, "a");
    drop(absent, FIELD_CHILDREN);
    agree(m, absent, text_field(m, "b"));
}

static void a_conflict_is_found_anywhere_in_the_tree(void **state)
{
    maker *m = *state;
    node *map = good_field(m, FLETCH_TYPE_MAP), *root = schema_with(m, map);
    add_field(root, encoded(m, int_field(m, "other"), 2));
    node *value = encoded(m, text_field(m, "value"), 1);
    node *key = first_of(member(entries_of(map), FIELD_CHILDREN));
    set_node(entries_of(map), FIELD_CHILDREN, make_list(m));
    add_child(entries_of(map), key);
    add_child(entries_of(map), value);
    node *list = nested_field(m, "list", FLETCH_TYPE_LIST);
    add_child(list, encoded(m, int_field(m, "item"), 1));
    add_field(root, list);
    fletch_error error;
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(check_dictionaries(&schema, &error), INVALID);
    assert_int_equal(strncmp(error.path, "fields[2].children[0]", 21), 0);
}

static void a_dictionary_inside_a_dictionary_is_checked_too(void **state)
{
    maker *m = *state;
    node *outer = encoded(m, good_field(m, FLETCH_TYPE_LIST), 1);
    encoded(m, first_of(member(outer, FIELD_CHILDREN)), 2);
    node *root = schema_with(m, outer);
    add_field(root, encoded(m, text_field(m, "b"), 2));
    fletch_error error;
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(check_dictionaries(&schema, &error), INVALID);
}

static void the_second_of_two_in_conflict_is_named(void **state)
{
    maker *m = *state;
    node *root = new_schema(m), *last = NULL;
    for (int i = 0; i < 40; i++)
        add_field(root, encoded(m, text_field(m, "a"), i % 5));
    last = encoded(m, int_field(m, "b"), 3);
    add_field(root, last);
    block b = finish(m, root);
    fletch_error error;
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(check_dictionaries(&schema, &error), INVALID);
    assert_int_equal(strncmp(error.path, "fields[40]", 10), 0);
    assert_in_range(error.offset, 1, b.size - 1);
    assert_non_null(strstr(error.sentence, "3"));
}

static void a_conflict_in_a_stream_is_placed_in_the_stream(void **state)
{
    maker *m = *state;
    node *second = encoded(m, int_field(m, "b"), 1);
    node *root = schema_with(m, encoded(m, text_field(m, "a"), 1));
    add_field(root, second);
    block b = stream_of(m, finish(m, new_message(m, root)));
    fletch_error error;
    fletch_schema schema = open_as(b, FLETCH_STREAM, FLETCH_LEVEL_STRICT);
    assert_int_equal(check_dictionaries(&schema, &error), INVALID);
    assert_int_equal(strncmp(error.path, "message.header.fields[1]", 24), 0);
    assert_in_range(error.offset, 8 + place(second), b.size - 1);
}

static void different_ids_may_have_different_types(void **state)
{
    maker *m = *state;
    node *root = new_schema(m);
    for (int i = 0; i < 60; i++)
        add_field(root, encoded(m, good_field(m, i % 26 + 1), INT64_MIN + (i * 37) % 60));
    fletch_error error;
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(check_dictionaries(&schema, &error), OK);
}

static fletch_schema ten_dictionaries(maker *m)
{
    node *root = new_schema(m);
    for (int i = 0; i < 10; i++)
        add_field(root, encoded(m, text_field(m, "a"), i / 2));
    add_field(root, int_field(m, "plain"));
    return open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
}

static void dictionaries_need_no_memory_where_there_are_none(void **state)
{
    maker *m = *state;
    fletch_error error;
    fletch_schema schema =
        open_as(finish(m, make_sample(m).schema), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(fletch_check_dictionaries(&schema, NULL, 0, NULL, &error), OK);
}

static void too_little_memory_tells_how_much_is_needed(void **state)
{
    maker *m = *state;
    fletch_schema schema = ten_dictionaries(m);
    const size_t needed = 10 * FLETCH_DICTIONARY_MEMORY;
    for (size_t size = 0; size < needed; size += 7) {
        fletch_error error;
        block memory = pad(m, (block){NULL, 0}, size);
        assert_int_equal(fletch_check_dictionaries(&schema, memory.bytes, memory.size, NULL,
                                                   &error),
                         FLETCH_NO_SPACE);
        assert_int_equal(error.wanted, needed);
    }
    assert_int_equal(fletch_check_dictionaries(&schema, NULL, 0, NULL, NULL), FLETCH_NO_SPACE);
}

static void just_enough_memory_is_enough_at_any_alignment(void **state)
{
    maker *m = *state;
    fletch_schema schema = ten_dictionaries(m);
    const size_t needed = 10 * FLETCH_DICTIONARY_MEMORY;
    for (size_t shift = 0; shift < 16; shift++) {
        fletch_error error;
        block memory = pad(m, (block){NULL, 0}, shift + needed);
        assert_int_equal(fletch_check_dictionaries(&schema, memory.bytes + shift, needed, NULL,
                                                   &error),
                         OK);
    }
}

static void many_dictionaries_are_checked_in_little_time(void **state)
{
    enum { FIELDS = 20000 };
    maker *m = *state;
    node *root = new_schema(m), *type = make_table(m), *children = make_list(m);
    share_vtables(m);
    for (int i = 0; i < FIELDS; i++) {
        node *field = new_field(m, NULL, FLETCH_TYPE_UTF8, type);
        set_node(field, FIELD_CHILDREN, children);
        add_dictionary(m, field, i % 3 ? 0 : i, NULL);
        add_field(root, field);
    }
    block b = finish(m, root);
    clock_t begin = clock();
    fletch_error error;
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(check_dictionaries(&schema, &error), OK);
    assert_in_range(clock() - begin, 0, 5 * CLOCKS_PER_SEC);
}

static void the_check_of_dictionaries_has_a_budget(void **state)
{
    maker *m = *state;
    fletch_schema schema = ten_dictionaries(m);
    const fletch_limits limits = {.tables = 3};
    block memory = pad(m, (block){NULL, 0}, 10 * FLETCH_DICTIONARY_MEMORY);
    fletch_error error;
    assert_int_equal(fletch_check_dictionaries(&schema, memory.bytes, memory.size, &limits, &error),
                     FLETCH_LIMIT);
}

static fletch_schema conflict_behind(maker *m, node *schema, const fletch_options *options)
{
    fletch_schema read;
    add_dictionary(m, first_of(member(schema, SCHEMA_FIELDS)), 5, NULL);
    node *last = text_field(m, "another");
    add_dictionary(m, last, 5, NULL);
    add_field(schema, last);
    block b = finish(m, schema);
    assert_int_equal(fletch_open_with(b.bytes, b.size, options, &read, NULL), OK);
    return read;
}

/* The field at fault is found again under the limits of the check, not the default ones. */
static void a_conflict_is_told_where_only_raised_limits_reach(void **state)
{
    maker *m = *state;
    fletch_options options = {.kind = FLETCH_SCHEMA, .limits = {.tables = 100000}};
    fletch_schema schema = conflict_behind(m, fan_schema(m, 8, 3), &options);
    uint8_t memory[4 * FLETCH_DICTIONARY_MEMORY];
    fletch_error error;
    assert_int_equal(fletch_check_dictionaries(&schema, memory, sizeof memory, &options.limits,
                                               &error),
                     INVALID);
    assert_int_equal(error.status, INVALID);
    assert_string_equal(error.path, "fields[1].dictionary.id");
}

static void a_conflict_needs_no_error_to_fill(void **state)
{
    maker *m = *state;
    fletch_options options = {.kind = FLETCH_SCHEMA};
    fletch_schema schema = conflict_behind(m, schema_with(m, int_field(m, "one")), &options);
    uint8_t memory[2 * FLETCH_DICTIONARY_MEMORY];
    assert_int_equal(fletch_check_dictionaries(&schema, memory, sizeof memory, NULL, NULL),
                     INVALID);
}

static void a_check_of_dictionaries_beyond_its_limit_needs_no_error_to_fill(void **state)
{
    maker *m = *state;
    fletch_options options = {.kind = FLETCH_SCHEMA};
    const fletch_limits limits = {.tables = 1};
    fletch_schema schema = conflict_behind(m, schema_with(m, int_field(m, "one")), &options);
    uint8_t memory[2 * FLETCH_DICTIONARY_MEMORY];
    assert_int_equal(fletch_check_dictionaries(&schema, memory, sizeof memory, &limits, NULL),
                     FLETCH_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(a_schema_without_fields_is_missing),
        WITH_MAKER(a_schema_of_no_columns_is_good),
        WITH_MAKER(an_unknown_endianness_is_unsupported),
        WITH_MAKER(both_endiannesses_are_good),
        WITH_MAKER(known_features_are_good),
        WITH_MAKER(an_unknown_feature_is_unsupported_at_strict),
        WITH_MAKER(a_name_may_be_absent_or_empty),
        WITH_MAKER(names_may_repeat),
        WITH_MAKER(a_field_without_a_type_is_missing),
        WITH_MAKER(a_type_beyond_the_last_is_unsupported),
        WITH_MAKER(every_type_has_a_good_form),
        WITH_MAKER(children_may_be_absent_where_there_need_be_none),
        WITH_MAKER(a_leaf_with_children_is_invalid_at_strict),
        WITH_MAKER(a_wrong_number_of_children_is_invalid),
        WITH_MAKER(run_ends_alone_are_invalid),
        WITH_MAKER(a_child_is_judged_as_a_field_is),
        WITH_MAKER(an_int_is_8_16_32_or_64_bits_wide),
        WITH_MAKER(a_floating_point_has_a_known_precision),
        WITH_MAKER(a_decimals_width_is_32_64_128_or_256),
        WITH_MAKER(a_decimals_precision_fits_its_width),
        WITH_MAKER(a_decimals_scale_is_any_number),
        WITH_MAKER(units_and_modes_beyond_the_known_are_unsupported),
        WITH_MAKER(a_times_unit_and_width_agree),
        WITH_MAKER(a_timezone_may_be_anything_absent_or_empty),
        WITH_MAKER(fixed_sizes_are_not_negative),
        WITH_MAKER(a_union_without_type_ids_is_good),
        WITH_MAKER(a_union_has_at_most_128_children),
        WITH_MAKER(as_many_type_ids_as_children_are_good),
        WITH_MAKER(all_128_type_ids_are_good),
        WITH_MAKER(another_number_of_type_ids_than_children_is_invalid),
        WITH_MAKER(a_type_id_outside_of_0_to_127_is_invalid),
        WITH_MAKER(a_type_id_that_stands_there_twice_is_invalid),
        WITH_MAKER(a_maps_child_must_be_a_struct),
        WITH_MAKER(a_maps_entries_have_two_children),
        WITH_MAKER(a_maps_entries_nullable_are_invalid_at_strict),
        WITH_MAKER(a_maps_key_nullable_is_invalid_at_strict),
        WITH_MAKER(a_maps_children_have_any_names),
        WITH_MAKER(run_ends_are_signed_16_32_or_64),
        WITH_MAKER(run_ends_nullable_are_invalid_at_strict),
        WITH_MAKER(metadata_may_be_empty),
        WITH_MAKER(keys_may_repeat),
        WITH_MAKER(keys_and_values_may_be_empty),
        WITH_MAKER(a_pair_without_key_or_value_is_invalid_at_strict),
        WITH_MAKER(pairs_of_the_schema_are_judged_but_not_those_around_it),
        WITH_MAKER(an_absent_index_type_is_good),
        WITH_MAKER(an_index_type_is_8_16_32_or_64_bits_wide),
        WITH_MAKER(a_types_width_is_not_looked_up_by_the_index_types_vtable),
        WITH_MAKER(an_empty_index_type_is_invalid),
        WITH_MAKER(an_unknown_dictionary_kind_is_unsupported),
        WITH_MAKER(a_dictionary_id_is_any_number),
        WITH_MAKER(an_absent_member_is_at_its_table),
        WITH_MAKER(a_stored_member_is_at_its_word),
        WITH_MAKER(an_offending_value_is_in_the_sentence),
        WITH_MAKER(the_first_fault_in_pre_order_is_told),
        WITH_MAKER(the_schemas_own_faults_come_before_its_fields),
        WITH_MAKER(what_arrow_refuses_can_be_walked),
        WITH_MAKER(one_id_may_stand_for_one_value_type),
        WITH_MAKER(one_id_for_two_value_types_is_invalid),
        WITH_MAKER(one_id_for_two_parameters_is_invalid),
        WITH_MAKER(signs_scales_widths_and_zones_are_parameters_too),
        WITH_MAKER(an_absent_zone_agrees_with_an_empty_one),
        WITH_MAKER(stored_defaults_agree_with_absent_ones),
        WITH_MAKER(type_ids_are_parameters_too),
        WITH_MAKER(types_from_the_future_are_compared_by_their_number),
        WITH_MAKER(names_nullability_and_metadata_are_not_compared),
        WITH_MAKER(inner_dictionaries_are_not_compared),
        WITH_MAKER(index_types_are_not_compared),
        WITH_MAKER(the_types_of_children_are_compared),
        WITH_MAKER(the_number_of_children_is_compared),
        WITH_MAKER(the_shape_of_the_tree_is_compared),
        WITH_MAKER(children_absent_agree_with_children_empty),
        WITH_MAKER(a_conflict_is_found_anywhere_in_the_tree),
        WITH_MAKER(a_dictionary_inside_a_dictionary_is_checked_too),
        WITH_MAKER(the_second_of_two_in_conflict_is_named),
        WITH_MAKER(a_conflict_in_a_stream_is_placed_in_the_stream),
        WITH_MAKER(different_ids_may_have_different_types),
        WITH_MAKER(dictionaries_need_no_memory_where_there_are_none),
        WITH_MAKER(too_little_memory_tells_how_much_is_needed),
        WITH_MAKER(just_enough_memory_is_enough_at_any_alignment),
        WITH_MAKER(many_dictionaries_are_checked_in_little_time),
        WITH_MAKER(the_check_of_dictionaries_has_a_budget),
        WITH_MAKER(a_conflict_is_told_where_only_raised_limits_reach),
        WITH_MAKER(a_conflict_needs_no_error_to_fill),
        WITH_MAKER(a_check_of_dictionaries_beyond_its_limit_needs_no_error_to_fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
