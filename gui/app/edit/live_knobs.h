// SPDX-License-Identifier: MIT
// Runs on the model that follow the knobs: while one is dragged, the lanes follow; when it is released, they fill the
// view.
#pragma once

#include "gui/app/commands/command_table.h"
#include "gui/app/edit/live_run.h"

class QSettings;

namespace lanes::gui {

class ComparisonView;
class DeviceChoice;
class JobQueue;
class NoticeBar;
class ParameterForm;
class WorkloadTexts;
class Workspace;

/// The runs that the form and the choice of the device ask for, A first.
std::vector<RunRequest> requestsOf(const ParameterForm& form, const DeviceChoice& device);

class LiveKnobs : public QObject {
    Q_OBJECT
public:
    /// The parts that it works with; all of them live longer.
    struct Parts {
        Workspace* workspace;
        JobQueue* jobs;
        ParameterForm* form;
        DeviceChoice* device;
        WorkloadTexts* texts;
        ComparisonView* timeline;
        NoticeBar* notice;
    };
    explicit LiveKnobs(const Parts& parts);

    void addCommands(CommandTable& table);

    /// After the form or the text changed: runs it again, where what is shown follows the knobs and the text is right.
    void turn();
    /// What is under way is not shown any more.
    void stop() { m_live->stop(); }
    /// A run is under way.
    bool isBusy() const { return m_live->isBusy(); }
    /// What that side showed before knobs were turned.
    OpenRecordingPtr before(int side) const;
    /// What the lanes show where that is not what the form says; "": they show it, or will in a moment.
    QString shownInstead() const;

    void restore(const QSettings& settings);
    void remember(QSettings& settings) const;

signals:
    void changed();
    void recordingsWanted(const std::vector<RunRequest>& requests);  ///< there is no need to run them
    void lanesWanted();  ///< other recordings of the same are shown

private:
    bool follows() const;
    std::vector<RunRequest> recorded() const;
    void reconsider();
    void show(const std::vector<OpenRecordingPtr>& recordings);

    Parts m_parts;
    LiveRun* m_live;
    bool m_on = true;
    std::vector<OpenRecordingPtr> m_before;
};

}  // namespace lanes::gui
