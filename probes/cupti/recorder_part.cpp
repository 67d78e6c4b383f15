// SPDX-License-Identifier: MIT
// Which part of the program the recorder records, and what the recording says of it.
#include "probes/cupti/nvtx_call.h"
#include "probes/cupti/recorder.h"

#include <algorithm>

namespace lanes {

namespace {

/// CUPTI counts its ranges from 1.
constexpr std::uint64_t id_of_first_range = std::uint64_t {1} << 63U;

/// The domain of ranges that are not NVTX's; NVTX's domains are addresses.
constexpr std::uint64_t own_domain = 1;

/// How long a part waits for operations that have not ended; longer ones are handed over without their times.
constexpr Ns longest_wait = 5'000'000'000;

/// How long the call in which CUPTI was detached may take to return from it.
constexpr Ns end_of_call = 100'000'000;

/// How long no node of a graph may have been made.
constexpr Ns quiet = 1'000'000'000;

/// Frequent calls, at whose end CUPTI may be detached. No other callback is asked for of any of them.
constexpr CUpti_runtime_api_trace_cbid detaching_runtime_calls[] = {
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_ptsz_v7000,
    CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_v13000,
    CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_ptsz_v13000,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_ptsz_v11060,
    CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000,
    CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_ptsz_v10000,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_ptsz_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_ptsz_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventSynchronize_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020,
};
constexpr CUpti_driver_api_trace_cbid detaching_driver_calls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2,
    CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize,
    CUPTI_DRIVER_TRACE_CBID_cuEventSynchronize,
};

}  // namespace

bool is_profiler_call(CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    return domain == CUPTI_CB_DOMAIN_RUNTIME_API ? id == CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000
            || id == CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000
                                                 : domain == CUPTI_CB_DOMAIN_DRIVER_API
            && (id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart || id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop);
}

void CuptiRecorder::subscribe_to_triggers(bool on)
{
    const std::uint32_t enable = on ? 1 : 0;
    m_heeds_ranges = on && m_control.heeds_ranges();
    if (!m_options.control.range.empty() || m_options.control.steps_end > 0) {
        for (const auto id : nvtx_calls()) {
            m_api.cuptiEnableCallback(enable, m_subscriber, CUPTI_CB_DOMAIN_NVTX, id);
        }
    }
    if (m_options.control.profiler) {
        for (const auto id :
            {CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000}) {
            m_api.cuptiEnableCallback(
                enable, m_subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, static_cast<CUpti_CallbackId>(id));
        }
        for (const auto id : {CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop}) {
            m_api.cuptiEnableCallback(
                enable, m_subscriber, CUPTI_CB_DOMAIN_DRIVER_API, static_cast<CUpti_CallbackId>(id));
        }
    }
}

void CuptiRecorder::on_nvtx(CUpti_CallbackId id, const CUpti_NvtxData& data)
{
    if (!m_heeds_ranges || m_dead) {
        return;
    }
    auto call = read_nvtx_call(id, data);
    const Ns now = read_clocks().realtime;
    auto change = RecordControl::Switch::none;
    {
        const std::lock_guard lock(m_control_mutex);
        if (call.kind == NvtxCall::registered) {
            m_registered[call.handle] = std::move(call.name);
            return;
        }
        if (const auto text = m_registered.find(call.handle); call.handle != nullptr && text != m_registered.end()) {
            call.name = text->second;
        }
        switch (call.kind) {
        case NvtxCall::push:
            change = m_control.pushed(this_thread(), call.domain, call.name, now);
            break;
        case NvtxCall::pop:
            change = m_control.popped(this_thread(), call.domain);
            break;
        case NvtxCall::start:
            change = m_control.started(call.id, call.name, now);
            break;
        case NvtxCall::end:
            change = m_control.ended(call.id);
            break;
        default:
            break;
        }
        m_heeds_ranges = m_control.heeds_ranges();
    }
    carry_out(change);
}

void CuptiRecorder::range_pushed(std::string_view name)
{
    if (m_heeds_ranges && !m_dead) {
        auto change = RecordControl::Switch::none;
        {
            const std::lock_guard lock(m_control_mutex);
            change = m_control.pushed(this_thread(), own_domain, name, read_clocks().realtime);
            m_heeds_ranges = m_control.heeds_ranges();
        }
        carry_out(change);
    }
}

void CuptiRecorder::range_popped()
{
    if (m_heeds_ranges && !m_dead) {
        auto change = RecordControl::Switch::none;
        {
            const std::lock_guard lock(m_control_mutex);
            change = m_control.popped(this_thread(), own_domain);
            m_heeds_ranges = m_control.heeds_ranges();
        }
        carry_out(change);
    }
}

/// The runtime's call makes the driver's: the one that begins first begins the part.
void CuptiRecorder::on_profiler(CUpti_CallbackDomain domain, CUpti_CallbackId id, CUpti_ApiCallbackSite site)
{
    const bool starts = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? id == CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000
                                                              : id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart;
    if (m_dead || site != (starts ? CUPTI_API_EXIT : CUPTI_API_ENTER)) {
        return;
    }
    auto change = RecordControl::Switch::none;
    {
        const std::lock_guard lock(m_control_mutex);
        change = starts ? m_control.profiler_started(read_clocks().realtime) : m_control.profiler_stopped();
    }
    carry_out(change);
}

void CuptiRecorder::pass_time()
{
    const Ns now = read_clocks().realtime;
    const auto bytes = m_options.control.max_bytes > 0 && m_options.bytes_written ? m_options.bytes_written() : 0;
    const auto asked = m_options.control.idle && m_options.last_trigger ? m_options.last_trigger() : ControlSettings {};
    auto change = RecordControl::Switch::none;
    bool is_over = false;
    {
        const std::lock_guard lock(m_control_mutex);
        if (asked.start > m_last_trigger) {
            m_last_trigger = asked.start;
            m_control.triggered(asked, now);
        }
        change = m_control.at(now);
        if (change == RecordControl::Switch::none) {
            change = m_control.holds(bytes);
        }
        is_over = m_control.is_over();
    }
    carry_out(change);
    const Ns period = std::chrono::nanoseconds(m_options.flush_period).count();
    if (m_part_finished && now - m_part_finish >= period && m_kinds_on.exchange(false)) {
        disable_kinds(false);
        if (is_over) {
            subscribe_to_triggers(false);
        }
    }
}

/// When all records of a part are in the sink: says so, and has CUPTI detached. Then it is attached anew if parts may
/// follow: it has to see each graph that is made before one (CUPTI 13.0 ends the program where it records a launch of
/// one that was made meanwhile), and costs nothing until something was recorded.
void CuptiRecorder::hand_over_part()
{
    if (!m_part_finished || m_kinds_on) {
        return;
    }
    if (m_parts_handed_over != m_parts) {
        // A buffer comes back once none of its records is incomplete.
        if (m_pool.taken() > 0) {
            if (read_clocks().realtime - m_part_finish < longest_wait) {
                return;
            }
            m_api.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        }
        if (m_options.before_hand_over) {
            m_options.before_hand_over();
        }
        m_parts_handed_over = m_parts;
        m_sink.write_meta(handed_over_key + std::to_string(m_facts.process()), std::to_string(m_parts_handed_over));
    }
    if (m_attachment == Attachment::detached && m_options.control.has_parts()) {
        if (m_parts_left != m_parts_handed_over && read_clocks().realtime - m_detached_at > end_of_call) {
            m_parts_left = m_parts_handed_over;
            reattach();  // begin_part() tries again, and says what is wrong
        }
    } else if (m_attachment == Attachment::leaving && !may_detach()) {
        stay_attached();
    } else if (m_attachment == Attachment::attached && m_parts_left != m_parts_handed_over && may_detach()) {
        subscribe_to_detach(true);
        m_attachment = Attachment::leaving;
    }
}

bool CuptiRecorder::may_detach() const
{
    const auto detach = m_options.control.detach;
    const Ns last = m_graph_nodes.last();
    return detach != Detach::never
        && (last == 0 || (detach == Detach::always && read_clocks().realtime - last > quiet));
}

void CuptiRecorder::subscribe_to_detach(bool on)
{
    const std::uint32_t enable = on ? 1 : 0;
    for (const auto id : detaching_runtime_calls) {
        m_api.cuptiEnableCallback(enable, m_subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, static_cast<CUpti_CallbackId>(id));
    }
    for (const auto id : detaching_driver_calls) {
        m_api.cuptiEnableCallback(enable, m_subscriber, CUPTI_CB_DOMAIN_DRIVER_API, static_cast<CUpti_CallbackId>(id));
    }
}

/// At the end of a call of CUDA.
void CuptiRecorder::detach()
{
    auto leaving = Attachment::leaving;
    if (m_dead || !may_detach() || !m_attachment.compare_exchange_strong(leaving, Attachment::detaching)) {
        return;
    }
    m_api.cuptiUnsubscribe(m_subscriber);
    m_api.cuptiFinalize();
    m_detached_at = read_clocks().realtime;
    m_attachment = Attachment::detached;
}

/// On the flush thread. False: CUPTI is detached, and nothing of it may be called.
bool CuptiRecorder::stay_attached()
{
    auto leaving = Attachment::leaving;
    if (m_attachment.compare_exchange_strong(leaving, Attachment::attached)) {
        subscribe_to_detach(false);
        return true;
    }
    while (m_attachment == Attachment::detaching) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return m_attachment == Attachment::attached;
}

/// CUDA is in use; what the next part needs of the time before, CUPTI describes anew.
std::string CuptiRecorder::reattach()
{
    auto problem = attach(true);
    if (problem.empty()) {
        m_attachment = Attachment::attached;
    } else if (m_subscriber != nullptr) {
        m_api.cuptiUnsubscribe(m_subscriber);
        m_subscriber = nullptr;
    }
    return problem;
}

std::chrono::milliseconds CuptiRecorder::until_next_look()
{
    // It is not detached for longer than it has to be.
    const bool attaches
        = m_attachment == Attachment::detached && m_options.control.has_parts() && m_parts_left != m_parts_handed_over;
    const auto longest
        = attaches ? std::min(m_options.flush_period, std::chrono::milliseconds(20)) : m_options.flush_period;
    Ns next = 0;
    {
        const std::lock_guard lock(m_control_mutex);
        next = m_control.next();
    }
    if (next == RecordControl::never) {
        return longest;
    }
    // Rounded up, so that it never wakes before it is due.
    const auto left = std::chrono::milliseconds((next - read_clocks().realtime) / 1'000'000 + 1);
    return std::clamp(left, std::chrono::milliseconds(1), longest);
}

void CuptiRecorder::carry_out(RecordControl::Switch change)
{
    if (change == RecordControl::Switch::begin) {
        begin_part();
    } else if (change == RecordControl::Switch::finish) {
        finish_part();
    }
}

void CuptiRecorder::begin_part()
{
    m_part_finished = false;
    std::string problem;
    if (!stay_attached()) {
        problem = reattach();
    }
    if (problem.empty()) {
        problem = enable_kinds();
    }
    if (!problem.empty()) {
        m_sink.write(ErrorRecord {.time = read_clocks().realtime,
            .process = m_facts.process(),
            .thread = this_thread(),
            .step = no_id,
            .code = 0,
            .message = m_sink.intern("not recorded: " + problem)});
        return;
    }
    ++m_parts;
    write_gaps();
    const Ns now = read_clocks().realtime;
    m_sink.write(WindowRecord {.time = now, .edge = WindowRecord::begin, .process = m_facts.process()});
    if (m_options.control.range.empty()) {
        write_part();
        return;
    }
    m_sink.write(RangeRecord {.time = now,
        .id = id_of_first_range,
        .process = m_facts.process(),
        .thread = this_thread(),
        .name = m_sink.intern(m_options.control.range),
        .domain = 0,
        .color = 0,
        .edge = RangeRecord::begin});
    m_facts.see_thread(this_thread());
    write_part();
}

void CuptiRecorder::finish_part()
{
    const Ns now = read_clocks().realtime;
    bool by_range = false;
    {
        const std::lock_guard lock(m_control_mutex);
        by_range = m_control.ended_by() == RecordControl::Cause::range;
    }
    if (by_range) {
        m_sink.write(RangeRecord {.time = now,
            .id = id_of_first_range,
            .process = m_facts.process(),
            .thread = this_thread(),
            .name = 0,
            .domain = 0,
            .color = 0,
            .edge = RangeRecord::finish});
    }
    m_sink.write(WindowRecord {.time = now, .edge = WindowRecord::finish, .process = m_facts.process()});
    m_part_finish = now;
    m_part_finished = true;
    write_part();
}

/// What began and ended the part, or why there is none.
void CuptiRecorder::write_part()
{
    if (m_options.late) {
        // What the process had issued before is not recorded, and calls may wait for it.
        m_sink.write_meta("window." + std::to_string(m_facts.process()), "start stop");
        return;
    }
    if (!m_options.control.is_partial()) {
        return;
    }
    std::string words;
    {
        const std::lock_guard lock(m_control_mutex);
        words = std::string(name_of(m_control.begun_by())) + " " + std::string(name_of(m_control.ended_by()));
        if (const auto why = m_control.why_nothing(); !why.empty()) {
            words += " " + why;
        }
    }
    const std::uint32_t part = m_parts;
    m_sink.write_meta(
        "window." + std::to_string(m_facts.process()) + (part > 1 ? "." + std::to_string(part) : std::string()), words);
}

}  // namespace lanes
