// SPDX-License-Identifier: MIT
#include "gui/paint/timeline_painter.h"

#include "gui/paint/compact_head.h"
#include "gui/paint/drawn_texts.h"
#include "gui/paint/even_labels.h"
#include "gui/paint/lane_labels.h"
#include "gui/paint/over/counter_painter.h"
#include "gui/paint/over/gpu_time_painter.h"
#include "gui/paint/over/mark_painter.h"
#include "gui/paint/over/stack_path.h"
#include "gui/paint/over/stale_mark.h"
#include "gui/paint/role_mark.h"
#include "gui/paint/title_pills.h"
#include "gui/paint/words/item_text.h"
#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct TimelinePainterTexts {
    Q_DECLARE_TR_FUNCTIONS(TimelinePainter)
};

constexpr LabelPainter::Style usual_item_style {12, TextStyle::regular};
constexpr LabelPainter::Style small_style {11, TextStyle::regular};
constexpr double item_padding = 5;
constexpr int sizes_on_screen = 2;  // by which a text shrinks to say more
constexpr int margin = 14;

struct FittedText {
    QString text;
    LabelPainter::Style style;
};

/// Beside a text that is as small as magnification allows, less than beside others.
double paddingOf(const TimelineFrame& frame, const LabelPainter::Style& style)
{
    const int least = (frame.geometry.compact() ? small_style : usual_item_style).pixels - sizes_on_screen;
    return item_padding * std::min(1.0, static_cast<double>(style.pixels) / least);
}

/// Between the edge of a hatched bar, the ground of its text, and the text.
constexpr double hatch_inset = 2, ground_inset = 4;
constexpr double ground_height = 6;  // more than the text's
constexpr double least_hatch = 12;  // that stays beside the ground in a bar that shows none over and under it

/// What a text on a hatch needs more of its bar than another.
double hatchNeeds(const ItemLabel& label, int pixels)
{
    const bool isLow = label.height < pixels + 2 * ground_height;
    return !label.hatched ? 0 : 2 * (hatch_inset + ground_inset - item_padding) + (isLow ? least_hatch : 0);
}

/// The part of a call that no wait covers, from its left: nothing where that is too short for a text.
double roomBeside(const ItemLabel& call, const std::vector<QRectF>& hatches)
{
    double room = call.room;
    for (const QRectF& hatch : hatches) {
        if (std::abs(hatch.center().y() - call.middle) < 1 && hatch.right() > call.x && hatch.left() < call.x + room) {
            room = hatch.left() - call.x;
        }
    }
    return room < RowPainter::least_label ? 0 : room;
}

/// Of a collective that waits for a rank of a job, where its text lies on that part, first that it does.
QStringList textsOf(const TimelineFrame& frame, const ItemLabel& label)
{
    const ShownRecording& recording = frame.model.recording();
    QStringList texts = labelsOf(recording, label.item);
    const auto told = label.item.kind == ItemKind::operation && label.ground == earlyGround(frame.theme)
        ? recording.awaited->find(static_cast<Row>(label.item.row))
        : recording.awaited->end();
    if (told != recording.awaited->end()) {
        const QString waits = TimelinePainterTexts::tr("waits for rank %1").arg(told->second.rank);
        const QString name = texts.value(0);
        texts.prepend(waits);
        texts.prepend(TimelinePainterTexts::tr("%1 waits for rank %2").arg(name).arg(told->second.rank));
    }
    return texts;
}

/// Of the rows' labels, each. Equal bars have equal texts (even_labels.h). On the screen a text shrinks by a size or
/// two before it loses a word or vanishes, or is too high for its row; in pictures all have one size. Where lanes are
/// magnified, a bar's name is as small as in a usual window before it vanishes.
std::vector<FittedText> itemTexts(const TimelineFrame& frame, const RowPainter& rows, LabelPainter& painter)
{
    const std::vector<ItemLabel>& labels = rows.labels();
    const LabelPainter::Style item_style = frame.geometry.compact() ? small_style : usual_item_style;
    std::vector<LabelWish> wishes;
    wishes.reserve(labels.size());
    for (const ItemLabel& label : labels) {
        const double room = label.item.kind == ItemKind::call ? roomBeside(label, rows.hatches()) : label.room;
        const bool begun = label.x <= frame.geometry.labelWidth + 2 * role_mark_size
            && spanOf(frame.model.recording(), label.item).start < frame.scale.startOf(frame.scale.first());
        const bool cut = begun || label.x + label.room >= frame.geometry.size.width();
        wishes.push_back({room > 0 ? textsOf(frame, label) : QStringList(),
            room - 2 * item_padding - hatchNeeds(label, item_style.pixels),
            label.hatched ? -label.middle : label.middle, cut});
    }
    std::vector<FittedText> fitted(labels.size(), {QString(), item_style});
    const int smallest = item_style.pixels - (frame.geometry.handles ? sizes_on_screen : 0);
    const int asUsual = static_cast<int>(std::ceil(item_style.pixels / frame.geometry.magnification));
    for (int pixels = item_style.pixels; pixels >= std::min(smallest, asUsual); --pixels) {
        const auto isEmpty = [](const FittedText& text) { return text.text.isEmpty(); };
        if (pixels < smallest && std::none_of(fitted.begin(), fitted.end(), isEmpty)) {
            break;
        }
        const LabelPainter::Style style {pixels, item_style.weight};
        const double roomier = 2 * (item_padding - paddingOf(frame, style));
        const auto texts = evenTexts(wishes, [&](const QString& text) { return painter.width(text, style) - roomier; });
        for (std::size_t i = 0; i < fitted.size(); ++i) {
            constexpr int air = 2;
            if (frame.geometry.handles && labels[i].height < pixels + air) {
                continue;  // in a low row it is small from the start
            }
            if (pixels < smallest && !fitted[i].text.isEmpty()) {
                continue;
            }
            const bool whole = wishes[i].texts.isEmpty() || fitted[i].text == wishes[i].texts.front();
            if (!whole && fitted[i].style == item_style && texts[i] != fitted[i].text) {
                fitted[i] = {texts[i], style};
            }
        }
    }
    return fitted;
}

}  // namespace

void TimelinePainter::paint(const TimelineFrame& frame, QImage& image, QPoint offset)
{
    const RulerTicks ticks = RulerTicks::of(frame, m_labels);
    const auto device = [&](double logical) { return static_cast<int>(std::lround(logical * frame.ratio)); };
    m_rows.find(frame, ticks);
    {
        // Rows are drawn in an image of their own pixels: the frame's part of `image`, without copying it.
        QImage part(image.scanLine(offset.y()) + static_cast<std::ptrdiff_t>(offset.x()) * 4,
            std::min(device(frame.geometry.size.width()), image.width() - offset.x()),
            std::min(device(frame.geometry.size.height()), image.height() - offset.y()), image.bytesPerLine(),
            image.format());
        m_rows.fillAround(frame, part);
        QPainter painter(&image);
        painter.translate(offset);
        painter.scale(frame.ratio, frame.ratio);
        paintGround(frame, {painter, false}, ticks);
        paintCounters(frame, painter, false);
        m_graphs = gpuGraphs(frame);
        paintGpuTimes(frame, m_graphs, painter, false);
        painter.end();
        m_rows.paint(frame, ImageRowCanvas(frame.theme, part, frame.ratio));
    }
    QPainter painter(&image);
    painter.translate(offset);
    painter.scale(frame.ratio, frame.ratio);
    paintText(frame, {painter, false}, ticks);
}

void TimelinePainter::paint(const TimelineFrame& frame, QPainter& painter)
{
    const RulerTicks ticks = RulerTicks::of(frame, m_labels);
    m_rows.find(frame, ticks);
    painter.fillRect(QRectF(QPointF(), frame.geometry.size), frame.theme.background);
    paintGround(frame, {painter, true}, ticks);
    paintCounters(frame, painter, true);
    m_graphs = gpuGraphs(frame);
    paintGpuTimes(frame, m_graphs, painter, true);
    m_rows.paint(frame, VectorRowCanvas(frame.theme, painter, frame.ratio));
    paintText(frame, {painter, true}, ticks);
}

/// The grid and the lines between lanes.
void TimelinePainter::paintGround(const TimelineFrame& frame, Target target, const RulerTicks& ticks)
{
    const FrameGeometry& g = frame.geometry;
    QPainter& p = target.painter;
    const double line = target.vector ? 0.6 : 1 / frame.ratio;
    // Grid lines lie on whole columns, as the rows have them.
    for (std::int64_t tick = 0; tick < ticks.count; ++tick) {
        const std::int64_t x = frame.scale.columnOf(ticks.at(tick)) - frame.scale.first();
        if (x >= 0 && x < frame.columns()) {
            p.fillRect(QRectF(g.labelWidth + static_cast<double>(x) / frame.ratio, g.rulerTop(), line,
                           g.size.height() - g.rulerTop()),
                frame.theme.grid);
        }
    }
    for (const PlacedLane& lane : frame.layout.lanes()) {
        const int bottom = frame.yOf(lane) + lane.height;
        const int top = frame.isSticky(lane) ? g.lanesTop() : frame.scrollTop();
        if (bottom > top && bottom <= g.size.height() && frame.model.lanes()[lane.lane].key.kind != LaneKind::overlap) {
            p.fillRect(QRectF(0, bottom - line, g.size.width(), line), frame.theme.line);
        }
    }
}

void TimelinePainter::paintText(const TimelineFrame& frame, Target target, const RulerTicks& ticks)
{
    target.painter.setRenderHint(QPainter::Antialiasing, true);
    if (DrawnTexts* drawn = DrawnTexts::current()) {
        for (const QRectF& hatch : m_rows.hatches()) {
            drawn->addHatch(target.painter, hatch);
        }
    }
    for (const StagedBar& bar : m_rows.staged()) {
        paintStaged(target.painter, frame.theme, bar);
    }
    for (const QRectF& box : m_rows.early()) {
        const QColor& color = frame.theme.item(ItemRole::communication);
        target.painter.setPen(QPen(color, 1));
        target.painter.setBrush(earlyGround(frame.theme));
        target.painter.drawRect(box.adjusted(0.5, 0.5, 0, -0.5));
    }
    for (const ItemMark& mark : m_rows.marks()) {
        const QColor& ground = frame.theme.item(mark.role, mark.shade);
        m_marked.set(static_cast<std::size_t>(mark.role));
        paintRoleMark(target.painter, mark.role, mark.center, frame.theme.textOn(ground), ground);
    }
    if (frame.geometry.texts) {
        paintItemLabels(frame, target);
        paintExposedLengths(frame, m_graphs, target.painter, m_labels, target.vector);
        paintStaleReads(frame, target.painter, m_labels, target.vector);
        paintStackPaths(frame, target.painter, m_labels, target.vector);
        paintPending(frame, target);
    }
    paintEnd(frame, target);
    if (frame.geometry.texts) {
        paintLaneLabels(frame, target.painter, m_labels, target.vector);
    }
    paintRuler(frame, target, ticks);
    paintMarks(frame, target.painter, m_labels, target.vector);
    paintTitle(frame, target);
}

void TimelinePainter::paintItemLabels(const TimelineFrame& frame, Target target)
{
    const std::vector<ItemLabel>& labels = m_rows.labels();
    m_textBoxes.clear();
    const std::vector<FittedText> texts = itemTexts(frame, m_rows, m_labels);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const ItemLabel& label = labels[i];
        const auto& [text, style] = texts[i];
        if (text.isEmpty()) {
            continue;
        }
        const double middle = label.middle;
        const double width = m_labels.width(text, style);
        const double x = label.x + (label.hatched ? hatch_inset + ground_inset : paddingOf(frame, style));
        m_textBoxes.emplace_back(x, middle - style.pixels * 0.6, width, style.pixels * 1.2);
        const QColor& color = frame.theme.textOn(label.ground);
        if (label.hatched) {
            const double high = std::min(style.pixels + ground_height, label.height - 2);
            target.painter.setPen(Qt::NoPen);
            target.painter.setBrush(label.ground);
            target.painter.drawRoundedRect(
                QRectF(x - ground_inset, middle - high / 2, width + 2 * ground_inset, high), 2, 2);
        }
        if (label.hatched || label.item.kind == ItemKind::call) {  // may reach beyond a call
            m_labels.draw(target.painter, x, middle, text, style, color, target.vector);
        } else {
            m_labels.drawOn(target.painter, x, label.middle, text, style, color, label.ground, target.vector);
        }
    }
}

/// What is shown in lanes whose rows are not ready yet.
void TimelinePainter::paintPending(const TimelineFrame& frame, Target target)
{
    for (const PlacedLane& placed : frame.layout.lanes()) {
        const double middle = frame.yOf(placed) + placed.height / 2.0;
        const double top = frame.isSticky(placed) ? frame.geometry.lanesTop() : frame.scrollTop();
        if (!frame.model.lanes()[placed.lane].ready && middle >= top && middle < frame.geometry.size.height()) {
            m_labels.draw(target.painter, frame.geometry.labelWidth + margin, middle,
                TimelinePainterTexts::tr("not indexed yet"), small_style, frame.theme.muted, target.vector);
        }
    }
}

void TimelinePainter::paintRuler(const TimelineFrame& frame, Target target, const RulerTicks& ticks)
{
    for (const RulerFigure& figure : rulerFigures(frame, ticks, m_labels)) {
        m_labels.draw(target.painter, figure.box.left(), figure.box.center().y(), figure.text, figure.style,
            figure.isEnd ? frame.theme.accent : frame.theme.muted, target.vector);
    }
}

void TimelinePainter::paintTitle(const TimelineFrame& frame, Target target)
{
    if (!frame.geometry.title) {
        return;
    }
    if (frame.geometry.compact()) {
        CompactHead(frame, m_labels).paint(target.painter, m_labels, target.vector);
        return;
    }
    const double middle = FrameGeometry::title_height / 2.0;
    target.painter.fillRect(QRectF(0, 0, frame.geometry.size.width(), FrameGeometry::title_height), frame.theme.panel);
    for (const TitlePiece& piece : titleRow(frame, m_labels).pieces) {
        if (piece.pill) {
            target.painter.setPen(Qt::NoPen);
            target.painter.setBrush(piece.ground);
            target.painter.drawRoundedRect(*piece.pill, 11, 11);
        }
        m_labels.draw(target.painter, piece.x, middle, piece.text, piece.style, piece.color, target.vector);
    }
}

void TimelinePainter::paintEnd(const TimelineFrame& frame, Target target)
{
    const FrameGeometry& g = frame.geometry;
    const double x = std::round(frame.xOf(frame.model.duration()) * frame.ratio) / frame.ratio;
    if (x < g.labelWidth || x > g.size.width()) {
        return;
    }
    const int bottom = std::min(frame.footerTop() + 6, g.size.height());
    target.painter.setPen(Qt::NoPen);
    target.painter.setBrush(frame.theme.accent);
    for (int y = g.lanesTop(); y < bottom; y += 7) {
        target.painter.fillRect(QRectF(x, y, 1.4, std::min(4, bottom - y)), frame.theme.accent);
    }
    if (g.compact()) {
        return;  // the head says it
    }
    if (const auto place = placeUnderLanes(frame)) {  // else it is on the ruler
        const RulerFigure figure = endFigureIn(frame, *place, m_labels);
        m_labels.draw(target.painter, figure.box.left(), figure.box.center().y(), figure.text, figure.style,
            frame.theme.accent, target.vector);
    }
}

}  // namespace lanes::gui
