// SPDX-License-Identifier: MIT
#include "probes/inject/nvtx_domains.h"

#include "probes/inject/guarded_read.h"
#include "probes/utf8_letter.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr std::size_t most_payloads = 16;  // of one range
constexpr std::size_t most_payload_bytes = 65'536;  // of one payload; what is after them is not read
constexpr std::size_t longest_name = 256;

std::uint64_t number_of(nvtxDomainHandle_t domain)
{
    return reinterpret_cast<std::uintptr_t>(domain);
}

/// Up to most_entries of an array in the program; none if it is not readable.
template <class Entry> std::vector<Entry> all_readable(const Entry* from, std::size_t count)
{
    std::vector<Entry> all(std::min(count, PayloadSchemas::most_entries));
    if (!guarded_read(from, all.data(), all.size() * sizeof(Entry))) {
        all.clear();
    }
    return all;
}

}  // namespace

void NvtxDomains::created(nvtxDomainHandle_t domain, std::string name)
{
    const std::lock_guard lock(m_mutex);
    auto& known = m_domains[domain];
    known.is_taken = known.is_taken || name == "NCCL";
    m_any_taken = m_any_taken || known.is_taken;
    known.name = std::move(name);
}

void NvtxDomains::registered(nvtxStringHandle_t handle, std::string text)
{
    const std::lock_guard lock(m_mutex);
    m_strings.insert_or_assign(handle, std::move(text));
}

std::uint64_t NvtxDomains::registered(nvtxDomainHandle_t domain, const nvtxPayloadSchemaAttr_t* schema)
{
    constexpr std::uint64_t needed
        = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES;
    if (domain == nullptr || schema == nullptr || (schema->fieldMask & needed) != needed
        || schema->entries == nullptr) {
        return 0;
    }
    const auto has = [schema](std::uint64_t field) { return (schema->fieldMask & field) != 0; };
    PayloadSchema read;
    read.type = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE) ? schema->type : NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    read.size = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE) ? schema->payloadStaticSize : 0;
    read.pack = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT) ? schema->packAlign : 0;
    for (const auto& entry : all_readable(schema->entries, schema->numEntries)) {
        read.entries.push_back(
            {entry.flags, entry.type, guarded_text(entry.name, longest_name), entry.arrayOrUnionDetail, entry.offset});
    }
    const std::lock_guard lock(m_mutex);
    const auto id
        = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID) && schema->schemaId != 0 ? schema->schemaId : m_next_id++;
    m_schemas.add(number_of(domain), id, std::move(read));
    m_domains[domain].is_taken = true;
    m_any_taken = true;
    return id;
}

std::uint64_t NvtxDomains::registered(nvtxDomainHandle_t domain, const nvtxPayloadEnumAttr_t* enumeration)
{
    constexpr std::uint64_t needed = NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES
        | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE;
    if (domain == nullptr || enumeration == nullptr || (enumeration->fieldMask & needed) != needed
        || enumeration->entries == nullptr) {
        return 0;
    }
    PayloadEnum read;
    read.size = enumeration->sizeOfEnum;
    for (const auto& entry : all_readable(enumeration->entries, enumeration->numEntries)) {
        read.names[entry.value] = guarded_text(entry.name, longest_name);
    }
    const std::lock_guard lock(m_mutex);
    const bool has_id = (enumeration->fieldMask & NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID) != 0;
    const auto id = has_id && enumeration->schemaId != 0 ? enumeration->schemaId : m_next_id++;
    m_schemas.add(number_of(domain), id, std::move(read));
    return id;
}

NvtxDomains::Domain* NvtxDomains::taken_domain(nvtxDomainHandle_t domain)
{
    const auto known = m_domains.find(domain);
    return known == m_domains.end() || !known->second.is_taken ? nullptr : &known->second;
}

std::vector<PayloadValue> NvtxDomains::values(
    nvtxDomainHandle_t domain, const std::string& name, const nvtxPayloadData_t* payloads, std::size_t count) const
{
    std::vector<PayloadValue> all;
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; payloads != nullptr && i < std::min(count, most_payloads); ++i) {
        nvtxPayloadData_t payload {};
        if (!guarded_read(payloads + i, &payload, sizeof payload)) {
            break;
        }
        if (payload.payload == nullptr || payload.size == SIZE_MAX) {  // of a size that is not known
            continue;
        }
        bytes.resize(std::min(payload.size, most_payload_bytes));
        if (!guarded_read(payload.payload, bytes.data(), bytes.size())) {
            continue;
        }
        auto of = m_schemas.values(number_of(domain), payload.schemaId, bytes);
        std::move(of.begin(), of.end(), std::back_inserter(all));
    }
    all.resize(std::min(all.size(), PayloadSchemas::most_values));
    name_collective_values(name, all);
    return all;
}

bool NvtxDomains::take_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes, Taken& taken)
{
    if (!m_any_taken || attributes == nullptr) {
        return false;
    }
    const std::lock_guard lock(m_mutex);
    const auto* const known = taken_domain(domain);
    if (known == nullptr) {
        return false;
    }
    taken.domain = known->name;
    if (attributes->messageType == NVTX_MESSAGE_TYPE_ASCII) {
        taken.name = utf8_of(attributes->message.ascii);
    } else if (attributes->messageType == NVTX_MESSAGE_TYPE_UNICODE) {
        taken.name = utf8_of(attributes->message.unicode);
    } else if (attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED) {
        const auto text = m_strings.find(attributes->message.registered);
        taken.name = text == m_strings.end() ? std::string() : text->second;
    }
    if (attributes->payloadType == NVTX_PAYLOAD_TYPE_EXT) {
        // The extension's header: payload.ullValue is an array, reserved0 its length.
        const auto* const payloads
            = reinterpret_cast<const nvtxPayloadData_t*>(static_cast<std::uintptr_t>(attributes->payload.ullValue));
        taken.values = values(domain, known->name, payloads, static_cast<std::size_t>(attributes->reserved0));
        m_calls.count(0, taken.name, taken.values);
    }
    return true;
}

bool NvtxDomains::take_pop(
    nvtxDomainHandle_t domain, const nvtxPayloadData_t* payloads, std::size_t count, Taken& taken)
{
    if (!m_any_taken) {
        return false;
    }
    const std::lock_guard lock(m_mutex);
    const auto* const known = taken_domain(domain);
    if (known == nullptr) {
        return false;
    }
    taken.domain = known->name;
    taken.values = values(domain, known->name, payloads, count);
    return true;
}

}  // namespace lanes
