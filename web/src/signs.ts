// The signs of mechanics: ground with hatching, hinges and their supports, coils, pistons, spokes, runners.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Curve,
  CylinderGeometry,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Object3D,
  SphereGeometry,
  TorusGeometry,
  TubeGeometry,
  Vector3,
} from 'three';
import { Channel, Part, Run, Spot } from './data';
import { boundaryOf, dotRadius, isAt, isShape, lineRadius, Measure, reachOnTable, wallOf, wireRadius } from './measure';
import { bar, Look, meshOf, onAxle, place, Shown, solid } from './parts';

const Y = new Vector3(0, 1, 0);
const Z = new Vector3(0, 0, 1);
const steel = '#5b6470';
const earth = '#cfd3d6';
const stroke = '#4a525c';

export const upOf = (m: Measure) => new Vector3(...(m.up as [number, number, number]));

function lines(at: number[], color: string): LineSegments {
  const g = new BufferGeometry();
  g.setAttribute('position', new BufferAttribute(new Float32Array(at), 3));
  return new LineSegments(g, new LineBasicMaterial({ color }));
}

// ---- ground -------------------------------------------------------------------------------------

export const slabThickness = (m: Measure) => 0.09 * m.size;

// A slab along x, its top at y = 0, hatched in front, from x = low to x = high.
export function slab(low: number, high: number, thick: number, deep: number): Group {
  const g = new Group();
  const box = new Mesh(new BoxGeometry(high - low, thick, deep), new MeshStandardMaterial({ color: earth, roughness: 0.95 }));
  box.position.set((low + high) / 2, -thick / 2, 0);
  box.receiveShadow = true;
  const at: number[] = [];
  const front = deep / 2 + 0.01 * thick;
  const step = Math.max(0.55 * thick, (high - low) / 400);
  for (let x = low + thick; x <= high; x += step) at.push(x, 0, front, x - thick, -thick, front);
  at.push(low, 0, front, high, 0, front, low, 0, -front, high, 0, -front);
  g.add(box, lines(at, stroke));
  return g;
}

// which way is off the ground: as the inequality says; where it holds both ways, to where the system is, else up
function offGround(part: Part, run: Run, m: Measure): Vector3 {
  const n = place(part.normal!, { row: 0, part: 0 }, new Vector3()).normalize();
  if (!part.both) return n;
  let [side, count] = [0, 0];
  for (const p of run.parts) {
    if (!['particle', 'body', 'rod', 'disc', 'ball', 'plate', 'box'].includes(p.kind)) continue;
    count += 3;
    for (const row of [0, run.rows >> 1, run.rows - 1])
      for (let k = 0; k < 3; k++) side += n.getComponent(k) * ((p.at[k]!.row(row) + (p.to ?? p.at)[k]!.row(row)) / 2 - part.at[k]!.row(row));
  }
  const up = upOf(m).dot(n);
  if (Math.abs(side) < 0.1 * m.size * count) side = Math.abs(up) > 1e-6 ? up : n.y || n.x || n.z;
  return side < 0 ? n.negate() : n;
}

// where a point goes along a direction, over the run
function reach(c: Part['at'], run: Run, along: Vector3, from: Vector3): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < run.rows; i += Math.max(1, Math.floor(run.rows / 400))) {
    const x = along.x * (c[0]!.row(i) - from.x) + along.y * (c[1]!.row(i) - from.y) + along.z * (c[2]!.row(i) - from.z);
    if (Number.isFinite(x)) (low = Math.min(low, x)), (high = Math.max(high, x));
  }
  return low <= high ? [low, high] : [0, 0];
}

// a round table about its axis, own z, with lines from the middle by which its turning is seen
function table(part: Part, run: Run, look: Look, room: number): Shown {
  const m = look.measure;
  const thick = slabThickness(m);
  const radius = 1.15 * reachOnTable(part, run) + 0.2 * m.size;
  const plate = new CylinderGeometry(radius, radius, thick, 96);
  plate.rotateX(Math.PI / 2);
  const object = new Group();
  const disc = new Mesh(plate, new MeshStandardMaterial({ color: earth, roughness: 0.95 }));
  disc.receiveShadow = true;
  disc.position.z = -thick / 2 - room;
  const at: number[] = [];
  const z = 0.02 * thick - room;
  const sides = 96;
  for (const r of [radius, radius / 2])
    for (let k = 0; k < 2 * sides; k++) {
      const a = (2 * Math.PI * ((k + 1) >> 1)) / sides;
      at.push(r * Math.cos(a), r * Math.sin(a), z);
    }
  for (let k = 0; k < 12; k++) at.push(0, 0, z, radius * Math.cos((k * Math.PI) / 6), radius * Math.sin((k * Math.PI) / 6), z);
  object.add(disc, lines(at, stroke));
  return {
    part,
    object,
    update: (s) => {
      place(part.at, s, object.position);
      part.turn!.at(s, object.quaternion);
    },
  };
}

// the ground as it is drawn: below the plane of the contact by the room that what touches it takes
export function ground(part: Part, run: Run, look: Look): Shown {
  const m = look.measure;
  const n = offGround(part, run, m);
  if (part.turn) return table(part, run, look, boundaryOf(part.to!, n, run, m));
  const from = place(part.at, { row: 0, part: 0 }, new Vector3());
  const across = m.planar ? Z.clone() : Math.abs(n.dot(upOf(m))) > 0.9 ? new Vector3(1, 0, 0) : upOf(m);
  const along = new Vector3().crossVectors(n, across).normalize();
  across.crossVectors(along, n).normalize();
  const room = boundaryOf(part.to!, n, run, m);
  // ground of shapes carries all that there is
  const feet = isShape(part.at, part.to!) ? run.parts.filter((p) => ['particle', 'ball', 'box', 'body', 'disc'].includes(p.kind)).map((p) => p.at) : [part.to!];
  const spread = (way: Vector3) => feet.map((f) => reach(f, run, way, from)).reduce((a, b) => [Math.min(a[0], b[0]), Math.max(a[1], b[1])], [0, 0]);
  const [low, high] = feet.length === 1 ? reach(feet[0]!, run, along, from) : spread(along);
  const more = Math.max((isShape(part.at, part.to!) ? 1.1 : 0.55) * m.size, 0.12 * m.travel);
  // behind what moves in the plane, which may go beyond it
  const wide = m.planar ? [-0.44 * m.size, -0.02 * m.size] : (feet.length === 1 ? reach(feet[0]!, run, across, from) : spread(across)).map((x, i) => x + (i ? more : -more));
  const object = slab(low - more, high + more, slabThickness(m), wide[1]! - wide[0]!);
  object.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(along, n, across));
  const shift = n.clone().multiplyScalar(-room).addScaledVector(across, (wide[0]! + wide[1]!) / 2);
  return { part, object, update: (s) => void place(part.at, s, object.position).add(shift) };
}

// a wire through the point, or uneven ground under it
export function curve(part: Part, run: Run, look: Look): Shown {
  const m = look.measure;
  const at = part.pieces!;
  const n = place(part.normal!, { row: 0, part: 0 }, new Vector3());
  const sense = n.x + n.y + n.z;
  const across = n.multiplyScalar(sense);
  const room = part.both ? 0 : boundaryOf(part.to!, across, run, m);
  const deep = part.both ? 0 : 0.22 * m.size;
  const [face, marks]: [number[], number[]] = [[], []];
  const object = new Group();
  const thick = 0.06 * m.size;
  let since = 0;
  for (let i = 0; i + 8 < at.length; i += 9) {
    const [a, b, off] = [0, 3, 6].map((k) => new Vector3(at[i + k], at[i + k + 1], at[i + k + 2]));
    off!.multiplyScalar(sense);
    if (part.both) {
      const wire = bar(wireRadius(m), new MeshStandardMaterial({ color: steel, roughness: 0.4 }));
      wire.set(a!, b!);
      object.add(wire.object);
      continue;
    }
    a!.addScaledVector(off!, -room);
    b!.addScaledVector(off!, -room);
    const corners = [a!.clone().addScaledVector(across, deep), b!.clone().addScaledVector(across, deep), b!.clone().addScaledVector(across, -deep), a!.clone().addScaledVector(across, -deep)];
    for (const k of [0, 1, 2, 0, 2, 3]) face.push(...corners[k]!.toArray());
    marks.push(...corners[0]!.toArray(), ...corners[1]!.toArray());
    since += a!.distanceTo(b!);
    if (since < 0.55 * thick) continue;
    since = 0;
    const along = b!.clone().sub(a!).normalize();
    marks.push(...corners[0]!.toArray(), ...corners[0]!.clone().addScaledVector(off!, -thick).addScaledVector(along, -thick).toArray());
  }
  if (face.length) {
    const g = new BufferGeometry();
    g.setAttribute('position', new BufferAttribute(new Float32Array(face), 3));
    g.computeVertexNormals();
    object.add(new Mesh(g, new MeshStandardMaterial({ color: earth, roughness: 0.95, side: DoubleSide })), lines(marks, stroke));
  }
  return { part, object, update: () => undefined };
}

// a point with mass that slides on ground: a block on it
export function standsOn(part: Part, run: Run, look: Look): Shown | null {
  const m = look.measure;
  const under = run.parts.find((p) => p.kind === 'ground' && (p.both || p.held) && isAt(p.to!, part.at, run, m));
  if (!under) return null;
  const n = offGround(under, run, m);
  const across = Math.abs(n.z) > 0.9 ? new Vector3(1, 0, 0) : Z.clone();
  const edge = 2 * dotRadius(m);
  const object = meshOf(new BoxGeometry(1.5 * edge, edge, edge), solid(look));
  object.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(new Vector3().crossVectors(n, across), n, across));
  return { part, object, update: (s) => void place(part.at, s, object.position) };
}

// ---- obstacles ----------------------------------------------------------------------------------

export function round(part: Part, run: Run, look: Look): Shown {
  const m = look.measure;
  const room = boundaryOf(part.to!, Y, run, m);
  const material = new MeshStandardMaterial({ color: earth, roughness: 0.9 });
  const flat = new CylinderGeometry(1, 1, 1, 96);
  flat.rotateX(Math.PI / 2);
  const object = meshOf(m.planar ? flat : new SphereGeometry(1, 64, 32), material);
  return {
    part,
    object,
    update: (s) => {
      place(part.at, s, object.position);
      const r = Math.max(part.size![0]!.at(s) - room, 1e-9);
      object.scale.set(r, r, m.planar ? 0.3 * m.size : r);
    },
  };
}

// A tube that guides or bounds the point: to be looked through, as far along its axis as the point goes, as wide as it is now.
export function tube(part: Part, run: Run, look: Look): Shown {
  const m = look.measure;
  const start = { row: 0, part: 0 };
  const n = place(part.normal!, start, new Vector3());
  const sense = n.x + n.y + n.z; // -1: the point is outside
  const axis = n.multiplyScalar(sense);
  const room = part.both ? 0 : sense * boundaryOf(part.to!, axis.clone().cross(Math.abs(axis.z) > 0.5 ? Y : Z), run, m);
  const [low, high] = reach(part.to!, run, axis, new Vector3());
  const more = 0.3 * m.size;
  const shape = new CylinderGeometry(1, 1, high - low + 2 * more, 64, 1, true);
  const object = new Group();
  object.add(new Mesh(shape, new MeshStandardMaterial({ color: earth, roughness: 0.9, transparent: true, opacity: 0.25, side: DoubleSide, depthWrite: false })));
  const rings: number[] = [];
  const [levels, sides] = [9, 64];
  for (let i = 0; i < levels; i++)
    for (let k = 0; k < 2 * sides; k++) {
      const angle = (2 * Math.PI * ((k + 1) >> 1)) / sides;
      rings.push(Math.cos(angle), (high - low + 2 * more) * (i / (levels - 1) - 0.5), Math.sin(angle));
    }
  object.add(lines(rings, stroke));
  object.quaternion.setFromUnitVectors(Y, axis);
  return {
    part,
    object,
    update: (s) => {
      place(part.at, s, object.position);
      object.position.addScaledVector(axis, (low + high) / 2 - object.position.dot(axis));
      const r = Math.max(part.size![0]!.at(s) + room, 1e-9);
      object.scale.set(r, 1, r);
    },
  };
}

// ---- joints -------------------------------------------------------------------------------------

// a support under a pin at the origin, standing on y
function support(size: number): Group {
  const g = new Group();
  const foot = new CylinderGeometry(0.012 * size, 0.075 * size, 0.11 * size, 4, 1);
  foot.rotateY(Math.PI / 4);
  const body = meshOf(foot, new MeshStandardMaterial({ color: '#aab1b8', roughness: 0.8 }));
  body.position.y = -0.055 * size;
  const base = slab(-0.1 * size, 0.1 * size, 0.035 * size, 0.15 * size);
  base.position.y = -0.11 * size;
  g.add(body, base);
  return g;
}

// does most of what has mass hang below this place?
function hangs(at: Vector3, run: Run, up: Vector3): boolean {
  let sum = 0;
  for (const p of run.parts) {
    if (!['particle', 'body', 'rod', 'disc', 'ball', 'plate', 'box'].includes(p.kind)) continue;
    for (let i = 0; i < 8; i++) {
      const row = Math.round((i * (run.rows - 1)) / 7);
      for (let k = 0; k < 3; k++) sum += up.getComponent(k) * ((p.at[k]!.row(row) + (p.to ?? p.at)[k]!.row(row)) / 2 - at.getComponent(k));
    }
  }
  return sum < 0;
}

export function hinge(part: Part, run: Run, look: Look): Shown {
  const m = look.measure;
  const object = new Group();
  const [r, h] = [0.024 * m.size, 0.075 * m.size];
  const axis = place(part.normal!, { row: 0, part: 0 }, new Vector3());
  const pin = new Group();
  const steels = new MeshStandardMaterial({ color: steel, roughness: 0.5 });
  if (axis.length() > 0 || m.planar) {
    pin.add(meshOf(new CylinderGeometry(r, r, h, 24), steels), meshOf(new CylinderGeometry(0.5 * r, 0.5 * r, 1.04 * h, 16), new MeshStandardMaterial({ color: '#f2f3f4' })));
  } else pin.add(meshOf(new SphereGeometry(1.2 * r, 24, 16), steels));
  object.add(pin);
  if (part.fixed) {
    const start = place(part.at, { row: 0, part: 0 }, new Vector3());
    const up = m.planar && Math.abs(upOf(m).z) > 0.5 ? Y.clone() : upOf(m);
    const stand = support(m.size);
    stand.quaternion.setFromUnitVectors(Y, hangs(start, run, up) ? up.clone().negate() : up);
    object.add(stand);
  }
  return {
    part,
    object,
    update: (s) => {
      place(part.at, s, object.position);
      const now = place(part.normal!, s, axis);
      pin.quaternion.setFromUnitVectors(Y, now.length() > 1e-9 ? now.normalize() : Z);
    },
  };
}

// ---- coils and pistons --------------------------------------------------------------------------

class Helix extends Curve<Vector3> {
  constructor(
    private turns: number,
    private radius: number,
  ) {
    super();
  }
  override getPoint(t: number, out = new Vector3()): Vector3 {
    const inner = Math.min(Math.max((t - 0.12) / 0.76, 0), 1);
    const fade = Math.min(1, inner * 20, (1 - inner) * 20);
    const a = 2 * Math.PI * this.turns * inner;
    return out.set(fade * this.radius * Math.cos(a), t - 0.5, fade * this.radius * Math.sin(a));
  }
}

// lays an object of length one along y between two places
function between(part: Part, object: Object3D, moved?: (length: number) => void): Shown {
  const [a, b] = [new Vector3(), new Vector3()];
  return {
    part,
    object,
    update: (s: Spot) => {
      place(part.at, s, a);
      place(part.to!, s, b);
      object.position.addVectors(a, b).multiplyScalar(0.5);
      const length = b.sub(a).length();
      object.visible = length > 1e-9;
      if (!object.visible) return;
      object.quaternion.setFromUnitVectors(Y, b.multiplyScalar(1 / length));
      if (moved) moved(length);
      else object.scale.y = length;
    },
  };
}

// what is tied to a wall across its axis, and the wall
function toWall(part: Part, run: Run, m: Measure): { part: Part; wall: Object3D } {
  const axis = place(part.normal!, { row: 0, part: 0 }, new Vector3()).normalize();
  const wall = slab(-0.16 * m.size, 0.16 * m.size, 0.07 * m.size, 0.3 * m.size);
  const across = m.planar ? Z.clone() : Math.abs(axis.z) > 0.9 ? new Vector3(1, 0, 0) : Z.clone();
  wall.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(new Vector3().crossVectors(axis, across), axis, across));
  return { part: { ...part, at: wallOf(part, run, m.size)!.at }, wall };
}

// a spring or damper: to a wall, to a place of the world, or between two things
export function tie(part: Part, run: Run, look: Look): Shown {
  const make = part.kind === 'spring' ? coil : piston;
  const m = look.measure;
  if (!part.fixed && !part.held) return make(part, look);
  const tied = part.fixed ? toWall(part, run, m) : { part, wall: hinge({ ...part, fixed: false, normal: [0, 0, 0].map((x) => new Channel(x, null)) }, run, look).object };
  const inner = make(tied.part, look);
  const object = new Group();
  object.add(inner.object, tied.wall);
  return {
    part,
    object,
    update: (s) => {
      inner.update(s);
      place(tied.part.at, s, tied.wall.position);
    },
  };
}

function coil(part: Part, look: Look): Shown {
  const size = look.measure.size;
  const object = new Group();
  // thin enough that its section may be stretched
  object.add(meshOf(new TubeGeometry(new Helix(9, 0.032 * size), 400, 0.0055 * size, 6), solid(look, { color: '#3f7f5f' })));
  return between(part, object);
}

// a pot on the first end, a piston on the second
function piston(part: Part, look: Look): Shown {
  const size = look.measure.size;
  const object = new Group();
  const grey = solid(look, { color: '#7b8794' });
  const pot = meshOf(new CylinderGeometry(0.03 * size, 0.03 * size, 1, 24), grey);
  const [rod, tail] = [0, 1].map(() => meshOf(new CylinderGeometry(0.009 * size, 0.009 * size, 1, 12), solid(look, { color: steel })));
  object.add(pot, rod!, tail!);
  return between(part, object, (length) => {
    const long = 0.4 * length;
    pot.scale.y = long;
    pot.position.y = -0.1 * length;
    rod!.scale.y = tail!.scale.y = 0.5 * length;
    rod!.position.y = 0.25 * length;
    tail!.position.y = -0.25 * length;
  });
}

// ---- wheels and runners -------------------------------------------------------------------------

// a wheel with rim, hub and spokes, one of them light
export function wheel(part: Part, look: Look): Shown {
  const inner = new Group();
  const rim = new TorusGeometry(0.945, 0.055, 16, 72);
  inner.add(meshOf(rim, solid(look)), meshOf(new SphereGeometry(0.11, 24, 16), solid(look, { color: steel })));
  for (let i = 0; i < 8; i++) {
    const b = bar(0.025, solid(look, i ? { color: '#aab1b8' } : {}), false);
    b.set(new Vector3(), new Vector3(0.9 * Math.cos((i * Math.PI) / 4), 0.9 * Math.sin((i * Math.PI) / 4), 0));
    inner.add(b.object);
  }
  return onAxle(part, inner, Z);
}

// the ring that something turns in
export function gimbal(part: Part, look: Look): Shown {
  return onAxle(part, meshOf(new TorusGeometry(1, 0.05, 16, 96), solid(look)), Z);
}

// a wheel without a rim, one spoke on its foot
export function spokes(part: Part, look: Look): Shown {
  const m = look.measure;
  const object = new Group();
  const count = Math.max(3, Math.round((2 * Math.PI) / part.size![1]!.row(0)));
  const bars = Array.from({ length: count }, () => bar(lineRadius(m), solid(look)));
  object.add(...bars.map((b) => b.object), meshOf(new SphereGeometry(0.04 * m.size, 24, 16), solid(look)));
  const [hub, foot, none] = [new Vector3(), new Vector3(), new Vector3()];
  return {
    part,
    object,
    update: (s) => {
      object.position.copy(place(part.at, s, hub));
      place(part.to!, s, foot).sub(hub);
      const length = part.size![0]!.at(s) - lineRadius(m); // their ends are round
      const angle = Math.atan2(foot.y, foot.x);
      bars.forEach((b, i) => {
        const a = angle + (2 * Math.PI * i) / count;
        b.set(none, foot.set(length * Math.cos(a), length * Math.sin(a), 0));
      });
    },
  };
}

// a runner along its way; on the floor where there is one
export function blade(part: Part, floor: number | null, run: Run, look: Look): Shown {
  const size = look.measure.size;
  const up = upOf(look.measure);
  const feet = floor === null ? [] : run.parts.filter((p) => p.kind === 'rod').flatMap((p) => [p.at, p.to!]);
  const foot = new Vector3();
  // under the foot that stands beside the place, where there is one
  const underFoot = (s: Spot, at: Vector3) => {
    for (const c of feet) {
      const off = place(c, s, foot).sub(at);
      const above = foot.dot(up) + at.dot(up) - floor!;
      off.addScaledVector(up, -off.dot(up));
      if (above < 0.08 * size && off.length() < 0.3 * size) return void at.add(off);
    }
  };
  const object = new Group();
  const runner = meshOf(new BoxGeometry(0.3 * size, 0.02 * size, 0.05 * size), new MeshStandardMaterial({ color: '#3b4350', roughness: 0.35, metalness: 0.3 }));
  object.add(runner);
  const [a, b, n, side] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  const basis = new Matrix4();
  return {
    part,
    object,
    update: (s) => {
      object.position.copy(place(part.at, s, a));
      underFoot(s, object.position);
      // before what is seen from above
      if (look.measure.planar) object.position.z += 0.07 * size;
      if (floor !== null) object.position.addScaledVector(up, floor + 0.025 * size - a.dot(up));
      place(part.to!, s, b).sub(a).normalize();
      place(part.normal!, s, n).normalize();
      side.crossVectors(n, b).normalize();
      object.quaternion.setFromRotationMatrix(basis.makeBasis(b, side, n));
    },
  };
}
