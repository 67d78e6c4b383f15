// SPDX-License-Identifier: MIT
#include "gui/app/frame/scope_bar.h"

#include "gui/app/commands/command_actions.h"
#include "gui/paint/words/scope_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/session/workspace.h"
#include "gui/timeline/timeline_pair.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace lanes::gui {

namespace {

constexpr const char* scope_commands[Scope::count] = {"scope.repeated", "scope.visible", "scope.selected", "scope.all"};

}  // namespace

ScopeBar::ScopeBar(Workspace* workspace, CommandActions* actions, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
{
    setObjectName(QStringLiteral("scopeBar"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Scope"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 3, 12, 3);
    layout->setSpacing(0);
    auto* title = new QLabel(tr("Scope"));
    title->setProperty("quiet", true);
    title->setToolTip(tr("The part that all figures, findings, tables and exports are of"));
    layout->addWidget(title);
    layout->addSpacing(8);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        m_parts[i] = actions->button(scope_commands[i], {});
        m_parts[i]->setProperty("segment", true);
        m_parts[i]->setFocusPolicy(Qt::TabFocus);
        layout->addWidget(m_parts[i]);
    }
    layout->addStretch(1);
    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, &ScopeBar::read);
    for (const auto signal : {&Workspace::changed, &Workspace::renewed, &Workspace::scopeChanged,
             &Workspace::selectedRangesChanged, &Workspace::visibleRangesChanged}) {
        connect(workspace, signal, this, [this] { m_later.start(); });
    }
    read();
}

void ScopeBar::addCommands(CommandTable& table, Workspace* workspace)
{
    const auto add = [&](const QString& text, const QString& tip, Scope::Of of, const char* keys) {
        table.add({scope_commands[static_cast<std::size_t>(of)], text, tip, Menu::scope, keys,
            [workspace, of] { return workspace->pair()->ranges(of).has_value(); },
            [workspace, of] { workspace->chooseScope(of); },
            [workspace, of] { return workspace->count() > 0 && workspace->scope().of == of; }});
    };
    add(tr("&Repeating part"), tr("All figures are of the part of a program that repeats, without its start-up"),
        Scope::Of::repeated, "Alt+1");
    add(tr("&Visible"), tr("All figures are of what is in view, and follow it"), Scope::Of::visible, "Alt+2");
    add(tr("&Selection"), tr("All figures are of the selected range; selecting one chooses this"), Scope::Of::selected,
        "Alt+3");
    add(tr("&All"), tr("All figures are of all that was recorded"), Scope::Of::all, "Alt+4");
}

/// "3 × 32.7 ms (mean)" of what repeats, else "31.8 ms"; of two recordings both. "–": there is no such part.
QString ScopeBar::lengthOf(Scope::Of of) const
{
    const auto ranges = m_workspace->pair()->ranges(of);
    if (!ranges) {
        return QStringLiteral("–");
    }
    if (of == Scope::Of::repeated && m_workspace->count() == 1) {
        const Ns all = length(ranges->front());
        const auto count = static_cast<Ns>(m_workspace->at(0)->report->steady->count);
        return count > 0 ? tr("%L1 × %2 (mean)").arg(count).arg(formatTime(all / count)) : formatTime(all);
    }
    return scopeLengths(*ranges, static_cast<std::size_t>(m_workspace->count()));
}

void ScopeBar::read()
{
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const auto of = static_cast<Scope::Of>(i);
        QPushButton* part = m_parts[i];
        const bool isIteration = of == Scope::Of::repeated && m_workspace->pair()->iterations();
        const QString lengths = lengthOf(of);
        part->setText(QStringLiteral("%1  %2").arg(isIteration ? tr("One iteration") : scopeName(of), lengths));
        // As wide as lengths become while one zooms, so that nothing moves under the mouse.
        const auto widestLengths = lengths.contains(QLatin1Char('|')) ? QStringLiteral("  000.0 ms | 000.0 ms")
                                                                      : QStringLiteral("  000.0 ms");
        const int widest = part->fontMetrics().horizontalAdvance(scopeName(of) + widestLengths) + 22;
        part->setMinimumWidth(of == Scope::Of::repeated ? 0 : widest);
    }
}

void ScopeBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        m_later.start();
    }
    QWidget::changeEvent(event);
}

}  // namespace lanes::gui
