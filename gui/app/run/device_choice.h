// SPDX-License-Identifier: MIT
// The choice of where a workload runs: the model, this machine's GPUs, and the
// recordings that came with Lanescope.
//
// `lanes doctor` is asked for the GPUs, in a process of its own, once, when the
// choice is made; they appear when it has answered.
#pragma once

#include "gui/app/run/run_request.h"
#include "gui/panels/eliding_choice.h"

#include <QProcess>

#include <memory>
#include <optional>
#include <vector>

namespace lanes::gui {

class DeviceChoice : public ElidingChoice {
    Q_OBJECT
public:
    explicit DeviceChoice(QWidget* parent = nullptr);
    ~DeviceChoice() override;

    /// Asks `lanes` which GPUs there are. An answer that cannot be read counts as no GPU.
    void askFor(const QString& lanesProgram);
    RunDevice device() const;
    /// The first GPU of this machine; nothing where there is none, or `lanes` has not answered yet.
    std::optional<RunDevice> gpu() const;
    /// One that is not there yet is chosen when it appears.
    void select(const RunDevice& device);
    /// Where a model is chosen: that of this GPU ("NVIDIA H200", "h200") if there is one. The caller refreshes what
    /// names the device.
    void follow(const QString& gpu);

signals:
    void gpusKnown();  ///< `lanes` has answered
    void deviceChanged();  ///< another one, or the same one chosen again by a user's hand

private:
    void add(const RunDevice& device, const QString& explanation);
    void takeAnswer(const QByteArray& json);

    std::vector<RunDevice> m_devices;  // by index
    RunDevice m_wanted;  // what was chosen last; it may appear only later
    std::unique_ptr<QProcess> m_doctor;
};

}  // namespace lanes::gui
