/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schemas out to struct ArrowSchema, and the list of what it has no place for.
 *
 * The tree is one block: a head, the nodes in pre-order (a dictionary stands behind its field), the
 * arrays of pointers to children, the texts. A first walk counts; a second one checks
 * Arrow's rules and writes. Since the bytes may change between the two, the second takes every
 * piece of the block against the end of its part, and gives up where one does not suffice.
 *
 * All that is below a node are the `span` nodes behind it. So a node is released by running over
 * them: one whose `release` is NULL was moved out, and keeps its own span; one that is not where it
 * was made is somebody's who moved it there, and is released by its own call. The block holds the
 * outermost node too, which is moved out to the caller at once.
 */
#include "cdata.h"

#include "atomic.h"
#include "verify.h"
#include "visit.h"

#include <string.h>

/* Bytes that formats with parameters take at most, the NUL included. The ids of a union are below
 * 128, with a comma or the NUL behind each. */
#define DECIMAL_FORMAT         sizeof "d:76,-2147483648,256"
#define SIZE_FORMAT            sizeof "+w:2147483647"
#define UNION_FORMAT(children) (sizeof "+us:" + 4 * (size_t)(children))

struct node {
    struct ArrowSchema schema; /* its private_data leads back here, wherever it is moved */
    uint32_t index;            /* in the block */
    uint32_t span;             /* how many of the nodes behind this one are below it */
};

struct block {
    fletch_allocator allocator;
    size_t size;
    uint32_t live; /* nodes not yet released */
    struct node nodes[];
};

/* Releasing */

static void release_node(struct ArrowSchema *schema);

/* Releases what is below a node and still there; tells how many of the block's nodes. */
static uint32_t release_below(struct node *node)
{
    struct node *below = node + 1;
    const struct node *const end = below + node->span;
    uint32_t count = 0;

    while (below < end) {
        struct ArrowSchema *schema = &below->schema;

        if (schema->release == release_node && schema->private_data == below) {
            schema->release = NULL;
            count++;
            below++;
            continue;
        }
        if (schema->release != NULL) schema->release(schema);
        below += 1 + below->span;
    }
    return count;
}

static void release_node(struct ArrowSchema *schema)
{
    struct node *node = schema->private_data;
    void *nodes = node - node->index;
    void *start = (char *)nodes - offsetof(struct block, nodes);
    struct block *block = start;
    const uint32_t count = 1 + release_below(node);

    schema->release = NULL;
    if (count_down(&block->live, count) == 0) {
        const fletch_allocator allocator = block->allocator;

        (void)allocator.reallocate(allocator.context, block, block->size, 0);
    }
}

/* Both walks */

struct exporter {
    fletch_walk walk;
    const fletch_schema *schema; /* or NULL, and it is a field */
    const fletch_field *field;   /* the outermost; of a schema: what its ArrowSchema says */
    const fletch_limits *limits;

    uint64_t node_count, dictionary_count, text_size; /* counted by the first walk */

    struct block *block;
    struct node *next_node, *nodes_end;
    uint32_t next_index; /* of the next node */
    struct ArrowSchema **next_pointer, **pointers_end;
    char *next_text, *texts_end;
    struct ArrowSchema **slots[FLETCH_MAX_DEPTH + 1]; /* where the next node at a depth is put */
    struct node *open[FLETCH_MAX_DEPTH + 1];          /* the field at a depth */
};

/* Nothing to step through, in the outermost node's metadata's buffer, which may be one of its own
 * when a field was made by hand. */
static fletch_fields before_metadata(const struct exporter *e)
{
    const fletch_field *field = e->field;
    fletch_fields none = field->children;

    if (field->metadata.position < field->metadata.end) none.buffer = field->metadata.buffer;
    none.position = none.end;
    return none;
}

/* Stands the walk before that metadata. */
static void begin_walk(struct exporter *e)
{
    const fletch_fields none = before_metadata(e);

    fletch_walk_over(&e->walk, &none, 0, FLETCH_TYPE_NONE, e->limits);
}

/* The same for a second walk, which goes on with the vtables that the first has checked. */
static void begin_again(struct exporter *e)
{
    const fletch_fields none = before_metadata(e);

    if (e->walk.buffer.bytes == none.buffer.bytes)
        fletch_walk_restart(&e->walk, &none, 0, FLETCH_TYPE_NONE, e->limits);
    else
        fletch_walk_over(&e->walk, &none, 0, FLETCH_TYPE_NONE, e->limits);
}

/* Stands the walk before its children. */
static void walk_into(struct exporter *e)
{
    const fletch_field *field = e->field;
    const int32_t type = e->schema != NULL ? FLETCH_TYPE_NONE : field->type.id;

    if (e->walk.buffer.bytes == field->children.buffer.bytes)
        fletch_walk_enter(&e->walk, &field->children, field->at, type);
    else
        fletch_walk_over(&e->walk, &field->children, field->at, type, e->limits);
}

static uint32_t count_children(const fletch_field *field)
{
    return fletch_count_fields(&field->children);
}

/* Format strings */

/* The row of a type, or NULL where its enumerators or widths are none. `id`: the type's, apart, so
 * that it can be one that is known when this is compiled. */
FORCE_INLINE const struct format *format_of(int32_t id, const fletch_type *type)
{
    static const uint8_t first[TYPE_COUNT + 1] = {
#define FIRST_FORMAT(id, name, rows) FORMAT_##id,
        TYPE_TABLES(FIRST_FORMAT)
#undef FIRST_FORMAT
            FORMAT_COUNT};
    const struct format *format;
    uint32_t step = 0;

    if (id <= FLETCH_TYPE_NONE || id >= TYPE_COUNT) return NULL;
    switch (id) {
    case FLETCH_TYPE_INT: {
        const int32_t width = type->as.integer.bit_width;

        step = width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : width == 64 ? 3 : 8;
        if (!type->as.integer.is_signed) step += 4;
        break;
    }
    case FLETCH_TYPE_FLOATING_POINT: step = (uint32_t)type->as.floating_point.precision; break;
    case FLETCH_TYPE_DATE: step = (uint32_t)type->as.date.unit; break;
    case FLETCH_TYPE_TIME: step = (uint32_t)type->as.time.unit; break;
    case FLETCH_TYPE_TIMESTAMP: step = (uint32_t)type->as.timestamp.unit; break;
    case FLETCH_TYPE_INTERVAL: step = (uint32_t)type->as.interval.unit; break;
    case FLETCH_TYPE_DURATION: step = (uint32_t)type->as.duration.unit; break;
    case FLETCH_TYPE_UNION: step = (uint32_t)type->as.union_.mode; break;
    default: break;
    }
    if (step >= (uint32_t)first[id + 1] - first[id]) return NULL;
    format = &fletch_formats[first[id] + step];
    if (id == FLETCH_TYPE_TIME && format->type.as.time.bit_width != type->as.time.bit_width)
        return NULL;
    return format;
}

/* The first walk: counting */

/* What a schema holds. What its names, zones, keys and values take is counted by the budget. */
struct counts {
    uint64_t fields, dictionaries;
    uint64_t space; /* bytes of text beside those: NULs, sizes, formats */
};

FORCE_INLINE bool take_text(fletch_walk *walk, uint64_t size, uint32_t at, struct fault *fault)
{
    if (size > walk->text_left) return fletch_take_text(walk, size, at, fault);
    walk->text_left -= size;
    return true;
}

static bool count_pairs(fletch_walk *walk, uint32_t begin, uint32_t end, struct counts *counts,
                        struct fault *fault)
{
    const fletch_buffer buffer = walk->buffer;
    fletch_key_value pair;
    uint32_t element;

    if (begin >= end) return true;
    counts->space += 4 + 8 * (uint64_t)((end - begin) / 4);
    for (element = begin; element < end; element += 4)
        if (!take_pair(walk, buffer, element, &pair, VISIT_SIZES, fault) ||
            !take_text(walk, (uint64_t)pair.key.size + pair.value.size, pair.at, fault))
            return fail_inside(fault, "custom_metadata", (element - begin) / 4);
    return true;
}

/* Bytes for the format of a type, by its tag; of those that have parameters, and of a timestamp. */
static const uint8_t format_spaces[256] = {
    [FLETCH_TYPE_DECIMAL] = DECIMAL_FORMAT,      [FLETCH_TYPE_FIXED_SIZE_BINARY] = SIZE_FORMAT,
    [FLETCH_TYPE_FIXED_SIZE_LIST] = SIZE_FORMAT, [FLETCH_TYPE_UNION] = UNION_FORMAT(0),
    [FLETCH_TYPE_TIMESTAMP] = sizeof "tss:",
};

/* Bytes that a type's format takes at most beside a time zone, its NUL included; none where it is a
 * literal. */
FORCE_INLINE size_t format_space(int32_t id, size_t zone, uint32_t children)
{
    size_t space = format_spaces[(uint8_t)id];

    if (id == FLETCH_TYPE_UNION) space += 4 * (size_t)children;
    if (id == FLETCH_TYPE_TIMESTAMP && zone == 0) space = 0;
    return space;
}

/* What a field has beside its metadata: adds to the space, takes its text. */
FORCE_INLINE bool count_field(fletch_walk *walk, const fletch_field *field, uint64_t *space,
                              struct fault *fault)
{
    const int32_t id = field->type.id;
    size_t text = field->name.size, zone = 0;

    *space += text != 0;
    if (format_spaces[(uint8_t)id] != 0) {
        if (id == FLETCH_TYPE_TIMESTAMP) zone = field->type.as.timestamp.timezone.size;
        *space += format_space(id, zone, count_children(field));
        text += zone;
    }
    return take_text(walk, text, field->at, fault);
}

/* As check_run. */
static bool count_run(fletch_walk *walk, struct counts *counts, struct fault *fault)
{
    const fletch_buffer buffer = walk->buffer;
    uint64_t space = 0;
    fletch_field field;

    field.type.as.timestamp.timezone.size = 0; /* for compilers that cannot see it is set */
    while (walk->run.position < walk->run.end) {
        if (!take_field(walk, buffer, &field, VISIT_SIZES, fault) ||
            !count_field(walk, &field, &space, fault))
            return false;
        if (field.has_dictionary) counts->dictionaries++;
        if (field.metadata.position < field.metadata.end &&
            !count_pairs(walk, field.metadata.position, field.metadata.end, counts, fault))
            return false;
        if (field.children.position < field.children.end) break;
    }
    counts->space += space;
    return true;
}

/*
 * Takes tables of siblings from the budget at once, where take_field took none. Whoever checks the
 * structure takes them too, one by one: so if this fails, prefer_structure tells where.
 */
static bool take_siblings(fletch_walk *walk, uint64_t tables, struct fault *fault)
{
    return IS_SMALL || take_tables(walk, tables, walk->run.parent, fault);
}

static bool count_siblings(fletch_walk *walk, struct counts *counts, struct fault *fault)
{
    const uint32_t count = (walk->run.end - walk->run.begin) / 4;

    counts->fields += count;
    return take_siblings(walk, count, fault);
}

static bool count_fields(fletch_walk *walk, struct counts *counts, struct fault *fault)
{
    do {
        if (walk->children.position < walk->children.end &&
            (!enter_children(walk, fault) || !count_siblings(walk, counts, fault)))
            return false;
        if (!count_run(walk, counts, fault)) return false;
    } while (walk->children.position < walk->children.end || leave(walk) == WALK_LEAVE);
    return true;
}

/* Adds the outermost node to what was counted of the others. */
static void count_outermost(const struct exporter *e, struct counts *counts)
{
    const fletch_field *field = e->field;
    const int32_t id = field->type.id;
    const size_t zone = id == FLETCH_TYPE_TIMESTAMP ? field->type.as.timestamp.timezone.size : 0;

    counts->fields++;
    counts->dictionaries += field->has_dictionary;
    if (field->name.size != 0) counts->space += field->name.size + 1;
    counts->space += zone + format_space(id, zone, count_children(field));
}

static bool count_all(struct exporter *e, struct fault *fault)
{
    const fletch_metadata *pairs = &e->field->metadata;
    struct counts counts;
    uint64_t left;

    memset(&counts, 0, sizeof counts);
    begin_walk(e);
    if (!count_pairs(&e->walk, pairs->position, pairs->end, &counts, fault)) return false;
    counts.space += e->walk.text - e->walk.text_left;
    walk_into(e);
    left = e->walk.text_left;
    if (!count_fields(&e->walk, &counts, fault)) return false;
    counts.space += left - e->walk.text_left;
    count_outermost(e, &counts);
    e->node_count = counts.fields + counts.dictionaries;
    e->dictionary_count = counts.dictionaries;
    e->text_size = counts.space;
    return true;
}

static bool allocate(struct exporter *e, const fletch_allocator *allocator, struct fault *fault)
{
    const uint64_t pointers = e->node_count - e->dictionary_count - 1;
    uint64_t size = UINT64_MAX;
    char *place;

    if (e->node_count <= UINT32_MAX && e->text_size <= UINT64_MAX / 2)
        size = offsetof(struct block, nodes) + e->node_count * sizeof(struct node) +
               pointers * sizeof(struct ArrowSchema *) + e->text_size;
    if (size > SIZE_MAX / 2) return fail(fault, FAULT_C_LARGE, 0, (int64_t)(size & INT64_MAX), 0);
    e->block = allocator->reallocate(allocator->context, NULL, 0, (size_t)size);
    if (e->block == NULL) return fail(fault, FAULT_BUILD_ALLOCATOR, 0, (int64_t)size, 0);
    e->block->allocator = *allocator;
    e->block->size = (size_t)size;
    e->next_index = 0;
    e->next_node = e->block->nodes;
    e->nodes_end = e->block->nodes + (size_t)e->node_count;
    place = (char *)e->nodes_end;
    e->next_pointer = (struct ArrowSchema **)(void *)place;
    e->pointers_end = e->next_pointer + pointers;
    e->next_text = (char *)e->pointers_end;
    e->texts_end = (char *)e->block + size;
    return true;
}

/* The second walk: checking and writing. Pieces are taken as the first has counted them. */

static bool refuse_change(struct fault *fault)
{
    return fail(fault, FAULT_CHANGED, 0, 0, 0);
}

static inline struct node *take_node(struct exporter *e)
{
    struct node *node = e->next_node;

    if (node == e->nodes_end) return NULL;
    e->next_node = node + 1;
    node->index = e->next_index++;
    return node;
}

static inline char *take_bytes(struct exporter *e, size_t size)
{
    char *bytes = e->next_text;

    if (size > (size_t)(e->texts_end - bytes)) return NULL;
    e->next_text = bytes + size;
    return bytes;
}

/* Whether one of eight bytes may be 0: true wherever one is, and where one is not ASCII. */
static inline bool may_have_zero(uint64_t word)
{
    return ((word - UINT64_C(0x0101010101010101)) & UINT64_C(0x8080808080808080)) != 0;
}

/* Whether one of eight bytes is 0. */
static inline bool has_zero(uint64_t word)
{
    return ((word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080)) != 0;
}

/* Copies eight bytes; whether none is 0. */
static inline bool copy_word(char *to, const char *from)
{
    uint64_t word;

    memcpy(&word, from, 8);
    word = keep_64(word);
    memcpy(to, &word, 8);
    return !has_zero(word);
}

/* The same for less than eight bytes. */
static inline bool copy_few(char *to, const char *from, size_t size)
{
    bool is_good = true;
    uint32_t first, last;

    if (size >= 4) {
        memcpy(&first, from, 4);
        memcpy(&last, from + size - 4, 4);
        first = keep(first);
        last = keep(last);
        memcpy(to, &first, 4);
        memcpy(to + size - 4, &last, 4);
        return !has_zero((uint64_t)first << 32 | last);
    }
    while (size != 0) {
        const char byte = from[--size];

        to[size] = byte;
        is_good &= byte != '\0';
    }
    return is_good;
}

/* Copies what is short faster than memcpy; whether it has no NUL. */
static inline bool copy_text(char *to, const char *from, size_t size)
{
    bool is_good;
    size_t at;

    if (size < 8) return copy_few(to, from, size);
    is_good = copy_word(to, from);
    for (at = 8; at + 8 < size; at += 8)
        is_good &= copy_word(to + at, from + at);
    return copy_word(to + size - 8, from + size - 8) && is_good;
}

static bool refuse_nul(const struct exporter *e, fletch_string text, uint32_t at,
                       struct fault *fault)
{
    const uintptr_t buffer = (uintptr_t)e->walk.buffer.bytes;
    size_t nul = 0;

    while (nul + 1 < text.size && text.data[nul] != '\0')
        nul++;
    if ((uintptr_t)(text.data + nul) - buffer < e->walk.buffer.size)
        at = (uint32_t)((uintptr_t)(text.data + nul) - buffer);
    return fail(fault, FAULT_C_STRING, at, (int64_t)nul, 0);
}

/* A C string of a text; NULL, with the fault, where it cannot be one. `at`: whose it is. */
static const char *put_string(struct exporter *e, fletch_string text, uint32_t at,
                              struct fault *fault)
{
    char *bytes;

    if (text.size == 0) return "";
    bytes = text.size < SIZE_MAX / 2 ? take_bytes(e, text.size + 1) : NULL;
    if (bytes == NULL) {
        (void)refuse_change(fault);
        return NULL;
    }
    bytes[text.size] = '\0';
    if (copy_text(bytes, text.data, text.size)) return bytes;
    (void)refuse_nul(e, text, at, fault);
    return NULL;
}

/* A field's name; most have 8 to 16 bytes, which two words are all of. */
FORCE_INLINE const char *put_name(struct exporter *e, fletch_string name, uint32_t at,
                                  struct fault *fault)
{
    char *bytes = e->next_text;
    uint64_t first, last;

    if (name.size - 8 > 8 || name.size >= (size_t)(e->texts_end - bytes))
        return put_string(e, name, at, fault);
    memcpy(&first, name.data, 8);
    memcpy(&last, name.data + name.size - 8, 8);
    first = keep_64(first);
    last = keep_64(last);
    if (may_have_zero(first) || may_have_zero(last)) return put_string(e, name, at, fault);
    memcpy(bytes, &first, 8);
    memcpy(bytes + name.size - 8, &last, 8);
    bytes[name.size] = '\0';
    e->next_text = bytes + name.size + 1;
    return bytes;
}

/* A timestamp's format: the code, then the time zone. */
static const char *put_zone(struct exporter *e, const struct format *format, fletch_string zone,
                            uint32_t at, struct fault *fault)
{
    char *code = take_bytes(e, 4);

    if (code == NULL) {
        (void)refuse_change(fault);
        return NULL;
    }
    memcpy(code, format->text, 4);
    if (put_string(e, zone, at, fault) != NULL) return code;
    fletch_fault_inside(fault, "timezone", NO_INDEX);
    fletch_fault_inside(fault, "type", NO_INDEX);
    return NULL;
}

static char *write_number(char *to, int32_t value)
{
    char digits[10]; /* 2^31 has 10 */
    size_t count = 0;
    uint32_t left = value < 0 ? 0 - (uint32_t)value : (uint32_t)value;

    if (value < 0) *to++ = '-';
    if (left < 10) {
        *to++ = (char)('0' + left);
        return to;
    }
    do {
        digits[count++] = (char)('0' + left % 10u);
        left /= 10u;
    } while (left != 0);
    while (count != 0)
        *to++ = digits[--count];
    return to;
}

/* Bytes for a format, its code in them; NULL, with the fault, where there are none left. */
static char *take_format(struct exporter *e, const struct format *format, size_t space,
                         struct fault *fault)
{
    char *text = take_bytes(e, space);

    if (text == NULL)
        (void)refuse_change(fault);
    else
        memcpy(text, format->text, 4); /* fewer than any of these takes */
    return text;
}

/* A union's format: its type ids, or those that absent ones stand for (`ids` NULL). */
static const char *put_union(struct exporter *e, const struct format *format,
                             const fletch_integers *ids, uint32_t children, struct fault *fault)
{
    char *text = take_format(e, format, UNION_FORMAT(children), fault), *end;
    uint32_t i;

    if (text == NULL) return NULL;
    end = text + format->size;
    for (i = 0; i < children; i++) {
        const int64_t id = ids != NULL ? fletch_integer_at(ids, i) : i;

        if (i != 0) *end++ = ',';
        /* Within 0 to 127 also when the bytes have changed since it was checked. */
        end = write_number(end, (int32_t)((uint64_t)id & 127));
    }
    *end = '\0';
    return text;
}

/* The numbers of a format, 1 to 3. */
struct numbers {
    uint32_t count;
    int32_t values[3];
};

static const char *put_numbers(struct exporter *e, const struct format *format, size_t space,
                               struct numbers numbers, struct fault *fault)
{
    char *text = take_format(e, format, space, fault), *end;
    uint32_t i;

    if (text == NULL) return NULL;
    end = text + format->size;
    for (i = 0; i < numbers.count; i++) {
        if (i != 0) *end++ = ',';
        end = write_number(end, numbers.values[i]);
    }
    *end = '\0';
    return text;
}

/* A format with parameters, of a type that was found good. */
FORCE_INLINE const char *put_parameters(struct exporter *e, const struct format *format,
                                        const fletch_type *type, uint32_t children,
                                        struct fault *fault)
{
    struct numbers numbers = {1, {0, 0, 0}};

    switch (type->id) {
    case FLETCH_TYPE_DECIMAL:
        numbers.count = type->as.decimal.bit_width == 128 ? 2 : 3;
        numbers.values[0] = type->as.decimal.precision;
        numbers.values[1] = type->as.decimal.scale;
        numbers.values[2] = type->as.decimal.bit_width;
        return put_numbers(e, format, DECIMAL_FORMAT, numbers, fault);
    case FLETCH_TYPE_UNION: {
        const fletch_integers ids = type->as.union_.type_ids;

        return put_union(e, format, type->as.union_.has_type_ids ? &ids : NULL, children, fault);
    }
    case FLETCH_TYPE_FIXED_SIZE_BINARY:
        numbers.values[0] = type->as.fixed_size_binary.byte_width;
        return put_numbers(e, format, SIZE_FORMAT, numbers, fault);
    default:
        numbers.values[0] = type->as.fixed_size_list.list_size;
        return put_numbers(e, format, SIZE_FORMAT, numbers, fault);
    }
}

FORCE_INLINE const char *put_format(struct exporter *e, const struct format *format, int32_t id,
                                    const fletch_type *type, uint32_t children, struct fault *fault)
{
    if (id == FLETCH_TYPE_TIMESTAMP && type->as.timestamp.timezone.size != 0)
        return put_zone(e, format, type->as.timestamp.timezone, type->at, fault);
    if (format->has_parameters) return put_parameters(e, format, type, children, fault);
    return format->text;
}

/* A string of metadata, with its size before it. */
static bool put_part(struct exporter *e, fletch_string part)
{
    const int32_t size = (int32_t)part.size;
    char *bytes;

    if (part.size > FLAT_MAX_SIZE) return false;
    bytes = take_bytes(e, 4 + part.size);
    if (bytes == NULL) return false;
    memcpy(bytes, &size, 4);
    (void)copy_text(bytes + 4, part.data, part.size);
    return true;
}

/* The metadata block; NULL, with the fault: it is not as it was counted. */
static const char *put_pairs(struct exporter *e, uint32_t position, uint32_t end,
                             struct fault *fault)
{
    const fletch_buffer buffer = e->walk.buffer;
    const int32_t count = (int32_t)((end - position) / 4);
    char *bytes = take_bytes(e, 4);
    bool is_good = bytes != NULL;
    fletch_key_value pair;
    uint32_t element;

    if (is_good) memcpy(bytes, &count, 4);
    for (element = position; is_good && element < end; element += 4)
        is_good = take_pair(&e->walk, buffer, element, &pair, VISIT_DECODE, fault) &&
                  put_part(e, pair.key) && put_part(e, pair.value);
    if (is_good) return bytes;
    (void)refuse_change(fault);
    return NULL;
}

/* Makes an array for children, who come at `depth`. */
static inline bool put_children(struct exporter *e, struct ArrowSchema *schema, uint32_t count,
                                uint32_t depth, struct fault *fault)
{
    schema->n_children = count;
    schema->children = NULL;
    if (count == 0) return true;
    if (count > (size_t)(e->pointers_end - e->next_pointer)) return refuse_change(fault);
    schema->children = e->slots[depth] = e->next_pointer;
    e->next_pointer += count;
    return true;
}

/* Makes the node of a dictionary's values, which get the type of the field and the children. */
static bool put_dictionary(struct exporter *e, fletch_dictionary dictionary, struct node *node,
                           struct fault *fault)
{
    const fletch_type type =
        fletch_int(dictionary.index_type.bit_width, dictionary.index_type.is_signed);
    struct ArrowSchema *schema = &node->schema;
    struct node *values = take_node(e);

    if (values == NULL) return refuse_change(fault);
    values->schema = *schema;
    values->schema.name = "";
    values->schema.flags = ARROW_FLAG_NULLABLE | (schema->flags & ARROW_FLAG_MAP_KEYS_SORTED);
    values->schema.private_data = values;
    values->span = 0;
    schema->format = format_of(FLETCH_TYPE_INT, &type)->text; /* checked: it has one */
    schema->flags &= ARROW_FLAG_NULLABLE;
    if (dictionary.is_ordered) schema->flags |= ARROW_FLAG_DICTIONARY_ORDERED;
    schema->n_children = 0;
    schema->children = NULL;
    schema->dictionary = &values->schema;
    node->span = 1;
    return true;
}

/* Says how far a node reaches, once all that is below it is written. */
static void close_node(const struct exporter *e, struct node *node)
{
    node->span = e->next_index - 1 - node->index;
    if (node->schema.dictionary != NULL) node[1].span = node->span - 1;
}

/*
 * The members of a type, and its format, each type's unrolled from its rows; NULL where it is not
 * good or has none, see check_type.
 */
FORCE_INLINE const struct format *take_type(struct exporter *e, fletch_buffer buffer,
                                            const fletch_field *field, fletch_type *type)
{
    const int32_t id = field->type.id;
    const uint32_t at = field->type.at;
    const struct format *format = NULL;
    const fletch_vtable *vtable;
    bool is_good = false;

    if (IS_SMALL) {
        *type = field->type; /* which is whole */
        return format_of(id, type);
    }
    type->id = id;
    type->at = at;
    if (id <= FLETCH_TYPE_NONE || id >= TYPE_COUNT) return NULL;
    vtable = recall(buffer, at, &fletch_type_shapes[id], &e->walk, type_place(id), NULL, NULL);
    if (vtable == NULL) return NULL;
    switch (id) {
#define TAKE_TYPE(id, name, rows)                                                                  \
    case FLETCH_TYPE_##id:                                                                         \
        is_good =                                                                                  \
            decode_members(buffer, at, vtable, any_presence, rows, type, VISIT_DECODE, NULL);      \
        format = format_of(FLETCH_TYPE_##id, type);                                                \
        break;
        TYPE_TABLES(TAKE_TYPE)
#undef TAKE_TYPE
    default: break;
    }
    return is_good ? format : NULL;
}

/* Whether one look tells that a type which has this format is good, with so many children. */
FORCE_INLINE bool is_good_type(const struct format *format, int32_t id, uint32_t children)
{
    return !format->has_parameters && allows_children(&fletch_type_rules[id], children);
}

/*
 * The same where one look did not tell that a field is good: by all rules about its type, which is
 * decoded first if it is not whole. NULL with the finding; one without a reason: the type was not
 * decoded. The rules are asked of the values that will be exported: in the bytes they may have
 * changed.
 */
static const struct format *check_type(struct exporter *e, const struct format *format,
                                       fletch_type *type, bool is_whole, uint32_t children,
                                       struct finding *finding)
{
    finding->reason = FAULT_NONE;
    if (!is_whole && has_known_type(type)) {
        if (!decode_type(e->walk.buffer, &e->walk, type, VISIT_DECODE, NULL)) return NULL;
        format = format_of(type->id, type);
    }
    return fletch_check_rules(&e->walk, type, children, true, finding) ? format : NULL;
}

/* Tells a finding, or what prefer_structure will find if it is there to stay. */
static COLD bool refuse_field(const struct exporter *e, struct field_tables tables,
                              const struct finding *finding, struct fault *fault)
{
    if (finding->reason == FAULT_NONE) return refuse_change(fault);
    fletch_point_out(e->walk.buffer, tables, finding, fault);
    return false;
}

/* The node of a field with this type, which has this format or none, and is whole or not yet
 * decoded; its children will come at `depth`. */
FORCE_INLINE bool put_field(struct exporter *e, const fletch_field *field, fletch_type *type,
                            const struct format *format, bool is_whole, struct node *node,
                            uint32_t depth, struct fault *fault)
{
    const uint32_t children = count_children(field);
    struct ArrowSchema *schema = &node->schema;
    struct finding finding;

    if (format == NULL || !is_good_type(format, field->type.id, children) ||
        !is_free(e->walk.run.parent_type))
        format = check_type(e, format, type, is_whole, children, &finding);
    if (format == NULL || (field->has_dictionary &&
                           !check_dictionary(field->dictionary.kind,
                                             field->dictionary.index_type.bit_width, &finding)))
        return refuse_field(e, tables_at(field), &finding, fault);
    schema->name = put_name(e, field->name, field->at, fault);
    if (schema->name == NULL) return fail_inside(fault, "name", NO_INDEX);
    schema->metadata = NULL;
    schema->flags = field->nullable ? ARROW_FLAG_NULLABLE : 0;
    schema->dictionary = NULL;
    schema->release = release_node;
    schema->private_data = node;
    node->span = 0; /* while there are no children */
    if (!put_children(e, schema, children, depth, fault)) return false;
    schema->format = put_format(e, format, field->type.id, type, children, fault);
    if (schema->format == NULL) return false;
    if (field->type.id == FLETCH_TYPE_MAP && type->as.map.keys_sorted)
        schema->flags |= ARROW_FLAG_MAP_KEYS_SORTED;
    if (field->has_dictionary && !put_dictionary(e, field->dictionary, node, fault)) return false;
    if (field->metadata.position < field->metadata.end) {
        schema->metadata = put_pairs(e, field->metadata.position, field->metadata.end, fault);
        if (schema->metadata == NULL) return false;
    }
    return true;
}

/* Puts siblings until one has children, which wait then, or the run ends. */
static bool put_run(struct exporter *e, struct fault *fault)
{
    static const fletch_dictionary no_dictionary = {0};
    const fletch_buffer buffer = e->walk.buffer;
    const uint32_t depth = e->walk.depth;
    struct ArrowSchema **slot = e->slots[depth];
    const uint32_t begin = e->walk.run.position;
    const struct format *format;
    struct node *node;
    fletch_field field;
    fletch_type type;

    field.dictionary = no_dictionary; /* for compilers that cannot see it is set where it is used */
    while (e->walk.run.position < e->walk.run.end) {
        if (!take_field(&e->walk, buffer, &field, VISIT_FIELD, fault)) return false;
        node = take_node(e);
        if (node == NULL) return refuse_change(fault);
        *slot++ = &node->schema;
        format = take_type(e, buffer, &field, &type);
        if (!put_field(e, &field, &type, format, IS_SMALL || format != NULL, node, depth + 1,
                       fault))
            return false;
        if (field.children.position < field.children.end) {
            e->open[depth] = node;
            break;
        }
    }
    e->slots[depth] = slot;
    return take_siblings(&e->walk, 2 * (((uint64_t)e->walk.run.position - begin) / 4), fault);
}

static bool put_outermost(struct exporter *e, struct node *node, struct fault *fault)
{
    fletch_type type = e->field->type;

    return put_field(e, e->field, &type, format_of(type.id, &type), true, node, 0, fault);
}

static bool put_all(struct exporter *e, struct fault *fault)
{
    fletch_walk *walk = &e->walk;
    struct node *root = take_node(e);
    walk_event event = WALK_FIELD;

    e->slots[0] = NULL; /* while there are no children */
    begin_again(e);
    if (root == NULL || !put_outermost(e, root, fault)) return false;
    walk_into(e);
    while (event != WALK_END) {
        if (walk->children.position < walk->children.end && !enter_children(walk, fault))
            return false;
        if (!put_run(e, fault)) return false;
        if (walk->children.position < walk->children.end) continue;
        event = leave(walk);
        if (event == WALK_LEAVE) close_node(e, e->open[walk->depth]);
    }
    close_node(e, root);
    return true;
}

/* Calls */

static void write_path(const void *context, short_text *text)
{
    const struct exporter *e = context;
    const fletch_walk *walk = &e->walk;
    const bool is_schema = e->schema != NULL;
    uint32_t i;

    if (is_schema) fletch_append_text(text, fletch_schema_prefix(e->schema));
    for (i = 1; i <= walk->open_runs; i++) {
        const fletch_walk_run *run = i < walk->open_runs ? &walk->outer[i] : &walk->run;

        fletch_append_step(text, is_schema && i == 1 ? "fields" : "children",
                           (run->position - run->begin) / 4 - 1);
    }
}

/* A path of the walk, then the fault's own steps. */
struct place {
    const struct exporter *e;
    const struct fault *fault;
};

static void write_whole_path(const void *context, short_text *text)
{
    const struct place *place = context;
    uint32_t i;

    write_path(place->e, text);
    for (i = place->fault->step_count; i != 0; i--)
        fletch_append_step(text, place->fault->names[i - 1], place->fault->indices[i - 1]);
}

static fletch_status tell(const struct exporter *e, const struct fault *fault, fletch_error *error)
{
    const uint64_t origin = e->schema != NULL ? e->schema->origin : 0;
    struct place place;

    if (fault->reason == FAULT_BUILD_ALLOCATOR) { /* of no byte and no member */
        fletch_say_fault(error, fault->reason, 0, fault->value, 0);
        if (error != NULL) error->wanted = (uint64_t)fault->value;
        return FLETCH_NO_MEMORY;
    }
    place.e = e;
    place.fault = fault;
    fletch_say_fault(error, fault->reason, origin + fault->at, fault->value, fault->other);
    if (error != NULL)
        fletch_write_elided(error->path, sizeof error->path, write_whole_path, &place);
    return fletch_fault_status(fault->reason);
}

static void give_back(struct block *block)
{
    const fletch_allocator allocator = block->allocator;

    (void)allocator.reallocate(allocator.context, block, block->size, 0);
}

/*
 * Faults of structure come before all others, wherever each stands, as when verifying. Neither walk
 * looks at everything before the other finds something; so the structure is checked for itself, and
 * the walk goes back to where it was if that holds.
 */
COLD static void prefer_structure(struct exporter *e, struct fault *fault)
{
    const fletch_walk kept = e->walk;
    const fletch_metadata *pairs = &e->field->metadata;
    struct fault other;

    begin_walk(e);
    if (!fletch_walk_check_pairs(&e->walk, pairs->position, pairs->end, &other)) {
        *fault = other;
        return;
    }
    walk_into(e);
    if (fletch_walk_check(&e->walk, &other))
        e->walk = kept;
    else
        *fault = other;
}

static fletch_status export_tree(struct exporter *e, const fletch_allocator *allocator,
                                 struct ArrowSchema *out, fletch_error *error)
{
    struct fault fault;
    bool is_good = count_all(e, &fault) && allocate(e, allocator, &fault);

    if (is_good && !put_all(e, &fault)) {
        give_back(e->block);
        is_good = false;
    }
    if (!is_good) {
        prefer_structure(e, &fault);
        return tell(e, &fault, error);
    }
    e->block->live = e->next_index;
    *out = e->block->nodes[0].schema;
    e->block->nodes[0].schema.release = NULL;
    fletch_clear_error(error);
    return FLETCH_OK;
}

static const struct ArrowSchema nothing = {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL};

fletch_status fletch_export_field(const fletch_field *field, const fletch_allocator *allocator,
                                  const fletch_limits *limits, struct ArrowSchema *out,
                                  fletch_error *error)
{
    struct exporter e;

    *out = nothing;
    e.schema = NULL;
    e.field = field;
    e.limits = limits;
    return export_tree(&e, allocator, out, error);
}

/* What is wrong with a schema itself. */
static bool check_schema(const fletch_schema *schema, struct fault *fault)
{
    uint32_t slot = SCHEMA_ENDIANNESS, at;

    if (schema->at == 0) return fail(fault, FAULT_NO_SCHEMA, 0, 0, 0);
    fault->reason = FAULT_NONE;
    if (schema->endianness != FLETCH_LITTLE_ENDIAN && schema->endianness != FLETCH_BIG_ENDIAN) {
        fletch_set_fault(fault, FAULT_ENDIANNESS, schema->at, schema->endianness, 0);
    } else if (!schema->has_fields) {
        fletch_set_fault(fault, FAULT_SCHEMA_FIELDS, schema->at, 0, 0);
        slot = SCHEMA_FIELDS;
    }
    if (fault->reason == FAULT_NONE) return true;
    at = fletch_member_at(schema->buffer, schema->at, slot);
    if (at != 0) fault->at = at;
    return fail_inside(fault, fletch_schema_shape.rows[slot].name, NO_INDEX);
}

/* A schema is what a field of type Struct_ is. */
fletch_status fletch_export_schema(const fletch_schema *schema, const fletch_allocator *allocator,
                                   const fletch_limits *limits, struct ArrowSchema *out,
                                   fletch_error *error)
{
    struct exporter e;
    struct fault fault;
    fletch_field field;

    *out = nothing;
    e.schema = schema;
    e.field = &field;
    e.limits = limits;
    e.walk.open_runs = 0;
    if (!check_schema(schema, &fault)) return tell(&e, &fault, error);
    field.name = fletch_text("");
    field.type = fletch_struct();
    field.children = schema->fields;
    field.metadata = schema->metadata;
    field.nullable = field.has_dictionary = false;
    field.at = schema->at;
    return export_tree(&e, allocator, out, error);
}

fletch_status fletch_list_dictionaries(const fletch_schema *schema, const fletch_limits *limits,
                                       fletch_listed_dictionary *list, size_t space, size_t *count,
                                       fletch_error *error)
{
    fletch_walk walk;
    fletch_field field;
    struct fault fault;
    walk_event event;
    uint64_t number = 0;

    *count = 0;
    if (!fletch_has_schema(schema, error)) return FLETCH_MISSING;
    fletch_walk_begin(&walk, schema, limits);
    while ((event = fletch_walk_step(&walk, &field, &fault)) < WALK_END) {
        if (event == WALK_LEAVE) continue;
        if (field.has_dictionary && (*count)++ < space) {
            fletch_listed_dictionary *listed = &list[*count - 1];

            listed->id = field.dictionary.id;
            listed->field = number;
            listed->index_type = field.dictionary.index_type;
            listed->is_ordered = field.dictionary.is_ordered;
        }
        number++;
    }
    if (event == WALK_FAULT) {
        fletch_tell(error, &fault, schema->origin, fletch_schema_prefix(schema), &walk);
        return fletch_fault_status(fault.reason);
    }
    if (*count <= space) return FLETCH_OK;
    fletch_say_fault(error, FAULT_C_LIST, 0, (int64_t)space, (int64_t)*count);
    return FLETCH_NO_SPACE;
}
