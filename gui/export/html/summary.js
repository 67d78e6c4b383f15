// Under the lanes: the legend, the differences of two, the figures as a table, the findings. All of it is the engine's.

function makeDifferences() {
  const cells = pair().differences;
  if (!cells) return null;
  const list = make('ul', {className: 'differences'});
  list.setAttribute('aria-label', word('differences'));
  list.append(make('li', {className: 'letter', textContent: head.languages && (pair().reference === 1 ? 'B → A' : 'A → B')}));
  for (const [name, words, values, change] of cells)
    list.append(make('li', {}, make('span', {className: 'muted', textContent: said(name)}), make('b', {textContent: said(words)}),
      make('span', {className: 'values', textContent: said(values) + (said(change) ? '   ' + said(change) : '')})));
  return list;
}

// What a GPU does, then the CPU, then the ribbon: role_text.cpp has the same order.
const LEGEND = [1, 24, 25, 23, 29, 26, 28, 27, 30, 18, 2, 3, 4, 5, 6, 7, 8, 14, 21, 22, 9, 10, 11, 12, 13, 34, 15, 16, 17, 19, 20, 31, 32, 33];

/**
 * Of the time of all operations in the scope, by role. Nothing where kernels are not drawn by their families, of two
 * recordings, and of what is in view: it changes with every step of the wheel.
 */
function sharesOfRoles() {
  const times = new Map();
  if (shown().length !== 1 || scope.of === 'visible') return times;
  const [from, to] = figuresRange(shown()[0]);
  let all = 0, families = false;
  for (const row of operationRows(shown()[0]))
    for (let i = endingAfter(row, from); i < row.count && row.start[i] < to; ++i) {
      const role = roleOf(row, i), length = Math.min(row.end[i], to) - Math.max(row.start[i], from);
      times.set(role, (times.get(role) || 0) + length);
      all += length;
      families ||= isOfFamily(role);
    }
  if (!families) return new Map();
  for (const [role, time] of times) times.set(role, all > 0 ? time / all : 0);
  return times;
}

/** What the colours mean, of those that are there. */
function makeLegend() {
  const theme = head.themes[themeName], has = new Set(), shares = sharesOfRoles();
  for (const recording of shown())
    for (const lane of recording.lanes)
      for (const row of lane.rows) {
        if (row.count > 0 && row.role >= 0) has.add(row.role);
        if (row.roles) for (const role of row.roles) has.add(role);
      }
  const legend = make('div', {className: 'legend'});
  for (const role of LEGEND) {
    if (!has.has(role)) continue;
    const swatch = make('canvas', {width: 26, height: 22}), context = swatch.getContext('2d');
    context.ratio = 2;
    context.scale(2, 2);
    const hatch = theme.hatches[role];
    context.fillStyle = hatch ? stripes(context, hatch) : fillOf(theme, role);
    box(context, 0.5, 0.5, 12, 10, 2);
    context.fill();
    if (hatch) {
      context.strokeStyle = hatch.edge;
      context.stroke();
    }
    swatch.setAttribute('aria-hidden', 'true');
    const share = shares.has(role) ? ' ' + shownShare(shares.get(role)) : '';
    legend.append(make('span', {}, swatch, said(head.roles[role]) + share));
  }
  return legend;
}

function makeTable() {
  const table = make('table', {id: 'summary'}, make('caption', {textContent: word('summary') + (head.scope === 'all' ? '' : ': ' + said(shown()[0].scopeText))}));
  const cell = (tag, text, scope) => make(tag, scope ? {textContent: text, scope} : {textContent: text});
  table.append(make('thead', {}, make('tr', {}, cell('th', word('figure'), 'col'),
    ...shown().map((recording, side) => cell('th', (letterOf(side) + ' ' + said(recording.title)).trim(), 'col')))));
  const body = make('tbody');
  const names = new Map(), terms = new Map();
  shown().forEach((recording, side) => recording.summary.forEach(([name, value, term]) => {
    terms.set(name, term);
    if (!names.has(name)) names.set(name, []);
    names.get(name)[side] = value;
  }));
  for (const [name, values] of names)
    body.append(make('tr', {}, head.terms && terms.get(name) ? make('th', {scope: 'row'}, make('a', {className: 'inline', href: head.terms + '#' + terms.get(name), textContent: said(name)})) : cell('th', said(name), 'row'),
      ...shown().map((recording, side) => cell('td', values[side] === undefined ? '–' : said(values[side])))));
  table.append(body);
  return make('div', {className: 'tables'}, table);
}

function makeFindings() {
  const root = make('div', {}, make('h3', {textContent: word('findings')}));
  shown().forEach((recording, side) => {
    const list = make('ul', {className: 'findings'});
    for (const [cost, title, advice] of recording.findings)
      list.append(make('li', {}, make('b', {textContent: said(cost) + ' '}), said(title) + ' ', make('span', {className: 'muted', textContent: said(advice)})));
    if (recording.findings.length === 0) list.append(make('li', {className: 'muted', textContent: word('noFindings')}));
    root.append(make('div', {className: 'letter', textContent: (letterOf(side) + ' ' + said(recording.title)).trim()}), list);
  });
  return root;
}

function makeKeys() {
  const list = make('dl');
  for (const [keys, what] of WORDS[language].keyList) list.append(make('dt', {textContent: keys}), make('dd', {textContent: what}));
  return make('details', {className: 'keys'}, make('summary', {textContent: word('keys')}), list);
}
