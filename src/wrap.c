/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ending a build: the Schema table, and what goes around it for each container.
 *
 * What is put in front of the schema is written anew for each container, over what was there for
 * the one before: builder->schema_high says where the schema's own bytes end. Nothing written here
 * is remembered for sharing. The words still waiting at the low end are the wrappers' metadata.
 */
#include "store.h"

#include "fletch/ipc.h"

/* Errors */

/* The open fields, whose index is the count of closed ones beside them, and the steps inside. */
static void write_path(const void *context, short_text *text)
{
    const fletch_builder *builder = context;
    const uint32_t fields = builder->depth + (builder->is_at_child ? 1 : 0);
    uint32_t i;

    for (i = 0; i < fields; i++)
        fletch_append_step(text, i == 0 ? "fields" : "children", builder->levels[i].child_count);
    for (i = builder->step_count; i != 0; i--)
        fletch_append_step(text, builder->names[i - 1], builder->indices[i - 1]);
}

static fletch_status tell(const fletch_builder *builder, fletch_error *error)
{
    const enum reason reason = (enum reason)builder->reason;

    fletch_say_fault(error, reason, 0, builder->value, builder->other);
    if (error != NULL) fletch_write_elided(error->path, sizeof error->path, write_path, builder);
    return fletch_fault_status(reason);
}

static fletch_status tell_full(const fletch_builder *builder, fletch_error *error)
{
    const bool is_memory = builder->full == FLETCH_NO_MEMORY;

    fletch_say_fault(error, is_memory ? FAULT_BUILD_ALLOCATOR : FAULT_BUILD_SPACE, 0,
                     is_memory ? (int64_t)builder->wanted : (int64_t)builder->size,
                     (int64_t)builder->wanted);
    if (error != NULL) error->wanted = builder->wanted;
    return (fletch_status)builder->full;
}

static fletch_status misuse(enum reason reason, int64_t value, fletch_error *error)
{
    fletch_say_fault(error, reason, 0, value, 0);
    return FLETCH_MISUSE;
}

/* The schema */

/* Keeps only what the wrappers wait for. */
static void compact_waiting(fletch_builder *builder)
{
    const fletch_build_level *level = &builder->levels[0];
    uint32_t from, to = 0;

    if (!IS_SMALL && builder->low == 4 * (level->child_count + level->pair_count)) { /* nothing */
        builder->low = 0;
        return;
    }
    for (from = 0; from < builder->low; from += 4) {
        const uint32_t word = pushed(builder, from);

        if ((word & 3u) == WAIT_CHILD || (word & 3u) == WAIT_PAIR) continue;
        memcpy(builder->block + to, &word, 4);
        to += 4;
    }
    builder->low = to;
}

static uint32_t put_features(fletch_builder *builder)
{
    fletch_integers features;

    if (builder->feature_count == 0) return 0;
    features.data = builder->features;
    features.count = builder->feature_count;
    features.width = 8;
    features.native = true;
    return fletch_put_integers(builder, &features);
}

static void end_schema(fletch_builder *builder)
{
    const fletch_build_level *level = &builder->levels[0];
    const bool is_stored = builder->full == FLETCH_OK;
    int64_t values[4];

    values[SCHEMA_ENDIANNESS] = builder->endianness;
    values[SCHEMA_FIELDS] = fletch_put_waiting(builder, 0, WAIT_CHILD, level->child_count);
    if (values[SCHEMA_FIELDS] == 0) values[SCHEMA_FIELDS] = EMPTY_VECTOR;
    values[SCHEMA_METADATA] = fletch_put_waiting(builder, 0, WAIT_PAIR, level->pair_count);
    values[SCHEMA_FEATURES] = put_features(builder);
    builder->schema = fletch_put_table(builder, SHAPE_SCHEMA, &fletch_schema_shape, values, true);
    if (is_stored && builder->full == FLETCH_OK) compact_waiting(builder);
    builder->schema_high = builder->high;
    builder->is_finished = builder->reason == FAULT_NONE;
}

/* Roots: each leaves builder->high at the size of a whole flatbuffer. */

static uint32_t count_waiting(const fletch_builder *builder, uint32_t tag)
{
    uint32_t low, count = 0;

    if (builder->full != FLETCH_OK) return builder->low / 4; /* all there can be */
    for (low = 0; low < builder->low; low += 4)
        if ((pushed(builder, low) & 3u) == tag) count++;
    return count;
}

static uint32_t put_wrapper_pairs(fletch_builder *builder, uint32_t tag)
{
    return fletch_put_waiting(builder, 0, tag, count_waiting(builder, tag));
}

/* The root offset, in front of everything, so that the whole is a multiple of 8 bytes. */
static void put_root(fletch_builder *builder, uint32_t table)
{
    uint8_t *bytes = fletch_reserve(builder, 4, 8, 0);

    if (bytes != NULL) store_word(bytes, builder->high - table);
}

static uint32_t put_message(fletch_builder *builder)
{
    int64_t values[5];

    values[MESSAGE_VERSION] = builder->version;
    values[MESSAGE_HEADER_TYPE] = FLETCH_HEADER_SCHEMA;
    values[MESSAGE_HEADER] = builder->schema;
    values[MESSAGE_BODY_LENGTH] = 0;
    values[MESSAGE_METADATA] = put_wrapper_pairs(builder, WAIT_MESSAGE_PAIR);
    return fletch_put_table(builder, SHAPE_MESSAGE, &fletch_message_shape, values, false);
}

static uint32_t put_footer(fletch_builder *builder)
{
    int64_t values[5];

    values[FOOTER_VERSION] = builder->version;
    values[FOOTER_SCHEMA] = builder->schema;
    values[FOOTER_DICTIONARIES] = EMPTY_VECTOR;
    values[FOOTER_RECORD_BATCHES] = EMPTY_VECTOR;
    values[FOOTER_METADATA] = put_wrapper_pairs(builder, WAIT_FOOTER_PAIR);
    return fletch_put_table(builder, SHAPE_FOOTER, &fletch_footer_shape, values, false);
}

static void put_flatbuffer(fletch_builder *builder, fletch_kind root)
{
    builder->high = builder->schema_high;
    if (root == FLETCH_SCHEMA) put_root(builder, builder->schema);
    if (root == FLETCH_MESSAGE) put_root(builder, put_message(builder));
    if (root == FLETCH_FOOTER) put_root(builder, put_footer(builder));
}

/* Containers: each gives the bytes behind the flatbuffer's end that belong to it. */

/*
 * The framing in front of a message. The legacy one is 4 bytes, so that 4 more of padding are
 * wanted behind the flatbuffer to make the whole a multiple of 8; they are in the tail.
 */
static uint32_t put_frame(fletch_builder *builder)
{
    const uint32_t length = builder->high;
    uint8_t *bytes;

    if (builder->is_legacy) {
        bytes = fletch_reserve(builder, 4, 4, 0);
        if (bytes != NULL) store_word(bytes, length + 4);
        return 4;
    }
    bytes = fletch_reserve(builder, 8, 8, 0);
    if (bytes == NULL) return 0;
    store_word(bytes, 0xFFFFFFFFu);
    store_word(bytes + 4, length);
    return 0;
}

static uint32_t put_encapsulated(fletch_builder *builder)
{
    put_flatbuffer(builder, FLETCH_MESSAGE);
    return put_frame(builder);
}

/* The end of a stream: a length of 0, framed as the message is. */
static uint32_t put_stream(fletch_builder *builder)
{
    uint32_t behind = put_encapsulated(builder);

    if (builder->full == FLETCH_OK && !builder->is_legacy)
        store_word(stored(builder, 0), 0xFFFFFFFFu);
    return behind + (builder->is_legacy ? 4 : 8);
}

/*
 * A file, from its end: the footer where the schema was built, the trailer behind it; in front the
 * end of the stream, then a copy of the schema, with a Message around it, and the magic.
 */
static uint32_t put_file(fletch_builder *builder)
{
    static const char magic[] = "ARROW1\0\0";
    const bool was_legacy = builder->is_legacy;
    uint32_t footer, message;
    uint8_t *bytes;

    put_flatbuffer(builder, FLETCH_FOOTER);
    footer = builder->high;
    if (builder->full == FLETCH_OK) {
        store_word(stored(builder, 0), footer);
        memcpy(stored(builder, 0) + 4, magic, 6);
    }
    bytes = fletch_reserve(builder, 8 + (uint64_t)builder->schema_high, 4, 0);
    if (bytes != NULL) {
        store_word(bytes + builder->schema_high, 0xFFFFFFFFu);
        memcpy(bytes, stored(builder, builder->schema_high), builder->schema_high);
    }
    fletch_set_base(builder, footer + 8);
    builder->is_legacy = false;
    put_flatbuffer(builder, FLETCH_MESSAGE);
    (void)put_frame(builder);
    builder->is_legacy = was_legacy;
    bytes = fletch_reserve(builder, 8, 8, 0);
    if (bytes != NULL) memcpy(bytes, magic, 8);
    message = builder->high;
    fletch_set_base(builder, 0);
    builder->high = message + footer + 8;
    return 10;
}

/* Base64 of an encapsulated message, in front of it; readers of Parquet want today's framing. */
static void put_base64(fletch_builder *builder, size_t *size)
{
    const bool was_legacy = builder->is_legacy;
    uint32_t message;
    uint8_t *bytes;

    builder->is_legacy = false;
    (void)put_encapsulated(builder);
    builder->is_legacy = was_legacy;
    message = builder->high;
    *size = ((size_t)message + 2) / 3 * 4;
    bytes = fletch_reserve(builder, *size, 4, 0);
    if (bytes != NULL) fletch_base64_encode(stored(builder, message), message, (char *)bytes);
}

static bool put_container(fletch_builder *builder, fletch_kind kind, size_t *size)
{
    uint32_t behind = 0;

    *size = 0;
    if (builder->full == FLETCH_OK)
        memset(stored(builder, 0), 0, STORE_TAIL); /* padding or the end of a stream */
    switch (kind) {
    case FLETCH_SCHEMA:
    case FLETCH_MESSAGE:
    case FLETCH_FOOTER: put_flatbuffer(builder, kind); break;
    case FLETCH_ENCAPSULATED: behind = put_encapsulated(builder); break;
    case FLETCH_STREAM: behind = put_stream(builder); break;
    case FLETCH_FILE: behind = put_file(builder); break;
    case FLETCH_BASE64: put_base64(builder, size); break;
    default: return false;
    }
    if (kind != FLETCH_BASE64) *size = (size_t)builder->high + behind;
    return true;
}

fletch_status fletch_wrap(fletch_builder *builder, fletch_kind kind, const void **bytes,
                          size_t *size, fletch_error *error)
{
    const uint8_t full = builder->full;
    fletch_status status = FLETCH_OK;

    *bytes = NULL;
    *size = 0;
    fletch_clear_error(error);
    if (builder->reason != FAULT_NONE) return tell(builder, error);
    if (!builder->is_finished || builder->schema == 0)
        return misuse(FAULT_BUILD_MISUSE_UNFINISHED, 0, error);
    if (!put_container(builder, kind, size)) return misuse(FAULT_MISUSE_KIND, kind, error);
    if (builder->reason != FAULT_NONE)
        status = tell(builder, error);
    else if (builder->full != FLETCH_OK)
        status = tell_full(builder, error);
    else
        *bytes = stored(builder, builder->high);
    if (status != FLETCH_OK) *size = 0;
    /* the schema is whole, if it was: a smaller container may still fit */
    fletch_set_full(builder, full);
    close_room(builder);
    return status;
}

fletch_status fletch_finish(fletch_builder *builder, fletch_kind kind, const void **bytes,
                            size_t *size, fletch_error *error)
{
    *bytes = NULL;
    *size = 0;
    if (builder->reason == FAULT_NONE) {
        if (builder->is_finished) return misuse(FAULT_BUILD_MISUSE_FINISHED, 0, error);
        if (builder->depth != 0) return misuse(FAULT_BUILD_MISUSE_OPEN, 0, error);
        end_schema(builder);
    }
    return fletch_wrap(builder, kind, bytes, size, error);
}
