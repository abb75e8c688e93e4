// A body taken by hand: what its place at the start becomes is found by the starts of the coordinates, the least change of them
// that brings it there (Levenberg and Marquardt, with the place's derivatives by differences).

export interface Pull {
  part: number; // which one of the scene
  to: number[]; // where it is wanted, along the two directions below
  right: number[];
  top: number[];
  back: number[]; // and from where it is looked at: things are seen on a sheet that is `far` from the eye
  eye: number[];
  far: number;
  names: string[]; // coordinates whose starts may change
}

type Numbers = Record<string, number>;
// the place of the part at the start, for these numbers; null where there is none
export type Place = (numbers: Numbers) => number[] | null;

const dampings = [1e-4, 1e-2, 0.1, 1];

const dot = (a: number[], b: number[]) => a.reduce((s, x, i) => s + x * b[i]!, 0);

// dq of the least size with J dq = r, J having two rows; damped, so that it does not go far where it hardly moves the body
function least(J: number[][], r: number[], damped: number): number[] {
  const [a, b, c] = [dot(J[0]!, J[0]!), dot(J[0]!, J[1]!), dot(J[1]!, J[1]!)];
  const damping = damped * (a + c) + 1e-30;
  const det = (a + damping) * (c + damping) - b * b;
  const x = ((c + damping) * r[0]! - b * r[1]!) / det;
  const y = ((a + damping) * r[1]! - b * r[0]!) / det;
  return J[0]!.map((_, i) => J[0]![i]! * x + J[1]![i]! * y);
}

// starts that bring it there as near as they can; null where none of them moves it
export function pulled(pull: Pull, numbers: Numbers, from: Numbers, place: Place): Numbers | null {
  const valueOf = (n: string) => numbers[n] ?? from[n] ?? 0;
  const seen = (x: Numbers) => {
    const at = place({ ...numbers, ...x })?.map((c, k) => c - pull.eye[k]!);
    const deep = at ? -dot(at, pull.back) : 0;
    return at && deep > 0 ? [pull.right, pull.top].map((e) => (dot(at, e) * pull.far) / deep) : null;
  };
  const off = (at: number[]) => Math.hypot(pull.to[0]! - at[0]!, pull.to[1]! - at[1]!);
  let now = seen({});
  if (!now) return null;
  // some follow from others, and cannot be given
  const names = pull.names.filter((n) => seen({ [n]: valueOf(n) }));
  const q: Numbers = Object.fromEntries(names.map((n) => [n, valueOf(n)]));
  let moved = false;
  for (let round = 0; round < 3; round++) {
    const J: number[][] = [[], []];
    for (const n of names) {
      // on the other side where there is nothing on one, as beyond the end of a rod
      let h = 1e-3 * Math.max(1, Math.abs(q[n]!));
      const at = (x: number) => seen({ ...(moved ? q : {}), [n]: x });
      const beside = at(q[n]! + h) ?? at(q[n]! + (h = -h));
      for (let k = 0; k < 2; k++) J[k]!.push(beside ? (beside[k]! - now[k]!) / h : 0);
    }
    if (!J.flat().some((x) => Math.abs(x) > 1e-6)) return moved ? q : null;
    const better = dampings.some((damped) => {
      const step = least(J, [pull.to[0]! - now![0]!, pull.to[1]! - now![1]!], damped);
      // not farther than the differences tell: half a radian, or a half of what it is
      const far = Math.max(...step.map((s, i) => Math.abs(s) / Math.max(1, Math.abs(q[names[i]!]!))));
      const next = Object.fromEntries(names.map((n, i) => [n, q[n]! + step[i]! * Math.min(1, 0.5 / far)]));
      const there = seen(next);
      if (!there || off(there) >= off(now!)) return false;
      Object.assign(q, next);
      [now, moved] = [there, true];
      return true;
    });
    if (!better) break;
  }
  return moved ? q : null;
}
