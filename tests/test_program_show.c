/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fletch show`, of what is rare: widths, locales and terminals; what is absent or not known; names
 * and patterns of any bytes; and more text than there is a budget for.
 */
#define _XOPEN_SOURCE     700
#define _DEFAULT_SOURCE   /* struct winsize */
#define _FILE_OFFSET_BITS 64

#include "support/building.h"
#include "support/program.h"

#include <sys/ioctl.h>

/* What is shown of `file`, without the first line. */
static const char *shown(world *w, const char *option, const char *file)
{
    assert_int_equal(run(w, "show", option, file, NULL), ALL_WELL);
    return strchr(w->out, '\n') + 1;
}

static void write_schema(world *w, const char *file, node *schema)
{
    write_block(file, finish(w->m, schema));
}

static void write_field(world *w, const char *file, node *field)
{
    write_schema(w, file, schema_with(w->m, field));
}

/* A field with one pair. */
static node *described(maker *m, node *field, const char *key, const char *value)
{
    add_pair(m, field, FIELD_METADATA, key, value);
    return field;
}

static char *letters(size_t count, char letter)
{
    char *text = calloc(count + 1, 1);

    assert_non_null(text);
    memset(text, letter, count);
    return text;
}

/* Terminals and locales */

static void set_or_not(const char *variable, const char *value)
{
    if (value != NULL)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
}

static void the_first_locale_that_is_set_decides_how_trees_are_drawn(void **state)
{
    static const struct {
        const char *all, *characters, *language;
        bool is_drawn;
    } cases[] = {
        {"C.UTF-8", NULL, NULL, true},
        {"en_US.utf8", NULL, NULL, true},
        {"x.UTF8", NULL, NULL, true},
        {"x.utf-8", NULL, NULL, true},
        {"x.ISO-8859-1", "C.UTF-8", NULL, false},
        {"x.u", NULL, NULL, false},
        {"C", "C.UTF-8", "C.UTF-8", false},
        {"", "C.UTF-8", "C", true},
        {NULL, "C", "C.UTF-8", false},
        {NULL, NULL, "C.UTF-8", true},
        {NULL, NULL, NULL, false},
        {"", "", "", false},
    };
    world *w = *state;
    node *list = nested_field(w->m, "l", FLETCH_TYPE_LIST);

    add_child(list, int_field(w->m, "item"));
    write_field(w, "list", list);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_or_not("LC_ALL", cases[i].all);
        set_or_not("LC_CTYPE", cases[i].characters);
        set_or_not("LANG", cases[i].language);
        expect_in(shown(w, "--full", "list"),
                  cases[i].is_drawn ? "\n  \342\224\224\342\224\200 item" : "\n  `- item");
    }
    unsetenv("LC_CTYPE");
    unsetenv("LANG");
}

static void write_long_value(world *w, const char *file)
{
    char *value = letters(800, 'v');

    write_field(w, file, described(w->m, int_field(w->m, "a"), "key", value));
    free(value);
}

static void a_width_below_40_is_40_and_one_above_160_is_160(void **state)
{
    static const struct {
        const char *columns, *as;
    } cases[] = {{"10", "40"}, {"39", "40"}, {"161", "160"}, {"100000", "160"}};
    world *w = *state;

    write_long_value(w, "long");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;

        setenv("COLUMNS", cases[i].columns, 1);
        text = strdup(shown(w, "--color=never", "long"));
        setenv("COLUMNS", cases[i].as, 1);
        assert_string_equal(shown(w, "--color=never", "long"), text);
        assert_in_range(widest_line(text), (uintmax_t)atoi(cases[i].as) - 8,
                        (uintmax_t)atoi(cases[i].as));
        free(text);
    }
}

static void a_terminal_that_knows_its_width_decides(void **state)
{
    world *w = *state;
    terminal t = open_terminal();
    struct winsize size = {.ws_row = 24, .ws_col = 60};

    write_long_value(w, "long");
    if (ioctl(t.far, TIOCSWINSZ, &size) != 0) skip();
    setenv("COLUMNS", "120", 1);
    w->standard_output = t.far;
    assert_int_equal(run(w, "show", "--color=never", "long", NULL), ALL_WELL);
    w->standard_output = -1;
    close_terminal(&t);
    assert_in_range(widest_line(t.text), 52, 60 + 1); /* and what a terminal makes of a line end */
}

static void what_went_wrong_is_red_on_a_terminal(void **state)
{
    world *w = *state;
    terminal t = open_terminal();

    write_block("cut", cut_stream(w->m));
    setenv("TERM", "xterm", 1);
    w->standard_error = t.far;
    assert_int_equal(run(w, "show", "cut", NULL), NOT_OK);
    w->standard_error = -1;
    close_terminal(&t);
    expect_in(t.text, "fletch: cut: \033[31mtruncated\033[0m: ");
}

/* Words of the first line */

static void the_first_line_says_what_is_absent_old_or_not_known(void **state)
{
    world *w = *state;
    node *big = new_schema(w->m), *odd = new_schema(w->m);
    node *message = new_message(w->m, new_schema(w->m));

    set16(big, SCHEMA_ENDIANNESS, FLETCH_BIG_ENDIAN);
    write_schema(w, "big", big);
    shown(w, "--full", "big");
    expect_first(w->out, "big: schema, big-endian, 0 fields\n");
    set16(odd, SCHEMA_ENDIANNESS, 5);
    write_schema(w, "odd", odd);
    shown(w, "--as=schema", "odd");
    expect_first(w->out, "odd: schema, unknown endianness 5, 0 fields\n");
    drop(message, MESSAGE_VERSION);
    write_schema(w, "old", message);
    (void)run(w, "show", "--as=message", "old", NULL);
    expect_first(w->out, "old: message, metadata V1 (absent), little-endian, 0 fields\n");
    write_block("legacy", frame(w->m, finish(w->m, new_message(w->m, new_schema(w->m))), true));
    shown(w, "--full", "legacy");
    expect_in(w->out, ", metadata V5, legacy framing, little-endian");
}

/* A schema with `count` features: 0 to 2, one below, and numbers from 100 on. */
static void write_features(world *w, const char *file, int count)
{
    static const int first[] = {0, 1, 2, -1};
    node *schema = new_schema(w->m), *features = make_vector(w->m, 8);

    for (int i = 0; i < count; i++)
        append_number(features, i < 4 ? first[i] : 96 + i);
    set_node(schema, SCHEMA_FEATURES, features);
    write_schema(w, file, schema);
}

static void features_are_named_or_numbers(void **state)
{
    world *w = *state;

    write_features(w, "nine", 9);
    assert_int_equal(run(w, "show", "--as=schema", "nine", NULL), ALL_WELL);
    expect_in(w->out, "\nfeatures: unused, dictionary replacement, compressed body, "
                      "unknown feature -1, unknown feature 100, unknown feature 101, "
                      "unknown feature 102, unknown feature 103, unknown feature 104\n");
}

static void more_than_nine_features_are_cut_unless_full(void **state)
{
    world *w = *state;

    write_features(w, "ten", 10);
    assert_int_equal(run(w, "show", "--as=schema", "ten", NULL), ALL_WELL);
    expect_in(w->out, "unknown feature 103, ... (10)\n");
    assert_int_equal(run(w, "show", "--as=schema", "--full", "ten", NULL), ALL_WELL);
    expect_in(w->out, "unknown feature 103, unknown feature 104, unknown feature 105\n");
}

/* Types */

static void types_that_are_not_there_or_not_known_are_red(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m), *untyped = int_field(w->m, "b");

    drop(untyped, FIELD_TYPE_TAG);
    drop(untyped, FIELD_TYPE);
    add_field(schema, new_field(w->m, "a", 60, make_table(w->m)));
    add_field(schema, untyped);
    write_schema(w, "odd", schema);
    assert_int_equal(run(w, "show", "--color=always", "--as=schema", "odd", NULL), ALL_WELL);
    assert_int_equal(count_in(w->out, "\033[31m"), 2);
    expect_not_in(w->out, "\033[36m");
}

static void an_unknown_kind_of_dictionary_is_told(void **state)
{
    world *w = *state;
    node *field = text_field(w->m, "d");

    set16(add_dictionary(w->m, field, 3, NULL), DICTIONARY_KIND, 7);
    write_field(w, "d", field);
    expect_in(shown(w, "--as=schema", "d"),
              "  d  dictionary<string, int32> id=3, unknown dictionary kind 7\n");
}

static void children_of_a_union_have_their_type_ids(void **state)
{
    static const int32_t ids[] = {5, 9};
    world *w = *state;
    fletch_builder *b = new_builder(w->m);

    fletch_begin_field(b, "u", fletch_union(FLETCH_DENSE, ids, 2), 0);
    fletch_add_field(b, "a", fletch_bool(), 0);
    fletch_begin_field(b, "s", fletch_struct(), 0);
    fletch_add_field(b, "below", fletch_bool(), 0);
    fletch_end_field(b);
    fletch_end_field(b);
    write_block("u", built(w->m, b, FLETCH_STREAM));
    shown(w, "--full", "u");
    expect_in(w->out, "  |- a         bool not null type id=5\n");
    expect_in(w->out, "  `- s         struct not null type id=9\n");
    expect_in(w->out, "     `- below  bool not null\n");
}

static void sorted_keys_of_a_map_are_told(void **state)
{
    world *w = *state;
    fletch_builder *b = new_builder(w->m);

    fletch_begin_field(b, "m", fletch_map(true), FLETCH_NULLABLE);
    fletch_begin_field(b, "entries", fletch_struct(), 0);
    fletch_add_field(b, "key", fletch_utf8(), 0);
    fletch_add_field(b, "value", fletch_utf8(), FLETCH_NULLABLE);
    fletch_end_field(b);
    fletch_end_field(b);
    write_block("m", built(w->m, b, FLETCH_STREAM));
    expect_first(shown(w, "--full", "m"), "  m            map, keys_sorted\n");
}

/* Metadata */

/* A pair of which one or both may be absent. */
static void append_pair(maker *m, node *list, const char *key, const char *value)
{
    node *pair = make_table(m);

    if (key != NULL) set_node(pair, PAIR_KEY, make_text(m, key));
    if (value != NULL) set_node(pair, PAIR_VALUE, make_text(m, value));
    append(list, pair);
}

static void what_a_pair_lacks_is_told(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m), *pairs = make_list(w->m);

    append_pair(w->m, pairs, NULL, "one");
    append_pair(w->m, pairs, "", "two");
    append_pair(w->m, pairs, "three", NULL);
    append_pair(w->m, pairs, "four", "");
    append_pair(w->m, pairs, NULL, NULL);
    set_node(schema, SCHEMA_METADATA, pairs);
    write_schema(w, "pairs", schema);
    assert_string_equal(shown(w, "--as=schema", "pairs"), "metadata:\n"
                                                          "  (no key): one\n"
                                                          "  \"\": two\n"
                                                          "  three: (absent)\n"
                                                          "  four: \"\"\n"
                                                          "  (no key): (absent)\n");
}

static void short_pairs_stand_behind_their_field(void **state)
{
    world *w = *state;
    node *field = described(w->m, int_field(w->m, "a"), "one", "1");

    described(w->m, field, "empty", "");
    write_field(w, "pairs", field);
    assert_string_equal(shown(w, "--as=schema", "pairs"), "  a  int32 {one: 1, empty: \"\"}\n");
}

/* A list with a child, and pairs that are too long to stand behind it. */
static node *long_described_list(maker *m)
{
    node *list =
        described(m, nested_field(m, "list", FLETCH_TYPE_LIST), "ARROW:extension:name", "zoo");
    char *value = letters(120, 'v');

    described(m, list, "ARROW:extension:metadata", "");
    described(m, list, "key", value);
    free(value);
    add_child(list, int_field(m, "item"));
    return list;
}

static void long_pairs_stand_below_their_field_but_for_its_extension(void **state)
{
    world *w = *state;
    const char *text;

    write_field(w, "list", long_described_list(w->m));
    text = shown(w, "--as=schema", "list");
    expect_in(text, " extension<zoo>\n  | - key: vvv");
    expect_in(text, "\n  `- item");
    expect_not_in(text, "ARROW:extension");
    setenv("LC_ALL", "C.UTF-8", 1);
    expect_in(shown(w, "--as=schema", "list"), "\n  \342\224\202 \302\267 key: vvv");
}

static void pairs_of_a_field_too_deep_to_draw_stand_below_it(void **state)
{
    enum { DEEP = 20 };
    world *w = *state;
    node *root = nested_field(w->m, "top", FLETCH_TYPE_LIST), *inner = root;

    for (int i = 0; i < DEEP; i++)
        inner = add_child(inner, i < DEEP - 1 ? nested_field(w->m, "item", FLETCH_TYPE_LIST)
                                              : long_described_list(w->m));
    write_field(w, "deep", root);
    setenv("COLUMNS", "40", 1);
    expect_in(shown(w, "--as=schema", "deep"), "\n  (20)       `- list  list extension<zoo>\n"
                                               "                | - key: vvv");
}

/* Names */

static void names_that_could_be_quotes_or_end_in_a_blank_are_quoted(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m);

    add_field(schema, int_field(w->m, "\"x\""));
    add_field(schema, int_field(w->m, "blank "));
    write_schema(w, "names", schema);
    assert_string_equal(shown(w, "--as=schema", "names"), "  \"\\\"x\\\"\"   int32\n"
                                                          "  \"blank \"  int32\n");
    assert_string_equal(shown(w, "--full", "names"), "  \"\\\"x\\\"\"   int32\n"
                                                     "  \"blank \"  int32\n");
}

/* What is no character, hides or is none of anyone's: escaped, as bytes or as a code. */
static void bytes_and_codes_without_a_shape_are_escaped(void **state)
{
    static const struct {
        const char *name, *shown;
    } cases[] = {
        {"\340\200\200", "\\xe0\\x80\\x80"},          /* longer than it needs to be */
        {"\355\240\200", "\\xed\\xa0\\x80"},          /* half of a pair */
        {"\364\220\200\200", "\\xf4\\x90\\x80\\x80"}, /* above U+10FFFF */
        {"\357\277\276", "\\ufffe"},                  /* no character */
        {"\363\240\200\201", "\\U000e0001"},          /* a tag */
        {"\360\237\230\200", "\360\237\230\200"},     /* a picture */
        {"\342\202", "\\xe2\\x82"},                   /* cut */
        {"\365\200\200\200", "\\xf5\\x80\\x80\\x80"}, /* no first byte */
    };
    world *w = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[64];

        write_field(w, "name", int_field(w->m, cases[i].name));
        snprintf(line, sizeof line, "  %s  int32\n", cases[i].shown);
        assert_string_equal(shown(w, "--as=schema", "name"), line);
    }
}

/* Each control takes four columns, so the end of such a name is not as many bytes as columns. */
static void the_end_of_a_name_of_controls_is_whole_escapes(void **state)
{
    world *w = *state;

    setenv("COLUMNS", "80", 1);
    for (size_t count = 12; count <= 30; count += 18) {
        char *name = letters(count, '\1');

        write_field(w, "name", int_field(w->m, name));
        free(name);
        expect_first(shown(w, "--as=schema", "name"),
                     "  \\x01\\x01\\x01\\x01...\\x01\\x01\\x01\\x01   ");
    }
}

/* What could only go on is not the beginning of an end: here that leaves none. */
static void a_name_that_ends_in_pieces_of_characters_has_no_end_when_it_is_cut(void **state)
{
    world *w = *state;
    char *name = letters(80, '\200');

    name[0] = 'n';
    setenv("COLUMNS", "80", 1);
    write_field(w, "name", int_field(w->m, name));
    free(name);
    expect_first(shown(w, "--as=schema", "name"), "  n\\x80\\x80\\x80\\x80...  ");
}

/* Patterns */

/* Whether a pattern selects the only field of a schema. */
static bool selects(world *w, const char *pattern, const char *name)
{
    char option[64];

    write_field(w, "one", int_field(w->m, name));
    snprintf(option, sizeof option, "--match=%s", pattern);
    assert_int_equal(run(w, "show", option, "--as=schema", "one", NULL), ALL_WELL);
    assert_true(strstr(w->out, ", 1 selected\n") != NULL ||
                strstr(w->out, ", 0 selected\n") != NULL);
    return strstr(w->out, ", 1 selected\n") != NULL;
}

static void a_question_mark_is_one_character_or_a_byte_of_none(void **state)
{
    world *w = *state;

    assert_true(selects(w, "caf?", "caf\303\251"));
    assert_false(selects(w, "caf??", "caf\303\251"));
    assert_true(selects(w, "?", "\360\237\230\200"));
    assert_false(selects(w, "??", "\360\237\230\200"));
    assert_true(selects(w, "?x", "\377x"));
    assert_true(selects(w, "?", "\303"));
    assert_true(selects(w, "??", "\303a"));
    assert_true(selects(w, "?", "\251"));
    assert_true(selects(w, "??", "\360\237\230\200\200")); /* a character has four bytes at most */
}

static void brackets_are_of_ascii(void **state)
{
    world *w = *state;

    assert_true(selects(w, "x[^a]", "xb"));
    assert_false(selects(w, "x[^a]", "xa"));
    assert_true(selects(w, "x[!a]", "x\303\251"));
    assert_false(selects(w, "x[a-z]", "x\303\251"));
}

static void brackets_take_ranges_and_their_own_signs(void **state)
{
    world *w = *state;

    assert_true(selects(w, "[]x]", "]"));
    assert_true(selects(w, "[]x]", "x"));
    assert_false(selects(w, "[]x]", "y"));
    assert_true(selects(w, "[a-]", "-"));
    assert_true(selects(w, "[ab]", "b"));
    assert_false(selects(w, "[ab]", "-"));
    assert_true(selects(w, "[abc]", "c"));
    assert_true(selects(w, "[a-cx-z]", "y"));
    assert_false(selects(w, "[c-ez]", "b"));
    assert_false(selects(w, "[c-a]", "b"));
}

static void a_backslash_at_the_end_is_itself(void **state)
{
    world *w = *state;

    assert_true(selects(w, "a\\", "a\\"));
    assert_true(selects(w, "\\*", "*"));
    assert_false(selects(w, "\\*", "a"));
}

static void a_star_goes_on_by_characters(void **state)
{
    world *w = *state;

    assert_true(selects(w, "*", ""));
    assert_true(selects(w, "*b", "\303\251b"));
    assert_false(selects(w, "*b", "b\303\251"));
    assert_false(selects(w, "*b", "bb\303"));
    assert_true(selects(w, "a*b*c", "a.c.b.bc"));
    assert_false(selects(w, "a", ""));
}

static void a_pattern_without_text_and_one_too_many_are_refused(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "show", "--match=", "x", NULL), TROUBLE);
    expect_in(w->err, "--match=: ");
    assert_int_equal(run(w, "show", "--match=1", "--match=2", "--match=3", "--match=4", "--match=5",
                         "--match=6", "--match=7", "--match=8", "--match=9", "--match=10",
                         "--match=11", "--match=12", "--match=13", "--match=14", "--match=15",
                         "--match=16", "--match=17", "--match=18", "--match=19", "--match=20",
                         "--match=21", "--match=22", "--match=23", "--match=24", "--match=25",
                         "--match=26", "--match=27", "--match=28", "--match=29", "--match=30",
                         "--match=31", "--match=32", "--match=33", "x", NULL),
                     TROUBLE);
    expect_in(w->err, "--match=33: ");
}

static void a_depth_of_letters_is_refused(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "show", "--depth=two", "x", NULL), TROUBLE);
    expect_in(w->err, "none of the numbers 1 to 128\n");
}

/* Counts */

static void more_types_than_are_told_apart_are_one_number(void **state)
{
    enum { TYPES = 70 };
    world *w = *state;
    fletch_builder *b = new_builder(w->m);

    for (int i = 1; i <= TYPES; i++)
        fletch_add_field(b, "f", fletch_fixed_size_binary(i), 0);
    write_block("many", built(w->m, b, FLETCH_STREAM));
    shown(w, "--count", "many");
    expect_in(w->out, "    fixed_size_binary[64]           1\n");
    expect_not_in(w->out, "fixed_size_binary[65]");
    expect_in(w->out, "    other types                     6\n");
}

static void counts_are_of_dictionaries_extensions_and_pairs(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m), *encoded = text_field(w->m, "d");

    add_dictionary(w->m, encoded, 1, NULL);
    add_field(schema, encoded);
    add_field(schema, long_described_list(w->m));
    write_schema(w, "some", schema);
    shown(w, "--count", "some");
    expect_in(w->out, "\n  dictionary-encoded                1\n"
                      "  extension types                   1\n"
                      "  metadata pairs of fields          3\n");
}

/* A type whose text is longer than is kept, escapes included: it is cut, and has its column. */
static void a_long_type_is_counted_with_its_text_cut(void **state)
{
    world *w = *state;
    char *zone = letters(300, '\1');
    node *type = make_table(w->m), *field;

    set_node(type, TIMESTAMP_ZONE, make_text(w->m, zone));
    free(zone);
    field = new_field(w->m, "t", FLETCH_TYPE_TIMESTAMP, type);
    add_dictionary(w->m, field, 1, int_type(w->m, 64, false));
    write_field(w, "long", field);
    assert_int_equal(run(w, "show", "--count", "--as=schema", "long", NULL), ALL_WELL);
    expect_in(w->out, "    dictionary<timestamp[s, tz=\\x01\\x01");
    assert_int_equal(count_in(w->out, "          1\n"), 4);
    assert_true(widest_line(w->out) < 300);
}

/* Budgets of text */

enum { LONG = 400000, SHARERS = 500 };

/* Demands that all is shown, but not in full: that ends long before all is printed. */
static void expect_too_much_in_full(world *w, const char *file)
{
    assert_int_equal(run(w, "show", "--as=schema", file, NULL), ALL_WELL);
    assert_int_equal(run(w, "show", "--as=schema", "--full", file, NULL), NOT_OK);
    expect_in(w->err, ": limit: the text is too much to print in full\n");
    assert_true(strlen(w->out) < 32u * LONG);
}

static node *long_string(maker *m)
{
    char *text = letters(LONG, 'z');
    node *string = make_string(m, text, LONG);

    free(text);
    return string;
}

static void a_long_time_zone_that_is_shared_ends_at_the_budget_of_text(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m), *type = make_table(w->m);

    set_node(type, TIMESTAMP_ZONE, long_string(w->m));
    for (int i = 0; i < SHARERS; i++)
        add_field(schema, new_field(w->m, "t", FLETCH_TYPE_TIMESTAMP, type));
    write_schema(w, "long", schema);
    expect_too_much_in_full(w, "long");
}

/* `count` times the same pair, with a long value. */
static node *same_long_pairs(maker *m, const char *key, int count)
{
    node *list = make_list(m), *pair = make_table(m);

    set_node(pair, PAIR_KEY, make_text(m, key));
    set_node(pair, PAIR_VALUE, long_string(m));
    for (int i = 0; i < count; i++)
        append(list, pair);
    return list;
}

static void long_pairs_of_one_field_end_at_the_budget_of_text(void **state)
{
    world *w = *state;
    node *field = int_field(w->m, "a");

    set_node(field, FIELD_METADATA, same_long_pairs(w->m, "k", SHARERS));
    write_field(w, "long", field);
    expect_too_much_in_full(w, "long");
}

static void long_pairs_of_a_schema_end_at_the_budget_of_text(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m);

    set_node(schema, SCHEMA_METADATA, same_long_pairs(w->m, "k", SHARERS));
    write_schema(w, "long", schema);
    expect_too_much_in_full(w, "long");
}

static void long_names_of_extensions_end_at_the_budget_of_text(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m), *pairs = same_long_pairs(w->m, "ARROW:extension:name", 1);

    for (int i = 0; i < SHARERS; i++) {
        node *field = int_field(w->m, "a");

        set_node(field, FIELD_METADATA, pairs);
        add_field(schema, field);
    }
    write_schema(w, "long", schema);
    expect_too_much_in_full(w, "long");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_WORLD(the_first_locale_that_is_set_decides_how_trees_are_drawn),
        IN_A_WORLD(a_width_below_40_is_40_and_one_above_160_is_160),
        IN_A_WORLD(a_terminal_that_knows_its_width_decides),
        IN_A_WORLD(what_went_wrong_is_red_on_a_terminal),
        IN_A_WORLD(the_first_line_says_what_is_absent_old_or_not_known),
        IN_A_WORLD(features_are_named_or_numbers),
        IN_A_WORLD(more_than_nine_features_are_cut_unless_full),
        IN_A_WORLD(types_that_are_not_there_or_not_known_are_red),
        IN_A_WORLD(an_unknown_kind_of_dictionary_is_told),
        IN_A_WORLD(children_of_a_union_have_their_type_ids),
        IN_A_WORLD(sorted_keys_of_a_map_are_told),
        IN_A_WORLD(what_a_pair_lacks_is_told),
        IN_A_WORLD(short_pairs_stand_behind_their_field),
        IN_A_WORLD(long_pairs_stand_below_their_field_but_for_its_extension),
        IN_A_WORLD(pairs_of_a_field_too_deep_to_draw_stand_below_it),
        IN_A_WORLD(names_that_could_be_quotes_or_end_in_a_blank_are_quoted),
        IN_A_WORLD(bytes_and_codes_without_a_shape_are_escaped),
        IN_A_WORLD(the_end_of_a_name_of_controls_is_whole_escapes),
        IN_A_WORLD(a_name_that_ends_in_pieces_of_characters_has_no_end_when_it_is_cut),
        IN_A_WORLD(a_question_mark_is_one_character_or_a_byte_of_none),
        IN_A_WORLD(brackets_are_of_ascii),
        IN_A_WORLD(brackets_take_ranges_and_their_own_signs),
        IN_A_WORLD(a_backslash_at_the_end_is_itself),
        IN_A_WORLD(a_star_goes_on_by_characters),
        IN_A_WORLD(a_pattern_without_text_and_one_too_many_are_refused),
        IN_A_WORLD(a_depth_of_letters_is_refused),
        IN_A_WORLD(more_types_than_are_told_apart_are_one_number),
        IN_A_WORLD(counts_are_of_dictionaries_extensions_and_pairs),
        IN_A_WORLD(a_long_type_is_counted_with_its_text_cut),
        IN_A_WORLD(a_long_time_zone_that_is_shared_ends_at_the_budget_of_text),
        IN_A_WORLD(long_pairs_of_one_field_end_at_the_budget_of_text),
        IN_A_WORLD(long_pairs_of_a_schema_end_at_the_budget_of_text),
        IN_A_WORLD(long_names_of_extensions_end_at_the_budget_of_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
