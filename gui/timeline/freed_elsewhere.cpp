// SPDX-License-Identifier: MIT
#include "gui/timeline/freed_elsewhere.h"

#include <QCoreApplication>
#include <QThreadPool>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lanes::gui {

void returnMemory()
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void freeLater(std::shared_ptr<const void> last)
{
    if (last == nullptr || QCoreApplication::instance() == nullptr) {
        return;  // the program ends, or has no event loop that could wait
    }
    QThreadPool::globalInstance()->start([last = std::move(last)]() mutable {
        last.reset();
        returnMemory();
    });
}

}  // namespace lanes::gui
