// SPDX-License-Identifier: MIT
// The CUPTI recorder: from the moment it starts, everything the process does on its
// GPUs reaches a sink.
//
// One a process at a time, for CUPTI's callbacks carry no pointer to their client. They
// cannot be unregistered: a recorder that started must not be destroyed while the
// process calls CUDA. It may be stopped, and then another one may start.
//
// What it promises: a thread of its own asks CUPTI every `flush_period` for the
// buffers in which no record is incomplete. A process that is killed leaves all
// records of such buffers that are two periods old. A buffer belongs to a thread of
// the program; a long kernel holds back what that thread recorded beside it.
//
// If only a part of the program is to be recorded (record_control.h), CUPTI's kinds are enabled when it begins, so that
// the program is not held up before it, and disabled a flush period after it ended, so that calls are recorded to
// their end; the trace knows where the part is, and leaves out what began after its end.
//
// Kinds that were once enabled cost time also when they are disabled: CUPTI has changed the program's kernels. So CUPTI
// is then detached (cuptiFinalize) and, for a further part, attached anew. NVIDIA allows that at the end of a call of
// CUDA, on the thread that made it. It is done there and only
// - once CUPTI has handed over every record of the part, so that none is lost;
// - while the flush thread calls nothing of CUPTI's;
// - never if a node of a CUDA graph was made under CUPTI, unless asked for: programs with graphs have crashed after it
//   (pytorch#112507, jax#40260). If asked for, a second after the last node, since a stream may be being captured.
//
// No timestamp callback is registered: CUPTI's own axis on Linux is CLOCK_REALTIME,
// and in 13.0 a callback can yield kernels without times.
//
// Locks: none is held while CUPTI is called, and the callback that hands CUPTI a
// buffer, on the program's own thread, shares none with a flush but the pool's.
#pragma once

#include "probes/cupti/buffer_pool.h"
#include "probes/cupti/converter.h"
#include "probes/cupti/graph_nodes.h"
#include "probes/cupti/memory_calls.h"
#include "probes/cupti/process_facts.h"
#include "probes/cupti/record_control.h"
#include "probes/cupti/whole_graphs.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <semaphore.h>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace lanes {

struct RecorderOptions {
    /// CUPTI hands over at a flush what had ended before the flush before it: with 250 ms, of 100 runs killed on an
    /// H100 45 had lost more than the last 0.25 s, at most 0.499 s.
    std::chrono::milliseconds flush_period {120};
    std::size_t buffer_bytes = BufferPool::default_bytes;
    bool buffer_per_thread = true;  ///< CUPTI's default since 13.0; false: one buffer for all threads
    /// GPU times are kept in pinned host memory, which outlives a fault: on an H100 all of 40 kernels before one kept
    /// their times in each of two runs; in device memory all in one run and none in the other. But the GPU then writes
    /// them across the link: every kernel looks longer, by 0.1 us on one host with H200s, by 1.0 us on another
    /// (a kernel of 0.80 us as 1.76), where torch.profiler, which keeps them in device memory, says what the GPU took.
    bool host_pinned_buffers = false;
    bool event_times = false;  ///< the GPU's time of each cudaEventRecord
    bool late = false;  ///< CUDA may be in use: contexts and streams that exist are described
    bool with_threads = true;  ///< write ThreadRecords; false: the program names its threads itself
    ControlSettings control = {};  ///< the part of the program that is recorded
    std::function<std::uint64_t()> bytes_written
        = {};  ///< for control.max_bytes: what the sink has written; may be empty
    std::function<ControlSettings()> last_trigger
        = {};  ///< if control.idle: what lanes trigger asked for last, else all 0
    std::function<void()> before_hand_over = {};  ///< by the flush thread, when a part is over; may be empty
    std::function<void()> each_tick = {};  ///< by the flush thread, when it begins and every flush period; may be empty
};

/// cu(da)ProfilerStart and Stop.
bool is_profiler_call(CUpti_CallbackDomain domain, CUpti_CallbackId id);

class CuptiRecorder {
public:
    /// `api` and `sink` must outlive it; the sink takes records from any thread.
    CuptiRecorder(const CuptiApi& api, RecordSink& sink, const RecorderOptions& options);
    ~CuptiRecorder();
    CuptiRecorder(const CuptiRecorder&) = delete;
    CuptiRecorder& operator=(const CuptiRecorder&) = delete;

    /// Subscribes, enables everything and starts the flush thread. Returns "" or one line that says why it
    /// records nothing; then nothing of it remains in CUPTI. Throws nothing but std::bad_alloc.
    std::string start();

    /// What is not recorded because this CUPTI refused it, "events, memory operations"; "" if everything is. It also
    /// goes into the sink, as not_recorded_key. If a part is recorded, kinds are asked for, and may be refused, when
    /// it begins.
    std::string gaps() const;

    /// Asks CUPTI for what is complete. For the API callbacks that precede the end of a context.
    void flush();

    /// The last flush, on the flush thread: first what is complete, then everything. Returns false if it took
    /// longer than `limit`; the driver may be gone by then and not answer. Later calls return at once. Until it is done
    /// the sink has unflushed_key of this process, which says that records may be missing at the end. Does nothing in
    /// another process that shares this memory, as a child of vfork. Takes no lock, so it may be called from a signal's
    /// handler.
    bool flush_last(std::chrono::milliseconds limit) noexcept;

    /// For a recorder that is never destroyed, right after start(): nobody waits for the end of its thread.
    void let_thread_go() { m_thread.detach(); }

    /// flush_last(), then waits for the end of the flush thread.
    bool finish(std::chrono::milliseconds limit);

    /// finish(), then CUPTI records nothing more and is free for another recorder. False as finish().
    bool stop(std::chrono::milliseconds limit);

    /// The program's own ranges (lanescope.h) begin and end a part as NVTX's do. No cost unless one is waited
    /// for.
    void range_pushed(std::string_view name);
    void range_popped();

    /// Whether what threads did since `since` may matter: during a part, and where graphs are made for a later one.
    bool keeps_ranges(Ns since) const
    {
        return !m_options.control.has_parts() || m_kinds_on || m_part_finish >= since || m_graph_nodes.last() >= since;
    }

    /// For a forked child, which has neither CUPTI's threads nor this one's: everything becomes a no-op. Takes no
    /// lock.
    void abandon() { m_dead.store(true); }

    std::size_t buffers_made() const { return m_pool.made(); }

private:
    bool is_elsewhere() const;
    void mark_unflushed(bool unflushed);
    void note_late_record();

    static void CUPTIAPI on_request(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) noexcept;
    static void CUPTIAPI on_complete(
        CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size, std::size_t valid) noexcept;
    static void CUPTIAPI on_call(
        void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) noexcept;

    /// At the end of a call that put a host function into a stream: records that, and which stream. It is not seen when
    /// the function runs, since the program's own function is left alone.
    void note_host_function(const CUpti_CallbackData& call, CUpti_CallbackDomain domain, bool of_thread);

    void witness(CUpti_ApiCallbackSite site);
    void tell_silence();

    std::string begin();
    std::string subscribe();
    std::string attach(bool late);
    std::string enable();
    std::string enable_kinds();
    void disable_kinds(bool with_descriptions);
    void leave_cupti();
    void leave_out_calls();
    void note_gap(const char* name);
    void write_gaps();

    // In recorder_part.cpp, for the recorded part:
    void subscribe_to_triggers(bool on);
    void on_nvtx(CUpti_CallbackId id, const CUpti_NvtxData& data);
    void on_profiler(CUpti_CallbackDomain domain, CUpti_CallbackId id, CUpti_ApiCallbackSite site);
    void carry_out(RecordControl::Switch change);
    void begin_part();
    void finish_part();
    void pass_time();
    void hand_over_part();
    bool may_detach() const;
    void subscribe_to_detach(bool on);
    void detach();
    bool stay_attached();
    std::string reattach();
    void write_part();
    std::chrono::milliseconds until_next_look();
    void set_attributes();
    void take_buffer(std::uint8_t* buffer, std::size_t valid);
    void note_dropped();
    void run_flush_thread();
    void flush_until_finished();
    std::unique_ptr<Converter> take_converter();
    void give_back(std::unique_ptr<Converter> converter);

    const CuptiApi& m_api;
    RecordSink& m_sink;
    const RecorderOptions m_options;
    BufferPool m_pool;
    ProcessFacts m_facts;
    MemoryCalls m_memory;
    GraphNodes m_graph_nodes;
    WholeGraphs m_whole_graphs;
    CUpti_SubscriberHandle m_subscriber = nullptr;
    std::atomic<bool> m_dead {false};

    std::atomic<Ns> m_first_unseen {0};  ///< the first witnessing call since records last came, 0: none

    mutable std::mutex m_control_mutex;  ///< for the next four; never held while CUPTI is called
    std::string m_gaps;
    RecordControl m_control;
    Ns m_last_trigger = 0;  ///< ControlSettings::start of it
    std::map<const void*, std::string> m_registered;  ///< NVTX strings by their handles
    std::atomic<bool> m_heeds_ranges {false};
    std::atomic<bool> m_kinds_on {false};
    std::atomic<bool> m_part_finished {false};
    std::atomic<Ns> m_part_finish {0};
    std::atomic<std::uint32_t> m_parts {0};  ///< that have begun
    std::uint32_t m_parts_handed_over = 0;  ///< of the flush thread alone, as the next one
    std::uint32_t m_parts_left = 0;  ///< the last part after which CUPTI was detached and attached anew

    /// `leaving`: the next call of CUDA that ends detaches CUPTI. Then, and from `detaching` on, only that call's
    /// thread calls anything of CUPTI's.
    enum class Attachment : std::uint8_t { attached, leaving, detaching, detached };
    std::atomic<Attachment> m_attachment {Attachment::attached};
    std::atomic<Ns> m_detached_at {0};

    std::mutex m_converter_mutex;
    std::vector<std::unique_ptr<Converter>> m_converters;

    std::string m_unflushed_key;  ///< of the sink's meta; made once, for flush_last() must not allocate
    std::atomic<std::uint32_t> m_last_thread {0};  ///< the thread that asked for the last flush
    std::atomic<std::uint32_t> m_flush_thread {0};
    std::atomic<bool> m_late {false};  ///< something was recorded after the last flush
    std::atomic<bool> m_nothing_follows {false};  ///< the last flush has begun: what CUPTI records now may be lost
    std::atomic<bool> m_finish_asked {false};
    std::atomic<bool> m_finished {false};
    sem_t m_wake {};  ///< posted when m_finish_asked was set
    sem_t m_end {};  ///< posted when m_finished was set; each who waited posts it again for the next
    std::thread m_thread;
    std::mutex m_join_mutex;  ///< for joining m_thread
};

}  // namespace lanes
