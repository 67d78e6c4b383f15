// SPDX-License-Identifier: MIT
#include "probes/nvtx_payload.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

namespace lanes {

namespace {

constexpr std::uint64_t points_elsewhere = (1U << 1U) | (1U << 2U) | (1U << 3U);
constexpr std::uint64_t kind_of_array = 7U << 4U;
constexpr std::uint64_t array_of_fixed_size = 1U << 4U;
constexpr std::uint64_t is_hidden = 1U << 9U;
constexpr std::uint64_t static_schema = 1;
constexpr int most_nested = 4;
constexpr std::size_t longest_text = 1024;

/// How a predefined type is read, with the sizes of 64-bit Linux.
struct Predefined {
    std::uint64_t type;
    std::uint64_t size;
    RangeValueRecord::Type read_as;
};
using enum RangeValueRecord::Type;
constexpr std::array predefined_types {
    Predefined {1, 1, text}, Predefined {25, 1, text},  // char, char8
    Predefined {2, 1, natural}, Predefined {3, 2, integer}, Predefined {4, 2, natural},  // uchar, short, ushort
    Predefined {5, 4, integer}, Predefined {6, 4, natural}, Predefined {7, 8, integer},  // int, uint, long
    Predefined {8, 8, natural}, Predefined {9, 8, integer}, Predefined {10, 8, natural},  // ulong, longlong, ulonglong
    Predefined {11, 1, integer}, Predefined {12, 1, natural}, Predefined {13, 2, integer},  // int8 …
    Predefined {14, 2, natural}, Predefined {15, 4, integer}, Predefined {16, 4, natural}, Predefined {17, 8, integer},
    Predefined {18, 8, natural},  // … uint64
    Predefined {19, 4, real}, Predefined {20, 8, real},  // float, double
    Predefined {43, 4, real}, Predefined {44, 8, real},  // float32, float64
    Predefined {22, 8, natural}, Predefined {23, 8, id}, Predefined {32, 1, natural},  // size, address, byte
    Predefined {68, 4, natural}, Predefined {69, 4, id}, Predefined {70, 8, id},  // category, colour, scope
    Predefined {71, 4, natural}, Predefined {72, 8, natural},  // number of a process
    Predefined {73, 4, natural}, Predefined {74, 8, natural},  // number of a thread
};

const Predefined* predefined(std::uint64_t type)
{
    const auto* const found = std::find_if(predefined_types.begin(), predefined_types.end(),
        [type](const Predefined& known) { return known.type == type; });
    return found == predefined_types.end() ? nullptr : found;
}

/// A number of 1 to 8 bytes.
std::uint64_t number_in(std::span<const std::byte> bytes)
{
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
    return number;
}

std::uint64_t with_sign(std::uint64_t number, std::uint64_t size)
{
    const auto shift = 64 - 8 * size;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number << shift) >> shift);
}

}  // namespace

/// One payload being read.
class PayloadSchemas::Reading {
public:
    Reading(const PayloadSchemas& all, std::uint64_t domain)
        : m_all(all)
        , m_domain(domain)
    {
    }

    /// Reads one thing of a type from the start of `bytes`.
    void read(std::uint64_t type, const std::string& name, std::span<const std::byte> bytes, int depth)
    {
        if (m_values.size() >= most_values) {
            return;
        }
        if (const auto* const known = predefined(type); known != nullptr) {
            if (known->size <= bytes.size()) {
                add(*known, name, bytes.first(known->size));
            }
        } else if (const auto named = m_all.m_enums.find({m_domain, type}); named != m_all.m_enums.end()) {
            const auto size = named->second.size;
            if (size <= bytes.size()) {
                const auto value = number_in(bytes.first(size));
                const auto word = named->second.names.find(value);
                const bool has_word = word != named->second.names.end();
                m_values.push_back(
                    has_word ? PayloadValue {name, word->second, 0, text} : PayloadValue {name, {}, value, natural});
            }
        } else if (const auto schema = m_all.m_schemas.find({m_domain, type}); schema != m_all.m_schemas.end()) {
            read(schema->second, name, bytes, depth);
        }
    }

    std::vector<PayloadValue> take() { return std::move(m_values); }

private:
    struct Shape {
        std::uint64_t size, align;
    };

    /// Size and alignment of a type; nothing if they are not known. Each schema is looked at once for each depth.
    std::optional<Shape> shape(std::uint64_t type, int depth)
    {
        if (const auto* const known = predefined(type); known != nullptr) {
            return Shape {known->size, known->size};
        }
        if (const auto named = m_all.m_enums.find({m_domain, type}); named != m_all.m_enums.end()) {
            return Shape {named->second.size, named->second.size};
        }
        const auto schema = m_all.m_schemas.find({m_domain, type});
        if (schema == m_all.m_schemas.end() || schema->second.size == 0 || depth >= most_nested) {
            return std::nullopt;
        }
        if (const auto known = m_aligns.find({type, depth}); known != m_aligns.end()) {
            return Shape {schema->second.size, known->second};
        }
        std::uint64_t align = 1;
        for (const auto& entry : schema->second.entries) {
            if (!may_look_further()) {
                return std::nullopt;
            }
            const auto inner = shape(entry.type, depth + 1);
            align = std::max(align, inner ? inner->align : 8);
        }
        m_aligns[{type, depth}] = align;
        return Shape {schema->second.size, align};
    }

    void read(const PayloadSchema& schema, const std::string& name, std::span<const std::byte> bytes, int depth)
    {
        if (schema.type != static_schema || depth >= most_nested) {
            return;
        }
        std::optional<std::uint64_t> next = 0;  // nothing: after an entry of a size that is not known
        for (const auto& entry : schema.entries) {
            if (m_values.size() >= most_values || !may_look_further()) {
                return;
            }
            auto of = shape(entry.type, depth);
            if ((entry.flags & points_elsewhere) != 0) {
                of = Shape {8, 8};
            }
            const auto array = entry.flags & kind_of_array;
            const bool is_text = predefined(entry.type) != nullptr && predefined(entry.type)->read_as == text;
            if (of && schema.pack != 0) {
                of->align = std::min(of->align, schema.pack);
            }
            auto at = next;
            if (entry.offset != 0) {
                at = entry.offset;
            } else if (at && of) {
                at = (*at + of->align - 1) / of->align * of->align;
            }
            const auto count = array == array_of_fixed_size ? entry.length : array == 0 ? 1 : 0;
            next = at && of && count != 0 && count <= bytes.size() && *at <= bytes.size()
                ? std::optional(*at + of->size * count)
                : std::nullopt;
            const bool is_read = (entry.flags & (points_elsewhere | is_hidden)) == 0 && at && *at <= bytes.size()
                && (array == 0 || (array == array_of_fixed_size && is_text));
            if (!is_read) {
                continue;
            }
            const auto full = name.empty() ? entry.name : name + "." + entry.name;
            const auto from = bytes.subspan(*at);
            if (array == array_of_fixed_size) {
                if (entry.length <= from.size()) {
                    add({entry.type, entry.length, text}, full, from.first(entry.length));
                }
            } else {
                read(entry.type, full, from, depth + 1);
            }
        }
    }

    /// Schemas of many entries within one another have more than anyone could wait for.
    bool may_look_further() { return ++m_looked_at <= most_looked_at; }

    void add(const Predefined& type, const std::string& name, std::span<const std::byte> bytes)
    {
        if (m_values.size() >= most_values) {
            return;
        }
        PayloadValue value {name, {}, 0, type.read_as};
        if (type.read_as == text) {
            const auto* const first = reinterpret_cast<const char*>(bytes.data());
            const auto* const end = std::find(first, first + std::min(bytes.size(), longest_text), '\0');
            value.words.assign(first, end);
        } else if (type.read_as == real && bytes.size() == sizeof(float)) {
            float number = 0;
            std::memcpy(&number, bytes.data(), sizeof number);
            value.value = std::bit_cast<std::uint64_t>(double {number});
        } else {
            value.value = number_in(bytes);
            if (type.read_as == integer) {
                value.value = with_sign(value.value, bytes.size());
                value.type = static_cast<std::int64_t>(value.value) < 0 ? integer : natural;
            }
        }
        m_values.push_back(std::move(value));
    }

    const PayloadSchemas& m_all;
    std::uint64_t m_domain;
    std::vector<PayloadValue> m_values;
    std::map<std::pair<std::uint64_t, int>, std::uint64_t> m_aligns;  ///< of schemas, by type and depth
    std::size_t m_looked_at = 0;  ///< entries
};

void PayloadSchemas::add(std::uint64_t domain, std::uint64_t id, PayloadSchema schema)
{
    if (m_schemas.size() < most_schemas) {
        schema.entries.resize(std::min(schema.entries.size(), most_entries));
        m_schemas.insert_or_assign({domain, id}, std::move(schema));
    }
}

void PayloadSchemas::add(std::uint64_t domain, std::uint64_t id, PayloadEnum enumeration)
{
    const auto size = enumeration.size;
    if (m_enums.size() < most_schemas && (size == 1 || size == 2 || size == 4 || size == 8)) {
        m_enums.insert_or_assign({domain, id}, std::move(enumeration));
    }
}

std::vector<PayloadValue> PayloadSchemas::values(
    std::uint64_t domain, std::uint64_t id, std::span<const std::byte> bytes) const
{
    Reading reading(*this, domain);
    reading.read(id, {}, bytes, 0);
    return reading.take();
}

void name_collective_values(std::string_view domain, std::vector<PayloadValue>& values)
{
    if (domain != "NCCL") {
        return;
    }
    // NCCL's names: src/include/nvtx_payload_schemas.h of NCCL 2.28.
    constexpr std::array<std::pair<std::string_view, const char*>, 9> names {{
        {"NCCL communicator ID", collective_value::communicator},
        {"Message size [bytes]", collective_value::bytes},
        {"Bytes", collective_value::bytes},
        {"Reduction operation", collective_value::operation},
        {"Root", collective_value::root},
        {"Peer rank", collective_value::peer},
        {"No. of ranks", collective_value::ranks},
        {"Rank", collective_value::rank},
        {"CUDA device", collective_value::device},
    }};
    for (auto& value : values) {
        for (const auto& [theirs, ours] : names) {
            if (value.name == theirs) {
                value.name = ours;
                break;
            }
        }
        if (value.name == collective_value::communicator && value.type == natural) {
            value.type = id;
        }
    }
}

namespace {

auto communicator_in(const std::vector<PayloadValue>& values)
{
    return std::find_if(values.begin(), values.end(), [](const PayloadValue& value) {
        return value.name == collective_value::communicator && (value.type == id || value.type == text);
    });
}

}  // namespace

bool is_of_collective(const std::vector<PayloadValue>& values)
{
    return communicator_in(values) != values.end();
}

void CollectiveCounter::count(std::uint32_t process, std::string_view function, std::vector<PayloadValue>& values)
{
    const auto found = communicator_in(values);
    if (found == values.end()) {
        return;
    }
    auto& calls = m_calls[{process, found->value, found->words}];
    auto known = calls.find(function);
    known = known == calls.end() ? calls.emplace(function, 0).first : known;
    values.insert(found + 1, {collective_value::call, {}, ++known->second, natural});
}

}  // namespace lanes
