// SPDX-License-Identifier: MIT
#include "gui/app/record/monitor_strip.h"

#include "gui/paint/words/time_format.h"
#include "gui/panels/theme_of.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace lanes::gui {
namespace {

constexpr double value_pixels = 30, caption_pixels = 12;  // usual sizes
constexpr int bar_height = 4, tile_gap = 22;
constexpr int output_lines = 8, most_blocks = 5000;
constexpr int least_words = 480;  // for what is said beside the figures, and the buttons
constexpr double words_pixels = 14, words_share = 0.7;  // of the magnification of figures

QColor colorOf(FigureTile::Kind kind, const Theme& theme)
{
    switch (kind) {
    case FigureTile::Kind::overlap:
        return theme.item(ItemRole::overlap2);
    case FigureTile::Kind::blocked:
        return theme.item(ItemRole::freeWait);  // what a wait costs is known at the end
    default:
        return theme.item(ItemRole::kernel);
    }
}

}  // namespace

FigureTile::FigureTile(Kind kind, QWidget* parent)
    : QWidget(parent)
    , m_kind(kind)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setText(QString(), QString());
}

void FigureTile::setShare(std::optional<double> share, const QString& caption)
{
    m_share = share;
    m_value = share ? formatShare(std::round(*share * 100) / 100) : QStringLiteral("–");
    m_caption = caption;
    setAccessibleName(caption + QStringLiteral(": ") + (share ? m_value : tr("not known")));
    updateGeometry();
    update();
}

void FigureTile::setText(const QString& value, const QString& caption)
{
    m_share.reset();
    m_value = value.isEmpty() ? QStringLiteral("–") : value;
    m_caption = caption;
    setAccessibleName(caption + QStringLiteral(": ") + m_value);
    updateGeometry();
    update();
}

void FigureTile::setOld(bool old)
{
    if (old != m_old) {
        m_old = old;
        update();
    }
}

void FigureTile::setMagnification(double times)
{
    m_times = times;
    updateGeometry();
    update();
}

QFont FigureTile::valueFont() const
{
    return bundledFont(value_pixels * m_times, TextStyle::semiBold);
}

QFont FigureTile::captionFont() const
{
    return bundledFont(caption_pixels * m_times);
}

QSize FigureTile::sizeHint() const
{
    const QFontMetrics value(valueFont()), caption(captionFont());
    const QString widest = m_kind == Kind::rate ? QStringLiteral("888 888") : QStringLiteral("100 %");
    const int width = std::max(
        {value.horizontalAdvance(widest), value.horizontalAdvance(m_value), caption.horizontalAdvance(m_caption)});
    return {width + 2, value.height() + caption.height() + static_cast<int>(bar_height * m_times) + 4};
}

QSize FigureTile::minimumSizeHint() const
{
    return sizeHint();
}

void FigureTile::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(palette());
    const QFontMetrics value(valueFont());
    painter.setFont(valueFont());
    painter.setPen(m_old || m_value == QLatin1String("–") ? theme.muted : theme.text);
    painter.drawText(QRect(0, 0, width(), value.height()), Qt::AlignLeft | Qt::AlignVCenter, m_value);
    const int thick = static_cast<int>(bar_height * m_times);
    const QRect bar(0, value.height(), width(), thick);
    if (m_kind != Kind::rate) {
        painter.fillRect(bar, theme.chip);
        const QColor color = colorOf(m_kind, theme);
        const int filled = static_cast<int>(std::lround(std::clamp(m_share.value_or(0), 0.0, 1.0) * bar.width()));
        painter.fillRect(QRect(bar.left(), bar.top(), filled, thick), m_old ? blend(theme.chip, color, 0.4) : color);
    }
    painter.setFont(captionFont());
    painter.setPen(theme.muted);
    painter.drawText(QRect(0, bar.bottom() + 3, width(), QFontMetrics(captionFont()).height()),
        Qt::AlignLeft | Qt::AlignVCenter, m_caption);
}

// ---- the strip

MonitorStrip::MonitorStrip(const QList<QPushButton*>& buttons, QWidget* parent)
    : QWidget(parent)
    , m_busy(new FigureTile(FigureTile::Kind::busy))
    , m_overlap(new FigureTile(FigureTile::Kind::overlap))
    , m_blocked(new FigureTile(FigureTile::Kind::blocked))
    , m_rate(new FigureTile(FigureTile::Kind::rate))
    , m_program(new QLabel)
    , m_state(new QLabel)
    , m_output(new QPlainTextEdit)
{
    setObjectName(QStringLiteral("monitorStrip"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Program that is being recorded"));
    m_busy->setToolTip(tr("Share of the last second in which a GPU was busy"));
    m_overlap->setToolTip(tr("Share of the last second in which two or more streams were busy at once"));
    m_blocked->setToolTip(
        tr("Share of the last second in which a thread was held until GPU work was done: the thread held longest"));
    m_rate->setToolTip(tr("Kernels, copies and memsets of the last second"));
    for (QLabel* label : {m_program, m_state}) {
        label->setTextFormat(Qt::PlainText);
        label->setMinimumWidth(1);
    }
    m_program->setProperty("heading", true);
    m_state->setObjectName(QStringLiteral("monitorState"));
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_state->setWordWrap(true);
    m_output->setObjectName(QStringLiteral("monitorOutput"));
    m_output->setAccessibleName(tr("Output of the program"));
    m_output->setReadOnly(true);
    m_output->setMaximumBlockCount(most_blocks);
    m_output->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_output->hide();

    auto* words = new QHBoxLayout;
    words->setSpacing(10);
    words->addWidget(m_program);
    words->addWidget(m_state, 1);
    auto* below = new QHBoxLayout;
    below->setSpacing(6);
    for (QPushButton* button : buttons) {
        below->addWidget(button);
        button->setVisible(button->isEnabled());
        button->installEventFilter(this);
    }
    below->addStretch();
    auto* right = new QVBoxLayout;
    right->setSpacing(6);
    right->addLayout(words);
    right->addLayout(below);
    auto* row = new QHBoxLayout;
    row->setSpacing(tile_gap);
    for (FigureTile* tile : {m_busy, m_overlap, m_blocked, m_rate}) {
        row->addWidget(tile);
    }
    row->addLayout(right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 6, 12, 8);
    layout->setSpacing(6);
    layout->addLayout(row);
    layout->addWidget(m_output);
    clearFigures();
    hide();
}

/// What cannot be done is not there.
bool MonitorStrip::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::EnabledChange) {
        auto* button = static_cast<QWidget*>(watched);
        button->setVisible(button->isEnabled());
    }
    return QWidget::eventFilter(watched, event);
}

void MonitorStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    makeRoom();
}

/// Where there is little room the last figure makes it.
void MonitorStrip::makeRoom()
{
    int wanted = static_cast<int>(least_words * m_times);
    for (const FigureTile* tile : {m_busy, m_overlap, m_blocked, m_rate}) {
        wanted += tile->sizeHint().width() + tile_gap;
    }
    m_rate->setVisible(width() >= wanted);
}

void MonitorStrip::setState(const QString& program, const QString& state, bool isProblem)
{
    m_program->setText(program);
    m_state->setText(state);
    m_state->setToolTip(state);
    if (auto* discard = findChild<QPushButton*>(QLatin1String(discardName))) {
        discard->setText(isProblem ? tr("Close") : tr("Discard"));  // a program that failed left nothing to discard
    }
    if (m_state->property("problem").toBool() != isProblem) {
        m_state->setProperty("problem", isProblem);
        m_state->style()->unpolish(m_state);
        m_state->style()->polish(m_state);
    }
}

void MonitorStrip::setFigures(const LiveFigures& figures, const QString& thread)
{
    m_busy->setShare(figures.share(figures.gpu_busy), tr("GPU busy"));
    m_overlap->setShare(figures.share(figures.overlap), tr("overlap"));
    const bool named = figures.blocked.value_or(0) > 0 && !thread.isEmpty();
    m_blocked->setShare(
        figures.blocked ? std::optional(figures.share(*figures.blocked)) : std::nullopt, tr("CPU waits"));
    m_blocked->setToolTip(named
            ? tr("Share of the last second in which this thread was held until GPU work was done: %1").arg(thread)
            : tr("Share of the last second in which a thread was held until GPU work was done: the thread held "
                 "longest"));
    m_rate->setText(QLocale().toString(std::llround(figures.operations_a_second())), tr("operations/s"));
    setOld(false);
}

void MonitorStrip::clearFigures()
{
    m_busy->setShare({}, tr("GPU busy"));
    m_overlap->setShare({}, tr("overlap"));
    m_blocked->setShare({}, tr("CPU waits"));
    m_rate->setText({}, tr("operations/s"));
}

void MonitorStrip::setOld(bool old)
{
    for (FigureTile* tile : {m_busy, m_overlap, m_blocked, m_rate}) {
        tile->setOld(old);
    }
}

void MonitorStrip::setMagnification(double times)
{
    if (times == m_times) {
        return;
    }
    m_times = times;
    for (FigureTile* tile : {m_busy, m_overlap, m_blocked, m_rate}) {
        tile->setMagnification(times);
    }
    for (QLabel* label : {m_program, m_state}) {
        label->setStyleSheet(times == 1 ? QString()
                                        : QStringLiteral("QLabel, QLabel[heading=\"true\"] { font-size: %1px }")
                                              .arg(std::lround(words_pixels * times * words_share)));
    }
    makeRoom();
}

void MonitorStrip::clearOutput()
{
    m_output->clear();
}

void MonitorStrip::addOutput(const QString& text)
{
    const QScrollBar* bar = m_output->verticalScrollBar();
    const bool atEnd = bar->value() == bar->maximum();
    QTextCursor end(m_output->document());
    end.movePosition(QTextCursor::End);
    end.insertText(text);
    if (atEnd) {
        m_output->verticalScrollBar()->setValue(bar->maximum());
    }
}

bool MonitorStrip::outputShown() const
{
    return !m_output->isHidden();
}

void MonitorStrip::showOutput(bool shown)
{
    m_output->setFixedHeight(m_output->fontMetrics().lineSpacing() * output_lines + 10);
    m_output->setVisible(shown);
}

QString MonitorStrip::output() const
{
    return m_output->toPlainText();
}

QString MonitorStrip::state() const
{
    return m_state->text();
}

}  // namespace lanes::gui
