// SPDX-License-Identifier: MIT
// The window for a lecture hall: nothing but the title, the lanes, and what to see in
// them, all of it large; while stepping through the run, the code with its line lit. Esc leaves it.
#pragma once

#include <QLabel>
#include <QObject>

#include <vector>

class QMainWindow;

namespace lanes::gui {

class CodePanel;
class ComparisonView;
class LessonPanel;
class StepBar;

class Lecture : public QObject {
    Q_OBJECT
public:
    /// `hidden` are the parts of the window that make room.
    Lecture(QMainWindow* window, ComparisonView* timeline, LessonPanel* lesson, StepBar* steps,
        std::vector<QWidget*> hidden);

    /// To be laid out over and under the lanes.
    QLabel* title() const { return m_title; }
    QLabel* text() const { return m_text; }
    CodePanel* code() const { return m_code; }

    bool isOn() const { return m_on; }
    void setOn(bool on);
    /// After the lesson changed, or stepping was turned on or off; `fallback` is the title where there is no lesson.
    void refresh(const QString& fallback, bool stepping);

    /// How many times as large as usual things are on a screen of that height, logical pixels.
    static double magnificationFor(int height);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void size();

    QMainWindow* m_window;
    ComparisonView* m_timeline;
    LessonPanel* m_lesson;
    StepBar* m_steps;
    std::vector<QWidget*> m_hidden;
    std::vector<QWidget*> m_toShow;  // of those, what was shown before
    Qt::WindowStates m_before;
    QLabel* m_title;
    QLabel* m_text;
    CodePanel* m_code;
    bool m_on = false;
};

}  // namespace lanes::gui
