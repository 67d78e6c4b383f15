// Times, sizes and shares as the engine prints them (engine/analysis/words/shown.h), and where a ruler's ticks go.

/** "48.8 ms": three significant digits or more. */
function shownTime(ns) {
  if (ns === 0) return '0 ms';
  const units = [[' ns', 1], [' µs', 1e3], [' ms', 1e6], [' s', 1e9]];
  let unit = 0;
  while (unit + 1 < units.length && Math.abs(ns) >= 999.5 * units[unit][1]) ++unit;
  const value = ns / units[unit][1];
  const decimals = unit === 0 || Math.abs(value) >= 99.95 ? 0 : Math.abs(value) < 9.995 ? 2 : 1;
  return value.toFixed(decimals) + units[unit][0];
}

function shownBytes(bytes) {
  const names = [' B', ' KiB', ' MiB', ' GiB', ' TiB'];
  let unit = 0;
  while (bytes >= 1024 && unit + 1 < names.length) {
    bytes /= 1024;
    ++unit;
  }
  return bytes.toFixed(Number.isInteger(bytes) || bytes >= 99.95 ? 0 : 1) + names[unit];
}

/** "56.9 GB/s", "2.45 MB/s"; `rate` in bytes per ns. */
function shownRate(rate) {
  const [name, unit] = [[' GB/s', 1e9], [' MB/s', 1e6], [' kB/s', 1e3]].find(u => rate * 1e9 >= u[1] / 10) || [' B/s', 1];
  const value = rate * 1e9 / unit;
  return Number(value.toFixed(value < 9.9995 ? 2 : value < 99.995 ? 1 : 0)) + name;
}

function shownShare(share) {
  const percent = language === 'zh_CN' ? '%' : ' %';
  if (share > 0 && share < 0.005) return '< 1' + percent;
  if (share < 1 && share >= 0.995) return '> 99' + percent;
  return Math.round(share * 100) + percent;
}

/** `t` in the unit of `reference`, rounded to the decimals that steps of `step` ns need. */
function shownTick(t, step, reference) {
  const [name, unit] = [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]].find(u => Math.abs(reference) >= u[1]) || ['ns', 1];
  if (t === 0) return '0 ' + name;
  let decimals = 0, least = unit;
  for (; least > 1 && step % least !== 0; least /= 10) ++decimals;
  const rounded = Math.floor((Math.abs(t) + Math.floor(least / 2)) / least) * least;
  let text = String(Math.floor(rounded / unit));
  if (decimals > 0) text += '.' + String(rounded % unit / least).padStart(decimals, '0');
  return (t < 0 ? '−' : '') + text + ' ' + name;
}

/** The smallest of 1, 2, 5 · 10^k ns that is at least `least` ns. */
function niceStep(least) {
  for (let power = 1; power < 1e18; power *= 10)
    for (const digit of [1, 2, 5])
      if (digit * power >= least) return digit * power;
  return 1e18;
}

/** "2ms:5.5ms" in ns, either side may be empty; null where it is no range. */
function rangeOf(text, longest) {
  const time = part => {
    const match = /^\s*(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s)?\s*$/.exec(part);
    return match ? Math.round(Number(match[1]) * {ns: 1, us: 1e3, 'µs': 1e3, ms: 1e6, s: 1e9}[match[2] || 'ns']) : NaN;
  };
  const parts = text.split(':');
  if (parts.length !== 2) return null;
  const from = parts[0].trim() === '' ? 0 : time(parts[0]);
  const to = parts[1].trim() === '' ? longest : time(parts[1]);
  return from < to ? [from, to] : null;
}
