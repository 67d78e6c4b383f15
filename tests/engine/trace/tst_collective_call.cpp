// SPDX-License-Identifier: MIT
// Which collectives an operation carries out, and what is known of them.
#include "engine/trace/collective_call.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/range_value.h"
#include "tests/engine/trace/trace_fixture.h"

#include <QTest>

using namespace lanes;

namespace {

/// Ranges with values, and kernels that are launched in them.
struct Fixture : TraceFixture {
    struct Value {
        const char* name;
        std::uint64_t value;
        const char* words = "";
        RangeValueRecord::Type type = RangeValueRecord::natural;
    };
    static Value communicator(std::uint64_t id) { return {"communicator", id, "", RangeValueRecord::id}; }

    void range(
        const char* name, Ns start, Ns end, std::initializer_list<Value> values = {}, const char* domain = "NCCL")
    {
        const auto id = ++m_range;
        builder.write(RangeRecord {
            start, id, process, thread, builder.intern(name), builder.intern(domain), 0, RangeRecord::begin});
        builder.write(RangeRecord {end, id, process, thread, 0, 0, 0, RangeRecord::finish});
        std::uint16_t place = 0;
        for (const auto& value : values) {
            builder.write(RangeValueRecord {id, value.value, process, builder.intern(value.name),
                builder.intern(value.words), value.type, place++});
        }
    }
    void launch(Ns at, const char* kernel_name)
    {
        kernel(7, at + 50, at + 60, call("cudaLaunchKernel", at, at + 1), kernel_name);
    }

private:
    std::uint64_t m_range = 0;
};

/// "ncclAllReduce 3, ncclAllReduce 4": functions and numbers of calls.
QString carriedOut(const Trace& trace, Row operation)
{
    QStringList all;
    for (const Row range : collective_ranges(trace, Owners(trace), operation)) {
        const auto call = *collective_call(trace, range);
        all << QString::fromStdString(std::string(call.function)) + " " + QString::number(call.call.value_or(0));
    }
    return all.join(", ");
}

}  // namespace

class tst_CollectiveCall : public QObject {
    Q_OBJECT

private slots:
    void ofOneCall();
    void ofAGroup();
    void ofAGroupWithoutItsBegin();
    void ofPyTorch();
    void whatIsNone();
    void communicatorsOfAPart();
    void inputsOfItsOperator();
};

void tst_CollectiveCall::ofOneCall()
{
    Fixture f;
    f.range("ncclReduce", 100, 200,
        {Fixture::communicator(0xFFFF'0000'0000'04D2), {"call", 3}, {"bytes", 4096}, {"root", 1},
            {"op", 0, "Sum", RangeValueRecord::text}});
    f.launch(150, "ncclDevKernel_Reduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
    f.launch(250, "ncclDevKernel_Reduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
    const auto trace = f.finish();
    const auto ranges = collective_ranges(trace, Owners(trace), 0);
    QCOMPARE(ranges, std::vector<Row>({0}));
    const auto call = collective_call(trace, 0);
    QVERIFY(call.has_value());
    QCOMPARE(call->function, std::string_view("ncclReduce"));
    QCOMPARE(call->communicator, std::string("0xffff0000000004d2"));
    QCOMPARE(call->call, std::optional<std::uint64_t>(3));
    QCOMPARE(call->bytes, std::optional<std::uint64_t>(4096));
    QCOMPARE(call->root, std::optional<std::uint64_t>(1));
    QCOMPARE(call->peer, std::optional<std::uint64_t>());
    QCOMPARE(call->operation, std::string_view("Sum"));
    QCOMPARE(values_text(trace, 0), std::string("communicator=0xffff0000000004d2 call=3 bytes=4096 root=1 op=Sum"));
    QCOMPARE(carriedOut(trace, 1), QString());  // launched outside
}

void tst_CollectiveCall::ofAGroup()
{
    const auto id = Fixture::communicator(5);
    Fixture f;
    f.range("ncclAllReduce", 10, 20, {id, {"call", 1}, {"bytes", 8}});  // before the group
    f.range("ncclGroupStart", 100, 101);
    f.range("ncclAllReduce", 110, 120, {id, {"call", 2}, {"bytes", 8}});
    f.range("ncclGroupStart", 121, 122);
    f.range("ncclSend", 130, 140, {id, {"call", 1}, {"bytes", 8}, {"peer", 0}});
    f.range("ncclGroupEnd", 141, 142);
    f.thread = 2;  // meanwhile on another thread
    f.range("ncclAllReduce", 143, 144, {id, {"call", 9}, {"bytes", 8}});
    f.thread = 1;
    f.range("ncclAllReduce", 145, 150, {id, {"call", 3}, {"bytes", 8}});
    f.range("ncclGroupEnd", 200, 300);
    f.launch(210, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
    f.launch(220, "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)");
    f.launch(230, "ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)");
    const auto trace = f.finish();
    QCOMPARE(carriedOut(trace, 0), QString("ncclAllReduce 2, ncclAllReduce 3"));
    QCOMPARE(carriedOut(trace, 1), QString("ncclSend 1"));
    QCOMPARE(carriedOut(trace, 2), QString("ncclAllReduce 2, ncclSend 1, ncclAllReduce 3"));
}

void tst_CollectiveCall::ofAGroupWithoutItsBegin()
{
    Fixture f;
    f.range("ncclAllReduce", 110, 120, {Fixture::communicator(5), {"call", 2}, {"bytes", 8}});
    f.range("ncclGroupEnd", 200, 300);
    f.launch(210, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
    QCOMPARE(carriedOut(f.finish(), 0), QString("ncclAllReduce 2"));
}

void tst_CollectiveCall::ofPyTorch()
{
    Fixture f;
    f.range("record_param_comms", 100, 200,
        {{"communicator", 0, "0", RangeValueRecord::text}, {"call", 7},
            {"collective", 0, "allreduce", RangeValueRecord::text}, {"bytes", 16}, {"ranks", 2}, {"sequence", 9},
            {"members", 0, "[0, 1]", RangeValueRecord::text}},
        "cpu_op");
    f.launch(150, "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)");
    const auto trace = f.finish();
    QCOMPARE(carriedOut(trace, 0), QString("allreduce 7"));
    const auto call = *collective_call(trace, 0);
    QCOMPARE(call.communicator, std::string("0"));
    QCOMPARE(call.members, std::string_view("[0, 1]"));
    QCOMPARE(call.sequence, std::optional<std::uint64_t>(9));
    QCOMPARE(call.ranks, std::optional<std::uint64_t>(2));
    QVERIFY(communicators(trace).empty());
}

void tst_CollectiveCall::whatIsNone()
{
    Fixture f;
    // Makes a communicator; what another program calls bytes; NCCL before 2.26 says bytes alone.
    f.range("ncclCommInitRank", 10, 20, {Fixture::communicator(5), {"ranks", 2}, {"rank", 1}, {"device", 0}});
    f.range("load", 30, 40, {{"bytes", 8}}, "mine");
    f.range("ncclAllReduce", 50, 60, {{"bytes", 8}});
    const auto trace = f.finish();
    QVERIFY(!collective_call(trace, 0));
    QVERIFY(!collective_call(trace, 1));
    QVERIFY(collective_call(trace, 2).has_value());
    QCOMPARE(collective_call(trace, 2)->communicator, std::string());
}

void tst_CollectiveCall::communicatorsOfAPart()
{
    Fixture f;
    f.range("ncclCommInitRank", 10, 20, {Fixture::communicator(5), {"ranks", 2}, {"rank", 1}, {"device", 0}});
    f.range("ncclCommDestroy", 90, 95, {Fixture::communicator(5), {"ranks", 2}, {"rank", 1}, {"device", 0}});
    // The probe says it of all, also of what was made before the part; of one that is in the part both ways.
    f.builder.write_meta("communicator.1.5", "2 1 0");
    f.builder.write_meta("communicator.1.18446744073709551615", "8 3 0");
    f.builder.write_meta("communicator.none", "8 3 0");
    f.kernel(7, 50, 60);
    const auto trace = f.finish();
    const std::vector<Communicator> expected {{1, "0xffffffffffffffff", 8, 3, 0}, {1, "0x0000000000000005", 2, 1, 0}};
    QCOMPARE(communicators(trace), expected);
    QCOMPARE(trace.meta.count("communicator.1.5"), 0U);
    QCOMPARE(parse_communicators(text_of(expected) + "no line\n"), expected);
}

void tst_CollectiveCall::inputsOfItsOperator()
{
    Fixture f;
    f.range("aten::linear", 100, 300, {{"inputs", 0, "[2, 4]", RangeValueRecord::text}}, operator_domain);
    f.range("mine", 120, 200, {}, "");
    f.launch(150, "gemm");
    f.launch(350, "gemm");
    const auto trace = f.finish();
    QCOMPARE(range_with_values(trace, Owners(trace), 0), Row {0});
    QCOMPARE(range_with_values(trace, Owners(trace), 1), no_row);
    QCOMPARE(carriedOut(trace, 0), QString());
}

QTEST_APPLESS_MAIN(tst_CollectiveCall)
#include "tst_collective_call.moc"
