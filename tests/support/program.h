/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program `fletch` as a shell runs it, for the tests of the program.
 *
 * Every test works in a folder of its own below the current one, which goes with the test; so the
 * names of files in the output are short, and what a test wrote is all there is. Locale and width
 * are the same for all, unless a test sets them.
 */
#ifndef FLETCH_TESTS_PROGRAM_H
#define FLETCH_TESTS_PROGRAM_H

#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_WORDS 40

enum { ALL_WELL = 0, NOT_OK = 1, TROUBLE = 2 };

/* A test's folder, and what the program left when it was run last. */
typedef struct world {
    maker *m;
    char folder[32];
    int standard_input;  /* what the next run reads; -1: nothing */
    int standard_output; /* where the next run writes; -1: to `out` */
    int standard_error;  /* and its messages; -1: to `err` */
    rlim_t memory;       /* that runs may have; 0: as much as there is */
    char *out, *err;
} world;

/* The world */

static inline int world_setup(void **state)
{
    world *w = calloc(1, sizeof *w);

    if (w == NULL) return -1;
    *state = w;
    w->m = maker_new();
    w->standard_input = -1;
    w->standard_output = -1;
    w->standard_error = -1;
    setenv("LC_ALL", "C", 1);
    unsetenv("COLUMNS");
    unsetenv("NO_COLOR");
    strcpy(w->folder, "program-XXXXXX");
    return mkdtemp(w->folder) != NULL && chdir(w->folder) == 0 ? 0 : -1;
}

static inline void empty_folder(void)
{
    DIR *folder = opendir(".");
    struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (unlink(entry->d_name) != 0 && strspn(entry->d_name, ".") != strlen(entry->d_name))
            rmdir(entry->d_name);
    if (folder != NULL) closedir(folder);
}

static inline int world_teardown(void **state)
{
    world *w = *state;
    int result;

    empty_folder();
    result = chdir("..") == 0 && rmdir(w->folder) == 0 ? 0 : -1;
    unsetenv("NO_COLOR");
    maker_free(w->m);
    free(w->out);
    free(w->err);
    free(w);
    return result;
}

/* Files */

static inline void write_block(const char *name, block b)
{
    FILE *file = fopen(name, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(b.bytes, 1, b.size, file), b.size);
    assert_int_equal(fclose(file), 0);
}

static inline char *read_text(const char *name)
{
    FILE *file = fopen(name, "rb");
    paper all = {0};
    char piece[4096];
    size_t size;

    assert_non_null(file);
    assert_true(write_on(&all, "", 0));
    while ((size = fread(piece, 1, sizeof piece, file)) > 0)
        assert_true(write_on(&all, piece, size));
    fclose(file);
    return all.text != NULL ? all.text : calloc(1, 1);
}

static inline const char *data_file(const char *name)
{
    static char path[1024];

    snprintf(path, sizeof path, "%s/%s", FLETCH_DATA_DIR, name);
    return path;
}

static inline block sample_stream(maker *m)
{
    sample s = make_sample(m);

    return stream_of(m, finish(m, new_message(m, s.schema)));
}

/* A time in seconds of 64 bits: sound FlatBuffers, but not Arrow. */
static inline block invalid_stream(maker *m)
{
    node *type = make_table(m);

    set16(type, TIME_UNIT, FLETCH_SECOND);
    set32(type, TIME_WIDTH, 64);
    return stream_of(m, finish(m, new_message(m, schema_with(m, new_field(m, "t", FLETCH_TYPE_TIME,
                                                                          type)))));
}

static inline block cut_stream(maker *m)
{
    block whole = sample_stream(m);

    return cut(m, whole, 40);
}

/* Running */

/* Whether the program is a script that starts it under an emulator or a checker. */
static inline bool is_launched(void)
{
    char begin[2] = {0, 0};
    FILE *file = fopen(FLETCH_PROGRAM_PATH, "rb");

    assert_non_null(file);
    assert_int_equal(fread(begin, 1, 2, file), 2);
    fclose(file);
    return memcmp(begin, "#!", 2) == 0;
}

static inline void connect(int from, int to)
{
    if (from >= 0 && dup2(from, to) < 0) _exit(99);
}

/* Other systems than Linux count otherwise. */
static inline void bound_memory(rlim_t size)
{
    const struct rlimit limit = {size, size};

    if (setrlimit(RLIMIT_DATA, &limit) != 0) _exit(97);
}

static inline void become_program(const world *w, char **words)
{
    int input = w->standard_input >= 0 ? w->standard_input : open("/dev/null", O_RDONLY);

    connect(input, STDIN_FILENO);
    connect(w->standard_output >= 0 ? w->standard_output
                                    : open(".out", O_WRONLY | O_CREAT | O_TRUNC, 0600),
            STDOUT_FILENO);
    connect(w->standard_error >= 0 ? w->standard_error
                                   : open(".err", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600),
            STDERR_FILENO);
    if (w->memory != 0) bound_memory(w->memory);
    execv(FLETCH_PROGRAM_PATH, words);
    _exit(98);
}

static inline int wait_for(pid_t child)
{
    int status;

    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Runs `fletch` with words up to NULL; the exit code is returned, the texts are in the world. */
static inline int run(world *w, const char *word, ...)
{
    char *words[MOST_WORDS] = {strdup("fletch")};
    size_t count = 1;
    va_list more;
    pid_t child;
    int code;

    va_start(more, word);
    for (; word != NULL && count < MOST_WORDS - 1; word = va_arg(more, const char *))
        words[count++] = strdup(word);
    va_end(more);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) become_program(w, words);
    code = wait_for(child);
    free(w->out);
    free(w->err);
    w->out = w->standard_output >= 0 ? calloc(1, 1) : read_text(".out");
    w->err = w->standard_error >= 0 ? calloc(1, 1) : read_text(".err");
    while (count > 0)
        free(words[--count]);
    return code;
}

static inline void expect_in(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) fail_msg("'%s' is not in '%s'", part, text);
}

static inline void expect_not_in(const char *text, const char *part)
{
    if (strstr(text, part) != NULL) fail_msg("'%s' is in '%s'", part, text);
}

/* `NAME: STATUS: sentence (byte N, path P)`, from what the library says of the bytes. */
static inline const char *fault_line(const char *name, block b, fletch_level level)
{
    static char line[1024];
    fletch_error error;
    int used;

    assert_int_not_equal(verdict(b, FLETCH_SNIFF, level, &error), FLETCH_OK);
    used = snprintf(line, sizeof line, "%s: %s: %s (byte %u", name,
                    fletch_status_word(error.status), error.sentence, (unsigned)error.offset);
    assert_true(used > 0);
    snprintf(line + used, sizeof line - (size_t)used, "%s%s)\n", error.path[0] ? ", path " : "",
             error.path);
    return line;
}

/* Demands that a text begins with this. */
static inline void expect_first(const char *text, const char *part)
{
    if (strncmp(text, part, strlen(part)) != 0) fail_msg("'%s' is not first in '%s'", part, text);
}

/* The widest line, in bytes. */
static inline size_t widest_line(const char *text)
{
    size_t widest = 0;

    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n') {
        const size_t width = strcspn(text, "\n");

        if (width > widest) widest = width;
    }
    return widest;
}

/* How often a part stands in a text. */
static inline size_t count_in(const char *text, const char *part)
{
    size_t count = 0;

    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

/* A test in a world of its own. */
#define IN_A_WORLD(test) cmocka_unit_test_setup_teardown(test, world_setup, world_teardown)

/* A terminal: what is written to `far` is read from `near`. */
typedef struct terminal {
    int near, far;
    char text[4096]; /* what close_terminal found there */
} terminal;

/* Skips the test where there are none. */
static inline terminal open_terminal(void)
{
    terminal t = {posix_openpt(O_RDWR | O_NOCTTY), -1, ""};

    if (t.near < 0 || grantpt(t.near) != 0 || unlockpt(t.near) != 0) skip();
    t.far = open(ptsname(t.near), O_RDWR | O_NOCTTY);
    if (t.far < 0) skip();
    return t;
}

/* One reading may not get all: what was written arrives piece by piece, on a busy machine. */
static inline void close_terminal(terminal *t)
{
    size_t used = 0;
    ssize_t count = 1;

    close(t->far); /* so that reading ends */
    while (count > 0 && used < sizeof t->text - 1) {
        count = read(t->near, t->text + used, sizeof t->text - 1 - used);
        if (count > 0) used += (size_t)count;
    }
    assert_true(used > 0);
    close(t->near);
}

/* Whether `fletch show` writes colours on a terminal. */
static inline bool is_colored_on_a_terminal(world *w, const char *option)
{
    terminal t = open_terminal();

    w->standard_output = t.far;
    assert_int_equal(run(w, "show", "good", option, NULL), ALL_WELL);
    w->standard_output = -1;
    close_terminal(&t);
    return strstr(t.text, "\033[") != NULL;
}

#endif
