// SPDX-License-Identifier: MIT
// Memory that is allocated and freed, or pinned, between one piece of GPU work and the next.
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/figures/first_operators.h"
#include "engine/analysis/findings/search.h"

#include <array>

namespace lanes {

namespace {

/// Which calls remain if memory is reused from a pool that is empty at first: it allocates whenever all it has is in
/// use. If a program frees none, nothing says how long memory is in use: at least one allocation remains.
class Reuse {
public:
    /// Call it for each call of the loop before the first is_left().
    void prepare(std::string_view name)
    {
        auto& memory = of(name);
        memory.is_freed = memory.is_freed || frees(name);
    }
    bool is_left(std::string_view name)
    {
        auto& memory = of(name);
        if (frees(name)) {
            ++memory.unused;
            return false;
        }
        if (memory.unused > 0) {
            memory.unused -= memory.is_freed ? 1 : 0;
            return false;
        }
        memory.unused += memory.is_freed ? 0 : 1;
        return true;
    }

private:
    struct Memory {
        bool is_freed = false;
        std::size_t unused = 0;
    };
    static bool has(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }
    static bool frees(std::string_view name) { return has(name, "Free") || has(name, "Unregister"); }
    Memory& of(std::string_view name) { return m_of[has(name, "Host") ? 1 : 0]; }
    std::array<Memory, 2> m_of {};  ///< of GPUs and of the host
};

}  // namespace

Candidate find_allocations(const Search& search)
{
    const auto& trace = search.trace;
    const auto& calls = trace.calls;
    Candidate found;
    found.rule = "allocation-in-loop";
    std::vector<bool> allocates(search.bounds.classes.size());  // by name
    bool any = false;
    for (StringId name = 0; name < allocates.size(); ++name) {
        allocates[name] = search.bounds.classes[name] == CallClass::memory
            && trace.text(name).find("Async") == std::string_view::npos;  // a stream's pool answers at once
        any = any || allocates[name];
    }
    if (!any) {
        return found;
    }
    std::vector<Ns> first_issue(trace.threads.size(), INT64_MAX);
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const Row call = search.issuer(row);
        if (call != no_row && calls.thread[call] != no_row) {
            auto& first = first_issue[calls.thread[call]];
            first = std::min(first, calls.start[call]);
        }
    }
    const auto first = first_operators(trace);
    Reuse reuse;
    const auto name_of_call = [&](Row call) { return trace.text(calls.name[call]); };
    for (Row call = 0; call < calls.size(); ++call) {
        const Row thread = calls.thread[call];
        if (allocates[calls.name[call]] && calls.outer[call] == no_row && thread != no_row
            && calls.start[call] > first_issue[thread] && calls.start[call] < search.bounds.threads[thread].last_issue
            && !is_in_first_operator(first, thread, calls.start[call])) {  // seconds that initialise CUDA are no loop
            if (const Interval part = search.part_in_range(calls.start[call], calls.end[call]); length(part) > 0) {
                found.take(part, {EventTable::calls, call});
                found.rows.calls.push_back(call);
                reuse.prepare(name_of_call(call));
            }
        }
    }
    replay::FoundRows reused;
    for (const Row call : found.rows.calls) {
        if (!reuse.is_left(name_of_call(call))) {
            reused.calls.push_back(call);
        }
    }
    if (!found.rows.calls.empty()) {
        found.otherwise = std::move(reused);
    }
    found.bound_by_taken();
    if (found.evidence.count() < a_loop) {
        found.bound = 0;
    }
    return found;
}

}  // namespace lanes
