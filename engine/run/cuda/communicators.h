// SPDX-License-Identifier: MIT
// Collectives over several GPUs through NCCL, which is loaded when the first program
// needs it. Its few functions are declared in communicators.cpp, after its
// documentation, so that building needs no NCCL.
//
// A group is one communicator for each of its devices, made and used by one process.
// Invariant: one thread at a time is in a call of a group, as NCCL wants it. abort() is the exception: NCCL allows it
// beside another call.
#pragma once

#include "engine/workload/program.h"

#include <atomic>
#include <cstdint>
#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace lanes {

class Communicators {
public:
    using Group = std::uint32_t;

    Communicators();
    ~Communicators();
    Communicators(const Communicators&) = delete;
    Communicators& operator=(const Communicators&) = delete;

    /// The group of these devices, in this order; made at the first request, which takes about 1 s. Throws
    /// std::runtime_error if there is no NCCL or if it fails.
    Group group(const std::vector<int>& devices);

    /// Issues a collective of `words` doubles of each rank's `data`, in place, as parts_of() says: data[i] and
    /// streams[i] are on device i of the group. Returns "" or, in one line, what NCCL said.
    std::string communicate(CollectiveKind kind, Group group, std::span<void* const> data, std::uint64_t words,
        std::span<const cudaStream_t> streams);

    bool has_groups() const { return !m_groups.empty(); }

    /// What NCCL has found to have failed, in one line; "": nothing, or the library is too old to say.
    std::string failure() const;

    /// Ends all groups, and with them the kernels that wait for a GPU that will not join any more. Call it after a
    /// failure: otherwise waiting for the other GPUs never ends. Any thread may call it, also while another is in
    /// communicate(), but not while group() may be called. Returns when the groups have ended. All ranks are ended at
    /// once, since NCCL's wait for one another. No group can be used any more.
    void abort();

private:
    struct Nccl;
    using End = int (*)(void*);
    void end_groups(End end);
    std::unique_ptr<Nccl> m_nccl;
    std::mutex m_mutex;
    std::map<std::vector<int>, Group> m_known;
    std::vector<std::vector<void*>> m_groups;  ///< of ncclComm_t
    std::once_flag m_end;
    std::atomic<bool> m_ended = false;
};

}  // namespace lanes
