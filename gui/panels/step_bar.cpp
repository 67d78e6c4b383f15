// SPDX-License-Identifier: MIT
#include "gui/panels/step_bar.h"

#include "gui/panels/eliding_choice.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

StepBar::StepBar(const QList<QPushButton*>& buttons, const QStringList& speeds, QWidget* parent)
    : QWidget(parent)
    , m_play(buttons.value(1))
    , m_speed(new ElidingChoice)
    , m_position(new QLabel)
    , m_text(new QLabel)
    , m_more(new QLabel)
    , m_columns(new QHBoxLayout(this))
{
    setObjectName(QStringLiteral("stepBar"));
    setAttribute(Qt::WA_StyledBackground);
    m_speed->addItems(speeds);
    m_speed->setAccessibleName(tr("How fast it plays"));
    m_speed->setToolTip(m_speed->accessibleName());
    m_text->setObjectName(QStringLiteral("stepText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setAccessibleName(tr("What happens at this step"));
    m_more->setObjectName(QStringLiteral("stepMore"));
    m_more->setProperty("quiet", true);
    m_more->setTextFormat(Qt::PlainText);
    m_more->setWordWrap(true);
    m_more->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_position->setProperty("quiet", true);
    auto* controls = new QHBoxLayout;
    controls->setSpacing(6);
    for (QPushButton* button : buttons) {
        controls->addWidget(button);
    }
    controls->addWidget(m_speed);
    controls->addSpacing(12);
    controls->addWidget(m_text, 1);
    auto* shut = new QPushButton(tr("Close"));
    shut->setObjectName(QStringLiteral("closeSteps"));
    shut->setToolTip(tr("Ends stepping through the run (F7)"));
    controls->addWidget(shut, 0, Qt::AlignTop);
    auto* under = new QHBoxLayout;
    under->setSpacing(18);
    under->addWidget(m_position, 0, Qt::AlignTop);
    under->addWidget(m_more, 1);
    auto* layout = new QVBoxLayout;
    layout->setSpacing(3);
    layout->addLayout(controls);
    layout->addLayout(under, 1);
    m_columns->setContentsMargins(14, 7, 14, 8);
    m_columns->setSpacing(18);
    m_columns->addLayout(layout, 3);
    connect(m_speed, &QComboBox::activated, this, &StepBar::speedChosen);
    connect(shut, &QPushButton::clicked, this, &StepBar::closeWanted);
}

namespace {

/// A number stays beside its unit where a text is broken.
QString unbroken(QString text)
{
    static const QRegularExpression unit(
        QStringLiteral("(?<=\\d) (?=(?:ns|µs|ms|s|[KMGT]i?B|B|[kMGT]?B/s|%)(?![A-Za-z]))"));
    return text.replace(unit, QString(QChar::Nbsp));
}

}  // namespace

void StepBar::say(const StepWords& words)
{
    m_position->setText(words.position);
    const int wanted = m_position->sizeHint().width();  // as its figures change, nothing beside it moves
    m_position->setMinimumWidth(std::max(m_position->minimumWidth(), wanted));
    m_text->setText(unbroken(words.text));
    m_more->setText(unbroken(words.more.join(QLatin1Char('\n'))));
}

void StepBar::setPlaying(bool playing)
{
    m_playing = playing;
    int width = 0;  // of the wider word: nothing beside it moves
    for (const QString& text : {tr("Pause"), tr("Play")}) {
        m_play->setText(text);
        width = std::max(width, m_play->sizeHint().width());
    }
    m_play->setMinimumWidth(width);
    m_play->setText(playing ? tr("Pause") : tr("Play"));
}

/// Only now the button has its style.
void StepBar::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    setPlaying(m_playing);
}

void StepBar::setBeside(QWidget* widget)
{
    m_columns->addWidget(widget, 2);
}

void StepBar::setSpeed(int speed)
{
    m_speed->setCurrentIndex(speed);
}

void StepBar::setLarge(double times)
{
    const auto pixels = [times](double size) { return QString::number(std::lround(size * times)); };
    const QString sheet = times <= 0
        ? QString()
        : QStringLiteral(
            "QLabel#stepText { font-size: %1px; } QLabel { font-size: %2px; } QPushButton, QComboBox "
            "{ font-size: %2px; padding: %3px %4px; min-height: %5px; } QComboBox::drop-down { width: %6px; } "
            "QComboBox::down-arrow { width: %7px; height: %7px; }")
              .arg(pixels(16), pixels(12.5), pixels(3), pixels(9), pixels(17), pixels(18), pixels(9));
    if (sheet == styleSheet()) {
        return;
    }
    setStyleSheet(sheet);
    m_position->setMinimumWidth(0);
    setPlaying(m_playing);
}

QString StepBar::text() const
{
    return m_text->text().replace(QChar::Nbsp, QLatin1Char(' '));
}

}  // namespace lanes::gui
