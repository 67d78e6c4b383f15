// The lesson beside the lanes: what to look at, why, the rule; which runs are under one another; its code, of which
// the line is lit that made what the mouse is on; and the run step by step.
let codeName = null;
let stepSide = 0, stepAt = -1;
let listing = null, stepText = null, stepCode = null;

const pair = () => head.pairs[head.shown.join('-')];

function makeSide() {
  const side = make('aside', {className: 'side'});
  const recordings = head.recordings;
  if (recordings.length > 2) side.append(makeChoice());
  const lesson = pair().lesson;
  if (lesson) {
    ['found', 'why', 'rule'].forEach((id, n) => {
      const lines = said(lesson[n]).split('\n').filter(line => line !== '').slice(n === 0 ? 1 : 0);
      if (lines.length > 0) side.append(make('h3', {textContent: word(id)}), ...lines.map(line => make('p', {textContent: line})));
    });
  }
  return side.childElementCount > 0 ? side : null;
}

/** What to look at, over the lanes: it comes before what there is to be found. */
function makeLook() {
  const lesson = pair().lesson, text = lesson ? said(lesson[0]).split('\n')[0] : '';
  return text === '' ? null : make('p', {className: 'look'}, make('b', {textContent: word('look') + ' '}), make('span', {textContent: text}));
}

/** Two boxes: which recording stands above, which below. */
function makeChoice() {
  const choice = make('div', {className: 'choice'});
  ['upper', 'lower'].forEach((id, side) => {
    const select = make('select', {id});
    if (side === 1) select.append(make('option', {value: -1, textContent: word('alone')}));
    head.recordings.forEach((recording, i) => select.append(make('option', {value: i, textContent: said(recording.title)})));
    select.value = head.shown[side] ?? -1;
    select.addEventListener('change', () => choose(side, Number(select.value)));
    choice.append(make('label', {}, make('span', {className: 'muted', textContent: word(id)}), select));
  });
  return choice;
}

/** Recording `number` on a side; that of the other side changes place with it where it is the same. -1: none. */
function choose(side, number) {
  const next = [...head.shown];
  if (next[1 - side] === number) next[1 - side] = next[side];
  next[side] = number;
  head.shown = next.filter(n => n !== undefined && n >= 0);
  Object.assign(selection, {range: null, item: null, hovered: null, step: null});
  if (scope.of === 'selected') scope.of = scope.before;
  stepSide = 0;
  stepAt = -1;
  build();
  measureExtent();
  showAll();
  writeLinkLater();
}

function makeSteps() {
  const root = make('div', {className: 'steps'});
  const back = make('button', {textContent: '◀', title: word('previous') + ' (,)'}), on = make('button', {textContent: '▶', title: word('next') + ' (.)'});
  back.setAttribute('aria-label', word('previous'));
  on.setAttribute('aria-label', word('next'));
  back.addEventListener('click', () => goStep(-1));
  on.addEventListener('click', () => goStep(1));
  const bar = make('div', {className: 'tools'}, make('b', {textContent: word('step')}), back, on);
  if (head.shown.length > 1)
    shown().forEach((recording, side) => {
      const button = make('button', {textContent: letterOf(side), title: said(recording.title)});
      button.setAttribute('aria-pressed', side === stepSide);
      button.addEventListener('click', () => {
        stepSide = side;
        stepAt = -1;
        bar.querySelectorAll('[aria-pressed]').forEach((each, n) => each.setAttribute('aria-pressed', n === side));
        goStep(1);
      });
      bar.append(button);
    });
  stepText = make('p', {textContent: word('noStep'), id: 'step'});
  stepText.setAttribute('aria-live', 'polite');
  stepCode = make('pre', {className: 'step-code', hidden: true});
  root.append(bar, stepText, stepCode);
  return root;
}

/** One step on (1) or back (-1): the line moves there, in words and in code. */
function goStep(by) {
  const recording = shown()[Math.min(stepSide, head.shown.length - 1)];
  if (!stepText || recording.steps.length === 0) return;
  stepAt = Math.min(Math.max(stepAt + by, 0), recording.steps.length - 1);
  const [time, text, step] = recording.steps[stepAt];
  selection.step = time - offsetOf(recording);
  stepText.textContent = word('stepAt', stepAt + 1, recording.steps.length, shownTick(time, 10, recording.wall)) + '\n' + said(text);
  stepText.style.whiteSpace = 'pre-line';
  lightCode(step, recording);
  bringIntoSight(selection.step, selection.step);
  parts.forEach(drawOver);
}

/** All steps of the upper run as a list, for those who read the page instead of looking at it. */
function makeStepList() {
  const recording = shown()[Math.min(stepSide, head.shown.length - 1)];
  if (recording.steps.length === 0) return '';
  const root = make('details', {className: 'keys steps-list'}, make('summary', {textContent: word('allSteps')}));
  root.addEventListener('toggle', () => {
    if (root.querySelector('ol')) return;
    root.append(...shown().flatMap((each, side) => [make('h3', {textContent: (letterOf(side) + ' ' + said(each.title)).trim()}),
      make('ol', {}, ...each.steps.map(([time, text]) => make('li', {textContent: shownTick(time, 10, each.wall) + '  ' + said(text).replace(/\n/g, '. ')})))]));
  });
  return root;
}

function makeCode() {
  const names = Object.keys(head.code).filter(name => head.code[name] !== '').sort().reverse();
  codeName ||= names[0];
  const bar = make('div', {className: 'tools'}, make('h3', {textContent: word('code')}));
  for (const name of names) {
    const button = make('button', {textContent: name});
    button.setAttribute('aria-pressed', name === codeName);
    button.addEventListener('click', () => {
      codeName = name;
      bar.querySelectorAll('button').forEach(each => each.setAttribute('aria-pressed', each.textContent === name));
      fillListing();
    });
    bar.append(button);
  }
  listing = make('div', {className: 'listing', tabIndex: 0});
  listing.setAttribute('role', 'region');
  listing.setAttribute('aria-label', word('code'));
  fillListing();
  return [bar, listing];
}

function fillListing() {
  const lines = head.code[codeName].replace(/\n$/, '').split('\n');
  listing.replaceChildren(make('ol', {}, ...lines.map(line => make('li', {textContent: line}))));
}

/** Lights the line of a step (from 1; 0: none) of a recording's workload. */
function lightCode(step, recording) {
  if (!listing || !listing.isConnected) return;
  listing.querySelectorAll('.lit').forEach(each => each.classList.remove('lit'));
  const lines = step > 0 ? recording.lines[step - 1] : null;
  const line = lines ? lines[codeName === 'PyTorch' ? 0 : 1] : 0;
  const item = line > 0 ? listing.querySelectorAll('li')[line - 1] : null;
  if (stepCode) stepCode.hidden = !item || selection.step === null;
  if (!item) return;
  item.classList.add('lit');
  if (stepCode) stepCode.textContent = line + '  ' + item.textContent.trim();
}
