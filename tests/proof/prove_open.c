/* SPDX-License-Identifier: Apache-2.0 */
/* Opening any SIZE bytes as a bare flatbuffer of any root, at the levels LEVEL and below. */
#include "prove.h"

static uint8_t bytes[SIZE + 1];

void prove(void)
{
    fletch_options options = {0};
    fletch_schema schema;
    fletch_error error;

    /*@ widen_hints global:"all", 5, 128; */
    fill(bytes, SIZE);
    options.kind = (fletch_kind)Frama_C_interval(FLETCH_SCHEMA, FLETCH_FOOTER);
    options.level = (fletch_level)Frama_C_interval(FLETCH_LEVEL_UNCHECKED, LEVEL);
    options.limits = any_limits();
    fletch_open_with(bytes, SIZE, &options, &schema, any_bool() ? &error : NULL);
}
