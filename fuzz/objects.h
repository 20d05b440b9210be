/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every visit of objects keeps to, of sound bytes and of damaged ones: each object lies in the
 * bytes, and is what its words there say.
 */
#ifndef FUZZ_OBJECTS_H
#define FUZZ_OBJECTS_H

#include "check.h"

#include <fletch/fletch.h>

struct objects {
    const uint8_t *bytes;
    uint64_t count, most; /* those that came, and how many may */
    fletch_object vtable, table, last;
};

static inline uint32_t word_in(const struct objects *objects, uint32_t at, uint32_t size)
{
    uint32_t word = 0;

    while (size-- != 0)
        word = word << 8 | objects->bytes[at + size];
    return word;
}

static inline bool is_inside(const fletch_object *object, const fletch_object *outer)
{
    return object->owner == outer->owner && object->begin >= outer->begin + 4 &&
           object->end <= outer->end;
}

static inline void check_vtable(const struct objects *objects, const fletch_object *object)
{
    CHECK(object->owner - word_in(objects, object->owner, 4) == object->begin);
    CHECK(word_in(objects, object->begin, 2) == object->end - object->begin);
}

/* A table comes behind its vtable. */
static inline void check_table(const struct objects *objects, const fletch_object *object)
{
    CHECK(objects->vtable.owner == object->begin);
    CHECK(object->begin % 4 == 0);
    CHECK(word_in(objects, objects->vtable.begin + 2, 2) == object->end - object->begin);
}

static inline void check_string(const struct objects *objects, const fletch_object *object)
{
    CHECK(word_in(objects, object->begin, 4) == object->end - object->begin - 5);
    CHECK(objects->bytes[object->end - 1] == 0);
}

static inline void check_vector(const struct objects *objects, const fletch_object *object)
{
    CHECK(object->width != 0);
    CHECK((uint64_t)word_in(objects, object->begin, 4) * object->width ==
          object->end - object->begin - 4);
}

/* A member lies in the table that came last, and the slot of its row says where. */
static inline void check_member(const struct objects *objects, const fletch_object *object)
{
    fletch_object table = objects->table;

    table.owner = table.begin; /* of its members */
    CHECK(is_inside(object, &table));
}

static inline void check_object(struct objects *objects, const fletch_object *object)
{
    switch (object->kind) {
    case FLETCH_OBJECT_ROOT: CHECK(objects->count == 0 && object->begin == 0); break;
    case FLETCH_OBJECT_VTABLE: check_vtable(objects, object); break;
    case FLETCH_OBJECT_TABLE: check_table(objects, object); break;
    case FLETCH_OBJECT_MEMBER: check_member(objects, object); break;
    case FLETCH_OBJECT_STRING: check_string(objects, object); break;
    case FLETCH_OBJECT_VECTOR: check_vector(objects, object); break;
    case FLETCH_OBJECT_SLOT: CHECK(is_inside(object, &objects->vtable)); break;
    case FLETCH_OBJECT_FAULT: CHECK(object->begin < object->end); break;
    }
}

/* The fletch_visit. */
static inline bool take_object(void *context, const fletch_object *object)
{
    struct objects *objects = (struct objects *)context;

    CHECK(objects->last.kind != FLETCH_OBJECT_FAULT); /* which comes last */
    CHECK(object->table != NULL && object->member != NULL);
    check_object(objects, object);
    if (object->kind == FLETCH_OBJECT_VTABLE) objects->vtable = *object;
    if (object->kind == FLETCH_OBJECT_TABLE) objects->table = *object;
    objects->last = *object;
    objects->count++;
    return objects->count != objects->most;
}

static inline struct objects no_objects(fletch_buffer buffer)
{
    struct objects objects;

    memset(&objects, 0, sizeof objects);
    objects.bytes = buffer.bytes;
    return objects;
}

/* As far as it goes, which is to the end of what is sound; and ended in the middle. */
static inline void visit_schema(const fletch_schema *schema, bool is_sound)
{
    struct objects whole = no_objects(schema->buffer), half = whole;
    fletch_error error;
    const fletch_status status = fletch_visit_objects(schema, NULL, take_object, &whole, &error);

    CHECK((status == FLETCH_MISSING) == (schema->buffer.size == 0));
    CHECK((status == FLETCH_MISSING) == (whole.count == 0));
    if (status == FLETCH_MISSING) return;
    CHECK(!is_sound || status == FLETCH_OK);
    half.most = (whole.count + 1) / 2;
    CHECK(fletch_visit_objects(schema, NULL, take_object, &half, &error) == FLETCH_NO_SPACE);
    CHECK(half.count == half.most);
}

/* Bare flatbuffers, damaged or not: `verdict` and `verified` are level structure's. */
static inline void visit_bytes(const uint8_t *bytes, size_t size, fletch_kind root,
                               fletch_status verdict, const fletch_error *verified)
{
    const fletch_buffer buffer = {bytes, (uint32_t)size};
    struct objects objects = no_objects(buffer);
    fletch_error error;
    const fletch_status status =
        fletch_visit_bytes(bytes, size, root, NULL, take_object, &objects, &error);

    CHECK(error.status == status && error.offset <= size);
    CHECK(status == FLETCH_OK || verdict != FLETCH_OK);
    if (status != FLETCH_MALFORMED || verdict != FLETCH_MALFORMED) return;
    if (strcmp(verified->path, "message.bodyLength") == 0) return; /* it is not below 0 */
    CHECK(error.offset == verified->offset);
    CHECK(strcmp(error.path, verified->path) == 0);
    CHECK(strcmp(error.sentence, verified->sentence) == 0);
}

#endif
