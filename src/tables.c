/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes, vtables, and decoding of a single table by its rows. */
#include "decode.h"

const struct shape fletch_schema_shape = {"Schema", ROWS(schema_rows), SHAPE_SCHEMA};
const struct shape fletch_message_shape = {"Message", ROWS(message_rows), SHAPE_MESSAGE};
const struct shape fletch_footer_shape = {"Footer", ROWS(footer_rows), SHAPE_FOOTER};
const struct shape fletch_field_shape = {"Field", ROWS(field_rows), SHAPE_FIELD};
const struct shape fletch_key_value_shape = {"KeyValue", ROWS(key_value_rows), SHAPE_KEY_VALUE};
const struct shape fletch_dictionary_shape = {"DictionaryEncoding", ROWS(dictionary_rows),
                                              SHAPE_DICTIONARY};
const struct shape fletch_int_shape = {"Int", ROWS(index_type_rows), FLETCH_TYPE_INT};

const struct shape fletch_type_shapes[TYPE_COUNT] = {
#define TYPE_SHAPE(id, name, rows) {name, rows, FLETCH_TYPE_##id},
    TYPE_TABLES(TYPE_SHAPE)
#undef TYPE_SHAPE
};

static const char *word_among(const char *const *words, int64_t count, int64_t value)
{
    return value >= 0 && value < count ? words[value] : NULL;
}

/* The program, which sees public headers only, has the words of JSON in cli/json_schema.c and those
 * of Schema.fbs in cli/annotate.c. */
const char *fletch_enumerator_word(const struct shape *shape, int64_t value)
{
    static const char *const precisions[] = {"HALF", "SINGLE", "DOUBLE"};
    static const char *const dates[] = {"DAY", "MILLISECOND"};
    static const char *const units[] = {"SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND"};
    static const char *const intervals[] = {"YEAR_MONTH", "DAY_TIME", "MONTH_DAY_NANO"};
    static const char *const modes[] = {"SPARSE", "DENSE"};
    static const char *const orders[] = {"Little", "Big"};
    static const char *const kinds[] = {"DenseArray"};

    switch (shape->id) {
    case FLETCH_TYPE_FLOATING_POINT: return word_among(precisions, 3, value);
    case FLETCH_TYPE_DATE: return word_among(dates, 2, value);
    case FLETCH_TYPE_TIME:
    case FLETCH_TYPE_TIMESTAMP:
    case FLETCH_TYPE_DURATION: return word_among(units, 4, value);
    case FLETCH_TYPE_INTERVAL: return word_among(intervals, 3, value);
    case FLETCH_TYPE_UNION: return word_among(modes, 2, value);
    case SHAPE_SCHEMA: return word_among(orders, 2, value);
    default: return word_among(kinds, 1, value); /* of a DictionaryEncoding */
    }
}

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

/* How first_bits finds the first member. It looks for one in a table without rows, too, where no
 * slot was read. */
FORCE_INLINE void set_first(fletch_vtable *vtable, const struct row *rows, uint32_t row_count)
{
    const uint32_t last = row_count - 1;

    vtable->first_absent = 0;
    vtable->first_mask = 0;
    if (row_count == 0) vtable->slots[0] = 0;
    if (row_count == 0 || (rows[0].kind != ROW_I16 && rows[0].kind != ROW_I32)) return;
    if (last != 0 && rows[last].kind == ROW_I32 && vtable->slots[last] != 0)
        vtable->first_absent = UINT16_MAX;
    else if (vtable->slots[0] == 0)
        vtable->first_absent = (uint16_t)rows[0].absent; /* none is below 0 */
    else
        vtable->first_mask = rows[0].kind == ROW_I16 ? UINT16_MAX : UINT32_MAX;
}

static inline uint32_t bit_of(const fletch_vtable *vtable, uint32_t slot)
{
    return (uint32_t)(vtable->slots[slot] != 0) << slot;
}

/* Whether a Field is plain, by its vtable: nullable may be there or not. */
static inline bool is_plain(const fletch_vtable *vtable)
{
    return (bit_of(vtable, FIELD_NAME) | bit_of(vtable, FIELD_TYPE_TYPE) |
            bit_of(vtable, FIELD_TYPE) | bit_of(vtable, FIELD_DICTIONARY) |
            bit_of(vtable, FIELD_CHILDREN) | bit_of(vtable, FIELD_METADATA)) == PLAIN_FIELD;
}

/* Slot after slot, to the first fault. Cold, so that it is not made part of its caller. */
static COLD bool check_slots(fletch_buffer buffer, uint32_t at, uint32_t table,
                             const struct shape *shape, fletch_vtable *vtable, struct fault *fault)
{
    static const fletch_vtable nothing = {NO_VTABLE, NO_TABLE_SIZE, {0}, 0, 0, 0, 0};
    uint32_t left, size, table_size, i;
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
    }
    vtable->position = at;
    vtable->table_size = table_size;
    if (IS_SMALL) return true; /* where nothing asks for more */
    set_first(vtable, shape->rows, shape->row_count);
    vtable->is_plain = shape == &fletch_field_shape && is_plain(vtable);
    return true;
}

/*
 * A schema of few columns sees most vtables once, so checking them is much of the work. A good one
 * is found good at once, its slots by four: in a word of 64 bits each has 16, the first the lowest.
 * What is not found good so may be good all the same: check_slots decides, and tells why not.
 */
#define EACH_SLOT(value) ((uint64_t)(value)*UINT64_C(0x0001000100010001))

/* The size of the member of row i, where its slot is among the four. */
FORCE_INLINE uint64_t size_of(const struct row *rows, uint32_t row_count, uint32_t i)
{
    return i < row_count ? (uint64_t)rows[i].size << 16 * i : 0;
}

/* Whether the slot of row i is one of a table's first word: looked at where no alignment tells. */
FORCE_INLINE bool is_in_head(uint64_t four, const struct row *rows, uint32_t row_count, uint32_t i)
{
    return i < row_count && rows[i].size < 4 && (((four >> 16 * i) - 1) & 0xFFFF) < 3;
}

/*
 * Whether four slots are good, in a table of 4 to 0x3FFF bytes. Each is below 0x4000 too, and sizes
 * are 8 at most, so nothing is carried from one to the next, and a slot's top bit in `ends` says
 * that its member ends in the table. Two rules are narrower than check_slots has them: a member of
 * 8 bytes stands where one of 4 may, and one that is absent is not larger than the table.
 */
FORCE_INLINE bool are_good(uint64_t four, uint32_t table_size, const struct row *rows,
                           uint32_t row_count)
{
    const uint64_t sizes = size_of(rows, row_count, 0) | size_of(rows, row_count, 1) |
                           size_of(rows, row_count, 2) | size_of(rows, row_count, 3);
    const uint64_t wrong = ((sizes - EACH_SLOT(1)) & EACH_SLOT(3)) | EACH_SLOT(0xC000);
    const uint64_t ends = EACH_SLOT(0x8000 + table_size) - sizes - four;

    return (four & wrong) == 0 && (~ends & EACH_SLOT(0x8000)) == 0 &&
           !is_in_head(four, rows, row_count, 0) && !is_in_head(four, rows, row_count, 1) &&
           !is_in_head(four, rows, row_count, 2) && !is_in_head(four, rows, row_count, 3);
}

/* The four slots at `at`, of which `size` bytes belong to the vtable; others are absent. */
FORCE_INLINE bool take_four(fletch_buffer buffer, flat_position at, uint32_t size,
                            uint32_t table_size, const struct row *rows, uint32_t row_count,
                            uint16_t *slots)
{
    uint64_t four;

    if (!take_u64(buffer, at, &four)) return false;
    if (size < 8) four &= ~(UINT64_MAX << 8 * size);
    if (row_count < 4) four &= ~(UINT64_MAX << 16 * (row_count & 3));
    if (!are_good(four, table_size, rows, row_count)) return false;
    slots[0] = (uint16_t)four;
    slots[1] = (uint16_t)(four >> 16);
    slots[2] = (uint16_t)(four >> 32);
    slots[3] = (uint16_t)(four >> 48);
    return true;
}

/* The slots of a table whose rows are known when this is compiled: up to four, or seven. */
FORCE_INLINE bool take_slots(fletch_buffer buffer, flat_position at, uint32_t size,
                             uint32_t table_size, const struct row *rows, uint32_t row_count,
                             fletch_vtable *vtable)
{
    if (row_count != 0 &&
        !take_four(buffer, at + 4, size - 4, table_size, rows, row_count, vtable->slots))
        return false;
    if (row_count > 4 && !take_four(buffer, at + 10, size > 10 ? size - 10 : 0, table_size,
                                    rows + 3, row_count - 3, vtable->slots + 3))
        return false;
    set_first(vtable, rows, row_count);
    return true;
}

/* Each shape's are unrolled from its rows. */
FORCE_INLINE bool take_slots_of(fletch_buffer buffer, uint32_t at, uint32_t size,
                                uint32_t table_size, const struct shape *shape,
                                fletch_vtable *vtable)
{
    switch (shape->id) {
#define TAKE_SLOTS(id, name, rows)                                                                 \
    case FLETCH_TYPE_##id: return take_slots(buffer, at, size, table_size, rows, vtable);
        TYPE_TABLES(TAKE_SLOTS)
#undef TAKE_SLOTS
    case SHAPE_FIELD:
        if (!take_slots(buffer, at, size, table_size, ROWS(field_rows), vtable)) return false;
        vtable->is_plain = is_plain(vtable);
        return true;
    case SHAPE_KEY_VALUE:
        return take_slots(buffer, at, size, table_size, ROWS(key_value_rows), vtable);
    case SHAPE_DICTIONARY:
        return take_slots(buffer, at, size, table_size, ROWS(dictionary_rows), vtable);
    case SHAPE_SCHEMA: return take_slots(buffer, at, size, table_size, ROWS(schema_rows), vtable);
    case SHAPE_MESSAGE: return take_slots(buffer, at, size, table_size, ROWS(message_rows), vtable);
    default: return take_slots(buffer, at, size, table_size, ROWS(footer_rows), vtable);
    }
}

/* The vtable at `at`; where it is not found good, what is remembered may be spoilt. */
FORCE_INLINE bool take_vtable(fletch_buffer buffer, uint32_t at, const struct shape *shape,
                              fletch_vtable *vtable)
{
    const uint32_t sizes = load_u32(buffer, at);
    const uint32_t size = sizes & 0xFFFF, table_size = sizes >> 16;

    if (((at | size) & 1) != 0 || size < 4 || size > buffer.size - at || table_size < 4 ||
        table_size >= 0x4000 || !take_slots_of(buffer, at, size, table_size, shape, vtable))
        return false;
    vtable->position = at;
    vtable->table_size = table_size;
    return true;
}

bool fletch_check_vtable(fletch_buffer buffer, uint32_t at, uint32_t table,
                         const struct shape *shape, fletch_vtable *vtable, struct fault *fault)
{
    return (!IS_SMALL && take_vtable(buffer, at, shape, vtable)) ||
           check_slots(buffer, at, table, shape, vtable, fault);
}

void fletch_table_fault(fletch_buffer buffer, uint32_t at, const struct shape *shape,
                        fletch_vtable *vtable, struct fault *fault)
{
    const uint32_t position = vtable->position; /* the table's own, or else the mark of none */

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

    return fletch_check_vtable(buffer, position, at, shape, vtable, fault) &&
           check_table_size(buffer, at, shape, vtable, fault);
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
    if (!IS_SMALL && shape == &fletch_schema_shape) /* of which every call has one */
        return decode_members(buffer, at, &vtable, any_presence, ROWS(schema_rows), out,
                              VISIT_DECODE, fault);
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
