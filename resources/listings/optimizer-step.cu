// SPDX-License-Identifier: MIT
#include "given.h"

KERNEL(forward)
KERNEL(backward)
KERNEL(unscale)
KERNEL(norm)
KERNEL(is_finite)
KERNEL(clip)
KERNEL(test)
KERNEL(adamw)

void fail() { }
void next_parameter() { }
template <class T> void print(T) { }

int main()
{
    constexpr int steps = p::steps, parameters = p::parameters;
    constexpr bool check = p::check, printed = p::printed, scaled = p::scaled, fused = p::fused;
    float *loss = device_memory(8), *gradients = device_memory(4 << 20), *weights = device_memory(4 << 20);
    int *flag = (int*)device_memory(8), *found_inf = (int*)device_memory(8), *flag_cpu = (int*)host_memory(true, 8);
    cudaMemset(found_inf, 0, 8);
    cudaStream_t work = new_stream();
    // LISTING
}
