// How far what is drawn is from what it is drawn on, beside how far the motion has it from there: slabs, tables, walls and uneven
// ground, round obstacles, tubes, wires, whatever contacts roll on, and the floor that wheels roll on.
import { BufferGeometry, Mesh, Object3D, Quaternion, Triangle, Vector3 } from 'three';
import { Cast } from '../src/cast';
import { Data, Part, Run, Spot, spotOf, unpack } from '../src/data';
import { isShape, Measure, measure, wireRadius } from '../src/measure';
import { place, Shown } from '../src/parts';
import { cameraFor, lookAtAll, pixelAt } from '../src/sight';
import { upOf } from '../src/signs';

export interface Touch {
  ground: string;
  body: string;
  off: number; // metres, less what the motion itself has it off
}

const bodies = ['particle', 'ball', 'disc', 'box', 'rod', 'body', 'plate', 'surface', 'spokes'];
const isBody = ({ part, object }: Shown) => bodies.includes(part.kind) && !part.base && object.visible;

// points of the faces of an object
function* corners(object: Object3D): Generator<Vector3> {
  const meshes: Mesh[] = [];
  object.updateWorldMatrix(true, true);
  object.traverseVisible((o) => void (o instanceof Mesh && meshes.push(o)));
  for (const o of meshes) {
    const points = (o.geometry as BufferGeometry).getAttribute('position');
    for (let i = 0; i < points.count; i++) yield new Vector3().fromBufferAttribute(points, i).applyMatrix4(o.matrixWorld);
  }
}

// where an object ends along a direction
function end(object: Object3D, n: Vector3): number {
  let found = -Infinity;
  for (const p of corners(object)) found = Math.max(found, p.dot(n));
  return found;
}

// the place of an object's faces that is nearest to a point, and the normal of the face there
function foot(object: Object3D, at: Vector3): { far: number; place: Vector3; normal: Vector3 } {
  const best = { far: Infinity, place: new Vector3(), normal: new Vector3() };
  const [face, near] = [new Triangle(), new Vector3()];
  object.updateWorldMatrix(true, true);
  object.traverseVisible((o) => {
    if (!(o instanceof Mesh)) return;
    const { index } = o.geometry as BufferGeometry;
    const points = (o.geometry as BufferGeometry).getAttribute('position');
    const world = Array.from({ length: points.count }, (_, i) => new Vector3().fromBufferAttribute(points, i).applyMatrix4(o.matrixWorld));
    const corner = (i: number) => world[index ? index.getX(i) : i]!;
    for (let i = 0; i + 2 < (index?.count ?? points.count); i += 3) {
      face.set(corner(i), corner(i + 1), corner(i + 2));
      const far = face.closestPointToPoint(at, near).distanceTo(at);
      if (far >= best.far) continue;
      best.far = far;
      best.place.copy(near);
      face.getNormal(best.normal);
    }
  });
  return best;
}

const named = ({ part }: Shown) => `${part.kind} ${part.name}`;

// of all bodies the one whose end against n is where the motion has it above this level, as nearly as any
function standing(shown: Shown[], n: Vector3, level: number, gap: number, ground: string): Touch | null {
  let best: Touch | null = null;
  for (const s of shown.filter(isBody)) {
    const off = -end(s.object, n.clone().negate()) - level - gap;
    if (Number.isFinite(off) && (!best || Math.abs(off) < Math.abs(best.off))) best = { ground, body: named(s), off };
  }
  return best;
}

// slabs and tables of constraints
function onGround({ part, object }: Shown, shown: Shown[], s: Spot): Touch | null {
  const n = new Vector3(0, part.turn ? 0 : 1, part.turn ? 1 : 0).applyQuaternion(object.quaternion);
  const level = end(object, n);
  if (!isShape(part.at, part.to!)) return standing(shown, n, level, place(part.to!, s, new Vector3()).sub(place(part.at, s, new Vector3())).dot(n), part.name);
  // of shapes the point that may touch is not known: none of them may be below
  let deepest: Touch | null = null;
  for (const x of shown.filter((y) => isBody(y) && y.part.shown)) {
    const off = Math.min(0, -end(x.object, n.clone().negate()) - level);
    if (!deepest || off < deepest.off) deepest = { ground: part.name, body: named(x), off };
  }
  return deepest;
}

// the place of a curve that is nearest to a point, and the direction to where it is free
function footOfCurve(part: Part, at: Vector3): { place: Vector3; off: Vector3 } {
  const best = { place: new Vector3(Infinity, 0, 0), off: new Vector3() };
  const [a, b, to] = [new Vector3(), new Vector3(), new Vector3()];
  const sense = part.normal!.reduce((sum, c) => sum + c.row(0), 0);
  for (let i = 0; i + 8 < part.pieces!.length; i += 9) {
    a.fromArray(part.pieces!, i);
    b.fromArray(part.pieces!, i + 3).sub(a);
    to.copy(a).addScaledVector(b, Math.min(1, Math.max(0, at.clone().sub(a).dot(b) / b.lengthSq())));
    if (to.distanceTo(at) >= best.place.distanceTo(at)) continue;
    best.place.copy(to);
    best.off.fromArray(part.pieces!, i + 6).multiplyScalar(sense);
  }
  return best;
}

// Uneven ground: level with the foot of the point on it, across the normal there. A wire goes through what slides along it: it
// is made of bars, and the point is in their middle where it is on the curve and no farther from a face than they are thick.
function onCurve({ part, object }: Shown, shown: Shown[], m: Measure, s: Spot): Touch | null {
  const at = place(part.to!, s, new Vector3());
  const drawn = foot(object, at);
  const known = footOfCurve(part, at);
  if (part.both) return { ground: part.name, body: '', off: Math.max(known.place.distanceTo(at), drawn.far - wireRadius(m)) };
  const normal = drawn.normal.dot(known.off) < 0 ? drawn.normal.negate() : drawn.normal;
  return standing(shown, normal, drawn.place.dot(normal), at.sub(known.place).dot(known.off), part.name);
}

// what is threaded on a wire: its middle in the middle of the wire, so far from the faces
function through(object: Object3D, shown: Shown[], m: Measure, ground: string): Touch | null {
  let best: Touch | null = null;
  for (const s of shown.filter((x) => isBody(x) && ['particle', 'ball', 'box'].includes(x.part.kind))) {
    const off = foot(object, s.object.getWorldPosition(new Vector3())).far - wireRadius(m);
    if (!best || Math.abs(off) < Math.abs(best.off)) best = { ground, body: named(s), off };
  }
  return best;
}

// a round obstacle, a tube around or under the point: their walls as far from the middle as the point goes
function onRound({ part, object }: Shown, shown: Shown[], s: Spot): Touch | null {
  const [at, centre] = [place(part.to!, s, new Vector3()), place(part.at, s, new Vector3())];
  const away = at.clone().sub(centre);
  if (part.kind === 'tube') {
    const axis = place(part.normal!, s, new Vector3()).normalize();
    away.addScaledVector(axis, -away.dot(axis));
  }
  const [far, radius] = [away.length(), part.size![0]!.at(s)];
  const sense = part.kind === 'tube' && !part.both && place(part.normal!, s, new Vector3()).toArray().reduce((x, y) => x + y) > 0 ? -1 : 1;
  const n = away.normalize().multiplyScalar(sense);
  const level = sense > 0 ? end(object, n) : -end(object, n.clone().negate());
  if (part.both) return { ground: part.name, body: '', off: centre.dot(n) + far - level };
  return standing(shown, n, level, sense * (far - radius), part.name);
}

// a contact lies on the surface that carries it and on the body that it bounds, as they are drawn
function atContact(c: Part, shown: Shown[], run: Run, s: Spot): Touch[] {
  const at = place(c.at, s, new Vector3());
  // one that was left is drawn where it was last, or nowhere: then nothing is told
  if (!Number.isFinite(at.length()) || !(Math.hypot(...c.force!.map((x) => x.at(s))) > 0)) return [];
  const base = run.parts.slice(0, run.parts.indexOf(c)).filter((p) => p.kind === 'surface' && p.base && p.carrier === c.carrier).at(-1);
  if (!base) return [];
  const found: Touch[] = [];
  if (base.plane) {
    const turn = new Quaternion();
    base.turn?.at(s, turn);
    const n = new Vector3(0, 0, 1).applyQuaternion(turn);
    const level = place(base.at, s, new Vector3()).dot(n);
    found.push({ ground: c.name, body: base.name, off: at.dot(n) - level });
    const body = standing(shown, n, level, 0, c.name);
    if (body) found.push(body);
  } else {
    const drawn = shown.find((x) => x.part === base);
    if (drawn) found.push({ ground: c.name, body: named(drawn), off: foot(drawn.object, at).far });
  }
  const rolls = shown.filter((x) => isBody(x) && x.part.kind !== 'particle').map((x) => ({ ground: c.name, body: named(x), off: foot(x.object, at).far }));
  if (rolls.length) found.push(rolls.reduce((a, b) => (b.off < a.off ? b : a)));
  return found;
}

// wheels and balls that constraints let roll stand on the floor
function onFloor(cast: Cast, shown: Shown[]): Touch[] {
  const under = cast.under();
  if (!under?.floor || shown.some((x) => x.part.kind === 'ground')) return [];
  const { normal, height } = under;
  if (Math.abs(normal.dot(upOf(cast.measure))) < 0.999) return [];
  return shown.filter((x) => isBody(x) && x.part.held && ['disc', 'ball'].includes(x.part.kind))
    .map((x) => ({ ground: 'floor', body: named(x), off: -end(x.object, normal.clone().negate()) - height }));
}

export function touches(cast: Cast, s: Spot): Touch[] {
  const { shown, run } = cast.actors[0]!;
  const found: (Touch | null)[] = [];
  for (const x of shown) {
    if (x.part.kind === 'ground') found.push(onGround(x, shown, s));
    if (x.part.kind === 'curve') found.push(onCurve(x, shown, cast.measure, s));
    if (x.part.kind === 'wire') found.push(through(x.object, shown, cast.measure, x.part.name));
    if (x.part.kind === 'round' || x.part.kind === 'tube') found.push(onRound(x, shown, s));
  }
  for (const c of run.parts.filter((p) => p.kind === 'contact')) found.push(...atContact(c, shown, run, s));
  found.push(...onFloor(cast, shown));
  return found.filter((t) => t !== null);
}

// the first run of a page at some instants, as it is drawn in a window of this size: what touches, off by so many pixels
export function touching(raw: unknown, width: number, height: number, instants: number): (Touch & { t: number; pixels: number })[] {
  const data: Data = unpack(raw);
  const cast = new Cast(data, measure(data.runs));
  const camera = cameraFor(cast.measure);
  camera.aspect = width / height;
  const pixel = pixelAt(camera, lookAtAll(camera, cast.measure, cast.defaultFollow()), height);
  const time = data.runs[0]!.time;
  return Array.from({ length: instants }, (_, i) => time[0]! + ((time.at(-1)! - time[0]!) * i) / (instants - 1)).flatMap((t) => {
    const s = spotOf(data.runs[0]!, t);
    cast.update(data.runs.map((r) => spotOf(r, t)), { traces: true, forces: false, frames: false, points: false });
    return touches(cast, s).map((x) => ({ ...x, t, pixels: x.off / pixel }));
  });
}
