// SPDX-License-Identifier: MIT
#include "engine/run/model/memory.h"

#include <cmath>

namespace lanes::model {

namespace {

double combine(ValueCode::Op op, double left, double right)
{
    using Op = ValueCode::Op;
    switch (op) {
    case Op::add:
        return left + right;
    case Op::subtract:
        return left - right;
    case Op::multiply:
        return left * right;
    case Op::divide:
        return left / right;
    case Op::modulo:
        return std::fmod(left, right);
    case Op::less:
        return left < right ? 1 : 0;
    case Op::less_equal:
        return left <= right ? 1 : 0;
    case Op::greater:
        return left > right ? 1 : 0;
    case Op::greater_equal:
        return left >= right ? 1 : 0;
    case Op::equal:
        return left == right ? 1 : 0;
    case Op::not_equal:
        return left != right ? 1 : 0;
    case Op::logical_and:
        return left != 0 && right != 0 ? 1 : 0;
    case Op::logical_or:
        return left != 0 || right != 0 ? 1 : 0;
    default:
        break;
    }
    return 0;
}

}  // namespace

double evaluate(const ValueCode& code, const std::vector<Values>& buffers)
{
    using Op = ValueCode::Op;
    std::vector<double> stack;
    for (const auto& item : code.items) {
        switch (item.op) {
        case Op::constant:
            stack.push_back(item.number);
            continue;
        case Op::load:
            stack.push_back(buffers[item.buffer].at(0));
            continue;
        case Op::negate:
            stack.back() = -stack.back();
            continue;
        case Op::logical_not:
            stack.back() = stack.back() == 0 ? 1 : 0;
            continue;
        default:
            break;
        }
        const double right = stack.back();
        stack.pop_back();
        stack.back() = combine(item.op, stack.back(), right);
    }
    return stack.empty() ? 0 : stack.back();
}

}  // namespace lanes::model
