// SPDX-License-Identifier: MIT
// One workload as one machine shows it: the traces and reports of its variants, from the
// machine's recordings or from the model device.
#pragma once

#include "engine/analysis/report.h"
#include "engine/workload/workload.h"

#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace lanes::tests {

/// A variant that the machine has no recording of.
struct NotRecorded : std::runtime_error {
    explicit NotRecorded(const std::string& variant)
        : runtime_error(variant)
    {
    }
};

struct Shown {
    Trace trace;
    Report report;
};

class Lesson {
public:
    /// `machine` is a folder of resources/recordings, or "model" for the model device h100.
    Lesson(std::string machine, std::string workload);

    /// Whether the machine has a recording of the variant.
    bool has(const std::string& variant) const;
    /// Whether it has a recording of the variant as it is now: of the same steps (told_run.h).
    bool has_current(const std::string& variant) const;
    /// Opened or run at the first request. Throws NotRecorded, and what open_recording throws.
    const Shown& shown(const std::string& variant) const;
    const Report& report(const std::string& variant) const { return shown(variant).report; }
    const GpuFigures& gpu(const std::string& variant) const { return report(variant).gpus.front(); }
    const ThreadFigures& main(const std::string& variant) const { return *report(variant).first_thread(); }

    /// Last end of a call or an operation, ns. The host's reads do not count.
    double total(const std::string& variant) const;
    /// total(a) / total(b)
    double ratio(const std::string& a, const std::string& b) const { return total(a) / total(b); }
    /// The fraction of the first GPU's copy time in which kernels ran.
    double hidden(const std::string& variant) const;
    /// The fraction of wrong bytes among those that a variant's first read compared.
    double stale(const std::string& variant) const;
    /// The longest call whose name begins with this, ns.
    double longest_call(const std::string& variant, std::string_view name) const;
    /// How many calls whose names begin with this took longer than `time`, ns.
    double calls_longer_than(const std::string& variant, std::string_view name, Ns time) const;

private:
    std::string m_machine, m_workload;
    mutable std::map<std::string, std::unique_ptr<Shown>> m_shown;
};

/// resources/ of the source tree.
std::string resources();
/// Of its catalogue.
Workload workload_of(const std::string& name);
/// As the model device h100 runs it.
Trace modelled(const Workload& workload, const std::string& variant, const Settings& settings = {});

}  // namespace lanes::tests
