// How far what is drawn is from the ground it is drawn on, beside how far the motion has it from there. For tests.
import { BufferGeometry, Mesh, Object3D, Quaternion, Vector3 } from 'three';
import { Run, Spot } from './data';
import { isShape } from './measure';
import { place, Shown } from './parts';

export interface Touch {
  ground: string;
  body: string;
  off: number; // metres, less what the motion itself has it off
}

const bodies = ['particle', 'ball', 'disc', 'box', 'rod', 'body', 'plate', 'surface', 'spokes'];

// where an object ends along a direction: the least, or the most, over the points of its faces
function end(object: Object3D, n: Vector3, most: boolean): number {
  const at = new Vector3();
  let found = -Infinity;
  object.updateWorldMatrix(true, true);
  object.traverseVisible((o) => {
    if (!(o instanceof Mesh)) return;
    const points = (o.geometry as BufferGeometry).getAttribute('position');
    for (let i = 0; i < points.count; i++) found = Math.max(found, (most ? 1 : -1) * at.fromBufferAttribute(points, i).applyMatrix4(o.matrixWorld).dot(n));
  });
  return most ? found : -found;
}

// of all bodies the one that is where the motion has it, as nearly as any
function nearest(shown: Shown[], n: Vector3, level: number, gap: number, ground: string): Touch | null {
  let best: Touch | null = null;
  for (const s of shown) {
    if (!bodies.includes(s.part.kind) || s.part.base || !s.object.visible) continue;
    const off = end(s.object, n, false) - level - gap;
    if (Number.isFinite(off) && (!best || Math.abs(off) < Math.abs(best.off))) best = { ground, body: `${s.part.kind} ${s.part.name}`, off };
  }
  return best;
}

// slabs and tables of constraints, planes and round bodies of contacts
export function touches(shown: Shown[], run: Run, s: Spot): Touch[] {
  const found: (Touch | null)[] = [];
  const [n, to, at] = [new Vector3(), new Vector3(), new Vector3()];
  for (const { part, object } of shown) {
    if (part.kind !== 'ground') continue;
    n.set(0, part.turn ? 0 : 1, part.turn ? 1 : 0).applyQuaternion(object.quaternion);
    const gap = place(part.to!, s, to).sub(place(part.at, s, at)).dot(n);
    // of shapes it is told by other numbers: the point that may touch is not known
    if (isShape(part.at, part.to!)) continue;
    found.push(nearest(shown, n.clone(), end(object, n, true), gap, part.name));
  }
  for (const c of run.parts.filter((p) => p.kind === 'contact')) {
    const base = run.parts.find((p) => p.kind === 'surface' && p.base);
    if (!base?.plane || !Number.isFinite(place(c.at, s, to).length())) continue;
    const turn = new Quaternion();
    base.turn?.at(s, turn);
    n.set(0, 0, 1).applyQuaternion(turn);
    const level = place(base.at, s, at).dot(n);
    // a contact that was left is drawn where it was last, or nowhere: then nothing is told
    if (Math.hypot(...c.force!.map((x) => x.at(s))) > 0) found.push(nearest(shown, n.clone(), level, 0, c.name));
  }
  return found.filter((t) => t !== null);
}
