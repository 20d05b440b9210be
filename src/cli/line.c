/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines, and the one place where text from files becomes text for terminals.
 *
 * A character is shown as it is only if its width is known: control characters, marks of direction
 * and line, invisible ones, what is not UTF-8, and more than two combining marks in a row are
 * escaped.
 */
#include "line.h"

#include "cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The longest escape: \U0010ffff */
#define MOST_ESCAPE  12u
#define MOST_MARKS   2u
#define PRINT_SPACE  201u
#define ELLIPSIS     "..."
#define ELLIPSIS_LEN 3u

struct range {
    uint32_t first, last;
};

/* A character of a string, ready to be written. */
struct shown {
    size_t bytes; /* of the string */
    char text[MOST_ESCAPE];
    size_t size, columns;
};

/* How a string is read: the marks in a row so far, and what is escaped beyond the unsafe. */
struct reading {
    unsigned marks; /* a mark at the start has nothing to stand on, so it starts at the most */
    bool escapes_backslash, escapes_quote;
};

/* Memory */

static bool reserve(struct line *line, size_t size)
{
    size_t space = line->space != 0 ? line->space : 256;
    char *moved;

    if (size <= line->space - line->size) return true;
    while (space - line->size < size && space <= SIZE_MAX / 2)
        space *= 2;
    moved = space - line->size < size ? NULL : realloc(line->data, space);
    if (moved == NULL) {
        line->is_short_of_memory = true;
        return false;
    }
    line->data = moved;
    line->space = space;
    return true;
}

static void append(struct line *line, const char *text, size_t size, size_t columns)
{
    if (size == 0 || !reserve(line, size)) return;
    memcpy(line->data + line->size, text, size);
    line->size += size;
    line->columns += columns;
}

void line_free(struct line *line)
{
    free(line->data);
    memset(line, 0, sizeof *line);
}

void line_clear(struct line *line)
{
    line->size = line->columns = 0;
}

/* The program's own text */

void line_text(struct line *line, const char *text)
{
    size_t columns = 0, i;

    for (i = 0; text[i] != '\0'; i++)
        columns += (text[i] & 0xC0) != 0x80;
    append(line, text, i, columns);
}

void line_print(struct line *line, const char *format, ...)
{
    char text[PRINT_SPACE];
    va_list values;

    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    line_text(line, text);
}

void line_bytes(struct line *line, fletch_string bytes)
{
    append(line, bytes.data, bytes.size, 0);
}

void line_style(struct line *line, bool is_colored, const char *code)
{
    if (is_colored) append(line, code, strlen(code), 0);
}

void line_pad(struct line *line, size_t columns)
{
    while (line->columns < columns && !line->is_short_of_memory)
        append(line, " ", 1, 1);
}

void line_append(struct line *line, const struct line *other)
{
    append(line, other->data, other->size, other->columns);
}

void line_write(struct line *line, FILE *to)
{
    fwrite(line->data, 1, line->size, to);
    fputc('\n', to);
    if (to == stdout) output_fault(); /* where it failed, before errno tells of something else */
    line_clear(line);
}

/* Characters */

static bool is_among(const struct range *ranges, size_t count, uint32_t code)
{
    size_t i;

    for (i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last) return true;
    return false;
}

/* What moves, turns or hides: controls, separators, marks of direction, and what has no shape. */
static bool is_unsafe(uint32_t code)
{
    static const struct range ranges[] = {{0x00, 0x1F},      {0x7F, 0x9F},     {0xAD, 0xAD},
                                          {0x34F, 0x34F},    {0x61C, 0x61C},   {0x115F, 0x1160},
                                          {0x17B4, 0x17B5},  {0x180B, 0x180F}, {0x200B, 0x200F},
                                          {0x2028, 0x202E},  {0x2060, 0x206F}, {0x3164, 0x3164},
                                          {0xD800, 0xDFFF},  {0xE000, 0xF8FF}, {0xFDD0, 0xFDEF},
                                          {0xFEFF, 0xFEFF},  {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB},
                                          {0x1D173, 0x1D17A}};

    return code >= 0xE0000 || (code & 0xFFFE) == 0xFFFE ||
           is_among(ranges, sizeof ranges / sizeof ranges[0], code);
}

/* Marks that stand on the character before them. */
static bool is_mark(uint32_t code)
{
    static const struct range ranges[] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},
                                          {0x5BF, 0x5C7},   {0x610, 0x61A},   {0x64B, 0x65F},
                                          {0x670, 0x670},   {0x6D6, 0x6DC},   {0x6DF, 0x6ED},
                                          {0x93C, 0x93C},   {0x941, 0x948},   {0x94D, 0x94D},
                                          {0xE31, 0xE31},   {0xE34, 0xE3A},   {0xE47, 0xE4E},
                                          {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF},
                                          {0x302A, 0x302D}, {0x3099, 0x309A}, {0xFE00, 0xFE0F},
                                          {0xFE20, 0xFE2F}};

    return is_among(ranges, sizeof ranges / sizeof ranges[0], code);
}

/* Characters of two columns: East Asian ones and pictures. */
static bool is_wide(uint32_t code)
{
    static const struct range ranges[] = {
        {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
        {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26BD, 0x26BE},
        {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},   {0x274C, 0x274C},
        {0x2753, 0x2757},   {0x2795, 0x2797},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},
        {0x2E80, 0x303E},   {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97F},
        {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},
        {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18AFF}, {0x1B000, 0x1B2FF},
        {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A},
        {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393},
        {0x1F3A0, 0x1F3CA}, {0x1F3E0, 0x1F3F0}, {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F4FC},
        {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F567}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5},
        {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC},
        {0x1F7E0, 0x1F7EB}, {0x1F90C, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD}};

    return is_among(ranges, sizeof ranges / sizeof ranges[0], code);
}

/* The character at `text`, of which `left` bytes remain, and its bytes; 0: it is not UTF-8. */
static size_t decode(const unsigned char *text, size_t left, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t size = text[0] < 0x80    ? 1
                        : text[0] < 0xC2  ? 0
                        : text[0] < 0xE0  ? 2
                        : text[0] < 0xF0  ? 3
                        : text[0] <= 0xF4 ? 4
                                          : 0;
    size_t i;

    if (size == 0 || size > left) return 0;
    *code = size == 1 ? text[0] : text[0] & (0x7Fu >> size);
    for (i = 1; i < size; i++) {
        if ((text[i] & 0xC0) != 0x80) return 0;
        *code = *code << 6 | (text[i] & 0x3Fu);
    }
    if (*code < least[size] || *code > 0x10FFFF || (*code >= 0xD800 && *code <= 0xDFFF)) return 0;
    return size;
}

static void set_escape(struct shown *shown, const char *format, unsigned value)
{
    shown->size = shown->columns = (size_t)snprintf(shown->text, sizeof shown->text, format, value);
}

/* The letter of a character that has a short escape; 0: it has none. */
static char short_escape(uint32_t code, const struct reading *reading)
{
    if (code == '\n') return 'n';
    if (code == '\r') return 'r';
    if (code == '\t') return 't';
    if (code == '\\' && reading->escapes_backslash) return '\\';
    if (code == '"' && reading->escapes_quote) return '"';
    return 0;
}

/* How the character at `text` is shown. */
static struct shown show_character(const unsigned char *text, size_t left, struct reading *reading)
{
    struct shown shown;
    uint32_t code = 0;
    char letter;

    if (text[0] >= 0x20 && text[0] < 0x7F && text[0] != '\\' && text[0] != '"') {
        shown.bytes = shown.size = shown.columns = 1;
        shown.text[0] = (char)text[0];
        reading->marks = 0;
        return shown;
    }
    shown.bytes = decode(text, left, &code);
    if (shown.bytes == 0) {
        shown.bytes = 1;
        set_escape(&shown, "\\x%02x", text[0]);
        reading->marks = 0;
        return shown;
    }
    letter = short_escape(code, reading);
    reading->marks = is_mark(code) ? reading->marks + 1 : 0;
    if (letter != 0)
        set_escape(&shown, "\\%c", (unsigned char)letter);
    else if (code < 0x80 && is_unsafe(code))
        set_escape(&shown, "\\x%02x", code);
    else if (is_unsafe(code) || reading->marks > MOST_MARKS)
        set_escape(&shown, code > 0xFFFF ? "\\U%08x" : "\\u%04x", code);
    else {
        memcpy(shown.text, text, shown.bytes);
        shown.size = shown.bytes;
        shown.columns = reading->marks != 0 ? 0 : is_wide(code) ? 2 : 1;
    }
    return shown;
}

/* Strings */

static struct reading new_reading(bool is_quoted)
{
    struct reading reading;

    reading.marks = MOST_MARKS;
    reading.escapes_backslash = true;
    reading.escapes_quote = is_quoted;
    return reading;
}

/* Columns from byte `from` on; counts no further than to `most` + 1. */
static size_t columns_from(fletch_string string, size_t from, size_t most, struct reading reading)
{
    size_t columns = 0;

    while (from < string.size && columns <= most) {
        const struct shown shown =
            show_character((const unsigned char *)string.data + from, string.size - from, &reading);

        from += shown.bytes;
        columns += shown.columns;
    }
    return columns;
}

size_t string_columns(fletch_string string, size_t most)
{
    return columns_from(string, 0, most, new_reading(false));
}

/* Writes from byte `from` on, at most `most` columns. */
static void write_from(struct line *line, fletch_string string, size_t from, size_t most,
                       struct reading reading)
{
    size_t columns = 0;

    while (from < string.size && !line->is_short_of_memory) {
        const struct shown shown =
            show_character((const unsigned char *)string.data + from, string.size - from, &reading);

        columns += shown.columns;
        if (columns > most) return;
        append(line, shown.text, shown.size, shown.columns);
        from += shown.bytes;
    }
}

/* Where the last characters start that take at most `most` columns. */
static size_t tail_begin(fletch_string string, size_t most, struct reading reading)
{
    size_t from = string.size > most ? string.size - most : 0;

    while (from < string.size && (string.data[from] & 0xC0) == 0x80)
        from++;
    while (from < string.size && columns_from(string, from, most, reading) > most)
        from +=
            show_character((const unsigned char *)string.data + from, string.size - from, &reading)
                .bytes;
    return from;
}

static bool write_cut(struct line *line, fletch_string string, size_t most, enum cut cut,
                      struct reading reading)
{
    const size_t space = most > ELLIPSIS_LEN ? most - ELLIPSIS_LEN : 0;
    const size_t tail = cut == CUT_MIDDLE ? space / 2 : 0;

    if (most == 0 || columns_from(string, 0, most, reading) <= most) {
        write_from(line, string, 0, SIZE_MAX, reading);
        return false;
    }
    write_from(line, string, 0, space - tail, reading);
    line_text(line, ELLIPSIS);
    if (tail != 0)
        write_from(line, string, tail_begin(string, tail, new_reading(reading.escapes_quote)), tail,
                   new_reading(reading.escapes_quote));
    return true;
}

bool line_string(struct line *line, fletch_string string, size_t most, enum cut cut)
{
    return write_cut(line, string, most, cut, new_reading(false));
}

bool line_quoted(struct line *line, fletch_string string, size_t most, enum cut cut)
{
    bool is_cut;

    line_text(line, "\"");
    is_cut = write_cut(line, string, most, cut, new_reading(true));
    line_text(line, "\"");
    return is_cut;
}

void line_escaped(struct line *line, fletch_string text)
{
    struct reading reading = new_reading(false);

    reading.escapes_backslash = false;
    write_from(line, text, 0, SIZE_MAX, reading);
}
