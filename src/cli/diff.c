/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fletch diff: what differs between the schemas of two files, a line each.
 *
 * Exit codes are those of diff: 0 equal, 1 different, 2 trouble, which a file that is not ok is.
 */
#include "input.h"
#include "line.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bounds that keep a line readable; --full lifts them. */
#define SHORT_TYPE  100u
#define SHORT_VALUE 80u

/* The arguments, and what else the actions hand on. It is the arguments that they are given, so
 * those come first. */
struct task {
    struct arguments arguments;
    const fletch_schema *a;
};

struct printer {
    fletch_print_options types;
    size_t most; /* columns of a value; 0: no bound */
};

static bool write_out(void *context, const char *text, size_t size)
{
    return fwrite(text, 1, size, context) == size;
}

/* Text from the files */

/* Writes a string in quotes, and its length if it was cut. */
static void write_quoted(const struct printer *printer, fletch_string string)
{
    struct line line;

    memset(&line, 0, sizeof line);
    if (line_quoted(&line, string, printer->most, CUT_END))
        line_print(&line, " (%zu bytes)", string.size);
    fwrite(line.data != NULL ? line.data : "", 1, line.size, stdout);
    line_free(&line);
}

/* Values */

static void write_type(const struct printer *printer, const fletch_field *field)
{
    /* What can't be printed came out whole or cut; the limits are the comparison's own. */
    (void)fletch_print_type(field, &printer->types, write_out, stdout, NULL);
}

/* What only one file has. */
static void write_only(const struct printer *printer, const fletch_difference *difference)
{
    const fletch_difference_side *side = difference->a.is_there ? &difference->a : &difference->b;

    printf("only in %c: ", difference->a.is_there ? 'A' : 'B');
    if (difference->aspect == FLETCH_ASPECT_METADATA) {
        write_quoted(printer, side->pair->key);
        fputs(": ", stdout);
        write_quoted(printer, side->pair->value);
        return;
    }
    write_quoted(printer, side->field->name);
    fputs(": ", stdout);
    write_type(printer, side->field);
}

static const char *endianness_word(int64_t number)
{
    return number == FLETCH_BIG_ENDIAN ? "big" : "little"; /* others are not ok */
}

/* Enumerators are written as the type that they make, numbers and texts as such. */
static void write_value(const struct printer *printer, const fletch_difference *difference,
                        const fletch_difference_side *side)
{
    if (difference->aspect == FLETCH_ASPECT_ENDIANNESS)
        fputs(endianness_word(side->number), stdout);
    else if (difference->form == FLETCH_FORM_ENUMERATOR ||
             difference->aspect == FLETCH_ASPECT_DICTIONARY)
        write_type(printer, side->field);
    else if (difference->form == FLETCH_FORM_STRING)
        write_quoted(printer, side->string);
    else if (difference->form == FLETCH_FORM_BOOL)
        fputs(side->number != 0 ? "true" : "false", stdout);
    else
        printf("%lld", (long long)side->number);
    if (difference->form == FLETCH_FORM_COUNT) fputs(" elements", stdout);
}

/* Names the field, where that is not what the line is about. */
static void write_field(const struct printer *printer, const fletch_difference *difference)
{
    if (difference->a.field == NULL || difference->aspect == FLETCH_ASPECT_NAME) return;
    fputs(" (field ", stdout);
    write_quoted(printer, difference->a.field->name);
    putchar(')');
}

static bool print_difference(void *context, const fletch_difference *difference)
{
    const struct printer *printer = context;

    printf("%s: ", difference->error.path);
    if (difference->form == FLETCH_FORM_PRESENCE &&
        difference->aspect != FLETCH_ASPECT_DICTIONARY) {
        write_only(printer, difference);
    } else {
        write_value(printer, difference, &difference->a);
        fputs(" -> ", stdout);
        write_value(printer, difference, &difference->b);
    }
    if (difference->aspect != FLETCH_ASPECT_FIELD) write_field(printer, difference);
    putchar('\n');
    return output_fault() == 0;
}

/* Comparing */

static bool pass_by(void *context, const fletch_difference *difference)
{
    (void)context;
    (void)difference;
    return true;
}

/* Lends the memory that a comparison without order takes; false: said why. */
static bool lend_memory(fletch_compare_options *options, const fletch_schema *a,
                        const fletch_schema *b)
{
    fletch_error error;

    if (fletch_compare_each(a, b, options, pass_by, NULL, &error) != FLETCH_NO_SPACE) return true;
    options->memory_size = (size_t)error.wanted;
    options->memory = error.wanted <= SIZE_MAX ? malloc(options->memory_size) : NULL;
    if (options->memory != NULL) return true;
    complain("diff", "no memory to compare metadata");
    return false;
}

static int compare(const struct arguments *arguments, const fletch_schema *a,
                   const fletch_schema *b)
{
    fletch_compare_options options = arguments->comparison;
    struct printer printer;
    fletch_error error;
    fletch_status status;

    memset(&printer, 0, sizeof printer);
    printer.types.max_type = arguments->full ? 0 : SHORT_TYPE;
    printer.most = arguments->full ? 0 : SHORT_VALUE;
    if (!lend_memory(&options, a, b)) return TROUBLE;
    status = fletch_compare_each(a, b, &options, print_difference, &printer, &error);
    free(options.memory);
    if (status == FLETCH_OK) return ALL_WELL;
    if (status == FLETCH_DIFFERENT) return FILE_NOT_OK;
    (void)complain_of_fault("diff", &error);
    return TROUBLE;
}

/* Opens a schema that must be ok; false: said why. */
static bool open_sound(const struct arguments *arguments, struct input *input,
                       fletch_schema *schema)
{
    fletch_error error;

    if (judge(input, arguments->kind, FLETCH_LEVEL_ARROW, schema, &error) == FLETCH_OK) return true;
    (void)complain_of_input(input, arguments->kind, &error);
    return false;
}

static int diff_second(const struct arguments *arguments, struct input *input)
{
    const struct task *task = (const struct task *)arguments;
    fletch_schema b;

    if (!open_sound(arguments, input, &b)) return TROUBLE;
    return compare(arguments, task->a, &b);
}

static int diff_first(const struct arguments *arguments, struct input *input)
{
    struct task task;
    fletch_schema a;

    if (!open_sound(arguments, input, &a)) return TROUBLE;
    task.arguments = *arguments;
    task.a = &a;
    return with_input(&task.arguments, arguments->files[1], diff_second);
}

int run_diff(const struct arguments *arguments)
{
    if (strcmp(arguments->files[0], "-") == 0 && strcmp(arguments->files[1], "-") == 0)
        return complain("diff", "only one of A and B can be standard input");
    return with_input(arguments, arguments->files[0], diff_first);
}
