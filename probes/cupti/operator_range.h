// SPDX-License-Identifier: MIT
// What PyTorch says in the name of a range.
//
// Its NVTX observer (torch.autograd.profiler.emit_nvtx) puts all it knows of an
// operator into one text: "aten::linear, seq = 3, op_id = 7, sizes = [[2, 4], []],
// input_op_ids = [(5,0)]". Every such text is new, so nothing could be counted by name.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanes {

struct OperatorRange {
    std::string_view name;  ///< of the operator alone; within the text that was given
    std::int64_t sequence = -1;  ///< autograd's number: a backward node has that of its forward operator; -1: none
    std::string_view shapes = {};  ///< of its inputs, "[2, 4], []"; within the text
};

/// Takes the text apart. A text that is not an operator's is returned whole. PyTorch's fields are recognised by
/// their order and form, up to the end of the text.
OperatorRange operator_range(std::string_view text);

}  // namespace lanes
