// SPDX-License-Identifier: MIT
// What the tests of findings share.
#pragma once

#include "engine/analysis/findings/findings.h"
#include "engine/analysis/report.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

namespace lanes {

inline Report report_of(const Trace& trace)
{
    return make_report(trace, find_blocking(trace));
}

/// The finding of a rule; one without cost if there is none.
inline Finding find(const std::vector<Finding>& findings, const std::string& rule)
{
    for (const auto& finding : findings) {
        if (finding.rule == rule) {
            return finding;
        }
    }
    return {};
}
inline Finding find_in(Tape& tape, const std::string& rule)
{
    return find(report_of(tape.finish()).findings, rule);
}

/// Which advice it gives, without what follows it.
inline std::string advice_of(const Finding& finding)
{
    return finding.advice.parts.empty() ? finding.advice.id : finding.advice.parts.front().message.id;
}

/// A cost as the comments beside it count it, but for what calls, and steps between operations, take.
inline bool about(Ns cost, Ns expected)
{
    return std::abs(cost - expected) <= 8'000;
}
#define COMPARE_ABOUT(cost, expected)                                                                                  \
    QVERIFY2(about(cost, expected), qPrintable(QStringLiteral("%1 ns, not about %2").arg(cost).arg(expected)))

}  // namespace lanes
