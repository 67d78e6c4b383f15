// SPDX-License-Identifier: MIT
// Vectors of a size at which the first touch of their pages costs more than filling them: they ask the kernel for
// huge pages, where it gives them to those who ask. Where it does not they are vectors like any other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace lanes {

/// Asks for huge pages for whatever of [begin, begin + bytes) they can hold. Nothing happens below a few of them.
/// Cost: one system call.
void prefer_huge_pages(void* begin, std::size_t bytes);

/// As vector::reserve, for what may be copied as it lies in memory. With huge pages a first touch costs a fifth, and so
/// does freeing.
template <class T> void reserve_large(std::vector<T>& vector, std::size_t size)
{
    static_assert(std::is_trivially_copyable_v<T>);
    if (size > vector.capacity()) {
        std::vector<T> larger;  // it asks before what there is moves in
        larger.reserve(size);
        prefer_huge_pages(larger.data(), larger.capacity() * sizeof(T));
        larger.insert(larger.end(), vector.begin(), vector.end());
        vector.swap(larger);
    }
}

/// Room for `more` at the end, in steps that keep appending linear.
template <class T> void grow_large(std::vector<T>& vector, std::size_t more)
{
    if (const auto size = vector.size() + more; size > vector.capacity()) {
        reserve_large(vector, std::max(size, 2 * vector.capacity()));
    }
}

/// Empties `vector` and gives its memory back, which assigning {} or clear() does not.
template <class T> void release(std::vector<T>& vector)
{
    std::vector<T>().swap(vector);
}

}  // namespace lanes
