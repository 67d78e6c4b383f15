// SPDX-License-Identifier: MIT
// What tests of the whole window begin with: two recordings on disk, their own
// settings, and a window on the (offscreen) screen.
#pragma once

#include "engine/store/recording_file.h"
#include "gui/app/frame/language.h"
#include "gui/app/frame/main_window.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/open/place_dialog.h"
#include "tests/gui/panels/model_recording.h"

#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace lanes::gui {

class WindowCase : public QObject {
protected:
    QTemporaryDir m_folder;
    QString m_a = m_folder.filePath(QStringLiteral("a.sqlite")), m_b = m_folder.filePath(QStringLiteral("b.sqlite"));

    /// Before the first test: settings under the test's own name, resources of the source tree, no lanes to run.
    void prepare() const
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("lanescope-test"));
        QCoreApplication::setApplicationName(QLatin1String(metaObject()->className()));
        qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources");
        qputenv("LANES_PROGRAM", "/no/such/lanes");
        save_recording(*modelRecording("blocking")->trace, m_a.toStdString());
        save_recording(*modelRecording("overlapped")->trace, m_b.toStdString());
    }
    /// Before each test: as after installation.
    static void startAfresh()
    {
        QSettings().clear();
        speak(QStringLiteral("en"));
    }
    static std::unique_ptr<MainWindow> window()
    {
        auto made = std::make_unique<MainWindow>();
        made->resize(1400, 900);
        made->show();
        [&] { QVERIFY(QTest::qWaitForWindowActive(made.get())); }();
        return made;
    }
    static QString notice(MainWindow& window) { return window.findChild<NoticeBar*>()->text(); }
    /// A further file is open and asks where; the button is pressed.
    static void answer(MainWindow& window, const char* button)
    {
        QTRY_VERIFY(window.findChild<PlaceDialog*>() != nullptr);
        window.findChild<PlaceDialog*>()->findChild<QPushButton*>(QLatin1String(button))->click();
        QTRY_VERIFY(window.findChild<PlaceDialog*>() == nullptr);
        window.activateWindow();  // no window manager does it here
        QVERIFY(QTest::qWaitForWindowActive(&window));
    }
    static QPushButton* button(MainWindow& window, const char* name)
    {
        return window.findChild<QPushButton*>(QLatin1String(name));
    }
};

}  // namespace lanes::gui
