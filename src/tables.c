/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes, vtables, and decoding of a single table by its rows. */
#include "decode.h"

const struct shape fletch_schema_shape = {"Schema", ROWS(schema_rows)};
const struct shape fletch_message_shape = {"Message", ROWS(message_rows)};
const struct shape fletch_footer_shape = {"Footer", ROWS(footer_rows)};
const struct shape fletch_field_shape = {"Field", ROWS(field_rows)};
const struct shape fletch_key_value_shape = {"KeyValue", ROWS(key_value_rows)};
const struct shape fletch_dictionary_shape = {"DictionaryEncoding", ROWS(dictionary_rows)};
const struct shape fletch_int_shape = {"Int", ROWS(index_type_rows)};

const struct shape fletch_type_shapes[TYPE_COUNT] = {
#define TYPE_SHAPE(id, name, rows) {name, rows},
    TYPE_TABLES(TYPE_SHAPE)
#undef TYPE_SHAPE
};

void fletch_offset_fault(fletch_buffer buffer, uint32_t at, uint32_t offset, struct fault *fault)
{
    enum reason reason = FAULT_OFFSET_MISALIGNED;

    if (!holds(buffer, at, 4))
        reason = FAULT_WORD_OUTSIDE;
    else if (offset == 0)
        reason = FAULT_OFFSET_ZERO;
    else if (offset > FLAT_MAX_SIZE)
        reason = FAULT_OFFSET_NEGATIVE;
    else if (offset > buffer.size - 4 - at)
        reason = FAULT_OFFSET_OUTSIDE;
    fletch_set_fault(fault, reason, at, offset,
                     reason == FAULT_OFFSET_MISALIGNED ? at + offset : buffer.size);
}

#if IS_SMALL
bool fletch_follow(fletch_buffer buffer, flat_position at, flat_position *target,
                   struct fault *fault)
{
    return follow_offset(buffer, at, target, fault);
}
#endif

bool fletch_root(fletch_buffer buffer, uint32_t *at, struct fault *fault)
{
    flat_position target;

    if (buffer.size < 4) return fail(fault, FAULT_ROOT_MISSING, 0, buffer.size, 4);
    if (!follow(buffer, 0, &target, fault)) return false;
    *at = (uint32_t)target;
    return true;
}

/* One slot of a vtable against its row: inside the table and aligned, or absent. */
static bool check_slot(uint32_t slot, uint32_t at, uint32_t table_size, const struct row *row,
                       struct fault *fault)
{
    const uint32_t size = row->size;
    enum reason reason = FAULT_NONE;

    if (slot < 4)
        reason = FAULT_SLOT_SMALL;
    else if (size > table_size || slot > table_size - size)
        reason = FAULT_SLOT_OUTSIDE;
    else if (size < 8 && (slot & (size - 1)) != 0)
        /* 8-byte members may stand anywhere but at level strict, see check_strict in verify.c. */
        reason = FAULT_SLOT_MISALIGNED;
    return reason == FAULT_NONE ||
           fail(fault, reason, at, slot, reason == FAULT_SLOT_OUTSIDE ? table_size : size);
}

/* The first words of a vtable, of which `left` bytes are in the buffer. */
static enum reason check_sizes(uint32_t size, uint32_t left)
{
    if ((size & 1u) != 0) return FAULT_VTABLE_SIZE_ODD;
    if (size < 4) return FAULT_VTABLE_SIZE_SMALL;
    return size > left ? FAULT_VTABLE_SIZE_OUTSIDE : FAULT_NONE;
}

/* How first_bits finds the first member. */
static void set_first(fletch_vtable *vtable, const struct shape *shape)
{
    const uint32_t last = shape->row_count - 1;
    const struct row *rows = shape->rows;

    if (shape->row_count == 0 || (rows[0].kind != ROW_I16 && rows[0].kind != ROW_I32)) return;
    if (last != 0 && rows[last].kind == ROW_I32 && vtable->slots[last] != 0)
        vtable->first_absent = UINT16_MAX;
    else if (vtable->slots[0] == 0)
        vtable->first_absent = (uint16_t)rows[0].absent; /* none is below 0 */
    else
        vtable->first_mask = rows[0].kind == ROW_I16 ? UINT16_MAX : UINT32_MAX;
}

bool fletch_check_vtable(fletch_buffer buffer, uint32_t at, uint32_t table,
                         const struct shape *shape, fletch_vtable *vtable, struct fault *fault)
{
    static const fletch_vtable nothing = {NO_VTABLE, NO_TABLE_SIZE, {0}, 0, 0, 0, 0};
    uint32_t left, size, table_size, there = 0, i;
    enum reason reason;

    *vtable = nothing;
    if (!holds(buffer, at, 4))
        return fail(fault, FAULT_VTABLE_OUTSIDE, table, signed_32(load_u32(buffer, table)),
                    buffer.size);
    if ((at & 1u) != 0) return fail(fault, FAULT_VTABLE_MISALIGNED, table, at, 0);
    left = buffer.size - at;
    size = load_u16(buffer, at);
    table_size = load_u16(buffer, at + 2);
    reason = check_sizes(size, left);
    if (reason != FAULT_NONE) return fail(fault, reason, at, size, left);
    if (table_size < 4) return fail(fault, FAULT_TABLE_SIZE_SMALL, at + 2, table_size, 0);

    for (i = 0; i < shape->row_count; i++) {
        uint32_t slot = 4 + 2 * i < size ? load_u16(buffer, at + 4 + 2 * i) : 0;

        if (slot != 0 && !check_slot(slot, at + 4 + 2 * i, table_size, &shape->rows[i], fault))
            return fail_inside(fault, shape->rows[i].name, NO_INDEX);
        vtable->slots[i] = (uint16_t)slot;
        there |= (uint32_t)(slot != 0) << i;
    }
    vtable->position = at;
    vtable->table_size = table_size;
    if (IS_SMALL) return true; /* where nothing asks for more */
    set_first(vtable, shape);
    vtable->is_plain =
        shape == &fletch_field_shape && (there & ~(1u << FIELD_NULLABLE)) == PLAIN_FIELD;
    return true;
}

void fletch_table_fault(fletch_buffer buffer, uint32_t at, uint32_t position,
                        const struct shape *shape, fletch_vtable *vtable, struct fault *fault)
{
    if (vtable->table_size == NO_TABLE_SIZE && /* the mark's odd position fails here */
        !fletch_check_vtable(buffer, position, at, shape, vtable, fault))
        return;
    fletch_set_fault(fault, FAULT_TABLE_SIZE_OUTSIDE, position + 2, vtable->table_size,
                     buffer.size - at);
}

/* The vtable of the table at `at`, which is not remembered, and the table's size. */
static bool find_vtable_once(fletch_buffer buffer, uint32_t at, const struct shape *shape,
                             fletch_vtable *vtable, struct fault *fault)
{
    const uint32_t position = vtable_of(buffer, at);

    if (!fletch_check_vtable(buffer, position, at, shape, vtable, fault)) return false;
    return (uint64_t)at + vtable->table_size <= buffer.size ||
           fail(fault, FAULT_TABLE_SIZE_OUTSIDE, position + 2, vtable->table_size,
                buffer.size - at);
}

bool fletch_check_table(fletch_buffer buffer, uint32_t at, const struct shape *shape,
                        struct fault *fault)
{
    fletch_vtable vtable;

    return find_vtable_once(buffer, at, shape, &vtable, fault);
}

bool fletch_decode(fletch_buffer buffer, uint32_t at, const struct shape *shape, void *out,
                   struct fault *fault)
{
    fletch_vtable vtable;
    uint32_t i;

    if (!find_vtable_once(buffer, at, shape, &vtable, fault)) return false;
    for (i = 0; i < shape->row_count; i++)
        if (!decode_member(buffer, at, vtable.slots[i], false, &shape->rows[i], out, VISIT_DECODE,
                           fault))
            return false;
    return true;
}

uint32_t fletch_member_at(fletch_buffer buffer, uint32_t at, uint32_t slot)
{
    const uint32_t vtable = vtable_of(buffer, at);
    uint32_t member;

    if (!holds(buffer, vtable, 4) || load_u16(buffer, vtable) <= 4 + 2 * slot) return 0;
    member = load_u16(buffer, vtable + 4 + 2 * slot);
    return member != 0 ? at + member : 0;
}
