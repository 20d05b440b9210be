/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recursive-descent parser over text in memory, whose depth JSON_MOST_DEPTH bounds.
 *
 * No string is longer decoded than it is in quotes, so one block as large as the text holds them
 * all. Values refer to each other by index, since their array moves when it grows; nothing holds a
 * pointer into it across a call that adds a value.
 */
#include "json_reader.h"

#include "../utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_VALUE    UINT32_MAX
#define MOST_VALUES 0x4000000u /* whose size fits in 32 bits, too */

struct reader {
    const char *text;
    size_t size, at;
    unsigned depth;   /* open arrays and objects */
    bool is_skipping; /* inside a member that is checked only */
    const char *const *skipped;
    struct json_document *document;
    struct json_error *error;
};

static bool read_value(struct reader *reader, uint32_t index);

/* Errors */

bool json_fail(struct json_error *error, size_t at, const char *sentence)
{
    error->at = at;
    error->is_memory = false;
    snprintf(error->sentence, sizeof error->sentence, "%s", sentence);
    return false;
}

bool json_fail_about(struct json_error *error, size_t at, const char *sentence, fletch_string about)
{
    const int most = 60;

    error->at = at;
    error->is_memory = false;
    snprintf(error->sentence, sizeof error->sentence, "%s \"%.*s\"%s", sentence,
             about.size < (size_t)most ? (int)about.size : most, about.data,
             about.size > (size_t)most ? "..." : "");
    return false;
}

static bool fail(const struct reader *reader, size_t at, const char *sentence)
{
    return json_fail(reader->error, at, at < reader->size ? sentence : "the text ends too early");
}

static bool fail_for_memory(const struct reader *reader)
{
    json_fail(reader->error, reader->at, "no memory for the text");
    reader->error->is_memory = true;
    return false;
}

void json_place(const char *text, size_t size, size_t at, size_t *line, size_t *column)
{
    size_t i;

    *line = *column = 1;
    for (i = 0; i < at && i < size; i++) {
        if (text[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)text[i] & 0xC0) != 0x80) {
            ++*column;
        }
    }
}

/* Values */

/* The index of a new value, or NO_VALUE. */
static uint32_t add_value(struct reader *reader)
{
    struct json_document *document = reader->document;

    if (document->count == document->space) {
        const uint32_t space = document->space == 0 ? 64 : document->space * 2;
        struct json_value *moved = NULL;

        if (space <= MOST_VALUES) moved = realloc(document->values, space * sizeof *moved);
        if (moved == NULL) {
            (void)fail_for_memory(reader);
            return NO_VALUE;
        }
        document->values = moved;
        document->space = space;
    }
    memset(&document->values[document->count], 0, sizeof document->values[0]);
    document->values[document->count].at = reader->at;
    return document->count++;
}

/* Links a value behind `last`, or as the first of its parent where that is 0. */
static void link_value(struct reader *reader, uint32_t parent, uint32_t last, uint32_t index)
{
    struct json_value *values = reader->document->values;

    if (last == 0)
        values[parent].first = index;
    else
        values[last].next = index;
}

/* Text */

static bool is_at(const struct reader *reader, char character)
{
    return reader->at < reader->size && reader->text[reader->at] == character;
}

static bool take(struct reader *reader, char character)
{
    if (!is_at(reader, character)) return false;
    reader->at++;
    return true;
}

static void skip_space(struct reader *reader)
{
    while (is_at(reader, ' ') || is_at(reader, '\t') || is_at(reader, '\n') || is_at(reader, '\r'))
        reader->at++;
}

static bool read_word(struct reader *reader, const char *word)
{
    for (; *word != '\0'; word++)
        if (!take(reader, *word)) return fail(reader, reader->at, "true, false or null is wanted");
    return true;
}

/* Numbers */

static bool take_digits(struct reader *reader)
{
    const size_t begin = reader->at;

    while (reader->at < reader->size && reader->text[reader->at] >= '0' &&
           reader->text[reader->at] <= '9')
        reader->at++;
    return reader->at != begin || fail(reader, reader->at, "a digit is wanted");
}

static bool read_number(struct reader *reader, fletch_string *text)
{
    const size_t begin = reader->at;

    (void)take(reader, '-');
    if (!take(reader, '0') && !take_digits(reader)) return false;
    if (take(reader, '.') && !take_digits(reader)) return false;
    if (take(reader, 'e') || take(reader, 'E')) {
        if (!take(reader, '+')) (void)take(reader, '-');
        if (!take_digits(reader)) return false;
    }
    text->data = reader->text + begin;
    text->size = reader->at - begin;
    return true;
}

/* Strings */

static void put_byte(struct reader *reader, unsigned byte)
{
    reader->document->strings[reader->document->used++] = (char)byte;
}

static void put_character(struct reader *reader, uint32_t code)
{
    if (code < 0x80) {
        put_byte(reader, code);
        return;
    }
    if (code < 0x800) {
        put_byte(reader, 0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            put_byte(reader, 0xE0 | code >> 12);
        } else {
            put_byte(reader, 0xF0 | code >> 18);
            put_byte(reader, 0x80 | (code >> 12 & 0x3F));
        }
        put_byte(reader, 0x80 | (code >> 6 & 0x3F));
    }
    put_byte(reader, 0x80 | (code & 0x3F));
}

/* The four digits behind `\u`. */
static bool read_hex(struct reader *reader, uint32_t *code)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    int i;

    *code = 0;
    for (i = 0; i < 4; i++, reader->at++) {
        const char *digit = reader->at < reader->size
                                ? memchr(digits, reader->text[reader->at], sizeof digits - 1)
                                : NULL;
        uint32_t value;

        if (digit == NULL) return fail(reader, reader->at, "four hexadecimal digits are wanted");
        value = (uint32_t)(digit - digits);
        *code = *code << 4 | (value < 16 ? value : value - 6);
    }
    return true;
}

/* Behind `\u`, which stands at `begin`: a character, or two halves of one. */
static bool read_code(struct reader *reader, size_t begin)
{
    uint32_t code, low;

    if (!read_hex(reader, &code)) return false;
    if (code >= 0xD800 && code < 0xE000) {
        if (code >= 0xDC00) return fail(reader, begin, "a surrogate without its other half");
        if (!take(reader, '\\') || !take(reader, 'u'))
            return fail(reader, reader->at < reader->size ? begin : reader->at,
                        "a surrogate without its other half");
        if (!read_hex(reader, &low)) return false;
        if (low < 0xDC00 || low >= 0xE000)
            return fail(reader, begin, "a surrogate without its other half");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    put_character(reader, code);
    return true;
}

static bool read_escape(struct reader *reader)
{
    static const char names[] = "\"\\/bfnrt", characters[] = "\"\\/\b\f\n\r\t";
    const size_t begin = reader->at++;
    const char *name;

    if (take(reader, 'u')) return read_code(reader, begin);
    if (reader->at >= reader->size) return fail(reader, reader->at, "");
    name = memchr(names, reader->text[reader->at], sizeof names - 1);
    if (name == NULL) return fail(reader, begin, "no such escape");
    put_byte(reader, (unsigned char)characters[name - names]);
    reader->at++;
    return true;
}

/* A string, from its first quote on. */
static bool read_string(struct reader *reader, fletch_string *string)
{
    char *data = reader->document->strings + reader->document->used;

    reader->at++;
    while (!is_at(reader, '"')) {
        size_t size;

        if (reader->at >= reader->size) return fail(reader, reader->at, "");
        if (is_at(reader, '\\')) {
            if (!read_escape(reader)) return false;
            continue;
        }
        if ((unsigned char)reader->text[reader->at] < 0x20)
            return fail(reader, reader->at, "a control character in a string is to be escaped");
        size =
            utf8_character((const uint8_t *)reader->text + reader->at, reader->size - reader->at);
        if (size == 0) return fail(reader, reader->at, "not UTF-8");
        for (; size != 0; size--)
            put_byte(reader, (unsigned char)reader->text[reader->at++]);
    }
    reader->at++;
    string->data = data;
    string->size = (size_t)(reader->document->strings + reader->document->used - data);
    return true;
}

/* Arrays and objects */

static bool open_brackets(struct reader *reader)
{
    if (reader->depth == JSON_MOST_DEPTH)
        return fail(reader, reader->at, "too many arrays and objects in one another");
    reader->depth++;
    reader->at++;
    skip_space(reader);
    return true;
}

/* Between elements or members, or at their end, which is told in `is_end`. */
static bool read_comma(struct reader *reader, char closing, bool *is_end)
{
    skip_space(reader);
    *is_end = take(reader, closing);
    if (!*is_end && !take(reader, ','))
        return fail(reader, reader->at,
                    closing == ']' ? "a comma or ] is wanted" : "a comma or } is wanted");
    if (*is_end) reader->depth--;
    skip_space(reader);
    return true;
}

/* Forgets all values from `count` on, and what was decoded for them. */
static void forget(struct reader *reader, uint32_t count, size_t used)
{
    reader->document->count = count;
    reader->document->used = used;
}

static bool read_array(struct reader *reader, uint32_t parent)
{
    const size_t used = reader->document->used;
    uint32_t last = 0;
    bool is_end = false;

    if (!open_brackets(reader)) return false;
    if (take(reader, ']')) {
        reader->depth--;
        return true;
    }
    while (!is_end) {
        const uint32_t index = add_value(reader);

        if (index == NO_VALUE || !read_value(reader, index)) return false;
        if (reader->is_skipping) {
            forget(reader, index, used);
        } else {
            link_value(reader, parent, last, index);
            last = index;
        }
        if (!read_comma(reader, ']', &is_end)) return false;
    }
    return true;
}

/* Reads the key of member `index`, which the parent must not have yet, and the colon. */
static bool read_key(struct reader *reader, uint32_t parent, uint32_t index)
{
    struct json_value *values = reader->document->values;
    const size_t begin = reader->at;
    fletch_string key;
    uint32_t i, count = 0;

    if (!is_at(reader, '"')) return fail(reader, begin, "a member's name in quotes is wanted");
    if (!read_string(reader, &key)) return false;
    for (i = values[parent].first; i != 0; i = values[i].next, count++)
        if (fletch_same_string(values[i].key, key))
            return json_fail_about(reader->error, begin, "a second member", key);
    if (count == JSON_MOST_MEMBERS) return fail(reader, begin, "too many members in an object");
    values[index].key = key;
    values[index].key_at = begin;
    skip_space(reader);
    if (!take(reader, ':')) return fail(reader, reader->at, "a colon is wanted");
    skip_space(reader);
    values[index].at = reader->at;
    return true;
}

static bool is_skipped(const struct reader *reader, fletch_string key)
{
    const char *const *name;

    for (name = reader->skipped; reader->depth == 1 && *name != NULL; name++)
        if (json_is(key, *name)) return true;
    return false;
}

static bool read_member(struct reader *reader, uint32_t index)
{
    const bool was_skipping = reader->is_skipping;
    const size_t used = reader->document->used;

    if (is_skipped(reader, reader->document->values[index].key)) reader->is_skipping = true;
    if (!read_value(reader, index)) return false;
    if (reader->is_skipping) {
        forget(reader, index + 1, used);
        reader->document->values[index].first = 0;
    }
    reader->is_skipping = was_skipping;
    return true;
}

static bool read_object(struct reader *reader, uint32_t parent)
{
    uint32_t last = 0;
    bool is_end = false;

    if (!open_brackets(reader)) return false;
    if (take(reader, '}')) {
        reader->depth--;
        return true;
    }
    while (!is_end) {
        const uint32_t index = add_value(reader);

        if (index == NO_VALUE || !read_key(reader, parent, index)) return false;
        link_value(reader, parent, last, index);
        last = index;
        if (!read_member(reader, index) || !read_comma(reader, '}', &is_end)) return false;
    }
    return true;
}

/* The document */

/* Reads a value into place `index`. */
static bool read_value(struct reader *reader, uint32_t index)
{
    const char next = reader->at < reader->size ? reader->text[reader->at] : '\0';
    struct json_value *value = &reader->document->values[index];

    switch (next) {
    case '{': value->kind = JSON_OBJECT; return read_object(reader, index);
    case '[': value->kind = JSON_ARRAY; return read_array(reader, index);
    case '"': value->kind = JSON_STRING; return read_string(reader, &value->text);
    case 't': value->kind = JSON_TRUE; return read_word(reader, "true");
    case 'f': value->kind = JSON_FALSE; return read_word(reader, "false");
    case 'n': value->kind = JSON_NULL; return read_word(reader, "null");
    default: break;
    }
    if (next != '-' && (next < '0' || next > '9'))
        return fail(reader, reader->at, "a value is wanted");
    value->kind = JSON_NUMBER;
    return read_number(reader, &value->text);
}

bool json_read(const char *text, size_t size, const char *const *skipped,
               struct json_document *document, struct json_error *error)
{
    struct reader reader = {text, size, 0, 0, false, skipped, document, error};

    memset(document, 0, sizeof *document);
    document->strings = malloc(size + 1);
    if (document->strings == NULL) return fail_for_memory(&reader);
    skip_space(&reader);
    if (add_value(&reader) == NO_VALUE || !read_value(&reader, 0)) return false;
    skip_space(&reader);
    return reader.at == size || fail(&reader, reader.at, "something follows the value");
}

void json_free(struct json_document *document)
{
    free(document->values);
    free(document->strings);
    memset(document, 0, sizeof *document);
}

const struct json_value *json_root(const struct json_document *document)
{
    return document->values;
}

const struct json_value *json_first(const struct json_document *document,
                                    const struct json_value *value)
{
    return value->first != 0 ? &document->values[value->first] : NULL;
}

const struct json_value *json_next(const struct json_document *document,
                                   const struct json_value *value)
{
    return value->next != 0 ? &document->values[value->next] : NULL;
}

bool json_is(fletch_string string, const char *text)
{
    return fletch_same_string(string, fletch_text(text));
}

bool json_integer(const struct json_value *value, int64_t least, int64_t most, int64_t *integer)
{
    const bool is_negative = value->kind == JSON_NUMBER && value->text.data[0] == '-';
    uint64_t sum = 0;
    size_t i;

    if (value->kind != JSON_NUMBER) return false;
    for (i = is_negative ? 1 : 0; i < value->text.size; i++) {
        const char digit = value->text.data[i];

        if (digit < '0' || digit > '9' || sum > (uint64_t)INT64_MAX / 10) return false;
        sum = sum * 10 + (uint64_t)(digit - '0');
    }
    if (sum > (uint64_t)INT64_MAX + (is_negative ? 1 : 0)) return false;
    *integer = !is_negative ? (int64_t)sum : sum == 0 ? 0 : -1 - (int64_t)(sum - 1);
    return *integer >= least && *integer <= most;
}
