/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fletch show --count.
 *
 * Types are told apart by their text, up to MOST_TYPES of them: hostile schemas can have as many
 * as fields, and the rest is one number.
 */
#include "count.h"

#include "tree.h"

#include <stdlib.h>
#include <string.h>

/* Of a type's text: bytes before it is cut, and what those can become when they are escaped. */
enum { MOST_TYPES = 64, TYPE_BYTES = 60, TYPE_SPACE = 256 };

struct tally {
    char text[TYPE_SPACE];
    uint64_t count;
};

struct counts {
    uint64_t fields, nested, not_null, dictionaries, extensions, pairs, levels, other_types;
    struct tally types[MOST_TYPES];
    size_t type_count;
};

/* The type of a field as a text; false: no memory. */
static bool type_text(const fletch_field *field, char text[TYPE_SPACE])
{
    struct line line;
    bool is_whole;
    size_t size;

    memset(&line, 0, sizeof line);
    is_whole = write_type_head(&line, field, TYPE_BYTES) && !line.is_short_of_memory;
    size = line.size < TYPE_SPACE ? line.size : TYPE_SPACE - 1;
    if (size != 0) memcpy(text, line.data, size);
    text[size] = '\0';
    line_free(&line);
    return is_whole;
}

static bool count_type(struct counts *counts, const fletch_field *field)
{
    char text[TYPE_SPACE];
    size_t i;

    if (!type_text(field, text)) return false;
    for (i = 0; i < counts->type_count; i++)
        if (strcmp(counts->types[i].text, text) == 0) break;
    if (i == MOST_TYPES) {
        counts->other_types++;
        return true;
    }
    if (i == counts->type_count) {
        memcpy(counts->types[i].text, text, sizeof text);
        counts->types[i].count = 0;
        counts->type_count++;
    }
    counts->types[i].count++;
    return true;
}

static bool count_field(struct counts *counts, const fletch_field *field, uint32_t depth)
{
    fletch_extension extension;

    if (depth == 0)
        counts->fields++;
    else
        counts->nested++;
    if (depth >= counts->levels) counts->levels = depth + 1;
    if (!field->nullable) counts->not_null++;
    if (field->has_dictionary) counts->dictionaries++;
    if (fletch_find_extension(field, &extension) == FLETCH_OK) counts->extensions++;
    counts->pairs += fletch_count_metadata(&field->metadata);
    return count_type(counts, field);
}

/* The most frequent first; those of one frequency in the order of the schema. */
static void sort_types(struct counts *counts)
{
    size_t i, j;

    for (i = 1; i < counts->type_count; i++) {
        const struct tally tally = counts->types[i];

        for (j = i; j > 0 && counts->types[j - 1].count < tally.count; j--)
            counts->types[j] = counts->types[j - 1];
        counts->types[j] = tally;
    }
}

static void print_number(const char *what, uint64_t number)
{
    printf("  %-24s %10llu\n", what, (unsigned long long)number);
}

static void print_type_count(const char *type, uint64_t count, size_t column)
{
    struct line line;

    memset(&line, 0, sizeof line);
    line_text(&line, "    ");
    line_text(&line, type);
    line_pad(&line, column);
    line_print(&line, " %10llu", (unsigned long long)count);
    line_write(&line, stdout);
    line_free(&line);
}

/* The column behind the longest type. */
static size_t type_column(const struct counts *counts)
{
    size_t column = 26, i;

    for (i = 0; i < counts->type_count; i++) {
        const size_t columns = 4 + string_columns(fletch_text(counts->types[i].text), TYPE_SPACE);

        if (columns > column) column = columns;
    }
    return column;
}

static void print_all(struct counts *counts)
{
    const size_t column = type_column(counts);
    size_t i;

    print_number("fields", counts->fields);
    print_number("nested fields", counts->nested);
    print_number("levels", counts->levels);
    print_number("not null", counts->not_null);
    print_number("dictionary-encoded", counts->dictionaries);
    print_number("extension types", counts->extensions);
    print_number("metadata pairs of fields", counts->pairs);
    puts("  types");
    sort_types(counts);
    for (i = 0; i < counts->type_count; i++)
        print_type_count(counts->types[i].text, counts->types[i].count, column);
    if (counts->other_types != 0) print_type_count("other types", counts->other_types, column);
}

bool print_counts(const fletch_schema *schema, const struct outline *outline, fletch_error *error)
{
    struct counts counts;
    fletch_walk walk;
    fletch_field field;
    size_t i;

    memset(&counts, 0, sizeof counts);
    memset(error, 0, sizeof *error);
    fletch_walk_begin(&walk, schema, NULL);
    for (i = 0; i < outline->count && fletch_walk_next(&walk, &field); i++) {
        if (!outline->rows[i].is_wanted || count_field(&counts, &field, walk.depth)) continue;
        error->status = FLETCH_NO_MEMORY;
        snprintf(error->sentence, sizeof error->sentence, "no memory to count types");
        return false;
    }
    print_all(&counts);
    return true;
}
