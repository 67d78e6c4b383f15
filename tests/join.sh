#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes one source of several tests: join.sh OUT TEST.cpp... What they include comes first, so that each can be included
# whole in a namespace of its own, where names of one are no names of another; main() calls the one it is called by.
# What only the outermost namespace may hold (a template's specialisation, say) such a test cannot have.
set -euo pipefail
out=$1
shift
{
    # A class of such a file may well have members whose types nobody else knows: nobody else includes it.
    printf '#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic ignored "-Wsubobject-linkage"\n#endif\n'
    for source in "$@"; do
        while read -r line; do
            if [[ $line =~ ^\#include\ \"([^\"]+)\" && -f ${source%/*}/${BASH_REMATCH[1]} ]]; then
                line="#include \"${source%/*}/${BASH_REMATCH[1]}\""
            fi
            [[ $line != '#include '* || $line == *'.moc"' ]] || printf '%s\n' "$line"
        done <"$source"
    done | LC_ALL=C sort -u
    echo '#include <string_view>'
    # What moc's output includes, since Qt 6.5, would else be declared in the first test's namespace alone.
    printf '#if __has_include(<%s>)\n#include <%s>\n#endif\n' QtCore/{qtmochelpers.h,qtmochelpers.h,qxptype_traits.h,qxptype_traits.h}
    echo '#include <QtCore/qmetatype.h>'
    for source in "$@"; do
        printf 'namespace joined_%s {\n#include "%s"\n}\n' "$(basename "$source" .cpp)" "$source"
    done
    cat <<'TEXT'
int main(int argc, char** argv)
{
    const std::string_view path = argv[0];
    const std::string_view called = path.substr(path.rfind('/') + 1);
TEXT
    for source in "$@"; do
        name=$(basename "$source" .cpp)
        printf '    if (called == "%s") {\n        return joined_%s::main(argc, argv);\n    }\n' "$name" "$name"
    done
    printf '    return 2;\n}\n'
} >"$out"
