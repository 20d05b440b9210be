/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program, run as a shell runs it: its output, its messages and its exit codes.
 *
 * What `fletch explain` lists is in test_program_explain.c.
 */
#define _XOPEN_SOURCE     700
#define _FILE_OFFSET_BITS 64

#include "fletch/heap.h"
#include "support/building.h"
#include "support/program.h"

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
    expect_in(w->out, "fletch convert");
    expect_in(w->out, "fletch build");
    expect_in(w->out, "fletch diff");
    assert_string_equal(w->err, "");
}

static void help_has_short_forms(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "-h", NULL), ALL_WELL);
    expect_in(w->out, "usage: fletch COMMAND");
    assert_int_equal(run(w, "help", NULL), ALL_WELL);
    expect_in(w->out, "usage: fletch COMMAND");
    assert_int_equal(run(w, "show", "-h", NULL), ALL_WELL);
    expect_in(w->out, "usage: fletch show");
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
    assert_int_equal(run(w, "convert", "--help", NULL), ALL_WELL);
    expect_in(w->out, "usage: fletch convert");
    expect_in(w->out, "--legacy");
    assert_int_equal(run(w, "build", "--help", NULL), ALL_WELL);
    expect_in(w->out, "usage: fletch build");
    expect_not_in(w->out, "--legacy");
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

    assert_int_equal(run(w, "show", "file", "--as", NULL), TROUBLE);
    expect_in(w->err, "fletch: --as: a value is wanted: --as=...\n");
}

static void a_value_may_be_the_word_behind_its_option(void **state)
{
    world *w = *state;

    write_block("in", sample_stream(w->m));
    assert_int_equal(run(w, "verify", "--level", "strict", "--as", "stream", "in", NULL), ALL_WELL);
    assert_string_equal(w->out, "in: ok\n");
    assert_int_equal(run(w, "verify", "--level", "file", "in", NULL), TROUBLE);
    expect_in(w->err, "fletch: --level file: none of structure, arrow, strict\n");
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
    /* A mips has 2 GB of addresses, valgrind less than a terabyte. */
    off_t size = (off_t)1 << (sizeof(size_t) > 4 && !is_launched() ? 40 : 28);
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
    assert_string_equal(w->out, "a\\x1b[2J\\n\\u009b\\xff\303\244\\x7f: ok\n");
    assert_string_equal(w->err, "fletch: b\\x07: No such file or directory\n");
}

static void names_of_files_cannot_turn_a_line(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "show", "a\342\200\256txt.arrow", NULL), TROUBLE);
    assert_string_equal(w->err, "fletch: a\\u202etxt.arrow: No such file or directory\n");
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

static void a_schema_is_shown_behind_its_name(void **state)
{
    world *w = *state;

    write_block("good", sample_stream(w->m));
    assert_int_equal(run(w, "show", "good", NULL), ALL_WELL);
    assert_string_equal(w->out, "good: stream, metadata V5, little-endian, 1 field\n"
                                "  col  int32 {k: v}\n");
    assert_string_equal(w->err, "");
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
    expect_first(w->err, message);
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

/* A struct `home` with a struct `geo` of `lat` and `lon` below it, a map of a list, and `city`. */
static block nested_stream(maker *m)
{
    fletch_builder *b = new_builder(m);

    fletch_begin_field(b, "home", fletch_struct(), FLETCH_NULLABLE);
    fletch_begin_field(b, "geo", fletch_struct(), FLETCH_NULLABLE);
    fletch_add_field(b, "lat", fletch_floating_point(FLETCH_DOUBLE), 0);
    fletch_add_field(b, "lon", fletch_floating_point(FLETCH_DOUBLE), 0);
    fletch_end_field(b);
    fletch_add_field(b, "city", fletch_utf8(), FLETCH_NULLABLE);
    fletch_end_field(b);
    fletch_add_field(b, "city", fletch_large_utf8(), FLETCH_NULLABLE);
    fletch_begin_field(b, "tags", fletch_list(), FLETCH_NULLABLE);
    fletch_add_field(b, "item", fletch_utf8(), FLETCH_NULLABLE);
    fletch_end_field(b);
    return built(m, b, FLETCH_STREAM);
}

static void nested_fields_hang_below_each_other_in_columns(void **state)
{
    world *w = *state;

    write_block("nested", nested_stream(w->m));
    assert_int_equal(run(w, "show", "nested", NULL), ALL_WELL);
    assert_string_equal(w->out, "nested: stream, metadata V5, little-endian, 3 fields, 5 nested\n"
                                "  home       struct\n"
                                "  |- geo     struct\n"
                                "  |  |- lat  double not null\n"
                                "  |  `- lon  double not null\n"
                                "  `- city    string\n"
                                "  city       large_string\n"
                                "  tags       list\n"
                                "  `- item    string\n");
}

static void a_locale_of_utf_8_draws_the_tree(void **state)
{
    world *w = *state;

    write_block("nested", nested_stream(w->m));
    setenv("LC_ALL", "en_US.UTF-8", 1);
    assert_int_equal(run(w, "show", "nested", NULL), ALL_WELL);
    expect_in(w->out, "\n  \342\224\234\342\224\200 geo     struct\n"
                      "  \342\224\202  \342\224\234\342\224\200 lat  double");
}

static void depth_leaves_out_what_is_below_and_counts_it(void **state)
{
    world *w = *state;

    write_block("nested", nested_stream(w->m));
    assert_int_equal(run(w, "show", "--depth=1", "nested", NULL), ALL_WELL);
    assert_string_equal(strchr(w->out, '\n') + 1, "  home  struct (+4)\n"
                                                  "  city  large_string\n"
                                                  "  tags  list (+1)\n");
    assert_int_equal(run(w, "show", "--depth=2", "nested", NULL), ALL_WELL);
    expect_in(w->out, "  |- geo   struct (+2)\n  `- city  string\n");
}

static void a_depth_that_is_no_number_of_levels_is_refused(void **state)
{
    static const char *const options[] = {"--depth=0",  "--depth=129",
                                          "--depth=",   "--depth=2x",
                                          "--depth=-1", "--depth=99999999999999999999"};
    world *w = *state;

    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        assert_int_equal(run(w, "show", options[i], "x", NULL), TROUBLE);
        expect_in(w->err, "none of the numbers 1 to 128\n");
    }
}

static void match_shows_a_field_with_what_leads_to_it(void **state)
{
    world *w = *state;

    write_block("nested", nested_stream(w->m));
    assert_int_equal(run(w, "show", "--match=l?t", "nested", NULL), ALL_WELL);
    assert_string_equal(w->out, "nested: stream, metadata V5, little-endian, 3 fields, 5 nested, "
                                "1 selected\n"
                                "  home       struct\n"
                                "  `- geo     struct\n"
                                "     `- lat  double not null\n");
}

static void match_shows_all_below_a_field(void **state)
{
    world *w = *state;

    write_block("nested", nested_stream(w->m));
    assert_int_equal(run(w, "show", "--match=geo", "nested", NULL), ALL_WELL);
    assert_string_equal(strchr(w->out, '\n') + 1, "  home       struct\n"
                                                  "  `- geo     struct\n"
                                                  "     |- lat  double not null\n"
                                                  "     `- lon  double not null\n");
}

/* What is shown of `nested` for a pattern, without the first line. */
static const char *matched(world *w, const char *pattern)
{
    char option[64];

    snprintf(option, sizeof option, "--match=%s", pattern);
    assert_int_equal(run(w, "show", option, "nested", NULL), ALL_WELL);
    return strchr(w->out, '\n') + 1;
}

static void match_is_by_name_or_by_path(void **state)
{
    world *w = *state;

    write_block("nested", nested_stream(w->m));
    assert_int_equal(count_in(matched(w, "city"), "city"), 2);
    assert_int_equal(count_in(matched(w, "home.city"), "city"), 1);
    assert_int_equal(count_in(matched(w, "h*y"), "city"), 1);
    assert_int_equal(count_in(matched(w, "[a-d]ity"), "city"), 2);
    assert_int_equal(count_in(matched(w, "[!a-d]ity"), "city"), 0);
    assert_int_equal(count_in(matched(w, "[c"), "city"), 0);
    assert_int_equal(count_in(matched(w, "\\city"), "city"), 2);
    assert_int_equal(count_in(matched(w, "cit"), "city"), 0);
    assert_int_equal(count_in(matched(w, "*o*o*"), "geo"), 1);
}

static void several_patterns_select_what_any_of_them_does(void **state)
{
    world *w = *state;

    write_block("nested", nested_stream(w->m));
    assert_int_equal(run(w, "show", "--match=tags", "--match=lon", "nested", NULL), ALL_WELL);
    expect_in(w->out, ", 3 selected\n");
    expect_in(w->out, "lon");
    expect_in(w->out, "item");
    expect_not_in(w->out, "lat");
}

static void counts_are_numbers_by_nesting_and_type(void **state)
{
    world *w = *state;

    write_block("nested", nested_stream(w->m));
    assert_int_equal(run(w, "show", "--count", "nested", NULL), ALL_WELL);
    assert_string_equal(strchr(w->out, '\n') + 1, "  fields                            3\n"
                                                  "  nested fields                     5\n"
                                                  "  levels                            3\n"
                                                  "  not null                          2\n"
                                                  "  dictionary-encoded                0\n"
                                                  "  extension types                   0\n"
                                                  "  metadata pairs of fields          0\n"
                                                  "  types\n"
                                                  "    struct                          2\n"
                                                  "    double                          2\n"
                                                  "    string                          2\n"
                                                  "    large_string                    1\n"
                                                  "    list                            1\n");
}

static void counts_are_of_what_matches(void **state)
{
    world *w = *state;

    write_block("nested", nested_stream(w->m));
    assert_int_equal(run(w, "show", "--count", "--match=geo", "nested", NULL), ALL_WELL);
    expect_in(w->out, "\n  fields                            0\n"
                      "  nested fields                     3\n");
}

static void no_line_of_many_fields_is_wider_than_the_terminal(void **state)
{
    world *w = *state;
    fletch_builder *b = new_builder_in(w->m, 1 << 20);
    char name[301], value[801];

    memset(name, 'n', 300);
    name[300] = '\0';
    memset(value, 'v', 800);
    value[800] = '\0';
    for (int i = 0; i < 3000; i++) {
        char short_name[16];

        snprintf(short_name, sizeof short_name, "column %d", i);
        fletch_begin_field(b, i % 500 == 7 ? name : short_name,
                           fletch_timestamp(FLETCH_SECOND, i % 100 == 3 ? value : "UTC"), 0);
        if (i % 100 == 5) fletch_add_metadata(b, "key", value);
        fletch_end_field(b);
    }
    write_block("wide", built(w->m, b, FLETCH_FILE));
    setenv("COLUMNS", "80", 1);
    assert_int_equal(run(w, "show", "wide", NULL), ALL_WELL);
    assert_true(widest_line(w->out) <= 80);
    assert_int_equal(count_in(w->out, "\n"), 1 + 3000 + 30);
    assert_int_equal(count_in(w->out, "nnn...nnn"), 6);
    expect_in(w->out, "... (800 bytes)\n");
    assert_int_equal(run(w, "show", "--full", "wide", NULL), ALL_WELL);
    expect_in(w->out, value);
    expect_in(w->out, name);
}

static void fields_too_deep_to_draw_have_their_level(void **state)
{
    world *w = *state;

    write_block("deep", finish(w->m, deep_schema(w->m, 100)));
    setenv("COLUMNS", "80", 1);
    assert_int_equal(run(w, "show", "deep", NULL), ALL_WELL);
    assert_true(widest_line(w->out) <= 80);
    expect_in(w->out, "\n  (99) ");
}

/* Names that could be taken for something else, or steer a terminal. */
static void names_in_a_tree_stay_names(void **state)
{
    static const char *const names[] = {"\033[2J\t\\",
                                        "u\342\200\256x",
                                        "zero\342\200\213width",
                                        "\377\300",
                                        " blank",
                                        "a  int32",
                                        "",
                                        "\346\270\251\345\272\246",
                                        "e\314\201\314\201\314\201",
                                        "(no name)"};
    world *w = *state;
    node *schema = new_schema(w->m);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_field(schema, int_field(w->m, names[i]));
    add_field(schema, new_field(w->m, NULL, FLETCH_TYPE_INT, int_type(w->m, 32, true)));
    write_block("names", finish(w->m, schema));
    assert_int_equal(run(w, "show", "names", NULL), ALL_WELL);
    assert_string_equal(strchr(w->out, '\n') + 1, "  \\x1b[2J\\t\\\\      int32\n"
                                                  "  u\\u202ex         int32\n"
                                                  "  zero\\u200bwidth  int32\n"
                                                  "  \\xff\\xc0         int32\n"
                                                  "  \" blank\"         int32\n"
                                                  "  \"a  int32\"       int32\n"
                                                  "  \"\"               int32\n"
                                                  "  \346\270\251\345\272\246             int32\n"
                                                  "  e\314\201\314\201\\u0301          int32\n"
                                                  "  \"(no name)\"      int32\n"
                                                  "  (no name)        int32\n");
}

static void a_dictionary_is_its_values_and_its_indices(void **state)
{
    world *w = *state;
    fletch_builder *b = new_builder(w->m);

    fletch_begin_field(b, "d", fletch_utf8(), FLETCH_NULLABLE);
    fletch_set_dictionary(b, 7, fletch_int(8, false).as.integer, true);
    fletch_end_field(b);
    fletch_begin_field(b, "e", fletch_list(), 0);
    fletch_add_field(b, "item", fletch_utf8(), FLETCH_NULLABLE);
    fletch_set_dictionary(b, 8, fletch_int(32, true).as.integer, false);
    fletch_end_field(b);
    write_block("d", built(w->m, b, FLETCH_STREAM));
    assert_int_equal(run(w, "show", "d", NULL), ALL_WELL);
    assert_string_equal(strchr(w->out, '\n') + 1,
                        "  d        dictionary<string, uint8, ordered> id=7\n"
                        "  e        dictionary<list, int32> id=8 not null\n"
                        "  `- item  string\n");
}

static void the_name_of_an_extension_type_stands_with_the_type(void **state)
{
    world *w = *state;
    fletch_builder *b = new_builder(w->m);

    fletch_begin_field(b, "id", fletch_fixed_size_binary(16), 0);
    fletch_add_metadata(b, "ARROW:extension:name", "arrow.uuid");
    fletch_add_metadata(b, "ARROW:extension:metadata", "");
    fletch_end_field(b);
    write_block("e", built(w->m, b, FLETCH_STREAM));
    assert_int_equal(run(w, "show", "e", NULL), ALL_WELL);
    assert_string_equal(strchr(w->out, '\n') + 1,
                        "  id  fixed_size_binary[16] not null extension<arrow.uuid>\n");
    assert_int_equal(run(w, "show", "--full", "e", NULL), ALL_WELL);
    expect_in(w->out, "ARROW:extension:name: arrow.uuid");
}

/* 32 levels of structs that share their children would be 2^32 fields. */
static void shared_children_end_at_a_limit(void **state)
{
    static const char *const commands[] = {"show", "explain", "verify"};
    world *w = *state;

    write_block("fan", finish(w->m, fan_schema(w->m, 32, 2)));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(run(w, commands[i], "fan", NULL), NOT_OK);
        expect_in(i == 2 ? w->out : w->err, "fan: limit: more than ");
        assert_true(strlen(w->out) < 200000);
    }
}

/* Fields share one long name: in full, it would be printed each time. */
static void a_long_name_that_is_shared_ends_at_the_budget_of_text(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m), *type = int_type(w->m, 32, true);
    char *letters = malloc(400000);
    node *name;

    assert_non_null(letters);
    memset(letters, 'n', 400000);
    name = make_string(w->m, letters, 400000);
    for (int i = 0; i < 500; i++) {
        node *field = new_field(w->m, NULL, FLETCH_TYPE_INT, type);

        set_node(field, FIELD_NAME, name);
        add_field(schema, field);
    }
    write_block("long", finish(w->m, schema));
    free(letters);
    assert_int_equal(run(w, "show", "long", NULL), ALL_WELL);
    assert_true(strlen(w->out) < 100 * 502);
    assert_int_equal(run(w, "show", "--full", "long", NULL), NOT_OK);
    expect_in(w->err, "long: limit: the text is too much to print in full\n");
    assert_true(strlen(w->out) < 20 * 420000);
    assert_int_equal(run(w, "show", "--match=*x", "long", NULL), NOT_OK);
    expect_in(w->err, "long: limit: the names are too much text to match\n");
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
    expect_first(w->err, message);
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

/* fletch convert */

/* What a run wrote into a file, opened as a kind, which must be sound. */
static fletch_schema open_written(world *w, const char *name, fletch_kind kind)
{
    const fletch_options options = {.kind = kind};
    fletch_schema schema;
    fletch_error error;

    if (open_lending(w->m, read_file(w->m, name), &options, &schema, &error) != FLETCH_OK)
        fail_msg("%s: %s: %s", name, error.path, error.sentence);
    return schema;
}

/* Converts a file of this folder into `out`, which is then opened. */
static fletch_schema converted(world *w, const char *from, fletch_kind kind)
{
    char option[32];

    snprintf(option, sizeof option, "--to=%s", fletch_kind_word(kind));
    if (run(w, "convert", option, from, "out", NULL) != ALL_WELL) fail_msg("%s", w->err);
    assert_string_equal(w->out, "");
    assert_string_equal(w->err, "");
    return open_written(w, "out", kind);
}

/* The bytes of a schema as the library writes it: equal for equal schemas. */
static block canonical(maker *m, const fletch_schema *schema)
{
    const fletch_allocator heap = fletch_heap();
    fletch_builder builder;
    fletch_error error;
    const void *bytes;
    size_t size;
    block b;

    fletch_builder_init_growing(&builder, &heap);
    fletch_set_level(&builder, FLETCH_LEVEL_ARROW);
    fletch_copy_schema(&builder, schema);
    if (fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, &error) != FLETCH_OK)
        fail_msg("%s: %s", error.path, error.sentence);
    b = copy_of(m, bytes, size);
    fletch_builder_release(&builder);
    return b;
}

static void expect_same_schema(world *w, const fletch_schema *a, const fletch_schema *b)
{
    block bytes_a = canonical(w->m, a), bytes_b = canonical(w->m, b);

    assert_int_equal(bytes_a.size, bytes_b.size);
    assert_memory_equal(bytes_a.bytes, bytes_b.bytes, bytes_a.size);
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

static void a_schema_is_written_as_every_kind(void **state)
{
    world *w = *state;
    block b = sample_stream(w->m);
    fletch_schema before = open_as(b, FLETCH_STREAM, FLETCH_LEVEL_ARROW);

    write_block("in", b);
    for (int kind = FLETCH_SCHEMA; kind <= FLETCH_BASE64; kind++) {
        fletch_schema after;

        if (kind == FLETCH_PARQUET) continue;
        after = converted(w, "in", (fletch_kind)kind);
        assert_int_equal(after.wrapper.kind, kind);
        expect_same_schema(w, &before, &after);
    }
    expect_files("in", "out");
}

static void what_only_others_write_is_converted(void **state)
{
    world *w = *state;
    fletch_schema after;

    write_block("in", read_file(w->m, data_file("flatc-2.0.8__lax.message")));
    after = converted(w, "in", FLETCH_STREAM);
    assert_int_equal(run(w, "json", "out", NULL), ALL_WELL);
    assert_int_equal(after.wrapper.body_length, 0);
    free(w->err);
    w->err = read_text(data_file("expected/flatc-2.0.8__lax.message.json"));
    assert_string_equal(w->out, w->err);
}

static void version_endianness_and_features_stay(void **state)
{
    world *w = *state;
    fletch_schema after;

    write_block("in", read_file(w->m, data_file("flatc-2.0.8__big-endian.message")));
    after = converted(w, "in", FLETCH_FILE);
    assert_int_equal(after.wrapper.version, FLETCH_V4);
    assert_int_equal(after.endianness, FLETCH_BIG_ENDIAN);
    assert_int_not_equal(after.features.count, 0);
    after = converted(w, "in", FLETCH_STREAM);
    assert_int_equal(after.wrapper.version, FLETCH_V4);
    assert_int_equal(after.endianness, FLETCH_BIG_ENDIAN);
    assert_int_not_equal(after.features.count, 0);
}

static void a_bare_schema_gets_the_newest_version(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);

    write_block("in", finish(w->m, s.schema));
    assert_int_equal(converted(w, "in", FLETCH_FOOTER).wrapper.version, FLETCH_V5);
}

static void a_footer_without_a_version_is_v4(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);
    node *footer = new_footer(w->m, s.schema);

    drop(footer, FOOTER_VERSION);
    write_block("in", finish(w->m, footer));
    assert_int_equal(converted(w, "in", FLETCH_STREAM).wrapper.version, FLETCH_V4);
}

static void expect_pair(const fletch_metadata *metadata, const char *key)
{
    fletch_metadata pairs = *metadata;
    fletch_key_value pair;

    if (key == NULL) {
        assert_false(fletch_next_metadata(&pairs, &pair));
        return;
    }
    assert_true(fletch_next_metadata(&pairs, &pair));
    assert_true(is_text(pair.key, key));
    assert_false(fletch_next_metadata(&pairs, &pair));
}

/* A file whose message and footer have metadata of their own. */
static block file_with_metadata(maker *m)
{
    sample s = make_sample(m);
    node *message = new_message(m, s.schema);
    node *footer = new_footer(m, s.schema);
    block first;

    add_pair(m, message, MESSAGE_METADATA, "of the message", "1");
    add_pair(m, footer, FOOTER_METADATA, "of the footer", "2");
    first = finish(m, message);
    return file_of(m, first, finish(m, footer));
}

static fletch_schema open_head(world *w, const char *name)
{
    const fletch_options options = {.kind = FLETCH_FILE, .stream_copy = true};
    fletch_schema schema;

    assert_int_equal(open_lending(w->m, read_file(w->m, name), &options, &schema, NULL), FLETCH_OK);
    return schema;
}

static void metadata_of_message_and_footer_stay_where_they_have_a_place(void **state)
{
    world *w = *state;
    fletch_schema after;

    write_block("in", file_with_metadata(w->m));
    after = converted(w, "in", FLETCH_FILE);
    expect_pair(&after.wrapper.metadata, "of the footer");
    after = open_head(w, "out");
    expect_pair(&after.wrapper.metadata, "of the message");
    after = converted(w, "in", FLETCH_FOOTER);
    expect_pair(&after.wrapper.metadata, "of the footer");
    after = converted(w, "in", FLETCH_STREAM);
    expect_pair(&after.wrapper.metadata, "of the message");
    assert_int_equal(rename("out", "in"), 0);
    after = converted(w, "in", FLETCH_BASE64);
    expect_pair(&after.wrapper.metadata, "of the message");
    after = converted(w, "in", FLETCH_FOOTER);
    expect_pair(&after.wrapper.metadata, NULL);
}

static void metadata_without_a_place_leaves_no_bytes(void **state)
{
    world *w = *state;
    block with = file_with_metadata(w->m), out;

    write_block("in", with);
    (void)converted(w, "in", FLETCH_SCHEMA);
    out = read_file(w->m, "out");
    write_block("in", sample_stream(w->m));
    (void)converted(w, "in", FLETCH_SCHEMA);
    assert_int_equal(read_file(w->m, "out").size, out.size);
}

static void a_file_without_a_head_has_no_metadata_there(void **state)
{
    world *w = *state;
    fletch_schema after;

    write_block("in", read_file(w->m, data_file("arrowjs-21.2.0__footer-only.arrow")));
    after = converted(w, "in", FLETCH_FILE);
    assert_int_not_equal(fletch_count_fields(&after.fields), 0);
    after = open_head(w, "out");
    expect_pair(&after.wrapper.metadata, NULL);
}

static void legacy_is_old_framing_and_v4(void **state)
{
    static const char *const words[] = {"encapsulated", "stream"};
    world *w = *state;

    write_block("in", sample_stream(w->m));
    for (size_t i = 0; i < 2; i++) {
        fletch_schema after;
        char to[32], as[32];

        snprintf(to, sizeof to, "--to=%s", words[i]);
        snprintf(as, sizeof as, "--as=%s", words[i]);
        assert_int_equal(run(w, "convert", to, "--legacy", "in", "old", NULL), ALL_WELL);
        after = open_written(w, "old", kind_of(words[i]));
        assert_true(after.wrapper.legacy_framing);
        assert_int_equal(after.wrapper.version, FLETCH_V4);
        assert_int_equal(run(w, "convert", as, to, "old", "new", NULL), ALL_WELL);
        after = open_written(w, "new", kind_of(words[i]));
        assert_false(after.wrapper.legacy_framing);
        assert_int_equal(after.wrapper.version, FLETCH_V4);
    }
}

static void legacy_is_refused_where_nothing_is_framed(void **state)
{
    world *w = *state;

    write_block("in", sample_stream(w->m));
    assert_int_equal(run(w, "convert", "--to=file", "--legacy", "in", "out", NULL), TROUBLE);
    assert_string_equal(w->err, "fletch: --legacy: only for --to=encapsulated and --to=stream\n");
    assert_int_equal(run(w, "convert", "--to=base64", "--legacy", "in", "out", NULL), TROUBLE);
    assert_int_equal(run(w, "convert", "--to=message", "--legacy", "in", "out", NULL), TROUBLE);
    assert_int_equal(run(w, "convert", "--to=stream", "--legacy=no", "in", "out", NULL), TROUBLE);
    expect_files("in", NULL);
}

static void convert_wants_a_kind_and_two_files(void **state)
{
    world *w = *state;

    write_block("in", sample_stream(w->m));
    assert_int_equal(run(w, "convert", "in", "out", NULL), TROUBLE);
    assert_string_equal(w->err, "fletch: convert: no --to=KIND; try `fletch convert --help`\n");
    assert_int_equal(run(w, "convert", "--to=stream", NULL), TROUBLE);
    expect_in(w->err, "fletch: convert: no FILE named\nusage: fletch convert ");
    assert_int_equal(run(w, "convert", "--to=stream", "in", NULL), TROUBLE);
    expect_in(w->err, "fletch: convert: one FILE too few\nusage: fletch convert ");
    assert_int_equal(run(w, "convert", "--to=stream", "in", "out", "more", NULL), TROUBLE);
    expect_in(w->err, "fletch: more: one FILE too many\n");
    assert_int_equal(run(w, "convert", "--to=parquet", "in", "out", NULL), TROUBLE);
    expect_in(w->err, "none of schema, message, footer, encapsulated, stream, file, base64\n");
    expect_files("in", NULL);
}

static void what_is_not_ok_is_not_converted(void **state)
{
    world *w = *state;
    block blocks[3];

    blocks[0] = cut_stream(w->m);
    blocks[1] = invalid_stream(w->m);
    blocks[2] = clashing_stream(w->m);
    for (size_t i = 0; i < 3; i++) {
        char message[1100];

        write_block("in", blocks[i]);
        snprintf(message, sizeof message, "fletch: %s",
                 fault_line("in", blocks[i], FLETCH_LEVEL_ARROW));
        assert_int_equal(run(w, "convert", "--to=stream", "in", "out", NULL), NOT_OK);
        assert_string_equal(w->out, "");
        expect_first(w->err, message);
        expect_files("in", NULL);
    }
}

static void convert_names_what_it_reads_as_others_do(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);

    assert_int_equal(run(w, "convert", "--to=stream", "nowhere", "out", NULL), TROUBLE);
    assert_string_equal(w->err, "fletch: nowhere: No such file or directory\n");
    write_block("in", finish(w->m, s.schema));
    assert_int_equal(run(w, "convert", "--as=file", "--to=stream", "in", "out", NULL), NOT_OK);
    expect_files("in", NULL);
}

/* Level arrow lets any number of features pass, the builder does not. */
static void what_can_t_be_written_is_told_with_its_path(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m);
    node *features = make_vector(w->m, 8);

    for (int i = 0; i < 9; i++)
        append_number(features, i);
    set_node(schema, SCHEMA_FEATURES, features);
    write_block("in", finish(w->m, new_message(w->m, schema)));
    assert_int_equal(run(w, "verify", "in", NULL), ALL_WELL);
    assert_int_equal(run(w, "convert", "--to=stream", "in", "out", NULL), NOT_OK);
    assert_string_equal(w->err, "fletch: in: limit: more than 8 features (path features[8])\n");
    expect_files("in", NULL);
}

/* Where it is written */

static void a_dash_is_standard_output(void **state)
{
    world *w = *state;
    block b = sample_stream(w->m), file, piped;

    write_block("in", b);
    (void)converted(w, "in", FLETCH_FILE);
    file = read_file(w->m, "out");
    w->standard_input = pipe_with(b);
    w->standard_output = open("piped", O_WRONLY | O_CREAT, 0600);
    assert_int_equal(run(w, "convert", "--to=file", "-", "-", NULL), ALL_WELL);
    close(w->standard_input);
    close(w->standard_output);
    assert_int_equal(wait_for(-1), 0);
    assert_string_equal(w->err, "");
    piped = read_file(w->m, "piped");
    assert_int_equal(piped.size, file.size);
    assert_memory_equal(piped.bytes, file.bytes, file.size);
}

static void base64_ends_its_line(void **state)
{
    world *w = *state;
    char *text;
    size_t size;

    write_block("in", sample_stream(w->m));
    (void)converted(w, "in", FLETCH_BASE64);
    text = read_text("out");
    size = strlen(text);
    assert_int_equal(size % 4, 1);
    assert_ptr_equal(strchr(text, '\n'), text + size - 1);
    assert_int_equal(run(w, "convert", "--to=base64", "in", "-", NULL), ALL_WELL);
    assert_string_equal(w->out, text);
    free(text);
}

/* Runs `convert` with its output on a terminal; tells what came there. */
static int convert_to_terminal(world *w, const char *to, char *text, size_t size)
{
    int near = posix_openpt(O_RDWR | O_NOCTTY);
    ssize_t count = 0;
    int code;

    if (near < 0 || grantpt(near) != 0 || unlockpt(near) != 0) skip();
    w->standard_output = open(ptsname(near), O_RDWR | O_NOCTTY);
    if (w->standard_output < 0) skip();
    code = run(w, "convert", to, "in", "-", NULL);
    if (code == ALL_WELL) count = read(near, text, size - 1);
    text[count > 0 ? count : 0] = '\0';
    close(w->standard_output);
    close(near);
    w->standard_output = -1;
    return code;
}

static void a_terminal_gets_no_binary(void **state)
{
    world *w = *state;
    char text[4096];

    write_block("in", sample_stream(w->m));
    assert_int_equal(convert_to_terminal(w, "--to=stream", text, sizeof text), TROUBLE);
    assert_string_equal(w->err, "fletch: standard output: a terminal, which takes --to=base64 "
                                "only\n");
    assert_int_equal(convert_to_terminal(w, "--to=base64", text, sizeof text), ALL_WELL);
    assert_memory_equal(text, "////", 4);
}

static void the_output_may_be_the_input(void **state)
{
    world *w = *state;
    block b = sample_stream(w->m);
    fletch_schema before = open_as(b, FLETCH_STREAM, FLETCH_LEVEL_ARROW), after;

    write_block("in", b);
    assert_int_equal(run(w, "convert", "--to=file", "in", "in", NULL), ALL_WELL);
    after = open_written(w, "in", FLETCH_FILE);
    expect_same_schema(w, &before, &after);
    expect_files("in", NULL);
}

static void an_input_with_data_is_not_replaced(void **state)
{
    world *w = *state;
    block before, after;

    write_block("out", sample_stream(w->m));
    assert_int_equal(run(w, "convert", "--to=file", "out", "in", NULL), ALL_WELL);
    assert_int_equal(symlink("in", "link"), 0);
    before = read_file(w->m, "in");
    assert_int_equal(run(w, "convert", "--to=stream", "in", "link", NULL), TROUBLE);
    assert_string_equal(w->err, "fletch: link: the input, whose data would be lost\n");
    after = read_file(w->m, "in");
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.bytes, before.bytes, before.size);
}

static void a_file_that_is_replaced_keeps_its_mode(void **state)
{
    world *w = *state;
    struct stat status;

    write_block("in", sample_stream(w->m));
    write_block("out", text_block(w->m, "old"));
    assert_int_equal(chmod("out", 0640), 0);
    (void)converted(w, "in", FLETCH_STREAM);
    assert_int_equal(stat("out", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    expect_files("in", "out");
}

static void a_link_stays_a_link(void **state)
{
    world *w = *state;
    struct stat status;

    write_block("in", sample_stream(w->m));
    write_block("old", text_block(w->m, "a text that is longer than what is written, it may be"));
    assert_int_equal(symlink("old", "out"), 0);
    (void)converted(w, "in", FLETCH_STREAM);
    assert_int_equal(lstat("out", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    (void)open_written(w, "old", FLETCH_STREAM);
}

static void output_without_a_place_is_trouble(void **state)
{
    world *w = *state;

    write_block("in", sample_stream(w->m));
    assert_int_equal(run(w, "convert", "--to=file", "in", "nowhere/out", NULL), TROUBLE);
    assert_string_equal(w->err, "fletch: nowhere/out: No such file or directory\n");
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(run(w, "convert", "--to=file", "in", "folder", NULL), TROUBLE);
    assert_string_equal(w->err, "fletch: folder: Is a directory\n");
    expect_files("in", "folder");
}

static void a_device_is_written_to(void **state)
{
    world *w = *state;

    write_block("in", sample_stream(w->m));
    assert_int_equal(run(w, "convert", "--to=file", "in", "/dev/null", NULL), ALL_WELL);
    if (access("/dev/full", W_OK) != 0) skip();
    assert_int_equal(run(w, "convert", "--to=file", "in", "/dev/full", NULL), TROUBLE);
    assert_string_equal(w->err, "fletch: /dev/full: No space left on device\n");
    w->standard_output = open("/dev/full", O_WRONLY);
    assert_int_equal(run(w, "convert", "--to=file", "in", "-", NULL), TROUBLE);
    close(w->standard_output);
    assert_string_equal(w->err, "fletch: standard output: No space left on device\n");
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

static void a_failure_leaves_the_old_file(void **state)
{
    world *w = *state;
    char *text;
    int code;

    write_block("in", wide_schema(w->m, 100000));
    write_block("out", text_block(w->m, "old"));
    bound_files(1 << 20); /* more than what tools write beside, as that of coverage */
    code = run(w, "convert", "--as=schema", "--to=stream", "in", "out", NULL);
    bound_files(RLIM_INFINITY);
    assert_int_equal(code, TROUBLE);
    assert_string_equal(w->err, "fletch: out: File too large\n");
    text = read_text("out");
    assert_string_equal(text, "old");
    free(text);
    expect_files("in", "out");
}

static void a_file_that_is_read_only_stays(void **state)
{
    world *w = *state;
    bool is_root;
    char *text;

    write_block("in", sample_stream(w->m));
    write_block("out", text_block(w->m, "old"));
    assert_int_equal(chmod("out", 0400), 0);
    is_root = access("out", W_OK) == 0; /* who may write to anything */
    assert_int_equal(run(w, "convert", "--to=stream", "in", "out", NULL),
                     is_root ? ALL_WELL : TROUBLE);
    assert_string_equal(w->err, is_root ? "" : "fletch: out: Permission denied\n");
    text = read_text("out");
    assert_int_equal(strcmp(text, "old") == 0, !is_root);
    free(text);
    expect_files("in", "out");
}

/* fletch build */

/* Runs `fletch build` with a text on its standard input, and an option or NULL. */
static int build(world *w, const char *text, const char *option, const char *out)
{
    int code;

    write_block("text", text_block(w->m, text));
    w->standard_input = open("text", O_RDONLY);
    code = option != NULL ? run(w, "build", option, out, NULL) : run(w, "build", out, NULL);
    close(w->standard_input);
    w->standard_input = -1;
    return code;
}

static const char small_json[] =
    "{\"schema\":{\"fields\":[{\"name\":\"a\",\"nullable\":true,\"type\":{\"name\":\"utf8\"},"
    "\"children\":[]}],\"metadata\":[{\"key\":\"k\",\"value\":\"v\"}]}}\n";

static void json_becomes_a_stream_unless_told_otherwise(void **state)
{
    world *w = *state;

    assert_int_equal(build(w, small_json, NULL, "out"), ALL_WELL);
    assert_string_equal(w->out, "");
    assert_string_equal(w->err, "");
    assert_int_equal(open_written(w, "out", FLETCH_STREAM).wrapper.version, FLETCH_V5);
    assert_int_equal(run(w, "json", "out", NULL), ALL_WELL);
    assert_string_equal(w->out, small_json);
    expect_files("text", "out");
}

static void json_becomes_every_kind(void **state)
{
    world *w = *state;

    for (int kind = FLETCH_SCHEMA; kind <= FLETCH_BASE64; kind++) {
        char to[32], as[32];

        if (kind == FLETCH_PARQUET) continue;
        snprintf(to, sizeof to, "--to=%s", fletch_kind_word((fletch_kind)kind));
        snprintf(as, sizeof as, "--as=%s", fletch_kind_word((fletch_kind)kind));
        assert_int_equal(build(w, small_json, to, "out"), ALL_WELL);
        assert_int_equal(run(w, "verify", "--level=strict", as, "out", NULL), ALL_WELL);
        assert_int_equal(run(w, "json", as, "out", NULL), ALL_WELL);
        assert_string_equal(w->out, small_json);
    }
}

static void what_is_built_is_what_is_converted(void **state)
{
    world *w = *state;
    char *json = read_text(data_file("expected/duckdbwasm-1.32.0__query.arrow.json"));
    block a, b;

    assert_int_equal(build(w, json, "--to=file", "a"), ALL_WELL);
    assert_int_equal(run(w, "convert", "--to=file", data_file("duckdbwasm-1.32.0__query.arrow"),
                         "b", NULL),
                     ALL_WELL);
    a = read_file(w->m, "a");
    b = read_file(w->m, "b");
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    free(json);
}

static void json_is_read_from_a_pipe_and_written_to_one(void **state)
{
    world *w = *state;
    fletch_schema schema;

    w->standard_input = pipe_with(text_block(w->m, small_json));
    w->standard_output = open("piped", O_WRONLY | O_CREAT, 0600);
    assert_int_equal(run(w, "build", "-", NULL), ALL_WELL);
    close(w->standard_input);
    close(w->standard_output);
    assert_int_equal(wait_for(-1), 0);
    schema = open_written(w, "piped", FLETCH_STREAM);
    assert_int_equal(fletch_count_fields(&schema.fields), 1);
}

static void what_is_no_json_is_told_with_its_line_and_column(void **state)
{
    world *w = *state;

    assert_int_equal(build(w, "{\"fields\": [\n  {\"name\": \"\303\251\",\n   \"nullable\": no}]}",
                           NULL, "out"),
                     NOT_OK);
    assert_string_equal(w->out, "");
    assert_string_equal(w->err,
                        "fletch: standard input: line 3, column 17: true, false or null is wanted\n"
                        "    |    \"nullable\": no}]}\n"
                        "    |                 ^\n");
    assert_int_equal(build(w, "", NULL, "out"), NOT_OK);
    assert_string_equal(w->err,
                        "fletch: standard input: line 1, column 1: the text ends too early\n");
    expect_files("text", NULL);
}

static void names_in_the_text_cannot_steer_the_terminal(void **state)
{
    world *w = *state;

    assert_int_equal(build(w, "{\"\\u001b[2J\\u009b\\n\303\244\":1}", NULL, "out"), NOT_OK);
    assert_string_equal(w->err, "fletch: standard input: line 1, column 2: unknown member "
                                "\"\\x1b[2J\\u009b\\n\303\244\"\n"
                                "    | {\"\\u001b[2J\\u009b\\n\303\244\":1}\n"
                                "    |  ^\n");
}

/* Only as much of the line as is readable, escaped, with the mark where it is shown. */
static void the_place_in_a_long_line_of_json_is_pointed_at(void **state)
{
    char text[2000];
    world *w = *state;

    memset(text, ' ', sizeof text);
    memcpy(text, "{\"fields\": [", 12);
    memcpy(text + 990, "\033[2J", 4);
    text[sizeof text - 1] = '\0';
    assert_int_equal(build(w, text, NULL, "out"), NOT_OK);
    expect_in(w->err, "\n    |                                     \\x1b[2J   ");
    expect_in(w->err, "\n    |                                     ^\n");
    assert_true(widest_line(w->err) <= 100);
}

static void what_breaks_arrow_s_rules_is_told_with_its_path(void **state)
{
    world *w = *state;

    assert_int_equal(build(w,
                           "{\"fields\":[\n{\"name\":\"t\",\"nullable\":true,\"type\":"
                           "{\"name\":\"time\",\"unit\":\"SECOND\",\"bitWidth\":64}}]}",
                           NULL, "out"),
                     NOT_OK);
    expect_in(w->err, "fletch: standard input: line 2, column 1: invalid: ");
    expect_in(w->err, "(path fields[0].type.bitWidth)\n");
    expect_files("text", NULL);
}

#define ENCODED(name, type)                                                                        \
    "{\"name\":\"" name "\",\"nullable\":true,\"type\":{\"name\":\"" type "\"},\"dictionary\":"    \
    "{\"id\":7,\"indexType\":{\"name\":\"int\",\"bitWidth\":8,\"isSigned\":true},"                 \
    "\"isOrdered\":false}}"

static void dictionaries_that_clash_are_not_built(void **state)
{
    world *w = *state;

    assert_int_equal(build(w, "{\"fields\":[" ENCODED("a", "utf8") "," ENCODED("b", "binary") "]}",
                           NULL, "out"),
                     NOT_OK);
    expect_in(w->err, "fletch: standard input: invalid: ");
    expect_in(w->err, "(path fields[1].dictionary.id)\n");
    expect_files("text", NULL);
    assert_int_equal(build(w, "{\"fields\":[" ENCODED("a", "utf8") "," ENCODED("b", "utf8") "]}",
                           NULL, "out"),
                     ALL_WELL);
}

static void build_wants_one_file(void **state)
{
    world *w = *state;

    assert_int_equal(build(w, small_json, "a", "b"), TROUBLE);
    expect_in(w->err, "fletch: b: one FILE too many\nusage: fletch build ");
    assert_int_equal(run(w, "build", NULL), TROUBLE);
    expect_in(w->err, "fletch: build: no FILE named\n");
    assert_int_equal(build(w, small_json, "--as=schema", "out"), TROUBLE);
    expect_in(w->err, "fletch: --as=schema: no such option\n");
    assert_int_equal(build(w, small_json, "--to=file", "nowhere/out"), TROUBLE);
    assert_string_equal(w->err, "fletch: nowhere/out: No such file or directory\n");
    expect_files("text", NULL);
}

/* fletch diff */

/* A stream of these fields, in this order; all int32, nullable. */
static void write_columns(world *w, const char *file, const char *const *names)
{
    node *schema = new_schema(w->m);

    for (; *names != NULL; names++)
        add_field(schema, int_field(w->m, *names));
    write_block(file, stream_of(w->m, finish(w->m, new_message(w->m, schema))));
}

/* A stream of one field with this dictionary's id, and pairs of the schema in this order. */
static void write_coded(world *w, const char *file, int64_t id, const char *const *keys)
{
    node *field = text_field(w->m, "d"), *schema = schema_with(w->m, field);

    add_dictionary(w->m, field, id, NULL);
    for (; *keys != NULL; keys++)
        add_pair(w->m, schema, SCHEMA_METADATA, *keys, "v");
    write_block(file, stream_of(w->m, finish(w->m, new_message(w->m, schema))));
}

static void diff_of_equal_schemas_is_silent(void **state)
{
    world *w = *state;

    write_block("a", sample_stream(w->m));
    assert_int_equal(run(w, "convert", "--to=file", "a", "b", NULL), ALL_WELL);
    assert_int_equal(run(w, "diff", "a", "b", NULL), ALL_WELL);
    assert_string_equal(w->out, "");
    assert_string_equal(w->err, "");
    assert_int_equal(run(w, "diff", "a", "a", NULL), ALL_WELL);
}

static void diff_has_a_line_for_each_difference(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);

    write_block("a", sample_stream(w->m));
    set8(s.field, FIELD_NULLABLE, 0);
    set32(s.type, INT_WIDTH, 64);
    add_pair(w->m, s.field, FIELD_METADATA, "l", "w");
    set_node(s.pair, PAIR_VALUE, make_text(w->m, "other"));
    set16(s.schema, SCHEMA_ENDIANNESS, FLETCH_BIG_ENDIAN);
    add_field(s.schema, text_field(w->m, "more"));
    write_block("b", stream_of(w->m, finish(w->m, new_message(w->m, s.schema))));
    assert_int_equal(run(w, "diff", "a", "b", NULL), NOT_OK);
    assert_string_equal(w->out,
                        "endianness: little -> big\n"
                        "fields[0].nullable: true -> false (field \"col\")\n"
                        "fields[0].type.bitWidth: 32 -> 64 (field \"col\")\n"
                        "fields[0].custom_metadata[0].value: \"v\" -> \"other\" (field \"col\")\n"
                        "fields[0].custom_metadata[1]: only in B: \"l\": \"w\" (field \"col\")\n"
                        "fields[1]: only in B: \"more\": string\n");
    assert_string_equal(w->err, "");
    assert_int_equal(run(w, "diff", "b", "a", NULL), NOT_OK);
    expect_in(w->out, "endianness: big -> little\n");
    expect_in(w->out, "fields[1]: only in A: \"more\": string\n");
}

static void diff_says_types_in_words(void **state)
{
    world *w = *state;
    node *list = nested_field(w->m, "x", FLETCH_TYPE_LIST), *zoned = make_table(w->m);
    node *other = make_table(w->m), *schema;

    set_node(zoned, TIMESTAMP_ZONE, make_text(w->m, "UTC"));
    set16(other, TIMESTAMP_UNIT, FLETCH_MICROSECOND);
    add_child(list, int_field(w->m, "item"));
    schema = schema_with(w->m, list);
    add_field(schema, new_field(w->m, "t", FLETCH_TYPE_TIMESTAMP, zoned));
    add_field(schema, text_field(w->m, "d"));
    write_block("a", finish(w->m, schema));
    schema = schema_with(w->m, int_field(w->m, "x"));
    add_field(schema, new_field(w->m, "t", FLETCH_TYPE_TIMESTAMP, other));
    add_field(schema, text_field(w->m, "d"));
    write_block("b", finish(w->m, schema));
    assert_int_equal(run(w, "diff", "--as=schema", "a", "b", NULL), NOT_OK);
    assert_string_equal(w->out,
                        "fields[0].type: list<item: int32> -> int32 (field \"x\")\n"
                        "fields[0].children[0]: only in A: \"item\": int32\n"
                        "fields[1].type.unit: timestamp[s, tz=UTC] -> timestamp[us] (field \"t\")\n"
                        "fields[1].type.timezone: \"UTC\" -> \"\" (field \"t\")\n");
}

static void diff_shows_what_is_encoded_in_one_only(void **state)
{
    static const char *const no_keys[] = {NULL};
    world *w = *state;

    write_coded(w, "a", 1, no_keys);
    write_block(
        "b",
        stream_of(w->m, finish(w->m, new_message(w->m, schema_with(w->m, text_field(w->m, "d"))))));
    assert_int_equal(run(w, "diff", "a", "b", NULL), NOT_OK);
    assert_string_equal(w->out, "fields[0].dictionary: dictionary<values=string, indices=int32, "
                                "ordered=0> -> string (field \"d\")\n");
}

static void diff_with_a_file_that_is_not_ok_is_trouble(void **state)
{
    world *w = *state;
    block bad = invalid_stream(w->m);

    write_block("good", sample_stream(w->m));
    write_block("bad", bad);
    assert_int_equal(run(w, "diff", "good", "bad", NULL), TROUBLE);
    assert_string_equal(w->out, "");
    expect_in(w->err, fault_line("bad", bad, FLETCH_LEVEL_ARROW));
    assert_int_equal(run(w, "diff", "bad", "good", NULL), TROUBLE);
    expect_in(w->err, fault_line("bad", bad, FLETCH_LEVEL_ARROW));
    assert_int_equal(run(w, "diff", "bad", "bad", NULL), TROUBLE);
    assert_int_equal(run(w, "diff", "good", "none", NULL), TROUBLE);
    assert_string_equal(w->err, "fletch: none: No such file or directory\n");
    assert_int_equal(run(w, "diff", "none", "good", NULL), TROUBLE);
}

static void diff_takes_two_files(void **state)
{
    world *w = *state;

    write_block("a", sample_stream(w->m));
    assert_int_equal(run(w, "diff", "a", NULL), TROUBLE);
    expect_in(w->err, "fletch: diff: one FILE too few\nusage: fletch diff ");
    assert_int_equal(run(w, "diff", "a", "a", "a", NULL), TROUBLE);
    expect_in(w->err, "fletch: a: one FILE too many\n");
    assert_int_equal(run(w, "diff", "-", "-", NULL), TROUBLE);
    expect_in(w->err, "only one of A and B can be standard input\n");
    w->standard_input = open("a", O_RDONLY);
    assert_int_equal(run(w, "diff", "a", "-", NULL), ALL_WELL);
    close(w->standard_input);
}

static void diff_ignores_what_it_is_told_to(void **state)
{
    static const char *const keys[] = {"k", "l", "m", NULL}, *const turned[] = {"m", "l", "k",
                                                                                NULL};
    world *w = *state;

    write_coded(w, "a", 1, keys);
    write_coded(w, "b", 2, turned);
    assert_int_equal(run(w, "diff", "a", "b", NULL), NOT_OK);
    assert_string_equal(w->out, "fields[0].dictionary.id: 1 -> 2 (field \"d\")\n"
                                "custom_metadata[0].key: \"k\" -> \"m\"\n"
                                "custom_metadata[2].key: \"m\" -> \"k\"\n");
    assert_int_equal(run(w, "diff", "--ignore=metadata-order", "a", "b", NULL), NOT_OK);
    assert_string_equal(w->out, "fields[0].dictionary.id: 1 -> 2 (field \"d\")\n");
    assert_int_equal(run(w, "diff", "--ignore=dictionary-ids", "--ignore=metadata-order", "a", "b",
                         NULL),
                     ALL_WELL);
    assert_int_equal(run(w, "diff", "--ignore=dictionary-ids", "--ignore=metadata", "a", "b", NULL),
                     ALL_WELL);
    assert_int_equal(run(w, "diff", "--ignore=names", "a", "b", NULL), TROUBLE);
    expect_in(w->err, "fletch: --ignore=names: none of metadata, metadata-order, child-names, "
                      "dictionary-ids, endianness, features\n");
}

static void diff_ignores_settings_and_child_names_too(void **state)
{
    world *w = *state;
    node *lists[2], *schema = NULL, *features = make_vector(w->m, 8);
    int i;

    append_number(features, 1);
    for (i = 0; i < 2; i++) {
        lists[i] = nested_field(w->m, "x", FLETCH_TYPE_LIST);
        add_child(lists[i], int_field(w->m, i == 0 ? "item" : "element"));
        schema = schema_with(w->m, lists[i]);
        if (i == 1) set16(schema, SCHEMA_ENDIANNESS, FLETCH_BIG_ENDIAN);
        if (i == 1) set_node(schema, SCHEMA_FEATURES, features);
        write_block(i == 0 ? "a" : "b", finish(w->m, new_message(w->m, schema)));
    }
    assert_int_equal(run(w, "diff", "a", "b", NULL), NOT_OK);
    assert_string_equal(w->out, "endianness: little -> big\n"
                                "features: 0 elements -> 1 elements\n"
                                "fields[0].children[0].name: \"item\" -> \"element\"\n");
    assert_int_equal(run(w, "diff", "--ignore=child-names", "--ignore=endianness",
                         "--ignore=features", "a", "b", NULL),
                     ALL_WELL);
}

static void names_that_differ_cannot_steer_the_terminal(void **state)
{
    static const char *const a[] = {"\033[2J\"\\\302\233\n\303\244", "u\342\200\256x", NULL};
    static const char *const b[] = {"\377\303\344\275", "u\357\273\277x\341\202\240", NULL};
    world *w = *state;

    write_columns(w, "a", a);
    write_columns(w, "b", b);
    assert_int_equal(run(w, "diff", "a", "b", NULL), NOT_OK);
    assert_string_equal(w->out, "fields[0].name: \"\\x1b[2J\\\"\\\\\\u009b\\n\303\244\" -> "
                                "\"\\xff\\xc3\\xe4\\xbd\"\n"
                                "fields[1].name: \"u\\u202ex\" -> \"u\\ufeffx\341\202\240\"\n");
}

static void diff_cuts_long_values_unless_full(void **state)
{
    char name[201];
    const char *const a[] = {name, NULL}, *const b[] = {"short", NULL};
    world *w = *state;

    memset(name, 'n', 200);
    memcpy(name + 79, "\303\244", 2); /* would be cut in two */
    name[200] = 0;
    write_columns(w, "a", a);
    write_columns(w, "b", b);
    assert_int_equal(run(w, "diff", "a", "b", NULL), NOT_OK);
    expect_in(w->out, "nnn...\" (200 bytes) -> \"short\"\n");
    expect_not_in(w->out, "\303");
    assert_int_equal(run(w, "diff", "--full", "a", "b", NULL), NOT_OK);
    expect_in(w->out, name);
}

/* Real files */

/* The JSON of a file, to be freed; as much of it as there is where it can't be JSON. */
static char *json_of_file(maker *m, const char *path, fletch_kind kind)
{
    const fletch_options options = {.kind = kind};
    fletch_schema schema;
    paper p = {0};

    assert_true(write_on(&p, "", 0));
    if (open_lending(m, read_file(m, path), &options, &schema, NULL) == FLETCH_OK)
        (void)fletch_print_json(&schema, NULL, write_on, &p, NULL);
    return p.text;
}

static bool is_same_json(maker *m, const char *path, fletch_kind kind, const char *schema)
{
    char *a = json_of_file(m, path, kind), *b = json_of_file(m, schema, FLETCH_SCHEMA);
    bool is_same = strcmp(a, b) == 0;

    free(a);
    free(b);
    return is_same;
}

/*
 * Converts a good file to `kinds`, each from the one before; the first and the last are schemas.
 * They are the same to the byte, once written as the library does: twice, since a union without
 * typeIds has them the first time, and then behind its children.
 */
static unsigned convert_around(world *w, const char *path, fletch_kind kind,
                               const fletch_kind *kinds, size_t count)
{
    const char *from = path;
    block first = {NULL, 0}, last;

    for (size_t i = 0; i <= count; i++) {
        const fletch_kind next = kinds[i != 0 ? i - 1 : 0];
        const char *out = (count - i) % 2 == 0 ? "out" : "by turns";
        char as[32], to[32];

        snprintf(as, sizeof as, "--as=%s", fletch_kind_word(kind));
        snprintf(to, sizeof to, "--to=%s", fletch_kind_word(next));
        if (run(w, "convert", as, to, from, out, NULL) != ALL_WELL) {
            print_error("%s %s %s: %s", path, as, to, w->err);
            return 1;
        }
        from = out;
        kind = next;
        if (i == 1) first = read_file(w->m, out);
    }
    last = read_file(w->m, "out");
    if (last.size == first.size && memcmp(first.bytes, last.bytes, last.size) == 0) return 0;
    print_error("%s comes back as another\n", path);
    return 1;
}

/* To every kind and back. */
static unsigned convert_to_all(world *w, const char *path, fletch_kind kind, size_t number)
{
    static const fletch_kind kinds[] = {FLETCH_SCHEMA,       FLETCH_MESSAGE, FLETCH_FOOTER,
                                        FLETCH_ENCAPSULATED, FLETCH_STREAM,  FLETCH_FILE,
                                        FLETCH_BASE64,       FLETCH_SCHEMA};

    (void)number;
    return convert_around(w, path, kind, kinds, sizeof kinds / sizeof kinds[0]);
}

/* To one kind, the next for each file, and back. */
static unsigned convert_to_one(world *w, const char *path, fletch_kind kind, size_t number)
{
    static const fletch_kind others[] = {FLETCH_MESSAGE, FLETCH_FOOTER, FLETCH_ENCAPSULATED,
                                         FLETCH_STREAM,  FLETCH_FILE,   FLETCH_BASE64};
    const fletch_kind kinds[] = {FLETCH_SCHEMA, others[number % 6], FLETCH_SCHEMA};

    return convert_around(w, path, kind, kinds, 3);
}

typedef unsigned (*conversion)(world *w, const char *path, fletch_kind kind, size_t number);

/* A good file, by way of `convert`, becomes the same schema. */
static unsigned convert_file(world *w, const char *path, fletch_kind kind, size_t number,
                             conversion convert)
{
    if (convert(w, path, kind, number) != 0) return 1;
    if (is_same_json(w->m, path, kind, "out")) return 0;
    print_error("%s becomes another\n", path);
    return 1;
}

/* The good files of a manifest, from row to row by `step`; skips the test where there is none. */
static void convert_files(world *w, const char *manifest, const char *folder, size_t step,
                          conversion convert)
{
    table_file table = read_table(w->m, manifest);
    unsigned wrong = 0, count = 0;

    if (table.rows == NULL) {
        print_message("there is no %s: skipped\n", manifest);
        skip();
    }
    for (size_t row = 0; row < table.count; row += step) {
        maker *all = w->m;
        char path[1024];

        if (strcmp(cell(&table, row, "arrow"), "ok") != 0) continue;
        w->m = maker_new();
        snprintf(path, sizeof path, "%s/%s", folder, cell(&table, row, "file"));
        wrong += convert_file(w, path, kind_of(cell(&table, row, "kind")), count, convert);
        maker_free(w->m);
        w->m = all;
        count++;
    }
    free_table(&table);
    assert_int_not_equal(count, 0);
    if (wrong != 0) fail_msg("%u of %u files", wrong, count);
}

static void data_become_every_kind_and_come_back(void **state)
{
    convert_files(*state, FLETCH_DATA_DIR "/MANIFEST.tsv", FLETCH_DATA_DIR, 1, convert_to_all);
}

/* Each file goes through the library in test_round_trip; here, where each takes four starts of the
 * program, every fourth goes. */
static void the_corpus_becomes_other_kinds_and_comes_back(void **state)
{
    convert_files(*state, FLETCH_SHARED_DIR "/corpus/MANIFEST.tsv",
                  FLETCH_SHARED_DIR "/corpus/files", 4, convert_to_one);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_WORLD(without_a_command_it_exits_2),
        IN_A_WORLD(an_unknown_command_is_named),
        IN_A_WORLD(help_names_every_command),
        IN_A_WORLD(help_has_short_forms),
        IN_A_WORLD(every_command_has_its_help),
        IN_A_WORLD(the_version_is_the_library_s),
        IN_A_WORLD(an_unknown_option_is_refused),
        IN_A_WORLD(an_option_of_another_command_is_refused),
        IN_A_WORLD(a_word_with_one_dash_is_refused),
        IN_A_WORLD(an_unknown_kind_is_refused_with_those_there_are),
        IN_A_WORLD(an_unknown_level_is_refused),
        IN_A_WORLD(an_option_without_its_value_is_refused),
        IN_A_WORLD(a_value_may_be_the_word_behind_its_option),
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
        IN_A_WORLD(names_of_files_cannot_turn_a_line),
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
        IN_A_WORLD(nested_fields_hang_below_each_other_in_columns),
        IN_A_WORLD(a_locale_of_utf_8_draws_the_tree),
        IN_A_WORLD(depth_leaves_out_what_is_below_and_counts_it),
        IN_A_WORLD(a_depth_that_is_no_number_of_levels_is_refused),
        IN_A_WORLD(match_shows_a_field_with_what_leads_to_it),
        IN_A_WORLD(match_shows_all_below_a_field),
        IN_A_WORLD(match_is_by_name_or_by_path),
        IN_A_WORLD(several_patterns_select_what_any_of_them_does),
        IN_A_WORLD(counts_are_numbers_by_nesting_and_type),
        IN_A_WORLD(counts_are_of_what_matches),
        IN_A_WORLD(no_line_of_many_fields_is_wider_than_the_terminal),
        IN_A_WORLD(fields_too_deep_to_draw_have_their_level),
        IN_A_WORLD(names_in_a_tree_stay_names),
        IN_A_WORLD(a_dictionary_is_its_values_and_its_indices),
        IN_A_WORLD(the_name_of_an_extension_type_stands_with_the_type),
        IN_A_WORLD(shared_children_end_at_a_limit),
        IN_A_WORLD(a_long_name_that_is_shared_ends_at_the_budget_of_text),
        IN_A_WORLD(colours_come_when_asked_for),
        IN_A_WORLD(a_terminal_gets_colours_unless_no_color_is_set),
        IN_A_WORLD(json_is_one_line),
        IN_A_WORLD(json_of_a_bad_file_is_nothing),
        IN_A_WORLD(json_that_fails_late_is_nothing),
        IN_A_WORLD(json_of_many_fields_is_whole),
        IN_A_WORLD(a_schema_is_written_as_every_kind),
        IN_A_WORLD(what_only_others_write_is_converted),
        IN_A_WORLD(version_endianness_and_features_stay),
        IN_A_WORLD(a_bare_schema_gets_the_newest_version),
        IN_A_WORLD(a_footer_without_a_version_is_v4),
        IN_A_WORLD(metadata_of_message_and_footer_stay_where_they_have_a_place),
        IN_A_WORLD(metadata_without_a_place_leaves_no_bytes),
        IN_A_WORLD(a_file_without_a_head_has_no_metadata_there),
        IN_A_WORLD(legacy_is_old_framing_and_v4),
        IN_A_WORLD(legacy_is_refused_where_nothing_is_framed),
        IN_A_WORLD(convert_wants_a_kind_and_two_files),
        IN_A_WORLD(what_is_not_ok_is_not_converted),
        IN_A_WORLD(convert_names_what_it_reads_as_others_do),
        IN_A_WORLD(what_can_t_be_written_is_told_with_its_path),
        IN_A_WORLD(a_dash_is_standard_output),
        IN_A_WORLD(base64_ends_its_line),
        IN_A_WORLD(a_terminal_gets_no_binary),
        IN_A_WORLD(the_output_may_be_the_input),
        IN_A_WORLD(an_input_with_data_is_not_replaced),
        IN_A_WORLD(a_file_that_is_replaced_keeps_its_mode),
        IN_A_WORLD(a_link_stays_a_link),
        IN_A_WORLD(output_without_a_place_is_trouble),
        IN_A_WORLD(a_device_is_written_to),
        IN_A_WORLD(a_failure_leaves_the_old_file),
        IN_A_WORLD(a_file_that_is_read_only_stays),
        IN_A_WORLD(json_becomes_a_stream_unless_told_otherwise),
        IN_A_WORLD(json_becomes_every_kind),
        IN_A_WORLD(what_is_built_is_what_is_converted),
        IN_A_WORLD(json_is_read_from_a_pipe_and_written_to_one),
        IN_A_WORLD(what_is_no_json_is_told_with_its_line_and_column),
        IN_A_WORLD(names_in_the_text_cannot_steer_the_terminal),
        IN_A_WORLD(the_place_in_a_long_line_of_json_is_pointed_at),
        IN_A_WORLD(what_breaks_arrow_s_rules_is_told_with_its_path),
        IN_A_WORLD(dictionaries_that_clash_are_not_built),
        IN_A_WORLD(build_wants_one_file),
        IN_A_WORLD(diff_of_equal_schemas_is_silent),
        IN_A_WORLD(diff_has_a_line_for_each_difference),
        IN_A_WORLD(diff_says_types_in_words),
        IN_A_WORLD(diff_shows_what_is_encoded_in_one_only),
        IN_A_WORLD(diff_with_a_file_that_is_not_ok_is_trouble),
        IN_A_WORLD(diff_takes_two_files),
        IN_A_WORLD(diff_ignores_what_it_is_told_to),
        IN_A_WORLD(diff_ignores_settings_and_child_names_too),
        IN_A_WORLD(names_that_differ_cannot_steer_the_terminal),
        IN_A_WORLD(diff_cuts_long_values_unless_full),
        IN_A_WORLD(data_become_every_kind_and_come_back),
        IN_A_WORLD(the_corpus_becomes_other_kinds_and_comes_back),
        IN_A_WORLD(a_full_disk_is_trouble),
        IN_A_WORLD(output_and_messages_come_in_the_order_of_the_files),
        IN_A_WORLD(a_reader_that_went_away_is_quiet_trouble),
        IN_A_WORLD(output_that_can_t_be_written_is_trouble),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
