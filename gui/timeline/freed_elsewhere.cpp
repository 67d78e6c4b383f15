// SPDX-License-Identifier: MIT
#include "gui/timeline/freed_elsewhere.h"

#include "engine/trace/freed_memory.h"
#include "engine/trace/thread_priority.h"
#include "gui/timeline/worker_pool.h"

#include <QCoreApplication>

namespace lanes::gui {

void freeLater(std::shared_ptr<const void> last)
{
    if (last == nullptr || QCoreApplication::instance() == nullptr) {
        return;  // the program ends, or has no event loop that could wait
    }
    workerPool()->start([last = std::move(last)]() mutable {
        lower_priority_of_this_thread();
        last.reset();
        return_freed_memory();
    });
}

}  // namespace lanes::gui
