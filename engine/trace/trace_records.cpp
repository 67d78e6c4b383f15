// SPDX-License-Identifier: MIT
#include "engine/trace/trace_records.h"
#include "engine/trace/large_vector.h"

#include <algorithm>
#include <cstdint>

namespace lanes {

namespace {

struct Translate {
    const StringMap& map;
    void operator()(StringId& id) const
    {
        const auto found = map.find(id);
        id = found == map.end() ? 0 : found->second;  // its text was in a chunk that is lost
    }
    // Every record that has text; the others fall to the template.
    void record(ApiCallRecord& r) const { (*this)(r.name); }
    void record(KernelRecord& r) const
    {
        (*this)(r.name);
        (*this)(r.shown_name);
    }
    void record(CopyRecord& r) const { (*this)(r.name); }
    void record(MemsetRecord& r) const { (*this)(r.name); }
    void record(RangeRecord& r) const
    {
        (*this)(r.name);
        (*this)(r.domain);
    }
    void record(HostSpanRecord& r) const { (*this)(r.name); }
    void record(ReadRecord& r) const { (*this)(r.buffer); }
    void record(DeviceRecord& r) const
    {
        (*this)(r.name);
        (*this)(r.uuid);
        (*this)(r.pci);
    }
    void record(StreamRecord& r) const { (*this)(r.name); }
    void record(ThreadRecord& r) const { (*this)(r.name); }
    void record(ProcessRecord& r) const { (*this)(r.name); }
    void record(ErrorRecord& r) const { (*this)(r.message); }
    void record(CounterRecord& r) const { (*this)(r.name); }
    template <class R> void record(R&) const { }
};

template <class R> void append_as(std::vector<R>& to, std::span<const std::byte> payload, const StringMap* strings)
{
    const auto old = to.size();
    const auto count = payload.size() / sizeof(R);
    if (payload.size() % sizeof(R) != 0 || count == 0) {
        return;
    }
    grow_large(to, count);
    if (reinterpret_cast<std::uintptr_t>(payload.data()) % alignof(R) == 0) {
        const auto* const records = reinterpret_cast<const R*>(payload.data());
        to.insert(to.end(), records, records + count);
    } else {  // of a chunk in a file
        to.resize(old + count);
        std::copy_n(payload.data(), payload.size(), reinterpret_cast<std::byte*>(to.data() + old));
    }
    if (strings != nullptr) {
        for (auto i = old; i < to.size(); ++i) {
            Translate {*strings}.record(to[i]);
        }
    }
}

template <class... Rs>
void append_any(TraceRecords& records, RecordList<Rs...>, RecordKind kind, std::span<const std::byte> payload,
    const StringMap* strings)
{
    (void)(... || (Rs::kind == kind && (append_as(records.of<Rs>(), payload, strings), true)));
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
