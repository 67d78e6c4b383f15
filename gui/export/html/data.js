// The data of the page: packed in base64 and deflate, it opens as four bytes of length, JSON, then the columns of all
// rows in the order in which the JSON has them. page_columns.h says what a row's columns are.
let head = null;  // the JSON

/** A text of the recordings by its number, in the language of the page. */
function said(number) {
  const first = head.texts[head.languages[0]];
  return (head.texts[language] || first)[number] ?? first[number];
}

async function unpacked(text) {
  const packed = Uint8Array.from(atob(text.trim()), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads numbers of 7 bits a byte, the lowest first. */
class Reader {
  constructor(bytes, at) { this.bytes = bytes; this.at = at; }
  next() {
    let value = 0, factor = 1, byte;
    do {
      byte = this.bytes[this.at++];
      if (byte === undefined) throw new Error('it ends too early');
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  }
  signed() {
    const value = this.next();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  column(count, array) {
    for (let i = 0; i < count; ++i) array[i] = this.next();
    return array;
  }
}

/** Fills a row with its columns: times in ns, numbers of texts, and how long it was busy before each item. */
function readRow(reader, row, withSteps) {
  const n = row.count;
  const start = row.start = new Float64Array(n), end = row.end = new Float64Array(n);
  const before = row.before = new Float64Array(n + 1);
  for (let i = 0; i < n; ++i) start[i] = reader.signed();  // from the end of the one before
  for (let i = 0, last = 0, busy = 0; i < n; ++i) {
    const length = reader.next();
    last = end[i] = (start[i] += last) + length;
    before[i + 1] = busy += length;
  }
  if (row.role < 0) row.roles = reader.column(n, new Uint8Array(n));
  if (row.shades) row.shades = reader.column(n, new Uint8Array(n));
  if (row.costs) {  // of held waits; what those before each cost
    const each = reader.column(n, new Float64Array(n));
    row.costs = new Float64Array(n + 1);
    for (let i = 0; i < n; ++i) row.costs[i + 1] = row.costs[i] + each[i];
  }
  if (row.named) {
    row.text = reader.column(n, new Uint32Array(n));
    row.tip = reader.column(n, new Uint32Array(n));
    if (withSteps) row.step = reader.column(n, new Uint32Array(n));
  }
  if (row.kind === 'operation') {
    if (row.staged) row.staged = reader.column(n, new Uint8Array(n));
    if (row.early) row.early = reader.column(n, new Float64Array(n));  // how long a collective waits for the last of it
    row.bytes = reader.column(n, new Float64Array(n));
    row.issuer = reader.column(n, new Uint32Array(n));
    row.delay = new Float64Array(n);
    for (let i = 0; i < n; ++i) row.delay[i] = row.issuer[i] === 0 ? reader.next() : reader.signed();
    if (row.streams) row.stream = reader.column(n, new Uint32Array(n));
  }
  return row;
}

async function readPage() {
  const bytes = await unpacked(document.getElementById('data').textContent);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const reader = new Reader(bytes, 4 + length);
  for (const recording of head.recordings)
    for (const lane of recording.lanes)
      for (const row of lane.exposed ? [...lane.rows, lane.exposed] : lane.rows) readRow(reader, row, recording.lines.length > 0);
}
