// SPDX-License-Identifier: MIT
// Whose work an operation is: by its launch, by the capture of its graph's node through any number of copies, or why it
// is nobody's. The ranges of random moments are those that ranges_around() finds by search.
#include "engine/trace/owners.h"
#include "engine/trace/range_around.h"
#include "tests/engine/trace/trace_fixture.h"

#include <QTest>

#include <random>

using namespace lanes;

namespace {

/// "capture: operator aten::addmm, module fc1: Linear"; "none: ranges".
QString words(const Trace& trace, Row operation)
{
    const Owners owners(trace);
    const auto owner = owners.of(operation);
    QStringList parts;
    for (const auto part : owner_parts) {
        if (const auto text = owners.text(owner, part); !text.empty()) {
            parts << QString::fromStdString(std::string(name_of(part)) + " " + std::string(text));
        }
    }
    const auto head = owner ? name_of(owner.from) : "none";
    return QString::fromStdString(std::string(head)) + ": "
        + (owner ? parts.join(", ") : QString::fromStdString(std::string(name_of(owner.missing))));
}

}  // namespace

class tst_Owners : public QObject {
    Q_OBJECT

private slots:
    void names_data();
    void names();
    void launches_data();
    void launches();
    void graphs_data();
    void graphs();
    void capturedBeforeThePart();
    void nodesOfWholeGraphs();
    void sameAsBySearch();
};

Q_DECLARE_METATYPE(std::function<void(TraceFixture&)>)
using Write = std::function<void(TraceFixture&)>;

void tst_Owners::names_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("ours");
    QTest::addColumn<QString>("owner");
    const auto row = [](const char* name, const char* owner, bool ours = true) {
        QTest::addRow("%s%s", name, ours ? "" : ", of another tool") << QByteArray(name) << ours << QString(owner);
    };
    row("layers.0.fc1: Linear", "module layers.0.fc1: Linear");
    row("layers.0.fc1: Linear", "range layers.0.fc1: Linear", false);
    row("backward of fc1: Linear", "module backward of fc1: Linear");
    row("Net (train.py:42)", "module Net, line train.py:42");
    row("backward (train.py:9)", "range backward (train.py:9), line train.py:9");
    row("backward of Net (train.py:42)", "module backward of Net, line train.py:42");
    row("nn.Module: Linear_3", "module Linear_3");
    row("nn.Module: Linear_3", "module Linear_3", false);
    row("model.py(40): forward", "line model.py(40): forward");
    row("model.py(40): forward", "line model.py(40): forward", false);
    row("step 7", "range step 7");
    row("epoch: the first", "range epoch: the first");
    row("load (fast)", "range load (fast)");
    row("load (a:b)", "range load (a:b)");
    row("load (a:)", "range load (a:)");
    row(" (:1)", "range  (:1)");
    row("", "");
}

void tst_Owners::names()
{
    QFETCH(QByteArray, name);
    QFETCH(bool, ours);
    QFETCH(QString, owner);
    TraceFixture program;
    program.range(name.toStdString(), 0, 100);
    program.kernel(7, 20, 30, program.call("cudaLaunchKernel", 10, 12));
    const auto trace = program.finish(ours ? Source::cupti : Source::nsys);
    QCOMPARE(words(trace, 0), name.isEmpty() ? QString("launch: ") : "launch: " + owner);
}

void tst_Owners::launches_data()
{
    QTest::addColumn<Write>("write");
    QTest::addColumn<QString>("owner");
    const auto row = [](const char* name, Write write, const char* owner) {
        QTest::newRow(name) << std::move(write) << QString(owner);
    };
    row(
        "in all four",
        [](TraceFixture& p) {
            p.range("Net (train.py:42)", 0, 100);
            p.range("warm-up", 1, 99);
            p.range("fc1: Linear", 2, 98);
            p.range("aten::linear", 3, 97, operator_domain);
            p.range("aten::addmm", 4, 96, operator_domain);
            p.kernel(7, 20, 30, p.call("cudaLaunchKernel", 10, 12));
        },
        "launch: operator aten::addmm, module fc1: Linear, range warm-up, line train.py:42");
    row(
        "PyTorch's own frames are no lines of the program",
        [](TraceFixture& p) {
            p.range("train.py(7): main", 0, 100, "python_function");
            p.range("torch/nn/functional.py(12): linear", 1, 99, "python_function");
            p.range("contextlib.py(79): inner", 2, 98, "python_function");
            p.range("<built-in method item>", 3, 97, "python_function");
            p.kernel(7, 20, 30, p.call("cudaLaunchKernel", 10, 12));
        },
        "launch: line train.py(7): main");
    row(
        "outside of every range",
        [](TraceFixture& p) {
            p.range("before", 0, 10);
            p.range("after", 11, 20);
            p.kernel(7, 20, 30, p.call("cudaLaunchKernel", 10, 12));
        },
        "none: ranges");
    row(
        "ranges of another thread",
        [](TraceFixture& p) {
            p.range("here", 0, 100);
            p.thread = 2;
            p.kernel(7, 20, 30, p.call("cudaLaunchKernel", 10, 12));
        },
        "none: ranges");
    row(
        "no call",
        [](TraceFixture& p) {
            p.range("here", 0, 100);
            p.kernel(7, 20, 30);
        },
        "none: call");
    row(
        "a range that overlaps one that began before",
        [](TraceFixture& p) {
            p.range("fc1: Linear", 0, 15);
            p.range("second", 5, 40);
            p.kernel(7, 30, 31, p.call("cudaLaunchKernel", 20, 22));
        },
        "launch: range second");
    row(
        "a copy",
        [](TraceFixture& p) {
            p.range("aten::copy_", 0, 100, operator_domain);
            p.copy(CopyKind::h2d, 7, 20, 30, 4096, p.call("cudaMemcpyAsync", 10, 12));
        },
        "launch: operator aten::copy_");
}

void tst_Owners::launches()
{
    QFETCH(Write, write);
    QFETCH(QString, owner);
    TraceFixture program;
    write(program);
    QCOMPARE(words(program.finish(), 0), owner);
}

void tst_Owners::graphs_data()
{
    QTest::addColumn<Write>("write");
    QTest::addColumn<QString>("owner");
    const auto row = [](const char* name, Write write, const char* owner) {
        QTest::newRow(name) << std::move(write) << QString(owner);
    };
    const auto captured = [](TraceFixture& p) {
        p.range("aten::addmm", 0, 10, operator_domain);
        p.node({1, 1}, 5);
        p.range("aten::relu", 10, 20, operator_domain);
        p.node({1, 2}, 15);
    };
    const auto replay = [](TraceFixture& p, TraceFixture::NodeId id, Ns at = 100) {
        p.kernel_of(id, 7, at + 5, at + 6, p.call("cudaGraphLaunch", at, at + 2));
    };
    row(
        "a node of the executable graph",
        [=](TraceFixture& p) {
            captured(p);
            p.node({2, 1}, 30, {1, 1});
            p.node({2, 2}, 31, {1, 2});
            replay(p, {2, 2});
        },
        "capture: operator aten::relu");
    row(
        "the capture counts, not the launch",
        [=](TraceFixture& p) {
            captured(p);
            p.node({2, 1}, 30, {1, 1});
            p.range("replay", 90, 200, operator_domain);
            replay(p, {2, 1});
        },
        "capture: operator aten::addmm");
    row(
        "a child graph: a copy of a copy",
        [=](TraceFixture& p) {
            captured(p);
            p.node({5, 7}, 30, {1, 2});
            p.node({6, 3}, 40, {5, 7});
            replay(p, {6, 3});
        },
        "capture: operator aten::relu");
    row(
        "captured on another thread",
        [=](TraceFixture& p) {
            p.thread = 2;
            captured(p);
            p.thread = 1;
            p.node({2, 1}, 30, {1, 1});
            replay(p, {2, 1});
        },
        "capture: operator aten::addmm");
    row(
        "the number of a graph that is gone is given again",
        [=](TraceFixture& p) {
            captured(p);
            p.node({2, 1}, 30, {1, 1});
            replay(p, {2, 1}, 100);
            p.node({2, 1}, 200, {1, 2});
        },
        "capture: operator aten::addmm");
    row(
        "another process has the same numbers",
        [=](TraceFixture& p) {
            captured(p);
            p.node({2, 1}, 30, {1, 1});
            p.process = 2;
            p.range("launch", 90, 200, operator_domain);
            replay(p, {2, 1});
        },
        "launch: operator launch");
    row(
        "two processes with the same numbers",
        [=](TraceFixture& p) {
            captured(p);
            p.node({2, 1}, 30, {1, 1});
            p.process = 2;
            p.range("aten::mul", 0, 10, operator_domain);
            p.node({1, 1}, 5);
            p.node({2, 1}, 30, {1, 1});
            replay(p, {2, 1});
        },
        "capture: operator aten::mul");
    row(
        "the capture is not recorded, the launch is in a range",
        [=](TraceFixture& p) {
            p.node({2, 1}, 30, {1, 1});
            p.range("decode", 90, 200);
            replay(p, {2, 1});
        },
        "launch: range decode");
    row(
        "neither",
        [=](TraceFixture& p) {
            p.node({2, 1}, 30, {1, 1});
            p.range("other", 0, 20);
            replay(p, {2, 1});
        },
        "none: capture");
    row(
        "captured in no range",
        [=](TraceFixture& p) {
            p.node({1, 1}, 5);
            p.node({2, 1}, 30, {1, 1});
            p.range("other", 6, 20);
            replay(p, {2, 1});
        },
        "none: ranges");
    row(
        "captured in no range, launched in one",
        [=](TraceFixture& p) {
            p.node({1, 1}, 5);
            p.node({2, 1}, 30, {1, 1});
            p.range("decode", 90, 200);
            replay(p, {2, 1});
        },
        "launch: range decode");
    row(
        "captured before the recorded part",
        [=](TraceFixture& p) {
            p.node({1, 1}, -50);
            p.node({2, 1}, -40, {1, 1});
            p.range("other", 0, 20);
            replay(p, {2, 1});
        },
        "none: capture");
    row(
        "the launch is not recorded",
        [=](TraceFixture& p) {
            captured(p);
            p.node({2, 1}, 30, {1, 1});
            p.kernel_of({2, 1}, 7, 100, 101);
        },
        "capture: operator aten::addmm");
    row(
        "no node is recorded",
        [=](TraceFixture& p) {
            p.range("decode", 90, 200);
            replay(p, {2, 1});
        },
        "launch: range decode");
}

void tst_Owners::graphs()
{
    launches();
}

/// The part begins at 1000. What was open at the capture is named, nothing else.
void tst_Owners::capturedBeforeThePart()
{
    TraceFixture f;
    f.builder.write(WindowRecord {1000, WindowRecord::begin, 1});
    f.range("Net (serve.py:9)", 0, 500);
    f.range("aten::linear", 20, 40, operator_domain);
    f.range("fc1: Linear", 10, 100);
    f.range("aten::addmm", 25, 30, operator_domain);
    f.range("aten::gelu", 110, 120, operator_domain);
    f.node({1, 1}, 28);
    f.node({1, 2}, 50);
    f.node({1, 3}, 600);
    for (std::uint32_t node = 1; node <= 3; ++node) {
        f.node({2, node}, 700, {1, node});
        f.kernel_of(
            {2, node}, 7, 2000 + node * 10, 2005 + node * 10, f.call("cudaGraphLaunch", 1500 + node, 1501 + node));
    }
    const auto trace = f.finish();
    QVERIFY(trace.ranges.empty());
    QCOMPARE(words(trace, 0), QString("capture: operator aten::addmm, module fc1: Linear, line serve.py:9"));
    QCOMPARE(words(trace, 1), QString("capture: module fc1: Linear, line serve.py:9"));
    QCOMPARE(words(trace, 2), QString("none: ranges"));
    const Owners owners(trace);
    const auto names = owners.around(owners.of(0));
    QCOMPARE(names, (std::vector<std::string_view> {"aten::addmm", "aten::linear", "fc1: Linear", "Net (serve.py:9)"}));
    QVERIFY(owners.around(owners.of(2)).empty());
}

/// Names of operations where some launch was recorded by nodes; else what the nodes were at capture.
void tst_Owners::nodesOfWholeGraphs()
{
    const auto program = [](bool by_nodes) {
        TraceFixture p;
        p.range("aten::addmm", 0, 10, operator_domain);
        p.node({1, 1}, 5);
        p.node({1, 2}, 6);
        p.range("aten::relu", 10, 20, operator_domain);
        p.node({1, 3}, 15);
        p.node({1, 4}, 25);  // in no range
        for (std::uint32_t node = 1; node <= 4; ++node) {
            p.node({2, node}, 30, {1, node});
        }
        p.node({3, 1}, 31, {1, 3});
        if (by_nodes) {
            p.kernel_of({2, 2}, 7, 105, 106, p.call("cudaGraphLaunch", 100, 102));
            p.kernel_of({2, 1}, 7, 103, 104, p.call("cudaGraphLaunch", 100, 102));
        }
        p.kernel_of({2, 0}, 7, 205, 256, p.call("cudaGraphLaunch", 200, 202));
        p.kernel_of({4, 0}, 7, 305, 356, p.call("cudaGraphLaunch", 300, 302));
        return p.finish();
    };
    const auto trace = program(false);
    const Owners owners(trace);
    QCOMPARE(
        QString::fromStdString(in_one_line(owners.nodes_of(0), 9)), QString::fromUtf8("aten::addmm ×2, aten::relu, –"));
    QCOMPARE(QString::fromStdString(in_one_line(owners.nodes_of(0), 1)), QString::fromUtf8("aten::addmm ×2, …"));
    QVERIFY(owners.nodes_of(1).empty());  // of that graph nothing is known
    const auto both = program(true);
    const Owners of_both(both);
    QVERIFY(of_both.nodes_of(0).empty());  // a node
    const auto names = of_both.nodes_of(2);
    QCOMPARE(names.size(), 2U);
    QCOMPARE(names[0], both.text(both.operations.name[0]));
}

void tst_Owners::sameAsBySearch()
{
    std::mt19937 random(7);
    const auto below = [&](std::uint32_t limit) { return static_cast<Ns>(random() % limit); };
    for (int round = 0; round < 50; ++round) {
        TraceFixture program;
        for (int i = 0; i < 60; ++i) {
            program.thread = 1 + static_cast<std::uint32_t>(below(2));
            const Ns start = below(1000);
            const auto number = std::to_string(i % 9);
            program.range(i % 3 == 0 ? "layers." + number + ": Linear" : "r" + number, start,
                start + below(round % 2 == 0 ? 30 : 400));
        }
        for (int i = 0; i < 100; ++i) {
            program.thread = 1 + static_cast<std::uint32_t>(below(2));
            const Ns start = below(1200);
            program.kernel(7, 2000 + i, 2001 + i, program.call("cudaLaunchKernel", start, start + 1));
        }
        const auto trace = program.finish();
        const Owners owners(trace);
        for (Row row = 0; row < trace.operations.size(); ++row) {
            const Row call = trace.operations.call[row];
            const auto around = ranges_around(trace, trace.calls.thread[call], trace.calls.start[call]);
            const auto owner = owners.of(row);
            QCOMPARE(owner.innermost, around.empty() ? no_row : around.front());
            QCOMPARE(owner.parts, owners.around(trace.calls.thread[call], trace.calls.start[call]).parts);
        }
    }
}

QTEST_APPLESS_MAIN(tst_Owners)
#include "tst_owners.moc"
