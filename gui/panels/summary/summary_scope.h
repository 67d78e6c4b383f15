// SPDX-License-Identifier: MIT
// Of what the summary is: the open recordings, a range of each, a filter. A value, so that a worker thread can have it.
#pragma once

#include "engine/analysis/figures/counter_summary.h"
#include "engine/analysis/query/event_list.h"
#include "engine/analysis/query/query.h"
#include "engine/analysis/summary/summary.h"
#include "gui/lanes/scope.h"
#include "gui/session/open_recording.h"

#include <array>
#include <functional>
#include <memory>
#include <vector>

namespace lanes::gui {

struct SummaryOf {
    SummaryBy by = SummaryBy::kernel;
    bool findings = false;  ///< in place of `by`: what cost time
    std::vector<OpenRecordingPtr> recordings;  ///< A first; at most two
    Scope scope;  ///< which part of the recordings
    std::shared_ptr<const Query> filter;  ///< null: all events
    bool counters = false;  ///< in place of `by`: values, which no filter of events concerns
    std::array<std::shared_ptr<const Report>, 2> reports = {};  ///< of the scope, for findings; null: not known yet

    bool isRanged() const { return scope.of != Scope::Of::all; }
    /// What the engine is asked for one side. Makes the filter's matcher: one look at every name.
    SummaryScope asked(std::size_t side) const;
    /// How long an event of the row is; nothing where the row does not count it.
    SummaryPart part(std::size_t side, const std::string& name) const;
    /// Makes the question whether an event is one that the row counts and lasts [least, most) there. Of a finding:
    /// whether it is evidence.
    std::function<EventList::Wanted()> wanted(std::size_t side, const std::string& name, Ns least, Ns most) const;
    /// The events that show the findings that a row is of: those of one rule, which may be of several threads.
    std::vector<EventRef> evidence(std::size_t side, const std::string& name) const;

    friend bool operator==(const SummaryOf&, const SummaryOf&) = default;
};

}  // namespace lanes::gui
