// SPDX-License-Identifier: MIT
// `lanes`: the command line.
#include "engine/cli/commands.h"

int main(int argc, char** argv)
{
    return lanes::run_command_line(argc, argv);
}
