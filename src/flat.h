/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FlatBuffers core: little-endian loads, and one bounds rule each for offset, string, vector,
 * vtable and table.
 *
 * The invariant everything leans on: a fletch_buffer has `size` readable bytes at `bytes`, and
 * size < 2^31. Positions are computed in 64 bits: a position and a word or two, each below 2^32,
 * add up without wrapping, so a sum is compared with what is there and nothing else need be asked.
 * Every load checks its own place, in the same function as the load, and takes each word once:
 * what is decided about a word is decided about the copy, so bytes that change meanwhile can spoil
 * values but not leave the buffer.
 *
 * Where `fault` is NULL nobody asks why: what is inlined so has nothing to tell on its way.
 */
#ifndef FLETCH_SRC_FLAT_H
#define FLETCH_SRC_FLAT_H

#include "fault.h"
#include "fletch/model.h"

/* Flatbuffers end below 2^31 bytes: offsets are signed 32-bit. */
#define FLAT_MAX_SIZE 0x7FFFFFFFu

/*
 * Marks a remembered vtable as none. Hostile bytes can give any position, this one too; but no
 * table is so large, so what is taken for it fails by its size.
 */
#define NO_VTABLE     1u
#define NO_TABLE_SIZE UINT32_MAX

/*
 * Where something stands in a buffer, wide enough for sums. In a small build for a machine of 32
 * bits it is no wider than that, and what is added to a position is below 2^31, as positions are,
 * or looked at before.
 */
#if IS_SMALL && SIZE_MAX == UINT32_MAX
#define IS_NARROW 1
typedef uint32_t flat_position;
#else
#define IS_NARROW 0
typedef uint64_t flat_position;
#endif

static inline void forget_vtable(fletch_vtable *vtable)
{
    vtable->position = NO_VTABLE;
    vtable->table_size = NO_TABLE_SIZE;
}

/* Whether `count` bytes at `at` are in the buffer. */
FORCE_INLINE bool holds(fletch_buffer buffer, uint32_t at, uint32_t count)
{
    return count <= buffer.size && at <= buffer.size - count;
}

/* Keeps the compiler from loading a word again that the code keeps in a local. */
FORCE_INLINE uint32_t keep(uint32_t word)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
    __asm__("" : "+r"(word));
#endif
    return word;
}

/* The same for eight bytes. */
FORCE_INLINE uint64_t keep_64(uint64_t word)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
    __asm__("" : "+r"(word));
#endif
    return word;
}

FORCE_INLINE flat_position keep_position(flat_position position)
{
#if IS_NARROW
    return keep(position);
#else
    return keep_64(position);
#endif
}

/* Keeps the compiler from computing a pointer again that the code keeps in a local. */
static inline fletch_vtable *keep_pointer(fletch_vtable *vtable)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
    __asm__("" : "+r"(vtable));
#endif
    return vtable;
}

/* Loads give 0 outside of the buffer. */
FORCE_INLINE uint32_t load_u8(fletch_buffer buffer, flat_position at)
{
    if (at >= buffer.size) return 0;
    return keep(buffer.bytes[at]);
}

FORCE_INLINE uint32_t load_u16(fletch_buffer buffer, flat_position at)
{
    const uint8_t *p;

    if (buffer.size < 2 || at > buffer.size - 2) return 0;
    p = buffer.bytes + at;
    return keep((uint32_t)p[0] | (uint32_t)p[1] << 8);
}

/* A word of 32 bits, wide: a position can be added to it as it is. */
FORCE_INLINE flat_position load_word(fletch_buffer buffer, flat_position at)
{
    const uint8_t *p;

    if (buffer.size < 4 || at > buffer.size - 4) return 0;
    p = buffer.bytes + at;
    return keep_position((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
                         (uint32_t)p[3] << 24);
}

FORCE_INLINE uint32_t load_u32(fletch_buffer buffer, flat_position at)
{
    return (uint32_t)load_word(buffer, at);
}

/* Eight bytes, for what is looked at as a whole. */
FORCE_INLINE bool take_u64(fletch_buffer buffer, flat_position at, uint64_t *word)
{
    const uint8_t *p;

    if (buffer.size < 8 || at > buffer.size - 8) return false;
    p = buffer.bytes + at;
    *word = keep_64((uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
                    (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
                    (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56);
    return true;
}

static inline int64_t signed_64(uint64_t word)
{
    return word <= INT64_MAX ? (int64_t)word : -(int64_t)(UINT64_MAX - word) - 1;
}

static inline int32_t signed_32(uint32_t word)
{
    return (int32_t)(word <= INT32_MAX ? (int64_t)word : (int64_t)word - 0x100000000);
}

static inline int32_t signed_16(uint32_t word)
{
    return word <= INT16_MAX ? (int32_t)word : (int32_t)word - 0x10000;
}

FORCE_INLINE int64_t load_i64(fletch_buffer buffer, flat_position at)
{
    if (buffer.size < 8 || at > buffer.size - 8) return 0;
    return signed_64(load_word(buffer, at) | (uint64_t)load_word(buffer, at + 4) << 32);
}

/* Whether a word cannot be added to a position that is narrow. */
FORCE_INLINE bool is_too_much(flat_position word)
{
    return IS_NARROW && word > FLAT_MAX_SIZE;
}

/* Why an offset word failed; apart, to keep the good path short. */
COLD void fletch_offset_fault(fletch_buffer buffer, uint32_t at, uint32_t offset,
                              struct fault *fault);

/* In a small build one function follows all offsets. Elsewhere `follow` is what is inlined itself:
 * compilers make worse code of a function around it. */
#if IS_SMALL
#define FOLLOW follow_offset
bool fletch_follow(fletch_buffer buffer, flat_position at, flat_position *target,
                   struct fault *fault);
static inline bool follow(fletch_buffer buffer, flat_position at, flat_position *target,
                          struct fault *fault)
{
    return fletch_follow(buffer, at, target, fault);
}
#else
#define FOLLOW follow
#endif

/*
 * The target of the offset word at `at`: every object that an offset can lead to starts with a
 * 4-aligned word, which is in the buffer when this returns true.
 *
 * `at` is 4-aligned: its callers are the root, elements of vectors, and rows whose slot was found
 * aligned. So the target is aligned if the offset is. An offset with bit 31 set leads beyond any
 * buffer.
 */
FORCE_INLINE bool FOLLOW(fletch_buffer buffer, flat_position at, flat_position *target,
                         struct fault *fault)
{
    const flat_position offset = load_word(buffer, at);
    const flat_position place = at + offset;

    if (offset == 0 || (offset & 3) != 0 || is_too_much(offset) || buffer.size < 4 ||
        place > buffer.size - 4) {
        if (fault != NULL) fletch_offset_fault(buffer, (uint32_t)at, (uint32_t)offset, fault);
        return false;
    }
    *target = place;
    return true;
}

/* Where the NUL stands of the string at `at`, which follow() found: length, bytes, NUL. */
FORCE_INLINE bool find_string(fletch_buffer buffer, flat_position at, flat_position *nul,
                              struct fault *fault)
{
    const flat_position size = load_word(buffer, at);
    const flat_position place = at + 4 + size;
    uint32_t last;

    if (is_too_much(size) || place >= buffer.size)
        return fail(fault, FAULT_STRING_OUTSIDE, (uint32_t)at, (int64_t)size,
                    (int64_t)(buffer.size - 4 - at));
    last = load_u8(buffer, place);
    if (last != 0)
        return fail(fault, FAULT_STRING_UNTERMINATED, (uint32_t)place, (int64_t)size, last);
    *nul = place;
    return true;
}

/* The string at `at`, which follow() found. */
FORCE_INLINE bool read_string(fletch_buffer buffer, flat_position at, fletch_string *string,
                              struct fault *fault)
{
    flat_position nul;

    if (!find_string(buffer, at, &nul, fault)) return false;
    string->data = (const char *)buffer.bytes + at + 4;
    string->size = (size_t)(nul - at - 4);
    return true;
}

/* The vector at `at`, which follow() found: count, elements of `width` bytes. */
FORCE_INLINE bool read_vector(fletch_buffer buffer, flat_position at, uint32_t width,
                              uint32_t *begin, uint32_t *count, struct fault *fault)
{
    const flat_position left = buffer.size - 4 - at;
    const flat_position elements = load_word(buffer, at);

    if (elements > left / width) /* so put that the analyser sees how many there can be */
        return fail(fault, FAULT_VECTOR_OUTSIDE, (uint32_t)at, (int64_t)elements, (int64_t)left);
    *begin = (uint32_t)(at + 4);
    *count = (uint32_t)elements;
    return true;
}

#endif
