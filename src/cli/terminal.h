/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of the terminal, or of what stands in its place.
 */
#ifndef TERMINAL_H
#define TERMINAL_H

#include "cli.h"

/* Whether to write colours to `to`, given --color. */
bool wants_color(int color, FILE *to);

/* Columns that a line of standard output may take: of the terminal, or 100. */
size_t output_width(void);

/* Whether the locale is one of UTF-8, so that lines can be drawn with its characters. */
bool takes_drawing(void);

#endif
