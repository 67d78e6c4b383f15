// SPDX-License-Identifier: MIT
// What a query found, or what is wrong with it, beside its QueryField in a row. An error takes what room there is,
// is cut where that is too little, and stands whole in the tooltip.
#pragma once

#include <QLabel>

namespace lanes::gui {

class QueryStatus : public QLabel {
    Q_OBJECT

public:
    explicit QueryStatus(const char* objectName);

    void say(const QString& text, bool wrong);
    /// Whole, however much of it is shown.
    const QString& whole() const { return m_whole; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void cut();

    QString m_whole;
    bool m_wrong = false;
};

}  // namespace lanes::gui
