/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read, copy, build, read again: every good file of data/ and of ../shared/corpus (where that is
 * there), and what can be done on the way: projecting, renaming, giving another type, merging.
 *
 * A test of files prints every one that fails, and fails once.
 */
#include "support/building.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Files */

typedef struct collection {
    const char *manifest, *files;
} collection;

static const collection data = {FLETCH_DATA_DIR "/MANIFEST.tsv", FLETCH_DATA_DIR "/"};
static const collection corpus = {FLETCH_SHARED_DIR "/corpus/MANIFEST.tsv",
                                  FLETCH_SHARED_DIR "/corpus/files/"};

/* A good file: opened at level arrow, and the level that it passes. */
typedef struct original {
    const char *name;
    fletch_schema schema;
    fletch_level level;
} original;

/* What a test does with a file: NULL, or what is wrong. */
typedef const char *(*examination)(maker *m, const original *o);

static const char *examine_file(const collection *c, const char *name, fletch_kind kind,
                                fletch_level level, examination examine)
{
    char path[1024];
    maker *m = maker_new();
    original o = {.name = name, .level = level};
    fletch_options options = {.kind = kind, .level = level};
    snprintf(path, sizeof path, "%s%s", c->files, name);
    block b = read_file(m, path);
    const char *wrong = "cannot be opened";
    if (b.bytes && open_lending(m, b, &options, &o.schema, NULL) == FLETCH_OK)
        wrong = examine(m, &o);
    maker_free(m);
    return wrong;
}

static bool is_ok(const table_file *table, size_t row, const char *column)
{
    return strcmp(cell(table, row, column), "ok") == 0;
}

static void examine_all(const collection *c, examination examine)
{
    maker *m = maker_new();
    table_file table = read_table(m, c->manifest);
    unsigned wrong = 0, good = 0;
    if (!table.rows) {
        maker_free(m);
        print_message("there is no %s: skipped\n", c->manifest);
        skip();
    }
    for (size_t row = 0; row < table.count; row++) {
        const char *name = cell(&table, row, "file");
        if (!is_ok(&table, row, "arrow")) continue;
        const char *fault =
            examine_file(c, name, kind_of(cell(&table, row, "kind")),
                         is_ok(&table, row, "strict") ? FLETCH_LEVEL_STRICT : FLETCH_LEVEL_ARROW,
                         examine);
        if (fault) print_error("%s: %s\n", name, fault);
        wrong += fault != NULL;
        good++;
    }
    free_table(&table);
    maker_free(m);
    assert_int_not_equal(good, 0);
    if (wrong) fail_msg("%u of %u files do not come back as they were", wrong, good);
}

/* Copying */

static void copy_wrapper(fletch_builder *b, const fletch_wrapper *wrapper)
{
    fletch_metadata pairs = wrapper->metadata;
    fletch_key_value pair;
    if (wrapper->legacy_framing) fletch_set_legacy_framing(b);
    if (wrapper->has_version)
        fletch_set_version(b, wrapper->version == FLETCH_V4 ? FLETCH_V4 : FLETCH_V5);
    while (fletch_next_metadata(&pairs, &pair))
        if (wrapper->root == FLETCH_MESSAGE)
            fletch_add_message_metadata(b, pair.key, pair.value);
        else
            fletch_add_footer_metadata(b, pair.key, pair.value);
}

static void copy_original(fletch_builder *b, const original *o)
{
    fletch_set_level(b, o->level);
    copy_wrapper(b, &o->schema.wrapper);
    fletch_copy_schema(b, &o->schema);
}

/* A builder with a copy in it, in just the memory that it was measured to take; not finished. */
static fletch_builder *new_copy(maker *m, const original *o, fletch_kind kind)
{
    fletch_builder *b = new_builder_in(m, 0);
    const void *bytes;
    size_t size;
    fletch_error error;
    copy_original(b, o);
    fletch_finish(b, kind, &bytes, &size, &error);
    b = new_builder_in(m, (size_t)error.wanted);
    copy_original(b, o);
    return b;
}

/* The JSON of a schema, or where it has none (text that is not UTF-8) the status alone. */
static fletch_status print(const fletch_schema *schema, paper *p)
{
    return fletch_print_json(schema, NULL, write_on, p, NULL);
}

static const char *compare_json(const fletch_schema *a, const fletch_schema *b)
{
    paper left = {0}, right = {0};
    const char *wrong = NULL;
    if (print(a, &left) != print(b, &right)) wrong = "one copy has JSON, the other none";
    if (left.size != right.size || (left.size && memcmp(left.text, right.text, left.size) != 0))
        wrong = "the JSON differs";
    tear_up(&left);
    tear_up(&right);
    return wrong;
}

static bool same_pairs(fletch_metadata a, fletch_metadata b)
{
    fletch_key_value left, right;
    if (fletch_count_metadata(&a) != fletch_count_metadata(&b)) return false;
    while (fletch_next_metadata(&a, &left) && fletch_next_metadata(&b, &right))
        if (!fletch_same_string(left.key, right.key) ||
            !fletch_same_string(left.value, right.value))
            return false;
    return true;
}

/* What JSON does not have. */
static const char *compare_rest(const fletch_schema *read, const fletch_schema *copy)
{
    const fletch_wrapper *from = &read->wrapper, *to = &copy->wrapper;
    if (read->endianness != copy->endianness) return "the endianness differs";
    if (read->features.count != copy->features.count) return "the features differ";
    for (uint32_t i = 0; i < read->features.count; i++)
        if (fletch_integer_at(&read->features, i) != fletch_integer_at(&copy->features, i))
            return "a feature differs";
    if (!same_pairs(read->metadata, copy->metadata)) return "the metadata differ";
    if (from->root != to->root || from->root == FLETCH_SCHEMA) return NULL;
    if (from->version >= FLETCH_V4 && from->version != to->version) return "the version differs";
    if (!same_pairs(from->metadata, to->metadata)) return "the wrapper's metadata differ";
    return NULL;
}

static const char *copy_as(maker *m, const original *o, fletch_kind kind)
{
    fletch_schema copy;
    fletch_options options = {.kind = kind, .level = o->level};
    block bytes = built(m, new_copy(m, o, kind), kind);
    if (open_lending(m, bytes, &options, &copy, NULL) != FLETCH_OK)
        return "the copy is not as good as the file";
    const char *wrong = compare_json(&o->schema, &copy);
    return wrong ? wrong : compare_rest(&o->schema, &copy);
}

static const char *examine_copies(maker *m, const original *o)
{
    const char *wrong = NULL;
    for (size_t i = 0; i < WRITTEN_KINDS && !wrong; i++)
        wrong = copy_as(m, o, written_kinds[i]);
    return wrong;
}

static void data_come_back_as_they_were(void **state)
{
    (void)state;
    examine_all(&data, examine_copies);
}

static void the_corpus_comes_back_as_it_was(void **state)
{
    (void)state;
    examine_all(&corpus, examine_copies);
}

/* Copies of copies: bare schemas, which have nothing of the wrapper. */

static block bare_copy(maker *m, const fletch_schema *schema, fletch_level level)
{
    original o = {.schema = *schema, .level = level};
    o.schema.wrapper = (fletch_wrapper){.root = FLETCH_SCHEMA};
    return built(m, new_copy(m, &o, FLETCH_SCHEMA), FLETCH_SCHEMA);
}

static bool is_equal(block a, block b)
{
    return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

/* The first copy may write what the file leaves out; from then on nothing changes. */
static const char *examine_twice(maker *m, const original *o)
{
    block first = bare_copy(m, &o->schema, o->level);
    fletch_schema copy = open_as(first, FLETCH_SCHEMA, o->level);
    block second = bare_copy(m, &copy, o->level);
    fletch_schema again = open_as(second, FLETCH_SCHEMA, o->level);
    if (!is_equal(first, bare_copy(m, &o->schema, o->level))) return "two copies differ";
    if (!is_equal(second, bare_copy(m, &again, o->level))) return "a copy's copy differs";
    return NULL;
}

static void data_copied_twice_give_equal_bytes(void **state)
{
    (void)state;
    examine_all(&data, examine_twice);
}

static void the_corpus_copied_twice_gives_equal_bytes(void **state)
{
    (void)state;
    examine_all(&corpus, examine_twice);
}

/* Sizes */

/*
 * Files whose encoders leave out what is always written here, and whose fields are so few or so
 * different that sharing does not make up for it.
 */
static const char *const may_be_larger[] = {
    /* no vector of children for leaves; names or metadata that are absent */
    "flechette-2.0.1__one.stream",
    "flechette-2.0.1__types.message",
    "flechette-2.0.1__types.stream",
    "flechette-2.3.0__types.footer",
    "flechette-2.3.0__types.message",
    "flechette-2.3.0__types.stream",
    "flechette-2.6.0__types.arrow",
    "flechette-2.6.0__types.footer",
    "flechette-2.6.0__types.stream",
    "nanoarrow-c0eb931__types.arrow",
    "nanoarrow-c0eb931__types.stream",
    "pub-flechette__decimal32.stream",
    "pub-flechette__decimal64.stream",
    "pub-flechette__empty.stream",
    "pub-flechette__fixedListUtf8_1.stream",
    "pub-flechette__fixedListUtf8_2.stream",
    /* flatc writes what its JSON names: these are about members that are absent */
    "flatc-2.0.8__absent.schema",
    "flatc-2.0.8__children_absent.stream",
    "flatc-2.0.8__children_absent_struct.stream",
    "flatc-2.0.8__dict_noindextype.stream",
    "flatc-2.0.8__footer_v4.footer",
    "flatc-2.0.8__kv_both_absent.stream",
    "flatc-2.0.8__kv_key_absent.stream",
    "flatc-2.0.8__kv_value_absent.stream",
    "flatc-2.0.8__union_default_sparse_noids.stream",
    "flatc-2.0.8__union_dense_noids.stream",
};

static bool is_excused(const char *name)
{
    for (size_t i = 0; i < sizeof may_be_larger / sizeof *may_be_larger; i++)
        if (!strcmp(name, may_be_larger[i])) return true;
    return false;
}

/* Encoders that do not pad to 8 bytes are given as many. */
static const char *examine_size(maker *m, const original *o)
{
    static char text[100];
    fletch_kind root = o->schema.wrapper.root;
    size_t theirs = ((size_t)o->schema.buffer.size + 7) / 8 * 8;
    size_t ours = built(m, new_copy(m, o, root), root).size;
    if ((ours > theirs) == is_excused(o->name)) return NULL;
    snprintf(text, sizeof text, "%zu bytes, the copy has %zu", theirs, ours);
    return ours > theirs ? text : "no excuse is needed";
}

static void copies_of_data_are_no_larger(void **state)
{
    (void)state;
    examine_all(&data, examine_size);
}

static void copies_of_the_corpus_are_no_larger(void **state)
{
    (void)state;
    examine_all(&corpus, examine_size);
}

/* Changing on the way */

/* a: int32, b: struct {x: utf8, y: list<item: bool>} with a pair, c: dictionary */
static fletch_schema source(maker *m)
{
    fletch_builder *b = new_builder(m);
    fletch_add_field(b, "a", fletch_int(32, true), FLETCH_NULLABLE);
    fletch_begin_field(b, "b", fletch_struct(), 0);
    fletch_add_metadata(b, "k", "v");
    fletch_add_field(b, "x", fletch_utf8(), FLETCH_NULLABLE);
    fletch_begin_field(b, "y", fletch_list(), FLETCH_NULLABLE);
    fletch_add_field(b, "item", fletch_bool(), FLETCH_NULLABLE);
    fletch_end_field(b);
    fletch_end_field(b);
    fletch_begin_field(b, "c", fletch_utf8(), FLETCH_NULLABLE);
    fletch_set_dictionary(b, 5, (fletch_int_type){16, false}, true);
    fletch_end_field(b);
    fletch_add_metadata(b, "s", "t");
    return built_schema(m, b);
}

static bool is_json(maker *m, fletch_builder *b, const char *json)
{
    fletch_schema schema = built_schema(m, b);
    block text = json_of(m, &schema);
    bool is_equal = text.size == strlen(json) && !memcmp(text.bytes, json, text.size);
    if (!is_equal) print_error("%.*s\n", (int)text.size, (const char *)text.bytes);
    return is_equal;
}

#define INT_A                                                                                      \
    "{\"name\":\"a\",\"nullable\":true,\"type\":{\"name\":\"int\",\"bitWidth\":32,"                \
    "\"isSigned\":true},\"children\":[]}"
#define LIST_Y                                                                                     \
    "{\"name\":\"y\",\"nullable\":true,\"type\":{\"name\":\"list\"},\"children\":[{\"name\":"      \
    "\"item\",\"nullable\":true,\"type\":{\"name\":\"bool\"},\"children\":[]}]}"
#define SCHEMA(fields) "{\"schema\":{\"fields\":[" fields "]}}"

static void columns_can_be_projected(void **state)
{
    maker *m = *state;
    fletch_schema from = source(m);
    fletch_field b_field = field_number(&from, 1), y = child_number(&b_field, 1);
    fletch_field a = field_number(&from, 0);
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_copy_field(b, &y), FLETCH_OK);
    assert_int_equal(fletch_copy_field(b, &a), FLETCH_OK);
    assert_true(is_json(m, b, SCHEMA(LIST_Y "," INT_A)));
}

static void a_column_can_be_renamed(void **state)
{
    maker *m = *state;
    fletch_schema from = source(m);
    fletch_field field = field_number(&from, 1);
    fletch_builder *b = new_builder(m);
    field.name = (fletch_string){"new name, not in the bytes", 8};
    assert_int_equal(fletch_copy_field(b, &field), FLETCH_OK);
    fletch_schema schema = built_schema(m, b);
    fletch_field renamed = field_number(&schema, 0);
    assert_true(is_text(renamed.name, "new name"));
    assert_int_equal(fletch_count_fields(&renamed.children), 2);
    assert_int_equal(fletch_count_metadata(&renamed.metadata), 1);
}

static void a_column_can_get_another_type(void **state)
{
    maker *m = *state;
    fletch_schema from = source(m);
    fletch_field field = field_number(&from, 0), parent = field_number(&from, 1);
    fletch_field list = child_number(&parent, 1);
    fletch_builder *b = new_builder(m);
    field.type = fletch_timestamp(FLETCH_SECOND, "UTC");
    field.nullable = false;
    assert_int_equal(fletch_copy_field(b, &field), FLETCH_OK);
    list.type = fletch_large_list();
    assert_int_equal(fletch_copy_field(b, &list), FLETCH_OK);
    fletch_schema schema = built_schema(m, b);
    assert_int_equal(field_number(&schema, 0).type.id, FLETCH_TYPE_TIMESTAMP);
    assert_false(field_number(&schema, 0).nullable);
    assert_int_equal(field_number(&schema, 1).type.id, FLETCH_TYPE_LARGE_LIST);
}

static void a_type_that_does_not_fit_the_children_is_refused(void **state)
{
    maker *m = *state;
    fletch_schema from = source(m);
    fletch_field field = field_number(&from, 1);
    fletch_builder *b = new_builder(m);
    field.type = fletch_list();
    assert_int_equal(fletch_copy_field(b, &field), FLETCH_INVALID);
    not_built_at(b, FLETCH_INVALID, "fields[0].children");
}

static void a_dictionary_can_be_taken_off_or_changed(void **state)
{
    maker *m = *state;
    fletch_schema from = source(m);
    fletch_field field = field_number(&from, 2);
    fletch_builder *b = new_builder(m);
    fletch_copy_field(b, &field);
    field.dictionary.id = 6;
    fletch_copy_field(b, &field);
    field.has_dictionary = false;
    fletch_copy_field(b, &field);
    fletch_schema schema = built_schema(m, b);
    assert_true(field_number(&schema, 0).dictionary.id == 5);
    assert_true(field_number(&schema, 0).dictionary.is_ordered);
    assert_true(field_number(&schema, 1).dictionary.id == 6);
    assert_false(field_number(&schema, 2).has_dictionary);
}

static void a_column_can_be_copied_without_its_metadata(void **state)
{
    maker *m = *state;
    fletch_schema from = source(m);
    fletch_field field = field_number(&from, 1);
    fletch_builder *b = new_builder(m);
    memset(&field.metadata, 0, sizeof field.metadata);
    assert_int_equal(fletch_copy_field(b, &field), FLETCH_OK);
    fletch_schema schema = built_schema(m, b);
    assert_false(field_number(&schema, 0).has_metadata);
}

static void a_field_can_be_opened_like_another_and_given_other_children(void **state)
{
    maker *m = *state;
    fletch_schema from = source(m);
    fletch_field field = field_number(&from, 1), child = child_number(&field, 0);
    fletch_builder *b = new_builder(m);
    fletch_begin_field_like(b, &field);
    fletch_copy_field(b, &child);
    fletch_add_field(b, "z", fletch_bool(), 0);
    fletch_add_metadata(b, "k", "w");
    fletch_end_field(b);
    fletch_schema schema = built_schema(m, b);
    fletch_field like = field_number(&schema, 0);
    assert_true(is_text(child_number(&like, 0).name, "x"));
    assert_true(is_text(child_number(&like, 1).name, "z"));
    assert_int_equal(fletch_count_metadata(&like.metadata), 2);
}

static void schemas_can_be_merged(void **state)
{
    maker *m = *state;
    fletch_schema one = source(m), two = source(m);
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_copy_schema(b, &one), FLETCH_OK);
    fletch_add_field(b, "between", fletch_bool(), 0);
    assert_int_equal(fletch_copy_schema(b, &two), FLETCH_OK);
    fletch_schema schema = built_schema(m, b);
    assert_int_equal(fletch_count_fields(&schema.fields), 7);
    assert_int_equal(fletch_count_metadata(&schema.metadata), 2);
    assert_true(is_text(field_number(&schema, 6).name, "c"));
}

/* The deepest schema, and one level more around it. */
static void a_copy_may_be_128_levels_deep_and_no_deeper(void **state)
{
    maker *m = *state;
    block deep = finish(m, deep_schema(m, 128));
    fletch_schema schema = open_as(deep, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    fletch_field field = field_number(&schema, 0);
    fletch_status status;
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_copy_schema(b, &schema), FLETCH_OK);
    fletch_schema copy = built_schema(m, b);
    assert_int_equal(walk_all(&copy, &status), 128);
    b = new_builder(m);
    fletch_begin_field(b, "around", fletch_list(), 0);
    assert_int_equal(fletch_copy_field(b, &field), FLETCH_LIMIT);
    not_built(b, FLETCH_LIMIT);
}

/* What is newer than the library */

/* The field as the second child of a struct, which is the third column. */
static fletch_schema schema_around(maker *m, node *field)
{
    node *parent = nested_field(m, "s", FLETCH_TYPE_STRUCT), *schema;
    add_child(parent, int_field(m, "x"));
    add_child(parent, field);
    schema = schema_with(m, int_field(m, "a"));
    add_field(schema, text_field(m, "b"));
    add_field(schema, parent);
    return open_as(finish(m, schema), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
}

static void refuse_copy(maker *m, node *field, fletch_status status, const char *path)
{
    fletch_schema schema = schema_around(m, field);
    fletch_builder *b = new_builder(m);
    fletch_set_level(b, FLETCH_LEVEL_ARROW);
    assert_int_equal(fletch_copy_schema(b, &schema), status);
    not_built_at(b, status, path);
}

static void a_type_newer_than_the_library_is_unsupported(void **state)
{
    static const int tags[] = {27, 28, 99, 255};
    maker *m = *state;
    for (size_t i = 0; i < 4; i++)
        refuse_copy(m, nested_field(m, "new", tags[i]), FLETCH_UNSUPPORTED,
                    "fields[2].children[1].type");
}

static void a_unit_or_kind_newer_than_the_library_is_unsupported(void **state)
{
    maker *m = *state;
    node *type = make_table(m), *field = text_field(m, "d");
    set16(type, 0, 4);
    refuse_copy(m, new_field(m, "t", FLETCH_TYPE_DURATION, type), FLETCH_UNSUPPORTED,
                "fields[2].children[1].type.unit");
    set16(add_dictionary(m, field, 1, int_type(m, 8, true)), DICTIONARY_KIND, 1);
    refuse_copy(m, field, FLETCH_UNSUPPORTED, "fields[2].children[1].dictionary.dictionaryKind");
}

static void a_field_without_a_type_is_missing_in_a_copy(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    drop(field, FIELD_TYPE_TAG);
    drop(field, FIELD_TYPE);
    refuse_copy(m, field, FLETCH_MISSING, "fields[2].children[1].type");
}

static void what_is_invalid_is_invalid_in_a_copy(void **state)
{
    maker *m = *state;
    refuse_copy(m, new_field(m, "i", FLETCH_TYPE_INT, int_type(m, 12, true)), FLETCH_INVALID,
                "fields[2].children[1].type.bitWidth");
    refuse_copy(m, nested_field(m, "l", FLETCH_TYPE_LIST), FLETCH_INVALID,
                "fields[2].children[1].children");
}

static void what_is_not_strict_is_copied_at_arrow_only(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "\xFF");
    add_child(field, int_field(m, "child of a leaf"));
    fletch_schema schema = schema_around(m, field);
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_copy_schema(b, &schema), FLETCH_MALFORMED);
    not_built_at(b, FLETCH_MALFORMED, "fields[2].children[1].name");
    b = new_builder(m);
    fletch_set_level(b, FLETCH_LEVEL_ARROW);
    assert_int_equal(fletch_copy_schema(b, &schema), FLETCH_OK);
    expect_levels(built(m, b, FLETCH_SCHEMA), FLETCH_SCHEMA, FLETCH_OK, FLETCH_OK,
                  FLETCH_MALFORMED);
}

/* Bytes that were not verified */

static void damage_met_while_copying_is_malformed(void **state)
{
    maker *m = *state;
    sample s = make_sample(m);
    block b = finish(m, s.schema);
    fletch_options options = {.kind = FLETCH_SCHEMA, .level = FLETCH_LEVEL_UNCHECKED};
    for (size_t at = 4; at < b.size; at += 4) {
        block damaged = copy_of(m, b.bytes, b.size);
        fletch_builder *builder = new_builder_in(m, 1024);
        fletch_schema schema;
        poke32(damaged, at, 0x7FFFFFF1);
        fletch_open_with(damaged.bytes, damaged.size, &options, &schema, NULL);
        fletch_set_level(builder, FLETCH_LEVEL_ARROW);
        fletch_status status = fletch_copy_schema(builder, &schema);
        if (status == FLETCH_OK) built(m, builder, FLETCH_STREAM);
        if (status != FLETCH_OK) not_built(builder, status);
    }
    poke32(b, place_of_element(s.fields, 0), 0x7FFFFFF0);
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
    fletch_builder *builder = new_builder(m);
    assert_int_equal(fletch_copy_schema(builder, &schema), FLETCH_MALFORMED);
}

/* Each of 64 columns is one struct, which names one field 30 times. */
static void copying_fields_without_end_is_a_limit(void **state)
{
    maker *m = *state;
    node *root = fan_schema(m, 1, 30), *fields = member(root, SCHEMA_FIELDS);
    for (int i = 0; i < 63; i++)
        append(fields, first_of(fields));
    block b = finish(m, root);
    expect_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, FLETCH_LIMIT);
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
    fletch_builder *builder = new_builder_in(m, 0);
    assert_int_equal(fletch_copy_schema(builder, &schema), FLETCH_LIMIT);
}

/* Verified at level arrow, which reads no text: 30000 bytes, named 2000 times. */
static void copying_text_without_end_is_a_limit(void **state)
{
    maker *m = *state;
    block text = pad(m, (block){NULL, 0}, 30000);
    node *root = new_schema(m), *name;
    memset(text.bytes, 'n', text.size);
    name = make_string(m, text.bytes, text.size);
    for (int i = 0; i < 2000; i++) {
        node *field = text_field(m, NULL);
        set_node(field, FIELD_NAME, name);
        add_field(root, field);
    }
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_builder *builder = new_builder_in(m, 0);
    fletch_set_level(builder, FLETCH_LEVEL_ARROW);
    assert_int_equal(fletch_copy_schema(builder, &schema), FLETCH_LIMIT);
}

/* 60000 bytes, named 200 times, which are more than 16 times the flatbuffer's size and 1 MiB. */
static void copying_zones_without_end_is_a_limit(void **state)
{
    maker *m = *state;
    block text = pad(m, (block){NULL, 0}, 60000);
    node *root = new_schema(m), *zone;
    memset(text.bytes, 'z', text.size);
    zone = make_string(m, text.bytes, text.size);
    for (int i = 0; i < 200; i++) {
        node *type = make_table(m);
        set16(type, TIMESTAMP_UNIT, FLETCH_SECOND);
        set_node(type, TIMESTAMP_ZONE, zone);
        add_field(root, new_field(m, "a", FLETCH_TYPE_TIMESTAMP, type));
    }
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_builder *builder = new_builder_in(m, 0);
    fletch_set_level(builder, FLETCH_LEVEL_ARROW);
    assert_int_equal(fletch_copy_schema(builder, &schema), FLETCH_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_come_back_as_they_were),
        cmocka_unit_test(the_corpus_comes_back_as_it_was),
        cmocka_unit_test(data_copied_twice_give_equal_bytes),
        cmocka_unit_test(the_corpus_copied_twice_gives_equal_bytes),
        cmocka_unit_test(copies_of_data_are_no_larger),
        cmocka_unit_test(copies_of_the_corpus_are_no_larger),
        WITH_MAKER(columns_can_be_projected),
        WITH_MAKER(a_column_can_be_renamed),
        WITH_MAKER(a_column_can_get_another_type),
        WITH_MAKER(a_type_that_does_not_fit_the_children_is_refused),
        WITH_MAKER(a_dictionary_can_be_taken_off_or_changed),
        WITH_MAKER(a_column_can_be_copied_without_its_metadata),
        WITH_MAKER(a_field_can_be_opened_like_another_and_given_other_children),
        WITH_MAKER(schemas_can_be_merged),
        WITH_MAKER(a_copy_may_be_128_levels_deep_and_no_deeper),
        WITH_MAKER(a_type_newer_than_the_library_is_unsupported),
        WITH_MAKER(a_unit_or_kind_newer_than_the_library_is_unsupported),
        WITH_MAKER(a_field_without_a_type_is_missing_in_a_copy),
        WITH_MAKER(what_is_invalid_is_invalid_in_a_copy),
        WITH_MAKER(what_is_not_strict_is_copied_at_arrow_only),
        WITH_MAKER(damage_met_while_copying_is_malformed),
        WITH_MAKER(copying_fields_without_end_is_a_limit),
        WITH_MAKER(copying_text_without_end_is_a_limit),
        WITH_MAKER(copying_zones_without_end_is_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
