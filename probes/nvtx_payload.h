// SPDX-License-Identifier: MIT
// What a program gives with a range by NVTX's payload extension: bytes, and schemas that say what is in them.
//
// The probe reads them in the program, the store in exports of Nsight Systems. Bytes and schemas may be anything:
// nothing outside of the bytes is read, and what does not fit is left out.
//
// Read are numbers, characters in the payload itself (arrays of a fixed size), enumerations, and schemas within
// schemas. Left out are other arrays, unions, pointers and texts behind pointers.
//
// Source of layout and constants: nvtx3/nvToolsExtPayload.h of CUDA 13.0, compared in tests with the header itself.
#pragma once

#include "probes/record.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes {

/// As a RangeValueRecord, with its texts.
struct PayloadValue {
    std::string name;
    std::string words;
    std::uint64_t value = 0;
    RangeValueRecord::Type type = RangeValueRecord::natural;
};

struct PayloadSchema {
    struct Entry {
        std::uint64_t flags = 0;
        std::uint64_t type = 0;  ///< a predefined one, or the id of a schema or an enumeration
        std::string name = {};
        std::uint64_t length = 0;  ///< of an array
        std::uint64_t offset = 0;  ///< 0: after the entry before it
    };
    std::uint64_t type = 1;  ///< 1: of a fixed size; others are not read
    std::uint64_t size = 0;  ///< bytes; 0: not known
    std::uint64_t pack = 0;  ///< the largest alignment; 0: each type's own
    std::vector<Entry> entries = {};
};

struct PayloadEnum {
    std::uint64_t size = 4;  ///< bytes
    std::map<std::uint64_t, std::string> names = {};
};

/// The schemas of a program, each of a domain of NVTX; a domain is any number that the caller chooses.
class PayloadSchemas {
public:
    static constexpr std::uint64_t first_dynamic_id = std::uint64_t {1} << 32U;
    static constexpr std::size_t most_values = 64;  ///< of one payload; further ones are left out
    static constexpr std::size_t most_schemas = 65'536;  ///< further ones are not known
    static constexpr std::size_t most_entries = 256;  ///< of one schema
    static constexpr std::size_t most_looked_at = 65'536;  ///< entries for one payload; what comes later is left out

    /// A schema whose id is known already is the same one, registered again.
    void add(std::uint64_t domain, std::uint64_t id, PayloadSchema schema);
    void add(std::uint64_t domain, std::uint64_t id, PayloadEnum enumeration);

    /// The values in `bytes`, in the order of the schema. `id` is a schema's or a predefined type. Empty if it is not
    /// known. Cost: as its entries and those of the schemas within, at most `most_looked_at`.
    std::vector<PayloadValue> values(std::uint64_t domain, std::uint64_t id, std::span<const std::byte> bytes) const;

private:
    using Key = std::pair<std::uint64_t, std::uint64_t>;
    class Reading;
    std::map<Key, PayloadSchema> m_schemas;
    std::map<Key, PayloadEnum> m_enums;
};

/// Names of values in domains called "NCCL" as in collective_value; the values of other domains stay as they are.
void name_collective_values(std::string_view domain, std::vector<PayloadValue>& values);

/// Whether the values have a communicator.
bool is_of_collective(const std::vector<PayloadValue>& values);

/// Counts the calls of each function on each communicator. All ranks of a communicator call its collectives in the same
/// order, so its n-th call of a function is one collective on all of them. (Of a process that holds several ranks of
/// one communicator, all of them count: NCCL does not say which rank calls.)
class CollectiveCounter {
public:
    /// Adds collective_value::call if the values have a communicator. `process` is any number.
    void count(std::uint32_t process, std::string_view function, std::vector<PayloadValue>& values);

private:
    struct Communicator {
        std::uint32_t process;
        std::uint64_t id;
        std::string name;
        friend auto operator<=>(const Communicator&, const Communicator&) = default;
    };
    std::map<Communicator, std::map<std::string, std::uint64_t, std::less<>>> m_calls;
};

}  // namespace lanes
