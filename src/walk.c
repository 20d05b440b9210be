/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk.
 *
 * walk->run is the innermost run of siblings under way, the runs around it stand in
 * walk->outer[1 .. open_runs), outermost first; `position` is behind the element that was taken
 * last. The children of the field returned last wait in walk->children, and become the innermost
 * run at the next step. open_runs never exceeds max_depth, which never exceeds FLETCH_MAX_DEPTH.
 */
#include "walk.h"

#include "decode.h"

/*
 * The vtables a walk remembers. A place is for one kind of table only, so that a vtable which two
 * kinds share is checked for each: types have one each, by tag; the others a few pairs of places,
 * chosen by bits of the position. In a pair the new pushes out the old.
 *
 * The choice is on the way from a table to its members, so it is kept short: positions are even,
 * and masking gives the pair's first place at once (a multiplicative hash cost 1 ns per field).
 */
enum {
    TYPE_PLACES = 0,
    FIELD_PLACES = 32,
    FIELD_MASK = 30, /* 16 pairs */
    PAIR_PLACES = 64,
    DICTIONARY_PLACES = 68,
    FEW_MASK = 2, /* 2 pairs */
    NO_MASK = 0
};

/* Decoding */

/* The place in a pair for a position that the first does not have: the second if it has it, else
 * the first, from which the older one moves. */
static inline fletch_vtable *other_place(fletch_vtable *pair, uint32_t position)
{
    if (pair[1].position == position) return pair + 1;
    pair[1] = pair[0];
    return pair;
}

/*
 * The vtable of the table at `at`, remembered in the walk's places, or by an iterator (`walk` NULL)
 * in the one vtable that it has; NULL where it is not good.
 */
FORCE_INLINE const fletch_vtable *recall(fletch_buffer buffer, uint32_t at,
                                         const struct shape *shape, fletch_walk *walk,
                                         uint32_t places, uint32_t mask, fletch_vtable *own,
                                         struct fault *fault)
{
    const uint32_t position = vtable_of(buffer, at);
    fletch_vtable *vtable = own;

    if (walk != NULL) {
        vtable = keep_pointer(&walk->vtables[places + (position & mask)]);
        if (mask != NO_MASK && vtable->position != position) vtable = other_place(vtable, position);
    }
    return find_vtable(buffer, at, position, shape, vtable, fault) ? vtable : NULL;
}

/* A type that this library does not know is not looked into. */
FORCE_INLINE bool has_known_type(const fletch_field *field)
{
    return field->type.at != 0 && field->type.id < TYPE_COUNT;
}

/* A type's members, each type's unrolled from its rows. */
FORCE_INLINE bool decode_type_members(fletch_buffer buffer, const fletch_vtable *vtable,
                                      fletch_type *type, enum visit visit, struct fault *fault)
{
    switch (type->id) {
#define DECODE_TYPE(id, name, rows)                                                                \
    case FLETCH_TYPE_##id:                                                                         \
        return decode_members(buffer, type->at, vtable, rows, type, visit, fault);
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
    vtable =
        recall(buffer, at, shape, walk, TYPE_PLACES + (uint32_t)type->id, NO_MASK, &local, fault);
    if (vtable != NULL && decode_type_members(buffer, vtable, type, visit, fault)) return true;
    return fail_inside(fault, "type", NO_INDEX);
}

/* An absent index type is signed and 32 bits wide; a present one has its own defaults. */
static bool decode_index_type(fletch_buffer buffer, fletch_dictionary *dictionary,
                              struct fault *fault)
{
    dictionary->has_index_type = dictionary->index_type_at != 0;
    dictionary->index_type.bit_width = 32;
    dictionary->index_type.is_signed = true;
    return !dictionary->has_index_type ||
           fletch_decode(buffer, dictionary->index_type_at, &fletch_int_shape,
                         &dictionary->index_type, fault) ||
           fail_inside(fault, "indexType", NO_INDEX);
}

static bool decode_dictionary(fletch_buffer buffer, uint32_t at, fletch_walk *walk,
                              fletch_dictionary *dictionary, struct fault *fault)
{
    const fletch_vtable *vtable;
    fletch_vtable local;

    forget_vtable(&local);
    vtable = recall(buffer, at, &fletch_dictionary_shape, walk, DICTIONARY_PLACES, FEW_MASK, &local,
                    fault);
    if (vtable != NULL &&
        decode_members(buffer, at, vtable, ROWS(dictionary_rows), dictionary, VISIT_DECODE,
                       fault) &&
        decode_index_type(buffer, dictionary, fault))
        return true;
    return fail_inside(fault, "dictionary", NO_INDEX);
}

/* A Field with its type, dictionary and index type. */
FORCE_INLINE bool decode_field(fletch_buffer buffer, uint32_t at, fletch_walk *walk,
                               fletch_vtable *own, fletch_field *field, enum visit visit,
                               struct fault *fault)
{
    const fletch_vtable *vtable =
        recall(buffer, at, &fletch_field_shape, walk, FIELD_PLACES, FIELD_MASK, own, fault);

    field->at = at;
    if (vtable == NULL ||
        !decode_members(buffer, at, vtable, ROWS(field_rows), field, visit, fault))
        return false;
    if (has_known_type(field) && !decode_type(buffer, walk, &field->type, visit, fault))
        return false;
    field->has_dictionary = field->dictionary.at != 0;
    if (!field->has_dictionary) return true;
    if (visit != VISIT_DECODE) {
        fletch_dictionary local; /* so that `field` stays in registers */

        if (!decode_dictionary(buffer, field->dictionary.at, walk, &local, fault)) return false;
        field->dictionary.index_type_at = local.index_type_at;
        return true;
    }
    return decode_dictionary(buffer, field->dictionary.at, walk, &field->dictionary, fault);
}

/* How many tables decode_field looked into. */
FORCE_INLINE uint64_t tables_of(const fletch_field *field)
{
    uint64_t tables = has_known_type(field) ? 2 : 1;

    if (field->has_dictionary) tables += field->dictionary.index_type_at != 0 ? 2 : 1;
    return tables;
}

bool fletch_decode_field(fletch_buffer buffer, uint32_t at, fletch_vtable *vtable,
                         fletch_field *field, struct fault *fault)
{
    return decode_field(buffer, at, NULL, vtable, field, VISIT_DECODE, fault);
}

bool fletch_decode_name(fletch_buffer buffer, uint32_t at, fletch_vtable *vtable,
                        fletch_string *name, struct fault *fault)
{
    const uint32_t position = vtable_of(buffer, at);
    uint32_t target;

    if (!find_vtable(buffer, at, position, &fletch_field_shape, vtable, fault)) return false;
    name->data = "";
    name->size = 0;
    if (vtable->slots[FIELD_NAME] == 0) return true;
    return follow(buffer, at + vtable->slots[FIELD_NAME], &target, fault) &&
           read_string(buffer, target, name, fault);
}

FORCE_INLINE bool decode_pair(fletch_buffer buffer, uint32_t at, fletch_walk *walk,
                              fletch_vtable *own, fletch_key_value *pair, enum visit visit,
                              struct fault *fault)
{
    const fletch_vtable *vtable =
        recall(buffer, at, &fletch_key_value_shape, walk, PAIR_PLACES, FEW_MASK, own, fault);

    pair->at = at;
    return vtable != NULL &&
           decode_members(buffer, at, vtable, ROWS(key_value_rows), pair, visit, fault);
}

bool fletch_decode_pair(fletch_buffer buffer, uint32_t at, fletch_key_value *pair,
                        struct fault *fault)
{
    fletch_vtable vtable;

    forget_vtable(&vtable);
    return decode_pair(buffer, at, NULL, &vtable, pair, VISIT_DECODE, fault);
}

/* Limits */

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
    /* Two loads, not one of both: they were just stored apart, and a wider load would have to wait
     * for both stores to reach the cache. */
    walk->children.begin = walk->children.position = keep(fields->position);
    walk->children.end = keep(fields->end);
    walk->children.parent = parent;
    walk->children.parent_type = parent_type;
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
    walk->open_runs = 0;
    walk->run.begin = walk->run.position = walk->run.end = walk->run.parent = 0;
    walk->run.parent_type = FLETCH_TYPE_NONE;
    fletch_walk_enter(walk, fields, parent, parent_type);
    set_limits(walk, limits);
    for (i = 0; i < FLETCH_WALK_VTABLES; i++)
        forget_vtable(&walk->vtables[i]);
}

void fletch_walk_begin(fletch_walk *walk, const fletch_schema *schema, const fletch_limits *limits)
{
    fletch_walk_over(walk, &schema->fields, schema->at, FLETCH_TYPE_NONE, limits);
}

void fletch_walk_skip(fletch_walk *walk)
{
    walk->children.end = walk->children.position;
}

static inline bool take_tables(fletch_walk *walk, uint64_t count, uint32_t at, struct fault *fault)
{
    if (count > walk->tables_left)
        return fail(fault, FAULT_TABLES, at, (int64_t)(walk->tables & INT64_MAX), 0);
    walk->tables_left -= count;
    return true;
}

bool fletch_take_tables(fletch_walk *walk, uint64_t count, uint32_t at, struct fault *fault)
{
    return take_tables(walk, count, at, fault);
}

bool fletch_take_text(fletch_walk *walk, uint64_t count, uint32_t at, struct fault *fault)
{
    if (count > walk->text_left)
        return fail(fault, FAULT_TEXT, at, (int64_t)(walk->text & INT64_MAX), 0);
    walk->text_left -= count;
    return true;
}

FORCE_INLINE bool visit_field(fletch_walk *walk, fletch_buffer buffer, uint32_t at,
                              fletch_field *field, enum visit visit, struct fault *fault)
{
    return decode_field(buffer, at, walk, NULL, field, visit, fault) &&
           take_tables(walk, tables_of(field), at, fault);
}

bool fletch_walk_again(fletch_walk *walk, uint32_t at, fletch_field *field, struct fault *fault)
{
    return visit_field(walk, walk->buffer, at, field, VISIT_DECODE, fault);
}

FORCE_INLINE bool visit_pair(fletch_walk *walk, fletch_metadata *pairs, fletch_key_value *pair,
                             enum visit visit, struct fault *fault)
{
    uint32_t at = 0;

    if (!follow(walk->buffer, pairs->position, &at, fault) || !take_tables(walk, 1, at, fault) ||
        !decode_pair(walk->buffer, at, walk, NULL, pair, visit, fault))
        return false;
    pairs->position += 4;
    return true;
}

bool fletch_walk_pair(fletch_walk *walk, fletch_metadata *pairs, fletch_key_value *pair,
                      struct fault *fault)
{
    fault->reason = FAULT_NONE;
    return pairs->position < pairs->end && visit_pair(walk, pairs, pair, VISIT_DECODE, fault);
}

bool fletch_walk_metadata(fletch_walk *walk, fletch_metadata *metadata, fletch_key_value *pair)
{
    struct fault fault;

    if (metadata->position >= metadata->end || metadata->status != FLETCH_OK) return false;
    if (visit_pair(walk, metadata, pair, VISIT_DECODE, &fault)) return true;
    metadata->status = walk->status = fletch_fault_status(fault.reason);
    return false;
}

bool fletch_walk_check_pairs(fletch_walk *walk, uint32_t begin, uint32_t end, struct fault *fault)
{
    fletch_metadata pairs;
    fletch_key_value pair;

    pairs.position = begin;
    pairs.end = end;
    while (pairs.position < pairs.end)
        if (!visit_pair(walk, &pairs, &pair, VISIT_CHECK, fault))
            return fail_inside(fault, "custom_metadata", (pairs.position - begin) / 4);
    return true;
}

/* Makes the waiting children the innermost run. */
static bool enter_children(fletch_walk *walk, struct fault *fault)
{
    const uint32_t open = walk->open_runs;

    if (open >= walk->max_depth || open >= FLETCH_MAX_DEPTH) {
        fletch_set_fault(fault, FAULT_DEPTH, walk->children.begin - 4, walk->max_depth, 0);
        return fail_inside(fault, "children", NO_INDEX);
    }
    walk->outer[open] = walk->run;
    walk->run = walk->children;
    walk->children.end = walk->children.position;
    walk->open_runs = open + 1;
    walk->depth = open;
    return true;
}

/* Goes back to the run around the innermost, which is at its end. */
static walk_event leave(fletch_walk *walk)
{
    const uint32_t open = walk->open_runs - 1;

    if (open >= FLETCH_MAX_DEPTH) return WALK_END; /* no run was open */
    walk->left_at = walk->run.parent;
    walk->run = walk->outer[open];
    walk->open_runs = open;
    if (open == 0) return WALK_END;
    walk->depth = open - 1;
    return WALK_LEAVE;
}

/* Takes the next element of the innermost run, of which there is one. */
FORCE_INLINE bool take_field(fletch_walk *walk, fletch_buffer buffer, fletch_field *field,
                             enum visit visit, struct fault *fault)
{
    const uint32_t element = walk->run.position;
    uint32_t at = 0;

    walk->run.position = element + 4;
    if (!follow(buffer, element, &at, fault) || !visit_field(walk, buffer, at, field, visit, fault))
        return false;
    if (field->children.position < field->children.end)
        fletch_walk_enter(walk, &field->children, at, field->type.id);
    return true;
}

FORCE_INLINE walk_event step(fletch_walk *walk, fletch_field *field, struct fault *fault)
{
    if (walk->children.position < walk->children.end && !enter_children(walk, fault))
        return WALK_FAULT;
    if (walk->run.position >= walk->run.end) return leave(walk);
    return take_field(walk, walk->buffer, field, VISIT_DECODE, fault) ? WALK_FIELD : WALK_FAULT;
}

walk_event fletch_walk_step(fletch_walk *walk, fletch_field *field, struct fault *fault)
{
    return step(walk, field, fault);
}

/* Checks siblings until one has children, which wait then, or the run ends. */
static bool check_run(fletch_walk *walk, struct fault *fault)
{
    const fletch_buffer buffer = walk->buffer;
    fletch_field field;

    while (walk->run.position < walk->run.end) {
        if (!take_field(walk, buffer, &field, VISIT_CHECK, fault)) return false;
        if (field.metadata.position < field.metadata.end &&
            !fletch_walk_check_pairs(walk, field.metadata.position, field.metadata.end, fault))
            return false;
        if (field.children.position < field.children.end) break;
    }
    return true;
}

bool fletch_walk_check(fletch_walk *walk, struct fault *fault)
{
    do {
        if (walk->children.position < walk->children.end && !enter_children(walk, fault))
            return false;
        if (!check_run(walk, fault)) return false;
    } while (walk->children.position < walk->children.end || leave(walk) == WALK_LEAVE);
    return true;
}

/* Counting */

static bool count_text(fletch_walk *walk, uint64_t size, uint32_t at, struct walk_counts *counts,
                       struct fault *fault)
{
    counts->text += size;
    return fletch_take_text(walk, size, at, fault);
}

bool fletch_walk_count_pairs(fletch_walk *walk, uint32_t begin, uint32_t end,
                             struct walk_counts *counts, struct fault *fault)
{
    fletch_metadata pairs;
    fletch_key_value pair;

    if (begin >= end) return true;
    counts->lists++;
    counts->pairs += (end - begin) / 4;
    pairs.position = begin;
    pairs.end = end;
    while (pairs.position < pairs.end)
        if (!visit_pair(walk, &pairs, &pair, VISIT_SIZES, fault) ||
            !count_text(walk, (uint64_t)pair.key.size + pair.value.size, pair.at, counts, fault))
            return fail_inside(fault, "custom_metadata", (pairs.position - begin) / 4);
    return true;
}

/* What a field has beside its metadata. */
FORCE_INLINE bool count_field(fletch_walk *walk, const fletch_field *field,
                              struct walk_counts *counts, struct fault *fault)
{
    const int32_t type = field->type.id;
    size_t text = field->name.size;

    counts->fields++;
    counts->dictionaries += field->has_dictionary;
    counts->names += text != 0;
    if (type >= 0 && type < TYPE_COUNT) counts->types[type]++;
    if (type == FLETCH_TYPE_UNION)
        counts->members += (field->children.end - field->children.position) / 4;
    if (type == FLETCH_TYPE_TIMESTAMP) {
        counts->zones += field->type.as.timestamp.timezone.size != 0;
        text += field->type.as.timestamp.timezone.size;
    }
    counts->text += text;
    if (text > walk->text_left) return fletch_take_text(walk, text, field->at, fault);
    walk->text_left -= text;
    return true;
}

/* As check_run. */
static bool count_run(fletch_walk *walk, struct walk_counts *counts, struct fault *fault)
{
    const fletch_buffer buffer = walk->buffer;
    fletch_field field;

    field.type.as.timestamp.timezone.size = 0; /* for compilers that cannot see it is set */
    while (walk->run.position < walk->run.end) {
        if (!take_field(walk, buffer, &field, VISIT_SIZES, fault) ||
            !count_field(walk, &field, counts, fault))
            return false;
        if (field.metadata.position < field.metadata.end &&
            !fletch_walk_count_pairs(walk, field.metadata.position, field.metadata.end, counts,
                                     fault))
            return false;
        if (field.children.position < field.children.end) break;
    }
    return true;
}

bool fletch_walk_count(fletch_walk *walk, struct walk_counts *counts, struct fault *fault)
{
    do {
        if (walk->children.position < walk->children.end && !enter_children(walk, fault))
            return false;
        if (!count_run(walk, counts, fault)) return false;
    } while (walk->children.position < walk->children.end || leave(walk) == WALK_LEAVE);
    return true;
}

bool fletch_walk_next(fletch_walk *walk, fletch_field *field)
{
    struct fault fault;
    walk_event event;

    if (walk->status != FLETCH_OK) return false;
    do
        event = step(walk, field, &fault);
    while (event == WALK_LEAVE);
    walk->index = fletch_walk_index(walk);
    if (event == WALK_FAULT) walk->status = fletch_fault_status(fault.reason);
    return event == WALK_FIELD;
}

static uint32_t index_in(const fletch_walk_run *run)
{
    return (run->position - run->begin) / 4 - 1;
}

uint32_t fletch_walk_index(const fletch_walk *walk)
{
    return index_in(&walk->run);
}

int32_t fletch_walk_parent(const fletch_walk *walk)
{
    return walk->run.parent_type;
}

int32_t fletch_walk_grandparent(const fletch_walk *walk)
{
    const uint32_t open = walk->open_runs - 1;

    return open < FLETCH_MAX_DEPTH ? walk->outer[open].parent_type : FLETCH_TYPE_NONE;
}

/* Paths */

struct place {
    const struct fault *fault;
    const char *prefix;
    const fletch_walk *walk;
};

static void write_path(const void *context, short_text *text)
{
    const struct place *place = context;
    const struct fault *fault = place->fault;
    uint32_t i;

    fletch_append_text(text, place->prefix);
    for (i = 1; place->walk != NULL && i <= place->walk->open_runs; i++)
        fletch_append_step(text, i == 1 ? "fields" : "children",
                           index_in(i < place->walk->open_runs ? &place->walk->outer[i]
                                                               : &place->walk->run));
    for (i = fault->step_count; i != 0; i--)
        fletch_append_step(text, fault->names[i - 1], fault->indices[i - 1]);
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
