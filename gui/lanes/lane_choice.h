// SPDX-License-Identifier: MIT
// Which lanes a recording gets, one for each stream or one for each engine of each GPU, which of its events they show,
// whether the GPUs come first, and what the colours of kernels say. For another choice the lanes are made anew.
#pragma once

#include "engine/analysis/query/query_matcher.h"
#include "gui/lanes/lane_key.h"
#include "gui/lanes/shown_recording.h"

#include <optional>

namespace lanes::gui {

enum class LaneGrouping : std::uint8_t { stream, engine };
/// What comes first. usual: the GPUs in the recording of a program; the CPU in that of a workload, where the calls are
/// the story.
enum class LaneOrder : std::uint8_t { usual, gpusFirst, cpuFirst };

/// What the colour of a kernel says. usual: its family in the recording of a program; in that of a workload that it is
/// a kernel, since its kernels have names of their own.
enum class LaneColours : std::uint8_t { usual, families, kinds };

/// Whether a workload was recorded: its threads and streams are few and in the order of its story.
bool isOfWorkload(const Trace& trace);
bool areGpusFirst(const Trace& trace, LaneOrder order);
bool areFamiliesShown(const Trace& trace, LaneColours colours);

struct LaneChoice {
    LaneGrouping grouping = LaneGrouping::stream;
    std::shared_ptr<const Query> filter = {};  ///< null: everything is shown
    LaneOrder order = LaneOrder::usual;
    LaneColours colours = LaneColours::usual;

    const std::string& filterText() const;
    friend bool operator==(const LaneChoice& a, const LaneChoice& b)
    {
        return a.grouping == b.grouping && a.order == b.order && a.colours == b.colours
            && a.filterText() == b.filterText();
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
