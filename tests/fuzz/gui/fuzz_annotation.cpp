// SPDX-License-Identifier: MIT
// Any bytes as a file of annotations: annotations that are written and read as the same, or a WorkloadError on one
// line; nothing else.
#include "engine/workload/workload.h"
#include "gui/export/annotation_file.h"
#include "tests/fuzz/heap_peak.h"

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const lanes::HeapPeak heap(size, std::size_t {64} << 20U);
    try {
        const auto annotations = lanes::gui::parseAnnotations(text, "fuzz.yaml");
        const std::string written = lanes::gui::annotationText(annotations);
        try {
            if (lanes::gui::annotationText(lanes::gui::parseAnnotations(written, "again.yaml")) != written) {
                std::abort();
            }
        } catch (const lanes::WorkloadError&) {
            std::abort();  // what is written is read
        }
    } catch (const lanes::WorkloadError& error) {
        if (std::string(error.what()).find('\n') != std::string::npos) {
            std::abort();
        }
    }
    return 0;
}
