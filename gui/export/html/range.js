// What is selected: a range of time (in the upper recording's time), an item, a step. And what is said of it.
const scope = {of: 'all', before: 'all'};  // which part all figures are of, and which before a range was selected
const scopes = ['repeated', 'visible', 'selected', 'all'];
const selection = {range: null, item: null, hovered: null, cursor: null, step: null};

/** Whole ns. Null or an empty one: none. */
function selectRange(from, to) {
  const a = Math.round(Math.min(from, to)), b = Math.round(Math.max(from, to));
  selection.range = from === null || b <= a ? null : [a, b];
  if (selection.range && scope.of !== 'selected') [scope.before, scope.of] = [scope.of, 'selected'];
  if (!selection.range && scope.of === 'selected') scope.of = scope.before;
  sayScope();
  writeLinkLater();
  redraw();
}

/** Whether there is such a part of what is shown. */
function isScope(of) {
  return of === 'repeated' ? shown().every(recording => recording.repeated) : of !== 'selected' || selection.range !== null;
}

function chooseScope(of) {
  scope.of = of;
  sayScope();
  writeLinkLater();
  redraw();
}

/** Whether what was written for a scope is not of what is shown: of the time in sight, that which the page opened with. */
function isOfAnother(written) {
  return scope.of !== written || (written === 'visible' && head.view && view.from + ':' + view.to !== openedWith);
}

/** In the switch; what was written for another scope than the chosen one fades. */
function sayScope() {
  const choice = document.getElementById('scope');
  if (!choice) return;
  for (const option of choice.options) option.disabled = !isScope(option.value);
  choice.value = scope.of;
  fadeOthers();
  document.querySelector('.legend').replaceWith(makeLegend());  // it says shares of the scope
}

function fadeOthers() {
  for (const part of parts) part.root.classList.toggle('otherScope', isOfAnother(part.recording.scope));
  document.querySelectorAll('.about,.differences').forEach(each => each.classList.toggle('otherScope', isOfAnother(head.scope)));
}

/** The figures of the range under each recording, and its times in the field. */
function sayRange() {
  const field = document.getElementById('range');
  for (const part of parts) {
    part.figures.replaceChildren();
    if (!selection.range) {
      if (part.side === 0) part.figures.append(make('span', {className: 'muted', textContent: word('rangeNone')}));
      continue;
    }
    const [from, to] = figuresRange(part.recording);
    part.measured = rangeFigures(part.recording, from, to);
    part.figures.append(make('span', {className: 'letter', textContent: letterOf(part.side)}), rangeWords(part.recording, part.measured));
  }
  if (field && document.activeElement !== field)
    field.value = selection.range ? selection.range.map(t => t / 1e6 + 'ms').join(':') : '';
}

/** `x` on a part as a time of the upper recording, drawn to an edge of an item that is 5 pixels away or less. */
function snapped(part, x, free) {
  const plot = plotOf(part), by = offsetOf(part.recording);
  const at = timeAt(plot, Math.min(Math.max(x, plot.left), plot.left + plot.width));
  let best = at, least = free ? -1 : (plot.to - plot.from) / plot.width * 5;
  const offer = t => {
    if (Math.abs(t - at) < least) [best, least] = [t, Math.abs(t - at)];
  };
  for (const lane of part.recording.lanes)
    for (const row of lane.rows) {
      if (least < 0 || !row.named) continue;
      const i = endingAfter(row, at);
      for (const k of [i - 1, i, i + 1]) if (k >= 0 && k < row.count) offer(row.start[k]), offer(row.end[k]);
    }
  return best - by;
}
