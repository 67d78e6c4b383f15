// SPDX-License-Identifier: MIT
#include "engine/run/cuda/failure_watch.h"

namespace lanes {

namespace {

constexpr std::chrono::seconds standstill {1};
constexpr std::chrono::seconds patience {20};  // NCCL takes a few hundred ms

}  // namespace

FailureWatch::FailureWatch(const Machine& machine, Communicators& communicators)
    : m_machine(machine)
    , m_communicators(communicators)
{
}

FailureWatch::~FailureWatch()
{
    if (m_ending.joinable()) {
        m_ending.join();
    }
}

void FailureWatch::look(std::size_t steps, bool failed)
{
    if (m_ended || !m_communicators.has_groups()) {
        return;
    }
    const auto now = Clock::now();
    if (steps != m_steps) {
        m_steps = steps;
        m_since = now;
    }
    if (!failed && now - m_since >= standstill) {
        m_error = m_machine.failed();
        m_text = m_error == cudaSuccess ? m_communicators.failure() : std::string();
        m_error = m_text.empty() ? m_error : cudaErrorUnknown;
    }
    if (failed || m_error != cudaSuccess) {
        m_ended = now;
        m_ending = std::thread([this] { m_communicators.abort(); });
    }
}

bool FailureWatch::is_hopeless() const
{
    return m_ended && Clock::now() - *m_ended >= patience;
}

}  // namespace lanes
