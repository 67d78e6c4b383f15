// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/value_copies.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lanes::replay::changes {

namespace {

/// A small copy takes a fixed time of the copy engine and the link's time for its bytes: on an H200 a pinned copy takes
/// 2.7 us for 16 KiB and 4.8 us for 128 KiB. The driver copies a pageable one first, and that time is not recorded
/// apart from the engine's: for these only the model device's fixed time is saved.
void join(Edit& edit, const std::vector<std::uint32_t>& items, Operation& all)
{
    const auto& constants = edit.script.constants;
    const bool up = all.kind == OperationKind::h2d;
    const Ns once = up ? constants.table.h2d_overhead : constants.table.d2h_overhead;
    const double rate = up ? constants.h2d_rate : constants.d2h_rate;
    Ns longest = 0;
    Ns sum = 0;
    std::uint64_t bytes = 0;
    for (const auto each : items) {
        const auto& copy = edit.script.operations[edit.script.items[each].first_operation];
        const auto own = edit.trace.bytes_of(copy.row);
        bytes += own;
        if (copy.pageable) {
            longest = std::max(longest, std::min(once, copy.length));
            sum += std::max<Ns>(0, copy.length - once);
        } else {
            const auto on_link = static_cast<Ns>(std::llround(static_cast<double>(own) / rate));
            longest = std::max(longest, copy.length - std::min(on_link, copy.length));
            sum += on_link;
        }
    }
    all.bytes = bytes;
    all.length = std::max(longest + sum, all.length);
}

/// Finds small copies of one direction that one thread issues in a row on a stream. A read or other work between two
/// keeps them apart. A wait right after one, as after each upload of PyTorch without non_blocking, does not: it waits
/// for that copy, and the wait after the last of them stays.
class Gatherer {
public:
    explicit Gatherer(Edit& edit)
        : m_edit(edit)
    {
    }

    void run()
    {
        for (std::size_t thread = 0; thread + 1 < m_edit.script.first_item.size(); ++thread) {
            const auto end = m_edit.script.first_item[thread + 1];
            for (auto index = m_edit.script.first_item[thread]; index < end; ++index) {
                if (small(index) != nullptr) {
                    index = gather_from(index, end);
                }
            }
        }
    }

private:
    const Operation* small(std::uint32_t index) const
    {
        const auto* const copy = m_edit.copy_of(m_edit.script.items[index]);
        return copy != nullptr && m_edit.trace.bytes_of(copy->row) <= most_of_a_value && m_edit.on.operation(copy->row)
            ? copy
            : nullptr;
    }
    bool is_alike(std::uint32_t a, std::uint32_t b) const
    {
        const auto* const first = small(a);
        const auto* const other = small(b);
        return other != nullptr && other->kind == first->kind && other->stream == first->stream
            && other->pageable == first->pageable && m_edit.script.items[a].type == m_edit.script.items[b].type;
    }
    bool waits_for(const Item& item, std::uint32_t stream) const
    {
        return Edit::is_sync(item) && item.behind == none
            && (item.wait == Item::context || (item.wait == Item::stream && item.target == stream));
    }
    std::uint32_t gather_from(std::uint32_t first, std::uint32_t end);

    Edit& m_edit;
};

/// Makes one of the copies in a row that begins with the item `first`. Returns the last of them.
std::uint32_t Gatherer::gather_from(std::uint32_t first, std::uint32_t end)
{
    const auto stream = small(first)->stream;
    std::vector<std::uint32_t> row {first};
    std::vector<std::uint32_t> waits;  // before the last of them
    std::vector<std::uint32_t> since;  // waits since that
    for (auto at = first + 1; at < end; ++at) {
        const auto& item = m_edit.script.items[at];
        if (is_alike(first, at)) {
            row.push_back(at);
            waits.insert(waits.end(), since.begin(), since.end());
            since.clear();
        } else if (waits_for(item, stream)) {
            since.push_back(at);
        } else if (!item.dropped
            && (item.operations > 0 || item.actions > 0 || item.wait != Item::nothing || item.behind != none
                || (item.kind != Item::call && item.kind != Item::work))) {
            break;
        }
    }
    if (row.size() < least_to_gather) {
        return row.back();
    }
    auto& all = m_edit.script.operations[m_edit.script.items[row.back()].first_operation];
    join(m_edit, row, all);
    const auto& begins = m_edit.script.operations[m_edit.script.items[row.front()].first_operation];
    all.bound = begins.bound;  // it follows what the first of them followed
    all.delay = begins.delay;
    m_edit.applied.count += row.size() - 1;
    const auto last = row.back();
    row.pop_back();
    for (const auto* of : {&row, &waits}) {
        for (const auto each : *of) {
            m_edit.drop(each);
        }
    }
    return last;
}

}  // namespace

/// Small copies in a row become the last of them, which carries the bytes of all.
void gather(Edit& edit)
{
    Gatherer(edit).run();
    edit.applied.reliability = Reliability::good;
    if (edit.applied.count > 0) {
        edit.assume("lies_together");
    }
}

}  // namespace lanes::replay::changes
