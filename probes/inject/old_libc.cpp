// SPDX-License-Identifier: MIT
// Two functions of newer C libraries, for what carries its own C++ library and must
// start on glibc 2.34.
//
// GCC 12's archives were built against a newer one; with -static-libgcc and
// -static-libstdc++ their needs become ours. libgcc_eh asks _dl_find_object
// (GLIBC_2.35) where a frame's unwind table is: here dl_iterate_phdr answers, as it
// did before. Slower, and used only when something throws. std::random_device asks
// arc4random (GLIBC_2.36): here getrandom answers.
//
// To be linked as an object, so that it precedes the archives.
#include <cerrno>
#include <cstdint>
#include <dlfcn.h>
#include <link.h>
#include <sys/random.h>

#ifdef DLFO_EH_SEGMENT_TYPE

namespace {

struct Search {
    std::uintptr_t address;
    dl_find_object* result;
};

int look_at(dl_phdr_info* object, std::size_t, void* data)
{
    auto* search = static_cast<Search*>(data);
    bool holds = false;
    const ElfW(Phdr)* unwind = nullptr;
    std::uintptr_t from = UINTPTR_MAX;
    std::uintptr_t to = 0;
    for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
        const auto& segment = object->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD) {
            const auto begin = object->dlpi_addr + segment.p_vaddr;
            const auto end = begin + segment.p_memsz;
            holds = holds || (begin <= search->address && search->address < end);
            from = begin < from ? begin : from;
            to = end > to ? end : to;
        } else if (segment.p_type == DLFO_EH_SEGMENT_TYPE) {
            unwind = &segment;
        }
    }
    if (!holds || unwind == nullptr) {
        return holds ? -1 : 0;
    }
    *search->result = {};
    search->result->dlfo_map_start = reinterpret_cast<void*>(from);
    search->result->dlfo_map_end = reinterpret_cast<void*>(to);
    search->result->dlfo_eh_frame = reinterpret_cast<void*>(object->dlpi_addr + unwind->p_vaddr);
    return 1;
}

}  // namespace

extern "C" int _dl_find_object(void* address, dl_find_object* result) noexcept
{
    Search search {reinterpret_cast<std::uintptr_t>(address), result};
    return dl_iterate_phdr(look_at, &search) == 1 ? 0 : -1;
}

#endif

extern "C" std::uint32_t arc4random() noexcept
{
    std::uint32_t number = 0;
    while (::getrandom(&number, sizeof number, 0) != sizeof number && errno == EINTR) { }
    return number;
}
