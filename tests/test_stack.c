/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stack. Each public call runs in a thread whose stack was painted before; what is no longer paint
 * afterwards was used, less what a thread uses that does nothing. The thread looks itself, since
 * some C libraries clear a stack when its thread ends. What calls work with stands in static
 * memory, so that the figures are the calls' own.
 *
 * Every call runs once before it is measured, since the dynamic linker uses the stack of whoever
 * calls a function first.
 */
#define _DEFAULT_SOURCE /* mmap of memory without a file */

#include "support/building.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WIDENS_FRAMES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#define WIDENS_FRAMES 1
#endif
#endif
#if !defined(WIDENS_FRAMES)
#define WIDENS_FRAMES 0
#endif

#if defined(__unix__) || defined(__APPLE__)
#define HAS_THREADS 1
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#else
#define HAS_THREADS 0
#endif

enum { MOST = 16 << 10, PAINTED = 256 << 10, SMALL_STACK = 64 << 10, PAINT = 0x5C };

/* What the calls work with */

typedef struct input {
    block bytes;
    fletch_kind kind;
} input;

enum { INPUTS = 10 };
static struct {
    maker *maker;
    input inputs[INPUTS];
    fletch_schema deep, wide; /* 128 fields in one another; every type */
    fletch_schema conflict;   /* two fields that share a dictionary, and should not */
    fletch_schema orders[2];  /* the same metadata in two orders */
    fletch_field field;
    fletch_schema opened;
    fletch_options options;
    fletch_compare_options unordered;
    fletch_error error;
    fletch_walk walk;
    fletch_found found;
    fletch_builder builder;
    fletch_metadata pairs;
    fletch_key_value pair;
    fletch_extension extension;
    struct ArrowSchema c_schema, c_part, c_list, *c_below; /* the last two: a list below itself */
    fletch_import_options import_options;
    fletch_listed_dictionary listed[8];
    ledger ledger;
    uint64_t hash, output;
    size_t size;
    const void *bytes;
    uint8_t scratch[1 << 16], memory[1 << 17];
} world;

static fletch_schema open_input(block b)
{
    return open_as(b, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
}

/* A Parquet file whose footer nests structs without end. */
static block nested_thrift(maker *m)
{
    thrift t = new_thrift(m);
    for (int i = 0; i < 1000; i++)
        thrift_byte(&t, 0x1C);
    return parquet_of(m, &t);
}

/* Structs with a child each, of one dictionary; the children differ. */
static node *conflicting_schema(maker *m)
{
    node *root = new_schema(m), *one = nested_field(m, "a", 13), *other = nested_field(m, "b", 13);
    add_child(one, int_field(m, "c"));
    add_child(other, text_field(m, "c"));
    add_dictionary(m, one, 1, NULL);
    add_dictionary(m, other, 1, NULL);
    add_field(root, one);
    add_field(root, other);
    return root;
}

static node *ordered_schema(maker *m, const char *first, const char *second)
{
    node *field = int_field(m, "a");
    add_pair(m, field, FIELD_METADATA, first, "value");
    add_pair(m, field, FIELD_METADATA, second, "value");
    return schema_with(m, field);
}

static int prepare(void **state)
{
    maker *m = world.maker = maker_new();
    block types = read_file(m, FLETCH_DATA_DIR "/flatc-2.0.8__all-types.schema");
    block deep = finish(m, deep_schema(m, 128));
    block message = finish(m, new_message(m, deep_schema(m, 128)));
    block footer = finish(m, new_footer(m, deep_schema(m, 128)));
    const input inputs[INPUTS] = {
        {deep, FLETCH_SCHEMA},
        {types, FLETCH_SCHEMA},
        {message, FLETCH_MESSAGE},
        {footer, FLETCH_FOOTER},
        {stream_of(m, message), FLETCH_STREAM},
        {file_of(m, message, footer), FLETCH_FILE},
        {base64_of(m, stream_of(m, message), true), FLETCH_BASE64},
        {parquet_with(m, base64_of(m, stream_of(m, message), true)), FLETCH_PARQUET},
        {nested_thrift(m), FLETCH_PARQUET},
        {finish(m, deep_schema(m, 400)), FLETCH_SCHEMA},
    };
    (void)state;
    memcpy(world.inputs, inputs, sizeof inputs);
    world.deep = open_input(deep);
    world.wide = open_input(types);
    world.unordered.ignore_metadata_order = true;
    world.unordered.memory = world.memory;
    world.unordered.memory_size = sizeof world.memory;
    world.conflict = open_input(finish(m, conflicting_schema(m)));
    world.orders[0] = open_input(finish(m, ordered_schema(m, "a", "b")));
    world.orders[1] = open_input(finish(m, ordered_schema(m, "b", "a")));
    world.field = field_number(&world.deep, 0);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    maker_free(world.maker);
    return 0;
}

/* The calls */

static bool count_text(void *context, const char *text, size_t size)
{
    (void)context;
    (void)text;
    world.output += size;
    return true;
}

static bool count_object(void *context, const fletch_object *object)
{
    (void)context;
    world.output += object->end - object->begin;
    return true;
}

static bool count_difference(void *context, const fletch_difference *difference)
{
    (void)context;
    world.output += difference->error.offset;
    return true;
}

static void do_not_release(struct ArrowSchema *schema)
{
    (void)schema;
}

static void open_at(fletch_level level, bool is_sniffed)
{
    for (int i = 0; i < INPUTS; i++) {
        world.options.kind = is_sniffed ? FLETCH_SNIFF : world.inputs[i].kind;
        world.options.level = level;
        world.options.scratch = world.scratch;
        world.options.scratch_size = sizeof world.scratch;
        (void)fletch_open_with(world.inputs[i].bytes.bytes, world.inputs[i].bytes.size,
                               &world.options, &world.opened, &world.error);
    }
}

static void call_open_unchecked(void)
{
    open_at(FLETCH_LEVEL_UNCHECKED, true);
}

static void call_open_structure(void)
{
    open_at(FLETCH_LEVEL_STRUCTURE, false);
}

static void call_open_arrow(void)
{
    open_at(FLETCH_LEVEL_ARROW, true);
}

static void call_open_strict(void)
{
    open_at(FLETCH_LEVEL_STRICT, false);
}

static void call_open(void)
{
    (void)fletch_open(world.inputs[0].bytes.bytes, world.inputs[0].bytes.size, &world.opened,
                      &world.error);
}

static void call_verify(void)
{
    for (int i = 0; i < INPUTS; i++)
        (void)fletch_verify(world.inputs[i].bytes.bytes, world.inputs[i].bytes.size, &world.options,
                            &world.error);
}

static void call_find(void)
{
    static fletch_input ends;
    for (int i = 0; i < INPUTS; i++) {
        ends.head = ends.tail = world.inputs[i].bytes.bytes;
        ends.head_size = ends.tail_size = world.inputs[i].bytes.size;
        ends.size = ends.head_size;
        (void)fletch_find(&ends, FLETCH_SNIFF, false, &world.found, &world.error);
        (void)fletch_find(&ends, FLETCH_FILE, true, &world.found, &world.error);
    }
}

static void call_base64(void)
{
    const block text = world.inputs[6].bytes;
    (void)fletch_base64_decode((const char *)text.bytes, text.size, world.scratch,
                               sizeof world.scratch, &world.size, &world.error);
    fletch_base64_encode(world.scratch, world.size, (char *)world.memory);
}

static void call_check_dictionaries(void)
{
    (void)fletch_check_dictionaries(&world.wide, world.memory, sizeof world.memory, NULL,
                                    &world.error);
    (void)fletch_check_dictionaries(&world.conflict, world.memory, sizeof world.memory, NULL,
                                    &world.error);
}

static void call_next_field(void)
{
    world.opened.fields = world.wide.fields;
    while (fletch_next_field(&world.opened.fields, &world.field))
        continue;
    (void)fletch_field_at(&world.wide.fields, 3, &world.field);
    (void)fletch_union_type_id(&world.field.type, 1);
    (void)fletch_count_buffers(&world.field, FLETCH_V5);
}

static void call_metadata(void)
{
    world.pairs = world.wide.metadata;
    while (fletch_next_metadata(&world.pairs, &world.pair))
        continue;
    world.pairs = world.wide.metadata;
    (void)fletch_find_metadata(&world.pairs, fletch_text("none"), &world.pair);
    (void)fletch_find_extension(&world.field, &world.extension);
}

static void call_find_field(void)
{
    (void)fletch_find_field(&world.wide.fields, fletch_text("none"), &world.field);
    (void)fletch_find_path(&world.deep.fields, fletch_text("item.item.item.item.item.none"),
                           &world.field);
}

static void call_walk(void)
{
    fletch_walk_begin(&world.walk, &world.deep, NULL);
    while (fletch_walk_next(&world.walk, &world.field)) {
        world.pairs = world.field.metadata;
        while (fletch_walk_metadata(&world.walk, &world.pairs, &world.pair))
            continue;
    }
}

static void call_print_type(void)
{
    (void)fletch_field_at(&world.deep.fields, 0, &world.field);
    (void)fletch_print_type(&world.field, NULL, count_text, NULL, &world.error);
}

static void call_print_tree(void)
{
    (void)fletch_print_tree(&world.deep, NULL, count_text, NULL, &world.error);
    (void)fletch_print_tree(&world.wide, NULL, count_text, NULL, &world.error);
}

static void call_print_json(void)
{
    (void)fletch_print_json(&world.deep, NULL, count_text, NULL, &world.error);
    (void)fletch_print_json(&world.wide, NULL, count_text, NULL, &world.error);
}

static void call_visit_objects(void)
{
    (void)fletch_visit_objects(&world.deep, NULL, count_object, NULL, &world.error);
    (void)fletch_visit_objects(&world.wide, NULL, count_object, NULL, &world.error);
}

/* Good bytes and, since some of the inputs are no flatbuffers, damaged ones. */
static void call_visit_bytes(void)
{
    for (int i = 0; i < INPUTS; i++)
        (void)fletch_visit_bytes(world.inputs[i].bytes.bytes, world.inputs[i].bytes.size,
                                 FLETCH_SCHEMA, NULL, count_object, NULL, &world.error);
    (void)fletch_visit_bytes(world.inputs[3].bytes.bytes, world.inputs[3].bytes.size, FLETCH_FOOTER,
                             NULL, count_object, NULL, &world.error);
}

static void call_compare(void)
{
    (void)fletch_compare(&world.deep, &world.deep, NULL, &world.error);
    (void)fletch_compare(&world.deep, &world.wide, NULL, &world.error);
    (void)fletch_compare(&world.orders[0], &world.orders[1], &world.unordered, &world.error);
}

static void call_compare_each(void)
{
    (void)fletch_compare_each(&world.wide, &world.deep, NULL, count_difference, NULL, &world.error);
}

static void call_expect(void)
{
    (void)fletch_expect(world.inputs[0].bytes.bytes, world.inputs[0].bytes.size, NULL, &world.wide,
                        NULL, &world.error);
}

static void call_hash(void)
{
    (void)fletch_hash(&world.deep, NULL, &world.hash, &world.error);
    (void)fletch_hash(&world.wide, NULL, &world.hash, &world.error);
    (void)fletch_hash(&world.orders[0], &world.unordered, &world.hash, &world.error);
}

static void begin_building(void)
{
    fletch_builder_init(&world.builder, world.memory, sizeof world.memory);
    (void)fletch_set_level(&world.builder, FLETCH_LEVEL_ARROW);
}

static void call_copy_schema(void)
{
    begin_building();
    (void)fletch_copy_schema(&world.builder, &world.deep);
    (void)fletch_finish(&world.builder, FLETCH_FILE, &world.bytes, &world.size, &world.error);
}

static void call_copy_field(void)
{
    begin_building();
    (void)fletch_field_at(&world.deep.fields, 0, &world.field);
    (void)fletch_copy_field(&world.builder, &world.field);
    (void)fletch_field_at(&world.wide.fields, 0, &world.field);
    (void)fletch_begin_field_like(&world.builder, &world.field);
    (void)fletch_end_field(&world.builder);
}

static void call_build(void)
{
    static fletch_type type;
    type = fletch_timestamp(FLETCH_SECOND, "UTC");
    begin_building();
    (void)fletch_set_version(&world.builder, FLETCH_V4);
    (void)fletch_set_endianness(&world.builder, FLETCH_BIG_ENDIAN);
    (void)fletch_add_feature(&world.builder, FLETCH_FEATURE_COMPRESSED_BODY);
    (void)fletch_add_field_of(&world.builder, fletch_text("a"), &type, 0);
    (void)fletch_begin_field_of(&world.builder, fletch_text("b"), &type, FLETCH_NULLABLE);
    (void)fletch_set_dictionary(&world.builder, 1, type.as.integer, false);
    (void)fletch_set_extension(&world.builder, "name", "metadata");
    (void)fletch_end_field(&world.builder);
    (void)fletch_add_metadata(&world.builder, "key", "value");
    (void)fletch_add_message_metadata(&world.builder, fletch_text("k"), fletch_text("v"));
    (void)fletch_add_footer_metadata(&world.builder, fletch_text("k"), fletch_text("v"));
}

static void call_finish_and_wrap(void)
{
    begin_building();
    (void)fletch_copy_schema(&world.builder, &world.wide);
    (void)fletch_finish(&world.builder, FLETCH_STREAM, &world.bytes, &world.size, &world.error);
    for (int i = 0; i < WRITTEN_KINDS; i++)
        (void)fletch_wrap(&world.builder, written_kinds[i], &world.bytes, &world.size,
                          &world.error);
}

static void import_tree(const struct ArrowSchema *tree)
{
    begin_building();
    (void)fletch_import_schema(&world.builder, tree, &world.import_options);
    (void)fletch_import_field(&world.builder, tree, NULL);
    (void)fletch_finish(&world.builder, FLETCH_STREAM, &world.bytes, &world.size, &world.error);
}

static void export_and_import(const fletch_schema *schema)
{
    static fletch_allocator allocator;
    allocator = ledger_allocator(&world.ledger);
    if (fletch_export_schema(schema, &allocator, NULL, &world.c_schema, &world.error) != FLETCH_OK)
        return;
    import_tree(&world.c_schema);
    if (world.c_schema.n_children != 0) {
        world.c_part = *world.c_schema.children[0];
        world.c_schema.children[0]->release = NULL;
    }
    world.c_schema.release(&world.c_schema);
    if (world.c_part.release != NULL) world.c_part.release(&world.c_part);
}

static void call_export_and_import(void)
{
    export_and_import(&world.deep);
    export_and_import(&world.wide);
    export_and_import(&world.conflict);
}

static void call_export_field(void)
{
    static fletch_allocator allocator;
    allocator = ledger_allocator(&world.ledger);
    (void)fletch_field_at(&world.deep.fields, 0, &world.field);
    if (fletch_export_field(&world.field, &allocator, NULL, &world.c_schema, &world.error) ==
        FLETCH_OK)
        world.c_schema.release(&world.c_schema);
}

/* Unverified: too deep, or with a fault that has a long path. */
static void call_refuse_export(void)
{
    static fletch_allocator allocator;
    allocator = ledger_allocator(&world.ledger);
    open_at(FLETCH_LEVEL_UNCHECKED, false);
    (void)fletch_export_schema(&world.opened, &allocator, NULL, &world.c_schema, &world.error);
    world.options.limits.depth = 0;
    (void)fletch_export_schema(&world.deep, &allocator, &(fletch_limits){.depth = 127},
                               &world.c_schema, &world.error);
}

static void call_refuse_import(void)
{
    world.c_below = &world.c_list;
    world.c_list.children = &world.c_below;
    world.c_list.release = do_not_release;
    world.c_list.n_children = 1;
    world.c_list.format = "+l";
    import_tree(&world.c_list);
    world.c_list.format = "+s";
    import_tree(&world.c_list);
}

static void call_list_dictionaries(void)
{
    (void)fletch_list_dictionaries(&world.wide, NULL, world.listed, 8, &world.size, &world.error);
    (void)fletch_list_dictionaries(&world.deep, NULL, world.listed, 8, &world.size, &world.error);
}

/* A fault late in a deep schema, so that the error's path is long. */
static void call_refuse(void)
{
    begin_building();
    for (int i = 0; i < 140; i++)
        (void)fletch_begin_field(&world.builder, "a long name of a field", fletch_list(), 0);
    (void)fletch_finish(&world.builder, FLETCH_STREAM, &world.bytes, &world.size, &world.error);
}

typedef struct call {
    const char *name;
    void (*run)(void);
} call;

static const call calls[] = {
    {"fletch_open", call_open},
    {"fletch_open_with, unchecked", call_open_unchecked},
    {"fletch_open_with, structure", call_open_structure},
    {"fletch_open_with, arrow", call_open_arrow},
    {"fletch_open_with, strict", call_open_strict},
    {"fletch_verify", call_verify},
    {"fletch_find", call_find},
    {"fletch_base64_decode, _encode", call_base64},
    {"fletch_check_dictionaries", call_check_dictionaries},
    {"fletch_next_field, _field_at", call_next_field},
    {"fletch_next_metadata, _find_extension", call_metadata},
    {"fletch_find_field, _find_path", call_find_field},
    {"fletch_walk_begin, _next, _metadata", call_walk},
    {"fletch_print_type", call_print_type},
    {"fletch_print_tree", call_print_tree},
    {"fletch_print_json", call_print_json},
    {"fletch_visit_objects", call_visit_objects},
    {"fletch_visit_bytes", call_visit_bytes},
    {"fletch_compare", call_compare},
    {"fletch_compare_each", call_compare_each},
    {"fletch_expect", call_expect},
    {"fletch_hash", call_hash},
    {"fletch_copy_schema", call_copy_schema},
    {"fletch_copy_field, _begin_field_like", call_copy_field},
    {"fletch_add_..., _set_..., _begin_..., _end_field", call_build},
    {"fletch_finish, _wrap", call_finish_and_wrap},
    {"fletch_finish, of an error", call_refuse},
    {"fletch_export_schema, _import_schema, release", call_export_and_import},
    {"fletch_export_field", call_export_field},
    {"fletch_export_schema, of an error", call_refuse_export},
    {"fletch_import_schema, _field, of an error", call_refuse_import},
    {"fletch_list_dictionaries", call_list_dictionaries},
};
enum { CALLS = sizeof calls / sizeof *calls };

/* Threads */

#if HAS_THREADS

static void do_nothing(void)
{
}

/* A call on a stack of paint. */
typedef struct painting {
    const call *call;
    const uint8_t *stack;
    size_t left; /* bytes that are still paint, from the far end: stacks grow down */
} painting;

static void *run_call(void *context)
{
    painting *p = context;
    p->call->run();
    while (p->left < PAINTED && p->stack[p->left] == PAINT)
        p->left++;
    return NULL;
}

static void *run_all_calls(void *context)
{
    (void)context;
    for (int i = 0; i < CALLS; i++)
        calls[i].run();
    return NULL;
}

static uint8_t *new_stack(size_t size)
{
    void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(stack != MAP_FAILED);
    memset(stack, PAINT, size);
    return stack;
}

static void run_thread(uint8_t *stack, size_t size, void *(*run)(void *), void *context)
{
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, size), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run, context), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
}

static size_t stack_used_by(const call *c)
{
    uint8_t *stack = new_stack(PAINTED);
    painting p = {c, stack, 0};
    run_thread(stack, PAINTED, run_call, &p);
    munmap(stack, PAINTED);
    assert_true(p.left > 0);
    return PAINTED - p.left;
}

/* Prints all figures, then demands. */
static void each_call_takes_16_kilobytes_of_stack_at_most(void **state)
{
    const call nothing = {"nothing", do_nothing};
    const call *worst = NULL;
    size_t most = 0;
    (void)state;
    if (WIDENS_FRAMES) {
        print_message("skipped: sanitizers widen frames\n");
        skip();
    }
    run_all_calls(NULL);
    const size_t none = stack_used_by(&nothing);
    for (int i = 0; i < CALLS; i++) {
        const size_t used = stack_used_by(&calls[i]) - none;
        print_message("%7zu bytes  %s\n", used, calls[i].name);
        if (used <= most) continue;
        most = used;
        worst = &calls[i];
    }
    if (most > MOST) fail_msg("%s takes %zu bytes of stack", worst->name, most);
    assert_true(most > 0);
}

/* 64 KB, or the least a thread can have where that is more. */
static size_t small_stack(void)
{
    const long least = sysconf(_SC_THREAD_STACK_MIN);
    return least > SMALL_STACK ? (size_t)least : SMALL_STACK;
}

static void a_stack_of_64_kilobytes_is_enough_for_everything(void **state)
{
    const size_t size = small_stack();
    uint8_t *stack;
    (void)state;
    if (WIDENS_FRAMES) {
        print_message("skipped: sanitizers widen frames\n");
        skip();
    }
    stack = new_stack(size + PAINTED);
    assert_int_equal(mprotect(stack, PAINTED, PROT_NONE), 0);
    world.output = 0;
    run_thread(stack + PAINTED, size, run_all_calls, NULL);
    assert_true(world.output > 0);
    munmap(stack, size + PAINTED);
}

#else

static void each_call_takes_16_kilobytes_of_stack_at_most(void **state)
{
    (void)state;
    print_message("skipped: there are no threads here whose stack can be chosen\n");
    skip();
}

static void a_stack_of_64_kilobytes_is_enough_for_everything(void **state)
{
    (void)state;
    print_message("skipped: there are no threads here whose stack can be chosen\n");
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_takes_16_kilobytes_of_stack_at_most),
        cmocka_unit_test(a_stack_of_64_kilobytes_is_enough_for_everything),
    };
    return cmocka_run_group_tests(tests, prepare, clean_up);
}
