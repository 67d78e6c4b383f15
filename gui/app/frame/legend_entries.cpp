// SPDX-License-Identifier: MIT
#include "gui/app/frame/legend_entries.h"

#include "gui/lanes/family_role.h"
#include "gui/lanes/staged_copies.h"
#include "gui/paint/words/role_text.h"
#include "gui/paint/words/time_format.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lanes::gui {

namespace {

struct LegendEntriesTexts {
    Q_DECLARE_TR_FUNCTIONS(LegendEntries)
};

constexpr std::size_t most_looked_at = 20'000;  // items of a row
constexpr double little_share = 0.01;  // a share

const QString joint = QStringLiteral(" or ");

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
    case ItemRole::torchOperator:
        return LegendEntriesTexts::tr("A thread is in an operator of PyTorch; paler: in one that another one calls");
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
    case ItemRole::exposed:
        return LegendEntriesTexts::tr("Under communication and copies: the part of them in which no kernel computes on "
                                      "that GPU; of several GPUs the mean");
    case ItemRole::attention:
        return LegendEntriesTexts::tr("Kernels of attention, of its caches, and of state spaces");
    case ItemRole::matmul:
        return LegendEntriesTexts::tr("Kernels that multiply matrices");
    case ItemRole::convolution:
        return LegendEntriesTexts::tr("Kernels of convolutions");
    case ItemRole::norm:
        return LegendEntriesTexts::tr("Kernels of norms, softmax and other reductions");
    case ItemRole::optimizer:
        return LegendEntriesTexts::tr("Kernels of the optimizer's step");
    case ItemRole::index:
        return LegendEntriesTexts::tr("Kernels that gather, scatter, sort or look up");
    case ItemRole::elementwise:
        return LegendEntriesTexts::tr("Kernels that compute element by element, or convert numbers");
    case ItemRole::other:
        return LegendEntriesTexts::tr("Kernels whose names say nothing of what they are for");
    case ItemRole::cpuFree:
    case ItemRole::cpuWorking:
    case ItemRole::sideBySide:
    case ItemRole::computeAlone:
    case ItemRole::exposedTime:
    case ItemRole::none:
        break;
    }
    return {};
}

/// "" where there is nothing to filter by.
static QString queryOf(ItemRole role)
{
    if (const auto family = familyOf(role)) {
        return QStringLiteral("family:")
            + QString::fromUtf8(word_of(*family).data(), qsizetype(word_of(*family).size()));
    }
    switch (role) {
    case ItemRole::kernel:
        return QStringLiteral("kind:kernel");
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
    case ItemRole::torchOperator:
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

QString figureOf(const LegendItem& item)
{
    return item.share ? formatShare(*item.share) : item.time ? formatTime(*item.time) : QString();
}

std::vector<LegendItem> legendOf(const std::vector<const LaneModel*>& models)
{
    std::bitset<itemRoleCount> has;
    std::optional<ItemRole> staged;
    for (const LaneModel* model : models) {
        const auto& lanes = model->lanes();
        const bool hasGraphs = std::any_of(
            lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.key.kind == LaneKind::gpuTime; });
        const bool gpusFirst = lanes.size() > 1 && lanes[1].key.kind == LaneKind::gpu;
        for (const Lane& lane : lanes) {
            if (hasGraphs && gpusFirst && lane.key.kind == LaneKind::overlap) {
                continue;  // the graphs are shown in its place
            }
            has[static_cast<std::size_t>(ItemRole::exposed)]
                = has[static_cast<std::size_t>(ItemRole::exposed)] || (lane.exposed && lane.exposed->items.size() > 0);
            for (const LaneRow& row : lane.rows) {
                const std::size_t looked = std::min(row.items.size(), most_looked_at);
                for (std::size_t i = 0; i < looked; ++i) {
                    has[static_cast<std::size_t>(row.items.role(i))] = true;
                    if (!staged && row.kind == ItemKind::operation && isStaged(model->trace(), row.items.place(i))) {
                        staged = row.items.role(i);
                    }
                }
            }
        }
    }
    std::vector<LegendItem> shown;
    // What the bar under the ribbon shows of the first thread is said by its tip, a GPU's time beside its graph.
    for (const ItemRole said : {ItemRole::cpuFree, ItemRole::cpuWorking, ItemRole::sideBySide, ItemRole::computeAlone,
             ItemRole::exposedTime}) {
        has[static_cast<std::size_t>(said)] = false;
    }
    for (const ItemRole role : rolesOfLegend(has)) {
        shown.push_back({role, roleText(role), sentenceOf(role), queryOf(role)});
        if (role == staged) {
            shown.push_back({.text = LegendEntriesTexts::tr("staged copy"),
                .sentence = LegendEntriesTexts::tr("A copy of pageable memory, which moves in pieces: filled for the "
                                                   "share of time in which bytes move"),
                .staged = staged});
        }
    }
    return shown;
}

std::vector<std::size_t> entriesInOneRow(
    const std::vector<LegendItem>& items, const std::vector<int>& needs, int gap, int more, int width)
{
    std::vector<std::size_t> shown(items.size());
    std::iota(shown.begin(), shown.end(), 0);
    const auto lengthOf = [&] {
        int length = shown.size() < items.size() ? more + gap : 0;
        for (const std::size_t i : shown) {
            length += needs[i] + gap;
        }
        return length - gap;
    };
    // Groups of what goes first, each from its last place to its first.
    const auto rank = [&](std::size_t i) {
        const std::optional<double>& share = items[i].share;
        return items[i].time ? std::pair(2, 1.0)
            : !share         ? std::pair(1, -static_cast<double>(i))
                             : std::pair(*share < little_share ? 0 : 2, *share);
    };
    while (shown.size() > 1 && lengthOf() > width) {
        shown.erase(std::min_element(
            shown.begin() + 1, shown.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); }));
    }
    return shown;
}

bool isInFilter(const QString& filter, const QString& query)
{
    return !query.isEmpty() && filter.split(joint).contains(query);
}

QString filterAfterClick(const QString& filter, const QString& query, bool add)
{
    if (!add) {
        return filter == query ? QString() : query;
    }
    QStringList words = filter.split(joint, Qt::SkipEmptyParts);
    const bool isOfClicks = std::all_of(words.begin(), words.end(),
        [](const QString& word) { return !word.contains(QLatin1Char(' ')) && word.contains(QLatin1Char(':')); });
    if (!isOfClicks) {
        return query;
    }
    if (!words.removeOne(query)) {
        words += query;
    }
    return words.join(joint);
}

}  // namespace lanes::gui
