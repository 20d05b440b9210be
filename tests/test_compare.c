/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparing and hashing.
 *
 * Whatever two schemas a test holds against each other, they are compared both ways and each with
 * itself, one difference is told by both calls alike, and the hashes are equal where the schemas
 * are. The JSON of the integration tests is the second opinion on what is equal.
 */
#include "support/building.h"
#include "support/random_schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK        FLETCH_OK
#define DIFFERENT FLETCH_DIFFERENT

static const fletch_compare_options anything = {.ignore_metadata = false};

/* What compare_each told. */
enum { MOST_TOLD = 64 };
typedef struct told {
    size_t count, most; /* most: stop there; 0: never */
    fletch_aspect aspects[MOST_TOLD];
    fletch_form forms[MOST_TOLD];
    bool in_a[MOST_TOLD], in_b[MOST_TOLD];
    bool is_in_field[MOST_TOLD]; /* in both schemas, or in the one that has it */
    fletch_error errors[MOST_TOLD];
} told;

static bool note(void *context, const fletch_difference *d)
{
    told *t = context;
    if (t->count < MOST_TOLD) {
        t->aspects[t->count] = d->aspect;
        t->forms[t->count] = d->form;
        t->in_a[t->count] = d->a.is_there;
        t->in_b[t->count] = d->b.is_there;
        t->errors[t->count] = d->error;
        t->is_in_field[t->count] = d->a.is_there ? d->a.field != NULL : d->b.field != NULL;
    }
    assert_int_equal(d->error.status, DIFFERENT);
    assert_int_equal(d->error.offset, d->a.offset);
    assert_true(strlen(d->error.sentence) < sizeof d->error.sentence - 1);
    if (d->aspect == FLETCH_ASPECT_FIELD) assert_true(!d->a.field == !d->a.is_there);
    if (d->aspect == FLETCH_ASPECT_FIELD) assert_true(!d->b.field == !d->b.is_there);
    assert_true(d->a.is_there || d->b.is_there);
    assert_int_equal(d->aspect == FLETCH_ASPECT_METADATA, d->a.pair != NULL || d->b.pair != NULL);
    t->count++;
    return t->count != t->most;
}

static fletch_compare_options lending(const fletch_compare_options *options)
{
    static uint8_t memory[1 << 18];
    fletch_compare_options o = *options;
    if (!o.memory) {
        o.memory = memory + 1; /* of any alignment */
        o.memory_size = sizeof memory - 1;
    }
    return o;
}

static uint64_t hash_of(const fletch_schema *schema, const fletch_compare_options *options)
{
    uint64_t hash = 0;
    fletch_error error;
    memset(&error, 0xA5, sizeof error);
    fletch_status status = fletch_hash(schema, options, &hash, &error);
    if (status != OK) fail_msg("no hash: %s at %s", error.sentence, error.path);
    assert_int_equal(error.status, OK);
    assert_string_equal(error.path, "");
    return hash;
}

static void are_same_error(const fletch_error *x, const fletch_error *y)
{
    assert_string_equal(x->path, y->path);
    assert_string_equal(x->sentence, y->sentence);
    assert_int_equal(x->offset, y->offset);
    assert_int_equal(x->status, y->status);
}

/* Compares both ways and in every way; what b lacks of a, a has more than b. */
static told hold(const fletch_schema *a, const fletch_schema *b,
                 const fletch_compare_options *options)
{
    fletch_compare_options o = lending(options);
    told forth = {0}, back = {0};
    fletch_error error, all;
    memset(&error, 0xA5, sizeof error);
    fletch_status status = fletch_compare(a, b, &o, &error);
    if (status != OK && status != DIFFERENT) fail_msg("%s at %s", error.sentence, error.path);
    assert_int_equal(error.status, status);
    assert_int_equal(fletch_compare(b, a, &o, NULL), status);
    assert_int_equal(fletch_compare_each(a, b, &o, note, &forth, &all), status);
    assert_int_equal(fletch_compare_each(b, a, &o, note, &back, NULL), status);
    assert_int_equal(all.status, status);
    assert_int_equal(forth.count, back.count);
    assert_int_equal(forth.count != 0, status == DIFFERENT);
    assert_int_equal(hash_of(a, &o) == hash_of(b, &o), status == OK);
    if (status == OK) {
        assert_string_equal(error.path, "");
        assert_string_equal(error.sentence, "");
        return forth;
    }
    are_same_error(&error, &forth.errors[0]);
    return forth;
}

static void same_with(const fletch_schema *a, const fletch_schema *b,
                      const fletch_compare_options *options)
{
    told t = hold(a, b, options);
    if (t.count) fail_msg("different: %s: %s", t.errors[0].path, t.errors[0].sentence);
    assert_int_equal(hold(a, a, options).count, 0);
}

static void same(const fletch_schema *a, const fletch_schema *b)
{
    same_with(a, b, &anything);
}

/* Exactly one difference, here and so. */
static told differ_with(const fletch_schema *a, const fletch_schema *b,
                        const fletch_compare_options *options, const char *path,
                        const char *sentence)
{
    told t = hold(a, b, options);
    if (!t.count) fail_msg("equal, but for '%s'", path);
    assert_string_equal(t.errors[0].path, path);
    assert_string_equal(t.errors[0].sentence, sentence);
    if (t.count > 1) fail_msg("%s: %s, too", t.errors[1].path, t.errors[1].sentence);
    return t;
}

static told differ(const fletch_schema *a, const fletch_schema *b, const char *path,
                   const char *sentence)
{
    return differ_with(a, b, &anything, path, sentence);
}

/* Schemas to compare */

static fletch_schema opened(maker *m, node *schema)
{
    return open_as(finish(m, schema), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
}

/* One field `a` of this type, which takes no children. */
static fletch_schema of_type(maker *m, fletch_type type)
{
    fletch_builder *b = new_builder(m);
    fletch_add_field(b, "a", type, 0);
    return built_schema(m, b);
}

static fletch_schema of_names(maker *m, const char *const *names)
{
    fletch_builder *b = new_builder(m);
    for (; *names; names++)
        fletch_add_field(b, *names, fletch_int(32, true), 0);
    return built_schema(m, b);
}

#define NAMES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* Pairs as "k=v", of the schema or of its only field. */
static fletch_schema of_pairs(maker *m, bool in_field, const char *const *pairs)
{
    fletch_builder *b = new_builder(m);
    if (in_field) fletch_begin_field(b, "a", fletch_bool(), 0);
    for (; *pairs; pairs++) {
        const char *equals = strchr(*pairs, '=');
        fletch_add_metadata_string(b, (fletch_string){*pairs, (size_t)(equals - *pairs)},
                                   fletch_text(equals + 1));
    }
    if (in_field) fletch_end_field(b);
    return built_schema(m, b);
}

/* Absent, empty, default */

static void an_absent_name_equals_an_empty_one(void **state)
{
    node *absent = text_field(*state, ""), *empty = text_field(*state, "");
    drop(absent, FIELD_NAME);
    fletch_schema a = opened(*state, schema_with(*state, absent));
    fletch_schema b = opened(*state, schema_with(*state, empty));
    same(&a, &b);
}

static void absent_fields_equal_no_fields(void **state)
{
    node *absent = new_schema(*state);
    drop(absent, SCHEMA_FIELDS);
    fletch_schema a = opened(*state, absent), b = opened(*state, new_schema(*state));
    same(&a, &b);
}

static void absent_children_equal_no_children(void **state)
{
    node *absent = text_field(*state, "a");
    drop(absent, FIELD_CHILDREN);
    fletch_schema a = opened(*state, schema_with(*state, absent));
    fletch_schema b = opened(*state, schema_with(*state, text_field(*state, "a")));
    same(&a, &b);
}

static void case_12_absent_metadata_equals_empty_metadata(void **state)
{
    node *field = text_field(*state, "a"), *schema = schema_with(*state, field);
    set_node(field, FIELD_METADATA, make_list(*state));
    set_node(schema, SCHEMA_METADATA, make_list(*state));
    fletch_schema a = opened(*state, schema);
    fletch_schema b = opened(*state, schema_with(*state, text_field(*state, "a")));
    assert_true(a.has_metadata && !b.has_metadata);
    same(&a, &b);
}

static void an_absent_key_or_value_equals_an_empty_one(void **state)
{
    node *absent = new_schema(*state), *empty = new_schema(*state);
    node *pair = add_pair(*state, absent, SCHEMA_METADATA, "", "");
    drop(pair, PAIR_KEY);
    drop(pair, PAIR_VALUE);
    add_pair(*state, empty, SCHEMA_METADATA, "", "");
    fletch_schema a = opened(*state, absent), b = opened(*state, empty);
    same(&a, &b);
}

static void case_54_an_absent_zone_equals_an_empty_one(void **state)
{
    fletch_schema a = of_type(*state, fletch_timestamp(FLETCH_SECOND, NULL));
    fletch_schema b = of_type(*state, fletch_timestamp(FLETCH_SECOND, ""));
    same(&a, &b);
}

/* A union of two ints with these type ids; count 0: absent. */
static fletch_schema of_union(maker *m, const int32_t *ids, uint32_t count)
{
    node *type = make_table(m), *field = new_field(m, "u", FLETCH_TYPE_UNION, type);
    node *vector = make_vector(m, 4);
    add_child(field, int_field(m, "x"));
    add_child(field, int_field(m, "y"));
    for (uint32_t i = 0; i < count; i++)
        append_number(vector, ids[i]);
    if (count) set_node(type, UNION_TYPE_IDS, vector);
    return opened(m, schema_with(m, field));
}

static void absent_type_ids_equal_those_by_position(void **state)
{
    fletch_schema a = of_union(*state, NULL, 0);
    fletch_schema b = of_union(*state, (const int32_t[]){0, 1}, 2);
    same(&a, &b);
}

static void other_type_ids_differ_from_absent_ones(void **state)
{
    fletch_schema a = of_union(*state, NULL, 0);
    fletch_schema b = of_union(*state, (const int32_t[]){0, 5}, 2);
    differ(&a, &b, "fields[0].type.typeIds[1]", "typeIds 1 against 5");
}

static void an_offset_leads_to_the_type_id(void **state)
{
    fletch_schema a = of_union(*state, (const int32_t[]){3, 5}, 2);
    fletch_schema b = of_union(*state, (const int32_t[]){3, 4}, 2);
    told t = differ(&a, &b, "fields[0].type.typeIds[1]", "typeIds 5 against 4");
    assert_int_equal(a.buffer.bytes[t.errors[0].offset], 5);
}

static void type_ids_too_many_for_the_children_differ(void **state)
{
    fletch_schema a = of_union(*state, NULL, 0);
    fletch_schema b = of_union(*state, (const int32_t[]){0, 1, 2}, 3);
    told t = differ(&a, &b, "fields[0].type.typeIds", "typeIds 2 elements against 3 elements");
    assert_int_equal(t.forms[0], FLETCH_FORM_COUNT);
}

/* Their number is that of the children, which are told themselves. */
static void type_ids_of_surplus_children_are_not_told(void **state)
{
    fletch_schema schemas[2];
    for (int i = 0; i < 2; i++) {
        fletch_builder *b = new_builder(*state);
        fletch_begin_field(b, "u", fletch_union(0, (const int32_t[]){4, 5, 6}, 2 + (uint32_t)i), 0);
        for (int k = 0; k < 2 + i; k++)
            fletch_add_field(b, "x", fletch_bool(), 0);
        fletch_end_field(b);
        schemas[i] = built_schema(*state, b);
    }
    differ(&schemas[0], &schemas[1], "fields[0].children[2]", "none against field \"x\"");
}

static node *dictionary_field(maker *m, node *index)
{
    node *field = text_field(m, "d");
    add_dictionary(m, field, 7, index);
    return field;
}

static void an_absent_index_type_equals_32_bits_with_a_sign(void **state)
{
    fletch_schema a = opened(*state, schema_with(*state, dictionary_field(*state, NULL)));
    fletch_schema b =
        opened(*state, schema_with(*state, dictionary_field(*state, int_type(*state, 32, true))));
    same(&a, &b);
}

static void another_index_type_differs_from_the_absent_one(void **state)
{
    fletch_schema a = opened(*state, schema_with(*state, dictionary_field(*state, NULL)));
    fletch_schema b =
        opened(*state, schema_with(*state, dictionary_field(*state, int_type(*state, 8, true))));
    differ(&a, &b, "fields[0].dictionary.indexType.bitWidth", "bitWidth 32 against 8");
    differ(&b, &a, "fields[0].dictionary.indexType.bitWidth", "bitWidth 8 against 32");
}

static void a_member_at_its_default_equals_an_absent_one(void **state)
{
    node *absent = make_table(*state), *stored = make_table(*state);
    set32(stored, DECIMAL_WIDTH, 128);
    fletch_schema a =
        opened(*state, schema_with(*state, new_field(*state, "a", FLETCH_TYPE_DECIMAL, absent)));
    fletch_schema b =
        opened(*state, schema_with(*state, new_field(*state, "a", FLETCH_TYPE_DECIMAL, stored)));
    same(&a, &b);
}

static void absent_features_equal_no_features(void **state)
{
    node *schema = new_schema(*state);
    set_node(schema, SCHEMA_FEATURES, make_vector(*state, 8));
    fletch_schema a = opened(*state, schema), b = opened(*state, new_schema(*state));
    same(&a, &b);
}

static void the_wrapper_makes_no_difference(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_add_field(b, "a", fletch_bool(), 0);
    fletch_add_message_metadata(b, fletch_text("k"), fletch_text("v"));
    fletch_add_footer_metadata(b, fletch_text("k"), fletch_text("w"));
    fletch_schema bare = open_as(built(*state, b, FLETCH_SCHEMA), FLETCH_SNIFF, 0);
    fletch_schema stream = open_as(rebuilt(*state, b, FLETCH_STREAM), FLETCH_SNIFF, 0);
    fletch_schema file = open_as(rebuilt(*state, b, FLETCH_FILE), FLETCH_SNIFF, 0);
    same(&bare, &stream);
    same(&stream, &file);
}

/* Every member */

typedef struct type_row {
    fletch_type a, b;
    const char *path, *sentence;
    fletch_aspect aspect;
    fletch_form form;
} type_row;

static void every_parameter_of_a_type_makes_a_difference(void **state)
{
    const type_row rows[] = {
        {fletch_int(8, true), fletch_int(16, true), "bitWidth", "bitWidth 8 against 16",
         FLETCH_ASPECT_PARAMETER, FLETCH_FORM_NUMBER},
        {fletch_int(8, true), fletch_int(8, false), "is_signed", "is_signed true against false",
         FLETCH_ASPECT_PARAMETER, FLETCH_FORM_BOOL},
        {fletch_floating_point(FLETCH_HALF), fletch_floating_point(FLETCH_DOUBLE), "precision",
         "precision HALF against DOUBLE", FLETCH_ASPECT_PARAMETER, FLETCH_FORM_ENUMERATOR},
        {fletch_decimal(9, 2, 128), fletch_decimal(8, 2, 128), "precision", "precision 9 against 8",
         FLETCH_ASPECT_PARAMETER, FLETCH_FORM_NUMBER},
        {fletch_decimal(9, -2, 128), fletch_decimal(9, 2, 128), "scale", "scale -2 against 2",
         FLETCH_ASPECT_PARAMETER, FLETCH_FORM_NUMBER},
        {fletch_decimal(9, 2, 128), fletch_decimal(9, 2, 32), "bitWidth", "bitWidth 128 against 32",
         FLETCH_ASPECT_PARAMETER, FLETCH_FORM_NUMBER},
        {fletch_date(FLETCH_DAY), fletch_date(FLETCH_DATE_MILLISECOND), "unit",
         "unit DAY against MILLISECOND", FLETCH_ASPECT_PARAMETER, FLETCH_FORM_ENUMERATOR},
        {fletch_time(FLETCH_SECOND), fletch_time(FLETCH_MILLISECOND), "unit",
         "unit SECOND against MILLISECOND", FLETCH_ASPECT_PARAMETER, FLETCH_FORM_ENUMERATOR},
        {fletch_timestamp(FLETCH_SECOND, "UTC"), fletch_timestamp(FLETCH_NANOSECOND, "UTC"), "unit",
         "unit SECOND against NANOSECOND", FLETCH_ASPECT_PARAMETER, FLETCH_FORM_ENUMERATOR},
        {fletch_timestamp(FLETCH_SECOND, "UTC"), fletch_timestamp(FLETCH_SECOND, "Utc"), "timezone",
         "timezone \"UTC\" against \"Utc\"", FLETCH_ASPECT_PARAMETER, FLETCH_FORM_STRING},
        {fletch_interval(FLETCH_DAY_TIME), fletch_interval(FLETCH_MONTH_DAY_NANO), "unit",
         "unit DAY_TIME against MONTH_DAY_NANO", FLETCH_ASPECT_PARAMETER, FLETCH_FORM_ENUMERATOR},
        {fletch_fixed_size_binary(3), fletch_fixed_size_binary(4), "byteWidth",
         "byteWidth 3 against 4", FLETCH_ASPECT_PARAMETER, FLETCH_FORM_NUMBER},
        {fletch_duration(FLETCH_SECOND), fletch_duration(FLETCH_MICROSECOND), "unit",
         "unit SECOND against MICROSECOND", FLETCH_ASPECT_PARAMETER, FLETCH_FORM_ENUMERATOR},
    };
    char path[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fletch_schema a = of_type(*state, rows[i].a), b = of_type(*state, rows[i].b);
        snprintf(path, sizeof path, "fields[0].type.%s", rows[i].path);
        told t = differ(&a, &b, path, rows[i].sentence);
        assert_int_equal(t.aspects[0], rows[i].aspect);
        assert_int_equal(t.forms[0], rows[i].form);
    }
}

/* A nested type over one int32 `x`, or over a map's entries. */
static fletch_schema nested(maker *m, fletch_type type)
{
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "n", type, 0);
    if (type.id == FLETCH_TYPE_MAP) fletch_begin_field(b, "entries", fletch_struct(), 0);
    if (type.id == FLETCH_TYPE_MAP) fletch_add_field(b, "key", fletch_utf8(), 0);
    fletch_add_field(b, "x", fletch_int(32, true), 0);
    if (type.id == FLETCH_TYPE_MAP) fletch_end_field(b);
    fletch_end_field(b);
    return built_schema(m, b);
}

static void parameters_of_nested_types_make_a_difference(void **state)
{
    fletch_schema a = nested(*state, fletch_fixed_size_list(2));
    fletch_schema b = nested(*state, fletch_fixed_size_list(3));
    differ(&a, &b, "fields[0].type.listSize", "listSize 2 against 3");
    a = nested(*state, fletch_map(false));
    b = nested(*state, fletch_map(true));
    differ(&a, &b, "fields[0].type.keysSorted", "keysSorted false against true");
    a = nested(*state, fletch_union(FLETCH_SPARSE, NULL, 0));
    b = nested(*state, fletch_union(FLETCH_DENSE, NULL, 0));
    differ(&a, &b, "fields[0].type.mode", "mode SPARSE against DENSE");
}

static void types_are_told_by_their_names(void **state)
{
    fletch_schema a = of_type(*state, fletch_utf8()), b = of_type(*state, fletch_large_utf8());
    told t = differ(&a, &b, "fields[0].type", "type Utf8 against LargeUtf8");
    assert_int_equal(t.aspects[0], FLETCH_ASPECT_TYPE);
}

static void newer_types_are_compared_by_number(void **state)
{
    node *type = make_table(*state);
    set32(type, 0, 7);
    fletch_schema a =
        opened(*state, schema_with(*state, new_field(*state, "a", 27, make_table(*state))));
    fletch_schema b = opened(*state, schema_with(*state, new_field(*state, "a", 27, type)));
    fletch_schema c = opened(*state, schema_with(*state, new_field(*state, "a", 28, type)));
    same(&a, &b);
    differ(&a, &c, "fields[0].type", "type 27 against 28");
}

/* A field of a type whose enumerator, its first member, is `value`. */
static fletch_schema of_enumerator(maker *m, int type_id, int value)
{
    node *type = make_table(m);
    set16(type, 0, (uint16_t)value);
    return opened(m, schema_with(m, new_field(m, "a", type_id, type)));
}

static void a_value_beside_the_enumerators_is_told_by_number(void **state)
{
    static const struct {
        int type, count;
        const char *member, *first;
    } rows[] = {
        {FLETCH_TYPE_FLOATING_POINT, 3, "precision", "HALF"},
        {FLETCH_TYPE_DATE, 2, "unit", "DAY"},
        {FLETCH_TYPE_TIME, 4, "unit", "SECOND"},
        {FLETCH_TYPE_TIMESTAMP, 4, "unit", "SECOND"},
        {FLETCH_TYPE_INTERVAL, 3, "unit", "YEAR_MONTH"},
        {FLETCH_TYPE_DURATION, 4, "unit", "SECOND"},
        {FLETCH_TYPE_UNION, 2, "mode", "SPARSE"},
    };
    char path[64], sentence[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fletch_schema a = of_enumerator(*state, rows[i].type, 0);
        fletch_schema b = of_enumerator(*state, rows[i].type, rows[i].count);
        fletch_schema c = of_enumerator(*state, rows[i].type, -1);
        snprintf(path, sizeof path, "fields[0].type.%s", rows[i].member);
        snprintf(sentence, sizeof sentence, "%s %s against %d", rows[i].member, rows[i].first,
                 rows[i].count);
        differ(&a, &b, path, sentence);
        snprintf(sentence, sizeof sentence, "%s %d against -1", rows[i].member, rows[i].count);
        differ(&b, &c, path, sentence);
    }
}

static void an_endianness_beside_the_two_is_told_by_number(void **state)
{
    node *two = schema_with(*state, int_field(*state, "a"));
    set16(two, SCHEMA_ENDIANNESS, 2);
    fletch_schema a = opened(*state, schema_with(*state, int_field(*state, "a")));
    fletch_schema b = opened(*state, two);
    differ(&a, &b, "endianness", "endianness Little against 2");
}

static void names_and_nullability_make_a_difference(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_add_field(b, "a", fletch_bool(), FLETCH_NULLABLE);
    fletch_schema nullable = built_schema(*state, b);
    fletch_schema not = of_type(*state, fletch_bool());
    told t = differ(&nullable, &not, "fields[0].nullable", "nullable true against false");
    assert_int_equal(t.aspects[0], FLETCH_ASPECT_NULLABLE);
    fletch_schema x = of_names(*state, NAMES("one", "two"));
    fletch_schema y = of_names(*state, NAMES("one", "Two"));
    t = differ(&x, &y, "fields[1].name", "name \"two\" against \"Two\"");
    assert_int_equal(t.aspects[0], FLETCH_ASPECT_NAME);
}

static void an_offset_leads_to_the_member(void **state)
{
    fletch_schema a = of_type(*state, fletch_int(8, true));
    fletch_schema b = of_type(*state, fletch_int(64, true));
    told t = differ(&a, &b, "fields[0].type.bitWidth", "bitWidth 8 against 64");
    assert_int_equal(a.buffer.bytes[t.errors[0].offset], 8);
    t = differ(&b, &a, "fields[0].type.bitWidth", "bitWidth 64 against 8");
    assert_int_equal(b.buffer.bytes[t.errors[0].offset], 64);
}

static fletch_schema of_dictionary(maker *m, int64_t id, bool is_ordered)
{
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "d", fletch_utf8(), 0);
    fletch_set_dictionary(b, id, (fletch_int_type){8, true}, is_ordered);
    fletch_end_field(b);
    return built_schema(m, b);
}

static void members_of_a_dictionary_make_a_difference(void **state)
{
    fletch_schema a = of_dictionary(*state, 1, false);
    fletch_schema id = of_dictionary(*state, -2, false), ordered = of_dictionary(*state, 1, true);
    told t = differ(&a, &id, "fields[0].dictionary.id", "id 1 against -2");
    assert_int_equal(t.aspects[0], FLETCH_ASPECT_ENCODING);
    differ(&a, &ordered, "fields[0].dictionary.isOrdered", "isOrdered false against true");
}

static void newer_kinds_of_dictionaries_make_a_difference(void **state)
{
    node *field = dictionary_field(*state, NULL);
    set16(member(field, FIELD_DICTIONARY), DICTIONARY_KIND, 1);
    fletch_schema a = opened(*state, schema_with(*state, dictionary_field(*state, NULL)));
    fletch_schema b = opened(*state, schema_with(*state, field));
    differ(&a, &b, "fields[0].dictionary.dictionaryKind", "dictionaryKind DenseArray against 1");
}

static void a_dictionary_that_one_lacks_makes_a_difference(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_add_field(b, "d", fletch_utf8(), 0);
    fletch_schema plain = built_schema(*state, b), coded = of_dictionary(*state, 12, false);
    told t = differ(&plain, &coded, "fields[0].dictionary", "none against dictionary 12");
    assert_true(!t.in_a[0] && t.in_b[0]);
    assert_int_equal(t.aspects[0], FLETCH_ASPECT_DICTIONARY);
    t = differ(&coded, &plain, "fields[0].dictionary", "dictionary 12 against none");
    assert_true(t.in_a[0] && !t.in_b[0]);
}

/* Schemas of no fields with this endianness and these features. */
static fletch_schema of_settings(maker *m, int32_t endianness, const int64_t *features, size_t n)
{
    fletch_builder *b = new_builder(m);
    fletch_set_endianness(b, endianness);
    for (size_t i = 0; i < n; i++)
        fletch_add_feature(b, features[i]);
    return built_schema(m, b);
}

static void endianness_makes_a_difference_unless_ignored(void **state)
{
    fletch_schema a = of_settings(*state, FLETCH_LITTLE_ENDIAN, NULL, 0);
    fletch_schema b = of_settings(*state, FLETCH_BIG_ENDIAN, NULL, 0);
    told t = differ(&a, &b, "endianness", "endianness Little against Big");
    assert_int_equal(t.aspects[0], FLETCH_ASPECT_ENDIANNESS);
    same_with(&a, &b, &(fletch_compare_options){.ignore_endianness = true});
}

static void features_make_a_difference_unless_ignored(void **state)
{
    static const int64_t features[] = {2, 1};
    fletch_schema none = of_settings(*state, 0, NULL, 0);
    fletch_schema two = of_settings(*state, 0, features, 1);
    fletch_schema one = of_settings(*state, 0, features + 1, 1);
    fletch_schema both = of_settings(*state, 0, features, 2);
    told t = differ(&two, &one, "features[0]", "features 2 against 1");
    assert_int_equal(t.aspects[0], FLETCH_ASPECT_FEATURES);
    assert_int_equal(two.buffer.bytes[t.errors[0].offset], 2);
    differ(&none, &both, "features", "features 0 elements against 2 elements");
    same_with(&none, &both, &(fletch_compare_options){.ignore_features = true});
    same_with(&two, &one, &(fletch_compare_options){.ignore_features = true});
}

static void ids_of_dictionaries_can_be_ignored(void **state)
{
    fletch_compare_options options = {.ignore_dictionary_ids = true};
    fletch_schema a = of_dictionary(*state, 1, false), b = of_dictionary(*state, 2, false);
    fletch_schema c = of_dictionary(*state, 2, true);
    same_with(&a, &b, &options);
    differ_with(&a, &c, &options, "fields[0].dictionary.isOrdered", "isOrdered false against true");
}

/* Names that the format leaves free */

/* A field of this type over children with these names, all int32, unless it is a map's. */
static fletch_schema over(maker *m, fletch_type type, const char *const *names)
{
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "n", type, 0);
    if (type.id == FLETCH_TYPE_MAP) fletch_begin_field(b, *names++, fletch_struct(), 0);
    for (; *names; names++)
        fletch_add_field(b, *names, fletch_int(32, true), 0);
    if (type.id == FLETCH_TYPE_MAP) fletch_end_field(b);
    fletch_end_field(b);
    return built_schema(m, b);
}

static void names_of_children_of_lists_can_be_ignored(void **state)
{
    const fletch_type lists[] = {fletch_list(), fletch_large_list(), fletch_list_view(),
                                 fletch_large_list_view(), fletch_fixed_size_list(2)};
    fletch_compare_options options = {.ignore_child_names = true};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        fletch_schema a = over(*state, lists[i], NAMES("item"));
        fletch_schema b = over(*state, lists[i], NAMES("element"));
        same_with(&a, &b, &options);
        differ(&a, &b, "fields[0].children[0].name", "name \"item\" against \"element\"");
    }
}

static void names_inside_maps_can_be_ignored(void **state)
{
    fletch_compare_options options = {.ignore_child_names = true};
    fletch_schema a = over(*state, fletch_map(false), NAMES("entries", "key", "value"));
    fletch_schema b = over(*state, fletch_map(false), NAMES("key_value", "k", "v"));
    same_with(&a, &b, &options);
    assert_int_equal(hold(&a, &b, &anything).count, 3);
}

static void names_of_run_ends_and_values_can_be_ignored(void **state)
{
    fletch_compare_options options = {.ignore_child_names = true};
    fletch_schema a = over(*state, fletch_run_end_encoded(), NAMES("run_ends", "values"));
    fletch_schema b = over(*state, fletch_run_end_encoded(), NAMES("ends", "vals"));
    same_with(&a, &b, &options);
    assert_int_equal(hold(&a, &b, &anything).count, 2);
}

static void names_of_columns_and_members_are_never_ignored(void **state)
{
    fletch_compare_options options = {.ignore_child_names = true};
    fletch_schema a = over(*state, fletch_struct(), NAMES("x"));
    fletch_schema b = over(*state, fletch_struct(), NAMES("y"));
    differ_with(&a, &b, &options, "fields[0].children[0].name", "name \"x\" against \"y\"");
    a = over(*state, fletch_union(FLETCH_DENSE, NULL, 0), NAMES("x"));
    b = over(*state, fletch_union(FLETCH_DENSE, NULL, 0), NAMES("y"));
    differ_with(&a, &b, &options, "fields[0].children[0].name", "name \"x\" against \"y\"");
    a = of_names(*state, NAMES("x"));
    b = of_names(*state, NAMES("y"));
    differ_with(&a, &b, &options, "fields[0].name", "name \"x\" against \"y\"");
}

static void a_name_that_one_type_leaves_free_still_counts(void **state)
{
    fletch_compare_options options = {.ignore_child_names = true};
    fletch_schema a = over(*state, fletch_list(), NAMES("x"));
    fletch_schema b = over(*state, fletch_struct(), NAMES("y"));
    told t = hold(&a, &b, &options);
    assert_int_equal(t.count, 2);
    assert_string_equal(t.errors[0].path, "fields[0].type");
    assert_string_equal(t.errors[1].path, "fields[0].children[0].name");
}

/* Metadata */

static void values_and_keys_make_a_difference(void **state)
{
    for (int in_field = 0; in_field < 2; in_field++) {
        const char *value =
            in_field ? "fields[0].custom_metadata[1].value" : "custom_metadata[1].value";
        fletch_schema a = of_pairs(*state, in_field, NAMES("a=1", "b=2"));
        fletch_schema b = of_pairs(*state, in_field, NAMES("a=1", "b=3"));
        fletch_schema c = of_pairs(*state, in_field, NAMES("a=1", "c=2"));
        told t = differ(&a, &b, value, "value \"2\" against \"3\"");
        assert_int_equal(t.aspects[0], FLETCH_ASPECT_METADATA);
        t = hold(&a, &c, &anything);
        assert_int_equal(t.count, 1);
        assert_string_equal(t.errors[0].sentence, "key \"b\" against \"c\"");
    }
}

static void a_pair_that_one_lacks_makes_a_difference(void **state)
{
    fletch_schema a = of_pairs(*state, false, NAMES("a=1", "b=2"));
    fletch_schema b = of_pairs(*state, false, NAMES("a=1"));
    told t = differ(&a, &b, "custom_metadata[1]", "pair \"b\" against none");
    assert_true(t.in_a[0] && !t.in_b[0]);
    differ(&b, &a, "custom_metadata[1]", "none against pair \"b\"");
}

static void a_pair_of_the_schema_is_in_no_field(void **state)
{
    fletch_schema schemas[2];
    for (int i = 0; i < 2; i++) {
        fletch_builder *b = new_builder(*state);
        fletch_add_metadata(b, "k", i ? "v" : "w");
        fletch_begin_field(b, "a", fletch_bool(), 0);
        fletch_add_metadata(b, "k", i ? "v" : "w");
        fletch_end_field(b);
        schemas[i] = built_schema(*state, b);
    }
    told t = hold(&schemas[0], &schemas[1], &anything);
    assert_int_equal(t.count, 2);
    assert_string_equal(t.errors[0].path, "fields[0].custom_metadata[0].value");
    assert_true(t.is_in_field[0]);
    assert_string_equal(t.errors[1].path, "custom_metadata[0].value");
    assert_true(!t.is_in_field[1]);
}

static void case_78_the_order_of_metadata_makes_a_difference_unless_ignored(void **state)
{
    fletch_compare_options options = {.ignore_metadata_order = true};
    for (int in_field = 0; in_field < 2; in_field++) {
        fletch_schema a = of_pairs(*state, in_field, NAMES("a=1", "b=2", "a=3"));
        fletch_schema b = of_pairs(*state, in_field, NAMES("a=3", "a=1", "b=2"));
        assert_true(hold(&a, &b, &anything).count > 0);
        same_with(&a, &b, &options);
    }
}

static void without_order_repeated_pairs_count(void **state)
{
    fletch_compare_options options = {.ignore_metadata_order = true};
    fletch_schema a = of_pairs(*state, false, NAMES("x=0", "a=1", "a=1", "b=2"));
    fletch_schema b = of_pairs(*state, false, NAMES("b=2", "a=1", "b=2", "x=0"));
    told t = hold(&a, &b, &options);
    assert_int_equal(t.count, 2);
    assert_string_equal(t.errors[0].path, "custom_metadata[2]");
    assert_string_equal(t.errors[0].sentence, "pair \"a\" against none");
    assert_string_equal(t.errors[1].path, "custom_metadata[2]");
    assert_string_equal(t.errors[1].sentence, "none against pair \"b\"");
}

static void without_order_keys_and_values_stay_together(void **state)
{
    fletch_compare_options options = {.ignore_metadata_order = true};
    fletch_schema a = of_pairs(*state, false, NAMES("a=1", "b=2"));
    fletch_schema b = of_pairs(*state, false, NAMES("b=1", "a=2"));
    assert_int_equal(hold(&a, &b, &options).count, 4);
}

static void a_key_and_its_value_are_not_run_together(void **state)
{
    fletch_schema a = of_pairs(*state, false, NAMES("ab=c")),
                  b = of_pairs(*state, false, NAMES("a=bc"));
    assert_int_equal(hold(&a, &b, &anything).count, 2);
    assert_int_equal(hold(&a, &b, &(fletch_compare_options){.ignore_metadata_order = true}).count,
                     2);
}

static void metadata_can_be_ignored(void **state)
{
    fletch_compare_options options = {.ignore_metadata = true};
    for (int in_field = 0; in_field < 2; in_field++) {
        fletch_schema a = of_pairs(*state, in_field, NAMES("a=1", "b=2"));
        fletch_schema b = of_pairs(*state, in_field, NAMES("z=26"));
        same_with(&a, &b, &options);
    }
}

/* Multisets from few pairs, compared and counted by hand. */
enum { PAIR_KINDS = 5, MOST_PAIRS = 7 };
static const char *const pair_kinds[PAIR_KINDS] = {"a=1", "a=2", "b=1", "=", "bb="};

static fletch_schema random_pairs(maker *m, uint64_t *seed, int *counts)
{
    const char *pairs[MOST_PAIRS + 1] = {NULL};
    uint32_t n = random_below(seed, MOST_PAIRS + 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = random_below(seed, PAIR_KINDS);
        pairs[i] = pair_kinds[k];
        counts[k]++;
    }
    return of_pairs(m, false, pairs);
}

static void without_order_the_difference_is_that_of_multisets(void **state)
{
    fletch_compare_options options = {.ignore_metadata_order = true};
    uint64_t seed = 78;
    size_t equal = 0;
    (void)state;
    for (int round = 0; round < 3000; round++) {
        maker *m = maker_new();
        int in_a[PAIR_KINDS] = {0}, in_b[PAIR_KINDS] = {0};
        size_t wanted = 0;
        fletch_schema a = random_pairs(m, &seed, in_a), b = random_pairs(m, &seed, in_b);
        for (int k = 0; k < PAIR_KINDS; k++)
            wanted += (size_t)abs(in_a[k] - in_b[k]);
        assert_int_equal(hold(&a, &b, &options).count, wanted);
        equal += !wanted;
        maker_free(m);
    }
    assert_true(equal > 50);
}

/* Hashes, by the description in compare.h and nothing else. */

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    uint64_t z = (hash ^ word) + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t hash_of_words(const uint64_t *words, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++)
        hash = mixed(hash, words[i]);
    return hash;
}

#define HASH(...)                                                                                  \
    hash_of_words((const uint64_t[]){__VA_ARGS__},                                                 \
                  sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void a_schema_of_nothing_has_the_hash_of_its_end(void **state)
{
    fletch_schema schema = of_settings(*state, 0, NULL, 0);
    assert_true(hash_of(&schema, NULL) == HASH(0));
    assert_true(hash_of(&schema, NULL) == UINT64_C(0xE220A8397B1DCDAF));
}

static void a_hash_is_made_of_the_words_that_are_documented(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_set_endianness(b, FLETCH_BIG_ENDIAN);
    fletch_add_feature(b, 2);
    fletch_add_metadata(b, "key", "a value of 20 bytes!");
    fletch_begin_field(b, "u", fletch_union(FLETCH_DENSE, (const int32_t[]){0, 5}, 2), 1);
    fletch_begin_field(b, "d", fletch_utf8(), 0);
    fletch_set_dictionary(b, -1, (fletch_int_type){32, true}, true);
    fletch_end_field(b);
    fletch_add_field(b, "", fletch_timestamp(FLETCH_SECOND, "UTC"), 0);
    fletch_end_field(b);
    fletch_schema schema = built_schema(*state, b);
    uint64_t hash = HASH(
        /* Schema: endianness, features, fields, metadata */
        1, 1, 4, 1, 2, 2, 1, 3, 1, 3, 0x79656B, 20, 0x2065756C61762061, 0x796220303220666F,
        0x21736574, 0,
        /* u: name, nullable, type_type, type, children */
        1, 1, 'u', 2, 1, 3, 14, 4, 1, 1, 2, 2, 0, 5, 0, 6, 2, 0,
        /* d: name, type_type, type, dictionary with its index type */
        1, 1, 'd', 3, 5, 4, 0, 5, 1, UINT64_MAX, 3, 1, 2, 1, 32, 2, 1, 0, 0, 0,
        /* the timestamp: type_type, type */
        3, 10, 4, 2, 3, 0x435455, 0, 0);
    assert_true(hash_of(&schema, NULL) == hash);
    assert_true(hash == UINT64_C(0xA967D489A32FDA87));
}

static void defaults_do_not_enter_the_hash(void **state)
{
    fletch_schema usual = of_type(*state, fletch_decimal(9, 0, 128));
    fletch_schema wide = of_type(*state, fletch_decimal(9, -1, 256));
    fletch_schema day = of_type(*state, fletch_date(FLETCH_DAY));
    fletch_schema other_day = of_type(*state, fletch_date(FLETCH_DATE_MILLISECOND));
    assert_true(hash_of(&usual, NULL) == HASH(2, 1, 0, 1, 1, 'a', 3, 7, 4, 1, 9, 0, 0));
    assert_true(hash_of(&wide, NULL) ==
                HASH(2, 1, 0, 1, 1, 'a', 3, 7, 4, 1, 9, 2, UINT64_MAX, 3, 256, 0, 0));
    assert_true(hash_of(&day, NULL) == HASH(2, 1, 0, 1, 1, 'a', 3, 8, 4, 1, 0, 0, 0));
    assert_true(hash_of(&other_day, NULL) == HASH(2, 1, 0, 1, 1, 'a', 3, 8, 4, 0, 0));
}

static void without_order_pairs_enter_the_hash_as_a_sum(void **state)
{
    fletch_schema schema = of_pairs(*state, false, NAMES("a=1", "b="));
    uint64_t sum = HASH(1, 'a', 1, '1') + HASH(1, 'b', 0);
    assert_true(hash_of(&schema, &(fletch_compare_options){.ignore_metadata_order = true}) ==
                HASH(3, 2, sum, 0));
    assert_true(hash_of(&schema, NULL) == HASH(3, 2, 1, 'a', 1, '1', 1, 'b', 0, 0));
}

/* Two pairs whose hashes are equal though they are not: the last words undo the difference. */
static void colliding_pair(fletch_builder *b, char letter, uint64_t other)
{
    uint8_t value[16];
    uint64_t own = HASH(1, (unsigned char)letter, 16, 0x4141414141414141);
    uint64_t last = own ^ other;
    memset(value, 'A', sizeof value);
    for (int i = 0; i < 8; i++)
        value[8 + i] = (uint8_t)(last >> (8 * i));
    fletch_add_metadata_string(b, (fletch_string){&letter, 1},
                               (fletch_string){(const char *)value, sizeof value});
}

static fletch_schema of_collisions(maker *m, const char *letters)
{
    fletch_builder *b = new_builder(m);
    fletch_set_level(b, FLETCH_LEVEL_ARROW);
    for (; *letters; letters++)
        colliding_pair(b, *letters, 0x123456789ABCDEF0);
    return open_as(built(m, b, FLETCH_SCHEMA), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
}

static void pairs_of_equal_hash_are_told_apart(void **state)
{
    fletch_compare_options options = {.ignore_metadata_order = true};
    fletch_compare_options o = lending(&options);
    fletch_schema a = of_collisions(*state, "xyzx"), b = of_collisions(*state, "zxxy");
    fletch_schema c = of_collisions(*state, "zxwy");
    told t = {0};
    same_with(&a, &b, &options);
    assert_true(hash_of(&a, &o) == hash_of(&c, &o)); /* as they are made to be */
    assert_int_equal(fletch_compare_each(&a, &c, &o, note, &t, NULL), DIFFERENT);
    assert_int_equal(t.count, 2);
    assert_string_equal(t.errors[0].sentence, "pair \"x\" against none");
    assert_string_equal(t.errors[0].path, "custom_metadata[3]");
    assert_string_equal(t.errors[1].sentence, "none against pair \"w\"");
}

/* Memory */

static void without_order_memory_is_asked_for(void **state)
{
    fletch_compare_options options = {.ignore_metadata_order = true};
    fletch_schema a = of_pairs(*state, true, NAMES("a=1", "b=2", "c=3"));
    fletch_schema b = of_pairs(*state, true, NAMES("c=3", "a=1", "b=2", "a=1"));
    fletch_error error;
    assert_int_equal(fletch_compare(&a, &b, &options, &error), FLETCH_NO_SPACE);
    assert_int_equal(error.status, FLETCH_NO_SPACE);
    assert_int_equal(error.wanted, 7 * FLETCH_COMPARE_MEMORY);
    assert_int_equal(fletch_compare(&a, &b, &options, NULL), FLETCH_NO_SPACE);
    options.memory_size = (size_t)error.wanted;
    options.memory = pad(*state, (block){NULL, 0}, options.memory_size).bytes;
    assert_int_equal(fletch_compare(&a, &b, &options, &error), DIFFERENT);
    options.memory_size--;
    assert_int_equal(fletch_compare(&a, &b, &options, &error), FLETCH_NO_SPACE);
}

/* The longest of the one can be in another place than that of the other. */
static void the_memory_that_is_wanted_does_for_all_of_the_schema(void **state)
{
    fletch_schema schemas[2];
    fletch_error error;
    for (int i = 0; i < 2; i++) {
        fletch_builder *b = new_builder(*state);
        fletch_begin_field(b, "a", fletch_bool(), 0);
        fletch_add_metadata(b, "x", i ? "2" : "1");
        fletch_add_metadata(b, "x", i ? "1" : "2");
        fletch_end_field(b);
        for (int k = 0; k < 9; k++)
            fletch_add_metadata(b, "y", k == 8 * i ? "1" : "2");
        schemas[i] = built_schema(*state, b);
    }
    fletch_compare_options options = {.ignore_metadata_order = true};
    assert_int_equal(fletch_compare(&schemas[0], &schemas[1], &options, &error), FLETCH_NO_SPACE);
    assert_int_equal(error.wanted, 18 * FLETCH_COMPARE_MEMORY);
    options.memory_size = (size_t)error.wanted;
    options.memory = pad(*state, (block){NULL, 0}, options.memory_size).bytes;
    assert_int_equal(fletch_compare(&schemas[0], &schemas[1], &options, &error), OK);
}

static void equal_order_takes_no_memory(void **state)
{
    fletch_compare_options options = {.ignore_metadata_order = true};
    fletch_schema a = of_pairs(*state, true, NAMES("a=1", "b=2"));
    fletch_schema b = of_pairs(*state, true, NAMES("a=1", "b=2"));
    fletch_error error;
    assert_int_equal(fletch_compare(&a, &b, &options, &error), OK);
}

/* Every difference */

static void surplus_fields_are_told_one_by_one(void **state)
{
    fletch_schema a = of_names(*state, NAMES("x", "y", "z", "w"));
    fletch_schema b = of_names(*state, NAMES("x", "q"));
    told t = hold(&a, &b, &anything);
    assert_int_equal(t.count, 3);
    assert_string_equal(t.errors[0].path, "fields[1].name");
    assert_string_equal(t.errors[1].path, "fields[2]");
    assert_string_equal(t.errors[1].sentence, "field \"z\" against none");
    assert_string_equal(t.errors[2].path, "fields[3]");
    assert_int_equal(t.aspects[2], FLETCH_ASPECT_FIELD);
    assert_true(t.in_a[2] && !t.in_b[2]);
    t = hold(&b, &a, &anything);
    assert_string_equal(t.errors[2].path, "fields[3]");
    assert_string_equal(t.errors[2].sentence, "none against field \"w\"");
    assert_int_equal(t.errors[2].offset, b.at);
}

static void a_schema_without_fields_lacks_them_all(void **state)
{
    fletch_schema a = of_settings(*state, 0, NULL, 0);
    fletch_schema b = of_names(*state, NAMES("x", "y"));
    told t = hold(&a, &b, &anything);
    assert_int_equal(t.count, 2);
    assert_string_equal(t.errors[1].path, "fields[1]");
}

/* A struct `s` of these children, the first of which is a struct of `inner`; and a column `last`.
 */
static fletch_schema tree(maker *m, const char *const *names, const char *const *inner)
{
    fletch_builder *b = new_builder(m);
    fletch_begin_field(b, "s", fletch_struct(), 0);
    fletch_begin_field(b, "t", fletch_struct(), 0);
    for (; *inner; inner++)
        fletch_add_field(b, *inner, fletch_bool(), 0);
    fletch_end_field(b);
    for (; *names; names++)
        fletch_add_field(b, *names, fletch_bool(), 0);
    fletch_end_field(b);
    fletch_add_field(b, "last", fletch_bool(), 0);
    return built_schema(m, b);
}

static const char *const no_names[] = {NULL};

static void surplus_children_do_not_upset_what_follows(void **state)
{
    fletch_schema a = tree(*state, NAMES("x", "y"), NAMES("i", "j", "k"));
    fletch_schema b = tree(*state, NAMES("x", "z", "v"), NAMES("i"));
    told t = hold(&a, &b, &anything);
    static const char *const paths[] = {"fields[0].children[0].children[1]",
                                        "fields[0].children[0].children[2]",
                                        "fields[0].children[2].name", "fields[0].children[3]"};
    assert_int_equal(t.count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(t.errors[i].path, paths[i]);
    assert_true(t.in_a[0] && !t.in_b[0] && t.in_b[3] && !t.in_a[3]);
    assert_int_equal(t.errors[3].offset, field_number(&a, 0).at); /* which lacks it */
}

static void children_against_none_do_not_upset_what_follows(void **state)
{
    fletch_schema a = tree(*state, NAMES("x"), no_names);
    fletch_schema b = tree(*state, NAMES("y"), NAMES("i", "j"));
    told t = hold(&a, &b, &anything);
    static const char *const paths[] = {"fields[0].children[0].children[0]",
                                        "fields[0].children[0].children[1]",
                                        "fields[0].children[1].name"};
    assert_int_equal(t.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(t.errors[i].path, paths[i]);
    assert_true(!t.in_a[0] && !t.in_a[1]);
    fletch_field s = field_number(&a, 0);
    assert_int_equal(t.errors[0].offset, child_number(&s, 0).at);
}

/* Children of surplus fields belong to them. */
static void a_surplus_field_is_told_without_its_children(void **state)
{
    fletch_schema a = tree(*state, NAMES("x"), NAMES("i", "j"));
    fletch_schema b = of_settings(*state, 0, NULL, 0);
    assert_int_equal(hold(&a, &b, &anything).count, 2);
}

static void types_that_differ_do_not_hide_what_else_does(void **state)
{
    fletch_schema a = over(*state, fletch_list(), NAMES("x"));
    fletch_schema b = of_names(*state, NAMES("m"));
    told t = hold(&a, &b, &anything);
    static const char *const paths[] = {"fields[0].name", "fields[0].type",
                                        "fields[0].children[0]"};
    assert_int_equal(t.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(t.errors[i].path, paths[i]);
}

static void the_order_is_settings_fields_metadata(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_set_endianness(b, FLETCH_BIG_ENDIAN);
    fletch_add_feature(b, 1);
    fletch_add_metadata(b, "k", "v");
    fletch_add_field(b, "a", fletch_bool(), 0);
    fletch_schema x = built_schema(*state, b), y = of_settings(*state, 0, NULL, 0);
    told t = hold(&x, &y, &anything);
    static const char *const paths[] = {"endianness", "features", "fields[0]",
                                        "custom_metadata[0]"};
    assert_int_equal(t.count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(t.errors[i].path, paths[i]);
}

static void the_caller_may_stop(void **state)
{
    fletch_schema a = of_names(*state, NAMES("x", "y", "z"));
    fletch_schema b = of_names(*state, NAMES("u", "v", "w"));
    told t = {.most = 2};
    fletch_error error;
    assert_int_equal(fletch_compare_each(&a, &b, NULL, note, &t, &error), DIFFERENT);
    assert_int_equal(t.count, 2);
    assert_int_equal(error.status, DIFFERENT);
}

static void long_and_wild_strings_fit_a_sentence(void **state)
{
    char wild[1000];
    memset(wild, 0x1B, sizeof wild - 1);
    wild[sizeof wild - 1] = 0;
    fletch_schema a = of_names(*state, NAMES(wild));
    fletch_schema b = of_names(*state, NAMES("\xC3\xA9\"\\\n\x7F"));
    fletch_error error;
    assert_int_equal(fletch_compare(&b, &a, NULL, &error), DIFFERENT);
    assert_non_null(strstr(error.sentence, "name \"\\xc3\\xa9\\x22\\x5c\\x0a\\x7f\" against \""));
    assert_non_null(strstr(error.sentence, "\\x1b\"..."));
    for (const char *c = error.sentence; *c; c++)
        assert_true(*c >= 0x20 && *c < 0x7F);
}

/* The first schema is empty when it failed to open: not the same as one without fields. */
static void an_empty_schema_equals_nothing(void **state)
{
    fletch_schema good = of_settings(*state, 0, NULL, 0), bad;
    fletch_error error;
    uint64_t hash = 1;
    assert_int_equal(fletch_open("", 0, &bad, NULL), FLETCH_EMPTY);
    assert_int_equal(fletch_compare(&bad, &good, NULL, &error), FLETCH_MISSING);
    assert_int_equal(error.status, FLETCH_MISSING);
    assert_int_equal(fletch_compare(&good, &bad, NULL, NULL), FLETCH_MISSING);
    assert_int_equal(fletch_compare(&bad, &bad, NULL, NULL), FLETCH_MISSING);
    assert_int_equal(fletch_hash(&bad, NULL, &hash, &error), FLETCH_MISSING);
    assert_int_equal(hash, 0);
}

/* Expectations */

static void an_expected_file_is_ok(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_add_field(b, "a", fletch_int(8, true), 0);
    fletch_schema expected = open_as(built(*state, b, FLETCH_SCHEMA), FLETCH_SCHEMA, 0);
    block file = rebuilt(*state, b, FLETCH_FILE);
    fletch_error error;
    assert_int_equal(fletch_expect(file.bytes, file.size, NULL, &expected, NULL, &error), OK);
    assert_int_equal(error.status, OK);
}

static void an_unexpected_file_is_different(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_schema expected = of_type(*state, fletch_int(8, true));
    fletch_add_field(b, "a", fletch_int(16, true), 0);
    block file = built(*state, b, FLETCH_STREAM);
    fletch_error error;
    assert_int_equal(fletch_expect(file.bytes, file.size, NULL, &expected, NULL, &error),
                     DIFFERENT);
    assert_string_equal(error.path, "fields[0].type.bitWidth");
    assert_string_equal(error.sentence, "bitWidth 16 against 8");
    assert_int_equal(file.bytes[error.offset], 16); /* counted from the file's first byte */
}

static void a_broken_file_keeps_its_own_status(void **state)
{
    fletch_builder *b = new_builder(*state);
    fletch_schema expected = of_type(*state, fletch_int(8, true));
    fletch_add_field(b, "a", fletch_int(16, true), 0);
    block file = built(*state, b, FLETCH_STREAM);
    fletch_error error;
    assert_int_equal(fletch_expect(file.bytes, 30, NULL, &expected, NULL, &error),
                     FLETCH_TRUNCATED);
    assert_int_equal(error.status, FLETCH_TRUNCATED);
    fletch_options options = {.kind = FLETCH_FILE};
    assert_int_equal(fletch_expect(file.bytes, file.size, &options, &expected, NULL, NULL),
                     fletch_verify(file.bytes, file.size, &options, NULL));
}

/* A file whose schema message and footer have these schemas. */
static block two_copies(maker *m, node *head, node *foot)
{
    block message = finish(m, new_message(m, head));
    return file_of(m, message, finish(m, new_footer(m, foot)));
}

/* What the stream's copy differs in from the footer's. */
static fletch_error between_copies(block file, const fletch_compare_options *options)
{
    fletch_options stream = {.kind = FLETCH_FILE, .stream_copy = true};
    fletch_schema footer = open_as(file, FLETCH_FILE, FLETCH_LEVEL_ARROW);
    fletch_compare_options o = lending(options);
    fletch_error error;
    fletch_status status = fletch_expect(file.bytes, file.size, &stream, &footer, &o, &error);
    assert_int_equal(error.status, status);
    return error;
}

static void case_94_a_column_renamed_in_the_footer_is_found(void **state)
{
    maker *m = *state;
    block file =
        two_copies(m, schema_with(m, int_field(m, "a")), schema_with(m, int_field(m, "b")));
    fletch_error error = between_copies(file, &anything);
    assert_int_equal(error.status, DIFFERENT);
    assert_string_equal(error.path, "fields[0].name");
    assert_string_equal(error.sentence, "name \"a\" against \"b\"");
}

static void case_94_a_column_in_one_copy_only_is_found(void **state)
{
    maker *m = *state;
    node *head = schema_with(m, int_field(m, "a"));
    add_field(head, int_field(m, "extra"));
    fletch_error error =
        between_copies(two_copies(m, head, schema_with(m, int_field(m, "a"))), &anything);
    assert_int_equal(error.status, DIFFERENT);
    assert_string_equal(error.path, "fields[1]");
    assert_string_equal(error.sentence, "field \"extra\" against none");
}

static void case_94_metadata_in_another_order_is_equal_without_order(void **state)
{
    maker *m = *state;
    node *head = schema_with(m, int_field(m, "a")), *foot = schema_with(m, int_field(m, "a"));
    add_pair(m, head, SCHEMA_METADATA, "k", "v");
    add_pair(m, head, SCHEMA_METADATA, "l", "w");
    add_pair(m, foot, SCHEMA_METADATA, "l", "w");
    add_pair(m, foot, SCHEMA_METADATA, "k", "v");
    block file = two_copies(m, head, foot);
    fletch_error error = between_copies(file, &anything);
    assert_int_equal(error.status, DIFFERENT);
    assert_string_equal(error.path, "custom_metadata[0].key");
    error = between_copies(file, &(fletch_compare_options){.ignore_metadata_order = true});
    assert_int_equal(error.status, OK);
}

/* Bounds */

static void limits_hold_for(const fletch_schema *a, const fletch_compare_options *options,
                            const char *part)
{
    fletch_error error;
    uint64_t hash = 1;
    assert_int_equal(fletch_compare(a, a, options, &error), FLETCH_LIMIT);
    assert_int_equal(error.status, FLETCH_LIMIT);
    assert_non_null(strstr(error.sentence, part));
    assert_int_equal(fletch_hash(a, options, &hash, &error), FLETCH_LIMIT);
    assert_non_null(strstr(error.sentence, part));
    assert_int_equal(hash, 0);
}

static fletch_schema unchecked(maker *m, node *schema)
{
    return open_as(finish(m, schema), FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
}

static void fields_without_end_are_a_limit(void **state)
{
    fletch_schema bomb = unchecked(*state, fan_schema(*state, 24, 8));
    fletch_schema small = of_names(*state, NAMES("fan"));
    limits_hold_for(&bomb, NULL, "tables");
    assert_int_equal(fletch_compare(&small, &bomb, NULL, NULL), DIFFERENT);
    told t = {0};
    assert_int_equal(fletch_compare_each(&small, &bomb, NULL, note, &t, NULL), DIFFERENT);
}

static void shared_pairs_without_end_are_a_limit(void **state)
{
    maker *m = *state;
    node *schema = new_schema(m), *field = int_field(m, "a");
    for (int i = 0; i < 300; i++)
        add_field(schema, field);
    add_pair(m, field, FIELD_METADATA, "k", "v");
    node *pairs = member(field, FIELD_METADATA);
    for (int i = 0; i < 300; i++)
        append(pairs, first_of(pairs));
    fletch_schema bomb = unchecked(m, schema);
    limits_hold_for(&bomb, NULL, "tables");
    limits_hold_for(&bomb, &(fletch_compare_options){.ignore_metadata_order = true}, "tables");
    same_with(&bomb, &bomb, &(fletch_compare_options){.ignore_metadata = true});
}

/* A megabyte of name, or of type ids, which a hundred fields share. */
static void shared_text_is_counted_each_time_it_is_read(void **state)
{
    maker *m = *state;
    node *schema = new_schema(m), *field = text_field(m, "");
    void *name = pad(m, (block){NULL, 0}, 1 << 20).bytes;
    memset(name, 'n', 1 << 20);
    set_node(field, FIELD_NAME, make_string(m, name, 1 << 20));
    for (int i = 0; i < 100; i++)
        add_field(schema, field);
    fletch_schema bomb = unchecked(m, schema);
    limits_hold_for(&bomb, NULL, "text");
}

static void shared_type_ids_are_counted_each_time_they_are_read(void **state)
{
    maker *m = *state;
    node *schema = new_schema(m), *type = make_table(m), *ids = make_vector(m, 4);
    for (int i = 0; i < 200000; i++)
        append_number(ids, 0);
    set_node(type, UNION_TYPE_IDS, ids);
    for (int i = 0; i < 100; i++)
        add_field(schema, new_field(m, "", FLETCH_TYPE_UNION, type));
    fletch_schema bomb = unchecked(m, schema);
    limits_hold_for(&bomb, NULL, "text");
}

static void a_fault_names_its_place(void **state)
{
    fletch_compare_options options = {.limits = {.text = 6}};
    fletch_schema a = of_pairs(*state, true, NAMES("abc=def", "g=h"));
    fletch_error error;
    assert_int_equal(fletch_compare(&a, &a, &options, &error), FLETCH_LIMIT);
    assert_string_equal(error.path, "fields[0].custom_metadata[0].value");
    options.limits.text = 7;
    assert_int_equal(fletch_compare(&a, &a, &options, &error), FLETCH_LIMIT);
    assert_string_equal(error.path, "fields[0].custom_metadata[1].key");
    options.limits.text = 9;
    assert_int_equal(fletch_compare(&a, &a, &options, &error), OK);
}

static void fields_that_nest_too_deep_are_a_limit(void **state)
{
    fletch_schema deep = unchecked(*state, deep_schema(*state, 129));
    fletch_schema most = unchecked(*state, deep_schema(*state, 128));
    limits_hold_for(&deep, NULL, "deeper");
    same(&most, &most);
    limits_hold_for(&most, &(fletch_compare_options){.limits = {.depth = 127}}, "deeper");
}

/* However low a limit, the call ends with it, until the work is done. */
static void a_limit_is_met_at_every_point_of_a_comparison(void **state)
{
    fletch_schema schemas[2];
    uint8_t memory[256];
    fletch_error error;
    for (int i = 0; i < 2; i++) {
        fletch_builder *b = new_builder(*state);
        fletch_set_level(b, FLETCH_LEVEL_ARROW);
        fletch_begin_field(b, "a", fletch_bool(), 0);
        for (int k = 0; k < 4; k++)
            colliding_pair(b, "wxyz"[i ? 3 - k : k], 7);
        fletch_add_metadata(b, i ? "i" : "j", "in one");
        fletch_end_field(b);
        fletch_add_field(b, "b", fletch_bool(), 0);
        schemas[i] = open_as(built(*state, b, FLETCH_SCHEMA), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    }
    for (int part = 0; part < 3; part++) {
        const fletch_status done = part == 2 ? FLETCH_NO_SPACE : DIFFERENT;
        uint64_t limit = 1;
        for (fletch_status status = FLETCH_LIMIT; status != done; limit++) {
            fletch_compare_options o = {.ignore_metadata_order = true};
            told t = {0};
            assert_true(limit < 1000);
            if (part == 1) o.limits.text = limit;
            if (part != 1) o.limits.tables = limit;
            if (part != 2) o.memory = memory;
            if (part != 2) o.memory_size = sizeof memory;
            status = fletch_compare_each(&schemas[0], &schemas[1], &o, note, &t, &error);
            assert_int_equal(error.status, status);
            if (status != done) assert_int_equal(status, FLETCH_LIMIT);
            if (status == DIFFERENT) assert_int_equal(t.count, 2);
        }
        assert_true(limit > 4);
    }
}

/* Whatever the bytes say, comparing and hashing end with some status. */
static void broken_bytes_end_with_a_status(void **state)
{
    maker *m = *state;
    uint64_t seed = 5;
    node *list = nested_field(m, "l", FLETCH_TYPE_LIST);
    sample s = make_sample(m);
    add_child(list, dictionary_field(m, int_type(m, 8, false)));
    add_field(s.schema, list);
    add_pair(m, s.schema, SCHEMA_METADATA, "key", "value");
    block good = finish(m, s.schema);
    fletch_schema whole = open_as(good, FLETCH_SCHEMA, 0);
    size_t statuses[FLETCH_DIFFERENT + 1] = {0};
    for (int round = 0; round < 20000; round++) {
        block b = copy_of(m, good.bytes, good.size);
        fletch_schema broken = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
        fletch_compare_options o =
            lending(&(fletch_compare_options){.ignore_metadata_order = round % 2 != 0});
        told t = {0};
        uint64_t hash;
        poke8(b, 4 + random_below(&seed, (uint32_t)b.size - 4),
              (uint8_t)random_below(&seed, 256)); /* after it was opened */
        fletch_status status = fletch_compare_each(&whole, &broken, &o, note, &t, NULL);
        fletch_compare_each(&broken, &whole, &o, note, &t, NULL);
        fletch_hash(&broken, &o, &hash, NULL);
        statuses[status]++;
    }
    assert_true(statuses[OK] && statuses[DIFFERENT] && statuses[FLETCH_MALFORMED]);
}

/* All pairs of files */

typedef struct exhibit {
    char *json;
    fletch_schema schema;
    const char *name;
} exhibit;

enum { MOST_EXHIBITS = 1200 };

/* The JSON and what else is compared; NULL: there is no JSON. */
static char *second_opinion(maker *m, const fletch_schema *schema)
{
    paper p = {0};
    char word[32];
    if (fletch_print_json(schema, NULL, write_on, &p, NULL) != OK) {
        tear_up(&p);
        return NULL;
    }
    snprintf(word, sizeof word, " %d", (int)schema->endianness);
    write_on(&p, word, strlen(word));
    for (uint32_t i = 0; i < schema->features.count; i++) {
        snprintf(word, sizeof word, " %lld", (long long)fletch_integer_at(&schema->features, i));
        write_on(&p, word, strlen(word));
    }
    block b = copy_of(m, p.text, p.size + 1);
    tear_up(&p);
    return (char *)b.bytes;
}

static size_t exhibits_of(maker *m, const char *folder, const table_file *table, exhibit *out)
{
    size_t count = 0;
    char path[1024];
    for (size_t row = 0; row < table->count && count < MOST_EXHIBITS; row++) {
        exhibit *e = &out[count];
        snprintf(path, sizeof path, "%s/%s", folder, cell(table, row, "file"));
        block b = read_file(m, path);
        fletch_options options = {.kind = kind_of(cell(table, row, "kind"))};
        if (!b.bytes || open_lending(m, b, &options, &e->schema, NULL) != OK) continue;
        e->name = cell(table, row, "file");
        e->json = second_opinion(m, &e->schema);
        count += e->json != NULL;
    }
    return count;
}

static void compare_all(maker *m, const char *folder, const char *manifest, size_t least)
{
    table_file table = read_table(m, manifest);
    if (!table.rows) {
        print_message("there is no %s: skipped\n", manifest);
        skip();
    }
    exhibit *all = calloc(MOST_EXHIBITS, sizeof *all);
    assert_non_null(all);
    size_t count = exhibits_of(m, folder, &table, all), wrong = 0, equal = 0;
    assert_true(count >= least);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k <= i; k++) {
            const fletch_schema *a = &all[i].schema, *b = &all[k].schema;
            bool is_same = !strcmp(all[i].json, all[k].json);
            fletch_status status = fletch_compare(a, b, NULL, NULL);
            equal += is_same && i != k;
            if (status == (is_same ? OK : DIFFERENT)) continue;
            print_error("%s, %s: %s\n", all[i].name, all[k].name, fletch_status_word(status));
            wrong++;
        }
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = hash_of(&all[i].schema, NULL);
        for (size_t k = 0; k < i; k++)
            if ((hash == hash_of(&all[k].schema, NULL)) != !strcmp(all[i].json, all[k].json)) {
                print_error("%s, %s: hashes\n", all[i].name, all[k].name);
                wrong++;
            }
    }
    print_message("%zu schemas, %zu pairs of them equal\n", count, equal);
    free(all);
    free_table(&table);
    assert_int_equal(wrong, 0);
}

static void files_are_equal_where_their_json_is(void **state)
{
    compare_all(*state, FLETCH_DATA_DIR, FLETCH_DATA_DIR "/MANIFEST.tsv", 15);
}

static void files_of_the_corpus_are_equal_where_their_json_is(void **state)
{
    compare_all(*state, FLETCH_SHARED_DIR "/corpus/files", FLETCH_SHARED_DIR "/corpus/MANIFEST.tsv",
                100);
}

/* Random schemas, and copies of them with one change */

typedef enum change_kind {
    NO_CHANGE,
    OTHER_NAME,
    OTHER_NULLABILITY,
    OTHER_TYPE,
    OTHER_PARAMETER,
    OTHER_DICTIONARY_ID,
    OTHER_DICTIONARY_ORDER,
    NO_DICTIONARY,
    MORE_METADATA,
    TURNED_METADATA,
    FEWER_FIELDS,
    MORE_FIELDS,
    OTHER_ENDIANNESS,
    CHANGE_KINDS
} change_kind;

/* A copy in the making: the field number `target` in pre-order is changed, if it can be. */
typedef struct copier {
    fletch_builder *b;
    change_kind kind;
    uint32_t target, seen;
    bool is_changed;
    fletch_aspect aspect; /* of the difference that there should be, alone */
} copier;

static void changed(copier *c, fletch_aspect aspect)
{
    c->is_changed = true;
    c->aspect = aspect;
}

static void change_type(copier *c, fletch_field *field)
{
    switch (field->type.id) {
    case FLETCH_TYPE_INT: field->type.as.integer.is_signed ^= true; break;
    case FLETCH_TYPE_DECIMAL: field->type.as.decimal.scale++; break;
    case FLETCH_TYPE_TIMESTAMP:
        field->type.as.timestamp.timezone = fletch_text("Mars/Base 1");
        break;
    case FLETCH_TYPE_FIXED_SIZE_BINARY: field->type.as.fixed_size_binary.byte_width ^= 1; break;
    case FLETCH_TYPE_FIXED_SIZE_LIST: field->type.as.fixed_size_list.list_size ^= 1; break;
    case FLETCH_TYPE_MAP: field->type.as.map.keys_sorted ^= true; break;
    case FLETCH_TYPE_DURATION: field->type.as.duration.unit ^= 1; break;
    case FLETCH_TYPE_UNION: field->type.as.union_.mode ^= 1; break;
    default: return;
    }
    changed(c, FLETCH_ASPECT_PARAMETER);
}

static void change_field(copier *c, fletch_field *field)
{
    const bool is_leaf = fletch_count_fields(&field->children) == 0;
    switch (c->kind) {
    case OTHER_NAME:
        field->name = fletch_text("a name that no one thinks of");
        changed(c, FLETCH_ASPECT_NAME);
        break;
    case OTHER_NULLABILITY:
        field->nullable ^= true;
        changed(c, FLETCH_ASPECT_NULLABLE);
        break;
    case OTHER_TYPE:
        if (!is_leaf || field->type.id == FLETCH_TYPE_UTF8_VIEW) break;
        field->type = fletch_utf8_view();
        changed(c, FLETCH_ASPECT_TYPE);
        break;
    case OTHER_PARAMETER: change_type(c, field); break;
    default: break;
    }
    if (!field->has_dictionary) return;
    if (c->kind == OTHER_DICTIONARY_ID) {
        field->dictionary.id ^= 1;
        changed(c, FLETCH_ASPECT_ENCODING);
    }
    if (c->kind == OTHER_DICTIONARY_ORDER) {
        field->dictionary.is_ordered ^= true;
        changed(c, FLETCH_ASPECT_ENCODING);
    }
    if (c->kind == NO_DICTIONARY) {
        field->has_dictionary = false;
        changed(c, FLETCH_ASPECT_DICTIONARY);
    }
}

/* Pairs, the last one first if so asked. */
static void copy_pairs(fletch_builder *b, fletch_metadata pairs, bool turned)
{
    fletch_key_value pair;
    fletch_metadata all = pairs;
    for (uint32_t n = fletch_count_metadata(&all), i = 0; i < n; i++) {
        pairs = all;
        for (uint32_t k = turned ? n - 1 - i : i;; k--) {
            assert_true(fletch_next_metadata(&pairs, &pair));
            if (!k) break;
        }
        fletch_add_metadata_string(b, pair.key, pair.value);
    }
}

static void copy_fields(copier *c, fletch_fields fields)
{
    fletch_field field;
    while (fletch_next_field(&fields, &field)) {
        const bool is_target = c->seen++ == c->target;
        if (is_target && c->kind == FEWER_FIELDS && fletch_count_fields(&fields) == 0) {
            changed(c, FLETCH_ASPECT_FIELD);
            continue;
        }
        if (is_target) change_field(c, &field);
        fletch_begin_field_like(c->b, &(fletch_field){.name = field.name,
                                                      .type = field.type,
                                                      .nullable = field.nullable,
                                                      .has_dictionary = field.has_dictionary,
                                                      .dictionary = field.dictionary});
        copy_pairs(c->b, field.metadata, is_target && c->kind == TURNED_METADATA);
        if (is_target && c->kind == TURNED_METADATA) changed(c, FLETCH_ASPECT_METADATA);
        if (is_target && c->kind == MORE_METADATA) {
            fletch_add_metadata(c->b, "one more", "");
            changed(c, FLETCH_ASPECT_METADATA);
        }
        copy_fields(c, field.children);
        fletch_end_field(c->b);
    }
}

/* Copies with a change; false: it can't be, or breaks a rule of Arrow. */
static bool copy_changed(maker *m, const fletch_schema *from, copier *c, fletch_schema *to)
{
    const void *bytes;
    size_t size;
    c->b = new_builder_in(m, 1 << 17);
    fletch_set_level(c->b, FLETCH_LEVEL_ARROW);
    fletch_set_endianness(c->b, from->endianness ^ (c->kind == OTHER_ENDIANNESS));
    if (c->kind == OTHER_ENDIANNESS) changed(c, FLETCH_ASPECT_ENDIANNESS);
    for (uint32_t i = 0; i < from->features.count; i++)
        fletch_add_feature(c->b, fletch_integer_at(&from->features, i));
    copy_pairs(c->b, from->metadata, c->kind == TURNED_METADATA);
    if (c->kind == TURNED_METADATA) changed(c, FLETCH_ASPECT_METADATA);
    copy_fields(c, from->fields);
    if (c->kind == MORE_FIELDS) fletch_add_field(c->b, "more", fletch_bool(), 0);
    if (c->kind == MORE_FIELDS) changed(c, FLETCH_ASPECT_FIELD);
    if (c->kind != NO_CHANGE && !c->is_changed) return false;
    if (fletch_finish(c->b, FLETCH_SCHEMA, &bytes, &size, NULL) != OK) return false;
    *to = open_as((block){copy_of(m, bytes, size).bytes, size}, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    return true;
}

/* One seed: a schema and a copy with a change; tells whether there was one. */
static bool check_change(uint64_t seed, change_kind kind, bool *is_same)
{
    maker *m = maker_new();
    fletch_builder *b = new_builder_in(m, 1 << 17);
    random_plan plan = {.seed = seed, .fields = 12};
    copier c = {.kind = kind, .target = (uint32_t)(seed % 5)};
    fletch_schema a, copy;
    build_random(b, &plan);
    a = open_as(built(m, b, FLETCH_SCHEMA), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    bool is_made = copy_changed(m, &a, &c, &copy);
    if (is_made) {
        const char *before = second_opinion(m, &a), *after = second_opinion(m, &copy);
        told t = hold(&a, &copy, &anything);
        *is_same = !strcmp(before, after);
        if (*is_same != (t.count == 0)) fail_msg("seed %llu: %s", (unsigned long long)seed, before);
        if (kind == TURNED_METADATA)
            same_with(&a, &copy, &(fletch_compare_options){.ignore_metadata_order = true});
        else if (t.count > 1)
            fail_msg("seed %llu, change %d: %zu differences", (unsigned long long)seed, kind,
                     t.count);
        if (t.count) assert_int_equal(t.aspects[0], c.aspect);
    }
    maker_free(m);
    return is_made;
}

static void a_change_to_a_random_schema_is_the_one_difference(void **state)
{
    (void)state;
    for (change_kind kind = NO_CHANGE; kind < CHANGE_KINDS; kind++) {
        size_t made = 0, equal = 0;
        for (uint64_t seed = 0; seed < 400; seed++) {
            bool is_same = false;
            made += check_change(seed, kind, &is_same);
            equal += is_same;
        }
        if (made < 15) fail_msg("change %d was made %zu times", kind, made);
        if (kind == NO_CHANGE) assert_int_equal(equal, made);
        if (kind != NO_CHANGE) assert_true(equal < made);
    }
}

static void random_schemas_are_equal_where_their_json_is(void **state)
{
    enum { COUNT = 120 };
    static fletch_schema schemas[COUNT];
    const char *json[COUNT];
    maker *m = *state;
    for (uint64_t seed = 0; seed < COUNT; seed++) {
        fletch_builder *b = new_builder_in(m, 1 << 17);
        build_random(b, &(random_plan){.seed = seed % (COUNT - 20), .fields = 4});
        schemas[seed] = open_as(built(m, b, FLETCH_SCHEMA), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
        json[seed] = second_opinion(m, &schemas[seed]);
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k <= i; k++)
            assert_int_equal(hold(&schemas[i], &schemas[k], &anything).count == 0,
                             !strcmp(json[i], json[k]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(an_absent_name_equals_an_empty_one),
        WITH_MAKER(absent_fields_equal_no_fields),
        WITH_MAKER(absent_children_equal_no_children),
        WITH_MAKER(case_12_absent_metadata_equals_empty_metadata),
        WITH_MAKER(an_absent_key_or_value_equals_an_empty_one),
        WITH_MAKER(case_54_an_absent_zone_equals_an_empty_one),
        WITH_MAKER(absent_type_ids_equal_those_by_position),
        WITH_MAKER(other_type_ids_differ_from_absent_ones),
        WITH_MAKER(an_offset_leads_to_the_type_id),
        WITH_MAKER(type_ids_too_many_for_the_children_differ),
        WITH_MAKER(type_ids_of_surplus_children_are_not_told),
        WITH_MAKER(an_absent_index_type_equals_32_bits_with_a_sign),
        WITH_MAKER(another_index_type_differs_from_the_absent_one),
        WITH_MAKER(a_member_at_its_default_equals_an_absent_one),
        WITH_MAKER(absent_features_equal_no_features),
        WITH_MAKER(the_wrapper_makes_no_difference),
        WITH_MAKER(every_parameter_of_a_type_makes_a_difference),
        WITH_MAKER(parameters_of_nested_types_make_a_difference),
        WITH_MAKER(types_are_told_by_their_names),
        WITH_MAKER(newer_types_are_compared_by_number),
        WITH_MAKER(a_value_beside_the_enumerators_is_told_by_number),
        WITH_MAKER(an_endianness_beside_the_two_is_told_by_number),
        WITH_MAKER(names_and_nullability_make_a_difference),
        WITH_MAKER(an_offset_leads_to_the_member),
        WITH_MAKER(members_of_a_dictionary_make_a_difference),
        WITH_MAKER(newer_kinds_of_dictionaries_make_a_difference),
        WITH_MAKER(a_dictionary_that_one_lacks_makes_a_difference),
        WITH_MAKER(endianness_makes_a_difference_unless_ignored),
        WITH_MAKER(features_make_a_difference_unless_ignored),
        WITH_MAKER(ids_of_dictionaries_can_be_ignored),
        WITH_MAKER(names_of_children_of_lists_can_be_ignored),
        WITH_MAKER(names_inside_maps_can_be_ignored),
        WITH_MAKER(names_of_run_ends_and_values_can_be_ignored),
        WITH_MAKER(names_of_columns_and_members_are_never_ignored),
        WITH_MAKER(a_name_that_one_type_leaves_free_still_counts),
        WITH_MAKER(values_and_keys_make_a_difference),
        WITH_MAKER(a_pair_that_one_lacks_makes_a_difference),
        WITH_MAKER(a_pair_of_the_schema_is_in_no_field),
        WITH_MAKER(case_78_the_order_of_metadata_makes_a_difference_unless_ignored),
        WITH_MAKER(without_order_repeated_pairs_count),
        WITH_MAKER(without_order_keys_and_values_stay_together),
        WITH_MAKER(a_key_and_its_value_are_not_run_together),
        WITH_MAKER(metadata_can_be_ignored),
        WITH_MAKER(without_order_the_difference_is_that_of_multisets),
        WITH_MAKER(a_schema_of_nothing_has_the_hash_of_its_end),
        WITH_MAKER(a_hash_is_made_of_the_words_that_are_documented),
        WITH_MAKER(defaults_do_not_enter_the_hash),
        WITH_MAKER(without_order_pairs_enter_the_hash_as_a_sum),
        WITH_MAKER(pairs_of_equal_hash_are_told_apart),
        WITH_MAKER(without_order_memory_is_asked_for),
        WITH_MAKER(the_memory_that_is_wanted_does_for_all_of_the_schema),
        WITH_MAKER(equal_order_takes_no_memory),
        WITH_MAKER(surplus_fields_are_told_one_by_one),
        WITH_MAKER(a_schema_without_fields_lacks_them_all),
        WITH_MAKER(surplus_children_do_not_upset_what_follows),
        WITH_MAKER(children_against_none_do_not_upset_what_follows),
        WITH_MAKER(a_surplus_field_is_told_without_its_children),
        WITH_MAKER(types_that_differ_do_not_hide_what_else_does),
        WITH_MAKER(the_order_is_settings_fields_metadata),
        WITH_MAKER(the_caller_may_stop),
        WITH_MAKER(long_and_wild_strings_fit_a_sentence),
        WITH_MAKER(an_empty_schema_equals_nothing),
        WITH_MAKER(an_expected_file_is_ok),
        WITH_MAKER(an_unexpected_file_is_different),
        WITH_MAKER(a_broken_file_keeps_its_own_status),
        WITH_MAKER(case_94_a_column_renamed_in_the_footer_is_found),
        WITH_MAKER(case_94_a_column_in_one_copy_only_is_found),
        WITH_MAKER(case_94_metadata_in_another_order_is_equal_without_order),
        WITH_MAKER(fields_without_end_are_a_limit),
        WITH_MAKER(shared_pairs_without_end_are_a_limit),
        WITH_MAKER(shared_text_is_counted_each_time_it_is_read),
        WITH_MAKER(shared_type_ids_are_counted_each_time_they_are_read),
        WITH_MAKER(a_fault_names_its_place),
        WITH_MAKER(fields_that_nest_too_deep_are_a_limit),
        WITH_MAKER(a_limit_is_met_at_every_point_of_a_comparison),
        WITH_MAKER(broken_bytes_end_with_a_status),
        WITH_MAKER(files_are_equal_where_their_json_is),
        WITH_MAKER(files_of_the_corpus_are_equal_where_their_json_is),
        WITH_MAKER(a_change_to_a_random_schema_is_the_one_difference),
        WITH_MAKER(random_schemas_are_equal_where_their_json_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
