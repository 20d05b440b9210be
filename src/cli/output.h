/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a schema is written to.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "cli.h"

/*
 * Whether OUT can take bytes of a kind: a terminal takes base64 only. To be asked before the work;
 * false: said why on standard error.
 */
bool can_write_to(const char *path, fletch_kind kind);

/* Whether two paths lead to one file; standard input and output are none. */
bool is_same_file(const char *path, const char *other);

/*
 * Writes all bytes to OUT, base64 with a line end; returns an exit code. A regular file gets all of
 * them or stays as it was; "-", standard output, and what else is not a regular file are written
 * to as they are.
 */
int write_output(const char *path, fletch_kind kind, const void *bytes, size_t size);

#endif
