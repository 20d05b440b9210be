/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of bytes and what they are: offset, up to 8 bytes in hex, words.
 */
#ifndef LISTING_H
#define LISTING_H

#include "line.h"

#include <stdint.h>

struct listing {
    const unsigned char *bytes; /* offsets count from here */
    uint64_t size;
    uint64_t at;            /* the first byte that was not listed yet */
    uint64_t fault;         /* the byte whose line is marked; UINT64_MAX: none */
    uint64_t skipped;       /* bytes that were left out since the last line */
    struct line what, line; /* `what` is filled by the caller, and cleared by each call below */
    int offset_digits;
    size_t width;
    uint64_t short_rows;                 /* lines that are shown of what has more */
    bool is_full, is_colored, is_hidden; /* hidden: what follows is left out, but counted */
};

void listing_begin(struct listing *listing, const unsigned char *bytes, uint64_t size);

/*
 * Lists [begin, end) as `what`, as far as it was not listed before; of more than a few lines, the
 * first ones. Returns how many bytes were new.
 */
uint64_t listing_bytes(struct listing *listing, uint64_t begin, uint64_t end);

/* Writes `what` as a line without bytes. */
void listing_words(struct listing *listing);

/* Says how many bytes were left out, if some were. */
void listing_flush(struct listing *listing);

/* Columns left for more words in `what`; 0: no bound. */
size_t listing_space(const struct listing *listing);

void listing_end(struct listing *listing);

#endif
