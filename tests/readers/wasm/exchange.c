/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library as WebAssembly, in a memory that it shares with others who speak the C data
 * interface: what they made it imports where it stands, what it exports they read where it stands.
 *
 * The memory is not its own: what it takes is what memory.grow gives it. Nothing is given back but
 * by forget(), which begins again where the first block was.
 */
#include <fletch/fletch.h>

#include <string.h>

enum { PAGE = 65536, FIRST_PAGES = 256 };

#define EXPORTED(name) __attribute__((export_name(#name))) name

void *memcpy(void *to, const void *from, size_t size)
{
    char *at = to;
    size_t i;

    for (i = 0; i < size; i++)
        at[i] = ((const char *)from)[i];
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    char *at = to;

    if ((uintptr_t)to - (uintptr_t)from >= size) return memcpy(to, from, size);
    while (size-- != 0)
        at[size] = ((const char *)from)[size];
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    char *at = to;
    size_t i;

    for (i = 0; i < size; i++)
        at[i] = (char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *left = a, *right = b;
    size_t i;

    for (i = 0; i < size; i++)
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    return 0;
}

size_t strlen(const char *text)
{
    size_t size = 0;

    while (text[size] != '\0')
        size++;
    return size;
}

/* Memory */

static char *first, *first_end, *next, *end;
static unsigned exports; /* blocks of ArrowSchemas that were not given back */

static void *grow(size_t size)
{
    const size_t pages = size / PAGE + 1 < FIRST_PAGES ? FIRST_PAGES : size / PAGE + 1;
    const size_t old = __builtin_wasm_memory_grow(0, pages);

    if (old == SIZE_MAX) return NULL;
    next = (char *)(old * PAGE);
    end = next + pages * PAGE;
    if (first == NULL) {
        first = next;
        first_end = end;
    }
    return next;
}

/* Bytes that are aligned to 16, until all is forgotten; NULL: there are none. */
void *EXPORTED(take)(size_t size)
{
    char *taken;

    size = (size + 15) / 16 * 16;
    if (size > (size_t)(end - next) && grow(size) == NULL) return NULL;
    taken = next;
    next += size;
    return taken;
}

void EXPORTED(forget)(void)
{
    next = first;
    end = first_end;
}

static void *reallocate(void *context, void *block, size_t old_size, size_t new_size)
{
    void *made = new_size > old_size ? take(new_size) : block;

    (void)context;
    if (made == NULL || new_size == 0) return NULL;
    if (block != NULL && block != made) memcpy(made, block, old_size);
    return made;
}

/* The same, counted. */
static void *count_blocks(void *context, void *block, size_t old_size, size_t new_size)
{
    if (block == NULL) exports++;
    if (new_size == 0) exports--;
    return reallocate(context, block, old_size, new_size);
}

unsigned EXPORTED(count_exports)(void)
{
    return exports;
}

/* What was said last: JSON, or the words of an error. */

static struct text {
    char *data;
    size_t size, space;
} said;

static bool say(void *context, const char *data, size_t size)
{
    struct text *text = context;

    if (text->space - text->size < size) {
        const size_t space = 2 * (text->size + size) + 4096;

        text->data = reallocate(NULL, text->data, text->space, space);
        if (text->data == NULL) return false;
        text->space = space;
    }
    memcpy(text->data + text->size, data, size);
    text->size += size;
    return true;
}

static void begin_saying(void)
{
    memset(&said, 0, sizeof said);
}

static void say_error(const fletch_error *error)
{
    begin_saying();
    say(&said, fletch_status_word(error->status), strlen(fletch_status_word(error->status)));
    say(&said, ": ", 2);
    say(&said, error->path, strlen(error->path));
    say(&said, ": ", 2);
    say(&said, error->sentence, strlen(error->sentence));
}

const char *EXPORTED(said_text)(void)
{
    return said.data;
}

size_t EXPORTED(said_size)(void)
{
    return said.size;
}

/* Both ways */

/* The ArrowSchema of a stream; NULL, with an error said: there is none. */
struct ArrowSchema *EXPORTED(export_stream)(const void *bytes, size_t size)
{
    const fletch_allocator allocator = {count_blocks, NULL};
    struct ArrowSchema *tree = take(sizeof *tree);
    fletch_schema schema;
    fletch_error error;

    if (tree != NULL && fletch_open(bytes, size, &schema, &error) == FLETCH_OK &&
        fletch_export_schema(&schema, &allocator, NULL, tree, &error) == FLETCH_OK)
        return tree;
    say_error(&error);
    return NULL;
}

void EXPORTED(release)(struct ArrowSchema *tree)
{
    tree->release(tree);
}

static fletch_status print(fletch_builder *builder, fletch_error *error)
{
    fletch_status status;
    fletch_options options;
    fletch_schema schema;
    const void *bytes;
    size_t size;

    memset(&options, 0, sizeof options);
    options.kind = FLETCH_SCHEMA;
    status = fletch_finish(builder, FLETCH_SCHEMA, &bytes, &size, error);
    if (status == FLETCH_OK) status = fletch_open_with(bytes, size, &options, &schema, error);
    if (status == FLETCH_OK) status = fletch_print_json(&schema, NULL, say, &said, error);
    return status;
}

/* Says the schema of an ArrowSchema as JSON; false: it says an error instead. */
bool EXPORTED(import_tree)(const struct ArrowSchema *tree)
{
    const fletch_allocator allocator = {reallocate, NULL};
    fletch_builder *builder = take(sizeof *builder);
    fletch_error error;

    if (builder == NULL) return false;
    begin_saying();
    fletch_builder_init_growing(builder, &allocator);
    fletch_set_level(builder, FLETCH_LEVEL_ARROW);
    fletch_import_schema(builder, tree, NULL);
    if (print(builder, &error) == FLETCH_OK) return true;
    say_error(&error);
    return false;
}
