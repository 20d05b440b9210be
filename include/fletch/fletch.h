/* SPDX-License-Identifier: Apache-2.0 */
/* All of fletch but heap.h. */
#ifndef FLETCH_FLETCH_H
#define FLETCH_FLETCH_H

#include "base.h"
#include "model.h"
#include "read.h"
#include "build.h"
#include "ipc.h"
#include "cdata.h"
#include "text.h"
#include "explain.h"
#include "compare.h"

#endif
