#!/bin/sh
# SPDX-License-Identifier: MIT
# Starts the program of an unpacked archive with the libraries of the archive, the C library and its loader among them:
# it needs none of the machine's, however old or bare that is.
here=$(dirname "$(readlink -f "$0")")
root=$(dirname "$here")
export LANES_PROGRAM="${LANES_PROGRAM:-$here/lanes}"
# What a server without fonts or X lacks. QT_PLUGIN_PATH of the machine is that of another Qt.
unset QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="${FONTCONFIG_FILE:-$root/share/fonts.conf}"
[ -d /usr/share/X11/xkb ] || export XKB_CONFIG_ROOT="${XKB_CONFIG_ROOT:-$root/share/xkb}"
exec "$root/lib/ld-linux-x86-64.so.2" --inhibit-cache --library-path "$root/lib" --argv0 lanescope "$root/lib/lanescope" "$@"
