# SPDX-License-Identifier: MIT
# Writes OUT, a header that says of which SOURCES the program is made: what a kept trace (kept_trace.h) is a copy of.
set(all "")
foreach(source IN LISTS SOURCES)
    file(SHA256 ${source} sum)
    string(APPEND all ${sum})
endforeach()
string(SHA256 key "${all}")
string(SUBSTRING ${key} 0 32 key)
file(WRITE ${OUT} "// Made by sources_key.cmake.\n#pragma once\nnamespace lanes {\ninline constexpr const char* sources_key = \"${key}\";\n}\n")
