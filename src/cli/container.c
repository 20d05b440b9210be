/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers. Only framing is looked at: data are named and counted, never shown in full, and what
 * a hostile length says is held against the bytes that there are.
 */
#include "container.h"

#include "annotate.h"

#include <string.h>

enum {
    WORD = 4,
    MAGIC = 6,
    FILE_HEAD = 8,
    PARQUET_MAGIC = 4,
    SHORT_MESSAGES = 8, /* that are listed one by one */
    DATA_ROWS = 1
};

static uint32_t word_at(const struct view *view, size_t at)
{
    const unsigned char *bytes = view->bytes + at;

    if (at > view->size || view->size - at < WORD) return 0;
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* Finding */

/* The flatbuffer of a framed message that is cut short: what there is of it. */
static void salvage_message(struct container *container, size_t at)
{
    const bool is_legacy = word_at(&container->view, at) != 0xFFFFFFFFu;
    const size_t flatbuffer = at + (is_legacy ? WORD : 2 * WORD);

    if (container->view.size < flatbuffer + WORD) return;
    container->root = FLETCH_MESSAGE;
    container->begin = at;
    container->flatbuffer = flatbuffer;
    container->end = container->view.size;
}

/* Of a file without its end, the schema's copy at the head. */
static void salvage_file(struct container *container)
{
    fletch_options options;
    fletch_schema schema;
    const struct view *view = &container->view;

    memset(&options, 0, sizeof options);
    options.kind = FLETCH_FILE;
    options.level = FLETCH_LEVEL_UNCHECKED;
    options.stream_copy = true;
    if (view->size < FILE_HEAD || memcmp(view->bytes, "ARROW1", MAGIC) != 0) return;
    container->is_at_head = true;
    (void)fletch_open_with(view->bytes, view->size, &options, &schema, NULL);
    if (schema.wrapper.end == 0) {
        salvage_message(container, FILE_HEAD);
        return;
    }
    container->root = schema.wrapper.root;
    container->begin = (size_t)schema.wrapper.begin;
    container->flatbuffer = (size_t)schema.wrapper.flatbuffer;
    container->end = (size_t)schema.wrapper.end;
}

struct container find_container(struct input *input, fletch_kind kind)
{
    struct container container;
    fletch_schema schema;
    fletch_error error;

    memset(&container, 0, sizeof container);
    (void)open_schema(input, kind, FLETCH_LEVEL_UNCHECKED, &schema, &error);
    container.view = view_of_error(input, kind, &error);
    container.kind = schema.wrapper.kind;
    if (container.view.is_decoded) container.kind = FLETCH_ENCAPSULATED;
    if (schema.wrapper.end != 0) {
        container.root = schema.wrapper.root;
        container.begin = (size_t)schema.wrapper.begin;
        container.flatbuffer = (size_t)schema.wrapper.flatbuffer;
        container.end = (size_t)schema.wrapper.end;
    } else if (container.kind == FLETCH_STREAM || container.kind == FLETCH_ENCAPSULATED) {
        salvage_message(&container, 0);
    } else if (container.kind == FLETCH_FILE) {
        salvage_file(&container);
    }
    return container;
}

/* Listing */

static void list_data(struct listing *listing, size_t end, const char *what)
{
    const uint64_t rows = listing->short_rows;
    const bool is_full = listing->is_full;

    if (listing->at >= end) return;
    listing->short_rows = DATA_ROWS;
    listing->is_full = false; /* data are not what is explained */
    line_text(&listing->what, what);
    (void)listing_bytes(listing, listing->at, end);
    listing->short_rows = rows;
    listing->is_full = is_full;
}

/* The words before a framed flatbuffer. */
static void list_framing(struct listing *listing, const struct container *container)
{
    const size_t at = container->begin;
    const bool is_marked = container->flatbuffer - at == 2 * WORD;
    const size_t length = is_marked ? at + WORD : at;

    if (container->flatbuffer == at) return;
    if (is_marked) {
        line_text(&listing->what, "continuation: a message follows");
        (void)listing_bytes(listing, at, length);
    }
    line_print(&listing->what, "length of the message = %u%s",
               (unsigned)word_at(&container->view, length), is_marked ? "" : " (old framing)");
    (void)listing_bytes(listing, length, length + WORD);
}

void list_front(struct listing *listing, const struct container *container)
{
    const size_t begin = container->begin;

    if (container->kind == FLETCH_FILE && container->view.size >= FILE_HEAD) {
        line_text(&listing->what, "magic \"ARROW1\"");
        (void)listing_bytes(listing, 0, MAGIC);
        line_text(&listing->what, "padding");
        (void)listing_bytes(listing, MAGIC, FILE_HEAD);
        list_data(listing, begin,
                  container->is_at_head ? "padding" : "messages: the schema again, and the data");
    }
    list_framing(listing, container);
}

/* One message behind the schema's; false: it is none, so that nothing more is known. */
static bool list_message(struct listing *listing, const struct container *container, bool is_listed)
{
    const struct view *view = &container->view;
    const size_t at = (size_t)listing->at, left = view->size - at;
    fletch_options options;
    fletch_schema schema;
    fletch_error error;
    const char *word;
    size_t body;

    memset(&options, 0, sizeof options);
    options.kind = FLETCH_STREAM;
    options.level = FLETCH_LEVEL_UNCHECKED;
    (void)fletch_open_with(view->bytes + at, left, &options, &schema, &error);
    if (error.status == FLETCH_MISSING && schema.wrapper.end == 0) {
        list_data(listing, at + (size_t)error.offset + WORD, "end of the stream");
        return false;
    }
    if (schema.wrapper.end == 0 || schema.wrapper.root != FLETCH_MESSAGE) return false;
    word = header_word(schema.wrapper.header_type);
    body = schema.wrapper.body_length > 0 &&
                   (uint64_t)schema.wrapper.body_length <= left - schema.wrapper.end
               ? (size_t)schema.wrapper.body_length
               : 0;
    listing->is_hidden = !is_listed;
    line_print(&listing->what, "%s message of %llu bytes", word != NULL ? word : "unknown",
               (unsigned long long)schema.wrapper.end);
    list_data(listing, at + (size_t)schema.wrapper.end, "");
    if (body != 0) line_print(&listing->what, "  its body of %zu bytes", body);
    list_data(listing, at + (size_t)schema.wrapper.end + body, "");
    return true;
}

static void list_messages(struct listing *listing, const struct container *container)
{
    size_t count = 0;

    while (listing->at < container->view.size &&
           list_message(listing, container, count < SHORT_MESSAGES))
        count++;
    listing->is_hidden = false;
    if (listing->skipped != 0) {
        line_print(&listing->what, "%*s  ... %zu more messages, %llu bytes", listing->offset_digits,
                   "", count - SHORT_MESSAGES, (unsigned long long)listing->skipped);
        listing->skipped = 0;
        listing_words(listing);
    }
    list_data(listing, container->view.size, "not looked at");
}

static void list_file_end(struct listing *listing, const struct container *container)
{
    line_print(&listing->what, "length of the footer = %u",
               (unsigned)word_at(&container->view, container->end));
    (void)listing_bytes(listing, container->end, container->end + WORD);
    line_text(&listing->what, "magic \"ARROW1\"");
    (void)listing_bytes(listing, container->end + WORD, container->end + WORD + MAGIC);
}

void list_back(struct listing *listing, const struct container *container)
{
    if (container->kind == FLETCH_STREAM)
        list_messages(listing, container);
    else if (container->kind == FLETCH_FILE && !container->is_at_head &&
             container->root != FLETCH_SNIFF)
        list_file_end(listing, container);
    list_data(listing, container->view.size, "not looked at");
}

/* Text */

static void list_parquet(struct listing *listing, const struct view *view,
                         const fletch_found *found)
{
    const size_t end = view->size - PARQUET_MAGIC;
    const size_t footer = end - WORD - word_at(view, end - WORD);

    line_text(&listing->what, "magic \"PAR1\"");
    (void)listing_bytes(listing, 0, PARQUET_MAGIC);
    list_data(listing, footer, "data");
    list_data(listing, (size_t)found->offset, "footer in Thrift, up to the text of the schema");
    list_data(listing, (size_t)(found->offset + found->size), "ARROW:schema, base64 text");
    list_data(listing, end - WORD, "the rest of the footer");
    line_print(&listing->what, "length of the footer = %u", (unsigned)word_at(view, end - WORD));
    (void)listing_bytes(listing, end - WORD, end);
    line_text(&listing->what, "magic \"PAR1\"");
    (void)listing_bytes(listing, end, view->size);
}

void list_text(struct listing *listing, const struct input *input, fletch_kind kind)
{
    struct view view;
    fletch_input whole;
    fletch_found found;

    view.bytes = input->bytes;
    view.size = input->size;
    memset(&whole, 0, sizeof whole);
    whole.head = input->bytes;
    whole.head_size = input->size;
    whole.size = input->size;
    if (fletch_find(&whole, kind, false, &found, NULL) != FLETCH_OK) return;
    if (found.kind == FLETCH_PARQUET)
        list_parquet(listing, &view, &found);
    else
        list_data(listing, view.size, "base64 text");
}
