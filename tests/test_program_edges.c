/* SPDX-License-Identifier: Apache-2.0 */
/* The program at its edges: files of unusual kinds, and too little of memory, space or budget. */
#define _XOPEN_SOURCE     700
#define _FILE_OFFSET_BITS 64

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
    expect_in(w->err, "fletch: -: line 1, column 1: ");
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
    expect_in(w->err, "fletch: -: line 1, column 43: a string is wanted");
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

/* Memory of processes, this one and those it starts; sanitizers take more than there is here, and
 * other systems than Linux count otherwise. */
static void bound_memory(rlim_t size)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_DATA, &limit), 0);
    limit.rlim_cur = size == RLIM_INFINITY ? limit.rlim_max : size;
    assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
}

static bool has_its_own_memory(void)
{
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
    static const char *const commands[] = {"verify", "show", "json", "convert"};
    world *w = *state;
    int file = open("large", O_WRONLY | O_CREAT, 0600);
    size_t i;

    assert_int_equal(write(file, "/////w==", 8), 8);
    assert_int_equal(ftruncate(file, LARGE), 0);
    close(file);
    if (has_its_own_memory()) skip();
    for (i = 0; i < sizeof commands / sizeof *commands; i++) {
        int code;

        bound_memory(32 << 20);
        code = i < 3 ? run(w, commands[i], "--as=base64", "large", NULL)
                     : run(w, "convert", "--as=base64", "--to=file", "large", "out", NULL);
        bound_memory(RLIM_INFINITY);
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
