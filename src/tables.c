/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows, and decoding by them.
 *
 * A vtable that find_vtable returns has every known slot either 0 or inside the table's size and
 * aligned; the table's size itself is checked against the buffer for every table. Loads check
 * themselves all the same (flat.h).
 */
#include "tables.h"

#include <string.h>

/* Rows. A type that has no members has no rows; its table is still checked. */

#define MEMBER(struct_type, member) (uint16_t) offsetof(struct_type, member)
#define SCALAR(name, kind, size, type, member, absent)                                             \
    {                                                                                              \
        name, kind, size, 0, absent, MEMBER(type, member), NO_MEMBER                               \
    }
#define REFERENCE(name, kind, width, type, member, flag)                                           \
    {                                                                                              \
        name, kind, 4, width, 0, MEMBER(type, member), MEMBER(type, flag)                          \
    }
#define POSITION(name, type, member)                                                               \
    {                                                                                              \
        name, ROW_TABLE, 4, 0, 0, MEMBER(type, member), NO_MEMBER                                  \
    }

static const struct row schema_rows[] = {
    SCALAR("endianness", ROW_I16, 2, fletch_schema, endianness, FLETCH_LITTLE_ENDIAN),
    REFERENCE("fields", ROW_FIELDS, 4, fletch_schema, fields, has_fields),
    REFERENCE("custom_metadata", ROW_PAIRS, 4, fletch_schema, metadata, has_metadata),
    REFERENCE("features", ROW_INTEGERS, 8, fletch_schema, features, has_features),
};

static const struct row message_rows[] = {
    {"version", ROW_I16, 2, 0, FLETCH_V1, MEMBER(fletch_schema, wrapper.version),
     MEMBER(fletch_schema, wrapper.has_version)},
    SCALAR("header_type", ROW_TAG, 1, fletch_schema, wrapper.header_type, FLETCH_HEADER_NONE),
    REFERENCE("header", ROW_UNION, 0, fletch_schema, at, wrapper.header_type),
    SCALAR("bodyLength", ROW_I64, 8, fletch_schema, wrapper.body_length, 0),
    REFERENCE("custom_metadata", ROW_PAIRS, 4, fletch_schema, wrapper.metadata,
              wrapper.has_metadata),
};

static const struct row footer_rows[] = {
    {"version", ROW_I16, 2, 0, FLETCH_V1, MEMBER(fletch_schema, wrapper.version),
     MEMBER(fletch_schema, wrapper.has_version)},
    POSITION("schema", fletch_schema, at),
    {"dictionaries", ROW_BLOCKS, 4, 24, 0, NO_MEMBER, NO_MEMBER},
    {"recordBatches", ROW_BLOCKS, 4, 24, 0, NO_MEMBER, NO_MEMBER},
    REFERENCE("custom_metadata", ROW_PAIRS, 4, fletch_schema, wrapper.metadata,
              wrapper.has_metadata),
};

static const struct row field_rows[] = {
    REFERENCE("name", ROW_STRING, 1, fletch_field, name, has_name),
    SCALAR("nullable", ROW_BOOL, 1, fletch_field, nullable, false),
    SCALAR("type_type", ROW_TAG, 1, fletch_field, type.id, FLETCH_TYPE_NONE),
    REFERENCE("type", ROW_UNION, 0, fletch_field, type.at, type.id),
    POSITION("dictionary", fletch_field, dictionary.at),
    REFERENCE("children", ROW_FIELDS, 4, fletch_field, children, has_children),
    REFERENCE("custom_metadata", ROW_PAIRS, 4, fletch_field, metadata, has_metadata),
};

static const struct row key_value_rows[] = {
    REFERENCE("key", ROW_STRING, 1, fletch_key_value, key, has_key),
    REFERENCE("value", ROW_STRING, 1, fletch_key_value, value, has_value),
};

static const struct row dictionary_rows[] = {
    SCALAR("id", ROW_I64, 8, fletch_dictionary, id, 0),
    POSITION("indexType", fletch_dictionary, index_type_at),
    SCALAR("isOrdered", ROW_BOOL, 1, fletch_dictionary, is_ordered, false),
    SCALAR("dictionaryKind", ROW_I16, 2, fletch_dictionary, kind, FLETCH_DENSE_ARRAY),
};

/* Int stands in fletch_type.as and in fletch_dictionary: `base` is the struct that holds it. */
#define INT_ROWS(type, base)                                                                       \
    SCALAR("bitWidth", ROW_I32, 4, type, base bit_width, 0),                                       \
        SCALAR("is_signed", ROW_BOOL, 1, type, base is_signed, false)

static const struct row index_type_rows[] = {INT_ROWS(fletch_int_type, )};
static const struct row int_rows[] = {INT_ROWS(fletch_type, as.integer.)};

static const struct row floating_point_rows[] = {
    SCALAR("precision", ROW_I16, 2, fletch_type, as.floating_point.precision, FLETCH_HALF),
};

static const struct row decimal_rows[] = {
    SCALAR("precision", ROW_I32, 4, fletch_type, as.decimal.precision, 0),
    SCALAR("scale", ROW_I32, 4, fletch_type, as.decimal.scale, 0),
    SCALAR("bitWidth", ROW_I32, 4, fletch_type, as.decimal.bit_width, 128),
};

static const struct row date_rows[] = {
    SCALAR("unit", ROW_I16, 2, fletch_type, as.date.unit, FLETCH_DATE_MILLISECOND),
};

static const struct row time_rows[] = {
    SCALAR("unit", ROW_I16, 2, fletch_type, as.time.unit, FLETCH_MILLISECOND),
    SCALAR("bitWidth", ROW_I32, 4, fletch_type, as.time.bit_width, 32),
};

static const struct row timestamp_rows[] = {
    SCALAR("unit", ROW_I16, 2, fletch_type, as.timestamp.unit, FLETCH_SECOND),
    REFERENCE("timezone", ROW_STRING, 1, fletch_type, as.timestamp.timezone,
              as.timestamp.has_timezone),
};

static const struct row interval_rows[] = {
    SCALAR("unit", ROW_I16, 2, fletch_type, as.interval.unit, FLETCH_YEAR_MONTH),
};

static const struct row union_rows[] = {
    SCALAR("mode", ROW_I16, 2, fletch_type, as.union_.mode, FLETCH_SPARSE),
    REFERENCE("typeIds", ROW_INTEGERS, 4, fletch_type, as.union_.type_ids, as.union_.has_type_ids),
};

static const struct row fixed_size_binary_rows[] = {
    SCALAR("byteWidth", ROW_I32, 4, fletch_type, as.fixed_size_binary.byte_width, 0),
};

static const struct row fixed_size_list_rows[] = {
    SCALAR("listSize", ROW_I32, 4, fletch_type, as.fixed_size_list.list_size, 0),
};

static const struct row map_rows[] = {
    SCALAR("keysSorted", ROW_BOOL, 1, fletch_type, as.map.keys_sorted, false),
};

static const struct row duration_rows[] = {
    SCALAR("unit", ROW_I16, 2, fletch_type, as.duration.unit, FLETCH_MILLISECOND),
};

#define SHAPE(name, rows)                                                                          \
    {                                                                                              \
        name, rows, sizeof(rows) / sizeof((rows)[0])                                               \
    }
#define EMPTY_SHAPE(name)                                                                          \
    {                                                                                              \
        name, NULL, 0                                                                              \
    }

const struct shape fletch_schema_shape = SHAPE("Schema", schema_rows);
const struct shape fletch_message_shape = SHAPE("Message", message_rows);
const struct shape fletch_footer_shape = SHAPE("Footer", footer_rows);
const struct shape fletch_field_shape = SHAPE("Field", field_rows);
const struct shape fletch_key_value_shape = SHAPE("KeyValue", key_value_rows);
const struct shape fletch_dictionary_shape = SHAPE("DictionaryEncoding", dictionary_rows);
const struct shape fletch_int_shape = SHAPE("Int", index_type_rows);

const struct shape fletch_type_shapes[TYPE_COUNT] = {
    EMPTY_SHAPE("NONE"),
    EMPTY_SHAPE("Null"),
    SHAPE("Int", int_rows),
    SHAPE("FloatingPoint", floating_point_rows),
    EMPTY_SHAPE("Binary"),
    EMPTY_SHAPE("Utf8"),
    EMPTY_SHAPE("Bool"),
    SHAPE("Decimal", decimal_rows),
    SHAPE("Date", date_rows),
    SHAPE("Time", time_rows),
    SHAPE("Timestamp", timestamp_rows),
    SHAPE("Interval", interval_rows),
    EMPTY_SHAPE("List"),
    EMPTY_SHAPE("Struct_"),
    SHAPE("Union", union_rows),
    SHAPE("FixedSizeBinary", fixed_size_binary_rows),
    SHAPE("FixedSizeList", fixed_size_list_rows),
    SHAPE("Map", map_rows),
    SHAPE("Duration", duration_rows),
    EMPTY_SHAPE("LargeBinary"),
    EMPTY_SHAPE("LargeUtf8"),
    EMPTY_SHAPE("LargeList"),
    EMPTY_SHAPE("RunEndEncoded"),
    EMPTY_SHAPE("BinaryView"),
    EMPTY_SHAPE("Utf8View"),
    EMPTY_SHAPE("ListView"),
    EMPTY_SHAPE("LargeListView"),
};

/* Tables */

void fletch_offset_fault(fletch_buffer buffer, uint32_t at, uint32_t offset, struct fault *fault)
{
    if (!holds(buffer, at, 4))
        fletch_set_fault(fault, FAULT_WORD_OUTSIDE, at, 0, buffer.size);
    else if (offset == 0)
        fletch_set_fault(fault, FAULT_OFFSET_ZERO, at, 0, 0);
    else if (offset > FLAT_MAX_SIZE)
        fletch_set_fault(fault, FAULT_OFFSET_NEGATIVE, at, offset, 0);
    else if (offset > buffer.size - 4 - at)
        fletch_set_fault(fault, FAULT_OFFSET_OUTSIDE, at, offset, buffer.size);
    else
        fletch_set_fault(fault, FAULT_OFFSET_MISALIGNED, at, offset, (int64_t)at + offset);
}

bool fletch_root(fletch_buffer buffer, uint32_t *at, struct fault *fault)
{
    if (buffer.size < 4) return fail(fault, FAULT_ROOT_MISSING, 0, buffer.size, 4);
    return follow(buffer, 0, at, fault);
}

/* One slot of a vtable against its row: inside the table and aligned, or absent. */
static bool check_slot(uint32_t slot, uint32_t at, uint32_t table_size, const struct row *row,
                       struct fault *fault)
{
    const uint32_t size = row->size;

    if (slot < 4) return fail(fault, FAULT_SLOT_SMALL, at, slot, 0);
    if (size > table_size || slot > table_size - size)
        return fail(fault, FAULT_SLOT_OUTSIDE, at, slot, table_size);
    /* 8-byte members may stand anywhere but at level strict, see check_strict in verify.c. */
    if (size < 8 && (slot & (size - 1)) != 0)
        return fail(fault, FAULT_SLOT_MISALIGNED, at, slot, size);
    return true;
}

/* Checks the vtable at `at`, for the table at `table`, and remembers what it says. */
static bool check_vtable(fletch_buffer buffer, uint32_t at, uint32_t table,
                         const struct shape *shape, fletch_vtable *vtable, struct fault *fault)
{
    uint32_t left, size, table_size, i;

    if (!holds(buffer, at, 4))
        return fail(fault, FAULT_VTABLE_OUTSIDE, table, signed_32(load_u32(buffer, table)),
                    buffer.size);
    if ((at & 1u) != 0) return fail(fault, FAULT_VTABLE_MISALIGNED, table, at, 0);
    left = buffer.size - at;
    size = load_u16(buffer, at);
    table_size = load_u16(buffer, at + 2);
    if ((size & 1u) != 0) return fail(fault, FAULT_VTABLE_SIZE_ODD, at, size, 0);
    if (size < 4) return fail(fault, FAULT_VTABLE_SIZE_SMALL, at, size, 0);
    if (size > left) return fail(fault, FAULT_VTABLE_SIZE_OUTSIDE, at, size, left);
    if (table_size < 4) return fail(fault, FAULT_TABLE_SIZE_SMALL, at + 2, table_size, 0);

    for (i = 0; i < shape->row_count; i++) {
        uint32_t slot = 4 + 2 * i < size ? load_u16(buffer, at + 4 + 2 * i) : 0;

        if (slot != 0 && !check_slot(slot, at + 4 + 2 * i, table_size, &shape->rows[i], fault))
            return fail_inside(fault, shape->rows[i].name, NO_INDEX);
        vtable->slots[i] = (uint16_t)slot;
    }
    vtable->position = at;
    vtable->table_size = (uint16_t)table_size;
    return true;
}

/*
 * The vtable of the table at `at` (which follow() found), from `*remembered` if it is the same,
 * and the table's own size against the buffer.
 *
 * The vtable's position is at - soffset, computed modulo 2^32: as `at` and the true result differ
 * by at most 2^31, a result out of the buffer stays out of it (size < 2^31) and is refused.
 */
static inline bool find_vtable(fletch_buffer buffer, uint32_t at, const struct shape *shape,
                               uint32_t *key, fletch_vtable *vtable, struct fault *fault)
{
    uint32_t position = at - load_u32(buffer, at);

    if (position != *key) {
        *key = NO_VTABLE;
        if (!check_vtable(buffer, position, at, shape, vtable, fault)) return false;
        *key = position;
    }
    if (vtable->table_size > buffer.size - at)
        return fail(fault, FAULT_TABLE_SIZE_OUTSIDE, position + 2, vtable->table_size,
                    buffer.size - at);
    return true;
}

/* Members */

static inline void set_flag(void *out, const struct row *row, bool value)
{
    if (row->flag != NO_MEMBER) *(bool *)((char *)out + row->flag) = value;
}

/* Sets a vector of tables to step through; absent is empty. */
static inline void set_fields(fletch_fields *fields, fletch_buffer buffer, uint32_t begin,
                              uint32_t count)
{
    fields->buffer = buffer;
    fields->position = begin;
    fields->end = begin + 4 * count;
    fields->status = FLETCH_OK;
    fields->vtable.position = NO_VTABLE;
}

static inline void set_pairs(fletch_metadata *pairs, fletch_buffer buffer, uint32_t begin,
                             uint32_t count)
{
    pairs->buffer = buffer;
    pairs->position = begin;
    pairs->end = begin + 4 * count;
    pairs->status = FLETCH_OK;
}

static inline void set_integers(fletch_integers *integers, const uint8_t *data, uint32_t count,
                                uint8_t width)
{
    integers->data = data;
    integers->count = count;
    integers->width = width;
    integers->native = false;
}

/* A scalar member, which may be absent: slot 0. */
static inline void decode_scalar(fletch_buffer buffer, uint32_t at, uint32_t slot,
                                 const struct row *row, void *member)
{
    const uint32_t place = at + slot;

    switch (row->kind) {
    case ROW_BOOL:
        *(bool *)member = slot != 0 ? load_u8(buffer, place) != 0 : row->absent != 0;
        break;
    case ROW_TAG:
        *(int32_t *)member = slot != 0 ? (int32_t)load_u8(buffer, place) : row->absent;
        break;
    case ROW_I16:
        *(int32_t *)member = slot != 0 ? signed_16(load_u16(buffer, place)) : row->absent;
        break;
    case ROW_I32:
        *(int32_t *)member = slot != 0 ? signed_32(load_u32(buffer, place)) : row->absent;
        break;
    default: *(int64_t *)member = slot != 0 ? load_i64(buffer, place) : row->absent; break;
    }
}

/* A member behind an offset, whose object starts at `target` (begin and count 0 where absent). */
static inline bool decode_vector(fletch_buffer buffer, uint32_t target, const struct row *row,
                                 void *member, struct fault *fault)
{
    uint32_t begin = 0, count = 0;

    if (target != 0 && !read_vector(buffer, target, row->width, &begin, &count, fault))
        return false;
    switch (row->kind) {
    case ROW_FIELDS: set_fields((fletch_fields *)member, buffer, begin, count); break;
    case ROW_PAIRS: set_pairs((fletch_metadata *)member, buffer, begin, count); break;
    case ROW_INTEGERS:
        set_integers((fletch_integers *)member, buffer.bytes + begin, count, row->width);
        break;
    default: break;
    }
    return true;
}

/* V35 to V38: a value and a tag other than NONE come together or not at all. */
static bool check_union(uint32_t at, bool has_value, int32_t tag, struct fault *fault)
{
    if (has_value == (tag != 0)) return true;
    return fail(fault, tag != 0 ? FAULT_UNION_WITHOUT_VALUE : FAULT_UNION_WITHOUT_TAG, at, tag, 0);
}

/* A member behind an offset, which may be absent: slot 0. */
static inline bool decode_reference(fletch_buffer buffer, uint32_t at, uint32_t slot,
                                    const struct row *row, void *out, struct fault *fault)
{
    void *member = (char *)out + row->member;
    uint32_t target = 0;

    if (slot != 0 && !follow(buffer, at + slot, &target, fault)) return false;
    switch (row->kind) {
    case ROW_STRING: {
        fletch_string *string = (fletch_string *)member;

        set_flag(out, row, target != 0);
        string->data = "";
        string->size = 0;
        return target == 0 || read_string(buffer, target, string, fault);
    }
    case ROW_TABLE: *(uint32_t *)member = target; return true;
    case ROW_UNION:
        *(uint32_t *)member = target;
        return check_union(at, target != 0, *(int32_t *)(void *)((char *)out + row->flag), fault);
    default:
        set_flag(out, row, target != 0);
        return decode_vector(buffer, target, row, member, fault);
    }
}

static inline bool decode_member(fletch_buffer buffer, uint32_t at, uint32_t slot,
                                 const struct row *row, void *out, struct fault *fault)
{
    if (row->kind >= ROW_STRING) {
        if (decode_reference(buffer, at, slot, row, out, fault)) return true;
        return fail_inside(fault, row->name, NO_INDEX);
    }
    set_flag(out, row, slot != 0);
    decode_scalar(buffer, at, slot, row, (char *)out + row->member);
    return true;
}

static inline bool decode_members(fletch_buffer buffer, uint32_t at, const fletch_vtable *vtable,
                                  const struct shape *shape, void *out, struct fault *fault)
{
    uint32_t i;

    for (i = 0; i < shape->row_count; i++)
        if (!decode_member(buffer, at, vtable->slots[i], &shape->rows[i], out, fault)) return false;
    return true;
}

bool fletch_decode(fletch_buffer buffer, uint32_t at, const struct shape *shape, void *out,
                   struct fault *fault)
{
    fletch_vtable vtable;
    uint32_t key = NO_VTABLE;

    return find_vtable(buffer, at, shape, &key, &vtable, fault) &&
           decode_members(buffer, at, &vtable, shape, out, fault);
}

bool fletch_check_table(fletch_buffer buffer, uint32_t at, const struct shape *shape,
                        struct fault *fault)
{
    fletch_vtable vtable;
    uint32_t key = NO_VTABLE;

    return find_vtable(buffer, at, shape, &key, &vtable, fault);
}

uint32_t fletch_member_at(fletch_buffer buffer, uint32_t at, uint32_t slot)
{
    uint32_t vtable = at - load_u32(buffer, at);
    uint32_t member;

    if (!holds(buffer, vtable, 4) || load_u16(buffer, vtable) <= 4 + 2 * slot) return 0;
    member = load_u16(buffer, vtable + 4 + 2 * slot);
    return member != 0 ? at + member : 0;
}

/* Fields */

/* The places of a whole cache; a small one has a place per kind of table. */
enum { PLACE_FIELD, PLACE_TYPE, PLACE_DICTIONARY, PLACE_PAIR };

static inline uint32_t place_of(const struct cache *cache, uint32_t kind, uint32_t spread)
{
    static const struct {
        uint8_t first, mask;
    } places[] = {{32, 15}, {0, 31}, {48, 3}, {52, 3}};

    return cache->is_whole ? places[kind].first + (spread & places[kind].mask) : kind;
}

/* Vtables stand 2-aligned; two that differ in a few bytes should not share a place. */
static inline uint32_t spread_of(fletch_buffer buffer, uint32_t at)
{
    uint32_t position = at - load_u32(buffer, at);

    return position >> 1 ^ position >> 5;
}

static inline bool decode_cached(fletch_buffer buffer, uint32_t at, const struct shape *shape,
                                 struct cache *cache, uint32_t place, void *out,
                                 struct fault *fault)
{
    fletch_vtable *vtable = &cache->vtables[place];

    return find_vtable(buffer, at, shape, &cache->keys[place], vtable, fault) &&
           decode_members(buffer, at, vtable, shape, out, fault);
}

static bool decode_type(fletch_buffer buffer, struct cache *cache, fletch_type *type,
                        struct fault *fault)
{
    const struct shape *shape = &fletch_type_shapes[type->id];

    return decode_cached(buffer, type->at, shape, cache,
                         place_of(cache, PLACE_TYPE, (uint32_t)type->id), type, fault) ||
           fail_inside(fault, "type", NO_INDEX);
}

/* An absent index type is signed and 32 bits wide; a present one has its own defaults. */
static bool decode_index_type(fletch_buffer buffer, fletch_dictionary *dictionary, uint64_t *tables,
                              struct fault *fault)
{
    dictionary->has_index_type = dictionary->index_type_at != 0;
    dictionary->index_type.bit_width = 32;
    dictionary->index_type.is_signed = true;
    if (!dictionary->has_index_type) return true;
    ++*tables;
    return fletch_decode(buffer, dictionary->index_type_at, &fletch_int_shape,
                         &dictionary->index_type, fault) ||
           fail_inside(fault, "indexType", NO_INDEX);
}

static bool decode_dictionary(fletch_buffer buffer, struct cache *cache,
                              fletch_dictionary *dictionary, uint64_t *tables, struct fault *fault)
{
    const uint32_t at = dictionary->at;

    ++*tables;
    return (decode_cached(buffer, at, &fletch_dictionary_shape, cache,
                          place_of(cache, PLACE_DICTIONARY, spread_of(buffer, at)), dictionary,
                          fault) &&
            decode_index_type(buffer, dictionary, tables, fault)) ||
           fail_inside(fault, "dictionary", NO_INDEX);
}

bool fletch_decode_field(fletch_buffer buffer, uint32_t at, struct cache *cache,
                         fletch_field *field, uint64_t *tables, struct fault *fault)
{
    field->at = at;
    ++*tables;
    if (!decode_cached(buffer, at, &fletch_field_shape, cache,
                       place_of(cache, PLACE_FIELD, spread_of(buffer, at)), field, fault))
        return false;
    if (field->type.at != 0 && field->type.id < TYPE_COUNT) {
        ++*tables;
        if (!decode_type(buffer, cache, &field->type, fault)) return false;
    }
    field->has_dictionary = field->dictionary.at != 0;
    return !field->has_dictionary ||
           decode_dictionary(buffer, cache, &field->dictionary, tables, fault);
}

bool fletch_decode_pair(fletch_buffer buffer, uint32_t at, struct cache *cache,
                        fletch_key_value *pair, struct fault *fault)
{
    pair->at = at;
    return decode_cached(buffer, at, &fletch_key_value_shape, cache,
                         place_of(cache, PLACE_PAIR, spread_of(buffer, at)), pair, fault);
}
