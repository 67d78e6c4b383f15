#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the relocatable archives of dist/ from a build folder: `lanes` with its probe and
# resources, the same with `lanescope` and Qt, and with --tests the tests that need a GPU. Then the Debian packages
# lanes and lanescope, which use the libraries of the machine, and the wheel of the Python package.
# Called by ./dev package, from the root of the project.
set -euo pipefail

build=$1
shift
with_tests=no
[ "${1:-}" = --tests ] && with_tests=yes
version=$(sed -n 's/^project(Lanescope VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
arch=$(uname -m)
loader=ld-linux-x86-64.so.2
newest_glibc=2.34  # of lanes and the probe: RHEL 9, Ubuntu 22.04 and everything after

# The highest GLIBC_x.y symbol version that a file needs.
glibc_of() { objdump -T "$1" | grep -o 'GLIBC_2\.[0-9]*' | sort -uV | tail -1 | sed 's/GLIBC_//'; }

check_glibc() { # FILE LIMIT
    local needed
    needed=$(glibc_of "$1")
    printf '  %-40s needs GLIBC %s (at most %s)\n' "$(basename "$1")" "$needed" "$2"
    [ "$(printf '%s\n%s\n' "$needed" "$2" | sort -V | tail -1)" = "$2" ] || {
        echo "package: $1 needs a newer C library than $2: archives for other machines are made on Debian 12" >&2
        objdump -T "$1" | grep "GLIBC_$needed" >&2
        exit 1
    }
}

# Copies what `files` load, and what that loads, into a folder: all but the C library, or with `all` that and its loader too.
copy_libraries() { # FOLDER all|most FILES...
    local folder=$1 which=$2 name path
    shift 2
    mkdir -p "$folder"
    ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' | sort -u | while read -r name path; do
        [ "$which" = most ] && [[ $name =~ ^(libc|libm|libdl|librt|libpthread|libresolv|libgcc_s)\.so ]] || cp -nL "$path" "$folder/$name"
    done
    [ "$which" = most ] || cp -L "$(ldd "$1" | awk '$1 ~ /\/ld-linux/ {print $1}')" "$folder/$loader"
}

# Every library that `files` load is one of the archive's.
check_libraries() { # FOLDER FILES...
    local folder file strays
    folder=$(realpath "$1")
    shift
    for file in "$@"; do
        strays=$("$folder/$loader" --inhibit-cache --library-path "$folder" --list "$file" | grep -v -e "=> $folder/" -e linux-vdso -e "^[[:space:]]*$folder/") || continue
        printf 'package: %s would load what the archive does not hold:\n%s\n' "$file" "$strays" >&2
        exit 1
    done
}

lay_lanes() { # FOLDER
    local library
    mkdir -p "$1/bin"
    install -s "$build/bin/lanes" "$1/bin/"
    # Debian has no archive of simdjson's: it comes along, apart from the C library that the window's archive has in lib.
    copy_libraries "$1/lib/lanes" most "$1/bin/lanes"
    patchelf --set-rpath '$ORIGIN/../lib/lanes' "$1/bin/lanes"
    for library in "$1"/lib/lanes/*; do
        if [ -f "$library" ]; then patchelf --set-rpath '$ORIGIN' "$library"; fi
    done
    for library in "$build"/bin/liblanes-*.so; do
        if [ -f "$library" ]; then install -s "$library" "$1/bin/"; fi
    done
    if [ -f "$1/bin/liblanes-probe.so" ]; then
        cp -r probes/python "$1/bin/"
        find "$1/bin/python" -name __pycache__ -prune -exec rm -rf {} +
    fi
    mkdir -p "$1/resources"
    local part
    for part in workloads listings calibration recordings traces devices text schema agent; do
        [ -d "resources/$part" ] && cp -r "resources/$part" "$1/resources/"
    done
    cp resources/families.yaml "$1/resources/"
    mkdir -p "$1/docs"
    cp LICENSE README.md "$1/"
    cp docs/*.md "$1/docs/"
}

# Man pages, completions, and what a desktop reads: of what is installed all that does not depend on where it lies.
lay_share() { # FOLDER COMPONENT
    local stage part
    stage=$(mktemp -d)
    cmake --install "$build" --prefix "$stage" --component "$2" >/dev/null
    mkdir -p "$1/share"
    for part in man bash-completion zsh fish applications metainfo mime icons; do
        if [ -d "$stage/share/$part" ]; then cp -r "$stage/share/$part" "$1/share/"; fi
    done
    rm -rf "$stage"
}

archive() { # FOLDER
    tar -C dist --owner=0 --group=0 --sort=name -cJf "$1.tar.xz" "$(basename "$1")"
    printf '%s (%s)\n' "$1.tar.xz" "$(du -h "$1.tar.xz" | cut -f1)"
}

rm -rf dist
mkdir -p dist
cli=dist/lanes-$version-linux-$arch
lay_lanes "$cli"
lay_share "$cli" lanes
check_glibc "$cli/bin/lanes" $newest_glibc
for library in "$cli"/bin/*.so; do
    if [ -f "$library" ]; then check_glibc "$library" $newest_glibc; fi
done
archive "$cli"
bash resources/package/wheel.sh "$cli" "$version"

window=dist/lanescope-$version-linux-$arch
lay_lanes "$window"
lay_share "$window" lanes
lay_share "$window" lanescope
# With the C library of this machine: Debian 12's Qt needs one newer than that of RHEL 9. Without the glue to OpenGL, which
# nothing here draws with: drivers of the machine where the archive runs would come into a process with another C library.
install -s -D "$build/bin/lanescope" -t "$window/lib/"
install resources/package/lanescope.sh "$window/bin/lanescope"
plugins=$(qmake6 -query QT_INSTALL_PLUGINS 2>/dev/null || echo "/usr/lib/$arch-linux-gnu/qt6/plugins")
for plugin in platforms/libqxcb.so platforms/libqoffscreen.so imageformats/libqsvg.so iconengines/libqsvgicon.so \
    platforminputcontexts/libcomposeplatforminputcontextplugin.so platforminputcontexts/libibusplatforminputcontextplugin.so; do
    install -D "$plugins/$plugin" "$window/plugins/$plugin"
done
# Qt's own dialogs in the languages of the window.
translations=$(qmake6 -query QT_INSTALL_TRANSLATIONS 2>/dev/null || echo /usr/share/qt6/translations)
install -D -m 644 "$translations/qtbase_zh_CN.qm" -t "$window/translations/"
printf '[Paths]\nPlugins = ../plugins\nTranslations = ../translations\n' >"$window/lib/qt.conf"  # beside the loader, which is the program that runs
mapfile -t loaded < <(find "$window/plugins" -name '*.so')
copy_libraries "$window/lib" all "$window/lib/lanescope" "${loaded[@]}"
check_libraries "$window/lib" "$window/lib/lanescope" "${loaded[@]}"
install -D -m 644 resources/package/fonts.conf "$window/share/fonts.conf"
mkdir -p "$window/share/xkb"
for part in compat keycodes rules symbols types; do cp -rL "/usr/share/X11/xkb/$part" "$window/share/xkb/"; done
archive "$window"

if [ $with_tests = yes ]; then
    tests=dist/lanes-tests-$version-linux-$arch
    lay_lanes "$tests"
    mkdir -p "$tests/tests"
    mapfile -t gpu_tests < <(ctest --test-dir "$build" -N -L gpu | sed -n 's/^ *Test *#[0-9]*: //p')
    for name in "${gpu_tests[@]}"; do install -s "$build/tests/$name" "$tests/tests/"; done
    install -s "$build/tests/gpu_program" "$tests/tests/"
    install -D "$plugins/platforms/libqoffscreen.so" "$tests/plugins/platforms/libqoffscreen.so"  # of tests with a window
    for name in bench_run_overhead bench_probe_flush; do install -s "$build/bin/$name" "$tests/bin/"; done
    programs=("$tests"/tests/* "$tests"/bin/bench_*)
    copy_libraries "$tests/lib" most "${programs[@]}" "$tests/plugins/platforms/libqoffscreen.so"
    for file in "${programs[@]}"; do patchelf --set-rpath '$ORIGIN/../lib' "$file"; done
    patchelf --set-rpath '$ORIGIN/../../lib' "$tests/plugins/platforms/libqoffscreen.so"
    for file in "$tests"/lib/*.so*; do patchelf --set-rpath '$ORIGIN' "$file"; done
    cp tests/engine/run/cuda/gpu_session.sh "$tests/"
    mkdir -p "$tests/tests/engine/run/cuda"
    cp -r tests/engine/run/cuda/workloads "$tests/tests/engine/run/cuda/"
    if [ -d tests/listings ]; then
        cp -r tests/listings "$tests/tests/"
        cp -r resources/listings "$tests/tests/listings/frames"
    fi
    archive "$tests"
fi

if command -v dpkg-shlibdeps >/dev/null; then
    work=$(mktemp -d)
    cpack --config "$build/CPackConfig.cmake" -B "$work" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    mv "$work"/*.deb dist/
    rm -rf "$work"
    for file in dist/*.deb; do printf '%s (%s)\n' "$file" "$(du -h "$file" | cut -f1)"; done
else
    echo "no Debian packages: dpkg-shlibdeps is not here"
fi
