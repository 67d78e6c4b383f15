// SPDX-License-Identifier: MIT
#include "engine/store/atomic_file.h"
#include "engine/store/recording_file.h"

#include <csignal>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lanes;

namespace {

void write(const std::string& path, const char* text)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0) {
        qFatal("cannot write");
    }
}

QByteArray text_of(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("not there");
}

}  // namespace

class tst_AtomicFile : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void isThereWholeOrNotAtAll();
    void followsLinks_data();
    void followsLinks();
    void circleOfLinks();
    void keepsPermissions_data();
    void keepsPermissions();
    void leavesWhatIsWriteProtected();
    void removesWhatAKilledProcessLeft();
    void leavesWhatAnotherOneWrites();
    void twoAtOnce();

private:
    std::string path(const char* name) const { return m_folder->filePath(name).toStdString(); }
    QStringList files() const
    {
        return QDir(m_folder->path()).entryList(QDir::Files | QDir::System | QDir::Hidden, QDir::Name);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void tst_AtomicFile::isThereWholeOrNotAtAll()
{
    write(path("a.txt"), "old");
    {
        const AtomicFile file(path("a.txt"));
        write(file.beside(), "half");
        QCOMPARE(text_of(path("a.txt")), QByteArray("old"));
    }
    QCOMPARE(text_of(path("a.txt")), QByteArray("old"));
    AtomicFile file(path("a.txt"));
    write(file.beside(), "new");
    file.commit();
    QCOMPARE(text_of(path("a.txt")), QByteArray("new"));
    QCOMPARE(files(), QStringList {"a.txt"});
}

void tst_AtomicFile::followsLinks_data()
{
    QTest::addColumn<QString>("to");
    QTest::newRow("to a file beside") << "real.txt";
    QTest::newRow("to a file elsewhere") << "sub/real.txt";
    QTest::newRow("through another link") << "second";
    QTest::newRow("to nothing yet") << "sub/new.txt";
}

/// As a redirection of a shell does: the link's target is replaced, and the link stays.
void tst_AtomicFile::followsLinks()
{
    QFETCH(QString, to);
    QVERIFY(QDir(m_folder->path()).mkdir("sub"));
    write(path("real.txt"), "old");
    write(path("sub/real.txt"), "old");
    QCOMPARE(::symlink("sub/real.txt", path("second").c_str()), 0);
    QCOMPARE(::symlink(qPrintable(to), path("link").c_str()), 0);
    AtomicFile file(path("link"));
    write(file.beside(), "new");
    file.commit();
    QVERIFY(QFileInfo(QString::fromStdString(path("link"))).isSymLink());
    QVERIFY(QFileInfo(QString::fromStdString(path("second"))).isSymLink());
    QCOMPARE(text_of(path(qPrintable(to))), QByteArray("new"));
}

void tst_AtomicFile::circleOfLinks()
{
    QCOMPARE(::symlink("b", path("a").c_str()), 0);
    QCOMPARE(::symlink("a", path("b").c_str()), 0);
    QVERIFY_THROWS_EXCEPTION(std::system_error, AtomicFile {path("a")});
}

void tst_AtomicFile::keepsPermissions_data()
{
    QTest::addColumn<uint>("old_mode");
    QTest::addColumn<uint>("mask");
    QTest::addColumn<uint>("mode");
    QTest::newRow("a new file") << 0U << 022U << 0644U;
    QTest::newRow("a new file for a group") << 0U << 002U << 0664U;
    QTest::newRow("a new file for its owner") << 0U << 077U << 0600U;
    QTest::newRow("an old file for its owner") << 0600U << 022U << 0600U;
    QTest::newRow("an old file for all") << 0666U << 022U << 0666U;
}

void tst_AtomicFile::keepsPermissions()
{
    QFETCH(uint, old_mode);
    QFETCH(uint, mask);
    QFETCH(uint, mode);
    if (old_mode != 0) {
        write(path("a.txt"), "old");
        QCOMPARE(::chmod(path("a.txt").c_str(), old_mode), 0);
    }
    const auto usual = ::umask(mask);
    {
        AtomicFile file(path("a.txt"));
        struct stat beside { };
        QCOMPARE(::stat(file.beside().c_str(), &beside), 0);
        QCOMPARE(beside.st_mode & 0777U & ~mode, 0U);  // nor may others read an unfinished file
        write(file.beside(), "new");
        file.commit();
    }
    ::umask(usual);
    struct stat status { };
    QCOMPARE(::stat(path("a.txt").c_str(), &status), 0);
    QCOMPARE(status.st_mode & 0777U, mode);
    QCOMPARE(text_of(path("a.txt")), QByteArray("new"));
}

void tst_AtomicFile::leavesWhatIsWriteProtected()
{
    write(path("a.txt"), "old");
    QCOMPARE(::chmod(path("a.txt").c_str(), 0444), 0);
    QCOMPARE(::chmod(m_folder->path().toLocal8Bit().constData(), 0777), 0);
    const auto user = ::geteuid();
    const bool demoted = user == 0 && ::seteuid(65534) == 0;  // root may write every file
    std::string problem;
    try {
        const AtomicFile file(path("a.txt"));
    } catch (const StoreError& error) {
        problem = error.what();
    }
    QVERIFY(!demoted || ::seteuid(user) == 0);
    QCOMPARE(problem, path("a.txt") + ": found a write-protected file, expected one that may be replaced, or nothing");
    QCOMPARE(files(), QStringList {"a.txt"});
}

void tst_AtomicFile::removesWhatAKilledProcessLeft()
{
    const auto child = ::fork();
    if (child == 0) {
        const AtomicFile file(path("a.txt"));
        ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
    write(path("a.txt.partial-1"), "of a process that lives, but without a lock");
    write(path("a.txt.partial-of-mine"), "no leftover");
    write(path("b.txt.partial-77"), "of another file");
    QCOMPARE(files().size(), 4);
    AtomicFile file(path("a.txt"));
    write(file.beside(), "new");
    file.commit();
    QCOMPARE(files(), (QStringList {"a.txt", "a.txt.partial-of-mine", "b.txt.partial-77"}));
}

void tst_AtomicFile::leavesWhatAnotherOneWrites()
{
    int ready[2], done[2];
    QVERIFY(::pipe(ready) == 0 && ::pipe(done) == 0);
    const auto child = ::fork();
    if (child == 0) {
        char byte = 0;
        AtomicFile file(path("a.txt"));
        write(file.beside(), "slow");
        (void)!::write(ready[1], &byte, 1);
        (void)!::read(done[0], &byte, 1);
        file.commit();
        ::_exit(0);
    }
    char byte = 0;
    QCOMPARE(::read(ready[0], &byte, 1), 1);
    {
        AtomicFile file(path("a.txt"));
        write(file.beside(), "quick");
        file.commit();
    }
    QCOMPARE(text_of(path("a.txt")), QByteArray("quick"));
    QCOMPARE(::write(done[1], &byte, 1), 1);
    int status = -1;
    ::waitpid(child, &status, 0);
    QCOMPARE(status, 0);
    QCOMPARE(text_of(path("a.txt")), QByteArray("slow"));
    QCOMPARE(files(), QStringList {"a.txt"});
}

void tst_AtomicFile::twoAtOnce()
{
    AtomicFile a(path("a.txt"));
    AtomicFile b(path("a.txt"));
    QVERIFY(a.beside() != b.beside());
    write(a.beside(), "a");
    write(b.beside(), "b");
    b.commit();
    a.commit();
    QCOMPARE(text_of(path("a.txt")), QByteArray("a"));
}

QTEST_GUILESS_MAIN(tst_AtomicFile)
#include "tst_atomic_file.moc"
