/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schemas to DuckDB and back through the C data interface, in one process:
 *
 *     duckdb LIBRARY FILE           a schema as a table of DuckDB's, and that table's schema
 *     duckdb LIBRARY --query SQL... the schema of the last query's result
 *
 * fletch exports the schema of FILE, DuckDB imports it, alone and by way of an ArrowArrayStream
 * without batches, and exports the schema of what it has made of that, which fletch imports and
 * prints as JSON. What either refuses is told on standard error, and the status is 1.
 *
 * Of DuckDB's C interface only what is used is declared here, so that its header is not needed.
 */
#define _POSIX_C_SOURCE 200809L

#include <fletch/fletch.h>
#include <fletch/heap.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GIVEN = 64 };

struct stream {
    int (*get_schema)(struct stream *, struct ArrowSchema *);
    int (*get_next)(struct stream *, struct ArrowArray *);
    const char *(*get_last_error)(struct stream *);
    void (*release)(struct stream *);
    void *private_data;
};

/* DuckDB's functions: 0 is success. */
static struct {
    int (*open)(const char *path, void **database);
    int (*connect)(void *database, void **connection);
    void *(*schema_from_arrow)(void *connection, struct ArrowSchema *schema, void **converted);
    void (*destroy_arrow_converted_schema)(void **converted);
    const char *(*error_data_message)(void *error);
    int (*arrow_scan)(void *connection, const char *view, struct stream *stream);
    int (*query_arrow)(void *connection, const char *query, void **result);
    int (*query_arrow_schema)(void *result, struct ArrowSchema **schema);
    const char *(*query_arrow_error)(void *result);
    void (*destroy_arrow)(void **result);
    void (*disconnect)(void **connection);
    void (*close)(void **database);
} duckdb;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void die_of(const char *what, const fletch_error *error)
{
    fprintf(stderr, "%s: %s: %s: %s\n", what, fletch_status_word(error->status), error->path,
            error->sentence);
    exit(1);
}

/* A function of the library. `function` is the address of a pointer to one. */
static void find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);

    if (found == NULL) die("duckdb", dlerror());
    memcpy(function, &found, sizeof found);
}

static void load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) die("duckdb", dlerror());
    find(library, "duckdb_open", &duckdb.open);
    find(library, "duckdb_connect", &duckdb.connect);
    find(library, "duckdb_schema_from_arrow", &duckdb.schema_from_arrow);
    find(library, "duckdb_destroy_arrow_converted_schema", &duckdb.destroy_arrow_converted_schema);
    find(library, "duckdb_error_data_message", &duckdb.error_data_message);
    find(library, "duckdb_arrow_scan", &duckdb.arrow_scan);
    find(library, "duckdb_query_arrow", &duckdb.query_arrow);
    find(library, "duckdb_query_arrow_schema", &duckdb.query_arrow_schema);
    find(library, "duckdb_query_arrow_error", &duckdb.query_arrow_error);
    find(library, "duckdb_destroy_arrow", &duckdb.destroy_arrow);
    find(library, "duckdb_disconnect", &duckdb.disconnect);
    find(library, "duckdb_close", &duckdb.close);
}

/* A stream of one schema and no batches */

static struct {
    const fletch_schema *schema;
    unsigned blocks;                      /* of exports that were not given back */
    struct ArrowSchema given[MOST_GIVEN]; /* by the stream */
    unsigned given_count;
    fletch_error error;
} source;

static void *count_blocks(void *context, void *block, size_t old_size, size_t new_size)
{
    if (block == NULL) source.blocks++;
    if (new_size == 0) source.blocks--;
    return fletch_heap_reallocate(context, block, old_size, new_size);
}

static int get_schema(struct stream *stream, struct ArrowSchema *out)
{
    const fletch_allocator allocator = {count_blocks, NULL};

    (void)stream;
    if (source.given_count == MOST_GIVEN) die("duckdb", "asks for the schema without end");
    if (fletch_export_schema(source.schema, &allocator, NULL, out, &source.error) != FLETCH_OK)
        return 1;
    source.given[source.given_count++] = *out;
    return 0;
}

static int get_next(struct stream *stream, struct ArrowArray *out)
{
    (void)stream;
    memset(out, 0, sizeof *out);
    return 0;
}

static const char *get_last_error(struct stream *stream)
{
    (void)stream;
    return source.error.sentence;
}

static void release_stream(struct stream *stream)
{
    stream->release = NULL;
}

/* Output */

static bool write_out(void *context, const char *text, size_t size)
{
    return fwrite(text, 1, size, context) == size;
}

static void print_imported(const struct ArrowSchema *tree)
{
    const fletch_allocator heap = fletch_heap();
    fletch_options options;
    fletch_builder builder;
    fletch_schema schema;
    fletch_error error;
    const void *bytes;
    size_t size;

    memset(&options, 0, sizeof options);
    options.kind = FLETCH_SCHEMA;
    fletch_builder_init_growing(&builder, &heap);
    fletch_set_level(&builder, FLETCH_LEVEL_ARROW);
    fletch_import_schema(&builder, tree, NULL);
    if (fletch_finish(&builder, FLETCH_SCHEMA, &bytes, &size, &error) != FLETCH_OK ||
        fletch_open_with(bytes, size, &options, &schema, &error) != FLETCH_OK ||
        fletch_print_json(&schema, NULL, write_out, stdout, &error) != FLETCH_OK)
        die_of("imported", &error);
    fletch_builder_release(&builder);
}

/* Runs a query; the schema of its result is printed, if it is wanted. */
static void query(void *connection, const char *text, bool is_wanted)
{
    struct ArrowSchema tree, *out = &tree;
    void *result = NULL;

    memset(&tree, 0, sizeof tree);
    if (duckdb.query_arrow(connection, text, &result) != 0)
        die("refused", duckdb.query_arrow_error(result));
    if (is_wanted) {
        if (duckdb.query_arrow_schema(result, &out) != 0) die("refused", "its schema");
        print_imported(&tree);
        tree.release(&tree);
        if (tree.release != NULL) die("duckdb", "a schema is not marked as released");
    }
    duckdb.destroy_arrow(&result);
}

/* Input */

static void *load_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(1 << 24);

    if (file == NULL || bytes == NULL) die(path, "cannot be read");
    *size = fread(bytes, 1, 1 << 24, file);
    fclose(file);
    return bytes;
}

/* Imports the schema alone: what DuckDB has against it is told. */
static void convert(void *connection)
{
    const fletch_allocator allocator = {count_blocks, NULL};
    struct ArrowSchema tree;
    void *converted = NULL, *error;

    if (fletch_export_schema(source.schema, &allocator, NULL, &tree, &source.error) != FLETCH_OK)
        die_of("exported", &source.error);
    error = duckdb.schema_from_arrow(connection, &tree, &converted);
    if (error != NULL) die("refused", duckdb.error_data_message(error));
    duckdb.destroy_arrow_converted_schema(&converted);
    if (tree.release != NULL) tree.release(&tree);
    if (source.blocks != 0) die("exported", "a schema was not given back");
}

/* duckdb_arrow_scan releases no schema that a stream has given: it takes them for the caller's. */
static void release_given(void)
{
    if (source.blocks != source.given_count) die("duckdb", "releases what a stream has given");
    while (source.given_count-- != 0)
        source.given[source.given_count].release(&source.given[source.given_count]);
    if (source.blocks != 0) die("exported", "schemas were not given back");
}

static void exchange(void *connection, const char *path)
{
    struct stream stream = {get_schema, get_next, get_last_error, release_stream, NULL};
    fletch_schema schema;
    fletch_error error;
    size_t size;
    void *bytes = load_file(path, &size);

    if (fletch_open(bytes, size, &schema, &error) != FLETCH_OK) die_of("opened", &error);
    source.schema = &schema;
    convert(connection);
    if (duckdb.arrow_scan(connection, "given", &stream) != 0) die("refused", "duckdb_arrow_scan");
    query(connection, "SELECT * FROM given", true);
    if (stream.release != NULL) stream.release(&stream);
    free(bytes);
}

int main(int count, char **words)
{
    void *database = NULL, *connection = NULL;
    int i;

    if (count < 3) die("usage", "duckdb LIBRARY FILE, or --query SQL...");
    load(words[1]);
    if (duckdb.open(NULL, &database) != 0 || duckdb.connect(database, &connection) != 0)
        die("duckdb", "cannot be opened");
    if (strcmp(words[2], "--query") != 0) exchange(connection, words[2]);
    for (i = 3; i < count; i++)
        query(connection, words[i], i == count - 1);
    duckdb.disconnect(&connection);
    duckdb.close(&database);
    release_given();
    return 0;
}
