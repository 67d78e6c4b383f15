// SPDX-License-Identifier: MIT
// The reports of the workspace's scope: figures, verdict and findings of that part of each recording and of nothing
// else. What is not known at once is found on a worker thread, the findings last, and given to the TimelinePair, which
// draws the verdicts. Belongs to the window's thread.
#pragma once

#include "gui/lanes/scope.h"
#include "gui/lanes/shown_recording.h"
#include "gui/timeline/question.h"

#include <QObject>
#include <QString>

#include <array>
#include <functional>
#include <memory>
#include <vector>

namespace lanes::gui {

class Workspace;
struct OpenRecording;

class ScopeReports : public QObject {
    Q_OBJECT
public:
    /// Of the workspace that it belongs to.
    explicit ScopeReports(Workspace* workspace);

    /// Of the recordings that are open; null: not found yet, or the recording is not analysed. Their findings may still
    /// be missing.
    std::shared_ptr<const Report> at(int side) const;
    /// Of what they are; of the scope before while isOld().
    const Scope& scope() const { return m_scope; }
    /// Those of the present scope are being found.
    bool isOld() const;
    /// The same with findings.
    std::shared_ptr<const Report> found(int side) const;
    const Scope& foundScope() const { return m_foundScope; }
    bool isFoundOld() const { return m_isFoundOld; }
    /// Why they were not found; "": nothing went wrong.
    const QString& problem() const { return m_problem; }

signals:
    void changed();

private:
    using Reports = std::array<std::shared_ptr<const Report>, 2>;

    void find();
    void ask(bool withFindings, const std::function<void(const Reports&)>& take);
    void takeFound(const Reports& reports);

    Workspace* m_workspace;
    Scope m_scope, m_foundScope;
    Reports m_found;
    std::vector<std::shared_ptr<const OpenRecording>> m_foundIn;
    bool m_isFoundOld = false;
    QString m_problem;
    Question<Reports> m_finding;
};

}  // namespace lanes::gui
