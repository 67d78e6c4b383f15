// SPDX-License-Identifier: MIT
#include "engine/analysis/verdict/verdict.h"

#include "engine/analysis/words/shown.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>

namespace lanes {

namespace {

using Kind = Verdict::Kind;

constexpr std::size_t most_characters = 80;  // of a clause

/// Whether `part` is `share` percent of `whole` or more.
constexpr bool reaches(Ns part, Ns whole, int share)
{
    // Real numbers: times since 1970 would overflow.
    return whole > 0 && static_cast<double>(part) * 100 >= static_cast<double>(whole) * share;
}
constexpr bool reaches(const std::optional<Ns>& part, Ns whole, int share)
{
    return part && reaches(*part, whole, share);
}
std::string share_of(Ns part, Ns whole)
{
    return shown_share(whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0);
}

struct Table {
    const VerdictFacts& of;

    Ns idle() const { return std::max<Ns>(0, of.wall - of.gpu_busy); }
    /// All idle time but the start-up.
    Ns idle_since() const { return std::max<Ns>(0, idle() - of.before_first); }
    /// Whether a cause fills half of it.
    bool explains(const std::optional<Ns>& part) const { return reaches(part, idle_since(), 50); }

    bool is_busy() const { return is_mostly_busy(of.gpu_busy, of.wall); }
    bool waits_matter() const { return reaches(of.held_cost, of.wall, 1); }
    /// All of them together cost a tenth more than the sum of what each costs alone.
    bool cost_more_together() const
    {
        return waits_matter() && reaches(of.gain_without_waits, of.held_cost.value_or(0), 110);
    }
    std::optional<Ns> waits() const { return cost_more_together() ? of.gain_without_waits : of.held_cost; }
    bool is_blocked() const { return explains(waits()) && reaches(waits(), of.wall, 5); }
    bool starts_up() const { return reaches(of.before_first, idle(), 50) && of.before_first > 0; }
    /// Praise is for GPUs that work for half of the time or more, on average.
    bool is_half_busy() const { return reaches(of.gpus > 1 ? of.gpu_time / of.gpus : of.gpu_busy, of.wall, 50); }
    /// Neither before the first operation of a program nor between its operations.
    Ns idle_at_the_ends() const { return idle_since() - of.idle_inside; }
    /// Of several GPUs, what works at once says more.
    bool waits_fill_idle_time() const
    {
        return of.gpus < 2 && explains(of.idle_in_waits) && reaches(of.idle_in_waits, of.wall, 20);
    }
    bool cpu_is_late() const { return of.idle_in_launches && idle_since() > 0 && explains(of.idle_unissued); }
    bool communication_matters() const { return reaches(of.communication, of.communicating_gpu, 5); }
    /// A quarter of the GPU's busy time or more is communication alone, such as waits for a slower stage of a pipeline:
    /// that the rest of it is hidden, or that GPUs or streams work at once, says little.
    bool communication_delays() const
    {
        return reaches(of.communication_exposed, of.communicating_gpu, 25) && of.communicating_gpu > of.communication;
    }
    bool communication_is_hidden() const
    {
        return communication_matters() && reaches(of.communication - of.communication_exposed, of.communication, 50);
    }
    bool copies_matter() const { return reaches(of.copy - of.values, of.gpu_time, 5); }
    bool copies_are_hidden() const { return copies_matter() && reaches(of.copy_hidden, of.copy, 50); }
    /// Even if all kernels ran beside them, copies would fill half of the time.
    bool is_copy_bound() const
    {
        return is_busy() && reaches(of.copy - of.values - of.copy_hidden - of.kernel, of.gpu_time, 50)
            && !directions_overlap();
    }
    bool streams_overlap() const { return reaches(of.streams_overlap, of.gpu_time, 10); }
    bool directions_overlap() const { return reaches(of.directions_overlap, of.gpu_time, 10); }
    bool cpu_works() const
    {
        return reaches(of.cpu_free, of.gpu_busy, 50) && reaches(of.work_beside, of.gpu_busy, 50) && of.gpus == 1
            && !copies_are_hidden() && !streams_overlap() && !directions_overlap();
    }
    bool gpus_at_once() const { return of.gpus > 1 && reaches(of.gpus_at_once, of.gpu_busy, 10); }
    /// What all GPUs but the busiest do, they hardly do beside another one.
    bool gpus_take_turns() const
    {
        return of.gpus > 1 && !gpus_at_once() && !reaches(of.gpus_at_once, of.gpu_time - of.busiest_gpu, 10);
    }
    bool something_overlaps() const { return streams_overlap() || directions_overlap(); }
    /// Streams that are busy at once are not one thing at a time, whatever waits cost.
    bool is_serial() const
    {
        return (communication_matters() && of.communicating_gpu > of.communication)
            || (!something_overlaps() && (of.kernels_and_copies || of.copies_both_ways || of.two_streams));
    }
    /// Of a run that overlaps: what GPUs that are idle for more than half of the time are idle for.
    std::optional<Kind> instead_of_praise() const
    {
        return is_half_busy()     ? std::nullopt
            : of.gpus > 1         ? std::optional(Kind::uneven)
            : of.idle_in_launches ? std::optional(Kind::idle)
                                  : std::optional(Kind::none);
    }

    /// What overlaps; nothing: too little.
    std::optional<Kind> praised() const
    {
        if (communication_delays()) {
            return std::nullopt;
        }
        if (communication_is_hidden() || copies_are_hidden()
            || (something_overlaps() && !reaches(waits(), of.wall, 10))) {
            return Kind::overlapped;
        }
        return gpus_at_once() ? std::optional(Kind::side_by_side) : std::nullopt;
    }

    Kind kind() const
    {
        // clang-format off
        if (of.wrong_bytes > 0) { return Kind::stale; }
        if (of.gpu_busy == 0) { return Kind::none; }
        if (!is_busy()) {
            if (is_blocked()) { return Kind::blocked; }
            if (is_launch_bound(of.idle_in_launches, of.wall) && explains(of.idle_in_launches)) { return Kind::launch_bound; }
            if (is_starved(of.idle_in_work, of.wall) && explains(of.idle_in_work)) { return Kind::starved; }
            if (starts_up() || waits_fill_idle_time()) { return Kind::idle; }
            if (cpu_is_late()) { return Kind::cpu_late; }
            if (!reaches(of.gpu_busy, of.wall, 5)) { return Kind::idle; }
        }
        if (cpu_works()) { return instead_of_praise().value_or(Kind::cpu_works); }
        if (is_copy_bound()) { return Kind::copy_bound; }
        if (gpus_take_turns() && !communication_matters()) { return Kind::turns; }
        if (const auto kind = praised()) { return instead_of_praise().value_or(*kind); }
        if (is_serial()) { return Kind::serial; }
        return is_busy() ? Kind::gpu_bound : Kind::none;
        // clang-format on
    }

    std::string busy() const { return share_of(of.gpus > 1 ? of.gpu_time / of.gpus : of.gpu_busy, of.wall); }
    /// "GPU 59 % busy", "2 GPUs 99 % busy": of several the mean.
    Message gpu() const
    {
        return of.gpus > 1 ? Message {"verdict.gpus", {{"gpus", std::to_string(of.gpus)}, {"busy", busy()}}}
                           : Message {"verdict.gpu", {{"busy", busy()}}};
    }
    std::string waits_cost() const { return shown_time(waits().value_or(0)); }
    /// The sentence that says what waits cost. What they cost together is the most that the run gains, as in findings.
    std::string of_waits(std::string id) const { return cost_more_together() ? id + "_up_to" : id; }
    Message waits_of_wall() const
    {
        return {of_waits("verdict.waits_of_wall"), {{"cost", waits_cost()}, {"wall", shown_time(of.wall)}}};
    }
    std::string_view waits_clause() const { return cost_more_together() ? "; waits cost up to " : "; waits cost "; }
    /// Whether a clause of that length fits into 80 characters together with "loop: " and what waits cost. English, as
    /// are the words here: tst_verdict holds them against the texts.
    bool has_room(std::size_t characters) const
    {
        characters += of.of_program ? std::string_view("loop: ").size() : 0;
        characters += waits_matter() ? waits_clause().size() + waits_cost().size() : 0;
        return characters <= most_characters;
    }
    /// The same of `words` and `figures` that follow how busy the GPU is.
    bool fits(std::string_view words, std::initializer_list<std::string_view> figures) const
    {
        auto used = std::string_view("GPU  busy").size() + busy().size() + words.size();
        used += of.gpus > 1 ? std::string_view("s ").size() + std::to_string(of.gpus).size() : 0;
        for (const auto figure : figures) {
            used += figure.size();
        }
        return has_room(used);
    }
    Message with_gpu(const char* id, Message::Arguments arguments) const
    {
        return {id, std::move(arguments), {{"gpu", gpu()}}};
    }

    std::string communication_hidden() const
    {
        return share_of(of.communication - of.communication_exposed, of.communication);
    }
    std::string copies_hidden() const { return share_of(of.copy_hidden, of.copy); }

    /// `message`, whose clause is `words` and `figure`, and how much of the communication, else of the copies, is
    /// hidden, if there is enough of them, something to hide them, and room for it.
    Message with_hidden(Message message, const std::string& words, const std::string& figure) const
    {
        if (communication_matters()) {
            const auto hidden = communication_hidden();
            return fits(words + ", communication hidden ", {figure, hidden})
                ? Message {"verdict.with_communication", {{"hidden", hidden}}, {{"verdict", std::move(message)}}}
                : message;
        }
        if (copies_matter() && of.kernels_and_copies && fits(words + ", copies hidden ", {figure, copies_hidden()})) {
            return {"verdict.with_copies", {{"hidden", copies_hidden()}}, {{"verdict", std::move(message)}}};
        }
        return message;
    }
    /// The busy share of several GPUs is a mean. Idle time is when all of them are idle, and the sentence says so.
    Message with_idle(const char* id, const char* name, Ns part) const
    {
        return with_gpu(id,
            {{name, shown_time(part)}, {"idle", shown_time(idle())},
                {"gpus", std::to_string(std::max<std::uint32_t>(of.gpus, 1))}});
    }
    Message idle_while(const char* id, Ns time) const { return with_idle(id, "time", time); }
    Message starved() const
    {
        const Ns all = of.idle_in_work.value_or(0);
        const bool is_most = reaches(all, idle(), 50);  // the start-up is idle time, too
        return idle_while(reaches(of.idle_in_allocations, all, 50)
                ? (is_most ? "verdict.starved_allocating" : "verdict.starved_allocates")
                : reaches(of.idle_for_others, all, 50) ? "verdict.starved_waiting"
                                                       : "verdict.starved",
            all);
    }
    /// Follows how busy the GPU is.
    Message overlapped() const
    {
        const Message short_of {"verdict.overlapped", {}};
        if (communication_matters() && reaches(of.communication - of.communication_exposed, of.communication, 20)) {
            return fits(", overlapped: communication hidden ", {communication_hidden()})
                ? Message {"verdict.overlapped_communication", {{"hidden", communication_hidden()}}}
                : short_of;
        }
        if (copies_are_hidden()) {
            return {"verdict.overlapped_copies", {{"hidden", copies_hidden()}}};
        }
        const bool of_streams = streams_overlap();
        const auto overlap = share_of(of_streams ? of.streams_overlap : of.directions_overlap, of.gpu_time);
        const std::string words
            = of_streams ? ", overlapped: streams at once in " : ", overlapped: copies both ways at once in ";
        if (!fits(words, {overlap})) {
            return short_of;
        }
        Message message {
            of_streams ? "verdict.overlapped_streams" : "verdict.overlapped_directions", {{"overlap", overlap}}};
        return waits_matter() ? message : with_hidden(std::move(message), words, overlap);  // one clause more is enough
    }
    Message serial() const
    {
        const auto if_fits = [&](std::string_view words, const std::string& figure, Message message) {
            return fits(words, {figure}) ? message : with_gpu("verdict.serial", {});
        };
        if (communication_delays() && something_overlaps()) {
            return with_gpu("verdict.serial_exposed", {{"share", share_of(of.communication_exposed, of.wall)}});
        }
        if (communication_matters()) {
            return if_fits(", one thing at a time: communication hidden ", communication_hidden(),
                with_gpu("verdict.serial_communication", {{"hidden", communication_hidden()}}));
        }
        if (of.kernels_and_copies) {
            return if_fits(", one thing at a time: copies hidden ", copies_hidden(),
                with_gpu("verdict.serial_copies", {{"hidden", copies_hidden()}}));
        }
        if (of.two_streams) {
            const auto overlap = share_of(of.streams_overlap, of.gpu_time);
            return if_fits(", one thing at a time: streams at once in ", overlap,
                with_gpu("verdict.serial_streams", {{"overlap", overlap}}));
        }
        return if_fits(
            ", one thing at a time: copies one way, then the other", {}, with_gpu("verdict.serial_directions", {}));
    }
    Message blocked() const
    {
        Message message {"verdict.blocked", {}, {{"gpu", gpu()}, {"waits", waits_of_wall()}}};
        // It says itself what waits cost: the room for that is used.
        constexpr std::string_view more = ": waits of the CPU cost  of ", less = "; waits cost ";  // "up to" in both
        return with_hidden(std::move(message), std::string(more.substr(less.size())), shown_time(of.wall));
    }
    /// Follows how busy the GPU is.
    Message cpu_goes_on() const
    {
        const auto free = shown_time(of.cpu_free.value_or(0));
        const auto busy = shown_time(of.gpu_busy);
        return fits(", CPU goes on meanwhile: free for  of  GPU time", {free, busy})
            ? Message {"verdict.cpu_works", {{"free", free}, {"busy", busy}}}
            : Message {"verdict.cpu_goes_on", {}};
    }
    std::string together() const { return share_of(of.gpus_at_once, of.gpu_busy); }
    Message turns() const
    {
        return {of.gpus_wait_for_each_other ? "verdict.turns_for_data" : "verdict.turns",
            {{"gpus", std::to_string(of.gpus)}, {"together", together()}}};
    }
    bool turns_and_waits_fit() const
    {
        const std::string_view words = of.gpus_wait_for_each_other
            ? " GPUs take turns, one waits for another: at once in  of GPU time"
            : " GPUs take turns: two or more at once in  of GPU time";
        return has_room(words.size() + std::to_string(of.gpus).size() + together().size());
    }
    Message side_by_side() const
    {
        const auto at_once = share_of(of.gpus_at_once, of.wall);
        return with_hidden(
            with_gpu("verdict.side_by_side", {{"together", at_once}}), ", at once in  of the time", at_once);
    }
    Message uneven() const
    {
        const auto share = [&](Ns time) { return share_of(time, of.wall); };
        return with_gpu("verdict.uneven",
            {{"together", share(of.gpus_at_once)}, {"one", share(of.gpu_busy - of.gpus_at_once)},
                {"none", share(idle())}});
    }
    Message idle_kind() const
    {
        if (starts_up()) {
            // What several stretches take together is not said of one.
            if (const Ns longest = std::max(of.longest_gap, of.first_after); !reaches(longest, idle(), 50)) {
                const auto count = of.first_gaps + (of.first_after > 0 ? 1 : 0);
                return with_gpu("verdict.gaps",
                    {{"count", std::to_string(count)}, {"time", shown_time(of.before_first)},
                        {"wall", shown_time(of.wall)}});
            }
            return of.longest_gap > 0
                ? with_gpu("verdict.gap", {{"gap", shown_time(of.longest_gap)}, {"wall", shown_time(of.wall)}})
                : with_gpu(
                    "verdict.starts_up", {{"before", shown_time(of.first_after)}, {"wall", shown_time(of.wall)}});
        }
        if (waits_fill_idle_time()) {
            return idle_while("verdict.idle_in_waits", of.idle_in_waits);
        }
        return reaches(of.gpu_busy, of.wall, 5) ? idle_while("verdict.ends", idle_at_the_ends()) : gpu();
    }
    Message none() const
    {
        if (of.gpu_busy == 0) {
            return {!of.gpu_recorded    ? "verdict.gpu_not_recorded"
                    : of.has_operations ? "verdict.no_gpu_time"
                                        : "verdict.no_gpu_work",
                {}};
        }
        return of.held_cost ? gpu() : with_gpu(of.held_in_part ? "verdict.busy_in_part" : "verdict.busy_unknown", {});
    }

    /// A kind that praises: how busy the GPU is, then what goes on at the same time.
    static bool is_praise(Kind kind) { return kind == Kind::overlapped || kind == Kind::cpu_works; }

    /// What is said of the kind; of one that praises, what follows how busy the GPU is.
    Message message(Kind kind) const
    {
        switch (kind) {
        case Kind::stale:
            return {of.reads > 1 ? "verdict.stale-reads" : "verdict.stale",
                {{"wrong", shown_bytes(of.wrong_bytes)}, {"bytes", shown_bytes(of.read_bytes)},
                    {"count", std::to_string(of.reads)}}};
        case Kind::blocked:
            return blocked();
        case Kind::launch_bound:
            return idle_while("verdict.launch_bound", of.idle_in_launches.value_or(0));
        case Kind::starved:
            return starved();
        case Kind::cpu_late: {
            const bool by_calls = of.idle_recorded >= of.idle_in_ranges;
            const Ns known = by_calls ? of.idle_recorded : of.idle_in_ranges;
            return reaches(known, idle(), 1) ? with_idle(by_calls ? "verdict.cpu_late"
                           : of.has_frames                        ? "verdict.cpu_late_frames"
                                                                  : "verdict.cpu_late_ranges",
                       "known", known)
                                             : with_gpu("verdict.cpu_late_unrecorded", {});
        }
        case Kind::idle:
            return idle_kind();
        case Kind::copy_bound:
            return with_gpu(
                "verdict.copy_bound", {{"copies", share_of(of.copy, of.gpu_time)}, {"hidden", copies_hidden()}});
        case Kind::turns:
            return turns();
        case Kind::overlapped:
            return overlapped();
        case Kind::side_by_side:
            return side_by_side();
        case Kind::uneven:
            return uneven();
        case Kind::cpu_works:
            return cpu_goes_on();
        case Kind::serial:
            return serial();
        case Kind::gpu_bound:
            return gpu();
        case Kind::none:
            break;
        }
        return none();
    }

    /// What held waits cost besides; of a kind that is about something else.
    bool says_waits(Kind kind) const
    {
        switch (kind) {
        case Kind::copy_bound:
        case Kind::overlapped:
        case Kind::side_by_side:
        case Kind::cpu_works:
        case Kind::serial:
        case Kind::gpu_bound:
        case Kind::none:
            return waits_matter();
        case Kind::turns:
            return waits_matter() && turns_and_waits_fit();
        case Kind::blocked:
            return true;
        case Kind::stale:
        case Kind::launch_bound:
        case Kind::starved:
        case Kind::cpu_late:
        case Kind::idle:
        case Kind::uneven:
            break;
        }
        return false;
    }

    std::vector<Message> more(Kind kind) const
    {
        std::vector<Message> all;
        if (kind == Kind::cpu_late && reaches(of.idle_unrecorded, of.wall, 1)) {
            Message::Arguments arguments {{"time", shown_time(of.idle_unrecorded)}};
            const bool in_ranges = reaches(of.idle_in_ranges, of.wall, 1) && of.idle_in_range > 0;
            if (in_ranges) {
                arguments.emplace_back("ranges", shown_time(of.idle_in_ranges));
                arguments.emplace_back("most", shown_time(of.idle_in_range));
                arguments.emplace_back("range", of.idle_range);
            }
            all.push_back({of.has_samples ? "verdict.more_sampled"
                    : of.has_frames       ? (in_ranges ? "verdict.more_frames_ranges" : "verdict.more_frames")
                    : of.has_operators    ? (in_ranges ? "verdict.more_between_ranges" : "verdict.more_between")
                    : in_ranges           ? "verdict.more_ranges"
                                          : "verdict.more_unrecorded",
                std::move(arguments)});
        }
        if (kind == Kind::idle && !starts_up() && waits_fill_idle_time()) {
            all.push_back({"verdict.more_idle_in_waits", {}});
        }
        if (kind != Kind::stale && kind != Kind::none && waits_matter() && !says_waits(kind)) {
            all.push_back({of_waits("verdict.more_waits"), {{"cost", waits_cost()}}});
        }
        return all;
    }
};

}  // namespace

std::string_view name_of(Verdict::Kind kind)
{
    constexpr std::array<std::string_view, verdict_kind_count> names {"stale", "blocked", "launch_bound", "starved",
        "cpu_late", "idle", "copy_bound", "turns", "uneven", "overlapped", "side_by_side", "cpu_works", "serial",
        "gpu_bound", "none"};
    return names.at(static_cast<std::size_t>(kind));
}

Verdict verdict_of(const VerdictFacts& facts)
{
    const Table table {facts};
    Verdict verdict;
    verdict.kind = table.kind();
    verdict.more = table.more(verdict.kind);
    verdict.waits_cost = table.waits();
    const bool says_waits = table.says_waits(verdict.kind);
    verdict.is_held = says_waits && reaches(table.waits(), facts.wall, 5);
    auto said = table.message(verdict.kind);
    Message waits;
    if (verdict.kind == Kind::blocked) {
        waits = table.waits_of_wall();
    } else if (says_waits) {
        waits = {table.of_waits("verdict.waits"), {{"cost", table.waits_cost()}}};
        said = {"verdict.with_waits", {}, {{"verdict", std::move(said)}, {"waits", waits}}};
    }
    const bool is_praise = Table::is_praise(verdict.kind);
    verdict.reason = verdict.is_held ? std::move(waits) : is_praise ? said : Message();
    verdict.message = is_praise ? Message {"verdict.busy_and", {}, {{"gpu", table.gpu()}, {"praise", std::move(said)}}}
                                : std::move(said);
    return verdict;
}

}  // namespace lanes
