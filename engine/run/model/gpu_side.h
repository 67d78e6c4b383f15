// SPDX-License-Identifier: MIT
// The GPUs of a model run: streams, their order, and the engines that serve them.
//
// An operation starts when the GPU can see it (`arrival`), everything before it on
// its stream has ended, what it depends on elsewhere has ended (a waited event; for
// the legacy default stream the work of all blocking streams of the GPU and the
// other way round), and its engine is free. Engines: one for each direction of
// copies (H2D, D2H, within the GPU, to a peer; a device with one copy engine has one
// for all but those within the GPU), one for memsets, the multiprocessors for kernels.
//
// Cost: a few events for each operation.
#pragma once

#include "engine/run/model/captures.h"
#include "engine/run/model/copy_engine.h"
#include "engine/run/model/core.h"
#include "engine/run/model/operation.h"
#include "engine/run/model/sm_pool.h"

#include <array>
#include <deque>
#include <functional>
#include <map>

namespace lanes::model {

class GpuSide {
public:
    /// `wake(thread)` is called when something that the thread waits for has ended.
    GpuSide(Core& core, std::function<void(std::uint32_t)> wake);

    /// The stream that `spec` means for `thread`: each thread has another per-thread default stream.
    std::uint32_t stream_of(Index spec, std::uint32_t thread);
    const Stream& stream(std::uint32_t index) const { return m_streams[index]; }

    // Issuing.
    bool is_full(std::uint32_t stream) const { return m_streams[stream].pending() >= m_core.device.launch_queue; }
    /// `thread` is woken once when `stream` has room.
    void wait_for_space(std::uint32_t stream, std::uint32_t thread)
    {
        m_streams[stream].space_waiters.push_back(thread);
    }
    /// Puts `operation` at the end of its stream.
    Place issue(Operation operation);
    /// One collective over operations that will be issued with this group.
    std::uint32_t new_group(const CollectiveAction& action);
    const CollectiveAction& group(std::uint32_t index) const { return *m_groups[index].action; }

    // Waiting.
    bool is_done(Place place) const;
    /// `thread` is woken when the operation ends. Needs !is_done(place).
    void wait_for(Place place, std::uint32_t thread);
    /// What a synchronous call on the stream waits for: its last operation, and what the legacy rule adds.
    std::vector<Place> before(std::uint32_t stream) const;
    std::vector<Place> last_of_gpu(std::uint32_t gpu) const;
    Place last_of(std::uint32_t stream) const { return {stream, m_streams[stream].issued - 1}; }

    /// The start of the copy that `thread` staged last.
    Ns staged_copy_start(std::uint32_t thread) const { return m_staged_starts[thread]; }

    Captures& captures() { return m_captures; }
    const Captures& captures() const { return m_captures; }

    /// Puts the part of a running copy that has arrived into `buffer` as it is now.
    void land(Index buffer);

    void handle(const Due& event);
    /// Starts and ends all operations that can at the present time. Call it after every event.
    void settle();

private:
    enum EngineKind { h2d, d2h, within, peer, sets, engine_count };
    struct Gpu {
        explicit Gpu(const ModelDevice& device)
            : pool(device)
        {
        }
        SmPool pool;
        std::array<CopyEngine, engine_count> engines;
        std::array<std::uint32_t, engine_count> engine_version {};
        std::array<Ns, engine_count> engine_next;
        std::array<ModelTruth::Work, engine_count> engine_last;  ///< by engine: the last work done
        std::uint32_t pool_version = 0;
        Ns pool_next = never;
        bool pool_changed = false, engines_changed = false;
        std::vector<std::uint32_t> blocking;  ///< streams that the legacy rule binds
        std::uint32_t legacy = none;
        std::uint32_t next_stream_id = first_stream_id;
    };
    struct Dependent {
        std::uint32_t target;
        bool is_thread;
        std::uint32_t next;
    };
    struct GraphRun {
        std::uint32_t operation;
        std::uint32_t left;
    };
    struct Group {
        const CollectiveAction* action;
        std::vector<std::uint32_t> operations;
    };

    std::uint32_t add_stream(Index spec, std::uint32_t thread);
    std::uint32_t allocate(Operation&& operation);
    void add_dependent(std::uint32_t operation, std::uint32_t target, bool is_thread);
    void depend_on(std::uint32_t operation, Place place);
    std::uint32_t operation_at(Place place) const;
    /// How much later `next` starts after work of the other kind of engine.
    Ns engine_switch(bool after_copy, const Operation& next) const;
    void advance(std::uint32_t stream);
    void dispatch(std::uint32_t id);
    void dispatch_kernel(std::uint32_t id);
    void dispatch_copy(std::uint32_t id);
    void dispatch_graph(std::uint32_t id);
    void begin(std::uint32_t id);
    void begin_collective(std::uint32_t id);
    void complete(std::uint32_t id);
    void write_record(const Operation& operation);
    void release_dependents(Operation& operation);
    void settle_pool(std::uint32_t gpu);
    void settle_engines(std::uint32_t gpu);
    double kernel_time(const Operation& operation) const;
    double copy_time(const Operation& operation) const;
    /// The part of its time that does not depend on its size.
    double overhead_of(const Operation& operation) const;
    std::uint32_t blocks_of(const KernelAction& action) const;

    Core& m_core;
    std::function<void(std::uint32_t)> m_wake;
    std::vector<Gpu> m_gpus;
    std::vector<Stream> m_streams;
    std::map<std::pair<Index, std::uint32_t>, std::uint32_t> m_thread_streams;
    std::vector<std::uint32_t> m_stream_of_spec;
    std::deque<Operation> m_operations;  // a deque: references stay while operations are added
    std::vector<std::uint32_t> m_free_operations;
    std::vector<Dependent> m_dependents;
    std::uint32_t m_free_dependents = none;
    std::vector<std::uint32_t> m_to_advance;
    Captures m_captures;
    std::vector<GraphRun> m_graph_runs;
    std::vector<std::uint32_t> m_free_graph_runs;
    std::vector<Group> m_groups;
    std::vector<Ns> m_staged_starts;  ///< by thread
};

}  // namespace lanes::model
