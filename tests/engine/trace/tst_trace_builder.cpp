// SPDX-License-Identifier: MIT
#include "engine/store/meta.h"
#include "engine/trace/kernel_name.h"
#include "tests/engine/trace/trace_fixture.h"

#include <QTest>

using namespace lanes;

class tst_TraceBuilder : public QObject {
    Q_OBJECT

private slots:
    void joinsOperationsToTheirCalls();
    void shortNames_data();
    void shortNames();
};

void tst_TraceBuilder::joinsOperationsToTheirCalls()
{
    TraceFixture f;
    const auto launch = f.call("cudaLaunchKernel", 0, 5);
    const auto copy = f.call("cudaMemcpyAsync", 6, 9);
    f.copy(CopyKind::h2d, 9, 30, 50, 4096, copy, MemoryKind::pageable, false);
    f.kernel(7, 10, 90, launch, "void ns::gemm<float>(float*)");
    f.kernel(8, 20, 60);
    const auto trace = f.finish();

    QCOMPARE(trace.operations.size(), std::size_t{3});
    QCOMPARE(trace.operations.start, (std::vector<Ns>{10, 20, 30}));
    QCOMPARE(trace.operations.call, (std::vector<Row>{0, no_row, 1}));
    QCOMPARE(trace.text(trace.operations.name[0]), "gemm");
    QCOMPARE(trace.text(trace.operations.name[2]), "Memcpy HtoD");
    QCOMPARE(trace.bytes_of(2), std::uint64_t{4096});
    QVERIFY(trace.copies[0].async);  // the call's name says it
    QCOMPARE(trace.streams.size(), std::size_t{3});
    QCOMPARE(trace.label_of(trace.streams[trace.operations.stream[0]]), std::string("stream 7"));
    QCOMPARE(trace.duration, Ns{90});
}

void tst_TraceBuilder::shortNames_data()
{
    QTest::addColumn<QString>("full");
    QTest::addColumn<QString>("brief");
    QTest::newRow("c") << "matmul" << "matmul";
    QTest::newRow("template") << "void at::native::add<4, at::f<float (*)(int)> >(int, float*)" << "add";
    QTest::newRow("anonymous") << "void (anonymous namespace)::softmax<float>(float*)" << "softmax";
    QTest::newRow("parameters") << "gemm(float const*, int)" << "gemm";
    QTest::newRow("operator()") << "void f::g::operator()(int)" << "operator()";
    QTest::newRow("lambda") << "void run<f()::{lambda(int)#1}>(int)" << "run";
    QTest::newRow("unbalanced") << "a<b" << "a";
    QTest::newRow("nothing left") << "<>" << "<>";
    QTest::newRow("empty") << "" << "";
}

void tst_TraceBuilder::shortNames()
{
    QFETCH(QString, full);
    QFETCH(QString, brief);
    QCOMPARE(QString::fromStdString(short_kernel_name(full.toStdString())), brief);
}

QTEST_GUILESS_MAIN(tst_TraceBuilder)
#include "tst_trace_builder.moc"
