// The stacks of threads, folded to few rows: the outermost frame and module that are not around all of what is shown, and
// two operators. As LaneLayout::lookAt() does it.

const SLACK = 100;  // the share of what is shown by which a frame may be short of all of it

/** Chooses what the rows of a folded stack show, and puts the frames around all of it into `place.path`. */
function lookAt(recording, place, from, to) {
  const lane = recording.lanes[place.lane], own = lane.rows.filter(row => row.level && row.count > 0);
  place.frames = [];
  if (!place.levels || place.levels.length === 0 || own.length === 0) return;
  const start = Math.max(from, Math.min(...own.map(row => row.start[0])));
  const end = Math.min(to, Math.max(...own.map(row => row.end[row.count - 1])));
  const slack = Math.floor(Math.max(end - start, 0) / SLACK);
  const rowOf = (part, level) => lane.rows.findIndex(row => row.level && row.level[0] === part && row.level[1] === level);
  for (const part of new Set(place.levels.map(([, part]) => part))) {
    if (!place.movable.includes(part)) continue;
    const wanted = place.levels.filter(([, each]) => each === part);
    const levels = lane.rows.filter(row => row.level && row.level[0] === part).length;
    const most = Math.max(0, levels - wanted.length);
    const around = level => {
      const row = lane.rows[rowOf(part, level)], i = endingAfter(row, start + slack);
      return i < row.count && row.start[i] <= start + slack && row.end[i] >= end - slack ? i : -1;
    };
    let first = 0;
    for (let level = 0; level < levels; ++level) if (around(level) >= 0) first = Math.min(level + 1, most);
    for (let level = 0; level < first; ++level) {
      const row = lane.rows[rowOf(part, level)], i = around(level);
      if (i >= 0) place.frames.push([row.start[i], row.end[i], row.text[i]]);
    }
    for (const [n, , below] of wanted) place.rows[n][1] = rowOf(part, first + below);
  }
  place.frames.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
}

/** Those frames as a path; where there is no room for all of them, the first and the last. */
function drawPath(context, theme, place, plot) {
  const [y, height] = place.path || [0, 0];
  if (height === 0 || place.frames.length === 0) return;
  context.font = '11px Inter, system-ui, sans-serif';
  context.textBaseline = 'middle';
  const names = place.frames.map(([, , text]) => said(text).split('\n')[0]), room = plot.width - 8;
  let path = names.join(' › ');
  for (let kept = names.length - 1; kept > 0 && textWidth(context, path) > room; --kept) {
    const first = Math.floor(kept / 3);
    path = [...names.slice(0, first), '…', ...names.slice(names.length - kept + first)].join(' › ');
  }
  context.fillStyle = theme.muted;
  context.fillText(elided(context, path, room), plot.left + 4, place.y + y + height / 2);
}
