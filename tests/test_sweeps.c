/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every call that works through a schema, with every budget from the smallest on, with every number
 * of bytes or objects that the caller may take, and with bytes that change while it runs: it ends
 * where the budget does, says so, and has given a part of the whole till then.
 */
#include "support/check.h"

#include "fletch/cdata.h"
#include "fletch/heap.h"

#include <stdlib.h>
#include <string.h>

#define OK FLETCH_OK

/* A schema that has something of everything, in a message with metadata of its own. */

static node *one_16(maker *m, int value)
{
    node *type = make_table(m);
    set16(type, 0, value);
    return type;
}

static node *zoned(maker *m, const char *name)
{
    node *type = one_16(m, FLETCH_MICROSECOND);
    set_node(type, TIMESTAMP_ZONE, make_text(m, "Europe/Zurich"));
    return new_field(m, name, FLETCH_TYPE_TIMESTAMP, type);
}

static node *odd_map(maker *m, const char *name)
{
    node *type = make_table(m);
    set8(type, 0, 1);
    node *map = new_field(m, name, FLETCH_TYPE_MAP, type);
    node *entries = add_child(map, nested_field(m, "odd entries", FLETCH_TYPE_STRUCT));
    node *key = add_child(entries, text_field(m, "odd key"));
    set8(entries, FIELD_NULLABLE, 0);
    set8(key, FIELD_NULLABLE, 0);
    add_child(entries, zoned(m, "odd value"));
    return map;
}

static node *run_ends(maker *m, const char *name)
{
    node *field = nested_field(m, name, FLETCH_TYPE_RUN_END_ENCODED);
    node *ends = add_child(field, int_field(m, "ends"));
    set8(ends, FIELD_NULLABLE, 0);
    add_child(field, text_field(m, "values"));
    return field;
}

static node *typed_union(maker *m, const char *name)
{
    node *type = one_16(m, FLETCH_DENSE), *ids = make_vector(m, 4);
    append_number(ids, 5);
    append_number(ids, 9);
    set_node(type, UNION_TYPE_IDS, ids);
    node *field = new_field(m, name, FLETCH_TYPE_UNION, type);
    add_child(field, int_field(m, "of numbers"));
    node *list = add_child(field, nested_field(m, "of lists", FLETCH_TYPE_LIST));
    add_child(list, odd_map(m, "of maps"));
    return field;
}

/* A large one has more tables: those that comparing values does not look at, but reads. */
static node *encoded(maker *m, const char *name, int64_t id, bool is_large)
{
    node *field = nested_field(m, name, FLETCH_TYPE_LIST);
    node *child = add_child(field, zoned(m, "moment"));
    if (is_large) add_dictionary(m, child, id + 1, int_type(m, 16, true));
    add_dictionary(m, field, id, is_large ? int_type(m, 16, true) : NULL);
    add_pair(m, field, FIELD_METADATA, "ARROW:extension:name", "zoo.animal");
    add_pair(m, field, FIELD_METADATA, "ARROW:extension:metadata", "{\"legs\":4}");
    return field;
}

static node *deep_field(maker *m, const char *name)
{
    node *field = nested_field(m, name, FLETCH_TYPE_LIST), *inner = field;
    for (int i = 0; i < 6; i++)
        inner = add_child(inner, nested_field(m, "item", FLETCH_TYPE_LIST));
    add_child(inner, int_field(m, "item"));
    return field;
}

/* `word` is a part of many texts, so that schemas of different words differ in many places. */
static node *rich_schema(maker *m, const char *word, bool is_deep)
{
    node *schema = new_schema(m), *features = make_vector(m, 8);
    append_number(features, FLETCH_FEATURE_DICTIONARY_REPLACEMENT);
    set_node(schema, SCHEMA_FEATURES, features);
    add_field(schema, odd_map(m, word));
    add_field(schema, typed_union(m, word));
    add_field(schema, run_ends(m, word));
    add_field(schema, encoded(m, word, 7, false));
    add_field(schema, encoded(m, word, 7, true));
    add_field(schema, encoded(m, word, 7, true));
    add_field(schema, zoned(m, word));
    node *list = nested_field(m, word, FLETCH_TYPE_LIST);
    add_child(list, typed_union(m, "in a list"));
    add_pair(m, list, FIELD_METADATA, "word", word);
    add_field(schema, list);
    add_field(schema, new_field(m, word, FLETCH_TYPE_INTERVAL, one_16(m, FLETCH_DAY_TIME)));
    add_field(schema, new_field(m, word, FLETCH_TYPE_DATE, one_16(m, FLETCH_DAY)));
    add_field(schema, new_field(m, word, FLETCH_TYPE_FLOATING_POINT, one_16(m, FLETCH_HALF)));
    add_field(schema, new_field(m, word, FLETCH_TYPE_DURATION, one_16(m, FLETCH_SECOND)));
    if (is_deep) add_field(schema, deep_field(m, word));
    add_pair(m, schema, SCHEMA_METADATA, "author", word);
    add_pair(m, schema, SCHEMA_METADATA, word, "value");
    return schema;
}

static block rich_message(maker *m, const char *word, bool is_deep)
{
    node *message = new_message(m, rich_schema(m, word, is_deep));
    add_pair(m, message, MESSAGE_METADATA, "of the message", word);
    return finish(m, message);
}

/* A union, and a name behind it. */
static node *counted_schema(maker *m, bool is_stored)
{
    node *type = one_16(m, FLETCH_SPARSE), *ids = make_vector(m, 4);
    node *field = new_field(m, "union", FLETCH_TYPE_UNION, type);
    for (int i = 0; i < 12; i++) {
        append_number(ids, i);
        add_child(field, int_field(m, ""));
    }
    if (is_stored) set_node(type, UNION_TYPE_IDS, ids);
    node *schema = schema_with(m, field);
    add_field(schema, text_field(m, "a long name behind the union"));
    return schema;
}

/* Calls that work through a schema */

typedef struct subject {
    block bytes;
    fletch_schema schema, other;
    fletch_schema implied, counted; /* a union's type ids absent, and 0, 1 stored */
    fletch_limits limits;
    paper given;  /* what was printed */
    size_t taken; /* objects or differences that were given */
    size_t most;  /* of them that are taken; 0: all */
    fletch_error error;
} subject;

static fletch_status verified(subject *s, fletch_level level)
{
    fletch_options options = {.kind = FLETCH_MESSAGE, .level = level, .limits = s->limits};
    return fletch_verify(s->bytes.bytes, s->bytes.size, &options, &s->error);
}

static fletch_status verify_structure(subject *s)
{
    return verified(s, FLETCH_LEVEL_STRUCTURE);
}

static fletch_status verify_arrow(subject *s)
{
    return verified(s, FLETCH_LEVEL_ARROW);
}

static fletch_status verify_strict(subject *s)
{
    return verified(s, FLETCH_LEVEL_STRICT);
}

static fletch_status walk(subject *s)
{
    fletch_walk walk;
    fletch_field field;
    fletch_walk_begin(&walk, &s->schema, &s->limits);
    while (fletch_walk_next(&walk, &field)) {
        fletch_key_value pair;
        while (fletch_walk_metadata(&walk, &field.metadata, &pair)) {
        }
    }
    s->error.status = walk.status;
    return walk.status;
}

static fletch_status print_tree(subject *s)
{
    fletch_print_options options = {.limits = s->limits};
    return fletch_print_tree(&s->schema, &options, write_on, &s->given, &s->error);
}

static fletch_status print_json(subject *s)
{
    fletch_print_options options = {.limits = s->limits};
    return fletch_print_json(&s->schema, &options, write_on, &s->given, &s->error);
}

static fletch_status print_one_type(subject *s, uint32_t index)
{
    fletch_print_options options = {.limits = s->limits};
    fletch_field field = field_number(&s->schema, index);
    return fletch_print_type(&field, &options, write_on, &s->given, &s->error);
}

static fletch_status print_map_type(subject *s)
{
    return print_one_type(s, 0);
}

static fletch_status print_union_type(subject *s)
{
    return print_one_type(s, 1);
}

static fletch_status print_run_ends_type(subject *s)
{
    return print_one_type(s, 2);
}

static fletch_status print_encoded_type(subject *s)
{
    return print_one_type(s, 4);
}

static fletch_status print_zoned_type(subject *s)
{
    return print_one_type(s, 6);
}

static fletch_status print_listed_type(subject *s)
{
    return print_one_type(s, 7);
}

static fletch_status hash(subject *s)
{
    fletch_compare_options options = {.limits = s->limits};
    uint64_t sum;
    return fletch_hash(&s->schema, &options, &sum, &s->error);
}

static fletch_status hash_without_order(subject *s)
{
    fletch_compare_options options = {.limits = s->limits, .ignore_metadata_order = true};
    uint64_t sum;
    return fletch_hash(&s->schema, &options, &sum, &s->error);
}

static bool take_object(void *context, const fletch_object *object)
{
    subject *s = context;
    (void)object;
    return ++s->taken != s->most;
}

static fletch_status visit(subject *s)
{
    return fletch_visit_objects(&s->schema, &s->limits, take_object, s, &s->error);
}

static fletch_status visit_bytes(subject *s)
{
    return fletch_visit_bytes(s->bytes.bytes, s->bytes.size, FLETCH_MESSAGE, &s->limits,
                              take_object, s, &s->error);
}

static fletch_status export_schema(subject *s)
{
    const fletch_allocator heap = fletch_heap();
    struct ArrowSchema out;
    fletch_status status = fletch_export_schema(&s->schema, &heap, &s->limits, &out, &s->error);
    if (status == OK) out.release(&out);
    return status;
}

static fletch_status check_values(subject *s)
{
    uint8_t memory[5 * FLETCH_DICTIONARY_MEMORY];
    return fletch_check_dictionaries(&s->schema, memory, sizeof memory, &s->limits, &s->error);
}

static fletch_status compare_equal(subject *s)
{
    fletch_compare_options options = {.limits = s->limits};
    return fletch_compare(&s->schema, &s->schema, &options, &s->error);
}

static bool take_difference(void *context, const fletch_difference *difference)
{
    subject *s = context;
    (void)difference;
    return ++s->taken != s->most;
}

/* All differences; that there are some is as well here as that there are none. */
static fletch_status compare_other(subject *s, bool is_first, bool is_unordered)
{
    fletch_compare_options options = {.limits = s->limits, .ignore_metadata_order = is_unordered};
    uint8_t memory[8 * FLETCH_COMPARE_MEMORY];
    options.memory = memory;
    options.memory_size = sizeof memory;
    fletch_status status =
        fletch_compare_each(is_first ? &s->schema : &s->other, is_first ? &s->other : &s->schema,
                            &options, take_difference, s, &s->error);
    if (status != FLETCH_DIFFERENT) return status;
    s->error.status = OK;
    return OK;
}

static fletch_status compare_first(subject *s)
{
    return compare_other(s, true, false);
}

static fletch_status compare_second(subject *s)
{
    return compare_other(s, false, false);
}

static fletch_status compare_unordered(subject *s)
{
    return compare_other(s, true, true);
}

static fletch_status compare_unordered_second(subject *s)
{
    return compare_other(s, false, true);
}

static fletch_status compare_counted(subject *s)
{
    fletch_compare_options options = {.limits = s->limits};
    return fletch_compare(&s->implied, &s->counted, &options, &s->error);
}

/* Without memory where the order of metadata differs: what it would take is counted. */
static fletch_status compare_unlent(subject *s)
{
    fletch_compare_options options = {.limits = s->limits, .ignore_metadata_order = true};
    fletch_status status =
        fletch_compare_each(&s->schema, &s->other, &options, take_difference, s, &s->error);
    if (status != FLETCH_NO_SPACE) return status;
    assert_true(s->error.wanted > 0);
    s->error.status = OK;
    return OK;
}

typedef struct call {
    fletch_status (*run)(subject *);
    uint32_t depth; /* the least that is enough */
    uint32_t text;  /* so much is not enough; 0: it counts no text */
} call;

static const call calls[] = {
    {verify_structure, 6, 0},
    {verify_arrow, 6, 0},
    {verify_strict, 6, 20},
    {walk, 6, 0},
    {print_tree, 6, 20},
    {print_json, 6, 20},
    {print_map_type, 2, 20},
    {print_union_type, 4, 20},
    {print_run_ends_type, 1, 0},
    {print_encoded_type, 1, 5},
    {print_zoned_type, 1, 5},
    {print_listed_type, 5, 20},
    {hash, 6, 20},
    {hash_without_order, 6, 20},
    {visit, 6, 0},
    {visit_bytes, 6, 0},
    {export_schema, 6, 20},
    {check_values, 6, 5},
    {compare_equal, 6, 20},
    {compare_first, 6, 20},
    {compare_second, 6, 20},
    {compare_unordered, 6, 20},
    {compare_unordered_second, 6, 20},
    {compare_counted, 2, 20},
    {compare_unlent, 8, 20},
};
enum { CALLS = sizeof calls / sizeof *calls };

/* Of the two schemas the other one has the longer texts. */
static subject new_subject(maker *m)
{
    subject s = {0};
    block other = rich_message(m, "a longer word than the first", true);
    s.bytes = rich_message(m, "word", false);
    s.schema = open_as(s.bytes, FLETCH_MESSAGE, FLETCH_LEVEL_STRICT);
    s.other = open_as(other, FLETCH_MESSAGE, FLETCH_LEVEL_STRICT);
    s.implied = open_as(finish(m, counted_schema(m, false)), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    s.counted = open_as(finish(m, counted_schema(m, true)), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    return s;
}

/* Runs a call; what it printed stays in s->given until the next. */
static fletch_status run(subject *s, size_t number)
{
    tear_up(&s->given);
    memset(&s->given, 0, sizeof s->given);
    s->taken = 0;
    return calls[number].run(s);
}

/* A limit above one that is enough is so, too. */
static void expect_enough_from(subject *s, size_t number, uint64_t *limit)
{
    const uint64_t enough = *limit;
    for (; *limit < enough + 64; ++*limit)
        if (run(s, number) != OK)
            fail_msg("call %zu has enough with %u, not with %u", number, (unsigned)enough,
                     (unsigned)*limit);
    *limit = enough;
}

/* Runs a call with the limit 1, 2, 3... until it is enough. */
static uint64_t first_that_is_enough(subject *s, size_t number, uint64_t *limit, const char *whole)
{
    for (*limit = 1; *limit < 100000; ++*limit) {
        fletch_status status = run(s, number);
        assert_int_equal(s->error.status, status);
        if (status == OK && whole != NULL) assert_string_equal(s->given.text, whole);
        if (status == OK) return *limit;
        assert_int_equal(status, FLETCH_LIMIT);
        if (s->given.size != 0) assert_memory_equal(s->given.text, whole, s->given.size);
    }
    fail_msg("call %zu has never enough", number);
    return 0;
}

/* Runs each call with every value of one limit, up to the first that is enough. */
static void try_limit(subject *s, uint64_t *limit, uint64_t *enough)
{
    for (size_t i = 0; i < CALLS; i++) {
        *limit = 0;
        assert_int_equal(run(s, i), OK);
        paper whole = s->given;
        memset(&s->given, 0, sizeof s->given);
        enough[i] = first_that_is_enough(s, i, limit, whole.text);
        expect_enough_from(s, i, limit);
        tear_up(&whole);
    }
    tear_up(&s->given);
}

static void every_budget_of_tables_is_enough_or_a_limit(void **state)
{
    subject s = new_subject(*state);
    uint64_t enough[CALLS];
    try_limit(&s, &s.limits.tables, enough);
    for (size_t i = 0; i < CALLS; i++)
        if (calls[i].run != print_zoned_type) assert_true(enough[i] > 2);
}

static void every_budget_of_text_is_enough_or_a_limit(void **state)
{
    subject s = new_subject(*state);
    uint64_t enough[CALLS];
    try_limit(&s, &s.limits.text, enough);
    for (size_t i = 0; i < CALLS; i++)
        if (calls[i].text != 0)
            assert_true(enough[i] > calls[i].text);
        else
            assert_int_equal(enough[i], 1);
}

static void every_depth_is_enough_or_a_limit(void **state)
{
    subject s = new_subject(*state);
    for (size_t i = 0; i < CALLS; i++) {
        for (s.limits.depth = 1; run(&s, i) != OK; s.limits.depth++)
            assert_int_equal(s.error.status, FLETCH_LIMIT);
        assert_int_equal(s.limits.depth, calls[i].depth);
    }
    tear_up(&s.given);
}

static void end_everywhere(subject *s, fletch_status (*visit_some)(subject *))
{
    assert_int_equal(visit_some(s), OK);
    size_t all = s->taken;
    for (s->most = 1; s->most <= all; s->most++) {
        s->taken = 0;
        assert_int_equal(visit_some(s), FLETCH_NO_SPACE);
        assert_int_equal(s->taken, s->most);
    }
}

static void a_visit_ends_at_whatever_object_the_visitor_ends_it(void **state)
{
    subject s = new_subject(*state);
    end_everywhere(&s, visit);
}

static void a_visit_of_bytes_ends_at_whatever_object_the_visitor_ends_it(void **state)
{
    subject s = new_subject(*state);
    end_everywhere(&s, visit_bytes);
}

static void a_comparison_ends_at_whatever_difference_the_caller_ends_it(void **state)
{
    subject s = new_subject(*state);
    assert_int_equal(fletch_compare_each(&s.schema, &s.other, NULL, take_difference, &s, NULL),
                     FLETCH_DIFFERENT);
    size_t all = s.taken;
    assert_true(all > 5);
    for (s.most = 1; s.most <= all; s.most++) {
        s.taken = 0;
        assert_int_equal(fletch_compare_each(&s.schema, &s.other, NULL, take_difference, &s, NULL),
                         FLETCH_DIFFERENT);
        assert_int_equal(s.taken, s.most);
    }
}

/* Bytes that change while a call runs: the caller's own functions change them. */

typedef struct vandal {
    block bytes;
    const uint8_t *good; /* as they were */
    size_t from, size;   /* what is spoilt, by `with` */
    uint8_t with;
    size_t calls, spoilt_at; /* at which call of the caller's function; the first is 1 */
} vandal;

static void mind(vandal *v)
{
    if (++v->calls == v->spoilt_at) memset(v->bytes.bytes + v->from, v->with, v->size);
}

static bool write_and_mind(void *context, const char *text, size_t size)
{
    (void)text;
    (void)size;
    mind(context);
    return true;
}

/* An object lies in the bytes whatever became of them. */
static bool visit_and_mind(void *context, const fletch_object *object)
{
    const vandal *v = context;
    assert_true(object->begin <= object->end && object->end <= v->bytes.size);
    mind(context);
    return true;
}

static bool differ_and_mind(void *context, const fletch_difference *difference)
{
    (void)difference;
    mind(context);
    return true;
}

static void *allocate_and_mind(void *context, void *old, size_t old_size, size_t new_size)
{
    const fletch_allocator heap = fletch_heap();
    if (new_size != 0) mind(context);
    return heap.reallocate(heap.context, old, old_size, new_size);
}

static fletch_status run_minded(size_t number, const subject *s, vandal *v, fletch_error *error)
{
    const fletch_allocator minded = {allocate_and_mind, v};
    uint8_t memory[8 * FLETCH_COMPARE_MEMORY];
    fletch_compare_options unordered = {.ignore_metadata_order = true, .memory = memory};
    unordered.memory_size = sizeof memory;
    struct ArrowSchema out;
    fletch_field field = field_number(&s->schema, 1);
    fletch_status status;
    switch (number) {
    case 0: return fletch_print_tree(&s->schema, NULL, write_and_mind, v, error);
    case 1: return fletch_print_json(&s->schema, NULL, write_and_mind, v, error);
    case 2: return fletch_print_type(&field, NULL, write_and_mind, v, error);
    case 3: return fletch_visit_objects(&s->schema, NULL, visit_and_mind, v, error);
    case 4: return fletch_compare_each(&s->schema, &s->other, NULL, differ_and_mind, v, error);
    case 5: return fletch_compare_each(&s->other, &s->schema, NULL, differ_and_mind, v, error);
    case 6:
        return fletch_compare_each(&s->schema, &s->other, &unordered, differ_and_mind, v, error);
    case 7:
        return fletch_visit_bytes(s->bytes.bytes, s->bytes.size, FLETCH_MESSAGE, NULL,
                                  visit_and_mind, v, error);
    default:
        status = fletch_export_schema(&s->schema, &minded, NULL, &out, error);
        if (status == OK) out.release(&out);
        return status;
    }
}

/* Spoils some bytes at some call; the status is a fault, or as if nothing had been. */
static bool spoil(size_t number, const subject *s, vandal *v)
{
    fletch_error error;
    v->calls = 0;
    fletch_status status = run_minded(number, s, v, &error);
    memcpy(v->bytes.bytes, v->good, v->bytes.size);
    assert_int_equal(error.status, status);
    if (status == OK || status == FLETCH_DIFFERENT) return false;
    assert_int_not_equal(error.sentence[0], 0);
    return true;
}

/* Every word, at many calls of the caller's function, to no bits and to all. */
static void bytes_that_change_meanwhile_end_the_call(void **state)
{
    static const uint8_t values[] = {0, 0xFF};
    maker *m = *state;
    subject s = new_subject(m);
    block good = copy_of(m, s.bytes.bytes, s.bytes.size);
    for (size_t number = 0; number < 9; number++) {
        vandal v = {.bytes = s.bytes, .good = good.bytes, .size = 4};
        size_t faults = 0;
        spoil(number, &s, &v);
        size_t all = v.calls, step = number == 6 ? 1 : all / 12 + 1;
        for (v.spoilt_at = 1; v.spoilt_at <= all; v.spoilt_at += step)
            for (v.from = 0; v.from + 4 <= s.bytes.size; v.from += 4)
                for (size_t i = 0; i < sizeof values; i++) {
                    v.with = values[i];
                    faults += spoil(number, &s, &v);
                }
        assert_true(faults > 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(every_budget_of_tables_is_enough_or_a_limit),
        WITH_MAKER(every_budget_of_text_is_enough_or_a_limit),
        WITH_MAKER(every_depth_is_enough_or_a_limit),
        WITH_MAKER(a_visit_ends_at_whatever_object_the_visitor_ends_it),
        WITH_MAKER(a_visit_of_bytes_ends_at_whatever_object_the_visitor_ends_it),
        WITH_MAKER(a_comparison_ends_at_whatever_difference_the_caller_ends_it),
        WITH_MAKER(bytes_that_change_meanwhile_end_the_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
