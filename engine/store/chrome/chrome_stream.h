// SPDX-License-Identifier: MIT
// A trace in Chrome's JSON format, piece by piece; private to engine/store.
#pragma once

#include "engine/store/chrome/chrome_event.h"
#include "engine/store/json_text.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanes {

/// Where an event ends.
struct ChromeEventEnd {
    std::size_t at;  ///< one past it; npos: not here
    bool many;  ///< many others begin before its end
};

/// Goes through the outer brackets of the file and reads events. Holds one piece of the text at a time, whatever the
/// size of the file: `piece` bytes, or twice the longest single value.
///
/// If no event can be read, it looks for the next one by how events begin: with a brace and the name of one of their
/// fields. So only the damaged event is lost, and in a file that several writers shared every complete event is found.
class ChromeStream {
public:
    /// Ends after `most_bytes` of text as if the file were cut short there. Throws as JsonSource does.
    explicit ChromeStream(const std::string& path, std::size_t most_bytes = most_json_bytes);

    /// The next events; false: there are no more. Throws StoreError if the file is no trace, with the place that shows
    /// it.
    bool next(ChromeBatch& batch);
    double fraction() const { return m_source.fraction(); }

    // Once next() has returned false:
    // Whether the text ends before its brackets, or lacks something between events. An array that lacks only its
    // bracket is complete.
    bool cut_short() const { return m_cut || m_torn; }
    /// Bytes after the last bracket, without white space.
    std::size_t bytes_behind() const { return m_behind; }
    /// meta::first_damage, of the first event that cannot be read; "": all can. Cost: reading the text before it again.
    std::string first_damage() const;

private:
    static constexpr std::size_t piece = std::size_t {1} << 20U;
    static constexpr std::size_t most_event = std::size_t {16} << 20U;  ///< bytes: a longer one is damaged
    enum class Place { start, object, events, lost, end };

    void fill(ChromeBatch& batch);
    /// One step in the batch's text; false: the next is after the end of the text.
    bool step(ChromeBatch& batch);
    bool open();
    bool read_key(ChromeBatch& batch);
    bool read_event(ChromeBatch& batch);
    ChromeEventEnd event_end(std::size_t at);
    enum class Found { event, other, nothing };
    /// Classifies the text of a value, and reads it if it is an event.
    Found read_value(ChromeBatch& batch, std::size_t begin, std::size_t end);
    bool holds_event(ChromeBatch& batch, std::size_t begin, std::size_t end);
    /// From here on, looks for the next event. `damaged`: because this one cannot be read.
    bool lose(std::size_t at, bool damaged);
    /// Like lose(), of what is damaged; throws if no event was read before it, as the file is no trace then.
    bool lose_or_fail(const ChromeBatch& batch, std::size_t at, const std::string& expected);
    bool find_event(ChromeBatch& batch);
    /// Keeps where the first event that cannot be read is, and what was expected of it.
    void note_damage(std::size_t at, std::string_view expected);
    /// Goes on to `at`, past text that is not read.
    void skip_to(std::size_t at);
    bool skip_rest(const ChromeBatch& batch);
    void end_text(ChromeBatch& batch);
    void check_found() const;
    /// One past the value at `at`; npos: it continues after the end of the text.
    std::size_t value_end(std::size_t at) const;
    std::size_t skip_commas(std::size_t at) const;
    [[noreturn]] void fail(std::size_t at, const std::string& words) const;

    std::string m_path;
    JsonSource m_source;
    ChromeEventParser m_events;
    std::string m_rest;  ///< of the last piece
    std::string_view m_text;  ///< of this piece, with a byte before it
    std::size_t m_before = 0;  ///< bytes of the file before m_text
    std::size_t m_left;  ///< bytes that may still be read
    std::size_t m_at = 0;
    Place m_place = Place::start;
    bool m_ended = false;  ///< nothing comes after m_text
    bool m_in_object = false, m_has_events = false, m_cut = false, m_tried = false;
    bool m_is_ours = false;
    bool m_torn = false;  ///< brackets mean nothing any more: what was left out was not one event
    std::size_t m_found = 0, m_damaged = 0, m_behind = 0;
    std::size_t m_blank = 0;  ///< white space after the last of m_behind
    int m_endless = 0;  ///< events that were scanned to the end of the text and have no end
    std::string m_keys;  ///< of the outer object, or of the first object that is no event
    struct Lost {
        bool damaged = false;
        std::int64_t depth = 0;  ///< opening less closing brackets in the text that was left out
        std::string last;  ///< the last bytes left out, without white space and commas
    };
    Lost m_lost;
    std::size_t m_damage_at = 0;
    std::string m_first_damage;  ///< what was expected and found there; empty: there is none
};

}  // namespace lanes
