// SPDX-License-Identifier: MIT
// The formats that open_recording() opens, a row each: how a file is recognised, its reader, and its names.
// Error lines, --help, dialogs and the start page take their words from here.
//
// A reader's file is hostile until proved otherwise. It has a fuzzer in tests/fuzz and its page in docs/traces.md.
#pragma once

#include "engine/trace/progress.h"
#include "engine/trace/trace.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

struct Format {
    std::string_view name;  ///< of its fuzzer, tests/fuzz/store/fuzz_NAME.cpp
    std::string_view english, chinese;  ///< what such files are, with their endings in parentheses
    std::vector<std::string_view> endings;  ///< ".json", ".json.gz": what a dialog offers

    /// By content; `begin` are the first 512 bytes, `path` counts if a damaged file says nothing.
    bool (*is_it)(std::string_view begin, const std::string& path);
    Trace (*read)(const std::string& path, const Progress& progress);
    /// Reads a part of fixed size, to show something while the rest is read; null: reading all is as quick.
    Trace (*read_beginning)(const std::string& path, const Progress& progress);
};

std::span<const Format> formats();

/// The row that recognises the file; null: none.
const Format* format_of(std::string_view begin, const std::string& path);

/// "recordings of Lanescope (.sqlite), …, and traces of …": all rows, in English or Chinese ("zh_CN").
std::string formats_in_words(std::string_view language);

/// Whether it is packed with gzip.
bool is_packed(std::string_view begin);

}  // namespace lanes
