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

    Index stream(const Argument& argument) const;
    /// The graph that the argument names. Adds it to the Program at its first use.
    Index graph(const Argument& argument);
    /// Throws WorkloadError if `code` reads the value of a buffer that is not in host memory.
    void check_host_values(const Argument& argument, const ValueCode& code) const;

private:
    Scope& m_scope;
    Program& m_program;
};

}  // namespace lanes::syntax
