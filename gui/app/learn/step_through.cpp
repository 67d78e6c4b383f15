// SPDX-License-Identifier: MIT
#include "gui/app/learn/step_through.h"

#include "gui/paint/words/time_format.h"
#include "gui/panels/step_bar.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanes::gui {

namespace {

constexpr int frame_ms = 33;

/// One of the two is set.
struct Speed {
    int ms_a_step;
    int seconds_a_run;
};
constexpr std::array speeds {
    Speed {3000, 0}, Speed {1500, 0}, Speed {500, 0}, Speed {0, 60}, Speed {0, 20}, Speed {0, 8}};
constexpr int first_speed = 1;

const Speed& speedAt(int speed)
{
    return speeds[static_cast<std::size_t>(speed)];
}

}  // namespace

QStringList StepThrough::speedNames()
{
    QStringList names;
    for (const Speed& speed : speeds) {
        names += speed.ms_a_step > 0 ? tr("%1 s a step").arg(speed.ms_a_step / 1000.0)
                                     : tr("the run in %1 s").arg(speed.seconds_a_run);
    }
    return names;
}

StepThrough::StepThrough(Workspace* workspace, ComparisonView* timeline, StepBar* bar, QObject* parent)
    : QObject(parent)
    , m_timeline(timeline)
    , m_bar(bar)
    , m_speed(first_speed)
{
    m_bar->hide();
    m_bar->setSpeed(m_speed);
    m_bar->setPlaying(false);
    for (const auto signal : {&Workspace::changed, &Workspace::renewed}) {
        connect(workspace, signal, this, [this, workspace] { setRecordings(workspace->recordings()); });
    }
    connect(&m_timer, &QTimer::timeout, this, &StepThrough::tick);
    connect(m_bar, &StepBar::speedChosen, this, &StepThrough::setSpeed);
    connect(m_bar, &StepBar::closeWanted, this, [this] {
        setOn(false);
        m_timeline->view(m_timeline->activeIndex())->setFocus();  // which the bar's button had
    });
    connect(&m_timeline->pair(), &TimelinePair::selectionChanged, this, [this](int side, ItemRef item) {
        if (isCurrent() && !m_moving && item) {
            m_side = side;
            m_at = steps(side).of(item);
            show(m_at ? steps(side).time(*m_at) : 0);
        }
    });
    connect(&m_timeline->pair(), &TimelinePair::activeChanged, this, [this](int side) {
        if (isCurrent() && side != m_side) {
            m_time = m_timeline->pair().alignment().across(m_time, m_side);
            m_side = side;
            m_at = steps(side).at(m_time);
            show(m_time);
        }
    });
    connect(&m_timeline->pair(), &TimelinePair::alignmentChanged, this, [this] {
        if (isCurrent()) {
            show(m_time);
        }
    });
}

/// From the start again.
void StepThrough::setRecordings(const std::vector<OpenRecordingPtr>& recordings)
{
    setPlaying(false);
    m_recordings = recordings;
    m_steps = {};
    m_at.reset();
    if (m_recordings.empty()) {
        setOn(false);
    } else if (m_on) {
        begin();
    }
}

/// Whether it is on and the lanes are those of its recordings: they change first.
bool StepThrough::isCurrent() const
{
    const std::vector<RecordingPtr> shown = m_timeline->recordings();
    return m_on && std::equal(shown.begin(), shown.end(), m_recordings.begin(), m_recordings.end());
}

const RunSteps& StepThrough::steps(int side)
{
    std::optional<RunSteps>& made = m_steps[static_cast<std::size_t>(side)];
    if (!made) {
        made.emplace(m_recordings[static_cast<std::size_t>(side)]);
    }
    return *made;
}

void StepThrough::setOn(bool on)
{
    if (on == m_on || (on && m_recordings.empty())) {
        return;
    }
    m_on = on;
    m_bar->setVisible(on);
    if (on) {
        begin();
    } else {
        setPlaying(false);
        m_timeline->view(0)->setStepTime(no_time);
        m_timeline->view(1)->setStepTime(no_time);
    }
    emit changed();
}

/// At the selection, else at the first step.
void StepThrough::begin()
{
    m_side = m_timeline->activeIndex();
    const auto selected = steps(m_side).of(m_timeline->side(m_side).selection());
    m_at.reset();
    if (steps(m_side).size() > 0) {
        goTo(selected.value_or(0));
    } else {
        show(0);
    }
}

void StepThrough::setPlaying(bool playing)
{
    if (playing == isPlaying() || (playing && m_recordings.empty())) {
        return;
    }
    if (playing) {
        setOn(true);
        if (steps(m_side).size() > 0
            && (m_at == steps(m_side).size() - 1 || m_time >= m_timeline->side(m_side).model()->duration())) {
            goTo(0);
        }
        m_since.start();
        m_timer.start(speedAt(m_speed).ms_a_step > 0 ? speedAt(m_speed).ms_a_step : frame_ms);
    } else {
        m_timer.stop();
    }
    m_bar->setPlaying(playing);
    emit changed();
}

void StepThrough::step(int by)
{
    setPlaying(false);
    if (m_on) {
        move(by);
    } else {
        setOn(true);
    }
}

void StepThrough::move(int by)
{
    const std::size_t count = steps(m_side).size();
    if (count == 0) {
        return;
    }
    const auto next = static_cast<std::ptrdiff_t>(m_at.value_or(0)) + (m_at ? by : 0);
    goTo(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 0, static_cast<std::ptrdiff_t>(count) - 1)));
}

void StepThrough::setSpeed(int speed)
{
    speed = std::clamp(speed, 0, static_cast<int>(speeds.size()) - 1);
    m_bar->setSpeed(speed);
    if (speed != m_speed) {
        m_speed = speed;
        if (isPlaying()) {
            m_since.start();
            m_timer.start(speedAt(speed).ms_a_step > 0 ? speedAt(speed).ms_a_step : frame_ms);
        }
    }
}

void StepThrough::goTo(std::size_t step)
{
    m_at = step;
    m_moving = true;
    m_timeline->side(m_side).follow(steps(m_side).event(step));
    m_moving = false;
    show(steps(m_side).time(step));
}

void StepThrough::goTo(int side, std::size_t step)
{
    if (side >= sides() || step >= steps(side).size()) {
        return;
    }
    setPlaying(false);
    setOn(true);
    if (side != m_side) {
        m_moving = true;
        m_timeline->pair().follow(side, ItemRef(steps(side).event(step)));
        m_moving = false;
        m_side = side;
    }
    goTo(step);
}

/// The line at that time, in both; the views follow it where it leaves them.
void StepThrough::show(Ns time)
{
    m_time = time;
    Timeline& side = m_timeline->side(m_side);
    const Interval visible = side.visibleRange();
    if (time < visible.start || time >= visible.end) {
        side.show(side.timeScale().startingAt(side.timeScale().columnOf(time) - side.state().time.columns() / 5));
    }
    m_timeline->view(m_side)->setStepTime(time);
    if (m_recordings.size() > 1) {
        m_timeline->view(1 - m_side)->setStepTime(m_timeline->pair().alignment().across(time, m_side));
    }
    say();
}

void StepThrough::tick()
{
    const std::size_t count = steps(m_side).size();
    const Ns end = m_timeline->side(m_side).model()->duration();
    if (speedAt(m_speed).ms_a_step > 0) {
        move(1);
        if (count == 0 || *m_at + 1 == count) {
            setPlaying(false);
        }
        return;
    }
    // What is recorded after the run's end, the reading of results, is stepped through, too.
    const Ns last = count == 0 ? end : std::max(end, steps(m_side).time(count - 1));
    const double share = static_cast<double>(m_since.restart()) / 1000 / speedAt(m_speed).seconds_a_run;
    const Ns time = std::min(last, m_time + std::max<Ns>(1, std::llround(share * static_cast<double>(last))));
    if (const auto now = steps(m_side).at(time); now && now != m_at) {
        goTo(*now);
    }
    show(time);
    if (time == last) {
        setPlaying(false);
    }
}

QString StepThrough::letter(int side) const
{
    return sides() < 2 ? QString() : side == 0 ? QStringLiteral("A  ") : QStringLiteral("B  ");
}

QString StepThrough::text(int side, std::size_t step)
{
    return letter(side) + steps(side).text(step);
}

void StepThrough::say()
{
    const RunSteps& mine = steps(m_side);
    StepWords words;
    words.position = tr("step %L1 of %L2, at %3").arg(m_at ? *m_at + 1 : 0).arg(mine.size()).arg(formatTime(m_time));
    words.text = m_at ? text(m_side, *m_at) : letter(m_side) + tr("nothing has happened yet");
    words.more += tr("On the GPU: %1").arg(mine.onTheGpu(m_time));
    if (sides() > 1) {
        const RunSteps& other = steps(1 - m_side);
        const Ns there = m_timeline->pair().alignment().across(m_time, m_side);
        const auto at = other.at(there);
        const bool over = there >= m_timeline->side(1 - m_side).model()->duration();
        words.more += letter(1 - m_side)
            + (over ? tr("ended at %1").arg(formatTime(m_timeline->side(1 - m_side).model()->duration()))
                    : tr("%1; on the GPU: %2")
                          .arg(at ? other.text(*at) : tr("nothing has happened yet"), other.onTheGpu(there)));
    }
    m_bar->say(words);
}

}  // namespace lanes::gui
