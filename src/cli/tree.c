/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree.
 *
 * A line is cut to the terminal's width unless --full is given: the names in their middle, since
 * both ends tell fields apart, types and values at their end, with the length of what was cut. With
 * --full, what is printed is counted against a budget of text, as the library's own printing is,
 * since fields of hostile files can share one long string.
 */
#include "tree.h"

#include "terminal.h"

#include <stdlib.h>
#include <string.h>

enum {
    MARGIN = 2,         /* before each line */
    GAP = 2,            /* between columns */
    LEVEL = 3,          /* columns of a level */
    LEAST_COLUMNS = 16, /* what a type or a value gets at least */
    LEAST_NAME = 12,
    NAME_LOOK = 256
};

struct printer {
    const struct arguments *arguments;
    const fletch_schema *schema;
    const struct outline *outline;
    struct line line, pair;
    size_t width, label_columns, type_columns;
    uint32_t most_levels; /* that are drawn: of deeper fields only the innermost ones */
    uint64_t text_left;
    bool is_colored, is_drawn, is_spent;
    bool has_more[FLETCH_MAX_DEPTH + 1]; /* siblings follow at this depth */
};

static bool is_stopped(const struct printer *printer)
{
    return printer->is_spent || printer->line.is_short_of_memory ||
           printer->pair.is_short_of_memory;
}

/* Takes a string that is printed whole from the budget. */
static void take_text(struct printer *printer, uint64_t size)
{
    if (!printer->arguments->full) return;
    if (size > printer->text_left) printer->is_spent = true;
    printer->text_left -= printer->is_spent ? printer->text_left : size;
}

/* How much of a string may be written, `used` columns being taken. */
static size_t columns_left(const struct printer *printer, size_t used)
{
    if (printer->arguments->full) return 0;
    return used + LEAST_COLUMNS < printer->width ? printer->width - used : LEAST_COLUMNS;
}

/* Types */

static bool collect(void *context, const char *text, size_t size)
{
    struct line *line = context;
    fletch_string piece;

    piece.data = text;
    piece.size = size;
    line_bytes(line, piece);
    return !line->is_short_of_memory;
}

/* Takes out the brackets that a nested type without children has: "list<>", "map<>". */
static void remove_brackets(struct line *text)
{
    size_t i;

    for (i = 0; i + 1 < text->size; i++) {
        if (text->data[i] != '<' || text->data[i + 1] != '>') continue;
        memmove(text->data + i, text->data + i + 2, text->size - i - 2);
        text->size -= 2;
        return;
    }
}

bool write_type_head(struct line *line, const fletch_field *field, size_t most)
{
    fletch_field alone = *field;
    fletch_print_options options;
    struct line text;
    fletch_string whole;
    bool is_sorted = false;

    memset(&options, 0, sizeof options);
    memset(&text, 0, sizeof text);
    options.max_type = most;
    alone.children.position = alone.children.end; /* they have lines of their own */
    alone.has_dictionary = false;
    if (field->has_dictionary) line_text(line, "dictionary<");
    if (alone.type.id == FLETCH_TYPE_MAP) {
        is_sorted = alone.type.as.map.keys_sorted;
        alone.type.as.map.keys_sorted = false;
    }
    /* What cannot be printed is text beyond the limits, and came out cut. */
    (void)fletch_print_type(&alone, &options, collect, &text, NULL);
    if (alone.type.id != FLETCH_TYPE_TIMESTAMP) remove_brackets(&text);
    whole.data = text.data != NULL ? text.data : "";
    whole.size = text.size;
    line_escaped(line, whole);
    if (is_sorted) line_text(line, ", keys_sorted");
    if (field->has_dictionary)
        line_print(line, ", %s%d%s>", field->dictionary.index_type.is_signed ? "int" : "uint",
                   (int)field->dictionary.index_type.bit_width,
                   field->dictionary.is_ordered ? ", ordered" : "");
    most = text.is_short_of_memory;
    line_free(&text);
    return most == 0;
}

/* The type, and what else there is to say of a field. */
static void put_type(struct printer *printer, const fletch_field *field, int32_t type_id)
{
    const bool is_known =
        field->type.id > FLETCH_TYPE_NONE && field->type.id <= FLETCH_TYPE_LARGE_LIST_VIEW;
    const size_t behind = strlen(field->nullable ? "..." : "... not null");
    const size_t most = columns_left(printer, printer->label_columns + MARGIN + GAP + behind);
    struct line *line = &printer->line;
    fletch_extension extension;

    if (field->type.id == FLETCH_TYPE_TIMESTAMP)
        take_text(printer, field->type.as.timestamp.timezone.size);
    if (printer->is_spent) return;
    line_style(line, printer->is_colored, is_known ? STYLE_CYAN : STYLE_RED);
    if (!write_type_head(line, field, most)) line->is_short_of_memory = true;
    line_style(line, printer->is_colored, STYLE_RESET);
    if (field->has_dictionary) {
        line_print(line, " id=%lld", (long long)field->dictionary.id);
        if (field->dictionary.kind != FLETCH_DENSE_ARRAY)
            line_print(line, ", unknown dictionary kind %d", (int)field->dictionary.kind);
    }
    if (!field->nullable) line_text(line, " not null");
    if (fletch_find_extension(field, &extension) == FLETCH_OK) {
        take_text(printer, extension.name.size);
        line_text(line, " extension<");
        line_string(line, extension.name, columns_left(printer, line->columns + 1), CUT_END);
        line_text(line, ">");
    }
    if (type_id >= 0) line_print(line, " type id=%d", (int)type_id);
}

/* Metadata */

/* `key: value`, or what stands for what is absent; the line may reach `width` columns. */
static void put_pair(struct printer *printer, struct line *line, const fletch_key_value *pair)
{
    bool is_cut;

    take_text(printer, pair->key.size + pair->value.size);
    if (printer->is_spent) return;
    if (pair->key.size != 0)
        line_string(line, pair->key, columns_left(printer, line->columns), CUT_MIDDLE);
    else
        line_text(line, pair->has_key ? "\"\"" : "(no key)");
    line_text(line, ": ");
    if (pair->value.size == 0) {
        line_text(line, pair->has_value ? "\"\"" : "(absent)");
        return;
    }
    is_cut = string_columns(pair->value, columns_left(printer, line->columns)) >
             columns_left(printer, line->columns);
    if (printer->arguments->full || !is_cut) {
        line_string(line, pair->value, 0, CUT_END);
        return;
    }
    line_string(line, pair->value, columns_left(printer, line->columns + 16), CUT_END);
    line_print(line, " (%zu bytes)", pair->value.size);
}

/* The name of an extension stands behind the type already, and most have no more to say. */
static bool is_told(const struct printer *printer, const fletch_key_value *pair)
{
    if (printer->arguments->full) return false;
    if (fletch_same_string(pair->key, fletch_text("ARROW:extension:name")))
        return pair->value.size != 0;
    return pair->value.size == 0 &&
           fletch_same_string(pair->key, fletch_text("ARROW:extension:metadata"));
}

/* Pairs behind a field, `{key: value, ...}`; false: they do not fit there. */
static bool put_pairs_behind(struct printer *printer, fletch_metadata pairs)
{
    struct line *line = &printer->line, *rest = &printer->pair;
    const size_t used = line->columns + 3;
    fletch_key_value pair;

    line_clear(rest);
    while (fletch_next_metadata(&pairs, &pair)) {
        if (is_told(printer, &pair)) continue;
        if (used + rest->columns + pair.key.size + pair.value.size + 4 > printer->width)
            return false;
        line_text(rest, rest->size != 0 ? ", " : "");
        put_pair(printer, rest, &pair);
    }
    if (rest->size == 0) return true;
    line_style(line, printer->is_colored, STYLE_DIM);
    line_text(line, " {");
    line_append(line, rest);
    line_text(line, "}");
    line_style(line, printer->is_colored, STYLE_RESET);
    return true;
}

/* Lines */

static const char *level_text(const struct printer *printer, bool has_more, bool is_own)
{
    if (!printer->is_drawn && is_own) return has_more ? "|- " : "`- ";
    if (is_own) return has_more ? "├─ " : "└─ ";
    if (!has_more) return "   ";
    return printer->is_drawn ? "│  " : "|  ";
}

/* The lines that lead to a field's name, or down from it to its children and metadata. */
static void put_levels(struct printer *printer, uint32_t depth, bool is_own)
{
    struct line *line = &printer->line;
    uint32_t level = 1;

    line_pad(line, line->columns + MARGIN);
    line_style(line, printer->is_colored, STYLE_DIM);
    if (depth > printer->most_levels) { /* too deep to draw it all */
        line_print(line, is_own ? "(%u) " : "     ", (unsigned)depth);
        level = depth - printer->most_levels + 1;
    }
    for (; level <= depth; level++)
        line_text(line, level_text(printer, printer->has_more[level], is_own && level == depth));
    line_style(line, printer->is_colored, STYLE_RESET);
}

/* Whether a name could be taken for something else, as it stands in a line. Of long names only the
 * beginning is looked at: fields can share one that is most of the file. */
static bool wants_quotes(fletch_string name)
{
    const size_t most = name.size < NAME_LOOK ? name.size : NAME_LOOK;
    size_t i;

    if (name.size == 0 || name.data[0] == ' ' || name.data[0] == '"' || name.data[0] == '(' ||
        name.data[name.size - 1] == ' ')
        return true;
    for (i = 0; i + 1 < most; i++)
        if (name.data[i] == ' ' && name.data[i + 1] == ' ') return true;
    return false;
}

static void put_name(struct printer *printer, struct line *line, const fletch_field *field)
{
    const size_t half = printer->width / 2;
    size_t most = half > line->columns + LEAST_NAME ? half - line->columns : LEAST_NAME;

    if (printer->arguments->full) most = 0;
    line_style(line, printer->is_colored, STYLE_BOLD);
    if (!field->has_name)
        line_text(line, "(no name)");
    else if (wants_quotes(field->name))
        line_quoted(line, field->name, most > 2 ? most - 2 : most, CUT_MIDDLE);
    else
        line_string(line, field->name, most, CUT_MIDDLE);
    line_style(line, printer->is_colored, STYLE_RESET);
}

/* The lines of a field's pairs, where they do not fit behind it. */
static void write_pairs_below(struct printer *printer, const struct outline_row *row,
                              fletch_metadata pairs)
{
    struct line *line = &printer->line;
    fletch_key_value pair;

    while (!is_stopped(printer) && fletch_next_metadata(&pairs, &pair)) {
        if (is_told(printer, &pair)) continue;
        put_levels(printer, row->depth, false);
        line_style(line, printer->is_colored, STYLE_DIM);
        line_text(line, row->is_parent && printer->is_drawn ? "│ " : row->is_parent ? "| " : "  ");
        line_text(line, printer->is_drawn ? "· " : "- ");
        put_pair(printer, line, &pair);
        line_style(line, printer->is_colored, STYLE_RESET);
        line_write(line, stdout);
    }
}

static void write_field(struct printer *printer, size_t i, const fletch_field *field,
                        int32_t type_id)
{
    const struct outline_row *row = &printer->outline->rows[i];
    struct line *line = &printer->line;
    bool is_done;

    take_text(printer, field->name.size);
    if (printer->is_spent) return;
    printer->has_more[row->depth] = !row->is_last;
    put_levels(printer, row->depth, true);
    put_name(printer, line, field);
    line_pad(line, MARGIN + printer->label_columns);
    line_pad(line, line->columns + GAP);
    put_type(printer, field, type_id);
    if (printer->arguments->depth == row->depth + 1u && outline_below(printer->outline, i) != 0)
        line_print(line, " (+%zu)", outline_below(printer->outline, i));
    is_done = put_pairs_behind(printer, field->metadata);
    if (is_stopped(printer)) return;
    line_write(line, stdout);
    if (!is_done) write_pairs_below(printer, row, field->metadata);
}

/* Walks */

/* Widens the column of names to the widest that is shown, up to half of the width. */
static void measure(struct printer *printer)
{
    const size_t most = printer->width / 2 - MARGIN;
    fletch_walk walk;
    fletch_field field;
    size_t i;

    fletch_walk_begin(&walk, printer->schema, NULL);
    for (i = 0; i < printer->outline->count && fletch_walk_next(&walk, &field); i++) {
        const uint32_t depth =
            walk.depth > printer->most_levels ? printer->most_levels : walk.depth;
        size_t columns = (size_t)depth * LEVEL + (walk.depth > depth ? 5 : 0);

        if (!printer->outline->rows[i].is_shown) continue;
        columns += field.has_name ? string_columns(field.name, most) : 9;
        if (field.has_name && wants_quotes(field.name)) columns += 2;
        if (columns > printer->label_columns) printer->label_columns = columns;
    }
    if (printer->label_columns > most) printer->label_columns = most;
}

/* The lines of all fields that are shown; those of a union's children end with its type id. */
static void write_fields(struct printer *printer)
{
    fletch_type parents[FLETCH_MAX_DEPTH + 1];
    fletch_walk walk;
    fletch_field field;
    size_t i;

    memset(parents, 0, sizeof parents);
    fletch_walk_begin(&walk, printer->schema, NULL);
    for (i = 0; i < printer->outline->count && fletch_walk_next(&walk, &field); i++) {
        const fletch_type *parent = walk.depth != 0 ? &parents[walk.depth - 1] : NULL;
        const bool is_member = parent != NULL && parent->id == FLETCH_TYPE_UNION;

        parents[walk.depth] = field.type;
        if (is_stopped(printer) || output_fault() != 0) break;
        if (printer->outline->rows[i].is_shown)
            write_field(printer, i, &field,
                        is_member ? fletch_union_type_id(parent, walk.index) : -1);
    }
}

static void write_titled_pairs(struct printer *printer, const char *title, fletch_metadata pairs)
{
    struct line *line = &printer->line;
    fletch_key_value pair;

    if (fletch_count_metadata(&pairs) == 0) return;
    line_style(line, printer->is_colored, STYLE_BOLD);
    line_text(line, title);
    line_style(line, printer->is_colored, STYLE_RESET);
    line_write(line, stdout);
    while (!is_stopped(printer) && fletch_next_metadata(&pairs, &pair)) {
        line_pad(line, MARGIN);
        put_pair(printer, line, &pair);
        line_write(line, stdout);
    }
}

static void write_features(struct printer *printer)
{
    static const char *const names[] = {"unused", "dictionary replacement", "compressed body"};
    const fletch_integers *features = &printer->schema->features;
    struct line *line = &printer->line;
    uint32_t i;

    for (i = 0; i < features->count && !is_stopped(printer); i++) {
        const int64_t feature = fletch_integer_at(features, i);

        line_text(line, i == 0 ? "features: " : ", ");
        if (i == 8 && features->count > 9 && !printer->arguments->full) {
            line_print(line, "... (%u)", (unsigned)features->count);
            break;
        }
        if (feature >= FLETCH_FEATURE_UNUSED && feature <= FLETCH_FEATURE_COMPRESSED_BODY)
            line_text(line, names[feature]);
        else
            line_print(line, "unknown feature %lld", (long long)feature);
    }
    if (features->count != 0) line_write(line, stdout);
}

static void put_version(struct line *line, const fletch_wrapper *wrapper)
{
    if (wrapper->root == FLETCH_SCHEMA) return;
    line_print(line, ", metadata V%lld%s", (long long)wrapper->version + 1,
               wrapper->has_version ? "" : " (absent)");
}

void write_head(struct line *line, const fletch_schema *schema)
{
    const unsigned fields = fletch_count_fields(&schema->fields);

    line_text(line, fletch_kind_word(schema->wrapper.kind));
    put_version(line, &schema->wrapper);
    if (schema->wrapper.legacy_framing) line_text(line, ", legacy framing");
    if (schema->endianness == FLETCH_LITTLE_ENDIAN)
        line_text(line, ", little-endian");
    else if (schema->endianness == FLETCH_BIG_ENDIAN)
        line_text(line, ", big-endian");
    else
        line_print(line, ", unknown endianness %d", (int)schema->endianness);
    line_print(line, ", %u field%s", fields, fields != 1 ? "s" : "");
}

bool print_tree(const struct arguments *arguments, const fletch_schema *schema,
                const struct outline *outline, fletch_error *error)
{
    struct printer printer;

    memset(&printer, 0, sizeof printer);
    memset(error, 0, sizeof *error);
    printer.arguments = arguments;
    printer.schema = schema;
    printer.outline = outline;
    printer.width = output_width();
    printer.most_levels = (uint32_t)(printer.width / 12);
    printer.text_left = text_budget(schema);
    printer.is_colored = wants_color(arguments->color, stdout);
    printer.is_drawn = takes_drawing();
    measure(&printer);
    write_features(&printer);
    write_fields(&printer);
    if (arguments->pattern_count == 0) {
        write_titled_pairs(&printer, "metadata:", schema->metadata);
        write_titled_pairs(&printer,
                           schema->wrapper.root == FLETCH_FOOTER ? "footer metadata:"
                                                                 : "message metadata:",
                           schema->wrapper.metadata);
    }
    error->status = printer.is_spent       ? FLETCH_LIMIT
                    : is_stopped(&printer) ? FLETCH_NO_MEMORY
                                           : FLETCH_OK;
    snprintf(error->sentence, sizeof error->sentence, "%s",
             printer.is_spent ? "the text is too much to print in full" : "no memory for a line");
    line_free(&printer.line);
    line_free(&printer.pair);
    return error->status == FLETCH_OK;
}
