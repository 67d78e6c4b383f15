// SPDX-License-Identifier: MIT
#include "gui/paint/over/path_painter.h"

#include "engine/trace/event.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <QPainter>

namespace lanes::gui {

namespace {

constexpr std::size_t most_others = 8;  // in a column, until the rest is taken to be like them
constexpr int veil_alpha = 150, dark_veil_alpha = 115;
constexpr double line_width = 3, low_line_width = 2;  // of the path along what is on it; in low rows
constexpr int low_row = 20;
constexpr double thin_line = 1.6;  // of steps, and where nothing is recorded
constexpr double least_path_outline = 5;  // logical pixels
constexpr std::size_t most_steps = 1'000;  // in sight: beyond them steps from lane to lane are a block of colour

/// Consecutive columns of one row in which there is something of the path.
struct Run {
    const PlacedRow* row;
    double from, to;  ///< logical x
    PathPart::Kind kind;
    bool outlined;
};

/// Whether a thread's lane has nothing to show for a part: it was in no call, or the recording does not say where.
bool isGap(PathPart::Kind kind)
{
    return kind == PathPart::between || kind == PathPart::inferred || kind == PathPart::unknown;
}

class PathPainter {
public:
    PathPainter(const TimelineFrame& frame, const ShownPath& path, QPainter& painter, const std::vector<QRectF>& texts)
        : m_frame(frame)
        , m_path(path)
        , m_painter(painter)
        , m_texts(texts)
        , m_left(frame.geometry.labelWidth)
        , m_right(frame.geometry.size.width())
    {
    }
    void paint()
    {
        for (const PlacedLane& lane : m_frame.layout.lanes()) {
            const bool isRibbon = m_frame.model.lanes()[lane.lane].key.kind == LaneKind::overlap;
            if (!isRibbon && topOf(lane) < bottomOf(lane)) {
                paintLane(lane);
            }
        }
        paintSteps();
    }

private:
    double topOf(const PlacedLane& lane) const
    {
        const int seen = m_frame.isSticky(lane) ? m_frame.geometry.lanesTop() : m_frame.scrollTop();
        return std::max(m_frame.yOf(lane), seen);
    }
    double bottomOf(const PlacedLane& lane) const
    {
        return std::min(m_frame.yOf(lane) + lane.height, m_frame.geometry.size.height());
    }
    /// Where the line runs along a row.
    double footOf(const PlacedLane& lane, const PlacedRow& row) const
    {
        return m_frame.yOf(lane, row) + row.height - lineOf(row) / 2;
    }
    static double lineOf(const PlacedRow& row) { return row.height < low_row ? low_line_width : line_width; }

    bool isOn(const PathTrack& track, const Lane& lane) const;
    const PlacedRow* rowOf(const PlacedLane& lane, std::size_t model, const PathPart& part) const;
    void paintLane(const PlacedLane& lane);
    void findRuns(const PlacedLane& lane, std::size_t model, const PathTrack& track, std::vector<Run>& runs) const;
    void paintVeil(const PlacedLane& lane, const std::vector<Run>& runs);
    void veilTexts(double top, double bottom, std::vector<std::pair<double, double>>& spans);
    void paintRun(const PlacedLane& lane, const Run& run);
    void paintSteps();
    std::optional<std::pair<const PlacedLane*, const PlacedRow*>> placeOf(const PathPart& part) const;
    void fill(double x0, double y0, double x1, double y1, const PlacedLane& lane, const QColor& color)
    {
        x0 = std::max(x0, m_left);
        x1 = std::min(x1, m_right);
        y0 = std::max(y0, topOf(lane));
        y1 = std::min(y1, bottomOf(lane));
        if (x1 > x0 && y1 > y0) {
            m_painter.fillRect(QRectF(QPointF(x0, y0), QPointF(x1, y1)), color);
        }
    }

    const TimelineFrame& m_frame;
    const ShownPath& m_path;
    QPainter& m_painter;
    const std::vector<QRectF>& m_texts;
    std::vector<QRectF> m_veiledTexts;  // of the lane that is painted, on the path in part
    double m_left, m_right;
};

bool PathPainter::isOn(const PathTrack& track, const Lane& lane) const
{
    if (lane.key.kind == LaneKind::engine) {
        return track.isStream && static_cast<std::uint32_t>(track.engine) == lane.key.id
            && std::find(lane.streams.begin(), lane.streams.end(), track.of) != lane.streams.end();
    }
    return track.isStream ? lane.key.kind == LaneKind::stream && lane.row == track.of
                          : lane.key.kind == LaneKind::thread && lane.row == track.of;
}

/// The row of a lane that a part lies on; null where it is filtered out or not drawn.
const PlacedRow* PathPainter::rowOf(const PlacedLane& lane, std::size_t model, const PathPart& part) const
{
    const auto& rows = m_frame.model.lanes()[model].rows;
    const bool isNothing = part.kind == PathPart::between || part.kind == PathPart::inferred;
    const ItemKind kind = isNothing ? ItemKind::call : ItemRef(part.event).kind;
    for (const PlacedRow& placed : lane.rows) {
        if (placed.lane != model || rows[placed.row].kind != kind) {
            continue;
        }
        if (isNothing) {
            return &placed;
        }
        const RowItems& items = rows[placed.row].items;
        const std::size_t at = items.firstStartingAt(span_of(m_path.trace(), part.event).start);
        if (at < items.size() && items.place(at) == part.event.row) {
            return &placed;
        }
    }
    return nullptr;
}

void PathPainter::findRuns(
    const PlacedLane& lane, std::size_t model, const PathTrack& track, std::vector<Run>& runs) const
{
    const TimeScale& scale = m_frame.scale;
    const Ns end = scale.timeAt(m_frame.columns());
    const auto& parts = m_path.parts();
    const auto column = [&](Ns time) { return scale.columnOf(time) - scale.first(); };
    const auto xOf = [&](std::int64_t at) { return m_left + static_cast<double>(at) / m_frame.ratio; };
    auto at = std::partition_point(track.parts.begin(), track.parts.end(),
        [&](std::uint32_t part) { return parts[part].span.end <= scale.timeAt(0); });
    std::size_t others = 0;  // parts of a column that lie on other lanes of the track
    while (at != track.parts.end() && parts[*at].span.start < end) {
        const PathPart& part = parts[*at];
        const PlacedRow* row = rowOf(lane, model, part);
        const std::int64_t first = std::max<std::int64_t>(column(part.span.start), -10);
        const std::int64_t last = std::min<std::int64_t>(column(part.span.end), m_frame.columns() + 10);
        if (row != nullptr) {
            const double from = xOf(first);
            const double to = std::max(xOf(last), from + 1);
            const bool outlined = to - from >= least_path_outline;
            Run* before = runs.empty() ? nullptr : &runs.back();
            if (before != nullptr && !outlined && !before->outlined && before->row == row && before->to >= from
                && isGap(before->kind) == isGap(part.kind)) {
                before->to = std::max(before->to, to);
            } else {
                runs.push_back({row, from, to, part.kind, outlined && !isGap(part.kind)});
            }
        }
        ++at;
        others = last > first || row != nullptr ? 0 : others + 1;
        if (last <= first && (row != nullptr || others >= most_others)) {  // what else begins in it is as narrow as it
            others = 0;
            const Ns next = scale.startOf(scale.first() + first + 1);
            at = std::partition_point(
                at, track.parts.end(), [&](std::uint32_t i) { return parts[i].span.end <= next; });
        }
    }
}

void PathPainter::paintLane(const PlacedLane& lane)
{
    std::vector<Run> runs;
    for (std::size_t i = 0; i < lane.rows.size(); ++i) {
        const std::size_t model = lane.rows[i].lane;
        const bool isLooked = std::any_of(lane.rows.begin(), lane.rows.begin() + static_cast<std::ptrdiff_t>(i),
            [model](const PlacedRow& row) { return row.lane == model; });
        for (const PathTrack& track : m_path.tracks()) {
            if (!isLooked && isOn(track, m_frame.model.lanes()[model])) {
                findRuns(lane, model, track, runs);
            }
        }
    }
    paintVeil(lane, runs);
    for (const Run& run : runs) {
        paintRun(lane, run);
    }
}

/// Over what of a lane's rows is not on the path.
void PathPainter::paintVeil(const PlacedLane& lane, const std::vector<Run>& runs)
{
    QColor veil = m_frame.theme.background;
    veil.setAlpha(m_frame.theme.isDark() ? dark_veil_alpha : veil_alpha);
    std::map<int, std::pair<int, std::vector<std::pair<double, double>>>> places;  // by y: what lies over one another
    for (const PlacedRow& row : lane.rows) {
        places[row.y].first = std::max(places[row.y].first, row.height);
    }
    for (const Run& run : runs) {
        if (!isGap(run.kind)) {
            places[run.row->y].second.emplace_back(run.from, run.to);
        }
    }
    m_veiledTexts.clear();
    for (auto& [y, place] : places) {
        auto& [height, spans] = place;
        std::sort(spans.begin(), spans.end());
        const double top = m_frame.yOf(lane) + y - lane.y;
        veilTexts(top, top + height, spans);
        double x = m_left;
        for (const auto& [from, to] : spans) {
            fill(x, top, from, top + height, lane, veil);
            x = std::max(x, to);
        }
        fill(x, top, m_right, top + height, lane, veil);
    }
}

/// Cuts out of a row's sorted spans, which stay clear, what lies under a text that they cover in part.
void PathPainter::veilTexts(double top, double bottom, std::vector<std::pair<double, double>>& spans)
{
    for (const QRectF& text : m_texts) {
        const auto isUnder = [&](const auto& span) { return span.first < text.right() && span.second > text.left(); };
        const bool isHere = text.center().y() > top && text.center().y() < bottom;
        if (!isHere || std::none_of(spans.begin(), spans.end(), isUnder)
            || std::any_of(spans.begin(), spans.end(),
                [&](const auto& span) { return span.first <= text.left() && span.second >= text.right(); })) {
            continue;
        }
        m_veiledTexts.push_back(text);
        std::vector<std::pair<double, double>> left;
        for (const auto& span : spans) {
            if (!isUnder(span)) {
                left.push_back(span);
                continue;
            }
            if (span.first < text.left()) {
                left.emplace_back(span.first, text.left());
            }
            if (span.second > text.right()) {
                left.emplace_back(text.right(), span.second);
            }
        }
        spans = std::move(left);
    }
}

void PathPainter::paintRun(const PlacedLane& lane, const Run& run)
{
    const Theme& theme = m_frame.theme;
    const double top = m_frame.yOf(lane, *run.row);
    const double bottom = top + run.row->height;
    const double line = lineOf(*run.row);
    if (isGap(run.kind)) {
        const double middle = footOf(lane, *run.row);
        const double dash = run.kind == PathPart::unknown ? 2 : 6;
        for (double x = std::max(run.from, m_left - std::fmod(m_left - run.from, 2 * dash));
             x < std::min(run.to, m_right); x += 2 * dash) {
            fill(x, middle - thin_line / 2, std::min(x + dash, run.to), middle + thin_line / 2, lane, theme.text);
        }
        return;
    }
    if (run.row->height >= 10) {
        fill(run.from, bottom - line - 1, run.to, bottom - line, lane, theme.background);
    }
    fill(run.from, bottom - line, run.to, bottom, lane, theme.text);
    if (run.outlined) {
        const auto upright = [&](double x) {
            const bool isOnText = std::any_of(m_veiledTexts.begin(), m_veiledTexts.end(), [&](const QRectF& text) {
                return x + 1 > text.left() && x < text.right() && text.center().y() > top && text.center().y() < bottom;
            });
            fill(x, isOnText ? bottom - line : top, x + 1, bottom, lane, theme.text);
        };
        fill(run.from, top, run.to, top + 1, lane, theme.text);
        upright(run.from);
        upright(run.to - 1);
    }
}

std::optional<std::pair<const PlacedLane*, const PlacedRow*>> PathPainter::placeOf(const PathPart& part) const
{
    for (const PlacedLane& lane : m_frame.layout.lanes()) {
        for (const PlacedRow& row : lane.rows) {
            const Lane& model = m_frame.model.lanes()[row.lane];
            const bool isStream = part.kind == PathPart::operation;
            const bool isThis = isStream ? model.key.kind == LaneKind::engine
                    || (model.key.kind == LaneKind::stream
                        && model.row == m_path.trace().operations.stream[part.event.row])
                                         : model.key.kind == LaneKind::thread && model.row == part.thread;
            if (isThis) {
                if (const PlacedRow* found = rowOf(lane, row.lane, part)) {
                    return std::pair(&lane, found);
                }
            }
        }
    }
    return {};
}

/// Lines from the end of one thing to the start of what waited for it.
void PathPainter::paintSteps()
{
    const auto [first, last]
        = m_path.partsIn(m_frame.scale.timeAt(0), m_frame.scale.timeAt(static_cast<double>(m_frame.columns())));
    if (last - first > most_steps) {
        return;
    }
    const auto& parts = m_path.parts();
    // The neighbours that are out of sight are where lines come from and go to.
    const std::size_t from = first < 2 ? 0 : first - 2;
    const std::size_t to = std::min(last + 2, parts.size());
    std::optional<QPointF> later;  // where what comes next begins
    m_painter.setRenderHint(QPainter::Antialiasing, true);
    m_painter.setBrush(Qt::NoBrush);
    bool isUnknown = false;
    for (std::size_t i = from; i < to; ++i) {
        const PathPart& part = parts[i];
        if (!liesOnLane(part)) {
            isUnknown = isUnknown || part.kind == PathPart::unknown;
            continue;
        }
        const auto place = placeOf(part);
        if (!place) {
            later.reset();
            continue;
        }
        const auto& [lane, row] = *place;
        const double y = footOf(*lane, *row);
        const bool isSeen = y >= topOf(*lane) && y <= bottomOf(*lane);
        if (later && isSeen) {
            QPointF a(m_frame.xOf(part.span.end), y);
            QPointF b = *later;
            if (b.x() >= m_left && a.x() <= m_right && (a.y() != b.y() || b.x() - a.x() > 0.5)) {
                const auto cut = [&](double x, const QPointF& p, const QPointF& q) {
                    return QPointF(x, p.y() + (q.y() - p.y()) * (x - p.x()) / std::max(q.x() - p.x(), 1e-9));
                };
                const double left = m_left + thin_line / 2;  // the line has a width
                QPointF start = a.x() < left && b.x() > left ? cut(left, a, b) : a;
                start.setX(std::max(start.x(), left));
                QPointF end = b.x() > m_right ? cut(m_right, a, b) : b;
                end.setX(std::max(end.x(), left));
                m_painter.setPen(
                    QPen(m_frame.theme.text, thin_line, isUnknown ? Qt::DotLine : Qt::SolidLine, Qt::RoundCap));
                m_painter.drawLine(start, end);
            }
        }
        isUnknown = false;
        later = isSeen ? std::optional(QPointF(m_frame.xOf(part.span.start), y)) : std::nullopt;
    }
}

}  // namespace

void paintPath(const TimelineFrame& frame, const ShownPath& path, QPainter& painter, const std::vector<QRectF>& texts)
{
    painter.save();
    PathPainter(frame, path, painter, texts).paint();
    painter.restore();
}

void paintPathSwatch(QPainter& painter, const Theme& theme, const QRectF& box)
{
    painter.setPen(QPen(theme.text, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.fillRect(QRectF(box.left(), box.bottom() - 2.5, box.width(), 2.5), theme.text);
}

}  // namespace lanes::gui
