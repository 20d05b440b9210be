/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fletch show: the schema as a tree.
 *
 * A schema is shown if its structure holds, whatever Arrow's rules say of it; what they say is
 * then a note below the tree, so that a look at a file never hides that others will refuse it.
 */
#define _POSIX_C_SOURCE 200809L

#include "input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bounds that keep a line readable; --full lifts them. */
#define SHORT_TYPE  200u
#define SHORT_VALUE 80u

static bool write_out(void *context, const char *text, size_t size)
{
    return fwrite(text, 1, size, context) == size;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);

    return value != NULL && value[0] != '\0';
}

static bool wants_color(const struct arguments *arguments)
{
    const char *terminal = getenv("TERM");

    if (arguments->color != COLOR_AUTO) return arguments->color == COLOR_ALWAYS;
    if (is_set("NO_COLOR") || terminal == NULL || strcmp(terminal, "dumb") == 0) return false;
    return isatty(STDOUT_FILENO) == 1;
}

static fletch_status print_tree(const struct arguments *arguments, const fletch_schema *schema,
                                fletch_error *error)
{
    fletch_print_options options;

    memset(&options, 0, sizeof options);
    options.max_type = arguments->full ? 0 : SHORT_TYPE;
    options.max_value = arguments->full ? 0 : SHORT_VALUE;
    options.color = wants_color(arguments);
    return fletch_print_tree(schema, &options, write_out, stdout, error);
}

static void note_verdict(const struct arguments *arguments, struct input *input)
{
    fletch_schema schema;
    fletch_error error;

    if (judge(input, arguments->kind, FLETCH_LEVEL_ARROW, &schema, &error) == FLETCH_OK) return;
    fputs("note: at level arrow: ", stdout);
    write_fault(stdout, &error);
}

static int show(const struct arguments *arguments, struct input *input)
{
    fletch_schema schema;
    fletch_error opening, printing;

    open_schema(input, arguments->kind, FLETCH_LEVEL_STRUCTURE, &schema, &opening);
    if (schema.at == 0) return complain_of_fault(input->name, &opening);
    write_name(stdout, input->name);
    fputs(": ", stdout);
    if (print_tree(arguments, &schema, &printing) != FLETCH_OK)
        return ferror(stdout) ? TROUBLE : complain_of_fault(input->name, &printing);
    if (opening.status != FLETCH_OK) return complain_of_fault(input->name, &opening);
    note_verdict(arguments, input);
    return ALL_WELL;
}

int run_show(const struct arguments *arguments)
{
    return for_each_input(arguments, show);
}
