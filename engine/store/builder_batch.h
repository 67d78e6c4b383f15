// SPDX-License-Identifier: MIT
// Records on their way from a reader to the builder; private to engine/store.
#pragma once

#include "engine/trace/trace_builder.h"

#include <vector>

namespace lanes {

/// Records of one kind, handed over many at once.
template <Record R> class BuilderBatch {
public:
    explicit BuilderBatch(TraceBuilder& builder)
        : m_builder(builder)
    {
        m_records.reserve(size);
    }
    ~BuilderBatch() { flush(); }
    BuilderBatch(const BuilderBatch&) = delete;
    BuilderBatch& operator=(const BuilderBatch&) = delete;
    void add(const R& record)
    {
        m_records.push_back(record);
        if (m_records.size() == size) {
            flush();
        }
    }

    void flush()
    {
        m_builder.write(std::span<const R>(m_records));
        m_records.clear();
    }

private:
    static constexpr std::size_t size = 1024;
    TraceBuilder& m_builder;
    std::vector<R> m_records;
};

}  // namespace lanes
