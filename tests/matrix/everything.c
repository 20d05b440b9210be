/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds a schema, wraps it as every kind, opens each, walks, prints, hashes and compares it, and
 * sends it through the C data interface and back; all without a C library beyond memcpy and kin.
 * What comes of it goes into one number, which any two machines must agree on. Clean as C and C++.
 */
#include "everything.h"

#include <fletch/fletch.h>
#include <string.h>

static uint8_t memory[2][8192], tree[8192], scratch[4096];
static uint64_t number;

static void take_in(const void *bytes, size_t size)
{
    const uint8_t *from = (const uint8_t *)bytes;
    for (size_t i = 0; i < size; i++)
        number = (number ^ from[i]) * 0x100000001B3u;
}

static bool take_text(void *context, const char *text, size_t size)
{
    (void)context;
    take_in(text, size);
    return true;
}

/* An allocator of one block, for the ArrowSchema. */
static void *lend_tree(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context, (void)block, (void)old_size;
    return new_size > 0 && new_size <= sizeof tree ? tree : NULL;
}

static void add_columns(fletch_builder *b)
{
    static const int32_t type_ids[] = {5, 9};
    const fletch_int_type index = {16, false};
    fletch_add_field(b, "id", fletch_int(64, true), 0);
    fletch_add_field(b, "price", fletch_decimal(38, -3, 128), FLETCH_NULLABLE);
    fletch_add_field(b, "at", fletch_timestamp(FLETCH_NANOSECOND, "Europe/Berlin"), 0);
    fletch_begin_field(b, "tags", fletch_map(true), FLETCH_NULLABLE);
    fletch_begin_field(b, "entries", fletch_struct(), 0);
    fletch_add_field(b, "key", fletch_utf8(), 0);
    fletch_add_field(b, "value", fletch_fixed_size_binary(7), FLETCH_NULLABLE);
    fletch_end_field(b);
    fletch_end_field(b);
    fletch_begin_field(b, "either", fletch_union(FLETCH_DENSE, type_ids, 2), 0);
    fletch_add_field(b, "old", fletch_date(FLETCH_DAY), 0);
    fletch_add_field(b, "new", fletch_interval(FLETCH_MONTH_DAY_NANO), 0);
    fletch_end_field(b);
    fletch_begin_field(b, "city", fletch_large_utf8(), FLETCH_NULLABLE);
    fletch_set_dictionary(b, 0, index, true);
    fletch_add_metadata(b, "unit", "name");
    fletch_end_field(b);
    fletch_add_metadata(b, "origin", "sensor 7");
}

static bool read_all(const fletch_schema *schema)
{
    fletch_walk walk;
    fletch_field field;
    uint64_t hash;
    fletch_walk_begin(&walk, schema, NULL);
    while (fletch_walk_next(&walk, &field))
        take_in(field.name.data, field.name.size);
    if (walk.status != FLETCH_OK) return false;
    if (fletch_print_tree(schema, NULL, take_text, NULL, NULL) != FLETCH_OK) return false;
    if (fletch_print_json(schema, NULL, take_text, NULL, NULL) != FLETCH_OK) return false;
    if (fletch_hash(schema, NULL, &hash, NULL) != FLETCH_OK) return false;
    number = (number ^ hash) * 0x100000001B3u;
    return fletch_compare(schema, schema, NULL, NULL) == FLETCH_OK;
}

/* Through the C data interface; the schema that comes back is the same. */
static bool exchange(const fletch_schema *schema)
{
    static fletch_builder b;
    const fletch_allocator allocator = {lend_tree, NULL};
    struct ArrowSchema exported;
    fletch_schema again;
    const void *bytes;
    size_t size;
    if (fletch_export_schema(schema, &allocator, NULL, &exported, NULL) != FLETCH_OK) return false;
    fletch_builder_init(&b, memory[1], sizeof memory[1]);
    fletch_import_schema(&b, &exported, NULL);
    exported.release(&exported);
    if (fletch_finish(&b, FLETCH_STREAM, &bytes, &size, NULL) != FLETCH_OK) return false;
    if (fletch_open(bytes, size, &again, NULL) != FLETCH_OK) return false;
    return fletch_compare(schema, &again, NULL, NULL) == FLETCH_OK;
}

static bool read_kind(fletch_builder *b, fletch_kind kind)
{
    fletch_options options;
    fletch_schema schema;
    const void *bytes;
    size_t size;
    if (fletch_wrap(b, kind, &bytes, &size, NULL) != FLETCH_OK) return false;
    take_in(bytes, size);
    memset(&options, 0, sizeof options);
    options.kind = kind;
    options.level = FLETCH_LEVEL_STRICT;
    options.scratch = scratch;
    options.scratch_size = sizeof scratch;
    if (fletch_open_with(bytes, size, &options, &schema, NULL) != FLETCH_OK) return false;
    return read_all(&schema) && exchange(&schema);
}

uint64_t fingerprint(void)
{
    static const fletch_kind kinds[] = {FLETCH_SCHEMA,       FLETCH_MESSAGE, FLETCH_FOOTER,
                                        FLETCH_ENCAPSULATED, FLETCH_STREAM,  FLETCH_FILE,
                                        FLETCH_BASE64};
    static fletch_builder b;
    const void *bytes;
    size_t size;
    number = 0xCBF29CE484222325u;
    fletch_builder_init(&b, memory[0], sizeof memory[0]);
    add_columns(&b);
    if (fletch_finish(&b, FLETCH_SCHEMA, &bytes, &size, NULL) != FLETCH_OK) return 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!read_kind(&b, kinds[i])) return 0;
    return number;
}
