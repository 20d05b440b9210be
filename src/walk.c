/* SPDX-License-Identifier: Apache-2.0 */
/* The walk. Its steps, and what it keeps between them, are in visit.h. */
#include "walk.h"

#include "visit.h"

/* An absent index type is signed and 32 bits wide; a present one has its own defaults. Its vtable
 * is remembered where those of fields' Int types are. */
static bool decode_index_type(fletch_buffer buffer, fletch_walk *walk,
                              fletch_dictionary *dictionary, struct fault *fault)
{
    const uint32_t at = dictionary->index_type_at;
    const fletch_vtable *vtable;
    fletch_vtable local;

    dictionary->has_index_type = at != 0;
    dictionary->index_type.bit_width = 32;
    dictionary->index_type.is_signed = true;
    if (at == 0) return true;
    if (IS_SMALL)
        return fletch_decode(buffer, at, &fletch_int_shape, &dictionary->index_type, fault) ||
               fail_inside(fault, "indexType", NO_INDEX);
    forget_vtable(&local);
    vtable =
        recall(buffer, at, &fletch_int_shape, walk, type_place(FLETCH_TYPE_INT), &local, fault);
    return (vtable != NULL &&
            decode_members(buffer, at, vtable, any_presence, ROWS(index_type_rows),
                           &dictionary->index_type, VISIT_DECODE, fault)) ||
           fail_inside(fault, "indexType", NO_INDEX);
}

FORCE_INLINE bool decode_dictionary(fletch_buffer buffer, fletch_walk *walk,
                                    fletch_dictionary *dictionary, struct fault *fault)
{
    const uint32_t at = dictionary->at;
    const fletch_vtable *vtable;
    fletch_vtable local;

    if (IS_SMALL) return fletch_decode(buffer, at, &fletch_dictionary_shape, dictionary, fault);
    forget_vtable(&local);
    vtable = recall(buffer, at, &fletch_dictionary_shape, walk, dictionary_places, &local, fault);
    return vtable != NULL && decode_members(buffer, at, vtable, any_presence, ROWS(dictionary_rows),
                                            dictionary, VISIT_DECODE, fault);
}

bool fletch_walk_dictionary(fletch_buffer buffer, fletch_walk *walk, fletch_dictionary *dictionary,
                            struct fault *fault)
{
    if (decode_dictionary(buffer, walk, dictionary, fault) &&
        decode_index_type(buffer, walk, dictionary, fault))
        return true;
    return fail_inside(fault, "dictionary", NO_INDEX);
}

bool fletch_decode_field(fletch_buffer buffer, uint32_t at, fletch_vtable *vtable,
                         fletch_field *field, struct fault *fault)
{
    uint64_t tables;

    return decode_field(buffer, at, NULL, vtable, field, &tables, VISIT_DECODE, fault);
}

/* The slot of a name that is where it should be, or 0. */
static uint32_t good_name_slot(fletch_buffer buffer, uint32_t at, uint32_t vtable)
{
    const uint32_t size = load_u16(buffer, vtable);
    const uint32_t table_size = load_u16(buffer, vtable + 2);
    const uint32_t slot = load_u16(buffer, vtable + 4 + 2 * FIELD_NAME);

    if (((vtable | size) & 1) != 0 || size < 6 + 2 * FIELD_NAME || size > buffer.size - vtable ||
        table_size > buffer.size - at || (slot & 3) != 0 || slot < 4 || slot + 4 > table_size)
        return 0;
    return slot;
}

bool fletch_decode_name(fletch_buffer buffer, uint32_t at, fletch_vtable *vtable,
                        fletch_string *name, struct fault *fault)
{
    const uint32_t position = vtable_of(buffer, at);
    const uint32_t slot = good_name_slot(buffer, at, position);
    flat_position target;

    name->data = "";
    name->size = 0;
    if (slot == 0) /* absent, or not good: all that a vtable's check asks of a name was asked */
        return find_vtable(buffer, at, position, &fletch_field_shape, vtable, fault);
    return follow(buffer, (flat_position)at + slot, &target, fault) &&
           read_string(buffer, target, name, fault);
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
    enter(walk, fields, parent, parent_type);
}

/* Five a step: a step for each would take thrice the instructions. */
static void forget_places(fletch_walk *walk)
{
    fletch_vtable *places = walk->vtables;
    uint32_t i;

    for (i = 0; i < FLETCH_WALK_VTABLES; i += 5) {
        forget_vtable(&places[i]);
        forget_vtable(&places[i + 1]);
        forget_vtable(&places[i + 2]);
        forget_vtable(&places[i + 3]);
        forget_vtable(&places[i + 4]);
    }
}

typedef char places_are_fives[FLETCH_WALK_VTABLES % 5 == 0 ? 1 : -1];

void fletch_walk_restart(fletch_walk *walk, const fletch_fields *fields, uint32_t parent,
                         int32_t parent_type, const fletch_limits *limits)
{
    walk->status = FLETCH_OK;
    walk->depth = 0;
    walk->index = 0;
    walk->left_at = 0;
    /* Apart, as they were stored: see copy_run. */
    walk->buffer.bytes = fields->buffer.bytes;
    walk->buffer.size = fields->buffer.size;
    walk->open_runs = 0;
    walk->run.begin = walk->run.position = walk->run.end = walk->run.parent = 0;
    walk->run.parent_type = FLETCH_TYPE_NONE;
    enter(walk, fields, parent, parent_type);
    set_limits(walk, limits);
}

void fletch_walk_over(fletch_walk *walk, const fletch_fields *fields, uint32_t parent,
                      int32_t parent_type, const fletch_limits *limits)
{
    fletch_walk_restart(walk, fields, parent, parent_type, limits);
    if (!IS_SMALL) forget_places(walk);
}

void fletch_walk_begin(fletch_walk *walk, const fletch_schema *schema, const fletch_limits *limits)
{
    fletch_walk_over(walk, &schema->fields, schema->at, FLETCH_TYPE_NONE, limits);
}

void fletch_walk_skip(fletch_walk *walk)
{
    walk->children.end = walk->children.position;
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

bool fletch_walk_again(fletch_walk *walk, uint32_t at, fletch_field *field, struct fault *fault)
{
    return visit_field(walk, walk->buffer, at, field, VISIT_DECODE, fault);
}

bool fletch_walk_take_pair(fletch_walk *walk, uint32_t element, fletch_key_value *pair,
                           struct fault *fault)
{
    return visit_pair(walk, walk->buffer, element, pair, VISIT_DECODE, fault);
}

bool fletch_walk_pair(fletch_walk *walk, fletch_metadata *pairs, fletch_key_value *pair,
                      struct fault *fault)
{
    fault->reason = FAULT_NONE;
    if (pairs->position >= pairs->end || !fletch_walk_take_pair(walk, pairs->position, pair, fault))
        return false;
    pairs->position += 4;
    return true;
}

bool fletch_walk_metadata(fletch_walk *walk, fletch_metadata *metadata, fletch_key_value *pair)
{
    struct fault fault;

    if (metadata->position >= metadata->end || metadata->status != FLETCH_OK) return false;
    if (fletch_walk_take_pair(walk, metadata->position, pair, &fault)) {
        metadata->position += 4;
        return true;
    }
    metadata->status = walk->status = fletch_fault_status(fault.reason);
    return false;
}

bool fletch_walk_check_pairs(fletch_walk *walk, uint32_t begin, uint32_t end, struct fault *fault)
{
    const fletch_buffer buffer = walk->buffer;
    fletch_key_value pair;
    uint32_t element;

    for (element = begin; element < end; element += 4)
        if (!take_pair(walk, buffer, element, &pair, VISIT_CHECK, fault))
            return fail_inside(fault, "custom_metadata", (element - begin) / 4);
    return true;
}

bool fletch_walk_take(fletch_walk *walk, fletch_field *field, struct fault *fault)
{
    const bool is_good = take_next(walk, walk->buffer, field, VISIT_DECODE, fault);

    if (!is_good) walk->run.position += 4; /* a path leads to the element */
    return is_good;
}

FORCE_INLINE walk_event step(fletch_walk *walk, fletch_field *field, struct fault *fault)
{
    if (walk->children.position < walk->children.end && !enter_children(walk, fault))
        return WALK_FAULT;
    if (walk->run.position >= walk->run.end) return leave(walk);
    if (!IS_SMALL && take_next(walk, walk->buffer, field, VISIT_DECODE, NULL)) return WALK_FIELD;
    return fletch_walk_take(walk, field, fault) ? WALK_FIELD : WALK_FAULT;
}

walk_event fletch_walk_step(fletch_walk *walk, fletch_field *field, struct fault *fault)
{
    return step(walk, field, fault);
}

/* Checks the next field of the innermost run, and its metadata. */
FORCE_INLINE bool check_next(fletch_walk *walk, fletch_buffer buffer, fletch_field *field,
                             struct fault *fault)
{
    if (!take_field(walk, buffer, field, VISIT_CHECK, fault)) return false;
    if (field->metadata.position >= field->metadata.end) return true;
    return fletch_walk_check_pairs(walk, field->metadata.position, field->metadata.end, fault);
}

/* Checks siblings until one has children, which wait then, or the run ends. */
static bool check_run(fletch_walk *walk, struct fault *fault)
{
    const fletch_buffer buffer = walk->buffer;
    fletch_field field;

    field.children.position = field.children.end = 0;
    while (walk->run.position < walk->run.end) {
        if (!check_next(walk, buffer, &field, fault)) return false;
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

static bool say_missing(const fletch_schema *schema, bool is_missing, fletch_error *error)
{
    fletch_clear_error(error);
    if (is_missing) fletch_say_fault(error, FAULT_NO_SCHEMA, schema->origin, 0, 0);
    return !is_missing;
}

bool fletch_has_schema(const fletch_schema *schema, fletch_error *error)
{
    return say_missing(schema, schema->at == 0, error);
}

bool fletch_has_bytes(const fletch_schema *schema, fletch_error *error)
{
    return say_missing(schema, schema->buffer.size == 0, error);
}
