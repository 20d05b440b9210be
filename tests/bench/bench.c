/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver: the same schemas through both contestants, by turns. A figure is the minimum over
 * rounds, each round long enough for the clock; within a round the contestants follow each other,
 * so that a slow moment of the machine hits both. Every timed call is checked against what it must
 * give, and a wrong answer ends the program with status 1.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "allocations.h"
#include "goals.h"
#include "google.h"
#include "mix.h"
#include "ours.h"

static const char *const operation_names[OPERATIONS] = {
    "verify structure", "verify arrow", "read all",    "verify + read", "encode, reused",
    "encode, fresh",    "export tree",  "import tree", "find a column",
};

enum {
    SIDES = 2,
    NO_SHAPE = -1,
    QUICK_LIMIT = 10000,
    SHUFFLE_FROM = 1000,
    ROUND_NANOSECONDS = 1000000
};

static const struct bench_side *const sides[SIDES] = {&ours, &google};

struct options {
    bool quick, csv;
    uint32_t columns; /* 0: not said */
    int shape;        /* an enum mix_shape, or NO_SHAPE: not said */
};

/* One schema to measure. `bytes` is Google's encoding, which both sides read. */
struct input {
    enum mix_shape shape;
    uint32_t columns;
    bool shuffled;
    const struct mix_schema *schema;
    void *bytes;
    size_t size;
    uint64_t checksum;
    double one_pass; /* nanoseconds to add up all the bytes */
};

/* One operation of one side: exactly one of the three functions, none when it is not offered. */
struct task {
    bench_reader *reader;
    const void *(*reused)(const struct mix_schema *schema, size_t *size);
    size_t (*fresh)(const struct mix_schema *schema);
    uint64_t expected; /* of each call */
    uint64_t allocations;
    double nanoseconds;
};

/* Of all our calls that must not allocate: verifying and reading. */
static uint64_t reading_allocations;

static void fail(const struct input *input, const char *who, const char *what)
{
    fflush(stdout);
    fprintf(stderr, "%s: %s (%s, %" PRIu32 " columns, %s)\n", who, what,
            mix_shape_name(input->shape), input->columns, input->shuffled ? "shuffled" : "in turn");
    exit(1);
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static uint64_t word_at(const unsigned char *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
    return word;
}

/* The limit for whoever must look at every byte: four sums, so that no addition waits for another.
 */
static uint64_t sum_words(const void *bytes, size_t size)
{
    const unsigned char *at = bytes, *end = at + size;
    uint64_t a = 0, b = 0, c = 0, d = 0;

    for (; end - at >= 32; at += 32) {
        a += word_at(at);
        b += word_at(at + 8);
        c += word_at(at + 16);
        d += word_at(at + 24);
    }
    for (; at < end; at++)
        a += *at;
    return a + b + c + d;
}

static bool offered(const struct task *task)
{
    return task->reader != NULL || task->reused != NULL || task->fresh != NULL;
}

static uint64_t run(const struct task *task, const struct input *input)
{
    size_t size = 0;

    if (task->reader != NULL) return task->reader(input->bytes, input->size);
    if (task->fresh != NULL) return task->fresh(input->schema);
    return task->reused(input->schema, &size) != NULL ? size : 0;
}

static struct task make_task(const struct bench_side *side, enum operation operation)
{
    struct task task = {NULL, NULL, NULL, 0, 0, 0.0};

    switch (operation) {
    case VERIFY_STRUCTURE: task.reader = side->verify_structure; break;
    case VERIFY_ARROW: task.reader = side->verify_arrow; break;
    case READ: task.reader = side->read; break;
    case VERIFY_AND_READ: task.reader = side->verify_and_read; break;
    case ENCODE_REUSED: task.reused = side->encode_reused; break;
    case ENCODE_FRESH: task.fresh = side->encode_fresh; break;
    case EXPORT_TREE: task.reader = side->export_tree; break;
    case IMPORT_TREE: task.reader = side->import_tree; break;
    case FIND: task.reader = side->find; break;
    case OPERATIONS: break;
    }
    return task;
}

/* Runs the task once, untimed: says what each call must give, and how often it allocates. */
static void rehearse(struct task *task, const struct bench_side *side, enum operation operation,
                     const struct input *input)
{
    uint64_t before, first;

    if (operation == IMPORT_TREE && side->import_prepare(input->bytes, input->size) == 0) {
        fail(input, side->name, "cannot make a tree to import");
    }
    if (operation == FIND)
        side->find_prepare(input->schema->fields[input->schema->field_count - 1].name);
    first = run(task, input);
    before = allocations_made();
    task->expected = run(task, input);
    task->allocations = allocations_made() - before;

    if (first == 0 || task->expected == 0) fail(input, side->name, "refuses a good schema");
    if (first != task->expected) fail(input, side->name, "gives two answers to one question");
    if ((operation == READ || operation == VERIFY_AND_READ) && first != input->checksum) {
        fail(input, side->name, "reads something else than was written");
    }
    if (side == &ours && (operation <= VERIFY_AND_READ || operation == FIND))
        reading_allocations += task->allocations;
}

/* False when a call gave something else than expected. */
static bool time_round(const struct task *task, const struct input *input, uint64_t repeats,
                       double *nanoseconds)
{
    uint64_t wrong = 0, i;
    double start = now();

    for (i = 0; i < repeats; i++)
        wrong |= run(task, input) ^ task->expected;
    *nanoseconds = now() - start;
    return wrong == 0;
}

static uint64_t calibrate(const struct task *task, const struct input *input)
{
    uint64_t repeats = 1;
    double taken;

    for (;;) {
        if (!time_round(task, input, repeats, &taken)) fail(input, "a contestant", "is not steady");
        if (taken >= ROUND_NANOSECONDS) return repeats;
        repeats *= 2;
    }
}

static void measure(struct task *tasks, int count, const struct input *input, int rounds)
{
    uint64_t repeats[SIDES] = {0};
    int round, i;

    for (i = 0; i < count; i++) {
        if (offered(&tasks[i])) repeats[i] = calibrate(&tasks[i], input);
    }
    for (round = 0; round < rounds; round++) {
        for (i = 0; i < count; i++) {
            double taken;

            if (!offered(&tasks[i])) continue;
            if (!time_round(&tasks[i], input, repeats[i], &taken)) {
                fail(input, "a contestant", "is not steady");
            }
            taken /= (double)repeats[i];
            if (round == 0 || taken < tasks[i].nanoseconds) tasks[i].nanoseconds = taken;
        }
    }
}

static void print_heading(bool csv)
{
    static const char layout[] =
        "%-16s %-10s %7s %-8s %7s %8s | %8s %8s %7s | %6s %6s | %6s | %6s %6s\n";

    if (csv) {
        puts("operation,shape,columns,order,tables,bytes,ours ns/T,google ns/T,one pass ns/T,"
             "ours GB/s,google GB/s,google/ours,ours allocations,google allocations");
        return;
    }
    printf(layout, "", "", "", "", "", "", "ours", "google", "1 pass", "ours", "google", "google",
           "ours", "google");
    printf(layout, "operation", "shape", "columns", "order", "T", "bytes", "ns/T", "ns/T", "ns/T",
           "GB/s", "GB/s", "/ours", "allocs", "allocs");
}

/* A number in its column, or a dash when there is none. */
static void print_number(bool csv, int width, int decimals, bool present, double number)
{
    if (csv) {
        if (present)
            printf(",%.*f", decimals, number);
        else
            putchar(',');
    } else if (present) {
        printf(" %*.*f", width, decimals, number);
    } else {
        printf(" %*s", width, "-");
    }
}

static void print_bar(bool csv)
{
    if (!csv) fputs(" |", stdout);
}

static void print_row(bool csv, const char *name, const struct input *input,
                      const struct task *tasks)
{
    double tables = (double)input->schema->tables;
    bool both = offered(&tasks[0]) && offered(&tasks[1]);
    int i;

    printf(csv ? "\"%s\",%s,%" PRIu32 ",%s,%" PRIu64 ",%zu"
               : "%-16s %-10s %7" PRIu32 " %-8s %7" PRIu64 " %8zu",
           name, mix_shape_name(input->shape), input->columns,
           input->shuffled ? "shuffled" : "in turn", input->schema->tables, input->size);
    print_bar(csv);
    for (i = 0; i < SIDES; i++) {
        print_number(csv, 8, 2, offered(&tasks[i]), tasks[i].nanoseconds / tables);
    }
    print_number(csv, 7, 2, true, input->one_pass / tables);
    print_bar(csv);
    for (i = 0; i < SIDES; i++) {
        print_number(csv, 6, 2, offered(&tasks[i]), (double)input->size / tasks[i].nanoseconds);
    }
    print_bar(csv);
    print_number(csv, 6, 2, both, both ? tasks[1].nanoseconds / tasks[0].nanoseconds : 0);
    print_bar(csv);
    for (i = 0; i < SIDES; i++) {
        print_number(csv, 6, 0, offered(&tasks[i]), (double)tasks[i].allocations);
    }
    putchar('\n');
    fflush(stdout);
}

/* A verifier that takes everything would be fast: it must refuse a root that leads nowhere. */
static void check_refusal(const struct bench_side *side, const struct input *input)
{
    bench_reader *const readers[] = {side->verify_structure, side->verify_arrow,
                                     side->verify_and_read};
    unsigned char *damaged = malloc(input->size);
    size_t i;

    if (damaged == NULL) fail(input, "driver", "no memory");
    memcpy(damaged, input->bytes, input->size);
    memset(damaged, 0, 4);
    for (i = 0; i < sizeof readers / sizeof *readers; i++) {
        if (readers[i] != NULL && readers[i](damaged, input->size) != 0) {
            fail(input, side->name, "takes a schema with a broken root");
        }
    }
    free(damaged);
}

/* What one side writes, each must verify and read as what the model says. Its size, 0 for none. */
static size_t check_writing(const struct bench_side *writer, const struct input *input)
{
    size_t size = 0, i;
    const void *bytes;

    if (writer->encode_reused == NULL) return 0;
    bytes = writer->encode_reused(input->schema, &size);
    if (bytes == NULL) fail(input, writer->name, "cannot encode");
    for (i = 0; i < SIDES; i++) {
        bench_reader *reader = sides[i]->verify_and_read;
        if (reader != NULL && reader(bytes, size) != input->checksum) {
            fail(input, sides[i]->name,
                 writer == &ours ? "does not read what ours wrote"
                                 : "does not read what google wrote");
        }
    }
    return size;
}

static void print_written(const struct input *input, const size_t *sizes)
{
    if (sizes[0] == 0 || sizes[1] == 0) return;
    printf("%-16s %-10s %7u %-8s ours %zu bytes, Google %zu: %.3f of it\n", "written",
           mix_shape_name(input->shape), input->columns, input->shuffled ? "shuffled" : "in turn",
           sizes[0], sizes[1], (double)sizes[0] / (double)sizes[1]);
}

static double measure_one_pass(const struct input *input, int rounds)
{
    struct task task = {sum_words, NULL, NULL, 0, 0, 0.0};

    task.expected = sum_words(input->bytes, input->size);
    measure(&task, 1, input, rounds);
    return task.nanoseconds;
}

static size_t sum_model(const struct mix_schema *schema)
{
    return (size_t)mix_checksum(schema);
}

/* The readers' own part of "read all": the same sum over plain structs that lie ready. With what
 * verifying takes, it is the least that one checked pass over everything can take. */
static void measure_checksum(const struct input *input, const struct options *options, int rounds)
{
    struct task tasks[SIDES] = {{NULL, NULL, sum_model, 0, 0, 0.0}, {NULL, NULL, NULL, 0, 0, 0.0}};

    tasks[0].expected = (size_t)input->checksum;
    measure(tasks, SIDES, input, rounds);
    print_row(options->csv, "checksum alone", input, tasks);
}

static void measure_input(struct input *input, const struct options *options)
{
    int rounds = options->quick ? 5 : input->columns >= 1000000 ? 9 : 21;
    struct figures figures = {input->columns, input->shuffled, {0}, {0}, 0, 0};
    size_t sizes[SIDES];
    int operation, i;

    for (i = 0; i < SIDES; i++) {
        check_refusal(sides[i], input);
        sizes[i] = check_writing(sides[i], input);
    }
    input->one_pass = measure_one_pass(input, rounds);
    for (operation = 0; operation < OPERATIONS; operation++) {
        struct task tasks[SIDES];

        for (i = 0; i < SIDES; i++) {
            tasks[i] = make_task(sides[i], (enum operation)operation);
            if (!offered(&tasks[i])) continue;
            rehearse(&tasks[i], sides[i], (enum operation)operation, input);
        }
        if (!offered(&tasks[0]) && !offered(&tasks[1])) continue;
        measure(tasks, SIDES, input, rounds);
        print_row(options->csv, operation_names[operation], input, tasks);
        figures.ours[operation] = tasks[0].nanoseconds;
        figures.google[operation] = tasks[1].nanoseconds;
    }
    measure_checksum(input, options, rounds);
    figures.ours_size = sizes[0];
    figures.google_size = sizes[1];
    if (input->shape == MIX_MODEL) note_goals(&figures);
    if (!options->csv) print_written(input, sizes);
    for (i = 0; i < SIDES; i++) {
        if (sides[i]->release != NULL) sides[i]->release();
    }
}

static void measure_schema(enum mix_shape shape, uint32_t columns, bool shuffled,
                           const struct options *options)
{
    struct mix_schema *schema = mix_new(shape, columns, shuffled);
    struct input input = {shape, columns, shuffled, schema, NULL, 0, mix_checksum(schema), 0.0};
    const void *written = google.encode_reused(schema, &input.size);

    if (written == NULL) fail(&input, google.name, "cannot encode");
    input.bytes = malloc(input.size);
    if (input.bytes == NULL) fail(&input, "driver", "no memory");
    memcpy(input.bytes, written, input.size);
    measure_input(&input, options);
    free(input.bytes);
    mix_free(schema);
    if (!options->csv) putchar('\n');
}

static int find_shape(const char *name)
{
    int shape;

    for (shape = 0; shape < MIX_SHAPES; shape++) {
        if (strcmp(mix_shape_name((enum mix_shape)shape), name) == 0) return shape;
    }
    return NO_SHAPE;
}

static void usage(const char *program)
{
    int shape;

    fprintf(stderr,
            "usage: %s [--quick] [--csv] [--columns 1..1000000] [--shape NAME]\nshapes:", program);
    for (shape = 0; shape < MIX_SHAPES; shape++) {
        fprintf(stderr, " %s", mix_shape_name((enum mix_shape)shape));
    }
    fputc('\n', stderr);
    exit(2);
}

static struct options read_options(int count, char **words)
{
    struct options options = {false, false, 0, NO_SHAPE};
    int i;

    for (i = 1; i < count; i++) {
        const char *value = i + 1 < count ? words[i + 1] : "";

        if (strcmp(words[i], "--quick") == 0) {
            options.quick = true;
        } else if (strcmp(words[i], "--csv") == 0) {
            options.csv = true;
        } else if (strcmp(words[i], "--columns") == 0) {
            unsigned long columns = strtoul(value, NULL, 10);
            if (columns < 1 || columns > 1000000) usage(words[0]);
            options.columns = (uint32_t)columns;
            i++;
        } else if (strcmp(words[i], "--shape") == 0) {
            options.shape = find_shape(value);
            if (options.shape == NO_SHAPE) usage(words[0]);
            i++;
        } else {
            usage(words[0]);
        }
    }
    return options;
}

static void measure_orders(enum mix_shape shape, uint32_t columns, const struct options *options)
{
    measure_schema(shape, columns, false, options);
    if (columns >= SHUFFLE_FROM) measure_schema(shape, columns, true, options);
}

static void measure_all(const struct options *options)
{
    static const uint32_t sizes[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    size_t i;
    int shape;

    for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (options->quick && sizes[i] > QUICK_LIMIT) break;
        measure_orders(MIX_MODEL, sizes[i], options);
    }
    for (shape = MIX_MODEL + 1; shape < MIX_SHAPES; shape++) {
        measure_schema((enum mix_shape)shape, shape == MIX_DEEP ? 10 : 1000, false, options);
    }
}

int main(int count, char **words)
{
    struct options options = read_options(count, words);

    print_heading(options.csv);
    if (options.shape == NO_SHAPE && options.columns == 0) {
        measure_all(&options);
    } else {
        measure_orders(options.shape == NO_SHAPE ? MIX_MODEL : (enum mix_shape)options.shape,
                       options.columns == 0 ? 1000 : options.columns, &options);
    }
    if (!options.csv) {
        print_goals();
        printf("allocations: %" PRIu64 " (ours, verifying and reading)\n", reading_allocations);
    }
    return reading_allocations == 0 ? 0 : 1;
}
