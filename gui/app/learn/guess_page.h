// SPDX-License-Identifier: MIT
// Asks what the user expects before the lanes are shown: a question and answers to choose from, by the mouse or the
// keys 1 to 4. It may then say which answer is right, and of each other why it is not. On full screen it is a page for
// a hall: the question alone, large; keys and clicks count hands there, and Right, Page Down or Enter ends the count.
#pragma once

#include <QFrame>
#include <QStringList>

#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lanes::gui {

class GuessPage : public QFrame {
    Q_OBJECT
public:
    explicit GuessPage(QWidget* parent = nullptr);

    /// `facts`: what is known, one a line, and nothing of what follows from it.
    void ask(const QString& title, const QStringList& facts, const QString& question, const QStringList& choices);
    /// Marks the right answer and the one that was chosen (-1: none, or a hall's), and says why of each; `next` is on
    /// the button that goes on, as do Right, Page Down and Enter.
    void answer(std::size_t right, int chosen, const QStringList& whys, const QString& next);
    bool isAnswered() const { return m_right >= 0; }
    /// Everything that many times as large, with a count of hands; 0: for one person.
    void setLarge(double times);
    /// Of a count of hands, else empty.
    std::vector<int> hands() const;
    /// Ends the count where there is one, else goes on after an answer.
    void finish();

signals:
    void chosen(std::size_t choice);
    void counted(const std::vector<int>& hands);
    void skipped();
    void nextWanted();  ///< after an answer

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
    QLabel* m_whys;
    QPushButton* m_next;
    QPushButton* m_skip;
    QList<QPushButton*> m_buttons;
    QStringList m_texts;  ///< of the choices
    std::vector<int> m_hands;
    double m_times = 0;
    int m_right = -1, m_chosen = -1;  ///< of an answer
};

}  // namespace lanes::gui
