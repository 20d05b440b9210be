/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two inputs, opened at any level and compared under any options, both ways.
 *
 * The second is of its own bytes, or the first with some bytes changed, which is what makes two
 * schemas that differ a little. Whatever opens equals itself, and its copy; a comparison says the
 * same the other way round; what is equal is so too where more is ignored, and has equal hashes;
 * what differs has others; the first of all differences is the one that a comparison tells.
 *
 * Input: how both are opened, what is ignored, then sizes and bytes of both.
 */
#include "check.h"

#include <fletch/fletch.h>
#include <fletch/heap.h>

enum { OPTIONS = 6 };

/* One of the two: its bytes in a block of their exact size. */
struct side {
    uint8_t *bytes;
    size_t size;
    fletch_schema schema;
    fletch_status status;
};

static uint8_t *copy_of(const void *bytes, size_t size)
{
    uint8_t *copy = (uint8_t *)malloc(size != 0 ? size : 1);

    CHECK(copy != NULL);
    if (size != 0) memcpy(copy, bytes, size);
    return copy;
}

/* The options that a set of bits stands for; with little memory where it says so. */
static fletch_compare_options rule_of(unsigned ignored, void *memory, size_t size)
{
    fletch_compare_options rule;

    memset(&rule, 0, sizeof rule);
    rule.ignore_metadata = (ignored & 1) != 0;
    rule.ignore_metadata_order = (ignored & 2) != 0;
    rule.ignore_child_names = (ignored & 4) != 0;
    rule.ignore_dictionary_ids = (ignored & 8) != 0;
    rule.ignore_endianness = (ignored & 16) != 0;
    rule.ignore_features = (ignored & 32) != 0;
    rule.memory = memory;
    rule.memory_size = size;
    return rule;
}

static void check_error(fletch_status status, const fletch_error *error, size_t size)
{
    CHECK(error->status == status && error->offset <= size);
    CHECK(memchr(error->path, 0, sizeof error->path) != NULL);
    CHECK(memchr(error->sentence, 0, sizeof error->sentence) != NULL);
    CHECK(status == FLETCH_OK || error->sentence[0] != '\0');
}

/* Compares, with all the memory that is asked for. */
static fletch_status compare(const struct side *a, const struct side *b, unsigned ignored,
                             fletch_error *error)
{
    fletch_compare_options rule = rule_of(ignored, NULL, 0);
    fletch_status status = fletch_compare(&a->schema, &b->schema, &rule, error);

    if (status == FLETCH_NO_SPACE) {
        CHECK(rule.ignore_metadata_order && error->wanted != 0);
        rule.memory_size = (size_t)error->wanted;
        rule.memory = malloc(rule.memory_size);
        CHECK(rule.memory != NULL);
        status = fletch_compare(&a->schema, &b->schema, &rule, error);
        CHECK(status != FLETCH_NO_SPACE);
        free(rule.memory);
    }
    check_error(status, error, a->size > b->size ? a->size : b->size);
    return status;
}

static fletch_status hash(const struct side *a, unsigned ignored, uint64_t *value)
{
    const fletch_compare_options rule = rule_of(ignored, NULL, 0);
    fletch_error error;
    fletch_status status = fletch_hash(&a->schema, &rule, value, &error);

    check_error(status, &error, a->size);
    CHECK(status == FLETCH_OK || *value == 0);
    return status;
}

/* All differences */

struct taken {
    unsigned count, most;
    fletch_error first;
};

static void check_side(const fletch_difference *difference, const fletch_difference_side *side)
{
    CHECK(side->is_there || difference->form == FLETCH_FORM_PRESENCE || side->number == 0);
    if (side->pair != NULL) CHECK(difference->aspect == FLETCH_ASPECT_METADATA);
    if (side->field == NULL) return;
    if (side->field->name.size != 0) CHECK(side->field->name.data != NULL);
}

static bool take_difference(void *context, const fletch_difference *difference)
{
    struct taken *taken = (struct taken *)context;

    CHECK(difference->error.status == FLETCH_DIFFERENT);
    check_side(difference, &difference->a);
    check_side(difference, &difference->b);
    CHECK(difference->a.is_there || difference->b.is_there);
    if (taken->count++ == 0) taken->first = difference->error;
    return taken->count < taken->most;
}

/* How many differences there are; the first must be the one that was told. */
static unsigned count_differences(const struct side *a, const struct side *b, unsigned ignored,
                                  unsigned most, const fletch_error *told)
{
    const size_t size = (a->size + b->size) * FLETCH_COMPARE_MEMORY + 64;
    void *memory = malloc(size);
    const fletch_compare_options rule = rule_of(ignored, memory, size);
    struct taken taken;
    fletch_error error;
    fletch_status status;

    CHECK(memory != NULL);
    memset(&taken, 0, sizeof taken);
    taken.most = most;
    status = fletch_compare_each(&a->schema, &b->schema, &rule, take_difference, &taken, &error);
    check_error(status, &error, a->size > b->size ? a->size : b->size);
    CHECK(status != FLETCH_NO_SPACE && taken.count <= most);
    CHECK(status != FLETCH_OK || taken.count == 0);
    CHECK(status != FLETCH_DIFFERENT || taken.count != 0);
    if (told->status == FLETCH_OK) CHECK(status == FLETCH_OK);
    if (told->status == FLETCH_DIFFERENT) {
        CHECK(taken.count != 0 && taken.first.offset == told->offset);
        CHECK(strcmp(taken.first.path, told->path) == 0);
        CHECK(strcmp(taken.first.sentence, told->sentence) == 0);
    }
    free(memory);
    return status == FLETCH_DIFFERENT || status == FLETCH_OK ? taken.count : most;
}

/* Both ways */

/* What two verified schemas must say of each other. */
static void check_pair(const struct side *a, const struct side *b, unsigned ignored)
{
    fletch_error there, back, less;
    const fletch_status status = compare(a, b, ignored, &there);
    uint64_t hash_a, hash_b;
    unsigned more;

    CHECK(compare(b, a, ignored, &back) == status);
    CHECK(status == FLETCH_OK || status == FLETCH_DIFFERENT || status == FLETCH_LIMIT);
    if (status == FLETCH_LIMIT) return;
    if ((ignored & 2) == 0) /* else each tells first what only the first of the two has */
        CHECK(strcmp(there.path, back.path) == 0);
    CHECK(count_differences(a, b, ignored, 100000, &there) ==
          count_differences(b, a, ignored, 100000, &back));
    (void)count_differences(a, b, ignored, 1, &there);
    if (hash(a, ignored, &hash_a) == FLETCH_OK && hash(b, ignored, &hash_b) == FLETCH_OK)
        CHECK((hash_a == hash_b) == (status == FLETCH_OK));
    for (more = 0; status == FLETCH_OK && more < OPTIONS; more++)
        CHECK(compare(a, b, ignored | 1u << more, &less) == FLETCH_OK);
}

static void check_self(const struct side *a, unsigned ignored)
{
    fletch_error error;
    const fletch_status status = compare(a, a, ignored, &error);

    CHECK(status == FLETCH_OK || status == FLETCH_LIMIT);
    if (status == FLETCH_OK) (void)count_differences(a, a, ignored, 1, &error);
}

/* A copy of a schema equals it, and the bytes of the one are as expected of the other. */
static void check_copy(const struct side *a, unsigned ignored)
{
    const fletch_allocator heap = fletch_heap();
    const fletch_options arrow = {FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, {0, 0, 0}, NULL, 0, false};
    const fletch_compare_options rule = rule_of(ignored & ~2u, NULL, 0);
    fletch_builder builder;
    fletch_error error;
    const void *bytes;
    size_t size;

    fletch_builder_init_growing(&builder, &heap);
    fletch_set_level(&builder, FLETCH_LEVEL_ARROW);
    fletch_copy_schema(&builder, &a->schema);
    if (fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, &error) == FLETCH_OK)
        CHECK(fletch_expect(bytes, size, &arrow, &a->schema, &rule, &error) == FLETCH_OK);
    fletch_builder_release(&builder);
}

/* Unverified bytes: any answer will do that leaves no trace and does not hang. */
static void try_pair(const struct side *a, const struct side *b, unsigned ignored)
{
    fletch_error error;
    uint64_t value;

    (void)compare(a, b, ignored, &error);
    (void)count_differences(a, b, ignored, 50, &error);
    (void)hash(a, ignored, &value);
    (void)hash(b, ignored, &value);
}

static void judge(const struct side *a, const struct side *b, unsigned ignored, bool is_verified)
{
    const bool is_good = is_verified && a->status == FLETCH_OK;

    if (is_good) {
        check_self(a, ignored);
        check_copy(a, ignored);
    }
    if (is_good && b->status == FLETCH_OK)
        check_pair(a, b, ignored);
    else
        try_pair(a, b, ignored);
}

/* Opening */

static void open_side(struct side *side, const void *bytes, size_t size, fletch_kind kind,
                      fletch_level level)
{
    fletch_options options = {FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, {0, 0, 0}, NULL, 0, false};
    fletch_error error;

    options.kind = kind;
    options.level = level;
    side->bytes = copy_of(bytes, size);
    side->size = size;
    side->status = fletch_open_with(side->bytes, size, &options, &side->schema, &error);
}

/* Changes bytes as the end of the input says, three bytes for each: where, and what. */
static void change(uint8_t *bytes, size_t size, const uint8_t *changes, size_t changes_size)
{
    for (; size != 0 && changes_size >= 3; changes += 3, changes_size -= 3)
        bytes[(changes[0] | (size_t)changes[1] << 8) % size] ^= changes[2];
}

static void open_second(struct side *b, const struct side *a, const uint8_t *rest, size_t size,
                        bool is_changed, fletch_kind kind, fletch_level level)
{
    uint8_t *changed;

    if (!is_changed) {
        open_side(b, rest, size, kind, level);
        return;
    }
    changed = copy_of(a->bytes, a->size);
    change(changed, a->size, rest, size);
    open_side(b, changed, a->size, kind, level);
    free(changed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const fletch_kind kinds[] = {FLETCH_SCHEMA, FLETCH_MESSAGE, FLETCH_ENCAPSULATED,
                                        FLETCH_FOOTER};
    const uint8_t *bytes = data + 4;
    struct side a, b;
    size_t first;
    fletch_level level;

    if (size < 4) return 0;
    level = (fletch_level)(1 + (data[0] >> 2) % 4);
    first = data[2] | (size_t)data[3] << 8;
    if (first > size - 4) first = size - 4;
    open_side(&a, bytes, first, kinds[data[0] % 4], level);
    open_second(&b, &a, bytes + first, size - 4 - first, (data[0] & 0x10) == 0,
                kinds[(data[0] ^ data[0] >> 6) % 4], level);
    judge(&a, &b, data[1] % 64, level != FLETCH_LEVEL_UNCHECKED);
    free(a.bytes);
    free(b.bytes);
    return 0;
}
