// The path of a point: all of it faintly, what has passed in full.
import { Group } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { Channel, Run, Spot } from './data';

const most = 6000; // points drawn of one path

export class Trace {
  readonly object = new Group();
  private done: Line2;
  private materials: LineMaterial[];
  private stride: number;
  private points: number;

  constructor(run: Run, at: Channel[], color: string) {
    this.stride = Math.max(1, Math.ceil(run.rows / most));
    const positions: number[] = [];
    let last = [0, 0, 0];
    for (let i = 0; i < run.rows; i += this.stride) {
      const p = at.map((c) => c.row(i));
      if (p.every(Number.isFinite)) last = p;
      positions.push(...last);
    }
    if (positions.length < 6) positions.push(...last);
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
    const n = Math.min(Math.floor((s.row + s.part) / this.stride), this.points - 1);
    this.done.visible = n > 0;
    this.done.geometry.instanceCount = Math.max(n, 0);
  }

  resize(width: number, height: number): void {
    for (const m of this.materials) m.resolution.set(width, height);
  }
}
