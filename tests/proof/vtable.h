/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For drivers that go over many tables: checking a vtable gives any vtable, or a fault.
 * prove_vtable.c shows for every shape that this is all that it does.
 */
#ifndef FLETCH_PROOF_VTABLE_H
#define FLETCH_PROOF_VTABLE_H

#include "decode.h"
#include "prove.h"

#define fletch_check_vtable check_this_vtable
#define fletch_table_fault  tell_table_fault
#include "tables.c"
#undef fletch_check_vtable
#undef fletch_table_fault

bool fletch_check_vtable(fletch_buffer buffer, uint32_t at, uint32_t table,
                         const struct shape *shape, fletch_vtable *vtable, struct fault *fault)
{
    (void)shape;
    fill(vtable, sizeof *vtable);
    if (any_bool()) return true;
    return fail(fault, FAULT_VTABLE_OUTSIDE, any_bool() ? at : table, any_int(), buffer.size);
}

void fletch_table_fault(fletch_buffer buffer, uint32_t at, const struct shape *shape,
                        fletch_vtable *vtable, struct fault *fault)
{
    (void)shape;
    fill(vtable, sizeof *vtable);
    fletch_set_fault(fault, FAULT_TABLE_SIZE_OUTSIDE, vtable->position, any_bits(),
                     buffer.size - at);
}

#endif
