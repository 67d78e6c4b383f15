// SPDX-License-Identifier: MIT
// Pairs of workloads without shipped recordings, run by the model device: the prediction from A is the model's run of
// B.
#include "engine/replay/pairs.h"
#include "engine/replay/whatif.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/workload.h"
#include "tests/engine/run/model/records.h"

#include <fstream>
#include <QtTest>
#include <sstream>

using namespace lanes;
using namespace lanes::replay;

namespace {

std::string in_source(const std::string& path)
{
    return qEnvironmentVariable("LANES_SOURCE").toStdString() + path;
}

Trace run(const std::string& text, const std::string& variant)
{
    TraceBuilder records;
    run_model(compile(parse_workload(text, "pair.yaml"), variant), tests::h100(), records);
    return records.finish(Source::model);
}

std::string text_of(const std::string& workload)
{
    std::ifstream file(in_source("/tests/gpu/whatif/" + workload + ".yaml"));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Prediction predict(const Trace& trace, const std::vector<Change>& changes, const Answers& answers)
{
    const auto blocking = find_blocking(trace);
    const Graph graph(trace, blocking);
    const WhatIf what_if(graph);
    return what_if.gate().is_open() ? what_if.predict(changes, answers) : Prediction {};
}

Ns total_of(const Trace& trace)
{
    const auto blocking = find_blocking(trace);
    const Graph graph(trace, blocking);
    return WhatIf(graph).gate().recorded;
}

/// As PyTorch does it: another thread goes backward, collectives run on a separate stream that waits for the kernels'
/// stream by an event, and a short kernel divides each sum.
const std::string by_hand = R"(
title: {en: By hand}
parameters: {beside: {default: false}}
variants: {behind: {beside: false}, beside: {beside: true}}
buffers:
  g0: {on: gpu 0, bytes: 64 MiB, count: 4}
  g1: {on: gpu 1, bytes: 64 MiB, count: 4}
events: {ready0: {count: 4}, ready1: {count: 4}, summed0: {count: 4}, summed1: {count: 4}}
streams: {s0: {gpu: 0}, s1: {gpu: 1}, comm0: {gpu: 0}, comm1: {gpu: 1}}
queues: {forward: {capacity: 1}, backward: {capacity: 1}}
threads:
  main:
    - kernel: {name: forward, stream: s0, time: 3 ms, blocks: 66}
    - kernel: {name: forward, stream: s1, time: 3 ms, blocks: 66}
    - put: forward
    - get: backward
    - repeat: 4
      as: k
      do:
        - if: not $beside
          then:
            - record: {event: ready0.$k, stream: s0}
            - wait: {event: ready0.$k, stream: comm0}
            - record: {event: ready1.$k, stream: s1}
            - wait: {event: ready1.$k, stream: comm1}
            - all_reduce: {buffers: [g0.$k, g1.$k], streams: [comm0, comm1]}
            - record: {event: summed0.$k, stream: comm0}
            - record: {event: summed1.$k, stream: comm1}
        - wait: {event: summed0.$k, stream: s0}
        - wait: {event: summed1.$k, stream: s1}
        - kernel: {name: divide, stream: s0, time: 20 us, blocks: 66}
        - kernel: {name: divide, stream: s1, time: 20 us, blocks: 66}
    - sync: device
  autograd:
    - get: forward
    - repeat: 4
      as: k
      do:
        - kernel: {name: backward, stream: s0, time: 1 ms, blocks: 66}
        - kernel: {name: backward, stream: s1, time: 1 ms, blocks: 66}
        - if: $beside
          then:
            - record: {event: ready0.$k, stream: s0}
            - wait: {event: ready0.$k, stream: comm0}
            - record: {event: ready1.$k, stream: s1}
            - wait: {event: ready1.$k, stream: comm1}
            - all_reduce: {buffers: [g0.$k, g1.$k], streams: [comm0, comm1]}
            - record: {event: summed0.$k, stream: comm0}
            - record: {event: summed1.$k, stream: comm1}
    - put: backward
)";

}  // namespace

class tst_WhatIfWorkloads : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", in_source("/resources").c_str()); }
    void pairs_data();
    void pairs();
};

void tst_WhatIfWorkloads::pairs_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("a");
    QTest::addColumn<std::string>("b");
    QTest::addColumn<std::string>("changes");
    QTest::addColumn<double>("most");
    for (const auto& pair : read_pairs(in_source("/tests/gpu/whatif/changes.txt"))) {
        QTest::addRow("%s %s to %s", pair.workload.c_str(), pair.a.c_str(), pair.b.c_str())
            << text_of(pair.workload) << pair.a << pair.b << pair.words << pair.most_off;
    }
    QTest::newRow("by hand behind backward to beside it")
        << by_hand << std::string("behind") << std::string("beside") << std::string("overlap-all-reduce") << 1.5;
}

void tst_WhatIfWorkloads::pairs()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, a);
    QFETCH(const std::string, b);
    QFETCH(const std::string, changes);
    QFETCH(const double, most);
    const auto from = run(text, a);
    const Ns truth = total_of(run(text, b));
    const auto prediction = predict(from, read_changes(changes), read_answers(changes));
    QVERIFY(prediction.count > 0);
    const double off = static_cast<double>(prediction.total - truth) / static_cast<double>(truth);
    QVERIFY2(100 * std::abs(off) < most, qPrintable(QString("%1 ns, in truth %2").arg(prediction.total).arg(truth)));
    QVERIFY(most > 10 || (prediction.low <= truth && truth <= prediction.high));
}

QTEST_APPLESS_MAIN(tst_WhatIfWorkloads)
#include "tst_whatif_workloads.moc"
