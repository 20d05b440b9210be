/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program, run as a shell runs it: its output, its messages and its exit codes.
 *
 * Every test works in a folder of its own below the current one, which goes with the test; so the
 * names of files in the output are short, and what a test wrote is all there is.
 */
#define _XOPEN_SOURCE     700
#define _FILE_OFFSET_BITS 64

#include "support/check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    char *out, *err;
} world;

/* The world */

static int world_setup(void **state)
{
    world *w = calloc(1, sizeof *w);

    if (w == NULL) return -1;
    *state = w;
    w->m = maker_new();
    w->standard_input = -1;
    w->standard_output = -1;
    strcpy(w->folder, "program-XXXXXX");
    return mkdtemp(w->folder) != NULL && chdir(w->folder) == 0 ? 0 : -1;
}

static void empty_folder(void)
{
    DIR *folder = opendir(".");
    struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (unlink(entry->d_name) != 0 && strspn(entry->d_name, ".") != strlen(entry->d_name))
            rmdir(entry->d_name);
    if (folder != NULL) closedir(folder);
}

static int world_teardown(void **state)
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

static void write_block(const char *name, block b)
{
    FILE *file = fopen(name, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(b.bytes, 1, b.size, file), b.size);
    assert_int_equal(fclose(file), 0);
}

static char *read_text(const char *name)
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

static const char *data_file(const char *name)
{
    static char path[1024];

    snprintf(path, sizeof path, "%s/%s", FLETCH_DATA_DIR, name);
    return path;
}

static block sample_stream(maker *m)
{
    sample s = make_sample(m);

    return stream_of(m, finish(m, new_message(m, s.schema)));
}

/* A time in seconds of 64 bits: sound FlatBuffers, but not Arrow. */
static block invalid_stream(maker *m)
{
    node *type = make_table(m);

    set16(type, TIME_UNIT, FLETCH_SECOND);
    set32(type, TIME_WIDTH, 64);
    return stream_of(m, finish(m, new_message(m, schema_with(m, new_field(m, "t", FLETCH_TYPE_TIME,
                                                                          type)))));
}

static block cut_stream(maker *m)
{
    block whole = sample_stream(m);

    return cut(m, whole, 40);
}

/* Running */

static void connect(int from, int to)
{
    if (from >= 0 && dup2(from, to) < 0) _exit(99);
}

static void become_program(const world *w, char **words)
{
    int input = w->standard_input >= 0 ? w->standard_input : open("/dev/null", O_RDONLY);

    connect(input, STDIN_FILENO);
    connect(w->standard_output >= 0 ? w->standard_output
                                    : open(".out", O_WRONLY | O_CREAT | O_TRUNC, 0600),
            STDOUT_FILENO);
    connect(open(".err", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600), STDERR_FILENO);
    execv(FLETCH_PROGRAM_PATH, words);
    _exit(98);
}

static int wait_for(pid_t child)
{
    int status;

    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Runs `fletch` with words up to NULL; the exit code is returned, the texts are in the world. */
static int run(world *w, const char *word, ...)
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
    w->err = read_text(".err");
    while (count > 0)
        free(words[--count]);
    return code;
}

static void expect_in(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) fail_msg("'%s' is not in '%s'", part, text);
}

static void expect_not_in(const char *text, const char *part)
{
    if (strstr(text, part) != NULL) fail_msg("'%s' is in '%s'", part, text);
}

/* `NAME: STATUS: sentence (byte N, path P)`, from what the library says of the bytes. */
static const char *fault_line(const char *name, block b, fletch_level level)
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

/* Usage */

static void without_a_command_it_exits_2(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, NULL), TROUBLE);
    assert_string_equal(w->out, "");
    expect_in(w->err, "fletch: no command: try `fletch --help`\n");
}

static void an_unknown_command_is_named(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "shoot", NULL), TROUBLE);
    assert_string_equal(w->out, "");
    assert_string_equal(w->err, "fletch: shoot: no such command; try `fletch --help`\n");
}

static void help_names_every_command(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "--help", NULL), ALL_WELL);
    expect_in(w->out, "fletch show");
    expect_in(w->out, "fletch verify");
    expect_in(w->out, "fletch json");
    assert_string_equal(w->err, "");
}

static void every_command_has_its_help(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "show", "--help", NULL), ALL_WELL);
    expect_in(w->out, "usage: fletch show");
    expect_in(w->out, "--color=WHEN");
    assert_int_equal(run(w, "verify", "file", "--help", NULL), ALL_WELL);
    expect_in(w->out, "usage: fletch verify");
    expect_in(w->out, "--level=LEVEL");
    assert_int_equal(run(w, "json", "--help", NULL), ALL_WELL);
    expect_in(w->out, "usage: fletch json");
    expect_not_in(w->out, "--level");
}

static void the_version_is_the_library_s(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "--version", NULL), ALL_WELL);
    assert_string_equal(w->out, "fletch " FLETCH_VERSION "\n");
}

static void an_unknown_option_is_refused(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "show", "--colour=never", "file", NULL), TROUBLE);
    expect_in(w->err, "fletch: --colour=never: no such option\nusage: fletch show");
}

static void an_option_of_another_command_is_refused(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "json", "--level=strict", "file", NULL), TROUBLE);
    expect_in(w->err, "fletch: --level=strict: no such option\n");
}

static void a_word_with_one_dash_is_refused(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "show", "-xfull", "file", NULL), TROUBLE);
    expect_in(w->err, "fletch: -xfull: no such option\n");
}

static void an_unknown_kind_is_refused_with_those_there_are(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "verify", "--as=feather", "file", NULL), TROUBLE);
    expect_in(w->err, "fletch: --as=feather: none of schema, message, footer, encapsulated, "
                      "stream, file, parquet, base64\n");
}

static void an_unknown_level_is_refused(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "verify", "--level=unchecked", "file", NULL), TROUBLE);
    expect_in(w->err, "none of structure, arrow, strict\n");
}

static void an_option_without_its_value_is_refused(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "show", "--as", "file", NULL), TROUBLE);
    expect_in(w->err, "fletch: --as: a value is wanted: --as=...\n");
}

static void a_value_for_an_option_without_one_is_refused(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "show", "--full=yes", "file", NULL), TROUBLE);
    expect_in(w->err, "fletch: --full=yes: the option takes no value\n");
}

static void a_command_without_a_file_is_refused(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "verify", NULL), TROUBLE);
    expect_in(w->err, "fletch: verify: no FILE named\n");
    assert_int_equal(run(w, "show", "--full", "--", NULL), TROUBLE);
    expect_in(w->err, "fletch: show: no FILE named\n");
}

static void json_of_two_files_is_refused(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "json", "a", "b", NULL), TROUBLE);
    expect_in(w->err, "fletch: b: one FILE too many\n");
    assert_string_equal(w->out, "");
}

static void behind_two_dashes_everything_is_a_file(void **state)
{
    world *w = *state;

    write_block("--help", sample_stream(w->m));
    assert_int_equal(run(w, "verify", "--", "--help", NULL), ALL_WELL);
    assert_string_equal(w->out, "--help: ok\n");
}

static void options_may_stand_behind_files(void **state)
{
    world *w = *state;

    write_block("t", invalid_stream(w->m));
    assert_int_equal(run(w, "verify", "t", "--level=structure", NULL), ALL_WELL);
    assert_string_equal(w->out, "t: ok\n");
}

/* Input */

static void a_missing_file_is_trouble(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "verify", "nowhere", NULL), TROUBLE);
    assert_string_equal(w->out, "");
    assert_string_equal(w->err, "fletch: nowhere: No such file or directory\n");
}

static void a_folder_is_trouble(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "show", ".", NULL), TROUBLE);
    assert_string_equal(w->out, "");
    assert_string_equal(w->err, "fletch: .: Is a directory\n");
}

static void an_empty_file_is_empty(void **state)
{
    world *w = *state;

    write_block("nothing", text_block(w->m, ""));
    assert_int_equal(run(w, "verify", "nothing", NULL), NOT_OK);
    expect_in(w->out, "nothing: empty: ");
    assert_string_equal(w->err, "");
}

static void trouble_outweighs_a_file_that_is_not_ok(void **state)
{
    world *w = *state;

    write_block("good", sample_stream(w->m));
    write_block("cut", cut_stream(w->m));
    assert_int_equal(run(w, "verify", "nowhere", "cut", "good", NULL), TROUBLE);
    expect_in(w->out, "cut: truncated: ");
    expect_in(w->out, "good: ok\n");
    assert_int_equal(run(w, "verify", "cut", "nowhere", NULL), TROUBLE);
    assert_int_equal(run(w, "verify", "cut", "good", NULL), NOT_OK);
}

static void a_dash_is_standard_input(void **state)
{
    world *w = *state;

    write_block("good", sample_stream(w->m));
    w->standard_input = open("good", O_RDONLY);
    assert_int_equal(run(w, "verify", "-", NULL), ALL_WELL);
    close(w->standard_input);
    assert_string_equal(w->out, "standard input: ok\n");
}

static void standard_input_is_read_from_where_it_stands(void **state)
{
    world *w = *state;
    block line = text_block(w->m, "a line of text\n");

    write_block("both", join(w->m, line, sample_stream(w->m)));
    w->standard_input = open("both", O_RDONLY);
    assert_int_equal(lseek(w->standard_input, (off_t)line.size, SEEK_SET), line.size);
    assert_int_equal(run(w, "verify", "-", NULL), ALL_WELL);
    close(w->standard_input);
}

/* Writes a block into a pipe from a process of its own; returns the end to read. */
static int pipe_with(block b)
{
    int ends[2];
    pid_t writer;
    size_t done = 0;

    assert_int_equal(pipe(ends), 0);
    writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        close(ends[0]);
        while (done < b.size) {
            ssize_t count = write(ends[1], b.bytes + done, b.size - done);
            if (count < 0) _exit(1);
            done += (size_t)count;
        }
        _exit(0);
    }
    close(ends[1]);
    return ends[0];
}

static void a_long_pipe_is_read_to_its_end(void **state)
{
    world *w = *state;
    block wide = wide_schema(w->m, 50000);

    assert_true(wide.size > 500000);
    w->standard_input = pipe_with(wide);
    assert_int_equal(run(w, "verify", "--as=schema", "-", NULL), ALL_WELL);
    close(w->standard_input);
    assert_int_equal(wait_for(-1), 0);
    assert_string_equal(w->out, "standard input: ok\n");
}

/* The footer's place is beyond 32 bits; reading it all would take more than the test's time. */
static void a_file_of_a_terabyte_opens_at_once(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);
    block tail = file_tail(w->m, finish(w->m, new_footer(w->m, s.schema)));
    off_t size = (off_t)1 << (sizeof(size_t) > 4 ? 40 : 30);
    int file = open("large", O_RDWR | O_CREAT, 0600);
    bool made = ftruncate(file, size) == 0 && pwrite(file, "ARROW1\0", 8, 0) == 8 &&
                pwrite(file, tail.bytes, tail.size, size) == (ssize_t)tail.size;

    close(file);
    if (!made) skip();
    assert_int_equal(run(w, "verify", "large", NULL), ALL_WELL);
    assert_string_equal(w->out, "large: ok\n");
}

static void names_cannot_steer_the_terminal(void **state)
{
    world *w = *state;

    write_block("a\033[2J\n\302\233\377\303\244\177", sample_stream(w->m));
    assert_int_equal(run(w, "verify", "a\033[2J\n\302\233\377\303\244\177", "b\a", NULL), TROUBLE);
    assert_string_equal(w->out, "a\\x1b[2J\\x0a\\xc2\\x9b\\xff\303\244\\x7f: ok\n");
    assert_string_equal(w->err, "fletch: b\\x07: No such file or directory\n");
}

static void base64_and_parquet_need_no_more_words(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);
    block message = finish(w->m, new_message(w->m, s.schema));
    block text = base64_of(w->m, frame(w->m, message, false), true);

    write_block("a.parquet", parquet_with(w->m, text));
    write_block("a.base64", text);
    assert_int_equal(run(w, "verify", "a.parquet", "a.base64", NULL), ALL_WELL);
    assert_string_equal(w->out, "a.parquet: ok\na.base64: ok\n");
}

/* fletch verify */

static void a_fault_is_one_line_with_its_place(void **state)
{
    world *w = *state;
    block b = invalid_stream(w->m);

    write_block("t", b);
    assert_int_equal(run(w, "verify", "t", NULL), NOT_OK);
    assert_string_equal(w->out, fault_line("t", b, FLETCH_LEVEL_ARROW));
    expect_in(w->out, "fields[0].type.bitWidth)\n");
    assert_string_equal(w->err, "");
}

static void a_fault_without_a_path_leaves_it_out(void **state)
{
    world *w = *state;
    block b = cut_stream(w->m);

    write_block("cut", b);
    assert_int_equal(run(w, "verify", "cut", NULL), NOT_OK);
    assert_string_equal(w->out, fault_line("cut", b, FLETCH_LEVEL_ARROW));
    expect_not_in(w->out, "path");
}

static void each_level_includes_the_one_before(void **state)
{
    world *w = *state;
    node *map = nested_field(w->m, "lax", FLETCH_TYPE_INT);

    set_node(map, FIELD_TYPE, int_type(w->m, 32, true));
    add_child(map, int_field(w->m, "child of a leaf"));
    write_block("lax", stream_of(w->m, finish(w->m, new_message(w->m, schema_with(w->m, map)))));
    assert_int_equal(run(w, "verify", "--level=arrow", "lax", NULL), ALL_WELL);
    assert_int_equal(run(w, "verify", "--level=strict", "lax", NULL), NOT_OK);
    write_block("t", invalid_stream(w->m));
    assert_int_equal(run(w, "verify", "--level=structure", "t", NULL), ALL_WELL);
    assert_int_equal(run(w, "verify", "--level=arrow", "t", NULL), NOT_OK);
    assert_int_equal(run(w, "verify", "--level=strict", "t", NULL), NOT_OK);
}

/* Two fields whose values differ share dictionary 1. */
static block clashing_stream(maker *m)
{
    node *schema = new_schema(m);
    node *a = int_field(m, "a");
    node *b = text_field(m, "b");

    add_dictionary(m, a, 1, NULL);
    add_dictionary(m, b, 1, NULL);
    add_field(schema, a);
    add_field(schema, b);
    return stream_of(m, finish(m, new_message(m, schema)));
}

static void dictionaries_that_clash_are_found_from_arrow_on(void **state)
{
    world *w = *state;
    block b = clashing_stream(w->m);

    write_block("d", b);
    assert_int_equal(run(w, "verify", "--level=structure", "d", NULL), ALL_WELL);
    assert_int_equal(run(w, "verify", "d", NULL), NOT_OK);
    assert_string_equal(w->out, fault_line("d", b, FLETCH_LEVEL_ARROW));
    expect_in(w->out, "d: invalid: ");
    expect_in(w->out, "fields[1].dictionary");
    assert_int_equal(run(w, "verify", "--level=strict", "d", NULL), NOT_OK);
}

static void a_kind_that_is_named_is_not_sniffed(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);

    write_block("s", finish(w->m, s.schema));
    assert_int_equal(run(w, "verify", "s", NULL), ALL_WELL);
    assert_int_equal(run(w, "verify", "--as=schema", "s", NULL), ALL_WELL);
    assert_int_equal(run(w, "verify", "--as=file", "s", NULL), NOT_OK);
}

static void every_kind_can_be_named(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);
    block message = finish(w->m, new_message(w->m, s.schema));
    block footer = finish(w->m, new_footer(w->m, s.schema));
    block text = base64_of(w->m, message, true);

    write_block("schema", finish(w->m, s.schema));
    write_block("message", message);
    write_block("footer", footer);
    write_block("encapsulated", frame(w->m, message, false));
    write_block("stream", stream_of(w->m, message));
    write_block("file", file_of(w->m, message, footer));
    write_block("parquet", parquet_with(w->m, text));
    write_block("base64", text);
    for (int kind = FLETCH_SCHEMA; kind <= FLETCH_BASE64; kind++) {
        const char *word = fletch_kind_word((fletch_kind)kind);
        char option[64];

        snprintf(option, sizeof option, "--as=%s", word);
        if (run(w, "verify", option, word, NULL) != ALL_WELL)
            fail_msg("%s: %s%s", option, w->out, w->err);
    }
}

/* fletch show */

/* What the library prints as a tree, behind the name. */
static char *tree_of(const char *name, block b, const fletch_print_options *options)
{
    fletch_options opening = {.level = FLETCH_LEVEL_STRUCTURE};
    fletch_schema schema;
    paper tree = {0};

    fletch_open_with(b.bytes, b.size, &opening, &schema, NULL);
    assert_true(write_on(&tree, name, strlen(name)));
    assert_true(write_on(&tree, ": ", 2));
    assert_int_equal(fletch_print_tree(&schema, options, write_on, &tree, NULL), FLETCH_OK);
    return tree.text;
}

static void a_schema_is_shown_behind_its_name(void **state)
{
    world *w = *state;
    block b = sample_stream(w->m);
    char *tree = tree_of("good", b, NULL);

    write_block("good", b);
    assert_int_equal(run(w, "show", "good", NULL), ALL_WELL);
    assert_string_equal(w->out, tree);
    expect_in(w->out, "col");
    assert_string_equal(w->err, "");
    free(tree);
}

static void schemas_are_shown_in_the_order_of_their_names(void **state)
{
    world *w = *state;

    write_block("b", sample_stream(w->m));
    write_block("a", invalid_stream(w->m));
    assert_int_equal(run(w, "show", "b", "a", NULL), ALL_WELL);
    assert_true(strncmp(w->out, "b: ", 3) == 0);
    expect_in(strstr(w->out, "col"), "\na: ");
}

static void what_arrow_has_against_a_schema_is_a_note(void **state)
{
    world *w = *state;
    block b = invalid_stream(w->m);
    char note[1100];

    write_block("t", b);
    snprintf(note, sizeof note, "\nnote: at level arrow%s",
             fault_line("t", b, FLETCH_LEVEL_ARROW) + 1);
    assert_int_equal(run(w, "show", "t", NULL), ALL_WELL);
    expect_in(w->out, note);
    write_block("good", sample_stream(w->m));
    assert_int_equal(run(w, "show", "good", NULL), ALL_WELL);
    expect_not_in(w->out, "note:");
}

static void what_is_broken_is_not_shown(void **state)
{
    world *w = *state;
    block b = cut_stream(w->m);
    char message[1100];

    write_block("cut", b);
    snprintf(message, sizeof message, "fletch: %s", fault_line("cut", b, FLETCH_LEVEL_ARROW));
    assert_int_equal(run(w, "show", "cut", NULL), NOT_OK);
    assert_string_equal(w->out, "");
    assert_string_equal(w->err, message);
}

static void a_schema_of_a_newer_version_is_shown_all_the_same(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);
    node *message = new_message(w->m, s.schema);

    set16(message, MESSAGE_VERSION, 5);
    write_block("new", stream_of(w->m, finish(w->m, message)));
    assert_int_equal(run(w, "show", "new", NULL), NOT_OK);
    expect_in(w->out, "col");
    expect_in(w->err, "fletch: new: unsupported: ");
}

static void long_values_are_cut_unless_all_is_wanted(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m);
    char value[302];

    memset(value, 'v', 300);
    strcpy(value + 300, "!");
    add_pair(w->m, schema, SCHEMA_METADATA, "key", value);
    write_block("long", stream_of(w->m, finish(w->m, new_message(w->m, schema))));
    assert_int_equal(run(w, "show", "long", NULL), ALL_WELL);
    expect_in(w->out, "vvv");
    expect_not_in(w->out, value);
    assert_int_equal(run(w, "show", "--full", "long", NULL), ALL_WELL);
    expect_in(w->out, value);
}

static void colours_come_when_asked_for(void **state)
{
    world *w = *state;

    write_block("good", sample_stream(w->m));
    assert_int_equal(run(w, "show", "good", NULL), ALL_WELL);
    expect_not_in(w->out, "\033[");
    assert_int_equal(run(w, "show", "--color=never", "good", NULL), ALL_WELL);
    expect_not_in(w->out, "\033[");
    setenv("NO_COLOR", "1", 1);
    assert_int_equal(run(w, "show", "--color=always", "good", NULL), ALL_WELL);
    expect_in(w->out, "\033[");
}

/* Whether `fletch show` writes colours on a terminal. */
static bool is_colored_on_a_terminal(world *w, const char *option)
{
    int near = posix_openpt(O_RDWR | O_NOCTTY);
    char text[4096] = "";
    ssize_t count;

    if (near < 0 || grantpt(near) != 0 || unlockpt(near) != 0) skip();
    w->standard_output = open(ptsname(near), O_RDWR | O_NOCTTY);
    if (w->standard_output < 0) skip();
    assert_int_equal(run(w, "show", "good", option, NULL), ALL_WELL);
    count = read(near, text, sizeof text - 1);
    assert_true(count > 0);
    close(w->standard_output);
    close(near);
    w->standard_output = -1;
    return strstr(text, "\033[") != NULL;
}

static void a_terminal_gets_colours_unless_no_color_is_set(void **state)
{
    world *w = *state;

    write_block("good", sample_stream(w->m));
    setenv("TERM", "xterm", 1);
    assert_true(is_colored_on_a_terminal(w, NULL));
    assert_false(is_colored_on_a_terminal(w, "--color=never"));
    setenv("NO_COLOR", "", 1);
    assert_true(is_colored_on_a_terminal(w, NULL));
    setenv("NO_COLOR", "1", 1);
    assert_false(is_colored_on_a_terminal(w, NULL));
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    assert_false(is_colored_on_a_terminal(w, NULL));
}

/* fletch json */

static void json_is_one_line(void **state)
{
    world *w = *state;
    char *expected = read_text(data_file("expected/polars-0.25.2__frame.parquet.json"));

    assert_int_equal(run(w, "json", data_file("polars-0.25.2__frame.parquet"), NULL), ALL_WELL);
    assert_string_equal(w->out, expected);
    assert_string_equal(w->err, "");
    free(expected);
}

static void json_of_a_bad_file_is_nothing(void **state)
{
    world *w = *state;
    block b = invalid_stream(w->m);
    char message[1100];

    write_block("t", b);
    snprintf(message, sizeof message, "fletch: %s", fault_line("t", b, FLETCH_LEVEL_ARROW));
    assert_int_equal(run(w, "json", "t", NULL), NOT_OK);
    assert_string_equal(w->out, "");
    assert_string_equal(w->err, message);
}

/* Text that is not UTF-8 passes level arrow, but can't be JSON: found when half is printed. */
static void json_that_fails_late_is_nothing(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m);

    add_field(schema, int_field(w->m, "good"));
    add_field(schema, int_field(w->m, "bad \377"));
    write_block("late", stream_of(w->m, finish(w->m, new_message(w->m, schema))));
    assert_int_equal(run(w, "verify", "late", NULL), ALL_WELL);
    assert_int_equal(run(w, "json", "late", NULL), NOT_OK);
    assert_string_equal(w->out, "");
    expect_in(w->err, "fletch: late: ");
    expect_in(w->err, "fields[1].name)\n");
}

static void json_of_many_fields_is_whole(void **state)
{
    world *w = *state;
    size_t size;

    write_block("wide", wide_schema(w->m, 5000));
    assert_int_equal(run(w, "json", "--as=schema", "wide", NULL), ALL_WELL);
    size = strlen(w->out);
    assert_true(size > 5000 * 50);
    assert_string_equal(w->out + size - 4, "]}}\n");
}

/* Output */

static void a_full_disk_is_trouble(void **state)
{
    world *w = *state;

    write_block("good", sample_stream(w->m));
    w->standard_output = open("/dev/full", O_WRONLY);
    if (w->standard_output < 0) skip();
    assert_int_equal(run(w, "verify", "good", NULL), TROUBLE);
    assert_string_equal(w->err, "fletch: standard output: No space left on device\n");
    write_block("wide", wide_schema(w->m, 5000));
    assert_int_equal(run(w, "show", "--as=schema", "wide", "nowhere", NULL), TROUBLE);
    close(w->standard_output);
    assert_string_equal(w->err, "fletch: standard output: No space left on device\n");
}

static void output_and_messages_come_in_the_order_of_the_files(void **state)
{
    world *w = *state;

    write_block("good", sample_stream(w->m));
    w->standard_output = open(".err", O_WRONLY | O_CREAT | O_APPEND, 0600);
    assert_int_equal(run(w, "verify", "good", "nowhere", "good", NULL), TROUBLE);
    close(w->standard_output);
    assert_string_equal(w->err, "good: ok\n"
                                "fletch: nowhere: No such file or directory\n"
                                "good: ok\n");
}

static void a_reader_that_went_away_is_quiet_trouble(void **state)
{
    world *w = *state;
    int ends[2];

    write_block("wide", wide_schema(w->m, 5000));
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    w->standard_output = ends[1];
    assert_int_equal(run(w, "show", "--as=schema", "wide", NULL), TROUBLE);
    close(ends[1]);
    assert_string_equal(w->err, "");
}

static void output_that_can_t_be_written_is_trouble(void **state)
{
    world *w = *state;

    w->standard_output = open("/dev/null", O_RDONLY);
    assert_int_equal(run(w, "--version", NULL), TROUBLE);
    close(w->standard_output);
    assert_string_equal(w->err, "fletch: standard output: Bad file descriptor\n");
}

#define IN_A_WORLD(test) cmocka_unit_test_setup_teardown(test, world_setup, world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_WORLD(without_a_command_it_exits_2),
        IN_A_WORLD(an_unknown_command_is_named),
        IN_A_WORLD(help_names_every_command),
        IN_A_WORLD(every_command_has_its_help),
        IN_A_WORLD(the_version_is_the_library_s),
        IN_A_WORLD(an_unknown_option_is_refused),
        IN_A_WORLD(an_option_of_another_command_is_refused),
        IN_A_WORLD(a_word_with_one_dash_is_refused),
        IN_A_WORLD(an_unknown_kind_is_refused_with_those_there_are),
        IN_A_WORLD(an_unknown_level_is_refused),
        IN_A_WORLD(an_option_without_its_value_is_refused),
        IN_A_WORLD(a_value_for_an_option_without_one_is_refused),
        IN_A_WORLD(a_command_without_a_file_is_refused),
        IN_A_WORLD(json_of_two_files_is_refused),
        IN_A_WORLD(behind_two_dashes_everything_is_a_file),
        IN_A_WORLD(options_may_stand_behind_files),
        IN_A_WORLD(a_missing_file_is_trouble),
        IN_A_WORLD(a_folder_is_trouble),
        IN_A_WORLD(an_empty_file_is_empty),
        IN_A_WORLD(trouble_outweighs_a_file_that_is_not_ok),
        IN_A_WORLD(a_dash_is_standard_input),
        IN_A_WORLD(standard_input_is_read_from_where_it_stands),
        IN_A_WORLD(a_long_pipe_is_read_to_its_end),
        IN_A_WORLD(a_file_of_a_terabyte_opens_at_once),
        IN_A_WORLD(names_cannot_steer_the_terminal),
        IN_A_WORLD(base64_and_parquet_need_no_more_words),
        IN_A_WORLD(a_fault_is_one_line_with_its_place),
        IN_A_WORLD(a_fault_without_a_path_leaves_it_out),
        IN_A_WORLD(each_level_includes_the_one_before),
        IN_A_WORLD(dictionaries_that_clash_are_found_from_arrow_on),
        IN_A_WORLD(a_kind_that_is_named_is_not_sniffed),
        IN_A_WORLD(every_kind_can_be_named),
        IN_A_WORLD(a_schema_is_shown_behind_its_name),
        IN_A_WORLD(schemas_are_shown_in_the_order_of_their_names),
        IN_A_WORLD(what_arrow_has_against_a_schema_is_a_note),
        IN_A_WORLD(what_is_broken_is_not_shown),
        IN_A_WORLD(a_schema_of_a_newer_version_is_shown_all_the_same),
        IN_A_WORLD(long_values_are_cut_unless_all_is_wanted),
        IN_A_WORLD(colours_come_when_asked_for),
        IN_A_WORLD(a_terminal_gets_colours_unless_no_color_is_set),
        IN_A_WORLD(json_is_one_line),
        IN_A_WORLD(json_of_a_bad_file_is_nothing),
        IN_A_WORLD(json_that_fails_late_is_nothing),
        IN_A_WORLD(json_of_many_fields_is_whole),
        IN_A_WORLD(a_full_disk_is_trouble),
        IN_A_WORLD(output_and_messages_come_in_the_order_of_the_files),
        IN_A_WORLD(a_reader_that_went_away_is_quiet_trouble),
        IN_A_WORLD(output_that_can_t_be_written_is_trouble),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
