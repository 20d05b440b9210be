/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collecting objects.
 *
 * Shared objects come as often as something leads to them, which the library bounds by the size of
 * the flatbuffer; a hash table finds those that are there already, so the memory goes by what the
 * bytes can hold. Fields come in the order of the outline's rows.
 *
 * Owners stand before what they own, since offsets lead forward; so going up a path ends.
 */
#include "objects.h"

#include <stdlib.h>
#include <string.h>

/* Steps of a path: a field at each level, and what is below a field. */
#define MOST_STEPS (FLETCH_MAX_DEPTH + 8)

struct collector {
    struct objects *objects;
    const struct arguments *arguments;
    const struct outline *outline;
    size_t fields; /* that came so far */
    bool is_wanted;
    /* Whether the table under way came before, and the field under way at each depth, and the
     * dictionary: then what leads on from there is no new way. */
    bool is_again, is_field_again[FLETCH_MAX_DEPTH + 1], is_dictionary_again;
};

/* The hash table */

static size_t place_of(const struct objects *objects, fletch_object_kind kind, uint32_t begin)
{
    const uint64_t key = (uint64_t)begin * 8 + (uint64_t)kind;

    return (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (objects->place_count - 1);
}

/* Where the object stands in the table, or would. */
static uint32_t *find_place_of(const struct objects *objects, fletch_object_kind kind,
                               uint32_t begin)
{
    size_t i = place_of(objects, kind, begin);

    for (; objects->places[i] != 0; i = (i + 1) & (objects->place_count - 1)) {
        const fletch_object *object = &objects->all[objects->places[i] - 1].is;

        if (object->kind == kind && object->begin == begin) break;
    }
    return &objects->places[i];
}

static void fill_places(struct objects *objects)
{
    size_t i;

    memset(objects->places, 0, objects->place_count * sizeof *objects->places);
    for (i = 0; i < objects->count; i++)
        *find_place_of(objects, objects->all[i].is.kind, objects->all[i].is.begin) =
            (uint32_t)(i + 1);
}

/* Makes space for one more; the table stays at most half full. */
static bool make_space(struct objects *objects)
{
    const size_t space = objects->space != 0 ? objects->space * 2 : 256;
    struct object *all;
    uint32_t *places;

    if (objects->count < objects->space) return true;
    if (space > UINT32_MAX / 2 || space > SIZE_MAX / 2 / sizeof *all) return false;
    all = realloc(objects->all, space * sizeof *all);
    if (all == NULL) return false;
    objects->all = all;
    places = realloc(objects->places, space * 2 * sizeof *places);
    if (places == NULL) return false;
    objects->places = places;
    objects->place_count = space * 2;
    objects->space = space;
    fill_places(objects);
    return true;
}

/* Visiting */

/* Whether the next field of the visit is wanted. */
static bool wants_next(struct collector *collector)
{
    const struct outline *outline = collector->outline;
    const struct outline_row *row;

    if (collector->fields >= outline->count) return true; /* damaged, so it has no row */
    row = &outline->rows[collector->fields++];
    return row->is_wanted &&
           (collector->arguments->depth == 0 || row->depth < collector->arguments->depth);
}

/* Notes that an object came again. */
static void add_way(struct object *there, const fletch_object *object, bool is_new, bool is_wanted)
{
    if (is_new) there->ways++;
    if (strcmp(there->is.table, object->table) != 0 ||
        (object->kind == FLETCH_OBJECT_SLOT && strcmp(there->is.member, object->member) != 0))
        there->is_mixed = true;
    if (!is_wanted || there->is_wanted) return;
    there->is_wanted = true; /* so it is told by the way that is wanted */
    there->is = *object;
}

/* Whether a table is led to by one that came before. */
static bool is_owner_again(struct collector *collector, const fletch_object *object)
{
    const uint32_t depth = object->depth;

    if (strcmp(object->table, "Field") != 0)
        return strcmp(object->member, "indexType") == 0 ? collector->is_dictionary_again
                                                        : collector->is_field_again[depth];
    return depth != 0 && collector->is_field_again[depth - 1];
}

/* Whether an object is led to by something that did not lead to it before. */
static bool is_new_way(struct collector *collector, const fletch_object *object)
{
    const struct objects *objects = collector->objects;
    bool is_new = !collector->is_again;

    if (object->kind == FLETCH_OBJECT_VTABLE && objects->place_count != 0) {
        collector->is_again = *find_place_of(objects, FLETCH_OBJECT_TABLE, object->owner) != 0;
        return !collector->is_again;
    }
    if (object->kind != FLETCH_OBJECT_TABLE) return is_new;
    is_new = !is_owner_again(collector, object);
    if (strcmp(object->table, "Field") == 0)
        collector->is_field_again[object->depth] = collector->is_again;
    if (strcmp(object->table, "DictionaryEncoding") == 0)
        collector->is_dictionary_again = collector->is_again;
    return is_new;
}

static bool take_object(void *context, const fletch_object *object)
{
    struct collector *collector = context;
    struct objects *objects = collector->objects;
    const bool is_new = is_new_way(collector, object);
    struct object *new;
    uint32_t *place;

    if (object->begin >= object->end || object->end > objects->size) return true; /* it changed */
    if (object->kind == FLETCH_OBJECT_VTABLE && strcmp(object->table, "Field") == 0)
        collector->is_wanted = wants_next(collector);
    if (object->kind == FLETCH_OBJECT_FAULT) return true; /* told by its error */
    if (!make_space(objects)) {
        objects->is_short_of_memory = true;
        return false;
    }
    place = find_place_of(objects, object->kind, object->begin);
    if (*place != 0) {
        add_way(&objects->all[*place - 1], object, is_new, collector->is_wanted);
        return true;
    }
    new = &objects->all[objects->count++];
    new->is = *object;
    new->ways = 1;
    new->is_mixed = false;
    new->is_wanted = collector->is_wanted;
    *place = (uint32_t)objects->count;
    return true;
}

/* Containers come before what begins with them. */
static int order_of(fletch_object_kind kind)
{
    static const int orders[] = {0, 1, 3, 4, 5, 6, 2, 7};

    return orders[kind];
}

static int compare_places(const void *a, const void *b)
{
    const fletch_object *first = &((const struct object *)a)->is;
    const fletch_object *second = &((const struct object *)b)->is;

    if (first->begin != second->begin) return first->begin < second->begin ? -1 : 1;
    return order_of(first->kind) - order_of(second->kind);
}

void collect_objects(struct objects *objects, const unsigned char *bytes, size_t size,
                     fletch_kind root, const struct arguments *arguments,
                     const struct outline *outline)
{
    struct collector collector;

    memset(objects, 0, sizeof *objects);
    objects->bytes = bytes;
    objects->size = (uint32_t)size;
    memset(&collector, 0, sizeof collector);
    collector.objects = objects;
    collector.arguments = arguments;
    collector.outline = outline;
    collector.is_wanted = arguments->pattern_count == 0;
    (void)fletch_visit_bytes(bytes, size, root, NULL, take_object, &collector, NULL);
    if (objects->count == 0) return;
    qsort(objects->all, objects->count, sizeof *objects->all, compare_places);
    fill_places(objects);
}

void free_objects(struct objects *objects)
{
    free(objects->all);
    free(objects->places);
    memset(objects, 0, sizeof *objects);
}

/* Reading */

int64_t number_at(const struct objects *objects, uint32_t at, uint32_t size, bool is_signed)
{
    uint64_t word = 0;
    uint32_t i;

    for (i = 0; i < size && i < 8 && at + i < objects->size; i++)
        word |= (uint64_t)objects->bytes[at + i] << (8 * i);
    if (is_signed && size < 8 && (word >> (8 * size - 1)) != 0)
        return (int64_t)word - ((int64_t)1 << (8 * size));
    return is_signed && word > INT64_MAX ? -(int64_t)(UINT64_MAX - word) - 1
                                         : (int64_t)(word & INT64_MAX);
}

bool name_of_field(const struct objects *objects, uint32_t at, fletch_string *name)
{
    const int64_t vtable = (int64_t)at - number_at(objects, at, 4, true);
    uint32_t slot, place, target, size;

    if (vtable < 0 || vtable > (int64_t)objects->size - 6 ||
        number_at(objects, (uint32_t)vtable, 2, false) < 6)
        return false;
    slot = (uint32_t)number_at(objects, (uint32_t)vtable + 4, 2, false);
    place = at + slot;
    if (slot == 0 || place > objects->size) return false;
    target = place + (uint32_t)number_at(objects, place, 4, false);
    if (target < place || target > objects->size || objects->size - target < 5) return false;
    size = (uint32_t)number_at(objects, target, 4, false);
    if (size > objects->size - target - 5) return false;
    name->data = (const char *)objects->bytes + target + 4;
    name->size = size;
    return true;
}

/* Paths */

static const fletch_object *table_at(const struct objects *objects, uint32_t at)
{
    const uint32_t number =
        objects->count == 0 ? 0 : *find_place_of(objects, FLETCH_OBJECT_TABLE, at);

    return number != 0 ? &objects->all[number - 1].is : NULL;
}

/* What paths start with, which stand for no step. */
static const char *word_of_top(const fletch_object *table)
{
    if (strcmp(table->table, "Message") == 0) return "message";
    if (strcmp(table->table, "Footer") == 0) return "footer";
    return strcmp(table->table, "Schema") == 0 ? "schema" : NULL;
}

static void write_step(struct line *line, const fletch_object *table, bool is_first)
{
    line_print(line, "%s%s", is_first ? "" : ".", table->member);
    if (table->index != FLETCH_NO_ELEMENT) line_print(line, "[%u]", (unsigned)table->index);
}

void write_path(struct line *line, const struct objects *objects, uint32_t at, size_t most)
{
    const fletch_object *steps[MOST_STEPS], *table = table_at(objects, at);
    uint32_t count = 0;
    bool is_first = true;
    fletch_string whole;
    struct line path;

    memset(&path, 0, sizeof path);
    for (; table != NULL && word_of_top(table) == NULL && count < MOST_STEPS; count++) {
        steps[count] = table;
        table = table_at(objects, table->owner);
    }
    if (table != NULL && (count == 0 || strcmp(table->table, "Schema") != 0)) {
        line_text(&path, word_of_top(table));
        is_first = false;
    }
    for (; count != 0; is_first = false)
        write_step(&path, steps[--count], is_first);
    whole.data = path.data != NULL ? path.data : "";
    whole.size = path.size;
    line_string(line, whole, most, CUT_MIDDLE);
    line_free(&path);
}
