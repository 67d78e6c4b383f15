// SPDX-License-Identifier: MIT
#include "engine/analysis/words/shown.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"
#include "engine/trace/median.h"

#include <algorithm>
#include <vector>

namespace lanes::replay::changes {

namespace {

/// To fork to a stream and to join it, PyTorch creates, records, waits for and destroys an event each; record_stream
/// records and queries one more. Measured on an H200: two streams of 20 launches of 13 us each took 0.21 to 0.33 ms an
/// iteration longer than one.
constexpr Ns calls_of_a_fork = 10;

class Dealer {
public:
    explicit Dealer(Edit& edit)
        : m_edit(edit)
        , m_count(edit.change.amount >= 1 ? static_cast<std::uint32_t>(edit.change.amount) : 2U)
        , m_issuers(edit.script.operations.size(), none)
    {
        for (std::uint32_t index = 0; index < edit.script.items.size(); ++index) {
            const auto& item = edit.script.items[index];
            for (std::uint32_t i = 0; i < item.operations; ++i) {
                m_issuers[item.first_operation + i] = index;
            }
        }
    }
    void deal(std::uint32_t home, const std::vector<std::uint32_t>& work);
    Ns call() const { return m_call; }
    std::uint64_t forks() const { return m_forks; }

private:
    bool is(std::uint32_t index, OperationKind kind) const { return m_edit.script.operations[index].kind == kind; }
    std::vector<std::size_t> pieces_of(const std::vector<std::uint32_t>& work, OperationKind first) const;
    std::vector<std::uint32_t> rounds_of(
        const std::vector<std::uint32_t>& work, const std::vector<std::size_t>& pieces, bool are_batches) const;
    Ns usual_call(const std::vector<std::uint32_t>& work) const;

    Edit& m_edit;
    const std::uint32_t m_count;
    std::vector<std::uint32_t> m_issuers;  ///< by operation
    Ns m_call = 0;
    std::uint64_t m_forks = 0;
};

/// Where in a stream's work its pieces begin: at each upload or, if there are none, at each kernel.
std::vector<std::size_t> Dealer::pieces_of(const std::vector<std::uint32_t>& work, OperationKind first) const
{
    std::vector<std::size_t> pieces;
    for (std::size_t i = 0; i < work.size(); ++i) {
        const bool goes_on = first == OperationKind::h2d && i > 0 && is(work[i - 1], first);
        if (is(work[i], first) && !goes_on && m_edit.on.operation(m_edit.script.operations[work[i]].row)) {
            pieces.push_back(i);
        }
    }
    return pieces;
}

/// The operations before whose calls a program forks to the other streams. Batches take turns, so each of them is
/// one; kernels are those of an iteration, or from one wait to the next: where in it they fork is not known.
std::vector<std::uint32_t> Dealer::rounds_of(
    const std::vector<std::uint32_t>& work, const std::vector<std::size_t>& pieces, bool are_batches) const
{
    std::vector<std::uint32_t> rounds;
    const auto& part = m_edit.script.repeats;
    std::size_t inside = 0;  // pieces in it
    for (const auto piece : pieces) {
        const Ns was = m_edit.script.operations[work[piece]].was;
        inside += part && part->start <= was && was < part->end ? 1 : 0;
    }
    const std::size_t an_iteration = part ? std::max<std::size_t>(1, inside / m_edit.script.iterations) : pieces.size();
    std::size_t since = 0;
    std::uint32_t before = none;
    for (const auto piece : pieces) {
        const auto issuer = m_issuers[work[piece]];
        if (issuer == none) {
            continue;
        }
        bool waited = before == none;
        const auto& items = m_edit.script.items;
        for (auto at = before; !waited && at < issuer && items[before].thread == items[issuer].thread; ++at) {
            waited = Edit::is_sync(items[at]);
        }
        if (are_batches || waited || since >= an_iteration) {
            rounds.push_back(issuer);
            since = 0;
        }
        ++since;
        before = issuer;
    }
    return rounds;
}

/// What a call that launches takes with the thread's own time before it, in the median.
Ns Dealer::usual_call(const std::vector<std::uint32_t>& work) const
{
    std::vector<Ns> times;
    for (const auto operation : work) {
        if (const auto issuer = m_issuers[operation]; issuer != none && is(operation, OperationKind::kernel)) {
            const auto& item = m_edit.script.items[issuer];
            times.push_back(item.gap + item.own);
        }
    }
    if (times.empty()) {
        return 0;
    }
    return std::min(nth_part(times, 1, 2), 2 * longest_own_gap);
}

void Dealer::deal(std::uint32_t home, const std::vector<std::uint32_t>& work)
{
    const auto has = [&](OperationKind kind) {
        return std::any_of(work.begin(), work.end(), [&](auto index) { return is(index, kind); });
    };
    const bool are_batches = has(OperationKind::h2d);
    const auto pieces = pieces_of(work, are_batches ? OperationKind::h2d : OperationKind::kernel);
    if (pieces.size() < 2 || !has(OperationKind::kernel)) {
        return;
    }
    auto& script = m_edit.script;
    for (std::size_t piece = 1; piece < pieces.size(); ++piece) {
        const auto to = piece % m_count;
        while (to > script.streams[home].dealt.size()) {
            const auto made = m_edit.new_stream(home);
            script.streams[home].dealt.push_back(made);
        }
        const auto end = piece + 1 < pieces.size() ? pieces[piece + 1] : work.size();
        for (std::size_t i = pieces[piece]; i < end && to > 0; ++i) {
            m_edit.move(work[i], script.streams[home].dealt[to - 1]);
        }
    }
    m_edit.applied.count += pieces.size();
    const Ns call = usual_call(work);
    const auto rounds = rounds_of(work, pieces, are_batches);
    const std::uint32_t forks = are_batches ? 1 : m_count;  // of each of them
    for (const auto item : rounds) {
        script.items[item].gap += m_edit.way.adds_calls ? forks * calls_of_a_fork * call : 0;
    }
    m_forks += rounds.size() * forks;
    m_call = std::max(m_call, call);
}

}  // namespace

/// A stream's work goes to the next of N streams at each upload or, if there are none, at each kernel.
void more_streams(Edit& edit)
{
    Dealer dealer(edit);
    const auto streams = edit.issued();
    for (std::uint32_t home = 0; home < streams.size() && edit.change.amount != 1; ++home) {
        dealer.deal(home, streams[home]);
    }
    edit.applied.reliability = Reliability::good;
    if (edit.applied.count > 0) {
        edit.assume("pieces_independent", {{"count", std::to_string(edit.applied.count)}});
        edit.add_assumption("no_more_calls",
            {{"time", shown_time(calls_of_a_fork * dealer.call())}, {"count", std::to_string(dealer.forks())}});
        edit.applied.may_add_calls = true;
    }
}

}  // namespace lanes::replay::changes
