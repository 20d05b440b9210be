/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrow's rules, for a field with a type of any tag that is decoded at any place of SIZE bytes, and
 * anything else about it: checking them as level arrow does and as level strict does, and the fault
 * of what they find, with its place.
 */
#include "vtable.h"

#include "visit.h"

static void tell_fault(fletch_error *error, const struct fault *fault, uint64_t origin,
                       const char *prefix, const fletch_walk *walk)
{
    (void)error;
    (void)origin;
    look_at_fault(fault);
    look_at_text(prefix);
    if (walk != NULL) look_at_runs(walk);
}

#define fletch_tell tell_fault
#include "verify.c"
#undef fletch_tell

static uint8_t bytes[SIZE + 1];
static struct checker checker;
static fletch_schema schema;

/* A field whose tag says that it has a type but that has none is refused. */
static void refuse_absent(void)
{
    fletch_field field;
    struct fault fault;
    bool is_good;

    field.type.id = Frama_C_interval(1, UINT8_MAX);
    is_good = decode_absent(schema.buffer, any_bits(), &field_rows[FIELD_TYPE], &field,
                            VISIT_DECODE, &fault);
    //@ check !is_good;
    (void)is_good;
}

static bool decode_any_type(fletch_type *type, enum visit visit)
{
    struct fault fault;
    uint64_t at;

    type->at = 0;
    if (type->id == FLETCH_TYPE_NONE) return true;
    if (!follow(schema.buffer, any_bits(), &at, &fault)) return false;
    type->at = (uint32_t)at;
    return type->id >= TYPE_COUNT || decode_type(schema.buffer, NULL, type, visit, &fault);
}

/* Anything but the type. */
static void set_field(fletch_field *field, int32_t id)
{
    fill(&field->dictionary, sizeof field->dictionary);
    fill(&field->children, sizeof field->children);
    field->at = any_bits();
    field->nullable = any_bool();
    field->has_dictionary = any_bool();
    field->type.id = id;
}

static void check_strictly(int32_t id)
{
    fletch_field field;

    set_field(&field, id);
    if (!decode_any_type(&field.type, VISIT_DECODE)) return;
    fletch_count_buffers(&field, any_int());
    checker.verdict = FLETCH_OK;
    checker.is_strict = true;
    check_field_rules(&checker, &field);
}

static void check_arrow(int32_t id)
{
    fletch_field field;

    set_field(&field, id);
    field.type.as.integer.bit_width = any_int(); /* check_run sets it, too */
    if (!decode_any_type(&field.type, VISIT_RULES)) return;
    checker.verdict = FLETCH_OK;
    checker.is_strict = false;
    check_rules(&checker, &field);
}

/* As the exporter does: by a type that was decoded whole. */
static void check_decoded(int32_t id)
{
    fletch_type type;
    struct finding finding;

    type.id = id;
    if (!decode_any_type(&type, VISIT_DECODE)) return;
    (void)fletch_check_rules(&checker.walk, &type, any_bits(), any_bool(), &finding);
}

void prove(void)
{
    int32_t id;

    fill(bytes, SIZE);
    schema.buffer.bytes = bytes;
    schema.buffer.size = SIZE;
    checker.schema = &schema;
    checker.prefix = "";
    checker.is_arrow = true;
    checker.walk.buffer = schema.buffer;
    any_state(&checker.walk);
    refuse_absent();
    //@ loop unroll 30;
    for (id = 0; id <= TYPE_COUNT; id++) {
        check_strictly(id);
        check_arrow(id);
        check_decoded(id);
    }
}
