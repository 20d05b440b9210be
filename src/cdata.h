/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format strings of the C data interface, each once.
 *
 * Rows stand in the order of type ids, and those of one type in the order of its enumerator. So a
 * type's row is found by adding, and a format's by its first three characters.
 */
#ifndef FLETCH_SRC_CDATA_H
#define FLETCH_SRC_CDATA_H

#include "fletch/cdata.h"
#include "rules.h"

struct format {
    char text[5]; /* ends in ':' where parameters may follow */
    uint8_t size;
    bool has_parameters; /* which are not left out; a time zone may be */
    fletch_type type;    /* what the text says */
};

/* X(row, id, text's characters, member of fletch_type.as, values in it); the first row of a type
 * has its name. Types that have no member name any, with nothing in it. */
#define FORMAT_ROWS(X)                                                                             \
    X(NONE, NONE, 0, 0, 0, 0, map, .keys_sorted = false)                                           \
    X(NULL, NULL, 'n', 0, 0, 0, map, .keys_sorted = false)                                         \
    X(INT, INT, 'c', 0, 0, 0, integer, .bit_width = 8, .is_signed = true)                          \
    X(INT_16, INT, 's', 0, 0, 0, integer, .bit_width = 16, .is_signed = true)                      \
    X(INT_32, INT, 'i', 0, 0, 0, integer, .bit_width = 32, .is_signed = true)                      \
    X(INT_64, INT, 'l', 0, 0, 0, integer, .bit_width = 64, .is_signed = true)                      \
    X(UINT_8, INT, 'C', 0, 0, 0, integer, .bit_width = 8, .is_signed = false)                      \
    X(UINT_16, INT, 'S', 0, 0, 0, integer, .bit_width = 16, .is_signed = false)                    \
    X(UINT_32, INT, 'I', 0, 0, 0, integer, .bit_width = 32, .is_signed = false)                    \
    X(UINT_64, INT, 'L', 0, 0, 0, integer, .bit_width = 64, .is_signed = false)                    \
    X(FLOATING_POINT, FLOATING_POINT, 'e', 0, 0, 0, floating_point, .precision = FLETCH_HALF)      \
    X(SINGLE, FLOATING_POINT, 'f', 0, 0, 0, floating_point, .precision = FLETCH_SINGLE)            \
    X(DOUBLE, FLOATING_POINT, 'g', 0, 0, 0, floating_point, .precision = FLETCH_DOUBLE)            \
    X(BINARY, BINARY, 'z', 0, 0, 0, map, .keys_sorted = false)                                     \
    X(UTF8, UTF8, 'u', 0, 0, 0, map, .keys_sorted = false)                                         \
    X(BOOL, BOOL, 'b', 0, 0, 0, map, .keys_sorted = false)                                         \
    X(DECIMAL, DECIMAL, 'd', ':', 0, 0, decimal, .bit_width = 128)                                 \
    X(DATE, DATE, 't', 'd', 'D', 0, date, .unit = FLETCH_DAY)                                      \
    X(DATE_MILLISECOND, DATE, 't', 'd', 'm', 0, date, .unit = FLETCH_DATE_MILLISECOND)             \
    X(TIME, TIME, 't', 't', 's', 0, time, .unit = FLETCH_SECOND, .bit_width = 32)                  \
    X(TIME_MILLISECOND, TIME, 't', 't', 'm', 0, time, .unit = FLETCH_MILLISECOND, .bit_width = 32) \
    X(TIME_MICROSECOND, TIME, 't', 't', 'u', 0, time, .unit = FLETCH_MICROSECOND, .bit_width = 64) \
    X(TIME_NANOSECOND, TIME, 't', 't', 'n', 0, time, .unit = FLETCH_NANOSECOND, .bit_width = 64)   \
    X(TIMESTAMP, TIMESTAMP, 't', 's', 's', ':', timestamp, .unit = FLETCH_SECOND,                  \
      .timezone = {"", 0})                                                                         \
    X(TIMESTAMP_MILLISECOND, TIMESTAMP, 't', 's', 'm', ':', timestamp, .unit = FLETCH_MILLISECOND, \
      .timezone = {"", 0})                                                                         \
    X(TIMESTAMP_MICROSECOND, TIMESTAMP, 't', 's', 'u', ':', timestamp, .unit = FLETCH_MICROSECOND, \
      .timezone = {"", 0})                                                                         \
    X(TIMESTAMP_NANOSECOND, TIMESTAMP, 't', 's', 'n', ':', timestamp, .unit = FLETCH_NANOSECOND,   \
      .timezone = {"", 0})                                                                         \
    X(INTERVAL, INTERVAL, 't', 'i', 'M', 0, interval, .unit = FLETCH_YEAR_MONTH)                   \
    X(DAY_TIME, INTERVAL, 't', 'i', 'D', 0, interval, .unit = FLETCH_DAY_TIME)                     \
    X(MONTH_DAY_NANO, INTERVAL, 't', 'i', 'n', 0, interval, .unit = FLETCH_MONTH_DAY_NANO)         \
    X(LIST, LIST, '+', 'l', 0, 0, map, .keys_sorted = false)                                       \
    X(STRUCT, STRUCT, '+', 's', 0, 0, map, .keys_sorted = false)                                   \
    X(UNION, UNION, '+', 'u', 's', ':', union_, .mode = FLETCH_SPARSE)                             \
    X(DENSE, UNION, '+', 'u', 'd', ':', union_, .mode = FLETCH_DENSE)                              \
    X(FIXED_SIZE_BINARY, FIXED_SIZE_BINARY, 'w', ':', 0, 0, map, .keys_sorted = false)             \
    X(FIXED_SIZE_LIST, FIXED_SIZE_LIST, '+', 'w', ':', 0, map, .keys_sorted = false)               \
    X(MAP, MAP, '+', 'm', 0, 0, map, .keys_sorted = false)                                         \
    X(DURATION, DURATION, 't', 'D', 's', 0, duration, .unit = FLETCH_SECOND)                       \
    X(DURATION_MILLISECOND, DURATION, 't', 'D', 'm', 0, duration, .unit = FLETCH_MILLISECOND)      \
    X(DURATION_MICROSECOND, DURATION, 't', 'D', 'u', 0, duration, .unit = FLETCH_MICROSECOND)      \
    X(DURATION_NANOSECOND, DURATION, 't', 'D', 'n', 0, duration, .unit = FLETCH_NANOSECOND)        \
    X(LARGE_BINARY, LARGE_BINARY, 'Z', 0, 0, 0, map, .keys_sorted = false)                         \
    X(LARGE_UTF8, LARGE_UTF8, 'U', 0, 0, 0, map, .keys_sorted = false)                             \
    X(LARGE_LIST, LARGE_LIST, '+', 'L', 0, 0, map, .keys_sorted = false)                           \
    X(RUN_END_ENCODED, RUN_END_ENCODED, '+', 'r', 0, 0, map, .keys_sorted = false)                 \
    X(BINARY_VIEW, BINARY_VIEW, 'v', 'z', 0, 0, map, .keys_sorted = false)                         \
    X(UTF8_VIEW, UTF8_VIEW, 'v', 'u', 0, 0, map, .keys_sorted = false)                             \
    X(LIST_VIEW, LIST_VIEW, '+', 'v', 'l', 0, map, .keys_sorted = false)                           \
    X(LARGE_LIST_VIEW, LARGE_LIST_VIEW, '+', 'v', 'L', 0, map, .keys_sorted = false)

enum {
#define FORMAT_ENUMERATOR(row, ...) FORMAT_##row,
    FORMAT_ROWS(FORMAT_ENUMERATOR)
#undef FORMAT_ENUMERATOR
        FORMAT_COUNT
};

extern const struct format fletch_formats[FORMAT_COUNT];

#endif
