/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands around a flatbuffer: framing, magic, other messages.
 */
#ifndef CONTAINER_H
#define CONTAINER_H

#include "bytes.h"
#include "listing.h"

/* A flatbuffer in the bytes that it is listed with. */
struct container {
    struct view view;
    fletch_kind kind; /* of the view */
    fletch_kind root; /* of the flatbuffer; FLETCH_SNIFF: there is none */
    bool is_at_head;  /* of a file: the copy of the schema, not the footer */
    size_t begin;     /* where the framing starts */
    size_t flatbuffer, end;
};

/* Finds the flatbuffer; of an input that is cut short, as much of it as there is. */
struct container find_container(struct input *input, fletch_kind kind);

/* Lists what is in front of the flatbuffer, and what is behind it. */
void list_front(struct listing *listing, const struct container *container);
void list_back(struct listing *listing, const struct container *container);

/* Lists a Parquet file around the text that its schema is decoded from, or all of base64. */
void list_text(struct listing *listing, const struct input *input, fletch_kind kind);

#endif
