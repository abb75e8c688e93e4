// A slack string: the catenary of its length between two points.
//
// With s the arc from its lowest point it is x = a asinh(s/a) across and y = sqrt(a^2 + s^2) up. Ends that lie h across
// and v up from each other on a string of length L give sqrt(L^2 - v^2) = 2 a sinh(h/2a), and the middle between
// them lies at x = a atanh(v/L).
import { Vector3 } from 'three';

// w = h/2a of sinh(w)/w = r > 1; sinh(w)/w >= 1 + w^2/6 bounds it
function steepness(r: number): number {
  let [low, high] = [0, Math.min(Math.sqrt(6 * (r - 1)), 40)];
  for (let i = 0; i < 60; i++) {
    const w = (low + high) / 2;
    if (Math.sinh(w) < r * w) low = w;
    else high = w;
  }
  return high;
}

// points out[0] = from, ..., out[n] = to on a string longer than their distance
export function catenary(from: Vector3, to: Vector3, length: number, up: Vector3, out: Vector3[]): void {
  const n = out.length - 1;
  const across = new Vector3().subVectors(to, from);
  const v = across.dot(up);
  across.addScaledVector(up, -v);
  // ends above each other: as if a little apart
  const h = Math.max(across.length(), 1e-6 * length);
  across.normalize();
  const w = steepness(Math.sqrt(length * length - v * v) / h);
  const a = h / (2 * w);
  const first = Math.atanh(v / length) - w; // x/a at `from`
  const s0 = a * Math.sinh(first);
  for (let i = 0; i <= n; i++) {
    const s = s0 + (length * i) / n;
    out[i]!.copy(from)
      .addScaledVector(across, a * (Math.asinh(s / a) - first))
      .addScaledVector(up, Math.hypot(a, s) - Math.hypot(a, s0));
  }
  // what rounding, and the little apart, left
  const off = to.clone().sub(out[n]!);
  for (let i = 1; i <= n; i++) out[i]!.addScaledVector(off, i / n);
}
