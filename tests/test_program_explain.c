/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fletch explain`: what it lists of good and of broken bytes; and the bytes around a fault, which
 * all commands show.
 */
#define _XOPEN_SOURCE     700
#define _FILE_OFFSET_BITS 64

#include "support/building.h"
#include "support/program.h"

/* A listing, read back: where it stands, and whether all lines fitted so far. */
typedef struct reading {
    uint64_t at;
    bool is_decoded;
    block file;
} reading;

/* Reading listings */

/* Takes a line of a listing; false: it does not go on where the last one ended. */
static bool read_line(reading *r, const char *line)
{
    char *rest;
    const unsigned long long offset = strtoull(line, &rest, 10);
    unsigned long long last;
    const char *more;
    unsigned byte;
    int used, i;

    if (rest == line || strncmp(rest, "  ", 2) != 0) return true; /* no line of bytes */
    rest += 2;
    if (strncmp(rest, "(above)", 7) == 0) return true;
    if (offset != r->at) return false;
    if (strncmp(rest, "...", 3) == 0) {
        more = strstr(rest, "more, up to ");
        if (more == NULL || sscanf(more, "more, up to %llu", &last) != 1) return false;
        r->at = last + 1;
        return true;
    }
    for (i = 0; i < 8 && sscanf(rest, "%2x%n", &byte, &used) == 1 && used == 2; i++) {
        if (!r->is_decoded && r->file.bytes[r->at] != byte) return false;
        r->at++;
        rest += 2;
        if (*rest != ' ' || rest[1] == ' ') break;
        rest++;
    }
    return true;
}

/* The bytes of the messages that were counted together behind the last line. */
static uint64_t messages_counted(const char *line)
{
    unsigned long long bytes;
    const char *more = strstr(line, " more message");
    const char *comma = more != NULL ? strchr(more, ',') : NULL;

    return comma != NULL && sscanf(comma, ", %llu bytes", &bytes) == 1 ? bytes : 0;
}

/* Demands that a listing has all bytes of the file, in order; prints the line that does not fit. */
static bool lists_every_byte(const char *out, block file)
{
    reading r = {0, false, file};
    uint64_t size = file.size;
    char line[4096];

    while (*out != '\0') {
        const size_t length = strcspn(out, "\n");
        unsigned long long decoded;

        snprintf(line, sizeof line, "%.*s", (int)(length < 4000 ? length : 4000), out);
        out += length + (out[length] == '\n');
        if (sscanf(line, "decoded, %llu bytes", &decoded) == 1) {
            if (r.at != size) return false;
            r.at = 0;
            r.is_decoded = true;
            size = decoded;
        } else if (line[0] == '\0') {
            break; /* the summary follows */
        } else if (!read_line(&r, line)) {
            print_error("expected byte %llu: %s\n", (unsigned long long)r.at, line);
            return false;
        }
        r.at += messages_counted(line);
    }
    if (r.at != size)
        print_error("ends at %llu of %llu\n", (unsigned long long)r.at, (unsigned long long)size);
    return r.at == size;
}

/* Demands that the summary's parts are the whole. */
static bool adds_up(const char *out)
{
    const char *line = strstr(out, "\nThe flatbuffer's ");
    unsigned long long size, sum = 0, part;
    char word[32];

    if (line == NULL) return true; /* there is no flatbuffer */
    if (sscanf(line, "\nThe flatbuffer's %llu bytes:", &size) != 1) return false;
    for (line = strchr(line + 1, '\n') + 1; strncmp(line, "  ", 2) == 0;
         line = strchr(line, '\n') + 1) {
        if (sscanf(line, "  %20[a-zA-Z ] %llu", word, &part) != 2) break;
        sum += part;
    }
    return sum == size;
}

static bool has_control_characters(const char *text)
{
    for (; *text != '\0'; text++)
        if (((unsigned char)*text < 0x20 && *text != '\n') || *text == 0x7F) return true;
    return false;
}

/* Explains a file, and counts what is wrong with the listing. */
static unsigned explain_file(world *w, const char *path, const char *kind, const char *option)
{
    char as[32];
    block file = read_file(w->m, path);

    snprintf(as, sizeof as, "--as=%s", kind);
    if (run(w, "explain", as, option, path, NULL) > NOT_OK || !lists_every_byte(w->out, file) ||
        !adds_up(w->out) || has_control_characters(w->out) || has_control_characters(w->err)) {
        print_error("%s %s %s\n", path, as, option);
        return 1;
    }
    return 0;
}

/* Explains every `step`-th file of a folder with a MANIFEST.tsv. */
static void explain_folder(world *w, const char *folder, const char *files, size_t step)
{
    maker *own = maker_new();
    char path[2048];
    table_file table;
    unsigned faults = 0;
    size_t i;

    snprintf(path, sizeof path, "%s/MANIFEST.tsv", folder);
    table = read_table(own, path);
    if (table.rows == NULL) {
        maker_free(own);
        skip();
    }
    for (i = 0; i < table.count; i += step) {
        snprintf(path, sizeof path, "%s%s/%s", folder, files, cell(&table, i, "file"));
        faults +=
            explain_file(w, path, cell(&table, i, "kind"), i % 2 != 0 ? "--full" : "--depth=128");
        maker_free(w->m);
        w->m = maker_new();
    }
    free_table(&table);
    maker_free(own);
    assert_int_equal(faults, 0);
}

static void every_byte_of_the_data_is_listed_in_order(void **state)
{
    explain_folder(*state, FLETCH_DATA_DIR, "", 1);
}

static void every_byte_of_the_corpus_is_listed_in_order(void **state)
{
    explain_folder(*state, FLETCH_SHARED_DIR "/corpus", "/files", 9);
}

/* What bytes are */

static void a_small_stream_is_explained_word_by_word(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "explain", data_file("arrowjs-21.2.0__time-width.encap"), NULL),
                     ALL_WELL);
    expect_in(w->out, ": encapsulated, 200 bytes, of which the flatbuffer has 192\n"
                      "   0  ff ff ff ff              continuation: a message follows\n"
                      "   4  c0 00 00 00              length of the message = 192\n"
                      "   8  10 00 00 00              root table: at 24\n"
                      "  12  00 00                    padding\n"
                      "  14  0a 00                    vtable of Message: 10 bytes\n"
                      "  16  10 00                      for a table of 16 bytes\n"
                      "  18  0e 00                      version at +14\n"
                      "  20  07 00                      header_type at +7\n"
                      "  22  08 00                      header at +8\n"
                      "  24  0a 00 00 00              message: Message, vtable 14\n"
                      "  28  00 00 00                   padding\n"
                      "  31  01                         header_type = 1 (Schema)\n"
                      "  32  10 00 00 00                header: at 48\n"
                      "  36  00 00                      padding\n"
                      "  38  04 00                      version = 4 (V5)\n");
    expect_in(w->out, "\n  56  02 00 00 00              schema.fields: vector of 2\n"
                      "  60  54 00 00 00                [0] at 144\n"
                      "  64  04 00 00 00                [1] at 68\n"
                      "  68  c4 ff ff ff              fields[1] \"wrong\": Field, vtable 128\n");
    expect_in(w->out, "\n  92  05 00 00 00              fields[1].name: string of 5\n"
                      "  96  77 72 6f 6e 67             \"wrong\"\n"
                      " 101  00                         NUL\n"
                      " 102  00 00                    padding\n");
    expect_in(w->out, "\n 128  10 00                    vtable of Field: 16 bytes\n"
                      " 130  18 00                      for 2 tables of 24 bytes\n");
    expect_in(w->out, "\n 140  00 00                      dictionary: absent\n");
}

static void the_bytes_are_added_up_by_what_they_are_for(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "explain", data_file("arrowjs-21.2.0__time-width.encap"), NULL),
                     ALL_WELL);
    expect_in(w->out, "\nThe flatbuffer's 192 bytes:\n"
                      "  names and other text          9    4.7 %\n"
                      "  numbers                      15    7.8 %\n"
                      "  offsets                      68   35.4 %\n"
                      "  vtables                      48   25.0 %\n"
                      "  lengths and NULs             22   11.5 %\n"
                      "  padding                      30   15.6 %\n"
                      "  gaps                          0    0.0 %\n"
                      "  6 tables with 5 vtables, 2 strings, 3 vectors; sharing saves 16 bytes\n");
}

static void the_words_of_a_file_around_its_footer_are_named(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "explain", data_file("flechette-2.6.0__views.arrow"), NULL), ALL_WELL);
    expect_in(w->out, "\n   0  41 52 52 4f 57 31        magic \"ARROW1\"\n"
                      "   6  00 00                    padding\n"
                      "   8  ff ff ff ff 98 03 00 00  messages: the schema again, and the data\n");
    expect_in(w->out, "footer: Footer, vtable ");
    expect_in(w->out, "length of the footer = 908\n");
    expect_in(w->out, "\n1864  41 52 52 4f 57 31        magic \"ARROW1\"\n");
}

static void blocks_of_a_footer_are_read(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "explain", data_file("polars-0.25.2__frame.arrow"), NULL), ALL_WELL);
    expect_in(w->out, "footer.recordBatches: vector of 1\n");
    expect_in(w->out, "[0] offset ");
}

static void messages_behind_the_schema_are_named(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "explain", data_file("polars-0.25.2__frame.stream"), NULL), ALL_WELL);
    expect_in(w->out, "RecordBatch message of ");
    expect_in(w->out, "  its body of ");
    expect_in(w->out, "end of the stream\n");
}

static void old_framing_is_named(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "explain", data_file("arrowjs-0.4.1__legacy.stream"), NULL), ALL_WELL);
    expect_in(w->out, "(old framing)\n");
    expect_not_in(w->out, "continuation");
}

static void text_is_explained_as_what_it_decodes_to(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "explain", data_file("polars-0.25.2__frame.parquet"), NULL), ALL_WELL);
    expect_in(w->out, "\n   0  50 41 52 31              magic \"PAR1\"\n");
    expect_in(w->out, "  ARROW:schema, base64 text\n");
    expect_in(w->out, "\ndecoded, ");
    assert_int_equal(run(w, "explain", data_file("polars-0.25.2__key.base64"), NULL), ALL_WELL);
    expect_in(w->out, "base64 text\n");
    expect_in(w->out, " bytes:\n   0  ff ff ff ff              continuation");
}

static block good_schema(maker *m)
{
    return finish(m, make_sample(m).schema);
}

static void zeros_that_nothing_leads_to_are_a_gap_where_they_are_many(void **state)
{
    world *w = *state;
    block b = good_schema(w->m);

    write_block("some", pad(w->m, b, 63));
    assert_int_equal(run(w, "explain", "some", NULL), ALL_WELL);
    expect_not_in(w->out, "gap: ");
    write_block("many", pad(w->m, b, 64));
    assert_int_equal(run(w, "explain", "many", NULL), ALL_WELL);
    expect_in(w->out, "gap: nothing leads to these bytes (64)\n");
    expect_in(w->out, "\n  gaps                         64 ");
}

static void a_byte_that_is_not_zero_is_no_padding(void **state)
{
    world *w = *state;
    block b = pad(w->m, good_schema(w->m), 4);

    poke8(b, b.size - 1, 7);
    write_block("odd", b);
    assert_int_equal(run(w, "explain", "odd", NULL), ALL_WELL);
    expect_in(w->out, "gap: nothing leads to these bytes\n");
}

static void objects_that_are_shared_say_by_how_many(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m), *type = int_type(w->m, 32, true);

    for (int i = 0; i < 3; i++)
        add_field(schema, new_field(w->m, "same", FLETCH_TYPE_INT, type));
    write_block("shared", finish(w->m, schema));
    assert_int_equal(run(w, "explain", "shared", NULL), ALL_WELL);
    expect_in(w->out, ".type: Int, shared by 3, vtable ");
    expect_in(w->out, "; sharing saves ");
}

/* A child of a struct that two fields share is led to by one field. */
static void what_is_below_something_shared_is_not_shared_for_that(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m), *parent = nested_field(w->m, "p", FLETCH_TYPE_STRUCT);

    add_child(parent, int_field(w->m, "below"));
    add_field(schema, parent);
    add_field(schema, parent);
    write_block("shared", finish(w->m, schema));
    assert_int_equal(run(w, "explain", "shared", NULL), ALL_WELL);
    expect_in(w->out, "fields[0] \"p\": Field, shared by 2, vtable ");
    expect_in(w->out, "fields[0].children[0] \"below\": Field, vtable ");
}

static void what_overlaps_is_listed_once(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m), *a = int_field(w->m, "outer"), *b = int_field(w->m, "b");
    block bytes;
    size_t inside;

    set_node(a, FIELD_NAME, make_string(w->m, "12345678\4\0\0\0four\0...", 20));
    add_field(schema, a);
    add_field(schema, b); /* the maker writes it first */
    bytes = finish(w->m, schema);
    inside = place(member(a, FIELD_NAME)) + 12;
    poke32(bytes, place_of(b, FIELD_NAME), (uint32_t)(inside - place_of(b, FIELD_NAME)));
    write_block("overlap", bytes);
    assert_int_equal(run(w, "explain", "--as=schema", "overlap", NULL), ALL_WELL);
    expect_in(w->out, "  (above)                  fields[1].name: string of 4\n");
    assert_true(lists_every_byte(w->out, bytes));
    assert_true(adds_up(w->out));
}

static void what_a_newer_arrow_adds_is_named_as_that(void **state)
{
    world *w = *state;
    node *type = make_table(w->m), *schema = make_table(w->m);

    set32(type, 0, 99);
    set_node(schema, SCHEMA_FIELDS, make_list(w->m));
    append(member(schema, SCHEMA_FIELDS), new_field(w->m, "n", 60, type));
    set16(schema, 9, 1);
    write_block("new", finish(w->m, schema));
    assert_int_equal(run(w, "explain", "--as=schema", "new", NULL), ALL_WELL);
    expect_in(w->out, "fields[0].type: unknown, vtable ");
    expect_in(w->out, "  type_type = 60  <-- error\n");
    expect_in(w->out, "  slots of members that are not known\n");
    expect_in(w->out, "01 00                      no member that is known\n");
}

/* Reading on */

static void long_strings_and_vectors_are_cut_unless_full(void **state)
{
    world *w = *state;
    fletch_builder *b = new_builder(w->m);
    char value[601], name[8];

    memset(value, 'v', 600);
    value[600] = '\0';
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "c%d", i);
        fletch_add_field(b, name, fletch_bool(), 0);
    }
    fletch_add_metadata(b, "key", value);
    write_block("long", built(w->m, b, FLETCH_SCHEMA));
    setenv("COLUMNS", "80", 1);
    assert_int_equal(run(w, "explain", "long", NULL), ALL_WELL);
    assert_true(widest_line(w->out) <= 80);
    expect_in(w->out, "  [8] to [19]\n");
    expect_in(w->out, "  ...                        576 more, up to ");
    assert_int_equal(run(w, "explain", "--full", "long", NULL), ALL_WELL);
    expect_in(w->out, value);
    expect_in(w->out, "  [19] at ");
    expect_not_in(w->out, " more, up to ");
}

static void match_leaves_out_the_bytes_of_other_fields(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "explain", "--match=wrong",
                         data_file("arrowjs-21.2.0__time-width.encap"), NULL),
                     ALL_WELL);
    expect_in(w->out, "fields[1] \"wrong\": Field");
    expect_not_in(w->out, "fine");
    expect_in(w->out, " bytes left out\n");
    assert_true(adds_up(w->out));
}

static void depth_leaves_out_the_bytes_of_deeper_fields(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "explain", "--depth=1", data_file("flechette-2.6.0__deep-30.stream"),
                         NULL),
                     ALL_WELL);
    expect_in(w->out, "fields[0] \"top\": Field");
    expect_not_in(w->out, "fields[0].children[0] ");
    assert_true(adds_up(w->out));
}

static void strings_cannot_steer_the_terminal(void **state)
{
    world *w = *state;

    write_block("s", finish(w->m, schema_with(w->m, int_field(w->m, "\033[2J\342\200\256\377\""))));
    assert_int_equal(run(w, "explain", "s", NULL), ALL_WELL);
    expect_in(w->out, "\"\\x1b[2J\\u202e\\xff\\\"\"\n");
    assert_false(has_control_characters(w->out));
}

static void colours_of_a_listing_come_when_asked_for(void **state)
{
    world *w = *state;

    write_block("s", good_schema(w->m));
    assert_int_equal(run(w, "explain", "s", NULL), ALL_WELL);
    expect_not_in(w->out, "\033[");
    assert_int_equal(run(w, "explain", "--color=always", "s", NULL), ALL_WELL);
    expect_in(w->out, "\033[");
}

/* Faults */

/* The sample as a stream in which the name's length is not to be believed; where that stands. */
static block broken_stream(maker *m, size_t *at)
{
    sample s = make_sample(m);
    block message = finish(m, new_message(m, s.schema));

    poke32(message, place(s.name), 0x01020304);
    *at = place(s.name) + 8;
    return frame(m, message, false);
}

static void damage_ends_what_is_explained_at_its_bytes(void **state)
{
    world *w = *state;
    size_t at;
    block b = broken_stream(w->m, &at);
    char line[64];

    write_block("broken", b);
    assert_int_equal(run(w, "explain", "broken", NULL), NOT_OK);
    snprintf(line, sizeof line, "\n%4u  04 03 02 01", (unsigned)at);
    expect_in(w->out, line);
    expect_in(w->out, "<-- error\n");
    expect_in(w->out, "not reached: ");
    expect_in(w->out, "fields[0]: Field");
    assert_true(lists_every_byte(w->out, b));
    assert_true(adds_up(w->out));
}

static void the_bytes_at_fault_are_pointed_at(void **state)
{
    static const char *const commands[] = {"show", "explain", "json"};
    world *w = *state;
    size_t at;
    block b = broken_stream(w->m, &at);
    char row[128], marks[128];
    int used;

    write_block("broken", b);
    used = snprintf(row, sizeof row, "%8u |", (unsigned)(at / 16 * 16));
    for (size_t i = at / 16 * 16; i < at / 16 * 16 + 16 && i < b.size; i++)
        used += snprintf(row + used, sizeof row - (size_t)used, "%s%02x", i % 16 == 8 ? "  " : " ",
                         b.bytes[i]);
    snprintf(marks, sizeof marks, "\n         |%*s\n",
             (int)(1 + 3 * (at % 16) + (at % 16 >= 8) + 11), "^^^^^^^^^^^");
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(run(w, commands[i], "broken", NULL), NOT_OK);
        expect_first(w->err,
                     "fletch: broken: malformed: the string's length 16909060 leads beyond");
        expect_in(w->err, row);
        expect_in(w->err, marks);
        assert_true(widest_line(strchr(w->err, '\n') + 1) <= 80);
    }
}

static void a_slot_of_two_bytes_is_pointed_at_by_as_many_marks(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);
    block b = finish(w->m, s.schema);

    poke16(b, vtable_slot_of(s.field, FIELD_NAME), 200);
    write_block("slot", b);
    assert_int_equal(run(w, "show", "--as=schema", "slot", NULL), NOT_OK);
    expect_in(w->err, " ^^^^^\n");
    expect_not_in(w->err, "^^^^^^");
}

static void a_member_that_arrow_refuses_is_pointed_at_in_a_note(void **state)
{
    world *w = *state;

    write_block("t", invalid_stream(w->m));
    assert_int_equal(run(w, "explain", "t", NULL), ALL_WELL);
    expect_in(w->out, "  bitWidth = 64  <-- error\n");
    expect_in(w->out, "\nnote: at level arrow: invalid: ");
    expect_in(w->out, " ^^^^^^^^^^^\n");
    assert_string_equal(w->err, "");
}

/* As `show` has it: a message of a version that is not known is explained, and not ok. */
static void a_newer_version_is_explained_and_not_ok(void **state)
{
    world *w = *state;

    assert_int_equal(run(w, "explain", data_file("flatc-2.0.8__future-version.message"), NULL),
                     NOT_OK);
    expect_in(w->out, "<-- error\n");
    expect_not_in(w->out, "not reached");
    expect_in(w->err, "unsupported: ");
}

static void bytes_that_end_too_early_are_explained_as_far_as_they_go(void **state)
{
    world *w = *state;
    block whole = sample_stream(w->m);

    for (size_t size = 1; size < whole.size - 8; size++) {
        block b = cut(w->m, whole, size);

        write_block("cut", b);
        assert_int_equal(run(w, "explain", "--as=stream", "cut", NULL), NOT_OK);
        assert_true(lists_every_byte(w->out, b));
        assert_true(adds_up(w->out));
        expect_in(w->err, "^ the bytes end here\n");
    }
    expect_in(w->out, "message: Message");
}

static void a_file_without_its_end_is_explained_from_its_head(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);
    block message = finish(w->m, new_message(w->m, s.schema));
    block file = file_of(w->m, message, finish(w->m, new_footer(w->m, s.schema)));
    block b = cut(w->m, file, file.size - 20);

    write_block("cut", b);
    assert_int_equal(run(w, "explain", "cut", NULL), NOT_OK);
    expect_in(w->out, "fields[0] \"col\": Field");
    assert_true(lists_every_byte(w->out, b));
}

static void a_fault_in_decoded_bytes_is_shown_there(void **state)
{
    world *w = *state;
    size_t at;
    block b = broken_stream(w->m, &at);

    write_block("b64", base64_of(w->m, b, true));
    assert_int_equal(run(w, "show", "b64", NULL), NOT_OK);
    expect_in(w->err, "| decoded bytes:\n");
    expect_in(w->err, "^^^^^^^^^^^\n");
}

static void a_character_that_is_not_base64_is_pointed_at(void **state)
{
    world *w = *state;
    block text = base64_of(w->m, sample_stream(w->m), true);

    text.bytes[20] = '!';
    write_block("b64", text);
    assert_int_equal(run(w, "explain", "b64", NULL), NOT_OK);
    expect_in(w->err, "bad-base64");
    expect_in(w->err, " ^^\n");
    expect_not_in(w->err, "decoded bytes");
}

static void what_is_no_container_is_listed_without_words(void **state)
{
    world *w = *state;
    block text = text_block(w->m, "a text, and no schema at all");

    write_block("text", text);
    assert_int_equal(run(w, "explain", "text", NULL), NOT_OK);
    expect_in(w->out, "not looked at\n");
    assert_true(lists_every_byte(w->out, text));
    expect_in(w->err, "unrecognised: it looks like text");
}

static void an_empty_file_is_only_a_message(void **state)
{
    world *w = *state;

    write_block("nothing", text_block(w->m, ""));
    assert_int_equal(run(w, "explain", "nothing", NULL), NOT_OK);
    assert_string_equal(w->out, "");
    expect_first(w->err, "fletch: nothing: empty: ");
}

/* Every bit of a small stream, turned: nothing but a listing of all bytes ever comes out. */
static void any_bit_that_turns_leaves_a_listing_of_every_byte(void **state)
{
    world *w = *state;
    block whole = sample_stream(w->m);

    for (size_t i = 0; i < 8 * whole.size; i += 7) {
        block b = copy_of(w->m, whole.bytes, whole.size);

        b.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        write_block("bit", b);
        assert_true(run(w, "explain", "--as=stream", i % 2 != 0 ? "--full" : "--depth=9", "bit",
                        NULL) <= NOT_OK);
        assert_true(lists_every_byte(w->out, b));
        assert_true(adds_up(w->out));
    }
}

/* Strings that lie in each other, each ending where the one around them ends. */
static block nested_strings(maker *m, uint32_t count, uint32_t size)
{
    node *schema = new_schema(m);
    node **fields = calloc(count, sizeof *fields);
    char *text = calloc(size, 1);
    size_t begin;
    block b;

    assert_true(fields != NULL && text != NULL);
    memset(text, 'x', size);
    for (uint32_t i = 0; i < count; i++)
        add_field(schema, fields[i] = int_field(m, "n"));
    set_node(fields[0], FIELD_NAME, make_string(m, text, size)); /* written last */
    b = finish(m, schema);
    begin = place(member(fields[0], FIELD_NAME));
    for (uint32_t i = 1; i < count; i++) {
        const size_t inside = begin + 4 * (size_t)i, from = place_of(fields[i], FIELD_NAME);

        poke32(b, inside, size - 4 * i);
        poke32(b, from, (uint32_t)(inside - from));
    }
    free(fields);
    free(text);
    return b;
}

static void strings_that_lie_in_each_other_are_listed_in_full_once(void **state)
{
    world *w = *state;
    block b = nested_strings(w->m, 1000, 30000);

    write_block("overlap", b);
    assert_int_equal(run(w, "explain", "--full", "--as=schema", "overlap", NULL), ALL_WELL);
    assert_int_equal(count_in(w->out, "xxx\"\n"), 1);
    assert_true(lists_every_byte(w->out, b));
    assert_true(strlen(w->out) < 20 * b.size);
}

/* Containers that are cut, and messages that are not what they say */

static void a_file_without_its_end_needs_a_head(void **state)
{
    static const char *const texts[] = {"ARR", "a text without magic at either end"};
    world *w = *state;

    for (size_t i = 0; i < 2; i++) {
        const block text = text_block(w->m, texts[i]);

        write_block("text", text);
        assert_int_equal(run(w, "explain", "--as=file", "text", NULL), NOT_OK);
        expect_in(w->out, "  not looked at");
        expect_not_in(w->out, "magic");
        assert_true(lists_every_byte(w->out, text));
    }
}

static void a_file_that_ends_in_its_head_is_explained_up_to_there(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);
    block message = finish(w->m, new_message(w->m, s.schema));
    block file = file_of(w->m, message, finish(w->m, new_footer(w->m, s.schema)));

    for (size_t size = 8; size < 8 + 8 + message.size; size += 5) {
        block b = cut(w->m, file, size);

        write_block("cut", b);
        assert_int_equal(run(w, "explain", "--as=file", "cut", NULL), NOT_OK);
        assert_true(lists_every_byte(w->out, b));
        assert_true(adds_up(w->out));
    }
    expect_in(w->out, "continuation: a message follows\n");
    expect_in(w->out, "message: Message");
}

static void an_encapsulated_message_that_is_cut_is_explained_up_to_there(void **state)
{
    world *w = *state;
    block b = cut_stream(w->m);

    write_block("cut", b);
    assert_int_equal(run(w, "explain", "--as=encapsulated", "cut", NULL), NOT_OK);
    expect_in(w->out, "continuation: a message follows\n");
    assert_true(lists_every_byte(w->out, b));
}

/* A message of another kind, with `body` bytes of body by its own word. */
static block other_message(maker *m, int tag, int64_t body)
{
    node *message = make_table(m);

    set16(message, MESSAGE_VERSION, 4);
    set8(message, MESSAGE_TAG, tag);
    set_node(message, MESSAGE_HEADER, make_table(m));
    set64(message, MESSAGE_BODY, body);
    return frame(m, finish(m, message), false);
}

/* The sample's message, and another one behind it. */
static block two_messages(maker *m, block other)
{
    return join(m, frame(m, finish(m, new_message(m, make_sample(m).schema)), false), other);
}

static void a_message_of_no_known_kind_is_called_that(void **state)
{
    world *w = *state;
    block b = two_messages(w->m, other_message(w->m, 77, 0));

    write_block("s", b);
    assert_int_equal(run(w, "explain", "--as=stream", "s", NULL), ALL_WELL);
    expect_in(w->out, "unknown message of ");
    expect_not_in(w->out, "its body");
    assert_true(lists_every_byte(w->out, b));
}

static void a_body_that_is_not_there_is_not_listed(void **state)
{
    world *w = *state;
    block b = two_messages(w->m, other_message(w->m, 3, 1 << 20));

    write_block("s", b);
    assert_int_equal(run(w, "explain", "--as=stream", "s", NULL), ALL_WELL);
    expect_in(w->out, "RecordBatch message of ");
    expect_not_in(w->out, "its body");
    assert_true(lists_every_byte(w->out, b));
}

static void messages_beyond_the_eighth_are_counted_together(void **state)
{
    world *w = *state;
    block b = two_messages(w->m, other_message(w->m, 3, 0));

    for (int i = 0; i < 10; i++)
        b = join(w->m, b, other_message(w->m, 3, 0));
    write_block("s", b);
    assert_int_equal(run(w, "explain", "--as=stream", "s", NULL), ALL_WELL);
    assert_int_equal(count_in(w->out, "RecordBatch message of "), 8);
    expect_in(w->out, "  ... 3 more messages, ");
    assert_true(lists_every_byte(w->out, b));
}

/* Objects in odd places */

static void a_string_and_a_vector_that_begin_at_one_word_are_both_listed(void **state)
{
    world *w = *state;
    node *field = int_field(w->m, "");
    block b = finish(w->m, schema_with(w->m, field));
    const size_t from = place_of(field, FIELD_CHILDREN);

    /* no text, and no children */
    poke32(b, from, (uint32_t)(place(member(field, FIELD_NAME)) - from));
    write_block("same", b);
    assert_int_equal(run(w, "explain", "--as=schema", "same", NULL), ALL_WELL);
    expect_in(w->out, "fields[0].name: string of 0\n");
    expect_in(w->out, "fields[0].children: vector of 0\n");
    assert_true(lists_every_byte(w->out, b));
    assert_true(adds_up(w->out));
}

static void a_text_that_is_a_name_and_a_key_says_so(void **state)
{
    world *w = *state;
    sample s = make_sample(w->m);

    set_node(s.pair, PAIR_KEY, s.name);
    write_block("shared", finish(w->m, s.schema));
    assert_int_equal(run(w, "explain", "shared", NULL), ALL_WELL);
    expect_in(w->out, ": string of 3 and others, shared by 2\n");
}

static void a_slot_for_members_of_two_names_says_so(void **state)
{
    world *w = *state;
    node *schema = new_schema(w->m), *date = make_table(w->m), *real = make_table(w->m);

    share_vtables(w->m);
    set16(date, 0, 1);
    set16(real, 0, 2);
    add_field(schema, new_field(w->m, "d", FLETCH_TYPE_DATE, date));
    add_field(schema, new_field(w->m, "f", FLETCH_TYPE_FLOATING_POINT, real));
    write_block("shared", finish(w->m, schema));
    assert_int_equal(run(w, "explain", "shared", NULL), ALL_WELL);
    expect_in(w->out, " and others: 6 bytes\n");
    expect_in(w->out, " or another at +4\n");
}

static void a_name_that_leads_round_the_end_is_no_name_in_the_listing(void **state)
{
    static const uint32_t offsets[] = {0xFFFFFFF0u, 0x00FFFFF0u, 4};
    world *w = *state;
    sample s = make_sample(w->m);
    const block good = finish(w->m, s.schema);

    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        block b = copy_of(w->m, good.bytes, good.size);

        poke32(b, place_of(s.field, FIELD_NAME), offsets[i]);
        write_block("round", b);
        assert_true(run(w, "explain", "--as=schema", "round", NULL) <= NOT_OK);
        expect_not_in(w->out, "\"col\": Field");
        assert_true(lists_every_byte(w->out, b));
    }
}

static void enumerators_are_named_only_where_they_have_a_name(void **state)
{
    world *w = *state;
    node *type = make_table(w->m), *field;

    set16(type, TIMESTAMP_UNIT, -1);
    field = new_field(w->m, "t", FLETCH_TYPE_TIMESTAMP, type);
    set16(add_dictionary(w->m, field, 1, NULL), DICTIONARY_KIND, 0);
    write_block("t", finish(w->m, schema_with(w->m, field)));
    assert_int_equal(run(w, "explain", "--as=schema", "t", NULL), ALL_WELL);
    expect_in(w->out, "  unit = -1");
    expect_not_in(w->out, "  unit = -1 (");
    expect_in(w->out, "  dictionaryKind = 0 (DenseArray)\n");
}

static void a_narrow_listing_keeps_a_few_columns_for_words(void **state)
{
    world *w = *state;
    char name[201] = "";

    memset(name, 'n', 200);
    write_block("s", finish(w->m, schema_with(w->m, int_field(w->m, name))));
    setenv("COLUMNS", "40", 1);
    assert_int_equal(run(w, "explain", "s", NULL), ALL_WELL);
    expect_in(w->out, "\"nnn");
    expect_not_in(w->out, "nnnnnnnnnnnnnnnnnnnn");
}

static void a_fault_is_listed_even_where_its_bytes_are_left_out(void **state)
{
    world *w = *state;
    node *type = make_table(w->m), *schema = new_schema(w->m);

    set16(type, TIME_UNIT, FLETCH_SECOND);
    set32(type, TIME_WIDTH, 64);
    add_field(schema, new_field(w->m, "bad", FLETCH_TYPE_TIME, type));
    add_field(schema, int_field(w->m, "good"));
    write_block("t", finish(w->m, schema));
    assert_int_equal(run(w, "explain", "--match=good", "t", NULL), ALL_WELL);
    expect_in(w->out, "  bitWidth = 64  <-- error\n");
    expect_not_in(w->out, "\"bad\"");
    expect_in(w->out, " bytes left out\n");
}

static void the_count_of_children_that_arrow_refuses_is_pointed_at(void **state)
{
    world *w = *state;
    node *list = nested_field(w->m, "l", FLETCH_TYPE_LIST);

    add_child(list, int_field(w->m, "a"));
    add_child(list, int_field(w->m, "b"));
    write_block("l", finish(w->m, schema_with(w->m, list)));
    assert_int_equal(run(w, "explain", "l", NULL), ALL_WELL);
    expect_in(w->out, "fields[0].children: vector of 2  <-- error\n");
    expect_in(w->out, " ^^^^^^^^^^^\n");
}

static void the_last_word_of_a_flatbuffer_is_pointed_at(void **state)
{
    world *w = *state;
    block b = finish(w->m, new_schema(w->m)); /* a vector of no fields comes last */

    poke8(b, b.size - 4, 1);
    write_block("s", b);
    assert_int_equal(run(w, "show", "--as=schema", "s", NULL), NOT_OK);
    expect_in(w->err, "the vector's count 1 leads beyond the end, 0 bytes are left");
    expect_in(w->err, " ^^^^^^^^^^^\n");
}

/* With old framing a message starts at 4, so that a word of 8 bytes may cross a row of 16. */
static void a_word_across_two_rows_is_pointed_at_in_both(void **state)
{
    world *w = *state;
    unsigned crossings = 0;

    for (int extra = 0; extra < 8; extra++) {
        node *message = new_message(w->m, new_schema(w->m));

        set64(message, MESSAGE_BODY, -1);
        keep_slots(message, 5 + (unsigned)extra);
        write_block("legacy", frame(w->m, finish(w->m, message), true));
        assert_int_equal(run(w, "verify", "legacy", NULL), NOT_OK);
        assert_int_equal(run(w, "show", "legacy", NULL), NOT_OK);
        expect_in(w->err, "the body length is -1");
        if (count_in(w->err, "\n         |") < 2) continue;
        expect_in(w->err, "^\n");
        expect_in(w->err, "\n         | ^");
        crossings++;
    }
    assert_true(crossings > 0);
}

static void a_listing_that_cannot_be_written_is_trouble(void **state)
{
    world *w = *state;

    w->standard_output = open("/dev/full", O_WRONLY);
    if (w->standard_output < 0) skip();
    assert_int_equal(run(w, "explain", data_file("flechette-2.6.0__deep-30.stream"), NULL),
                     TROUBLE);
    close(w->standard_output);
    expect_in(w->err, "fletch: standard output: No space left on device\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_WORLD(every_byte_of_the_data_is_listed_in_order),
        IN_A_WORLD(every_byte_of_the_corpus_is_listed_in_order),
        IN_A_WORLD(a_small_stream_is_explained_word_by_word),
        IN_A_WORLD(the_bytes_are_added_up_by_what_they_are_for),
        IN_A_WORLD(the_words_of_a_file_around_its_footer_are_named),
        IN_A_WORLD(blocks_of_a_footer_are_read),
        IN_A_WORLD(messages_behind_the_schema_are_named),
        IN_A_WORLD(old_framing_is_named),
        IN_A_WORLD(text_is_explained_as_what_it_decodes_to),
        IN_A_WORLD(zeros_that_nothing_leads_to_are_a_gap_where_they_are_many),
        IN_A_WORLD(a_byte_that_is_not_zero_is_no_padding),
        IN_A_WORLD(objects_that_are_shared_say_by_how_many),
        IN_A_WORLD(what_is_below_something_shared_is_not_shared_for_that),
        IN_A_WORLD(what_overlaps_is_listed_once),
        IN_A_WORLD(what_a_newer_arrow_adds_is_named_as_that),
        IN_A_WORLD(long_strings_and_vectors_are_cut_unless_full),
        IN_A_WORLD(match_leaves_out_the_bytes_of_other_fields),
        IN_A_WORLD(depth_leaves_out_the_bytes_of_deeper_fields),
        IN_A_WORLD(strings_cannot_steer_the_terminal),
        IN_A_WORLD(colours_of_a_listing_come_when_asked_for),
        IN_A_WORLD(damage_ends_what_is_explained_at_its_bytes),
        IN_A_WORLD(the_bytes_at_fault_are_pointed_at),
        IN_A_WORLD(a_slot_of_two_bytes_is_pointed_at_by_as_many_marks),
        IN_A_WORLD(a_member_that_arrow_refuses_is_pointed_at_in_a_note),
        IN_A_WORLD(a_newer_version_is_explained_and_not_ok),
        IN_A_WORLD(bytes_that_end_too_early_are_explained_as_far_as_they_go),
        IN_A_WORLD(a_file_without_its_end_is_explained_from_its_head),
        IN_A_WORLD(a_fault_in_decoded_bytes_is_shown_there),
        IN_A_WORLD(a_character_that_is_not_base64_is_pointed_at),
        IN_A_WORLD(what_is_no_container_is_listed_without_words),
        IN_A_WORLD(an_empty_file_is_only_a_message),
        IN_A_WORLD(any_bit_that_turns_leaves_a_listing_of_every_byte),
        IN_A_WORLD(strings_that_lie_in_each_other_are_listed_in_full_once),
        IN_A_WORLD(a_file_without_its_end_needs_a_head),
        IN_A_WORLD(a_file_that_ends_in_its_head_is_explained_up_to_there),
        IN_A_WORLD(an_encapsulated_message_that_is_cut_is_explained_up_to_there),
        IN_A_WORLD(a_message_of_no_known_kind_is_called_that),
        IN_A_WORLD(a_body_that_is_not_there_is_not_listed),
        IN_A_WORLD(messages_beyond_the_eighth_are_counted_together),
        IN_A_WORLD(the_last_word_of_a_flatbuffer_is_pointed_at),
        IN_A_WORLD(a_string_and_a_vector_that_begin_at_one_word_are_both_listed),
        IN_A_WORLD(a_text_that_is_a_name_and_a_key_says_so),
        IN_A_WORLD(a_slot_for_members_of_two_names_says_so),
        IN_A_WORLD(a_name_that_leads_round_the_end_is_no_name_in_the_listing),
        IN_A_WORLD(enumerators_are_named_only_where_they_have_a_name),
        IN_A_WORLD(a_narrow_listing_keeps_a_few_columns_for_words),
        IN_A_WORLD(a_fault_is_listed_even_where_its_bytes_are_left_out),
        IN_A_WORLD(the_count_of_children_that_arrow_refuses_is_pointed_at),
        IN_A_WORLD(a_word_across_two_rows_is_pointed_at_in_both),
        IN_A_WORLD(a_listing_that_cannot_be_written_is_trouble),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
