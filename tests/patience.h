// SPDX-License-Identifier: MIT
// How long tests of the window wait for what it does in the background. Its workers have a low priority, so beside
// other work on few cores they take many times as long as alone: Qt's own 5 s are then too short. Part of the
// precompiled header of these tests, so that QTRY_* mean the same in all of them. A wait ends as soon as its
// condition holds.
#pragma once

#include <QTest>

namespace lanes {

inline constexpr int patience_ms = 120'000;

/// Whether it becomes true while the window's event loop runs.
template <class Condition> bool comesTrue(Condition condition)
{
    return QTest::qWaitFor(condition, patience_ms);
}

}  // namespace lanes

#undef QTRY_VERIFY
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT((condition), lanes::patience_ms)
#undef QTRY_VERIFY2
#define QTRY_VERIFY2(condition, message) QTRY_VERIFY2_WITH_TIMEOUT((condition), message, lanes::patience_ms)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT((actual), (expected), lanes::patience_ms)
