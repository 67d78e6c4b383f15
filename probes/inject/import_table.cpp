// SPDX-License-Identifier: MIT
#include "probes/inject/import_table.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <link.h>
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
    std::uintptr_t base = 0;
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
    std::size_t names_size = 0;
    std::span<const ElfW(Rela)> calls, data;
    std::uintptr_t read_only_begin = 0, read_only_end = 0;  ///< after relocation
};

bool contains(const dl_phdr_info& info, const void* address)
{
    const auto at = reinterpret_cast<std::uintptr_t>(address);
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
    module.base = info.dlpi_addr;
    const ElfW(Dyn)* entry = nullptr;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const auto& part = info.dlpi_phdr[i];
        if (part.p_type == PT_DYNAMIC) {
            entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + part.p_vaddr);
        } else if (part.p_type == PT_GNU_RELRO) {
            module.read_only_begin = info.dlpi_addr + part.p_vaddr;
            module.read_only_end = module.read_only_begin + part.p_memsz;
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

void replace_at(const Module& module, std::uintptr_t place, const ReplacedImport& import)
{
    auto* const slot = reinterpret_cast<void**>(place);
    void* const original = std::atomic_ref<void*>(*slot).load(std::memory_order_relaxed);
    if (original == import.replacement) {
        return;
    }
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = place / page * page;
    const auto size = (place + sizeof(void*) - begin + page - 1) / page * page;
    const bool is_read_only = place >= module.read_only_begin && place < module.read_only_end;
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

void replace_in(const Module& module, std::span<const ReplacedImport> imports)
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
            for (const auto& import : imports) {
                if (std::strcmp(module.names + symbol.st_name, import.name) == 0) {
                    replace_at(module, module.base + relocation.r_offset, import);
                }
            }
        }
    }
}

struct Walk {
    std::span<const ReplacedImport> imports;
    bool is_first = true;
};

unsigned long long modules_loaded = 0;  ///< ever, at the last walk
unsigned long long modules_gone = 0;

extern "C" int visit(dl_phdr_info* info, std::size_t, void* data)
{
    auto& walk = *static_cast<Walk*>(data);
    if (walk.is_first) {
        if (info->dlpi_adds == modules_loaded && info->dlpi_subs == modules_gone) {
            return 1;
        }
        modules_loaded = info->dlpi_adds;
        modules_gone = info->dlpi_subs;
        walk.is_first = false;
    }
    if (!contains(*info, reinterpret_cast<const void*>(&visit))) {
        if (const auto module = module_of(*info); module.symbols != nullptr) {
            replace_in(module, walk.imports);
        }
    }
    return 0;
}

}  // namespace

void replace_imports(std::span<const ReplacedImport> imports)
{
    Walk walk {imports};
    ::dl_iterate_phdr(visit, &walk);
}

}  // namespace lanes
