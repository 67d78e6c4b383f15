// SPDX-License-Identifier: MIT
#include "gui/app/commands/command.h"

#include "gui/session/texts.h"

namespace lanes::gui {

QString plainText(const Command& command)
{
    QString text = command.text;
    if (const qsizetype bracket = text.indexOf(QLatin1String("(&")); bracket > 0) {
        text.remove(bracket, 4);  // Chinese menus have the mnemonic after the text
    }
    return text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

QString menuText(Menu menu)
{
    switch (menu) {
    case Menu::file:
        return tr("&File");
    case Menu::edit:
        return tr("&Edit");
    case Menu::view:
        return tr("&View");
    case Menu::scope:
        return tr("Scope of figu&res");
    case Menu::lanes:
        return tr("La&nes");
    case Menu::theme:
        return tr("&Theme and text size");
    case Menu::language:
        return tr("Lang&uage");
    case Menu::go:
        return tr("&Go");
    case Menu::compare:
        return tr("&Compare");
    case Menu::lesson:
        return tr("&Lesson");
    case Menu::run:
        return tr("&Run");
    case Menu::help:
        return tr("&Help");
    }
    return {};
}

QList<QKeySequence> windowKeys(const Command& command)
{
    if (command.chosenKeys) {
        return *command.chosenKeys;
    }
    QList<QKeySequence> keys;
    for (const QString& key : QString::fromLatin1(command.keys).split(QStringLiteral("; "), Qt::SkipEmptyParts)) {
        keys += QKeySequence(key, QKeySequence::PortableText);
    }
    return keys;
}

QList<QKeySequence> timelineKeys(const Command& command)
{
    return command.timeline ? keysOf(*command.timeline) : QList<QKeySequence>();
}

QString keysText(const Command& command)
{
    QStringList texts;
    for (const QKeySequence& key : windowKeys(command) + timelineKeys(command)) {
        if (const QString text = key.toString(QKeySequence::NativeText); !texts.contains(text)) {
            texts += text;
        }
    }
    return texts.join(QStringLiteral(", "));
}

QString tooltipOf(const Command& command)
{
    const QString keys = keysText(command);
    return keys.isEmpty() ? command.tip : QStringLiteral("%1 (%2)").arg(command.tip, keys);
}

}  // namespace lanes::gui
