// SPDX-License-Identifier: MIT
// What a query found, or what is wrong with it, beside its QueryField in a row. An error takes as many lines as it
// needs.
#pragma once

#include <QLabel>

namespace lanes::gui {

class QueryStatus : public QLabel {
    Q_OBJECT

public:
    explicit QueryStatus(const char* objectName);

    void say(const QString& text, bool wrong);

private:
    bool m_wrong = false;
};

}  // namespace lanes::gui
