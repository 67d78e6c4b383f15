// SPDX-License-Identifier: MIT
#include "probes/cupti/operator_range.h"

#include <QTest>

class tst_OperatorRange : public QObject {
    Q_OBJECT

private slots:
    void takesTheTextApart_data();
    void takesTheTextApart();
};

void tst_OperatorRange::takesTheTextApart_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<qlonglong>("sequence");
    QTest::addColumn<QByteArray>("shapes");
    const auto row = [](const char* text, const char* name, qlonglong sequence, const char* shapes = "") {
        QTest::newRow(text) << QByteArray(text) << QByteArray(name) << sequence << QByteArray(shapes);
    };
    row("aten::linear, seq = 3, op_id = 7", "aten::linear", 3);
    row("aten::t, op_id = 8", "aten::t", -1);
    row("aten::linear, seq = 0", "aten::linear", 0);
    row("autograd::engine::evaluate_function: AddmmBackward0, seq = 12, op_id = 90",
        "autograd::engine::evaluate_function: AddmmBackward0", 12);
    row("aten::addmm, seq = 3, op_id = 9, sizes = [[4], [2, 4], [4, 4], [], []], input_op_ids = [(0,-1), (5,0)]",
        "aten::addmm", 3, "[4], [2, 4], [4, 4], [], []");
    row("aten::addmm, seq = 3, sizes = [[4], []]", "aten::addmm", 3, "[4], []");
    row("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__, op_id = 4",
        "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", -1);
    // A name with commas, one that holds such a field, and no name.
    row("step 3, epoch 2, op_id = 5", "step 3, epoch 2", -1);
    row("a, seq = x, op_id = 5", "a, seq = x", -1);
    row(", op_id = 5", "", -1);
    // Other programs' ranges stay as they are.
    row("", "", -1);
    row("forward", "forward", -1);
    row("step, 3", "step, 3", -1);
    row("load, op_id = 5 of 7", "load, op_id = 5 of 7", -1);
    row("load, seq = -4", "load, seq = -4", -1);
    row("load, seq = 99999999999999999999", "load, seq = 99999999999999999999", -1);
    row("load, sizes = [1]", "load, sizes = [1]", -1);
    row("cut, seq = 4, sizes = [[1], [2", "cut, seq = 4, sizes = [[1], [2", -1);
}

void tst_OperatorRange::takesTheTextApart()
{
    QFETCH(QByteArray, text);
    const auto range = lanes::operator_range({text.constData(), static_cast<std::size_t>(text.size())});
    QTEST(QByteArray(range.name.data(), static_cast<int>(range.name.size())), "name");
    QTEST(static_cast<qlonglong>(range.sequence), "sequence");
    QTEST(QByteArray(range.shapes.data(), static_cast<int>(range.shapes.size())), "shapes");
}

QTEST_APPLESS_MAIN(tst_OperatorRange)
#include "tst_operator_range.moc"
