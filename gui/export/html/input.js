// Mouse, touch and keys. A finger or the mouse drags the lanes, two fingers zoom, the wheel zooms at the cursor; on the
// ruler a drag selects a range.

function local(element, event) {
  const at = element.getBoundingClientRect(), scale = at.width > 0 && element.clientWidth > 0 ? element.clientWidth / at.width : 1;
  return [(event.clientX - at.left) * scale, (event.clientY - at.top) * scale];  // of a page that is shown large
}

function listenToPlot(part) {
  const fingers = new Map();  // by pointer: x
  let moved = 0, last = null, pinched = 0;
  const middleTime = x => timeAt(plotOf(part), x) - offsetOf(part.recording);
  part.plot.addEventListener('wheel', event => {
    const [x] = local(part.plot, event), plot = plotOf(part);
    if (x < plot.left && !event.ctrlKey) return;  // over the names the page scrolls
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const across = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(across * unit / plot.width);
    else zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.002)), middleTime(Math.max(x, plot.left)));
  }, {passive: false});
  part.plot.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    const [x] = local(part.plot, event);
    fingers.set(event.pointerId, x);
    if (fingers.size === 1) moved = 0;
    last = x;
    pinched = 0;
    capture(part.plot, event);
  });
  part.plot.addEventListener('pointermove', event => {
    const [x, y] = local(part.plot, event), plot = plotOf(part);
    if (!fingers.has(event.pointerId)) {
      hover(part, x, y, event.clientX, event.clientY);
      return;
    }
    fingers.set(event.pointerId, x);
    if (fingers.size === 2) {
      const [a, b] = [...fingers.values()], apart = Math.max(Math.abs(a - b), 10);
      if (pinched > 0) zoom(apart / pinched, middleTime((a + b) / 2));
      pinched = apart;
      moved = 99;
      return;
    }
    moved += Math.abs(x - last);
    if (moved > 4) {
      part.plot.classList.add('held');
      leave();
      pan((last - x) / plot.width);
    }
    last = x;
  });
  const up = event => {
    if (!fingers.delete(event.pointerId)) return;
    part.plot.classList.remove('held');
    const [x, y] = local(part.plot, event);
    if (fingers.size > 0) last = [...fingers.values()][0];
    else if (moved <= 4 && event.type === 'pointerup') {
      const named = x < plotOf(part).left && part.recording.places.find(place => y >= place.y && y < place.y + place.height);
      if (named) fold(part, named.lane);
      else selectItem(itemAt(part, x, y));
      if (event.pointerType === 'touch') hover(part, x, y, event.clientX, event.clientY);
    }
  };
  part.plot.addEventListener('pointerup', up);
  part.plot.addEventListener('pointercancel', up);
  part.plot.addEventListener('pointerleave', leave);
  part.plot.addEventListener('dblclick', event => {
    const hit = itemAt(part, ...local(part.plot, event));
    if (!hit) return;
    const from = hit.row.start[hit.i] - offsetOf(part.recording), to = hit.row.end[hit.i] - offsetOf(part.recording);
    show(from - (to - from) * 0.15, to + (to - from) * 0.15);
  });
}

function listenToRuler(part) {
  let begun = null;
  part.ruler.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    begun = snapped(part, local(part.ruler, event)[0], event.altKey);
    selectRange(null);
    capture(part.ruler, event);
  });
  part.ruler.addEventListener('pointermove', event => {
    if (begun !== null) selectRange(begun, snapped(part, local(part.ruler, event)[0], event.altKey));
  });
  for (const end of ['pointerup', 'pointercancel'])
    part.ruler.addEventListener(end, () => { begun = null; });
}

/** The element gets what this pointer does until it is up, wherever that is. */
function capture(element, event) {
  try {
    element.setPointerCapture(event.pointerId);
  } catch (error) {
    // the pointer is gone already, or a test made it
  }
}

function listenToKeys() {
  const commands = {
    w: () => zoom(1.4, selection.cursor ?? undefined), s: () => zoom(1 / 1.4, selection.cursor ?? undefined),
    a: () => pan(-0.15), d: () => pan(0.15), ArrowLeft: () => pan(-0.15), ArrowRight: () => pan(0.15),
    ArrowUp: () => zoom(1.4), ArrowDown: () => zoom(1 / 1.4), '+': () => zoom(1.4), '-': () => zoom(1 / 1.4),
    0: showAll, Home: showAll, Enter: () => selection.range ? show(...selection.range) : walk(0),
    Escape: () => {
      selectRange(null);
      selectItem(null);
    },
    c: () => {
      const hit = selection.item || selection.hovered;
      if (hit) fold(hit.part, hit.recording.lanes.indexOf(hit.lane));
    },
    '.': () => selection.item || !stepText ? walk(1) : goStep(1), ',': () => selection.item || !stepText ? walk(-1) : goStep(-1),
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const onLanes = event.target.classList && event.target.classList.contains('plot');
    const named = event.key.length > 1;
    if (event.key === 'Enter' && !onLanes) return;
    if (/^Arrow(Up|Down)$|^Home$/.test(event.key) && !onLanes) return;  // the page scrolls
    const command = commands[named ? event.key : event.key.toLowerCase()];
    if (!command) return;
    event.preventDefault();
    command();
  });
}
