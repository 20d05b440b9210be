/* SPDX-License-Identifier: Apache-2.0 */
/* The program at its edges: files of unusual kinds, and too little of memory, space or budget. */
#define _XOPEN_SOURCE     700
#define _FILE_OFFSET_BITS 64

#include "support/building.h"
#include "support/program.h"

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

/* A stream of these fields, in this order; all int32, nullable. */
static void write_columns(world *w, const char *file, const char *const *names)
{
    node *schema = new_schema(w->m);

    for (; *names != NULL; names++)
        add_field(schema, int_field(w->m, *names));
    write_block(file, stream_of(w->m, finish(w->m, new_message(w->m, schema))));
}

/* Demands that the folder holds nothing but these, and what the runs left. */
static void expect_files(const char *a, const char *b)
{
    DIR *folder = opendir(".");
    struct dirent *entry;

    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, a) != 0 &&
            (b == NULL || strcmp(entry->d_name, b) != 0))
            fail_msg("%s was left behind", entry->d_name);
    closedir(folder);
}

/* Lets files grow to `size` bytes only, without the signal that comes with it. */
static void bound_files(rlim_t size)
{
    struct rlimit limit;

    signal(SIGXFSZ, size == RLIM_INFINITY ? SIG_DFL : SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size == RLIM_INFINITY ? limit.rlim_max : size;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_nul_in_a_difference_is_escaped(void **state)
{
    static const char *const other[] = {"other", NULL};
    world *w = *state;
    node *field = int_field(w->m, "");

    set_node(field, FIELD_NAME, make_string(w->m, "a\0b", 3));
    write_block("a", stream_of(w->m, finish(w->m, new_message(w->m, schema_with(w->m, field)))));
    write_columns(w, "b", other);
    assert_int_equal(run(w, "diff", "a", "b", NULL), NOT_OK);
    assert_string_equal(w->out, "fields[0].name: \"a\\x00b\" -> \"other\"\n");
}

static void standard_input_may_be_the_first_of_two(void **state)
{
    static const char *const other[] = {"other", NULL};
    world *w = *state;

    write_block("a", sample_stream(w->m));
    write_columns(w, "b", other);
    w->standard_input = open("a", O_RDONLY);
    assert_int_equal(run(w, "diff", "-", "b", NULL), NOT_OK);
    close(w->standard_input);
    expect_in(w->out, "fields[0].name: \"col\" -> \"other\"\n");
}

static void colours_are_auto_always_or_never(void **state)
{
    world *w = *state;

    write_block("good", sample_stream(w->m));
    assert_int_equal(run(w, "show", "--color=auto", "good", NULL), ALL_WELL);
    expect_not_in(w->out, "\033[");
    assert_int_equal(run(w, "show", "--color=maybe", "good", NULL), TROUBLE);
    expect_in(w->err, "fletch: --color=maybe: none of auto, always, never\n");
}

static void a_terminal_of_no_known_kind_gets_no_colours(void **state)
{
    world *w = *state;

    write_block("good", sample_stream(w->m));
    unsetenv("TERM");
    assert_false(is_colored_on_a_terminal(w, NULL));
}

static const char small_json[] =
    "{\"schema\":{\"fields\":[{\"name\":\"a\",\"nullable\":true,\"type\":{\"name\":\"utf8\"},"
    "\"children\":[]}],\"metadata\":[{\"key\":\"k\",\"value\":\"v\"}]}}\n";

static void an_empty_text_is_no_schema_to_build(void **state)
{
    world *w = *state;

    w->standard_input = open("/dev/null", O_RDONLY);
    assert_int_equal(run(w, "build", "out", NULL), NOT_OK);
    close(w->standard_input);
    expect_in(w->err, "fletch: standard input: line 1, column 1: ");
    expect_files(".out", NULL);
}

static void a_schema_is_not_built_onto_a_terminal(void **state)
{
    world *w = *state;
    int near = posix_openpt(O_RDWR | O_NOCTTY);

    if (near < 0 || grantpt(near) != 0 || unlockpt(near) != 0) skip();
    w->standard_output = open(ptsname(near), O_RDWR | O_NOCTTY);
    if (w->standard_output < 0) skip();
    w->standard_input = pipe_with(text_block(w->m, small_json));
    assert_int_equal(run(w, "build", "-", NULL), TROUBLE);
    close(w->standard_input);
    close(w->standard_output);
    close(near);
    expect_in(w->err, "fletch: standard output: a terminal");
}

/* Many fields that share one long name: few bytes, but much text. */
static void write_shared_names(world *w, const char *file)
{
    enum { LARGE = 1 << 18, FIELDS = 40 };
    block text = pad(w->m, (block){NULL, 0}, LARGE);
    node *schema = new_schema(w->m), *name;
    int i;

    memset(text.bytes, 'n', LARGE);
    name = make_string(w->m, text.bytes, LARGE);
    for (i = 0; i < FIELDS; i++) {
        node *field = int_field(w->m, NULL);

        set_node(field, FIELD_NAME, name);
        add_field(schema, field);
    }
    write_block(file, stream_of(w->m, finish(w->m, new_message(w->m, schema))));
}

static void more_text_than_the_budget_ends_diff(void **state)
{
    world *w = *state;

    write_shared_names(w, "a");
    assert_int_equal(run(w, "verify", "a", NULL), ALL_WELL);
    assert_int_equal(run(w, "diff", "a", "a", NULL), TROUBLE);
    expect_in(w->err, "fletch: diff: limit: ");
}

static void a_bad_pair_of_the_schema_is_no_schema(void **state)
{
    static const char text[] = "{\"schema\":{\"fields\":[],\"metadata\":[{\"key\":1}]}}";
    world *w = *state;

    w->standard_input = pipe_with(text_block(w->m, text));
    assert_int_equal(run(w, "build", "out", NULL), NOT_OK);
    close(w->standard_input);
    expect_in(w->err, "fletch: standard input: line 1, column 43: a string is wanted");
}

static void a_folder_is_not_read(void **state)
{
    world *w = *state;

    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(run(w, "verify", "folder", NULL), TROUBLE);
    assert_string_equal(w->err, "fletch: folder: Is a directory\n");
}

/* Some files of the kernel have a size, but cannot be mapped. */
static void a_file_that_cannot_be_mapped_is_read(void **state)
{
    static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
    world *w = *state;

    if (access(path, R_OK) != 0) skip();
    assert_int_equal(run(w, "verify", path, NULL), NOT_OK);
    expect_in(w->out, "unrecognised: it looks like text");
}

/* Sanitizers, emulators and checkers take more memory than there is here, or none of what is
 * limited, and other systems than Linux count otherwise. */
static bool has_its_own_memory(void)
{
    if (is_launched()) return true;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__linux__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
    return true;
#endif
#endif
    return false;
}

/* Base64 is decoded into memory; here there is less than it takes. */
static void without_memory_it_says_so(void **state)
{
    enum { LARGE = 96 << 20 };
    static const char *const commands[] = {"verify", "show", "json", "explain", "convert"};
    world *w = *state;
    int file = open("large", O_WRONLY | O_CREAT, 0600);
    size_t i;

    assert_int_equal(write(file, "/////w==", 8), 8);
    assert_int_equal(ftruncate(file, LARGE), 0);
    close(file);
    if (has_its_own_memory()) skip();
    for (i = 0; i < sizeof commands / sizeof *commands; i++) {
        int code;

        w->memory = 32 << 20;
        code = i < 4 ? run(w, commands[i], "--as=base64", "large", NULL)
                     : run(w, "convert", "--as=base64", "--to=file", "large", "out", NULL);
        assert_int_equal(code, TROUBLE);
        expect_in(w->err, "fletch: large: ");
        expect_in(w->err, "memory");
    }
}

/* The line end behind the text is what does not fit any more. */
static void base64_without_its_line_end_is_not_written(void **state)
{
    world *w = *state;
    struct stat status;
    int code;

    write_block("in", wide_schema(w->m, 100000));
    assert_int_equal(run(w, "convert", "--as=schema", "--to=base64", "in", "out", NULL), ALL_WELL);
    assert_int_equal(stat("out", &status), 0);
    assert_true(status.st_size > 1 << 20);
    unlink("out");
    bound_files((rlim_t)status.st_size - 1);
    code = run(w, "convert", "--as=schema", "--to=base64", "in", "out", NULL);
    bound_files(RLIM_INFINITY);
    assert_int_equal(code, TROUBLE);
    assert_string_equal(w->err, "fletch: out: File too large\n");
    expect_files("in", NULL);
}

static void unknown_is_no_kind_to_convert_to(void **state)
{
    world *w = *state;

    write_block("in", sample_stream(w->m));
    assert_int_equal(run(w, "convert", "--to=unknown", "in", "out", NULL), TROUBLE);
    expect_in(w->err, "fletch: --to=unknown: none of schema, message");
    expect_files("in", NULL);
}

/* The least memory with which the program starts at all. */
static rlim_t least_memory(world *w)
{
    for (w->memory = 128 << 10; w->memory < 64 << 20; w->memory += w->memory / 10) {
        char *words[] = {strdup("fletch"), strdup("--version"), NULL};
        const pid_t child = fork();
        int status = -1;

        assert_true(child >= 0);
        if (child == 0) become_program(w, words);
        assert_int_equal(waitpid(child, &status, 0), child);
        free(words[0]);
        free(words[1]);
        if (status == 0) return w->memory + w->memory / 10;
    }
    skip();
    return 0;
}

/* Runs a command with more and more memory, up to as much as it takes: before that it says what
 * there is no memory for, and nothing else. */
static void starve(world *w, int (*command)(world *))
{
    enum { MOST = 256 << 20 };
    unsigned refusals = 0;
    int code = TROUBLE;

    if (has_its_own_memory()) skip();
    for (w->memory = least_memory(w); w->memory < MOST; w->memory += w->memory / 10) {
        code = command(w);
        if (code == ALL_WELL) break;
        assert_int_equal(code, TROUBLE);
        expect_in(w->err, "emory");
        refusals++;
    }
    w->memory = 0;
    assert_int_equal(code, ALL_WELL);
    assert_true(refusals > 0);
}

static int show_in_full(world *w)
{
    return run(w, "show", "--full", "in", NULL);
}

static int show_counts(world *w)
{
    return run(w, "show", "--count", "in", NULL);
}

static int explain_all(world *w)
{
    return run(w, "explain", "in", NULL);
}

static int print_json(world *w)
{
    return run(w, "json", "in", NULL);
}

static int verify_input(world *w)
{
    const int code = run(w, "verify", "in", NULL);

    expect_in(code == ALL_WELL ? w->out : w->err, "in: ");
    return code;
}

/* A small schema takes no memory, and a name is told without. */
static void a_verdict_without_memory_has_the_name(void **state)
{
    world *w = *state;

    if (has_its_own_memory()) skip();
    write_block("in", finish(w->m, new_schema(w->m)));
    w->memory = least_memory(w);
    assert_int_equal(verify_input(w), ALL_WELL);
    w->memory = 0;
}

static int verify_standard_input(world *w)
{
    int code;

    w->standard_input = pipe_with(read_file(w->m, "in"));
    code = run(w, "verify", "-", NULL);
    close(w->standard_input);
    w->standard_input = -1;
    return code;
}

static int diff_without_order(world *w)
{
    return run(w, "diff", "--ignore=metadata-order", "in", "other", NULL);
}

static int build_from_json(world *w)
{
    int code;

    w->standard_input = open("json", O_RDONLY);
    code = run(w, "build", "out", NULL);
    close(w->standard_input);
    w->standard_input = -1;
    return code;
}

static void fields_take_memory(void **state)
{
    world *w = *state;

    write_block("in", wide_schema(w->m, 30000));
    starve(w, show_counts);
    starve(w, explain_all);
    starve(w, print_json);
}

static void a_long_line_takes_memory(void **state)
{
    enum { LARGE = 3 << 20 };
    world *w = *state;
    node *field = int_field(w->m, NULL);
    char *name = malloc(LARGE);

    assert_non_null(name);
    memset(name, 'n', LARGE);
    set_node(field, FIELD_NAME, make_string(w->m, name, LARGE));
    add_pair(w->m, field, FIELD_METADATA, "key", "value");
    free(name);
    write_block("in", finish(w->m, schema_with(w->m, field)));
    starve(w, show_in_full);
    starve(w, verify_standard_input);
}

/* A long value is too much for the line of pairs behind the field, too. */
static void a_long_type_takes_memory(void **state)
{
    enum { LARGE = 3 << 20 };
    world *w = *state;
    node *type = make_table(w->m);
    char *zone = malloc(LARGE);

    assert_non_null(zone);
    memset(zone, 'z', LARGE);
    set_node(type, TIMESTAMP_ZONE, make_string(w->m, zone, LARGE));
    free(zone);
    write_block("in",
                finish(w->m, schema_with(w->m, new_field(w->m, "t", FLETCH_TYPE_TIMESTAMP, type))));
    starve(w, show_in_full);
}

/* Dictionary-encoded fields, each with an id of its own. */
static void dictionaries_take_memory(void **state)
{
    enum { FIELDS = 50000 };
    world *w = *state;
    node *schema = new_schema(w->m), *type = int_type(w->m, 32, true);

    share_vtables(w->m);
    for (int i = 0; i < FIELDS; i++) {
        node *field = new_field(w->m, "d", FLETCH_TYPE_INT, type);

        add_dictionary(w->m, field, i, NULL);
        add_field(schema, field);
    }
    write_block("in", finish(w->m, schema));
    starve(w, verify_input);
}

/* As many pairs in one order and in the other. */
static void metadata_in_another_order_take_memory(void **state)
{
    enum { PAIRS = 60000 };
    world *w = *state;

    for (int turn = 0; turn < 2; turn++) {
        node *schema = new_schema(w->m);

        share_vtables(w->m);
        for (int i = 0; i < PAIRS; i++) {
            char key[16];

            snprintf(key, sizeof key, "%d", turn == 0 ? i : PAIRS - 1 - i);
            add_pair(w->m, schema, SCHEMA_METADATA, key, "v");
        }
        write_block(turn == 0 ? "in" : "other", finish(w->m, schema));
    }
    starve(w, diff_without_order);
}

static void json_takes_memory_to_be_read_and_built(void **state)
{
    world *w = *state;
    int file;

    write_block("in", wide_schema(w->m, 20000));
    file = open("json", O_WRONLY | O_CREAT, 0600);
    w->standard_output = file;
    assert_int_equal(print_json(w), ALL_WELL);
    w->standard_output = -1;
    close(file);
    starve(w, build_from_json);
}

/* Files that cannot be read to their end */

/* Some files of the kernel can be opened, but not read where nothing is mapped. */
static void a_file_that_fails_while_it_is_read_is_trouble(void **state)
{
    static const char path[] = "/proc/self/mem";
    char expected[128];
    world *w = *state;

    if (access(path, R_OK) != 0) skip();
    assert_int_equal(run(w, "verify", path, NULL), TROUBLE);
    snprintf(expected, sizeof expected, "fletch: %s: %s\n", path, strerror(EIO));
    assert_string_equal(w->err, expected);
}

/* `diff` has mapped the first file when it opens the second, a pipe, for which it waits. */
static void a_file_that_becomes_shorter_ends_the_program(void **state)
{
    world *w = *state;
    const block good = sample_stream(w->m);
    pid_t child;
    int pipe_end, status;
    char *text;

    write_block("a", good);
    assert_int_equal(mkfifo("b", 0600), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char *words[] = {strdup("fletch"), strdup("diff"), strdup("a"), strdup("b"), NULL};

        become_program(w, words);
    }
    pipe_end = open("b", O_WRONLY); /* waits until the program opens it, too */
    assert_true(pipe_end >= 0);
    assert_int_equal(truncate("a", 0), 0);
    assert_int_equal(write(pipe_end, good.bytes, good.size), good.size);
    close(pipe_end);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), TROUBLE);
    text = read_text(".err");
    assert_string_equal(text, "fletch: a file became shorter, or failed, while it was read\n");
    free(text);
}

static void a_file_without_a_name_is_told_as_that(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "verify", "", NULL), TROUBLE);
    assert_string_equal(w->err, "fletch: : No such file or directory\n");
}

/* Excerpts of JSON at fault */

/* What `build` shows of a text: the line at fault, without the bar before it. */
static const char *excerpt_of(world *w, const char *text)
{
    const char *line;

    write_block("text", text_block(w->m, text));
    w->standard_input = open("text", O_RDONLY);
    assert_int_equal(run(w, "build", "out", NULL), NOT_OK);
    close(w->standard_input);
    w->standard_input = -1;
    line = strstr(w->err, "\n    | ");
    assert_non_null(line);
    return line + 7;
}

static void an_excerpt_is_of_one_line(void **state)
{
    world *w = *state;

    expect_first(excerpt_of(w, "{\n\"fields\": x1\n}"), "\"fields\": x1\n");
    expect_first(excerpt_of(w, "{\r\n\"fields\": x2\r\n}"), "\"fields\": x2\n");
}

/* Of two bytes each, with a byte more or not: so that the excerpt's ends come between both. */
static void an_excerpt_has_whole_characters(void **state)
{
    static const char eacute[] = "\303\251";
    world *w = *state;

    for (int before = 0; before < 2; before++)
        for (int behind = 0; behind < 2; behind++) {
            char text[256] = "[\"";
            const char *line;

            for (int i = 0; i < 30; i++)
                strcat(text, eacute);
            strcat(text, before != 0 ? "-\" x" : "\" x");
            strcat(text, behind != 0 ? "-" : "");
            for (int i = 0; i < 30; i++)
                strcat(text, eacute);
            line = excerpt_of(w, text);
            expect_first(line, eacute);
            assert_null(memchr(line, '\\', strcspn(line, "\n")));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_WORLD(a_nul_in_a_difference_is_escaped),
        IN_A_WORLD(standard_input_may_be_the_first_of_two),
        IN_A_WORLD(colours_are_auto_always_or_never),
        IN_A_WORLD(a_terminal_of_no_known_kind_gets_no_colours),
        IN_A_WORLD(an_empty_text_is_no_schema_to_build),
        IN_A_WORLD(a_schema_is_not_built_onto_a_terminal),
        IN_A_WORLD(more_text_than_the_budget_ends_diff),
        IN_A_WORLD(a_bad_pair_of_the_schema_is_no_schema),
        IN_A_WORLD(a_folder_is_not_read),
        IN_A_WORLD(a_file_that_cannot_be_mapped_is_read),
        IN_A_WORLD(without_memory_it_says_so),
        IN_A_WORLD(base64_without_its_line_end_is_not_written),
        IN_A_WORLD(unknown_is_no_kind_to_convert_to),
        IN_A_WORLD(fields_take_memory),
        IN_A_WORLD(a_long_line_takes_memory),
        IN_A_WORLD(a_long_type_takes_memory),
        IN_A_WORLD(a_verdict_without_memory_has_the_name),
        IN_A_WORLD(dictionaries_take_memory),
        IN_A_WORLD(metadata_in_another_order_take_memory),
        IN_A_WORLD(json_takes_memory_to_be_read_and_built),
        IN_A_WORLD(a_file_that_fails_while_it_is_read_is_trouble),
        IN_A_WORLD(a_file_that_becomes_shorter_ends_the_program),
        IN_A_WORLD(a_file_without_a_name_is_told_as_that),
        IN_A_WORLD(an_excerpt_is_of_one_line),
        IN_A_WORLD(an_excerpt_has_whole_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
