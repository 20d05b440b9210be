/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second reader. Its loads are those of the maker, which stop the program outside of a block.
 */
#include "wire.h"

#include <stdlib.h>

size_t wire_root(block b)
{
    return peek32(b, 0);
}

size_t wire_vtable(block b, size_t table)
{
    return table - (size_t)(int32_t)peek32(b, table);
}

size_t wire_member(block b, size_t table, unsigned slot)
{
    size_t vtable = wire_vtable(b, table);
    if (4 + 2 * slot >= peek16(b, vtable)) return 0;
    uint32_t at = peek16(b, vtable + 4 + 2 * slot);
    return at ? table + at : 0;
}

size_t wire_target(block b, size_t table, unsigned slot)
{
    size_t at = wire_member(b, table, slot);
    return at ? at + peek32(b, at) : 0;
}

uint32_t wire_count(block b, size_t vector)
{
    return peek32(b, vector);
}

size_t wire_element(block b, size_t vector, uint32_t index)
{
    size_t at = vector + 4 + 4 * (size_t)index;
    return at + peek32(b, at);
}

size_t wire_schema(block b, unsigned root)
{
    return root == ROOT_IS_SCHEMA ? wire_root(b) : wire_target(b, wire_root(b), root);
}

static void visit_fields(block b, size_t fields, wire_visit visit, void *context)
{
    for (uint32_t i = 0; fields && i < wire_count(b, fields); i++) {
        size_t field = wire_element(b, fields, i);
        visit(b, field, context);
        visit_fields(b, wire_target(b, field, FIELD_CHILDREN), visit, context);
    }
}

void wire_each_field(block b, size_t schema, wire_visit visit, void *context)
{
    visit_fields(b, wire_target(b, schema, SCHEMA_FIELDS), visit, context);
}

void remember_place(places *p, size_t place)
{
    if (p->count == p->space) {
        p->space = 2 * p->space + 64;
        p->all = realloc(p->all, p->space * sizeof *p->all);
        if (!p->all) abort();
    }
    p->all[p->count++] = place;
}

static int compare_places(const void *a, const void *b)
{
    const size_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

size_t different_places(places *p)
{
    size_t different = 0;
    if (p->count) qsort(p->all, p->count, sizeof *p->all, compare_places);
    for (size_t i = 0; i < p->count; i++)
        different += i == 0 || p->all[i] != p->all[i - 1];
    return different;
}

void forget_places(places *p)
{
    free(p->all);
    *p = (places){NULL, 0, 0};
}
