// SPDX-License-Identifier: MIT
// Replaces functions that the modules of this process import by name.
//
// A module (the program, each shared library) calls a function of another through a table of addresses that the dynamic
// linker fills in. To write another address there needs no preloaded library, so the program's environment, and that of
// its children, stays as it is. Not seen: calls within one module, such as exit()'s own call of _exit, programs that
// are linked statically, and addresses that were taken before.
#pragma once

#include <span>

namespace lanes {

struct ReplacedImport {
    const char* name;
    void* replacement;  ///< of the same type as the function
    void** original = nullptr;  ///< set to what the first such module would have called, unless it is null
};

/// In each loaded module that imports one of these names; the module of the replacements itself is left alone. Modules
/// that are loaded later keep the original until the next call, which looks at these alone, and costs 1 us where there
/// are none (the first call: some 10 ms for 300 modules). A module that another thread is loading is left to a later
/// call, too. A fork waits until a call has ended. Must not be called from within the loader. One thread at a time.
void replace_imports(std::span<const ReplacedImport> imports);

}  // namespace lanes
