/* SPDX-License-Identifier: Apache-2.0 */
/* Equality of types, by their rows: nothing to add here for a new type. */
#include "same.h"

static bool same_type_ids(const fletch_type *a, const fletch_type *b, uint32_t child_count)
{
    uint32_t i;

    for (i = 0; i < child_count; i++)
        if (fletch_union_type_id(a, i) != fletch_union_type_id(b, i)) return false;
    return true;
}

static bool same_member(const fletch_type *a, const fletch_type *b, const struct row *row,
                        uint32_t child_count)
{
    const void *in_a = (const char *)a + row->member;
    const void *in_b = (const char *)b + row->member;

    switch (row->kind) {
    case ROW_BOOL: return *(const bool *)in_a == *(const bool *)in_b;
    case ROW_STRING:
        return fletch_same_string(*(const fletch_string *)in_a, *(const fletch_string *)in_b);
    case ROW_INTEGERS: return same_type_ids(a, b, child_count);
    default: return *(const int32_t *)in_a == *(const int32_t *)in_b;
    }
}

bool fletch_same_type(const fletch_type *a, const fletch_type *b, uint32_t child_count,
                      uint32_t *slot)
{
    const struct shape *shape;

    *slot = NO_INDEX;
    if (a->id != b->id) return false;
    if (a->id >= TYPE_COUNT) return true;
    shape = &fletch_type_shapes[a->id];
    for (*slot = 0; *slot < shape->row_count; ++*slot)
        if (!same_member(a, b, &shape->rows[*slot], child_count)) return false;
    return true;
}
