/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fletch build: a schema from the JSON of Arrow's integration tests.
 *
 * What `fletch verify` would refuse is never written: beyond what the builder checks, fields that
 * share a dictionary are compared.
 */
#include "input.h"
#include "json_schema.h"
#include "line.h"
#include "output.h"
#include "terminal.h"

#include "fletch/heap.h"

#include <string.h>

/* How the text is named in messages about what it says. */
#define NAME    "standard input"

/* Bytes of the text to both sides of a fault that are shown, if its line has as many. */
#define EXCERPT 36u

/* Writes the line around byte `at`, and a mark below it. */
static void write_excerpt(const struct input *text, size_t at)
{
    const char *bytes = text->bytes;
    size_t begin = at, end = at, column;
    fletch_string part;
    struct line line;

    if (text->size == 0 || at > text->size) return;
    while (begin > 0 && at - begin < EXCERPT && bytes[begin - 1] != '\n')
        begin--;
    while (begin < at && (bytes[begin] & 0xC0) == 0x80)
        begin++; /* no part of a character */
    while (end < text->size && end - at < EXCERPT && bytes[end] != '\n' && bytes[end] != '\r')
        end++;
    while (end < text->size && end > at && (bytes[end] & 0xC0) == 0x80)
        end--;
    memset(&line, 0, sizeof line);
    line_text(&line, "    | ");
    part.data = bytes + begin;
    part.size = at - begin;
    line_escaped(&line, part);
    column = line.columns;
    part.data = bytes + at;
    part.size = end - at;
    line_escaped(&line, part);
    line_write(&line, stderr);
    line_text(&line, "    | ");
    line_pad(&line, column);
    line_style(&line, wants_color(COLOR_AUTO, stderr), STYLE_RED);
    line_text(&line, "^");
    line_style(&line, wants_color(COLOR_AUTO, stderr), STYLE_RESET);
    line_write(&line, stderr);
    line_free(&line);
}

static int complain_of_text(const struct input *text, const struct json_error *error)
{
    size_t line, column;

    if (error->is_memory) return complain(NAME, "no memory for the schema");
    json_place(text->bytes, text->size, error->at, &line, &column);
    flush_output();
    fprintf(stderr, "fletch: " NAME ": line %zu, column %zu: ", line, column);
    write_name(stderr, error->sentence);
    fputc('\n', stderr);
    write_excerpt(text, error->at);
    return FILE_NOT_OK;
}

/* Ends the schema, checks its dictionaries, and writes it. */
static int write_schema(const struct arguments *arguments, fletch_builder *builder)
{
    const fletch_kind kind = arguments->to != FLETCH_SNIFF ? arguments->to : FLETCH_STREAM;
    const void *bytes;
    size_t size;
    fletch_schema schema;
    fletch_options options;
    fletch_error error;

    memset(&options, 0, sizeof options);
    options.kind = FLETCH_SCHEMA;
    options.level = FLETCH_LEVEL_STRICT;
    if (fletch_finish(builder, FLETCH_SCHEMA, &bytes, &size, &error) != FLETCH_OK ||
        fletch_open_with(bytes, size, &options, &schema, &error) != FLETCH_OK ||
        check_dictionaries(&schema, &error) != FLETCH_OK ||
        fletch_wrap(builder, kind, &bytes, &size, &error) != FLETCH_OK)
        return complain_of_build(NAME, &error);
    return write_output(arguments->files[0], kind, bytes, size);
}

static int build(const struct arguments *arguments, struct input *text)
{
    const fletch_allocator heap = fletch_heap();
    struct json_document document;
    struct json_error error;
    fletch_builder builder;
    int result;

    fletch_builder_init_growing(&builder, &heap);
    if (json_read(text->bytes, text->size, json_schema_skipped, &document, &error) &&
        json_build_schema(&document, &builder, &error))
        result = write_schema(arguments, &builder);
    else
        result = complain_of_text(text, &error);
    json_free(&document);
    fletch_builder_release(&builder);
    return result;
}

int run_build(const struct arguments *arguments)
{
    const fletch_kind kind = arguments->to != FLETCH_SNIFF ? arguments->to : FLETCH_STREAM;

    if (!can_write_to(arguments->files[0], kind)) return TROUBLE;
    return with_input(arguments, "-", build);
}
