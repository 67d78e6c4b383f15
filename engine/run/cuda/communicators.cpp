// SPDX-License-Identifier: MIT
#include "engine/run/cuda/communicators.h"

#include "engine/run/find_nccl.h"

#include <dlfcn.h>
#include <stdexcept>

namespace lanes {

namespace {

// NCCL's user guide, "NCCL API": ncclResult_t is an enum with ncclSuccess 0, ncclComm_t a pointer to an opaque struct,
// ncclFloat64 the data type 8, ncclSum the operation 0, the same since NCCL 2.0; ncclInvalidUsage 5, ncclInProgress
// 7 since 2.14.
using Result = int;
using Comm = void*;
constexpr Result success = 0;
constexpr Result invalid_usage = 5;
constexpr Result in_progress = 7;
constexpr int float64 = 8;
constexpr int sum = 0;

}  // namespace

struct Communicators::Nccl {
    Result (*init_all)(Comm* comms, int count, const int* devices);
    Result (*destroy)(Comm comm);
    Result (*abort)(Comm comm);
    Result (*group_start)();
    Result (*group_end)();
    Result (*all_reduce)(
        const void* from, void* to, std::size_t count, int type, int operation, Comm comm, cudaStream_t stream);
    Result (*reduce_scatter)(
        const void* from, void* to, std::size_t count, int type, int operation, Comm comm, cudaStream_t stream);
    Result (*all_gather)(const void* from, void* to, std::size_t count, int type, Comm comm, cudaStream_t stream);
    Result (*broadcast)(
        const void* from, void* to, std::size_t count, int type, int root, Comm comm, cudaStream_t stream);
    // Null before 2.7.
    Result (*send)(const void* from, std::size_t count, int type, int to, Comm comm, cudaStream_t stream);
    Result (*recv)(void* to, std::size_t count, int type, int from, Comm comm, cudaStream_t stream);
    const char* (*error_string)(Result result);
    const char* (*last_error)(Comm comm);  ///< null in old versions
    Result (*async_error)(Comm comm, Result* error);  ///< null before 2.4

    Nccl()
    {
        const auto library = find_nccl();
        if (library.handle == nullptr) {
            throw std::runtime_error("collectives need NCCL: " + library.note);
        }
        const auto load = [&](auto& function, const char* name, bool needed = true) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library.handle, name));
            if (function == nullptr && needed) {
                throw std::runtime_error("collectives need NCCL: " + library.file + " has no " + name);
            }
        };
        load(init_all, "ncclCommInitAll");
        load(destroy, "ncclCommDestroy");
        load(abort, "ncclCommAbort");
        load(group_start, "ncclGroupStart");
        load(group_end, "ncclGroupEnd");
        load(all_reduce, "ncclAllReduce");
        load(reduce_scatter, "ncclReduceScatter");
        load(all_gather, "ncclAllGather");
        load(broadcast, "ncclBroadcast");
        load(send, "ncclSend", false);
        load(recv, "ncclRecv", false);
        load(error_string, "ncclGetErrorString");
        load(last_error, "ncclGetLastError", false);
        load(async_error, "ncclCommGetAsyncError", false);
    }

    /// What rank `rank` of `ranks` does. The parts of an all_gather and a reduce_scatter are in place where NCCL wants
    /// them: at rank * part.
    Result issue(CollectiveKind kind, int rank, std::size_t ranks, void* data, std::uint64_t words, Comm comm,
        cudaStream_t stream) const
    {
        const std::size_t part = words / ranks;
        double* const own = static_cast<double*>(data) + static_cast<std::size_t>(rank) * part;
        switch (kind) {
        case CollectiveKind::all_reduce:
            return all_reduce(data, data, words, float64, sum, comm, stream);
        case CollectiveKind::all_gather:
            return all_gather(own, data, part, float64, comm, stream);
        case CollectiveKind::reduce_scatter:
            return reduce_scatter(data, own, part, float64, sum, comm, stream);
        case CollectiveKind::broadcast:
            return broadcast(data, data, words, float64, 0, comm, stream);
        case CollectiveKind::send_recv:
            break;
        }
        if (send == nullptr || recv == nullptr) {
            return invalid_usage;
        }
        return rank == 0 ? send(data, words, float64, 1, comm, stream) : recv(data, words, float64, 0, comm, stream);
    }

    std::string text_of(Result result) const
    {
        const char* const more = last_error != nullptr ? last_error(nullptr) : nullptr;
        std::string text = std::string("NCCL: ") + error_string(result);
        if (more != nullptr && *more != '\0') {
            text += std::string(" (") + more + ")";
        }
        return text.substr(0, text.find('\n'));
    }
};

Communicators::Communicators() = default;

Communicators::~Communicators()
{
    if (m_nccl != nullptr) {
        std::call_once(m_end, [this] { end_groups(m_nccl->destroy); });
    }
}

void Communicators::abort()
{
    if (m_nccl != nullptr) {
        std::call_once(m_end, [this] {
            m_nccl->group_start();
            end_groups(m_nccl->abort);
            m_nccl->group_end();
        });
    }
}

void Communicators::end_groups(End end)
{
    m_ended = true;
    for (const auto& group : m_groups) {
        for (const auto comm : group) {
            end(comm);
        }
    }
}

std::string Communicators::failure() const
{
    if (m_nccl == nullptr || m_nccl->async_error == nullptr || m_ended) {
        return {};
    }
    for (const auto& group : m_groups) {
        for (const auto comm : group) {
            Result result = success;
            if (m_nccl->async_error(comm, &result) == success && result != success && result != in_progress) {
                return m_nccl->text_of(result);
            }
        }
    }
    return {};
}

Communicators::Group Communicators::group(const std::vector<int>& devices)
{
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_known.find(devices); known != m_known.end()) {
        return known->second;
    }
    if (m_nccl == nullptr) {
        m_nccl = std::make_unique<Nccl>();
    }
    int current = 0;
    cudaGetDevice(&current);
    std::vector<Comm> comms(devices.size());
    const auto result = m_nccl->init_all(comms.data(), static_cast<int>(devices.size()), devices.data());
    if (result != success) {
        throw std::runtime_error("cannot initialise NCCL: " + m_nccl->text_of(result));
    }
    cudaSetDevice(current);
    m_groups.push_back(std::move(comms));
    return m_known[devices] = static_cast<Group>(m_groups.size() - 1);
}

std::string Communicators::communicate(CollectiveKind kind, Group group, std::span<void* const> data,
    std::uint64_t words, std::span<const cudaStream_t> streams)
{
    const std::lock_guard lock(m_mutex);
    if (m_ended) {
        return "NCCL: aborted after a failure";
    }
    const auto& comms = m_groups[group];
    Result result = m_nccl->group_start();
    for (std::size_t rank = 0; rank < comms.size() && result == success; ++rank) {
        result
            = m_nccl->issue(kind, static_cast<int>(rank), comms.size(), data[rank], words, comms[rank], streams[rank]);
    }
    const Result ended = m_nccl->group_end();
    result = result == success ? ended : result;
    return result == success ? std::string() : m_nccl->text_of(result);
}

}  // namespace lanes
