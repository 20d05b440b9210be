/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes from somebody you do not trust: check them as strictly as there is, and if they are not
 * good, say what is wrong, at which member, and show the bytes there.
 */
#include <fletch/fletch.h>
#include <stdio.h>

/* 0: the bytes are good. Else 1, and a report of some lines goes to `report`. */
int check(const void *bytes, size_t size, FILE *report)
{
    /* What the bytes are is sniffed. Fields may nest to 16 here, where the default is 128. */
    fletch_options options = {FLETCH_SNIFF, FLETCH_LEVEL_STRICT, {16, 0, 0}, NULL, 0, false};
    fletch_error error;
    size_t at;

    if (fletch_verify(bytes, size, &options, &error) == FLETCH_OK) return 0;

    /* The word is for programs, the sentence for people; the path may be empty. */
    fprintf(report, "%s: %s\n", fletch_status_word(error.status), error.sentence);
    fprintf(report, "at %s, byte %llu:", error.path, (unsigned long long)error.offset);
    for (at = (size_t)error.offset; at < size && at < error.offset + 8; at++)
        fprintf(report, " %02X", ((const unsigned char *)bytes)[at]);
    fprintf(report, "\n");
    return 1;
}
