// Puts the page together, and anew whenever its language, colours or recordings change.

/** What a reader chose holds on other pages, too, where the browser keeps it for files. */
function remembered(key, value) {
  try {
    if (value !== undefined) localStorage.setItem('lanescope.' + key, value);
    return localStorage.getItem('lanescope.' + key);
  } catch (error) {
    return null;
  }
}

function takeTheme() {
  const chosen = document.documentElement.dataset.theme;
  themeName = chosen || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  remembered('theme', name);
  takeTheme();
  build();
  redraw();
}

function setLanguage(name) {
  language = name;
  document.documentElement.lang = name === 'zh_CN' ? 'zh-CN' : 'en';
  remembered('language', name);
  build();
  redraw();
}

const isLarge = () => document.documentElement.dataset.large === 'yes';

/** For a projector: all of the page larger. */
function setLarge(on) {
  document.documentElement.dataset.large = on ? 'yes' : 'no';
  remembered('large', on ? 'yes' : 'no');
  build();
  redraw();
}

function makeTools() {
  const tools = document.getElementById('tools');
  const button = (id, text, title, act) => {
    const made = make('button', {id, textContent: text, title});
    made.setAttribute('aria-label', title);
    made.addEventListener('click', act);
    return made;
  };
  const field = make('input', {id: 'range', placeholder: word('rangeHint'), autocomplete: 'off', spellcheck: false});
  field.setAttribute('aria-label', word('range'));
  field.addEventListener('change', () => {
    const range = rangeOf(field.value, extent[1]);
    field.setCustomValidity(range || field.value.trim() === '' ? '' : word('rangeWrong'));
    field.reportValidity();
    if (range) selectRange(...range);
    else if (field.value.trim() === '') selectRange(null);
  });
  tools.replaceChildren();
  ['index', 'before', 'after'].forEach((id, n) => {
    if (head.links[n]) tools.append(make('a', {className: 'link', href: head.links[n], textContent: word(id)}));
  });
  if (head.devices.length > 1) {
    const other = make('select', {id: 'device', title: word('device')}, ...head.devices.map(([name, link]) => make('option', {value: link, textContent: name})));
    other.setAttribute('aria-label', word('device'));
    other.value = decodeURIComponent(location.pathname.split('/').pop());
    other.addEventListener('change', () => { location.href = other.value + location.hash; });
    tools.append(other);
  }
  const choice = make('select', {id: 'scope', title: word('scope')},
    ...scopes.map(of => make('option', {value: of, textContent: word('scope_' + of)})));
  choice.setAttribute('aria-label', word('scope'));
  choice.addEventListener('change', () => chooseScope(choice.value));
  tools.append(choice);
  tools.append(button('in', '+', word('zoomIn') + ' (W)', () => zoom(1.6)), button('out', '−', word('zoomOut') + ' (S)', () => zoom(1 / 1.6)),
    button('all', word('all'), word('all') + ' (0)', showAll), field, button('clear', '×', word('rangeClear') + ' (Esc)', () => selectRange(null)),
    button('theme', word(themeName === 'dark' ? 'light' : 'dark'), word('theme'), () => setTheme(themeName === 'dark' ? 'light' : 'dark')));
  tools.append(button('large', word('large'), word('largeWhat'), () => setLarge(!isLarge())));
  document.getElementById('large').setAttribute('aria-pressed', isLarge());
  if (head.languages.length > 1)
    tools.append(button('language', word('other'), word('language'), () => setLanguage(language === 'en' ? 'zh_CN' : 'en')));
}

function build() {
  const page = document.getElementById('page');
  document.title = said(head.title);
  document.getElementById('title').textContent = said(head.title);
  makeTools();
  parts = shown().map(makePart);
  Object.assign(selection, {item: null, hovered: null, cursor: null});
  const lanes = make('div', {className: 'lanes'}), look = makeLook();
  if (document.documentElement.dataset.embed === 'yes')
    lanes.append(make('p', {className: 'whole'}, make('a', {className: 'inline', href: location.pathname + location.hash, target: '_blank', textContent: word('whole', said(head.title))})));
  if (look) lanes.append(look);
  lanes.append(parts[0].root);
  const differences = makeDifferences();
  if (differences) lanes.append(differences);
  const waterfall = makeWaterfall();
  if (waterfall) lanes.append(waterfall);
  if (parts[1]) lanes.append(parts[1].root);
  lanes.append(makeLegend());
  const shell = make('div', {className: 'shell'}, lanes), side = makeSide();
  if (side) shell.append(side);
  const code = head.code && (head.code.PyTorch || head.code.CUDA) ? make('section', {className: 'code'}, ...makeCode()) : '';
  const steps = shown().some(recording => recording.steps.length > 0) ? makeSteps() : '';
  page.replaceChildren(make('div', {className: 'with-steps'}, shell, code, steps),
    make('div', {className: 'about'}, makeTable(), makeFindings()), makeStepList(), makeKeys(), tipBox, spoken);
  new ResizeObserver(() => document.documentElement.style.setProperty('--step-bar', (steps.offsetHeight || 0) + 'px')).observe(steps || page);
  spoken.setAttribute('aria-live', 'polite');
  tipBox.hidden = true;
  for (const part of parts) {
    listenToPlot(part);
    listenToRuler(part);
  }
  sayScope();
}

/** Print is light and shows what is in sight, all lanes of it. */
function listenToPrinter() {
  let before = 'light';
  addEventListener('beforeprint', () => {
    before = themeName;
    themeName = 'light';
    document.querySelectorAll('.quiz').forEach(each => { each.open = true; });
    document.querySelector('.legend').replaceWith(makeLegend());
    parts.forEach(part => {
      part.printed = true;
      drawPart(part);
    });
  });
  addEventListener('afterprint', () => {
    themeName = before;
    document.querySelector('.legend').replaceWith(makeLegend());
    parts.forEach(part => { part.printed = false; });
    redraw();
  });
}

async function start() {
  const say = text => document.getElementById('page').append(make('p', {className: 'notice', textContent: text}));
  if (typeof DecompressionStream === 'undefined') return say(word('old'));
  try {
    await readPage();
  } catch (error) {
    return say(word('broken', error.message));
  }
  const theme = remembered('theme'), wanted = remembered('language');
  if (!document.documentElement.dataset.theme && /^(light|dark)$/.test(theme || '')) document.documentElement.dataset.theme = theme;
  if (head.languages.includes(wanted)) language = wanted;
  document.documentElement.lang = language === 'zh_CN' ? 'zh-CN' : 'en';
  if (remembered('large') === 'yes') document.documentElement.dataset.large = 'yes';
  if (new URLSearchParams(location.search).has('embed')) document.documentElement.dataset.embed = 'yes';
  takeTheme();
  scope.of = scope.before = firstScope();
  build();
  measureExtent();
  showAll();
  if (head.view) show(...head.view);
  openedWith = view.from + ':' + view.to;
  fadeOthers();
  if (head.selected) selectRange(...head.selected);
  followLink();
  addEventListener('hashchange', () => followLink());
  listenToKeys();
  listenToPrinter();
  addEventListener('resize', redraw);
  addEventListener('scroll', redraw, {passive: true});
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    takeTheme();
    build();
    redraw();
  });
  document.documentElement.dataset.ready = 'yes';
  if (location.hash.startsWith('#selftest')) await selftest(location.hash.slice(10));
}
