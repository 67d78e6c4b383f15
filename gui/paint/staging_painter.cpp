// SPDX-License-Identifier: MIT
#include "gui/paint/staging_painter.h"

#include "gui/paint/timeline_frame.h"
#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>
#include <tuple>

namespace lanes::gui {

namespace {

struct StagingPainterTexts {
    Q_DECLARE_TR_FUNCTIONS(StagingPainter)
};

constexpr double above_one_another = 24;  // a row at least this high has room for its text over the sketch
constexpr double least_piece = 14;  // logical pixels: narrower ones are described in words
constexpr double least_sketch = 60;
constexpr double piece_inset = 2;
constexpr double text_padding = 4;
constexpr LabelPainter::Style piece_style {10, TextStyle::regular};

QColor inkOf(const Theme& theme)
{
    return blend(theme.background, theme.text, 0.75);
}

/// The pageable copy that a call made; no_row: none.
Row copyOf(const Recording& recording, Row call)
{
    const Trace& trace = *recording.trace;
    if (recording.is_model() || trace.text(trace.calls.name[call]).find("emcpy") == std::string_view::npos) {
        return no_row;
    }
    const Row made = recording.links->issued_by(call);
    if (made == no_row) {
        return no_row;
    }
    const OperationKind kind = trace.operations.kind[made];
    if (kind != OperationKind::h2d && kind != OperationKind::d2h) {
        return no_row;
    }
    const CopyDetail& copy = trace.copies[trace.operations.detail[made]];
    return (kind == OperationKind::h2d ? copy.source : copy.target) == MemoryKind::pageable ? made : no_row;
}

}  // namespace

QString stagingStepText(StagingStep step)
{
    switch (step) {
    case StagingStep::wait:
        return StagingPainterTexts::tr("wait");
    case StagingStep::pinned_buffer:
        return StagingPainterTexts::tr("pinned buffer");
    case StagingStep::transfer:
        return StagingPainterTexts::tr("transfer");
    case StagingStep::host_copy:
        return StagingPainterTexts::tr("host copy");
    }
    return {};
}

QString stagingMark()
{
    return StagingPainterTexts::tr("not recorded");
}

QStringList stagingOverview(std::size_t pieces)
{
    return {StagingPainterTexts::tr("staging: transfer and host copy of %1 pieces").arg(pieces),
        StagingPainterTexts::tr("staging of %1 pieces").arg(pieces), StagingPainterTexts::tr("staging")};
}

std::optional<StagingSketch> stagingSketchOf(const ShownRecording& recording, Row call)
{
    const Row operation = copyOf(recording, call);
    if (operation == no_row || !recording.stagingDevice) {
        return {};
    }
    const Trace& trace = *recording.trace;
    const CopyDetail& copy = trace.copies[trace.operations.detail[operation]];
    return StagingSketch(*recording.stagingDevice,
        {trace.operations.kind[operation] == OperationKind::h2d, copy.async, static_cast<double>(copy.bytes),
            trace.calls.start[call], trace.calls.end[call], trace.operations.start[operation]});
}

QString stagingText(const ShownRecording& recording, Row call)
{
    const auto sketch = stagingSketchOf(recording, call);
    if (!sketch) {
        return {};
    }
    const Trace& trace = *recording.trace;
    const std::uint64_t bytes = trace.bytes_of(copyOf(recording, call));
    return sketch->pieces() > 1
        ? StagingPainterTexts::tr(
            "staging (not recorded): %1 pieces of %2, each transferred over the link and copied by the host")
              .arg(sketch->pieces())
              .arg(formatBytes(bytes / sketch->pieces()))
        : StagingPainterTexts::tr("staging (not recorded): %1 in one piece through the driver's pinned buffer")
              .arg(formatBytes(bytes));
}

QPen stagingPen(const Theme& theme, double width)
{
    QPen pen(inkOf(theme), width, Qt::CustomDashLine, Qt::FlatCap);
    pen.setDashPattern({3 / width, 2.5 / width});
    return pen;
}

bool showsStaging(const TimelineFrame& frame)
{
    if (frame.geometry.compact()) {
        return false;
    }
    const double left = frame.geometry.labelWidth;
    const double right = frame.geometry.size.width();
    StagingPainter painter(frame);
    for (const PlacedLane& lane : frame.layout.lanes()) {
        for (const PlacedRow& placed : lane.rows) {
            const LaneRow& row = frame.model.lanes()[placed.lane].rows[placed.row];
            const int y = frame.yOf(lane, placed);
            if (row.kind != ItemKind::call || placed.height < StagingPainter::least_height
                || y < frame.geometry.lanesTop() || y >= frame.geometry.size.height()) {
                continue;
            }
            for (std::size_t i = row.items.firstEndingAfter(frame.timeAt(left));
                 i < row.items.size() && frame.xOf(row.items.start(i)) < right;) {
                painter.look(row.items.place(i), y, placed.height);
                // One that is wide enough and begins after this one ends after that.
                const double from = std::max(frame.xOf(row.items.start(i)), left);
                i = std::max(i + 1, row.items.firstEndingAfter(frame.timeAt(from + StagingPainter::looked_at)));
            }
        }
    }
    painter.settle();
    return !painter.m_places.empty();
}

/// Groups stay whole or go: one that has a place that does not fit goes. They lie one after another.
template <class Fits> void StagingPainter::dropGroups(Fits fits)
{
    std::vector<Place> kept;
    for (auto from = m_places.begin(); from != m_places.end();) {
        const auto to
            = std::find_if(from, m_places.end(), [&](const Place& place) { return place.group != from->group; });
        if (std::all_of(from, to, fits)) {
            kept.insert(kept.end(), from, to);
        }
        from = to;
    }
    m_places = std::move(kept);
}

void StagingPainter::look(Row call, double middle, double height)
{
    const Trace& trace = m_frame.model.trace();
    const double x0 = std::max(m_frame.xOf(trace.calls.start[call]), double(m_frame.geometry.labelWidth));
    const double x1 = std::min(m_frame.xOf(trace.calls.end[call]), double(m_frame.geometry.size.width()));
    if (x1 - x0 < looked_at) {
        return;
    }
    if (const auto sketch = stagingSketchOf(m_frame.model.recording(), call)) {
        // A low row has room for one of the two: hatching is worth more than a sketch that cannot show steps.
        const bool fits = x1 - x0 >= least_width && (height >= above_one_another || showsPieces(*sketch));
        const bool up = trace.operations.kind[copyOf(m_frame.model.recording(), call)] == OperationKind::h2d;
        const bool cut = m_frame.xOf(trace.calls.start[call]) < x0 || m_frame.xOf(trace.calls.end[call]) > x1;
        m_places.push_back({*sketch, x0, x1, middle, height, x0, up, cut, fits});
    }
}

void StagingPainter::settle()
{
    const auto rank = [](const Place& place) {
        return std::tuple(place.middle, place.up, place.cut ? place.x0 : 0, place.x1 - place.x0);
    };
    std::sort(m_places.begin(), m_places.end(), [&](const Place& a, const Place& b) { return rank(a) < rank(b); });
    std::size_t first = 0;  // of the group, its shortest
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const Place &shortest = m_places[first], &place = m_places[i];
        const bool alike = place.middle == shortest.middle && place.up == shortest.up
            && place.x1 - place.x0 <= (shortest.x1 - shortest.x0) * about_equal && !(place.cut || shortest.cut);
        first = alike ? first : i;
        m_places[i].group = first;
    }
    dropGroups([](const Place& place) { return place.fits; });
}

bool StagingPainter::showsPieces(const StagingSketch& sketch) const
{
    return sketch.pieces() == 1 || sketch.each() / (m_frame.scale.nsPerColumn() * m_frame.ratio) >= least_piece;
}

StagingPainter::Place* StagingPainter::at(double x, double middle)
{
    for (Place& place : m_places) {
        if (place.middle == middle && x >= place.x0 - 1 && x < place.x1) {
            return &place;
        }
    }
    return nullptr;
}

void StagingPainter::giveWay(double x, double& middle, double& height)
{
    if (const Place* place = at(x, middle); place != nullptr && place->height >= above_one_another) {
        middle -= place->height / 4;
        height = place->height / 2 + 2;
    }
}

void StagingPainter::taken(double x, double rowMiddle, double end)
{
    if (Place* place = at(x, rowMiddle)) {
        place->textEnd = std::max(place->textEnd, end + 2 * piece_inset);
    }
}

StagingPainter::Span StagingPainter::spanOf(const Place& place) const
{
    const double left = place.x0 + piece_inset;
    return {place.height >= above_one_another ? left : std::max(left, place.textEnd), place.x1 - piece_inset};
}

void StagingPainter::paint(QPainter& painter, LabelPainter& labels, bool vector)
{
    dropGroups([&](const Place& place) {
        const Span span = spanOf(place);
        return span.right - span.left >= least_sketch;
    });
    for (const Place& place : m_places) {
        paint(place, painter, labels, vector);
    }
}

void StagingPainter::paint(const Place& place, QPainter& painter, LabelPainter& labels, bool vector) const
{
    const Theme& theme = m_frame.theme;
    const bool two = place.height >= above_one_another;
    const double pixel = 1 / m_frame.ratio;
    const auto sharp = [&](double at) { return vector ? at : (std::floor(at * m_frame.ratio) + 0.5) * pixel; };
    const auto [left, right] = spanOf(place);
    const double bottom = place.middle + place.height / 2 - piece_inset;
    const double top = two ? place.middle + 1 : place.middle - place.height / 2 + piece_inset;
    painter.fillRect(QRectF(left, top, right - left, bottom - top), theme.background);
    std::vector<QLineF> lines {
        {sharp(left), sharp(top), sharp(right), sharp(top)}, {sharp(left), sharp(bottom), sharp(right), sharp(bottom)}};
    const auto edge = [&](double x) { lines.emplace_back(sharp(x), sharp(top), sharp(x), sharp(bottom)); };
    edge(left);
    edge(right);
    const QColor ink = inkOf(theme);
    const auto write = [&](double x0, double x1, const QStringList& texts) {
        const QString text = labels.fitting(texts, x1 - x0 - 2 * text_padding, piece_style);
        if (bottom - top >= piece_style.pixels) {
            labels.draw(painter, x0 + text_padding, (top + bottom) / 2, text, piece_style, ink, vector);
        }
    };
    // The mark has the right end for itself.
    const QString mark = stagingMark();
    const double end = right - labels.width(mark, piece_style) - 2 * text_padding;
    write(end, right, {mark});
    edge(end);
    if (showsPieces(place.sketch)) {
        for (std::size_t i = place.sketch.part_at(m_frame.timeAt(left)); i < place.sketch.size(); ++i) {
            const StagingPart part = place.sketch.part(i);
            const double x0 = std::max(m_frame.xOf(part.start), left);
            const double x1 = std::min(m_frame.xOf(part.end), end);
            if (x0 >= end) {
                break;
            }
            if (x1 - x0 >= 1) {
                edge(x1);
                write(x0, x1, {stagingStepText(part.step)});
            }
        }
    } else {
        const double waits = std::clamp(m_frame.xOf(place.sketch.part(0).end), left, end);
        if (waits - left >= least_piece) {
            edge(waits);
            write(left, waits, {stagingStepText(StagingStep::wait)});
        }
        write(waits, end, stagingOverview(place.sketch.pieces()));
    }
    painter.setPen(stagingPen(theme, vector ? 0.8 : pixel));
    painter.setBrush(Qt::NoBrush);
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
}

}  // namespace lanes::gui
