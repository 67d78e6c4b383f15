// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>
#include <vector>

namespace lanes::replay::changes {

/// A stream's work goes to the next of N streams at each upload or, if there are none, at each kernel.
void more_streams(Edit& edit)
{
    const auto count = edit.change.amount >= 1 ? static_cast<std::uint32_t>(edit.change.amount) : 2U;
    const auto streams = edit.issued();
    for (std::uint32_t home = 0; home < streams.size() && count > 1; ++home) {
        const auto& work = streams[home];
        const auto is
            = [&](std::uint32_t index, OperationKind kind) { return edit.script.operations[index].kind == kind; };
        const bool has_uploads
            = std::any_of(work.begin(), work.end(), [&](auto index) { return is(index, OperationKind::h2d); });
        const auto first = has_uploads ? OperationKind::h2d : OperationKind::kernel;
        std::vector<std::uint32_t> pieces;  // where each begins
        for (std::uint32_t i = 0; i < work.size(); ++i) {
            const bool goes_on = has_uploads && i > 0 && is(work[i - 1], first);
            if (is(work[i], first) && !goes_on && edit.on.operation(edit.script.operations[work[i]].row)) {
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
            while (to > edit.script.streams[home].dealt.size()) {
                const auto made = edit.new_stream(home);
                edit.script.streams[home].dealt.push_back(made);
            }
            const auto end = piece + 1 < pieces.size() ? pieces[piece + 1] : work.size();
            for (std::size_t i = pieces[piece]; i < end && to > 0; ++i) {
                edit.move(work[i], edit.script.streams[home].dealt[to - 1]);
            }
        }
        edit.applied.count += pieces.size();
    }
    edit.applied.reliability = Reliability::good;
    if (edit.applied.count > 0) {
        edit.assume("pieces_independent", {{"count", std::to_string(edit.applied.count)}});
    }
}

}  // namespace lanes::replay::changes
