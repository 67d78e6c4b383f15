// SPDX-License-Identifier: MIT
// A run as a list of what happens in it, one after the other, each with a sentence:
// what a thread calls, computes, waits for and reads, and what a stream begins to do.
// These are the steps of StepThrough.
//
// The sentences say what was recorded and nothing else: a call "waits" if its blocked
// time says so. Cost: that of EventList, 4 bytes a step; a sentence some
// microseconds. Recordings of more than `most_steps` events show their calls alone.
#pragma once

#include "engine/analysis/query/event_list.h"
#include "gui/session/open_recording.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace lanes::gui {

class RunSteps {
public:
    static constexpr std::size_t most_steps = 2'000'000;

    RunSteps() = default;
    explicit RunSteps(OpenRecordingPtr recording);

    std::size_t size() const { return m_steps.size(); }
    EventRef event(std::size_t step) const { return m_steps[step]; }
    Ns time(std::size_t step) const { return m_steps.start(step); }
    /// How long it lasts, ns.
    Ns duration(std::size_t step) const;
    /// The last that has begun at `time`; nothing before the first.
    std::optional<std::size_t> at(Ns time) const;
    /// The one that is that event, or the last at its start; nothing where there is none.
    std::optional<std::size_t> of(ItemRef item) const;

    /// "main enqueues kernel matmul on compute", "main waits for copy: 4.1 ms".
    QString text(std::size_t step) const;
    /// What the GPUs do at that time: "compute: matmul · copy: D2H 64 MiB", or that they do nothing.
    QString onTheGpu(Ns time) const;

private:
    QString callText(Row call) const;
    QString plainCallText(Row call, const QString& who, const QString& took) const;
    QString spanText(const HostSpan& span) const;
    QString operationText(Row operation) const;
    QString streamName(Row stream) const;  ///< "stream compute"
    QString streamLabel(Row stream) const;  ///< "compute"
    QString threadName(Row thread) const;

    OpenRecordingPtr m_recording;
    EventList m_steps;
    std::unordered_map<Row, Row> m_streams;  // a call that records or waits for an event -> the stream that does
};

}  // namespace lanes::gui
