// SPDX-License-Identifier: MIT
// Communication between GPUs: NCCL's kernels, and how much of their time is hidden behind
// other kernels of their GPU.
#pragma once

#include "engine/trace/trace.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanes {

/// What a kernel of that name communicates: "AllReduce" for "ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)",
/// "all_reduce" for "nccl all_reduce". Empty: it is no communication. NCCL's kernels alone begin with "nccl", in every
/// version of it.
std::string_view communication_of(std::string_view kernel);

/// By name (StringId), which kernels communicate; empty: none of the recording does. Cost: linear in the distinct
/// names.
std::vector<bool> communication_names(const Trace& trace);

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
    Ns exposed() const { return m_exposed; }  ///< of it, while no other kernel ran

private:
    Ns m_now;
    Ns m_all = 0, m_exposed = 0;
    std::uint64_t m_communicating = 0, m_others = 0;
};

}  // namespace lanes
