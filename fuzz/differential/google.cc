/* SPDX-License-Identifier: Apache-2.0 */
/* Google's side, read by the code that the benchmark reads with. */
#include "sides.h"

#include "../../tests/bench/google.cc"

#include "footer_generated.h"

namespace
{

const arrow::Schema *SchemaIn(const struct input *input)
{
    switch (input->root) {
    case ROOT_MESSAGE: return fb::GetRoot<arrow::Message>(input->bytes)->header_as_Schema();
    case ROOT_FOOTER: return fb::GetRoot<arrow::Footer>(input->bytes)->schema();
    default: return fb::GetRoot<arrow::Schema>(input->bytes);
    }
}

uint64_t ReadSchema(const arrow::Schema *schema)
{
    const fb::Vector<int64_t> *features = schema->features();
    uint64_t feature_sum = 0;
    for (fb::uoffset_t i = 0; i < Count(features); i++)
        feature_sum += Number(features->Get(i));
    const uint64_t sum =
        checksum_schema(Number(schema->endianness()), Count(schema->fields()),
                        Count(schema->custom_metadata()), Count(features), feature_sum);
    return AddFields(AddPairs(sum, schema->custom_metadata()), schema->fields());
}

} // namespace

/* Depth is set so high that our limit on nested fields is always the lower one. */
bool google_verify(const struct input *input, bool check_alignment)
{
    fb::Verifier::Options options;
    options.max_depth = 1 << 16;
    options.max_tables = input->tables;
    options.check_alignment = check_alignment;
    fb::Verifier verifier(input->bytes, input->size, options);
    switch (input->root) {
    case ROOT_MESSAGE: return verifier.VerifyBuffer<arrow::Message>(nullptr);
    case ROOT_FOOTER: return verifier.VerifyBuffer<arrow::Footer>(nullptr);
    default: return verifier.VerifyBuffer<arrow::Schema>(nullptr);
    }
}

uint64_t google_read(const struct input *input)
{
    const arrow::Schema *schema = SchemaIn(input);
    return schema == nullptr ? 0 : ReadSchema(schema);
}
