/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps through fields and metadata, and finding.
 *
 * Iterators stand on 4-aligned elements of a vector that was found inside the buffer; each element
 * is followed and decoded anew, so bytes that changed since cannot lead outside.
 */
#include "walk.h"

#include <string.h>

int64_t fletch_integer_at(const fletch_integers *integers, uint32_t i)
{
    const uint8_t *element;
    fletch_buffer buffer;
    int64_t wide;
    int32_t narrow;

    if (i >= integers->count) return 0;
    if (!integers->native) {
        buffer.bytes = (const uint8_t *)integers->data;
        buffer.size = integers->size;
        if (integers->width == 8) return load_i64(buffer, integers->at + 8 * i);
        return signed_32(load_u32(buffer, integers->at + 4 * i));
    }
    element = (const uint8_t *)integers->data + (size_t)i * integers->width;
    if (integers->width == 8) {
        memcpy(&wide, element, sizeof wide);
        return wide;
    }
    memcpy(&narrow, element, sizeof narrow);
    return narrow;
}

fletch_body_buffer fletch_decode_body_buffer(const void *bytes)
{
    fletch_body_buffer body_buffer;
    fletch_buffer buffer;

    buffer.bytes = bytes;
    buffer.size = FLETCH_BODY_BUFFER_SIZE;
    body_buffer.offset = load_i64(buffer, 0);
    body_buffer.length = load_i64(buffer, 8);
    return body_buffer;
}

int32_t fletch_union_type_id(const fletch_type *type, uint32_t index)
{
    if (type->id != FLETCH_TYPE_UNION || !type->as.union_.has_type_ids) return (int32_t)index;
    return (int32_t)fletch_integer_at(&type->as.union_.type_ids, index);
}

/* Decodes the field behind the element at `element`; else the status of the damage. */
static fletch_status decode_element(const fletch_fields *fields, uint32_t element,
                                    fletch_vtable *vtable, fletch_field *field)
{
    struct fault fault;
    flat_position at = 0;

    if (follow(fields->buffer, element, &at, &fault) &&
        fletch_decode_field(fields->buffer, (uint32_t)at, vtable, field, &fault))
        return FLETCH_OK;
    return fletch_fault_status(fault.reason);
}

bool fletch_next_field(fletch_fields *fields, fletch_field *field)
{
    fletch_status status;

    if (fields->position >= fields->end || fields->status != FLETCH_OK) return false;
    status = decode_element(fields, fields->position, &fields->vtable, field);
    if (status != FLETCH_OK) {
        fields->status = status;
        return false;
    }
    fields->position += 4;
    return true;
}

fletch_status fletch_field_at(const fletch_fields *fields, uint32_t index, fletch_field *field)
{
    fletch_vtable vtable = fields->vtable;

    if (index >= fletch_count_fields(fields)) return FLETCH_MISSING;
    return decode_element(fields, fields->position + 4 * index, &vtable, field);
}

bool fletch_next_metadata(fletch_metadata *metadata, fletch_key_value *pair)
{
    struct fault fault;
    flat_position at = 0;

    if (metadata->position >= metadata->end || metadata->status != FLETCH_OK) return false;
    if (!follow(metadata->buffer, metadata->position, &at, &fault) ||
        !fletch_decode_pair(metadata->buffer, (uint32_t)at, pair, &fault)) {
        metadata->status = fletch_fault_status(fault.reason);
        return false;
    }
    metadata->position += 4;
    return true;
}

/* Finding */

/* Where a name in a path ends: at a dot that has no backslash before it, or with the path. */
static size_t end_of_name(fletch_string path, size_t at)
{
    for (; at < path.size && path.data[at] != '.'; at++)
        if (path.data[at] == '\\' && at + 1 < path.size) at++;
    return at;
}

/* Whether a name is what [at, end) of a path says, backslashes taken away. */
static bool is_named(fletch_string name, fletch_string path, size_t at, size_t end)
{
    size_t used = 0;

    for (; at < end; at++) {
        if (path.data[at] == '\\' && at + 1 < end) at++;
        if (used >= name.size || name.data[used] != path.data[at]) return false;
        used++;
    }
    return used == name.size;
}

/* What a name is to be: a text as it is, or [at, end) of a path. */
struct wanted {
    fletch_string text;
    bool is_path;
    size_t at, end;
};

static bool is_wanted(fletch_string name, const struct wanted *wanted)
{
    if (wanted->is_path) return is_named(name, wanted->text, wanted->at, wanted->end);
    return fletch_same_string(name, wanted->text);
}

/* Whether the next field's name is wanted. Damage on the way to it is told by the status. */
static bool is_next_wanted(fletch_fields *fields, const struct wanted *wanted,
                           fletch_status *status)
{
    fletch_string name;
    struct fault fault;
    flat_position at = 0;

    if (follow(fields->buffer, fields->position, &at, &fault) &&
        fletch_decode_name(fields->buffer, (uint32_t)at, &fields->vtable, &name, &fault))
        return is_wanted(name, wanted);
    *status = fletch_fault_status(fault.reason);
    return false;
}

/* Steps to the field whose name is wanted. Of the others only the names are looked at. */
static fletch_status find_named(fletch_fields *fields, const struct wanted *wanted,
                                fletch_field *field)
{
    fletch_status status = FLETCH_OK;

    for (; fields->position < fields->end; fields->position += 4) {
        if (is_next_wanted(fields, wanted, &status)) {
            status = decode_element(fields, fields->position, &fields->vtable, field);
            //@ split status;
            return status;
        }
        if (status != FLETCH_OK) return status;
    }
    return FLETCH_MISSING;
}

static fletch_status find_text(fletch_fields *fields, fletch_string name, fletch_field *field)
{
    const struct wanted wanted = {name, false, 0, 0};

    return find_named(fields, &wanted, field);
}

fletch_status fletch_find_field(const fletch_fields *fields, fletch_string name,
                                fletch_field *field)
{
    fletch_fields left = *fields;

    return find_text(&left, name, field);
}

fletch_status fletch_find_index(const fletch_fields *fields, fletch_string name, uint32_t *index)
{
    fletch_fields left = *fields;
    fletch_field field;
    const fletch_status status = find_text(&left, name, &field);

    *index = (left.position - fields->position) / 4;
    return status;
}

fletch_status fletch_find_path(const fletch_fields *fields, fletch_string path, fletch_field *field)
{
    struct wanted wanted = {path, true, 0, 0};
    fletch_fields left = *fields;

    for (;; wanted.at = wanted.end + 1) {
        fletch_status status;

        wanted.end = end_of_name(path, wanted.at);
        status = find_named(&left, &wanted, field);
        //@ split status;
        if (status != FLETCH_OK || wanted.end >= path.size) return status;
        left = field->children;
    }
}

bool fletch_find_metadata(fletch_metadata *metadata, fletch_string key, fletch_key_value *pair)
{
    while (fletch_next_metadata(metadata, pair))
        if (pair->has_key && fletch_same_string(pair->key, key)) return true;
    return false;
}

fletch_status fletch_find_extension(const fletch_field *field, fletch_extension *extension)
{
    fletch_metadata pairs = field->metadata;
    fletch_key_value pair;

    if (!fletch_find_metadata(&pairs, fletch_text("ARROW:extension:name"), &pair))
        return pairs.status != FLETCH_OK ? pairs.status : FLETCH_MISSING;
    extension->name = pair.value;
    pairs = field->metadata;
    extension->has_metadata =
        fletch_find_metadata(&pairs, fletch_text("ARROW:extension:metadata"), &pair);
    extension->metadata = extension->has_metadata ? pair.value : fletch_text("");
    return pairs.status;
}

int32_t fletch_count_buffers(const fletch_field *field, int32_t version)
{
    if (field->has_dictionary) return 2; /* validity and indices */
    switch (field->type.id) {
    case FLETCH_TYPE_NULL:
    case FLETCH_TYPE_RUN_END_ENCODED: return 0;
    case FLETCH_TYPE_STRUCT:
    case FLETCH_TYPE_FIXED_SIZE_LIST: return 1;
    case FLETCH_TYPE_BINARY:
    case FLETCH_TYPE_UTF8:
    case FLETCH_TYPE_LARGE_BINARY:
    case FLETCH_TYPE_LARGE_UTF8:
    case FLETCH_TYPE_LIST_VIEW:
    case FLETCH_TYPE_LARGE_LIST_VIEW: return 3;
    case FLETCH_TYPE_UNION:
        return (field->type.as.union_.mode == FLETCH_DENSE ? 2 : 1) + (version <= FLETCH_V4);
    default: return field->type.id > 0 && field->type.id < TYPE_COUNT ? 2 : -1;
    }
}
