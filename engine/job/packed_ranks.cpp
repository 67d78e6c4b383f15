// SPDX-License-Identifier: MIT
#include "engine/job/job_file.h"

#include <limits>
#include <span>

namespace lanes {

namespace {

constexpr std::size_t most_items = std::size_t {1} << 24U;  // of one rank

class Packer {
public:
    void number(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7U) {
            m_bytes.push_back(static_cast<std::byte>((value & 0x7FU) | 0x80U));
        }
        m_bytes.push_back(static_cast<std::byte>(value));
    }
    void any(std::int64_t value)
    {
        const auto bits = static_cast<std::uint64_t>(value);
        number(value < 0 ? ~(bits << 1U) : bits << 1U);
    }
    std::vector<std::byte> take() { return std::move(m_bytes); }

private:
    std::vector<std::byte> m_bytes;
};

class Unpacker {
public:
    Unpacker(std::span<const std::byte> bytes, const std::string& file, const char* what)
        : m_bytes(bytes)
        , m_file(file)
        , m_what(what)
    {
    }
    std::uint64_t number()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (m_at == m_bytes.size()) {
                fail("ends too early");
            }
            const auto byte = static_cast<std::uint64_t>(m_bytes[m_at++]);
            value |= (byte & 0x7FU) << shift;
            if (byte < 0x80) {
                return value;
            }
        }
        fail("has a number of more than 64 bits");
    }
    std::int64_t any()
    {
        const auto bits = number();
        return static_cast<std::int64_t>((bits & 1U) != 0 ? ~(bits >> 1U) : bits >> 1U);
    }
    /// A time after `before`, within what times may be.
    Ns time(Ns before)
    {
        const auto value = static_cast<Ns>(static_cast<std::uint64_t>(before) + static_cast<std::uint64_t>(any()));
        if (!is_sane(value)) {
            fail("has a time that cannot be");
        }
        return value;
    }
    /// A length, 0 or more.
    Ns length()
    {
        const auto value = number();
        if (value >= static_cast<std::uint64_t>(record_time_limit)) {
            fail("has a length that cannot be");
        }
        return static_cast<Ns>(value);
    }
    std::size_t count()
    {
        const auto value = number();
        if (value > most_items || value > m_bytes.size() - m_at) {  // each item takes a byte or more
            fail("claims to have more than it has room for");
        }
        return static_cast<std::size_t>(value);
    }
    std::uint32_t below(std::uint64_t limit)
    {
        const auto value = number();
        if (value >= limit) {
            fail("names something that is not there");
        }
        return static_cast<std::uint32_t>(value);
    }
    void expect_end()
    {
        if (m_at != m_bytes.size()) {
            fail("goes on after its end");
        }
    }

    [[noreturn]] void fail(const char* how) const
    {
        throw JobFileError("'" + m_file + "' is damaged: its table of " + m_what + " " + how);
    }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
    const std::string& m_file;
    const char* m_what;
};

/// A step's number, -1 for none.
std::int64_t step_after(Unpacker& from, std::int64_t before)
{
    const auto step
        = static_cast<std::int64_t>(static_cast<std::uint64_t>(before) + static_cast<std::uint64_t>(from.any()));
    if (step < -1 || step > std::numeric_limits<std::uint32_t>::max()) {
        from.fail("has a step that cannot be");
    }
    return step;
}

void pack(Packer& to, const RankTimes& times)
{
    for (const Ns time : {times.busy, times.compute, times.communication, times.exposed, times.copies, times.blocked}) {
        to.number(static_cast<std::uint64_t>(time));
    }
}

RankTimes unpack_times(Unpacker& from)
{
    RankTimes times;
    for (Ns* const time :
        {&times.busy, &times.compute, &times.communication, &times.exposed, &times.copies, &times.blocked}) {
        *time = from.length();
    }
    return times;
}

}  // namespace

std::vector<std::byte> packed_collectives(const RankSummary& rank)
{
    Packer to;
    to.number(rank.collectives.size());
    RankCollective before;
    before.start = rank.start;
    for (const auto& one : rank.collectives) {
        to.number(std::uint64_t {one.communicator} * 2 + (one.is_numbered ? 1 : 0));
        to.number(one.name);
        to.number(one.number);
        to.any(one.step - before.step);
        to.number(one.bytes);
        to.any(one.start - before.start);
        to.number(static_cast<std::uint64_t>(one.end - one.start));
        to.number(static_cast<std::uint64_t>(one.exposed));
        to.any(one.issued - one.start);
        to.any(one.compute_before - before.compute_before);
        to.any(one.copies_before - before.copies_before);
        to.any(static_cast<std::int64_t>(one.kernels_before - before.kernels_before));
        to.any(one.loading_before - before.loading_before);
        to.any(one.recording_before - before.recording_before);
        before = one;
    }
    return to.take();
}

std::vector<std::byte> packed_chain(const RankSummary& rank)
{
    Packer to;
    to.number(rank.chain.steps.size());
    for (const auto& step : rank.chain.steps) {
        to.number(step.kind);
        to.number(step.collective);
        to.number(step.terms.size());
        for (const auto& term : step.terms) {
            to.number(term.number * 3ULL + term.kind);
            to.number(static_cast<std::uint64_t>(term.slack));
        }
    }
    return to.take();
}

std::vector<std::byte> packed_steps(const RankSummary& rank)
{
    Packer to;
    to.number(rank.steps.size());
    Ns before = rank.start;
    for (const auto& step : rank.steps) {
        to.any(step.start - before);
        to.number(static_cast<std::uint64_t>(step.end - step.start));
        pack(to, step.times);
        before = step.start;
    }
    to.any(rank.steady.start - rank.start);
    to.number(static_cast<std::uint64_t>(rank.steady.end - rank.steady.start));
    to.number(rank.clock_set.size());
    for (const auto& set : rank.clock_set) {
        to.any(set.before - rank.start);
        to.any(set.after - rank.start);
        to.any(set.by);
    }
    return to.take();
}

std::vector<std::byte> packed_bins(const RankSummary& rank)
{
    Packer to;
    for (const auto& bin : rank.bins) {
        pack(to, bin);
    }
    return to.take();
}

void unpack(const PackedRank& packed, const std::string& file, RankSummary& rank)
{
    Unpacker collectives(packed.collectives, file, "collectives");
    RankCollective one;
    one.start = rank.start;
    constexpr Ns most_together = Ns {1} << 48U;  // three days; what is added up of many ranks stays below 2^63
    Ns together = 0;
    rank.collectives.resize(collectives.count());
    for (auto& each : rank.collectives) {
        const auto communicator = collectives.below(std::uint64_t {rank.names.size()} * 2);
        one.communicator = communicator / 2;
        one.is_numbered = communicator % 2 != 0;
        one.name = collectives.below(rank.names.size());
        one.number = collectives.number();
        one.step = step_after(collectives, one.step);
        one.bytes = collectives.number();
        one.start = collectives.time(one.start);
        one.end = one.start + collectives.length();
        together += std::min(one.end - one.start, most_together);
        if (together > most_together) {
            collectives.fail("has lengths that cannot be");
        }
        one.exposed = collectives.length();
        one.issued = collectives.time(one.start);
        one.compute_before = collectives.time(one.compute_before);
        one.copies_before = collectives.time(one.copies_before);
        one.kernels_before += static_cast<std::uint64_t>(collectives.any());
        one.loading_before = collectives.time(one.loading_before);
        one.recording_before = collectives.time(one.recording_before);
        each = one;
    }
    collectives.expect_end();

    Unpacker chain(packed.chain, file, "what collectives follow");
    rank.chain.steps.resize(chain.count());
    for (auto& step : rank.chain.steps) {
        step.kind = static_cast<ChainStep::Kind>(chain.below(ChainStep::done + 1));
        step.collective = chain.below(std::max<std::size_t>(rank.collectives.size(), 1));
        step.terms.resize(chain.count());
        for (auto& term : step.terms) {
            const auto of = chain.below(3ULL << 31U);
            term.kind = static_cast<ChainTerm::Kind>(of % 3);
            term.number = of / 3;
            term.slack = chain.length();
        }
    }
    chain.expect_end();

    Unpacker steps(packed.steps, file, "steps");
    rank.steps.resize(steps.count());
    Ns before = rank.start;
    for (auto& step : rank.steps) {
        step.start = before = steps.time(before);
        step.end = step.start + steps.length();
        step.times = unpack_times(steps);
    }
    rank.steady.start = steps.time(rank.start);
    rank.steady.end = rank.steady.start + steps.length();
    rank.clock_set.resize(steps.count());
    for (auto& set : rank.clock_set) {
        set.before = steps.time(rank.start);
        set.after = steps.time(rank.start);
        set.by = steps.time(0);
    }
    steps.expect_end();

    Unpacker bins(packed.bins, file, "bins");
    for (auto& bin : rank.bins) {
        bin = unpack_times(bins);
    }
    bins.expect_end();
}

}  // namespace lanes
