/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a flatbuffer, each with what it is.
 */
#ifndef ANNOTATE_H
#define ANNOTATE_H

#include "listing.h"
#include "objects.h"

/* What bytes are there for. */
enum purpose {
    FOR_TEXT,    /* of strings */
    FOR_NUMBERS, /* scalars, and elements that are */
    FOR_OFFSETS,
    FOR_VTABLES,
    FOR_LENGTHS, /* of strings and vectors, and NULs */
    FOR_PADDING,
    FOR_NOTHING, /* gaps: nothing leads there */
    PURPOSES
};

struct annotation {
    struct listing *listing;
    const struct objects *objects;
    uint64_t origin;                /* of the flatbuffer, in the listing */
    bool is_whole;                  /* all that can be reached was collected */
    uint64_t bytes[PURPOSES];       /* all together: the flatbuffer's size */
    uint32_t table_end, vtable_end; /* of those that were begun last */
};

/* Lists all bytes of the flatbuffer. */
void annotate(struct annotation *annotation);

/* What a message of this header type carries; NULL: it is not known. */
const char *header_word(int64_t type);

/* What a purpose is called. */
const char *purpose_word(enum purpose purpose);

#endif
