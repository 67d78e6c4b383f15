// SPDX-License-Identifier: MIT
#include "gui/app/pages/top_bar.h"

#include "gui/app/commands/command_actions.h"
#include "gui/app/runs/device_choice.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace lanes::gui {

TopBar::TopBar(CommandActions* actions, QWidget* parent)
    : QWidget(parent)
    , m_caption(new QLabel)
    , m_run(actions->button("run.run", tr("Run")))
    , m_runAll(actions->button("run.all", tr("Run all")))
    , m_device(new DeviceChoice)
{
    setObjectName(QStringLiteral("topBar"));
    setAttribute(Qt::WA_StyledBackground);
    auto* brand = new QLabel(QStringLiteral("Lanescope"));
    brand->setObjectName(QStringLiteral("brand"));
    m_caption->setObjectName(QStringLiteral("caption"));
    m_caption->setSizePolicy(QSizePolicy::Ignored,
        QSizePolicy::Preferred);  // where there is little room the caption is cut, not the buttons
    m_run->setObjectName(QStringLiteral("run"));
    m_runAll->setObjectName(QStringLiteral("runAll"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 7, 12, 7);
    layout->setSpacing(8);
    layout->addWidget(brand);
    layout->addSpacing(4);
    layout->addWidget(actions->button("lesson.gallery", tr("Gallery")));
    layout->addSpacing(4);
    layout->addWidget(m_caption, 1);
    layout->addWidget(m_run);
    layout->addWidget(m_runAll);
    layout->addWidget(m_device);
    layout->addWidget(actions->button("view.fit", tr("Fit")));
    layout->addWidget(actions->button("file.export", tr("Export…")));
}

void TopBar::setCaption(const QString& text)
{
    m_caption->setText(text);
}

void TopBar::refresh(bool both)
{
    const bool opens = m_device->device().kind == RunDevice::Kind::recorded;
    m_run->setText(opens ? (both ? tr("Open both") : tr("Open")) : (both ? tr("▶  Run both") : tr("▶  Run")));
    m_runAll->setText(opens ? tr("Open all") : tr("Run all"));
}

}  // namespace lanes::gui
