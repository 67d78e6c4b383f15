// SPDX-License-Identifier: MIT
// The threads of long work: opening, analysing, counting. Qt's global pool is not for it: QPainter fills large areas on
// that pool's threads and waits for them, so a repaint would wait until an analysis ends.
#pragma once

#include <QThreadPool>

namespace lanes::gui {

/// As many threads as the machine has. The program's end waits for what runs on them. From any thread.
QThreadPool* workerPool();

}  // namespace lanes::gui
