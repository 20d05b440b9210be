/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work. What the budgets count is held against formulas: the least budget that a schema passes with
 * is searched for, and must be the number of tables, or bytes of text, that a whole walk of it
 * meets, shared ones each time. Then bombs, few bytes that unfold into more than can be walked: no
 * call may take long over one, or write much about it.
 */
#include "support/ctree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STRUCT = 13, INT = 2, TIMESTAMP = 10, UNION = 14 };

/* More than any schema here that is walked to its end takes. */
static const uint64_t PLENTY = (uint64_t)1 << 40;

/* The least budget: doubles, then halves; below it, LIMIT; from it on, something else. */

typedef fletch_status (*attempt)(const void *what, uint64_t budget);

static uint64_t least_for(attempt try, const void *what)
{
    uint64_t low = 0, high = 1;
    while (try(what, high) == FLETCH_LIMIT) {
        low = high;
        high *= 2;
        assert_true(high < PLENTY);
    }
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (try(what, middle) == FLETCH_LIMIT)
            low = middle;
        else
            high = middle;
    }
    return high;
}

typedef enum budget { TABLES, TEXT } budget;

static fletch_options with_budget(fletch_kind kind, fletch_level level, budget of, uint64_t least)
{
    fletch_options options = {.kind = kind, .level = level};
    options.limits.tables = of == TABLES ? least : PLENTY;
    options.limits.text = of == TEXT ? least : PLENTY;
    return options;
}

static fletch_status status_with(block b, fletch_kind kind, fletch_level level, budget of,
                                 uint64_t least)
{
    fletch_options options = with_budget(kind, level, of, least);
    return fletch_verify(b.bytes, b.size, &options, NULL);
}

typedef struct verification {
    block b;
    fletch_kind kind;
    fletch_level level;
    budget of;
} verification;

static fletch_status try_to_verify(const void *what, uint64_t least)
{
    const verification *v = what;
    return status_with(v->b, v->kind, v->level, v->of, least);
}

static uint64_t least_budget(block b, fletch_kind kind, fletch_level level, budget of)
{
    const verification v = {b, kind, level, of};
    return least_for(try_to_verify, &v);
}

static void takes_tables_as(block b, fletch_kind kind, uint64_t tables)
{
    for (fletch_level level = FLETCH_LEVEL_STRUCTURE; level <= FLETCH_LEVEL_STRICT; level++)
        assert_int_equal(least_budget(b, kind, level, TABLES), tables);
}

static void takes_tables(maker *m, node *schema, uint64_t tables)
{
    takes_tables_as(finish(m, schema), FLETCH_SCHEMA, tables);
}

/* A field whose children are one and the same field, `fan` times, and so on. */
static uint64_t tables_of_fan(uint64_t leaf, unsigned levels, unsigned fan)
{
    uint64_t tables = leaf;
    for (unsigned i = 0; i < levels; i++)
        tables = 2 + fan * tables;
    return tables;
}

static const unsigned fans[][2] = {{0, 1}, {1, 1}, {3, 2}, {10, 2}, {5, 7}, {2, 200}, {127, 1}};
enum { FANS = sizeof fans / sizeof *fans };

static void a_shared_child_counts_each_time(void **state)
{
    maker *m = *state;
    for (size_t i = 0; i < FANS; i++)
        takes_tables(m, fan_schema(m, fans[i][0], fans[i][1]),
                     1 + tables_of_fan(2, fans[i][0], fans[i][1]));
}

/* Each of `fan` fields leads to the same vector of children, and so on. */
static node *vector_bomb(maker *m, unsigned levels, unsigned fan)
{
    node *children = make_list(m);
    for (unsigned i = 0; i < levels; i++) {
        node *parents = make_list(m);
        for (unsigned k = 0; k < fan; k++) {
            node *field = nested_field(m, "a", STRUCT);
            set_node(field, FIELD_CHILDREN, children);
            append(parents, field);
        }
        children = parents;
    }
    node *root = new_schema(m);
    set_node(root, SCHEMA_FIELDS, children);
    return root;
}

static void a_shared_vector_of_children_counts_each_time(void **state)
{
    maker *m = *state;
    static const unsigned sizes[][2] = {{1, 1}, {4, 3}, {12, 2}, {2, 300}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t tables = 0;
        for (unsigned level = 0; level < sizes[i][0]; level++)
            tables = sizes[i][1] * (2 + tables);
        takes_tables(m, vector_bomb(m, sizes[i][0], sizes[i][1]), 1 + tables);
    }
}

/* A vector of the same pair, so often. */
static node *same_pairs(maker *m, unsigned count)
{
    node *holder = make_table(m), *list;
    node *pair = add_pair(m, holder, FIELD_METADATA, "k", "v");
    list = member(holder, FIELD_METADATA);
    for (unsigned i = 1; i < count; i++)
        append(list, pair);
    return list;
}

static void shared_metadata_counts_each_time(void **state)
{
    enum { FIELDS = 40, PAIRS = 30 };
    maker *m = *state;
    node *root = new_schema(m), *pairs = same_pairs(m, PAIRS);
    for (unsigned i = 0; i < FIELDS; i++) {
        node *field = int_field(m, "a");
        set_node(field, FIELD_METADATA, pairs);
        add_field(root, field);
    }
    takes_tables(m, root, 1 + FIELDS * (2 + PAIRS));
}

static void metadata_of_a_shared_child_counts_each_time(void **state)
{
    enum { PAIRS = 5, FAN = 3 };
    maker *m = *state;
    node *leaf = int_field(m, "a"), *parent = nested_field(m, "p", STRUCT);
    set_node(leaf, FIELD_METADATA, same_pairs(m, PAIRS));
    set_node(parent, FIELD_METADATA, same_pairs(m, PAIRS));
    for (unsigned i = 0; i < FAN; i++)
        add_child(parent, leaf);
    takes_tables(m, schema_with(m, parent), 1 + 2 + PAIRS + FAN * (2 + PAIRS));
}

static node *shared_dictionaries(maker *m, unsigned fields)
{
    node *root = new_schema(m), *first = text_field(m, "a");
    node *dictionary = add_dictionary(m, first, 1, int_type(m, 8, true));
    add_field(root, first);
    for (unsigned i = 1; i < fields; i++) {
        node *field = text_field(m, "a");
        set_node(field, FIELD_DICTIONARY, dictionary);
        add_field(root, field);
    }
    return root;
}

static void a_shared_dictionary_counts_each_time(void **state)
{
    enum { FIELDS = 50 };
    takes_tables(*state, shared_dictionaries(*state, FIELDS), 1 + FIELDS * 4);
}

static void an_absent_index_type_is_no_table(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a");
    add_dictionary(m, field, 1, NULL);
    takes_tables(m, schema_with(m, field), 1 + 3);
}

static void a_type_of_the_future_is_no_table(void **state)
{
    maker *m = *state;
    takes_tables(m, schema_with(m, nested_field(m, "a", 27)), 1 + 1);
}

static void metadata_of_schema_and_wrapper_counts(void **state)
{
    enum { OWN = 20, OUTER = 10 };
    maker *m = *state;
    node *root = schema_with(m, int_field(m, "a")), *message, *footer;
    set_node(root, SCHEMA_METADATA, same_pairs(m, OWN));
    takes_tables(m, root, 1 + OWN + 2);
    message = new_message(m, root);
    set_node(message, MESSAGE_METADATA, same_pairs(m, OUTER));
    takes_tables_as(finish(m, message), FLETCH_MESSAGE, 1 + OUTER + 1 + OWN + 2);
    footer = new_footer(m, root);
    set_node(footer, FOOTER_METADATA, same_pairs(m, OUTER));
    takes_tables_as(finish(m, footer), FLETCH_FOOTER, 1 + OUTER + 1 + OWN + 2);
}

static void columns_count_once_each(void **state)
{
    enum { COLUMNS = 100000 };
    takes_tables_as(wide_schema(*state, COLUMNS), FLETCH_SCHEMA, 1 + 2 * COLUMNS);
}

static void fletch_walk_counts_fields_only(void **state)
{
    maker *m = *state;
    for (size_t i = 0; i < FANS; i++) {
        block b = finish(m, fan_schema(m, fans[i][0], fans[i][1]));
        const fletch_limits limits = {0, tables_of_fan(2, fans[i][0], fans[i][1]), 0};
        const fletch_limits less = {0, limits.tables - 1, 0};
        fletch_options options = with_budget(FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, TABLES, PLENTY);
        fletch_schema schema;
        fletch_field field;
        fletch_walk walk;
        assert_int_equal(fletch_open_with(b.bytes, b.size, &options, &schema, NULL), FLETCH_OK);
        fletch_walk_begin(&walk, &schema, &limits);
        while (fletch_walk_next(&walk, &field))
            continue;
        assert_int_equal(walk.status, FLETCH_OK);
        fletch_walk_begin(&walk, &schema, &less);
        while (fletch_walk_next(&walk, &field))
            continue;
        assert_int_equal(walk.status, FLETCH_LIMIT);
    }
}

/* Faults behind much work: within the budget the fault is told, below it the limit. */
static void judge_fault_behind(maker *m, node *last, uint64_t before, fletch_level level,
                               fletch_status status)
{
    node *root = schema_with(m, first_of(member(fan_schema(m, 8, 3), SCHEMA_FIELDS)));
    add_field(root, last);
    block b = finish(m, root);
    if (status == FLETCH_MALFORMED) poke32(b, place_of(last, FIELD_NAME), 0x7FFFFFFF);
    assert_int_equal(status_with(b, FLETCH_SCHEMA, level, TABLES, before), FLETCH_LIMIT);
    assert_int_equal(status_with(b, FLETCH_SCHEMA, level, TABLES, before + 2), status);
}

static void damage_behind_a_bomb_is_found_within_the_budget_only(void **state)
{
    const uint64_t before = tables_of_fan(2, 8, 3);
    /* a table is counted when it has been decoded, so the bad field's own two are not needed */
    judge_fault_behind(*state, int_field(*state, "bad"), before, FLETCH_LEVEL_STRUCTURE,
                       FLETCH_MALFORMED);
}

static void a_broken_rule_behind_a_bomb_is_found_within_the_budget_only(void **state)
{
    const uint64_t before = tables_of_fan(2, 8, 3);
    node *bad = new_field(*state, "bad", INT, int_type(*state, 33, true));
    judge_fault_behind(*state, bad, before + 1, FLETCH_LEVEL_ARROW, FLETCH_INVALID);
}

/* Text */

static node *shared_texts(maker *m, unsigned fields, unsigned pairs)
{
    node *root = new_schema(m), *type = make_table(m), *name = make_text(m, "seconds");
    set_node(type, TIMESTAMP_ZONE, make_text(m, "UTC"));
    for (unsigned i = 0; i < fields; i++) {
        node *field = new_field(m, NULL, TIMESTAMP, type);
        set_node(field, FIELD_NAME, name);
        set_node(field, FIELD_METADATA, same_pairs(m, pairs));
        add_field(root, field);
    }
    return root;
}

static void strict_counts_text_each_time_it_is_read(void **state)
{
    enum { FIELDS = 25, PAIRS = 4 };
    block b = finish(*state, shared_texts(*state, FIELDS, PAIRS));
    assert_int_equal(least_budget(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, TEXT),
                     FIELDS * (7 + 3 + PAIRS * 2));
}

/* Exports */

typedef struct shipment {
    fletch_schema schema;
    budget of;
} shipment;

static fletch_status try_to_export(const void *what, uint64_t least)
{
    const shipment *s = what;
    fletch_limits limits = {0, PLENTY, PLENTY};
    struct ArrowSchema tree;
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    *(s->of == TABLES ? &limits.tables : &limits.text) = least;
    fletch_status status = fletch_export_schema(&s->schema, &allocator, &limits, &tree, NULL);
    if (status == FLETCH_OK) tree.release(&tree);
    assert_int_equal(l.blocks, 0);
    return status;
}

static uint64_t least_export(block b, budget of)
{
    const shipment s = {open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED), of};
    return least_for(try_to_export, &s);
}

static void an_export_counts_text_each_time_it_is_read(void **state)
{
    enum { FIELDS = 25, PAIRS = 4 };
    block b = finish(*state, shared_texts(*state, FIELDS, PAIRS));
    assert_int_equal(least_export(b, TEXT), FIELDS * (7 + 3 + PAIRS * 2));
}

/* As verifying does, but for the Schema table itself. */
static void an_export_counts_shared_tables_each_time(void **state)
{
    enum { FIELDS = 40, PAIRS = 30 };
    maker *m = *state;
    for (size_t i = 0; i < FANS; i++) {
        block b = finish(m, fan_schema(m, fans[i][0], fans[i][1]));
        assert_int_equal(least_export(b, TABLES), tables_of_fan(2, fans[i][0], fans[i][1]));
    }
    block pairs = finish(m, shared_texts(m, FIELDS, PAIRS));
    assert_int_equal(least_export(pairs, TABLES), FIELDS * (2 + PAIRS));
    assert_int_equal(least_export(finish(m, shared_dictionaries(m, FIELDS)), TABLES), FIELDS * 4);
}

/* Imports */

static fletch_status import_measuring(const struct ArrowSchema *tree, uint64_t nodes)
{
    fletch_import_options options = {.nodes = nodes};
    fletch_builder *b = malloc(sizeof *b);
    assert_non_null(b);
    fletch_builder_init(b, NULL, 0);
    fletch_status status = fletch_import_schema(b, tree, &options);
    free(b);
    return status;
}

static fletch_status try_to_import(const void *what, uint64_t least)
{
    return import_measuring(what, least);
}

/* Structs whose children are one and the same, `fan` times, and so on: how many nodes are met. */
static struct ArrowSchema *c_fan(maker *m, unsigned levels, unsigned fan, uint64_t *nodes)
{
    struct ArrowSchema *below = c_node(m, "u", "leaf");
    below->dictionary = c_node(m, "u", NULL);
    below->format = "i";
    *nodes = 2;
    for (unsigned i = 0; i <= levels; i++) {
        struct ArrowSchema *above = c_node(m, "+s", "a");
        const unsigned count = i < levels ? fan : 1;
        for (unsigned k = 0; k < count; k++)
            c_child(m, above, below);
        *nodes = 1 + count * *nodes;
        below = above;
    }
    return below;
}

static void an_import_counts_a_node_in_every_place(void **state)
{
    for (size_t i = 0; i < FANS; i++) {
        uint64_t nodes;
        const struct ArrowSchema *tree = c_fan(*state, fans[i][0], fans[i][1], &nodes);
        assert_int_equal(least_for(try_to_import, tree), nodes);
    }
}

/* Bombs: the calls that walk whole schemas, each with the default budgets */

/* Text that is counted, and thrown away. */
static bool count_text(void *context, const char *text, size_t size)
{
    (void)text;
    *(uint64_t *)context += size;
    return true;
}

static bool count_object(void *context, const fletch_object *object)
{
    (void)object;
    ++*(uint64_t *)context;
    return true;
}

static fletch_status walk_fields(const fletch_schema *schema)
{
    fletch_walk walk;
    fletch_field field;
    fletch_walk_begin(&walk, schema, NULL);
    while (fletch_walk_next(&walk, &field))
        continue;
    return walk.status;
}

static fletch_status copy(const fletch_schema *schema, uint64_t *written)
{
    fletch_builder *b = malloc(sizeof *b);
    fletch_error error;
    const void *bytes;
    size_t size;
    assert_non_null(b);
    fletch_builder_init(b, NULL, 0);
    fletch_set_level(b, FLETCH_LEVEL_ARROW);
    fletch_copy_schema(b, schema);
    fletch_status status = fletch_finish(b, FLETCH_SCHEMA, &bytes, &size, &error);
    *written += error.wanted;
    free(b);
    return status;
}

static fletch_status print_first_type(const fletch_schema *schema, uint64_t *written)
{
    fletch_field field = field_number(schema, 0);
    return fletch_print_type(&field, NULL, count_text, written, NULL);
}

static fletch_status check_with_memory(const fletch_schema *schema)
{
    static uint8_t memory[FLETCH_DICTIONARY_MEMORY << 18];
    return fletch_check_dictionaries(schema, memory, sizeof memory, NULL, NULL);
}

/* `written`: bytes of the block, which must be given back. */
static fletch_status export(const fletch_schema *schema, uint64_t *written)
{
    struct ArrowSchema tree;
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    fletch_status status = fletch_export_schema(schema, &allocator, NULL, &tree, NULL);
    *written += l.bytes;
    if (status == FLETCH_OK) tree.release(&tree);
    assert_int_equal(l.blocks, 0);
    return status;
}

static fletch_status list_dictionaries(const fletch_schema *schema)
{
    fletch_listed_dictionary one;
    size_t count;
    return fletch_list_dictionaries(schema, NULL, &one, 1, &count, NULL);
}

static fletch_status hash(const fletch_schema *schema)
{
    uint64_t value;
    return fletch_hash(schema, NULL, &value, NULL);
}

enum call {
    VERIFY_STRUCTURE,
    VERIFY_ARROW,
    VERIFY_STRICT,
    WALK,
    PRINT_TREE,
    PRINT_JSON,
    PRINT_TYPE,
    COPY,
    COMPARE,
    HASH,
    CHECK_DICTIONARIES,
    VISIT_OBJECTS,
    VISIT_BYTES,
    EXPORT,
    LIST_DICTIONARIES,
    CALLS
};
static const char *const call_names[] = {
    "verify structure",   "verify arrow",  "verify strict", "walk",    "print tree",
    "print json",         "print type",    "copy",          "compare", "hash",
    "check dictionaries", "visit objects", "visit bytes",   "export",  "list dictionaries"};

static fletch_status run(enum call call, block b, const fletch_schema *schema, uint64_t *written)
{
    fletch_options options = {.kind = FLETCH_SCHEMA};
    switch (call) {
    case VERIFY_STRUCTURE:
    case VERIFY_ARROW:
    case VERIFY_STRICT:
        options.level = (fletch_level)(FLETCH_LEVEL_STRUCTURE + (int)call);
        return fletch_verify(b.bytes, b.size, &options, NULL);
    case WALK: return walk_fields(schema);
    case PRINT_TREE: return fletch_print_tree(schema, NULL, count_text, written, NULL);
    case PRINT_JSON: return fletch_print_json(schema, NULL, count_text, written, NULL);
    case PRINT_TYPE: return print_first_type(schema, written);
    case COPY: return copy(schema, written);
    case COMPARE: return fletch_compare(schema, schema, NULL, NULL);
    case HASH: return hash(schema);
    case CHECK_DICTIONARIES: return check_with_memory(schema);
    case VISIT_BYTES:
        return fletch_visit_bytes(b.bytes, b.size, FLETCH_SCHEMA, NULL, count_object, written,
                                  NULL);
    case EXPORT: return export(schema, written);
    case LIST_DICTIONARIES: return list_dictionaries(schema);
    default: return fletch_visit_objects(schema, NULL, count_object, written, NULL);
    }
}

/* The most a call may write: for each byte of text six ("\u0000"), for each table a line's worth,
 * indented to any depth. */
static uint64_t most_output(size_t size)
{
    return 6 * (16 * (uint64_t)size + (1 << 20)) + 600 * (uint64_t)size;
}

/* Processor time that a call may take: far more than the budgets come to under a sanitizer (tens of
 * nanoseconds a table, one a byte of text), far less than the bomb. */
static double most_seconds(size_t size)
{
    return 1.0 + 2e-6 * (double)size;
}

static double seconds_since(clock_t begin)
{
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* Runs every call; those in `limited` (bits) must end as LIMIT, the others as they like. */
static void defuse(block b, unsigned limited)
{
    fletch_options unchecked = {.kind = FLETCH_SCHEMA, .level = FLETCH_LEVEL_UNCHECKED};
    fletch_schema schema;
    assert_int_equal(fletch_open_with(b.bytes, b.size, &unchecked, &schema, NULL), FLETCH_OK);
    for (int call = 0; call < CALLS; call++) {
        uint64_t written = 0;
        const clock_t begin = clock();
        const fletch_status status = run((enum call)call, b, &schema, &written);
        const double seconds = seconds_since(begin);
        const bool is_limit = status == FLETCH_LIMIT;
        if ((is_limit || (limited >> call & 1) == 0) && seconds <= most_seconds(b.size) &&
            written <= most_output(b.size))
            continue;
        fail_msg("%s of %zu bytes: %s, %.3f s, %" PRIu64 " written", call_names[call], b.size,
                 fletch_status_word(status), seconds, written);
    }
}

/* All but what compares the value types of dictionaries only where there are some, or prints one
 * field's type. */
enum {
    ALL = (1 << CALLS) - 1,
    TABLES_OF_FIELDS = ALL,
    TABLES_OF_PAIRS =
        ALL & ~(1 << WALK | 1 << PRINT_TYPE | 1 << CHECK_DICTIONARIES | 1 << LIST_DICTIONARIES),
    TEXT_OF_FIELDS = 1 << VERIFY_STRICT | 1 << PRINT_TREE | 1 << PRINT_JSON | 1 << COPY |
                     1 << COMPARE | 1 << HASH | 1 << EXPORT
};

static void children_without_end_take_no_time(void **state)
{
    maker *m = *state;
    defuse(finish(m, fan_schema(m, 30, 2)), TABLES_OF_FIELDS);
    defuse(finish(m, fan_schema(m, 126, 2)), TABLES_OF_FIELDS);
    defuse(finish(m, fan_schema(m, 3, 5000)), TABLES_OF_FIELDS);
}

static void vectors_of_children_without_end_take_no_time(void **state)
{
    maker *m = *state;
    defuse(finish(m, vector_bomb(m, 100, 2)), TABLES_OF_FIELDS);
    defuse(finish(m, vector_bomb(m, 10, 500)), TABLES_OF_FIELDS);
}

static node *pair_bomb(maker *m, unsigned fields, unsigned pairs)
{
    node *root = new_schema(m), *list = same_pairs(m, pairs);
    share_vtables(m);
    for (unsigned i = 0; i < fields; i++) {
        node *field = int_field(m, "a");
        set_node(field, FIELD_METADATA, list);
        add_field(root, field);
    }
    return root;
}

static void metadata_without_end_takes_no_time(void **state)
{
    maker *m = *state;
    defuse(finish(m, pair_bomb(m, 5000, 20000)), TABLES_OF_PAIRS);
    defuse(finish(m, pair_bomb(m, 100, 200000)), TABLES_OF_PAIRS);
}

/* Structs with the same children and the same dictionary id. */
static void dictionaries_without_end_take_no_time(void **state)
{
    enum { FIELDS = 3000, CHILDREN = 3000 };
    maker *m = *state;
    node *root = new_schema(m), *children = make_list(m), *leaf = int_field(m, "a");
    node *first = nested_field(m, "d", STRUCT);
    node *dictionary = add_dictionary(m, first, 1, NULL);
    share_vtables(m);
    for (unsigned i = 0; i < CHILDREN; i++)
        append(children, leaf);
    for (unsigned i = 0; i < FIELDS; i++) {
        node *field = nested_field(m, "d", STRUCT);
        set_node(field, FIELD_DICTIONARY, dictionary);
        set_node(field, FIELD_CHILDREN, children);
        add_field(root, field);
    }
    defuse(finish(m, root), TABLES_OF_FIELDS & ~(1 << PRINT_TYPE));
}

enum { LONG = 1 << 21, SHARERS = 20000 };

static node *long_text(maker *m)
{
    block text = pad(m, (block){NULL, 0}, LONG);
    memset(text.bytes, 't', LONG);
    return make_string(m, text.bytes, LONG);
}

static void long_names_take_no_time(void **state)
{
    maker *m = *state;
    node *root = new_schema(m), *name = long_text(m), *type = int_type(m, 32, true);
    share_vtables(m);
    for (unsigned i = 0; i < SHARERS; i++) {
        node *field = new_field(m, NULL, INT, type);
        set_node(field, FIELD_NAME, name);
        add_field(root, field);
    }
    defuse(finish(m, root), TEXT_OF_FIELDS);
}

static void long_values_take_no_time(void **state)
{
    maker *m = *state;
    node *root = new_schema(m), *list = make_list(m), *pair = make_table(m);
    share_vtables(m);
    set_node(pair, PAIR_KEY, make_text(m, "ARROW:extension:name"));
    set_node(pair, PAIR_VALUE, long_text(m));
    append(list, pair);
    for (unsigned i = 0; i < SHARERS; i++) {
        node *field = int_field(m, "a");
        set_node(field, FIELD_METADATA, list);
        add_field(root, field);
    }
    defuse(finish(m, root), TEXT_OF_FIELDS);
}

/* Dictionary-encoded, and all of one dictionary, so that value types are compared. */
static void long_time_zones_take_no_time(void **state)
{
    maker *m = *state;
    node *root = new_schema(m), *type = make_table(m), *none = make_list(m);
    node *dictionary = make_table(m);
    share_vtables(m);
    set64(dictionary, DICTIONARY_ID, 1);
    set_node(type, TIMESTAMP_ZONE, long_text(m));
    for (unsigned i = 0; i < SHARERS; i++) {
        node *field = new_field(m, NULL, TIMESTAMP, type);
        set_node(field, FIELD_CHILDREN, none);
        set_node(field, FIELD_DICTIONARY, dictionary);
        add_field(root, field);
    }
    defuse(finish(m, root), TEXT_OF_FIELDS | 1 << CHECK_DICTIONARIES);
}

/* Unions that share type ids: too many for level arrow, but damage is none. */
static void long_type_ids_take_no_time(void **state)
{
    maker *m = *state;
    node *root = new_schema(m), *type = make_table(m), *ids = make_vector(m, 4);
    node *dictionary = make_table(m);
    share_vtables(m);
    set64(dictionary, DICTIONARY_ID, 1);
    for (unsigned i = 0; i < LONG / 4; i++)
        append_number(ids, i % 128);
    set_node(type, UNION_TYPE_IDS, ids);
    for (unsigned i = 0; i < SHARERS; i++) {
        node *field = new_field(m, NULL, UNION, type);
        set_node(field, FIELD_DICTIONARY, dictionary);
        add_field(root, field);
    }
    defuse(finish(m, root), 0);
}

/* ArrowSchemas that lead into themselves, or into the same ones again and again. What is not
 * limited by an option is by 2^24, of which test_cdata_import.c has a test. */
static void trees_without_end_take_no_time(void **state)
{
    enum { NODES = 1 << 18 };
    uint64_t nodes;
    struct ArrowSchema *bomb = c_fan(*state, 100, 2, &nodes), *twice = c_node(*state, "+s", "a");
    c_child(*state, twice, twice);
    c_child(*state, twice, twice);
    const clock_t begin = clock();
    assert_int_equal(import_measuring(bomb, NODES), FLETCH_LIMIT);
    assert_int_equal(import_measuring(twice, NODES), FLETCH_LIMIT);
    assert_true(seconds_since(begin) <= most_seconds(NODES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(a_shared_child_counts_each_time),
        WITH_MAKER(a_shared_vector_of_children_counts_each_time),
        WITH_MAKER(shared_metadata_counts_each_time),
        WITH_MAKER(metadata_of_a_shared_child_counts_each_time),
        WITH_MAKER(a_shared_dictionary_counts_each_time),
        WITH_MAKER(an_absent_index_type_is_no_table),
        WITH_MAKER(a_type_of_the_future_is_no_table),
        WITH_MAKER(metadata_of_schema_and_wrapper_counts),
        WITH_MAKER(columns_count_once_each),
        WITH_MAKER(fletch_walk_counts_fields_only),
        WITH_MAKER(damage_behind_a_bomb_is_found_within_the_budget_only),
        WITH_MAKER(a_broken_rule_behind_a_bomb_is_found_within_the_budget_only),
        WITH_MAKER(strict_counts_text_each_time_it_is_read),
        WITH_MAKER(an_export_counts_text_each_time_it_is_read),
        WITH_MAKER(an_export_counts_shared_tables_each_time),
        WITH_MAKER(an_import_counts_a_node_in_every_place),
        WITH_MAKER(children_without_end_take_no_time),
        WITH_MAKER(vectors_of_children_without_end_take_no_time),
        WITH_MAKER(metadata_without_end_takes_no_time),
        WITH_MAKER(dictionaries_without_end_take_no_time),
        WITH_MAKER(long_names_take_no_time),
        WITH_MAKER(long_values_take_no_time),
        WITH_MAKER(long_time_zones_take_no_time),
        WITH_MAKER(long_type_ids_take_no_time),
        WITH_MAKER(trees_without_end_take_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
