/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What any_state (prove.h) says of a walk: its beginning is such a state, and no step opens more
 * runs than there are places or looks at a place that was never written.
 *
 * For each number of open runs (SIZE does not matter) the places of the runs around the innermost
 * are unknown, and all others undefined. One is opened, or the innermost left, or its surroundings
 * looked at; afterwards the places of as many runs as are open then are defined again.
 */
#include "prove.h"

#include "walk.c"

static void look_at_places(const fletch_walk *walk)
{
    volatile uint32_t number = walk->left_at + walk->depth + walk->run.position + walk->run.begin +
                               walk->run.end + walk->run.parent + (uint32_t)walk->run.parent_type;
    uint32_t i;

    look_at_runs(walk);
    //@ loop unroll 130;
    for (i = 0; i < walk->open_runs; i++)
        number = walk->outer[i].position + walk->outer[i].begin + walk->outer[i].end +
                 walk->outer[i].parent + (uint32_t)walk->outer[i].parent_type;
    (void)number;
}

static void begin(void)
{
    static uint8_t byte[1];
    const fletch_limits limits = any_limits();
    fletch_walk walk;
    fletch_fields fields = {0};
    volatile uint64_t number;
    uint32_t i;

    fields.buffer.bytes = byte;
    fields.buffer.size = any_bits();
    fields.position = any_bits();
    fields.end = any_bits();
    fletch_walk_over(&walk, &fields, any_bits(), any_int(), any_bool() ? &limits : NULL);
    look_at_places(&walk);
    //@ check walk.buffer.bytes == &byte[0];
    number = walk.tables + walk.text + walk.tables_left + walk.text_left + walk.max_depth +
             walk.index + (uint64_t)walk.status;
    number = walk.children.begin + walk.children.position + walk.children.end +
             walk.children.parent + (uint32_t)walk.children.parent_type;
    //@ loop unroll 80;
    for (i = 0; i < FLETCH_WALK_VTABLES; i++) {
        //@ check walk.vtables[i].position == NO_VTABLE;
        //@ check walk.vtables[i].table_size == NO_TABLE_SIZE;
    }
    (void)number;
}

/* A walk of which `open` runs are open. */
static void set_open(fletch_walk *walk, uint32_t open)
{
    fill(walk, offsetof(fletch_walk, vtables));
    if (open != 0) fill(walk->outer, open * sizeof walk->outer[0]);
    walk->open_runs = open;
}

static void enter_one(uint32_t open)
{
    fletch_walk walk;
    struct fault fault;

    set_open(&walk, open);
    enter_children(&walk, &fault);
    look_at_places(&walk);
}

static void leave_one(uint32_t open)
{
    fletch_walk walk;

    set_open(&walk, open);
    leave(&walk);
    look_at_places(&walk);
}

static void look_around(uint32_t open)
{
    fletch_walk walk;

    set_open(&walk, open);
    fletch_walk_parent(&walk);
    fletch_walk_grandparent(&walk);
    fletch_walk_index(&walk);
}

void prove(void)
{
    uint32_t open;

    begin();
    //@ loop unroll 130;
    for (open = 0; open <= FLETCH_MAX_DEPTH; open++) {
        enter_one(open);
        leave_one(open);
        look_around(open);
    }
}
