#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the pictures of the README and docs/ anew from the recordings of two H200s and an H100.
# docs/pictures.sh           what `lanescope render` draws: the same bytes everywhere
# docs/pictures.sh window    the window as well; needs xvfb, openbox, xdotool and imagemagick
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
recordings=resources/recordings/h200
lanescope=${LANESCOPE:-build/bin/lanescope}
[ -x "$lanescope" ] || { echo "docs/pictures.sh: $lanescope is not built: ./dev build" >&2; exit 1; }

render() { # OUT WORKLOAD A B [OPTIONS...]
    local out=$1 workload=$2 a=$3 b=$4
    shift 4
    "$lanescope" render "$recordings/$workload.$a.sqlite" "$recordings/$workload.$b.sqlite" -o "docs/$out" "$@"
    echo "docs/$out"
}

render print.png copy-results-back blocking overlapped --size 1200x --scale 2 --theme print --range 0:20ms --time-scale bar
render critical-path.png copy-results-back blocking overlapped --size 1200x --scale 2 --critical-path
"$lanescope" render "$recordings/default-stream.legacy.sqlite" -o docs/idle-reasons.png --size 1200x --scale 2 --idle-reasons
echo docs/idle-reasons.png

[ "${1:-}" = window ] || exit 0
home=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null || true; rm -rf "$home"' EXIT
export DISPLAY=:97 HOME=$home XDG_CONFIG_HOME=$home QT_QPA_PLATFORM=xcb LC_ALL=C.UTF-8
Xvfb "$DISPLAY" -screen 0 2600x1480x24 >/dev/null 2>&1 &
started+=($!)
sleep 1
openbox >/dev/null 2>&1 &
started+=($!)

# Starts lanescope with these arguments and waits until its window, named like NAME, has drawn what it opens.
show() { # NAME ARGUMENTS...
    local name=$1
    shift
    "$lanescope" "$@" >/dev/null 2>&1 &
    shown=$!
    window=$(timeout 60 xdotool search --sync --onlyvisible --name "$name" | tail -1)
    xdotool windowsize "$window" 1560 940 windowmove "$window" 10 30 windowfocus "$window"
    sleep 4
}
keys() {
    xdotool key --window "$window" --delay 120 "$@"
    sleep 2
}
keep() { # OUT
    import -window "$window" "docs/$1"
    echo "docs/$1"
}
hide() {
    kill "$shown"
    wait "$shown" 2>/dev/null || true
    # Its window briefly outlives it, and must not be taken for the next one.
    while xdotool search --onlyvisible --name Lanescope >/dev/null 2>&1; do sleep 0.2; done
}

show " – Lanescope" --lang en "$recordings"/copy-results-back.{blocking,overlapped}.sqlite
# The second copy of the upper recording, with the arrow from its call; then the mouse out of the way. Look at it.
xdotool mousemove --window "$window" 706 366 click 1 mousemove --window "$window" 900 900
sleep 1
keep window.png
# Lanes of engines, and a range that snaps to where copies begin and end.
keys Escape g
xdotool mousemove --window "$window" 583 340 mousedown 1
for x in 620 700 800 880; do xdotool mousemove --window "$window" "$x" 340; sleep 0.1; done
xdotool mouseup 1 mousemove --window "$window" 1300 900
sleep 1
keep range.png
hide

show " – Lanescope" --lang en tests/engine/store/traces/torch-2.11.json.gz
keep pytorch-trace.png
hide

show " – Lanescope" --lang en "$recordings"/events-across-streams.event-wait.sqlite
# The last copy: the chain of what it waited for. Look at it.
xdotool mousemove --window "$window" 1290 506 click 1 mousemove --window "$window" 900 900 key shift+e
sleep 1
keep chain.png
hide

# What the rewritten program took (a button beside the table), then the predicted run under the recorded one. Look at it.
show " – Lanescope" --lang en resources/recordings/h100/copy-results-back.blocking.sqlite
keys ctrl+i
sleep 2
xdotool mousemove --window "$window" 1334 816 click 1 mousemove --window "$window" 130 930
sleep 4
keys ctrl+shift+i
sleep 4
keep what-if.png
hide

show Lanescope --lang en
keys ctrl+g ctrl+g
keep gallery.png
keys Home Down Right Right Right Return  # "Copy results back"
keep lesson.png
keys F7 F10 F10 F10 F10 F10 F10 F10 F10
keep step-through.png
keys F7 Escape F11
keep full-screen.png
keys Escape ctrl+7
sleep 10  # the other recordings are read
keep variants.png
hide

show Lanescope --lang zh_CN  # with a Chinese font of this machine
keys ctrl+g ctrl+g Home Down Right Right Right Return
keep lesson-zh.png
hide

# A user's own text with an unknown word, and a knob that is dragged; dark and light, small and large.
shape() { # WIDTH HEIGHT
    xdotool windowsize "$window" "$1" "$2" windowmove "$window" 0 0 windowfocus "$window"
    sleep 3
}
sed 's/- copy: {from: y/- coppy: {from: y/; /^description:/,/^parameters:/{/^parameters:/!d}' \
    resources/workloads/read-too-early.yaml >"$home/read-mine.yaml"

show " – Lanescope" --lang en "$recordings"/read-too-early.{no-sync,stream-sync}.sqlite
xdotool key --window "$window" ctrl+o
sleep 2
xdotool type --delay 20 "$home/read-mine.yaml"
xdotool key Return
sleep 3
keep editor-error.png
hide

mkdir -p "$home/lanescope"
printf '[General]\ntheme=dark\n' >"$home/lanescope/lanescope.conf"
show Lanescope --lang en
keys F5
shape 1280 720
# The slider of the size, moved to the left: the lanes are those of the last move.
xdotool mousemove --window "$window" 241 570 mousedown 1
for x in 238 234 230 226 222; do xdotool mousemove --window "$window" "$x" 570; sleep 0.1; done
sleep 1
keep live-knobs-dark.png
xdotool mouseup 1
shape 2560 1440
keep live-knobs-2560.png
hide
