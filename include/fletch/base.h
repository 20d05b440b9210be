/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every part of fletch shares: version, status, error, string view, allocator, write callback.
 *
 * Conventions of all headers: nothing is allocated, printed or kept in global state unless the
 * caller asks; pointers the caller passes are never kept longer than a comment says; every value
 * read from bytes is checked against their end when it is read.
 */
#ifndef FLETCH_BASE_H
#define FLETCH_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/** The version of these headers, its first number: 0 while the library grows. */
#define FLETCH_VERSION_MAJOR 0
/** Its second number: while the first is 0, another one may break what uses the library. */
#define FLETCH_VERSION_MINOR 1
/** Its third number: another one breaks nothing. */
#define FLETCH_VERSION_PATCH 0
/** All three, as a text. */
#define FLETCH_VERSION       "0.1.0"

/** The version of the library that is linked, as "major.minor.patch"; compare with FLETCH_VERSION.
 */
const char *fletch_version(void);

/**
 * Every status: constant, word (as the program prints it), meaning. The one list behind the enum
 * and its texts. Numbers are never reused.
 */
#define FLETCH_STATUS_ROWS(X)                                                                      \
    X(OK, "ok", "all is well")                                                                     \
    X(EMPTY, "empty", "there are no bytes")                                                        \
    X(TRUNCATED, "truncated", "the bytes end too early")                                           \
    X(UNRECOGNISED, "unrecognised", "not a container of an Arrow schema")                          \
    X(MALFORMED, "malformed", "the bytes break a rule of the format")                              \
    X(LIMIT, "limit", "a limit or budget was reached")                                             \
    X(UNSUPPORTED, "unsupported", "a version, type or value newer than this library")              \
    X(MISSING, "missing", "something required is absent")                                          \
    X(INVALID, "invalid", "the schema breaks a rule of Arrow")                                     \
    X(BAD_BASE64, "bad-base64", "the text is not base64")                                          \
    X(NOT_A_MESSAGE, "not-a-message", "the decoded bytes are not an Arrow message")                \
    X(NOT_A_SCHEMA, "not-a-schema", "the message carries something other than a schema")           \
    X(NO_SPACE, "no-space", "the memory or output lent is too small")                              \
    X(NO_MEMORY, "no-memory", "the allocator gave no memory")                                      \
    X(TOO_LARGE, "too-large", "more than the format can hold")                                     \
    X(MISUSE, "misuse", "the call does not fit here")                                              \
    X(DIFFERENT, "different", "the schemas differ")

/** What a call that can fail returns: FLETCH_OK (0), or why not. */
typedef enum fletch_status {
/** A row's constant; undefined again below. */
#define FLETCH_STATUS_ENUMERATOR(name, word, text) FLETCH_##name,
    FLETCH_STATUS_ROWS(FLETCH_STATUS_ENUMERATOR)
#undef FLETCH_STATUS_ENUMERATOR
} fletch_status;

/** The word of a status ("malformed"), a constant; "unknown" for a number that is none. */
const char *fletch_status_word(fletch_status status);

/** The meaning of a status as a short text, a constant, for any number. */
const char *fletch_status_text(fletch_status status);

/** Bytes of fletch_error.path, the NUL included. */
#define FLETCH_PATH_SIZE     160
/** Bytes of fletch_error.sentence, the NUL included. */
#define FLETCH_SENTENCE_SIZE 160

/**
 * What went wrong and where. Filled by the call that failed, if it was given one; then `path` and
 * `sentence` are NUL-terminated. A call that succeeds sets `status` to FLETCH_OK, offset and
 * wanted to 0, and empties both texts.
 */
typedef struct fletch_error {
    fletch_status status; /**< The same as the call returned. */
    /**
     * The first byte of the word that breaks the rule, counted from the first of the caller's
     * bytes (from the first decoded byte for base64 and Parquet); for an absent member, the first
     * byte of its table. 0 where no byte is at fault.
     */
    uint64_t offset;
    /**
     * truncated: how many bytes are wanted in all, counted as the offset is; 0: not known.
     * no-space, no-memory: bytes of memory that are certain to do; 0: it is not about bytes.
     */
    uint64_t wanted;
    /** "fields[3].children[0].type.timezone"; the middle is elided when too long; may be "". */
    char path[FLETCH_PATH_SIZE];
    /** A sentence with the offending value, ASCII, without a final full stop. */
    char sentence[FLETCH_SENTENCE_SIZE];
} fletch_error;

/**
 * Bytes somewhere else: not NUL-terminated, meant to be UTF-8 but not checked to be (level strict
 * checks), may hold NUL. `data` is never NULL in what fletch returns; a string that is absent has
 * size 0 and a flag beside it that says so.
 */
typedef struct fletch_string {
    const char *data; /**< The first byte. */
    size_t size;      /**< Bytes. */
} fletch_string;

/** A view of a NUL-terminated text, valid as long as the text; NULL gives the empty string. */
fletch_string fletch_text(const char *text);

/** Whether two strings have the same bytes. */
bool fletch_same_string(fletch_string a, fletch_string b);

/**
 * An allocator of the caller's: one function shaped like realloc, and its context.
 * reallocate(context, NULL, 0, n) gives n bytes aligned as malloc's; (context, block, old, new)
 * moves them to a larger or smaller block; (context, block, old, 0) frees and returns NULL.
 * A NULL return for a new size above 0 means no memory, and leaves the old block as it was.
 */
typedef struct fletch_allocator {
    /** As told above; called on the threads that call the library. */
    void *(*reallocate)(void *context, void *block, size_t old_size, size_t new_size);
    void *context; /**< Passed to every call. */
} fletch_allocator;

/** Takes `size` bytes of output; false refuses them and ends the printing with FLETCH_NO_SPACE. */
typedef bool (*fletch_write)(void *context, const char *text, size_t size);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
