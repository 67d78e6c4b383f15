// SPDX-License-Identifier: MIT
#include "engine/store/chrome/chrome_records.h"
#include "engine/ascii.h"
#include "engine/store/chrome/chrome_words.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/names/call_name.h"
#include "engine/trace/names/counter_names.h"
#include "engine/trace/names/device_rows.h"
#include "engine/trace/ranks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace lanes {

namespace {

std::uint32_t id_or(const std::optional<std::int64_t>& number, std::uint32_t otherwise)
{
    return number && *number >= 0 && *number < no_id ? static_cast<std::uint32_t>(*number) : otherwise;
}

std::optional<std::uint32_t> number_behind(std::string_view text, std::string_view words)
{
    std::uint32_t number = 0;
    const auto* const end = text.data() + text.size();
    return text.starts_with(words) && std::from_chars(text.data() + words.size(), end, number).ec == std::errc {}
        ? std::optional(number)
        : std::nullopt;
}

/// "stream ", "Stream #", "queue".
bool is_stream_word(std::string_view text)
{
    return text.size() >= 5 && (text.substr(1, 5) == "tream" || text.substr(1, 4) == "ueue");
}

/// Runtime or driver, if the category is of their calls; nothing: another category.
std::optional<ApiCallRecord::Api> api_of(std::string_view category)
{
    static constexpr std::array<std::string_view, 8> of_gpus {
        "cuda", "hip", "xpu", "mtia", "privateuse1", "musa", "rocm", "hpu"};
    const auto end = category.find('_');
    const auto what = end == std::string_view::npos ? std::string_view() : category.substr(end);
    if (category == "Runtime") {
        return ApiCallRecord::runtime;
    }
    if (category == "hsa_api") {  // which HIP is built on
        return ApiCallRecord::driver;
    }
    if (std::find(of_gpus.begin(), of_gpus.end(), category.substr(0, end)) == of_gpus.end()) {
        return {};
    }
    return what == "_runtime" || category == "hip_api" ? std::optional(ApiCallRecord::runtime)
        : what == "_driver"                            ? std::optional(ApiCallRecord::driver)
                                                       : std::nullopt;
}

// Categories of rocprofv3. Source: ROCm/rocprofiler-sdk, source/lib/output/generatePerfetto.cpp and
// source/lib/python/rocpd/source/perfetto.cpp.
constexpr std::string_view rocprof_kernel = "kernel_dispatch", rocprof_copy = "memory_copy";

/// Of its API calls and ranges: hip_api, hsa_api, marker_api, rccl_api and others.
bool is_of_thread_by_rocprof(const ChromeEvent& event)
{
    return event.calling_thread && event.category.ends_with("_api");
}

/// The number of a stream by its row: "STREAM [3]", "COMPUTE AGENT [4] STREAM [3] (GPU)".
std::optional<std::int64_t> stream_of_row(std::string_view row)
{
    constexpr std::string_view word = "STREAM [";
    const auto at = row.find(word);
    const auto begin = at == std::string_view::npos ? at : row.find_first_not_of(" \"", at + word.size());
    std::int64_t number = 0;
    return begin != std::string_view::npos
            && std::from_chars(row.data() + begin, row.data() + row.size(), number).ec == std::errc {}
        ? std::optional(number)
        : std::nullopt;
}

constexpr std::string_view xla_operations = "XLA Ops";
constexpr std::string_view process_of_torch = "Traces";  // where PyTorch marks that its recording begins

}  // namespace

ChromeRecords::Ids ChromeRecords::ids_of(const ChromeEvent& event)
{
    if (m_own && event.process.number == no_thread_process) {
        return {0, no_id};
    }
    Ids ids {process_of(event.process),
        thread_of(is_of_thread_by_rocprof(event) ? ChromeId {event.calling_thread, {}} : event.thread)};
    if (m_own && event.true_thread) {
        const auto row = std::exchange(ids.thread, id_or(event.true_thread, no_id));
        m_further_rows[pair_key(ids.process, row)] = ids.thread;
    }
    return ids;
}

/// "[TP01-DP00] 9001" is process 9001, unless another one has that number: then only its text identifies it.
std::uint32_t ChromeRecords::process_of(const ChromeId& id)
{
    if (m_own && id.number) {
        return m_own_rows.process_of(*id.number);
    }
    if (ChromeIds::fits(id)) {
        const auto number = static_cast<std::uint32_t>(*id.number);
        if (m_process_texts.empty() || !m_process_texts.contains(number)) {
            return number;
        }
    }
    const auto [known, is_new] = m_text_processes.try_emplace(std::string(id.text), 0);
    if (is_new) {
        const auto wanted = last_number(id.text);
        const bool is_free = wanted && *wanted > 0 && *wanted < first_made_up_id
            && !m_process_texts.contains(static_cast<std::uint32_t>(*wanted))
            && !m_used_processes.contains(static_cast<std::uint32_t>(*wanted));
        known->second
            = is_free && !id.number ? static_cast<std::uint32_t>(*wanted) : m_made_up.number_of({{}, id.text});
        m_process_texts.emplace(known->second, id.text);
    }
    return known->second;
}

std::uint32_t ChromeRecords::thread_of(const ChromeId& id)
{
    return m_own && id.number ? static_cast<std::uint32_t>(*id.number) : m_made_up.number_of(id);
}

std::uint32_t ChromeRecords::stream_of(const ChromeId& id, std::uint32_t otherwise)
{
    return m_own ? id_or(id.number, otherwise) : m_streams.number_of(id, otherwise);
}

std::uint32_t ChromeRecords::correlation_of(const ChromeId& id)
{
    constexpr std::int64_t none = -1;
    return m_own || id.number == none || id.number == std::int64_t {no_id} ? id_or(id.number, 0)
                                                                           : m_correlations.number_of(id, 0);
}

void ChromeRecords::use(Ids ids)
{
    const auto key = pair_key(ids.process, ids.thread);
    if (key != m_last_used || m_used_threads.empty()) {
        if (m_used_processes.insert(ids.process).second) {
            m_processes.push_back(ids.process);
        }
        m_used_threads.insert(key);
        m_last_used = key;
    }
}

void ChromeRecords::take(const ChromeEvent& event, const ChromeBatch& batch)
{
    const auto values = Values(batch.values).subspan(event.first_value, event.values);
    if (event.phase == 'M') {
        metadata(event);
        return;
    }
    if (ChromeAutograd::is_arrow(event) && (event.phase == 's' || event.phase == 'f')) {
        const auto process = process_of(event.process);
        const auto thread = thread_of(event.thread);
        const auto row = m_further_rows.find(pair_key(process, thread));
        m_autograd.arrow(event, process, row == m_further_rows.end() ? thread : row->second);
        return;
    }
    if (event.phase == 's' || event.phase == 't' || event.phase == 'f') {
        // ac2g and async join calls to operations, as args.correlation also does.
        m_unshown["flows"]
            += event.category == "ac2g" || event.category == "async" || event.category == "async_cpu_to_gpu" ? 0 : 1;
        return;
    }
    if (!event.start) {
        ++m_timeless;
        return;
    }
    switch (event.phase) {
    case 'X':
        complete(event, batch);
        break;
    case 'B':
    case 'E':
        edge(event);
        break;
    case 'b':
    case 'e':
    case 'S':
    case 'F':
    case 'n':
        asynchronous(event);
        break;
    case 'C':
        counter(event, values);
        break;
    case 'i':
        if (memory(event, values)) {
            break;
        }
        if (m_own && event.category == user_mark) {
            mark(event);
            break;
        }
        [[fallthrough]];
    case 'I':
    case 'R':
        if (event.thread.number || (!event.thread.text.empty() && event.process.text != process_of_torch)) {
            range(event, RangeRecord::mark, m_next_range++);
        }
        break;
    default:
        ++m_unshown["other_events"];
    }
}

void ChromeRecords::complete(const ChromeEvent& event, const ChromeBatch& batch)
{
    const auto category = event.category;
    if (category == "kernel" || category == "Kernel") {
        operation(event, &ChromeRecords::kernel);
    } else if (category == "gpu_memcpy" || category == "Memcpy") {
        operation(event, &ChromeRecords::copy);
    } else if (category == "gpu_memset" || category == "Memset") {
        operation(event, &ChromeRecords::memset);
    } else if (const auto api = api_of(category)) {
        call(event, *api);
    } else if (category == "cuda_sync") {
        sync(event);
    } else if (category == "overhead") {
        overhead(event);
    } else if (category == "gpu_user_annotation") {
        ++m_unshown["gpu_ranges"];
    } else if (category == "cuda_event") {
        ++m_unshown["event_records"];
    } else if ((category == rocprof_kernel || category == rocprof_copy) && rocprof_operation(event)) {
        return;
    } else if (!m_xla_streams.empty() && category.empty() && xla_operation(event)) {
        return;
    } else if (category != "Trace") {  // "Trace" is the whole recording
        const auto id = m_next_range++;
        range(event, RangeRecord::begin, id);
        m_autograd.take(event, m_ranges.back().process, id);
        if (event.told > 0) {
            m_told.take({*event.start, id, m_ranges.back().process, 0},
                std::span(batch.told).subspan(event.first_told, event.told), m_own.has_value());
        }
        auto end = m_ranges.back();
        end.time = *event.start + event.duration;
        end.edge = RangeRecord::finish;
        end.name = end.domain = 0;
        add(m_ranges, end);
        m_kineto = m_kineto || category == "cpu_op" || category == "Operator";
    }
}

/// Takes an operation, unless the file gives no length or one below 0: it is not known how long it took.
void ChromeRecords::operation(const ChromeEvent& event, void (ChromeRecords::*take)(const ChromeEvent&))
{
    if (event.lasts) {
        (this->*take)(event);
    } else {
        ++m_timeless;
    }
}

void ChromeRecords::operation(OperationRecord& r, const ChromeEvent& event)
{
    r.start = *event.start;
    r.end = r.start + event.duration;
    r.device = id_or(event.device, id_or(event.process.number, 0));
    r.context = id_or(event.context, 0);
    auto stream = event.stream.text.empty() && !event.stream.number ? event.thread : event.stream;
    if (const auto digits = stream.text.find_first_of(ascii::digits);
        !stream.number && digits != std::string_view::npos && is_stream_word(stream.text.substr(0, digits))) {
        std::int64_t number = 0;  // "stream 7"
        if (std::from_chars(stream.text.data() + digits, stream.text.data() + stream.text.size(), number).ec
            == std::errc {}) {
            stream.number = number;
        }
    }
    r.stream = stream_of(stream, 0);
    r.correlation = correlation_of(event.correlation);
    r.graph_node = graph_node_of(static_cast<std::uint64_t>(event.graph_node));
    r.graph = graph_of(static_cast<std::uint64_t>(event.graph_node));
    r.channel = m_own ? id_or(event.channel, no_id) : no_id;
    r.process = m_owners.group_of(event.process, r.device);
    m_used_devices.insert(r.device);
}

void ChromeRecords::kernel(const ChromeEvent& event)
{
    KernelRecord r {};
    operation(r, event);
    r.name = m_builder.intern(event.name);
    std::copy(event.grid.begin(), event.grid.end(), r.grid);
    std::copy(event.block.begin(), event.block.end(), r.block);
    r.registers = static_cast<std::uint32_t>(std::clamp<std::int64_t>(event.registers, 0, 65536));
    r.dynamic_shared = static_cast<std::uint32_t>(std::clamp<std::int64_t>(event.shared_memory, 0, 1 << 30));
    add(m_kernels, r);
}

void ChromeRecords::copy(const ChromeEvent& event)
{
    CopyRecord r {};
    operation(r, event);
    const auto ends = ends_of(event.name);
    r.copy = copy_kind_of(event.name);
    r.source = ends.source;
    r.target = ends.target;
    r.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(event.bytes, 0));
    r.source_device = id_or(event.from_device, no_id);
    r.target_device = id_or(event.to_device, no_id);
    add(m_copies, r);
}

void ChromeRecords::memset(const ChromeEvent& event)
{
    MemsetRecord r {};
    operation(r, event);
    r.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(event.bytes, 0));
    r.target = memory_kind_of(event.name);
    add(m_memsets, r);
}

bool ChromeRecords::rocprof_operation(const ChromeEvent& event)
{
    auto told = event;
    const auto stream = stream_of_row(event.thread.text);
    told.stream = stream ? ChromeId {stream, {}} : event.stream;
    const auto is_agent = [](std::int64_t number) { return number >= 0 && number < no_id; };
    if (event.category == rocprof_kernel) {
        const bool is_known = is_agent(event.device.value_or(-1));
        if (is_known) {
            operation(told, &ChromeRecords::kernel);
        }
        return is_known;
    }
    if (!is_agent(event.from_device) || !is_agent(event.to_device)) {
        return false;
    }
    const auto kind = copy_kind_of(event.name);
    if (kind == CopyKind::h2h) {  // of no GPU
        ++m_unshown["other_events"];
        return true;
    }
    told.device = kind == CopyKind::h2d ? event.to_device : event.from_device;
    if (kind != CopyKind::d2d || event.from_device == event.to_device) {
        told.from_device = told.to_device = -1;  // one is a CPU, or they are the copy's own
    }
    const auto copies = m_copies.size();
    operation(told, &ChromeRecords::copy);
    if (m_copies.size() > copies && told.from_device >= 0) {
        m_copies.back().copy = CopyKind::p2p;
    }
    return true;
}

bool ChromeRecords::xla_operation(const ChromeEvent& event)
{
    const auto process = process_of(event.process);
    const auto device = m_xla_devices.find(process);
    const auto stream = m_xla_streams.find(pair_key(process, thread_of(event.thread)));
    if (device == m_xla_devices.end() || stream == m_xla_streams.end()) {
        return false;
    }
    auto told = event;
    told.device = device->second;
    told.stream = stream->second == no_id ? ChromeId {{}, xla_operations} : ChromeId {stream->second, {}};
    operation(told,
        event.name.starts_with("Memcpy")       ? &ChromeRecords::copy
            : event.name.starts_with("Memset") ? &ChromeRecords::memset
                                               : &ChromeRecords::kernel);
    return true;
}

void ChromeRecords::call(const ChromeEvent& event, ApiCallRecord::Api api)
{
    m_kineto = m_kineto || !is_of_thread_by_rocprof(event);
    const auto ids = ids_of(event);
    m_owners.pass_call(ids.process);
    const bool is_told = event.correlation.number || !event.correlation.text.empty();
    const auto correlation = correlation_of(is_told ? event.correlation : ChromeId {event.external_id, {}});
    use(ids);
    if (event.size > 0) {
        m_sizes[pair_key(ids.process, correlation)] = event.size;
    }
    ApiCallRecord r {*event.start, *event.start + event.duration, ids.process, ids.thread, correlation,
        m_builder.intern(m_own ? event.name : plain_call_name(event.name)), api, 0};
    if (m_own) {
        r.result = static_cast<std::int32_t>(event.result);
        if (event.queries > 0) {
            m_builder.write(QuerySpinRecord {r.start, r.end, r.process, r.thread, correlation,
                static_cast<std::uint32_t>(event.queries),
                event.answer == 0       ? QuerySpinRecord::pending
                    : event.answer == 1 ? QuerySpinRecord::ready
                                        : QuerySpinRecord::not_known,
                0});
        }
    }
    add(m_calls, r);
}

void ChromeRecords::sync(const ChromeEvent& event)
{
    SyncRecord r {};
    r.type = sync_type_of(event.name);
    r.start = *event.start;
    r.end = r.start + event.duration;
    r.context = id_or(event.context, 0);
    const bool of_one = event.stream.number != -1 && event.stream.number != std::int64_t {no_id};
    r.stream = of_one ? stream_of(event.stream, no_id) : no_id;
    r.correlation = correlation_of(event.correlation);
    r.event_id = event.waited_event >= 0 ? static_cast<std::uint32_t>(event.waited_event) : no_id;
    r.process = m_owners.group_of(event.process, id_or(event.device, no_id));
    if (event.waited_record > 0) {
        // The call that recorded the event joins the two.
        r.event_sync = correlation_of({event.waited_record, {}});
        if (m_recorded.insert(pair_key(r.process, r.event_sync)).second && event.waited_stream >= 0) {
            EventRecord e {};
            e.process = r.process;
            e.device = id_or(event.device, no_id);
            e.context = r.context;
            e.stream = stream_of({event.waited_stream, {}}, no_id);
            e.correlation = e.event_sync = r.event_sync;
            e.event_id = r.event_id;
            add(m_events, e);
        }
    }
    add(m_syncs, r);
}

void ChromeRecords::overhead(const ChromeEvent& event)
{
    add(m_overheads,
        {*event.start, *event.start + event.duration, m_owners.group_of(event.process, no_id),
            m_own ? id_or(event.true_thread, no_id) : no_id,
            m_own ? id_or(event.call, 0) : correlation_of(event.correlation), overhead_type_of(event.name)});
}

void ChromeRecords::range(const ChromeEvent& event, RangeRecord::Edge edge, std::uint64_t id)
{
    const auto ids = ids_of(event);
    use(ids);
    RangeRecord r {};
    r.time = *event.start;
    r.id = id;
    r.process = ids.process;
    r.thread = ids.thread;
    r.edge = edge;
    if (edge != RangeRecord::finish) {
        r.name = m_builder.intern(event.name);
        r.domain = m_builder.intern(m_own && event.domain ? *event.domain : event.category);
    }
    add(m_ranges, r);
}

void ChromeRecords::mark(const ChromeEvent& event)
{
    constexpr std::size_t most = 10'000;  // as of SQLite
    if (m_marks.size() < most) {
        m_marks.push_back({*event.start, std::string(event.name)});
    }
}

void ChromeRecords::edge(const ChromeEvent& event)
{
    const auto ids = ids_of(event);
    auto& open = m_open[pair_key(ids.process, ids.thread)].ranges;
    if (event.phase == 'B') {
        open.push_back(m_next_range);
        range(event, RangeRecord::begin, m_next_range++);
    } else if (!open.empty()) {
        range(event, RangeRecord::finish, open.back());
        open.pop_back();
    } else {
        ++m_unshown["lone_ends"];
    }
}

void ChromeRecords::asynchronous(const ChromeEvent& event)
{
    const auto process = process_of(event.process);
    std::string key(event.category);
    key.append(1, '\0').append(event.id).append(1, '\0').append(event.scope);
    if (event.local_id) {
        key.append(1, '\0').append(std::to_string(process));
    }
    const auto name = m_builder.intern(event.name);
    if (event.phase == 'n') {
        m_async.instant(process, name, event.category, *event.start);
    } else if (event.phase == 'b' || event.phase == 'S') {
        m_async.begin(process, std::move(key), name, event.category, *event.start);
    } else if (!m_async.end(key, name, *event.start)) {
        ++m_unshown["lone_ends"];
        return;
    }
    m_used_processes.insert(process);
}

void ChromeRecords::count(CounterRecord record, double value)
{
    record.value = std::bit_cast<std::uint64_t>(value);
    add(m_counters, record);
    m_used_processes.insert(record.process);
    if (record.device != no_id) {
        m_used_devices.insert(record.device);
    }
}

/// Each of its numbers is a separate counter, such as "queue: waiting".
void ChromeRecords::counter(const ChromeEvent& event, Values values)
{
    m_unshown["counters"] += values.empty() ? 1 : 0;
    const bool of_gpu = m_own && m_own_rows.is_gpu(event.process);
    const auto unit = m_own ? unit_of_word(event.category) : event.unit;
    for (const auto& [key, number] : values) {
        std::string name(event.name);
        if (!event.id.empty()) {
            name.append("[").append(event.id).append("]");
        }
        if (key != "value" && key != event.name && !key.empty()) {
            name.append(": ").append(key);
        }
        CounterRecord record {*event.start, 0, 0, no_id, m_builder.intern(name), unit.value_or(unit_of(name))};
        record.value = std::bit_cast<std::uint64_t>(number);
        if (of_gpu) {  // its process is known at the end
            record.device = id_or(event.process.number, 0);
            record.process = m_owners.group_of(event.process, record.device);
            add(m_counters, record);
            m_used_devices.insert(record.device);
        } else {
            record.process = process_of(event.process);
            count(record, number);
        }
    }
}

bool ChromeRecords::memory(const ChromeEvent& event, Values values)
{
    const auto find = [&](std::string_view key) {
        const auto found
            = std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.key == key; });
        return found == values.end() ? std::optional<double>() : found->number;
    };
    const auto allocated = find("Total Allocated");
    const auto device = find("Device Id").value_or(-1);
    const bool on_host = find("Device Type").value_or(0) == 0;
    if (event.name != "[memory]" || !allocated || (!on_host && !(device >= 0 && device < no_id))) {
        return false;
    }
    CounterRecord record {*event.start, 0, process_of(event.process),
        on_host ? no_id : static_cast<std::uint32_t>(device), m_builder.intern(counter_name::allocated),
        CounterRecord::bytes};
    count(record, *allocated);
    if (const auto reserved = find("Total Reserved"); reserved && !on_host) {  // nothing is reserved of host memory
        record.name = m_builder.intern(counter_name::reserved);
        count(record, *reserved);
    }
    return true;
}

void ChromeRecords::metadata(const ChromeEvent& event)
{
    if (event.given_name.empty() || (m_own && m_own_rows.take(event))) {
        return;
    }
    if (event.name == "process_name") {
        const auto process = process_of(event.process);
        m_process_names[process] = event.given_name;
        if (const auto device = xla_device_of(event.given_name)) {
            m_xla_devices[process] = device->number;
            if (device->kind != "GPU") {
                m_devices[device->number].name = device->kind;
            }
        }
    } else if (event.name == "process_labels") {
        m_process_labels[process_of(event.process)] = event.given_name;
    } else if (event.name == "thread_name") {
        // "thread 71 (pt_main_thread)" is made by Kineto from a thread's number and name.
        auto name = event.given_name;
        if (const auto open = name.find(" (");
            name.starts_with("thread ") && name.ends_with(')') && open < name.size()) {
            name = name.substr(open + 2, name.size() - open - 3);
        }
        const auto process = process_of(event.process);
        const auto key = pair_key(process, thread_of(event.thread));
        m_thread_names[key] = name;
        if (const auto stream = number_behind(name, "Stream #")) {
            m_xla_streams[key] = *stream;
        } else if (name == xla_operations && m_process_names.contains(process)) {
            // A TPU has no streams: its work is in this row.
            if (const auto device = xla_device_of(m_process_names.at(process)); device && device->kind != "GPU") {
                m_xla_streams[key] = no_id;
            }
        }
    }
}

void ChromeRecords::say(std::string_view key, const simdjson::dom::element& value)
{
    using simdjson::dom::array;
    using simdjson::dom::element;
    if (key == "lanescope" && !m_own) {
        m_own = own_head_of(value);
    } else if (key == "lanescopeRecords") {
        m_unshown["own_rows"] += own_rows_in(value);
    } else if (std::int64_t base = 0; key == "baseTimeNanoseconds" && value.get(base) == simdjson::SUCCESS) {
        m_base = base;
    } else if (key == "schemaVersion") {
        m_kineto = true;
    } else if (std::int64_t rank = 0;
               key == "distributedInfo" && value["rank"].get(rank) == simdjson::SUCCESS && rank >= 0) {
        m_rank = rank;
        if (value["world_size"].get(m_world) != simdjson::SUCCESS || m_world <= rank) {
            m_world = 0;
        }
    } else if (array devices; key == "deviceProperties" && value.get(devices) == simdjson::SUCCESS) {
        m_kineto = true;
        for (const element device : devices) {
            std::int64_t id = -1;
            if (device["id"].get(id) != simdjson::SUCCESS || id < 0 || id >= no_id) {
                continue;
            }
            auto& known = m_devices[static_cast<std::uint32_t>(id)];
            const auto number = [&](const char* name) {
                std::int64_t found = 0;
                return device[name].get(found) == simdjson::SUCCESS && found > 0 ? found : 0;
            };
            std::string_view name;
            if (device["name"].get(name) == simdjson::SUCCESS) {
                known.name = name;
            }
            known.memory = static_cast<std::uint64_t>(number("totalGlobalMem"));
            known.multiprocessors = static_cast<std::uint32_t>(number("numSms"));
            known.major = static_cast<std::uint32_t>(number("computeMajor"));
            known.minor = static_cast<std::uint32_t>(number("computeMinor"));
        }
    }
}

}  // namespace lanes
