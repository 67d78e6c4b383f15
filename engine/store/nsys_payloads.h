// SPDX-License-Identifier: MIT
// The payloads of ranges in an export of Nsight Systems: bytes in the rows of NVTX_EVENTS, and tables that say what is
// in them; private to engine/store. The tables are Nsight's own. Layout of the bytes: read in public programs that were
// tried on exports of Nsight 2026.
#pragma once

#include "engine/store/range_values.h"
#include "engine/store/sqlite_table.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

namespace lanes {

class NsysPayloads {
public:
    /// Reads the tables of schemas; a file without them has no payloads.
    NsysPayloads(UntrustedFile& file, TraceBuilder& builder);

    bool any() const { return m_any; }
    /// `bytes`: binaryData of the range's row.
    void take(const RangeValues::Of& of, StringId domain, std::span<const std::byte> bytes);
    void finish() { m_values.finish(); }

private:
    using Key = std::pair<std::uint64_t, std::uint64_t>;  // domain and schema
    static std::map<Key, PayloadSchema> schemas_in(UntrustedFile& file);
    static std::map<Key, PayloadEnum> enums_in(UntrustedFile& file);

    TraceBuilder& m_builder;
    RangeValues m_values;
    PayloadSchemas m_schemas;
    bool m_any = false;
};

}  // namespace lanes
