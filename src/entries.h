/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of 16 bytes in lent memory of any alignment, sorted in place. */
#ifndef FLETCH_SRC_ENTRIES_H
#define FLETCH_SRC_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

struct entry {
    uint64_t key;
    uint32_t at;      /* a table */
    uint32_t ordinal; /* its place among those that were listed */
};

struct entries {
    uint8_t *memory; /* unaligned: entries are copied in and out */
    size_t count;
};

struct entry fletch_get_entry(const struct entries *entries, size_t i);
void fletch_set_entry(struct entries *entries, size_t i, struct entry entry);

/* Sorts by key, entries of one key by ordinal; in n log n steps, whatever they are. */
void fletch_sort_entries(struct entries *entries);

#endif
