/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening any SIZE bytes as a bare flatbuffer of any root, at level LEVEL.
 *
 * Set apart are what any_walk.h says, and Arrow's rules for a field (prove_rules.c): here they say
 * yes, or no to its type.
 */
#include "any_walk.h"
#include "rules.h"
#include "vtable.h"

#define fletch_check_field        check_field_really
#define fletch_check_type         check_type_really
#define fletch_check_child_count  check_child_count_really
#define fletch_check_surroundings check_surroundings_really
#define fletch_find_fault         find_fault_really
#include "rules.c"
#undef fletch_check_field
#undef fletch_check_type
#undef fletch_check_child_count
#undef fletch_check_surroundings
#undef fletch_find_fault

static uint8_t bytes[SIZE + 1];

bool fletch_find_fault(struct finding *finding, enum reason reason, uint32_t where, int32_t value)
{
    (void)reason;
    (void)where;
    finding->reason = FAULT_TYPE_UNKNOWN;
    finding->table = IN_FIELD;
    finding->slot = FIELD_TYPE_TYPE;
    finding->element = NO_INDEX;
    finding->value = value;
    finding->other = any_int();
    return false;
}

/* Yes, or no. */
static bool decide(struct finding *finding)
{
    return any_bool() || fletch_find_fault(finding, FAULT_NONE, 0, any_int());
}

bool fletch_check_type(const fletch_type *type, struct finding *finding)
{
    (void)type;
    return decide(finding);
}

bool fletch_check_child_count(int32_t type_id, uint32_t type_ids, uint32_t count, bool is_strict,
                              struct finding *finding)
{
    (void)type_id;
    (void)type_ids;
    (void)count;
    (void)is_strict;
    return decide(finding);
}

bool fletch_check_surroundings(const fletch_field *field, uint32_t child_count,
                               const struct surroundings *around, bool is_strict,
                               struct finding *finding)
{
    (void)field;
    (void)child_count;
    (void)around;
    (void)is_strict;
    return decide(finding);
}

bool fletch_check_field(const fletch_field *field, const struct surroundings *around,
                        bool is_strict, struct finding *finding)
{
    (void)field;
    (void)around;
    (void)is_strict;
    return decide(finding);
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
