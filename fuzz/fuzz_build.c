/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes drive any sequence of builder calls, sane or not. Whatever finishes opens at the level that
 * it was built at, with as many top-level fields as were added; whatever does not says why. The
 * sequence is run three times: into growing memory, measured into none, and into a lent block of
 * just the size that was measured, which must give the same bytes.
 */
#include "check.h"

#include <fletch/fletch.h>
#include <fletch/heap.h>

struct script {
    const uint8_t *at, *end;
};

static uint8_t take(struct script *script)
{
    return script->at < script->end ? *script->at++ : 0;
}

static int32_t take_number(struct script *script)
{
    const uint8_t byte = take(script);

    if (byte < 200) return byte;
    return (int32_t)((uint32_t)take(script) << 24 | (uint32_t)take(script) << 8 | byte);
}

static fletch_string take_string(struct script *script)
{
    fletch_string string;
    const size_t left = (size_t)(script->end - script->at);
    size_t size = take(script) % 40;

    if (left == 0) return fletch_text("");
    if (size > left - 1) size = left - 1;
    string.data = (const char *)script->at;
    string.size = size;
    script->at += size;
    return string;
}

static fletch_type take_type(struct script *script, int32_t *ids)
{
    static const uint8_t widths[] = {8, 16, 32, 64, 128, 7};
    fletch_type type = fletch_type_of(take(script) % 29);
    uint32_t i, count;

    switch (type.id) {
    case FLETCH_TYPE_INT: return fletch_int(widths[take(script) % 6], (take(script) & 1) != 0);
    case FLETCH_TYPE_DECIMAL:
        return fletch_decimal(take(script), take_number(script), 16 << take(script) % 6);
    case FLETCH_TYPE_TIMESTAMP:
        type.as.timestamp.unit = take(script) % 5;
        type.as.timestamp.timezone = take_string(script);
        return type;
    case FLETCH_TYPE_TIME:
        type = fletch_time(take(script) % 5);
        if (take(script) == 1) type.as.time.bit_width = 8;
        return type;
    case FLETCH_TYPE_UNION:
        count = take(script) % 140;
        for (i = 0; i < count; i++)
            ids[i] = take(script) < 250 ? (int32_t)i : (int32_t)i - 3;
        return fletch_union(take(script) % 3, take(script) % 2 != 0 ? ids : NULL, count);
    case FLETCH_TYPE_MAP: return fletch_map(take(script) % 2 != 0);
    default: /* the first member of all others is a number */
        type.as.fixed_size_list.list_size = take_number(script) % 4;
        return type;
    }
}

static void call(fletch_builder *builder, struct script *script)
{
    int32_t ids[140];
    fletch_type type;
    fletch_string first, second;
    fletch_int_type index_type = {32, true};
    unsigned flags;

    switch (take(script) % 16) {
    case 0: fletch_set_endianness(builder, take(script) % 3); break;
    case 1: fletch_add_feature(builder, take(script) % 5); break;
    case 2: fletch_end_field(builder); break;
    case 3:
        index_type.bit_width = 8 << take(script) % 5;
        fletch_set_dictionary(builder, take_number(script), index_type, take(script) % 2);
        break;
    case 4: fletch_set_extension(builder, "fuzz", take(script) % 2 ? "x" : NULL); break;
    case 5:
        first = take_string(script);
        second = take_string(script);
        fletch_add_metadata_string(builder, first, second);
        break;
    case 6: fletch_add_message_metadata(builder, take_string(script), fletch_text("m")); break;
    case 7: fletch_add_footer_metadata(builder, take_string(script), fletch_text("f")); break;
    case 8: fletch_set_level(builder, (fletch_level)(take(script) % 5)); break;
    case 9: fletch_set_version(builder, take(script) % 6); break;
    case 10: fletch_set_legacy_framing(builder); break;
    case 11:
    case 12:
        flags = take(script);
        type = take_type(script, ids);
        fletch_begin_field_of(builder, take_string(script), &type, flags);
        break;
    default:
        flags = take(script);
        type = take_type(script, ids);
        fletch_add_field_of(builder, take_string(script), &type, flags);
        break;
    }
}

static fletch_status run(fletch_builder *builder, struct script script, bool closes,
                         fletch_kind kind, const void **bytes, size_t *size, fletch_error *error)
{
    unsigned calls;

    if (closes) fletch_set_level(builder, FLETCH_LEVEL_ARROW);
    for (calls = 0; script.at < script.end && calls < 2000; calls++)
        call(builder, &script);
    while (closes && builder->reason == 0 && builder->depth != 0)
        fletch_end_field(builder);
    return fletch_finish(builder, kind, bytes, size, error);
}

static void check_result(const fletch_builder *builder, fletch_kind kind, const void *bytes,
                         size_t size)
{
    fletch_options options = {FLETCH_SNIFF, FLETCH_LEVEL_ARROW, {0, 0, 0}, NULL, 0, false};
    fletch_schema schema;
    fletch_error error;
    void *scratch = malloc(size + 3);

    CHECK(scratch != NULL);
    options.kind = kind;
    options.scratch = scratch;
    options.scratch_size = size + 3;
    if (builder->is_strict) options.level = FLETCH_LEVEL_STRICT;
    CHECK(fletch_open_with(bytes, size, &options, &schema, &error) == FLETCH_OK);
    CHECK(fletch_count_fields(&schema.fields) == builder->levels[0].child_count);
    free(scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const fletch_kind kinds[] = {FLETCH_SCHEMA,       FLETCH_MESSAGE, FLETCH_FOOTER,
                                        FLETCH_ENCAPSULATED, FLETCH_STREAM,  FLETCH_FILE,
                                        FLETCH_BASE64};
    const fletch_allocator heap = fletch_heap();
    fletch_builder growing, measuring, lent;
    struct script script;
    const void *bytes, *again;
    fletch_error error;
    fletch_kind kind;
    size_t made, remade;
    void *memory;
    bool closes;

    if (size < 2) return 0;
    kind = kinds[data[0] % 7];
    closes = (data[0] & 0x80) != 0;
    script.at = data + 1;
    script.end = data + size;
    fletch_builder_init_growing(&growing, &heap);
    if (run(&growing, script, closes, kind, &bytes, &made, &error) == FLETCH_OK) {
        check_result(&growing, kind, bytes, made);
        fletch_builder_init(&measuring, NULL, 0);
        CHECK(run(&measuring, script, closes, kind, &again, &remade, &error) == FLETCH_NO_SPACE);
        memory = malloc((size_t)error.wanted);
        CHECK(memory != NULL);
        fletch_builder_init(&lent, memory, (size_t)error.wanted);
        CHECK(run(&lent, script, closes, kind, &again, &remade, &error) == FLETCH_OK);
        CHECK(made == remade && memcmp(bytes, again, made) == 0);
        free(memory);
    } else {
        CHECK(error.status != FLETCH_OK && error.sentence[0] != 0);
    }
    fletch_builder_release(&growing);
    return 0;
}
