/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening any SIZE bytes as a container of kind KIND: what the verifier is given
 * is a range inside of them, or inside of the memory lent for decoded base64. What it does with
 * such a range is proven by prove_open.c, for one that fills all its bytes; a range is no more than
 * that.
 *
 * Set apart are also decoding (prove_base64.c), the Parquet footer (prove_parquet.c) and the words
 * of errors (prove_error.c).
 */
#include "fletch/ipc.h"
#include "parquet.h"
#include "prove.h"

#define fletch_say_fault say_in_words
#include "base.c"
#undef fletch_say_fault

#define fletch_verify_root verify_this_root
#include "verify.c"
#undef fletch_verify_root

/* The size up to which values are found: each place in each footer is a case. */
#define PARQUET_SIZE 24

static uint8_t bytes[SIZE + 1];
static uint8_t scratch[SIZE + 1];

void fletch_say_fault(fletch_error *error, enum reason reason, uint64_t offset, int64_t value,
                      int64_t other)
{
    //@ check reason <= FAULT_DIFFERENT;
    (void)reason;
    (void)offset;
    (void)value;
    (void)other;
    if (error != NULL) any_error(error);
}

fletch_status fletch_verify_root(fletch_schema *schema, fletch_kind kind, fletch_level level,
                                 const fletch_limits *limits, fletch_error *error)
{
    //@ check schema->buffer.size <= SIZE;
    //@ check \valid_read(schema->buffer.bytes + (0 .. schema->buffer.size - 1));
    //@ check kind == FLETCH_SCHEMA || kind == FLETCH_MESSAGE || kind == FLETCH_FOOTER;
    (void)schema;
    (void)kind;
    (void)level;
    (void)limits;
    if (error != NULL) any_error(error);
    return (fletch_status)Frama_C_interval(FLETCH_OK, FLETCH_MISUSE);
}

fletch_status fletch_base64_decode(const char *text, size_t size, void *to, size_t space,
                                   size_t *written, fletch_error *error)
{
    //@ check \valid_read(text + (0 .. size - 1));
    //@ check \valid((char *)to + (0 .. space - 1));
    (void)text;
    (void)size;
    (void)to;
    *written = Frama_C_unsigned_long_interval(0, space);
    if (error != NULL) any_error(error);
    return any_bool() ? FLETCH_OK : FLETCH_BAD_BASE64;
}

bool fletch_find_parquet_schema(const uint8_t *footer, size_t size, size_t *at, size_t *value_size,
                                struct fault *fault)
{
    const size_t place = Frama_C_unsigned_long_interval(0, size);

    //@ check \valid_read(footer + (0 .. size - 1));
    if (SIZE > PARQUET_SIZE)
        return fail(fault, FAULT_PARQUET_KEY, any_bits(), any_int(), any_int());
    //@ split place;
    (void)footer;
    *at = place;
    *value_size = Frama_C_unsigned_long_interval(0, size - place);
    if (any_bool()) return true;
    return fail(fault, FAULT_THRIFT_CUT, any_bits(), any_int(), any_int());
}

void prove(void)
{
    fletch_options options = {0};
    fletch_schema schema;
    fletch_error error;

    fill(bytes, SIZE);
    fill(scratch, SIZE);
    options.kind = KIND;
    options.level = (fletch_level)Frama_C_interval(FLETCH_LEVEL_DEFAULT, FLETCH_LEVEL_STRICT);
    options.stream_copy = any_bool();
    options.scratch = any_bool() ? scratch : NULL;
    options.scratch_size = Frama_C_unsigned_long_interval(0, SIZE);
    fletch_open_with(bytes, SIZE, &options, &schema, any_bool() ? &error : NULL);
}
