// SPDX-License-Identifier: MIT
// Signals that end the program: of a logout, a terminal that goes, Ctrl+C in it. The event loop hears of the first one
// and can write down what would be lost; a second one ends the program at once. A signal that whoever started it
// ignores (nohup) stays ignored.
#pragma once

#include <QObject>

namespace lanes::gui {

class EndSignals : public QObject {
    Q_OBJECT
public:
    /// There is one at a time.
    explicit EndSignals(QObject* parent = nullptr);

    /// 0: none came.
    int received() const { return m_received; }

signals:
    void came();

private:
    int m_received = 0;
};

/// As the program would have ended of that signal: whoever started it sees the same.
[[noreturn]] void endOf(int signal);

}  // namespace lanes::gui
