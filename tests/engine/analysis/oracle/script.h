// SPDX-License-Identifier: MIT
// A recording written row by row, in the documented table layout, by plain SQL: for crafted cases and random ones.
// Times are ns from the start of the recording.
#pragma once

#include "tests/engine/analysis/oracle/recorded.h"

namespace oracle {

class Script {
public:
    /// A recording of Lanescope, or the same as another tool's export.
    explicit Script(bool own = true)
        : m_own(own)
    {
    }

    /// The process, thread and device of what follows.
    Script& as(std::int64_t process, std::int64_t thread);
    Script& in(std::int64_t context, std::int64_t device);

    void gpu(std::int64_t id, const std::string& name, const std::string& uuid);
    /// The present process's number for the GPU `id`.
    void device_of_process(std::int64_t id, std::int64_t number);
    void context(std::int64_t null_stream);
    void stream(std::int64_t id, std::int64_t flag);
    void thread(const std::string& name, std::int64_t place);

    /// Returns the call's correlation. `inner`: a driver call.
    std::int64_t call(const std::string& name, Ns start, Ns end, bool inner = false, std::int64_t result = 0);
    /// Correlation 0: NULL in the file.
    void kernel(std::int64_t correlation, std::int64_t stream, Ns start, Ns end, const std::string& name = "work",
        std::int64_t graph_node = 0);
    void copy(std::int64_t correlation, std::int64_t stream, Ns start, Ns end, std::int64_t kind, std::int64_t source,
        std::int64_t target, bool async);
    void memset(std::int64_t correlation, std::int64_t stream, Ns start, Ns end, std::int64_t memory, bool async);
    void sync(std::int64_t correlation, Sync::Type type, Ns start, Ns end, std::int64_t stream = no_number,
        std::int64_t event = no_number, std::int64_t event_sync = 0);
    void event(std::int64_t correlation, std::int64_t stream, std::int64_t event, std::int64_t event_sync);
    void overhead(std::int64_t correlation, std::int64_t type, Ns start, Ns end);
    void allocation(std::int64_t correlation, Ns time, bool release);
    void host_function(std::int64_t correlation, std::int64_t stream, std::optional<std::pair<Ns, Ns>> time);
    void spin(std::int64_t correlation, Ns start, Ns end, std::int64_t queries, std::optional<bool> succeeded);

    void range(const std::string& name, Ns start, std::optional<Ns> end);
    void mark(const std::string& name, Ns time);
    void span(std::int64_t type, Ns start, Ns end);
    void step(std::int64_t number, Ns start);
    void read(const std::string& buffer, Ns start, Ns end, std::int64_t bytes, std::int64_t wrong_bytes);
    void meta(const std::string& key, const std::string& value);

    /// Writes the file. Throws std::runtime_error.
    void save(const std::string& path) const;

private:
    std::int64_t text(const std::string& value);
    std::string pid() const;
    std::string tid() const;
    void add(const std::string& table, const std::string& values);
    void own_operation(int kind, std::int64_t row, bool async);

    bool m_own;
    std::int64_t m_process = 100, m_thread = 100, m_context = 1, m_device = 0;
    std::int64_t m_copies = 0, m_memsets = 0, m_ranges = 0;
    std::map<std::int64_t, std::int64_t> m_correlations;  // for each process, which counts separately
    std::map<std::string, std::int64_t> m_texts;
    std::string m_rows;
};

}  // namespace oracle
