// SPDX-License-Identifier: MIT
// What recording a launch costs the thread that launches, part by part: a launch-bound loop in one process in which
// CUPTI's kinds are switched on and off, so that all parts meet the same host, in turn and in many rounds.
//   overhead_parts [--rounds N] [--block-ms N] [--per-thread 0|1] [--pinned 0|1] [--device-buffer BYTES] [--parts FEW]
//   overhead_parts --stages WORD,WORD…
// does one thing after the other with CUPTI (nothing, attributes, ATTRIBUTE=VALUE, buffers, subscribe, rare,
// unsubscribe, +KIND, -KIND, flush, finalize) and measures after each what it costs the rest of the process, whatever
// is switched off again.
//   overhead_parts --ratio WORD,WORD…
// measures before the first and after the last alone, and prints the second as a ratio to the first.
// Prints for each part the median over the rounds of a launch's time (until the stream is done, and until the
// last launch of a hundred returned), as ratios to the rounds' own loop without any part; the batch that one in a
// hundred exceeds; the records of a launch. It uses nothing of the recorder but its list of calls
// (probes/cupti/recorded_calls.h).
#include "probes/cupti/recorded_calls.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cupti.h>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int batch = 100;
constexpr int settling = 10;  // batches of a block that are not counted

__global__ void tiny() { }

void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "overhead_parts: %s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

void check(CUptiResult result, const char* what)
{
    if (result != CUPTI_SUCCESS) {
        const char* text = "";
        cuptiGetResultString(result, &text);
        std::fprintf(stderr, "overhead_parts: %s: %s\n", what, text);
        std::exit(1);
    }
}

enum class Calls { none, launches, ours, all };
enum class Buffers { reused, fresh, touched };

/// What a part switches on.
struct Part {
    std::string name;
    std::vector<CUpti_ActivityKind> kinds = {};
    Calls runtime = Calls::none;
    Calls driver = Calls::none;
    bool subscriber = false;  ///< callbacks of rare calls, as the recorder has
    bool launch_callbacks = false;  ///< callbacks of launches, with the time at both ends, in place of their records
    int flush_ms = 0;
    std::size_t buffer_bytes = 2U << 20U;
    Buffers buffers = Buffers::reused;
};

// CUPTI's callbacks, which carry no pointer.
std::atomic<const Part*> current {nullptr};
std::mutex pool_mutex;
std::multimap<std::size_t, std::uint8_t*> pool;
std::map<std::uint8_t*, std::size_t> sizes;
std::atomic<bool> counting {false};
std::mutex count_mutex;
std::map<std::string, long> counts;

void request(std::uint8_t** buffer, std::size_t* size, std::size_t* records)
{
    const auto& part = *current.load();
    *size = part.buffer_bytes;
    *records = 0;
    const std::lock_guard lock(pool_mutex);
    if (const auto found = pool.find(*size); found != pool.end() && part.buffers != Buffers::fresh) {
        *buffer = found->second;
        pool.erase(found);
        return;
    }
    *buffer = static_cast<std::uint8_t*>(std::calloc(*size, 1));
    sizes[*buffer] = *size;
}

std::string name_of(const CUpti_Activity* activity)
{
    if (activity->kind == CUPTI_ACTIVITY_KIND_RUNTIME || activity->kind == CUPTI_ACTIVITY_KIND_DRIVER) {
        const bool runtime = activity->kind == CUPTI_ACTIVITY_KIND_RUNTIME;
        const char* name = nullptr;
        cuptiGetCallbackName(runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API,
            reinterpret_cast<const CUpti_ActivityAPI*>(activity)->cbid, &name);
        return name == nullptr ? "?" : name;
    }
    return "kind " + std::to_string(activity->kind);
}

void complete(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid)
{
    if (counting) {
        const std::lock_guard lock(count_mutex);
        CUpti_Activity* activity = nullptr;
        while (cuptiActivityGetNextRecord(buffer, valid, &activity) == CUPTI_SUCCESS) {
            ++counts[name_of(activity)];
        }
    }
    const bool is_fresh = current.load()->buffers == Buffers::fresh;
    const std::lock_guard lock(pool_mutex);
    if (is_fresh) {
        sizes.erase(buffer);
        std::free(buffer);
        return;
    }
    std::memset(buffer, 0, valid);
    pool.emplace(sizes[buffer], buffer);
}

struct Call {
    std::uint64_t time;
    std::uint32_t correlation;
};
std::vector<Call> called(1U << 16U);
std::size_t calls_noted = 0;

void on_call(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void* data)
{
    std::uint64_t time = 0;
    cuptiGetTimestamp(&time);
    called[calls_noted++ % called.size()] = {time, static_cast<const CUpti_CallbackData*>(data)->correlationId};
}

template <class Enable> void choose_calls(CUpti_CallbackDomain domain, CUpti_CallbackId end, Calls which, Enable enable)
{
    for (CUpti_CallbackId call = 1; call < end; ++call) {
        const char* name = nullptr;
        if (cuptiGetCallbackName(domain, call, &name) != CUPTI_SUCCESS || name == nullptr) {
            continue;
        }
        const bool launch
            = std::strncmp(name, "cudaLaunchKernel_v", 18) == 0 || std::strcmp(name, "cuLaunchKernel") == 0;
        const bool on = which == Calls::all || (which == Calls::launches && launch)
            || (which == Calls::ours && lanes::is_recorded_call(name));
        enable(call, static_cast<std::uint8_t>(on ? 1 : 0));
    }
}

/// Calls cuptiActivityFlushAll(0) every so often, from a thread of its own.
class Flusher {
public:
    explicit Flusher(int period_ms)
    {
        if (period_ms > 0) {
            m_thread = std::thread([this, period_ms] {
                std::unique_lock lock(m_mutex);
                while (!m_wake.wait_for(lock, std::chrono::milliseconds(period_ms), [this] { return m_ended; })) {
                    cuptiActivityFlushAll(0);
                }
            });
        }
    }
    ~Flusher()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_ended = true;
        }
        m_wake.notify_all();
        if (m_thread.joinable()) {
            m_thread.join();
        }
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_ended = false;
    std::thread m_thread;
};

CUpti_SubscriberHandle subscriber = nullptr;

void switch_on(const Part& part)
{
    current = &part;
    if (part.buffers == Buffers::touched) {
        const std::lock_guard lock(pool_mutex);
        for (auto count = pool.count(part.buffer_bytes); count < 8; ++count) {
            auto* buffer = static_cast<std::uint8_t*>(std::aligned_alloc(2U << 20U, part.buffer_bytes));
            std::memset(buffer, 0, part.buffer_bytes);
            sizes[buffer] = part.buffer_bytes;
            pool.emplace(part.buffer_bytes, buffer);
        }
    }
    for (const auto kind : part.kinds) {
        check(cuptiActivityEnable(kind), "a kind");
    }
    if (part.runtime != Calls::none) {
        check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME), "runtime calls");
        choose_calls(
            CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_SIZE, part.runtime, cuptiActivityEnableRuntimeApi);
    }
    if (part.driver != Calls::none) {
        check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER), "driver calls");
        choose_calls(
            CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_SIZE, part.driver, cuptiActivityEnableDriverApi);
    }
    if (part.subscriber || part.launch_callbacks) {
        check(cuptiSubscribe(&subscriber, on_call, nullptr), "a subscriber");
        for (const auto call : {CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020,
                 CUPTI_RUNTIME_TRACE_CBID_cudaDeviceReset_v3020, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000}) {
            cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, static_cast<CUpti_CallbackId>(call));
        }
        for (const auto call : {CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc}) {
            cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, static_cast<CUpti_CallbackId>(call));
        }
        if (part.launch_callbacks) {
            cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
                static_cast<CUpti_CallbackId>(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000));
        }
    }
}

void switch_off(const Part& part)
{
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    for (const auto kind : part.kinds) {
        cuptiActivityDisable(kind);
    }
    if (part.runtime != Calls::none) {
        cuptiActivityDisable(CUPTI_ACTIVITY_KIND_RUNTIME);
    }
    if (part.driver != Calls::none) {
        cuptiActivityDisable(CUPTI_ACTIVITY_KIND_DRIVER);
    }
    if (subscriber != nullptr) {
        cuptiUnsubscribe(subscriber);
        subscriber = nullptr;
    }
}

double microseconds(Clock::duration time)
{
    return std::chrono::duration<double, std::micro>(time).count();
}

double middle(std::vector<double> values, double at = 0.5)
{
    if (values.empty()) {
        return 0;
    }
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(at * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
}

/// µs a launch, of a block.
struct Block {
    double whole = 0;  ///< mean: includes rare events
    double issue = 0;  ///< median of the batches, without the wait at their end
    double slow = 0;  ///< of a batch's issue, which one in a hundred exceeds
};

Block run(cudaStream_t stream, int block_ms)
{
    std::vector<double> issues;
    double sum = 0;
    const auto end = Clock::now() + std::chrono::milliseconds(block_ms);
    for (int turn = 0; Clock::now() < end; ++turn) {
        const auto begin = Clock::now();
        for (int i = 0; i < batch; ++i) {
            tiny<<<1, 32, 0, stream>>>();
        }
        const auto issued = Clock::now();
        check(cudaStreamSynchronize(stream));
        if (turn >= settling) {
            sum += microseconds(Clock::now() - begin);
            issues.push_back(microseconds(issued - begin) / batch);
        }
    }
    return {sum / batch / static_cast<double>(issues.size()), middle(issues), middle(issues, 0.99)};
}

std::vector<Part> all_parts(bool few)
{
    const std::vector<CUpti_ActivityKind> kernels {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
    auto operations = kernels;
    operations.insert(
        operations.end(), {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET});
    auto syncs = operations;
    syncs.push_back(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
    auto ours = syncs;
    ours.insert(ours.end(),
        {CUPTI_ACTIVITY_KIND_CUDA_EVENT, CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_MARKER,
            CUPTI_ACTIVITY_KIND_MARKER_DATA, CUPTI_ACTIVITY_KIND_MEMORY2});
    const auto whole = [&](const char* name) {
        return Part {.name = name, .kinds = ours, .runtime = Calls::ours, .driver = Calls::ours, .subscriber = true};
    };
    const auto flushed = [&](const char* name, int ms) {
        auto part = whole(name);
        part.flush_ms = ms;
        return part;
    };
    const auto buffered = [&](const char* name, std::size_t bytes, Buffers buffers) {
        auto part = flushed(name, 120);
        part.buffer_bytes = bytes;
        part.buffers = buffers;
        return part;
    };
    std::vector<Part> parts {
        {.name = "nothing"}, {.name = "kernels", .kinds = kernels}, {.name = "operations", .kinds = operations}};
    if (few) {
        parts.push_back({.name = "operations, launch calls", .kinds = operations, .runtime = Calls::launches});
        parts.push_back(flushed("all of ours, flushed every 120 ms", 120));
        return parts;
    }
    for (const Part& part :
        {
            Part {.name = "launch calls alone", .runtime = Calls::launches},
            Part {.name = "runtime calls of ours alone", .runtime = Calls::ours},
            Part {.name = "driver calls of ours alone", .driver = Calls::ours},
            Part {.name = "callbacks of launches alone", .launch_callbacks = true},
            Part {.name = "operations, syncs", .kinds = syncs},
            Part {.name = "operations, launch calls", .kinds = operations, .runtime = Calls::launches},
            Part {.name = "operations, callbacks of launches", .kinds = operations, .launch_callbacks = true},
            Part {.name = "operations, runtime calls of ours", .kinds = operations, .runtime = Calls::ours},
            Part {.name = "operations, runtime calls, all", .kinds = operations, .runtime = Calls::all},
            Part {.name = "operations, both APIs, ours",
                 .kinds = operations,
                 .runtime = Calls::ours,
                 .driver = Calls::ours},
            Part {
                .name = "operations, both APIs, all", .kinds = operations, .runtime = Calls::all, .driver = Calls::all},
            Part {.name = "all kinds of ours", .kinds = ours, .runtime = Calls::ours, .driver = Calls::ours},
            whole("all kinds, subscriber"),
            flushed("all of ours, flushed every 20 ms", 20),
            flushed("all of ours, flushed every 120 ms", 120),
            flushed("all of ours, flushed every second", 1000),
            buffered("all of ours, buffers of 256 KiB", 256U << 10U, Buffers::reused),
            buffered("all of ours, buffers of 8 MiB", 8U << 20U, Buffers::reused),
            buffered("all of ours, every buffer fresh", 2U << 20U, Buffers::fresh),
            buffered("all of ours, buffers touched before", 2U << 20U, Buffers::touched),
        }) {
        parts.push_back(part);
    }
    return parts;
}

template <class Value> void set(CUpti_ActivityAttribute attribute, Value value, const char* what)
{
    std::size_t size = sizeof value;
    check(cuptiActivitySetAttribute(attribute, &size, &value), what);
}

/// Does what a word of --stages says.
void tell(const std::string& word)
{
    static const std::map<std::string, CUpti_ActivityKind> kinds {{"kernel", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL},
        {"copy", CUPTI_ACTIVITY_KIND_MEMCPY}, {"peer", CUPTI_ACTIVITY_KIND_MEMCPY2},
        {"memset", CUPTI_ACTIVITY_KIND_MEMSET}, {"sync", CUPTI_ACTIVITY_KIND_SYNCHRONIZATION},
        {"event", CUPTI_ACTIVITY_KIND_CUDA_EVENT}, {"overhead", CUPTI_ACTIVITY_KIND_OVERHEAD},
        {"marker", CUPTI_ACTIVITY_KIND_MARKER}, {"memory", CUPTI_ACTIVITY_KIND_MEMORY2},
        {"runtime", CUPTI_ACTIVITY_KIND_RUNTIME}, {"driver", CUPTI_ACTIVITY_KIND_DRIVER},
        {"device", CUPTI_ACTIVITY_KIND_DEVICE}, {"context", CUPTI_ACTIVITY_KIND_CONTEXT},
        {"stream", CUPTI_ACTIVITY_KIND_STREAM}, {"name", CUPTI_ACTIVITY_KIND_NAME}};
    static const std::map<std::string, CUpti_ActivityAttribute> sizes_told {
        {"device-buffer", CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE},
        {"pool", CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT},
        {"preallocate", CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE}};
    static const std::map<std::string, CUpti_ActivityAttribute> switches {
        {"per-thread", CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER},
        {"pinned", CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED}};
    const auto equals = word.find('=');
    const auto name = word.substr(0, equals);
    if (equals != std::string::npos && sizes_told.contains(name)) {
        set(sizes_told.at(name), static_cast<std::size_t>(std::atol(word.c_str() + equals + 1)), word.c_str());
    } else if (equals != std::string::npos && switches.contains(name)) {
        set(switches.at(name), static_cast<std::uint8_t>(std::atoi(word.c_str() + equals + 1)), word.c_str());
    } else if (word == "attributes") {
        set(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, std::uint8_t {1}, "zeroed buffers");
    } else if (word == "buffers") {
        check(cuptiActivityRegisterCallbacks(request, complete), "its buffers");
    } else if (word == "subscribe") {
        check(cuptiSubscribe(&subscriber, on_call, nullptr), "a subscriber");
    } else if (word == "rare") {
        check(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
                  static_cast<CUpti_CallbackId>(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceReset_v3020)),
            "a callback");
    } else if (word == "unsubscribe") {
        check(cuptiUnsubscribe(subscriber), "to unsubscribe");
        subscriber = nullptr;
    } else if (word == "flush") {
        check(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "to flush");
    } else if (word == "finalize") {
        check(cuptiFinalize(), "to finalize");
    } else if (word == "+runtime" || word == "+driver") {  // of launches alone
        check(cuptiActivityEnable(kinds.at(word.substr(1))), word.c_str());
        word == "+runtime" ? choose_calls(
            CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_SIZE, Calls::launches, cuptiActivityEnableRuntimeApi)
                           : choose_calls(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_SIZE, Calls::launches,
                               cuptiActivityEnableDriverApi);
    } else if (const auto kind = kinds.find(word.substr(std::min<std::size_t>(1, word.size()))); kind != kinds.end()) {
        check(word[0] == '+' ? cuptiActivityEnable(kind->second) : cuptiActivityDisable(kind->second), word.c_str());
    } else if (word != "nothing") {
        std::fprintf(stderr, "overhead_parts: --stages: unknown word '%s'\n", word.c_str());
        std::exit(2);
    }
}

/// Calls `done` after each word.
template <class Done> void tell_all(const std::string& words, Done done)
{
    for (std::size_t at = 0; at < words.size();) {
        const auto end = std::min(words.find(',', at), words.size());
        const auto word = words.substr(at, end - at);
        tell(word);
        done(word);
        at = end + 1;
    }
}

void ratio(const std::string& words, cudaStream_t stream)
{
    const Part plain {.name = "plain"};
    current = &plain;
    const double before = run(stream, 400).whole;
    tell_all(words, [](const std::string&) {});
    run(stream, 100);  // buffers and code that CUPTI takes first
    const double after = run(stream, 400).whole;
    std::printf("%.3f %.2f %.2f %s\n", after / before, before, after, words.c_str());
}

void stages(const std::string& words, cudaStream_t stream)
{
    const auto measure = [stream](const std::string& after) {
        std::vector<double> whole;
        std::vector<double> issue;
        for (int i = 0; i < 5; ++i) {
            const auto block = run(stream, 60);
            whole.push_back(block.whole);
            issue.push_back(block.issue);
        }
        std::printf("%-14s %7.2f us %7.2f to issue, %.2f to %.2f\n", after.c_str(), middle(whole), middle(issue),
            middle(whole, 0), middle(whole, 1));
        std::fflush(stdout);
    };
    const Part plain {.name = "plain"};
    current = &plain;
    measure("");
    tell_all(words, measure);
}

}  // namespace

int main(int count, char** words)
{
    if (count == 3 && (std::strcmp(words[1], "--stages") == 0 || std::strcmp(words[1], "--ratio") == 0)) {
        cudaStream_t stream;
        check(cudaStreamCreate(&stream));
        run(stream, 500);
        std::strcmp(words[1], "--stages") == 0 ? stages(words[2], stream) : ratio(words[2], stream);
        return 0;
    }
    std::map<std::string, std::string> options {{"--rounds", "12"}, {"--block-ms", "100"}, {"--per-thread", "1"},
        {"--pinned", "0"}, {"--device-buffer", "3200000"}, {"--parts", "all"}};
    for (int i = 1; i + 1 < count; i += 2) {
        options[words[i]] = words[i + 1];
    }
    const int rounds = std::atoi(options["--rounds"].c_str());
    const int block_ms = std::atoi(options["--block-ms"].c_str());
    set(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, std::uint8_t {1}, "zeroed buffers");
    set(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER,
        static_cast<std::uint8_t>(std::atoi(options["--per-thread"].c_str())), "a buffer a thread");
    set(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, static_cast<std::size_t>(std::atol(options["--device-buffer"].c_str())),
        "device buffers");
    if (options["--pinned"] == "1") {
        set(CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED, std::uint8_t {1}, "pinned buffers");
    }
    const auto parts = all_parts(options["--parts"] == "few");
    current = &parts[0];
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    run(stream, 500);
    const auto before = run(stream, 300);
    check(cuptiActivityRegisterCallbacks(request, complete), "its buffers");
    std::printf("before CUPTI is told anything: %.2f us a launch, %.2f to issue\n", before.whole, before.issue);

    std::vector<std::vector<Block>> blocks(parts.size());
    std::vector<double> records(parts.size());
    std::vector<std::string> of_what(parts.size());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t turn = 0; turn < parts.size(); ++turn) {
            // Forwards and backwards in turn: none always follows the same one.
            const auto which = round % 2 == 0 ? turn : parts.size() - 1 - turn;
            switch_on(parts[which]);
            {
                const Flusher flusher(parts[which].flush_ms);
                blocks[which].push_back(run(stream, std::max(block_ms, std::min(parts[which].flush_ms * 2, 2000))));
            }
            switch_off(parts[which]);
        }
    }
    for (std::size_t which = 0; which < parts.size(); ++which) {  // not timed
        counting = true;
        switch_on(parts[which]);
        for (int i = 0; i < 1000; ++i) {
            tiny<<<1, 32, 0, stream>>>();
        }
        check(cudaStreamSynchronize(stream));
        switch_off(parts[which]);
        counting = false;
        for (const auto& [name, number] : counts) {
            records[which] += static_cast<double>(number) / 1000;
            of_what[which] += number >= 500 ? " " + name : "";
        }
        counts.clear();
    }
    std::printf(
        "%-38s %7s %6s %6s %6s %7s %7s %8s\n", "", "us", "ratio", "least", "most", "issue", "slow 1%", "records");
    for (std::size_t which = 0; which < parts.size(); ++which) {
        std::vector<double> whole;
        std::vector<double> issue;
        std::vector<double> slow;
        std::vector<double> ratios;
        for (int round = 0; round < rounds; ++round) {
            const auto& block = blocks[which][static_cast<std::size_t>(round)];
            whole.push_back(block.whole);
            issue.push_back(block.issue);
            slow.push_back(block.slow);
            ratios.push_back(block.whole / blocks[0][static_cast<std::size_t>(round)].whole);
        }
        std::printf("%-38s %7.2f %6.2f %6.2f %6.2f %7.2f %7.2f %8.2f%s\n", parts[which].name.c_str(), middle(whole),
            middle(ratios), middle(ratios, 0), middle(ratios, 1), middle(issue), middle(slow), records[which],
            of_what[which].c_str());
    }
    return 0;
}
