/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C data interface, both ways.
 *
 * From trees: the input describes ArrowSchemas, good and hostile, linked in any way: released, with
 * NULL or a wrong count where something should be, with a node below itself, in several places, or
 * dictionary of a dictionary. Each text, metadata block and array is a heap block of its exact
 * size. The interface gives metadata no size, so that a block is whole up to where it must be
 * refused. What is imported says what the tree says, with nothing hostile in it; exported and
 * imported again it is the same to the byte.
 *
 * From bytes: whatever opens, at any level, is exported whole and field by field; what comes of it
 * is imported again and equals the schema, dictionary ids included if they are listed.
 *
 * Every export takes one block, which is given back by the last release, however its parts were
 * moved and whatever the order.
 */
#include "check.h"

#include <fletch/fletch.h>
#include <fletch/heap.h>

enum { MOST_NODES = 64, MOST_CHILDREN = 131, MOST_PAIRS = 4, MOST_PARTS = 48 };

struct script {
    const uint8_t *at, *end;
};

static uint8_t take(struct script *script)
{
    return script->at < script->end ? *script->at++ : 0;
}

/* Memory that counts its blocks. */
struct ledger {
    unsigned calls, blocks;
    size_t size;
};

static void *reallocate(void *context, void *block, size_t old_size, size_t new_size)
{
    struct ledger *ledger = (struct ledger *)context;

    ledger->calls++;
    CHECK(old_size == ledger->size);
    ledger->size = new_size;
    if (block == NULL) ledger->blocks++;
    if (new_size == 0) ledger->blocks--;
    return fletch_heap_reallocate(NULL, block, old_size, new_size);
}

/* Exported trees */

struct parts {
    struct ArrowSchema *all[MOST_PARTS]; /* in place, in pre-order */
    struct ArrowSchema moved[MOST_PARTS];
    unsigned count;
};

/* Counts what can be read of a tree, and remembers its first nodes. */
static unsigned read_tree(struct ArrowSchema *tree, struct parts *parts)
{
    unsigned sum = (unsigned)(strlen(tree->format) + strlen(tree->name));
    int32_t pairs = 0;
    int64_t i;

    CHECK(tree->release != NULL && tree->n_children >= 0);
    CHECK((tree->children == NULL) == (tree->n_children == 0));
    if (tree->metadata != NULL) {
        memcpy(&pairs, tree->metadata, 4);
        CHECK(pairs > 0);
    }
    if (parts != NULL && parts->count < MOST_PARTS) parts->all[parts->count++] = tree;
    if (tree->dictionary != NULL) {
        CHECK(tree->n_children == 0 && tree->dictionary->dictionary == NULL);
        CHECK(tree->dictionary->metadata == NULL && tree->dictionary->name[0] == '\0');
        sum += read_tree(tree->dictionary, parts);
    }
    for (i = 0; i < tree->n_children; i++)
        sum += read_tree(tree->children[i], parts);
    return sum + (unsigned)pairs;
}

/* A part whose own parts may have been moved out of it. */
static void read_part(const struct ArrowSchema *part)
{
    int64_t i;

    CHECK(strlen(part->format) > 0);
    for (i = 0; i < part->n_children; i++)
        if (part->children[i]->release != NULL) read_part(part->children[i]);
    if (part->dictionary != NULL && part->dictionary->release != NULL) read_part(part->dictionary);
}

/* Moves any parts out and releases all in any order; `tree` itself is the first part. */
static void release_in_parts(struct ArrowSchema *tree, uint64_t order, const struct ledger *ledger)
{
    struct parts parts;
    unsigned i, left = 1;

    parts.count = 0;
    (void)read_tree(tree, &parts);
    parts.moved[0] = *tree;
    tree->release = NULL;
    for (i = 1; i < parts.count; i++) {
        order = order * UINT64_C(6364136223846793005) + 1442695040888963407u;
        if (order >> 62 != 0) continue;
        parts.moved[left++] = *parts.all[i];
        parts.all[i]->release = NULL;
    }
    while (left != 0) {
        order = order * UINT64_C(6364136223846793005) + 1442695040888963407u;
        i = (unsigned)((order >> 33) % left);
        CHECK(ledger->blocks == 1);
        read_part(&parts.moved[i]);
        parts.moved[i].release(&parts.moved[i]);
        CHECK(parts.moved[i].release == NULL);
        parts.moved[i] = parts.moved[--left];
    }
    CHECK(ledger->blocks == 0);
}

/* Trees from the input */

/* A node, and whom it leads to, by number. */
struct planted {
    struct ArrowSchema schema, before;
    unsigned children, links[MOST_CHILDREN];
    int dictionary; /* -1: none */
    bool is_hostile;
    uint8_t hostility, argument;
};

struct garden {
    struct planted nodes[MOST_NODES];
    unsigned count;
};

static void do_not_release(struct ArrowSchema *schema)
{
    CHECK(schema == NULL); /* an import releases nothing */
}

/* A block of exactly that size. */
static char *block_of(const void *bytes, size_t size)
{
    char *block = (char *)malloc(size != 0 ? size : 1);

    CHECK(block != NULL);
    if (size != 0) memcpy(block, bytes, size);
    return block;
}

static char *take_text(struct script *script, size_t most)
{
    size_t size = take(script) % (most + 1), i;
    char *text;

    if (size > (size_t)(script->end - script->at)) size = (size_t)(script->end - script->at);
    text = (char *)malloc(size + 1);
    CHECK(text != NULL);
    for (i = 0; i < size; i++)
        text[i] = (char)(script->at[i] != 0 ? script->at[i] : 'x');
    text[size] = '\0';
    script->at += size;
    return text;
}

static char *take_format(struct script *script)
{
    static const char *const formats[] = {"i",          "u",          "+s",
                                          "+l",         "+m",         "+r",
                                          "+us:0,1",    "+ud:",       "c",
                                          "s",          "l",          "C",
                                          "S",          "I",          "L",
                                          "n",          "b",          "e",
                                          "f",          "g",          "z",
                                          "Z",          "vz",         "U",
                                          "vu",         "d:9,2",      "d:1,-1",
                                          "d:38,0,128", "d:76,3,256", "d:9,9,32",
                                          "w:0",        "w:16",       "tdD",
                                          "tdm",        "tts",        "ttm",
                                          "ttu",        "ttn",        "tss:",
                                          "tsm:UTC",    "tsu:",       "tsn::,:",
                                          "tDs",        "tDm",        "tDu",
                                          "tDn",        "tiM",        "tiD",
                                          "tin",        "+L",         "+vl",
                                          "+vL",        "+w:3",       "+us:",
                                          "+us:0",      "+ud:5,7",    "+w:2147483647",
                                          "w:-1",       "d:10,2,",    "d:39,0",
                                          "+us:1,1",    "+us:128",    "ts",
                                          "q"};
    const uint8_t byte = take(script);

    if (byte >= 192) return take_text(script, 40);
    return block_of(formats[byte % 64], strlen(formats[byte % 64]) + 1);
}

/* A metadata block; where a size is negative it ends behind that. */
static char *take_pairs(struct script *script)
{
    char block[4 + MOST_PAIRS * 2 * (4 + 16)];
    const uint8_t byte = take(script);
    int32_t count = byte < 250 ? byte % (MOST_PAIRS + 1) : (int32_t)byte - 256, size, i;
    size_t used = 4;

    memcpy(block, &count, 4);
    for (i = 0; i < 2 * count; i++) {
        const uint8_t length = take(script);

        size = length < 250 ? length % 17 : (int32_t)length - 256;
        memcpy(block + used, &size, 4);
        used += 4;
        if (size < 0) break;
        while (size-- != 0)
            block[used++] = (char)take(script);
    }
    return block_of(block, used);
}

/* Something no producer should do. */
static void make_hostile(struct planted *node)
{
    struct ArrowSchema *schema = &node->schema;
    const uint8_t argument = node->argument;

    switch (node->hostility % 8) {
    case 0: schema->release = NULL; break;
    case 1:
        free((void *)(uintptr_t)schema->format);
        schema->format = NULL;
        break;
    case 2: schema->n_children = -1 - (int64_t)argument; break;
    case 3: schema->n_children = INT64_MIN + argument; break;
    case 4: schema->n_children = INT64_MAX - argument; break;
    case 5: schema->n_children = (INT64_C(1) << 32) + argument; break;
    case 6:
        free(schema->children);
        schema->children = NULL;
        break;
    default: schema->flags = (int64_t)(UINT64_MAX << argument % 64); break;
    }
}

/* Its children are linked when all nodes are there. */
static void plant(struct script *script, struct planted *node)
{
    const uint8_t shape = take(script);
    struct ArrowSchema *schema = &node->schema;
    unsigned i;

    memset(node, 0, sizeof *node);
    node->is_hostile = (shape & 0x88) == 0x88;
    if (node->is_hostile) {
        node->hostility = take(script);
        node->argument = take(script);
    }
    node->dictionary = (shape & 0x10) != 0 ? take(script) : -1;
    schema->flags = take(script) % 8;
    schema->format = take_format(script);
    schema->name = (shape & 0x20) != 0 ? take_text(script, 8) : NULL;
    schema->metadata = (shape & 0x40) != 0 ? take_pairs(script) : NULL;
    schema->release = do_not_release;
    node->children = shape & 7;
    if (node->children == 7) node->children = take(script) % (MOST_CHILDREN + 1);
    for (i = 0; i < node->children; i++) /* many children are most often of one kind */
        node->links[i] = i < 8 ? take(script) : node->links[i % 8];
    schema->n_children = node->children;
}

static struct ArrowSchema *linked(struct garden *garden, unsigned from, unsigned link)
{
    if (link == 255) return NULL;
    return &garden->nodes[(from + 1 + link) % garden->count].schema;
}

static void link_node(struct garden *garden, unsigned from)
{
    struct planted *node = &garden->nodes[from];
    struct ArrowSchema **children = NULL;
    unsigned i;

    if (node->children != 0) {
        children = (struct ArrowSchema **)malloc(node->children * sizeof *children);
        CHECK(children != NULL);
        for (i = 0; i < node->children; i++)
            children[i] = linked(garden, from, node->links[i]);
    }
    node->schema.children = children;
    if (node->dictionary >= 0)
        node->schema.dictionary = linked(garden, from, (unsigned)node->dictionary);
}

static void plant_all(struct script *script, struct garden *garden)
{
    unsigned i;

    garden->count = 0;
    do {
        plant(script, &garden->nodes[garden->count++]);
    } while (script->at < script->end && garden->count < MOST_NODES);
    for (i = 0; i < garden->count; i++) {
        link_node(garden, i);
        if (garden->nodes[i].is_hostile) make_hostile(&garden->nodes[i]);
        garden->nodes[i].before = garden->nodes[i].schema;
    }
}

static void uproot_all(struct garden *garden)
{
    unsigned i;

    for (i = 0; i < garden->count; i++) {
        const struct ArrowSchema *schema = &garden->nodes[i].schema;

        CHECK(memcmp(schema, &garden->nodes[i].before, sizeof *schema) == 0);
        free((void *)(uintptr_t)schema->format);
        free((void *)(uintptr_t)schema->name);
        free((void *)(uintptr_t)schema->metadata);
        free(schema->children);
    }
}

/* What was imported against what it was imported from */

static size_t size_of_pairs(const char *metadata)
{
    int32_t count, size, i;
    size_t used = 4;

    memcpy(&count, metadata, 4);
    CHECK(count >= 0);
    for (i = 0; i < 2 * count; i++) {
        memcpy(&size, metadata + used, 4);
        CHECK(size >= 0);
        used += 4 + (size_t)size;
    }
    return used;
}

static bool has_pairs(const char *metadata)
{
    return metadata != NULL && size_of_pairs(metadata) != 4;
}

static void same_pairs(const char *in, const char *out)
{
    CHECK(has_pairs(in) == (out != NULL));
    if (out == NULL) return;
    CHECK(size_of_pairs(in) == size_of_pairs(out));
    CHECK(memcmp(in, out, size_of_pairs(in)) == 0);
}

/* A width of 128 may have been written out. */
static void same_format(const char *in, const char *out)
{
    const size_t size = strlen(out);

    CHECK(strncmp(in, out, size) == 0);
    CHECK(in[size] == '\0' || (out[0] == 'd' && strcmp(in + size, ",128") == 0));
}

static void same_tree(const struct ArrowSchema *in, const struct ArrowSchema *out, unsigned depth)
{
    const struct ArrowSchema *typed = in, *out_typed = out;
    int64_t i;

    CHECK(in != NULL && in->release != NULL && in->format != NULL && depth <= FLETCH_MAX_DEPTH);
    CHECK(strcmp(in->name != NULL ? in->name : "", out->name) == 0);
    CHECK((in->flags & ARROW_FLAG_NULLABLE) == (out->flags & ARROW_FLAG_NULLABLE));
    CHECK((in->dictionary != NULL) == (out->dictionary != NULL));
    if (in->dictionary != NULL) {
        typed = in->dictionary;
        out_typed = out->dictionary;
        CHECK(strcmp(in->format, out->format) == 0 && strchr("csilCSIL", in->format[0]) != NULL);
        CHECK(in->n_children == 0 && typed->release != NULL && typed->dictionary == NULL);
        CHECK(((in->flags ^ out->flags) & ARROW_FLAG_DICTIONARY_ORDERED) == 0);
        CHECK(!has_pairs(in->metadata) || !has_pairs(typed->metadata));
    }
    same_pairs(has_pairs(in->metadata) ? in->metadata : typed->metadata, out->metadata);
    same_format(typed->format, out_typed->format);
    if (strcmp(out_typed->format, "+m") == 0)
        CHECK(((typed->flags ^ out_typed->flags) & ARROW_FLAG_MAP_KEYS_SORTED) == 0);
    CHECK(typed->n_children == out_typed->n_children);
    for (i = 0; i < typed->n_children; i++)
        same_tree(typed->children[i], out_typed->children[i], depth + 1);
}

/* Importing, exporting, importing again */

/* How a tree is imported. */
struct manner {
    fletch_level level;
    bool is_field, is_inside; /* a field, which may be inside another */
    fletch_import_options options;
    int64_t first_id, next_id;
    fletch_listed_dictionary list[4];
    uint64_t order;
};

static void take_manner(struct script *script, struct manner *manner)
{
    const uint8_t bits = take(script), nodes = take(script);
    unsigned i;

    memset(manner, 0, sizeof *manner);
    manner->level = (bits & 1) != 0 ? FLETCH_LEVEL_ARROW : FLETCH_LEVEL_STRICT;
    manner->is_field = (bits & 2) != 0;
    manner->is_inside = (bits & 4) != 0;
    manner->options.depth = take(script);
    manner->options.nodes = nodes != 0 ? nodes : 2000;
    manner->order = take(script);
    if ((bits & 8) != 0) {
        const int64_t starts[4] = {0, -1, INT64_MAX - 1, INT64_MIN};

        manner->first_id = manner->next_id = starts[manner->order % 4];
        manner->options.next_id = &manner->next_id;
    }
    if ((bits & 16) == 0) return;
    manner->options.dictionaries = manner->list;
    manner->options.dictionary_count = take(script) % 5;
    for (i = 0; i < manner->options.dictionary_count; i++) {
        manner->list[i].field = (i != 0 ? manner->list[i - 1].field : 0) + take(script) % 3;
        manner->list[i].id = take(script);
    }
}

static fletch_status import(fletch_builder *builder, const struct ArrowSchema *tree,
                            const struct manner *manner, const fletch_import_options *options)
{
    const fletch_allocator heap = fletch_heap();
    fletch_status status;

    fletch_builder_init_growing(builder, &heap);
    fletch_set_level(builder, manner->level);
    if (!manner->is_field) return fletch_import_schema(builder, tree, options);
    if (manner->is_inside) fletch_begin_field(builder, "outer", fletch_struct(), 0);
    status = fletch_import_field(builder, tree, options);
    if (manner->is_inside && status == FLETCH_OK) status = fletch_end_field(builder);
    return status;
}

/* Lists the ids of a schema, to be freed by the caller. */
static fletch_listed_dictionary *list_ids(const fletch_schema *schema, size_t *count)
{
    fletch_listed_dictionary *list, one;
    size_t again;
    fletch_status status = fletch_list_dictionaries(schema, NULL, &one, 0, count, NULL);

    CHECK(status == (*count != 0 ? FLETCH_NO_SPACE : FLETCH_OK));
    list = (fletch_listed_dictionary *)malloc((*count + 1) * sizeof *list);
    CHECK(list != NULL);
    CHECK(fletch_list_dictionaries(schema, NULL, list, *count, &again, NULL) == FLETCH_OK);
    CHECK(again == *count);
    return list;
}

/* Whether ids were counted. */
static void check_next_id(const struct manner *manner, size_t count)
{
    if (manner->options.dictionaries != NULL || manner->options.next_id == NULL) return;
    CHECK(manner->next_id == INT64_MAX ||
          manner->next_id == (int64_t)((uint64_t)manner->first_id + count));
}

/* Exports what was built, and wants the same bytes of that, ids restored. */
static void export_and_import(const fletch_schema *schema, const void *bytes, size_t size,
                              const struct ArrowSchema *from, const struct manner *manner)
{
    struct ledger ledger = {0, 0, 0};
    const fletch_allocator allocator = {reallocate, &ledger};
    struct manner plain = *manner;
    fletch_import_options options;
    fletch_listed_dictionary *list;
    struct ArrowSchema tree, *out = &tree;
    fletch_builder builder;
    fletch_error error;
    const void *again;
    size_t again_size;

    memset(&options, 0, sizeof options);
    CHECK(fletch_export_schema(schema, &allocator, NULL, &tree, &error) == FLETCH_OK);
    CHECK(ledger.calls == 1 && ledger.blocks == 1);
    list = list_ids(schema, &options.dictionary_count);
    check_next_id(manner, options.dictionary_count);
    options.dictionaries = list;
    plain.is_field = false;
    CHECK(import(&builder, &tree, &plain, &options) == FLETCH_OK);
    CHECK(fletch_finish(&builder, FLETCH_SCHEMA, &again, &again_size, &error) == FLETCH_OK);
    CHECK(again_size == size && memcmp(again, bytes, size) == 0);
    fletch_builder_release(&builder);
    free(list);
    if (manner->is_field) out = tree.children[0];
    if (manner->is_field && manner->is_inside) out = out->children[0];
    if (manner->is_field) {
        same_tree(from, out, 1);
    } else {
        struct ArrowSchema outermost = *from; /* whose name and flags are lost */

        CHECK(tree.flags == 0 && tree.name[0] == '\0');
        outermost.name = "";
        outermost.flags = 0;
        same_tree(&outermost, out, 0);
    }
    release_in_parts(&tree, manner->order, &ledger);
}

static void check_refusal(fletch_status status, fletch_builder *builder)
{
    const void *bytes;
    size_t size;
    fletch_error error;

    CHECK(status == FLETCH_MISUSE || status == FLETCH_INVALID || status == FLETCH_UNSUPPORTED ||
          status == FLETCH_LIMIT || status == FLETCH_MALFORMED);
    CHECK(fletch_finish(builder, FLETCH_SCHEMA, &bytes, &size, &error) == status);
    CHECK(error.status == status && error.sentence[0] != '\0' && size == 0);
}

static void grow_and_import(struct script script)
{
    static struct garden garden;
    struct manner manner;
    fletch_options options = {FLETCH_SCHEMA, FLETCH_LEVEL_STRICT, {0, 0, 0}, NULL, 0, false};
    fletch_builder builder;
    fletch_schema schema;
    fletch_error error;
    fletch_status status;
    const struct ArrowSchema *tree = &garden.nodes[0].schema;
    const void *bytes;
    size_t size;

    take_manner(&script, &manner);
    plant_all(&script, &garden);
    status = import(&builder, tree, &manner, &manner.options);
    if (status == FLETCH_OK) {
        CHECK(fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, &error) == FLETCH_OK);
        options.level = manner.level;
        CHECK(fletch_open_with(bytes, size, &options, &schema, &error) == FLETCH_OK);
        export_and_import(&schema, bytes, size, tree, &manner);
    } else {
        check_refusal(status, &builder);
    }
    fletch_builder_release(&builder);
    uproot_all(&garden);
}

/* From bytes */

/* Imports an export of a schema; the copy must equal it. */
static void same_schema(const fletch_schema *schema, const struct ArrowSchema *tree, bool has_list)
{
    static const struct manner plain = {.level = FLETCH_LEVEL_ARROW};
    const fletch_options arrow = {FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, {0, 0, 0}, NULL, 0, false};
    fletch_import_options options = {0, 0, NULL, NULL, 0};
    fletch_compare_options rule;
    fletch_listed_dictionary *list = NULL;
    fletch_builder builder;
    fletch_schema copy;
    fletch_error error;
    uint64_t hash, copy_hash;
    const void *bytes;
    size_t size;

    memset(&rule, 0, sizeof rule);
    rule.ignore_endianness = rule.ignore_features = true;
    rule.ignore_dictionary_ids = !has_list;
    if (has_list) options.dictionaries = list = list_ids(schema, &options.dictionary_count);
    CHECK(import(&builder, tree, &plain, &options) == FLETCH_OK);
    CHECK(fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, &error) == FLETCH_OK);
    CHECK(fletch_open_with(bytes, size, &arrow, &copy, &error) == FLETCH_OK);
    CHECK(fletch_compare(schema, &copy, &rule, &error) == FLETCH_OK);
    CHECK(fletch_hash(schema, &rule, &hash, &error) == FLETCH_OK);
    CHECK(fletch_hash(&copy, &rule, &copy_hash, &error) == FLETCH_OK && hash == copy_hash);
    fletch_builder_release(&builder);
    free(list);
}

static void check_export_refusal(const struct ArrowSchema *tree, fletch_status status,
                                 const fletch_error *error, const struct ledger *ledger)
{
    CHECK(tree->release == NULL && ledger->blocks == 0 && ledger->size == 0);
    CHECK(error->status == status && error->sentence[0] != '\0');
}

static void export_whole(const fletch_schema *schema, bool is_verified, uint64_t order)
{
    struct ledger ledger = {0, 0, 0};
    const fletch_allocator allocator = {reallocate, &ledger};
    struct ArrowSchema tree;
    fletch_error error;
    fletch_status status = fletch_export_schema(schema, &allocator, NULL, &tree, &error);

    if (status != FLETCH_OK) {
        check_export_refusal(&tree, status, &error, &ledger);
        CHECK(!is_verified || status == FLETCH_INVALID || status == FLETCH_UNSUPPORTED ||
              status == FLETCH_LIMIT);
        return;
    }
    CHECK(ledger.calls == 1 && ledger.blocks == 1);
    same_schema(schema, &tree, false);
    same_schema(schema, &tree, true);
    release_in_parts(&tree, order, &ledger);
}

/* Each field that is there, with its limits. */
static void export_fields(const fletch_schema *schema, const fletch_limits *limits, uint64_t order)
{
    fletch_fields fields = schema->fields;
    fletch_field field;
    unsigned count = 0;

    while (fletch_next_field(&fields, &field) && count++ < 20) {
        struct ledger ledger = {0, 0, 0};
        const fletch_allocator allocator = {reallocate, &ledger};
        struct ArrowSchema tree;
        fletch_error error;
        fletch_status status = fletch_export_field(&field, &allocator, limits, &tree, &error);

        if (status == FLETCH_OK)
            release_in_parts(&tree, order + count, &ledger);
        else
            check_export_refusal(&tree, status, &error, &ledger);
    }
}

static void open_and_export(struct script script)
{
    static const fletch_kind kinds[] = {FLETCH_SCHEMA, FLETCH_MESSAGE, FLETCH_ENCAPSULATED,
                                        FLETCH_FOOTER};
    const uint8_t bits = take(&script);
    const uint64_t order = take(&script);
    fletch_options options = {FLETCH_SCHEMA, FLETCH_LEVEL_ARROW, {0, 0, 0}, NULL, 0, false};
    fletch_limits limits = {0, 0, 0};
    size_t size;
    char *bytes;
    fletch_schema schema;
    fletch_error error;
    fletch_status status;

    options.kind = kinds[bits % 4];
    options.level = (fletch_level)(1 + (bits >> 2) % 4);
    if ((bits & 0x10) != 0) limits.tables = take(&script);
    if ((bits & 0x20) != 0) limits.text = take(&script);
    size = (size_t)(script.end - script.at);
    bytes = block_of(script.at, size);
    status = fletch_open_with(bytes, size, &options, &schema, &error);
    export_whole(&schema, status == FLETCH_OK && options.level >= FLETCH_LEVEL_ARROW, order);
    if (status == FLETCH_OK) export_fields(&schema, &limits, order);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct script script;

    if (size < 2) return 0;
    script.at = data + 1;
    script.end = data + size;
    if ((data[0] & 1) != 0)
        open_and_export(script);
    else
        grow_and_import(script);
    return 0;
}
