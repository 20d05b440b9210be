/* SPDX-License-Identifier: Apache-2.0 */
/* The linker turns each call of malloc into one of __wrap_malloc, and __real_malloc into malloc. */
#include "allocations.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace
{

uint64_t count = 0;

}

extern "C" {

void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *block, size_t size);

void *__wrap_malloc(size_t size)
{
    count++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t number, size_t size)
{
    count++;
    return __real_calloc(number, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    count++;
    return __real_realloc(block, size);
}

uint64_t allocations_made(void)
{
    return count;
}
}

void *operator new(size_t size)
{
    void *block = std::malloc(size);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

void operator delete(void *block) noexcept
{
    std::free(block);
}

void operator delete(void *block, size_t) noexcept
{
    std::free(block);
}
