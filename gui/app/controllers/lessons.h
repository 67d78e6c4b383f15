// SPDX-License-Identifier: MIT
// Lessons: the gallery, the lesson of what is open, the question what the user expects, stepping through a
// run, and the lecture hall.
#pragma once

#include "gui/app/commands/command_table.h"
#include "gui/app/runs/run_request.h"

#include <QObject>

class QSettings;

namespace lanes::gui {

class ComparisonView;
class Lecture;
class ParameterForm;
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

    void restore(const QSettings& settings);
    void remember(QSettings& settings) const;

signals:
    void changed();

private:
    void present();
    void showGallery(bool shown);
    void toggleFullScreen();
    void setAsking(bool asking);
    void refreshLecture();
    void ask(const std::vector<OpenRecordingPtr>& recordings);
    void reveal(std::optional<std::size_t> choice);
    void showFirst();

    Parts m_parts;
    std::vector<OpenRecordingPtr> m_asked;  ///< not shown yet
    bool m_asking = false;
    int m_opening = 0;  ///< recordings of a lesson that are still to be opened together
};

}  // namespace lanes::gui
