/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A schema in numbers.
 */
#ifndef COUNT_H
#define COUNT_H

#include "outline.h"

/* Prints the numbers of the fields that are wanted; false: the error says why it ended early. */
bool print_counts(const fletch_schema *schema, const struct outline *outline, fletch_error *error);

#endif
