// SPDX-License-Identifier: MIT
// Any bytes as a session: one that is written and read as the same, or a WorkloadError on one line; nothing else. Its
// recordings a.sqlite and b.sqlite are there, and are not opened.
#include "engine/workload/workload.h"
#include "gui/app/open/session_file.h"
#include "tests/fuzz/heap_peak.h"

#include <cstdint>
#include <cstdlib>
#include <QFile>
#include <QTemporaryDir>
#include <string>

namespace {

QString folder()
{
    static const QTemporaryDir made(QStringLiteral("/dev/shm/lanes-fuzz-session-XXXXXX"));
    for (const char* name : {"a.sqlite", "b.sqlite"}) {
        if (QFile file(made.filePath(QLatin1String(name))); !file.exists() && !file.open(QIODevice::WriteOnly)) {
            std::abort();
        }
    }
    return made.path();
}

lanes::gui::Session read(const std::string& text, const char* name)
{
    const QString path = folder() + QLatin1String(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)
        || file.write(text.data(), static_cast<qint64>(text.size())) != static_cast<qint64>(text.size())) {
        std::abort();
    }
    file.close();
    return lanes::gui::readSession(path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const QString beside = folder();
    const lanes::HeapPeak heap(size, std::size_t {64} << 20U);
    try {
        const auto session = read({reinterpret_cast<const char*>(data), size}, "/fuzz.lanescope");
        const std::string written = lanes::gui::sessionText(session, beside);
        try {
            if (lanes::gui::sessionText(read(written, "/again.lanescope"), beside) != written) {
                std::abort();
            }
        } catch (const lanes::WorkloadError&) {
            std::abort();  // what is written is read
        }
    } catch (const lanes::WorkloadError& error) {
        if (std::string(error.what()).find('\n') != std::string::npos) {
            std::abort();
        }
    }
    return 0;
}
