// SPDX-License-Identifier: MIT
#include "gui/timeline/markup/annotation_hand.h"

#include "gui/timeline/timeline.h"

#include <utility>

namespace lanes::gui {

AnnotationHand::AnnotationHand(Timeline& timeline)
    : m_timeline(timeline)
{
}

void AnnotationHand::begin(std::optional<Annotation::Kind> kind)
{
    if (const List list = all(); kind && list && list->size() >= most_annotations) {
        emit full();
        return;
    }
    if (std::exchange(m_pending, kind) != kind) {
        emit pendingChanged();
    }
}

AnnotationHand::List AnnotationHand::all() const
{
    return m_timeline.model() != nullptr ? m_timeline.model()->recording().annotations : nullptr;
}

std::optional<std::size_t> AnnotationHand::current() const
{
    const List list = all();
    return list && m_current && *m_current < list->size() ? m_current : std::nullopt;
}

void AnnotationHand::choose(std::optional<std::size_t> index)
{
    const bool isOther = std::exchange(m_current, index) != index;
    m_timeline.marks().forget();
    emit chosen();
    if (isOther) {
        emit sketched();
    }
}

void AnnotationHand::forget()
{
    if (std::exchange(m_current, std::nullopt)) {
        emit sketched();
    }
}

std::size_t AnnotationHand::add(const Annotation& annotation)
{
    const List list = all();
    list->push_back(annotation);
    const std::size_t index = list->size() - 1;
    choose(index);
    return index;
}

void AnnotationHand::sketch(std::size_t index, const Annotation& annotation)
{
    if (const List list = all(); list && index < list->size()) {
        (*list)[index] = annotation;
        emit sketched();
    }
}

void AnnotationHand::change(std::size_t index, const Annotation& annotation)
{
    sketch(index, annotation);
    emit changed();
}

void AnnotationHand::edit(std::size_t index)
{
    if (const List list = all(); list && index < list->size()) {
        choose(index);
        emit textWanted(index);
    }
}

void AnnotationHand::answer(const List& list, std::size_t index, const std::optional<QString>& text)
{
    if (index < list->size()) {
        Annotation& one = (*list)[index];
        const bool fresh = one.text.empty();
        if (text) {
            one.text = text->toStdString();
        }
        if (one.kind == Annotation::Kind::text && one.text.empty()) {
            list->erase(list->begin() + static_cast<std::ptrdiff_t>(index));
            if (fresh) {
                emit withdrawn();
            }
        }
    }
    emit sketched();
    emit changed();
}

void AnnotationHand::remove(std::size_t index)
{
    if (const List list = all(); list && index < list->size()) {
        list->erase(list->begin() + static_cast<std::ptrdiff_t>(index));
        m_current.reset();
        emit sketched();
        emit changed();
    }
}

}  // namespace lanes::gui
