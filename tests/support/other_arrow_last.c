/* SPDX-License-Identifier: Apache-2.0 */
/* Another project's header of the C data interface comes last; one definition serves both. */
#include "fletch/cdata.h"
#include "other_arrow.h"

fletch_status fields_with_other_last(const fletch_schema *schema, const fletch_allocator *allocator,
                                     int64_t *count);

fletch_status fields_with_other_last(const fletch_schema *schema, const fletch_allocator *allocator,
                                     int64_t *count)
{
    struct ArrowSchema tree;
    const fletch_status status = fletch_export_schema(schema, allocator, NULL, &tree, NULL);

    if (status != FLETCH_OK) return status;
    *count = tree.n_children;
    tree.release(&tree);
    return FLETCH_OK;
}
