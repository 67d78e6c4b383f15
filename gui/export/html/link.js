// Links to a part of the page: #a=blocking&b=overlapped&t=2ms:3ms&scope=all shows these variants, that time, and figures
// of that scope; ?embed shows the lanes alone, to be framed by a page of somebody's own. What a reader chooses is written
// into the address.
const readLink = (hash = location.hash) => new URLSearchParams(hash.slice(1));
const firstScope = () => head.scope === 'selected' ? 'all' : head.scope;

function numberOf(variant) {
  return head.recordings.findIndex(recording => recording.variant === variant);
}

/** The variants of a link; false where it names none, or one that there is not. */
function chooseByLink(link) {
  const sides = ['a', 'b'].map(side => link.get(side));
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

/** What the address says, at the start and whenever it changes. */
function followLink(link = readLink()) {
  if (link.has('selftest')) return;
  if (chooseByLink(link)) {
    build();
    measureExtent();
    showAll();
  }
  const time = link.has('t') ? rangeOf(link.get('t'), extent[1]) : null;
  if (time) {
    show(...time);
    selectRange(...time);
  }
  const of = link.get('scope');
  if (scopes.includes(of) && isScope(of)) chooseScope(of);
}

/** That leads to what is chosen; '' for what the page opens with. */
function linkText() {
  const link = new URLSearchParams();
  if (head.recordings[0].variant)
    ['a', 'b'].forEach((side, n) => link.set(side, head.shown[n] === undefined ? '' : head.recordings[head.shown[n]].variant));
  if (selection.range) link.set('t', selection.range.map(t => t / 1e6 + 'ms').join(':'));
  if (scope.of !== (selection.range ? 'selected' : firstScope())) link.set('scope', scope.of);
  return link.toString().replace(/%3A/g, ':');
}

function writeLink() {
  const link = linkText();
  try {
    history.replaceState(null, '', link ? '#' + link : location.pathname + location.search);
  } catch (error) {
    // some browsers keep the address of a file as it is
  }
}

let linkTimer = 0;

/** Once the reader rests: browsers take few changes of an address in a second. */
function writeLinkLater() {
  if (readLink().has('selftest') || document.documentElement.dataset.ready !== 'yes') return;
  clearTimeout(linkTimer);
  linkTimer = setTimeout(writeLink, 150);
}
