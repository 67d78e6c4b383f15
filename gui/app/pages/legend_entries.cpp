// SPDX-License-Identifier: MIT
#include "gui/app/pages/legend_entries.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lanes::gui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(LegendEntries)
};

constexpr std::size_t most_looked_at = 20'000;  // items of a row

}  // namespace

std::vector<LegendItem> legendOf(const std::vector<const LaneModel*>& models)
{
    std::array<bool, itemRoleCount> has {};
    for (const LaneModel* model : models) {
        for (const Lane& lane : model->lanes()) {
            for (const LaneRow& row : lane.rows) {
                const std::size_t looked = std::min(row.items.size(), most_looked_at);
                for (std::size_t i = 0; i < looked; ++i) {
                    has[static_cast<std::size_t>(row.items.role(i))] = true;
                }
            }
        }
    }
    using enum ItemRole;
    const std::vector<LegendItem> all {
        {kernel, Texts::tr("kernel"), Texts::tr("A function that runs on the GPU"), QStringLiteral("kind:kernel")},
        {communication, Texts::tr("communication"), Texts::tr("An NCCL kernel, which exchanges data with other GPUs"),
            QStringLiteral("kind:kernel name:nccl")},
        {h2d, Texts::tr("H2D"), Texts::tr("A copy from the host's memory to the GPU"), QStringLiteral("kind:h2d")},
        {d2h, Texts::tr("D2H"), Texts::tr("A copy from the GPU to the host's memory"), QStringLiteral("kind:d2h")},
        {d2d, Texts::tr("D2D"), Texts::tr("A copy within a GPU's memory"), QStringLiteral("kind:d2d")},
        {p2p, Texts::tr("P2P"), Texts::tr("A copy from one GPU to another"), QStringLiteral("kind:p2p")},
        {h2h, Texts::tr("H2H"), Texts::tr("A copy within the host's memory"), QStringLiteral("kind:h2h")},
        {memset, Texts::tr("memset"), Texts::tr("The GPU fills memory with a value"), QStringLiteral("kind:memset")},
        {call, Texts::tr("API call"), Texts::tr("A CPU thread is in a call of the CUDA library"),
            QStringLiteral("kind:call")},
        {blocked, Texts::tr("blocked"), Texts::tr("Hatched: the call holds its thread until GPU work is done"),
            QStringLiteral("kind:blocked")},
        {range, Texts::tr("range"), Texts::tr("A part of the program that it names, for example with NVTX"),
            QStringLiteral("kind:range")},
        {hostWork, Texts::tr("CPU work"), Texts::tr("The CPU computes or copies"), QStringLiteral("kind:host")},
        {hostWait, Texts::tr("CPU waits for CPU"), Texts::tr("A thread waits for another thread"),
            QStringLiteral("kind:host")},
        {read, Texts::tr("host read"), Texts::tr("The CPU reads a result"), QStringLiteral("kind:read")},
        {staleRead, Texts::tr("wrong bytes read"), Texts::tr("The CPU read a result before it had arrived"),
            QStringLiteral("kind:read")},
        {overlap1, Texts::tr("one at a time"), Texts::tr("Overlap ribbon: exactly one stream is busy"), {}},
        {overlap2, Texts::tr("two at once"), Texts::tr("Overlap ribbon: two streams are busy at the same time"), {}},
        {overlap3, Texts::tr("three or more"),
            Texts::tr("Overlap ribbon: three or more streams are busy at the same time"), {}},
        {cpuFree, Texts::tr("CPU free"), Texts::tr("Under the ribbon: the GPU works and the first thread is free"), {}},
        {cpuWorking, Texts::tr("CPU at work"),
            Texts::tr("Under the ribbon: the GPU works and so does the first thread"), {}},
        {cpuHeld, Texts::tr("CPU held"), Texts::tr("Under the ribbon: the first thread is held while the GPU works"),
            {}},
    };
    std::vector<LegendItem> shown;
    std::copy_if(all.begin(), all.end(), std::back_inserter(shown),
        [&](const LegendItem& item) { return has[static_cast<std::size_t>(item.role)]; });
    return shown;
}

}  // namespace lanes::gui
