// SPDX-License-Identifier: MIT
#include "engine/store/perfetto/perfetto_names.h"

#include "engine/store/perfetto/protobuf_fields.h"

namespace lanes {

namespace {

/// A field of InternedData, and those of its entries that hold the text: of two the later one counts.
struct NamesRow {
    std::uint32_t field;
    PerfettoNames::Kind kind;
    std::uint32_t text, better = 0;
};

constexpr NamesRow names_rows[] = {
    {1, PerfettoNames::category, 2},
    {2, PerfettoNames::event, 2},
    {3, PerfettoNames::argument, 2},
    {24, PerfettoNames::stage, 2},
    {29, PerfettoNames::value, 2},
    {1000, PerfettoNames::kernel, 2, 3},
    {1001, PerfettoNames::launch_argument, 2},
};

}  // namespace

void PerfettoNames::take(std::string_view data, PerfettoTexts& texts)
{
    ProtobufField field;
    for (ProtobufFields fields(data); fields.next(field);) {
        for (const auto& row : names_rows) {
            if (!field.is(row.field, ProtobufField::bytes)) {
                continue;
            }
            std::uint64_t number = 0;
            std::string_view text, better;
            ProtobufField part;
            for (ProtobufFields parts(field.text); parts.next(part);) {
                number = part.is(1, ProtobufField::varint) ? part.value : number;
                text = part.is(row.text, ProtobufField::bytes) ? part.text : text;
                better = row.better != 0 && part.is(row.better, ProtobufField::bytes) ? part.text : better;
            }
            m_texts[row.kind][number] = texts.keep(better.empty() ? text : better);
        }
    }
}

std::string_view PerfettoNames::text(Kind kind, std::uint64_t number) const
{
    const auto found = m_texts[kind].find(number);
    return found == m_texts[kind].end() ? std::string_view() : found->second;
}

}  // namespace lanes
