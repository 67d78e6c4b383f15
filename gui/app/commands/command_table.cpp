// SPDX-License-Identifier: MIT
#include "gui/app/commands/command_table.h"

namespace lanes::gui {

namespace {

QList<QKeySequence> allKeys(const Command& command)
{
    QList<QKeySequence> keys = windowKeys(command);
    for (const QKeySequence& key : timelineKeys(command)) {
        if (!keys.contains(key)) {
            keys += key;
        }
    }
    return keys;
}

/// As the table has them, whatever was chosen.
QList<QKeySequence> ownKeys(Command command)
{
    command.chosenKeys.reset();
    QList<QKeySequence> keys = windowKeys(command);
    for (const TimelineActionInfo& info : timelineActions()) {
        keys += info.action == command.timeline ? info.keys : QList<QKeySequence>();
    }
    return keys;
}

/// A letter, a sign or an arrow without Ctrl or Alt: text fields and tables need it for themselves.
bool isOfTimeline(const QKeySequence& key)
{
    const QKeyCombination pressed = key[0];
    const bool isFunction = pressed.key() >= Qt::Key_F1 && pressed.key() <= Qt::Key_F35;
    return !isFunction && (pressed.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier)) == Qt::NoModifier;
}

}  // namespace

void CommandTable::setKeys(const KeyChoice& choice)
{
    m_keys = choice;
    setWheelZooms(choice.wheelZooms);
    for (Command& command : m_rows) {
        command.chosenKeys.reset();
        if (command.timeline) {
            lanes::gui::setKeys(*command.timeline, {});
        }
        const auto chosen = choice.keys.find(command.id);
        if (chosen == choice.keys.end()) {
            continue;
        }
        if (!command.timeline) {
            command.chosenKeys = *chosen;
            continue;
        }
        // A key stays where the table has it; a new one goes where it takes nothing from texts and tables.
        const QList<QKeySequence> everywhere = windowKeys(command), there = timelineKeys(command);
        QList<QKeySequence> ofWindow, ofTimeline;
        for (const QKeySequence& key : *chosen) {
            const bool isKnown = everywhere.contains(key) || there.contains(key);
            if (isKnown ? everywhere.contains(key) : !isOfTimeline(key)) {
                ofWindow += key;
            }
            if (isKnown ? there.contains(key) : isOfTimeline(key)) {
                ofTimeline += key;
            }
        }
        command.chosenKeys = ofWindow;
        lanes::gui::setKeys(*command.timeline, ofTimeline);
    }
}

const Command* CommandTable::owner(const QKeySequence& key) const
{
    const auto found = std::find_if(
        m_rows.begin(), m_rows.end(), [&](const Command& command) { return allKeys(command).contains(key); });
    return found == m_rows.end() ? nullptr : &*found;
}

KeyChoice CommandTable::withKey(const QByteArray& id, const QKeySequence& key) const
{
    KeyChoice choice = m_keys;
    if (const Command* former = owner(key); former != nullptr && former->id != id) {
        QList<QKeySequence> left = allKeys(*former);
        left.removeAll(key);
        choice.keys[former->id] = left;
    }
    if (const Command* command = find(id); command != nullptr && !allKeys(*command).contains(key)) {
        choice.keys[id] = allKeys(*command) << key;
    }
    return choice;
}

KeyChoice CommandTable::withOwnKeys(const QByteArray& id) const
{
    KeyChoice choice = m_keys;
    choice.keys.remove(id);
    const Command* command = find(id);
    const QList<QKeySequence> own = command != nullptr ? ownKeys(*command) : QList<QKeySequence>();
    for (const Command& other : m_rows) {
        QList<QKeySequence> left = allKeys(other);
        if (other.id != id && left.removeIf([&](const QKeySequence& key) { return own.contains(key); }) > 0) {
            choice.keys[other.id] = left;
        }
    }
    return choice;
}

}  // namespace lanes::gui
