#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes a figure for a column of paper, 85 mm wide, of two recordings and with an annotation, in the real window by mouse
and keyboard; counts what a user presses and finds the annotation in the file.

  figure_trial.py LANESCOPE SOURCE    ends with 77 (skipped) where Xvfb, openbox, xdotool, ImageMagick or Ghostscript is
                                      not installed
"""
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time


def said(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, **more).stdout


class Hand:
    """A user at a screen, who presses a key only when the effect of the previous one is visible."""

    def __init__(self):
        self.keys = self.clicks = 0

    def window(self, name, seconds=90):
        """The front window whose title contains `name`, once there is one."""
        end = time.time() + seconds
        while time.time() < end:
            found = subprocess.run(["xdotool", "getactivewindow"], capture_output=True, text=True).stdout.strip()
            if found and name in subprocess.run(["xdotool", "getwindowname", found], capture_output=True, text=True).stdout:
                return found
            time.sleep(0.2)
        sys.exit(f"FAIL no window “{name}” came")

    def press(self, *keys):
        for key in keys:
            said("xdotool", "key", key)
            time.sleep(0.7)
        self.keys += len(keys)

    def click(self, window, x, y):
        said("xdotool", "mousemove", "--window", window, str(x), str(y), "click", "1")
        time.sleep(0.7)
        self.clicks += 1


def picture(window):
    """Its width and its pixels, three bytes each, once two pictures in a row are the same."""
    before = b""
    while True:
        width = int(re.search(rb"WIDTH=(\d+)", said("xdotool", "getwindowgeometry", "--shell", window)).group(1))
        now = said("import", "-window", window, "-depth", "8", "rgb:-")
        if now == before:
            return width, now
        before = now
        time.sleep(1)


def find(window, colour, run=40):
    """The middle of the uppermost stretch of `run` pixels of a colour."""
    for _ in range(20):
        width, pixels = picture(window)
        at = pixels.find(colour * run)
        while at % 3 > 0:
            at = pixels.find(colour * run, at + 1)
        if at >= 0:
            return at // 3 % width + run // 2, at // 3 // width + 6
        time.sleep(1)
    sys.exit("FAIL no bar of that colour is shown")


def text_of(pdf):
    return " ".join(said("gs", "-q", "-dSAFER", "-sDEVICE=txtwrite", "-o", "-", str(pdf)).decode().split())


def main(program, source):
    for tool in ["Xvfb", "openbox", "xdotool", "import", "gs"]:
        if not shutil.which(tool):
            print(f"skipped: {tool} is not installed")
            return 77
    recordings = [f"{source}/resources/recordings/h200/copy-results-back.{variant}.sqlite" for variant in ("blocking", "overlapped")]
    with sqlite3.connect(f"file:{recordings[0]}?mode=ro", uri=True) as file:
        first = file.execute("SELECT end - start FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind = 2 ORDER BY start").fetchone()[0]
    expected = f"{first / 1e6:.3g} ms"
    colour = bytes.fromhex(json.loads(pathlib.Path(source, "resources/themes/light.json").read_text())["stagedD2h"][1:])  # its outline

    folder = tempfile.mkdtemp()
    own_end, its_end = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(its_end), "-screen", "0", "1920x1080x24", "-nolisten", "tcp"],
        pass_fds=[its_end], stderr=subprocess.DEVNULL)
    os.close(its_end)
    os.environ.update(DISPLAY=":" + os.read(own_end, 16).decode().strip(), QT_QPA_PLATFORM="xcb", HOME=folder, XDG_CONFIG_HOME=folder,
        XDG_RUNTIME_DIR=folder, LANES_RESOURCES=source + "/resources", LC_ALL="C.UTF-8")
    started = [server]
    try:
        started.append(subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL))
        time.sleep(1)
        started.append(subprocess.Popen([program, "--lang", "en"] + recordings, cwd=folder))
        hand = Hand()
        window = hand.window(" – Lanescope")
        x, y = find(window, colour)
        hand.press("ctrl+alt+b")
        hand.click(window, x, y)
        hand.press("ctrl+e")
        dialog = hand.window("Export")
        picture(dialog)
        hand.press("Tab", "Tab", "Down", "Down")
        picture(dialog)
        hand.press("Return")
        while hand.window("") == dialog:
            time.sleep(0.2)
        hand.press("Return")
        end = time.time() + 60
        made = []
        while not made and time.time() < end:
            made = list(pathlib.Path(folder).rglob("*.pdf"))
            time.sleep(0.2)
        if not made:
            sys.exit("FAIL nothing was saved")
        time.sleep(1)
        plain = pathlib.Path(folder, "plain.pdf")
        said(program, "render", *recordings, "-o", str(plain), "--preset", "column", "--lang", "en", env=dict(os.environ, QT_QPA_PLATFORM="offscreen"))
    finally:
        for each in reversed(started):
            each.terminate()
            each.wait()
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", made[0].read_bytes())
    width, height = (float(each) / 72 * 25.4 for each in box.groups())
    there, elsewhere = expected in text_of(made[0]), expected in text_of(plain)
    shutil.rmtree(folder, ignore_errors=True)
    print(f"{made[0].name}: {width:.1f} x {height:.1f} mm, {hand.keys} keys, {hand.clicks} click")
    print(f"the bracket's {expected}: {'there' if there else 'missing'}; without the annotation: {'there' if elsewhere else 'missing'}")
    good = abs(width - 85) < 0.5 and there and not elsewhere
    print("ok" if good else "FAIL")
    return 0 if good else 1


sys.exit(main(sys.argv[1], sys.argv[2]))
