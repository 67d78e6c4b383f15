// SPDX-License-Identifier: MIT
#include "gui/app/frame/legend_entries.h"

#include "gui/paint/words/role_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace lanes::gui {

namespace {

struct LegendEntriesTexts {
    Q_DECLARE_TR_FUNCTIONS(LegendEntries)
};

constexpr std::size_t most_looked_at = 20'000;  // items of a row

}  // namespace

static QString sentenceOf(ItemRole role)
{
    switch (role) {
    case ItemRole::kernel:
        return LegendEntriesTexts::tr("A function that runs on the GPU");
    case ItemRole::communication:
        return LegendEntriesTexts::tr("A kernel that exchanges data with other GPUs, such as those of NCCL");
    case ItemRole::h2d:
        return LegendEntriesTexts::tr("A copy from the host's memory to the GPU");
    case ItemRole::d2h:
        return LegendEntriesTexts::tr("A copy from the GPU to the host's memory");
    case ItemRole::d2d:
        return LegendEntriesTexts::tr("A copy within a GPU's memory");
    case ItemRole::p2p:
        return LegendEntriesTexts::tr("A copy from one GPU to another");
    case ItemRole::h2h:
        return LegendEntriesTexts::tr("A copy within the host's memory");
    case ItemRole::memset:
        return LegendEntriesTexts::tr("The GPU fills memory with a value");
    case ItemRole::call:
        return LegendEntriesTexts::tr("A CPU thread is in a call of the CUDA library");
    case ItemRole::held:
        return LegendEntriesTexts::tr("A thread waits in a call until GPU work is done, and what it does next could "
                                      "have begun earlier; under the "
                                      "ribbon, the first thread");
    case ItemRole::freeWait:
        return LegendEntriesTexts::tr(
            "A thread waits in a call until GPU work is done, and loses nothing: it needs the result, or the GPU is "
            "busy anyway; under the ribbon, the first thread");
    case ItemRole::unknownWait:
        return LegendEntriesTexts::tr(
            "A thread waits in a call until GPU work is done; what that costs is not recorded");
    case ItemRole::range:
        return LegendEntriesTexts::tr("A part of the program that it names, for example with NVTX");
    case ItemRole::hostWork:
        return LegendEntriesTexts::tr("The CPU computes or copies");
    case ItemRole::hostWait:
        return LegendEntriesTexts::tr("A thread waits for another thread; under the ribbon, the first thread does");
    case ItemRole::read:
        return LegendEntriesTexts::tr("The CPU reads a result");
    case ItemRole::staleRead:
        return LegendEntriesTexts::tr("The CPU read bytes that were not those of the result");
    case ItemRole::overlap1:
        return LegendEntriesTexts::tr("Overlap ribbon: exactly one stream is busy");
    case ItemRole::overlap2:
        return LegendEntriesTexts::tr("Overlap ribbon: two streams are busy at the same time");
    case ItemRole::overlap3:
        return LegendEntriesTexts::tr("Overlap ribbon: three or more streams are busy at the same time");
    case ItemRole::cpuFree:
    case ItemRole::cpuWorking:
    case ItemRole::none:
        break;
    }
    return {};
}

/// "" where there is nothing to filter by.
static QString queryOf(ItemRole role)
{
    switch (role) {
    case ItemRole::kernel:
        return QStringLiteral("kind:kernel");
    case ItemRole::communication:
        return QStringLiteral("kind:communication");
    case ItemRole::h2d:
        return QStringLiteral("kind:h2d");
    case ItemRole::d2h:
        return QStringLiteral("kind:d2h");
    case ItemRole::d2d:
        return QStringLiteral("kind:d2d");
    case ItemRole::p2p:
        return QStringLiteral("kind:p2p");
    case ItemRole::h2h:
        return QStringLiteral("kind:h2h");
    case ItemRole::memset:
        return QStringLiteral("kind:memset");
    case ItemRole::call:
        return QStringLiteral("kind:call");
    case ItemRole::held:
    case ItemRole::freeWait:
    case ItemRole::unknownWait:
        return QStringLiteral("kind:blocked");
    case ItemRole::range:
        return QStringLiteral("kind:range");
    case ItemRole::hostWork:
    case ItemRole::hostWait:
        return QStringLiteral("kind:host");
    case ItemRole::read:
    case ItemRole::staleRead:
        return QStringLiteral("kind:read");
    default:
        return {};
    }
}

std::vector<LegendItem> legendOf(const std::vector<const LaneModel*>& models)
{
    std::bitset<itemRoleCount> has;
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
    std::vector<LegendItem> shown;
    // What the bar under the ribbon shows of the first thread is said by its tip.
    has[static_cast<std::size_t>(ItemRole::cpuFree)] = has[static_cast<std::size_t>(ItemRole::cpuWorking)] = false;
    for (const ItemRole role : rolesOfLegend(has)) {
        shown.push_back({role, roleText(role), sentenceOf(role), queryOf(role)});
    }
    return shown;
}

}  // namespace lanes::gui
