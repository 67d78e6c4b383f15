// SPDX-License-Identifier: MIT
// Evaluates a ValueCode. The same code runs on the host, in a kernel and on the model device, so that the host expects
// exactly what a GPU computes.
//
// Invariant: the code is well formed and needs at most value_stack entries; compile() checks both.
#pragma once

#include "engine/workload/program.h"

#include <cmath>

#ifdef __CUDACC__
#define LANES_HOST_DEVICE __host__ __device__
#else
#define LANES_HOST_DEVICE
#endif

namespace lanes {

inline constexpr int value_stack = 32;

/// The stack entries that evaluation needs. Cost: linear in the items.
inline int stack_need(const ValueCode& code)
{
    int depth = 0;
    int most = 0;
    for (const auto& item : code.items) {
        const bool pushes = item.op == ValueCode::Op::load || item.op == ValueCode::Op::constant;
        const bool unary = item.op == ValueCode::Op::negate || item.op == ValueCode::Op::logical_not;
        depth += pushes ? 1 : unary ? 0 : -1;
        most = depth > most ? depth : most;
    }
    return most;
}

/// An Item has `op` and `number`; `load(item)` returns the first word of the buffer that a `load` names. Cost: linear
/// in the items.
template <class Item, class Load>
LANES_HOST_DEVICE double evaluate(const Item* items, std::uint32_t count, const Load& load)
{
    using Op = ValueCode::Op;
    // NOLINTBEGIN(clang-analyzer-core.*): it supposes an empty stack, which the invariant rules out
    double stack[value_stack];
    int top = -1;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Item& item = items[i];
        switch (item.op) {
        case Op::constant:
            stack[++top] = item.number;
            continue;
        case Op::load:
            stack[++top] = load(item);
            continue;
        case Op::negate:
            stack[top] = -stack[top];
            continue;
        case Op::logical_not:
            stack[top] = stack[top] == 0 ? 1 : 0;
            continue;
        default:
            break;
        }
        const double right = stack[top--];
        const double left = stack[top];
        double result = 0;
        switch (item.op) {
        case Op::add:
            result = left + right;
            break;
        case Op::subtract:
            result = left - right;
            break;
        case Op::multiply:
            result = left * right;
            break;
        case Op::divide:
            result = left / right;
            break;
        case Op::modulo:
            result = fmod(left, right);
            break;
        case Op::less:
            result = left < right;
            break;
        case Op::less_equal:
            result = left <= right;
            break;
        case Op::greater:
            result = left > right;
            break;
        case Op::greater_equal:
            result = left >= right;
            break;
        case Op::equal:
            result = left == right;
            break;
        case Op::not_equal:
            result = left != right;
            break;
        case Op::logical_and:
            result = left != 0 && right != 0;
            break;
        case Op::logical_or:
            result = left != 0 || right != 0;
            break;
        default:
            break;
        }
        stack[top] = result;
    }
    return top >= 0 ? stack[top] : 0;
    // NOLINTEND(clang-analyzer-core.*)
}

}  // namespace lanes
