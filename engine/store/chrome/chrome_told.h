// SPDX-License-Identifier: MIT
// What a Chrome trace tells of its ranges in args: the values of our own files, and what PyTorch's profiler says of
// collectives and of the inputs of operators; private to engine/store. Source: libkineto's output_json.cpp.
#pragma once

#include "engine/store/builder_batch.h"
#include "engine/store/chrome/chrome_event.h"
#include "engine/store/range_values.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace lanes {

class ChromeTold {
public:
    explicit ChromeTold(TraceBuilder& builder)
        : m_builder(builder)
        , m_values(builder)
        , m_records(builder)
        , m_inputs_name(builder.intern(operator_value::inputs))
    {
    }
    /// Cost: a look-up in a hash table for each. `own`: they are complete, and nothing is derived from them.
    void take(RangeValues::Of of, std::span<const ChromeBatch::Told> told, bool own);
    void finish();

private:
    void collective(RangeValues::Of of, std::span<const ChromeBatch::Told> told);
    /// The text of operator_value::inputs from the lists of shapes and types in JSON; 0: there are none.
    StringId inputs(std::span<const ChromeBatch::Told> told);

    TraceBuilder& m_builder;
    RangeValues m_values;
    BuilderBatch<RangeValueRecord> m_records;
    StringId m_inputs_name;
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view> {}(text); }
    };
    std::unordered_map<std::string, StringId, Hash, std::equal_to<>> m_inputs;  ///< by both lists
    std::string m_lists;  ///< those of the latest question
};

}  // namespace lanes
