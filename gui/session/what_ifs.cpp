// SPDX-License-Identifier: MIT
#include "gui/session/what_ifs.h"

#include "engine/analysis/report.h"
#include "engine/replay/gate.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/session/predicted_changes.h"
#include "gui/session/scope_reports.h"
#include "gui/timeline/freed_elsewhere.h"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace lanes::gui {

namespace {

using replay::Change;
using replay::ChangeKind;
using replay::Prediction;

constexpr std::size_t worth_asking = 200'000;  // calls and operations whose replays are felt
constexpr double offers_share = 0.8;  // of the time that pricing takes

bool isLargeTrace(const Trace& trace)
{
    return trace.operations.size() + trace.calls.size() > worth_asking;
}

/// How long a change may take, in replays of the unchanged recording, and never less than some seconds. A prediction
/// needs about ten replays.
constexpr int patience_times = 100;
constexpr auto least_patience = std::chrono::seconds(5);

}  // namespace

PricedChanges::PricedChanges(OpenRecordingPtr of, const std::vector<Finding>& findings, const replay::Answers& answers,
    const Query& on, Interval part, const Progress& progress)
    : recording(std::move(of))
    , whatIf(*recording->graph, progress)
{
    if (!whatIf.gate().is_open()) {
        return;
    }
    using Clock = replay::Bound::Clock;
    const auto begun = Clock::now();
    whatIf.total({}, {}, {progress});
    const auto patience = std::max<Clock::duration>(least_patience, patience_times * (Clock::now() - begun));
    rows = whatIf.offers({least_offer_of(whatIf.gate(), part), on, part, advised_by(findings), patience}, answers,
        progress.part(0, offers_share));
    const auto offered = static_cast<std::ptrdiff_t>(rows.size());
    if (rows.empty()) {
        pace = whatIf.why_nothing(part);
    }
    for (std::size_t index = 0; index < replay::change_kinds; ++index) {
        progress.part(offers_share, 1).report(static_cast<double>(index) / replay::change_kinds);
        const auto kind = static_cast<ChangeKind>(index);
        if (needs_limit(kind) || (!can_be_limited(kind) && !on.empty())) {
            continue;
        }
        const Changes changes {{kind, on, needs_amount(kind) ? 2.0 : 0.0}};
        const bool isOffered
            = std::any_of(rows.begin(), rows.end(), [&](const Prediction& each) { return each.changes == changes; });
        if (isOffered || whatIf.count(changes.front()) == 0) {
            continue;
        }
        try {
            rows.push_back(whatIf.predict(changes, answers, replay::Bound::within(progress, patience)));
        } catch (const Cancelled&) {
            throw;
        } catch (const replay::TooLong&) {
            leftOut.push_back(changes.front());
        } catch (const std::runtime_error&) {
            continue;  // the changed run waits for itself: no row
        }
    }
    const auto rank
        = [](const Prediction& each) { return std::pair(needs_amount(each.changes.front().kind), each.total); };
    std::sort(rows.begin() + offered, rows.end(),
        [&rank](const Prediction& a, const Prediction& b) { return rank(a) < rank(b); });
}

QString changesText(const Changes& changes, const Query& on)
{
    QStringList all;
    for (Change change : changes) {
        const bool isOfAll = change.on.empty() && change.finding.empty() && !on.empty() && can_be_limited(change.kind);
        if (change.on.text() == on.text()) {
            change.on = {};
        }
        const QString said = text(engineMessages().format(message_of(change)));
        all += isOfAll ? WhatIfs::tr("%1 (all of the recording)").arg(said) : said;
    }
    return all.join(QStringLiteral(" + "));
}

WhatIfs::WhatIfs(Workspace* workspace)
    : QObject(workspace)
    , m_workspace(workspace)
{
    connect(workspace, &Workspace::changed, this, [this] { look(false); });
    connect(workspace, &Workspace::renewed, this, [this] { look(true); });
    connect(workspace, &Workspace::activeChanged, this, [this] { look(false); });
    connect(&workspace->reports(), &ScopeReports::changed, this, &WhatIfs::followScope);
    m_pricing.onProgress([this](double fraction) { emit progressed(fraction); });
}

void WhatIfs::setWanted(const QObject* by, bool wanted)
{
    const bool wasPricing = isPricing();
    m_pricing.setWanted(by, wanted);
    if (isPricing() && !wasPricing) {
        emit changed();
    }
}

int WhatIfs::side() const
{
    const int active = m_workspace->active();
    const OpenRecordingPtr here = m_workspace->at(active), other = m_workspace->at(1 - active);
    const bool isOther = other && (!here || (isPredicted(*here->trace) && !isPredicted(*other->trace)));
    return isOther ? 1 - active : active;
}

void WhatIfs::look(bool isSame)
{
    OpenRecordingPtr of = m_workspace->at(side());
    if (of && !of->graph) {
        of = nullptr;  // the beginning of a large one; the whole comes
    }
    if (of && m_of && of->trace == m_of->trace) {
        m_of = of;
        return;
    }
    m_of = of;
    m_priced = nullptr;
    m_rows.clear();
    m_isCancelled = false;
    m_error.clear();
    m_together.reset();
    if (!isSame) {
        m_ticked.clear();
        std::tie(m_scope, m_part) = scopeOfWorkspace();
        m_answers.clear();
    }
    m_pricing.cancel();
    m_replaying.cancel();
    emit changed();
    price();
}

std::pair<Query, Interval> WhatIfs::scopeOfWorkspace() const
{
    const Scope scope = m_workspace->scope();
    const Interval range = scope.ranges[static_cast<std::size_t>(side())];
    return scope.of == Scope::Of::all || range.end <= range.start ? std::pair(Query {}, Interval {})
                                                                  : std::pair(replay::query_of(range), range);
}

/// What they are limited to besides stays: all of a name, a lane. One event stays that.
void WhatIfs::followScope()
{
    const auto [scope, part] = scopeOfWorkspace();
    if (m_workspace->reports().isFoundOld() || !m_of || part == m_part) {
        return;
    }
    std::string further = m_scope.text();
    if (const auto before = replay::limited_part(m_scope)) {
        further.resize(further.size() - replay::query_of(*before).text().size());
    } else if (further.find(" at=") != std::string::npos) {
        return;
    }
    further += further.empty() || further.ends_with(' ') || scope.empty() ? "" : " ";
    const Query next = Query::parse(further + scope.text());
    // What a finding of the scope before changes is in that scope only.
    std::erase_if(m_ticked,
        [this](const Change& change) { return !change.finding.empty() && change.on.text() != m_scope.text(); });
    for (Change& change : m_ticked) {
        if (change.on.text() == m_scope.text() && (can_be_limited(change.kind) || next.empty())) {
            change.on = next;
        }
    }
    setScope(next, part);
    findTogether();
}

Interval WhatIfs::part() const
{
    // What a finding changes is in the scope that it was found in.
    const bool areAllOfIt = std::all_of(m_ticked.begin(), m_ticked.end(), [this](const Change& change) {
        return change.on.text() == m_scope.text() || (change.on.empty() && !change.finding.empty());
    });
    return areAllOfIt ? m_part : Interval {};
}

Ns WhatIfs::recorded() const
{
    return m_priced ? replay::recorded_in(m_priced->whatIf.gate(), part()) : 0;
}

Prediction WhatIfs::ofPart(Prediction prediction) const
{
    return m_priced ? replay::of_part(m_priced->whatIf.gate(), std::move(prediction), part()) : prediction;
}

void WhatIfs::price()
{
    if (!m_of || m_priced || m_isCancelled || !m_error.isEmpty()) {
        return;
    }
    // What is in view or selected is another part with every move: it is priced for whoever looks at it.
    const Scope::Of of = m_workspace->scope().of;
    m_pricing.setWanted(this, !isLargeTrace(*m_of->trace) && (of == Scope::Of::all || of == Scope::Of::repeated));
    m_pricing.ask(
        [of = m_of, report = m_workspace->reports().found(side()), answers = m_answers, on = m_scope, part = m_part](
            const Progress& progress) -> Priced {
            auto priced = std::make_unique<const PricedChanges>(
                of, report ? report->findings : std::vector<Finding> {}, answers, on, part, progress);
            return isLargeTrace(*of->trace) ? freedElsewhere(std::move(priced)) : Priced(std::move(priced));
        },
        [this](const Priced& priced) { takePriced(priced); },
        [this](const QString& problem) {
            m_error = problem;
            emit changed();
        });
    emit changed();
}

void WhatIfs::takePriced(const Priced& priced)
{
    m_priced = priced;
    m_rows = priced->rows;
    noteRefused();
    if (!m_advised.empty()) {
        tickAdvised();
    } else {
        findTogether();
        emit changed();
    }
}

bool WhatIfs::isRefused(const OpenRecordingPtr& recording) const
{
    const auto& trace = recording->trace;
    return !replay::reasons_at_sight(*trace).empty()
        || std::any_of(m_refused.begin(), m_refused.end(), [&trace](const auto& each) { return each.lock() == trace; });
}

void WhatIfs::noteRefused()
{
    if (!m_priced->whatIf.gate().is_open() && !isRefused(m_of)) {
        std::erase_if(m_refused, [](const auto& each) { return each.expired(); });
        m_refused.push_back(m_of->trace);
        emit refused();
    }
}

void WhatIfs::cancel()
{
    if (isPricing()) {
        m_pricing.cancel();
        m_isCancelled = true;
        emit changed();
    }
}

void WhatIfs::again()
{
    m_isCancelled = false;
    m_error.clear();
    if (!isPricing()) {
        price();
    }
}

void WhatIfs::setTicked(Changes changes)
{
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.kind < b.kind; });
    if (changes != m_ticked) {
        m_ticked = std::move(changes);
        findTogether();
        emit changed();
    }
}

void WhatIfs::tickToo(const Change& change)
{
    Changes all = m_ticked;
    std::erase_if(
        all, [&change](const Change& each) { return each.kind == change.kind && each.on.text() == change.on.text(); });
    all.push_back(change);
    setTicked(std::move(all));
    emit advised();
}

void WhatIfs::setScope(const Query& on, Interval part)
{
    if (on.text() == m_scope.text()) {
        return;
    }
    m_scope = on;
    m_part = part;
    m_pricing.cancel();
    m_priced = nullptr;
    m_rows.clear();
    m_isCancelled = false;
    m_error.clear();
    emit changed();
    price();
}

void WhatIfs::answer(const std::string& assumption, std::optional<bool> holds)
{
    auto answers = m_answers;
    if (holds) {
        answers[assumption] = *holds;
    } else {
        answers.erase(assumption);
    }
    if (answers == m_answers) {
        return;
    }
    m_answers = std::move(answers);
    price();
    for (Prediction& row : m_rows) {
        const bool rests = std::any_of(row.assumptions.begin(), row.assumptions.end(),
            [&assumption](const replay::Assumption& each) { return each.word() == assumption; });
        if (rests) {
            Prediction again;
            again.changes = row.changes;
            again.assumptions = row.assumptions;  // so that there is something to answer meanwhile
            row = std::move(again);
        }
    }
    findTogether();
    emit changed();
}

void WhatIfs::setAmount(ChangeKind kind, double amount)
{
    const Changes of {{kind, m_scope, amount}};
    for (Prediction& row : m_rows) {
        if (row.changes.size() == 1 && row.changes.front().kind == kind && row.changes != of) {
            row = {};
            row.changes = of;
        }
    }
    for (Change& change : m_ticked) {
        change.amount = change.kind == kind ? amount : change.amount;
    }
    findTogether();
    emit changed();
}

/// What the ticked ones bring, where that is known from a row; else it is going to be.
void WhatIfs::findTogether()
{
    m_error.clear();
    m_together.reset();
    const auto known = std::find_if(m_rows.begin(), m_rows.end(),
        [this](const Prediction& row) { return row.changes == m_ticked && isWhole(row); });
    if (known != m_rows.end()) {
        m_together = *known;
    }
    replayNext();
}

/// Begins the next replay that is missing: of what is ticked, else of a row that has another number. One that is under
/// way for something else is given up, so that nobody waits for its interval.
void WhatIfs::replayNext()
{
    if (!m_priced || !m_priced->whatIf.gate().is_open()) {
        return;
    }
    const auto missing
        = std::find_if(m_rows.begin(), m_rows.end(), [](const Prediction& row) { return !isWhole(row); });
    const bool isTickedMissing = !m_ticked.empty() && m_error.isEmpty() && (!m_together || !isWhole(*m_together));
    if (!isTickedMissing && missing == m_rows.end()) {
        return;
    }
    const Changes wanted = isTickedMissing ? m_ticked : missing->changes;
    const Replayed next {m_priced, wanted, m_answers};
    if (m_replaying.isPending() && next == m_replayed) {
        return;
    }
    m_replayed = next;
    const bool isTotalKnown = isTickedMissing ? m_together.has_value() : missing->total > 0;
    m_replaying.ask(
        [next, isTotalKnown](const std::stop_token& stop) {
            const replay::Bound bound {Progress(stop)};
            if (isTotalKnown) {
                return next.of->whatIf.predict(next.changes, next.answers, bound);
            }
            Prediction total;
            total.changes = next.changes;
            total.total = next.of->whatIf.total(next.changes, next.answers, bound);
            return total;
        },
        [this, next](const Prediction& found) { takeReplayed(next, found, {}); },
        [this, next](const QString& problem) { takeReplayed(next, {}, problem); });
}

void WhatIfs::takeReplayed(const Replayed& replayed, const std::optional<Prediction>& found, const QString& problem)
{
    if (replayed.of != m_priced || replayed.answers != m_answers) {
        replayNext();
        return;
    }
    if (replayed.changes == m_ticked) {
        m_together = found;
        m_error = problem;
    }
    const auto row = std::find_if(m_rows.begin(), m_rows.end(),
        [&replayed](const Prediction& each) { return each.changes == replayed.changes && !isWhole(each); });
    if (row != m_rows.end() && found) {
        *row = *found;
    } else if (row != m_rows.end()) {
        m_rows.erase(row);  // with that number the run waits for itself
    }
    emit changed();
    replayNext();
}

void WhatIfs::advise(int side, const std::string& finding)
{
    m_advised = finding;
    m_workspace->setActive(side);
    const auto [scope, part] = scopeOfWorkspace();
    setScope(scope, part);
    if (m_priced) {
        tickAdvised();
    } else {
        again();
    }
}

void WhatIfs::tickAdvised()
{
    const std::string finding = std::exchange(m_advised, {});
    const auto report = m_workspace->reports().found(side());
    const std::vector<Finding> findings = report ? report->findings : std::vector<Finding> {};
    const auto found = std::find_if(
        findings.begin(), findings.end(), [&finding](const Finding& each) { return each.key() == finding; });
    m_ticked = {};
    if (found != findings.end()) {
        m_ticked = found->on_top_of;
        m_ticked.insert(m_ticked.end(), found->changes.begin(), found->changes.end());
    }
    findTogether();
    emit changed();
    emit advised();
}

}  // namespace lanes::gui
