// SPDX-License-Identifier: MIT
// Compiles one step into actions: evaluates its values, resolves its names, and checks that buffers and streams are on
// the GPUs where the step needs them.
#pragma once

#include "engine/workload/scope.h"

#include <functional>

namespace lanes::syntax {

class Actions {
public:
    Actions(Scope& scope, Program& program)
        : m_scope(scope)
        , m_program(program)
    {
    }

    using Emit = std::function<void(Action)>;
    /// Calls `emit` for each action of a step without inner steps. Throws WorkloadError.
    void of(const Step& step, const Emit& emit);

    Index stream(const Argument& argument, std::size_t which = 0) const;
    /// The graph that the argument names. Adds it to the Program at its first use.
    Index graph(const Argument& argument);
    /// Throws WorkloadError if `code` reads the value of a buffer that is not in host memory.
    void check_host_values(const Argument& argument, const ValueCode& code) const;

private:
    KernelAction kernel(const Step& step) const;
    CopyAction copy(const Step& step) const;
    MemsetAction memset(const Step& step) const;
    CpuAction cpu(const Step& step) const;
    ReadAction read(const Step& step) const;
    void write(const Step& step, const Emit& emit) const;
    AllReduceAction all_reduce(const Step& step) const;
    void sync(const Step& step, const Emit& emit) const;
    void allocate(const Step& step, const Emit& emit);
    std::pair<std::uint64_t, std::uint64_t> span(const Step& step, std::uint64_t bytes) const;
    void check_reach(const Argument& argument, Index buffer, Index stream) const;
    bool flag(const Step& step, std::string_view key) const;
    bool are_peers(std::uint32_t a, std::uint32_t b) const;

    Scope& m_scope;
    Program& m_program;
};

}  // namespace lanes::syntax
