// The figures of a range, exact, as docs/definitions.md defines them: the page's only computation. A test compares them
// with the engine's (engine/analysis/figures/range_index.h).

/** The first item of a row that ends after `t`. log n. */
function endingAfter(row, t) {
  let low = 0, high = row.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.end[middle] <= t) low = middle + 1; else high = middle;
  }
  return low;
}

/** The same, known not to be before `i`; log of how far it is from there. */
function endingAfterFrom(row, t, i) {
  let step = 1;
  while (i + step <= row.count && row.end[i + step - 1] <= t) step *= 2;
  let low = i + (step >> 1), high = Math.min(i + step - 1, row.count);
  if (step === 1) low = high = i;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.end[middle] <= t) low = middle + 1; else high = middle;
  }
  return low;
}

/** How long a row was busy before `t`. log n. */
function busyBefore(row, t) {
  const i = endingAfter(row, t);
  return row.before[i] + (i < row.count && row.start[i] < t ? t - row.start[i] : 0);
}

function busyIn(row, from, to) {
  return to > from ? busyBefore(row, to) - busyBefore(row, from) : 0;
}

/** The union of the items of several rows that `wanted` lets through, as a row. n log n. */
function union(rows, wanted = () => true) {
  const parts = [];
  for (const row of rows)
    for (let i = 0; i < row.count; ++i)
      if (wanted(row, i)) parts.push([row.start[i], row.end[i]]);
  parts.sort((a, b) => a[0] - b[0]);
  const start = [], end = [], before = [0];
  for (const [from, to] of parts) {
    const last = end.length - 1;
    if (last >= 0 && from <= end[last]) end[last] = Math.max(end[last], to);
    else start.push(from), end.push(to);
  }
  end.forEach((to, i) => before.push(before[i] + to - start[i]));
  return {count: end.length, start, end, before};
}

const roleOf = (row, i) => row.roles ? row.roles[i] : row.role;
const PLAIN_SHADE = 2;
const shadeOf = (row, i) => row.shades ? row.shades[i] : PLAIN_SHADE;
/** The colour of a role, in a shade of its names where it is a family. */
const fillOf = (theme, role, shade = PLAIN_SHADE) => Array.isArray(theme.items[role]) ? theme.items[role][shade] : theme.items[role];
/** Relative, with the flare of a screen: contrast is the ratio of two. */
function luminance(colour) {
  const [r, g, b] = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b + .05;
}
/** The colour of a text on a fill, as Theme::textOn(). */
function inkOn(theme, fill) {
  const pale = luminance(theme.background) > .3 ? theme.background : '#ffffff';
  return luminance(fill) >= Math.sqrt(luminance(pale) * luminance(theme.ink)) ? theme.ink : pale;
}
const KERNEL = 1, H2D = 2, H2H = 6, MEMSET = 7, COMMUNICATION = 18, ATTENTION = 23, OTHER = 30, ROLES = 36;  // of ItemRole
/** Kernels have their own role, or that of their family. */
const isOfFamily = role => role >= ATTENTION && role <= OTHER;
const isKernel = role => role === KERNEL || role === COMMUNICATION || isOfFamily(role);
const SHORT = ['', 'kernel', 'H2D', 'D2H', 'D2D', 'P2P', 'H2H', 'memset'];

/** The rows of streams or engines: all operations of a recording. */
function operationRows(recording) {
  return recording.operations ||= recording.lanes.flatMap(lane => lane.rows.filter(row => row.kind === 'operation'));
}

/** Bytes moved in `time` of `length`, rounded down. */
function bytesIn(bytes, time, length) {
  const product = bytes * time;
  return product <= Number.MAX_SAFE_INTEGER ? Math.floor(product / length)
    : Number(BigInt(bytes) * BigInt(time) / BigInt(length));
}

/** What held waits of a row cost in a range, in ns: of one that reaches out of it in proportion. */
function costIn(row, from, to) {
  if (!row.costs || from >= to) return 0;
  const before = t => {
    const i = endingAfter(row, t), over = i < row.count ? t - row.start[i] : 0;
    return over <= 0 ? row.costs[i]
      : row.costs[i] + Math.trunc((row.costs[i + 1] - row.costs[i]) * over / (row.end[i] - row.start[i]));
  };
  return before(to) - before(from);
}

/** More than the busiest stream leaves of a range, less what its pageable copies would save, waits cannot cost. */
function mostThatWaitsCost(recording, from, to) {
  const busy = new Map();
  for (const lane of recording.lanes) {
    if (lane.stream < 0) continue;
    lane.busy ||= union(lane.rows.filter(row => row.kind === 'operation'));
    busy.set(lane.stream, (busy.get(lane.stream) || 0) + busyIn(lane.busy, from, to));
  }
  for (const [stream, start, end, saved] of recording.staged) {
    const part = Math.min(Math.max(Math.min(end, to) - Math.max(start, from), 0), saved);
    if (busy.has(stream)) busy.set(stream, busy.get(stream) - part);
  }
  return Math.max(0, Math.min(to, recording.lastEnd) - from - Math.max(0, ...busy.values()));
}

/** All that is said of [from, to) of a recording. Linear in the operations of the range. */
function rangeFigures(recording, from, to) {
  const a = Math.min(Math.max(from, 0), recording.duration);
  const b = Math.min(Math.max(to, a), recording.duration);
  const levels = recording.lanes.length > 0 ? recording.lanes[0].rows.filter(row => row.kind === 'overlap') : [];
  const kinds = Array.from({length: 8}, () => ({count: 0, bytes: 0, busy: 0}));
  const result = {length: to - from, busy: levels[0] ? busyIn(levels[0], a, b) : 0,
    overlap: levels[1] ? busyIn(levels[1], a, b) : 0, blocked: null, waitCost: null, kinds};
  if (recording.knowsBlocked && recording.firstThread >= 0) {
    const waits = recording.lanes[recording.firstThread].rows.filter(row => row.kind === 'blocked');
    result.blocked = waits.reduce((sum, row) => sum + busyIn(row, a, b), 0);
    if (!recording.filtered) {
      const cost = waits.reduce((sum, row) => sum + costIn(row, a, b), 0);
      result.waitCost = cost === 0 ? 0 : Math.min(cost, mostThatWaitsCost(recording, a, b));
    }
  }
  if (b <= a) return result;
  for (const row of operationRows(recording)) {
    for (let i = Math.max(endingAfter(row, a) - 1, 0); i < row.count && row.start[i] <= b; ++i) {
      const start = row.start[i], end = row.end[i];
      if (end > start ? start >= b || end <= a : start < a) continue;
      const role = roleOf(row, i);
      const kind = kinds[isKernel(role) ? KERNEL : role];
      ++kind.count;
      kind.bytes += end === start ? row.bytes[i]
        : bytesIn(row.bytes[i], Math.min(b, end) - start, end - start) - bytesIn(row.bytes[i], Math.max(a - start, 0), end - start);
    }
  }
  recording.unions ||= [];
  for (let kind = H2D; kind <= H2H; ++kind) {
    if (kinds[kind].count === 0) continue;
    recording.unions[kind] ||= union(operationRows(recording), (row, i) => roleOf(row, i) === kind);
    kinds[kind].busy = busyIn(recording.unions[kind], a, b);
  }
  return result;
}

/** The figures in words, as the window has them beside a selected range. */
function rangeWords(recording, figures) {
  const share = part => shownShare(figures.length > 0 ? part / figures.length : 0);
  const words = [word('time', shownTime(figures.length)), word('busy', share(figures.busy)), word('overlap', share(figures.overlap))];
  if (figures.blocked !== null) {
    const cost = figures.waitCost === null || figures.blocked === 0 ? ''
      : figures.waitCost > 0 ? word('waitCost', shownTime(figures.waitCost)) : word('noWaitCost');
    words.push(word('blocked', shownTime(figures.blocked)) + cost);
  }
  const directions = [];
  for (let kind = H2D; kind <= H2H; ++kind)
    if (figures.kinds[kind].bytes > 0) directions.push([figures.kinds[kind], SHORT[kind]]);
  directions.sort((a, b) => b[0].bytes - a[0].bytes);
  for (const [of, name] of directions.slice(0, 2))
    words.push(of.busy > 0 ? word('moved', shownBytes(of.bytes), name, shownRate(of.bytes / of.busy)) : shownBytes(of.bytes) + ' ' + name);
  const rest = directions.slice(2).reduce((sum, [of]) => sum + of.bytes, 0);
  if (rest > 0) words.push(word('otherCopies', shownBytes(rest)));
  const count = (n, one, many) => n > 0 && words.push(n === 1 ? word(one) : word(many, n.toLocaleString('en')));
  count(figures.kinds[KERNEL].count, 'kernel', 'kernels');
  count(figures.kinds.slice(H2D, H2H + 1).reduce((sum, of) => sum + of.count, 0), 'copy', 'copies');
  count(figures.kinds[MEMSET].count, 'memset', 'memsets');
  if (recording.filtered) words.push(word('filtered'));
  return words.join(' · ');
}

/** Whether a thread's waits cost a hundredth of the range or more: less is not spoken of. */
function isHeld(lane, from, to) {
  const cost = lane.rows.reduce((sum, row) => sum + costIn(row, from, to), 0);
  return lane.figure === 'blocked' && cost > 0 && cost >= Math.trunc((to - from) / 100);
}

/** How busy a lane is in a range, in ns: of the ribbon its overlap, of a thread how long it waited. Null: unknown. */
function laneFigure(recording, lane, from, to) {
  const rows = kind => lane.rows.filter(row => row.kind === kind);
  const sum = list => list.reduce((time, row) => time + busyIn(row, from, to), 0);
  if (lane.figure === 'overlap') {
    const levels = rows('overlap');
    return levels.length < 2 ? null : busyIn(levels[1], from, to);
  }
  if (lane.figure === 'blocked') return lane.knowsBlocked && lane.rows.length > 0 ? sum(rows('blocked')) : null;
  if (lane.figure === 'busyOfGpu') {
    const own = recording.lanes.filter(l => l.gpu === lane.gpu && l.figure === 'busy');
    lane.union ||= union(own.flatMap(l => l.rows));
    return busyIn(lane.union, from, to);
  }
  if (lane.rows.length === 0) return null;
  if (lane.rows.length === 1) return busyIn(lane.rows[0], from, to);
  lane.union ||= union(lane.rows);
  return busyIn(lane.union, from, to);
}
