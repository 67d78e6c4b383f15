// SPDX-License-Identifier: MIT
// Names that code generators and libraries build from parts: "nvjet_sm90_tst_64x8_64x16_4x1_v_bz_splitK_bias_TNT". What
// tells them apart is left: "nvjet 64×8 splitK bias TNT".
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// What is left of a name of NCCL, Triton (as PyTorch's compiler names its kernels), Tensile, cuBLAS, cuDNN, CUTLASS,
/// TensorRT-LLM or MIOpen; "": it is none of those. `last` is the name without namespaces, `arguments` those of its
/// template. Cost: some searches through the text, each linear.
std::string short_generated_name(std::string_view last, std::string_view arguments);

}  // namespace lanes
