/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In from ArrowSchema: every format string, good and bad, ArrowSchemas that break the interface,
 * and what becomes of dictionaries.
 */
#include "support/ctree.h"

#include <stdio.h>
#include <string.h>

/* A schema of one field `a` with that format. */
static struct ArrowSchema *with_format(maker *m, const char *format)
{
    struct ArrowSchema *tree = c_node(m, "+s", NULL);
    c_child(m, tree, c_node(m, format, "a"));
    return tree;
}

static struct ArrowSchema *with_child(maker *m, struct ArrowSchema *child)
{
    struct ArrowSchema *tree = c_node(m, "+s", NULL);
    c_child(m, tree, child);
    return tree;
}

/* Formats */

static void every_format_is_its_type(void **state)
{
    typed_format list[MOST_FORMATS];
    size_t count = typed_formats(list);
    for (size_t i = 0; i < count; i++) {
        fletch_builder *b = new_builder(*state);
        add_typed(b, "a", &list[i], 0);
        fletch_schema wanted = built_schema(*state, b);
        fletch_schema got = imported(*state, with_child(*state, c_typed(*state, "a", &list[i])));
        assert_int_equal(field_number(&got, 0).type.id, list[i].type.id);
        same_json(*state, &got, &wanted);
    }
}

static void a_width_of_128_may_be_written_out(void **state)
{
    fletch_schema schema = imported(*state, with_format(*state, "d:10,2,128"));
    fletch_type type = field_number(&schema, 0).type;
    assert_int_equal(type.as.decimal.precision, 10);
    assert_int_equal(type.as.decimal.scale, 2);
    assert_int_equal(type.as.decimal.bit_width, 128);
}

static void an_empty_time_zone_is_absent(void **state)
{
    fletch_schema schema = imported(*state, with_format(*state, "tsu:"));
    assert_false(field_number(&schema, 0).type.as.timestamp.has_timezone);
}

static void malformed_formats_are_invalid(void **state)
{
    static const char *const formats[] = {
        "",
        "ii",
        "i ",
        "iC",
        "nn",
        "d",
        "d:",
        "d:10",
        "d:10,",
        "d:10,2,",
        "d:10,2,128x",
        "d:10;2",
        "d:,2",
        "d: 10,2",
        "d:+10,2",
        "d:-10,2",
        "d:10,+2",
        "d:10,2,",
        "d:010,2",
        "d:10,02",
        "d:10,-0",
        "d:10,-",
        "d:10,--2",
        "d:10,2,128,",
        "d:10,2 ",
        "d:99999999999,2",
        "d:10,2147483648",
        "d:10,-2147483649",
        "d:10,2,-128",
        "t",
        "ts",
        "tsu",
        "tss",
        "tssUTC",
        "td",
        "tdDx",
        "tt",
        "ttsx",
        "ti",
        "tiMx",
        "tD",
        "tDsx",
        "w",
        "w:",
        "w:-1",
        "w:+1",
        "w:1x",
        "w:1:",
        "w: 1",
        "w:01",
        "w:2147483648",
        "w:99999999999",
        "w:18446744073709551617",
        "w:0x10",
        "w1",
        "+",
        "+w",
        "+w:",
        "+w:1x",
        "+w:-5",
        "+w:00",
        "+lx",
        "+l:",
        "+sx",
        "+mx",
        "+rx",
        "+v",
        "+vlx",
        "+vLx",
        "+u",
        "+us",
        "+ud",
        "+us:x",
        "+us:,",
        "+us:1,",
        "+us:,1",
        "+us:1,,2",
        "+us:1 ,2",
        "+us:-1",
        "+us:01",
        "v",
        "vzx",
        "vux",
        "zz",
        "u:",
        "bb",
        "e:",
        "tsu: \0",
    };
    for (size_t i = 0; i + 1 < sizeof formats / sizeof *formats; i++) {
        fletch_builder *b = new_builder(*state);
        struct ArrowSchema *tree = with_format(*state, formats[i]);
        fletch_status status = fletch_import_schema(b, tree, NULL);
        if (status != FLETCH_INVALID)
            fail_msg("\"%s\" is %s", formats[i], fletch_status_word(status));
        not_built_at(b, FLETCH_INVALID, "fields[0].format");
    }
}

static void formats_of_no_known_code_are_unsupported(void **state)
{
    static const char *const formats[] = {"x",    " i",  "q:1",  "+x", "+vx",   "vx",
                                          "tsx:", "tdx", "\xFF", "?",  "+ux:1", "~~~~"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        not_imported(*state, with_format(*state, formats[i]), NULL, FLETCH_UNSUPPORTED,
                     "fields[0].format");
}

static void an_unknown_format_is_told_where_it_ends_to_be_known(void **state)
{
    static const struct {
        const char *format, *sentence;
    } rows[] = {{"x", "the format is unknown at byte 0, which is 120"},
                {"vx", "the format is unknown at byte 1, which is 120"},
                {"tdx", "the format is unknown at byte 2, which is 120"},
                {"+vx", "the format is unknown at byte 2, which is 120"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fletch_builder *b = new_builder(*state);
        fletch_import_schema(b, with_format(*state, rows[i].format), NULL);
        assert_string_equal(not_built(b, FLETCH_UNSUPPORTED).sentence, rows[i].sentence);
    }
}

/* Of one to three printable characters, those that stand for a type are few and known. */
static void short_formats_are_good_only_when_they_are_known(void **state)
{
    typed_format list[MOST_FORMATS];
    size_t count = typed_formats(list), good = 0, known = 0;
    for (size_t i = 0; i < count; i++) { /* "+s" and "+m" are there twice */
        size_t before = 0;
        while (strcmp(list[before].format, list[i].format) != 0)
            before++;
        if (before == i && strlen(list[i].format) <= 3 && !strchr("+w", list[i].format[0])) known++;
    }
    for (int a = ' '; a < 127; a++)
        for (int b = ' ' - 1; b < 127; b++)
            for (int c = ' ' - 1; c < 127; c++) {
                char format[4] = {(char)a, (char)(b < ' ' ? 0 : b), (char)(c < ' ' ? 0 : c), 0};
                struct ArrowSchema field = *with_format(*state, "n"), child = *field.children[0];
                fletch_builder builder;
                if (!format[1] && format[2]) continue;
                if (format[0] == 'w' && format[1] == ':') continue; /* numbers */
                child.format = format;
                fletch_builder_init(&builder, NULL, 0);
                good += fletch_import_field(&builder, &child, NULL) == FLETCH_NO_SPACE;
            }
    assert_int_equal(good, known + 1); /* "+s", which may be without children */
}

static void where_a_format_is_wrong_is_told(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_import_schema(b, with_format(*state, "d:10,2,128x"), NULL);
    fletch_error error = not_built(b, FLETCH_INVALID);
    assert_string_equal(error.sentence, "the format is wrong at byte 10, which is 120");
}

static void rules_of_arrow_hold_for_parameters(void **state)
{
    not_imported(*state, with_format(*state, "d:0,2"), NULL, FLETCH_INVALID,
                 "fields[0].type.precision");
    not_imported(*state, with_format(*state, "d:39,2"), NULL, FLETCH_INVALID,
                 "fields[0].type.precision");
    not_imported(*state, with_format(*state, "d:10,2,16"), NULL, FLETCH_INVALID,
                 "fields[0].type.bitWidth");
    not_imported(*state, with_format(*state, "+us:1"), NULL, FLETCH_INVALID,
                 "fields[0].type.typeIds");
}

/* A union of `count` members with ids 0, 1, 2... */
static struct ArrowSchema *wide_union(maker *m, int count, int step)
{
    char format[1200];
    char *to = format + sprintf(format, "+us:0");
    struct ArrowSchema *tree = c_node(m, format, "u");
    for (int i = 1; i < count; i++)
        to += sprintf(to, ",%d", i * step);
    tree->format = (const char *)copy_of(m, format, strlen(format) + 1).bytes;
    for (int i = 0; i < count; i++)
        c_child(m, tree, c_node(m, "n", "x"));
    return with_child(m, tree);
}

static void union_ids_are_checked(void **state)
{
    imported(*state, wide_union(*state, 128, 1));
    not_imported(*state, wide_union(*state, 129, 1), NULL, FLETCH_INVALID, "fields[0].format");
    not_imported(*state, wide_union(*state, 3, 0), NULL, FLETCH_INVALID,
                 "fields[0].type.typeIds[1]");
    not_imported(*state, wide_union(*state, 2, 128), NULL, FLETCH_INVALID,
                 "fields[0].type.typeIds[1]");
}

/* Members */

static void flags_count_where_they_mean_something(void **state)
{
    struct ArrowSchema *tree = with_format(*state, "i");
    tree->flags = -1;
    tree->children[0]->flags = ~(int64_t)ARROW_FLAG_NULLABLE;
    fletch_schema schema = imported(*state, tree);
    assert_false(field_number(&schema, 0).nullable);
    assert_false(field_number(&schema, 0).has_dictionary);
    tree->children[0]->flags = -1;
    schema = imported(*state, tree);
    assert_true(field_number(&schema, 0).nullable);
}

static void a_null_name_is_empty(void **state)
{
    struct ArrowSchema *tree = with_child(*state, c_node(*state, "u", NULL));
    fletch_schema schema = imported(*state, tree);
    fletch_field field = field_number(&schema, 0);
    assert_true(field.has_name);
    assert_int_equal(field.name.size, 0);
}

static void metadata_keeps_its_order_and_copies(void **state)
{
    static const char *const texts[] = {"a", "1", "b", "2", "a", "3", NULL};
    struct ArrowSchema *tree = with_format(*state, "i");
    tree->metadata = tree->children[0]->metadata = c_metadata(*state, texts);
    fletch_schema schema = imported(*state, tree);
    fletch_field field = field_number(&schema, 0);
    fletch_metadata lists[2] = {schema.metadata, field.metadata};
    for (size_t i = 0; i < 2; i++) {
        fletch_key_value pair;
        for (size_t n = 0; n < 3; n++) {
            assert_true(fletch_next_metadata(&lists[i], &pair));
            assert_true(is_text(pair.key, texts[2 * n]));
            assert_true(is_text(pair.value, texts[2 * n + 1]));
        }
        assert_false(fletch_next_metadata(&lists[i], &pair));
    }
}

static void metadata_stands_anywhere(void **state)
{
    static const char *const texts[] = {"key", "value", NULL};
    struct ArrowSchema *tree = with_format(*state, "i");
    block b = copy_of(*state, c_metadata(*state, texts), 20);
    for (size_t off = 1; off < 4; off++) {
        block moved = join(*state, pad(*state, (block){NULL, 0}, off), b);
        tree->children[0]->metadata = (const char *)moved.bytes + off;
        fletch_schema schema = imported(*state, tree);
        fletch_field field = field_number(&schema, 0);
        fletch_key_value pair;
        assert_true(fletch_next_metadata(&field.metadata, &pair));
        assert_true(is_text(pair.value, "value"));
    }
}

static void metadata_without_pairs_is_absent(void **state)
{
    static const char *const none[] = {NULL};
    struct ArrowSchema *tree = with_format(*state, "i");
    tree->metadata = tree->children[0]->metadata = c_metadata(*state, none);
    fletch_schema schema = imported(*state, tree);
    assert_false(schema.has_metadata);
    assert_false(field_number(&schema, 0).has_metadata);
}

static void negative_counts_in_metadata_are_invalid(void **state)
{
    static const char *const texts[] = {"ab", "cd", NULL};
    static const size_t counts[] = {0, 4, 10};
    for (size_t i = 0; i < 3; i++) {
        struct ArrowSchema *tree = with_format(*state, "i");
        block b = copy_of(*state, c_metadata(*state, texts), 16);
        memset(b.bytes + counts[i], 0xFF, 4);
        tree->children[0]->metadata = (const char *)b.bytes;
        not_imported(*state, tree, NULL, FLETCH_INVALID,
                     i == 0 ? "fields[0].metadata" : "fields[0].metadata[0]");
        tree->metadata = tree->children[0]->metadata;
        not_imported(*state, tree, NULL, FLETCH_INVALID, i == 0 ? "metadata" : "metadata[0]");
    }
}

static void text_is_checked_at_the_builders_level(void **state)
{
    static const char *const texts[] = {"k", "\xFF", NULL};
    struct ArrowSchema *tree = with_format(*state, "i");
    tree->children[0]->metadata = c_metadata(*state, texts);
    not_imported(*state, tree, NULL, FLETCH_MALFORMED, "fields[0].custom_metadata[0].value");
    fletch_schema schema = imported_at(*state, tree, NULL, FLETCH_LEVEL_ARROW);
    assert_int_equal(fletch_count_fields(&schema.fields), 1);
}

/* ArrowSchemas that break the interface */

static void null_and_released_are_misuse(void **state)
{
    struct ArrowSchema released = {0};
    not_imported(*state, NULL, NULL, FLETCH_MISUSE, "");
    not_imported(*state, &released, NULL, FLETCH_MISUSE, "");
    fletch_builder *b = new_builder(*state);
    assert_int_equal(fletch_import_field(b, NULL, NULL), FLETCH_MISUSE);
    not_built_at(b, FLETCH_MISUSE, "fields[0]");
}

static void a_schema_must_be_a_struct(void **state)
{
    static const char *const formats[] = {"i", "+l", "+sx", "+", "s", ""};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        not_imported(*state, c_node(*state, formats[i], NULL), NULL, FLETCH_INVALID, "format");
    not_imported(*state, c_node(*state, NULL, NULL), NULL, FLETCH_INVALID, "format");
    struct ArrowSchema *tree = c_node(*state, "+s", NULL);
    tree->dictionary = c_node(*state, "i", NULL);
    not_imported(*state, tree, NULL, FLETCH_INVALID, "dictionary");
}

static void a_null_format_is_invalid(void **state)
{
    struct ArrowSchema *tree = with_format(*state, NULL);
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].format");
}

static void bad_counts_of_children_are_invalid(void **state)
{
    static const int64_t counts[] = {-1, INT64_MIN, INT32_MIN};
    for (size_t i = 0; i < 3; i++) {
        struct ArrowSchema *tree = with_format(*state, "+s");
        tree->children[0]->n_children = counts[i];
        not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].n_children");
        tree->n_children = counts[i];
        not_imported(*state, tree, NULL, FLETCH_INVALID, "n_children");
    }
}

static void children_that_are_null_are_invalid(void **state)
{
    struct ArrowSchema *tree = with_format(*state, "+s");
    tree->children[0]->n_children = 2;
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].children");
    tree->children = NULL;
    not_imported(*state, tree, NULL, FLETCH_INVALID, "children");
}

static void a_null_child_is_invalid(void **state)
{
    struct ArrowSchema *tree = with_format(*state, "+s");
    c_child(*state, tree->children[0], c_node(*state, "i", "x"));
    c_child(*state, tree->children[0], NULL);
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].children[1]");
}

static void a_released_child_is_invalid(void **state)
{
    struct ArrowSchema *tree = with_format(*state, "i");
    c_child(*state, tree, c_node(*state, "i", "x"))->release = NULL;
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[1]");
}

static void children_of_a_leaf_are_invalid(void **state)
{
    struct ArrowSchema *tree = with_format(*state, "i");
    c_child(*state, tree->children[0], c_node(*state, "i", "x"));
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].children");
}

static void wrong_numbers_of_children_are_invalid(void **state)
{
    static const char *const formats[] = {"+l", "+L", "+vl", "+vL", "+w:3", "+m", "+r"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct ArrowSchema *tree = with_format(*state, formats[i]);
        not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].children");
        for (int n = 0; n < 3; n++)
            c_child(*state, tree->children[0], c_node(*state, "i", "x"));
        not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].children");
    }
}

static void a_map_of_other_than_pairs_is_invalid(void **state)
{
    struct ArrowSchema *tree = with_format(*state, "+m");
    c_child(*state, tree->children[0], c_node(*state, "i", "x"));
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].children[0].type");
    tree->children[0]->children[0]->format = "+s";
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].children[0].children");
}

static void the_input_stays_as_it_is(void **state)
{
    struct ArrowSchema *tree = with_format(*state, "+l");
    c_child(*state, tree->children[0], c_node(*state, "i", "x"));
    struct ArrowSchema before[2] = {*tree, *tree->children[0]};
    imported(*state, tree);
    assert_memory_equal(&before[0], tree, sizeof *tree);
    assert_memory_equal(&before[1], tree->children[0], sizeof *tree);
}

/* Dictionaries */

static struct ArrowSchema *dictionary_node(maker *m, const char *index, struct ArrowSchema *values)
{
    struct ArrowSchema *made = c_node(m, index, "d");
    made->dictionary = values;
    return made;
}

static void all_index_types_are_kept(void **state)
{
    static const char *const formats[] = {"c", "s", "i", "l", "C", "S", "I", "L"};
    for (int i = 0; i < 16; i++) {
        struct ArrowSchema *made =
            dictionary_node(*state, formats[i % 8], c_node(*state, "u", "ignored"));
        made->flags = i < 8 ? 0 : ARROW_FLAG_DICTIONARY_ORDERED;
        fletch_schema schema = imported(*state, with_child(*state, made));
        fletch_field field = field_number(&schema, 0);
        assert_true(field.has_dictionary);
        assert_true(is_text(field.name, "d"));
        assert_int_equal(field.type.id, FLETCH_TYPE_UTF8);
        assert_int_equal(field.dictionary.index_type.bit_width, 8 << i % 4);
        assert_int_equal(field.dictionary.index_type.is_signed, i % 8 < 4);
        assert_int_equal(field.dictionary.is_ordered, i >= 8);
        assert_false(field.nullable);
    }
}

static void an_index_that_is_no_integer_is_invalid(void **state)
{
    static const char *const formats[] = {"u", "f", "n", "+s", "d:1,0", "b"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        not_imported(*state,
                     with_child(*state,
                                dictionary_node(*state, formats[i], c_node(*state, "u", NULL))),
                     NULL, FLETCH_INVALID, "fields[0].format");
}

static void an_index_with_children_is_invalid(void **state)
{
    struct ArrowSchema *made = dictionary_node(*state, "i", c_node(*state, "u", NULL));
    c_child(*state, made, c_node(*state, "i", "x"));
    not_imported(*state, with_child(*state, made), NULL, FLETCH_INVALID, "fields[0].children");
}

static void a_dictionary_of_a_dictionary_is_invalid(void **state)
{
    struct ArrowSchema *inner = dictionary_node(*state, "i", c_node(*state, "u", NULL));
    not_imported(*state, with_child(*state, dictionary_node(*state, "i", inner)), NULL,
                 FLETCH_INVALID, "fields[0].dictionary.dictionary");
    struct ArrowSchema *itself = c_node(*state, "i", "x");
    itself->dictionary = itself;
    not_imported(*state, with_child(*state, itself), NULL, FLETCH_INVALID,
                 "fields[0].dictionary.dictionary");
}

static void what_is_wrong_with_a_dictionary_is_told_there(void **state)
{
    struct ArrowSchema *values = c_node(*state, "ux", NULL);
    struct ArrowSchema *tree = with_child(*state, dictionary_node(*state, "i", values));
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].dictionary.format");
    values->format = NULL;
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].dictionary.format");
    values->format = "+s";
    values->n_children = -1;
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].dictionary.n_children");
    values->n_children = 1;
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].dictionary.children");
    values->release = NULL;
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].dictionary");
}

static void metadata_of_a_dictionary_becomes_the_fields(void **state)
{
    static const char *const texts[] = {"k", "v", NULL}, *const none[] = {NULL};
    struct ArrowSchema *made = dictionary_node(*state, "i", c_node(*state, "u", NULL));
    made->dictionary->metadata = c_metadata(*state, texts);
    for (int i = 0; i < 2; i++) {
        fletch_schema schema = imported(*state, with_child(*state, made));
        fletch_field field = field_number(&schema, 0);
        fletch_key_value pair;
        assert_true(fletch_next_metadata(&field.metadata, &pair));
        assert_true(is_text(pair.key, "k"));
        assert_false(fletch_next_metadata(&field.metadata, &pair));
        made->metadata = c_metadata(*state, none);
    }
    made->metadata = made->dictionary->metadata;
    not_imported(*state, with_child(*state, made), NULL, FLETCH_INVALID,
                 "fields[0].dictionary.metadata");
}

/* d, s: struct<d, e>, f: the ids in pre-order. */
static struct ArrowSchema *three_dictionaries(maker *m)
{
    struct ArrowSchema *tree = c_node(m, "+s", NULL), *values = c_node(m, "+s", NULL);
    c_child(m, tree, c_node(m, "i", "plain"));
    c_child(m, values, dictionary_node(m, "c", c_node(m, "u", NULL)));
    c_child(m, values, c_node(m, "u", "e"));
    c_child(m, tree, dictionary_node(m, "i", values));
    c_child(m, tree, dictionary_node(m, "l", c_node(m, "z", NULL)));
    return tree;
}

static void expect_ids(const fletch_schema *schema, int64_t outer, int64_t inner, int64_t last)
{
    fletch_field field = field_number(schema, 1), child = child_number(&field, 0);
    assert_true(field.dictionary.id == outer);
    assert_true(child.dictionary.id == inner);
    assert_true(field_number(schema, 2).dictionary.id == last);
}

static void ids_count_from_0_in_pre_order(void **state)
{
    fletch_schema schema = imported(*state, three_dictionaries(*state));
    expect_ids(&schema, 0, 1, 2);
}

static void ids_count_on_from_import_to_import(void **state)
{
    int64_t next = 5;
    const fletch_import_options options = {.next_id = &next};
    fletch_schema schema =
        imported_at(*state, three_dictionaries(*state), &options, FLETCH_LEVEL_STRICT);
    expect_ids(&schema, 5, 6, 7);
    assert_int_equal(next, 8);
}

static void ids_are_taken_from_a_list(void **state)
{
    const fletch_listed_dictionary list[] = {{.id = 1, .field = 0},         {.id = -7, .field = 1},
                                             {.id = 9, .field = 2},         {.id = 2, .field = 3},
                                             {.id = INT64_MAX, .field = 4}, {.id = 3, .field = 5}};
    const fletch_import_options options = {.dictionaries = list, .dictionary_count = 6};
    fletch_schema schema =
        imported_at(*state, three_dictionaries(*state), &options, FLETCH_LEVEL_STRICT);
    expect_ids(&schema, -7, 9, INT64_MAX);
}

static void a_dictionary_that_is_not_listed_is_misuse(void **state)
{
    const fletch_listed_dictionary list[] = {{.id = 1, .field = 1}, {.id = 2, .field = 4}};
    fletch_import_options options = {.dictionaries = list, .dictionary_count = 2};
    not_imported(*state, three_dictionaries(*state), &options, FLETCH_MISUSE,
                 "fields[1].children[0].dictionary");
    options.dictionary_count = 0;
    not_imported(*state, three_dictionaries(*state), &options, FLETCH_MISUSE,
                 "fields[1].dictionary");
}

static void the_values_of_a_dictionary_keep_their_flags(void **state)
{
    typed_format map = {"+m", fletch_map(true), 0};
    struct ArrowSchema *values = c_typed(*state, NULL, &map);
    struct ArrowSchema *made = dictionary_node(*state, "i", values);
    fletch_schema schema = imported(*state, with_child(*state, made));
    assert_true(field_number(&schema, 0).type.as.map.keys_sorted);
    made->flags = values->flags;
    values->flags = 0;
    schema = imported(*state, with_child(*state, made));
    assert_false(field_number(&schema, 0).type.as.map.keys_sorted);
}

/* Limits */

static struct ArrowSchema *deep(maker *m, int depth)
{
    struct ArrowSchema *at = c_node(m, "i", "leaf");
    for (int i = 1; i < depth; i++) {
        struct ArrowSchema *outer = c_node(m, "+l", "l");
        c_child(m, outer, at);
        at = outer;
    }
    return with_child(m, at);
}

static void depth_is_limited(void **state)
{
    fletch_import_options options = {.depth = 3};
    imported(*state, deep(*state, 128));
    fletch_builder *b = new_builder(*state);
    assert_int_equal(fletch_import_schema(b, deep(*state, 129), NULL), FLETCH_LIMIT);
    b = new_builder(*state);
    assert_int_equal(fletch_import_schema(b, deep(*state, 5000), NULL), FLETCH_LIMIT);
    imported_at(*state, deep(*state, 3), &options, FLETCH_LEVEL_STRICT);
    not_imported(*state, deep(*state, 4), &options, FLETCH_LIMIT,
                 "fields[0].children[0].children[0].children");
    options.depth = 1000;
    b = new_builder(*state);
    assert_int_equal(fletch_import_schema(b, deep(*state, 129), &options), FLETCH_LIMIT);
}

static void a_struct_without_children_may_stand_deepest(void **state)
{
    struct ArrowSchema *tree = deep(*state, 128), *at = tree;
    while (at->n_children)
        at = at->children[0];
    at->format = "+s";
    imported(*state, tree);
}

static void nodes_are_limited(void **state)
{
    fletch_import_options options = {.nodes = 4};
    not_imported(*state, three_dictionaries(*state), &options, FLETCH_LIMIT,
                 "fields[1].dictionary.children");
    options.nodes = 6;
    not_imported(*state, three_dictionaries(*state), &options, FLETCH_LIMIT,
                 "fields[1].children[1]");
    options.nodes = 9;
    imported_at(*state, three_dictionaries(*state), &options, FLETCH_LEVEL_STRICT);
    options.nodes = 8;
    not_imported(*state, three_dictionaries(*state), &options, FLETCH_LIMIT,
                 "fields[2].dictionary");
}

static void more_children_than_nodes_are_not_looked_for(void **state)
{
    static const int64_t counts[] = {INT64_MAX, UINT32_MAX, INT64_C(1) << 40, 1 << 24};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct ArrowSchema *tree = with_format(*state, "+s");
        c_child(*state, tree->children[0], c_node(*state, "i", "x"));
        tree->children[0]->n_children = counts[i];
        not_imported(*state, tree, NULL, FLETCH_LIMIT, "fields[0].children");
    }
    const fletch_import_options options = {.nodes = UINT64_MAX};
    struct ArrowSchema *tree = with_format(*state, "+s");
    c_child(*state, tree->children[0], c_node(*state, "i", "x"));
    tree->children[0]->n_children = INT64_C(1) << 32;
    not_imported(*state, tree, &options, FLETCH_LIMIT, "fields[0].children");
}

static void a_node_below_itself_ends_at_the_limit(void **state)
{
    struct ArrowSchema *tree = with_format(*state, "+s");
    c_child(*state, tree->children[0], tree->children[0]);
    c_child(*state, tree->children[0], tree->children[0]);
    fletch_builder *b = new_builder(*state);
    assert_int_equal(fletch_import_schema(b, tree, NULL), FLETCH_LIMIT);
}

static void a_node_in_many_places_counts_in_each(void **state)
{
    const fletch_import_options options = {.nodes = 100000};
    struct ArrowSchema *at = c_node(*state, "i", "leaf");
    for (int i = 0; i < 30; i++) {
        struct ArrowSchema *outer = c_node(*state, "+s", "s");
        c_child(*state, outer, at);
        c_child(*state, outer, at);
        at = outer;
    }
    fletch_builder *b = new_builder_in(*state, 1 << 23);
    assert_int_equal(fletch_import_schema(b, at, &options), FLETCH_LIMIT);
    b = new_builder_in(*state, 64);
    fletch_import_schema(b, at, NULL);
    assert_int_equal(not_built(b, FLETCH_LIMIT).status, FLETCH_LIMIT);
}

/* Calls */

static void a_field_is_imported_into_an_open_one(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_begin_field(b, "outer", fletch_struct(), 0);
    assert_int_equal(fletch_import_field(b, with_format(*state, "i"), NULL), FLETCH_OK);
    assert_int_equal(fletch_import_field(b, c_node(*state, "u", "second"), NULL), FLETCH_OK);
    fletch_end_field(b);
    fletch_schema schema = built_schema(*state, b);
    fletch_field outer = field_number(&schema, 0), first = child_number(&outer, 0);
    assert_int_equal(fletch_count_fields(&outer.children), 2);
    assert_int_equal(first.type.id, FLETCH_TYPE_STRUCT);
    assert_true(is_text(child_number(&first, 0).name, "a"));
    assert_true(is_text(child_number(&outer, 1).name, "second"));
}

static void an_error_in_a_field_has_the_path_of_the_open_one(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_begin_field(b, "outer", fletch_struct(), 0);
    fletch_add_field(b, "x", fletch_null(), 0);
    fletch_import_field(b, with_format(*state, "ii"), NULL);
    not_built_at(b, FLETCH_INVALID, "fields[0].children[1].children[0].format");
}

static void a_schema_is_not_imported_into_a_field(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_begin_field(b, "outer", fletch_struct(), 0);
    assert_int_equal(fletch_import_schema(b, with_format(*state, "i"), NULL), FLETCH_MISUSE);
    assert_int_equal(not_built(b, FLETCH_MISUSE).status, FLETCH_MISUSE);
}

static void two_schemas_are_imported_into_one(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_import_schema(b, with_format(*state, "i"), NULL);
    fletch_import_schema(b, with_format(*state, "u"), NULL);
    fletch_schema schema = built_schema(*state, b);
    assert_int_equal(fletch_count_fields(&schema.fields), 2);
}

static void nothing_is_imported_behind_the_end(void **state)
{
    fletch_builder *b = new_builder(*state);
    (void)built(*state, b, FLETCH_SCHEMA);
    assert_int_equal(fletch_import_schema(b, with_format(*state, "i"), NULL), FLETCH_MISUSE);
}

static void the_first_error_stands(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_end_field(b);
    assert_int_equal(fletch_import_schema(b, NULL, NULL), FLETCH_MISUSE);
    assert_int_equal(fletch_import_field(b, with_format(*state, "ii"), NULL), FLETCH_MISUSE);
    not_built_at(b, FLETCH_MISUSE, "");
}

static void without_room_the_size_is_told(void **state)
{
    struct ArrowSchema *tree = three_dictionaries(*state);
    fletch_builder *b = new_builder_in(*state, 0);
    assert_int_equal(fletch_import_schema(b, tree, NULL), FLETCH_NO_SPACE);
    fletch_error error = not_built(b, FLETCH_NO_SPACE);
    b = new_builder_in(*state, (size_t)error.wanted);
    assert_int_equal(fletch_import_schema(b, tree, NULL), FLETCH_OK);
    fletch_schema schema = built_schema(*state, b);
    expect_ids(&schema, 0, 1, 2);
}

static void pairs_behind_a_bad_one_are_not_looked_at(void **state)
{
    static const char *const texts[] = {"ab", "cd", "ef", "gh", NULL};
    maker *m = *state;
    struct ArrowSchema *tree = with_format(m, "i");
    block b = copy_of(m, c_metadata(m, texts), 4 + 4 * 6);
    memset(b.bytes + 4 + 6, 0xFF, 4);  /* the first value's size */
    memset(b.bytes + 4 + 12, 0xFF, 4); /* the second key's */
    tree->metadata = (const char *)b.bytes;
    not_imported(m, tree, NULL, FLETCH_INVALID, "metadata[0]");
}

static void a_bad_format_of_an_index_is_told_there(void **state)
{
    struct ArrowSchema *made = dictionary_node(*state, "ix", c_node(*state, "u", NULL));
    not_imported(*state, with_child(*state, made), NULL, FLETCH_INVALID, "fields[0].format");
}

static void more_fields_than_nodes_are_a_limit(void **state)
{
    maker *m = *state;
    fletch_import_options options = {.nodes = 3};
    struct ArrowSchema *tree = with_format(m, "i");
    c_child(m, tree, c_node(m, "i", "x"));
    c_child(m, tree, c_node(m, "i", "y"));
    not_imported(m, tree, &options, FLETCH_LIMIT, "children");
    options.nodes = 4;
    imported_at(m, tree, &options, FLETCH_LEVEL_STRICT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(every_format_is_its_type),
        WITH_MAKER(a_width_of_128_may_be_written_out),
        WITH_MAKER(an_empty_time_zone_is_absent),
        WITH_MAKER(malformed_formats_are_invalid),
        WITH_MAKER(formats_of_no_known_code_are_unsupported),
        WITH_MAKER(an_unknown_format_is_told_where_it_ends_to_be_known),
        WITH_MAKER(short_formats_are_good_only_when_they_are_known),
        WITH_MAKER(where_a_format_is_wrong_is_told),
        WITH_MAKER(rules_of_arrow_hold_for_parameters),
        WITH_MAKER(union_ids_are_checked),
        WITH_MAKER(flags_count_where_they_mean_something),
        WITH_MAKER(a_null_name_is_empty),
        WITH_MAKER(metadata_keeps_its_order_and_copies),
        WITH_MAKER(metadata_stands_anywhere),
        WITH_MAKER(metadata_without_pairs_is_absent),
        WITH_MAKER(negative_counts_in_metadata_are_invalid),
        WITH_MAKER(text_is_checked_at_the_builders_level),
        WITH_MAKER(null_and_released_are_misuse),
        WITH_MAKER(a_schema_must_be_a_struct),
        WITH_MAKER(a_null_format_is_invalid),
        WITH_MAKER(bad_counts_of_children_are_invalid),
        WITH_MAKER(children_that_are_null_are_invalid),
        WITH_MAKER(a_null_child_is_invalid),
        WITH_MAKER(a_released_child_is_invalid),
        WITH_MAKER(children_of_a_leaf_are_invalid),
        WITH_MAKER(wrong_numbers_of_children_are_invalid),
        WITH_MAKER(a_map_of_other_than_pairs_is_invalid),
        WITH_MAKER(the_input_stays_as_it_is),
        WITH_MAKER(all_index_types_are_kept),
        WITH_MAKER(an_index_that_is_no_integer_is_invalid),
        WITH_MAKER(an_index_with_children_is_invalid),
        WITH_MAKER(a_dictionary_of_a_dictionary_is_invalid),
        WITH_MAKER(what_is_wrong_with_a_dictionary_is_told_there),
        WITH_MAKER(metadata_of_a_dictionary_becomes_the_fields),
        WITH_MAKER(ids_count_from_0_in_pre_order),
        WITH_MAKER(ids_count_on_from_import_to_import),
        WITH_MAKER(ids_are_taken_from_a_list),
        WITH_MAKER(a_dictionary_that_is_not_listed_is_misuse),
        WITH_MAKER(the_values_of_a_dictionary_keep_their_flags),
        WITH_MAKER(depth_is_limited),
        WITH_MAKER(a_struct_without_children_may_stand_deepest),
        WITH_MAKER(nodes_are_limited),
        WITH_MAKER(more_children_than_nodes_are_not_looked_for),
        WITH_MAKER(a_node_below_itself_ends_at_the_limit),
        WITH_MAKER(a_node_in_many_places_counts_in_each),
        WITH_MAKER(a_field_is_imported_into_an_open_one),
        WITH_MAKER(an_error_in_a_field_has_the_path_of_the_open_one),
        WITH_MAKER(a_schema_is_not_imported_into_a_field),
        WITH_MAKER(two_schemas_are_imported_into_one),
        WITH_MAKER(nothing_is_imported_behind_the_end),
        WITH_MAKER(the_first_error_stands),
        WITH_MAKER(without_room_the_size_is_told),
        WITH_MAKER(pairs_behind_a_bad_one_are_not_looked_at),
        WITH_MAKER(a_bad_format_of_an_index_is_told_there),
        WITH_MAKER(more_fields_than_nodes_are_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
