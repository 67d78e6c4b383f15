// SPDX-License-Identifier: MIT
// Which lane is meant, wherever it is: an arrangement remembers lanes by their keys while they are hidden, moved,
// filtered or regrouped.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace lanes::gui {

/// gpu and process are headers over what belongs to them; there are headers of processes where there are several.
enum class LaneKind : std::uint8_t { overlap, thread, gpu, stream, engine, process, counter, last = counter };
inline constexpr std::size_t laneKindCount = static_cast<std::size_t>(LaneKind::last) + 1;

/// The part of a GPU that does an operation.
enum class Engine : std::uint8_t { sm, h2d, d2h, peer, device, host, memset };

struct LaneKey {
    LaneKind kind = LaneKind::overlap;
    std::uint32_t device = 0;  ///< of a GPU, a stream, an engine, a counter; no_id: of a process's counter
    std::uint32_t process = 0;  ///< of a process, a thread, a stream, a counter
    std::uint32_t context = 0;  ///< of a stream
    std::uint32_t id = 0;  ///< of a thread, a stream; an Engine; of a counter what its name comes to
    friend auto operator<=>(const LaneKey&, const LaneKey&) = default;
};

constexpr bool isHeader(const LaneKey& key)
{
    return key.kind == LaneKind::gpu || key.kind == LaneKind::process;
}

}  // namespace lanes::gui
