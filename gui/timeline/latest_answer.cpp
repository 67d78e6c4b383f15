// SPDX-License-Identifier: MIT
#include "gui/timeline/latest_answer.h"

#include <QCoreApplication>

#include <new>

namespace lanes::gui {

namespace {

struct LatestAnswerTexts {
    Q_DECLARE_TR_FUNCTIONS(LatestAnswer)
};

}  // namespace

QString problemOf(const std::exception_ptr& failure)
{
    try {
        std::rethrow_exception(failure);
    } catch (const std::bad_alloc&) {
        return LatestAnswerTexts::tr("There is not enough memory for it.");
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    } catch (...) {
        return LatestAnswerTexts::tr("It failed for an unknown reason.");
    }
}

}  // namespace lanes::gui
