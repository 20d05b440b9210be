/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes around a fault, and which ones exactly are at fault.
 */
#ifndef BYTES_H
#define BYTES_H

#include "input.h"
#include "line.h"

/* Bytes that offsets count in: the input's, or those that its text decodes to. */
struct view {
    const unsigned char *bytes;
    size_t size;
    bool is_decoded;
};

/* The bytes at fault: [begin, end) in the view; none where begin equals end. */
struct place {
    struct view view;
    size_t begin, end;
};

/* The view that the offset of an error in the input counts in. */
struct view view_of_error(struct input *input, fletch_kind kind, const fletch_error *error);

/* The decoded bytes of base64 or Parquet; false: it is neither, or not sound. */
bool view_decoded(struct input *input, fletch_kind kind, struct view *view);

/* Finds what an error of the input is about. */
struct place find_place(struct input *input, fletch_kind kind, const fletch_error *error);

/* Writes the lines of 16 bytes around a place, with marks under the bytes at fault. */
void write_place(FILE *to, const struct place *place);

#endif
