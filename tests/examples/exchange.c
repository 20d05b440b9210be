/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exchange: a schema's bytes out as an ArrowSchema, and an ArrowSchema back in as the schema of a
 * stream. ArrowSchema is how libraries in one process hand schemas to each other: who receives one
 * calls its release, once. Metadata goes along, dictionary ids do not (see cdata.h).
 */
#include <fletch/fletch.h>
#include <fletch/heap.h>

fletch_status give(const void *bytes, size_t size, struct ArrowSchema *out, fletch_error *error)
{
    const fletch_allocator heap = fletch_heap();
    fletch_schema schema;
    fletch_status status = fletch_open(bytes, size, &schema, error);

    out->release = NULL; /* if all is well it is set, and the receiver's to call */
    return status == FLETCH_OK ? fletch_export_schema(&schema, &heap, NULL, out, error) : status;
}

fletch_status take(struct ArrowSchema *in, fletch_builder *builder, const void **bytes,
                   size_t *size, fletch_error *error)
{
    fletch_import_schema(builder, in, NULL);
    if (in->release != NULL) in->release(in);
    return fletch_finish(builder, FLETCH_STREAM, bytes, size, error);
}
