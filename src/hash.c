/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hash of a schema, as compare.h defines it.
 *
 * What a member at its default would add is left out, so a member that the format gains one day
 * changes no hash of a schema without it.
 */
#include "members.h"
#include "verify.h"

struct hasher {
    const fletch_schema *schema;
    const fletch_compare_options *options;
    fletch_walk walk;
    struct fault fault;
    uint64_t hash;
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
    uint64_t z = (hash ^ word) + UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static uint64_t mix_string(uint64_t hash, fletch_string string)
{
    const uint8_t *bytes = (const uint8_t *)string.data;
    size_t at, i;

    hash = mix(hash, string.size);
    for (at = 0; at < string.size; at += 8) {
        const size_t count = string.size - at < 8 ? string.size - at : 8;
        uint64_t word = 0;

        for (i = 0; i < count; i++)
            word |= (uint64_t)bytes[at + i] << (8 * i);
        hash = mix(hash, word);
    }
    return hash;
}

uint64_t fletch_hash_pair(const fletch_key_value *pair)
{
    return mix_string(mix_string(0, pair->key), pair->value);
}

static void add(struct hasher *hasher, uint64_t word)
{
    hasher->hash = mix(hasher->hash, word);
}

/* A slot's number, which leaves 0 for the end of a table. */
static void add_slot(struct hasher *hasher, uint32_t slot)
{
    add(hasher, (uint64_t)slot + 1);
}

static bool add_string(struct hasher *hasher, uint32_t slot, fletch_string string)
{
    if (string.size == 0) return true;
    if (!fletch_take_string(&hasher->walk, string, &hasher->fault)) return false;
    add_slot(hasher, slot);
    hasher->hash = mix_string(hasher->hash, string);
    return true;
}

/* Whether the numbers are 0, 1, 2... for each child. */
static bool are_default(const struct numbers *numbers, uint32_t child_count)
{
    uint32_t i;

    if (numbers->count != child_count) return false;
    for (i = 0; i < numbers->count && !numbers->is_implied; i++)
        if (fletch_number_at(numbers, i) != i) return false;
    return true;
}

static bool add_numbers(struct hasher *hasher, uint32_t slot, const struct numbers *numbers,
                        uint32_t child_count)
{
    uint32_t i;

    if (!fletch_take_numbers(&hasher->walk, numbers, &hasher->fault)) return false;
    if (are_default(numbers, child_count)) return true;
    add_slot(hasher, slot);
    add(hasher, numbers->count);
    for (i = 0; i < numbers->count; i++)
        add(hasher, (uint64_t)fletch_number_at(numbers, i));
    return true;
}

/* A table's scalars, strings and integer vectors. */
static bool add_members(struct hasher *hasher, const struct shape *shape, const void *members,
                        uint32_t child_count)
{
    const bool has_free_name = fletch_has_free_name(&hasher->walk);
    uint32_t slot;

    for (slot = 0; slot < shape->row_count; slot++) {
        const struct row *row = &shape->rows[slot];
        const void *member = (const char *)members + row->member;
        bool is_added = true;

        if (fletch_is_ignored(hasher->options, shape, slot, has_free_name)) continue;
        if (row->kind == ROW_STRING)
            is_added = add_string(hasher, slot, *(const fletch_string *)member);
        if (row->kind == ROW_INTEGERS) {
            const struct numbers numbers = fletch_numbers_of(members, row, child_count);

            is_added = add_numbers(hasher, slot, &numbers, child_count);
        }
        if (!is_added) return fail_inside(&hasher->fault, row->name, NO_INDEX);
        if (is_scalar(row) && fletch_scalar_of(members, row) != row->absent) {
            add_slot(hasher, slot);
            add(hasher, (uint64_t)fletch_scalar_of(members, row));
        }
    }
    return true;
}

static void add_count(struct hasher *hasher, uint32_t slot, uint32_t count)
{
    if (count == 0) return;
    add_slot(hasher, slot);
    add(hasher, count);
}

static bool add_pairs(struct hasher *hasher, uint32_t slot, fletch_metadata pairs)
{
    const uint32_t count = fletch_count_metadata(&pairs);
    uint64_t sum = 0;
    fletch_key_value pair;
    uint32_t i;

    if (hasher->options->ignore_metadata || count == 0) return true;
    add_count(hasher, slot, count);
    for (i = 0; fletch_walk_pair(&hasher->walk, &pairs, &pair, &hasher->fault); i++) {
        if (!fletch_take_string(&hasher->walk, pair.key, &hasher->fault) ||
            !fletch_take_string(&hasher->walk, pair.value, &hasher->fault))
            break;
        if (hasher->options->ignore_metadata_order)
            sum += fletch_hash_pair(&pair);
        else
            hasher->hash = mix_string(mix_string(hasher->hash, pair.key), pair.value);
    }
    if (hasher->fault.reason != FAULT_NONE)
        return fail_inside(&hasher->fault, "custom_metadata", i);
    if (hasher->options->ignore_metadata_order) add(hasher, sum);
    return true;
}

static bool add_type(struct hasher *hasher, const fletch_field *field)
{
    add_slot(hasher, FIELD_TYPE);
    if (field->type.id < TYPE_COUNT &&
        !add_members(hasher, &fletch_type_shapes[field->type.id], &field->type,
                     fletch_count_fields(&field->children)))
        return fail_inside(&hasher->fault, "type", NO_INDEX);
    add(hasher, 0);
    return true;
}

/* Its members are scalars, which use up no budget: adding them cannot fail. */
static void add_dictionary(struct hasher *hasher, const fletch_field *field)
{
    const fletch_dictionary *dictionary = &field->dictionary;

    if (!field->has_dictionary) return;
    add_slot(hasher, FIELD_DICTIONARY);
    (void)add_members(hasher, &fletch_dictionary_shape, dictionary, 0);
    add_slot(hasher, DICTIONARY_INDEX_TYPE);
    (void)add_members(hasher, &fletch_int_shape, &dictionary->index_type, 0);
    add(hasher, 0);
    add(hasher, 0);
}

static bool add_field(struct hasher *hasher, const fletch_field *field)
{
    if (!add_members(hasher, &fletch_field_shape, field, 0) || !add_type(hasher, field))
        return false;
    add_dictionary(hasher, field);
    add_count(hasher, FIELD_CHILDREN, fletch_count_fields(&field->children));
    if (!add_pairs(hasher, FIELD_METADATA, field->metadata)) return false;
    add(hasher, 0);
    return true;
}

static bool add_schema(struct hasher *hasher)
{
    const fletch_schema *schema = hasher->schema;
    fletch_field field;
    walk_event event;

    if (!add_members(hasher, &fletch_schema_shape, schema, 0)) return false;
    add_count(hasher, SCHEMA_FIELDS, fletch_count_fields(&schema->fields));
    if (!add_pairs(hasher, SCHEMA_METADATA, schema->metadata)) return false;
    add(hasher, 0);
    do {
        event = fletch_walk_step(&hasher->walk, &field, &hasher->fault);
        if (event == WALK_FIELD && !add_field(hasher, &field)) return false;
    } while (event == WALK_FIELD || event == WALK_LEAVE);
    return event == WALK_END;
}

fletch_status fletch_hash(const fletch_schema *schema, const fletch_compare_options *options,
                          uint64_t *hash, fletch_error *error)
{
    struct hasher hasher;

    *hash = 0;
    if (!fletch_has_schema(schema, error)) return FLETCH_MISSING;
    hasher.schema = schema;
    hasher.options = options != NULL ? options : &fletch_compare_defaults;
    hasher.hash = 0;
    fletch_walk_begin(&hasher.walk, schema, &hasher.options->limits);
    if (add_schema(&hasher)) {
        *hash = hasher.hash;
        return FLETCH_OK;
    }
    fletch_tell(error, &hasher.fault, schema->origin, fletch_schema_prefix(schema), &hasher.walk);
    return fletch_fault_status(hasher.fault.reason);
}
