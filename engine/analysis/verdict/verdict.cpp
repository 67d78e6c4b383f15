// SPDX-License-Identifier: MIT
#include "engine/analysis/verdict/verdict.h"

#include "engine/analysis/words/shown.h"

#include <array>

namespace lanes {

namespace {

using Kind = Verdict::Kind;

/// Whether `part` is `share` percent of `whole` or more.
constexpr bool reaches(Ns part, Ns whole, int share)
{
    return whole > 0 && part * 100 >= whole * share;
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

    bool communication_matters() const { return reaches(of.communication, of.communicating_gpu, 5); }
    bool communication_is_hidden() const
    {
        return communication_matters() && reaches(of.communication - of.communication_exposed, of.communication, 50);
    }
    bool copies_matter() const { return reaches(of.copy - of.values, of.gpu_time, 5); }
    bool copies_are_hidden() const { return copies_matter() && reaches(of.copy_hidden, of.copy, 50); }
    bool streams_overlap() const { return reaches(of.streams_overlap, of.gpu_time, 10); }
    bool directions_overlap() const { return reaches(of.directions_overlap, of.gpu_time, 10); }
    bool gpus_at_once() const { return of.gpus > 1 && reaches(of.gpus_at_once, of.gpu_busy, 10); }
    bool could_overlap() const
    {
        return of.kernels_and_copies || of.copies_both_ways || of.two_streams
            || (communication_matters() && of.communicating_gpu > of.communication);
    }

    Kind kind() const
    {
        // clang-format off
        if (of.wrong_bytes > 0) { return Kind::stale; }
        if (of.gpu_busy == 0) { return Kind::none; }
        if (reaches(of.held, of.gpu_busy, 50) && reaches(of.held, of.wall, 5)) { return Kind::blocked; }
        if (is_launch_bound(of.idle_in_launches, of.wall)) { return Kind::launch_bound; }
        if (is_starved(of.idle_in_work, of.wall)) { return Kind::starved; }
        if (!reaches(of.gpu_busy, of.wall, 5)) { return Kind::idle; }
        if (of.gpus > 1 && !gpus_at_once()) { return Kind::turns; }
        if (communication_is_hidden() || copies_are_hidden()) { return Kind::overlapped; }
        if (streams_overlap() || directions_overlap()) { return Kind::overlapped; }
        if (gpus_at_once()) { return Kind::side_by_side; }
        if (reaches(of.cpu_free, of.gpu_busy, 50)) { return Kind::cpu_works; }
        return could_overlap() ? Kind::serial : Kind::none;
        // clang-format on
    }

    std::string communication_hidden() const
    {
        return share_of(of.communication - of.communication_exposed, of.communication);
    }
    Message communication(const char* id) const
    {
        return {id,
            {{"hidden", communication_hidden()}, {"exposed", shown_time(of.communication_exposed)},
                {"wall", shown_time(of.wall)}}};
    }
    Message copies(const char* id) const { return {id, {{"hidden", share_of(of.copy_hidden, of.copy)}}}; }
    Message directions(const char* id) const
    {
        return {id, {{"overlap", share_of(of.directions_overlap, of.gpu_time)}}};
    }
    Message streams(const char* id) const { return {id, {{"overlap", share_of(of.streams_overlap, of.gpu_time)}}}; }

    /// `message`, and how much of the communication, else of the copies, is hidden, if there is enough of them and
    /// something to hide them.
    Message with_hidden(Message message) const
    {
        if (communication_matters()) {
            return {
                "verdict.with_communication", {{"hidden", communication_hidden()}}, {{"verdict", std::move(message)}}};
        }
        if (copies_matter() && of.kernels_and_copies) {
            auto with = copies("verdict.with_copies");
            with.parts.push_back({"verdict", std::move(message)});
            return with;
        }
        return message;
    }
    Message idle(const char* id, Ns time) const
    {
        return {id, {{"idle", shown_time(time)}, {"wall", shown_time(of.wall)}}};
    }
    Message busy(const char* id) const
    {
        return {id, {{"busy", shown_time(of.gpu_busy)}, {"wall", shown_time(of.wall)}}};
    }
    Message gpus(const char* id) const
    {
        return {id, {{"gpus", std::to_string(of.gpus)}, {"together", share_of(of.gpus_at_once, of.gpu_busy)}}};
    }

    Message message(Kind kind) const
    {
        switch (kind) {
        case Kind::stale:
            return {of.reads > 1 ? "verdict.stale-reads" : "verdict.stale",
                {{"wrong", shown_bytes(of.wrong_bytes)}, {"bytes", shown_bytes(of.read_bytes)},
                    {"count", std::to_string(of.reads)}}};
        case Kind::blocked:
            return with_hidden(
                {"verdict.blocked", {{"blocked", shown_time(of.blocked)}, {"wall", shown_time(of.wall)}}});
        case Kind::launch_bound:
            return idle("verdict.launch_bound", of.idle_in_launches.value_or(0));
        case Kind::starved: {
            const Ns all = of.idle_in_work.value_or(0);
            return idle(reaches(of.idle_in_allocations, all, 50) ? "verdict.starved_allocating"
                    : reaches(of.idle_for_others, all, 50)       ? "verdict.starved_waiting"
                                                                 : "verdict.starved",
                all);
        }
        case Kind::turns:
            return gpus(of.gpus_wait_for_each_other ? "verdict.turns_for_data" : "verdict.turns");
        case Kind::overlapped:
            return communication_is_hidden() ? communication("verdict.overlapped_communication")
                : copies_are_hidden()        ? copies("verdict.overlapped_copies")
                : streams_overlap()          ? with_hidden(streams("verdict.overlapped_streams"))
                                             : with_hidden(directions("verdict.overlapped_directions"));
        case Kind::side_by_side:
            return with_hidden(gpus("verdict.side_by_side"));
        case Kind::cpu_works:
            return {"verdict.cpu_works",
                {{"free", shown_time(of.cpu_free.value_or(0))}, {"busy", shown_time(of.gpu_busy)}}};
        case Kind::serial:
            return communication_matters() ? communication("verdict.serial_communication")
                : of.kernels_and_copies    ? copies("verdict.serial_copies")
                : of.two_streams           ? streams("verdict.serial_streams")
                                           : Message {"verdict.serial_directions", {}};
        case Kind::idle:
            return busy("verdict.idle");
        case Kind::none:
            break;
        }
        if (of.gpu_busy == 0) {
            return {of.gpu_recorded ? "verdict.no_gpu_work" : "verdict.gpu_not_recorded", {}};
        }
        return busy(of.held ? "verdict.busy" : of.held_in_part ? "verdict.busy_in_part" : "verdict.busy_unknown");
    }
};

}  // namespace

std::string_view name_of(Verdict::Kind kind)
{
    constexpr std::array<std::string_view, verdict_kind_count> names {"stale", "blocked", "launch_bound", "starved",
        "idle", "turns", "overlapped", "side_by_side", "cpu_works", "serial", "none"};
    return names.at(static_cast<std::size_t>(kind));
}

Verdict verdict_of(const VerdictFacts& facts)
{
    const Table table {facts};
    const auto kind = table.kind();
    return {kind, table.message(kind)};
}

}  // namespace lanes
