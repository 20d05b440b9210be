/* SPDX-License-Identifier: Apache-2.0 */
/* A heap sort: no memory beside the entries, no recursion, no bad case. */
#include "entries.h"

#include <stdbool.h>
#include <string.h>

struct entry fletch_get_entry(const struct entries *entries, size_t i)
{
    struct entry entry;

    memcpy(&entry, entries->memory + i * sizeof entry, sizeof entry);
    return entry;
}

void fletch_set_entry(struct entries *entries, size_t i, struct entry entry)
{
    memcpy(entries->memory + i * sizeof entry, &entry, sizeof entry);
}

static bool is_before(struct entry a, struct entry b)
{
    return a.key != b.key ? a.key < b.key : a.ordinal < b.ordinal;
}

/* Lets the entry at `root` sink to its place in the heap of the first `count` entries. */
static void sink(struct entries *entries, size_t root, size_t count)
{
    const struct entry moved = fletch_get_entry(entries, root);

    while (root < count / 2) {
        size_t child = 2 * root + 1;

        if (child + 1 < count &&
            is_before(fletch_get_entry(entries, child), fletch_get_entry(entries, child + 1)))
            child++;
        if (!is_before(moved, fletch_get_entry(entries, child))) break;
        fletch_set_entry(entries, root, fletch_get_entry(entries, child));
        root = child;
    }
    fletch_set_entry(entries, root, moved);
}

void fletch_sort_entries(struct entries *entries)
{
    size_t i;

    for (i = entries->count / 2; i != 0; i--)
        sink(entries, i - 1, entries->count);
    for (i = entries->count; i > 1; i--) {
        const struct entry last = fletch_get_entry(entries, i - 1);

        fletch_set_entry(entries, i - 1, fletch_get_entry(entries, 0));
        fletch_set_entry(entries, 0, last);
        sink(entries, 0, i - 1);
    }
}
