/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statuses, strings, and the words of errors.
 *
 * Every text is written through short_text, which cannot write past the size it was given.
 */
#include "fault.h"

#include "utf8.h"

#include <string.h>

const char *fletch_version(void)
{
    return FLETCH_VERSION;
}

const char *fletch_status_word(fletch_status status)
{
    static const char *const words[] = {
#define STATUS_WORD(name, word, text) word,
        FLETCH_STATUS_ROWS(STATUS_WORD)
#undef STATUS_WORD
    };
    return (size_t)status < sizeof words / sizeof words[0] ? words[status] : "unknown";
}

const char *fletch_status_text(fletch_status status)
{
    static const char *const texts[] = {
#define STATUS_TEXT(name, word, text) text,
        FLETCH_STATUS_ROWS(STATUS_TEXT)
#undef STATUS_TEXT
    };
    return (size_t)status < sizeof texts / sizeof texts[0] ? texts[status] : "unknown status";
}

fletch_string fletch_text(const char *text)
{
    fletch_string string;

    string.data = text != NULL ? text : "";
    string.size = strlen(string.data);
    return string;
}

bool fletch_same_string(fletch_string a, fletch_string b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

#if IS_SMALL
size_t fletch_utf8_end(const uint8_t *bytes, size_t at, size_t end)
{
    return utf8_end(bytes, at, end);
}
#endif

typedef struct fault_row {
    fletch_status status;
    const char *sentence;
} fault_row;

static const fault_row fault_rows[] = {
#define FAULT_ROW(reason, status, sentence) {FLETCH_##status, sentence},
    FAULT_ROWS(FAULT_ROW)
#undef FAULT_ROW
};

fletch_status fletch_fault_status(enum reason reason)
{
    return fault_rows[reason].status;
}

void fletch_set_fault(struct fault *fault, enum reason reason, uint32_t at, int64_t value,
                      int64_t other)
{
    uint32_t i;

    if (fault == NULL) return;
    fault->reason = reason;
    fault->at = at;
    fault->value = value;
    fault->other = other;
    fault->step_count = 0;
    for (i = 0; i < FAULT_MAX_STEPS && !IS_SMALL; i++) {
        fault->names[i] = "";
        fault->indices[i] = NO_INDEX;
    }
}

void fletch_fault_inside(struct fault *fault, const char *name, uint32_t index)
{
    if (fault == NULL || fault->step_count == FAULT_MAX_STEPS) return;
    fault->names[fault->step_count] = name;
    fault->indices[fault->step_count++] = index;
}

static void append_character(short_text *text, char character)
{
    size_t place = text->used++;

    if (place >= text->skip_from) {
        if (place < text->skip_to) return;
        place -= text->skip_to - text->skip_from;
    }
    if (text->size == 0 || place >= text->size - 1) return;
    text->data[place] = character;
    text->data[place + 1] = '\0';
}

void fletch_append_text(short_text *text, const char *piece)
{
    //@ loop unroll 30;
    for (; *piece != '\0'; piece++)
        append_character(text, *piece);
}

void fletch_append_number(short_text *text, int64_t value)
{
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    uint64_t place = UINT64_C(1000000000000000000); /* 2^63 has 19 digits */

    if (value < 0) append_character(text, '-');
    while (place > 1 && place > left)
        place /= 10u;
    for (; place != 0; place /= 10u)
        append_character(text, (char)('0' + left / place % 10u));
}

void fletch_append_step(short_text *text, const char *name, uint32_t index)
{
    if (text->used != 0) fletch_append_text(text, ".");
    fletch_append_text(text, name);
    if (index == NO_INDEX) return;
    fletch_append_text(text, "[");
    fletch_append_number(text, index);
    fletch_append_text(text, "]");
}

static void append_sentence(short_text *text, const char *sentence, int64_t value, int64_t other)
{
    bool is_value = false; /* the character before was '%' */

    //@ loop unroll 100;
    for (; *sentence != '\0'; sentence++) {
        if (is_value)
            fletch_append_number(text, *sentence == 'v' ? value : other);
        else if (*sentence != '%')
            append_character(text, *sentence);
        is_value = *sentence == '%';
    }
}

void fletch_clear_error(fletch_error *error)
{
    if (error == NULL) return;
    error->status = FLETCH_OK;
    error->offset = 0;
    error->wanted = 0;
    error->path[0] = '\0';
    error->sentence[0] = '\0';
}

void fletch_say_fault(fletch_error *error, enum reason reason, uint64_t offset, int64_t value,
                      int64_t other)
{
    short_text text = {0};

    if (error == NULL) return;
    fletch_clear_error(error);
    error->status = fletch_fault_status(reason);
    error->offset = offset;
    text.data = error->sentence;
    text.size = sizeof error->sentence;
    text.skip_from = text.skip_to = SIZE_MAX;
    append_sentence(&text, fault_rows[reason].sentence, value, other);
}

void fletch_write_elided(char *path, size_t size,
                         void (*write_path)(const void *context, short_text *), const void *context)
{
    static const char dots[] = "...";
    const size_t half = (size - 1 - (sizeof dots - 1)) / 2;
    short_text text = {0};

    path[0] = '\0';
    text.data = path;
    text.skip_from = text.skip_to = SIZE_MAX;
    write_path(context, &text); /* size 0: only measures */
    if (text.used >= size) {
        text.skip_from = half;
        text.skip_to = text.used - half - (sizeof dots - 1);
    }
    text.size = size;
    text.used = 0;
    write_path(context, &text);
    if (text.skip_from == half) memcpy(path + half, dots, sizeof dots - 1);
}
