/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts what is asked of the heap. Linked with malloc, calloc and realloc wrapped (run.sh), so it
 * sees every call from the objects of this program; C++'s operator new is led through malloc.
 */
#ifndef BENCH_ALLOCATIONS_H
#define BENCH_ALLOCATIONS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls since the program began. */
uint64_t allocations_made(void);

#ifdef __cplusplus
}
#endif

#endif
