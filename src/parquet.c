/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Parquet footer: just enough of Thrift's compact protocol to step over what is not wanted.
 *
 * `at` never exceeds `size`; every byte is taken by take_byte or skipped by a length that was
 * compared with what is left. Each step consumes at least a byte or ends a bounded count, and
 * a count of elements is never trusted beyond the bytes that are left, so work is linear.
 */
#include "parquet.h"

#include <string.h>

#define MAX_NESTING 32

enum {
    THRIFT_STOP = 0,
    THRIFT_TRUE = 1,
    THRIFT_FALSE = 2,
    THRIFT_I8 = 3,
    THRIFT_I16 = 4,
    THRIFT_I64 = 6,
    THRIFT_DOUBLE = 7,
    THRIFT_BINARY = 8,
    THRIFT_LIST = 9,
    THRIFT_SET = 10,
    THRIFT_MAP = 11,
    THRIFT_STRUCT = 12,
    THRIFT_ELEMENT = 16 /* added to the types of elements, where a bool takes a byte */
};

enum { FILE_KEY_VALUES = 5, KEY_VALUE_KEY = 1, KEY_VALUE_VALUE = 2 };

struct reader {
    const uint8_t *bytes;
    size_t size, at;
    struct fault *fault;
};

struct span {
    size_t at, size;
};

static bool refuse(struct reader *reader, enum reason reason, int64_t value)
{
    /* A footer's length is a 32-bit word, so its places are, too. */
    return fail(reader->fault, reason, (uint32_t)reader->at, value, 0);
}

static bool take_byte(struct reader *reader, uint8_t *byte)
{
    *byte = 0;
    if (reader->at >= reader->size) return refuse(reader, FAULT_THRIFT_CUT, 0);
    *byte = reader->bytes[reader->at++];
    return true;
}

static bool skip_bytes(struct reader *reader, uint64_t count)
{
    if (count > reader->size - reader->at) return refuse(reader, FAULT_THRIFT_CUT, 0);
    reader->at += (size_t)count;
    return true;
}

static bool take_varint(struct reader *reader, uint64_t *value)
{
    uint32_t shift;
    uint8_t byte;

    *value = 0;
    for (shift = 0; shift < 64; shift += 7) {
        if (!take_byte(reader, &byte)) return false;
        *value |= (uint64_t)(byte & 0x7Fu) << shift;
        if (byte < 0x80) return true;
    }
    return refuse(reader, FAULT_THRIFT_CUT, 0);
}

static bool take_binary(struct reader *reader, struct span *span)
{
    uint64_t size;

    if (!take_varint(reader, &size)) return false;
    span->at = reader->at;
    if (!skip_bytes(reader, size)) return false;
    span->size = reader->at - span->at;
    return true;
}

/* A field's header: its type, THRIFT_STOP at the end of the struct; `id` is the last one's. */
static bool take_field(struct reader *reader, int32_t *id, uint8_t *type)
{
    uint64_t zigzag;
    uint8_t byte;

    if (!take_byte(reader, &byte)) return false;
    *type = byte & 0x0Fu;
    if (byte >> 4 != 0) {
        if (*id <= INT16_MAX) *id += byte >> 4; /* beyond, it is no field that is wanted */
        return true;
    }
    if (*type == THRIFT_STOP) return true;
    if (!take_varint(reader, &zigzag)) return false;
    zigzag = zigzag >> 1 ^ (0 - (zigzag & 1));
    *id = zigzag <= INT16_MAX ? (int32_t)zigzag : -1;
    return true;
}

static bool take_list(struct reader *reader, uint64_t *count, uint8_t *type)
{
    uint8_t byte;

    if (!take_byte(reader, &byte)) return false;
    *type = byte & 0x0Fu;
    *count = byte >> 4;
    return *count != 15 || take_varint(reader, count);
}

/* What is still to skip: so many values, of alternating types for a map. */
struct frame {
    uint64_t left;       /* values; not used of a struct, which ends with its stop */
    uint8_t types[2];    /* of elements; likewise */
    bool is_struct, odd; /* odd: the second of a map's pair is next */
};

static bool push(struct reader *reader, struct frame *frames, uint32_t *depth, struct frame frame)
{
    if (*depth == MAX_NESTING) return refuse(reader, FAULT_THRIFT_DEPTH, MAX_NESTING);
    frames[(*depth)++] = frame;
    return true;
}

static bool push_list(struct reader *reader, struct frame *frames, uint32_t *depth)
{
    struct frame frame = {0, {0, 0}, false, false};

    if (!take_list(reader, &frame.left, &frame.types[0])) return false;
    frame.types[0] = frame.types[1] = frame.types[0] | THRIFT_ELEMENT;
    return push(reader, frames, depth, frame);
}

static bool push_map(struct reader *reader, struct frame *frames, uint32_t *depth)
{
    struct frame frame = {0, {0, 0}, false, false};
    uint8_t types;

    if (!take_varint(reader, &frame.left)) return false;
    if (frame.left == 0) return true;
    if (!take_byte(reader, &types)) return false;
    frame.types[0] = (uint8_t)(types >> 4 | THRIFT_ELEMENT);
    frame.types[1] = (uint8_t)((types & 0x0Fu) | THRIFT_ELEMENT);
    /* Two values a pair; more than 2^63 pairs could not be there. */
    if (frame.left > INT64_MAX) return refuse(reader, FAULT_THRIFT_CUT, 0);
    frame.left *= 2;
    return push(reader, frames, depth, frame);
}

/* Skips a value, or pushes what is in it. */
static bool skip_shallow(struct reader *reader, uint8_t type, struct frame *frames, uint32_t *depth)
{
    static const struct frame fields = {0, {0, 0}, true, false};
    uint64_t number;
    struct span span;

    switch (type & 0x0Fu) {
    case THRIFT_TRUE:
    case THRIFT_FALSE: return skip_bytes(reader, (type & THRIFT_ELEMENT) != 0 ? 1 : 0);
    case THRIFT_I8: return skip_bytes(reader, 1);
    case THRIFT_I16:
    case THRIFT_I16 + 1:
    case THRIFT_I64: return take_varint(reader, &number);
    case THRIFT_DOUBLE: return skip_bytes(reader, 8);
    case THRIFT_BINARY: return take_binary(reader, &span);
    case THRIFT_LIST:
    case THRIFT_SET: return push_list(reader, frames, depth);
    case THRIFT_MAP: return push_map(reader, frames, depth);
    case THRIFT_STRUCT: return push(reader, frames, depth, fields);
    default: return refuse(reader, FAULT_THRIFT_TYPE, type & 0x0Fu);
    }
}

/* Skips a value with all that is in it. */
static bool skip_value(struct reader *reader, uint8_t type)
{
    struct frame frames[MAX_NESTING] = {{0, {0, 0}, false, false}};
    uint32_t depth = 0;
    int32_t id = 0;

    if (!skip_shallow(reader, type, frames, &depth)) return false;
    while (depth != 0) {
        struct frame *frame = &frames[depth - 1];

        if (frame->is_struct) {
            if (!take_field(reader, &id, &type)) return false;
            if (type == THRIFT_STOP) {
                depth--;
                continue;
            }
        } else {
            if (frame->left == 0) {
                depth--;
                continue;
            }
            frame->left--;
            type = frame->types[frame->odd];
            frame->odd = !frame->odd;
        }
        id = 0;
        if (!skip_shallow(reader, type, frames, &depth)) return false;
    }
    return true;
}

/* One KeyValue; `found` says whether its key is ARROW:schema. */
static bool take_key_value(struct reader *reader, struct span *value, bool *found)
{
    static const char wanted[] = "ARROW:schema";
    struct span key = {0, 0};
    int32_t id = 0;
    uint8_t type = THRIFT_STOP;

    value->at = reader->at;
    value->size = 0;
    for (;;) {
        if (!take_field(reader, &id, &type)) return false;
        if (type == THRIFT_STOP) break;
        if (type == THRIFT_BINARY && id == KEY_VALUE_KEY) {
            if (!take_binary(reader, &key)) return false;
        } else if (type == THRIFT_BINARY && id == KEY_VALUE_VALUE) {
            if (!take_binary(reader, value)) return false;
        } else if (!skip_value(reader, type)) {
            return false;
        }
    }
    *found = key.size == sizeof wanted - 1 && reader->size >= sizeof wanted - 1 &&
             key.at <= reader->size - (sizeof wanted - 1) &&
             memcmp(reader->bytes + key.at, wanted, sizeof wanted - 1) == 0;
    return true;
}

static bool search_key_values(struct reader *reader, struct span *value, bool *found)
{
    uint64_t count = 0;
    uint8_t type = THRIFT_STOP;

    if (!take_list(reader, &count, &type)) return false;
    if (type != THRIFT_STRUCT && count != 0) return refuse(reader, FAULT_THRIFT_TYPE, type);
    for (; count != 0 && !*found; count--)
        if (!take_key_value(reader, value, found)) return false;
    return true;
}

bool fletch_find_parquet_schema(const uint8_t *bytes, size_t size, size_t *at, size_t *value_size,
                                struct fault *fault)
{
    struct reader reader;
    struct span value = {0, 0};
    bool found = false;
    int32_t id = 0;
    uint8_t type = THRIFT_STOP;

    reader.bytes = bytes;
    reader.size = size;
    reader.at = 0;
    reader.fault = fault;
    for (;;) {
        if (!take_field(&reader, &id, &type)) return false;
        if (type == THRIFT_STOP) return refuse(&reader, FAULT_PARQUET_KEY, 0);
        if (id == FILE_KEY_VALUES && type == THRIFT_LIST) {
            if (!search_key_values(&reader, &value, &found)) return false;
            if (found) break;
        } else if (!skip_value(&reader, type)) {
            return false;
        }
    }
    *at = value.at;
    *value_size = value.size;
    return true;
}
