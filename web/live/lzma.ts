// Unpacks what `xz --format=lzma` has packed. It packs zwang a quarter smaller than what browsers unpack by themselves.
//
// The format is that of the specification of LZMA (I. Pavlov, 2015), whose words are used: a range coder whose bits have
// probabilities that follow what was seen; literals, and matches with what came before, by their length and distance.

const top = 0x1000000;
const half = 1024; // probabilities have 11 bits
const probabilities = (n: number) => new Uint16Array(n).fill(half);

// next state after a literal
const afterLiteral = (state: number) => (state < 4 ? 0 : state < 10 ? state - 3 : state - 6);

class Bits {
  private code = 0;
  private range = 0xffffffff;

  constructor(private bytes: Uint8Array, private at: number) {
    for (let i = 0; i < 5; i++) this.code = ((this.code << 8) | bytes[this.at++]!) >>> 0;
  }

  private fill(): void {
    if (this.range >= top) return;
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | this.bytes[this.at++]!) >>> 0;
  }

  // one bit, by the probability at p[i], which learns from it
  bit(p: Uint16Array, i: number): 0 | 1 {
    const chance = p[i]!;
    const bound = Math.imul(this.range >>> 11, chance) >>> 0;
    let found: 0 | 1 = 0;
    if (this.code < bound) {
      p[i] = chance + ((2048 - chance) >> 5);
      this.range = bound;
    } else {
      p[i] = chance - (chance >> 5);
      this.code = (this.code - bound) >>> 0;
      this.range = (this.range - bound) >>> 0;
      found = 1;
    }
    this.fill();
    return found;
  }

  // `count` bits of even chances
  direct(count: number): number {
    let found = 0;
    for (; count > 0; count--) {
      this.range >>>= 1;
      const one = this.code >= this.range;
      if (one) this.code = (this.code - this.range) >>> 0;
      found = (found << 1) | (one ? 1 : 0);
      this.fill();
    }
    return found >>> 0;
  }

  // a number of `count` bits, each by the probability of those before it; p from `from` on
  tree(p: Uint16Array, from: number, count: number): number {
    let m = 1;
    for (let i = 0; i < count; i++) m = (m << 1) | this.bit(p, from + m);
    return m - (1 << count);
  }

  // the same with the last bit first
  reversed(p: Uint16Array, from: number, count: number): number {
    let m = 1;
    let found = 0;
    for (let i = 0; i < count; i++) {
      const b = this.bit(p, from + m);
      m = (m << 1) | b;
      found |= b << i;
    }
    return found;
  }
}

// how long a match is
class Length {
  private choice = probabilities(2);
  private low = probabilities(16 << 3);
  private middle = probabilities(16 << 3);
  private high = probabilities(256);

  read(bits: Bits, place: number): number {
    if (!bits.bit(this.choice, 0)) return 2 + bits.tree(this.low, place << 3, 3);
    if (!bits.bit(this.choice, 1)) return 10 + bits.tree(this.middle, place << 3, 3);
    return 18 + bits.tree(this.high, 0, 8);
  }
}

// how far back it is
class Distance {
  private slots = probabilities(4 << 6);
  private near = probabilities(128);
  private last = probabilities(16);

  read(bits: Bits, length: number): number {
    const slot = bits.tree(this.slots, Math.min(length - 2, 3) << 6, 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const far = (2 | (slot & 1)) << count;
    if (slot < 14) return far + bits.reversed(this.near, far - slot, count);
    return (far + (bits.direct(count - 4) << 4) + bits.reversed(this.last, 0, 4)) >>> 0;
  }
}

class Literals {
  private p: Uint16Array;

  constructor(private context: number, private places: number) {
    this.p = probabilities(0x300 << (context + places));
  }

  // behind a match the byte that would have continued it tells, too
  read(bits: Bits, at: number, before: number, matched: number): number {
    const which = ((at & ((1 << this.places) - 1)) << this.context) + (before >> (8 - this.context));
    const from = which * 0x300;
    let m = 1;
    if (matched >= 0)
      while (m < 0x100) {
        const expected = (matched >> 7) & 1;
        matched <<= 1;
        const b = bits.bit(this.p, from + ((1 + expected) << 8) + m);
        m = (m << 1) | b;
        if (b !== expected) break;
      }
    while (m < 0x100) m = (m << 1) | bits.bit(this.p, from + m);
    return m & 0xff;
  }
}

// The file says how it was packed: one byte, the size of the window in four, then in eight that of what was packed.
export function unpackLzma(file: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const how = file[0]!;
  const [context, places, mask] = [how % 9, Math.floor(how / 9) % 5, (1 << Math.floor(how / 45)) - 1];
  const bits = new Bits(file, 13);
  const literals = new Literals(context, places);
  const out = new Uint8Array(size);
  const [lengths, repeats, distance] = [new Length(), new Length(), new Distance()];
  const isMatch = probabilities(12 << 4);
  const isRepeat = probabilities(12);
  const which = [probabilities(12), probabilities(12), probabilities(12)] as const;
  const isShort = probabilities(12 << 4);
  let [state, r0, r1, r2, r3] = [0, 0, 0, 0, 0];
  for (let at = 0; at < size; ) {
    const place = at & mask;
    if (!bits.bit(isMatch, (state << 4) + place)) {
      out[at] = literals.read(bits, at, at ? out[at - 1]! : 0, state >= 7 ? out[at - r0 - 1]! : -1);
      at++;
      state = afterLiteral(state);
      continue;
    }
    let length: number;
    if (!bits.bit(isRepeat, state)) {
      [r3, r2, r1] = [r2, r1, r0];
      length = lengths.read(bits, place);
      r0 = distance.read(bits, length);
      if (r0 === 0xffffffff) break; // the end, where it is marked
      state = state < 7 ? 7 : 10;
    } else {
      if (!bits.bit(which[0], state)) {
        if (!bits.bit(isShort, (state << 4) + place)) {
          out[at] = out[at - r0 - 1]!;
          at++;
          state = state < 7 ? 9 : 11;
          continue;
        }
      } else if (!bits.bit(which[1], state)) [r0, r1] = [r1, r0];
      else if (!bits.bit(which[2], state)) [r0, r1, r2] = [r2, r0, r1];
      else [r0, r1, r2, r3] = [r3, r0, r1, r2];
      length = repeats.read(bits, place);
      state = state < 7 ? 8 : 11;
    }
    if (r0 >= at) throw new Error('what was packed is damaged');
    for (const end = Math.min(at + length, size); at < end; at++) out[at] = out[at - r0 - 1]!;
  }
  return out;
}
