/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Details to the letter: places, paths and sentences of faults and differences, and what is shared
 * in what is written. Each was found by changing the library where no other test noticed.
 */
#include "support/ctree.h"

#include "fletch/explain.h"
#include "fletch/heap.h"

#include <stdio.h>
#include <string.h>

#define OK FLETCH_OK

/* Errors */

/* A time of no possible width, so many lists deep. */
static node *faulty_schema(maker *m, int depth)
{
    node *type = make_table(m);
    set32(type, TIME_WIDTH, 7);
    node *field = new_field(m, "t", FLETCH_TYPE_TIME, type);
    for (int i = 0; i < depth; i++) {
        node *list = nested_field(m, "list", FLETCH_TYPE_LIST);
        add_child(list, field);
        field = list;
    }
    return schema_with(m, field);
}

static void a_long_path_has_both_its_ends_to_the_letter(void **state)
{
    enum { HALF = (FLETCH_PATH_SIZE - 1 - 3) / 2 };
    maker *m = *state;
    for (int depth = 0; depth < 30; depth++) {
        char whole[1024] = "fields[0]", shown[FLETCH_PATH_SIZE + 1];
        for (int i = 0; i < depth; i++)
            strcat(whole, ".children[0]");
        strcat(whole, ".type.bitWidth");
        strcpy(shown, "");
        strncat(shown, whole, FLETCH_PATH_SIZE);
        if (strlen(whole) >= FLETCH_PATH_SIZE) {
            strcpy(shown + HALF, "...");
            strcat(shown, whole + strlen(whole) - HALF);
        }
        fletch_error error = expect_as(finish(m, faulty_schema(m, depth)), FLETCH_SCHEMA,
                                       FLETCH_LEVEL_ARROW, FLETCH_INVALID);
        assert_string_equal(error.path, shown);
    }
}

static void a_bad_type_id_has_its_own_place(void **state)
{
    maker *m = *state;
    for (size_t bad = 0; bad < 3; bad++) {
        node *type = make_table(m), *ids = make_vector(m, 4);
        set16(type, UNION_MODE, FLETCH_DENSE);
        for (size_t i = 0; i < 3; i++)
            append_number(ids, i == bad ? -7 : (int)i);
        set_node(type, UNION_TYPE_IDS, ids);
        node *field = new_field(m, "u", FLETCH_TYPE_UNION, type);
        for (size_t i = 0; i < 3; i++)
            add_child(field, int_field(m, "a"));
        block b = finish(m, schema_with(m, field));
        char path[64];
        snprintf(path, sizeof path, "fields[0].type.typeIds[%zu]", bad);
        expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, FLETCH_INVALID, place(ids) + 4 + 4 * bad,
                  path);
    }
}

/* Where there is no word of four bytes, as there mostly is, the two are looked at all the same. */
static void a_unit_in_the_last_two_bytes_is_checked(void **state)
{
    maker *m = *state;
    for (uint32_t unit = 0; unit < 4; unit++) {
        node *type = make_table(m);
        set16(type, 0, 0);
        node *field = new_field(m, "a", FLETCH_TYPE_DATE, type);
        block b = finish(m, schema_with(m, field));
        const size_t vtable = vtable_of(type), at = (b.size + 3) / 4 * 4;
        const size_t offset = place_of(field, FIELD_TYPE);
        assert_int_equal(peek16(b, vtable_slot_of(type, 0)), 4);
        b = pad(m, b, at + 6 - b.size);
        poke16(b, vtable + 2, 6);
        poke32(b, offset, (uint32_t)(at - offset));
        poke32(b, at, (uint32_t)(at - vtable));
        poke16(b, at + 4, unit);
        expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, unit < 2 ? OK : FLETCH_UNSUPPORTED);
    }
}

static void a_table_that_is_too_large_is_told_where_its_size_stands(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    block b = finish(m, schema_with(m, field));
    poke16(b, vtable_of(field) + 2, 0xFFFC);
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, FLETCH_MALFORMED, vtable_of(field) + 2,
              "fields[0]");
}

static void a_pair_whose_value_is_not_utf8_is_told_by_its_number(void **state)
{
    maker *m = *state;
    for (int bad = 0; bad < 3; bad++) {
        node *field = int_field(m, "a");
        for (int i = 0; i < 3; i++)
            add_pair(m, field, FIELD_METADATA, "key", i == bad ? "\xFF" : "value");
        char path[64];
        snprintf(path, sizeof path, "fields[0].custom_metadata[%d].value", bad);
        fletch_error error = expect_as(finish(m, schema_with(m, field)), FLETCH_SCHEMA,
                                       FLETCH_LEVEL_STRICT, FLETCH_MALFORMED);
        assert_string_equal(error.path, path);
    }
}

/* Building */

static void entries_of_a_map_that_are_not_two_stay_open(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "map", fletch_map(false), 0);
    fletch_begin_field(b, "entries", fletch_struct(), 0);
    fletch_add_field(b, "key", fletch_utf8(), 0);
    fletch_end_field(b);
    fletch_end_field(b);
    not_built_at(b, FLETCH_INVALID, "fields[0].children[0].children");
}

static void missing_space_is_at_no_place(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder_in(m, 50);
    const void *bytes;
    size_t size;
    fletch_error error;
    fletch_add_field(b, "a", fletch_utf8(), 0);
    assert_int_equal(fletch_finish(b, FLETCH_SCHEMA, &bytes, &size, &error), FLETCH_NO_SPACE);
    assert_int_equal(error.offset, 0);
}

static unsigned count_of_text(block b, const char *text)
{
    size_t size = strlen(text);
    unsigned count = 0;
    for (size_t at = 0; at + size <= b.size; at++)
        count += memcmp(b.bytes + at, text, size) == 0;
    return count;
}

static void names_of_nested_fields_are_written_once(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    for (int i = 0; i < 3; i++) {
        fletch_begin_field(b, "top", fletch_list(), 0);
        fletch_begin_field(b, "a middle name that is not short", fletch_list(), 0);
        fletch_add_field(b, "an inner name that is not short", fletch_utf8(), 0);
        fletch_end_field(b);
        fletch_end_field(b);
    }
    block made = built(m, b, FLETCH_SCHEMA);
    assert_int_equal(count_of_text(made, "a middle name that is not short"), 1);
    assert_int_equal(count_of_text(made, "an inner name that is not short"), 1);
}

static void a_builder_that_is_released_gives_its_memory_back(void **state)
{
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    fletch_builder b;
    (void)state;
    fletch_builder_init_growing(&b, &allocator);
    fletch_add_field(&b, "a", fletch_utf8(), 0);
    assert_int_equal(l.blocks, 1);
    fletch_builder_release(&b);
    assert_int_equal(l.blocks, 0);
    assert_false(l.is_misused);
}

static void nothing_is_added_to_a_builder_that_was_released(void **state)
{
    const fletch_allocator heap = fletch_heap();
    fletch_builder b;
    (void)state;
    fletch_builder_init_growing(&b, &heap);
    fletch_builder_release(&b);
    assert_int_equal(fletch_add_field(&b, "a", fletch_utf8(), 0), FLETCH_MISUSE);
}

static void a_bad_zone_behind_a_good_one_is_told_with_its_path(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_add_field(b, "a", fletch_timestamp(FLETCH_SECOND, "UTC"), 0);
    fletch_add_field(b, "b", fletch_timestamp(FLETCH_SECOND, "\xFF"), 0);
    not_built_at(b, FLETCH_MALFORMED, "fields[1].type.timezone");
}

/* Export */

/* A name that is longer than the buffer: space for it is not asked for. */
static void a_bad_name_is_told_before_memory_is_taken(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a name of a field");
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    block b = finish(m, schema_with(m, field));
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
    struct ArrowSchema tree;
    poke32(b, place(member(field, FIELD_NAME)), 0x7000);
    assert_int_equal(fletch_export_schema(&schema, &allocator, NULL, &tree, NULL),
                     FLETCH_MALFORMED);
    assert_int_equal(l.wanting, 0);
}

/* A word for the number of pairs and one for each text, which have no NUL. */
static void metadata_takes_the_memory_of_its_bytes(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    size_t taken[3];
    for (size_t pairs = 0; pairs < 3; pairs++) {
        ledger l = {0};
        if (pairs != 0) add_pair(m, field, FIELD_METADATA, "a key", "of a value");
        fletch_schema schema =
            open_as(finish(m, schema_with(m, field)), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
        struct ArrowSchema tree = exported(&schema, &l);
        taken[pairs] = l.bytes;
        tree.release(&tree);
    }
    assert_int_equal(taken[1] - taken[0], 4 + 4 + strlen("a key") + 4 + strlen("of a value"));
    assert_int_equal(taken[2] - taken[1], 4 + strlen("a key") + 4 + strlen("of a value"));
}

/* The block that an allocator gave last. */
typedef struct last_block {
    char *begin;
    size_t size;
} last_block;

static void *note_block(void *context, void *old, size_t old_size, size_t new_size)
{
    last_block *last = context;
    const fletch_allocator heap = fletch_heap();
    last->begin = heap.reallocate(heap.context, old, old_size, new_size);
    last->size = new_size;
    return last->begin;
}

/* Behind the nodes stand pointers to children, behind these texts, and then the block ends. */
static void an_exported_tree_has_no_gaps(void **state)
{
    maker *m = *state;
    last_block last = {NULL, 0};
    const fletch_allocator allocator = {note_block, &last};
    fletch_schema schema = open_as(finish(m, schema_with(m, int_field(m, "a name"))), FLETCH_SCHEMA,
                                   FLETCH_LEVEL_STRICT);
    struct ArrowSchema tree;
    assert_int_equal(fletch_export_schema(&schema, &allocator, NULL, &tree, NULL), OK);
    const char *name = tree.children[0]->name;
    assert_ptr_equal(name, tree.children + 1);
    assert_ptr_equal(name + sizeof "a name", last.begin + last.size);
    tree.release(&tree);
}

/* Its dictionary stands behind it, and then the other one. */
static void a_field_with_a_dictionary_is_released_without_the_one_beside_it(void **state)
{
    maker *m = *state;
    ledger l = {0};
    node *coded = text_field(m, "coded");
    add_dictionary(m, coded, 1, NULL);
    node *root = schema_with(m, coded);
    add_field(root, int_field(m, "other"));
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    struct ArrowSchema tree = exported(&schema, &l);
    tree.children[0]->release(tree.children[0]);
    assert_non_null(tree.children[1]->release);
    tree.release(&tree);
}

static size_t taken_by(maker *m, int tag, uint32_t children)
{
    node *parent = nested_field(m, "a", tag);
    ledger l = {0};
    for (uint32_t i = 0; i < children; i++)
        add_child(parent, int_field(m, "b"));
    fletch_schema schema =
        open_as(finish(m, schema_with(m, parent)), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    struct ArrowSchema tree = exported(&schema, &l);
    const size_t taken = l.bytes;
    tree.release(&tree);
    return taken;
}

/* A struct's is no text of its own. */
static void the_format_of_a_union_has_the_memory_of_its_longest(void **state)
{
    for (uint32_t children = 1; children < 4; children++)
        assert_int_equal(taken_by(*state, FLETCH_TYPE_UNION, children) -
                             taken_by(*state, FLETCH_TYPE_STRUCT, children),
                         sizeof "+us:" + children * strlen("127,"));
}

static void a_fault_in_an_absent_member_has_its_tables_place(void **state)
{
    maker *m = *state;
    const fletch_allocator heap = fletch_heap();
    node *field = new_field(m, "i", FLETCH_TYPE_INT, make_table(m));
    fletch_schema schema =
        open_as(finish(m, schema_with(m, field)), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
    struct ArrowSchema tree;
    fletch_error error;
    assert_int_equal(fletch_export_schema(&schema, &heap, NULL, &tree, &error), FLETCH_INVALID);
    assert_int_equal(error.offset, place(member(field, FIELD_TYPE)));
    assert_string_equal(error.path, "fields[0].type.bitWidth");
}

/* An allocator that writes a word when it is called. */
typedef struct writer {
    block bytes;
    size_t at;
    uint32_t word;
} writer;

static void *write_and_reallocate(void *context, void *old, size_t old_size, size_t new_size)
{
    writer *w = context;
    const fletch_allocator heap = fletch_heap();
    poke32(w->bytes, w->at, w->word);
    return heap.reallocate(heap.context, old, old_size, new_size);
}

/* Exports a value whose size changes once memory is asked for: a NUL stands at either end. */
static fletch_status export_growing_metadata(maker *m, fletch_error *error)
{
    enum { LONG = 2000 };
    static const char text[LONG] = "v";
    node *field = int_field(m, "a");
    node *pair = add_pair(m, field, FIELD_METADATA, "k", "v");
    set_node(pair, PAIR_VALUE, make_string(m, text, LONG));
    block b = finish(m, schema_with(m, field));
    writer w = {b, place(member(pair, PAIR_VALUE)), LONG};
    const fletch_allocator allocator = {write_and_reallocate, &w};
    struct ArrowSchema tree;
    poke32(b, w.at, 1);
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    return fletch_export_schema(&schema, &allocator, NULL, &tree, error);
}

static void metadata_that_grows_meanwhile_is_not_exported(void **state)
{
    assert_int_equal(export_growing_metadata(*state, NULL), FLETCH_MALFORMED);
}

static void what_changes_while_it_is_exported_is_at_no_place(void **state)
{
    fletch_error error;
    export_growing_metadata(*state, &error);
    assert_int_equal(error.offset, 0);
}

/* Eight bytes are looked at at once. */
static void a_name_has_no_nul_at_any_place_but_may_have_what_is_next_to_it(void **state)
{
    enum { SIZE = 17 };
    const fletch_allocator heap = fletch_heap();
    (void)state;
    for (int at = 0; at < SIZE; at++)
        for (int byte = 0; byte < 256; byte++) {
            char name[SIZE + 1] = "xxxxxxxxxxxxxxxxx";
            fletch_field field = {.name = {name, SIZE}, .type = fletch_utf8()};
            struct ArrowSchema tree;
            name[at] = (char)byte;
            fletch_status status = fletch_export_field(&field, &heap, NULL, &tree, NULL);
            assert_int_equal(status == OK, byte != 0);
            if (status == OK) assert_string_equal(tree.name, name);
            if (status == OK) tree.release(&tree);
        }
}

static void children_and_metadata_may_be_of_two_schemas(void **state)
{
    maker *m = *state;
    const fletch_allocator heap = fletch_heap();
    node *outer = nested_field(m, "outer", FLETCH_TYPE_STRUCT);
    add_child(outer, int_field(m, "child"));
    fletch_schema a = open_as(finish(m, schema_with(m, outer)), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_schema b = open_as(finish(m, make_sample(m).schema), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_field field = field_number(&a, 0);
    struct ArrowSchema tree;
    field.metadata = field_number(&b, 0).metadata;
    assert_int_equal(fletch_export_field(&field, &heap, NULL, &tree, NULL), OK);
    assert_string_equal(tree.children[0]->name, "child");
    assert_memory_equal(tree.metadata, c_metadata(m, (const char *[]){"k", "v", NULL}), 14);
    tree.release(&tree);
}

/* Differences */

static void texts_in_a_difference_are_ascii_that_can_be_seen(void **state)
{
    static const char *const rows[][2] = {{" ", " "},        {"~", "~"},        {"!", "!"},
                                          {"\x1F", "\\x1f"}, {"\x7F", "\\x7f"}, {"\"", "\\x22"},
                                          {"\\", "\\x5c"},   {"\xFF", "\\xff"}, {"[", "["}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char sentence[64];
        fletch_schema a = open_as(finish(m, schema_with(m, int_field(m, rows[i][0]))),
                                  FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
        fletch_schema b = open_as(finish(m, schema_with(m, int_field(m, "bc"))), FLETCH_SCHEMA,
                                  FLETCH_LEVEL_ARROW);
        fletch_error error;
        assert_int_equal(fletch_compare(&a, &b, NULL, &error), FLETCH_DIFFERENT);
        snprintf(sentence, sizeof sentence, "name \"%s\" against \"bc\"", rows[i][1]);
        assert_string_equal(error.sentence, sentence);
    }
}

static bool look_at_sides(void *context, const fletch_difference *difference)
{
    unsigned *seen = context;
    const bool is_text = difference->form == FLETCH_FORM_STRING;
    assert_int_equal(difference->a.string.size, is_text ? 1 : 0);
    assert_int_equal(difference->b.string.size, is_text ? 1 : 0);
    if (is_text) assert_int_equal(difference->a.number, 0);
    if (is_text) assert_int_equal(difference->b.number, 0);
    ++*seen;
    return true;
}

/* A difference in numbers behind one in texts, and the other way round. */
static void a_side_of_a_difference_has_nothing_of_the_one_before(void **state)
{
    maker *m = *state;
    node *one = schema_with(m, int_field(m, "a")), *two = schema_with(m, int_field(m, "b"));
    add_field(one, int_field(m, "a"));
    add_field(two, int_field(m, "b"));
    set32(member(first_of(member(two, SCHEMA_FIELDS)), FIELD_TYPE), INT_WIDTH, 64);
    fletch_schema a = open_as(finish(m, one), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_schema b = open_as(finish(m, two), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    unsigned seen = 0;
    assert_int_equal(fletch_compare_each(&a, &b, NULL, look_at_sides, &seen, NULL),
                     FLETCH_DIFFERENT);
    assert_int_equal(seen, 3);
}

static void type_ids_that_are_too_much_to_compare_are_told(void **state)
{
    maker *m = *state;
    const fletch_compare_options options = {.limits = {.text = 7}};
    node *type = make_table(m), *ids = make_vector(m, 4);
    set16(type, UNION_MODE, FLETCH_DENSE);
    append_number(ids, 0);
    append_number(ids, 1);
    set_node(type, UNION_TYPE_IDS, ids);
    node *either = new_field(m, "", FLETCH_TYPE_UNION, type);
    add_child(either, int_field(m, ""));
    add_child(either, int_field(m, ""));
    fletch_schema schema =
        open_as(finish(m, schema_with(m, either)), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_error error;
    assert_int_equal(fletch_compare(&schema, &schema, &options, &error), FLETCH_LIMIT);
    assert_string_equal(error.path, "fields[0].type.typeIds");
}

static bool go_on(void *context, const fletch_difference *difference)
{
    (void)context;
    return difference != NULL;
}

static void that_schemas_differ_is_at_no_place(void **state)
{
    maker *m = *state;
    fletch_schema a =
        open_as(finish(m, schema_with(m, int_field(m, "a"))), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_schema b =
        open_as(finish(m, schema_with(m, int_field(m, "b"))), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_error error;
    assert_int_equal(fletch_compare_each(&a, &b, NULL, go_on, NULL, &error), FLETCH_DIFFERENT);
    assert_int_equal(error.offset, 0);
    assert_string_equal(error.path, "");
    assert_string_equal(error.sentence, "the schemas differ");
}

static fletch_schema struct_with(maker *m, const char *name)
{
    node *parent = nested_field(m, "s", FLETCH_TYPE_STRUCT);
    add_child(parent, int_field(m, name));
    return open_as(finish(m, schema_with(m, parent)), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
}

static void names_of_a_columns_members_are_never_free(void **state)
{
    const fletch_compare_options options = {.ignore_child_names = true};
    fletch_schema a = struct_with(*state, "a"), b = struct_with(*state, "b");
    assert_int_equal(fletch_compare(&a, &b, &options, NULL), FLETCH_DIFFERENT);
}

static void no_schema_has_no_hash(void **state)
{
    const fletch_schema schema = {0};
    uint64_t hash = 7;
    fletch_error error;
    (void)state;
    assert_int_equal(fletch_hash(&schema, NULL, &hash, &error), FLETCH_MISSING);
    assert_int_equal(hash, 0);
    assert_string_equal(error.sentence, "there is no schema");
}

/* Demands that what is told of pairs comes in their order. */
static bool look_at_order(void *context, const fletch_difference *difference)
{
    unsigned *seen = context;
    char end[32];
    const fletch_string path = fletch_text(difference->error.path);
    snprintf(end, sizeof end, "custom_metadata[%u]", *seen % 9);
    assert_true(path.size >= strlen(end));
    assert_string_equal(path.data + path.size - strlen(end), end);
    ++*seen;
    return true;
}

static void pairs_without_a_partner_are_told_in_their_order(void **state)
{
    maker *m = *state;
    node *one = schema_with(m, int_field(m, "a")), *two = schema_with(m, int_field(m, "a"));
    uint8_t memory[1024];
    const fletch_compare_options options = {.ignore_metadata_order = true,
                                            .memory = memory,
                                            .memory_size = sizeof memory};
    unsigned seen = 0;
    for (int i = 0; i < 9; i++) {
        char key[] = {'k', (char)('0' + i), 0};
        add_pair(m, one, SCHEMA_METADATA, key, "of one");
        add_pair(m, two, SCHEMA_METADATA, key, "of two");
    }
    fletch_schema a = open_as(finish(m, one), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_schema b = open_as(finish(m, two), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(fletch_compare_each(&a, &b, &options, look_at_order, &seen, NULL),
                     FLETCH_DIFFERENT);
    assert_int_equal(seen, 18);
}

/* Dictionaries */

static void an_unknown_kind_has_its_place(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a"), *dictionary = add_dictionary(m, field, 0, NULL);
    set16(dictionary, DICTIONARY_KIND, 7);
    block b = finish(m, schema_with(m, field));
    expect_at(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, FLETCH_UNSUPPORTED,
              place_of(dictionary, DICTIONARY_KIND), "fields[0].dictionary.dictionaryKind");
}

static void a_conflict_has_the_place_of_the_id_or_of_its_table(void **state)
{
    maker *m = *state;
    for (int is_stored = 0; is_stored < 2; is_stored++) {
        node *one = text_field(m, "one"), *two = int_field(m, "two"), *dictionary;
        add_dictionary(m, one, 0, NULL);
        dictionary = add_dictionary(m, two, 0, NULL);
        if (!is_stored) drop(dictionary, DICTIONARY_ID);
        node *root = schema_with(m, one);
        add_field(root, two);
        fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
        fletch_error error;
        assert_int_equal(check_dictionaries(&schema, &error), FLETCH_INVALID);
        assert_int_equal(error.offset,
                         is_stored ? place_of(dictionary, DICTIONARY_ID) : place(dictionary));
    }
}

/* A dictionary of structs whose i-th member is a text where bit i is set, else a number. */
static node *dictionary_of_structs(maker *m, int members, unsigned texts)
{
    node *field = nested_field(m, "s", FLETCH_TYPE_STRUCT);
    for (int i = 0; i < members; i++)
        add_child(field, texts >> i & 1 ? text_field(m, "a") : int_field(m, "a"));
    add_dictionary(m, field, 1, NULL);
    return field;
}

static void dictionaries_agree_where_all_members_do(void **state)
{
    enum { MEMBERS = 3 };
    maker *m = *state;
    for (unsigned one = 0; one < 1u << MEMBERS; one++)
        for (unsigned two = 0; two < 1u << MEMBERS; two++) {
            node *root = schema_with(m, dictionary_of_structs(m, MEMBERS, one));
            add_field(root, dictionary_of_structs(m, MEMBERS, two));
            fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
            fletch_error error;
            assert_int_equal(check_dictionaries(&schema, &error), one == two ? OK : FLETCH_INVALID);
        }
}

/* Containers */

static void a_number_that_is_no_kind_is_unknown(void **state)
{
    (void)state;
    assert_string_equal(fletch_kind_word((fletch_kind)(FLETCH_BASE64 + 1)), "unknown");
    assert_string_equal(fletch_kind_word(FLETCH_BASE64), "base64");
}

/* Each comparison takes text, and all together have one budget. */
static void comparisons_of_dictionaries_share_their_budget(void **state)
{
    maker *m = *state;
    node *root = new_schema(m);
    fletch_limits limits = {.text = 200};
    uint8_t memory[3 * FLETCH_DICTIONARY_MEMORY];
    for (int count = 1; count <= 3; count++) {
        node *type = make_table(m);
        set16(type, TIMESTAMP_UNIT, FLETCH_SECOND);
        set_node(type, TIMESTAMP_ZONE, make_string(m, (char[100]){0}, 100));
        node *field = new_field(m, "t", FLETCH_TYPE_TIMESTAMP, type);
        add_dictionary(m, field, 1, NULL);
        add_field(root, field);
        fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
        assert_int_equal(fletch_check_dictionaries(&schema, memory, sizeof memory, &limits, NULL),
                         count < 3 ? OK : FLETCH_LIMIT);
    }
}

/* Finding them takes two tables each, a Field and its dictionary, and comparing them two more. */
static void a_budget_that_is_used_up_leaves_nothing_for_a_comparison(void **state)
{
    enum { FINDING = 4, COMPARING = 2, TYPE_OF_THE_FUTURE = 99 };
    maker *m = *state;
    node *root = new_schema(m);
    uint8_t memory[2 * FLETCH_DICTIONARY_MEMORY];
    for (int i = 0; i < 2; i++) {
        node *field = new_field(m, "a", TYPE_OF_THE_FUTURE, make_table(m));
        add_dictionary(m, field, 1, NULL);
        add_field(root, field);
    }
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
    for (uint64_t tables = 1; tables <= FINDING + COMPARING; tables++) {
        const fletch_limits limits = {.tables = tables};
        assert_int_equal(fletch_check_dictionaries(&schema, memory, sizeof memory, &limits, NULL),
                         tables < FINDING + COMPARING ? FLETCH_LIMIT : OK);
    }
}

static void the_first_8_bytes_are_asked_for_or_all_of_fewer(void **state)
{
    (void)state;
    for (uint64_t size = 1; size < 12; size++) {
        const fletch_input input = {(const uint8_t *)"", 0, NULL, 0, size};
        const uint64_t wanted = size < 8 ? size : 8;
        fletch_found found;
        fletch_error error;
        assert_int_equal(fletch_find(&input, FLETCH_SNIFF, false, &found, &error),
                         FLETCH_TRUNCATED);
        assert_int_equal(found.kind, FLETCH_SNIFF); /* it is not known yet */
        assert_int_equal(found.head_wanted, wanted);
        assert_int_equal(error.wanted, wanted);
    }
}

static void a_file_that_ends_behind_its_magic_is_truncated(void **state)
{
    block b = copy_of(*state, "ARROW1", 6);
    assert_int_equal(expect_as(b, FLETCH_FILE, FLETCH_LEVEL_ARROW, FLETCH_TRUNCATED).wanted, 19);
}

/* What is in the place of the header's type then is an offset, of `fields` or a Footer's Schema. */
static void a_message_without_its_header_is_not_recognised_as_one(void **state)
{
    maker *m = *state;
    node *message = new_message(m, make_sample(m).schema);
    drop(message, MESSAGE_HEADER);
    fletch_error error =
        expect_as(finish(m, message), FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_MALFORMED);
    assert_string_equal(error.path, "fields");
}

static void the_schema_of_a_file_is_that_of_its_footer(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_schema schema;
    fletch_add_field(b, "a", fletch_utf8(), 0);
    block file = built(m, b, FLETCH_FILE);
    assert_int_equal(fletch_open(file.bytes, file.size, &schema, NULL), OK);
    assert_int_equal(schema.wrapper.root, FLETCH_FOOTER);
}

static void scratch_that_is_missing_is_no_fault_of_a_byte(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    block text = base64_of(m, frame(m, finish(m, new_message(m, s.schema)), false), true);
    fletch_error error = expect_as(text, FLETCH_BASE64, FLETCH_LEVEL_ARROW, FLETCH_NO_SPACE);
    assert_int_equal(error.offset, 0);
}

static void text_that_is_no_message_is_no_fault_of_a_byte(void **state)
{
    uint8_t scratch[16];
    const fletch_options options = {.kind = FLETCH_BASE64,
                                    .scratch = scratch,
                                    .scratch_size = sizeof scratch};
    block b = text_block(*state, "AAAA");
    assert_int_equal(expect(b, &options, FLETCH_NOT_A_MESSAGE).offset, 0);
}

/* Head and trailer of a Parquet file take 12 bytes, which the footer may not reach into. */
static void the_parts_of_a_parquet_file_do_not_overlap(void **state)
{
    maker *m = *state;
    block b = copy_of(m, "PAR1????\x05\0\0\0PAR1", 16);
    expect_at(b, FLETCH_PARQUET, FLETCH_LEVEL_ARROW, FLETCH_MALFORMED, 8, "");
    b = copy_of(m, "PAR1\0\0\0PAR1", 11);
    fletch_error error = expect_as(b, FLETCH_PARQUET, FLETCH_LEVEL_ARROW, FLETCH_TRUNCATED);
    assert_int_equal(error.wanted, 13);
}

static void a_bad_character_of_base64_has_its_place_in_the_file(void **state)
{
    static const char text[] = "AAAA!AAA";
    const fletch_options options = {.kind = FLETCH_PARQUET, .level = FLETCH_LEVEL_ARROW};
    maker *m = *state;
    block b = parquet_with(m, text_block(m, text));
    size_t at = 0;
    fletch_schema schema;
    fletch_error error;
    while (memcmp(b.bytes + at, text, strlen(text)) != 0)
        at++;
    assert_int_equal(open_lending(m, b, &options, &schema, &error), FLETCH_BAD_BASE64);
    assert_int_equal(error.offset, at + 4);
}

/* Types */

/* The size of a schema whose fields have two types by turns. */
static size_t size_by_turns(maker *m, fletch_type one, fletch_type two, int turns)
{
    fletch_builder *b = new_builder(m);
    for (int i = 0; i < turns; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%03d", i);
        fletch_add_field(b, name, i % 2 == 0 ? one : two, 0);
    }
    return built(m, b, FLETCH_SCHEMA).size;
}

/* Any two types are remembered together, so that more fields of them cost the same whatever they
 * are. */
static void two_types_by_turns_are_written_once_each(void **state)
{
    maker *m = *state;
    fletch_type types[32];
    int count = 0;
    for (int width = 8; width <= 64; width *= 2)
        for (int is_signed = 0; is_signed < 2; is_signed++)
            types[count++] = fletch_int(width, is_signed);
    for (int unit = FLETCH_SECOND; unit <= FLETCH_NANOSECOND; unit++) {
        types[count++] = fletch_duration(unit);
        types[count++] = fletch_timestamp(unit, NULL);
    }
    for (int precision = FLETCH_HALF; precision <= FLETCH_DOUBLE; precision++)
        types[count++] = fletch_floating_point(precision);
    for (int size = 1; size <= 8; size++)
        types[count++] = fletch_fixed_size_binary(size);
    const size_t more =
        size_by_turns(m, types[0], types[1], 12) - size_by_turns(m, types[0], types[1], 4);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            assert_int_equal(size_by_turns(m, types[i], types[j], 12) -
                                 size_by_turns(m, types[i], types[j], 4),
                             more);
}

/*
 * What is looked for is found by a sum of the first 8 bytes, 31 times the last, and the size. It is
 * the same for the first two of these, of which one begins with the other, and for the last two.
 */
static void texts_of_the_same_hash_are_told_apart(void **state)
{
    static const char *const names[] = {"abcdefghijklmnopqrst-----------------------lnopqrst",
                                        "abcdefghijklmnopqrst", "12345678a12345678",
                                        "12345678b12345678"};
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "s", fletch_struct(), 0);
    for (int i = 0; i < 4; i++)
        fletch_add_field(b, names[i], fletch_bool(), 0);
    fletch_end_field(b);
    fletch_schema schema = built_schema(m, b);
    fletch_field field = field_number(&schema, 0);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(is_text(child_number(&field, i).name, names[i]));
}

/* Space */

/* Strings as long as the short ones may be, in every size of memory: the same bytes, or none. */
static void what_fits_is_the_same_in_memory_of_any_size(void **state)
{
    static const char text[] = "0123456789abcdefghij";
    maker *m = *state;
    block whole = {NULL, 0};
    for (size_t size = 2400; size > 200; size--) {
        fletch_builder *b = new_builder_in(m, size);
        const void *bytes;
        size_t used;
        for (size_t i = 0; i < 12; i++) {
            const fletch_string key = {text + i % 4, 16}, value = {text + i % 5, 16};
            fletch_add_metadata_string(b, key, value);
            fletch_add_field_of(b, (fletch_string){text + i % 3, 16}, &(fletch_type){.id = 1}, 0);
        }
        fletch_status status = fletch_finish(b, FLETCH_SCHEMA, &bytes, &used, NULL);
        if (size == 2400) whole = copy_of(m, bytes, used);
        if (status == OK) {
            assert_int_equal(used, whole.size);
            assert_memory_equal(bytes, whole.bytes, used);
        } else {
            assert_int_equal(status, FLETCH_NO_SPACE);
        }
    }
}

static void more_bytes_than_a_flatbuffer_can_have_are_not_read(void **state)
{
    static const uint8_t bytes[64];
    const fletch_options options = {.kind = FLETCH_SCHEMA};
    fletch_schema schema;
    fletch_error error;
    (void)state;
    assert_int_equal(fletch_open_with(bytes, (size_t)INT32_MAX + 1, &options, &schema, &error),
                     FLETCH_TOO_LARGE);
    assert_int_equal(error.offset, 0);
}

/* Sniffing */

/* A Message whose header type is the last byte of the input; its version is absent. */
static void the_last_byte_can_make_a_message(void **state)
{
    static const uint8_t bytes[] = {16, 0, 0, 0,  10, 0, 9, 0, 0, 0, 8, 0, 4,
                                    0,  0, 0, 12, 0,  0, 0, 4, 0, 0, 0, 1};
    maker *m = *state;
    block b = copy_of(m, bytes, sizeof bytes), length = copy_of(m, "\x19\0\0\0", 4);
    expect_at(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNSUPPORTED, 16, "message.version");
    b = join(m, length, b);
    expect_at(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNSUPPORTED, 20, "message.version");
}

/* The same in the framing of old, with the vtable behind all else. */
static void the_last_bytes_can_be_the_vtable_of_a_message(void **state)
{
    static const uint8_t bytes[] = {26, 0, 0, 0, 4, 0,  0, 0,  0xF4, 0xFF, 0xFF, 0xFF, 4, 0, 0,
                                    0,  1, 0, 0, 0, 10, 0, 12, 0,    0,    0,    8,    0, 4, 0};
    block b = copy_of(*state, bytes, sizeof bytes);
    expect_at(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNSUPPORTED, 8, "message.version");
}

static void what_is_not_recognised_is_at_no_place(void **state)
{
    block b = pad(*state, text_block(*state, "PARX"), 40);
    expect_at(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNRECOGNISED, 0, "");
}

static void what_does_not_begin_as_parquet_is_told_at_its_beginning(void **state)
{
    maker *m = *state;
    block b = copy_of(m, "PARX????\x05\0\0\0PAR1", 16);
    expect_at(b, FLETCH_PARQUET, FLETCH_LEVEL_ARROW, FLETCH_MALFORMED, 0, "");
    b.bytes[3] = 'E';
    expect_at(b, FLETCH_PARQUET, FLETCH_LEVEL_ARROW, FLETCH_UNRECOGNISED, 0, "");
}

static void an_unknown_type_of_thrift_is_told_by_its_number(void **state)
{
    maker *m = *state;
    thrift t = new_thrift(m);
    thrift_byte(&t, 0x1E); /* field 1, type 14 */
    block b = parquet_of(m, &t);
    fletch_error error = expect_as(b, FLETCH_PARQUET, FLETCH_LEVEL_ARROW, FLETCH_MALFORMED);
    assert_string_equal(error.sentence, "the footer's Thrift has a value of unknown type 14");
    assert_int_equal(error.offset, b.size - 8); /* behind the one byte of the footer */
}

/* A field that is exported alone has the space for its format counted alone, too. */
static void every_type_is_exported_alone(void **state)
{
    static const int32_t ids[] = {3, 127};
    const fletch_allocator heap = fletch_heap();
    const struct {
        fletch_type type;
        const char *format;
    } rows[] = {{fletch_decimal(38, -2147483647, 128), "d:38,-2147483647"},
                {fletch_decimal(76, 0, 256), "d:76,0,256"},
                {fletch_fixed_size_binary(INT32_MAX), "w:2147483647"},
                {fletch_timestamp(FLETCH_SECOND, "Africa/Abidjan"), "tss:Africa/Abidjan"},
                {fletch_union(FLETCH_DENSE, ids, 0), "+ud:"},
                {fletch_int(8, false), "C"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fletch_field field = {0};
        struct ArrowSchema tree;
        field.type = rows[i].type;
        assert_int_equal(fletch_export_field(&field, &heap, NULL, &tree, NULL), OK);
        assert_string_equal(tree.format, rows[i].format);
        tree.release(&tree);
    }
}

static void a_list_of_fixed_size_is_exported_alone(void **state)
{
    maker *m = *state;
    const fletch_allocator heap = fletch_heap();
    node *type = make_table(m);
    set32(type, 0, 1234567);
    node *list = new_field(m, "l", FLETCH_TYPE_FIXED_SIZE_LIST, type);
    add_child(list, int_field(m, "item"));
    fletch_schema schema =
        open_as(finish(m, schema_with(m, list)), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_field field = field_number(&schema, 0);
    struct ArrowSchema tree;
    assert_int_equal(fletch_export_field(&field, &heap, NULL, &tree, NULL), OK);
    assert_string_equal(tree.format, "+w:1234567");
    tree.release(&tree);
}

/* Sentences */

static void each_fault_of_an_offset_has_its_sentence(void **state)
{
    static const struct {
        uint32_t offset;
        const char *sentence;
    } rows[] = {{0, "the offset is zero"},
                {0x80000004, "the offset 2147483652 has bit 31 set"},
                {0x7FFFFFFC, "the offset 2147483644 leads beyond the end"},
                {0x7FFFFFFF, "the offset 2147483647 leads beyond the end"}};
    maker *m = *state;
    for (size_t i = 0; i < 5; i++) {
        sample s = make_sample(m);
        block b = finish(m, s.schema);
        const size_t at = place_of(s.schema, SCHEMA_FIELDS);
        char sentence[128];
        if (i < 4) {
            poke32(b, at, rows[i].offset);
            strcpy(sentence, rows[i].sentence);
            if (i >= 2) sprintf(sentence + strlen(sentence), " of the %u bytes", (unsigned)b.size);
        } else {
            poke32(b, at, peek32(b, at) + 1);
            snprintf(sentence, sizeof sentence, "the offset %u leads to %u, not a multiple of 4",
                     (unsigned)peek32(b, at), (unsigned)(at + peek32(b, at)));
        }
        fletch_error error = expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, FLETCH_MALFORMED);
        assert_string_equal(error.sentence, sentence);
    }
}

/* As it is where a run was made by hand. */
static void what_leads_beyond_the_end_is_told_with_what_is_left(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a"), *root = schema_with(m, field);
    const struct {
        node *object;
        const char *sentence;
    } rows[] = {{member(field, FIELD_NAME), "the string's length 5000 leads"},
                {member(root, SCHEMA_FIELDS), "the vector's count 5000 leads"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        block b = finish(m, root);
        const size_t at = place(rows[i].object);
        char sentence[128];
        snprintf(sentence, sizeof sentence, "%s beyond the end, %zu bytes are left",
                 rows[i].sentence, b.size - 4 - at);
        poke32(b, at, 5000);
        fletch_error error = expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, FLETCH_MALFORMED);
        assert_string_equal(error.sentence, sentence);
        assert_int_equal(error.offset, at);
    }
}

static void an_element_behind_the_end_is_no_offset_of_zero(void **state)
{
    maker *m = *state;
    fletch_schema schema =
        open_as(finish(m, make_sample(m).schema), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    paper p = {0};
    fletch_error error;
    schema.fields.position = schema.buffer.size / 4 * 4;
    schema.fields.end = schema.fields.position + 4;
    assert_int_equal(fletch_print_tree(&schema, NULL, write_on, &p, &error), FLETCH_MALFORMED);
    assert_non_null(strstr(error.sentence, "a word stands beyond the end"));
    tear_up(&p);
}

static void offsets_up_to_the_last_word_are_inside(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    block b = finish(m, s.schema);
    const size_t at = place_of(s.schema, SCHEMA_FIELDS);
    const uint32_t last = (uint32_t)(b.size - at) / 4 * 4 - 4;
    poke32(b, at, last); /* a vector, of whatever count, at the last word */
    fletch_error error = expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, FLETCH_MALFORMED);
    assert_null(strstr(error.sentence, "offset"));
    poke32(b, at, last + 4);
    error = expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, FLETCH_MALFORMED);
    assert_non_null(strstr(error.sentence, "leads beyond the end"));
}

static void the_type_of_number_0_is_none(void **state)
{
    (void)state;
    assert_string_equal(fletch_type_name(0), "NONE");
    assert_string_equal(fletch_type_name(27), "unknown");
}

/* The tree */

static void a_tree_is_this_to_the_letter(void **state)
{
    maker *m = *state;
    node *type = make_table(m), *ids = make_vector(m, 4), *features = make_vector(m, 8);
    set16(type, UNION_MODE, FLETCH_DENSE);
    append_number(ids, 5);
    append_number(ids, 9);
    set_node(type, UNION_TYPE_IDS, ids);
    node *list = nested_field(m, "list", FLETCH_TYPE_LIST);
    node *either = add_child(list, new_field(m, "either", FLETCH_TYPE_UNION, type));
    add_child(either, int_field(m, "number"));
    node *coded = add_child(either, text_field(m, "coded"));
    set8(coded, FIELD_NULLABLE, 0);
    add_dictionary(m, coded, 7, int_type(m, 16, false));
    add_pair(m, coded, FIELD_METADATA, "ARROW:extension:name", "zoo");
    node *schema = schema_with(m, list);
    set16(schema, SCHEMA_ENDIANNESS, FLETCH_BIG_ENDIAN);
    append_number(features, FLETCH_FEATURE_COMPRESSED_BODY);
    append_number(features, 77);
    set_node(schema, SCHEMA_FEATURES, features);
    add_pair(m, schema, SCHEMA_METADATA, "key", "value");
    node *message = new_message(m, schema);
    add_pair(m, message, MESSAGE_METADATA, "of", "message");
    fletch_schema read =
        open_as(stream_of(m, finish(m, message)), FLETCH_STREAM, FLETCH_LEVEL_ARROW);
    paper p = {0};
    assert_int_equal(fletch_print_tree(&read, NULL, write_on, &p, NULL), OK);
    assert_string_equal(p.text, "stream, metadata V5, big-endian, 1 field\n"
                                "  features: compressed body, unknown feature 77\n"
                                "  list: list\n"
                                "    either: dense_union\n"
                                "      number: int32 type id=5\n"
                                "      coded: dictionary<values=string, indices=uint16, ordered=0> "
                                "id=7 not null extension<zoo> type id=9\n"
                                "        - ARROW:extension:name: zoo\n"
                                "metadata:\n"
                                "  - key: value\n"
                                "message metadata:\n"
                                "  - of: message\n");
    tear_up(&p);
}

static void a_name_that_is_absent_or_empty_is_shown(void **state)
{
    maker *m = *state;
    node *absent = int_field(m, "a"), *root = schema_with(m, absent);
    drop(absent, FIELD_NAME);
    add_field(root, int_field(m, ""));
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    paper p = {0};
    assert_int_equal(fletch_print_tree(&schema, NULL, write_on, &p, NULL), OK);
    assert_non_null(strstr(p.text, "(no name)"));
    assert_non_null(strstr(p.text, "\"\""));
    tear_up(&p);
}

static void units_that_are_unknown_are_told_by_their_number(void **state)
{
    const struct {
        fletch_type type;
        const char *text;
    } rows[] = {{fletch_duration(4), "duration[unit 4]"},
                {fletch_duration(-1), "duration[unit -1]"},
                {fletch_duration(FLETCH_NANOSECOND), "duration[ns]"},
                {fletch_timestamp(4, "UTC"), "timestamp[unit 4, tz=UTC]"},
                {fletch_floating_point(3), "float[precision 3]"},
                {fletch_floating_point(-1), "float[precision -1]"},
                {fletch_floating_point(0), "halffloat"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const fletch_field field = {.type = rows[i].type};
        paper p = {0};
        assert_int_equal(fletch_print_type(&field, NULL, write_on, &p, NULL), OK);
        assert_string_equal(p.text, rows[i].text);
        tear_up(&p);
    }
}

static void the_framing_of_old_is_told(void **state)
{
    maker *m = *state;
    block bare = finish(m, new_message(m, make_sample(m).schema));
    fletch_schema schema = open_as(frame(m, bare, true), FLETCH_ENCAPSULATED, FLETCH_LEVEL_STRICT);
    paper p = {0};
    assert_int_equal(fletch_print_tree(&schema, NULL, write_on, &p, NULL), OK);
    assert_non_null(strstr(p.text, ", legacy framing, little-endian"));
    tear_up(&p);
}

static void a_field_without_a_type_is_shown_as_such(void **state)
{
    const fletch_field field = {.type = {.id = FLETCH_TYPE_NONE}};
    paper p = {0};
    (void)state;
    assert_int_equal(fletch_print_type(&field, NULL, write_on, &p, NULL), OK);
    assert_string_equal(p.text, "no type");
    tear_up(&p);
}

static void a_value_that_is_cut_is_shown_with_its_size(void **state)
{
    maker *m = *state;
    node *root = make_sample(m).schema;
    const fletch_print_options options = {.max_value = 8};
    paper p = {0};
    add_pair(m, root, SCHEMA_METADATA, "key", "0123456789");
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(fletch_print_tree(&schema, &options, write_on, &p, NULL), OK);
    assert_non_null(strstr(p.text, " (10 bytes)\n"));
    tear_up(&p);
}

/* Colours say which types are known: all up to the last, and no more. */
static void the_first_type_that_is_unknown_is_red(void **state)
{
    static const struct {
        int id;
        const char *type;
    } rows[] = {{1, "\x1b[36mnull\x1b[0m"},
                {26, "\x1b[36mlarge_list_view\x1b[0m"},
                {27, "\x1b[31munknown type 27\x1b[0m"}};
    maker *m = *state;
    const fletch_print_options options = {.color = true};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        node *field = new_field(m, "a", rows[i].id, make_table(m));
        fletch_schema schema =
            open_as(finish(m, schema_with(m, field)), FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
        paper p = {0};
        fletch_print_tree(&schema, &options, write_on, &p, NULL);
        if (strstr(p.text, rows[i].type) == NULL) fail_msg("type %d: %s", rows[i].id, p.text);
        tear_up(&p);
    }
}

/* The last table that is read is the union again, for the type id. */
static void a_tree_ends_where_the_budget_does_not_reach_a_type_id(void **state)
{
    maker *m = *state;
    node *type = make_table(m);
    set16(type, UNION_MODE, FLETCH_SPARSE);
    node *either = new_field(m, "either", FLETCH_TYPE_UNION, type);
    add_child(either, int_field(m, "a"));
    fletch_schema schema =
        open_as(finish(m, schema_with(m, either)), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_print_options options = {.limits = {.tables = 6}};
    paper p = {0};
    assert_int_equal(fletch_print_tree(&schema, &options, write_on, &p, NULL), OK);
    tear_up(&p);
    memset(&p, 0, sizeof p);
    options.limits.tables = 5;
    assert_int_equal(fletch_print_tree(&schema, &options, write_on, &p, NULL), FLETCH_LIMIT);
    assert_string_equal(p.text, "schema, little-endian, 1 field\n"
                                "  either: sparse_union\n"
                                "    a: int32 type id");
    tear_up(&p);
}

/* Extents */

static bool see_nothing(void *context, const fletch_object *object)
{
    (void)context;
    (void)object;
    fail_msg("an object is seen");
    return true;
}

/* Remembers the last member that leads somewhere. */
static bool see_offset(void *context, const fletch_object *object)
{
    size_t *last = context;
    if (object->kind == FLETCH_OBJECT_MEMBER && object->is_offset) *last = object->begin;
    return true;
}

static void a_visit_ends_at_a_string_without_its_nul(void **state)
{
    maker *m = *state;
    for (int i = 0; i < 6; i++) {
        node *type = make_table(m), *strings[6];
        set_node(type, TIMESTAMP_ZONE, strings[0] = make_string(m, "zone", 4));
        node *field = new_field(m, "name", FLETCH_TYPE_TIMESTAMP, type);
        node *root = schema_with(m, field);
        strings[1] = member(field, FIELD_NAME);
        node *pair = add_pair(m, field, FIELD_METADATA, "key1", "value1");
        strings[2] = member(pair, PAIR_KEY);
        strings[3] = member(pair, PAIR_VALUE);
        pair = add_pair(m, root, SCHEMA_METADATA, "key2", "value2");
        strings[4] = member(pair, PAIR_KEY);
        strings[5] = member(pair, PAIR_VALUE);
        block b = finish(m, root);
        const size_t at = place(strings[i]);
        size_t last = 0;
        b.bytes[at + 4 + peek32(b, at)] = '!';
        fletch_error error;
        assert_int_equal(fletch_visit_bytes(b.bytes, b.size, FLETCH_SCHEMA, NULL, see_offset, &last,
                                            &error),
                         FLETCH_MALFORMED);
        assert_int_equal(error.offset, at + 4 + peek32(b, at));
        if (i < 2) assert_int_equal(last + peek32(b, last), at);
    }
}

static bool see_fault(void *context, const fletch_object *object)
{
    size_t *size = context;
    if (object->kind == FLETCH_OBJECT_FAULT) *size = object->end - object->begin;
    return true;
}

static bool see_slots(void *context, const fletch_object *object)
{
    unsigned *slots = context;
    if (object->kind != FLETCH_OBJECT_SLOT) return true;
    assert_int_equal(object->end - object->begin, 2);
    ++*slots;
    return true;
}

static void every_slot_has_the_size_of_a_slot(void **state)
{
    maker *m = *state;
    block b = finish(m, make_sample(m).schema);
    unsigned slots = 0;
    assert_int_equal(fletch_visit_bytes(b.bytes, b.size, FLETCH_SCHEMA, NULL, see_slots, &slots,
                                        NULL),
                     OK);
    assert_true(slots > 5);
}

static void a_fault_in_a_slot_has_the_size_of_a_slot(void **state)
{
    maker *m = *state;
    for (uint32_t slot = 2; slot < 9; slot++) {
        node *root = make_sample(m).schema;
        block b = finish(m, root);
        size_t size = 0;
        if (slot == 4 || slot == 8) continue; /* where the offset can be */
        poke16(b, vtable_slot_of(root, SCHEMA_FIELDS), slot);
        fletch_visit_bytes(b.bytes, b.size, FLETCH_SCHEMA, NULL, see_fault, &size, NULL);
        assert_int_equal(size, 2);
    }
}

static void a_message_of_no_schema_is_visited_without_fault(void **state)
{
    maker *m = *state;
    node *message = new_message(m, make_sample(m).schema);
    set8(message, MESSAGE_TAG, 3);
    block b = finish(m, message);
    size_t last = 0;
    assert_int_equal(fletch_visit_bytes(b.bytes, b.size, FLETCH_MESSAGE, NULL, see_offset, &last,
                                        NULL),
                     OK);
    assert_int_equal(last, place_of(message, MESSAGE_HEADER));
}

static void what_is_no_root_is_misuse_at_no_place(void **state)
{
    maker *m = *state;
    block b = finish(m, make_sample(m).schema);
    fletch_error error;
    assert_int_equal(fletch_visit_bytes(b.bytes, b.size, FLETCH_STREAM, NULL, see_nothing, NULL,
                                        &error),
                     FLETCH_MISUSE);
    assert_int_equal(error.offset, 0);
}

/* Names on the way of a search */

static void a_search_goes_past_a_field_without_a_name(void **state)
{
    maker *m = *state;
    node *first = int_field(m, "first"), *root = schema_with(m, first);
    fletch_field field;
    add_field(root, int_field(m, "second"));
    drop(first, FIELD_NAME);
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    assert_int_equal(fletch_find_field(&schema.fields, fletch_text("second"), &field), OK);
    assert_int_equal(fletch_find_field(&schema.fields, fletch_text(""), &field), OK);
    assert_false(field.has_name);
}

static void a_backslash_at_the_end_of_a_path_is_itself(void **state)
{
    maker *m = *state;
    fletch_field field;
    fletch_schema schema =
        open_as(finish(m, schema_with(m, int_field(m, "a\\"))), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    const fletch_string path = {"a\\b", 2};
    assert_int_equal(fletch_find_path(&schema.fields, path, &field), OK);
    assert_true(is_text(field.name, "a\\"));
}

/* Bad words in the vtable of a field on the way: the table's size, the name's slot. */
static void a_search_ends_at_a_bad_vtable(void **state)
{
    maker *m = *state;
    for (int i = 0; i < 7; i++) {
        node *first = int_field(m, "first"), *root = schema_with(m, first);
        fletch_field field;
        add_field(root, int_field(m, "second"));
        block b = finish(m, root);
        const size_t vtable = vtable_of(first), slot = vtable_slot_of(first, FIELD_NAME);
        const uint32_t table_size = peek16(b, vtable + 2);
        if (i == 0) poke16(b, vtable + 2, 2);
        if (i == 1) poke16(b, vtable + 2, 0xFFFC);
        if (i == 2) poke16(b, slot, peek16(b, slot) + 2);
        if (i == 3) poke16(b, slot, 2);
        if (i == 4) poke16(b, slot, table_size);
        if (i == 5) poke16(b, slot, table_size / 4 * 4 + 4);
        if (i == 6) poke16(b, vtable + 2, peek16(b, slot) + 3);
        fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
        if (fletch_find_field(&schema.fields, fletch_text("second"), &field) != FLETCH_MALFORMED)
            fail_msg("the vtable is taken as good with change %d", i);
    }
}

static void the_place_of_too_deep_a_field_is_that_of_its_siblings_vector(void **state)
{
    maker *m = *state;
    node *root = deep_schema(m, 3), *field = first_of(member(root, SCHEMA_FIELDS));
    fletch_options options = {.kind = FLETCH_SCHEMA, .limits = {.depth = 2}};
    block b = finish(m, root);
    fletch_error error = expect(b, &options, FLETCH_LIMIT);
    node *inner = first_of(member(field, FIELD_CHILDREN));
    assert_int_equal(error.offset, place(member(inner, FIELD_CHILDREN)));
    assert_string_equal(error.path, "fields[0].children[0].children");
}

/* What has no good vtable at its head is no flatbuffer to sniff. */
static void a_bad_vtable_at_the_head_is_not_recognised(void **state)
{
    static const uint32_t sizes[] = {0, 2, 3, 11, 0xFFFE};
    maker *m = *state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sample s = make_sample(m);
        block b = finish(m, s.schema);
        poke16(b, vtable_of(s.schema), sizes[i]);
        expect_as(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNRECOGNISED);
    }
}

/* With its last byte another, it looks like something else. */
static void what_looks_like_another_format_does_so_to_the_last_byte(void **state)
{
    static const struct {
        const char *magic;
        size_t size;
    } rows[] = {{"\x04\x22\x4D\x18", 4},
                {"\x28\xB5\x2F\xFD", 4},
                {"\x1F\x8B", 2},
                {"FEA1", 4},
                {"BZh", 3},
                {"\xFD"
                 "7zXZ",
                 5},
                {"PK\x03\x04", 4},
                {"ORC", 3},
                {"Obj\x01", 4},
                {"SQLite format 3", 15},
                {"%PDF", 4},
                {"\x89PNG", 4},
                {"\x7F"
                 "ELF",
                 4}};
    maker *m = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        block b = pad(m, copy_of(m, rows[i].magic, rows[i].size), 16);
        b.bytes[rows[i].size] = 1; /* whatever comes behind */
        fletch_error error = expect_as(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNRECOGNISED);
        char sentence[sizeof error.sentence];
        strcpy(sentence, error.sentence);
        assert_int_equal(memcmp(sentence, "it looks like", 13), 0);
        b.bytes[rows[i].size - 1] ^= 1;
        error = expect_as(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNRECOGNISED);
        assert_string_not_equal(error.sentence, sentence);
    }
}

static bool looks_like_text(block b)
{
    const fletch_error error = expect_as(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNRECOGNISED);
    return strcmp(error.sentence, "it looks like text") == 0;
}

static void text_is_ascii_that_can_be_seen_and_white_space(void **state)
{
    maker *m = *state;
    for (int byte = 0; byte < 256; byte++) {
        block b = text_block(m, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN");
        const bool is_seen = byte >= ' ' && byte <= '~';
        poke8(b, 20, (uint8_t)byte);
        assert_int_equal(looks_like_text(b),
                         is_seen || byte == '\n' || byte == '\r' || byte == '\t');
    }
}

static void what_begins_nearly_as_a_container_is_none(void **state)
{
    static const char *const texts[] = {"PARX", "ARROWX", "////x", "PARC"};
    maker *m = *state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        block b = pad(m, copy_of(m, texts[i], strlen(texts[i])), 40);
        expect_as(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNRECOGNISED);
    }
}

/* Half of the length is a vtable's size, half of the root's offset a slot, and so on. */
static void words_of_the_framing_are_no_vtable(void **state)
{
    enum { LENGTH = 0x10200, ROOT = 0x100FC };
    block b = pad(*state, (block){NULL, 0}, 4 + LENGTH);
    poke32(b, 0, LENGTH);
    poke32(b, 4, ROOT);
    poke16(b, 8, 4);
    poke32(b, 4 + ROOT, 4 + ROOT); /* the vtable is at 0, and the header's type the byte of 1 */
    expect_as(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_UNRECOGNISED);
}

/* Its first bytes would do as a table, were it looked at from the second on. */
static void an_offset_that_is_not_aligned_makes_no_footer(void **state)
{
    enum { TABLE = 256, VTABLE = 200 };
    block b = pad(*state, (block){NULL, 0}, 300);
    poke32(b, 0, TABLE);
    poke16(b, VTABLE, 8);
    poke16(b, VTABLE + 2, 8);
    poke16(b, VTABLE + 6, 4); /* the slot of a Footer's schema, or of a Schema's fields */
    poke32(b, TABLE, TABLE - VTABLE);
    poke32(b, TABLE + 4, 2);
    expect_at(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_MALFORMED, TABLE + 4, "fields");
}

/*
 * What a Schema's slot 1 or a Footer's leads to: a table with 8 words behind it that lead to
 * tables. As a vector it would have 8 elements or more, and 4 bytes of the input for each, or it is
 * none.
 */
static void a_vector_of_more_elements_than_words_is_a_table(void **state)
{
    enum { SIZE = 88, HEAD = 12, VECTOR = 44, TABLE = VECTOR + 4 + 8 * 4, LAST = SIZE - 4 };
    static const struct {
        size_t vtable; /* of what is there as a table: its distance would be the vector's count */
        fletch_kind kind;
    } rows[] = {{VECTOR - SIZE / 4, FLETCH_SCHEMA},
                {VECTOR - SIZE / 4 - 1, FLETCH_FOOTER},
                {LAST, FLETCH_FOOTER}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        block b = pad(*state, (block){NULL, 0}, SIZE);
        poke32(b, 0, HEAD);
        poke16(b, 4, 8);
        poke16(b, 6, 8);
        poke16(b, 10, 4); /* slot 1 */
        poke32(b, HEAD, HEAD - 4);
        poke32(b, HEAD + 4, VECTOR - (HEAD + 4));
        poke32(b, VECTOR, (uint32_t)(VECTOR - rows[i].vtable));
        for (size_t at = VECTOR + 4; at < TABLE; at += 4)
            poke32(b, at, (uint32_t)(TABLE - at));
        poke32(b, TABLE, TABLE - 4);
        poke16(b, rows[i].vtable, 4);
        const fletch_input input = {b.bytes, b.size, NULL, 0, b.size};
        fletch_found found;
        assert_int_equal(fletch_find(&input, FLETCH_SNIFF, false, &found, NULL), OK);
        assert_int_equal(found.kind, rows[i].kind);
    }
}

/* What is a Schema's vector of fields, or a Footer's Schema, has one element, a table but for its
 * place: as a Schema it has a bad vtable. */
static void a_vector_with_a_table_that_is_not_aligned_makes_a_footer(void **state)
{
    enum { VTABLE = 4, TABLE = 16, TARGET = 32 };
    block b = pad(*state, (block){NULL, 0}, 600);
    poke32(b, 0, TABLE);
    poke16(b, VTABLE, 8);
    poke16(b, VTABLE + 2, 8);
    poke16(b, VTABLE + 6, 4);
    poke32(b, TABLE, TABLE - VTABLE);
    poke32(b, TABLE + 4, TARGET - (TABLE + 4));
    b.bytes[TARGET - 1] = 4; /* with the 1 behind it: a vtable of 260 bytes */
    poke32(b, TARGET, 1);
    poke32(b, TARGET + 4, 6);
    poke32(b, TARGET + 10, TARGET + 10 - VTABLE);
    expect_at(b, FLETCH_SNIFF, FLETCH_LEVEL_ARROW, FLETCH_MALFORMED, TARGET, "footer.schema");
}

/* Containers that are written */

/* In memory that was full of other bytes: the end of a stream, and padding, are what they are. */
static void what_stands_behind_a_message_is_written(void **state)
{
    static const uint8_t end[] = {0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0};
    maker *m = *state;
    for (unsigned size = 0; size < 24; size++) {
        static uint8_t memory[4096];
        char name[32] = "";
        fletch_builder b;
        memset(memory, 0xA5, sizeof memory);
        memset(name, 'n', size);
        fletch_builder_init(&b, memory, sizeof memory);
        fletch_add_field(&b, name, fletch_utf8(), 0);
        block stream = built(m, &b, FLETCH_STREAM), one = rebuilt(m, &b, FLETCH_ENCAPSULATED);
        block bare = rebuilt(m, &b, FLETCH_MESSAGE);
        assert_memory_equal(stream.bytes + stream.size - 8, end, 8);
        assert_int_equal(stream.size, one.size + 8);
        assert_int_equal(one.size % 8, 0);
        for (size_t at = 8 + bare.size; at < one.size; at++)
            assert_int_equal(one.bytes[at], 0);
    }
}

/* A vtable that is good for a table of one type is not so for one of the type before it, though
 * what is remembered of both stands side by side. */
static void a_vtable_is_checked_for_each_type_that_has_it(void **state)
{
    maker *m = *state;
    node *type = make_table(m), *root;
    set16(type, 0, FLETCH_SINGLE);
    root = schema_with(m, new_field(m, "f", FLETCH_TYPE_FLOATING_POINT, type));
    add_field(root, new_field(m, "i", FLETCH_TYPE_INT, type));
    expect_under(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, FLETCH_MALFORMED,
                 "fields[1].type");
}

enum { PAIRS, LEAVES, LISTS, ALL_OF_THEM };

/* Many alike, whose texts are as long as those may be that are written the short way. */
static void add_many(fletch_builder *b, int what, size_t size_before)
{
    static const char before[64] = "";
    fletch_add_metadata_string(b, fletch_text(""), (fletch_string){before, size_before});
    for (int i = 0; i < 80; i++) {
        char text[17], other[17];
        snprintf(text, sizeof text, "text number %04d", i);
        snprintf(other, sizeof other, "other number %03d", i);
        if (what == PAIRS) fletch_add_metadata(b, text, other);
        if (what == LEAVES) fletch_add_field(b, text, fletch_utf8(), 0);
        if (what != LISTS) continue;
        fletch_begin_field(b, text, fletch_list(), 0);
        fletch_add_field(b, "item", fletch_utf8(), 0);
        fletch_end_field(b);
    }
}

static void memory_may_grow_at_any_byte(void **state)
{
    const fletch_allocator heap = fletch_heap();
    maker *m = *state;
    for (int what = 0; what < ALL_OF_THEM; what++)
        for (size_t size = 0; size < 64; size += 4) {
            fletch_builder *whole = new_builder(m), growing;
            fletch_builder_init_growing(&growing, &heap);
            add_many(whole, what, size);
            add_many(&growing, what, size);
            same_bytes(built(m, &growing, FLETCH_SCHEMA), built(m, whole, FLETCH_SCHEMA));
            fletch_builder_release(&growing);
        }
}

/* A pair fits, or memory has run out: then not a byte of what stands beside it is touched. */
static void what_does_not_fit_is_written_nowhere(void **state)
{
    enum { MARGIN = 64, MOST = 1 << 11 };
    static uint8_t memory[MARGIN + MOST + MARGIN];
    (void)state;
    for (int what = 0; what < ALL_OF_THEM; what++)
        for (size_t size = 0; size < MOST; size += 4) {
            const void *bytes;
            size_t used;
            fletch_builder b;
            memset(memory, 0xA5, sizeof memory);
            fletch_builder_init(&b, memory + MARGIN, size);
            add_many(&b, what, 0);
            assert_int_equal(fletch_finish(&b, FLETCH_SCHEMA, &bytes, &used, NULL),
                             FLETCH_NO_SPACE);
            for (size_t i = 0; i < MARGIN; i++) {
                assert_int_equal(memory[i], 0xA5);
                assert_int_equal(memory[MARGIN + size + i], 0xA5);
            }
        }
}

/* While a schema is built, a word waits for each field; once it is whole, none does. */
static void a_file_fits_in_memory_of_its_size_and_a_tail(void **state)
{
    enum { TAIL = 16 };
    maker *m = *state;
    size_t whole = 1 << 12;
    for (int i = 0; i < 2; i++) {
        fletch_builder *b = new_builder_in(m, whole);
        for (int field = 0; field < 40; field++)
            fletch_add_field(b, "a", fletch_utf8(), 0);
        whole = built(m, b, FLETCH_FILE).size + TAIL;
    }
}

static void expect_none(fletch_builder *b, fletch_kind kind, bool is_first, fletch_status status)
{
    const void *bytes = "";
    size_t size = 7;
    assert_int_equal((is_first ? fletch_finish : fletch_wrap)(b, kind, &bytes, &size, NULL),
                     status);
    assert_null(bytes);
    assert_int_equal(size, 0);
}

static void what_is_not_built_has_no_size(void **state)
{
    maker *m = *state;
    fletch_builder *b = new_builder(m);
    expect_none(b, FLETCH_SNIFF, true, FLETCH_MISUSE);
    expect_none(b, FLETCH_SCHEMA, true, FLETCH_MISUSE);
    b = new_builder(m);
    expect_none(b, FLETCH_SCHEMA, false, FLETCH_MISUSE);
    fletch_add_field(b, "a", fletch_int(7, true), 0);
    expect_none(b, FLETCH_SCHEMA, true, FLETCH_INVALID);
    expect_none(b, FLETCH_SCHEMA, false, FLETCH_INVALID);
}

/* Budgets */

static void expect_tables(maker *m, node *field, uint64_t enough)
{
    block b = finish(m, schema_with(m, field));
    fletch_options options = {.kind = FLETCH_SCHEMA, .level = FLETCH_LEVEL_STRUCTURE};
    options.limits.tables = enough;
    expect(b, &options, OK);
    options.limits.tables = enough - 1;
    if (enough > 1) expect(b, &options, FLETCH_LIMIT);
}

/* The Schema, the Field, its type where it is known, the dictionary, its index type, a pair. */
static void each_table_counts_once(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    expect_tables(m, field, 3);
    add_dictionary(m, field, 1, NULL);
    expect_tables(m, field, 4);
    add_dictionary(m, field, 1, int_type(m, 8, true));
    expect_tables(m, field, 5);
    add_pair(m, field, FIELD_METADATA, "k", "v");
    expect_tables(m, field, 6);
    expect_tables(m, new_field(m, "a", 99, make_table(m)), 2);
}

/* Besides the wrapper: the Schema, the Field and its type. */
static void a_message_or_footer_counts_as_a_table(void **state)
{
    maker *m = *state;
    for (int i = 0; i < 2; i++) {
        node *root = schema_with(m, int_field(m, "a"));
        block b = finish(m, i == 0 ? new_message(m, root) : new_footer(m, root));
        fletch_options options = {.kind = i == 0 ? FLETCH_MESSAGE : FLETCH_FOOTER};
        options.limits.tables = 4;
        expect(b, &options, OK);
        options.limits.tables = 3;
        expect(b, &options, FLETCH_LIMIT);
    }
}

static void names_of_children_are_text_to_print(void **state)
{
    maker *m = *state;
    node *list = nested_field(m, "list", FLETCH_TYPE_LIST);
    add_child(list, int_field(m, "12345678"));
    fletch_schema schema =
        open_as(finish(m, schema_with(m, list)), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_field field = field_number(&schema, 0);
    fletch_print_options options = {.limits = {.text = 8}};
    paper p = {0};
    assert_int_equal(fletch_print_type(&field, &options, write_on, &p, NULL), OK);
    options.limits.text = 7;
    assert_int_equal(fletch_print_type(&field, &options, write_on, &p, NULL), FLETCH_LIMIT);
    tear_up(&p);
}

static void a_zone_is_text_to_print(void **state)
{
    const fletch_field field = {.type = fletch_timestamp(FLETCH_SECOND, "UTC")};
    fletch_print_options options = {.limits = {.text = 3}};
    paper p = {0};
    (void)state;
    assert_int_equal(fletch_print_type(&field, &options, write_on, &p, NULL), OK);
    options.limits.text = 2;
    assert_int_equal(fletch_print_type(&field, &options, write_on, &p, NULL), FLETCH_LIMIT);
    tear_up(&p);
}

static void json_ends_at_a_zone_that_is_not_utf8(void **state)
{
    maker *m = *state;
    node *type = make_table(m);
    set16(type, TIMESTAMP_UNIT, FLETCH_SECOND);
    set_node(type, TIMESTAMP_ZONE, make_text(m, "ab\xFF"));
    block b = finish(m, schema_with(m, new_field(m, "t", FLETCH_TYPE_TIMESTAMP, type)));
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_error error;
    paper p = {0};
    assert_int_equal(fletch_print_json(&schema, NULL, write_on, &p, &error), FLETCH_MALFORMED);
    assert_string_equal(error.path, "fields[0].type.timezone");
    assert_string_equal(p.text, "{\"schema\":{\"fields\":[{\"name\":\"t\",\"nullable\":true,"
                                "\"type\":{\"name\":\"timestamp\",\"unit\":\"SECOND\","
                                "\"timezone\":");
    tear_up(&p);
}

static void a_walk_steps_through_pairs(void **state)
{
    maker *m = *state;
    node *root = make_sample(m).schema;
    add_pair(m, root, SCHEMA_METADATA, "a", "1");
    add_pair(m, root, SCHEMA_METADATA, "b", "2");
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_metadata pairs = schema.metadata;
    fletch_walk walk;
    fletch_key_value pair;
    fletch_walk_begin(&walk, &schema, NULL);
    assert_true(fletch_walk_metadata(&walk, &pairs, &pair));
    assert_true(is_text(pair.key, "a"));
    assert_true(fletch_walk_metadata(&walk, &pairs, &pair));
    assert_true(is_text(pair.value, "2"));
    assert_false(fletch_walk_metadata(&walk, &pairs, &pair));
    assert_int_equal(walk.status, OK);
}

static void text_that_is_not_utf8_is_told_to_the_byte(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "ab\xFF"
                               "c");
    block b = finish(m, schema_with(m, field));
    fletch_error error = expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, FLETCH_MALFORMED);
    assert_string_equal(error.sentence, "the string is not UTF-8 at its byte 2");
    assert_int_equal(error.offset, place(member(field, FIELD_NAME)) + 4 + 2);
}

static void a_text_that_is_too_much_to_check_is_told(void **state)
{
    maker *m = *state;
    block b = finish(m, schema_with(m, int_field(m, "12345678")));
    fletch_options options = {.kind = FLETCH_SCHEMA, .level = FLETCH_LEVEL_STRICT};
    options.limits.text = 8;
    expect(b, &options, OK);
    options.limits.text = 7;
    assert_string_equal(expect(b, &options, FLETCH_LIMIT).path, "fields[0].name");
}

static void the_pair_whose_text_is_too_much_to_hash_is_told(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "n");
    for (int i = 0; i < 3; i++)
        add_pair(m, field, FIELD_METADATA, "k", "v");
    fletch_schema schema =
        open_as(finish(m, schema_with(m, field)), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    for (unsigned pairs = 0; pairs < 3; pairs++) {
        const fletch_compare_options options = {.limits = {.text = 2 + 2 * pairs}};
        char path[64];
        uint64_t hash;
        fletch_error error;
        assert_int_equal(fletch_hash(&schema, &options, &hash, &error), FLETCH_LIMIT);
        snprintf(path, sizeof path, "fields[0].custom_metadata[%u]", pairs);
        assert_string_equal(error.path, path);
    }
}

/* Schemas that are not there */

static bool take_text(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return true;
}

static bool take_object(void *context, const fletch_object *object)
{
    (void)context, (void)object;
    return true;
}

/* A call that takes a schema: its status. */
typedef fletch_status schema_call(const fletch_schema *schema, fletch_error *error);

static fletch_status call_tree(const fletch_schema *schema, fletch_error *error)
{
    return fletch_print_tree(schema, NULL, take_text, NULL, error);
}

static fletch_status call_json(const fletch_schema *schema, fletch_error *error)
{
    return fletch_print_json(schema, NULL, take_text, NULL, error);
}

static fletch_status call_objects(const fletch_schema *schema, fletch_error *error)
{
    return fletch_visit_objects(schema, NULL, take_object, NULL, error);
}

static fletch_status call_dictionaries(const fletch_schema *schema, fletch_error *error)
{
    return fletch_check_dictionaries(schema, NULL, 0, NULL, error);
}

static fletch_status call_list(const fletch_schema *schema, fletch_error *error)
{
    size_t count;
    return fletch_list_dictionaries(schema, NULL, NULL, 0, &count, error);
}

static fletch_status call_hash(const fletch_schema *schema, fletch_error *error)
{
    uint64_t hash;
    return fletch_hash(schema, NULL, &hash, error);
}

static fletch_status call_compare(const fletch_schema *schema, fletch_error *error)
{
    return fletch_compare(schema, schema, NULL, error);
}

static fletch_status call_export(const fletch_schema *schema, fletch_error *error)
{
    const fletch_allocator heap = fletch_heap();
    struct ArrowSchema out;
    return fletch_export_schema(schema, &heap, NULL, &out, error);
}

static fletch_status call_copy(const fletch_schema *schema, fletch_error *error)
{
    static uint64_t memory[512];
    fletch_builder builder;
    const void *bytes;
    size_t size;
    fletch_builder_init(&builder, memory, sizeof memory);
    (void)fletch_copy_schema(&builder, schema);
    return fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, error);
}

static void every_call_says_that_there_is_no_schema(void **state)
{
    static schema_call *const calls[] = {call_tree,   call_json, call_objects,
                                         call_list,   call_hash, call_compare,
                                         call_export, call_copy, call_dictionaries};
    fletch_schema schema;
    fletch_error error;
    (void)state;
    assert_int_equal(fletch_open("nothing", 7, &schema, NULL), FLETCH_UNRECOGNISED);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        assert_int_equal(calls[i](&schema, &error), FLETCH_MISSING);
        assert_int_equal(error.status, FLETCH_MISSING);
        assert_string_equal(error.sentence, "there is no schema");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(a_long_path_has_both_its_ends_to_the_letter),
        WITH_MAKER(a_bad_type_id_has_its_own_place),
        WITH_MAKER(entries_of_a_map_that_are_not_two_stay_open),
        WITH_MAKER(a_unit_in_the_last_two_bytes_is_checked),
        WITH_MAKER(a_table_that_is_too_large_is_told_where_its_size_stands),
        WITH_MAKER(a_pair_whose_value_is_not_utf8_is_told_by_its_number),
        WITH_MAKER(missing_space_is_at_no_place),
        WITH_MAKER(names_of_nested_fields_are_written_once),
        WITH_MAKER(a_bad_zone_behind_a_good_one_is_told_with_its_path),
        WITH_MAKER(a_bad_name_is_told_before_memory_is_taken),
        WITH_MAKER(metadata_takes_the_memory_of_its_bytes),
        WITH_MAKER(an_exported_tree_has_no_gaps),
        WITH_MAKER(a_field_with_a_dictionary_is_released_without_the_one_beside_it),
        WITH_MAKER(the_format_of_a_union_has_the_memory_of_its_longest),
        WITH_MAKER(nothing_is_added_to_a_builder_that_was_released),
        WITH_MAKER(a_builder_that_is_released_gives_its_memory_back),
        WITH_MAKER(a_fault_in_an_absent_member_has_its_tables_place),
        WITH_MAKER(metadata_that_grows_meanwhile_is_not_exported),
        WITH_MAKER(what_changes_while_it_is_exported_is_at_no_place),
        WITH_MAKER(a_name_has_no_nul_at_any_place_but_may_have_what_is_next_to_it),
        WITH_MAKER(children_and_metadata_may_be_of_two_schemas),
        WITH_MAKER(texts_in_a_difference_are_ascii_that_can_be_seen),
        WITH_MAKER(a_side_of_a_difference_has_nothing_of_the_one_before),
        WITH_MAKER(type_ids_that_are_too_much_to_compare_are_told),
        WITH_MAKER(that_schemas_differ_is_at_no_place),
        WITH_MAKER(names_of_a_columns_members_are_never_free),
        WITH_MAKER(no_schema_has_no_hash),
        WITH_MAKER(pairs_without_a_partner_are_told_in_their_order),
        WITH_MAKER(an_unknown_kind_has_its_place),
        WITH_MAKER(a_conflict_has_the_place_of_the_id_or_of_its_table),
        WITH_MAKER(dictionaries_agree_where_all_members_do),
        WITH_MAKER(a_number_that_is_no_kind_is_unknown),
        WITH_MAKER(comparisons_of_dictionaries_share_their_budget),
        WITH_MAKER(a_budget_that_is_used_up_leaves_nothing_for_a_comparison),
        WITH_MAKER(the_first_8_bytes_are_asked_for_or_all_of_fewer),
        WITH_MAKER(a_file_that_ends_behind_its_magic_is_truncated),
        WITH_MAKER(a_message_without_its_header_is_not_recognised_as_one),
        WITH_MAKER(the_schema_of_a_file_is_that_of_its_footer),
        WITH_MAKER(scratch_that_is_missing_is_no_fault_of_a_byte),
        WITH_MAKER(text_that_is_no_message_is_no_fault_of_a_byte),
        WITH_MAKER(the_parts_of_a_parquet_file_do_not_overlap),
        WITH_MAKER(a_bad_character_of_base64_has_its_place_in_the_file),
        WITH_MAKER(two_types_by_turns_are_written_once_each),
        WITH_MAKER(texts_of_the_same_hash_are_told_apart),
        WITH_MAKER(what_fits_is_the_same_in_memory_of_any_size),
        WITH_MAKER(more_bytes_than_a_flatbuffer_can_have_are_not_read),
        WITH_MAKER(the_last_byte_can_make_a_message),
        WITH_MAKER(the_last_bytes_can_be_the_vtable_of_a_message),
        WITH_MAKER(what_is_not_recognised_is_at_no_place),
        WITH_MAKER(what_does_not_begin_as_parquet_is_told_at_its_beginning),
        WITH_MAKER(an_unknown_type_of_thrift_is_told_by_its_number),
        WITH_MAKER(every_type_is_exported_alone),
        WITH_MAKER(a_list_of_fixed_size_is_exported_alone),
        WITH_MAKER(each_fault_of_an_offset_has_its_sentence),
        WITH_MAKER(what_leads_beyond_the_end_is_told_with_what_is_left),
        WITH_MAKER(an_element_behind_the_end_is_no_offset_of_zero),
        WITH_MAKER(offsets_up_to_the_last_word_are_inside),
        WITH_MAKER(the_type_of_number_0_is_none),
        WITH_MAKER(a_tree_is_this_to_the_letter),
        WITH_MAKER(a_name_that_is_absent_or_empty_is_shown),
        WITH_MAKER(a_search_goes_past_a_field_without_a_name),
        WITH_MAKER(a_backslash_at_the_end_of_a_path_is_itself),
        WITH_MAKER(a_search_ends_at_a_bad_vtable),
        WITH_MAKER(the_place_of_too_deep_a_field_is_that_of_its_siblings_vector),
        WITH_MAKER(a_bad_vtable_at_the_head_is_not_recognised),
        WITH_MAKER(what_stands_behind_a_message_is_written),
        WITH_MAKER(a_vtable_is_checked_for_each_type_that_has_it),
        WITH_MAKER(memory_may_grow_at_any_byte),
        WITH_MAKER(what_does_not_fit_is_written_nowhere),
        WITH_MAKER(each_table_counts_once),
        WITH_MAKER(a_message_or_footer_counts_as_a_table),
        WITH_MAKER(names_of_children_are_text_to_print),
        WITH_MAKER(a_zone_is_text_to_print),
        WITH_MAKER(json_ends_at_a_zone_that_is_not_utf8),
        WITH_MAKER(a_walk_steps_through_pairs),
        WITH_MAKER(text_that_is_not_utf8_is_told_to_the_byte),
        WITH_MAKER(a_text_that_is_too_much_to_check_is_told),
        WITH_MAKER(the_pair_whose_text_is_too_much_to_hash_is_told),
        WITH_MAKER(a_file_fits_in_memory_of_its_size_and_a_tail),
        WITH_MAKER(what_is_not_built_has_no_size),
        WITH_MAKER(what_looks_like_another_format_does_so_to_the_last_byte),
        WITH_MAKER(text_is_ascii_that_can_be_seen_and_white_space),
        WITH_MAKER(what_begins_nearly_as_a_container_is_none),
        WITH_MAKER(words_of_the_framing_are_no_vtable),
        WITH_MAKER(a_vector_with_a_table_that_is_not_aligned_makes_a_footer),
        WITH_MAKER(an_offset_that_is_not_aligned_makes_no_footer),
        WITH_MAKER(a_vector_of_more_elements_than_words_is_a_table),
        WITH_MAKER(units_that_are_unknown_are_told_by_their_number),
        WITH_MAKER(the_framing_of_old_is_told),
        WITH_MAKER(a_value_that_is_cut_is_shown_with_its_size),
        WITH_MAKER(a_field_without_a_type_is_shown_as_such),
        WITH_MAKER(the_first_type_that_is_unknown_is_red),
        WITH_MAKER(a_visit_ends_at_a_string_without_its_nul),
        WITH_MAKER(every_slot_has_the_size_of_a_slot),
        WITH_MAKER(a_fault_in_a_slot_has_the_size_of_a_slot),
        WITH_MAKER(a_message_of_no_schema_is_visited_without_fault),
        WITH_MAKER(what_is_no_root_is_misuse_at_no_place),
        WITH_MAKER(a_tree_ends_where_the_budget_does_not_reach_a_type_id),
        WITH_MAKER(every_call_says_that_there_is_no_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
