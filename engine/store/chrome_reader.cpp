// SPDX-License-Identifier: MIT
#include "engine/store/chrome_reader.h"
#include "engine/store/chrome_records.h"
#include "engine/store/json_text.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/utf8.h"

#include <algorithm>
#include <simdjson.h>

namespace lanes {

namespace {

/// A piece of an untrusted file as part of a line of text.
std::string shown(std::string_view piece)
{
    auto text = valid_utf8(utf8_head(piece, 40));
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
    return text;
}

constexpr double unpacking_share = 0.2, reading_share = 0.6;  // the rest is joining and sorting

class ChromeReader {
public:
    ChromeReader(const std::string& path, const Progress& progress)
        : m_path(path)
        , m_reading(progress.part(unpacking_share, unpacking_share + reading_share))
        , m_finishing(progress.part(unpacking_share + reading_share, 1))
        , m_json(path, progress.part(0, unpacking_share))
        , m_text(m_json.text())
    {
    }

    Trace run()
    {
        auto at = skip_space(m_text, m_text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
        m_cut = m_json.cut_short();
        if (at < m_text.size() && m_text[at] == '[') {
            read_events(at);
        } else if (at < m_text.size() && m_text[at] == '{') {
            read_object(at + 1);
        } else {
            fail(at, "expected { or [");
        }
        if (!m_has_events) {
            throw StoreError(m_path + ": is JSON, but no trace: it has no \"traceEvents\"");
        }
        auto trace = m_records.finish(m_finishing);
        if (m_cut) {
            trace.meta[meta::complete] = "no";
        }
        return trace;
    }

private:
    [[noreturn]] void fail(std::size_t at, const std::string& words) const
    {
        throw StoreError(m_path + ": " + place_in(m_text, at) + ": " + words
            + (at < m_text.size() ? ", found '" + shown(m_text.substr(at, 1)) + "'" : ", found the end of the file"));
    }

    /// The keys of the whole, from behind its bracket on.
    void read_object(std::size_t at)
    {
        while (true) {
            at = skip_space(m_text, at);
            while (at < m_text.size() && m_text[at] == ',') {
                at = skip_space(m_text, at + 1);
            }
            if (at >= m_text.size()) {
                m_cut = true;
                return;
            }
            if (m_text[at] == '}') {
                return;
            }
            if (m_text[at] != '"') {
                fail(at, "expected a key in quotes");
            }
            const auto key_end = end_of_value(m_text, at);
            if (key_end == std::string_view::npos) {
                m_cut = true;
                return;
            }
            const auto key = m_text.substr(at + 1, key_end - at - 2);
            at = skip_space(m_text, key_end);
            if (at >= m_text.size()) {
                m_cut = true;
                return;
            }
            if (m_text[at] != ':') {
                fail(at, "expected : behind the key \"" + shown(key) + "\"");
            }
            at = skip_space(m_text, at + 1);
            if (key == "traceEvents" && at < m_text.size() && m_text[at] == '[') {
                at = read_events(at);
                continue;
            }
            const auto end = end_of_value(m_text, at);
            if (end == std::string_view::npos) {
                m_cut = true;
                return;
            }
            read_value(key, m_text.substr(at, end - at));
            at = end;
        }
    }

    /// What the file says of itself.
    void read_value(std::string_view key, std::string_view text)
    {
        if (key != "baseTimeNanoseconds" && key != "deviceProperties" && key != "distributedInfo"
            && key != "schemaVersion" && key != "traceName" && key != "host_name") {
            return;
        }
        simdjson::dom::element value;
        const simdjson::padded_string padded(text);
        if (m_values.parse(padded).get(value) == simdjson::SUCCESS) {
            m_records.say(key, value);
        }
    }

    /// The array of events, from its bracket on; returns what lies behind it.
    std::size_t read_events(std::size_t at)
    {
        m_has_events = true;
        const auto first = at++;
        std::size_t counter = 0;
        while (true) {
            at = skip_space(m_text, at);
            while (at < m_text.size() && m_text[at] == ',') {
                at = skip_space(m_text, at + 1);
            }
            if (at >= m_text.size()) {  // arrays without their end are allowed, of an object they are not
                m_cut = m_cut || m_text[skip_space(m_text, 0)] == '{';
                return at;
            }
            if (m_text[at] == ']') {
                return at + 1;
            }
            if (m_text[at] != '{') {
                fail(at, "expected an event in { }");
            }
            const auto end = end_of_value(m_text, at);
            if (end == std::string_view::npos) {
                m_cut = true;
                return m_text.size();
            }
            if (const auto event = m_events.parse(m_text.substr(at, end - at)); event) {
                m_records.take(*event);
            } else {
                m_records.skip();
            }
            if (++counter % 4096 == 0) {
                m_reading.report(static_cast<double>(end - first) / static_cast<double>(m_text.size()));
            }
            at = end;
        }
    }

    std::string m_path;
    Progress m_reading, m_finishing;
    JsonText m_json;
    std::string_view m_text;
    ChromeEventParser m_events;
    simdjson::dom::parser m_values;
    ChromeRecords m_records;
    bool m_has_events = false, m_cut = false;
};

}  // namespace

Trace read_chrome_trace(const std::string& path, const Progress& progress)
{
    progress.report(0);
    return ChromeReader(path, progress).run();
}

}  // namespace lanes
