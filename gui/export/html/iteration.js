// One iteration of each recording, shown alone, and what changed between them on the critical path: the picture that
// gui/paint/over/iteration_painter and gui/paint/waterfall draw. Words and figures are theirs.

/** Whether all that is shown has an iteration, and the view little more than these. */
function iterationsAlone() {
  if (!shown().every(recording => recording.iteration)) return false;
  const from = shown()[0].iteration[0];
  const longest = Math.max(...shown().map(recording => recording.iteration[1] - recording.iteration[0]));
  return shown().every(recording => recording.iteration[0] - offsetOf(recording) === from)
    && view.from >= from - longest * 0.1 && view.to <= from + longest * 1.2;
}

/** The time that the ruler of a part calls 0. */
function originOf(recording) {
  return iterationsAlone() ? recording.iteration[0] : 0;
}

/** Whether what lies at a time of a recording is covered. */
function isCovered(recording, t) {
  return iterationsAlone() && (t < recording.iteration[0] || t >= recording.iteration[1]);
}

/** Ground over what comes before and after the iteration, where it ends, and where 5 to 95 % of all end. */
function drawIteration(base, theme, recording, plot, ticks) {
  if (!iterationsAlone()) return;
  const [from, to, low, high] = recording.iteration, right = plot.left + plot.width;
  const clamped = t => Math.min(Math.max(xOf(plot, t), plot.left), right);
  for (const [x0, x1] of [[plot.left, clamped(from)], [clamped(to), right]]) {
    if (x1 <= x0) continue;
    base.fillStyle = theme.background;
    for (const place of recording.places) base.fillRect(x0, place.y, x1 - x0, place.height - 1);
    base.fillStyle = theme.grid;
    for (const t of ticks) if (xOf(plot, t) >= x0 && xOf(plot, t) < x1) base.fillRect(xOf(plot, t), 0, 1, recording.height);
  }
  base.fillStyle = theme.accent;
  base.globalAlpha = 0.1;
  base.fillRect(clamped(low), 0, Math.max(clamped(high) - clamped(low), 1), recording.height);
  base.globalAlpha = 1;
  const x = xOf(plot, to);
  if (x < plot.left || x > right) return;
  for (let y = 0; y < recording.height; y += 7) base.fillRect(x, y, 1.4, 4);
  base.font = '600 14px Inter, system-ui, sans-serif';
  base.textBaseline = 'middle';
  const length = shownTime(to - from);
  if (x + 8 + base.measureText(length).width < right) base.fillText(length, x + 8, 15);
}

/** Under the differences; null where nothing is known of what changed. */
function makeWaterfall() {
  const waterfall = pair().waterfall;
  if (!waterfall) return null;
  const canvas = make('canvas'), root = make('div', {className: 'waterfall'},
    make('p', {}, make('b', {textContent: said(waterfall.title)})), canvas);
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', waterfall.steps.map(([name, more, note]) => `${said(name)}: ${said(more)}, ${said(note)}`).join('\n'));
  return root;
}

const STEP = 18, BAR = 15;

/** The bars on the scale of the lanes, each with its words in it or, where it is too short, beside it. */
function drawWaterfall() {
  const root = document.querySelector('.waterfall');
  if (!root) return;
  root.hidden = !iterationsAlone();
  if (root.hidden) return;
  const theme = head.themes[themeName], {steps} = pair().waterfall, plot = plotOf(parts[0]);
  const width = plot.left + plot.width, canvas = root.querySelector('canvas');
  canvas.style.height = steps.length * STEP + 'px';
  const context = sized(canvas, width, steps.length * STEP);
  context.textBaseline = 'middle';
  const textAt = (text, x, y, color, weight = 500) => {
    context.font = `${weight} 11px Inter, system-ui, sans-serif`;
    context.fillStyle = color;
    if (x !== null) context.fillText(text, x, y);
    return context.measureText(text).width;
  };
  let at = shown()[0].iteration[1];
  steps.forEach(([name, more, note, by], n) => {
    const next = at + by, y = n * STEP, middle = y + BAR / 2;
    const x0 = Math.max(xOf(plot, Math.min(at, next)), plot.left), x1 = Math.min(xOf(plot, Math.max(at, next)), width);
    if (n > 0) {
      context.fillStyle = theme.muted;
      context.fillRect(Math.floor(xOf(plot, at)), y - STEP + BAR, 1, STEP - BAR);
    }
    context.fillStyle = by < 0 ? theme.went : theme.came;
    context.fillRect(x0, y, Math.max(x1 - x0, 1), BAR);
    const [nameText, moreText, noteText] = [said(name), said(more), said(note)];
    const nameWidth = textAt(nameText, null), moreWidth = textAt(moreText, null), noteWidth = textAt(noteText, null, 0, '', 400);
    if (x1 - x0 >= nameWidth + moreWidth + 24) {
      textAt(nameText, x0 + 8, middle, theme.onBar);
      textAt(moreText, x1 - 8 - moreWidth, middle, theme.onBar);
      if (x0 + 32 + nameWidth + noteWidth + moreWidth <= x1) textAt(noteText, x0 + 16 + nameWidth, middle, theme.onBar, 400);
    } else {
      const wide = moreWidth + 8 + nameWidth, after = x1 + 8 + wide <= width, left = after ? x1 + 8 : x0 - 8 - wide;
      textAt(moreText, left, middle, theme.text);
      textAt(nameText, left + moreWidth + 8, middle, theme.text);
      if (after && left + wide + 8 + noteWidth <= width) textAt(noteText, left + wide + 8, middle, theme.muted, 400);
    }
    at = next;
  });
}
