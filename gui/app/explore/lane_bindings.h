// SPDX-License-Identifier: MIT
// Joins the lanes to what is found for them: critical paths and reasons of idle streams are shown as long as they are
// wanted; events that a panel asks for are marked, and the workspace says which of the marked ones is selected.
#pragma once

namespace lanes::gui {

class ComparisonView;
class CriticalPaths;
class HitWalk;
class IdleTimes;
class Workspace;

void bindLayers(CriticalPaths* paths, IdleTimes* idle, ComparisonView* timeline);
void bindWalk(Workspace* workspace, HitWalk* hits);

}  // namespace lanes::gui
