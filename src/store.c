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
#include "utf8.h"

/* The largest flatbuffer, less what containers and padding add. */
#define STORE_MAX     (FLAT_MAX_SIZE - 4096u)

/* Strings up to this size are shared. */
#define SHARED_STRING 64u

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

void fletch_stick_inside(fletch_builder *builder, const char *name, uint32_t index)
{
    if (builder->step_count == sizeof builder->names / sizeof builder->names[0]) return;
    builder->names[builder->step_count] = name;
    builder->indices[builder->step_count++] = index;
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

/* What follows from block, size, base and full: where the end is, and how much fits before it. */
static void set_room(fletch_builder *builder)
{
    const uint64_t taken = (uint64_t)builder->base + STORE_TAIL;

    builder->room = 0;
    builder->end = NULL;
    if (builder->full != FLETCH_OK || builder->size < taken) return;
    builder->end = builder->block + builder->size - (size_t)taken;
    builder->room = builder->size - taken < STORE_MAX ? builder->size - taken : STORE_MAX;
}

void fletch_set_base(fletch_builder *builder, uint32_t base)
{
    builder->base = base;
    set_room(builder);
}

void fletch_set_full(fletch_builder *builder, uint8_t full)
{
    builder->full = full;
    set_room(builder);
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
    set_room(builder);
    return true;
}

bool fletch_make_room(fletch_builder *builder, uint64_t low, uint64_t high)
{
    const uint64_t wanted = low + builder->base + high + STORE_TAIL;

    if (low + high > STORE_MAX) {
        fletch_stick_reason(builder, FAULT_BUILD_LARGE, (int64_t)(low + high));
        return false;
    }
    if (builder->full == FLETCH_OK) {
        if (wanted <= builder->size) return true;
        if (builder->is_growing && grow(builder, wanted)) return true;
        fletch_set_full(builder, builder->is_growing ? FLETCH_NO_MEMORY : FLETCH_NO_SPACE);
    }
    if (builder->wanted < wanted) builder->wanted = wanted;
    return false;
}

uint8_t *fletch_reserve(fletch_builder *builder, uint64_t size, uint32_t align, uint32_t residue)
{
    const uint32_t before = builder->high;
    uint8_t *bytes = reserve(builder, size, align, residue);

    if (bytes != NULL) memset(bytes, 0, builder->high - before);
    return bytes;
}

void fletch_store_begin(fletch_builder *builder)
{
    builder->low = builder->high = builder->frame = builder->depth = 0;
    builder->base = 0;
    builder->wanted = 0;
    fletch_set_full(builder, FLETCH_OK);
    memset(builder->levels, 0, sizeof builder->levels[0]);
    memset(builder->layouts, 0, sizeof builder->layouts);
    memset(builder->types, 0, sizeof builder->types);
    memset(builder->strings, 0, sizeof builder->strings);
    (void)fletch_reserve(builder, 4, 8, EMPTY_VECTOR);
}

/* Strings */

/* The first and last bytes of a string as numbers, the same on every host; they overlap when it
 * has fewer than 16. */
struct ends {
    uint64_t first, last;
};

static inline uint64_t load_64(const uint8_t *bytes)
{
    fletch_buffer buffer;

    buffer.bytes = bytes;
    buffer.size = 8;
    return (uint64_t)load_u32(buffer, 0) | (uint64_t)load_u32(buffer, 4) << 32;
}

static inline void store_64(uint8_t *to, uint64_t word)
{
    store_word(to, (uint32_t)word);
    store_word(to + 4, (uint32_t)(word >> 32));
}

static inline uint32_t load_32(const uint8_t *bytes)
{
    fletch_buffer buffer;

    buffer.bytes = bytes;
    buffer.size = 4;
    return load_u32(buffer, 0);
}

static inline struct ends ends_of(const uint8_t *bytes, size_t size)
{
    struct ends ends = {0, 0};
    size_t i;

    if (size >= 8) {
        ends.first = load_64(bytes);
        ends.last = load_64(bytes + size - 8);
    } else if (size >= 4) {
        ends.first = load_32(bytes);
        ends.last = load_32(bytes + size - 4);
    } else {
        for (i = 0; i < size; i++)
            ends.first = ends.first << 8 | bytes[i];
    }
    return ends;
}

/* Spreads strings over the cache: their ends and size tell most of them apart. */
static inline uint32_t hash_ends(struct ends ends, size_t size)
{
    const uint64_t hash = (ends.first + ends.last * 31u + size) * UINT64_C(0x9E3779B97F4A7C15);

    return (uint32_t)(hash >> 32) | 1u; /* 0 marks an empty place */
}

/* Where a string is looked for: names and values in one half of the cache, others in the other. */
static inline fletch_build_string *string_place(fletch_builder *builder, uint32_t hash,
                                                enum string_set set)
{
    const uint32_t half = FLETCH_BUILD_STRINGS / 2;

    return &builder->strings[(hash >> 16 & (half - 1)) + (set == STRINGS_NAMES ? 0 : half)];
}

/* Copies a string whose ends are at hand; up to 16 bytes they are all of it. */
static inline void copy_string(uint8_t *to, const uint8_t *bytes, size_t size, struct ends ends)
{
    size_t i;

    if (size > 16) {
        memcpy(to, bytes, size);
    } else if (size >= 8) {
        store_64(to, ends.first);
        store_64(to + size - 8, ends.last);
    } else if (size >= 4) {
        store_word(to, (uint32_t)ends.first);
        store_word(to + size - 4, (uint32_t)ends.last);
    } else {
        for (i = 0; i < size; i++)
            to[i] = bytes[i];
    }
}

/* Whether the string at `position` is this one; up to 16 bytes, its ends are all of it. */
FORCE_INLINE bool is_stored_string(const fletch_builder *builder, uint32_t position,
                                   fletch_string string, struct ends ends)
{
    const uint8_t *bytes = stored(builder, position);

    if (load_32(bytes) != string.size) return false;
    if (string.size >= 8 && string.size <= 16)
        return load_64(bytes + 4) == ends.first &&
               load_64(bytes + 4 + string.size - 8) == ends.last;
    return string.size == 0 || memcmp(bytes + 4, string.data, string.size) == 0;
}

/* Text is UTF-8 at level strict. Returns how much of it is. */
static inline size_t good_text(const fletch_builder *builder, fletch_string string,
                               struct ends ends)
{
    const uint64_t high_bits = UINT64_C(0x8080808080808080);

    if (!builder->is_strict) return string.size;
    if (string.size <= 16 && ((ends.first | ends.last) & high_bits) == 0) return string.size;
    return utf8_prefix(string.data, string.size);
}

static uint32_t refuse_text(fletch_builder *builder, size_t good, const char *name)
{
    struct fault fault;

    fletch_set_fault(&fault, FAULT_UTF8, 0, (int64_t)good, 0);
    fletch_fault_inside(&fault, name, NO_INDEX);
    fletch_stick(builder, &fault);
    return builder->high;
}

FORCE_INLINE uint32_t put_string(fletch_builder *builder, fletch_string string, enum string_set set,
                                 const char *name)
{
    const uint8_t *data = (const uint8_t *)string.data;
    const struct ends ends = ends_of(data, string.size);
    const size_t good = good_text(builder, string, ends);
    fletch_build_string *place = NULL;
    uint8_t *bytes;

    if (good != string.size) return refuse_text(builder, good, name);
    if (string.size == 0) set = STRINGS_OTHERS; /* one for all */
    if (string.size <= SHARED_STRING && set != STRINGS_ONCE) {
        const uint32_t hash = hash_ends(ends, string.size);

        place = string_place(builder, hash, set);
        if (place->hash == hash && builder->full == FLETCH_OK &&
            is_stored_string(builder, place->position, string, ends))
            return place->position;
        place->hash = hash;
    }
    bytes = reserve(builder, (uint64_t)string.size + 5, 4, 0);
    if (place != NULL) place->position = builder->high;
    if (bytes == NULL) return builder->high;
    store_word(bytes, (uint32_t)string.size);
    copy_string(bytes + 4, data, string.size, ends);
    bytes[4 + string.size] = 0;
    return builder->high;
}

uint32_t fletch_put_string(fletch_builder *builder, fletch_string string, enum string_set set,
                           const char *name)
{
    return put_string(builder, string, set, name);
}

uint32_t fletch_put_integers(fletch_builder *builder, const fletch_integers *integers)
{
    const uint32_t width = integers->width;
    const uint64_t size = 4 + (uint64_t)integers->count * width;
    uint8_t *bytes = fletch_reserve(builder, size, width, 4 % width);
    uint32_t i;

    if (bytes == NULL) return builder->high;
    store_word(bytes, integers->count);
    for (i = 0; i < integers->count; i++) {
        const uint64_t element = (uint64_t)fletch_integer_at(integers, i);
        uint8_t *to = bytes + 4 + (size_t)i * width;

        if (width == 8)
            store_64(to, element);
        else
            store_word(to, (uint32_t)element);
    }
    return builder->high;
}

uint32_t fletch_put_waiting(fletch_builder *builder, uint32_t from, uint32_t tag, uint32_t count)
{
    uint8_t *bytes, *to;
    const uint8_t *block;
    uint32_t position, low;
    const uint32_t end = builder->low; /* and block: stores of bytes could change them */

    if (count == 0) return 0;
    bytes = reserve(builder, 4 + 4 * (uint64_t)count, 4, 0);
    if (bytes == NULL) return builder->high;
    block = builder->block;
    store_word(bytes, count);
    to = bytes + 4;
    position = builder->high - 4; /* of the element at `to` */
    for (low = from; low < end; low += 4) {
        uint32_t waiting;

        memcpy(&waiting, block + low, 4);
        waiting ^= tag;
        if ((waiting & 3u) != 0) continue;
        store_word(to, position - waiting);
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
    layout->align = 4;
    for (width = 8; width != 0; width /= 2)
        for (i = 0; i < shape->row_count && i < sizeof layout->slots; i++) {
            if ((present >> i & 1u) == 0 || shape->rows[i].size != width) continue;
            if (width == 8) layout->align = 8;
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
        store_word(to, (uint32_t)(uint64_t)value);
        store_word(to + 4, (uint32_t)((uint64_t)value >> 32));
        break;
    default:
        store_word(to, row->kind >= ROW_STRING ? position - (uint32_t)value
                                               : (uint32_t)(uint64_t)value);
        break;
    }
}

/* The layout of a Field: it has its own eight, by the three members that may be absent. */
FORCE_INLINE fletch_build_layout *field_layout(fletch_builder *builder, bool nullable,
                                               bool has_dictionary, bool has_metadata)
{
    return &builder
                ->layouts[(nullable ? 1 : 0) | (has_dictionary ? 2 : 0) | (has_metadata ? 4 : 0)];
}

/*
 * The place for a shape and the members that are there. Shapes but Field are looked for from where
 * their key leads, place by place; there are fewer of them than places (about 40), and none is ever
 * pushed out: so what is measured when memory has run out is what is written when there is enough.
 */
static inline fletch_build_layout *layout_place(fletch_builder *builder, uint32_t shape_id,
                                                uint32_t present, uint32_t key)
{
    const uint32_t count = FLETCH_BUILD_LAYOUTS - 8;
    uint32_t i, place;

    if (shape_id == SHAPE_FIELD)
        return field_layout(builder, present >> FIELD_NULLABLE & 1u,
                            present >> FIELD_DICTIONARY & 1u, present >> FIELD_METADATA & 1u);
    place = ((key * 0x9E3779B1u) >> 16) % count;
    for (i = 0; i < count; i++, place = (place + 1) % count) {
        fletch_build_layout *layout = &builder->layouts[8 + place];

        if (layout->key == key || layout->position == 0) return layout;
    }
    return &builder->layouts[8];
}

#define FOR_EACH_MEMBER(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6)
#define FIND_MEMBER(i)                                                                             \
    if (row_count > (i) && is_present(&rows[i], values[i])) present |= 1u << (i);
#define STORE_MEMBER(i)                                                                            \
    if (row_count > (i) && (present >> (i)&1u) != 0)                                               \
        store_member(bytes + layout->slots[i], builder->high - layout->slots[i], &rows[i],         \
                     values[i]);

/* Members written out, as in decode.h: with constant rows each is folded with its row. An 8-byte
 * member stands behind the first word, so its table starts at 4 modulo 8. */
FORCE_INLINE uint32_t put_table(fletch_builder *builder, uint32_t shape_id,
                                const struct shape *shape, const struct row *rows,
                                uint32_t row_count, const int64_t *values, bool is_shared)
{
    fletch_build_layout own, *layout = &own;
    uint32_t present = 0, key;
    uint8_t *bytes;

    FOR_EACH_MEMBER(FIND_MEMBER)
    key = 0x8000u | shape_id << 7 | present;
    if (is_shared) layout = layout_place(builder, shape_id, present, key);
    if (!is_shared || layout->key != key)
        find_layout(builder, shape, present, key, is_shared, layout);
    bytes = reserve(builder, layout->size, layout->align, layout->align == 8 ? 4 : 0);
    if (bytes == NULL) return builder->high;
    store_word(bytes, layout->position - builder->high);
    FOR_EACH_MEMBER(STORE_MEMBER)
    return builder->high;
}

#undef FOR_EACH_MEMBER
#undef FIND_MEMBER
#undef STORE_MEMBER

uint32_t fletch_put_table(fletch_builder *builder, uint32_t shape_id, const struct shape *shape,
                          const int64_t *values, bool is_shared)
{
    return put_table(builder, shape_id, shape, shape->rows, shape->row_count, values, is_shared);
}

FORCE_INLINE void store_offset(uint8_t *table, uint32_t position, uint32_t slot, uint32_t target)
{
    store_word(table + slot, position - slot - target);
}

/*
 * A Field whose layout is known; the last word of its place was zeroed. The layout is taken whole
 * first: the compiler would have to load it again after every store of bytes.
 */
FORCE_INLINE void store_field(uint8_t *table, uint32_t position, const fletch_build_layout *layout,
                              struct field_parts parts)
{
    const uint32_t vtable = layout->position;
    const uint32_t name = layout->slots[FIELD_NAME], nullable = layout->slots[FIELD_NULLABLE];
    const uint32_t tag = layout->slots[FIELD_TYPE_TYPE], type = layout->slots[FIELD_TYPE];
    const uint32_t dictionary = layout->slots[FIELD_DICTIONARY];
    const uint32_t children = layout->slots[FIELD_CHILDREN];
    const uint32_t metadata = layout->slots[FIELD_METADATA];

    store_word(table, vtable - position);
    store_offset(table, position, name, parts.name);
    store_offset(table, position, type, parts.type);
    store_offset(table, position, children, parts.children);
    if (parts.dictionary != 0) store_offset(table, position, dictionary, parts.dictionary);
    if (parts.metadata != 0) store_offset(table, position, metadata, parts.metadata);
    table[tag] = (uint8_t)parts.type_id;
    if (parts.nullable) table[nullable] = 1;
}

/* The first Field of its layout, by its rows; the others are written from the layout. */
static uint32_t put_first_field(fletch_builder *builder, const struct field_parts *parts)
{
    int64_t values[7];

    values[FIELD_NAME] = parts->name;
    values[FIELD_NULLABLE] = parts->nullable;
    values[FIELD_TYPE_TYPE] = parts->type_id;
    values[FIELD_TYPE] = parts->type;
    values[FIELD_DICTIONARY] = parts->dictionary;
    values[FIELD_CHILDREN] = parts->children;
    values[FIELD_METADATA] = parts->metadata;
    return put_table(builder, SHAPE_FIELD, &fletch_field_shape, ROWS(field_rows), values, true);
}

uint32_t fletch_put_field(fletch_builder *builder, const struct field_parts *parts)
{
    const fletch_build_layout *layout =
        field_layout(builder, parts->nullable, parts->dictionary != 0, parts->metadata != 0);
    uint8_t *bytes;

    if (layout->position == 0) return put_first_field(builder, parts);
    bytes = reserve(builder, layout->size, 4, 0);
    if (bytes != NULL) store_field(bytes, builder->high, layout, *parts);
    return builder->high;
}

uint32_t fletch_put_pair(fletch_builder *builder, fletch_string key, fletch_string value)
{
    int64_t values[2];

    values[KEY_VALUE_KEY] =
        fletch_put_string(builder, key, STRINGS_OTHERS, key_value_rows[KEY_VALUE_KEY].name);
    if (builder->reason != 0) return 0;
    values[KEY_VALUE_VALUE] =
        fletch_put_string(builder, value, STRINGS_NAMES, key_value_rows[KEY_VALUE_VALUE].name);
    if (builder->reason != 0) return 0;
    return put_table(builder, SHAPE_KEY_VALUE, &fletch_key_value_shape, ROWS(key_value_rows),
                     values, true);
}

/* Types */

/* Ids are written before they are checked; more than a union can have are not written at all. */
static uint32_t put_type_ids(fletch_builder *builder, const fletch_integers *ids)
{
    return ids->count <= 128 ? fletch_put_integers(builder, ids) : 0;
}

/* A text of a type; where it is at fault, that is in the type. */
static int32_t put_type_text(fletch_builder *builder, fletch_string string, const char *name)
{
    const uint32_t position = fletch_put_string(builder, string, STRINGS_OTHERS, name);

    if (builder->reason == FAULT_UTF8) fletch_stick_inside(builder, "type", NO_INDEX);
    return (int32_t)position;
}

/* A member of a type as put_table takes it; strings and vectors are written for it. */
FORCE_INLINE int32_t type_value(fletch_builder *builder, const fletch_type *type,
                                const struct row *row)
{
    const void *member = (const char *)type + row->member;

    switch (row->kind) {
    case ROW_BOOL: return *(const bool *)member;
    case ROW_STRING: {
        const fletch_string string = *(const fletch_string *)member;

        return string.size != 0 ? put_type_text(builder, string, row->name) : 0;
    }
    case ROW_INTEGERS: return (int32_t)put_type_ids(builder, (const fletch_integers *)member);
    default: return *(const int32_t *)member;
    }
}

/* The members of a type with these rows, at most 3; false: all are defaults. */
FORCE_INLINE bool set_values(fletch_builder *builder, const fletch_type *type,
                             const struct row *rows, uint32_t row_count, int32_t *values)
{
    bool has_any = false;

    if (row_count > 0) values[0] = type_value(builder, type, &rows[0]);
    if (row_count > 1) values[1] = type_value(builder, type, &rows[1]);
    if (row_count > 2) values[2] = type_value(builder, type, &rows[2]);
    if (row_count > 0) has_any |= is_present(&rows[0], values[0]);
    if (row_count > 1) has_any |= is_present(&rows[1], values[1]);
    if (row_count > 2) has_any |= is_present(&rows[2], values[2]);
    return has_any;
}

/* The members of a type as put_table takes them; false: all are defaults. */
FORCE_INLINE bool values_of(fletch_builder *builder, const fletch_type *type, int32_t *values)
{
    values[0] = values[1] = values[2] = 0;
    switch (type->id) {
#define TYPE_VALUES(id, name, rows)                                                                \
    case FLETCH_TYPE_##id: return set_values(builder, type, rows, values);
        TYPE_TABLES(TYPE_VALUES)
#undef TYPE_VALUES
    default: return false;
    }
}

/* What stands for a type's table in the cache: its tag and members. */
struct type_key {
    uint64_t words[2];
};

FORCE_INLINE struct type_key key_of(int32_t id, const int32_t *values)
{
    struct type_key key;

    key.words[0] = (uint64_t)(uint32_t)id | (uint64_t)(uint32_t)values[0] << 32;
    key.words[1] = (uint64_t)(uint32_t)values[1] | (uint64_t)(uint32_t)values[2] << 32;
    return key;
}

FORCE_INLINE bool has_key(const fletch_build_type *place, struct type_key key)
{
    return place->key[0] == key.words[0] && place->key[1] == key.words[1];
}

static inline uint64_t hash_key(struct type_key key)
{
    return (key.words[0] + key.words[1] * 31u) * UINT64_C(0x9E3779B97F4A7C15);
}

/* The place for a key: one of a pair; what is newly put there pushes the older one out. */
FORCE_INLINE fletch_build_type *type_place(fletch_builder *builder, struct type_key key)
{
    fletch_build_type *pair = &builder->types[hash_key(key) >> 60 & (FLETCH_BUILD_TYPES - 2)];

    if (has_key(pair, key)) return pair;
    if (has_key(pair + 1, key)) return pair + 1;
    pair[1] = pair[0];
    return pair;
}

/*
 * Keys with positions in them differ between measuring and storing, so they have places of their
 * own, where what they find or push out changes no other type: then what was measured is enough.
 */
static fletch_build_type *zoned_place(fletch_builder *builder, struct type_key key)
{
    return &builder->types[FLETCH_BUILD_TYPES + (hash_key(key) >> 60 & (FLETCH_BUILD_ZONED - 1))];
}

/* Checks and writes a type that is not in the cache. */
static uint32_t put_new_type(fletch_builder *builder, const fletch_type *type, int32_t id,
                             const int32_t *values, fletch_build_type *place,
                             struct finding *finding)
{
    const struct type_key key = key_of(id, values);
    const int64_t wide[3] = {values[0], values[1], values[2]};

    if (!fletch_check_type(type, finding)) {
        place->key[0] = 0; /* what stood there has moved or gone */
        return 0;
    }
    place->position = fletch_put_table(builder, (uint32_t)id, &fletch_type_shapes[id], wide, true);
    place->key[0] = key.words[0];
    place->key[1] = key.words[1];
    return place->position;
}

/* Whether a type's members include positions of what was written for it. */
static inline bool has_positions(const fletch_type *type)
{
    return type->id == FLETCH_TYPE_UNION ||
           (type->id == FLETCH_TYPE_TIMESTAMP && type->as.timestamp.timezone.size != 0);
}

/*
 * A type that is in the cache was checked when it was put there, so it need not be again. Tables
 * without members are the same whatever their type is, and count as Null; they are checked always,
 * since not every type may have all defaults.
 */
FORCE_INLINE uint32_t put_type(fletch_builder *builder, const fletch_type *type,
                               struct finding *finding)
{
    fletch_build_type *place;
    struct type_key key;
    int32_t values[3], id = type->id;

    finding->reason = FAULT_NONE;
    if (!values_of(builder, type, values)) {
        if (!fletch_check_type(type, finding)) return 0;
        id = FLETCH_TYPE_NULL;
        values[0] = values[1] = values[2] = 0;
    }
    key = key_of(id, values);
    place = has_positions(type) ? zoned_place(builder, key) : type_place(builder, key);
    if (has_key(place, key)) return place->position;
    return put_new_type(builder, type, id, values, place, finding);
}

uint32_t fletch_put_type(fletch_builder *builder, const fletch_type *type, struct finding *finding)
{
    return put_type(builder, type, finding);
}

/* A short ASCII name among the shared ones: its position, or 0 and it is the next to be found. */
FORCE_INLINE uint32_t share_name(fletch_builder *builder, fletch_string name, struct ends ends,
                                 uint32_t next)
{
    const uint32_t hash = hash_ends(ends, name.size);
    fletch_build_string *place = string_place(builder, hash, STRINGS_NAMES);

    if (place->hash == hash && is_stored_string(builder, place->position, name, ends))
        return place->position;
    place->hash = hash;
    place->position = next;
    return 0;
}

/*
 * A leaf's name, its Field table and its waiting position, all at once: the commonest case by far,
 * with a short ASCII name, room enough and a vtable written before. False: it is not that case, and
 * nothing was done. Top-level names hardly ever come twice, so they are not looked up.
 */
FORCE_INLINE bool put_leaf_at_once(fletch_builder *builder, fletch_string name,
                                   struct field_parts parts, uint32_t *field)
{
    const fletch_build_layout *layout = field_layout(builder, parts.nullable, false, false);
    const uint8_t *data = (const uint8_t *)name.data;
    const struct ends ends = ends_of(data, name.size);
    const uint32_t table_size = (layout->size + 3u) & ~3u;
    const uint32_t high = builder->high;
    const uint64_t text_at = high + (((uint64_t)name.size + 8) & ~UINT64_C(3));
    uint8_t *const end = builder->end;
    uint32_t position = high;

    if (name.size == 0 || name.size > 16 || layout->position == 0 ||
        ((ends.first | ends.last) & UINT64_C(0x8080808080808080)) != 0 ||
        builder->low + text_at + table_size + 4 > builder->room)
        return false;
    if (builder->depth != 0) parts.name = share_name(builder, name, ends, (uint32_t)text_at);
    if (parts.name == 0) {
        parts.name = position = (uint32_t)text_at;
        store_word(end - high - 4, 0);
        store_word(end - position, (uint32_t)name.size);
        copy_string(end - position + 4, data, name.size, ends);
    }
    position += table_size;
    store_word(end - position + table_size - 4, 0);
    store_field(end - position, position, layout, parts);
    builder->high = *field = position;
    push_checked(builder, position | WAIT_CHILD);
    return true;
}

/* A leaf in any other case. Apart, and by value, so that the parts of the common case stay in
 * registers. */
static uint32_t put_leaf_in_steps(fletch_builder *builder, fletch_string name,
                                  struct field_parts parts)
{
    uint32_t field;

    parts.name =
        fletch_put_string(builder, name, builder->depth != 0 ? STRINGS_NAMES : STRINGS_ONCE,
                          field_rows[FIELD_NAME].name);
    if (builder->reason != 0) return 0;
    field = fletch_put_field(builder, &parts);
    push(builder, field | WAIT_CHILD);
    return builder->reason == 0 ? field : 0;
}

/* All of it is compiled in one piece. */
uint32_t fletch_put_leaf(fletch_builder *builder, fletch_string name, const fletch_type *type,
                         bool nullable, struct finding *finding)
{
    const uint32_t type_at = put_type(builder, type, finding);
    const struct field_parts parts = {0, nullable, type->id, type_at, 0, EMPTY_VECTOR, 0};
    uint32_t field;

    if (finding->reason != FAULT_NONE || builder->reason != 0) return 0;
    if (put_leaf_at_once(builder, name, parts, &field)) return field;
    return put_leaf_in_steps(builder, name, parts);
}
