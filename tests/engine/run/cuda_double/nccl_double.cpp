// SPDX-License-Identifier: MIT
// A double of NCCL over the double of the CUDA runtime, which does its work: a group's
// last rank sums and writes the buffers of all. After a kernel that faulted, an
// all-reduce ends only when all ranks are aborted.
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
struct Rank {
    double* data;
    std::size_t words;
    cudaStream_t stream;
};
std::vector<Rank> group;
bool in_group = false;

void reduce(void* data)
{
    const auto& ranks = *static_cast<std::vector<Rank>*>(data);
    while (lanes_double_waits_for_ever(static_cast<int>(ranks.size())) != 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (std::size_t i = 0; i < ranks.front().words; ++i) {
        double sum = 0;
        for (const auto& rank : ranks) {
            sum += rank.data[i];
        }
        for (const auto& rank : ranks) {
            rank.data[i] = sum;
        }
    }
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
    constexpr int float64 = 8;
    constexpr int invalid_argument = 4;
    if (!in_group || from != to || type != float64 || operation != 0
        || lanes_double_device_of(stream) != static_cast<Comm*>(comm)->device) {
        return invalid_argument;
    }
    group.push_back({static_cast<double*>(to), count, stream});
    return 0;
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
    lanes_double_later("ncclAllReduce", group.back().stream, reduce, kept.back().get());
    return 0;
}
const char* ncclGetErrorString(int)
{
    return "invalid argument";
}

}  // extern "C"
