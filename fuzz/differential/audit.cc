/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes were taken by Google's verifier: every table, vtable and string is in bounds, offsets
 * lead forward, and there are no more tables than the limit. What it left out is not relied on.
 */
#include "audit.h"

#include <flatbuffers/reflection.h>

#include <cstdlib>
#include <cstring>

#include "footer_bfbs_generated.h"

namespace
{

namespace fb = flatbuffers;

const char kNamespace[] = "bench.arrow.";

class Auditor
{
  public:
    explicit Auditor(const struct input *input)
        : bytes_(input->bytes), size_(input->size), depth_(input->depth),
          schema_(reflection::GetSchema(bench::arrow::FooterBinarySchema::data()))
    {
    }

    std::set<Rule> Run(enum root root)
    {
        static const char *const names[ROOT_COUNT] = {"Schema", "Message", "Footer"};
        const uint64_t at = Load(0, 4);
        Table(at, Named(names[root]), 0);
        if (root == ROOT_MESSAGE) Message(at);
        if (root == ROOT_FOOTER) Footer(at);
        return broken_;
    }

  private:
    const uint8_t *bytes_;
    uint64_t size_;
    uint32_t depth_;
    const reflection::Schema *schema_;
    std::set<Rule> broken_;

    void Expect(bool holds, Rule rule)
    {
        if (!holds) broken_.insert(rule);
    }

    uint64_t Load(uint64_t at, uint64_t width)
    {
        uint64_t word = 0;
        if (width > size_ || at > size_ - width) abort();
        for (uint64_t i = 0; i < width; i++)
            word |= static_cast<uint64_t>(bytes_[at + i]) << (8 * i);
        return word;
    }

    const reflection::Object *Named(const char *name)
    {
        return schema_->objects()->LookupByKey((std::string(kNamespace) + name).c_str());
    }

    /* The vtable's position: the table's own minus a signed word. */
    uint64_t Vtable(uint64_t at)
    {
        return at - static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(Load(at, 4))));
    }

    /* Where a slot of the vtable puts the member, counted from the table; 0: it is absent. */
    uint64_t Slot(uint64_t at, uint64_t place)
    {
        const uint64_t vtable = Vtable(at);
        return place < Load(vtable, 2) ? Load(vtable + place, 2) : 0;
    }

    int64_t Number(uint64_t at, const char *table, const char *member)
    {
        const reflection::Field *field = Named(table)->fields()->LookupByKey(member);
        const uint64_t slot = Slot(at, field->offset());
        const uint64_t width = fb::GetTypeSize(field->type()->base_type());
        if (slot == 0) return field->default_integer();
        const uint64_t word = Load(at + slot, width);
        const uint64_t sign = UINT64_C(1) << (8 * width - 1);
        return static_cast<int64_t>(width == 1 ? word : (word ^ sign) - sign);
    }

    void Table(uint64_t at, const reflection::Object *table, uint32_t level)
    {
        const uint64_t vtable = Vtable(at);
        const uint64_t table_size = Load(vtable + 2 <= size_ - 2 ? vtable + 2 : vtable, 2);
        Expect(Load(vtable, 2) >= 4 && vtable + 4 <= size_, kVtableSizeSmall);
        Expect(table_size >= 4, kTableSizeSmall);
        Expect(table_size <= size_ - at, kTableSizeOutside);
        if (table == Named("Field")) Expect(++level <= depth_, kDepth);
        for (const reflection::Field *field : *table->fields()) {
            const uint64_t slot = Slot(at, field->offset());
            const reflection::BaseType type = field->type()->base_type();
            const uint64_t width = fb::GetTypeSize(type);
            if (type == reflection::Union) Union(at, table, field, slot, level);
            if (slot == 0) continue;
            Expect(slot >= 4, kSlotSmall);
            Expect(slot + width <= table_size, kSlotOutside);
            if (width == 8) Expect((at + slot) % 8 == 0, kMisaligned8);
            if (type == reflection::Obj)
                Table(at + slot + Load(at + slot, 4), Object(field->type()->index()), level);
            if (type == reflection::Vector) Vector(at + slot, field->type(), level);
        }
    }

    const reflection::Object *Object(int32_t index)
    {
        return schema_->objects()->Get(static_cast<fb::uoffset_t>(index));
    }

    void Vector(uint64_t word, const reflection::Type *type, uint32_t level)
    {
        const uint64_t vector = word + Load(word, 4);
        const uint64_t count = Load(vector, 4);
        if (type->element() != reflection::Obj || Object(type->index())->is_struct()) return;
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t element = vector + 4 + 4 * i;
            const uint64_t offset = Load(element, 4);
            Expect(offset != 0, kZeroElement);
            if (offset != 0) Table(element + offset, Object(type->index()), level);
        }
    }

    void Union(uint64_t at, const reflection::Object *table, const reflection::Field *field,
               uint64_t slot, uint32_t level)
    {
        const std::string tag_name = field->name()->str() + fb::UnionTypeFieldSuffix();
        const uint64_t tag_slot =
            Slot(at, table->fields()->LookupByKey(tag_name.c_str())->offset());
        const uint64_t tag = tag_slot != 0 ? Load(at + tag_slot, 1) : 0;
        Expect(tag == 0 || slot != 0, kUnionWithoutValue);
        Expect(tag != 0 || slot == 0, kUnionWithoutTag);
        if (slot == 0) return;
        const uint64_t target = at + slot + Load(at + slot, 4);
        Expect(target % 4 == 0 && target + 4 <= size_, kUnionValueMisplaced);
        const reflection::EnumVal *value =
            schema_->enums()
                ->Get(static_cast<fb::uoffset_t>(field->type()->index()))
                ->values()
                ->LookupByKey(static_cast<int64_t>(tag));
        if (tag != 0 && value != nullptr)
            Table(target, Object(value->union_type()->index()), level);
    }

    static bool IsModern(int64_t version)
    {
        return version == 3 || version == 4;
    }

    void Message(uint64_t at)
    {
        Expect(IsModern(Number(at, "Message", "version")), kVersion);
        Expect(Number(at, "Message", "header_type") == 1, kHeader);
        Expect(Number(at, "Message", "body_length") >= 0, kBodyNegative);
    }

    void Footer(uint64_t at)
    {
        const int64_t version = Number(at, "Footer", "version");
        Expect(IsModern(version) || version == 0, kVersion);
        Expect(Slot(at, Named("Footer")->fields()->LookupByKey("schema")->offset()) != 0,
               kNoSchema);
    }
};

} // namespace

std::set<Rule> Audit(const struct input *input)
{
    return Auditor(input).Run(input->root);
}
