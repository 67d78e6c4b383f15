// SPDX-License-Identifier: MIT
// Programs that differ in what a finding advises alone, run by the model device: the first one's cost is what the
// second one is shorter by, to 15 %. Recordings of real GPUs are held to the same in tst_shipped.
#include "../../run_model/records.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/workload.h"
#include "tests/engine/analysis/findings/found.h"

using namespace lanes;

namespace {

struct Run {
    Trace trace;
    Report report;
    explicit Run(Trace of)
        : trace(std::move(of))
        , report(make_report(trace, find_blocking(trace)))
    {
    }
};

Run run(const QString& steps, const std::string& variant)
{
    const auto workload = parse_workload(("title: {en: Pair}\nvariants: {bad: {is_bad: true}, good: {is_bad: false}}\n"
                                          "parameters: {is_bad: {default: true}}\n"
                                             + steps)
                                             .toStdString(),
        "pair.yaml");
    TraceBuilder records;
    run_model(compile(workload, variant), tests::h100(), records);
    return Run(records.finish(Source::model));
}

}  // namespace

class tst_FindingPairs : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void costIsWhatTheAdviceSaves_data();
    void costIsWhatTheAdviceSaves();
};

void tst_FindingPairs::costIsWhatTheAdviceSaves_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("steps");

    QTest::newRow("copies too small") << "copies-too-small"
                                      << R"(
buffers:
  small_cpu: {on: host, memory: pinned, bytes: 4 KiB, count: 200}
  small: {on: gpu 0, bytes: 4 KiB, count: 200}
  all_cpu: {on: host, memory: pinned, bytes: 800 KiB}
  all: {on: gpu 0, bytes: 800 KiB}
streams: {s: {gpu: 0}}
threads:
  main:
    - kernel: {name: first, stream: s, time: 10 us}
    - if: $is_bad
      then:
        - repeat: 200
          as: k
          do:
            - copy: {from: small_cpu.$k, to: small.$k, stream: s, blocking: false}
      else:
        - copy: {from: all_cpu, to: all, stream: s, blocking: false}
    - kernel: {name: last, stream: s, time: 10 us}
    - sync: {stream: s}
)";
    QTest::newRow("one direction at a time") << "one-direction"
                                             << R"(
buffers:
  up_cpu: {on: host, memory: pinned, bytes: 64 MiB, count: 4}
  up: {on: gpu 0, bytes: 64 MiB, count: 4}
  down: {on: gpu 0, bytes: 64 MiB, count: 4}
  down_cpu: {on: host, memory: pinned, bytes: 64 MiB, count: 4}
streams: {s: {gpu: 0, count: 2}}
threads:
  main:
    - repeat: 4
      as: k
      do:
        - copy: {from: up_cpu.$k, to: up.$k, stream: s.0, blocking: false}
        - if: $is_bad
          then: [{copy: {from: down.$k, to: down_cpu.$k, stream: s.0, blocking: false}}]
          else: [{copy: {from: down.$k, to: down_cpu.$k, stream: s.1, blocking: false}}]
    - sync: device
)";
    QTest::newRow("one GPU has more to do") << "communication-late"
                                            << R"(
buffers:
  g0: {on: gpu 0, bytes: 16 MiB}
  g1: {on: gpu 1, bytes: 16 MiB}
streams:
  s0: {gpu: 0}
  s1: {gpu: 1}
threads:
  main:
    - repeat: 4
      as: k
      do:
        - if: $is_bad
          then:
            - kernel: {name: backward, stream: s0, time: 1 ms, blocks: 66}
            - kernel: {name: backward, stream: s1, time: 3 ms, blocks: 66}
          else:
            - kernel: {name: backward, stream: s0, time: 2 ms, blocks: 66}
            - kernel: {name: backward, stream: s1, time: 2 ms, blocks: 66}
        - all_reduce: {buffers: [g0, g1], streams: [s0, s1]}
    - sync: {stream: s0}
    - sync: {stream: s1}
)";
    QTest::newRow("between iterations") << "idle-between-iterations"
                                        << R"(
buffers:
  y: {on: gpu 0, bytes: 8 MiB}
  y_cpu: {on: host, memory: pinned, bytes: 8 MiB}
streams: {s: {gpu: 0}}
threads:
  main:
    - repeat: 8
      as: k
      do:
        - range: step $k
          do:
            - kernel: {name: forward, stream: s, time: 2 ms, writes: y, value: 3}
            - kernel: {name: backward, stream: s, time: 2 ms}
            - copy: {from: y, to: y_cpu, stream: s, blocking: false}
            - sync: {stream: s}
            - read: {buffer: y_cpu, expect: fresh}
            - if: $is_bad
              then: [{cpu: {time: 1 ms}}]
)";
}

void tst_FindingPairs::costIsWhatTheAdviceSaves()
{
    QFETCH(QString, rule);
    QFETCH(QString, steps);
    const auto bad = run(steps, "bad");
    const auto good = run(steps, "good");
    const auto found = find(bad.report.findings, rule.toStdString());
    const auto cost = static_cast<double>(found.cost);
    const auto saves = static_cast<double>(bad.report.wall - good.report.wall);
    std::string others;
    for (const auto& finding : bad.report.findings) {
        others += " " + finding.rule;
    }
    QVERIFY2(saves > 0 && std::abs(cost - saves) <= 0.15 * saves,
        qPrintable(QStringLiteral("costs %1 us of %2 us, the other is shorter by %3 us; found%4")
                       .arg(cost / 1e3)
                       .arg(static_cast<double>(bad.report.wall) / 1e3)
                       .arg(saves / 1e3)
                       .arg(QString::fromStdString(others))));
    QCOMPARE(find(good.report.findings, rule.toStdString()).count, 0U);
}

QTEST_GUILESS_MAIN(tst_FindingPairs)
#include "tst_finding_pairs.moc"
