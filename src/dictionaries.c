/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dictionary ids in conflict.
 *
 * The fields that are dictionary-encoded are listed in the caller's memory, sorted by id, and each
 * compared with the one before it where the ids are equal. All walks together keep to one budget.
 */
#include "entries.h"
#include "same.h"
#include "verify.h"
#include "walk.h"

struct list {
    struct entries entries; /* key: the dictionary's id; at: the field's table */
    size_t space;           /* entries that fit */
};

/* Steps to the next dictionary-encoded field; false at the end or a fault (walk->status). */
static bool next_dictionary(fletch_walk *walk, fletch_field *field)
{
    while (fletch_walk_next(walk, field))
        if (field->has_dictionary) return true;
    return false;
}

/* What is left of the budgets of all walks together. */
struct budget {
    uint64_t tables, text;
};

/* Lists the fields; counts on beyond the space that there is. */
static fletch_status collect(const fletch_schema *schema, const fletch_limits *limits,
                             struct list *list, struct budget *budget)
{
    fletch_walk walk;
    fletch_field field;

    fletch_walk_begin(&walk, schema, limits);
    while (next_dictionary(&walk, &field)) {
        if (list->entries.count < list->space) {
            struct entry entry;

            entry.key = (uint64_t)field.dictionary.id;
            entry.at = field.at;
            entry.ordinal = (uint32_t)list->entries.count;
            fletch_set_entry(&list->entries, list->entries.count, entry);
        }
        list->entries.count++;
    }
    budget->tables = walk.tables_left;
    budget->text = walk.text_left;
    return walk.status;
}

/* The bytes that comparing a type reads beside its table. */
static uint64_t text_of(const fletch_type *type)
{
    if (type->id == FLETCH_TYPE_TIMESTAMP) return type->as.timestamp.timezone.size;
    return type->id == FLETCH_TYPE_UNION ? 4 * (uint64_t)type->as.union_.type_ids.count : 0;
}

/* Whether two fields have the same type and number of children; false with a fault: no answer. */
static bool same_node(fletch_walk *walk, const fletch_field *a, const fletch_field *b,
                      struct fault *fault)
{
    const uint32_t count = fletch_count_fields(&a->children);
    uint32_t slot;

    return fletch_take_text(walk, text_of(&a->type) + text_of(&b->type), a->at, fault) &&
           count == fletch_count_fields(&b->children) &&
           fletch_same_type(&a->type, &b->type, count, &slot);
}

/* Compares the value types of two fields, child by child. */
static fletch_status compare_values(const fletch_schema *schema, struct entry a, struct entry b,
                                    struct budget *budget, bool *same)
{
    fletch_limits limits = {0, 0, 0};
    fletch_walk walk_a, walk_b;
    fletch_field field_a, field_b;
    struct fault fault;

    limits.tables = budget->tables != 0 ? budget->tables : 1;
    limits.text = budget->text != 0 ? budget->text : 1;
    fletch_walk_over(&walk_a, &schema->fields, 0, FLETCH_TYPE_NONE, &limits);
    fletch_walk_over(&walk_b, &schema->fields, 0, FLETCH_TYPE_NONE, &limits);
    if (!fletch_walk_again(&walk_a, a.at, &field_a, &fault) ||
        !fletch_walk_again(&walk_b, b.at, &field_b, &fault))
        return fletch_fault_status(fault.reason);
    fletch_walk_enter(&walk_a, &field_a.children, a.at, field_a.type.id);
    fletch_walk_enter(&walk_b, &field_b.children, b.at, field_b.type.id);
    fault.reason = FAULT_NONE;
    do
        *same = same_node(&walk_a, &field_a, &field_b, &fault);
    while (*same && fletch_walk_next(&walk_a, &field_a) && fletch_walk_next(&walk_b, &field_b));
    if (fault.reason != FAULT_NONE) return fletch_fault_status(fault.reason);
    if (walk_a.status != FLETCH_OK) return walk_a.status;
    budget->tables = walk_a.tables_left;
    budget->text = walk_a.text_left;
    return walk_b.status;
}

static fletch_status tell_status(fletch_status status, fletch_error *error)
{
    if (error == NULL) return status;
    fletch_say_fault(error, status == FLETCH_LIMIT ? FAULT_DICTIONARY_WORK : FAULT_CHANGED, 0, 0,
                     0);
    error->status = status;
    return status;
}

/* Tells of the dictionary-encoded field `ordinal`. */
static fletch_status tell_conflict(const fletch_schema *schema, const fletch_limits *limits,
                                   uint32_t ordinal, fletch_error *error)
{
    fletch_walk walk;
    fletch_field field;
    struct fault fault;
    uint32_t at, i;

    fletch_walk_begin(&walk, schema, limits);
    for (i = 0; i <= ordinal; i++)
        if (!next_dictionary(&walk, &field)) return tell_status(FLETCH_MALFORMED, error);
    at = fletch_member_at(schema->buffer, field.dictionary.at, DICTIONARY_ID);
    fletch_set_fault(&fault, FAULT_DICTIONARY_CONFLICT, at != 0 ? at : field.dictionary.at,
                     field.dictionary.id, 0);
    fletch_fault_inside(&fault, "id", NO_INDEX);
    fletch_fault_inside(&fault, "dictionary", NO_INDEX);
    fletch_tell(error, &fault, schema->origin, fletch_schema_prefix(schema), &walk);
    return FLETCH_INVALID;
}

fletch_status fletch_check_dictionaries(const fletch_schema *schema, void *memory, size_t size,
                                        const fletch_limits *limits, fletch_error *error)
{
    struct list list;
    struct budget budget;
    fletch_status status;
    size_t i;

    if (!fletch_has_schema(schema, error)) return FLETCH_MISSING;
    list.entries.memory = memory;
    list.space = size / FLETCH_DICTIONARY_MEMORY;
    list.entries.count = 0;
    status = collect(schema, limits, &list, &budget);
    if (status != FLETCH_OK) return tell_status(status, error);
    if (list.entries.count > list.space) {
        fletch_say_fault(error, FAULT_DICTIONARY_MEMORY, 0, (int64_t)size,
                         (int64_t)(list.entries.count * FLETCH_DICTIONARY_MEMORY));
        if (error != NULL) error->wanted = list.entries.count * FLETCH_DICTIONARY_MEMORY;
        return FLETCH_NO_SPACE;
    }
    fletch_sort_entries(&list.entries);
    for (i = 1; i < list.entries.count; i++) {
        const struct entry before = fletch_get_entry(&list.entries, i - 1);
        const struct entry entry = fletch_get_entry(&list.entries, i);
        bool same = true;

        if (before.key != entry.key || before.at == entry.at) continue;
        status = compare_values(schema, before, entry, &budget, &same);
        if (status != FLETCH_OK) return tell_status(status, error);
        if (!same) return tell_conflict(schema, limits, entry.ordinal, error);
    }
    return FLETCH_OK;
}
