/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real files: those in data/, which stand beside the tests, and the larger folders of
 * ../shared, which may be absent; then the tests that need them are skipped.
 *
 * A test goes through all files, prints every one that is not as its manifest says, and fails once.
 */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

/* Where the manifest, the files and the expected JSON of a collection are. */
typedef struct collection {
    const char *manifest;   /* path of the table */
    const char *files;      /* folder, with its slash */
    const char *expected;   /* folder of JSON, with its slash; NULL: there is none */
    fletch_kind kind;       /* FLETCH_SNIFF: the table has a column `kind` */
    bool has_expected_name; /* the table says which JSON a file has */
} collection;

static const collection data = {FLETCH_DATA_DIR "/MANIFEST.tsv", FLETCH_DATA_DIR "/",
                                FLETCH_DATA_DIR "/expected/", FLETCH_SNIFF, false};
static const collection corpus = {FLETCH_SHARED_DIR "/corpus/MANIFEST.tsv",
                                  FLETCH_SHARED_DIR "/corpus/files/", FLETCH_SHARED_DIR "/corpus/",
                                  FLETCH_SNIFF, true};
static const collection schemas = {FLETCH_SHARED_DIR "/vectors/flatbuffers/expected.tsv",
                                   FLETCH_SHARED_DIR "/vectors/flatbuffers/", NULL, FLETCH_SCHEMA,
                                   false};
static const collection streams = {FLETCH_SHARED_DIR "/vectors/arrow/expected.tsv",
                                   FLETCH_SHARED_DIR "/vectors/arrow/", NULL, FLETCH_STREAM, false};

/* One file of a collection, with what is said of it. */
typedef struct exhibit {
    const char *name;
    block bytes;
    fletch_kind kind;
    const table_file *table;
    size_t row;
} exhibit;

/* What a test does with a file; tells how many things were not as they should be. */
typedef unsigned (*examination)(maker *m, const collection *c, const exhibit *e);

static block read_in(maker *m, const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s%s", folder, name);
    return read_file(m, path);
}

static unsigned examine_row(const collection *c, const table_file *table, size_t row,
                            examination examine)
{
    maker *m = maker_new();
    exhibit e = {.table = table, .row = row, .name = cell(table, row, "file")};
    unsigned wrong = 1;
    e.kind = c->kind == FLETCH_SNIFF ? kind_of(cell(table, row, "kind")) : c->kind;
    e.bytes = read_in(m, c->files, e.name);
    if (e.bytes.bytes)
        wrong = examine(m, c, &e);
    else
        print_error("%s cannot be read\n", e.name);
    maker_free(m);
    return wrong;
}

/* Examines all files of a collection; skips the test where there is none. */
static void examine_all(const collection *c, examination examine)
{
    maker *m = maker_new();
    table_file table = read_table(m, c->manifest);
    unsigned wrong = 0;
    if (!table.rows) {
        maker_free(m);
        print_message("there is no %s: skipped\n", c->manifest);
        skip();
    }
    assert_int_not_equal(table.count, 0);
    for (size_t row = 0; row < table.count; row++)
        wrong += examine_row(c, &table, row, examine);
    free_table(&table);
    maker_free(m);
    if (wrong) fail_msg("%u things are not as %s says", wrong, c->manifest);
}

/* Verdicts */

static const char *const level_columns[] = {"structure", "arrow", "strict"};
static const fletch_level levels[] = {FLETCH_LEVEL_STRUCTURE, FLETCH_LEVEL_ARROW,
                                      FLETCH_LEVEL_STRICT};

static unsigned compare_verdict(const exhibit *e, size_t level)
{
    fletch_error error;
    fletch_status wanted = status_of(cell(e->table, e->row, level_columns[level]));
    fletch_status got = verdict(e->bytes, e->kind, levels[level], &error);
    if (got == wanted) return 0;
    print_error("%s as %s at %s: %s instead of %s, offset %llu, %s: %s\n", e->name,
                fletch_kind_word(e->kind), level_columns[level], fletch_status_word(got),
                fletch_status_word(wanted), (unsigned long long)error.offset, error.path,
                error.sentence);
    return 1;
}

static unsigned examine_verdicts(maker *m, const collection *c, const exhibit *e)
{
    unsigned wrong = 0;
    (void)m;
    (void)c;
    for (size_t level = 0; level < 3; level++)
        wrong += compare_verdict(e, level);
    return wrong;
}

/*
 * Without a kind, what is good stays good, as the same kind, and what is not is not. At structure,
 * what lacks a member may be good as another kind: an empty Footer is an empty Schema as well.
 */
static unsigned examine_sniffing(maker *m, const collection *c, const exhibit *e)
{
    unsigned wrong = 0;
    (void)c;
    for (size_t level = 0; level < 3; level++) {
        fletch_error error;
        fletch_schema schema;
        const fletch_options options = {.level = levels[level]};
        fletch_status said = status_of(cell(e->table, e->row, level_columns[level]));
        if (said == FLETCH_MISSING && levels[level] == FLETCH_LEVEL_STRUCTURE) continue;
        bool wanted = said == FLETCH_OK;
        bool got = verdict(e->bytes, FLETCH_SNIFF, levels[level], &error) == FLETCH_OK;
        fletch_status status = open_lending(m, e->bytes, &options, &schema, &error);
        bool is_kind = schema.wrapper.kind == e->kind ||
                       (e->kind == FLETCH_STREAM && schema.wrapper.kind == FLETCH_ENCAPSULATED);
        if (wanted == got && (status != FLETCH_OK || is_kind)) continue;
        print_error("%s at %s without a kind: %s as %s\n", e->name, level_columns[level],
                    fletch_status_word(status), fletch_kind_word(schema.wrapper.kind));
        wrong++;
    }
    return wrong;
}

static void verdicts_on_data_are_right(void **state)
{
    (void)state;
    examine_all(&data, examine_verdicts);
}

static void verdicts_on_the_corpus_are_right(void **state)
{
    (void)state;
    examine_all(&corpus, examine_verdicts);
}

static void verdicts_on_the_flatbuffer_vectors_are_right(void **state)
{
    (void)state;
    examine_all(&schemas, examine_verdicts);
}

static void verdicts_on_the_arrow_vectors_are_right(void **state)
{
    (void)state;
    examine_all(&streams, examine_verdicts);
}

static void data_are_recognised(void **state)
{
    (void)state;
    examine_all(&data, examine_sniffing);
}

static void the_corpus_is_recognised(void **state)
{
    (void)state;
    examine_all(&corpus, examine_sniffing);
}

static void the_arrow_vectors_are_recognised(void **state)
{
    (void)state;
    examine_all(&streams, examine_sniffing);
}

/* JSON */

/* The expected line without its line end; bytes are NULL when there is none. */
static block expected_json(maker *m, const collection *c, const exhibit *e)
{
    char name[512];
    const char *column = cell(e->table, e->row, "expected");
    if (c->has_expected_name && !*column) return (block){NULL, 0};
    snprintf(name, sizeof name, "%s.json", e->name);
    block b = read_in(m, c->expected, c->has_expected_name ? column : name);
    if (b.size && b.bytes[b.size - 1] == '\n') b.size--;
    return b;
}

/* Of data, all that is good at level arrow has its JSON. */
static unsigned lacks_json(const collection *c, const exhibit *e)
{
    if (c->has_expected_name || strcmp(cell(e->table, e->row, "arrow"), "ok") != 0) return 0;
    print_error("%s has no expected JSON\n", e->name);
    return 1;
}

static unsigned examine_json(maker *m, const collection *c, const exhibit *e)
{
    fletch_schema schema;
    fletch_error error;
    const fletch_options options = {.kind = e->kind};
    block wanted = expected_json(m, c, e);
    paper p = {0};
    unsigned wrong = 1;
    if (!wanted.bytes) return lacks_json(c, e);
    fletch_status status = open_lending(m, e->bytes, &options, &schema, &error);
    if (status == FLETCH_OK) status = fletch_print_json(&schema, NULL, write_on, &p, &error);
    if (status != FLETCH_OK)
        print_error("%s: no JSON: %s: %s\n", e->name, error.path, error.sentence);
    else if (p.size != wanted.size || memcmp(p.text, wanted.bytes, p.size) != 0)
        print_error("%s: other JSON:\n%s\n%.*s\n", e->name, p.text, (int)wanted.size,
                    (const char *)wanted.bytes);
    else
        wrong = 0;
    tear_up(&p);
    return wrong;
}

static void the_json_of_data_is_as_expected(void **state)
{
    (void)state;
    examine_all(&data, examine_json);
}

static void the_json_of_the_corpus_is_as_expected(void **state)
{
    (void)state;
    examine_all(&corpus, examine_json);
}

/* Text of any kind can be made of whatever opens. */
static unsigned examine_tree(maker *m, const collection *c, const exhibit *e)
{
    fletch_schema schema;
    fletch_error error;
    const fletch_options options = {.kind = e->kind, .level = FLETCH_LEVEL_STRUCTURE};
    paper p = {0};
    (void)c;
    if (open_lending(m, e->bytes, &options, &schema, &error) != FLETCH_OK) return 0;
    fletch_status status = fletch_print_tree(&schema, NULL, write_on, &p, &error);
    if (status != FLETCH_OK)
        print_error("%s: no tree: %s: %s\n", e->name, error.path, error.sentence);
    tear_up(&p);
    return status != FLETCH_OK;
}

static void every_file_of_the_corpus_has_a_tree(void **state)
{
    (void)state;
    examine_all(&corpus, examine_tree);
}

/* Truncation and addresses */

enum { CUT_BELOW = 2048, PLENTY = 1 << 16, HAND = 500 };

/* Opens at every level but strict, unchecked too, and reads all that can be reached. */
static void read_somehow(block b, fletch_kind kind, void *scratch, size_t scratch_size)
{
    for (int level = FLETCH_LEVEL_UNCHECKED; level <= (int)FLETCH_LEVEL_ARROW; level++) {
        fletch_schema schema;
        fletch_status status;
        fletch_options options = {.kind = kind, .level = (fletch_level)level};
        options.scratch = scratch;
        options.scratch_size = scratch_size;
        fletch_open_with(b.bytes, b.size, &options, &schema, NULL);
        walk_by_hand(&schema, HAND);
        walk_all(&schema, &status);
    }
}

static unsigned examine_cuts(maker *m, const collection *c, const exhibit *e)
{
    static uint8_t scratch[PLENTY];
    (void)c;
    if (c == &corpus && e->bytes.size >= CUT_BELOW) return 0;
    (void)m;
    size_t step = e->bytes.size / 8192 + 1;
    for (size_t size = 0; size < e->bytes.size; size += step) {
        maker *own = maker_new();
        read_somehow(cut(own, e->bytes, size), e->kind, scratch, sizeof scratch);
        read_somehow(cut(own, e->bytes, size), FLETCH_SNIFF, scratch, sizeof scratch);
        maker_free(own);
    }
    return 0;
}

static void data_cut_anywhere_is_refused_or_read(void **state)
{
    (void)state;
    examine_all(&data, examine_cuts);
}

static void the_corpus_cut_anywhere_is_refused_or_read(void **state)
{
    (void)state;
    examine_all(&corpus, examine_cuts);
}

static unsigned examine_addresses(maker *m, const collection *c, const exhibit *e)
{
    unsigned wrong = 0;
    (void)c;
    for (size_t shift = 1; shift < 8; shift++) {
        block moved = join(m, pad(m, (block){NULL, 0}, shift), e->bytes);
        exhibit there = *e;
        there.bytes.bytes = moved.bytes + shift;
        wrong += compare_verdict(&there, shift % 3);
    }
    return wrong;
}

static void the_corpus_reads_the_same_at_any_address(void **state)
{
    (void)state;
    examine_all(&corpus, examine_addresses);
}

static void data_read_the_same_at_any_address(void **state)
{
    (void)state;
    examine_all(&data, examine_addresses);
}

/* What is found in an input opens as the input does. */
static unsigned examine_finding(maker *m, const collection *c, const exhibit *e)
{
    fletch_found found;
    fletch_error error;
    fletch_input input = {e->bytes.bytes, e->bytes.size, NULL, 0, e->bytes.size};
    (void)c;
    if (fletch_find(&input, e->kind, false, &found, &error) != FLETCH_OK) return 0;
    block range = copy_of(m, e->bytes.bytes + found.offset, (size_t)found.size);
    for (size_t level = 0; level < 3; level++) {
        fletch_status wanted = verdict(e->bytes, e->kind, levels[level], &error);
        fletch_status got = verdict(range, found.range_kind, levels[level], &error);
        if (got == wanted) continue;
        print_error("%s: its %s at %llu: %s instead of %s\n", e->name,
                    fletch_kind_word(found.range_kind), (unsigned long long)found.offset,
                    fletch_status_word(got), fletch_status_word(wanted));
        return 1;
    }
    return 0;
}

static void what_is_found_in_the_corpus_opens_as_the_whole_does(void **state)
{
    (void)state;
    examine_all(&corpus, examine_finding);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_on_data_are_right),
        cmocka_unit_test(verdicts_on_the_corpus_are_right),
        cmocka_unit_test(verdicts_on_the_flatbuffer_vectors_are_right),
        cmocka_unit_test(verdicts_on_the_arrow_vectors_are_right),
        cmocka_unit_test(data_are_recognised),
        cmocka_unit_test(the_corpus_is_recognised),
        cmocka_unit_test(the_arrow_vectors_are_recognised),
        cmocka_unit_test(the_json_of_data_is_as_expected),
        cmocka_unit_test(the_json_of_the_corpus_is_as_expected),
        cmocka_unit_test(every_file_of_the_corpus_has_a_tree),
        cmocka_unit_test(data_cut_anywhere_is_refused_or_read),
        cmocka_unit_test(the_corpus_cut_anywhere_is_refused_or_read),
        cmocka_unit_test(the_corpus_reads_the_same_at_any_address),
        cmocka_unit_test(data_read_the_same_at_any_address),
        cmocka_unit_test(what_is_found_in_the_corpus_opens_as_the_whole_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
