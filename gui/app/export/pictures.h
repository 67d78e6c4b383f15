// SPDX-License-Identifier: MIT
// Pictures of what the timeline shows: the dialog that writes them, the clipboard, and paper.
#pragma once

#include "gui/app/commands/command_table.h"

#include "gui/export/printed_page.h"

#include <QObject>

#include <functional>
#include <memory>

class QPrinter;

namespace lanes::gui {

class ComparisonView;
class NoticeBar;
struct PictureSource;

class Pictures : public QObject {
    Q_OBJECT
public:
    /// `handout` gives what is printed with the picture, of the lesson that is shown, if one is.
    Pictures(ComparisonView* timeline, NoticeBar* notice, std::function<Handout()> handout);
    ~Pictures() override;

    void addCommands(CommandTable& table);
    /// What the window shows, on paper; the notice says what went wrong.
    void print(QPrinter& printer);

private:
    PictureSource source() const;
    /// Lanes that are still to come would be missing: what the user asked for is done once they are all there.
    void onceIndexed(const std::function<void()>& then);
    static QString waitingText();
    /// What waited, if anything did.
    std::function<void()> waitNoMore();
    void exportShown();
    void copyShown();
    void choosePrinter();

    ComparisonView* m_timeline;
    NoticeBar* m_notice;
    std::function<Handout()> m_handout;
    std::function<void()> m_waiting;  // for the lanes; empty: nothing does
    std::unique_ptr<QPrinter> m_printer;  // as it was set up last
};

}  // namespace lanes::gui
