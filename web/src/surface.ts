// The surface that has the kinetic energy as its metric, with the point that stands for the system.
import { Channel, Data, Part, Run, Turn } from './data';

// the same runs with other things to see: the surface, the point, its path
export function surfaceData(data: Data): Data | null {
  const s = data.surface;
  if (!s || !data.runs.every((r) => r.point)) return null;
  const n = s.points.length / 3;
  const centre = [0, 0, 0];
  for (let i = 0; i < s.points.length; i++) centre[i % 3]! += s.points[i]! / n;
  const points = s.points.map((x, i) => x - centre[i % 3]!);
  const still = new Turn([1, 0, 0, 0], null);
  const sheet: Part = {
    kind: 'surface',
    name: 'surface',
    carrier: '',
    at: centre.map((x) => new Channel(x, null)),
    turn: still,
    glass: true,
    mesh: { nu: s.nu, nv: s.nv, points },
  };
  const runs: Run[] = data.runs.map((r) => ({
    ...r,
    up: [0, 0, 1],
    parts: [
      sheet,
      { kind: 'particle', name: 'representing point', carrier: '', at: r.point! },
      { kind: 'trace', name: 'path', carrier: '', at: r.point! },
    ],
  }));
  return { ...data, runs };
}
