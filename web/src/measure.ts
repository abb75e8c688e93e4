// How large things are: what the motion covers, how big the bodies are, which way is up.
import { Part, Run } from './data';

export interface Measure {
  low: number[];
  high: number[];
  travel: number; // largest extent of the whole motion
  size: number; // of a body, or a part of the travel where nothing has a size
  up: number[]; // unit vector
  heavy: boolean; // the model says which way things fall
  planar: boolean; // all of it lies in a plane z = constant
}

const samples = 200;

// what is drawn but tells nothing of the place of bodies
function counts(p: Part): boolean {
  return p.kind !== 'point' && p.kind !== 'frame' && p.kind !== 'force' && !(p.kind === 'surface' && p.base);
}

function meshRadius(p: Part): number {
  const r = p.mesh?.points;
  if (!r) return 0;
  let most = 0;
  for (let i = 0; i < r.length; i += 3) most = Math.max(most, Math.hypot(r[i]!, r[i + 1]!, r[i + 2]!));
  return most;
}

export function lengthOf(p: Part, row: number): number {
  if (p.kind === 'rod' || p.kind === 'link' || p.kind === 'plate')
    return Math.hypot(...p.at.map((c, k) => c.row(row) - p.to![k]!.row(row)));
  if (p.kind === 'ball' || p.kind === 'disc') return 2 * p.size![0]!.row(row);
  if (p.kind === 'box') return Math.max(...p.size!.map((c) => c.row(row)));
  if (p.kind === 'body') return p.edges ? Math.max(...p.edges) : 0;
  if (p.kind === 'surface') return 2 * meshRadius(p);
  return 0;
}

// half the room a part takes around its places, beyond these places themselves
function marginOf(p: Part, row: number): number {
  return p.kind === 'ball' || p.kind === 'disc' || p.kind === 'box' || p.kind === 'body' || p.kind === 'surface'
    ? lengthOf(p, row) / 2
    : 0;
}

export function measure(runs: Run[]): Measure {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const sizes: number[] = [];
  let thick = 0;
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
        if (p.to) put(p.to, row, 0);
        if (p.third) put(p.third, row, 0);
      }
    }
  if (!(low[0]! <= high[0]!)) {
    low.fill(-1);
    high.fill(1);
  }
  const extent = low.map((l, k) => high[k]! - l);
  const travel = Math.max(...extent, 1e-9);
  sizes.sort((a, b) => a - b);
  const largest = sizes.length ? sizes[sizes.length - 1]! : 0.5 * travel;
  const g = runs[0]!.up;
  const norm = Math.hypot(...g);
  return {
    low,
    high,
    travel,
    size: Math.min(Math.max(largest, 0.02 * travel), travel),
    up: norm > 0 ? g.map((x) => x / norm) : [0, 0, 1],
    heavy: norm > 0,
    planar: extent[2]! - 2 * thick < 1e-6 * travel && !(norm > 0 && Math.abs(g[2]!) > 0.5 * norm),
  };
}

// a round step for grid lines: 1, 2 or 5 times a power of ten
export function niceStep(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const part = length / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}
