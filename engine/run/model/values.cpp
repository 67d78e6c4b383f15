// SPDX-License-Identifier: MIT
#include "engine/run/model/values.h"

#include <algorithm>
#include <bit>
#include <set>

namespace lanes::model {

namespace {

bool same(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

double Values::at(std::uint64_t offset) const
{
    double value = m_first;
    for (const auto& run : m_rest) {
        if (run.begin > offset) {
            break;
        }
        value = run.value;
    }
    return value;
}

void Values::append(std::uint64_t begin, double value)
{
    if (begin == 0) {
        m_first = value;
    } else if (!same(m_rest.empty() ? m_first : m_rest.back().value, value)) {
        m_rest.push_back({begin, value});
    }
}

Values Values::slice(std::uint64_t offset, std::uint64_t bytes) const
{
    Values result(at(offset));
    for (const auto& run : m_rest) {
        if (run.begin > offset && run.begin < offset + bytes) {
            result.append(run.begin - offset, run.value);
        }
    }
    return result;
}

void Values::write(std::uint64_t size, std::uint64_t offset, std::uint64_t bytes, const Values& source)
{
    if (bytes == 0) {
        return;
    }
    if (offset == 0 && bytes == size && source.m_rest.empty()) {
        m_first = source.m_first;
        m_rest.clear();
        return;
    }
    Values result(m_first);
    for (const auto& run : m_rest) {
        if (run.begin < offset) {
            result.append(run.begin, run.value);
        }
    }
    result.append(offset, source.m_first);
    for (const auto& run : source.m_rest) {
        if (run.begin < bytes) {
            result.append(offset + run.begin, run.value);
        }
    }
    const std::uint64_t end = offset + bytes;
    if (end < size) {
        result.append(end, at(end));
        for (const auto& run : m_rest) {
            if (run.begin > end) {
                result.append(run.begin, run.value);
            }
        }
    }
    *this = std::move(result);
}

Values sum_of(const std::vector<Values>& summands, std::uint64_t size)
{
    if (summands.size() == 1) {
        return summands.front();
    }
    std::set<std::uint64_t> begins {0};
    for (const auto& values : summands) {
        for (const auto& run : values.m_rest) {
            begins.insert(run.begin);
        }
    }
    Values result;
    for (auto begin = begins.begin(); begin != begins.end() && *begin < size; ++begin) {
        double sum = 0;
        for (const auto& values : summands) {
            sum += values.at(*begin);
        }
        result.append(*begin, sum);
    }
    return result;
}

std::uint64_t wrong_bytes(const Values& a, const Values& b, std::uint64_t size)
{
    std::uint64_t wrong = 0;
    std::uint64_t position = 0;
    auto in_a = a.m_rest.begin();
    auto in_b = b.m_rest.begin();
    double value_a = a.m_first;
    double value_b = b.m_first;
    while (position < size) {
        const auto next_a = in_a != a.m_rest.end() ? in_a->begin : size;
        const auto next_b = in_b != b.m_rest.end() ? in_b->begin : size;
        const auto next = std::min({next_a, next_b, size});
        if (!same(value_a, value_b)) {
            wrong += next - position;
        }
        position = next;
        if (next_a == next && in_a != a.m_rest.end()) {
            value_a = (in_a++)->value;
        }
        if (next_b == next && in_b != b.m_rest.end()) {
            value_b = (in_b++)->value;
        }
    }
    return wrong;
}

double value_of_bytes(std::uint8_t byte)
{
    return std::bit_cast<double>(std::uint64_t {byte} * 0x0101010101010101ULL);
}

}  // namespace lanes::model
