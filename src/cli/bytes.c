/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes at fault.
 *
 * An error tells the first byte only. How many there are follows from what stands there: the
 * flatbuffer is visited up to the fault, for the object that begins at it.
 */
#include "bytes.h"

#include "terminal.h"

#include "fletch/explain.h"

#include <string.h>

enum { ROW = 16 /* bytes a line */, WORD = 4 };

/* A search among the objects of a flatbuffer for the one at a place. */
struct search {
    uint32_t at, end;
};

/* Where offsets count */

bool view_decoded(struct input *input, fletch_kind kind, struct view *view)
{
    fletch_input whole;
    fletch_found found;
    size_t size = 0;

    memset(&whole, 0, sizeof whole);
    whole.head = input->bytes;
    whole.head_size = input->size;
    whole.size = input->size;
    if (input->scratch == NULL || fletch_find(&whole, kind, false, &found, NULL) != FLETCH_OK ||
        found.range_kind != FLETCH_BASE64 ||
        fletch_base64_decode((const char *)input->bytes + (size_t)found.offset, (size_t)found.size,
                             input->scratch, input->scratch_size, &size, NULL) != FLETCH_OK)
        return false;
    view->bytes = input->scratch;
    view->size = size;
    view->is_decoded = true;
    return true;
}

struct view view_of_error(struct input *input, fletch_kind kind, const fletch_error *error)
{
    struct view view;

    view.bytes = input->bytes;
    view.size = input->size;
    view.is_decoded = false;
    if (error->status != FLETCH_BAD_BASE64) (void)view_decoded(input, kind, &view);
    return view;
}

/* What is at fault */

/* Bytes of an object that are taken for the word at `at`; 0: it is no such object. */
static uint32_t word_size(const fletch_object *object, uint32_t at)
{
    if (at < object->begin || at >= object->end) return 0;
    switch (object->kind) {
    case FLETCH_OBJECT_STRING: return at == object->begin ? WORD : 1;
    case FLETCH_OBJECT_VECTOR: return at == object->begin ? WORD : object->width;
    case FLETCH_OBJECT_TABLE: return at == object->begin ? WORD : 0;
    case FLETCH_OBJECT_VTABLE: return at == object->begin ? 2 : 0;
    default: return at == object->begin ? object->end - object->begin : 0;
    }
}

static bool look_at(void *context, const fletch_object *object)
{
    struct search *search = context;
    const uint32_t size = word_size(object, search->at);

    if (size != 0) search->end = search->at + size;
    return true; /* what comes later is more exact */
}

/* The end of the word at fault, in a flatbuffer. */
static size_t find_end(const struct view *view, const fletch_wrapper *wrapper, uint64_t at)
{
    const size_t begin = (size_t)wrapper->flatbuffer, end = (size_t)wrapper->end;
    struct search search;

    search.at = (uint32_t)(at - begin);
    search.end = search.at + 1;
    (void)fletch_visit_bytes(view->bytes + begin, end - begin, wrapper->root, NULL, look_at,
                             &search, NULL);
    return search.end < end - begin ? begin + search.end : end;
}

struct place find_place(struct input *input, fletch_kind kind, const fletch_error *error)
{
    struct place place;
    fletch_schema schema;
    fletch_error ignored;

    memset(&place, 0, sizeof place);
    (void)open_schema(input, kind, FLETCH_LEVEL_UNCHECKED, &schema, &ignored);
    place.view = view_of_error(input, kind, error);
    if (error->offset > place.view.size) return place;
    place.begin = place.end = (size_t)error->offset;
    if (error->status == FLETCH_UNRECOGNISED || place.begin == place.view.size) return place;
    if (schema.wrapper.end <= place.view.size && error->offset >= schema.wrapper.flatbuffer &&
        error->offset < schema.wrapper.end)
        place.end = find_end(&place.view, &schema.wrapper, error->offset);
    else
        place.end = place.begin + (error->status == FLETCH_BAD_BASE64 ? 1 : WORD);
    if (place.end > place.view.size) place.end = place.view.size;
    return place;
}

/* Writing */

/* `OFFSET | bytes | text`, of up to 16 bytes from `at` on. */
static void write_row(FILE *to, struct line *line, const struct place *place, size_t at)
{
    const size_t left = place->view.size - at;
    const size_t count = left < ROW ? left : ROW;
    size_t i;

    line_print(line, "%8zu |", at);
    for (i = 0; i < count; i++)
        line_print(line, "%s%02x", i == ROW / 2 ? "  " : " ", place->view.bytes[at + i]);
    line_pad(line, 60);
    line_text(line, " | ");
    for (i = 0; i < count; i++) {
        const unsigned char byte = place->view.bytes[at + i];

        line_print(line, "%c", byte >= 0x20 && byte < 0x7F ? byte : '.');
    }
    line_write(line, to);
}

/* The first column of the byte that is `i`-th in its line. */
static size_t byte_column(size_t i)
{
    return 11 + 3 * i + (i >= ROW / 2 ? 1 : 0);
}

/* Marks under the bytes of the line at `at` that are at fault. */
static void write_marks(FILE *to, struct line *line, const struct place *place, size_t at)
{
    const size_t first = place->begin > at ? place->begin - at : 0;
    const size_t last = place->end < at + ROW ? place->end - at : ROW; /* behind it */
    const bool is_colored = wants_color(COLOR_AUTO, to);
    const size_t end = last > first ? byte_column(last - 1) + 2 : byte_column(first) + 1;

    line_text(line, "         |");
    line_pad(line, byte_column(first));
    line_style(line, is_colored, STYLE_RED);
    while (line->columns < end)
        line_text(line, "^");
    if (place->begin == place->view.size) line_text(line, " the bytes end here");
    line_style(line, is_colored, STYLE_RESET);
    line_write(line, to);
}

void write_place(FILE *to, const struct place *place)
{
    const bool is_at_end = place->begin == place->view.size && place->begin != 0;
    const size_t middle = (is_at_end ? place->begin - 1 : place->begin) / ROW * ROW;
    size_t at = middle >= ROW ? middle - ROW : 0;
    size_t last = place->end > middle + ROW ? middle + 2 * ROW : middle + ROW;
    struct line line;

    if (place->view.size == 0) return;
    memset(&line, 0, sizeof line);
    if (place->view.is_decoded) fputs("         | decoded bytes:\n", to);
    for (; at <= last && at < place->view.size; at += ROW) {
        write_row(to, &line, place, at);
        if (at + ROW <= place->begin && !(is_at_end && at == middle)) continue;
        if (at > place->begin && at >= place->end) continue;
        if (place->begin != place->end || is_at_end) write_marks(to, &line, place, at);
    }
    line_free(&line);
}
