// SPDX-License-Identifier: MIT
// Which lanes are shown and in what order: what the user has hidden, pinned, collapsed and moved, by lane key.
// Independent of pixels, and of the recording except for its list of lanes.
//
// Lanes are a tree of two levels. The streams or engines of a GPU belong to its header, and so do the threads of a
// process if there are several processes. They are hidden, pinned and moved with their header, and can be moved within
// it only. The overlap ribbon is always the first lane and always visible, like pinned lanes. Cost: a few comparisons
// for each lane and change; there are dozens of lanes.
#pragma once

#include "gui/lanes/lane_model.h"

#include <map>
#include <set>

namespace lanes::gui {

/// A lane to lay out.
struct ArrangedLane {
    std::size_t lane = 0;  ///< in LaneModel::lanes()
    bool pinned = false;  ///< stays at the top while the others scroll
    bool collapsed = false;
    std::vector<std::size_t> folded = {};  ///< of a collapsed header: its lanes, whose rows it shows in its own
    bool allDepths = false;  ///< of a thread: its stack is not folded
};

struct ArrangedLanes {
    std::vector<ArrangedLane> lanes;  ///< top to bottom, the pinned ones first
    std::size_t hidden = 0;  ///< number of lanes that the user has hidden; a header counts as its lanes

    /// Without lanes of streams, unless they are pinned, that have nothing in `span`. Cost: log of their items each.
    ArrangedLanes withoutEmptyStreams(const std::vector<Lane>& all, Interval span) const;
};

class LaneArrangement {
public:
    /// What a user has set, to be kept in a file.
    struct Settings {
        std::set<LaneKey> hidden, collapsed, allDepths;
        std::vector<LaneKey> pinned;  ///< in the order of their lanes
        std::map<LaneKey, std::vector<LaneKey>> moved;  ///< the order of a header's lanes; see m_moved
    };
    LaneArrangement() = default;
    explicit LaneArrangement(Settings settings)
        : m_hidden(std::move(settings.hidden))
        , m_collapsed(std::move(settings.collapsed))
        , m_allDepths(std::move(settings.allDepths))
        , m_pinned(std::move(settings.pinned))
        , m_moved(std::move(settings.moved))
    {
    }
    Settings settings() const { return {m_hidden, m_collapsed, m_allDepths, m_pinned, m_moved}; }

    ArrangedLanes arrange(const std::vector<Lane>& lanes) const;

    bool isHidden(const LaneKey& key) const { return m_hidden.contains(key); }
    bool isCollapsed(const LaneKey& key) const { return m_collapsed.contains(key); }
    bool showsAllDepths(const LaneKey& key) const { return m_allDepths.contains(key); }
    bool isPinned(const LaneKey& key) const;
    bool hides() const { return !m_hidden.empty(); }
    /// Whether nothing is hidden, pinned, collapsed, unfolded or moved.
    bool isEmpty() const { return *this == LaneArrangement(); }

    void hide(const LaneKey& key) { m_hidden.insert(key); }
    void showAll() { m_hidden.clear(); }
    /// No effect on the ribbon, which is always visible and has one thin row.
    void setPinned(const LaneKey& key, bool pinned);
    void setCollapsed(const LaneKey& key, bool collapsed);
    /// Whether the stack of a thread shows all depths or is folded.
    void setAllDepths(const LaneKey& key, bool all);
    void reset() { *this = {}; }
    /// This arrangement with the lanes in `same` (key in the other recording -> key in this one) arranged as in
    /// `other`.
    LaneArrangement following(const LaneArrangement& other, const std::map<LaneKey, LaneKey>& same) const;
    friend bool operator==(const LaneArrangement&, const LaneArrangement&) = default;

    /// Moves a lane before or after another one of its group: the pinned lanes, the lanes of one header, or headers
    /// and lanes without one. Returns false and changes nothing if the two are of different groups.
    bool move(const std::vector<Lane>& lanes, std::size_t lane, std::size_t beside, bool behind);
    bool canMove(const std::vector<Lane>& lanes, std::size_t lane, std::size_t beside) const;
    /// Moves a lane one place up (-1) or down (1) among the shown lanes of its group. False at either end.
    bool moveBy(const std::vector<Lane>& lanes, std::size_t lane, int by);

private:
    std::vector<std::size_t> ordered(const std::vector<Lane>& lanes, std::optional<std::size_t> head,
        const std::vector<std::optional<std::size_t>>& heads) const;

    std::set<LaneKey> m_hidden, m_collapsed, m_allDepths;
    std::vector<LaneKey> m_pinned;  // from top to bottom
    // The order of lanes by header; for lanes without one, the key is the ribbon's.
    std::map<LaneKey, std::vector<LaneKey>> m_moved;
};

/// The header of a lane, for its GPU or process; nothing if it has none.
std::optional<std::size_t> headOf(const std::vector<Lane>& lanes, std::size_t lane);
/// By lane, the same of all at the cost of one.
std::vector<std::optional<std::size_t>> headsOf(const std::vector<Lane>& lanes);

}  // namespace lanes::gui
