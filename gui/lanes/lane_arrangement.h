// SPDX-License-Identifier: MIT
// Which lanes of a recording are shown, in what order and how: what a user has
// hidden, pinned, collapsed and moved, by the lanes' keys. It knows nothing of
// pixels, and nothing of a recording but its list of lanes.
//
// Lanes are a tree of two levels: a GPU's streams or engines belong to its header, as a
// process's threads do where there are several, and move, hide and pin with it; they change places among themselves
// alone. The overlap
// ribbon is always the first lane and stays in sight with the pinned ones.
// Cost: a few comparisons a lane and change; lanes are dozens, not millions.
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
};

struct ArrangedLanes {
    std::vector<ArrangedLane> lanes;  ///< top to bottom, the pinned ones first
    std::size_t hidden = 0;  ///< that the user hid; a header counts as its lanes
};

class LaneArrangement {
public:
    ArrangedLanes arrange(const std::vector<Lane>& lanes) const;

    bool isHidden(const LaneKey& key) const { return m_hidden.contains(key); }
    bool isCollapsed(const LaneKey& key) const { return m_collapsed.contains(key); }
    bool isPinned(const LaneKey& key) const;
    bool hides() const { return !m_hidden.empty(); }
    /// Nothing was hidden, pinned, collapsed or moved.
    bool isEmpty() const { return m_hidden.empty() && m_collapsed.empty() && m_pinned.empty() && m_moved.empty(); }

    void hide(const LaneKey& key) { m_hidden.insert(key); }
    void showAll() { m_hidden.clear(); }
    /// The ribbon is neither pinned nor collapsed: it always stays, and is one thin row.
    void setPinned(const LaneKey& key, bool pinned);
    void setCollapsed(const LaneKey& key, bool collapsed);
    void reset() { *this = {}; }
    /// What `other` is of another recording's lanes, for those that `same` leads to lanes of this one; what this one
    /// says of all others stays.
    LaneArrangement following(const LaneArrangement& other, const std::map<LaneKey, LaneKey>& same) const;
    friend bool operator==(const LaneArrangement&, const LaneArrangement&) = default;

    /// Puts a lane before or behind another one: among the pinned ones if both are pinned, else among those of its
    /// header or among headers and threads without one. False, and nothing changes, if the two are not of one such
    /// group.
    bool move(const std::vector<Lane>& lanes, std::size_t lane, std::size_t beside, bool behind);
    bool canMove(const std::vector<Lane>& lanes, std::size_t lane, std::size_t beside) const;
    /// One place up (-1) or down (1) among the shown ones of its group. False at either end.
    bool moveBy(const std::vector<Lane>& lanes, std::size_t lane, int by);

private:
    std::vector<std::size_t> ordered(const std::vector<Lane>& lanes, std::optional<std::size_t> head) const;

    std::set<LaneKey> m_hidden, m_collapsed;
    std::vector<LaneKey> m_pinned;  // in the order in which they stand
    std::map<LaneKey, std::vector<LaneKey>>
        m_moved;  // the order of a header's lanes; of those without one: under the ribbon's key
};

/// The GPU or the process that a lane belongs to: the header before it; nothing for the others.
std::optional<std::size_t> headOf(const std::vector<Lane>& lanes, std::size_t lane);

}  // namespace lanes::gui
