// SPDX-License-Identifier: MIT
// What it costs to bind a query to a recording, and to match it against every operation.
// `bench_query [OPERATIONS]`, ten million if not said; 50 kernels of two names each on 20 streams, a fourth copies.
#include "engine/analysis/query/query_matcher.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace lanes;

namespace {

Trace random_trace(std::size_t operations)
{
    Trace trace;
    std::vector<StringId> names, full;
    for (int i = 0; i < 50; ++i) {
        names.push_back(trace.strings.intern("kernel_" + std::to_string(i)));
        full.push_back(trace.strings.intern("void ns::kernel_" + std::to_string(i) + "<float, 4>(float*, int)"));
    }
    const StringId copy = trace.strings.intern("Memcpy HtoD");
    for (std::uint32_t id = 0; id < 20; ++id) {
        trace.streams.push_back({1, 0, 1, 7 + id, 0, 0, StreamRecord::unknown});
    }
    auto& table = trace.operations;
    std::uint32_t seed = 1;
    for (std::size_t i = 0; i < operations; ++i) {
        seed = seed * 1664525 + 1013904223;
        const bool kernel = (seed >> 28U) > 3;
        const auto start = static_cast<Ns>(i) * 1000;
        table.start.push_back(start);
        table.end.push_back(start + seed % 5000);
        table.stream.push_back(static_cast<Row>(i * 20 / operations));
        table.kind.push_back(kernel ? OperationKind::kernel : OperationKind::h2d);
        table.name.push_back(kernel ? names[(seed >> 8U) % 50] : copy);
        table.correlation.push_back(0);
        table.call.push_back(no_row);
        table.detail.push_back(static_cast<Row>(kernel ? trace.kernels.size() : trace.copies.size()));
        if (kernel) {
            trace.kernels.push_back({full[(seed >> 8U) % 50], {1, 1, 1}, {1, 1, 1}, 0, 0, 0, 0, 0});
        } else {
            trace.copies.push_back({});
        }
    }
    return trace;
}

template <class Work> double milliseconds(Work work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv)
{
    const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    const Trace trace = random_trace(count);
    std::printf("%zu operations\n", count);
    for (const char* text :
        {"kernel_7", "nothing like it", "h2d", "dur>4us", "kind:copy", "kernel_7 or h2d dur>4us -stream:9", "<float"}) {
        const Query query = Query::parse(text);
        std::size_t found = 0;
        double bound = 0;
        const double asked = milliseconds([&] {
            std::vector<QueryMatcher> matcher;
            bound = milliseconds([&] { matcher.emplace_back(query, trace); });
            for (Row row = 0; row < count; ++row) {
                found += matcher.front().operation(row);
            }
        });
        std::printf("  %-36s %9zu found, bound in %.2f ms, asked in %.0f ms\n", text, found, bound, asked - bound);
    }
    return EXIT_SUCCESS;
}
