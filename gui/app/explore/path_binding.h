// SPDX-License-Identifier: MIT
// Shows the critical paths of the open recordings, and why their streams stood idle, on the lanes as long as that is
// wanted.
#pragma once

namespace lanes::gui {

class ComparisonView;
class CriticalPaths;
class IdleTimes;

void bindLayers(CriticalPaths* paths, IdleTimes* idle, ComparisonView* timeline);

}  // namespace lanes::gui
