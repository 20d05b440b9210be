/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the program `fletch` share: its arguments, exit codes and messages.
 *
 * Everything that comes from outside (names of files, arguments) is written through write_name, so
 * that nothing printed can steer a terminal; the library does the same for what is in the files.
 */
#ifndef CLI_H
#define CLI_H

#include "fletch/fletch.h"

#include <stdbool.h>
#include <stdio.h>

/* Exit codes; the highest of several wins. */
enum { ALL_WELL = 0, FILE_NOT_OK = 1, TROUBLE = 2 };

/* --color */
enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* How often --match can be given. */
#define MOST_PATTERNS 32

/* The options of a command, and the files named to it. */
struct arguments {
    fletch_kind kind;                    /* --as */
    fletch_kind to;                      /* --to; FLETCH_SNIFF: not said */
    fletch_level level;                  /* --level; FLETCH_LEVEL_DEFAULT: not said */
    int color;                           /* --color */
    bool full;                           /* --full */
    bool legacy;                         /* --legacy */
    bool counts;                         /* --count */
    uint32_t depth;                      /* --depth; 0: not said */
    const char *patterns[MOST_PATTERNS]; /* --match */
    size_t pattern_count;
    fletch_compare_options comparison; /* --ignore */
    char **files;
    int file_count;
};

/* Commands; each returns an exit code. */
int run_show(const struct arguments *arguments);
int run_explain(const struct arguments *arguments);
int run_verify(const struct arguments *arguments);
int run_json(const struct arguments *arguments);
int run_convert(const struct arguments *arguments);
int run_build(const struct arguments *arguments);
int run_diff(const struct arguments *arguments);

/* Writes a name; what could steer a terminal is escaped, backslashes are not. */
void write_name(FILE *to, const char *name);

/* Says `fletch: ABOUT: REASON` on standard error; returns TROUBLE. */
int complain(const char *about, const char *reason);

/*
 * errno of the first write to standard output that failed; 0: none did. To be called before
 * anything else can change errno.
 */
int output_fault(void);

/* Writes out what is buffered of standard output. */
void flush_output(void);

/* Writes `NAME: ok`, or `NAME: ` and the fault as write_fault does. */
void write_verdict(FILE *to, const char *name, const fletch_error *error);

/* Writes `STATUS: sentence (byte N, path P)` and a line end. */
void write_fault(FILE *to, const fletch_error *error);

/* Says `fletch: NAME: ` and the fault on standard error; returns the exit code for it. */
int complain_of_fault(const char *name, const fletch_error *error);

/* Likewise of what is at no byte: a builder's fault, or a limit of printing. */
int complain_of_build(const char *name, const fletch_error *error);

#endif
