/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which fields of a schema are shown, and how wide: found by a first walk, so that a second one can
 * print them in aligned columns.
 */
#ifndef OUTLINE_H
#define OUTLINE_H

#include "match.h"

/* A field, in the order of the walk. */
struct outline_row {
    uint8_t depth;
    bool is_wanted; /* it matches, or stands below one that does */
    bool is_shown;  /* it is wanted, or leads to one that is; and it is not too deep */
    bool is_last;   /* of the siblings that are shown */
    bool is_parent; /* a field below is shown */
};

struct outline {
    struct outline_row *rows;
    size_t count, space;
    size_t wanted;
    /* The walk's end: FLETCH_OK, or the fault that ended it early. FLETCH_NO_MEMORY: said why. */
    fletch_error error;
};

/* Walks over all fields; the rows have to be freed, whatever is returned. */
void outline_schema(const struct arguments *arguments, const fletch_schema *schema,
                    struct outline *outline);

/* How many fields stand below row `i`. */
size_t outline_below(const struct outline *outline, size_t i);

void outline_free(struct outline *outline);

#endif
