/* SPDX-License-Identifier: Apache-2.0 */
/* Equality of types, by their rows. */
#ifndef FLETCH_SRC_SAME_H
#define FLETCH_SRC_SAME_H

#include "tables.h"

/*
 * Whether two types have the same tag and members; absent equals its default, absent typeIds are
 * 0, 1, 2... for the children given. On false `*slot` is the first member that differs, or NO_INDEX
 * for the tag. Children are not looked at. Types newer than this library are equal by their tag.
 */
bool fletch_same_type(const fletch_type *a, const fletch_type *b, uint32_t child_count,
                      uint32_t *slot);

#endif
