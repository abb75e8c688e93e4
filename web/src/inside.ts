// Bodies that something lies in: they are drawn to be looked through.
import { Quaternion, Vector3 } from 'three';
import { Channel, Mesh, Part, Run } from './data';
import { lengthOf } from './measure';

const rows = 9; // of the motion that are looked at

function vertex(m: Mesh, i: number, j: number, out = new Vector3()): Vector3 {
  return out.fromArray(m.points, 3 * (i * (m.nv + 1) + j));
}

// does a grid of points close: around in one direction, and around or from pole to pole in the other?
function isClosed(m: Mesh): boolean {
  const near = (a: Vector3, b: Vector3) => a.distanceTo(b) < 1e-5 * (a.length() + b.length());
  const all = (n: number, same: (k: number) => boolean) => Array.from({ length: n + 1 }, (_, k) => same(k)).every(Boolean);
  const around = all(m.nv, (j) => near(vertex(m, 0, j), vertex(m, m.nu, j)));
  const across = all(m.nu, (i) => near(vertex(m, i, 0), vertex(m, i, m.nv)));
  const pole = (j: number) => all(m.nu, (i) => near(vertex(m, i, j), vertex(m, 0, j)));
  const end = (i: number) => all(m.nv, (j) => near(vertex(m, i, j), vertex(m, i, 0)));
  return (around && (across || (pole(0) && pole(m.nv)))) || (across && end(0) && end(m.nu));
}

// along this line from a point the surface is passed an odd number of times where the point is inside
const ray = new Vector3(0.4213, 0.5741, 0.7021).normalize();

function passes(p: Vector3, a: Vector3, b: Vector3, c: Vector3): boolean {
  const [e1, e2, at] = [b.clone().sub(a), c.clone().sub(a), p.clone().sub(a)];
  const across = new Vector3().crossVectors(ray, e2);
  const det = e1.dot(across);
  if (Math.abs(det) < 1e-300) return false;
  const u = at.dot(across) / det;
  const q = new Vector3().crossVectors(at, e1);
  const v = ray.dot(q) / det;
  return u >= 0 && v >= 0 && u + v < 1 && e2.dot(q) / det > 0;
}

function isInMesh(m: Mesh, p: Vector3): boolean {
  let odd = false;
  for (let i = 0; i < m.nu; i++)
    for (let j = 0; j < m.nv; j++) {
      const [a, b, c, d] = [vertex(m, i, j), vertex(m, i + 1, j), vertex(m, i + 1, j + 1), vertex(m, i, j + 1)];
      if (passes(p, a, b, c)) odd = !odd;
      if (passes(p, a, c, d)) odd = !odd;
    }
  return odd;
}

// a place in the axes of a body
function own(body: Part, row: number, at: Channel[]): Vector3 {
  const turn = new Quaternion();
  body.turn?.at({ row, part: 0 }, turn);
  const [a, b] = [at, body.at].map((c) => new Vector3(...(c.map((x) => x.row(row)) as [number, number, number])));
  return a!.sub(b!).applyQuaternion(turn.invert());
}

function holds(body: Part, row: number, at: Vector3): boolean {
  return body.kind === 'ball' ? at.length() < 0.999 * body.size![0]!.row(row) : isInMesh(body.mesh!, at);
}

const things = ['particle', 'body', 'rod', 'plate', 'disc', 'ball', 'box', 'surface'];

// What lies in a body is smaller than it, is there with both ends, has another name, and is not what the body is shown
// around: a ball at a particle.
function isIn(body: Part, thing: Part, run: Run): boolean {
  if (thing.name === body.name || thing.plane || !things.includes(thing.kind)) return false;
  if (lengthOf(thing, 0) > lengthOf(body, 0)) return false;
  let [inside, aside] = [false, false];
  for (let k = 0; k < rows; k++) {
    const row = Math.round((k * (run.rows - 1)) / (rows - 1));
    const ends = (thing.to ? [thing.at, thing.to] : [thing.at]).map((c) => own(body, row, c));
    inside ||= ends.every((p) => holds(body, row, p));
    aside ||= ends.some((p) => p.length() > 1e-3 * lengthOf(body, row));
  }
  return inside && aside;
}

export function hollows(run: Run): Set<Part> {
  const closed = run.parts.filter((p) => p.kind === 'ball' || (p.kind === 'surface' && !p.base && p.mesh && isClosed(p.mesh)));
  return new Set(closed.filter((body) => run.parts.some((p) => isIn(body, p, run))));
}
