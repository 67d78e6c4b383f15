// SPDX-License-Identifier: MIT
#include "probes/inject/own_spool.h"

#include "probes/inject/environment.h"
#include "probes/inject/process_identity.h"

#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace lanes {

namespace {

std::string_view variable(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

/// Whether no other process writes to it: its pattern has %p.
bool spool_is_of_this_process()
{
    const auto pattern = variable(probe_variable::spool);
    for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
        if (pattern[i] == '%' && pattern[++i] == 'p') {
            return true;
        }
    }
    return false;
}

}  // namespace

std::string own_spool_path()
{
    const auto pattern = variable(probe_variable::spool);
    const auto rank = rank_of_environment();
    if (pattern.empty() || !wants_rank(variable(probe_variable::ranks), rank)) {
        return {};
    }
    return expand_name(pattern,
        {host_name(), rank, static_cast<std::uint32_t>(::getpid()),
            [](const char* name) -> const char* { return std::getenv(name); }});
}

bool open_own_spool(SpoolWriter& spool, const std::string& path)
{
    for (auto at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
        ::mkdir(path.substr(0, at).c_str(), 0777);  // most are there
    }
    if (!spool.open(path)) {
        return false;
    }
    const auto identity = identity_of_environment();
    const auto process = std::to_string(::getpid());
    if (spool_is_of_this_process()) {
        spool.write_meta(own_spool_key, process);
        spool.write_meta("source", "cupti");
    }
    if (!identity.rank.empty()) {
        spool.write_meta("rank." + process, identity.rank);
    }
    if (!identity.told.empty()) {
        spool.write_meta("identity." + process, to_text(identity));
    }
    if (const auto steps = variable(probe_variable::steps); !steps.empty()) {
        spool.write_meta("keep_steps", steps);
    }
    return true;
}

}  // namespace lanes
