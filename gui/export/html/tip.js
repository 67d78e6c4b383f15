// What is said of an item: beside the mouse, and to a screen reader where it was selected.

/** Lines of a tip: its name, then when, how long, and what matters of its kind. */
function tipLines(hit) {
  const {row, i, lane} = hit, lines = [said(row.text[i]).split('\n')[0] || said(head.roles[roleOf(row, i)])];
  const tick = t => shownTick(t, 10, row.end[i]);
  lines.push(word('long', shownTime(row.end[i] - row.start[i]), tick(row.start[i]), tick(row.end[i])));
  const tip = row.tip[i] === 0 ? [] : said(row.tip[i]).split('\n');
  if (row.kind !== 'operation') return lines.concat(tip);
  const length = row.end[i] - row.start[i];
  const [what, ...more] = tip, first = what ? [what] : [];  // more: how pageable memory is staged
  if (row.bytes[i] > 0) {
    const bytes = shownBytes(row.bytes[i]);
    first.unshift(length > 0 ? word('speed', bytes, shownRate(row.bytes[i] / length)) : bytes);
  }
  lines.push(first.join(language === 'en' ? ', ' : '，'), ...more, word('where', said(row.stream ? row.stream[i] : lane.where), lane.gpu));
  if (row.issuer[i] !== 0) lines.push(word('issued', said(row.issuer[i]), shownTime(row.delay[i])));
  return lines.filter(line => line !== '');
}

const tipBox = make('div', {className: 'tip', hidden: true, id: 'tip'});
const spoken = make('div', {className: 'hidden', id: 'spoken'});

function showTip(hit, x, y) {
  tipBox.hidden = !hit;
  if (!hit) return;
  const [name, ...rest] = tipLines(hit);
  tipBox.replaceChildren(make('b', {textContent: name}), ...rest.map(line => make('span', {textContent: line})));
  const width = tipBox.offsetWidth, height = tipBox.offsetHeight;
  const [across, down, right, bottom] = [x, y, window.innerWidth, window.innerHeight].map(pixels => pixels / zoomed());
  tipBox.style.left = Math.max(4, Math.min(across + 14, right - width - 6)) + 'px';
  tipBox.style.top = (down + 18 + height > bottom ? Math.max(4, down - height - 10) : down + 18) + 'px';
}

function hover(part, x, y, clientX, clientY) {
  const hit = itemAt(part, x, y), before = selection.hovered;
  selection.hovered = hit;
  selection.cursor = x === null ? null : timeAt(plotOf(part), x) - offsetOf(part.recording);
  if (x !== null && x < plotOf(part).left) selection.cursor = null;
  showTip(hit, clientX, clientY);
  parts.forEach(drawOver);
  if (!selection.item && (hit || before)) lightCode(hit ? stepOf(hit) : 0, hit ? hit.recording : part.recording);
}

function leave() {
  selection.hovered = selection.cursor = null;
  showTip(null);
  parts.forEach(drawOver);
}

/** Keeps an item: outlined, its code lit, spoken. Null: lets go. */
function selectItem(hit) {
  selection.item = hit;
  spoken.textContent = hit ? tipLines(hit).join('. ') : '';
  lightCode(hit ? stepOf(hit) : 0, hit ? hit.recording : shown()[0]);
  parts.forEach(drawOver);
}

const stepOf = hit => hit.row.step ? hit.row.step[hit.i] : 0;

/** Of the lanes that the keyboard is on, else of the upper ones: what comes first in the uppermost row with anything. */
function firstInSight() {
  const part = parts.find(each => each.plot === document.activeElement) || parts[0], {recording} = part, plot = plotOf(part);
  for (const [l, r, y, height] of recording.places.flatMap(place => place.rows)) {
    const lane = recording.lanes[l], row = lane.rows[r];
    if (!row.named) continue;
    const i = endingAfter(row, plot.from);
    if (i < row.count && row.start[i] < plot.to && !isCovered(recording, row.start[i])) return {recording, part, lane, row, i, y, height};
  }
  return null;
}

/** The next (1) or previous (-1) item of the selected one's row; where none is selected the first in sight. */
function walk(by) {
  const hit = selection.item;
  if (!hit) {
    selectItem(firstInSight());
    return;
  }
  const i = hit.i + by;
  if (i < 0 || i >= hit.row.count) return;
  selectItem({...hit, i, links: undefined});  // they were found for the other one
  bringIntoSight(hit.row.start[i] - offsetOf(hit.recording), hit.row.end[i] - offsetOf(hit.recording));
}

function bringIntoSight(from, to) {
  if (from >= view.from && from <= view.to && (to <= view.to || to - from > view.to - view.from)) return;
  const length = view.to - view.from, middle = to - from > length ? from + length / 2 : (from + to) / 2;
  show(middle - length / 2, middle + length / 2);
}
