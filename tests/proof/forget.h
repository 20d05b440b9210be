/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before each source of some drivers: a vtable that is remembered as none has slots of any values
 * instead of undefined ones. prove_vtable.c shows for every shape that they are not read.
 */
#ifndef FLETCH_PROOF_FORGET_H
#define FLETCH_PROOF_FORGET_H

#define forget_vtable forget_this_vtable
#include "flat.h"
#undef forget_vtable

#include "__fc_builtin.h"

static inline void forget_vtable(fletch_vtable *vtable)
{
    Frama_C_make_unknown((char *)vtable, sizeof *vtable);
    forget_this_vtable(vtable);
}

#endif
