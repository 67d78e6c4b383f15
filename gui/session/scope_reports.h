// SPDX-License-Identifier: MIT
// The reports of the workspace's scope: findings, verdict and figures of that part of each recording and of nothing
// else. What is not known at once is found on a worker thread, and given to the TimelinePair, which draws the verdicts.
// Belongs to the window's thread.
#pragma once

#include "gui/lanes/scope.h"
#include "gui/lanes/shown_recording.h"
#include "gui/timeline/question.h"

#include <QObject>
#include <QString>

#include <array>
#include <memory>

namespace lanes::gui {

class Workspace;

class ScopeReports : public QObject {
    Q_OBJECT
public:
    /// Of the workspace that it belongs to.
    explicit ScopeReports(Workspace* workspace);

    /// Of the recordings that are open; null: not found yet, or the recording is not analysed. See isOld().
    std::shared_ptr<const Report> at(int side) const;
    /// Of what they are; of the scope before while isOld().
    const Scope& scope() const { return m_scope; }
    /// Those of the present scope are being found.
    bool isOld() const;
    /// Why they were not found; "": nothing went wrong.
    const QString& problem() const { return m_problem; }

signals:
    void changed();

private:
    using Reports = std::array<std::shared_ptr<const Report>, 2>;

    void find();
    void take();

    Workspace* m_workspace;
    Scope m_scope;
    QString m_problem;
    Question<Reports> m_finding;
};

}  // namespace lanes::gui
