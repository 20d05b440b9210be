/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FlatBuffers core: little-endian loads, and one bounds rule each for offset, string, vector,
 * vtable and table.
 *
 * The invariant everything leans on: a fletch_buffer has `size` readable bytes at `bytes`, and
 * size < 2^31. So a position (below size) plus an offset (below 2^31) cannot wrap in 32 bits, and
 * bounds are checked by subtraction from what is left. Every load checks its own place, in the
 * same function as the load, and takes each word once: what is decided about a word is decided
 * about the copy, so bytes that change meanwhile can spoil values but not leave the buffer.
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

/* Keeps the compiler from computing a pointer again that the code keeps in a local. */
static inline fletch_vtable *keep_pointer(fletch_vtable *vtable)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
    __asm__("" : "+r"(vtable));
#endif
    return vtable;
}

/* Loads give 0 outside of the buffer. */
FORCE_INLINE uint32_t load_u8(fletch_buffer buffer, uint32_t at)
{
    if (buffer.size < 1 || at > buffer.size - 1) return 0;
    return keep(buffer.bytes[at]);
}

FORCE_INLINE uint32_t load_u16(fletch_buffer buffer, uint32_t at)
{
    const uint8_t *p;

    if (buffer.size < 2 || at > buffer.size - 2) return 0;
    p = buffer.bytes + at;
    return keep((uint32_t)p[0] | (uint32_t)p[1] << 8);
}

FORCE_INLINE uint32_t load_u32(fletch_buffer buffer, uint32_t at)
{
    const uint8_t *p;

    if (buffer.size < 4 || at > buffer.size - 4) return 0;
    p = buffer.bytes + at;
    return keep((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
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

FORCE_INLINE int64_t load_i64(fletch_buffer buffer, uint32_t at)
{
    if (!holds(buffer, at, 8)) return 0;
    return signed_64((uint64_t)load_u32(buffer, at) | (uint64_t)load_u32(buffer, at + 4) << 32);
}

/* Why an offset word failed; apart, to keep the good path short. */
COLD void fletch_offset_fault(fletch_buffer buffer, uint32_t at, uint32_t offset,
                              struct fault *fault);

/*
 * The target of the offset word at `at`: every object that an offset can lead to starts with a
 * 4-aligned word, which is in the buffer when this returns true.
 *
 * `at` is 4-aligned and below 2^31: its callers are the root, elements of vectors, and rows whose
 * slot was found aligned. So the target is aligned if the offset is. Turned right by two bits, an
 * offset that is not 0, has no low bits and no bit 31 is a number from 1 to 2^29 - 1: one
 * comparison does for V7, V8 and V10. The sum cannot wrap then.
 */
FORCE_INLINE bool follow(fletch_buffer buffer, uint32_t at, uint32_t *target, struct fault *fault)
{
    const uint32_t offset = load_u32(buffer, at);
    const uint32_t turned = offset >> 2 | offset << 30;
    const uint32_t place = at + offset;

    if (turned - 1 >= 0x1FFFFFFFu || buffer.size < 4 || place > buffer.size - 4) {
        fletch_offset_fault(buffer, at, offset, fault);
        return false;
    }
    *target = place;
    return true;
}

/* Where the NUL stands of the string at `at`, which follow() found: length, bytes, NUL. The sum is
 * 64 bits wide, so it cannot wrap, whatever the length. */
FORCE_INLINE bool find_string(fletch_buffer buffer, uint32_t at, uint32_t *nul, struct fault *fault)
{
    const uint32_t size = load_u32(buffer, at);
    const uint64_t place = (uint64_t)at + 4 + size;
    uint32_t last;

    if (place >= buffer.size)
        return fail(fault, FAULT_STRING_OUTSIDE, at, size, buffer.size - 4 - at);
    last = load_u8(buffer, (uint32_t)place);
    if (last != 0) return fail(fault, FAULT_STRING_UNTERMINATED, (uint32_t)place, size, last);
    *nul = (uint32_t)place;
    return true;
}

/* The string at `at`, which follow() found. */
FORCE_INLINE bool read_string(fletch_buffer buffer, uint32_t at, fletch_string *string,
                              struct fault *fault)
{
    uint32_t nul;

    if (!find_string(buffer, at, &nul, fault)) return false;
    string->data = (const char *)buffer.bytes + at + 4;
    string->size = nul - at - 4;
    return true;
}

/* The vector at `at`, which follow() found: count, elements of `width` bytes. */
FORCE_INLINE bool read_vector(fletch_buffer buffer, uint32_t at, uint32_t width, uint32_t *begin,
                              uint32_t *count, struct fault *fault)
{
    uint32_t left = buffer.size - 4 - at;
    uint32_t elements = load_u32(buffer, at);

    if (elements > left / width) return fail(fault, FAULT_VECTOR_OUTSIDE, at, elements, left);
    *begin = at + 4;
    *count = elements;
    return true;
}

#endif
