// SPDX-License-Identifier: MIT
// Every command of a window, filled by its controllers. Menus, keys, tooltips and the page of keys are made from it
// and from nothing else, so they cannot disagree. Within a menu commands are in the order in which they were added.
#pragma once

#include "gui/app/commands/command.h"
#include "gui/app/commands/key_choice.h"

#include <QByteArray>

#include <algorithm>
#include <vector>

namespace lanes::gui {

class CommandTable {
public:
    void add(Command command) { m_rows.push_back(std::move(command)); }
    /// Null where there is none.
    const Command* find(const QByteArray& id) const
    {
        const auto found
            = std::find_if(m_rows.begin(), m_rows.end(), [&](const Command& command) { return id == command.id; });
        return found == m_rows.end() ? nullptr : &*found;
    }
    /// Gives the commands their keys; those that the choice does not name get back their own. Who shows keys asks
    /// again.
    void setKeys(const KeyChoice& choice);
    const KeyChoice& keys() const { return m_keys; }
    /// The choice with this key at that command and at no other one.
    KeyChoice withKey(const QByteArray& id, const QKeySequence& key) const;
    /// The choice with the table's own keys at that command, and these at no other one.
    KeyChoice withOwnKeys(const QByteArray& id) const;
    /// The command that has the key; null if none has.
    const Command* owner(const QKeySequence& key) const;
    std::size_t size() const { return m_rows.size(); }
    auto begin() const { return m_rows.begin(); }
    auto end() const { return m_rows.end(); }

private:
    std::vector<Command> m_rows;
    KeyChoice m_keys;
};

}  // namespace lanes::gui
