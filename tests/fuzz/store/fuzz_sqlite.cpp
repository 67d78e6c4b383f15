// SPDX-License-Identifier: MIT
#include "tests/fuzz/store/fuzz_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    // A row that claims 4 GB makes SQLite ask for a list of the pages that it would lie on, 8 bytes each of 512 or
    // more, before it finds that the file has fewer: 64 MiB at most, whatever the file.
    constexpr std::size_t list_of_pages = std::size_t {64} << 20U;
    lanes::fuzz_file(
        data, size, [](const std::string& path) { return lanes::open_recording(path); },
        lanes::file_heap + list_of_pages);
    return 0;
}
