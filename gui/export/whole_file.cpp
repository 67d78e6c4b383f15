// SPDX-License-Identifier: MIT
#include "gui/export/whole_file.h"

#include "engine/store/atomic_file.h"
#include "engine/store/recording_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <cerrno>
#include <system_error>

namespace lanes::gui {

namespace {

struct WholeFileTexts {
    Q_DECLARE_TR_FUNCTIONS(WholeFile)
};

}  // namespace

QString notWritten(const QString& path, const QString& why)
{
    return WholeFileTexts::tr("%1 cannot be written: %2").arg(QDir::toNativeSeparators(path), why);
}

QString saveWhole(const QString& path, const QByteArray& bytes)
{
    try {
        AtomicFile file(QFile::encodeName(path).toStdString());
        QFile out(QFile::decodeName(file.beside().c_str()));
        errno = 0;
        if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.flush()) {
            return notWritten(path, errno != 0 ? qt_error_string(errno) : out.errorString());
        }
        out.close();
        file.commit();
    } catch (const std::system_error& error) {
        return notWritten(path, QString::fromLocal8Bit(error.code().message().c_str()));
    } catch (const StoreError& error) {
        return notWritten(path, QString::fromUtf8(error.what()));
    }
    return {};
}

}  // namespace lanes::gui
