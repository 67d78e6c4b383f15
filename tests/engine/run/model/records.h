// SPDX-License-Identifier: MIT
// A sink that keeps every record, for tests to look at.
#pragma once

#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "probes/record_sink.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <QString>
#include <string>
#include <vector>

namespace lanes::tests {

class Records : public RecordSink {
public:
    StringId intern(std::string_view text) override
    {
        if (text.empty()) {
            return 0;
        }
        const auto [place, is_new] = m_ids.try_emplace(std::string(text), static_cast<StringId>(m_ids.size() + 1));
        if (is_new) {
            m_texts.emplace_back(text);
        }
        return place->second;
    }
    void write_meta(std::string_view key, std::string_view value) override { meta[std::string(key)] = value; }

    const std::string& text(StringId id) const { return m_texts[id]; }

    /// In the order in which they came.
    template <Record R> std::vector<R> all() const
    {
        const auto found = m_bytes.find(R::kind);
        std::vector<R> records(found == m_bytes.end() ? 0 : found->second.size() / sizeof(R));
        if (!records.empty()) {
            std::memcpy(records.data(), found->second.data(), found->second.size());
        }
        return records;
    }
    /// The API calls of that name.
    std::vector<ApiCallRecord> calls(const std::string& name) const
    {
        auto found = all<ApiCallRecord>();
        std::erase_if(found, [&](const ApiCallRecord& call) { return text(call.name) != name; });
        return found;
    }
    const std::map<RecordKind, std::vector<std::byte>>& bytes() const { return m_bytes; }

    /// Last end of anything on a GPU or a thread.
    Ns end() const
    {
        Ns last = 0;
        const auto take = [&](const auto& records) {
            for (const auto& record : records) {
                last = std::max(last, record.end);
            }
        };
        take(all<ApiCallRecord>());
        take(all<KernelRecord>());
        take(all<CopyRecord>());
        take(all<MemsetRecord>());
        return last;
    }

    std::map<std::string, std::string> meta;

private:
    void append(RecordKind kind, std::span<const std::byte> payload, std::size_t) override
    {
        auto& bytes = m_bytes[kind];
        bytes.insert(bytes.end(), payload.begin(), payload.end());
    }

    std::map<std::string, StringId> m_ids;
    std::vector<std::string> m_texts {""};
    std::map<RecordKind, std::vector<std::byte>> m_bytes;
};

inline ModelDevice h100()
{
    return load_model_device(qEnvironmentVariable("LANES_SOURCE").toStdString() + "/resources/devices/h100.yaml");
}

/// The records of the model device h100 for a program.
class ModelRun final : public Records {
public:
    explicit ModelRun(const Program& program)
        : outcome(run_model(program, h100(), *this))
    {
    }
    const ModelOutcome outcome;
};

}  // namespace lanes::tests
