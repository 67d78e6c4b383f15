// SPDX-License-Identifier: MIT
// Communication between GPUs: the kernels of that family (families.h), and how much of their time other kernels of
// their GPU hide.
#pragma once

#include "engine/trace/trace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// Which kernels of a recording communicate: by their full names, or by those that a workload gave them. Cost: to make,
/// linear in the operations and a look at each distinct name; to ask, constant. As large as the kernels' details, in
/// bits; empty where none communicates.
class CommunicationKernels {
public:
    explicit CommunicationKernels(const Trace& trace);

    bool none() const { return m_of_detail.empty(); }
    bool has(const Trace& trace, Row operation) const
    {
        return !none() && trace.operations.kind[operation] == OperationKind::kernel
            && m_of_detail[trace.operations.detail[operation]];
    }
    std::size_t bytes() const { return m_of_detail.size() / 8; }

private:
    std::vector<bool> m_of_detail;
};

/// The communication that a kernel of that full name does: "AllReduce" for
/// "ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)" and for "void vllm::cross_device_reduce_2stage<half, 8>(...)",
/// "all_reduce" for "nccl all_reduce", "dispatch" for "deep_ep::intranode::dispatch<...>(...)". "": it is of another
/// family. Cost: that of family_of().
std::string communication_of(std::string_view kernel);

/// The same of a kernel of the recording, by the name that a workload gave it if that says so.
std::string communication_of(const Trace& trace, Row operation);

/// Whether such communication, as communication_of() names it, is from one GPU to another, as from one stage of a
/// pipeline to the next: NCCL's send and receive.
bool is_send(std::string_view what);

/// Sums of time on one GPU while its kernels open and close. Moments may not go back. Cost: constant for each.
class CommunicationLevels {
public:
    explicit CommunicationLevels(Ns from)
        : m_now(from)
    {
    }
    void open(bool communicates, Ns time)
    {
        move_to(time);
        ++(communicates ? m_communicating : m_others);
    }
    void close(bool communicates, Ns time)
    {
        move_to(time);
        --(communicates ? m_communicating : m_others);
    }
    void move_to(Ns time)
    {
        if (m_communicating > 0) {
            m_all += time - m_now;
            m_exposed += m_others == 0 ? time - m_now : 0;
        }
        m_now = time;
    }
    Ns all() const { return m_all; }  ///< while any kernel communicated
    Ns exposed() const { return m_exposed; }  ///< the part of it in which no other kernel ran

private:
    Ns m_now;
    Ns m_all = 0, m_exposed = 0;
    std::uint64_t m_communicating = 0, m_others = 0;
};

}  // namespace lanes
