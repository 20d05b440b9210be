/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers: find where in some input an Arrow schema stands, without having all of the input.
 */
#ifndef FLETCH_IPC_H
#define FLETCH_IPC_H

#include "read.h"

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/** What is at hand of an input: its first bytes, its last bytes, and its size. */
typedef struct fletch_input {
    const void *head; /**< The first head_size bytes. */
    size_t head_size; /**< The whole input: equal to size. */
    const void *tail; /**< The last tail_size bytes; may be NULL when tail_size is 0. */
    size_t tail_size; /**< 0 where nothing of the end is at hand yet. */
    uint64_t size;    /**< Of the whole input. */
} fletch_input;

/** Where a schema stands in an input. */
typedef struct fletch_found {
    fletch_kind kind;    /**< Of the input: as said, or as sniffed. */
    bool legacy_framing; /**< The message is framed as before Arrow 0.15. */
    /** What the range is when it stands alone: open it with this kind named. */
    fletch_kind range_kind;
    uint64_t offset;       /**< The range's first byte in the input. */
    uint64_t size;         /**< Its bytes. */
    uint64_t scratch_size; /**< Memory that is certain to do to decode it; 0: none is needed. */
    /**
     * With FLETCH_TRUNCATED: how much of the head and of the tail to come back with, 0 where that
     * end does not matter. If the input is smaller than that, or both are 0, it is really cut
     * short.
     */
    uint64_t head_wanted;
    uint64_t tail_wanted; /**< Likewise, of the end. */
} fletch_found;

/**
 * Finds the schema's message, footer or text in an input of which only the ends are at hand.
 *
 *     FLETCH_OK         found: get the bytes of [offset, offset + size), open them as range_kind
 *     FLETCH_TRUNCATED  more is wanted: head_wanted and tail_wanted; error->wanted too when the
 *                       whole input is too short
 *     else              as fletch_open_with would say
 *
 * Only framing is looked at; the flatbuffer is not checked.
 */
fletch_status fletch_find(const fletch_input *input, fletch_kind kind, bool stream_copy,
                          fletch_found *found, fletch_error *error);

/** Memory that is certain to do to decode `size` bytes of base64 text. */
size_t fletch_base64_space(size_t size);

/**
 * Decodes base64 (alphabet "+/"): padded or not, ASCII white space ignored. `*written` gets the
 * bytes decoded. FLETCH_BAD_BASE64 with the offset in the text; FLETCH_NO_SPACE.
 * `to` may be `text` itself.
 */
fletch_status fletch_base64_decode(const char *text, size_t size, void *to, size_t space,
                                   size_t *written, fletch_error *error);

/**
 * Encodes `size` bytes as padded base64 text of (size + 2) / 3 * 4 characters, without a NUL, at
 * `to`, which must not overlap.
 */
void fletch_base64_encode(const void *bytes, size_t size, char *to);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
