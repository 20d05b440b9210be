/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same bytes for fletch and for Google's generated verifier, as each root. Where their verdicts
 * differ, the audit must find the very rule that ours names (or, where only ours takes the bytes,
 * the one that it leaves to level strict); where both take them, the audit must find nothing, and
 * both readers must read the same. Anything else aborts.
 *
 * The first byte chooses limits, which are the same for both sides; framing of messages is skipped.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "audit.h"

namespace
{

enum Side { kOurs, kGoogle }; /* which of the two takes the bytes */

/* A known class of disagreement: who takes the bytes, and the rule by which the other does not. */
struct Class {
    Side taken_by;
    Rule rule;
    const char *name;
    const char *reasons; /* of ours, each between spaces */
    uint64_t counts[ROOT_COUNT];
};

Class classes[] = {
    {kGoogle, kZeroElement, "V7 offset of zero in a vector", " OFFSET_ZERO ", {}},
    {kGoogle,
     kVtableSizeSmall,
     "V13 vtable size below 4",
     " VTABLE_SIZE_SMALL VTABLE_OUTSIDE ",
     {}},
    {kGoogle, kTableSizeSmall, "V15 table size below 4", " TABLE_SIZE_SMALL ", {}},
    {kGoogle, kTableSizeOutside, "V15 table size past the end", " TABLE_SIZE_OUTSIDE ", {}},
    {kGoogle, kSlotOutside, "V16 field ends past the table size", " SLOT_OUTSIDE ", {}},
    {kGoogle, kSlotSmall, "V17 field inside the soffset", " SLOT_SMALL ", {}},
    {kGoogle, kUnionWithoutValue, "V35 union tag without value", " UNION_WITHOUT_VALUE ", {}},
    {kGoogle, kUnionWithoutTag, "V36 V38 union value without tag", " UNION_WITHOUT_TAG ", {}},
    {kGoogle,
     kUnionValueMisplaced,
     "V39 value of an unknown tag misaligned or cut",
     " OFFSET_MISALIGNED OFFSET_OUTSIDE ",
     {}},
    {kGoogle, kDepth, "V40 fields nested deeper than the limit", " DEPTH ", {}},
    {kGoogle, kVersion, "metadata version", " VERSION ", {}},
    {kGoogle,
     kHeader,
     "header is no schema",
     " HEADER HEADER_NONE HEADER_DICTIONARY_BATCH HEADER_RECORD_BATCH HEADER_TENSOR "
     "HEADER_SPARSE_TENSOR ",
     {}},
    {kGoogle, kBodyNegative, "negative bodyLength", " BODY_NEGATIVE ", {}},
    {kGoogle, kNoSchema, "footer without a schema", " FOOTER_SCHEMA ", {}},
    {kOurs, kMisaligned8, "V19 8-byte scalar off 8-alignment", " NONE ", {}},
};

const char *const root_names[ROOT_COUNT] = {"Schema", "Message", "Footer"};
uint64_t taken_by_both[ROOT_COUNT], taken_by_none[ROOT_COUNT];

void PrintCounts()
{
    printf("counts\t%s\t%s\t%s\tclass\n", root_names[0], root_names[1], root_names[2]);
    printf("counts\t%llu\t%llu\t%llu\tboth take it, and read the same\n",
           (unsigned long long)taken_by_both[0], (unsigned long long)taken_by_both[1],
           (unsigned long long)taken_by_both[2]);
    printf("counts\t%llu\t%llu\t%llu\tneither takes it\n", (unsigned long long)taken_by_none[0],
           (unsigned long long)taken_by_none[1], (unsigned long long)taken_by_none[2]);
    for (const Class &known : classes)
        printf("counts\t%llu\t%llu\t%llu\t%s takes it: %s\n", (unsigned long long)known.counts[0],
               (unsigned long long)known.counts[1], (unsigned long long)known.counts[2],
               known.taken_by == kOurs ? "only fletch" : "only Google's", known.name);
}

[[noreturn]] void Fail(const struct input *input, const struct verdict *ours, const char *what)
{
    fprintf(stderr, "%s\nroot %s, %zu bytes, depth %u, tables %u; fletch: %s (%s) %s; audit:", what,
            root_names[input->root], input->size, input->depth, input->tables, ours->word,
            ours->reason, ours->sentence);
    for (const Rule rule : Audit(input))
        fprintf(stderr, " %d", static_cast<int>(rule));
    fprintf(stderr, "\n");
    abort();
}

bool HasReason(const Class &known, const struct verdict *ours)
{
    const std::string word = std::string(" ") + ours->reason + " ";
    return strstr(known.reasons, word.c_str()) != nullptr;
}

/* Both take the bytes. */
void CompareReaders(const struct input *input, const struct verdict *ours)
{
    if (!Audit(input).empty()) Fail(input, ours, "both take what breaks a rule");
    if (ours_read(input) != google_read(input)) Fail(input, ours, "the readers differ");
    taken_by_both[input->root]++;
}

/* One takes the bytes: the rule must be broken, and be the one that fletch names. */
void Explain(const struct input *input, const struct verdict *ours, Side taken_by)
{
    if (taken_by == kOurs && !google_verify(input, false))
        Fail(input, ours, "only fletch takes it, whatever the alignment");
    const std::set<Rule> broken = Audit(input);
    for (Class &known : classes) {
        if (known.taken_by != taken_by || broken.count(known.rule) == 0) continue;
        if (!HasReason(known, ours)) continue;
        if (known.rule == kZeroElement && !ours->is_element) continue;
        known.counts[input->root]++;
        return;
    }
    Fail(input, ours, "a disagreement of no known class");
}

void Compare(const struct input *input)
{
    const struct verdict ours = ours_verify(input);
    const bool google = google_verify(input, true);
    if (ours.is_taken && google) {
        CompareReaders(input, &ours);
    } else if (!ours.is_taken && !google) {
        taken_by_none[input->root]++;
    } else {
        Explain(input, &ours, google ? kGoogle : kOurs);
    }
}

/* How many bytes of framing stand before a flatbuffer. */
size_t FramingSize(const uint8_t *bytes, size_t size)
{
    size_t framing = size >= 8 && memcmp(bytes, "ARROW1", 6) == 0 ? 8 : 0;
    if (size - framing >= 8 && memcmp(bytes + framing, "\xFF\xFF\xFF\xFF", 4) == 0) framing += 8;
    return framing;
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***)
{
    atexit(PrintCounts);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const uint8_t choice = data[0];
    const size_t framing = FramingSize(data + 1, size - 1);
    const size_t left = size - 1 - framing;
    /* Exact, so that the sanitizer guards both ends. */
    const std::unique_ptr<uint8_t, void (*)(void *)> block(static_cast<uint8_t *>(
                                                               malloc(left != 0 ? left : 1)),
                                                           free);
    if (block == nullptr) return 0;
    memcpy(block.get(), data + 1 + framing, left);

    struct input input = {block.get(), left, ROOT_SCHEMA, 128, static_cast<uint32_t>(left)};
    if (choice % 4 == 1) input.depth = 1 + choice / 16;
    if (choice % 4 == 3) input.tables = 1 + choice / 4;
    for (int root = 0; root < ROOT_COUNT; root++) {
        input.root = static_cast<enum root>(root);
        Compare(&input);
    }
    return 0;
}
