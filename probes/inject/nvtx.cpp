// SPDX-License-Identifier: MIT
// liblanes-nvtx.so: passes the NVTX headers' call for a tool on to the process's one
// CUPTI. See environment.h for why this is not CUPTI itself.
#include "probes/cupti/find_cupti.h"
#include "probes/inject/environment.h"

#include <cstdlib>
#include <dlfcn.h>

/// NVTX's NvtxGetExportTableFunc_t, passed on unread. Returns 0 when there is no tool: NVTX then does nothing.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(void* get_export_table)
{
    if (const char* spool = std::getenv(lanes::probe_variable::spool); spool == nullptr || *spool == '\0') {
        return 0;
    }
    try {
        const auto library
            = lanes::find_cupti(lanes::folder_of_code(reinterpret_cast<const void*>(&InitializeInjectionNvtx2)));
        if (!library.usable()) {
            return 0;
        }
        using Initialize = int(void*);
        auto* initialize = reinterpret_cast<Initialize*>(::dlsym(library.handle, "InitializeInjectionNvtx2"));
        return initialize == nullptr ? 0 : initialize(get_export_table);
    } catch (...) {
        return 0;
    }
}
