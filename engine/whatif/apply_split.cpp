// SPDX-License-Identifier: MIT
#include "engine/whatif/edit.h"
#include "engine/whatif/rewritten.h"

#include <algorithm>

namespace lanes::whatif {

namespace {

constexpr std::uint64_t worth_pieces = 1 << 20;  // bytes of a copy

}  // namespace

/// An upload, the kernels right behind it on its stream and the download behind them, if there is one; where the last
/// of them ends. `index` itself: nothing that could be cut begins there.
std::uint32_t Edit::end_of_pipeline(std::uint32_t index) const
{
    const auto end = end_of(m_script.items[index]);
    const auto* const upload = copy_of(m_script.items[index]);
    if (upload == nullptr || upload->kind != OperationKind::h2d || upload->pageable
        || m_script.items[index].wait != Item::nothing || m_trace.bytes_of(upload->row) < worth_pieces
        || !m_on.operation(upload->row)) {
        return index;
    }
    auto at = index + 1;
    for (; at < end; ++at) {
        const auto& item = m_script.items[at];
        const bool launches
            = item.kind == Item::call && item.operations == 1 && !item.dropped && item.wait == Item::nothing;
        const auto* const kernel = launches ? &m_script.operations[item.first_operation] : nullptr;
        if (kernel == nullptr || kernel->kind != OperationKind::kernel || kernel->of_graph || kernel->gang != none
            || kernel->dropped || kernel->stream != upload->stream) {
            break;
        }
    }
    if (at == index + 1) {
        return index;
    }
    const auto* const download = at < end ? copy_of(m_script.items[at]) : nullptr;
    const bool ends_with_it = download != nullptr && download->kind == OperationKind::d2h && !download->pageable
        && download->stream == upload->stream;
    return ends_with_it ? at + 1 : at;
}

/// Of each upload with its kernels and download N pieces, one after the other, the copies on streams of their own.
void Edit::split()
{
    constexpr std::uint16_t usual = 4;
    constexpr double most = 1024;
    const auto pieces = m_change.amount >= 1 ? static_cast<std::uint16_t>(std::min(most, m_change.amount)) : usual;
    Rewritten to(m_script);
    for (std::size_t thread = 0; thread + 1 < m_script.first_item.size(); ++thread) {
        for (auto index = m_script.first_item[thread]; index < m_script.first_item[thread + 1];) {
            const auto end = pieces > 1 ? end_of_pipeline(index) : index;
            if (end == index) {
                to.add(index++);
                continue;
            }
            for (std::uint16_t piece = 0; piece < pieces; ++piece) {
                for (auto at = index; at < end; ++at) {
                    to.add(at, piece, pieces);
                }
            }
            m_applied.count += end - index;
            index = end;
        }
        to.end_thread();
    }
    const auto count = m_applied.count;
    if (count == 0) {
        return;
    }
    to.finish(m_script);
    own_stream();
    m_applied.count = count;
    m_applied.reliability = Reliability::good;
    assume("can_be_cut", {{"count", std::to_string(pieces)}});
}

}  // namespace lanes::whatif
