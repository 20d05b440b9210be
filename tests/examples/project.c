/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Projection: keep the columns that are not binary, rename one, as a schema of their own. A field
 * is copied with all below it; what is changed in the struct before is changed in the copy. The
 * builder's memory grows by malloc here, so the caller has to call fletch_builder_release.
 */
#include <fletch/fletch.h>
#include <fletch/heap.h>

fletch_status project(const fletch_schema *schema, fletch_builder *builder, const void **bytes,
                      size_t *size)
{
    const fletch_allocator heap = fletch_heap();
    fletch_fields it = schema->fields;
    fletch_field field;

    fletch_builder_init_growing(builder, &heap);
    fletch_set_level(builder, FLETCH_LEVEL_ARROW); /* what others wrote is good enough */
    while (fletch_next_field(&it, &field)) {
        if (field.type.id == FLETCH_TYPE_BINARY) continue;
        if (fletch_same_string(field.name, fletch_text("id"))) field.name = fletch_text("key");
        fletch_copy_field(builder, &field);
    }
    return fletch_finish(builder, FLETCH_SCHEMA, bytes, size, NULL);
}
