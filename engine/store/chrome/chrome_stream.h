// SPDX-License-Identifier: MIT
// A trace in Chrome's JSON format, piece by piece; private to engine/store.
#pragma once

#include "engine/store/chrome/chrome_event.h"
#include "engine/store/json_text.h"

#include <string>

namespace lanes {

/// Goes through the outer brackets of the file and reads events. Holds one piece of the text at a time, whatever the
/// size of the file: as much as `piece`, or twice the longest single value.
class ChromeStream {
public:
    /// Ends after `most_bytes` of text as if the file were cut short there. Throws as JsonSource does.
    explicit ChromeStream(const std::string& path, std::size_t most_bytes = most_json_bytes);

    /// The next events; false: there are no more. Throws StoreError where the file is no trace, with the place where
    /// that shows.
    bool next(ChromeBatch& batch);
    double fraction() const { return m_source.fraction(); }

    // Once next() has returned false:
    /// Whether the text ends before its brackets do. An array that lacks nothing but its bracket is whole.
    bool cut_short() const { return m_cut; }

private:
    static constexpr std::size_t piece = std::size_t {1} << 20U;
    enum class Place { start, object, events, end };

    void fill(ChromeBatch& batch);
    /// One step in the batch's text; false: what comes next lies behind the end of the text.
    bool step(ChromeBatch& batch);
    bool open();
    bool read_key(ChromeBatch& batch);
    bool read_event(ChromeBatch& batch);
    /// One past the value at `at`; npos: it goes on behind the end of the text.
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
    bool m_ended = false;  ///< nothing comes behind m_text
    bool m_in_object = false, m_has_events = false, m_cut = false, m_tried = false;
};

}  // namespace lanes
