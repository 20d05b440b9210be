/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Google's half of the benchmark, written the way Arrow's C++ library uses the generated code: one
 * type table and one children vector for each field, defaults left out, the verifier's limits
 * raised to depth 128 and 8 tables a byte so that a million columns pass.
 */
#include "google.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "arrow_generated.h"
#include "checksum.h"

namespace
{

namespace fb = flatbuffers;
namespace arrow = bench::arrow;

typedef fb::Vector<fb::Offset<arrow::Field>> Fields;
typedef fb::Vector<fb::Offset<arrow::KeyValue>> Pairs;

uint64_t Verify(const void *bytes, size_t size)
{
    fb::Verifier::Options options;
    options.max_depth = 128;
    options.max_tables = static_cast<fb::uoffset_t>(std::min<uint64_t>(8 * size, UINT32_MAX));
    fb::Verifier verifier(static_cast<const uint8_t *>(bytes), size, options);
    return arrow::VerifySchemaBuffer(verifier) ? 1 : 0;
}

uint64_t Text(const fb::String *text)
{
    return text == nullptr ? 0 : checksum_text(text->c_str(), text->size());
}

template <typename T> uint64_t Count(const fb::Vector<T> *vector)
{
    return vector == nullptr ? 0 : vector->size();
}

uint64_t Number(int64_t value)
{
    return static_cast<uint64_t>(value);
}

uint64_t TypeIds(const fb::Vector<int32_t> *ids)
{
    uint64_t sum = Count(ids);
    for (fb::uoffset_t i = 0; i < Count(ids); i++)
        sum += Number(ids->Get(i));
    return sum;
}

uint64_t IntParameters(const arrow::Int *type)
{
    return checksum_parameters(Number(type->bit_width()), type->is_signed(), 0);
}

uint64_t DecimalParameters(const arrow::Decimal *type)
{
    return checksum_parameters(Number(type->precision()), Number(type->scale()),
                               Number(type->bit_width()));
}

uint64_t TimeParameters(const arrow::Time *type)
{
    return checksum_parameters(Number(type->unit()), Number(type->bit_width()), 0);
}

uint64_t TimestampParameters(const arrow::Timestamp *type)
{
    return checksum_parameters(Number(type->unit()), Text(type->timezone()), 0);
}

uint64_t UnionParameters(const arrow::Union *type)
{
    return checksum_parameters(Number(type->mode()), TypeIds(type->type_ids()), 0);
}

uint64_t Parameters(const arrow::Field *field)
{
    if (field->type() == nullptr) return 0;
    switch (field->type_type()) {
    case arrow::Type_Int: return IntParameters(field->type_as_Int());
    case arrow::Type_FloatingPoint: return Number(field->type_as_FloatingPoint()->precision());
    case arrow::Type_Decimal: return DecimalParameters(field->type_as_Decimal());
    case arrow::Type_Date: return Number(field->type_as_Date()->unit());
    case arrow::Type_Time: return TimeParameters(field->type_as_Time());
    case arrow::Type_Timestamp: return TimestampParameters(field->type_as_Timestamp());
    case arrow::Type_Interval: return Number(field->type_as_Interval()->unit());
    case arrow::Type_Union: return UnionParameters(field->type_as_Union());
    case arrow::Type_FixedSizeBinary: return Number(field->type_as_FixedSizeBinary()->byte_width());
    case arrow::Type_FixedSizeList: return Number(field->type_as_FixedSizeList()->list_size());
    case arrow::Type_Map: return field->type_as_Map()->keys_sorted();
    case arrow::Type_Duration: return Number(field->type_as_Duration()->unit());
    default: return 0;
    }
}

uint64_t Dictionary(const arrow::DictionaryEncoding *dictionary)
{
    if (dictionary == nullptr) return 0;
    const arrow::Int *index = dictionary->index_type();
    return checksum_dictionary(dictionary->id(), index == nullptr ? 32 : Number(index->bit_width()),
                               index == nullptr ? 1 : index->is_signed(), dictionary->is_ordered(),
                               Number(dictionary->kind()));
}

uint64_t AddPairs(uint64_t sum, const Pairs *pairs)
{
    for (fb::uoffset_t i = 0; i < Count(pairs); i++) {
        const arrow::KeyValue *pair = pairs->Get(i);
        sum = checksum_pair(sum, Text(pair->key()), Text(pair->value()));
    }
    return sum;
}

uint64_t AddFields(uint64_t sum, const Fields *fields)
{
    for (fb::uoffset_t i = 0; i < Count(fields); i++) {
        const arrow::Field *field = fields->Get(i);
        struct checksum_field numbers;
        numbers.name = Text(field->name());
        numbers.nullable = field->nullable();
        numbers.type = field->type_type();
        numbers.parameters = Parameters(field);
        numbers.dictionary = Dictionary(field->dictionary());
        numbers.children = Count(field->children());
        numbers.metadata = Count(field->custom_metadata());
        sum = checksum_add_field(sum, &numbers);
        sum = AddPairs(sum, field->custom_metadata());
        sum = AddFields(sum, field->children());
    }
    return sum;
}

uint64_t Read(const void *bytes, size_t)
{
    const arrow::Schema *schema = arrow::GetSchema(bytes);
    const fb::Vector<int64_t> *features = schema->features();
    uint64_t feature_sum = 0;
    for (fb::uoffset_t i = 0; i < Count(features); i++)
        feature_sum += Number(features->Get(i));
    uint64_t sum = checksum_schema(Number(schema->endianness()), Count(schema->fields()),
                                   Count(schema->custom_metadata()), Count(features), feature_sum);
    sum = AddPairs(sum, schema->custom_metadata());
    return AddFields(sum, schema->fields());
}

uint64_t VerifyAndRead(const void *bytes, size_t size)
{
    return Verify(bytes, size) != 0 ? Read(bytes, size) : 0;
}

mix_text wanted;

void FindPrepare(mix_text name)
{
    wanted = name;
}

/* Verifies, then looks at each column's name. */
uint64_t Find(const void *bytes, size_t size)
{
    if (Verify(bytes, size) == 0) return 0;
    const Fields *fields = arrow::GetSchema(bytes)->fields();
    for (fb::uoffset_t i = 0; i < Count(fields); i++) {
        const fb::String *name = fields->Get(i)->name();
        if (name != nullptr && name->size() == wanted.size &&
            std::memcmp(name->c_str(), wanted.data, wanted.size) == 0)
            return fields->Get(i)->type_type();
    }
    return 0;
}

/* The builder and the offsets that wait for their vector; `fields` is a stack, as fields nest. */
struct Encoder {
    fb::FlatBufferBuilder builder;
    std::vector<fb::Offset<arrow::Field>> fields;
    std::vector<fb::Offset<arrow::KeyValue>> pairs;

    fb::Offset<fb::String> Text(const mix_text &text);
    fb::Offset<void> Type(const mix_field &field);
    fb::Offset<arrow::DictionaryEncoding> Dictionary(const mix_dictionary *dictionary);
    fb::Offset<Pairs> Metadata(const mix_pair *metadata, uint32_t count);
    fb::Offset<arrow::Field> Field(const mix_field &field);
    fb::Offset<Fields> Children(const mix_field *children, uint32_t count);
    void Schema(const mix_schema &schema);
};

fb::Offset<fb::String> Encoder::Text(const mix_text &text)
{
    return builder.CreateString(text.data, text.size);
}

fb::Offset<void> Encoder::Type(const mix_field &field)
{
    fb::FlatBufferBuilder &b = builder;
    const arrow::TimeUnit unit = static_cast<arrow::TimeUnit>(field.unit);

    switch (field.type) {
    case MIX_NULL: return arrow::CreateNull(b).Union();
    case MIX_INT: return arrow::CreateInt(b, field.width, field.flag).Union();
    case MIX_FLOATING_POINT:
        return arrow::CreateFloatingPoint(b, static_cast<arrow::Precision>(field.unit)).Union();
    case MIX_BINARY: return arrow::CreateBinary(b).Union();
    case MIX_UTF8: return arrow::CreateUtf8(b).Union();
    case MIX_BOOL: return arrow::CreateBool(b).Union();
    case MIX_DECIMAL:
        return arrow::CreateDecimal(b, field.precision, field.scale, field.width).Union();
    case MIX_DATE: return arrow::CreateDate(b, static_cast<arrow::DateUnit>(field.unit)).Union();
    case MIX_TIME: return arrow::CreateTime(b, unit, field.width).Union();
    case MIX_TIMESTAMP:
        return arrow::CreateTimestamp(b, unit, field.timezone.size != 0 ? Text(field.timezone) : 0)
            .Union();
    case MIX_INTERVAL:
        return arrow::CreateInterval(b, static_cast<arrow::IntervalUnit>(field.unit)).Union();
    case MIX_LIST: return arrow::CreateList(b).Union();
    case MIX_STRUCT: return arrow::CreateStruct(b).Union();
    case MIX_UNION:
        return arrow::CreateUnion(b, static_cast<arrow::UnionMode>(field.unit),
                                  b.CreateVector(field.type_ids, field.child_count))
            .Union();
    case MIX_FIXED_SIZE_BINARY: return arrow::CreateFixedSizeBinary(b, field.width).Union();
    case MIX_FIXED_SIZE_LIST: return arrow::CreateFixedSizeList(b, field.width).Union();
    case MIX_MAP: return arrow::CreateMap(b, field.flag).Union();
    case MIX_DURATION: return arrow::CreateDuration(b, unit).Union();
    case MIX_LARGE_BINARY: return arrow::CreateLargeBinary(b).Union();
    case MIX_LARGE_UTF8: return arrow::CreateLargeUtf8(b).Union();
    case MIX_LARGE_LIST: return arrow::CreateLargeList(b).Union();
    case MIX_RUN_END_ENCODED: return arrow::CreateRunEndEncoded(b).Union();
    case MIX_BINARY_VIEW: return arrow::CreateBinaryView(b).Union();
    case MIX_UTF8_VIEW: return arrow::CreateUtf8View(b).Union();
    case MIX_LIST_VIEW: return arrow::CreateListView(b).Union();
    case MIX_LARGE_LIST_VIEW: return arrow::CreateLargeListView(b).Union();
    default: return 0;
    }
}

fb::Offset<arrow::DictionaryEncoding> Encoder::Dictionary(const mix_dictionary *dictionary)
{
    if (dictionary == nullptr) return 0;
    const fb::Offset<arrow::Int> index =
        arrow::CreateInt(builder, dictionary->index_width, dictionary->index_signed);
    return arrow::CreateDictionaryEncoding(builder, dictionary->id, index, dictionary->ordered);
}

fb::Offset<Pairs> Encoder::Metadata(const mix_pair *metadata, uint32_t count)
{
    if (count == 0) return 0;
    pairs.clear();
    for (uint32_t i = 0; i < count; i++) {
        const fb::Offset<fb::String> key = Text(metadata[i].key);
        pairs.push_back(arrow::CreateKeyValue(builder, key, Text(metadata[i].value)));
    }
    return builder.CreateVector(pairs.data(), pairs.size());
}

fb::Offset<arrow::Field> Encoder::Field(const mix_field &field)
{
    const fb::Offset<fb::String> name = Text(field.name);
    const fb::Offset<Fields> children = Children(field.children, field.child_count);
    const fb::Offset<void> type = Type(field);
    const fb::Offset<arrow::DictionaryEncoding> dictionary = Dictionary(field.dictionary);
    const fb::Offset<Pairs> metadata = Metadata(field.metadata, field.metadata_count);
    return arrow::CreateField(builder, name, field.nullable, static_cast<arrow::Type>(field.type),
                              type, dictionary, children, metadata);
}

fb::Offset<Fields> Encoder::Children(const mix_field *children, uint32_t count)
{
    const size_t first = fields.size();
    for (uint32_t i = 0; i < count; i++)
        fields.push_back(Field(children[i]));
    const fb::Offset<Fields> vector = builder.CreateVector(fields.data() + first, count);
    fields.resize(first);
    return vector;
}

void Encoder::Schema(const mix_schema &schema)
{
    builder.Clear();
    fields.reserve(schema.tables);
    const fb::Offset<Fields> columns = Children(schema.fields, schema.field_count);
    const fb::Offset<Pairs> metadata = Metadata(schema.metadata, schema.metadata_count);
    builder.Finish(arrow::CreateSchema(builder, arrow::Endianness_Little, columns, metadata));
}

Encoder *kept = nullptr;

const void *EncodeReused(const mix_schema *schema, size_t *size)
{
    if (kept == nullptr) kept = new Encoder();
    kept->Schema(*schema);
    *size = kept->builder.GetSize();
    return kept->builder.GetBufferPointer();
}

size_t EncodeFresh(const mix_schema *schema)
{
    Encoder encoder;
    encoder.Schema(*schema);
    return encoder.builder.GetSize();
}

void Release()
{
    delete kept;
    kept = nullptr;
}

} // namespace

/* The verifier knows nothing of Arrow, so the same check stands beside both of our levels. */
const struct bench_side google = {"google",      Verify,       Verify,      Read,
                                  VerifyAndRead, EncodeReused, EncodeFresh, nullptr,
                                  nullptr,       nullptr,      FindPrepare, Find,
                                  Release};
