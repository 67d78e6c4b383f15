// SPDX-License-Identifier: MIT
// A CPU thread of a model run: executes its instructions in order, spends time in calls, and waits where a real thread
// would.
//
// Cost: one or two coroutine frames an instruction; a thread whose next time is before every other event goes on
// without the event queue.
#pragma once

#include "engine/run/model/gpu_side.h"
#include "engine/run/model/host_records.h"
#include "engine/run/model/task.h"
#include "engine/workload/caching_allocator.h"
#include "engine/workload/check_memory.h"
#include "engine/workload/run_failure.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace lanes::model {

class HostThread;

/// What the threads of a run share beside the GPUs.
struct HostSide {
    struct Queue {
        std::uint32_t filled = 0;
        std::vector<std::uint32_t> putters, getters;  ///< threads that wait, in order
    };
    struct RecordedEvent {
        Place place;  ///< none: never recorded
        std::uint32_t sync = 0;  ///< EventRecord::event_sync of the last record
    };

    HostSide(Core& core_, GpuSide& gpus_);
    void end_waits();
    /// Called when a kernel has faulted: the host will learn it.
    void fault();
    void fail(const RunFailure& what, std::uint32_t thread);

    Core& core;
    GpuSide& gpus;
    std::vector<Queue> queues;
    std::vector<RecordedEvent> events;
    std::vector<bool> allocated;  ///< by buffer
    std::vector<CachingAllocator> caches;  ///< by GPU
    std::map<Index, CachingAllocator::Place> blocks;  ///< by buffer: what it has of its GPU's cache
    Ns locks_until = 0;  ///< end of a cudaMallocHost: calls of copies from and to the host wait for it
    bool checks_memory;  ///< compile() could not decide whether every buffer is allocated when it is used
    std::vector<std::unique_ptr<HostThread>> threads;
    std::optional<RunFailure> failure;  ///< the first one
    std::coroutine_handle<> next;  ///< to be resumed by the loop before it looks at events
    std::uint64_t next_range = 1;
};

class HostThread {
public:
    HostThread(HostSide& side, std::uint32_t index);

    /// Called when something that the thread waits for has ended.
    void released();
    /// Called when the time for which the thread waited has come; at first, to begin.
    void resume();
    bool is_done() const { return m_done; }
    /// What it waits for, in words; "": nothing.
    const std::string& waiting_for() const { return m_waiting_for; }
    std::uint32_t id() const { return m_index + 1; }
    std::size_t position() const { return m_position; }  ///< the instruction that it has reached
    std::size_t length() const { return m_program.instructions.size(); }
    void end_host_wait();

private:
    /// Goes on at a time.
    struct Until {
        HostThread& thread;
        Ns time;
        bool await_ready();
        void await_suspend(std::coroutine_handle<> handle);
        void await_resume() const { }
    };
    /// Goes on when m_pending things have ended, or a fault is reported.
    struct Released {
        HostThread& thread;
        bool await_ready();
        void await_suspend(std::coroutine_handle<> handle);
        void await_resume() const { }
    };

    Task run();
    Task execute(const Instruction& instruction);

    // One function for each kind of action, and none for the others: the compiler asks for what is missing.
    Task take(const KernelAction& action);
    Task take(const CopyAction& action);
    Task take(const MemsetAction& action);
    Task take(const CpuAction& action);
    Task take(const ReadAction& action);
    Task take(const WriteAction& action);
    Task take(const RecordAction& action);
    Task take(const WaitAction& action);
    Task take(const SyncDeviceAction& action);
    Task take(const SyncStreamAction& action);
    Task take(const SyncEventAction& action);
    Task take(const PutAction& action);
    Task take(const GetAction& action);
    Task take(const JoinAction& action);
    Task take(const AllocAction& action);
    Task take(const FreeAction& action);
    Task take(const CaptureBeginAction& action);
    Task take(const CaptureEndAction& action);
    Task take(const LaunchAction& action);
    Task take(const CollectiveAction& action);
    Task take(const FaultAction& action);
    Task take(const RangeBeginAction& action);
    Task take(const RangeEndAction& action);
    Task take(const BranchAction& action);

    /// A copy that the host waits for, or takes part in.
    Task waited_copy(const char* name, Operation operation, bool waits_first);
    Task sync(const char* name, std::vector<Place> places, SyncRecord record);
    /// A call that CUDA refuses while its thread captures.
    Task refused_in_capture(const char* name);
    Task take_from_cache(const AllocAction& action);
    /// `stream`: as an `alloc` or `free` step names it; no_id: none. Pinned memory has no pool.
    MemoryOfCall memory_of_step(Index buffer, Index stream);
    /// cudaMalloc and the like, and cudaFree and the like.
    Task allocate(MemoryOfCall memory);
    Task release(MemoryOfCall memory);
    void mark_range(RangeRecord::Edge edge, StringId name);
    /// A call that issues `operation` and returns.
    Task submit(const char* name, Operation operation, Ns cost, Ns latency);
    Task space(const CallLog::Call& call, std::uint32_t stream);
    /// A call that only takes time.
    Task plain_call(const char* name, Ns cost);
    /// Waits for all of `places`, then until wake_up after, or until `least` if that is later.
    Task wait_places(std::vector<Place> places, Ns least);
    Task wait_for_host(const std::string& what);

    /// Ends the run with what went wrong at the present step.
    void fail(std::int32_t code, const std::string& what);
    Operation operation_of(Operation::Kind kind, Index stream);
    std::uint32_t stream_of(Index spec) { return m_side.gpus.stream_of(spec, m_index); }
    Until until(Ns time) { return Until {*this, time}; }
    Core& core() const { return m_side.core; }

    HostSide& m_side;
    std::uint32_t m_index;
    const ThreadProgram& m_program;
    CallLog m_calls;
    std::vector<BuffersNeeded> m_needs;  ///< empty: they are not checked
    Task m_task;
    std::coroutine_handle<> m_handle;  ///< of the innermost task, while it waits
    std::uint32_t m_pending = 0;
    bool m_is_scheduled = false;  ///< an event will resume it
    std::uint32_t m_inline_steps = 0;  ///< since it last came from the event queue
    Place m_issued;  ///< of its last operation
    bool m_waits_for_host = false;  ///< for a queue or another thread
    bool m_has_begun = false;
    bool m_done = false;
    bool m_captures = false;
    std::uint32_t m_step = no_id;
    ModelTruth::Work m_released_by;  ///< the work whose end last let it go on
    std::size_t m_position = 0;
    std::size_t m_next = 0;  ///< instruction; a branch changes it
    std::string m_waiting_for;
    std::vector<std::uint64_t> m_ranges;  ///< open ones
    std::vector<std::uint32_t> m_joiners;
};

}  // namespace lanes::model
