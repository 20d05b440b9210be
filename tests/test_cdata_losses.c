/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the C data interface loses: each row of the tables in fletch/cdata.h, by what is found on
 * the other side. Whatever is not in a row comes back, as test_cases_cdata.c holds of many schemas.
 */
#include "support/ctree.h"

#include <string.h>

static fletch_schema open_root(maker *m, node *schema)
{
    return open_as(finish(m, schema), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
}

/* Out to ArrowSchema and back, without a list of ids. */
static fletch_schema there_and_back(maker *m, const fletch_schema *schema)
{
    ledger l = {0};
    struct ArrowSchema tree = exported(schema, &l);
    fletch_schema back = imported_at(m, &tree, NULL, FLETCH_LEVEL_ARROW);
    tree.release(&tree);
    assert_int_equal(l.blocks, 0);
    return back;
}

static fletch_field only_field_of(maker *m, node *field)
{
    fletch_schema schema = open_root(m, schema_with(m, field)), back = there_and_back(m, &schema);
    return field_number(&back, 0);
}

/* Out */

static void dictionary_ids_and_their_sharing_are_lost(void **state)
{
    node *schema = new_schema(*state), *first = text_field(*state, "a");
    node *second = text_field(*state, "b");
    set_node(second, FIELD_DICTIONARY, add_dictionary(*state, first, 77, NULL));
    add_field(schema, first);
    add_field(schema, second);
    fletch_schema opened = open_root(*state, schema), back = there_and_back(*state, &opened);
    assert_int_equal(field_number(&opened, 1).dictionary.id, 77);
    assert_int_equal(field_number(&back, 0).dictionary.id, 0);
    assert_int_equal(field_number(&back, 1).dictionary.id, 1);
}

static node *big_schema_with_a_feature(maker *m)
{
    node *schema = schema_with(m, int_field(m, "a")), *features = make_vector(m, 8);
    append_number(features, FLETCH_FEATURE_COMPRESSED_BODY);
    set16(schema, SCHEMA_ENDIANNESS, FLETCH_BIG_ENDIAN);
    set_node(schema, SCHEMA_FEATURES, features);
    return schema;
}

static void endianness_and_features_are_lost(void **state)
{
    fletch_schema schema = open_root(*state, big_schema_with_a_feature(*state));
    fletch_schema back = there_and_back(*state, &schema);
    assert_int_equal(schema.endianness, FLETCH_BIG_ENDIAN);
    assert_int_equal(schema.features.count, 1);
    assert_int_equal(back.endianness, FLETCH_LITTLE_ENDIAN);
    assert_int_equal(back.features.count, 0);
}

static void endianness_and_features_may_be_set_on_the_builder(void **state)
{
    ledger l = {0};
    fletch_schema schema = open_root(*state, big_schema_with_a_feature(*state));
    struct ArrowSchema tree = exported(&schema, &l);
    fletch_builder *b = new_builder(*state);
    fletch_set_endianness(b, schema.endianness);
    fletch_add_feature(b, fletch_integer_at(&schema.features, 0));
    fletch_import_schema(b, &tree, NULL);
    tree.release(&tree);
    fletch_schema back = built_schema(*state, b);
    assert_int_equal(fletch_compare(&schema, &back, NULL, NULL), FLETCH_OK);
}

static void what_stands_around_the_schema_is_lost(void **state)
{
    node *message = new_message(*state, schema_with(*state, int_field(*state, "a")));
    set16(message, MESSAGE_VERSION, FLETCH_V4);
    add_pair(*state, message, MESSAGE_METADATA, "of", "the message");
    fletch_schema schema = open_as(finish(*state, message), FLETCH_MESSAGE, FLETCH_LEVEL_ARROW);
    ledger l = {0};
    struct ArrowSchema tree = exported(&schema, &l);
    fletch_builder *b = new_builder(*state);
    fletch_import_schema(b, &tree, NULL);
    tree.release(&tree);
    fletch_schema back =
        open_as(built(*state, b, FLETCH_MESSAGE), FLETCH_MESSAGE, FLETCH_LEVEL_STRICT);
    assert_int_equal(schema.wrapper.version, FLETCH_V4);
    assert_int_equal(back.wrapper.version, FLETCH_V5);
    assert_int_equal(fletch_count_metadata(&schema.wrapper.metadata), 1);
    assert_int_equal(fletch_count_metadata(&back.wrapper.metadata), 0);
}

static void an_absent_name_becomes_empty(void **state)
{
    node *field = int_field(*state, "");
    drop(field, FIELD_NAME);
    fletch_field back = only_field_of(*state, field);
    assert_true(back.has_name);
    assert_int_equal(back.name.size, 0);
}

static void an_empty_time_zone_becomes_absent(void **state)
{
    node *type = make_table(*state);
    set_node(type, TIMESTAMP_ZONE, make_text(*state, ""));
    fletch_field back = only_field_of(*state, new_field(*state, "t", FLETCH_TYPE_TIMESTAMP, type));
    assert_false(back.type.as.timestamp.has_timezone);
    back = only_field_of(*state, new_field(*state, "t", FLETCH_TYPE_TIMESTAMP, make_table(*state)));
    assert_false(back.type.as.timestamp.has_timezone);
}

static void an_absent_index_type_is_written_out(void **state)
{
    node *field = text_field(*state, "d");
    add_dictionary(*state, field, 0, NULL);
    fletch_field back = only_field_of(*state, field);
    assert_true(back.dictionary.has_index_type);
    assert_int_equal(back.dictionary.index_type.bit_width, 32);
    assert_true(back.dictionary.index_type.is_signed);
}

static void absent_type_ids_are_written_out(void **state)
{
    node *field = nested_field(*state, "u", FLETCH_TYPE_UNION);
    add_child(field, int_field(*state, "a"));
    add_child(field, int_field(*state, "b"));
    fletch_field back = only_field_of(*state, field);
    assert_true(back.type.as.union_.has_type_ids);
    assert_int_equal(back.type.as.union_.type_ids.count, 2);
    assert_int_equal(fletch_union_type_id(&back.type, 1), 1);
}

static void empty_metadata_becomes_absent(void **state)
{
    sample s = make_sample(*state);
    set_node(s.schema, SCHEMA_METADATA, make_list(*state));
    set_node(s.field, FIELD_METADATA, make_list(*state));
    fletch_schema schema = open_root(*state, s.schema), back = there_and_back(*state, &schema);
    assert_true(field_number(&schema, 0).has_metadata);
    assert_false(field_number(&back, 0).has_metadata);
    assert_false(back.has_metadata);
}

static void an_absent_key_or_value_becomes_empty(void **state)
{
    node *field = int_field(*state, "a");
    add_pair(*state, field, FIELD_METADATA, "key", NULL);
    add_pair(*state, field, FIELD_METADATA, NULL, "value");
    fletch_field back = only_field_of(*state, field);
    fletch_key_value pair;
    assert_true(fletch_next_metadata(&back.metadata, &pair));
    assert_true(pair.has_value && pair.value.size == 0 && is_text(pair.key, "key"));
    assert_true(fletch_next_metadata(&back.metadata, &pair));
    assert_true(pair.has_key && pair.key.size == 0 && is_text(pair.value, "value"));
}

/* In */

static struct ArrowSchema in_and_out(maker *m, const struct ArrowSchema *tree, ledger *l)
{
    fletch_schema schema = imported(m, tree);
    return exported(&schema, l);
}

static struct ArrowSchema *coded_tree(maker *m)
{
    struct ArrowSchema *tree = c_node(m, "+s", NULL), *field = c_node(m, "i", "d");
    field->dictionary = c_node(m, "u", "values");
    c_child(m, tree, field);
    return tree;
}

static void name_and_flags_of_the_outermost_are_lost(void **state)
{
    ledger l = {0};
    struct ArrowSchema *tree = c_node(*state, "+s", "name");
    tree->flags = ARROW_FLAG_NULLABLE;
    struct ArrowSchema back = in_and_out(*state, tree, &l);
    assert_string_equal(back.name, "");
    assert_int_equal(back.flags, 0);
    back.release(&back);
}

static void a_field_keeps_name_and_nullability(void **state)
{
    fletch_builder *b = new_builder(*state);
    struct ArrowSchema *field = c_node(*state, "+s", "name");
    field->flags = ARROW_FLAG_NULLABLE;
    fletch_import_field(b, field, NULL);
    fletch_schema schema = built_schema(*state, b);
    assert_true(is_text(field_number(&schema, 0).name, "name"));
    assert_true(field_number(&schema, 0).nullable);
}

static void name_and_nullability_of_a_dictionary_are_lost(void **state)
{
    for (int flags = 0; flags <= ARROW_FLAG_NULLABLE; flags += ARROW_FLAG_NULLABLE) {
        ledger l = {0};
        struct ArrowSchema *tree = coded_tree(*state);
        tree->children[0]->dictionary->flags = flags;
        struct ArrowSchema back = in_and_out(*state, tree, &l);
        assert_string_equal(back.children[0]->name, "d");
        assert_int_equal(back.children[0]->flags, 0);
        assert_string_equal(back.children[0]->dictionary->name, "");
        assert_int_equal(back.children[0]->dictionary->flags, ARROW_FLAG_NULLABLE);
        back.release(&back);
    }
}

static void flags_without_a_meaning_are_lost(void **state)
{
    ledger l = {0};
    struct ArrowSchema *tree = coded_tree(*state);
    c_child(*state, tree, c_node(*state, "i", "i"));
    tree->children[0]->flags = ~(int64_t)ARROW_FLAG_NULLABLE;
    tree->children[0]->dictionary->flags = -1;
    tree->children[1]->flags = -1;
    struct ArrowSchema back = in_and_out(*state, tree, &l);
    assert_int_equal(back.children[0]->flags, ARROW_FLAG_DICTIONARY_ORDERED);
    assert_int_equal(back.children[0]->dictionary->flags, ARROW_FLAG_NULLABLE);
    assert_int_equal(back.children[1]->flags, ARROW_FLAG_NULLABLE);
    back.release(&back);
}

static void metadata_of_a_dictionary_moves_to_its_field(void **state)
{
    static const char *const texts[] = {"k", "v", NULL};
    ledger l = {0};
    struct ArrowSchema *tree = coded_tree(*state);
    const char *metadata = c_metadata(*state, texts);
    tree->children[0]->dictionary->metadata = metadata;
    struct ArrowSchema back = in_and_out(*state, tree, &l);
    assert_memory_equal(back.children[0]->metadata, metadata, 4 + 5 + 5);
    assert_null(back.children[0]->dictionary->metadata);
    back.release(&back);
    tree->children[0]->metadata = metadata;
    not_imported(*state, tree, NULL, FLETCH_INVALID, "fields[0].dictionary.metadata");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(dictionary_ids_and_their_sharing_are_lost),
        WITH_MAKER(endianness_and_features_are_lost),
        WITH_MAKER(endianness_and_features_may_be_set_on_the_builder),
        WITH_MAKER(what_stands_around_the_schema_is_lost),
        WITH_MAKER(an_absent_name_becomes_empty),
        WITH_MAKER(an_empty_time_zone_becomes_absent),
        WITH_MAKER(an_absent_index_type_is_written_out),
        WITH_MAKER(absent_type_ids_are_written_out),
        WITH_MAKER(empty_metadata_becomes_absent),
        WITH_MAKER(an_absent_key_or_value_becomes_empty),
        WITH_MAKER(name_and_flags_of_the_outermost_are_lost),
        WITH_MAKER(a_field_keeps_name_and_nullability),
        WITH_MAKER(name_and_nullability_of_a_dictionary_are_lost),
        WITH_MAKER(flags_without_a_meaning_are_lost),
        WITH_MAKER(metadata_of_a_dictionary_moves_to_its_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
