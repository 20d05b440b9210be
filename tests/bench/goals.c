/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The goals. A ratio is the yardstick's figure by ours, so more is better. Those of many columns
 * are judged by the worst of 1,000 and 100,000 columns.
 */
#include "goals.h"

#include <stdio.h>

enum { ANY_ORDER, IN_TURN, SHUFFLED };

/* Which figures of Google's, added up, are the yardstick. */
enum yardstick { SAME, VERIFY, VERIFY_THEN_READ, ENCODE, SIZE };

struct goal {
    const char *name, *against;
    uint32_t columns; /* 0: many */
    int order;
    enum operation operation;
    enum yardstick yardstick;
    double must, aim;
    double worst; /* 0: not measured */
};

static struct goal goals[] = {
    {"verify, structure", "verify", 0, ANY_ORDER, VERIFY_STRUCTURE, SAME, 2, 3, 0},
    {"verify, arrow", "verify, structure", 0, ANY_ORDER, VERIFY_ARROW, VERIFY, 1.5, 2, 0},
    {"read all, checked", "read all, unchecked", 0, ANY_ORDER, READ, SAME, 0.7, 1, 0},
    {"verify and read", "verify, then read", 0, ANY_ORDER, VERIFY_AND_READ, SAME, 2, 3, 0},
    {"encode, in turn", "builder reused", 0, IN_TURN, ENCODE_REUSED, SAME, 4, 6, 0},
    {"encode, shuffled", "builder reused", 0, SHUFFLED, ENCODE_REUSED, SAME, 3, 6, 0},
    {"export tree", "verify, then read", 0, ANY_ORDER, EXPORT_TREE, VERIFY_THEN_READ, 1 / 1.1,
     1 / 0.7, 0},
    {"import tree, encode", "builder reused", 0, ANY_ORDER, IMPORT_TREE, ENCODE, 2, 1 / 0.3, 0},
    {"bytes written", "bytes written", 1000, ANY_ORDER, OPERATIONS, SIZE, 1 / 0.75, 1 / 0.65, 0},
    {"find a column", "verify, then scan", 1000000, ANY_ORDER, FIND, SAME, 3, 0, 0},
    {"verify, structure", "verify", 1, ANY_ORDER, VERIFY_STRUCTURE, SAME, 1, 0, 0},
    {"verify, arrow", "verify, structure", 1, ANY_ORDER, VERIFY_ARROW, VERIFY, 1, 0, 0},
    {"verify and read", "verify, then read", 1, ANY_ORDER, VERIFY_AND_READ, SAME, 1, 0, 0},
    {"encode", "builder reused", 1, ANY_ORDER, ENCODE_REUSED, SAME, 1, 0, 0},
    {"encode, fresh", "a new builder", 1, ANY_ORDER, ENCODE_FRESH, SAME, 1, 0, 0},
    {"export tree", "verify, then read", 1, ANY_ORDER, EXPORT_TREE, VERIFY_THEN_READ, 1 / 1.1, 0,
     0},
    {"import tree, encode", "builder reused", 1, ANY_ORDER, IMPORT_TREE, ENCODE, 2, 0, 0},
    {"find a column", "verify, then scan", 1, ANY_ORDER, FIND, SAME, 1, 0, 0},
};

enum { GOALS = sizeof goals / sizeof *goals };

static bool concerns(const struct goal *goal, const struct figures *figures)
{
    if (goal->order == IN_TURN && figures->shuffled) return false;
    if (goal->order == SHUFFLED && !figures->shuffled) return false;
    if (goal->columns != 0) return figures->columns == goal->columns;
    return figures->columns == 1000 || figures->columns == 100000;
}

static double ratio(const struct goal *goal, const struct figures *figures)
{
    const double *google = figures->google;
    double yardstick = 0;

    switch (goal->yardstick) {
    case SAME: yardstick = google[goal->operation]; break;
    case VERIFY: yardstick = google[VERIFY_STRUCTURE]; break;
    case VERIFY_THEN_READ: yardstick = google[VERIFY_AND_READ]; break;
    case ENCODE: yardstick = google[ENCODE_REUSED]; break;
    case SIZE: return (double)figures->google_size / (double)figures->ours_size;
    }
    return yardstick / figures->ours[goal->operation];
}

void note_goals(const struct figures *figures)
{
    int i;

    for (i = 0; i < GOALS; i++) {
        double now;

        if (!concerns(&goals[i], figures)) continue;
        now = ratio(&goals[i], figures);
        if (goals[i].worst == 0 || now < goals[i].worst) goals[i].worst = now;
    }
}

static const char *verdict(const struct goal *goal)
{
    if (goal->worst < goal->must) return "not met";
    return goal->aim != 0 && goal->worst >= goal->aim ? "aim met" : "met";
}

static void print_columns(uint32_t columns)
{
    if (columns == 0)
        printf("%9s", "many");
    else
        printf("%9u", (unsigned)columns);
}

void print_goals(void)
{
    bool has_heading = false;
    int i;

    for (i = 0; i < GOALS; i++) {
        const struct goal *goal = &goals[i];

        if (goal->worst == 0) continue;
        if (!has_heading)
            printf("%-20s %-20s %9s | %6s %6s %6s %7s | %s\n", "goal: ours", "Google's", "columns",
                   "ratio", "must", "aim", "of aim", "");
        has_heading = true;
        printf("%-20s %-20s ", goal->name, goal->against);
        print_columns(goal->columns);
        printf(" | %6.2f %6.2f ", goal->worst, goal->must);
        if (goal->aim != 0)
            printf("%6.2f %5.0f %%", goal->aim, 100 * goal->worst / goal->aim);
        else
            printf("%6s %7s", "-", "-");
        printf(" | %s\n", verdict(goal));
    }
    if (has_heading) putchar('\n');
}
