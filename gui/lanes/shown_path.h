// SPDX-License-Identifier: MIT
// The critical path of a recording, or of a range of it, as lanes show it: its parts by what they lie on. Made on a
// worker thread; what it was made from must outlive it.
#pragma once

#include "engine/analysis/graph/critical_path.h"
#include "gui/lanes/lane_key.h"

#include <map>
#include <utility>
#include <vector>

namespace lanes::gui {

/// What of the path lies on one stream, by the engines that do it, or on one thread.
struct PathTrack {
    bool isStream;
    Row of;  ///< into Trace::streams or threads
    Engine engine;  ///< of a stream
    std::vector<std::uint32_t> parts;  ///< into CriticalPath::parts; they follow one another in time
};

/// Whether a part lies on a lane; the others are the steps from one that does to the next.
bool liesOnLane(const PathPart& part);

/// Cost: of critical_path(); 4 bytes a part beside it.
class ShownPath {
public:
    ShownPath(const Graph& graph, Interval range);

    const Trace& trace() const { return m_graph->trace(); }
    const CriticalPath& path() const { return m_path; }
    const std::vector<PathPart>& parts() const { return m_path.parts; }
    const std::vector<PathTrack>& tracks() const { return m_tracks; }
    /// The parts of [start, end): from .first to .second in parts(), backwards in time. log n.
    std::pair<std::size_t, std::size_t> partsIn(Ns start, Ns end) const;
    /// What of operations, calls, host work or reads of a name is longest on it; no event where nothing is.
    EventRef longest(EventTable table, StringId name) const;
    /// The same of a stream or thread.
    EventRef longest(bool isStream, Row lane) const;

private:
    const Graph* m_graph;
    CriticalPath m_path;
    std::vector<PathTrack> m_tracks;
    std::map<std::pair<EventTable, StringId>, std::uint32_t> m_longestOfName;  // into the parts
    std::map<std::pair<bool, Row>, std::uint32_t> m_longestOfLane;
};

}  // namespace lanes::gui
