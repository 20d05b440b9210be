/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builders for tests. The counting allocator never grows in place: whoever kept a pointer into the
 * old block is caught by the tools that watch memory.
 */
#include "building.h"

#include <stdlib.h>
#include <string.h>

const fletch_kind written_kinds[WRITTEN_KINDS] = {FLETCH_SCHEMA, FLETCH_MESSAGE,
                                                  FLETCH_FOOTER, FLETCH_ENCAPSULATED,
                                                  FLETCH_STREAM, FLETCH_FILE,
                                                  FLETCH_BASE64};

fletch_builder *new_builder_in(maker *m, size_t size)
{
    void *place = pad(m, (block){NULL, 0}, sizeof(fletch_builder)).bytes;
    fletch_builder *b = place;
    fletch_builder_init(b, pad(m, (block){NULL, 0}, size).bytes, size);
    return b;
}

fletch_builder *new_builder(maker *m)
{
    return new_builder_in(m, 1 << 16);
}

static block taken(maker *m, fletch_status status, const void *bytes, size_t size,
                   const fletch_error *error)
{
    if (status != FLETCH_OK)
        fail_msg("not built: %s, %s: %s", fletch_status_word(status), error->path, error->sentence);
    assert_int_equal(error->status, FLETCH_OK);
    assert_non_null(bytes);
    assert_int_not_equal(size, 0);
    return copy_of(m, bytes, size);
}

block built(maker *m, fletch_builder *b, fletch_kind kind)
{
    const void *bytes;
    size_t size;
    fletch_error error;
    fletch_status status = fletch_finish(b, kind, &bytes, &size, &error);
    return taken(m, status, bytes, size, &error);
}

block rebuilt(maker *m, fletch_builder *b, fletch_kind kind)
{
    const void *bytes;
    size_t size;
    fletch_error error;
    fletch_status status = fletch_wrap(b, kind, &bytes, &size, &error);
    return taken(m, status, bytes, size, &error);
}

fletch_schema built_schema(maker *m, fletch_builder *b)
{
    return open_as(built(m, b, FLETCH_SCHEMA), FLETCH_SCHEMA, FLETCH_LEVEL_STRICT);
}

fletch_error not_built(fletch_builder *b, fletch_status status)
{
    const void *bytes = "";
    size_t size = 1;
    fletch_error error;
    memset(&error, 0xA5, sizeof error);
    fletch_status got = fletch_finish(b, FLETCH_STREAM, &bytes, &size, &error);
    if (got != status)
        fail_msg("finishing gives %s instead of %s", fletch_status_word(got),
                 fletch_status_word(status));
    assert_int_equal(error.status, status);
    assert_null(bytes);
    assert_int_equal(size, 0);
    assert_non_null(memchr(error.path, 0, sizeof error.path));
    assert_non_null(memchr(error.sentence, 0, sizeof error.sentence));
    assert_int_not_equal(error.sentence[0], 0);
    return error;
}

void not_built_at(fletch_builder *b, fletch_status status, const char *path)
{
    fletch_error error = not_built(b, status);
    assert_string_equal(error.path, path);
}

void same_bytes(block a, block b)
{
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
}

block json_of(maker *m, const fletch_schema *schema)
{
    paper p = {0};
    fletch_error error;
    if (fletch_print_json(schema, NULL, write_on, &p, &error) != FLETCH_OK)
        fail_msg("no JSON: %s: %s", error.path, error.sentence);
    block b = copy_of(m, p.text, p.size);
    tear_up(&p);
    return b;
}

/* The allocator */

static bool is_refused(ledger *l)
{
    l->wanting++;
    return l->fail_from && l->wanting >= l->fail_from && l->wanting <= l->fail_to;
}

/* Each block begins with its size, in 16 bytes. */
static void *reallocate(void *context, void *old, size_t old_size, size_t new_size)
{
    ledger *l = context;
    unsigned char *from = old, *to = NULL;
    size_t known = 0;
    l->calls++;
    if (from) memcpy(&known, from - 16, sizeof known);
    if (known != old_size) l->is_misused = true;
    if (new_size) {
        if (is_refused(l)) return NULL;
        to = malloc(new_size + 16);
        if (!to) abort();
        memset(to, 0xCD, new_size + 16);
        memcpy(to, &new_size, sizeof new_size);
        to += 16;
        if (from) memcpy(to, from, old_size < new_size ? old_size : new_size);
        l->blocks++;
        l->bytes += new_size;
    }
    if (!from) return to;
    l->blocks--;
    l->bytes -= known;
    memset(from - 16, 0xDD, known + 16);
    free(from - 16);
    return to;
}

fletch_allocator ledger_allocator(ledger *l)
{
    return (fletch_allocator){reallocate, l};
}
