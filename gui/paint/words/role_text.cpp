// SPDX-License-Identifier: MIT
#include "gui/paint/words/role_text.h"

#include "gui/lanes/family_role.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace lanes::gui {

namespace {

struct Roles {
    Q_DECLARE_TR_FUNCTIONS(Roles)
};

}  // namespace

QString roleText(ItemRole role)
{
    switch (role) {
    case ItemRole::none:
        return {};
    case ItemRole::kernel:
        return Roles::tr("kernel");
    case ItemRole::communication:
        return Roles::tr("communication");
    case ItemRole::h2d:
        return Roles::tr("copy H2D");
    case ItemRole::d2h:
        return Roles::tr("copy D2H");
    case ItemRole::d2d:
        return Roles::tr("copy D2D");
    case ItemRole::p2p:
        return Roles::tr("copy P2P");
    case ItemRole::h2h:
        return Roles::tr("copy H2H");
    case ItemRole::memset:
        return Roles::tr("memset");
    case ItemRole::call:
        return Roles::tr("API call");
    case ItemRole::range:
        return Roles::tr("range");
    case ItemRole::torchOperator:
        return Roles::tr("operator");
    case ItemRole::hostWork:
        return Roles::tr("CPU work");
    case ItemRole::hostWait:
        return Roles::tr("CPU waits for CPU");
    case ItemRole::read:
        return Roles::tr("host read");
    case ItemRole::staleRead:
        return Roles::tr("wrong bytes read");
    case ItemRole::held:
        return Roles::tr("waits, costs time");
    case ItemRole::freeWait:
        return Roles::tr("waits, costs nothing");
    case ItemRole::unknownWait:
        return Roles::tr("waits, cost not recorded");
    case ItemRole::overlap1:
        return Roles::tr("one at a time");
    case ItemRole::overlap2:
        return Roles::tr("two at once");
    case ItemRole::overlap3:
        return Roles::tr("three or more");
    case ItemRole::cpuFree:
        return Roles::tr("CPU free");
    case ItemRole::cpuWorking:
        return Roles::tr("CPU at work");
    case ItemRole::sideBySide:
        return Roles::tr("side by side");
    case ItemRole::computeAlone:
        return Roles::tr("compute alone");
    case ItemRole::exposedTime:
    case ItemRole::exposed:
        return Roles::tr("exposed");
    case ItemRole::attention:
        return Roles::tr("attention");
    case ItemRole::matmul:
        return Roles::tr("matmul");
    case ItemRole::convolution:
        return Roles::tr("convolution");
    case ItemRole::norm:
        return Roles::tr("norm, reduction");
    case ItemRole::optimizer:
        return Roles::tr("optimizer");
    case ItemRole::index:
        return Roles::tr("index, sort");
    case ItemRole::elementwise:
        return Roles::tr("elementwise, cast");
    case ItemRole::other:
        return Roles::tr("other kernels");
    }
    return {};
}

QString familyText(Family family)
{
    switch (family) {
    case Family::copy:
        return Roles::tr("copy");
    case Family::memset:
        return roleText(ItemRole::memset);
    case Family::other:
        return roleText(ItemRole::kernel);
    default:
        return roleText(roleOf(family));
    }
}

std::vector<ItemRole> rolesOfLegend(std::bitset<itemRoleCount> shown)
{
    using enum ItemRole;
    static constexpr ItemRole all[] {kernel, matmul, convolution, attention, elementwise, norm, index, optimizer, other,
        communication, h2d, d2h, d2d, p2p, h2h, memset, call, held, freeWait, unknownWait, range, torchOperator,
        hostWork, hostWait, read, staleRead, exposed, overlap1, overlap2, overlap3, cpuFree, cpuWorking, sideBySide,
        computeAlone, exposedTime};
    static_assert(std::size(all) == itemRoleCount - 1);
    std::vector<ItemRole> listed;
    std::ranges::copy_if(
        all, std::back_inserter(listed), [&shown](ItemRole role) { return shown[static_cast<std::size_t>(role)]; });
    return listed;
}

}  // namespace lanes::gui
