/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is made of decoded types: each of every tag is decoded twice, at any places of SIZE bytes,
 * and the two are compared, as checking dictionaries and comparing schemas do; and what a user asks
 * about one.
 */
#include "visit.h"
#include "vtable.h"

#include "dictionaries.c"

char view[SIZE + 1];
static uint8_t bytes[SIZE + 1];

static bool decode_any(fletch_type *type, int32_t id)
{
    fletch_buffer buffer;
    struct fault fault;
    uint64_t at;

    buffer.bytes = bytes;
    buffer.size = SIZE;
    type->id = id;
    type->at = 0;
    if (id == FLETCH_TYPE_NONE) return true;
    if (!follow(buffer, any_bits(), &at, &fault)) return false;
    type->at = (uint32_t)at;
    return id >= TYPE_COUNT || decode_type(buffer, NULL, type, VISIT_DECODE, &fault);
}

static void compare(int32_t id)
{
    fletch_type a, b;
    volatile uint64_t number;
    uint32_t slot;

    if (!decode_any(&a, id) || !decode_any(&b, id)) return;
    number = text_of(&a) + text_of(&b);
    (void)number;
    fletch_same_type(&a, &b, any_bits(), &slot);
    fletch_union_type_id(&a, any_bits());
}

static void count_buffers(int32_t id)
{
    fletch_field field;

    field.has_dictionary = any_bool();
    if (decode_any(&field.type, id)) fletch_count_buffers(&field, any_int());
}

void prove(void)
{
    int32_t id;

    fill(bytes, SIZE);
    fill(view, SIZE);
    //@ loop unroll 30;
    for (id = 0; id <= TYPE_COUNT; id++) {
        compare(id);
        count_buffers(id);
    }
}
