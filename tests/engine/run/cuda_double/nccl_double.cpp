// SPDX-License-Identifier: MIT
// A double of NCCL over the double of the CUDA runtime, which does its work: a group's
// last rank writes the buffers of all. After a kernel that faulted, a
// collective ends only when all ranks are aborted.
#include <chrono>
#include <cuda_runtime.h>
#include <memory>
#include <thread>
#include <vector>

extern "C" {
void lanes_double_later(const char* call, cudaStream_t stream, void (*work)(void*), void* data);
int lanes_double_device_of(cudaStream_t stream);
void lanes_double_aborted(void);
int lanes_double_waits_for_ever(int ranks);
}

namespace {

struct Comm {
    int device;
};
/// One call of a group, in the order of the ranks.
struct Rank {
    enum class Does { all_reduce, all_gather, reduce_scatter, broadcast, send, recv };
    Does does;
    double *from, *to;
    std::size_t count;  ///< as the call has it: of all, or of a part
    int root;  ///< of a broadcast; of a send or recv, the other
    cudaStream_t stream;
};
std::vector<Rank> group;
bool in_group = false;

constexpr int invalid_argument = 4;

/// Reads what all ranks hold first, as each may write where another reads.
void communicate(void* data)
{
    const auto& ranks = *static_cast<std::vector<Rank>*>(data);
    while (lanes_double_waits_for_ever(static_cast<int>(ranks.size())) != 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const auto n = ranks.size();
    std::vector<std::vector<double>> held;
    for (const auto& rank : ranks) {
        const bool reads_all = rank.does == Rank::Does::reduce_scatter;
        held.emplace_back(rank.from, rank.from == nullptr ? nullptr : rank.from + rank.count * (reads_all ? n : 1));
    }
    for (std::size_t r = 0; r < n; ++r) {
        const auto& rank = ranks[r];
        for (std::size_t i = 0; i < rank.count; ++i) {
            switch (rank.does) {
            case Rank::Does::all_reduce:
            case Rank::Does::reduce_scatter: {
                const std::size_t at = rank.does == Rank::Does::all_reduce ? i : r * rank.count + i;
                double sum = 0;
                for (const auto& values : held) {
                    sum += values[at];
                }
                rank.to[i] = sum;
                break;
            }
            case Rank::Does::all_gather:
                for (std::size_t other = 0; other < n; ++other) {
                    rank.to[other * rank.count + i] = held[other][i];
                }
                break;
            case Rank::Does::broadcast:
            case Rank::Does::recv:
                rank.to[i] = held[static_cast<std::size_t>(rank.root)][i];
                break;
            case Rank::Does::send:
                break;
            }
        }
    }
}

int add(
    Rank::Does does, const void* from, void* to, std::size_t count, int type, int root, void* comm, cudaStream_t stream)
{
    constexpr int float64 = 8;
    if (!in_group || type != float64 || lanes_double_device_of(stream) != static_cast<Comm*>(comm)->device) {
        return invalid_argument;
    }
    group.push_back(
        {does, static_cast<double*>(const_cast<void*>(from)), static_cast<double*>(to), count, root, stream});
    return 0;
}

}  // namespace

extern "C" {

int ncclGetVersion(int* version)
{
    *version = 22807;
    return 0;
}
int ncclCommInitAll(void** comms, int count, const int* devices)
{
    for (int i = 0; i < count; ++i) {
        comms[i] = new Comm {devices[i]};
    }
    return 0;
}
int ncclCommDestroy(void* comm)
{
    delete static_cast<Comm*>(comm);
    return 0;
}
int ncclCommAbort(void* comm)
{
    lanes_double_aborted();
    return ncclCommDestroy(comm);
}
int ncclGroupStart()
{
    in_group = true;
    group.clear();
    return 0;
}
int ncclAllReduce(
    const void* from, void* to, std::size_t count, int type, int operation, void* comm, cudaStream_t stream)
{
    return from != to || operation != 0 ? invalid_argument
                                        : add(Rank::Does::all_reduce, from, to, count, type, 0, comm, stream);
}
int ncclReduceScatter(
    const void* from, void* to, std::size_t count, int type, int operation, void* comm, cudaStream_t stream)
{
    return operation != 0 ? invalid_argument : add(Rank::Does::reduce_scatter, from, to, count, type, 0, comm, stream);
}
int ncclAllGather(const void* from, void* to, std::size_t count, int type, void* comm, cudaStream_t stream)
{
    return add(Rank::Does::all_gather, from, to, count, type, 0, comm, stream);
}
int ncclBroadcast(const void* from, void* to, std::size_t count, int type, int root, void* comm, cudaStream_t stream)
{
    return add(Rank::Does::broadcast, from, to, count, type, root, comm, stream);
}
int ncclSend(const void* from, std::size_t count, int type, int other, void* comm, cudaStream_t stream)
{
    return add(Rank::Does::send, from, nullptr, count, type, other, comm, stream);
}
int ncclRecv(void* to, std::size_t count, int type, int other, void* comm, cudaStream_t stream)
{
    return add(Rank::Does::recv, nullptr, to, count, type, other, comm, stream);
}
int ncclGroupEnd()
{
    in_group = false;
    if (group.empty()) {
        return 0;
    }
    // For as long as the program: graphs launch them again.
    static std::vector<std::unique_ptr<std::vector<Rank>>> kept;
    kept.push_back(std::make_unique<std::vector<Rank>>(group));
    lanes_double_later("nccl", group.back().stream, communicate, kept.back().get());
    return 0;
}
const char* ncclGetErrorString(int)
{
    return "invalid argument";
}

}  // extern "C"
