// What is seen of each run and moves: bodies, signs, traces, arrows. Needs no canvas.
import { Box3, BufferGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { Data, Part, Run, Spot } from './data';
import { hollows } from './inside';
import { boundaryOf, isAt, lowest, Measure } from './measure';
import { arrow, Look, massCentre, place, show, Shown } from './parts';
import { blade, curve, gimbal, ground, hinge, round, spokes, slabThickness, standsOn, tie, tube, upOf, wheel } from './signs';
import { palette } from './theme';
import { Trace } from './trace';
import { velocity } from './velocity';

interface Force {
  part: Part;
  set(from: Vector3, vector: Vector3): void;
  object: Group;
  largest: number;
}

export interface Actor {
  run: Run;
  group: Group;
  shown: Shown[];
  traces: Trace[];
  forces: Force[];
  planes: { part: Part; object: Group }[];
}

export interface Layers {
  traces: boolean;
  forces: boolean;
  frames: boolean;
  points: boolean;
}

// what may be followed and named: bodies by the frame that carries them, particles by themselves
export function bodiesOf(run: Run): Part[] {
  const seen = new Set<string>();
  return run.parts.filter((p) => {
    const body = ['particle', 'body', 'rod', 'plate', 'disc', 'ball', 'surface'].includes(p.kind);
    if (!body || p.shown || p.base || seen.has(p.name)) return false;
    seen.add(p.name);
    return true;
  });
}

export class Cast {
  readonly actors: Actor[];

  constructor(
    private data: Data,
    readonly measure: Measure,
  ) {
    this.actors = data.runs.map((run, i) => this.actor(run, i));
  }

  private colorOf(part: Part, run: number, names: string[]): string {
    if (this.data.runs.length > 1) return palette[run % palette.length]!;
    if (part.kind === 'surface' && part.base) return '#8b98a8';
    let i = names.indexOf(part.name);
    // what is shown has the colour of the body that is there
    if (i < 0) i = names.indexOf(this.data.runs[run]!.parts.find((p) => names.includes(p.name) && isAt(p.at, part.at, this.data.runs[run]!, this.measure))?.name ?? part.carrier);
    // and what stands for a body where the model has none, one of its own
    const { parts } = this.data.runs[run]!;
    const own = parts.filter((p) => p.shown && (p.kind === 'ball' || p.kind === 'box')).indexOf(part);
    return palette[(i < 0 ? names.length + Math.max(own, 0) : i) % palette.length]!;
  }

  private actor(run: Run, index: number): Actor {
    const names = bodiesOf(run).map((p) => p.name);
    const a: Actor = { run, group: new Group(), shown: [], traces: [], forces: [], planes: [] };
    const hollow = hollows(run);
    for (const part of run.parts) {
      const color = this.colorOf(part, index, names);
      if (isCovered(part, run, this.measure)) continue;
      const s = this.drawing(part, run, { color, opacity: 1, hollow: hollow.has(part), measure: this.measure });
      if (s) a.shown.push(s), a.group.add(s.object);
      if (part.kind === 'surface' && part.plane) a.planes.push({ part, object: new Group() });
      if (part.kind === 'contact' || part.kind === 'force') a.forces.push(this.force(part, run));
    }
    for (const f of a.forces) a.group.add(f.object);
    for (const part of this.traced(run)) {
      const color = this.data.runs.length > 1 ? palette[index % palette.length]! : part.kind === 'contact' ? '#e69f00' : '#d55e00';
      const trace = new Trace(run, part.at, color);
      a.traces.push(trace);
      a.group.add(trace.object);
    }
    return a;
  }

  private drawing(part: Part, run: Run, look: Look): Shown | null {
    switch (part.kind) {
      case 'ground':
        return ground(part, run, look);
      case 'curve':
        return curve(part, run, look);
      case 'round':
        return round(part, run, look);
      case 'tube':
        return tube(part, run, look);
      case 'hinge':
        return hinge(part, run, look);
      case 'spring':
      case 'damper':
        return tie(part, run, look);
      case 'spokes':
        return spokes(part, look);
      case 'blade':
        return blade(part, this.measure.planar ? null : (this.floor(run) ?? lowest(this.data.runs, this.measure, upOf(this.measure))), run, look);
      case 'particle':
        return standsOn(part, run, look) ?? show(part, look);
      case 'disc':
        return part.held ? wheel(part, look) : show(part, look);
      case 'body':
        return part.held ? gimbal(part, look) : isOfWheel(part, run) ? massCentre(part, look) : show(part, look);
      case 'force':
        return part.velocity ? velocity(part, run, look) : null;
      default:
        return show(part, look);
    }
  }

  // the traces asked for; where none is, contacts, else the first few things with mass
  private traced(run: Run): Part[] {
    const asked = run.parts.filter((p) => p.kind === 'trace');
    if (asked.length) return asked;
    const contacts = run.parts.filter((p) => p.kind === 'contact');
    if (contacts.length) return contacts;
    const particles = run.parts.filter((p) => p.kind === 'particle');
    if (particles.length && particles.length <= 8) return particles;
    const bodies = bodiesOf(run);
    if (!bodies.length) return run.parts.filter((p) => p.shown && p.kind === 'ball' && p.at.some((c) => c.values));
    return bodies.length <= 3 ? bodies : [run.parts.find((p) => p.kind === 'frame') ?? bodies[0]!];
  }

  private force(part: Part, run: Run): Force {
    let largest = 0;
    for (let i = 0; i < run.rows; i++) {
      const f = Math.hypot(...part.force!.map((c) => c.row(i)));
      if (Number.isFinite(f)) largest = Math.max(largest, f);
    }
    return { part, largest, ...arrow('#b5179e', 0.012 * this.measure.size) };
  }

  // the height of level ground that a constraint speaks of, as it is drawn
  floor(run: Run): number | null {
    const m = this.measure;
    const up = upOf(m);
    const part = run.parts.find((p) => isFloor(p, m));
    if (!part) return null;
    return place(part.at, { row: 0, part: 0 }, new Vector3()).dot(up) - boundaryOf(part.to!, up, run, m);
  }

  // the sheet under all, across `normal` at this height; a floor, or behind a picture of the plane
  under(): { normal: Vector3; height: number; floor: boolean } | null {
    const m = this.measure;
    const { planes } = this.actors[0]!;
    const still = planes.find((p) => isStill(p.part))?.part;
    if (m.planar) return { normal: new Vector3(0, 0, 1), height: m.low[2]! - 0.08 * m.size, floor: false };
    if (still) {
      const start = { row: 0, part: 0 };
      const turn = new Quaternion();
      still.turn?.at(start, turn);
      const normal = new Vector3(0, 0, 1).applyQuaternion(turn);
      if (normal.dot(upOf(m)) < 0) normal.negate();
      return { normal, height: normal.dot(place(still.at, start, new Vector3())), floor: true };
    }
    if (planes.length) return null;
    // what stays in a plane across z lies on that, however gravity leans
    const normal = m.flat ? new Vector3(0, 0, Math.sign(m.up[2]!) || 1) : upOf(m);
    const floor = this.floor(this.data.runs[0]!);
    return { normal, height: floor === null ? lowest(this.data.runs, m, normal) : floor - slabThickness(m), floor: true };
  }

  // a body that goes far is followed from the start
  defaultFollow(): Part | null {
    const m = this.measure;
    if (!m.goesFar || this.data.runs.length > 1) return null;
    return bodiesOf(this.data.runs[0]!)[0] ?? null;
  }

  update(spots: Spot[], layers: Layers): void {
    const from = new Vector3();
    const vector = new Vector3();
    this.actors.forEach((a, i) => {
      const s = spots[i]!;
      for (const x of a.shown) {
        x.object.visible = isShown(x.part, layers);
        if (x.object.visible) x.update(s);
      }
      for (const p of a.planes) {
        place(p.part.at, s, p.object.position);
        p.part.turn?.at(s, p.object.quaternion);
      }
      for (const f of a.forces) {
        f.object.visible = layers.forces;
        if (!layers.forces) continue;
        place(f.part.force!, s, vector).multiplyScalar((1.2 * this.measure.size) / (f.largest || 1));
        f.set(place(f.part.at, s, from), vector);
      }
      for (const t of a.traces) {
        t.object.visible = layers.traces;
        t.update(s);
      }
    });
  }

  // what the first run's parts are drawn as, for tests: the room they take, and whether they are looked through
  drawn(): { kind: string; name: string; low: number[]; high: number[]; glass: boolean }[] {
    const { shown, forces } = this.actors[0]!;
    return [...shown, ...forces].map(({ part, object }) => {
      const box = new Box3();
      let glass = false;
      object.updateWorldMatrix(false, true);
      object.traverseVisible((o) => {
        if (!(o instanceof Mesh)) return;
        glass ||= (o.material as MeshStandardMaterial).transparent;
        const at = (o.geometry as BufferGeometry).getAttribute('position');
        for (let i = 0; i < at.count; i++) box.expandByPoint(new Vector3().fromBufferAttribute(at, i).applyMatrix4(o.matrixWorld));
      });
      return { kind: part.kind, name: part.name, low: box.min.toArray(), high: box.max.toArray(), glass };
    });
  }
}

function isShown(p: Part, layers: Layers): boolean {
  if (p.kind === 'frame') return layers.frames;
  if (p.kind === 'point') return layers.points;
  return true;
}

// something is shown in its place, or it is the hub of spokes
function isCovered(part: Part, run: Run, m: Measure): boolean {
  // the shape of a contact, where the same body is shown otherwise
  if (part.shape) return run.parts.some((p) => p.shown && !p.shape && (p.kind === 'ball' || p.kind === 'box') && isAt(p.at, part.at, run, m));
  if (part.kind !== 'particle' && part.kind !== 'body') return false;
  return run.parts.some((p) => ((p.shown && (p.kind === 'ball' || p.kind === 'box')) || p.kind === 'spokes' || ((p.kind === 'disc' || p.kind === 'ball') && p.held && part.kind === 'body')) && isAt(p.at, part.at, run, m));
}

// the body of a wheel, which is drawn by its rolling
function isOfWheel(part: Part, run: Run): boolean {
  return part.carrier !== '' && run.parts.some((p) => p.kind === 'disc' && p.held && p.carrier === part.carrier);
}

// level ground in space, at rest: the floor under all
function isFloor(part: Part, m: Measure): boolean {
  if (part.kind !== 'ground' || m.planar || part.at.some((c) => c.values)) return false;
  const n = place(part.normal!, { row: 0, part: 0 }, new Vector3()).dot(upOf(m));
  return part.both ? Math.abs(n) > 0.999 : n > 0.999;
}

// a plane that does not move is the ground
export function isStill(part: Part): boolean {
  return !part.turn?.values && part.at.every((c) => !c.values);
}
