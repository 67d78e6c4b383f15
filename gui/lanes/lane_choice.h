// SPDX-License-Identifier: MIT
// Which lanes a recording gets, one for each stream or one for each engine of each GPU, and which of its events they
// show. For another choice the lanes are made anew.
#pragma once

#include "engine/analysis/query/query_matcher.h"
#include "gui/lanes/lane_key.h"
#include "gui/lanes/shown_recording.h"

#include <optional>

namespace lanes::gui {

enum class LaneGrouping : std::uint8_t { stream, engine };

struct LaneChoice {
    LaneGrouping grouping = LaneGrouping::stream;
    std::shared_ptr<const Query> filter = {};  ///< null: everything is shown

    const std::string& filterText() const;
    friend bool operator==(const LaneChoice& a, const LaneChoice& b)
    {
        return a.grouping == b.grouping && a.filterText() == b.filterText();
    }
};

/// The events of a recording that a filter lets through. A blocked stretch is shown with its call.
class ShownEvents {
public:
    ShownEvents(const Recording& recording, const LaneChoice& choice);
    bool all() const { return !m_matcher; }

    bool operation(Row row) const { return !m_matcher || m_matcher->operation(row); }
    bool call(Row row) const { return !m_matcher || m_matcher->call(row); }
    bool range(Row row) const { return !m_matcher || m_matcher->range(row); }
    bool hostSpan(Row row) const { return !m_matcher || m_matcher->host_span(row); }
    bool read(Row row) const { return !m_matcher || m_matcher->read(row); }

private:
    std::optional<QueryMatcher> m_matcher;
};

/// The part of a GPU that does such an operation.
Engine engineOf(OperationKind kind);

}  // namespace lanes::gui
