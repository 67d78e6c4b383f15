// SPDX-License-Identifier: MIT
#include "engine/store/own_head.h"
#include "engine/store/text_file.h"
#include "engine/trace/json_string.h"
#include "engine/trace/meta_keys.h"

#include <charconv>

namespace lanes {

namespace {

/// All keys but those that are never stored, and those about steps, which are not in the file.
bool is_told(std::string_view key)
{
    return key != meta::notice && key != meta::not_shown && key != meta::first_damage && key != meta::step_names;
}

}  // namespace

bool OwnRows::take(const ChromeEvent& metadata)
{
    if (!metadata.process.number) {
        return false;
    }
    const auto pid = *metadata.process.number;
    if (metadata.name == "process_labels") {
        if (metadata.given_name == "CPU") {
            m_processes.try_emplace(pid, static_cast<std::uint32_t>(pid));
        } else if (metadata.given_name.starts_with("GPU ")) {
            m_gpus.insert(pid);
        }
    } else if (metadata.name == true_process) {
        std::uint32_t number = 0;
        const auto text = metadata.given_name;
        if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc {}) {
            m_processes[pid] = number;
        }
    } else if (metadata.name == "thread_name" && m_gpus.contains(pid) && metadata.thread.number) {
        m_stream_names.emplace(std::pair(pid, *metadata.thread.number), metadata.given_name);
    }
    return metadata.name == true_process || m_gpus.contains(pid);
}

std::uint32_t OwnRows::process_of(std::int64_t pid) const
{
    const auto found = m_processes.find(pid);
    return found == m_processes.end() ? static_cast<std::uint32_t>(pid) : found->second;
}

std::string OwnRows::stream_name(std::uint32_t device, std::uint32_t stream) const
{
    const auto found = m_stream_names.find({device, stream});
    return found == m_stream_names.end() || found->second == "stream " + std::to_string(stream) ? "" : found->second;
}

void write_own_head(const Trace& trace, TextFile& file)
{
    file << "{\"source\": " << json_string(name_of(trace.source))
         << ", \"dropped\": " << static_cast<std::int64_t>(trace.dropped) << ",\n    \"meta\": {";
    const char* separator = "";
    for (const auto& [key, value] : trace.meta) {
        if (is_told(key)) {
            file << separator << json_string(key) << ": " << json_string(value);
            separator = ", ";
        }
    }
    file << "}}";
}

std::optional<OwnHead> own_head_of(const simdjson::dom::element& value)
{
    std::string_view text;
    if (value["source"].get(text) != simdjson::SUCCESS) {
        return {};
    }
    OwnHead head;
    head.source = source_of(text);
    if (std::int64_t dropped = 0; value["dropped"].get(dropped) == simdjson::SUCCESS) {
        head.dropped = static_cast<std::uint64_t>(dropped);
    }
    if (simdjson::dom::object meta; value["meta"].get(meta) == simdjson::SUCCESS) {
        for (const auto [key, item] : meta) {
            if (is_told(key) && item.get(text) == simdjson::SUCCESS) {
                head.meta.insert_or_assign(std::string(key), text);
            }
        }
    }
    return head;
}

std::size_t own_rows_in(const simdjson::dom::element& value)
{
    std::size_t rows = 0;
    if (simdjson::dom::object tables; value.get(tables) == simdjson::SUCCESS) {
        for (const auto [name, item] : tables) {
            if (simdjson::dom::array table; item.get(table) == simdjson::SUCCESS) {
                rows += table.size();
            }
        }
    }
    return rows;
}

}  // namespace lanes
