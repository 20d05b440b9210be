/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the pieces of a flatbuffer.
 *
 * Memory is touched through reserve, which hands out exactly the bytes that it checked, and through
 * push and pushed at the low end; in plain.c in one piece, once may_be_plain has found room for all
 * of it. low + base + high + STORE_TAIL <= size as long as the builder is not full.
 */
#include "store.h"

#include "short_string.h"
#include "utf8.h"

/* Errors */

fletch_status fletch_stick(fletch_builder *builder, const struct fault *fault)
{
    uint32_t i;

    if (builder->reason == FAULT_NONE) {
        close_room(builder);
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

/* Memory */

/* What follows from block, size, base and full: where the end is, and how much fits before it. */
static void set_room(fletch_builder *builder)
{
    const uint64_t taken = (uint64_t)builder->base + STORE_TAIL;

    close_room(builder);
    builder->end = NULL;
    if (builder->full != FLETCH_OK || builder->size < taken) return;
    builder->end = builder->block + builder->size - (size_t)taken;
    if (IS_SMALL) return; /* where nothing asks for the room */
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
    uint8_t *bytes = take_bytes(builder, size, align, residue);

    if (bytes != NULL && !IS_SMALL) memset(bytes, 0, builder->high - before);
    return bytes;
}

void fletch_store_begin(fletch_builder *builder)
{
    builder->low = builder->high = builder->frame = builder->depth = 0;
    builder->base = builder->layout_count = builder->bare_type = 0;
    builder->wanted = 0;
    fletch_set_full(builder, FLETCH_OK);
    memset(builder->levels, 0, sizeof builder->levels[0]);
    /* And types and strings, which stand behind. A size that compilers know makes some of them
     * write `rep stos`, which takes longer than the library's function. */
    memset(builder->layouts, 0,
           keep((uint32_t)(sizeof *builder - offsetof(fletch_builder, layouts))));
    (void)fletch_reserve(builder, 4, 8, EMPTY_VECTOR);
}

/* Strings */

/* Text is UTF-8 at level strict. Returns how much of it is. */
static inline size_t good_text(const fletch_builder *builder, fletch_string string,
                               struct ends ends)
{
    if (!builder->is_strict) return string.size;
    if (!IS_SMALL && string.size <= 16 && ((ends.first | ends.last) & HIGH_BITS) == 0)
        return string.size;
    if (IS_SMALL) return fletch_utf8_end((const uint8_t *)string.data, 0, string.size);
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
        if (builder->full == FLETCH_OK && is_at(builder, place, hash, string, ends))
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

uint32_t fletch_find_string(fletch_builder *builder, fletch_string string, enum string_set set)
{
    const struct ends ends = ends_of((const uint8_t *)string.data, string.size);
    const uint32_t hash = hash_ends(ends, string.size);
    const fletch_build_string *place = string_place(builder, hash, set);

    if (IS_SMALL || builder->room == 0 || !is_at(builder, place, hash, string, ends))
        return STRING_UNKNOWN;
    return place->position;
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

/*
 * The offsets of a vector whose first element stands at `position` to what waits, as if all had
 * this tag; whether they have. Two at a time where the order of bytes allows: an offset is
 * positive, so the lower half borrows nothing from the upper one. Positions are multiples of 4, so
 * an offset to another tag is not.
 */
static bool store_alike(uint8_t *to, const uint8_t *waiting, uint32_t position, uint32_t tag,
                        uint32_t count)
{
    const uint64_t step = UINT64_C(0x800000008);
    const uint32_t pairs = IS_LITTLE_ENDIAN ? count / 2 : 0;
    uint64_t two, seen = 0, places;
    uint32_t word, i;

    position += tag;
    for (i = 2 * pairs; i != count; i++) {
        memcpy(&word, waiting, 4);
        word = position - word;
        store_word(to, word);
        seen |= word;
        position -= 4;
        to += 4;
        waiting += 4;
    }
    places = position | (uint64_t)(position - 4) << 32;
    for (i = 0; i != pairs; i++, places -= step, to += 8, waiting += 8) {
        memcpy(&two, waiting, 8);
        two = places - two;
        memcpy(to, &two, 8);
        seen |= two;
    }
    return (seen & UINT64_C(0x300000003)) == 0;
}

/* The same where other tags wait between them. */
static void store_those(uint8_t *to, const uint8_t *waiting, const uint8_t *end, uint32_t position,
                        uint32_t tag)
{
    for (; waiting != end; waiting += 4) {
        uint32_t word;

        memcpy(&word, waiting, 4);
        word ^= tag;
        if ((word & 3u) != 0) continue;
        store_word(to, position - word);
        to += 4;
        position -= 4;
    }
}

/* So few are looked at one by one, whether alike or not. */
#define FEW_WAITING 4u

uint32_t fletch_put_waiting(fletch_builder *builder, uint32_t from, uint32_t tag, uint32_t count)
{
    const uint32_t end = builder->low;
    uint8_t *bytes;

    if (count == 0) return 0;
    bytes = reserve(builder, 4 + 4 * (uint64_t)count, 4, 0);
    if (bytes == NULL) return builder->high;
    store_word(bytes, count);
    if (!IS_SMALL && IS_LITTLE_ENDIAN && end - from > 4 * FEW_WAITING &&
        (store_alike(bytes + 4, builder->block + from, builder->high - 4, tag, count) ||
         store_alike(bytes + 4, builder->block + end - 4 * count, builder->high - 4, tag, count)))
        return builder->high;
    store_those(bytes + 4, builder->block + from, builder->block + end, builder->high - 4, tag);
    return builder->high;
}

/* Tables */

/* The same as lay_out, width by width: half the code, twice the work. */
static void lay_out_by_width(const struct shape *shape, uint32_t present,
                             fletch_build_layout *layout)
{
    uint32_t size = 4, width, i;

    memset(layout->slots, 0, sizeof layout->slots);
    layout->align = 4;
    for (width = 8; width != 0; width /= 2) {
        for (i = 0; i < shape->row_count; i++) {
            if (shape->rows[i].size != width || (present >> i & 1u) == 0) continue;
            layout->slots[i] = (uint8_t)size;
            size += width;
            if (width == 8) layout->align = 8;
        }
    }
    layout->size = (uint8_t)size;
}

/* A slot's place in the eight bytes of a layout. */
static inline uint64_t slot_of(uint32_t slot, uint32_t place)
{
    return (uint64_t)place << 8 * slot;
}

/* The byte of a word that counts for members of this size, which is 1, 2, 4 or 8. */
static inline uint32_t lane_of(uint32_t size)
{
    return 8 * (size - 1);
}

/*
 * Where the members stand in the table: the widest first, so that none needs padding. A byte for
 * each width says how many bytes such members take, then where the next of them stands; a table has
 * at most 7, so none goes beyond 60.
 */
static void lay_out(const struct shape *shape, uint32_t present, fletch_build_layout *layout)
{
    uint64_t taken = 0, next, slots = 0;
    uint32_t size, i;

    for (i = 0; i < shape->row_count; i++) {
        size = shape->rows[i].size;
        if ((present >> i & 1u) != 0) taken += (uint64_t)size << lane_of(size);
    }
    size = 4 + (uint32_t)(taken >> lane_of(8));
    layout->align = size != 4 ? 8 : 4;
    next = UINT64_C(4) << lane_of(8) | (uint64_t)size << lane_of(4);
    size += (uint32_t)(taken >> lane_of(4)) & 0xFF;
    next |= (uint64_t)size << lane_of(2);
    size += (uint32_t)(taken >> lane_of(2)) & 0xFF;
    next |= size;
    layout->size = (uint8_t)(size + ((uint32_t)taken & 0xFF));
    for (i = 0; i < shape->row_count; i++) {
        size = shape->rows[i].size;
        if ((present >> i & 1u) == 0) continue;
        slots |= slot_of(i, (uint32_t)(next >> lane_of(size)) & 0xFF);
        next += (uint64_t)size << lane_of(size);
    }
    store_64(layout->slots, slots);
}

/* An equal vtable among those remembered, whatever table it was written for; 0: none. */
static uint32_t find_equal_vtable(const fletch_builder *builder, const fletch_build_layout *layout)
{
    uint64_t slots, others;
    uint32_t i;

    memcpy(&slots, layout->slots, sizeof slots);
    for (i = 0; i < builder->layout_count; i++) {
        const fletch_build_layout *other =
            &builder->layouts[IS_SMALL ? i : builder->layout_order[i]];

        memcpy(&others, other->slots, sizeof others);
        if (others == slots && other->size == layout->size) return other->position;
    }
    return 0;
}

/* How many slots a vtable has when those at the end that are absent are left out. Two at a time:
 * most layouts have few. */
static uint32_t slot_count(const fletch_build_layout *layout)
{
    uint32_t count = sizeof layout->slots;

    while (!IS_SMALL && count > 2 && (layout->slots[count - 1] | layout->slots[count - 2]) == 0)
        count -= 2;
    while (count != 0 && layout->slots[count - 1] == 0)
        count--;
    return count;
}

static void put_vtable(fletch_builder *builder, fletch_build_layout *layout)
{
    const uint32_t count = slot_count(layout);
    uint8_t *bytes;
    uint32_t i;

    bytes = reserve(builder, 4 + 2 * count, 2, 0);
    layout->position = builder->high;
    if (bytes == NULL) return;
    store_half(bytes, 4 + 2 * count);
    store_half(bytes + 2, layout->size);
    for (i = 0; i < count; i++)
        store_half(bytes + 4 + 2 * i, layout->slots[i]);
}

/* The vtable for a layout that is to be shared: an equal one, or its own. */
static void share_vtable(fletch_builder *builder, fletch_build_layout *layout)
{
    layout->position = find_equal_vtable(builder, layout);
    if (!IS_SMALL)
        builder->layout_order[builder->layout_count] = (uint8_t)(layout - builder->layouts);
    builder->layout_count++;
    if (layout->position == 0) put_vtable(builder, layout);
}

/* The vtable for the members that are there, and the layout that it says. */
static void find_layout(fletch_builder *builder, const struct shape *shape, uint32_t present,
                        uint32_t key, bool is_shared, fletch_build_layout *layout)
{
    if (IS_SMALL)
        lay_out_by_width(shape, present, layout);
    else
        lay_out(shape, present, layout);
    layout->key = (uint16_t)key;
    layout->position = 0; /* so that it does not find itself */
    if (is_shared)
        share_vtable(builder, layout);
    else
        put_vtable(builder, layout);
}

/* The layout that store_offsets writes, which is the rows', and its vtable. */
static void lay_out_field(fletch_builder *builder, fletch_build_layout *layout,
                          const struct field_parts *parts)
{
    uint64_t slots = slot_of(FIELD_NAME, 4) | slot_of(FIELD_TYPE, 8);
    uint32_t size = 12;

    if (parts->dictionary != 0) {
        slots |= slot_of(FIELD_DICTIONARY, size);
        size += 4;
    }
    slots |= slot_of(FIELD_CHILDREN, size);
    size += 4;
    if (parts->metadata != 0) {
        slots |= slot_of(FIELD_METADATA, size);
        size += 4;
    }
    if (parts->nullable) slots |= slot_of(FIELD_NULLABLE, size++);
    slots |= slot_of(FIELD_TYPE_TYPE, size++);
    layout->size = (uint8_t)size;
    store_64(layout->slots, slots);
    share_vtable(builder, layout);
}

uint32_t fletch_put_first_field(fletch_builder *builder, const struct field_parts *parts)
{
    fletch_build_layout *layout =
        field_layout(builder, parts->nullable, parts->dictionary != 0, parts->metadata != 0);
    uint32_t slot;
    uint8_t *bytes;

    lay_out_field(builder, layout, parts);
    bytes = reserve(builder, layout->size, 4, 0);
    if (bytes == NULL) return builder->high;
    slot = store_offsets(bytes, builder->high, layout->position, *parts);
    if (parts->nullable) bytes[slot++] = 1;
    bytes[slot] = (uint8_t)parts->type_id;
    return builder->high;
}

static void lay_out_pair(fletch_builder *builder, fletch_build_layout *layout)
{
    layout->size = 12;
    store_64(layout->slots, slot_of(KEY_VALUE_KEY, 4) | slot_of(KEY_VALUE_VALUE, 8));
    share_vtable(builder, layout);
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

/* The place for a key in a small build, where they are taken one after the other. */
static inline fletch_build_layout *first_place(fletch_builder *builder, uint32_t key)
{
    uint32_t i = 0;

    while (i < builder->layout_count && builder->layouts[i].key != key)
        i++;
    return &builder->layouts[i < FLETCH_BUILD_LAYOUTS ? i : 0];
}

/*
 * The place for a shape and the members that are there. Other shapes are looked for from where
 * their key leads, place by place; there are fewer of them than places (about 40), and none is ever
 * pushed out: so what is measured when memory has run out is what is written when there is enough.
 */
static inline fletch_build_layout *layout_place(fletch_builder *builder, uint32_t key)
{
    const uint32_t first = FIELD_LAYOUTS + 1, count = FLETCH_BUILD_LAYOUTS - first;
    uint32_t i, place;

    if (IS_SMALL) return first_place(builder, key);
    place = ((key * 0x9E3779B1u) >> 16) % count;
    for (i = 0; i < count; i++, place = (place + 1) % count) {
        fletch_build_layout *layout = &builder->layouts[first + place];

        if (layout->key == key || layout->position == 0) return layout;
    }
    return &builder->layouts[first];
}

/* An 8-byte member stands behind the first word, so its table starts at 4 modulo 8. */
uint32_t fletch_put_table(fletch_builder *builder, uint32_t shape_id, const struct shape *shape,
                          const int64_t *values, bool is_shared)
{
    const struct row *rows = shape->rows;
    fletch_build_layout own, *layout = &own;
    uint32_t present = 0, key, i;
    uint8_t *bytes;

    for (i = 0; i < shape->row_count; i++)
        if (is_present(&rows[i], values[i])) present |= 1u << i;
    key = 0x8000u | shape_id << 7 | present;
    if (is_shared) layout = layout_place(builder, key);
    if (!is_shared || layout->key != key)
        find_layout(builder, shape, present, key, is_shared, layout);
    bytes = reserve(builder, layout->size, layout->align, layout->align == 8 ? 4 : 0);
    if (bytes == NULL) return builder->high;
    store_word(bytes, layout->position - builder->high);
    for (i = 0; i < shape->row_count; i++)
        if ((present >> i & 1u) != 0)
            store_member(bytes + layout->slots[i], builder->high - layout->slots[i], &rows[i],
                         values[i]);
    return builder->high;
}

uint32_t fletch_put_field_by_rows(fletch_builder *builder, const struct field_parts *parts)
{
    int64_t values[7];

    values[FIELD_NAME] = parts->name;
    values[FIELD_NULLABLE] = parts->nullable;
    values[FIELD_TYPE_TYPE] = parts->type_id;
    values[FIELD_TYPE] = parts->type;
    values[FIELD_DICTIONARY] = parts->dictionary;
    values[FIELD_CHILDREN] = parts->children;
    values[FIELD_METADATA] = parts->metadata;
    return fletch_put_table(builder, SHAPE_FIELD, &fletch_field_shape, values, true);
}

/* A KeyValue by its rows, likewise. */
static uint32_t put_pair_by_rows(fletch_builder *builder, uint32_t key, uint32_t value)
{
    int64_t values[2];

    values[KEY_VALUE_KEY] = key;
    values[KEY_VALUE_VALUE] = value;
    return fletch_put_table(builder, SHAPE_KEY_VALUE, &fletch_key_value_shape, values, true);
}

uint32_t fletch_put_pair(fletch_builder *builder, fletch_string key, fletch_string value)
{
    fletch_build_layout *layout = pair_layout(builder);
    uint32_t key_at, value_at;
    uint8_t *bytes;

    key_at = put_string(builder, key, STRINGS_OTHERS, key_value_rows[KEY_VALUE_KEY].name);
    if (builder->reason != 0) return 0;
    value_at = put_string(builder, value, STRINGS_NAMES, key_value_rows[KEY_VALUE_VALUE].name);
    if (builder->reason != 0) return 0;
    if (IS_SMALL) return put_pair_by_rows(builder, key_at, value_at);
    if (layout->position == 0) lay_out_pair(builder, layout);
    bytes = reserve(builder, layout->size, 4, 0);
    if (bytes != NULL) store_pair(bytes, builder->high, layout->position, key_at, value_at);
    return builder->high;
}
