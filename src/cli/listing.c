/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Listings. Every byte is listed once, in order: what overlaps something before it has its line,
 * and those of its bytes that are new; so a listing is bounded by its bytes and its objects.
 */
#include "listing.h"

#include "terminal.h"

#include <string.h>

enum {
    ROW = 8, /* bytes a line */
    SHORT_ROWS = 3,
    HEX_COLUMNS = 25,  /* of a line, the gap behind included */
    LEAST_COLUMNS = 16 /* what words get at least */
};

static int count_digits(uint64_t number)
{
    int digits = 1;

    while (number >= 10) {
        number /= 10;
        digits++;
    }
    return digits < 4 ? 4 : digits;
}

void listing_begin(struct listing *listing, const unsigned char *bytes, uint64_t size)
{
    memset(listing, 0, sizeof *listing);
    listing->bytes = bytes;
    listing->size = size;
    listing->fault = UINT64_MAX;
    listing->offset_digits = count_digits(size);
    listing->width = output_width();
    listing->short_rows = SHORT_ROWS;
}

void listing_end(struct listing *listing)
{
    line_free(&listing->what);
    line_free(&listing->line);
}

static size_t words_column(const struct listing *listing)
{
    return (size_t)listing->offset_digits + 2 + HEX_COLUMNS;
}

size_t listing_space(const struct listing *listing)
{
    const size_t used = words_column(listing) + listing->what.columns;

    if (listing->is_full) return 0;
    return used + LEAST_COLUMNS < listing->width ? listing->width - used : LEAST_COLUMNS;
}

static bool has_fault(const struct listing *listing, uint64_t begin, uint64_t end)
{
    return listing->fault >= begin && listing->fault < end;
}

/* A line: the offset, what stands in the column of the bytes, and words. */
static void write_line(struct listing *listing, uint64_t offset, const char *instead,
                       uint64_t begin, uint64_t end)
{
    struct line *line = &listing->line;
    uint64_t i;

    listing_flush(listing);
    line_style(line, listing->is_colored, STYLE_DIM);
    line_print(line, "%*llu  ", listing->offset_digits, (unsigned long long)offset);
    line_style(line, listing->is_colored, STYLE_RESET);
    line_text(line, instead);
    for (i = begin; i < end; i++)
        line_print(line, "%s%02x", i == begin ? "" : " ", listing->bytes[i]);
    if (listing->what.size != 0) line_pad(line, words_column(listing));
    line_append(line, &listing->what);
    line_clear(&listing->what);
    if (instead[0] == '\0' && has_fault(listing, begin, end)) {
        line_style(line, listing->is_colored, STYLE_RED);
        line_text(line, "  <-- error");
        line_style(line, listing->is_colored, STYLE_RESET);
    }
    line_write(line, stdout);
}

void listing_flush(struct listing *listing)
{
    const uint64_t skipped = listing->skipped;
    struct line *line = &listing->line;

    if (skipped == 0) return;
    listing->skipped = 0;
    line_print(line, "%*s  ... %llu byte%s left out", listing->offset_digits, "",
               (unsigned long long)skipped, skipped != 1 ? "s" : "");
    line_write(line, stdout);
}

void listing_words(struct listing *listing)
{
    listing_flush(listing);
    line_write(&listing->what, stdout);
}

/* The line for bytes that are not shown. */
static void write_rest(struct listing *listing, uint64_t begin, uint64_t end)
{
    if (begin >= end) return;
    line_print(&listing->what, "  %llu more, up to %llu", (unsigned long long)(end - begin),
               (unsigned long long)end - 1);
    write_line(listing, begin, "...", 0, 0);
}

/* The lines of new bytes. */
static void write_rows(struct listing *listing, uint64_t begin, uint64_t end)
{
    const uint64_t rows = (end - begin + ROW - 1) / ROW;
    const uint64_t shown = listing->short_rows;
    const uint64_t most = listing->is_full || rows <= shown + 1 ? rows : shown;
    uint64_t row;

    for (row = 0; row < most; row++) {
        const uint64_t from = begin + row * ROW;

        write_line(listing, from, "", from, end - from < ROW ? end : from + ROW);
    }
    write_rest(listing, begin + most * ROW, end);
}

uint64_t listing_bytes(struct listing *listing, uint64_t begin, uint64_t end)
{
    uint64_t fresh;

    if (end > listing->size) end = listing->size;
    if (begin > end) begin = end;
    fresh = end > listing->at ? end - (begin > listing->at ? begin : listing->at) : 0;
    if (listing->is_hidden && !has_fault(listing, begin, end)) {
        listing->skipped += fresh;
        line_clear(&listing->what);
    } else if (fresh == 0) {
        write_line(listing, begin, "(above)", 0, 0);
    } else {
        begin = end - fresh;
        if (has_fault(listing, begin + 1, end)) { /* its line begins with it */
            write_rows(listing, begin, listing->fault);
            begin = listing->fault;
        }
        write_rows(listing, begin, end);
    }
    if (fresh != 0) listing->at = end;
    return fresh;
}
