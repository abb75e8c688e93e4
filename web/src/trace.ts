// The path of a point: all of it faintly, what has passed in full.
import { Group } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { Channel, Run, Spot } from './data';

const most = 6000; // points drawn of one path
const bends = 0.75; // cosine of the angle from which on a path has a corner

type Point = [number, number, number];

// the direction of the path at a point for the piece from a to b that begins or ends there: none of its own at a corner
function slope(before: Point, at: Point, after: Point, piece: Point): Point {
  const [a, b] = [at.map((x, k) => x - before[k]!), after.map((x, k) => x - at[k]!)];
  const along = a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  const lengths = Math.hypot(...a) * Math.hypot(...b);
  return lengths > 0 && along > bends * lengths ? (a.map((x, k) => (x + b[k]!) / 2) as Point) : piece;
}

// a path as fine as the motion: between rows by Hermite's cubics, `fine` pieces each
export function refined(p: Point[], fine: number): number[] {
  const out: number[] = [];
  for (let i = 0; i + 1 < p.length; i++) {
    const [a, b] = [p[i]!, p[i + 1]!];
    const piece = b.map((x, k) => x - a[k]!) as Point;
    const [from, to] = [slope(p[i - 1] ?? a, a, b, piece), slope(a, b, p[i + 2] ?? b, piece)];
    for (let j = 0; j < fine; j++) {
      const s = j / fine;
      const [h0, h1, h2, h3] = [1 - s * s * (3 - 2 * s), s * s * (3 - 2 * s), s * (1 - s) * (1 - s), s * s * (s - 1)];
      for (let k = 0; k < 3; k++) out.push(h0! * a[k]! + h1! * b[k]! + h2! * from[k]! + h3! * to[k]!);
    }
  }
  if (p.length) out.push(...p[p.length - 1]!);
  return out;
}

export class Trace {
  readonly object = new Group();
  private done: Line2;
  private materials: LineMaterial[];
  private stride: number;
  private points: number;
  private fine: number;

  constructor(run: Run, at: Channel[], color: string) {
    this.stride = Math.max(1, Math.ceil(run.rows / most));
    const path: Point[] = [];
    let last: Point = [0, 0, 0];
    for (let i = 0; i < run.rows; i += this.stride) {
      const p = at.map((c) => c.row(i)) as Point;
      if (p.every(Number.isFinite)) last = p;
      path.push(last);
    }
    if (path.length < 2) path.push(last);
    this.fine = this.stride > 1 ? 1 : Math.max(1, Math.min(8, Math.floor(most / path.length)));
    const positions = refined(path, this.fine);
    this.points = positions.length / 3;
    const geometry = new LineGeometry();
    geometry.setPositions(positions);
    const whole = new LineGeometry();
    whole.setPositions(positions);
    this.materials = [
      new LineMaterial({ color, linewidth: 1.2, transparent: true, opacity: 0.28 }),
      new LineMaterial({ color, linewidth: 2.6 }),
    ];
    this.done = new Line2(geometry, this.materials[1]!);
    this.object.add(new Line2(whole, this.materials[0]!), this.done);
    this.object.traverse((o) => (o.frustumCulled = false));
  }

  update(s: Spot): void {
    const n = Math.min(Math.floor(((s.row + s.part) * this.fine) / this.stride), this.points - 1);
    this.done.visible = n > 0;
    this.done.geometry.instanceCount = Math.max(n, 0);
  }

  resize(width: number, height: number): void {
    for (const m of this.materials) m.resolution.set(width, height);
  }
}
