// SPDX-License-Identifier: MIT
// Files from public bug reports, beside the source (shared/data/bugs): each opens or is refused as its table says,
// within a time limit, and the one figure of its row is right. Skipped if the folder is absent.
#include "engine/store/recording_file.h"
#include "tests/engine/cli/lanes_with.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <set>
#include <sys/resource.h>

using namespace lanes;

namespace {

#ifdef LANES_SANITIZED
constexpr int slower = 8;
#else
constexpr int slower = 1;
#endif
constexpr int most_ms = 120'000;  // for files of a few kB: what takes longer does not end

QString folder()
{
    return qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/bugs";
}

/// What `lanes report` says about a file.
struct Reported {
    QString path;
    QByteArray text, header;  ///< `header`: up to the figures
    QJsonObject json;

    QJsonObject gpu(int index) const { return json["gpu"].toArray().at(index).toObject(); }
    double count(const char* name) const { return json["counts"].toObject()[QLatin1String(name)].toDouble(); }
    QJsonObject named(const char* list, const char* key, const QString& name) const
    {
        for (const QJsonValue each : json[QLatin1String(list)].toArray()) {
            if (each.toObject()[QLatin1String(key)].toString() == name) {
                return each.toObject();
            }
        }
        return {};
    }
    QJsonObject range(const QString& name) const { return named("ranges", "name", name); }
    Trace trace() const { return open_recording(path.toStdString()); }
};

/// Nothing if the row is right, else what is wrong.
using Right = std::function<QString(const Reported&)>;

QString number(const char* what, double found, double expected)
{
    return found == expected ? QString()
                             : QStringLiteral("%1: found %2, expected %3")
                                   .arg(QLatin1String(what))
                                   .arg(found, 0, 'f', 0)
                                   .arg(expected, 0, 'f', 0);
}

QString says(const Reported& reported, const QByteArray& words)
{
    return reported.header.contains(words) ? QString() : "nothing says \"" + QString::fromUtf8(words) + '"';
}

/// The first difference.
QString all(std::initializer_list<QString> checks)
{
    const auto wrong = std::find_if(checks.begin(), checks.end(), [](const QString& each) { return !each.isEmpty(); });
    return wrong == checks.end() ? QString() : *wrong;
}

std::uint32_t thread_of(const Trace& trace, Row operation)
{
    const Row call = trace.operations.call[operation];
    return call == no_row ? 0 : trace.threads[trace.calls.thread[call]].id;
}

struct FileRow {
    const char* file;
    const char* refused = nullptr;  ///< the words that a refusal must have; null: the file opens
    Right right = {};
};

double wall(const Reported& r)
{
    return r.json["wall_ns"].toDouble();
}

const std::vector<FileRow>& reports()
{
    static const std::vector<FileRow> rows {
        {"01_half_ts_zero.json", nullptr,
            [](const Reported& r) {
                return all({number("wall", wall(r), 990e3), number("kernels", r.count("kernels"), 10),
                    number("busy", r.json["gpu_busy_ns"].toDouble(), 500e3),
                    number("aten::add", r.range("aten::add")["count"].toDouble(), 10), says(r, "left out: 30\n")});
            }},
        {"21_one_range_at_0.json", nullptr,
            [](const Reported& r) {
                return all({number("wall", wall(r), 980e3), says(r, "left out: 1\n")});
            }},
        {"21e_call_at_0.json", nullptr,
            [](const Reported& r) {
                return all({number("wall", wall(r), 980e3), says(r, "left out: 1\n")});
            }},
        {"05_gpu_clock_since_boot.json", nullptr, [](const Reported& r) { return says(r, "clocks of CPU and GPU"); }},
        {"03_rccl_generic.json", nullptr,
            [](const Reported& r) {
                return all({number("communication", r.gpu(0)["communication_ns"].toDouble(), 2.4e6),
                    number("exposed", r.gpu(0)["communication_exposed_ns"].toDouble(), 1.6e6)});
            }},
        {"28_spinning_collective.json", nullptr,
            [](const Reported& r) { return number("communication", r.gpu(0)["communication_ns"].toDouble(), 1014e6); }},
        {"04_sglang_merged.json", nullptr,
            [](const Reported& r) {
                const Trace trace = r.trace();
                std::size_t right = 0;
                for (Row row = 0; row < trace.operations.size(); ++row) {
                    const auto device = trace.streams[trace.operations.stream[row]].device;
                    right += thread_of(trace, row) == (device == 1 ? 9001U : 9000U);
                }
                return number("kernels at the thread of their own rank", static_cast<double>(right), 20);
            }},
        {"04b_merged_both_gpu0.json", nullptr,
            [](const Reported& r) {
                return all({number("GPUs", r.json["gpu"].toArray().size(), 2),
                    number("busy", r.gpu(0)["busy_ns"].toDouble(), 400e3),
                    number("busy", r.gpu(1)["busy_ns"].toDouble(), 400e3),
                    number("both at once", r.json["overlap_ns"].toDouble(), 30e3)});
            }},
        {"34_correlation_33bit.json", nullptr,
            [](const Reported& r) {
                const Trace trace = r.trace();
                const auto& calls = trace.operations.call;
                return number("kernels with their calls",
                    static_cast<double>(
                        std::count_if(calls.begin(), calls.end(), [](Row row) { return row != no_row; })),
                    5);
            }},
        {"27_ray_timeline.json", nullptr,
            [](const Reported& r) {
                const Trace trace = r.trace();
                std::set<std::uint32_t> processes;
                for (const auto& thread : trace.threads) {
                    processes.insert(thread.process);
                }
                return number("processes", static_cast<double>(processes.size()), 2);
            }},
        {"32_stream_handles_64bit.json", nullptr,
            [](const Reported& r) {
                return all({number("streams", r.gpu(0)["streams"].toArray().size(), 2),
                    number("overlap", r.json["overlap_ns"].toDouble(), 300e3),
                    number("busy", r.json["gpu_busy_ns"].toDouble(), 900e3)});
            }},
        {"06_dur_overflow.json", nullptr,
            [](const Reported& r) {
                const auto lines = r.header.split('\n');
                return std::any_of(lines.begin(), lines.end(),
                           [](const QByteArray& line) { return line.contains("overlap") && line.contains("1.6"); })
                    ? QString()
                    : QStringLiteral("nothing says that kernels of one stream overlap by 1.6 s");
            }},
        {"09d_missing_quote.json", nullptr,
            [](const Reported& r) {
                return all({number("add", r.range("add")["count"].toDouble(), 2), says(r, "damaged events (1)")});
            }},
        {"22b_two_ranks_appended_in_turn.json", nullptr,
            [](const Reported& r) {
                const double kernels = r.count("kernels");  // 232 are whole; the times of two are damaged
                return all({kernels < 230 || kernels > 232 ? number("kernels", kernels, 232) : QString(),
                    says(r, "damaged events")});
            }},
        {"38_bad_escapes.json", nullptr,
            [](const Reported& r) { return number("f(\\'x\\')", r.range("f(\\'x\\')")["count"].toDouble(), 1); }},
        {"10h_two_documents.json", nullptr,
            [](const Reported& r) {
                return all({number("kernels", r.count("kernels"), 299), says(r, "after the end")});
            }},
        {"10e_trace.json.tar.gz", "tar -x"},
        {"13_trt_exportTimes.json", "13_trt_exportTimes.json"},
        {"39_nested_traceEvents.json", "\"traceEvents\" is"},
        {"24_rocpd_results.db", "rocprof"},
        {"12_ort_cuda.json", nullptr,
            [](const Reported& r) {
                return all({number("busy", r.json["gpu_busy_ns"].toDouble(), 3e6),
                    r.header.contains("PyTorch") ? QStringLiteral("it is called a trace of PyTorch") : QString()});
            }},
        {"14_jax.trace.json.gz", nullptr,
            [](const Reported& r) {
                return r.text.contains("  XLA Ops (") ? QStringLiteral("XLA Ops is a CPU thread") : QString();
            }},
        {"15_xpu_kineto.json", nullptr,
            [](const Reported& r) {
                return all({number("H2D", r.gpu(0)["h2d_ns"].toDouble(), 60e3),
                    number("D2H", r.gpu(0)["d2h_ns"].toDouble(), 60e3),
                    number("D2D", r.gpu(0)["d2d_ns"].toDouble(), 0)});
            }},
        {"20b_nsys_nvtx_v3.sqlite", nullptr,
            [](const Reported& r) { return number("step", r.range("step")["count"].toDouble(), 10); }},
        {"steady-without-work.json", nullptr,
            [](const Reported& r) {
                if (r.json["steady"].isNull()) {
                    return QString();
                }
                const QJsonArray part = r.json["steady"].toObject()["range_ns"].toArray();
                const Trace trace = r.trace();
                const auto& starts = trace.operations.start;
                const auto inside = std::count_if(starts.begin(), starts.end(),
                    [&](Ns start) { return start >= part[0].toDouble() && start < part[1].toDouble(); });
                return 2 * inside >= static_cast<std::ptrdiff_t>(starts.size())
                    ? QString()
                    : QStringLiteral("the part that repeats holds %1 of %2 operations").arg(inside).arg(starts.size());
            }},
        {"launches-without-kernels.json", nullptr,
            [](const Reported& r) {
                return r.json["gpu_busy_ns"].isNull() ? QString() : QStringLiteral("busy is a number, and not unknown");
            }},
        {"nvprof.nvvp", "nvprof"},
        {"one-engine-4060ti.sqlite", nullptr,
            [](const Reported& r) {
                const double busiest = r.json["best"].toObject()["busiest_ns"].toDouble();
                const auto unknown = r.json["starts"].toObject()["unknown"].toObject()["count"].toDouble();
                // Its waits for events cost less than 1 %: the CPU sets the pace.
                const auto waits = r.named("findings", "rule", "blocked-event_sync")["cost_ns"].toDouble();
                return all({number("busiest, tenths of ms", std::round(busiest / 1e5), 916),
                    number("starts unknown", unknown, 0), number("waits for events", waits, 0)});
            }},
        {"one-engine.sqlite", nullptr,
            [](const Reported& r) {
                const auto outcome = lanes_with({"whatif", r.path, "--json=full"}, {}, most_ms);
                const QJsonObject json = QJsonDocument::fromJson(outcome.out).object();
                const double recorded = json["measured_total_ns"].toDouble();
                if (outcome.status != 0 || recorded <= 0) {
                    return QStringLiteral("whatif does not answer");
                }
                // Copies can be hidden by kernels, but not copies of one direction by copies of the other.
                const double copies = r.gpu(0)["h2d_ns"].toDouble() + r.gpu(0)["d2h_ns"].toDouble();
                for (const QJsonValue change : json["changes"].toArray()) {
                    const double predicted = change.toObject()["predicted_total_ns"].toDouble();
                    if (predicted < copies) {
                        return QStringLiteral("%1 is said to take %2 ns of %3")
                            .arg(change.toObject()["change"].toString())
                            .arg(predicted)
                            .arg(recorded);
                    }
                }
                return QString();
            }},
        {"uvm.sqlite", nullptr,
            [](const Reported& r) {
                return all(
                    {number("busy", r.json["gpu_busy_ns"].toDouble(), 9.99e6), says(r, "igrations of unified memory")});
            }},
        {"no-ph.json", "no-ph.json"},
    };
    return rows;
}

/// Processor seconds of child processes that have ended.
double seconds_of_children()
{
    rusage usage {};
    getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

Outcome rendered(const QString& file, const QString& picture)
{
    QProcess process;
    auto variables = QProcessEnvironment::systemEnvironment();
    variables.insert("LANES_RESOURCES", qEnvironmentVariable("LANES_SOURCE") + "/resources");
    variables.insert("QT_QPA_PLATFORM", "offscreen");
    process.setProcessEnvironment(variables);
    process.start(qEnvironmentVariable("LANES_BUILD") + "/bin/lanescope", {"render", file, "-o", picture});
    if (!process.waitForFinished(most_ms) || process.exitStatus() != QProcess::NormalExit) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

}  // namespace

class tst_PublicReports : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyFileHasItsRow();
    void reported_data();
    void reported();
    void pictured_data();
    void pictured();
    void aPictureTooHighIsRefusedAtOnce();

private:
    QTemporaryDir m_folder;
};

void tst_PublicReports::initTestCase()
{
    if (!QDir(folder()).exists()) {
        QSKIP("the folder of public reports is not here");
    }
    QVERIFY2(QFile::exists(qEnvironmentVariable("LANES_BUILD") + "/bin/lanes"), "build the target lanes first");
}

void tst_PublicReports::everyFileHasItsRow()
{
    for (const QString& file : QDir(folder()).entryList(QDir::Files)) {
        const bool isInput = !file.endsWith(".md") && !file.endsWith(".py");
        const bool known = std::any_of(
            reports().begin(), reports().end(), [&](const FileRow& each) { return file == QLatin1String(each.file); });
        QVERIFY2(known || !isInput, qPrintable(file + " is not tried"));
    }
}

void tst_PublicReports::reported_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < reports().size(); ++i) {
        QTest::newRow(reports()[i].file) << static_cast<int>(i);
    }
}

void tst_PublicReports::reported()
{
    QFETCH(int, index);
    const FileRow& row = reports()[static_cast<std::size_t>(index)];
    const QString path = folder() + '/' + QLatin1String(row.file);
    const auto json = lanes_with({"report", path, "--json=full"}, {}, most_ms);
    const auto text = lanes_with({"report", path, "--lang", "en"}, {}, most_ms);
    QVERIFY2(
        json.status == (row.refused == nullptr ? 0 : 2), json.status < 0 ? "it does not end" : json.err.constData());
    QCOMPARE(text.status, json.status);
    if (row.refused != nullptr) {
        QVERIFY2(json.err.contains(row.refused), json.err.constData());
        QCOMPARE(json.err.count('\n'), 1);
        QCOMPARE(json.out, QByteArray());
        return;
    }
    const Reported found {
        path, text.out, text.out.left(text.out.indexOf("\nWall time")), QJsonDocument::fromJson(json.out).object()};
    QVERIFY(!found.json.isEmpty());
    const QString wrong = row.right(found);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void tst_PublicReports::pictured_data()
{
    reported_data();
}

/// `lanescope render` of the same file ends, with a picture or with the same refusal.
void tst_PublicReports::pictured()
{
    if (!QFile::exists(qEnvironmentVariable("LANES_BUILD") + "/bin/lanescope")) {
        QSKIP("there is no lanescope in this build");
    }
    QFETCH(int, index);
    const FileRow& row = reports()[static_cast<std::size_t>(index)];
    const QString picture = m_folder.filePath(QLatin1String(row.file) + QLatin1String(".svg"));
    const auto outcome = rendered(folder() + '/' + QLatin1String(row.file), picture);
    QVERIFY2(outcome.status == (row.refused == nullptr ? 0 : 2),
        outcome.status < 0 ? "it does not end" : outcome.err.constData());
    QCOMPARE(QFile::exists(picture), row.refused == nullptr);
    QVERIFY2(row.refused == nullptr || outcome.err.contains(row.refused), outcome.err.constData());
}

void tst_PublicReports::aPictureTooHighIsRefusedAtOnce()
{
    if (!QFile::exists(qEnvironmentVariable("LANES_BUILD") + "/bin/lanescope")) {
        QSKIP("there is no lanescope in this build");
    }
    const QString file = m_folder.filePath("many-streams.json");
    QFile json(file);
    QVERIFY(json.open(QIODevice::WriteOnly));
    json.write("{\"traceEvents\":[");
    constexpr int streams = 50'000;
    for (int i = 0; i < streams; ++i) {
        json.write(
            QStringLiteral("%1{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":%2,\"ts\":%3,\"dur\":5,"
                           "\"args\":{\"device\":0,\"stream\":%2,\"correlation\":%4}}")
                .arg(i == 0 ? "" : ",")
                .arg(7 + i)
                .arg(i)
                .arg(i + 1)
                .toUtf8());
    }
    json.write("]}");
    json.close();
    const double before = seconds_of_children();
    const auto outcome = rendered(file, m_folder.filePath("many.png"));
    const double took = seconds_of_children() - before;
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.contains("expected at most"), outcome.err.constData());
    QVERIFY2(took < 8 * slower, qPrintable(QStringLiteral("%1 s of processor time").arg(took)));
}

QTEST_GUILESS_MAIN(tst_PublicReports)
#include "tst_public_reports.moc"
