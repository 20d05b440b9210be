/* SPDX-License-Identifier: Apache-2.0 */
/* What stands behind each freestanding line of the matrix: see everything.c. */
#ifndef FLETCH_TESTS_MATRIX_EVERYTHING_H
#define FLETCH_TESTS_MATRIX_EVERYTHING_H

#include <stdint.h>

/* A number of all that was built and read: the same on every machine; 0 if a call failed. */
uint64_t fingerprint(void);

#endif
