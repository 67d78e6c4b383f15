// SPDX-License-Identifier: MIT
// The values of ranges of a foreign file on their way to the builder; private to engine/store.
#pragma once

#include "engine/trace/trace_builder.h"
#include "probes/nvtx_payload.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanes {

/// Those of collectives wait for finish(): their calls are counted in the order of their starts, which need not be that
/// of the file.
class RangeValues {
public:
    struct Of {
        Ns start;
        std::uint64_t range;  ///< RangeRecord::id
        std::uint32_t process;
        StringId function;  ///< of a collective
    };
    explicit RangeValues(TraceBuilder& builder)
        : m_builder(builder)
    {
    }
    void take(const Of& of, std::vector<PayloadValue> values);
    void finish();

private:
    struct Collective {
        Of of;
        std::vector<PayloadValue> values;
    };
    void write(const Of& of, std::span<const PayloadValue> values);

    TraceBuilder& m_builder;
    std::vector<Collective> m_collectives;
};

}  // namespace lanes
