/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verifying: the rules of FlatBuffers at each level, and where a fault is said to be.
 *
 * Most tests take the maker's sample, a schema of one good field, and spoil one word of it.
 */
#include "support/check.h"

#include <string.h>

#define OK        FLETCH_OK
#define MALFORMED FLETCH_MALFORMED

/* The sample, written; its nodes tell where each word is. */
static block written(maker *m, sample *s)
{
    *s = make_sample(m);
    return finish(m, s->schema);
}

/* Malformed at every level, as a schema. */
static void refuse(block b)
{
    expect_everywhere(b, FLETCH_SCHEMA, MALFORMED);
}

static void accept(block b)
{
    expect_everywhere(b, FLETCH_SCHEMA, OK);
}

/* Malformed at level structure already, at this place. */
static void refuse_at(block b, size_t offset, const char *path)
{
    refuse(b);
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, MALFORMED, offset, path);
}

/* Good, but for level strict. */
static void refuse_strictly_at(block b, fletch_kind kind, size_t offset, const char *path)
{
    expect_levels(b, kind, OK, OK, MALFORMED);
    expect_at(b, kind, FLETCH_LEVEL_STRICT, MALFORMED, offset, path);
}

/* Sizes */

static void the_sample_is_good(void **state)
{
    sample s;
    accept(written(*state, &s));
}

static void no_bytes_are_empty(void **state)
{
    maker *m = *state;
    for (int kind = FLETCH_SNIFF; kind <= (int)FLETCH_BASE64; kind++)
        expect_everywhere(copy_of(m, NULL, 0), (fletch_kind)kind, FLETCH_EMPTY);
}

static void no_bytes_may_be_a_null_pointer(void **state)
{
    (void)state;
    expect_as((block){NULL, 0}, FLETCH_SNIFF, FLETCH_LEVEL_DEFAULT, FLETCH_EMPTY);
}

static void fewer_bytes_than_a_root_are_truncated(void **state)
{
    static const fletch_kind kinds[] = {FLETCH_SCHEMA, FLETCH_MESSAGE, FLETCH_FOOTER};
    maker *m = *state;
    for (size_t size = 1; size < 4; size++) {
        for (size_t i = 0; i < 3; i++) {
            block b = pad(m, (block){NULL, 0}, size);
            fletch_error error = expect_as(b, kinds[i], FLETCH_LEVEL_STRUCTURE, FLETCH_TRUNCATED);
            assert_int_equal(error.wanted, 4);
            assert_int_equal(error.offset, 0);
        }
    }
}

static void bytes_behind_the_last_object_are_ignored(void **state)
{
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    for (size_t extra = 1; extra < 9; extra++)
        accept(join(m, b, text_block(m, &"garbage!"[8 - extra])));
}

static void a_flatbuffer_needs_no_alignment_in_memory(void **state)
{
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    for (size_t shift = 1; shift < 8; shift++) {
        block moved = join(m, pad(m, (block){NULL, 0}, shift), b);
        accept((block){moved.bytes + shift, b.size});
    }
}

/* Offsets */

static void a_root_offset_must_lead_to_a_table(void **state)
{
    static const uint32_t offsets[] = {0, 1, 2, 0x7FFFFFFC, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF};
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        poke32(b, 0, offsets[i]);
        refuse_at(b, 0, "");
    }
}

static void a_root_offset_past_the_end_is_malformed(void **state)
{
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    poke32(b, 0, (uint32_t)b.size / 4 * 4);
    refuse_at(b, 0, "");
}

/* Every offset word of the sample: where it stands, and its path. */
typedef struct offset_word {
    size_t at;
    const char *path;
} offset_word;

enum { OFFSET_WORDS = 9 };

static void list_offsets(const sample *s, offset_word *words)
{
    const offset_word list[OFFSET_WORDS] = {
        {place_of(s->schema, SCHEMA_FIELDS), "fields"},
        {place_of_element(s->fields, 0), "fields[0]"},
        {place_of(s->field, FIELD_NAME), "fields[0].name"},
        {place_of(s->field, FIELD_TYPE), "fields[0].type"},
        {place_of(s->field, FIELD_CHILDREN), "fields[0].children"},
        {place_of(s->field, FIELD_METADATA), "fields[0].custom_metadata"},
        {place_of_element(s->metadata, 0), "fields[0].custom_metadata[0]"},
        {place_of(s->pair, PAIR_KEY), "fields[0].custom_metadata[0].key"},
        {place_of(s->pair, PAIR_VALUE), "fields[0].custom_metadata[0].value"},
    };
    memcpy(words, list, sizeof list);
}

/* Puts `value` into each offset word in turn; each must be refused there. */
static void refuse_each_offset(maker *m, uint32_t value)
{
    sample s;
    offset_word words[OFFSET_WORDS];
    block good = written(m, &s);
    list_offsets(&s, words);
    for (size_t i = 0; i < OFFSET_WORDS; i++) {
        block b = copy_of(m, good.bytes, good.size);
        poke32(b, words[i].at, value);
        refuse_at(b, words[i].at, words[i].path);
    }
}

static void an_offset_of_zero_is_malformed_anywhere(void **state)
{
    refuse_each_offset(*state, 0);
}

static void an_offset_with_bit_31_is_malformed_anywhere(void **state)
{
    refuse_each_offset(*state, 0x80000000);
    refuse_each_offset(*state, 0xFFFFFFFC);
    refuse_each_offset(*state, 0xFFFFFFFF);
}

static void an_offset_past_the_end_is_malformed_anywhere(void **state)
{
    refuse_each_offset(*state, 0x10000);
    refuse_each_offset(*state, 0x7FFFFFFC);
}

static void an_object_off_four_is_malformed_anywhere(void **state)
{
    refuse_each_offset(*state, 5);
    refuse_each_offset(*state, 6);
    refuse_each_offset(*state, 7);
}

static void an_offset_may_lead_to_the_last_word_but_not_behind(void **state)
{
    maker *m = *state;
    node *root = new_schema(m);
    block b = finish(m, root);
    assert_int_equal(place(member(root, SCHEMA_FIELDS)) + 4, b.size);
    accept(b);
    for (size_t size = b.size - 3; size < b.size; size++)
        refuse_at(cut(m, b, size), place_of(root, SCHEMA_FIELDS), "fields");
}

static void an_offset_to_a_dictionary_or_features_is_checked_too(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a"), *root = schema_with(m, field);
    node *dictionary = add_dictionary(m, field, 0, int_type(m, 8, true));
    set_node(root, SCHEMA_FEATURES, make_vector(m, 8));
    block good = finish(m, root);
    accept(good);
    const offset_word words[] = {
        {place_of(root, SCHEMA_FEATURES), "features"},
        {place_of(field, FIELD_DICTIONARY), "fields[0].dictionary"},
        {place_of(dictionary, DICTIONARY_INDEX), "fields[0].dictionary.indexType"},
    };
    for (size_t i = 0; i < 3; i++) {
        block b = copy_of(m, good.bytes, good.size);
        poke32(b, words[i].at, 0x7FFFFFFC);
        refuse_at(b, words[i].at, words[i].path);
    }
}

/* Tables */

static void a_vtable_outside_is_malformed(void **state)
{
    static const uint32_t offsets[] = {0x7FFFFFFE, 0x80000000, 0x80000002, 0xFFFF0000, 0x10000};
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        poke32(b, place(s.field), offsets[i]);
        refuse_at(b, place(s.field), "fields[0]");
    }
}

static void a_vtable_that_ends_with_the_buffer_is_good_and_one_byte_less_is_not(void **state)
{
    maker *m = *state;
    node *root = new_schema(m);
    block b = pad(m, finish(m, root), 8);
    size_t at = b.size - 8;
    memcpy(b.bytes + at, b.bytes + vtable_of(root), 8);
    poke32(b, place(root), (uint32_t)(place(root) - at));
    accept(b);
    for (size_t size = b.size - 7; size < b.size; size++)
        refuse(cut(m, b, size));
}

static void a_vtable_at_an_odd_place_is_malformed(void **state)
{
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    poke32(b, place(s.type), peek32(b, place(s.type)) - 1);
    refuse_at(b, place(s.type), "fields[0].type");
}

/* Odd places near the start, which no vtable has, and which a cache may use to say "none". */
static void a_vtable_at_an_odd_place_is_malformed_for_every_table(void **state)
{
    maker *m = *state;
    sample s;
    block good = written(m, &s);
    const offset_word tables[] = {{place(s.schema), ""},
                                  {place(s.field), "fields[0]"},
                                  {place(s.type), "fields[0].type"},
                                  {place(s.pair), "fields[0].custom_metadata[0]"}};
    for (size_t i = 0; i < 4; i++) {
        for (uint32_t odd = 1; odd < 8; odd += 2) {
            block b = copy_of(m, good.bytes, good.size);
            poke32(b, tables[i].at, (uint32_t)tables[i].at - odd);
            refuse_at(b, tables[i].at, tables[i].path);
        }
    }
}

static void a_vtable_may_stand_behind_its_table(void **state)
{
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    size_t at = b.size + b.size % 2, size = peek16(b, vtable_of(s.field));
    b = pad(m, b, at - b.size + size);
    memcpy(b.bytes + at, b.bytes + vtable_of(s.field), size);
    poke32(b, place(s.field), (uint32_t)(place(s.field) - at));
    accept(b);
}

static void a_vtable_of_a_wrong_size_is_malformed(void **state)
{
    static const uint32_t sizes[] = {0, 1, 2, 3, 5, 17, 0xFFFE, 0xFFFF};
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        poke16(b, vtable_of(s.field), sizes[i]);
        refuse_at(b, vtable_of(s.field), "fields[0]");
    }
}

static void a_table_of_a_wrong_size_is_malformed(void **state)
{
    static const uint32_t sizes[] = {0, 1, 2, 3, 0xFFFE, 0xFFFF};
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        poke16(b, vtable_of(s.type) + 2, sizes[i]);
        refuse_at(b, vtable_of(s.type) + 2, "fields[0].type");
    }
}

static void a_table_of_an_odd_size_is_good(void **state)
{
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    assert_int_equal(peek16(b, vtable_of(s.type) + 2) % 2, 1);
    accept(b);
}

static void a_member_inside_the_tables_first_word_is_malformed(void **state)
{
    static const unsigned slots[] = {FIELD_NAME, FIELD_NULLABLE, FIELD_TYPE_TAG, FIELD_TYPE};
    maker *m = *state;
    sample s;
    block good = written(m, &s);
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        for (uint32_t slot = 1; slot < 4; slot++) {
            block b = copy_of(m, good.bytes, good.size);
            poke16(b, vtable_slot_of(s.field, slots[i]), slot);
            refuse(b);
            fletch_error error = expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, MALFORMED);
            assert_int_equal(error.offset, vtable_slot_of(s.field, slots[i]));
        }
    }
}

static void a_member_past_the_tables_size_is_malformed(void **state)
{
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    uint32_t size = peek16(b, vtable_of(s.type) + 2);
    for (uint32_t less = 1; less <= 5; less++) {
        poke16(b, vtable_of(s.type) + 2, size - less);
        unsigned slot = less == 5 ? INT_WIDTH : INT_SIGNED;
        refuse(b);
        fletch_error error = expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, MALFORMED);
        assert_in_set(error.offset,
                      ((uint64_t[]){vtable_slot_of(s.type, INT_WIDTH),
                                    vtable_slot_of(s.type, slot)}),
                      2);
    }
}

static void a_slot_of_ffff_is_malformed(void **state)
{
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    poke16(b, vtable_slot_of(s.field, FIELD_NULLABLE), 0xFFFF);
    refuse_at(b, vtable_slot_of(s.field, FIELD_NULLABLE), "fields[0].nullable");
}

static void a_member_of_four_bytes_off_four_is_malformed(void **state)
{
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    for (uint32_t slot = 5; slot < 8; slot++) {
        poke16(b, vtable_of(s.type) + 2, 12);
        poke16(b, vtable_slot_of(s.type, INT_WIDTH), slot);
        refuse(b);
        expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, MALFORMED, "fields[0].type.bitWidth");
    }
}

static void a_member_of_two_bytes_off_two_is_malformed(void **state)
{
    maker *m = *state;
    node *type = make_table(m);
    set16(type, 0, 1);
    set32(type, 5, 0);
    block b = finish(m, schema_with(m, new_field(m, "a", FLETCH_TYPE_DATE, type)));
    accept(b);
    poke16(b, vtable_slot_of(type, 0), 5);
    refuse(b);
    expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, MALFORMED, "fields[0].type.unit");
}

static void members_may_overlap(void **state)
{
    maker *m = *state;
    node *type = make_table(m);
    set32(type, DECIMAL_PRECISION, 5);
    set32(type, DECIMAL_SCALE, 7);
    block b = finish(m, schema_with(m, new_field(m, "a", FLETCH_TYPE_DECIMAL, type)));
    poke16(b, vtable_slot_of(type, DECIMAL_SCALE),
           peek16(b, vtable_slot_of(type, DECIMAL_PRECISION)));
    accept(b);
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(field_number(&schema, 0).type.as.decimal.scale, 5);
}

static void objects_may_be_shared(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    set_node(s.pair, PAIR_KEY, s.name);
    set_node(s.pair, PAIR_VALUE, s.name);
    add_field(s.schema, s.field);
    accept(finish(m, s.schema));
}

static void objects_may_overlap(void **state)
{
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    node *name = s.name;
    /* children: the empty vector that the name's end and its padding make */
    size_t at = place_of(s.field, FIELD_CHILDREN);
    set_node(s.field, FIELD_NAME, make_string(m, "abcd\0\0\0\0\0\0\0\0", 12));
    b = finish(m, s.schema);
    name = member(s.field, FIELD_NAME);
    at = place_of(s.field, FIELD_CHILDREN);
    poke32(b, at, (uint32_t)(place(name) + 8 - at));
    accept(b);
}

static void slots_beyond_the_schemas_are_ignored(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    set32(s.field, 7, -1);
    set8(s.field, 11, 77);
    block b = finish(m, s.schema);
    accept(b);
    poke16(b, vtable_slot_of(s.field, 7), 0xFFFF);
    accept(b);
}

static void slots_that_a_writer_could_have_trimmed_are_good(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    keep_slots(s.schema, 12);
    keep_slots(s.type, 9);
    accept(finish(m, s.schema));
}

static void defaults_may_be_stored(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    set16(s.schema, SCHEMA_ENDIANNESS, 0);
    set8(s.field, FIELD_NULLABLE, 0);
    node *dictionary = add_dictionary(m, s.field, 0, int_type(m, 32, true));
    set8(dictionary, DICTIONARY_ORDERED, 0);
    set16(dictionary, DICTIONARY_KIND, 0);
    accept(finish(m, s.schema));
}

static void vtables_may_be_shared(void **state)
{
    maker *m = *state;
    share_vtables(m);
    node *root = new_schema(m);
    for (int i = 0; i < 40; i++) {
        node *field = int_field(m, "a");
        add_dictionary(m, field, i, int_type(m, 8, true));
        add_field(root, field);
        add_pair(m, field, FIELD_METADATA, "k", "v");
    }
    accept(finish(m, root));
}

/* The same vtable serves a KeyValue and an Int, of which only one has offsets in it. */
static void a_vtable_shared_by_tables_of_two_kinds_is_judged_for_each(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    set32(s.type, INT_SIGNED, 1);
    share_vtables(m);
    block b = finish(m, s.schema);
    assert_int_equal(vtable_of(s.type), vtable_of(s.pair));
    accept(b);
    poke16(b, vtable_slot_of(s.pair, PAIR_VALUE), 9);
    refuse(b);
    expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, MALFORMED, "fields[0].custom_metadata[0]");
}

/* 8-byte values */

static void a_dictionary_id_off_eight_is_malformed_at_strict_only(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a");
    node *dictionary = add_dictionary(m, field, 7, int_type(m, 8, true));
    put_off_eight(dictionary);
    block b = finish(m, schema_with(m, field));
    refuse_strictly_at(b, FLETCH_SCHEMA, place_of(dictionary, DICTIONARY_ID),
                       "fields[0].dictionary.id");
}

static void a_body_length_off_eight_is_malformed_at_strict_only(void **state)
{
    maker *m = *state;
    node *message = new_message(m, make_sample(m).schema);
    set64(message, MESSAGE_BODY, 0);
    expect_everywhere(finish(m, message), FLETCH_MESSAGE, OK);
    put_off_eight(message);
    block b = finish(m, message);
    refuse_strictly_at(b, FLETCH_MESSAGE, place_of(message, MESSAGE_BODY), "message.bodyLength");
}

static void features_off_eight_are_malformed_at_strict_only(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    node *features = make_vector(m, 8);
    append_number(features, 1);
    set_node(s.schema, SCHEMA_FEATURES, features);
    accept(finish(m, s.schema));
    put_off_eight(features);
    block b = finish(m, s.schema);
    expect_levels(b, FLETCH_SCHEMA, OK, OK, MALFORMED);
    expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, MALFORMED, "features");
}

static void no_features_off_eight_are_good(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    node *features = make_vector(m, 8);
    set_node(s.schema, SCHEMA_FEATURES, features);
    put_off_eight(features);
    block b = finish(m, s.schema);
    assert_int_equal(place(features) % 8, 0);
    accept(b);
}

/* A Footer with `count` blocks of 24 bytes in one of its two vectors. */
static node *footer_with_blocks(maker *m, unsigned slot, unsigned count, bool off_eight)
{
    node *footer = new_footer(m, make_sample(m).schema), *blocks = make_vector(m, 8);
    for (unsigned i = 0; i < 3 * count; i++)
        append_number(blocks, 8);
    if (off_eight) put_off_eight(blocks);
    set_node(footer, slot, blocks);
    return footer;
}

/* The maker counts words of 8 bytes, three to a block. */
static block write_blocks(maker *m, node *footer, unsigned slot)
{
    block b = finish(m, footer);
    node *blocks = member(footer, slot);
    poke32(b, place(blocks), count_of(blocks) / 3);
    return b;
}

static void blocks_off_eight_are_malformed_at_strict_only(void **state)
{
    static const unsigned slots[] = {FOOTER_DICTIONARIES, FOOTER_BATCHES};
    static const char *const paths[] = {"footer.dictionaries", "footer.recordBatches"};
    maker *m = *state;
    for (size_t i = 0; i < 2; i++) {
        block good = write_blocks(m, footer_with_blocks(m, slots[i], 2, false), slots[i]);
        block bad = write_blocks(m, footer_with_blocks(m, slots[i], 2, true), slots[i]);
        expect_everywhere(good, FLETCH_FOOTER, OK);
        expect_levels(bad, FLETCH_FOOTER, OK, OK, MALFORMED);
        expect_under(bad, FLETCH_FOOTER, FLETCH_LEVEL_STRICT, MALFORMED, paths[i]);
    }
}

static void no_blocks_off_eight_are_good(void **state)
{
    maker *m = *state;
    node *footer = footer_with_blocks(m, FOOTER_BATCHES, 0, true);
    expect_everywhere(finish(m, footer), FLETCH_FOOTER, OK);
}

static void blocks_past_the_end_are_malformed(void **state)
{
    maker *m = *state;
    node *footer = footer_with_blocks(m, FOOTER_BATCHES, 2, false);
    block b = write_blocks(m, footer, FOOTER_BATCHES);
    size_t at = place(member(footer, FOOTER_BATCHES));
    static const uint32_t counts[] = {100, 0x0AAAAAAA, 0x0AAAAAAB, 0x15555556, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        poke32(b, at, counts[i]);
        expect_everywhere(b, FLETCH_FOOTER, MALFORMED);
        expect_at(b, FLETCH_FOOTER, FLETCH_LEVEL_ARROW, MALFORMED, at, "footer.recordBatches");
    }
}

/* Bools */

/* A schema in which every bool is stored; the places and paths of the five. */
enum { BOOLS = 5 };
static block write_bools(maker *m, offset_word *bools)
{
    node *field = int_field(m, "a"), *index = int_type(m, 8, true), *map_type = make_table(m);
    node *dictionary = add_dictionary(m, field, 0, index);
    set8(dictionary, DICTIONARY_ORDERED, 1);
    node *map = new_field(m, "m", FLETCH_TYPE_MAP, map_type);
    set8(map_type, 0, 1);
    node *entries = add_child(map, nested_field(m, "entries", FLETCH_TYPE_STRUCT));
    set8(entries, FIELD_NULLABLE, 0);
    set8(add_child(entries, int_field(m, "key")), FIELD_NULLABLE, 0);
    add_child(entries, int_field(m, "value"));
    node *root = schema_with(m, field);
    add_field(root, map);
    block b = finish(m, root);
    const offset_word list[BOOLS] = {
        {place_of(field, FIELD_NULLABLE), "fields[0].nullable"},
        {place_of(member(field, FIELD_TYPE), INT_SIGNED), "fields[0].type.is_signed"},
        {place_of(dictionary, DICTIONARY_ORDERED), "fields[0].dictionary.isOrdered"},
        {place_of(index, INT_SIGNED), "fields[0].dictionary.indexType.is_signed"},
        {place_of(map_type, 0), "fields[1].type.keysSorted"},
    };
    memcpy(bools, list, sizeof list);
    return b;
}

static void a_bool_beyond_one_is_malformed_at_strict_only(void **state)
{
    maker *m = *state;
    offset_word bools[BOOLS];
    block good = write_bools(m, bools);
    accept(good);
    for (size_t i = 0; i < BOOLS; i++) {
        for (unsigned value = 2; value < 256; value += 253) {
            block b = copy_of(m, good.bytes, good.size);
            poke8(b, bools[i].at, (uint8_t)value);
            refuse_strictly_at(b, FLETCH_SCHEMA, bools[i].at, bools[i].path);
        }
    }
}

/* Strings */

/* The sample with another string of `size` bytes in each of three places. */
static void list_strings(const sample *s, offset_word *strings)
{
    const offset_word list[3] = {
        {place(s->name), "fields[0].name"},
        {place(member(s->pair, PAIR_KEY)), "fields[0].custom_metadata[0].key"},
        {place(member(s->pair, PAIR_VALUE)), "fields[0].custom_metadata[0].value"},
    };
    memcpy(strings, list, sizeof list);
}

static void a_string_past_the_end_is_malformed(void **state)
{
    static const uint32_t sizes[] = {500,        0x7FFFFFFF, 0x80000000,
                                     0xFFFFFFFB, 0xFFFFFFFC, 0xFFFFFFFF};
    maker *m = *state;
    sample s;
    offset_word strings[3];
    block good = written(m, &s);
    list_strings(&s, strings);
    for (size_t i = 0; i < 3 * sizeof sizes / sizeof *sizes; i++) {
        block b = copy_of(m, good.bytes, good.size);
        poke32(b, strings[i % 3].at, sizes[i / 3]);
        refuse_at(b, strings[i % 3].at, strings[i % 3].path);
    }
}

static void a_string_without_its_nul_is_malformed(void **state)
{
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    poke8(b, place(s.name) + 4 + 3, 'X');
    refuse(b);
    expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, MALFORMED, "fields[0].name");
}

static void a_string_whose_nul_would_stand_behind_the_end_is_malformed(void **state)
{
    maker *m = *state;
    node *root = make_table(m), *pair = add_pair(m, root, SCHEMA_METADATA, NULL, "value");
    block b = finish(m, root);
    size_t end = place(member(pair, PAIR_VALUE)) + 4 + 5 + 1;
    assert_int_equal(end, b.size);
    expect_levels(b, FLETCH_SCHEMA, OK, FLETCH_MISSING, FLETCH_MISSING);
    refuse_at(cut(m, b, end - 1), place(member(pair, PAIR_VALUE)), "custom_metadata[0].value");
}

static void a_string_in_the_last_three_bytes_is_malformed(void **state)
{
    maker *m = *state;
    sample s;
    block b = written(m, &s);
    b = pad(m, b, 4 - b.size % 4 + 3);
    size_t at = place_of(s.field, FIELD_NAME);
    poke32(b, at, (uint32_t)(b.size - 3 - at));
    refuse_at(b, at, "fields[0].name");
}

static void a_nul_inside_a_string_is_good(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    set_node(s.field, FIELD_NAME, make_string(m, "a\0b\0", 4));
    set_node(s.pair, PAIR_VALUE, make_string(m, "\0", 1));
    accept(finish(m, s.schema));
}

/* UTF-8 */

typedef struct utf8_row {
    const char *bytes;
    int bad; /* the first bad byte's index; -1: none, -2: one or another of them */
} utf8_row;

static const utf8_row utf8_rows[] = {
    {"", -1},
    {"\x7F", -1},
    {"\xC2\x80", -1},         /* U+0080 */
    {"\xDF\xBF", -1},         /* U+07FF */
    {"\xE0\xA0\x80", -1},     /* U+0800 */
    {"\xED\x9F\xBF", -1},     /* U+D7FF */
    {"\xEE\x80\x80", -1},     /* U+E000 */
    {"\xEF\xBF\xBF", -1},     /* U+FFFF */
    {"\xF0\x90\x80\x80", -1}, /* U+10000 */
    {"\xF4\x8F\xBF\xBF", -1}, /* U+10FFFF */
    {"na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x8E\xAF", -1},
    {"\x80", 0}, /* a tail without a head */
    {"ab\xBF", 2},
    {"\xC0\x80", 0},         /* too long for U+0000 */
    {"abcdefgh\xC1\xBF", 8}, /* too long for U+007F */
    {"\xE0\x9F\xBF", -2},    /* too long for U+07FF */
    {"\xED\xA0\x80", -2},    /* a surrogate */
    {"\xED\xBF\xBF", -2},
    {"\xF0\x8F\xBF\xBF", -2}, /* too long for U+FFFF */
    {"\xF4\x90\x80\x80", -2}, /* beyond U+10FFFF */
    {"\xF5\x80\x80\x80", 0},
    {"\xF8\x88\x80\x80\x80", 0},
    {"\xFE", 0},
    {"0123456789abcdef\xFF", 16},
    {"\xC3(", -2},
    {"\xE2\x82", -2}, /* cut short */
    {"\xE2\x28\xA1", -2},
    {"\xF0\x9F\x8E", -2},
    {"\xF0\x9F\x8E ", -2},
    {"\xC3\xA9\xC3", -2},
};

static void check_utf8(maker *m, const utf8_row *row, block b, const node *string, const char *path)
{
    size_t begin = place(string) + 4;
    (void)m;
    if (row->bad == -1) {
        accept(b);
        return;
    }
    expect_levels(b, FLETCH_SCHEMA, OK, OK, MALFORMED);
    fletch_error error = expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, MALFORMED);
    assert_string_equal(error.path, path);
    assert_in_range(error.offset, begin, begin + strlen(row->bytes));
    if (row->bad >= 0) assert_int_equal(error.offset, begin + (size_t)row->bad);
}

static void names_keys_and_values_are_utf8_at_strict(void **state)
{
    static const char *const paths[] = {"fields[0].name", "fields[0].custom_metadata[0].key",
                                        "fields[0].custom_metadata[0].value"};
    maker *m = *state;
    for (size_t i = 0; i < 3 * sizeof utf8_rows / sizeof *utf8_rows; i++) {
        sample s = make_sample(m);
        const utf8_row *row = &utf8_rows[i / 3];
        node *string = make_text(m, row->bytes);
        if (i % 3 == 0) set_node(s.field, FIELD_NAME, string);
        if (i % 3 == 1) set_node(s.pair, PAIR_KEY, string);
        if (i % 3 == 2) set_node(s.pair, PAIR_VALUE, string);
        check_utf8(m, row, finish(m, s.schema), string, paths[i % 3]);
    }
}

static void a_timezone_is_utf8_at_strict(void **state)
{
    maker *m = *state;
    for (size_t i = 0; i < sizeof utf8_rows / sizeof *utf8_rows; i++) {
        node *type = make_table(m), *zone = make_text(m, utf8_rows[i].bytes);
        set_node(type, TIMESTAMP_ZONE, zone);
        block b = finish(m, schema_with(m, new_field(m, "a", FLETCH_TYPE_TIMESTAMP, type)));
        check_utf8(m, &utf8_rows[i], b, zone, "fields[0].type.timezone");
    }
}

static void utf8_is_checked_in_pieces_of_any_length(void **state)
{
    maker *m = *state;
    for (size_t before = 0; before < 40; before++) {
        char name[48];
        memset(name, 'x', before);
        memcpy(name + before, "\xE2\x82\xAC\xFF", 5);
        sample s = make_sample(m);
        set_node(s.field, FIELD_NAME, make_text(m, name));
        block b = finish(m, s.schema);
        size_t begin = place(member(s.field, FIELD_NAME)) + 4;
        refuse_strictly_at(b, FLETCH_SCHEMA, begin + before + 3, "fields[0].name");
    }
}

static void the_metadata_of_schema_message_and_footer_is_utf8_at_strict(void **state)
{
    maker *m = *state;
    node *schema = new_schema(m), *message = new_message(m, schema);
    node *pair = add_pair(m, message, MESSAGE_METADATA, "k", "\xFF");
    block b = finish(m, message);
    refuse_strictly_at(b, FLETCH_MESSAGE, place(member(pair, PAIR_VALUE)) + 4,
                       "message.custom_metadata[0].value");
    node *footer = new_footer(m, schema);
    pair = add_pair(m, footer, FOOTER_METADATA, "\xFF", "v");
    b = finish(m, footer);
    refuse_strictly_at(b, FLETCH_FOOTER, place(member(pair, PAIR_KEY)) + 4,
                       "footer.custom_metadata[0].key");
    pair = add_pair(m, schema, SCHEMA_METADATA, "k", "ab\xFF");
    b = finish(m, schema);
    refuse_strictly_at(b, FLETCH_SCHEMA, place(member(pair, PAIR_VALUE)) + 6,
                       "custom_metadata[0].value");
}

/* Vectors */

static void a_vector_past_the_end_is_malformed(void **state)
{
    static const uint32_t counts[] = {200,        0x1FFFFFFF, 0x20000000, 0x3FFFFFFF,
                                      0x40000000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    maker *m = *state;
    sample s = make_sample(m);
    node *features = make_vector(m, 8);
    append_number(features, 1);
    set_node(s.schema, SCHEMA_FEATURES, features);
    block good = finish(m, s.schema);
    const offset_word vectors[] = {{place(s.fields), "fields"},
                                   {place(s.children), "fields[0].children"},
                                   {place(s.metadata), "fields[0].custom_metadata"},
                                   {place(features), "features"}};
    for (size_t i = 0; i < 4 * sizeof counts / sizeof *counts; i++) {
        block b = copy_of(m, good.bytes, good.size);
        poke32(b, vectors[i % 4].at, counts[i / 4]);
        refuse_at(b, vectors[i % 4].at, vectors[i % 4].path);
    }
}

static void type_ids_past_the_end_are_malformed(void **state)
{
    static const uint32_t counts[] = {2, 0x3FFFFFFF, 0x40000000, 0xFFFFFFFF};
    maker *m = *state;
    node *type = make_table(m), *ids = make_vector(m, 4);
    append_number(ids, 0);
    set_node(type, UNION_TYPE_IDS, ids);
    node *field = new_field(m, NULL, FLETCH_TYPE_UNION, type);
    drop(field, FIELD_CHILDREN);
    block b = finish(m, schema_with(m, field));
    b = cut(m, b, place(ids) + 8);
    for (size_t i = 0; i < 4; i++) {
        poke32(b, place(ids), counts[i]);
        refuse_at(b, place(ids), "fields[0].type.typeIds");
    }
}

/* Unions */

static void a_union_tag_without_its_value_is_malformed(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    drop(s.field, FIELD_TYPE);
    block b = finish(m, s.schema);
    refuse_at(b, place(s.field), "fields[0].type");
}

static void a_tag_of_a_type_without_members_needs_its_table_too(void **state)
{
    maker *m = *state;
    for (int tag = 1; tag < 28; tag++) {
        node *field = nested_field(m, "a", tag);
        drop(field, FIELD_TYPE);
        refuse(finish(m, schema_with(m, field)));
    }
}

static void a_union_value_without_its_tag_is_malformed(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    drop(s.field, FIELD_TYPE_TAG);
    block b = finish(m, s.schema);
    refuse(b);
    expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, MALFORMED, "fields[0].type");
}

static void a_union_value_with_tag_none_is_malformed(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    set8(s.field, FIELD_TYPE_TAG, 0);
    block b = finish(m, s.schema);
    refuse(b);
    expect_under(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, MALFORMED, "fields[0].type");
}

static void tag_none_may_be_stored_without_a_value(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    set8(s.field, FIELD_TYPE_TAG, 0);
    drop(s.field, FIELD_TYPE);
    expect_levels(finish(m, s.schema), FLETCH_SCHEMA, OK, FLETCH_MISSING, FLETCH_MISSING);
}

static void nothing_is_read_behind_an_unknown_tag(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    set8(s.field, FIELD_TYPE_TAG, 27);
    block b = pad(m, finish(m, s.schema), 4);
    size_t at = place_of(s.field, FIELD_TYPE), last = (b.size - 4) / 4 * 4;
    memset(b.bytes + last, 0xFF, b.size - last);
    poke32(b, at, (uint32_t)(last - at));
    expect_levels(b, FLETCH_SCHEMA, OK, FLETCH_UNSUPPORTED, FLETCH_UNSUPPORTED);
}

static void the_value_of_an_unknown_tag_must_be_in_bounds(void **state)
{
    static const uint32_t offsets[] = {0, 0x10000, 0x80000000, 0xFFFFFFFF, 5};
    maker *m = *state;
    sample s = make_sample(m);
    set8(s.field, FIELD_TYPE_TAG, 200);
    block b = finish(m, s.schema);
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        poke32(b, place_of(s.field, FIELD_TYPE), offsets[i]);
        refuse_at(b, place_of(s.field, FIELD_TYPE), "fields[0].type");
    }
}

/* Order, and where */

static void malformed_comes_before_invalid_wherever_each_stands(void **state)
{
    maker *m = *state;
    node *bad_width = new_field(m, "a", FLETCH_TYPE_INT, int_type(m, 7, true));
    node *root = schema_with(m, bad_width), *last = int_field(m, "z");
    add_field(root, last);
    expect_levels(finish(m, root), FLETCH_SCHEMA, OK, FLETCH_INVALID, FLETCH_INVALID);
    drop(last, FIELD_TYPE_TAG);
    expect_everywhere(finish(m, root), FLETCH_SCHEMA, MALFORMED);
}

static void malformed_at_strict_comes_before_invalid_too(void **state)
{
    maker *m = *state;
    node *bad_width = new_field(m, "a", FLETCH_TYPE_INT, int_type(m, 7, true));
    node *root = schema_with(m, bad_width);
    add_field(root, int_field(m, "\xFF"));
    expect_levels(finish(m, root), FLETCH_SCHEMA, OK, FLETCH_INVALID, MALFORMED);
}

static void malformed_comes_before_missing(void **state)
{
    maker *m = *state;
    node *root = make_table(m);
    add_pair(m, root, SCHEMA_METADATA, "k", "\xFF");
    expect_levels(finish(m, root), FLETCH_SCHEMA, OK, FLETCH_MISSING, MALFORMED);
}

static void a_place_counts_from_the_first_byte_of_the_input(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    block b = finish(m, new_message(m, s.schema));
    poke32(b, place_of(s.field, FIELD_NAME), 0);
    size_t at = place_of(s.field, FIELD_NAME);
    expect_at(b, FLETCH_MESSAGE, FLETCH_LEVEL_ARROW, MALFORMED, at,
              "message.header.fields[0].name");
    expect_at(stream_of(m, b), FLETCH_STREAM, FLETCH_LEVEL_ARROW, MALFORMED, at + 8,
              "message.header.fields[0].name");
    expect_at(frame(m, b, true), FLETCH_ENCAPSULATED, FLETCH_LEVEL_ARROW, MALFORMED, at + 4,
              "message.header.fields[0].name");
}

static void a_place_in_a_file_counts_from_the_files_first_byte(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    block message = finish(m, new_message(m, s.schema));
    block footer = finish(m, new_footer(m, s.schema));
    poke32(footer, place_of(s.field, FIELD_NAME), 0);
    block b = file_of(m, message, footer);
    size_t origin = b.size - 10 - footer.size;
    expect_at(b, FLETCH_FILE, FLETCH_LEVEL_ARROW, MALFORMED, origin + place_of(s.field, FIELD_NAME),
              "footer.schema.fields[0].name");
}

static void a_path_that_is_too_long_loses_its_middle(void **state)
{
    maker *m = *state;
    node *root = deep_schema(m, 100);
    node *field = NULL;
    for (node *list = member(root, SCHEMA_FIELDS); list && count_of(list);) {
        field = first_of(list);
        list = member(field, FIELD_CHILDREN);
    }
    block b = finish(m, root);
    poke32(b, place_of(field, FIELD_NAME), 0);
    fletch_error error = expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, MALFORMED);
    assert_int_equal(error.offset, place_of(field, FIELD_NAME));
    assert_int_equal(strncmp(error.path, "fields[0].children[0]", 21), 0);
    assert_string_equal(error.path + strlen(error.path) - 17, ".children[0].name");
    assert_non_null(strstr(error.path, "..."));
}

static void a_path_tells_which_of_many(void **state)
{
    maker *m = *state;
    node *root = new_schema(m);
    for (int i = 0; i < 138; i++)
        add_field(root, int_field(m, "a"));
    node *last = int_field(m, "z");
    add_field(root, last);
    node *pair = NULL;
    for (int i = 0; i < 3; i++)
        pair = add_pair(m, last, FIELD_METADATA, "k", "v");
    block b = finish(m, root);
    poke32(b, place_of(pair, PAIR_VALUE), 0xFFFFFFF0);
    refuse_at(b, place_of(pair, PAIR_VALUE), "fields[138].custom_metadata[2].value");
}

static void options_may_be_null(void **state)
{
    sample s;
    block b = written(*state, &s);
    expect(b, NULL, OK);
}

/* Slots and the sizes of tables, each value, by the rules written here once more. */

/* Whether a number of so many bytes may have this slot, in a table of that size. */
static bool is_good_slot(uint32_t slot, uint32_t width, uint32_t table_size)
{
    if (slot == 0) return true;
    return slot >= 4 && slot + width <= table_size && (width == 8 || slot % width == 0);
}

/* A good field's table of so many members, all numbers, and one of these to spoil. */
typedef struct spoilt {
    node *table;
    unsigned count, slot;
    const unsigned *widths;
} spoilt;

static bool is_good_table(block b, const spoilt *s)
{
    const uint32_t size = peek16(b, vtable_of(s->table) + 2);
    const uint32_t slots = (peek16(b, vtable_of(s->table)) - 4) / 2;

    for (unsigned i = 0; i < s->count && i < slots; i++)
        if (s->widths[i] != 0 &&
            !is_good_slot(peek16(b, vtable_slot_of(s->table, i)), s->widths[i], size))
            return false;
    return size >= 4;
}

static void expect_as_ruled(block b, const spoilt *s, uint32_t slot)
{
    const fletch_options options = {FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, {0, 0, 0}, NULL, 0,
                                    false};
    const fletch_status status = fletch_verify(b.bytes, b.size, &options, NULL);

    if ((status == OK) != is_good_table(b, s) || (status != OK && status != MALFORMED))
        fail_msg("member %u of %u at %u: status %d", s->slot, s->count, (unsigned)slot,
                 (int)status);
}

/* Each value of each slot, for tables that end in many places. */
static void try_slots_of(block b, const spoilt *each)
{
    static const uint32_t sizes[] = {0,      3,      4,      5,      8,      12,    20,
                                     0x3FF8, 0x3FFF, 0x4000, 0x7FFF, 0x8000, 0xFFFF};
    spoilt s = *each;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        poke16(b, vtable_of(s.table) + 2, sizes[i]);
        for (s.slot = 0; s.slot < s.count; s.slot++) {
            if (s.widths[s.slot] == 0) continue;
            const size_t at = vtable_slot_of(s.table, s.slot);
            const uint32_t before = peek16(b, at);

            for (uint32_t slot = 0; slot <= UINT16_MAX; slot += sizes[i] < 0x3000 ? 1 : 3) {
                poke16(b, at, slot);
                expect_as_ruled(b, &s, slot);
            }
            poke16(b, at, before);
        }
    }
}

/* And with vtables that end behind each slot: those after it are absent, whatever stands there. */
static void try_slots(block b, const spoilt *s)
{
    for (unsigned kept = s->count; kept != 0; kept--) {
        poke16(b, vtable_of(s->table), 4 + 2 * kept);
        try_slots_of(b, s);
    }
}

/* As many zero bytes behind it as any table takes. */
static block with_space(maker *m, node *schema)
{
    return pad(m, finish(m, schema), 1 << 16);
}

static void each_slot_of_a_type_is_as_ruled(void **state)
{
    static const struct {
        int tag;
        unsigned count, widths[3];
    } types[] = {{FLETCH_TYPE_INT, 2, {4, 1}},
                 {FLETCH_TYPE_FLOATING_POINT, 1, {2}},
                 {FLETCH_TYPE_DECIMAL, 3, {4, 4, 4}},
                 {FLETCH_TYPE_TIME, 2, {2, 4}},
                 {FLETCH_TYPE_FIXED_SIZE_BINARY, 1, {4}},
                 {FLETCH_TYPE_MAP, 1, {1}}};
    maker *m = *state;

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        node *type = make_table(m);
        const spoilt s = {type, types[i].count, 0, types[i].widths};

        keep_slots(type, types[i].count);
        try_slots(with_space(m, schema_with(m, new_field(m, "a", types[i].tag, type))), &s);
    }
}

/* The index type, an offset, is absent. */
static void each_slot_of_a_dictionary_is_as_ruled(void **state)
{
    static const unsigned widths[] = {8, 0, 1, 2};
    maker *m = *state;
    node *field = text_field(m, "a"), *dictionary = add_dictionary(m, field, 0, NULL);
    const spoilt s = {dictionary, 4, 0, widths};

    keep_slots(dictionary, 4);
    try_slots(with_space(m, schema_with(m, field)), &s);
}

/* The word behind the vtable would lead to a kind that is not known. */
static void what_is_behind_the_end_of_a_vtable_is_no_slot(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a"), *dictionary = add_dictionary(m, field, 0, NULL);
    fletch_schema schema;
    fletch_field read;
    block b;

    set16(dictionary, DICTIONARY_KIND, 77);
    b = finish(m, schema_with(m, field));
    expect_levels(b, FLETCH_SCHEMA, OK, FLETCH_UNSUPPORTED, FLETCH_UNSUPPORTED);
    poke16(b, vtable_of(dictionary), 4 + 2 * DICTIONARY_KIND);
    accept(b);
    assert_int_equal(fletch_open(b.bytes, b.size, &schema, NULL), OK);
    assert_true(fletch_next_field(&schema.fields, &read));
    assert_int_equal(read.dictionary.kind, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(the_sample_is_good),
        WITH_MAKER(each_slot_of_a_type_is_as_ruled),
        WITH_MAKER(each_slot_of_a_dictionary_is_as_ruled),
        WITH_MAKER(what_is_behind_the_end_of_a_vtable_is_no_slot),
        WITH_MAKER(no_bytes_are_empty),
        cmocka_unit_test(no_bytes_may_be_a_null_pointer),
        WITH_MAKER(fewer_bytes_than_a_root_are_truncated),
        WITH_MAKER(bytes_behind_the_last_object_are_ignored),
        WITH_MAKER(a_flatbuffer_needs_no_alignment_in_memory),
        WITH_MAKER(a_root_offset_must_lead_to_a_table),
        WITH_MAKER(a_root_offset_past_the_end_is_malformed),
        WITH_MAKER(an_offset_of_zero_is_malformed_anywhere),
        WITH_MAKER(an_offset_with_bit_31_is_malformed_anywhere),
        WITH_MAKER(an_offset_past_the_end_is_malformed_anywhere),
        WITH_MAKER(an_object_off_four_is_malformed_anywhere),
        WITH_MAKER(an_offset_may_lead_to_the_last_word_but_not_behind),
        WITH_MAKER(an_offset_to_a_dictionary_or_features_is_checked_too),
        WITH_MAKER(a_vtable_outside_is_malformed),
        WITH_MAKER(a_vtable_that_ends_with_the_buffer_is_good_and_one_byte_less_is_not),
        WITH_MAKER(a_vtable_at_an_odd_place_is_malformed),
        WITH_MAKER(a_vtable_at_an_odd_place_is_malformed_for_every_table),
        WITH_MAKER(a_vtable_may_stand_behind_its_table),
        WITH_MAKER(a_vtable_of_a_wrong_size_is_malformed),
        WITH_MAKER(a_table_of_a_wrong_size_is_malformed),
        WITH_MAKER(a_table_of_an_odd_size_is_good),
        WITH_MAKER(a_member_inside_the_tables_first_word_is_malformed),
        WITH_MAKER(a_member_past_the_tables_size_is_malformed),
        WITH_MAKER(a_slot_of_ffff_is_malformed),
        WITH_MAKER(a_member_of_four_bytes_off_four_is_malformed),
        WITH_MAKER(a_member_of_two_bytes_off_two_is_malformed),
        WITH_MAKER(members_may_overlap),
        WITH_MAKER(objects_may_be_shared),
        WITH_MAKER(objects_may_overlap),
        WITH_MAKER(slots_beyond_the_schemas_are_ignored),
        WITH_MAKER(slots_that_a_writer_could_have_trimmed_are_good),
        WITH_MAKER(defaults_may_be_stored),
        WITH_MAKER(vtables_may_be_shared),
        WITH_MAKER(a_vtable_shared_by_tables_of_two_kinds_is_judged_for_each),
        WITH_MAKER(a_dictionary_id_off_eight_is_malformed_at_strict_only),
        WITH_MAKER(a_body_length_off_eight_is_malformed_at_strict_only),
        WITH_MAKER(features_off_eight_are_malformed_at_strict_only),
        WITH_MAKER(no_features_off_eight_are_good),
        WITH_MAKER(blocks_off_eight_are_malformed_at_strict_only),
        WITH_MAKER(no_blocks_off_eight_are_good),
        WITH_MAKER(blocks_past_the_end_are_malformed),
        WITH_MAKER(a_bool_beyond_one_is_malformed_at_strict_only),
        WITH_MAKER(a_string_past_the_end_is_malformed),
        WITH_MAKER(a_string_without_its_nul_is_malformed),
        WITH_MAKER(a_string_whose_nul_would_stand_behind_the_end_is_malformed),
        WITH_MAKER(a_string_in_the_last_three_bytes_is_malformed),
        WITH_MAKER(a_nul_inside_a_string_is_good),
        WITH_MAKER(names_keys_and_values_are_utf8_at_strict),
        WITH_MAKER(a_timezone_is_utf8_at_strict),
        WITH_MAKER(utf8_is_checked_in_pieces_of_any_length),
        WITH_MAKER(the_metadata_of_schema_message_and_footer_is_utf8_at_strict),
        WITH_MAKER(a_vector_past_the_end_is_malformed),
        WITH_MAKER(type_ids_past_the_end_are_malformed),
        WITH_MAKER(a_union_tag_without_its_value_is_malformed),
        WITH_MAKER(a_tag_of_a_type_without_members_needs_its_table_too),
        WITH_MAKER(a_union_value_without_its_tag_is_malformed),
        WITH_MAKER(a_union_value_with_tag_none_is_malformed),
        WITH_MAKER(tag_none_may_be_stored_without_a_value),
        WITH_MAKER(nothing_is_read_behind_an_unknown_tag),
        WITH_MAKER(the_value_of_an_unknown_tag_must_be_in_bounds),
        WITH_MAKER(malformed_comes_before_invalid_wherever_each_stands),
        WITH_MAKER(malformed_at_strict_comes_before_invalid_too),
        WITH_MAKER(malformed_comes_before_missing),
        WITH_MAKER(a_place_counts_from_the_first_byte_of_the_input),
        WITH_MAKER(a_place_in_a_file_counts_from_the_files_first_byte),
        WITH_MAKER(a_path_that_is_too_long_loses_its_middle),
        WITH_MAKER(a_path_tells_which_of_many),
        WITH_MAKER(options_may_be_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
