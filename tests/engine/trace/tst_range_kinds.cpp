// SPDX-License-Identifier: MIT
// What the ranges of a stack are, and what of a frame's name is read first.
#include "engine/trace/range_kinds.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;

class tst_RangeKinds : public QObject {
    Q_OBJECT

private slots:
    void kinds_data();
    void kinds();
    void names_data();
    void names();
};

Q_DECLARE_METATYPE(lanes::RangeKind)

void tst_RangeKinds::kinds_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("domain");
    QTest::addColumn<RangeKind>("kind");
    using enum RangeKind;
    QTest::newRow("frame") << QByteArray("vllm/worker.py(263): execute_model") << QByteArray("python_function")
                           << frame;
    QTest::newRow("module") << QByteArray("nn.Module: Linear_3") << QByteArray("python_function") << module;
    QTest::newRow("a module's call") << QByteArray("torch/nn/modules/module.py(1762): _call_impl")
                                     << QByteArray("python_function") << plumbing;
    QTest::newRow("built in") << QByteArray("<built-in method copy_>") << QByteArray("python_function") << plumbing;
    QTest::newRow("generated") << QByteArray("<eval_with_key>.66(2): forward") << QByteArray("python_function")
                               << plumbing;
    QTest::newRow("what a compiled function goes through")
        << QByteArray("torch/_functorch/_aot_autograd/runtime_wrappers.py(310): runtime_wrapper")
        << QByteArray("python_function") << plumbing;
    QTest::newRow("operator") << QByteArray("aten::mm") << QByteArray("cpu_op") << torch_operator;
    QTest::newRow("an operator that is called like plumbing")
        << QByteArray("my::contextlib") << QByteArray("cpu_op") << torch_operator;
    QTest::newRow("a range of the program") << QByteArray("contextlib") << QByteArray("user_annotation") << range;
    QTest::newRow("NVTX") << QByteArray("nn.Module: Linear_3") << QByteArray() << range;
}

void tst_RangeKinds::kinds()
{
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, domain);
    Tape tape;
    tape.range(name.constData(), 0, 100, 1, domain.constData());
    const Trace trace = tape.finish();
    QTEST(RangeKinds(trace).of(0), "kind");
    QFETCH(const RangeKind, kind);  // a built-in function is what the time goes to
    QCOMPARE(RangeKinds(trace).only_leads_on(0), kind == RangeKind::plumbing && !name.startsWith("<built-in"));
}

void tst_RangeKinds::names_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("brief");
    QTest::newRow("frame") << QByteArray("vllm/worker.py(263): execute_model") << QByteArray("execute_model");
    QTest::newRow("in brackets") << QByteArray("run.py(1): <module>") << QByteArray("<module>");
    QTest::newRow("module") << QByteArray("nn.Module: Linear_3") << QByteArray("Linear_3");
    QTest::newRow("built in") << QByteArray("<built-in method to of type object>")
                              << QByteArray("<built-in method to of type object>");
    QTest::newRow("of another tool") << QByteArray("f(x): g") << QByteArray("f(x): g");
}

void tst_RangeKinds::names()
{
    QFETCH(const QByteArray, name);
    const std::string_view brief = frame_name(std::string_view(name.constData()));
    QTEST(QByteArray(brief.data(), static_cast<qsizetype>(brief.size())), "brief");
}

QTEST_GUILESS_MAIN(tst_RangeKinds)
#include "tst_range_kinds.moc"
