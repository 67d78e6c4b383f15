// SPDX-License-Identifier: MIT
// A controller without its window: the rows that it adds to the table, and what they do.
#include "engine/store/recording_file.h"
#include "gui/app/controllers/files.h"
#include "gui/app/pages/notice_bar.h"
#include "gui/session/workspace.h"
#include "tests/gui/panels/model_recording.h"

#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_files : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_a = m_folder.filePath(QStringLiteral("a.sqlite")), m_b = m_folder.filePath(QStringLiteral("b.sqlite"));
    Workspace m_workspace;
    JobQueue m_jobs;
    QWidget m_window;
    NoticeBar* m_notice = new NoticeBar(&m_window);
    Files* m_files = new Files(&m_workspace, &m_jobs, m_notice, &m_window);
    CommandTable m_table;

    bool can(const char* id) const { return m_table.find(id)->enabled(); }

private slots:
    void initTestCase();
    void opensSavesAndCloses();
    void whatCannotBeReadIsSaid();
    void keepsTheListOfWhatWasOpened();
};

void tst_files::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("lanescope-test"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_files"));
    save_recording(*modelRecording("blocking")->trace, m_a.toStdString());
    save_recording(*modelRecording("overlapped")->trace, m_b.toStdString());
    m_files->addOpening(m_table);
    m_files->addClosing(m_table);
}

void tst_files::opensSavesAndCloses()
{
    QSignalSpy first(m_files, &Files::firstOpened);
    QVERIFY(can("file.open") && !can("file.save-a") && !can("file.reload") && !can("file.close-a"));
    m_files->open({m_a});
    QVERIFY(!can("file.open"));  // one thing at a time
    QTRY_VERIFY(m_workspace.count() == 1 && can("file.save-a") && !can("file.save-b"));
    m_files->open({m_b});
    QTRY_VERIFY(m_workspace.count() == 2 && can("file.save-b"));
    QCOMPARE(first.count(), 1);
    m_table.find("file.close-a")->run();
    QCOMPARE(m_workspace.at(0)->path, m_b);
    QVERIFY(can("file.close-a") && !can("file.close-b"));
    const OpenRecordingPtr before = m_workspace.at(0);
    m_table.find("file.reload")->run();
    QTRY_VERIFY(m_workspace.at(0) != before);
    QTRY_VERIFY(!m_jobs.busy());
    m_table.find("file.close-a")->run();
    QCOMPARE(m_workspace.count(), 0);
}

void tst_files::whatCannotBeReadIsSaid()
{
    m_files->open({m_folder.filePath(QStringLiteral("gone.sqlite"))});
    QTRY_VERIFY(m_notice->text().contains(QStringLiteral("gone.sqlite")));
    QCOMPARE(m_workspace.count(), 0);
    QSignalSpy workload(m_files, &Files::workloadWanted);
    m_files->open({QStringLiteral("mine.yaml")});
    QCOMPARE(workload.count(), 1);
}

void tst_files::keepsTheListOfWhatWasOpened()
{
    QCOMPARE(m_files->recent(), (QStringList {m_b, m_a}));
    QSettings settings;
    m_files->remember(settings);
    QVERIFY(QFile::remove(m_b));
    m_files->openRecent(m_b);
    QVERIFY(m_notice->text().contains(QStringLiteral("b.sqlite")));
    QCOMPARE(m_files->recent(), QStringList {m_a});
    m_files->restore(settings);
    QCOMPARE(m_files->recent().size(), 2);
}

QTEST_MAIN(tst_files)
#include "tst_files.moc"
