/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schemas as text.
 *
 * Everything is written through a sink, which remembers that the writer refused; all that is read
 * goes through the walk, so its budgets bound the work. Text budget is taken for every string
 * before it is written.
 */
#include "fletch/text.h"

#include "rules.h"
#include "utf8.h"
#include "verify.h"
#include "walk.h"

struct sink {
    fletch_write write;
    void *context;
    size_t left; /* bytes before the text is cut; SIZE_MAX: no bound */
    bool is_cut, is_refused;
};

struct printer {
    struct sink sink;
    const fletch_schema *schema; /* NULL when a field alone is printed */
    const fletch_print_options *options;
    fletch_walk *walk;
    struct fault fault;
};

static const fletch_print_options default_options = {{0, 0, 0}, 0, 0, false};

static void put_bytes(struct sink *sink, const char *bytes, size_t size)
{
    if (sink->is_refused || size == 0) return;
    if (!sink->write(sink->context, bytes, size)) sink->is_refused = true;
}

/* A piece that is written whole, or cut away with all that follows it. */
static void put_piece(struct sink *sink, const char *bytes, size_t size)
{
    if (sink->is_cut) return;
    if (size > sink->left) {
        sink->is_cut = true;
        put_bytes(sink, "...", 3);
        return;
    }
    if (sink->left != SIZE_MAX) sink->left -= size;
    put_bytes(sink, bytes, size);
}

static void put(struct sink *sink, const char *text)
{
    put_piece(sink, text, strlen(text));
}

static void put_number(struct sink *sink, int64_t value)
{
    char digits[24];
    short_text text = {digits, sizeof digits, 0, SIZE_MAX, SIZE_MAX};

    fletch_append_number(&text, value);
    put(sink, digits);
}

static void put_hex(struct sink *sink, const char *prefix, uint32_t value, uint32_t digits)
{
    static const char hex[] = "0123456789abcdef";
    char text[12];
    size_t used = strlen(prefix);

    memcpy(text, prefix, used);
    while (digits != 0)
        text[used++] = hex[value >> (4 * --digits) & 15u];
    put_piece(sink, text, used);
}

/* Terminals */

/* Characters that move, hide or turn what a terminal shows: C1, marks of line and direction. */
static bool is_unsafe(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

static uint32_t code_of(const uint8_t *bytes, size_t size)
{
    uint32_t code = size == 1 ? bytes[0] : bytes[0] & (0x7Fu >> size);
    size_t i;

    for (i = 1; i < size; i++)
        code = code << 6 | (bytes[i] & 0x3Fu);
    return code;
}

/* Writes the character at `bytes`, escaped where it must be; returns its size in bytes. */
static size_t put_safe_character(struct sink *sink, const uint8_t *bytes, size_t left)
{
    const size_t size = utf8_character(bytes, left);
    char copy[4];
    uint32_t code;

    if (size == 0) {
        put_hex(sink, "\\x", bytes[0], 2);
        return 1;
    }
    memcpy(copy, bytes, size);
    code = code_of((const uint8_t *)copy, size);
    if (code == '\n')
        put(sink, "\\n");
    else if (code == '\r')
        put(sink, "\\r");
    else if (code == '\t')
        put(sink, "\\t");
    else if (code == '\\')
        put(sink, "\\\\");
    else if (is_unsafe(code))
        put_hex(sink, code < 0x80 ? "\\x" : "\\u", code, code < 0x80 ? 2 : 4);
    else
        put_piece(sink, copy, size);
    return size;
}

static void put_safe(struct sink *sink, fletch_string string)
{
    const uint8_t *bytes = (const uint8_t *)string.data;
    size_t at = 0;

    while (at < string.size && !sink->is_cut && !sink->is_refused)
        at += put_safe_character(sink, bytes + at, string.size - at);
}

/* Takes the text budget for a string of the field the walk stands at. */
static bool take_string(struct printer *printer, fletch_string string)
{
    return fletch_take_text(printer->walk, string.size, 0, &printer->fault);
}

/* Type names */

const char *fletch_type_name(int32_t id)
{
    return id >= 0 && id < TYPE_COUNT ? fletch_type_shapes[id].name : "unknown";
}

static void put_unit(struct sink *sink, int32_t unit)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};

    if (unit >= 0 && unit <= FLETCH_NANOSECOND) {
        put(sink, units[unit]);
        return;
    }
    put(sink, "unit ");
    put_number(sink, unit);
}

static void put_int(struct sink *sink, const fletch_int_type *type)
{
    put(sink, type->is_signed ? "int" : "uint");
    put_number(sink, type->bit_width);
}

/* One of a few names by number, or what the number is. */
static void put_choice(struct sink *sink, const char *const *names, int32_t count, int32_t value,
                       const char *otherwise)
{
    if (value >= 0 && value < count) {
        put(sink, names[value]);
        return;
    }
    put(sink, otherwise);
    put_number(sink, value);
    put(sink, "]");
}

static void put_decimal(struct sink *sink, const fletch_type *type)
{
    put(sink, "decimal");
    put_number(sink, type->as.decimal.bit_width);
    put(sink, "(");
    put_number(sink, type->as.decimal.precision);
    put(sink, ", ");
    put_number(sink, type->as.decimal.scale);
    put(sink, ")");
}

static bool put_timestamp(struct printer *printer, const fletch_type *type)
{
    struct sink *sink = &printer->sink;
    const fletch_string zone = type->as.timestamp.timezone;

    if (!take_string(printer, zone)) return false;
    put(sink, "timestamp[");
    put_unit(sink, type->as.timestamp.unit);
    if (zone.size != 0) put(sink, ", tz=");
    put_safe(sink, zone);
    put(sink, "]");
    return true;
}

static void put_bracketed(struct sink *sink, const char *name, int32_t unit)
{
    put(sink, name);
    put(sink, "[");
    put_unit(sink, unit);
    put(sink, "]");
}

/* Types whose name is the same whatever their members are. */
static const char *plain_name(int32_t id)
{
    static const char *const names[TYPE_COUNT] = {"no type",
                                                  "null",
                                                  NULL,
                                                  NULL,
                                                  "binary",
                                                  "string",
                                                  "bool",
                                                  NULL,
                                                  NULL,
                                                  NULL,
                                                  NULL,
                                                  NULL,
                                                  "list",
                                                  "struct",
                                                  NULL,
                                                  NULL,
                                                  "fixed_size_list",
                                                  "map",
                                                  NULL,
                                                  "large_binary",
                                                  "large_string",
                                                  "large_list",
                                                  "run_end_encoded",
                                                  "binary_view",
                                                  "string_view",
                                                  "list_view",
                                                  "large_list_view"};

    return id >= 0 && id < TYPE_COUNT ? names[id] : NULL;
}

/* A type's name without its children: all of it for a leaf. */
static bool put_type_head(struct printer *printer, const fletch_type *type)
{
    static const char *const precisions[] = {"halffloat", "float", "double"};
    static const char *const dates[] = {"date32[day]", "date64[ms]"};
    static const char *const intervals[] = {"month_interval", "day_time_interval",
                                            "month_day_nano_interval"};
    static const char *const modes[] = {"sparse_union", "dense_union"};
    struct sink *sink = &printer->sink;
    const char *name = plain_name(type->id);

    if (name != NULL) {
        put(sink, name);
        return true;
    }
    switch (type->id) {
    case FLETCH_TYPE_INT: put_int(sink, &type->as.integer); break;
    case FLETCH_TYPE_FLOATING_POINT:
        put_choice(sink, precisions, 3, type->as.floating_point.precision, "float[precision ");
        break;
    case FLETCH_TYPE_DECIMAL: put_decimal(sink, type); break;
    case FLETCH_TYPE_DATE: put_choice(sink, dates, 2, type->as.date.unit, "date[unit "); break;
    case FLETCH_TYPE_TIME:
        put(sink, "time");
        put_number(sink, type->as.time.bit_width);
        put_bracketed(sink, "", type->as.time.unit);
        break;
    case FLETCH_TYPE_TIMESTAMP: return put_timestamp(printer, type);
    case FLETCH_TYPE_INTERVAL:
        put_choice(sink, intervals, 3, type->as.interval.unit, "interval[unit ");
        break;
    case FLETCH_TYPE_UNION: put_choice(sink, modes, 2, type->as.union_.mode, "union[mode "); break;
    case FLETCH_TYPE_FIXED_SIZE_BINARY:
        put(sink, "fixed_size_binary[");
        put_number(sink, type->as.fixed_size_binary.byte_width);
        put(sink, "]");
        break;
    case FLETCH_TYPE_DURATION: put_bracketed(sink, "duration", type->as.duration.unit); break;
    default:
        put(sink, "unknown type ");
        put_number(sink, type->id);
        break;
    }
    return true;
}

static bool is_nested(const fletch_type *type)
{
    return fletch_child_count(type->id) != 0;
}

/* The struct between a map and its key and value, which the map's name leaves out. */
static bool is_map_entries(const fletch_field *field, int32_t parent)
{
    return parent == FLETCH_TYPE_MAP && field->type.id == FLETCH_TYPE_STRUCT &&
           fletch_count_fields(&field->children) == 2;
}

/* Whether the walk stands at a key or value of a map's entries. */
static bool is_map_member(const fletch_walk *walk)
{
    return walk->run.parent_type == FLETCH_TYPE_STRUCT &&
           fletch_walk_grandparent(walk) == FLETCH_TYPE_MAP && walk->run.end - walk->run.begin == 8;
}

static bool open_type(struct printer *printer, const fletch_field *field)
{
    if (field->has_dictionary) put(&printer->sink, "dictionary<values=");
    if (!put_type_head(printer, &field->type)) return false;
    if (is_nested(&field->type)) put(&printer->sink, "<");
    return true;
}

/* A map's child name, where it is not the usual one. */
static bool put_unusual(struct printer *printer, const fletch_field *field, const char *usual)
{
    if (fletch_same_string(field->name, fletch_text(usual))) return true;
    if (!take_string(printer, field->name)) return false;
    put(&printer->sink, " ('");
    put_safe(&printer->sink, field->name);
    put(&printer->sink, "')");
    return true;
}

static bool close_map(struct printer *printer, const fletch_field *field)
{
    fletch_field entries;

    if (field->type.as.map.keys_sorted) put(&printer->sink, ", keys_sorted");
    if (fletch_field_at(&field->children, 0, &entries) != FLETCH_OK ||
        !is_map_entries(&entries, FLETCH_TYPE_MAP))
        return true;
    return fletch_take_tables(printer->walk, 1, 0, &printer->fault) &&
           put_unusual(printer, &entries, "entries");
}

/* What comes behind a type's children. */
static bool close_type(struct printer *printer, const fletch_field *field)
{
    struct sink *sink = &printer->sink;

    if (field->type.id == FLETCH_TYPE_MAP && !close_map(printer, field)) return false;
    if (is_nested(&field->type)) put(sink, ">");
    if (field->type.id == FLETCH_TYPE_FIXED_SIZE_LIST) {
        put(sink, "[");
        put_number(sink, field->type.as.fixed_size_list.list_size);
        put(sink, "]");
    }
    if (!field->has_dictionary) return true;
    put(sink, ", indices=");
    put_int(sink, &field->dictionary.index_type);
    put(sink, field->dictionary.is_ordered ? ", ordered=1>" : ", ordered=0>");
    return true;
}

/* "name: " before a child's type, or what stands for it. */
static bool put_child_name(struct printer *printer, const fletch_field *field)
{
    const fletch_walk *walk = printer->walk;
    const uint32_t index = fletch_walk_index(walk);

    if (index != 0) put(&printer->sink, ", ");
    if (is_map_member(walk)) return true;
    if (fletch_walk_parent(walk) == FLETCH_TYPE_RUN_END_ENCODED && index < 2) {
        put(&printer->sink, index == 0 ? "run_ends: " : "values: ");
        return true;
    }
    if (!take_string(printer, field->name)) return false;
    put_safe(&printer->sink, field->name);
    put(&printer->sink, ": ");
    return true;
}

/* "=5" behind a union's child. */
static bool put_type_id(struct printer *printer, const fletch_field *root)
{
    fletch_walk *walk = printer->walk;
    fletch_field parent = *root;

    if (walk->open_runs > 1 && !fletch_walk_again(walk, walk->run.parent, &parent, &printer->fault))
        return false;
    put(&printer->sink, "=");
    put_number(&printer->sink, fletch_union_type_id(&parent.type, fletch_walk_index(walk)));
    return true;
}

/* What comes behind a child's type. */
static bool put_child_end(struct printer *printer, const fletch_field *field,
                          const fletch_field *root)
{
    const fletch_walk *walk = printer->walk;
    const uint32_t index = fletch_walk_index(walk);
    const int32_t parent = fletch_walk_parent(walk);

    if (is_map_member(walk)) return put_unusual(printer, field, index == 0 ? "key" : "value");
    if (parent == FLETCH_TYPE_RUN_END_ENCODED && index < 2) return true;
    if (!field->nullable) put(&printer->sink, " not null");
    return parent != FLETCH_TYPE_UNION || put_type_id(printer, root);
}

static bool enter_child(struct printer *printer, const fletch_field *field,
                        const fletch_field *root)
{
    if (is_map_entries(field, fletch_walk_parent(printer->walk))) return true;
    if (!put_child_name(printer, field) || !open_type(printer, field)) return false;
    if (!is_nested(&field->type)) fletch_walk_skip(printer->walk);
    if (is_nested(&field->type) && fletch_count_fields(&field->children) != 0) return true;
    return close_type(printer, field) && put_child_end(printer, field, root);
}

static bool leave_child(struct printer *printer, const fletch_field *root)
{
    fletch_field field;

    if (!fletch_walk_again(printer->walk, printer->walk->left_at, &field, &printer->fault))
        return false;
    if (is_map_entries(&field, fletch_walk_parent(printer->walk))) return true;
    return close_type(printer, &field) && put_child_end(printer, &field, root);
}

/* The whole type of `root`, by a walk of its own. */
static bool put_type(struct printer *printer, const fletch_field *root)
{
    fletch_field field;

    fletch_walk_over(printer->walk, &root->children, root->at, root->type.id,
                     &printer->options->limits);
    if (!open_type(printer, root)) return false;
    if (!is_nested(&root->type)) fletch_walk_skip(printer->walk);
    while (!printer->sink.is_refused && !printer->sink.is_cut) {
        switch (fletch_walk_step(printer->walk, &field, &printer->fault)) {
        case WALK_FIELD:
            if (!enter_child(printer, &field, root)) return false;
            break;
        case WALK_LEAVE:
            if (!leave_child(printer, root)) return false;
            break;
        case WALK_END: return close_type(printer, root);
        default: return false;
        }
    }
    return true;
}

/* Writing into memory */

bool fletch_write_text(void *context, const char *text, size_t size)
{
    fletch_text_buffer *buffer = context;

    if (buffer->used < buffer->size) {
        const size_t left = buffer->size - buffer->used - 1;
        const size_t fits = size < left ? size : left;

        memcpy(buffer->data + buffer->used, text, fits);
        buffer->data[buffer->used + fits] = '\0';
    }
    buffer->used += size;
    return true;
}

/* Ends of calls */

static fletch_status end_print(struct printer *printer, bool is_whole, const fletch_walk *walk,
                               fletch_error *error)
{
    const fletch_schema *schema = printer->schema;

    fletch_clear_error(error);
    if (printer->sink.is_refused) {
        fletch_say_fault(error, FAULT_WRITER_REFUSED, 0, 0, 0);
        return FLETCH_NO_SPACE;
    }
    if (is_whole) return FLETCH_OK;
    fletch_tell(error, &printer->fault, schema != NULL ? schema->origin : 0,
                schema != NULL ? fletch_schema_prefix(schema) : "",
                walk->open_runs != 0 ? walk : NULL);
    return fletch_fault_status(printer->fault.reason);
}

static void begin_print(struct printer *printer, const fletch_schema *schema,
                        const fletch_print_options *options, fletch_walk *walk, fletch_write write,
                        void *context)
{
    printer->sink.write = write;
    printer->sink.context = context;
    printer->sink.left = SIZE_MAX;
    printer->sink.is_cut = printer->sink.is_refused = false;
    printer->schema = schema;
    printer->options = options != NULL ? options : &default_options;
    printer->walk = walk;
    printer->fault.reason = FAULT_NONE;
}

fletch_status fletch_print_type(const fletch_field *field, const fletch_print_options *options,
                                fletch_write write, void *context, fletch_error *error)
{
    struct printer printer;
    fletch_walk walk;
    bool is_whole;

    begin_print(&printer, NULL, options, &walk, write, context);
    if (printer.options->max_type != 0) printer.sink.left = printer.options->max_type;
    is_whole = put_type(&printer, field);
    return end_print(&printer, is_whole, &walk, error);
}

/* The tree */

/* Colours, each ended by RESET. */
#define BOLD  "\x1b[1m"
#define CYAN  "\x1b[36m"
#define DIM   "\x1b[2m"
#define RED   "\x1b[31m"
#define RESET "\x1b[0m"

static void color(struct printer *printer, const char *code)
{
    if (printer->options->color) put(&printer->sink, code);
}

static void put_colored(struct printer *printer, const char *code, const char *text)
{
    color(printer, code);
    put(&printer->sink, text);
    color(printer, RESET);
}

static void indent(struct printer *printer, uint32_t depth)
{
    while (depth-- != 0)
        put(&printer->sink, "  ");
}

static void put_count(struct printer *printer, uint64_t count, const char *noun)
{
    put_number(&printer->sink, (int64_t)count);
    put(&printer->sink, " ");
    put(&printer->sink, noun);
    if (count != 1) put(&printer->sink, "s");
}

/* A name, or what stands for one that is absent or empty. */
static bool put_name(struct printer *printer, fletch_string name, bool is_there)
{
    if (!take_string(printer, name)) return false;
    color(printer, BOLD);
    put(&printer->sink, !is_there ? "(no name)" : name.size == 0 ? "\"\"" : "");
    put_safe(&printer->sink, name);
    color(printer, RESET);
    return true;
}

/* A value, cut to what the options allow. */
static bool put_value(struct printer *printer, fletch_string value, bool is_there)
{
    const size_t most = printer->options->max_value;
    struct sink *sink = &printer->sink;

    if (!is_there) {
        put(sink, "(absent)");
        return true;
    }
    if (most != 0) sink->left = most;
    if (!take_string(printer, value)) return false;
    put_safe(sink, value);
    sink->left = SIZE_MAX;
    if (!sink->is_cut) return true;
    sink->is_cut = false;
    put(sink, " (");
    put_count(printer, value.size, "byte");
    put(sink, ")");
    return true;
}

static bool put_pairs(struct printer *printer, fletch_metadata pairs, uint32_t depth)
{
    fletch_key_value pair;

    while (fletch_walk_pair(printer->walk, &pairs, &pair, &printer->fault)) {
        if (!take_string(printer, pair.key)) return false;
        indent(printer, depth);
        color(printer, DIM);
        put(&printer->sink, "- ");
        put(&printer->sink, pair.has_key ? "" : "(no key)");
        put_safe(&printer->sink, pair.key);
        put(&printer->sink, ": ");
        if (!put_value(printer, pair.value, pair.has_value)) return false;
        color(printer, RESET);
        put(&printer->sink, "\n");
    }
    return printer->fault.reason == FAULT_NONE;
}

/* A field's type on its own line: children have lines of theirs. */
static bool put_tree_type(struct printer *printer, const fletch_field *field)
{
    const bool is_known = field->type.id != FLETCH_TYPE_NONE && field->type.id < TYPE_COUNT;
    struct sink *sink = &printer->sink;

    color(printer, is_known ? CYAN : RED);
    if (field->has_dictionary) put(sink, "dictionary<values=");
    if (!put_type_head(printer, &field->type)) return false;
    if (field->type.id == FLETCH_TYPE_FIXED_SIZE_LIST) {
        put(sink, "[");
        put_number(sink, field->type.as.fixed_size_list.list_size);
        put(sink, "]");
    }
    if (field->type.id == FLETCH_TYPE_MAP && field->type.as.map.keys_sorted)
        put(sink, ", keys_sorted");
    if (field->has_dictionary) {
        put(sink, ", indices=");
        put_int(sink, &field->dictionary.index_type);
        put(sink, field->dictionary.is_ordered ? ", ordered=1>" : ", ordered=0>");
    }
    color(printer, RESET);
    return true;
}

/* What else there is to say of a field on its line. */
static bool put_notes(struct printer *printer, const fletch_field *field)
{
    struct sink *sink = &printer->sink;
    fletch_extension extension;
    fletch_status status;

    if (field->has_dictionary) {
        put(sink, " id=");
        put_number(sink, field->dictionary.id);
        if (field->dictionary.kind != FLETCH_DENSE_ARRAY) {
            put(sink, ", unknown dictionary kind ");
            put_number(sink, field->dictionary.kind);
        }
    }
    if (!field->nullable) put(sink, " not null");
    status = fletch_find_extension(field, &extension);
    if (status == FLETCH_MISSING) return true;
    if (status != FLETCH_OK) return fail(&printer->fault, FAULT_CHANGED, field->at, 0, 0);
    if (!fletch_take_tables(printer->walk, fletch_count_metadata(&field->metadata), field->at,
                            &printer->fault) ||
        !take_string(printer, extension.name))
        return false;
    put(sink, " extension<");
    put_safe(sink, extension.name);
    put(sink, ">");
    return true;
}

static bool put_field(struct printer *printer, const fletch_field *field)
{
    const uint32_t depth = printer->walk->open_runs;

    indent(printer, depth);
    if (!put_name(printer, field->name, field->has_name)) return false;
    put(&printer->sink, ": ");
    if (!put_tree_type(printer, field) || !put_notes(printer, field)) return false;
    if (fletch_walk_parent(printer->walk) == FLETCH_TYPE_UNION) {
        put(&printer->sink, " type id");
        if (!put_type_id(printer, field)) return false; /* of the parent: a level further out */
    }
    put(&printer->sink, "\n");
    return put_pairs(printer, field->metadata, depth + 1);
}

static void put_version(struct printer *printer)
{
    const int32_t version = printer->schema->wrapper.version;

    if (printer->schema->wrapper.root == FLETCH_SCHEMA) return;
    put(&printer->sink, ", metadata V");
    put_number(&printer->sink, (int64_t)version + 1);
    if (!printer->schema->wrapper.has_version) put(&printer->sink, " (absent)");
}

static void put_first_line(struct printer *printer)
{
    const fletch_schema *schema = printer->schema;
    struct sink *sink = &printer->sink;

    put_colored(printer, BOLD, fletch_kind_word(schema->wrapper.kind));
    put_version(printer);
    if (schema->wrapper.legacy_framing) put(sink, ", legacy framing");
    if (schema->at == 0) {
        put(sink, ", no schema\n");
        return;
    }
    if (schema->endianness == FLETCH_LITTLE_ENDIAN || schema->endianness == FLETCH_BIG_ENDIAN) {
        put(sink, schema->endianness == FLETCH_BIG_ENDIAN ? ", big-endian" : ", little-endian");
    } else {
        put(sink, ", unknown endianness ");
        put_number(sink, schema->endianness);
    }
    put(sink, ", ");
    put_count(printer, fletch_count_fields(&schema->fields), "field");
    put(sink, "\n");
}

static void put_features(struct printer *printer)
{
    static const char *const names[] = {"unused", "dictionary replacement", "compressed body"};
    const fletch_integers *features = &printer->schema->features;
    struct sink *sink = &printer->sink;
    uint32_t i;

    for (i = 0; i < features->count && !sink->is_refused; i++) {
        const int64_t feature = fletch_integer_at(features, i);

        put(sink, i == 0 ? "  features: " : ", ");
        if (feature >= FLETCH_FEATURE_UNUSED && feature <= FLETCH_FEATURE_COMPRESSED_BODY) {
            put(sink, names[feature]);
        } else {
            put(sink, "unknown feature ");
            put_number(sink, feature);
        }
    }
    if (features->count != 0) put(sink, "\n");
}

static bool put_titled_pairs(struct printer *printer, const char *title, fletch_metadata pairs)
{
    if (fletch_count_metadata(&pairs) == 0) return true;
    put_colored(printer, BOLD, title);
    put(&printer->sink, "\n");
    return put_pairs(printer, pairs, 1);
}

static bool put_tree(struct printer *printer)
{
    const fletch_schema *schema = printer->schema;
    fletch_field field;
    walk_event event;

    put_first_line(printer);
    put_features(printer);
    do {
        event = fletch_walk_step(printer->walk, &field, &printer->fault);
        if (event == WALK_FIELD && !put_field(printer, &field)) return false;
    } while (!printer->sink.is_refused && (event == WALK_FIELD || event == WALK_LEAVE));
    return event != WALK_FAULT && put_titled_pairs(printer, "metadata:", schema->metadata) &&
           put_titled_pairs(printer,
                            schema->wrapper.root == FLETCH_FOOTER ? "footer metadata:"
                                                                  : "message metadata:",
                            schema->wrapper.metadata);
}

fletch_status fletch_print_tree(const fletch_schema *schema, const fletch_print_options *options,
                                fletch_write write, void *context, fletch_error *error)
{
    struct printer printer;
    fletch_walk walk;
    bool is_whole;

    if (!fletch_has_bytes(schema, error)) return FLETCH_MISSING;
    begin_print(&printer, schema, options, &walk, write, context);
    fletch_walk_begin(&walk, schema, &printer.options->limits);
    is_whole = put_tree(&printer);
    return end_print(&printer, is_whole, &walk, error);
}

/* Integration JSON */

/* The letter of JSON's short escape of a character; 0: it has none. */
static char short_escape(char character)
{
    static const char shorts[] = "\bb\ff\nn\rr\tt\"\"\\\\"; /* character, letter, ... */
    size_t i;

    for (i = 0; i + 1 < sizeof shorts - 1; i += 2)
        if (shorts[i] == character) return shorts[i + 1];
    return 0;
}

static void put_json_escape(struct sink *sink, char character)
{
    const char letter = short_escape(character);

    if (letter == 0) {
        put_hex(sink, "\\u", (uint8_t)character, 4);
        return;
    }
    put(sink, "\\");
    put_bytes(sink, &letter, 1);
}

static bool put_json_string(struct printer *printer, fletch_string string)
{
    struct sink *sink = &printer->sink;
    const size_t good = utf8_prefix(string.data, string.size);
    size_t at, begin = 0;

    if (!take_string(printer, string)) return false;
    if (good != string.size)
        return fail(&printer->fault, FAULT_TEXT_NOT_UTF8,
                    (uint32_t)((const uint8_t *)string.data - printer->schema->buffer.bytes) +
                        (uint32_t)good,
                    (int64_t)good, 0);
    put(sink, "\"");
    for (at = 0; at < string.size; at++) {
        const char character = string.data[at];

        if ((uint8_t)character >= 0x20 && character != '"' && character != '\\') continue;
        put_bytes(sink, string.data + begin, at - begin);
        put_json_escape(sink, character);
        begin = at + 1;
    }
    put_bytes(sink, string.data + begin, string.size - begin);
    put(sink, "\"");
    return true;
}

static void put_bool(struct sink *sink, bool value)
{
    put(sink, value ? "true" : "false");
}

/* The type's name in lower case, without the underscore of Struct_. */
static void put_json_type_name(struct sink *sink, int32_t id)
{
    const char *name = fletch_type_name(id);

    for (; *name != '\0'; name++) {
        const char lower = (char)(*name >= 'A' && *name <= 'Z' ? *name + ('a' - 'A') : *name);

        if (lower != '_') put_bytes(sink, &lower, 1);
    }
}

/* An enumerator, which level arrow has found known; its bytes may have changed since. */
static void put_json_word(struct sink *sink, int32_t id, int32_t value)
{
    const char *word = fletch_enumerator_word(&fletch_type_shapes[id], value);

    put(sink, "\"");
    if (word != NULL) put(sink, word);
    put(sink, "\"");
}

static void put_type_ids(struct sink *sink, const fletch_field *field)
{
    const uint32_t count = fletch_count_fields(&field->children);
    uint32_t i;

    put(sink, "[");
    for (i = 0; i < count && !sink->is_refused; i++) {
        if (i != 0) put(sink, ",");
        put_number(sink, fletch_union_type_id(&field->type, i));
    }
    put(sink, "]");
}

/* One member of a type, from its row. */
static bool put_json_member(struct printer *printer, const fletch_field *field,
                            const struct row *row)
{
    const void *member = (const char *)&field->type + row->member;
    struct sink *sink = &printer->sink;

    if (row->kind == ROW_STRING && ((const fletch_string *)member)->size == 0) return true;
    put(sink, ",\"");
    /* The one member that JSON spells otherwise is Int's is_signed. */
    put(sink, field->type.id == FLETCH_TYPE_INT && row->kind == ROW_BOOL ? "isSigned" : row->name);
    put(sink, "\":");
    switch (row->kind) {
    case ROW_BOOL: put_bool(sink, *(const bool *)member); return true;
    case ROW_I32: put_number(sink, *(const int32_t *)member); return true;
    case ROW_I16: put_json_word(sink, field->type.id, *(const int32_t *)member); return true;
    case ROW_STRING:
        return put_json_string(printer, *(const fletch_string *)member) ||
               fail_inside(&printer->fault, row->name, NO_INDEX);
    default: put_type_ids(sink, field); return true;
    }
}

static bool put_json_type(struct printer *printer, const fletch_field *field)
{
    const struct shape *shape;
    uint32_t i;

    /* The schema was checked, but its bytes may have changed since. */
    if (field->type.id >= TYPE_COUNT) return fail(&printer->fault, FAULT_CHANGED, field->at, 0, 0);
    shape = &fletch_type_shapes[field->type.id];
    put(&printer->sink, "{\"name\":\"");
    put_json_type_name(&printer->sink, field->type.id);
    put(&printer->sink, "\"");
    for (i = 0; i < shape->row_count; i++)
        if (!put_json_member(printer, field, &shape->rows[i]))
            return fail_inside(&printer->fault, "type", NO_INDEX);
    put(&printer->sink, "}");
    return true;
}

static bool put_json_pair(struct printer *printer, const fletch_key_value *pair)
{
    put(&printer->sink, "{\"key\":");
    if (!put_json_string(printer, pair->key)) return fail_inside(&printer->fault, "key", NO_INDEX);
    put(&printer->sink, ",\"value\":");
    if (!put_json_string(printer, pair->value))
        return fail_inside(&printer->fault, "value", NO_INDEX);
    put(&printer->sink, "}");
    return true;
}

static bool put_json_pairs(struct printer *printer, fletch_metadata pairs)
{
    fletch_key_value pair;
    uint32_t index;

    if (fletch_count_metadata(&pairs) == 0) return true;
    put(&printer->sink, ",\"metadata\":[");
    for (index = 0; fletch_walk_pair(printer->walk, &pairs, &pair, &printer->fault); index++) {
        if (index != 0) put(&printer->sink, ",");
        if (!put_json_pair(printer, &pair)) break;
    }
    if (printer->fault.reason != FAULT_NONE)
        return fail_inside(&printer->fault, "custom_metadata", index);
    put(&printer->sink, "]");
    return true;
}

static bool open_json_field(struct printer *printer, const fletch_field *field)
{
    struct sink *sink = &printer->sink;

    put(sink, fletch_walk_index(printer->walk) != 0 ? ",{\"name\":" : "{\"name\":");
    if (!put_json_string(printer, field->name))
        return fail_inside(&printer->fault, "name", NO_INDEX);
    put(sink, ",\"nullable\":");
    put_bool(sink, field->nullable);
    put(sink, ",\"type\":");
    if (!put_json_type(printer, field)) return false;
    put(sink, ",\"children\":[");
    return true;
}

static bool close_json_field(struct printer *printer, const fletch_field *field)
{
    struct sink *sink = &printer->sink;

    put(sink, "]");
    if (field->has_dictionary) {
        put(sink, ",\"dictionary\":{\"id\":");
        put_number(sink, field->dictionary.id);
        put(sink, ",\"indexType\":{\"name\":\"int\",\"bitWidth\":");
        put_number(sink, field->dictionary.index_type.bit_width);
        put(sink, ",\"isSigned\":");
        put_bool(sink, field->dictionary.index_type.is_signed);
        put(sink, "},\"isOrdered\":");
        put_bool(sink, field->dictionary.is_ordered);
        put(sink, "}");
    }
    if (!put_json_pairs(printer, field->metadata)) return false;
    put(sink, "}");
    return true;
}

/* A field whose children are done comes again for what follows them. */
static bool put_json_event(struct printer *printer, walk_event event, fletch_field *field)
{
    if (event == WALK_LEAVE)
        return fletch_walk_again(printer->walk, printer->walk->left_at, field, &printer->fault) &&
               close_json_field(printer, field);
    return open_json_field(printer, field) &&
           (fletch_count_fields(&field->children) != 0 || close_json_field(printer, field));
}

static bool put_json(struct printer *printer)
{
    fletch_field field;
    walk_event event;

    put(&printer->sink, "{\"schema\":{\"fields\":[");
    for (;;) {
        event = fletch_walk_step(printer->walk, &field, &printer->fault);
        if (printer->sink.is_refused || event == WALK_END) break;
        if (event == WALK_FAULT || !put_json_event(printer, event, &field)) return false;
    }
    put(&printer->sink, "]");
    if (!put_json_pairs(printer, printer->schema->metadata)) return false;
    put(&printer->sink, "}}");
    return true;
}

fletch_status fletch_print_json(const fletch_schema *schema, const fletch_print_options *options,
                                fletch_write write, void *context, fletch_error *error)
{
    struct printer printer;
    fletch_walk walk;
    fletch_status status;
    bool is_whole;

    begin_print(&printer, schema, options, &walk, write, context);
    status = fletch_verify_schema(schema, FLETCH_LEVEL_ARROW, &printer.options->limits, error);
    if (status != FLETCH_OK) return status;
    fletch_walk_begin(&walk, schema, &printer.options->limits);
    is_whole = put_json(&printer);
    return end_print(&printer, is_whole, &walk, error);
}
