/* SPDX-License-Identifier: Apache-2.0 */
/* Our half of the benchmark: fletch. */
#include "ours.h"

#include "checksum.h"

#include <fletch/fletch.h>

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

static uint64_t open_and_read(const void *bytes, size_t size, fletch_level level)
{
    fletch_options options = {FLETCH_SCHEMA, FLETCH_LEVEL_DEFAULT, {0, 0, 0}, NULL, 0, false};
    fletch_schema schema;

    options.level = level;
    if (fletch_open_with(bytes, size, &options, &schema, NULL) != FLETCH_OK) return 0;
    return read_schema(&schema);
}

static uint64_t read_unverified(const void *bytes, size_t size)
{
    return open_and_read(bytes, size, FLETCH_LEVEL_UNCHECKED);
}

static uint64_t verify_and_read(const void *bytes, size_t size)
{
    return open_and_read(bytes, size, FLETCH_LEVEL_STRUCTURE);
}

const struct bench_side ours = {"fletch",
                                verify_structure,
                                verify_arrow,
                                read_unverified,
                                verify_and_read,
                                NULL,
                                NULL,
                                NULL,
                                NULL,
                                NULL,
                                NULL};
