# SPDX-License-Identifier: MIT
"""Drops something on a window by the XDND protocol (version 5), as a file manager does: owns XdndSelection, enters, moves,
waits for the window's answer, drops, and hands the data over when they are asked for. Needs python3-xlib."""
import pathlib
import time

from Xlib import X, Xatom
from Xlib.protocol import event


def of_files(paths):
    """What a file manager offers for files and folders."""
    uris = "".join(pathlib.Path(path).absolute().as_uri() + "\r\n" for path in paths).encode()
    return {"text/uri-list": uris, "text/plain": uris}


def of_text(text):
    """What an editor offers for a selected text."""
    return {"UTF8_STRING": text.encode(), "text/plain": text.encode()}


def window_at(screen, x, y):
    """The uppermost window under a point that takes drops, None if there is none."""
    root = screen.screen().root
    at = root
    while True:
        at = at.translate_coords(root, x, y).child
        if not at or at.get_full_property(screen.intern_atom("XdndAware"), X.AnyPropertyType):
            return at or None


def drop(screen, x, y, offered, seconds=30):
    """Drops `offered` (at most three types) at a point of the screen. "refused", "taken", or the missing answer."""
    atom = screen.intern_atom
    types = {atom(name): data for name, data in offered.items()}
    own = screen.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    own.set_selection_owner(atom("XdndSelection"), X.CurrentTime)
    target = window_at(screen, x, y)
    if target is None:
        return "no window takes drops there"

    def send(kind, data):
        target.send_event(event.ClientMessage(window=target, client_type=atom(kind), data=(32, [own.id] + data)), event_mask=X.NoEventMask)
        screen.flush()

    def answer_requests(until):
        """Hands data over until a message of that kind comes; returns its data, or None."""
        end = time.time() + seconds
        while time.time() < end:
            if not screen.pending_events():
                time.sleep(0.01)
                continue
            got = screen.next_event()
            if got.type == X.SelectionRequest:
                data = types.get(got.target)
                if data is not None:
                    got.requestor.change_property(got.property, got.target, 8, data)
                got.requestor.send_event(event.SelectionNotify(time=got.time, requestor=got.requestor, selection=got.selection,
                    target=got.target, property=got.property if data is not None else X.NONE))
                screen.flush()
            elif got.type == X.ClientMessage and got.client_type == atom(until):
                return got.data[1]
        return None

    send("XdndEnter", [5 << 24] + (list(types) + [0, 0, 0])[:3])
    status = None
    for step in (6, 3, 0):  # the mouse comes nearer
        send("XdndPosition", [0, (x - step) << 16 | (y - step), X.CurrentTime, atom("XdndActionCopy")])
        status = answer_requests("XdndStatus")
        if status is None:
            return "no answer to the position"
    if not status[1] & 1:
        send("XdndLeave", [0, 0, 0, 0])
        return "refused"
    send("XdndDrop", [0, X.CurrentTime, 0, 0])
    finished = answer_requests("XdndFinished")
    own.destroy()
    return "taken" if finished is not None else "no end of the drop"
