// SPDX-License-Identifier: MIT
// The environment of every test program, whether ctest or a person starts it, on any host: no display, only the
// project's fonts, English, no desktop's scale and style. Part of each test program; set before
// main().
#include <cstdlib>
#include <initializer_list>

namespace {

struct Environment {
    Environment()
    {
        setenv("QT_QPA_PLATFORM", "offscreen", 1);
        setenv("FONTCONFIG_FILE", LANES_TEST_SOURCE "/tests/fonts.conf", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        setenv("XDG_CACHE_HOME", LANES_TEST_BUILD "/tests/cache", 1);  // not the caller's
        setenv("QTEST_FUNCTION_TIMEOUT", "900000", 0);  // ms, as ctest's; Qt's 5 min are too short with sanitizers
        for (const char* name :
            {"LANGUAGE", "QT_FONT_DPI", "QT_QPA_PLATFORMTHEME", "QT_SCALE_FACTOR", "QT_STYLE_OVERRIDE"}) {
            unsetenv(name);
        }
        // Tests packed for a machine with a GPU have both folders elsewhere; their caller names these.
        setenv("LANES_SOURCE", LANES_TEST_SOURCE, 0);
        setenv("LANES_BUILD", LANES_TEST_BUILD, 0);
    }
};

const Environment environment;

}  // namespace
