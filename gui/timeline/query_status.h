// SPDX-License-Identifier: MIT
// What a query found, or what is wrong with it, beside its QueryField in a row. An error is cut where
// there is too little room; the tooltip has all of it.
#pragma once

#include <QLabel>

namespace lanes::gui {

class QueryStatus : public QLabel {
    Q_OBJECT

public:
    explicit QueryStatus(const char* objectName);

    void say(const QString& text, bool wrong);
    /// The whole text, also where it is cut.
    const QString& whole() const { return m_whole; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void cut();

    QString m_whole;
    bool m_wrong = false;
};

}  // namespace lanes::gui
