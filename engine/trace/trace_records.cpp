// SPDX-License-Identifier: MIT
#include "engine/trace/trace_records.h"
#include "engine/trace/large_vector.h"
#include "engine/trace/tables.h"

#include <cstdint>
#include <cstring>

namespace lanes {

namespace {

/// Replaces the texts of a record: those of its table's columns, and those that all operations have.
template <class R> void translate(R& record, const StringMap& map)
{
    const auto replace = [&map](StringId& id) {
        const auto found = map.find(id);
        id = found == map.end() ? 0 : found->second;  // its text was in a lost chunk
    };
    if constexpr (std::is_base_of_v<OperationRecord, R>) {
        replace(record.name);
        if constexpr (std::is_same_v<R, KernelRecord>) {
            replace(record.shown_name);
        }
    } else {
        for_each_table([&]<class Table>(Table table) {
            if constexpr (std::is_same_v<typename Table::Record, R>) {
                for_each_column(table, [&]<class Column>(const Column& column) {
                    if constexpr (Column::kind == ColumnKind::text && Column::is_recorded) {
                        replace(record.*column.in_record);
                    }
                });
            }
        });
    }
}

KeptKernel kept(const KernelRecord& r, SharedRows<KernelLaunch>& launches)
{
    return {r.start, r.end, r.process, r.device, r.context, r.stream, r.correlation,
        launches.row_of({r.name, r.shown_name, {r.grid[0], r.grid[1], r.grid[2]}, {r.block[0], r.block[1], r.block[2]},
            r.registers, r.static_shared, r.dynamic_shared, r.graph_node, r.channel, r.graph})};
}

template <class R> const R& kept(const R& record, SharedRows<KernelLaunch>&)
{
    return record;
}

template <class R> void append_as(TraceRecords& records, std::span<const std::byte> payload, const StringMap* strings)
{
    auto& to = records.of<R>();
    const auto count = payload.size() / sizeof(R);
    if (payload.size() % sizeof(R) != 0 || count == 0) {
        return;
    }
    grow_large(to, count);
    if constexpr (std::is_same_v<Kept<R>, R>) {
        if (strings == nullptr && reinterpret_cast<std::uintptr_t>(payload.data()) % alignof(R) == 0) {
            const auto* const aligned = reinterpret_cast<const R*>(payload.data());
            to.insert(to.end(), aligned, aligned + count);
            return;
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        R record;
        std::memcpy(&record, payload.data() + i * sizeof record, sizeof record);
        if (strings != nullptr) {
            translate(record, *strings);
        }
        to.push_back(kept(record, records.launches));
    }
}

template <class... Rs>
void append_any(TraceRecords& records, RecordList<Rs...>, RecordKind kind, std::span<const std::byte> payload,
    const StringMap* strings)
{
    (void)(... || (Rs::kind == kind && (append_as<Rs>(records, payload, strings), true)));
}

}  // namespace

void TraceRecords::expect(RecordKind kind, std::size_t more)
{
    const auto expect_any = [&]<class... Rs>(RecordList<Rs...>) {
        (void)(... || (Rs::kind == kind && (reserve_large(of<Rs>(), of<Rs>().size() + more), true)));
    };
    expect_any(AllRecords {});
}

void TraceRecords::append(RecordKind kind, std::span<const std::byte> payload, const StringMap* strings)
{
    append_any(*this, AllRecords {}, kind, payload, strings);
}

}  // namespace lanes
