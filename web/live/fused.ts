// Multiply-adds in one rounding. zwang.wasm uses f64x2.relaxed_madd and relaxed_nmadd for them, at places listed in its section
// "fused" (tools/live/fuse.mjs). A browser that lacks them, or rounds the product, too, gets a call of fma_pair_plain or
// fma_pair_less_plain in each place, which is as long: three bytes.

const number = (x: number) => [...new Uint8Array(new Float64Array([x, x]).buffer)];

const plus = 0x87; // the first of two bytes of their numbers
const less = 0x88;

// Does it exist here, and round once? It is asked for x x - c with x = 1 + 2^-30 and c = 1 + 2^-29, where 2^-60 is left.
function roundsOnce(op: number): boolean {
  const x = [0xfd, 0x0c, ...number(1 + 2 ** -30)];
  const c = [0xfd, 0x0c, ...number((op === plus ? -1 : 1) * (1 + 2 ** -29))];
  const body = [0, ...x, ...x, ...c, 0xfd, op, 2, 0xfd, 0x21, 0, 0x0b];
  const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7c, 3, 2, 1, 0, 7, 5, 1, 1, 0x72, 0, 0,
    10, body.length + 2, 1, body.length, ...body];
  try {
    const m = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)));
    return Math.abs((m.exports['r'] as () => number)()) === 2 ** -60;
  } catch {
    return false;
  }
}

export const fuses = (): boolean => roundsOnce(plus) && roundsOnce(less);

class Reader {
  at = 8;
  constructor(readonly bytes: Uint8Array) {}

  unsigned(): number {
    let x = 0;
    for (let scale = 1; ; scale *= 128) {
      const b = this.bytes[this.at++]!;
      x += (b & 127) * scale;
      if (b < 128) return x;
    }
  }

  text(): string {
    const n = this.unsigned();
    this.at += n;
    return new TextDecoder().decode(this.bytes.subarray(this.at - n, this.at));
  }

  // to the content of a section; of those that have only a name, the one of that name
  section(id: number, name = ''): void {
    this.at = 8;
    while (this.at < this.bytes.length) {
      const found = this.bytes[this.at++] === id;
      const size = this.unsigned();
      const end = this.at + size;
      if (found && (!name || this.text() === name)) return;
      this.at = end;
    }
    throw new Error(`zwang.wasm has no section ${id} ${name}`);
  }
}

function exported(r: Reader, name: string): number {
  r.section(7);
  for (let n = r.unsigned(); n > 0; n--) {
    const found = r.text() === name;
    r.at++; // its kind
    const index = r.unsigned();
    if (found) return index;
  }
  throw new Error(`zwang.wasm does not export ${name}`);
}

// the same program for a browser without the instruction; written into the bytes
export function unfused(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const r = new Reader(bytes);
  const instead = new Map([[plus, exported(r, 'fma_pair_plain')], [less, exported(r, 'fma_pair_less_plain')]]);
  r.section(0, 'fused');
  let at = 0;
  for (let n = r.unsigned(); n > 0; n--) {
    at += r.unsigned();
    const index = instead.get(bytes[at + 1]!)!;
    if (index >= 1 << 14) throw new Error('the number of fma_pair_plain is too long');
    bytes.set([0x10, (index & 127) | 128, index >> 7], at);
  }
  return bytes;
}
