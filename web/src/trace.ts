// The path of a point: all of it faintly, what has passed in full.
import { Group, InstancedInterleavedBuffer, InterleavedBufferAttribute } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { Channel, Run, Spot } from './data';

const most = 6000; // points drawn of one path
const bends = 0.75; // cosine of the angle from which on a path has a corner

// The direction of the path at point i for the piece `to` - `from` that begins or ends there, into `out`: that of the piece
// itself at a corner, as at an end.
function slope(p: Float64Array, i: number, from: number, to: number, out: Float64Array): void {
  const [before, at, after] = [3 * Math.max(i - 1, 0), 3 * i, 3 * Math.min(i + 1, p.length / 3 - 1)];
  let [along, a2, b2] = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const a = p[at + k]! - p[before + k]!;
    const b = p[after + k]! - p[at + k]!;
    along += a * b;
    a2 += a * a;
    b2 += b * b;
  }
  const lengths = Math.sqrt(a2 * b2);
  const smooth = lengths > 0 && along > bends * lengths;
  for (let k = 0; k < 3; k++) out[k] = smooth ? (p[after + k]! - p[before + k]!) / 2 : p[3 * to + k]! - p[3 * from + k]!;
}

// A path as fine as the motion: between rows by Hermite's cubics, `fine` pieces each; places one behind the other.
export function refined(p: Float64Array, fine: number): Float64Array {
  const rows = p.length / 3;
  const out = new Float64Array(3 * (Math.max(rows - 1, 0) * fine + Math.min(rows, 1)));
  const [from, to] = [new Float64Array(3), new Float64Array(3)];
  let n = 0;
  for (let i = 0; i + 1 < rows; i++) {
    slope(p, i, i, i + 1, from);
    slope(p, i + 1, i, i + 1, to);
    for (let j = 0; j < fine; j++) {
      const s = j / fine;
      const h1 = s * s * (3 - 2 * s);
      const [h2, h3] = [s * (1 - s) * (1 - s), s * s * (s - 1)];
      for (let k = 0; k < 3; k++) out[n++] = (1 - h1) * p[3 * i + k]! + h1 * p[3 * i + 3 + k]! + h2 * from[k]! + h3 * to[k]!;
    }
  }
  for (let k = 0; k < 3 && rows; k++) out[n++] = p[3 * rows - 3 + k]!;
  return out;
}

const fineness = 5e-4; // of the path's extent: how far a line may lie beside it
const longest = 8e-3; // and how long one is, so that it grows as its point moves

function extentOf(p: Float64Array): number {
  let most = 0;
  for (let k = 0; k < 3; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = k; i < p.length; i += 3) [low, high] = [Math.min(low, p[i]!), Math.max(high, p[i]!)];
    most = Math.max(most, high - low);
  }
  return most;
}

// how far the place i lies beside the line from place a to place b
function beside(p: Float64Array, a: number, b: number, i: number): number {
  let [along, length2, far2] = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const d = p[3 * b + k]! - p[3 * a + k]!;
    const e = p[3 * i + k]! - p[3 * a + k]!;
    along += d * e;
    length2 += d * d;
    far2 += e * e;
  }
  const s = length2 > 0 ? Math.min(Math.max(along / length2, 0), 1) : 0;
  return Math.sqrt(Math.max(far2 - 2 * s * along + s * s * length2, 0));
}

// Places that suffice, by number, the first and the last among them: lines between them leave the path nowhere by more than the
// eye sees. A motion has thousands of places where some hundred lines draw it.
export function sufficient(p: Float64Array): number[] {
  const count = p.length / 3;
  const size = extentOf(p);
  const kept = [0];
  for (let a = 0; a + 1 < count; ) {
    let b = a + 1;
    for (let next = b + 1; next < count && next - a <= 64; b = next++) {
      const length = Math.hypot(p[3 * next]! - p[3 * a]!, p[3 * next + 1]! - p[3 * a + 1]!, p[3 * next + 2]! - p[3 * a + 2]!);
      if (length > longest * size) break;
      let i = a + 1;
      while (i < next && beside(p, a, next, i) <= fineness * size) i++;
      if (i < next) break;
    }
    kept.push((a = b));
  }
  return kept;
}

// pieces of the path, each from one place to the next, as lines are drawn
function pieces(p: Float64Array, kept: number[]): InstancedInterleavedBuffer {
  const ends = new Float32Array(6 * (kept.length - 1));
  for (let i = 0; i + 1 < kept.length; i++)
    for (let k = 0; k < 3; k++) {
      ends[6 * i + k] = p[3 * kept[i]! + k]!;
      ends[6 * i + 3 + k] = p[3 * kept[i + 1]! + k]!;
    }
  return new InstancedInterleavedBuffer(ends, 6, 1);
}

function lines(of: InstancedInterleavedBuffer): LineGeometry {
  const g = new LineGeometry();
  g.setAttribute('instanceStart', new InterleavedBufferAttribute(of, 3, 0));
  g.setAttribute('instanceEnd', new InterleavedBufferAttribute(of, 3, 3));
  return g;
}

export class Trace {
  readonly object = new Group();
  private done: Line2;
  private materials: LineMaterial[];
  private stride: number;
  private kept: number[]; // places that lines are drawn between
  private fine: number;

  constructor(run: Run, at: Channel[], color: string) {
    this.stride = Math.max(1, Math.ceil(run.rows / most));
    const rows = Math.ceil(run.rows / this.stride);
    const path = new Float64Array(3 * Math.max(rows, 2));
    // where there is no place the last one stays
    for (let i = 0; 3 * i < path.length; i++) {
      const row = Math.min(i * this.stride, Math.max(run.rows - 1, 0));
      const known = i < rows && at.every((c) => Number.isFinite(c.row(row)));
      for (let k = 0; k < 3; k++) path[3 * i + k] = known ? at[k]!.row(row) : i ? path[3 * i - 3 + k]! : 0;
    }
    this.fine = this.stride > 1 ? 1 : Math.max(1, Math.min(8, Math.floor((3 * most) / path.length)));
    const places = refined(path, this.fine);
    this.kept = sufficient(places);
    const drawn = pieces(places, this.kept);
    const geometry = lines(drawn);
    const whole = lines(drawn);
    this.materials = [
      new LineMaterial({ color, linewidth: 1.2, transparent: true, opacity: 0.28 }),
      new LineMaterial({ color, linewidth: 2.6 }),
    ];
    this.done = new Line2(geometry, this.materials[1]!);
    this.object.add(new Line2(whole, this.materials[0]!), this.done);
    this.object.traverse((o) => (o.frustumCulled = false));
  }

  update(s: Spot): void {
    const passed = ((s.row + s.part) * this.fine) / this.stride;
    let [n, beyond] = [0, this.kept.length - 1];
    while (n < beyond) {
      const middle = (n + beyond + 1) >> 1;
      if (this.kept[middle]! <= passed) n = middle;
      else beyond = middle - 1;
    }
    this.done.visible = n > 0;
    this.done.geometry.instanceCount = n;
  }

  resize(width: number, height: number): void {
    for (const m of this.materials) m.resolution.set(width, height);
  }
}
