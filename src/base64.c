/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base64, alphabet "+/" (RFC 4648, section 4).
 *
 * Decoding in place is sound: after n characters at most 3n/4 bytes are written, so writing never
 * overtakes reading.
 */
#include "fault.h"
#include "fletch/ipc.h"

enum { BASE64_SPACE = 64, BASE64_PAD, BASE64_BAD };

static uint32_t base64_value(uint8_t character)
{
    if (character >= 'A' && character <= 'Z') return character - 'A' + 0u;
    if (character >= 'a' && character <= 'z') return character - 'a' + 26u;
    if (character >= '0' && character <= '9') return character - '0' + 52u;
    if (character == '+') return 62;
    if (character == '/') return 63;
    if (character == '=') return BASE64_PAD;
    if (character == ' ' || (character >= '\t' && character <= '\r')) return BASE64_SPACE;
    return BASE64_BAD;
}

size_t fletch_base64_space(size_t size)
{
    return size / 4 * 3 + 3;
}

static fletch_status refuse(fletch_error *error, enum reason reason, size_t at, int64_t value)
{
    fletch_say_fault(error, reason, at, value, 0);
    return fletch_fault_status(reason);
}

fletch_status fletch_base64_decode(const char *text, size_t size, void *to, size_t space,
                                   size_t *written, fletch_error *error)
{
    uint8_t *bytes = to;
    uint32_t bits = 0;
    size_t at, used = 0, characters = 0, pads = 0;

    *written = 0;
    for (at = 0; at < size; at++) {
        const uint8_t character = (uint8_t)text[at];
        const uint32_t value = base64_value(character);

        if (value == BASE64_SPACE) continue;
        if (value == BASE64_BAD) return refuse(error, FAULT_BASE64_CHARACTER, at, character);
        if (value == BASE64_PAD) {
            if (++pads > 2) return refuse(error, FAULT_BASE64_CHARACTER, at, character);
            continue;
        }
        if (pads != 0) return refuse(error, FAULT_BASE64_PADDING, at, 0);
        bits = bits << 6 | value;
        if (++characters % 4 == 1) continue; /* 6 bits: no byte is whole yet */
        if (used >= space) {
            fletch_say_fault(error, FAULT_SCRATCH, 0, (int64_t)space,
                             (int64_t)fletch_base64_space(size));
            if (error != NULL) error->wanted = fletch_base64_space(size);
            return FLETCH_NO_SPACE;
        }
        bytes[used++] = (uint8_t)(bits >> (6 - 2 * ((characters - 1) % 4)));
    }
    if (characters % 4 == 1) return refuse(error, FAULT_BASE64_LENGTH, size, (int64_t)characters);
    *written = used;
    fletch_clear_error(error);
    return FLETCH_OK;
}

void fletch_base64_encode(const void *bytes, size_t size, char *to)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *from = bytes;
    size_t at;

    for (at = 0; at < size; at += 3, to += 4) {
        const size_t left = size - at;
        const uint32_t bits = (uint32_t)from[at] << 16 |
                              (left > 1 ? (uint32_t)from[at + 1] << 8 : 0) |
                              (left > 2 ? (uint32_t)from[at + 2] : 0);

        to[0] = alphabet[bits >> 18];
        to[1] = alphabet[bits >> 12 & 63u];
        to[2] = left > 1 ? alphabet[bits >> 6 & 63u] : '=';
        to[3] = left > 2 ? alphabet[bits & 63u] : '=';
    }
}
