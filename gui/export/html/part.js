// One recording on the page: its head, ruler and lanes. Two canvases lie over one another: what was recorded, and what
// passes with the mouse, so that a hover draws no lane anew.
let parts = [];
let themeName = 'light';

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

/** How many times as large as usual the page is shown. */
const zoomed = () => document.documentElement.dataset.large === 'yes' ? 1.5 : 1;

function letterOf(side) {
  return head.shown.length > 1 ? 'AB'[side] : '';
}

function makePart(recording, side) {
  const [verdict, tone] = pair().verdicts[side];
  const name = said(recording.title);
  placeLanes(recording);
  const part = {recording, side,
    ruler: make('canvas', {className: 'ruler'}), base: make('canvas'), over: make('canvas'),
    plot: make('div', {className: 'plot', tabIndex: 0}), figures: make('div', {className: 'figures'})};
  part.ruler.setAttribute('role', 'img');
  part.ruler.setAttribute('aria-label', word('ruler', name));
  part.plot.setAttribute('role', 'application');
  part.plot.setAttribute('aria-label', word('lanesOf', name, said(verdict)));
  part.plot.setAttribute('aria-description', word('plotKeys'));
  part.figures.setAttribute('aria-live', 'polite');
  part.plot.style.height = recording.height + 'px';
  part.plot.append(part.base, part.over);
  const top = make('div', {className: 'head'}, make('span', {className: 'letter', textContent: letterOf(side)}),
    make('h2', {textContent: name}));
  if (recording.scope !== 'all') top.append(make('span', {className: 'scope', textContent: said(recording.scopeText)}));
  if (said(verdict) !== '') top.append(make('span', {className: 'verdict ' + tone, textContent: said(verdict)}));
  top.append(make('span', {className: 'muted', textContent: said(recording.source)}));
  part.root = make('section', {className: 'recording'}, top);
  const notes = recording.caveats.map(caveat => make('p', {className: 'notice', textContent: said(caveat)}));
  if (!pair().lesson) part.root.append(...notes);
  part.root.append(part.ruler, part.plot, part.figures);
  if (pair().lesson && notes.length > 0)  // they would answer what the lesson asks
    part.root.append(make('details', {className: 'keys'}, make('summary', {textContent: word('notes', notes.length)}), ...notes));
  return part;
}

/** Sets a canvas to the size that it has on the page; what it draws is in CSS pixels. */
function sized(canvas, width, height) {
  const ratio = Math.min((window.devicePixelRatio || 1) * zoomed(), 16000 / Math.max(width, height));
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext('2d');
  context.ratio = ratio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Where time lies on a part: pixels of its lanes, ns of its recording. */
function plotOf(part) {
  const width = part.plot.clientWidth, left = labelWidth(width), by = offsetOf(part.recording);
  return {left, width: Math.max(width - left, 1), from: view.from + by, to: view.to + by};
}
const xOf = (plot, t) => plot.left + (t - plot.from) / (plot.to - plot.from) * plot.width;
const timeAt = (plot, x) => plot.from + (x - plot.left) / plot.width * (plot.to - plot.from);

function ticksOf(plot, origin) {
  const step = niceStep((plot.to - plot.from) / plot.width * 84);
  const ticks = [];
  // By number: a time that is long enough does not grow by a step.
  const first = origin + Math.ceil((plot.from - origin) / step) * step;
  for (let i = 0; i <= (plot.to - first) / step; ++i) if (first + i * step >= origin) ticks.push(first + i * step);
  return {step, ticks};
}

function drawPart(part) {
  const theme = head.themes[themeName], recording = part.recording, plot = plotOf(part);
  const width = plot.left + plot.width, height = recording.height;
  const origin = originOf(recording), {step, ticks} = ticksOf(plot, origin);
  const ruler = sized(part.ruler, width, 24);
  ruler.font = '11px Inter, system-ui, sans-serif';
  ruler.fillStyle = theme.muted;
  ruler.textBaseline = 'middle';
  for (const t of ticks) {
    ruler.fillRect(xOf(plot, t), 17, 1, 7);
    const text = shownTick(t - origin, step, plot.to - origin), x = xOf(plot, t) + 4;
    if (x + ruler.measureText(text).width < width) ruler.fillText(text, x, 11);
  }
  const base = sized(part.base, width, height);
  base.fillStyle = theme.grid;
  for (const t of ticks) base.fillRect(xOf(plot, t), 0, 1, height);
  const seen = part.plot.getBoundingClientRect();
  part.drawn = 0;
  for (const place of recording.places) {
    if (seen.top + place.y * zoomed() > window.innerHeight + 50 && !part.printed) break;
    if (seen.top + (place.y + place.height) * zoomed() < -50 && !part.printed) continue;
    const lane = recording.lanes[place.lane];
    base.save();
    base.beginPath();
    base.rect(plot.left, place.y, plot.width, place.height);
    base.clip();
    const texts = [];
    lookAt(recording, place, plot.from, plot.to);
    for (const [l, r, y, h, over] of place.rows) {
      const row = recording.lanes[l].rows[r], at = {y, height: h};
      if (row.kind === 'overlap' && !over) {
        base.fillStyle = theme.overlapIdle;
        const x0 = Math.max(xOf(plot, 0), plot.left), x1 = Math.min(xOf(plot, recording.wall), width);
        if (x1 > x0) base.fillRect(x0, y, x1 - x0, h);
      }
      const places = drawRow(base, theme, row, plot, at);
      texts.push([row, places, at]);
    }
    if (lane.exposed && place.mark[1] > 0) drawRow(base, theme, lane.exposed, plot, {y: place.y + place.mark[0], height: place.mark[1]});
    drawPath(base, theme, place, plot);
    if (lane.curve) drawCurve(base, theme, recording, lane, plot, place);
    if (lane.figure === 'gpuTime') drawGpuTime(base, theme, recording, lane, plot, place);
    texts.forEach(([row, places, at], n) => {
      const over = texts.slice(n + 1).filter(other => other[2].y === at.y).flatMap(other => other[1]);
      if (row.named) drawTexts(base, theme, row, uncovered(places, over), at);
    });
    base.restore();
    drawLabel(base, theme, recording, lane, place, plot.left);
    base.fillStyle = theme.line;
    base.fillRect(0, place.y + place.height - 1, width, 1);
    ++part.drawn;
  }
  drawTotal(base, theme, recording, plot, height);
  drawIteration(base, theme, recording, plot, ticks);
  part.plates = drawAnnotations(base, theme, recording, plot);
  drawOver(part);
}

/** A dashed line where the run ends. */
function drawTotal(base, theme, recording, plot, height) {
  const x = xOf(plot, recording.wall);
  if (x < plot.left || x > plot.left + plot.width) return;
  base.strokeStyle = base.fillStyle = theme.accent;
  base.lineWidth = 1.5;
  base.setLineDash([4, 3]);
  base.beginPath();
  base.moveTo(x, 0);
  base.lineTo(x, height - 18);
  base.stroke();
  base.setLineDash([]);
  base.font = '600 12px Inter, system-ui, sans-serif';
  base.textBaseline = 'middle';
  const text = shownTime(recording.wall), room = base.measureText(text).width;
  base.fillText(text, Math.min(x + 5, plot.left + plot.width - room - 3), height - 11);
}

/** What passes: the selected range with the rest dimmed, the item under the mouse, the line of a step. */
function drawOver(part) {
  const theme = head.themes[themeName], recording = part.recording, plot = plotOf(part);
  const width = plot.left + plot.width, height = recording.height, by = offsetOf(recording);
  // In print Chromium draws a cleared canvas white: what lies over the lanes is drawn on them.
  const over = part.printed ? part.base.getContext('2d') : sized(part.over, width, height);
  const line = (t, style, thick) => {
    const x = xOf(plot, t);
    if (x < plot.left || x > width) return;
    over.fillStyle = style;
    over.fillRect(x - thick / 2, 0, thick, height);
  };
  if (selection.range) {
    const [a, b] = selection.range.map(t => Math.min(Math.max(xOf(plot, t + by), plot.left), width));
    over.globalAlpha = 0.55;
    over.fillStyle = theme.background;
    over.fillRect(plot.left, 0, a - plot.left, height);
    over.fillRect(b, 0, width - b, height);
    over.globalAlpha = 1;
    selection.range.forEach(t => line(t + by, theme.accent, 1.5));
  }
  if (selection.cursor !== null) {
    line(selection.cursor + by, theme.muted, 1);
    drawCurveValues(over, theme, recording, plot, selection.cursor + by);
  }
  if (selection.step !== null) line(selection.step + by, theme.text, 2);
  for (const hit of [selection.item, selection.hovered]) {
    if (!hit || hit.recording !== recording) continue;
    const x0 = Math.max(xOf(plot, hit.row.start[hit.i]), plot.left - 3), x1 = Math.min(xOf(plot, hit.row.end[hit.i]), width + 3);
    if (x1 < plot.left || x0 > width) continue;
    over.strokeStyle = theme.text;
    over.lineWidth = hit === selection.item ? 2.5 : 1.5;
    box(over, x0 - 1, hit.y - 1, Math.max(x1 - x0 + 1, 3), hit.height + 2, 3);
    over.stroke();
  }
  const hit = selection.item || selection.hovered;
  if (hit && hit.recording === recording && (hit === selection.item || hit.row.kind === 'operation')) {
    over.save();
    over.beginPath();
    over.rect(plot.left, 0, plot.width, height);
    over.clip();
    drawLinks(over, theme, part, plot, hit);
    over.restore();
  }
}

let asked = false;
/** Draws all lanes anew with the next frame, once however often it is asked. */
function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(drawNow);
}

function drawNow() {
  asked = false;
  parts.forEach(drawPart);
  drawWaterfall();
  sayRange();
}

/** The item at a point of a part's lanes, or one within 3 pixels. */
function itemAt(part, x, y) {
  const plot = plotOf(part), recording = part.recording;
  if (x < plot.left || isCovered(recording, timeAt(plot, x))) return null;
  const reach = (plot.to - plot.from) / plot.width * 3, t = timeAt(plot, x);
  for (const place of recording.places) {
    if (y < place.y || y >= place.y + place.height) continue;
    for (const [l, r, rowY, height] of [...place.rows].reverse()) {
      const row = recording.lanes[l].rows[r];
      if (!row.named || y < rowY || y >= rowY + height) continue;
      let best = null, least = reach;
      const first = Math.max(endingAfter(row, t - reach) - 1, 0);
      for (let i = first; i < row.count && row.start[i] <= t + reach && i < first + 1000; ++i) {
        const away = Math.max(row.start[i] - t, t - row.end[i], 0);
        if (away < least || (away === 0 && best === null)) [best, least] = [i, away];
      }
      if (best !== null) return {recording, part, lane: recording.lanes[l], row, i: best, y: rowY, height};
    }
  }
  return null;
}
