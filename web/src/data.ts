// The data of a page: what zwang wrote, unpacked. Numbers of a motion are channels over the rows.

export interface Part {
  kind: string;
  name: string;
  carrier: string;
  shown?: boolean;
  shape?: boolean; // of a contact between shapes
  held?: boolean; // a link that a constraint holds; ground with friction
  fixed?: boolean; // to the world
  both?: boolean; // ground that holds on both sides
  velocity?: boolean; // of a constraint on the velocity of a particle
  at: Channel[];
  to?: Channel[];
  third?: Channel[];
  size?: Channel[];
  normal?: Channel[];
  mass?: Channel[];
  force?: Channel[];
  turn?: Turn;
  edges?: number[];
  principal?: number[];
  round?: number; // axis of revolution of such a body, 3: a ball, -1: none
  range?: number[];
  base?: boolean;
  inside?: boolean;
  plane?: boolean;
  glass?: boolean; // a surface to be looked through
  mesh?: Mesh;
  pieces?: Float32Array; // of a curve: both ends and the direction to where it is free
}

export interface Mesh {
  nu: number;
  nv: number;
  points: Float32Array;
}

export interface Param {
  name: string;
  value: number | null;
  unit: string;
  note: string;
  changes: boolean;
}

export interface Curve {
  name: string;
  unit: string;
  data: Channel;
}

export interface Plot {
  title: string;
  sameScale: boolean;
  xLabel: string;
  x: Channel | null;
  rows: number[] | null; // a section: points at these rows alone
  y: Curve[];
}

export interface Mark {
  name: string;
  t: number;
}

export interface Residual {
  name: string;
  position: number | null;
  velocity: number | null;
  acceleration: number | null;
}

export interface Run {
  value: number | null;
  label: string;
  status: string;
  reason: string;
  doubt: string;
  method: string;
  tolerance: number | null;
  steps: number;
  rows: number;
  time: Float64Array;
  params: Param[];
  columns: Curve[];
  plots: Plot[];
  parts: Part[];
  up: number[];
  stages: Mark[];
  events: Mark[];
  residuals: Residual[];
  energy: { kinetic: Channel; potential: Channel; work: number | null; balance: number | null };
  point: Channel[] | null;
}

export interface Form {
  name: string;
  title: string;
  whole: boolean;
  groups?: { title: string; lines: { tex: string; label: string }[] }[];
}

export interface Data {
  title: string;
  varied: string | null;
  sources: { name: string; text: string }[];
  sets: string[]; // params that were set, NAME=VALUE
  forms: Form[];
  surface: (Mesh & { how: string; coordinates: string[] }) | null;
  runs: Run[];
}

// A place on the rows: between row and row + 1, at this part of the way.
export interface Spot {
  row: number;
  part: number;
}

// One number of a motion at every row, or a constant.
export class Channel {
  constructor(
    readonly offset: number,
    readonly values: Float32Array | null,
  ) {}

  row(i: number): number {
    return this.values ? this.offset + this.values[i]! : this.offset;
  }

  at(s: Spot): number {
    if (!this.values) return this.offset;
    const a = this.values[s.row]!;
    return this.offset + (s.part > 0 ? a + (this.values[s.row + 1]! - a) * s.part : a);
  }
}

// An attitude at every row as quaternion (x, y, z, w), or a constant one.
export class Turn {
  constructor(
    readonly constant: number[] | null,
    readonly values: Int16Array | null,
  ) {}

  at(s: Spot, out: { set(x: number, y: number, z: number, w: number): unknown }): void {
    if (!this.values) {
      const [w, x, y, z] = this.constant!;
      out.set(x!, y!, z!, w!);
      return;
    }
    const a = 4 * s.row;
    const q = [0, 0, 0, 0];
    for (let k = 0; k < 4; k++) {
      const from = this.values[a + k]!;
      q[k] = s.part > 0 ? from + (this.values[a + 4 + k]! - from) * s.part : from;
    }
    const size = Math.hypot(q[0]!, q[1]!, q[2]!, q[3]!) || 1;
    out.set(q[1]! / size, q[2]! / size, q[3]! / size, q[0]! / size);
  }
}

// a live page has them as they are
function bytes(text: string | ArrayBuffer): ArrayBuffer {
  if (typeof text !== 'string') return text;
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

/* eslint-disable @typescript-eslint/no-explicit-any */
type Raw = any;

class Unpacker {
  private floats: Float32Array;
  private shorts: Int16Array;

  constructor(private run: Raw) {
    this.floats = new Float32Array(bytes(run.floats));
    this.shorts = new Int16Array(bytes(run.shorts));
  }

  channel = (c: Raw): Channel => {
    if (!Array.isArray(c)) return new Channel(c === null ? NaN : c, null);
    const n: number = this.run.rows;
    return new Channel(c[0], this.floats.subarray(c[1] * n, (c[1] + 1) * n));
  };

  channels = (c: Raw): Channel[] | undefined => c?.map(this.channel);

  turn(c: Raw): Turn | undefined {
    if (!c) return undefined;
    if (c.length === 4) return new Turn(c, null);
    const n = 4 * this.run.rows;
    return new Turn(null, this.shorts.subarray(c[0] * n, (c[0] + 1) * n));
  }

  part = (p: Raw): Part => ({
    ...p,
    at: this.channels(p.at)!,
    to: this.channels(p.to),
    third: this.channels(p.third),
    size: this.channels(p.size),
    normal: this.channels(p.normal),
    mass: this.channels(p.mass),
    force: this.channels(p.force),
    turn: this.turn(p.turn),
    mesh: p.mesh && mesh(p.mesh),
    pieces: p.pieces && new Float32Array(bytes(p.pieces)),
  });

  curve = (c: Raw): Curve => ({ name: c.name, unit: c.unit ?? '', data: this.channel(c.data) });

  plot = (p: Raw): Plot => ({
    title: p.title,
    sameScale: p.same_scale,
    xLabel: p.x_label,
    x: p.x === null ? null : this.channel(p.x),
    rows: p.rows ?? null,
    y: p.y.map(this.curve),
  });
}

function mesh(m: Raw): Mesh {
  return { nu: m.nu, nv: m.nv, points: new Float32Array(bytes(m.points)) };
}

function unpackRun(r: Raw, varied: string | null): Run {
  const u = new Unpacker(r);
  return {
    ...r,
    label: varied ? `${varied} = ${short(r.value)}` : '',
    time: new Float64Array(bytes(r.time)),
    columns: r.columns.map(u.curve),
    plots: r.plots.map(u.plot),
    parts: r.parts.map(u.part),
    energy: { ...r.energy, kinetic: u.channel(r.energy.kinetic), potential: u.channel(r.energy.potential) },
    point: u.channels(r.point) ?? null,
  };
}

export function unpack(raw: Raw): Data {
  return {
    ...raw,
    surface: raw.surface && { ...raw.surface, ...mesh(raw.surface) },
    runs: raw.runs.map((r: Raw) => unpackRun(r, raw.varied)),
  };
}

export function readData(): Data {
  return unpack(JSON.parse(document.getElementById('data')!.textContent!));
}

// where time t lies among the rows; of two rows of one instant the later counts
export function spotOf(run: Run, t: number): Spot {
  const time = run.time;
  const last = run.rows - 1;
  if (last <= 0 || t >= time[last]!) return { row: Math.max(last, 0), part: 0 };
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle]! <= t) low = middle;
    else high = middle;
  }
  const span = time[low + 1]! - time[low]!;
  const part = span > 0 ? Math.min(Math.max((t - time[low]!) / span, 0), 1) : 0;
  return { row: low, part: part < 1e-9 ? 0 : part };
}

// a number for people: six digits
export function short(x: number | null, digits = 6): string {
  if (x === null || !Number.isFinite(x)) return '–';
  const text = x.toPrecision(digits);
  return text.includes('e')
    ? text.replace(/\.?0+e/, 'e').replace('e+', 'e')
    : text.includes('.')
      ? text.replace(/\.?0+$/, '')
      : text;
}
