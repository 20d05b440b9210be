/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the pieces of a flatbuffer.
 *
 * Memory is touched through fletch_reserve, which hands out exactly the bytes that it checked, and
 * through fletch_push and fletch_pushed at the low end, which check the same way. low + base + high
 * + STORE_TAIL <= size as long as the builder is not full.
 */
#include "store.h"

#include "decode.h"

/* The largest flatbuffer, less what containers and padding add. */
#define STORE_MAX     (FLAT_MAX_SIZE - 4096u)

/* Strings up to this size are shared. */
#define SHARED_STRING 64u

void fletch_store_word(uint8_t *to, uint32_t word)
{
    to[0] = (uint8_t)word;
    to[1] = (uint8_t)(word >> 8);
    to[2] = (uint8_t)(word >> 16);
    to[3] = (uint8_t)(word >> 24);
}

static inline void store_half(uint8_t *to, uint32_t half)
{
    to[0] = (uint8_t)half;
    to[1] = (uint8_t)(half >> 8);
}

/* Errors */

fletch_status fletch_stick(fletch_builder *builder, const struct fault *fault)
{
    uint32_t i;

    if (builder->reason == FAULT_NONE) {
        builder->reason = (int32_t)fault->reason;
        builder->value = fault->value;
        builder->other = fault->other;
        builder->step_count = fault->step_count < 3 ? fault->step_count : 3;
        for (i = 0; i < builder->step_count; i++) {
            builder->names[i] = fault->names[i];
            builder->indices[i] = fault->indices[i];
        }
    }
    return fletch_fault_status((enum reason)builder->reason);
}

fletch_status fletch_stick_reason(fletch_builder *builder, enum reason reason, int64_t value)
{
    struct fault fault;

    fletch_set_fault(&fault, reason, 0, value, 0);
    return fletch_stick(builder, &fault);
}

fletch_status fletch_build_status(const fletch_builder *builder)
{
    if (builder->reason != FAULT_NONE) return fletch_fault_status((enum reason)builder->reason);
    return (fletch_status)builder->full;
}

/* Memory */

static uint64_t in_use(const fletch_builder *builder, uint64_t low, uint64_t high)
{
    return low + builder->base + high + STORE_TAIL;
}

/* Gets a block of at least `wanted` bytes, with both ends where they belong. */
static bool grow(fletch_builder *builder, uint64_t wanted)
{
    const uint64_t doubled = 2 * (uint64_t)builder->size;
    const size_t kept = (size_t)builder->base + builder->high + STORE_TAIL;
    uint64_t size = wanted < doubled ? doubled : wanted;
    uint8_t *block;

    if (size < 1024) size = 1024;
    if (size > SIZE_MAX / 2) return false;
    block = builder->allocator.reallocate(builder->allocator.context, builder->block, builder->size,
                                          (size_t)size);
    if (block == NULL) return false;
    if (builder->size != 0)
        memmove(block + (size_t)size - kept, block + builder->size - kept, kept);
    builder->block = block;
    builder->size = (size_t)size;
    return true;
}

/* Whether the block has room for that much at its ends; else grows it, or is full from now on. */
static bool has_room(fletch_builder *builder, uint64_t low, uint64_t high)
{
    const uint64_t wanted = in_use(builder, low, high);

    if (builder->full == FLETCH_OK) {
        if (wanted <= builder->size) return true;
        if (builder->is_growing && grow(builder, wanted)) return true;
        builder->full = builder->is_growing ? FLETCH_NO_MEMORY : FLETCH_NO_SPACE;
    }
    if (builder->wanted < wanted) builder->wanted = wanted;
    return false;
}

uint8_t *fletch_stored(const fletch_builder *builder, uint32_t position)
{
    return builder->block + builder->size - STORE_TAIL - builder->base - position;
}

FORCE_INLINE uint8_t *reserve(fletch_builder *builder, uint64_t size, uint32_t align,
                              uint32_t residue)
{
    const uint32_t before = builder->high;
    uint64_t high = before + size;
    uint8_t *bytes;

    high += (residue - (uint32_t)high) & (align - 1);
    if (high > STORE_MAX) {
        fletch_stick_reason(builder, FAULT_BUILD_LARGE, (int64_t)high);
        return NULL;
    }
    if (!has_room(builder, builder->low, high)) {
        builder->high = (uint32_t)high;
        return NULL;
    }
    builder->high = (uint32_t)high;
    bytes = fletch_stored(builder, (uint32_t)high);
    memset(bytes, 0, (size_t)(high - before));
    return bytes;
}

uint8_t *fletch_reserve(fletch_builder *builder, uint64_t size, uint32_t align, uint32_t residue)
{
    return reserve(builder, size, align, residue);
}

void fletch_push(fletch_builder *builder, uint32_t word)
{
    if (builder->reason != FAULT_NONE) return;
    if (builder->low > STORE_MAX) {
        fletch_stick_reason(builder, FAULT_BUILD_LARGE, builder->low);
        return;
    }
    if (has_room(builder, (uint64_t)builder->low + 4, builder->high))
        memcpy(builder->block + builder->low, &word, 4);
    builder->low += 4;
}

uint32_t fletch_pushed(const fletch_builder *builder, uint32_t low)
{
    uint32_t word;

    memcpy(&word, builder->block + low, 4);
    return word;
}

void fletch_store_begin(fletch_builder *builder)
{
    builder->low = builder->high = builder->base = builder->frame = builder->depth = 0;
    builder->wanted = 0;
    builder->full = FLETCH_OK;
    memset(builder->levels, 0, sizeof builder->levels[0]);
    memset(builder->layouts, 0, sizeof builder->layouts);
    memset(builder->types, 0, sizeof builder->types);
    memset(builder->strings, 0, sizeof builder->strings);
    (void)fletch_reserve(builder, 4, 8, EMPTY_VECTOR);
}

/* Strings */

/*
 * Spreads short strings over the cache: their ends and size tell most of them apart. Only equal
 * bytes are shared in the end, so the order of bytes does not show in what is written; but which
 * of two strings pushes which out of the cache does, so the words are loaded in one order.
 */
static uint32_t hash_string(const uint8_t *bytes, uint32_t size)
{
    uint64_t hash = size;
    uint32_t i;

    if (size >= 8) {
        fletch_buffer buffer;

        buffer.bytes = bytes;
        buffer.size = size;
        hash +=
            ((uint64_t)load_u32(buffer, 0) | (uint64_t)load_u32(buffer, 4) << 32) +
            ((uint64_t)load_u32(buffer, size - 8) | (uint64_t)load_u32(buffer, size - 4) << 32) *
                31u;
    } else {
        for (i = 0; i < size; i++)
            hash = hash * 31u + bytes[i];
    }
    hash *= UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(hash >> 32) | 1u; /* 0 marks an empty place */
}

static bool is_stored_string(const fletch_builder *builder, uint32_t position, fletch_string string)
{
    const uint8_t *bytes = fletch_stored(builder, position);
    fletch_buffer length;

    length.bytes = bytes;
    length.size = 4;
    return load_u32(length, 0) == string.size && memcmp(bytes + 4, string.data, string.size) == 0;
}

uint32_t fletch_put_string(fletch_builder *builder, fletch_string string)
{
    const bool is_short = string.size <= SHARED_STRING;
    fletch_build_string *place = NULL;
    uint8_t *bytes;

    if (is_short) {
        const uint32_t hash = hash_string((const uint8_t *)string.data, (uint32_t)string.size);

        place = &builder->strings[hash >> 16 & (FLETCH_BUILD_STRINGS - 1)];
        if (place->hash == hash && builder->full == FLETCH_OK &&
            is_stored_string(builder, place->position, string))
            return place->position;
        place->hash = hash;
    }
    bytes = reserve(builder, (uint64_t)string.size + 5, 4, 0);
    if (place != NULL) place->position = builder->high;
    if (bytes == NULL) return builder->high;
    fletch_store_word(bytes, (uint32_t)string.size);
    if (string.size != 0) memcpy(bytes + 4, string.data, string.size);
    return builder->high;
}

uint32_t fletch_put_integers(fletch_builder *builder, const fletch_integers *integers)
{
    const uint32_t width = integers->width;
    const uint64_t size = 4 + (uint64_t)integers->count * width;
    uint8_t *bytes = fletch_reserve(builder, size, width, 4 % width);
    uint32_t i;

    if (bytes == NULL) return builder->high;
    fletch_store_word(bytes, integers->count);
    for (i = 0; i < integers->count; i++) {
        const uint64_t element = (uint64_t)fletch_integer_at(integers, i);
        uint8_t *to = bytes + 4 + (size_t)i * width;

        fletch_store_word(to, (uint32_t)element);
        if (width == 8) fletch_store_word(to + 4, (uint32_t)(element >> 32));
    }
    return builder->high;
}

uint32_t fletch_put_waiting(fletch_builder *builder, uint32_t from, uint32_t tag, uint32_t count)
{
    uint8_t *bytes, *to;
    uint32_t position, low, waiting;

    if (count == 0) return 0;
    bytes = fletch_reserve(builder, 4 + 4 * (uint64_t)count, 4, 0);
    position = builder->high;
    if (bytes == NULL) return position;
    fletch_store_word(bytes, count);
    to = bytes + 4;
    position -= 4; /* of the element at `to` */
    for (low = from; low < builder->low; low += 4) {
        waiting = fletch_pushed(builder, low);
        if ((waiting & 3u) != tag) continue;
        fletch_store_word(to, position - (waiting & ~3u));
        to += 4;
        position -= 4;
    }
    return builder->high;
}

/* Tables */

FORCE_INLINE bool is_present(const struct row *row, int64_t value)
{
    return value != (row->kind >= ROW_STRING ? 0 : row->absent);
}

/* Where the members stand in the table: the widest first, so that none needs padding. */
static void lay_out(const struct shape *shape, uint32_t present, fletch_build_layout *layout)
{
    uint32_t size = 4, width, i;

    memset(layout->slots, 0, sizeof layout->slots);
    for (width = 8; width != 0; width /= 2)
        for (i = 0; i < shape->row_count && i < 7; i++) {
            if ((present >> i & 1u) == 0 || shape->rows[i].size != width) continue;
            layout->slots[i] = (uint8_t)size;
            size += width;
        }
    layout->size = (uint8_t)size;
}

/* An equal vtable among those remembered, whatever table it was written for; 0: none. */
static uint32_t find_equal_vtable(const fletch_builder *builder, const fletch_build_layout *layout)
{
    uint32_t i;

    for (i = 0; i < FLETCH_BUILD_LAYOUTS; i++) {
        const fletch_build_layout *other = &builder->layouts[i];

        if (other->position != 0 && other->size == layout->size &&
            memcmp(other->slots, layout->slots, sizeof layout->slots) == 0)
            return other->position;
    }
    return 0;
}

static void put_vtable(fletch_builder *builder, const struct shape *shape, uint32_t present,
                       fletch_build_layout *layout)
{
    uint32_t count = 0, i;
    uint8_t *bytes;

    for (i = 0; i < shape->row_count; i++)
        if ((present >> i & 1u) != 0) count = i + 1;
    bytes = fletch_reserve(builder, 4 + 2 * count, 2, 0);
    layout->position = builder->high;
    if (bytes == NULL) return;
    store_half(bytes, 4 + 2 * count);
    store_half(bytes + 2, layout->size);
    for (i = 0; i < count; i++)
        if ((present >> i & 1u) != 0) store_half(bytes + 4 + 2 * i, layout->slots[i]);
}

/* The vtable for the members that are there, and the layout that it says. */
static void find_layout(fletch_builder *builder, const struct shape *shape, uint32_t present,
                        uint32_t key, bool is_shared, fletch_build_layout *layout)
{
    layout->position = 0; /* so that it does not find itself */
    lay_out(shape, present, layout);
    layout->key = (uint16_t)key;
    if (is_shared) layout->position = find_equal_vtable(builder, layout);
    if (layout->position == 0) put_vtable(builder, shape, present, layout);
}

/* A scalar, or the offset from its own place to a position. */
FORCE_INLINE void store_member(uint8_t *to, uint32_t position, const struct row *row, int64_t value)
{
    switch (row->size) {
    case 1: *to = (uint8_t)value; break;
    case 2: store_half(to, (uint32_t)(uint64_t)value & 0xFFFFu); break;
    case 8:
        fletch_store_word(to, (uint32_t)(uint64_t)value);
        fletch_store_word(to + 4, (uint32_t)((uint64_t)value >> 32));
        break;
    default:
        fletch_store_word(to, row->kind >= ROW_STRING ? position - (uint32_t)value
                                                      : (uint32_t)(uint64_t)value);
        break;
    }
}

/* The place in the cache for a shape and the members that are there. */
static inline fletch_build_layout *layout_place(fletch_builder *builder, uint32_t key)
{
    return &builder->layouts[(key * 0x9E3779B1u) >> 27 & (FLETCH_BUILD_LAYOUTS - 1)];
}

FORCE_INLINE uint32_t put_table(fletch_builder *builder, uint32_t shape_id,
                                const struct shape *shape, const struct row *rows,
                                uint32_t row_count, const int64_t *values, bool is_shared)
{
    fletch_build_layout own, *layout = &own;
    uint32_t present = 0, key, i;
    bool is_wide = false;
    uint8_t *bytes;

    for (i = 0; i < row_count; i++) {
        if (!is_present(&rows[i], values[i])) continue;
        present |= 1u << i;
        is_wide |= rows[i].size == 8;
    }
    key = 0x8000u | shape_id << 7 | present;
    if (is_shared) layout = layout_place(builder, key);
    if (!is_shared || layout->key != key)
        find_layout(builder, shape, present, key, is_shared, layout);
    bytes = reserve(builder, layout->size, is_wide ? 8 : 4, is_wide ? 4 : 0);
    if (bytes == NULL) return builder->high;
    fletch_store_word(bytes, layout->position - builder->high);
    for (i = 0; i < row_count; i++)
        if ((present >> i & 1u) != 0)
            store_member(bytes + layout->slots[i], builder->high - layout->slots[i], &rows[i],
                         values[i]);
    return builder->high;
}

uint32_t fletch_put_table(fletch_builder *builder, uint32_t shape_id, const struct shape *shape,
                          const int64_t *values, bool is_shared)
{
    if (shape_id == SHAPE_FIELD)
        return put_table(builder, shape_id, shape, ROWS(field_rows), values, is_shared);
    return put_table(builder, shape_id, shape, shape->rows, shape->row_count, values, is_shared);
}

/* Types */

/* A member as a value for put_table; strings and vectors are written for it. */
static int64_t type_value(fletch_builder *builder, const fletch_type *type, const struct row *row)
{
    const void *member = (const char *)type + row->member;

    switch (row->kind) {
    case ROW_BOOL: return *(const bool *)member;
    case ROW_STRING: {
        const fletch_string string = *(const fletch_string *)member;

        return string.size != 0 ? fletch_put_string(builder, string) : 0;
    }
    case ROW_INTEGERS: return fletch_put_integers(builder, (const fletch_integers *)member);
    default: return *(const int32_t *)member;
    }
}

/* Tables without members are the same whatever their type is, and count as Null. */
static int32_t table_id(const fletch_type *type, const struct shape *shape, const int64_t *values)
{
    uint32_t i;

    for (i = 0; i < shape->row_count; i++)
        if (is_present(&shape->rows[i], values[i])) return type->id;
    return FLETCH_TYPE_NULL;
}

static bool is_same_type(const fletch_build_type *place, int32_t id, const int64_t *values)
{
    return place->id == id && place->values[0] == values[0] && place->values[1] == values[1] &&
           place->values[2] == values[2];
}

uint32_t fletch_put_type(fletch_builder *builder, const fletch_type *type)
{
    const struct shape *shape = &fletch_type_shapes[type->id];
    int64_t values[3] = {0, 0, 0};
    fletch_build_type *place;
    uint32_t hash, i;
    int32_t id;

    for (i = 0; i < shape->row_count; i++)
        values[i] = type_value(builder, type, &shape->rows[i]);
    id = table_id(type, shape, values);
    if (id == FLETCH_TYPE_NULL) values[0] = values[1] = values[2] = 0;
    hash = (uint32_t)id;
    for (i = 0; i < 3; i++)
        hash = hash * 31u + (uint32_t)(uint64_t)values[i];
    place = &builder->types[(hash * 0x9E3779B1u) >> 28 & (FLETCH_BUILD_TYPES - 1)];
    if (place->position != 0 && is_same_type(place, id, values)) return place->position;
    place->position =
        fletch_put_table(builder, (uint32_t)id, &fletch_type_shapes[id], values, true);
    place->id = id;
    for (i = 0; i < 3; i++)
        place->values[i] = (int32_t)values[i];
    return place->position;
}
