// SPDX-License-Identifier: MIT
// The part of a libcupti that takes NVTX's ranges: pushes and pops of a program become marker records.
#pragma once

#include <cupti.h>
#include <nvtx3/nvToolsExt.h>

using MarkerFunction = void(const CUpti_ActivityMarker2&);

/// Puts itself into NVTX's tables; from then on `marker` gets a record for each push and pop, on the thread that made
/// it.
void take_ranges(NvtxGetExportTableFunc_t get_export_table, MarkerFunction* marker);
