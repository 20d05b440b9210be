/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parquet: finding ARROW:schema in footers made by hand, with everything that Thrift's compact
 * protocol can put before it, and with everything that can be wrong.
 */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OK        FLETCH_OK
#define MALFORMED FLETCH_MALFORMED

/* Thrift's types. */
enum {
    TRUE_ = 1,
    FALSE_ = 2,
    BYTE = 3,
    I16 = 4,
    I32 = 5,
    I64 = 6,
    DOUBLE = 7,
    BINARY = 8,
    LIST = 9,
    SET = 10,
    MAP = 11,
    STRUCT = 12
};

static block value_named(maker *m, const char *name)
{
    node *message = new_message(m, schema_with(m, int_field(m, name)));
    return base64_of(m, frame(m, finish(m, message), false), true);
}

static block good_value(maker *m)
{
    return value_named(m, "col");
}

/* A field's header: so many ids after the last one. */
static void field(thrift *t, unsigned delta, unsigned type)
{
    thrift_byte(t, delta << 4 | type);
}

static void list(thrift *t, size_t count, unsigned type)
{
    if (count < 15) {
        thrift_byte(t, (unsigned)count << 4 | type);
    } else {
        thrift_byte(t, 15 << 4 | type);
        thrift_varint(t, count);
    }
}

static void text(thrift *t, const char *words)
{
    thrift_text(t, words, strlen(words));
}

/* Field 5, with the key alone. */
static void key_values(thrift *t, unsigned delta, block value)
{
    field(t, delta, LIST);
    list(t, 1, STRUCT);
    thrift_pair(t, "ARROW:schema", value);
}

static fletch_status open_file(maker *m, block file, fletch_schema *schema, fletch_error *error)
{
    const fletch_options options = {.level = FLETCH_LEVEL_STRICT};
    return open_lending(m, file, &options, schema, error);
}

static void check_file(maker *m, block file, const char *name)
{
    fletch_schema schema;
    fletch_error error;
    fletch_status status = open_file(m, file, &schema, &error);
    if (status != OK) fail_msg("%s: %s", fletch_status_word(status), error.sentence);
    assert_int_equal(schema.wrapper.kind, FLETCH_PARQUET);
    assert_true(is_text(field_number(&schema, 0).name, name));
}

static void check_status(maker *m, block file, fletch_status status)
{
    fletch_schema schema;
    fletch_error error;
    assert_int_equal(open_file(m, file, &schema, &error), status);
    assert_in_range(error.offset, 0, file.size);
}

static void check_refused(maker *m, block file)
{
    fletch_schema schema;
    fletch_error error;
    assert_int_not_equal(open_file(m, file, &schema, &error), OK);
    assert_in_range(error.offset, 0, file.size);
}

/* The footer so far, ended, as a file. */
static block ended(maker *m, thrift *t)
{
    thrift_byte(t, 0);
    return parquet_of(m, t);
}

/* Good footers */

/* Good but for that: what comes behind would be found. */
static void an_id_without_end_in_what_is_skipped_is_refused(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 1, STRUCT);
    field(&t, 0, I32);
    for (int i = 0; i < 10; i++)
        thrift_byte(&t, 0x80);
    key_values(&t, 4, good_value(m));
    check_status(m, ended(m, &t), MALFORMED);
}

/* A value before its key, and nothing behind the pair: what is found ends the search. */
static void the_key_may_end_the_footer(void **state)
{
    maker *m = *state;
    const block value = good_value(m);
    thrift t = new_thrift(m);
    field(&t, 5, LIST);
    list(&t, 1, STRUCT);
    field(&t, 2, BINARY);
    thrift_text(&t, value.bytes, value.size);
    field(&t, 0, BINARY);
    thrift_varint(&t, 2); /* the id 1, zigzag */
    text(&t, "ARROW:schema");
    thrift_byte(&t, 0);
    check_file(m, parquet_of(m, &t), "col");
}

static void the_key_is_found(void **state)
{
    maker *m = *state;
    check_file(m, parquet_with(m, good_value(m)), "col");
}

static void the_value_needs_no_padding(void **state)
{
    maker *m = *state;
    block message = finish(m, new_message(m, schema_with(m, int_field(m, "col"))));
    check_file(m, parquet_with(m, base64_of(m, frame(m, message, false), false)), "col");
    check_file(m, parquet_with(m, base64_of(m, frame(m, message, true), false)), "col");
    check_file(m, parquet_with(m, base64_of(m, message, true)), "col");
    check_file(m, parquet_with(m, base64_of(m, stream_of(m, message), true)), "col");
}

static void the_key_may_stand_among_others(void **state)
{
    maker *m = *state;
    for (size_t place = 0; place < 20; place++) {
        thrift t = new_thrift(m);
        thrift_opening(&t);
        field(&t, 1, LIST);
        list(&t, 20, STRUCT);
        for (size_t i = 0; i < 20; i++) {
            if (i == place)
                thrift_pair(&t, "ARROW:schema", good_value(m));
            else
                thrift_pair(&t, i % 2 ? "pandas" : "ARROW:schemas", text_block(m, "{}"));
        }
        check_file(m, ended(m, &t), "col");
    }
}

static void of_two_the_first_is_taken(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    thrift_opening(&t);
    field(&t, 1, LIST);
    list(&t, 2, STRUCT);
    thrift_pair(&t, "ARROW:schema", value_named(m, "first"));
    thrift_pair(&t, "ARROW:schema", value_named(m, "second"));
    check_file(m, ended(m, &t), "first");
}

static void the_value_may_stand_before_its_key(void **state)
{
    maker *m = *state;
    block value = good_value(m);
    thrift t = new_thrift(m);
    thrift_opening(&t);
    field(&t, 1, LIST);
    list(&t, 1, STRUCT);
    field(&t, 2, BINARY);
    thrift_text(&t, value.bytes, value.size);
    field(&t, 0, BINARY);
    thrift_varint(&t, 2); /* zigzag of 1: the key */
    text(&t, "ARROW:schema");
    thrift_byte(&t, 0);
    check_file(m, ended(m, &t), "col");
}

static void the_fields_may_come_in_any_order(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    key_values(&t, 5, good_value(m));
    field(&t, 0, I32);
    thrift_varint(&t, 2); /* zigzag of 1: the version */
    thrift_varint(&t, 2);
    check_file(m, ended(m, &t), "col");
}

static void an_id_may_be_written_out(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 0, LIST);
    thrift_varint(&t, 10); /* zigzag of 5 */
    list(&t, 1, STRUCT);
    thrift_pair(&t, "ARROW:schema", good_value(m));
    check_file(m, ended(m, &t), "col");
}

static void a_list_may_tell_its_count_in_the_long_form(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    thrift_opening(&t);
    field(&t, 1, LIST);
    thrift_byte(&t, 15 << 4 | STRUCT);
    thrift_varint(&t, 1);
    thrift_pair(&t, "ARROW:schema", good_value(m));
    check_file(m, ended(m, &t), "col");
}

/* Puts a value of each type before the key, in a field that no reader knows. */
static void scalars_are_stepped_over(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 0, TRUE_);
    thrift_varint(&t, 200);
    field(&t, 1, FALSE_);
    field(&t, 1, BYTE);
    thrift_byte(&t, 0x80);
    field(&t, 1, I16);
    thrift_varint(&t, 0xFFFF);
    field(&t, 1, I32);
    thrift_varint(&t, 0xFFFFFFFF);
    field(&t, 1, I64);
    thrift_varint(&t, UINT64_MAX);
    field(&t, 1, DOUBLE);
    for (int i = 0; i < 8; i++)
        thrift_byte(&t, 0xFF);
    field(&t, 1, BINARY);
    text(&t, "");
    field(&t, 1, BINARY);
    text(&t, "some bytes");
    field(&t, 0, LIST);
    thrift_varint(&t, 10);
    list(&t, 1, STRUCT);
    thrift_pair(&t, "ARROW:schema", good_value(m));
    check_file(m, ended(m, &t), "col");
}

static void elements_of_type(thrift *t, size_t count, unsigned type)
{
    for (size_t i = 0; i < count; i++) {
        if (type == BINARY) text(t, "element");
        if (type == STRUCT) thrift_byte(t, 0);
        if (type == DOUBLE)
            for (int k = 0; k < 8; k++)
                thrift_byte(t, 7);
        if (type <= I64) thrift_byte(t, 1);
    }
}

static void lists_and_sets_are_stepped_over(void **state)
{
    static const size_t counts[] = {0, 1, 14, 15, 300};
    static const unsigned types[] = {TRUE_, FALSE_, BYTE, I16, I32, I64, DOUBLE, BINARY, STRUCT};
    maker *m = *state;
    for (size_t i = 0; i < 5 * sizeof types / sizeof *types; i++) {
        thrift t = new_thrift(m);
        field(&t, 1, i % 2 ? LIST : SET);
        list(&t, counts[i % 5], types[i / 5]);
        elements_of_type(&t, counts[i % 5], types[i / 5]);
        key_values(&t, 4, good_value(m));
        check_file(m, ended(m, &t), "col");
    }
}

static void maps_are_stepped_over(void **state)
{
    maker *m = *state;
    for (size_t count = 0; count < 40; count += 13) {
        thrift t = new_thrift(m);
        field(&t, 1, MAP);
        thrift_varint(&t, count);
        if (count) thrift_byte(&t, BINARY << 4 | DOUBLE);
        for (size_t i = 0; i < count; i++) {
            elements_of_type(&t, 1, BINARY);
            elements_of_type(&t, 1, DOUBLE);
        }
        key_values(&t, 4, good_value(m));
        check_file(m, ended(m, &t), "col");
    }
}

static void bools_in_maps_take_a_byte(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 1, MAP);
    thrift_varint(&t, 3);
    thrift_byte(&t, TRUE_ << 4 | FALSE_);
    elements_of_type(&t, 6, TRUE_);
    key_values(&t, 4, good_value(m));
    check_file(m, ended(m, &t), "col");
}

static void structs_in_structs_and_lists_are_stepped_over(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 1, STRUCT);
    field(&t, 3, TRUE_);
    field(&t, 5, LIST);
    list(&t, 2, STRUCT);
    for (int i = 0; i < 2; i++) {
        field(&t, 1, STRUCT);
        field(&t, 15, FALSE_);
        thrift_byte(&t, 0);
        field(&t, 1, LIST);
        list(&t, 2, LIST);
        list(&t, 1, I32);
        thrift_varint(&t, 100000);
        list(&t, 0, BINARY);
        thrift_byte(&t, 0);
    }
    thrift_byte(&t, 0);
    key_values(&t, 4, good_value(m));
    check_file(m, ended(m, &t), "col");
}

static void structs_may_nest_as_deep_as_real_footers(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 1, STRUCT);
    for (int i = 1; i < 12; i++)
        field(&t, 1, STRUCT);
    for (int i = 0; i < 12; i++)
        thrift_byte(&t, 0);
    key_values(&t, 4, good_value(m));
    check_file(m, ended(m, &t), "col");
}

static void another_field_5_that_is_no_list_is_stepped_over(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 5, I32);
    thrift_varint(&t, 1);
    field(&t, 0, LIST);
    thrift_varint(&t, 10);
    list(&t, 1, STRUCT);
    thrift_pair(&t, "ARROW:schema", good_value(m));
    check_file(m, ended(m, &t), "col");
}

static void a_pair_inside_of_something_else_is_not_taken(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 4, STRUCT);
    key_values(&t, 5, value_named(m, "wrong"));
    thrift_byte(&t, 0);
    key_values(&t, 1, value_named(m, "right"));
    check_file(m, ended(m, &t), "right");
}

static void a_large_value_is_found(void **state)
{
    maker *m = *state;
    node *schema = new_schema(m);
    for (int i = 0; i < 2000; i++)
        add_field(schema, int_field(m, "a column of some length"));
    block message = finish(m, new_message(m, schema));
    fletch_schema opened;
    fletch_error error;
    block file = parquet_with(m, base64_of(m, frame(m, message, false), true));
    assert_int_equal(open_file(m, file, &opened, &error), OK);
    assert_int_equal(fletch_count_fields(&opened.fields), 2000);
}

static void data_may_stand_before_the_footer(void **state)
{
    maker *m = *state;
    block file = parquet_with(m, good_value(m));
    block data = pad(m, text_block(m, "PAR1"), 999);
    block longer = join(m, data, copy_of(m, file.bytes + 4, file.size - 4));
    check_file(m, longer, "col");
}

/* Without a schema */

static void a_file_without_the_key_is_no_container_and_named(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    thrift_opening(&t);
    block file = ended(m, &t);
    check_status(m, file, FLETCH_UNRECOGNISED);
    fletch_error error = expect_as(file, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNRECOGNISED);
    assert_non_null(strstr(error.sentence, "Parquet"));
}

/* As many fields of no size before it as bring a sum of ids round to where it began. */
static void ids_do_not_come_round_to_the_wanted_one(void **state)
{
    maker *m = *state;
    const size_t count = UINT32_MAX / 15; /* each counts 15 ids on: the last is 2^32 - 1 */
    thrift t = new_thrift(m);
    key_values(&t, 6, good_value(m));
    block tail = ended(m, &t); /* PAR1, footer, its size, PAR1 */
    uint8_t *bytes = malloc(count + tail.size);
    const fletch_options options = {.kind = FLETCH_PARQUET};
    fletch_schema schema;
    assert_non_null(bytes);
    memcpy(bytes, "PAR1", 4);
    memset(bytes + 4, 15 << 4 | TRUE_, count);
    memcpy(bytes + 4 + count, tail.bytes + 4, tail.size - 4);
    for (unsigned i = 0; i < 4; i++)
        bytes[count + tail.size - 8 + i] = (uint8_t)((count + tail.size - 12) >> 8 * i);
    fletch_status status = fletch_open_with(bytes, count + tail.size, &options, &schema, NULL);
    free(bytes);
    assert_int_equal(status, FLETCH_UNRECOGNISED);
}

static void a_file_with_other_keys_only_is_no_container(void **state)
{
    static const char *const keys[] = {"", "ARROW:schem", "ARROW:schema ", "arrow:schema"};
    maker *m = *state;
    thrift t = new_thrift(m);
    thrift_opening(&t);
    field(&t, 1, LIST);
    list(&t, 4, STRUCT);
    for (size_t i = 0; i < 4; i++)
        thrift_pair(&t, keys[i], good_value(m));
    check_status(m, ended(m, &t), FLETCH_UNRECOGNISED);
}

static void an_encrypted_file_is_no_container_and_named(void **state)
{
    maker *m = *state;
    block file = parquet_with(m, good_value(m));
    memcpy(file.bytes, "PARE", 4);
    memcpy(file.bytes + file.size - 4, "PARE", 4);
    fletch_error error = expect_as(file, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNRECOGNISED);
    assert_non_null(strstr(error.sentence, "encrypted"));
    check_status(m, file, FLETCH_UNRECOGNISED);
}

static void a_value_that_cannot_be_opened_has_its_own_status(void **state)
{
    maker *m = *state;
    node *batch = new_message(m, make_table(m));
    set8(batch, MESSAGE_TAG, 3);
    block not_a_schema = base64_of(m, frame(m, finish(m, batch), false), true);
    check_status(m, parquet_with(m, text_block(m, "not base64!")), FLETCH_BAD_BASE64);
    check_status(m, parquet_with(m, text_block(m, "AAAA")), FLETCH_NOT_A_MESSAGE);
    check_status(m, parquet_with(m, text_block(m, "")), FLETCH_NOT_A_MESSAGE);
    check_status(m, parquet_with(m, not_a_schema), FLETCH_NOT_A_SCHEMA);
}

static void a_pair_without_a_value_is_not_a_message(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 5, LIST);
    list(&t, 1, STRUCT);
    field(&t, 1, BINARY);
    text(&t, "ARROW:schema");
    thrift_byte(&t, 0);
    check_status(m, ended(m, &t), FLETCH_NOT_A_MESSAGE);
}

/* Damage */

static void a_file_cut_anywhere_is_refused(void **state)
{
    maker *m = *state;
    block file = parquet_with(m, good_value(m));
    for (size_t size = 4; size < file.size; size++)
        check_refused(m, cut(m, file, size));
}

static void a_file_without_its_trailer_is_truncated(void **state)
{
    maker *m = *state;
    block file = parquet_with(m, good_value(m));
    check_status(m, cut(m, file, file.size - 4), FLETCH_TRUNCATED);
    check_status(m, cut(m, file, 6), FLETCH_TRUNCATED);
}

static void a_footer_length_that_does_not_fit_is_malformed(void **state)
{
    maker *m = *state;
    block file = parquet_with(m, good_value(m));
    const uint32_t lengths[] = {0,
                                (uint32_t)file.size - 11,
                                (uint32_t)file.size,
                                0x7FFFFFFF,
                                0x80000000,
                                0xFFFFFFFF,
                                0xFFFFFFF8};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        poke32(file, file.size - 8, lengths[i]);
        check_status(m, file, MALFORMED);
    }
}

static void a_footer_cut_anywhere_is_refused(void **state)
{
    maker *m = *state;
    thrift whole = new_thrift(m);
    thrift_opening(&whole);
    key_values(&whole, 1, good_value(m));
    for (size_t size = 1; size < whole.bytes.size - 1; size++) {
        thrift t = {m, cut(m, whole.bytes, size)};
        check_refused(m, parquet_of(m, &t));
    }
}

static void a_length_past_the_footer_is_malformed(void **state)
{
    static const uint64_t lengths[] = {100, 0x7FFFFFFF, 0xFFFFFFFF, INT64_MAX, UINT64_MAX};
    maker *m = *state;
    for (size_t i = 0; i < 5; i++) {
        thrift binary = new_thrift(m), elements = new_thrift(m), pairs = new_thrift(m);
        field(&binary, 1, BINARY);
        thrift_varint(&binary, lengths[i]);
        check_status(m, ended(m, &binary), MALFORMED);
        field(&elements, 1, LIST);
        thrift_byte(&elements, 15 << 4 | STRUCT);
        thrift_varint(&elements, lengths[i]);
        check_status(m, ended(m, &elements), MALFORMED);
        field(&pairs, 1, MAP);
        thrift_varint(&pairs, lengths[i]);
        thrift_byte(&pairs, I32 << 4 | I32);
        check_status(m, ended(m, &pairs), MALFORMED);
    }
}

static void a_list_of_more_keys_than_there_are_is_malformed(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 5, LIST);
    thrift_byte(&t, 15 << 4 | STRUCT);
    thrift_varint(&t, INT64_MAX);
    thrift_pair(&t, "pandas", text_block(m, "{}"));
    check_status(m, parquet_of(m, &t), MALFORMED);
}

static void a_varint_without_end_is_malformed(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 1, I64);
    for (int i = 0; i < 40; i++)
        thrift_byte(&t, 0xFF);
    check_status(m, ended(m, &t), MALFORMED);
}

static void a_number_of_keys_without_end_is_malformed(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 5, LIST);
    thrift_byte(&t, 15 << 4 | STRUCT);
    for (int i = 0; i < 10; i++)
        thrift_byte(&t, 0x80);
    check_status(m, ended(m, &t), MALFORMED);
}

static void a_type_that_thrift_lacks_is_malformed(void **state)
{
    maker *m = *state;
    for (unsigned type = 13; type < 16; type++) {
        thrift t = new_thrift(m);
        field(&t, 1, type);
        check_status(m, ended(m, &t), MALFORMED);
    }
}

static void keys_that_are_no_structs_are_malformed(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    field(&t, 5, LIST);
    list(&t, 1, BINARY);
    text(&t, "ARROW:schema");
    check_status(m, ended(m, &t), MALFORMED);
}

static void structs_that_nest_without_end_are_a_limit(void **state)
{
    static const unsigned nesting[] = {1 << 4 | STRUCT, 1 << 4 | LIST};
    maker *m = *state;
    for (int kind = 0; kind < 2; kind++) {
        block deep = pad(m, (block){NULL, 0}, 100000);
        memset(deep.bytes, (int)nesting[kind], deep.size);
        if (kind == 1) memset(deep.bytes + 1, 1 << 4 | LIST, deep.size - 1);
        thrift t = {m, deep};
        check_status(m, parquet_of(m, &t), FLETCH_LIMIT);
    }
}

static void many_empty_elements_take_little_time(void **state)
{
    maker *m = *state;
    block zeros = pad(m, (block){NULL, 0}, 4000000);
    thrift t = new_thrift(m);
    clock_t begin = clock();
    field(&t, 1, LIST);
    list(&t, zeros.size, STRUCT);
    t.bytes = join(m, t.bytes, zeros);
    key_values(&t, 4, good_value(m));
    check_file(m, ended(m, &t), "col");
    assert_in_range(clock() - begin, 0, 5 * CLOCKS_PER_SEC);
}

static void any_byte_of_a_footer_may_be_spoiled(void **state)
{
    maker *m = *state;
    block file = parquet_with(m, good_value(m)), b = copy_of(m, file.bytes, file.size);
    uint8_t scratch[512];
    const fletch_options options = {.scratch = scratch, .scratch_size = sizeof scratch};
    assert_in_range(file.size, 0, sizeof scratch);
    for (size_t at = 0; at < file.size; at++) {
        for (unsigned value = 0; value < 256; value++) {
            fletch_schema schema;
            fletch_error error;
            poke8(b, at, (uint8_t)value);
            fletch_open_with(b.bytes, b.size, &options, &schema, &error);
            assert_in_range(error.offset, 0, file.size);
            walk_by_hand(&schema, 100);
        }
        poke8(b, at, file.bytes[at]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(an_id_without_end_in_what_is_skipped_is_refused),
        WITH_MAKER(the_key_may_end_the_footer),
        WITH_MAKER(the_key_is_found),
        WITH_MAKER(the_value_needs_no_padding),
        WITH_MAKER(the_key_may_stand_among_others),
        WITH_MAKER(of_two_the_first_is_taken),
        WITH_MAKER(the_value_may_stand_before_its_key),
        WITH_MAKER(the_fields_may_come_in_any_order),
        WITH_MAKER(an_id_may_be_written_out),
        WITH_MAKER(a_list_may_tell_its_count_in_the_long_form),
        WITH_MAKER(scalars_are_stepped_over),
        WITH_MAKER(lists_and_sets_are_stepped_over),
        WITH_MAKER(maps_are_stepped_over),
        WITH_MAKER(bools_in_maps_take_a_byte),
        WITH_MAKER(structs_in_structs_and_lists_are_stepped_over),
        WITH_MAKER(structs_may_nest_as_deep_as_real_footers),
        WITH_MAKER(another_field_5_that_is_no_list_is_stepped_over),
        WITH_MAKER(a_pair_inside_of_something_else_is_not_taken),
        WITH_MAKER(a_large_value_is_found),
        WITH_MAKER(data_may_stand_before_the_footer),
        WITH_MAKER(a_file_without_the_key_is_no_container_and_named),
        WITH_MAKER(ids_do_not_come_round_to_the_wanted_one),
        WITH_MAKER(a_file_with_other_keys_only_is_no_container),
        WITH_MAKER(an_encrypted_file_is_no_container_and_named),
        WITH_MAKER(a_value_that_cannot_be_opened_has_its_own_status),
        WITH_MAKER(a_pair_without_a_value_is_not_a_message),
        WITH_MAKER(a_file_cut_anywhere_is_refused),
        WITH_MAKER(a_file_without_its_trailer_is_truncated),
        WITH_MAKER(a_footer_length_that_does_not_fit_is_malformed),
        WITH_MAKER(a_footer_cut_anywhere_is_refused),
        WITH_MAKER(a_length_past_the_footer_is_malformed),
        WITH_MAKER(a_list_of_more_keys_than_there_are_is_malformed),
        WITH_MAKER(a_varint_without_end_is_malformed),
        WITH_MAKER(a_number_of_keys_without_end_is_malformed),
        WITH_MAKER(a_type_that_thrift_lacks_is_malformed),
        WITH_MAKER(keys_that_are_no_structs_are_malformed),
        WITH_MAKER(structs_that_nest_without_end_are_a_limit),
        WITH_MAKER(many_empty_elements_take_little_time),
        WITH_MAKER(any_byte_of_a_footer_may_be_spoiled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
