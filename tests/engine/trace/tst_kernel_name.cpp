// SPDX-License-Identifier: MIT
#include "engine/trace/kernel_name.h"

#include <QTest>

using namespace lanes;

class tst_KernelName : public QObject {
    Q_OBJECT

private slots:
    void shortNames_data();
    void shortNames();
};

void tst_KernelName::shortNames_data()
{
    QTest::addColumn<QString>("full");
    QTest::addColumn<QString>("brief");
    QTest::newRow("c") << "matmul"
                       << "matmul";
    QTest::newRow("template") << "void at::native::add<4, at::f<float (*)(int)> >(int, float*)"
                              << "add";
    QTest::newRow("anonymous") << "void (anonymous namespace)::softmax<float>(float*)"
                               << "softmax";
    QTest::newRow("anonymous inside") << "void at::(anonymous namespace)::softmax(float*)"
                                      << "softmax";
    QTest::newRow("parameters") << "gemm(float const*, int)"
                                << "gemm";
    QTest::newRow("operator()") << "void f::g::operator()(int)"
                                << "operator()";
    QTest::newRow("lambda") << "void run<f()::{lambda(int)#1}>(int)"
                            << "run";
    QTest::newRow("const") << "void f::g<int>(int) const"
                           << "g";
    QTest::newRow("unbalanced") << "a<b"
                                << "a";
    QTest::newRow("nothing left") << "<>"
                                  << "<>";
    QTest::newRow("empty") << ""
                           << "";
}

void tst_KernelName::shortNames()
{
    QFETCH(QString, full);
    QFETCH(QString, brief);
    QCOMPARE(QString::fromStdString(short_kernel_name(full.toStdString())), brief);
}

QTEST_GUILESS_MAIN(tst_KernelName)
#include "tst_kernel_name.moc"
