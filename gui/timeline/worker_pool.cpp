// SPDX-License-Identifier: MIT
#include "gui/timeline/worker_pool.h"

#include <QCoreApplication>

namespace lanes::gui {

QThreadPool* workerPool()
{
    static QThreadPool pool;
    static const bool waitsAtTheEnd = [] {
        qAddPostRoutine([] { pool.waitForDone(); });
        return true;
    }();
    Q_UNUSED(waitsAtTheEnd)
    return &pool;
}

}  // namespace lanes::gui
