/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Out to ArrowSchema: what each field becomes, what is refused, one block that every order of moves
 * and releases gives back.
 */
#define _POSIX_C_SOURCE 200809L /* threads, on systems that have them */

#include "support/ctree.h"

#include "fletch/heap.h"
#include "support/random_schema.h"

#include <string.h>

#if defined(__unix__)
#include <pthread.h>
#endif

fletch_status fields_with_other_first(const fletch_schema *schema,
                                      const fletch_allocator *allocator, int64_t *count);
fletch_status fields_with_other_last(const fletch_schema *schema, const fletch_allocator *allocator,
                                     int64_t *count);

static void let_go(struct ArrowSchema *tree, const ledger *l)
{
    tree->release(tree);
    assert_null(tree->release);
    assert_int_equal(l->blocks, 0);
    assert_int_equal(l->bytes, 0);
    assert_false(l->is_misused);
}

/* What fields become */

static void check_children(const struct ArrowSchema *parent)
{
    for (int64_t i = 0; i < parent->n_children; i++) {
        assert_non_null(parent->children[i]);
        assert_non_null(parent->children[i]->release);
        assert_non_null(parent->children[i]->name);
        assert_non_null(parent->children[i]->format);
    }
    if (parent->n_children == 0) assert_null(parent->children);
}

static void every_type_has_its_format(void **state)
{
    typed_format list[MOST_FORMATS];
    size_t count = typed_formats(list);
    for (size_t i = 0; i < count; i++) {
        fletch_builder *b = new_builder(*state);
        ledger l = {0};
        add_typed(b, "a", &list[i], 0);
        fletch_schema schema = built_schema(*state, b);
        fletch_field field = field_number(&schema, 0);
        struct ArrowSchema tree = exported(&schema, &l);
        assert_string_equal(tree.children[0]->format, list[i].format);
        assert_int_equal(tree.children[0]->n_children, fletch_count_fields(&field.children));
        check_children(tree.children[0]);
        let_go(&tree, &l);
    }
}

static void a_schema_is_a_struct_without_a_name(void **state)
{
    ledger l = {0};
    sample s = make_sample(*state);
    add_pair(*state, s.schema, SCHEMA_METADATA, "origin", "here");
    fletch_schema schema = open_as(finish(*state, s.schema), FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
    struct ArrowSchema tree = exported(&schema, &l);
    assert_string_equal(tree.format, "+s");
    assert_string_equal(tree.name, "");
    assert_int_equal(tree.flags, 0);
    assert_int_equal(tree.n_children, 1);
    assert_null(tree.dictionary);
    assert_memory_equal(tree.metadata, c_metadata(*state, (const char *[]){"origin", "here", NULL}),
                        22);
    assert_string_equal(tree.children[0]->name, "col");
    assert_int_equal(tree.children[0]->flags, ARROW_FLAG_NULLABLE);
    assert_memory_equal(tree.children[0]->metadata,
                        c_metadata(*state, (const char *[]){"k", "v", NULL}), 14);
    let_go(&tree, &l);
}

static void a_schema_without_fields_has_no_children(void **state)
{
    ledger l = {0};
    fletch_schema schema = built_schema(*state, new_builder(*state));
    struct ArrowSchema tree = exported(&schema, &l);
    assert_int_equal(tree.n_children, 0);
    assert_null(tree.children);
    assert_null(tree.metadata);
    let_go(&tree, &l);
}

static void keys_sorted_is_a_flag(void **state)
{
    for (int is_sorted = 0; is_sorted < 2; is_sorted++) {
        typed_format map = {"+m", fletch_map(is_sorted), 0};
        ledger l = {0};
        fletch_builder *b = new_builder(*state);
        add_typed(b, "m", &map, FLETCH_NULLABLE);
        fletch_schema schema = built_schema(*state, b);
        struct ArrowSchema tree = exported(&schema, &l);
        assert_int_equal(tree.children[0]->flags,
                         ARROW_FLAG_NULLABLE | (is_sorted ? ARROW_FLAG_MAP_KEYS_SORTED : 0));
        assert_int_equal(tree.children[0]->children[0]->flags, 0);
        let_go(&tree, &l);
    }
}

static void add_map_dictionary(fletch_builder *b)
{
    fletch_begin_field(b, "d", fletch_map(true), FLETCH_NULLABLE);
    fletch_set_dictionary(b, 9, (fletch_int_type){16, false}, true);
    fletch_add_metadata(b, "k", "v");
    fletch_begin_field(b, "entries", fletch_struct(), 0);
    fletch_add_field(b, "key", fletch_utf8(), 0);
    fletch_add_field(b, "value", fletch_null(), FLETCH_NULLABLE);
    fletch_end_field(b);
    fletch_end_field(b);
}

static void a_dictionary_field_has_the_index_outside_and_the_values_inside(void **state)
{
    ledger l = {0};
    fletch_builder *b = new_builder(*state);
    add_map_dictionary(b);
    fletch_schema schema = built_schema(*state, b);
    struct ArrowSchema tree = exported(&schema, &l), *outer = tree.children[0];
    assert_string_equal(outer->format, "S");
    assert_string_equal(outer->name, "d");
    assert_int_equal(outer->flags, ARROW_FLAG_NULLABLE | ARROW_FLAG_DICTIONARY_ORDERED);
    assert_int_equal(outer->n_children, 0);
    assert_non_null(outer->metadata);
    assert_string_equal(outer->dictionary->format, "+m");
    assert_string_equal(outer->dictionary->name, "");
    assert_int_equal(outer->dictionary->flags, ARROW_FLAG_NULLABLE | ARROW_FLAG_MAP_KEYS_SORTED);
    assert_int_equal(outer->dictionary->n_children, 1);
    assert_null(outer->dictionary->metadata);
    assert_null(outer->dictionary->dictionary);
    let_go(&tree, &l);
}

static void a_field_that_is_not_nullable_stays_so_when_dictionary_encoded(void **state)
{
    ledger l = {0};
    fletch_builder *b = new_builder(*state);
    fletch_begin_field(b, "d", fletch_utf8(), 0);
    fletch_set_dictionary(b, 0, (fletch_int_type){32, true}, false);
    fletch_end_field(b);
    fletch_schema schema = built_schema(*state, b);
    struct ArrowSchema tree = exported(&schema, &l);
    assert_int_equal(tree.children[0]->flags, 0);
    let_go(&tree, &l);
}

static void an_absent_index_type_is_a_signed_word(void **state)
{
    ledger l = {0};
    node *field = text_field(*state, "d");
    add_dictionary(*state, field, 5, NULL);
    fletch_schema schema =
        open_as(finish(*state, schema_with(*state, field)), FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
    struct ArrowSchema tree = exported(&schema, &l);
    assert_string_equal(tree.children[0]->format, "i");
    let_go(&tree, &l);
}

static void absent_type_ids_are_spelled_out(void **state)
{
    ledger l = {0};
    node *type = make_table(*state);
    set16(type, UNION_MODE, FLETCH_DENSE);
    node *field = new_field(*state, "u", FLETCH_TYPE_UNION, type);
    for (int i = 0; i < 3; i++)
        add_child(field, text_field(*state, "member"));
    fletch_schema schema =
        open_as(finish(*state, schema_with(*state, field)), FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
    struct ArrowSchema tree = exported(&schema, &l);
    assert_string_equal(tree.children[0]->format, "+ud:0,1,2");
    let_go(&tree, &l);
}

static void names_of_every_size_are_copied(void **state)
{
    char name[80];
    for (size_t size = 0; size < sizeof name; size++) {
        ledger l = {0};
        fletch_builder *b = new_builder(*state);
        memset(name, 'n', size);
        name[size] = '\0';
        fletch_add_field(b, name, fletch_timestamp(FLETCH_SECOND, name), 0);
        fletch_schema schema = built_schema(*state, b);
        struct ArrowSchema tree = exported(&schema, &l);
        assert_string_equal(tree.children[0]->name, name);
        assert_string_equal(tree.children[0]->format + 4, name);
        let_go(&tree, &l);
    }
}

static void metadata_may_hold_any_bytes(void **state)
{
    static const char raw[] = {0, 'a', '\xFF', 0};
    ledger l = {0};
    fletch_builder *b = new_builder(*state);
    fletch_set_level(b, FLETCH_LEVEL_ARROW);
    fletch_add_metadata_string(b, (fletch_string){raw, 4}, (fletch_string){raw + 1, 3});
    fletch_schema schema =
        open_as(built(*state, b, FLETCH_SCHEMA), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    struct ArrowSchema tree = exported(&schema, &l);
    assert_memory_equal(tree.metadata + 8, raw, 4);
    assert_memory_equal(tree.metadata + 16, raw + 1, 3);
    let_go(&tree, &l);
}

static void a_field_is_exported_alone(void **state)
{
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    struct ArrowSchema tree;
    fletch_builder *b = new_builder(*state);
    add_map_dictionary(b);
    fletch_schema schema = built_schema(*state, b);
    fletch_field field = field_number(&schema, 0);
    assert_int_equal(fletch_export_field(&field, &allocator, NULL, &tree, NULL), FLETCH_OK);
    assert_string_equal(tree.format, "S");
    assert_string_equal(tree.name, "d");
    assert_non_null(tree.metadata);
    assert_string_equal(tree.dictionary->children[0]->children[1]->name, "value");
    assert_int_equal(l.wanting, 1);
    let_go(&tree, &l);
}

static void a_field_made_by_hand_is_exported(void **state)
{
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    struct ArrowSchema tree;
    sample s = make_sample(*state);
    fletch_schema schema = open_as(finish(*state, s.schema), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_field field = {0}, read = field_number(&schema, 0);
    field.name = fletch_text("made");
    field.type = fletch_timestamp(FLETCH_NANOSECOND, "Z");
    field.metadata = read.metadata; /* of a buffer that its children do not have */
    assert_int_equal(fletch_export_field(&field, &allocator, NULL, &tree, NULL), FLETCH_OK);
    assert_string_equal(tree.name, "made");
    assert_string_equal(tree.format, "tsn:Z");
    assert_memory_equal(tree.metadata, c_metadata(*state, (const char *[]){"k", "v", NULL}), 14);
    let_go(&tree, &l);
}

/* A list whose item has a pair, and a pair of its own; the one vtable of both has the slots of key
 * and value changed with each other where `is_other`. */
static fletch_schema schema_of_pairs(maker *m, bool is_other)
{
    node *list = nested_field(m, "l", FLETCH_TYPE_LIST), *item = int_field(m, "item");
    share_vtables(m);
    node *pair = add_pair(m, list, FIELD_METADATA, "key", "value");
    add_pair(m, item, FIELD_METADATA, "k", "v");
    add_child(list, item);
    block b = finish(m, schema_with(m, list));
    size_t key = vtable_slot_of(pair, 0), value = vtable_slot_of(pair, 1);
    unsigned slot = peek16(b, key);
    if (is_other) {
        poke16(b, key, peek16(b, value));
        poke16(b, value, (uint16_t)slot);
    }
    return open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
}

/* What is known of vtables in the one buffer is not taken for those in the other. */
static void a_field_made_by_hand_has_metadata_and_children_of_two_buffers(void **state)
{
    const fletch_allocator heap = fletch_heap();
    fletch_schema one = schema_of_pairs(*state, false), other = schema_of_pairs(*state, true);
    fletch_field field = field_number(&one, 0), made = field_number(&other, 0);
    struct ArrowSchema tree;
    field.metadata = made.metadata;
    assert_int_equal(fletch_export_field(&field, &heap, NULL, &tree, NULL), FLETCH_OK);
    assert_memory_equal(tree.metadata, c_metadata(*state, (const char *[]){"value", "key", NULL}),
                        20);
    assert_memory_equal(tree.children[0]->metadata,
                        c_metadata(*state, (const char *[]){"k", "v", NULL}), 14);
    tree.release(&tree);
}

static void both_orders_of_headers_mean_the_same(void **state)
{
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    int64_t first = 0, last = 0;
    sample s = make_sample(*state);
    fletch_schema schema = open_as(finish(*state, s.schema), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    assert_int_equal(fields_with_other_first(&schema, &allocator, &first), FLETCH_OK);
    assert_int_equal(fields_with_other_last(&schema, &allocator, &last), FLETCH_OK);
    assert_int_equal(first, 1);
    assert_int_equal(last, 1);
    assert_int_equal(l.blocks, 0);
}

/* One block */

/* a, list<item>, dictionary<struct<x, y>>, struct<p, struct<q>>: nodes at every kind of place. */
static fletch_schema sturdy_schema(maker *m)
{
    fletch_builder *b = new_builder(m);
    fletch_add_field(b, "a", fletch_decimal(10, 2, 128), 0);
    fletch_begin_field(b, "l", fletch_list(), 0);
    fletch_add_field(b, "item", fletch_timestamp(FLETCH_SECOND, "UTC"), 0);
    fletch_add_metadata(b, "k", "v");
    fletch_end_field(b);
    fletch_begin_field(b, "d", fletch_struct(), 0);
    fletch_set_dictionary(b, 3, (fletch_int_type){8, true}, false);
    fletch_add_field(b, "x", fletch_utf8(), 0);
    fletch_add_field(b, "y", fletch_utf8(), 0);
    fletch_end_field(b);
    fletch_begin_field(b, "s", fletch_struct(), 0);
    fletch_add_field(b, "p", fletch_utf8(), 0);
    fletch_begin_field(b, "s", fletch_struct(), 0);
    fletch_add_field(b, "q", fletch_utf8(), 0);
    fletch_end_field(b);
    fletch_end_field(b);
    return built_schema(m, b);
}

enum { PLACES = 8 };

/* A node of that tree by number, which is there: 0 to 3 stand outermost, the others below them. */
static struct ArrowSchema *place_in(struct ArrowSchema *tree, unsigned number)
{
    struct ArrowSchema **top = tree->children;
    switch (number) {
    case 4: return top[2]->dictionary;
    case 5: return top[1]->children[0];
    case 6: return top[2]->dictionary->children[1];
    case 7: return top[3]->children[1];
    default: return top[number];
    }
}

/* Moves as the interface says: a copy, and the old one marked. */
static void move(struct ArrowSchema *from, struct ArrowSchema *to)
{
    *to = *from;
    memset(from, 0x5A, sizeof *from);
    from->release = NULL;
}

/* Reads all there is of a tree that is alive. */
static size_t touch(const struct ArrowSchema *part)
{
    size_t sum = strlen(part->format) + strlen(part->name);
    if (part->metadata) sum += (unsigned char)part->metadata[0];
    if (part->dictionary && part->dictionary->release) sum += touch(part->dictionary);
    for (int64_t i = 0; i < part->n_children; i++)
        if (part->children[i]->release) sum += touch(part->children[i]);
    return sum;
}

/* How many nodes of a tree are alive, itself included. */
static unsigned count_alive(const struct ArrowSchema *part)
{
    unsigned count = 1;
    if (part->dictionary && part->dictionary->release) count += count_alive(part->dictionary);
    for (int64_t i = 0; i < part->n_children; i++)
        if (part->children[i]->release) count += count_alive(part->children[i]);
    return count;
}

/* Moves the nodes in `set`, then releases all there is, the root in its turn, by `order`. */
static void move_and_release(const fletch_schema *schema, unsigned set, uint64_t order)
{
    struct ArrowSchema parts[PLACES + 1];
    unsigned alive[PLACES + 1];
    ledger l = {0};
    struct ArrowSchema tree = exported(schema, &l);
    unsigned count = 1;
    assert_int_equal(l.wanting, 1);
    for (unsigned i = PLACES; i-- != 0;) /* the inner ones first, so that all are there */
        if (set >> i & 1u) move(place_in(&tree, i), &parts[count++]);
    move(&tree, &parts[0]);
    for (unsigned i = 0; i < count; i++)
        alive[i] = count_alive(&parts[i]);
    while (count) {
        unsigned next = random_below(&order, count);
        assert_int_equal(l.blocks, 1);
        assert_int_equal(count_alive(&parts[next]), alive[next]);
        assert_int_not_equal(touch(&parts[next]), 0);
        parts[next].release(&parts[next]);
        assert_null(parts[next].release);
        parts[next] = parts[--count];
        alive[next] = alive[count];
    }
    assert_int_equal(l.blocks, 0);
    assert_int_equal(l.calls, 2);
    assert_false(l.is_misused);
}

static void any_parts_are_moved_and_released_in_any_order(void **state)
{
    fletch_schema schema = sturdy_schema(*state);
    for (unsigned set = 0; set < 1u << PLACES; set++)
        for (uint64_t order = 0; order < 40; order++)
            move_and_release(&schema, set, 1 + order * 77);
}

static void a_dictionary_is_moved_out(void **state)
{
    ledger l = {0};
    struct ArrowSchema values;
    fletch_schema schema = sturdy_schema(*state);
    struct ArrowSchema tree = exported(&schema, &l);
    move(tree.children[2]->dictionary, &values);
    tree.release(&tree);
    assert_int_equal(l.blocks, 1);
    assert_string_equal(values.children[1]->name, "y");
    let_go(&values, &l);
}

static void a_dictionary_without_children_is_one_node(void **state)
{
    for (int first = 0; first < 2; first++) {
        ledger l = {0};
        struct ArrowSchema parts[2];
        fletch_builder *b = new_builder(*state);
        fletch_begin_field(b, "d", fletch_utf8(), 0);
        fletch_set_dictionary(b, 0, (fletch_int_type){8, true}, false);
        fletch_end_field(b);
        fletch_add_field(b, "next", fletch_utf8(), 0);
        fletch_schema schema = built_schema(*state, b);
        parts[0] = exported(&schema, &l);
        move(first == 0 ? parts[0].children[0] : parts[0].children[0]->dictionary, &parts[1]);
        parts[first].release(&parts[first]);
        assert_int_equal(l.blocks, 1);
        assert_int_equal(count_alive(&parts[!first]), 2 + first);
        let_go(&parts[!first], &l);
    }
}

static unsigned strangers_released;

static void release_stranger(struct ArrowSchema *schema)
{
    strangers_released++;
    schema->release = NULL;
}

static void a_stranger_in_a_childs_place_is_released_its_own_way(void **state)
{
    ledger l = {0};
    struct ArrowSchema part;
    fletch_schema schema = sturdy_schema(*state);
    struct ArrowSchema tree = exported(&schema, &l);
    move(tree.children[3], &part);
    *tree.children[3] = (struct ArrowSchema){.format = "n", .release = release_stranger};
    strangers_released = 0;
    tree.release(&tree);
    assert_int_equal(strangers_released, 1);
    assert_int_equal(l.blocks, 1);
    let_go(&part, &l);
}

static void children_that_changed_places_are_released_once(void **state)
{
    ledger l = {0};
    struct ArrowSchema part;
    fletch_schema schema = sturdy_schema(*state);
    struct ArrowSchema tree = exported(&schema, &l);
    part = *tree.children[3]; /* a swap by copies, with nothing marked in between */
    *tree.children[3] = *tree.children[1];
    *tree.children[1] = part;
    let_go(&tree, &l);
}

static void children_of_two_trees_may_be_exchanged(void **state)
{
    ledger first = {0}, second = {0};
    fletch_schema schema = sturdy_schema(*state);
    struct ArrowSchema one = exported(&schema, &first), two = exported(&schema, &second), part;
    part = *one.children[0]; /* a leaf against a struct of three below it */
    *one.children[0] = *two.children[3];
    *two.children[3] = part;
    one.release(&one);
    assert_int_equal(first.blocks, 1);
    assert_int_equal(second.blocks, 1);
    two.release(&two);
    assert_int_equal(first.blocks, 0);
    assert_int_equal(second.blocks, 0);
}

static void a_child_released_in_its_place_is_not_released_again(void **state)
{
    ledger l = {0};
    fletch_schema schema = sturdy_schema(*state);
    struct ArrowSchema tree = exported(&schema, &l);
    tree.children[3]->release(tree.children[3]);
    assert_int_equal(l.blocks, 1);
    let_go(&tree, &l);
}

/* Threads */

#if defined(__unix__)

static void *release_part(void *part)
{
    struct ArrowSchema *schema = part;
    (void)touch(schema);
    schema->release(schema);
    return NULL;
}

static void two_threads_release_parts_of_one_tree(void **state)
{
    fletch_schema schema = sturdy_schema(*state);
    for (int i = 0; i < 200; i++) {
        ledger l = {0};
        struct ArrowSchema tree = exported(&schema, &l), part;
        pthread_t thread;
        move(tree.children[3], &part);
        assert_int_equal(pthread_create(&thread, NULL, release_part, &part), 0);
        (void)touch(&tree);
        tree.release(&tree);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(l.blocks, 0);
    }
}

/* Some of the parts that one tree was taken apart into. */
typedef struct share {
    struct ArrowSchema parts[PLACES + 1];
    unsigned count;
} share;

static void *release_share(void *context)
{
    share *s = context;
    for (unsigned i = 0; i < s->count; i++) {
        (void)touch(&s->parts[i]);
        s->parts[i].release(&s->parts[i]);
    }
    return NULL;
}

/* Every place is moved out, the parent among the parts; who gets which changes from round to round.
 * Run under a thread sanitizer, this is the proof that the count alone is shared. */
static void two_threads_share_all_parts_of_one_tree(void **state)
{
    fletch_schema schema = sturdy_schema(*state);
    for (unsigned round = 0; round < 1u << (PLACES + 1); round++) {
        share shares[2] = {{.count = 0}, {.count = 0}};
        ledger l = {0};
        struct ArrowSchema tree = exported(&schema, &l);
        pthread_t thread;
        for (unsigned i = PLACES + 1; i-- != 0;) { /* the inner ones first */
            share *s = &shares[round >> i & 1u];
            move(i == 0 ? &tree : place_in(&tree, i - 1), &s->parts[s->count++]);
        }
        assert_int_equal(pthread_create(&thread, NULL, release_share, &shares[1]), 0);
        release_share(&shares[0]);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(l.blocks, 0);
        assert_false(l.is_misused);
    }
}

#endif

/* Failures */

static void without_memory_the_output_is_released(void **state)
{
    ledger l = {.fail_from = 1, .fail_to = 1};
    const fletch_allocator allocator = ledger_allocator(&l);
    struct ArrowSchema tree;
    fletch_error error;
    fletch_schema schema = sturdy_schema(*state);
    memset(&tree, 0xA5, sizeof tree);
    assert_int_equal(fletch_export_schema(&schema, &allocator, NULL, &tree, &error),
                     FLETCH_NO_MEMORY);
    assert_null(tree.release);
    assert_string_equal(error.path, "");
    assert_int_equal(l.calls, 1);
    assert_int_equal(l.blocks, 0);
}

/* The schema is in a stream, so that it starts behind the first byte, and below a wrapper. */
static void without_memory_no_byte_is_at_fault_but_bytes_are_wanted(void **state)
{
    ledger l = {.fail_from = 1, .fail_to = 1};
    const fletch_allocator allocator = ledger_allocator(&l);
    unsigned char memory[1024];
    struct ArrowSchema tree;
    fletch_builder builder;
    fletch_schema schema;
    fletch_error error;
    const void *bytes;
    size_t size;
    (void)state;
    fletch_builder_init(&builder, memory, sizeof memory);
    fletch_add_field(&builder, "a", fletch_bool(), 0);
    assert_int_equal(fletch_finish(&builder, FLETCH_STREAM, &bytes, &size, NULL), FLETCH_OK);
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
    assert_int_equal(fletch_export_schema(&schema, &allocator, NULL, &tree, NULL),
                     FLETCH_NO_MEMORY);
    l.fail_from = l.fail_to = l.wanting + 1;
    fletch_export_schema(&schema, &allocator, NULL, &tree, &error);
    assert_int_equal(error.status, FLETCH_NO_MEMORY);
    assert_int_equal(error.offset, 0);
    assert_string_equal(error.path, "");
    assert_true(error.wanted >= 2 * sizeof(struct ArrowSchema));
}

static void one_allocation_serves_for_any_schema(void **state)
{
    for (uint64_t seed = 1; seed < 200; seed++) {
        random_plan plan = {seed, 40, false};
        ledger l = {0};
        const fletch_allocator allocator = ledger_allocator(&l);
        struct ArrowSchema tree;
        fletch_builder *b = new_builder_in(*state, 1 << 18);
        build_random(b, &plan);
        fletch_schema schema =
            open_as(built(*state, b, FLETCH_SCHEMA), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
        fletch_status status = fletch_export_schema(&schema, &allocator, NULL, &tree, NULL);
        if (status == FLETCH_INVALID) { /* a NUL in a name */
            assert_int_equal(l.blocks, 0);
            continue;
        }
        assert_int_equal(status, FLETCH_OK);
        assert_int_equal(l.wanting, 1);
        assert_int_not_equal(touch(&tree), 0);
        let_go(&tree, &l);
    }
}

static fletch_schema with_field(maker *m, node *field)
{
    node *schema = make_sample(m).schema;
    add_field(schema, field);
    return open_as(finish(m, schema), FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
}

static void a_nul_in_a_name_is_refused(void **state)
{
    (void)state;
    static const char text[] = "0123456789abcdef0123456789abcdef";
    for (size_t size = 1; size < sizeof text; size++)
        for (size_t at = 0; at < size; at++) {
            maker *m = maker_new();
            block name = copy_of(m, text, size);
            poke8(name, at, 0);
            node *field = int_field(m, "");
            set_node(field, FIELD_NAME, make_string(m, name.bytes, size));
            fletch_schema schema = with_field(m, field);
            not_exported(&schema, FLETCH_INVALID, "fields[1].name");
            maker_free(m);
        }
}

static void the_offset_of_a_nul_is_told(void **state)
{
    struct ArrowSchema tree;
    fletch_error error;
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    node *field = int_field(*state, ""), *name = make_string(*state, "ab\0c", 4);
    set_node(field, FIELD_NAME, name);
    fletch_schema schema = with_field(*state, field);
    fletch_export_schema(&schema, &allocator, NULL, &tree, &error);
    assert_int_equal(error.offset, place(name) + 4 + 2);
}

static void a_nul_in_a_time_zone_is_refused(void **state)
{
    node *type = make_table(*state);
    set_node(type, TIMESTAMP_ZONE, make_string(*state, "U\0C", 3));
    fletch_schema schema = with_field(*state, new_field(*state, "t", FLETCH_TYPE_TIMESTAMP, type));
    not_exported(&schema, FLETCH_INVALID, "fields[1].type.timezone");
}

/* Each byte of a schema in turn, changed. One of its fields cannot be exported anyway; but damage
 * is told first, wherever it is, and as verifying tells it. */
static void damage_is_told_as_verifying_tells_it(void **state)
{
    static const uint8_t changes[] = {0x01, 0x10, 0x80, 0xFF};
    const fletch_options unchecked = {FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED, {0, 0, 0}, NULL, 0,
                                      false};
    const fletch_options structure = {FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, {0, 0, 0}, NULL, 0,
                                      false};
    block b = read_file(*state, FLETCH_DATA_DIR "/flatc-2.0.8__future-type.schema");
    unsigned damaged = 0;

    assert_non_null(b.bytes);
    for (size_t at = 0; at < b.size; at++)
        for (size_t i = 0; i < sizeof changes; i++) {
            fletch_error told, exported;
            fletch_schema schema;
            struct ArrowSchema tree;
            ledger l = {0};
            const fletch_allocator allocator = ledger_allocator(&l);
            poke8(b, at, (uint8_t)(b.bytes[at] ^ changes[i]));
            fletch_status wanted = fletch_verify(b.bytes, b.size, &structure, &told);
            if (wanted == FLETCH_MALFORMED &&
                fletch_open_with(b.bytes, b.size, &unchecked, &schema, NULL) == FLETCH_OK) {
                damaged++;
                assert_int_equal(fletch_export_schema(&schema, &allocator, NULL, &tree, &exported),
                                 wanted);
                assert_int_equal(exported.offset, told.offset);
                assert_string_equal(exported.path, told.path);
            }
            poke8(b, at, (uint8_t)(b.bytes[at] ^ changes[i]));
        }
    assert_true(damaged > 100);
}

static void a_type_from_the_future_is_refused(void **state)
{
    static const int tags[] = {27, 99, 255};
    for (size_t i = 0; i < 3; i++) {
        fletch_schema schema =
            with_field(*state, new_field(*state, "f", tags[i], make_table(*state)));
        not_exported(&schema, FLETCH_UNSUPPORTED, "fields[1].type");
    }
}

static void a_field_without_a_type_is_refused(void **state)
{
    node *field = make_table(*state);
    fletch_schema schema = with_field(*state, field);
    not_exported(&schema, FLETCH_MISSING, "fields[1].type");
}

static void a_dictionary_of_another_kind_is_refused(void **state)
{
    node *field = text_field(*state, "d");
    set16(add_dictionary(*state, field, 0, NULL), DICTIONARY_KIND, 1);
    fletch_schema schema = with_field(*state, field);
    not_exported(&schema, FLETCH_UNSUPPORTED, "fields[1].dictionary.dictionaryKind");
}

static void children_of_a_leaf_are_refused(void **state)
{
    node *field = int_field(*state, "i");
    add_child(field, int_field(*state, "j"));
    fletch_schema schema = with_field(*state, field);
    not_exported(&schema, FLETCH_INVALID, "fields[1].children");
}

static void rules_of_level_arrow_hold_below_as_well(void **state)
{
    node *list = nested_field(*state, "l", FLETCH_TYPE_LIST);
    add_child(list, new_field(*state, "i", FLETCH_TYPE_INT, int_type(*state, 24, true)));
    fletch_schema schema = with_field(*state, list);
    not_exported(&schema, FLETCH_INVALID, "fields[1].children[0].type.bitWidth");
}

static void a_map_of_other_than_pairs_is_refused(void **state)
{
    node *map = nested_field(*state, "m", FLETCH_TYPE_MAP);
    add_child(map, int_field(*state, "i"));
    fletch_schema schema = with_field(*state, map);
    not_exported(&schema, FLETCH_INVALID, "fields[1].children[0].type");
}

static void run_ends_of_another_type_are_refused(void **state)
{
    node *runs = nested_field(*state, "r", FLETCH_TYPE_RUN_END_ENCODED);
    add_child(runs, text_field(*state, "run_ends"));
    add_child(runs, text_field(*state, "values"));
    fletch_schema schema = with_field(*state, runs);
    not_exported(&schema, FLETCH_INVALID, "fields[1].children[0].type");
}

static void an_error_in_a_field_alone_is_told_from_there(void **state)
{
    struct ArrowSchema tree;
    fletch_error error;
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    node *list = nested_field(*state, "l", FLETCH_TYPE_LIST);
    add_child(list, new_field(*state, "i", 27, make_table(*state)));
    fletch_schema schema = with_field(*state, list);
    fletch_field field = field_number(&schema, 1);
    assert_int_equal(fletch_export_field(&field, &allocator, NULL, &tree, &error),
                     FLETCH_UNSUPPORTED);
    assert_string_equal(error.path, "children[0].type");
    assert_null(tree.release);
    assert_int_equal(l.blocks, 0);
}

static void a_path_begins_with_what_the_schema_came_in(void **state)
{
    node *schema = schema_with(*state, make_table(*state));
    fletch_schema opened = open_as(finish(*state, new_message(*state, schema)), FLETCH_MESSAGE,
                                   FLETCH_LEVEL_UNCHECKED);
    not_exported(&opened, FLETCH_MISSING, "message.header.fields[0].type");
}

static void a_schema_without_fields_vector_is_refused(void **state)
{
    node *schema = make_table(*state);
    fletch_schema opened = open_as(finish(*state, schema), FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
    not_exported(&opened, FLETCH_MISSING, "fields");
}

static void what_was_not_opened_is_refused(void **state)
{
    fletch_schema schema;
    (void)state;
    assert_int_equal(fletch_open("", 0, &schema, NULL), FLETCH_EMPTY);
    not_exported(&schema, FLETCH_MISSING, "");
}

static void limits_hold(void **state)
{
    struct ArrowSchema tree;
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    fletch_limits limits = {.depth = 2};
    fletch_schema fan =
        open_as(finish(*state, fan_schema(*state, 30, 2)), FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
    fletch_schema deep =
        open_as(finish(*state, deep_schema(*state, 129)), FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
    fletch_schema plain = sturdy_schema(*state);
    assert_int_equal(fletch_export_schema(&fan, &allocator, NULL, &tree, NULL), FLETCH_LIMIT);
    assert_int_equal(fletch_export_schema(&deep, &allocator, NULL, &tree, NULL), FLETCH_LIMIT);
    assert_int_equal(fletch_export_schema(&plain, &allocator, &limits, &tree, NULL), FLETCH_LIMIT);
    limits = (fletch_limits){.text = 5};
    assert_int_equal(fletch_export_schema(&plain, &allocator, &limits, &tree, NULL), FLETCH_LIMIT);
    assert_int_equal(l.calls, 0);
}

/* A Field and its type, though the schema is walked over twice. */
static void an_export_takes_each_table_from_the_limit_once(void **state)
{
    const fletch_allocator heap = fletch_heap();
    block b = finish(*state, schema_with(*state, int_field(*state, "a")));
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    fletch_limits limits = {.tables = 1};
    struct ArrowSchema tree;
    assert_int_equal(fletch_export_schema(&schema, &heap, &limits, &tree, NULL), FLETCH_LIMIT);
    limits.tables = 2;
    assert_int_equal(fletch_export_schema(&schema, &heap, &limits, &tree, NULL), FLETCH_OK);
    tree.release(&tree);
}

static void the_deepest_schema_is_exported(void **state)
{
    ledger l = {0};
    fletch_schema deep =
        open_as(finish(*state, deep_schema(*state, 128)), FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    struct ArrowSchema tree = exported(&deep, &l), *at = &tree;
    for (int i = 0; i < 128; i++)
        at = at->children[0];
    assert_int_equal(at->n_children, 0);
    let_go(&tree, &l);
}

/* Bytes that are wrong, or change */

/* Any byte is anything: the export ends well, or leaves nothing. */
static void damaged_bytes_are_exported_whole_or_not_at_all(void **state)
{
    fletch_schema whole = sturdy_schema(*state);
    block good = copy_of(*state, whole.buffer.bytes, whole.buffer.size), bad;
    const fletch_options options = {.kind = FLETCH_SCHEMA, .level = FLETCH_LEVEL_UNCHECKED};
    bad = copy_of(*state, good.bytes, good.size);
    for (size_t at = 0; at < good.size; at++)
        for (unsigned value = 0; value < 256; value += 3) {
            struct ArrowSchema tree;
            fletch_schema schema;
            ledger l = {0};
            const fletch_allocator allocator = ledger_allocator(&l);
            bad.bytes[at] = (uint8_t)value;
            if (fletch_open_with(bad.bytes, bad.size, &options, &schema, NULL) == FLETCH_OK &&
                fletch_export_schema(&schema, &allocator, NULL, &tree, NULL) == FLETCH_OK) {
                (void)touch(&tree);
                tree.release(&tree);
            }
            assert_int_equal(l.blocks, 0);
            bad.bytes[at] = good.bytes[at];
        }
}

/* An allocator that damages the schema while the export waits for its block. */
typedef struct saboteur {
    ledger l;
    fletch_allocator allocator;
    block target;
    size_t at;
    uint8_t value;
} saboteur;

static void *sabotage(void *context, void *old, size_t old_size, size_t new_size)
{
    saboteur *s = context;
    if (!old) s->target.bytes[s->at] = s->value;
    return s->allocator.reallocate(&s->l, old, old_size, new_size);
}

static void bytes_that_change_meanwhile_lead_nowhere(void **state)
{
    fletch_schema whole = sturdy_schema(*state);
    block good = copy_of(*state, whole.buffer.bytes, whole.buffer.size);
    saboteur s = {.target = copy_of(*state, good.bytes, good.size)};
    s.allocator = ledger_allocator(&s.l);
    unsigned changed = 0;
    for (s.at = 0; s.at < good.size; s.at++)
        for (unsigned value = 0; value < 256; value += 3) {
            const fletch_allocator allocator = {sabotage, &s};
            struct ArrowSchema tree;
            fletch_error error;
            memcpy(s.target.bytes, good.bytes, good.size);
            s.value = (uint8_t)value;
            fletch_schema schema = open_as(s.target, FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
            if (fletch_export_schema(&schema, &allocator, NULL, &tree, &error) == FLETCH_OK) {
                (void)touch(&tree);
                tree.release(&tree);
            } else {
                changed += strstr(error.sentence, "changed") != NULL;
            }
            assert_int_equal(s.l.blocks, 0);
        }
    assert_int_not_equal(changed, 0);
}

/* Listing dictionaries */

static void add_dictionary_field(fletch_builder *b, int64_t id, int32_t width, bool is_ordered)
{
    fletch_begin_field(b, "d", fletch_utf8(), FLETCH_NULLABLE);
    fletch_set_dictionary(b, id, (fletch_int_type){width, false}, is_ordered);
    fletch_end_field(b);
}

static fletch_schema with_dictionaries(maker *m)
{
    fletch_builder *b = new_builder(m);
    fletch_add_field(b, "a", fletch_utf8(), 0);
    fletch_begin_field(b, "s", fletch_struct(), 0);
    fletch_set_dictionary(b, 40, (fletch_int_type){64, true}, false);
    add_dictionary_field(b, INT64_MIN, 8, true);
    fletch_end_field(b);
    add_dictionary_field(b, 7, 16, false);
    return built_schema(m, b);
}

static void dictionaries_are_listed_with_their_fields(void **state)
{
    fletch_schema schema = with_dictionaries(*state);
    fletch_listed_dictionary list[3];
    size_t count;
    assert_int_equal(fletch_list_dictionaries(&schema, NULL, list, 3, &count, NULL), FLETCH_OK);
    assert_int_equal(count, 3);
    assert_int_equal(list[0].id, 40);
    assert_int_equal(list[0].field, 1);
    assert_int_equal(list[0].index_type.bit_width, 64);
    assert_true(list[0].index_type.is_signed);
    assert_false(list[0].is_ordered);
    assert_true(list[1].id == INT64_MIN);
    assert_int_equal(list[1].field, 2);
    assert_true(list[1].is_ordered);
    assert_int_equal(list[2].field, 3);
    assert_int_equal(list[2].index_type.bit_width, 16);
}

static void a_list_that_is_too_short_says_how_many_there_are(void **state)
{
    fletch_schema schema = with_dictionaries(*state);
    fletch_listed_dictionary list[2] = {{.id = -1}, {.id = -1}};
    size_t count;
    fletch_error error;
    assert_int_equal(fletch_list_dictionaries(&schema, NULL, list, 1, &count, &error),
                     FLETCH_NO_SPACE);
    assert_int_equal(error.status, FLETCH_NO_SPACE);
    assert_int_equal(count, 3);
    assert_int_equal(list[0].id, 40);
    assert_int_equal(list[1].id, -1);
    assert_int_equal(fletch_list_dictionaries(&schema, NULL, NULL, 0, &count, NULL),
                     FLETCH_NO_SPACE);
    assert_int_equal(count, 3);
}

static void listing_keeps_to_its_limits(void **state)
{
    fletch_schema fan =
        open_as(finish(*state, fan_schema(*state, 30, 2)), FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED);
    size_t count;
    assert_int_equal(fletch_list_dictionaries(&fan, NULL, NULL, 0, &count, NULL), FLETCH_LIMIT);
}

static void a_schema_of_unknown_endianness_is_refused_at_its_word(void **state)
{
    maker *m = *state;
    node *root = schema_with(m, int_field(m, "a"));
    set16(root, SCHEMA_ENDIANNESS, 2);
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE);
    const fletch_allocator heap = fletch_heap();
    struct ArrowSchema tree;
    fletch_error error;
    not_exported(&schema, FLETCH_UNSUPPORTED, "endianness");
    assert_int_equal(fletch_export_schema(&schema, &heap, NULL, &tree, &error), FLETCH_UNSUPPORTED);
    assert_int_equal(error.offset, place_of(root, SCHEMA_ENDIANNESS));
}

static void a_big_endian_schema_is_exported(void **state)
{
    maker *m = *state;
    ledger l = {0};
    node *root = schema_with(m, int_field(m, "a"));
    set16(root, SCHEMA_ENDIANNESS, FLETCH_BIG_ENDIAN);
    fletch_schema schema = open_as(finish(m, root), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    struct ArrowSchema tree = exported(&schema, &l);
    assert_string_equal(tree.children[0]->format, "i");
    let_go(&tree, &l);
}

static void a_timestamp_without_a_zone_is_exported_alone(void **state)
{
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    fletch_field field = {0};
    struct ArrowSchema tree;
    (void)state;
    field.name = fletch_text("made");
    field.type = fletch_timestamp(FLETCH_SECOND, NULL);
    assert_int_equal(fletch_export_field(&field, &allocator, NULL, &tree, NULL), FLETCH_OK);
    assert_string_equal(tree.format, "tss:");
    let_go(&tree, &l);
}

static void a_nul_in_a_name_made_by_hand_has_the_fields_place(void **state)
{
    static const fletch_string name = {"a\0b", 3};
    const fletch_allocator heap = fletch_heap();
    fletch_field field = {0};
    struct ArrowSchema tree;
    fletch_error error;
    (void)state;
    field.name = name;
    field.type.id = FLETCH_TYPE_NULL;
    assert_int_equal(fletch_export_field(&field, &heap, NULL, &tree, &error), FLETCH_INVALID);
    assert_int_equal(error.offset, 0);
    assert_string_equal(error.path, "name");
}

static void a_type_made_by_hand_is_not_looked_for_in_bytes(void **state)
{
    static const struct {
        int32_t id;
        fletch_status status;
    } wrong[] = {{FLETCH_TYPE_NONE, FLETCH_MISSING},
                 {FLETCH_TYPE_LARGE_LIST_VIEW + 1, FLETCH_UNSUPPORTED},
                 {FLETCH_TYPE_INT, FLETCH_INVALID}};
    const fletch_allocator heap = fletch_heap();
    maker *m = *state;
    block b = finish(m, schema_with(m, int_field(m, "a")));
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    struct ArrowSchema tree;
    fletch_field field;
    fletch_error error;
    assert_true(fletch_next_field(&schema.fields, &field));
    field.type.as.integer.bit_width = 7; /* in the bytes it is good */
    for (int i = 0; i < 3; i++) {
        field.type.id = wrong[i].id;
        assert_int_equal(fletch_export_field(&field, &heap, NULL, &tree, &error), wrong[i].status);
        assert_int_equal(error.status, wrong[i].status);
        assert_null(tree.release);
    }
}

static void a_name_of_half_the_memory_is_too_large(void **state)
{
    const fletch_limits limits = {.text = UINT64_MAX};
    const fletch_allocator heap = fletch_heap();
    fletch_field field = {0};
    struct ArrowSchema tree;
    fletch_error error;
    (void)state;
    field.name.data = "";
    field.type.id = FLETCH_TYPE_NULL;
    for (int i = 0; i < 4; i++) {
        static const size_t sizes[] = {SIZE_MAX - 8, SIZE_MAX / 2 + 1, SIZE_MAX / 2,
                                       SIZE_MAX / 2 - 8};
        field.name.size = sizes[i];
        assert_int_equal(fletch_export_field(&field, &heap, &limits, &tree, &error),
                         FLETCH_TOO_LARGE);
        assert_int_equal(error.status, FLETCH_TOO_LARGE);
        assert_null(tree.release);
    }
}

/* What comes into the bytes between counting and writing: there is no place for it. */

typedef struct intruder {
    uint8_t *at;
    uint32_t word;
    unsigned size;
} intruder;

static void *allocate_and_intrude(void *context, void *old, size_t old_size, size_t new_size)
{
    const fletch_allocator heap = fletch_heap();
    const intruder *i = context;
    for (unsigned byte = 0; new_size != 0 && byte < i->size; byte++)
        i->at[byte] = (uint8_t)(i->word >> 8 * byte);
    return heap.reallocate(heap.context, old, old_size, new_size);
}

static void not_exported_with(const fletch_schema *schema, intruder *i)
{
    const fletch_allocator allocator = {allocate_and_intrude, i};
    struct ArrowSchema tree;
    fletch_error error;
    assert_int_equal(fletch_export_schema(schema, &allocator, NULL, &tree, &error),
                     FLETCH_MALFORMED);
    assert_int_equal(error.status, FLETCH_MALFORMED);
    assert_null(tree.release);
}

static void a_child_that_comes_while_it_is_exported_is_refused(void **state)
{
    maker *m = *state;
    node *field = nested_field(m, "s", FLETCH_TYPE_STRUCT);
    add_child(field, int_field(m, "a"));
    add_child(field, int_field(m, "b"));
    block b = finish(m, schema_with(m, field));
    intruder i = {b.bytes + place(member(field, FIELD_CHILDREN)), 2, 4};
    poke32(b, place(member(field, FIELD_CHILDREN)), 1);
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    not_exported_with(&schema, &i);
}

/* The second of two fields, which is the first once more until there is memory: `hidden` says which
 * of the two is meant, the other stands in for it. */
static void field_that_comes(maker *m, node *first, node *second, unsigned hidden)
{
    node *root = schema_with(m, first);
    add_field(root, second);
    block b = finish(m, root);
    size_t element = place(member(root, SCHEMA_FIELDS)) + 4 + 4 * (size_t)hidden;
    size_t other = place(member(root, SCHEMA_FIELDS)) + 4 + 4 * (size_t)(1 - hidden);
    intruder i = {b.bytes + element, peek32(b, element), 4};
    poke32(b, element, (uint32_t)(other + peek32(b, other) - element));
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    not_exported_with(&schema, &i);
}

static void a_dictionary_that_comes_while_it_is_exported_is_refused(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "d");
    add_dictionary(m, field, 1, NULL);
    field_that_comes(m, text_field(m, "d"), field, 1);
}

static void metadata_that_comes_while_it_is_exported_is_refused(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "m");
    add_pair(m, field, FIELD_METADATA, "key", "value");
    field_that_comes(m, text_field(m, "m"), field, 1);
}

static void a_dictionary_that_takes_the_place_of_a_field_is_refused(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "d");
    add_dictionary(m, field, 1, NULL);
    field_that_comes(m, field, text_field(m, "d"), 0);
}

/* The vtables that were checked while counting serve for writing, whatever became of them; a build
 * for size keeps none. */
static void a_vtable_that_changes_while_it_is_exported_does_no_harm(void **state)
{
    maker *m = *state;
    const fletch_allocator heap = fletch_heap();
    node *field = text_field(m, "kept");
    block b = finish(m, schema_with(m, field));
    intruder i = {b.bytes + vtable_slot_of(field, FIELD_NAME), 0xFFFF, 2};
    const fletch_allocator allocator = {allocate_and_intrude, &i};
    fletch_schema schema = open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
    struct ArrowSchema tree;
#ifdef __OPTIMIZE_SIZE__
    assert_int_equal(fletch_export_schema(&schema, &allocator, NULL, &tree, NULL),
                     FLETCH_MALFORMED);
#else
    assert_int_equal(fletch_export_schema(&schema, &allocator, NULL, &tree, NULL), FLETCH_OK);
    assert_string_equal(tree.children[0]->name, "kept");
    tree.release(&tree);
#endif
    assert_int_equal(fletch_export_schema(&schema, &heap, NULL, &tree, NULL), FLETCH_MALFORMED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(every_type_has_its_format),
        WITH_MAKER(a_schema_is_a_struct_without_a_name),
        WITH_MAKER(a_schema_without_fields_has_no_children),
        WITH_MAKER(keys_sorted_is_a_flag),
        WITH_MAKER(a_dictionary_field_has_the_index_outside_and_the_values_inside),
        WITH_MAKER(a_field_that_is_not_nullable_stays_so_when_dictionary_encoded),
        WITH_MAKER(an_absent_index_type_is_a_signed_word),
        WITH_MAKER(absent_type_ids_are_spelled_out),
        WITH_MAKER(names_of_every_size_are_copied),
        WITH_MAKER(metadata_may_hold_any_bytes),
        WITH_MAKER(a_field_is_exported_alone),
        WITH_MAKER(a_field_made_by_hand_is_exported),
        WITH_MAKER(a_field_made_by_hand_has_metadata_and_children_of_two_buffers),
        WITH_MAKER(both_orders_of_headers_mean_the_same),
        WITH_MAKER(any_parts_are_moved_and_released_in_any_order),
        WITH_MAKER(a_dictionary_is_moved_out),
        WITH_MAKER(a_dictionary_without_children_is_one_node),
        WITH_MAKER(a_stranger_in_a_childs_place_is_released_its_own_way),
        WITH_MAKER(children_that_changed_places_are_released_once),
        WITH_MAKER(children_of_two_trees_may_be_exchanged),
        WITH_MAKER(a_child_released_in_its_place_is_not_released_again),
#if defined(__unix__)
        WITH_MAKER(two_threads_release_parts_of_one_tree),
        WITH_MAKER(two_threads_share_all_parts_of_one_tree),
#endif
        WITH_MAKER(without_memory_the_output_is_released),
        cmocka_unit_test(without_memory_no_byte_is_at_fault_but_bytes_are_wanted),
        WITH_MAKER(one_allocation_serves_for_any_schema),
        WITH_MAKER(a_nul_in_a_name_is_refused),
        WITH_MAKER(the_offset_of_a_nul_is_told),
        WITH_MAKER(a_nul_in_a_time_zone_is_refused),
        WITH_MAKER(a_type_from_the_future_is_refused),
        WITH_MAKER(a_field_without_a_type_is_refused),
        WITH_MAKER(a_dictionary_of_another_kind_is_refused),
        WITH_MAKER(children_of_a_leaf_are_refused),
        WITH_MAKER(rules_of_level_arrow_hold_below_as_well),
        WITH_MAKER(a_map_of_other_than_pairs_is_refused),
        WITH_MAKER(run_ends_of_another_type_are_refused),
        WITH_MAKER(an_error_in_a_field_alone_is_told_from_there),
        WITH_MAKER(a_path_begins_with_what_the_schema_came_in),
        WITH_MAKER(a_schema_without_fields_vector_is_refused),
        WITH_MAKER(what_was_not_opened_is_refused),
        WITH_MAKER(limits_hold),
        WITH_MAKER(an_export_takes_each_table_from_the_limit_once),
        WITH_MAKER(the_deepest_schema_is_exported),
        WITH_MAKER(damaged_bytes_are_exported_whole_or_not_at_all),
        WITH_MAKER(bytes_that_change_meanwhile_lead_nowhere),
        WITH_MAKER(dictionaries_are_listed_with_their_fields),
        WITH_MAKER(a_list_that_is_too_short_says_how_many_there_are),
        WITH_MAKER(listing_keeps_to_its_limits),
        WITH_MAKER(a_schema_of_unknown_endianness_is_refused_at_its_word),
        WITH_MAKER(a_big_endian_schema_is_exported),
        WITH_MAKER(a_timestamp_without_a_zone_is_exported_alone),
        WITH_MAKER(a_nul_in_a_name_made_by_hand_has_the_fields_place),
        WITH_MAKER(damage_is_told_as_verifying_tells_it),
        WITH_MAKER(a_type_made_by_hand_is_not_looked_for_in_bytes),
        WITH_MAKER(a_name_of_half_the_memory_is_too_large),
        WITH_MAKER(a_child_that_comes_while_it_is_exported_is_refused),
        WITH_MAKER(a_dictionary_that_comes_while_it_is_exported_is_refused),
        WITH_MAKER(metadata_that_comes_while_it_is_exported_is_refused),
        WITH_MAKER(a_dictionary_that_takes_the_place_of_a_field_is_refused),
        WITH_MAKER(a_vtable_that_changes_while_it_is_exported_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
