/* SPDX-License-Identifier: Apache-2.0 */
#include "ctree.h"

#include <stdio.h>
#include <string.h>

struct ArrowSchema exported(const fletch_schema *schema, ledger *l)
{
    struct ArrowSchema tree;
    fletch_error error;
    const fletch_allocator allocator = ledger_allocator(l);
    memset(&tree, 0xA5, sizeof tree);
    if (fletch_export_schema(schema, &allocator, NULL, &tree, &error) != FLETCH_OK)
        fail_msg("not exported: %s, %s: %s", fletch_status_word(error.status), error.path,
                 error.sentence);
    assert_int_equal(error.status, FLETCH_OK);
    assert_non_null(tree.release);
    return tree;
}

void not_exported(const fletch_schema *schema, fletch_status status, const char *path)
{
    struct ArrowSchema tree;
    fletch_error error;
    ledger l = {0};
    const fletch_allocator allocator = ledger_allocator(&l);
    memset(&tree, 0xA5, sizeof tree);
    fletch_status got = fletch_export_schema(schema, &allocator, NULL, &tree, &error);
    if (got != status)
        fail_msg("exporting gives %s instead of %s", fletch_status_word(got),
                 fletch_status_word(status));
    assert_null(tree.release);
    assert_int_equal(error.status, status);
    assert_string_equal(error.path, path);
    assert_int_not_equal(error.sentence[0], 0);
    assert_int_equal(l.blocks, 0);
    assert_false(l.is_misused);
}

static void mark_released(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

struct ArrowSchema *c_node(maker *m, const char *format, const char *name)
{
    void *place = pad(m, (block){NULL, 0}, sizeof(struct ArrowSchema)).bytes;
    struct ArrowSchema *made = place;
    *made = (struct ArrowSchema){.release = mark_released};
    if (format) made->format = (const char *)copy_of(m, format, strlen(format) + 1).bytes;
    if (name) made->name = (const char *)copy_of(m, name, strlen(name) + 1).bytes;
    return made;
}

struct ArrowSchema *c_child(maker *m, struct ArrowSchema *parent, struct ArrowSchema *child)
{
    size_t count = (size_t)parent->n_children;
    void *place = pad(m, (block){NULL, 0}, (count + 1) * sizeof child).bytes;
    struct ArrowSchema **children = place;
    if (count) memcpy(children, parent->children, count * sizeof child);
    children[count] = child;
    parent->children = children;
    parent->n_children++;
    return child;
}

const char *c_metadata(maker *m, const char *const *texts)
{
    block b = {NULL, 0};
    int32_t count = 0;
    for (; texts[count]; count++) {
        int32_t size = (int32_t)strlen(texts[count]);
        b = join(m, b, copy_of(m, &size, 4));
        b = join(m, b, copy_of(m, texts[count], (size_t)size));
    }
    count /= 2;
    return (const char *)join(m, copy_of(m, &count, 4), b).bytes;
}

fletch_schema imported_at(maker *m, const struct ArrowSchema *tree,
                          const fletch_import_options *options, fletch_level level)
{
    fletch_builder *b = new_builder(m);
    fletch_set_level(b, level);
    fletch_import_schema(b, tree, options);
    return open_as(built(m, b, FLETCH_SCHEMA), FLETCH_SCHEMA, level);
}

fletch_schema imported(maker *m, const struct ArrowSchema *tree)
{
    return imported_at(m, tree, NULL, FLETCH_LEVEL_STRICT);
}

void not_imported(maker *m, const struct ArrowSchema *tree, const fletch_import_options *options,
                  fletch_status status, const char *path)
{
    fletch_builder *b = new_builder(m);
    assert_int_equal(fletch_import_schema(b, tree, options), status);
    not_built_at(b, status, path);
}

void same_json(maker *m, const fletch_schema *a, const fletch_schema *b)
{
    block first = json_of(m, a), second = json_of(m, b);
    if (first.size != second.size || memcmp(first.bytes, second.bytes, first.size) != 0)
        fail_msg("other JSON:\n%.*s\n%.*s", (int)first.size, (const char *)first.bytes,
                 (int)second.size, (const char *)second.bytes);
}

/* Types */

static const int32_t odd_ids[] = {5, 7, 0, 127}, down_ids[] = {1, 0}, last_id[] = {127};
static int32_t all_ids[128];
static char all_ids_format[600];

static void make_all_ids(void)
{
    char *to = all_ids_format;
    to += sprintf(to, "+us:127");
    all_ids[0] = 127;
    for (int i = 1; i < 128; i++) {
        all_ids[i] = 127 - i;
        to += sprintf(to, ",%d", 127 - i);
    }
}

static size_t add_format(typed_format *list, size_t count, const char *format, fletch_type type)
{
    list[count] = (typed_format){format, type, 0};
    if (type.id == FLETCH_TYPE_UNION) list[count].children = type.as.union_.type_ids.count;
    return count + 1;
}

static size_t add_leaves(typed_format *list, size_t n)
{
    static const char *const signed_ints[] = {"c", "s", "i", "l"};
    static const char *const unsigned_ints[] = {"C", "S", "I", "L"};
    static const char *const floats[] = {"e", "f", "g"};
    n = add_format(list, n, "n", fletch_null());
    for (int i = 0; i < 4; i++) {
        n = add_format(list, n, signed_ints[i], fletch_int(8 << i, true));
        n = add_format(list, n, unsigned_ints[i], fletch_int(8 << i, false));
    }
    for (int i = 0; i < 3; i++)
        n = add_format(list, n, floats[i], fletch_floating_point(i));
    n = add_format(list, n, "z", fletch_binary());
    n = add_format(list, n, "Z", fletch_large_binary());
    n = add_format(list, n, "vz", fletch_binary_view());
    n = add_format(list, n, "u", fletch_utf8());
    n = add_format(list, n, "U", fletch_large_utf8());
    n = add_format(list, n, "vu", fletch_utf8_view());
    n = add_format(list, n, "b", fletch_bool());
    n = add_format(list, n, "d:1,0", fletch_decimal(1, 0, 128));
    n = add_format(list, n, "d:38,-2147483648", fletch_decimal(38, INT32_MIN, 128));
    n = add_format(list, n, "d:10,2147483647", fletch_decimal(10, INT32_MAX, 128));
    n = add_format(list, n, "d:9,2,32", fletch_decimal(9, 2, 32));
    n = add_format(list, n, "d:18,-7,64", fletch_decimal(18, -7, 64));
    n = add_format(list, n, "d:76,-2147483648,256", fletch_decimal(76, INT32_MIN, 256));
    n = add_format(list, n, "w:0", fletch_fixed_size_binary(0));
    n = add_format(list, n, "w:16", fletch_fixed_size_binary(16));
    return add_format(list, n, "w:2147483647", fletch_fixed_size_binary(INT32_MAX));
}

static size_t add_temporals(typed_format *list, size_t n)
{
    static const char *const times[] = {"tts", "ttm", "ttu", "ttn"};
    static const char *const durations[] = {"tDs", "tDm", "tDu", "tDn"};
    static const char *const naive[] = {"tss:", "tsm:", "tsu:", "tsn:"};
    static const char *const intervals[] = {"tiM", "tiD", "tin"};
    n = add_format(list, n, "tdD", fletch_date(FLETCH_DAY));
    n = add_format(list, n, "tdm", fletch_date(FLETCH_DATE_MILLISECOND));
    for (int unit = 0; unit < 4; unit++) {
        n = add_format(list, n, times[unit], fletch_time(unit));
        n = add_format(list, n, durations[unit], fletch_duration(unit));
        n = add_format(list, n, naive[unit], fletch_timestamp(unit, NULL));
    }
    for (int unit = 0; unit < 3; unit++)
        n = add_format(list, n, intervals[unit], fletch_interval(unit));
    n = add_format(list, n, "tss:UTC", fletch_timestamp(FLETCH_SECOND, "UTC"));
    n = add_format(list, n, "tsm:+05:30", fletch_timestamp(FLETCH_MILLISECOND, "+05:30"));
    n = add_format(list, n, "tsu::,: ", fletch_timestamp(FLETCH_MICROSECOND, ":,: "));
    return add_format(list, n, "tsn:America/Argentina/ComodRivadavia",
                      fletch_timestamp(FLETCH_NANOSECOND, "America/Argentina/ComodRivadavia"));
}

static size_t add_nested(typed_format *list, size_t n)
{
    make_all_ids();
    n = add_format(list, n, "+l", fletch_list());
    n = add_format(list, n, "+L", fletch_large_list());
    n = add_format(list, n, "+vl", fletch_list_view());
    n = add_format(list, n, "+vL", fletch_large_list_view());
    n = add_format(list, n, "+w:0", fletch_fixed_size_list(0));
    n = add_format(list, n, "+w:2147483647", fletch_fixed_size_list(INT32_MAX));
    n = add_format(list, n, "+s", fletch_struct());
    n = add_format(list, n, "+s", fletch_struct());
    list[n - 1].children = 3;
    n = add_format(list, n, "+m", fletch_map(false));
    n = add_format(list, n, "+m", fletch_map(true));
    n = add_format(list, n, "+r", fletch_run_end_encoded());
    n = add_format(list, n, "+us:", fletch_union(FLETCH_SPARSE, odd_ids, 0));
    n = add_format(list, n, "+ud:", fletch_union(FLETCH_DENSE, odd_ids, 0));
    n = add_format(list, n, "+us:5,7,0,127", fletch_union(FLETCH_SPARSE, odd_ids, 4));
    n = add_format(list, n, "+ud:1,0", fletch_union(FLETCH_DENSE, down_ids, 2));
    n = add_format(list, n, "+ud:127", fletch_union(FLETCH_DENSE, last_id, 1));
    return add_format(list, n, all_ids_format, fletch_union(FLETCH_SPARSE, all_ids, 128));
}

size_t typed_formats(typed_format *list)
{
    return add_nested(list, add_temporals(list, add_leaves(list, 0)));
}

/* How many children a type has, all but a map's and a run-end encoded type's being utf8. */
static uint32_t child_count(const typed_format *typed)
{
    switch (typed->type.id) {
    case FLETCH_TYPE_STRUCT:
    case FLETCH_TYPE_UNION: return typed->children;
    case FLETCH_TYPE_RUN_END_ENCODED: return 2;
    case FLETCH_TYPE_LIST:
    case FLETCH_TYPE_LARGE_LIST:
    case FLETCH_TYPE_LIST_VIEW:
    case FLETCH_TYPE_LARGE_LIST_VIEW:
    case FLETCH_TYPE_FIXED_SIZE_LIST:
    case FLETCH_TYPE_MAP: return 1;
    default: return 0;
    }
}

void add_typed(fletch_builder *b, const char *name, const typed_format *typed, unsigned flags)
{
    uint32_t i = 0;
    fletch_begin_field(b, name, typed->type, flags);
    if (typed->type.id == FLETCH_TYPE_MAP) {
        fletch_begin_field(b, "entries", fletch_struct(), 0);
        fletch_add_field(b, "key", fletch_utf8(), 0);
        fletch_add_field(b, "value", fletch_utf8(), FLETCH_NULLABLE);
        fletch_end_field(b);
        i = 1;
    }
    if (typed->type.id == FLETCH_TYPE_RUN_END_ENCODED) {
        fletch_add_field(b, "run_ends", fletch_int(32, true), 0);
        i = 1;
    }
    for (; i < child_count(typed); i++)
        fletch_add_field(b, "child", fletch_utf8(), FLETCH_NULLABLE);
    fletch_end_field(b);
}

struct ArrowSchema *c_typed(maker *m, const char *name, const typed_format *typed)
{
    struct ArrowSchema *made = c_node(m, typed->format, name);
    uint32_t i = 0;
    if (typed->type.id == FLETCH_TYPE_MAP) {
        struct ArrowSchema *entries = c_child(m, made, c_node(m, "+s", "entries"));
        c_child(m, entries, c_node(m, "u", "key"));
        c_child(m, entries, c_node(m, "u", "value"))->flags = ARROW_FLAG_NULLABLE;
        if (typed->type.as.map.keys_sorted) made->flags = ARROW_FLAG_MAP_KEYS_SORTED;
        i = 1;
    }
    if (typed->type.id == FLETCH_TYPE_RUN_END_ENCODED) {
        c_child(m, made, c_node(m, "i", "run_ends"));
        i = 1;
    }
    for (; i < child_count(typed); i++)
        c_child(m, made, c_node(m, "u", "child"))->flags = ARROW_FLAG_NULLABLE;
    return made;
}
