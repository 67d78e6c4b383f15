// SPDX-License-Identifier: MIT
// The real run beside the prediction: of some variants of workloads it is known that they have a change already
// (engine/replay/pairs.h). What such a run took is shown beside what was predicted; where it is not open, a button
// opens its recording, or runs it.
#pragma once

#include "gui/app/run/run_request.h"
#include "gui/session/what_ifs.h"

#include <QObject>

#include <memory>
#include <string>

namespace lanes::gui {

class DeviceChoice;
class Job;
class JobQueue;
class NoticeBar;
class RunJobs;
class WhatIfPanel;
class Workspace;

class PredictionCheck : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Workspace* workspace;
        JobQueue* jobs;
        RunJobs* maker;
        DeviceChoice* device;
        NoticeBar* notice;
        WhatIfs* whatIfs;
        WhatIfPanel* panel;
    };
    /// Belongs to the panel.
    explicit PredictionCheck(const Parts& parts);

signals:
    /// `real` is wanted beside what it is the rewritten run of.
    void realWanted(const OpenRecordingPtr& of, const OpenRecordingPtr& real);

private:
    struct Offer {
        QString offer;  ///< of the button; "": there is none
        QString file;  ///< a recording to open
        RunDevice device;  ///< else where to run it
    };
    std::string rewritten() const;
    OpenRecordingPtr real(const std::string& variant) const;
    Offer wayTo(const std::string& variant) const;
    void say();
    void show();

    Parts m_parts;
    OpenRecordingPtr m_of, m_real;  // what was shown last, and of what it is the rewritten run
};

}  // namespace lanes::gui
