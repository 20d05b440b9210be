/* SPDX-License-Identifier: Apache-2.0 */
/* The words of errors: every reason, with any values, offset and path; SIZE does not matter. */
#include "prove.h"

#include "walk.h"

static fletch_walk walk; /* its runs and vtables are unknown, not undefined */

void prove(void)
{
    fletch_error error;
    struct fault fault;
    enum reason reason = (enum reason)Frama_C_interval(0, FAULT_NOT_FOUND);

    /*@ widen_hints global:"all", 5, 128; */
    Frama_C_make_unknown((char *)&walk, sizeof walk);
    walk.open_runs = Frama_C_unsigned_int_interval(0, FLETCH_MAX_DEPTH);
    fletch_set_fault(&fault, reason, any_bits(), (int64_t)(any_number() / 2),
                     -(int64_t)(any_number() / 2));
    while (any_bool())
        fletch_fault_inside(&fault, any_bool() ? "custom_metadata" : "type", any_bits());
    fletch_tell(any_bool() ? &error : NULL, &fault, any_number(),
                any_bool() ? "message.header" : "", any_bool() ? &walk : NULL);
}
