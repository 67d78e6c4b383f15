// SPDX-License-Identifier: MIT
// Which lane is meant, wherever it is: an arrangement remembers lanes by their keys while they are hidden, moved,
// filtered or regrouped.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace lanes::gui {

/// gpu, process and others are headers over what belongs to them: process over the lanes of one of several processes,
/// others over the threads of all processes that issued no work for a GPU, or over the streams of a GPU that did next
/// to nothing. gpuTime is the graph of how a GPU spent its time.
enum class LaneKind : std::uint8_t {
    overlap,
    thread,
    gpu,
    stream,
    engine,
    process,
    counter,
    others,
    gpuTime,
    last = gpuTime
};
inline constexpr std::size_t laneKindCount = static_cast<std::size_t>(LaneKind::last) + 1;

/// The part of a GPU that does an operation.
enum class Engine : std::uint8_t { sm, h2d, d2h, peer, device, host, memset };

/// What a lane shows of its stream. whole: everything, in the recording of a workload; in that of a program each of the
/// others has a lane of its own. copies: of any direction, and memsets.
enum class StreamPart : std::uint8_t { whole, compute, communication, copies, last = copies };

struct LaneKey {
    LaneKind kind = LaneKind::overlap;
    /// Of a GPU and its graph, a stream, an engine, a counter, a thread that is a row of a GPU; of others over streams;
    /// no_id: of a process's counter.
    std::uint32_t device = 0;
    std::uint32_t process = 0;  ///< of a process, a thread, a stream, a counter
    std::uint32_t context = 0;  ///< of a stream; of a thread that is a row of a GPU (device_rows.h) 1
    std::uint32_t id = 0;  ///< of a thread, a stream; an Engine; of a counter what its name comes to; of others 1 over
                           ///< streams
    StreamPart part = StreamPart::whole;  ///< of a stream
    friend auto operator<=>(const LaneKey&, const LaneKey&) = default;
};

/// The header over the streams of a GPU that did next to nothing.
constexpr LaneKey headOverStreams(std::uint32_t device)
{
    return {.kind = LaneKind::others, .device = device, .id = 1};
}
constexpr bool isOverStreams(const LaneKey& key)
{
    return key.kind == LaneKind::others && key.id == 1;
}

constexpr bool isHeader(const LaneKey& key)
{
    return key.kind == LaneKind::gpu || key.kind == LaneKind::process || key.kind == LaneKind::others;
}

}  // namespace lanes::gui
