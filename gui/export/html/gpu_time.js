// The graph of a GPU's time: every three pixels a column of side by side, compute alone and exposed, stacked; what is left
// over is idle. A lane's three rows have these, from the bottom up.
const GRAPH_COLUMN = 3, MOST_COVERED = 0.75, GRAPH_ROLES = [31, 32, 33];  // of ItemRole

/** [x, width, shares from the bottom up] of the columns that hold anything; they begin at multiples of their width. */
function gpuTimeColumns(recording, lane, plot) {
  const perPixel = (plot.to - plot.from) / plot.width, long = perPixel * GRAPH_COLUMN, columns = [];
  for (let n = Math.floor(plot.from / long); n * long < plot.to; ++n) {
    const from = Math.max(n * long, 0), to = Math.min((n + 1) * long, recording.wall);
    if (to <= from) continue;
    const shares = lane.rows.map(row => busyIn(row, from, to) / (to - from));
    if (shares.every(share => share === 0)) continue;
    const x0 = Math.max(xOf(plot, n * long), plot.left), x1 = Math.min(xOf(plot, (n + 1) * long), plot.left + plot.width);
    if (x1 > x0) columns.push([x0, x1 - x0, shares]);
  }
  return columns;
}

function drawGpuTime(context, theme, recording, lane, plot, place) {
  if (lane.rows.length !== 3) return;
  const [top, height] = place.curve, bottom = place.y + top + height, columns = gpuTimeColumns(recording, lane, plot);
  for (const [x, width, shares] of columns) {
    let y = bottom;
    shares.forEach((share, n) => {
      context.fillStyle = theme.items[GRAPH_ROLES[n]];
      context.fillRect(x, y - share * height, width, share * height);
      y -= share * height;
    });
  }
  const exposed = lane.rows[2];
  context.font = '600 11px Inter, system-ui, sans-serif';
  context.textBaseline = 'middle';
  for (let i = 0, first; i < columns.length; ++i) {
    if (columns[i][2][2] < MOST_COVERED) continue;
    for (first = i; i + 1 < columns.length && columns[i + 1][2][2] >= MOST_COVERED
      && Math.abs(columns[i + 1][0] - columns[i][0] - columns[i][1]) < 0.01;) ++i;
    const x0 = columns[first][0], x1 = columns[i][0] + columns[i][1];
    const from = endingAfter(exposed, timeAt(plot, x0)), last = endingAfter(exposed, timeAt(plot, x1));
    const end = last < exposed.count && exposed.start[last] < timeAt(plot, x1) ? last : last - 1;  // all of the stretch
    if (end < from) continue;
    const text = shownTime(busyIn(exposed, exposed.start[from], exposed.end[end])), width = textWidth(context, text);
    if (height < 15 || width + 8 > x1 - x0) continue;
    context.fillStyle = theme.ink;
    context.fillText(text, (x0 + x1 - width) / 2, bottom - height / 2);
  }
}

/** The three times of a range under the lane's name. */
function drawGpuTimeFigures(context, theme, lane, place, width, range) {
  lane.rows.forEach((row, n) => {
    const y = place.y + 23 + 11 * n, time = shownTime(busyIn(row, range[0], range[1]));
    context.fillStyle = theme.items[GRAPH_ROLES[n]];
    context.fillRect(26, y - 3.5, 7, 7);
    context.font = '10px Inter, system-ui, sans-serif';
    context.textBaseline = 'middle';
    const right = width - 5 - textWidth(context, time);
    context.fillStyle = theme.muted;
    context.fillText(elided(context, said(head.roles[GRAPH_ROLES[n]]), right - 44), 38, y);
    context.fillStyle = theme.text;
    context.fillText(time, right, y);
  });
}
