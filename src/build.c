/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The builder's calls: each checks first, then writes what it is given at the high end and leaves
 * its position waiting at the low end until its parent is closed.
 *
 * The low end holds, for each open field, a record of FRAME_WORDS words (what its Field table will
 * need), then the positions of the children and metadata pairs it has up to now, in the order they
 * came. Positions of tables are multiples of 4, so the low bits tell what waits. Nothing there is
 * read when the builder is full; what checks need is in builder->levels.
 */
#include "store.h"

#include "utf8.h"
#include "walk.h"

fletch_type fletch_type_of(int32_t id)
{
    fletch_type type;

    memset(&type, 0, sizeof type);
    type.id = id;
    return type;
}

/* Beginning */

static void begin(fletch_builder *builder)
{
    builder->schema = builder->schema_high = 0;
    builder->version = FLETCH_V5;
    builder->endianness = FLETCH_LITTLE_ENDIAN;
    builder->is_strict = true;
    builder->is_finished = builder->is_legacy = builder->is_at_child = false;
    builder->reason = FAULT_NONE;
    builder->feature_count = 0;
    fletch_store_begin(builder);
}

void fletch_builder_init(fletch_builder *builder, void *memory, size_t size)
{
    builder->block = memory;
    builder->size = memory != NULL ? size : 0;
    builder->is_growing = false;
    builder->allocator.reallocate = NULL;
    builder->allocator.context = NULL;
    begin(builder);
}

void fletch_builder_init_growing(fletch_builder *builder, const fletch_allocator *allocator)
{
    builder->block = NULL;
    builder->size = 0;
    builder->is_growing = true;
    builder->allocator = *allocator;
    begin(builder);
}

void fletch_builder_reset(fletch_builder *builder)
{
    begin(builder);
}

void fletch_builder_release(fletch_builder *builder)
{
    if (!builder->is_growing) return;
    if (builder->block != NULL)
        (void)builder->allocator.reallocate(builder->allocator.context, builder->block,
                                            builder->size, 0);
    builder->block = NULL;
    builder->size = 0;
    builder->low = builder->high = builder->schema = builder->schema_high = 0;
    builder->is_finished = true; /* until it is reset, which takes memory again */
    fletch_set_full(builder, FLETCH_NO_MEMORY);
}

/* Whether a call may do anything: no error stands, and the schema is open. */
static bool is_open(fletch_builder *builder)
{
    if (builder->reason != FAULT_NONE) return false;
    if (!builder->is_finished) return true;
    fletch_stick_reason(builder, FAULT_BUILD_MISUSE_FINISHED, 0);
    return false;
}

/* Settings */

static fletch_status set(fletch_builder *builder, bool fits, int64_t value)
{
    if (!is_open(builder)) return build_status(builder);
    if (!fits) return fletch_stick_reason(builder, FAULT_BUILD_MISUSE_SETTING, value);
    return FLETCH_OK;
}

/* Whether anything was added: then it waits, or is a feature. */
static bool is_used(const fletch_builder *builder)
{
    return builder->low != 0 || builder->feature_count != 0;
}

fletch_status fletch_set_level(fletch_builder *builder, fletch_level level)
{
    const bool fits = level == FLETCH_LEVEL_ARROW || level == FLETCH_LEVEL_STRICT;
    const fletch_status status = set(builder, fits && !is_used(builder), level);

    if (status == FLETCH_OK) builder->is_strict = level == FLETCH_LEVEL_STRICT;
    return status;
}

fletch_status fletch_set_version(fletch_builder *builder, int32_t version)
{
    const bool fits = version == FLETCH_V5 || version == FLETCH_V4;
    const fletch_status status = set(builder, fits, version);

    if (status == FLETCH_OK) builder->version = version;
    return status;
}

fletch_status fletch_set_legacy_framing(fletch_builder *builder)
{
    const fletch_status status = set(builder, true, 0);

    if (status != FLETCH_OK) return status;
    builder->is_legacy = true;
    builder->version = FLETCH_V4;
    return FLETCH_OK;
}

fletch_status fletch_set_endianness(fletch_builder *builder, int32_t endianness)
{
    struct fault fault;

    if (!is_open(builder)) return build_status(builder);
    if (endianness == FLETCH_LITTLE_ENDIAN || endianness == FLETCH_BIG_ENDIAN) {
        builder->endianness = endianness;
        return build_status(builder);
    }
    fletch_set_fault(&fault, FAULT_ENDIANNESS, 0, endianness, 0);
    fletch_fault_inside(&fault, "endianness", NO_INDEX);
    return fletch_stick(builder, &fault);
}

fletch_status fletch_add_feature(fletch_builder *builder, int64_t feature)
{
    const bool is_known =
        feature >= FLETCH_FEATURE_UNUSED && feature <= FLETCH_FEATURE_COMPRESSED_BODY;
    struct fault fault;

    if (!is_open(builder)) return build_status(builder);
    fletch_set_fault(&fault, FAULT_NONE, 0, 0, 0);
    if (builder->is_strict && !is_known)
        fletch_set_fault(&fault, FAULT_FEATURE, 0, feature, 0);
    else if (builder->feature_count == FLETCH_BUILD_FEATURES)
        fletch_set_fault(&fault, FAULT_BUILD_FEATURES, 0, FLETCH_BUILD_FEATURES, 0);
    if (fault.reason != FAULT_NONE) {
        fletch_fault_inside(&fault, "features", builder->feature_count);
        return fletch_stick(builder, &fault);
    }
    builder->features[builder->feature_count++] = feature;
    return build_status(builder);
}

/* Checks */

static fletch_status stick_finding(fletch_builder *builder, const struct finding *finding,
                                   int32_t type_id, bool is_at_child)
{
    struct fault fault;

    fletch_describe(finding, type_id, 0, &fault);
    builder->is_at_child = is_at_child;
    return fletch_stick(builder, &fault);
}

/* The rules that a field's parent has for it, but for its own children. */
static bool check_parent(fletch_builder *builder, const fletch_type *type, bool nullable)
{
    const fletch_build_level *level = &builder->levels[builder->depth];
    struct surroundings around;
    struct finding finding;
    fletch_field field;

    around.parent_type = level->type_id;
    around.grandparent_type =
        builder->depth != 0 ? builder->levels[builder->depth - 1].type_id : FLETCH_TYPE_NONE;
    around.index = level->child_count;
    field.type = *type;
    field.nullable = nullable;
    if (fletch_check_surroundings(&field, 2, &around, builder->is_strict, &finding)) return true;
    stick_finding(builder, &finding, type->id, true);
    return false;
}

/* Tells what was wrong with a field that is not there yet: a rule, or a text of it. */
static bool refuse_child(fletch_builder *builder, const fletch_type *type,
                         const struct finding *finding)
{
    if (finding->reason != FAULT_NONE) stick_finding(builder, finding, type->id, true);
    builder->is_at_child = true;
    return false;
}

static bool put_name(fletch_builder *builder, fletch_string name, uint32_t *at)
{
    *at = fletch_put_string(builder, name, builder->depth != 0 ? STRINGS_NAMES : STRINGS_ONCE,
                            field_rows[FIELD_NAME].name);
    if (builder->reason != FAULT_NONE) builder->is_at_child = true;
    return builder->reason == FAULT_NONE;
}

static bool put_type(fletch_builder *builder, const fletch_type *type, uint32_t *at)
{
    struct finding finding;

    *at = fletch_put_type(builder, type, &finding);
    if (finding.reason == FAULT_NONE && builder->reason == FAULT_NONE) return true;
    return refuse_child(builder, type, &finding);
}

/* A union without type ids is written when its children are known. */
static bool put_open_type(fletch_builder *builder, const fletch_type *type, uint32_t *at)
{
    struct finding finding;

    if (type->id != FLETCH_TYPE_UNION || type->as.union_.has_type_ids)
        return put_type(builder, type, at);
    *at = 0;
    if (fletch_check_type(type, &finding)) return true;
    stick_finding(builder, &finding, type->id, true);
    return false;
}

/* Closing */

/* The rules that only the end of a field's children can tell. */
static bool check_children(fletch_builder *builder, int32_t parent_type)
{
    const fletch_build_level *level = &builder->levels[builder->depth];
    const uint32_t type_ids = level->type_ids == UNCOUNTED ? NO_TYPE_IDS : level->type_ids;
    struct finding finding;

    if (!fletch_check_child_count(level->type_id, type_ids, level->child_count, builder->is_strict,
                                  &finding)) {
        stick_finding(builder, &finding, level->type_id, false);
        return false;
    }
    if (parent_type == FLETCH_TYPE_MAP && level->child_count != 2) {
        (void)fletch_find_fault(&finding, FAULT_MAP_ENTRIES_COUNT, IN_FIELD + FIELD_CHILDREN,
                                (int32_t)level->child_count);
        stick_finding(builder, &finding, level->type_id, false);
        return false;
    }
    return true;
}

/* One more child in the level: its Field table waits. */
static fletch_status add_child(fletch_builder *builder, uint32_t position)
{
    if (builder->reason != FAULT_NONE) return build_status(builder);
    builder->levels[builder->depth].child_count++;
    push(builder, position | WAIT_CHILD);
    return build_status(builder);
}

static bool is_uncounted_union(const fletch_build_level *level)
{
    return level->type_id == FLETCH_TYPE_UNION && level->type_ids == UNCOUNTED;
}

/* A union's type ids where they were left out: 0, 1, 2... Readers want them written. */
static uint32_t put_counted_union(fletch_builder *builder, int32_t mode, uint32_t count)
{
    struct finding finding; /* there is none: mode and count were checked */
    int32_t ids[128];
    fletch_type type;
    uint32_t i;

    for (i = 0; i < 128; i++)
        ids[i] = (int32_t)i;
    type = fletch_union(mode, ids, count);
    return fletch_put_type(builder, &type, &finding);
}

/* Writes what the innermost frame has gathered, takes the frame away, gives its Field table. */
static uint32_t close_frame(fletch_builder *builder, const fletch_build_level *level)
{
    const uint32_t frame = builder->frame;
    const uint32_t waiting = frame + 4 * FRAME_WORDS;
    const bool is_stored = builder->full == FLETCH_OK;
    struct field_parts parts;

    parts.name = parts.type = EMPTY_VECTOR; /* all that counts when full is that they are there */
    parts.dictionary = level->has_dictionary ? EMPTY_VECTOR : 0;
    if (is_stored) {
        parts.name = pushed(builder, frame + 4 * FRAME_NAME);
        parts.type = pushed(builder, frame + 4 * FRAME_TYPE);
        parts.dictionary = pushed(builder, frame + 4 * FRAME_DICTIONARY);
    }
    if (is_uncounted_union(level))
        parts.type = put_counted_union(builder, level->mode, level->child_count);
    parts.nullable = level->is_nullable;
    parts.type_id = level->type_id;
    parts.children = EMPTY_VECTOR;
    if (level->child_count != 0)
        parts.children = fletch_put_waiting(builder, waiting, WAIT_CHILD, level->child_count);
    parts.metadata = 0;
    if (level->pair_count != 0)
        parts.metadata = fletch_put_waiting(builder, waiting, WAIT_PAIR, level->pair_count);
    if (is_stored) builder->frame = pushed(builder, frame + 4 * FRAME_BEFORE);
    builder->low -= 4 * (FRAME_WORDS + level->child_count + level->pair_count);
    return put_field(builder, parts);
}

/* Fields */

/* The record of a field that is being opened, if there is room. */
static void push_frame(fletch_builder *builder, uint32_t name, uint32_t type)
{
    if (has_room(builder, (uint64_t)builder->low + 4 * FRAME_WORDS, builder->high)) {
        write_frame(builder->block + builder->low, builder->frame, name, type);
        builder->low += 4 * FRAME_WORDS;
    } else if (builder->reason == FAULT_NONE) {
        builder->low += 4 * FRAME_WORDS;
    }
}

static bool check_depth(fletch_builder *builder)
{
    struct fault fault;

    if (builder->depth < FLETCH_MAX_DEPTH) return true;
    fletch_set_fault(&fault, FAULT_DEPTH, 0, FLETCH_MAX_DEPTH, 0);
    fletch_fault_inside(&fault, "children", NO_INDEX);
    fletch_stick(builder, &fault);
    return false;
}

/* Other flags would be lost: those of an ArrowSchema, say, whose nullable is another bit. */
static bool check_flags(fletch_builder *builder, unsigned flags)
{
    if (flags <= FLETCH_NULLABLE) return true;
    if (is_open(builder)) fletch_stick_reason(builder, FAULT_BUILD_MISUSE_FLAGS, flags);
    return false;
}

/* Name and type of a field, whatever they are. */
static bool put_parts(fletch_builder *builder, fletch_string name, const fletch_type *type,
                      bool nullable, struct field_parts *parts)
{
    return is_open(builder) && check_depth(builder) &&
           (!builder->levels[builder->depth].asks || check_parent(builder, type, nullable)) &&
           put_open_type(builder, type, &parts->type) && put_name(builder, name, &parts->name);
}

/* What it tells them besides. */
static void set_other_level(fletch_build_level *level, const fletch_type *type)
{
    if (type->id == FLETCH_TYPE_UNION) {
        level->mode = type->as.union_.mode == FLETCH_DENSE;
        if (type->as.union_.has_type_ids) level->type_ids = (uint8_t)type->as.union_.type_ids.count;
    }
    if (type->id == FLETCH_TYPE_STRUCT && level[-1].type_id == FLETCH_TYPE_MAP) level->asks = true;
}

static fletch_status open_field(fletch_builder *builder, fletch_string name,
                                const fletch_type *type, bool nullable)
{
    struct field_parts parts;

    if (!put_parts(builder, name, type, nullable, &parts)) return build_status(builder);
    push_frame(builder, parts.name, parts.type);
    if (builder->reason != FAULT_NONE) return build_status(builder);
    builder->frame = builder->low - 4 * FRAME_WORDS;
    builder->depth++;
    set_level(&builder->levels[builder->depth], type->id, nullable);
    set_other_level(&builder->levels[builder->depth], type);
    if (builder->depth == FLETCH_MAX_DEPTH) builder->levels[builder->depth].asks = true;
    return build_status(builder);
}

fletch_status fletch_begin_other_field(fletch_builder *builder, fletch_string name,
                                       const fletch_type *type, unsigned flags)
{
    if (!check_flags(builder, flags)) return build_status(builder);
    return open_field(builder, name, type, flags != 0);
}

fletch_status fletch_end_other_field(fletch_builder *builder)
{
    const fletch_build_level *level = &builder->levels[builder->depth];
    uint32_t field;

    if (!is_open(builder)) return build_status(builder);
    if (builder->depth == 0) return fletch_stick_reason(builder, FAULT_BUILD_MISUSE_CLOSED, 0);
    if (!check_children(builder, builder->levels[builder->depth - 1].type_id))
        return build_status(builder);
    field = close_frame(builder, level);
    if (builder->reason != FAULT_NONE) return build_status(builder);
    builder->depth--;
    return add_child(builder, field);
}

/* A field that may have children is opened and closed, so that their number is checked. */
static fletch_status add_nested(fletch_builder *builder, fletch_string name,
                                const fletch_type *type, bool nullable)
{
    (void)open_field(builder, name, type, nullable);
    return builder->reason == FAULT_NONE ? fletch_end_field(builder) : build_status(builder);
}

/* A leaf that is not plain. */
static fletch_status add_leaf(fletch_builder *builder, fletch_string name, const fletch_type *type,
                              bool nullable)
{
    struct field_parts parts = {0, nullable, type->id, 0, 0, EMPTY_VECTOR, 0};

    if (!put_parts(builder, name, type, nullable, &parts)) return build_status(builder);
    return add_child(builder, put_field(builder, parts));
}

fletch_status fletch_add_other_field(fletch_builder *builder, fletch_string name,
                                     const fletch_type *type, unsigned flags)
{
    const bool nullable = flags != 0;

    if (!check_flags(builder, flags)) return build_status(builder);
    if (fletch_child_count(type->id) != 0) return add_nested(builder, name, type, nullable);
    return add_leaf(builder, name, type, nullable);
}

/* Whether a field is open for what only fields have. */
static bool has_field(fletch_builder *builder)
{
    if (!is_open(builder)) return false;
    if (builder->depth != 0) return true;
    fletch_stick_reason(builder, FAULT_BUILD_MISUSE_CLOSED, 0);
    return false;
}

static fletch_status put_dictionary(fletch_builder *builder, const fletch_dictionary *dictionary)
{
    fletch_build_level *level = &builder->levels[builder->depth];
    const fletch_type index_type =
        fletch_int(dictionary->index_type.bit_width, dictionary->index_type.is_signed);
    struct finding finding;
    int64_t values[4];
    uint32_t position;

    if (!has_field(builder)) return build_status(builder);
    if (level->has_dictionary) return fletch_stick_reason(builder, FAULT_BUILD_MISUSE_TWICE, 0);
    if (!fletch_check_dictionary(dictionary, &finding))
        return stick_finding(builder, &finding, level->type_id, false);
    values[DICTIONARY_ID] = dictionary->id;
    values[DICTIONARY_INDEX_TYPE] = fletch_put_type(builder, &index_type, &finding);
    values[DICTIONARY_ORDERED] = dictionary->is_ordered;
    values[DICTIONARY_KIND] = FLETCH_DENSE_ARRAY;
    position = fletch_put_table(builder, SHAPE_DICTIONARY, &fletch_dictionary_shape, values, true);
    level->has_dictionary = true;
    if (builder->full == FLETCH_OK)
        memcpy(builder->block + builder->frame + 4 * FRAME_DICTIONARY, &position, 4);
    return build_status(builder);
}

fletch_status fletch_set_dictionary(fletch_builder *builder, int64_t id, fletch_int_type index_type,
                                    bool is_ordered)
{
    fletch_dictionary dictionary;

    dictionary.id = id;
    dictionary.index_type = index_type;
    dictionary.is_ordered = is_ordered;
    dictionary.kind = FLETCH_DENSE_ARRAY;
    return put_dictionary(builder, &dictionary);
}

/* Metadata */

/* Writes a pair that waits for its owner with `tag`; `index` is its place, for errors. */
static fletch_status put_pair(fletch_builder *builder, fletch_string key, fletch_string value,
                              uint32_t tag, uint32_t index)
{
    const uint32_t position = fletch_put_pair(builder, key, value);

    if (builder->reason != FAULT_NONE) {
        if (builder->reason == FAULT_UTF8) fletch_stick_inside(builder, "custom_metadata", index);
        return build_status(builder);
    }
    push(builder, position | tag);
    return build_status(builder);
}

fletch_status fletch_add_other_pair(fletch_builder *builder, fletch_string key, fletch_string value)
{
    fletch_build_level *level = &builder->levels[builder->depth];
    fletch_status status;

    if (!is_open(builder)) return build_status(builder);
    status = put_pair(builder, key, value, WAIT_PAIR, level->pair_count);
    if (builder->reason == FAULT_NONE) level->pair_count++;
    return status;
}

fletch_status fletch_add_metadata(fletch_builder *builder, const char *key, const char *value)
{
    return fletch_add_metadata_string(builder, fletch_text(key), fletch_text(value));
}

/* A pair of the wrapper, which waits at the schema's level. */
static fletch_status put_wrapper_pair(fletch_builder *builder, fletch_string key,
                                      fletch_string value, uint32_t tag)
{
    if (!is_open(builder)) return build_status(builder);
    if (builder->depth != 0) return fletch_stick_reason(builder, FAULT_BUILD_MISUSE_OPEN, 0);
    return put_pair(builder, key, value, tag, NO_INDEX);
}

fletch_status fletch_add_message_metadata(fletch_builder *builder, fletch_string key,
                                          fletch_string value)
{
    return put_wrapper_pair(builder, key, value, WAIT_MESSAGE_PAIR);
}

fletch_status fletch_add_footer_metadata(fletch_builder *builder, fletch_string key,
                                         fletch_string value)
{
    return put_wrapper_pair(builder, key, value, WAIT_FOOTER_PAIR);
}

fletch_status fletch_set_extension(fletch_builder *builder, const char *name, const char *metadata)
{
    if (!has_field(builder)) return build_status(builder);
    (void)fletch_add_metadata(builder, "ARROW:extension:name", name);
    if (metadata != NULL) (void)fletch_add_metadata(builder, "ARROW:extension:metadata", metadata);
    return build_status(builder);
}

/* Copying */

/*
 * All copying goes through a walk, whose budgets bound it: shared tables and strings count each
 * time they are copied.
 */

static fletch_status copy_fault(fletch_builder *builder, const struct fault *fault)
{
    return builder->reason == FAULT_NONE ? fletch_stick(builder, fault) : build_status(builder);
}

static fletch_status copy_pairs(fletch_builder *builder, fletch_walk *walk, fletch_metadata pairs)
{
    fletch_key_value pair;
    struct fault fault;

    fault.reason = FAULT_NONE;
    while (builder->reason == FAULT_NONE && fletch_walk_pair(walk, &pairs, &pair, &fault)) {
        if (!fletch_take_text(walk, pair.key.size + pair.value.size, pair.at, &fault)) break;
        (void)fletch_add_metadata_string(builder, pair.key, pair.value);
    }
    return fault.reason != FAULT_NONE ? copy_fault(builder, &fault) : build_status(builder);
}

/* Opens a field like one that was read. */
static fletch_status begin_like(fletch_builder *builder, fletch_walk *walk,
                                const fletch_field *field)
{
    uint64_t text = field->name.size;
    struct fault fault;

    if (field->type.id == FLETCH_TYPE_TIMESTAMP) text += field->type.as.timestamp.timezone.size;
    if (!fletch_take_text(walk, text, field->at, &fault)) return copy_fault(builder, &fault);
    (void)fletch_begin_field_of(builder, field->name, &field->type,
                                field->nullable ? FLETCH_NULLABLE : 0);
    if (builder->reason != FAULT_NONE) return build_status(builder);
    if (field->has_dictionary) (void)put_dictionary(builder, &field->dictionary);
    return copy_pairs(builder, walk, field->metadata);
}

/* Copies what the walk has before it. A field with children is closed when the walk leaves it. */
static void copy_walk(fletch_builder *builder, fletch_walk *walk)
{
    fletch_field field;
    struct fault fault;
    walk_event event;

    while (builder->reason == FAULT_NONE) {
        event = fletch_walk_step(walk, &field, &fault);
        if (event == WALK_FAULT) (void)copy_fault(builder, &fault);
        if (event == WALK_END || event == WALK_FAULT) return;
        if (event == WALK_FIELD) (void)begin_like(builder, walk, &field);
        if (event == WALK_LEAVE || fletch_count_fields(&field.children) == 0)
            (void)fletch_end_field(builder);
    }
}

fletch_status fletch_begin_field_like(fletch_builder *builder, const fletch_field *field)
{
    fletch_walk walk;

    fletch_walk_over(&walk, &field->children, field->at, field->type.id, NULL);
    return begin_like(builder, &walk, field);
}

fletch_status fletch_copy_field(fletch_builder *builder, const fletch_field *field)
{
    fletch_walk walk;

    fletch_walk_over(&walk, &field->children, field->at, field->type.id, NULL);
    (void)begin_like(builder, &walk, field);
    copy_walk(builder, &walk);
    return builder->reason == FAULT_NONE ? fletch_end_field(builder) : build_status(builder);
}

fletch_status fletch_copy_schema(fletch_builder *builder, const fletch_schema *schema)
{
    fletch_walk walk;
    uint32_t i;

    if (schema->at == 0) return fletch_stick_reason(builder, FAULT_NO_SCHEMA, 0);
    (void)fletch_set_endianness(builder, schema->endianness);
    for (i = 0; i < schema->features.count && builder->reason == FAULT_NONE; i++)
        (void)fletch_add_feature(builder, fletch_integer_at(&schema->features, i));
    fletch_walk_begin(&walk, schema, NULL);
    copy_walk(builder, &walk);
    return builder->reason == FAULT_NONE ? copy_pairs(builder, &walk, schema->metadata)
                                         : build_status(builder);
}
