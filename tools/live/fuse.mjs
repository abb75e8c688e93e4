// Multiply-adds in one rounding, in zwang.wasm as the linker left it. Debian's compiler writes f64x2.relaxed_madd and relaxed_nmadd
// by the numbers they had before they were agreed upon; here they get those that browsers know, and a section "fused" at the end lists
// where they are, so that a browser without it can be given calls in their place (web/live/fused.ts).
// usage: node fuse.mjs FROM TO
import { readFileSync, writeFileSync } from 'node:fs';

const [from, to] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(from));
const agreed = new Map([[0xcf, 0x107], [0xd0, 0x108]]);

let at = 0;
function unsigned() {
  let x = 0;
  for (let shift = 0; ; shift += 7) {
    const b = bytes[at++];
    x += (b & 0x7f) * 2 ** shift;
    if (b < 0x80) return x;
  }
}
const leb = (x) => (x < 0x80 ? [x] : [(x & 0x7f) | 0x80, ...leb(Math.floor(x / 0x80))]);

// ---- instructions: what follows each ------------------------------------------------------------------

const none = () => {};
const one = () => unsigned();
const two = () => (unsigned(), unsigned());
const skip = (n) => () => (at += n);
const table = () => { for (let n = unsigned(); n >= 0; n--) unsigned(); };
const types = () => { for (let n = unsigned(); n > 0; n--) unsigned(); };

function plain(op) {
  if (op >= 0x45 && op <= 0xc4) return none; // on numbers
  if (op >= 0x28 && op <= 0x3e) return two; // to and from memory
  const ways = [
    [none, [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1]],
    [one, [0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2]],
    [two, [0x11]], [table, [0x0e]], [types, [0x1c]], [skip(4), [0x43]], [skip(8), [0x44]],
  ];
  return ways.find(([, list]) => list.includes(op))?.[0];
}

// behind 0xfc: conversions that saturate, and blocks of memory
const extended = (op) => (op <= 7 ? none : [8, 10, 12, 14].includes(op) ? two : op <= 17 ? one : undefined);

// behind 0xfd
function vector(op) {
  if (op <= 11 || op === 92 || op === 93) return two; // to and from memory
  if (op === 12 || op === 13) return skip(16); // constants and shuffles
  if (op >= 21 && op <= 34) return skip(1); // lanes
  if (op >= 84 && op <= 91) return () => (two(), skip(1)()); // lanes to and from memory
  return op <= 255 ? none : undefined;
}

const places = [];
function instruction() {
  const start = at;
  const op = bytes[at++];
  const number = op === 0xfc || op === 0xfd ? unsigned() : op;
  const way = op === 0xfc ? extended(number) : op === 0xfd ? vector(number) : plain(op);
  if (!way) throw new Error(`instruction ${op.toString(16)} ${number.toString(16)} at ${start} is not known`);
  way();
  if (op !== 0xfd || !agreed.has(number)) return;
  if (at - start !== 3) throw new Error(`at ${start} a number is padded`);
  places.push(start);
  bytes.set([0xfd, ...leb(agreed.get(number))], start);
}

function code() {
  for (let functions = unsigned(); functions > 0; functions--) {
    const size = unsigned();
    const end = at + size;
    for (let groups = unsigned(); groups > 0; groups--) two();
    while (at < end) instruction();
    if (at !== end) throw new Error('a function does not end where it says');
  }
}

// ---- the file -----------------------------------------------------------------------------------------

at = 8;
while (at < bytes.length) {
  const id = bytes[at++];
  const size = unsigned();
  const end = at + size;
  if (id === 10) code();
  at = end;
}
const steps = places.flatMap((p, i) => leb(p - (i ? places[i - 1] : 0)));
const name = [...new TextEncoder().encode('fused')];
const content = [name.length, ...name, ...leb(places.length), ...steps];
writeFileSync(to, Buffer.concat([bytes, new Uint8Array([0, ...leb(content.length), ...content])]));
console.log(`live: ${places.length} multiply-adds in one rounding`);
if (!places.length) process.exit(1);
