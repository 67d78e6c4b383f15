// SPDX-License-Identifier: MIT
// What a call is for, by its name. The name says what it may wait for, never that it did.
#pragma once

#include <string>

namespace oracle {

enum class Purpose {
    other,
    stream_sync,
    device_sync,
    event_sync,
    query,
    own_state,  ///< looks at what belongs to the thread: its last error, its device
    wait,  ///< a stream waits for an event
    copy,
    memory,  ///< allocates, frees, pins, maps
    graph,
    unseen,  ///< puts work into a stream that may have no record
};

Purpose purpose_of(std::string name);

}  // namespace oracle
