/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program `fletch`: looks at, converts and builds Arrow schemas from the shell.
 *
 * Each command is a row of `commands`, each option one of `options`. Exit codes: 0 all is well,
 * 1 a file is not ok, 2 the program could not do its work (usage, input, output, memory). Those of
 * `diff` are diff's own.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_AS = 1,
    OPTION_LEVEL = 2,
    OPTION_COLOR = 4,
    OPTION_FULL = 8,
    OPTION_TO = 16,
    OPTION_LEGACY = 32,
    OPTION_IGNORE = 64,
    OPTION_DEPTH = 128,
    OPTION_MATCH = 256,
    OPTION_COUNT = 512
};

struct option {
    unsigned flag;
    const char *name;   /* without the dashes */
    const char *values; /* those there are, or what they are; NULL: it takes no value */
    const char *help;   /* what it does, in lines of the help's right column */
    bool (*take)(struct arguments *arguments, const char *value);
};

struct command {
    const char *name;
    const char *usage;
    const char *summary;
    const char *help;
    unsigned options;
    int least_files, most_files;
    int (*run)(const struct arguments *arguments);
};

/* The kind of a word; FLETCH_SNIFF: none. */
static fletch_kind find_kind(const char *word)
{
    int kind = FLETCH_BASE64;

    while (kind != FLETCH_SNIFF && strcmp(word, fletch_kind_word((fletch_kind)kind)) != 0)
        kind--;
    return (fletch_kind)kind;
}

static bool take_kind(struct arguments *arguments, const char *value)
{
    arguments->kind = find_kind(value);
    return arguments->kind != FLETCH_SNIFF;
}

static bool take_to(struct arguments *arguments, const char *value)
{
    arguments->to = find_kind(value);
    return arguments->to != FLETCH_SNIFF && arguments->to != FLETCH_PARQUET;
}

static bool take_level(struct arguments *arguments, const char *value)
{
    if (strcmp(value, "structure") == 0)
        arguments->level = FLETCH_LEVEL_STRUCTURE;
    else if (strcmp(value, "arrow") == 0)
        arguments->level = FLETCH_LEVEL_ARROW;
    else if (strcmp(value, "strict") == 0)
        arguments->level = FLETCH_LEVEL_STRICT;
    else
        return false;
    return true;
}

static bool take_color(struct arguments *arguments, const char *value)
{
    if (strcmp(value, "auto") == 0)
        arguments->color = COLOR_AUTO;
    else if (strcmp(value, "always") == 0)
        arguments->color = COLOR_ALWAYS;
    else if (strcmp(value, "never") == 0)
        arguments->color = COLOR_NEVER;
    else
        return false;
    return true;
}

static bool take_full(struct arguments *arguments, const char *value)
{
    (void)value;
    arguments->full = true;
    return true;
}

static bool take_legacy(struct arguments *arguments, const char *value)
{
    (void)value;
    arguments->legacy = true;
    return true;
}

static bool take_count(struct arguments *arguments, const char *value)
{
    (void)value;
    arguments->counts = true;
    return true;
}

static bool take_depth(struct arguments *arguments, const char *value)
{
    char *end;
    const unsigned long depth = strtoul(value, &end, 10);

    if (value[0] < '0' || value[0] > '9' || *end != '\0' || depth == 0 || depth > FLETCH_MAX_DEPTH)
        return false;
    arguments->depth = (uint32_t)depth;
    return true;
}

/* May be given more than once. */
static bool take_match(struct arguments *arguments, const char *value)
{
    if (arguments->pattern_count == MOST_PATTERNS || value[0] == '\0') return false;
    arguments->patterns[arguments->pattern_count++] = value;
    return true;
}

/* May be given more than once. */
static bool take_ignore(struct arguments *arguments, const char *value)
{
    fletch_compare_options *comparison = &arguments->comparison;

    if (strcmp(value, "metadata") == 0)
        comparison->ignore_metadata = true;
    else if (strcmp(value, "metadata-order") == 0)
        comparison->ignore_metadata_order = true;
    else if (strcmp(value, "child-names") == 0)
        comparison->ignore_child_names = true;
    else if (strcmp(value, "dictionary-ids") == 0)
        comparison->ignore_dictionary_ids = true;
    else if (strcmp(value, "endianness") == 0)
        comparison->ignore_endianness = true;
    else if (strcmp(value, "features") == 0)
        comparison->ignore_features = true;
    else
        return false;
    return true;
}

static const struct option options[] = {
    {OPTION_TO, "to", "schema, message, footer, encapsulated, stream, file, base64",
     "  --to=KIND      what to write: schema, message or footer (bare flatbuffers),\n"
     "                 encapsulated, stream, file, base64\n",
     take_to},
    {OPTION_LEGACY, "legacy", NULL,
     "  --legacy       frame the message as before Arrow 0.15, in version V4; for encapsulated\n"
     "                 and stream\n",
     take_legacy},
    {OPTION_AS, "as", "schema, message, footer, encapsulated, stream, file, parquet, base64",
     "  --as=KIND      what the file is, instead of looking: schema, message or footer (bare\n"
     "                 flatbuffers), encapsulated, stream, file, parquet, base64\n",
     take_kind},
    {OPTION_LEVEL, "level", "structure, arrow, strict",
     "  --level=LEVEL  structure: the rules of FlatBuffers; arrow (the default): and the schema\n"
     "                 makes sense; strict: and what good writers do\n",
     take_level},
    {OPTION_DEPTH, "depth", "the numbers 1 to 128",
     "  --depth=N      leave out fields nested deeper than N levels; 1: those of the schema "
     "itself\n",
     take_depth},
    {OPTION_MATCH, "match", "what can be matched, or more than 32 patterns",
     "  --match=PATTERN\n"
     "                 only fields that match, and all below them: by name, or by path (names\n"
     "                 with dots between them). `*` stands for any text, `?` for a character,\n"
     "                 `[a-z]` for one of these. As often as wanted: those that match any\n",
     take_match},
    {OPTION_COUNT, "count", NULL, "  --count        print numbers: fields by nesting and type\n",
     take_count},
    {OPTION_COLOR, "color", "auto, always, never",
     "  --color=WHEN   auto (the default: on a terminal, unless NO_COLOR is set), always, never\n",
     take_color},
    {OPTION_FULL, "full", NULL, "  --full         cut nothing, however long it is\n", take_full},
    {OPTION_IGNORE, "ignore",
     "metadata, metadata-order, child-names, dictionary-ids, endianness, features",
     "  --ignore=WHAT  what makes no difference, as often as wanted: metadata, metadata-order,\n"
     "                 child-names (of lists, maps and run-end encoded fields), dictionary-ids,\n"
     "                 endianness, features\n",
     take_ignore},
};

static const struct command commands[] = {
    {"show",
     "fletch show [--match=PATTERN]... [--depth=N] [--count] [--full] [--color=WHEN]\n"
     "                   [--as=KIND] FILE...",
     "print schemas as trees",
     "Prints the schema in each FILE as a tree. A schema is shown when its structure holds; what\n"
     "the rules of Arrow have against it follows as a note. Long names, types and values are cut\n"
     "to the width of the terminal (100 columns where there is none).\n",
     OPTION_AS | OPTION_COLOR | OPTION_FULL | OPTION_DEPTH | OPTION_MATCH | OPTION_COUNT, 1,
     INT_MAX, run_show},
    {"explain",
     "fletch explain [--match=PATTERN]... [--depth=N] [--full] [--color=WHEN] [--as=KIND]\n"
     "                      FILE...",
     "list the bytes of schemas",
     "Lists the bytes of the schema in each FILE in their order, every one: where it stands, its\n"
     "value, and what it is; then what the bytes are spent on. Of a schema whose structure does\n"
     "not hold, what can be reached is explained, and the fault follows with the bytes around "
     "it.\n",
     OPTION_AS | OPTION_COLOR | OPTION_FULL | OPTION_DEPTH | OPTION_MATCH, 1, INT_MAX, run_explain},
    {"verify", "fletch verify [--level=LEVEL] [--as=KIND] FILE...", "check schemas",
     "Prints a line for each FILE: `FILE: ok`, or what is wrong with its schema and where:\n"
     "`FILE: STATUS: sentence (byte N, path P)`. Only the schema is checked, not the data. Bytes\n"
     "count from 0 in the file; in base64 and Parquet, in what the text decodes to.\n",
     OPTION_LEVEL | OPTION_AS, 1, INT_MAX, run_verify},
    {"json", "fletch json [--as=KIND] FILE", "print a schema as JSON",
     "Prints the schema in FILE as the JSON of Arrow's integration tests, in one line; nothing\n"
     "if the schema is not ok.\n",
     OPTION_AS, 1, 1, run_json},
    {"convert", "fletch convert --to=KIND [--legacy] [--as=KIND] IN OUT",
     "write a schema as another kind",
     "Writes the schema in IN, without the data, to OUT. Version, endianness and features stay as\n"
     "they are; metadata of the message or footer itself does, where OUT has that part. The bytes\n"
     "are laid out anew. An OUT that exists is replaced once all is written; it may be IN where\n"
     "that is no file with data.\n",
     OPTION_TO | OPTION_LEGACY | OPTION_AS, 2, 2, run_convert},
    {"build", "fletch build [--to=KIND] OUT <JSON", "make a schema from JSON",
     "Reads the JSON of Arrow's integration tests, as `fletch json` prints it, from standard\n"
     "input, and writes the schema in it to OUT, as a stream unless told otherwise. The JSON is\n"
     "{\"schema\": S}, whatever else is beside that, or just S: {\"fields\": [...]}. Inside S an\n"
     "unknown member is an error; children, dictionary, metadata, timezone, and the bitWidth of\n"
     "a decimal of 128 bits may be left out or null. The schema must pass level strict.\n",
     OPTION_TO, 1, 1, run_build},
    {"diff", "fletch diff [--ignore=WHAT]... [--full] [--as=KIND] A B", "compare two schemas",
     "Prints a line for each difference between the schemas in A and B: its path, and the values "
     "in\n"
     "A and B. What is absent equals what is empty or the default. Fields and metadata are "
     "compared\n"
     "by position.\n"
     "Exit codes of diff, other than below: 0 no difference, 1 some, 2 all else.\n",
     OPTION_IGNORE | OPTION_FULL | OPTION_AS, 2, 2, run_diff},
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])
#define OPTION_KINDS  (sizeof options / sizeof options[0])

static const char common_help[] =
    "FILE or IN may be `-`: standard input; OUT may be: standard output. `--` ends the options.\n"
    "Exit codes: 0 all is well, 1 a file is not ok, 2 wrong usage, or input or output failed.\n";

static int print_help(void)
{
    size_t i;

    fputs(
        "usage: fletch COMMAND [OPTION...] FILE...\n\n"
        "Looks at the Arrow schemas in IPC streams and files (Feather V2), Parquet files, base64\n"
        "text, and bare messages, footers and schemas; writes them too, but for Parquet.\n\n",
        stdout);
    for (i = 0; i < COMMAND_COUNT; i++)
        printf("  fletch %-9s%s\n", commands[i].name, commands[i].summary);
    fputs("\n`fletch COMMAND --help` says more of a command, `fletch --version` the version.\n",
          stdout);
    fputs(common_help, stdout);
    return ALL_WELL;
}

static int print_command_help(const struct command *command)
{
    size_t i;

    printf("usage: %s\n\n%s\n", command->usage, command->help);
    for (i = 0; i < OPTION_KINDS; i++) {
        if ((command->options & options[i].flag) != 0) fputs(options[i].help, stdout);
    }
    printf("\n%s", common_help);
    return ALL_WELL;
}

/* Says what is wrong with an argument, and where to read on; returns TROUBLE. */
static int refuse(const char *argument, const char *reason, const struct command *command)
{
    complain(argument, reason);
    fprintf(stderr, "usage: %s\n", command->usage);
    return TROUBLE;
}

static const struct option *find_option(const struct command *command, const char *name,
                                        size_t size)
{
    size_t i;

    for (i = 0; i < OPTION_KINDS; i++) {
        if ((command->options & options[i].flag) != 0 && strlen(options[i].name) == size &&
            memcmp(options[i].name, name, size) == 0)
            return &options[i];
    }
    return NULL;
}

/*
 * Takes one argument that begins with `--` and has more. Its value stands behind `=`, or is the
 * word that follows (`next`; NULL: none): then `takes_next` is set.
 */
static int take_option(const struct command *command, struct arguments *arguments,
                       const char *argument, const char *next, bool *takes_next)
{
    const char *name = argument + 2;
    const char *equals = strchr(name, '=');
    size_t size = equals != NULL ? (size_t)(equals - name) : strlen(name);
    const struct option *option = find_option(command, name, size);
    const char *value = equals != NULL ? equals + 1 : next;
    char reason[160], both[160];

    if (option == NULL) return refuse(argument, "no such option", command);
    if (option->values == NULL && equals != NULL)
        return refuse(argument, "the option takes no value", command);
    if (option->values != NULL && value == NULL) {
        snprintf(reason, sizeof reason, "a value is wanted: --%s=...", option->name);
        return refuse(argument, reason, command);
    }
    *takes_next = option->values != NULL && equals == NULL;
    if (option->take(arguments, value)) return ALL_WELL;
    snprintf(reason, sizeof reason, "none of %s", option->values);
    snprintf(both, sizeof both, "%s%s%s", argument, *takes_next ? " " : "",
             *takes_next ? next : "");
    return refuse(both, reason, command);
}

/* Sorts options from files, whose names move to the front of `words`; true: go on. */
static int take_arguments(const struct command *command, struct arguments *arguments, char **words,
                          int count)
{
    bool takes_options = true, takes_next = false;
    int i;

    arguments->files = words;
    for (i = 0; i < count; i++) {
        if (takes_next)
            takes_next = false;
        else if (!takes_options || words[i][0] != '-' || strcmp(words[i], "-") == 0)
            words[arguments->file_count++] = words[i];
        else if (strcmp(words[i], "--") == 0)
            takes_options = false;
        else if (words[i][1] != '-')
            return refuse(words[i], "no such option", command);
        else if (take_option(command, arguments, words[i], i + 1 < count ? words[i + 1] : NULL,
                             &takes_next) != ALL_WELL)
            return TROUBLE;
    }
    if (arguments->file_count == 0) return refuse(command->name, "no FILE named", command);
    if (arguments->file_count < command->least_files)
        return refuse(command->name, "one FILE too few", command);
    if (arguments->file_count > command->most_files)
        return refuse(words[command->most_files], "one FILE too many", command);
    return ALL_WELL;
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Whether --help is among the options. */
static bool asks_help(char **words, int count)
{
    int i;

    for (i = 0; i < count && strcmp(words[i], "--") != 0; i++) {
        if (is_help(words[i])) return true;
    }
    return false;
}

static int run_command(const struct command *command, char **words, int count)
{
    struct arguments arguments;

    if (asks_help(words, count)) return print_command_help(command);
    memset(&arguments, 0, sizeof arguments);
    if (take_arguments(command, &arguments, words, count) != ALL_WELL) return TROUBLE;
    return command->run(&arguments);
}

static int run(char **words, int count)
{
    size_t i;

    if (count > 0 && (is_help(words[0]) || strcmp(words[0], "help") == 0)) return print_help();
    if (count > 0 && strcmp(words[0], "--version") == 0) {
        printf("fletch %s\n", fletch_version());
        return ALL_WELL;
    }
    for (i = 0; count > 0 && i < COMMAND_COUNT; i++) {
        if (strcmp(words[0], commands[i].name) == 0)
            return run_command(&commands[i], words + 1, count - 1);
    }
    if (count == 0)
        complain("no command", "try `fletch --help`");
    else
        complain(words[0], "no such command; try `fletch --help`");
    return TROUBLE;
}

/*
 * Writes out what is buffered; output that failed makes any other result TROUBLE. A reader that
 * went away has seen enough, and needs no message.
 */
static int finish(int result)
{
    int fault;

    flush_output();
    fault = output_fault();
    if (fault == 0) return result;
    if (fault != EPIPE) complain("standard output", strerror(fault));
    return TROUBLE;
}

int main(int count, char **words)
{
    signal(SIGPIPE, SIG_IGN);
    return finish(run(words + 1, count > 0 ? count - 1 : 0));
}
