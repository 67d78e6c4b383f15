// SPDX-License-Identifier: MIT
// A column beside the lanes for the code of what is selected, which is otherwise at the foot of the column on the left:
// as wide as its longest line at first, then as one leaves it.
#pragma once

#include <QWidget>

class QSplitter;

namespace lanes::gui {

class CodePanel;

class CodeColumn : public QWidget {
    Q_OBJECT
public:
    /// `code` is where it belongs while this is off.
    explicit CodeColumn(CodePanel* code, QWidget* parent = nullptr);

    bool isOn() const { return m_on; }
    /// Takes the code from its place in the column on the left, or gives it back.
    void setOn(bool on);
    /// As wide as the code's lines need, at most two fifths of the columns; where nothing is remembered.
    void fit(QSplitter* columns) const;

private:
    CodePanel* m_code;
    QWidget* m_home;  ///< of the code while this is off
    bool m_on = false;
};

}  // namespace lanes::gui
