// SPDX-License-Identifier: MIT
// Asks what the user expects before the lanes are shown: totals to choose from, by the
// mouse or the keys 1 to 4. On full screen it is a page for a hall: the question alone, large; keys and clicks count
// hands there, and Right, Page Down or Enter ends the count.
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

    /// `facts`: in what the two differ, one a line, and nothing of what follows from it; `a` and `b` are the variants'
    /// titles.
    void ask(const QString& title, const QStringList& facts, const QString& a, const QString& b,
        const Expectation& expectation);
    /// Everything that many times as large, with a count of hands; 0: for one person.
    void setLarge(double times);
    /// Of a count of hands, else empty.
    std::vector<int> hands() const;
    /// Ends the count where there is one: shows what was asked.
    void finish();

signals:
    void chosen(std::size_t choice);
    void counted(const std::vector<int>& hands);
    void skipped();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(std::size_t choice);
    void label();

    QLabel* m_title;
    QLabel* m_heading;
    QLabel* m_facts;
    QLabel* m_question;
    QLabel* m_hint;
    QWidget* m_centre;
    QVBoxLayout* m_choices;
    QPushButton* m_skip;
    QList<QPushButton*> m_buttons;
    QStringList m_texts;  ///< of the choices
    std::vector<int> m_hands;
    double m_times = 0;
};

}  // namespace lanes::gui
