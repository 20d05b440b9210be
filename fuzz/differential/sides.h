/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What differential.cc asks of the two sides, about one flatbuffer whose root is given: ours.c is
 * fletch, google.cc is the C++ that flatc generates. Both count tables and depth against the limits
 * that they are given.
 */
#ifndef FUZZ_DIFFERENTIAL_SIDES_H
#define FUZZ_DIFFERENTIAL_SIDES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum root { ROOT_SCHEMA, ROOT_MESSAGE, ROOT_FOOTER, ROOT_COUNT };

struct input {
    const uint8_t *bytes; /* a block of its exact size, aligned as malloc aligns */
    size_t size;
    enum root root;
    uint32_t depth;  /* nested fields that are allowed */
    uint32_t tables; /* tables that may be visited */
};

/* Whether a verifier takes the bytes, and what its reader finds in them then. */
struct verdict {
    bool is_taken;
    const char *word;     /* of the status: "ok" */
    const char *reason;   /* the fault's name in src/fault.h: "NONE" */
    const char *sentence; /* what went wrong, in words */
    bool is_element;      /* it is at an element of a vector */
};

/* Level structure. The texts hold until the next call. */
struct verdict ours_verify(const struct input *input);

/* The checksum of tests/bench/checksum.h for the schema in bytes that ours_verify took. */
uint64_t ours_read(const struct input *input);

/* `check_alignment` is an option of Google's verifier. */
bool google_verify(const struct input *input, bool check_alignment);

/* The same checksum, of bytes that google_verify took. */
uint64_t google_read(const struct input *input);

#ifdef __cplusplus
}
#endif

#endif
