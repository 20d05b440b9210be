/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text: type names as pyarrow prints them, the tree, which must be safe on a terminal, and the
 * JSON of Arrow's integration tests, byte for byte.
 */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#define OK FLETCH_OK

/* The name of one field's type, in a maker's block that ends with NUL. */
static const char *type_text(maker *m, node *field, const fletch_print_options *options)
{
    fletch_schema schema =
        open_as(finish(m, schema_with(m, field)), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
    fletch_field read = field_number(&schema, 0);
    fletch_error error;
    paper p = {0};
    fletch_status status = fletch_print_type(&read, options, write_on, &p, &error);
    if (status != OK) fail_msg("%s: %s", fletch_status_word(status), error.sentence);
    block copy = copy_of(m, p.text, p.size + 1);
    tear_up(&p);
    return (const char *)copy.bytes;
}

static void named(maker *m, node *field, const char *name)
{
    assert_string_equal(type_text(m, field, NULL), name);
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

/* Types */

typedef struct name_row {
    int tag;
    const char *name;
} name_row;

static void types_without_parameters_have_their_names(void **state)
{
    static const name_row rows[] = {
        {FLETCH_TYPE_NULL, "null"},
        {FLETCH_TYPE_BINARY, "binary"},
        {FLETCH_TYPE_UTF8, "string"},
        {FLETCH_TYPE_BOOL, "bool"},
        {FLETCH_TYPE_LARGE_BINARY, "large_binary"},
        {FLETCH_TYPE_LARGE_UTF8, "large_string"},
        {FLETCH_TYPE_BINARY_VIEW, "binary_view"},
        {FLETCH_TYPE_UTF8_VIEW, "string_view"},
        {FLETCH_TYPE_STRUCT, "struct<>"},
    };
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        named(m, nested_field(m, "a", rows[i].tag), rows[i].name);
}

static void integers_have_their_width_and_sign(void **state)
{
    maker *m = *state;
    named(m, new_field(m, "a", FLETCH_TYPE_INT, int_type(m, 8, true)), "int8");
    named(m, new_field(m, "a", FLETCH_TYPE_INT, int_type(m, 16, false)), "uint16");
    named(m, new_field(m, "a", FLETCH_TYPE_INT, int_type(m, 32, true)), "int32");
    named(m, new_field(m, "a", FLETCH_TYPE_INT, int_type(m, 64, false)), "uint64");
}

static void types_with_a_unit_or_mode_have_it_in_the_name(void **state)
{
    static const struct {
        int tag, value;
        const char *name;
    } rows[] = {{FLETCH_TYPE_FLOATING_POINT, 0, "halffloat"},
                {FLETCH_TYPE_FLOATING_POINT, 1, "float"},
                {FLETCH_TYPE_FLOATING_POINT, 2, "double"},
                {FLETCH_TYPE_DATE, 0, "date32[day]"},
                {FLETCH_TYPE_DATE, 1, "date64[ms]"},
                {FLETCH_TYPE_TIME, 0, "time32[s]"},
                {FLETCH_TYPE_TIME, 1, "time32[ms]"},
                {FLETCH_TYPE_TIMESTAMP, 0, "timestamp[s]"},
                {FLETCH_TYPE_TIMESTAMP, 1, "timestamp[ms]"},
                {FLETCH_TYPE_TIMESTAMP, 2, "timestamp[us]"},
                {FLETCH_TYPE_TIMESTAMP, 3, "timestamp[ns]"},
                {FLETCH_TYPE_INTERVAL, 0, "month_interval"},
                {FLETCH_TYPE_INTERVAL, 1, "day_time_interval"},
                {FLETCH_TYPE_INTERVAL, 2, "month_day_nano_interval"},
                {FLETCH_TYPE_DURATION, 0, "duration[s]"},
                {FLETCH_TYPE_DURATION, 3, "duration[ns]"},
                {FLETCH_TYPE_UNION, 0, "sparse_union<>"},
                {FLETCH_TYPE_UNION, 1, "dense_union<>"}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        named(m, new_field(m, "a", rows[i].tag, one_16(m, rows[i].value)), rows[i].name);
}

static void a_time_of_64_bits_is_named_so(void **state)
{
    maker *m = *state;
    node *micro = one_16(m, 2), *nano = one_16(m, 3);
    set32(micro, TIME_WIDTH, 64);
    set32(nano, TIME_WIDTH, 64);
    named(m, new_field(m, "a", FLETCH_TYPE_TIME, micro), "time64[us]");
    named(m, new_field(m, "a", FLETCH_TYPE_TIME, nano), "time64[ns]");
}

static void a_timestamp_has_its_zone(void **state)
{
    maker *m = *state;
    node *zoned = one_16(m, 2), *empty = one_16(m, 3);
    set_node(zoned, TIMESTAMP_ZONE, make_text(m, "Europe/Paris"));
    set_node(empty, TIMESTAMP_ZONE, make_text(m, ""));
    named(m, new_field(m, "a", FLETCH_TYPE_TIMESTAMP, zoned), "timestamp[us, tz=Europe/Paris]");
    named(m, new_field(m, "a", FLETCH_TYPE_TIMESTAMP, empty), "timestamp[ns]");
}

static void a_decimal_has_width_precision_and_scale(void **state)
{
    maker *m = *state;
    static const int widths[] = {32, 64, 128, 256};
    for (size_t i = 0; i < 4; i++) {
        char name[32];
        node *type = one_32(m, 9);
        set32(type, DECIMAL_SCALE, -2);
        set32(type, DECIMAL_WIDTH, widths[i]);
        snprintf(name, sizeof name, "decimal%d(9, -2)", widths[i]);
        named(m, new_field(m, "a", FLETCH_TYPE_DECIMAL, type), name);
    }
    named(m, new_field(m, "a", FLETCH_TYPE_DECIMAL, one_32(m, 38)), "decimal128(38, 0)");
}

static void a_fixed_size_binary_has_its_size(void **state)
{
    maker *m = *state;
    named(m, new_field(m, "a", FLETCH_TYPE_FIXED_SIZE_BINARY, one_32(m, 16)),
          "fixed_size_binary[16]");
}

static void lists_have_their_item(void **state)
{
    static const name_row rows[] = {{FLETCH_TYPE_LIST, "list<item: int32>"},
                                    {FLETCH_TYPE_LARGE_LIST, "large_list<item: int32>"},
                                    {FLETCH_TYPE_LIST_VIEW, "list_view<item: int32>"},
                                    {FLETCH_TYPE_LARGE_LIST_VIEW, "large_list_view<item: int32>"}};
    maker *m = *state;
    for (size_t i = 0; i < 4; i++) {
        node *field = nested_field(m, "a", rows[i].tag);
        add_child(field, int_field(m, "item"));
        named(m, field, rows[i].name);
    }
}

static void a_fixed_size_list_has_its_size_behind(void **state)
{
    maker *m = *state;
    node *field = new_field(m, "a", FLETCH_TYPE_FIXED_SIZE_LIST, one_32(m, 3));
    add_child(field, not_null(int_field(m, "element")));
    named(m, field, "fixed_size_list<element: int32 not null>[3]");
}

static void a_struct_has_its_members(void **state)
{
    maker *m = *state;
    node *field = nested_field(m, "a", FLETCH_TYPE_STRUCT);
    add_child(field, int_field(m, "x"));
    add_child(field, not_null(text_field(m, "y")));
    node *inner = add_child(field, nested_field(m, "z", FLETCH_TYPE_LIST));
    add_child(inner, nested_field(m, "item", FLETCH_TYPE_STRUCT));
    named(m, field, "struct<x: int32, y: string not null, z: list<item: struct<>>>");
}

static void a_union_has_its_type_ids(void **state)
{
    maker *m = *state;
    node *type = one_16(m, 1), *ids = make_vector(m, 4);
    append_number(ids, 5);
    append_number(ids, 127);
    set_node(type, UNION_TYPE_IDS, ids);
    node *dense = new_field(m, "a", FLETCH_TYPE_UNION, type);
    node *sparse = nested_field(m, "a", FLETCH_TYPE_UNION);
    for (int i = 0; i < 2; i++) {
        node *field = i ? sparse : dense;
        add_child(field, int_field(m, "i"));
        add_child(field, not_null(text_field(m, "s")));
    }
    named(m, dense, "dense_union<i: int32=5, s: string not null=127>");
    named(m, sparse, "sparse_union<i: int32=0, s: string not null=1>");
}

static node *map_field(maker *m, const char *entries, const char *key, const char *value)
{
    node *map = nested_field(m, "a", FLETCH_TYPE_MAP);
    node *middle = add_child(map, not_null(nested_field(m, entries, FLETCH_TYPE_STRUCT)));
    add_child(middle, not_null(text_field(m, key)));
    add_child(middle, int_field(m, value));
    return map;
}

static void a_map_has_key_and_value(void **state)
{
    maker *m = *state;
    named(m, map_field(m, "entries", "key", "value"), "map<string, int32>");
}

static void a_map_tells_names_that_are_not_the_usual_ones(void **state)
{
    maker *m = *state;
    named(m, map_field(m, "entries", "key", "v"), "map<string, int32 ('v')>");
    named(m, map_field(m, "entries", "k", "value"), "map<string ('k'), int32>");
    named(m, map_field(m, "e", "k", "v"), "map<string ('k'), int32 ('v') ('e')>");
}

static void a_map_tells_whether_its_keys_are_sorted(void **state)
{
    maker *m = *state;
    node *map = map_field(m, "entries", "key", "value"), *named_map = map_field(m, "e", "k", "v");
    node *sorted = make_table(m);
    set8(sorted, 0, 1);
    set_node(map, FIELD_TYPE, sorted);
    set_node(named_map, FIELD_TYPE, sorted);
    named(m, map, "map<string, int32, keys_sorted>");
    named(m, named_map, "map<string ('k'), int32 ('v'), keys_sorted ('e')>");
}

static void a_run_end_encoded_has_both_its_children(void **state)
{
    maker *m = *state;
    node *field = nested_field(m, "a", FLETCH_TYPE_RUN_END_ENCODED);
    add_child(field, not_null(int_field(m, "run_ends")));
    add_child(field, text_field(m, "values"));
    named(m, field, "run_end_encoded<run_ends: int32, values: string>");
}

static void a_dictionary_has_values_and_indices(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a"), *dictionary = add_dictionary(m, field, 5, int_type(m, 8, 1));
    named(m, field, "dictionary<values=string, indices=int8, ordered=0>");
    set8(dictionary, DICTIONARY_ORDERED, 1);
    set_node(dictionary, DICTIONARY_INDEX, int_type(m, 64, false));
    named(m, field, "dictionary<values=string, indices=uint64, ordered=1>");
    drop(dictionary, DICTIONARY_INDEX);
    named(m, field, "dictionary<values=string, indices=int32, ordered=1>");
}

static void a_dictionary_of_lists_has_them_inside(void **state)
{
    maker *m = *state;
    node *field = nested_field(m, "a", FLETCH_TYPE_LIST);
    node *item = add_child(field, not_null(text_field(m, "item")));
    add_dictionary(m, field, 5, int_type(m, 8, true));
    add_dictionary(m, item, 6, int_type(m, 16, true));
    named(m, field,
          "dictionary<values=list<item: dictionary<values=string, indices=int16, ordered=0> not "
          "null>, indices=int8, ordered=0>");
}

static void an_unknown_type_has_its_number(void **state)
{
    maker *m = *state;
    named(m, nested_field(m, "a", 27), "unknown type 27");
    node *list = nested_field(m, "a", FLETCH_TYPE_LIST);
    add_child(list, nested_field(m, "item", 255));
    named(m, list, "list<item: unknown type 255>");
}

static void broken_types_have_some_name(void **state)
{
    maker *m = *state;
    for (int tag = 1; tag <= 26; tag++) {
        bool is_32 = tag == FLETCH_TYPE_INT || tag == FLETCH_TYPE_DECIMAL ||
                     tag == FLETCH_TYPE_FIXED_SIZE_BINARY || tag == FLETCH_TYPE_FIXED_SIZE_LIST;
        node *bad = new_field(m, "a", tag, is_32 ? one_32(m, -99) : one_16(m, 99));
        assert_true(strlen(type_text(m, bad, NULL)) > 0);
    }
    node *map = nested_field(m, "a", FLETCH_TYPE_MAP);
    add_child(map, int_field(m, "no struct"));
    assert_non_null(strstr(type_text(m, map, NULL), "int32"));
    assert_true(strlen(type_text(m, make_table(m), NULL)) > 0);
}

static void a_type_is_written_into_memory_as_far_as_it_fits(void **state)
{
    static const char whole[] = "timestamp[us, tz=UTC]";
    maker *m = *state;
    node *type = one_16(m, FLETCH_MICROSECOND);
    set_node(type, TIMESTAMP_ZONE, make_text(m, "UTC"));
    node *root = schema_with(m, new_field(m, "a", FLETCH_TYPE_TIMESTAMP, type));
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_field field;
    assert_int_equal(fletch_field_at(&schema.fields, 0, &field), FLETCH_OK);
    for (size_t size = 0; size <= sizeof whole + 1; size++) {
        char memory[sizeof whole + 2];
        fletch_text_buffer buffer = {memory, size, 0};
        size_t length = size < sizeof whole ? size - 1 : sizeof whole - 1;
        memset(memory, '#', sizeof memory);
        assert_int_equal(fletch_print_type(&field, NULL, fletch_write_text, &buffer, NULL), OK);
        assert_int_equal(buffer.used, sizeof whole - 1);
        if (size != 0) {
            assert_memory_equal(memory, whole, length);
            assert_int_equal(memory[length], 0);
        }
        assert_int_equal(memory[size], '#');
    }
}

static void names_inside_are_escaped(void **state)
{
    maker *m = *state;
    node *list = nested_field(m, "a", FLETCH_TYPE_LIST);
    add_child(list, int_field(m, "a\x1B[31m\n\xFF"));
    const char *name = type_text(m, list, NULL);
    assert_null(strchr(name, '\x1B'));
    assert_null(strchr(name, '\n'));
    assert_null(strchr(name, '\xFF'));
}

static void a_long_name_is_cut(void **state)
{
    maker *m = *state;
    node *field = nested_field(m, "a", FLETCH_TYPE_STRUCT);
    for (int i = 0; i < 100; i++)
        add_child(field, int_field(m, "member"));
    const char *whole = type_text(m, field, NULL);
    for (size_t most = 1; most < 60; most++) {
        const fletch_print_options options = {.max_type = most};
        const char *name = type_text(m, field, &options);
        size_t kept = strlen(name) - 3;
        assert_in_range(kept, 0, most);
        assert_memory_equal(name, whole, kept);
        assert_string_equal(name + kept, "...");
    }
}

static void a_name_that_fits_is_not_cut(void **state)
{
    maker *m = *state;
    fletch_print_options options = {.max_type = 5};
    assert_string_equal(type_text(m, int_field(m, "a"), &options), "int32");
    options.max_type = 1000;
    assert_string_equal(type_text(m, map_field(m, "entries", "key", "value"), &options),
                        "map<string, int32>");
}

/* A name is no place to hide a bomb in. */
static void a_type_of_fields_without_end_is_a_limit(void **state)
{
    maker *m = *state;
    block b = finish(m, fan_schema(m, 30, 2));
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
    fletch_field field = field_number(&schema, 0);
    fletch_error error;
    paper p = {0};
    assert_int_equal(fletch_print_type(&field, NULL, write_on, &p, &error), FLETCH_LIMIT);
    assert_in_range(p.size, 0, 100 * b.size);
    tear_up(&p);
}

/* The tree */

static void print_tree(maker *m, node *root, paper *p)
{
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
    fletch_error error;
    fletch_status status = fletch_print_tree(&schema, NULL, write_on, p, &error);
    if (status != OK) fail_msg("%s: %s", fletch_status_word(status), error.sentence);
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void the_tree_names_every_field_and_type(void **state)
{
    maker *m = *state;
    node *root = schema_with(m, map_field(m, "entries", "the key", "the value"));
    node *list = nested_field(m, "the list", FLETCH_TYPE_LIST);
    add_child(list, not_null(text_field(m, "the item")));
    add_field(root, list);
    add_field(root, nested_field(m, "from the future", 27));
    static const char *const wanted[] = {
        "the key", "the value", "the list", "the item",        "string",         "int32",
        "list",    "map",       "not null", "from the future", "unknown type 27"};
    paper p = {0};
    print_tree(m, root, &p);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(p.text, wanted[i])) fail_msg("%s is not in the tree:\n%s", wanted[i], p.text);
    tear_up(&p);
}

static void the_tree_has_all_metadata(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    add_pair(m, s.schema, SCHEMA_METADATA, "of the schema", "value one");
    add_pair(m, s.field, FIELD_METADATA, "of the field", "value two");
    static const char *const wanted[] = {"of the schema", "value one", "of the field", "value two"};
    paper p = {0};
    print_tree(m, s.schema, &p);
    for (size_t i = 0; i < 4; i++)
        if (!strstr(p.text, wanted[i])) fail_msg("%s is not in the tree:\n%s", wanted[i], p.text);
    tear_up(&p);
}

/* Every line has its end, and nothing in it that a terminal would act upon. */
static void check_safe(const paper *p)
{
    const unsigned char *text = (const unsigned char *)p->text;
    assert_int_equal(p->text[p->size - 1], '\n');
    for (size_t i = 0; i < p->size; i++) {
        if (text[i] < 0x20 && text[i] != '\n') fail_msg("byte %02x at %zu", text[i], i);
        if (text[i] == 0x7F) fail_msg("U+007F at %zu", i);
        if (text[i] == 0xC2 && text[i + 1] < 0xA0) fail_msg("C1 at %zu", i);
        if (text[i] == 0xFF || text[i] == 0xC0) fail_msg("no UTF-8 at %zu", i);
    }
}

/* Puts the same strange text into every place of a schema that holds text. */
static node *strange_schema(maker *m, const void *bytes, size_t size)
{
    node *text = make_string(m, bytes, size), *zoned = make_table(m);
    sample s = make_sample(m);
    set_node(zoned, TIMESTAMP_ZONE, text);
    set_node(s.field, FIELD_NAME, text);
    set_node(s.pair, PAIR_KEY, text);
    set_node(s.pair, PAIR_VALUE, text);
    add_field(s.schema, new_field(m, "zoned", FLETCH_TYPE_TIMESTAMP, zoned));
    node *map = map_field(m, "entries", "key", "value");
    set_node(first_of(member(map, FIELD_CHILDREN)), FIELD_NAME, text);
    add_field(s.schema, map);
    set_node(s.schema, SCHEMA_METADATA, s.metadata);
    return s.schema;
}

static void the_tree_is_safe_whatever_the_names_are(void **state)
{
    maker *m = *state;
    size_t lines = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        const uint8_t alone[] = {'a', (uint8_t)byte, 'b'}, tail[] = {0xC2, (uint8_t)byte, 'b'};
        for (int i = 0; i < 2; i++) {
            paper p = {0};
            print_tree(m, strange_schema(m, i ? tail : alone, 3), &p);
            check_safe(&p);
            if (lines && count_lines(p.text) != lines)
                fail_msg("byte %02x makes another number of lines:\n%s", byte, p.text);
            lines = count_lines(p.text);
            tear_up(&p);
        }
    }
}

static void different_names_look_different(void **state)
{
    static const char *const names[] = {"a\nb",
                                        "a\\nb",
                                        "a\\\\nb",
                                        "a\x01"
                                        "b",
                                        "a\\x01b",
                                        "a\xFF"
                                        "b",
                                        "a\\xffb",
                                        "a\xC2\x85"
                                        "b",
                                        "a\\u0085b"};
    enum { NAMES = sizeof names / sizeof *names };
    maker *m = *state;
    paper trees[NAMES];
    for (size_t i = 0; i < NAMES; i++) {
        trees[i] = (paper){0};
        print_tree(m, schema_with(m, int_field(m, names[i])), &trees[i]);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(trees[i].text, trees[k].text);
    }
    for (size_t i = 0; i < NAMES; i++)
        tear_up(&trees[i]);
}

static void good_text_stays_as_it_is(void **state)
{
    maker *m = *state;
    paper p = {0};
    print_tree(m, schema_with(m, int_field(m, "na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x8E\xAF")), &p);
    assert_non_null(strstr(p.text, "na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x8E\xAF"));
    tear_up(&p);
}

static void a_long_value_is_cut_in_the_tree(void **state)
{
    maker *m = *state;
    char value[1001];
    memset(value, 'v', 1000);
    value[1000] = 0;
    sample s = make_sample(m);
    set_node(s.pair, PAIR_VALUE, make_text(m, value));
    fletch_schema schema = open_as(finish(m, s.schema), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    const fletch_print_options options = {.max_value = 40};
    paper p = {0};
    assert_int_equal(fletch_print_tree(&schema, &options, write_on, &p, NULL), OK);
    assert_in_range(p.size, 40, 300);
    assert_non_null(strstr(p.text, "vvv..."));
    tear_up(&p);
}

static void colours_come_on_request_only(void **state)
{
    maker *m = *state;
    fletch_schema schema =
        open_as(finish(m, make_sample(m).schema), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    const fletch_print_options options = {.color = true};
    paper plain = {0}, coloured = {0};
    assert_int_equal(fletch_print_tree(&schema, NULL, write_on, &plain, NULL), OK);
    assert_int_equal(fletch_print_tree(&schema, &options, write_on, &coloured, NULL), OK);
    assert_null(strchr(plain.text, '\x1B'));
    assert_non_null(strchr(coloured.text, '\x1B'));
    tear_up(&plain);
    tear_up(&coloured);
}

static void a_tree_of_nothing_is_printed_too(void **state)
{
    maker *m = *state;
    paper p = {0};
    print_tree(m, make_table(m), &p);
    check_safe(&p);
    tear_up(&p);
}

static void a_message_without_a_schema_is_a_tree_that_says_so(void **state)
{
    /* root offset, vtable (8 bytes: version, header_type), table */
    static const unsigned char bytes[] = {12, 0, 0, 0, 8, 0, 8, 0, 4, 0,
                                          6,  0, 8, 0, 0, 0, 4, 0, 0, 0};
    const fletch_options options = {FLETCH_MESSAGE, FLETCH_LEVEL_STRUCTURE, {0, 0, 0}, NULL, 0,
                                    false};
    fletch_schema schema;
    paper p = {0};
    (void)state;
    assert_int_equal(fletch_open_with(bytes, sizeof bytes, &options, &schema, NULL),
                     FLETCH_NOT_A_SCHEMA);
    assert_int_equal(fletch_print_tree(&schema, NULL, write_on, &p, NULL), OK);
    assert_string_equal(p.text, "message, metadata V5, no schema\n");
    tear_up(&p);
}

static void a_tree_without_end_is_a_limit(void **state)
{
    maker *m = *state;
    block b = finish(m, fan_schema(m, 30, 2));
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
    paper p = {0};
    assert_int_equal(fletch_print_tree(&schema, NULL, write_on, &p, NULL), FLETCH_LIMIT);
    tear_up(&p);
}

/* JSON */

static void print_json(maker *m, node *root, paper *p)
{
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_error error;
    fletch_status status = fletch_print_json(&schema, NULL, write_on, p, &error);
    if (status != OK) fail_msg("%s: %s", fletch_status_word(status), error.sentence);
}

/* The JSON of a schema, and of a schema of one field, without what is around it. */
static void json_is(maker *m, node *root, const char *json)
{
    paper p = {0};
    print_json(m, root, &p);
    assert_string_equal(p.text, json);
    tear_up(&p);
}

static void type_is(maker *m, node *field, const char *type)
{
    char json[512];
    snprintf(json, sizeof json,
             "{\"schema\":{\"fields\":[{\"name\":\"a\",\"nullable\":true,\"type\":{%s},"
             "\"children\":[]}]}}",
             type);
    json_is(m, schema_with(m, field), json);
}

static void the_json_of_no_columns_is_short(void **state)
{
    maker *m = *state;
    json_is(m, new_schema(m), "{\"schema\":{\"fields\":[]}}");
}

static void the_json_has_its_members_in_order(void **state)
{
    maker *m = *state;
    node *list = not_null(nested_field(m, "tags", FLETCH_TYPE_LIST)), *root = schema_with(m, list);
    add_child(list, text_field(m, "item"));
    node *dictionary = add_dictionary(m, list, -3, int_type(m, 16, false));
    set8(dictionary, DICTIONARY_ORDERED, 1);
    add_pair(m, list, FIELD_METADATA, "k", "1");
    add_pair(m, list, FIELD_METADATA, "k", "2");
    add_pair(m, root, SCHEMA_METADATA, "origin", "sensor 7");
    json_is(m, root,
            "{\"schema\":{\"fields\":[{\"name\":\"tags\",\"nullable\":false,"
            "\"type\":{\"name\":\"list\"},\"children\":[{\"name\":\"item\",\"nullable\":true,"
            "\"type\":{\"name\":\"utf8\"},\"children\":[]}],"
            "\"dictionary\":{\"id\":-3,\"indexType\":{\"name\":\"int\",\"bitWidth\":16,"
            "\"isSigned\":false},\"isOrdered\":true},"
            "\"metadata\":[{\"key\":\"k\",\"value\":\"1\"},{\"key\":\"k\",\"value\":\"2\"}]}],"
            "\"metadata\":[{\"key\":\"origin\",\"value\":\"sensor 7\"}]}}");
}

static void absent_strings_are_empty_in_json(void **state)
{
    maker *m = *state;
    node *field = int_field(m, NULL);
    drop(field, FIELD_CHILDREN);
    add_pair(m, field, FIELD_METADATA, NULL, NULL);
    json_is(m, schema_with(m, field),
            "{\"schema\":{\"fields\":[{\"name\":\"\",\"nullable\":true,\"type\":{\"name\":\"int\","
            "\"bitWidth\":32,\"isSigned\":true},\"children\":[],"
            "\"metadata\":[{\"key\":\"\",\"value\":\"\"}]}]}}");
}

static void empty_metadata_is_not_in_json(void **state)
{
    maker *m = *state;
    node *field = nested_field(m, "a", FLETCH_TYPE_NULL), *root = schema_with(m, field);
    set_node(field, FIELD_METADATA, make_list(m));
    set_node(root, SCHEMA_METADATA, make_list(m));
    json_is(m, root,
            "{\"schema\":{\"fields\":[{\"name\":\"a\",\"nullable\":true,"
            "\"type\":{\"name\":\"null\"},\"children\":[]}]}}");
}

static void types_without_parameters_in_json(void **state)
{
    static const name_row rows[] = {{1, "null"},       {4, "binary"},      {5, "utf8"},
                                    {6, "bool"},       {13, "struct"},     {19, "largebinary"},
                                    {20, "largeutf8"}, {23, "binaryview"}, {24, "utf8view"}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char type[40];
        snprintf(type, sizeof type, "\"name\":\"%s\"", rows[i].name);
        type_is(m, nested_field(m, "a", rows[i].tag), type);
    }
}

static void units_in_json(void **state)
{
    static const struct {
        int tag, value;
        const char *type;
    } rows[] = {{3, 0, "\"name\":\"floatingpoint\",\"precision\":\"HALF\""},
                {3, 1, "\"name\":\"floatingpoint\",\"precision\":\"SINGLE\""},
                {3, 2, "\"name\":\"floatingpoint\",\"precision\":\"DOUBLE\""},
                {8, 0, "\"name\":\"date\",\"unit\":\"DAY\""},
                {8, 1, "\"name\":\"date\",\"unit\":\"MILLISECOND\""},
                {9, 0, "\"name\":\"time\",\"unit\":\"SECOND\",\"bitWidth\":32"},
                {9, 1, "\"name\":\"time\",\"unit\":\"MILLISECOND\",\"bitWidth\":32"},
                {10, 2, "\"name\":\"timestamp\",\"unit\":\"MICROSECOND\""},
                {10, 3, "\"name\":\"timestamp\",\"unit\":\"NANOSECOND\""},
                {11, 0, "\"name\":\"interval\",\"unit\":\"YEAR_MONTH\""},
                {11, 1, "\"name\":\"interval\",\"unit\":\"DAY_TIME\""},
                {11, 2, "\"name\":\"interval\",\"unit\":\"MONTH_DAY_NANO\""},
                {18, 0, "\"name\":\"duration\",\"unit\":\"SECOND\""},
                {14, 0, "\"name\":\"union\",\"mode\":\"SPARSE\",\"typeIds\":[]"},
                {14, 1, "\"name\":\"union\",\"mode\":\"DENSE\",\"typeIds\":[]"}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        type_is(m, new_field(m, "a", rows[i].tag, one_16(m, rows[i].value)), rows[i].type);
}

static void numbers_in_json(void **state)
{
    maker *m = *state;
    node *decimal = one_32(m, 9);
    set32(decimal, DECIMAL_SCALE, INT32_MIN);
    type_is(m, new_field(m, "a", 7, decimal),
            "\"name\":\"decimal\",\"precision\":9,\"scale\":-2147483648,\"bitWidth\":128");
    type_is(m, new_field(m, "a", 15, one_32(m, INT32_MAX)),
            "\"name\":\"fixedsizebinary\",\"byteWidth\":2147483647");
    type_is(m, new_field(m, "a", 2, int_type(m, 8, false)),
            "\"name\":\"int\",\"bitWidth\":8,\"isSigned\":false");
}

static void a_zone_in_json_is_there_when_it_is_not_empty(void **state)
{
    maker *m = *state;
    node *zoned = one_16(m, 0), *empty = one_16(m, 0);
    set_node(zoned, TIMESTAMP_ZONE, make_text(m, "UTC"));
    set_node(empty, TIMESTAMP_ZONE, make_text(m, ""));
    type_is(m, new_field(m, "a", 10, zoned),
            "\"name\":\"timestamp\",\"unit\":\"SECOND\",\"timezone\":\"UTC\"");
    type_is(m, new_field(m, "a", 10, empty), "\"name\":\"timestamp\",\"unit\":\"SECOND\"");
}

static const char item_json[] =
    "{\"name\":\"item\",\"nullable\":true,\"type\":{\"name\":\"null\"},\"children\":[]}";

static void nested_is(maker *m, node *field, const char *type, unsigned children)
{
    char json[1024];
    int size = snprintf(json, sizeof json,
                        "{\"schema\":{\"fields\":[{\"name\":\"a\",\"nullable\":true,"
                        "\"type\":{%s},\"children\":[",
                        type);
    for (unsigned i = 0; i < children; i++) {
        add_child(field, nested_field(m, "item", FLETCH_TYPE_NULL));
        size += snprintf(json + size, sizeof json - (size_t)size, "%s%s", i ? "," : "", item_json);
    }
    snprintf(json + size, sizeof json - (size_t)size, "]}]}}");
    json_is(m, schema_with(m, field), json);
}

static void nested_types_in_json(void **state)
{
    maker *m = *state;
    nested_is(m, nested_field(m, "a", 12), "\"name\":\"list\"", 1);
    nested_is(m, nested_field(m, "a", 13), "\"name\":\"struct\"", 3);
    nested_is(m, nested_field(m, "a", 14),
              "\"name\":\"union\",\"mode\":\"SPARSE\",\"typeIds\":[0,1,2]", 3);
    nested_is(m, new_field(m, "a", 16, one_32(m, 4)), "\"name\":\"fixedsizelist\",\"listSize\":4",
              1);
    nested_is(m, nested_field(m, "a", 21), "\"name\":\"largelist\"", 1);
    nested_is(m, nested_field(m, "a", 25), "\"name\":\"listview\"", 1);
    nested_is(m, nested_field(m, "a", 26), "\"name\":\"largelistview\"", 1);
}

static void stored_type_ids_in_json(void **state)
{
    maker *m = *state;
    node *type = one_16(m, 1), *ids = make_vector(m, 4);
    append_number(ids, 7);
    append_number(ids, 0);
    set_node(type, UNION_TYPE_IDS, ids);
    nested_is(m, new_field(m, "a", 14, type),
              "\"name\":\"union\",\"mode\":\"DENSE\",\"typeIds\":[7,0]", 2);
}

static void a_map_and_run_ends_in_json(void **state)
{
    maker *m = *state;
    paper p = {0};
    node *root = schema_with(m, map_field(m, "entries", "key", "value"));
    node *runs = nested_field(m, "r", FLETCH_TYPE_RUN_END_ENCODED);
    add_child(runs, not_null(int_field(m, "run_ends")));
    add_child(runs, text_field(m, "values"));
    add_field(root, runs);
    print_json(m, root, &p);
    assert_non_null(strstr(p.text, "\"type\":{\"name\":\"map\",\"keysSorted\":false}"));
    assert_non_null(strstr(p.text, "\"type\":{\"name\":\"runendencoded\"}"));
    tear_up(&p);
}

static void strings_in_json_are_escaped(void **state)
{
    maker *m = *state;
    static const char name[] = "\"\\/\b\f\n\r\t\x01\x1F\0\x7F\xC2\x85\xE2\x80\xA8\xF0\x9F\x8E\xAF";
    node *field = nested_field(m, NULL, FLETCH_TYPE_NULL);
    set_node(field, FIELD_NAME, make_string(m, name, sizeof name - 1));
    json_is(m, schema_with(m, field),
            "{\"schema\":{\"fields\":[{\"name\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\\u0000"
            "\x7F\xC2\x85\xE2\x80\xA8\xF0\x9F\x8E\xAF\",\"nullable\":true,"
            "\"type\":{\"name\":\"null\"},\"children\":[]}]}}");
}

static void what_is_not_utf8_has_no_json(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    set_node(s.pair, PAIR_VALUE, make_text(m, "ab\xFF"));
    fletch_schema schema = open_as(finish(m, s.schema), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_error error;
    paper p = {0};
    assert_int_equal(fletch_print_json(&schema, NULL, write_on, &p, &error), FLETCH_MALFORMED);
    assert_string_equal(error.path, "fields[0].custom_metadata[0].value");
    assert_int_equal(error.offset, place(member(s.pair, PAIR_VALUE)) + 6);
    tear_up(&p);
}

static void what_arrow_refuses_has_no_json(void **state)
{
    maker *m = *state;
    node *field = new_field(m, "a", FLETCH_TYPE_INT, int_type(m, 7, true));
    node *roots[] = {schema_with(m, field), schema_with(m, nested_field(m, "a", 27)),
                     make_table(m)};
    static const fletch_status statuses[] = {FLETCH_INVALID, FLETCH_UNSUPPORTED, FLETCH_MISSING};
    for (size_t i = 0; i < 3; i++) {
        fletch_schema schema = open_as(finish(m, roots[i]), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
        fletch_error error;
        paper p = {0};
        assert_int_equal(fletch_print_json(&schema, NULL, write_on, &p, &error), statuses[i]);
        assert_int_equal(error.status, statuses[i]);
        tear_up(&p);
    }
}

static void an_error_of_json_counts_from_the_inputs_first_byte(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    set_node(s.field, FIELD_NAME, make_text(m, "ab\xFF"));
    block stream = stream_of(m, finish(m, new_message(m, s.schema)));
    fletch_schema schema = open_as(stream, FLETCH_STREAM, FLETCH_LEVEL_ARROW);
    fletch_error error;
    paper p = {0};
    assert_int_equal(fletch_print_json(&schema, NULL, write_on, &p, &error), FLETCH_MALFORMED);
    assert_string_equal(error.path, "message.header.fields[0].name");
    assert_int_equal(error.offset, 8 + place(member(s.field, FIELD_NAME)) + 6);
    tear_up(&p);
}

static void a_deep_schema_has_json(void **state)
{
    maker *m = *state;
    paper p = {0};
    print_json(m, deep_schema(m, 128), &p);
    size_t depth = 0;
    for (const char *at = p.text; (at = strstr(at, "\"name\":\"item\"")) != NULL; at++)
        depth++;
    assert_int_equal(depth, 128);
    tear_up(&p);
}

/* Limits, and writers that refuse */

typedef fletch_status (*printing)(const fletch_schema *, const fletch_print_options *, fletch_write,
                                  void *, fletch_error *);

static fletch_status print_first_type(const fletch_schema *schema,
                                      const fletch_print_options *options, fletch_write write,
                                      void *context, fletch_error *error)
{
    fletch_field field = field_number(schema, 0);
    return fletch_print_type(&field, options, write, context, error);
}

static void printing_takes_limits(void **state)
{
    static const printing printings[] = {fletch_print_tree, fletch_print_json};
    static const fletch_print_options limited[] = {{.limits = {.depth = 2}},
                                                   {.limits = {.tables = 3}},
                                                   {.limits = {.text = 8}}};
    static const fletch_print_options enough = {
        .limits = {.depth = 3, .tables = 100, .text = 10000}};
    maker *m = *state;
    node *root = schema_with(m, map_field(m, "entries", "key", "v"));
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    for (size_t i = 0; i < 6; i++) {
        fletch_error error;
        paper p = {0};
        fletch_status status = printings[i / 3](&schema, &limited[i % 3], write_on, &p, &error);
        assert_int_equal(status, FLETCH_LIMIT);
        assert_int_equal(error.status, FLETCH_LIMIT);
        assert_int_equal(printings[i / 3](&schema, &enough, write_on, &p, NULL), OK);
        tear_up(&p);
    }
}

static void shared_text_is_counted_each_time_it_is_printed(void **state)
{
    enum { LARGE = 1 << 18, FIELDS = 40 };
    static const printing printings[] = {fletch_print_tree, fletch_print_json};
    maker *m = *state;
    block text = pad(m, (block){NULL, 0}, LARGE);
    memset(text.bytes, 'n', LARGE);
    node *root = new_schema(m), *name = make_string(m, text.bytes, LARGE);
    for (int i = 0; i < FIELDS; i++) {
        node *field = int_field(m, NULL);
        set_node(field, FIELD_NAME, name);
        add_field(root, field);
    }
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    for (size_t i = 0; i < 2; i++) {
        paper p = {0};
        assert_int_equal(printings[i](&schema, NULL, write_on, &p, NULL), FLETCH_LIMIT);
        tear_up(&p);
    }
}

static void a_writer_that_refuses_ends_the_printing(void **state)
{
    static const printing printings[] = {fletch_print_tree, fletch_print_json, print_first_type};
    maker *m = *state;
    node *root = schema_with(m, map_field(m, "entries", "key", "v"));
    add_pair(m, root, SCHEMA_METADATA, "k", "v");
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    for (size_t i = 0; i < 3; i++) {
        paper whole = {0};
        assert_int_equal(printings[i](&schema, NULL, write_on, &whole, NULL), OK);
        for (size_t limit = 1; limit < whole.size; limit++) {
            fletch_error error;
            paper p = {.limit = limit};
            fletch_status status = printings[i](&schema, NULL, write_on, &p, &error);
            assert_int_equal(status, FLETCH_NO_SPACE);
            assert_int_equal(error.status, FLETCH_NO_SPACE);
            if (p.size) assert_memory_equal(p.text, whole.text, p.size);
            tear_up(&p);
        }
        tear_up(&whole);
    }
}

/* What moves, hides or turns text is written as its number; what stands beside it in Unicode is
 * written as it is. */
static void characters_that_move_or_hide_are_escaped(void **state)
{
    static const struct {
        const char *text, *shown;
    } rows[] = {
        {"\x1F", "\\x1f"},
        {" ", " "},
        {"~", "~"},
        {"\x7F", "\\x7f"},
        {"\xC2\x80", "\\u0080"},
        {"\xC2\x9F", "\\u009f"},
        {"\xC2\xA0", "\xC2\xA0"},
        {"\xD8\x9B", "\xD8\x9B"},
        {"\xD8\x9C", "\\u061c"},
        {"\xD8\x9D", "\xD8\x9D"},
        {"\xE2\x80\x8D", "\xE2\x80\x8D"},
        {"\xE2\x80\x8E", "\\u200e"},
        {"\xE2\x80\x8F", "\\u200f"},
        {"\xE2\x80\x90", "\xE2\x80\x90"},
        {"\xE2\x80\xA7", "\xE2\x80\xA7"},
        {"\xE2\x80\xA8", "\\u2028"},
        {"\xE2\x80\xAE", "\\u202e"},
        {"\xE2\x80\xAF", "\xE2\x80\xAF"},
        {"\xE2\x81\xA5", "\xE2\x81\xA5"},
        {"\xE2\x81\xA6", "\\u2066"},
        {"\xE2\x81\xA9", "\\u2069"},
        {"\xE2\x81\xAA", "\xE2\x81\xAA"},
        {"\xEF\xBB\xBE", "\xEF\xBB\xBE"},
        {"\xEF\xBB\xBF", "\\ufeff"},
        {"\xEF\xBC\x80", "\xEF\xBC\x80"},
        {"\xF0\x9F\x8E\xAF", "\xF0\x9F\x8E\xAF"},
    };
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[64];
        node *field = nested_field(m, "a", FLETCH_TYPE_LIST);
        add_child(field, int_field(m, rows[i].text));
        snprintf(name, sizeof name, "list<%s: int32>", rows[i].shown);
        named(m, field, name);
    }
}

static void a_map_whose_entries_are_no_pair_has_them_by_name(void **state)
{
    maker *m = *state;
    node *map = map_field(m, "entries", "key", "value");
    add_child(first_of(member(map, FIELD_CHILDREN)), int_field(m, "third"));
    named(m, map,
          "map<entries: struct<key: string not null, value: int32, third: int32> not null>");
}

static void a_third_child_of_run_ends_has_its_name(void **state)
{
    maker *m = *state;
    node *field = nested_field(m, "a", FLETCH_TYPE_RUN_END_ENCODED);
    add_child(field, not_null(int_field(m, "run_ends")));
    add_child(field, text_field(m, "values"));
    add_child(field, not_null(int_field(m, "more")));
    named(m, field, "run_end_encoded<run_ends: int32, values: string, more: int32 not null>");
}

/* Features and type ids are written in loops of their own. */
static void a_writer_that_refuses_ends_long_vectors(void **state)
{
    static const printing printings[] = {fletch_print_tree, fletch_print_json};
    maker *m = *state;
    node *root = new_schema(m), *features = make_vector(m, 8), *type = one_16(m, 1);
    node *field = new_field(m, "u", FLETCH_TYPE_UNION, type);
    for (int i = 0; i < 9; i++) {
        append_number(features, 1000 + i);
        add_child(field, int_field(m, "c"));
    }
    set_node(root, SCHEMA_FEATURES, features);
    add_field(root, field);
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    for (size_t i = 0; i < 2; i++) {
        paper whole = {0};
        assert_int_equal(printings[i](&schema, NULL, write_on, &whole, NULL), OK);
        for (size_t limit = 1; limit < whole.size; limit++) {
            paper p = {.limit = limit};
            assert_int_equal(printings[i](&schema, NULL, write_on, &p, NULL), FLETCH_NO_SPACE);
            if (p.size) assert_memory_equal(p.text, whole.text, p.size);
            tear_up(&p);
        }
        tear_up(&whole);
    }
}

static void a_made_up_type_has_its_number(void **state)
{
    static const int32_t ids[] = {-1, INT32_MIN, 27, INT32_MAX};
    static const char *const names[] = {"unknown type -1", "unknown type -2147483648",
                                        "unknown type 27", "unknown type 2147483647"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        fletch_field field = {0};
        paper p = {0};
        field.type.id = ids[i];
        assert_int_equal(fletch_print_type(&field, NULL, write_on, &p, NULL), OK);
        assert_string_equal(p.text, names[i]);
        tear_up(&p);
    }
}

static void what_did_not_open_has_no_json(void **state)
{
    maker *m = *state;
    const block message = finish(m, new_message(m, new_schema(m)));
    fletch_schema schema;
    fletch_error error;
    paper p = {0};

    assert_int_equal(fletch_open(message.bytes, 8, &schema, NULL), FLETCH_UNRECOGNISED);
    assert_int_equal(fletch_print_json(&schema, NULL, write_on, &p, &error), FLETCH_MISSING);
    assert_int_equal(error.status, FLETCH_MISSING);
    assert_int_equal(p.size, 0);
    tear_up(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(types_without_parameters_have_their_names),
        WITH_MAKER(integers_have_their_width_and_sign),
        WITH_MAKER(types_with_a_unit_or_mode_have_it_in_the_name),
        WITH_MAKER(a_time_of_64_bits_is_named_so),
        WITH_MAKER(a_timestamp_has_its_zone),
        WITH_MAKER(a_decimal_has_width_precision_and_scale),
        WITH_MAKER(a_fixed_size_binary_has_its_size),
        WITH_MAKER(lists_have_their_item),
        WITH_MAKER(a_fixed_size_list_has_its_size_behind),
        WITH_MAKER(a_struct_has_its_members),
        WITH_MAKER(a_union_has_its_type_ids),
        WITH_MAKER(a_map_has_key_and_value),
        WITH_MAKER(a_map_tells_names_that_are_not_the_usual_ones),
        WITH_MAKER(a_map_tells_whether_its_keys_are_sorted),
        WITH_MAKER(a_run_end_encoded_has_both_its_children),
        WITH_MAKER(a_dictionary_has_values_and_indices),
        WITH_MAKER(a_dictionary_of_lists_has_them_inside),
        WITH_MAKER(an_unknown_type_has_its_number),
        WITH_MAKER(broken_types_have_some_name),
        WITH_MAKER(a_type_is_written_into_memory_as_far_as_it_fits),
        WITH_MAKER(names_inside_are_escaped),
        WITH_MAKER(a_long_name_is_cut),
        WITH_MAKER(a_name_that_fits_is_not_cut),
        WITH_MAKER(a_type_of_fields_without_end_is_a_limit),
        WITH_MAKER(the_tree_names_every_field_and_type),
        WITH_MAKER(the_tree_has_all_metadata),
        WITH_MAKER(the_tree_is_safe_whatever_the_names_are),
        WITH_MAKER(different_names_look_different),
        WITH_MAKER(good_text_stays_as_it_is),
        WITH_MAKER(a_long_value_is_cut_in_the_tree),
        WITH_MAKER(colours_come_on_request_only),
        WITH_MAKER(a_tree_of_nothing_is_printed_too),
        cmocka_unit_test(a_message_without_a_schema_is_a_tree_that_says_so),
        WITH_MAKER(a_tree_without_end_is_a_limit),
        WITH_MAKER(the_json_of_no_columns_is_short),
        WITH_MAKER(the_json_has_its_members_in_order),
        WITH_MAKER(absent_strings_are_empty_in_json),
        WITH_MAKER(empty_metadata_is_not_in_json),
        WITH_MAKER(types_without_parameters_in_json),
        WITH_MAKER(units_in_json),
        WITH_MAKER(numbers_in_json),
        WITH_MAKER(a_zone_in_json_is_there_when_it_is_not_empty),
        WITH_MAKER(nested_types_in_json),
        WITH_MAKER(stored_type_ids_in_json),
        WITH_MAKER(a_map_and_run_ends_in_json),
        WITH_MAKER(strings_in_json_are_escaped),
        WITH_MAKER(what_is_not_utf8_has_no_json),
        WITH_MAKER(what_arrow_refuses_has_no_json),
        WITH_MAKER(an_error_of_json_counts_from_the_inputs_first_byte),
        WITH_MAKER(a_deep_schema_has_json),
        WITH_MAKER(printing_takes_limits),
        WITH_MAKER(shared_text_is_counted_each_time_it_is_printed),
        WITH_MAKER(a_writer_that_refuses_ends_the_printing),
        WITH_MAKER(characters_that_move_or_hide_are_escaped),
        WITH_MAKER(a_map_whose_entries_are_no_pair_has_them_by_name),
        WITH_MAKER(a_third_child_of_run_ends_has_its_name),
        WITH_MAKER(a_writer_that_refuses_ends_long_vectors),
        WITH_MAKER(a_made_up_type_has_its_number),
        WITH_MAKER(what_did_not_open_has_no_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
