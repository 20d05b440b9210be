/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of FlatBuffers and of containers that Google's verifier leaves out, looked for by a
 * reader of its own: it knows the tables from what flatc says of them (a binary schema), not from
 * src/rows.h, and is so simple that it is right or wrong at sight.
 */
#ifndef FUZZ_DIFFERENTIAL_AUDIT_H
#define FUZZ_DIFFERENTIAL_AUDIT_H

#include "sides.h"

#include <set>

/* In the order of the table in fuzz/README.md. V-numbers are those of the FlatBuffers rules. */
enum Rule {
    kZeroElement,         /* V7: an offset of zero in a vector */
    kVtableSizeSmall,     /* V13 */
    kTableSizeSmall,      /* V15: below 4 */
    kTableSizeOutside,    /* V15: past the end */
    kSlotOutside,         /* V16 */
    kSlotSmall,           /* V17 */
    kUnionWithoutValue,   /* V35 */
    kUnionWithoutTag,     /* V36, V38 */
    kUnionValueMisplaced, /* V39: where nobody looks into: misaligned, or less than 4 bytes */
    kDepth,               /* V40 */
    kVersion,             /* Message.version, Footer.version */
    kHeader,              /* Message.header is no schema */
    kBodyNegative,        /* Message.bodyLength */
    kNoSchema,            /* Footer.schema is absent */
    kMisaligned8,         /* V19: an 8-byte scalar; level structure takes it */
    kRules
};

/* The rules that are broken in bytes which Google's verifier took, maybe without alignment. */
std::set<Rule> Audit(const struct input *input);

#endif
