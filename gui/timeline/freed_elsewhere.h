// SPDX-License-Identifier: MIT
// What is large is freed on a worker thread: to give a hundred million operations back takes tenths of a second,
// which is not the event loop's to wait for. The memory goes back to the system.
#pragma once

#include <memory>

namespace lanes::gui {

/// Gives what was freed back to the system. Takes as long as there is much of it.
void returnMemory();
/// Runs on a worker thread, then gives freed memory back to the system.
void freeLater(std::shared_ptr<const void> last);

/// A shared pointer whose object is destroyed on a worker thread, whoever lets go of it last.
template <class T> std::shared_ptr<T> freedElsewhere(std::unique_ptr<T> object)
{
    T* const kept = object.release();
    return std::shared_ptr<T>(kept, [](T* last) { freeLater(std::shared_ptr<const void>(last, [](const void* p) { delete static_cast<const T*>(p); })); });
}

}  // namespace lanes::gui
