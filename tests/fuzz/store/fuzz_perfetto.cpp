// SPDX-License-Identifier: MIT
#include "tests/fuzz/store/fuzz_file.h"

#include "engine/store/perfetto/perfetto_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    lanes::fuzz_file(data, size, [](const std::string& path) { return lanes::read_perfetto_trace(path, {}); });
    return 0;
}
