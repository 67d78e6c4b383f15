// SPDX-License-Identifier: MIT
// Which device is which: from the numbers that processes have for their devices to the ids of the trace.
#include "engine/trace/trace_assembly.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

namespace {

using Named = std::pair<std::uint32_t, std::uint32_t>;  // a process and its number of a device

/// What tells a device apart, in words: "uuid …", "pci …"; "" where the record does not say.
std::string identity_of(const Trace& trace, const DeviceRecord& record)
{
    for (const auto& [kind, id] : {std::pair("uuid ", record.uuid), std::pair("pci ", record.pci)}) {
        if (const auto text = trace.text(id);
            !text.empty() && text.find_first_not_of("0-:. ") != std::string_view::npos) {
            return kind + std::string(text);
        }
    }
    return "";
}

/// Calls `take(process, device&)` for every number of a device that a record holds.
template <class Take> void each_number(TraceRecords& records, Take take)
{
    const auto of = [&]<class R>(std::vector<R>& table) {
        for (auto& record : table) {
            if (record.device != no_id) {
                take(record.process, record.device);
            }
            if constexpr (std::is_same_v<R, CopyRecord>) {
                for (auto* peer : {&record.source_device, &record.target_device}) {
                    if (*peer != no_id) {
                        take(record.process, *peer);
                    }
                }
            }
        }
    };
    of(records.of<KernelRecord>());
    of(records.of<CopyRecord>());
    of(records.of<MemsetRecord>());
    of(records.of<EventRecord>());
    of(records.of<MemoryRecord>());
    of(records.of<ContextRecord>());
    of(records.of<CounterRecord>());
}

/// A look-up by process and number that the last answers make cheap: millions of records ask for a handful of devices.
template <class Value> class Recent {
public:
    /// The remembered value; null: `key` is not the one that was remembered at its place.
    Value* find(const Named& key)
    {
        auto& slot = place(key);
        return slot.used && slot.key == key ? &slot.value : nullptr;
    }
    void remember(const Named& key, Value value) { place(key) = {key, value, true}; }

private:
    struct Slot {
        Named key;
        Value value {};
        bool used = false;
    };
    Slot& place(const Named& key) { return m_slots[(key.first * 31 + key.second) % m_slots.size()]; }
    std::array<Slot, 64> m_slots {};
};

/// What a recording says of devices: processes of their own, and others of whatever process.
struct DescribedDevices {
    std::map<Named, const DeviceRecord*> own;
    std::map<std::uint32_t, const DeviceRecord*> of_any;

    /// Of the device that a process has under that number; null: not known. The number may be anybody's: a description
    /// for all of them says which device it is only where there is no other.
    const DeviceRecord* find(const Named& named) const
    {
        const auto found = own.find(named);
        const auto* record = found != own.end() ? found->second
            : of_any.size() == 1 && own.empty() ? of_any.begin()->second
                                                : nullptr;
        return record == nullptr || record->device != named.second ? nullptr : record;
    }
};

/// Which point into `records`.
DescribedDevices sorted_descriptions(const std::vector<DeviceRecord>& records)
{
    DescribedDevices described;
    for (const auto& record : records) {
        if (record.process == 0) {
            described.of_any[record.device] = &record;
        } else {
            described.own[{record.process, record.device}] = &record;
        }
    }
    return described;
}

/// All numbers of devices that are described or that a record has.
std::set<Named> numbers_used(TraceRecords& records, const DescribedDevices& described)
{
    std::set<Named> used;
    for (const auto& [named, record] : described.own) {
        used.insert(named);
    }
    Recent<bool> seen;
    each_number(records, [&](std::uint32_t process, std::uint32_t device) {
        if (const Named named(process, device); seen.find(named) == nullptr) {
            used.insert(named);
            seen.remember(named, true);
        }
    });
    return used;
}

using DeviceIds = std::map<Named, std::uint32_t>;

/// One id for each device: where the record does not tell two apart, each process has its own.
DeviceIds choose_ids(const Trace& trace, const std::set<Named>& used, const DescribedDevices& described)
{
    std::map<std::string, std::uint32_t> ids;  // by what tells a device apart
    DeviceIds id_of;
    std::set<std::uint32_t> taken;
    for (const auto& named : used) {  // by process: the first keeps its numbers
        const auto* record = described.find(named);
        auto identity = record == nullptr ? "" : identity_of(trace, *record);
        if (identity.empty()) {
            identity = "process " + std::to_string(named.first) + " device " + std::to_string(named.second);
        }
        const auto [at, is_new] = ids.try_emplace(std::move(identity), named.second);
        if (is_new) {
            for (std::uint32_t free = 0; !taken.insert(at->second).second; ++free) {
                at->second = free;
            }
        }
        id_of[named] = at->second;
    }
    return id_of;
}

void renumber_devices(TraceRecords& records, const DeviceIds& ids)
{
    if (std::all_of(ids.begin(), ids.end(), [](const auto& each) { return each.first.second == each.second; })) {
        return;
    }
    Recent<std::uint32_t> known;
    each_number(records, [&](std::uint32_t process, std::uint32_t& device) {
        const Named named(process, device);
        if (const auto* id = known.find(named)) {
            device = *id;
        } else {
            known.remember(named, ids.at(named));
            device = ids.at(named);
        }
    });
}

/// Descriptions by id: what a process says of its own device counts more than what is said for all.
std::vector<DeviceRecord> descriptions_by_id(const DescribedDevices& described, const DeviceIds& ids)
{
    std::set<std::uint32_t> taken;
    for (const auto& [named, id] : ids) {
        taken.insert(id);
    }
    std::vector<DeviceRecord> by_id;
    for (const auto& [number, record] : described.of_any) {
        if (!taken.contains(number)) {
            by_id.push_back(*record);
        }
    }
    for (const auto& [named, id] : ids) {
        const auto found = described.own.find(named);
        const auto any = described.of_any.find(named.second);
        if (found == described.own.end() && any == described.of_any.end()) {
            continue;
        }
        auto record = found != described.own.end() ? *found->second : *any->second;
        if (found == described.own.end() && id != named.second) {  // one of that kind, but not that very one
            record.uuid = record.pci = 0;
        }
        record.device = id;
        by_id.push_back(record);
    }
    return by_id;
}

}  // namespace

void TraceAssembly::tell_devices_apart()
{
    if (m_records.kept_origin) {
        return;
    }
    auto& records = m_records.of<DeviceRecord>();
    const auto described = sorted_descriptions(records);
    const auto ids = choose_ids(m_trace, numbers_used(m_records, described), described);
    renumber_devices(m_records, ids);
    records = descriptions_by_id(described, ids);
}

}  // namespace lanes
