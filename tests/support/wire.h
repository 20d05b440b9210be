/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second reader of what was built, for tests: positions in a block, step by step, every object by
 * its place. It knows FlatBuffers' words and nothing of the library; a step out of the block ends
 * the test.
 */
#ifndef FLETCH_TESTS_WIRE_H
#define FLETCH_TESTS_WIRE_H

#include "maker.h"

/* The root table of a flatbuffer. */
size_t wire_root(block b);

/* Where a member of a table stands, or leads to; 0: it is absent. */
size_t wire_member(block b, size_t table, unsigned slot);
size_t wire_target(block b, size_t table, unsigned slot);

/* The vtable of a table. */
size_t wire_vtable(block b, size_t table);

/* Elements of a vector of offsets, and where one leads. */
uint32_t wire_count(block b, size_t vector);
size_t wire_element(block b, size_t vector, uint32_t index);

/* The Schema in a flatbuffer whose root is a schema, message or footer (slots 0, 2, 1). */
enum { ROOT_IS_SCHEMA = 100, ROOT_IS_MESSAGE = MESSAGE_HEADER, ROOT_IS_FOOTER = FOOTER_SCHEMA };
size_t wire_schema(block b, unsigned root);

/* Calls for every field, parents first. */
typedef void (*wire_visit)(block b, size_t field, void *context);
void wire_each_field(block b, size_t schema, wire_visit visit, void *context);

/* Places that were seen. */
typedef struct places {
    size_t *all;
    size_t count, space;
} places;
void remember_place(places *p, size_t place);
size_t different_places(places *p); /* how many of them differ; sorts */
void forget_places(places *p);

#endif
