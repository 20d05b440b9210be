/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening any SIZE bytes as a bare flatbuffer of any root, at level LEVEL.
 *
 * Set apart are what any_walk.h says, and Arrow's rules for a type, at level strict for a field
 * (prove_rules.c): here they say yes, or no to a type.
 */
#include "any_walk.h"
#include "rules.h"
#include "vtable.h"

#define fletch_check_field check_all_rules
#define fletch_check_type  check_rules_of_type
#include "rules.c"
#undef fletch_check_field
#undef fletch_check_type

static uint8_t bytes[SIZE + 1];

bool fletch_check_type(const fletch_type *type, struct finding *finding)
{
    (void)type;
    if (any_bool()) return true;
    finding->reason = FAULT_TYPE_UNKNOWN;
    finding->table = IN_FIELD;
    finding->slot = FIELD_TYPE_TYPE;
    finding->element = NO_INDEX;
    finding->value = any_int();
    finding->other = any_int();
    return false;
}

bool fletch_check_field(const fletch_field *field, const struct surroundings *around,
                        bool is_strict, struct finding *finding)
{
    (void)around;
    (void)is_strict;
    return fletch_check_type(&field->type, finding);
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
