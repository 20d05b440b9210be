/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vtables of every kind of table, at any place of SIZE bytes: checking one, finding one that was
 * remembered or not, and the fault where there is none. A vtable that was found has all slots
 * of its shape and its first member's bits, and one that is remembered as none stays so (vtable.h
 * leans on both).
 */
#include "prove.h"

#include "decode.h"

static uint8_t bytes[SIZE + 1];

/* All that is asked of a vtable that was found. */
static void look_at_slots(const fletch_vtable *vtable, const struct shape *shape)
{
    volatile uint32_t number = 0;
    uint32_t i;

    for (i = 0; i < shape->row_count; i++)
        number = vtable->slots[i];
    number = first_bits(buffer_of(bytes), any_bits(), vtable);
    if (shape == &fletch_field_shape) number = vtable->is_plain;
    (void)number;
}

static void check(const struct shape *shape)
{
    fletch_vtable vtable;
    struct fault fault;

    if (fletch_check_vtable(buffer_of(bytes), any_bits(), any_bits(), shape, &vtable, &fault))
        look_at_slots(&vtable, shape);
    else
        look_at_fault(&fault);
}

/* Of any table that an offset leads to. None is remembered: the slots have no values. */
static void find_forgotten(const struct shape *shape)
{
    fletch_vtable vtable;
    struct fault fault;
    uint64_t at;

    if (!follow(buffer_of(bytes), any_bits(), &at, &fault)) return;
    forget_vtable(&vtable);
    if (find_vtable(buffer_of(bytes), at, any_bits(), shape, &vtable, &fault))
        look_at_slots(&vtable, shape);
    else
        look_at_fault(&fault);
}

static void find_remembered(const struct shape *shape)
{
    fletch_vtable vtable;
    struct fault fault;

    fill(&vtable, sizeof vtable);
    if (find_vtable(buffer_of(bytes), any_bits(), any_bits(), shape, &vtable, &fault))
        look_at_slots(&vtable, shape);
    else
        look_at_fault(&fault);
}

static void check_table(const struct shape *shape)
{
    struct fault fault;

    if (!fletch_check_table(buffer_of(bytes), any_bits(), shape, &fault)) look_at_fault(&fault);
}

static void prove_shape(const struct shape *shape)
{
    check(shape);
    check_table(shape);
    find_forgotten(shape);
    find_remembered(shape);
}

void prove(void)
{
    int i;

    fill(bytes, SIZE);
    prove_shape(&fletch_schema_shape);
    prove_shape(&fletch_message_shape);
    prove_shape(&fletch_footer_shape);
    prove_shape(&fletch_field_shape);
    prove_shape(&fletch_key_value_shape);
    prove_shape(&fletch_dictionary_shape);
    prove_shape(&fletch_int_shape);
    //@ loop unroll TYPE_COUNT;
    for (i = 0; i < TYPE_COUNT; i++)
        prove_shape(&fletch_type_shapes[i]);
}
