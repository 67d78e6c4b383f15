// SPDX-License-Identifier: MIT
#include "probes/cupti/recorder.h"

#include "probes/blocked_signals.h"
#include "probes/cupti/nvtx_call.h"
#include "probes/cupti/other_profiler.h"
#include "probes/cupti/recorded_calls.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <system_error>
#include <unistd.h>

namespace lanes {

namespace {

/// CUPTI's buffer callbacks carry no pointer to their client.
std::atomic<CuptiRecorder*> current {nullptr};

struct WantedKind {
    CUpti_ActivityKind kind;
    const char* name;  ///< unless essential, with a sentence under not_recorded in resources/text
    bool essential;  ///< without it a recording would be wrong
    bool describes = false;  ///< what exists, rather than what happens: recorded whichever part is asked for
};

// CONCURRENT_KERNEL, never KERNEL: that one runs kernels one after the other, which hides all concurrency.
// Descriptions first, so that they precede what they describe. MARKER_DATA only works after MARKER. MEMORY2
// crashes programs (memory_calls.h).
constexpr WantedKind wanted_kinds[] = {
    {CUPTI_ACTIVITY_KIND_DEVICE, "devices", false, true},
    {CUPTI_ACTIVITY_KIND_CONTEXT, "contexts", false, true},
    {CUPTI_ACTIVITY_KIND_STREAM, "streams", false, true},
    {CUPTI_ACTIVITY_KIND_NAME, "names", false, true},
    {CUPTI_ACTIVITY_KIND_RUNTIME, "runtime calls", true},
    {CUPTI_ACTIVITY_KIND_DRIVER, "driver calls", true},
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernels", true},
    {CUPTI_ACTIVITY_KIND_MEMCPY, "copies", true},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, "peer copies", false},
    {CUPTI_ACTIVITY_KIND_MEMSET, "memsets", true},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "synchronisation", false},
    {CUPTI_ACTIVITY_KIND_CUDA_EVENT, "events", false},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, "overhead", false},
    {CUPTI_ACTIVITY_KIND_MARKER, "NVTX ranges", false},
    {CUPTI_ACTIVITY_KIND_MARKER_DATA, "colours of NVTX ranges", false},
};

struct SubscribedCall {
    CUpti_CallbackDomain domain;
    CUpti_CallbackId id;
    bool operator==(const SubscribedCall&) const = default;
};

/// Calls that put a function of the host into a stream. CUPTI 13.0 has no activity for it. The first parameter of all
/// of them is the stream.
constexpr SubscribedCall host_function_calls[] = {
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000},
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_ptsz_v10000},
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaStreamAddCallback_v5000},
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaStreamAddCallback_ptsz_v7000},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc_ptsz},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuStreamAddCallback},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuStreamAddCallback_ptsz},
};

bool is_of_thread_streams(SubscribedCall call)
{
    return call == host_function_calls[1] || call == host_function_calls[3] || call == host_function_calls[5]
        || call == host_function_calls[7];
}

/// Calls that end a context: CUPTI loses what it has not yet delivered of it.
constexpr SubscribedCall ending_calls[] = {
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaDeviceReset_v3020},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy_v2},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset_v2},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRelease_v2},
};

template <std::size_t count> bool is_one_of(const SubscribedCall (&calls)[count], SubscribedCall call)
{
    return std::find(std::begin(calls), std::end(calls), call) != std::end(calls);
}

/// Waits for a post until `deadline` of CLOCK_MONOTONIC. False: there was none.
bool wait_for_post(sem_t& semaphore, const timespec& deadline)
{
    int failed = 0;
    do {
        failed = ::sem_clockwait(&semaphore, CLOCK_MONOTONIC, &deadline);
    } while (failed != 0 && errno == EINTR);
    return failed == 0;
}

timespec from_now(std::chrono::milliseconds limit)
{
    timespec time {};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    const Ns end = std::chrono::nanoseconds(limit).count() + time.tv_nsec;
    time.tv_sec += end / 1'000'000'000;
    time.tv_nsec = end % 1'000'000'000;
    return time;
}

/// Rare calls that must have a record: if one has none, another tool took CUPTI's buffers
/// (cuptiActivityRegisterCallbacks silently replaces ours; torch.profiler calls it when it starts).
constexpr SubscribedCall witnessing_calls[] = {
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize},
};

}  // namespace

CuptiRecorder::CuptiRecorder(const CuptiApi& api, RecordSink& sink, const RecorderOptions& options)
    : m_api(api)
    , m_sink(sink)
    , m_options(options)
    , m_pool(options.buffer_bytes)
    , m_facts(sink, options.with_threads)
    , m_memory(api, sink, m_facts.process())
    , m_graph_nodes(api, sink, m_facts.process())
    , m_whole_graphs(api, options.control.whole_graphs && !options.late, options.control.node_launches)
    , m_control(options.control)
{
    ::sem_init(&m_wake, 0, 0);
    ::sem_init(&m_end, 0, 0);
}

CuptiRecorder::~CuptiRecorder()
{
    if (m_thread.joinable()) {
        m_finish_asked = true;
        ::sem_post(&m_wake);
        m_thread.join();
    }
    ::sem_destroy(&m_wake);
    ::sem_destroy(&m_end);
    if (m_subscriber != nullptr && !m_dead && m_attachment != Attachment::detached) {
        m_api.cuptiUnsubscribe(m_subscriber);
    }
    CuptiRecorder* self = this;
    current.compare_exchange_strong(self, nullptr);
}

std::string CuptiRecorder::start()
{
    CuptiRecorder* none = nullptr;
    if (!current.compare_exchange_strong(none, this)) {
        return "this process is being recorded already";
    }
    try {
        auto problem = begin();
        if (!problem.empty()) {
            leave_cupti();
        }
        return problem;
    } catch (...) {
        leave_cupti();
        throw;
    }
}

std::string CuptiRecorder::begin()
{
    if (auto problem = attach(m_options.late); !problem.empty()) {
        return problem;
    }
    if (auto problem = enable(); !problem.empty()) {
        return problem;
    }
    m_facts.write_process();
    m_facts.write_clock();
    // A process can be recorded twice, before and after exec: each time has its own key.
    m_unflushed_key = unflushed_key + std::to_string(m_facts.process()) + "." + std::to_string(read_clocks().realtime);
    mark_unflushed(true);
    write_part();
    write_gaps();
    try {
        const AllSignalsBlocked signals_are_the_programs;
        m_thread = std::thread([this] { run_flush_thread(); });
    } catch (const std::system_error& error) {
        return "no thread could be started: " + error.code().message();
    }
    pthread_setname_np(m_thread.native_handle(), "lanes-flush");
    return {};
}

/// Undoes what begin() had done when it failed. If another tool has the subscription, the kinds are that tool's.
void CuptiRecorder::leave_cupti()
{
    if (m_subscriber != nullptr) {
        m_kinds_on = false;
        disable_kinds(true);
        m_api.cuptiUnsubscribe(m_subscriber);
        m_subscriber = nullptr;
    }
    current = nullptr;
}

std::string CuptiRecorder::gaps() const
{
    const std::lock_guard lock(m_control_mutex);
    return m_gaps;
}

void CuptiRecorder::note_gap(const char* name)
{
    const std::lock_guard lock(m_control_mutex);
    if ((", " + m_gaps + ", ").find(std::string(", ") + name + ", ") != std::string::npos) {
        return;  // of an earlier part
    }
    m_gaps += (m_gaps.empty() ? "" : ", ") + std::string(name);
}

void CuptiRecorder::write_gaps()
{
    if (const auto all = gaps(); !all.empty()) {
        m_sink.write_meta(not_recorded_key, all);
    }
}

std::string CuptiRecorder::subscribe()
{
    char holder[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN + 1] = {};
    CUpti_SubscriberParams parameters {};
    parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    parameters.subscriberName = "Lanescope";
    parameters.oldSubscriberName = holder;
    parameters.oldSubscriberSize = CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN;
    const auto result = m_api.cuptiSubscribe_v2(&m_subscriber, &CuptiRecorder::on_call, this, &parameters);
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
        m_subscriber = nullptr;
        const std::string tool = holder[0] != '\0' ? std::string(holder) : profiler_in_this_process();
        return "another tool records this process already" + (tool.empty() ? "" : ": " + tool)
            + "; CUPTI serves one at a time";
    }
    if (result != CUPTI_SUCCESS) {
        m_subscriber = nullptr;
        return "CUPTI cannot be used: " + m_api.text(result);
    }
    for (const auto& call : ending_calls) {
        m_api.cuptiEnableCallback(1, m_subscriber, call.domain, call.id);
    }
    for (const auto& call : host_function_calls) {
        m_api.cuptiEnableCallback(1, m_subscriber, call.domain, call.id);
    }
    for (const auto& call : witnessing_calls) {
        m_api.cuptiEnableCallback(1, m_subscriber, call.domain, call.id);
    }
    m_memory.subscribe(m_subscriber);
    if (!m_graph_nodes.subscribe(m_subscriber)) {
        note_gap("nodes of graphs");
    }
    return {};
}

void CuptiRecorder::set_attributes()
{
    const auto set = [this](CUpti_ActivityAttribute attribute, auto value) {
        std::size_t size = sizeof value;
        return m_api.cuptiActivitySetAttribute(attribute, &size, &value);
    };
    // Buffers come zeroed, else CUPTI zeroes them on the program's thread.
    set(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, std::uint8_t {1});
    set(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, static_cast<std::uint8_t>(m_options.buffer_per_thread));
    // Device memory for GPU times: CUPTI's own size, 100,000 operations each, and at most 64 of them a context,
    // 200 MB, where CUPTI would take 250.
    set(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, std::size_t {3'200'000});
    set(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, std::size_t {64});
    if (m_options.host_pinned_buffers
        && set(CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED, std::uint8_t {1}) != CUPTI_SUCCESS) {
        note_gap("GPU times in pinned host memory");
    }
}

/// `late`: CUDA may be in use.
std::string CuptiRecorder::attach(bool late)
{
    if (auto problem = subscribe(); !problem.empty()) {
        return problem;
    }
    // The OS's thread ids, as /proc and other recordings have them; then attributes, which take effect from here on.
    m_api.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
    set_attributes();
    if (const auto result = m_api.cuptiActivityRegisterCallbacks(&on_request, &on_complete); result != CUPTI_SUCCESS) {
        return "CUPTI did not accept the buffer callbacks: " + m_api.text(result);
    }
    for (const auto& wanted : wanted_kinds) {
        if (!wanted.describes) {
            continue;
        }
        const bool exists = late && wanted.kind != CUPTI_ACTIVITY_KIND_NAME;
        if ((exists ? m_api.cuptiActivityEnableAndDump : m_api.cuptiActivityEnable)(wanted.kind) != CUPTI_SUCCESS) {
            note_gap(wanted.name);
        }
    }
    if (const auto result = m_whole_graphs.begin(m_subscriber); result != CUPTI_SUCCESS) {
        return "CUPTI does not record whole graphs: " + m_api.text(result);
    }
    return {};
}

std::string CuptiRecorder::enable()
{
    subscribe_to_triggers(true);
    auto change = RecordControl::Switch::none;
    if (!m_options.control
             .has_parts()) {  // else each part has a beginning, also that of a process which starts during it
        const std::lock_guard lock(m_control_mutex);
        change = m_control.at(read_clocks().realtime);
    }
    if (change != RecordControl::Switch::begin) {
        return {};
    }
    m_parts = 1;
    return enable_kinds();
}

std::string CuptiRecorder::enable_kinds()
{
    for (const auto& wanted : wanted_kinds) {
        const auto result = wanted.describes ? CUPTI_SUCCESS : m_api.cuptiActivityEnable(wanted.kind);
        if (result != CUPTI_SUCCESS && wanted.essential) {
            disable_kinds(false);
            return std::string("CUPTI does not record ") + wanted.name + ": " + m_api.text(result);
        }
        if (result != CUPTI_SUCCESS) {
            note_gap(wanted.name);
        }
    }
    m_whole_graphs.begin_part(read_clocks().realtime);
    leave_out_calls();
    if (m_whole_graphs.is_used()) {
        const auto by_nodes = m_options.control.node_launches;
        m_sink.write_meta(
            graphs_key, by_nodes > 0 ? some_whole_graphs + (" " + std::to_string(by_nodes)) : whole_graphs);
    }
    if (m_options.event_times) {
        m_api.cuptiActivityEnableCudaEventDeviceTimestamps(1);
    }
    m_kinds_on = true;
    return {};
}

void CuptiRecorder::disable_kinds(bool with_descriptions)
{
    m_whole_graphs.end_part(read_clocks().realtime);
    for (const auto& wanted : wanted_kinds) {
        if (with_descriptions || !wanted.describes) {
            m_api.cuptiActivityDisable(wanted.kind);
        }
    }
}

/// After their kinds were enabled, which enables all calls.
void CuptiRecorder::leave_out_calls()
{
    if (m_options.control.all_api) {
        return;
    }
    // A library that is newer than these headers has more calls.
    constexpr CUpti_CallbackId newer = 256;
    const auto leave_out = [&](CUpti_CallbackDomain domain, CUpti_CallbackId end, const auto& enable) {
        for (CUpti_CallbackId call = 1; call < end + newer; ++call) {
            const char* name = nullptr;
            if (m_api.cuptiGetCallbackName(domain, call, &name) == CUPTI_SUCCESS && name != nullptr
                && !is_recorded_call(name)) {
                enable(call, std::uint8_t {0});
            }
        }
    };
    leave_out(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_SIZE, m_api.cuptiActivityEnableRuntimeApi);
    leave_out(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_SIZE, m_api.cuptiActivityEnableDriverApi);
}

void CuptiRecorder::flush()
{
    if (!m_dead) {
        m_graph_nodes.write();
    }
    if (!m_dead && m_attachment == Attachment::attached) {
        m_api.cuptiActivityFlushAll(0);
        note_dropped();
    }
}

bool CuptiRecorder::is_elsewhere() const
{
    return static_cast<std::uint32_t>(::getpid()) != m_facts.process();
}

void CuptiRecorder::mark_unflushed(bool unflushed)
{
    m_sink.write_meta(m_unflushed_key, unflushed ? "yes" : "");
}

bool CuptiRecorder::flush_last(std::chrono::milliseconds limit) noexcept
{
    if (m_dead || is_elsewhere()) {
        return true;
    }
    std::uint32_t none = 0;
    m_last_thread.compare_exchange_strong(none, this_thread());
    m_finish_asked = true;
    ::sem_post(&m_wake);
    if (!m_finished && !wait_for_post(m_end, from_now(limit))) {
        return m_finished;
    }
    ::sem_post(&m_end);
    return true;
}

bool CuptiRecorder::finish(std::chrono::milliseconds limit)
{
    if (!flush_last(limit)) {
        return false;
    }
    if (m_dead || is_elsewhere()) {
        return true;
    }
    // It only has to end.
    const std::lock_guard join_lock(m_join_mutex);
    if (m_thread.joinable()) {
        m_thread.join();
    }
    return true;
}

bool CuptiRecorder::stop(std::chrono::milliseconds limit)
{
    // No kind before the last flush: disabling one loses what it has not handed over.
    const bool finished = finish(limit);
    disable_kinds(true);
    abandon();
    m_api.cuptiUnsubscribe(m_subscriber);
    m_subscriber = nullptr;
    CuptiRecorder* self = this;
    current.compare_exchange_strong(self, nullptr);
    return finished;
}

void CuptiRecorder::run_flush_thread()
{
    try {
        flush_until_finished();
    } catch (...) {
        abandon();
    }
    m_finished = true;
    ::sem_post(&m_end);
}

void CuptiRecorder::flush_until_finished()
{
    // Names change rarely and reading each costs a file: every other second.
    constexpr int ticks_a_refresh = 16;
    int tick = 0;
    const auto tell = [this] {
        if (m_options.each_tick) {
            m_options.each_tick();
        }
    };
    tell();
    while (!m_finish_asked && !wait_for_post(m_wake, from_now(until_next_look()))) {
        pass_time();
        flush();
        hand_over_part();
        const bool is_refreshed = ++tick % ticks_a_refresh == 0;
        if (m_kinds_on || is_refreshed) {
            m_facts.write_clock();
        }
        if (is_refreshed) {
            m_facts.refresh_threads();
        }
        tell();
    }
    if (m_dead) {
        return;
    }
    const bool is_attached = stay_attached();
    flush();
    write_part();
    m_facts.refresh_threads();
    m_facts.write_clock();
    // Records that are incomplete by now stay so and have no time. A driver that is gone may not
    // answer this, so all else is on disk before. The second takes what began during the first; a thread that records
    // after that asks for a new buffer.
    if (is_attached) {
        m_api.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        m_flush_thread = this_thread();
        m_nothing_follows = true;
        m_api.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        note_dropped();
        tell_silence();
    }
    m_facts.write_clock();
    mark_unflushed(false);
    if (m_late) {
        mark_unflushed(true);
    }
}

/// A thread asked for a buffer after the last flush. The thread that ends the process still runs its exit handlers,
/// which hardly ever do GPU work.
void CuptiRecorder::note_late_record()
{
    const auto thread = this_thread();
    if (thread != m_flush_thread && thread != m_last_thread && !m_late.exchange(true)) {
        mark_unflushed(true);
    }
}

void CuptiRecorder::on_request(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) noexcept
{
    CuptiRecorder* self = current;
    if (self != nullptr && self->m_nothing_follows && !self->m_dead) {
        try {
            self->note_late_record();
        } catch (...) {
            self->abandon();
        }
    }
    *buffer = self == nullptr || self->m_dead ? nullptr : self->m_pool.take();
    *size = *buffer == nullptr ? 0 : self->m_pool.bytes();
    *max_records = 0;  // as many as there is room for
}

void CuptiRecorder::on_complete(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) noexcept
{
    CuptiRecorder* self = current;
    if (buffer == nullptr || self == nullptr || self->m_dead) {
        return;
    }
    try {
        self->take_buffer(buffer, valid);
    } catch (...) {
        self->abandon();  // no memory: the recording stops, not the program
    }
}

void CuptiRecorder::on_call(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) noexcept
{
    // Only rare calls are subscribed to.
    auto* recorder = static_cast<CuptiRecorder*>(self);
    if (domain == CUPTI_CB_DOMAIN_NVTX) {
        try {
            recorder->on_nvtx(id, *static_cast<const CUpti_NvtxData*>(data));
        } catch (...) {
            recorder->abandon();
        }
        return;
    }
    const SubscribedCall which {domain, id};
    try {
        if (!recorder->m_dead && recorder->m_whole_graphs.see(domain, id, data)) {
            return;
        }
        if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
            // Also before the recorded part: what it launches was captured then.
            if (!recorder->m_dead && (!recorder->m_part_finished || recorder->m_options.control.has_parts())) {
                recorder->m_graph_nodes.see(id, data);
            } else {
                recorder->m_graph_nodes.note();
            }
            return;
        }
        const auto& call = *static_cast<const CUpti_CallbackData*>(data);
        if (recorder->m_memory.see(domain, id, call, recorder->m_kinds_on && !recorder->m_part_finished)) {
            return;
        }
        if (is_one_of(host_function_calls, which)) {
            recorder->note_host_function(call, domain, is_of_thread_streams(which));
        } else if (is_one_of(witnessing_calls, which)) {
            recorder->witness(call.callbackSite);
        } else if (is_profiler_call(domain, id)) {
            recorder->on_profiler(domain, id, call.callbackSite);
        } else if (is_one_of(ending_calls, which)) {
            if (call.callbackSite == CUPTI_API_ENTER) {
                recorder->flush();  // CUPTI may be flushed from within an API call
            }
        } else if (call.callbackSite == CUPTI_API_EXIT) {
            recorder->detach();
        }
    } catch (...) {
        recorder->abandon();
    }
}

void CuptiRecorder::note_host_function(const CUpti_CallbackData& call, CUpti_CallbackDomain domain, bool of_thread)
{
    // The runtime's call may make the driver's, which would be a second function.
    static thread_local bool in_runtime = false;
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
        in_runtime = call.callbackSite == CUPTI_API_ENTER;
    } else if (in_runtime) {
        return;
    }
    // cudaSuccess and CUDA_SUCCESS are 0. A refused function does not run.
    const auto* const result = static_cast<const int*>(call.functionReturnValue);
    if (m_dead || call.callbackSite != CUPTI_API_EXIT || result == nullptr || *result != 0) {
        return;
    }
    HostFunctionRecord function {};
    function.process = m_facts.process();
    function.correlation = call.correlationId;
    CUstream stream = nullptr;
    std::memcpy(&stream, call.functionParams, sizeof stream);  // NOLINT: the handle itself, a pointer
    if (m_api.cuptiGetContextId(call.context, &function.context) == CUPTI_SUCCESS
        && m_api.cuptiGetStreamIdEx(call.context, stream, of_thread ? 1 : 0, &function.stream) == CUPTI_SUCCESS) {
        m_sink.write(function);
    }
}

void CuptiRecorder::witness(CUpti_ApiCallbackSite site)
{
    if (site == CUPTI_API_EXIT && m_kinds_on && !m_part_finished) {
        Ns none = 0;
        m_first_unseen.compare_exchange_strong(none, read_clocks().realtime);
    }
}

/// After the last flush: whether a call that was made has no record.
void CuptiRecorder::tell_silence()
{
    // A call of the very last moment may have no record for other reasons: the driver may be gone.
    const Ns moment
        = std::chrono::nanoseconds(std::max(2 * m_options.flush_period, std::chrono::milliseconds(500))).count();
    const Ns since = m_first_unseen;
    if (since != 0 && !m_dead && read_clocks().realtime - since > moment) {
        m_sink.write(ErrorRecord {.time = since,
            .process = m_facts.process(),
            .thread = static_cast<std::uint32_t>(::getpid()),
            .step = no_id,
            .code = 0,
            .message = m_sink.intern("not recorded from here on: another profiler in this process, such as "
                                     "torch.profiler, took over CUPTI; use only one at a time")});
    }
}

void CuptiRecorder::take_buffer(std::uint8_t* buffer, std::size_t valid)
{
    if (valid > 0) {
        m_first_unseen = 0;
        auto converter = take_converter();
        converter->convert(buffer, valid);
        give_back(std::move(converter));
    }
    note_dropped();
    m_pool.give_back(buffer, valid);
}

void CuptiRecorder::note_dropped()
{
    std::size_t dropped = 0;
    if (m_api.cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS && dropped > 0) {
        m_sink.write(DroppedRecord {.time = read_clocks().realtime, .count = dropped});
    }
}

std::unique_ptr<Converter> CuptiRecorder::take_converter()
{
    {
        const std::lock_guard lock(m_converter_mutex);
        if (!m_converters.empty()) {
            auto converter = std::move(m_converters.back());
            m_converters.pop_back();
            return converter;
        }
    }
    return std::make_unique<Converter>(m_api, m_sink, m_facts, &m_whole_graphs);
}

void CuptiRecorder::give_back(std::unique_ptr<Converter> converter)
{
    const std::lock_guard lock(m_converter_mutex);
    m_converters.push_back(std::move(converter));
}

}  // namespace lanes
