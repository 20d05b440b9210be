/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON text as a tree, by the rules of RFC 8259 to the letter: no comments, no commas too many, no
 * member twice, strings of well-formed UTF-8 with surrogates in pairs.
 */
#ifndef JSON_READER_H
#define JSON_READER_H

#include "fletch/base.h"

/* Bounds, so that no text makes work without bound. */
enum { JSON_MOST_DEPTH = 264, JSON_MOST_MEMBERS = 256 };

enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

/* A value. Elements of an array and members of an object are linked in their order. */
struct json_value {
    enum json_kind kind;
    uint32_t first, next; /* indices of values; 0: none */
    size_t at;            /* the byte of the text where it begins */
    size_t key_at;        /* of a member */
    fletch_string key;
    fletch_string text; /* of a string, decoded; of a number, its digits */
};

struct json_document {
    struct json_value *values; /* the first is the root */
    uint32_t count, space;
    char *strings; /* what keys and strings were decoded into */
    size_t used;
};

/* What is wrong, and the byte of the text where. */
struct json_error {
    size_t at;
    bool is_memory; /* not the text is at fault, but there is no memory for it */
    char sentence[400];
};

/*
 * Reads all of `text`, which must stay as long as the document; false: `error` says why. Either
 * way json_free is due. What the members `skipped` of the root hold is checked, but not kept;
 * the list ends with NULL.
 */
bool json_read(const char *text, size_t size, const char *const *skipped,
               struct json_document *document, struct json_error *error);

void json_free(struct json_document *document);

/* The root; the first element or member of a value; the one behind a value; NULL: none. */
const struct json_value *json_root(const struct json_document *document);
const struct json_value *json_first(const struct json_document *document,
                                    const struct json_value *value);
const struct json_value *json_next(const struct json_document *document,
                                   const struct json_value *value);

/* Whether a string is this text. */
bool json_is(fletch_string string, const char *text);

/* A number that is whole, written without fraction and exponent, and in range; false: it isn't. */
bool json_integer(const struct json_value *value, int64_t least, int64_t most, int64_t *integer);

/* Line and column of a byte, both from 1; columns are characters. */
void json_place(const char *text, size_t size, size_t at, size_t *line, size_t *column);

/* Fills an error, with a text of the input behind the sentence in quotes; returns false. */
bool json_fail(struct json_error *error, size_t at, const char *sentence);
bool json_fail_about(struct json_error *error, size_t at, const char *sentence,
                     fletch_string about);

#endif
