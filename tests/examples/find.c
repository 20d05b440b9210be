/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file's schema, without reading the file: fletch_find looks at what is at hand of its two ends,
 * and says how much more it wants, or where the schema stands. A Parquet or Arrow file of any size
 * costs a few kilobytes. All memory here is one block of the caller's.
 */
#include <fletch/fletch.h>
#include <stdio.h>

/* The `size` bytes of the file at `offset`. */
static bool bring(FILE *file, uint64_t offset, uint64_t size, void *to)
{
    return fseek(file, (long)offset, SEEK_SET) == 0 && fread(to, 1, (size_t)size, file) == size;
}

/* Opens the schema of `file`, which has `file_size` bytes. It lives as long as `memory` does. Where
 * the file cannot be read or `memory` is too small for its ends, there is a status and no error. */
fletch_status open_file(FILE *file, uint64_t file_size, unsigned char *memory, size_t memory_size,
                        fletch_schema *schema, fletch_error *error)
{
    fletch_input input = {memory, 0, memory, 0, file_size};
    fletch_options options = {FLETCH_SNIFF, FLETCH_LEVEL_DEFAULT, {0, 0, 0}, NULL, 0, false};
    uint64_t head = file_size < 64 ? file_size : 64, tail = 0;
    fletch_found found;
    fletch_status status;

    /* Bring what is wanted of both ends, as long as that is more than before. */
    do {
        input.head_size = (size_t)head;
        input.tail_size = (size_t)tail;
        input.tail = memory + head;
        if (head > memory_size || tail > memory_size - head) return FLETCH_NO_SPACE;
        if (!bring(file, 0, head, memory)) return FLETCH_TRUNCATED;
        if (!bring(file, file_size - tail, tail, memory + head)) return FLETCH_TRUNCATED;
        status = fletch_find(&input, FLETCH_SNIFF, false, &found, error);
        if (found.head_wanted > head) head = found.head_wanted;
        if (found.tail_wanted > tail) tail = found.tail_wanted;
        if (head > file_size || tail > file_size) return status;
    } while (status == FLETCH_TRUNCATED && (head > input.head_size || tail > input.tail_size));
    if (status != FLETCH_OK) return status;

    /* Bring just the schema, and open it as what it is. The rest is to decode base64 into. */
    if (found.size > memory_size) return FLETCH_NO_SPACE;
    if (!bring(file, found.offset, found.size, memory)) return FLETCH_TRUNCATED;
    options.kind = found.range_kind;
    options.scratch = memory + found.size;
    options.scratch_size = memory_size - (size_t)found.size;
    return fletch_open_with(memory, (size_t)found.size, &options, schema, error);
}
