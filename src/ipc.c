/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers: which one it is, where the flatbuffer stands in it, and opening it.
 *
 * Framing is looked at through a `source`, which knows the head and the tail of the input and how
 * large it is; with the whole input in memory the head is everything. Asking for bytes that are
 * not at hand notes how much is wanted, so the same code serves fletch_find and fletch_open.
 */
#include "fletch/ipc.h"

#include "flat.h"
#include "parquet.h"
#include "verify.h"

#include <string.h>

/* The containers' own numbers. */
enum {
    FILE_HEAD = 8,     /* "ARROW1" and two bytes of padding */
    FILE_TRAILER = 10, /* footer length and "ARROW1" */
    PARQUET_HEAD = 4,
    PARQUET_TRAILER = 8, /* metadata length and "PAR1" */
    FACE = 64            /* not a container's: bytes that tell what else it looks like */
};

const char *fletch_kind_word(fletch_kind kind)
{
    static const char *const words[] = {"unknown", "schema", "message", "footer", "encapsulated",
                                        "stream",  "file",   "parquet", "base64"};

    return (size_t)kind < sizeof words / sizeof words[0] ? words[kind] : words[0];
}

struct source {
    const fletch_input *input;
    fletch_found *found; /* gets head_wanted and tail_wanted */
    struct fault *fault;
    uint64_t fault_at; /* the fault's place: 64 bits wide, unlike fault->at */
};

static COLD bool refuse(struct source *source, enum reason reason, uint64_t at, int64_t value,
                        int64_t other)
{
    source->fault_at = at;
    return fail(source->fault, reason, 0, value, other);
}

/* The input ends, or what is at hand of it does, before byte `end` (counted from the start). */
static bool want(struct source *source, uint64_t end)
{
    const uint64_t size = source->input->size;

    if (source->found->head_wanted < end) source->found->head_wanted = end;
    return refuse(source, FAULT_CUT, size, (int64_t)size, (int64_t)end);
}

/* `count` bytes at `at`, or NULL with the wish noted. */
static const uint8_t *bytes_at(struct source *source, uint64_t at, uint64_t count)
{
    const fletch_input *input = source->input;
    const uint64_t tail_begin = input->size - input->tail_size;
    const uint64_t in_tail = at - tail_begin;

    if (count <= input->head_size && at <= input->head_size - count)
        return (const uint8_t *)input->head + (size_t)at;
    if (at >= tail_begin && count <= input->tail_size && in_tail <= input->tail_size - count)
        return (const uint8_t *)input->tail + (size_t)in_tail;
    return NULL;
}

/* The same, for what is counted from the start of the input. */
static const uint8_t *head_bytes(struct source *source, uint64_t at, uint64_t count)
{
    const uint8_t *bytes = bytes_at(source, at, count);

    if (bytes == NULL) want(source, at + count);
    return bytes;
}

/* The same, for what is counted from the end: [size - back, size - back + count). */
static const uint8_t *tail_bytes(struct source *source, uint64_t back, uint64_t count)
{
    const uint64_t size = source->input->size;
    const uint8_t *bytes = back <= size ? bytes_at(source, size - back, count) : NULL;

    if (bytes != NULL) return bytes;
    source->found->tail_wanted = back; /* each wish is larger than the one before */
    refuse(source, FAULT_CUT, size, (int64_t)size, (int64_t)back);
    return NULL;
}

static uint32_t word_at(const uint8_t *bytes)
{
    fletch_buffer buffer;

    buffer.bytes = bytes;
    buffer.size = 4;
    return load_u32(buffer, 0);
}

static bool starts_with(struct source *source, const char *magic, size_t size)
{
    return size <= source->input->head_size && memcmp(source->input->head, magic, size) == 0;
}

static bool set_range(struct source *source, fletch_kind kind, uint64_t offset, uint64_t size)
{
    fletch_found *found = source->found;

    found->range_kind = kind;
    found->offset = offset;
    found->size = size;
    found->head_wanted = 0;
    found->tail_wanted = 0;
    return true;
}

/* Framed messages */

/* A framed message at `at`: where its flatbuffer starts, and its size. */
static bool find_message(struct source *source, uint64_t at, uint64_t *flatbuffer, uint32_t *size)
{
    const uint8_t *bytes = head_bytes(source, at, 4);
    uint32_t word;
    uint64_t place = at;

    if (bytes == NULL) return false;
    word = word_at(bytes);
    source->found->legacy_framing = word != 0xFFFFFFFFu;
    if (word == 0xFFFFFFFFu) {
        place = at + 4;
        bytes = head_bytes(source, place, 4);
        if (bytes == NULL) return want(source, at + 8);
        word = word_at(bytes);
    }
    if (word == 0) return refuse(source, FAULT_END_OF_STREAM, place, 0, 0);
    if (word > FLAT_MAX_SIZE)
        return refuse(source, FAULT_LENGTH_NEGATIVE, place, signed_32(word), 0);
    if (word < 4) return refuse(source, FAULT_LENGTH_SMALL, place, (int64_t)word, 0);
    if (place + 4 + word > source->input->size) return want(source, place + 4 + word);
    //@ split place;
    *flatbuffer = place + 4;
    *size = word;
    return true;
}

static bool find_encapsulated(struct source *source, uint64_t at)
{
    uint64_t flatbuffer = 0;
    uint32_t size = 0;

    return find_message(source, at, &flatbuffer, &size) &&
           set_range(source, FLETCH_ENCAPSULATED, at, flatbuffer - at + size);
}

/* Files */

/* The schema message behind the magic: zero words may stand in front of it. */
static bool find_stream_copy(struct source *source)
{
    uint64_t at;

    for (at = FILE_HEAD;; at += 4) {
        const uint8_t *bytes = head_bytes(source, at, 4);

        if (bytes == NULL) return false;
        if (word_at(bytes) != 0) break;
    }
    //@ split at;
    return find_encapsulated(source, at);
}

static bool find_in_file(struct source *source, bool stream_copy)
{
    const uint64_t size = source->input->size;
    const uint8_t *bytes = head_bytes(source, 0, 6);
    uint32_t length;

    if (bytes == NULL) return false;
    if (memcmp(bytes, "ARROW1", 6) != 0) return refuse(source, FAULT_FILE_HEAD, 0, 0, 0);
    if (stream_copy) return find_stream_copy(source);
    if (size < FILE_HEAD + FILE_TRAILER) return want(source, FILE_HEAD + FILE_TRAILER + 1);
    bytes = tail_bytes(source, FILE_TRAILER, FILE_TRAILER);
    if (bytes == NULL) return false;
    if (memcmp(bytes + 4, "ARROW1", 6) != 0)
        return refuse(source, FAULT_FILE_TRAILER, size, (int64_t)size, 0);
    length = word_at(bytes);
    if (length < 4 || length > FLAT_MAX_SIZE || length > size - FILE_HEAD - FILE_TRAILER)
        return refuse(source, FAULT_FOOTER_LENGTH, size - FILE_TRAILER, signed_32(length),
                      (int64_t)size);
    //@ split length;
    if (tail_bytes(source, (uint64_t)length + FILE_TRAILER, length) == NULL) return false;
    return set_range(source, FLETCH_FOOTER, size - FILE_TRAILER - length, length);
}

/* Parquet and base64 */

static bool find_base64(struct source *source, uint64_t offset, uint64_t size)
{
    source->found->scratch_size = size / 4 * 3 + 3;
    return set_range(source, FLETCH_BASE64, offset, size);
}

static bool find_in_parquet(struct source *source)
{
    const uint64_t size = source->input->size;
    const uint8_t *bytes = head_bytes(source, 0, PARQUET_HEAD);
    size_t at, value_size;
    uint32_t length;

    if (bytes == NULL) return false;
    if (memcmp(bytes, "PARE", 4) == 0) return refuse(source, FAULT_PARQUET_ENCRYPTED, 0, 0, 0);
    if (memcmp(bytes, "PAR1", 4) != 0) return refuse(source, FAULT_PARQUET_HEAD, 0, 0, 0);
    if (size < PARQUET_HEAD + PARQUET_TRAILER)
        return want(source, PARQUET_HEAD + PARQUET_TRAILER + 1);
    bytes = tail_bytes(source, PARQUET_TRAILER, PARQUET_TRAILER);
    if (bytes == NULL) return false;
    if (memcmp(bytes + 4, "PAR1", 4) != 0)
        return refuse(source, FAULT_PARQUET_TRAILER, size, (int64_t)size, 0);
    length = word_at(bytes);
    if (length == 0 || length > size - PARQUET_HEAD - PARQUET_TRAILER)
        return refuse(source, FAULT_PARQUET_LENGTH, size - PARQUET_TRAILER, (int64_t)length,
                      (int64_t)size);
    //@ split length;
    bytes = tail_bytes(source, (uint64_t)length + PARQUET_TRAILER, length);
    if (bytes == NULL) return false;
    if (!fletch_find_parquet_schema(bytes, length, &at, &value_size, source->fault)) {
        source->fault_at = size - PARQUET_TRAILER - length + source->fault->at;
        return false;
    }
    return find_base64(source, size - PARQUET_TRAILER - length + at, value_size);
}

/* Sniffing (rules.md gives the order and its reasons) */

/* A flatbuffer's head: its root table and the size of that table's vtable. */
struct head {
    uint64_t table, vtable;
    uint32_t vtable_size;
};

/* A 16-bit or 32-bit word at `at`, below `end`; false where it is not in there or not at hand. */
static bool sniff_word(struct source *source, uint64_t at, uint32_t size, uint64_t end,
                       uint32_t *word)
{
    const uint8_t *bytes;
    fletch_buffer buffer;

    if (size > end || at > end - size) return false;
    bytes = head_bytes(source, at, size);
    if (bytes == NULL) return false;
    buffer.bytes = bytes;
    buffer.size = size;
    *word = size == 2 ? load_u16(buffer, 0) : load_u32(buffer, 0);
    return true;
}

/* Whether a table stands at `at` that has a good vtable before `end`. */
static bool sniff_table(struct source *source, uint64_t begin, uint64_t at, uint64_t end,
                        struct head *head)
{
    uint32_t word;
    int64_t vtable;

    if (!sniff_word(source, at, 4, end, &word)) return false;
    vtable = (int64_t)at - signed_32(word);
    if (vtable < (int64_t)begin) return false;
    head->table = at;
    head->vtable = (uint64_t)vtable;
    return sniff_word(source, head->vtable, 2, end, &head->vtable_size) &&
           head->vtable_size % 2 == 0 && head->vtable_size >= 4 &&
           head->vtable_size <= end - head->vtable;
}

static bool sniff_head(struct source *source, uint64_t at, uint64_t end, struct head *head)
{
    uint32_t root;

    return sniff_word(source, at, 4, end, &root) && root % 4 == 0 && root != 0 &&
           sniff_table(source, at, at + root, end, head);
}

static uint32_t sniff_slot(struct source *source, const struct head *head, uint32_t slot)
{
    uint32_t member = 0;

    if (4 + 2 * slot < head->vtable_size)
        (void)sniff_word(source, head->vtable + 4 + 2 * slot, 2, source->input->size, &member);
    return member;
}

/* Slots 1 and 2 are set, and the byte at slot 1 is 1: a Message that carries a Schema. */
static bool sniff_schema_message(struct source *source, const struct head *head)
{
    const uint32_t type = sniff_slot(source, head, 1);
    const uint64_t place = head->table + type;
    const uint8_t *byte;

    /* A wish beyond the end would hide those that the input can meet. */
    if (type == 0 || sniff_slot(source, head, 2) == 0 || place >= source->input->size) return false;
    byte = head_bytes(source, place, 1);
    return byte != NULL && *byte == FLETCH_HEADER_SCHEMA;
}

static bool sniff_legacy(struct source *source)
{
    const uint64_t size = source->input->size;
    struct head head;
    uint32_t length;

    return size >= 4 && sniff_word(source, 0, 4, size, &length) && length > 0 &&
           length <= size - 4 && sniff_head(source, 4, (uint64_t)length + 4, &head) &&
           sniff_schema_message(source, &head);
}

/* The target of the offset in slot 1, 4-aligned; 0 where there is none. */
static uint64_t sniff_target(struct source *source, const struct head *head)
{
    const uint64_t at = head->table + sniff_slot(source, head, 1);
    uint32_t offset;

    if (at == head->table || !sniff_word(source, at, 4, source->input->size, &offset)) return 0;
    return offset != 0 && (at + offset) % 4 == 0 ? at + offset : 0;
}

/*
 * Slot 1 leads to a table: Footer.schema; in a Schema it leads to the vector `fields`. A vector's
 * count, read as the offset to a vtable, can lead to a good one by chance (1 in 25 schemas), so
 * what is also a vector whose first elements are all tables is one.
 */
static bool sniff_footer(struct source *source, const struct head *head)
{
    const uint64_t size = source->input->size;
    const uint64_t target = sniff_target(source, head);
    uint32_t count, offset, i;
    struct head table;

    if (target == 0 || !sniff_table(source, 0, target, size, &table)) return false;
    if (!sniff_word(source, target, 4, size, &count) || count > size / 4) return true;
    for (i = 0; i < count && i < 8; i++) {
        const uint64_t at = target + 4 + 4 * (uint64_t)i;

        if (!sniff_word(source, at, 4, size, &offset) || offset == 0 || (at + offset) % 4 != 0 ||
            !sniff_table(source, 0, at + offset, size, &table))
            return true;
    }
    return false;
}

/* What is no Arrow container, but has a face. */
static enum reason sniff_others(struct source *source)
{
    static const struct {
        const char *magic;
        uint8_t size;
        enum reason reason;
    } others[] = {
        {"\x04\x22\x4D\x18", 4, FAULT_LOOKS_LZ4},
        {"\x28\xB5\x2F\xFD", 4, FAULT_LOOKS_ZSTANDARD},
        {"\x1F\x8B", 2, FAULT_LOOKS_GZIP},
        {"FEA1", 4, FAULT_LOOKS_FEATHER_V1},
        {"BZh", 3, FAULT_LOOKS_BZIP2},
        {"\xFD"
         "7zXZ",
         5, FAULT_LOOKS_XZ},
        {"PK\x03\x04", 4, FAULT_LOOKS_ZIP},
        {"ORC", 3, FAULT_LOOKS_ORC},
        {"Obj\x01", 4, FAULT_LOOKS_AVRO},
        {"SQLite format 3", 15, FAULT_LOOKS_SQLITE},
        {"%PDF", 4, FAULT_LOOKS_PDF},
        {"\x89PNG", 4, FAULT_LOOKS_PNG},
        {"\x7F"
         "ELF",
         4, FAULT_LOOKS_ELF},
    };
    size_t i;

    //@ loop unroll 13;
    for (i = 0; i < sizeof others / sizeof others[0]; i++)
        if (starts_with(source, others[i].magic, others[i].size)) return others[i].reason;
    return FAULT_NONE;
}

static bool looks_like_text(struct source *source)
{
    const uint8_t *bytes = source->input->head;
    const size_t size = source->input->head_size < FACE ? source->input->head_size : FACE;
    size_t i;

    for (i = 0; i < size; i++)
        if (bytes[i] != '\n' && bytes[i] != '\r' && bytes[i] != '\t' &&
            (bytes[i] < 0x20 || bytes[i] >= 0x7F))
            return false;
    return true;
}

/* Whether bytes were asked for that are not at hand; tests ask for none beyond the input's end. */
static bool is_waiting(const struct source *source)
{
    return source->found->head_wanted > source->input->head_size;
}

/* Bare flatbuffers, and what else only a look inside tells. A test that could not see what it
 * wanted decides nothing. */
static fletch_kind sniff_bare(struct source *source)
{
    struct head head;
    fletch_kind kind = FLETCH_SNIFF;

    if (sniff_legacy(source)) return FLETCH_STREAM;
    if (is_waiting(source) || !sniff_head(source, 0, source->input->size, &head))
        return FLETCH_SNIFF;
    if (sniff_schema_message(source, &head)) return FLETCH_MESSAGE;
    if (!is_waiting(source)) kind = sniff_footer(source, &head) ? FLETCH_FOOTER : FLETCH_SCHEMA;
    return is_waiting(source) ? FLETCH_SNIFF : kind;
}

/* Whether the bytes are at hand that tell what an input looks like: fewer would say other things of
 * it than all of them. */
static bool has_face(struct source *source)
{
    const uint64_t size = source->input->size;

    return head_bytes(source, 0, size < FACE ? size : FACE) != NULL;
}

/* The kind of an input that is not empty; FLETCH_SNIFF when it is none, with the fault. */
static fletch_kind sniff(struct source *source)
{
    enum reason reason;
    fletch_kind kind;

    if (starts_with(source, "ARROW1", 6)) return FLETCH_FILE;
    if (starts_with(source, "PAR1", 4) || starts_with(source, "PARE", 4)) return FLETCH_PARQUET;
    if (starts_with(source, "\xFF\xFF\xFF\xFF", 4)) return FLETCH_STREAM;
    if (starts_with(source, "/////", 5)) return FLETCH_BASE64;
    reason = sniff_others(source);
    if (reason == FAULT_NONE) {
        kind = sniff_bare(source);
        if (kind != FLETCH_SNIFF) return kind;
        /* then the fault says that more is wanted */
        if (is_waiting(source) || !has_face(source)) return FLETCH_SNIFF;
        reason = looks_like_text(source) ? FAULT_LOOKS_TEXT : FAULT_UNRECOGNISED;
    }
    source->found->head_wanted = 0;
    refuse(source, reason, 0, 0, 0);
    return FLETCH_SNIFF;
}

static bool find_kind(struct source *source, fletch_kind kind, bool stream_copy)
{
    const uint64_t size = source->input->size;

    switch (kind) {
    case FLETCH_ENCAPSULATED:
    case FLETCH_STREAM: return find_encapsulated(source, 0);
    case FLETCH_FILE: return find_in_file(source, stream_copy);
    case FLETCH_PARQUET: return find_in_parquet(source);
    case FLETCH_BASE64: return find_base64(source, 0, size);
    default: return set_range(source, kind, 0, size);
    }
}

static bool find_source(struct source *source, fletch_kind kind, bool stream_copy)
{
    static const fletch_found nothing = {0};
    const uint64_t size = source->input->size;
    const uint64_t least = size < 8 ? size : 8;
    const bool is_sniffed = kind == FLETCH_SNIFF;

    *source->found = nothing;
    source->fault->reason = FAULT_NONE;
    source->fault->value = source->fault->other = 0;
    source->fault_at = 0;
    if ((unsigned)kind > FLETCH_BASE64) return refuse(source, FAULT_MISUSE_KIND, 0, kind, 0);
    if (size == 0) return refuse(source, FAULT_NO_BYTES, 0, 0, 0);
    if (source->input->head_size < least) return want(source, least);
    if (is_sniffed) kind = sniff(source);
    if (kind == FLETCH_SNIFF) return false;
    source->found->kind = kind;
    if (!find_kind(source, kind, stream_copy)) return false;
    if (is_sniffed && kind == FLETCH_STREAM && source->found->size == size)
        source->found->kind = FLETCH_ENCAPSULATED;
    return true;
}

static fletch_status tell(const struct source *source, fletch_error *error)
{
    const struct fault *fault = source->fault;
    const fletch_status status = fletch_fault_status(fault->reason);

    fletch_say_fault(error, fault->reason, source->fault_at, fault->value, fault->other);
    if (error != NULL && fault->reason == FAULT_CUT) error->wanted = (uint64_t)fault->other;
    return status;
}

fletch_status fletch_find(const fletch_input *input, fletch_kind kind, bool stream_copy,
                          fletch_found *found, fletch_error *error)
{
    struct source source;
    struct fault fault;

    source.input = input;
    source.found = found;
    source.fault = &fault;
    if (!find_source(&source, kind, stream_copy)) return tell(&source, error);
    fletch_clear_error(error);
    return FLETCH_OK;
}

/* Opening */

/* What open works with: bytes, and where the message stands in them. */
struct opening {
    const uint8_t *bytes;
    size_t size;
    const fletch_options *options;
    fletch_schema *schema;
    fletch_error *error;
};

static void set_input(fletch_input *input, const uint8_t *bytes, size_t size)
{
    input->head = bytes;
    input->head_size = size;
    input->tail = NULL;
    input->tail_size = 0;
    input->size = size;
}

/* Opens the flatbuffer at [begin, end) of the bytes. */
static fletch_status open_flatbuffer(const struct opening *opening, fletch_kind kind, size_t begin,
                                     size_t end)
{
    fletch_schema *schema = opening->schema;
    fletch_status status;

    if (end - begin > FLAT_MAX_SIZE) {
        fletch_say_fault(opening->error, FAULT_FLATBUFFER_LARGE, begin, (int64_t)(end - begin), 0);
        return FLETCH_TOO_LARGE;
    }
    schema->buffer.bytes = opening->bytes + begin;
    schema->buffer.size = (uint32_t)(end - begin);
    schema->origin = begin;
    schema->wrapper.flatbuffer = begin;
    schema->wrapper.end = end;
    fletch_clear_error(opening->error);
    status = fletch_verify_root(schema, kind, opening->options->level, &opening->options->limits,
                                opening->error);
    if (status == FLETCH_TRUNCATED && opening->error != NULL)
        opening->error->wanted = (uint64_t)begin + 4;
    return status;
}

/* Opens the range that was found, which is no base64. */
static fletch_status open_range(const struct opening *opening, const fletch_found *found)
{
    const size_t begin = (size_t)found->offset;
    const size_t end = begin + (size_t)found->size;

    opening->schema->wrapper.legacy_framing = found->legacy_framing;
    opening->schema->wrapper.begin = begin;
    if (found->range_kind != FLETCH_ENCAPSULATED)
        return open_flatbuffer(opening, found->range_kind, begin, end);
    return open_flatbuffer(opening, FLETCH_MESSAGE, begin + (found->legacy_framing ? 4 : 8), end);
}

static bool is_bare(fletch_kind kind)
{
    return kind == FLETCH_SCHEMA || kind == FLETCH_MESSAGE || kind == FLETCH_FOOTER;
}

/* Opens bytes that are a flatbuffer, as said: nothing has to be found in them. */
static fletch_status open_bare(const struct opening *opening)
{
    if (opening->size == 0) {
        fletch_say_fault(opening->error, FAULT_NO_BYTES, 0, 0, 0);
        return FLETCH_EMPTY;
    }
    opening->schema->wrapper.kind = opening->options->kind;
    return open_flatbuffer(opening, opening->options->kind, 0, opening->size);
}

/* Which kind decoded base64 is: framed in either way, or a bare Message of any header type. */
static fletch_kind sniff_decoded(struct source *source)
{
    const uint64_t size = source->input->size;
    struct head head;
    uint32_t word;

    if (!sniff_word(source, 0, 4, size, &word)) return FLETCH_SNIFF;
    if (word == 0xFFFFFFFFu || word == 0 || sniff_legacy(source)) return FLETCH_ENCAPSULATED;
    if (!sniff_head(source, 0, size, &head)) return FLETCH_SNIFF;
    return sniff_slot(source, &head, 1) != 0 && sniff_slot(source, &head, 2) != 0 ? FLETCH_MESSAGE
                                                                                  : FLETCH_SNIFF;
}

static fletch_status open_decoded(struct opening *opening, const uint8_t *bytes, size_t size)
{
    struct source source;
    fletch_input input;
    fletch_found found;
    struct fault fault;
    fletch_kind kind;

    opening->bytes = bytes;
    opening->size = size;
    set_input(&input, bytes, size);
    source.input = &input;
    source.found = &found;
    source.fault = &fault;
    memset(&found, 0, sizeof found);
    kind = sniff_decoded(&source);
    if (kind == FLETCH_SNIFF) {
        fletch_say_fault(opening->error, FAULT_BASE64_MESSAGE, 0, (int64_t)size, 0);
        return FLETCH_NOT_A_MESSAGE;
    }
    if (!find_source(&source, kind, false)) return tell(&source, opening->error);
    return open_range(opening, &found);
}

static fletch_status open_base64(struct opening *opening, const fletch_found *found)
{
    const fletch_options *options = opening->options;
    const char *text = (const char *)opening->bytes + (size_t)found->offset;
    fletch_status status;
    size_t size;

    if (found->scratch_size > options->scratch_size || options->scratch == NULL) {
        fletch_say_fault(opening->error, FAULT_SCRATCH, 0,
                         options->scratch != NULL ? (int64_t)options->scratch_size : 0,
                         (int64_t)found->scratch_size);
        if (opening->error != NULL) opening->error->wanted = found->scratch_size;
        return FLETCH_NO_SPACE;
    }
    status = fletch_base64_decode(text, (size_t)found->size, options->scratch,
                                  options->scratch_size, &size, opening->error);
    if (status != FLETCH_OK) {
        if (opening->error != NULL) opening->error->offset += found->offset;
        return status;
    }
    return open_decoded(opening, options->scratch, size);
}

fletch_status fletch_open_with(const void *bytes, size_t size, const fletch_options *options,
                               fletch_schema *schema, fletch_error *error)
{
    static const fletch_options defaults = {FLETCH_SNIFF, FLETCH_LEVEL_DEFAULT, {0, 0, 0}, NULL, 0,
                                            false};
    struct opening opening;
    struct source source;
    fletch_input input;
    fletch_found found;
    struct fault fault;

    fletch_empty_schema(schema);
    opening.bytes = bytes;
    opening.size = size;
    opening.options = options != NULL ? options : &defaults;
    opening.schema = schema;
    opening.error = error;
    if ((unsigned)opening.options->level > FLETCH_LEVEL_STRICT) {
        fletch_say_fault(error, FAULT_MISUSE_LEVEL, 0, opening.options->level, 0);
        return FLETCH_MISUSE;
    }
    if (is_bare(opening.options->kind)) return open_bare(&opening);
    set_input(&input, bytes, size);
    source.input = &input;
    source.found = &found;
    source.fault = &fault;
    if (!find_source(&source, opening.options->kind, opening.options->stream_copy)) {
        schema->wrapper.kind = found.kind;
        return tell(&source, error);
    }
    schema->wrapper.kind = found.kind;
    if (found.range_kind == FLETCH_BASE64) return open_base64(&opening, &found);
    return open_range(&opening, &found);
}

fletch_status fletch_open(const void *bytes, size_t size, fletch_schema *schema,
                          fletch_error *error)
{
    return fletch_open_with(bytes, size, NULL, schema, error);
}

fletch_status fletch_verify(const void *bytes, size_t size, const fletch_options *options,
                            fletch_error *error)
{
    fletch_schema schema;

    return fletch_open_with(bytes, size, options, &schema, error);
}
