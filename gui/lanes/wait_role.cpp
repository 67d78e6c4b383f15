// SPDX-License-Identifier: MIT
#include "gui/lanes/wait_role.h"

namespace lanes::gui {

ItemRole waitRole(const Recording& recording, Row stretch)
{
    const WaitCosts* waits = recording.waits.get();
    if (waits == nullptr || stretch >= waits->wait_of.size() || waits->wait_of[stretch] == no_row) {
        return ItemRole::unknownWait;
    }
    return waits->kind_of(stretch) == WaitKind::held ? ItemRole::held : ItemRole::freeWait;
}

Ns heldCost(const Recording& recording, Row stretch)
{
    const BlockedCall& blocked = recording.blocking->calls[stretch];
    return waitRole(recording, stretch) == ItemRole::held
        ? recording.waits->cost_of(stretch, blocked.end - blocked.start)
        : 0;
}

}  // namespace lanes::gui
