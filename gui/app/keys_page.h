// SPDX-License-Identifier: MIT
// Every command with its keys, and what the mouse does: made from the table.
#pragma once

#include <QDialog>

class QLineEdit;
class QTreeWidget;

namespace lanes::gui {

class KeysPage : public QDialog {
    Q_OBJECT
public:
    explicit KeysPage(QWidget* parent = nullptr);

private:
    void fill();
    void filter(const QString& words);

    QLineEdit* m_words;
    QTreeWidget* m_list;
};

}  // namespace lanes::gui
