// SPDX-License-Identifier: MIT
// The window as a stage for a lecture hall: the lanes of what is compared, all of them in sight, and under them one
// strip with what to look at, with the step and three lines of its code, or with the rule; all of it large. The strip
// keeps its height, so that the lanes stay where they are. Esc leaves it.
#pragma once

#include <QLabel>
#include <QObject>

#include <vector>

class QMainWindow;

namespace lanes::gui {

class CodePanel;
class ComparisonView;
class GuessPage;
class LegendStrip;
class LessonPanel;
class StepBar;

class Lecture : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QMainWindow* window;
        ComparisonView* timeline;
        LessonPanel* lesson;
        StepBar* steps;
        GuessPage* guess;
        LegendStrip* legend;
        std::vector<QWidget*> hidden;  ///< what makes room
    };
    explicit Lecture(const Parts& parts);

    /// What the strip shows.
    enum class Shown : std::uint8_t { look, steps, rule };

    /// To be laid out under the lanes.
    QLabel* text() const { return m_text; }
    /// Beside the words of the steps.
    CodePanel* code() const { return m_code; }

    bool isOn() const { return m_on; }
    void setOn(bool on);
    /// After the lesson or the part changed; `fallback` is the title where there is no lesson.
    void refresh(const QString& fallback, Shown part);
    /// What was expected and what it was; "": nothing was asked.
    void setOutcome(const QString& text);
    /// "3 of 24", and the title of the lesson that follows; both may be empty.
    void setPlace(const QString& place, const QString& next);

    /// How many times as large as usual things are on a screen of that height, logical pixels.
    static double magnificationFor(int height);

signals:
    void turned(bool on);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void size();
    void say();
    int stripHeight() const;
    bool says() const;

    Parts m_parts;
    std::vector<QWidget*> m_toShow;  // of what is hidden, what was shown before
    Qt::WindowStates m_before;
    QLabel* m_text;
    CodePanel* m_code;
    QString m_fallback, m_outcome, m_place, m_next;
    Shown m_part = Shown::look;
    bool m_on = false;
};

}  // namespace lanes::gui
