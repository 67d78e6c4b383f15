// SPDX-License-Identifier: MIT
// Lessons: the gallery, the lesson of what is open, the question what the user expects, stepping through a
// run, and the lecture hall.
#pragma once

#include "gui/app/commands/command_table.h"
#include "gui/app/run/run_request.h"
#include "gui/session/expectation.h"

#include <QObject>
#include <QStringList>

class QSettings;

namespace lanes::gui {

class ComparisonView;
class DeviceChoice;
class Lecture;
class LessonPanel;
class ParameterForm;
class Presenter;
class PresenterNotes;
class Runs;
class Stage;
class StepThrough;
class Variants;
class WorkloadList;
class Workspace;

class Lessons : public QObject {
    Q_OBJECT
public:
    /// The parts that it works with; all of them live longer.
    struct Parts {
        Workspace* workspace;
        WorkloadList* workloads;
        ParameterForm* form;
        Stage* stage;
        ComparisonView* timeline;
        StepThrough* steps;
        Lecture* lecture;
        Presenter* presenter;
        PresenterNotes* notes;
        DeviceChoice* device;
        Runs* runs;
        Variants* variants;
    };
    Lessons(const Parts& parts, QObject* parent);

    void addCommands(CommandTable& table);

    /// Opens these variants, at most two, side by side: shipped recordings where there are some, else runs of the
    /// model. Shows of them what the workload says is to be seen first, else all.
    void open(const std::shared_ptr<const Workload>& workload, const std::vector<std::string>& variants);
    /// Ends what is innermost: playing, stepping, the full screen. False where there is none of them.
    bool leaveOne();
    /// Whether Esc has something to leave where nothing is open.
    bool isFull() const;
    /// What one expects is being asked: the lanes do not show this lesson yet.
    bool isAsked() const { return !m_asked.empty() || m_quiz; }

    void restore(const QSettings& settings);
    void remember(QSettings& settings) const;

signals:
    void changed();
    void asked();  ///< the question is on the stage

private:
    void followRecordings();
    void followCatalogue();
    void followGuess();
    void followLecture();
    void connectPanel(LessonPanel* lesson);
    void present();
    void aim();
    void showGallery(bool shown);
    void toggleFullScreen();
    void setAsking(bool asking);
    void refreshLecture();
    void takeNotes();
    QString answer() const;
    void ask(const std::vector<OpenRecordingPtr>& recordings);
    void askTotals();
    void openQuiz();
    void askQuestion();
    void answerQuestion(int chosen);
    void nextQuestion();
    void leaveQuiz(const QString& outcome);
    void reveal(const QString& outcome);
    void showFirst();
    std::shared_ptr<const Workload> shown() const;
    std::vector<std::shared_ptr<const Workload>> path() const;
    std::shared_ptr<const Workload> neighbour(int by) const;
    void openNeighbour(int by);
    QString courseText(const Workload& workload) const;
    void sayPlace();
    bool canRunHere() const;
    void runHere();
    void showOutcome();
    bool mayShowFull() const;

    Parts m_parts;
    QStringList m_seen;  ///< names of workloads whose lessons were opened
    Expectation m_expected;  ///< of what is asked
    QString m_outcome;  ///< to be shown when the runs have been played
    int m_speedBefore = -1;  ///< of the steps; -1: no answer is played
    std::vector<OpenRecordingPtr> m_asked;  ///< not shown yet
    std::shared_ptr<const Workload> m_quiz;  ///< that is on the stage; null: none
    std::size_t m_question = 0, m_rightAnswers = 0;  ///< of it
    bool m_asking = false;
    bool m_begins = false;  ///< to ask
    int m_opening = 0;  ///< recordings of a lesson that are still to be opened together
};

}  // namespace lanes::gui
