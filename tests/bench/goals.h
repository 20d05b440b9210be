/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is to be reached, each as a ratio within one run, and how far it was: `note_goals` takes the
 * figures of one schema, `print_goals` tells of each goal the worst that it met.
 */
#ifndef BENCH_GOALS_H
#define BENCH_GOALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operation {
    VERIFY_STRUCTURE,
    VERIFY_ARROW,
    READ,
    VERIFY_AND_READ,
    ENCODE_REUSED,
    ENCODE_FRESH,
    EXPORT_TREE,
    IMPORT_TREE,
    FIND,
    OPERATIONS
};

/* Of one schema of the model shape. A time is 0 where a side does not have the operation. */
struct figures {
    uint32_t columns;
    bool shuffled;
    double ours[OPERATIONS], google[OPERATIONS]; /* nanoseconds */
    size_t ours_size, google_size;               /* bytes written */
};

void note_goals(const struct figures *figures);

/* A line for each goal that was measured. */
void print_goals(void);

#endif
