/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers: framing, versions, files, what is no container, sniffing, and finding a schema in an
 * input of which only the ends are at hand.
 */
#include "support/check.h"

#include <string.h>

#define OK        FLETCH_OK
#define MALFORMED FLETCH_MALFORMED

/* One column called `name`, in a Message and in a Footer. */
static block message_of(maker *m, const char *name)
{
    return finish(m, new_message(m, schema_with(m, int_field(m, name))));
}

static block footer_of(maker *m, const char *name)
{
    return finish(m, new_footer(m, schema_with(m, int_field(m, name))));
}

static block schema_of(maker *m)
{
    return finish(m, make_sample(m).schema);
}

static block good_file(maker *m)
{
    return file_of(m, message_of(m, "head"), footer_of(m, "foot"));
}

static block word(maker *m, uint32_t value)
{
    block b = pad(m, (block){NULL, 0}, 4);
    poke32(b, 0, value);
    return b;
}

static block after(maker *m, uint32_t first, block rest)
{
    return join(m, word(m, first), rest);
}

static const char *name_of_first(const fletch_schema *schema)
{
    static char name[32];
    fletch_field field = field_number(schema, 0);
    assert_in_range(field.name.size, 0, sizeof name - 1);
    memcpy(name, field.name.data, field.name.size);
    name[field.name.size] = 0;
    return name;
}

/* Framing */

static void check_wrapper(block b, fletch_kind kind, fletch_kind found, uint64_t begin,
                          uint64_t flatbuffer, uint64_t end)
{
    fletch_schema schema = open_as(b, kind, FLETCH_LEVEL_STRICT);
    assert_int_equal(schema.wrapper.kind, found);
    assert_int_equal(schema.wrapper.begin, begin);
    assert_int_equal(schema.wrapper.flatbuffer, flatbuffer);
    assert_int_equal(schema.wrapper.end, end);
    assert_int_equal(schema.origin, flatbuffer);
    assert_int_equal(schema.wrapper.legacy_framing, flatbuffer - begin == 4);
}

static void a_framed_message_says_where_it_is(void **state)
{
    maker *m = *state;
    block framed = frame(m, message_of(m, "a"), false);
    check_wrapper(framed, FLETCH_SNIFF, FLETCH_ENCAPSULATED, 0, 8, framed.size);
    check_wrapper(framed, FLETCH_ENCAPSULATED, FLETCH_ENCAPSULATED, 0, 8, framed.size);
    check_wrapper(framed, FLETCH_STREAM, FLETCH_STREAM, 0, 8, framed.size);
}

static void a_legacy_message_says_where_it_is(void **state)
{
    maker *m = *state;
    block framed = frame(m, message_of(m, "a"), true);
    check_wrapper(framed, FLETCH_SNIFF, FLETCH_ENCAPSULATED, 0, 4, framed.size);
    check_wrapper(framed, FLETCH_ENCAPSULATED, FLETCH_ENCAPSULATED, 0, 4, framed.size);
    check_wrapper(framed, FLETCH_STREAM, FLETCH_STREAM, 0, 4, framed.size);
}

static void a_stream_says_where_its_schema_ends(void **state)
{
    maker *m = *state;
    for (int legacy = 0; legacy < 2; legacy++) {
        block framed = frame(m, message_of(m, "a"), legacy);
        block stream = join(m, framed, frame(m, message_of(m, "b"), legacy));
        uint64_t flatbuffer = legacy ? 4 : 8;
        check_wrapper(stream, FLETCH_SNIFF, FLETCH_STREAM, 0, flatbuffer, framed.size);
        check_wrapper(stream, FLETCH_STREAM, FLETCH_STREAM, 0, flatbuffer, framed.size);
    }
}

static void a_bare_flatbuffer_says_where_it_is(void **state)
{
    maker *m = *state;
    block message = message_of(m, "a"), footer = footer_of(m, "a"), schema = schema_of(m);
    check_wrapper(message, FLETCH_SNIFF, FLETCH_MESSAGE, 0, 0, message.size);
    check_wrapper(footer, FLETCH_SNIFF, FLETCH_FOOTER, 0, 0, footer.size);
    check_wrapper(schema, FLETCH_SNIFF, FLETCH_SCHEMA, 0, 0, schema.size);
}

static void a_file_says_where_its_footer_is(void **state)
{
    maker *m = *state;
    block file = good_file(m);
    size_t begin = file.size - 10 - footer_of(m, "foot").size;
    check_wrapper(file, FLETCH_SNIFF, FLETCH_FILE, begin, begin, file.size - 10);
    check_wrapper(file, FLETCH_FILE, FLETCH_FILE, begin, begin, file.size - 10);
}

static void a_stream_may_end_in_three_ways(void **state)
{
    maker *m = *state;
    for (int legacy = 0; legacy < 2; legacy++) {
        block framed = frame(m, message_of(m, "a"), legacy);
        expect_everywhere(framed, FLETCH_STREAM, OK);
        expect_everywhere(join(m, framed, end_of_stream(m, true)), FLETCH_STREAM, OK);
        expect_everywhere(join(m, framed, end_of_stream(m, false)), FLETCH_STREAM, OK);
    }
}

static void what_follows_the_schema_is_not_looked_at(void **state)
{
    maker *m = *state;
    block framed = frame(m, message_of(m, "a"), false);
    expect_everywhere(join(m, framed, text_block(m, "anything at all")), FLETCH_STREAM, OK);
    expect_everywhere(join(m, framed, text_block(m, "x")), FLETCH_SNIFF, OK);
}

static void a_stream_that_ends_at_once_has_no_schema(void **state)
{
    maker *m = *state;
    expect_everywhere(end_of_stream(m, false), FLETCH_STREAM, FLETCH_MISSING);
    expect_everywhere(end_of_stream(m, true), FLETCH_STREAM, FLETCH_MISSING);
    expect_everywhere(end_of_stream(m, false), FLETCH_SNIFF, FLETCH_MISSING);
    expect_everywhere(pad(m, end_of_stream(m, false), 64), FLETCH_STREAM, FLETCH_MISSING);
}

static void a_negative_length_is_malformed(void **state)
{
    static const uint32_t lengths[] = {0xFFFFFFFF, 0xFFFFFFFE, 0x80000000, 0xC0000000};
    maker *m = *state;
    block message = message_of(m, "a");
    for (size_t i = 0; i < 4; i++) {
        block b = after(m, 0xFFFFFFFF, after(m, lengths[i], message));
        expect_everywhere(b, FLETCH_STREAM, MALFORMED);
        expect_everywhere(b, FLETCH_SNIFF, MALFORMED);
        expect_at(b, FLETCH_STREAM, FLETCH_LEVEL_ARROW, MALFORMED, 4, "");
        if (i == 0) continue;
        expect_at(after(m, lengths[i], message), FLETCH_STREAM, FLETCH_LEVEL_ARROW, MALFORMED, 0,
                  "");
    }
}

static void a_length_past_the_end_wants_more_bytes(void **state)
{
    maker *m = *state;
    block message = message_of(m, "a");
    const uint32_t lengths[] = {(uint32_t)message.size + 1, 0x10000, 0x7FFFFFF8, 0x7FFFFFFF};
    for (size_t i = 0; i < 4; i++) {
        block b = after(m, 0xFFFFFFFF, after(m, lengths[i], message));
        fletch_error error = expect_as(b, FLETCH_STREAM, FLETCH_LEVEL_ARROW, FLETCH_TRUNCATED);
        assert_int_equal(error.wanted, 8 + (uint64_t)lengths[i]);
        expect_everywhere(b, FLETCH_SNIFF, FLETCH_TRUNCATED);
        b = after(m, lengths[i], message);
        error = expect_as(b, FLETCH_STREAM, FLETCH_LEVEL_ARROW, FLETCH_TRUNCATED);
        assert_int_equal(error.wanted, 4 + (uint64_t)lengths[i]);
    }
}

static void a_stream_cut_anywhere_in_its_schema_is_truncated(void **state)
{
    maker *m = *state;
    for (int legacy = 0; legacy < 2; legacy++) {
        block framed = frame(m, message_of(m, "a"), legacy);
        for (size_t size = 1; size < framed.size; size++) {
            block b = cut(m, framed, size);
            fletch_error error = expect_as(b, FLETCH_STREAM, FLETCH_LEVEL_ARROW, FLETCH_TRUNCATED);
            assert_in_range(error.wanted, size + 1, framed.size);
        }
    }
}

static void a_body_that_is_not_there_does_not_count(void **state)
{
    maker *m = *state;
    node *message = new_message(m, make_sample(m).schema);
    set64(message, MESSAGE_BODY, 1LL << 40);
    block b = frame(m, finish(m, message), false);
    expect_levels(b, FLETCH_STREAM, OK, OK, FLETCH_INVALID);
}

static void a_length_may_be_larger_than_the_flatbuffer(void **state)
{
    maker *m = *state;
    block message = message_of(m, "a");
    for (size_t extra = 0; extra < 70; extra += 3) {
        block b = frame(m, pad(m, message, extra), extra % 2);
        expect_everywhere(b, FLETCH_STREAM, OK);
        expect_everywhere(b, FLETCH_SNIFF, OK);
    }
}

static void a_length_needs_no_padding(void **state)
{
    maker *m = *state;
    block message = message_of(m, "a");
    block b = after(m, 0xFFFFFFFF, after(m, (uint32_t)message.size, message));
    assert_int_not_equal(b.size % 8, 0);
    expect_everywhere(b, FLETCH_STREAM, OK);
}

static void a_length_shorter_than_the_flatbuffer_is_no_good(void **state)
{
    maker *m = *state;
    block message = message_of(m, "a");
    for (uint32_t size = 4; size < message.size; size++)
        expect_everywhere(after(m, 0xFFFFFFFF, after(m, size, message)), FLETCH_STREAM, MALFORMED);
    for (uint32_t size = 1; size < 4; size++)
        expect_refused(after(m, 0xFFFFFFFF, after(m, size, message)), FLETCH_STREAM);
}

/* Messages and footers */

enum { NOT_STORED = -99 };

typedef struct version_row {
    int version;
    fletch_status message, footer;
} version_row;

static const version_row versions[] = {{NOT_STORED, FLETCH_UNSUPPORTED, FLETCH_OK},
                                       {0, FLETCH_UNSUPPORTED, FLETCH_OK},
                                       {1, FLETCH_UNSUPPORTED, FLETCH_UNSUPPORTED},
                                       {2, FLETCH_UNSUPPORTED, FLETCH_UNSUPPORTED},
                                       {3, FLETCH_OK, FLETCH_OK},
                                       {4, FLETCH_OK, FLETCH_OK},
                                       {5, FLETCH_UNSUPPORTED, FLETCH_UNSUPPORTED},
                                       {6, FLETCH_UNSUPPORTED, FLETCH_UNSUPPORTED},
                                       {-1, FLETCH_UNSUPPORTED, FLETCH_UNSUPPORTED},
                                       {32767, FLETCH_UNSUPPORTED, FLETCH_UNSUPPORTED},
                                       {259, FLETCH_UNSUPPORTED, FLETCH_UNSUPPORTED}};

static void check_version(maker *m, node *root, fletch_kind kind, int version, fletch_status status,
                          const char *path)
{
    if (version != NOT_STORED) set16(root, 0, version);
    if (version == NOT_STORED) drop(root, 0);
    block b = finish(m, root);
    fletch_schema schema;
    expect_everywhere(b, kind, status);
    fletch_open_with(b.bytes, b.size, &(fletch_options){.kind = kind}, &schema, NULL);
    assert_int_equal(schema.wrapper.has_version, version != NOT_STORED);
    assert_int_equal(schema.wrapper.version, version == NOT_STORED ? 0 : version);
    if (status == FLETCH_OK) return;
    size_t at = version == NOT_STORED ? place(root) : place_of(root, 0);
    expect_at(b, kind, FLETCH_LEVEL_STRUCTURE, status, at, path);
}

static void a_message_is_of_version_4_or_5(void **state)
{
    maker *m = *state;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        check_version(m, new_message(m, make_sample(m).schema), FLETCH_MESSAGE, versions[i].version,
                      versions[i].message, "message.version");
}

static void a_footer_may_also_be_of_version_1(void **state)
{
    maker *m = *state;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        check_version(m, new_footer(m, make_sample(m).schema), FLETCH_FOOTER, versions[i].version,
                      versions[i].footer, "footer.version");
}

static void the_version_comes_before_damage(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    node *message = new_message(m, s.schema);
    set16(message, MESSAGE_VERSION, 5);
    block b = finish(m, message);
    poke32(b, place_of(s.field, FIELD_NAME), 0);
    expect_everywhere(b, FLETCH_MESSAGE, FLETCH_UNSUPPORTED);
}

static void damage_comes_before_the_header_type(void **state)
{
    maker *m = *state;
    node *message = new_message(m, make_table(m));
    set8(message, MESSAGE_TAG, 3);
    node *pair = add_pair(m, message, MESSAGE_METADATA, "k", "v");
    block b = finish(m, message);
    expect_everywhere(b, FLETCH_MESSAGE, FLETCH_NOT_A_SCHEMA);
    poke32(b, place_of(pair, PAIR_KEY), 0);
    expect_everywhere(b, FLETCH_MESSAGE, MALFORMED);
}

static void a_message_of_something_else_names_it(void **state)
{
    static const char *const names[] = {"NONE",        "Schema", "DictionaryBatch",
                                        "RecordBatch", "Tensor", "SparseTensor",
                                        "6",           "255"};
    maker *m = *state;
    for (int i = 2; i < 8; i++) {
        node *message = new_message(m, make_table(m));
        set8(message, MESSAGE_TAG, i < 7 ? i : 255);
        block b = finish(m, message);
        expect_everywhere(b, FLETCH_MESSAGE, FLETCH_NOT_A_SCHEMA);
        expect_everywhere(stream_of(m, b), FLETCH_STREAM, FLETCH_NOT_A_SCHEMA);
        fletch_error error = expect_as(b, FLETCH_MESSAGE, FLETCH_LEVEL_ARROW, FLETCH_NOT_A_SCHEMA);
        assert_non_null(strstr(error.sentence, names[i]));
        assert_int_equal(error.offset, place_of(message, MESSAGE_TAG));
    }
}

static void a_message_of_nothing_is_not_a_schema(void **state)
{
    maker *m = *state;
    node *message = new_message(m, make_table(m));
    drop(message, MESSAGE_HEADER);
    drop(message, MESSAGE_TAG);
    expect_everywhere(finish(m, message), FLETCH_MESSAGE, FLETCH_NOT_A_SCHEMA);
    set8(message, MESSAGE_TAG, 0);
    expect_everywhere(finish(m, message), FLETCH_MESSAGE, FLETCH_NOT_A_SCHEMA);
}

static void a_header_type_without_a_header_is_malformed(void **state)
{
    maker *m = *state;
    node *message = new_message(m, make_sample(m).schema);
    drop(message, MESSAGE_HEADER);
    for (int tag = 1; tag < 7; tag++) {
        set8(message, MESSAGE_TAG, tag);
        block b = finish(m, message);
        expect_everywhere(b, FLETCH_MESSAGE, MALFORMED);
        expect_at(b, FLETCH_MESSAGE, FLETCH_LEVEL_ARROW, MALFORMED, place(message),
                  "message.header");
    }
}

static void a_header_without_its_type_is_malformed(void **state)
{
    maker *m = *state;
    node *message = new_message(m, make_sample(m).schema);
    drop(message, MESSAGE_TAG);
    expect_everywhere(finish(m, message), FLETCH_MESSAGE, MALFORMED);
    set8(message, MESSAGE_TAG, 0);
    expect_everywhere(finish(m, message), FLETCH_MESSAGE, MALFORMED);
}

static void a_negative_body_length_is_malformed(void **state)
{
    static const int64_t lengths[] = {-1, -8, INT64_MIN};
    maker *m = *state;
    node *message = new_message(m, make_sample(m).schema);
    for (size_t i = 0; i < 3; i++) {
        set64(message, MESSAGE_BODY, lengths[i]);
        block b = finish(m, message);
        expect_everywhere(b, FLETCH_MESSAGE, MALFORMED);
        expect_at(b, FLETCH_MESSAGE, FLETCH_LEVEL_ARROW, MALFORMED, place_of(message, MESSAGE_BODY),
                  "message.bodyLength");
    }
}

static void a_body_length_above_zero_is_invalid_at_strict(void **state)
{
    static const int64_t lengths[] = {1, 8, 1LL << 50, INT64_MAX};
    maker *m = *state;
    node *message = new_message(m, make_sample(m).schema);
    for (size_t i = 0; i < 4; i++) {
        set64(message, MESSAGE_BODY, lengths[i]);
        block b = finish(m, message);
        expect_levels(b, FLETCH_MESSAGE, OK, OK, FLETCH_INVALID);
        expect_at(b, FLETCH_MESSAGE, FLETCH_LEVEL_STRICT, FLETCH_INVALID,
                  place_of(message, MESSAGE_BODY), "message.bodyLength");
        fletch_schema schema = open_as(b, FLETCH_MESSAGE, FLETCH_LEVEL_ARROW);
        assert_true(schema.wrapper.body_length == lengths[i]);
    }
}

static void a_footer_without_a_schema_is_missing(void **state)
{
    maker *m = *state;
    node *footer = new_footer(m, make_table(m));
    drop(footer, FOOTER_SCHEMA);
    block b = finish(m, footer);
    expect_everywhere(b, FLETCH_FOOTER, FLETCH_MISSING);
    expect_at(b, FLETCH_FOOTER, FLETCH_LEVEL_ARROW, FLETCH_MISSING, place(footer), "footer.schema");
}

static void paths_start_at_the_wrapper(void **state)
{
    maker *m = *state;
    node *schema = schema_with(m, new_field(m, "a", FLETCH_TYPE_INT, int_type(m, 7, true)));
    expect_under(finish(m, new_message(m, schema)), FLETCH_MESSAGE, FLETCH_LEVEL_ARROW,
                 FLETCH_INVALID, "message.header.fields[0].type.bitWidth");
    expect_under(finish(m, new_footer(m, schema)), FLETCH_FOOTER, FLETCH_LEVEL_ARROW,
                 FLETCH_INVALID, "footer.schema.fields[0].type.bitWidth");
    expect_under(finish(m, schema), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, FLETCH_INVALID,
                 "fields[0].type.bitWidth");
}

/* Files */

static void a_files_schema_is_its_footers(void **state)
{
    maker *m = *state;
    fletch_schema schema = open_as(good_file(m), FLETCH_SNIFF, FLETCH_LEVEL_STRICT);
    assert_string_equal(name_of_first(&schema), "foot");
}

static fletch_status open_copy(block b, fletch_schema *schema)
{
    const fletch_options options = {.kind = FLETCH_FILE, .stream_copy = true};
    return fletch_open_with(b.bytes, b.size, &options, schema, NULL);
}

static void a_files_stream_copy_is_opened_on_request(void **state)
{
    maker *m = *state;
    block file = good_file(m);
    fletch_schema schema;
    assert_int_equal(open_copy(file, &schema), OK);
    assert_string_equal(name_of_first(&schema), "head");
    assert_int_equal(schema.wrapper.begin, 8);
    assert_int_equal(schema.wrapper.flatbuffer, 16);
    assert_int_equal(schema.wrapper.kind, FLETCH_FILE);
    assert_int_equal(schema.wrapper.end, 8 + frame(m, message_of(m, "head"), false).size);
}

static void zero_words_may_stand_before_a_files_first_message(void **state)
{
    maker *m = *state;
    for (size_t zeros = 0; zeros <= 56; zeros += 4) {
        block head = pad(m, text_block(m, "ARROW1"), 2 + zeros);
        block file = join(m, join(m, head, stream_of(m, message_of(m, "head"))),
                          file_tail(m, footer_of(m, "foot")));
        fletch_schema schema;
        expect_everywhere(file, FLETCH_FILE, OK);
        assert_int_equal(open_copy(file, &schema), OK);
        assert_string_equal(name_of_first(&schema), "head");
        assert_int_equal(schema.wrapper.begin, 8 + zeros);
    }
}

static void a_file_of_legacy_messages_is_good(void **state)
{
    maker *m = *state;
    block head = pad(m, text_block(m, "ARROW1"), 2);
    block file = join(m, join(m, head, frame(m, message_of(m, "head"), true)),
                      file_tail(m, footer_of(m, "foot")));
    fletch_schema schema;
    expect_everywhere(file, FLETCH_SNIFF, OK);
    assert_int_equal(open_copy(file, &schema), OK);
    assert_true(schema.wrapper.legacy_framing);
}

static void a_file_without_a_schema_message_has_its_footer(void **state)
{
    maker *m = *state;
    block head = pad(m, text_block(m, "ARROW1"), 2);
    node *batch = new_message(m, make_table(m));
    set8(batch, MESSAGE_TAG, 3);
    block file = join(m, join(m, head, frame(m, finish(m, batch), false)),
                      file_tail(m, footer_of(m, "foot")));
    fletch_schema schema;
    expect_everywhere(file, FLETCH_FILE, OK);
    assert_int_equal(open_copy(file, &schema), FLETCH_NOT_A_SCHEMA);
}

static void a_footer_may_stand_anywhere_and_be_of_any_length(void **state)
{
    maker *m = *state;
    for (size_t shift = 0; shift < 8; shift++) {
        block head = pad(m, text_block(m, "ARROW1"), 2 + shift);
        block footer = pad(m, footer_of(m, "foot"), shift);
        expect_everywhere(join(m, head, file_tail(m, footer)), FLETCH_FILE, OK);
    }
}

static void a_file_without_its_trailer_is_truncated_but_has_its_head(void **state)
{
    maker *m = *state;
    block file = good_file(m), start = cut(m, file, file.size - 12);
    fletch_schema schema;
    expect_everywhere(start, FLETCH_FILE, FLETCH_TRUNCATED);
    expect_everywhere(start, FLETCH_SNIFF, FLETCH_TRUNCATED);
    expect_everywhere(copy_of(m, start.bytes + 8, start.size - 8), FLETCH_STREAM, OK);
    assert_int_equal(open_copy(start, &schema), OK);
}

static void a_file_cut_anywhere_is_truncated_or_damaged(void **state)
{
    maker *m = *state;
    block file = good_file(m);
    for (size_t size = 1; size < file.size; size++)
        expect_refused(cut(m, file, size), FLETCH_FILE);
}

static void a_file_of_a_few_bytes_is_truncated(void **state)
{
    maker *m = *state;
    for (size_t size = 6; size < 18; size++)
        expect_everywhere(cut(m, good_file(m), size), FLETCH_FILE, FLETCH_TRUNCATED);
}

static void a_file_must_start_with_its_magic(void **state)
{
    maker *m = *state;
    block file = good_file(m);
    for (size_t i = 0; i < 6; i++) {
        block b = copy_of(m, file.bytes, file.size);
        poke8(b, i, 'x');
        expect_everywhere(b, FLETCH_FILE, MALFORMED);
        expect_at(b, FLETCH_FILE, FLETCH_LEVEL_ARROW, MALFORMED, 0, "");
    }
}

static void a_footer_length_that_does_not_fit_is_malformed(void **state)
{
    maker *m = *state;
    block file = good_file(m);
    const uint32_t lengths[] = {
        0, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFF, (uint32_t)file.size - 17, (uint32_t)file.size};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        poke32(file, file.size - 10, lengths[i]);
        expect_everywhere(file, FLETCH_FILE, MALFORMED);
        expect_at(file, FLETCH_FILE, FLETCH_LEVEL_ARROW, MALFORMED, file.size - 10, "");
    }
}

static void a_file_may_be_nothing_but_its_footer(void **state)
{
    maker *m = *state;
    block head = pad(m, text_block(m, "ARROW1"), 2);
    expect_everywhere(join(m, head, file_tail(m, footer_of(m, "foot"))), FLETCH_SNIFF, OK);
}

/* What is no container */

typedef struct magic_row {
    const char *bytes;
    size_t size;
    const char *name;
} magic_row;

static void other_formats_are_named(void **state)
{
    static const magic_row rows[] = {{"\x04\x22\x4D\x18", 4, "LZ4"},
                                     {"\x28\xB5\x2F\xFD", 4, "Zstandard"},
                                     {"\x1F\x8B\x08", 3, "gzip"},
                                     {"FEA1", 4, "Feather V1"},
                                     {"PARE", 4, "encrypted"}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        block b = pad(m, copy_of(m, rows[i].bytes, rows[i].size), 40);
        fletch_error error = expect_as(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNRECOGNISED);
        if (!strstr(error.sentence, rows[i].name))
            fail_msg("%s is not named: %s", rows[i].name, error.sentence);
    }
}

static void text_is_named(void **state)
{
    maker *m = *state;
    block b = text_block(m, "id,name,when\n1,a,2024-01-01\n");
    fletch_error error = expect_as(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNRECOGNISED);
    assert_non_null(strstr(error.sentence, "text"));
}

static void zeros_and_noise_are_unrecognised(void **state)
{
    maker *m = *state;
    block noise = pad(m, (block){NULL, 0}, 333);
    expect_everywhere(noise, FLETCH_SNIFF, FLETCH_UNRECOGNISED);
    uint32_t random = 1;
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < noise.size; i++) {
            random = random * 1664525 + 1013904223;
            poke8(noise, i, (uint8_t)(random >> 24));
        }
        expect_refused(noise, FLETCH_SNIFF);
    }
}

static void a_few_bytes_of_anything_are_refused(void **state)
{
    maker *m = *state;
    for (unsigned byte = 0; byte < 256; byte++) {
        for (size_t size = 1; size < 12; size++) {
            block b = pad(m, (block){NULL, 0}, size);
            memset(b.bytes, (int)byte, size);
            expect_refused(b, FLETCH_SNIFF);
        }
    }
}

/* Sniffing */

static void damage_in_what_was_recognised_is_malformed(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    node *roots[] = {s.schema, new_message(m, s.schema), new_footer(m, s.schema)};
    for (size_t i = 0; i < 3; i++) {
        block b = finish(m, roots[i]);
        poke32(b, place_of(s.field, FIELD_NAME), 0);
        expect_everywhere(b, FLETCH_SNIFF, MALFORMED);
        if (i == 1) expect_everywhere(stream_of(m, b), FLETCH_SNIFF, MALFORMED);
        if (i == 1) expect_everywhere(frame(m, b, true), FLETCH_SNIFF, MALFORMED);
    }
}

/* Legacy framing whose length, read as a root offset, leads to a table with a good vtable. */
static void legacy_framing_comes_before_a_raw_root(void **state)
{
    maker *m = *state;
    node *message = new_message(m, schema_with(m, int_field(m, "a")));
    block flat = finish(m, message);
    flat = pad(m, flat, (8 - flat.size % 8) % 8 + 4);
    block b = join(m, word(m, (uint32_t)flat.size), flat);
    size_t last = b.size - 4;
    poke32(b, last, (uint32_t)(last - (4 + vtable_of(message))));
    fletch_schema schema = open_as(b, FLETCH_SNIFF, FLETCH_LEVEL_STRICT);
    assert_true(schema.wrapper.legacy_framing);
    assert_string_equal(name_of_first(&schema), "a");
}

static void check_sniffing(block b, fletch_kind kind, uint32_t columns)
{
    fletch_schema schema = open_as(b, FLETCH_SNIFF, FLETCH_LEVEL_STRICT);
    assert_int_equal(schema.wrapper.kind, kind);
    assert_int_equal(fletch_count_fields(&schema.fields), columns);
}

static void schemas_of_any_number_of_columns_are_told_from_footers(void **state)
{
    (void)state;
    for (unsigned count = 0; count < 300; count++) {
        maker *m = maker_new();
        node *root = new_schema(m);
        for (unsigned i = 0; i < count; i++)
            add_field(root, int_field(m, "a"));
        check_sniffing(finish(m, root), FLETCH_SCHEMA, count);
        check_sniffing(finish(m, new_footer(m, root)), FLETCH_FOOTER, count);
        check_sniffing(finish(m, new_message(m, root)), FLETCH_MESSAGE, count);
        maker_free(m);
    }
}

static void a_schema_without_fields_is_still_a_schema(void **state)
{
    maker *m = *state;
    node *root = make_table(m);
    expect_levels(finish(m, root), FLETCH_SNIFF, OK, FLETCH_MISSING, FLETCH_MISSING);
    set16(root, SCHEMA_ENDIANNESS, 1);
    add_pair(m, root, SCHEMA_METADATA, "k", "v");
    expect_levels(finish(m, root), FLETCH_SNIFF, OK, FLETCH_MISSING, FLETCH_MISSING);
}

static void a_kind_that_is_given_is_believed(void **state)
{
    maker *m = *state;
    expect_refused(message_of(m, "a"), FLETCH_FOOTER);
    expect_refused(message_of(m, "a"), FLETCH_STREAM);
    expect_refused(schema_of(m), FLETCH_MESSAGE);
    expect_refused(good_file(m), FLETCH_STREAM);
    expect_refused(stream_of(m, message_of(m, "a")), FLETCH_FILE);
    expect_refused(good_file(m), FLETCH_PARQUET);
}

/* Finding with the ends at hand */

static fletch_status find_whole(block b, fletch_kind kind, bool copy, fletch_found *found)
{
    fletch_input input = {b.bytes, b.size, NULL, 0, b.size};
    return fletch_find(&input, kind, copy, found, NULL);
}

static size_t at_most(uint64_t wanted, size_t size)
{
    return wanted < size ? (size_t)wanted : size;
}

/* Comes back with as much as was asked for, until there is an answer. */
static fletch_status find_by_parts(maker *m, block b, fletch_kind kind, bool copy, size_t head,
                                   size_t tail, fletch_found *found)
{
    for (int round = 0; round < 1000; round++) {
        block first = copy_of(m, b.bytes, head);
        block last = copy_of(m, b.bytes + b.size - tail, tail);
        fletch_input input = {first.bytes, head, tail ? last.bytes : NULL, tail, b.size};
        fletch_status status = fletch_find(&input, kind, copy, found, NULL);
        if (status != FLETCH_TRUNCATED) return status;
        if (found->head_wanted > b.size || found->tail_wanted > b.size) return status;
        if (found->head_wanted <= head && found->tail_wanted <= tail) return status;
        if (found->head_wanted > head) head = at_most(found->head_wanted, b.size);
        if (found->tail_wanted > tail) tail = at_most(found->tail_wanted, b.size);
    }
    fail_msg("no answer after 1000 rounds");
    return FLETCH_MISUSE;
}

static bool same_found(const fletch_found *a, const fletch_found *b)
{
    return a->kind == b->kind && a->range_kind == b->range_kind && a->offset == b->offset &&
           a->size == b->size && a->legacy_framing == b->legacy_framing &&
           a->scratch_size == b->scratch_size;
}

static void print_found(fletch_status status, const fletch_found *found)
{
    print_error("%s, %s, %llu bytes of %s at %llu\n", fletch_status_word(status),
                fletch_kind_word(found->kind), (unsigned long long)found->size,
                fletch_kind_word(found->range_kind), (unsigned long long)found->offset);
}

/* Whether both answers are the same; prints them if not. */
static bool agree(const char *what, size_t given, fletch_status whole, const fletch_found *a,
                  fletch_status part, const fletch_found *b)
{
    if (whole == part && (whole != FLETCH_OK || same_found(a, b))) return true;
    print_error("%s with %zu bytes:\n  instead of ", what, given);
    print_found(whole, a);
    print_error("  ");
    print_found(part, b);
    return false;
}

/* One of each container, each with its own name. */
typedef struct container {
    const char *what;
    fletch_kind kind;
    block bytes;
} container;

enum { CONTAINERS = 16 };

static void make_containers(maker *m, container *list)
{
    block message = message_of(m, "head"), framed = frame(m, message, false);
    block text = base64_of(m, framed, true), file = good_file(m);
    block body = pad(m, (block){NULL, 0}, 3000);
    const container all[CONTAINERS] = {
        {"schema", FLETCH_SCHEMA, schema_of(m)},
        {"message", FLETCH_MESSAGE, message},
        {"footer", FLETCH_FOOTER, footer_of(m, "foot")},
        {"encapsulated", FLETCH_ENCAPSULATED, framed},
        {"legacy encapsulated", FLETCH_ENCAPSULATED, frame(m, message, true)},
        {"stream", FLETCH_STREAM, join(m, stream_of(m, message), body)},
        {"legacy stream", FLETCH_STREAM, join(m, frame(m, message, true), body)},
        {"file", FLETCH_FILE, file},
        {"file with a body", FLETCH_FILE,
         join(m, join(m, cut(m, file, 8), body), file_tail(m, footer_of(m, "foot")))},
        {"parquet", FLETCH_PARQUET, parquet_with(m, text)},
        {"base64", FLETCH_BASE64, text},
        {"cut stream", FLETCH_STREAM, cut(m, framed, framed.size - 9)},
        {"cut file", FLETCH_FILE, cut(m, file, file.size - 9)},
        {"end of stream", FLETCH_STREAM, end_of_stream(m, false)},
        {"text", FLETCH_SNIFF, text_block(m, "name,value\nanything,at all\n")},
        {"zeros", FLETCH_SNIFF, body},
    };
    memcpy(list, all, sizeof all);
}

/* Starts with so much of the head, then with so much of the tail; true: all answers agree. */
static bool agree_by_parts(maker *m, const container *c, fletch_kind kind, bool copy)
{
    size_t most = c->bytes.size < 600 ? c->bytes.size : 600;
    fletch_found whole, part;
    fletch_status status = find_whole(c->bytes, kind, copy, &whole);
    for (size_t size = 0; size <= most; size++) {
        fletch_status got = find_by_parts(m, c->bytes, kind, copy, size, 0, &part);
        if (!agree(c->what, size, status, &whole, got, &part)) return false;
        got = find_by_parts(m, c->bytes, kind, copy, 0, size, &part);
        if (!agree(c->what, size, status, &whole, got, &part)) return false;
    }
    return true;
}

static void finding_by_parts_gives_the_answer_of_the_whole(void **state)
{
    maker *m = *state;
    container list[CONTAINERS];
    unsigned wrong = 0;
    make_containers(m, list);
    for (size_t i = 0; i < CONTAINERS; i++) {
        wrong += !agree_by_parts(m, &list[i], FLETCH_SNIFF, false);
        wrong += !agree_by_parts(m, &list[i], list[i].kind, false);
    }
    assert_int_equal(wrong, 0);
}

static void finding_a_stream_copy_by_parts_gives_the_answer_of_the_whole(void **state)
{
    maker *m = *state;
    block head = pad(m, text_block(m, "ARROW1"), 2 + 56);
    container file = {"stream copy", FLETCH_FILE,
                      join(m, join(m, head, stream_of(m, message_of(m, "head"))),
                           file_tail(m, footer_of(m, "foot")))};
    fletch_found found;
    assert_int_equal(find_whole(file.bytes, FLETCH_FILE, true, &found), OK);
    assert_int_equal(found.offset, 64);
    assert_true(agree_by_parts(m, &file, FLETCH_FILE, true));
}

/* In steps of several sizes; true: all answers agree. */

static void a_range_that_was_found_opens_as_the_whole_does(void **state)
{
    maker *m = *state;
    container list[CONTAINERS];
    make_containers(m, list);
    for (size_t i = 0; i < CONTAINERS; i++) {
        fletch_found found;
        fletch_schema whole, part;
        if (find_whole(list[i].bytes, list[i].kind, false, &found) != FLETCH_OK) continue;
        block range = copy_of(m, list[i].bytes.bytes + found.offset, (size_t)found.size);
        fletch_options options = {.kind = list[i].kind};
        assert_int_equal(open_lending(m, list[i].bytes, &options, &whole, NULL), OK);
        options.kind = found.range_kind;
        assert_int_equal(open_lending(m, range, &options, &part, NULL), OK);
        assert_int_equal(part.buffer.size, whole.buffer.size);
        assert_memory_equal(part.buffer.bytes, whole.buffer.bytes, part.buffer.size);
        assert_int_equal(part.wrapper.version, whole.wrapper.version);
    }
}

static void finding_looks_at_framing_only(void **state)
{
    maker *m = *state;
    block b = after(m, 0xFFFFFFFF, after(m, 16, text_block(m, "no flatbuffer!!!")));
    fletch_found found;
    assert_int_equal(find_whole(b, FLETCH_STREAM, false, &found), OK);
    assert_int_equal(found.size, 24);
    expect_everywhere(b, FLETCH_STREAM, MALFORMED);
}

static void finding_a_large_file_asks_for_little(void **state)
{
    maker *m = *state;
    block footer = footer_of(m, "foot"), tail = file_tail(m, footer);
    block head = pad(m, text_block(m, "ARROW1"), 2);
    fletch_input input = {head.bytes, head.size, NULL, 0, 1ULL << 45};
    fletch_found found;
    assert_int_equal(fletch_find(&input, FLETCH_SNIFF, false, &found, NULL), FLETCH_TRUNCATED);
    assert_in_range(found.tail_wanted, 10, 4096);
    input.tail = tail.bytes + tail.size - found.tail_wanted;
    input.tail_size = (size_t)found.tail_wanted;
    assert_int_equal(fletch_find(&input, FLETCH_SNIFF, false, &found, NULL), FLETCH_TRUNCATED);
    assert_in_range(found.tail_wanted, tail.size, tail.size + 4096);
    input.tail = tail.bytes;
    input.tail_size = tail.size;
    assert_int_equal(fletch_find(&input, FLETCH_SNIFF, false, &found, NULL), OK);
    assert_true(found.offset == (1ULL << 45) - tail.size);
    assert_int_equal(found.size, footer.size);
    assert_int_equal(found.range_kind, FLETCH_FOOTER);
}

/* Misuse */

static void a_kind_that_is_none_is_misuse(void **state)
{
    static const int kinds[] = {FLETCH_BASE64 + 1, 1000, -1};
    block b = schema_of(*state);
    for (size_t i = 0; i < 3; i++) {
        fletch_options options = {0};
        fletch_input input = {b.bytes, b.size, NULL, 0, b.size};
        fletch_found found;
        fletch_schema schema;
        fletch_error error;
        options.kind = (fletch_kind)kinds[i];
        assert_int_equal(fletch_open_with(b.bytes, b.size, &options, &schema, &error),
                         FLETCH_MISUSE);
        assert_int_equal(error.status, FLETCH_MISUSE);
        assert_int_equal(schema.at, 0);
        assert_int_equal(fletch_find(&input, options.kind, false, &found, NULL), FLETCH_MISUSE);
    }
}

static void a_level_that_is_none_is_misuse(void **state)
{
    static const int levels[] = {FLETCH_LEVEL_STRICT + 1, 1000, -1};
    block b = schema_of(*state);
    for (size_t i = 0; i < 3; i++) {
        fletch_options options = {0};
        fletch_schema schema;
        fletch_error error;
        options.level = (fletch_level)levels[i];
        assert_int_equal(fletch_open_with(b.bytes, b.size, &options, &schema, &error),
                         FLETCH_MISUSE);
        assert_int_equal(error.status, FLETCH_MISUSE);
        assert_int_equal(schema.at, 0);
    }
}

static void what_an_input_looks_like_does_not_depend_on_how_much_is_at_hand(void **state)
{
    static const char database[] = "SQLite format 3\0 and, behind the magic, pages of numbers"
                                   " and more of them, up to a hundred bytes in all...";
    fletch_input input = {database, 8, NULL, 0, sizeof database};
    fletch_found found;
    fletch_error error;
    (void)state;
    assert_int_equal(fletch_find(&input, FLETCH_SNIFF, false, &found, &error), FLETCH_TRUNCATED);
    assert_in_range(found.head_wanted, 15, 64);
    input.head_size = (size_t)found.head_wanted;
    assert_int_equal(fletch_find(&input, FLETCH_SNIFF, false, &found, &error), FLETCH_UNRECOGNISED);
    assert_string_equal(error.sentence, "it looks like an SQLite database");
    assert_int_equal(found.head_wanted, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(a_framed_message_says_where_it_is),
        WITH_MAKER(a_legacy_message_says_where_it_is),
        WITH_MAKER(a_stream_says_where_its_schema_ends),
        WITH_MAKER(a_bare_flatbuffer_says_where_it_is),
        WITH_MAKER(a_file_says_where_its_footer_is),
        WITH_MAKER(a_stream_may_end_in_three_ways),
        WITH_MAKER(what_follows_the_schema_is_not_looked_at),
        WITH_MAKER(a_stream_that_ends_at_once_has_no_schema),
        WITH_MAKER(a_negative_length_is_malformed),
        WITH_MAKER(a_length_past_the_end_wants_more_bytes),
        WITH_MAKER(a_stream_cut_anywhere_in_its_schema_is_truncated),
        WITH_MAKER(a_body_that_is_not_there_does_not_count),
        WITH_MAKER(a_length_may_be_larger_than_the_flatbuffer),
        WITH_MAKER(a_length_needs_no_padding),
        WITH_MAKER(a_length_shorter_than_the_flatbuffer_is_no_good),
        WITH_MAKER(a_message_is_of_version_4_or_5),
        WITH_MAKER(a_footer_may_also_be_of_version_1),
        WITH_MAKER(the_version_comes_before_damage),
        WITH_MAKER(damage_comes_before_the_header_type),
        WITH_MAKER(a_message_of_something_else_names_it),
        WITH_MAKER(a_message_of_nothing_is_not_a_schema),
        WITH_MAKER(a_header_type_without_a_header_is_malformed),
        WITH_MAKER(a_header_without_its_type_is_malformed),
        WITH_MAKER(a_negative_body_length_is_malformed),
        WITH_MAKER(a_body_length_above_zero_is_invalid_at_strict),
        WITH_MAKER(a_footer_without_a_schema_is_missing),
        WITH_MAKER(paths_start_at_the_wrapper),
        WITH_MAKER(a_files_schema_is_its_footers),
        WITH_MAKER(a_files_stream_copy_is_opened_on_request),
        WITH_MAKER(zero_words_may_stand_before_a_files_first_message),
        WITH_MAKER(a_file_of_legacy_messages_is_good),
        WITH_MAKER(a_file_without_a_schema_message_has_its_footer),
        WITH_MAKER(a_footer_may_stand_anywhere_and_be_of_any_length),
        WITH_MAKER(a_file_without_its_trailer_is_truncated_but_has_its_head),
        WITH_MAKER(a_file_cut_anywhere_is_truncated_or_damaged),
        WITH_MAKER(a_file_of_a_few_bytes_is_truncated),
        WITH_MAKER(a_file_must_start_with_its_magic),
        WITH_MAKER(a_footer_length_that_does_not_fit_is_malformed),
        WITH_MAKER(a_file_may_be_nothing_but_its_footer),
        WITH_MAKER(other_formats_are_named),
        WITH_MAKER(text_is_named),
        WITH_MAKER(zeros_and_noise_are_unrecognised),
        WITH_MAKER(a_few_bytes_of_anything_are_refused),
        WITH_MAKER(damage_in_what_was_recognised_is_malformed),
        WITH_MAKER(legacy_framing_comes_before_a_raw_root),
        cmocka_unit_test(schemas_of_any_number_of_columns_are_told_from_footers),
        WITH_MAKER(a_schema_without_fields_is_still_a_schema),
        WITH_MAKER(a_kind_that_is_given_is_believed),
        WITH_MAKER(finding_by_parts_gives_the_answer_of_the_whole),
        WITH_MAKER(finding_a_stream_copy_by_parts_gives_the_answer_of_the_whole),
        WITH_MAKER(a_range_that_was_found_opens_as_the_whole_does),
        WITH_MAKER(finding_looks_at_framing_only),
        WITH_MAKER(finding_a_large_file_asks_for_little),
        WITH_MAKER(a_kind_that_is_none_is_misuse),
        WITH_MAKER(a_level_that_is_none_is_misuse),
        cmocka_unit_test(what_an_input_looks_like_does_not_depend_on_how_much_is_at_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
