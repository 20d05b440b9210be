/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schemas in from struct ArrowSchema, into the builder.
 *
 * Every ArrowSchema is looked at once, before its children: pointers, counts, format; then it is
 * added to the builder, which has the rules of Arrow and says where a fault is. The fields under
 * way wait in `levels`, so nothing recurses; nodes are counted, so a tree that leads back into
 * itself ends. Nothing of an ArrowSchema is written, and `release` is the first member read.
 */
#include "cdata.h"

#include "store.h"

#include <string.h>

/* Nodes visited, unless the options say otherwise. */
#define MOST_NODES (UINT64_C(1) << 24)

/* What a format string says. */
struct parsed {
    fletch_type type;
    int32_t type_ids[128];
};

struct importer {
    fletch_builder *builder;
    const fletch_import_options *options;
    uint64_t nodes, nodes_left;
    uint64_t field; /* its number in pre-order */
    int64_t next_id;
    size_t listed; /* entries of the list that are behind */
    uint32_t max_depth;
    uint32_t open_fields; /* of this import */
    uint32_t level_count;
    struct {
        struct ArrowSchema *const *next, *const *end;
    } levels[FLETCH_MAX_DEPTH]; /* children yet to come, of a schema or of open fields */
    struct parsed parsed;
    fletch_dictionary dictionary; /* of the field at hand, if it has one */
};

/* Format strings */

/* Where a row stands in `places`: no two of them the same. */
#define FORMAT_PLACE(a, b, c) (((a)*35u + (b)*19u + (c)*6u) & 127u)

/* The row of the format that begins so, or that of NONE. What is behind a ':' is not of the code;
 * none of the three characters is read beyond the NUL. */
static const struct format *find_format(const char *text)
{
    static const uint8_t places[128] = {
#define FORMAT_AT(row, id, a, b, c, d, member, ...) [FORMAT_PLACE(a, b, c)] = FORMAT_##row,
        FORMAT_ROWS(FORMAT_AT)
#undef FORMAT_AT
    };
    const unsigned char a = (unsigned char)text[0];
    const unsigned char b = a != 0 ? (unsigned char)text[1] : 0;
    const unsigned char c = b != 0 && b != ':' ? (unsigned char)text[2] : 0;
    const struct format *format = &fletch_formats[places[FORMAT_PLACE(a, b, c)]];

    if (format->text[0] != (char)a || format->text[1] != (char)b || format->text[2] != (char)c ||
        (format->text[3] != 0 && format->text[3] != text[3]))
        return &fletch_formats[FORMAT_NONE];
    return format;
}

/* A number as it is written: digits without leading zeros. `*at` stops behind it, or at fault. */
static bool parse_number(const char **at, bool may_be_negative, int32_t *number)
{
    const bool is_negative = may_be_negative && **at == '-';
    const int64_t most = (int64_t)INT32_MAX + is_negative;
    const char *first = *at + is_negative, *digit;
    int64_t value = 0;

    for (digit = first; *digit >= '0' && *digit <= '9'; digit++) {
        *at = digit;
        if (digit != first && value == 0) return false;
        value = value * 10 + (*digit - '0');
        if (value > most || (is_negative && value == 0)) return false;
    }
    *at = digit;
    *number = (int32_t)(is_negative ? -value : value);
    return digit != first;
}

static bool parse_character(const char **at, char character)
{
    if (**at != character) return false;
    ++*at;
    return true;
}

static bool parse_decimal(const char **at, fletch_type *type)
{
    return parse_number(at, false, &type->as.decimal.precision) && parse_character(at, ',') &&
           parse_number(at, true, &type->as.decimal.scale) &&
           (!parse_character(at, ',') || parse_number(at, false, &type->as.decimal.bit_width));
}

static bool parse_type_ids(const char **at, struct parsed *parsed)
{
    uint32_t count = 0;

    if (**at != '\0') {
        do {
            if (count == 128 || !parse_number(at, false, &parsed->type_ids[count])) return false;
            count++;
        } while (parse_character(at, ','));
    }
    parsed->type = fletch_union(parsed->type.as.union_.mode, parsed->type_ids, count);
    return true;
}

/* What follows the code. `*at` stops at the fault, if there is one. */
static bool parse_parameters(const char **at, struct parsed *parsed)
{
    fletch_type *type = &parsed->type;

    switch (type->id) {
    case FLETCH_TYPE_DECIMAL: return parse_decimal(at, type);
    case FLETCH_TYPE_UNION: return parse_type_ids(at, parsed);
    case FLETCH_TYPE_FIXED_SIZE_BINARY:
        return parse_number(at, false, &type->as.fixed_size_binary.byte_width);
    case FLETCH_TYPE_FIXED_SIZE_LIST:
        return parse_number(at, false, &type->as.fixed_size_list.list_size);
    case FLETCH_TYPE_TIMESTAMP:
        type->as.timestamp.timezone = fletch_text(*at);
        type->as.timestamp.has_timezone = **at != '\0';
        *at += type->as.timestamp.timezone.size;
        return true;
    default: return true;
    }
}

/* Where a text and a code begin to differ. */
static size_t common_size(const char *text, const char *code)
{
    size_t size = 0;

    while (code[size] != '\0' && text[size] == code[size])
        size++;
    return size;
}

/*
 * Why no row was found. A text that is the beginning of a code, or that begins with a whole code
 * but for its ':', is wrong where it ends to be one; any other may be of a newer Arrow.
 */
static enum reason explain_format(const char *text, size_t *at)
{
    enum reason reason = text[0] == '\0' ? FAULT_C_FORMAT : FAULT_C_FORMAT_UNKNOWN;
    size_t i;

    *at = 0;
    for (i = FORMAT_NONE + 1; i < FORMAT_COUNT; i++) {
        const char *code = fletch_formats[i].text;
        const size_t size = common_size(text, code);

        if (size == 0 || size < *at) continue;
        *at = size;
        if (text[size] == '\0' || code[size] == '\0' || code[size] == ':') reason = FAULT_C_FORMAT;
    }
    return reason;
}

/* Reads a format string, which is not NULL, to its end. */
static bool parse_format(const char *text, struct parsed *parsed, struct fault *fault)
{
    const struct format *format = find_format(text);
    const char *end = text;
    enum reason reason = FAULT_C_FORMAT;
    size_t at;

    if (format->size != 0) {
        parsed->type = format->type;
        end += format->size;
        if (*end == '\0' && !format->has_parameters) return true;
        if (parse_parameters(&end, parsed) && *end == '\0') return true;
        at = (size_t)(end - text);
    } else {
        reason = explain_format(text, &at);
    }
    return fail(fault, reason, 0, (int64_t)at, (unsigned char)text[at]);
}

/* Faults */

/* Tells a fault of the ArrowSchema at hand, which is no field of the builder yet. */
static bool stick_fault(struct importer *importer, struct fault *fault, bool is_dictionary)
{
    if (is_dictionary) fletch_fault_inside(fault, "dictionary", NO_INDEX);
    importer->builder->is_at_child = true;
    (void)fletch_stick(importer->builder, fault);
    return false;
}

static bool refuse(struct importer *importer, enum reason reason, int64_t value, const char *member,
                   bool is_dictionary)
{
    struct fault fault;

    fletch_set_fault(&fault, reason, 0, value, 0);
    if (member != NULL) fletch_fault_inside(&fault, member, NO_INDEX);
    return stick_fault(importer, &fault, is_dictionary);
}

/* Metadata */

static int32_t load_count(const char *from)
{
    int32_t count;

    memcpy(&count, from, 4);
    return count;
}

static bool has_pairs(const char *metadata)
{
    return metadata != NULL && load_count(metadata) != 0;
}

/* A pair at fault: of the builder's open field, or of the schema. */
static void refuse_pairs(fletch_builder *builder, enum reason reason, int32_t value, uint32_t index)
{
    struct fault fault;

    fletch_set_fault(&fault, reason, 0, value, 0);
    fletch_fault_inside(&fault, "metadata", index);
    (void)fletch_stick(builder, &fault);
}

/* Takes one string; false where its size is negative. */
static bool take_part(fletch_builder *builder, const char **from, uint32_t index,
                      fletch_string *part)
{
    const int32_t size = load_count(*from);

    if (size < 0) {
        refuse_pairs(builder, FAULT_C_BYTES, size, index);
        return false;
    }
    part->data = *from + 4;
    part->size = (size_t)size;
    *from = part->data + size;
    return true;
}

static void import_pairs(fletch_builder *builder, const char *metadata)
{
    fletch_string key, value;
    int32_t count, i;

    if (metadata == NULL) return;
    count = load_count(metadata);
    if (count < 0) refuse_pairs(builder, FAULT_C_PAIRS, count, NO_INDEX);
    metadata += 4;
    for (i = 0; i < count && builder->reason == FAULT_NONE; i++)
        if (take_part(builder, &metadata, (uint32_t)i, &key) &&
            take_part(builder, &metadata, (uint32_t)i, &value))
            (void)fletch_add_metadata_string(builder, key, value);
}

/* Nodes */

/* Counts a node and checks its pointers. `is_outermost`: the caller gave it. */
static bool check_node(struct importer *importer, const struct ArrowSchema *node, bool is_outermost,
                       bool is_dictionary)
{
    enum reason reason = is_outermost ? FAULT_C_RELEASED : FAULT_C_NESTED_RELEASED;

    if (node == NULL)
        return refuse(importer, is_outermost ? FAULT_C_RELEASED : FAULT_C_NULL, 0, NULL,
                      is_dictionary);
    if (node->release == NULL) return refuse(importer, reason, 0, NULL, is_dictionary);
    if (importer->nodes_left == 0)
        return refuse(importer, FAULT_C_NODES, (int64_t)importer->nodes, NULL, is_dictionary);
    importer->nodes_left--;
    if (node->format == NULL)
        return refuse(importer, FAULT_C_NO_FORMAT, 0, "format", is_dictionary);
    if (node->n_children < 0)
        return refuse(importer, FAULT_C_COUNT, node->n_children, "n_children", is_dictionary);
    if (node->n_children != 0 && node->children == NULL)
        return refuse(importer, FAULT_C_CHILDREN, node->n_children, "children", is_dictionary);
    return true;
}

/* Children as the type wants them, and no more than may be visited. */
static bool check_children(struct importer *importer, const struct ArrowSchema *typed,
                           bool is_dictionary)
{
    const fletch_type *type = &importer->parsed.type;
    struct finding finding;
    struct fault fault;

    if ((uint64_t)typed->n_children > importer->nodes_left || typed->n_children > UINT32_MAX)
        return refuse(importer, FAULT_C_NODES, (int64_t)importer->nodes, "children", is_dictionary);
    if (!check_child_count(type, (uint32_t)typed->n_children, true, &finding)) {
        fletch_describe(&finding, type->id, 0, &fault);
        return stick_fault(importer, &fault, is_dictionary);
    }
    return typed->n_children == 0 || importer->open_fields + 1 < importer->max_depth ||
           refuse(importer, FAULT_DEPTH, importer->max_depth, "children", is_dictionary);
}

static bool import_format(struct importer *importer, const struct ArrowSchema *node,
                          bool is_dictionary)
{
    struct fault fault;

    if (parse_format(node->format, &importer->parsed, &fault)) return true;
    fletch_fault_inside(&fault, "format", NO_INDEX);
    return stick_fault(importer, &fault, is_dictionary);
}

/* The id of the field at hand. */
static bool find_id(struct importer *importer, int64_t *id)
{
    const fletch_import_options *options = importer->options;

    if (options->dictionaries == NULL) {
        *id = importer->next_id;
        if (importer->next_id < INT64_MAX) importer->next_id++;
        return true;
    }
    for (; importer->listed < options->dictionary_count; importer->listed++) {
        const fletch_listed_dictionary *listed = &options->dictionaries[importer->listed];

        if (listed->field > importer->field) break;
        if (listed->field < importer->field) continue;
        *id = listed->id;
        return true;
    }
    return refuse(importer, FAULT_C_UNLISTED, (int64_t)importer->field, "dictionary", false);
}

/* A node that has a dictionary is an index type; the dictionary has type, children and no more. */
static bool import_dictionary(struct importer *importer, const struct ArrowSchema *node)
{
    fletch_dictionary *dictionary = &importer->dictionary;
    const struct ArrowSchema *values = node->dictionary;

    if (!import_format(importer, node, false)) return false;
    if (importer->parsed.type.id != FLETCH_TYPE_INT)
        return refuse(importer, FAULT_C_INDEX, importer->parsed.type.id, "format", false);
    dictionary->index_type = importer->parsed.type.as.integer;
    dictionary->is_ordered = (node->flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0;
    if (node->n_children != 0)
        return refuse(importer, FAULT_C_INDEX_CHILDREN, node->n_children, "children", false);
    if (!check_node(importer, values, false, true)) return false;
    if (values->dictionary != NULL)
        return refuse(importer, FAULT_C_DICTIONARY, 0, "dictionary", true);
    if (has_pairs(node->metadata) && has_pairs(values->metadata))
        return refuse(importer, FAULT_C_TWO_METADATA, 0, "metadata", true);
    return find_id(importer, &dictionary->id);
}

/* Makes children the next thing to come. */
static void push_level(struct importer *importer, const struct ArrowSchema *typed)
{
    if (typed->n_children == 0) return;
    importer->levels[importer->level_count].next = typed->children;
    importer->levels[importer->level_count].end = typed->children + typed->n_children;
    importer->level_count++;
}

/* Adds what was found good: `typed` has the children, and is `node` or its dictionary. */
static void add_node(struct importer *importer, const struct ArrowSchema *node,
                     const struct ArrowSchema *typed)
{
    const fletch_dictionary *dictionary = &importer->dictionary;
    fletch_builder *builder = importer->builder;
    const fletch_type *type = &importer->parsed.type;
    const fletch_string name = fletch_text(node->name);
    const unsigned flags = (node->flags & ARROW_FLAG_NULLABLE) != 0 ? FLETCH_NULLABLE : 0;

    importer->field++;
    if (typed == node && node->metadata == NULL && node->n_children == 0) {
        (void)fletch_add_field_of(builder, name, type, flags);
        return;
    }
    (void)fletch_begin_field_of(builder, name, type, flags);
    if (builder->reason != FAULT_NONE) return;
    if (typed != node)
        (void)fletch_set_dictionary(builder, dictionary->id, dictionary->index_type,
                                    dictionary->is_ordered);
    import_pairs(builder, node->metadata);
    if (typed != node && !has_pairs(node->metadata)) import_pairs(builder, typed->metadata);
    if (typed->n_children == 0) {
        (void)fletch_end_field(builder);
        return;
    }
    importer->open_fields++;
    push_level(importer, typed);
}

static void import_node(struct importer *importer, const struct ArrowSchema *node,
                        bool is_outermost)
{
    const struct ArrowSchema *typed = node;

    if (!check_node(importer, node, is_outermost, false)) return;
    if (node->dictionary != NULL) {
        if (!import_dictionary(importer, node)) return;
        typed = node->dictionary;
    }
    if (!import_format(importer, typed, typed != node) ||
        !check_children(importer, typed, typed != node))
        return;
    if (importer->parsed.type.id == FLETCH_TYPE_MAP)
        importer->parsed.type.as.map.keys_sorted = (typed->flags & ARROW_FLAG_MAP_KEYS_SORTED) != 0;
    add_node(importer, node, typed);
}

/* Imports all children that wait. */
static void import_levels(struct importer *importer)
{
    while (importer->level_count != 0 && importer->builder->reason == FAULT_NONE) {
        const uint32_t top = importer->level_count - 1;

        if (importer->levels[top].next != importer->levels[top].end) {
            import_node(importer, *importer->levels[top].next++, false);
            continue;
        }
        importer->level_count = top;
        if (importer->open_fields == 0) return; /* they were of the schema */
        importer->open_fields--;
        (void)fletch_end_field(importer->builder);
    }
}

/* Calls */

static bool begin(struct importer *importer, fletch_builder *builder,
                  const fletch_import_options *options)
{
    static const fletch_import_options defaults = {0, 0, NULL, NULL, 0};

    if (options == NULL) options = &defaults;
    importer->builder = builder;
    importer->options = options;
    importer->nodes = options->nodes != 0 ? options->nodes : MOST_NODES;
    importer->nodes_left = importer->nodes;
    importer->max_depth = options->depth != 0 && options->depth < FLETCH_MAX_DEPTH
                              ? options->depth
                              : FLETCH_MAX_DEPTH;
    importer->field = 0;
    importer->next_id = options->next_id != NULL ? *options->next_id : 0;
    importer->listed = 0;
    importer->open_fields = importer->level_count = 0;
    if (builder->reason != FAULT_NONE) return false;
    if (builder->is_finished) (void)fletch_stick_reason(builder, FAULT_BUILD_MISUSE_FINISHED, 0);
    return builder->reason == FAULT_NONE;
}

static fletch_status end(const struct importer *importer)
{
    if (importer->options->next_id != NULL) *importer->options->next_id = importer->next_id;
    return build_status(importer->builder);
}

fletch_status fletch_import_field(fletch_builder *builder, const struct ArrowSchema *schema,
                                  const fletch_import_options *options)
{
    struct importer importer;

    if (!begin(&importer, builder, options)) return build_status(builder);
    import_node(&importer, schema, true);
    import_levels(&importer);
    return end(&importer);
}

/* What makes an ArrowSchema a schema's. */
static bool check_schema(struct importer *importer, const struct ArrowSchema *schema)
{
    if (!check_node(importer, schema, true, false)) return false;
    if (!fletch_same_string(fletch_text(schema->format),
                            fletch_text(fletch_formats[FORMAT_STRUCT].text)))
        return refuse(importer, FAULT_C_NOT_STRUCT, 0, "format", false);
    if (schema->dictionary != NULL)
        return refuse(importer, FAULT_C_SCHEMA_DICTIONARY, 0, "dictionary", false);
    importer->parsed.type = fletch_struct();
    return (uint64_t)schema->n_children <= importer->nodes_left ||
           refuse(importer, FAULT_C_NODES, (int64_t)importer->nodes, "children", false);
}

fletch_status fletch_import_schema(fletch_builder *builder, const struct ArrowSchema *schema,
                                   const fletch_import_options *options)
{
    struct importer importer;

    if (!begin(&importer, builder, options)) return build_status(builder);
    if (builder->depth != 0) return fletch_stick_reason(builder, FAULT_BUILD_MISUSE_OPEN, 0);
    if (!check_schema(&importer, schema)) {
        builder->is_at_child = false;
        return end(&importer);
    }
    import_pairs(builder, schema->metadata);
    push_level(&importer, schema);
    import_levels(&importer);
    return end(&importer);
}
