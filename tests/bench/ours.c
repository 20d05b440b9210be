/* SPDX-License-Identifier: Apache-2.0 */
/* Our half of the benchmark: fletch. */
#include "ours.h"

#include "checksum.h"

#include <fletch/fletch.h>
#include <fletch/heap.h>

#include <stdlib.h>

static uint64_t verify_at(const void *bytes, size_t size, fletch_level level)
{
    fletch_options options = {FLETCH_SCHEMA, FLETCH_LEVEL_DEFAULT, {0, 0, 0}, NULL, 0, false};

    options.level = level;
    return fletch_verify(bytes, size, &options, NULL) == FLETCH_OK ? 1 : 0;
}

static uint64_t verify_structure(const void *bytes, size_t size)
{
    return verify_at(bytes, size, FLETCH_LEVEL_STRUCTURE);
}

static uint64_t verify_arrow(const void *bytes, size_t size)
{
    return verify_at(bytes, size, FLETCH_LEVEL_ARROW);
}

/* Reading */

static uint64_t text(fletch_string string)
{
    return checksum_text(string.data, string.size);
}

static uint64_t sum_of(const fletch_integers *integers)
{
    uint64_t sum = 0;
    uint32_t i;

    for (i = 0; i < integers->count; i++)
        sum += (uint64_t)fletch_integer_at(integers, i);
    return sum;
}

static uint64_t wide(int32_t value)
{
    return (uint64_t)(int64_t)value;
}

static uint64_t parameters(const fletch_type *type)
{
    switch (type->id) {
    case FLETCH_TYPE_INT:
        return checksum_parameters(wide(type->as.integer.bit_width), type->as.integer.is_signed, 0);
    case FLETCH_TYPE_FLOATING_POINT: return wide(type->as.floating_point.precision);
    case FLETCH_TYPE_DECIMAL:
        return checksum_parameters(wide(type->as.decimal.precision), wide(type->as.decimal.scale),
                                   wide(type->as.decimal.bit_width));
    case FLETCH_TYPE_DATE: return wide(type->as.date.unit);
    case FLETCH_TYPE_TIME:
        return checksum_parameters(wide(type->as.time.unit), wide(type->as.time.bit_width), 0);
    case FLETCH_TYPE_TIMESTAMP:
        return checksum_parameters(wide(type->as.timestamp.unit), text(type->as.timestamp.timezone),
                                   0);
    case FLETCH_TYPE_INTERVAL: return wide(type->as.interval.unit);
    case FLETCH_TYPE_UNION:
        return checksum_parameters(wide(type->as.union_.mode),
                                   type->as.union_.type_ids.count +
                                       sum_of(&type->as.union_.type_ids),
                                   0);
    case FLETCH_TYPE_FIXED_SIZE_BINARY: return wide(type->as.fixed_size_binary.byte_width);
    case FLETCH_TYPE_FIXED_SIZE_LIST: return wide(type->as.fixed_size_list.list_size);
    case FLETCH_TYPE_MAP: return type->as.map.keys_sorted;
    case FLETCH_TYPE_DURATION: return wide(type->as.duration.unit);
    default: return 0;
    }
}

static uint64_t dictionary(const fletch_field *field)
{
    const fletch_dictionary *encoding = &field->dictionary;

    if (!field->has_dictionary) return 0;
    return checksum_dictionary(encoding->id, wide(encoding->index_type.bit_width),
                               encoding->index_type.is_signed, encoding->is_ordered,
                               wide(encoding->kind));
}

static uint64_t add_pairs(uint64_t sum, fletch_walk *walk, fletch_metadata pairs)
{
    fletch_key_value pair;

    while (fletch_walk_metadata(walk, &pairs, &pair))
        sum = checksum_pair(sum, text(pair.key), text(pair.value));
    return sum;
}

static uint64_t add_field(uint64_t sum, fletch_walk *walk, const fletch_field *field)
{
    struct checksum_field line;

    line.name = text(field->name);
    line.nullable = field->nullable;
    line.type = wide(field->type.id);
    line.parameters = parameters(&field->type);
    line.dictionary = dictionary(field);
    line.children = fletch_count_fields(&field->children);
    line.metadata = fletch_count_metadata(&field->metadata);
    sum = checksum_add_field(sum, &line);
    return line.metadata != 0 ? add_pairs(sum, walk, field->metadata) : sum;
}

static uint64_t read_schema(const fletch_schema *schema)
{
    fletch_walk walk;
    fletch_field field;
    uint64_t sum = checksum_schema(wide(schema->endianness), fletch_count_fields(&schema->fields),
                                   fletch_count_metadata(&schema->metadata), schema->features.count,
                                   sum_of(&schema->features));

    fletch_walk_begin(&walk, schema, NULL);
    sum = add_pairs(sum, &walk, schema->metadata);
    while (fletch_walk_next(&walk, &field))
        sum = add_field(sum, &walk, &field);
    return walk.status == FLETCH_OK ? sum : 0;
}

/*
 * Everything once, in one pass over bytes that nobody verified: the walk decodes every table by the
 * rules that verification at level structure has, so this is also how to verify and read.
 */
static uint64_t read_all(const void *bytes, size_t size)
{
    fletch_options options = {FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED, {0, 0, 0}, NULL, 0, false};
    fletch_schema schema;

    if (fletch_open_with(bytes, size, &options, &schema, NULL) != FLETCH_OK) return 0;
    return read_schema(&schema);
}

/* Building */

/* Sets the members that the type has; the others are not looked at. */
static void set_type(fletch_type *type, const struct mix_field *field)
{
    type->id = field->type;
    switch (field->type) {
    case MIX_INT:
        type->as.integer.bit_width = field->width;
        type->as.integer.is_signed = field->flag;
        break;
    case MIX_FLOATING_POINT: type->as.floating_point.precision = field->unit; break;
    case MIX_DECIMAL:
        type->as.decimal.precision = field->precision;
        type->as.decimal.scale = field->scale;
        type->as.decimal.bit_width = field->width;
        break;
    case MIX_DATE: type->as.date.unit = field->unit; break;
    case MIX_TIME:
        type->as.time.unit = field->unit;
        type->as.time.bit_width = field->width;
        break;
    case MIX_TIMESTAMP:
        type->as.timestamp.unit = field->unit;
        type->as.timestamp.timezone.data = field->timezone.data;
        type->as.timestamp.timezone.size = field->timezone.size;
        break;
    case MIX_INTERVAL: type->as.interval.unit = field->unit; break;
    case MIX_UNION: *type = fletch_union(field->unit, field->type_ids, field->child_count); break;
    case MIX_FIXED_SIZE_BINARY: type->as.fixed_size_binary.byte_width = field->width; break;
    case MIX_FIXED_SIZE_LIST: type->as.fixed_size_list.list_size = field->width; break;
    case MIX_MAP: type->as.map.keys_sorted = field->flag; break;
    case MIX_DURATION: type->as.duration.unit = field->unit; break;
    default: break;
    }
}

static void build_pairs(fletch_builder *builder, const struct mix_pair *pairs, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++) {
        const fletch_string key = {pairs[i].key.data, pairs[i].key.size};
        const fletch_string value = {pairs[i].value.data, pairs[i].value.size};

        fletch_add_metadata_string(builder, key, value);
    }
}

static void build_fields(fletch_builder *builder, const struct mix_field *fields, uint32_t count);

static void build_field(fletch_builder *builder, const struct mix_field *field)
{
    const unsigned flags = field->nullable ? FLETCH_NULLABLE : 0;
    const fletch_string name = {field->name.data, field->name.size};
    fletch_type type;

    set_type(&type, field);
    if (field->child_count == 0 && field->metadata_count == 0 && field->dictionary == NULL &&
        field->type != MIX_STRUCT) {
        fletch_add_field_of(builder, name, &type, flags);
        return;
    }
    fletch_begin_field_of(builder, name, &type, flags);
    if (field->dictionary != NULL) {
        fletch_int_type index_type;

        index_type.bit_width = field->dictionary->index_width;
        index_type.is_signed = field->dictionary->index_signed;
        fletch_set_dictionary(builder, field->dictionary->id, index_type,
                              field->dictionary->ordered);
    }
    build_fields(builder, field->children, field->child_count);
    build_pairs(builder, field->metadata, field->metadata_count);
    fletch_end_field(builder);
}

static void build_fields(fletch_builder *builder, const struct mix_field *fields, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        build_field(builder, &fields[i]);
}

static const void *build(fletch_builder *builder, const struct mix_schema *schema, size_t *size)
{
    const void *bytes;

    build_fields(builder, schema->fields, schema->field_count);
    build_pairs(builder, schema->metadata, schema->metadata_count);
    return fletch_finish(builder, FLETCH_SCHEMA, &bytes, size, NULL) == FLETCH_OK ? bytes : NULL;
}

static struct {
    void *memory;
    size_t size;
} lent;

static const void *encode_reused(const struct mix_schema *schema, size_t *size)
{
    static fletch_builder builder;
    fletch_error error;
    const void *bytes;

    fletch_builder_init(&builder, lent.memory, lent.size);
    bytes = build(&builder, schema, size);
    if (bytes != NULL) return bytes;
    if (fletch_finish(&builder, FLETCH_SCHEMA, &bytes, size, &error) != FLETCH_NO_SPACE) {
        fletch_wrap(&builder, FLETCH_SCHEMA, &bytes, size, &error);
        if (error.status != FLETCH_NO_SPACE) return NULL;
    }
    free(lent.memory);
    lent.size = (size_t)error.wanted;
    lent.memory = malloc(lent.size);
    fletch_builder_init(&builder, lent.memory, lent.size);
    return build(&builder, schema, size);
}

static size_t encode_fresh(const struct mix_schema *schema)
{
    const fletch_allocator heap = fletch_heap();
    fletch_builder builder;
    size_t size;

    fletch_builder_init_growing(&builder, &heap);
    if (build(&builder, schema, &size) == NULL) size = 0;
    fletch_builder_release(&builder);
    return size;
}

/* ArrowSchema */

/* The export checks all that level arrow asks for, so opening need not. */
static bool open_and_export(const void *bytes, size_t size, struct ArrowSchema *out)
{
    const fletch_options options = {FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED, {0, 0, 0}, NULL, 0,
                                    false};
    const fletch_allocator heap = fletch_heap();
    fletch_schema schema;

    return fletch_open_with(bytes, size, &options, &schema, NULL) == FLETCH_OK &&
           fletch_export_schema(&schema, &heap, NULL, out, NULL) == FLETCH_OK;
}

static uint64_t export_tree(const void *bytes, size_t size)
{
    struct ArrowSchema tree;
    uint64_t columns;

    if (!open_and_export(bytes, size, &tree)) return 0;
    columns = (uint64_t)tree.n_children + 1;
    tree.release(&tree);
    return columns;
}

static struct ArrowSchema imported;

static uint64_t import_prepare(const void *bytes, size_t size)
{
    if (imported.release != NULL) imported.release(&imported);
    return open_and_export(bytes, size, &imported) ? 1 : 0;
}

static bool import_once(fletch_builder *builder, size_t *size, fletch_error *error)
{
    const void *bytes;

    fletch_builder_init(builder, lent.memory, lent.size);
    fletch_import_schema(builder, &imported, NULL);
    return fletch_finish(builder, FLETCH_SCHEMA, &bytes, size, error) == FLETCH_OK;
}

static uint64_t import_tree(const void *bytes, size_t unused)
{
    static fletch_builder builder;
    fletch_error error;
    size_t size;

    (void)bytes;
    (void)unused;
    if (import_once(&builder, &size, &error)) return size;
    if (error.status != FLETCH_NO_SPACE) return 0;
    free(lent.memory);
    lent.size = (size_t)error.wanted;
    lent.memory = malloc(lent.size);
    return import_once(&builder, &size, &error) ? size : 0;
}

/* Finding: only the names before it are looked at, which each step checks. */

static fletch_string wanted;

static void find_prepare(struct mix_text name)
{
    wanted.data = name.data;
    wanted.size = name.size;
}

static uint64_t find(const void *bytes, size_t size)
{
    const fletch_options options = {FLETCH_SCHEMA, FLETCH_LEVEL_UNCHECKED, {0, 0, 0}, NULL, 0,
                                    false};
    fletch_schema schema;
    fletch_field field;

    if (fletch_open_with(bytes, size, &options, &schema, NULL) != FLETCH_OK ||
        fletch_find_field(&schema.fields, wanted, &field) != FLETCH_OK)
        return 0;
    return (uint64_t)field.type.id;
}

static void release(void)
{
    if (imported.release != NULL) imported.release(&imported);
    free(lent.memory);
    lent.memory = NULL;
    lent.size = 0;
}

const struct bench_side ours = {"fletch",       verify_structure, verify_arrow, read_all,
                                read_all,       encode_reused,    encode_fresh, export_tree,
                                import_prepare, import_tree,      find_prepare, find,
                                release};
