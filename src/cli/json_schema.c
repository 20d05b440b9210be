/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every kind of object is a list of rules for its members, and each rule says where in a struct the
 * value goes; so no object has code of its own for names, presence or forms.
 *
 * Only the form is checked here. What a schema may be is the builder's to say, and the first of its
 * errors ends the reading, so that the place of the field at hand is the error's.
 */
#include "json_schema.h"

#include <stdio.h>
#include <string.h>

enum form {
    FORM_BOOL,     /* bool */
    FORM_INTEGER,  /* int32_t */
    FORM_LONG,     /* int64_t */
    FORM_WORD,     /* int32_t: the index of one of `words` */
    FORM_STRING,   /* fletch_string */
    FORM_TYPE_IDS, /* fletch_integers */
    FORM_OBJECT,   /* const struct json_value * */
    FORM_ARRAY,    /* const struct json_value * */
    FORM_ANYTHING  /* not looked at */
};

/* REQUIRED members are there, and not null unless NULLABLE. Others leave the struct as it is. */
enum { OPTIONAL = 0, REQUIRED = 1, NULLABLE = 2 };

struct rule {
    const char *name;
    enum form form;
    unsigned presence;
    size_t offset;            /* in the struct that is read into */
    const char *const *words; /* ends with NULL */
};

struct object_rules {
    const struct rule *rules;
    size_t count;
};

#define RULES(rules)                                                                               \
    {                                                                                              \
        rules, sizeof(rules) / sizeof(rules)[0]                                                    \
    }

/* The objects; a schema that is the root has what stands beside other schemas. */

struct schema_parts {
    const struct json_value *fields, *metadata;
};

struct field_parts {
    fletch_string name;
    bool nullable;
    const struct json_value *type, *children, *dictionary, *metadata;
};

struct dictionary_parts {
    int64_t id;
    bool is_ordered;
    const struct json_value *index_type;
};

struct index_type_parts {
    fletch_string name;
    fletch_int_type type;
};

static const struct rule schema_rules[] = {
    {"fields", FORM_ARRAY, REQUIRED, offsetof(struct schema_parts, fields), NULL},
    {"metadata", FORM_ARRAY, OPTIONAL, offsetof(struct schema_parts, metadata), NULL},
    {"dictionaries", FORM_ANYTHING, OPTIONAL, 0, NULL},
    {"batches", FORM_ANYTHING, OPTIONAL, 0, NULL},
};

static const struct rule field_rules[] = {
    {"name", FORM_STRING, REQUIRED | NULLABLE, offsetof(struct field_parts, name), NULL},
    {"nullable", FORM_BOOL, REQUIRED, offsetof(struct field_parts, nullable), NULL},
    {"type", FORM_OBJECT, REQUIRED, offsetof(struct field_parts, type), NULL},
    {"children", FORM_ARRAY, OPTIONAL, offsetof(struct field_parts, children), NULL},
    {"dictionary", FORM_OBJECT, OPTIONAL, offsetof(struct field_parts, dictionary), NULL},
    {"metadata", FORM_ARRAY, OPTIONAL, offsetof(struct field_parts, metadata), NULL},
};

static const struct rule dictionary_rules[] = {
    {"id", FORM_LONG, REQUIRED, offsetof(struct dictionary_parts, id), NULL},
    {"indexType", FORM_OBJECT, REQUIRED, offsetof(struct dictionary_parts, index_type), NULL},
    {"isOrdered", FORM_BOOL, REQUIRED, offsetof(struct dictionary_parts, is_ordered), NULL},
};

static const struct rule index_type_rules[] = {
    {"name", FORM_STRING, REQUIRED, offsetof(struct index_type_parts, name), NULL},
    {"bitWidth", FORM_INTEGER, REQUIRED, offsetof(struct index_type_parts, type.bit_width), NULL},
    {"isSigned", FORM_BOOL, REQUIRED, offsetof(struct index_type_parts, type.is_signed), NULL},
};

static const struct rule pair_rules[] = {
    {"key", FORM_STRING, REQUIRED, offsetof(fletch_key_value, key), NULL},
    {"value", FORM_STRING, REQUIRED, offsetof(fletch_key_value, value), NULL},
};

static const struct object_rules root_object = RULES(schema_rules);
static const struct object_rules schema_object = {schema_rules, 2};
static const struct object_rules field_object = RULES(field_rules);
static const struct object_rules dictionary_object = RULES(dictionary_rules);
static const struct object_rules index_type_object = RULES(index_type_rules);
static const struct object_rules pair_object = RULES(pair_rules);

const char *const json_schema_skipped[] = {"dictionaries", "batches", NULL};

/* The types: enumerators in the order of their numbers. */

static const char *const precisions[] = {"HALF", "SINGLE", "DOUBLE", NULL};
static const char *const date_units[] = {"DAY", "MILLISECOND", NULL};
static const char *const units[] = {"SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND", NULL};
static const char *const interval_units[] = {"YEAR_MONTH", "DAY_TIME", "MONTH_DAY_NANO", NULL};
static const char *const modes[] = {"SPARSE", "DENSE", NULL};

#define AS(member) offsetof(fletch_type, as.member)
#define NAME                                                                                       \
    {                                                                                              \
        "name", FORM_ANYTHING, OPTIONAL, 0, NULL                                                   \
    }

static const struct rule no_rules[] = {NAME};
static const struct rule int_rules[] = {
    NAME,
    {"bitWidth", FORM_INTEGER, REQUIRED, AS(integer.bit_width), NULL},
    {"isSigned", FORM_BOOL, REQUIRED, AS(integer.is_signed), NULL},
};
static const struct rule floating_point_rules[] = {
    NAME,
    {"precision", FORM_WORD, REQUIRED, AS(floating_point.precision), precisions},
};
static const struct rule decimal_rules[] = {
    NAME,
    {"precision", FORM_INTEGER, REQUIRED, AS(decimal.precision), NULL},
    {"scale", FORM_INTEGER, REQUIRED, AS(decimal.scale), NULL},
    {"bitWidth", FORM_INTEGER, OPTIONAL, AS(decimal.bit_width), NULL},
};
static const struct rule date_rules[] = {
    NAME,
    {"unit", FORM_WORD, REQUIRED, AS(date.unit), date_units},
};
static const struct rule time_rules[] = {
    NAME,
    {"unit", FORM_WORD, REQUIRED, AS(time.unit), units},
    {"bitWidth", FORM_INTEGER, REQUIRED, AS(time.bit_width), NULL},
};
static const struct rule timestamp_rules[] = {
    NAME,
    {"unit", FORM_WORD, REQUIRED, AS(timestamp.unit), units},
    {"timezone", FORM_STRING, OPTIONAL, AS(timestamp.timezone), NULL},
};
static const struct rule duration_rules[] = {
    NAME,
    {"unit", FORM_WORD, REQUIRED, AS(duration.unit), units},
};
static const struct rule interval_rules[] = {
    NAME,
    {"unit", FORM_WORD, REQUIRED, AS(interval.unit), interval_units},
};
static const struct rule fixed_size_binary_rules[] = {
    NAME,
    {"byteWidth", FORM_INTEGER, REQUIRED, AS(fixed_size_binary.byte_width), NULL},
};
static const struct rule fixed_size_list_rules[] = {
    NAME,
    {"listSize", FORM_INTEGER, REQUIRED, AS(fixed_size_list.list_size), NULL},
};
static const struct rule map_rules[] = {
    NAME,
    {"keysSorted", FORM_BOOL, REQUIRED, AS(map.keys_sorted), NULL},
};
static const struct rule union_rules[] = {
    NAME,
    {"mode", FORM_WORD, REQUIRED, AS(union_.mode), modes},
    {"typeIds", FORM_TYPE_IDS, REQUIRED, AS(union_.type_ids), NULL},
};

struct type_name {
    const char *name;
    int32_t id;
    int32_t bit_width; /* of decimals */
    struct object_rules object;
};

static const struct type_name type_names[] = {
    {"null", FLETCH_TYPE_NULL, 0, RULES(no_rules)},
    {"bool", FLETCH_TYPE_BOOL, 0, RULES(no_rules)},
    {"utf8", FLETCH_TYPE_UTF8, 0, RULES(no_rules)},
    {"largeutf8", FLETCH_TYPE_LARGE_UTF8, 0, RULES(no_rules)},
    {"utf8view", FLETCH_TYPE_UTF8_VIEW, 0, RULES(no_rules)},
    {"binary", FLETCH_TYPE_BINARY, 0, RULES(no_rules)},
    {"largebinary", FLETCH_TYPE_LARGE_BINARY, 0, RULES(no_rules)},
    {"binaryview", FLETCH_TYPE_BINARY_VIEW, 0, RULES(no_rules)},
    {"int", FLETCH_TYPE_INT, 0, RULES(int_rules)},
    {"floatingpoint", FLETCH_TYPE_FLOATING_POINT, 0, RULES(floating_point_rules)},
    {"decimal", FLETCH_TYPE_DECIMAL, 128, RULES(decimal_rules)},
    {"decimal32", FLETCH_TYPE_DECIMAL, 32, RULES(decimal_rules)},
    {"decimal64", FLETCH_TYPE_DECIMAL, 64, RULES(decimal_rules)},
    {"decimal128", FLETCH_TYPE_DECIMAL, 128, RULES(decimal_rules)},
    {"decimal256", FLETCH_TYPE_DECIMAL, 256, RULES(decimal_rules)},
    {"date", FLETCH_TYPE_DATE, 0, RULES(date_rules)},
    {"time", FLETCH_TYPE_TIME, 0, RULES(time_rules)},
    {"timestamp", FLETCH_TYPE_TIMESTAMP, 0, RULES(timestamp_rules)},
    {"duration", FLETCH_TYPE_DURATION, 0, RULES(duration_rules)},
    {"interval", FLETCH_TYPE_INTERVAL, 0, RULES(interval_rules)},
    {"fixedsizebinary", FLETCH_TYPE_FIXED_SIZE_BINARY, 0, RULES(fixed_size_binary_rules)},
    {"list", FLETCH_TYPE_LIST, 0, RULES(no_rules)},
    {"largelist", FLETCH_TYPE_LARGE_LIST, 0, RULES(no_rules)},
    {"listview", FLETCH_TYPE_LIST_VIEW, 0, RULES(no_rules)},
    {"largelistview", FLETCH_TYPE_LARGE_LIST_VIEW, 0, RULES(no_rules)},
    {"fixedsizelist", FLETCH_TYPE_FIXED_SIZE_LIST, 0, RULES(fixed_size_list_rules)},
    {"struct", FLETCH_TYPE_STRUCT, 0, RULES(no_rules)},
    {"map", FLETCH_TYPE_MAP, 0, RULES(map_rules)},
    {"union", FLETCH_TYPE_UNION, 0, RULES(union_rules)},
    {"runendencoded", FLETCH_TYPE_RUN_END_ENCODED, 0, RULES(no_rules)},
};

/* Reading by rules */

#define MOST_TYPE_IDS 128

struct maker {
    const struct json_document *document;
    fletch_builder *builder;
    struct json_error *error;
    int32_t type_ids[MOST_TYPE_IDS]; /* of the type at hand */
};

static bool fail_by_range(const struct maker *maker, const struct json_value *value, int64_t least,
                          int64_t most)
{
    char sentence[128];

    snprintf(sentence, sizeof sentence, "a whole number from %lld to %lld is wanted",
             (long long)least, (long long)most);
    return json_fail(maker->error, value->at, sentence);
}

static bool read_number(const struct maker *maker, const struct json_value *value, int32_t *number)
{
    int64_t integer;

    if (!json_integer(value, INT32_MIN, INT32_MAX, &integer))
        return fail_by_range(maker, value, INT32_MIN, INT32_MAX);
    *number = (int32_t)integer;
    return true;
}

static bool read_type_ids(struct maker *maker, const struct json_value *value, fletch_integers *ids)
{
    const struct json_value *id;

    if (value->kind != JSON_ARRAY) return json_fail(maker->error, value->at, "an array is wanted");
    memset(ids, 0, sizeof *ids);
    ids->data = maker->type_ids;
    ids->width = 4;
    ids->native = true;
    for (id = json_first(maker->document, value); id != NULL; id = json_next(maker->document, id)) {
        if (ids->count == MOST_TYPE_IDS)
            return json_fail(maker->error, id->at, "a union has at most 128 type ids");
        if (!read_number(maker, id, &maker->type_ids[ids->count++])) return false;
    }
    return true;
}

static bool read_word(const struct maker *maker, const struct json_value *value,
                      const char *const *words, int32_t *number)
{
    char sentence[128] = "one of these is wanted:";
    size_t used = strlen(sentence);
    int32_t i;

    for (i = 0; words[i] != NULL; i++) {
        if (value->kind == JSON_STRING && json_is(value->text, words[i])) {
            *number = i;
            return true;
        }
        used += (size_t)snprintf(sentence + used, sizeof sentence - used, " %s", words[i]);
    }
    return json_fail(maker->error, value->at, sentence);
}

static bool want(const struct maker *maker, const struct json_value *value, bool is_right,
                 const char *sentence)
{
    return is_right || json_fail(maker->error, value->at, sentence);
}

/* Reads a value to where its rule says. */
static bool read_form(struct maker *maker, const struct json_value *value, const struct rule *rule,
                      void *to)
{
    const bool is_true = value->kind == JSON_TRUE;

    switch (rule->form) {
    case FORM_BOOL:
        *(bool *)to = is_true;
        return want(maker, value, is_true || value->kind == JSON_FALSE, "true or false is wanted");
    case FORM_INTEGER: return read_number(maker, value, to);
    case FORM_LONG:
        return json_integer(value, INT64_MIN, INT64_MAX, to) ||
               fail_by_range(maker, value, INT64_MIN, INT64_MAX);
    case FORM_WORD: return read_word(maker, value, rule->words, to);
    case FORM_STRING:
        *(fletch_string *)to = value->text;
        return want(maker, value, value->kind == JSON_STRING, "a string is wanted");
    case FORM_TYPE_IDS: return read_type_ids(maker, value, to);
    case FORM_OBJECT:
        *(const struct json_value **)to = value;
        return want(maker, value, value->kind == JSON_OBJECT, "an object is wanted");
    case FORM_ARRAY:
        *(const struct json_value **)to = value;
        return want(maker, value, value->kind == JSON_ARRAY, "an array is wanted");
    default: return true;
    }
}

/* The place of a member's rule; `count` when there is none. */
static size_t find_rule(const struct object_rules *object, fletch_string key)
{
    size_t i;

    for (i = 0; i < object->count && !json_is(key, object->rules[i].name); i++)
        continue;
    return i;
}

/* Reads an object into a struct, whose optional members have their defaults. */
static bool read_object(struct maker *maker, const struct json_value *value,
                        const struct object_rules *object, void *to)
{
    const struct json_value *member;
    unsigned seen = 0;
    size_t i;

    if (value->kind != JSON_OBJECT)
        return json_fail(maker->error, value->at, "an object is wanted");
    for (member = json_first(maker->document, value); member != NULL;
         member = json_next(maker->document, member)) {
        const struct rule *rule;

        i = find_rule(object, member->key);
        if (i == object->count)
            return json_fail_about(maker->error, member->key_at, "unknown member", member->key);
        rule = &object->rules[i];
        seen |= 1u << i;
        if (member->kind == JSON_NULL && ((rule->presence & NULLABLE) != 0 || !rule->presence))
            continue;
        if (!read_form(maker, member, rule, (char *)to + rule->offset)) return false;
    }
    for (i = 0; i < object->count; i++)
        if ((object->rules[i].presence & REQUIRED) != 0 && (seen & 1u << i) == 0)
            return json_fail_about(maker->error, value->at, "this object lacks",
                                   fletch_text(object->rules[i].name));
    return true;
}

/* Reading types */

/* The member of an object with this name; NULL: it has none. */
static const struct json_value *find_member(const struct json_document *document,
                                            const struct json_value *object, const char *name)
{
    const struct json_value *member = NULL;

    if (object->kind == JSON_OBJECT) member = json_first(document, object);
    while (member != NULL && !json_is(member->key, name))
        member = json_next(document, member);
    return member;
}

/* The row of a type object's name; NULL: `error` says why there is none. */
static const struct type_name *find_type(const struct maker *maker, const struct json_value *value)
{
    const struct json_value *name = find_member(maker->document, value, "name");
    size_t i;

    if (name == NULL) {
        (void)json_fail_about(maker->error, value->at, "this object lacks", fletch_text("name"));
        return NULL;
    }
    if (!want(maker, name, name->kind == JSON_STRING, "a string is wanted")) return NULL;
    for (i = 0; i < sizeof type_names / sizeof type_names[0]; i++)
        if (json_is(name->text, type_names[i].name)) return &type_names[i];
    (void)json_fail_about(maker->error, name->at, "there is no type", name->text);
    return NULL;
}

static bool read_type(struct maker *maker, const struct json_value *value, fletch_type *type)
{
    const struct type_name *row = find_type(maker, value);

    if (row == NULL) return false;
    *type = fletch_type_of(row->id);
    if (row->id == FLETCH_TYPE_DECIMAL) type->as.decimal.bit_width = row->bit_width;
    if (!read_object(maker, value, &row->object, type)) return false;
    if (row->id == FLETCH_TYPE_TIMESTAMP)
        type->as.timestamp.has_timezone = type->as.timestamp.timezone.size != 0;
    if (row->id == FLETCH_TYPE_UNION) type->as.union_.has_type_ids = true;
    if (row->id == FLETCH_TYPE_DECIMAL && strcmp(row->name, "decimal") != 0 &&
        type->as.decimal.bit_width != row->bit_width)
        return json_fail_about(maker->error, value->at, "bitWidth is not that of",
                               fletch_text(row->name));
    return true;
}

static bool read_dictionary(struct maker *maker, const struct json_value *value,
                            fletch_dictionary *dictionary)
{
    struct dictionary_parts parts = {0, false, NULL};
    struct index_type_parts index_type;

    memset(&index_type, 0, sizeof index_type);
    if (!read_object(maker, value, &dictionary_object, &parts) ||
        !read_object(maker, parts.index_type, &index_type_object, &index_type))
        return false;
    if (!json_is(index_type.name, "int"))
        return json_fail(maker->error, parts.index_type->at, "the indexType's name is not int");
    dictionary->id = parts.id;
    dictionary->is_ordered = parts.is_ordered;
    dictionary->index_type = index_type.type;
    dictionary->has_index_type = true;
    dictionary->kind = FLETCH_DENSE_ARRAY;
    return true;
}

/* Building */

/* What the builder has against what is at `at`. */
static bool refuse(const struct maker *maker, size_t at)
{
    const void *bytes;
    size_t size;
    fletch_error error;
    char sentence[sizeof maker->error->sentence];

    (void)fletch_finish(maker->builder, FLETCH_SCHEMA, &bytes, &size, &error);
    snprintf(sentence, sizeof sentence, "%s: %s%s%s%s", fletch_status_word(error.status),
             error.sentence, error.path[0] != '\0' ? " (path " : "", error.path,
             error.path[0] != '\0' ? ")" : "");
    (void)json_fail(maker->error, at, sentence);
    maker->error->is_memory = error.status == FLETCH_NO_MEMORY;
    return false;
}

static bool accept(const struct maker *maker, fletch_status status, size_t at)
{
    return status == FLETCH_OK || refuse(maker, at);
}

static bool add_metadata(struct maker *maker, const struct json_value *pairs)
{
    const struct json_value *value = pairs != NULL ? json_first(maker->document, pairs) : NULL;

    for (; value != NULL; value = json_next(maker->document, value)) {
        fletch_key_value pair;

        if (!read_object(maker, value, &pair_object, &pair) ||
            !accept(maker, fletch_add_metadata_string(maker->builder, pair.key, pair.value),
                    value->at))
            return false;
    }
    return true;
}

/* Opens a field: all of it but its metadata and children. */
static bool begin_field(struct maker *maker, const struct json_value *value,
                        const struct field_parts *parts)
{
    fletch_field field;

    memset(&field, 0, sizeof field);
    field.name = parts->name;
    field.nullable = parts->nullable;
    field.has_dictionary = parts->dictionary != NULL;
    return read_type(maker, parts->type, &field.type) &&
           (!field.has_dictionary ||
            read_dictionary(maker, parts->dictionary, &field.dictionary)) &&
           accept(maker, fletch_begin_field_like(maker->builder, &field), value->at);
}

static bool add_fields(struct maker *maker, const struct json_value *fields);

/* Calls itself by way of add_fields, as deep as JSON_MOST_DEPTH lets children nest. */
static bool add_field(struct maker *maker, const struct json_value *value)
{
    struct field_parts parts;

    memset(&parts, 0, sizeof parts);
    parts.name = fletch_text("");
    return read_object(maker, value, &field_object, &parts) && begin_field(maker, value, &parts) &&
           add_metadata(maker, parts.metadata) && add_fields(maker, parts.children) &&
           accept(maker, fletch_end_field(maker->builder), value->at);
}

static bool add_fields(struct maker *maker, const struct json_value *fields)
{
    const struct json_value *value = fields != NULL ? json_first(maker->document, fields) : NULL;

    for (; value != NULL; value = json_next(maker->document, value))
        if (!add_field(maker, value)) return false;
    return true;
}

bool json_build_schema(const struct json_document *document, fletch_builder *builder,
                       struct json_error *error)
{
    const struct json_value *root = json_root(document);
    const struct json_value *schema = find_member(document, root, "schema");
    struct schema_parts parts = {NULL, NULL};
    struct maker maker;
    bool is_read;

    maker.document = document;
    maker.builder = builder;
    maker.error = error;
    if (schema != NULL)
        is_read = read_object(&maker, schema, &schema_object, &parts);
    else
        is_read = read_object(&maker, root, &root_object, &parts);
    return is_read && add_fields(&maker, parts.fields) && add_metadata(&maker, parts.metadata);
}
