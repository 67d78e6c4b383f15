// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/random_recording.h"
#include "tests/engine/analysis/oracle/script.h"

#include <algorithm>
#include <random>
#include <set>

namespace oracle {

namespace {

/// One stream and its work.
struct Lane {
    std::int64_t process, context, device, id, flag;
    Ns free_at = 0;  ///< the end of its last operation
};
struct Worker {
    std::int64_t process, id;
    Ns now = 0;
};
/// An event, as last recorded on a lane.
struct Mark {
    std::int64_t process, context, id, sync;
    std::size_t lane;
    Ns time;
    Ns done;  ///< when what it waits for is done
};

class Randomly {
public:
    explicit Randomly(std::uint32_t seed)
        : m_random(seed)
        , m_own(seed % 5 != 4)
        , m_script(m_own)
        , m_grid(seed % 7 == 6 ? 1000 : 1)
    {
    }

    void write(const std::string& path)
    {
        target();
        const int actions = static_cast<int>(pick(5, 70));
        for (int i = 0; i < actions; ++i) {
            m_worker = pick(0, static_cast<std::int64_t>(m_workers.size()) - 1);
            auto& w = worker();
            m_script.as(w.process, w.id);
            const Ns before = w.now;
            act();
            around(before);
            w.now += grid(pick(0, 30) == 0 ? pick(0, 400'000) : pick(0, 4'000));
        }
        if (chance(6)) {
            m_script.meta("complete", "no");
            if (chance(50)) {
                m_script.meta("gpu_end_ns", std::to_string(m_last_end + pick(0, 1'000)));
            }
        }
        m_script.save(path);
    }

private:
    std::int64_t pick(std::int64_t low, std::int64_t high)
    {
        // Not std::uniform_int_distribution: each library's gives other numbers.
        return low + static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool chance(int percent) { return pick(0, 99) < percent; }
    template <class T> T one_of(std::initializer_list<T> values)
    {
        return *(values.begin() + pick(0, static_cast<std::int64_t>(values.size()) - 1));
    }
    Ns grid(Ns time) const { return time / m_grid * m_grid; }
    Worker& worker() { return m_workers[static_cast<std::size_t>(m_worker)]; }
    void target()
    {
        const auto processes = pick(1, 2);
        const bool same_gpu = chance(50);
        const bool linked = !m_own && chance(70);
        for (std::int64_t p = 0; p < processes; ++p) {
            const auto process = 100 + 100 * p;
            m_script.as(process, process);
            const auto contexts = pick(1, 2);
            for (std::int64_t c = 1; c <= contexts; ++c) {
                // Own recordings number the machine's devices, others those of each process.
                const auto device = m_own ? (c - 1) + (same_gpu ? 0 : 2 * p) : c - 1;
                m_script.in(c, device);
                m_script.context(7);
                add_lane({process, c, device, 7, 3});
                for (std::int64_t s = 0, n = pick(1, 4); s < n; ++s) {
                    add_lane({process, c, device, 13 + s, chance(10) ? 0 : one_of({1, 2, 2})});
                }
                if (linked) {
                    m_script.device_of_process(c - 1 + (same_gpu ? 0 : 2 * p), device);
                }
            }
            const std::int64_t first = chance(80) ? 0 : 1;  // not every process has a main thread that acts
            for (std::int64_t t = 0, n = pick(1, 3); t < n; ++t) {
                const auto id = process + first + t;
                m_workers.push_back({process, id, grid(pick(0, 50'000))});
                m_script.as(process, id);
                if (chance(80)) {
                    m_script.thread("thread " + std::to_string(t), n - t);
                }
            }
        }
        for (std::int64_t id = 0; id < 4; ++id) {
            m_script.gpu(id, "GPU of the test", m_own || chance(50) ? "a0" + std::to_string(id) : "");
        }
    }
    void add_lane(const Lane& lane)
    {
        m_script.stream(lane.id, lane.flag);
        m_lanes.push_back(lane);
    }

    /// A lane of the present worker's process.
    std::size_t any_lane()
    {
        std::vector<std::size_t> lanes;
        for (std::size_t i = 0; i < m_lanes.size(); ++i) {
            if (m_lanes[i].process == worker().process) {
                lanes.push_back(i);
            }
        }
        return lanes[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(lanes.size()) - 1))];
    }
    Lane& use(std::size_t index)
    {
        auto& lane = m_lanes[index];
        m_script.in(lane.context, lane.device);
        return lane;
    }
    Ns some_time()
    {
        switch (pick(0, 5)) {
        case 0:
            return grid(pick(1'000'000, 12'000'000));
        case 1:
        case 2:
            return grid(pick(20'000, 300'000));
        default:
            return grid(pick(200, 20'000)) + m_grid;
        }
    }
    /// The next free time of a lane, from `from` on.
    std::pair<Ns, Ns> place(Lane& lane, Ns from)
    {
        const Ns start = std::max(lane.free_at, grid(from)) + (chance(70) ? grid(pick(0, 3'000)) : 0);
        lane.free_at = start + some_time();
        m_last_end = std::max(m_last_end, lane.free_at);
        return {start, lane.free_at};
    }
    /// When a call that began at `start` returns if it waits for what is done at `done`.
    Ns returns(Ns start, Ns done)
    {
        const Ns slack = std::min<Ns>(2'000 + std::max<Ns>(0, done - start) / 500, 20'000);
        Ns end = start + pick(500, 30'000);
        switch (pick(0, 6)) {
        case 0:
        case 1:
            end = done + pick(0, 5'000);
            break;
        case 2:
            end = done - pick(0, slack);
            break;
        case 3:
            end = done - slack + pick(-60, 60);
            break;
        case 4:
            end = done - pick(0, 40'000);
            break;
        case 5:
            end = done;
            break;
        default:
            break;
        }
        return std::max(start + std::max<Ns>(200, m_grid), grid(end));
    }
    std::int64_t call(const std::string& name, Ns end, std::int64_t result = 0)
    {
        const Ns start = worker().now;
        const auto correlation = m_script.call(name, start, end, false, result);
        if (chance(15) && end - start > 100) {
            const auto inner = name.rfind("cuda", 0) == 0 ? "cu" + name.substr(4) : "cuInner";
            m_script.call(inner, start + (end - start) / 4, end - (end - start) / 4, true);
        }
        worker().now = end;
        return correlation;
    }
    /// Most work names its call; in trimmed exports some does not.
    std::int64_t maybe(std::int64_t correlation) { return chance(m_lossy ? 8 : 0) ? 0 : correlation; }

    void act();
    void trifle();
    void launch();
    void graph();
    void copy();
    void memset();
    void allocate();
    void record();
    void wait();
    void synchronise();
    void query();
    void host_function();
    void migrate();
    void around(Ns before);

    std::mt19937 m_random;
    const bool m_own;
    Script m_script;
    const Ns m_grid;  // all times are multiples of it
    const bool m_lossy = m_random() % 4 == 0;
    const bool m_silent = !m_own || m_random() % 8 == 0;  // host functions may have no record
    std::vector<Lane> m_lanes;
    std::vector<Worker> m_workers;
    std::vector<Mark> m_marks;
    std::set<Ns> m_range_starts;
    std::int64_t m_worker = 0, m_syncs = 0;
    Ns m_last_end = 0;  // of all operations
};

void Randomly::act()
{
    switch (pick(0, 21)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return launch();
    case 4:
        return graph();
    case 5:
    case 6:
    case 7:
        return copy();
    case 8:
        return memset();
    case 9:
        return allocate();
    case 10:
    case 11:
        return record();
    case 12:
    case 13:
        return wait();
    case 14:
    case 15:
    case 16:
    case 17:
        return synchronise();
    case 18:
        return trifle();
    case 19:
        return query();
    case 20:
        return host_function();
    default:
        return migrate();
    }
}

// Each random number is drawn in a separate statement: the order in which arguments are computed is unspecified.
void Randomly::trifle()
{
    const auto* name = one_of({"cudaSetDevice", "cudaGetLastError", "cudaFuncGetAttributes", "cuCtxGetCurrent"});
    call(name, worker().now + grid(pick(100, 30'000)) + m_grid);
}

void Randomly::launch()
{
    auto& lane = use(any_lane());
    const Ns start = worker().now;
    const auto [begin, end] = place(lane, start + pick(0, 8'000));
    const Ns returned
        = chance(10) ? returns(start, end) : start + grid(pick(1'500, chance(10) ? 60'000 : 9'000)) + m_grid;
    const auto correlation = call(one_of({"cudaLaunchKernel", "cudaLaunchKernelExC", "cuLaunchKernel"}), returned);
    const auto* kernel = one_of({"work", "work", "ncclDevKernel_AllReduce"});
    m_script.kernel(maybe(correlation), lane.id, begin, end, kernel);
    if (chance(8)) {
        const auto type = one_of({8, 8, 6});
        m_script.overhead(correlation, type, start + (returned - start) / 3, returned - pick(0, 200));
    }
}

void Randomly::graph()
{
    const auto first = any_lane();
    const Ns start = worker().now;
    const auto correlation = call("cudaGraphLaunch", start + grid(pick(3'000, 15'000)) + m_grid);
    for (std::int64_t node = 1, n = pick(1, 5); node <= n; ++node) {
        // Branches run on streams of their own, which no call names.
        auto branch = m_lanes[first];
        branch.id = 40 + node;
        auto& lane = node == 1 || chance(60) ? m_lanes[first] : branch;
        m_script.in(lane.context, lane.device);
        const auto [begin, end] = place(lane, start + pick(0, 8'000));
        m_script.kernel(maybe(correlation), lane.id, begin, end, "node", node);
    }
}

void Randomly::copy()
{
    auto& lane = use(any_lane());
    const Ns start = worker().now;
    const bool async = chance(60);
    const auto kind = one_of<std::int64_t>({1, 1, 2, 2, 8, 10, 9});
    const auto host = one_of<std::int64_t>({0, 1, 1});
    const auto [begin, end] = place(lane, start + pick(0, 30'000));
    const bool waits = !async || host == 0;
    const Ns returned = waits ? returns(start, end) : start + grid(pick(2'000, 12'000)) + m_grid;
    const auto correlation = call(async ? "cudaMemcpyAsync" : "cudaMemcpy", returned);
    if (!chance(m_lossy ? 10 : 0)) {
        m_script.copy(maybe(correlation), lane.id, begin, end, kind, kind == 1 || kind == 9 ? host : 2,
            kind == 2 || kind == 9 ? host : 2, async);
    }
}

void Randomly::memset()
{
    auto& lane = use(any_lane());
    const bool async = chance(50);
    const auto memory = one_of<std::int64_t>({2, 2, 1, 0, 4});
    const auto [begin, end] = place(lane, worker().now + pick(0, 8'000));
    const auto correlation = call(async ? "cudaMemsetAsync" : "cudaMemset", returns(worker().now, end));
    m_script.memset(maybe(correlation), lane.id, begin, end, memory, async);
}

void Randomly::allocate()
{
    const auto index = any_lane();
    auto& lane = use(index);
    const Ns start = worker().now;
    const auto* name
        = one_of({"cudaMalloc", "cudaFree", "cudaHostAlloc", "cudaFreeHost", "cudaMallocAsync", "cuMemFree"});
    const auto correlation = call(name, returns(start, lane.free_at));
    if (chance(80)) {
        m_script.allocation(correlation, start + 100, chance(50));
    }
    if (chance(20)) {
        const bool of_stream = chance(50);
        m_script.sync(correlation, of_stream ? Sync::stream : Sync::context, start + 50, worker().now,
            of_stream ? lane.id : no_number);
    }
}

void Randomly::record()
{
    const auto index = any_lane();
    auto& lane = use(index);
    const auto id = pick(1, 4);
    const auto correlation = call("cudaEventRecord", worker().now + grid(pick(500, 3'000)) + m_grid);
    m_script.event(correlation, lane.id, id, ++m_syncs);
    m_marks.push_back({lane.process, lane.context, id, m_syncs, index, worker().now, lane.free_at});
}

void Randomly::wait()
{
    auto& lane = use(any_lane());
    const auto correlation = call("cudaStreamWaitEvent", worker().now + grid(pick(500, 3'000)) + m_grid);
    for (auto mark = m_marks.rbegin(); mark != m_marks.rend(); ++mark) {
        if (mark->process == lane.process && mark->time <= worker().now && chance(60)) {
            m_script.sync(
                correlation, Sync::stream_waits, worker().now - 300, worker().now, lane.id, mark->id, mark->sync);
            lane.free_at = std::max(lane.free_at, mark->done);
            return;
        }
    }
}

void Randomly::synchronise()
{
    const auto index = any_lane();
    auto& lane = use(index);
    const Ns start = worker().now;
    const bool recorded = !chance(m_lossy && !m_silent ? 15 : 0);
    Ns done = lane.free_at;
    switch (pick(0, 2)) {
    case 0: {
        const auto correlation = call("cudaStreamSynchronize", returns(start, done));
        if (recorded) {
            m_script.sync(correlation, Sync::stream, start, worker().now, lane.id);
        }
        return;
    }
    case 1: {
        for (const auto& other : m_lanes) {
            if (other.process == lane.process && other.context == lane.context) {
                done = std::max(done, other.free_at);
            }
        }
        const auto* name = one_of({"cudaDeviceSynchronize", "cuCtxSynchronize"});
        const auto correlation = call(name, returns(start, done));
        if (recorded) {
            m_script.sync(correlation, Sync::context, start, worker().now);
        }
        return;
    }
    default:
        for (auto mark = m_marks.rbegin(); mark != m_marks.rend(); ++mark) {
            if (mark->process == lane.process && mark->time <= worker().now && chance(60)) {
                m_script.in(mark->context, m_lanes[mark->lane].device);
                const auto correlation = call("cudaEventSynchronize", returns(start, mark->done));
                if (recorded) {
                    m_script.sync(correlation, Sync::event, start, worker().now, no_number, mark->id, mark->sync);
                }
                return;
            }
        }
    }
}

/// One query, several in a row, or many that the recorder joined into one.
void Randomly::query()
{
    auto& lane = use(any_lane());
    const auto* name = one_of({"cudaStreamQuery", "cuStreamQuery"});
    const bool succeeds = chance(70);
    const auto ask = [&](Ns end, bool last) {
        const Ns start = worker().now;
        const auto correlation = call(name, end, last && succeeds ? 0 : 600);
        if (!chance(m_lossy ? 20 : 0)) {
            m_script.sync(correlation, Sync::stream, start, worker().now, lane.id);
        }
        return correlation;
    };
    const Ns start = worker().now;
    if (chance(30)) {
        const auto spin = ask(returns(start, lane.free_at), true);
        const auto queries = pick(1, 300);
        m_script.spin(spin, start, worker().now, queries, chance(80) ? std::optional(succeeds) : std::nullopt);
        return;
    }
    for (std::int64_t left = pick(0, 4); left >= 0; --left) {
        ask(worker().now + grid(pick(300, 20'000)) + m_grid, left == 0);
        if (chance(20)) {
            call("cudaGetLastError", worker().now + 200 + m_grid);
        }
        worker().now += chance(90) ? grid(pick(0, 3'000)) : grid(pick(95'000, 105'000));
    }
}

/// A host function as work of a stream; when some of them ran is not known.
void Randomly::host_function()
{
    auto& lane = use(any_lane());
    const Ns start = worker().now;
    const auto correlation = call("cudaLaunchHostFunc", start + grid(pick(1'000, 6'000)) + m_grid);
    if (m_own && !chance(m_silent ? 30 : 0)) {
        const auto [begin, end] = place(lane, start + pick(0, 8'000));
        const bool timed = !chance(m_silent ? 30 : 0);
        m_script.host_function(correlation, lane.id, timed ? std::optional(std::make_pair(begin, end)) : std::nullopt);
    }
}

void Randomly::migrate()
{
    auto& lane = use(any_lane());
    const Ns start = worker().now;
    const Ns end = start + some_time();
    m_script.copy(0, no_number, start, end, one_of<std::int64_t>({11, 12}), 4, 4, false);
    (void)lane;
}

/// Ranges, host work and reads around the work since `before`.
void Randomly::around(Ns before)
{
    auto& w = worker();
    if (chance(15)) {
        const auto name = one_of({"batch", "load", "forward"});
        while (!m_range_starts.insert(before).second) {
            ++before;  // only their starts decide which of two names comes first
        }
        m_script.range(name, before, chance(5) ? std::nullopt : std::optional(w.now + grid(pick(0, 20'000))));
    }
    if (chance(3)) {
        m_script.mark("here", before);
    }
    if (chance(10)) {
        const Ns start = w.now;
        w.now += some_time();
        m_script.span(pick(0, 4), start, w.now);
    }
    if (chance(4)) {
        m_script.read("y_cpu", w.now, w.now + 1'000, 4096, chance(30) ? 64 : 0);
        w.now += 1'000;
    }
    if (m_own && w.process == m_workers.front().process && chance(30)) {
        m_script.step(pick(0, 12), before);
    }
}

}  // namespace

void write_random(std::uint32_t seed, const std::string& path)
{
    Randomly(seed).write(path);
}

}  // namespace oracle
