/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program says, other than schemas.
 */
#include "cli.h"

#include <errno.h>

/* Bytes of the well-formed UTF-8 character at `text` that is not a control character; 0: none. */
static int printable(const unsigned char *text)
{
    if (text[0] < 0x80) return text[0] >= 0x20 && text[0] != 0x7F;
    if (text[0] == 0xC2) return text[1] >= 0xA0 && text[1] < 0xC0 ? 2 : 0;
    if (text[0] < 0xC3 || text[0] > 0xF4 || (text[1] & 0xC0) != 0x80) return 0;
    if (text[0] < 0xE0) return 2;
    if ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] >= 0xA0) ||
        (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] >= 0x90) ||
        (text[2] & 0xC0) != 0x80)
        return 0;
    if (text[0] < 0xF0) return 3;
    return (text[3] & 0xC0) == 0x80 ? 4 : 0;
}

void write_name(FILE *to, const char *name)
{
    const unsigned char *next = (const unsigned char *)name;

    while (*next != '\0') {
        int size = printable(next);

        if (size == 0) fprintf(to, "\\x%02x", *next++);
        for (; size > 0; size--)
            fputc(*next++, to);
    }
}

int complain(const char *about, const char *reason)
{
    fflush(stdout);
    fputs("fletch: ", stderr);
    write_name(stderr, about);
    fprintf(stderr, ": %s\n", reason);
    return TROUBLE;
}

int output_fault(void)
{
    static int first = 0;

    if (first == 0 && ferror(stdout)) first = errno != 0 ? errno : EIO;
    return first;
}

void write_fault(FILE *to, const fletch_error *error)
{
    fprintf(to, "%s: %s (byte %llu", fletch_status_word(error->status), error->sentence,
            (unsigned long long)error->offset);
    if (error->path[0] != '\0') fprintf(to, ", path %s", error->path);
    fputs(")\n", to);
}

void write_verdict(FILE *to, const char *name, const fletch_error *error)
{
    write_name(to, name);
    fputs(": ", to);
    if (error->status == FLETCH_OK)
        fprintf(to, "%s\n", fletch_status_word(error->status));
    else
        write_fault(to, error);
}

int complain_of_fault(const char *name, const fletch_error *error)
{
    if (error->status == FLETCH_NO_MEMORY) return complain(name, error->sentence);
    fflush(stdout);
    fputs("fletch: ", stderr);
    write_verdict(stderr, name, error);
    return FILE_NOT_OK;
}

int complain_of_build(const char *name, const fletch_error *error)
{
    if (error->status == FLETCH_NO_MEMORY) return complain(name, error->sentence);
    fflush(stdout);
    fputs("fletch: ", stderr);
    write_name(stderr, name);
    fprintf(stderr, ": %s: %s", fletch_status_word(error->status), error->sentence);
    if (error->path[0] != '\0') fprintf(stderr, " (path %s)", error->path);
    fputc('\n', stderr);
    return FILE_NOT_OK;
}
