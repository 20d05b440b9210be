/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that change while they are read, as shared memory and mapped files do. A second thread
 * writes into the buffer, and takes back what it wrote, while everything that reads runs over it.
 * The buffer ends, or begins, where memory that can't be touched does, or is a heap block of its
 * exact size; so a step outside ends the test. What a copy is made of may change between its check
 * and its copying, but never how the copy is built: its structure holds.
 */
#define _DEFAULT_SOURCE /* mmap of memory without a file */

#include "support/building.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)

#include "support/random_schema.h"

#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Time for each buffer in each place, and what a round of all calls may take at most. */
static const double SECONDS = 0.1, MOST_SECONDS = 20;

enum { HAND_BUDGET = 3000, KEPT = 8 };

/* Where the buffer stands. */
typedef enum placement { ENDS_AT_GUARD, BEGINS_AT_GUARD, ON_HEAP, PLACEMENTS } placement;

typedef struct mapping {
    uint8_t *region; /* guard, pages, guard */
    size_t region_size;
    uint8_t *bytes;
} mapping;

static mapping place_bytes(block b, placement where)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inner = (b.size + page - 1) / page * page;
    mapping m = {NULL, inner + 2 * page, NULL};
    if (where == ON_HEAP) {
        m.bytes = malloc(b.size);
        assert_non_null(m.bytes);
    } else {
        m.region = mmap(NULL, m.region_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(m.region != MAP_FAILED);
        assert_int_equal(mprotect(m.region + page, inner, PROT_READ | PROT_WRITE), 0);
        m.bytes = m.region + page + (where == ENDS_AT_GUARD ? inner - b.size : 0);
    }
    memcpy(m.bytes, b.bytes, b.size);
    return m;
}

static void give_back(mapping m)
{
    if (m.region)
        munmap(m.region, m.region_size);
    else
        free(m.bytes);
}

/* Scribbling */

typedef struct scribbler {
    pthread_mutex_t mutex;
    bool is_over;
    volatile uint8_t *bytes;
    block original;
    uint64_t state, writes;
} scribbler;

static bool is_over(scribbler *s)
{
    pthread_mutex_lock(&s->mutex);
    const bool over = s->is_over;
    pthread_mutex_unlock(&s->mutex);
    return over;
}

/* Words that lead somewhere are more use than noise. */
static uint8_t random_byte(uint64_t *state)
{
    static const uint8_t words[] = {0, 1, 2, 4, 8, 0x7F, 0x80, 0xFC, 0xFF};
    if (random_below(state, 2)) return (uint8_t)random_below(state, 256);
    return words[random_below(state, sizeof words)];
}

/* Up to KEPT bytes are wrong at once, each for a while. */
static void *scribble(void *context)
{
    scribbler *s = context;
    size_t wrong[KEPT] = {0};
    volatile unsigned idle = 0;
    while (!is_over(s)) {
        for (unsigned i = 0; i < KEPT; i++) {
            s->bytes[wrong[i]] = s->original.bytes[wrong[i]];
            for (unsigned left = random_below(&s->state, 300); left != 0; left--)
                idle = idle + 1;
            if (random_below(&s->state, 4) == 0) continue; /* good for a while */
            wrong[i] = random_below(&s->state, (uint32_t)s->original.size);
            s->bytes[wrong[i]] = random_byte(&s->state);
            s->writes++;
        }
        for (unsigned i = 0; random_below(&s->state, 3) == 0 && i < KEPT; i++)
            s->bytes[wrong[i]] = s->original.bytes[wrong[i]];
    }
    return NULL;
}

/* Reading */

typedef struct counts {
    unsigned long rounds, good, bad, copies, exports;
} counts;

static bool count_text(void *context, const char *text, size_t size)
{
    const char *end = text + size;
    for (; text < end; text++)
        *(unsigned *)context += (unsigned char)*text;
    return true;
}

static bool count_object(void *context, const fletch_object *object)
{
    *(unsigned *)context += object->end;
    return true;
}

/* What was copied stands in memory of its own, and must hold together. */
static void copy(const fletch_schema *schema, counts *c)
{
    static uint8_t memory[1 << 18];
    static fletch_builder builder;
    fletch_options sound = {.kind = FLETCH_SCHEMA, .level = FLETCH_LEVEL_STRUCTURE};
    fletch_error error;
    const void *bytes;
    size_t size;
    fletch_builder_init(&builder, memory, sizeof memory);
    fletch_set_level(&builder, FLETCH_LEVEL_ARROW);
    fletch_copy_schema(&builder, schema);
    if (fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, &error) != FLETCH_OK) return;
    if (fletch_verify(bytes, size, &sound, &error) != FLETCH_OK)
        fail_msg("a copy is %s: %s at %s", fletch_status_word(error.status), error.sentence,
                 error.path);
    c->copies++;
}

/* Writes nothing, but reads all that an exported tree leads to. */
static unsigned touch(const struct ArrowSchema *tree)
{
    unsigned sum = (unsigned)(strlen(tree->format) + strlen(tree->name));
    if (tree->metadata) sum += (unsigned char)tree->metadata[0];
    if (tree->dictionary) sum += touch(tree->dictionary);
    for (int64_t i = 0; i < tree->n_children; i++)
        sum += touch(tree->children[i]);
    return sum;
}

/* An export stands in memory of its own: it is whole, and what is imported of it is sound. */
static void export_and_import(const fletch_schema *schema, counts *c)
{
    static uint8_t memory[1 << 18];
    static fletch_builder builder;
    fletch_options arrow = {.kind = FLETCH_SCHEMA, .level = FLETCH_LEVEL_ARROW};
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    struct ArrowSchema tree;
    fletch_error error;
    const void *bytes;
    size_t size;
    fletch_status status = fletch_export_schema(schema, &allocator, NULL, &tree, &error);
    assert_int_equal(error.status, status);
    assert_true((status == FLETCH_OK) == (tree.release != NULL));
    if (status == FLETCH_OK) {
        assert_int_not_equal(touch(&tree), 0);
        fletch_builder_init(&builder, memory, sizeof memory);
        fletch_set_level(&builder, FLETCH_LEVEL_ARROW);
        fletch_import_schema(&builder, &tree, NULL);
        tree.release(&tree);
        status = fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, &error);
        if (status == FLETCH_OK) status = fletch_verify(bytes, size, &arrow, &error);
        if (status != FLETCH_OK && !strstr(error.path, "typeIds")) /* which may have changed */
            fail_msg("an export is %s: %s at %s", fletch_status_word(error.status), error.sentence,
                     error.path);
        c->exports++;
    }
    assert_int_equal(l.blocks, 0);
}

/* Everything that reads a schema; what comes of it does not matter. */
static void use(const fletch_schema *schema, counts *c)
{
    static uint8_t memory[FLETCH_DICTIONARY_MEMORY * 256];
    const fletch_compare_options unordered = {.ignore_metadata_order = true,
                                              .memory = memory,
                                              .memory_size = sizeof memory};
    static fletch_listed_dictionary listed[64];
    unsigned sum = 0;
    uint64_t hash;
    size_t count;
    fletch_error error;
    fletch_status status;
    walk_by_hand(schema, HAND_BUDGET);
    walk_all(schema, &status);
    (void)fletch_print_tree(schema, NULL, count_text, &sum, &error);
    (void)fletch_print_json(schema, NULL, count_text, &sum, &error);
    (void)fletch_check_dictionaries(schema, memory, sizeof memory, NULL, &error);
    (void)fletch_compare(schema, schema, NULL, &error);
    (void)fletch_compare(schema, schema, &unordered, &error);
    (void)fletch_hash(schema, NULL, &hash, &error);
    (void)fletch_visit_objects(schema, NULL, count_object, &sum, &error);
    (void)fletch_visit_bytes(schema->buffer.bytes, schema->buffer.size, schema->wrapper.root, NULL,
                             count_object, &sum, &error);
    copy(schema, c);
    export_and_import(schema, c);
    (void)fletch_list_dictionaries(schema, NULL, listed, 64, &count, &error);
}

static void open_and_use(block b, fletch_kind kind, fletch_level level, counts *c)
{
    static uint8_t scratch[1 << 16];
    fletch_options options = {.kind = kind, .level = level};
    fletch_schema schema;
    fletch_error error;
    options.scratch = scratch;
    options.scratch_size = sizeof scratch;
    options.stream_copy = c->rounds % 2 != 0;
    const fletch_status status = fletch_open_with(b.bytes, b.size, &options, &schema, &error);
    assert_int_equal(error.status, status);
    assert_non_null(memchr(error.path, 0, sizeof error.path));
    assert_non_null(memchr(error.sentence, 0, sizeof error.sentence));
    if (status == FLETCH_OK)
        c->good++;
    else
        c->bad++;
    use(&schema, c);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Opens again and again; `before` was opened when the bytes were good. */
static void read_for_a_while(block b, fletch_kind kind, const fletch_schema *before, counts *c)
{
    const double end = now() + SECONDS;
    double begin;
    while ((begin = now()) < end) {
        const fletch_kind as = c->rounds % 4 == 3 ? FLETCH_SNIFF : kind;
        open_and_use(b, as, (fletch_level)(FLETCH_LEVEL_UNCHECKED + (int)(c->rounds % 4)), c);
        use(before, c);
        c->rounds++;
        if (now() - begin > MOST_SECONDS) fail_msg("a round took %f seconds", now() - begin);
    }
}

static void read_under_scribbles(block original, fletch_kind kind, placement where, counts *c)
{
    const mapping m = place_bytes(original, where);
    static uint8_t scratch[1 << 16];
    fletch_options options = {.kind = kind, .level = FLETCH_LEVEL_ARROW};
    scribbler *s = malloc(sizeof *s); /* outlives a test that fails, as the thread does */
    fletch_schema before;
    pthread_t thread;
    options.scratch = scratch;
    options.scratch_size = sizeof scratch;
    assert_int_equal(fletch_open_with(m.bytes, original.size, &options, &before, NULL), FLETCH_OK);
    assert_non_null(s);
    *s = (scribbler){.bytes = m.bytes, .original = original, .state = 7};
    assert_int_equal(pthread_mutex_init(&s->mutex, NULL), 0);
    assert_int_equal(pthread_create(&thread, NULL, scribble, s), 0);
    read_for_a_while((block){m.bytes, original.size}, kind, &before, c);
    pthread_mutex_lock(&s->mutex);
    s->is_over = true;
    pthread_mutex_unlock(&s->mutex);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_mutex_destroy(&s->mutex);
    give_back(m);
    assert_true(s->writes > 0);
    free(s);
}

static void read_in(maker *m, placement where)
{
    static const struct {
        const char *path;
        fletch_kind kind;
    } files[] = {
        {FLETCH_DATA_DIR "/flatc-2.0.8__all-types.schema", FLETCH_SCHEMA},
        {FLETCH_DATA_DIR "/flatc-2.0.8__dictionaries.message", FLETCH_MESSAGE},
        {FLETCH_DATA_DIR "/flatc-2.0.8__metadata.encap", FLETCH_ENCAPSULATED},
        {FLETCH_DATA_DIR "/arrowjs-21.2.0__unions.stream", FLETCH_STREAM},
        {FLETCH_DATA_DIR "/flechette-2.6.0__views.arrow", FLETCH_FILE},
        {FLETCH_DATA_DIR "/parquetwasm-0.8.0__nested.parquet", FLETCH_PARQUET},
        {FLETCH_DATA_DIR "/arrowjs-21.2.0__names.base64", FLETCH_BASE64},
    };
    counts c = {0, 0, 0, 0, 0};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        block b = read_file(m, files[i].path);
        assert_non_null(b.bytes);
        read_under_scribbles(b, files[i].kind, where, &c);
    }
    print_message("%lu rounds: %lu openings good, %lu not; %lu copies, %lu exports\n", c.rounds,
                  c.good, c.bad, c.copies, c.exports);
    assert_true(c.good > 0 && c.bad > 0 && c.copies > 0 && c.exports > 0);
}

static void scribbles_lead_nowhere_behind_the_end(void **state)
{
    read_in(*state, ENDS_AT_GUARD);
}

static void scribbles_lead_nowhere_before_the_beginning(void **state)
{
    read_in(*state, BEGINS_AT_GUARD);
}

static void scribbles_lead_nowhere_outside_of_a_heap_block(void **state)
{
    read_in(*state, ON_HEAP);
}

/* Changes without a thread, so that each comes at the same point in every run: those who are given
 * text, objects or differences write into the buffer, and all it takes is one write. */

typedef struct changer {
    block bytes;
    uint64_t state;
} changer;

static void change(changer *c)
{
    if (random_below(&c->state, 40) == 0)
        c->bytes.bytes[random_below(&c->state, (uint32_t)c->bytes.size)] = random_byte(&c->state);
}

static bool change_at_text(void *context, const char *text, size_t size)
{
    unsigned sum = 0;
    count_text(&sum, text, size);
    change(context);
    return true;
}

static bool change_at_object(void *context, const fletch_object *object)
{
    const changer *c = context;
    assert_true(object->begin <= object->end && object->end <= c->bytes.size);
    change(context);
    return true;
}

static bool change_at_difference(void *context, const fletch_difference *difference)
{
    (void)difference;
    change(context);
    return true;
}

/* One call of those that call back, over bytes that were good when they were opened. */
static void change_during(unsigned call, block original, const block *other, uint64_t seed)
{
    changer c = {{malloc(original.size), original.size}, seed};
    fletch_schema schema, good;
    fletch_error error;
    fletch_field field;
    assert_non_null(c.bytes.bytes);
    memcpy(c.bytes.bytes, original.bytes, original.size);
    schema = open_as(c.bytes, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    good = open_as(*other, FLETCH_SCHEMA, FLETCH_LEVEL_ARROW);
    field = field_number(&schema, (uint32_t)(seed % fletch_count_fields(&schema.fields)));
    switch (call) {
    case 0: (void)fletch_print_json(&schema, NULL, change_at_text, &c, &error); break;
    case 1: (void)fletch_print_tree(&schema, NULL, change_at_text, &c, &error); break;
    case 2: (void)fletch_print_type(&field, NULL, change_at_text, &c, &error); break;
    case 3: (void)fletch_visit_objects(&schema, NULL, change_at_object, &c, &error); break;
    case 4:
        (void)fletch_compare_each(&schema, &good, NULL, change_at_difference, &c, &error);
        break;
    case 5:
        (void)fletch_visit_bytes(c.bytes.bytes, c.bytes.size, FLETCH_SCHEMA, NULL, change_at_object,
                                 &c, &error);
        break;
    default:
        (void)fletch_compare_each(&good, &schema, NULL, change_at_difference, &c, &error);
        break;
    }
    free(c.bytes.bytes);
}

static void change_often_during(maker *m, unsigned call)
{
    enum { TIMES = 1500 };
    block types = read_file(m, FLETCH_DATA_DIR "/flatc-2.0.8__all-types.schema");
    block other = read_file(m, FLETCH_DATA_DIR "/flatc-2.0.8__sixteen.schema");
    assert_true(types.bytes != NULL && other.bytes != NULL);
    for (uint64_t seed = 0; seed < TIMES; seed++)
        change_during(call, types, &other, seed);
}

static void bytes_may_change_while_json_is_printed(void **state)
{
    change_often_during(*state, 0);
}

static void bytes_may_change_while_a_tree_is_printed(void **state)
{
    change_often_during(*state, 1);
}

static void bytes_may_change_while_a_type_is_printed(void **state)
{
    change_often_during(*state, 2);
}

static void bytes_may_change_while_objects_are_visited(void **state)
{
    change_often_during(*state, 3);
}

static void bytes_that_need_not_be_good_may_change_while_they_are_visited(void **state)
{
    change_often_during(*state, 5);
}

static void bytes_may_change_while_differences_are_told(void **state)
{
    change_often_during(*state, 4);
    change_often_during(*state, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MAKER(scribbles_lead_nowhere_behind_the_end),
        WITH_MAKER(scribbles_lead_nowhere_before_the_beginning),
        WITH_MAKER(scribbles_lead_nowhere_outside_of_a_heap_block),
        WITH_MAKER(bytes_may_change_while_json_is_printed),
        WITH_MAKER(bytes_may_change_while_a_tree_is_printed),
        WITH_MAKER(bytes_may_change_while_a_type_is_printed),
        WITH_MAKER(bytes_may_change_while_objects_are_visited),
        WITH_MAKER(bytes_that_need_not_be_good_may_change_while_they_are_visited),
        WITH_MAKER(bytes_may_change_while_differences_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void threads_are_posix_only(void **state)
{
    (void)state;
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_are_posix_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
