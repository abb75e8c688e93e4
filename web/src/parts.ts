// Parts of the scene: one object each, moved to where the motion has it.
import {
  BackSide,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CatmullRomCurve3,
  Color,
  CylinderGeometry,
  DoubleSide,
  FrontSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Material,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Object3D,
  Side,
  SphereGeometry,
  TubeGeometry,
  Vector3,
} from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { catenary } from './catenary';
import { Channel, Mesh as Grid, Part, Spot } from './data';
import { dotRadius, lineRadius, Measure, rodRadius, wireRadius } from './measure';

export interface Shown {
  part: Part;
  object: Object3D;
  update(s: Spot): void;
}

export interface Look {
  color: string;
  opacity: number; // of a run that is not the chosen one
  hollow: boolean; // something lies in it
  measure: Measure;
}

const X = new Vector3(1, 0, 0);
const Y = new Vector3(0, 1, 0);

export function place(c: Channel[], s: Spot, out: Vector3): Vector3 {
  return out.set(c[0]!.at(s), c[1]!.at(s), c[2]!.at(s));
}

export function solid(look: Look, more: object = {}): MeshStandardMaterial {
  return new MeshStandardMaterial({
    color: look.color,
    roughness: 0.55,
    metalness: 0.05,
    transparent: look.opacity < 1,
    opacity: look.opacity,
    ...more,
  });
}

// two tones on a body that may be looked through, its far side before what lies in it
function shell(geometry: BufferGeometry, look: Look, side: Side): Mesh[] {
  const more = { color: '#ffffff', vertexColors: true };
  if (!look.hollow) return [meshOf(geometry, solid(look, { ...more, side }))];
  return [BackSide, FrontSide].map((half) => {
    const m = meshOf(geometry, solid(look, { ...more, side: half, transparent: true, opacity: 0.36 * look.opacity, depthWrite: false }));
    m.castShadow = half === FrontSide;
    m.renderOrder = half === BackSide ? 1 : 3;
    return m;
  });
}

export function meshOf(geometry: BufferGeometry, material: Material): Mesh {
  const m = new Mesh(geometry, material);
  m.castShadow = true;
  m.receiveShadow = true;
  return m;
}

// two tones, so that turning is seen
function tones(geometry: BufferGeometry, color: string, isLight: (x: number, y: number, z: number) => boolean, by = 0.72) {
  const g = geometry.index ? geometry.toNonIndexed() : geometry;
  const at = g.getAttribute('position');
  const colors = new Float32Array(3 * at.count);
  const dark = new Color(color);
  const light = new Color(color).lerp(new Color('#ffffff'), by);
  for (let i = 0; i < at.count; i += 3) {
    const centre = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      centre[0]! += at.getX(i + k) / 3;
      centre[1]! += at.getY(i + k) / 3;
      centre[2]! += at.getZ(i + k) / 3;
    }
    const c = isLight(centre[0]!, centre[1]!, centre[2]!) ? light : dark;
    for (let k = 0; k < 3; k++) c.toArray(colors, 3 * (i + k));
  }
  g.setAttribute('color', new BufferAttribute(colors, 3));
  return g;
}

// ---- kinds --------------------------------------------------------------------------------------

function dot(part: Part, radius: number, look: Look, material?: Material): Shown {
  const object = meshOf(new SphereGeometry(radius, 24, 16), material ?? solid(look));
  return { part, object, update: (s) => void place(part.at, s, object.position) };
}

function ball(part: Part, look: Look): Shown {
  const geometry = tones(new SphereGeometry(1, 48, 24), look.color, (x, y, z) => (x > 0) !== (y > 0) !== (z > 0));
  const object = new Group();
  object.add(...shell(geometry, look, FrontSide));
  return {
    part,
    object,
    update: (s) => {
      place(part.at, s, object.position);
      object.scale.setScalar(Math.max(part.size![0]!.at(s), 1e-9));
      part.turn?.at(s, object.quaternion);
    },
  };
}

// where the mass of something is that is drawn otherwise: the quartered circle of drawings
export function massCentre(part: Part, look: Look): Shown {
  return ball({ ...part, size: [new Channel(0.055 * look.measure.size, null)] }, { ...look, hollow: false });
}

// a round thing of radius one whose axis lies along `axis`, about the part's normal
export function onAxle(part: Part, round: Object3D, axis: Vector3): Shown {
  const [object, normal] = [new Group(), new Vector3()];
  object.add(round);
  return {
    part,
    object,
    update: (s) => {
      place(part.at, s, object.position);
      part.turn?.at(s, object.quaternion);
      round.quaternion.setFromUnitVectors(axis, place(part.normal!, s, normal).normalize());
      round.scale.setScalar(Math.max(part.size![0]!.at(s), 1e-9));
    },
  };
}

function disc(part: Part, look: Look): Shown {
  const thickness = 0.012; // so that a leaning one touches with its rim
  const geometry = new CylinderGeometry(1, 1, thickness, 64, 1);
  const sectors = tones(geometry, look.color, (x, _, z) => Math.floor((Math.atan2(z, x) / Math.PI + 1) * 3) % 2 === 0);
  const wheel = meshOf(sectors, solid(look, { color: '#ffffff', vertexColors: true }));
  return onAxle(part, wheel, Y);
}

// a bar between two points, round at its ends
export function bar(radius: number, material: Material, ends = true) {
  const object = new Group();
  const shaft = meshOf(new CylinderGeometry(radius, radius, 1, 20, 1), material);
  const caps = ends ? [0, 1].map(() => meshOf(new SphereGeometry(radius, 20, 12), material)) : [];
  object.add(shaft, ...caps);
  const along = new Vector3();
  const set = (a: Vector3, b: Vector3) => {
    along.subVectors(b, a);
    const length = along.length();
    shaft.visible = length > 1e-12;
    shaft.position.addVectors(a, b).multiplyScalar(0.5);
    shaft.scale.set(1, Math.max(length, 1e-9), 1);
    if (shaft.visible) shaft.quaternion.setFromUnitVectors(Y, along.multiplyScalar(1 / length));
    caps[0]?.position.copy(a);
    caps[1]?.position.copy(b);
  };
  return { object, set };
}

function rod(part: Part, radius: number, material: Material): Shown {
  const b = bar(radius, material);
  const from = new Vector3();
  const to = new Vector3();
  return { part, object: b.object, update: (s) => b.set(place(part.at, s, from), place(part.to!, s, to)) };
}

const pieces = 24; // of a string that hangs

// a string between two points: straight where it is taut, else as it hangs
function cord(part: Part, radius: number, material: Material, look: Look): Shown {
  const object = new Group();
  const bars = Array.from({ length: pieces }, () => bar(radius, material));
  const at = Array.from({ length: pieces + 1 }, () => new Vector3());
  const up = look.measure.planar ? Y : new Vector3(...(look.measure.up as [number, number, number]));
  const [from, to] = [new Vector3(), new Vector3()];
  object.add(...bars.map((b) => b.object));
  return {
    part,
    object,
    update: (s) => {
      const length = part.size![0]!.at(s);
      place(part.at, s, from);
      place(part.to!, s, to);
      const slack = length > 1.0001 * from.distanceTo(to);
      if (slack) catenary(from, to, length, up, at);
      bars.forEach((b, i) => (b.object.visible = slack || i === 0));
      if (slack) bars.forEach((b, i) => b.set(at[i]!, at[i + 1]!));
      else bars[0]!.set(from, to);
    },
  };
}

// a parallelogram: a unit plate sheared onto its edges
function plate(part: Part, look: Look): Shown {
  const object = meshOf(new BoxGeometry(1, 1, 1), solid(look));
  object.matrixAutoUpdate = false;
  const [a, b, c, n] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  const thickness = 0.03 * look.measure.size;
  const shift = new Matrix4().makeTranslation(0.5, 0.5, 0);
  return {
    part,
    object,
    update: (s) => {
      place(part.at, s, a);
      place(part.to!, s, b).sub(a);
      place(part.third!, s, c).sub(a);
      n.crossVectors(b, c).setLength(thickness);
      object.matrix.makeBasis(b, c, n).setPosition(a).multiply(shift);
      object.matrixWorldNeedsUpdate = true;
    },
  };
}

function block(part: Part, look: Look): Shown {
  const object = new Group();
  const inner = meshOf(new BoxGeometry(1, 1, 1), solid(look));
  object.add(inner);
  return {
    part,
    object,
    update: (s) => {
      place(part.at, s, object.position);
      part.turn?.at(s, object.quaternion);
      inner.scale.set(...(part.size!.map((c) => Math.max(c.at(s), 1e-9)) as [number, number, number]));
    },
  };
}

// a body of which the inertia is known: the uniform box, cylinder or ball that has it
function inertiaBody(part: Part, look: Look): Shown {
  const edges = part.edges ?? [1, 1, 1].map((x) => 0.15 * x * look.measure.size);
  const [a, b, c] = edges as [number, number, number];
  const round = part.round ?? -1;
  const object = new Group();
  const twoTones = { color: '#ffffff', vertexColors: true };
  let inner: Mesh;
  if (round === 3) {
    inner = meshOf(tones(new SphereGeometry(a / 2, 48, 24), look.color, (x, y, z) => (x > 0) !== (y > 0) !== (z > 0)), solid(look, twoTones));
  } else if (round >= 0) {
    const across = edges[(round + 1) % 3]!;
    const g = new CylinderGeometry(across / 2, across / 2, edges[round]!, 64, 1);
    if (round === 0) g.rotateZ(Math.PI / 2);
    if (round === 2) g.rotateX(Math.PI / 2);
    const angle = [(_: number, y: number, z: number) => Math.atan2(y, z), (x: number, _: number, z: number) => Math.atan2(z, x), (x: number, y: number) => Math.atan2(y, x)][round]!;
    inner = meshOf(tones(g, look.color, (x, y, z) => Math.floor((angle(x, y, z) / Math.PI + 1) * 3) % 2 === 0, 0.35), solid(look, twoTones));
  } else inner = meshOf(new RoundedBoxGeometry(a, b, c, 3, 0.12 * Math.min(a, b, c)), solid(look));
  const [w, x, y, z] = (part.principal ?? [1, 0, 0, 0]) as [number, number, number, number];
  inner.quaternion.set(x, y, z, w);
  object.add(inner);
  return {
    part,
    object,
    update: (s) => {
      place(part.at, s, object.position);
      part.turn?.at(s, object.quaternion);
    },
  };
}

// ---- surfaces -----------------------------------------------------------------------------------

export function gridGeometry(grid: Grid): BufferGeometry {
  const g = new BufferGeometry();
  const { nu, nv } = grid;
  const index: number[] = [];
  const at = (i: number, j: number) => i * (nv + 1) + j;
  for (let i = 0; i < nu; i++)
    for (let j = 0; j < nv; j++)
      index.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
  g.setAttribute('position', new BufferAttribute(grid.points.slice(), 3));
  g.setIndex(index);
  g.computeVertexNormals();
  return g;
}

// every few lines of the chart
function chartLines(grid: Grid, step: [number, number], material: LineBasicMaterial): LineSegments {
  const at: number[] = [];
  const push = (i: number, j: number) => {
    const k = 3 * (i * (grid.nv + 1) + j);
    at.push(grid.points[k]!, grid.points[k + 1]!, grid.points[k + 2]!);
  };
  for (let i = 0; i <= grid.nu; i += step[0])
    for (let j = 0; j < grid.nv; j++) push(i, j), push(i, j + 1);
  for (let j = 0; j <= grid.nv; j += step[1])
    for (let i = 0; i < grid.nu; i++) push(i, j), push(i + 1, j);
  const g = new BufferGeometry();
  g.setAttribute('position', new BufferAttribute(new Float32Array(at), 3));
  return new LineSegments(g, material);
}

// something to be looked through: one tone and the lines of its chart
function glass(part: Part, look: Look): Object3D[] {
  const grid = part.mesh!;
  const g = gridGeometry(grid);
  const sides = [BackSide, FrontSide].map((side) => {
    const m = meshOf(
      g,
      solid(look, { color: part.base ? '#a9b6c6' : '#9cc3e0', side, transparent: true, opacity: part.base ? 0.28 : 0.5, depthWrite: false }),
    );
    m.castShadow = false;
    m.renderOrder = side === BackSide ? 1 : 3;
    return m;
  });
  const lines = chartLines(grid, [Math.max(1, Math.round(grid.nu / 16)), Math.max(1, Math.round(grid.nv / 12))], new LineBasicMaterial({ color: part.base ? '#7d8da1' : '#4a7fa8', transparent: true, opacity: 0.55 }));
  lines.renderOrder = 2;
  return [...sides, lines];
}

// a bounded body: fields of its chart in two tones
function fields(part: Part, look: Look): Object3D[] {
  const grid = part.mesh!;
  const cells = tones(gridGeometry(grid), look.color, () => false);
  // six corners of triangles for each cell
  const colors = cells.getAttribute('color') as BufferAttribute;
  const light = new Color(look.color).lerp(new Color('#ffffff'), 0.72);
  const along = Math.max(1, Math.round(grid.nu / 8));
  const across = Math.max(1, Math.round(grid.nv / 8));
  for (let i = 0; i < grid.nu; i++)
    for (let j = 0; j < grid.nv; j++)
      if ((Math.floor(i / along) + Math.floor(j / across)) % 2)
        for (let k = 0; k < 6; k++) light.toArray(colors.array, 3 * (6 * (i * grid.nv + j) + k));
  return shell(cells, look, DoubleSide);
}

function surface(part: Part, look: Look): Shown {
  const object = new Group();
  object.add(...(part.base || part.glass ? glass(part, look) : fields(part, look)));
  return {
    part,
    object,
    update: (s) => {
      place(part.at, s, object.position);
      part.turn?.at(s, object.quaternion);
    },
  };
}

// r(u) that something slides along, as a wire of some thickness
function wire(part: Part, look: Look): Shown {
  const { points, nu } = part.mesh!;
  const at = Array.from({ length: nu + 1 }, (_, i) => new Vector3().fromArray(points, 3 * i));
  const closed = at[0]!.distanceTo(at[nu]!) < 1e-5 * (at[0]!.length() + at[nu >> 1]!.length());
  if (closed) at.pop();
  const object = meshOf(new TubeGeometry(new CatmullRomCurve3(at, closed), nu, wireRadius(look.measure), 8, closed), solid(look, { color: '#6b7683' }));
  return {
    part,
    object,
    update: (s) => {
      place(part.at, s, object.position);
      part.turn?.at(s, object.quaternion);
    },
  };
}

// ---- arrows and axes ----------------------------------------------------------------------------

export function arrow(color: string, radius: number) {
  const material = new MeshStandardMaterial({ color, roughness: 0.5, emissive: color, emissiveIntensity: 0.25 });
  const object = new Group();
  const shaft = new Mesh(new CylinderGeometry(radius, radius, 1, 12), material);
  const head = new Mesh(new CylinderGeometry(0, 2.6 * radius, 7 * radius, 16), material);
  object.add(shaft, head);
  const unit = new Vector3();
  const set = (from: Vector3, vector: Vector3) => {
    const length = vector.length();
    object.visible = length > 1e-9;
    if (!object.visible) return;
    object.position.copy(from);
    object.quaternion.setFromUnitVectors(Y, unit.copy(vector).multiplyScalar(1 / length));
    const tip = Math.min(7 * radius, 0.6 * length);
    head.scale.setScalar(tip / (7 * radius));
    head.position.y = length - tip / 2;
    shaft.scale.y = Math.max(length - tip, 1e-9);
    shaft.position.y = shaft.scale.y / 2;
  };
  return { object, set };
}

function axes(part: Part, look: Look): Shown {
  const object = new Group();
  // out of the body that is there, where its turning is all there is to see
  const length = (look.measure.still ? 0.75 : 0.35) * look.measure.size;
  const unit = [X, Y, new Vector3(0, 0, 1)];
  ['#d1495b', '#3a9d5d', '#2f6fb3'].forEach((color, k) => {
    const a = arrow(color, 0.02 * length);
    a.set(new Vector3(), unit[k]!.clone().multiplyScalar(length));
    object.add(a.object);
  });
  return {
    part,
    object,
    update: (s) => {
      place(part.at, s, object.position);
      part.turn?.at(s, object.quaternion);
    },
  };
}

// null for what is drawn otherwise: planes, traces, forces, the signs of signs.ts
export function show(part: Part, look: Look): Shown | null {
  const size = look.measure.size;
  switch (part.kind) {
    case 'particle':
      return dot(part, dotRadius(look.measure), look);
    case 'point':
      return dot(part, 0.018 * size, look, solid(look, { color: '#888888' }));
    case 'contact':
      return dot(part, 0.022 * size, look, solid(look, { color: '#e69f00', emissive: '#e69f00', emissiveIntensity: 0.4 }));
    case 'ball':
      return ball(part, look);
    case 'disc':
      return disc(part, look);
    case 'rod':
      return part.size ? cord(part, lineRadius(look.measure), solid(look), look) : rod(part, part.shown ? lineRadius(look.measure) : rodRadius(look.measure), solid(look));
    case 'string':
      return cord(part, 0.007 * size, solid(look, { color: '#6d5a45' }), look);
    case 'link':
      return rod(part, (part.held ? 0.016 : 0.011) * size, solid(look, { color: part.held ? '#7d8894' : '#8b929b' }));
    case 'centre':
      return dot(part, 0.05 * size, look, solid(look, { color: '#e0a030', emissive: '#e0a030', emissiveIntensity: 0.3 }));
    case 'plate':
      return plate(part, look);
    case 'box':
      return block(part, look);
    case 'body':
      return inertiaBody(part, look);
    case 'surface':
      return part.mesh ? surface(part, look) : null;
    case 'wire':
      return part.mesh ? wire(part, look) : null;
    case 'frame':
      return axes(part, look);
    default:
      return null;
  }
}

