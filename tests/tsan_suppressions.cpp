// SPDX-License-Identifier: MIT
// Debian's Qt is built without the thread sanitizer, which therefore cannot see how Qt
// Test's watchdog thread and its main thread agree; nor how the C library hands a
// finished thread's storage on. Reports from these are suppressed; reports from our code on
// any thread are not.
extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_suppressions()
{
    return "called_from_lib:libQt6Core.so\n"
           "called_from_lib:libQt6Test.so\n"
           "race:_dl_deallocate_tls\n";
}
