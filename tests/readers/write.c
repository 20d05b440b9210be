/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes schemas for other libraries to read: write FOLDER [FILE...]
 *
 * Every sample below is built with the builder, and every FILE (of any kind the library reads) is
 * copied with fletch_copy_schema. Each gives NAME.stream, .arrow, .schema, .message and .b64 in
 * FOLDER, what fletch_print_json says of it in NAME.json, and in NAME.facts.json what that JSON has
 * no place for. Each top-level field of a sample is also copied into a schema of its own, NAME.N,
 * so that one type that a reader lacks does not hide the others.
 *
 * The facts are what the builder was told, not what was read back; and all kinds of a sample must
 * give the same JSON, or the program ends with an error.
 */
#include <fletch/fletch.h>
#include <fletch/heap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NULLABLE = FLETCH_NULLABLE, REQUIRED = 0, MOST_SINGLE_FIELDS = 64 };

/* A sample: how its schema is added to a fresh builder, and what is set beside it. */
typedef struct sample {
    const char *name;
    void (*add)(fletch_builder *b);
    bool is_v4, is_legacy, has_features, has_wrapper_metadata;
} sample;

/* Bytes that grow. */
typedef struct paper {
    char *text;
    size_t size, space;
} paper;

static const char *folder;

/* Trouble */

static void die(const char *name, const char *what, const fletch_error *error)
{
    fprintf(stderr, "write: %s: %s", name, what);
    if (error != NULL)
        fprintf(stderr, ": %s, %s: %s", fletch_status_word(error->status), error->path,
                error->sentence);
    fputc('\n', stderr);
    exit(2);
}

static bool write_paper(void *context, const char *text, size_t size)
{
    paper *p = context;

    if (p->space - p->size < size) {
        size_t space = 2 * (p->size + size) + 1024;
        char *grown = realloc(p->text, space);
        if (grown == NULL) return false;
        p->text = grown;
        p->space = space;
    }
    if (size != 0) memcpy(p->text + p->size, text, size);
    p->size += size;
    return true;
}

static void save(const char *name, const char *ending, const void *bytes, size_t size)
{
    char path[1024];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
    file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        die(path, "cannot be written", NULL);
}

static paper load(const char *path)
{
    paper p = {NULL, 0, 0};
    char piece[4096];
    size_t size;
    FILE *file = fopen(path, "rb");

    if (file == NULL) die(path, "cannot be read", NULL);
    while ((size = fread(piece, 1, sizeof piece, file)) > 0)
        if (!write_paper(&p, piece, size)) die(path, "no memory", NULL);
    if (ferror(file)) die(path, "cannot be read", NULL);
    fclose(file);
    return p;
}

/* Fields in short */

static void add(fletch_builder *b, const char *name, fletch_type type)
{
    fletch_add_field(b, name, type, NULLABLE);
}

static void add_required(fletch_builder *b, const char *name, fletch_type type)
{
    fletch_add_field(b, name, type, REQUIRED);
}

static void open_field(fletch_builder *b, const char *name, fletch_type type)
{
    fletch_begin_field(b, name, type, NULLABLE);
}

static void close_field(fletch_builder *b)
{
    fletch_end_field(b);
}

/* A field of one child, such as a list. */
static void add_around(fletch_builder *b, const char *name, fletch_type type, fletch_type child)
{
    open_field(b, name, type);
    add(b, "item", child);
    close_field(b);
}

static void open_map(fletch_builder *b, const char *name, bool keys_sorted, const char *entries)
{
    open_field(b, name, fletch_map(keys_sorted));
    fletch_begin_field(b, entries, fletch_struct(), REQUIRED);
}

static void close_map(fletch_builder *b)
{
    close_field(b);
    close_field(b);
}

static void add_map(fletch_builder *b, const char *name, bool keys_sorted, fletch_type key,
                    fletch_type value)
{
    open_map(b, name, keys_sorted, "entries");
    add_required(b, "key", key);
    add(b, "value", value);
    close_map(b);
}

static void add_dictionary(fletch_builder *b, const char *name, fletch_type values, int64_t id,
                           fletch_int_type index, bool is_ordered)
{
    open_field(b, name, values);
    fletch_set_dictionary(b, id, index, is_ordered);
    close_field(b);
}

static fletch_int_type index_of(int32_t bit_width, bool is_signed)
{
    fletch_int_type type;

    type.bit_width = bit_width;
    type.is_signed = is_signed;
    return type;
}

/* Types with their parameters */

static void add_integers(fletch_builder *b)
{
    char name[16];
    int32_t width;
    int i;

    for (i = 0; i < 16; i++) {
        width = 8 << (i % 4);
        snprintf(name, sizeof name, "%s%d%s", i & 4 ? "u" : "i", (int)width, i & 8 ? "?" : "");
        fletch_add_field(b, name, fletch_int(width, !(i & 4)), i & 8 ? NULLABLE : REQUIRED);
    }
}

static void add_simple(fletch_builder *b)
{
    add(b, "null", fletch_null());
    add(b, "bool", fletch_bool());
    add_required(b, "bool, required", fletch_bool());
    add(b, "half", fletch_floating_point(FLETCH_HALF));
    add(b, "single", fletch_floating_point(FLETCH_SINGLE));
    add(b, "double", fletch_floating_point(FLETCH_DOUBLE));
    add_required(b, "double, required", fletch_floating_point(FLETCH_DOUBLE));
}

static void add_text(fletch_builder *b)
{
    add(b, "binary", fletch_binary());
    add(b, "utf8", fletch_utf8());
    add(b, "large_binary", fletch_large_binary());
    add(b, "large_utf8", fletch_large_utf8());
    add_required(b, "utf8, required", fletch_utf8());
    add(b, "fixed_size_binary 1", fletch_fixed_size_binary(1));
    add(b, "fixed_size_binary 16", fletch_fixed_size_binary(16));
    add(b, "fixed_size_binary 0", fletch_fixed_size_binary(0));
    add(b, "fixed_size_binary most", fletch_fixed_size_binary(INT32_MAX));
}

static void add_views(fletch_builder *b)
{
    add(b, "binary_view", fletch_binary_view());
    add(b, "utf8_view", fletch_utf8_view());
    add_around(b, "list_view", fletch_list_view(), fletch_int(32, true));
    add_around(b, "large_list_view", fletch_large_list_view(), fletch_utf8_view());
    open_field(b, "list_view of list_view", fletch_list_view());
    add_around(b, "item", fletch_list_view(), fletch_binary_view());
    close_field(b);
}

static void add_decimals(fletch_builder *b)
{
    static const int32_t widths[4] = {32, 64, 128, 256};
    static const int32_t digits[4] = {9, 18, 38, 76};
    static const int32_t scales[5] = {0, 2, -3, 5, 100};
    char name[48];
    int i, k;

    for (i = 0; i < 4; i++)
        for (k = 0; k < 5; k++) {
            int32_t precision = k == 0 ? digits[i] : k == 4 ? 1 : digits[i] - 1;
            snprintf(name, sizeof name, "decimal%d(%d, %d)", (int)widths[i], (int)precision,
                     (int)scales[k]);
            add(b, name, fletch_decimal(precision, scales[k], widths[i]));
        }
}

static void add_times(fletch_builder *b)
{
    static const char *const units[4] = {"s", "ms", "us", "ns"};
    char name[32];
    int32_t unit;

    add(b, "date day", fletch_date(FLETCH_DAY));
    add(b, "date ms", fletch_date(FLETCH_DATE_MILLISECOND));
    for (unit = FLETCH_SECOND; unit <= FLETCH_NANOSECOND; unit++) {
        snprintf(name, sizeof name, "time %s", units[unit]);
        add(b, name, fletch_time(unit));
        snprintf(name, sizeof name, "duration %s", units[unit]);
        add(b, name, fletch_duration(unit));
    }
    add(b, "year_month", fletch_interval(FLETCH_YEAR_MONTH));
    add(b, "day_time", fletch_interval(FLETCH_DAY_TIME));
    add(b, "month_day_nano", fletch_interval(FLETCH_MONTH_DAY_NANO));
}

static void add_timestamps(fletch_builder *b)
{
    static const char *const zones[6] = {
        NULL, "", "UTC", "+05:30", "America/Argentina/ComodRivadavia", "Europe/Paris"};
    char name[64];
    int32_t unit;
    int i;

    for (unit = FLETCH_SECOND; unit <= FLETCH_NANOSECOND; unit++)
        for (i = 0; i < 6; i++) {
            snprintf(name, sizeof name, "%d %s", (int)unit, zones[i] != NULL ? zones[i] : "none");
            add(b, name, fletch_timestamp(unit, zones[i]));
        }
}

/* Nesting */

static void add_lists(fletch_builder *b)
{
    add_around(b, "list", fletch_list(), fletch_int(64, true));
    add_around(b, "large_list", fletch_large_list(), fletch_utf8());
    add_around(b, "fixed_size_list 3", fletch_fixed_size_list(3), fletch_bool());
    add_around(b, "fixed_size_list 0", fletch_fixed_size_list(0), fletch_null());
    add_around(b, "fixed_size_list most", fletch_fixed_size_list(INT32_MAX), fletch_int(8, true));
    fletch_begin_field(b, "required, of required", fletch_list(), REQUIRED);
    add_required(b, "element", fletch_int(16, false));
    close_field(b);
    open_field(b, "list of list", fletch_list());
    add_around(b, "item", fletch_large_list(), fletch_floating_point(FLETCH_SINGLE));
    close_field(b);
    open_field(b, "list of struct", fletch_list());
    open_field(b, "", fletch_struct());
    add(b, "a", fletch_utf8());
    add_around(b, "b", fletch_list(), fletch_utf8());
    close_field(b);
    close_field(b);
}

static void add_structs(fletch_builder *b)
{
    open_field(b, "empty", fletch_struct());
    close_field(b);
    fletch_begin_field(b, "required", fletch_struct(), REQUIRED);
    add_required(b, "a", fletch_int(8, true));
    add(b, "b", fletch_int(8, true));
    close_field(b);
    open_field(b, "same names", fletch_struct());
    add(b, "x", fletch_int(8, true));
    add(b, "x", fletch_utf8());
    add(b, "", fletch_null());
    add(b, "", fletch_bool());
    close_field(b);
    open_field(b, "outer", fletch_struct());
    open_field(b, "inner", fletch_struct());
    fletch_add_metadata(b, "depth", "2");
    open_field(b, "innermost", fletch_struct());
    add(b, "leaf", fletch_timestamp(FLETCH_MICROSECOND, "UTC"));
    close_field(b);
    close_field(b);
    add_around(b, "list", fletch_list(), fletch_decimal(10, 2, 128));
    close_field(b);
}

static void add_union(fletch_builder *b, const char *name, int32_t mode, const int32_t *type_ids)
{
    open_field(b, name, fletch_union(mode, type_ids, 3));
    add(b, "number", fletch_int(64, true));
    add(b, "text", fletch_utf8());
    add_around(b, "list", fletch_list(), fletch_bool());
    close_field(b);
}

static void add_unions(fletch_builder *b)
{
    static const int32_t in_order[3] = {0, 1, 2};
    static const int32_t sparse[3] = {5, 7, 9};
    static const int32_t backwards[3] = {127, 3, 0};
    int32_t mode;

    for (mode = FLETCH_SPARSE; mode <= FLETCH_DENSE; mode++) {
        add_union(b, "no ids", mode, NULL);
        add_union(b, "in order", mode, in_order);
        add_union(b, "sparse", mode, sparse);
        add_union(b, "backwards", mode, backwards);
    }
    open_field(b, "without members", fletch_union(FLETCH_DENSE, NULL, 0));
    close_field(b);
    open_field(b, "of unions", fletch_union(FLETCH_SPARSE, sparse, 2));
    add_union(b, "inner", FLETCH_DENSE, backwards);
    add(b, "leaf", fletch_null());
    close_field(b);
}

static void add_widest_union(fletch_builder *b)
{
    char name[32];
    int i;

    open_field(b, "all ids", fletch_union(FLETCH_DENSE, NULL, 0));
    for (i = 0; i < 128; i++) {
        snprintf(name, sizeof name, "member %d", i);
        add(b, name, fletch_int(8 << (i % 4), i % 8 < 4));
    }
    close_field(b);
}

static void add_maps(fletch_builder *b)
{
    add_map(b, "map", false, fletch_utf8(), fletch_int(32, true));
    add_map(b, "sorted", true, fletch_int(64, true), fletch_utf8());
    open_map(b, "other names", false, "some_entries");
    add_required(b, "some_key", fletch_utf8());
    add_required(b, "some_value", fletch_floating_point(FLETCH_DOUBLE));
    close_map(b);
    open_map(b, "no names", false, "");
    add_required(b, "", fletch_utf8());
    add(b, "", fletch_utf8());
    close_map(b);
    open_map(b, "of maps", true, "entries");
    add_required(b, "key", fletch_date(FLETCH_DAY));
    add_map(b, "value", false, fletch_utf8(), fletch_binary());
    close_map(b);
    open_map(b, "of structs", false, "entries");
    fletch_begin_field(b, "key", fletch_struct(), REQUIRED);
    add_required(b, "a", fletch_int(32, true));
    close_field(b);
    add_around(b, "value", fletch_list(), fletch_utf8());
    close_map(b);
}

static void add_run_ends(fletch_builder *b)
{
    char name[32];
    int32_t width;

    for (width = 16; width <= 64; width *= 2) {
        snprintf(name, sizeof name, "run ends of %d", (int)width);
        open_field(b, name, fletch_run_end_encoded());
        add_required(b, "run_ends", fletch_int(width, true));
        add(b, "values", width == 32 ? fletch_utf8() : fletch_floating_point(FLETCH_DOUBLE));
        close_field(b);
    }
    open_field(b, "of lists", fletch_run_end_encoded());
    add_required(b, "run_ends", fletch_int(32, true));
    add_around(b, "values", fletch_list(), fletch_int(8, false));
    close_field(b);
}

/* `levels` fields around a leaf, as structs, lists or both by turns. */
static void add_deep(fletch_builder *b, int levels, bool has_structs, bool has_lists)
{
    int i;

    for (i = 1; i < levels; i++)
        open_field(b, i == 1 ? "deep" : "item",
                   has_structs && (!has_lists || i % 2) ? fletch_struct() : fletch_list());
    add(b, "leaf", fletch_int(32, true));
    for (i = 1; i < levels; i++)
        close_field(b);
}

static void add_deep_8(fletch_builder *b)
{
    add_deep(b, 8, true, true);
}

static void add_deep_structs(fletch_builder *b)
{
    add_deep(b, 30, true, false);
}

static void add_deep_lists(fletch_builder *b)
{
    add_deep(b, 30, false, true);
}

static void add_deep_60(fletch_builder *b)
{
    add_deep(b, 60, true, true);
}

static void add_deepest(fletch_builder *b)
{
    add_deep(b, (int)FLETCH_MAX_DEPTH, true, true);
}

/* Dictionaries */

static void add_dictionaries(fletch_builder *b)
{
    char name[48];
    int i;

    for (i = 0; i < 16; i++) {
        fletch_int_type index = index_of(8 << (i % 4), !(i & 4));
        snprintf(name, sizeof name, "%s%d%s", index.is_signed ? "i" : "u", (int)index.bit_width,
                 i & 8 ? " ordered" : "");
        add_dictionary(b, name, fletch_utf8(), i, index, i & 8);
    }
}

static void add_dictionary_values(fletch_builder *b)
{
    add_dictionary(b, "large_utf8", fletch_large_utf8(), 0, index_of(32, true), false);
    add_dictionary(b, "int64", fletch_int(64, true), 1, index_of(8, true), false);
    add_dictionary(b, "decimal", fletch_decimal(20, 4, 128), 2, index_of(16, true), true);
    add_dictionary(b, "timestamp", fletch_timestamp(FLETCH_NANOSECOND, "UTC"), 3,
                   index_of(32, true), false);
    add_dictionary(b, "binary", fletch_binary(), 4, index_of(64, true), false);
    fletch_begin_field(b, "required, with metadata", fletch_utf8(), REQUIRED);
    fletch_set_dictionary(b, 5, index_of(32, false), false);
    fletch_add_metadata(b, "source", "a table of codes");
    close_field(b);
    add_dictionary(b, "shares 5", fletch_utf8(), 5, index_of(32, false), false);
    add_dictionary(b, "utf8_view", fletch_utf8_view(), 7, index_of(32, false), false);
}

static void add_dictionary_ids(fletch_builder *b)
{
    add_dictionary(b, "largest exact", fletch_utf8(), INT64_C(9007199254740991), index_of(32, true),
                   false);
    add_dictionary(b, "largest", fletch_utf8(), INT64_MAX, index_of(32, true), false);
    add_dictionary(b, "smallest", fletch_utf8(), INT64_MIN, index_of(32, true), false);
    add_dictionary(b, "minus two", fletch_utf8(), -2, index_of(32, true), false);
}

static void add_nested_dictionaries(fletch_builder *b)
{
    open_field(b, "list of dictionary", fletch_list());
    add_dictionary(b, "item", fletch_utf8(), 10, index_of(32, true), false);
    close_field(b);
    open_field(b, "struct of dictionaries", fletch_struct());
    add_dictionary(b, "a", fletch_utf8(), 11, index_of(8, true), true);
    add_dictionary(b, "b", fletch_int(32, true), 12, index_of(16, true), false);
    close_field(b);
    open_map(b, "map of dictionaries", false, "entries");
    fletch_begin_field(b, "key", fletch_utf8(), REQUIRED);
    fletch_set_dictionary(b, 13, index_of(32, true), false);
    close_field(b);
    add_dictionary(b, "value", fletch_utf8(), 14, index_of(32, true), false);
    close_map(b);
    open_field(b, "dictionary of lists", fletch_list());
    fletch_set_dictionary(b, 15, index_of(32, true), false);
    add(b, "item", fletch_utf8());
    close_field(b);
    open_field(b, "dictionary of structs of dictionaries", fletch_struct());
    fletch_set_dictionary(b, 16, index_of(16, false), true);
    add_dictionary(b, "inner", fletch_utf8(), 17, index_of(8, false), true);
    add(b, "plain", fletch_bool());
    close_field(b);
}

/* Metadata and names */

static void add_metadata(fletch_builder *b)
{
    open_field(b, "field", fletch_int(32, true));
    fletch_add_metadata(b, "unit", "metre");
    fletch_add_metadata(b, "\xC3\xA9t\xC3\xA9", "\xE5\xA4\x8F \xF0\x9F\x8C\x9E");
    close_field(b);
    open_field(b, "empty", fletch_utf8());
    fletch_add_metadata(b, "", "a value without a key");
    fletch_add_metadata(b, "a key without a value", "");
    close_field(b);
    open_field(b, "same key", fletch_utf8());
    fletch_add_metadata(b, "twice", "first");
    fletch_add_metadata(b, "twice", "second");
    close_field(b);
    open_field(b, "parent", fletch_list());
    fletch_add_metadata(b, "of", "the list");
    open_field(b, "item", fletch_list());
    fletch_add_metadata(b, "of", "the inner list");
    open_field(b, "item", fletch_utf8());
    fletch_add_metadata(b, "of", "the item");
    fletch_add_metadata(b, "escapes", "\" \\ / \b \f \n \r \t \x01 \x1F \x7F \xE2\x80\xA8");
    close_field(b);
    close_field(b);
    close_field(b);
    fletch_add_metadata(b, "origin", "sensor 7");
    fletch_add_metadata(b, "pandas", "{\"index_columns\": [], \"columns\": [{\"name\": null}]}");
    fletch_add_metadata(b, "\xF0\x9F\x8F\xB9", "\xCE\xB2\xCE\xAD\xCE\xBB\xCE\xBF\xCF\x82");
}

static void add_long_metadata(fletch_builder *b)
{
    static char value[100001];
    char key[16];
    int i;

    memset(value, 'v', sizeof value - 1);
    open_field(b, "many pairs", fletch_int(32, true));
    for (i = 0; i < 500; i++) {
        snprintf(key, sizeof key, "key %d", i);
        fletch_add_metadata(b, key, i % 2 ? "odd" : "even");
    }
    close_field(b);
    fletch_add_metadata(b, "long", value);
}

static void add_extensions(fletch_builder *b)
{
    open_field(b, "uuid", fletch_fixed_size_binary(16));
    fletch_set_extension(b, "arrow.uuid", "");
    close_field(b);
    open_field(b, "json", fletch_utf8());
    fletch_set_extension(b, "arrow.json", NULL);
    close_field(b);
    open_field(b, "tensor", fletch_fixed_size_list(6));
    fletch_set_extension(b, "arrow.fixed_shape_tensor", "{\"shape\":[2,3]}");
    add_required(b, "item", fletch_floating_point(FLETCH_SINGLE));
    close_field(b);
    open_field(b, "of our own", fletch_struct());
    fletch_add_metadata(b, "before", "the extension");
    fletch_set_extension(b, "fletch.point", "srid=4326");
    fletch_add_metadata(b, "after", "the extension");
    add(b, "x", fletch_floating_point(FLETCH_DOUBLE));
    add(b, "y", fletch_floating_point(FLETCH_DOUBLE));
    close_field(b);
    open_field(b, "over a dictionary", fletch_utf8());
    fletch_set_dictionary(b, 1, index_of(8, true), false);
    fletch_set_extension(b, "fletch.code", "iso");
    close_field(b);
}

static void add_names(fletch_builder *b)
{
    static const char *const names[] = {
        "plain",
        "\xE5\x90\x8D\xE5\x89\x8D",
        "\xF0\x9F\x8F\xB9 arrow",
        "e\xCC\x81 combining",
        "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D",
        "with.dots",
        "back\\slash",
        "\"quoted\" and 'quoted'",
        "tab\tline\nreturn\r",
        "\x01\x1F\x7F",
        "\xC2\x85 \xE2\x80\xA8 \xEF\xBB\xBF \xEF\xBF\xBF \xF4\x8F\xBF\xBF",
        " ",
        "__proto__",
        "constructor",
        "id",
        "SELECT",
        "<&>",
        "",
    };
    char long_name[301];
    size_t i;

    for (i = 0; i < sizeof names / sizeof names[0]; i++)
        add(b, names[i], fletch_int(8 << (i % 4), true));
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    add(b, long_name, fletch_utf8());
}

static void add_same_names(fletch_builder *b)
{
    add(b, "same", fletch_int(32, true));
    add(b, "same", fletch_utf8());
    add(b, "", fletch_bool());
    add(b, NULL, fletch_floating_point(FLETCH_DOUBLE));
}

static void add_names_with_nul(fletch_builder *b)
{
    fletch_field field;

    memset(&field, 0, sizeof field);
    field.name.data = "a\0b";
    field.name.size = 3;
    field.type = fletch_int(32, true);
    field.nullable = true;
    fletch_begin_field_like(b, &field);
    fletch_end_field(b);
}

/* Sizes */

static void add_nothing(fletch_builder *b)
{
    (void)b;
}

static void add_metadata_alone(fletch_builder *b)
{
    fletch_add_metadata(b, "fields", "none");
}

static void add_one(fletch_builder *b)
{
    add_required(b, "a", fletch_int(32, true));
}

/* A field of every type. */
static void add_all_types(fletch_builder *b)
{
    add(b, "null", fletch_null());
    add(b, "int", fletch_int(32, true));
    add(b, "floating_point", fletch_floating_point(FLETCH_DOUBLE));
    add(b, "binary", fletch_binary());
    add(b, "utf8", fletch_utf8());
    add(b, "bool", fletch_bool());
    add(b, "decimal", fletch_decimal(10, 2, 128));
    add(b, "date", fletch_date(FLETCH_DAY));
    add(b, "time", fletch_time(FLETCH_MICROSECOND));
    add(b, "timestamp", fletch_timestamp(FLETCH_MICROSECOND, "UTC"));
    add(b, "interval", fletch_interval(FLETCH_MONTH_DAY_NANO));
    add_around(b, "list", fletch_list(), fletch_utf8());
    open_field(b, "struct", fletch_struct());
    add(b, "a", fletch_int(8, false));
    close_field(b);
    add_union(b, "union", FLETCH_DENSE, NULL);
    add(b, "fixed_size_binary", fletch_fixed_size_binary(16));
    add_around(b, "fixed_size_list", fletch_fixed_size_list(2), fletch_bool());
    add_map(b, "map", false, fletch_utf8(), fletch_utf8());
    add(b, "duration", fletch_duration(FLETCH_NANOSECOND));
    add(b, "large_binary", fletch_large_binary());
    add(b, "large_utf8", fletch_large_utf8());
    add_around(b, "large_list", fletch_large_list(), fletch_null());
    add_run_ends(b);
    add_views(b);
}

/* Columns that all readers know, some with text of their own. */
static void add_wide(fletch_builder *b)
{
    static const int32_t widths[4] = {8, 16, 32, 64};
    char name[32];
    int i;

    for (i = 0; i < 400; i++) {
        snprintf(name, sizeof name, "column %d", i);
        fletch_begin_field(b, name,
                           i % 5 == 0   ? fletch_int(widths[i / 5 % 4], i % 2)
                           : i % 5 == 1 ? fletch_large_utf8()
                           : i % 5 == 2 ? fletch_timestamp(FLETCH_MILLISECOND + i % 3, NULL)
                           : i % 5 == 3 ? fletch_floating_point(FLETCH_DOUBLE)
                                        : fletch_struct(),
                           i % 3 ? NULLABLE : REQUIRED);
        if (i % 7 == 0) fletch_add_metadata(b, "number", name);
        if (i % 11 == 0) fletch_add_metadata(b, "eleventh", "yes");
        if (i % 5 == 4) add(b, "x", fletch_bool());
        if (i % 5 == 4) add(b, name, fletch_large_binary());
        close_field(b);
    }
}

/* What Parquet files can hold, with what only their key ARROW:schema can tell. */
static void add_for_parquet(fletch_builder *b)
{
    add_required(b, "int8", fletch_int(8, true));
    add(b, "uint32", fletch_int(32, false));
    add(b, "double", fletch_floating_point(FLETCH_DOUBLE));
    add(b, "utf8", fletch_utf8());
    add(b, "large_utf8", fletch_large_utf8());
    add(b, "utf8_view", fletch_utf8_view());
    add(b, "large_binary", fletch_large_binary());
    add(b, "fixed_size_binary", fletch_fixed_size_binary(5));
    add(b, "decimal", fletch_decimal(12, 3, 128));
    add(b, "date", fletch_date(FLETCH_DAY));
    add(b, "time", fletch_time(FLETCH_NANOSECOND));
    add(b, "timestamp", fletch_timestamp(FLETCH_MILLISECOND, "Europe/Paris"));
    add(b, "duration", fletch_duration(FLETCH_MICROSECOND));
    add_dictionary(b, "dictionary", fletch_utf8(), 0, index_of(32, false), false);
    add_around(b, "large_list", fletch_large_list(), fletch_int(16, true));
    open_field(b, "struct", fletch_struct());
    add(b, "a", fletch_bool());
    fletch_begin_field(b, "b", fletch_floating_point(FLETCH_SINGLE), REQUIRED);
    fletch_add_metadata(b, "unit", "metre");
    close_field(b);
    close_field(b);
    fletch_add_metadata(b, "origin", "sensor 7");
}

/* Samples */

static const sample samples[] = {
    {.name = "one", .add = add_one},
    {.name = "integers", .add = add_integers},
    {.name = "simple", .add = add_simple},
    {.name = "text", .add = add_text},
    {.name = "views", .add = add_views},
    {.name = "decimals", .add = add_decimals},
    {.name = "times", .add = add_times},
    {.name = "timestamps", .add = add_timestamps},
    {.name = "lists", .add = add_lists},
    {.name = "structs", .add = add_structs},
    {.name = "unions", .add = add_unions},
    {.name = "widest_union", .add = add_widest_union},
    {.name = "maps", .add = add_maps},
    {.name = "run_ends", .add = add_run_ends},
    {.name = "deep_8", .add = add_deep_8},
    {.name = "deep_structs", .add = add_deep_structs},
    {.name = "deep_lists", .add = add_deep_lists},
    {.name = "deep_60", .add = add_deep_60},
    {.name = "deepest", .add = add_deepest},
    {.name = "dictionaries", .add = add_dictionaries},
    {.name = "dictionary_values", .add = add_dictionary_values},
    {.name = "dictionary_ids", .add = add_dictionary_ids},
    {.name = "nested_dictionaries", .add = add_nested_dictionaries},
    {.name = "metadata", .add = add_metadata},
    {.name = "long_metadata", .add = add_long_metadata},
    {.name = "extensions", .add = add_extensions},
    {.name = "names", .add = add_names},
    {.name = "same_names", .add = add_same_names},
    {.name = "names_with_nul", .add = add_names_with_nul},
    {.name = "nothing", .add = add_nothing},
    {.name = "metadata_alone", .add = add_metadata_alone},
    {.name = "all_types", .add = add_all_types},
    {.name = "wide", .add = add_wide},
    {.name = "for_parquet", .add = add_for_parquet},
    {.name = "version_4", .add = add_metadata, .is_v4 = true},
    {.name = "legacy_framing", .add = add_metadata, .is_v4 = true, .is_legacy = true},
    {.name = "legacy_structs", .add = add_structs, .is_v4 = true, .is_legacy = true},
    {.name = "features", .add = add_one, .has_features = true},
    {.name = "wrapper_metadata", .add = add_wide, .has_wrapper_metadata = true},
};

static void add_sample(fletch_builder *b, const sample *s)
{
    if (s->is_v4) fletch_set_version(b, FLETCH_V4);
    if (s->is_legacy) fletch_set_legacy_framing(b);
    if (s->has_features) {
        fletch_add_feature(b, FLETCH_FEATURE_DICTIONARY_REPLACEMENT);
        fletch_add_feature(b, FLETCH_FEATURE_COMPRESSED_BODY);
    }
    s->add(b);
    if (s->has_wrapper_metadata) {
        fletch_add_message_metadata(b, fletch_text("message"), fletch_text("of the message"));
        fletch_add_message_metadata(b, fletch_text(""), fletch_text(""));
        fletch_add_footer_metadata(b, fletch_text("footer"), fletch_text("of the footer"));
    }
}

/* Output */

/* What is set beside a schema that is copied: nothing. */
static const sample plain = {.name = ""};

static void print_json(const char *name, const void *bytes, size_t size, fletch_kind kind,
                       fletch_level level, paper *p)
{
    static uint8_t scratch[1 << 20];
    fletch_options options;
    fletch_schema schema;
    fletch_error error;

    memset(&options, 0, sizeof options);
    options.kind = kind;
    options.level = level;
    options.scratch = scratch;
    options.scratch_size = sizeof scratch;
    if (fletch_open_with(bytes, size, &options, &schema, &error) != FLETCH_OK)
        die(name, fletch_kind_word(kind), &error);
    if (fletch_print_json(&schema, NULL, write_paper, p, &error) != FLETCH_OK)
        die(name, "JSON", &error);
}

/* All kinds of a schema, and the JSON that all of them must give. */
static void save_kinds(const char *name, fletch_builder *b, fletch_level level, bool is_legacy)
{
    static const struct {
        fletch_kind kind;
        const char *ending;
    } kinds[] = {{FLETCH_STREAM, "stream"},
                 {FLETCH_FILE, "arrow"},
                 {FLETCH_SCHEMA, "schema"},
                 {FLETCH_MESSAGE, "message"},
                 {FLETCH_BASE64, "b64"}};
    paper first = {NULL, 0, 0};
    size_t i, size;
    const void *bytes;
    fletch_error error;

    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        paper json = {NULL, 0, 0};
        if (is_legacy && kinds[i].kind == FLETCH_FILE) continue;
        if ((i == 0 ? fletch_finish : fletch_wrap)(b, kinds[i].kind, &bytes, &size, &error) !=
            FLETCH_OK)
            die(name, kinds[i].ending, &error);
        save(name, kinds[i].ending, bytes, size);
        print_json(name, bytes, size, kinds[i].kind, level, &json);
        if (i == 0) {
            first = json;
            save(name, "json", json.text, json.size);
            continue;
        }
        if (json.size != first.size || memcmp(json.text, first.text, json.size) != 0)
            die(name, "two kinds, two schemas", NULL);
        free(json.text);
    }
    free(first.text);
}

static void save_facts(const char *name, const sample *s, const char *features)
{
    char text[512];
    int size =
        snprintf(text, sizeof text,
                 "{\"version\": \"%s\", \"is_legacy\": %s, \"features\": [%s], \"message\": [%s], "
                 "\"footer\": [%s]}\n",
                 s->is_v4 ? "V4" : "V5", s->is_legacy ? "true" : "false", features,
                 s->has_wrapper_metadata ? "{\"key\": \"message\", \"value\": \"of the message\"}, "
                                           "{\"key\": \"\", \"value\": \"\"}"
                                         : "",
                 s->has_wrapper_metadata ? "{\"key\": \"footer\", \"value\": \"of the footer\"}"
                                         : "");

    if (size < 0 || (size_t)size >= sizeof text) die(name, "its facts are too long", NULL);
    save(name, "facts.json", text, (size_t)size);
}

/* Each field of a sample as a schema of its own, copied out of the sample's stream. */
static void save_single_fields(const char *name, const void *bytes, size_t size)
{
    fletch_allocator heap = fletch_heap();
    fletch_schema schema;
    fletch_field field;
    fletch_error error;
    unsigned i = 0;

    if (fletch_open(bytes, size, &schema, &error) != FLETCH_OK) die(name, "open", &error);
    if (fletch_count_fields(&schema.fields) > MOST_SINGLE_FIELDS) return;
    while (fletch_next_field(&schema.fields, &field)) {
        char single[64];
        fletch_builder b;
        snprintf(single, sizeof single, "%s.%u", name, i++);
        fletch_builder_init_growing(&b, &heap);
        fletch_copy_field(&b, &field);
        save_kinds(single, &b, FLETCH_LEVEL_STRICT, false);
        save_facts(single, &plain, "");
        fletch_builder_release(&b);
    }
}

static void write_sample(const sample *s)
{
    fletch_allocator heap = fletch_heap();
    fletch_builder b;
    const void *bytes;
    size_t size;
    fletch_error error;

    fletch_builder_init_growing(&b, &heap);
    add_sample(&b, s);
    save_kinds(s->name, &b, FLETCH_LEVEL_STRICT, s->is_legacy);
    save_facts(s->name, s, s->has_features ? "1, 2" : "");
    if (fletch_wrap(&b, FLETCH_STREAM, &bytes, &size, &error) != FLETCH_OK)
        die(s->name, "stream", &error);
    if (!s->is_v4) save_single_fields(s->name, bytes, size);
    fletch_builder_release(&b);
}

/* Re-encodings */

/* The features of a schema, as JSON has the elements of a list. */
static const char *features_of(const fletch_schema *schema, char *text, size_t size)
{
    size_t used = 0;
    uint32_t i;

    text[0] = '\0';
    for (i = 0; i < schema->features.count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", i == 0 ? "" : ", ",
                                 (long long)fletch_integer_at(&schema->features, i));
    return text;
}

/* Copies a file, with all that other writers left in it; one that is not good is told. */
static void write_copy(const char *path)
{
    static uint8_t scratch[1 << 20];
    const char *slash = strrchr(path, '/');
    char name[256], features[256];
    fletch_allocator heap = fletch_heap();
    fletch_options options;
    fletch_builder b;
    fletch_schema schema;
    fletch_error error;
    paper file = load(path);

    memset(&options, 0, sizeof options);
    options.scratch = scratch;
    options.scratch_size = sizeof scratch;
    snprintf(name, sizeof name, "copy_%s", slash != NULL ? slash + 1 : path);
    fletch_builder_init_growing(&b, &heap);
    fletch_set_level(&b, FLETCH_LEVEL_ARROW);
    if (fletch_open_with(file.text, file.size, &options, &schema, &error) != FLETCH_OK ||
        schema.endianness != FLETCH_LITTLE_ENDIAN) {
        printf("not copied: %s: %s\n", name,
               error.status != FLETCH_OK ? fletch_status_word(error.status) : "big-endian");
    } else if (fletch_copy_schema(&b, &schema) != FLETCH_OK) {
        const void *bytes;
        size_t size;
        fletch_finish(&b, FLETCH_STREAM, &bytes, &size, &error);
        printf("not copied: %s: %s: %s\n", name, error.path, error.sentence);
    } else {
        save_kinds(name, &b, FLETCH_LEVEL_ARROW, false);
        save_facts(name, &plain, features_of(&schema, features, sizeof features));
    }
    fletch_builder_release(&b);
    free(file.text);
}

int main(int argument_count, char **arguments)
{
    size_t i;
    int k;

    if (argument_count < 2) die("usage", "write FOLDER [FILE...]", NULL);
    folder = arguments[1];
    for (i = 0; i < sizeof samples / sizeof samples[0]; i++)
        write_sample(&samples[i]);
    for (k = 2; k < argument_count; k++)
        write_copy(arguments[k]);
    return 0;
}
