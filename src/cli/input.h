/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a file or of standard input, and the schema in them.
 */
#ifndef INPUT_H
#define INPUT_H

#include "cli.h"

/* One input; `bytes` and `scratch` live until the action returns. */
struct input {
    const char *name;
    void *bytes;
    size_t size;
    bool is_mapped;
    void *scratch; /* what a schema was decoded into, or NULL */
    size_t scratch_size;
};

/* What a command does with each of its files: returns an exit code. */
typedef int (*input_action)(const struct arguments *arguments, struct input *input);

/* Opens a file, or standard input for "-", runs `action` on it, closes it; returns the exit code.
 */
int with_input(const struct arguments *arguments, const char *path, input_action action);

/* Opens each file, runs `action` on it, closes it; returns the highest exit code. */
int for_each_input(const struct arguments *arguments, input_action action);

/* Opens the schema as fletch_open_with does, with memory to decode into where it takes some. */
fletch_status open_schema(struct input *input, fletch_kind kind, fletch_level level,
                          fletch_schema *schema, fletch_error *error);

/* The verdict of a level, which from FLETCH_LEVEL_ARROW on includes shared dictionaries. */
fletch_status judge(struct input *input, fletch_kind kind, fletch_level level,
                    fletch_schema *schema, fletch_error *error);

/* The part of the verdict that is about shared dictionaries. */
fletch_status check_dictionaries(const fletch_schema *schema, fletch_error *error);

/* Says a fault of the input as complain_of_fault does, and the bytes around it; the exit code. */
int complain_of_input(struct input *input, fletch_kind kind, const fletch_error *error);

#endif
