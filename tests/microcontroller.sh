#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fletch on a microcontroller: tests/examples/microcontroller.c, on an emulated Cortex-M3 with 64 KB
# of memory, with nothing but a vector table, a stack and five functions of the C library; it says
# the same bytes as on this machine. From any folder: sh tests/microcontroller.sh
# Skipped where its tools (a compiler for Arm, newlib, QEMU) are missing and cannot be installed.
set -eu

CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/shell.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wcast-align
    -Wundef -Wstrict-prototypes -Wvla -Werror'

has_tools() {
    command -v arm-none-eabi-gcc >/dev/null && command -v qemu-system-arm >/dev/null &&
        [ -f "$(arm-none-eabi-gcc -print-file-name=libc.a)" ]
}

has_tools || install gcc libc6-dev gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm \
    >"$scratch/log" 2>&1 || true
if ! has_tools; then
    echo "skipped: the microcontroller, since its tools cannot be installed"
    exit 0
fi

# The machine: 256 KB of flash at 0 and 64 KB of memory, as a Stellaris LM3S6965 has. The program
# writes and exits by semihosting, which the emulator, as a debugger does, takes from `bkpt 0xAB`.
cat >"$scratch/machine.ld" <<'END'
MEMORY { FLASH (rx) : ORIGIN = 0, LENGTH = 256K  RAM (rw) : ORIGIN = 0x20000000, LENGTH = 64K }
SECTIONS {
    .text : { KEEP(*(.vectors)) *(.text*) *(.rodata*) } > FLASH
    .ARM.exidx : { *(.ARM.exidx*) } > FLASH
    .data : { *(.data*) } > RAM
    .bss : { *(.bss*) *(COMMON) } > RAM
    stack_top = ORIGIN(RAM) + LENGTH(RAM);
    ASSERT(SIZEOF(.data) == 0, "data would have to be copied at the start")
    ASSERT(SIZEOF(.bss) < 32K, "too little is left for the stack")
}
END
cat >"$scratch/machine.c" <<'END'
#include <stddef.h>
#include <stdint.h>

const char *announce(size_t *size);
void start(void);
extern char stack_top;

__attribute__((section(".vectors"), used)) static const struct {
    const void *stack;
    void (*start)(void);
} vectors = {&stack_top, start};

static uint32_t ask_host(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;

    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void start(void)
{
    size_t size, i;
    const char *text = announce(&size);

    if (text == NULL) ask_host(0x18, (const void *)0x20023); /* exit: an error */
    for (i = 0; i < size; i++)
        ask_host(0x03, text + i); /* write a character */
    ask_host(0x18, (const void *)0x20026); /* exit: done */
}
END
cat >"$scratch/host.c" <<'END'
#include <stdio.h>

const char *announce(size_t *size);

int main(void)
{
    size_t size;
    const char *text = announce(&size);

    return text != NULL && fwrite(text, 1, size, stdout) == size ? 0 : 1;
}
END

arm_objects() {
    for source in src/*.c tests/examples/microcontroller.c "$scratch/machine.c"; do
        arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c99 -Os -ffreestanding -ffunction-sections \
            -fdata-sections $warnings -Iinclude -c "$source" \
            -o "$scratch/$(basename "$source" .c).o"
    done
}

arm_objects
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -Wl,--gc-sections -T "$scratch/machine.ld" \
    "$scratch"/*.o -lc -lgcc -o "$scratch/firmware.elf"
! arm-none-eabi-nm "$scratch/firmware.elf" | grep -E ' _?(malloc|realloc|calloc|sbrk)' ||
    fail "the program has a heap"
timeout 60 qemu-system-arm -M lm3s6965evb -nographic -monitor none -serial none \
    -chardev stdio,id=said,mux=off -kernel "$scratch/firmware.elf" \
    -semihosting-config enable=on,target=native,chardev=said \
    >"$scratch/from microcontroller" 2>"$scratch/log" </dev/null || {
    cat "$scratch/log"
    fail "the program on the microcontroller"
}
cc -std=c99 -Iinclude "$scratch/host.c" tests/examples/microcontroller.c src/*.c -o "$scratch/host"
"$scratch/host" >"$scratch/from host"
cmp "$scratch/from microcontroller" "$scratch/from host" || fail "the bytes differ"
arm-none-eabi-size "$scratch/firmware.elf" | awk 'END { print "passed: no heap, " $1 " bytes of \
code and " $3 " of memory, the same bytes on a Cortex-M3 as here" }'
