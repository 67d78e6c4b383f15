// SPDX-License-Identifier: MIT
#include "engine/store/chrome/chrome_stream.h"
#include "engine/store/foreign_file.h"
#include "engine/store/recording_file.h"
#include "engine/trace/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

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

constexpr std::string_view blanks(" \n\r\t\0", 5);  // allowed after a trace; some writers fill up a block

/// Adds a key to the list for an error.
void note_key(std::string& keys, std::string_view key)
{
    constexpr std::size_t most = 120;  // bytes
    if (keys.size() < most) {
        keys += (keys.empty() ? "\"" : ", \"") + shown(key) + '"';
    }
}

/// The keys of an object, as far as its text is sound.
std::string keys_of(std::string_view text)
{
    std::string keys;
    std::size_t at = skip_space(text, 1);
    while (at < text.size() && text[at] == '"') {
        const auto end = end_of_value(text, at);
        const auto colon = end == std::string_view::npos ? text.size() : skip_space(text, end);
        if (colon >= text.size() || text[colon] != ':') {
            break;
        }
        note_key(keys, text.substr(at + 1, end - at - 2));
        const auto behind = end_of_value(text, skip_space(text, colon + 1));
        at = behind == std::string_view::npos ? text.size() : skip_space(text, behind);
        at = at < text.size() && text[at] == ',' ? skip_space(text, at + 1) : text.size();
    }
    return keys;
}

/// Where the next event seems to begin, at `at` or after it: a brace and a key that events have. `sure`: the text is
/// long enough to decide. npos: nowhere.
struct EventBegin {
    std::size_t at;
    bool sure;
};
EventBegin next_event(std::string_view text, std::size_t at)
{
    static constexpr std::array<std::string_view, 18> keys {"ph", "name", "cat", "pid", "tid", "ts", "dur", "args",
        "id", "id2", "s", "bp", "cname", "tts", "tdur", "sf", "stack", "scope"};
    constexpr std::size_t longest = 8;  // a key with its quotes
    for (at = text.find('{', at); at != std::string_view::npos; at = text.find('{', at + 1)) {
        const auto quote = skip_space(text, at + 1);
        if (quote >= text.size()) {
            return {at, false};
        }
        if (text[quote] != '"') {
            continue;
        }
        const auto end = text.substr(0, quote + longest).find('"', quote + 1);
        if (end == std::string_view::npos) {
            if (quote + longest > text.size()) {
                return {at, false};
            }
            continue;
        }
        if (std::find(keys.begin(), keys.end(), text.substr(quote + 1, end - quote - 1)) == keys.end()) {
            continue;
        }
        const auto colon = skip_space(text, end + 1);
        if (colon >= text.size()) {
            return {at, false};
        }
        if (text[colon] == ':') {
            return {at, true};
        }
    }
    return {std::string_view::npos, true};
}

/// One past the event that seems to begin at `at`; npos: it has no end here. `many`: many others begin before its end,
/// as happens if brackets or quotes are damaged. Cost: the text of those events.
ChromeEventEnd end_among_others(std::string_view text, std::size_t at, std::size_t most)
{
    constexpr int many = 16;
    auto seen = text.substr(0, at + std::min(most, text.size() - at));
    auto other = next_event(seen, at + 1);
    int others = 0;
    for (; other.at != std::string_view::npos && other.sure && others < many; ++others) {
        seen = others + 1 == many ? seen.substr(0, other.at) : seen;
        other = next_event(seen, other.at + 1);
    }
    return {end_of_value(seen, at), others == many};
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
    if (m_ended && m_at >= m_text.size()) {
        check_found();
        return false;
    }
    fill(batch);
    while (step(batch)) { }
    if (m_ended) {
        end_text(batch);
    }
    m_rest = m_text.substr(m_at);
    m_found += batch.events.size();
    m_damaged += batch.damaged;
    return true;
}

/// To be called when nothing comes after the text.
void ChromeStream::end_text(ChromeBatch& batch)
{
    if (m_place == Place::lost) {
        skip_to(m_text.size());
        // An event without its end, but followed by the end of the whole, is damaged; otherwise the text was cut short.
        const bool closed = m_lost.depth < 0 || m_lost.last.ends_with("}]") || m_lost.last.ends_with("}]}");
        batch.damaged += m_lost.damaged && closed ? 1 : 0;
        m_cut = m_cut || (m_lost.damaged && !closed);
    } else if (m_place != Place::end) {
        // An array may lack its end, but not within an object.
        m_cut = m_cut || m_in_object || m_at < m_text.size();
    }
    m_at = m_text.size();
}

/// Throws if the file is JSON but no trace.
void ChromeStream::check_found() const
{
    const auto found = m_keys.empty() ? std::string() : ", found " + m_keys;
    if (!m_has_events) {
        throw StoreError(m_path + ": is JSON, but no trace: it has no \"traceEvents\"" + found + what_json_is(m_keys));
    }
    if (m_found == 0 && !m_keys.empty() && !m_is_ours) {
        throw StoreError(
            m_path + ": is JSON, but no trace: expected events with \"ph\"" + found + what_json_is(m_keys));
    }
    if (m_found == 0 && m_damaged > 0) {
        const auto place = place_in_json(m_path, m_damage_at);
        throw StoreError(m_path + ": no event in it can be read; damaged are " + std::to_string(m_damaged)
                + ", the first at byte " + std::to_string(m_damage_at) + ", " + in_words(place) + ": " + m_first_damage,
            place.line, place.column);
    }
}

std::string ChromeStream::first_damage() const
{
    if (m_damaged == 0) {
        return {};
    }
    const auto place = place_in_json(m_path, m_damage_at);
    return std::to_string(m_damage_at) + ' ' + std::to_string(place.line) + ' ' + std::to_string(place.column) + ' '
        + m_first_damage;
}

/// Reads on after the rest of the last piece: twice as much if the rest is long, so that a long value is scanned only a
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
    case Place::lost:
        return find_event(batch);
    case Place::end:
        return skip_rest(batch);
    }
    return false;
}

void ChromeStream::fail(std::size_t at, const std::string& words) const
{
    const auto place = place_in_json(m_path, m_before + at);
    throw StoreError(m_path + ": " + in_words(place) + ": " + words
            + (at < m_text.size() ? ", found '" + shown(m_text.substr(at, 1)) + "'" : ", found the end of the file"),
        place.line, place.column);
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

/// Reads a key of the outer object and its value.
bool ChromeStream::read_key(ChromeBatch& batch)
{
    auto at = skip_commas(m_at);
    if (at >= m_text.size()) {
        return false;
    }
    if (m_text[at] == '}') {
        m_place = Place::end;
        m_at = at + 1;
        return true;
    }
    if (m_text[at] != '"') {
        return lose_or_fail(batch, at, "a key in quotes");
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
        return lose_or_fail(batch, at, ": after the key \"" + shown(key) + "\"");
    }
    at = skip_space(m_text, at + 1);
    if (at >= m_text.size()) {
        return false;
    }
    if (key == "traceEvents") {
        if (m_text[at] != '[') {
            fail(at, "\"traceEvents\" is no array: expected [");
        }
        m_has_events = true;
        m_keys.clear();
        m_place = Place::events;
        m_at = at + 1;
        return true;
    }
    const auto end = value_end(at);
    if (end == std::string_view::npos) {
        return false;
    }
    if (!m_has_events) {
        note_key(m_keys, key);
    }
    m_is_ours = m_is_ours || key == "lanescope";
    if (says_something(key)) {
        batch.said.push_back({std::string(key), std::string(m_text.substr(at, end - at))});
    }
    m_at = end;
    return true;
}

/// Reads as many events as possible at once, or one.
bool ChromeStream::read_event(ChromeBatch& batch)
{
    if (!std::exchange(m_tried, true)) {
        m_at = skip_commas(m_at);
        m_at = m_events.parse_many(batch, m_at + 1, m_text.size() + 1) - 1;
        return true;
    }
    const auto at = skip_commas(m_at);
    if (at >= m_text.size()) {
        m_at = at;
        return false;
    }
    if (m_text[at] == ']') {
        if (m_torn) {  // the bracket of one of several arrays
            return lose(at, false);
        }
        m_place = m_in_object ? Place::object : Place::end;
        m_at = at + 1;
        return true;
    }
    if (m_text[at] != '{') {
        return lose_or_fail(batch, at, "an event in { }");
    }
    const auto [end, is_damaged] = event_end(at);
    if (end == std::string_view::npos) {
        m_at = at;
        if (!is_damaged && !m_ended && m_text.size() - at < most_event) {
            return false;
        }
        note_damage(at, "an event with its closing }");
        return lose(at, true);
    }
    const auto found = read_value(batch, at, end);
    const auto text = m_text.substr(at, end - at);
    if (found == Found::nothing) {
        note_damage(at, "an event in sound JSON");
        if (holds_event(batch, at, end)) {
            return lose(at, true);
        }
        ++batch.damaged;
    } else if (found == Found::other && skip_space(text, 1) + 1 < text.size()) {
        ++batch.others;  // {}, with which JAX and TensorFlow end a trace, does not count
        m_keys = m_keys.empty() ? keys_of(text) : m_keys;
    }
    m_at = end;
    return true;
}

/// Whether a value that is no event contains one: its quotes or brackets enclose several, or others were written into
/// it.
bool ChromeStream::holds_event(ChromeBatch& batch, std::size_t begin, std::size_t end)
{
    const auto text = m_text.substr(0, end);
    for (auto next = next_event(text, begin + 1); next.at != std::string_view::npos && next.sure;
         next = next_event(text, next.at + 1)) {
        const auto stop = end_among_others(text, next.at, most_event).at;
        if (stop != std::string_view::npos && read_value(batch, next.at, stop) == Found::event) {
            batch.events.pop_back();
            return true;
        }
    }
    return false;
}

/// An event may contain objects that look like events: so it is scanned to its end, unless that failed several times
/// before.
ChromeEventEnd ChromeStream::event_end(std::size_t at)
{
    constexpr std::size_t usual = 4096;  // bytes
    constexpr int enough = 8;
    auto end = end_of_value(m_text.substr(0, at + usual), at);
    if (end != std::string_view::npos) {
        return {end, false};
    }
    if (m_endless < enough) {
        end = value_end(at);
        const bool is_long = m_ended || m_text.size() - at >= most_event;
        m_endless += end == std::string_view::npos && is_long ? 1 : 0;
        return {end, false};
    }
    return end_among_others(m_text, at, most_event);
}

ChromeStream::Found ChromeStream::read_value(ChromeBatch& batch, std::size_t begin, std::size_t end)
{
    if (!m_events.parse_one(batch, begin + 1, end + 1)) {
        return Found::nothing;
    }
    if (batch.events.back().phase != 0) {
        return Found::event;
    }
    batch.events.pop_back();
    const auto text = m_text.substr(begin, end - begin);
    if (text.find("\"ph\"") != std::string_view::npos) {  // another writer's events in this array
        return Found::nothing;
    }
    return Found::other;
}

void ChromeStream::note_damage(std::size_t at, std::string_view expected)
{
    constexpr std::size_t most = 60;  // bytes
    if (m_first_damage.empty()) {
        m_damage_at = m_before + at;
        m_first_damage = "expected " + std::string(expected) + ", found '" + shown(m_text.substr(at, most)) + "'";
    }
}

bool ChromeStream::lose_or_fail(const ChromeBatch& batch, std::size_t at, const std::string& expected)
{
    if (m_found + batch.events.size() == 0) {
        fail(at, "expected " + expected);
    }
    note_damage(at, expected);
    return lose(at, true);
}

bool ChromeStream::lose(std::size_t at, bool damaged)
{
    m_lost = {damaged, 0, {}};
    m_place = Place::lost;
    m_at = at;
    skip_to(at + 1);
    return true;
}

void ChromeStream::skip_to(std::size_t at)
{
    for (const char c : m_text.substr(m_at, at - m_at)) {
        m_lost.depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        if (c != ',' && blanks.find(c) == std::string_view::npos) {
            m_lost.last.erase(0, m_lost.last.size() < 3 ? 0 : 1);
            m_lost.last += c;
        }
    }
    m_at = at;
}

bool ChromeStream::find_event(ChromeBatch& batch)
{
    const auto next = next_event(m_text, m_at);
    skip_to(std::min(next.at, m_text.size()));
    if (next.at == std::string_view::npos || !next.sure) {
        return false;
    }
    const auto [end, is_damaged] = end_among_others(m_text, next.at, most_event);
    if (end == std::string_view::npos && !is_damaged && !m_ended && m_text.size() - next.at < most_event) {
        return false;
    }
    if (end == std::string_view::npos || read_value(batch, next.at, end) != Found::event) {
        skip_to(next.at + 1);
        return true;
    }
    m_torn = m_torn || !m_lost.last.ends_with('}');  // else whole events were left out
    batch.damaged += m_lost.damaged ? 1 : 0;
    m_place = Place::events;
    m_at = end;
    return true;
}

/// Counts what follows the end, or reads on if it was the end of one of several mixed arrays.
bool ChromeStream::skip_rest(const ChromeBatch& batch)
{
    const auto next = m_text.find_first_not_of(blanks, m_at);
    if (m_behind == 0 && m_damaged + batch.damaged > 0 && next != std::string_view::npos
        && (m_text[next] == ',' || next_event(m_text, next).at == next)) {
        m_torn = true;
        return lose(next, false);
    }
    const auto rest = m_text.substr(m_at);
    const auto last = rest.find_last_not_of(blanks);
    if (last == std::string_view::npos) {
        m_blank += rest.size();
    } else {
        m_behind += last + 1 + (m_behind > 0 ? m_blank : 0) - (m_behind > 0 ? 0 : rest.find_first_not_of(blanks));
        m_blank = rest.size() - last - 1;
    }
    m_at = m_text.size();
    return false;
}

}  // namespace lanes
