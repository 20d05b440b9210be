/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The extents of all objects in any SIZE bytes, with any limits: of damaged bytes of any root, and
 * of a schema that stands anywhere in them, verified or not. The one who is told of them may end it
 * at any. Set apart is what any_walk.h says.
 */
#include "any_walk.h"
#include "fletch/explain.h"
#include "vtable.h"

static uint8_t bytes[SIZE + 1];

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
