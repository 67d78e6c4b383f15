// SPDX-License-Identifier: MIT
// Controls of the CUPTI double, for tests: libcupti.so.13 without a GPU under it.
//
// It keeps CUPTI's rules as far as the recorder depends on them: a buffer a thread
// (or one for all), requested on the thread that needs it; full ones are handed back
// from a worker thread, complete ones by a flush, incomplete ones by a forced flush;
// records follow one another, and only GetNextRecord knows how far apart; a count
// of dropped records is handed out once; one subscriber. What it lacks is CUDA: it
// proves threading and parsing, nothing about a driver.
//
// Environment, read when it is needed:
//   LANES_DOUBLE_VERSION     what cuptiGetVersion says, 130001 unless set
//   LANES_DOUBLE_SUBSCRIBER  the slot is taken by a tool of that name
//   LANES_DOUBLE_REFUSES     the number of an activity kind that cannot be enabled
//   LANES_DOUBLE_PADDING     bytes by which each record is longer than 13.0's, as in later versions
//
// EnableAndDump finds one stream, 13, non-blocking. A context has the id 1. A stream's id is its handle's number;
// the default stream's is 7, the calling thread's own 8; handle 0xbad is none. A graph node's id is its handle's
// number.
//
// Reached with dlsym: `struct CuptiDouble` holds the functions.
#pragma once

#include <cstdint>
#include <cupti.h>
#include <dlfcn.h>

namespace lanes::doubles {

struct CuptiDouble {
    /// The calling thread records an activity. 0: it is not complete yet, and holds back its buffer.
    void (*record)(const void* activity, int complete);
    /// All incomplete records become complete.
    void (*complete_all)();
    /// That many records find no room.
    void (*drop)(std::size_t count);
    /// A call of the API; the subscriber is called before and after.
    void (*call)(CUpti_CallbackDomain domain, CUpti_CallbackId id);
    /// The same of a call with parameters, a result and a correlation; `inside` (may be null) happens between.
    void (*call_with)(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* parameters, int result,
        std::uint32_t correlation, void (*inside)());
    /// A call of NVTX; the subscriber is called.
    void (*nvtx)(CUpti_CallbackId id, const void* parameters, const void* result);
    /// The calling thread makes the node of a graph, or a copy of `original`; the subscriber is called.
    void (*graph_node)(std::uint64_t node, std::uint64_t original);
    /// 1 if the kind is enabled (`cbid` 0), or if that call of the RUNTIME or DRIVER kind is.
    int (*is_enabled)(CUpti_ActivityKind kind, CUpti_CallbackId cbid);
    /// The value that was set, or -1.
    long long (*attribute)(CUpti_ActivityAttribute attribute);
    /// Flushes so far; how often InitializeInjectionNvtx2 was called.
    unsigned (*flushes)();
    unsigned (*nvtx_calls)();
    /// How often CUPTI was detached.
    unsigned (*finalized)();
    /// As if it had just been loaded. No other thread may use it meanwhile.
    void (*forget)();
};

/// The double's controls in a library from dlopen; null if it is not a double.
inline const CuptiDouble* strings_of(void* library)
{
    return static_cast<const CuptiDouble*>(::dlsym(library, "lanes_cupti_double"));
}

}  // namespace lanes::doubles
