/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --match: patterns as shells have them, over names and paths of fields.
 */
#ifndef MATCH_H
#define MATCH_H

#include "cli.h"
#include "line.h"

/* Whether all of a text matches a pattern: `*`, `?`, `[a-z]`, `[!a-z]`, and `\` before any. */
bool matches(const char *pattern, fletch_string text);

/*
 * Follows a walk over fields, and tells which of them are wanted. All zero, but for the arguments
 * and the budget, at the start.
 */
struct matcher {
    const struct arguments *arguments;
    uint64_t text_left;                /* bytes of paths that may still be looked at */
    struct line path;                  /* the names down to the field, a dot between them */
    size_t ends[FLETCH_MAX_DEPTH + 1]; /* of the path at each depth */
};

/* Bytes of text that may be looked at in a flatbuffer: the library's own default. */
uint64_t text_budget(const fletch_schema *schema);

/*
 * Whether the field at `depth` matches one of the patterns, by its name or its path; all do where
 * there is no pattern. Of a budget that is used up, `is_spent` tells.
 */
bool match_field(struct matcher *matcher, uint32_t depth, fletch_string name, bool *is_spent);

#endif
