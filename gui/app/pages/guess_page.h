// SPDX-License-Identifier: MIT
// Asks what the user expects before the lanes are shown: totals to choose from, by the
// mouse or the keys 1 to 4.
#pragma once

#include "gui/session/expectation.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lanes::gui {

class GuessPage : public QWidget {
    Q_OBJECT
public:
    explicit GuessPage(QWidget* parent = nullptr);

    /// `what` is the workload's description; `a` and `b` are the variants' titles.
    void ask(
        const QString& title, const QString& what, const QString& a, const QString& b, const Expectation& expectation);

signals:
    void chosen(std::size_t choice);
    void skipped();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLabel* m_title;
    QLabel* m_what;
    QLabel* m_question;
    QVBoxLayout* m_choices;
    QList<QPushButton*> m_buttons;
};

}  // namespace lanes::gui
