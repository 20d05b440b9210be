/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The extents of all objects in any SIZE bytes, with any limits: of damaged bytes of any root, and
 * of a schema that stands anywhere in them, verified or not. The one who is told of them may end it
 * at any. Set apart are what any_walk.h says, and
 *  - the walk's steps: one gives any field, pair or fault, and the walk is in any state then
 *    (prove_steps.c);
 *  - checking a table: it is good, or there is any fault (prove_vtable.c).
 */
#define fletch_walk_step step_really
#define fletch_walk_pair take_pair_really
#include "any_walk.h"
#undef fletch_walk_step
#undef fletch_walk_pair

#define fletch_check_table check_table_really
#include "vtable.h"
#undef fletch_check_table

#include "fletch/explain.h"

static uint8_t bytes[SIZE + 1];

/* False, with any fault, one that is a limit among them. */
static bool fail_anyhow(struct fault *fault)
{
    fail(fault, (enum reason)Frama_C_interval(FAULT_NONE + 1, FAULT_DIFFERENT), any_bits(),
         any_int(), any_int());
    return any_bool() ? fail_inside(fault, "member", any_bits()) : false;
}

walk_event fletch_walk_step(fletch_walk *walk, fletch_field *field, struct fault *fault)
{
    const walk_event event = (walk_event)Frama_C_interval(WALK_FIELD, WALK_FAULT);

    any_state(walk);
    fill(field, sizeof *field);
    field->type.id = Frama_C_interval(0, UINT8_MAX);
    field->has_dictionary = any_bool();
    field->children.buffer = field->metadata.buffer = walk->buffer;
    if (event == WALK_FAULT) fail_anyhow(fault);
    return event;
}

bool fletch_walk_pair(fletch_walk *walk, fletch_metadata *pairs, fletch_key_value *pair,
                      struct fault *fault)
{
    any_state(walk);
    pairs->position = any_bits();
    fill(pair, sizeof *pair);
    fault->reason = FAULT_NONE;
    return any_bool() || (any_bool() && fail_anyhow(fault));
}

bool fletch_check_table(fletch_buffer buffer, uint32_t at, const struct shape *shape,
                        struct fault *fault)
{
    (void)buffer;
    (void)at;
    (void)shape;
    return any_bool() || fail_anyhow(fault);
}

static bool take_object(void *context, const fletch_object *object)
{
    volatile uint64_t number = (uint64_t)object->kind + object->begin + object->end +
                               object->depth + object->owner + object->index + object->width +
                               object->is_offset;

    look_at_text(object->table);
    look_at_text(object->member);
    (void)context;
    (void)number;
    return any_bool();
}

static fletch_kind any_root(void)
{
    return (fletch_kind)Frama_C_interval(FLETCH_SCHEMA, FLETCH_FOOTER);
}

static void visit_schema(const fletch_limits *limits)
{
    const fletch_kind root = any_root();
    fletch_schema schema;
    fletch_error error;

    //@ split root;
    fill(&schema, sizeof schema);
    schema.wrapper.root = root;
    schema.wrapper.metadata = any_metadata(bytes);
    schema.buffer = buffer_of(bytes);
    schema.fields = any_fields(bytes);
    schema.metadata = any_metadata(bytes);
    fletch_visit_objects(&schema, limits, take_object, NULL, any_bool() ? &error : NULL);
}

static void visit_bytes(const fletch_limits *limits)
{
    const fletch_kind root = any_root();
    fletch_error error;

    //@ split root;
    fletch_visit_bytes(bytes, SIZE, root, limits, take_object, NULL, any_bool() ? &error : NULL);
}

void prove(void)
{
    const fletch_limits limits = any_limits();

    /*@ widen_hints global:"all", 5, 128; */
    fill(bytes, SIZE);
    visit_schema(&limits);
    visit_bytes(&limits);
}
