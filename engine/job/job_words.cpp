// SPDX-License-Identifier: MIT
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/refused.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"
#include "engine/job/job_report.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace lanes {

namespace {

std::int64_t number_of(const std::vector<RankSummary>& ranks, std::uint32_t index)
{
    return ranks[index].identity.rank;
}

std::string uncertainty_text(Ns time)
{
    return "± " + shown_time(time);
}

/// "0-3, 7".
std::string in_words(const std::vector<std::int64_t>& numbers)
{
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
            ++last;
        }
        text += (text.empty() ? "" : ", ") + std::to_string(numbers[i])
            + (last > i ? (last == i + 1 ? ", " : "-") + std::to_string(numbers[last]) : "");
        i = last + 1;
    }
    return text;
}

std::vector<std::int64_t> numbers_of(const std::vector<RankSummary>& ranks, const std::vector<std::uint32_t>& indices)
{
    std::vector<std::int64_t> numbers;
    for (const auto index : indices) {
        numbers.push_back(number_of(ranks, index));
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// How much of a step, or of all, `time` is.
Message share_of(const JobReport& report, Ns time)
{
    if (report.steps > 0 && report.step) {
        const auto each = of_compared_step(time, report.compared_steps);
        return {"job.of_step",
            {{"cost", shown_time(each)}, {"step", shown_time(*report.step)},
                {"share",
                    shown_share(static_cast<double>(each) / static_cast<double>(std::max<Ns>(*report.step, 1)))}}};
    }
    const Ns length = report.range.end - report.range.start;
    return {"job.of_all",
        {{"cost", shown_time(time)}, {"all", shown_time(length)},
            {"share", shown_share(static_cast<double>(time) / static_cast<double>(std::max<Ns>(length, 1)))}}};
}

std::string host_of(const RankIdentity& identity)
{
    return identity.host.empty() ? "" : printable(identity.host);
}

/// "Rank 5", "Host node2 (ranks 4-7)", "The set of ranks 4, 5".
Message who_is_late(const std::vector<RankSummary>& ranks, const LateRank& late)
{
    if (late.together.size() == 1) {
        return {"job.who.rank", {{"rank", std::to_string(number_of(ranks, late.device))}}};
    }
    const auto host = host_of(ranks[late.device].identity);
    const auto on_it = std::count_if(
        ranks.begin(), ranks.end(), [&](const RankSummary& rank) { return host_of(rank.identity) == host; });
    const bool is_host = !host.empty() && on_it == static_cast<std::ptrdiff_t>(late.together.size())
        && std::all_of(late.together.begin(), late.together.end(),
            [&](std::uint32_t rank) { return host_of(ranks[rank].identity) == host; });
    return {is_host ? "job.who.host" : "job.who.set",
        {{"host", host}, {"ranks", in_words(numbers_of(ranks, late.together))}}};
}

/// Who loses to a late rank, up to how much: "of the other 3, each loses".
Message who_loses(const std::vector<RankSummary>& ranks, const LateRank& late)
{
    if (late.others.size() != 1) {
        return {"job.others_lose", {{"count", std::to_string(late.others.size())}}};
    }
    return ranks.size() == 2
        ? Message("job.other_loses", {})
        : Message("job.one_loses", {{"rank", std::to_string(number_of(ranks, late.others.front()))}});
}

/// "505 µs to 7.62 ms" as `name`; one time where both read the same.
void add_range(Message& message, const char* name, Ns least, Ns most)
{
    const auto from = shown_time(least);
    const auto to = shown_time(most);
    if (from == to) {
        message.arguments.emplace_back(name, from);
    } else {
        message.parts.push_back({name, {"job.between", {{"least", from}, {"most", to}}}});
    }
}

/// The rank that kept others waiting longest in the first collective of its group, because its recorded work begins
/// later than theirs. Nothing if that is less than counts of a late rank.
std::optional<Message> late_begin(const std::vector<RankSummary>& ranks, const JobMeetings& meetings)
{
    const auto& starts = meetings.trace.operations.start;
    std::set<std::size_t> has_met;
    std::optional<Message> found;
    Ns longest = 0;
    for (const auto& collective : meetings.collectives.all) {
        if (!meetings.has_one_clock || !collective.all_wait || !has_met.insert(collective.group).second) {
            continue;
        }
        const auto late = meetings.rank_of(collective.last);
        const Ns begin = meetings.aligned(late, ranks[late].start);
        Ns next_to_last = record_time_limit;  // by how much the last one came later than that and than the first
        Ns first = 0;
        Ns later = record_time_limit;  // by how much its work begins later, likewise
        Ns earliest = 0;
        for (const Row row : collective.kernels) {
            const auto rank = meetings.rank_of(row);
            if (rank != late) {
                next_to_last = std::min(next_to_last, starts[collective.last] - starts[row]);
                first = std::max(first, starts[collective.last] - starts[row]);
                const Ns by = begin - meetings.aligned(rank, ranks[rank].start);
                later = std::min(later, by);
                earliest = std::max(earliest, by);
            }
        }
        if (next_to_last > longest && next_to_last > meetings.uncertainty && 2 * later > next_to_last
            && next_to_last > (ranks[late].end - ranks[late].start) / least_lost) {
            longest = next_to_last;
            Message message {"job.begins_late",
                {{"rank", std::to_string(number_of(ranks, late))},
                    {"others", std::to_string(collective.kernels.size() - 1)}}};
            add_range(message, "by", later, earliest);
            add_range(message, "wait", next_to_last, first);
            found = std::move(message);
        }
    }
    return found;
}

/// Which ranks recorded which steps, where they differ, and which all have.
std::optional<Message> different_steps(const std::vector<RankSummary>& ranks, const JobMeetings& meetings)
{
    if (meetings.steps.empty()) {
        return std::nullopt;
    }
    std::map<RecordedSteps, std::vector<std::int64_t>> of;
    RecordedSteps common {0, std::numeric_limits<std::int64_t>::max()};
    for (std::uint32_t rank = 0; rank < meetings.steps.size(); ++rank) {
        if (const auto& steps = meetings.steps[rank]; steps.last >= 0) {
            of[steps].push_back(number_of(ranks, rank));
            common = {std::max(common.first, steps.first), std::min(common.last, steps.last)};
        }
    }
    constexpr std::size_t most_said = 8;
    std::string list;
    std::size_t said = 0;
    for (const auto& [steps, numbers] : of) {
        if (++said <= most_said) {
            list += (list.empty() ? "" : "; ") + in_words(numbers) + ": " + std::to_string(steps.first) + " – "
                + std::to_string(steps.last);
        }
    }
    list += said > most_said ? "; …" : "";
    return Message {common.first <= common.last ? "job.steps_differ" : "job.no_common_step",
        {{"list", list}, {"first", std::to_string(common.first)}, {"last", std::to_string(common.last)}}};
}

/// That nobody is named, and which ranks are not judged.
Message wait_in_sends(const std::vector<RankSummary>& ranks, const JobReport& report)
{
    constexpr std::size_t most_said = 8;
    const auto& pipelines = report.late.pipelines;
    std::string list;
    for (std::size_t i = 0; i < std::min(most_said, pipelines.size()); ++i) {
        list += (i > 0 ? "; " : "") + in_words(numbers_of(ranks, pipelines[i]));
    }
    list += pipelines.size() > most_said ? "; …" : "";
    Message message {report.is_judged() ? "job.none_beside_sends" : "job.waits_in_sends", {{"ranks", list}}};
    if (const auto& more = report.more_compute) {
        message.parts.push_back({"compute",
            {"job.more_compute",
                {{"rank", std::to_string(number_of(ranks, more->rank))}, {"own", shown_time(more->own)},
                    {"others", shown_time(more->others)}}}});
    } else {
        message.arguments.emplace_back("compute", "");
    }
    return message;
}

/// Where the rank was latest: its step where it has steps, else the time.
Message when_latest(const std::vector<RankSummary>& ranks, const JobMeetings& meetings, const LateRank& late)
{
    const auto& starts = meetings.trace.operations.start;
    Ns most = -1;
    Row latest = no_row;
    for (const auto index : late.where) {
        const auto& collective = meetings.collectives.all[index];
        Ns missing = record_time_limit;
        for (const Row row : collective.kernels) {
            missing = row == collective.last ? missing : std::min(missing, starts[collective.last] - starts[row]);
        }
        if (missing > most) {
            most = missing;
            latest = collective.last;
        }
    }
    const auto& rank = ranks[late.device];
    const Ns own = rank.collectives[meetings.collective_of[latest]].start;
    const auto after = std::upper_bound(
        rank.steps.begin(), rank.steps.end(), own, [](Ns time, const RankStep& step) { return time < step.start; });
    if (after == rank.steps.begin() || own >= std::prev(after)->end) {
        return {"job.at_time", {{"time", shown_time(own - rank.start)}}};
    }
    return {"job.in_step",
        {{"step", std::to_string(after - rank.steps.begin())}, {"all", std::to_string(rank.steps.size())}}};
}

/// Whether it is known how long its ranks waited in the group's collectives.
bool is_judged(const JobReport& report, const JobGroup& group)
{
    return report.is_judged() && report.late.judges(group.group);
}

/// Fills in why the rank is late: nothing where nothing explains it.
Message with_reason(const JobReport& report, Message message)
{
    if (report.reason) {
        message.parts.push_back({"why", {"job.why." + std::string(word_of(*report.reason)), {}}});
    } else {
        message.arguments.emplace_back("why", "");
    }
    return message;
}

}  // namespace

Message job_sentence(const std::vector<RankSummary>& ranks, const JobMeetings& meetings, const JobReport& report)
{
    if (const auto* late = report.late.first()) {
        auto who = who_is_late(ranks, *late);
        const auto last = std::to_string(late->last), all = std::to_string(late->of);
        if (report.late.seldom) {
            return with_reason(report,
                {late->times == 1 ? "job.late_once" : "job.late_seldom",
                    {{"times", std::to_string(late->times)}, {"cost", shown_time(late->cost)},
                        {"most", shown_time(late->most)}},
                    {{"who", std::move(who)}, {"when", when_latest(ranks, meetings, *late)}}});
        }
        if (report.late.unclear) {
            auto lost = share_of(report, late->most);
            if (shown_time(late->cost) != shown_time(late->most)) {
                lost = {"job.by_starts_and_lengths", {},
                    {{"starts", share_of(report, late->cost)}, {"lengths", std::move(lost)}}};
            }
            return {"job.late_unclear", {{"last", last}, {"all", all}, {"others", std::to_string(late->others.size())}},
                {{"who", std::move(who)}, {"lost", std::move(lost)}}};
        }
        return with_reason(report,
            {"job.late", {{"last", last}, {"all", all}},
                {{"who", std::move(who)}, {"others", who_loses(ranks, *late)},
                    {"lost", share_of(report, late->cost)}}});
    }
    if (report.late.turns) {
        return {"job.turns",
            {{"changes", std::to_string(report.late.turns->changes)}, {"all", std::to_string(report.late.turns->of)}},
            {{"lost", share_of(report, report.late.turns->cost)}}};
    }
    if (!report.late.pipelines.empty()) {
        return wait_in_sends(ranks, report);
    }
    return {meetings.collectives.all.empty() ? "job.no_collectives"
            : report.is_judged()             ? "job.none"
            : meetings.has_one_clock         ? "job.nobody_waits_for_all"
                                             : "job.not_judged",
        {}};
}

std::vector<Message> job_notes(const std::vector<RankSummary>& ranks, const JobMeetings& meetings)
{
    std::vector<Message> notes;
    std::int64_t world = 0;
    std::set<std::int64_t> here;
    for (const auto& rank : ranks) {
        world = std::max({world, rank.identity.world, rank.identity.rank + 1});
        here.insert(rank.identity.rank);
        if (!rank.complete) {
            notes.push_back({"job.cut_short", {{"rank", std::to_string(rank.identity.rank)}, {"file", rank.file}}});
        }
    }
    std::vector<std::int64_t> lost;
    for (std::int64_t rank = 0; rank < std::min<std::int64_t>(world, 1 << 20); ++rank) {
        if (!here.contains(rank)) {
            lost.push_back(rank);
        }
    }
    if (!lost.empty()) {
        notes.push_back({"job.lost",
            {{"ranks", in_words(lost)}, {"count", std::to_string(lost.size())}, {"all", std::to_string(world)}}});
    }
    if (auto steps = different_steps(ranks, meetings)) {
        notes.push_back(std::move(*steps));
    } else if (auto begin = late_begin(ranks, meetings)) {
        notes.push_back(std::move(*begin));
    }
    for (const auto& gap : meetings.gaps) {
        notes.push_back({gap.kind == JobGap::lacks ? "job.lacks" : "job.unmatched",
            {{"rank", std::to_string(number_of(ranks, gap.rank))}, {"count", std::to_string(gap.count)},
                {"all", std::to_string(gap.of)}, {"what", gap.what}}});
    }
    std::set<std::pair<std::uint32_t, Ns>> said;  // by clock: each rank of a host says it
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        for (const auto& set : ranks[rank].clock_set) {
            if (said.emplace(meetings.clock_of[rank], set.by / 1'000'000).second) {
                notes.push_back({"job.clock_was_set",
                    {{"rank", std::to_string(number_of(ranks, rank))}, {"by", shown_time(std::abs(set.by))}}});
            }
        }
    }
    for (const auto& contradiction : meetings.contradictions) {
        notes.push_back({"job.clock_set",
            {{"rank", std::to_string(number_of(ranks, contradiction.rank))}, {"before", contradiction.before},
                {"after", contradiction.after}, {"by", shown_time(contradiction.by)}}});
    }
    if (!meetings.has_one_clock && !meetings.collectives.all.empty()) {
        notes.push_back({"job.no_clock", {}});
    }
    return notes;
}

namespace {

std::string table_text(
    const std::vector<RankSummary>& ranks, const JobReport& report, const Messages& messages, std::size_t rows)
{
    TextTable table("rlr");
    const auto word = [&](const char* id) { return messages.text(std::string("job.column.") + id); };
    table.add({word("rank"), word("host"), word("step"), word("p95"), word("compute"), word("exposed"),
        word(report.steps > 0 ? "idle" : "idle_between"), word("waited"), word("caused"), word("last"), word("clock")});
    for (std::size_t i = 0; i < std::min(rows, report.ranks.size()); ++i) {
        const auto& row = report.ranks[i];
        const auto& rank = ranks[row.index];
        const RankRow shown = row.row();
        const auto time = [](std::optional<Ns> value) { return value ? shown_time(*value) : std::string("–"); };
        table.add({std::to_string(rank.identity.rank), host_of(rank.identity), time(shown.step), time(shown.p95),
            time(shown.compute), time(shown.exposed), time(shown.idle), time(shown.waited), time(shown.caused),
            shown.last ? std::to_string(*shown.last) + " / " + std::to_string(row.of) : "–",
            shown.clock ? uncertainty_text(*shown.clock) : "–"});
    }
    auto text = table.text();
    if (rows < report.ranks.size()) {
        text += "  " + messages.format({"job.more", {{"count", std::to_string(report.ranks.size() - rows)}}}) + '\n';
    }
    return text;
}

/// The pairs with most of all waits: a matrix of 64 does not fit on a terminal.
std::string waits_text(const JobReport& report, const Messages& messages)
{
    constexpr std::size_t most_pairs = 10;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < report.waits.size(); ++i) {
        if (report.waits[i] > 0) {
            places.push_back(i);
        }
    }
    std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return report.waits[a] > report.waits[b]; });
    std::string text;
    for (std::size_t i = 0; i < std::min(most_pairs, places.size()); ++i) {
        const auto side = report.of_waits.size();
        text += "  "
            + messages.format({report.waits_by_host ? "job.host_waits" : "job.waits",
                {{"who", report.of_waits[places[i] / side]}, {"whom", report.of_waits[places[i] % side]},
                    {"time", shown_time(of_compared_step(report.waits[places[i]], report.compared_steps))}}})
            + '\n';
    }
    return text;
}

}  // namespace

std::string job_text(const std::vector<RankSummary>& ranks, const JobMeetings& meetings, const JobReport& report,
    const Messages& messages, std::size_t rows)
{
    std::string text = messages.format(job_sentence(ranks, meetings, report)) + "\n";
    const auto add = [&](const Message& message) { text += "  " + messages.format(message) + '\n'; };
    for (const auto& note : job_notes(ranks, meetings)) {
        add(note);
    }
    text += '\n'
        + messages.format({report.steps > 0 ? "job.table_steps" : "job.table",
            {{"count", std::to_string(ranks.size())}, {"steps", std::to_string(report.steps)}}})
        + '\n' + table_text(ranks, report, messages, rows);
    if (const auto waits = waits_text(report, messages); !waits.empty()) {
        text += '\n' + messages.text("job.waits_title") + '\n' + waits;
    }
    text += report.groups.empty() ? "" : '\n' + messages.text("job.groups_title") + '\n';
    for (const auto& group : report.groups) {
        add({is_judged(report, group) ? "job.group" : "job.group_not_judged",
            {{"ranks", in_words(numbers_of(ranks, meetings.collectives.groups[group.group]))},
                {"count", std::to_string(group.collectives)}, {"transfer", shown_time(group.transfer)},
                {"waited", shown_time(group.waited)}, {"unclear", std::to_string(group.unclear)}}});
    }
    return text;
}

namespace {

void write_times(JsonWriter& json, const RankTimes& times)
{
    json.field("busy_ns", times.busy).field("compute_ns", times.compute);
    json.field("communication_ns", times.communication).field("communication_exposed_ns", times.exposed);
    json.field("copy_ns", times.copies).field("blocked_ns", times.blocked);
}

void write_rank(JsonWriter& json, const RankSummary& rank, const JobRank& row)
{
    const auto& identity = rank.identity;
    const auto number = [](std::int64_t value) { return value < 0 ? std::nullopt : std::optional(value); };
    json.begin_object();
    json.field("rank", identity.rank)
        .field("world", number(identity.world))
        .field("restarts", number(identity.restarts));
    json.field("rule", identity.rule).field("host", identity.host).field("clock", identity.clock);
    json.field("gpu", identity.gpu).field("device", rank.device).field("process", identity.process);
    json.field("file", rank.file).field("complete", rank.complete).field("dropped", rank.dropped);
    json.field("wall_ns", rank.end - rank.start);
    write_times(json, rank.times);
    json.field("steps", static_cast<std::uint64_t>(row.steps));
    json.field("step_mean_ns", row.step_mean)
        .field("step_median_ns", row.step_median)
        .field("step_p95_ns", row.step_p95);
    const auto judged = [&](std::optional<Ns> figure) { return row.is_judged() ? figure : std::nullopt; };
    json.field("waited_ns", judged(row.waited)).field("unclear_ns", judged(row.unclear));
    json.field("caused_ns", judged(row.caused)).field("last", judged(static_cast<Ns>(row.last)));
    json.field("collectives", static_cast<std::uint64_t>(row.of));
    json.field("clock_uncertainty_ns", row.clock);
    json.end_object();
}

/// Which rank is late, and with which others, if a host or a group is late.
void write_who(JsonWriter& json, const std::vector<RankSummary>& ranks, const LateRank& late)
{
    json.field("rank", number_of(ranks, late.device)).key("together").begin_array();
    for (const auto number :
        numbers_of(ranks, late.together.size() > 1 ? late.together : std::vector<std::uint32_t>())) {
        json.value(number);
    }
    json.end_array();
}

void write_late(JsonWriter& json, const std::vector<RankSummary>& ranks, const JobReport& report)
{
    json.key("late").begin_array();
    for (const auto& late : report.late.stand_out) {
        json.begin_object();
        write_who(json, ranks, late);
        json.field("last", static_cast<std::uint64_t>(late.last)).field("of", static_cast<std::uint64_t>(late.of));
        json.field("cost_ns", late.cost).key("reason");
        if (&late == report.late.first() && report.reason) {
            json.value(word_of(*report.reason));
        } else {
            json.null();
        }
        json.end_object();
    }
    json.end_array();
    for (const auto& [key, late] :
        {std::pair("seldom", &report.late.seldom), std::pair("unclear", &report.late.unclear)}) {
        json.key(key);
        if (!*late) {
            json.null();
            continue;
        }
        json.begin_object();
        write_who(json, ranks, **late);
        json.field("times", static_cast<std::uint64_t>((*late)->times));
        json.field("last", static_cast<std::uint64_t>((*late)->last));
        json.field("of", static_cast<std::uint64_t>((*late)->of));
        json.field("cost_ns", (*late)->cost).field("most_ns", (*late)->most).end_object();
    }
    json.key("turns");
    if (const auto& turns = report.late.turns) {
        json.begin_object().field("changes", static_cast<std::uint64_t>(turns->changes));
        json.field("of", static_cast<std::uint64_t>(turns->of)).field("cost_ns", turns->cost).end_object();
    } else {
        json.null();
    }
}

}  // namespace

std::string job_json(const std::vector<RankSummary>& ranks, const JobMeetings& meetings, const JobReport& report,
    const Messages& messages)
{
    JsonWriter json;
    json.begin_object().field("schema", json_schema);
    json.field("sentence", messages.format(job_sentence(ranks, meetings, report)));
    json.key("notes").begin_array();
    for (const auto& note : job_notes(ranks, meetings)) {
        json.value(messages.format(note));
    }
    json.end_array()
        .field("length_ns", report.range.end - report.range.start)
        .field("steps", static_cast<std::uint64_t>(report.steps))
        .field("compared_steps", report.compared_steps);
    json.field("step_ns", report.step).field("one_clock", meetings.has_one_clock);
    json.field("clock_uncertainty_ns", meetings.has_one_clock ? std::optional<Ns>(meetings.uncertainty) : std::nullopt);
    write_late(json, ranks, report);
    json.key("ranks").begin_array();
    for (const auto& row : report.ranks) {
        write_rank(json, ranks[row.index], row);
    }
    json.end_array().key("groups").begin_array();
    for (const auto& group : report.groups) {
        json.begin_object().key("ranks").begin_array();
        for (const auto number : numbers_of(ranks, meetings.collectives.groups[group.group])) {
            json.value(number);
        }
        json.end_array().field("collectives", static_cast<std::uint64_t>(group.collectives));
        json.field("transfer_ns", group.transfer);
        json.field("waited_ns", is_judged(report, group) ? std::optional<Ns>(group.waited) : std::nullopt);
        json.field("unclear", static_cast<std::uint64_t>(group.unclear)).end_object();
    }
    json.end_array().key("waits").begin_object().field("by", report.waits_by_host ? "host" : "rank");
    json.key("of").begin_array();
    for (const auto& name : report.of_waits) {
        json.value(name);
    }
    json.end_array().key("ns").begin_array();
    for (std::size_t row = 0; row < report.of_waits.size(); ++row) {
        json.begin_array();
        for (std::size_t column = 0; column < report.of_waits.size(); ++column) {
            json.value(report.waits[row * report.of_waits.size() + column]);
        }
        json.end_array();
    }
    json.end_array().end_object();
    std::vector<Refused> all;
    if (report.late.first() == nullptr && !report.late.turns) {
        all.push_back(refused("late",
            !report.late.pipelines.empty() ? "waits_in_sends"
                : report.is_judged()       ? "no_late_rank"
                : meetings.has_one_clock   ? "nobody_waits_for_all"
                                           : "no_common_clock"));
    }
    if (report.groups.empty()) {
        all.push_back(refused("groups", "no_collectives"));
    }
    write_refused(json, all, messages);
    return json.end_object().take();
}

}  // namespace lanes
