/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the pieces of a flatbuffer: the other half of flat.h and decode.h, from the same rows.
 *
 * Finished bytes grow down from the end of the block, so what an offset leads to is written before
 * the offset. A position is the distance from the end to an object's first byte: it does not
 * change when the block moves, and the difference of two positions is an offset. Positions count
 * alignment from the end; the whole is a multiple of 8 bytes, so that is alignment from the start.
 *
 * When memory runs out, everything goes on as before but that nothing is stored: positions, counts
 * and the caches that need no look at stored bytes stay right, so the size told at last is the size
 * that the same calls take.
 */
#ifndef FLETCH_SRC_STORE_H
#define FLETCH_SRC_STORE_H

#include "fletch/build.h"
#include "rules.h"

/* Bytes behind the finished ones, for what a container puts there. */
#define STORE_TAIL   16u

/* The empty vector, written first; its elements would be 8-aligned, so it serves for all kinds. */
#define EMPTY_VECTOR 4u

/* The shapes that layouts are remembered for: type tags, then these. */
enum {
    SHAPE_FIELD = TYPE_COUNT,
    SHAPE_KEY_VALUE,
    SHAPE_DICTIONARY,
    SHAPE_SCHEMA,
    SHAPE_MESSAGE,
    SHAPE_FOOTER
};

/* What waits at the low end, by the low bits of its position. */
enum { WAIT_CHILD = 0, WAIT_PAIR = 1, WAIT_MESSAGE_PAIR = 2, WAIT_FOOTER_PAIR = 3 };

/* Starts with the empty vector, and nothing remembered. */
void fletch_store_begin(fletch_builder *builder);

/* Where the object at `position` is in memory; not to be used when the builder is full. */
uint8_t *fletch_stored(const fletch_builder *builder, uint32_t position);

/*
 * Takes `size` bytes at the end, zeroed, so that the new position is `residue` modulo `align`.
 * NULL when nothing is to be stored (full, or too large: then the builder has its error).
 */
uint8_t *fletch_reserve(fletch_builder *builder, uint64_t size, uint32_t align, uint32_t residue);

/* Words that wait at the low end. */
void fletch_push(fletch_builder *builder, uint32_t word);
uint32_t fletch_pushed(const fletch_builder *builder, uint32_t low);

/* Each writes an object, or finds one that was written before, and gives its position. */
uint32_t fletch_put_string(fletch_builder *builder, fletch_string string);
uint32_t fletch_put_integers(fletch_builder *builder, const fletch_integers *integers);
uint32_t fletch_put_type(fletch_builder *builder, const fletch_type *type);

/*
 * A table from the values of its members, in the order of its rows: scalars as they are, positions
 * for what an offset leads to (0: absent). `is_shared`: its vtable may be an earlier one.
 */
uint32_t fletch_put_table(fletch_builder *builder, uint32_t shape_id, const struct shape *shape,
                          const int64_t *values, bool is_shared);

/* A vector of offsets to the positions that wait in [from, low), of those with this tag; 0 where
 * there are none. */
uint32_t fletch_put_waiting(fletch_builder *builder, uint32_t from, uint32_t tag, uint32_t count);

void fletch_store_word(uint8_t *to, uint32_t word);

/* Errors: the first one stands. Return its status. */
fletch_status fletch_stick(fletch_builder *builder, const struct fault *fault);
fletch_status fletch_stick_reason(fletch_builder *builder, enum reason reason, int64_t value);

/* What a call returns when it did what it could. */
fletch_status fletch_build_status(const fletch_builder *builder);

#endif
