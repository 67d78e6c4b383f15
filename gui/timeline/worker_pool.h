// SPDX-License-Identifier: MIT
// The threads of long work: opening, analysing, counting. Qt's global pool is not for it: QPainter fills large areas on
// that pool's threads and waits for them, so a repaint would wait until an analysis ends.
#pragma once

#include <QThreadPool>

#include <functional>

namespace lanes::gui {

/// Every pool whose work may read translated texts is one, so that workersRest() knows it.
class WorkerPool : public QThreadPool {
public:
    WorkerPool();
    ~WorkerPool() override;
};

/// As many threads as the machine has. The program's end waits for what runs on them. From any thread.
QThreadPool* workerPool();

/// Whether no work runs in any WorkerPool. It stays so until the window's thread begins some.
bool workersRest();

/// Calls `then` on the window's thread as soon as workersRest(): at once, or later, as long as `context` lives. What
/// changes the language of the texts is done there: a worker would read it half-way and mix two languages.
void onceWorkersRest(QObject* context, std::function<void()> then);

}  // namespace lanes::gui
