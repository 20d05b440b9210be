/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fletch show: the schema as a tree, or counted.
 *
 * A schema is shown if its structure holds, whatever Arrow's rules say of it; what they say is
 * then a note below the tree, so that a look at a file never hides that others will refuse it.
 */
#include "count.h"
#include "input.h"
#include "terminal.h"
#include "tree.h"

#include <string.h>

static void note_verdict(const struct arguments *arguments, struct input *input)
{
    fletch_schema schema;
    fletch_error error;

    if (judge(input, arguments->kind, FLETCH_LEVEL_ARROW, &schema, &error) == FLETCH_OK) return;
    fputs("note: at level arrow: ", stdout);
    write_fault(stdout, &error);
}

/* The line above the tree: the file's name and what is in it. */
static void write_first_line(const struct arguments *arguments, const struct input *input,
                             const fletch_schema *schema, const struct outline *outline)
{
    const bool is_colored = wants_color(arguments->color, stdout);
    const size_t top = fletch_count_fields(&schema->fields);
    struct line line;

    memset(&line, 0, sizeof line);
    line_style(&line, is_colored, STYLE_BOLD);
    line_string(&line, fletch_text(input->name), 0, CUT_END);
    line_style(&line, is_colored, STYLE_RESET);
    line_text(&line, ": ");
    write_head(&line, schema);
    if (outline->count > top) line_print(&line, ", %zu nested", outline->count - top);
    if (arguments->pattern_count != 0) line_print(&line, ", %zu selected", outline->wanted);
    line_write(&line, stdout);
    line_free(&line);
}

static bool print_schema(const struct arguments *arguments, const struct input *input,
                         const fletch_schema *schema, fletch_error *error)
{
    struct outline outline;
    bool is_whole;

    outline_schema(arguments, schema, &outline);
    write_first_line(arguments, input, schema, &outline);
    is_whole = arguments->counts ? print_counts(schema, &outline, error)
                                 : print_tree(arguments, schema, &outline, error);
    if (is_whole) *error = outline.error;
    outline_free(&outline);
    return error->status == FLETCH_OK;
}

static int show(const struct arguments *arguments, struct input *input)
{
    fletch_schema schema;
    fletch_error opening, printing;

    open_schema(input, arguments->kind, FLETCH_LEVEL_STRUCTURE, &schema, &opening);
    if (schema.at == 0) return complain_of_input(input, arguments->kind, &opening);
    if (!print_schema(arguments, input, &schema, &printing))
        return complain_of_build(input->name, &printing);
    if (output_fault() != 0) return TROUBLE;
    if (opening.status != FLETCH_OK) return complain_of_input(input, arguments->kind, &opening);
    note_verdict(arguments, input);
    return ALL_WELL;
}

int run_show(const struct arguments *arguments)
{
    return for_each_input(arguments, show);
}
