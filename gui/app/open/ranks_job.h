// SPDX-License-Identifier: MIT
// Opens recordings of a run's ranks as one: see engine/ranks/merge_ranks.h.
#pragma once

#include "gui/app/frame/job.h"

namespace lanes::gui {

/// Reads all files and puts them together; what it makes is no file's until it is saved. How far clocks were apart is
/// said in the recording's note. A file that cannot be read, or is no rank of the same run, is the job's error.
WorkerJob* makeRanksJob(const QStringList& files, QObject* parent = nullptr);

}  // namespace lanes::gui
