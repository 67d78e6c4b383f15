// SPDX-License-Identifier: MIT
// Every command, its keys and what it does, group by group in columns; and what the mouse does.
#pragma once

#include <QDialog>

#include <array>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QTreeWidget;

namespace lanes::gui {

class CommandTable;

class KeysPage : public QDialog {
    Q_OBJECT
public:
    /// The table lives longer.
    explicit KeysPage(const CommandTable& commands, QWidget* parent = nullptr);

private:
    void fill(const QString& words);

    const CommandTable& m_commands;
    QLineEdit* m_words;
    std::array<QTreeWidget*, 3> m_lists;
    QHBoxLayout* m_columns;
    QLabel* m_tip;  ///< what the command under the mouse or the keyboard does
};

}  // namespace lanes::gui
