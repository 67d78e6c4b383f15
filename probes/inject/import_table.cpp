// SPDX-License-Identifier: MIT
#include "probes/inject/import_table.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <mutex>
#include <pthread.h>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace lanes {

namespace {

#if defined(__x86_64__)
bool holds_an_address(ElfW(Xword) info)
{
    const auto type = ELF64_R_TYPE(info);
    return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_64;
}
#elif defined(__aarch64__)
bool holds_an_address(ElfW(Xword) info)
{
    const auto type = ELF64_R_TYPE(info);
    return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT || type == R_AARCH64_ABS64;
}
#else
#error "no relocations are known for this processor"
#endif

/// Addresses in memory, as the dynamic linker has left them: glibc makes them absolute.
struct Module {
    const dl_phdr_info* info = nullptr;
    std::uintptr_t base = 0;
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
    std::size_t names_size = 0;
    std::span<const ElfW(Rela)> calls, data;
    std::uintptr_t read_only_begin = 0, read_only_end = 0;  ///< after relocation; whole pages
};

/// What /proc/self/maps says of the memory at an address, or why that is not known. Allocates nothing: the loader's
/// list is locked. Cost: reads the file, some µs for each mapping before the address.
enum class Access : std::uint8_t { read_only, writable, unknown };
Access access_of(std::uintptr_t address)
{
    const int file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return Access::unknown;
    }
    // "7f3a5c000000-7f3a5c021000 rw-p …": two numbers, then what is allowed; the rest of the line says nothing to us.
    enum { begins, ends, allows, passed } part = begins;
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::size_t place = 0;
    auto found = Access::unknown;
    std::array<char, 4096> text {};
    const auto digit_of = [](char c) { return static_cast<std::uintptr_t>(c <= '9' ? c - '0' : c - 'a' + 10); };
    for (bool goes_on = true; goes_on;) {
        const auto size = ::read(file, text.data(), text.size());
        goes_on = size > 0;
        for (const char c : std::string_view(text.data(), goes_on ? static_cast<std::size_t>(size) : 0)) {
            if (c == '\n') {
                part = begins;
                begin = end = place = 0;
            } else if (part == begins && c == '-') {
                part = ends;
            } else if (part == begins) {
                begin = begin * 16 + digit_of(c);
            } else if (part == ends && c == ' ') {
                part = allows;
            } else if (part == ends) {
                end = end * 16 + digit_of(c);
            } else if (part == allows && ++place == 2) {
                part = passed;
                if (address >= begin && address < end) {
                    found = c == 'w' ? Access::writable : Access::read_only;
                    goes_on = false;
                    break;
                }
            }
        }
    }
    ::close(file);
    return found;
}

std::uintptr_t page_size()
{
    return static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
}

bool contains(const dl_phdr_info& info, std::uintptr_t at)
{
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const auto& part = info.dlpi_phdr[i];
        const auto begin = info.dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD && at >= begin && at - begin < part.p_memsz) {
            return true;
        }
    }
    return false;
}

/// Without symbols: it imports nothing.
Module module_of(const dl_phdr_info& info)
{
    Module module;
    module.info = &info;
    module.base = info.dlpi_addr;
    const ElfW(Dyn)* entry = nullptr;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const auto& part = info.dlpi_phdr[i];
        if (part.p_type == PT_DYNAMIC) {
            entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + part.p_vaddr);
        } else if (part.p_type == PT_GNU_RELRO) {
            // The linker protects no page that holds anything else.
            const auto page = page_size();
            module.read_only_begin = (info.dlpi_addr + part.p_vaddr) / page * page;
            module.read_only_end = (info.dlpi_addr + part.p_vaddr + part.p_memsz) / page * page;
        }
    }
    const ElfW(Rela)* calls = nullptr;
    const ElfW(Rela)* data = nullptr;
    std::size_t calls_size = 0;
    std::size_t data_size = 0;
    for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
        // The kernel's own module (vdso) has offsets here; it imports nothing.
        const auto address = entry->d_un.d_ptr;
        switch (entry->d_tag) {
        case DT_SYMTAB:
            module.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
            break;
        case DT_STRTAB:
            module.names = reinterpret_cast<const char*>(address);
            break;
        case DT_STRSZ:
            module.names_size = entry->d_un.d_val;
            break;
        case DT_JMPREL:
            calls = reinterpret_cast<const ElfW(Rela)*>(address);
            break;
        case DT_PLTRELSZ:
            calls_size = entry->d_un.d_val;
            break;
        case DT_RELA:
            data = reinterpret_cast<const ElfW(Rela)*>(address);
            break;
        case DT_RELASZ:
            data_size = entry->d_un.d_val;
            break;
        default:
            break;
        }
    }
    if (calls != nullptr) {
        module.calls = {calls, calls_size / sizeof *calls};
    }
    if (data != nullptr) {
        module.data = {data, data_size / sizeof *data};
    }
    if (module.names == nullptr) {
        module.symbols = nullptr;
    }
    return module;
}

struct Walk {
    std::span<const ReplacedImport> imports;
    bool is_first = true;
    bool is_last = false;  ///< no other follows for modules that are being loaded
    bool is_complete = true;  ///< none was being loaded
    bool is_settled = true;  ///< nor did a slot lack its function
    int place = 0;  ///< of the module that is looked at, in the loader's list
};

/// Another thread's dlopen() lists a module before it has filled its slots in and made them read-only. What is written
/// there is then overwritten, and to make the page read-only would end the program as the linker writes the next slot:
/// such a module is left to a later walk. Until it is filled in, a slot has nothing or an address as the file has it.
/// `is_weak`: it may stay without a function, which is none of ours to change.
void replace_at(const Module& module, std::uintptr_t place, const ReplacedImport& import, bool is_weak, Walk& walk)
{
    auto* const slot = reinterpret_cast<void**>(place);
    void* const original = std::atomic_ref<void*>(*slot).load(std::memory_order_relaxed);
    if (original == import.replacement) {
        return;
    }
    const auto value = reinterpret_cast<std::uintptr_t>(original);
    if (value == 0 || (module.base != 0 && contains(*module.info, module.base + value))) {
        walk.is_complete = walk.is_complete && value == 0 && is_weak;
        walk.is_settled = false;
        return;
    }
    bool is_read_only = place >= module.read_only_begin && place < module.read_only_end;
    if (is_read_only) {
        const auto access = access_of(place);
        if (access == Access::unknown) {
            return;
        }
        is_read_only = access == Access::read_only;
        if (!is_read_only && !walk.is_last) {
            walk.is_complete = walk.is_settled = false;
            return;
        }
    }
    const auto page = page_size();
    const auto begin = place / page * page;
    const auto size = (place + sizeof(void*) - begin + page - 1) / page * page;
    if (is_read_only && ::mprotect(reinterpret_cast<void*>(begin), size, PROT_READ | PROT_WRITE) != 0) {
        return;
    }
    if (import.original != nullptr && *import.original == nullptr) {
        *import.original = original;
    }
    std::atomic_ref<void*>(*slot).store(import.replacement);
    if (is_read_only) {
        ::mprotect(reinterpret_cast<void*>(begin), size, PROT_READ);
    }
}

void replace_in(const Module& module, Walk& walk)
{
    for (const auto& relocations : {module.calls, module.data}) {
        for (const auto& relocation : relocations) {
            if (!holds_an_address(relocation.r_info)) {
                continue;
            }
            const auto& symbol = module.symbols[ELF64_R_SYM(relocation.r_info)];
            if (symbol.st_shndx != SHN_UNDEF || symbol.st_name >= module.names_size) {
                continue;
            }
            for (const auto& import : walk.imports) {
                if (std::strcmp(module.names + symbol.st_name, import.name) == 0) {
                    replace_at(module, module.base + relocation.r_offset, import,
                        ELF64_ST_BIND(symbol.st_info) == STB_WEAK, walk);
                }
            }
        }
    }
}

constexpr int most_walks_more = 100;
unsigned long long modules_loaded = 0;  ///< ever, at the last walk
unsigned long long modules_gone = 0;
int walks_left = 0;  ///< although no module came or went: some were being loaded
int modules_done = 0;  ///< at the head of the loader's list, to whose end modules are added

/// Held while the loader's list is locked: see no_walk_at_fork().
std::mutex& walking()
{
    static std::mutex held;
    return held;
}

/// The lock of the loader's list would stay locked in a child that another thread forks during a walk, and the child's
/// first dlopen() would wait for ever: a fork waits for the walk's end. Nothing in a walk waits for what forks.
void no_walk_at_fork()
{
    static const int once
        = pthread_atfork([] { walking().lock(); }, [] { walking().unlock(); }, [] { walking().unlock(); });
    static_cast<void>(once);
}

extern "C" int visit(dl_phdr_info* info, std::size_t, void* data)
{
    auto& walk = *static_cast<Walk*>(data);
    if (walk.is_first) {
        const bool as_before = info->dlpi_adds == modules_loaded && info->dlpi_subs == modules_gone;
        if (as_before && walks_left == 0) {
            return 1;
        }
        walks_left = as_before ? walks_left - 1 : most_walks_more;
        walk.is_last = walks_left == 0;
        if (info->dlpi_subs != modules_gone) {
            modules_done = 0;
        }
        modules_loaded = info->dlpi_adds;
        modules_gone = info->dlpi_subs;
        walk.is_first = false;
    }
    if (walk.place++ < modules_done) {
        return 0;
    }
    if (!contains(*info, reinterpret_cast<std::uintptr_t>(&visit))) {
        if (const auto module = module_of(*info); module.symbols != nullptr) {
            replace_in(module, walk);
        }
    }
    if (walk.is_settled) {
        modules_done = walk.place;
    }
    return 0;
}

}  // namespace

void replace_imports(std::span<const ReplacedImport> imports)
{
    no_walk_at_fork();
    const std::lock_guard lock(walking());
    Walk walk {imports};
    ::dl_iterate_phdr(visit, &walk);
    if (!walk.is_first && walk.is_complete) {
        walks_left = 0;
    }
}

}  // namespace lanes
