// SPDX-License-Identifier: MIT
#include "probes/cupti/find_cupti.h"

#include <dlfcn.h>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/wait.h>
#include <unistd.h>

using namespace lanes;

namespace {

QString double_of(const char* folder)
{
    return QString::fromLocal8Bit(qgetenv("LANES_BUILD")) + "/tests/doubles/" + folder;
}

}  // namespace

/// Each search runs in a separate process, since a loaded library decides all later searches.
class tst_FindCupti : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void judgesVersions_data();
    void judgesVersions();
    void takesTheLoadedOne();
    void refusesTheLoadedOneOfAnotherMajor();
    void takesTheNamedOne();
    void aNamedOneThatIsBrokenIsNotPassedOver();
    void passesOverABrokenOneBesideIt();
    void looksInTheLibraryFolder();
    void looksInTheToolkit_data();
    void looksInTheToolkit();
    void warnsOfANewerMajor();
    void saysThatThereIsNone();
    void knowsTheRealOne();

private:
    struct Answer {
        int verdict = -1;
        QString place, path, note;
        uint version = 0;
    };
    /// The answer of a fresh process after `before` was loaded (if any).
    Answer ask(const QString& beside, const QString& before = {});
    static bool anyInTheSystem();
    QTemporaryDir m_empty;
};

void tst_FindCupti::initTestCase()
{
    QVERIFY(QFile::exists(double_of("130001") + "/libcupti.so.13"));
}

void tst_FindCupti::init()
{
    qunsetenv("LANES_CUPTI");
    qunsetenv("CUDA_HOME");
}

tst_FindCupti::Answer tst_FindCupti::ask(const QString& beside, const QString& before)
{
    int ends[2];
    if (::pipe(ends) != 0) {
        return {};
    }
    const pid_t child = ::fork();
    if (child == 0) {
        if (!before.isEmpty() && ::dlopen(qPrintable(before), RTLD_NOW) == nullptr) {
            ::_exit(1);
        }
        const auto found = find_cupti(beside.toStdString());
        const auto line = std::to_string(found.verdict) + "\n" + std::to_string(found.version) + "\n" + found.place
            + "\n" + found.path + "\n" + found.note + "\n";
        const bool sound = found.usable() == (found.handle != nullptr);
        ::_exit(sound && ::write(ends[1], line.data(), line.size()) == static_cast<ssize_t>(line.size()) ? 0 : 1);
    }
    ::close(ends[1]);
    QFile reading;
    if (!reading.open(ends[0], QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
        return {};
    }
    const auto lines = QString::fromUtf8(reading.readAll()).split('\n');
    int status = -1;
    ::waitpid(child, &status, 0);
    if (status != 0 || lines.size() < 5) {
        return {};
    }
    return {lines[0].toInt(), lines[2], lines[3], lines[4], lines[1].toUInt()};
}

bool tst_FindCupti::anyInTheSystem()
{
    return !QDir("/usr/local").entryList({"cuda*"}).isEmpty()
        || QFile::exists("/usr/lib/x86_64-linux-gnu/libcupti.so.13");
}

void tst_FindCupti::judgesVersions_data()
{
    QTest::addColumn<uint>("version");
    QTest::addColumn<int>("verdict");
    QTest::newRow("12.9") << 27U << int(CuptiLibrary::refused);
    QTest::newRow("13.0") << 130000U << int(CuptiLibrary::refused);
    QTest::newRow("13.0 Update 1") << 130001U << int(CuptiLibrary::good);
    QTest::newRow("13.4") << 130401U << int(CuptiLibrary::good);
    QTest::newRow("14.0") << 140000U << int(CuptiLibrary::untested);
}

void tst_FindCupti::judgesVersions()
{
    QFETCH(uint, version);
    QFETCH(int, verdict);
    std::string note;
    QCOMPARE(int(verdict_on_cupti(version, note)), verdict);
    QCOMPARE(note.empty(), verdict == CuptiLibrary::good);
    QVERIFY(note.empty() || note.find(std::to_string(version)) != std::string::npos);
}

void tst_FindCupti::takesTheLoadedOne()
{
    // Loaded from a folder that no rule names, while another is beside.
    qputenv("LANES_CUPTI", double_of("140000").toLocal8Bit() + "/libcupti.so.13");
    const auto answer = ask(double_of("130000"), double_of("130001") + "/libcupti.so.13");
    QCOMPARE(answer.verdict, int(CuptiLibrary::good));
    QCOMPARE(answer.place, QString("already loaded"));
    QCOMPARE(answer.path, QFileInfo(double_of("130001") + "/libcupti.so.13").canonicalFilePath());
    QCOMPARE(answer.version, 130001U);
}

void tst_FindCupti::refusesTheLoadedOneOfAnotherMajor()
{
    const auto answer = ask(double_of("130001"), double_of("cuda_12") + "/libcupti.so.12");
    QCOMPARE(answer.verdict, int(CuptiLibrary::refused));
    QCOMPARE(answer.place, QString("already loaded"));
    QVERIFY2(answer.note.contains("libcupti.so.12"), qPrintable(answer.note));
}

void tst_FindCupti::takesTheNamedOne()
{
    qputenv("LANES_CUPTI", double_of("130001").toLocal8Bit() + "/libcupti.so.13");
    const auto answer = ask(double_of("140000"));
    QCOMPARE(answer.verdict, int(CuptiLibrary::good));
    QCOMPARE(answer.place, QString("$LANES_CUPTI"));
}

void tst_FindCupti::aNamedOneThatIsBrokenIsNotPassedOver()
{
    qputenv("LANES_CUPTI", double_of("130000").toLocal8Bit() + "/libcupti.so.13");
    auto answer = ask(double_of("130001"));
    QCOMPARE(answer.verdict, int(CuptiLibrary::refused));
    QCOMPARE(answer.version, 130000U);
    QVERIFY2(answer.note.contains("130001"), qPrintable(answer.note));
    qputenv("LANES_CUPTI", "/no/such/file");
    answer = ask(double_of("130001"));
    QCOMPARE(answer.verdict, int(CuptiLibrary::absent));
    QVERIFY2(answer.note.contains("/no/such/file"), qPrintable(answer.note));
}

void tst_FindCupti::passesOverABrokenOneBesideIt()
{
    const QTemporaryDir home;
    QVERIFY(QDir(home.path()).mkpath("lib64"));
    QVERIFY(QFile::copy(double_of("130001") + "/libcupti.so.13", home.filePath("lib64/libcupti.so.13")));
    qputenv("CUDA_HOME", home.path().toLocal8Bit());
    const auto answer = ask(double_of("130000"));
    QCOMPARE(answer.verdict, int(CuptiLibrary::good));
    QCOMPARE(answer.place, QString("$CUDA_HOME"));
}

void tst_FindCupti::looksInTheLibraryFolder()
{
    const QTemporaryDir archive;
    QVERIFY(QDir(archive.path()).mkpath("bin") && QDir(archive.path()).mkpath("lib"));
    QVERIFY(QFile::copy(double_of("130001") + "/libcupti.so.13", archive.filePath("lib/libcupti.so.13")));
    const auto answer = ask(archive.filePath("bin"));
    QCOMPARE(answer.verdict, int(CuptiLibrary::good));
    QCOMPARE(answer.place, QString("beside lanes"));
}

void tst_FindCupti::looksInTheToolkit_data()
{
    QTest::addColumn<QString>("folder");
    QTest::newRow("installer") << "extras/CUPTI/lib64";
    QTest::newRow("lib64") << "lib64";
    QTest::newRow("wheel") << "lib";
}

void tst_FindCupti::looksInTheToolkit()
{
    QFETCH(QString, folder);
    const QTemporaryDir home;
    QVERIFY(QDir(home.path()).mkpath(folder));
    QVERIFY(QFile::copy(double_of("130001") + "/libcupti.so.13", home.filePath(folder + "/libcupti.so.13")));
    qputenv("CUDA_HOME", home.path().toLocal8Bit());
    QCOMPARE(ask(m_empty.path()).place, QString("$CUDA_HOME"));
}

void tst_FindCupti::warnsOfANewerMajor()
{
    const auto answer = ask(double_of("140000"));
    QCOMPARE(answer.verdict, int(CuptiLibrary::untested));
    QVERIFY2(answer.note.contains("14.0"), qPrintable(answer.note));
}

void tst_FindCupti::saysThatThereIsNone()
{
    if (anyInTheSystem()) {
        QSKIP("there is a CUDA toolkit on this machine");
    }
    const auto answer = ask(m_empty.path());
    QCOMPARE(answer.verdict, int(CuptiLibrary::absent));
    QVERIFY2(answer.note.contains("LANES_CUPTI"), qPrintable(answer.note));
}

void tst_FindCupti::knowsTheRealOne()
{
    const auto answer = ask(m_empty.path());
    if (answer.verdict == CuptiLibrary::absent) {
        QSKIP("no CUPTI on this machine");
    }
    QVERIFY2(answer.version >= 130000, qPrintable(answer.path));
    QCOMPARE(answer.verdict,
        int(answer.version == 130000       ? CuptiLibrary::refused
                : answer.version >= 140000 ? CuptiLibrary::untested
                                           : CuptiLibrary::good));
    QVERIFY(QFile::exists(answer.path));
}

QTEST_GUILESS_MAIN(tst_FindCupti)
#include "tst_find_cupti.moc"
