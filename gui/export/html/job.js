'use strict';
// The heat map of a job and its table. All figures come with the page; it draws and sorts them.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const tools = document.getElementById('tools');
  const canvas = document.querySelector('canvas');
  const tip = document.getElementById('tip');
  const unknown = 255, most = 254;
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  const bytes = data.measures.map(measure => Uint8Array.from(atob(measure.cells), letter => letter.charCodeAt(0)));
  let shown = data.first;

  const colourOf = share => {
    const ramp = isDark() ? data.dark : data.light;
    const at = share * (ramp.length - 1);
    const below = Math.min(Math.floor(at), ramp.length - 2);
    return ramp[below].map((part, i) => Math.round(part + (ramp[below + 1][i] - part) * (at - below)));
  };
  const draw = () => {
    canvas.width = data.columns;
    canvas.height = data.names.length;
    const context = canvas.getContext('2d');
    const image = context.createImageData(canvas.width, canvas.height);
    const colours = Array.from({length: most + 1}, (_, value) => colourOf(value / most));
    bytes[shown].forEach((value, i) => {
      if (value !== unknown) image.data.set([...colours[value], 255], i * 4);
    });
    context.putImageData(image, 0, 0);
  };

  const buttons = data.measures.map((measure, i) => {
    const button = document.createElement('button');
    button.textContent = measure.name;
    button.disabled = !measure.known;
    button.addEventListener('click', () => {
      shown = i;
      say();
    });
    tools.append(button);
    return button;
  });
  const make = (parent, tag, name) => {
    const made = document.createElement(tag);
    made.className = name;
    parent.append(made);
    return made;
  };
  const unit = make(tools, 'span', ''), least = make(tools, 'span', ''), bar = make(tools, 'span', 'bar'), top = make(tools, 'span', '');
  least.textContent = '0';
  const say = () => {
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(i === shown)));
    unit.textContent = data.measures[shown].unit;
    top.textContent = data.measures[shown].most + ' ' + data.andMore;
    bar.style.background = `linear-gradient(to right, ${(isDark() ? data.dark : data.light).map(part => `rgb(${part})`)})`;
    draw();
  };

  const shownTime = ns => ns >= 1e9 ? (ns / 1e9).toPrecision(3) + ' s' : ns >= 1e6 ? (ns / 1e6).toPrecision(3) + ' ms' : ns >= 1e3 ? (ns / 1e3).toPrecision(3) + ' µs' : Math.round(ns) + ' ns';
  // Names of rows, as many as fit, and times under the map.
  const names = document.getElementById('names'), axis = document.getElementById('axis'), ticks = 5;
  const label = () => {
    const each = canvas.clientHeight / data.names.length, step = Math.ceil(18 / Math.max(each, 0.1));
    names.replaceChildren();
    for (let row = 0; row < data.names.length; row += step) {
      const name = make(names, 'span', '');
      name.textContent = data.names[row];
      name.style.top = (row + 0.5) * each + 'px';
    }
  };
  for (let i = 0; i < ticks; ++i) make(axis, 'span', '').textContent = i === 0 ? '0' : shownTime(data.length * i / (ticks - 1));
  addEventListener('resize', label);

  canvas.addEventListener('pointermove', event => {
    const box = canvas.getBoundingClientRect();
    const column = Math.min(data.columns - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * data.columns)));
    const row = Math.min(data.names.length - 1, Math.max(0, Math.floor((event.clientY - box.top) / box.height * data.names.length)));
    const value = bytes[shown][row * data.columns + column];
    const measure = data.measures[shown];
    const said = value === unknown ? data.none : (value === most ? '≥ ' : '≈ ') + shownTime(value / most * measure.top);
    tip.textContent = [data.names[row], data.hosts[row], shownTime(data.length * column / data.columns), measure.name + ': ' + said].filter(text => text).join(' · ');
  });

  let sorted = -1, ascending = false;
  const body = document.querySelector('tbody');
  const fill = () => {
    const rows = data.rows.slice();
    if (sorted >= 0) rows.sort((a, b) => {
      const [x, y] = [a[sorted][0], b[sorted][0]];
      return (x < y ? -1 : x > y ? 1 : 0) * (ascending ? 1 : -1);
    });
    body.replaceChildren(...rows.map(row => {
      const line = document.createElement('tr');
      row.forEach((cell, i) => {
        const made = document.createElement('td');
        if (i === data.host) made.className = 'host';
        made.textContent = cell[1];
        line.append(made);
      });
      return line;
    }));
  };
  data.heads.forEach((head, i) => {
    const made = document.createElement('th');
    if (i === data.host) made.className = 'host';
    const button = document.createElement('button');
    button.textContent = head;
    button.addEventListener('click', () => {
      ascending = sorted === i ? !ascending : i === 0 || i === data.host;
      sorted = i;
      fill();
    });
    made.append(button);
    document.querySelector('thead tr').append(made);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', say);
  fill();
  say();
  label();
})();
