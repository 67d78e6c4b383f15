#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tries what the README promises on a machine without anything: a bare Debian from debootstrap with git in it, a fresh
# clone of HEAD, no locale, no display, no XDG_RUNTIME_DIR. To be run, as root, before work is called done.
#
#   tests/bare-machine.sh [OPTIONS] [STEP...]        without STEP: demo, test and package
#
#   build     ./dev build, which is what a contributor types first
#   demo      ./dev demo; demo.png must be a picture
#   test      ./dev test
#   package   ./dev package; both archives are unpacked in a second bare root, in which `lanes run`, `lanescope render`
#             and, before an X server, the window must run, though nothing of Qt, X or EGL is installed; in a third
#             the Debian packages are installed, used, removed and purged, after which nothing of them may remain
#
#   --suite NAME      bookworm (Debian 12, unless said otherwise) or trixie (13)
#   --on NAME         the suite of the second root, where the archives run; the same unless said otherwise
#   --compiler NAME   gcc (unless said otherwise) or clang
#   --user NAME       root (unless said otherwise) or user: one who may use sudo
#   --fonts           with fonts-urw-base35 and fonts-noto-cjk installed
#   --cuda FOLDER     with this CUDA toolkit at /usr/local/cuda
#   --ccache FOLDER   with ccache and this folder of its, so that earlier compilations cost nothing
#   --at FOLDER       the clone's folder in the root (/src/lanescope); ccache finds what was compiled in the same folder
#   --cache FOLDER    where roots and packages are kept (~/.cache/lanescope-bare)
#   --mirror URL      unless given, that of this machine's own apt
#   --keep            leaves the root there afterwards and says where
#
# Each step prints its time and its processor time. The exit status is the number of steps that failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() { printf 'bare-machine: %s\n' "$*" >&2; exit 2; }
say() { printf '\n== bare %s: %s\n' "$suite" "$*"; }

# Everything that is mounted and started is in separate namespaces, and ends with them. The roots are removed out here,
# where nothing is mounted in them: what is bound there, such as ccache's folder, is this machine's.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lanescope-bare
if [ "${1:-}" != --inside ]; then
    [ "$(id -u)" -eq 0 ] || die "needs root: it makes roots and mounts"
    command -v debootstrap >/dev/null || die "needs debootstrap: apt-get install debootstrap"
    keep=no
    for ((i = 1; i <= $#; ++i)); do
        case ${!i} in
            --keep) keep=yes ;;
            --cache) next=$((i + 1)); cache=${!next:-$cache} ;;
        esac
    done
    mkdir -p "$cache"
    roots=$(mktemp -d "$cache/roots.XXXXXX")
    status=0
    unshare --mount --pid --fork --kill-child "$PWD/tests/bare-machine.sh" --inside "$roots" "$@" || status=$?
    if [ $keep = yes ]; then
        echo "bare-machine: the roots are in $roots"
    else
        rm -rf "$roots"
    fi
    exit $status
fi
roots=$2
shift 2

suite=bookworm on='' compiler=gcc user=root fonts=no cuda='' ccache='' at=/src/lanescope mirror='' steps=()
while [ $# -gt 0 ]; do
    case $1 in
        --fonts) fonts=yes ;;
        --keep) ;;
        --suite | --on | --compiler | --user | --cuda | --ccache | --at | --cache | --mirror)
            [ $# -gt 1 ] || die "$1 needs a value"
            printf -v "${1#--}" %s "$2"
            shift ;;
        build | demo | test | package) steps+=("$1") ;;
        *) die "unknown word '$1'; $0 says in its first lines what it takes" ;;
    esac
    shift
done
on=${on:-$suite}
[ ${#steps[@]} -gt 0 ] || steps=(demo test package)
case $compiler in gcc) CC=gcc CXX=g++ ;; clang) CC=clang CXX=clang++ ;; *) die "--compiler is gcc or clang, not '$compiler'" ;; esac
case $user in root) id=0 ;; user) id=1000 ;; *) die "--user is root or user, not '$user'" ;; esac

# This machine's mirror and proxy, all that a root gets of it.
mirror=${mirror:-$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' | awk '$1 == "Debian" && !/security/ {print $2; exit}')}
[ -n "$mirror" ] || die "this machine's apt has no mirror of Debian: give one with --mirror"
network=()
for name in http_proxy https_proxy no_proxy; do [ -z "${!name:-}" ] || network+=("$name=${!name}"); done

make_root() { # FOLDER SUITE: unpacks one, which is made once
    local root=$1 kept=$cache/$2.tar
    if [ ! -f "$kept" ]; then
        say "debootstrap $2"
        debootstrap --variant=minbase --include=git,ca-certificates "$2" "$roots/new" "$mirror" >"$cache/$2.log" 2>&1 \
            || die "debootstrap failed: $cache/$2.log"
        tar -C "$roots/new" --one-file-system -cf "$kept.new" .
        mv "$kept.new" "$kept"
        rm -rf "$roots/new"
    fi
    mkdir -p "$root"
    tar -C "$root" -xpf "$kept"
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    apt-config dump | grep -E '^Acquire::(http|https|ftp)::' >"$root/etc/apt/apt.conf.d/50network" || true
    mkdir -p "$cache/packages-$2" "$root/dev/pts" "$root/dev/shm"
    mount --bind "$cache/packages-$2" "$root/var/cache/apt/archives"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    ln -sf pts/ptmx "$root/dev/ptmx"
    local device
    for device in null zero full random urandom tty; do
        [ -e "$root/dev/$device" ] || : >"$root/dev/$device"
        mount --bind "/dev/$device" "$root/dev/$device"
    done
    useradd --root "$root" --create-home --uid 1000 --shell /bin/bash user
}

inside() { # ROOT ID COMMAND: run by a shell whose environment is only the path and a home
    local root=$1 who=$2 home=/root
    [ "$who" -eq 0 ] || home=/home/user
    chroot --userspec="$who:$who" --groups= "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=$home "${network[@]}" "${surroundings[@]}" bash -c "$3"
}

install_in() { # ROOT PACKAGES...
    local root=$1
    shift
    inside "$root" 0 "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $* >/dev/null"
}

TIMEFORMAT='took %0R s, %0U + %0S s of the processor'
failed=0
step() { # WORDS COMMAND...
    local words=$1
    shift
    say "$words"
    if time "$@"; then echo "passed: $words"; else failed=$((failed + 1)); echo "FAILED: $words"; fi
}

demo() {
    inside "$build" "$id" "cd $at && ./dev demo" || return
    file_is_picture "$build$at/demo.png"
}

file_is_picture() { # a PNG of more than 20 kB: an empty one is smaller
    [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] && [ "$(stat -c %s "$1")" -gt 20000 ] || { echo "$1 is no picture" >&2; return 1; }
}

package() {
    inside "$build" "$id" "cd $at && ./dev package" || return
    local surroundings=() archive
    make_root "$roots/target" "$on"
    mkdir -p "$roots/target/opt"
    for archive in "$build$at"/dist/*.tar.xz; do install_archive "$archive" || return; done
    inside "$roots/target" 1000 "cd && /opt/lanes-*/bin/lanes run copy-results-back --device model -o cli \
        && /opt/lanescope-*/bin/lanes run copy-results-back --device model -o window \
        && /opt/lanescope-*/bin/lanescope render window/copy-results-back.blocking.sqlite window/copy-results-back.overlapped.sqlite -o a.png \
        && /opt/lanescope-*/bin/lanescope render /opt/lanescope-*/resources/recordings/h200/copy-results-back.blocking.sqlite -o a.pdf" || return
    file_is_picture "$roots/target/home/user/a.png" || return
    # The X server is in another root, as with ssh -X on another machine: this one has neither libraries nor data of X.
    make_root "$roots/display" "$on"
    install_in "$roots/display" xvfb x11-utils imagemagick || return
    mkdir -p "$roots/target/tmp/.X11-unix" "$roots/display/tmp/.X11-unix"
    chmod 1777 "$roots/target/tmp/.X11-unix"
    mount --bind "$roots/target/tmp/.X11-unix" "$roots/display/tmp/.X11-unix"
    window || return
    debs "$build$at"/dist/*.deb
}

# Our files in a root, except a user's own files, apt's lists and logs.
ours_in() { # ROOT
    find "$1" -xdev \( -path "$1/home" -o -path "$1/proc" -o -path "$1/tmp" -o -path "$1/var/log" -o -path "$1/var/cache" \) -prune \
        -o \( -iname '*lanescope*' -o -name 'lanes' -o -name 'lanes.*' -o -name '_lanes' -o -name 'liblanes*' \) -print
}

debs() { # FILES: those made in this suite
    local root=$roots/packages left
    make_root "$root" "$suite"
    cp "$@" "$root/tmp/"
    install_in "$root" /tmp/lanes_*.deb || return
    inside "$root" 1000 "cd && lanes run copy-results-back --device model -o runs && lanes doctor | grep -q /usr/share/lanescope" || return
    if inside "$root" 0 "dpkg -l | grep -i libqt6"; then echo "the package lanes brings Qt" >&2; return 1; fi
    install_in "$root" /tmp/lanescope_*.deb desktop-file-utils shared-mime-info file || return
    inside "$root" 1000 "cd && lanescope render runs/copy-results-back.blocking.sqlite runs/copy-results-back.overlapped.sqlite -o a.png" || return
    file_is_picture "$root/home/user/a.png" || return
    inside "$root" 0 "dpkg --verify lanes lanescope && grep -q x-lanescope-recording /usr/share/applications/mimeinfo.cache \
        && grep -q x-lanescope-recording /usr/share/mime/types" || return
    install_in "$root" --reinstall /tmp/lanes_*.deb /tmp/lanescope_*.deb || return
    inside "$root" 0 "dpkg --remove lanescope lanes >/dev/null && dpkg --purge lanescope lanes 2>/dev/null; ! dpkg -l lanes lanescope 2>/dev/null | grep -E '^(ii|rc)'" || return
    left=$(ours_in "$root")
    [ -z "$left" ] || { printf 'purged, and yet there are:\n%s\n' "$left" >&2; return 1; }
}

install_archive() { # FILE: into /opt of the second root; xz is this machine's
    tar -C "$roots/target/opt" -xJf "$1"
}

# The window with two recordings is there, still runs after a while, and shows more than 200 colours.
window() {
    inside "$roots/display" 0 "Xvfb :7 -screen 0 1600x900x24 -nolisten tcp -ac >/dev/null 2>&1 & echo \$! >/tmp/xvfb.pid"
    inside "$roots/display" 0 'for i in $(seq 120); do DISPLAY=:7 xwininfo -root >/dev/null 2>&1 && exit; sleep 1; done; echo "the X server does not answer" >&2; exit 1' || return
    inside "$roots/target" 1000 "cd && DISPLAY=:7 /opt/lanescope-*/bin/lanescope window/copy-results-back.blocking.sqlite window/copy-results-back.overlapped.sqlite >window.log 2>&1 & echo \$! >/tmp/window.pid"
    local status=0
    inside "$roots/display" 0 'export DISPLAY=:7; for i in $(seq 60); do xwininfo -root -tree 2>/dev/null | grep -qi "lanescope" && break; sleep 1; done
        sleep 5; xwininfo -root -tree | grep -i -m1 lanescope && import -window root /tmp/window.png && [ "$(convert /tmp/window.png -unique-colors -format %w info:)" -gt 200 ]' || status=1
    cat "$roots/target/home/user/window.log"
    inside "$roots/target" 0 "kill \$(cat /tmp/window.pid)" || status=1  # it must still run
    inside "$roots/display" 0 "kill \$(cat /tmp/xvfb.pid)" || true
    cp "$roots/display/tmp/window.png" "$cache/window-$suite-on-$on.png" 2>/dev/null && echo "its picture: $cache/window-$suite-on-$on.png"
    return $status
}

build=$roots/build
surroundings=()
make_root "$build" "$suite"
extra=()
[ "$user" = root ] || extra+=(sudo)
[ $compiler = gcc ] || { extra+=(clang); surroundings+=("CC=$CC" "CXX=$CXX"); }
[ $fonts = no ] || extra+=(fonts-urw-base35 fonts-noto-cjk)
if [ -n "$ccache" ]; then
    extra+=(ccache)
    mkdir -p "$build/ccache"
    mount --bind "$ccache" "$build/ccache"
    surroundings+=(CCACHE_DIR=/ccache CCACHE_MAXSIZE=0)
fi
if [ -n "$cuda" ]; then
    mkdir -p "$build/usr/local/cuda"
    mount --bind -o ro "$(realpath "$cuda")" "$build/usr/local/cuda"
    surroundings+=(CUDACXX=/usr/local/cuda/bin/nvcc)
fi
[ ${#extra[@]} -eq 0 ] || { say "with ${extra[*]}"; install_in "$build" "${extra[@]}"; }
[ "$user" = root ] || echo 'user ALL=(ALL) NOPASSWD: ALL' >"$build/etc/sudoers.d/user"
git clone -q --no-hardlinks "$PWD" "$build$at"
chown -R "$id:$id" "$build$at"
say "a clone of $(git log -1 --format='%h %s'), for $user, with $compiler$([ $fonts = no ] || echo ', with fonts')"
for name in "${steps[@]}"; do
    case $name in
        build) step "./dev build" inside "$build" "$id" "cd $at && ./dev build" ;;
        demo) step "./dev demo" demo ;;
        test) step "./dev test" inside "$build" "$id" "cd $at && ./dev test" ;;
        package) step "./dev package, and what it makes on a bare $on" package ;;
    esac
done
say "$failed of ${#steps[@]} steps failed"
exit $failed
