/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the benchmark asks of a contestant, and the contestant that this library is (ours.c). The
 * driver knows nothing else of either side. An operation that a side does not have is NULL; its
 * column then shows a dash.
 *
 * The checksum that a reader gives is defined in checksum.h.
 */
#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include <stddef.h>
#include <stdint.h>

#include "mix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes a raw root Schema. Gives 0 when the bytes are refused, else what its operation says. */
typedef uint64_t bench_reader(const void *bytes, size_t size);

struct bench_side {
    const char *name;

    bench_reader *verify_structure; /* the rules of FlatBuffers: 1 */
    bench_reader *verify_arrow;     /* those and Arrow's own: 1 */
    bench_reader *read;             /* every member once, bytes not verified before: the checksum */
    bench_reader *verify_and_read;  /* verified at structure level, then read: the checksum */

    /* Encodes into memory that the side keeps from call to call, so that a second call with the
     * same schema allocates nothing. The bytes hold until the next call; NULL on failure. */
    const void *(*encode_reused)(const struct mix_schema *schema, size_t *size);

    /* Begins with nothing, encodes into the heap, frees it all again: the size, 0 on failure. */
    size_t (*encode_fresh)(const struct mix_schema *schema);

    bench_reader *export_tree; /* to struct ArrowSchema, released again: how many of them */

    /* From struct ArrowSchema to bytes: their size. `import_prepare` gets the schema first and
     * keeps it as ArrowSchema, untimed: 1; `import_tree` does not look at its arguments. */
    bench_reader *import_prepare;
    bench_reader *import_tree;

    /* Finds the column of the name given before, in bytes not verified before: its type's id. */
    void (*find_prepare)(struct mix_text name);
    bench_reader *find;

    void (*release)(void); /* frees all that is kept between calls */
};

extern const struct bench_side ours;

#ifdef __cplusplus
}
#endif

#endif
