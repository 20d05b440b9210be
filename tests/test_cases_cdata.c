/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What broke in other implementations of the C data interface, each report by its number in the
 * project's list; and real files, out to ArrowSchema and back.
 */
#include "support/ctree.h"
#include "support/random_schema.h"

#include <stdio.h>
#include <string.h>

static fletch_schema open_root(maker *m, node *schema)
{
    return open_as(finish(m, schema), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
}

/* The format of a schema's only field; the tree goes with the maker. */
static const char *format_of(maker *m, node *field)
{
    ledger l = {0};
    fletch_schema schema = open_root(m, schema_with(m, field));
    struct ArrowSchema tree = exported(&schema, &l);
    const char *format = tree.children[0]->format;
    const char *copy = (const char *)copy_of(m, format, strlen(format) + 1).bytes;
    tree.release(&tree);
    assert_int_equal(l.blocks, 0);
    return copy;
}

static struct ArrowSchema *tree_with(maker *m, const char *format)
{
    struct ArrowSchema *tree = c_node(m, "+s", NULL);
    c_child(m, tree, c_node(m, format, "a"));
    return tree;
}

static node *one_16(maker *m, unsigned slot, int value)
{
    node *type = make_table(m);
    set16(type, slot, value);
    return type;
}

static node *one_32(maker *m, int32_t value)
{
    node *type = make_table(m);
    set32(type, 0, value);
    return type;
}

/* Names and metadata */

static void case_06_a_name_may_be_absent_on_both_sides(void **state)
{
    ledger l = {0};
    node *field = int_field(*state, "");
    drop(field, FIELD_NAME);
    fletch_schema schema = open_root(*state, schema_with(*state, field));
    struct ArrowSchema tree = exported(&schema, &l);
    assert_string_equal(tree.children[0]->name, "");
    fletch_schema back = imported(*state, &tree);
    assert_int_equal(field_number(&back, 0).name.size, 0);
    tree.release(&tree);
    struct ArrowSchema *made = c_node(*state, "+s", NULL);
    c_child(*state, made, c_node(*state, "i", NULL));
    c_child(*state, made, c_node(*state, "i", ""));
    back = imported(*state, made);
    assert_true(field_number(&back, 0).has_name);
    assert_int_equal(field_number(&back, 0).name.size, 0);
    assert_int_equal(field_number(&back, 1).name.size, 0);
}

static void case_07_a_pair_without_key_or_value_has_an_empty_one(void **state)
{
    ledger l = {0};
    node *schema = new_schema(*state);
    add_pair(*state, schema, SCHEMA_METADATA, "k", NULL);
    add_pair(*state, schema, SCHEMA_METADATA, NULL, "v");
    fletch_schema opened = open_root(*state, schema);
    struct ArrowSchema tree = exported(&opened, &l);
    const char *const texts[] = {"k", "", "", "v", NULL};
    assert_memory_equal(tree.metadata, c_metadata(*state, texts), 4 + 16 + 2);
    tree.release(&tree);
}

static void case_12_empty_metadata_is_null(void **state)
{
    ledger l = {0};
    sample s = make_sample(*state);
    set_node(s.schema, SCHEMA_METADATA, make_list(*state));
    set_node(s.field, FIELD_METADATA, make_list(*state));
    fletch_schema schema = open_root(*state, s.schema);
    struct ArrowSchema tree = exported(&schema, &l);
    assert_null(tree.metadata);
    assert_null(tree.children[0]->metadata);
    tree.release(&tree);
}

static void case_76_bytes_that_are_not_utf8_pass(void **state)
{
    static const char *const bad[] = {"\xFF\xFE\x01\x41", "\xC3\x28", "\xED\xA0\x80",
                                      "\xF4\x90\x80\x80", "\xC0\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ledger l = {0};
        node *field = int_field(*state, bad[i]), *schema = schema_with(*state, field);
        add_pair(*state, field, FIELD_METADATA, "k", bad[i]);
        fletch_schema opened = open_root(*state, schema);
        struct ArrowSchema tree = exported(&opened, &l);
        assert_string_equal(tree.children[0]->name, bad[i]);
        fletch_schema back = imported_at(*state, &tree, NULL, FLETCH_LEVEL_ARROW);
        fletch_field read = field_number(&back, 0);
        fletch_key_value pair;
        assert_true(is_text(read.name, bad[i]));
        assert_true(fletch_next_metadata(&read.metadata, &pair));
        assert_true(is_text(pair.value, bad[i]));
        not_imported(*state, &tree, NULL, FLETCH_MALFORMED, "fields[0].name");
        tree.release(&tree);
    }
}

static void case_78_repeated_keys_stay_in_their_order(void **state)
{
    static const char *const texts[] = {"a", "1", "b", "2", "a", "3", NULL};
    ledger l = {0};
    sample s = make_sample(*state);
    drop(s.field, FIELD_METADATA);
    for (size_t i = 0; texts[i]; i += 2) {
        add_pair(*state, s.schema, SCHEMA_METADATA, texts[i], texts[i + 1]);
        add_pair(*state, s.field, FIELD_METADATA, texts[i], texts[i + 1]);
    }
    fletch_schema schema = open_root(*state, s.schema);
    struct ArrowSchema tree = exported(&schema, &l);
    const size_t size = 4 + 3 * 10;
    assert_memory_equal(tree.metadata, c_metadata(*state, texts), size);
    assert_memory_equal(tree.children[0]->metadata, c_metadata(*state, texts), size);
    fletch_schema back = imported(*state, &tree);
    same_json(*state, &schema, &back);
    tree.release(&tree);
}

/* Dictionaries */

static void case_42_ids_of_columns_differ_when_none_are_given(void **state)
{
    struct ArrowSchema *tree = c_node(*state, "+s", NULL);
    for (int i = 0; i < 3; i++)
        c_child(*state, tree, c_node(*state, "i", "d"))->dictionary =
            c_node(*state, i == 1 ? "l" : "u", NULL);
    fletch_schema schema = imported(*state, tree);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(field_number(&schema, i).dictionary.id, i);
}

static void add_dictionary_child(fletch_builder *b, int64_t id)
{
    fletch_begin_field(b, "d", fletch_utf8(), FLETCH_NULLABLE);
    fletch_set_dictionary(b, id, (fletch_int_type){8, true}, false);
    fletch_end_field(b);
}

/* map<utf8, dictionary>, list<dictionary>, struct<dictionary, struct<dictionary>> */
static fletch_schema nested_dictionaries(maker *m)
{
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "m", fletch_map(false), 0);
    fletch_begin_field(b, "entries", fletch_struct(), 0);
    fletch_add_field(b, "key", fletch_utf8(), 0);
    add_dictionary_child(b, 30);
    fletch_end_field(b);
    fletch_end_field(b);
    fletch_begin_field(b, "l", fletch_list(), 0);
    add_dictionary_child(b, 20);
    fletch_end_field(b);
    fletch_begin_field(b, "s", fletch_struct(), 0);
    add_dictionary_child(b, 10);
    fletch_begin_field(b, "t", fletch_struct(), 0);
    add_dictionary_child(b, 30);
    fletch_end_field(b);
    fletch_end_field(b);
    return built_schema(m, b);
}

static void case_43_dictionaries_in_children_come_along(void **state)
{
    ledger l = {0};
    fletch_schema schema = nested_dictionaries(*state);
    struct ArrowSchema tree = exported(&schema, &l);
    assert_non_null(tree.children[0]->children[0]->children[1]->dictionary);
    assert_non_null(tree.children[1]->children[0]->dictionary);
    assert_non_null(tree.children[2]->children[0]->dictionary);
    assert_non_null(tree.children[2]->children[1]->children[0]->dictionary);
    tree.release(&tree);
}

static void case_45_ids_are_listed_by_field_and_restored(void **state)
{
    static const uint64_t fields[] = {3, 5, 7, 9};
    static const int64_t ids[] = {30, 20, 10, 30};
    fletch_listed_dictionary list[4];
    size_t count;
    ledger l = {0};
    fletch_schema schema = nested_dictionaries(*state);
    assert_int_equal(fletch_list_dictionaries(&schema, NULL, list, 4, &count, NULL), FLETCH_OK);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(list[i].field, fields[i]);
        assert_int_equal(list[i].id, ids[i]);
        assert_int_equal(list[i].index_type.bit_width, 8);
    }
    const fletch_import_options options = {.dictionaries = list, .dictionary_count = count};
    struct ArrowSchema tree = exported(&schema, &l);
    fletch_schema back = imported_at(*state, &tree, &options, FLETCH_LEVEL_STRICT);
    same_json(*state, &schema, &back);
    tree.release(&tree);
}

static void case_47_index_type_and_order_go_there_and_back(void **state)
{
    for (int i = 0; i < 16; i++) {
        ledger l = {0};
        fletch_builder *b = new_builder(*state);
        fletch_begin_field(b, "d", fletch_utf8(), 0);
        fletch_set_dictionary(b, 0, (fletch_int_type){8 << i % 4, i % 8 < 4}, i < 8);
        fletch_end_field(b);
        fletch_schema schema = built_schema(*state, b);
        struct ArrowSchema tree = exported(&schema, &l);
        fletch_schema back = imported(*state, &tree);
        same_json(*state, &schema, &back);
        tree.release(&tree);
    }
}

static void case_47_an_index_that_is_no_integer_is_refused(void **state)
{
    struct ArrowSchema *tree = tree_with(*state, "u");
    tree->children[0]->dictionary = c_node(*state, "u", NULL);
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].format");
}

/* Parameters */

static node *decimal(maker *m, int32_t precision, int32_t scale, int32_t width)
{
    node *type = make_table(m);
    set32(type, DECIMAL_PRECISION, precision);
    set32(type, DECIMAL_SCALE, scale);
    if (width) set32(type, DECIMAL_WIDTH, width);
    return new_field(m, "d", FLETCH_TYPE_DECIMAL, type);
}

static void case_49_a_decimal_says_its_width_but_for_128(void **state)
{
    assert_string_equal(format_of(*state, decimal(*state, 9, 2, 0)), "d:9,2");
    assert_string_equal(format_of(*state, decimal(*state, 9, 2, 32)), "d:9,2,32");
    assert_string_equal(format_of(*state, decimal(*state, 9, 2, 64)), "d:9,2,64");
    assert_string_equal(format_of(*state, decimal(*state, 9, 2, 128)), "d:9,2");
    assert_string_equal(format_of(*state, decimal(*state, 9, 2, 256)), "d:9,2,256");
}

static void case_49_other_decimal_widths_are_refused(void **state)
{
    static const int32_t widths[] = {1, 16, 512};
    for (size_t i = 0; i < 3; i++) {
        fletch_schema schema =
            open_root(*state, schema_with(*state, decimal(*state, 9, 2, widths[i])));
        not_exported(&schema, FLETCH_INVALID, "fields[0].type.bitWidth");
    }
    not_imported(*state, tree_with(*state, "d:9,2,16"), NULL, FLETCH_INVALID,
                 "fields[0].type.bitWidth");
}

static void case_50_a_negative_scale_goes_there_and_back(void **state)
{
    assert_string_equal(format_of(*state, decimal(*state, 10, -3, 0)), "d:10,-3");
    fletch_schema schema = imported(*state, tree_with(*state, "d:10,-3"));
    assert_int_equal(field_number(&schema, 0).type.as.decimal.scale, -3);
}

static void case_50_precision_is_checked(void **state)
{
    static const int32_t bad[][2] = {{0, 0}, {-1, 0}, {39, 128}, {77, 256}, {10, 32}, {19, 64}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fletch_schema schema =
            open_root(*state, schema_with(*state, decimal(*state, bad[i][0], 0, bad[i][1])));
        not_exported(&schema, FLETCH_INVALID, "fields[0].type.precision");
    }
    not_imported(*state, tree_with(*state, "d:39,0"), NULL, FLETCH_INVALID,
                 "fields[0].type.precision");
}

static void case_51_time_unit_and_width_must_agree(void **state)
{
    node *type = one_16(*state, TIME_UNIT, FLETCH_NANOSECOND);
    fletch_schema schema =
        open_root(*state, schema_with(*state, new_field(*state, "t", FLETCH_TYPE_TIME, type)));
    not_exported(&schema, FLETCH_INVALID, "fields[0].type.bitWidth");
    assert_string_equal(format_of(*state,
                                  new_field(*state, "t", FLETCH_TYPE_TIME, make_table(*state))),
                        "ttm");
}

static void case_52_empty_type_tables_have_their_defaults(void **state)
{
    static const struct {
        int tag;
        const char *format;
    } rows[] = {{FLETCH_TYPE_DATE, "tdm"},     {FLETCH_TYPE_TIMESTAMP, "tss:"},
                {FLETCH_TYPE_DURATION, "tDm"}, {FLETCH_TYPE_INTERVAL, "tiM"},
                {FLETCH_TYPE_UNION, "+us:"},   {FLETCH_TYPE_FLOATING_POINT, "e"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(format_of(*state,
                                      new_field(*state, "f", rows[i].tag, make_table(*state))),
                            rows[i].format);
}

static void case_54_an_absent_zone_and_an_empty_one_are_the_same(void **state)
{
    static const char *const zones[] = {NULL, "", "UTC", "a:b,c"};
    static const char *const formats[] = {"tsu:", "tsu:", "tsu:UTC", "tsu:a:b,c"};
    for (size_t i = 0; i < 4; i++) {
        node *type = one_16(*state, TIMESTAMP_UNIT, FLETCH_MICROSECOND);
        if (zones[i]) set_node(type, TIMESTAMP_ZONE, make_text(*state, zones[i]));
        assert_string_equal(format_of(*state, new_field(*state, "t", FLETCH_TYPE_TIMESTAMP, type)),
                            formats[i]);
        fletch_schema schema = imported(*state, tree_with(*state, formats[i]));
        fletch_type read = field_number(&schema, 0).type;
        assert_int_equal(read.as.timestamp.has_timezone, i >= 2);
        assert_true(is_text(read.as.timestamp.timezone, zones[i] ? zones[i] : ""));
    }
}

static void case_55_a_newer_type_fails_alone(void **state)
{
    static const int tags[] = {27, 99, 255};
    for (size_t i = 0; i < 3; i++) {
        struct ArrowSchema tree;
        ledger l = {0};
        const fletch_allocator allocator = ledger_allocator(&l);
        node *schema = schema_with(*state, int_field(*state, "known"));
        add_field(schema, new_field(*state, "new", tags[i], make_table(*state)));
        fletch_schema opened = open_root(*state, schema);
        fletch_field known = field_number(&opened, 0), newer = field_number(&opened, 1);
        not_exported(&opened, FLETCH_UNSUPPORTED, "fields[1].type");
        assert_int_equal(fletch_export_field(&newer, &allocator, NULL, &tree, NULL),
                         FLETCH_UNSUPPORTED);
        assert_int_equal(fletch_export_field(&known, &allocator, NULL, &tree, NULL), FLETCH_OK);
        tree.release(&tree);
        assert_int_equal(l.blocks, 0);
    }
}

static struct ArrowSchema *odd_map(maker *m)
{
    struct ArrowSchema *tree = tree_with(m, "+m");
    struct ArrowSchema *entries = c_child(m, tree->children[0], c_node(m, "+s", "some_entries"));
    c_child(m, entries, c_node(m, "u", "some_key"));
    c_child(m, entries, c_node(m, "i", "some_item"))->flags = ARROW_FLAG_NULLABLE;
    return tree;
}

static void case_56_names_in_maps_are_kept(void **state)
{
    ledger l = {0};
    fletch_schema schema = imported(*state, odd_map(*state));
    struct ArrowSchema tree = exported(&schema, &l), *entries = tree.children[0]->children[0];
    assert_string_equal(entries->name, "some_entries");
    assert_string_equal(entries->children[0]->name, "some_key");
    assert_string_equal(entries->children[1]->name, "some_item");
    tree.release(&tree);
}

static void case_56_nullable_keys_pass_at_arrow_only(void **state)
{
    ledger l = {0};
    struct ArrowSchema *tree = odd_map(*state);
    tree->children[0]->children[0]->children[0]->flags = ARROW_FLAG_NULLABLE;
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].children[0].children[0].nullable");
    fletch_schema schema = imported_at(*state, tree, NULL, FLETCH_LEVEL_ARROW);
    struct ArrowSchema back = exported(&schema, &l);
    assert_int_equal(back.children[0]->children[0]->children[0]->flags, ARROW_FLAG_NULLABLE);
    back.release(&back);
}

static void case_58_type_ids_are_verbatim(void **state)
{
    static const char *const formats[] = {"+us:5,7", "+us:1,0", "+us:127", "+ud:24,3"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        ledger l = {0};
        struct ArrowSchema *tree = tree_with(*state, formats[i]);
        for (int n = strchr(formats[i], ',') ? 2 : 1; n != 0; n--)
            c_child(*state, tree->children[0], c_node(*state, "i", "x"));
        fletch_schema schema = imported(*state, tree);
        struct ArrowSchema back = exported(&schema, &l);
        assert_string_equal(back.children[0]->format, formats[i]);
        back.release(&back);
    }
}

static void case_60_negative_sizes_are_refused_and_zero_is_not(void **state)
{
    node *binary = new_field(*state, "b", FLETCH_TYPE_FIXED_SIZE_BINARY, one_32(*state, -1));
    node *list = new_field(*state, "l", FLETCH_TYPE_FIXED_SIZE_LIST, one_32(*state, -5));
    add_child(list, int_field(*state, "item"));
    fletch_schema schema = open_root(*state, schema_with(*state, binary));
    not_exported(&schema, FLETCH_INVALID, "fields[0].type.byteWidth");
    schema = open_root(*state, schema_with(*state, list));
    not_exported(&schema, FLETCH_INVALID, "fields[0].type.listSize");
    binary = new_field(*state, "b", FLETCH_TYPE_FIXED_SIZE_BINARY, one_32(*state, 0));
    assert_string_equal(format_of(*state, binary), "w:0");
    not_imported(*state, tree_with(*state, "w:-1"), NULL, FLETCH_INVALID, "fields[0].format");
    not_imported(*state, tree_with(*state, "+w:"), NULL, FLETCH_INVALID, "fields[0].format");
    not_imported(*state, tree_with(*state, "w:99999999999"), NULL, FLETCH_INVALID,
                 "fields[0].format");
}

static void case_61_a_wrong_number_of_children_is_refused(void **state)
{
    static const int tags[] = {FLETCH_TYPE_LIST, FLETCH_TYPE_RUN_END_ENCODED, FLETCH_TYPE_MAP};
    for (size_t i = 0; i < 3; i++) {
        fletch_schema schema =
            open_root(*state, schema_with(*state, nested_field(*state, "n", tags[i])));
        not_exported(&schema, FLETCH_INVALID, "fields[0].children");
    }
    node *leaf = int_field(*state, "i");
    add_child(leaf, int_field(*state, "j"));
    fletch_schema schema = open_root(*state, schema_with(*state, leaf));
    not_exported(&schema, FLETCH_INVALID, "fields[0].children");
}

static void case_01_a_schema_without_a_fields_vector_is_refused(void **state)
{
    fletch_schema schema = open_root(*state, make_table(*state));
    not_exported(&schema, FLETCH_MISSING, "fields");
    fletch_schema empty = open_root(*state, new_schema(*state));
    ledger l = {0};
    struct ArrowSchema tree = exported(&empty, &l);
    assert_int_equal(tree.n_children, 0);
    tree.release(&tree);
}

static void case_04_a_type_of_none_is_refused(void **state)
{
    node *none = make_table(*state), *absent = make_table(*state);
    set8(none, FIELD_TYPE_TAG, 0);
    fletch_schema schema = open_root(*state, schema_with(*state, none));
    not_exported(&schema, FLETCH_MISSING, "fields[0].type");
    schema = open_root(*state, schema_with(*state, absent));
    not_exported(&schema, FLETCH_MISSING, "fields[0].type");
}

static void case_09_an_empty_int_is_no_int32(void **state)
{
    node *plain = new_field(*state, "i", FLETCH_TYPE_INT, make_table(*state));
    node *coded = text_field(*state, "d");
    add_dictionary(*state, coded, 0, make_table(*state));
    fletch_schema schema = open_root(*state, schema_with(*state, plain));
    not_exported(&schema, FLETCH_INVALID, "fields[0].type.bitWidth");
    schema = open_root(*state, schema_with(*state, coded));
    not_exported(&schema, FLETCH_INVALID, "fields[0].dictionary.indexType.bitWidth");
}

static node *union_of(maker *m, unsigned children, node *ids)
{
    node *type = make_table(m), *field = new_field(m, "u", FLETCH_TYPE_UNION, type);
    set16(type, UNION_MODE, FLETCH_DENSE);
    if (ids) set_node(type, UNION_TYPE_IDS, ids);
    for (unsigned i = 0; i < children; i++)
        add_child(field, int_field(m, "c"));
    return field;
}

static node *ids_of(maker *m, int64_t first, int64_t second)
{
    node *ids = make_vector(m, 4);
    append_number(ids, first);
    append_number(ids, second);
    return ids;
}

static void case_11_absent_type_ids_are_spelled_out(void **state)
{
    assert_string_equal(format_of(*state, union_of(*state, 3, NULL)), "+ud:0,1,2");
    assert_string_equal(format_of(*state, union_of(*state, 0, NULL)), "+ud:");
}

static void case_11_type_ids_are_one_for_each_child(void **state)
{
    fletch_schema schema =
        open_root(*state, schema_with(*state, union_of(*state, 3, make_vector(*state, 4))));
    not_exported(&schema, FLETCH_INVALID, "fields[0].type.typeIds");
    schema = open_root(*state, schema_with(*state, union_of(*state, 129, NULL)));
    not_exported(&schema, FLETCH_INVALID, "fields[0].children");
}

static void case_11_type_ids_are_from_0_to_127_and_differ(void **state)
{
    static const int64_t bad[][2] = {{0, 128}, {-1, 0}, {5, 5}};
    for (size_t i = 0; i < 3; i++) {
        node *field = union_of(*state, 2, ids_of(*state, bad[i][0], bad[i][1]));
        fletch_schema schema = open_root(*state, schema_with(*state, field));
        not_exported(&schema, FLETCH_INVALID,
                     i == 1 ? "fields[0].type.typeIds[0]" : "fields[0].type.typeIds[1]");
    }
    node *good = union_of(*state, 2, ids_of(*state, 127, 0));
    assert_string_equal(format_of(*state, good), "+ud:127,0");
}

static void case_48_an_unknown_dictionary_kind_is_refused(void **state)
{
    node *field = text_field(*state, "d");
    set16(add_dictionary(*state, field, 0, NULL), DICTIONARY_KIND, 1);
    fletch_schema schema = open_root(*state, schema_with(*state, field));
    not_exported(&schema, FLETCH_UNSUPPORTED, "fields[0].dictionary.dictionaryKind");
}

/* Behind the name stands no NUL. */
static void case_71_a_name_without_its_nul_is_refused(void **state)
{
    sample s = make_sample(*state);
    block b = finish(*state, s.schema);
    poke8(b, place(s.name) + 4 + 3, 'X');
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
    not_exported(&schema, FLETCH_MALFORMED, "fields[0].name");
}

/* The interface itself */

static unsigned poisoned;

static void poison(struct ArrowSchema *schema)
{
    memset(schema, 0xA5, sizeof *schema);
    schema->release = NULL;
    poisoned++;
}

static void case_89_nothing_but_release_is_read_of_what_is_released(void **state)
{
    struct ArrowSchema *tree = tree_with(*state, "i"), *list = c_node(*state, "+l", "l");
    list->release = tree->release = poison;
    c_child(*state, tree, list);
    list->release(list);
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[1]");
    tree->release(tree);
    not_imported(*state, tree, NULL, FLETCH_MISUSE, "");
    assert_int_equal(poisoned, 2);
}

static void case_89_a_poisoned_child_of_ours_is_left_alone(void **state)
{
    ledger l = {0};
    fletch_schema schema = nested_dictionaries(*state);
    struct ArrowSchema tree = exported(&schema, &l), part = *tree.children[0];
    poison(tree.children[0]);
    tree.release(&tree);
    assert_int_equal(l.blocks, 1);
    part.release(&part);
    assert_int_equal(l.blocks, 0);
}

static void case_92_counts_and_pointers_of_children_are_checked(void **state)
{
    ledger l = {0};
    struct ArrowSchema *tree = tree_with(*state, "+s"), *field = tree->children[0];
    field->n_children = -1;
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].n_children");
    field->n_children = 2;
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].children");
    field->n_children = 0;
    c_child(*state, field, c_node(*state, "i", "x"));
    c_child(*state, field, NULL);
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].children[1]");
    field->n_children = 0; /* and children is not NULL */
    fletch_schema schema = imported(*state, tree);
    struct ArrowSchema back = exported(&schema, &l);
    assert_int_equal(back.children[0]->n_children, 0);
    assert_null(back.children[0]->children);
    back.release(&back);
}

static void case_93_malformed_formats_are_refused(void **state)
{
    static const char *const formats[] = {"",   "ii",  "d:", "d:10", "d:10,2,", "d:10,2,128x",
                                          "ts", "tsu", "w:", "+w:1x"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        not_imported(*state, tree_with(*state, formats[i]), NULL, FLETCH_INVALID,
                     "fields[0].format");
    not_imported(*state, tree_with(*state, NULL), NULL, FLETCH_INVALID, "fields[0].format");
}

/* There and back */

/* Whether two trees say the same, names of dictionaries included. */
static bool same_tree(const struct ArrowSchema *a, const struct ArrowSchema *b)
{
    if (strcmp(a->format, b->format) != 0 || strcmp(a->name, b->name) != 0 ||
        a->flags != b->flags || a->n_children != b->n_children || !a->metadata != !b->metadata ||
        !a->dictionary != !b->dictionary)
        return false;
    if (a->metadata && strcmp(a->metadata, b->metadata) != 0) return false;
    if (a->dictionary && !same_tree(a->dictionary, b->dictionary)) return false;
    for (int64_t i = 0; i < a->n_children; i++)
        if (!same_tree(a->children[i], b->children[i])) return false;
    return true;
}

enum { MOST_DICTIONARIES = 4096 };

/* Back from ArrowSchema with the ids that a schema had; the bytes. */
static block bring_back(maker *m, const fletch_schema *schema, const struct ArrowSchema *tree)
{
    static fletch_listed_dictionary list[MOST_DICTIONARIES];
    fletch_import_options options = {.dictionaries = list};
    fletch_builder *b = new_builder_in(m, 64 * (size_t)schema->buffer.size + 65536);
    assert_int_equal(fletch_list_dictionaries(schema, NULL, list, MOST_DICTIONARIES,
                                              &options.dictionary_count, NULL),
                     FLETCH_OK);
    fletch_set_level(b, FLETCH_LEVEL_ARROW);
    fletch_import_schema(b, tree, &options);
    return built(m, b, FLETCH_SCHEMA);
}

/* Out and back, ids restored: nothing may differ that comparing knows of. */
static void comes_back(maker *m, const fletch_schema *schema)
{
    fletch_error error;
    ledger l = {0};
    struct ArrowSchema tree = exported(schema, &l);
    block bytes = bring_back(m, schema, &tree);
    tree.release(&tree);
    assert_int_equal(l.blocks, 0);
    fletch_schema back = open_as(bytes, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    if (fletch_compare(schema, &back, NULL, &error) != FLETCH_OK)
        fail_msg("not as it was: %s: %s", error.path, error.sentence);
}

static void case_05_absent_children_are_none_or_too_few(void **state)
{
    static const int tags[] = {FLETCH_TYPE_LIST, FLETCH_TYPE_MAP, FLETCH_TYPE_RUN_END_ENCODED};
    node *leaf = int_field(*state, "i"), *structure = nested_field(*state, "s", FLETCH_TYPE_STRUCT);
    drop(leaf, FIELD_CHILDREN);
    drop(structure, FIELD_CHILDREN);
    assert_string_equal(format_of(*state, leaf), "i");
    assert_string_equal(format_of(*state, structure), "+s");
    for (size_t i = 0; i < 3; i++) {
        node *field = nested_field(*state, "n", tags[i]);
        drop(field, FIELD_CHILDREN);
        fletch_schema schema = open_root(*state, schema_with(*state, field));
        not_exported(&schema, FLETCH_INVALID, "fields[0].children");
    }
}

static void case_27_any_address_will_do(void **state)
{
    fletch_schema schema = nested_dictionaries(*state);
    const block b = {(uint8_t *)(uintptr_t)schema.buffer.bytes, schema.buffer.size};
    block room = pad(*state, (block){NULL, 0}, b.size + 8);
    ledger l = {0};
    struct ArrowSchema tree = exported(&schema, &l);
    for (size_t at = 0; at < 8; at++) {
        memmove(room.bytes + at, b.bytes, b.size);
        fletch_schema moved =
            open_as((block){room.bytes + at, b.size}, FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
        struct ArrowSchema again = exported(&moved, &l);
        assert_true(same_tree(&tree, &again));
        again.release(&again);
    }
    tree.release(&tree);
}

static void case_62_shared_children_end_in_a_limit_at_once(void **state)
{
    static const unsigned sizes[][2] = {{30, 2}, {10, 50}};
    const fletch_import_options options = {.nodes = 100000};
    for (size_t i = 0; i < 2; i++) {
        struct ArrowSchema *below = c_node(*state, "i", "a"), tree;
        fletch_builder *b = new_builder(*state);
        block bytes = finish(*state, fan_schema(*state, sizes[i][0], sizes[i][1]));
        fletch_schema schema = open_as(bytes, FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
        ledger l = {0};
        const fletch_allocator allocator = ledger_allocator(&l);
        assert_int_equal(fletch_export_schema(&schema, &allocator, NULL, &tree, NULL),
                         FLETCH_LIMIT);
        assert_int_equal(l.calls, 0);
        for (unsigned level = 0; level < sizes[i][0]; level++) {
            struct ArrowSchema *above = c_node(*state, "+s", "a");
            for (unsigned k = 0; k < sizes[i][1]; k++)
                c_child(*state, above, below);
            below = above;
        }
        fletch_builder_init(b, NULL, 0); /* measuring: no space is no hindrance */
        assert_int_equal(fletch_import_schema(b, below, &options), FLETCH_LIMIT);
    }
}

static void case_64_deep_nesting_goes_up_to_128(void **state)
{
    static const unsigned good[] = {1, 63, 64, 100, 127, 128}, bad[] = {129, 500, 5000};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        fletch_schema schema = open_root(*state, deep_schema(*state, good[i]));
        comes_back(*state, &schema);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ArrowSchema *tree = tree_with(*state, "i"), tree_out;
        fletch_builder *b = new_builder(*state);
        fletch_schema schema = open_as(finish(*state, deep_schema(*state, bad[i])), FLETCH_SCHEMA,
                                       FLETCH_LEVEL_UNCHECKED);
        ledger l = {0};
        const fletch_allocator allocator = ledger_allocator(&l);
        assert_int_equal(fletch_export_schema(&schema, &allocator, NULL, &tree_out, NULL),
                         FLETCH_LIMIT);
        assert_int_equal(l.calls, 0);
        for (unsigned depth = 1; depth < bad[i]; depth++) {
            struct ArrowSchema *above = c_node(*state, "+l", "l");
            c_child(*state, above, tree->children[0]);
            tree->children[0] = above;
        }
        assert_int_equal(fletch_import_schema(b, tree, NULL), FLETCH_LIMIT);
    }
}

static void add_extension(maker *m, node *field, const void *metadata, size_t size)
{
    add_pair(m, field, FIELD_METADATA, "ARROW:extension:name", "unknown.type");
    set_node(add_pair(m, field, FIELD_METADATA, "ARROW:extension:metadata", NULL), PAIR_VALUE,
             make_string(m, metadata, size));
}

static void case_80_extension_metadata_is_opaque(void **state)
{
    enum { LONG = 1 << 20 };
    static const char binary[] = "\x00\xFF\x80\x00";
    block long_one = pad(*state, text_block(*state, "long"), LONG);
    node *schema = new_schema(*state), *fields[4];
    for (unsigned i = 0; i < 4; i++) {
        fields[i] = text_field(*state, "e");
        add_field(schema, fields[i]);
    }
    add_extension(*state, fields[0], "not json", 8);
    add_extension(*state, fields[1], "{\"a\":{\"b\":1}}", 13);
    add_extension(*state, fields[2], binary, sizeof binary - 1);
    add_extension(*state, fields[3], long_one.bytes, long_one.size);
    fletch_schema opened = open_root(*state, schema);
    comes_back(*state, &opened);
}

static node *with_note(maker *m, node *field, const char *note)
{
    add_pair(m, field, FIELD_METADATA, "where", note);
    return field;
}

/* Of the nine places those that are the schema's. */
static void case_81_metadata_survives_in_all_places_of_a_schema(void **state)
{
    maker *m = *state;
    node *structure = with_note(m, nested_field(m, "s", FLETCH_TYPE_STRUCT), "field");
    node *list = nested_field(m, "l", FLETCH_TYPE_LIST);
    node *map = nested_field(m, "m", FLETCH_TYPE_MAP), *entries;
    node *choice = nested_field(m, "u", FLETCH_TYPE_UNION);
    node *coded = with_note(m, text_field(m, "d"), "dictionary");
    node *schema = schema_with(m, structure);
    add_pair(m, schema, SCHEMA_METADATA, "where", "schema");
    add_child(structure, with_note(m, int_field(m, "i"), "struct child"));
    add_child(list, with_note(m, int_field(m, "item"), "list item"));
    entries = add_child(map, nested_field(m, "entries", FLETCH_TYPE_STRUCT));
    add_child(entries, with_note(m, text_field(m, "key"), "map key"));
    add_child(entries, text_field(m, "value"));
    add_child(choice, with_note(m, text_field(m, "t"), "union child"));
    add_dictionary(m, coded, 3, NULL);
    add_field(schema, list);
    add_field(schema, map);
    add_field(schema, choice);
    add_field(schema, coded);
    fletch_schema opened = open_root(m, schema);
    comes_back(m, &opened);
}

/* What one side can say and the other cannot: true if that is why an export failed. */
static bool cannot_be_said(const fletch_error *error)
{
    return error->status == FLETCH_INVALID &&
           (strstr(error->sentence, "a NUL stands") || strstr(error->sentence, "without children"));
}

/* Out, back, and out again: the trees are equal, and so is the JSON where there is one. */
static unsigned go_there_and_back(maker *m, const char *name, const fletch_schema *schema)
{
    struct ArrowSchema tree, again;
    fletch_error error;
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    paper p = {0};
    if (fletch_export_schema(schema, &allocator, NULL, &tree, &error) != FLETCH_OK) {
        if (cannot_be_said(&error)) return 0;
        print_error("%s: not exported: %s: %s\n", name, error.path, error.sentence);
        return 1;
    }
    fletch_schema back = open_as(bring_back(m, schema, &tree), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    again = exported(&back, &l);
    unsigned wrong = !same_tree(&tree, &again);
    if (wrong) print_error("%s: another tree\n", name);
    if (fletch_print_json(schema, NULL, write_on, &p, NULL) == FLETCH_OK)
        same_json(m, schema, &back);
    tear_up(&p);
    tree.release(&tree);
    again.release(&again);
    assert_int_equal(l.blocks, 0);
    return wrong;
}

/* All files of a table that are good at level arrow; skips the test where there is no table. */
static void all_files_go(const char *manifest, const char *folder, const char *kind)
{
    maker *m = maker_new();
    table_file table = read_table(m, manifest);
    unsigned wrong = 0, good = 0;
    if (!table.rows) {
        maker_free(m);
        print_message("there is no %s: skipped\n", manifest);
        skip();
    }
    for (size_t row = 0; row < table.count; row++) {
        maker *own = maker_new();
        fletch_schema schema;
        fletch_options options = {.kind = kind_of(kind ? kind : cell(&table, row, "kind"))};
        char path[1024];
        snprintf(path, sizeof path, "%s%s", folder, cell(&table, row, "file"));
        if (strcmp(cell(&table, row, "arrow"), "ok") == 0 &&
            open_lending(own, read_file(own, path), &options, &schema, NULL) == FLETCH_OK) {
            wrong += go_there_and_back(own, path, &schema);
            good++;
        }
        maker_free(own);
    }
    free_table(&table);
    maker_free(m);
    assert_int_not_equal(good, 0);
    assert_int_equal(wrong, 0);
}

static void the_files_here_go_there_and_back(void **state)
{
    (void)state;
    all_files_go(FLETCH_DATA_DIR "/MANIFEST.tsv", FLETCH_DATA_DIR "/", NULL);
}

static void the_corpus_goes_there_and_back(void **state)
{
    (void)state;
    all_files_go(FLETCH_SHARED_DIR "/corpus/MANIFEST.tsv", FLETCH_SHARED_DIR "/corpus/files/",
                 NULL);
}

static void the_flatbuffer_vectors_go_there_and_back(void **state)
{
    (void)state;
    all_files_go(FLETCH_SHARED_DIR "/vectors/flatbuffers/expected.tsv",
                 FLETCH_SHARED_DIR "/vectors/flatbuffers/", "schema");
}

static void the_arrow_vectors_go_there_and_back(void **state)
{
    (void)state;
    all_files_go(FLETCH_SHARED_DIR "/vectors/arrow/expected.tsv",
                 FLETCH_SHARED_DIR "/vectors/arrow/", "stream");
}

static void random_schemas_go_there_and_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 300; seed++) {
        maker *m = maker_new();
        random_plan plan = {seed, 30, seed % 2 == 0};
        char name[40];
        fletch_builder *b = new_builder_in(m, 1 << 18);
        build_random(b, &plan);
        fletch_schema schema =
            open_as(built(m, b, FLETCH_SCHEMA), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
        snprintf(name, sizeof name, "seed %u", (unsigned)seed);
        assert_int_equal(go_there_and_back(m, name, &schema), 0);
        maker_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(case_06_a_name_may_be_absent_on_both_sides),
        WITH_MAKER(case_07_a_pair_without_key_or_value_has_an_empty_one),
        WITH_MAKER(case_12_empty_metadata_is_null),
        WITH_MAKER(case_76_bytes_that_are_not_utf8_pass),
        WITH_MAKER(case_78_repeated_keys_stay_in_their_order),
        WITH_MAKER(case_42_ids_of_columns_differ_when_none_are_given),
        WITH_MAKER(case_43_dictionaries_in_children_come_along),
        WITH_MAKER(case_45_ids_are_listed_by_field_and_restored),
        WITH_MAKER(case_47_index_type_and_order_go_there_and_back),
        WITH_MAKER(case_47_an_index_that_is_no_integer_is_refused),
        WITH_MAKER(case_49_a_decimal_says_its_width_but_for_128),
        WITH_MAKER(case_49_other_decimal_widths_are_refused),
        WITH_MAKER(case_50_a_negative_scale_goes_there_and_back),
        WITH_MAKER(case_50_precision_is_checked),
        WITH_MAKER(case_51_time_unit_and_width_must_agree),
        WITH_MAKER(case_52_empty_type_tables_have_their_defaults),
        WITH_MAKER(case_54_an_absent_zone_and_an_empty_one_are_the_same),
        WITH_MAKER(case_55_a_newer_type_fails_alone),
        WITH_MAKER(case_56_names_in_maps_are_kept),
        WITH_MAKER(case_56_nullable_keys_pass_at_arrow_only),
        WITH_MAKER(case_58_type_ids_are_verbatim),
        WITH_MAKER(case_60_negative_sizes_are_refused_and_zero_is_not),
        WITH_MAKER(case_61_a_wrong_number_of_children_is_refused),
        WITH_MAKER(case_01_a_schema_without_a_fields_vector_is_refused),
        WITH_MAKER(case_04_a_type_of_none_is_refused),
        WITH_MAKER(case_09_an_empty_int_is_no_int32),
        WITH_MAKER(case_11_absent_type_ids_are_spelled_out),
        WITH_MAKER(case_11_type_ids_are_one_for_each_child),
        WITH_MAKER(case_11_type_ids_are_from_0_to_127_and_differ),
        WITH_MAKER(case_48_an_unknown_dictionary_kind_is_refused),
        WITH_MAKER(case_71_a_name_without_its_nul_is_refused),
        WITH_MAKER(case_89_nothing_but_release_is_read_of_what_is_released),
        WITH_MAKER(case_89_a_poisoned_child_of_ours_is_left_alone),
        WITH_MAKER(case_92_counts_and_pointers_of_children_are_checked),
        WITH_MAKER(case_93_malformed_formats_are_refused),
        WITH_MAKER(case_05_absent_children_are_none_or_too_few),
        WITH_MAKER(case_27_any_address_will_do),
        WITH_MAKER(case_62_shared_children_end_in_a_limit_at_once),
        WITH_MAKER(case_64_deep_nesting_goes_up_to_128),
        WITH_MAKER(case_80_extension_metadata_is_opaque),
        WITH_MAKER(case_81_metadata_survives_in_all_places_of_a_schema),
        WITH_MAKER(the_files_here_go_there_and_back),
        WITH_MAKER(the_corpus_goes_there_and_back),
        WITH_MAKER(the_flatbuffer_vectors_go_there_and_back),
        WITH_MAKER(the_arrow_vectors_go_there_and_back),
        WITH_MAKER(random_schemas_go_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
