// SPDX-License-Identifier: MIT
// What if: replays a recording with a change and says how long the run would take.
//
//   WhatIf what_if(graph);                      // replays it unchanged, twice
//   if (what_if.gate().is_open())
//       for (const Prediction& offer : what_if.offers()) …         // each change that applies, best first
//   Prediction p = what_if.predict({{ChangeKind::pin}, {ChangeKind::non_blocking}});
//   Trace run = what_if.predicted_trace(p.changes);                // shown and compared like any recording
//
// Invariant: constant once made; several threads may use it at once. Trace and Graph must outlive it.
// Cost, for n operations and calls: to make, that of make_script and three replays; predict seven to nine replays (six
// or seven for class and interval), total one, 0.5 to 1 µs for each of n; predicted_trace one, and the copy of the
// trace.
#pragma once

#include "engine/replay/changes/changes.h"
#include "engine/replay/interval.h"
#include "engine/replay/replay.h"
#include "engine/trace/progress.h"
#include "engine/trace/units.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanes::replay {

/// A prediction is made only if the unchanged replays end this close to the recording.
inline constexpr double most_off_measured = 0.01, most_off_constants = 0.05;

/// Changes that gain less of the recorded time are not offered.
inline constexpr double least_offer = 0.005;

/// Whether the recording can be replayed.
struct Gate {
    Ns recorded = 0;  ///< last end of a call or operation
    Ns measured = 0, constants = 0;  ///< the same for the unchanged replays; 0: they were not tried
    Delays delays;  ///< of the replay with measured delays
    std::vector<Message> reasons;  ///< why there is no prediction; empty: there is
    bool is_open() const { return reasons.empty(); }
    double off_measured() const { return off(measured); }  ///< +0.01: 1 % longer than recorded
    double off_constants() const { return off(constants); }

private:
    double off(Ns total) const
    {
        return recorded > 0 ? static_cast<double>(total - recorded) / static_cast<double>(recorded) : 0;
    }
};

struct Prediction {
    std::vector<Change> changes;
    std::vector<Change> without_effect;  ///< those of them that found nothing to change
    std::uint64_t count = 0;  ///< calls, copies and kernels that were changed; 0: nothing here to change
    Ns total = 0;  ///< last end of a call or operation
    Ns low = 0, high = 0;  ///< its 90 % interval
    Ns longer_elsewhere = 0;  ///< outside the part to which the changes are limited; negative: shorter
    Reliability reliability = Reliability::reliable;
    std::uint64_t old_bytes = 0;  ///< reads of the host that may see old bytes; 0: none known
    std::vector<Assumption> assumptions;  ///< what the recording cannot prove; with old_bytes a warning first

    bool is_undecided = false;  ///< the total depends on an assumption that has not been answered

    /// Whether only the range is reported, not `total`: the interval is wide, or it is undecided where in it the run
    /// ends.
    bool is_wide() const { return is_undecided || 5 * (high - low) > 2 * total; }
};

/// Whether `a` comes before `b` in a list: shorter runs first, those that may read old bytes last. It compares the
/// middle between total and upper end, so that of two with the same gain the surer one comes first; if only the range
/// is reported, its upper end.
inline bool wins_more(const Prediction& a, const Prediction& b)
{
    const auto rank = [](const Prediction& of) {
        return std::pair(of.reliability == Reliability::unsafe, of.is_wide() ? of.high : (of.total + of.high) / 2);
    };
    return rank(a) < rank(b);
}

/// What a screen shows of a predicted run before all of it is known.
struct Outline {
    Ns total = 0;  ///< last end of a call or operation
    std::uint64_t count = 0;  ///< calls, copies and kernels that were changed; 0: nothing here to change
    struct Ran {
        Interval span;
        Row operation;  ///< into Trace::operations
    };
    /// By row of Trace::streams: what runs there, by its starts. What runs on a stream that a change made is with the
    /// stream that it was on.
    std::vector<std::vector<Ran>> streams;
};

/// What offers() tries, and when it gives up.
struct Wanted {
    double least = least_offer;  ///< of the recorded time: what gains less is left out
    Query on = {};  ///< limits each change, as Change::on does
    Interval part = {};  ///< that `on` is; empty: it is none
    /// What findings advise (advised_by in engine/analysis/findings): tried, too, unless `on` is something else than a
    /// part, and offered if nothing else of its kinds is.
    std::vector<std::vector<Change>> advised = {};
    Bound::Clock::duration patience = Bound::Clock::duration::max();  ///< predictions that take longer are left out
};

class WhatIf {
public:
    /// Throws std::exception where resources/devices is missing.
    /// Throws Cancelled.
    explicit WhatIf(const Graph& graph, const Progress& progress = {});

    const Gate& gate() const { return m_gate; }

    /// Each change that applies to all of the recording, and the combinations that go together, if they gain enough; in
    /// the order of wins_more. Empty if the gate is shut.
    /// Throws Cancelled.
    std::vector<Prediction> offers(
        const Wanted& wanted = {}, const Answers& answers = {}, const Progress& progress = {}) const;

    /// What sets the pace of the recorded run, or of a part of it, as a sentence: GPU work, copies or the CPU, if the
    /// run would be 5 % longer or more with that 10 % longer. Needs an open gate. Cost: three replays.
    Message pace(Interval part = {}) const;

    /// Why no change is offered for the recorded run, or a part of it, as sentences: what sets the pace, and what the
    /// change that gains most would gain. Needs an open gate. Cost: that of pace(), and a replay for each change that
    /// applies.
    Message why_nothing(Interval part = {}) const;

    /// How many calls, copies and kernels it changes; 0: nothing here to change. Cost: that of a copy of the script.
    std::uint64_t count(const Change& change) const;

    /// The changes made one after another. Needs an open gate. Throws std::runtime_error if the changed run deadlocks.
    /// A change that needs what the answers say does not hold is not made; what they confirm raises the class.
    /// Throws what `bound` throws, as total and predicted_trace do.
    Prediction predict(const std::vector<Change>& changes, const Answers& answers = {}, const Bound& bound = {}) const;

    /// Only the total of predict: one replay, quick enough for a screen. Throws as predict does.
    Ns total(const std::vector<Change>& changes, const Answers& answers = {}, const Bound& bound = {}) const;

    /// The same total, and when the GPUs do what. Cost and throws: of total.
    Outline outline(const std::vector<Change>& changes, const Answers& answers = {}, const Bound& bound = {}) const;

    /// The predicted run as a recording, Source::predicted. Needs an open gate.
    Trace predicted_trace(
        const std::vector<Change>& changes, const Answers& answers = {}, const Bound& bound = {}) const;

private:
    struct Changed {
        Script script;
        std::vector<Applied> applied;
    };
    struct Made;
    Changed changed(const std::vector<Change>& changes, const Answers& answers, Way way, const Bound& bound) const;
    std::optional<Reliability> offer(const std::vector<Change>& changes, const Answers& answers, const Bound& bound,
        const Wanted& wanted, std::vector<Prediction>& offers) const;
    Made take(const Changed& to, const Answers& answers, Prediction& prediction) const;
    static void find_limits(const Script& script, Ns total, Doubts& doubts, Prediction& prediction);

    const Graph& m_graph;
    Script m_script;
    Gate m_gate;
    Replayed m_unchanged;
    std::optional<Interval> m_repeats;  // the part that repeats, of a recording that is mostly start-up
    TimeBeside m_beside;  // of kernels beside others in the recording
};

/// How long the recording took in `part`, up to its last call or operation; empty: all of it.
Ns recorded_in(const Gate& gate, Interval part);

/// The `least` of WhatIf::offers that is least_offer of that part.
double least_offer_of(const Gate& gate, Interval part);

/// The prediction of a change limited to `part` for that part alone: what comes before and after takes as long as
/// recorded. `part` empty: returned unchanged.
Prediction of_part(const Gate& gate, Prediction prediction, Interval part);

/// As `lanes whatif` prints them; `why` (WhatIf::why_nothing) follows the sentence that there are none.
std::string to_text(const Gate& gate, const std::vector<Prediction>& predictions, const Messages& messages,
    const Message& why = {}, Interval part = {});
/// {"schema": 2, "measured_total_ns": …, "changes": […]}, on one line. For both, predictions are of_part(…, part).
std::string to_json(const Gate& gate, const std::vector<Prediction>& predictions, const Messages& messages,
    const Message& why = {}, Interval part = {});

}  // namespace lanes::replay
