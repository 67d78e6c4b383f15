// SPDX-License-Identifier: MIT
#include "gui/lanes/family_role.h"

#include "gui/lanes/row_items.h"

#include <array>

namespace lanes::gui {

namespace {

constexpr std::array<ItemRole, family_count> family_roles {ItemRole::communication, ItemRole::attention,
    ItemRole::matmul, ItemRole::convolution, ItemRole::norm, ItemRole::optimizer, ItemRole::index,
    ItemRole::elementwise, ItemRole::other, ItemRole::other, ItemRole::other};

}  // namespace

ItemRole roleOf(Family family)
{
    return family_roles[static_cast<std::size_t>(family)];
}

std::optional<Family> familyOf(ItemRole role)
{
    for (std::size_t i = 0; i < family_count; ++i) {
        const auto family = static_cast<Family>(i);
        if (family_roles[i] == role && family != Family::copy && family != Family::memset) {
            return family;
        }
    }
    return {};
}

bool isGpuWork(ItemRole role)
{
    return (role >= ItemRole::kernel && role <= ItemRole::memset) || familyOf(role);
}

std::size_t shadeOf(std::string_view name)
{
    std::uint32_t hash = 2166136261U;
    for (const char c : name) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    hash = (hash ^ (hash >> 16)) * 0x85EBCA6BU;  // MurmurHash3's finalizer: the low bits of FNV-1a are alike
    hash = (hash ^ (hash >> 13)) * 0xC2B2AE35U;
    return (hash ^ (hash >> 16)) % shade_count;
}

std::vector<std::uint8_t> kernelLooks(const Trace& trace, bool byFamily)
{
    const OperationFamilies families(trace);
    std::vector<std::uint8_t> looks(trace.kernels.size());
    for (Row detail = 0; detail < looks.size(); ++detail) {
        const Family family = families.of_detail(detail);
        const ItemRole role = byFamily || family == Family::communication ? roleOf(family) : ItemRole::kernel;
        looks[detail] = RoleColumn::kernelLook(role, plain_shade);
    }
    if (!byFamily) {
        return looks;
    }
    std::vector<bool> named(looks.size());
    const OperationTable& operations = trace.operations;
    for (Row row = 0; row < operations.size(); ++row) {
        const Row detail = operations.detail[row];
        if (operations.kind[row] == OperationKind::kernel && !named[detail]) {
            named[detail] = true;  // the first decides where equal kernels have several names
            looks[detail]
                = RoleColumn::kernelLook(roleOf(families.of_detail(detail)), shadeOf(trace.text(operations.name[row])));
        }
    }
    return looks;
}

}  // namespace lanes::gui
