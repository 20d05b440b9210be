/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other contestant: the C++ that Google's flatc generates from arrow.fbs. Its bounds are
 * checked by the verifier alone; its accessors trust the bytes.
 */
#ifndef BENCH_GOOGLE_H
#define BENCH_GOOGLE_H

#include "ours.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct bench_side google;

#ifdef __cplusplus
}
#endif

#endif
