/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding any text of SIZE bytes: into memory that is lent, of any size, and over itself. */
#include "prove.h"

#define SPACE (SIZE / 4 * 3 + 3)

static char text[SIZE + 1];
static uint8_t decoded[SPACE];

void prove(void)
{
    fletch_error error;
    size_t written;
    size_t space = Frama_C_unsigned_long_interval(0, SPACE);

    /*@ widen_hints global:"all", SPACE, SIZE; */
    fill(text, SIZE);
    fletch_base64_decode(text, SIZE, decoded, space, &written, any_bool() ? &error : NULL);
    //@ check written <= SPACE;
    space = Frama_C_unsigned_long_interval(0, SIZE);
    fletch_base64_decode(text, SIZE, text, space, &written, any_bool() ? &error : NULL);
    //@ check written <= SIZE;
}
