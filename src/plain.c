/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types; and in one piece what most calls of most schemas write: fields that are plain, and
 * metadata pairs of short strings. Between calls builder->high is a multiple of 4: every object
 * starts so but for vtables, and behind each of them stands its table.
 */
#include "store.h"

#include "short_string.h"

/* Bytes, as reserve takes them, of a Field without dictionary and metadata, of one with both, and
 * of a KeyValue. */
#define PLAIN_TABLE 20u
#define WHOLE_TABLE 28u
#define PAIR_TABLE  12u

/* Types */

/* Ids are written before they are checked; more than a union can have are not written at all. */
static uint32_t put_type_ids(fletch_builder *builder, const fletch_integers *ids)
{
    return ids->count <= 128 ? fletch_put_integers(builder, ids) : 0;
}

/* A text of a type; where it is at fault, that is in the type. */
static uint32_t put_type_text(fletch_builder *builder, fletch_string string, const char *name)
{
    const uint32_t position = fletch_put_string(builder, string, STRINGS_OTHERS, name);

    if (builder->reason == FAULT_UTF8) fletch_stick_inside(builder, "type", NO_INDEX);
    return position;
}

/*
 * A member of a type as put_table takes it. Strings and vectors are written for it; unless only
 * what is known is wanted: then a string is looked for, and STRING_UNKNOWN says that there is none.
 */
FORCE_INLINE int32_t type_value(fletch_builder *builder, const fletch_type *type,
                                const struct row *row, bool only_known)
{
    const void *member = (const char *)type + row->member;

    switch (row->kind) {
    case ROW_BOOL: return *(const bool *)member;
    case ROW_STRING: {
        const fletch_string string = *(const fletch_string *)member;

        if (string.size == 0) return 0;
        return (int32_t)(only_known ? fletch_find_string(builder, string, STRINGS_OTHERS)
                                    : put_type_text(builder, string, row->name));
    }
    case ROW_INTEGERS: /* of a union, which is not looked for: see known_type_of */
        return (int32_t)put_type_ids(builder, (const fletch_integers *)member);
    default: return (int32_t)keep((uint32_t) * (const int32_t *)member);
    }
}

/* The members of a type with these rows, at most 3; those it has not are 0. */
FORCE_INLINE void set_values(fletch_builder *builder, const fletch_type *type,
                             const struct row *rows, uint32_t row_count, bool only_known,
                             int32_t *values)
{
    values[0] = row_count > 0 ? type_value(builder, type, &rows[0], only_known) : 0;
    values[1] = row_count > 1 ? type_value(builder, type, &rows[1], only_known) : 0;
    values[2] = row_count > 2 ? type_value(builder, type, &rows[2], only_known) : 0;
}

/* Whether none of these rows' members is absent or its default. */
FORCE_INLINE bool has_values(const struct row *rows, uint32_t row_count, const int32_t *values)
{
    return (row_count > 0 && is_present(&rows[0], values[0])) ||
           (row_count > 1 && is_present(&rows[1], values[1])) ||
           (row_count > 2 && is_present(&rows[2], values[2]));
}

/* The same row by row, whatever the type is: the values, and whether not all are defaults. */
static bool set_values_by_rows(fletch_builder *builder, const fletch_type *type, int32_t *values)
{
    const bool is_known = type->id >= 0 && type->id < TYPE_COUNT;
    const struct shape *shape = &fletch_type_shapes[is_known ? type->id : FLETCH_TYPE_NONE];
    bool has_any = false;
    uint32_t i;

    for (i = 0; i < shape->row_count; i++) {
        values[i] = type_value(builder, type, &shape->rows[i], false);
        has_any |= is_present(&shape->rows[i], values[i]);
    }
    return has_any;
}

/* The members of a type as put_table takes them; false: all are defaults. */
static bool values_of(fletch_builder *builder, const fletch_type *type, int32_t *values)
{
    values[0] = values[1] = values[2] = 0;
    if (IS_SMALL) return set_values_by_rows(builder, type, values);
    switch (type->id) {
#define TYPE_VALUES(id, name, rows)                                                                \
    case FLETCH_TYPE_##id:                                                                         \
        set_values(builder, type, rows, false, values);                                            \
        return has_values(rows, values);
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
    if (IS_SMALL) return memcmp(place->key, key.words, sizeof key.words) == 0;
    return place->key[0] == key.words[0] && place->key[1] == key.words[1];
}

static inline uint64_t hash_key(struct type_key key)
{
    return (key.words[0] + key.words[1] * 31u) * UINT64_C(0x9E3779B97F4A7C15);
}

/*
 * Where a key is looked for: in a pair of places, or in the place returned alone. Keys with
 * positions in them differ between measuring and storing, so they have places of their own, where
 * what they find or push out changes no other type: then what was measured is enough.
 */
FORCE_INLINE fletch_build_type *type_places(fletch_builder *builder, struct type_key key,
                                            bool has_positions)
{
    const uint64_t hash = hash_key(key) >> 60;

    if (has_positions)
        return &builder->types[FLETCH_BUILD_TYPES + (hash & (FLETCH_BUILD_ZONED - 1))];
    return &builder->types[hash & (FLETCH_BUILD_TYPES - 2)];
}

/* The position of a key's table among these places, or 0. */
FORCE_INLINE uint32_t find_key(const fletch_build_type *places, struct type_key key,
                               bool has_positions)
{
    if (has_key(places, key)) return places[0].position;
    if (!has_positions && has_key(places + 1, key)) return places[1].position;
    return 0;
}

/* Whether a type's members include positions of what was written for it. */
static inline bool has_positions(const fletch_type *type)
{
    return type->id == FLETCH_TYPE_UNION ||
           (type->id == FLETCH_TYPE_TIMESTAMP && type->as.timestamp.timezone.size != 0);
}

/* A table without members, or with all of them left out: it is the same whatever its type is. */
static uint32_t put_bare_type(fletch_builder *builder)
{
    if (builder->bare_type == 0)
        builder->bare_type = fletch_put_table(builder, FLETCH_TYPE_NULL,
                                              &fletch_type_shapes[FLETCH_TYPE_NULL], NULL, true);
    return builder->bare_type;
}

static uint32_t put_members(fletch_builder *builder, int32_t id, const int32_t *values)
{
    const int64_t wide[3] = {values[0], values[1], values[2]};

    return fletch_put_table(builder, (uint32_t)id, &fletch_type_shapes[id], wide, true);
}

/* Whether all tables of a type are the same, since it has no members; it then has no rules. */
static inline bool is_bare(int32_t id)
{
    return id > FLETCH_TYPE_NONE && id < TYPE_COUNT && fletch_type_shapes[id].row_count == 0;
}

/* A type that is in the cache was checked when it was put there, so it need not be again. */
static uint32_t put_type_with_members(fletch_builder *builder, const fletch_type *type,
                                      struct finding *finding)
{
    const bool is_zoned = has_positions(type);
    fletch_build_type *places;
    struct type_key key;
    int32_t values[3];
    uint32_t position;
    bool has_any;

    has_any = values_of(builder, type, values);
    key = key_of(type->id, values);
    places = type_places(builder, key, is_zoned);
    position = find_key(places, key, is_zoned);
    if (position != 0) return position;
    if (!fletch_check_type(type, finding)) return 0;
    position = has_any ? put_members(builder, type->id, values) : put_bare_type(builder);
    if (!is_zoned) places[1] = places[0]; /* the older one of a pair is pushed out */
    places->key[0] = key.words[0];
    places->key[1] = key.words[1];
    places->position = position;
    return position;
}

uint32_t fletch_put_type(fletch_builder *builder, const fletch_type *type, struct finding *finding)
{
    finding->reason = FAULT_NONE;
    if (is_bare(type->id))
        return builder->bare_type != 0 ? builder->bare_type : put_bare_type(builder);
    return put_type_with_members(builder, type, finding);
}

/* What is plain */

/* The table of a type with these rows, if it was written before, or 0. */
FORCE_INLINE uint32_t known_type_of(fletch_builder *builder, const fletch_type *type, int32_t id,
                                    const struct row *rows, uint32_t row_count)
{
    struct type_key key;
    int32_t values[3];
    bool is_zoned;

    if (id == FLETCH_TYPE_NONE || id == FLETCH_TYPE_UNION) return 0;
    if (row_count == 0) return builder->bare_type;
    set_values(builder, type, rows, row_count, true, values);
    is_zoned = id == FLETCH_TYPE_TIMESTAMP && values[TIMESTAMP_TIMEZONE] != 0;
    key = key_of(id, values);
    return find_key(type_places(builder, key, is_zoned), key, is_zoned);
}

/* Which types are looked for. Those of timestamps may have a zone, for which strings are. */
enum wanted_type { ANY_TYPE, LEAF, LEAF_BUT_TIMESTAMP };

FORCE_INLINE uint32_t known_type(fletch_builder *builder, const fletch_type *type,
                                 enum wanted_type wanted)
{
    switch (type->id) {
#define KNOWN_TYPE(id, name, rows)                                                                 \
    case FLETCH_TYPE_##id:                                                                         \
        if (wanted == LEAF_BUT_TIMESTAMP && FLETCH_TYPE_##id == FLETCH_TYPE_TIMESTAMP) return 0;   \
        if (wanted != ANY_TYPE && fletch_type_rules[FLETCH_TYPE_##id].children != 0) return 0;     \
        return known_type_of(builder, type, FLETCH_TYPE_##id, rows);
        TYPE_TABLES(KNOWN_TYPE)
#undef KNOWN_TYPE
    default: return 0;
    }
}

/* Whether the calls may go on with what is plain, at this level, and all that it can take fits; in
 * a small build never, since the other way writes the same bytes. */
FORCE_INLINE bool may_be_plain(const fletch_builder *builder, uint32_t most)
{
    return !IS_SMALL && (uint64_t)builder->low + builder->high + most <= builder->room;
}

/*
 * In one piece: where the calls may go on, a type and a Field like these were written before, and
 * the name is short. Where there is not the room that the longest such name takes, the leaf goes
 * the other way, which writes the same bytes. Names of children are shared; at the top they hardly
 * ever come twice and are not looked up.
 */
FORCE_INLINE fletch_status add_plain(fletch_builder *builder, fletch_string name,
                                     const fletch_type *type, unsigned flags, uint32_t type_at,
                                     enum string_set set)
{
    const bool nullable = (flags & FLETCH_NULLABLE) != 0;
    fletch_build_level *level = &builder->levels[set == STRINGS_ONCE ? 0 : builder->depth];
    struct field_parts parts = {0, nullable, 0, type_at, 0, EMPTY_VECTOR, 0};
    uint32_t high = builder->high, vtable;

    if (type_at == 0 || (set != STRINGS_ONCE && level->asks) ||
        !may_be_plain(builder, PLAIN_TABLE + SHORT_STRING + 4))
        return fletch_add_other_field(builder, name, type, flags);
    vtable = field_layout(builder, nullable, false, false)->position;
    if (vtable == 0 || !put_if_short(builder, name, set, &high, &parts.name))
        return fletch_add_other_field(builder, name, type, flags);
    high += PLAIN_TABLE;
    parts.type_id = type->id;
    store_field(builder->end - high, high, vtable, parts);
    builder->high = high;
    push_checked(builder, high | WAIT_CHILD);
    level->child_count++;
    return FLETCH_OK;
}

/* Children, and timestamps at the top, are kept apart: what they look up takes registers. */
APART static fletch_status add_child_leaf(fletch_builder *builder, fletch_string name,
                                          const fletch_type *type, unsigned flags)
{
    return add_plain(builder, name, type, flags, known_type(builder, type, LEAF), STRINGS_NAMES);
}

APART static fletch_status add_timestamp(fletch_builder *builder, fletch_string name,
                                         const fletch_type *type, unsigned flags)
{
    const uint32_t type_at =
        known_type_of(builder, type, FLETCH_TYPE_TIMESTAMP, ROWS(timestamp_rows));

    return add_plain(builder, name, type, flags, type_at, STRINGS_ONCE);
}

fletch_status fletch_add_field_of(fletch_builder *builder, fletch_string name,
                                  const fletch_type *type, unsigned flags)
{
    uint32_t type_at;

    if (IS_SMALL || flags > FLETCH_NULLABLE)
        return fletch_add_other_field(builder, name, type, flags);
    if (builder->depth != 0) return add_child_leaf(builder, name, type, flags);
    type_at = known_type(builder, type, LEAF_BUT_TIMESTAMP);
    if (type_at == 0 && type->id == FLETCH_TYPE_TIMESTAMP) /* known by where the type led */
        return add_timestamp(builder, name, type, flags);
    return add_plain(builder, name, type, flags, type_at, STRINGS_ONCE);
}

/* The same for a field that is opened, unless it is as deep as any may be. */
fletch_status fletch_begin_field_of(fletch_builder *builder, fletch_string name,
                                    const fletch_type *type, unsigned flags)
{
    const uint32_t depth = builder->depth, low = builder->low;
    const uint32_t type_at = IS_SMALL ? 0 : known_type(builder, type, ANY_TYPE);
    uint32_t name_at;

    if (type_at == 0 || flags > FLETCH_NULLABLE || depth + 1 >= FLETCH_MAX_DEPTH ||
        builder->levels[depth].asks || !may_be_plain(builder, SHORT_STRING + 4 * FRAME_WORDS) ||
        !put_if_short(builder, name, depth != 0 ? STRINGS_NAMES : STRINGS_ONCE, &builder->high,
                      &name_at))
        return fletch_begin_other_field(builder, name, type, flags);
    write_frame(builder->block + low, builder->frame, name_at, type_at);
    builder->frame = low;
    builder->low = low + 4 * FRAME_WORDS;
    builder->depth = keep(depth + 1);
    set_level(&builder->levels[depth + 1], type->id, (flags & FLETCH_NULLABLE) != 0);
    return FLETCH_OK;
}

/* fletch_put_waiting for what there is room for: in place where it is little and nothing else waits
 * there, from the last element on. */
FORCE_INLINE uint32_t put_plain_waiting(fletch_builder *builder, uint32_t from, uint32_t tag,
                                        uint32_t count)
{
    const uint8_t *waiting = builder->block + builder->low;
    uint8_t *to = builder->end - builder->high;
    uint32_t position = builder->high + tag, i, word;

    if (count > 4 || builder->low - from != 4 * count)
        return fletch_put_waiting(builder, from, tag, count);
    for (i = 0; i < count; i++) {
        waiting -= 4;
        to -= 4;
        position += 4;
        memcpy(&word, waiting, 4);
        store_word(to, position - word);
    }
    store_word(to - 4, count);
    builder->high += 4 + 4 * count;
    return builder->high;
}

/* Whether a level has as many children as it must, at any level of checking. */
static inline bool has_its_children(const fletch_build_level *level)
{
    const int32_t wanted = fletch_child_count(level->type_id);

    if (wanted >= 0) return (uint32_t)wanted == level->child_count;
    return level->type_id == FLETCH_TYPE_STRUCT && level[-1].type_id != FLETCH_TYPE_MAP;
}

/* In one piece: where a Field like this was written before. */
fletch_status fletch_end_field(fletch_builder *builder)
{
    fletch_build_level *level = &builder->levels[builder->depth];
    const uint32_t children = level->child_count, pairs = level->pair_count;
    const uint32_t frame = builder->frame, waiting = frame + 4 * FRAME_WORDS;
    const fletch_build_layout *layout =
        field_layout(builder, level->is_nullable, level->has_dictionary, pairs != 0);
    struct field_parts parts = {0, level->is_nullable, level->type_id, 0, 0, EMPTY_VECTOR, 0};

    if (builder->depth == 0 || layout->position == 0 || !has_its_children(level) ||
        !may_be_plain(builder, WHOLE_TABLE + 8 + 4 * (children + pairs)))
        return fletch_end_other_field(builder);
    if (children != 0) parts.children = put_plain_waiting(builder, waiting, WAIT_CHILD, children);
    if (pairs != 0) parts.metadata = put_plain_waiting(builder, waiting, WAIT_PAIR, pairs);
    parts.name = pushed(builder, frame + 4 * FRAME_NAME);
    parts.type = pushed(builder, frame + 4 * FRAME_TYPE);
    parts.dictionary = pushed(builder, frame + 4 * FRAME_DICTIONARY);
    builder->high += (layout->size + 3u) & ~3u;
    store_field(builder->end - builder->high, builder->high, layout->position, parts);
    builder->low = frame;
    builder->frame = pushed(builder, frame + 4 * FRAME_BEFORE);
    push_checked(builder, builder->high | WAIT_CHILD);
    builder->depth--;
    level[-1].child_count++;
    return FLETCH_OK;
}

/* The same for a pair of short strings. Where only the key is one, the other way finds it. */
fletch_status fletch_add_metadata_string(fletch_builder *builder, fletch_string key,
                                         fletch_string value)
{
    const uint32_t vtable = pair_layout(builder)->position;
    uint32_t key_at, value_at;

    if (!may_be_plain(builder, 2 * SHORT_STRING + PAIR_TABLE + 4) || vtable == 0 ||
        !put_if_short(builder, key, STRINGS_OTHERS, &builder->high, &key_at) ||
        !put_if_short(builder, value, STRINGS_NAMES, &builder->high, &value_at))
        return fletch_add_other_pair(builder, key, value);
    builder->high += PAIR_TABLE;
    store_pair(builder->end - builder->high, builder->high, vtable, key_at, value_at);
    push_checked(builder, builder->high | WAIT_PAIR);
    builder->levels[builder->depth].pair_count++;
    return FLETCH_OK;
}
