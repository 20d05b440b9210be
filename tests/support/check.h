/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests ask of every opening, whatever it is about: a status and an error that agree, an
 * offset inside the input, texts that end, and a schema that can be stepped through.
 */
#ifndef FLETCH_TESTS_CHECK_H
#define FLETCH_TESTS_CHECK_H

/* cmocka wants these before it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fletch/fletch.h"
#include "maker.h"

/* A test with a maker of its own, and the tests of an executable. */
#define WITH_MAKER(test) cmocka_unit_test_setup_teardown(test, maker_setup, maker_teardown)

/* Opens, demands this status, and returns the error; see above for what else is demanded. */
fletch_error expect(block b, const fletch_options *options, fletch_status status);

/* Likewise, with kind and level only. */
fletch_error expect_as(block b, fletch_kind kind, fletch_level level, fletch_status status);

/* The three levels' verdicts; and one verdict at all three. */
void expect_levels(block b, fletch_kind kind, fletch_status structure, fletch_status arrow,
                   fletch_status strict);
void expect_everywhere(block b, fletch_kind kind, fletch_status status);

/* Demands a status, an offset and a path at one level. */
void expect_at(block b, fletch_kind kind, fletch_level level, fletch_status status, size_t offset,
               const char *path);

/* Demands a status at one level, and a path that starts so. */
void expect_under(block b, fletch_kind kind, fletch_level level, fletch_status status,
                  const char *path);

/* Refused, by whatever status; never opened. */
void expect_refused(block b, fletch_kind kind);

/* Opens what must open. */
fletch_schema open_as(block b, fletch_kind kind, fletch_level level);

/* The i-th top-level field, or child, which must be there. */
fletch_field field_number(const fletch_schema *schema, uint32_t i);
fletch_field child_number(const fletch_field *field, uint32_t i);

bool is_text(fletch_string string, const char *text);

/*
 * Steps through all that a schema leads to, by hand, and reads every byte of every string; gives
 * up after `budget` fields and pairs. Tells how many it saw.
 */
uint64_t walk_by_hand(const fletch_schema *schema, uint64_t budget);

/* All fields that fletch_walk visits; its status in *status. */
uint64_t walk_all(const fletch_schema *schema, fletch_status *status);

/* A block that takes what the library prints. */
typedef struct paper {
    char *text; /* NUL-terminated */
    size_t size, space;
    size_t limit; /* refuses to hold more than that; 0: no limit */
} paper;
bool write_on(void *context, const char *text, size_t size);
void tear_up(paper *p);

/* A whole file; bytes are NULL when it cannot be read. */
block read_file(maker *m, const char *path);

/* Rows of tab-separated text with a header line; lines that start with # are left out. */
enum { TABLE_COLUMNS = 12 };
typedef struct table_row {
    const char *cells[TABLE_COLUMNS]; /* "" where the row is shorter */
} table_row;
typedef struct table_file {
    table_row header;
    table_row *rows; /* NULL when there is no such file */
    size_t count;
    char *text;
} table_file;
table_file read_table(maker *m, const char *path);
void free_table(table_file *table);
const char *cell(const table_file *table, size_t row, const char *column);

/* The status and kind of a word; fail the test when there is none. */
fletch_status status_of(const char *word);
fletch_kind kind_of(const char *word);

/*
 * What the program's `verify` says: opening at that level and, at arrow and above, the check of
 * dictionaries. Lends scratch memory where it is needed.
 */
fletch_status verdict(block b, fletch_kind kind, fletch_level level, fletch_error *error);

/* fletch_open_with, with all the scratch memory that is needed, owned by the maker. */
fletch_status open_lending(maker *m, block b, const fletch_options *options, fletch_schema *schema,
                           fletch_error *error);

/* fletch_check_dictionaries with memory for all; the schema must be sound. */
fletch_status check_dictionaries(const fletch_schema *schema, fletch_error *error);

#endif
