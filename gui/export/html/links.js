// Arrows from an API call to what it made the GPU do, of the item that is kept or under the mouse. An operation knows
// its call by name and by how long before it the call began.

/** The first item of a row that begins at `t`; -1 where none does. */
function beginningAt(row, t) {
  let low = 0, high = row.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.start[middle] < t) low = middle + 1; else high = middle;
  }
  return low < row.count && row.start[low] === t ? low : -1;
}

/** The ends of the arrows of an item: [from, to] with {l, r, i}. A call's are looked for in all operations. */
function linksOf(hit) {
  const {recording, row, i} = hit, links = [];
  const rows = kind => recording.lanes.flatMap((lane, l) => lane.rows.map((each, r) => ({l, r, row: each}))).filter(each => each.row.kind === kind);
  if (row.kind === 'operation' && row.issuer[i] !== 0) {
    const at = row.start[i] - row.delay[i], name = said(row.issuer[i]);
    for (const call of rows('call')) {
      const made = beginningAt(call.row, at);
      if (made >= 0 && said(call.row.text[made]).split('\n').some(text => name.includes(text)))
        return [[{...call, i: made}, {l: recording.lanes.indexOf(hit.lane), r: hit.lane.rows.indexOf(row), row, i}]];
    }
  }
  if (row.kind === 'call') {
    const text = said(row.text[i]).split('\n');
    for (const made of rows('operation')) {
      for (let n = 0; n < made.row.count && links.length < 200; ++n)
        if (made.row.issuer[n] !== 0 && made.row.start[n] - made.row.delay[n] === row.start[i] && text.some(each => said(made.row.issuer[n]).includes(each)))
          links.push([{l: recording.lanes.indexOf(hit.lane), r: hit.lane.rows.indexOf(row), row, i}, {...made, i: n}]);
    }
  }
  return links;
}

function drawLinks(context, theme, part, plot, hit) {
  const rowAt = end => part.recording.places.flatMap(place => place.rows).find(([l, r]) => l === end.l && r === end.r);
  hit.links ||= linksOf(hit);
  const width = plot.left + plot.width;
  context.strokeStyle = context.fillStyle = theme.text;
  context.lineWidth = 1.5;
  for (const [from, to] of hit.links) {
    const a = rowAt(from), b = rowAt(to);
    if (!a || !b) continue;
    const x0 = xOf(plot, from.row.start[from.i]) + 1, x1 = xOf(plot, to.row.start[to.i]);
    if (Math.max(x0, x1) < plot.left || Math.min(x0, x1) > width) continue;
    const down = b[2] > a[2], y0 = down ? a[2] + a[3] : a[2], y1 = down ? b[2] : b[2] + b[3], bend = (y1 - y0) / 2;
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0, y0 + bend, x1, y1 - bend, x1, y1 - (down ? 5 : -5));
    context.stroke();
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x1 - 3.5, y1 - (down ? 6 : -6));
    context.lineTo(x1 + 3.5, y1 - (down ? 6 : -6));
    context.fill();
  }
}
