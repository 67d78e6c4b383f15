// SPDX-License-Identifier: MIT
// CUPTI's activities, turned into records.
//
// CUPTI fills the newest layout of a record that the loaded library knows; the
// layouts of one family only grow at their end. Each activity is therefore read as
// its 13.0 struct, from the pointer that cuptiActivityGetNextRecord gave, and never
// stepped over by its size.
//
// Queries that a thread makes while it polls are joined (query_spins.h).
//
// A converter belongs to one thread at a time and takes no lock but the sink's for a
// text that it has not met. Cost: about 30 ns an API call, 55 ns a kernel
// (bench_conversion).
#pragma once

#include "probes/cupti/cupti_api.h"
#include "probes/cupti/query_spins.h"
#include "probes/cupti/record_batch.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace lanes {

class ProcessFacts;
class WholeGraphs;

class Converter {
public:
    /// All must outlive it. `facts` learns the threads and streams that records name; `graphs` says which whole graphs
    /// are of the recorded part, null: all.
    Converter(const CuptiApi& api, RecordSink& sink, ProcessFacts& facts, const WholeGraphs* graphs = nullptr);

    /// Converts all records of a buffer of CUPTI's and hands them to the sink.
    void convert(std::uint8_t* buffer, std::size_t valid_bytes);

    /// Converts one activity; it reaches the sink with `finish`. Frees what CUPTI leaves the client to free.
    void take(const CUpti_Activity* activity);
    void finish();

private:
    void take_api(const CUpti_Activity* activity, ApiCallRecord::Api api);
    void take_kernel(const CUpti_Activity* activity);
    void take_graph(const CUpti_Activity* activity);
    void take_copy(const CUpti_Activity* activity);
    void take_peer_copy(const CUpti_Activity* activity);
    void take_memset(const CUpti_Activity* activity);
    void take_sync(const CUpti_Activity* activity);
    void take_event(const CUpti_Activity* activity);
    void take_overhead(const CUpti_Activity* activity);
    void take_marker(const CUpti_Activity* activity);
    void take_marker_data(const CUpti_Activity* activity);
    void take_device(const CUpti_Activity* activity);
    void take_context(const CUpti_Activity* activity);
    void take_stream(const CUpti_Activity* activity);
    void take_name(const CUpti_Activity* activity);

    StringId api_name(ApiCallRecord::Api api, CUpti_CallbackId id);
    StringId kernel_name(const char* mangled);
    StringId text(const char* words);
    StringId range_name(const char* words);  ///< of a PyTorch operator: its name alone
    void see_thread(std::uint32_t thread);

    const CuptiApi& m_api;
    RecordSink& m_sink;
    ProcessFacts& m_facts;
    const WholeGraphs* const m_graphs;
    const std::uint32_t m_process;
    std::uint32_t m_version = 0;
    RecordBatch m_batch;
    QuerySpins m_spins;
    std::vector<StringId> m_api_names[2];
    std::unordered_map<std::string, StringId> m_kernel_names;
    std::string m_lookup;
    std::unordered_map<std::uint32_t, std::uint32_t> m_colors;  ///< marker id -> ARGB, within one buffer
    std::vector<std::uint32_t> m_threads;  ///< seen in this buffer
    std::uint32_t m_last_thread = 0;
};

/// "cudaLaunchKernel" of "cudaLaunchKernel_v7000".
std::string_view without_runtime_version(std::string_view callback_name);

}  // namespace lanes
