/* SPDX-License-Identifier: Apache-2.0 */
/* Our side: fletch at level structure. It is read by the code that the benchmark reads with. */
#include "sides.h"

#include "../../src/fault.h"
#include "../../tests/bench/ours.c"

#include <string.h>

static fletch_options options_of(const struct input *input)
{
    static const fletch_kind kinds[ROOT_COUNT] = {FLETCH_SCHEMA, FLETCH_MESSAGE, FLETCH_FOOTER};
    fletch_options options = {FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, {0, 0, 0}, NULL, 0, false};

    options.kind = kinds[input->root];
    options.limits.depth = input->depth;
    options.limits.tables = input->tables;
    return options;
}

/* Whether `text` is a sentence of `pattern`, where %v and %o stand for numbers. */
static bool fits(const char *pattern, const char *text)
{
    for (; *pattern != 0; pattern++) {
        if (*pattern != '%') {
            if (*text++ != *pattern) return false;
            continue;
        }
        pattern++;
        if (*text == '-') text++;
        if (strspn(text, "0123456789") == 0) return false;
        text += strspn(text, "0123456789");
    }
    return *text == 0;
}

static const char *reason_of(const char *sentence)
{
    static const char *const rows[][2] = {
#define SENTENCE(reason, status, sentence) {#reason, sentence},
        FAULT_ROWS(SENTENCE)
#undef SENTENCE
    };
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (fits(rows[i][1], sentence)) return rows[i][0];
    return "no reason";
}

struct verdict ours_verify(const struct input *input)
{
    static fletch_error error;
    const fletch_options options = options_of(input);
    struct verdict verdict;

    verdict.is_taken = fletch_verify(input->bytes, input->size, &options, &error) == FLETCH_OK;
    verdict.word = fletch_status_word(error.status);
    verdict.reason = reason_of(error.sentence);
    verdict.sentence = error.sentence;
    verdict.is_element = error.path[0] != 0 && error.path[strlen(error.path) - 1] == ']';
    return verdict;
}

uint64_t ours_read(const struct input *input)
{
    const fletch_options options = options_of(input);
    fletch_schema schema;

    if (fletch_open_with(input->bytes, input->size, &options, &schema, NULL) != FLETCH_OK) return 0;
    return read_schema(&schema);
}
