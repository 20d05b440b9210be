/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short strings: taken into registers by their ends, told from each other, and looked for among
 * those that were written. A string of up to 16 bytes is its size and its ends, nothing else.
 */
#ifndef FLETCH_SRC_SHORT_STRING_H
#define FLETCH_SRC_SHORT_STRING_H

#include "flat.h"
#include "store.h"

/* Strings up to this size are shared. */
#define SHARED_STRING 64u

/* Set in a byte that is not ASCII. */
#define HIGH_BITS     UINT64_C(0x8080808080808080)

/* The first and last bytes of a string as numbers, the same on every host; they overlap when it
 * has fewer than 16. */
struct ends {
    uint64_t first, last;
};

FORCE_INLINE uint64_t load_64(const uint8_t *bytes)
{
    return keep_64((uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
                   (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
                   (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56);
}

FORCE_INLINE uint32_t load_32(const uint8_t *bytes)
{
    fletch_buffer buffer;

    buffer.bytes = bytes;
    buffer.size = 4;
    return load_u32(buffer, 0);
}

/* Up to three bytes as a word, with zeros behind them. Half the size tells the middle one of three;
 * of fewer, a byte that is loaded twice comes to the same place. */
FORCE_INLINE uint32_t load_few(const uint8_t *bytes, size_t size)
{
    if (size == 0) return 0;
    return (uint32_t)bytes[0] | (uint32_t)bytes[size / 2] << 8 * (size / 2) |
           (uint32_t)bytes[size - 1] << 8 * (size - 1);
}

FORCE_INLINE struct ends ends_of(const uint8_t *bytes, size_t size)
{
    struct ends ends = {0, 0};

    if (size >= 8) {
        ends.first = load_64(bytes);
        ends.last = load_64(bytes + size - 8);
    } else if (size >= 4) {
        ends.first = load_32(bytes);
        ends.last = load_32(bytes + size - 4);
    } else {
        ends.first = load_few(bytes, size);
    }
    return ends;
}

/* The bytes of a word the other way round. */
static inline uint32_t swap(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xFF00u) | (word & 0xFF00u) << 8 | (word & 0xFFu) << 24;
}

/* Spreads strings over the cache: their ends and size tell most of them apart. */
static inline uint32_t hash_ends(struct ends ends, size_t size)
{
    uint64_t hash = ends.first;

    if (size < 4) hash = (uint64_t)swap((uint32_t)ends.first) >> 8 * (4 - size);
    hash = (hash + ends.last * 31u + size) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(hash >> 32) | 1u; /* 0 marks an empty place */
}

/* Where a string is looked for: names and values in one half of the cache, others in the other. */
static inline fletch_build_string *string_place(fletch_builder *builder, uint32_t hash,
                                                enum string_set set)
{
    const uint32_t half = FLETCH_BUILD_STRINGS / 2;

    return &builder->strings[(hash >> 16 & (half - 1)) + (set == STRINGS_NAMES ? 0 : half)];
}

/* Copies a string whose ends are at hand, up to 16 bytes they are all of it, and of fewer than 4
 * the NUL and the padding too. */
FORCE_INLINE void copy_string(uint8_t *to, const uint8_t *bytes, size_t size, struct ends ends)
{
    if (IS_SMALL || size > 16) {
        memcpy(to, bytes, size);
    } else if (size >= 8) {
        store_64(to, ends.first);
        store_64(to + size - 8, ends.last);
    } else if (size >= 4) {
        store_word(to, (uint32_t)ends.first);
        store_word(to + size - 4, (uint32_t)ends.last);
    } else {
        store_word(to, (uint32_t)ends.first);
    }
}

/* Whether the string at `position` is this one; up to 16 bytes, its ends are all of it. */
FORCE_INLINE bool is_stored_string(const fletch_builder *builder, uint32_t position,
                                   fletch_string string, struct ends ends)
{
    const uint8_t *bytes = stored(builder, position);
    struct ends other;

    if (load_32(bytes) != string.size) return false;
    if (IS_SMALL || string.size > 16) return memcmp(bytes + 4, string.data, string.size) == 0;
    if (string.size < 4) return load_32(bytes + 4) == ends.first;
    other = ends_of(bytes + 4, string.size);
    return other.first == ends.first && other.last == ends.last;
}

/* Whether a place of the cache has this string. */
FORCE_INLINE bool is_at(const fletch_builder *builder, const fletch_build_string *place,
                        uint32_t hash, fletch_string string, struct ends ends)
{
    return place->hash == hash && is_stored_string(builder, place->position, string, ends);
}

/* The most bytes that a short string takes, as put_if_short writes it. */
#define SHORT_STRING 24u

/* Puts a short string where it would stand, in front of `high`, for which there is room. */
FORCE_INLINE struct ends place_short(uint8_t *to, fletch_string string)
{
    const uint8_t *bytes = (const uint8_t *)string.data;
    struct ends ends = {0, 0};

    if (string.size >= 8) {
        ends.first = load_64(bytes);
        ends.last = load_64(bytes + string.size - 8);
        store_lone_64(to, ends.first);
        store_lone_64(to + string.size - 8, ends.last);
    } else if (string.size >= 4) {
        ends.first = load_32(bytes);
        ends.last = load_32(bytes + string.size - 4);
        store_lone_word(to, (uint32_t)ends.first);
        store_lone_word(to + string.size - 4, (uint32_t)ends.last);
    } else {
        ends.first = load_few(bytes, string.size);
        store_lone_word(to, (uint32_t)ends.first);
    }
    return ends;
}

/* Writes a short string, for which there is room, or finds it; false: it is not short. */
FORCE_INLINE bool put_if_short(fletch_builder *builder, fletch_string string, enum string_set set,
                               uint32_t *high, uint32_t *at)
{
    const uint32_t taken = ((uint32_t)string.size + 8) & ~3u;
    const uint32_t position = *high + taken;
    uint8_t *const top = builder->end - *high;
    struct ends ends;

    if (string.size - 1 >= 16) return false;
    memset(top - 4, 0, 4);
    ends = place_short(top - taken + 4, string);
    if (((ends.first | ends.last) & HIGH_BITS) != 0) return false;
    if (set != STRINGS_ONCE) {
        const uint32_t hash = hash_ends(ends, string.size);
        fletch_build_string *place = string_place(builder, hash, set);

        if (is_at(builder, place, hash, string, ends)) {
            *at = place->position;
            return true;
        }
        place->hash = hash;
        place->position = position;
    }
    store_word(top - taken, (uint32_t)string.size);
    *high = *at = position;
    return true;
}

#endif
