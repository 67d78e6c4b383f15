// SPDX-License-Identifier: MIT
// Shows the critical paths of the open recordings on their lanes as long as that is wanted.
#pragma once

namespace lanes::gui {

class ComparisonView;
class CriticalPaths;

void bindPaths(CriticalPaths* paths, ComparisonView* timeline);

}  // namespace lanes::gui
