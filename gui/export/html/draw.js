// Draws the items of one row on a canvas: those of 3 pixels or more as boxes, the others as columns of pixels, each in
// the shade that its share of busy time gives. A row of which most items are narrower than a pixel is drawn from its
// sums, a search a column, so that a million operations cost no more than some thousand.

const WIDE = 3;

/** How a row of waits fills its bars (Theme::Hatch); undefined: it is a row of something else. */
function hatchOf(theme, row) {
  return theme.hatches[row.role];
}

/** The colour of a role in this row: of operators that lie in one another a paler one. */
function colourOf(theme, row, role, shade = PLAIN_SHADE) {
  return row.shade > 0 && role === theme.operator ? theme.deeper[row.shade - 1] : fillOf(theme, role, shade);
}

/** Stripes of a hatch, 10 pixels apart along x; made once for each hatch and pixel ratio. */
function stripes(context, hatch) {
  const key = JSON.stringify(hatch) + context.ratio;
  stripes.kept ||= {};
  if (stripes.kept[key]) return stripes.kept[key];
  const size = Math.round(10 * context.ratio);
  const tile = document.createElement('canvas');
  tile.width = tile.height = size;
  const c = tile.getContext('2d');
  c.fillStyle = hatch.ground;
  c.fillRect(0, 0, size, size);
  c.strokeStyle = hatch.line;
  c.lineWidth = size * hatch.share * Math.SQRT1_2;
  const [from, to] = hatch.falls ? [-1, size + 1] : [size + 1, -1];
  for (const x of hatch.share > 0 ? [-size, 0, size] : []) {
    c.beginPath();
    c.moveTo(x - 1, from);
    c.lineTo(x + size + 1, to);
    c.stroke();
  }
  const pattern = context.createPattern(tile, 'repeat');
  pattern.setTransform(new DOMMatrix().scale(1 / context.ratio));
  return stripes.kept[key] = pattern;
}

function box(context, x, y, width, height, radius) {
  context.beginPath();
  if (context.roundRect) context.roundRect(x, y, width, height, Math.min(radius, width / 2, height / 2));
  else context.rect(x, y, width, height);
}

/**
 * `plot`: {left, width, from, to} in pixels and ns of this recording; `place`: {y, height}. Returns the places for
 * texts: [x, width, item, whether a part of it is out of sight, whether it is where a collective waits].
 */
function drawRow(context, theme, row, plot, place) {
  const perPixel = (plot.to - plot.from) / plot.width;
  const first = endingAfter(row, plot.from);
  const last = Math.min(row.count, endingAfter(row, plot.to) + 1);
  const texts = [];
  if (last <= first) return texts;
  const wide = [];
  const share = new Float32Array(plot.width), role = new Uint8Array(plot.width), sums = sumsOf(plot.width);
  if (last - first > 3 * plot.width) columnsOfSums(row, plot, perPixel, first, share, role, sums);
  else {
    for (let i = first; i < last && row.start[i] < plot.to; ++i) {
      if (row.end[i] - row.start[i] >= WIDE * perPixel) wide.push(i);
      else addNarrow(row, i, plot, perPixel, share, role, sums);
    }
  }
  if (row.kind === 'gpuTime') share.forEach((part, k) => share[k] = Math.round(part * 4) / 4);  // what is exposed goes by quarters
  drawColumns(context, theme, row, plot, place, share, role);
  const hatch = hatchOf(theme, row);
  for (const i of wide) {
    const x0 = plot.left + Math.max((row.start[i] - plot.from) / perPixel, -20);
    const x1 = plot.left + Math.min((row.end[i] - plot.from) / perPixel, plot.width + 20);
    context.fillStyle = hatch ? stripes(context, hatch) : colourOf(theme, row, roleOf(row, i), shadeOf(row, i));
    if (row.staged && row.staged[i] > 0 && x1 - x0 >= 8) {
      drawStaged(context, theme, roleOf(row, i), x0, x1, plot.left + (row.start[i] - plot.from) / perPixel, (row.staged[i] - 1) / 254, place);
      if (place.height >= 10) texts.push([Math.max(x0, plot.left), x1 - Math.max(x0, plot.left), i, x0 < plot.left || x1 > plot.left + plot.width]);
      continue;
    }
    const flat = place.height < 8 || row.kind === 'overlap' || row.kind === 'band';
    box(context, x0, place.y, Math.max(x1 - x0 - (flat ? 0 : 1), 1), place.height, flat ? 0 : 3);
    context.fill();
    if (hatch && flat) {  // stretches that follow one another are one
      context.fillStyle = hatch.edge;
      context.fillRect(x0, place.y, x1 - x0, 1);
      context.fillRect(x0, place.y + place.height - 1, x1 - x0, 1);
    } else if (hatch) {
      context.strokeStyle = hatch.edge;
      context.lineWidth = 1;
      box(context, x0 + 0.5, place.y + 0.5, Math.max(x1 - x0 - 2, 1), place.height - 1, 3);
      context.stroke();
    }
    const until = drawEarly(context, theme, row, i, x0, x1, plot.left + (row.start[i] - plot.from) / perPixel, perPixel, place);
    if (row.named && place.height >= 10) {  // of a collective in its wider part
      const left = Math.max(x0, plot.left), waits = until - left >= x1 - Math.max(until, left);
      const from = waits ? left : Math.max(until, left);
      texts.push([from, (waits ? until : x1) - from, i, x0 < plot.left || x1 > plot.left + plot.width, waits]);
    }
  }
  return texts;
}

/** The pale part of a collective, in which it waits until the last of its kernels has begun. Returns where it ends. */
function drawEarly(context, theme, row, i, x0, x1, start, perPixel, place) {
  const until = row.early ? Math.min(start + row.early[i] / perPixel, x1 - 1) : x0;
  if (until - x0 < WIDE) return x0;
  context.fillStyle = theme.early;
  context.strokeStyle = colourOf(theme, row, roleOf(row, i));
  context.lineWidth = 1;
  box(context, x0 + 0.5, place.y + 0.5, until - x0 - 0.5, place.height - 1, 0);
  context.fill();
  context.stroke();
  return until;
}

/** A copy of pageable memory: an outline, a ground and a comb that is filled for the share of its time in which bytes move. */
function drawStaged(context, theme, role, x0, x1, start, share, place) {
  const look = theme.staged[role], period = 9, filled = period * share;
  context.fillStyle = look.ground;
  box(context, x0, place.y, x1 - x0 - 1, place.height, 3);
  context.fill();
  context.fillStyle = fillOf(theme, role);
  for (let at = start + Math.floor((x0 - start) / period) * period; at < x1 - 1; at += period) {
    const left = Math.max(at + (period - filled) / 2, x0 + 0.5), right = Math.min(at + (period + filled) / 2, x1 - 1.5);
    if (right > left) context.fillRect(left, place.y + 0.5, right - left, place.height - 1);
  }
  context.strokeStyle = look.edge;
  context.lineWidth = 1;
  box(context, x0 + 0.5, place.y + 0.5, x1 - x0 - 2, place.height - 1, 3);
  context.stroke();
}

let kept = new Float32Array(0);
/** Zeros: the time of each role in each column. */
function sumsOf(width) {
  if (kept.length < width * ROLES) kept = new Float32Array(width * ROLES);
  return kept.fill(0);
}

/** What a narrow item adds to the columns that it touches; an instant is seen, too, but of what is exposed. */
function addNarrow(row, i, plot, perPixel, share, role, sums) {
  const x0 = (row.start[i] - plot.from) / perPixel;
  const x1 = Math.max((row.end[i] - plot.from) / perPixel, x0 + (row.kind === 'gpuTime' ? 0 : 0.25));
  for (let k = Math.max(Math.floor(x0), 0); k < Math.min(x1, plot.width); ++k) {
    const part = Math.min(x1, k + 1) - Math.max(x0, k);
    share[k] += part;
    addRole(role, sums, k, roleOf(row, i), part);
  }
}

/** A column has the colour of the role with the most time in it. */
function addRole(role, sums, k, of, time) {
  if (of < 0) return;
  sums[k * ROLES + of] += time;
  if (sums[k * ROLES + of] >= sums[k * ROLES + role[k]]) role[k] = of;
}

/** Of many items: the time from sums, the role from 16 of those in a column. */
function columnsOfSums(row, plot, perPixel, first, share, role, sums) {
  let i = first, busy = busyBefore(row, plot.from);
  for (let k = 0; k < plot.width; ++k) {
    const edge = plot.from + (k + 1) * perPixel;
    const from = i;
    i = endingAfterFrom(row, edge, i);
    const next = row.before[i] + (i < row.count && row.start[i] < edge ? edge - row.start[i] : 0);
    share[k] = (next - busy) / perPixel;
    busy = next;
    const last = Math.min(Math.max(i, from + 1), row.count), step = Math.max((last - from) / 16, 1);
    for (let n = from; n < last; n += step) addRole(role, sums, k, roleOf(row, Math.floor(n)), row.end[Math.floor(n)] - row.start[Math.floor(n)] + 1e-9);
  }
}

function drawColumns(context, theme, row, plot, place, share, role) {
  for (let k = 0; k < plot.width; ++k) {
    if (share[k] <= 0) continue;
    const level = Math.max(Math.min(Math.round(share[k] * 16), 16), 5);  // a lone short one stays in sight
    let end = k + 1;
    while (end < plot.width && share[end] > 0 && role[end] === role[k]
      && Math.max(Math.min(Math.round(share[end] * 16), 16), 5) === level) ++end;
    context.globalAlpha = level / 16;
    context.fillStyle = hatchOf(theme, row) ? stripes(context, hatchOf(theme, row)) : colourOf(theme, row, role[k]);
    context.fillRect(plot.left + k, place.y, end - k, place.height);
    k = end - 1;
  }
  context.globalAlpha = 1;
}

/** Of the places of a row, those that no item of the row over it covers. */
function uncovered(places, over) {
  return over.length === 0 ? places : places.filter(([x, width]) => !over.some(([left, room]) => left < x + width && left + room > x));
}

/** Writes of each item the fullest of its texts that fits on it and on those like it. `places` as drawRow() returns them. */
function drawTexts(context, theme, row, places, place) {
  const size = Math.min(12, Math.max(9, place.height - 3));
  context.font = `${size}px Inter, system-ui, sans-serif`;
  context.textBaseline = 'middle';
  const middle = place.y + place.height / 2;
  const groundOf = i => hatchOf(theme, row)?.ground ?? (row.staged && row.staged[i] > 0 ? theme.staged[roleOf(row, i)].ground : null);
  const besides = place.height < size + 12 ? 12 : 0;  // of a hatch, where none shows over and under the text
  const wishes = places.filter(([, width, i]) => width >= 24 && row.text[i] !== 0)
    .map(([x, width, i, cut, waits]) => {
      const ground = groundOf(i), inset = ground ? 6 : 5;
      return {x: x + inset, room: width - 2 * inset - (ground ? besides : 0), cut, ground, forms: said(row.text[i]).split('\n'),
        ink: ground ? theme.text : inkOn(theme, waits ? theme.early : colourOf(theme, row, roleOf(row, i), shadeOf(row, i)))};
    });
  for (const {x, text, ground, ink} of evenTexts(context, wishes)) {
    if (ground) {  // the text of a wait or a staged copy is on a plain ground
      const high = Math.min(size + 6, place.height - 2);
      context.fillStyle = ground;
      box(context, x - 4, middle - high / 2, textWidth(context, text) + 8, high, 2);
      context.fill();
    }
    context.fillStyle = ink;
    context.fillText(text, x, middle + 0.5);
  }
}

/**
 * Of wishes {x, room, cut, forms} the texts {x, text}: those of one name, digits aside, that are about equally long (up to
 * ABOUT_EQUAL times the shortest) take the longest form that fits on all of them, as in gui/paint/even_labels, so that
 * labels come and go together as one zooms. What is cut by the edge of the picture is like no other.
 */
function evenTexts(context, wishes) {
  const ABOUT_EQUAL = 1.5;
  const order = (a, b) => a < b ? -1 : a > b ? 1 : 0;
  for (const wish of wishes) wish.name = wish.forms[0].replace(/\d/g, '');
  wishes.sort((a, b) => order(a.name, b.name) || order(a.cut, b.cut) || a.room - b.room);
  const written = [];
  for (let from = 0, to; from < wishes.length; from = to) {
    const first = wishes[from];
    for (to = from + 1; to < wishes.length; ++to) {
      const wish = wishes[to];
      if (wish.name !== first.name || wish.room > first.room * ABOUT_EQUAL || first.cut || wish.cut) break;
    }
    const alike = wishes.slice(from, to), most = Math.min(...alike.map(wish => wish.forms.length));
    for (let form = 0; form < most; ++form) {
      if (!alike.every(wish => textWidth(context, wish.forms[form]) <= wish.room)) continue;
      for (const wish of alike) if (wish.forms[form] !== '') written.push({...wish, text: wish.forms[form]});
      break;
    }
  }
  return written;
}

function textWidth(context, text) {
  const key = context.font + text;
  textWidth.kept ||= new Map();
  let width = textWidth.kept.get(key);
  if (width === undefined) {
    if (textWidth.kept.size > 20000) textWidth.kept.clear();
    textWidth.kept.set(key, width = context.measureText(text).width);
  }
  return width;
}

function elided(context, text, room) {
  if (textWidth(context, text) <= room) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(text.slice(0, middle) + '…').width <= room) low = middle; else high = middle - 1;
  }
  return low > 0 ? text.slice(0, low) + '…' : '';
}
