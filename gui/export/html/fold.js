// Lanes that are folded to a strip, and where that leaves the others. What a GPU or a process has folds with its header.
const FOLDED = 20, STRIP = 8;

/** Where the lanes stand now: `recording.places`, from those of the file, `recording.unfolded`. */
function placeLanes(recording) {
  recording.unfolded ||= recording.places;
  recording.tall ||= recording.height;
  recording.folded ||= new Set();
  let gone = 0;
  recording.places = recording.unfolded.map(place => {
    if (!recording.folded.has(place.lane)) {
      const rows = place.rows.map(([l, r, y, h, over]) => [l, r, y - gone, h, over]);
      return {...place, y: place.y - gone, rows};
    }
    const y = place.y - gone;
    gone += place.height - FOLDED;
    const rows = place.rows.map(([l, r], n) => [l, r, y + (FOLDED - STRIP) / 2, STRIP, n > 0]);
    return {lane: place.lane, y, height: FOLDED, rows, curve: [(FOLDED - STRIP) / 2, STRIP], mark: [0, 0]};
  });
  recording.height = recording.tall - gone;
}

/** Lanes that a click on the name of this one folds or unfolds. */
function foldedWith(recording, lane) {
  if (!recording.lanes[lane].header) return recording.lanes[lane].figure === 'overlap' ? [] : [lane];
  return recording.unfolded.map(place => place.lane).filter(each => recording.lanes[each].under === lane);
}

function isFolded(recording, lane) {
  const lanes = foldedWith(recording, lane);
  return lanes.length > 0 && lanes.every(each => recording.folded.has(each));
}

function fold(part, lane) {
  const recording = part.recording, folded = isFolded(recording, lane);
  for (const each of foldedWith(recording, lane)) folded ? recording.folded.delete(each) : recording.folded.add(each);
  placeLanes(recording);
  part.plot.style.height = recording.height + 'px';
  selectItem(null);
  redraw();
}

/** A triangle left of a name: down where the lane is open, to the right where it is folded. */
function drawTriangle(context, theme, recording, lane, x, y) {
  if (foldedWith(recording, lane).length === 0) return;
  const points = isFolded(recording, lane) ? [[-2, -4], [3, 0], [-2, 4]] : [[-4, -2], [4, -2], [0, 3]];
  context.fillStyle = theme.muted;
  context.beginPath();
  points.forEach(([dx, dy]) => context.lineTo(x + dx, y + dy));
  context.fill();
}
