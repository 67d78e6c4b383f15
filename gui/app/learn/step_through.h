// SPDX-License-Identifier: MIT
// Moves through a run step by step, by hand or at a chosen speed: a strong line in the
// lanes of both recordings, the step selected in the active one (so that its code is
// lit), and in the bar what happens, in words.
//
// It plays by steps, each as long as the next, or by time, slowed down. Belongs to the
// window's thread.
#pragma once

#include "gui/session/run_steps.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <array>
#include <optional>
#include <QStringList>
#include <vector>

namespace lanes::gui {

class ComparisonView;
class StepBar;
class Workspace;

class StepThrough : public QObject {
    Q_OBJECT
public:
    StepThrough(Workspace* workspace, ComparisonView* timeline, StepBar* bar, QObject* parent = nullptr);

    static QStringList speedNames();

    bool isOn() const { return m_on; }
    void setOn(bool on);
    bool isPlaying() const { return m_timer.isActive(); }
    /// From the start again where it is at the end.
    void setPlaying(bool playing);
    /// One step forward (1) or back (-1) by hand, which pauses; where it is off, turns it on at its first step.
    void step(int by);
    /// Of that recording, 0 or 1, which becomes the active one; turns it on and pauses.
    void goTo(int side, std::size_t step);
    /// Of a recording that is shown. Cost the first time: see RunSteps.
    const RunSteps& steps(int side);
    /// A sentence, of two recordings with the letter of its own.
    QString text(int side, std::size_t step);
    int sides() const { return static_cast<int>(m_recordings.size()); }
    /// The active one.
    int side() const { return m_side; }
    int speed() const { return m_speed; }
    void setSpeed(int speed);
    /// Of the active recording; nothing before its first step.
    std::optional<std::size_t> current() const { return m_at; }
    /// Where the line is, in that recording's time.
    Ns time() const { return m_time; }

signals:
    void changed();  ///< whether it is on, whether it plays

private:
    void setRecordings(const std::vector<OpenRecordingPtr>& recordings);
    bool isCurrent() const;
    void begin();
    void move(int by);
    void goTo(std::size_t step);
    void show(Ns time);
    void tick();
    QString letter(int side) const;
    void say();

    ComparisonView* m_timeline;
    StepBar* m_bar;
    std::vector<OpenRecordingPtr> m_recordings;
    std::array<std::optional<RunSteps>, 2> m_steps;  // made when they are asked for
    bool m_on = false;
    bool m_moving = false;  // the selection that comes is ours
    int m_side = 0;
    int m_speed;
    std::optional<std::size_t> m_at;
    Ns m_time = 0;
    QTimer m_timer;
    QElapsedTimer m_since;
};

}  // namespace lanes::gui
