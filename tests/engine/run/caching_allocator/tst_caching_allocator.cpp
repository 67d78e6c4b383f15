// SPDX-License-Identifier: MIT
// The caching allocator, request by request: which calls it asks for, and where the blocks lie.
#include "engine/run/caching_allocator.h"

#include <QMap>
#include <QTest>

using namespace lanes;

class tst_CachingAllocator : public QObject {
    Q_OBJECT

private slots:
    void requests_data();
    void requests();
};

namespace {

constexpr std::uint64_t kib = 1024;

/// Plays "a+30000" (a gets so many KiB on stream 0; "a+30000@1": on stream 1) and "a-", and says what each asked for.
QStringList played(std::uint64_t limit_kib, const QString& requests)
{
    CachingAllocator allocator(limit_kib * kib);
    QMap<QString, CachingAllocator::Place> places;
    QStringList said;
    for (const auto& request : requests.split(' ')) {
        if (request.endsWith('-')) {
            allocator.give_back(places.take(request.chopped(1)));
            continue;
        }
        const auto name = request.section('+', 0, 0);
        const auto size = request.section('+', 1);
        const auto answer
            = allocator.take(size.section('@', 1).toULongLong(), size.section('@', 0, 0).toULongLong() * kib);
        QString line = name;
        for (const auto& [segment, bytes] : answer.released) {
            line += QString(" free %1").arg(segment);
        }
        if (answer.made) {
            line += QString(" malloc %1").arg(*answer.made / kib);
        }
        if (answer.place) {
            places[name] = *answer.place;
            line += QString(" at %1:%2").arg(answer.place->segment).arg(answer.place->offset / kib);
        } else {
            line += " none";
        }
        said.append(line);
    }
    return said;
}

}  // namespace

void tst_CachingAllocator::requests_data()
{
    QTest::addColumn<quint64>("limit");
    QTest::addColumn<QString>("requests");
    QTest::addColumn<QStringList>("said");
    const auto row = [](const char* name, quint64 limit, const char* requests, const QStringList& said) {
        QTest::newRow(name) << limit << QString(requests) << said;
    };
    row("what was freed serves the next of its size", 0, "a+30000 a- b+30000",
        {"a malloc 30720 at 0:0", "b at 0:0"});
    row("small ones share 2 MiB", 0, "a+500 b+1000 c+600",
        {"a malloc 2048 at 0:0", "b at 0:500", "c malloc 2048 at 1:0"});
    row("those below 10 MiB share 20", 0, "a+5000 b+9000 c+7000",
        {"a malloc 20480 at 0:0", "b at 0:5000", "c malloc 20480 at 1:0"});
    row("10 MiB and more have their own, in units of 2", 0, "a+10240 b+10241",
        {"a malloc 10240 at 0:0", "b malloc 12288 at 1:0"});
    row("small and large ones do not mix", 0, "a+30000 a- b+1000", {"a malloc 30720 at 0:0", "b malloc 2048 at 1:0"});
    row("the smallest block that is large enough", 0, "a+60000 b+40000 a- b- c+35000",
        {"a malloc 61440 at 0:0", "b malloc 40960 at 1:0", "c at 1:0"});
    row("what is left of a block serves another", 0, "a+60000 a- b+20000 c+20000 d+20000",
        {"a malloc 61440 at 0:0", "b at 0:0", "c at 0:20000", "d at 0:40000"});
    row("what is left is not split off if it is 1 MiB or less", 0, "a+30720 a- b+29696 c+1025",
        {"a malloc 30720 at 0:0", "b at 0:0", "c malloc 20480 at 1:0"});
    row("neighbours are joined, in either order", 0, "a+60000 a- b+20000 c+20000 b- c- d+60000 d- b+20000 c+20000 c- b- d+60000",
        {"a malloc 61440 at 0:0", "b at 0:0", "c at 0:20000", "d at 0:0", "b at 0:0", "c at 0:20000", "d at 0:0"});
    row("a block of another stream serves nobody", 0, "a+30000 a- b+30000@1",
        {"a malloc 30720 at 0:0", "b malloc 30720 at 1:0"});
    row("at the limit what is unused is freed", 65536, "a+30000 b+20000 a- b- c+40000",
        {"a malloc 30720 at 0:0", "b malloc 20480 at 1:0", "c free 0 free 1 malloc 40960 at 2:0"});
    row("a segment in use is not", 65536, "a+30000 b+20000 b- c+40000 c+20000",
        {"a malloc 30720 at 0:0", "b malloc 20480 at 1:0", "c free 1 none", "c malloc 20480 at 2:0"});
    row("nor one of which a part is", 40960, "a+40000 a- b+20000 c+30000",
        {"a malloc 40960 at 0:0", "b at 0:0", "c none"});
    row("more than the limit", 40960, "a+50000 b+40960", {"a none", "b malloc 40960 at 0:0"});
}

void tst_CachingAllocator::requests()
{
    QFETCH(quint64, limit);
    QFETCH(QString, requests);
    QFETCH(QStringList, said);
    QCOMPARE(played(limit, requests), said);
}

QTEST_GUILESS_MAIN(tst_CachingAllocator)
#include "tst_caching_allocator.moc"
