// SPDX-License-Identifier: MIT
// From an operator of PyTorch's to its backward: by a trace's arrows, by numbers where it has none, and through every
// file that we write.
#include "engine/ranks/merge_ranks.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_builder.h"
#include "tests/engine/trace/trace_difference.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

namespace {

/// "backward <- forward" for all joined operators.
QString joined(const Trace& trace)
{
    QStringList lines;
    const auto name
        = [&](Row range) { return QString::fromStdString(std::string(trace.text(trace.ranges[range].name))); };
    for (const auto& known : trace.autograd) {
        if (known.forward != no_row) {
            lines << name(known.range) + "<-" + name(known.forward);
        }
    }
    return lines.join(' ');
}

QByteArray operator_event(const char* name, int thread, int start, int duration, int number, int forward_thread)
{
    return QByteArray(R"({"ph":"X","cat":"cpu_op","name":")") + name + R"(","pid":7,"tid":)"
        + QByteArray::number(thread) + R"(,"ts":)" + QByteArray::number(start) + R"(,"dur":)"
        + QByteArray::number(duration)
        + (number < 0 ? QByteArray()
                      : R"(,"args":{"Sequence number":)" + QByteArray::number(number) + R"(,"Fwd thread id":)"
                    + QByteArray::number(forward_thread) + "}")
        + "},";
}

QByteArray arrow(const char* phase, int id, int thread, int start, const char* category = "fwdbwd")
{
    return QByteArray(R"({"ph":")") + phase + R"(","id":)" + QByteArray::number(id) + R"(,"cat":")" + category
        + R"(","name":"x","pid":7,"tid":)" + QByteArray::number(thread) + R"(,"ts":)" + QByteArray::number(start)
        + "},";
}

}  // namespace

class tst_Autograd : public QObject {
    Q_OBJECT

private slots:
    void joins_data();
    void joins();
    void realTrace();
    void rangesOfARecording();

private:
    QString path(const char* name) const { return m_folder.filePath(name); }
    Trace opened(const QByteArray& events)
    {
        QFile file(path("in.json"));
        if (!file.open(QIODevice::WriteOnly) || file.write("[" + events + "{}]") < 0) {
            qWarning("cannot write");
        }
        file.close();
        return open_recording(path("in.json").toStdString());
    }
    /// "" if every file that we write says the same about autograd, and SQLite also about everything else.
    QString afterFiles(Trace trace)
    {
        trace.meta.erase(meta::not_shown);  // said once, when the file itself is opened
        for (const char* name : {"out.json", "out.sqlite", "out.json.gz"}) {
            save_recording(trace, path(name).toStdString());
            const auto again = open_recording(path(name).toStdString());
            const auto found = QString(name).endsWith(".sqlite") ? difference(trace, again)
                                                                 : difference_of(tables::Autograd {}, trace, again);
            if (!found.empty()) {
                return QString(name) + ": " + QString::fromStdString(found);
            }
        }
        return {};
    }
    QTemporaryDir m_folder;
};

void tst_Autograd::joins_data()
{
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<QString>("expected");
    const auto forward = operator_event("linear", 1, 10, 9, 3, 0) + operator_event("addmm", 1, 12, 5, 3, 0)
        + operator_event("relu", 1, 20, 5, 4, 0);
    const auto backward
        = operator_event("ReluBackward0", 2, 30, 5, 4, 1) + operator_event("AddmmBackward0", 2, 40, 5, 3, 1);
    QTest::newRow("numbers") << forward + backward << "ReluBackward0<-relu AddmmBackward0<-addmm";
    QTest::newRow("arrows count, not numbers")
        << forward + backward + arrow("s", 9, 1, 10) + arrow("f", 9, 2, 40) << "AddmmBackward0<-linear";
    QTest::newRow("arrows of 2021") << forward + backward + arrow("s", 9, 1, 12, "forward_backward")
            + arrow("f", 9, 2, 40, "forward_backward")
                                    << "AddmmBackward0<-addmm";
    QTest::newRow("the end first") << arrow("f", 9, 2, 40) + arrow("s", 9, 1, 12) + forward + backward
                                   << "AddmmBackward0<-addmm";
    QTest::newRow("what starts together")
        << operator_event("linear", 1, 10, 9, 3, 0) + operator_event("t", 1, 10, 2, 2, 0)
            + operator_event("addmm", 1, 10, 7, 3, 0) + backward + arrow("s", 1, 1, 10) + arrow("f", 1, 2, 40)
        << "AddmmBackward0<-addmm";
    QTest::newRow("arrows between what has no number") << operator_event("relu", 1, 20, 5, -1, 0)
            + operator_event("ReluBackward0", 2, 30, 5, -1, 0) + arrow("s", 1, 1, 20)
            + arrow("f", 1, 2, 30) << "ReluBackward0<-relu";
    QTest::newRow("an arrow from nowhere") << forward + backward + arrow("s", 9, 1, 11) + arrow("f", 9, 2, 40) << "";
    QTest::newRow("two threads with one number")
        << forward + operator_event("other", 5, 21, 3, 4, 0) + backward << "AddmmBackward0<-addmm";
    QTest::newRow("a number again") << forward + operator_event("mul", 1, 25, 3, 4, 0) + backward
                                    << "ReluBackward0<-mul AddmmBackward0<-addmm";
}

void tst_Autograd::joins()
{
    QFETCH(QByteArray, events);
    QFETCH(QString, expected);
    const auto trace = opened(events);
    QCOMPARE(joined(trace), expected);
    QCOMPARE(afterFiles(trace), QString());
}

void tst_Autograd::realTrace()
{
    const QString file = qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/kineto/hta_nccl_a100.json.gz";
    if (!QFile::exists(file)) {
        QSKIP("the traces of other tools are not here");
    }
    const auto trace = open_recording(file.toStdString());
    QCOMPARE(trace.autograd.size(), std::size_t {2286});  // as a search for "Sequence number" finds
    std::size_t arrows = 0;
    for (const auto& known : trace.autograd) {
        if (known.forward == no_row) {
            continue;
        }
        ++arrows;
        const auto* const forward = trace.autograd_of(known.forward);
        QVERIFY(forward != nullptr && forward->number == known.number && forward->forward_thread == 0);
        QVERIFY(known.forward_thread != 0);
        QVERIFY(trace.ranges[known.forward].start < trace.ranges[known.range].start);
    }
    QCOMPARE(arrows, std::size_t {543});
    QCOMPARE(afterFiles(trace), QString());
}

/// As the probe writes them: numbers alone, of two processes, each of which counts its own.
void tst_Autograd::rangesOfARecording()
{
    TraceBuilder builder;
    std::uint64_t id = 1'000'000;
    const auto add = [&](std::uint32_t process, std::uint32_t thread, const char* name, Ns start, std::uint32_t number,
                         std::uint32_t from) {
        ++id;
        builder.write(AutogradRecord {id, 0, process, number, from, 1});
        builder.write(RangeRecord {
            start, id, process, thread, builder.intern(name), builder.intern(operator_domain), 0, RangeRecord::begin});
        builder.write(RangeRecord {start + 50, id, process, thread, 0, 0, 0, RangeRecord::finish});
    };
    add(1, 11, "a", 1000, 5, 0);
    add(2, 21, "b", 1010, 5, 0);
    add(1, 12, "AB", 2000, 5, 1);
    add(2, 22, "BB", 2010, 5, 1);
    add(1, 12, "early", 500, 5, 1);  // no forward operator comes before it
    const auto trace = builder.finish(Source::cupti);
    QCOMPARE(joined(trace), QString("AB<-a BB<-b"));
    QCOMPARE(afterFiles(trace), QString());
    std::vector<MergedPart> parts(2);
    for (int rank : {0, 1}) {
        const QByteArray part
            = operator_event("relu", 1, 20 + rank, 5, 4, 0) + operator_event("ReluBackward0", 2, 30, 5, 4, 1);
        parts[static_cast<std::size_t>(rank)].trace = opened(part);
        parts[static_cast<std::size_t>(rank)].name = std::to_string(rank);
    }
    QCOMPARE(joined(merge_ranks(parts)), QString("ReluBackward0<-relu ReluBackward0<-relu"));
}

QTEST_GUILESS_MAIN(tst_Autograd)
#include "tst_autograd.moc"
