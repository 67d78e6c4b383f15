// SPDX-License-Identifier: MIT
// Vectors of many megabytes. The first touch of their pages costs more than filling them, so they ask Linux for huge
// pages (madvise). Where that is not possible they are ordinary vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace lanes {

/// Asks for huge pages for [begin, begin + bytes). Does nothing for less than a few of them. Cost: one system call.
void prefer_huge_pages(void* begin, std::size_t bytes);

/// Like vector::reserve, for trivially copyable elements. With huge pages the first touch and freeing cost a fifth.
template <class T> void reserve_large(std::vector<T>& vector, std::size_t size)
{
    static_assert(std::is_trivially_copyable_v<T>);
    if (size > vector.capacity()) {
        std::vector<T> larger;  // ask for huge pages before anything is copied into it
        larger.reserve(size);
        prefer_huge_pages(larger.data(), larger.capacity() * sizeof(T));
        larger.insert(larger.end(), vector.begin(), vector.end());
        vector.swap(larger);
    }
}

/// Makes room for `more` elements at the end. The capacity at least doubles, so that appending stays linear.
template <class T> void grow_large(std::vector<T>& vector, std::size_t more)
{
    if (const auto size = vector.size() + more; size > vector.capacity()) {
        reserve_large(vector, std::max(size, 2 * vector.capacity()));
    }
}

/// Empties `vector` and frees its memory; clear() and assigning {} keep it.
template <class T> void release(std::vector<T>& vector)
{
    std::vector<T>().swap(vector);
}

}  // namespace lanes
