// SPDX-License-Identifier: MIT
// Which process of a job this one is: torchrun, Open MPI, Slurm and the launchers of MPICH each set a number in
// the environment.
#pragma once

#include <cstdlib>
#include <string>

namespace lanes {

/// The variables in order of precedence: torchrun under Slurm sets its own in addition to Slurm's.
inline constexpr const char* rank_variables[] = {"RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID", "PMI_RANK"};

/// The rank, digits alone; "" if no launcher set one.
inline std::string rank_of_environment()
{
    for (const char* variable : rank_variables) {
        const char* value = std::getenv(variable);
        std::string rank = value == nullptr ? "" : value;
        if (!rank.empty() && rank.size() <= 9 && rank.find_first_not_of("0123456789") == std::string::npos) {
            return rank;
        }
    }
    return "";
}

}  // namespace lanes
