// SPDX-License-Identifier: MIT
#include "gui/timeline/difference_strip.h"

#include "gui/timeline/time_format.h"
#include "gui/timeline/timeline_painter.h"

#include <QPushButton>
#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr int margin = 14;
constexpr LabelPainter::Style name_style {11, TextStyle::regular};
constexpr LabelPainter::Style words_style {11, TextStyle::semiBold};
constexpr LabelPainter::Style value_style {12, TextStyle::regular};

QString valueText(std::optional<Ns> value)
{
    return value ? formatTime(*value) : DifferenceStrip::tr("unknown");
}

QString changeText(std::optional<Ns> from, std::optional<Ns> to)
{
    if (!from || !to || *from == *to) {
        return {};
    }
    return (*to > *from ? QStringLiteral("+") : QStringLiteral("\u2212")) + formatTime(std::abs(*to - *from));
}

}  // namespace

SideFigures figuresOfWhole(const LaneModel& model)
{
    const auto& report = model.recording().report;
    if (!report) {
        return {};
    }
    return {report->wall, report->gpu_busy, report->overlap,
        report->threads.empty() ? std::nullopt : report->threads.front().blocked};
}

SideFigures figuresIn(const LaneModel& model, TimeSpan range)
{
    SideFigures figures;
    if (!model.isReady()) {
        return figures;
    }
    figures.busy = model.busyAtLeast(1, range);
    figures.overlap = model.busyAtLeast(2, range);
    const Lane* firstThread = nullptr;
    for (const Lane& lane : model.lanes()) {
        if (lane.key.kind == LaneKind::thread && firstThread == nullptr) {
            firstThread = &lane;
        }
    }
    if (firstThread != nullptr && model.recording().blocking->known) {
        figures.blocked = 0;
        for (const LaneRow& row : firstThread->rows) {
            *figures.blocked += row.kind == ItemKind::blocked ? row.busyIn(range.start, range.end) : 0;
        }
    }
    return figures;
}

QString differenceWords(std::optional<Ns> reference, std::optional<Ns> other, QChar referenceLetter, QChar otherLetter)
{
    if (!reference || !other) {
        return !reference && !other ? DifferenceStrip::tr("neither can tell")
                                    : DifferenceStrip::tr("%1 cannot tell").arg(reference ? otherLetter : referenceLetter);
    }
    if (*reference == *other) {
        return DifferenceStrip::tr("the same");
    }
    if (*reference == 0 || *other == 0) {
        return DifferenceStrip::tr("only in %1").arg(*reference == 0 ? otherLetter : referenceLetter);
    }
    const double ratio = static_cast<double>(*other) / static_cast<double>(*reference);
    if (ratio > 0.9 && ratio < 1.1) {
        const double percent = std::abs(ratio - 1) * 100;
        const QString text = percent < 1 ? QStringLiteral("< 1") : QString::number(percent, 'f', 0);
        return ratio > 1 ? DifferenceStrip::tr("%1 % more").arg(text) : DifferenceStrip::tr("%1 % less").arg(text);
    }
    const double times = std::max(ratio, 1 / ratio);
    const QString text = QString::number(times, 'f', times < 9.95 ? 1 : 0);
    return ratio > 1 ? DifferenceStrip::tr("%1 \u00D7 more").arg(text) : DifferenceStrip::tr("%1 \u00D7 less").arg(text);
}

DifferenceStrip::DifferenceStrip(QWidget* parent)
    : QWidget(parent)
    , m_theme(&Theme::named({}))
    , m_reset(new QPushButton(this))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFixedHeight(strip_height);
    setAccessibleName(tr("Differences between A and B"));
    m_reset->setObjectName(QStringLiteral("resetAlignment"));
    m_reset->setToolTip(tr("Align the recordings at their starts again"));
    m_reset->hide();
    connect(m_reset, &QPushButton::clicked, this, &DifferenceStrip::resetWanted);
}

void DifferenceStrip::setContent(const Content& content)
{
    m_content = content;
    m_reset->setText(content.alignment.isEmpty() ? QString() : content.alignment + QStringLiteral("  \u2715"));
    m_reset->setAccessibleName(content.alignment.isEmpty() ? QString() : tr("%1; press to align at the starts").arg(content.alignment));
    m_reset->setVisible(!content.alignment.isEmpty());
    placeButton();
    setAccessibleDescription(lines().join(QLatin1Char('\n')));
    setToolTip(lines().join(QLatin1Char('\n')));
    update();
}

void DifferenceStrip::setTheme(const Theme& theme)
{
    m_theme = &theme;
    update();
}

std::vector<DifferenceStrip::Cell> DifferenceStrip::cells() const
{
    const auto from = static_cast<std::size_t>(m_content.reference);
    const std::size_t to = 1 - from;
    const auto letter = [](std::size_t side) { return QChar(u'A' + static_cast<char16_t>(side)); };
    const std::pair<QString, std::optional<Ns> SideFigures::*> figures[] = {{tr("total"), &SideFigures::total},
        {tr("GPU busy"), &SideFigures::busy}, {tr("CPU blocked"), &SideFigures::blocked}, {tr("overlap"), &SideFigures::overlap}};
    std::vector<Cell> all;
    for (const auto& [name, figure] : figures) {
        const std::optional<Ns> a = m_content.sides[from].*figure;
        const std::optional<Ns> b = m_content.sides[to].*figure;
        if (figure == &SideFigures::total && !a && !b) {
            continue;  // of a range, both are as long as it is
        }
        all.push_back({name, QStringLiteral("%1 \u2192 %2").arg(valueText(a), valueText(b)), changeText(a, b),
            differenceWords(a, b, letter(from), letter(to))});
    }
    return all;
}

QStringList DifferenceStrip::lines() const
{
    QStringList lines {m_content.scope};
    for (const Cell& cell : cells()) {
        QStringList parts {cell.values};
        if (!cell.change.isEmpty()) {
            parts += cell.change;
        }
        parts += cell.words;
        lines += QStringLiteral("%1: %2").arg(cell.name, parts.join(QStringLiteral(", ")));
    }
    return lines;
}

void DifferenceStrip::setMagnification(double magnification)
{
    m_magnification = magnification;
    setFixedHeight(static_cast<int>(strip_height * magnification));
    update();
}

void DifferenceStrip::placeButton()
{
    const QSize wanted = m_reset->sizeHint();
    const int most = std::max(width() / 3, 120);
    m_reset->setGeometry(width() - std::min(wanted.width(), most) - 8, (height() - wanted.height()) / 2, std::min(wanted.width(), most), wanted.height());
}

void DifferenceStrip::resizeEvent(QResizeEvent*)
{
    placeButton();
}

void DifferenceStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = *m_theme;
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(0, 0, width(), 1, theme.line);
    painter.fillRect(0, height() - 1, width(), 1, theme.line);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.scale(m_magnification, m_magnification);
    const auto width = [this] { return static_cast<int>(this->width() / m_magnification); };
    constexpr double upper = 13;
    constexpr double lower = 28;
    const int left = FrameGeometry::labelWidthFor(width());
    m_labels.draw(painter, margin, upper, m_content.reference == 0 ? QStringLiteral("A \u2192 B") : QStringLiteral("B \u2192 A"), words_style, theme.accent, false);
    m_labels.draw(painter, margin, lower, m_labels.elided(m_content.scope, left - margin - 6, name_style), name_style, theme.muted, false);
    const std::vector<Cell> all = cells();
    const int right = m_reset->isHidden() ? width() - margin : static_cast<int>(m_reset->x() / m_magnification) - margin;
    double x = left;
    for (const Cell& cell : all) {
        const QString change = cell.change.isEmpty() ? QString() : QStringLiteral("  ") + cell.change;
        const double head = m_labels.width(cell.name, name_style) + 8 + m_labels.width(cell.words, words_style);
        const double values = m_labels.width(cell.values, value_style);
        const double changes = change.isEmpty() ? 0 : m_labels.width(change, value_style) + 6;
        // Where there is no room for a figure in whole, its change goes; then the figures that are left.
        const double natural = std::max(head, values + changes);
        const bool whole = x + natural <= right;
        if (!whole && x + std::max(head, values) > right) {
            break;
        }
        m_labels.draw(painter, x, upper, cell.name, name_style, theme.muted, false);
        m_labels.draw(painter, x + m_labels.width(cell.name, name_style) + 8, upper, cell.words, words_style, theme.text, false);
        m_labels.draw(painter, x, lower, cell.values, value_style, theme.text, false);
        if (whole && !change.isEmpty()) {
            m_labels.draw(painter, x + values + 6, lower, change, value_style, theme.muted, false);
        }
        x += std::max(natural + 28, (width() - left) / 5.0);
    }
}

}  // namespace lanes::gui
