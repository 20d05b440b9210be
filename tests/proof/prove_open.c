/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening any SIZE bytes as a bare flatbuffer of any root, at level LEVEL.
 *
 * Three calls on the way are set apart, and proven by drivers of their own:
 *  - A walk does not begin where the library begins it but in any state, which holds that one;
 *    prove_state.c shows what a state is.
 *  - The words of a fault (prove_error.c): here it is only looked whether the fault is whole.
 *  - Arrow's rules for a field (prove_rules.c): here they say yes, or no to a type.
 */
#include "rules.h"
#include "vtable.h"

#define fletch_walk_over begin_walk_over
#define fletch_tell      tell_in_words
#include "walk.c"
#undef fletch_walk_over
#undef fletch_tell

#define fletch_check_field check_all_rules
#include "rules.c"
#undef fletch_check_field

static uint8_t bytes[SIZE + 1];

void fletch_walk_over(fletch_walk *walk, const fletch_fields *fields, uint32_t parent,
                      int32_t parent_type, const fletch_limits *limits)
{
    begin_walk_over(walk, fields, parent, parent_type, limits);
    any_state(walk);
}

void fletch_tell(fletch_error *error, const struct fault *fault, uint64_t origin,
                 const char *prefix, const fletch_walk *walk)
{
    if (error == NULL) return;
    look_at_fault(fault);
    any_error(error);
    look_at_text(prefix);
    if (walk != NULL) look_at_runs(walk);
    (void)origin;
}

bool fletch_check_field(const fletch_field *field, const struct surroundings *around,
                        bool is_strict, struct finding *finding)
{
    (void)field;
    (void)around;
    (void)is_strict;
    if (any_bool()) return true;
    finding->reason = FAULT_TYPE_UNKNOWN;
    finding->table = IN_FIELD;
    finding->slot = FIELD_TYPE_TYPE;
    finding->element = NO_INDEX;
    finding->value = any_int();
    finding->other = any_int();
    return false;
}

void prove(void)
{
    fletch_options options = {0};
    fletch_schema schema;
    fletch_error error;

    /*@ widen_hints global:"all", 5, 128; */
    fill(bytes, SIZE);
    options.kind = (fletch_kind)Frama_C_interval(FLETCH_SCHEMA, FLETCH_FOOTER);
    options.level = LEVEL;
    options.limits = any_limits();
    fletch_open_with(bytes, SIZE, &options, &schema, any_bool() ? &error : NULL);
}
