// SPDX-License-Identifier: MIT
#include "gui/session/open_job.h"

#include "engine/analysis/facts/communication.h"
#include "engine/job/job_file.h"
#include "engine/trace/median.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/time_format.h"

#include <QFileInfo>

#include <algorithm>
#include <future>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace lanes::gui {

namespace {

Ns distance(Ns a, Ns b)
{
    return a > b ? a - b : b - a;
}

}  // namespace

QString measureText(HeatMeasure measure)
{
    switch (measure) {
    case HeatMeasure::exposed:
        return OpenJob::tr("Exposed communication");
    case HeatMeasure::idle:
        return OpenJob::tr("GPU idle");
    case HeatMeasure::step:
        return OpenJob::tr("Step time");
    case HeatMeasure::waited:
        break;
    }
    return OpenJob::tr("Waited for others");
}

OpenJobPtr openJob(const QString& path, const Progress& progress)
{
    auto job = std::make_shared<OpenJob>();
    job->path = QFileInfo(path).absoluteFilePath();
    job->ranks = load_ranks(job->path.toStdString());
    settle_ranks(job->ranks);
    progress.report(0.4);
    job->meetings = meet(job->ranks);
    progress.report(0.6);
    auto report = std::async(std::launch::async, [&] { return report_of(job->ranks, job->meetings); });
    job->waits = waits_of(job->meetings);
    job->parts = heat_parts_of(job->ranks, job->meetings, job->waits);
    job->heats = heats_of(job->parts);
    job->report = report.get();
    progress.report(0.9);
    job->rows.resize(job->ranks.size());
    std::iota(job->rows.begin(), job->rows.end(), std::size_t {0});
    std::map<QString, std::size_t> hosts;  // in the order of their first ranks
    for (std::size_t rank = 0; rank < job->ranks.size(); ++rank) {
        hosts.try_emplace(job->hostOf(rank), hosts.size());
    }
    std::stable_sort(job->rows.begin(), job->rows.end(),
        [&](std::size_t a, std::size_t b) { return hosts.at(job->hostOf(a)) < hosts.at(job->hostOf(b)); });
    job->row_of.resize(job->rows.size());
    for (std::size_t row = 0; row < job->rows.size(); ++row) {
        job->row_of[job->rows[row]] = static_cast<int>(row);
    }
    return job;
}

std::optional<Interval> OpenJob::openedPart() const
{
    const bool isAll = parts.opened.start == parts.time.start && parts.opened.end == parts.time.end;
    return isAll ? std::nullopt : std::optional(parts.opened);
}

JobHeat OpenJob::heat(HeatMeasure measure, Interval time) const
{
    JobHeat of = heat_of(parts, measure, time);
    of.top = heat(measure).top;
    return of;
}

HeatMap OpenJob::map(const JobHeat& of) const
{
    HeatMap map;
    map.cells = &of.cells;
    map.columns = heat_columns;
    map.lines = rows;
    map.time = of.time;
    map.begin = parts.time.start;
    map.top = of.top;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        map.names.push_back(QString::number(ranks[rows[row]].identity.rank));
        const QString host = hostOf(rows[row]);
        if (map.groups.empty() || map.groups.back().name != host) {
            map.groups.push_back({host, row, 0});
        }
        ++map.groups.back().count;
    }
    // Steps are named by those of the rank that has most of them.
    std::size_t most = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        most = ranks[rank].steps.size() > ranks[most].steps.size() ? rank : most;
    }
    for (const auto& step : ranks.empty() ? std::vector<RankStep>() : ranks[most].steps) {
        map.steps.push_back(meetings.aligned(static_cast<std::uint32_t>(most), step.start));
    }
    return map;
}

QString OpenJob::title() const
{
    return printable(QFileInfo(path).completeBaseName());
}

QString OpenJob::subtitle() const
{
    std::set<QString> hosts, devices;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        hosts.insert(hostOf(rank));
        devices.insert(nameText(ranks[rank].device));
    }
    devices.erase(QString());
    const bool isKnown = hosts.size() > 1 || (hosts.size() == 1 && !hosts.begin()->isEmpty());
    QString text = sentenceOf({isKnown ? "job.of_hosts" : "job.of_ranks",
        {{"count", std::to_string(ranks.size())}, {"hosts", std::to_string(hosts.size())}}});
    if (devices.size() == 1) {
        text += QStringLiteral("  ·  ") + *devices.begin();
    }
    if (report.steps > 0) {
        text += QStringLiteral("  ·  ") + sentenceOf({"job.steps_judged", {{"count", std::to_string(report.steps)}}});
    }
    return text;
}

QString OpenJob::sentence() const
{
    return sentenceOf(job_sentence(ranks, meetings, report));
}

QStringList OpenJob::notes() const
{
    QStringList lines;
    for (const Message& note : job_notes(ranks, meetings)) {
        lines += sentenceOf(note);
    }
    return lines;
}

QString OpenJob::nameOf(std::size_t rank) const
{
    return tr("rank %1").arg(ranks[rank].identity.rank);
}

QString OpenJob::hostOf(std::size_t rank) const
{
    return nameText(ranks[rank].identity.host);
}

Ns OpenJob::ownTime(std::size_t rank, Ns moment) const
{
    const auto index = static_cast<std::uint32_t>(rank);
    const auto& clock = meetings.alignment.clocks[meetings.clock_of[rank]];
    Ns own = moment - meetings.moved[rank];
    for (int round = 0; round < 3; ++round) {  // ahead() is asked at the own time; clocks drift by little
        own = moment - meetings.moved[rank] + clock.ahead(own);
    }
    return own + (moment - meetings.aligned(index, own));
}

std::optional<Ns> OpenJob::clocksApart(std::size_t a, std::size_t b, Ns moment) const
{
    constexpr Ns unbounded = 1'000'000'000'000;
    const std::array of {meetings.clock_of[a], meetings.clock_of[b]};
    if (of[0] == of[1]) {
        return 0;
    }
    const auto& clocks = meetings.alignment.clocks;
    const Ns apart = std::min(clocks[of[0]].uncertainty(ownTime(a, moment)), unbounded)
        + std::min(clocks[of[1]].uncertainty(ownTime(b, moment)), unbounded);
    const bool areJoined = clocks[of[0]].compared_with == clocks[of[1]].compared_with && apart < unbounded;
    return areJoined ? std::optional(apart) : std::nullopt;
}

QString OpenJob::tipOf(HeatMeasure measure, const JobHeat& of, std::size_t rank, Ns moment) const
{
    QStringList words {nameOf(rank)};
    if (const QString host = hostOf(rank); !host.isEmpty()) {
        words += host;
    }
    const std::size_t column = of.column_of(moment);
    const Interval cell {of.start_of(column), of.start_of(column + 1)};
    const auto& all = parts.of_rank[rank];  // of those in the cell the one whose value it has
    const auto part = std::find_if(all.begin(), all.end(), [&](const HeatPart& each) {
        return each.end > cell.start && each.start < cell.end
            && each.values[static_cast<std::size_t>(measure)] == of.at(rank, column);
    });
    const Ns own = ownTime(rank, part == all.end() ? moment : part->start);
    const auto& steps = ranks[rank].steps;
    const auto after = std::upper_bound(
        steps.begin(), steps.end(), own, [](Ns time, const RankStep& step) { return time < step.start; });
    if (after != steps.begin() && own < std::prev(after)->end) {
        words += tr("step %1").arg(std::distance(steps.begin(), after) - 1);
    }
    const Ns value = of.at(rank, column);
    const QString said = value < 0 ? tr("nothing recorded")
        : of.is_of_steps           ? formatTime(value)
                                   : tr("%1 of %2").arg(formatTime(value), formatTime(of.part));
    return QStringLiteral("%1\n%2: %3").arg(words.join(QStringLiteral(" · ")), measureText(measure), said);
}

std::size_t OpenJob::medianBeside(std::size_t rank) const
{
    std::set<std::size_t> others;
    for (const auto& group : meetings.collectives.groups) {
        if (std::binary_search(group.begin(), group.end(), static_cast<std::uint32_t>(rank))) {
            others.insert(group.begin(), group.end());
        }
    }
    std::vector<std::pair<Ns, std::size_t>> waited;
    for (const JobRank& row : report.ranks) {
        if (row.index != rank && (others.empty() || others.count(row.index) > 0)) {
            waited.emplace_back(row.waited, row.index);
        }
    }
    if (waited.empty()) {
        return rank;
    }
    return median_of(std::move(waited)).second;
}

Interval OpenJob::partAt(std::size_t rank, Ns moment) const
{
    const Ns own = ownTime(rank, moment);
    const auto& steps = ranks[rank].steps;
    const auto after = std::upper_bound(
        steps.begin(), steps.end(), own, [](Ns time, const RankStep& step) { return time < step.start; });
    if (after != steps.begin()) {
        const RankStep& step = *std::prev(after);
        return {step.start, step.end};
    }
    constexpr Ns shown = 20;
    const Ns around = (ranks[rank].end - ranks[rank].start) / shown / 2;
    const Ns middle = std::clamp(own, ranks[rank].start + around, ranks[rank].end - around);
    return {middle - around, middle + around};
}

Ns OpenJob::firstMoment() const
{
    const auto& all = meetings.collectives.all;
    if (const auto* late = report.late.first()) {
        const auto& where = late->where;
        Ns most = -1;
        Row last = no_row;
        for (const auto index : where) {
            Ns waited = 0;
            for (const Row row : all[index].kernels) {
                waited = std::max(waited, waits[row]);
            }
            if (waited > most) {
                most = waited;
                last = all[index].last;
            }
        }
        if (last != no_row) {
            return meetings.trace.operations.start[last];
        }
    }
    return report.range.start + (report.range.end - report.range.start) / 2;
}

std::optional<std::size_t> OpenJob::collectiveAt(std::size_t rank, Ns moment) const
{
    const auto& ops = meetings.trace.operations;
    const auto& all = meetings.collectives.all;  // by the start of their last kernel
    const auto start = [&](std::size_t index) { return ops.start[all[index].last]; };
    const auto has = [&](std::size_t index) {
        const auto& group = meetings.collectives.groups[all[index].group];
        return std::binary_search(group.begin(), group.end(), static_cast<std::uint32_t>(rank));
    };
    const auto at
        = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), moment,
                                       [&](const Collective& each, Ns time) { return ops.start[each.last] < time; })
            - all.begin());
    std::optional<std::size_t> found;
    for (auto after = at; after < all.size() && !found; ++after) {
        found = has(after) ? std::optional(after) : std::nullopt;
    }
    for (auto before = at; before-- > 0;) {
        if (has(before)) {
            const bool isNearer = !found || distance(start(before), moment) < distance(start(*found), moment);
            return isNearer ? before : found;
        }
    }
    return found;
}

ArrivalComb OpenJob::comb(std::size_t collective) const
{
    const auto& ops = meetings.trace.operations;
    const auto& of = meetings.collectives.all[collective];
    const auto rankOf = [&](Row row) { return static_cast<std::size_t>(meetings.rank_of(row)); };
    const auto& first = ranks[rankOf(of.last)].collectives[meetings.collective_of[of.last]];
    ArrivalComb comb;
    const auto what = communication_of(ranks[rankOf(of.last)].names[first.name]);
    comb.title = QStringLiteral("%1 %2").arg(text(what)).arg(first.number + 1);
    comb.subtitle = sentenceOf({"job.arrive", {{"count", std::to_string(of.kernels.size())}}});
    std::vector<Row> byTime = of.kernels;
    std::stable_sort(byTime.begin(), byTime.end(), [&](Row a, Row b) { return ops.start[a] < ops.start[b]; });
    std::vector<Ns> waited;
    for (const Row row : byTime) {
        comb.teeth.push_back({ops.start[row], nameOf(rankOf(row))});
        comb.end = std::max(comb.end, ops.end[row]);
        waited.push_back(ops.start[of.last] - ops.start[row]);
    }
    waited.pop_back();
    if (!waited.empty()) {
        comb.wait = median_of(std::move(waited));
    }
    comb.isLate = comb.wait > meetings.uncertainty + alignment_margin(0);
    if (!of.all_wait) {
        comb.isLate = false;
        comb.said = tr("%1 from the first to the last: not all of them wait for all")
                        .arg(formatTime(comb.teeth.back().at - comb.teeth.front().at));
        return comb;
    }
    const QString last = comb.teeth.back().name;
    const auto isSaid = [&](auto is) { return std::any_of(of.kernels.begin(), of.kernels.end(), is); };
    if (comb.isLate && isSaid([&](Row row) { return waits[row] < 0; })) {
        comb.isLate = false;
        comb.said = tr("unclear: the clocks and the lengths of the kernels disagree");
        return comb;
    }
    if (comb.isLate && !isSaid([&](Row row) { return waits[row] > 0; })) {
        comb.isLate = false;
        comb.said = tr("the first of its group does not count: ranks start up");
        return comb;
    }
    const auto row = std::find_if(
        report.ranks.begin(), report.ranks.end(), [&](const JobRank& each) { return each.index == rankOf(of.last); });
    comb.isCost = comb.isLate && row != report.ranks.end() && row->caused.value_or(0) > 0;
    const Ns spread = comb.teeth.back().at - comb.teeth.front().at;
    comb.said = comb.isLate ? sentenceOf({"job.wait_for",
                    {{"count", std::to_string(byTime.size() - 1)}, {"time", formatTime(comb.wait).toStdString()},
                        {"whom", last.toStdString()}}})
        : spread <= meetings.uncertainty + alignment_margin(0)
        ? tr("all arrive within %1: less than the clocks may be wrong").arg(formatTime(spread))
        : tr("all arrive within %1, most of them with the last").arg(formatTime(spread));
    return comb;
}

AwaitedRanks OpenJob::awaitedIn(std::size_t rank, const Trace& recording) const
{
    const std::vector<Ns> all = waits_of(meetings, true);
    std::map<std::pair<Ns, Ns>, AwaitedRank> bySpan;  // from when to when a kernel ran
    for (const Collective& collective : meetings.collectives.all) {
        for (const Row row : collective.kernels) {
            if (meetings.rank_of(row) == rank && all[row] > 0) {
                const RankCollective& own = ranks[rank].collectives[meetings.collective_of[row]];
                bySpan[{own.start - recording.origin, own.end - recording.origin}]
                    = {wait_in(ranks, meetings, all, row).end - recording.origin,
                        ranks[meetings.rank_of(collective.last)].identity.rank};
            }
        }
    }
    AwaitedRanks awaited;
    const auto& ops = recording.operations;
    for (Row operation = 0; operation < ops.size() && !bySpan.empty(); ++operation) {
        const auto found = bySpan.find({ops.start[operation], ops.end[operation]});
        if (found != bySpan.end() && ops.kind[operation] == OperationKind::kernel) {
            awaited.emplace(operation, found->second);
        }
    }
    return awaited;
}

OpenJob::Said OpenJob::saidOf(std::size_t rank, std::size_t chosen, Ns moment) const
{
    const auto& late = report.late.stand_out;
    const auto found = std::find_if(
        late.begin(), late.end(), [&](const LateRank& each) { return each.has(static_cast<std::uint32_t>(rank)); });
    if (found != late.end()) {
        const QString why = found == late.begin() && report.reason
            ? sentenceOf({"job.why." + std::string(word_of(*report.reason)), {}})
            : QString();
        const QString said = found->together.size() > 1 ? tr("late with others%1: last in %2 of %3 collectives")
                                                        : tr("late%1: last in %2 of %3 collectives");
        return {said.arg(why).arg(found->last).arg(found->of), true};
    }
    QStringList words;
    if (rank != chosen && rank == medianBeside(chosen)) {
        words += tr("median rank");
    }
    if (const auto index = collectiveAt(rank, moment)) {
        const Collective& collective = meetings.collectives.all[*index];
        const ArrivalComb arrivals = comb(*index);
        const auto own = std::find_if(collective.kernels.begin(), collective.kernels.end(),
            [&](Row row) { return meetings.rank_of(row) == rank; });
        if (own != collective.kernels.end() && waits[*own] > 0) {
            words += tr("waits %1 for %2 in %3")
                         .arg(formatTime(waits[*own]), nameOf(meetings.rank_of(collective.last)), arrivals.title);
        } else if (own != collective.kernels.end() && *own == collective.last && arrivals.isLate) {
            words += tr("last in %1: %2").arg(arrivals.title, arrivals.said);
        }
    }
    return {words.join(QStringLiteral(" \u00B7 "))};
}

QString uncertaintyText(Ns time)
{
    return time == 0 ? QStringLiteral("0") : QStringLiteral("± ") + formatTime(time);
}

}  // namespace lanes::gui
