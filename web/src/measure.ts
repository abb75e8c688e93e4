// How large things are: what the motion covers, how big the bodies are, which way is up.
import { Quaternion, Vector3 } from 'three';
import { Channel, Part, Run } from './data';

export interface Measure {
  low: number[];
  high: number[];
  travel: number; // largest extent of the whole motion
  size: number; // of a body, or a part of the travel where nothing has a size
  goesFar: boolean; // the motion covers many times the size of a body
  up: number[]; // unit vector
  heavy: boolean; // the model says which way things fall
  flat: boolean; // all of it stays in planes z = constant
  planar: boolean; // all of it lies in a plane z = constant
  still: boolean; // nothing goes anywhere, as far as it does not turn
}

const samples = 200;
const far = 7; // times the size of a body

// what is drawn but tells nothing of the place of bodies
const tellsNothing = ['point', 'frame', 'force', 'ground', 'curve'];

function counts(p: Part): boolean {
  return !tellsNothing.includes(p.kind) && !(p.kind === 'surface' && p.base);
}

const long = ['rod', 'link', 'plate', 'string', 'spring', 'damper'];
const wide = ['ball', 'disc', 'round', 'tube'];

const radii = new WeakMap<Float32Array, number>(); // found once: a mesh does not change

function meshRadius(p: Part): number {
  const r = p.mesh?.points;
  if (!r) return 0;
  const known = radii.get(r);
  if (known !== undefined) return known;
  let most = 0;
  for (let i = 0; i < r.length; i += 3) most = Math.max(most, r[i]! ** 2 + r[i + 1]! ** 2 + r[i + 2]! ** 2);
  radii.set(r, Math.sqrt(most));
  return Math.sqrt(most);
}

export function lengthOf(p: Part, row: number): number {
  if (long.includes(p.kind))
    return Math.hypot(...p.at.map((c, k) => c.row(row) - p.to![k]!.row(row)));
  if (wide.includes(p.kind) || p.kind === 'spokes') return 2 * p.size![0]!.row(row);
  if (p.kind === 'box') return Math.max(...p.size!.map((c) => c.row(row)));
  if (p.kind === 'body' && p.held) return 2 * p.size![0]!.row(row);
  if (p.kind === 'body') return p.edges ? Math.max(...p.edges) : 0;
  if (p.kind === 'surface') return 2 * meshRadius(p);
  return 0;
}

// half the room a part takes around its places, beyond these places themselves
function marginOf(p: Part, row: number): number {
  return wide.includes(p.kind) || ['spokes', 'box', 'body', 'surface'].includes(p.kind) ? lengthOf(p, row) / 2 : 0;
}

// some places along a wire
function wireAt(p: Part, row: number): { row(): number }[][] {
  const points = p.mesh?.points ?? [];
  const q = new Quaternion();
  p.turn?.at({ row, part: 0 }, q);
  const at = [];
  for (let i = 0; i < points.length; i += 3 * 8) {
    const r = new Vector3(points[i], points[i + 1], points[i + 2]).applyQuaternion(q).toArray();
    at.push(r.map((x, k) => ({ row: () => x + p.at[k]!.row(row) })));
  }
  return at;
}

// how far apart bodies are at a row
function spread(run: Run, row: number): number {
  let [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (const p of run.parts) {
    if (!bodies.includes(p.kind) || p.base) continue;
    for (const c of p.to && p.kind !== 'spokes' ? [p.at, p.to] : [p.at]) {
      low = low.map((l, k) => Math.min(l, c[k]!.row(row)));
      high = high.map((h, k) => Math.max(h, c[k]!.row(row)));
    }
  }
  return Math.max(0, ...low.map((l, k) => high[k]! - l).filter(Number.isFinite));
}

// does a disc stand across the plane of x and y?
function stands(p: Part): boolean {
  const q = new Quaternion();
  p.turn?.at({ row: 0, part: 0 }, q);
  const n = new Vector3(...(p.normal!.map((c) => c.row(0)) as [number, number, number])).normalize().applyQuaternion(q);
  return Math.abs(n.z) < 0.9;
}

// is its own z at some time not that of the world?
function leans(p: Part, run: Run): boolean {
  const [q, z] = [new Quaternion(), new Vector3()];
  for (let i = 0; i < 20; i++) {
    p.turn?.at({ row: Math.round((i * (run.rows - 1)) / 19), part: 0 }, q);
    if (Math.abs(z.set(0, 0, 1).applyQuaternion(q).z) < 0.999) return true;
  }
  return false;
}

// what is not of the plane of x and y, though it stays in it: wheels and balls that roll on it, ground that lies in it, what tumbles
function standsUp(p: Part, run: Run): boolean {
  if (p.kind === 'disc') return stands(p);
  if (p.kind === 'ground') return Math.abs(p.normal![2]!.row(0)) > 0.9;
  if (p.kind === 'ball' && p.held) return true;
  return ['body', 'box'].includes(p.kind) && leans(p, run);
}

// how far what is on a table goes from its middle
export function reachOnTable(p: Part, run: Run): number {
  let far = 0;
  for (let i = 0; i < run.rows; i += Math.max(1, Math.floor(run.rows / 400))) far = Math.max(far, Math.hypot(...p.to!.map((c, k) => c.row(i) - p.at[k]!.row(i))) || 0);
  return far;
}

// the table is seen whole, but for its rim
function putTable(p: Part, run: Run, low: number[], high: number[]): void {
  const far = 1.2 * reachOnTable(p, run);
  for (let k = 0; k < 3; k++) {
    if (Math.abs(p.normal![k]!.row(0)) > 0.5) continue;
    low[k] = Math.min(low[k]!, p.at[k]!.row(0) - far);
    high[k] = Math.max(high[k]!, p.at[k]!.row(0) + far);
  }
}

export function measure(runs: Run[]): Measure {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const sizes: number[] = [];
  let [thick, instant] = [0, 0];
  const put = (c: { row(i: number): number }[], row: number, margin: number) => {
    for (let k = 0; k < 3; k++) {
      const x = c[k]!.row(row);
      if (!Number.isFinite(x)) continue;
      low[k] = Math.min(low[k]!, x - margin);
      high[k] = Math.max(high[k]!, x + margin);
    }
  };
  for (const run of runs)
    for (const p of run.parts) {
      if (!counts(p)) continue;
      const size = lengthOf(p, 0);
      if (size > 0) sizes.push(size);
      for (let i = 0; i < samples; i++) {
        const row = Math.round((i * (run.rows - 1)) / (samples - 1));
        const margin = marginOf(p, row);
        if (p.kind !== 'particle' && p.kind !== 'trace' && p.kind !== 'contact') thick = Math.max(thick, margin);
        put(p.at, row, margin);
        if (p.to && p.kind !== 'blade') put(p.to, row, 0);
        if (p.third) put(p.third, row, 0);
        if (p.kind === 'wire' && i % 8 === 0) for (const at of wireAt(p, row)) put(at, row, 0);
      }
    }
  for (const run of runs)
    for (const p of run.parts) {
      if (p.kind === 'ground' && p.turn) putTable(p, run, low, high);
      const wall = wallOf(p, run, 0);
      if (!wall) continue;
      const axis = p.normal!.findIndex((c) => c.row(0) !== 0);
      low[axis] = Math.min(low[axis]!, wall.at[axis]!.row(0) - 0.2 * wall.far);
    }
  if (!(low[0]! <= high[0]!)) {
    low.fill(-1);
    high.fill(1);
  }
  for (const run of runs) instant = Math.max(instant, ...Array.from({ length: 12 }, (_, i) => spread(run, Math.round((i * (run.rows - 1)) / 11))));
  const extent = low.map((l, k) => high[k]! - l);
  const travel = Math.max(...extent, 1e-9);
  sizes.sort((a, b) => a - b);
  const largest = sizes.length ? sizes[sizes.length - 1]! : 0.5 * travel;
  const whole = Math.max(largest, instant);
  const g = runs[0]!.up;
  const norm = Math.hypot(...g);
  return {
    low,
    high,
    travel,
    size: Math.min(Math.max(largest, travel < far * whole ? 0.22 * travel : 0.02 * travel), travel),
    goesFar: travel >= far * whole,
    up: norm > 0 ? g.map((x) => x / norm) : [0, 0, 1],
    heavy: norm > 0,
    flat: extent[2]! - 2 * thick < 1e-6 * travel,
    still: extent.every((e) => e - 2 * thick < 1e-6 * travel),
    planar: extent[2]! - 2 * thick < 1e-6 * travel && !runs[0]!.parts.some((p) => standsUp(p, runs[0]!)) && !(norm > 0 && Math.abs(g[2]!) > 0.5 * norm),
  };
}

// ---- what is drawn as large as it must be to be seen ------------------------------------------------

export const dotRadius = (m: Measure) => 0.045 * m.size;
export const lineRadius = (m: Measure) => 0.012 * m.size; // of a rod that is shown, a spoke
export const rodRadius = (m: Measure) => 0.028 * m.size;
export const wireRadius = (m: Measure) => 0.012 * m.size;

// at the same place at the start, in the middle, and at the end
export function isAt(a: Channel[], b: Channel[], run: Run, m: Measure): boolean {
  return [0, run.rows >> 1, run.rows - 1].every((row) => a.every((c, k) => Math.abs(c.row(row) - b[k]!.row(row)) <= 1e-6 * m.size));
}

// half the room of a box along a direction, where it stands at the start
function boxRoom(p: Part, n: Vector3): number {
  const q = new Quaternion();
  p.turn?.at({ row: 0, part: 0 }, q);
  const own = n.clone().applyQuaternion(q.invert());
  const edges = p.edges && p.kind === 'body' ? p.edges : p.size!.map((c) => c.row(0));
  return (Math.abs(own.x) * edges[0]! + Math.abs(own.y) * edges[1]! + Math.abs(own.z) * edges[2]!) / 2;
}

// how far what is drawn at a place reaches from it against the direction n; what is shown counts before what is not
export function boundaryOf(place: Channel[], n: Vector3, run: Run, m: Measure): number {
  let [most, shown] = [0, 0];
  for (const p of run.parts) {
    let r = 0;
    if (isAt(p.at, place, run, m)) {
      if (p.kind === 'particle') r = dotRadius(m);
      if (p.kind === 'rod') r = p.shown ? lineRadius(m) : rodRadius(m);
      if (p.kind === 'ball' || (p.kind === 'disc' && m.planar)) r = p.size![0]!.row(0);
      if (p.kind === 'box') r = boxRoom(p, n);
    } else if (p.kind === 'rod' && isAt(p.to!, place, run, m)) r = p.shown ? lineRadius(m) : rodRadius(m);
    if (p.shown && p.kind !== 'rod') shown = Math.max(shown, r);
    most = Math.max(most, r);
  }
  return shown || most;
}

// how far a part reaches from its place against a direction, at a row
function below(p: Part, row: number, up: Vector3, m: Measure): number {
  const q = new Quaternion();
  p.turn?.at({ row, part: 0 }, q);
  if (p.kind === 'particle') return dotRadius(m);
  if (p.kind === 'rod') return p.shown ? 0 : rodRadius(m);
  if (p.kind === 'ball' || p.kind === 'spokes') return p.size![0]!.row(row);
  if (p.kind === 'disc') {
    const n = new Vector3(...(p.normal!.map((c) => c.row(row)) as [number, number, number])).normalize().applyQuaternion(q);
    return p.size![0]!.row(row) * Math.sqrt(Math.max(0, 1 - n.dot(up) ** 2));
  }
  const own = up.clone().applyQuaternion(q.invert());
  if (p.kind === 'surface' && p.mesh) {
    const at = p.mesh.points;
    let least = Infinity;
    for (let i = 0; i < at.length; i += 3) least = Math.min(least, own.x * at[i]! + own.y * at[i + 1]! + own.z * at[i + 2]!);
    return -least;
  }
  if (p.kind === 'body' && p.edges) {
    const [w, x, y, z] = (p.principal ?? [1, 0, 0, 0]) as [number, number, number, number];
    own.applyQuaternion(new Quaternion(x, y, z, w).invert());
    if (p.round === 3) return p.edges[0]! / 2;
    if (p.round !== undefined && p.round >= 0) {
      const along = Math.abs(own.getComponent(p.round));
      return (along * p.edges[p.round]! + Math.sqrt(Math.max(0, 1 - along * along)) * p.edges[(p.round + 1) % 3]!) / 2;
    }
    return (Math.abs(own.x) * p.edges[0]! + Math.abs(own.y) * p.edges[1]! + Math.abs(own.z) * p.edges[2]!) / 2;
  }
  if (p.kind === 'box') return p.size!.reduce((sum, c, k) => sum + (Math.abs(own.getComponent(k)) * c.row(row)) / 2, 0);
  return 0;
}

const bodies = ['particle', 'body', 'rod', 'plate', 'disc', 'ball', 'box', 'surface', 'spokes'];

// what a constraint lets roll
const rolls = (p: Part) => Boolean(p.held) && (p.kind === 'disc' || p.kind === 'ball');

// the lowest that anything gets: what rolls has its ground there; where nothing does, what stands
export function lowest(runs: Run[], m: Measure, up: Vector3): number {
  let least = Infinity;
  for (const run of runs)
    for (const p of run.parts.some(rolls) ? run.parts.filter(rolls) : run.parts) {
      if (!bodies.includes(p.kind) || p.base) continue;
      for (let i = 0; i < samples; i++) {
        const row = Math.round((i * (run.rows - 1)) / (samples - 1));
        const rows = [p.at, ...(p.to && p.kind !== 'spokes' ? [p.to] : []), ...(p.third ? [p.third] : [])];
        const room = below(p, row, up, m);
        for (const c of rows) {
          const height = c.reduce((sum, x, k) => sum + x.row(row) * up.getComponent(k), 0) - room;
          if (Number.isFinite(height)) least = Math.min(least, height);
        }
      }
    }
  return Number.isFinite(least) ? least : 0;
}

// ground that shapes meet, of which no single point is known that may touch it
export function isShape(at: Channel[], to: Channel[]): boolean {
  return at.every((c, k) => c.offset === to[k]!.offset && !c.values && !to[k]!.values);
}

// The wall of what is tied across its axis: so far from where it rests that the motion has room.
export function wallOf(part: Part, run: Run, size: number): { at: Channel[]; far: number } | null {
  if (!part.fixed || !part.normal || (part.kind !== 'spring' && part.kind !== 'damper')) return null;
  const n = part.normal.map((c) => c.row(0));
  let most = 0;
  for (let i = 0; i < run.rows; i++) most = Math.max(most, Math.abs(part.at.reduce((sum, c, k) => sum + (c.row(i) - part.to![k]!.row(i)) * n[k]!, 0)) || 0);
  const far = 1.25 * most + 0.35 * size;
  return { far, at: part.at.map((c, k) => new Channel(c.offset - far * n[k]!, c.values)) };
}

// a round step for grid lines: 1, 2 or 5 times a power of ten
export function niceStep(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const part = length / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}
