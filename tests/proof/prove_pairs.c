/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding metadata by any key of at most SIZE bytes, and extensions, in any SIZE bytes, verified or
 * not, from any place of an iterator.
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

static void find_pairs(void)
{
    fletch_metadata metadata = any_metadata(bytes);
    fletch_key_value pair;

    fletch_find_metadata(&metadata, any_text(), &pair);
}

static void find_extension(void)
{
    fletch_extension extension;
    fletch_field field;

    field.metadata = any_metadata(bytes);
    fletch_find_extension(&field, &extension);
}

void prove(void)
{
    fill(bytes, SIZE);
    fill(view, SIZE);
    fill(wanted, SIZE);
    find_pairs();
    find_extension();
}
