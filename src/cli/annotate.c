/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Annotation: objects in the order of their bytes, and what is between them.
 *
 * Zero bytes between objects, fewer than 8 of them, or at the end, fewer than 64, are padding; all
 * else that no object has is a gap. Where damage ended the visit, it is what was not reached.
 */
#include "annotate.h"

#include <string.h>

enum {
    WORD = 4,
    MOST_PADDING = 7,
    MOST_TAIL = 63,
    SHORT_VECTOR = 8,
    LEAST_PATH = 12,
    NAME_SHARE = 8
};

const char *purpose_word(enum purpose purpose)
{
    static const char *const words[] = {"names and other text", "numbers", "offsets", "vtables",
                                        "lengths and NULs",     "padding", "gaps"};

    return words[purpose];
}

/* Words for values */

static const char *word_of(const char *const *words, int64_t count, int64_t value)
{
    return value >= 0 && value < count ? words[value] : NULL;
}

static const char *unit_word(const char *table, int64_t value)
{
    static const char *const dates[] = {"DAY", "MILLISECOND"};
    static const char *const intervals[] = {"YEAR_MONTH", "DAY_TIME", "MONTH_DAY_NANO"};
    static const char *const units[] = {"SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND"};

    if (strcmp(table, "Date") == 0) return word_of(dates, 2, value);
    if (strcmp(table, "Interval") == 0) return word_of(intervals, 3, value);
    return word_of(units, 4, value);
}

const char *header_word(int64_t type)
{
    static const char *const words[] = {"NONE",        "Schema", "DictionaryBatch",
                                        "RecordBatch", "Tensor", "SparseTensor"};

    return word_of(words, 6, type);
}

/* The name that the format has for a value; NULL: none. */
static const char *value_word(const fletch_object *object, int64_t value)
{
    static const char *const versions[] = {"V1", "V2", "V3", "V4", "V5"};
    static const char *const orders[] = {"Little", "Big"};
    static const char *const precisions[] = {"HALF", "SINGLE", "DOUBLE"};
    static const char *const modes[] = {"Sparse", "Dense"};
    static const char *const kinds[] = {"DenseArray"};
    const char *member = object->member;

    if (strcmp(member, "type_type") == 0)
        return value <= FLETCH_TYPE_LARGE_LIST_VIEW ? fletch_type_name((int32_t)value) : NULL;
    if (strcmp(member, "version") == 0) return word_of(versions, 5, value);
    if (strcmp(member, "header_type") == 0) return header_word(value);
    if (strcmp(member, "endianness") == 0) return word_of(orders, 2, value);
    if (strcmp(member, "precision") == 0 && strcmp(object->table, "FloatingPoint") == 0)
        return word_of(precisions, 3, value);
    if (strcmp(member, "mode") == 0) return word_of(modes, 2, value);
    if (strcmp(member, "unit") == 0) return unit_word(object->table, value);
    if (strcmp(member, "dictionaryKind") == 0) return word_of(kinds, 1, value);
    return NULL;
}

static bool is_bool(const fletch_object *object)
{
    return object->end - object->begin == 1 && strcmp(object->member, "type_type") != 0 &&
           strcmp(object->member, "header_type") != 0;
}

/* Pieces */

/* Lists [begin, end) of the flatbuffer. */
static void list(struct annotation *annotation, uint32_t begin, uint32_t end, enum purpose purpose)
{
    annotation->bytes[purpose] +=
        listing_bytes(annotation->listing, annotation->origin + begin, annotation->origin + end);
}

static uint32_t listed_to(const struct annotation *annotation)
{
    return (uint32_t)(annotation->listing->at - annotation->origin);
}

static bool is_zero(const struct annotation *annotation, uint32_t begin, uint32_t end)
{
    for (; begin < end; begin++)
        if (annotation->objects->bytes[begin] != 0) return false;
    return true;
}

/* What stands between objects, from where the listing is to `end`. */
static void list_between(struct annotation *annotation, uint32_t end)
{
    struct line *what = &annotation->listing->what;
    const uint32_t begin = listed_to(annotation);
    const bool is_tail = end == annotation->objects->size;
    const char *indent = begin < annotation->table_end ? "  " : "";

    if (begin >= end) return;
    if (end - begin <= (is_tail ? MOST_TAIL : MOST_PADDING) && is_zero(annotation, begin, end)) {
        line_print(what, "%spadding", indent);
        list(annotation, begin, end, FOR_PADDING);
        return;
    }
    if (begin < annotation->table_end && annotation->is_whole)
        line_text(what, "  no member that is known");
    else if (!annotation->is_whole)
        line_print(what, "%snot reached: %u bytes", indent, (unsigned)(end - begin));
    else
        line_print(what, "%sgap: nothing leads to %s", indent,
                   end - begin == 1 ? "this byte" : "these bytes");
    if (annotation->is_whole && end - begin > 8) line_print(what, " (%u)", (unsigned)(end - begin));
    list(annotation, begin, end, FOR_NOTHING);
}

/* Lists what is between the last object and the next one. */
static void list_up_to(struct annotation *annotation, uint32_t begin)
{
    const uint32_t at = listed_to(annotation);

    if (at < annotation->vtable_end && at < begin) {
        const uint32_t end = begin < annotation->vtable_end ? begin : annotation->vtable_end;

        line_text(&annotation->listing->what, "  slots of members that are not known");
        list(annotation, at, end, FOR_VTABLES);
    }
    if (listed_to(annotation) < annotation->table_end && annotation->table_end < begin)
        list_between(annotation, annotation->table_end);
    list_between(annotation, begin);
}

/* ", shared by 3" and the like. */
static void add_sharing(struct line *line, const struct object *object)
{
    if (object->is_mixed) line_text(line, " and others");
    if (object->ways > 1) line_print(line, ", shared by %u", (unsigned)object->ways);
}

/*
 * The words of an object that others belong to: the path of a table, or of a member of it, within
 * what the line has left for it, and what is behind the path.
 */
static void add_head(struct annotation *annotation, uint32_t table, const char *member,
                     const struct line *rest)
{
    struct line *what = &annotation->listing->what;
    const bool is_colored = annotation->listing->is_colored;
    const size_t space = listing_space(annotation->listing);
    const size_t used = strlen(member) + 1 + rest->columns;
    size_t most = space > used + LEAST_PATH ? space - used : LEAST_PATH;

    line_style(what, is_colored, STYLE_BOLD);
    write_path(what, annotation->objects, table, space != 0 ? most : 0);
    if (member[0] != '\0') line_print(what, ".%s", member);
    line_style(what, is_colored, STYLE_RESET);
    line_append(what, rest);
}

/* Objects */

static void list_root(struct annotation *annotation, const struct object *object)
{
    line_print(&annotation->listing->what, "root table: at %lld",
               (long long)annotation->origin + number_at(annotation->objects, 0, WORD, false));
    list(annotation, object->is.begin, object->is.end, FOR_OFFSETS);
}

static void list_vtable(struct annotation *annotation, const struct object *object)
{
    struct line *what = &annotation->listing->what;
    const uint32_t begin = object->is.begin;
    const unsigned size = (unsigned)number_at(annotation->objects, begin, 2, false);
    const unsigned table_size = (unsigned)number_at(annotation->objects, begin + 2, 2, false);

    annotation->vtable_end = object->is.end;
    line_style(what, annotation->listing->is_colored, STYLE_BOLD);
    line_print(what, "vtable of %s%s", object->is.table, object->is_mixed ? " and others" : "");
    line_style(what, annotation->listing->is_colored, STYLE_RESET);
    line_print(what, ": %u bytes", size);
    list(annotation, begin, begin + 2, FOR_VTABLES);
    if (object->ways > 1)
        line_print(what, "  for %u tables of %u bytes", (unsigned)object->ways, table_size);
    else
        line_print(what, "  for a table of %u bytes", table_size);
    list(annotation, begin + 2, begin + 4, FOR_VTABLES);
}

static void list_slot(struct annotation *annotation, const struct object *object)
{
    struct line *what = &annotation->listing->what;
    const unsigned place = (unsigned)number_at(annotation->objects, object->is.begin, 2, false);

    line_print(what, "  %s%s", object->is.member, object->is_mixed ? " or another" : "");
    line_print(what, place != 0 ? " at +%u" : ": absent", place);
    list(annotation, object->is.begin, object->is.end, FOR_VTABLES);
}

static void list_table(struct annotation *annotation, const struct object *object)
{
    const uint32_t begin = object->is.begin;
    const int64_t vtable =
        (int64_t)annotation->origin + begin - number_at(annotation->objects, begin, WORD, true);
    fletch_string name;
    struct line rest;

    annotation->table_end = object->is.end;
    memset(&rest, 0, sizeof rest);
    if (strcmp(object->is.table, "Field") == 0 &&
        name_of_field(annotation->objects, begin, &name)) {
        line_text(&rest, " ");
        line_quoted(&rest, name, annotation->listing->width / NAME_SHARE, CUT_MIDDLE);
    }
    line_print(&rest, ": %s", object->is.table);
    add_sharing(&rest, object);
    line_print(&rest, ", vtable %lld", (long long)vtable);
    add_head(annotation, begin, "", &rest);
    line_free(&rest);
    list(annotation, begin, begin + WORD, FOR_OFFSETS);
}

static void list_member(struct annotation *annotation, const struct object *object)
{
    struct line *what = &annotation->listing->what;
    const fletch_object *is = &object->is;
    const bool is_signed = is->end - is->begin > 1;
    const int64_t value =
        number_at(annotation->objects, is->begin, is->end - is->begin, is_signed && !is->is_offset);
    const char *word = value_word(is, value);

    line_print(what, "  %s", is->member);
    if (is->is_offset)
        line_print(what, ": at %lld", (long long)annotation->origin + is->begin + value);
    else if (is_bool(is) && value <= 1)
        line_text(what, value != 0 ? " = true" : " = false");
    else
        line_print(what, " = %lld", (long long)value);
    if (word != NULL) line_print(what, " (%s)", word);
    list(annotation, is->begin, is->end, is->is_offset ? FOR_OFFSETS : FOR_NUMBERS);
}

/* The first line of a string or vector. */
static void add_member_head(struct annotation *annotation, const struct object *object,
                            const char *what, size_t count)
{
    struct line rest;

    memset(&rest, 0, sizeof rest);
    line_print(&rest, ": %s of %zu", what, count);
    add_sharing(&rest, object);
    add_head(annotation, object->is.owner, object->is.member, &rest);
    line_free(&rest);
}

/* Columns for the text of a string at `begin`: all if it is listed in full, and not above. */
static size_t text_space(const struct annotation *annotation, uint32_t begin)
{
    const struct listing *listing = annotation->listing;

    if (listing->is_full) return listed_to(annotation) <= begin + WORD ? 0 : listing->width;
    return listing_space(listing) - 4;
}

static void list_string(struct annotation *annotation, const struct object *object)
{
    struct line *what = &annotation->listing->what;
    const fletch_object *is = &object->is;
    fletch_string text;

    text.data = (const char *)annotation->objects->bytes + is->begin + WORD;
    text.size = is->end - is->begin - WORD - 1;
    add_member_head(annotation, object, "string", text.size);
    list(annotation, is->begin, is->begin + WORD, FOR_LENGTHS);
    if (text.size != 0) {
        line_text(what, "  ");
        line_quoted(what, text, text_space(annotation, is->begin), CUT_END);
        list(annotation, is->begin + WORD, is->end - 1, FOR_TEXT);
    }
    line_text(what, "  NUL");
    list(annotation, is->end - 1, is->end, FOR_LENGTHS);
}

/* A Block: where a record batch or dictionary stands in the file. */
static void add_block(struct annotation *annotation, uint32_t at)
{
    const struct objects *objects = annotation->objects;

    line_print(&annotation->listing->what, "offset %lld, metadata %lld, body %lld",
               (long long)number_at(objects, at, 8, true),
               (long long)number_at(objects, at + 8, WORD, true),
               (long long)number_at(objects, at + 16, 8, true));
}

static void list_element(struct annotation *annotation, const fletch_object *vector, uint32_t i)
{
    struct line *what = &annotation->listing->what;
    const uint32_t at = vector->begin + WORD + i * vector->width;
    const int64_t value = number_at(annotation->objects, at, vector->width, !vector->is_offset);

    line_print(what, "  [%u] ", (unsigned)i);
    if (vector->is_offset)
        line_print(what, "at %lld", (long long)annotation->origin + at + value);
    else if (vector->width > 8)
        add_block(annotation, at);
    else
        line_print(what, "= %lld", (long long)value);
    list(annotation, at, at + vector->width, vector->is_offset ? FOR_OFFSETS : FOR_NUMBERS);
}

static void list_vector(struct annotation *annotation, const struct object *object)
{
    struct line *what = &annotation->listing->what;
    const fletch_object *is = &object->is;
    const enum purpose purpose = is->is_offset ? FOR_OFFSETS : FOR_NUMBERS;
    const uint32_t count = (is->end - is->begin - WORD) / is->width;
    const bool is_all = annotation->listing->is_full || count <= SHORT_VECTOR + 1;
    const uint32_t most = is_all ? count : SHORT_VECTOR;
    const uint32_t at = listed_to(annotation);
    uint32_t i = 0;

    add_member_head(annotation, object, "vector", count);
    list(annotation, is->begin, is->begin + WORD, FOR_LENGTHS);
    if (at > is->begin + WORD) i = (at - is->begin - WORD) / is->width; /* listed above */
    for (; i < most; i++)
        list_element(annotation, is, i);
    if (i >= count) return;
    line_print(what, "  [%u] to [%u]", (unsigned)i, (unsigned)count - 1);
    list(annotation, is->begin + WORD + i * is->width, is->end, purpose);
}

static void list_object(struct annotation *annotation, const struct object *object)
{
    switch (object->is.kind) {
    case FLETCH_OBJECT_ROOT: list_root(annotation, object); break;
    case FLETCH_OBJECT_VTABLE: list_vtable(annotation, object); break;
    case FLETCH_OBJECT_SLOT: list_slot(annotation, object); break;
    case FLETCH_OBJECT_TABLE: list_table(annotation, object); break;
    case FLETCH_OBJECT_MEMBER: list_member(annotation, object); break;
    case FLETCH_OBJECT_STRING: list_string(annotation, object); break;
    case FLETCH_OBJECT_VECTOR: list_vector(annotation, object); break;
    default: break;
    }
}

void annotate(struct annotation *annotation)
{
    const struct objects *objects = annotation->objects;
    size_t i;

    annotation->listing->at = annotation->origin;
    for (i = 0; i < objects->count && output_fault() == 0; i++) {
        annotation->listing->is_hidden = !objects->all[i].is_wanted;
        list_up_to(annotation, objects->all[i].is.begin);
        list_object(annotation, &objects->all[i]);
    }
    list_up_to(annotation, objects->size);
    listing_flush(annotation->listing);
}
