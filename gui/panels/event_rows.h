// SPDX-License-Identifier: MIT
// Which events a table shows and in what order: made on any thread, constant once made.
//
// An event is a number: API calls come first, then operations, ranges, host spans and reads, each by its row.
// Cost: 4 bytes a shown event, 16 while it is sorted. To make: one question to the query an event, then a merge of
// the lanes (start) or a sort of small keys (anything else), which keeps equals in the order of time.
#pragma once

#include "engine/analysis/query.h"
#include "gui/panels/open_recording.h"

#include <atomic>
#include <optional>
#include <vector>

namespace lanes::gui {

/// What the table shows.
struct EventFilter {
    Query query;
    std::optional<Interval> range;  ///< only what touches it
};

enum class EventColumn { start, duration, kind, name, lane, bytes, blocked };

struct EventOrder {
    EventColumn column = EventColumn::start;
    bool descending = false;
};

class EventRows {
public:
    /// No more rows than a table can be tall; what is left out is said.
    static constexpr std::size_t most_shown = 10'000'000;

    EventRows() = default;
    /// Stops early when `cancelled` becomes true; what it holds then is of no use.
    EventRows(
        OpenRecordingPtr recording, const EventFilter& filter, EventOrder order, const std::atomic<bool>& cancelled);

    const OpenRecordingPtr& recording() const { return m_recording; }
    std::size_t total() const { return m_recording ? m_first.back() : 0; }
    /// How many pass the filter, shown or not.
    std::size_t passed() const { return m_passed; }
    std::size_t size() const { return m_shown.size(); }
    EventRef at(std::size_t row) const { return m_shown.empty() ? EventRef {} : eventOf(m_shown[row]); }
    /// Linear, 1 ms a few million.
    std::optional<std::size_t> rowOf(EventRef event) const;

private:
    EventRef eventOf(std::uint32_t number) const;
    std::uint32_t numberOf(EventRef event) const;
    void collect(const EventFilter& filter, const std::atomic<bool>& cancelled);
    void arrange(EventOrder order);

    OpenRecordingPtr m_recording;
    std::array<std::uint32_t, 6> m_first {};  // numbers of the tables' first events, and behind the last
    std::vector<std::uint32_t> m_shown;
    std::size_t m_passed = 0;
};

/// What the columns of words say.
QString kindTextOf(const OpenRecording& recording, EventRef event);
QString laneTextOf(const OpenRecording& recording, EventRef event);

}  // namespace lanes::gui
