/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk.
 *
 * walk->levels[0 .. levels_used) are the runs of siblings under way, outermost first; in each,
 * `position` is behind the element that was taken last. The run of children of the field returned
 * last waits in walk->child_*, and becomes a level at the next step. levels_used never exceeds
 * max_depth, which never exceeds FLETCH_MAX_DEPTH.
 */
#include "walk.h"

#include <string.h>

static struct cache cache_of(fletch_walk *walk)
{
    struct cache cache;

    cache.keys = walk->vtable_keys;
    cache.vtables = walk->vtables;
    cache.is_whole = true;
    return cache;
}

static void set_limits(fletch_walk *walk, const fletch_limits *limits)
{
    static const fletch_limits defaults = {0, 0, 0};

    if (limits == NULL) limits = &defaults;
    walk->max_depth =
        limits->depth != 0 && limits->depth < FLETCH_MAX_DEPTH ? limits->depth : FLETCH_MAX_DEPTH;
    walk->tables = limits->tables != 0 ? limits->tables : walk->buffer.size;
    walk->text = limits->text != 0 ? limits->text : 16 * (uint64_t)walk->buffer.size + (1u << 20);
    walk->tables_left = walk->tables;
    walk->text_left = walk->text;
}

void fletch_walk_enter(fletch_walk *walk, const fletch_fields *fields, uint32_t parent,
                       int32_t parent_type)
{
    walk->child_begin = fields->position;
    walk->child_end = fields->end;
    walk->child_parent = parent;
    walk->child_parent_type = parent_type;
}

void fletch_walk_over(fletch_walk *walk, const fletch_fields *fields, uint32_t parent,
                      int32_t parent_type, const fletch_limits *limits)
{
    uint32_t i;

    walk->status = FLETCH_OK;
    walk->depth = 0;
    walk->index = 0;
    walk->left_at = 0;
    walk->buffer = fields->buffer;
    walk->levels_used = 0;
    fletch_walk_enter(walk, fields, parent, parent_type);
    set_limits(walk, limits);
    for (i = 0; i < FLETCH_WALK_VTABLES; i++)
        walk->vtable_keys[i] = NO_VTABLE;
}

void fletch_walk_begin(fletch_walk *walk, const fletch_schema *schema, const fletch_limits *limits)
{
    fletch_walk_over(walk, &schema->fields, schema->at, FLETCH_TYPE_NONE, limits);
}

void fletch_walk_skip(fletch_walk *walk)
{
    walk->child_end = walk->child_begin;
}

bool fletch_take_tables(fletch_walk *walk, uint64_t count, uint32_t at, struct fault *fault)
{
    if (count > walk->tables_left)
        return fail(fault, FAULT_TABLES, at, (int64_t)(walk->tables & INT64_MAX), 0);
    walk->tables_left -= count;
    return true;
}

bool fletch_take_text(fletch_walk *walk, uint64_t count, uint32_t at, struct fault *fault)
{
    if (count > walk->text_left)
        return fail(fault, FAULT_TEXT, at, (int64_t)(walk->text & INT64_MAX), 0);
    walk->text_left -= count;
    return true;
}

bool fletch_walk_again(fletch_walk *walk, uint32_t at, fletch_field *field, struct fault *fault)
{
    struct cache cache = cache_of(walk);
    uint64_t tables = 0;

    return fletch_decode_field(walk->buffer, at, &cache, field, &tables, fault) &&
           fletch_take_tables(walk, tables, at, fault);
}

bool fletch_walk_pair(fletch_walk *walk, fletch_metadata *pairs, fletch_key_value *pair,
                      struct fault *fault)
{
    struct cache cache = cache_of(walk);
    uint32_t at;

    fault->reason = FAULT_NONE;
    if (pairs->position >= pairs->end) return false;
    if (!follow(pairs->buffer, pairs->position, &at, fault)) return false;
    pairs->position += 4;
    return fletch_take_tables(walk, 1, at, fault) &&
           fletch_decode_pair(pairs->buffer, at, &cache, pair, fault);
}

/* Makes the waiting run of children a level. */
static bool enter_children(fletch_walk *walk, struct fault *fault)
{
    fletch_walk_level *level;

    if (walk->levels_used >= walk->max_depth) {
        fletch_set_fault(fault, FAULT_DEPTH, walk->child_begin - 4, walk->max_depth, 0);
        return fail_inside(fault, "children", NO_INDEX);
    }
    level = &walk->levels[walk->levels_used++];
    level->begin = level->position = walk->child_begin;
    level->end = walk->child_end;
    level->parent = walk->child_parent;
    level->parent_type = walk->child_parent_type;
    walk->child_end = walk->child_begin;
    return true;
}

/* Decodes the next element of the innermost run. */
static bool take_field(fletch_walk *walk, fletch_walk_level *level, fletch_field *field,
                       struct fault *fault)
{
    const uint32_t element = level->position;
    uint32_t at;

    level->position += 4;
    walk->depth = walk->levels_used - 1;
    walk->index = (element - level->begin) / 4;
    if (!follow(walk->buffer, element, &at, fault)) return false;
    if (!fletch_walk_again(walk, at, field, fault)) return false;
    fletch_walk_enter(walk, &field->children, at, field->type.id);
    return true;
}

walk_event fletch_walk_step(fletch_walk *walk, fletch_field *field, struct fault *fault)
{
    fletch_walk_level *level;

    if (walk->child_begin < walk->child_end && !enter_children(walk, fault)) return WALK_FAULT;
    if (walk->levels_used == 0) return WALK_END;
    level = &walk->levels[walk->levels_used - 1];
    if (level->position < level->end)
        return take_field(walk, level, field, fault) ? WALK_FIELD : WALK_FAULT;

    walk->levels_used--;
    if (walk->levels_used == 0) return WALK_END;
    walk->depth = walk->levels_used - 1;
    walk->left_at = level->parent;
    return WALK_LEAVE;
}

bool fletch_walk_next(fletch_walk *walk, fletch_field *field)
{
    struct fault fault;
    walk_event event;

    if (walk->status != FLETCH_OK) return false;
    do
        event = fletch_walk_step(walk, field, &fault);
    while (event == WALK_LEAVE);
    if (event == WALK_FAULT) walk->status = fletch_fault_status(fault.reason);
    return event == WALK_FIELD;
}

static uint32_t index_in(const fletch_walk_level *level)
{
    return (level->position - level->begin) / 4 - 1;
}

uint32_t fletch_walk_index(const fletch_walk *walk)
{
    return walk->levels_used != 0 ? index_in(&walk->levels[walk->levels_used - 1]) : 0;
}

int32_t fletch_walk_parent(const fletch_walk *walk)
{
    return walk->levels_used != 0 ? walk->levels[walk->levels_used - 1].parent_type
                                  : FLETCH_TYPE_NONE;
}

int32_t fletch_walk_grandparent(const fletch_walk *walk)
{
    return walk->levels_used > 1 ? walk->levels[walk->levels_used - 2].parent_type
                                 : FLETCH_TYPE_NONE;
}

/* Paths */

struct place {
    const struct fault *fault;
    const char *prefix;
    const fletch_walk *walk;
};

static void append_step(short_text *text, const char *name, uint32_t index)
{
    if (text->used != 0) fletch_append_text(text, ".");
    fletch_append_text(text, name);
    if (index == NO_INDEX) return;
    fletch_append_text(text, "[");
    fletch_append_number(text, index);
    fletch_append_text(text, "]");
}

static void write_path(const void *context, short_text *text)
{
    const struct place *place = context;
    const struct fault *fault = place->fault;
    uint32_t i;

    fletch_append_text(text, place->prefix);
    for (i = 0; place->walk != NULL && i < place->walk->levels_used; i++) {
        const fletch_walk_level *level = &place->walk->levels[i];

        append_step(text, i == 0 ? "fields" : "children", index_in(level));
    }
    for (i = fault->step_count; i != 0; i--)
        append_step(text, fault->names[i - 1], fault->indices[i - 1]);
}

void fletch_tell(fletch_error *error, const struct fault *fault, uint64_t origin,
                 const char *prefix, const fletch_walk *walk)
{
    struct place place;

    if (error == NULL) return;
    fletch_say_fault(error, fault->reason, origin + fault->at, fault->value, fault->other);
    place.fault = fault;
    place.prefix = prefix;
    place.walk = walk;
    fletch_write_elided(error->path, sizeof error->path, write_path, &place);
}
