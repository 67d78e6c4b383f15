// SPDX-License-Identifier: MIT
// What a workload's author has to say of it, in the window's language, beside its
// lanes: what to look at, why it is so, the rule to remember. And which two of its
// variants are side by side.
#pragma once

#include "engine/analysis/lesson_texts.h"

#include <QWidget>

#include <memory>
#include <string>

class QBoxLayout;
class QComboBox;
class QLabel;
class QLayout;
class QPushButton;
class QStackedWidget;

namespace lanes::gui {

class LessonPanel : public QWidget {
    Q_OBJECT
public:
    explicit LessonPanel(QWidget* parent = nullptr);

    /// Null: says where lessons are. `runs` are the recordings that are open, at most two, whose figures the texts
    /// give.
    void present(const std::shared_ptr<const Workload>& workload, const std::vector<LessonRun>& runs);
    const std::shared_ptr<const Workload>& workload() const { return m_workload; }
    QString title() const;
    /// A line under the title: what was expected and what it was; "": none.
    void setOutcome(const QString& text);

    /// Which lesson of how many it is ("3 of 24"), and whether there is one before it and one after it. `course`: its
    /// chapter, minutes and what comes before it, "": it is in no course.
    void setPlace(const QString& place, const QString& course, bool previous, bool next);
    /// Whether it can run on a GPU of this machine; where not, nothing offers that.
    void setHere(bool possible);

    /// "What to look at", "Why", "The rule" with their texts, as they are shown; for the lecture and for tests.
    struct Section {
        QString heading, text;

        bool operator==(const Section&) const = default;
    };
    std::vector<Section> sections() const;

signals:
    /// Open these two; `b` is empty for one alone.
    void compareWanted(const std::string& a, const std::string& b);
    /// All variants beside one another.
    void allWanted();
    /// The lesson before (-1) or after (1) this one.
    void otherWanted(int by);
    /// Run it on this machine's GPU, beside the recording that came with Lanescope.
    void hereWanted();
    /// Its questions.
    void quizWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHead();
    QLayout* makePlace();
    QLayout* makeVariants();
    QLayout* makeButtons();
    void buildSections();
    QWidget* makePage();
    void compare();
    void sayAbout();
    void sayExercise(const std::vector<LessonRun>& runs);

    std::shared_ptr<const Workload> m_workload;
    QString m_course;
    QStackedWidget* m_stack;
    QLabel* m_title;
    QLabel* m_outcome;
    QLabel* m_place;
    QLabel* m_about;  ///< the course, and why it matters
    QLabel* m_exercise;
    QPushButton* m_quiz;
    QPushButton* m_previous;
    QPushButton* m_next;
    QPushButton* m_here;
    QComboBox* m_variants[2];
    QWidget* m_choice;
    QBoxLayout* m_head;
    QBoxLayout* m_choiceParts = nullptr;
    QBoxLayout* m_columns;
    struct Column {
        QLabel* heading;
        QLabel* text;
    };
    Column m_sections[3];
};

}  // namespace lanes::gui
