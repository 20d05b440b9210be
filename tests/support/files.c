/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that tests read: whole ones, and tables of tab-separated text.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

block read_file(maker *m, const char *path)
{
    FILE *file = fopen(path, "rb");
    paper all = {0};
    char piece[4096];
    if (!file) return (block){NULL, 0};
    for (size_t size; (size = fread(piece, 1, sizeof piece, file)) > 0;)
        write_on(&all, piece, size);
    fclose(file);
    block b = copy_of(m, all.text, all.size);
    tear_up(&all);
    return b;
}

/* Cuts a line into cells, in place; returns what follows the line. */
static char *cut_row(char *line, table_row *row)
{
    size_t used = 0;
    char *end = line + strcspn(line, "\n");
    char *next = *end ? end + 1 : end;
    *end = 0;
    for (size_t i = 0; i < TABLE_COLUMNS; i++)
        row->cells[i] = end;
    while (used < TABLE_COLUMNS) {
        row->cells[used++] = line;
        line += strcspn(line, "\t");
        if (!*line) break;
        *line++ = 0;
    }
    return next;
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

table_file read_table(maker *m, const char *path)
{
    table_file table = {0};
    block b = read_file(m, path);
    bool has_header = false;
    if (!b.bytes) return table;
    table.text = (char *)pad(m, b, 1).bytes;
    table.rows = malloc(count_lines(table.text) * sizeof *table.rows);
    if (!table.rows) abort();
    for (char *line = table.text; *line;) {
        table_row row;
        bool is_remark = *line == '#';
        line = cut_row(line, &row);
        if (is_remark || !*row.cells[0]) continue;
        if (has_header) table.rows[table.count++] = row;
        if (!has_header) table.header = row;
        has_header = true;
    }
    return table;
}

void free_table(table_file *table)
{
    free(table->rows);
    table->rows = NULL;
}

const char *cell(const table_file *table, size_t row, const char *column)
{
    for (size_t i = 0; i < TABLE_COLUMNS; i++)
        if (!strcmp(table->header.cells[i], column)) return table->rows[row].cells[i];
    return "";
}

fletch_status status_of(const char *word)
{
    for (int status = FLETCH_OK; status <= (int)FLETCH_DIFFERENT; status++)
        if (!strcmp(fletch_status_word((fletch_status)status), word)) return (fletch_status)status;
    fail_msg("no status is called %s", word);
    return FLETCH_MISUSE;
}

fletch_kind kind_of(const char *word)
{
    for (int kind = FLETCH_SCHEMA; kind <= (int)FLETCH_BASE64; kind++)
        if (!strcmp(fletch_kind_word((fletch_kind)kind), word)) return (fletch_kind)kind;
    fail_msg("no kind is called %s", word);
    return FLETCH_SNIFF;
}
