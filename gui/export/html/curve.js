// Curves of counters. A lane's `curve` has its samples as [times in ns, values], thinned out where they are many; a value
// holds until the next one, the last one until the end.

/** The last sample at or before `t`; -1: none. log n. */
function sampleAt(curve, t) {
  let low = 0, high = curve.times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (curve.times[middle] <= t) low = middle + 1; else high = middle;
  }
  return low - 1;
}

/** The least and the most of [from, to); null where nothing is known. */
function curveIn(curve, until, from, to) {
  if (from >= until) return null;
  let i = Math.max(sampleAt(curve, from), 0), values = null;
  for (; i < curve.times.length && curve.times[i] < to; ++i) {
    const value = curve.values[i];
    values = values ? [Math.min(values[0], value), Math.max(values[1], value)] : [value, value];
  }
  return values;
}

function curveValueAt(curve, until, t) {
  const i = t < until ? sampleAt(curve, t) : -1;
  return i < 0 ? null : curve.values[i];
}

function shownValue(value, unit) {
  if (value < 0) return '−' + shownValue(-value, unit);
  if (unit === 1) return shownBytes(value);
  const text = value.toLocaleString('en', {maximumSignificantDigits: value < 1000 ? 3 : 21, maximumFractionDigits: 2});
  return unit === 2 ? text + ' %' : text;
}

/** Where values stand in a place: `y(value)` in pixels. */
function curveAxis(curve, place) {
  const [top, height] = place.curve, least = Math.min(curve.least, 0);
  const most = Math.max(curve.most, 0, least + (curve.least === curve.most && curve.most === 0 ? 1 : 0));
  return value => place.y + top + (most - value) / (most - least) * height;
}

function drawCurve(context, theme, recording, lane, plot, place) {
  const y = curveAxis(lane.curve, place), perPixel = (plot.to - plot.from) / plot.width, zero = y(0);
  for (let k = 0; k < plot.width; ++k) {
    const from = plot.from + k * perPixel, values = curveIn(lane.curve, recording.duration, from, from + perPixel);
    if (!values) continue;
    const upper = y(values[1]);
    context.fillStyle = theme.counter;
    context.globalAlpha = 0.28;
    context.fillRect(plot.left + k, Math.min(upper, zero), 1, Math.abs(zero - upper));
    context.globalAlpha = 1;
    context.fillRect(plot.left + k, upper - 0.7, 1, y(values[0]) - upper + 1.4);
  }
}

/** The values at the cursor, on plates beside its line. */
function drawCurveValues(context, theme, recording, plot, t) {
  const x = xOf(plot, t), width = plot.left + plot.width;
  if (x < plot.left || x > width) return;
  for (const place of recording.places) {
    const lane = recording.lanes[place.lane], value = lane.curve ? curveValueAt(lane.curve, recording.duration, t) : null;
    if (value === null) continue;
    const text = shownValue(value, lane.curve.unit), [top, height] = place.curve;
    context.font = '500 11px Inter, system-ui, sans-serif';
    context.textBaseline = 'middle';
    const room = textWidth(context, text) + 10, left = x + 8 + room < width ? x + 8 : x - 8 - room;
    const middle = place.y + top + height / 2;
    context.fillStyle = theme.text;
    context.beginPath();
    context.arc(x, curveAxis(lane.curve, place)(value), 3, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = theme.chip;
    box(context, left, middle - 8, room, 16, 3);
    context.fill();
    context.fillStyle = theme.text;
    context.fillText(text, left + 5, middle + 0.5);
  }
}
