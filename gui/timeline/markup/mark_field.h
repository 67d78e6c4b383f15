// SPDX-License-Identifier: MIT
// The small field in which a mark's text is written, in its place on the ruler. Enter keeps the text, and so
// does leaving the field; Escape discards it. The field deletes itself afterwards.
#pragma once

#include <QLineEdit>

namespace lanes::gui {

class MarkField : public QLineEdit {
    Q_OBJECT

public:
    MarkField(const QString& text, QWidget* parent);

signals:
    /// Exactly once; `kept` is false after Escape.
    void ended(bool kept, const QString& text);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void end(bool kept);
    bool m_ended = false;
};

}  // namespace lanes::gui
