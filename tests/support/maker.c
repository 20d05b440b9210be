/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes of a test's flatbuffer, and how they are written.
 *
 * An offset leads upwards only, so nodes are written in an order in which each comes behind all
 * that refer to it (the reverse of the order in which a depth-first walk leaves them); the offsets
 * are filled in when every place is known.
 */
#include "maker.h"

#include <stdlib.h>
#include <string.h>

typedef enum { TABLE, STRING, LIST, VECTOR } node_kind;

typedef struct inline_field {
    unsigned width; /* 0: absent */
    int64_t value;
    node *to; /* set: an offset, of width 4 */
    size_t at;
} inline_field;

struct node {
    node *made_before;
    node_kind kind;
    inline_field *slots; /* slot_count of them, the rest absent */
    unsigned slot_count;
    unsigned kept_slots;
    size_t vtable;
    uint8_t *text;
    size_t size; /* of a string in bytes, of a vector in elements */
    size_t space;
    node **nodes;
    int64_t *numbers;
    unsigned width;
    bool off_eight;
    bool seen;
    size_t next_reference; /* of the walk in write_order */
    size_t place;
};

typedef struct owned {
    struct owned *before;
    uint8_t *bytes;
} owned;

/* Bytes that grow. */
typedef struct pile {
    uint8_t *bytes;
    size_t size, space;
} pile;

struct maker {
    node *last_node;
    owned *last_block;
    bool share;
    size_t *vtables; /* of the flatbuffer under way */
    size_t vtable_count;
};

/* Memory: a test that cannot have it has nothing to say. */
static void *grow(void *old, size_t size)
{
    void *grown = realloc(old, size ? size : 1);
    if (!grown) abort();
    return grown;
}

static void *zeroed(size_t size)
{
    return memset(grow(NULL, size), 0, size);
}

maker *maker_new(void)
{
    return zeroed(sizeof(maker));
}

void maker_free(maker *m)
{
    while (m->last_node) {
        node *n = m->last_node;
        m->last_node = n->made_before;
        free(n->slots);
        free(n->text);
        free(n->nodes);
        free(n->numbers);
        free(n);
    }
    while (m->last_block) {
        owned *o = m->last_block;
        m->last_block = o->before;
        free(o->bytes);
        free(o);
    }
    free(m->vtables);
    free(m);
}

int maker_setup(void **state)
{
    *state = maker_new();
    return 0;
}

int maker_teardown(void **state)
{
    maker_free(*state);
    return 0;
}

void share_vtables(maker *m)
{
    m->share = true;
}

/* Blocks */

static block own(maker *m, size_t size)
{
    owned *o = grow(NULL, sizeof *o);
    o->bytes = zeroed(size);
    o->before = m->last_block;
    m->last_block = o;
    return (block){o->bytes, size};
}

block copy_of(maker *m, const void *bytes, size_t size)
{
    block b = own(m, size);
    if (size) memcpy(b.bytes, bytes, size);
    return b;
}

block text_block(maker *m, const char *text)
{
    return copy_of(m, text, strlen(text));
}

block join(maker *m, block a, block b)
{
    block whole = own(m, a.size + b.size);
    if (a.size) memcpy(whole.bytes, a.bytes, a.size);
    if (b.size) memcpy(whole.bytes + a.size, b.bytes, b.size);
    return whole;
}

block cut(maker *m, block whole, size_t size)
{
    return copy_of(m, whole.bytes, size);
}

block pad(maker *m, block short_one, size_t zeros)
{
    return join(m, short_one, own(m, zeros));
}

static void write_number(uint8_t *to, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t read_number(const uint8_t *from, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

static void poke(block b, size_t at, uint64_t value, unsigned width)
{
    if (at > b.size || width > b.size - at) abort();
    write_number(b.bytes + at, value, width);
}

void poke8(block b, size_t at, uint8_t value)
{
    poke(b, at, value, 1);
}

void poke16(block b, size_t at, uint32_t value)
{
    poke(b, at, value, 2);
}

void poke32(block b, size_t at, uint32_t value)
{
    poke(b, at, value, 4);
}

void poke64(block b, size_t at, uint64_t value)
{
    poke(b, at, value, 8);
}

static uint32_t peek(block b, size_t at, unsigned width)
{
    if (at > b.size || width > b.size - at) abort();
    return (uint32_t)read_number(b.bytes + at, width);
}

uint32_t peek16(block b, size_t at)
{
    return peek(b, at, 2);
}

uint32_t peek32(block b, size_t at)
{
    return peek(b, at, 4);
}

/* Nodes */

static node *new_node(maker *m, node_kind kind)
{
    node *n = zeroed(sizeof *n);
    n->kind = kind;
    n->made_before = m->last_node;
    m->last_node = n;
    return n;
}

node *make_table(maker *m)
{
    return new_node(m, TABLE);
}

node *make_string(maker *m, const void *bytes, size_t size)
{
    node *n = new_node(m, STRING);
    n->text = grow(NULL, size);
    if (size) memcpy(n->text, bytes, size);
    n->size = size;
    return n;
}

node *make_text(maker *m, const char *text)
{
    return make_string(m, text, strlen(text));
}

node *make_list(maker *m)
{
    node *n = new_node(m, LIST);
    n->width = 4;
    return n;
}

node *make_vector(maker *m, unsigned width)
{
    node *n = new_node(m, VECTOR);
    n->width = width;
    return n;
}

/* Room for one more element. */
static void widen(node *vector)
{
    if (vector->size < vector->space) return;
    vector->space = vector->space ? 2 * vector->space : 4;
    if (vector->kind == LIST)
        vector->nodes = grow(vector->nodes, vector->space * sizeof *vector->nodes);
    else
        vector->numbers = grow(vector->numbers, vector->space * sizeof *vector->numbers);
}

void append(node *list, node *element)
{
    if (list->kind != LIST) abort();
    widen(list);
    list->nodes[list->size++] = element;
}

void append_number(node *vector, int64_t element)
{
    if (vector->kind != VECTOR) abort();
    widen(vector);
    vector->numbers[vector->size++] = element;
}

uint32_t count_of(const node *vector)
{
    return (uint32_t)vector->size;
}

node *first_of(const node *list)
{
    return list->kind == LIST && list->size ? list->nodes[0] : NULL;
}

static void set(node *table, unsigned id, unsigned width, int64_t value, node *to)
{
    if (table->kind != TABLE || id >= MAKER_SLOTS) abort();
    if (id >= table->slot_count) {
        table->slots = grow(table->slots, (id + 1) * sizeof *table->slots);
        for (unsigned i = table->slot_count; i <= id; i++)
            table->slots[i] = (inline_field){.width = 0};
        table->slot_count = id + 1;
    }
    table->slots[id] = (inline_field){.width = width, .value = value, .to = to};
}

void set8(node *table, unsigned slot, int64_t value)
{
    set(table, slot, 1, value, NULL);
}

void set16(node *table, unsigned slot, int64_t value)
{
    set(table, slot, 2, value, NULL);
}

void set32(node *table, unsigned slot, int64_t value)
{
    set(table, slot, 4, value, NULL);
}

void set64(node *table, unsigned slot, int64_t value)
{
    set(table, slot, 8, value, NULL);
}

void set_node(node *table, unsigned slot, node *to)
{
    set(table, slot, 4, 0, to);
}

void drop(node *table, unsigned slot)
{
    set(table, slot, 0, 0, NULL);
}

node *member(const node *table, unsigned slot)
{
    if (table->kind != TABLE) abort();
    return slot < table->slot_count ? table->slots[slot].to : NULL;
}

void keep_slots(node *table, unsigned count)
{
    table->kept_slots = count;
}

void put_off_eight(node *object)
{
    object->off_eight = true;
}

/* Writing */

static void put(pile *p, const void *bytes, size_t size)
{
    if (p->space - p->size < size) {
        p->space = 2 * p->space + size + 256;
        p->bytes = grow(p->bytes, p->space);
    }
    if (size) memcpy(p->bytes + p->size, bytes, size);
    p->size += size;
}

static void put_number(pile *p, uint64_t value, unsigned width)
{
    uint8_t bytes[8];
    write_number(bytes, value, width);
    put(p, bytes, width);
}

/* Zeros, until the size leaves this remainder. */
static void put_padding(pile *p, size_t unit, size_t remainder)
{
    while (p->size % unit != remainder)
        put_number(p, 0, 1);
}

static block take(maker *m, pile *p)
{
    block b = copy_of(m, p->bytes, p->size);
    free(p->bytes);
    return b;
}

/* The i-th object that a node refers to; NULL behind the last. */
static node *reference(const node *n, size_t i)
{
    if (n->kind == LIST) return i < n->size ? n->nodes[i] : NULL;
    if (n->kind != TABLE) return NULL;
    for (unsigned id = 0; id < n->slot_count; id++)
        if (n->slots[id].to && i-- == 0) return n->slots[id].to;
    return NULL;
}

/* All nodes that root leads to, each before all that it refers to; *count of them. */
static node **write_order(maker *m, node *root, size_t *count)
{
    size_t all = 0;
    for (node *n = m->last_node; n; n = n->made_before, all++) {
        n->seen = false;
        n->next_reference = 0;
    }
    node **order = grow(NULL, all * sizeof *order);
    node **stack = grow(NULL, all * sizeof *stack);
    size_t depth = 0, left = all;
    root->seen = true;
    stack[depth++] = root;
    while (depth) {
        node *n = stack[depth - 1];
        node *to = reference(n, n->next_reference++);
        if (!to) {
            order[--left] = n;
            depth--;
        } else if (!to->seen) {
            to->seen = true;
            stack[depth++] = to;
        }
    }
    free(stack);
    *count = all - left;
    memmove(order, order + left, *count * sizeof *order);
    return order;
}

/* The place of a vtable written before with the same bytes; SIZE_MAX: none. */
static size_t equal_vtable(const maker *m, const pile *p, const pile *vtable)
{
    for (size_t i = 0; m->share && i < m->vtable_count; i++) {
        const uint8_t *known = p->bytes + m->vtables[i];
        if (read_number(known, 2) == vtable->size && !memcmp(known, vtable->bytes, vtable->size))
            return m->vtables[i];
    }
    return SIZE_MAX;
}

static size_t put_vtable(maker *m, pile *p, pile *vtable)
{
    size_t at = equal_vtable(m, p, vtable);
    if (at == SIZE_MAX) {
        put_padding(p, 2, 0);
        at = p->size;
        put(p, vtable->bytes, vtable->size);
        m->vtables = grow(m->vtables, (m->vtable_count + 1) * sizeof *m->vtables);
        m->vtables[m->vtable_count++] = at;
    }
    free(vtable->bytes);
    return at;
}

/* Members go widest first, so that none needs padding; tells the table's size. */
static size_t lay_out(node *table)
{
    size_t size = 4;
    for (unsigned width = 8; width; width /= 2) {
        for (unsigned id = 0; id < table->slot_count; id++) {
            if (table->slots[id].width != width) continue;
            table->slots[id].at = size;
            size += width;
        }
    }
    return size;
}

static bool has_wide_member(const node *table)
{
    for (unsigned id = 0; id < table->slot_count; id++)
        if (table->slots[id].width == 8) return true;
    return false;
}

/* Where a member stands in its table; 0: it is absent. */
static size_t slot_at(const node *table, unsigned id)
{
    return id < table->slot_count && table->slots[id].width ? table->slots[id].at : 0;
}

static void put_table(maker *m, pile *p, node *table)
{
    size_t size = lay_out(table);
    unsigned used = table->kept_slots;
    for (unsigned id = used; id < table->slot_count; id++)
        if (table->slots[id].width) used = id + 1;
    pile vtable = {NULL, 0, 0};
    put_number(&vtable, 4 + 2 * used, 2);
    put_number(&vtable, size, 2);
    for (unsigned id = 0; id < used; id++)
        put_number(&vtable, slot_at(table, id), 2);
    table->vtable = put_vtable(m, p, &vtable);
    if (has_wide_member(table)) put_padding(p, 8, table->off_eight ? 0 : 4);
    put_padding(p, 4, 0);
    table->place = p->size;
    put_number(p, table->place - table->vtable, 4);
    for (size_t i = 4; i < size; i++)
        put_number(p, 0, 1);
    for (unsigned id = 0; id < table->slot_count; id++) {
        const inline_field *s = &table->slots[id];
        write_number(p->bytes + table->place + s->at, (uint64_t)s->value, s->width);
    }
}

static void put_vector(pile *p, node *vector)
{
    if (vector->width == 8) put_padding(p, 8, vector->off_eight ? 0 : 4);
    vector->place = p->size;
    put_number(p, vector->size, 4);
    for (size_t i = 0; i < vector->size; i++)
        put_number(p, vector->numbers ? (uint64_t)vector->numbers[i] : 0, vector->width);
}

static void put_node(maker *m, pile *p, node *n)
{
    if (n->kind == TABLE) {
        put_table(m, p, n);
        return;
    }
    put_padding(p, 4, 0);
    n->place = p->size;
    if (n->kind == STRING) {
        put_number(p, n->size, 4);
        put(p, n->text, n->size);
        put_number(p, 0, 1);
    } else {
        put_vector(p, n);
    }
}

/* Fills the offsets that lead from a node. */
static void link_node(pile *p, const node *n)
{
    for (unsigned id = 0; n->kind == TABLE && id < n->slot_count; id++) {
        size_t at = n->place + n->slots[id].at;
        if (n->slots[id].to) write_number(p->bytes + at, n->slots[id].to->place - at, 4);
    }
    for (size_t i = 0; n->kind == LIST && i < n->size; i++) {
        size_t at = n->place + 4 + 4 * i;
        write_number(p->bytes + at, n->nodes[i]->place - at, 4);
    }
}

block finish(maker *m, node *root)
{
    size_t count = 0;
    node **order = write_order(m, root, &count);
    pile p = {NULL, 0, 0};
    m->vtable_count = 0;
    put_number(&p, 0, 4);
    for (size_t i = 0; i < count; i++)
        put_node(m, &p, order[i]);
    for (size_t i = 0; i < count; i++)
        link_node(&p, order[i]);
    write_number(p.bytes, root->place, 4);
    free(order);
    return take(m, &p);
}

size_t place(const node *object)
{
    return object->place;
}

size_t place_of(const node *table, unsigned slot)
{
    if (table->kind != TABLE || slot >= table->slot_count || !table->slots[slot].width) abort();
    return table->place + table->slots[slot].at;
}

size_t place_of_element(const node *vector, uint32_t index)
{
    return vector->place + 4 + (size_t)index * vector->width;
}

size_t vtable_of(const node *table)
{
    return table->vtable;
}

size_t vtable_slot_of(const node *table, unsigned slot)
{
    return table->vtable + 4 + 2 * (size_t)slot;
}
