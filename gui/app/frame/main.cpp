// SPDX-License-Identifier: MIT
// `lanescope`: the window, and `lanescope render`, which makes pictures without one.
#include "engine/analysis/facts/families.h"
#include "engine/input_error.h"
#include "engine/standard_output.h"
#include "gui/app/frame/command_line.h"
#include "gui/app/frame/end_signals.h"
#include "gui/app/frame/language.h"
#include "gui/app/frame/main_window.h"
#include "gui/app/learn/lessons_site.h"
#include "gui/export/render_command.h"
#include "gui/paint/words/printable_text.h"
#include "gui/timeline/worker_pool.h"

#include <QApplication>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <langinfo.h>
#include <memory>
#include <unistd.h>
#include <utility>

namespace {

using namespace lanes::gui;

constexpr int words_wrong = 2;

/// On a machine without a locale Qt would say in four lines that it takes C.UTF-8: it is given that.
void takeUtf8()
{
    std::setlocale(LC_CTYPE, "");
    if (qstrcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        const auto all = qgetenv("LC_ALL");  // goes before LC_CTYPE, and tells the language
        const bool names_none = all == "C" || all == "POSIX";
        qputenv(names_none ? "LC_ALL" : "LC_CTYPE", "C.UTF-8");
    }
}

void nameApplication()
{
    QCoreApplication::setApplicationName(QStringLiteral("lanescope"));
    QCoreApplication::setOrganizationName(QStringLiteral("lanescope"));
    QGuiApplication::setDesktopFileName(QStringLiteral("lanescope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LANES_VERSION));
}

/// The exit status of a command whose text is all that it does.
int print(const QString& text)
{
    std::fputs(qPrintable(text), stdout);
    if (lanes::standard_output_arrived()) {
        return 0;
    }
    std::fputs("lanescope: cannot write to standard output\n", stderr);
    return 1;
}

bool hasDisplay()
{
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || qEnvironmentVariableIsSet("DISPLAY")
        || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
}

/// Whether somebody may read what is printed; a desktop starts programs without.
bool hasTerminal()
{
    return isatty(STDIN_FILENO) != 0 || isatty(STDOUT_FILENO) != 0 || isatty(STDERR_FILENO) != 0;
}

/// On a machine without a session Qt says at every start that it takes another folder than XDG_RUNTIME_DIR, which is
/// nobody's concern.
void leaveOutWhatIsNoMistake(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (!text.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set"))) {
        std::fprintf(stderr, "%s\n", qPrintable(qFormatLogMessage(type, context, text)));
    }
}

/// Qt aborts where it can show no window: what it lacks is said in words of ours, and the status is that of a failure.
void sayWhatTheWindowNeeds(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (type != QtFatalMsg) {
        leaveOutWhatIsNoMistake(type, context, text);
        return;
    }
    std::fprintf(stderr,
        "lanescope: no window can be shown: expected an X server that answers, found DISPLAY=\"%s\"; "
        "under Wayland it is Xwayland that answers; `lanescope render` makes pictures without a display\n",
        qgetenv("DISPLAY").constData());
    std::_Exit(1);
}

/// Takes the user's own rules for families; what is wrong with them, or "".
QString takeOwnFamilies()
{
    try {
        lanes::use_own_families(lanes::own_families_file());
    } catch (const lanes::InputError& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

int render(int argc, char** argv)
{
    if (const QString wrong = takeOwnFamilies(); !wrong.isEmpty()) {
        std::fprintf(stderr, "lanescope render: %s\n", qPrintable(printable(wrong)));
        return words_wrong;
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");  // the same picture with and without a display
    const QApplication application(argc, argv);
    nameApplication();
    return renderCommand(QCoreApplication::arguments().mid(2), speak, writeLessonsSite);
}

/// The window; a change of language makes it anew, with the recordings that were open.
class Windows {
public:
    void show(const QString& language)
    {
        speak(language);
        if (m_window) {
            m_window->remember();
        }
        auto window = std::make_unique<MainWindow>();
        QObject::connect(
            window.get(), &MainWindow::languageChanged, qApp, [this](const QString& next) { change(next); },
            Qt::QueuedConnection);
        window->show();  // before the old one closes: the last window's end is the program's
        if (m_window) {
            window->continueFrom(*m_window);
        }
        m_window.swap(window);
    }
    MainWindow& window() { return *m_window; }

private:
    void change(const QString& language)
    {
        if (!std::exchange(m_next, language).isEmpty()) {
            return;  // it waits already, and takes this one
        }
        QApplication::setOverrideCursor(Qt::BusyCursor);
        onceWorkersRest(qApp, [this] {
            QApplication::restoreOverrideCursor();
            show(std::exchange(m_next, {}));
        });
    }

    QString m_next;  ///< the language to come, once no worker reads texts; "": the present one stays
    std::unique_ptr<MainWindow> m_window;
};

/// The status of the program. What would be lost is written down also where a signal ends it; that is in `signal` then.
int showWindow(int argc, char** argv, const CommandLine& line, int& signal)
{
    qInstallMessageHandler(sayWhatTheWindowNeeds);
    QApplication application(argc, argv);
    qInstallMessageHandler(leaveOutWhatIsNoMistake);
    QApplication::setQuitOnLastWindowClosed(true);
    const EndSignals signals_of_end;
    const QString wrongFamilies = takeOwnFamilies();
    Windows windows;
    windows.show(chosenLanguage(line.language));
    if (!wrongFamilies.isEmpty()) {
        windows.window().showError(wrongFamilies);
    }
    QObject::connect(&signals_of_end, &EndSignals::came, &application, [&windows] {
        windows.window().endUnasked();
        QCoreApplication::exit();
    });
    if (line.what == CommandLine::What::error) {  // once more, in the language of the window
        windows.window().showError(readCommandLine(QCoreApplication::arguments().mid(1)).error);
    } else if (line.ranks) {
        windows.window().openRanks(line.files);
    } else {
        windows.window().openFiles(line.files);
        windows.window().showRowOnceOpen(line.row);
    }
    const int status = QApplication::exec();
    signal = signals_of_end.received();
    return status;
}

}  // namespace

int main(int argc, char** argv)
{
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no further is an error to tell, not the end
    takeUtf8();
    qInstallMessageHandler(leaveOutWhatIsNoMistake);
    if (argc > 1 && qstrcmp(argv[1], "render") == 0) {
        return render(argc, argv);
    }
    CommandLine line;
    {
        const QCoreApplication words(argc, argv);
        nameApplication();
        line = readCommandLine(QCoreApplication::arguments().mid(1));
    }
    switch (line.what) {
    case CommandLine::What::help:
        return print(helpText());
    case CommandLine::What::version:
        return print(QStringLiteral("lanescope " LANES_VERSION "\n"));
    case CommandLine::What::error:
        std::fprintf(stderr, "lanescope: %s\n", qPrintable(printable(line.error)));
        if (!opensWindowAllTheSame(line, hasTerminal(), hasDisplay())) {
            return words_wrong;
        }
        break;
    case CommandLine::What::window:
        break;
    }
    if (!hasDisplay()) {
        std::fputs("lanescope: there is no display; `lanescope render` makes pictures without one\n", stderr);
        return 1;
    }
    int signal = 0;
    const int status = showWindow(argc, argv, line, signal);
    if (signal != 0) {
        endOf(signal);
    }
    return status;
}
