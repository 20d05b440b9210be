/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sequence that a seed stands for, and the three things done with it.
 *
 * Every choice is drawn from one state in one order; visitors only look, so each use of a plan sees
 * the same sequence. What a visitor is handed lives until the next call.
 */
#include "random_schema.h"

#include "building.h"

#include <string.h>

enum { MOST_TEXT = 1500, MOST_DEPTH = 128, MOST_FEATURES = 8 };

/* Where a field stands, as far as rules care; and where a pair does. */
typedef enum { ANYWHERE, MAP_ENTRIES, MAP_KEY, RUN_ENDS } role;
typedef enum { IN_SCHEMA_OR_FIELD, IN_MESSAGE, IN_FOOTER } pair_owner;

typedef struct settings {
    int32_t version, endianness;
    bool is_legacy;
    uint32_t feature_count;
    int64_t features[MOST_FEATURES];
} settings;

typedef struct made_field {
    fletch_field field; /* name, nullable, type, dictionary */
    uint32_t children, pairs_before, pairs_after;
    bool is_raw;   /* the name holds NUL */
    bool is_whole; /* nothing comes between begin and end */
} made_field;

typedef struct visitor {
    void (*begin)(void *context, const made_field *made);
    void (*pair)(void *context, pair_owner owner, fletch_string key, fletch_string value);
    void (*end)(void *context, const made_field *made);
} visitor;

typedef struct generator {
    uint64_t state;
    const random_plan *plan;
    uint32_t fields_left, chain;
    const visitor *visitor;
    void *context;
    char text[3][MOST_TEXT + 1];
    int32_t type_ids[128];
} generator;

uint32_t random_below(uint64_t *state, uint32_t bound)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)(((z ^ (z >> 31)) >> 32) * bound >> 32);
}

static uint32_t below(generator *g, uint32_t bound)
{
    return random_below(&g->state, bound);
}

static bool one_in(generator *g, uint32_t bound)
{
    return below(g, bound) == 0;
}

static int64_t any_number(generator *g)
{
    return (int64_t)((uint64_t)below(g, UINT32_MAX) << 32 | below(g, UINT32_MAX));
}

/* Text */

static fletch_string common_text(generator *g)
{
    static const char *const words[] = {"item", "key",   "value",   "id",       "a",
                                        "b",    "child", "entries", "run_ends", "values"};
    return fletch_text(words[below(g, sizeof words / sizeof *words)]);
}

static fletch_string filled_text(generator *g, char *to, uint32_t size, const char *pieces,
                                 uint32_t piece_size)
{
    uint32_t count = (uint32_t)strlen(pieces) / piece_size, used = 0;
    for (; used + piece_size <= size; used += piece_size)
        memcpy(to + used, pieces + piece_size * below(g, count), piece_size);
    to[used] = 0;
    return (fletch_string){to, used};
}

static fletch_string wild_text(generator *g, char *to, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        to[i] = (char)(unsigned char)below(g, 256);
    to[size] = 0;
    return (fletch_string){to, size};
}

/* Of any length, often one that came before; `which` of the generator's buffers holds it. */
static fletch_string any_text(generator *g, unsigned which)
{
    static const char ascii[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    static const char greek[] = "\xCE\xB1\xCE\xB2\xCE\xB3\xCE\xB4\xCF\x80\xCF\x89";
    static const char faces[] = "\xF0\x9F\x98\x80\xF0\x9F\x90\x98\xF4\x8F\xBF\xBF";
    char *to = g->text[which];
    fletch_string text;
    switch (below(g, 16)) {
    case 0: return fletch_text("");
    case 1:
    case 2:
    case 3:
    case 4:
    case 5: return common_text(g);
    case 6: return filled_text(g, to, 1 + below(g, 20), greek, 2);
    case 7: return filled_text(g, to, 1 + below(g, 30), faces, 4);
    case 8: return filled_text(g, to, 56 + below(g, 14), "xy", 1);
    case 9: return filled_text(g, to, one_in(g, 8) ? MOST_TEXT : 100, ascii, 1);
    case 10:
        text = filled_text(g, to, 2 + below(g, 9), ascii, 1);
        to[below(g, (uint32_t)text.size)] = 0;
        return text;
    case 11:
        if (g->plan->is_loose) return wild_text(g, to, 1 + below(g, 20));
        break;
    default: break;
    }
    return filled_text(g, to, 1 + below(g, 12), ascii, 1);
}

static fletch_string any_timezone(generator *g)
{
    static const char *const zones[] = {"UTC", "Z", "Europe/Berlin", "+05:30", ""};
    return one_in(g, 3) ? any_text(g, 2) : fletch_text(zones[below(g, 5)]);
}

/* Types */

static fletch_type any_decimal(generator *g)
{
    static const uint32_t digits[] = {9, 18, 38, 76};
    uint32_t i = below(g, 4);
    int32_t precision = 1 + (int32_t)below(g, digits[i]);
    int32_t scale = one_in(g, 4) ? (int32_t)any_number(g) : (int32_t)below(g, 20) - 5;
    return fletch_decimal(precision, scale, 32 << i);
}

static fletch_type any_timestamp(generator *g)
{
    fletch_type type = fletch_timestamp((int32_t)below(g, 4), NULL);
    if (one_in(g, 2)) return type;
    type.as.timestamp.has_timezone = true;
    type.as.timestamp.timezone = any_timezone(g);
    return type;
}

/* Ids that differ, in any order. */
static fletch_type any_union(generator *g, uint32_t children)
{
    int32_t mode = (int32_t)below(g, 2);
    if (one_in(g, 2)) return fletch_union(mode, NULL, 0);
    for (uint32_t i = 0; i < 128; i++)
        g->type_ids[i] = (int32_t)i;
    for (uint32_t i = 0; i < children; i++) {
        uint32_t other = i + below(g, 128 - i);
        int32_t id = g->type_ids[i];
        g->type_ids[i] = g->type_ids[other];
        g->type_ids[other] = id;
    }
    return fletch_union(mode, g->type_ids, children);
}

static int32_t any_size(generator *g)
{
    return one_in(g, 8) ? INT32_MAX : (int32_t)below(g, 40);
}

static fletch_type any_type(generator *g, int32_t id, uint32_t children)
{
    switch (id) {
    case FLETCH_TYPE_INT: return fletch_int(8 << below(g, 4), one_in(g, 2));
    case FLETCH_TYPE_FLOATING_POINT: return fletch_floating_point((int32_t)below(g, 3));
    case FLETCH_TYPE_DECIMAL: return any_decimal(g);
    case FLETCH_TYPE_DATE: return fletch_date((int32_t)below(g, 2));
    case FLETCH_TYPE_TIME: return fletch_time((int32_t)below(g, 4));
    case FLETCH_TYPE_TIMESTAMP: return any_timestamp(g);
    case FLETCH_TYPE_INTERVAL: return fletch_interval((int32_t)below(g, 3));
    case FLETCH_TYPE_UNION: return any_union(g, children);
    case FLETCH_TYPE_FIXED_SIZE_BINARY: return fletch_fixed_size_binary(any_size(g));
    case FLETCH_TYPE_FIXED_SIZE_LIST: return fletch_fixed_size_list(any_size(g));
    case FLETCH_TYPE_MAP: return fletch_map(one_in(g, 2));
    case FLETCH_TYPE_DURATION: return fletch_duration((int32_t)below(g, 4));
    default: return fletch_type_of(id);
    }
}

/* Children that a type asks for; -1: any number. */
static int32_t children_of(int32_t id)
{
    switch (id) {
    case FLETCH_TYPE_STRUCT:
    case FLETCH_TYPE_UNION: return -1;
    case FLETCH_TYPE_LIST:
    case FLETCH_TYPE_LARGE_LIST:
    case FLETCH_TYPE_LIST_VIEW:
    case FLETCH_TYPE_LARGE_LIST_VIEW:
    case FLETCH_TYPE_FIXED_SIZE_LIST:
    case FLETCH_TYPE_MAP: return 1;
    case FLETCH_TYPE_RUN_END_ENCODED: return 2;
    default: return 0;
    }
}

/* Whether a type may stand at this depth; maps take two more levels. */
static bool fits(const generator *g, int32_t id, uint32_t depth)
{
    if (children_of(id) <= 0) return true;
    return g->fields_left != 0 && depth + (id == FLETCH_TYPE_MAP ? 2 : 1) <= MOST_DEPTH;
}

static int32_t pick_type(generator *g, uint32_t depth, role in, bool on_chain)
{
    int32_t id;
    if (in == MAP_ENTRIES) return FLETCH_TYPE_STRUCT;
    if (in == RUN_ENDS) return FLETCH_TYPE_INT;
    do
        id = 1 + (int32_t)below(g, 26);
    while (on_chain && depth < g->chain ? children_of(id) == 0 : !fits(g, id, depth));
    if (id == FLETCH_TYPE_MAP && depth + 2 > MOST_DEPTH) return FLETCH_TYPE_LIST;
    return id;
}

static uint32_t pick_children(generator *g, int32_t id, uint32_t depth, role in, bool on_chain)
{
    int32_t asked = children_of(id);
    uint32_t most = g->fields_left < 5 ? g->fields_left : 5;
    if (in == MAP_ENTRIES) return 2;
    if (asked > 0) return (uint32_t)asked;
    if (depth == MOST_DEPTH) return 0;
    if (asked == 0) return g->plan->is_loose && one_in(g, 16);
    if (on_chain && depth < g->chain) return 1;
    if (one_in(g, 50) && g->fields_left >= 128) return 128;
    return below(g, most + 1);
}

/* Fields */

static role role_of_child(int32_t parent, role of_parent, uint32_t index)
{
    if (parent == FLETCH_TYPE_MAP) return MAP_ENTRIES;
    if (of_parent == MAP_ENTRIES && index == 0) return MAP_KEY;
    if (parent == FLETCH_TYPE_RUN_END_ENCODED && index == 0) return RUN_ENDS;
    return ANYWHERE;
}

static fletch_dictionary any_dictionary(generator *g)
{
    fletch_dictionary dictionary = {.id = (int64_t)below(g, 4)};
    if (one_in(g, 3)) dictionary.id = any_number(g);
    dictionary.index_type.bit_width = 8 << below(g, 4);
    dictionary.index_type.is_signed = one_in(g, 2);
    dictionary.has_index_type = true;
    dictionary.is_ordered = one_in(g, 2);
    return dictionary;
}

static made_field any_field(generator *g, uint32_t depth, role in, bool on_chain)
{
    made_field made = {.is_whole = one_in(g, 2)};
    fletch_field *field = &made.field;
    int32_t id = pick_type(g, depth, in, on_chain);
    made.children = pick_children(g, id, depth, in, on_chain);
    field->name = any_text(g, 0);
    field->type = any_type(g, id, made.children);
    if (in == RUN_ENDS) field->type = fletch_int(16 << below(g, 3), true);
    field->nullable = one_in(g, 2);
    if (in != ANYWHERE && !g->plan->is_loose) field->nullable = false;
    field->has_dictionary = (in == ANYWHERE || in == MAP_KEY) && one_in(g, 6);
    if (field->has_dictionary) field->dictionary = any_dictionary(g);
    if (one_in(g, 5)) made.pairs_before = 1 + below(g, 3);
    if (one_in(g, 10)) made.pairs_after = 1 + below(g, 3);
    made.is_raw = field->name.size && memchr(field->name.data, 0, field->name.size);
    if (made.children || made.pairs_before || made.pairs_after) made.is_whole = false;
    if (field->has_dictionary || made.is_raw) made.is_whole = false;
    return made;
}

static void generate_pairs(generator *g, pair_owner owner, uint32_t count)
{
    for (; count; count--) {
        fletch_string key = any_text(g, 0), value = any_text(g, 1);
        g->visitor->pair(g->context, owner, key, value);
    }
}

static void generate_field(generator *g, uint32_t depth, role in, bool on_chain)
{
    made_field made = any_field(g, depth, in, on_chain);
    if (g->fields_left) g->fields_left--;
    g->visitor->begin(g->context, &made);
    generate_pairs(g, IN_SCHEMA_OR_FIELD, made.pairs_before);
    for (uint32_t i = 0; i < made.children; i++)
        generate_field(g, depth + 1, role_of_child(made.field.type.id, in, i),
                       on_chain && i + 1 == made.children);
    generate_pairs(g, IN_SCHEMA_OR_FIELD, made.pairs_after);
    g->visitor->end(g->context, &made);
}

static settings any_settings(generator *g)
{
    settings s = {.version = one_in(g, 4) ? FLETCH_V4 : FLETCH_V5};
    s.endianness = one_in(g, 4) ? FLETCH_BIG_ENDIAN : FLETCH_LITTLE_ENDIAN;
    s.is_legacy = one_in(g, 8);
    if (s.is_legacy) s.version = FLETCH_V4;
    if (one_in(g, 4)) s.feature_count = 1 + below(g, MOST_FEATURES);
    for (uint32_t i = 0; i < s.feature_count; i++)
        s.features[i] = g->plan->is_loose && one_in(g, 2) ? any_number(g) : (int64_t)below(g, 3);
    return s;
}

/* The generator at its start, and the settings that come first. */
static settings start(generator *g, const random_plan *plan, const visitor *v, void *context)
{
    g->state = plan->seed;
    g->plan = plan;
    g->fields_left = plan->fields;
    g->visitor = v;
    g->context = context;
    g->chain = one_in(g, 24) ? 1 + below(g, MOST_DEPTH) : 0;
    return any_settings(g);
}

/* All that comes after the settings. */
static void generate(generator *g)
{
    uint32_t columns = below(g, g->plan->fields + 1);
    generate_pairs(g, IN_SCHEMA_OR_FIELD, one_in(g, 3) ? below(g, 4) : 0);
    for (uint32_t i = 0; i < columns && g->fields_left; i++)
        generate_field(g, 1, ANYWHERE, i == 0);
    generate_pairs(g, IN_MESSAGE, one_in(g, 3) ? below(g, 4) : 0);
    generate_pairs(g, IN_SCHEMA_OR_FIELD, one_in(g, 3) ? below(g, 4) : 0);
    generate_pairs(g, IN_FOOTER, one_in(g, 3) ? below(g, 4) : 0);
}

/* Building */

static const char *text_or_null(fletch_string string)
{
    return string.size ? string.data : NULL;
}

static void build_begin(void *context, const made_field *made)
{
    const fletch_field *field = &made->field;
    unsigned flags = field->nullable ? FLETCH_NULLABLE : 0;
    if (made->is_raw) {
        fletch_begin_field_like(context, field);
        return;
    }
    if (made->is_whole) {
        fletch_add_field(context, text_or_null(field->name), field->type, flags);
        return;
    }
    fletch_begin_field(context, text_or_null(field->name), field->type, flags);
    if (field->has_dictionary)
        fletch_set_dictionary(context, field->dictionary.id, field->dictionary.index_type,
                              field->dictionary.is_ordered);
}

static void build_pair(void *context, pair_owner owner, fletch_string key, fletch_string value)
{
    if (owner == IN_MESSAGE)
        fletch_add_message_metadata(context, key, value);
    else if (owner == IN_FOOTER)
        fletch_add_footer_metadata(context, key, value);
    else if (!memchr(key.data, 0, key.size) && !memchr(value.data, 0, value.size))
        fletch_add_metadata(context, text_or_null(key), text_or_null(value));
    else
        fletch_add_metadata_string(context, key, value);
}

static void build_end(void *context, const made_field *made)
{
    if (!made->is_whole) fletch_end_field(context);
}

void build_random(fletch_builder *b, const random_plan *plan)
{
    static const visitor builder = {build_begin, build_pair, build_end};
    generator g;
    settings s = start(&g, plan, &builder, b);
    fletch_set_level(b, plan->is_loose ? FLETCH_LEVEL_ARROW : FLETCH_LEVEL_STRICT);
    fletch_set_version(b, s.version);
    if (s.is_legacy) fletch_set_legacy_framing(b);
    fletch_set_endianness(b, s.endianness);
    for (uint32_t i = 0; i < s.feature_count; i++)
        fletch_add_feature(b, s.features[i]);
    generate(&g);
}

int32_t random_version(const random_plan *plan)
{
    generator g;
    return start(&g, plan, NULL, NULL).version;
}

bool random_is_legacy(const random_plan *plan)
{
    generator g;
    return start(&g, plan, NULL, NULL).is_legacy;
}

/* Counting */

typedef struct counter {
    random_counts counts;
    size_t depth;
} counter;

static void count_text(counter *c, fletch_string text)
{
    c->counts.strings++;
    c->counts.text += text.size;
}

static void count_begin(void *context, const made_field *made)
{
    counter *c = context;
    const fletch_type *type = &made->field.type;
    c->counts.fields++;
    c->counts.dictionaries += made->field.has_dictionary;
    count_text(c, made->field.name);
    if (type->id == FLETCH_TYPE_TIMESTAMP && type->as.timestamp.timezone.size)
        count_text(c, type->as.timestamp.timezone);
    if (type->id == FLETCH_TYPE_UNION) c->counts.type_ids += made->children;
    if (++c->depth > c->counts.depth) c->counts.depth = c->depth;
}

static void count_pair(void *context, pair_owner owner, fletch_string key, fletch_string value)
{
    counter *c = context;
    (void)owner;
    c->counts.pairs++;
    count_text(c, key);
    count_text(c, value);
}

static void count_end(void *context, const made_field *made)
{
    counter *c = context;
    (void)made;
    c->depth--;
}

random_counts count_random(const random_plan *plan)
{
    static const visitor counting = {count_begin, count_pair, count_end};
    counter c = {.depth = 0};
    generator g;
    start(&g, plan, &counting, &c);
    generate(&g);
    return c.counts;
}

size_t space_for_random(const random_plan *plan)
{
    random_counts n = count_random(plan);
    return FLETCH_BUILD_SPACE(n.fields, n.pairs, n.dictionaries, n.strings, n.text, n.type_ids,
                              n.depth);
}

/* Comparing */

typedef struct comparer {
    const fletch_schema *schema;
    unsigned depth;
    fletch_fields fields[MOST_DEPTH + 1];  /* left of each level */
    fletch_metadata pairs[MOST_DEPTH + 1]; /* likewise */
    fletch_metadata message_pairs, footer_pairs;
    uint64_t seed;
} comparer;

static void demand(const comparer *c, bool holds, const char *what)
{
    if (!holds)
        fail_msg("seed %llu: %s is not as built, at depth %u", (unsigned long long)c->seed, what,
                 c->depth);
}

static bool same_union(const fletch_type *read, const fletch_type *made, uint32_t children)
{
    if (read->as.union_.mode != made->as.union_.mode) return false;
    if (!read->as.union_.has_type_ids || read->as.union_.type_ids.count != children) return false;
    for (uint32_t i = 0; i < children; i++)
        if (fletch_union_type_id(read, i) != fletch_union_type_id(made, i)) return false;
    return true;
}

static bool same_type(const fletch_type *read, const fletch_type *made, uint32_t children)
{
    if (read->id != made->id) return false;
    switch (made->id) {
    case FLETCH_TYPE_INT:
        return read->as.integer.bit_width == made->as.integer.bit_width &&
               read->as.integer.is_signed == made->as.integer.is_signed;
    case FLETCH_TYPE_FLOATING_POINT:
        return read->as.floating_point.precision == made->as.floating_point.precision;
    case FLETCH_TYPE_DECIMAL:
        return read->as.decimal.precision == made->as.decimal.precision &&
               read->as.decimal.scale == made->as.decimal.scale &&
               read->as.decimal.bit_width == made->as.decimal.bit_width;
    case FLETCH_TYPE_DATE: return read->as.date.unit == made->as.date.unit;
    case FLETCH_TYPE_TIME:
        return read->as.time.unit == made->as.time.unit &&
               read->as.time.bit_width == made->as.time.bit_width;
    case FLETCH_TYPE_TIMESTAMP:
        return read->as.timestamp.unit == made->as.timestamp.unit &&
               fletch_same_string(read->as.timestamp.timezone, made->as.timestamp.timezone);
    case FLETCH_TYPE_INTERVAL: return read->as.interval.unit == made->as.interval.unit;
    case FLETCH_TYPE_UNION: return same_union(read, made, children);
    case FLETCH_TYPE_FIXED_SIZE_BINARY:
        return read->as.fixed_size_binary.byte_width == made->as.fixed_size_binary.byte_width;
    case FLETCH_TYPE_FIXED_SIZE_LIST:
        return read->as.fixed_size_list.list_size == made->as.fixed_size_list.list_size;
    case FLETCH_TYPE_MAP: return read->as.map.keys_sorted == made->as.map.keys_sorted;
    case FLETCH_TYPE_DURATION: return read->as.duration.unit == made->as.duration.unit;
    default: return true;
    }
}

static void compare_dictionaries(const comparer *c, const fletch_dictionary *read,
                                 const fletch_dictionary *made)
{
    demand(c, read->id == made->id, "a dictionary's id");
    demand(c, read->has_index_type, "a dictionary's index type");
    demand(c, read->index_type.bit_width == made->index_type.bit_width, "an index's width");
    demand(c, read->index_type.is_signed == made->index_type.is_signed, "an index's sign");
    demand(c, read->is_ordered == made->is_ordered, "a dictionary's order");
    demand(c, read->kind == FLETCH_DENSE_ARRAY, "a dictionary's kind");
}

static void compare_begin(void *context, const made_field *made)
{
    comparer *c = context;
    const fletch_field *wanted = &made->field;
    fletch_field field;
    demand(c, fletch_next_field(&c->fields[c->depth], &field), "the number of fields");
    demand(c, field.has_name && fletch_same_string(field.name, wanted->name), "a name");
    demand(c, field.nullable == wanted->nullable, "nullable");
    demand(c, same_type(&field.type, &wanted->type, made->children), "a type");
    demand(c, field.has_dictionary == wanted->has_dictionary, "being a dictionary");
    if (field.has_dictionary) compare_dictionaries(c, &field.dictionary, &wanted->dictionary);
    demand(c, field.has_children && fletch_count_fields(&field.children) == made->children,
           "the number of children");
    demand(c, field.has_metadata == (made->pairs_before + made->pairs_after != 0),
           "having metadata");
    c->depth++;
    c->fields[c->depth] = field.children;
    c->pairs[c->depth] = field.metadata;
}

static void compare_pair(void *context, pair_owner owner, fletch_string key, fletch_string value)
{
    comparer *c = context;
    fletch_metadata *pairs = &c->pairs[c->depth];
    fletch_key_value pair;
    if (owner == IN_MESSAGE) pairs = &c->message_pairs;
    if (owner == IN_FOOTER) pairs = &c->footer_pairs;
    if (owner == IN_MESSAGE && c->schema->wrapper.root != FLETCH_MESSAGE) return;
    if (owner == IN_FOOTER && c->schema->wrapper.root != FLETCH_FOOTER) return;
    demand(c, fletch_next_metadata(pairs, &pair), "the number of pairs");
    demand(c, pair.has_key && fletch_same_string(pair.key, key), "a key");
    demand(c, pair.has_value && fletch_same_string(pair.value, value), "a value");
}

static void demand_end(const comparer *c)
{
    demand(c, fletch_count_fields(&c->fields[c->depth]) == 0, "the number of fields");
    demand(c, fletch_count_metadata(&c->pairs[c->depth]) == 0, "the number of pairs");
}

static void compare_end(void *context, const made_field *made)
{
    comparer *c = context;
    (void)made;
    demand_end(c);
    c->depth--;
}

static void compare_settings(const comparer *c, const settings *s)
{
    const fletch_schema *schema = c->schema;
    demand(c, schema->endianness == s->endianness, "endianness");
    demand(c, schema->features.count == s->feature_count, "the number of features");
    for (uint32_t i = 0; i < s->feature_count; i++)
        demand(c, fletch_integer_at(&schema->features, i) == s->features[i], "a feature");
    if (schema->wrapper.root == FLETCH_SCHEMA) return;
    demand(c, schema->wrapper.has_version && schema->wrapper.version == s->version, "the version");
}

void expect_random(const fletch_schema *schema, const random_plan *plan)
{
    static const visitor comparing = {compare_begin, compare_pair, compare_end};
    comparer c = {.schema = schema, .seed = plan->seed};
    generator g;
    settings s = start(&g, plan, &comparing, &c);
    c.fields[0] = schema->fields;
    c.pairs[0] = schema->metadata;
    c.message_pairs = c.footer_pairs = schema->wrapper.metadata;
    compare_settings(&c, &s);
    demand(&c, schema->has_fields, "having fields");
    generate(&g);
    demand_end(&c);
    if (schema->wrapper.root == FLETCH_MESSAGE) c.pairs[0] = c.message_pairs;
    if (schema->wrapper.root == FLETCH_FOOTER) c.pairs[0] = c.footer_pairs;
    demand_end(&c);
}
