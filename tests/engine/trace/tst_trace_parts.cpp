// SPDX-License-Identifier: MIT
// Programs that were recorded in part: which records a trace keeps, and what it says about that.
#include "engine/trace/meta_keys.h"
#include "tests/engine/trace/trace_fixture.h"

#include <QTest>

using namespace lanes;

class tst_TraceParts : public QObject {
    Q_OBJECT

private slots:
    void eachProcessHasItsPart();
    void timeZeroIsWhereThePartBegins();
    void withoutABeginningItIsTheFirstRecord();
    void saysWhyThereIsNone();
    void cutsAPartOut();
};

void tst_TraceParts::eachProcessHasItsPart()
{
    TraceFixture f;
    f.process = 1;
    f.kernel(7, 90, 95, f.call("cudaLaunchKernel", 80, 85));  // before
    f.kernel(7, 130, 140, f.call("cudaLaunchKernel", 98, 120));  // its call began before, and it began inside
    f.kernel(7, 150, 260, f.call("cudaLaunchKernel", 140, 145));  // to its end
    f.kernel(7, 270, 280, f.call("cudaLaunchKernel", 190, 195));  // runs after, but its call lies inside
    f.kernel(7, 290, 295, f.call("cudaLaunchKernel", 201, 205));  // after
    f.range("outer", 50, 250);
    f.range("inner", 110, 250);
    f.process = 2;  // between the two parts, so that time alone does not decide
    f.kernel(7, 210, 220, f.call("cudaLaunchKernel", 150, 155));
    f.kernel(7, 410, 420, f.call("cudaLaunchKernel", 400, 405));
    f.process = 3;  // of no part: it is recorded from its first to its last record
    f.call("cudaMalloc", 260, 270);
    auto& b = f.builder;
    b.write(WindowRecord {100, WindowRecord::begin, 1});
    b.write(WindowRecord {200, WindowRecord::finish, 1});
    b.write(WindowRecord {390, WindowRecord::begin, 2});
    b.write_meta(meta::window_of(1), "range range");
    b.write_meta(meta::window_of(2), "range program");
    b.write_meta(meta::window_of(3), "program program");
    const auto trace = f.finish();
    QCOMPARE(trace.calls.start, (std::vector<Ns> {140, 190, 260, 400}));
    QCOMPARE(trace.operations.start, (std::vector<Ns> {130, 150, 270, 410}));
    QCOMPARE(trace.operations.call[0], no_row);
    QCOMPARE(trace.ranges.size(), std::size_t {1});
    QCOMPARE(trace.meta.at(meta::windows), std::string("1 100 200 range range\n2 390 - range program\n"));
    QVERIFY(!trace.meta.contains(meta::window_of(1)));
    QVERIFY(!trace.meta.contains(meta::not_begun));
}

void tst_TraceParts::timeZeroIsWhereThePartBegins()
{
    TraceBuilder b;
    const auto name = b.intern("cudaLaunchKernel");
    b.write(ApiCallRecord {5000, 5010, 1, 1, 1, name, ApiCallRecord::runtime, 0});
    b.write(WindowRecord {4000, WindowRecord::begin, 1});
    b.write(WindowRecord {6000, WindowRecord::finish, 1});
    b.write_meta(meta::window_of(1), "delay duration");
    const auto trace = b.finish(Source::cupti);
    QCOMPARE(trace.calls.start, std::vector<Ns> {1000});
    QCOMPARE(trace.meta.at(meta::windows), std::string("1 0 2000 delay duration\n"));
}

void tst_TraceParts::withoutABeginningItIsTheFirstRecord()
{
    TraceBuilder b;
    const auto name = b.intern("cudaLaunchKernel");
    b.write(ApiCallRecord {5000, 5010, 1, 1, 1, name, ApiCallRecord::runtime, 0});
    b.write(ApiCallRecord {6001, 6010, 1, 1, 2, name, ApiCallRecord::runtime, 0});
    b.write(WindowRecord {6000, WindowRecord::finish, 1});
    b.write_meta(meta::window_of(1), "program size");
    const auto trace = b.finish(Source::cupti);
    QCOMPARE(trace.calls.start, std::vector<Ns> {0});
    QCOMPARE(trace.meta.at(meta::windows), std::string("1 - 1000 program size\n"));
}

void tst_TraceParts::saysWhyThereIsNone()
{
    TraceFixture f;
    f.builder.write_meta(meta::window_of(1), "none none no NVTX range \"a\" was opened");
    f.builder.write_meta(meta::window_of(12), "none none no NVTX range \"a\" was opened");
    const auto trace = f.finish();
    QCOMPARE(trace.meta.at(meta::not_begun), std::string("no NVTX range \"a\" was opened"));
    QVERIFY(!trace.meta.contains(meta::windows));
}

void tst_TraceParts::cutsAPartOut()
{
    TraceFixture f;
    f.builder.write(ProcessRecord {1, 0, f.builder.intern("program"), 0});
    f.kernel(7, 100, 120, f.call("cudaLaunchKernel", 80, 85));
    f.kernel(7, 130, 140, f.call("cudaLaunchKernel", 100, 105));
    f.kernel(7, 210, 220, f.call("cudaLaunchKernel", 199, 205));
    f.kernel(7, 230, 240, f.call("cudaLaunchKernel", 200, 206));
    f.builder.keep_part({100, 200});
    const auto trace = f.finish();
    QCOMPARE(trace.calls.start, (std::vector<Ns> {100, 199}));
    QCOMPARE(trace.operations.start, (std::vector<Ns> {100, 130, 210}));
    QCOMPARE(trace.operations.call[0], no_row);
    QCOMPARE(trace.meta.at(meta::windows), std::string("1 100 199 steps steps\n"));
}

QTEST_GUILESS_MAIN(tst_TraceParts)
#include "tst_trace_parts.moc"
