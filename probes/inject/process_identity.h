// SPDX-License-Identifier: MIT
// Which process of a job this one is, by what its launcher set in the environment.
//
// The rules, in order, with their words:
//   LANES_RANK  LANES_RANK, which somebody set for us
//   torchrun    RANK beside LOCAL_RANK. Before Slurm: srun may start one torchrun a node, and SLURM_PROCID is the node
//   ompi        OMPI_COMM_WORLD_RANK
//   pmix        PMIX_RANK
//   pmi         PMI_RANK or PMI_ID: MPICH, Intel MPI
//   slurm       SLURM_PROCID
//   pod         RANK alone: PyTorchJob numbers pods so, not GPUs
// Nothing else of the environment is kept than the variables of a closed list, as they are: it may hold secrets.
#pragma once

#include "probes/inject/name_pattern.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes {

struct ProcessIdentity {
    std::string rank, world, restarts;  ///< digits; "": not known
    std::string rule;  ///< "": none held
    std::vector<std::pair<std::string, std::string>> told;  ///< the variables of the list that are set
    friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};

ProcessIdentity identity_of(const Variables& variables);
ProcessIdentity identity_of_environment();

/// The rank alone; "" if no launcher set one.
std::string rank_of_environment();

/// A line each, for a recording's meta data, and back. What is not understood is left out.
std::string to_text(const ProcessIdentity& identity);
ProcessIdentity identity_of_text(std::string_view text);

/// Whether $LANES_RANKS wants this rank: "0-7,12", "every:64", "all". A rank that is not known is wanted, as is any
/// where the list is not understood.
bool wants_rank(std::string_view list, std::string_view rank);
/// Whether it is such a list.
bool is_rank_list(std::string_view list);

}  // namespace lanes
