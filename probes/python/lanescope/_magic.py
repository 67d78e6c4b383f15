# SPDX-License-Identifier: MIT
"""`%%lanes`: record a cell and show its lanes."""
from ._files import LanescopeError
from ._session import record


def register(shell):
    def lanes(line, cell):
        """%%lanes [NAME]: records this cell and shows its lanes; the recording stays in NAME."""
        name = line.strip()
        if name and not name.isidentifier():
            raise LanescopeError(f"%%lanes {name}: expected one name for the recording, or none")
        with record() as recording:
            shell.run_cell(cell)  # an error in it is shown as ever
        if name:
            shell.user_ns[name] = recording
        return recording

    shell.register_magic_function(lanes, magic_kind="cell", magic_name="lanes")
