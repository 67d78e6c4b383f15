// SPDX-License-Identifier: MIT
#include "gui/app/what_if/predictions.h"

#include "gui/app/frame/job_queue.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/session/predicted_changes.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <QTimer>

#include <algorithm>

namespace lanes::gui {

namespace {

bool isSame(const OpenRecordingPtr& a, const OpenRecordingPtr& b)
{
    return a && b && a->trace == b->trace;  // another title perhaps
}

/// Nothing: its total is a single figure.
std::optional<WideTotal> wideTotal(const replay::Gate& gate, const replay::Prediction& all, Interval part)
{
    const replay::Prediction ofPart = replay::of_part(gate, all, part);
    return ofPart.is_wide() || all.is_wide()
        ? std::optional(WideTotal {{all.low, all.high}, part, {ofPart.low, ofPart.high}})
        : std::nullopt;
}

}  // namespace

Predictions::Predictions(const Parts& parts)
    : QObject(parts.panel)
    , m_parts(parts)
{
    connect(parts.panel, &WhatIfPanel::chosenChanged, this, &Predictions::changed);
    connect(parts.panel, &WhatIfPanel::showWanted, this, [this] {
        if (canShow() && !isChosenShown()) {
            show();
        }
    });
    for (const auto signal : {&Workspace::changed, &Workspace::renewed}) {
        connect(parts.workspace, signal, this, [this] {
            if (!isOpen()) {
                m_shown.reset();
            }
        });
    }
}

void Predictions::addCommands(CommandTable& table)
{
    table.add({"go.what-if", tr("What if"), tr("What each change would gain on the active recording"), Menu::go,
        "Ctrl+I", {}, [this] { emit panelWanted(); }});
    table.add({"compare.predicted", tr("Show the &predicted run"),
        tr("Shows the run predicted for the chosen change under the recorded one, on one scale; again: what was open "
           "before"),
        Menu::compare, "Ctrl+Shift+I", [this] { return isChosenShown() || canShow(); },
        [this] { isChosenShown() ? hide() : show(); }, [this] { return isChosenShown(); }, true});
}

void Predictions::continueFrom(const Predictions& other)
{
    m_shown = other.m_shown;
    if (m_shown) {
        auto& recordings = m_shown->before.recordings;
        std::transform(recordings.begin(), recordings.end(), recordings.begin(), retold);
    }
}

void Predictions::advise(int side, const std::string& rule)
{
    emit panelWanted();
    m_parts.whatIfs->advise(side, rule);
}

bool Predictions::isOpen() const
{
    const auto& open = m_parts.workspace->recordings();
    return m_shown
        && std::any_of(open.begin(), open.end(), [this](const auto& each) { return isSame(each, m_shown->run); });
}

/// Also where nothing is chosen: then there is nothing else to show.
bool Predictions::isChosenShown() const
{
    const Changes chosen = m_parts.panel->chosen();
    return isOpen() && isPredicted(*m_shown->run->trace) && !m_parts.jobs->busy()
        && (chosen.empty()
            || (chosen == m_shown->changes && m_parts.whatIfs->answers() == m_shown->answers
                && isSame(m_parts.whatIfs->recording(), m_shown->of)));
}

bool Predictions::canShow() const
{
    return !m_parts.jobs->busy() && m_parts.whatIfs->priced() && !m_parts.panel->chosen().empty();
}

void Predictions::show()
{
    const auto priced = m_parts.whatIfs->priced();
    m_parts.notice->hide();
    const QString words = changesText(m_parts.panel->chosen());
    const replay::Prediction* chosen = m_parts.panel->chosenPrediction();
    auto predict = [priced, words, changes = m_parts.panel->chosen(), answers = m_parts.whatIfs->answers(),
                       known = chosen != nullptr && isWhole(*chosen) ? std::optional(*chosen) : std::nullopt,
                       part = m_parts.whatIfs->part()](const Progress& progress) {
        constexpr double priced_by = 0.4, replayed = 0.5;
        progress.report(0);
        const replay::Prediction all
            = known ? *known : priced->whatIf.predict(changes, answers, {progress.part(0, priced_by)});
        Trace run = priced->whatIf.predicted_trace(changes, answers, {progress.part(priced_by, replayed)});
        OpenRecordingPtr made = analysed(std::move(run), {}, progress.part(replayed, 1));
        if (const auto total = wideTotal(priced->whatIf.gate(), all, part)) {
            made = withWideTotal(made, *total);
        }
        return made->workload ? made : titled(made, tr("%1, if: %2").arg(text(priced->recording->title), words));
    };
    m_parts.jobs->add(std::make_unique<WorkerJob>(tr("Replaying with %1").arg(words), predict),
        [this, priced, changes = m_parts.panel->chosen(), answers = m_parts.whatIfs->answers()](
            const JobResult& result) {
            if (!result.recording) {
                m_parts.notice->showEnd(result);
            } else {  // with what its title says already: no notice
                put({priced->recording, result.recording, changes, answers, now()});
            }
        });
}

void Predictions::putReal(const OpenRecordingPtr& of, const OpenRecordingPtr& real)
{
    put({of, real, {}, {}, now()});
}

/// In the place of an earlier one of the same, what was open before that one stays what comes back.
void Predictions::put(Shown shown)
{
    if (isOpen() && isSame(shown.of, m_shown->of)) {
        shown.before = std::move(m_shown->before);
    } else if (isFormOfOpen()) {
        m_parts.form->setRuns({shown.of->run});
    }
    m_shown = std::move(shown);
    const View seen = viewOf(m_shown->of);
    m_parts.workspace->set({m_shown->of, m_shown->run}, 0, seen.scope);
    keepView(seen);
}

/// What is in view of a recording that is open, and what is said of it: What if answered for that.
Predictions::View Predictions::viewOf(const OpenRecordingPtr& of) const
{
    const auto& open = m_parts.workspace->recordings();
    const auto found = std::find_if(open.begin(), open.end(), [&](const auto& each) { return isSame(each, of); });
    if (found == open.end()) {
        return {{}, m_parts.timeline->side(0).state().scroll};
    }
    const auto index = found - open.begin();
    const Timeline& side = m_parts.timeline->side(static_cast<int>(index));
    View view {side.state().time.isFitted() ? std::nullopt : std::optional(side.timeScale()), side.state().scroll};
    Scope scope = m_parts.workspace->scope();
    if (scope.of != Scope::Of::all || m_parts.timeline->pair().chosenScope()) {
        scope.ranges[0] = scope.ranges[static_cast<std::size_t>(index)];
        view.scope = scope;
    }
    return view;
}

/// The same of A, beside what is below it, once the lanes have their room.
void Predictions::keepView(const View& seen)
{
    const std::vector<RecordingPtr> shown = m_parts.timeline->recordings();
    QTimer::singleShot(0, this, [this, shown, seen] {
        if (m_parts.timeline->recordings() != shown) {
            return;
        }
        if (seen.scale) {
            m_parts.timeline->side(0).show(*seen.scale);
        }
        for (const int side : {0, 1}) {
            m_parts.timeline->side(side).scrollTo(seen.scroll);
        }
    });
}

/// Closes the predicted run. Where it is still under the run that it is of, what was open before comes back.
void Predictions::hide()
{
    const Shown shown = *m_shown;
    std::vector<OpenRecordingPtr> rest = m_parts.workspace->recordings();
    std::erase_if(rest, [&](const auto& each) { return isSame(each, shown.run); });
    if (rest.size() == 1 && isSame(rest.front(), shown.of)) {
        putBack(shown.before);
    } else {
        m_parts.workspace->set(rest);
    }
}

void Predictions::putBack(const Before& before)
{
    if (isFormOfOpen()) {
        m_parts.form->setRuns(before.runs);
    }
    m_parts.workspace->set(before.recordings, before.active);
    const std::vector<RecordingPtr> shown = m_parts.timeline->recordings();
    // Once the lanes have their room.
    QTimer::singleShot(0, this, [this, shown, view = before.view] {
        if (m_parts.timeline->recordings() == shown) {
            m_parts.timeline->pair().restore(view);
        }
    });
}

Predictions::Before Predictions::now() const
{
    return {m_parts.workspace->recordings(), m_parts.workspace->active(), m_parts.timeline->pair().kept(),
        m_parts.form->runs()};
}

/// Whether what would run is what is open; a prediction is no run.
bool Predictions::isFormOfOpen() const
{
    const std::shared_ptr<const Workload>& workload = m_parts.form->workload();
    std::vector<VariantSettings> open;
    for (const OpenRecordingPtr& each : m_parts.workspace->recordings()) {
        if (isPredicted(*each->trace)) {
            continue;
        }
        if (!workload || !each->workload || each->workload->name != workload->name) {
            return false;
        }
        open.push_back(each->run);
    }
    return open == m_parts.form->runs();
}

}  // namespace lanes::gui
