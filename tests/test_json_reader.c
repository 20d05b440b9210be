/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's reader of JSON, and what it makes of the JSON of Arrow's integration tests.
 *
 * Every text stands in a block of exactly its size, without a NUL, so that a byte read behind it is
 * found by the sanitizers.
 */
#include "cli/json_schema.h"
#include "fletch/heap.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const skip_nothing[] = {NULL};

/* Reading */

/* A text that is read, and what came of it. */
typedef struct reading {
    struct json_document document;
    struct json_error error;
    bool is_read;
    size_t line, column; /* of the error */
} reading;

static reading read_block(block text, const char *const *skipped)
{
    reading r;

    memset(&r, 0xA5, sizeof r);
    r.is_read = json_read((const char *)text.bytes, text.size, skipped, &r.document, &r.error);
    r.line = r.column = 0;
    if (!r.is_read) json_place((const char *)text.bytes, text.size, r.error.at, &r.line, &r.column);
    return r;
}

static void expect_read(maker *m, const char *text, reading *r)
{
    *r = read_block(text_block(m, text), skip_nothing);
    if (!r->is_read)
        fail_msg("%s: line %zu, column %zu: %s", text, r->line, r->column, r->error.sentence);
}

/* Demands an error with its place, and its sentence. */
static void expect_error(block text, size_t line, size_t column, const char *sentence)
{
    reading r = read_block(text, skip_nothing);

    json_free(&r.document);
    if (r.is_read) fail_msg("%.*s is read", (int)text.size, (const char *)text.bytes);
    if (r.line != line || r.column != column || strcmp(r.error.sentence, sentence) != 0)
        fail_msg("%.*s: line %zu, column %zu: %s", (int)text.size, (const char *)text.bytes, r.line,
                 r.column, r.error.sentence);
    assert_false(r.error.is_memory);
}

typedef struct bad_text {
    const char *text;
    size_t line, column;
    const char *sentence;
} bad_text;

static void expect_errors(maker *m, const bad_text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_error(text_block(m, texts[i].text), texts[i].line, texts[i].column,
                     texts[i].sentence);
}

#define EXPECT_ERRORS(m, texts) expect_errors(m, texts, sizeof(texts) / sizeof(texts)[0])

/* The string that a text of one string is. */
static void expect_decoded(maker *m, const char *text, const char *string, size_t size)
{
    reading r;

    expect_read(m, text, &r);
    assert_int_equal(json_root(&r.document)->kind, JSON_STRING);
    assert_int_equal(json_root(&r.document)->text.size, size);
    assert_memory_equal(json_root(&r.document)->text.data, string, size);
    json_free(&r.document);
}

static void every_kind_of_value_is_told_apart(void **state)
{
    static const enum json_kind kinds[] = {JSON_NULL,   JSON_FALSE, JSON_TRUE,  JSON_NUMBER,
                                           JSON_STRING, JSON_ARRAY, JSON_OBJECT};
    const struct json_value *value;
    reading r;

    expect_read(*state, " [null,\tfalse,\r\ntrue , -1.5e+3, \"s\", [ ], { } ] ", &r);
    value = json_first(&r.document, json_root(&r.document));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        assert_non_null(value);
        assert_int_equal(value->kind, kinds[i]);
        value = json_next(&r.document, value);
    }
    assert_null(value);
    json_free(&r.document);
}

static void members_keep_their_order_and_their_places(void **state)
{
    const struct json_value *value;
    reading r;

    expect_read(*state, "{\"b\": 1, \"a\": [2, 3], \"\": 4}", &r);
    value = json_first(&r.document, json_root(&r.document));
    assert_true(json_is(value->key, "b"));
    assert_int_equal(value->key_at, 1);
    assert_int_equal(value->at, 6);
    value = json_next(&r.document, value);
    assert_true(json_is(value->key, "a"));
    assert_int_equal(json_next(&r.document, json_first(&r.document, value))->at, 18);
    value = json_next(&r.document, value);
    assert_true(json_is(value->key, ""));
    assert_null(json_next(&r.document, value));
    json_free(&r.document);
}

static void escapes_are_decoded(void **state)
{
    expect_decoded(*state, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8);
    expect_decoded(*state, "\"\\u0041\\u00e9\\u20AC\\ud83c\\udff9\\u0000\"",
                   "A\303\251\342\202\254\360\237\217\271\0", 11);
    expect_decoded(*state, "\"\\ud800\\udc00\\uDBFF\\uDFFF\\uffff\\u0800\\u07ff\"",
                   "\360\220\200\200\364\217\277\277\357\277\277\340\240\200\337\277", 16);
}

static void what_is_not_escaped_stays_as_it_is(void **state)
{
    expect_decoded(*state, "\"\"", "", 0);
    expect_decoded(*state, "\"a \177 \303\251 \360\237\217\271\"",
                   "a \177 \303\251 \360\237\217\271", 11);
}

static void whole_numbers_in_range_are_integers(void **state)
{
    static const struct {
        const char *text;
        int64_t integer;
    } numbers[] = {{"0", 0},
                   {"-0", 0},
                   {"7", 7},
                   {"-128", -128},
                   {"9223372036854775807", INT64_MAX},
                   {"-9223372036854775808", INT64_MIN}};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        reading r;
        int64_t integer = 1;

        expect_read(*state, numbers[i].text, &r);
        assert_true(json_integer(json_root(&r.document), INT64_MIN, INT64_MAX, &integer));
        assert_true(integer == numbers[i].integer);
        json_free(&r.document);
    }
}

static void other_numbers_are_no_integers(void **state)
{
    static const char *const texts[] = {"1.0",
                                        "1e2",
                                        "0.5",
                                        "-1E-1",
                                        "9223372036854775808",
                                        "-9223372036854775809",
                                        "18446744073709551616",
                                        "92233720368547758070",
                                        "\"1\"",
                                        "null"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        reading r;
        int64_t integer;

        expect_read(*state, texts[i], &r);
        if (json_integer(json_root(&r.document), INT64_MIN, INT64_MAX, &integer))
            fail_msg("%s is an integer", texts[i]);
        json_free(&r.document);
    }
}

static void a_range_includes_its_ends(void **state)
{
    reading r;
    int64_t integer;

    expect_read(*state, "-5", &r);
    assert_true(json_integer(json_root(&r.document), -5, 0, &integer));
    assert_true(json_integer(json_root(&r.document), -9, -5, &integer));
    assert_false(json_integer(json_root(&r.document), -4, 0, &integer));
    assert_false(json_integer(json_root(&r.document), -9, -6, &integer));
    json_free(&r.document);
}

/* Errors */

static void what_is_no_value_is_refused(void **state)
{
    static const bad_text texts[] = {
        {"", 1, 1, "the text ends too early"},
        {" \n ", 2, 2, "the text ends too early"},
        {"nul", 1, 4, "the text ends too early"},
        {"nulL", 1, 4, "true, false or null is wanted"},
        {"True", 1, 1, "a value is wanted"},
        {"'a'", 1, 1, "a value is wanted"},
        {"NaN", 1, 1, "a value is wanted"},
        {"\357\273\277{}", 1, 1, "a value is wanted"},
        {"// no\n1", 1, 1, "a value is wanted"},
        {"1 2", 1, 3, "something follows the value"},
        {"{}\n\n ]", 3, 2, "something follows the value"},
    };

    EXPECT_ERRORS(*state, texts);
}

static void numbers_have_their_form(void **state)
{
    static const bad_text texts[] = {
        {"-", 1, 2, "the text ends too early"},    {"[-]", 1, 3, "a digit is wanted"},
        {"[1.]", 1, 4, "a digit is wanted"},       {"[1e]", 1, 4, "a digit is wanted"},
        {"[1e+]", 1, 5, "a digit is wanted"},      {"[.5]", 1, 2, "a value is wanted"},
        {"[+1]", 1, 2, "a value is wanted"},       {"[01]", 1, 3, "a comma or ] is wanted"},
        {"[-01]", 1, 4, "a comma or ] is wanted"}, {"[0x1]", 1, 3, "a comma or ] is wanted"},
    };

    EXPECT_ERRORS(*state, texts);
}

static void commas_stand_between_values_only(void **state)
{
    static const bad_text texts[] = {
        {"[1,]", 1, 4, "a value is wanted"},
        {"[,1]", 1, 2, "a value is wanted"},
        {"[1 1]", 1, 4, "a comma or ] is wanted"},
        {"[1}", 1, 3, "a comma or ] is wanted"},
        {"{\"a\":1,}", 1, 8, "a member's name in quotes is wanted"},
        {"{,}", 1, 2, "a member's name in quotes is wanted"},
        {"{a:1}", 1, 2, "a member's name in quotes is wanted"},
        {"{1:1}", 1, 2, "a member's name in quotes is wanted"},
        {"{\"a\" 1}", 1, 6, "a colon is wanted"},
        {"{\"a\":}", 1, 6, "a value is wanted"},
        {"{\"a\":1 \"b\":2}", 1, 8, "a comma or } is wanted"},
        {"{\"a\":1]", 1, 7, "a comma or } is wanted"},
    };

    EXPECT_ERRORS(*state, texts);
}

static void strings_have_their_form(void **state)
{
    static const bad_text texts[] = {
        {"\"a", 1, 3, "the text ends too early"},
        {"\"\\", 1, 3, "the text ends too early"},
        {"\"a\nb\"", 1, 3, "a control character in a string is to be escaped"},
        {"\"\t\"", 1, 2, "a control character in a string is to be escaped"},
        {"\"\\x41\"", 1, 2, "no such escape"},
        {"\"\\'\"", 1, 2, "no such escape"},
        {"\"\\u12g4\"", 1, 6, "four hexadecimal digits are wanted"},
        {"\"\\u123\"", 1, 7, "four hexadecimal digits are wanted"},
        {"\"\\u12", 1, 6, "the text ends too early"},
    };

    EXPECT_ERRORS(*state, texts);
    expect_error(copy_of(*state, "\"a\0\"", 4), 1, 3,
                 "a control character in a string is to be escaped");
}

static void surrogates_come_in_pairs(void **state)
{
    static const bad_text texts[] = {
        {"\"ab\\ud83c\"", 1, 4, "a surrogate without its other half"},
        {"\"\\ud83cx\"", 1, 2, "a surrogate without its other half"},
        {"\"\\ud83c\\n\"", 1, 2, "a surrogate without its other half"},
        {"\"\\ud83c\\u0041\"", 1, 2, "a surrogate without its other half"},
        {"\"\\ud83c\\ud83c\"", 1, 2, "a surrogate without its other half"},
        {"\"\\udff9\\ud83c\"", 1, 2, "a surrogate without its other half"},
        {"\"\\ud83c", 1, 8, "the text ends too early"},
        {"\"\\ud83c\\u", 1, 10, "the text ends too early"},
    };

    EXPECT_ERRORS(*state, texts);
}

static void text_that_is_not_utf_8_is_refused(void **state)
{
    static const bad_text texts[] = {
        {"\"a\200\"", 1, 3, "not UTF-8"},
        {"\"\303\"", 1, 2, "not UTF-8"},
        {"\"\300\200\"", 1, 2, "not UTF-8"},
        {"\"\355\240\200\"", 1, 2, "not UTF-8"},
        {"\"\364\220\200\200\"", 1, 2, "not UTF-8"},
        {"[\303\251]", 1, 2, "a value is wanted"},
    };

    EXPECT_ERRORS(*state, texts);
}

static void columns_are_characters(void **state)
{
    static const bad_text texts[] = {
        {"[\"\303\251\342\202\254\", x]", 1, 8, "a value is wanted"},
        {"[\"\360\237\217\271\",\r\n \"\303\251\" x]", 2, 6, "a comma or ] is wanted"},
    };

    EXPECT_ERRORS(*state, texts);
}

static void a_second_member_of_a_name_is_refused(void **state)
{
    static const bad_text texts[] = {
        {"{\"a\":1,\n\"a\":1}", 2, 1, "a second member \"a\""},
        {"{\"a\":1,\"b\":2,\"\\u0061\":3}", 1, 14, "a second member \"a\""},
        {"[{\"\":1,\"\":1}]", 1, 8, "a second member \"\""},
    };
    reading r;

    EXPECT_ERRORS(*state, texts);
    expect_read(*state, "{\"a\":{\"a\":1},\"b\":{\"a\":1},\"A\":1}", &r);
    json_free(&r.document);
}

/* `count` brackets of each kind. */
static block brackets(maker *m, size_t count)
{
    uint8_t text[1000];

    memset(text, '[', count);
    memset(text + count, ']', count);
    return copy_of(m, text, 2 * count);
}

static void depth_is_bounded(void **state)
{
    reading r = read_block(brackets(*state, JSON_MOST_DEPTH), skip_nothing);

    assert_true(r.is_read);
    json_free(&r.document);
    expect_error(brackets(*state, JSON_MOST_DEPTH + 1), 1, JSON_MOST_DEPTH + 1,
                 "too many arrays and objects in one another");
}

/* An object of `count` members, each a number. */
static block object_of(maker *m, int count)
{
    paper p = {0};
    char member[32];
    block b;

    assert_true(write_on(&p, "{", 1));
    for (int i = 0; i < count; i++) {
        int size = snprintf(member, sizeof member, "%s\"m%d\":%d", i != 0 ? "," : "", i, i);
        assert_true(write_on(&p, member, (size_t)size));
    }
    assert_true(write_on(&p, "}", 1));
    b = copy_of(m, p.text, p.size);
    tear_up(&p);
    return b;
}

static void members_are_bounded(void **state)
{
    reading r = read_block(object_of(*state, JSON_MOST_MEMBERS), skip_nothing);

    assert_true(r.is_read);
    json_free(&r.document);
    r = read_block(object_of(*state, JSON_MOST_MEMBERS + 1), skip_nothing);
    assert_false(r.is_read);
    assert_string_equal(r.error.sentence, "too many members in an object");
    json_free(&r.document);
}

static void what_is_skipped_is_not_kept(void **state)
{
    static const char *const skipped[] = {"b", "c", NULL};
    block text = text_block(*state, "{\"a\":{\"b\":[1,2]},\"b\":[[1,[2]],{\"x\":{\"y\":[\"s\"]}}],"
                                    "\"c\":\"long\",\"d\":\"kept\"}");
    reading r = read_block(text, skipped);
    const struct json_value *member;

    assert_true(r.is_read);
    /* the root, its four members, `b` of `a` and its two numbers */
    assert_int_equal(r.document.count, 8);
    member = json_first(&r.document, json_root(&r.document));
    assert_non_null(json_first(&r.document, json_first(&r.document, member)));
    member = json_next(&r.document, member);
    assert_int_equal(member->kind, JSON_ARRAY);
    assert_null(json_first(&r.document, member));
    member = json_next(&r.document, json_next(&r.document, member));
    assert_true(json_is(member->key, "d") && json_is(member->text, "kept"));
    json_free(&r.document);
}

static void what_is_skipped_is_checked(void **state)
{
    static const char *const skipped[] = {"b", NULL};
    static const char *const texts[] = {"{\"b\":[1,]}", "{\"b\":{\"x\":1,\"x\":2}}",
                                        "{\"b\":[{\"x\":[\"\\q\"]}]}", "{\"b\":1,\"b\":2}"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        reading r = read_block(text_block(*state, texts[i]), skipped);

        if (r.is_read) fail_msg("%s is read", texts[i]);
        json_free(&r.document);
    }
}

static void long_names_are_cut_in_messages(void **state)
{
    char text[400], wanted[200];

    snprintf(text, sizeof text, "{\"%0150d\":1,\"%0150d\":1}", 0, 0);
    snprintf(wanted, sizeof wanted, "a second member \"%060d\"...", 0);
    expect_error(text_block(*state, text), 1, 157, wanted);
}

/* Schemas */

/* A schema that was made, or why it was not. */
typedef struct making {
    fletch_builder builder;
    const void *bytes;
    size_t size;
    bool is_made;
    struct json_error error;
    size_t line, column;
} making;

static void make(block text, making *made)
{
    const fletch_allocator heap = fletch_heap();
    reading r = read_block(text, json_schema_skipped);

    fletch_builder_init_growing(&made->builder, &heap);
    made->error = r.error;
    made->is_made = r.is_read && json_build_schema(&r.document, &made->builder, &made->error);
    json_free(&r.document);
    if (made->is_made)
        assert_int_equal(fletch_finish(&made->builder, FLETCH_SCHEMA, &made->bytes, &made->size,
                                       NULL),
                         FLETCH_OK);
    else
        json_place((const char *)text.bytes, text.size, made->error.at, &made->line, &made->column);
}

/* The JSON of what was made, to be freed; it must be sound. */
static char *json_of(maker *m, const making *made)
{
    block b = copy_of(m, made->bytes, made->size);
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    paper p = {0};

    assert_int_equal(fletch_print_json(&schema, NULL, write_on, &p, NULL), FLETCH_OK);
    return p.text;
}

/* Demands that JSON makes the schema whose canonical JSON is `wanted`. */
static void expect_schema(maker *m, const char *text, const char *wanted)
{
    making made;
    char *got;

    make(text_block(m, text), &made);
    if (!made.is_made)
        fail_msg("%s: line %zu, column %zu: %s", text, made.line, made.column, made.error.sentence);
    got = json_of(m, &made);
    if (strcmp(got, wanted) != 0) fail_msg("%s: %s instead of %s", text, got, wanted);
    free(got);
    fletch_builder_release(&made.builder);
}

/* Likewise of a type, with the JSON of children; `wanted` NULL: the same. */
static void expect_type(maker *m, const char *type, const char *children, const char *wanted)
{
    static const char form[] = "{\"schema\":{\"fields\":[{\"name\":\"f\",\"nullable\":true,"
                               "\"type\":%s,\"children\":[%s]}]}}";
    char text[2000], line[2000];

    snprintf(text, sizeof text, form, type, children);
    snprintf(line, sizeof line, form, wanted != NULL ? wanted : type, children);
    expect_schema(m, text, line);
}

#define INT8       "{\"name\":\"int\",\"bitWidth\":8,\"isSigned\":true}"
#define INT32      "{\"name\":\"int\",\"bitWidth\":32,\"isSigned\":true}"
#define LEAF(name) "{\"name\":\"" name "\",\"nullable\":false,\"type\":" INT32 ",\"children\":[]}"

static void every_type_is_made(void **state)
{
    static const char *const leaves[] = {"null",     "bool",   "utf8",        "largeutf8",
                                         "utf8view", "binary", "largebinary", "binaryview"};
    static const char *const lists[] = {"list", "largelist", "listview", "largelistview"};
    char type[100];

    for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
        snprintf(type, sizeof type, "{\"name\":\"%s\"}", leaves[i]);
        expect_type(*state, type, "", NULL);
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        snprintf(type, sizeof type, "{\"name\":\"%s\"}", lists[i]);
        expect_type(*state, type, LEAF("item"), NULL);
    }
    expect_type(*state, "{\"name\":\"fixedsizebinary\",\"byteWidth\":16}", "", NULL);
    expect_type(*state, "{\"name\":\"fixedsizelist\",\"listSize\":3}", LEAF("item"), NULL);
    expect_type(*state, "{\"name\":\"struct\"}", "", NULL);
    expect_type(*state, "{\"name\":\"struct\"}", LEAF("a") "," LEAF("b"), NULL);
    expect_type(*state, "{\"name\":\"runendencoded\"}", LEAF("run_ends") "," LEAF("values"), NULL);
    expect_type(*state, "{\"name\":\"union\",\"mode\":\"SPARSE\",\"typeIds\":[]}", "", NULL);
    expect_type(*state, "{\"name\":\"union\",\"mode\":\"DENSE\",\"typeIds\":[5,127]}",
                LEAF("a") "," LEAF("b"), NULL);
    expect_type(*state, "{\"name\":\"map\",\"keysSorted\":true}",
                "{\"name\":\"entries\",\"nullable\":false,\"type\":{\"name\":\"struct\"},"
                "\"children\":[" LEAF("key") "," LEAF("value") "]}",
                NULL);
}

static void every_parameter_is_kept(void **state)
{
    static const char *const types[] = {
        "{\"name\":\"int\",\"bitWidth\":64,\"isSigned\":false}",
        "{\"name\":\"floatingpoint\",\"precision\":\"HALF\"}",
        "{\"name\":\"floatingpoint\",\"precision\":\"SINGLE\"}",
        "{\"name\":\"floatingpoint\",\"precision\":\"DOUBLE\"}",
        "{\"name\":\"date\",\"unit\":\"DAY\"}",
        "{\"name\":\"date\",\"unit\":\"MILLISECOND\"}",
        "{\"name\":\"time\",\"unit\":\"SECOND\",\"bitWidth\":32}",
        "{\"name\":\"time\",\"unit\":\"MILLISECOND\",\"bitWidth\":32}",
        "{\"name\":\"time\",\"unit\":\"MICROSECOND\",\"bitWidth\":64}",
        "{\"name\":\"time\",\"unit\":\"NANOSECOND\",\"bitWidth\":64}",
        "{\"name\":\"timestamp\",\"unit\":\"SECOND\"}",
        "{\"name\":\"timestamp\",\"unit\":\"NANOSECOND\",\"timezone\":\"Europe/Z\303\274rich\"}",
        "{\"name\":\"duration\",\"unit\":\"MICROSECOND\"}",
        "{\"name\":\"interval\",\"unit\":\"YEAR_MONTH\"}",
        "{\"name\":\"interval\",\"unit\":\"DAY_TIME\"}",
        "{\"name\":\"interval\",\"unit\":\"MONTH_DAY_NANO\"}",
        "{\"name\":\"decimal\",\"precision\":9,\"scale\":-2147483648,\"bitWidth\":32}",
        "{\"name\":\"decimal\",\"precision\":76,\"scale\":2147483647,\"bitWidth\":256}"};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        expect_type(*state, types[i], "", NULL);
}

static void a_decimal_s_width_may_be_its_name_s(void **state)
{
    static const char *const wanted[] = {
        "{\"name\":\"decimal\",\"precision\":5,\"scale\":2,\"bitWidth\":32}",
        "{\"name\":\"decimal\",\"precision\":5,\"scale\":2,\"bitWidth\":64}",
        "{\"name\":\"decimal\",\"precision\":5,\"scale\":2,\"bitWidth\":128}",
        "{\"name\":\"decimal\",\"precision\":5,\"scale\":2,\"bitWidth\":256}"};

    for (int i = 0; i < 4; i++) {
        char type[100];

        snprintf(type, sizeof type, "{\"name\":\"decimal%d\",\"precision\":5,\"scale\":2}",
                 32 << i);
        expect_type(*state, type, "", wanted[i]);
        snprintf(type, sizeof type,
                 "{\"bitWidth\":%d,\"name\":\"decimal%d\",\"precision\":5,\"scale\":2}", 32 << i,
                 32 << i);
        expect_type(*state, type, "", wanted[i]);
    }
    expect_type(*state, "{\"name\":\"decimal\",\"precision\":5,\"scale\":2}", "", wanted[2]);
    expect_type(*state, "{\"name\":\"decimal\",\"precision\":5,\"scale\":2,\"bitWidth\":null}", "",
                wanted[2]);
}

static void a_timezone_may_be_empty_or_null(void **state)
{
    expect_type(*state, "{\"name\":\"timestamp\",\"unit\":\"SECOND\",\"timezone\":null}", "",
                "{\"name\":\"timestamp\",\"unit\":\"SECOND\"}");
    expect_type(*state, "{\"name\":\"timestamp\",\"timezone\":\"\",\"unit\":\"SECOND\"}", "",
                "{\"name\":\"timestamp\",\"unit\":\"SECOND\"}");
}

static void a_schema_may_stand_alone(void **state)
{
    expect_schema(*state, "{\"fields\":[]}", "{\"schema\":{\"fields\":[]}}");
    expect_schema(*state, "{\"metadata\":[{\"value\":\"v\",\"key\":\"k\"}],\"fields\":[]}",
                  "{\"schema\":{\"fields\":[],\"metadata\":[{\"key\":\"k\",\"value\":\"v\"}]}}");
    expect_schema(*state, "{\"batches\":[{\"count\":1.5}],\"fields\":[],\"dictionaries\":[]}",
                  "{\"schema\":{\"fields\":[]}}");
}

static void anything_may_stand_beside_a_schema(void **state)
{
    expect_schema(*state,
                  "{\"dictionaries\":[{\"id\":0,\"data\":{}}],\"more\":1,"
                  "\"schema\":{\"fields\":[" LEAF("a") "]},\"batches\":[{\"count\":0}]}",
                  "{\"schema\":{\"fields\":[" LEAF("a") "]}}");
}

static void members_come_in_any_order(void **state)
{
    expect_schema(
        *state,
        "{\"schema\":{\"metadata\":null,\"fields\":[{\"metadata\":[{\"key\":\"k\",\"value\":\"\"}],"
        "\"dictionary\":{\"isOrdered\":true,\"indexType\":{\"isSigned\":true,\"name\":\"int\","
        "\"bitWidth\":8},\"id\":-9223372036854775808},\"children\":[],"
        "\"type\":{\"isSigned\":true,\"bitWidth\":32,\"name\":\"int\"},\"nullable\":false,"
        "\"name\":\"f\"}]}}",
        "{\"schema\":{\"fields\":[{\"name\":\"f\",\"nullable\":false,\"type\":" INT32
        ",\"children\":[],\"dictionary\":{\"id\":-9223372036854775808,\"indexType\":" INT8
        ",\"isOrdered\":true},\"metadata\":[{\"key\":\"k\",\"value\":\"\"}]}]}}");
}

static void what_is_null_or_left_out_is_absent(void **state)
{
    static const char wanted[] =
        "{\"schema\":{\"fields\":[{\"name\":\"\",\"nullable\":true,\"type\":{\"name\":\"utf8\"},"
        "\"children\":[]}]}}";

    expect_schema(*state,
                  "{\"fields\":[{\"name\":null,\"nullable\":true,\"type\":{\"name\":\"utf8\"}}]}",
                  wanted);
    expect_schema(*state,
                  "{\"fields\":[{\"name\":\"\",\"nullable\":true,\"type\":{\"name\":\"utf8\"},"
                  "\"children\":null,\"dictionary\":null,\"metadata\":null}],\"metadata\":null}",
                  wanted);
    expect_schema(*state,
                  "{\"fields\":[{\"name\":\"\",\"nullable\":true,\"type\":{\"name\":\"utf8\"},"
                  "\"children\":[],\"metadata\":[]}],\"metadata\":[]}",
                  wanted);
}

static void names_may_hold_anything(void **state)
{
    static const char line[] =
        "{\"schema\":{\"fields\":[{\"name\":\"a\\u0000\\n\\\"\360\237\217\271\",\"nullable\":true,"
        "\"type\":{\"name\":\"bool\"},\"children\":[]}],\"metadata\":[{\"key\":\"\\u0000\","
        "\"value\":\"\\u0001\"},{\"key\":\"\\u0000\",\"value\":\"again\"}]}}";

    expect_schema(*state, line, line);
}

/* Schemas that are refused */

static void expect_refused_schema(maker *m, const bad_text *bad)
{
    making made;

    make(text_block(m, bad->text), &made);
    fletch_builder_release(&made.builder);
    if (made.is_made) fail_msg("%s is a schema", bad->text);
    if (made.line != bad->line || made.column != bad->column ||
        strcmp(made.error.sentence, bad->sentence) != 0)
        fail_msg("%s: line %zu, column %zu: %s", bad->text, made.line, made.column,
                 made.error.sentence);
    assert_false(made.error.is_memory);
}

/* A field f of a type, which begins at line 2, column 1. */
#define WITH_TYPE(type) "{\"fields\":[{\"name\":\"f\",\"nullable\":true,\"type\":\n" type "}]}"

/* What stands in a field f beside name, nullable and type, from line 2, column 1. */
#define WITH(members)                                                                              \
    "{\"fields\":[{\"name\":\"f\",\"nullable\":true,\"type\":{\"name\":\"bool\"},\n" members "}]}"

#define EXPECT_REFUSED(m, texts)                                                                   \
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts)[0]; i++)                                  \
    expect_refused_schema(m, &texts[i])

static void a_schema_is_an_object_with_fields(void **state)
{
    static const bad_text texts[] = {
        {"[]", 1, 1, "an object is wanted"},
        {"\"fields\"", 1, 1, "an object is wanted"},
        {"{}", 1, 1, "this object lacks \"fields\""},
        {"{\"schema\":[]}", 1, 11, "an object is wanted"},
        {"{\"schema\":null}", 1, 11, "an object is wanted"},
        {"{\"schema\":{}}", 1, 11, "this object lacks \"fields\""},
        {"{\"fields\":null}", 1, 11, "an array is wanted"},
        {"{\"fields\":{}}", 1, 11, "an array is wanted"},
        {"{\"fields\":[],\"metdata\":[]}", 1, 14, "unknown member \"metdata\""},
        {"{\"schema\":{\"fields\":[],\"batches\":[]}}", 1, 24, "unknown member \"batches\""},
        {"{\"fields\":[null]}", 1, 12, "an object is wanted"},
    };

    EXPECT_REFUSED(*state, texts);
}

static void a_field_has_name_nullable_and_type(void **state)
{
    static const bad_text texts[] = {
        {"{\"fields\":[\n {\"nullable\":true,\"type\":{\"name\":\"bool\"}}]}", 2, 2,
         "this object lacks \"name\""},
        {"{\"fields\":[{\"name\":\"a\",\"type\":{\"name\":\"bool\"}}]}", 1, 12,
         "this object lacks \"nullable\""},
        {"{\"fields\":[{\"name\":\"a\",\"nullable\":true}]}", 1, 12, "this object lacks \"type\""},
        {"{\"fields\":[{\"name\":1,\"nullable\":true}]}", 1, 20, "a string is wanted"},
        {"{\"fields\":[{\"name\":\"a\",\"nullable\":null}]}", 1, 35, "true or false is wanted"},
        {"{\"fields\":[{\"name\":\"a\",\"nullable\":0}]}", 1, 35, "true or false is wanted"},
        {WITH_TYPE("null"), 2, 1, "an object is wanted"},
        {WITH_TYPE("\"bool\""), 2, 1, "an object is wanted"},
        {WITH("\"nulable\":true"), 2, 1, "unknown member \"nulable\""},
        {WITH("\"children\":{}"), 2, 12, "an array is wanted"},
        {WITH("\"dictionary\":[]"), 2, 14, "an object is wanted"},
        {WITH("\"metadata\":{\"k\":\"v\"}"), 2, 12, "an array is wanted"},
    };

    EXPECT_REFUSED(*state, texts);
}

static void types_have_their_members(void **state)
{
    static const bad_text texts[] = {
        {WITH_TYPE("{}"), 2, 1, "this object lacks \"name\""},
        {WITH_TYPE("{\"name\":null}"), 2, 9, "a string is wanted"},
        {WITH_TYPE("{\"name\":\"Bool\"}"), 2, 9, "there is no type \"Bool\""},
        {WITH_TYPE("{\"name\":\"int\",\"bitWidth\":8}"), 2, 1, "this object lacks \"isSigned\""},
        {WITH_TYPE("{\"name\":\"int\",\"isSigned\":true}"), 2, 1, "this object lacks \"bitWidth\""},
        {WITH_TYPE("{\"name\":\"bool\",\"bitWidth\":8}"), 2, 16, "unknown member \"bitWidth\""},
        {WITH_TYPE("{\"bitWidth\":8,\"name\":\"bool\"}"), 2, 2, "unknown member \"bitWidth\""},
        {WITH_TYPE("{\"name\":\"int\",\"bitWidth\":\"8\",\"isSigned\":true}"), 2, 26,
         "a whole number from -2147483648 to 2147483647 is wanted"},
        {WITH_TYPE("{\"name\":\"int\",\"bitWidth\":8.0,\"isSigned\":true}"), 2, 26,
         "a whole number from -2147483648 to 2147483647 is wanted"},
        {WITH_TYPE("{\"name\":\"int\",\"bitWidth\":2147483648,\"isSigned\":true}"), 2, 26,
         "a whole number from -2147483648 to 2147483647 is wanted"},
        {WITH_TYPE("{\"name\":\"int\",\"bitWidth\":null,\"isSigned\":true}"), 2, 26,
         "a whole number from -2147483648 to 2147483647 is wanted"},
        {WITH_TYPE("{\"name\":\"floatingpoint\",\"precision\":\"half\"}"), 2, 37,
         "one of these is wanted: HALF SINGLE DOUBLE"},
        {WITH_TYPE("{\"name\":\"date\",\"unit\":0}"), 2, 23,
         "one of these is wanted: DAY MILLISECOND"},
        {WITH_TYPE("{\"name\":\"time\",\"unit\":\"SECOND\"}"), 2, 1,
         "this object lacks \"bitWidth\""},
        {WITH_TYPE("{\"name\":\"timestamp\",\"unit\":\"SECOND\",\"timezone\":0}"), 2, 48,
         "a string is wanted"},
        {WITH_TYPE("{\"name\":\"union\",\"mode\":\"DENSE\"}"), 2, 1,
         "this object lacks \"typeIds\""},
        {WITH_TYPE("{\"name\":\"union\",\"mode\":\"DENSE\",\"typeIds\":0}"), 2, 42,
         "an array is wanted"},
        {WITH_TYPE("{\"name\":\"union\",\"mode\":\"DENSE\",\"typeIds\":[true]}"), 2, 43,
         "a whole number from -2147483648 to 2147483647 is wanted"},
        {WITH_TYPE("{\"name\":\"decimal64\",\"precision\":5,\"scale\":2,\"bitWidth\":128}"), 2, 1,
         "bitWidth is not that of \"decimal64\""},
    };

    EXPECT_REFUSED(*state, texts);
}

static void a_union_has_at_most_128_type_ids(void **state)
{
    static const char begin[] =
        "{\"fields\":[{\"name\":\"u\",\"nullable\":true,\"type\":{\"typeIds\":[\n0";
    static const char end[] = "],\"name\":\"union\",\"mode\":\"DENSE\"}}]}";
    paper p = {0};
    making made;

    assert_true(write_on(&p, begin, sizeof begin - 1));
    for (int i = 0; i < 128; i++)
        assert_true(write_on(&p, ",0", 2));
    assert_true(write_on(&p, end, sizeof end - 1));
    make(copy_of(*state, p.text, p.size), &made);
    assert_false(made.is_made);
    assert_string_equal(made.error.sentence, "a union has at most 128 type ids");
    assert_int_equal(made.line, 2);
    assert_int_equal(made.column, 1 + 2 * 128);
    fletch_builder_release(&made.builder);
    tear_up(&p);
}

static void dictionaries_and_metadata_have_their_members(void **state)
{
    static const bad_text texts[] = {
        {WITH("\"dictionary\":{\"id\":0,\"isOrdered\":false}"), 2, 14,
         "this object lacks \"indexType\""},
        {WITH("\"dictionary\":{\"id\":0,\"indexType\":" INT8 "}"), 2, 14,
         "this object lacks \"isOrdered\""},
        {WITH("\"dictionary\":{\"isOrdered\":false,\"indexType\":" INT8 "}"), 2, 14,
         "this object lacks \"id\""},
        {WITH("\"dictionary\":{\"id\":0,\"indexType\":null,\"isOrdered\":false}"), 2, 34,
         "an object is wanted"},
        {WITH("\"dictionary\":{\"id\":0,\"isOrdered\":false,\"indexType\":{\"name\":\"utf8\","
              "\"bitWidth\":8,\"isSigned\":true}}"),
         2, 52, "the indexType's name is not int"},
        {WITH("\"dictionary\":{\"id\":9223372036854775808}"), 2, 20,
         "a whole number from -9223372036854775808 to 9223372036854775807 is wanted"},
        {WITH("\"metadata\":[[\"k\",\"v\"]]"), 2, 13, "an object is wanted"},
        {WITH("\"metadata\":[{\"key\":\"k\"}]"), 2, 13, "this object lacks \"value\""},
        {WITH("\"metadata\":[{\"value\":\"v\"}]"), 2, 13, "this object lacks \"key\""},
        {WITH("\"metadata\":[{\"key\":\"k\",\"value\":null}]"), 2, 32, "a string is wanted"},
        {WITH("\"metadata\":[{\"key\":\"k\",\"value\":\"v\",\"x\":1}]"), 2, 36,
         "unknown member \"x\""},
    };

    EXPECT_REFUSED(*state, texts);
}

static void what_the_builder_refuses_has_its_path_and_the_field_s_place(void **state)
{
    static const bad_text texts[] = {
        {"{\"fields\":[" LEAF("a") ",\n {\"name\":\"d\",\"nullable\":true,\"type\":"
                                   "{\"name\":\"decimal\",\"precision\":39,\"scale\":0}}]}",
         2, 2, "invalid: the precision is 39, not 1 to 38 (path fields[1].type.precision)"},
        {"{\"fields\":[{\"name\":\"s\",\"nullable\":true,\"type\":{\"name\":\"struct\"},"
         "\"children\":[\n" LEAF("a") ",\n  {\"name\":\"l\",\"nullable\":true,"
                                      "\"type\":{\"name\":\"list\"}}]}]}",
         3, 3, "invalid: the type has 0 children, not 1 (path fields[0].children[1].children)"},
    };

    EXPECT_REFUSED(*state, texts);
}

/* `depth` structs in one another. */
static block deep_text(maker *m, int depth)
{
    static const char opening[] =
        "{\"name\":\"s\",\"nullable\":true,\"type\":{\"name\":\"struct\"},\"children\":[";
    paper p = {0};
    block b;

    assert_true(write_on(&p, "{\"schema\":{\"fields\":[", 21));
    for (int i = 0; i < depth; i++)
        assert_true(write_on(&p, opening, sizeof opening - 1));
    for (int i = 0; i < depth; i++)
        assert_true(write_on(&p, "]}", 2));
    assert_true(write_on(&p, "]}}", 3));
    b = copy_of(m, p.text, p.size);
    tear_up(&p);
    return b;
}

static void fields_nest_as_deep_as_the_library_allows(void **state)
{
    making made;
    char *line;

    make(deep_text(*state, FLETCH_MAX_DEPTH), &made);
    assert_true(made.is_made);
    line = json_of(*state, &made);
    assert_memory_equal(line, deep_text(*state, FLETCH_MAX_DEPTH).bytes, strlen(line));
    free(line);
    fletch_builder_release(&made.builder);

    make(deep_text(*state, FLETCH_MAX_DEPTH + 1), &made);
    assert_false(made.is_made);
    assert_memory_equal(made.error.sentence, "limit: ", 7);
    fletch_builder_release(&made.builder);

    make(deep_text(*state, 1000), &made);
    assert_string_equal(made.error.sentence, "too many arrays and objects in one another");
    fletch_builder_release(&made.builder);
}

/* Samples */

static const char *const samples[] = {
    "{\"schema\":{\"fields\":[{\"name\":\"d\",\"nullable\":true,\"type\":{\"name\":\"utf8\"},"
    "\"children\":[],\"dictionary\":{\"id\":1,\"indexType\":" INT8 ",\"isOrdered\":false},"
    "\"metadata\":[{\"key\":\"\\u00e9\\ud83c\\udff9\",\"value\":\"\303\251\\n\"}]},"
    "{\"name\":\"u\",\"nullable\":false,\"type\":{\"name\":\"union\",\"mode\":\"DENSE\","
    "\"typeIds\":[3,-0]},\"children\":[" LEAF("a") "," LEAF(
        "b") "]}],\"metadata\":null},"
             "\"dictionaries\":[{\"id\":1,\"data\":{\"count\":1.5e-3,\"columns\":[true,[],{}]}}],"
             "\"batches\":[]}",
    " { \"fields\" : [ { \"type\" : { \"scale\" : 2 , \"precision\" : 9 , \"name\" : \"decimal32\" "
    "} ,"
    "\n\"nullable\" : false , \"name\" : null } ] } ",
};

#define SAMPLE_COUNT (sizeof samples / sizeof samples[0])

static bool splits_a_character(const char *text, size_t size)
{
    return ((unsigned char)text[size] & 0xC0) == 0x80;
}

static void a_sample_cut_anywhere_ends_too_early(void **state)
{
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        /* all that follows the last bracket is white space */
        const size_t end = (size_t)(strrchr(samples[i], '}') - samples[i]);
        making made;

        for (size_t size = 0; size <= end; size++) {
            block b = copy_of(*state, samples[i], size);

            make(b, &made);
            fletch_builder_release(&made.builder);
            if (made.is_made) fail_msg("%.*s is a schema", (int)size, samples[i]);
            if (splits_a_character(samples[i], size)) continue;
            assert_string_equal(made.error.sentence, "the text ends too early");
            assert_int_equal(made.error.at, size);
        }
        make(text_block(*state, samples[i]), &made);
        if (!made.is_made) fail_msg("%s: %s", samples[i], made.error.sentence);
        fletch_builder_release(&made.builder);
    }
}

/* Whatever a byte becomes, the text is refused at a place inside, or makes a sound schema. */
static void a_sample_changed_anywhere_is_refused_or_sound(void **state)
{
    static const char bytes[] = "\"\\{}[]:,0-1eE.u\n \t\177\200\377\303nt";
    unsigned made_count = 0;
    (void)state;

    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        for (size_t at = 0; samples[i][at] != '\0'; at++) {
            maker *own = maker_new();

            for (size_t j = 0; j < sizeof bytes; j++) {
                block b = text_block(own, samples[i]);
                making made;

                b.bytes[at] = (uint8_t)bytes[j];
                make(b, &made);
                made_count += made.is_made;
                if (made.is_made)
                    free(json_of(own, &made));
                else
                    assert_true(made.error.at <= b.size && made.error.sentence[0] != '\0');
                fletch_builder_release(&made.builder);
            }
            maker_free(own);
        }
    }
    assert_true(made_count > 0);
}

/* Files */

/* Whether the builder refused what level strict refuses, too. */
static bool is_rightly_refused(const making *made, const char *strict)
{
    return strcmp(strict, "invalid") == 0 && strncmp(made->error.sentence, "invalid: ", 9) == 0;
}

/* A line of JSON becomes the same line again, unless level strict has something against it. */
static unsigned examine_line(maker *m, const char *path, const char *strict)
{
    block line = read_file(m, path);
    making made;
    unsigned wrong = 0;

    if (line.bytes == NULL) return 0; /* not everything has its JSON */
    make(line, &made);
    if (made.is_made) {
        char *again = json_of(m, &made);

        wrong = strlen(again) + 1 != line.size || memcmp(again, line.bytes, line.size - 1) != 0;
        if (wrong) print_error("%s becomes %s\n", path, again);
        free(again);
    } else if (!is_rightly_refused(&made, strict)) {
        print_error("%s: line %zu, column %zu: %s\n", path, made.line, made.column,
                    made.error.sentence);
        wrong = 1;
    }
    fletch_builder_release(&made.builder);
    return wrong;
}

/* All lines of a collection: `column` names the file in the manifest, "%s" stands for it. */
static void examine_lines(const char *manifest, const char *form, const char *column)
{
    maker *m = maker_new();
    table_file table = read_table(m, manifest);
    unsigned wrong = 0;

    if (table.rows == NULL) {
        maker_free(m);
        print_message("there is no %s: skipped\n", manifest);
        skip();
    }
    for (size_t row = 0; row < table.count; row++) {
        maker *own = maker_new();
        char path[1024];

        snprintf(path, sizeof path, form, cell(&table, row, column));
        if (*cell(&table, row, column))
            wrong += examine_line(own, path, cell(&table, row, "strict"));
        maker_free(own);
    }
    free_table(&table);
    maker_free(m);
    if (wrong) fail_msg("%u lines", wrong);
}

static void the_lines_of_data_come_back(void **state)
{
    (void)state;
    examine_lines(FLETCH_DATA_DIR "/MANIFEST.tsv", FLETCH_DATA_DIR "/expected/%s.json", "file");
}

static void the_lines_of_the_corpus_come_back(void **state)
{
    (void)state;
    examine_lines(FLETCH_SHARED_DIR "/corpus/MANIFEST.tsv", FLETCH_SHARED_DIR "/corpus/%s",
                  "expected");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(every_kind_of_value_is_told_apart),
        WITH_MAKER(members_keep_their_order_and_their_places),
        WITH_MAKER(escapes_are_decoded),
        WITH_MAKER(what_is_not_escaped_stays_as_it_is),
        WITH_MAKER(whole_numbers_in_range_are_integers),
        WITH_MAKER(other_numbers_are_no_integers),
        WITH_MAKER(a_range_includes_its_ends),
        WITH_MAKER(what_is_no_value_is_refused),
        WITH_MAKER(numbers_have_their_form),
        WITH_MAKER(commas_stand_between_values_only),
        WITH_MAKER(strings_have_their_form),
        WITH_MAKER(surrogates_come_in_pairs),
        WITH_MAKER(text_that_is_not_utf_8_is_refused),
        WITH_MAKER(columns_are_characters),
        WITH_MAKER(a_second_member_of_a_name_is_refused),
        WITH_MAKER(depth_is_bounded),
        WITH_MAKER(members_are_bounded),
        WITH_MAKER(what_is_skipped_is_not_kept),
        WITH_MAKER(what_is_skipped_is_checked),
        WITH_MAKER(long_names_are_cut_in_messages),
        WITH_MAKER(every_type_is_made),
        WITH_MAKER(every_parameter_is_kept),
        WITH_MAKER(a_decimal_s_width_may_be_its_name_s),
        WITH_MAKER(a_timezone_may_be_empty_or_null),
        WITH_MAKER(a_schema_may_stand_alone),
        WITH_MAKER(anything_may_stand_beside_a_schema),
        WITH_MAKER(members_come_in_any_order),
        WITH_MAKER(what_is_null_or_left_out_is_absent),
        WITH_MAKER(names_may_hold_anything),
        WITH_MAKER(a_schema_is_an_object_with_fields),
        WITH_MAKER(a_field_has_name_nullable_and_type),
        WITH_MAKER(types_have_their_members),
        WITH_MAKER(a_union_has_at_most_128_type_ids),
        WITH_MAKER(dictionaries_and_metadata_have_their_members),
        WITH_MAKER(what_the_builder_refuses_has_its_path_and_the_field_s_place),
        WITH_MAKER(fields_nest_as_deep_as_the_library_allows),
        WITH_MAKER(a_sample_cut_anywhere_ends_too_early),
        WITH_MAKER(a_sample_changed_anywhere_is_refused_or_sound),
        cmocka_unit_test(the_lines_of_data_come_back),
        cmocka_unit_test(the_lines_of_the_corpus_come_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
