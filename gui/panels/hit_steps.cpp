// SPDX-License-Identifier: MIT
#include "gui/panels/hit_steps.h"

#include "gui/session/workspace.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace lanes::gui {

HitSteps::HitSteps(QWidget* parent)
    : QWidget(parent)
    , m_buttons(new QToolButton, new QToolButton)
    , m_status(new QLabel)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_buttons.previous);
    layout->addWidget(m_status);
    layout->addWidget(m_buttons.next);
    m_buttons.previous->setObjectName(QStringLiteral("hitStep"));
    m_buttons.next->setObjectName(QStringLiteral("hitStep"));
    m_status->setAlignment(Qt::AlignCenter);
    hide();
}

void HitSteps::observe(Workspace* workspace)
{
    m_workspace = workspace;
    connect(m_buttons.previous, &QAbstractButton::clicked, workspace, [workspace] { workspace->step(-1); });
    connect(m_buttons.next, &QAbstractButton::clicked, workspace, [workspace] { workspace->step(1); });
    connect(workspace, &Workspace::walkChanged, this, &HitSteps::refresh);
}

void HitSteps::follow(const QString& title)
{
    m_title = title;
    refresh();
}

QString HitSteps::statusText() const
{
    return m_status->text();
}

void HitSteps::refresh()
{
    const Workspace::Walk walk = m_workspace != nullptr ? m_workspace->walk() : Workspace::Walk {};
    setVisible(!m_title.isEmpty() && walk.title == m_title);
    const auto count = static_cast<qulonglong>(walk.count);
    m_status->setText(walk.current ? tr("%L1 of %L2").arg(static_cast<qulonglong>(*walk.current) + 1).arg(count)
            : count == 0           ? tr("none")
                                   : tr("%L1 found").arg(count));
    m_status->setToolTip(walk.title);
    m_buttons.setEnabled(count > 0);
    adjustSize();
}

}  // namespace lanes::gui
