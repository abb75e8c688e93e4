// From where a motion is looked at: all of it, or the body that is followed. Needs no canvas.
import { PerspectiveCamera, Vector3 } from 'three';
import { Part } from './data';
import { Measure } from './measure';
import { place } from './parts';
import { upOf } from './signs';

// which way is up in a picture of the plane: against gravity, else y
function upright(m: Measure): Vector3 {
  const up = upOf(m).setZ(0);
  return m.heavy && up.length() > 0.1 ? up.normalize() : new Vector3(0, 1, 0);
}

export function cameraFor(m: Measure): PerspectiveCamera {
  const camera = new PerspectiveCamera(32, 1, 0.01 * m.size, 100 * m.travel);
  camera.up.copy(m.planar ? upright(m) : upOf(m));
  return camera;
}

// from what is looked at to the eye
function direction(m: Measure): Vector3 {
  if (m.planar) {
    const [top, out] = [upright(m), new Vector3(0, 0, 1)];
    return out.clone().addScaledVector(top, 0.1).addScaledVector(new Vector3().crossVectors(top, out), 0.12).normalize();
  }
  const up = upOf(m);
  const side = Math.abs(up.z) > 0.5 ? new Vector3(0.55, -1, 0) : new Vector3(0.45, 0, 1);
  side.addScaledVector(up, -side.dot(up)).normalize();
  return side.addScaledVector(up, 0.55).normalize();
}

// puts the camera there, and returns what it looks at
export function lookAtAll(camera: PerspectiveCamera, m: Measure, follow: Part | null): Vector3 {
  const low = new Vector3(...(m.low as [number, number, number]));
  const high = new Vector3(...(m.high as [number, number, number]));
  const target = low.clone().add(high).multiplyScalar(0.5);
  const way = direction(m);
  if (follow) place(follow.at, { row: 0, part: 0 }, target);
  camera.position.copy(target).addScaledVector(way, follow ? distanceOf(camera, 1.45 * m.size) : distanceFor(camera, m, low, high, way));
  return target;
}

// from where a ball is seen whole
function distanceOf(camera: PerspectiveCamera, radius: number): number {
  const half = (camera.fov * Math.PI) / 360;
  const narrow = Math.atan(Math.tan(half) * Math.min(1, camera.aspect));
  return (1.02 * radius) / Math.sin(narrow);
}

// from where a box is seen whole, looking at its middle along this direction
function distanceFor(camera: PerspectiveCamera, m: Measure, low: Vector3, high: Vector3, way: Vector3): number {
  const right = new Vector3().crossVectors(camera.up, way).normalize();
  const top = new Vector3().crossVectors(way, right);
  const tall = Math.tan((camera.fov * Math.PI) / 360) / 1.12;
  const wide = tall * camera.aspect;
  const margin = 0.12 * m.size;
  let most = 0;
  for (let i = 0; i < 8; i++) {
    const corner = new Vector3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z).sub(low.clone().add(high).multiplyScalar(0.5));
    const near = corner.dot(way);
    most = Math.max(most, near + (Math.abs(corner.dot(right)) + margin) / wide, near + (Math.abs(corner.dot(top)) + margin) / tall);
  }
  return Math.max(most, distanceOf(camera, 0.5 * m.size));
}

// of one pixel at what is looked at, in metres
export function pixelAt(camera: PerspectiveCamera, target: Vector3, height: number): number {
  return (2 * camera.position.distanceTo(target) * Math.tan((camera.fov * Math.PI) / 360)) / height;
}
