// SPDX-License-Identifier: MIT
// The base of all errors in what the user gave.
#pragma once

#include <stdexcept>

namespace lanes {

/// A wrong argument, file or workload. what() is one line for people; the exit status of `lanes` is 2. Errors of one
/// kind (StoreError, WorkloadError, ...) derive from it if some code handles only that kind.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace lanes
