// SPDX-License-Identifier: MIT
// One run that the window asks for: which variant of which workload, on what.
#pragma once

#include "gui/session/open_recording.h"

#include <QString>

#include <memory>

namespace lanes::gui {

/// Where a workload runs.
struct RunDevice {
    enum class Kind { model, gpu, recorded };
    Kind kind = Kind::model;
    /// model: the device file's name ("h100"); gpu: its index; recorded: the folder of the recordings ("h100").
    QString argument = QStringLiteral("h100");
    QString label;  ///< for people: "Model H100"
    friend bool operator==(const RunDevice& a, const RunDevice& b)
    {
        return a.kind == b.kind && a.argument == b.argument;
    }
};

struct RunRequest {
    std::shared_ptr<const Workload> workload;
    VariantSettings run;
    RunDevice device;
    QString file;  ///< of a run on a GPU: where the workload's text lies as it is now; empty: in its own file
    QString output;  ///< of a run on a GPU: the .sqlite that `lanes` writes
};

}  // namespace lanes::gui
