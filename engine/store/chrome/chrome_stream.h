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
    bool many;  ///< nor before many others begin
};

/// Goes through the outer brackets of the file and reads events. Holds one piece of the text at a time, whatever the
/// size of the file: as much as `piece`, or twice the longest single value.
///
/// Where no event can be read, the next one is looked for by how events begin: by a brace and the name of a field of
/// theirs. So a damaged event costs itself alone, and of files that several writers shared every event is found that is
/// whole.
class ChromeStream {
public:
    /// Ends after `most_bytes` of text as if the file were cut short there. Throws as JsonSource does.
    explicit ChromeStream(const std::string& path, std::size_t most_bytes = most_json_bytes);

    /// The next events; false: there are no more. Throws StoreError where the file is no trace, with the place where
    /// that shows.
    bool next(ChromeBatch& batch);
    double fraction() const { return m_source.fraction(); }

    // Once next() has returned false:
    /// Whether the text ends before its brackets do, or is not all there between events. An array that lacks nothing
    /// but its bracket is whole.
    bool cut_short() const { return m_cut || m_torn; }
    /// Bytes that follow the last bracket, white space left out.
    std::size_t bytes_behind() const { return m_behind; }

private:
    static constexpr std::size_t piece = std::size_t {1} << 20U;
    static constexpr std::size_t most_event = std::size_t {16} << 20U;  ///< bytes: what is longer is damaged
    enum class Place { start, object, events, lost, end };

    void fill(ChromeBatch& batch);
    /// One step in the batch's text; false: what comes next lies after the end of the text.
    bool step(ChromeBatch& batch);
    bool open();
    bool read_key(ChromeBatch& batch);
    bool read_event(ChromeBatch& batch);
    ChromeEventEnd event_end(std::size_t at);
    enum class Found { event, other, nothing };
    /// What the text of a value is; reads the event.
    Found read_value(ChromeBatch& batch, std::size_t begin, std::size_t end);
    bool holds_event(ChromeBatch& batch, std::size_t begin, std::size_t end);
    /// From here on the next event is looked for. `damaged`: because this one cannot be read.
    bool lose(std::size_t at, bool damaged);
    bool find_event(ChromeBatch& batch);
    /// Goes on to `at`, past what is not read.
    void skip_to(std::size_t at);
    bool skip_rest(const ChromeBatch& batch);
    void end_text(ChromeBatch& batch);
    void check_found() const;
    /// One past the value at `at`; npos: it goes on after the end of the text.
    std::size_t value_end(std::size_t at) const;
    std::size_t skip_commas(std::size_t at) const;
    [[noreturn]] void fail(std::size_t at, const std::string& words) const;

    std::string m_path;
    JsonSource m_source;
    ChromeEventParser m_events;
    std::string m_rest;  ///< of the last piece
    std::string_view m_text;  ///< of this one, with a byte before it
    std::size_t m_before = 0;  ///< bytes of the file before m_text
    std::size_t m_left;  ///< that may still be read
    std::size_t m_at = 0;
    Place m_place = Place::start;
    bool m_ended = false;  ///< nothing comes after m_text
    bool m_in_object = false, m_has_events = false, m_cut = false, m_tried = false;
    bool m_is_ours = false;
    bool m_torn = false;  ///< brackets say nothing any more: what was left out was not one event
    std::size_t m_found = 0, m_damaged = 0, m_behind = 0;
    std::size_t m_blank = 0;  ///< white space after the last of m_behind
    int m_endless = 0;  ///< events that were looked at whole and have no end
    std::string m_keys;  ///< of the whole, or of the first object that is no event
    struct Lost {
        bool damaged = false;
        std::int64_t depth = 0;  ///< brackets that were opened in what was left out, less those that were closed
        std::string last;  ///< bytes of what was left out, without white space and commas
    };
    Lost m_lost;
};

}  // namespace lanes
