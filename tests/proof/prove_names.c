/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding fields by any name or path of at most SIZE bytes, in any SIZE bytes, verified or not,
 * from any place of an iterator.
 */
#include "vtable.h"

char view[SIZE + 1];
static uint8_t bytes[SIZE + 1];
static char wanted[SIZE + 1];

static fletch_string any_text(void)
{
    fletch_string text;

    text.data = wanted;
    text.size = Frama_C_unsigned_long_interval(0, SIZE);
    return text;
}

static void find_fields(void)
{
    const fletch_fields fields = any_fields(bytes);
    fletch_field field;

    fletch_find_field(&fields, any_text(), &field);
    fletch_find_path(&fields, any_text(), &field);
}

void prove(void)
{
    /*@ widen_hints global:"all", SIZE; */
    fill(bytes, SIZE);
    fill(view, SIZE);
    fill(wanted, SIZE);
    find_fields();
}
