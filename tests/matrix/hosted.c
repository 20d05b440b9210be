/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the fingerprint of everything.c, where there is a C library. Clean as C and C++. */
#include "everything.h"

#include <stdio.h>

int main(void)
{
    const uint64_t number = fingerprint();
    printf("%08lX%08lX\n", (unsigned long)(number >> 32), (unsigned long)(number & 0xFFFFFFFFu));
    return number == 0;
}
