/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The application that size.sh weighs: it builds bare schemas, verifies them at level structure and
 * reads all of them. Run, it does so with good input and with broken, so that size.sh can tell what
 * of the library it enters; with an argument, it asks for no words about what is wrong.
 */
#include <fletch/fletch.h>

#include <string.h>

static unsigned char block[16384], copy[8192];

/* Always the same block, once the one who asks is done with it; none where it is too small. */
static void *reallocate(void *context, void *memory, size_t old_size, size_t size)
{
    (void)context;
    (void)memory;
    (void)old_size;
    return size <= sizeof block ? block : NULL;
}

static void add_leaves(fletch_builder *builder)
{
    fletch_add_field(builder, "int32", fletch_int(32, true), FLETCH_NULLABLE);
    fletch_add_field(builder, "float64", fletch_floating_point(FLETCH_DOUBLE), FLETCH_NULLABLE);
    fletch_add_field(builder, "utf8", fletch_utf8(), 0);
    fletch_add_field(builder, "another", fletch_utf8(), 0);
    fletch_add_field(builder, "bool", fletch_bool(), FLETCH_NULLABLE);
    fletch_add_field(builder, "decimal", fletch_decimal(10, 2, 128), FLETCH_NULLABLE);
    fletch_add_field(builder, "date", fletch_date(FLETCH_DAY), FLETCH_NULLABLE);
    fletch_add_field(builder, "time", fletch_time(FLETCH_MICROSECOND), FLETCH_NULLABLE);
    fletch_add_field(builder, "stamp", fletch_timestamp(FLETCH_MICROSECOND, "Europe/Paris"), 0);
    fletch_add_field(builder, "duration", fletch_duration(FLETCH_SECOND), FLETCH_NULLABLE);
    fletch_add_field(builder, "interval", fletch_interval(FLETCH_MONTH_DAY_NANO), 0);
    fletch_add_field(builder, "bytes", fletch_fixed_size_binary(16), FLETCH_NULLABLE);
    fletch_add_field(builder, "a name that is longer than sixteen bytes", fletch_utf8(), 0);
}

static void add_nested(fletch_builder *builder)
{
    static const int32_t ids[] = {5, 7};

    fletch_begin_field(builder, "struct", fletch_struct(), FLETCH_NULLABLE);
    fletch_add_field(builder, "x", fletch_int(64, true), FLETCH_NULLABLE);
    fletch_add_field(builder, "y", fletch_int(64, true), FLETCH_NULLABLE);
    fletch_end_field(builder);
    fletch_begin_field(builder, "list", fletch_fixed_size_list(3), FLETCH_NULLABLE);
    fletch_add_field(builder, "item", fletch_utf8(), 0);
    fletch_end_field(builder);
    fletch_begin_field(builder, "map", fletch_map(false), FLETCH_NULLABLE);
    fletch_begin_field(builder, "entries", fletch_struct(), 0);
    fletch_add_field(builder, "key", fletch_utf8(), 0);
    fletch_add_field(builder, "value", fletch_int(64, false), FLETCH_NULLABLE);
    fletch_end_field(builder);
    fletch_end_field(builder);
    fletch_begin_field(builder, "union", fletch_union(FLETCH_DENSE, ids, 2), 0);
    fletch_add_field(builder, "a", fletch_bool(), FLETCH_NULLABLE);
    fletch_add_field(builder, "b", fletch_utf8(), FLETCH_NULLABLE);
    fletch_end_field(builder);
    fletch_begin_field(builder, "category", fletch_utf8(), FLETCH_NULLABLE);
    fletch_set_dictionary(builder, 1, fletch_int(8, true).as.integer, false);
    fletch_add_metadata(builder, "origin", "a sensor");
    fletch_add_metadata(builder, "origin, in more words", "a sensor on the roof, by the window");
    fletch_end_field(builder);
}

static fletch_status build(const void **bytes, size_t *size, fletch_error *error)
{
    const fletch_allocator allocator = {reallocate, NULL};
    static fletch_builder builder;

    fletch_builder_init_growing(&builder, &allocator);
    add_leaves(&builder);
    add_nested(&builder);
    fletch_add_metadata(&builder, "schema", "of all");
    return fletch_finish(&builder, FLETCH_SCHEMA, bytes, size, error);
}

static size_t read_pairs(fletch_walk *walk, fletch_metadata *pairs)
{
    fletch_key_value pair;
    size_t sum = 0;

    while (fletch_walk_metadata(walk, pairs, &pair))
        sum += pair.key.size + pair.value.size;
    return sum;
}

/* Verifies and reads; 0 where it is not good. */
static size_t read(const void *bytes, size_t size, fletch_error *error)
{
    static const fletch_options options = {
        FLETCH_SCHEMA, FLETCH_LEVEL_STRUCTURE, {0, 0, 0}, NULL, 0, false};
    static fletch_walk walk;
    fletch_schema schema;
    fletch_field field;
    size_t sum = 1;

    if (fletch_open_with(bytes, size, &options, &schema, error) != FLETCH_OK) return 0;
    fletch_walk_begin(&walk, &schema, NULL);
    sum += read_pairs(&walk, &schema.metadata);
    while (fletch_walk_next(&walk, &field))
        sum += field.name.size + (size_t)field.type.id + read_pairs(&walk, &field.metadata);
    return walk.status == FLETCH_OK ? sum : 0;
}

/* Every byte changed, in turn; then every end cut off. */
static void read_broken(size_t size, fletch_error *error)
{
    static const unsigned char changes[] = {0x01, 0x02, 0x04, 0x80, 0xFF};
    size_t i, j;

    for (i = 0; i < size; i++) {
        for (j = 0; j < sizeof changes; j++) {
            copy[i] ^= changes[j];
            (void)read(copy, size, error);
            copy[i] ^= changes[j];
        }
    }
    for (i = 0; i < size; i++)
        (void)read(copy, i, error);
}

/* What the builder refuses: a type, a child, memory that is too small, a call out of place. */
static int build_broken(fletch_error *error)
{
    static unsigned char memory[64];
    static fletch_builder builder;
    const void *bytes;
    size_t size;
    int refused = 0;

    fletch_builder_init(&builder, block, sizeof block);
    fletch_add_field(&builder, "odd", fletch_int(7, true), 0);
    refused += fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, error) != FLETCH_OK;
    fletch_builder_init(&builder, block, sizeof block);
    fletch_begin_field(&builder, "map", fletch_map(false), 0);
    fletch_add_field(&builder, "odd", fletch_utf8(), 0);
    refused += fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, error) != FLETCH_OK;
    fletch_builder_init(&builder, block, sizeof block);
    fletch_begin_field(&builder, "list", fletch_list(), 0);
    fletch_end_field(&builder);
    refused += fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, error) != FLETCH_OK;
    fletch_builder_init(&builder, block, sizeof block);
    fletch_add_field(&builder, "\xFF", fletch_utf8(), 0);
    refused += fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, error) != FLETCH_OK;
    fletch_builder_init(&builder, memory, sizeof memory);
    fletch_add_field(&builder, "utf8", fletch_utf8(), 0);
    refused += fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, error) != FLETCH_OK;
    fletch_builder_init(&builder, block, sizeof block);
    fletch_end_field(&builder);
    refused += fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, error) != FLETCH_OK;
    return refused;
}

int main(int argc, char **argv)
{
    static fletch_error told;
    fletch_error *error = argc > 1 ? NULL : &told;
    const void *bytes;
    size_t size;

    (void)argv;
    if (build(&bytes, &size, error) != FLETCH_OK || size > sizeof copy) return 1;
    memcpy(copy, bytes, size);
    if (read(copy, size, error) == 0) return 2;
    read_broken(size, error);
    return build_broken(error) == 6 ? 0 : 3;
}
