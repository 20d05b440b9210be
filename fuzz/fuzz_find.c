/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers. What fletch_find says of an input of which only the ends are at hand, once it has got
 * all that it asked for, is what fletch_open says of the whole; each step asks for more than there
 * was, and what is found opens alone as it does in its place. Base64 comes back as it went.
 *
 * Input: kind and stream copy; bytes of the head and of the tail at hand at first; what the rest is
 * dressed as, so that bytes behind a magic and in front of a trailer need not be guessed.
 */
#include "check.h"

#include <fletch/fletch.h>

/* The input, in a block of its exact size. */
struct whole {
    uint8_t *bytes;
    size_t size;
};

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = malloc(size != 0 ? size : 1);

    CHECK(copy != NULL);
    if (size != 0) memcpy(copy, bytes, size);
    return copy;
}

/* Dressing */

static void put(struct whole *whole, const void *bytes, size_t size)
{
    if (size != 0) memcpy(whole->bytes + whole->size, bytes, size);
    whole->size += size;
}

static void put_word(struct whole *whole, uint32_t word)
{
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                              (uint8_t)(word >> 24)};

    put(whole, bytes, sizeof bytes);
}

/* A head, the bytes, their length and a trailer; or the bytes as base64 text, or as they are. */
static struct whole dress(const uint8_t *data, size_t size, uint8_t as)
{
    struct whole whole = {(uint8_t *)malloc(2 * size + 64), 0}, exact;

    CHECK(whole.bytes != NULL);
    switch (as % 5) {
    case 1:
        put(&whole, "PAR1", 4);
        put(&whole, data, size);
        put_word(&whole, (uint32_t)size);
        put(&whole, "PAR1", 4);
        break;
    case 2:
        put(&whole, "ARROW1\0", 8);
        put(&whole, data, size);
        put_word(&whole, (uint32_t)size);
        put(&whole, "ARROW1", 6);
        break;
    case 3:
        put_word(&whole, 0xFFFFFFFFu);
        put_word(&whole, (uint32_t)size);
        put(&whole, data, size);
        break;
    case 4:
        fletch_base64_encode(data, size, (char *)whole.bytes);
        whole.size = (size + 2) / 3 * 4;
        break;
    default: put(&whole, data, size); break;
    }
    exact.bytes = (uint8_t *)copy_of(whole.bytes, whole.size);
    exact.size = whole.size;
    free(whole.bytes);
    return exact;
}

/* Finding */

/* One try, with ends in blocks of their exact sizes. */
static fletch_status find_in_ends(const struct whole *whole, size_t head_size, size_t tail_size,
                                  fletch_kind kind, bool stream_copy, fletch_found *found,
                                  fletch_error *error)
{
    uint8_t *head = (uint8_t *)copy_of(whole->bytes, head_size);
    uint8_t *tail = (uint8_t *)copy_of(whole->bytes + whole->size - tail_size, tail_size);
    fletch_input input;
    fletch_status status;

    input.head = head;
    input.head_size = head_size;
    input.tail = tail_size != 0 ? tail : NULL;
    input.tail_size = tail_size;
    input.size = whole->size;
    status = fletch_find(&input, kind, stream_copy, found, error);
    CHECK(error->status == status);
    free(head);
    free(tail);
    return status;
}

/* Tries with more and more of the ends, as asked for, until that does it or more can't be had. */
static fletch_status find(const struct whole *whole, size_t head_size, size_t tail_size,
                          fletch_kind kind, bool stream_copy, fletch_found *found,
                          fletch_error *error)
{
    for (;;) {
        const fletch_status status =
            find_in_ends(whole, head_size, tail_size, kind, stream_copy, found, error);
        size_t more_head = head_size, more_tail = tail_size;

        if (status != FLETCH_TRUNCATED) return status;
        if (found->head_wanted > more_head) more_head = (size_t)found->head_wanted;
        if (found->tail_wanted > more_tail) more_tail = (size_t)found->tail_wanted;
        if (more_head > whole->size || more_tail > whole->size) return status; /* cut short */
        if (more_head == head_size && more_tail == tail_size) {
            CHECK(found->head_wanted == 0 && found->tail_wanted == 0);
            return status; /* cut short, and nobody knows by how much: the trailer is not there */
        }
        head_size = more_head;
        tail_size = more_tail;
    }
}

/* Opens with all the scratch memory that is asked for. */
static fletch_status open_all(const uint8_t *bytes, size_t size, fletch_options *options,
                              fletch_schema *schema, fletch_error *error)
{
    fletch_status status = fletch_open_with(bytes, size, options, schema, error);

    if (status != FLETCH_NO_SPACE) return status;
    options->scratch_size = (size_t)error->wanted;
    options->scratch = malloc(options->scratch_size);
    CHECK(options->scratch != NULL);
    status = fletch_open_with(bytes, size, options, schema, error);
    CHECK(status != FLETCH_NO_SPACE);
    return status;
}

static void check_same(const fletch_schema *a, const fletch_schema *b)
{
    CHECK(a->at == b->at && a->buffer.size == b->buffer.size);
    CHECK(memcmp(a->buffer.bytes, b->buffer.bytes, a->buffer.size) == 0);
}

/* Opens the range that was found alone, and holds it against the opening of the whole. */
static void open_found(const struct whole *whole, const fletch_found *found, fletch_status status,
                       const fletch_schema *schema, const fletch_error *told)
{
    fletch_options options = {FLETCH_SNIFF, FLETCH_LEVEL_STRUCTURE, {0, 0, 0}, NULL, 0, false};
    uint8_t *range;
    fletch_schema alone;
    fletch_error error;

    CHECK(found->size <= whole->size && found->offset <= whole->size - found->size);
    CHECK(schema->wrapper.kind == found->kind);
    if (found->size == 0) { /* a Parquet key without a value: alone it is no input at all */
        CHECK(found->kind == FLETCH_PARQUET && status == FLETCH_NOT_A_MESSAGE);
        return;
    }
    range = (uint8_t *)copy_of(whole->bytes + found->offset, (size_t)found->size);
    options.kind = found->range_kind;
    if (found->scratch_size != 0) {
        options.scratch_size = (size_t)found->scratch_size;
        options.scratch = malloc(options.scratch_size);
        CHECK(options.scratch != NULL);
    }
    CHECK(fletch_open_with(range, (size_t)found->size, &options, &alone, &error) == status);
    CHECK(strcmp(error.path, told->path) == 0);
    if (status == FLETCH_OK) check_same(schema, &alone);
    free(options.scratch);
    free(range);
}

static void find_and_open(const struct whole *whole, const uint8_t *choice)
{
    fletch_options options = {FLETCH_SNIFF, FLETCH_LEVEL_STRUCTURE, {0, 0, 0}, NULL, 0, false};
    size_t head_size = choice[1], tail_size = choice[2];
    fletch_status status, opened;
    fletch_schema schema;
    fletch_error error, told;
    fletch_found found;

    if (head_size > whole->size) head_size = whole->size;
    if (tail_size > whole->size) tail_size = whole->size;
    options.kind = (fletch_kind)(choice[0] % 9);
    options.stream_copy = (choice[0] & 0x80) != 0;
    status = find(whole, head_size, tail_size, options.kind, options.stream_copy, &found, &error);
    opened = open_all(whole->bytes, whole->size, &options, &schema, &told);
    if (status == FLETCH_OK) {
        open_found(whole, &found, opened, &schema, &told);
    } else {
        CHECK(status == opened && error.offset == told.offset && error.wanted == told.wanted);
        /* what looks like text in its first bytes may not do so further on */
        if (status != FLETCH_UNRECOGNISED) CHECK(strcmp(error.sentence, told.sentence) == 0);
    }
    free(options.scratch);
}

/* Base64 */

static void encode_and_decode(const uint8_t *bytes, size_t size)
{
    const size_t length = (size + 2) / 3 * 4;
    char *text = (char *)malloc(length != 0 ? length : 1);
    fletch_error error;
    size_t written;

    CHECK(text != NULL);
    fletch_base64_encode(bytes, size, text);
    CHECK(fletch_base64_decode(text, length, text, length, &written, &error) == FLETCH_OK);
    CHECK(written == size && (size == 0 || memcmp(text, bytes, size) == 0));
    free(text);
}

/* The input as text: if it decodes, then into no less than what was written, and the same again. */
static void decode_and_encode(const struct whole *whole)
{
    const size_t space = fletch_base64_space(whole->size);
    const char *text = (const char *)whole->bytes;
    uint8_t *bytes = (uint8_t *)malloc(space);
    uint8_t *less;
    fletch_error error;
    size_t written, again;

    CHECK(bytes != NULL);
    if (fletch_base64_decode(text, whole->size, bytes, space, &written, &error) == FLETCH_OK) {
        CHECK(written <= space);
        encode_and_decode(bytes, written);
        less = (uint8_t *)malloc(written != 0 ? written : 1);
        CHECK(less != NULL);
        CHECK(fletch_base64_decode(text, whole->size, less, written, &again, &error) == FLETCH_OK);
        CHECK(again == written && (written == 0 || memcmp(less, bytes, written) == 0));
        CHECK(written == 0 || fletch_base64_decode(text, whole->size, less, written - 1, &again,
                                                   &error) == FLETCH_NO_SPACE);
        free(less);
    } else {
        CHECK(error.status == FLETCH_BAD_BASE64 && error.offset <= whole->size && written == 0);
    }
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct whole whole;

    if (size < 4) return 0;
    whole = dress(data + 4, size - 4, data[3]);
    find_and_open(&whole, data);
    decode_and_encode(&whole);
    encode_and_decode(whole.bytes, whole.size);
    free(whole.bytes);
    return 0;
}
