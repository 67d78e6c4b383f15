// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_pairs.h"

#include "gui/lanes/lane_arrangement.h"
#include "gui/lanes/lane_kinds.h"

#include <algorithm>

namespace lanes::gui {

namespace {

/// "" where it has none.
std::string_view nameOf(const LaneModel& model, std::size_t lane)
{
    const Lane& of = model.lanes()[lane];
    return laneKindRow(of.key.kind).name(model.trace(), of.row);
}

/// The lanes of a header, or those without one.
std::vector<std::size_t> under(const LaneModel& model, std::optional<std::size_t> head)
{
    std::vector<std::size_t> lanes;
    const auto heads = headsOf(model.lanes());
    for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
        if (heads[lane] == head) {
            lanes.push_back(lane);
        }
    }
    return lanes;
}

class Pairing {
public:
    Pairing(const LaneModel& from, const LaneModel& to)
        : m_from(from)
        , m_to(to)
    {
        pair({}, {});
        pairs.emplace(LaneKey {}, LaneKey {});  // the order of those without a header, ribbon or not
    }
    std::map<LaneKey, LaneKey> pairs;

private:
    const LaneKey& keyOf(std::size_t lane) const { return m_from.lanes()[lane].key; }
    const LaneKey& otherKey(std::size_t lane) const { return m_to.lanes()[lane].key; }

    void pair(std::optional<std::size_t> fromHead, std::optional<std::size_t> toHead)
    {
        std::vector<std::size_t> rest = under(m_from, fromHead);
        std::vector<std::size_t> others = under(m_to, toHead);
        const auto match = [&](auto alike) {
            std::erase_if(rest, [&](std::size_t lane) {
                const auto found = std::find_if(others.begin(), others.end(), [&](std::size_t other) {
                    return keyOf(lane).kind == otherKey(other).kind && keyOf(lane).part == otherKey(other).part
                        && isOverStreams(keyOf(lane)) == isOverStreams(otherKey(other)) && alike(lane, other);
                });
                if (found == others.end()) {
                    return false;
                }
                const std::size_t other = *found;
                others.erase(found);
                pairs.emplace(keyOf(lane), otherKey(other));
                if (isHeader(keyOf(lane))) {
                    pair(lane, other);
                }
                return true;
            });
        };
        match([&](std::size_t lane, std::size_t other) {
            return keyOf(lane).kind == LaneKind::engine
                ? keyOf(lane).id == otherKey(other).id
                : !nameOf(m_from, lane).empty() && nameOf(m_from, lane) == nameOf(m_to, other);
        });
        match([&](std::size_t lane, std::size_t) { return keyOf(lane).kind != LaneKind::engine; });
    }

    const LaneModel& m_from;
    const LaneModel& m_to;
};

}  // namespace

std::map<LaneKey, LaneKey> lanePairs(const LaneModel& from, const LaneModel& to)
{
    return Pairing(from, to).pairs;
}

}  // namespace lanes::gui
