// SPDX-License-Identifier: MIT
// The commands that run and record: each adds itself to the command line and, when it is
// called, sets `status` to the exit status.
#pragma once

namespace CLI {
class App;
}

namespace lanes {

void add_run_command(CLI::App& app, int& status);  ///< `run`, and the hidden `run-child` that it starts
void add_record_command(CLI::App& app, int& status);  ///< `record`
void add_calibrate_command(CLI::App& app, int& status);  ///< `calibrate`
void add_doctor_command(CLI::App& app, int& status);  ///< `doctor`

}  // namespace lanes
