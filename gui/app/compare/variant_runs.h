// SPDX-License-Identifier: MIT
// The outcomes of all variants of one workload: of a run of all of them, or as they came with Lanescope. Identified by
// the workload's text: another text, other outcomes.
//
// A run goes begin(), then runs(row) and ended(row, result) for each, then stop(), which marks the rest as
// not run. While one is under way the workload stays what it is.
#pragma once

#include "gui/app/frame/job.h"
#include "gui/app/run/run_request.h"
#include "gui/panels/variants_panel.h"

#include <QFutureWatcher>
#include <QObject>

#include <atomic>
#include <memory>

namespace lanes::gui {

/// All variants with the parameters that were set, but for those that make the variants what they are: what any
/// variant sets by itself keeps the value of each variant.
std::vector<VariantSettings> runsOfAll(const Workload& workload, const Settings& set);

class VariantRuns : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~VariantRuns() override;

    /// The workload that is in view. Of another one nothing is known yet.
    void present(const std::shared_ptr<const Workload>& workload);
    /// Where nothing is known: opens the recordings that came with Lanescope, on a worker thread, if all variants have
    /// one from the same GPU.
    void fill();

    /// What another window knows, in this one's language.
    void continueFrom(const VariantRuns& other);

    void begin(const std::shared_ptr<const Workload>& workload, const Settings& set);
    void runs(std::size_t row);
    void ended(std::size_t row, const JobResult& result);
    void stop();
    bool isRunning() const { return m_running; }

    const std::shared_ptr<const Workload>& workload() const { return m_workload; }
    const std::vector<VariantOutcome>& outcomes() const { return m_outcomes; }
    /// How many of the variants failed.
    std::size_t failures() const;
    /// What was recorded of a variant; null: nothing.
    OpenRecordingPtr recordingOf(const std::string& variant) const;
    /// Where the figures come from, and with which parameters: one line.
    QString caption() const;

signals:
    void changed();

private:
    using Recordings = std::vector<OpenRecordingPtr>;
    void reset(const std::shared_ptr<const Workload>& workload);

    std::shared_ptr<const Workload> m_workload;
    std::vector<VariantOutcome> m_outcomes;
    Settings m_set;
    bool m_running = false;
    bool m_filled = false;  ///< what came with Lanescope was looked for
    std::stop_source m_stop;  // of what is being opened
    std::unique_ptr<QFutureWatcher<Recordings>> m_opening;
};

}  // namespace lanes::gui
