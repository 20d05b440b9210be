/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exchange: a schema out as an ArrowSchema, and an ArrowSchema in, to be built as any container.
 * ArrowSchema is how libraries in one process hand schemas to each other: who receives one calls
 * its release, once. If all is well that is set in `out`, else it is NULL. Metadata goes along,
 * dictionary ids do not (see cdata.h).
 */
#include <fletch/fletch.h>
#include <fletch/heap.h>

fletch_status give(const fletch_schema *schema, struct ArrowSchema *out, fletch_error *error)
{
    const fletch_allocator heap = fletch_heap();

    return fletch_export_schema(schema, &heap, NULL, out, error);
}

fletch_status take(struct ArrowSchema *in, fletch_builder *builder)
{
    fletch_status status = fletch_import_schema(builder, in, NULL);

    if (in->release != NULL) in->release(in);
    return status;
}
