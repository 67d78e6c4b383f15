// SPDX-License-Identifier: MIT
// Every command, its keys and what it does, group by group in columns; and what the mouse does. The keys can be
// changed, one command at a time or to those of another viewer.
#pragma once

#include <QDialog>
#include <QKeySequence>

#include <array>
#include <functional>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace lanes::gui {

class CommandTable;
struct Command;
struct KeyChoice;

class KeysPage : public QDialog {
    Q_OBJECT
public:
    /// The table lives longer; `choose` gives it other keys and has everyone show them.
    KeysPage(const CommandTable& commands, std::function<void(const KeyChoice&)> choose, QWidget* parent = nullptr);

private:
    void fill();
    QWidget* presetRow();
    QWidget* editRow();
    void take(const QTreeWidgetItem* item);
    void takeKey(const QKeySequence& key);
    void choose(const KeyChoice& choice);
    void showChoice();
    const Command* command() const;

    const CommandTable& m_commands;
    std::function<void(const KeyChoice&)> m_choose;
    QLineEdit* m_words;
    std::array<QTreeWidget*, 3> m_lists;
    QHBoxLayout* m_columns;
    QLabel* m_tip;  ///< what the command under the mouse or the keyboard does, or who has the key that was pressed
    QComboBox* m_presets;
    QLabel* m_name;  ///< of the command whose keys are changed
    QLineEdit* m_field;  ///< where the new key is pressed
    QPushButton* m_add;
    QPushButton* m_remove;
    QPushButton* m_own;
    QByteArray m_id;
    QKeySequence m_key;
};

}  // namespace lanes::gui
