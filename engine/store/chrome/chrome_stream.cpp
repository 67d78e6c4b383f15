// SPDX-License-Identifier: MIT
#include "engine/store/chrome/chrome_stream.h"
#include "engine/store/recording_file.h"
#include "engine/trace/utf8.h"

#include <algorithm>
#include <array>

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

bool says_something(std::string_view key)
{
    static constexpr std::array<std::string_view, 6> known {
        "baseTimeNanoseconds", "deviceProperties", "distributedInfo", "schemaVersion", "lanescope", "lanescopeRecords"};
    return std::find(known.begin(), known.end(), key) != known.end();
}

}  // namespace

ChromeStream::ChromeStream(const std::string& path, std::size_t most_bytes)
    : m_path(path)
    , m_source(path)
    , m_left(most_bytes)
{
}

bool ChromeStream::next(ChromeBatch& batch)
{
    batch.clear();
    if (m_place == Place::end || (m_ended && m_at >= m_text.size())) {
        if (!m_has_events) {
            throw StoreError(m_path + ": is JSON, but no trace: it has no \"traceEvents\"");
        }
        return false;
    }
    fill(batch);
    while (m_place != Place::end && step(batch)) { }
    if (m_place != Place::end && m_ended) {
        // Arrays without their end are allowed, of an object they are not.
        m_cut = m_cut || m_in_object || m_at < m_text.size();
        m_at = m_text.size();
    }
    m_rest = m_text.substr(m_at);
    return true;
}

/// The rest of the last piece and what follows: twice as much where the rest is long, so that a long value is looked at
/// few times.
void ChromeStream::fill(ChromeBatch& batch)
{
    const auto wanted = std::min(std::max(piece, 2 * m_rest.size()), m_left);
    const auto needed = 1 + m_rest.size() + wanted + json_padding;
    if (batch.text.size() < needed) {
        batch.text.resize(needed);
    }
    char* const text = batch.text.data() + 1;
    std::copy(m_rest.begin(), m_rest.end(), text);
    const auto got = m_source.read(text + m_rest.size(), wanted);
    m_left -= got;
    m_ended = got < wanted || m_left == 0;
    m_cut = m_cut || m_source.cut_short();
    m_before += m_at;
    m_text = {text, m_rest.size() + got};
    m_at = 0;
    m_tried = false;
    std::fill_n(text + m_text.size(), json_padding, '\0');
}

bool ChromeStream::step(ChromeBatch& batch)
{
    switch (m_place) {
    case Place::start:
        return open();
    case Place::object:
        return read_key(batch);
    case Place::events:
        return read_event(batch);
    case Place::end:
        break;
    }
    return false;
}

void ChromeStream::fail(std::size_t at, const std::string& words) const
{
    throw StoreError(m_path + ": " + place_in_json(m_path, m_before + at) + ": " + words
        + (at < m_text.size() ? ", found '" + shown(m_text.substr(at, 1)) + "'" : ", found the end of the file"));
}

std::size_t ChromeStream::value_end(std::size_t at) const
{
    const auto end = end_of_value(m_text, at);
    return end == m_text.size() && !m_ended ? std::string_view::npos : end;
}

std::size_t ChromeStream::skip_commas(std::size_t at) const
{
    at = skip_space(m_text, at);
    while (at < m_text.size() && m_text[at] == ',') {
        at = skip_space(m_text, at + 1);
    }
    return at;
}

bool ChromeStream::open()
{
    const auto at = skip_space(m_text, m_text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    if (at >= m_text.size() && !m_ended) {
        return false;
    }
    if (at >= m_text.size() || (m_text[at] != '[' && m_text[at] != '{')) {
        fail(at, "expected { or [");
    }
    m_in_object = m_text[at] == '{';
    m_has_events = !m_in_object;
    m_place = m_in_object ? Place::object : Place::events;
    m_at = at + 1;
    return true;
}

/// A key of the whole and its value.
bool ChromeStream::read_key(ChromeBatch& batch)
{
    auto at = skip_commas(m_at);
    if (at >= m_text.size()) {
        return false;
    }
    if (m_text[at] == '}') {
        m_place = Place::end;
        return true;
    }
    if (m_text[at] != '"') {
        fail(at, "expected a key in quotes");
    }
    const auto key_end = value_end(at);
    if (key_end == std::string_view::npos) {
        return false;
    }
    const auto key = m_text.substr(at + 1, key_end - at - 2);
    at = skip_space(m_text, key_end);
    if (at >= m_text.size()) {
        return false;
    }
    if (m_text[at] != ':') {
        fail(at, "expected : behind the key \"" + shown(key) + "\"");
    }
    at = skip_space(m_text, at + 1);
    if (at >= m_text.size()) {
        return false;
    }
    if (key == "traceEvents" && m_text[at] == '[') {
        m_has_events = true;
        m_place = Place::events;
        m_at = at + 1;
        return true;
    }
    const auto end = value_end(at);
    if (end == std::string_view::npos) {
        return false;
    }
    if (says_something(key)) {
        batch.said.push_back({std::string(key), std::string(m_text.substr(at, end - at))});
    }
    m_at = end;
    return true;
}

/// As many events as can be read at once, or one.
bool ChromeStream::read_event(ChromeBatch& batch)
{
    if (!std::exchange(m_tried, true)) {
        m_at = m_events.parse_many(batch, m_at + 1, m_text.size() + 1) - 1;
        return true;
    }
    const auto at = skip_commas(m_at);
    if (at >= m_text.size()) {
        m_at = at;
        return false;
    }
    if (m_text[at] == ']') {
        m_place = m_in_object ? Place::object : Place::end;
        m_at = at + 1;
        return true;
    }
    if (m_text[at] != '{') {
        fail(at, "expected an event in { }");
    }
    const auto end = end_of_value(m_text, at);
    if (end == std::string_view::npos) {
        return false;
    }
    if (!m_events.parse_one(batch, at + 1, end + 1)) {
        ++batch.damaged;
    }
    m_at = end;
    return true;
}

}  // namespace lanes
