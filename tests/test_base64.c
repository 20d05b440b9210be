/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base64: the decoder alone, and schemas that come as its text.
 */
#include "support/check.h"

#include <string.h>

#define OK FLETCH_OK

static block message_of(maker *m)
{
    return finish(m, new_message(m, make_sample(m).schema));
}

/* The decoder */

typedef struct text_row {
    const char *text, *bytes;
    size_t size;
} text_row;

static void decode(const char *text, const char *bytes, size_t size)
{
    uint8_t decoded[64];
    size_t written = 99;
    fletch_error error;
    assert_int_equal(fletch_base64_decode(text, strlen(text), decoded, sizeof decoded, &written,
                                          &error),
                     OK);
    assert_int_equal(written, size);
    assert_memory_equal(decoded, bytes, size);
    assert_int_equal(error.status, OK);
}

static void good_text_is_decoded(void **state)
{
    static const text_row rows[] = {{"", "", 0},
                                    {"Zg==", "f", 1},
                                    {"Zm8=", "fo", 2},
                                    {"Zm9v", "foo", 3},
                                    {"Zm9vYg==", "foob", 4},
                                    {"Zm9vYmE=", "fooba", 5},
                                    {"Zm9vYmFy", "foobar", 6},
                                    {"+/+/", "\xFB\xFF\xBF", 3},
                                    {"AAAA", "\0\0\0", 3},
                                    {"/////w==", "\xFF\xFF\xFF\xFF", 4}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        decode(rows[i].text, rows[i].bytes, rows[i].size);
}

static void padding_may_be_left_out(void **state)
{
    (void)state;
    decode("Zg", "f", 1);
    decode("Zm8", "fo", 2);
    decode("Zm9vYg", "foob", 4);
}

static void white_space_may_stand_anywhere(void **state)
{
    (void)state;
    decode(" \t\r\nZ m\n9\tv\r", "foo", 3);
    decode("Zm8\n=\n", "fo", 2);
    decode("\n", "", 0);
}

typedef struct bad_row {
    const char *text;
    size_t at;
} bad_row;

static void a_character_that_is_none_is_bad(void **state)
{
    static const bad_row rows[] = {{"Zm9v-", 4},    {"_m9v", 0},    {"Zm*v", 2},  {"Zm9v\x80", 4},
                                   {"Zm9v\x7F", 4}, {"Z\x01m9", 1}, {"Zm9v,", 4}, {"Zm9v[", 4},
                                   {"Zm9v`", 4},    {"Zm9v{", 4},   {"Zm9v@", 4}, {"Zm9v:", 4}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t decoded[16];
        size_t written;
        fletch_error error;
        assert_int_equal(fletch_base64_decode(rows[i].text, strlen(rows[i].text), decoded,
                                              sizeof decoded, &written, &error),
                         FLETCH_BAD_BASE64);
        assert_int_equal(error.offset, rows[i].at);
    }
}

static void a_nul_is_no_character(void **state)
{
    uint8_t decoded[16];
    size_t written;
    (void)state;
    assert_int_equal(fletch_base64_decode("Zm9v\0Zm9v", 9, decoded, 16, &written, NULL),
                     FLETCH_BAD_BASE64);
}

static void half_a_byte_is_bad(void **state)
{
    static const char *const texts[] = {"Z", "Zm9vZ", "Zm9vZ===", "Z="};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        uint8_t decoded[16];
        size_t written;
        assert_int_equal(fletch_base64_decode(texts[i], strlen(texts[i]), decoded, 16, &written,
                                              NULL),
                         FLETCH_BAD_BASE64);
    }
}

static void characters_behind_the_padding_are_bad(void **state)
{
    uint8_t decoded[16];
    size_t written;
    fletch_error error;
    (void)state;
    assert_int_equal(fletch_base64_decode("Zg==Zg==", 8, decoded, 16, &written, &error),
                     FLETCH_BAD_BASE64);
    assert_int_equal(error.offset, 4);
}

static void text_is_decoded_in_place(void **state)
{
    char text[] = "Zm9v\nYmFy\nZm9vYg==";
    size_t written;
    (void)state;
    assert_int_equal(fletch_base64_decode(text, strlen(text), text, sizeof text, &written, NULL),
                     OK);
    assert_int_equal(written, 10);
    assert_memory_equal(text, "foobarfoob", 10);
}

static void too_little_space_tells_how_much_will_do(void **state)
{
    maker *m = *state;
    const char *text = "Zm9vYmFy";
    for (size_t space = 0; space < 6; space++) {
        block to = pad(m, (block){NULL, 0}, space);
        size_t written;
        fletch_error error;
        assert_int_equal(fletch_base64_decode(text, 8, to.bytes, space, &written, &error),
                         FLETCH_NO_SPACE);
        assert_in_range(error.wanted, 6, fletch_base64_space(8));
    }
    block to = pad(m, (block){NULL, 0}, 6);
    size_t written;
    assert_int_equal(fletch_base64_decode(text, 8, to.bytes, 6, &written, NULL), OK);
}

static void the_space_that_is_told_is_enough(void **state)
{
    maker *m = *state;
    for (size_t size = 0; size < 100; size++) {
        block text = pad(m, (block){NULL, 0}, size);
        memset(text.bytes, 'A', size);
        block to = pad(m, (block){NULL, 0}, fletch_base64_space(size));
        size_t written;
        fletch_status status =
            fletch_base64_decode((const char *)text.bytes, size, to.bytes, to.size, &written, NULL);
        assert_int_equal(status, size % 4 == 1 ? FLETCH_BAD_BASE64 : OK);
    }
}

/* Schemas */

static fletch_status open_text(maker *m, block text, fletch_kind kind, fletch_schema *schema)
{
    const fletch_options options = {.kind = kind, .level = FLETCH_LEVEL_STRICT};
    fletch_error error;
    return open_lending(m, text, &options, schema, &error);
}

static void check_text(maker *m, block text, fletch_kind kind)
{
    fletch_schema schema;
    assert_int_equal(open_text(m, text, kind, &schema), OK);
    assert_int_equal(schema.wrapper.kind, FLETCH_BASE64);
    assert_true(is_text(field_number(&schema, 0).name, "col"));
}

static void a_framed_message_comes_as_text(void **state)
{
    maker *m = *state;
    block framed = frame(m, message_of(m), false);
    for (int padded = 0; padded < 2; padded++) {
        check_text(m, base64_of(m, framed, padded), FLETCH_BASE64);
        check_text(m, base64_of(m, framed, padded), FLETCH_SNIFF);
    }
}

static void a_legacy_message_comes_as_text(void **state)
{
    maker *m = *state;
    check_text(m, base64_of(m, frame(m, message_of(m), true), true), FLETCH_BASE64);
}

static void a_bare_message_comes_as_text(void **state)
{
    maker *m = *state;
    check_text(m, base64_of(m, message_of(m), true), FLETCH_BASE64);
}

static void an_end_of_stream_may_follow_in_the_text(void **state)
{
    maker *m = *state;
    check_text(m, base64_of(m, stream_of(m, message_of(m)), true), FLETCH_SNIFF);
    block legacy = join(m, frame(m, message_of(m), true), end_of_stream(m, true));
    check_text(m, base64_of(m, legacy, true), FLETCH_BASE64);
}

static void a_length_in_the_text_needs_no_padding(void **state)
{
    maker *m = *state;
    block message = pad(m, message_of(m), 2), prefix = pad(m, (block){NULL, 0}, 8);
    poke32(prefix, 0, 0xFFFFFFFF);
    poke32(prefix, 4, (uint32_t)message.size);
    assert_int_not_equal(message.size % 4, 0);
    check_text(m, base64_of(m, join(m, prefix, message), true), FLETCH_SNIFF);
}

static void the_text_may_be_broken_into_lines(void **state)
{
    maker *m = *state;
    block text = base64_of(m, frame(m, message_of(m), false), true);
    block lines = text_block(m, "");
    for (size_t at = 0; at < text.size; at += 20) {
        size_t size = text.size - at < 20 ? text.size - at : 20;
        lines = join(m, join(m, lines, (block){text.bytes + at, size}), text_block(m, "\r\n"));
    }
    check_text(m, lines, FLETCH_SNIFF);
    check_text(m, join(m, text_block(m, " \n"), lines), FLETCH_BASE64);
}

static void places_count_in_the_decoded_bytes(void **state)
{
    maker *m = *state;
    block framed = frame(m, message_of(m), false);
    fletch_schema schema;
    assert_int_equal(open_text(m, base64_of(m, framed, true), FLETCH_BASE64, &schema), OK);
    assert_int_equal(schema.wrapper.begin, 0);
    assert_int_equal(schema.wrapper.flatbuffer, 8);
    assert_int_equal(schema.wrapper.end, framed.size);
    sample s = make_sample(m);
    block bad = finish(m, new_message(m, s.schema));
    poke32(bad, place_of(s.field, FIELD_NAME), 0);
    block text = base64_of(m, frame(m, bad, false), true);
    fletch_error error;
    const fletch_options options = {.kind = FLETCH_BASE64};
    assert_int_equal(open_lending(m, text, &options, &schema, &error), FLETCH_MALFORMED);
    assert_int_equal(error.offset, 8 + place_of(s.field, FIELD_NAME));
    assert_string_equal(error.path, "message.header.fields[0].name");
}

static void text_needs_scratch_memory(void **state)
{
    maker *m = *state;
    block framed = frame(m, message_of(m), false), text = base64_of(m, framed, true);
    fletch_error error = expect_as(text, FLETCH_BASE64, FLETCH_LEVEL_ARROW, FLETCH_NO_SPACE);
    assert_in_range(error.wanted, framed.size, text.size);
    block scratch = pad(m, (block){NULL, 0}, (size_t)error.wanted);
    fletch_options options = {.kind = FLETCH_BASE64, .scratch = scratch.bytes};
    options.scratch_size = scratch.size;
    expect(text, &options, OK);
    options.scratch_size = 10;
    expect(text, &options, FLETCH_NO_SPACE);
}

static void scratch_may_stand_at_any_address(void **state)
{
    maker *m = *state;
    block text = base64_of(m, frame(m, message_of(m), false), true);
    for (size_t shift = 1; shift < 8; shift++) {
        block scratch = pad(m, (block){NULL, 0}, text.size + shift);
        fletch_options options = {.kind = FLETCH_BASE64, .scratch = scratch.bytes + shift};
        options.scratch_size = text.size;
        expect(text, &options, OK);
    }
}

/* What cannot be opened: three statuses, so that a caller can fall back */

static fletch_status status_of_text(maker *m, block text, fletch_error *error)
{
    fletch_schema schema;
    const fletch_options options = {.kind = FLETCH_BASE64};
    return open_lending(m, text, &options, &schema, error);
}

static void text_that_is_no_base64_says_where(void **state)
{
    maker *m = *state;
    block text = base64_of(m, frame(m, message_of(m), false), true);
    fletch_error error;
    poke8(text, 37, '?');
    assert_int_equal(status_of_text(m, text, &error), FLETCH_BAD_BASE64);
    assert_int_equal(error.offset, 37);
}

static void text_of_something_else_is_not_a_message(void **state)
{
    static const char *const texts[] = {"AAAA", "AA==", "bm8gbWVzc2FnZSBhdCBhbGwh"};
    maker *m = *state;
    fletch_error error;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(status_of_text(m, text_block(m, texts[i]), &error), FLETCH_NOT_A_MESSAGE);
}

static void text_of_a_record_batch_is_not_a_schema(void **state)
{
    maker *m = *state;
    node *message = new_message(m, make_table(m));
    set8(message, MESSAGE_TAG, 3);
    block b = finish(m, message);
    fletch_error error;
    assert_int_equal(status_of_text(m, base64_of(m, frame(m, b, false), true), &error),
                     FLETCH_NOT_A_SCHEMA);
    assert_non_null(strstr(error.sentence, "RecordBatch"));
    assert_int_equal(status_of_text(m, base64_of(m, b, true), &error), FLETCH_NOT_A_SCHEMA);
}

static void text_cut_anywhere_is_refused(void **state)
{
    maker *m = *state;
    block text = base64_of(m, frame(m, message_of(m), false), false);
    fletch_error error;
    for (size_t size = 1; size < text.size; size++)
        assert_int_not_equal(status_of_text(m, cut(m, text, size), &error), OK);
}

static void a_framed_message_cut_short_in_the_text_is_truncated(void **state)
{
    maker *m = *state;
    block framed = frame(m, message_of(m), false);
    fletch_error error;
    block text = base64_of(m, cut(m, framed, framed.size - 3), true);
    assert_int_equal(status_of_text(m, text, &error), FLETCH_TRUNCATED);
}

static void too_small_a_space_is_told_without_an_error_to_fill(void **state)
{
    char to[2];
    size_t written = 7;
    (void)state;
    assert_int_equal(fletch_base64_decode("Zm9v", 4, to, sizeof to, &written, NULL),
                     FLETCH_NO_SPACE);
    assert_int_equal(written, 0);
}

/* A bare message is known by two slots that are set: the header's type and the header. */
static void text_of_a_table_without_a_header_is_not_a_message(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    node *message = new_message(m, s.schema);
    drop(message, MESSAGE_HEADER);
    fletch_error error;
    assert_int_equal(status_of_text(m, base64_of(m, finish(m, message), true), &error),
                     FLETCH_NOT_A_MESSAGE);
}

static void scratch_of_a_size_but_without_a_place_is_none(void **state)
{
    maker *m = *state;
    block text = base64_of(m, frame(m, message_of(m), false), true);
    const fletch_options options = {.kind = FLETCH_BASE64, .scratch_size = text.size};
    fletch_error error = expect(text, &options, FLETCH_NO_SPACE);
    assert_in_range(error.wanted, text.size / 4 * 3, text.size);
}

static void what_stands_behind_the_bytes_is_not_in_the_text(void **state)
{
    static const char *const texts[] = {"AA==", "AAA=", "AAAA"};
    (void)state;
    for (size_t size = 1; size <= 3; size++) {
        uint8_t bytes[] = {0, 0, 0, 0xFF};
        char text[5] = "";
        memset(bytes + size, 0xFF, 4 - size);
        fletch_base64_encode(bytes, size, text);
        assert_string_equal(text, texts[size - 1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_text_is_decoded),
        cmocka_unit_test(padding_may_be_left_out),
        cmocka_unit_test(white_space_may_stand_anywhere),
        cmocka_unit_test(a_character_that_is_none_is_bad),
        cmocka_unit_test(a_nul_is_no_character),
        cmocka_unit_test(half_a_byte_is_bad),
        cmocka_unit_test(characters_behind_the_padding_are_bad),
        cmocka_unit_test(text_is_decoded_in_place),
        WITH_MAKER(what_stands_behind_the_bytes_is_not_in_the_text),
        WITH_MAKER(too_little_space_tells_how_much_will_do),
        WITH_MAKER(the_space_that_is_told_is_enough),
        WITH_MAKER(a_framed_message_comes_as_text),
        WITH_MAKER(a_legacy_message_comes_as_text),
        WITH_MAKER(a_bare_message_comes_as_text),
        WITH_MAKER(an_end_of_stream_may_follow_in_the_text),
        WITH_MAKER(a_length_in_the_text_needs_no_padding),
        WITH_MAKER(the_text_may_be_broken_into_lines),
        WITH_MAKER(places_count_in_the_decoded_bytes),
        WITH_MAKER(text_needs_scratch_memory),
        WITH_MAKER(scratch_may_stand_at_any_address),
        WITH_MAKER(text_that_is_no_base64_says_where),
        WITH_MAKER(text_of_something_else_is_not_a_message),
        WITH_MAKER(text_of_a_record_batch_is_not_a_schema),
        WITH_MAKER(text_cut_anywhere_is_refused),
        WITH_MAKER(a_framed_message_cut_short_in_the_text_is_truncated),
        WITH_MAKER(too_small_a_space_is_told_without_an_error_to_fill),
        WITH_MAKER(text_of_a_table_without_a_header_is_not_a_message),
        WITH_MAKER(scratch_of_a_size_but_without_a_place_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
