/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fletch explain: every byte of a schema, and what it is there for.
 *
 * What can be reached is explained, also where the structure does not hold: then the fault, and
 * the bytes around it, come last.
 */
#include "annotate.h"
#include "container.h"
#include "terminal.h"

#include <string.h>

/* The whole of an explanation: what is explained, and what was found wrong with it. */
struct explanation {
    const struct arguments *arguments;
    struct input *input;
    struct container container;
    fletch_error verdict; /* at level arrow */
    bool is_sound;        /* the structure holds */
    struct objects objects;
    struct annotation annotation;
};

static void begin_listing(const struct explanation *explanation, struct listing *listing,
                          const struct view *view)
{
    listing_begin(listing, view->bytes, view->size);
    listing->is_full = explanation->arguments->full;
    listing->is_colored = wants_color(explanation->arguments->color, stdout);
}

static void write_first_line(const struct explanation *explanation)
{
    const struct container *container = &explanation->container;
    const bool is_colored = wants_color(explanation->arguments->color, stdout);
    fletch_schema schema;
    struct line line;

    memset(&line, 0, sizeof line);
    (void)open_schema(explanation->input, explanation->arguments->kind, FLETCH_LEVEL_UNCHECKED,
                      &schema, NULL);
    line_style(&line, is_colored, STYLE_BOLD);
    line_string(&line, fletch_text(explanation->input->name), 0, CUT_END);
    line_style(&line, is_colored, STYLE_RESET);
    line_print(&line, ": %s, %zu bytes", fletch_kind_word(schema.wrapper.kind),
               explanation->input->size);
    if (container->root != FLETCH_SNIFF)
        line_print(&line, ", of which the flatbuffer has %zu",
                   container->end - container->flatbuffer);
    line_write(&line, stdout);
    line_free(&line);
}

/* Collects the objects; with patterns or a depth, the fields that are wanted come first. */
static void collect(struct explanation *explanation)
{
    const struct arguments *arguments = explanation->arguments;
    const struct container *container = &explanation->container;
    fletch_options options;
    struct outline outline;
    fletch_schema schema;

    memset(&outline, 0, sizeof outline);
    memset(&options, 0, sizeof options);
    options.kind = container->root;
    options.level = FLETCH_LEVEL_UNCHECKED;
    (void)fletch_open_with(container->view.bytes + container->flatbuffer,
                           container->end - container->flatbuffer, &options, &schema, NULL);
    if (schema.at != 0 && (arguments->pattern_count != 0 || arguments->depth != 0))
        outline_schema(arguments, &schema, &outline);
    collect_objects(&explanation->objects, container->view.bytes + container->flatbuffer,
                    container->end - container->flatbuffer, container->root, arguments, &outline);
    outline_free(&outline);
}

static void list_flatbuffer(struct explanation *explanation, struct listing *listing)
{
    struct annotation *annotation = &explanation->annotation;

    memset(annotation, 0, sizeof *annotation);
    annotation->listing = listing;
    annotation->objects = &explanation->objects;
    annotation->origin = explanation->container.flatbuffer;
    annotation->is_whole = explanation->is_sound;
    annotate(annotation);
    listing->is_hidden = false;
}

static void list_all(struct explanation *explanation)
{
    const struct container *container = &explanation->container;
    const struct view whole = {explanation->input->bytes, explanation->input->size, false};
    struct listing listing;

    if (container->view.is_decoded) {
        begin_listing(explanation, &listing, &whole);
        list_text(&listing, explanation->input, explanation->arguments->kind);
        listing_end(&listing);
        printf("decoded, %zu bytes:\n", container->view.size);
    }
    begin_listing(explanation, &listing, &container->view);
    if (explanation->verdict.status != FLETCH_OK &&
        explanation->verdict.status != FLETCH_UNRECOGNISED)
        listing.fault = explanation->verdict.offset;
    if (container->root != FLETCH_SNIFF) {
        list_front(&listing, container);
        list_flatbuffer(explanation, &listing);
    }
    list_back(&listing, container);
    listing_end(&listing);
}

/* The summary */

static uint64_t share_in_tenths(uint64_t part, uint64_t whole)
{
    return whole != 0 ? (part * 1000 + whole / 2) / whole : 0;
}

static void write_purposes(const struct explanation *explanation)
{
    const uint64_t size = explanation->objects.size;
    int purpose;

    printf("\nThe flatbuffer's %llu bytes:\n", (unsigned long long)size);
    for (purpose = 0; purpose < PURPOSES; purpose++) {
        const uint64_t bytes = explanation->annotation.bytes[purpose];
        const uint64_t share = share_in_tenths(bytes, size);
        const char *word = purpose == FOR_NOTHING && !explanation->is_sound
                               ? "not reached"
                               : purpose_word((enum purpose)purpose);

        printf("  %-20s %10llu  %3llu.%llu %%\n", word, (unsigned long long)bytes,
               (unsigned long long)share / 10, (unsigned long long)share % 10);
    }
}

static void print_count(const char *before, uint64_t count, const char *noun)
{
    printf("%s%llu %s%s", before, (unsigned long long)count, noun, count != 1 ? "s" : "");
}

static void write_objects(const struct explanation *explanation)
{
    const struct objects *objects = &explanation->objects;
    uint64_t counts[FLETCH_OBJECT_FAULT + 1] = {0}, saved = 0;
    size_t i;

    for (i = 0; i < objects->count; i++) {
        const struct object *object = &objects->all[i];
        const bool is_apart =
            object->is.kind != FLETCH_OBJECT_MEMBER && object->is.kind != FLETCH_OBJECT_SLOT;

        counts[object->is.kind]++;
        if (is_apart && object->ways > 1)
            saved += (uint64_t)(object->ways - 1) * (object->is.end - object->is.begin);
    }
    print_count("  ", counts[FLETCH_OBJECT_TABLE], "table");
    print_count(" with ", counts[FLETCH_OBJECT_VTABLE], "vtable");
    print_count(", ", counts[FLETCH_OBJECT_STRING], "string");
    print_count(", ", counts[FLETCH_OBJECT_VECTOR], "vector");
    if (saved != 0) print_count("; sharing saves ", saved, "byte");
    putchar('\n');
}

/* What Arrow's rules have against a schema whose structure holds. */
static void note_verdict(const struct explanation *explanation)
{
    const fletch_error *verdict = &explanation->verdict;
    struct place place;

    if (verdict->status == FLETCH_OK) return;
    fputs("\nnote: at level arrow: ", stdout);
    write_fault(stdout, verdict);
    place = find_place(explanation->input, explanation->arguments->kind, verdict);
    write_place(stdout, &place);
}

static int explain(const struct arguments *arguments, struct input *input)
{
    struct explanation explanation;
    fletch_schema schema;
    fletch_status structure;
    int result = ALL_WELL;

    memset(&explanation, 0, sizeof explanation);
    explanation.arguments = arguments;
    explanation.input = input;
    structure =
        open_schema(input, arguments->kind, FLETCH_LEVEL_STRUCTURE, &schema, &explanation.verdict);
    explanation.is_sound = schema.at != 0;
    if (structure == FLETCH_OK)
        (void)judge(input, arguments->kind, FLETCH_LEVEL_ARROW, &schema, &explanation.verdict);
    if (explanation.verdict.status == FLETCH_NO_MEMORY || input->size == 0)
        return complain_of_fault(input->name, &explanation.verdict);
    explanation.container = find_container(input, arguments->kind);
    if (explanation.container.root != FLETCH_SNIFF) collect(&explanation);
    write_first_line(&explanation);
    list_all(&explanation);
    if (explanation.container.root != FLETCH_SNIFF) {
        write_purposes(&explanation);
        write_objects(&explanation);
    }
    if (explanation.objects.is_short_of_memory)
        result = complain(input->name, "no memory for all objects");
    if (structure == FLETCH_OK)
        note_verdict(&explanation);
    else
        result = complain_of_input(input, arguments->kind, &explanation.verdict);
    free_objects(&explanation.objects);
    return result;
}

int run_explain(const struct arguments *arguments)
{
    return for_each_input(arguments, explain);
}
