// SPDX-License-Identifier: MIT
// What is in NVTX's payloads: each kind of entry, and bytes and schemas that do not fit each other.
#include "probes/nvtx_payload.h"

#include <bit>
#include <cstring>
#include <QElapsedTimer>
#include <QTest>
#include <random>

using namespace lanes;

namespace {

constexpr std::uint64_t schema_id = (1U << 24U) + 1;
constexpr std::uint64_t inner_id = (1U << 24U) + 2;
constexpr std::uint64_t enum_id = (1U << 24U) + 3;

template <class... Parts> std::vector<std::byte> bytes_of(const Parts&... parts)
{
    std::vector<std::byte> bytes;
    const auto add = [&bytes](const auto& part) {
        const auto* const from = reinterpret_cast<const std::byte*>(&part);
        bytes.insert(bytes.end(), from, from + sizeof part);
    };
    (add(parts), ...);
    return bytes;
}

QString shown(const std::vector<PayloadValue>& values)
{
    QStringList all;
    for (const auto& value : values) {
        const auto name = QString::fromStdString(value.name) + "=";
        switch (value.type) {
        case RangeValueRecord::text:
            all << name + "'" + QString::fromStdString(value.words) + "'";
            break;
        case RangeValueRecord::real:
            all << name + QString::number(std::bit_cast<double>(value.value)) + "r";
            break;
        case RangeValueRecord::integer:
            all << name + QString::number(static_cast<std::int64_t>(value.value));
            break;
        case RangeValueRecord::id:
            all << name + "0x" + QString::number(value.value, 16);
            break;
        case RangeValueRecord::natural:
            all << name + QString::number(value.value);
        }
    }
    return all.join(' ');
}

}  // namespace

class tst_NvtxPayload : public QObject {
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void readsNothingOutside();
    void manySchemasWithinOneAnother_data();
    void manySchemasWithinOneAnother();
    void countsCalls();
};

void tst_NvtxPayload::reads_data()
{
    using Entries = std::vector<PayloadSchema::Entry>;
    QTest::addColumn<Entries>("entries");
    QTest::addColumn<std::vector<std::byte>>("bytes");
    QTest::addColumn<QString>("values");
    const auto row = [](const char* name, Entries entries, std::vector<std::byte> bytes, const char* values) {
        QTest::newRow(name) << std::move(entries) << std::move(bytes) << QString(values);
    };
    row("aligned by their types", {{0, 12, "a"}, {0, 5, "b"}, {0, 18, "c"}, {0, 13, "d"}},
        bytes_of(std::uint32_t {7}, -5, std::uint64_t {9}, std::int16_t {-2}), "a=7 b=-5 c=9 d=-2");
    row("at offsets", {{0, 16, "a", 0, 12}, {0, 16, "b", 0, 4}, {0, 16, "c"}},
        bytes_of(std::uint32_t {1}, std::uint32_t {2}, std::uint32_t {3}, std::uint32_t {4}), "a=4 b=2 c=3");
    row("reals", {{0, 19, "f"}, {0, 20, "d"}}, bytes_of(0.5F, 0.0F, 0.25), "f=0.5r d=0.25r");
    row("an address", {{0, 23, "p"}}, bytes_of(std::uint64_t {0xABC}), "p=0xabc");
    row("characters", {{1U << 4U, 1, "s", 4}, {0, 16, "n"}}, bytes_of(std::uint32_t {0x00006968}, 8), "s='hi' n=8");
    row("an enumerator", {{0, enum_id, "op"}, {0, enum_id, "other"}}, bytes_of(1, 9), "op='Product' other=9");
    row("within", {{0, 16, "n"}, {0, inner_id, "at"}, {0, 16, "m"}},
        bytes_of(std::uint64_t {1}, std::uint64_t {2}, std::uint64_t {3}), "n=1 at.x=2 m=3");
    row("pointers and numbers in arrays are passed over",
        {{1U << 1U, 16, "p"}, {1U << 4U, 16, "list", 2}, {0, 16, "n"}, {3U << 4U, 16, "v"}, {0, 16, "lost"}},
        bytes_of(std::uint64_t {1}, std::uint64_t {2}, std::uint32_t {3}, std::uint32_t {4}), "n=3");
    row("of a type that is not known", {{0, 16, "n"}, {0, 99, "?"}, {0, 16, "lost"}, {0, 16, "m", 0, 8}},
        bytes_of(std::uint32_t {1}, std::uint32_t {2}, std::uint32_t {3}), "n=1 m=3");
    row("cut short", {{0, 16, "n"}, {0, 18, "m"}}, bytes_of(std::uint32_t {1}, std::uint32_t {2}), "n=1");
}

void tst_NvtxPayload::reads()
{
    QFETCH(std::vector<PayloadSchema::Entry>, entries);
    QFETCH(std::vector<std::byte>, bytes);
    PayloadSchemas schemas;
    schemas.add(5, schema_id, PayloadSchema {.size = bytes.size(), .entries = entries});
    schemas.add(5, inner_id, PayloadSchema {.size = 8, .entries = {{0, 18, "x"}}});
    schemas.add(5, enum_id, PayloadEnum {4, {{0, "Sum"}, {1, "Product"}}});
    QTEST(shown(schemas.values(5, schema_id, bytes)), "values");
    QCOMPARE(schemas.values(6, schema_id, bytes).size(), 0U);  // another domain's
    QCOMPARE(shown(schemas.values(6, 5, bytes_of(-3))), QString("=-3"));  // a predefined type
}

/// Under the sanitizers: schemas of random flags, types, lengths and offsets, over bytes with nothing after them.
void tst_NvtxPayload::readsNothingOutside()
{
    std::mt19937 random(7);
    const std::uint64_t types[] = {1, 2, 5, 18, 19, 20, 22, 25, 99, schema_id, inner_id, enum_id};
    const std::uint64_t numbers[] = {0, 1, 4, 8, 63, 64, 65, 1ULL << 32U, ~0ULL, ~0ULL - 7};
    std::size_t most = 0;
    for (int i = 0; i < 20'000; ++i) {
        PayloadSchemas schemas;
        const auto number = [&] { return numbers[random() % std::size(numbers)]; };
        for (const auto id : {schema_id, inner_id}) {
            PayloadSchema schema {.type = random() % 8 == 0 ? number() : 1, .size = number(), .pack = number()};
            for (auto left = random() % 12; left > 0; --left) {
                const auto flags = random() % 3 != 0 ? 0 : random() & 0xFFFU;
                schema.entries.push_back({flags, types[random() % std::size(types)], "e", number(), number()});
            }
            schemas.add(1, id, schema);
        }
        schemas.add(1, enum_id, PayloadEnum {number(), {{0, "zero"}}});
        const std::vector<std::byte> bytes(random() % 70);
        most = std::max(most, schemas.values(1, schema_id, bytes).size());
        QVERIFY(most <= PayloadSchemas::most_values);
    }
    QVERIFY(most > 10);  // it did read
}

void tst_NvtxPayload::manySchemasWithinOneAnother_data()
{
    QTest::addColumn<quint64>("leaf");  // the type of the entries of the innermost one
    QTest::addColumn<quint64>("offset");  // of all entries
    QTest::addColumn<std::size_t>("values");
    QTest::newRow("numbers") << quint64 {5} << quint64 {0} << PayloadSchemas::most_values;
    QTest::newRow("nothing that is known") << quint64 {99} << quint64 {0} << std::size_t {0};
    QTest::newRow("nothing that is known, at one place") << quint64 {99} << quint64 {1} << std::size_t {0};
}

/// Each of four schemas consists of as many of the next one as are allowed: 4 billion entries in all.
void tst_NvtxPayload::manySchemasWithinOneAnother()
{
    QFETCH(quint64, leaf);
    QFETCH(quint64, offset);
    QFETCH(std::size_t, values);
    PayloadSchemas schemas;
    for (std::uint64_t level = 0; level < 4; ++level) {
        const PayloadSchema::Entry entry {0, level == 3 ? leaf : schema_id + level + 1, "x", 0, offset};
        schemas.add(1, schema_id + level,
            PayloadSchema {.size = 8, .entries = std::vector(PayloadSchemas::most_entries, entry)});
    }
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(schemas.values(1, schema_id, std::vector<std::byte>(1024)).size(), values);
    QVERIFY(timer.elapsed() < 5000);
}

void tst_NvtxPayload::countsCalls()
{
    CollectiveCounter calls;
    const auto counted = [&](std::uint32_t process, const char* function, std::uint64_t communicator) {
        std::vector<PayloadValue> values {{"NCCL communicator ID", {}, communicator, RangeValueRecord::natural}};
        name_collective_values("NCCL", values);
        calls.count(process, function, values);
        return shown(values);
    };
    QCOMPARE(counted(1, "ncclAllReduce", 10), QString("communicator=0xa call=1"));
    QCOMPARE(counted(1, "ncclAllReduce", 10), QString("communicator=0xa call=2"));
    QCOMPARE(counted(1, "ncclSend", 10), QString("communicator=0xa call=1"));
    QCOMPARE(counted(1, "ncclAllReduce", 11), QString("communicator=0xb call=1"));
    QCOMPARE(counted(2, "ncclAllReduce", 10), QString("communicator=0xa call=1"));
    std::vector<PayloadValue> others {{"Rank", {}, 3, RangeValueRecord::natural}};
    name_collective_values("mine", others);
    calls.count(1, "f", others);
    QCOMPARE(shown(others), QString("Rank=3"));
}

QTEST_APPLESS_MAIN(tst_NvtxPayload)
#include "tst_nvtx_payload.moc"
