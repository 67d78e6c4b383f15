// SPDX-License-Identifier: MIT
// Records on their way to a sink: one buffer a kind, handed over in spans.
#pragma once

#include "probes/record_sink.h"

#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace lanes::model {

/// Cost: an append to a vector; the sink is called once for each 2048 records of a kind.
class RecordBuffers {
public:
    explicit RecordBuffers(RecordSink& sink)
        : m_sink(sink)
    {
    }

    template <Record R> void add(const R& record)
    {
        auto& buffer = std::get<std::vector<R>>(m_buffers);
        buffer.push_back(record);
        if (buffer.size() >= 2048) {
            hand_over(buffer);
        }
    }

    void flush()
    {
        std::apply([this](auto&... buffers) { (hand_over(buffers), ...); }, m_buffers);
    }

    /// The id of a text. Cost: one hash lookup after the first time.
    StringId text(const std::string& text)
    {
        const auto known = m_texts.find(text);
        return known != m_texts.end() ? known->second : m_texts.emplace(text, m_sink.intern(text)).first->second;
    }

private:
    template <class R> void hand_over(std::vector<R>& buffer)
    {
        if (!buffer.empty()) {
            m_sink.write(std::span<const R>(buffer));
            buffer.clear();
        }
    }

    template <class... Rs> static std::tuple<std::vector<Rs>...> buffers_of(RecordList<Rs...>);

    RecordSink& m_sink;
    decltype(buffers_of(AllRecords {})) m_buffers;
    std::unordered_map<std::string, StringId> m_texts;
};

}  // namespace lanes::model
