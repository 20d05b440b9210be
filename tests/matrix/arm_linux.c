/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the fingerprint of everything.c by Linux's own calls, so that what was made for a
 * Cortex-M0, whose instructions any newer ARM has, can be run by an emulator of processes.
 */
#include "everything.h"

#include <stddef.h>

enum { SYSTEM_EXIT = 1, SYSTEM_WRITE = 4 };

static int call_system(int number, int first, const char *second, size_t third)
{
    register int r7 __asm__("r7") = number;
    register int r0 __asm__("r0") = first;
    register const char *r1 __asm__("r1") = second;
    register size_t r2 __asm__("r2") = third;
    __asm__ volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
    return r0;
}

void _start(void);

void _start(void)
{
    uint64_t number = fingerprint();
    const int code = number == 0;
    char text[17];
    for (size_t i = 0; i < 16; i++, number <<= 4)
        text[i] = "0123456789ABCDEF"[number >> 60];
    text[16] = '\n';
    call_system(SYSTEM_WRITE, 1, text, sizeof text);
    call_system(SYSTEM_EXIT, code, NULL, 0);
    for (;;) {
    }
}
