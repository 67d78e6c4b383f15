// SPDX-License-Identifier: MIT
#include "gui/panels/hit_steps.h"

#include "gui/session/workspace.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace lanes::gui {

HitSteps::HitSteps(QWidget* parent)
    : QWidget(parent)
    , m_previous(new QToolButton)
    , m_status(new QLabel)
    , m_next(new QToolButton)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_previous);
    layout->addWidget(m_status);
    layout->addWidget(m_next);
    m_previous->setText(QStringLiteral("\u2039"));
    m_previous->setToolTip(tr("Previous hit (Shift+F3)"));
    m_previous->setAccessibleName(tr("Previous hit"));
    m_previous->setObjectName(QStringLiteral("hitStep"));
    m_next->setText(QStringLiteral("\u203A"));
    m_next->setToolTip(tr("Next hit (F3)"));
    m_next->setAccessibleName(tr("Next hit"));
    m_next->setObjectName(QStringLiteral("hitStep"));
    m_status->setAlignment(Qt::AlignCenter);
    hide();
}

void HitSteps::observe(Workspace* workspace)
{
    m_workspace = workspace;
    connect(m_previous, &QToolButton::clicked, workspace, [workspace] { workspace->step(-1); });
    connect(m_next, &QToolButton::clicked, workspace, [workspace] { workspace->step(1); });
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
    m_previous->setEnabled(count > 0);
    m_next->setEnabled(count > 0);
    adjustSize();
}

}  // namespace lanes::gui
