/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns. A `*` is tried from the shortest text on, and only the last one is ever tried anew, so
 * the work is at most the product of both lengths.
 */
#include "match.h"

#include <string.h>

/* Bytes of one character at `text`, or of what is none. */
static size_t character_size(fletch_string text, size_t at)
{
    size_t size = 1;

    if ((text.data[at] & 0xC0) != 0xC0) return 1;
    while (size < 4 && at + size < text.size && (text.data[at + size] & 0xC0) == 0x80)
        size++;
    return size;
}

/* Behind the bracket's `]`; NULL: there is none, so `[` stands for itself. */
static const char *bracket_end(const char *pattern)
{
    const char *next = pattern + 1;

    if (*next == '!' || *next == '^') next++;
    if (*next == ']') next++;
    while (*next != '\0' && *next != ']')
        next++;
    return *next == ']' ? next + 1 : NULL;
}

/* Whether a byte is in the bracket [pattern, end), which is about ASCII. */
static bool is_in_bracket(const char *pattern, const char *end, unsigned char byte)
{
    const char *next = pattern + 1;
    const bool is_negated = *next == '!' || *next == '^';
    bool is_in = false;

    if (is_negated) next++;
    if (byte >= 0x80) return is_negated;
    for (; next < end - 1; next++) {
        const unsigned char first = (unsigned char)*next;
        const bool is_range = next + 2 < end - 1 && next[1] == '-';
        const unsigned char last = is_range ? (unsigned char)next[2] : first;

        if (byte >= first && byte <= last) is_in = true;
        if (is_range) next += 2;
    }
    return is_in != is_negated;
}

/* Matches what one step of a pattern stands for; 0 bytes: it does not match. */
static size_t match_one(const char **pattern, fletch_string text, size_t at)
{
    const char *next = *pattern, *end;
    const unsigned char byte = (unsigned char)text.data[at];

    if (*next == '?') {
        *pattern = next + 1;
        return character_size(text, at);
    }
    if (*next == '[' && (end = bracket_end(next)) != NULL) {
        *pattern = end;
        return is_in_bracket(next, end, byte) ? character_size(text, at) : 0;
    }
    if (*next == '\\' && next[1] != '\0') next++;
    *pattern = next + 1;
    return (unsigned char)*next == byte ? 1 : 0;
}

bool matches(const char *pattern, fletch_string text)
{
    const char *star = NULL; /* behind the last one */
    size_t at = 0, retry = 0;

    for (;;) {
        size_t size;

        if (*pattern == '*') {
            star = ++pattern;
            retry = at;
            continue;
        }
        if (at == text.size) return *pattern == '\0';
        size = *pattern != '\0' ? match_one(&pattern, text, at) : 0;
        at += size;
        if (size != 0) continue;
        if (star == NULL) return false;
        retry += character_size(text, retry); /* from before the end, so not beyond it */
        at = retry;
        pattern = star;
    }
}

uint64_t text_budget(const fletch_schema *schema)
{
    return 16 * (uint64_t)schema->buffer.size + (1u << 20);
}

bool match_field(struct matcher *matcher, uint32_t depth, fletch_string name, bool *is_spent)
{
    const struct arguments *arguments = matcher->arguments;
    struct line *path = &matcher->path;
    fletch_string whole;
    size_t i;

    *is_spent = false;
    if (arguments->pattern_count == 0) return true;
    path->size = depth == 0 ? 0 : matcher->ends[depth - 1];
    if (depth != 0) line_text(path, ".");
    if (path->size + name.size > matcher->text_left / arguments->pattern_count) {
        *is_spent = true;
        return false;
    }
    matcher->text_left -= (path->size + name.size) * arguments->pattern_count;
    line_bytes(path, name);
    matcher->ends[depth] = path->size;
    whole.data = path->data != NULL ? path->data : "";
    whole.size = path->size;
    for (i = 0; i < arguments->pattern_count; i++)
        if (matches(arguments->patterns[i], name) || matches(arguments->patterns[i], whole))
            return true;
    return false;
}
