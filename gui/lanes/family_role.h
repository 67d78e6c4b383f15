// SPDX-License-Identifier: MIT
// What kernels are drawn as by their families (engine/analysis/facts/families.h): the role is the family, the shade is
// the name. The shade depends on the name alone, so that a kernel looks the same in A and B, in every file and session.
#pragma once

#include "engine/analysis/facts/families.h"
#include "gui/lanes/item_role.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lanes::gui {

/// Kernels that copy or fill are drawn as other: what is drawn as a copy is one.
ItemRole roleOf(Family family);
/// Nothing for a role that is no family of kernels.
std::optional<Family> familyOf(ItemRole role);

/// Whether GPU operations are drawn as that.
bool isGpuWork(ItemRole role);

/// Below shade_count: FNV-1a of 32 bits, mixed as MurmurHash3 ends.
std::size_t shadeOf(std::string_view name);

/// How each row of Trace::kernels is drawn, as RoleColumn::kernelLook(). Without `byFamily` all that do not communicate
/// are plain kernels. Cost: of OperationFamilies.
std::vector<std::uint8_t> kernelLooks(const Trace& trace, bool byFamily);

}  // namespace lanes::gui
