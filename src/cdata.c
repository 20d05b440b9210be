/* SPDX-License-Identifier: Apache-2.0 */
/* The table of format strings, made of its rows. */
#include "cdata.h"

#define TEXT_SIZE(a, b, c, d) (((a) != 0) + ((b) != 0) + ((c) != 0) + ((d) != 0))

const struct format fletch_formats[FORMAT_COUNT] = {
#define FORMAT_ROW(row, id, a, b, c, d, member, ...)                                               \
    {{a, b, c, d, 0},                                                                              \
     TEXT_SIZE(a, b, c, d),                                                                        \
     (b) == ':' || (c) == ':' || FLETCH_TYPE_##id == FLETCH_TYPE_UNION,                            \
     {FLETCH_TYPE_##id, 0, {.member = {__VA_ARGS__}}}},
    FORMAT_ROWS(FORMAT_ROW)
#undef FORMAT_ROW
};
