// SPDX-License-Identifier: MIT
#include "engine/store/nsys_payloads.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

namespace lanes {

std::map<NsysPayloads::Key, PayloadSchema> NsysPayloads::schemas_in(UntrustedFile& file)
{
    std::map<Key, PayloadSchema> schemas;
    for (TableRows rows(file, "NVTX_PAYLOAD_SCHEMAS", {"domainId", "schemaId", "type", "payloadSize", "alignTo"});
         rows.next() && schemas.size() < PayloadSchemas::most_schemas;) {
        schemas[{rows.count(0), rows.count(1)}]
            = {static_cast<std::uint64_t>(rows.number(2, 1)), rows.count(3), rows.count(4), {}};
    }
    // Rows of a table have no order; an entry's place is its idx.
    for (TableRows rows(file, "NVTX_PAYLOAD_SCHEMA_ENTRIES",
             {"domainId", "schemaId", "idx", "flags", "type", "name", "arrayOrUnionDetail", "offset"});
         rows.next();) {
        const auto schema = schemas.find({rows.count(0), rows.count(1)});
        const auto place = rows.number(2, -1);
        if (schema == schemas.end() || place < 0 || static_cast<std::uint64_t>(place) >= PayloadSchemas::most_entries) {
            continue;
        }
        auto& entries = schema->second.entries;
        entries.resize(std::max(entries.size(), static_cast<std::size_t>(place) + 1));
        entries[static_cast<std::size_t>(place)]
            = {rows.count(3), rows.count(4), std::string(rows.text(5)), rows.count(6), rows.count(7)};
    }
    return schemas;
}

std::map<NsysPayloads::Key, PayloadEnum> NsysPayloads::enums_in(UntrustedFile& file)
{
    std::map<Key, PayloadEnum> enums;
    for (TableRows rows(file, "NVTX_PAYLOAD_ENUMS", {"domainId", "schemaId", "size"});
         rows.next() && enums.size() < PayloadSchemas::most_schemas;) {
        enums[{rows.count(0), rows.count(1)}].size = static_cast<std::uint64_t>(rows.number(2, 4));
    }
    for (TableRows rows(file, "NVTX_PAYLOAD_ENUM_ENTRIES", {"domainId", "schemaId", "name", "value"}); rows.next();) {
        if (enums.size() < PayloadSchemas::most_schemas) {  // one without a row of its own has 4 bytes, as C's
            auto& names = enums[{rows.count(0), rows.count(1)}].names;
            if (names.size() < PayloadSchemas::most_entries) {
                names.emplace(static_cast<std::uint64_t>(rows.number(3, 0)), rows.text(2));
            }
        }
    }
    return enums;
}

NsysPayloads::NsysPayloads(UntrustedFile& file, TraceBuilder& builder)
    : m_builder(builder)
    , m_values(builder)
{
    for (auto& [id, schema] : schemas_in(file)) {
        m_schemas.add(id.first, id.second, std::move(schema));
        m_any = true;
    }
    for (auto& [id, enumeration] : enums_in(file)) {
        m_schemas.add(id.first, id.second, std::move(enumeration));
    }
}

void NsysPayloads::take(const RangeValues::Of& of, StringId domain, std::span<const std::byte> bytes)
{
    // A header of 32 bytes before each payload: domain, schema, bytes of the payload, bytes of both.
    constexpr std::size_t header = 32;
    constexpr std::uint64_t number_of_domain = 0xFFFF'FFFF;
    std::vector<PayloadValue> values;
    while (bytes.size() >= header && values.size() < PayloadSchemas::most_values) {
        std::array<std::uint64_t, header / sizeof(std::uint64_t)> words {};
        std::memcpy(words.data(), bytes.data(), header);
        bytes = bytes.subspan(header);
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(words[2], bytes.size()));
        auto more = m_schemas.values(words[0] & number_of_domain, words[1], bytes.first(size));
        std::move(more.begin(), more.end(), std::back_inserter(values));
        bytes = bytes.subspan(size);
    }
    values.resize(std::min(values.size(), PayloadSchemas::most_values));
    if (!values.empty()) {
        name_collective_values(m_builder.text(domain), values);
        m_values.take(of, std::move(values));
    }
}

}  // namespace lanes
