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
        WITH_MAKER(case_89_nothing_but_release_is_read_of_what_is_released),
        WITH_MAKER(case_89_a_poisoned_child_of_ours_is_left_alone),
        WITH_MAKER(case_92_counts_and_pointers_of_children_are_checked),
        WITH_MAKER(case_93_malformed_formats_are_refused),
        WITH_MAKER(the_files_here_go_there_and_back),
        WITH_MAKER(the_corpus_goes_there_and_back),
        WITH_MAKER(the_flatbuffer_vectors_go_there_and_back),
        WITH_MAKER(the_arrow_vectors_go_there_and_back),
        WITH_MAKER(random_schemas_go_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
