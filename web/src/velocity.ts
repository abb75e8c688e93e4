// Where a constraint on velocities lets a particle go: an arrow along its motion and, where the constraint speaks of directions,
// the sheet of those that it permits here. It lies across the reaction, and holds the velocity; where the reaction lies along the
// velocity the speed is given, and there is no such sheet.
import { DoubleSide, Group, Matrix4, Mesh, MeshBasicMaterial, PlaneGeometry, Vector3 } from 'three';
import { Part, Run, Spot } from './data';
import { arrow, Look, place, Shown } from './parts';

const aslant = 0.05; // sine up to which a velocity lies in the sheet: a row is some way from the next

export function velocity(part: Part, run: Run, look: Look): Shown {
  const size = look.measure.size;
  const object = new Group();
  const pointer = arrow('#3b4350', 0.012 * size);
  const sheet = new Mesh(new PlaneGeometry(0.5 * size, 0.4 * size), new MeshBasicMaterial({ color: '#0072b2', transparent: true, opacity: 0.25, side: DoubleSide, depthWrite: false }));
  sheet.matrixAutoUpdate = false;
  object.add(pointer.object, sheet);
  const [at, v, n, w] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  const update = (s: Spot) => {
    const row = Math.min(s.row, Math.max(run.rows - 2, 0));
    place(part.at, { row: row + 1, part: 0 }, v).sub(place(part.at, { row, part: 0 }, at));
    place(part.force!, s, n);
    place(part.at, s, at);
    const known = v.lengthSq() > 0;
    pointer.set(at, known ? v.normalize().clone().multiplyScalar(0.5 * size) : v);
    sheet.visible = known && n.lengthSq() > 0 && Math.abs(n.normalize().dot(v)) < aslant;
    if (!sheet.visible) return;
    w.crossVectors(n, v).normalize();
    sheet.matrix.copy(new Matrix4().makeBasis(v, w, n)).setPosition(at);
  };
  return { part, object, update };
}
