// SPDX-License-Identifier: MIT
#include "gui/timeline/freed_elsewhere.h"

#include "engine/trace/thread_priority.h"

#include <QCoreApplication>
#include <QThreadPool>

// Under a sanitizer the heap is not glibc's, and two threads that trim glibc's unused one at once crash in its set-up.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LANES_TRIMS_HEAP 1
#include <malloc.h>
#endif

namespace lanes::gui {

void returnMemory()
{
#ifdef LANES_TRIMS_HEAP
    malloc_trim(0);
#endif
}

void freeLater(std::shared_ptr<const void> last)
{
    if (last == nullptr || QCoreApplication::instance() == nullptr) {
        return;  // the program ends, or has no event loop that could wait
    }
    QThreadPool::globalInstance()->start([last = std::move(last)]() mutable {
        lower_priority_of_this_thread();
        last.reset();
        returnMemory();
    });
}

}  // namespace lanes::gui
