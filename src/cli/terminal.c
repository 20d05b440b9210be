/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of the terminal: whether it takes colours and drawing characters, and its width.
 */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE

#include "terminal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 40, WIDEST = 160, NO_TERMINAL = 100 };

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);

    return value != NULL && value[0] != '\0';
}

bool wants_color(int color, FILE *to)
{
    const char *terminal = getenv("TERM");

    if (color != COLOR_AUTO) return color == COLOR_ALWAYS;
    if (is_set("NO_COLOR") || terminal == NULL || strcmp(terminal, "dumb") == 0) return false;
    return isatty(fileno(to)) == 1;
}

size_t output_width(void)
{
    const char *variable = getenv("COLUMNS");
    unsigned long columns = 0;

#ifdef TIOCGWINSZ
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
#endif
    if (columns == 0 && variable != NULL) columns = strtoul(variable, NULL, 10);
    if (columns == 0) return NO_TERMINAL;
    if (columns < NARROWEST) return NARROWEST;
    return columns < WIDEST ? (size_t)columns : WIDEST;
}

/* Whether a locale's name says that text is UTF-8. */
static bool names_utf8(const char *locale)
{
    const char *dot = strchr(locale, '.');

    if (dot == NULL || tolower((unsigned char)dot[1]) != 'u') return false;
    return strstr(dot, "TF-8") != NULL || strstr(dot, "tf-8") != NULL ||
           strstr(dot, "tf8") != NULL || strstr(dot, "TF8") != NULL;
}

bool takes_drawing(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    size_t i;

    for (i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *locale = getenv(variables[i]);

        if (locale != NULL && locale[0] != '\0') return names_utf8(locale);
    }
    return false;
}
