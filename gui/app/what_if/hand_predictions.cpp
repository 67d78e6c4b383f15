// SPDX-License-Identifier: MIT
#include "gui/app/what_if/hand_predictions.h"

#include "engine/analysis/facts/communication.h"
#include "gui/lanes/lane_choice.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/panels/details.h"
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/session/format.h"
#include "gui/session/predicted_changes.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/freed_elsewhere.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_view.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

using replay::Change;
using replay::ChangeKind;
using replay::Prediction;

/// A replay that takes longer is given up for a newer wish; a shorter one is shown, so that the ghost moves while the
/// mouse does.
constexpr qint64 quick_replay = 100;  // ms

/// The WhatIf of a recording that nobody priced, with what it refers to.
struct OwnWhatIf {
    OpenRecordingPtr of;
    replay::WhatIf whatIf;
    OwnWhatIf(OpenRecordingPtr recording, const Progress& progress)
        : of(std::move(recording))
        , whatIf(*of->graph, progress)
    {
    }
};

std::shared_ptr<const GhostRun> ghostOf(const Trace& trace, const replay::Outline& outline)
{
    auto run = std::make_shared<GhostRun>();
    run->end = outline.total;
    run->streams.resize(outline.streams.size());
    const CommunicationKernels communicates(trace);
    for (std::size_t stream = 0; stream < outline.streams.size(); ++stream) {
        auto& parts = run->streams[stream];
        for (const auto& [span, operation] : outline.streams[stream]) {
            parts[static_cast<std::size_t>(StreamPart::whole)].push_back(span);
            parts[static_cast<std::size_t>(partOf(trace, communicates, operation))].push_back(span);
            run->engines[{trace.streams[stream].device, engineOf(trace.operations.kind[operation])}].push_back(span);
        }
        for (std::vector<Interval>& part : parts) {
            part = inTurn(std::move(part));
        }
    }
    for (auto& [engine, spans] : run->engines) {
        spans = inTurn(std::move(spans));
    }
    return run;
}

/// Whether its recording can be replayed, and is not being revealed: what would be would give away what is.
bool canAsk(const Timeline& timeline)
{
    return timeline.predicting().isOffered() && timeline.model() != nullptr && !timeline.isUnfinished();
}

QString timesText(double times)
{
    return QLocale().toString(std::round(times * 100) / 100, 'g', 4);
}

}  // namespace

HandPredictions::HandPredictions(const Parts& parts)
    : QObject(parts.panel)
    , m_parts(parts)
{
    for (const auto signal : {&Workspace::changed, &Workspace::renewed}) {
        connect(parts.workspace, signal, this, &HandPredictions::offer);
    }
    for (const int side : {0, 1}) {
        const PredictHand* hand = &parts.timeline->side(side).predicting();
        connect(hand, &PredictHand::asked, this, [this, side] { asked(side); });
        connect(hand, &PredictHand::accepted, this, [this, side](const Wish& wish) { accept(side, wish); });
        connect(hand, &PredictHand::takenBack, this, [this] {
            m_question.cancel();
            m_asked.reset();
            m_found.reset();
            m_again = false;
        });
    }
    connect(parts.workspace, &Workspace::scopeChanged, this, [this] {
        if (m_asked) {
            asked(m_side);  // the same of another part
        }
    });
    offer();
}

void HandPredictions::addCommands(CommandTable& table)
{
    table.add({"compare.predict-shorter", tr("Predict: s&horter"),
        tr("Shows over the lanes what would be if all operations of the selected one's name took a tenth less of their "
           "time; Enter adds it to What if, Esc takes it back"),
        Menu::compare, "Alt+-", [this] { return stepped(-1).has_value(); }, [this] { wish(*stepped(-1)); }, {}, true});
    table.add({"compare.predict-longer", tr("Predict: &longer"), tr("The same with a tenth more of their time"),
        Menu::compare, "Alt++; Alt+=", [this] { return stepped(1).has_value(); }, [this] { wish(*stepped(1)); }});
    table.add({"compare.predict-stream", tr("Predict: on the next st&ream"),
        tr("Shows over the lanes what would be if all copies of the selected one's name were on the next stream of "
           "their context"),
        Menu::compare, "Alt+S", [this] { return nextStream().has_value(); }, [this] { wish(*nextStream()); }});
    table.add({"compare.predict-graph", tr("Predict: as a CUDA &graph"),
        tr("Shows over the lanes what would be if launches were those of CUDA graphs, in what is looked at: what "
           "repeats, the selected range"),
        Menu::compare, "Alt+U", [this] { return graph().has_value(); }, [this] { wish(*graph()); }});
}

/// The lanes whose recording can be replayed.
void HandPredictions::offer()
{
    for (const int side : {0, 1}) {
        const OpenRecordingPtr of = m_parts.workspace->at(side);
        m_parts.timeline->side(side).predicting().setOffered(of && of->graph && !isPredicted(*of->trace));
    }
    if (m_ownOf && m_ownOf != m_parts.workspace->at(0) && m_ownOf != m_parts.workspace->at(1)) {
        m_ownOf.reset();
        m_own.reset();
    }
}

/// That commands concern.
Timeline& HandPredictions::side() const
{
    return m_parts.timeline->side(m_parts.timeline->activeIndex());
}

std::optional<Wish> HandPredictions::stepped(int by) const
{
    const Timeline& timeline = side();
    const ItemRef item = timeline.selection();
    if (!canAsk(timeline) || !canPull(timeline.model()->trace(), item)) {
        return {};
    }
    const auto& wish = timeline.predicting().wish();
    const bool goesOn = wish && wish->what == Wish::Of::length && wish->item == item;
    return Wish {Wish::Of::length, item, steppedTimes(goesOn ? wish->times : 1, by)};
}

/// In the order of the lanes.
std::optional<Wish> HandPredictions::nextStream() const
{
    const Timeline& timeline = side();
    const ItemRef item = timeline.selection();
    if (!canAsk(timeline)) {
        return {};
    }
    const std::vector<Row> streams = streamsFor(timeline.model()->trace(), item);
    if (streams.empty()) {
        return {};
    }
    const auto& wish = timeline.predicting().wish();
    const auto now = wish && wish->what == Wish::Of::stream && wish->item == item
        ? std::find(streams.begin(), streams.end(), wish->stream)
        : streams.end();
    const Row next = now == streams.end() || now + 1 == streams.end() ? streams.front() : *(now + 1);
    return Wish {Wish::Of::stream, item, 1, next};
}

std::optional<Wish> HandPredictions::graph() const
{
    return canAsk(side()) ? std::optional(Wish {Wish::Of::graph, {}}) : std::nullopt;
}

void HandPredictions::wish(const Wish& wish)
{
    m_parts.timeline->activeView()->setFocus(Qt::ShortcutFocusReason);  // Enter and Esc go there
    side().predicting().ask(wish);
}

HandPredictions::Asked HandPredictions::askedOf(int side, const Wish& wish) const
{
    Asked asked {wish, m_parts.workspace->at(side), {}, {}};
    const Scope scope = m_parts.workspace->scope();
    const Trace& trace = *asked.of->trace;
    asked.scope = wish.what == Wish::Of::graph ? whatIfScopes(*asked.of, {}, scope, side).front()
                                               : whatIfScopeOfName(*asked.of, wish.item.row, scope, side);
    asked.change.on = Query::parse(asked.scope.query.toStdString());
    switch (wish.what) {
    case Wish::Of::length:
        asked.change.kind = trace.operations.kind[wish.item.row] == OperationKind::kernel ? ChangeKind::faster
                                                                                          : ChangeKind::faster_link;
        asked.change.amount = wishedSpeed(wish.times);
        break;
    case Wish::Of::stream:
        asked.change.kind = ChangeKind::on_stream;
        asked.change.amount = trace.streams[wish.stream].id;
        break;
    case Wish::Of::graph:
        asked.change.kind = ChangeKind::graph;
        break;
    }
    return asked;
}

void HandPredictions::asked(int side)
{
    m_parts.timeline->side(1 - side).predicting().takeBack();
    m_side = side;
    const Wish wish = *m_parts.timeline->side(side).predicting().wish();
    if (m_asked && (m_asked->wish.what != wish.what || m_asked->wish.item != wish.item)) {
        m_found.reset();
    }
    m_asked = askedOf(side, wish);
    if (m_question.isPending() && m_findsOutline && m_since.elapsed() < quick_replay) {
        m_again = true;
    } else {
        find();
    }
    say();
}

/// Null: it has to be made.
HandPredictions::WhatIfPtr HandPredictions::known(const OpenRecordingPtr& of) const
{
    const auto priced = m_parts.whatIfs->priced();
    return priced && priced->recording->trace == of->trace ? WhatIfPtr(priced, &priced->whatIf)
        : m_ownOf && m_ownOf->trace == of->trace           ? m_own
                                                           : nullptr;
}

/// The total and the outline of the run.
void HandPredictions::find()
{
    m_again = false;
    m_findsOutline = true;
    m_since.start();
    m_question.ask(
        [asked = *m_asked, known = known(m_asked->of), answers = m_parts.whatIfs->answers()](const Progress& progress) {
            Found found {known, nullptr, {}};
            if (!found.whatIf) {
                const auto own = freedElsewhere(std::make_unique<const OwnWhatIf>(asked.of, progress));
                found.whatIf = WhatIfPtr(own, &own->whatIf);
            }
            if (found.whatIf->gate().is_open()) {
                const replay::Outline outline = found.whatIf->outline({asked.change}, answers, {progress});
                found.run = ghostOf(*asked.of->trace, outline);
                found.prediction.total = outline.total;
                found.prediction.count = outline.count;
            }
            return found;
        },
        [this, asked = *m_asked](const Found& found) { take(asked, found); },
        [this](const QString& problem) { m_again ? find() : say(problem); });
}

/// The same with its interval.
void HandPredictions::findWhole()
{
    m_findsOutline = false;
    m_question.ask(
        [asked = *m_asked, found = *m_found, answers = m_parts.whatIfs->answers()](const Progress& progress) {
            Found whole = found;
            whole.prediction = found.whatIf->predict({asked.change}, answers, {progress});
            return whole;
        },
        [this, asked = *m_asked](const Found& found) { take(asked, found); },
        [this](const QString& problem) { say(problem); });
}

void HandPredictions::take(const Asked& asked, const Found& found)
{
    if (!m_asked) {
        return;
    }
    if (known(asked.of) == nullptr) {
        m_ownOf = asked.of;
        m_own = found.whatIf;
    }
    m_found = found;
    m_foundOf = {asked.change};
    const bool isNewest = asked.change == m_asked->change;
    if (!isNewest || m_again) {
        find();
    } else if (m_findsOutline && found.prediction.count > 0) {
        findWhole();
    }
    say();
}

QString HandPredictions::nameOf(const Asked& asked) const
{
    const Trace& trace = *asked.of->trace;
    constexpr int most_letters = 32;
    const auto name = [&] {
        return shortened(
            lanes::gui::nameOf(trace, EventRef {EventTable::operations, asked.wish.item.row}), most_letters);
    };
    switch (asked.wish.what) {
    case Wish::Of::length:
        return (wishedSpeed(asked.wish.times) < 1 ? tr("All “%1”: %2 times as long") : tr("All “%1”: %2 of their time"))
            .arg(name(), timesText(wishedTimes(asked.wish.times)));
    case Wish::Of::stream:
        return tr("All “%1” on %2").arg(name(), text(trace.label_of(trace.streams[asked.wish.stream])));
    case Wish::Of::graph:
        return tr("Launches as CUDA graphs");
    }
    return {};
}

/// The plate: what is wished, what it comes to as far as that is known, and what can be done.
void HandPredictions::say(const QString& problem)
{
    if (!m_asked) {
        return;
    }
    QStringList lines {nameOf(*m_asked)};
    PredictHand& hand = m_parts.timeline->side(m_side).predicting();
    const bool isOfIt = m_found && m_foundOf == Changes {m_asked->change};
    const QString dots = QStringLiteral("\u2026");
    m_canBeAdded = true;
    if (m_asked->wish.what == Wish::Of::length && wishedSpeed(m_asked->wish.times) == 1) {
        lines += tr("As recorded: nothing changes.");
        m_canBeAdded = false;
    } else if (!problem.isEmpty()) {
        lines += problem;
        m_canBeAdded = false;
    } else if (m_found && !m_found->whatIf->gate().is_open()) {
        lines += text(engineMessages().text("whatif.refused.title"));
        for (const Message& reason : m_found->whatIf->gate().reasons) {
            lines += sentenceOf(reason);
        }
        m_canBeAdded = false;
    } else if (isOfIt && m_found->prediction.count == 0) {
        lines += m_asked->change.kind == ChangeKind::faster_link
            ? tr("Nothing changes: their memory is pageable, so that the host limits them.")
            : tr("Nothing here would change.");
        m_canBeAdded = false;
    } else if (m_found) {
        const replay::Gate& gate = m_found->whatIf->gate();
        const QString was = formatTime(recorded_in(gate, m_asked->scope.part));
        const Prediction of = replay::of_part(gate, m_found->prediction, m_asked->scope.part);
        const QString range = tr("%1 to %2").arg(formatTime(of.low), formatTime(of.high));
        const bool isExact = isOfIt && isWhole(of);
        lines += !isOfIt   ? QStringLiteral("%1 → %2").arg(was, dots)
            : !isExact     ? QStringLiteral("%1 → %2 %3").arg(was, formatTime(of.total), dots)
            : of.is_wide() ? QStringLiteral("%1 → %2").arg(was, range)
                           : QStringLiteral("%1 → %2 (%3)").arg(was, formatTime(of.total), range);
    } else {
        lines += dots;
    }
    lines += m_canBeAdded ? tr("Enter: add to What if · Esc: take back") : tr("Esc: take back");
    std::optional<Interval> pulled;
    if (m_asked->wish.what == Wish::Of::length) {
        pulled = spanOf(*m_parts.timeline->side(m_side).recording(), m_asked->wish.item);
        pulled->end = pulled->start
            + std::llround(static_cast<double>(pulled->end - pulled->start) * wishedTimes(m_asked->wish.times));
    }
    hand.show(m_found && m_canBeAdded ? m_found->run : nullptr, pulled, lines);
}

void HandPredictions::accept(int side, const Wish& wish)
{
    if (!m_canBeAdded) {
        return;
    }
    const Asked asked = askedOf(side, wish);
    m_parts.workspace->setActive(side);
    emit panelWanted();
    m_parts.panel->limitTo(asked.scope.query, asked.scope.title);
    m_parts.whatIfs->tickToo(asked.change);
}

}  // namespace lanes::gui
