#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Drops one file, a second one, two at once, a folder, a text and a workload on the real window before a real X server, by XDND.

  xdnd_trial.py LANESCOPE SOURCE      ends with 77 (skipped) where Xvfb or python3-xlib is not installed
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

try:
    from Xlib import X, display
except ImportError:
    print("skipped: python3-xlib is not installed")
    sys.exit(77)
import xdnd_source


def titles(screen):
    """Names of all windows, as a window manager reads them."""
    found, todo = [], [screen.screen().root]
    while todo:
        at = todo.pop()
        try:
            name = at.get_full_property(screen.intern_atom("_NET_WM_NAME"), X.AnyPropertyType)
            found += [name.value.decode()] if name else []
            todo += at.query_tree().children
        except Exception:  # a window may vanish while it is asked
            pass
    return found


def wait_for(screen, words, seconds=60):
    """Waits until some window's title contains all the words."""
    end = time.time() + seconds
    while time.time() < end:
        if any(all(word in title for word in words) for title in titles(screen)):
            return True
        time.sleep(0.1)
    return False


def main(program, source):
    if not shutil.which("Xvfb"):
        print("skipped: Xvfb is not installed")
        return 77
    folder = tempfile.mkdtemp()
    own_end, its_end = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(its_end), "-screen", "0", "1280x720x24", "-nolisten", "tcp"],
        pass_fds=[its_end], stderr=subprocess.DEVNULL)
    os.close(its_end)
    where = ":" + os.read(own_end, 16).decode().strip()
    surroundings = dict(os.environ, DISPLAY=where, QT_QPA_PLATFORM="xcb", XDG_CONFIG_HOME=folder, XDG_RUNTIME_DIR=folder,
        LANES_RESOURCES=source + "/resources", LC_ALL="C.UTF-8")
    shipped = source + "/resources/recordings/h200/"
    files = lambda *names: [shipped + name + ".sqlite" for name in names]
    one, two = files("offload.one-stream"), files("two-gpus.gpu-0", "two-gpus.gpu-1")
    # What is open before, what is dropped, the answer, and what the window's title contains then.
    trials = [
        ("a text", [], xdnd_source.of_text("hello"), "refused", ["Lanescope"]),
        ("one file", [], xdnd_source.of_files(one), "taken", [" – Lanescope"]),
        ("a second file", one, xdnd_source.of_files(files("offload.own-stream")), "taken", [" | ", " – Lanescope"]),
        ("two files", [], xdnd_source.of_files(two), "taken", [" | ", " – Lanescope"]),
        ("a folder", one, xdnd_source.of_files([shipped]), "taken", [" – Lanescope"]),
        ("a workload", one, xdnd_source.of_files([source + "/resources/workloads/offload.yaml"]), "taken", [" – Lanescope"]),
    ]
    failed = 0
    try:
        screen = display.Display(where)
        for what, before, offered, expected, title in trials:
            window = subprocess.Popen([program] + before, env=surroundings)
            found = "no window"
            if wait_for(screen, [" – Lanescope" if before else "Lanescope"]):
                time.sleep(1)  # it exists, but is not laid out yet
                found = xdnd_source.drop(screen, 700, 400, offered)
            good = found == expected and wait_for(screen, title) and window.poll() is None
            print("ok  " if good else "FAIL", what + ":", found, "-", "; ".join(each for each in titles(screen) if "Lanescope" in each))
            failed += not good
            window.terminate()
            window.wait()
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if failed else 0


sys.exit(main(sys.argv[1], sys.argv[2]))
