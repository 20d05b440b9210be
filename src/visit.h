/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk's steps as inline functions, for the few places that run over a whole schema: each
 * compiles them with what it does at a field, so that what is not looked at is not stored.
 *
 * walk->run is the innermost run of siblings under way, the runs around it stand in
 * walk->outer[1 .. open_runs), outermost first; `position` is behind the element that was taken
 * last. The children of the field returned last wait in walk->children, and become the innermost
 * run at the next step. open_runs never exceeds max_depth, which never exceeds FLETCH_MAX_DEPTH.
 */
#ifndef FLETCH_SRC_VISIT_H
#define FLETCH_SRC_VISIT_H

#include "decode.h"
#include "walk.h"

/*
 * The vtables a walk remembers. A place is for one kind of table only, so that a vtable which two
 * kinds share is checked for each: types have one each, by tag; the others two, or several times
 * two of which bits of the position choose. Of two the new pushes out the old.
 *
 * Those of Fields that were new last, two plain and two others, stand in places of their own, too.
 * Where those are does not depend on the bytes, so a processor that guesses the branches right
 * loads the slots before it knows the vtable's position, and nothing waits for it: 6.7 ns a field
 * became 5.6. Elsewhere the choice is on the way from a table to its members, so it is kept short:
 * positions are even, and masking gives the first of two at once.
 *
 * A small build remembers none: every table is decoded by fletch_decode.
 */
enum {
    TYPE_PLACES = 0,
    FIELD_PLACES = 28,
    FIELD_MASK = 30, /* 16 times two */
    PLAIN_PLACES = 60,
    OTHER_PLACES = 62,
    PAIR_PLACES = 64,
    DICTIONARY_PLACES = 66,
    DICTIONARY_MASK = 2 /* twice two */
};

/*
 * What the compiler holds the places to; an array of -1 elements is an error. No two kinds meet,
 * and the last ends where the walk's memory does. Only an even mask leaves place for a second.
 */
typedef char types_fit[TYPE_PLACES + TYPE_COUNT <= FIELD_PLACES ? 1 : -1];
typedef char fields_fit[FIELD_PLACES + FIELD_MASK + 2 <= PLAIN_PLACES ? 1 : -1];
typedef char plain_ones_fit[PLAIN_PLACES + 2 <= OTHER_PLACES ? 1 : -1];
typedef char others_fit[OTHER_PLACES + 2 <= PAIR_PLACES ? 1 : -1];
typedef char pairs_fit[PAIR_PLACES + 2 <= DICTIONARY_PLACES ? 1 : -1];
typedef char
    dictionaries_fit[DICTIONARY_PLACES + DICTIONARY_MASK + 2 == FLETCH_WALK_VTABLES ? 1 : -1];
typedef char masks_are_even[(FIELD_MASK | DICTIONARY_MASK) % 2 == 0 ? 1 : -1];

/* Where a kind's vtables are remembered: one, or two at each place that the mask chooses. */
struct places {
    uint32_t first, mask;
    bool has_two;
};

static const struct places field_places = {FIELD_PLACES, FIELD_MASK, true};
static const struct places pair_places = {PAIR_PLACES, 0, true};
static const struct places dictionary_places = {DICTIONARY_PLACES, DICTIONARY_MASK, true};

FORCE_INLINE struct places type_place(int32_t id)
{
    const struct places places = {TYPE_PLACES + (uint32_t)id, 0, false};

    return places;
}

/* Decoding */

/* Moves the first of two on, in the place of the second, for a new one to come before it: by way of
 * a copy, so that the analyser sees that they do not overlap. */
static inline void make_place(fletch_vtable *two)
{
    const fletch_vtable older = two[0];

    two[1] = older;
}

/* The one of two places that has this position, or NULL. The second comes first: where there are
 * but two vtables, it is the one that was met first. */
FORCE_INLINE fletch_vtable *place_among(fletch_vtable *two, uint32_t position)
{
    if (two[1].position == position) return two + 1;
    return two[0].position == position ? two : NULL;
}

/* The same; where neither has it, the first, which is free for it then. */
FORCE_INLINE fletch_vtable *place_for(fletch_vtable *two, uint32_t position)
{
    fletch_vtable *place = place_among(two, position);

    if (place != NULL) return place;
    make_place(two);
    return two;
}

/*
 * The vtable at `position`, of the table at `at`, remembered in the walk's places, or by an
 * iterator (`walk` NULL) in the one vtable that it has; NULL where it is not good.
 */
FORCE_INLINE const fletch_vtable *recall_at(fletch_buffer buffer, flat_position at,
                                            uint32_t position, const struct shape *shape,
                                            fletch_walk *walk, struct places places,
                                            fletch_vtable *own, struct fault *fault)
{
    fletch_vtable *vtable = own;

    if (walk != NULL) {
        vtable = keep_pointer(&walk->vtables[places.first + (position & places.mask)]);
        if (places.has_two) vtable = place_for(vtable, position);
    }
    return find_vtable(buffer, at, position, shape, vtable, fault) ? vtable : NULL;
}

/* The same of a table whose vtable was not looked for. */
FORCE_INLINE const fletch_vtable *recall(fletch_buffer buffer, flat_position at,
                                         const struct shape *shape, fletch_walk *walk,
                                         struct places places, fletch_vtable *own,
                                         struct fault *fault)
{
    return recall_at(buffer, at, vtable_of(buffer, at), shape, walk, places, own, fault);
}

/* The place of a Field's vtable among those that were new last, or NULL. */
FORCE_INLINE fletch_vtable *recent_place(fletch_walk *walk, uint32_t position)
{
    fletch_vtable *plain = place_among(&walk->vtables[PLAIN_PLACES], position);

    return plain != NULL ? plain : place_among(&walk->vtables[OTHER_PLACES], position);
}

/* As recall, of a Field, for which those that were new last come first. */
FORCE_INLINE const fletch_vtable *recall_field(fletch_buffer buffer, flat_position at,
                                               fletch_walk *walk, fletch_vtable *own,
                                               struct fault *fault)
{
    const struct shape *shape = &fletch_field_shape;
    const uint32_t position = vtable_of(buffer, at);
    fletch_vtable *recent = walk != NULL ? recent_place(walk, position) : NULL;
    const fletch_vtable *found;

    if (recent != NULL) return check_table_size(buffer, at, shape, recent, fault) ? recent : NULL;
    found = recall_at(buffer, at, position, shape, walk, field_places, own, fault);
    if (found == NULL || walk == NULL) return found;
    recent = &walk->vtables[found->is_plain ? PLAIN_PLACES : OTHER_PLACES];
    make_place(recent);
    *recent = *found;
    return found;
}

/* A type that this library does not know is not looked into. */
FORCE_INLINE bool has_known_type(const fletch_type *type)
{
    return type->at != 0 && type->id < TYPE_COUNT;
}

/* A type's members, each type's unrolled from its rows. */
FORCE_INLINE bool decode_type_members(fletch_buffer buffer, const fletch_vtable *vtable,
                                      fletch_type *type, enum visit visit, struct fault *fault)
{
    switch (type->id) {
#define DECODE_TYPE(id, name, rows)                                                                \
    case FLETCH_TYPE_##id:                                                                         \
        return decode_members(buffer, type->at, vtable, any_presence, rows, type, visit, fault);
        TYPE_TABLES(DECODE_TYPE)
#undef DECODE_TYPE
    default: return true;
    }
}

FORCE_INLINE bool decode_type(fletch_buffer buffer, fletch_walk *walk, fletch_type *type,
                              enum visit visit, struct fault *fault)
{
    const struct shape *shape = &fletch_type_shapes[type->id];
    const uint32_t at = type->at;
    const fletch_vtable *vtable;
    fletch_vtable local;

    forget_vtable(&local);
    if (IS_SMALL)
        return fletch_decode(buffer, at, shape, type, fault) ||
               fail_inside(fault, "type", NO_INDEX);
    vtable = recall(buffer, at, shape, walk, type_place(type->id), &local, fault);
    if (vtable == NULL) return fail_inside(fault, "type", NO_INDEX);
    if (visit == VISIT_RULES)
        type->as.integer.bit_width = signed_32(first_bits(buffer, at, vtable));
    return decode_type_members(buffer, vtable, type, visit, fault) ||
           fail_inside(fault, "type", NO_INDEX);
}

/* The dictionary of a field that has one: by way of a local, so that the field can stay in
 * registers. */
FORCE_INLINE bool take_dictionary(fletch_buffer buffer, fletch_walk *walk, fletch_field *field,
                                  enum visit visit, struct fault *fault)
{
    fletch_dictionary local;

    local.at = field->dictionary.at;
    if (!fletch_walk_dictionary(buffer, walk, &local, fault)) return false;
    if (visit < VISIT_RULES)
        field->dictionary.index_type_at = local.index_type_at;
    else
        field->dictionary = local;
    return true;
}

/* The members of a Field, without a look at each slot of what is plain: 0.6 ns of 10.4. */
FORCE_INLINE bool decode_field_members(fletch_buffer buffer, flat_position at,
                                       const fletch_vtable *vtable, fletch_field *field,
                                       enum visit visit, struct fault *fault)
{
    static const struct presence plain = {PLAIN_FIELD,
                                          1u << FIELD_DICTIONARY | 1u << FIELD_METADATA};

    if (IS_SMALL) return fletch_decode(buffer, (uint32_t)at, &fletch_field_shape, field, fault);
    if (vtable->is_plain)
        return decode_members(buffer, at, vtable, plain, ROWS(field_rows), field, visit, fault);
    return decode_members(buffer, at, vtable, any_presence, ROWS(field_rows), field, visit, fault);
}

/* The time zone's size of a Timestamp that VISIT_SIZES came to. */
FORCE_INLINE bool take_zone_size(fletch_buffer buffer, flat_position at, const fletch_vtable *field,
                                 fletch_walk *walk, fletch_type *type, struct fault *fault)
{
    const uint32_t slot = field->slots[FIELD_TYPE];
    flat_position target = 0;

    if (slot == 0 || !follow(buffer, at + slot, &target, fault)) return false;
    type->at = (uint32_t)target;
    return decode_type(buffer, walk, type, VISIT_SIZES, fault);
}

/*
 * A Field with its type, dictionary and index type; `tables` counts what was looked into. With
 * VISIT_SIZES and VISIT_FIELD those are the dictionary and index type only: the caller counts the
 * others.
 */
FORCE_INLINE bool decode_field(fletch_buffer buffer, flat_position at, fletch_walk *walk,
                               fletch_vtable *own, fletch_field *field, uint64_t *tables,
                               enum visit visit, struct fault *fault)
{
    const enum visit members = visit == VISIT_FIELD ? VISIT_DECODE : visit;
    const fletch_vtable *vtable = NULL;

    if (!IS_SMALL) vtable = recall_field(buffer, at, walk, own, fault);
    field->at = (uint32_t)at;
    if ((!IS_SMALL && vtable == NULL) ||
        !decode_field_members(buffer, at, vtable, field, members, fault))
        return false;
    field->has_dictionary = field->dictionary.at != 0;
    if (visit == VISIT_SIZES)
        return field->type.id != FLETCH_TYPE_TIMESTAMP ||
               take_zone_size(buffer, at, vtable, walk, &field->type, fault);
    *tables = visit == VISIT_FIELD ? 0 : 1;
    if (visit != VISIT_FIELD && has_known_type(&field->type)) {
        if (!decode_type(buffer, walk, &field->type, visit, fault)) return false;
        *tables = 2;
    }
    if (!field->has_dictionary) {
        field->dictionary.index_type_at = 0;
        return true;
    }
    if (!take_dictionary(buffer, walk, field, members, fault)) return false;
    *tables += field->dictionary.index_type_at != 0 ? 2 : 1;
    return true;
}

FORCE_INLINE bool decode_pair(fletch_buffer buffer, flat_position at, fletch_walk *walk,
                              fletch_vtable *own, fletch_key_value *pair, enum visit visit,
                              struct fault *fault)
{
    const fletch_vtable *vtable = NULL;

    if (!IS_SMALL)
        vtable = recall(buffer, at, &fletch_key_value_shape, walk, pair_places, own, fault);
    pair->at = (uint32_t)at;
    if (IS_SMALL) return fletch_decode(buffer, (uint32_t)at, &fletch_key_value_shape, pair, fault);
    return vtable != NULL && decode_members(buffer, at, vtable, any_presence, ROWS(key_value_rows),
                                            pair, visit, fault);
}

/* Runs */

static inline fletch_walk_run *keep_run(fletch_walk_run *run)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
    __asm__("" : "+r"(run));
#endif
    return run;
}

/* Word for word: they were just stored apart, and a wider load would have to wait for all of those
 * stores to reach the cache. Nor is one wide store gathered from them: who goes on from there would
 * wait for the gathering. */
static inline void copy_run(fletch_walk_run *to, const fletch_walk_run *from)
{
    if (IS_SMALL) {
        *to = *from;
        return;
    }
    to = keep_run(to);
    to->begin = keep(from->begin);
    to = keep_run(to);
    to->position = keep(from->position);
    to = keep_run(to);
    to->end = keep(from->end);
    to = keep_run(to);
    to->parent = keep(from->parent);
    to->parent_type = from->parent_type;
}

static inline void enter(fletch_walk *walk, const fletch_fields *fields, uint32_t parent,
                         int32_t parent_type)
{
    walk->children.begin = walk->children.position = keep(fields->position);
    walk->children.end = keep(fields->end);
    walk->children.parent = parent;
    walk->children.parent_type = parent_type;
}

static inline bool take_tables(fletch_walk *walk, uint64_t count, flat_position at,
                               struct fault *fault)
{
    if (count > walk->tables_left)
        return fail(fault, FAULT_TABLES, (uint32_t)at, (int64_t)(walk->tables & INT64_MAX), 0);
    walk->tables_left -= count;
    return true;
}

FORCE_INLINE bool visit_field(fletch_walk *walk, fletch_buffer buffer, flat_position at,
                              fletch_field *field, enum visit visit, struct fault *fault)
{
    uint64_t tables = 0;

    return decode_field(buffer, at, walk, NULL, field, &tables, visit, fault) &&
           (tables == 0 || take_tables(walk, tables, at, fault));
}

FORCE_INLINE bool visit_pair(fletch_walk *walk, fletch_buffer buffer, uint32_t element,
                             fletch_key_value *pair, enum visit visit, struct fault *fault)
{
    flat_position at = 0;

    return follow(buffer, element, &at, fault) &&
           decode_pair(buffer, at, walk, NULL, pair, visit, fault) &&
           take_tables(walk, 1, at, fault);
}

/* Makes the waiting children the innermost run. */
static inline bool enter_children(fletch_walk *walk, struct fault *fault)
{
    const uint32_t open = walk->open_runs;

    if (open >= walk->max_depth || open >= FLETCH_MAX_DEPTH) {
        fletch_set_fault(fault, FAULT_DEPTH, walk->children.begin - 4, walk->max_depth, 0);
        return fail_inside(fault, "children", NO_INDEX);
    }
    copy_run(&walk->outer[open], &walk->run);
    copy_run(&walk->run, &walk->children);
    walk->children.end = walk->children.position;
    walk->open_runs = open + 1;
    walk->depth = open;
    return true;
}

/* Goes back to the run around the innermost, which is at its end. */
static inline walk_event leave(fletch_walk *walk)
{
    const uint32_t open = walk->open_runs - 1;

    if (open >= FLETCH_MAX_DEPTH) return WALK_END; /* no run was open */
    walk->left_at = walk->run.parent;
    copy_run(&walk->run, &walk->outer[open]);
    walk->open_runs = open;
    if (open == 0) return WALK_END;
    walk->depth = open - 1;
    return WALK_LEAVE;
}

/* Takes the next element of the innermost run, of which there is one; where it is not good, false,
 * and the run is as it was. */
FORCE_INLINE bool take_next(fletch_walk *walk, fletch_buffer buffer, fletch_field *field,
                            enum visit visit, struct fault *fault)
{
    const uint32_t element = walk->run.position;
    flat_position at = 0;

    if (!follow(buffer, element, &at, fault) || !visit_field(walk, buffer, at, field, visit, fault))
        return false;
    walk->run.position = element + 4;
    if (field->children.position < field->children.end)
        enter(walk, &field->children, (uint32_t)at, field->type.id);
    return true;
}

/*
 * The same, and what is at fault. Inlined there is only the way of what is good, which asks for no
 * reasons: that leaves the compiler more registers. Where it fails, and in a small build always,
 * the one function that decodes and tells everything takes the element.
 */
FORCE_INLINE bool take_field(fletch_walk *walk, fletch_buffer buffer, fletch_field *field,
                             enum visit visit, struct fault *fault)
{
    static const fletch_dictionary no_dictionary = {0};
    /* So that nothing takes the address of the field, and it can be in registers. */
    fletch_field told;

    if (!IS_SMALL && take_next(walk, buffer, field, visit, NULL)) return true;
    told.dictionary = no_dictionary; /* a field without one sets none, and rules look at it */
    if (!fletch_walk_take(walk, &told, fault)) return false;
    /* Bytes that changed give no first_bits: no rule allows these, so the type is looked at whole.
     */
    if (visit == VISIT_RULES) told.type.as.integer.bit_width = -1;
    *field = told;
    return true;
}

/* The same for the pair behind an element of a vector. */
FORCE_INLINE bool take_pair(fletch_walk *walk, fletch_buffer buffer, uint32_t element,
                            fletch_key_value *pair, enum visit visit, struct fault *fault)
{
    fletch_key_value told;

    if (!IS_SMALL && visit_pair(walk, buffer, element, pair, visit, NULL)) return true;
    if (!fletch_walk_take_pair(walk, element, &told, fault)) return false;
    *pair = told;
    return true;
}

#endif
