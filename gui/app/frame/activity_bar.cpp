// SPDX-License-Identifier: MIT
#include "gui/app/frame/activity_bar.h"

#include "gui/paint/words/printable_text.h"
#include "gui/panels/eliding_label.h"
#include "gui/panels/progress.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>

namespace lanes::gui {

namespace {

constexpr int delay_ms = 120;

}  // namespace

ActivityBar::ActivityBar(QWidget* parent)
    : QWidget(parent)
    , m_title(new ElidingLabel)
    , m_progress(new QProgressBar)
    , m_cancel(new QPushButton(tr("Cancel")))
{
    setObjectName(QStringLiteral("activityBar"));
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 5, 12, 5);
    layout->setSpacing(12);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));
    m_cancel->setObjectName(QStringLiteral("cancel"));
    m_cancel->setToolTip(tr("Stop the current task"));
    layout->addWidget(m_title);
    layout->addWidget(m_progress, 1);
    layout->addWidget(m_cancel);
    m_delay.setSingleShot(true);
    m_delay.setInterval(delay_ms);
    connect(&m_delay, &QTimer::timeout, this, &QWidget::show);
    connect(m_cancel, &QPushButton::clicked, this, &ActivityBar::cancelWanted);
    hide();
}

void ActivityBar::begin(const QString& title)
{
    m_title->setText(printable(title));
    m_title->setToolTip(m_title->text());
    m_progress->setAccessibleDescription(m_title->text());
    m_progress->setRange(0, 0);  // moves until the work says how far it is
    if (isHidden()) {
        m_delay.start();
    }
}

void ActivityBar::setProgress(double fraction)
{
    gui::setProgress(*m_progress, fraction);
}

QString ActivityBar::title() const
{
    return m_title->text();
}

void ActivityBar::end()
{
    m_delay.stop();
    hide();
}

}  // namespace lanes::gui
