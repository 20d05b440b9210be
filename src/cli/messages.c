/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program says, other than schemas.
 */
#include "line.h"
#include "terminal.h"

#include <errno.h>
#include <string.h>

/* A message tells the file even where there is no memory to escape its name in. */
static void write_roughly(FILE *to, const char *name)
{
    for (; *name != '\0'; name++)
        fputc(*name >= ' ' && *name <= '~' ? *name : '?', to);
}

void write_name(FILE *to, const char *name)
{
    struct line line;

    memset(&line, 0, sizeof line);
    line_escaped(&line, fletch_text(name));
    if (line.is_short_of_memory)
        write_roughly(to, name);
    else
        fwrite(line.data != NULL ? line.data : "", 1, line.size, to);
    line_free(&line);
}

int complain(const char *about, const char *reason)
{
    flush_output();
    fputs("fletch: ", stderr);
    write_name(stderr, about);
    fprintf(stderr, ": %s\n", reason);
    return TROUBLE;
}

int output_fault(void)
{
    static int first = 0;

    if (first == 0 && ferror(stdout)) first = errno != 0 ? errno : EIO;
    return first;
}

void flush_output(void)
{
    fflush(stdout);
    output_fault();
}

/* The word of a status, red where messages go to a terminal. */
static void write_status(FILE *to, fletch_status status)
{
    const bool is_colored = to == stderr && wants_color(COLOR_AUTO, to);

    fprintf(to, "%s%s%s", is_colored ? STYLE_RED : "", fletch_status_word(status),
            is_colored ? STYLE_RESET : "");
}

void write_fault(FILE *to, const fletch_error *error)
{
    write_status(to, error->status);
    fprintf(to, ": %s (byte %llu", error->sentence, (unsigned long long)error->offset);
    if (error->path[0] != '\0') fprintf(to, ", path %s", error->path);
    fputs(")\n", to);
}

void write_verdict(FILE *to, const char *name, const fletch_error *error)
{
    write_name(to, name);
    fputs(": ", to);
    if (error->status == FLETCH_OK)
        fprintf(to, "%s\n", fletch_status_word(error->status));
    else
        write_fault(to, error);
}

int complain_of_fault(const char *name, const fletch_error *error)
{
    if (error->status == FLETCH_NO_MEMORY) return complain(name, error->sentence);
    flush_output();
    fputs("fletch: ", stderr);
    write_verdict(stderr, name, error);
    return FILE_NOT_OK;
}

int complain_of_build(const char *name, const fletch_error *error)
{
    if (error->status == FLETCH_NO_MEMORY) return complain(name, error->sentence);
    flush_output();
    fputs("fletch: ", stderr);
    write_name(stderr, name);
    fputs(": ", stderr);
    write_status(stderr, error->status);
    fprintf(stderr, ": %s", error->sentence);
    if (error->path[0] != '\0') fprintf(stderr, " (path %s)", error->path);
    fputc('\n', stderr);
    return FILE_NOT_OK;
}
