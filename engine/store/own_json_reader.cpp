// SPDX-License-Identifier: MIT
#include "engine/store/nsys_layout.h"
#include "engine/store/own_json.h"
#include "engine/trace/meta_keys.h"

#include <charconv>

namespace lanes {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;

/// One row of numbers and texts, in which everything may be missing.
class JsonRow {
public:
    explicit JsonRow(const array& row)
    {
        for (const auto item : row) {
            if (m_size == m_items.size()) {
                return;
            }
            m_items[m_size++] = item;
        }
    }
    std::size_t size() const { return m_size; }
    std::int64_t number(std::size_t column) const
    {
        std::int64_t found = 0;
        return m_items[column].get(found) == simdjson::SUCCESS ? found : 0;
    }
    std::uint32_t id(std::size_t column) const { return static_cast<std::uint32_t>(number(column)); }
    std::uint64_t count(std::size_t column) const { return static_cast<std::uint64_t>(number(column)); }
    std::string_view text(std::size_t column) const
    {
        std::string_view found;
        return m_items[column].get(found) == simdjson::SUCCESS ? found : std::string_view {};
    }

private:
    std::array<element, 11> m_items;
    std::size_t m_size = 0;
};

template <class Take> void each_row(const element& value, const char* name, std::size_t columns, Take take)
{
    array rows;
    if (value[name].get(rows) != simdjson::SUCCESS) {
        return;
    }
    for (const auto item : rows) {
        if (array cells; item.get(cells) == simdjson::SUCCESS) {
            if (const JsonRow row(cells); row.size() == columns) {
                take(row);
            }
        }
    }
}

template <class Enum> Enum within(std::int64_t number, Enum last, Enum otherwise)
{
    return number >= 0 && number <= static_cast<std::int64_t>(last) ? static_cast<Enum>(number) : otherwise;
}

/// False: not a version that this reads.
bool check_format(std::string_view format, std::map<std::string, std::string>& meta)
{
    int major = -1;
    int minor = -1;
    const auto* end = format.data() + format.size();
    const auto [dot, error] = std::from_chars(format.data(), end, major);
    if (error != std::errc {} || dot == end || *dot != '.' || std::from_chars(dot + 1, end, minor).ptr != end
        || major != layout::format_major || minor < 0) {
        return false;
    }
    if (minor > layout::format_minor) {
        meta[meta::notice] = "written by a newer Lanescope (format " + std::string(format) + ", this one reads "
            + std::to_string(layout::format_major) + "." + std::to_string(layout::format_minor)
            + "): what it added is not shown";
    }
    return true;
}

}  // namespace

std::optional<OwnJson> read_own_head(const element& value, TraceBuilder& builder)
{
    OwnJson own;
    std::string_view text;
    if (value["format"].get(text) != simdjson::SUCCESS || !check_format(text, own.meta)
        || value["source"].get(text) != simdjson::SUCCESS) {
        return {};
    }
    own.source = source_of(text);
    if (std::int64_t dropped = 0; value["dropped"].get(dropped) == simdjson::SUCCESS) {
        own.dropped = static_cast<std::uint64_t>(dropped);
    }
    if (simdjson::dom::object meta; value["meta"].get(meta) == simdjson::SUCCESS) {
        for (const auto [key, item] : meta) {
            if (key != meta::notice && key != meta::not_shown && item.get(text) == simdjson::SUCCESS) {
                own.meta.insert_or_assign(std::string(key), text);
            }
        }
    }
    std::size_t processes = 0;
    each_row(value, "processes", 3, [&](const JsonRow& row) {
        own.sole_process = row.id(0);
        ++processes;
        builder.write(ProcessRecord {row.id(0), row.id(1), builder.intern(row.text(2)), 0});
    });
    if (processes > 1) {
        own.sole_process.reset();
    }
    each_row(value, "threads", 4, [&](const JsonRow& row) {
        builder.write(ThreadRecord {row.id(0), row.id(1), builder.intern(row.text(2)), row.id(3)});
    });
    each_row(value, "devices", 11, [&](const JsonRow& row) {
        DeviceRecord r {};
        r.device = row.id(0);
        r.name = builder.intern(row.text(1));
        r.uuid = builder.intern(row.text(2));
        r.pci = builder.intern(row.text(3));
        r.multiprocessors = row.id(4);
        r.copy_engines = row.id(5);
        r.compute_major = row.id(6);
        r.compute_minor = row.id(7);
        r.core_clock_khz = row.id(8);
        r.memory_bytes = row.count(9);
        r.memory_bandwidth = row.count(10);
        builder.write(r);
    });
    each_row(value, "contexts", 4, [&](const JsonRow& row) {
        builder.write(ContextRecord {row.id(0), row.id(1), row.id(2), row.id(3)});
    });
    each_row(value, "streams", 6, [&](const JsonRow& row) {
        builder.write(StreamRecord {row.id(0), row.id(1), row.id(2), static_cast<std::int32_t>(row.number(4)),
            within(row.number(5), StreamRecord::null, StreamRecord::unknown), builder.intern(row.text(3))});
    });
    each_row(value, "counters", 4, [&](const JsonRow& row) {
        own.counters.push_back({0, 0, row.id(0), row.id(1), builder.intern(row.text(2)),
            within(row.number(3), CounterRecord::percent, CounterRecord::none)});
    });
    return own;
}

void read_own_records(const element& value, TraceBuilder& builder, OwnJson& own)
{
    each_row(value, "events", 8, [&](const JsonRow& row) {
        builder.write(EventRecord {
            row.number(0), row.id(1), row.id(2), row.id(3), row.id(4), row.id(5), row.id(6), row.id(7), 0});
    });
    each_row(value, "steps", 5, [&](const JsonRow& row) {
        builder.write(StepRecord {row.number(0), row.id(1), row.id(2), row.id(3), row.id(4)});
    });
    each_row(value, "host_functions", 7, [&](const JsonRow& row) {
        builder.write(HostFunctionRecord {
            row.number(0), row.number(1), row.id(2), row.id(3), row.id(4), row.id(5), row.number(6) != 0 ? 1U : 0U, 0});
    });
    each_row(value, "query_spins", 7, [&](const JsonRow& row) {
        builder.write(QuerySpinRecord {row.number(0), row.number(1), row.id(2), row.id(3), row.id(4), row.id(5),
            within(row.number(6), QuerySpinRecord::not_known, QuerySpinRecord::not_known), 0});
    });
    each_row(value, "memory", 11, [&](const JsonRow& row) {
        MemoryRecord r {};
        r.time = row.number(0);
        r.address = row.count(1);
        r.bytes = row.count(2);
        r.process = row.id(3);
        r.device = row.id(4);
        r.context = row.id(5);
        r.stream = row.id(6);
        r.correlation = row.id(7);
        r.operation = within(row.number(8), MemoryRecord::release, MemoryRecord::unknown);
        r.memory = within(row.number(9), MemoryKind::managed_static, MemoryKind::unknown);
        r.async = row.number(10) != 0 ? 1 : 0;
        builder.write(r);
    });
    each_row(value, "errors", 6, [&](const JsonRow& row) {
        builder.write(ErrorRecord {row.number(0), row.id(1), row.id(2), row.id(3),
            static_cast<std::int32_t>(row.number(4)), builder.intern(row.text(5)), 0});
    });
    each_row(value, "marks", 2, [&](const JsonRow& row) {
        constexpr std::size_t most = 10'000;  // as of SQLite
        if (own.marks.size() < most) {
            own.marks.push_back({row.number(0), std::string(row.text(1))});
        }
    });
}

}  // namespace lanes
