// SPDX-License-Identifier: MIT
#include "engine/whatif/edit.h"

#include <algorithm>
#include <map>

namespace lanes::whatif {

/// One beside `home`, to which work of that moves.
std::uint32_t Edit::new_stream(std::uint32_t home)
{
    auto stream = m_script.streams[home];
    stream.home = home;
    stream.legacy = stream.blocking = false;
    stream.uploads = stream.downloads = stream.collectives = none;
    stream.dealt.clear();
    stream.row = no_row;
    m_script.streams.push_back(stream);
    return static_cast<std::uint32_t>(m_script.streams.size() - 1);
}

void Edit::move(std::uint32_t index, std::uint32_t stream)
{
    auto& operation = m_script.operations[index];
    operation.stream = stream;
    if (operation.bound == StartCause::stream) {
        operation.bound = StartCause::unknown;
    }
}

/// What was issued to each stream, in that order; nodes of graphs and what another change moved left out.
std::vector<std::vector<std::uint32_t>> Edit::issued() const
{
    std::vector<std::vector<std::uint32_t>> streams(m_script.streams.size());
    for (auto index = m_script.before; index < m_script.operations.size(); ++index) {
        const auto& operation = m_script.operations[index];
        if (!operation.dropped && !operation.of_graph && m_script.streams[operation.stream].home == none) {
            streams[operation.stream].push_back(index);
        }
    }
    return streams;
}

/// Uploads may bring back what was downloaded: where a stream copied that many bytes to the host before it copied as
/// many to the GPU for the first time, they wait for the downloads before them.
void Edit::find_returning(std::vector<std::uint32_t>& uploads)
{
    std::map<std::pair<std::uint32_t, std::uint64_t>, Ns> first_down;  // by stream and bytes
    std::map<std::pair<std::uint32_t, std::uint64_t>, Ns> first_up;
    const auto key = [&](const Operation& operation) {
        const auto home = m_script.streams[operation.stream].home;
        return std::pair(home == none ? operation.stream : home, m_trace.bytes_of(operation.row));
    };
    for (const auto& operation : m_script.operations) {
        const bool up = operation.kind == OperationKind::h2d;
        if (!operation.dropped && (up || operation.kind == OperationKind::d2h)) {
            const auto [found, is_new] = (up ? first_up : first_down).try_emplace(key(operation), operation.was);
            found->second = std::min(found->second, operation.was);
        }
    }
    std::uint64_t count = 0;
    for (const auto index : uploads) {
        auto& operation = m_script.operations[index];
        const auto down = first_down.find(key(operation));
        operation.behind_downloads = down != first_down.end() && down->second < first_up.at(key(operation));
        count += operation.behind_downloads ? 1 : 0;
        operation.behind_downloads = operation.behind_downloads && !is_lifted("brings-back");
    }
    if (count > 0) {
        add_assumption("brings_back", {{"count", std::to_string(count)}});
    }
    if (count < uploads.size()) {
        assume("buffers_enough");
    }
}

void Edit::own_stream()
{
    std::vector<bool> has_kernels(m_script.streams.size());
    for (const auto& operation : m_script.operations) {
        has_kernels[operation.stream] = has_kernels[operation.stream] || operation.kind == OperationKind::kernel;
    }
    const auto& table = m_script.constants.table;
    std::vector<std::uint32_t> uploads;
    for (auto& item : m_script.items) {
        const auto* const copy = copy_of(item);
        if (copy == nullptr || !has_kernels[copy->stream] || m_script.streams[copy->stream].home != none
            || !m_on.operation(copy->row)) {
            continue;
        }
        const auto home = copy->stream;
        const bool up = copy->kind == OperationKind::h2d;
        auto own = up ? m_script.streams[home].uploads : m_script.streams[home].downloads;
        if (own == none) {
            own = new_stream(home);
            has_kernels.push_back(false);
            (up ? m_script.streams[home].uploads : m_script.streams[home].downloads) = own;
        }
        move(item.first_operation, own);
        item.own += table.event_record_call + table.stream_wait_call;
        if (up) {
            uploads.push_back(item.first_operation);
        }
        ++m_applied.count;
    }
    if (m_applied.count > 0) {
        assume("kernels_need_uploads");
        find_returning(uploads);
    }
}

/// From upload to upload, or where there are none from kernel to kernel, a stream's work goes to the next of N.
void Edit::more_streams()
{
    const auto count = m_change.amount >= 1 ? static_cast<std::uint32_t>(m_change.amount) : 2U;
    const auto streams = issued();
    for (std::uint32_t home = 0; home < streams.size() && count > 1; ++home) {
        const auto& work = streams[home];
        const auto is
            = [&](std::uint32_t index, OperationKind kind) { return m_script.operations[index].kind == kind; };
        const bool has_uploads
            = std::any_of(work.begin(), work.end(), [&](auto index) { return is(index, OperationKind::h2d); });
        const auto first = has_uploads ? OperationKind::h2d : OperationKind::kernel;
        std::vector<std::uint32_t> pieces;  // where each begins
        for (std::uint32_t i = 0; i < work.size(); ++i) {
            const bool goes_on = has_uploads && i > 0 && is(work[i - 1], first);
            if (is(work[i], first) && !goes_on && m_on.operation(m_script.operations[work[i]].row)) {
                pieces.push_back(i);
            }
        }
        const bool has_kernels
            = std::any_of(work.begin(), work.end(), [&](auto index) { return is(index, OperationKind::kernel); });
        if (pieces.size() < 2 || !has_kernels) {
            continue;
        }
        for (std::size_t piece = 1; piece < pieces.size(); ++piece) {
            const auto to = piece % count;
            while (to > m_script.streams[home].dealt.size()) {
                const auto made = new_stream(home);
                m_script.streams[home].dealt.push_back(made);
            }
            const auto end = piece + 1 < pieces.size() ? pieces[piece + 1] : work.size();
            for (std::size_t i = pieces[piece]; i < end && to > 0; ++i) {
                move(work[i], m_script.streams[home].dealt[to - 1]);
            }
        }
        m_applied.count += pieces.size();
    }
    m_applied.reliability = Reliability::good;
    if (m_applied.count > 0) {
        assume("pieces_independent", {{"count", std::to_string(m_applied.count)}});
    }
}

}  // namespace lanes::whatif
