// SPDX-License-Identifier: MIT
// Frees large objects on a worker thread: freeing a hundred million operations takes tenths of a second, in which the
// window would not react. The memory is returned to the system.
#pragma once

#include <memory>

namespace lanes::gui {

/// Releases `last` on a worker thread, then returns the memory to the system.
void freeLater(std::shared_ptr<const void> last);

/// A shared pointer whose object is destroyed on a worker thread, on whichever thread the last reference ends.
template <class T> std::shared_ptr<T> freedElsewhere(std::unique_ptr<T> object)
{
    T* const kept = object.release();
    return std::shared_ptr<T>(kept, [](T* last) {
        freeLater(std::shared_ptr<const void>(last, [](const void* p) { delete static_cast<const T*>(p); }));
    });
}

}  // namespace lanes::gui
