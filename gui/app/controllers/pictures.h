// SPDX-License-Identifier: MIT
// Pictures of what the timeline shows: the dialog that writes them, and the clipboard.
#pragma once

#include "gui/app/commands/command_table.h"

#include <QObject>

namespace lanes::gui {

class ComparisonView;
class NoticeBar;
struct PictureSource;

class Pictures : public QObject {
    Q_OBJECT
public:
    Pictures(ComparisonView* timeline, NoticeBar* notice);

    void addCommands(CommandTable& table);

private:
    PictureSource source() const;
    void exportShown();
    void copyShown();

    ComparisonView* m_timeline;
    NoticeBar* m_notice;
};

}  // namespace lanes::gui
