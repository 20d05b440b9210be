/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects of a flatbuffer, each once, in the order of their bytes.
 */
#ifndef OBJECTS_H
#define OBJECTS_H

#include "outline.h"

#include "fletch/explain.h"

struct object {
    fletch_object is;
    uint32_t ways;  /* that lead to it; for vtables, tables that have it */
    bool is_mixed;  /* some by another table or member than what is noted */
    bool is_wanted; /* by --match and --depth */
};

struct objects {
    const unsigned char *bytes; /* of the flatbuffer */
    uint32_t size;
    struct object *all; /* sorted by place, containers first */
    size_t count, space;
    uint32_t *places; /* hash table of numbers in `all`, from 1 on; 0: free */
    size_t place_count;
    bool is_short_of_memory;
};

/*
 * Collects what can be reached in `size` bytes with this root, up to the first damage. `outline` is
 * of the same flatbuffer, or empty. What was collected has to be freed.
 */
void collect_objects(struct objects *objects, const unsigned char *bytes, size_t size,
                     fletch_kind root, const struct arguments *arguments,
                     const struct outline *outline);

/* Appends the path of the table at `at`, elided to `most` columns: fields[3].type */
void write_path(struct line *line, const struct objects *objects, uint32_t at, size_t most);

/* The name of the Field at `at`; false: it has none. */
bool name_of_field(const struct objects *objects, uint32_t at, fletch_string *name);

/* A little-endian number of up to 8 bytes, signed where it can be negative. */
int64_t number_at(const struct objects *objects, uint32_t at, uint32_t size, bool is_signed);

void free_objects(struct objects *objects);

#endif
