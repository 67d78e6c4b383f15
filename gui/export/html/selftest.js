// For the tests of the page: #selftest=A:B;A:B does by synthetic events what a reader does, and writes what came of it
// into the page as JSON. Nothing of it runs otherwise.
async function selftest(ranges) {
  const frame = () => {  // a browser without a window gives no frames
    drawNow();
    return new Promise(done => setTimeout(done, 0));
  };
  const result = {problems: []};
  const check = (holds, what) => holds || result.problems.push(what);
  const part = parts[0];
  const fire = (target, type, x, y, more = {}) => {
    const at = target.getBoundingClientRect();
    const Type = type === 'wheel' ? WheelEvent : type === 'dblclick' ? MouseEvent : PointerEvent;
    target.dispatchEvent(new Type(type, {bubbles: true, cancelable: true, clientX: at.left + x, clientY: at.top + y, pointerId: 7, button: 0, ...more}));
  };
  const key = name => part.plot.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true, cancelable: true}));
  await frame();
  // the wheel: what lies under it stays there
  const before = plotOf(part), x = before.left + before.width / 3, under = timeAt(before, x);
  fire(part.plot, 'wheel', x, 60, {deltaY: -500});
  await frame();
  check(view.to - view.from < (before.to - before.from) * 0.5, 'the wheel does not zoom');
  check(Math.abs(timeAt(plotOf(part), x) - under) <= (before.to - before.from) / before.width, 'the wheel moves what lies under it');
  // drag
  const from = view.from;
  fire(part.plot, 'pointerdown', x, 60);
  fire(part.plot, 'pointermove', x - 20, 60);
  fire(part.plot, 'pointermove', x - 60, 60);
  fire(part.plot, 'pointerup', x - 60, 60);
  check(view.from > from, 'a drag does not pan');
  // pinch
  const length = view.to - view.from;
  fire(part.plot, 'pointerdown', x - 20, 60);
  fire(part.plot, 'pointerdown', x + 20, 60, {pointerId: 8});
  fire(part.plot, 'pointermove', x - 21, 60);
  fire(part.plot, 'pointermove', x + 60, 60, {pointerId: 8});
  fire(part.plot, 'pointerup', x + 60, 60, {pointerId: 8});
  fire(part.plot, 'pointerup', x - 21, 60);
  check(view.to - view.from < length * 0.8, 'two fingers do not zoom');
  // keys
  for (const [name, holds] of [['s', (a, b) => b > a], ['w', (a, b) => b < a], ['ArrowUp', (a, b) => b < a], ['ArrowDown', (a, b) => b > a]]) {
    const was = view.to - view.from;
    key(name);
    check(holds(was, view.to - view.from), `key ${name} does not zoom`);
  }
  for (const [name, sign] of [['d', 1], ['a', -1], ['ArrowRight', 1], ['ArrowLeft', -1]]) {
    const was = view.from;
    key(name);
    check((view.from - was) * sign > 0, `key ${name} does not pan`);
  }
  key('0');
  await frame();
  check(view.from === extent[0] && view.to === extent[1], 'key 0 does not show everything');
  result.overlays = parts.map(each => ({plates: each.plates.map(plate => plate.text)}));
  for (const each of parts) {
    if (each.plates.length === 0) continue;
    const {ratio} = each.base.getContext('2d'), {width, height} = each.base;
    const pixels = each.base.getContext('2d').getImageData(0, 0, width, height).data;
    for (const plate of each.plates) {
      const [x, y] = [plate.x + plate.width / 2, plate.y + 0.5].map(at => Math.floor(at * ratio));
      const drawn = pixels.slice((y * width + x) * 4), accent = parseInt(head.themes[themeName].accent.slice(1), 16);
      check([16, 8, 0].every((shift, n) => Math.abs(drawn[n] - (accent >> shift & 255)) < 60), `no plate is drawn for ${plate.text}`);
    }
  }
  // hover: the longest item of each row of every recording
  result.tips = [];
  for (const each of parts) {
    for (const place of each.recording.places) {
      for (const [l, r, y, height] of place.rows) {
        const row = each.recording.lanes[l].rows[r];
        if (!row.named || row.count === 0) continue;
        let longest = 0;
        for (let i = 1; i < row.count; ++i) if (row.end[i] - row.start[i] > row.end[longest] - row.start[longest]) longest = i;
        const plot = plotOf(each), middle = (row.start[longest] + row.end[longest]) / 2;
        if (xOf(plot, middle) > plot.left + plot.width) continue;
        fire(each.plot, 'pointermove', xOf(plot, middle), y + height / 2);
        const lines = tipBox.hidden ? [] : [...tipBox.children].map(line => line.textContent);
        const hit = selection.hovered;  // what lies over the row comes first
        if (hit) result.tips.push({side: each.side, lane: each.recording.lanes.indexOf(hit.lane), row: hit.lane.rows.indexOf(hit.row), item: hit.i, lines});
        else check(false, `nothing is said of item ${longest} of row ${r} of lane ${place.lane}`);
      }
    }
    fire(each.plot, 'pointerleave', 0, 0);
  }
  check(tipBox.hidden, 'the tip stays when the mouse leaves');
  // ranges: dragged on the ruler, then those that were asked for
  const plot = plotOf(part);
  fire(part.ruler, 'pointerdown', plot.left + plot.width * 0.2, 10);
  fire(part.ruler, 'pointermove', plot.left + plot.width * 0.6, 10);
  fire(part.ruler, 'pointerup', plot.left + plot.width * 0.6, 10);
  await frame();
  const dragged = selection.range;
  check(dragged && Math.abs(xOf(plot, dragged[0]) - plot.left - plot.width * 0.2) <= 6, 'a drag on the ruler selects something else');
  const wanted = ranges.split(';').filter(text => text !== '').map(text => rangeOf(text, extent[1]));
  result.ranges = [];
  for (const range of [dragged, ...wanted]) {
    if (!range) continue;
    selectRange(...range);
    await frame();
    result.ranges.push({range: selection.range, sides: parts.map(each => ({...each.measured, text: each.figures.textContent})),
      lanes: parts.map(each => each.recording.lanes.map(lane => laneFigure(each.recording, lane, ...figuresRange(each.recording))))});
  }
  check(readLink('#' + linkText()).get('t') === selection.range.map(t => t / 1e6 + 'ms').join(':'), 'the address misses the range');
  key('Escape');
  check(selection.range === null, 'Esc keeps the range');
  check(!readLink('#' + linkText()).has('t'), 'the address keeps a range that was cleared');
  // a link says range and scope, and is followed
  followLink(readLink('#t=1us:2us&scope=visible'));
  check(selection.range && selection.range[0] === 1000 && scope.of === 'visible', 'a link with a scope is not followed');
  check(/(^|&)t=0.001ms:0.002ms&scope=visible$/.test(linkText()), `the address misses the scope: ${linkText()}`);
  key('Escape');
  chooseScope(firstScope());
  check(!/t=|scope=/.test(linkText()), `the address says what nobody chose: ${linkText()}`);
  key('0');
  // a click selects, and is spoken; a double click zooms there
  const first = result.tips.find(tip => tip.lines.length > 0);
  if (first) {
    const each = parts[first.side], at = each.recording.places.flatMap(p => p.rows).find(r => r[0] === first.lane && r[1] === first.row);
    const row = each.recording.lanes[at[0]].rows[at[1]], middle = xOf(plotOf(each), (row.start[first.item] + row.end[first.item]) / 2);
    fire(each.plot, 'pointerdown', middle, at[2] + at[3] / 2);
    fire(each.plot, 'pointerup', middle, at[2] + at[3] / 2);
    check(spoken.textContent.startsWith(first.lines[0]), 'a click is not spoken');
    fire(each.plot, 'dblclick', middle, at[2] + at[3] / 2);
    check(view.to - view.from <= Math.max((row.end[first.item] - row.start[first.item]) * 1.4, 21), 'a double click does not zoom');
    key('Escape');
    key('0');
  }
  // the keyboard: of nothing to the first in sight, from there to the next, which has arrows of its own
  selectItem(null);
  walk(1);
  const begun = selection.item;
  check(begun && spoken.textContent !== '', 'without a selection a step selects nothing');
  if (begun && begun.i + 1 < begun.row.count) {
    const links = begun.links = [];
    walk(1);
    check(selection.item.i === begun.i + 1 && selection.item.links !== links, 'a step keeps the arrows of the item before');
  }
  key('Escape');
  key('0');
  // an operation leads to its call
  const made = parts[0].recording.lanes.flatMap(lane => lane.rows.map(row => ({lane, row}))).find(each => each.row.kind === 'operation' && each.row.count > 0 && each.row.issuer[0] !== 0);
  if (made) {
    const link = linksOf({recording: parts[0].recording, part: parts[0], ...made, i: 0});
    check(link.length === 1 && link[0][0].row.start[link[0][0].i] === made.row.start[0] - made.row.delay[0], 'an operation has no arrow from its call');
    const call = link.length === 1 ? linksOf({recording: parts[0].recording, part: parts[0], lane: parts[0].recording.lanes[link[0][0].l], row: link[0][0].row, i: link[0][0].i}) : [];
    check(call.some(each => each[1].row === made.row && each[1].i === 0), 'a call has no arrow to what it made');
  }
  // a click on a lane's name folds it, another unfolds it
  const lane = parts[0].recording.places.find(place => foldedWith(parts[0].recording, place.lane).includes(place.lane));
  if (lane) {
    const high = parts[0].recording.height, at = lane.y + lane.height / 2;
    const click = y => ['pointerdown', 'pointerup'].forEach(type => fire(parts[0].plot, type, 40, y));
    click(at);
    check(isFolded(parts[0].recording, lane.lane) && parts[0].recording.height === high - lane.height + FOLDED, 'a click on a name does not fold');
    click(lane.y + FOLDED / 2);
    check(!isFolded(parts[0].recording, lane.lane) && parts[0].recording.height === high, 'another click does not unfold');
    await frame();
  }
  // steps
  result.steps = [];
  for (let i = 0; i < 3 && stepText; ++i) {
    key('.');
    result.steps.push(stepText.textContent);
  }
  result.lit = listing ? [...listing.querySelectorAll('.lit')].map(line => line.textContent) : [];
  // texts: alike ones take the same form, what is cut keeps its own text, a subtitle loses whole words
  const pen = part.base.getContext('2d');
  pen.font = '11px Inter, system-ui, sans-serif';
  const wide = textWidth(pen, 'waits for it 8');
  const forms = evenTexts(pen, [[0, wide + 1], [1, wide - 1], [2, wide * 2], [3, wide + 1, true]]
    .map(([x, room, cut = false]) => ({x, room, cut, forms: ['waits for it 8', 'waits']})));
  check(forms.map(each => each.x + each.text).sort().join() === '0waits,1waits,2waits for it 8,3waits for it 8', 'equal bars have different texts');
  check(fittingSubtitle(pen, 'stream 14 \u00b7 copy', textWidth(pen, 'stream 14 \u00b7')) === 'copy', 'a subtitle is cut before its number goes');
  check(fittingSubtitle(pen, 'NVIDIA H100 80GB HBM3', textWidth(pen, 'H100 80GB') + 1) === 'H100 80GB', 'the name of a GPU is cut within a word');
  // the other language and theme, and every other pair of recordings
  const texts = () => ({title: document.title, verdicts: [...document.querySelectorAll('.verdict')].map(v => v.textContent),
    table: [...document.querySelectorAll('#summary tr')].map(tr => [...tr.children].map(td => td.textContent)), lesson: [...document.querySelectorAll('.look span, .side p')].map(p => p.textContent)});
  result.texts = {[language]: texts()};
  if (head.languages.length > 1) {
    document.getElementById('language').click();
    await frame();
    result.texts[language] = texts();
    document.getElementById('language').click();
  }
  const was = getComputedStyle(document.body).backgroundColor;
  document.getElementById('theme').click();
  await frame();
  check(getComputedStyle(document.body).backgroundColor !== was, 'the switch does not change the colours');
  document.getElementById('theme').click();
  result.pairs = 0;
  if (head.recordings.length > 2) {
    const select = document.getElementById('lower');
    for (let i = 1; i < head.recordings.length; ++i) {
      document.getElementById('lower').value = i;
      document.getElementById('lower').dispatchEvent(new Event('change'));
      await frame();
      result.pairs += parts.length === 2 && parts[1].recording === head.recordings[i] ? 1 : 0;
    }
  }
  // frames: zooming in and out over everything, each drawn at once
  const times = [];
  for (let i = 0; i < 60; ++i) {
    zoom(i < 30 ? 1.2 : 1 / 1.2, (extent[0] + extent[1]) / 2.3);
    const begun = performance.now();
    parts.forEach(drawPart);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  result.frames = {median: times[30], worst: times[59]};
  document.body.append(make('pre', {id: 'selftest', textContent: JSON.stringify(result)}));
}
