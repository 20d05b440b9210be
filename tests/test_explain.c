/* SPDX-License-Identifier: Apache-2.0 */
/* The extents of objects, of good bytes and of damaged ones, and struct Buffer. */
#include <fletch/fletch.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/building.h"

#define MOST_BYTES 16384u

/* What a visit saw. */
struct seen {
    unsigned char bytes[MOST_BYTES]; /* 1: some object has it */
    uint32_t size;
    unsigned counts[FLETCH_OBJECT_FAULT + 1];
    unsigned left; /* objects to take before refusing */
    bool is_outside, has_refused;
    uint32_t depth;
};

static bool see(void *context, const fletch_object *object)
{
    struct seen *seen = context;

    assert_false(seen->has_refused);
    seen->has_refused = seen->left-- == 0;
    if (seen->has_refused) return false;
    if (object->begin >= object->end || object->end > seen->size) {
        seen->is_outside = true;
        return false;
    }
    memset(seen->bytes + object->begin, 1, object->end - object->begin);
    seen->counts[object->kind]++;
    if (object->depth > seen->depth) seen->depth = object->depth;
    return true;
}

static struct seen *look(const fletch_schema *schema, unsigned most, fletch_status *status)
{
    struct seen *seen = calloc(1, sizeof *seen);
    fletch_error error;

    assert_non_null(seen);
    assert_true(schema->buffer.size <= MOST_BYTES);
    seen->size = schema->buffer.size;
    seen->left = most;
    *status = fletch_visit_objects(schema, NULL, see, seen, &error);
    assert_int_equal(error.status, *status);
    return seen;
}

static const void *build(fletch_builder *builder, void *memory, size_t space, size_t *size)
{
    const void *bytes;

    fletch_builder_init(builder, memory, space);
    fletch_begin_field(builder, "a", fletch_list(), FLETCH_NULLABLE);
    fletch_add_field(builder, "item", fletch_timestamp(FLETCH_MICROSECOND, "UTC"), 0);
    fletch_end_field(builder);
    fletch_begin_field(builder, "b", fletch_utf8(), 0);
    fletch_set_dictionary(builder, 7, fletch_int(8, true).as.integer, false);
    fletch_add_metadata(builder, "key", "value");
    fletch_end_field(builder);
    assert_int_equal(fletch_finish(builder, FLETCH_MESSAGE, &bytes, size, NULL), FLETCH_OK);
    return bytes;
}

static void all_bytes_but_padding_belong_to_an_object(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    fletch_schema schema;
    fletch_status status;
    struct seen *seen;
    size_t size, i;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);

    (void)state;
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
    seen = look(&schema, UINT32_MAX, &status);
    assert_int_equal(status, FLETCH_OK);
    for (i = 0; i < size; i++)
        if (seen->bytes[i] == 0) assert_int_equal(bytes[i], 0);
    free(seen);
}

static void objects_come_once_for_each_way_to_them(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    fletch_schema schema;
    fletch_status status;
    struct seen *seen;
    size_t size;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);

    (void)state;
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
    seen = look(&schema, UINT32_MAX, &status);
    /* Message, Schema, three Fields, three types, DictionaryEncoding, its Int, KeyValue */
    assert_int_equal(seen->counts[FLETCH_OBJECT_TABLE], 11);
    assert_int_equal(seen->counts[FLETCH_OBJECT_VTABLE], 11);
    /* three names, the zone, key and value */
    assert_int_equal(seen->counts[FLETCH_OBJECT_STRING], 6);
    /* Schema.fields, three times children, custom_metadata */
    assert_int_equal(seen->counts[FLETCH_OBJECT_VECTOR], 5);
    assert_int_equal(seen->depth, 1);
    free(seen);
}

static void a_visitor_that_refuses_ends_the_visit(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    fletch_schema schema;
    fletch_status status;
    struct seen *seen;
    size_t size;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);
    unsigned most;

    (void)state;
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
    for (most = 0; most < 40; most++) {
        seen = look(&schema, most, &status);
        assert_int_equal(status, FLETCH_NO_SPACE);
        free(seen);
    }
}

static void extents_of_real_files_lie_in_the_flatbuffer(void **state)
{
    static const char *const names[] = {"flatc-2.0.8__all-types.schema",
                                        "flatc-2.0.8__dictionaries.message",
                                        "duckdbwasm-1.32.0__query.arrow"};
    static unsigned char bytes[MOST_BYTES];
    size_t i;

    (void)state;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[4096];
        fletch_schema schema;
        fletch_status status;
        struct seen *seen;
        FILE *file;
        size_t size;

        snprintf(path, sizeof path, "%s/%s", FLETCH_DATA_DIR, names[i]);
        file = fopen(path, "rb");
        assert_non_null(file);
        size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
        seen = look(&schema, UINT32_MAX, &status);
        assert_int_equal(status, FLETCH_OK);
        assert_false(seen->is_outside);
        assert_true(seen->counts[FLETCH_OBJECT_TABLE] > 2);
        free(seen);
    }
}

/* Objects one by one */

#define MOST_OBJECTS 400u

/* All objects of a visit. */
struct heap_of_objects {
    fletch_object all[MOST_OBJECTS];
    size_t count;
};

static bool keep(void *context, const fletch_object *object)
{
    struct heap_of_objects *heap = context;

    assert_true(heap->count < MOST_OBJECTS);
    heap->all[heap->count++] = *object;
    return true;
}

/* The first object that is this member of such a table; NULL: none. */
static const fletch_object *find(const struct heap_of_objects *heap, fletch_object_kind kind,
                                 const char *table, const char *member)
{
    size_t i;

    for (i = 0; i < heap->count; i++)
        if (heap->all[i].kind == kind && strcmp(heap->all[i].table, table) == 0 &&
            strcmp(heap->all[i].member, member) == 0)
            return &heap->all[i];
    return NULL;
}

static void tables_name_what_leads_to_them(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    static struct heap_of_objects heap;
    const fletch_object *item, *parent, *type, *index, *pair;
    size_t size;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);

    (void)state;
    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(bytes, size, FLETCH_MESSAGE, NULL, keep, &heap, NULL),
                     FLETCH_OK);
    parent = find(&heap, FLETCH_OBJECT_TABLE, "Field", "fields");
    item = find(&heap, FLETCH_OBJECT_TABLE, "Field", "children");
    type = find(&heap, FLETCH_OBJECT_TABLE, "Timestamp", "type");
    index = find(&heap, FLETCH_OBJECT_TABLE, "Int", "indexType");
    pair = find(&heap, FLETCH_OBJECT_TABLE, "KeyValue", "custom_metadata");
    assert_true(parent != NULL && item != NULL && type != NULL && index != NULL && pair != NULL);
    assert_int_equal(parent->index, 0);
    assert_int_equal(item->owner, parent->begin);
    assert_int_equal(item->index, 0);
    assert_int_equal(type->owner, item->begin);
    assert_int_equal(type->index, FLETCH_NO_ELEMENT);
    assert_int_equal(index->owner,
                     find(&heap, FLETCH_OBJECT_TABLE, "DictionaryEncoding", "dictionary")->begin);
    assert_int_equal(pair->index, 0);
    assert_int_equal(find(&heap, FLETCH_OBJECT_TABLE, "Schema", "header")->owner,
                     find(&heap, FLETCH_OBJECT_TABLE, "Message", "")->begin);
}

static void slots_and_members_agree(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    static struct heap_of_objects heap;
    size_t size, i, j, members = 0;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);

    (void)state;
    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(bytes, size, FLETCH_MESSAGE, NULL, keep, &heap, NULL),
                     FLETCH_OK);
    for (i = 0; i < heap.count; i++) {
        const fletch_object *slot = &heap.all[i];

        if (slot->kind != FLETCH_OBJECT_SLOT) continue;
        for (j = i; j < heap.count; j++)
            if (heap.all[j].kind == FLETCH_OBJECT_MEMBER && heap.all[j].owner == slot->owner &&
                strcmp(heap.all[j].member, slot->member) == 0)
                break;
        if (bytes[slot->begin] == 0) {
            assert_int_equal(j, heap.count);
            continue;
        }
        assert_true(j < heap.count);
        assert_int_equal(heap.all[j].begin, slot->owner + bytes[slot->begin]);
        members++;
    }
    assert_true(members > 20);
}

static void vectors_tell_the_size_of_their_elements(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    static struct heap_of_objects heap;
    const fletch_object *fields;
    size_t size;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);

    (void)state;
    heap.count = 0;
    (void)fletch_visit_bytes(bytes, size, FLETCH_MESSAGE, NULL, keep, &heap, NULL);
    fields = find(&heap, FLETCH_OBJECT_VECTOR, "Schema", "fields");
    assert_non_null(fields);
    assert_int_equal(fields->width, 4);
    assert_true(fields->is_offset);
    assert_int_equal(fields->end - fields->begin, 4 + 2 * 4);
}

/* Damaged bytes */

static bool is_same_object(const fletch_object *a, const fletch_object *b)
{
    return a->kind == b->kind && a->begin == b->begin && a->end == b->end &&
           strcmp(a->table, b->table) == 0 && strcmp(a->member, b->member) == 0 &&
           a->depth == b->depth && a->owner == b->owner && a->index == b->index;
}

static void good_bytes_give_the_objects_of_their_schema(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    fletch_schema schema;
    static struct heap_of_objects heaps[2];
    size_t size, i;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);

    (void)state;
    heaps[0].count = heaps[1].count = 0;
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
    assert_int_equal(fletch_visit_objects(&schema, NULL, keep, &heaps[0], NULL), FLETCH_OK);
    assert_int_equal(fletch_visit_bytes(bytes, size, FLETCH_MESSAGE, NULL, keep, &heaps[1], NULL),
                     FLETCH_OK);
    assert_int_equal(heaps[0].count, heaps[1].count);
    for (i = 0; i < heaps[0].count; i++)
        assert_true(is_same_object(&heaps[0].all[i], &heaps[1].all[i]));
}

static void the_word_at_fault_comes_last(void **state)
{
    unsigned char memory[2048], copy[2048];
    fletch_builder builder;
    static struct heap_of_objects heap;
    const fletch_object *name, *last;
    fletch_error error, verdict;
    size_t size;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);

    (void)state;
    heap.count = 0;
    (void)fletch_visit_bytes(bytes, size, FLETCH_MESSAGE, NULL, keep, &heap, NULL);
    name = find(&heap, FLETCH_OBJECT_STRING, "Timestamp", "timezone");
    assert_non_null(name);
    memcpy(copy, bytes, size);
    memset(copy + name->begin, 0x7F, 4);
    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(copy, size, FLETCH_MESSAGE, NULL, keep, &heap, &error),
                     FLETCH_MALFORMED);
    last = &heap.all[heap.count - 1];
    assert_int_equal(last->kind, FLETCH_OBJECT_FAULT);
    assert_int_equal(last->end - last->begin, 4);
    (void)fletch_verify(copy, size, NULL, &verdict);
    assert_true(verdict.offset == last->begin);
    assert_string_equal(error.path, verdict.path);
    assert_non_null(find(&heap, FLETCH_OBJECT_MEMBER, "Timestamp", "timezone"));
}

/* All that can be damaged: metadata of wrapper, schema and field; features, a union, a dictionary.
 */
static const unsigned char *build_much(fletch_builder *builder, void *memory, size_t space,
                                       fletch_kind root, size_t *size)
{
    const fletch_string key = fletch_text("key"), value = fletch_text("value");
    const void *bytes;

    fletch_builder_init(builder, memory, space);
    fletch_begin_field(builder, "a", fletch_union(FLETCH_SPARSE, NULL, 0), FLETCH_NULLABLE);
    fletch_add_field(builder, "item", fletch_timestamp(FLETCH_MICROSECOND, "UTC"), 0);
    fletch_end_field(builder);
    fletch_begin_field(builder, "b", fletch_utf8(), 0);
    fletch_set_dictionary(builder, 7, fletch_int(8, true).as.integer, false);
    fletch_add_metadata(builder, "key", "value");
    fletch_end_field(builder);
    fletch_add_metadata(builder, "of the schema", "");
    fletch_add_feature(builder, FLETCH_FEATURE_COMPRESSED_BODY);
    fletch_add_message_metadata(builder, key, value);
    fletch_add_footer_metadata(builder, key, value);
    assert_int_equal(fletch_finish(builder, root, &bytes, size, NULL), FLETCH_OK);
    return bytes;
}

static void check_objects(const struct heap_of_objects *heap, size_t size)
{
    size_t i;

    for (i = 0; i < heap->count; i++) {
        assert_true(heap->all[i].begin < heap->all[i].end);
        assert_true(heap->all[i].end <= size);
    }
}

/* A negative bodyLength is no damage of structure, so a visit goes on. */
static bool is_structural(const fletch_error *error)
{
    return error->status == FLETCH_MALFORMED && strcmp(error->path, "message.bodyLength") != 0;
}

/* Every byte changed in turn: objects stay inside, and a fault is what verification has. */
static size_t damage_each_byte(const unsigned char *bytes, size_t size, fletch_kind root,
                               unsigned char mask, unsigned char bits)
{
    static struct heap_of_objects heap;
    static unsigned char copy[2048];
    const fletch_options options = {root, FLETCH_LEVEL_STRUCTURE, {0, 0, 0}, NULL, 0, false};
    fletch_error error, verdict;
    size_t i, faults = 0;

    for (i = 0; i < size; i++) {
        memcpy(copy, bytes, size);
        copy[i] = (unsigned char)((copy[i] & mask) ^ bits);
        heap.count = 0;
        (void)fletch_visit_bytes(copy, size, root, NULL, keep, &heap, &error);
        check_objects(&heap, size);
        (void)fletch_verify(copy, size, &options, &verdict);
        if (!is_structural(&verdict)) continue;
        assert_int_equal(error.status, FLETCH_MALFORMED);
        assert_int_equal(error.offset, verdict.offset);
        assert_string_equal(error.path, verdict.path);
        assert_string_equal(error.sentence, verdict.sentence);
        faults++;
    }
    return faults;
}

static void damage_of_any_byte_stays_inside_and_is_told_as_by_verification(void **state)
{
    static const unsigned char changes[][2] = {
        {0xFF, 4}, {0xFF, 1}, {0xFF, 0x80}, {0, 0xFF}, {0, 0}};
    unsigned char memory[2048];
    fletch_builder builder;
    size_t size, i, faults = 0;
    int root;

    (void)state;
    for (root = FLETCH_SCHEMA; root <= FLETCH_FOOTER; root++) {
        const unsigned char *bytes =
            build_much(&builder, memory, sizeof memory, (fletch_kind)root, &size);

        for (i = 0; i < sizeof changes / sizeof changes[0]; i++)
            faults +=
                damage_each_byte(bytes, size, (fletch_kind)root, changes[i][0], changes[i][1]);
        assert_true(faults > size);
    }
}

static uint32_t word_at(const unsigned char *bytes, uint32_t at)
{
    return bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 |
           (uint32_t)bytes[at + 3] << 24;
}

/* What an object's kind asks of its bytes, and of what it says of them. */
static void check_words(const unsigned char *bytes, const fletch_object *object,
                        const fletch_object *vtable)
{
    const uint32_t size = object->end - object->begin;

    switch (object->kind) {
    case FLETCH_OBJECT_ROOT:
        assert_true(object->begin == 0 && size == 4 && object->owner == 0 && object->is_offset);
        break;
    case FLETCH_OBJECT_VTABLE:
        assert_int_equal(object->begin, object->owner - word_at(bytes, object->owner));
        assert_int_equal(size, word_at(bytes, object->begin) & 0xFFFF);
        break;
    case FLETCH_OBJECT_SLOT:
        assert_int_equal(size, 2);
        assert_int_equal(object->begin, vtable->begin + 4 + 2 * object->index);
        break;
    case FLETCH_OBJECT_TABLE:
        assert_int_equal(object->begin, vtable->owner);
        assert_int_equal(size, word_at(bytes, vtable->begin) >> 16);
        break;
    case FLETCH_OBJECT_STRING: assert_int_equal(size, 4 + word_at(bytes, object->begin) + 1); break;
    case FLETCH_OBJECT_VECTOR:
        assert_int_equal(size, 4 + word_at(bytes, object->begin) * object->width);
        break;
    default: assert_int_equal(object->kind, FLETCH_OBJECT_MEMBER); break;
    }
}

static bool is_among(const char *word, const char *const *words)
{
    while (*words != NULL && strcmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

static void each_object_says_what_its_bytes_do(void **state)
{
    static const char *const offsets[] = {"fields", "children", "custom_metadata", NULL};
    static const char *const scalars[] = {"version",        "header_type", "bodyLength",
                                          "endianness",     "nullable",    "type_type",
                                          "mode",           "unit",        "bitWidth",
                                          "is_signed",      "id",          "isOrdered",
                                          "dictionaryKind", NULL};
    static struct heap_of_objects heap;
    const fletch_object *object, *vtable = NULL;
    unsigned char memory[2048];
    fletch_builder builder;
    size_t size, i;
    const unsigned char *bytes = build_much(&builder, memory, sizeof memory, FLETCH_MESSAGE, &size);

    (void)state;
    heap.count = 0;
    (void)fletch_visit_bytes(bytes, size, FLETCH_MESSAGE, NULL, keep, &heap, NULL);
    for (i = 0; i < heap.count; i++) {
        object = &heap.all[i];
        if (object->kind == FLETCH_OBJECT_VTABLE) vtable = object;
        check_words(bytes, object, vtable);
        if (object->kind != FLETCH_OBJECT_VECTOR) assert_int_equal(object->width, 0);
        if (object->kind == FLETCH_OBJECT_VECTOR)
            assert_int_equal(object->is_offset, is_among(object->member, offsets));
        else if (object->kind == FLETCH_OBJECT_MEMBER)
            assert_int_equal(object->is_offset, !is_among(object->member, scalars));
        else
            assert_int_equal(object->is_offset, object->kind == FLETCH_OBJECT_ROOT);
        if (object->kind != FLETCH_OBJECT_SLOT && object->kind != FLETCH_OBJECT_TABLE)
            assert_int_equal(object->index, FLETCH_NO_ELEMENT);
    }
    assert_int_equal(heap.all[0].kind, FLETCH_OBJECT_ROOT);
    assert_int_equal(heap.all[0].depth, 0);
}

static void a_root_table_has_no_owner(void **state)
{
    static struct heap_of_objects heap;
    unsigned char memory[2048];
    fletch_builder builder;
    size_t size, i;
    int root;

    (void)state;
    for (root = FLETCH_SCHEMA; root <= FLETCH_FOOTER; root++) {
        const unsigned char *bytes =
            build_much(&builder, memory, sizeof memory, (fletch_kind)root, &size);

        heap.count = 0;
        (void)fletch_visit_bytes(bytes, size, (fletch_kind)root, NULL, keep, &heap, NULL);
        for (i = 0; heap.all[i].kind != FLETCH_OBJECT_TABLE; i++)
            assert_true(i < heap.count);
        assert_int_equal(heap.all[i].owner, 0);
        assert_int_equal(heap.all[i].index, FLETCH_NO_ELEMENT);
        assert_string_equal(heap.all[i].member, "");
    }
}

static void a_broken_pair_comes_as_far_as_it_goes(void **state)
{
    unsigned char memory[2048], copy[2048];
    fletch_builder builder;
    static struct heap_of_objects heap;
    const fletch_object *value;
    fletch_error error;
    size_t size;
    const unsigned char *bytes = build_much(&builder, memory, sizeof memory, FLETCH_MESSAGE, &size);

    (void)state;
    heap.count = 0;
    (void)fletch_visit_bytes(bytes, size, FLETCH_MESSAGE, NULL, keep, &heap, NULL);
    value = find(&heap, FLETCH_OBJECT_STRING, "KeyValue", "value"); /* the message's comes first */
    memcpy(copy, bytes, size);
    memset(copy + value->begin, 0x7F, 4);
    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(copy, size, FLETCH_MESSAGE, NULL, keep, &heap, &error),
                     FLETCH_MALFORMED);
    assert_string_equal(error.path, "message.custom_metadata[0].value");
    assert_non_null(find(&heap, FLETCH_OBJECT_STRING, "KeyValue", "key"));
    assert_non_null(find(&heap, FLETCH_OBJECT_MEMBER, "KeyValue", "value"));
    assert_null(find(&heap, FLETCH_OBJECT_STRING, "KeyValue", "value"));
    assert_null(find(&heap, FLETCH_OBJECT_TABLE, "Schema", "header"));
}

static void only_roots_of_flatbuffers_are_visited(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    static struct heap_of_objects heap;
    fletch_error error;
    size_t size;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);

    (void)state;
    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(bytes, size, FLETCH_STREAM, NULL, keep, &heap, &error),
                     FLETCH_MISUSE);
    assert_string_equal(error.sentence, "kind 5 does not fit here");
    assert_int_equal(error.offset, 0);
    assert_int_equal(fletch_visit_bytes(bytes, 3, FLETCH_MESSAGE, NULL, keep, &heap, &error),
                     FLETCH_TRUNCATED);
    assert_int_equal(heap.count, 0);
}

static void a_struct_buffer_is_two_little_endian_words_of_any_alignment(void **state)
{
    static const unsigned char bytes[1 + FLETCH_BODY_BUFFER_SIZE] = {0xAA, 8,    1,    0,    0,
                                                                     0,    0,    0,    0,    0xFE,
                                                                     0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                                                     0xFF, 0xFF};
    const fletch_body_buffer buffer = fletch_decode_body_buffer(bytes + 1);

    (void)state;
    assert_true(buffer.offset == 264);
    assert_true(buffer.length == -2);
}

static void a_message_without_a_schema_has_objects_of_its_own(void **state)
{
    /* root offset, vtable (8 bytes: version, header_type), table */
    static const unsigned char bytes[] = {12, 0, 0, 0, 8, 0, 8, 0, 4, 0,
                                          6,  0, 8, 0, 0, 0, 4, 0, 0, 0};
    const fletch_options options = {FLETCH_MESSAGE, FLETCH_LEVEL_UNCHECKED, {0, 0, 0}, NULL, 0,
                                    false};
    fletch_schema schema;
    fletch_status status;
    struct seen *seen;

    (void)state;
    assert_int_equal(fletch_open_with(bytes, sizeof bytes, &options, &schema, NULL),
                     FLETCH_NOT_A_SCHEMA);
    seen = look(&schema, UINT32_MAX, &status);
    assert_int_equal(status, FLETCH_OK);
    assert_int_equal(seen->counts[FLETCH_OBJECT_TABLE], 1);
    free(seen);
}

static void more_bytes_than_a_flatbuffer_can_have_are_not_visited(void **state)
{
    static const unsigned char byte;
    struct seen *seen = calloc(1, sizeof *seen);
    fletch_error error;

    (void)state;
    assert_non_null(seen);
    assert_int_equal(fletch_visit_bytes(&byte, (size_t)INT32_MAX + 1, FLETCH_SCHEMA, NULL, see,
                                        seen, &error),
                     FLETCH_TOO_LARGE);
    assert_int_equal(error.status, FLETCH_TOO_LARGE);
    assert_int_equal(error.offset, 0);
    assert_int_equal(seen->counts[FLETCH_OBJECT_ROOT], 0);
    free(seen);
}

/* Told to be as large as can be: what is looked at stands in the bytes that there are. */
static void as_many_bytes_as_a_flatbuffer_can_have_are_visited(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    static struct heap_of_objects heap;
    size_t size;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);

    (void)state;
    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(bytes, INT32_MAX, FLETCH_MESSAGE, NULL, keep, &heap, NULL),
                     FLETCH_OK);
}

/* Fields that are not as they should be, in a bare schema */

/* Visits the bytes of a schema with one field; all objects, in static memory. */
static const struct heap_of_objects *visit_field(maker *m, node *field, fletch_status status)
{
    static struct heap_of_objects heap;
    const block b = finish(m, schema_with(m, field));
    fletch_error error;

    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(b.bytes, b.size, FLETCH_SCHEMA, NULL, keep, &heap, &error),
                     status);
    assert_int_equal(error.status, status);
    return &heap;
}

enum { FIRST_UNKNOWN_TYPE = FLETCH_TYPE_LARGE_LIST_VIEW + 1, TYPE_OF_THE_FUTURE = 200 };

static void a_type_of_the_future_is_a_table_without_members(void **state)
{
    maker *m = *state;
    node *type = make_table(m);
    const struct heap_of_objects *heap;
    size_t i;

    set32(type, 0, 7);
    heap = visit_field(m, new_field(m, "a", FIRST_UNKNOWN_TYPE, type), FLETCH_OK);
    assert_non_null(find(heap, FLETCH_OBJECT_TABLE, "unknown", "type"));
    for (i = 0; i < heap->count; i++)
        if (strcmp(heap->all[i].table, "unknown") == 0)
            assert_true(heap->all[i].kind == FLETCH_OBJECT_TABLE ||
                        heap->all[i].kind == FLETCH_OBJECT_VTABLE);
}

static void a_type_of_the_future_need_not_be_a_table(void **state)
{
    maker *m = *state;
    /* a string of one byte: as a table its vtable would stand at an odd position */
    const struct heap_of_objects *heap =
        visit_field(m, new_field(m, "a", TYPE_OF_THE_FUTURE, make_text(m, "x")), FLETCH_OK);

    assert_null(find(heap, FLETCH_OBJECT_TABLE, "unknown", "type"));
    assert_non_null(find(heap, FLETCH_OBJECT_STRING, "Field", "name"));
}

static void a_value_whose_tag_is_none_is_no_type(void **state)
{
    maker *m = *state;
    const struct heap_of_objects *heap =
        visit_field(m, new_field(m, "a", 0, int_type(m, 8, true)), FLETCH_MALFORMED);
    size_t i;

    for (i = 0; i < heap->count; i++)
        if (heap->all[i].kind == FLETCH_OBJECT_TABLE)
            assert_string_not_equal(heap->all[i].member, "type");
    assert_int_equal(heap->all[heap->count - 1].kind, FLETCH_OBJECT_FAULT);
}

static void a_value_without_a_tag_is_no_type(void **state)
{
    maker *m = *state;
    node *field = new_field(m, "a", 2, int_type(m, 8, true));
    const struct heap_of_objects *heap;
    size_t i;

    drop(field, FIELD_TYPE_TAG);
    heap = visit_field(m, field, FLETCH_MALFORMED);
    for (i = 0; i < heap->count; i++)
        if (heap->all[i].kind == FLETCH_OBJECT_TABLE)
            assert_string_not_equal(heap->all[i].member, "type");
}

static void a_tag_without_a_value_is_at_fault_with_its_table_s_first_word(void **state)
{
    maker *m = *state;
    node *field = new_field(m, "a", 2, int_type(m, 8, true));
    const struct heap_of_objects *heap;
    const fletch_object *last;

    drop(field, FIELD_TYPE);
    heap = visit_field(m, field, FLETCH_MALFORMED);
    last = &heap->all[heap->count - 1];
    assert_int_equal(last->kind, FLETCH_OBJECT_FAULT);
    assert_int_equal(last->begin, find(heap, FLETCH_OBJECT_TABLE, "Field", "fields")->begin);
    assert_int_equal(last->end - last->begin, 4);
    assert_null(find(heap, FLETCH_OBJECT_TABLE, "Int", "type"));
}

static void what_follows_a_field_without_a_type_comes_too(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a"), *schema = schema_with(m, field);
    static struct heap_of_objects heap;
    block b;

    drop(field, FIELD_TYPE_TAG);
    drop(field, FIELD_TYPE);
    add_pair(m, field, FIELD_METADATA, "key", "value");
    add_field(schema, int_field(m, "b"));
    b = finish(m, schema);
    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(b.bytes, b.size, FLETCH_SCHEMA, NULL, keep, &heap, NULL),
                     FLETCH_OK);
    assert_non_null(find(&heap, FLETCH_OBJECT_TABLE, "KeyValue", "custom_metadata"));
    assert_non_null(find(&heap, FLETCH_OBJECT_TABLE, "Int", "type"));
}

/* Damage and its word */

static const fletch_object *fault_of(block b, fletch_kind root)
{
    static struct heap_of_objects heap;

    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(b.bytes, b.size, root, NULL, keep, &heap, NULL),
                     FLETCH_MALFORMED);
    assert_int_equal(heap.all[heap.count - 1].kind, FLETCH_OBJECT_FAULT);
    return &heap.all[heap.count - 1];
}

static void a_misaligned_slot_is_a_fault_of_two_bytes(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    const block b = finish(m, schema_with(m, field));
    const size_t slot = vtable_slot_of(field, FIELD_NAME);
    const fletch_object *fault;

    poke16(b, slot, peek16(b, slot) + 1);
    fault = fault_of(b, FLETCH_SCHEMA);
    assert_int_equal(fault->begin, slot);
    assert_int_equal(fault->end - fault->begin, 2);
}

static void a_nul_that_is_none_is_a_fault_of_one_byte(void **state)
{
    maker *m = *state;
    const sample s = make_sample(m);
    const block b = finish(m, s.schema);
    const size_t nul = place(s.name) + 4 + peek32(b, place(s.name));
    const fletch_object *fault;

    poke8(b, nul, 'x');
    fault = fault_of(b, FLETCH_SCHEMA);
    assert_int_equal(fault->begin, nul);
    assert_int_equal(fault->end - fault->begin, 1);
}

/* Members come up to the broken one: here one behind which others stand in the rows. */
static void members_behind_a_broken_one_do_not_come(void **state)
{
    maker *m = *state;
    node *field = int_field(m, "a");
    static struct heap_of_objects heap;
    size_t vector;
    block b;

    add_pair(m, field, FIELD_METADATA, "key", "value");
    b = finish(m, schema_with(m, field));
    vector = place(member(field, FIELD_CHILDREN));
    poke32(b, vector, 0x7FFFFFF0);
    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(b.bytes, b.size, FLETCH_SCHEMA, NULL, keep, &heap, NULL),
                     FLETCH_MALFORMED);
    assert_non_null(find(&heap, FLETCH_OBJECT_MEMBER, "Field", "children"));
    assert_null(find(&heap, FLETCH_OBJECT_VECTOR, "Field", "children"));
    assert_null(find(&heap, FLETCH_OBJECT_MEMBER, "Field", "custom_metadata"));
    poke32(b, vector, 0);
    poke32(b, place(member(field, FIELD_NAME)), 0x7FFFFFF0);
    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(b.bytes, b.size, FLETCH_SCHEMA, NULL, keep, &heap, NULL),
                     FLETCH_MALFORMED);
    assert_non_null(find(&heap, FLETCH_OBJECT_MEMBER, "Field", "name"));
    assert_null(find(&heap, FLETCH_OBJECT_MEMBER, "Field", "children"));
}

static void a_broken_wrapper_comes_as_far_as_it_goes(void **state)
{
    maker *m = *state;
    node *message = new_message(m, schema_with(m, int_field(m, "a")));
    static struct heap_of_objects heap;
    block b;

    add_pair(m, message, MESSAGE_METADATA, "key", "value");
    b = finish(m, message);
    poke32(b, place(member(message, MESSAGE_METADATA)), 0x7FFFFFF0);
    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(b.bytes, b.size, FLETCH_MESSAGE, NULL, keep, &heap, NULL),
                     FLETCH_MALFORMED);
    assert_non_null(find(&heap, FLETCH_OBJECT_TABLE, "Message", ""));
    assert_non_null(find(&heap, FLETCH_OBJECT_MEMBER, "Message", "custom_metadata"));
    assert_null(find(&heap, FLETCH_OBJECT_TABLE, "Schema", "header"));
}

static void what_a_header_of_another_type_leads_to_does_not_come(void **state)
{
    maker *m = *state;
    node *message = new_message(m, schema_with(m, int_field(m, "a")));
    static struct heap_of_objects heap;
    block b;

    set8(message, MESSAGE_TAG, FLETCH_HEADER_RECORD_BATCH);
    b = finish(m, message);
    heap.count = 0;
    assert_int_equal(fletch_visit_bytes(b.bytes, b.size, FLETCH_MESSAGE, NULL, keep, &heap, NULL),
                     FLETCH_OK);
    assert_non_null(find(&heap, FLETCH_OBJECT_TABLE, "Message", ""));
    assert_null(find(&heap, FLETCH_OBJECT_TABLE, "Schema", "header"));
}

static void damage_of_an_unchecked_schema_is_told_with_its_wrapper(void **state)
{
    maker *m = *state;
    const fletch_options options = {FLETCH_MESSAGE, FLETCH_LEVEL_UNCHECKED, {0, 0, 0}, NULL, 0,
                                    false};
    node *schema = schema_with(m, int_field(m, "a"));
    node *pair = add_pair(m, schema, SCHEMA_METADATA, "key", "value");
    const block b = finish(m, new_message(m, schema));
    static struct heap_of_objects heap;
    fletch_schema opened;
    fletch_error error;

    poke32(b, place(member(pair, PAIR_KEY)), 0x7FFFFFF0);
    heap.count = 0;
    assert_int_equal(fletch_open_with(b.bytes, b.size, &options, &opened, NULL), FLETCH_OK);
    assert_int_equal(fletch_visit_objects(&opened, NULL, keep, &heap, &error), FLETCH_MALFORMED);
    assert_string_equal(error.path, "message.header.custom_metadata[0].key");
}

static bool end_at_once(void *context, const fletch_object *object)
{
    (void)context;
    (void)object;
    return false;
}

static void a_visit_that_was_ended_says_so(void **state)
{
    unsigned char memory[2048];
    fletch_builder builder;
    fletch_schema schema;
    fletch_error error;
    size_t size;
    const unsigned char *bytes = build(&builder, memory, sizeof memory, &size);

    (void)state;
    assert_int_equal(fletch_open(bytes, size, &schema, NULL), FLETCH_OK);
    (void)fletch_visit_objects(&schema, NULL, end_at_once, NULL, &error);
    assert_string_equal(error.sentence, "the visitor ended the visit");
}

/* A visitor that spoils two bytes once it is given an object of a kind by the name of a member. */
struct spoiler {
    struct heap_of_objects heap;
    block bytes;
    size_t at;
    fletch_object_kind kind;
    const char *member;
};

static bool spoil(void *context, const fletch_object *object)
{
    struct spoiler *spoiler = context;

    if (object->kind == spoiler->kind && strcmp(object->member, spoiler->member) == 0)
        poke16(spoiler->bytes, spoiler->at, 0xFFFE);
    return keep(&spoiler->heap, object);
}

/* What the visit of a schema ends with whose bytes at `at` are spoilt behind that object. */
static const struct heap_of_objects *visit_spoiling(block b, size_t at, fletch_object_kind kind,
                                                    const char *member)
{
    static struct spoiler spoiler;

    spoiler.heap.count = 0;
    spoiler.bytes = b;
    spoiler.at = at;
    spoiler.kind = kind;
    spoiler.member = member;
    assert_int_equal(fletch_visit_bytes(b.bytes, b.size, FLETCH_SCHEMA, NULL, spoil, &spoiler,
                                        NULL),
                     FLETCH_MALFORMED);
    return &spoiler.heap;
}

/* The type is broken, so that the visit looks for it itself: by its tag's slot, by its own, and by
 * where the vtable is. One of these moves out of the bytes. */
static void a_type_that_moves_out_of_the_bytes_meanwhile_is_none(void **state)
{
    maker *m = *state;
    unsigned i;

    for (i = 0; i < 3; i++) {
        node *type = make_table(m), *field = new_field(m, "a", 10, type);
        const struct heap_of_objects *heap;
        size_t moved;
        block b;

        set_node(type, TIMESTAMP_ZONE, make_text(m, "UTC"));
        b = finish(m, schema_with(m, field));
        poke32(b, place(member(type, TIMESTAMP_ZONE)), 0x7FFFFFF0);
        moved =
            i == 2 ? place(field) + 2 : vtable_slot_of(field, i == 0 ? FIELD_TYPE_TAG : FIELD_TYPE);
        heap = visit_spoiling(b, moved, FLETCH_OBJECT_VECTOR, "children");
        assert_non_null(find(heap, FLETCH_OBJECT_TABLE, "Field", "fields"));
        assert_null(find(heap, FLETCH_OBJECT_TABLE, "Timestamp", "type"));
    }
}

static void fields_that_move_out_of_the_bytes_meanwhile_are_not_given(void **state)
{
    maker *m = *state;
    node *schema = schema_with(m, int_field(m, "a"));
    const block b = finish(m, schema);
    const struct heap_of_objects *heap =
        visit_spoiling(b, place_of(schema, SCHEMA_FIELDS), FLETCH_OBJECT_MEMBER, "fields");

    assert_non_null(find(heap, FLETCH_OBJECT_TABLE, "Schema", ""));
    assert_null(find(heap, FLETCH_OBJECT_VECTOR, "Schema", "fields"));
    assert_null(find(heap, FLETCH_OBJECT_TABLE, "Field", "fields"));
}

/* A table is given behind its vtable, in which its size stands, and a member behind its table. */
static void an_object_that_outgrows_the_bytes_meanwhile_is_not_given(void **state)
{
    maker *m = *state;
    unsigned i, j;

    for (i = 0; i < 2; i++) {
        node *schema = schema_with(m, int_field(m, "a"));
        const block b = finish(m, schema);
        const size_t slot = vtable_slot_of(schema, SCHEMA_FIELDS);
        const struct heap_of_objects *heap =
            i == 0 ? visit_spoiling(b, vtable_of(schema) + 2, FLETCH_OBJECT_VTABLE, "")
                   : visit_spoiling(b, slot, FLETCH_OBJECT_TABLE, "");

        assert_non_null(find(heap, FLETCH_OBJECT_VTABLE, "Schema", ""));
        for (j = 0; j < heap->count; j++)
            assert_in_range(heap->all[j].end, 0, b.size);
    }
}

/* Visits with a visitor that refuses the first object, the second and so on, up to the end. Demands
 * that each refusal is told; the status at the end. */
static fletch_status refuse_each(block b, unsigned *objects)
{
    fletch_status status = FLETCH_NO_SPACE;

    for (*objects = 0; status == FLETCH_NO_SPACE; ++*objects) {
        struct seen *seen = calloc(1, sizeof *seen);

        assert_non_null(seen);
        seen->size = (uint32_t)b.size;
        seen->left = *objects;
        status = fletch_visit_bytes(b.bytes, b.size, FLETCH_SCHEMA, NULL, see, seen, NULL);
        free(seen);
    }
    return status;
}

/* The type of a list's child is broken. Who refuses an object on the way there ends the visit; who
 * refuses the fault itself changes nothing. */
static void a_visitor_may_refuse_any_object_of_a_broken_field(void **state)
{
    maker *m = *state;
    node *list = nested_field(m, "list", 12), *type = make_table(m);
    unsigned objects;
    block b;

    set_node(type, TIMESTAMP_ZONE, make_text(m, "UTC"));
    add_child(list, new_field(m, "a", 10, type));
    b = finish(m, schema_with(m, list));
    poke32(b, place(member(type, TIMESTAMP_ZONE)), 0x7FFFFFF0);
    assert_int_equal(refuse_each(b, &objects), FLETCH_MALFORMED);
    assert_true(objects > 40);
}

static void a_visitor_may_refuse_a_type_of_the_future(void **state)
{
    maker *m = *state;
    unsigned objects;

    assert_int_equal(refuse_each(finish(m, schema_with(m, new_field(m, "a", TYPE_OF_THE_FUTURE,
                                                                    make_table(m)))),
                                 &objects),
                     FLETCH_OK);
    assert_true(objects > 20);
}

/* All kinds of objects of a sound schema, dictionaries too. */
static void a_visitor_may_refuse_any_object(void **state)
{
    maker *m = *state;
    node *field = text_field(m, "a");
    unsigned objects;

    add_dictionary(m, field, 7, int_type(m, 8, true));
    add_pair(m, field, FIELD_METADATA, "key", "value");
    assert_int_equal(refuse_each(finish(m, schema_with(m, field)), &objects), FLETCH_OK);
    assert_true(objects > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_bytes_but_padding_belong_to_an_object),
        cmocka_unit_test(objects_come_once_for_each_way_to_them),
        cmocka_unit_test(a_visitor_that_refuses_ends_the_visit),
        cmocka_unit_test(a_visit_that_was_ended_says_so),
        cmocka_unit_test(extents_of_real_files_lie_in_the_flatbuffer),
        cmocka_unit_test(tables_name_what_leads_to_them),
        cmocka_unit_test(slots_and_members_agree),
        cmocka_unit_test(vectors_tell_the_size_of_their_elements),
        cmocka_unit_test(good_bytes_give_the_objects_of_their_schema),
        cmocka_unit_test(the_word_at_fault_comes_last),
        cmocka_unit_test(damage_of_any_byte_stays_inside_and_is_told_as_by_verification),
        cmocka_unit_test(each_object_says_what_its_bytes_do),
        cmocka_unit_test(a_root_table_has_no_owner),
        cmocka_unit_test(a_broken_pair_comes_as_far_as_it_goes),
        cmocka_unit_test(only_roots_of_flatbuffers_are_visited),
        cmocka_unit_test(a_struct_buffer_is_two_little_endian_words_of_any_alignment),
        cmocka_unit_test(a_message_without_a_schema_has_objects_of_its_own),
        cmocka_unit_test(more_bytes_than_a_flatbuffer_can_have_are_not_visited),
        cmocka_unit_test(as_many_bytes_as_a_flatbuffer_can_have_are_visited),
        WITH_MAKER(a_type_of_the_future_is_a_table_without_members),
        WITH_MAKER(a_type_of_the_future_need_not_be_a_table),
        WITH_MAKER(a_value_whose_tag_is_none_is_no_type),
        WITH_MAKER(a_value_without_a_tag_is_no_type),
        WITH_MAKER(a_tag_without_a_value_is_at_fault_with_its_table_s_first_word),
        WITH_MAKER(what_follows_a_field_without_a_type_comes_too),
        WITH_MAKER(a_misaligned_slot_is_a_fault_of_two_bytes),
        WITH_MAKER(a_nul_that_is_none_is_a_fault_of_one_byte),
        WITH_MAKER(members_behind_a_broken_one_do_not_come),
        WITH_MAKER(a_broken_wrapper_comes_as_far_as_it_goes),
        WITH_MAKER(what_a_header_of_another_type_leads_to_does_not_come),
        WITH_MAKER(damage_of_an_unchecked_schema_is_told_with_its_wrapper),
        WITH_MAKER(a_visitor_may_refuse_any_object),
        WITH_MAKER(a_visitor_may_refuse_any_object_of_a_broken_field),
        WITH_MAKER(a_visitor_may_refuse_a_type_of_the_future),
        WITH_MAKER(a_type_that_moves_out_of_the_bytes_meanwhile_is_none),
        WITH_MAKER(fields_that_move_out_of_the_bytes_meanwhile_are_not_given),
        WITH_MAKER(an_object_that_outgrows_the_bytes_meanwhile_is_not_given),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
