/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the pieces of a flatbuffer: the other half of flat.h and decode.h, from the same rows.
 *
 * Finished bytes grow down from the end of the block, so what an offset leads to is written before
 * the offset. A position is the distance from the end to an object's first byte: it does not
 * change when the block moves, and the difference of two positions is an offset. Positions count
 * alignment from the end; the whole is a multiple of 8 bytes, so that is alignment from the start.
 *
 * When memory runs out, everything goes on as before but that nothing is stored: positions, counts
 * and the caches that need no look at stored bytes stay right, so the size told at last is the size
 * that the same calls take.
 */
#ifndef FLETCH_SRC_STORE_H
#define FLETCH_SRC_STORE_H

#include "fletch/build.h"
#include "rules.h"

#include <string.h>

/* The largest flatbuffer, less what containers and padding add. */
#define STORE_MAX    (FLAT_MAX_SIZE - 4096u)

/* Bytes behind the finished ones, for what a container puts there. */
#define STORE_TAIL   16u

/* The empty vector, written first; its elements would be 8-aligned, so it serves for all kinds. */
#define EMPTY_VECTOR 4u

/* What waits at the low end, by the low bits of its position. */
enum { WAIT_CHILD = 0, WAIT_PAIR = 1, WAIT_MESSAGE_PAIR = 2, WAIT_FOOTER_PAIR = 3 };

/* Starts with the empty vector, and nothing remembered. */
void fletch_store_begin(fletch_builder *builder);

/* Makes room for that much at the ends, or says that nothing is to be stored. */
COLD bool fletch_make_room(fletch_builder *builder, uint64_t low, uint64_t high);

static inline bool has_room(fletch_builder *builder, uint64_t low, uint64_t high)
{
    return (!IS_SMALL && low + high <= builder->room) || fletch_make_room(builder, low, high);
}

/*
 * Words are stored whole, each from its register. Left to themselves, compilers gather the bytes of
 * several into a vector, by way of memory that they just wrote (10 ns a field); so where the order
 * of bytes is known to be the format's, they are not told of bytes.
 */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define IS_LITTLE_ENDIAN 1
#else
#define IS_LITTLE_ENDIAN 0
#endif

static inline void store_half(uint8_t *to, uint32_t half)
{
    const uint16_t whole = (uint16_t)half;

    if (IS_LITTLE_ENDIAN) {
        memcpy(to, &whole, 2);
        return;
    }
    to[0] = (uint8_t)half;
    to[1] = (uint8_t)(half >> 8);
}

FORCE_INLINE void store_word(uint8_t *to, uint32_t word)
{
    word = keep(word);
    if (IS_LITTLE_ENDIAN) {
        memcpy(to, &word, 4);
        return;
    }
    to[0] = (uint8_t)word;
    to[1] = (uint8_t)(word >> 8);
    to[2] = (uint8_t)(word >> 16);
    to[3] = (uint8_t)(word >> 24);
}

/* Keeps compilers from gathering the words on both sides of it into one wide store: that takes
 * longer than to store them (1 ns a field). */
FORCE_INLINE void store_apart(void)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
    __asm__ __volatile__("" ::: "memory");
#endif
}

FORCE_INLINE void store_64(uint8_t *to, uint64_t word)
{
    word = keep_64(word);
    if (IS_LITTLE_ENDIAN) {
        memcpy(to, &word, 8);
        return;
    }
    store_word(to, (uint32_t)word);
    store_word(to + 4, (uint32_t)(word >> 32));
}

/* The same for words with nothing beside them that they might be gathered with (0.3 ns a field). */
FORCE_INLINE void store_lone_word(uint8_t *to, uint32_t word)
{
    if (IS_LITTLE_ENDIAN) {
        memcpy(to, &word, 4);
        return;
    }
    store_word(to, word);
}

FORCE_INLINE void store_lone_64(uint8_t *to, uint64_t word)
{
    if (IS_LITTLE_ENDIAN) {
        memcpy(to, &word, 8);
        return;
    }
    store_64(to, word);
}

/*
 * Takes `size` bytes at the end, zeroed, so that the new position is `residue` modulo `align`.
 * NULL when nothing is to be stored (full, or too large: then the builder has its error).
 */
uint8_t *fletch_reserve(fletch_builder *builder, uint64_t size, uint32_t align, uint32_t residue);

/*
 * Takes bytes as fletch_reserve does, but only the padding behind the object, at most 7 bytes, is
 * sure to be zero: the last word or two of all that was taken are zeroed, before the caller writes
 * the object.
 */
FORCE_INLINE uint8_t *take_bytes(fletch_builder *builder, uint64_t size, uint32_t align,
                                 uint32_t residue)
{
    static const uint8_t zeros[8] = {0};
    const uint32_t before = builder->high;
    uint64_t high = before + size;
    uint8_t *bytes;

    high += (residue - (uint32_t)high) & (align - 1);
    if (!has_room(builder, builder->low, high)) {
        if (builder->reason == 0) builder->high = (uint32_t)high;
        return NULL;
    }
    builder->high = (uint32_t)high;
    bytes = builder->end - (uint32_t)high;
    if (high - before >= 8 && !IS_SMALL)
        memcpy(builder->end - before - 8, zeros, 8);
    else
        memset(bytes, 0, (size_t)(high - before));
    return bytes;
}

/* The same; in a small build by the one function that does it. */
FORCE_INLINE uint8_t *reserve(fletch_builder *builder, uint64_t size, uint32_t align,
                              uint32_t residue)
{
    return IS_SMALL ? fletch_reserve(builder, size, align, residue)
                    : take_bytes(builder, size, align, residue);
}

/* A word that waits at the low end, for which there is room. */
static inline void push_checked(fletch_builder *builder, uint32_t word)
{
    memcpy(builder->block + builder->low, &word, 4);
    builder->low += 4;
}

/* The same, room or not. */
static inline void push(fletch_builder *builder, uint32_t word)
{
    if (has_room(builder, (uint64_t)builder->low + 4, builder->high))
        push_checked(builder, word);
    else if (builder->reason == 0)
        builder->low += 4;
}

static inline uint32_t pushed(const fletch_builder *builder, uint32_t low)
{
    uint32_t word;

    memcpy(&word, builder->block + low, 4);
    return word;
}

/* Where the object at `position` is in memory; not to be used when the builder is full. */
static inline uint8_t *stored(const fletch_builder *builder, uint32_t position)
{
    return builder->end - position;
}

/* Sets how many bytes at the end `high` does not count. */
void fletch_set_base(fletch_builder *builder, uint32_t base);

/* Takes the room away when no field may be added any more, so that one look at it does for leaves;
 * others are checked otherwise, and get room by fletch_make_room. */
static inline void close_room(fletch_builder *builder)
{
    if (!IS_SMALL) builder->room = 0;
}

/* Sets whether memory has run out: FLETCH_OK, or the status. */
void fletch_set_full(fletch_builder *builder, uint8_t full);

/* Each writes an object, or finds one that was written before, and gives its position. */
uint32_t fletch_put_integers(fletch_builder *builder, const fletch_integers *integers);

/* Writes a type, or finds it; 0 with the finding when it breaks a rule. The builder may get a fault
 * of its text, at a member of the type. */
uint32_t fletch_put_type(fletch_builder *builder, const fletch_type *type, struct finding *finding);

/* Which strings a string may be shared with: names and values, many of which come once, do not push
 * keys and zones out of the cache; top-level names hardly ever come twice and are not looked up. */
enum string_set { STRINGS_NAMES, STRINGS_OTHERS, STRINGS_ONCE };

/* Writes a string, or finds it. At level strict it must be UTF-8: else the builder gets the fault,
 * at the member `name`. */
uint32_t fletch_put_string(fletch_builder *builder, fletch_string string, enum string_set set,
                           const char *name);

/* The position of a string that was written before, or STRING_UNKNOWN, also where no field may be
 * added any more. */
uint32_t fletch_find_string(fletch_builder *builder, fletch_string string, enum string_set set);
#define STRING_UNKNOWN UINT32_MAX

/*
 * A table from the values of its members, in the order of its rows: scalars as they are, positions
 * for what an offset leads to (0: absent). `is_shared`: its vtable may be an earlier one.
 */
uint32_t fletch_put_table(fletch_builder *builder, uint32_t shape_id, const struct shape *shape,
                          const int64_t *values, bool is_shared);

/* A KeyValue. */
uint32_t fletch_put_pair(fletch_builder *builder, fletch_string key, fletch_string value);

/* Whether a member is written: an offset, or a scalar that is not what absent means. */
FORCE_INLINE bool is_present(const struct row *row, int64_t value)
{
    return value != (row->kind >= ROW_STRING ? 0 : row->absent);
}

/* A Field, from the positions of its parts; dictionary and metadata may be 0. */
struct field_parts {
    uint32_t name;
    bool nullable;
    int32_t type_id;
    uint32_t type, dictionary, children, metadata;
};

/* The layouts of a Field, by the three members that may be absent. */
#define FIELD_LAYOUTS 8u

/* The layout of a Field: it has its own eight, by the members that may be absent. */
FORCE_INLINE fletch_build_layout *field_layout(fletch_builder *builder, bool nullable,
                                               bool has_dictionary, bool has_metadata)
{
    return &builder
                ->layouts[(nullable ? 1 : 0) | (has_dictionary ? 2 : 0) | (has_metadata ? 4 : 0)];
}

FORCE_INLINE void store_offset(uint8_t *table, uint32_t position, uint32_t slot, uint32_t target)
{
    store_word(table + slot, position - slot - target);
    store_apart();
}

/*
 * A Field whose vtable is known, but for its bytes, where lay_out puts its members: offsets by
 * their slots, then the bytes. Returns the slot of the first of these. What is constant folds it.
 */
FORCE_INLINE uint32_t store_offsets(uint8_t *table, uint32_t position, uint32_t vtable,
                                    struct field_parts parts)
{
    uint32_t slot = 12;

    store_word(table, vtable - position);
    store_offset(table, position, 4, parts.name);
    store_offset(table, position, 8, parts.type);
    if (parts.dictionary != 0) {
        store_offset(table, position, slot, parts.dictionary);
        slot += 4;
    }
    store_offset(table, position, slot, parts.children);
    slot += 4;
    if (parts.metadata != 0) {
        store_offset(table, position, slot, parts.metadata);
        slot += 4;
    }
    return slot;
}

/* The same, and the bytes in a word, since the last object ends at a multiple of 4. */
FORCE_INLINE void store_field(uint8_t *table, uint32_t position, uint32_t vtable,
                              struct field_parts parts)
{
    const uint32_t slot = store_offsets(table, position, vtable, parts);

    store_word(table + slot, parts.nullable | (uint32_t)parts.type_id << 8 * parts.nullable);
}

/* A Field by its rows, as a small build puts all. */
uint32_t fletch_put_field_by_rows(fletch_builder *builder, const struct field_parts *parts);

/* The first Field of its layout, with the vtable in front of it. */
uint32_t fletch_put_first_field(fletch_builder *builder, const struct field_parts *parts);

FORCE_INLINE uint32_t put_field(fletch_builder *builder, struct field_parts parts)
{
    const fletch_build_layout *layout =
        field_layout(builder, parts.nullable, parts.dictionary != 0, parts.metadata != 0);
    uint8_t *bytes;

    if (IS_SMALL) return fletch_put_field_by_rows(builder, &parts);
    if (layout->position == 0) return fletch_put_first_field(builder, &parts);
    bytes = reserve(builder, layout->size, 4, 0);
    if (bytes != NULL) store_field(bytes, builder->high, layout->position, parts);
    return builder->high;
}

/* The layout of a KeyValue: its members are always there. */
FORCE_INLINE fletch_build_layout *pair_layout(fletch_builder *builder)
{
    return &builder->layouts[FIELD_LAYOUTS];
}

/* A KeyValue whose vtable is known. */
FORCE_INLINE void store_pair(uint8_t *table, uint32_t position, uint32_t vtable, uint32_t key,
                             uint32_t value)
{
    store_word(table, vtable - position);
    store_offset(table, position, 4, key);
    store_offset(table, position, 8, value);
}

/* The words of an open field's record at the low end: where the record around it stands, then
 * positions. */
enum { FRAME_BEFORE, FRAME_NAME, FRAME_TYPE, FRAME_DICTIONARY, FRAME_WORDS };

/* The record of a field that is being opened; it has no dictionary yet. */
FORCE_INLINE void write_frame(uint8_t *record, uint32_t before, uint32_t name, uint32_t type)
{
    const uint32_t words[FRAME_WORDS] = {keep(before), keep(name), keep(type), 0};

    memcpy(record, &words[0], 4);
    memcpy(record + 4, &words[1], 4);
    memcpy(record + 8, &words[2], 4);
    memcpy(record + 12, &words[3], 4);
}

/* In a level: a union's type ids are left to count themselves. */
#define UNCOUNTED 255u

/* Whether a type has rules for its children, but their number. */
static inline bool asks_of_children(int32_t type)
{
    return type == FLETCH_TYPE_MAP || type == FLETCH_TYPE_RUN_END_ENCODED;
}

/* What a field that is opened tells its children, but for a union and what is in a map. */
static inline void set_level(fletch_build_level *level, int32_t type_id, bool nullable)
{
    level->child_count = level->pair_count = 0;
    level->type_id = (uint8_t)type_id;
    level->type_ids = UNCOUNTED;
    level->mode = 0;
    level->is_nullable = nullable;
    level->has_dictionary = false;
    level->asks = asks_of_children(type_id);
}

/* fletch_add_metadata_string for what is not plain. */
fletch_status fletch_add_other_pair(fletch_builder *builder, fletch_string key,
                                    fletch_string value);

/* fletch_begin_field_of and fletch_end_field for what is not plain. */
fletch_status fletch_begin_other_field(fletch_builder *builder, fletch_string name,
                                       const fletch_type *type, unsigned flags);
fletch_status fletch_end_other_field(fletch_builder *builder);

/* fletch_add_field_of for what is not a leaf, or one that has something new. */
fletch_status fletch_add_other_field(fletch_builder *builder, fletch_string name,
                                     const fletch_type *type, unsigned flags);

/* A vector of offsets to the positions that wait in [from, low), of those with this tag; 0 where
 * there are none. */
uint32_t fletch_put_waiting(fletch_builder *builder, uint32_t from, uint32_t tag, uint32_t count);

/* Errors: the first one stands. Return its status. */
fletch_status fletch_stick(fletch_builder *builder, const struct fault *fault);
/* Puts a step of the path around the error that was told just now. */
void fletch_stick_inside(fletch_builder *builder, const char *name, uint32_t index);
fletch_status fletch_stick_reason(fletch_builder *builder, enum reason reason, int64_t value);

/* What a call returns when it did what it could. */
static inline fletch_status build_status(const fletch_builder *builder)
{
    if (builder->reason != FAULT_NONE) return fletch_fault_status((enum reason)builder->reason);
    return (fletch_status)builder->full;
}

#endif
