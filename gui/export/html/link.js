// Links to a part of the page: #a=blocking&b=overlapped&t=2ms:3ms shows these variants and that time; ?embed shows the
// lanes alone, to be framed by a page of somebody's own. What a reader chooses is written into the address.
const readLink = () => new URLSearchParams(location.hash.slice(1));

function numberOf(variant) {
  return head.recordings.findIndex(recording => recording.variant === variant);
}

/** The variants of the address; false where it names none, or one that there is not. */
function chooseByLink() {
  const link = readLink(), sides = ['a', 'b'].map(side => link.get(side));
  if (sides.every(name => name === null)) return false;
  const next = sides.map((name, side) => name === null ? head.shown[side] : name === '' ? -1 : numberOf(name));
  if (sides.some((name, side) => name && next[side] < 0) || (next[0] ?? -1) < 0) return false;
  if (next[0] === next[1]) {
    const other = head.recordings.findIndex((_, i) => i !== next[0]);
    if (sides[0] === null) next[0] = other;
    else next[1] = sides[1] === null ? other : -1;
  }
  head.shown = next.filter(n => n !== undefined && n >= 0);
  return true;
}

function timeByLink() {
  const text = readLink().get('t');
  return text === null ? null : rangeOf(text, extent[1]);
}

/** What the address says, at the start and whenever it changes. */
function followLink() {
  if (location.hash.startsWith('#selftest')) return;
  if (chooseByLink()) {
    build();
    measureExtent();
    showAll();
  }
  const time = timeByLink();
  if (time) {
    show(...time);
    selectRange(...time);
  }
}

function writeLink() {
  if (location.hash.startsWith('#selftest') || !head.recordings[0].variant) return;
  const link = new URLSearchParams();
  ['a', 'b'].forEach((side, n) => link.set(side, head.shown[n] === undefined ? '' : head.recordings[head.shown[n]].variant));
  if (selection.range) link.set('t', selection.range.map(t => t / 1e6 + 'ms').join(':'));
  try {
    history.replaceState(null, '', '#' + link.toString().replace(/%3A/g, ':'));
  } catch (error) {
    // some browsers keep the address of a file as it is
  }
}
