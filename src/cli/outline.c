/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first walk. It is bounded by the library's limits, and so is the number of rows.
 */
#include "outline.h"

#include <stdlib.h>
#include <string.h>

/* Where the walk stands: the row at each depth, and from which depth on all is wanted. */
struct position {
    size_t rows[FLETCH_MAX_DEPTH + 1];
    uint32_t wanted_below;
};

static void set_error(fletch_error *error, fletch_status status, const char *sentence)
{
    memset(error, 0, sizeof *error);
    error->status = status;
    snprintf(error->sentence, sizeof error->sentence, "%s", sentence);
}

static struct outline_row *new_row(struct outline *outline)
{
    struct outline_row *row, *moved;
    size_t space;

    if (outline->count == outline->space) {
        space = outline->space != 0 ? outline->space * 2 : 256;
        moved = space <= SIZE_MAX / sizeof *moved ? realloc(outline->rows, space * sizeof *moved)
                                                  : NULL;
        if (moved == NULL) return NULL;
        outline->rows = moved;
        outline->space = space;
    }
    row = &outline->rows[outline->count++];
    memset(row, 0, sizeof *row);
    return row;
}

/* Shows a row that is wanted, as far as --depth lets it, and what leads there. */
static void want_row(struct outline *outline, const struct position *position, uint32_t depth,
                     uint32_t most)
{
    uint32_t i;

    outline->rows[position->rows[depth]].is_wanted = true;
    outline->wanted++;
    for (i = 0; i <= depth && (most == 0 || i < most); i++) {
        outline->rows[position->rows[i]].is_shown = true;
        if (i != 0) outline->rows[position->rows[i - 1]].is_parent = true;
    }
}

/* Takes the field at which the walk stands; false: the error says why not. */
static bool take_field(const struct arguments *arguments, struct outline *outline,
                       struct matcher *matcher, struct position *position, uint32_t depth,
                       fletch_string name)
{
    struct outline_row *row = new_row(outline);
    bool is_spent, is_match;

    if (row == NULL) {
        set_error(&outline->error, FLETCH_NO_MEMORY, "no memory for the fields");
        return false;
    }
    row->depth = (uint8_t)depth;
    position->rows[depth] = outline->count - 1;
    if (depth <= position->wanted_below) position->wanted_below = UINT32_MAX;
    is_match = match_field(matcher, depth, name, &is_spent);
    if (is_spent) {
        set_error(&outline->error, FLETCH_LIMIT, "the names are too much text to match");
        return false;
    }
    if (is_match && position->wanted_below == UINT32_MAX) position->wanted_below = depth;
    if (position->wanted_below != UINT32_MAX) want_row(outline, position, depth, arguments->depth);
    return true;
}

/* Marks the last ones among siblings, from the end on. */
static void find_last(struct outline *outline)
{
    bool is_seen[FLETCH_MAX_DEPTH + 2] = {false};
    size_t i;

    for (i = outline->count; i-- > 0;) {
        struct outline_row *row = &outline->rows[i];

        is_seen[row->depth + 1] = false;
        if (!row->is_shown) continue;
        row->is_last = !is_seen[row->depth];
        is_seen[row->depth] = true;
    }
}

void outline_schema(const struct arguments *arguments, const fletch_schema *schema,
                    struct outline *outline)
{
    struct position position;
    struct matcher matcher;
    fletch_walk walk;
    fletch_field field;

    memset(outline, 0, sizeof *outline);
    memset(&matcher, 0, sizeof matcher);
    matcher.arguments = arguments;
    matcher.text_left = text_budget(schema);
    position.wanted_below = UINT32_MAX;
    fletch_walk_begin(&walk, schema, NULL);
    while (fletch_walk_next(&walk, &field))
        if (!take_field(arguments, outline, &matcher, &position, walk.depth, field.name)) break;
    if (walk.status != FLETCH_OK) /* the bytes changed since they were checked */
        set_error(&outline->error, walk.status, fletch_status_text(walk.status));
    line_free(&matcher.path);
    find_last(outline);
}

size_t outline_below(const struct outline *outline, size_t i)
{
    const size_t first = i + 1;

    for (i = first; i < outline->count; i++)
        if (outline->rows[i].depth <= outline->rows[first - 1].depth) break;
    return i - first;
}

void outline_free(struct outline *outline)
{
    free(outline->rows);
    memset(outline, 0, sizeof *outline);
}
