// SPDX-License-Identifier: MIT
#include "probes/cupti/find_cupti.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <unistd.h>

namespace lanes {

namespace {

constexpr const char* soname = "libcupti.so.13";

/// One place to look at: a file, or a bare name for the loader to find.
struct Candidate {
    std::string place, file;
};

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

std::vector<std::string> folders_matching(const char* pattern)
{
    std::vector<std::string> folders;
    glob_t found {};
    if (::glob(pattern, GLOB_ONLYDIR, nullptr, &found) == 0) {
        folders.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    ::globfree(&found);
    return folders;
}

/// In a toolkit's folder CUPTI is in one of three places, depending on how the toolkit was packaged.
void add_toolkit(std::vector<Candidate>& candidates, const std::string& place, const std::string& root)
{
    for (const char* folder : {"/extras/CUPTI/lib64/", "/lib64/", "/lib/"}) {
        candidates.push_back({place, root + folder + soname});
    }
}

std::vector<Candidate> candidates_after_loaded(const std::string& beside)
{
    std::vector<Candidate> candidates;
    if (!beside.empty()) {
        candidates.push_back({"beside lanes", beside + "/" + soname});
        candidates.push_back({"beside lanes", beside + "/../lib/" + soname});
    }
    if (const auto home = environment("CUDA_HOME"); !home.empty()) {
        add_toolkit(candidates, "$CUDA_HOME", home);
    }
    add_toolkit(candidates, "/usr/local/cuda", "/usr/local/cuda");
    auto others = folders_matching("/usr/local/cuda-*");
    std::reverse(others.begin(), others.end());  // newest first
    for (const auto& root : others) {
        add_toolkit(candidates, "/usr/local/cuda*", root);
    }
    candidates.push_back({"the library search path", soname});
    return candidates;
}

std::string path_of(void* handle, const std::string& asked)
{
    const link_map* map = nullptr;
    if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || map->l_name[0] == '\0') {
        return asked;
    }
    char* real = ::realpath(map->l_name, nullptr);
    std::string path = real != nullptr ? real : map->l_name;
    std::free(real);
    return path;
}

/// Judges what `handle` opened.
CuptiLibrary judge(void* handle, const Candidate& candidate)
{
    CuptiLibrary library;
    library.handle = handle;
    library.place = candidate.place;
    library.path = path_of(handle, candidate.file);
    using GetVersion = int(std::uint32_t*);
    auto* get_version = reinterpret_cast<GetVersion*>(::dlsym(handle, "cuptiGetVersion"));
    if (get_version == nullptr || get_version(&library.version) != 0) {
        library.verdict = CuptiLibrary::refused;
        library.note = "it does not report a version: not CUPTI";
    } else {
        library.verdict = verdict_on_cupti(library.version, library.note);
    }
    if (!library.usable()) {
        library.handle = nullptr;
    }
    return library;
}

CuptiLibrary open_candidate(const Candidate& candidate)
{
    void* handle = ::dlopen(candidate.file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        CuptiLibrary library;
        const char* reason = ::dlerror();
        library.place = candidate.place;
        library.note = reason == nullptr ? "cannot be loaded" : reason;
        return library;
    }
    return judge(handle, candidate);
}

}  // namespace

std::string cupti_version_text(std::uint32_t version)
{
    if (version < 10000) {
        return "API version " + std::to_string(version);
    }
    return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + " (" + std::to_string(version)
        + ")";
}

CuptiLibrary::Verdict verdict_on_cupti(std::uint32_t version, std::string& note)
{
    const auto text = "CUPTI " + cupti_version_text(version);
    if (version == 130000) {
        note = text
            + " loses cudaDeviceSynchronize and can deadlock or crash the program; fixed in 13.0 Update 1 (130001)";
        return CuptiLibrary::refused;
    }
    if (version < 130000) {
        note = text + " is older than 13.0 Update 1 (130001): its records have a different layout";
        return CuptiLibrary::refused;
    }
    if (version >= 140000) {
        note = text + " is a newer major version than Lanescope was tested with (13)";
        return CuptiLibrary::untested;
    }
    note.clear();
    return CuptiLibrary::good;
}

std::string folder_of_code(const void* address)
{
    Dl_info info {};
    if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) {
        return {};
    }
    char* real = ::realpath(info.dli_fname, nullptr);
    std::string path = real != nullptr ? real : info.dli_fname;
    std::free(real);
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

CuptiLibrary find_cupti(const std::string& beside)
{
    if (void* loaded = ::dlopen(soname, RTLD_NOW | RTLD_NOLOAD); loaded != nullptr) {
        return judge(loaded, {"already loaded", soname});
    }
    for (const char* other : {"libcupti.so.12", "libcupti.so.11.8"}) {
        if (void* loaded = ::dlopen(other, RTLD_NOW | RTLD_NOLOAD); loaded != nullptr) {
            auto library = judge(loaded, {"already loaded", other});
            library.verdict = CuptiLibrary::refused;
            library.handle = nullptr;
            library.note = std::string("the program has loaded ") + other
                + "; a process can hold one CUPTI, and Lanescope needs that of CUDA 13";
            return library;
        }
    }
    if (const auto named = environment("LANES_CUPTI"); !named.empty()) {
        return open_candidate({"$LANES_CUPTI", named});
    }
    CuptiLibrary best;
    for (const auto& candidate : candidates_after_loaded(beside)) {
        if (candidate.file.find('/') != std::string::npos && ::access(candidate.file.c_str(), R_OK) != 0) {
            continue;
        }
        auto library = open_candidate(candidate);
        if (library.usable()) {
            return library;
        }
        if (best.verdict == CuptiLibrary::absent && library.verdict == CuptiLibrary::refused) {
            best = library;
        }
    }
    if (best.verdict == CuptiLibrary::absent) {
        best.note = std::string("no ") + soname
            + " in $LANES_CUPTI, beside lanes, in $CUDA_HOME, in /usr/local/cuda* or in the library search path";
    }
    return best;
}

}  // namespace lanes
