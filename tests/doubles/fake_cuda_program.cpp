// SPDX-License-Identifier: MIT
// A program that uses "CUDA", as far as a probe can tell: it loads $CUDA_INJECTION64_PATH
// as libcuda does inside cuInit, and has the CUPTI double record what its script says.
//
// Its arguments are the script, one word a step:
//   init           load the probe and call InitializeInjection (twice: once may count)
//   load           only load the probe, as lanescope.h does in a program without CUDA
//   nvtx           the first NVTX call of a library
//   calls=N        N launches and kernels, all complete
//   threads=T      T threads with 1000 launches each, at once
//   spin=N         N queries of an event; the last finds it ready
//   node=G.N       the thread captures the node N of the graph G; node=G.N<H.M: it is a copy of another one
//   make=G         cudaGraphInstantiate of G; make=G! by a call that CUPTI does not know
//   replay=G.N     cudaGraphLaunch of G, and the kernel of that node, or the whole graph if that is recorded: which
//                  ends the program unless it was also when G was instantiated, as CUPTI 13.0 does
//   destroy=G      cuGraphExecDestroy of G
//   host           a function of the host goes into stream 13
//   push=NAME      nvtxRangePushA, and pop its end
//   range=NAME     lanescope_range_push, and endrange its end
//   profiler=1     cudaProfilerStart, and 0 cudaProfilerStop; both with the driver's call inside
//   sync           cudaDeviceSynchronize
//   takeover       another profiler registers its callbacks, as torch.profiler does
//   hold           a kernel that goes on and on
//   drop=N         N records find no room
//   reset          cudaDeviceReset
//   disk=BYTES     RLIMIT_FSIZE
//   nothreads      from here on no thread can be started
//   fork           a child that makes 10 calls and exits
//   sleep=MS       do nothing
//   flushed        wait until a flush that began after this has ended
//   until=FILE     wait until there is such a file
//   ready          print "ready" to standard output
//   _exit          end without exit handlers; _Exit, quick_exit and abort likewise; threadexit: from a second thread
//   rawexit        end by the system call
//   close=N        close all descriptors from 3 to N
//   cover=N        open a file of its own under all of those numbers
//   raise=N        send oneself the signal, then print "went on"
//   vfork          a child that shares this memory ends by _exit
//   module         load a library that asks for CUPTI as a profiler does; subscribe: it asks
//   throw          throw and catch an exception
// Exit code 0 if all steps succeeded.
#include "tests/doubles/cupti_double.h"
#include "tests/no_threads.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <generated_nvtx_meta.h>
#include <map>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using lanes::doubles::CuptiDouble;

const CuptiDouble* cupti()
{
    void* library = ::dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    return library == nullptr ? nullptr : lanes::doubles::strings_of(library);
}

std::uint64_t now()
{
    timespec time {};
    clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

void load_probe(bool starts_cuda)
{
    const char* path = std::getenv("CUDA_INJECTION64_PATH");
    if (path == nullptr) {
        return;
    }
    void* probe = ::dlopen(path, RTLD_NOW);
    if (probe == nullptr) {
        throw std::runtime_error(::dlerror());
    }
    if (!starts_cuda) {
        return;
    }
    auto* initialize = reinterpret_cast<int (*)()>(::dlsym(probe, "InitializeInjection"));
    if (initialize == nullptr || initialize() != 1 || initialize() != 1) {
        throw std::runtime_error("InitializeInjection");
    }
}

void first_nvtx_call()
{
    const char* path = std::getenv("NVTX_INJECTION64_PATH");
    if (path == nullptr) {
        return;
    }
    void* tool = ::dlopen(path, RTLD_LAZY);
    using GetTable = const void*(std::uint32_t);
    auto* initialize
        = tool == nullptr ? nullptr : reinterpret_cast<int (*)(GetTable*)>(::dlsym(tool, "InitializeInjectionNvtx2"));
    GetTable* const no_tables = [](std::uint32_t) -> const void* { return nullptr; };
    if (initialize == nullptr || initialize(no_tables) != 1) {
        throw std::runtime_error("InitializeInjectionNvtx2");
    }
}

void make_call(std::uint32_t correlation, bool complete)
{
    const auto* own = cupti();
    if (own == nullptr || own->is_enabled(CUPTI_ACTIVITY_KIND_RUNTIME, 0) == 0) {
        return;
    }
    CUpti_ActivityAPI call {};
    call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    call.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
    call.start = now();
    call.end = call.start + 1000;
    call.processId = static_cast<std::uint32_t>(::getpid());
    call.threadId = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    call.correlationId = correlation;
    own->record(&call, 1);
    CUpti_ActivityKernel10 kernel {};
    kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel.start = complete ? call.end : 0;
    kernel.end = complete ? call.end + 1000 : 0;
    kernel.correlationId = correlation;
    kernel.name = "_Z4spinPfi";
    own->record(&kernel, complete ? 1 : 0);
}

/// CUPTI's id of "G.N".
std::uint64_t node_of(const std::string& text)
{
    char* end = nullptr;
    const std::uint64_t graph = std::strtoull(text.c_str(), &end, 10);
    return graph << 32U | (*end == '.' ? std::strtoull(end + 1, nullptr, 10) : 0);
}

void make_node(const std::string& text)
{
    const auto copied = text.find('<');
    cupti()->graph_node(node_of(text), copied == std::string::npos ? 0 : node_of(text.substr(copied + 1)));
}

/// By handle: whether whole graphs were recorded when they were instantiated.
std::map<std::uintptr_t, bool> instantiated;

void instantiate(const std::string& text)
{
    static std::uintptr_t graph = 0;
    graph = std::strtoull(text.c_str(), nullptr, 10);
    const auto make = [] {
        instantiated[graph] = cupti()->is_enabled(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, 0) != 0;
        cupti()->graph_exec();
    };
    if (text.back() == '!') {
        make();
        return;
    }
    cupti()->call_with(
        CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags, nullptr, 0, 0, make);
}

void replay(std::uint64_t node)
{
    static std::uint32_t made = 6'000'000;
    const std::uintptr_t handle = node >> 32U;
    cupti()->call_with(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, &handle, 0, 0, nullptr);
    CUpti_ActivityAPI call {};
    call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    call.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000;
    call.start = now();
    call.end = call.start + 1000;
    call.processId = static_cast<std::uint32_t>(::getpid());
    call.threadId = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    call.correlationId = ++made;
    cupti()->record(&call, 1);
    if (cupti()->is_enabled(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, 0) != 0) {
        CUpti_ActivityGraphTrace2 graph {};
        graph.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
        graph.start = call.end;
        graph.end = call.end + 1000;
        graph.correlationId = made;
        graph.graphId = static_cast<std::uint32_t>(node >> 32U);
        if (!instantiated[handle]) {
            std::fprintf(stderr, "graph %zu was instantiated without GRAPH_TRACE\n", static_cast<std::size_t>(handle));
            std::abort();
        }
        cupti()->record(&graph, 1);
        return;
    }
    CUpti_ActivityKernel10 kernel {};
    kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel.start = call.end;
    kernel.end = call.end + 1000;
    kernel.correlationId = made;
    kernel.name = "_Z4spinPfi";
    kernel.graphNodeId = node;
    cupti()->record(&kernel, 1);
}

/// A query of an event, and the synchronisation that CUPTI makes of it.
void make_query(std::uint32_t correlation, bool ready)
{
    const auto* own = cupti();
    CUpti_ActivityAPI call {};
    call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    call.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020;
    call.start = now();
    call.end = call.start + 300;
    call.processId = static_cast<std::uint32_t>(::getpid());
    call.threadId = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    call.correlationId = correlation;
    call.returnValue = ready ? 0 : 600;
    CUpti_ActivitySynchronization2 sync {};
    sync.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    sync.start = call.start + 100;
    sync.end = call.start + 200;
    sync.correlationId = correlation;
    sync.contextId = 1;
    sync.streamId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
    sync.cudaEventId = 3;
    sync.cudaEventSyncId = 5;
    own->record(&sync, 1);
    own->record(&call, 1);
}

void launch_host_function()
{
    const struct {
        std::uintptr_t stream;
        void *function, *data;
    } parameters {13, nullptr, nullptr};
    cupti()->call_with(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000, &parameters, 0,
        3'000'000, nullptr);
    CUpti_ActivityAPI call {};
    call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    call.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000;
    call.start = now();
    call.end = call.start + 2000;
    call.processId = static_cast<std::uint32_t>(::getpid());
    call.threadId = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    call.correlationId = 3'000'000;
    cupti()->record(&call, 1);
}

std::vector<std::uint32_t> open_ranges;

void mark(CUpti_ActivityFlag flag, std::uint32_t id, const char* name)
{
    CUpti_ActivityMarker2 marker {};
    marker.kind = CUPTI_ACTIVITY_KIND_MARKER;
    marker.flags = flag;
    marker.timestamp = now();
    marker.id = id;
    marker.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    marker.objectId.pt.processId = static_cast<std::uint32_t>(::getpid());
    marker.objectId.pt.threadId = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    marker.name = name;
    cupti()->record(&marker, 1);
}

/// CUPTI records what is enabled when the call begins, and tells the subscriber.
void push_range(const std::string& name)
{
    static std::uint32_t made = 0;
    const char* const text = ::strdup(name.c_str());  // stays, as a program's own texts do
    open_ranges.push_back(++made);
    const nvtxRangePushA_params parameters {text};
    if (cupti()->is_enabled(CUPTI_ACTIVITY_KIND_MARKER, 0) != 0) {
        mark(CUPTI_ACTIVITY_FLAG_MARKER_START, made, text);
    }
    cupti()->nvtx(CUPTI_CBID_NVTX_nvtxRangePushA, &parameters, nullptr);
}

void pop_range()
{
    if (cupti()->is_enabled(CUPTI_ACTIVITY_KIND_MARKER, 0) != 0) {
        mark(CUPTI_ACTIVITY_FLAG_MARKER_END, open_ranges.back(), nullptr);
    }
    open_ranges.pop_back();
    cupti()->nvtx(CUPTI_CBID_NVTX_nvtxRangePop, nullptr, nullptr);
}

template <class Function> Function* own_function(const char* name)
{
    const char* path = std::getenv("CUDA_INJECTION64_PATH");
    void* probe = path == nullptr ? nullptr : ::dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    auto* function = probe == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(probe, name));
    if (function == nullptr) {
        throw std::runtime_error(name);
    }
    return function;
}

void call_profiler(bool starts)
{
    static bool of_driver = false;
    of_driver = starts;
    cupti()->call_with(CUPTI_CB_DOMAIN_RUNTIME_API,
        starts ? CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000 : CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000,
        nullptr, 0, 0, [] {
            cupti()->call(CUPTI_CB_DOMAIN_DRIVER_API,
                of_driver ? CUPTI_DRIVER_TRACE_CBID_cuProfilerStart : CUPTI_DRIVER_TRACE_CBID_cuProfilerStop);
        });
}

void* asking_module = nullptr;

void synchronize()
{
    cupti()->call(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020);
    static std::uint32_t made = 5'000'000;
    make_call(++made, true);
}

void take_over()
{
    void* library = ::dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    const auto register_callbacks = reinterpret_cast<decltype(&cuptiActivityRegisterCallbacks)>(
        ::dlsym(library, "cuptiActivityRegisterCallbacks"));
    register_callbacks(
        [](std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
            *size = 1U << 20;
            *buffer = static_cast<std::uint8_t*>(std::calloc(*size, 1));
            *records = 0;
        },
        [](CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t) { std::free(buffer); });
}

/// The program must not outlive a failed test.
template <class Condition> void wait_until(Condition is_met)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!is_met()) {
        if (std::chrono::steady_clock::now() > end) {
            throw std::runtime_error("waited for a minute");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

void run(const std::string& word, const std::string& number)
{
    const auto count = static_cast<std::uint32_t>(std::strtoul(number.c_str(), nullptr, 10));
    if (word == "init" || word == "load") {
        load_probe(word == "init");
    } else if (word == "nvtx") {
        first_nvtx_call();
    } else if (word == "calls") {
        static std::uint32_t made = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            make_call(++made, true);
        }
    } else if (word == "threads") {
        std::vector<std::thread> threads;
        for (std::uint32_t t = 0; t < count; ++t) {
            threads.emplace_back([t] {
                for (std::uint32_t i = 1; i <= 1000; ++i) {
                    make_call(t * 1000 + i, true);
                }
            });
        }
        for (auto& thread : threads) {
            thread.join();
        }
    } else if (word == "spin") {
        for (std::uint32_t i = 1; i <= count; ++i) {
            make_query(4'000'000 + i, i == count);
        }
    } else if (word == "node") {
        make_node(number);
    } else if (word == "make") {
        instantiate(number);
    } else if (word == "replay") {
        replay(node_of(number));
    } else if (word == "destroy") {
        const std::uintptr_t handle = count;
        cupti()->call_with(
            CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy, &handle, 0, 0, nullptr);
    } else if (word == "host") {
        launch_host_function();
    } else if (word == "sync") {
        synchronize();
    } else if (word == "takeover") {
        take_over();
    } else if (word == "push") {
        push_range(number);
    } else if (word == "pop") {
        pop_range();
    } else if (word == "range") {
        own_function<void(const char*)>("lanescope_range_push")(number.c_str());
    } else if (word == "endrange") {
        own_function<void()>("lanescope_range_pop")();
    } else if (word == "profiler") {
        call_profiler(count != 0);
    } else if (word == "hold") {
        make_call(1'000'000, false);
    } else if (word == "drop") {
        cupti()->drop(count);
    } else if (word == "reset") {
        cupti()->call(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaDeviceReset_v3020);
    } else if (word == "disk") {
        const rlimit limit {count, count};
        setrlimit(RLIMIT_FSIZE, &limit);
    } else if (word == "nothreads") {
        static const lanes::NoThreads from_here_on;
    } else if (word == "fork") {
        const pid_t child = ::fork();
        if (child == 0) {
            for (std::uint32_t i = 1; i <= 10; ++i) {
                make_call(2'000'000 + i, true);
            }
            std::exit(0);
        }
        int status = -1;
        if (::waitpid(child, &status, 0) != child || status != 0) {
            throw std::runtime_error("the child failed");
        }
    } else if (word == "sleep") {
        std::this_thread::sleep_for(std::chrono::milliseconds(count));
    } else if (word == "flushed") {
        const auto before = cupti()->flushes();
        wait_until([before] { return cupti()->flushes() >= before + 2; });  // the first may have begun before
    } else if (word == "until") {
        wait_until([&number] { return ::access(number.c_str(), F_OK) == 0; });
    } else if (word == "ready") {
        std::puts("ready");
        std::fflush(stdout);
    } else if (word == "_exit") {
        ::_exit(0);
    } else if (word == "_Exit") {
        std::_Exit(0);
    } else if (word == "quick_exit") {
        std::quick_exit(0);
    } else if (word == "abort") {
        std::abort();
    } else if (word == "threadexit") {
        std::thread([] { ::_exit(0); }).join();
    } else if (word == "rawexit") {
        ::syscall(SYS_exit_group, 0);
    } else if (word == "close" || word == "cover") {
        // By the kernel alone: that another thread uses them is the test, and TSan would end the program for it.
        const int file = word == "cover" ? ::open("/dev/null", O_WRONLY) : -1;
        for (int at = 3; at <= static_cast<int>(count); ++at) {
            if (file < 0) {
                ::syscall(SYS_close, at);
            } else if (at != file) {
                ::syscall(SYS_dup3, file, at, 0);
            }
        }
    } else if (word == "raise") {
        ::raise(static_cast<int>(count));
        std::puts("went on");
    } else if (word == "vfork") {
        const pid_t child = ::vfork();
        if (child == 0) {
            ::_exit(3);
        }
        int status = -1;
        if (::waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 3) {
            throw std::runtime_error("the child failed");
        }
    } else if (word == "module") {
        ::dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
        asking_module = ::dlopen(LANES_ASKING_MODULE, RTLD_NOW);
        if (asking_module == nullptr) {
            throw std::runtime_error(::dlerror());
        }
    } else if (word == "subscribe") {
        auto* const ask = reinterpret_cast<int (*)()>(::dlsym(asking_module, "ask_for_cupti"));
        if (ask() != CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
            throw std::runtime_error("it was not refused");
        }
    } else if (word == "throw") {
        try {
            throw std::runtime_error("caught");
        } catch (const std::runtime_error&) {
        }
    } else {
        throw std::runtime_error("no such word: " + word);
    }
}

}  // namespace

int main(int count, char** words)
{
    try {
        for (int i = 1; i < count; ++i) {
            const std::string word = words[i];
            const auto equals = word.find('=');
            run(word.substr(0, equals), equals == std::string::npos ? "" : word.substr(equals + 1));
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
