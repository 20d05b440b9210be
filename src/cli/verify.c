/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fletch verify: one line a file, the verdict.
 */
#include "input.h"

static int verify(const struct arguments *arguments, struct input *input)
{
    fletch_level level =
        arguments->level == FLETCH_LEVEL_DEFAULT ? FLETCH_LEVEL_ARROW : arguments->level;
    fletch_schema schema;
    fletch_error error;

    if (judge(input, arguments->kind, level, &schema, &error) == FLETCH_NO_MEMORY)
        return complain_of_fault(input->name, &error);
    write_verdict(stdout, input->name, &error);
    return error.status == FLETCH_OK ? ALL_WELL : FILE_NOT_OK;
}

int run_verify(const struct arguments *arguments)
{
    return for_each_input(arguments, verify);
}
