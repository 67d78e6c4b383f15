// SPDX-License-Identifier: MIT
#include "gui/app/learn/card_pictures.h"

#include "engine/store/recording_file.h"
#include "gui/app/frame/resource_folder.h"
#include "gui/app/learn/lesson.h"
#include "gui/app/run/model_job.h"
#include "gui/paint/timeline_painter.h"
#include "gui/paint/words/printable_text.h"
#include "gui/timeline/worker_pool.h"

#include <QCoreApplication>

#include <atomic>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double room_behind = 1.02;  // of the time, after the longest

/// The one of the program, while there is an application.
std::unique_ptr<CardPictures>& theOne()
{
    static std::unique_ptr<CardPictures> one;
    return one;
}

std::string keyOf(const Workload& workload)
{
    return workload.file + '\n' + std::to_string(std::hash<std::string>()(workload.source));
}

QString deviceOf(const Trace& trace)
{
    return trace.devices.empty() ? QString() : nameText(trace.text(trace.devices.front().name));
}

/// The lanes alone, no text. Where their least height is more than there is, they are drawn smaller.
QImage stripOf(const LaneModel& model, const CardLook& look, const FirstView& shown)
{
    const Theme& theme = Theme::named(look.theme);
    const int height = look.strip.height();
    LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), height);
    const double shrink = std::min(1.0, static_cast<double>(height) / std::max(layout.lanesHeight(), 1));
    FrameGeometry geometry;
    geometry.size
        = {static_cast<int>(std::ceil(look.strip.width() / shrink)), static_cast<int>(std::ceil(height / shrink))};
    geometry.labelWidth = 0;
    geometry.title = geometry.ruler = geometry.note = geometry.pills = geometry.texts = false;
    const double ratio = look.ratio * shrink;
    const int columns = std::max(static_cast<int>(geometry.size.width() * ratio), 1);
    const TimeScale scale = TimeScale::showing(shown.start, shown.end, columns, model.trace().duration);
    layout.lookAt(model.lanes(), {shown.start, shown.end});
    QImage image(QSize(static_cast<int>(std::ceil(look.strip.width() * look.ratio)),
                     static_cast<int>(std::ceil(height * look.ratio))),
        QImage::Format_RGB32);
    image.fill(theme.background);
    TimelinePainter painter;
    painter.paint({model, layout, theme, scale, geometry, ratio, {}, {}}, image);
    image.setDevicePixelRatio(look.ratio);
    return image;
}

}  // namespace

struct CardPictures::Source {
    explicit Source(std::shared_ptr<const Workload> of)
        : workload(std::move(of))
    {
    }
    const std::shared_ptr<const Workload> workload;
    /// Empty until they were read.
    std::vector<std::pair<std::string, std::shared_ptr<const LaneModel>>> variants = {};
    std::atomic<int> newest = 0;  ///< the last that was asked for; those before it need not be drawn

    void read(const Progress& progress)
    {
        const std::vector<std::string> names = lessonVariants(*workload);
        const RunDevice device = lessonDevice(*workload, names);
        decltype(variants) made;
        for (const std::string& variant : names) {
            RecordingPtr recording;
            if (device.kind == RunDevice::Kind::recorded) {
                const QString file = recordedFile(
                    device.argument, QString::fromStdString(workload->name), QString::fromStdString(variant));
                recording = ShownRecording::of(open_recording(file.toStdString(), progress), {}, progress);
            } else {
                recording = runOnModel({workload, {variant, {}}, device, {}, {}}, progress);
            }
            made.emplace_back(variant, std::make_shared<const LaneModel>(std::move(recording)));
        }
        variants = std::move(made);
    }

    CardPicture draw(const CardLook& look) const
    {
        CardPicture picture;
        Ns longest = 1;
        for (const auto& [variant, model] : variants) {
            longest = std::max(longest, model->duration());
            picture.model = picture.model || model->recording().is_model();
            picture.device = deviceOf(model->trace());
        }
        const FirstView shown
            = workload->view.value_or(FirstView {0, static_cast<Ns>(static_cast<double>(longest) * room_behind) + 1});
        for (const auto& [variant, model] : variants) {
            picture.strips.push_back({variant, model->duration(), stripOf(*model, look, shown)});
        }
        return picture;
    }
};

struct CardPictures::Worker {
    WorkerPool pool;
    std::stop_source stop;
};

CardPictures& CardPictures::shared()
{
    auto& one = theOne();
    if (!one) {
        one.reset(new CardPictures);
        qAddPostRoutine([] { theOne().reset(); });
    }
    return *one;
}

CardPictures::CardPictures()
    : m_worker(std::make_unique<Worker>())
{
    m_worker->pool.setMaxThreadCount(1);
    m_worker->pool.setThreadPriority(QThread::LowPriority);
    Theme::named({});  // themes and font are loaded by this thread
    bundledFont(12);
}

CardPictures::~CardPictures()
{
    m_worker->stop.request_stop();
    m_worker->pool.clear();
    m_worker->pool.waitForDone();
}

const CardPicture* CardPictures::find(const std::shared_ptr<const Workload>& workload, const CardLook& look)
{
    const std::string key = keyOf(*workload);
    Card& card = m_cards[key];
    if (card.asked != look) {
        card.asked = look;
        if (!card.source) {
            card.source = std::make_shared<Source>(workload);
        }
        m_worker->pool.start([this, key, look, source = card.source, number = ++card.source->newest,
                                 stop = m_worker->stop.get_token()] {
            if (number != source->newest) {
                return;
            }
            CardPicture picture;
            try {
                if (source->variants.empty()) {
                    source->read(stop);
                }
                picture = source->draw(look);
            } catch (const Cancelled&) {
                return;
            } catch (const std::exception& error) {
                picture.error = QString::fromUtf8(error.what());
            }
            QMetaObject::invokeMethod(
                this, [this, key, look, made = std::move(picture)] { take(key, look, made); }, Qt::QueuedConnection);
        });
    }
    return card.picture.get();
}

void CardPictures::take(const std::string& key, const CardLook& look, CardPicture picture)
{
    Card& card = m_cards[key];
    if (card.asked == look || !card.picture) {
        card.picture = std::make_unique<CardPicture>(std::move(picture));
        emit ready();
    }
}

}  // namespace lanes::gui
