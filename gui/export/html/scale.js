// What part of the time is in sight, common to all recordings: times of the upper one (A). The lower one is shifted by
// its anchor, where two are aligned at one.
const view = {from: 0, to: 1};
let extent = [0, 1];  // what "everything" shows
let openedWith = null;  // the view that the page opened with

const offsetOf = recording => recording.anchor - shown()[0].anchor;

function shown() {
  return head.shown.map(i => head.recordings[i]);
}

function measureExtent() {
  let from = Infinity, to = 1;
  for (const recording of shown()) {
    from = Math.min(from, -offsetOf(recording));
    to = Math.max(to, recording.drawnEnd - offsetOf(recording));
  }
  extent = [from, to + (to - from) * 0.06];
}

/** How far one can pan: everything, and what was recorded after it. */
function reach() {
  const last = Math.max(...shown().map(r => r.duration - offsetOf(r)));
  const room = (extent[1] - extent[0]) * 0.05;
  return [extent[0] - room, Math.max(extent[1], last) + room];
}

/** Shows [from, to) as far as that can be: at least 20 ns, at most everything. */
function show(from, to) {
  const [first, last] = reach();
  const length = Math.min(Math.max(to - from, 20), last - first);
  const middle = (from + to) / 2;
  view.from = Math.min(Math.max(middle - length / 2, first), last - length);
  view.to = view.from + length;
  fadeOthers();
  redraw();
}

function zoom(factor, at = (view.from + view.to) / 2) {
  show(at - (at - view.from) / factor, at + (view.to - at) / factor);
}

function pan(share) {
  const by = (view.to - view.from) * share;
  show(view.from + by, view.to + by);
}

function showAll() {
  show(extent[0], extent[1]);
}
