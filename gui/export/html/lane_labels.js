// The column left of the lanes: names, and how busy each lane is in the scope.

/** Width of the lane names; as in pictures, less on a phone. */
function labelWidth(width) {
  return width < 700 ? Math.max(84, Math.round(width * 0.24)) : Math.min(Math.max(Math.floor(width / 6), 196), 250);
}

function drawLabel(context, theme, recording, lane, place, width) {
  const narrow = width < 150;
  const inGpu = lane.under >= 0 && recording.lanes[lane.under].figure === 'busyOfGpu';
  const indent = inGpu ? (narrow ? 10 : 26) : (narrow ? 6 : 14);
  const range = figuresRange(recording);
  const time = laneFigure(recording, lane, range[0], range[1]);
  const values = lane.curve ? curveIn(lane.curve, recording.duration, range[0], range[1]) : null;
  const held = isHeld(lane, range[0], range[1]);
  const shown = held ? lane.rows.filter(row => row.costs).reduce((sum, row) => sum + busyIn(row, range[0], range[1]), 0) : time;
  const text = values ? shownValue(values[1], lane.curve.unit)
    : time === null || range[1] <= range[0] ? '' : shownShare(shown / (range[1] - range[0]));
  const times = lane.figure === 'gpuTime' && !narrow && place.height >= 50;
  const middle = times ? place.y + 8 : place.y + place.height / 2, high = times ? 14 : 16;  // over the times
  if (times) drawGpuTimeFigures(context, theme, lane, place, width, range);
  if (!narrow) drawTriangle(context, theme, recording, place.lane, indent - 8, middle);
  context.textBaseline = 'middle';
  context.font = '600 11px Inter, system-ui, sans-serif';
  const pill = text === '' ? 0 : textWidth(context, text) + 12;
  const under = narrow && place.height >= 34;  // on a phone a name has its line to itself
  if (text !== '' && place.height >= 16) {
    const x = under ? indent : width - pill - 5, y = under ? middle + 9 : middle;
    context.fillStyle = held ? theme.pillBlocking : theme.chip;
    box(context, x, y - high / 2, pill, high, high / 2);
    context.fill();
    if (scope.of === 'selected') {
      context.strokeStyle = theme.accent;
      context.lineWidth = 1;
      context.stroke();
    }
    context.fillStyle = held ? theme.pillBlockingText : theme.pillNeutralText;
    context.fillText(text, x + 6, y + 0.5);
  }
  const room = width - indent - (under ? 4 : pill + 9);
  const subtitle = said(lane.subtitle);
  const two = under || (!lane.header && subtitle !== '' && place.height >= 30);
  context.font = (lane.figure === 'overlap' ? '' : '500 ') + (narrow ? 12 : 13) + 'px Inter, system-ui, sans-serif';
  context.fillStyle = lane.figure === 'overlap' ? theme.muted : theme.text;
  const title = elided(context, said(lane.title).replace(/ {2,}/g, ' '), room);
  context.fillText(title, indent, two ? middle - 8 : middle + 0.5);
  const beside = lane.header ? textWidth(context, title) + 9 : 0;
  if (subtitle !== '' && !under && (two || lane.header)) {
    context.font = '11px Inter, system-ui, sans-serif';
    context.fillStyle = theme.muted;
    context.fillText(fittingSubtitle(context, subtitle, room - beside), indent + beside, two ? middle + 9 : middle + 0.5);
  }
}

/** A subtitle, or the part of it that says most and fits: what a stream does, a GPU without its maker. */
function fittingSubtitle(context, text, room) {
  const forms = [text, text.replace(/^NVIDIA /, ''), text.split(' \u00b7 ').pop()];
  if (text.startsWith('NVIDIA ')) for (let words = forms[1]; words.includes(' ');) forms.push(words = words.slice(0, words.lastIndexOf(' ')));
  return forms.find(form => textWidth(context, form) <= room) ?? elided(context, forms[forms.length - 1], room);
}

/** What the figures are of, in a recording's own time: the scope. */
function figuresRange(recording) {
  const by = offsetOf(recording);
  if (scope.of === 'repeated' && recording.repeated) return recording.repeated;
  if (scope.of === 'all') return [0, recording.wall];
  if (scope.of === 'selected' && selection.range) return [selection.range[0] + by, selection.range[1] + by];
  return [Math.max(Math.round(view.from) + by, 0), Math.min(Math.round(view.to) + by, recording.wall)];
}
