/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fletch convert: the schema of a file, written anew as another kind.
 *
 * All is in the builder's memory before anything is written, so OUT may be IN, unless that has data
 * beside the schema.
 */
#include "input.h"
#include "output.h"

#include "fletch/heap.h"

#include <string.h>

typedef fletch_status (*add_pair)(fletch_builder *builder, fletch_string key, fletch_string value);

/* Versions before V5 are all V4 by now: footers of old Java writers leave it out. */
static int32_t version_of(const fletch_wrapper *wrapper)
{
    const bool is_older = wrapper->root != FLETCH_SCHEMA && wrapper->version != FLETCH_V5;

    return is_older ? FLETCH_V4 : FLETCH_V5;
}

static void add_pairs(fletch_builder *builder, fletch_metadata pairs, add_pair add)
{
    fletch_key_value pair;

    while (fletch_next_metadata(&pairs, &pair))
        (void)add(builder, pair.key, pair.value);
}

/*
 * The metadata of the message: of a file, that of the schema message at its head, if there is one.
 * What is no message has none.
 */
static fletch_metadata message_metadata(struct input *input, const fletch_schema *schema)
{
    fletch_options options;
    fletch_schema head;
    fletch_metadata none;

    memset(&none, 0, sizeof none);
    if (schema->wrapper.root == FLETCH_MESSAGE) return schema->wrapper.metadata;
    if (schema->wrapper.kind != FLETCH_FILE) return none;
    memset(&options, 0, sizeof options);
    options.kind = FLETCH_FILE;
    options.stream_copy = true;
    if (fletch_open_with(input->bytes, input->size, &options, &head, NULL) != FLETCH_OK)
        return none;
    return head.wrapper.metadata;
}

/* Adds the wrapper's own metadata, as far as the kind has a place for it. */
static void add_wrapper_metadata(fletch_builder *builder, struct input *input,
                                 const fletch_schema *schema, fletch_kind kind)
{
    if (kind != FLETCH_SCHEMA && kind != FLETCH_FOOTER)
        add_pairs(builder, message_metadata(input, schema), fletch_add_message_metadata);
    if ((kind == FLETCH_FOOTER || kind == FLETCH_FILE) && schema->wrapper.root == FLETCH_FOOTER)
        add_pairs(builder, schema->wrapper.metadata, fletch_add_footer_metadata);
}

static int write_schema(const struct arguments *arguments, struct input *input,
                        const fletch_schema *schema, fletch_builder *builder)
{
    const void *bytes;
    size_t size;
    fletch_error error;

    (void)fletch_set_level(builder, FLETCH_LEVEL_ARROW);
    (void)fletch_set_version(builder, version_of(&schema->wrapper));
    if (arguments->legacy) (void)fletch_set_legacy_framing(builder);
    (void)fletch_copy_schema(builder, schema);
    add_wrapper_metadata(builder, input, schema, arguments->to);
    if (fletch_finish(builder, arguments->to, &bytes, &size, &error) != FLETCH_OK)
        return complain_of_build(input->name, &error);
    return write_output(arguments->files[1], arguments->to, bytes, size);
}

/* Whether there is data beside the schema: in a stream, more behind it than the stream's end. */
static bool has_data(const struct input *input, const fletch_wrapper *wrapper)
{
    if (wrapper->kind == FLETCH_STREAM) return input->size - wrapper->end > 8;
    return wrapper->kind == FLETCH_FILE || wrapper->kind == FLETCH_PARQUET;
}

static int convert(const struct arguments *arguments, struct input *input)
{
    const fletch_allocator heap = fletch_heap();
    fletch_builder builder;
    fletch_schema schema;
    fletch_error error;
    int result;

    if (judge(input, arguments->kind, FLETCH_LEVEL_ARROW, &schema, &error) != FLETCH_OK)
        return complain_of_input(input, arguments->kind, &error);
    if (has_data(input, &schema.wrapper) && is_same_file(arguments->files[0], arguments->files[1]))
        return complain(arguments->files[1], "the input, whose data would be lost");
    fletch_builder_init_growing(&builder, &heap);
    result = write_schema(arguments, input, &schema, &builder);
    fletch_builder_release(&builder);
    return result;
}

static bool can_be_legacy(fletch_kind kind)
{
    return kind == FLETCH_ENCAPSULATED || kind == FLETCH_STREAM;
}

int run_convert(const struct arguments *arguments)
{
    if (arguments->to == FLETCH_SNIFF)
        return complain("convert", "no --to=KIND; try `fletch convert --help`");
    if (arguments->legacy && !can_be_legacy(arguments->to))
        return complain("--legacy", "only for --to=encapsulated and --to=stream");
    if (!can_write_to(arguments->files[1], arguments->to)) return TROUBLE;
    return with_input(arguments, arguments->files[0], convert);
}
