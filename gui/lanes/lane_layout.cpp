// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_layout.h"

#include "gui/lanes/lane_kinds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace lanes::gui {

bool hasOnlyRanges(const Lane& lane)
{
    return std::all_of(
        lane.rows.begin(), lane.rows.end(), [](const LaneRow& row) { return row.kind == ItemKind::range; });
}

namespace {

constexpr double tightest_stretch = 0.3;  // only where it brings all lanes into sight
constexpr double least_stretch = 0.45;
constexpr double roomy_stretch = 0.75;  // from here on two lines of text beside every lane
constexpr double most_stretch = 2;
constexpr double least_compact_stretch = 0.85, most_compact_stretch = 3;
constexpr double least_tight_stretch = 0.6;
constexpr int compact_name = 12, compact_row = 13, compact_gap = 1;
constexpr int gap = 2;  // between rows
constexpr int compact_call = 16;  // a row of calls whose waits lie over it: their hatch is seen above and below a text
constexpr int tight_name = 11;
constexpr std::size_t whole_ranges = 3;  // rows of ranges that are always high enough for a text
constexpr int collapsed_row = 8;
constexpr double folded_row = 19;  // of a folded stack, natural height
constexpr double curve_height = 30;
constexpr int least_curve = 16;
constexpr int path_low = 13, path_line = 16;
constexpr double compact_curve = 20;
constexpr double graph_height = 66;  // of a GPU's time
constexpr int least_graph = 48;  // beside it are its name and three figures
constexpr double main_row = 54, minor_row = 30, copies_row = 16;  // of parts of streams
constexpr double main_row_more = 10;  // where the lanes have room
constexpr double beside_row = 12;  // of what seldom runs beside the rest of its lane
constexpr double most_copies = 18;  // pixels: few of them are longer than one
constexpr double mark_height = 5;  // of what is exposed
constexpr int least_mark = 3;
constexpr int most_rows_height = 132;  // of a lane with many rows, at their natural height
constexpr Ns slack_share = 100;  // of the view, by which a frame may be short of all of it
constexpr std::array path_parts {StackPart::frame, StackPart::module};  // of what may be around all of the view
constexpr int least_scrolled = 60;  // of the height that pinned lanes leave to the others

/// What is `usual` at the least stretch, and down to `tight` under it.
int atLeast(double stretch, int usual, int tight)
{
    const double share = std::clamp((stretch - tightest_stretch) / (least_stretch - tightest_stretch), 0.0, 1.0);
    return static_cast<int>(std::lround(tight + (usual - tight) * share));
}

/// Of `roomy` where the lanes have room, of `tight` where they have least.
int between(double stretch, int tight, int roomy)
{
    const double share = std::clamp((stretch - least_stretch) / (roomy_stretch - least_stretch), 0.0, 1.0);
    return static_cast<int>(std::lround(tight + (roomy - tight) * share));
}

bool hasFoldedRows(const Lane& lane)
{
    return !lane.rows.empty() && lane.rows.back().level.has_value();
}

/// Whether few things of a lane lie beside others, in rows of their own.
bool isMostlyOneRow(const Lane& lane)
{
    constexpr std::size_t few = 10;  // one in as many
    std::size_t beside = 0;
    for (std::size_t i = 1; i < lane.rows.size(); ++i) {
        beside += lane.rows[i].items.size();
    }
    return beside * few <= lane.rows.front().items.size();
}

/// Of a GPU's main lane, before it is stretched: it has what it needs before other rows grow.
double mainRow(double stretch)
{
    constexpr double soon = 0.55;  // by then
    const auto way = [stretch](double from, double to) { return std::clamp((stretch - from) / (to - from), 0.0, 1.0); };
    const double height = least_stretch * main_row + way(least_stretch, soon) * (1 - least_stretch) * main_row
        + way(soon, 1) * main_row_more;
    return height / std::clamp(stretch, least_stretch, 1.0);
}

/// Of row `index` of a lane. Ranges that lie deep inside of others are low, so that they leave room to the lanes below,
/// but those of a stack that the user unfolded.
int rowHeight(const Lane& lane, std::size_t index, double stretch)
{
    const auto high = [stretch](double natural, int least, int tightest) {
        return std::max(static_cast<int>(std::lround(natural * stretch)), atLeast(stretch, least, tightest));
    };
    const LaneRow& row = lane.rows[index];
    if (row.level) {
        return high(folded_row, 14, 12);
    }
    switch (laneKindRow(lane.key.kind).rows) {
    case LaneKindRow::Rows::ribbon:
        if (row.kind == ItemKind::band) {
            return high(6, 5, 4);
        }
        return high(14 * (stretch > 1 ? (1 + stretch) / 2 / stretch : 1), 10, 8);
    case LaneKindRow::Rows::device: {
        const std::size_t count = lane.rows.size();
        if (count == 1 && lane.key.part != StreamPart::whole) {
            return lane.key.part == StreamPart::copies ? high(std::min(copies_row, most_copies / stretch), 10, 8)
                : lane.isMain                          ? high(mainRow(stretch), 24, 14)
                                                       : high(minor_row, 16, 12);
        }
        constexpr std::size_t several = 4;
        if (lane.key.part == StreamPart::compute && count <= several && isMostlyOneRow(lane)) {
            return index > 0  ? high(beside_row, 6, 4)
                : lane.isMain ? high(mainRow(stretch), 24, 14)
                              : high(minor_row, 16, 12);
        }
        const double natural = count == 1 ? 34
            : count <= 4                  ? 20
                         : std::max(3.0, static_cast<double>(most_rows_height) / static_cast<double>(count));
        return high(natural, count == 1 ? 16 : count <= 4 ? 10 : 3, count == 1 ? 12 : count <= 4 ? 6 : 2);
    }
    case LaneKindRow::Rows::host:
    case LaneKindRow::Rows::graph:
    case LaneKindRow::Rows::none:
        break;
    }
    switch (row.kind) {
    case ItemKind::read:
        return high(14, 8, 5);
    case ItemKind::range:
        return index < whole_ranges || hasFoldedRows(lane) ? high(22, 14, index == 0 ? 12 : 6) : high(16, 6, 4);
    case ItemKind::call:
        return high(30, 16, 12);
    default:
        return high(22, 14, 12);
    }
}

bool hasGraph(const Lane& lane)
{
    return laneKindRow(lane.key.kind).rows == LaneKindRow::Rows::graph;
}

/// Of a counter's curve or the graph of a GPU's time, in a lane that is open.
int curveHeight(const Lane& lane, double stretch)
{
    const auto natural = static_cast<int>(std::lround((hasGraph(lane) ? graph_height : curve_height) * stretch));
    return std::max(natural, hasGraph(lane) ? least_graph : least_curve);
}

/// The levels that a part of a stack has.
std::size_t levelsOf(const Lane& lane, StackPart part)
{
    return static_cast<std::size_t>(std::count_if(lane.rows.begin(), lane.rows.end(),
        [part](const LaneRow& row) { return row.level && row.level->part == part; }));
}

/// The row of a level of a part, by its place in the lane.
std::size_t rowOf(const Lane& lane, StackPart part, std::size_t level)
{
    const auto at = std::find_if(lane.rows.begin(), lane.rows.end(), [&](const LaneRow& row) {
        return row.level && *row.level == StackLevel {part, static_cast<std::uint16_t>(level)};
    });
    return static_cast<std::size_t>(at - lane.rows.begin());
}

/// The outermost frames or ranges, the module, the outer and the inner operator, where Python was by samples: as many
/// as there are, most_stack_rows in all. Their places in `rows` are counted from 0.
std::vector<PlacedLane::LevelRow> levelRowsOf(const Lane& lane)
{
    const std::size_t operators = std::min<std::size_t>(levelsOf(lane, StackPart::torchOperator), 2);
    const std::size_t modules = std::min<std::size_t>(levelsOf(lane, StackPart::module), 1);
    const std::size_t samples = std::min<std::size_t>(levelsOf(lane, StackPart::sampled), 1);
    const std::size_t frames
        = std::min(levelsOf(lane, StackPart::frame), most_stack_rows - operators - modules - samples);
    std::vector<PlacedLane::LevelRow> levelRows;
    for (const auto& [part, count] : {std::pair(StackPart::frame, frames), std::pair(StackPart::module, modules),
             std::pair(StackPart::torchOperator, operators), std::pair(StackPart::sampled, samples)}) {
        for (std::size_t below = 0; below < count; ++below) {
            levelRows.push_back({levelRows.size(), part, below});
        }
    }
    return levelRows;
}

/// Whether some frame or module may be without a row.
bool canHavePath(const Lane& lane)
{
    const auto rows = levelRowsOf(lane);
    return std::any_of(path_parts.begin(), path_parts.end(), [&](StackPart part) {
        return levelsOf(lane, part) > static_cast<std::size_t>(std::count_if(
                   rows.begin(), rows.end(), [part](const PlacedLane::LevelRow& each) { return each.part == part; }));
    });
}

/// The rows that a collapsed lane shows over one another: of a thread what it called and waited for, if anything.
std::vector<std::size_t> collapsedRows(const Lane& lane)
{
    std::vector<std::size_t> rows;
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < lane.rows.size() && !lane.rows[i].level && !hasGraph(lane); ++i) {
        const ItemKind kind = lane.rows[i].kind;
        (kind == ItemKind::call || kind == ItemKind::blocked ? rows : others).push_back(i);
    }
    return rows.empty() ? others : rows;
}

double leastOf(LaneDensity density)
{
    switch (density) {
    case LaneDensity::compact:
        return least_compact_stretch;
    case LaneDensity::tight:
        return least_tight_stretch;
    case LaneDensity::roomy:
        break;
    }
    return least_stretch;
}

/// Places the rows of one lane in a compact layout, from the top down.
class CompactRows {
public:
    CompactRows(PlacedLane& placed, int top, double stretch)
        : m_placed(placed)
        , m_at(top)
        , m_stretch(stretch)
    {
    }

    int bottom() const { return m_at; }

    /// A thread does one thing after another, so that calls, waits and reads have room in one row.
    void addHost(const Lane& lane)
    {
        const bool onlyRanges = hasOnlyRanges(lane);
        const bool folded = hasFoldedRows(lane);
        if (onlyRanges && folded) {
            m_placed.levelRows = levelRowsOf(lane);
            for (const PlacedLane::LevelRow& each : m_placed.levelRows) {
                add(m_placed.lane, rowOf(lane, each.part, each.below), high(compact_row), false);
            }
            return;
        }
        for (std::size_t i = 0; i < lane.rows.size(); ++i) {
            const ItemKind kind = lane.rows[i].kind;
            if (onlyRanges || kind != ItemKind::range) {
                add(m_placed.lane, i, high(onlyRanges ? compact_row : compact_call), !onlyRanges);
            }
        }
    }

    void addOverlap(const Lane& lane)
    {
        for (std::size_t i = 0; i < lane.rows.size(); ++i) {
            const bool band = lane.rows[i].kind == ItemKind::band;
            add(m_placed.lane, i, band ? std::max(high(4), 4) : high(9), lane.rows[i].overlay);
        }
    }

    /// All rows of folded lanes over one another, and the lane's own.
    void addDevice(const std::vector<Lane>& lanes, const ArrangedLane& shown)
    {
        for (const std::size_t folded : shown.folded) {
            for (std::size_t i = 0; i < lanes[folded].rows.size() && !hasGraph(lanes[folded]); ++i) {
                add(folded, i, high(compact_row), true);
            }
        }
        const Lane& lane = lanes[shown.lane];
        const double natural = lane.rows.size() <= 1
            ? compact_row
            : std::max(2.0, 2.0 * compact_row / static_cast<double>(lane.rows.size()));
        for (std::size_t i = 0; i < lane.rows.size() && lane.key.kind != LaneKind::gpu && !hasGraph(lane); ++i) {
            add(shown.lane, i, high(natural), lane.rows[i].overlay);
        }
        if (lane.marksExposed) {
            m_placed.markY = m_at;
            m_placed.markHeight = least_mark;
            m_at += least_mark;
        }
    }

    void addCurve()
    {
        m_placed.curveY = m_at;
        m_placed.curveHeight = high(compact_curve);
        m_at += m_placed.curveHeight;
    }

    /// Ends no higher than there, with what is missing above and below the rows.
    void centreIn(int bottom)
    {
        const int missing = std::max(0, bottom - m_at);
        for (PlacedRow& row : m_placed.rows) {
            row.y += missing / 2;
        }
        m_placed.curveY += missing / 2;
        m_placed.markY += missing / 2;
        m_at += missing;
    }

private:
    int high(double natural) const { return static_cast<int>(std::lround(natural * m_stretch)); }

    /// `over`: drawn over the row before, where there is one.
    void add(std::size_t of, std::size_t row, int height, bool over)
    {
        if (over && !m_placed.rows.empty()) {
            PlacedRow upper = m_placed.rows.back();
            upper.lane = of;
            upper.row = row;
            upper.over = true;
            m_placed.rows.push_back(upper);
            return;
        }
        m_at += m_placed.rows.empty() ? 0 : 1;
        m_placed.rows.push_back({of, row, m_at, height, false});
        m_at += height;
    }

    PlacedLane& m_placed;
    int m_at;
    double m_stretch;
};

}  // namespace

LaneLayout::LaneLayout(
    const std::vector<Lane>& lanes, const ArrangedLanes& arranged, int availableHeight, LaneDensity density)
{
    const bool compact = density != LaneDensity::roomy;
    const auto stretched = [&](double stretch) {
        compact ? placeCompact(lanes, arranged, stretch, density) : place(lanes, arranged, stretch);
    };
    const auto stretchBetween = [&](double low, double high, const auto& height) {
        for (int i = 0; i < 8; ++i) {
            const double middle = (low + high) / 2;
            stretched(middle);
            (height() <= availableHeight ? low : high) = middle;
        }
        stretched(low);
    };
    const double least = leastOf(density);
    const auto needed = [this] { return m_hidden == 0 ? lanesHeight() : m_height; };  // an empty margin gives way
    stretched(least);
    if (m_height < availableHeight) {
        stretchBetween(least, compact ? most_compact_stretch : most_stretch, [this] { return m_height; });
    } else if (!compact && needed() > availableHeight) {
        stretched(tightest_stretch);
        if (needed() <= availableHeight) {
            stretchBetween(tightest_stretch, least_stretch, needed);
        } else {
            stretched(least);
        }
    }
    if (m_hidden == 0 && m_height > availableHeight && lanesHeight() <= availableHeight) {
        m_footer = availableHeight - lanesHeight();  // nothing scrolls for an empty margin
        m_height = availableHeight;
    }
    if (m_sticky + least_scrolled > availableHeight && m_height > availableHeight) {
        m_sticky = 0;
    }
}

/// In one row: of a header the rows of its lanes. Returns where they end.
static int placeCollapsed(const std::vector<Lane>& lanes, const ArrangedLane& shown, int at, PlacedLane& placed)
{
    const auto add = [&](std::size_t of) {
        for (const std::size_t row : collapsedRows(lanes[of])) {
            placed.rows.push_back({of, row, at, collapsed_row, !placed.rows.empty()});
        }
    };
    if (!isHeader(lanes[shown.lane].key)) {
        add(shown.lane);
    }
    for (const std::size_t folded : shown.folded) {
        add(folded);
    }
    return at + collapsed_row;
}

/// One under the other, those of a stack after its path. Returns where they end.
static int placeRows(const Lane& lane, const ArrangedLane& shown, int at, double stretch, PlacedLane& placed)
{
    const bool folded = hasFoldedRows(lane) && !shown.allDepths;
    std::vector<std::size_t> rows;
    placed.isStack = hasFoldedRows(lane);
    placed.allDepths = placed.isStack && shown.allDepths;
    placed.pathY = at;
    if (placed.allDepths || (folded && canHavePath(lane))) {
        placed.pathHeight = between(stretch, path_low, path_line);
        at += placed.pathHeight;
    }
    if (folded) {
        placed.levelRows = levelRowsOf(lane);
        for (const PlacedLane::LevelRow& each : placed.levelRows) {
            rows.push_back(rowOf(lane, each.part, each.below));
        }
    }
    for (std::size_t i = 0; i < lane.rows.size() && !hasGraph(lane); ++i) {
        if (!lane.rows[i].level && LaneLayout::shows(lane, lane.rows[i], folded)) {
            rows.push_back(i);
        }
    }
    for (const std::size_t i : rows) {
        if (lane.rows[i].overlay && !placed.rows.empty()) {
            placed.rows.push_back(placed.rows.back());
            placed.rows.back().row = i;
            placed.rows.back().over = true;
            continue;
        }
        const int height = rowHeight(lane, i, stretch);
        at += placed.rows.empty() ? 0 : std::min(gap, std::max(height / 4, 1));
        placed.rows.push_back({shown.lane, i, at, height, false});
        at += height;
    }
    return at;
}

void LaneLayout::place(const std::vector<Lane>& lanes, const ArrangedLanes& arranged, double stretch)
{
    m_lanes.clear();
    m_hidden = arranged.hidden;
    m_footer = between(stretch, 20, 26);
    m_sticky = 0;
    int y = 0;
    for (const ArrangedLane& shown : arranged.lanes) {
        const Lane& lane = lanes[shown.lane];
        const bool collapsed = shown.collapsed;
        PlacedLane placed {shown.lane, y, 0, shown.pinned, collapsed, {}};
        const int padding = collapsed || isHeader(lane.key) ? between(stretch, atLeast(stretch, 5, 4), 7)
                                                            : between(stretch, atLeast(stretch, 2, 1), 4);
        int at = y + padding;
        at = collapsed ? placeCollapsed(lanes, shown, at, placed) : placeRows(lane, shown, at, stretch, placed);
        if (lane.marksExposed && !collapsed) {
            placed.markY = at;
            placed.markHeight = std::clamp(static_cast<int>(std::lround(mark_height * stretch)), least_mark, 6);
            at += placed.markHeight;
        }
        if (lane.curve || hasGraph(lane)) {
            placed.curveY = at;
            placed.curveHeight = collapsed ? collapsed_row : curveHeight(lane, stretch);
            at = placed.curveY + placed.curveHeight;
        }
        placed.height = at + padding - y;
        int least = 0;
        if (isHeader(lane.key)) {
            least = between(stretch, atLeast(stretch, 20, 16), 26);
        } else if (collapsed) {
            least = between(stretch, atLeast(stretch, 18, 16), 22);
        } else if (lane.key.kind != LaneKind::overlap) {
            const bool isLow = lane.key.part == StreamPart::copies;  // its stream is named beside it
            least = between(stretch, atLeast(stretch, 20, 16), isLow ? 24 : 36);
        }
        const int missing = std::max(0, least - placed.height);
        for (PlacedRow& row : placed.rows) {
            row.y += missing / 2;
        }
        placed.curveY += missing / 2;
        placed.markY += missing / 2;
        placed.pathY += missing / 2;
        placed.height += missing;
        y += placed.height;
        if (shown.pinned) {
            m_sticky = y;
        }
        m_lanes.push_back(std::move(placed));
    }
    m_height = y + m_footer;
}

void LaneLayout::placeCompact(
    const std::vector<Lane>& lanes, const ArrangedLanes& arranged, double stretch, LaneDensity density)
{
    const bool tight = density == LaneDensity::tight;
    m_lanes.clear();
    m_hidden = arranged.hidden;
    m_footer = 0;
    m_sticky = 0;
    int y = 0;
    for (const ArrangedLane& shown : arranged.lanes) {
        const Lane& lane = lanes[shown.lane];
        PlacedLane placed {shown.lane, y, 0, shown.pinned, shown.collapsed, {}};
        const bool named = lane.key.kind != LaneKind::overlap;
        placed.name = named && !tight ? compact_name : 0;
        CompactRows rows(placed, y + placed.name, stretch);
        if (laneKindRow(lane.key.kind).rows == LaneKindRow::Rows::host) {
            rows.addHost(lane);
        } else if (lane.key.kind == LaneKind::overlap) {
            rows.addOverlap(lane);
        } else {
            rows.addDevice(lanes, shown);
        }
        if (lane.curve || hasGraph(lane)) {
            rows.addCurve();
        }
        if (placed.rows.empty() && placed.curveHeight == 0) {
            continue;  // a GPU's header: its streams say where they are
        }
        if (tight && named) {
            rows.centreIn(y + tight_name);
        }
        placed.height = rows.bottom() + compact_gap - y;
        y += placed.height;
        if (shown.pinned) {
            m_sticky = y;
        }
        m_lanes.push_back(std::move(placed));
    }
    m_height = y;
}

int LaneLayout::heightOf(
    const std::vector<Lane>& lanes, const ArrangedLanes& arranged, double stretch, LaneDensity density)
{
    LaneLayout layout;
    density == LaneDensity::roomy ? layout.place(lanes, arranged, stretch)
                                  : layout.placeCompact(lanes, arranged, stretch, density);
    return layout.height();
}

int LaneLayout::tightestHeight(const std::vector<Lane>& lanes, const ArrangedLanes& arranged, LaneDensity density)
{
    LaneLayout layout;
    density == LaneDensity::roomy ? layout.place(lanes, arranged, tightest_stretch)
                                  : layout.placeCompact(lanes, arranged, leastOf(density), density);
    return layout.m_hidden == 0 ? layout.lanesHeight() : layout.height();
}

LaneLayout::Window LaneLayout::wholeLanes(Window seen) const
{
    if (m_height <= seen.height) {
        return seen;
    }
    const int top = seen.scroll + m_sticky, bottom = seen.scroll + seen.height;
    const PlacedLane *first = nullptr, *last = nullptr;
    for (const PlacedLane& lane : m_lanes) {
        const int inSight = std::min(bottom, lane.y + lane.height) - std::max(top, lane.y);
        const bool fills = inSight == bottom - top;
        if (lane.y + lane.height > m_sticky && inSight > 0 && (fills || inSight * 2 >= lane.height)) {
            first = first == nullptr ? &lane : first;
            last = &lane;
        }
    }
    if (first == nullptr) {
        return seen;
    }
    const int scroll = first->y - m_sticky;
    return {scroll, (last == &m_lanes.back() ? m_height : last->y + last->height) - scroll};
}

int LaneLayout::laneAt(int y) const
{
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        if (y >= m_lanes[i].y && y < m_lanes[i].y + m_lanes[i].height) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

int LaneLayout::rowAt(int lane, int y) const
{
    const auto& rows = m_lanes[static_cast<std::size_t>(lane)].rows;
    for (int i = static_cast<int>(rows.size()) - 1; i >= 0; --i) {
        const PlacedRow& row = rows[static_cast<std::size_t>(i)];
        if (y >= row.y && y < row.y + row.height) {
            return i;
        }
    }
    return -1;
}

bool LaneLayout::shows(const Lane& lane, const LaneRow& row, bool folded)
{
    return row.kind != ItemKind::range || row.level.has_value() == (folded && hasFoldedRows(lane));
}

void LaneLayout::lookAt(const std::vector<Lane>& lanes, Interval view)
{
    for (PlacedLane& placed : m_lanes) {
        placed.path.clear();
        if (placed.levelRows.empty()) {
            continue;
        }
        const Lane& lane = lanes[placed.lane];
        // A frame that begins and ends with what was recorded of the thread is around what is beyond that, too.
        Interval seen {std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
        for (const LaneRow& row : lane.rows) {
            if (row.level && row.items.size() > 0) {
                seen.start = std::min(seen.start, row.items.start(0));
                seen.end = std::max(seen.end, row.items.end(row.items.size() - 1));
            }
        }
        seen = {std::max(seen.start, view.start), std::min(seen.end, view.end)};
        const Ns slack = std::max<Ns>(seen.end - seen.start, 0) / slack_share;
        const auto around = [&](const LaneRow& row) {
            const std::size_t i = row.items.firstEndingAfter(seen.start + slack);
            const bool is = i < row.items.size() && row.items.start(i) <= seen.start + slack
                && row.items.end(i) >= seen.end - slack;
            return is ? std::optional(i) : std::nullopt;
        };
        std::vector<std::tuple<Ns, Ns, ItemRef>> path;  // start, end backwards
        for (const StackPart part : path_parts) {
            const std::size_t levels = levelsOf(lane, part);
            const auto own = static_cast<std::size_t>(std::count_if(placed.levelRows.begin(), placed.levelRows.end(),
                [part](const PlacedLane::LevelRow& each) { return each.part == part; }));
            const std::size_t most = levels > own ? levels - own : 0;
            // A level that is around all may lie below one that is not: a step of PyTorch's profiler begins in a frame
            // and outlasts it. What the upper one has is short.
            std::size_t first = 0;
            for (std::size_t level = 0; level < levels; ++level) {
                first = around(lane.rows[rowOf(lane, part, level)]) ? std::min(level + 1, most) : first;
            }
            for (std::size_t level = 0; level < first; ++level) {
                const LaneRow& row = lane.rows[rowOf(lane, part, level)];
                if (const auto item = around(row)) {
                    path.emplace_back(row.items.start(*item), -row.items.end(*item), row.itemAt(*item));
                }
            }
            for (const PlacedLane::LevelRow& each : placed.levelRows) {
                if (each.part == part) {
                    placed.rows[each.row].row = rowOf(lane, part, first + each.below);
                }
            }
        }
        std::stable_sort(path.begin(), path.end(), [](const auto& a, const auto& b) {
            return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
        });
        for (const auto& [start, end, item] : path) {
            placed.path.push_back(item);
        }
    }
}

const PlacedLane* LaneLayout::pathAt(int y) const
{
    const int at = laneAt(y);
    const PlacedLane* lane = at < 0 ? nullptr : &m_lanes[static_cast<std::size_t>(at)];
    return lane != nullptr && y >= lane->pathY && y < lane->pathY + lane->pathHeight ? lane : nullptr;
}

std::optional<LaneLayout::RowPlace> LaneLayout::find(const LaneModel& model, ItemRef item) const
{
    if (!isEventOrPart(item.kind)) {
        return {};
    }
    const Ns start = spanOf(model.recording(), item).start;
    for (const PlacedLane& placed : m_lanes) {
        for (const PlacedRow& at : placed.rows) {
            if (model.lanes()[at.lane].rows[at.row].find(item, start)) {
                return RowPlace {&placed, &at};
            }
        }
    }
    return {};
}

const PlacedLane* LaneLayout::find(std::size_t lane) const
{
    const auto found = std::find_if(
        m_lanes.begin(), m_lanes.end(), [lane](const PlacedLane& placed) { return placed.lane == lane; });
    return found == m_lanes.end() ? nullptr : &*found;
}

std::optional<LaneLayout::RowPlace> LaneLayout::find(std::size_t lane, std::size_t row) const
{
    for (const PlacedLane& placed : m_lanes) {
        for (const PlacedRow& at : placed.rows) {
            if (at.lane == lane && at.row == row) {
                return RowPlace {&placed, &at};
            }
        }
    }
    return {};
}

}  // namespace lanes::gui
