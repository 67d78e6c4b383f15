// Over the lanes: the annotations, as pictures have them.

/** Where a spot of an annotation lies; null where its lane is not shown. */
function spotOf(recording, plot, [time, lane, height]) {
  const last = recording.places[recording.places.length - 1];
  const place = lane < 0 ? {y: 0, height: last.y + last.height} : recording.places.find(each => each.lane === lane);
  return place ? {x: xOf(plot, time), y: place.y + height * place.height, top: place.y, bottom: place.y + place.height} : null;
}

/** Returns the plates: {x, y, width, height, text}. */
function drawAnnotations(context, theme, recording, plot) {
  const right = plot.left + plot.width, plates = [];
  context.save();
  context.beginPath();
  context.rect(plot.left, 0, plot.width, recording.height);
  context.clip();
  context.font = '600 11px Inter, system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.strokeStyle = context.fillStyle = theme.accent;
  context.lineWidth = 1.6;
  const line = (x0, y0, x1, y1) => {
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
  };
  for (const one of recording.annotations) {
    const a = spotOf(recording, plot, one.from), b = spotOf(recording, plot, one.to);
    if (!a || !b || Math.max(a.x, b.x) < plot.left || Math.min(a.x, b.x) > right) continue;
    let text = said(one.text), x = a.x, y = a.y;
    if (one.kind === 'bracket') {
      const time = shownTime(one.to[0] - one.from[0]);
      text = text === '' ? time : `${text}: ${time}`;
      line(a.x, a.y, b.x, b.y);
      for (const end of [a, b]) line(end.x, end.y - 5, end.x, end.y + 5);
      x = (Math.max(Math.min(a.x, b.x), plot.left) + Math.min(Math.max(a.x, b.x), right)) / 2;
      y = (a.y + b.y) / 2;
    } else if (one.kind === 'frame') {
      box(context, Math.min(a.x, b.x), a.top, Math.abs(b.x - a.x), b.bottom - a.top, 3);
      context.stroke();
      y = a.top;
    } else if (one.kind === 'arrow') {
      const length = Math.hypot(b.x - a.x, b.y - a.y), ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
      if (length > 8) {
        line(a.x, a.y, b.x - ux * 8, b.y - uy * 8);
        context.beginPath();
        for (const [back, aside] of [[0, 0], [8, 3.2], [8, -3.2]]) context.lineTo(b.x - ux * back - uy * aside, b.y - uy * back + ux * aside);
        context.fill();
      }
    }
    if (text === '') continue;
    text = elided(context, text, plot.width - 14);
    const width = textWidth(context, text) + 10, height = 16;
    if (one.kind === 'frame') x = Math.min(a.x, b.x) + width / 2;
    if (one.kind === 'bracket' && width + 20 > Math.abs(b.x - a.x)) y -= 5 + height / 2 + 1;
    plates.push({x: Math.round(Math.min(Math.max(x - width / 2, plot.left + 2), Math.max(right - 2 - width, plot.left + 2))),
      y: Math.round(Math.min(Math.max(y - height / 2, 1), recording.height - 1 - height)), width: Math.ceil(width), height, text});
  }
  for (const plate of plates) {  // texts lie over all lines
    context.fillStyle = theme.background;
    context.lineWidth = 1;
    box(context, plate.x + 0.5, plate.y + 0.5, plate.width - 1, plate.height - 1, 3);
    context.fill();
    context.stroke();
    context.fillStyle = theme.text;
    context.fillText(plate.text, plate.x + 5, plate.y + plate.height / 2 + 0.5);
  }
  context.restore();
  return plates;
}
