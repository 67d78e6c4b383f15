// SPDX-License-Identifier: MIT
// Keeps with each file whether its kernels have the colours of their families, where the user turned that round. A file
// opened beside another is shown as that one.
#pragma once

#include <QObject>

namespace lanes::gui {

class ComparisonView;
class Workspace;

class ColourMemory : public QObject {
public:
    ColourMemory(Workspace* workspace, ComparisonView* timeline);

private:
    void recall();
    void remember() const;

    Workspace* m_workspace;
    ComparisonView* m_timeline;
};

}  // namespace lanes::gui
