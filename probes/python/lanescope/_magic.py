# SPDX-License-Identifier: MIT
"""`%%lanes`: record a cell and show its lanes."""
from ._session import record


def register(shell):
    def lanes(line, cell):
        """%%lanes [NAME]: records this cell and shows its lanes; the recording stays in NAME."""
        with record() as recording:
            shell.run_cell(cell)  # an error in it is shown as ever
        if line.strip():
            shell.user_ns[line.strip()] = recording
        return recording

    shell.register_magic_function(lanes, magic_kind="cell", magic_name="lanes")
