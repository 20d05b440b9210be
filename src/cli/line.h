/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line under construction, which knows how many columns of a terminal it takes.
 *
 * What comes from files goes through line_string, which lets nothing through that could steer,
 * turn or hide what a terminal shows. Lines grow as they must; when there is no memory, what comes
 * then is left out, and is_short_of_memory says so.
 */
#ifndef LINE_H
#define LINE_H

#include "fletch/base.h"

#include <stdio.h>

struct line {
    char *data;
    size_t size, space; /* bytes */
    size_t columns;
    bool is_short_of_memory;
};

/* Ends of ANSI colours and the colours in use. */
#define STYLE_BOLD  "\x1b[1m"
#define STYLE_DIM   "\x1b[2m"
#define STYLE_RED   "\x1b[31m"
#define STYLE_GREEN "\x1b[32m"
#define STYLE_CYAN  "\x1b[36m"
#define STYLE_RESET "\x1b[0m"

/* How a string that is too long is cut. */
enum cut { CUT_END, CUT_MIDDLE };

void line_free(struct line *line);
void line_clear(struct line *line);

/* Appends the program's own text: ASCII, or drawing characters of one column each. */
void line_text(struct line *line, const char *text);

/* Likewise as printf does, up to 200 characters. */
void line_print(struct line *line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Appends bytes as they are, which is nothing for terminals; no columns are counted. */
void line_bytes(struct line *line, fletch_string bytes);

/* Appends one of the codes above, which takes no column. */
void line_style(struct line *line, bool is_colored, const char *code);

/* Appends spaces up to a column; none if the line is longer. */
void line_pad(struct line *line, size_t columns);

/*
 * Appends a string, escaped. At most `most` columns of it, "..." included (0: all); returns whether
 * it was cut.
 */
bool line_string(struct line *line, fletch_string string, size_t most, enum cut cut);

/* The same between double quotes, and `"` inside is escaped. */
bool line_quoted(struct line *line, fletch_string string, size_t most, enum cut cut);

/* Text that is escaped already, but for what only terminals mind. */
void line_escaped(struct line *line, fletch_string text);

/* Columns of a string as line_string writes it; counts no further than to `most` + 1. */
size_t string_columns(fletch_string string, size_t most);

/* Appends another line, styles and all. */
void line_append(struct line *line, const struct line *other);

/* Writes the line and its end, and clears it. */
void line_write(struct line *line, FILE *to);

#endif
