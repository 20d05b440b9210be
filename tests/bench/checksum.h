/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One number for everything a schema says, so that two readers can be compared and neither can skip
 * a member. It is cheap (one dependent multiplication for each field and each metadata pair),
 * depends on the order of fields, and does not depend on how the schema was laid out in bytes.
 *
 * Arithmetic is modulo 2^64; negative numbers are sign-extended first. An absent member counts as
 * its default; an absent string, vector or table as empty.
 *
 *   text(s)   = 0 when empty, else its length + its first byte + its last byte (bytes 0..255)
 *   step(x)   : sum = sum * CHECKSUM_FACTOR + x
 *
 * In this order, starting with sum = CHECKSUM_START:
 *   schema    : step(endianness + 3 * field count + 5 * metadata count
 *                    + 7 * feature count + 11 * (all features added up))
 *   its pairs : step(text(key) + 3 * text(value)), for each
 *   each field, in pre-order (a field, its pairs, its children):
 *               step(text(name) + 3 * (nullable ? 1 : 0) + 5 * type id + 7 * parameters
 *                    + 11 * dictionary + 13 * child count + 17 * metadata count)
 *   its pairs : as above
 *
 *   parameters = a + 3 * b + 5 * c, where a, b, c are the members of the type's table in the order
 *               of their slots, 0 where there are fewer; a bool is 0 or 1, a string is text(s), and
 *               Union's typeIds are (their count + all of them added up)
 *   dictionary = 0 when absent, else 1 + id + 3 * index width + 5 * (index signed ? 1 : 0)
 *               + 7 * (ordered ? 1 : 0) + 11 * kind; an absent index type is 32 bits, signed
 */
#ifndef BENCH_CHECKSUM_H
#define BENCH_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_START  UINT64_C(1469598103934665603)
#define CHECKSUM_FACTOR UINT64_C(0x9E3779B97F4A7C15)

/* What the line for a field needs; each member as the comment above defines it. */
struct checksum_field {
    uint64_t name, nullable, type, parameters, dictionary, children, metadata;
};

static inline uint64_t checksum_text(const char *data, size_t size)
{
    if (size == 0) return 0;
    return size + (unsigned char)data[0] + (unsigned char)data[size - 1];
}

static inline uint64_t checksum_step(uint64_t sum, uint64_t value)
{
    return sum * CHECKSUM_FACTOR + value;
}

static inline uint64_t checksum_schema(uint64_t endianness, uint64_t fields, uint64_t metadata,
                                       uint64_t features, uint64_t feature_sum)
{
    return checksum_step(CHECKSUM_START,
                         endianness + 3 * fields + 5 * metadata + 7 * features + 11 * feature_sum);
}

static inline uint64_t checksum_pair(uint64_t sum, uint64_t key, uint64_t value)
{
    return checksum_step(sum, key + 3 * value);
}

static inline uint64_t checksum_parameters(uint64_t a, uint64_t b, uint64_t c)
{
    return a + 3 * b + 5 * c;
}

static inline uint64_t checksum_dictionary(int64_t id, uint64_t width, uint64_t is_signed,
                                           uint64_t ordered, uint64_t kind)
{
    return 1 + (uint64_t)id + 3 * width + 5 * is_signed + 7 * ordered + 11 * kind;
}

static inline uint64_t checksum_add_field(uint64_t sum, const struct checksum_field *field)
{
    return checksum_step(sum, field->name + 3 * field->nullable + 5 * field->type +
                                  7 * field->parameters + 11 * field->dictionary +
                                  13 * field->children + 17 * field->metadata);
}

#endif
