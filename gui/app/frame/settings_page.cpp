// SPDX-License-Identifier: MIT
#include "gui/app/frame/settings_page.h"

#include "gui/app/commands/command_table.h"

#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace lanes::gui {

namespace {

/// What is shown for a while only is no setting.
bool passes(const Command& command)
{
    return qstrcmp(command.id, "view.full-screen") == 0 || qstrcmp(command.id, "view.frame-times") == 0;
}

}  // namespace

SettingsPage::SettingsPage(const CommandTable& commands, QWidget* window)
    : QDialog(window)
    , m_commands(commands)
    , m_window(window)
{
    setWindowTitle(tr("Settings"));
    setObjectName(QStringLiteral("settingsPage"));
    auto* layout = new QVBoxLayout(this);
    layout->setSizeConstraint(QLayout::SetFixedSize);  // it follows the size of the text
    layout->setSpacing(4);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(40);
    layout->addLayout(columns);
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    for (QVBoxLayout* column : {left, right}) {
        column->setSpacing(4);
        columns->addLayout(column);
    }
    addChoice(left, tr("Theme"), "theme.");
    addChoice(left, tr("Text size"), "text.");
    addChoice(right, tr("Language"), "language.");
    addSwitches(right, tr("Shown"));
    left->addStretch();
    right->addStretch();

    auto* keys = new QPushButton(tr("All keys"));
    keys->setObjectName(QStringLiteral("settingsKeys"));
    keys->setAutoDefault(false);
    connect(keys, &QPushButton::clicked, this, [this] {
        if (auto* action = m_window->findChild<QAction*>(QStringLiteral("help.keys"))) {
            action->trigger();
        }
    });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setIcon({});
    buttons->button(QDialogButtonBox::Close)->setText(tr("Close"));  // Qt's own translations may not be there
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(0, 14, 0, 0);
    bottom->addWidget(keys);
    bottom->addStretch();
    bottom->addWidget(buttons);
    layout->addLayout(bottom);
}

void SettingsPage::addChoice(QVBoxLayout* layout, const QString& heading, const char* ids)
{
    auto* title = new QLabel(heading);
    title->setProperty("heading", true);
    layout->addWidget(title);
    auto* group = new QButtonGroup(this);
    for (const Command& command : m_commands) {
        if (QByteArray(command.id).startsWith(ids)) {
            auto* button = new QRadioButton(plainText(command));
            group->addButton(button);
            addRow(layout, button, command, heading);
        }
    }
    layout->addSpacing(12);
}

void SettingsPage::addSwitches(QVBoxLayout* layout, const QString& heading)
{
    auto* title = new QLabel(heading);
    title->setProperty("heading", true);
    layout->addWidget(title);
    for (const Command& command : m_commands) {
        if (command.menu == Menu::view && command.checked && !passes(command)) {
            addRow(layout, new QCheckBox(plainText(command)), command, heading);
        }
    }
    layout->addSpacing(12);
}

void SettingsPage::addRow(QVBoxLayout* layout, QAbstractButton* button, const Command& command, const QString& heading)
{
    auto* action = m_window->findChild<QAction*>(QLatin1String(command.id));
    if (action == nullptr) {
        delete button;
        return;
    }
    button->setObjectName(QLatin1String("settings.") + QLatin1String(command.id));
    button->setToolTip(tooltipOf(command));
    button->setAccessibleDescription(heading + QStringLiteral(": ") + command.tip);
    const auto follow = [button, action] {
        button->setChecked(action->isChecked());
        button->setEnabled(action->isEnabled());
    };
    connect(action, &QAction::changed, button, follow);
    connect(button, &QAbstractButton::clicked, action, &QAction::trigger);
    follow();
    auto* row = new QHBoxLayout;
    row->addWidget(button);
    row->addStretch();
    if (const QString keys = keysText(command); !keys.isEmpty()) {
        auto* shown = new QLabel(keys);
        shown->setProperty("quiet", true);
        row->addSpacing(20);
        row->addWidget(shown);
    }
    layout->addLayout(row);
}

}  // namespace lanes::gui
