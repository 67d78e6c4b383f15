// SPDX-License-Identifier: MIT
#include "engine/run/find_nccl.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <glob.h>
#include <unistd.h>

namespace lanes {

namespace fs = std::filesystem;

namespace {

constexpr const char* soname = "libnccl.so.2";

std::string environment(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

void add_matching(std::vector<NcclCandidate>& candidates, const std::string& place, const std::string& pattern)
{
    glob_t found {};
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
        for (std::size_t i = found.gl_pathc; i-- > 0;) {  // newest version first
            candidates.push_back({place, found.gl_pathv[i]});
        }
    }
    ::globfree(&found);
}

/// The first python3 in $PATH, "" if none.
fs::path python()
{
    const std::string path = environment("PATH");
    for (std::size_t at = 0; at < path.size();) {
        const auto end = std::min(path.find(':', at), path.size());
        fs::path file = fs::path(path.substr(at, end - at)) / "python3";
        if (::access(file.c_str(), X_OK) == 0) {
            return file;
        }
        at = end + 1;
    }
    return {};
}

void add_python(std::vector<NcclCandidate>& candidates)
{
    const fs::path program = python();
    if (program.empty()) {
        return;
    }
    // In a virtual environment python3 is a link, and its packages are beside the link.
    std::error_code error;
    const fs::path real = fs::canonical(program, error);
    for (const auto& file : {program, error ? program : real}) {
        const auto prefix = file.parent_path().parent_path().string();
        for (const char* const packages :
            {"/lib/python3*/site-packages", "/lib64/python3*/site-packages", "/lib/python3*/dist-packages",
                "/local/lib/python3*/dist-packages", "/versions/*/lib/python3*/site-packages"}) {  // pyenv's shims
            add_matching(candidates, "Python's packages", prefix + packages + "/nvidia/nccl/lib/" + soname);
        }
    }
}

NcclLibrary open_candidate(const NcclCandidate& candidate)
{
    NcclLibrary library;
    library.place = candidate.place;
    library.file = candidate.file;
    library.handle = ::dlopen(candidate.file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle == nullptr) {
        const char* const reason = ::dlerror();
        library.note = reason == nullptr ? candidate.file + " cannot be loaded" : reason;
        return library;
    }
    const auto get_version = reinterpret_cast<int (*)(int*)>(::dlsym(library.handle, "ncclGetVersion"));
    if (get_version == nullptr || get_version(&library.version) != 0) {
        library.note = candidate.file + " does not report a version: not NCCL";
        library.handle = nullptr;
    }
    return library;
}

}  // namespace

std::vector<NcclCandidate> nccl_candidates()
{
    if (auto named = environment("LANES_NCCL"); !named.empty()) {
        return {{"$LANES_NCCL", std::move(named)}};
    }
    std::vector<NcclCandidate> candidates {{"the library search path", soname}};
    add_python(candidates);
    for (const char* const folder : {"/lib64/", "/lib/"}) {
        add_matching(candidates, "/usr/local/cuda*", std::string("/usr/local/cuda*") + folder + soname);
    }
    return candidates;
}

NcclLibrary find_nccl()
{
    const auto candidates = nccl_candidates();
    for (const auto& candidate : candidates) {
        if (auto library = open_candidate(candidate); library.handle != nullptr || candidates.size() == 1) {
            return library;
        }
    }
    NcclLibrary none;
    none.note = std::string("no ") + soname
        + " in $LANES_NCCL, in the library search path, among the packages of python3 or in /usr/local/cuda*";
    return none;
}

std::string nccl_version_text(int version)
{
    return std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.'
        + std::to_string(version % 100);
}

}  // namespace lanes
