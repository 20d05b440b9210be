/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoding by rows: the engine, as inline functions, for the few places that run it.
 *
 * Given constant rows, the compiler folds them away and leaves straight code for that table: so
 * the hot tables are unrolled from the same rows that everything else loops over. A vtable that
 * find_vtable accepts has every known slot either 0 or inside the table's size and aligned; the
 * table's size itself is checked against the buffer for every table. Loads check themselves all
 * the same (flat.h).
 */
#ifndef FLETCH_SRC_DECODE_H
#define FLETCH_SRC_DECODE_H

#include "tables.h"

/*
 * VISIT_SIZES stores the sizes of strings and what leads on, and looks at nothing else, of types
 * only at a Timestamp: it is for those who will look at everything later. The others check
 * everything. VISIT_CHECK stores only what leads on: tags, positions, runs; VISIT_RULES that, and
 * what most of Arrow's rules are about: a dictionary, and first_bits of a type, as if they were the
 * width of an Int; VISIT_DECODE everything. VISIT_FIELD leaves the type's members to the caller,
 * and decodes the rest of a field.
 */
enum visit { VISIT_SIZES, VISIT_CHECK, VISIT_RULES, VISIT_FIELD, VISIT_DECODE };

/* Checks the vtable at `at`, for the table at `table`, and remembers what it says. */
bool fletch_check_vtable(fletch_buffer buffer, uint32_t at, uint32_t table,
                         const struct shape *shape, fletch_vtable *vtable, struct fault *fault);

/* Why the size of the table at `at` failed, or its vtable, which was none. */
COLD void fletch_table_fault(fletch_buffer buffer, uint32_t at, const struct shape *shape,
                             fletch_vtable *vtable, struct fault *fault);

/*
 * Where the vtable of the table at `at` stands: at - soffset, modulo 2^32. `at` and the true result
 * differ by at most 2^31, so a true result outside of the buffer (below 0, or from its size on,
 * which is below 2^31) gives a position outside of it, and fletch_check_vtable refuses that.
 */
FORCE_INLINE uint32_t vtable_of(fletch_buffer buffer, flat_position at)
{
    return (uint32_t)(at - load_word(buffer, at));
}

/* The size of the table at `at`, which this vtable is of, against the buffer. */
FORCE_INLINE bool check_table_size(fletch_buffer buffer, flat_position at,
                                   const struct shape *shape, fletch_vtable *vtable,
                                   struct fault *fault)
{
    if ((uint64_t)at + vtable->table_size <= buffer.size) return true;
    if (fault != NULL) fletch_table_fault(buffer, (uint32_t)at, shape, vtable, fault);
    return false;
}

/* The vtable at `position`, from `*vtable` if it is the one remembered there, and the size of the
 * table at `at` against the buffer. */
FORCE_INLINE bool find_vtable(fletch_buffer buffer, flat_position at, uint32_t position,
                              const struct shape *shape, fletch_vtable *vtable, struct fault *fault)
{
    if (position != vtable->position &&
        !fletch_check_vtable(buffer, position, (uint32_t)at, shape, vtable, fault))
        return false;
    return check_table_size(buffer, at, shape, vtable, fault);
}

/*
 * The bits of the first member of the table at `at`, where it is a number of 16 or 32 bits; else 0.
 * 65,535, which no rule allows, where a bit width is there too, as the last member: then the first
 * alone says little. There is no branch on what it is: it is some of a word's bits, or its default
 * where the mask leaves none. Only 16 bits can stand where there is no word, at the end of the
 * buffer.
 */
FORCE_INLINE uint32_t first_bits(fletch_buffer buffer, flat_position at,
                                 const fletch_vtable *vtable)
{
    const flat_position place = at + vtable->slots[0];
    const uint32_t word = buffer.size >= 4 && place <= buffer.size - 4 ? load_u32(buffer, place)
                                                                       : load_u16(buffer, place);

    return (word & vtable->first_mask) + vtable->first_absent;
}

/* Members */

FORCE_INLINE void set_flag(void *out, const struct row *row, bool value)
{
    if (row->flag != NO_MEMBER) *(bool *)((char *)out + row->flag) = value;
}

/* A run of tables to step through; absent is empty. */
FORCE_INLINE void set_fields(fletch_fields *fields, fletch_buffer buffer, uint32_t begin,
                             uint32_t count, enum visit visit)
{
    fields->position = begin;
    fields->end = begin + 4 * count;
    if (visit != VISIT_DECODE) return;
    fields->buffer = buffer;
    fields->status = FLETCH_OK;
    forget_vtable(&fields->vtable);
}

FORCE_INLINE void set_pairs(fletch_metadata *pairs, fletch_buffer buffer, uint32_t begin,
                            uint32_t count, enum visit visit)
{
    pairs->position = begin;
    pairs->end = begin + 4 * count;
    if (visit != VISIT_DECODE) return;
    pairs->buffer = buffer;
    pairs->status = FLETCH_OK;
}

FORCE_INLINE void set_integers(fletch_integers *integers, fletch_buffer buffer, uint32_t begin,
                               uint32_t count, uint8_t width, enum visit visit)
{
    if (visit != VISIT_DECODE) return;
    integers->data = buffer.bytes;
    integers->at = begin;
    integers->size = buffer.size;
    integers->count = count;
    integers->width = width;
    integers->native = false;
}

/* The scalar at `at`. */
static inline int64_t load_scalar(fletch_buffer buffer, flat_position at, uint8_t kind)
{
    switch (kind) {
    case ROW_I16: return signed_16(load_u16(buffer, at));
    case ROW_I32: return signed_32(load_u32(buffer, at));
    case ROW_I64: return load_i64(buffer, at);
    default: return load_u8(buffer, at);
    }
}

/* decode_scalar in a small build. */
static inline void take_scalar(fletch_buffer buffer, flat_position at, uint32_t slot,
                               const struct row *row, void *member)
{
    const int64_t value = slot != 0 ? load_scalar(buffer, at + slot, row->kind) : row->absent;

    if (row->kind == ROW_BOOL)
        *(bool *)member = value != 0;
    else if (row->kind == ROW_I64)
        *(int64_t *)member = value;
    else
        *(int32_t *)member = (int32_t)value;
}

/* A scalar member, which may be absent. */
FORCE_INLINE void decode_scalar(fletch_buffer buffer, flat_position at, uint32_t slot,
                                bool is_there, const struct row *row, void *member)
{
    const flat_position place = at + slot;

    if (IS_SMALL) {
        take_scalar(buffer, at, slot, row, member);
        return;
    }
    switch (row->kind) {
    case ROW_BOOL:
        *(bool *)member = is_there ? load_u8(buffer, place) != 0 : row->absent != 0;
        break;
    case ROW_TAG:
        *(int32_t *)member = is_there ? (int32_t)load_u8(buffer, place) : row->absent;
        break;
    case ROW_I16:
        *(int32_t *)member = is_there ? signed_16(load_u16(buffer, place)) : row->absent;
        break;
    case ROW_I32:
        *(int32_t *)member = is_there ? signed_32(load_u32(buffer, place)) : row->absent;
        break;
    default: *(int64_t *)member = is_there ? load_i64(buffer, place) : row->absent; break;
    }
}

FORCE_INLINE bool decode_string(fletch_buffer buffer, flat_position target, fletch_string *string,
                                enum visit visit, struct fault *fault)
{
    fletch_string found;
    uint32_t begin, size;

    if (visit == VISIT_SIZES) {
        if (!read_vector(buffer, target, 1, &begin, &size, fault)) return false;
        string->size = size;
        return true;
    }
    if (!read_string(buffer, target, &found, fault)) return false;
    if (visit == VISIT_DECODE) *string = found;
    return true;
}

FORCE_INLINE void set_vector(fletch_buffer buffer, uint32_t begin, uint32_t count,
                             const struct row *row, void *member, enum visit visit)
{
    if (row->kind == ROW_FIELDS) set_fields((fletch_fields *)member, buffer, begin, count, visit);
    if (row->kind == ROW_PAIRS) set_pairs((fletch_metadata *)member, buffer, begin, count, visit);
    if (row->kind == ROW_INTEGERS)
        set_integers((fletch_integers *)member, buffer, begin, count, row->width, visit);
}

FORCE_INLINE bool decode_vector(fletch_buffer buffer, flat_position target, const struct row *row,
                                void *member, enum visit visit, struct fault *fault)
{
    uint32_t begin, count;

    if (!read_vector(buffer, target, row->width, &begin, &count, fault)) return false;
    set_vector(buffer, begin, count, row, member, visit);
    return true;
}

static inline int32_t *tag_of(void *out, const struct row *row)
{
    return (int32_t *)(void *)((char *)out + row->flag);
}

/* A member behind an offset that is absent. */
FORCE_INLINE bool decode_absent(fletch_buffer buffer, flat_position at, const struct row *row,
                                void *out, enum visit visit, struct fault *fault)
{
    static const fletch_string empty = {"", 0};
    void *member = (char *)out + row->member;

    switch (row->kind) {
    case ROW_UNION:
        *(uint32_t *)member = 0;
        return *tag_of(out, row) == 0 ||
               fail(fault, FAULT_UNION_WITHOUT_VALUE, (uint32_t)at, *tag_of(out, row), 0); /* V35 */
    case ROW_TABLE: *(uint32_t *)member = 0; return true;
    case ROW_STRING:
        if (visit == VISIT_DECODE) *(fletch_string *)member = empty;
        if (visit == VISIT_SIZES) ((fletch_string *)member)->size = 0;
        break;
    default: set_vector(buffer, 0, 0, row, member, visit); break;
    }
    if (visit == VISIT_DECODE) set_flag(out, row, false);
    return true;
}

/* A member behind an offset, which stands at `at` + `slot`. */
FORCE_INLINE bool decode_reference(fletch_buffer buffer, flat_position at, uint32_t slot,
                                   const struct row *row, void *out, enum visit visit,
                                   struct fault *fault)
{
    void *member = (char *)out + row->member;
    flat_position target;

    if (!follow(buffer, at + slot, &target, fault)) return false;
    switch (row->kind) {
    case ROW_UNION:
        *(uint32_t *)member = (uint32_t)target;
        return *tag_of(out, row) != 0 ||
               fail(fault, FAULT_UNION_WITHOUT_TAG, (uint32_t)at, 0, 0); /* V36, V38 */
    case ROW_TABLE: *(uint32_t *)member = (uint32_t)target; return true;
    case ROW_STRING:
        if (visit == VISIT_DECODE) set_flag(out, row, true);
        return decode_string(buffer, target, (fletch_string *)member, visit, fault);
    default:
        if (visit == VISIT_DECODE) set_flag(out, row, true);
        return decode_vector(buffer, target, row, member, visit, fault);
    }
}

/* What both of them do, in a small build. */
static inline bool decode_offset(fletch_buffer buffer, flat_position at, uint32_t slot,
                                 const struct row *row, void *out, struct fault *fault)
{
    static const fletch_string empty = {"", 0};
    void *member = (char *)out + row->member;
    uint32_t begin = 0, count = 0;
    flat_position target = 0;

    if (slot != 0 && !follow(buffer, at + slot, &target, fault)) return false;
    if (row->kind == ROW_UNION || row->kind == ROW_TABLE) *(uint32_t *)member = (uint32_t)target;
    if (row->kind == ROW_TABLE) return true;
    if (row->kind == ROW_UNION)
        return (target != 0) == (*tag_of(out, row) != 0) ||
               fail(fault, target != 0 ? FAULT_UNION_WITHOUT_TAG : FAULT_UNION_WITHOUT_VALUE,
                    (uint32_t)at, *tag_of(out, row), 0);
    set_flag(out, row, slot != 0);
    if (row->kind == ROW_STRING) {
        *(fletch_string *)member = empty;
        return slot == 0 || read_string(buffer, target, (fletch_string *)member, fault);
    }
    if (slot != 0 && !read_vector(buffer, target, row->width, &begin, &count, fault)) return false;
    set_vector(buffer, begin, count, row, member, VISIT_DECODE);
    return true;
}

/* A member whose slot is 0 where it is absent; `is_known`: it is there. */
FORCE_INLINE bool decode_member(fletch_buffer buffer, flat_position at, uint32_t slot,
                                bool is_known, const struct row *row, void *out, enum visit visit,
                                struct fault *fault)
{
    const bool is_there = is_known || slot != 0;

    if (visit == VISIT_SIZES && row->kind == ROW_UNION) return true;
    if (row->kind >= ROW_STRING) {
        if (IS_SMALL   ? decode_offset(buffer, at, slot, row, out, fault)
            : is_there ? decode_reference(buffer, at, slot, row, out, visit, fault)
                       : decode_absent(buffer, at, row, out, visit, fault))
            return true;
        return fail_inside(fault, row->name, NO_INDEX);
    }
    if (visit != VISIT_DECODE && row->kind != ROW_TAG) return true;
    set_flag(out, row, is_there);
    decode_scalar(buffer, at, slot, is_there, row, (char *)out + row->member);
    return true;
}

#define DECODE_MEMBER(i)                                                                           \
    if (row_count > (i) && !decode_member(buffer, at, slot_of(vtable, i, presence),                \
                                          presence.there >> (i)&1, &rows[i], out, visit, fault))   \
        return false;

/* What is known of a table's slots beforehand, a bit for each: that it is not 0, and that it is. */
struct presence {
    uint32_t there, absent;
};
static const struct presence any_presence = {0, 0};

FORCE_INLINE uint32_t slot_of(const fletch_vtable *vtable, uint32_t i, struct presence presence)
{
    return (presence.absent >> i & 1) != 0 ? 0 : vtable->slots[i];
}

/* All members of a table whose rows are known when this is compiled: at most 7, written out so
 * that each is folded with its row. */
FORCE_INLINE bool decode_members(fletch_buffer buffer, flat_position at,
                                 const fletch_vtable *vtable, struct presence presence,
                                 const struct row *rows, uint32_t row_count, void *out,
                                 enum visit visit, struct fault *fault)
{
    DECODE_MEMBER(0)
    DECODE_MEMBER(1)
    DECODE_MEMBER(2)
    DECODE_MEMBER(3)
    DECODE_MEMBER(4)
    DECODE_MEMBER(5)
    DECODE_MEMBER(6)
    return true;
}

#undef DECODE_MEMBER

#endif
