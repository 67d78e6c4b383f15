// SPDX-License-Identifier: MIT
#include "gui/paint/lane_labels.h"

#include "gui/paint/lane_figure.h"
#include "gui/paint/over/gpu_time_painter.h"
#include "gui/paint/words/lane_names.h"

#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct LaneLabelsTexts {
    Q_DECLARE_TR_FUNCTIONS(LaneLabels)
};

constexpr LabelPainter::Style lane_style {13, TextStyle::medium};
constexpr LabelPainter::Style head_style {13, TextStyle::semiBold};
constexpr LabelPainter::Style quiet_style {12, TextStyle::regular};
constexpr LabelPainter::Style second_style {11, TextStyle::regular};
constexpr LabelPainter::Style name_over_style {11, TextStyle::medium};
constexpr double label_margin = 14;
constexpr double indent = 12;  // of what belongs to a GPU
constexpr double gap = 8;
constexpr double pill_width = 46;
constexpr double wide_pill_width = 58;  // of a thread: with a swatch before the figure
constexpr double value_pill_width = 64;  // of a counter: "1023 MiB"
constexpr double tight_figure_width = 42;  // with a swatch, in a frame without room for pills
constexpr double pill_height = 16, low_pill_height = 14;  // the low one has figures under it
constexpr double pin_width = 14;
constexpr int two_lines = 33;  // a lane at least this high has its subtitle under its title

double leftOf(const LaneModel& model, std::size_t lane)
{
    return label_margin + (headOf(model.lanes(), lane) ? indent : 0);
}

double pillWidth(const Lane& lane)
{
    return lane.curve ? value_pill_width : lane.key.kind == LaneKind::thread ? wide_pill_width : pill_width;
}

/// Whether it has a figure in the scope.
bool hasPill(const TimelineFrame& frame, std::size_t lane)
{
    const auto figure = figureOf(frame, lane);
    return figure && !figure->isNothing();
}

/// Where it has a figure in sight; what is never blocked has none in a tight frame.
double tightFigureWidth(const TimelineFrame& frame, std::size_t lane)
{
    const auto figure = frame.geometry.pills ? figureOf(frame, lane) : std::nullopt;
    return figure && (figure->what != LaneFigure::What::blocked || figure->time > 0) ? tight_figure_width : gap / 2;
}

double middleOf(const TimelineFrame& frame, const PlacedLane& lane)
{
    return frame.yOf(lane) + lane.height / 2.0;
}

/// Whether a lane's name has figures under it, as a graph of a GPU's time has.
bool hasFiguresUnder(const TimelineFrame& frame, const PlacedLane& lane)
{
    return frame.model.lanes()[lane.lane].key.kind == LaneKind::gpuTime && !lane.collapsed
        && lane.height >= least_with_times;
}

/// Of a lane's name: of one that has figures under it, over these.
double nameMiddleOf(const TimelineFrame& frame, const PlacedLane& lane)
{
    return hasFiguresUnder(frame, lane) ? frame.yOf(lane) + 8 : middleOf(frame, lane);
}

/// Whether a lane's name would be drawn: in a window if only a part of it is in sight, in a picture all of the name.
bool isInSight(const TimelineFrame& frame, const PlacedLane& lane)
{
    if (!frame.geometry.handles) {
        constexpr double two_lines_half = 16;
        return middleOf(frame, lane) + std::min(two_lines_half, lane.height / 2.0) <= frame.geometry.size.height();
    }
    const int top = frame.isSticky(lane) ? frame.geometry.lanesTop() : frame.scrollTop();
    return frame.yOf(lane) + lane.height > top && frame.yOf(lane) < frame.geometry.size.height();
}

/// A triangle left of the name: pointing down where the lane is open, to the right where it is collapsed.
QPointF triangleOf(const TimelineFrame& frame, const PlacedLane& lane)
{
    return {leftOf(frame.model, lane.lane) - 8, nameMiddleOf(frame, lane)};
}

bool hasTriangle(const TimelineFrame& frame, const Lane& lane)
{
    return frame.geometry.handles && lane.key.kind != LaneKind::overlap;
}

QRectF hiddenBox(const TimelineFrame& frame)
{
    return frame.layout.hidden() == 0 || !frame.geometry.handles
        ? QRectF()
        : QRectF(0, frame.footerTop(), frame.geometry.labelWidth, frame.layout.footerHeight());
}

/// Whether a lane is pinned without the header that says what it belongs to.
bool standsAlone(const TimelineFrame& frame, const PlacedLane& lane, std::size_t head)
{
    const PlacedLane* of = frame.layout.find(head);
    return lane.pinned && (of == nullptr || !of->pinned);
}

void paintTriangle(QPainter& painter, QPointF at, bool collapsed, const QColor& color)
{
    const QPolygonF shape = collapsed ? QPolygonF {at + QPointF(-2, -4), at + QPointF(3, 0), at + QPointF(-2, 4)}
                                      : QPolygonF {at + QPointF(-4, -2), at + QPointF(4, -2), at + QPointF(0, 3)};
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(shape);
}

/// A drawing pin seen from the side: head, body, collar and needle.
void paintPin(QPainter& painter, QPointF at, const QColor& color)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRect(QRectF(at.x() - 3, at.y() - 6, 6, 1.6));
    painter.drawRect(QRectF(at.x() - 2, at.y() - 4.4, 4, 4));
    painter.drawPolygon(
        QPolygonF {at + QPointF(-4, 1.4), at + QPointF(-2, -0.6), at + QPointF(2, -0.6), at + QPointF(4, 1.4)});
    painter.drawRect(QRectF(at.x() - 0.5, at.y() + 1.4, 1, 4.6));
}

/// What tells lanes of one kind apart is the number after their name: "DataLoader … 0", "WorkerP…/12308".
QString cutName(const QString& name, double room, LabelPainter::Style style, LabelPainter& labels)
{
    constexpr qsizetype most_digits = 8;
    if (labels.width(name, style) <= room) {
        return name;
    }
    qsizetype tail = name.size();
    while (tail > 0 && name[tail - 1].isDigit()) {
        --tail;
    }
    const qsizetype digits = name.size() - tail;
    while (digits > 0 && tail > 0 && !name[tail - 1].isLetterOrNumber()) {
        --tail;
    }
    const QString number = name.mid(tail);
    const double left = room - labels.width(number, style);
    if (digits == 0 || digits > most_digits || tail == 0 || left < room / 3) {
        return labels.cutInTheMiddle(name, room, style);
    }
    return labels.elided(name.left(tail), left, style) + number;
}

/// What is said of a lane beside its name, in the forms that it may have there, the longest first. Lanes of one name
/// differ by their numbers, so the word before a number goes first.
QStringList formsBeside(const Lane& lane, const QString& subtitle)
{
    QStringList forms {subtitle};
    const auto kind = lane.key.kind;
    if (kind == LaneKind::gpu) {
        forms << QString(subtitle).remove(QStringLiteral("NVIDIA "));
    } else if (kind == LaneKind::process || kind == LaneKind::thread || kind == LaneKind::stream) {
        const QString last = subtitle.section(QStringLiteral(" \u00B7 "), -1);
        forms << last;
        const QString number = QString::number(kind == LaneKind::process ? lane.key.process : lane.key.id);
        if (last.section(QLatin1Char(' '), -1) == number) {
            forms << number;
        }
    }
    return forms;
}

/// A compact picture has one GPU's header nowhere: where there are several, streams name theirs.
QString compactName(const TimelineFrame& frame, const PlacedLane& placed)
{
    const auto& lanes = frame.model.lanes();
    const LaneName name = laneName(frame.model, placed.lane);
    const auto gpu = headOf(lanes, placed.lane);
    const auto count
        = std::count_if(lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.key.kind == LaneKind::gpu; });
    if (!gpu || *gpu == placed.lane || lanes[*gpu].key.kind != LaneKind::gpu || count < 2) {
        return name.title;
    }
    return laneName(frame.model, *gpu).title + QStringLiteral(" \u00B7 ") + name.title;
}

/// Over the rows, on a ground that hides the grid.
void paintNameOver(
    const TimelineFrame& frame, const PlacedLane& placed, QPainter& painter, LabelPainter& labels, bool vector)
{
    const QRectF box = compactNameBox(frame, placed, labels);
    if (box.isEmpty()) {
        return;
    }
    painter.fillRect(box.adjusted(0, 1, 3, -1), frame.theme.background);
    labels.draw(painter, box.left(), box.center().y(),
        cutName(compactName(frame, placed), box.width() + 1, name_over_style, labels), name_over_style,
        frame.theme.text, vector);
}

void paintLabel(
    const TimelineFrame& frame, const PlacedLane& placed, QPainter& painter, LabelPainter& labels, bool vector)
{
    const FrameGeometry& g = frame.geometry;
    const Theme& theme = frame.theme;
    const Lane& lane = frame.model.lanes()[placed.lane];
    const double middle = nameMiddleOf(frame, placed);
    const double left = leftOf(frame.model, placed.lane);
    double right = g.labelWidth - gap;
    if (g.pills && hasFigure(frame.model, placed.lane)) {
        right -= pillWidth(lane) + gap / 2;
    }
    const double pillRoom = g.labelWidth - gap - right;
    const bool pinned = placed.pinned && g.handles && lane.key.kind != LaneKind::overlap;
    if (pinned) {
        paintPin(painter, {right - pin_width / 2, middle}, theme.accent);
        right -= pin_width + 4;
    }
    if (hasTriangle(frame, lane)) {
        paintTriangle(painter, triangleOf(frame, placed), placed.collapsed, theme.muted);
    }
    LaneName name = laneName(frame.model, placed.lane);
    if (const auto head = headOf(frame.model.lanes(), placed.lane); head && standsAlone(frame, placed, *head)) {
        name.title = laneName(frame.model, *head).title + QStringLiteral(" \u00B7 ") + name.title;
    }
    const auto draw = [&](double x, double y, const QString& text, LabelPainter::Style style, const QColor& color) {
        const bool isName = text == name.title && lane.key.kind != LaneKind::overlap;
        const bool isWord = isName || lane.key.kind == LaneKind::gpu;
        double room = right - x;
        if (isName && labels.width(text, style) > room && !pinned && !hasPill(frame, placed.lane)) {
            room += pillRoom;  // which is empty
        }
        const QString shown = isWord ? cutName(text, room, style, labels) : labels.elided(text, room, style);
        labels.drawOn(painter, x, y, shown, style, color, theme.background, vector);
        return x + labels.width(shown, style);
    };
    const auto style = lane.key.kind == LaneKind::overlap         ? quiet_style
        : lane.key.kind == LaneKind::thread || isHeader(lane.key) ? head_style
                                                                  : lane_style;
    const QColor& color = lane.key.kind == LaneKind::overlap ? theme.muted : theme.text;
    if (placed.height >= two_lines && !name.subtitle.isEmpty() && !isHeader(lane.key)) {
        draw(left, middle - 8, name.title, style, color);
        const QStringList forms = formsBeside(lane, name.subtitle);
        const QString under = labels.fitting(forms, right - left, second_style);
        draw(left, middle + 8, under.isEmpty() ? forms.back() : under, second_style, theme.muted);
        return;
    }
    const QStringList forms = formsBeside(lane, name.subtitle);
    const auto besideIn = [&](const QString& title) {
        return labels.fitting(forms, right - left - labels.width(title, style) - gap, second_style);
    };
    QString beside = besideIn(name.title);
    if (beside.isEmpty() && lane.key.kind == LaneKind::thread && forms.back() == QString::number(lane.key.id)) {
        const QString bare = name.title.section(QStringLiteral("  "), -1);  // of "CPU  python3", which others say, too
        beside = besideIn(bare);
        name.title = beside.isEmpty() ? name.title : bare;
    }
    const double x = draw(left, middle, name.title, style, color) + gap;
    if (beside.isEmpty() && isHeader(lane.key) && right - x > 60) {
        beside = forms.back();
    }
    if (!beside.isEmpty()) {
        draw(x, middle, beside, second_style, theme.muted);
    }
}

}  // namespace

QRectF compactNameBox(const TimelineFrame& frame, const PlacedLane& lane, LabelPainter& labels)
{
    const FrameGeometry& g = frame.geometry;
    if (g.density == LaneDensity::tight) {
        const bool named = frame.model.lanes()[lane.lane].key.kind != LaneKind::overlap;
        if (!named || frame.yOf(lane) + lane.height > g.size.height()) {
            return {};
        }
        const double room = g.labelWidth - FrameGeometry::compact_label_width - tightFigureWidth(frame, lane.lane);
        return {double(FrameGeometry::compact_label_width), double(frame.yOf(lane)),
            std::min(labels.width(compactName(frame, lane), name_over_style), room), double(lane.height)};
    }
    if (lane.name == 0 || !g.compact() || frame.yOf(lane) + lane.name > g.size.height()) {
        return {};
    }
    const double room = 0.7 * (g.size.width() - 2 * g.labelWidth);
    const double width = std::min(labels.width(compactName(frame, lane), name_over_style), room);
    return {double(g.labelWidth), double(frame.yOf(lane)), width, double(lane.name)};
}

LabelHit labelAt(const TimelineFrame& frame, QPointF at)
{
    const FrameGeometry& g = frame.geometry;
    if (at.x() < 0 || at.x() >= g.labelWidth || at.y() < g.lanesTop() || at.y() >= g.size.height()) {
        return {};
    }
    const int lane = frame.layout.laneAt(frame.layoutY(at.y()));
    if (lane < 0) {
        return {hiddenBox(frame).contains(at) ? LabelPart::hidden : LabelPart::none, 0};
    }
    const PlacedLane& placed = frame.layout.lanes()[static_cast<std::size_t>(lane)];
    const QPointF triangle = triangleOf(frame, placed);
    const bool onTriangle = hasTriangle(frame, frame.model.lanes()[placed.lane])
        && std::fabs(at.x() - triangle.x()) <= 7 && std::fabs(at.y() - triangle.y()) <= 8;
    return {onTriangle ? LabelPart::triangle : LabelPart::name, placed.lane};
}

std::optional<QRectF> pillBoxOf(const TimelineFrame& frame, const PlacedLane& lane)
{
    const FrameGeometry& g = frame.geometry;
    const double middle = nameMiddleOf(frame, lane);
    const double top = frame.isSticky(lane) ? g.lanesTop() : frame.scrollTop();
    const double height = hasFiguresUnder(frame, lane) ? low_pill_height : pill_height;
    if (!g.pills || g.compact() || middle - height / 2 < top || middle + height / 2 > g.size.height()) {
        return {};
    }
    const double width = pillWidth(frame.model.lanes()[lane.lane]);
    return QRectF(g.labelWidth - gap - width, middle - height / 2, width, height);
}

QStringList labelTip(const TimelineFrame& frame, std::size_t lane)
{
    const auto& lanes = frame.model.lanes();
    const LaneName name = laneName(frame.model, lane);
    QStringList tip {name.title};
    if (!name.subtitle.isEmpty()) {
        tip << name.subtitle;
    }
    if (const auto head = headOf(lanes, lane)) {
        const LaneName of = laneName(frame.model, *head);
        tip << (of.subtitle.isEmpty() ? of.title : of.title + QStringLiteral(" \u00B7 ") + of.subtitle);
    }
    return tip;
}

void paintLaneLabels(const TimelineFrame& frame, QPainter& painter, LabelPainter& labels, bool vector)
{
    const FrameGeometry& g = frame.geometry;
    if (g.compact()) {
        for (const PlacedLane& lane : frame.layout.lanes()) {
            paintNameOver(frame, lane, painter, labels, vector);
        }
        return;
    }
    painter.save();
    for (const bool sticky : {false, true}) {
        if (!vector) {  // what scrolled half out of sight is cut; files have no scroll and no clip
            const double top = sticky ? g.lanesTop() : frame.scrollTop();
            painter.setClipRect(QRectF(0, top, g.labelWidth, std::max(g.size.height() - top, 0.0)));
        }
        for (const PlacedLane& lane : frame.layout.lanes()) {
            if (frame.isSticky(lane) == sticky && isInSight(frame, lane)) {
                paintLabel(frame, lane, painter, labels, vector);
            }
        }
        if (const QRectF hidden = hiddenBox(frame); !sticky && !hidden.isEmpty()) {
            const std::size_t count = frame.layout.hidden();
            const QString text = count == 1 ? LaneLabelsTexts::tr("1 lane hidden: show")
                                            : LaneLabelsTexts::tr("%1 lanes hidden: show").arg(count);
            labels.draw(painter, label_margin, hidden.center().y(),
                labels.elided(text, g.labelWidth - label_margin - gap, quiet_style), quiet_style, frame.theme.accent,
                vector);
        }
    }
    painter.restore();
}

}  // namespace lanes::gui
