// SPDX-License-Identifier: MIT
// Takes a lecture through a lesson with two keys, as presenters' remotes have them: Right or Page Down goes on, Left or
// Page Up goes back. What to look at; the steps at which something new happens, of A and then of B; the rule; the next
// lesson. Only on full screen, and in the presenter's notes then: elsewhere these keys are the timeline's.
#pragma once

#include "gui/app/learn/lecture.h"

#include <QObject>

#include <utility>
#include <vector>

namespace lanes::gui {

class StepThrough;

class Presenter : public QObject {
    Q_OBJECT
public:
    /// `notes`: a window whose keys count too.
    Presenter(QMainWindow* window, const QWidget* notes, Lecture* lecture, StepThrough* steps, GuessPage* guess,
        ComparisonView* timeline);

    Lecture::Shown part() const;
    /// At what to look at: another lesson was opened.
    void begin();
    /// One on (1) or back (-1).
    void go(int by);
    /// How many keys lead from what to look at to the rule.
    std::size_t length();
    /// What is on the stage (0) or what that many keys more show there: "What to look at", the sentence of a step, "The
    /// rule"; "" after the rule, and while a run is played.
    QString text(std::size_t ahead);

signals:
    void changed();
    void nextLessonWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void findStops();
    void show();

    QMainWindow* m_window;
    const QWidget* m_notes;
    Lecture* m_lecture;
    StepThrough* m_steps;
    GuessPage* m_guess;
    ComparisonView* m_timeline;
    std::vector<std::pair<int, std::size_t>> m_stops;  ///< side and step; empty until one goes on
    std::size_t m_at = 0;  ///< 0: what to look at; then the stops; after them the rule
    bool m_moving = false;
};

}  // namespace lanes::gui
