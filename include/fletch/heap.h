/* SPDX-License-Identifier: Apache-2.0 */
/* An allocator over malloc, for those who want it: including this header is what links malloc. */
#ifndef FLETCH_HEAP_H
#define FLETCH_HEAP_H

#include "base.h"

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/** fletch_allocator.reallocate over realloc and free. */
static inline void *fletch_heap_reallocate(void *context, void *memory, size_t old_size,
                                           size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size != 0) return realloc(memory, new_size);
    free(memory);
    return NULL;
}

/** An allocator over malloc; it has no state. */
static inline fletch_allocator fletch_heap(void)
{
    fletch_allocator allocator;

    allocator.reallocate = fletch_heap_reallocate;
    allocator.context = NULL;
    return allocator;
}

#ifdef __cplusplus
}
#endif

#endif
