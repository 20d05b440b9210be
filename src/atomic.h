/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A count that several threads may lower: the one thing that C99 lacks. Where the compiler has no
 * lock-free builtins for it, it is a plain count, for one thread.
 */
#ifndef FLETCH_SRC_ATOMIC_H
#define FLETCH_SRC_ATOMIC_H

#include <stdint.h>

/* Takes `by` from the count and gives what is left. Whoever gets 0 sees all that the others did. */
static inline uint32_t count_down(uint32_t *count, uint32_t by)
{
#if defined(__GCC_ATOMIC_INT_LOCK_FREE) && defined(__ATOMIC_ACQ_REL)
#if __GCC_ATOMIC_INT_LOCK_FREE == 2
    return __atomic_sub_fetch(count, by, __ATOMIC_ACQ_REL);
#endif
#endif
    return *count -= by;
}

#endif
