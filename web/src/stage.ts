// The scene: bodies, ground, traces, arrows, light, camera.
import {
  AmbientLight,
  Box3,
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Scene,
  ShadowMaterial,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Data, Part, Run, Spot } from './data';
import { hollows } from './inside';
import { boundaryOf, isAt, lowest, Measure, measure, niceStep } from './measure';
import { arrow, Look, massCentre, place, show, Shown } from './parts';
import { blade, curve, gimbal, ground, hinge, round, slabThickness, spokes, standsOn, tie, tube, upOf, wheel } from './signs';
import { palette, Theme } from './theme';
import { Touch, touches } from './touch';
import { Trace } from './trace';
import { velocity } from './velocity';

interface Force {
  part: Part;
  set(from: Vector3, vector: Vector3): void;
  object: Group;
  largest: number;
}

interface Actor {
  run: Run;
  group: Group;
  shown: Shown[];
  traces: Trace[];
  forces: Force[];
  planes: { part: Part; object: Group }[];
}

export interface Layers {
  traces: boolean;
  forces: boolean;
  frames: boolean;
  points: boolean;
}

export interface Sheet {
  at: number[];
  right: number[];
  top: number[];
  back: number[]; // to the eye
  eye: number[];
  far: number; // from the eye
  scale: number;
}

// Where a processor draws pictures by itself shadows take longer than all else, and the motion would halt; in a film nobody waits.
function hasTimeForShadows(renderer: WebGLRenderer): boolean {
  const gl = renderer.getContext();
  const known = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(known ? known.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name) || location.hash.startsWith('#film=');
}

// what may be followed and named: bodies by the frame that carries them, particles by themselves
export function bodiesOf(run: Run): Part[] {
  const seen = new Set<string>();
  return run.parts.filter((p) => {
    const body = ['particle', 'body', 'rod', 'plate', 'disc', 'ball', 'surface'].includes(p.kind);
    if (!body || p.shown || p.base || seen.has(p.name)) return false;
    seen.add(p.name);
    return true;
  });
}

export class Stage {
  measure: Measure;
  readonly canvas: HTMLCanvasElement;
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  readonly layers: Layers = { traces: true, forces: false, frames: false, points: false };
  follow: Part | null = null;
  private renderer: WebGLRenderer;
  private scene = new Scene();
  private actors: Actor[] = [];
  private sun = new DirectionalLight('#ffffff', 2.1);
  private ground = new Group();
  private level: number | null = null; // of the floor
  private followed = new Vector3();
  private view = new Vector2(1, 1);
  private gone: Object3D[] = []; // taken out of the scene since the last picture

  constructor(
    private data: Data,
    private theme: Theme,
  ) {
    this.measure = measure(data.runs);
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.debug.checkShaderErrors = false; // waiting for what they say takes longer than they do
    this.renderer.shadowMap.enabled = hasTimeForShadows(this.renderer);
    this.renderer.shadowMap.type = PCFShadowMap;
    this.canvas = this.renderer.domElement;
    this.camera = new PerspectiveCamera(32, 1, 0.01 * this.measure.size, 100 * this.measure.travel);
    // OrbitControls turns about the axis that is up when it is made
    if (this.measure.planar) this.camera.up.copy(this.upright());
    else this.camera.up.set(...(this.measure.up as [number, number, number]));
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.light();
    for (const run of data.runs) this.actors.push(this.actor(run, data.runs.indexOf(run)));
    this.follow = this.defaultFollow();
    this.layers.frames = this.measure.still; // turning is seen by axes where nothing goes anywhere
    this.scene.add(this.ground);
    this.setTheme(theme);
    this.choose(0);
  }

  // which way is up in a picture of the plane: against gravity, else y
  private upright(): Vector3 {
    const { heavy } = this.measure;
    const up = upOf(this.measure).setZ(0);
    return heavy && up.length() > 0.1 ? up.normalize() : new Vector3(0, 1, 0);
  }

  private light(): void {
    const up = new Vector3(...(this.measure.up as [number, number, number]));
    const sky = new HemisphereLight('#ffffff', '#b9b4a8', 1.5);
    sky.position.copy(this.measure.planar ? new Vector3(0, 0, 1) : up);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.01 * this.measure.size;
    this.scene.add(sky, new AmbientLight('#ffffff', 0.35), this.sun, this.sun.target);
  }

  // ---- actors -----------------------------------------------------------------------------------

  private colorOf(part: Part, run: number, names: string[]): string {
    if (this.data.runs.length > 1) return palette[run % palette.length]!;
    if (part.kind === 'surface' && part.base) return '#8b98a8';
    let i = names.indexOf(part.name);
    // what is shown has the colour of the body that is there
    if (i < 0) i = names.indexOf(this.data.runs[run]!.parts.find((p) => names.includes(p.name) && isAt(p.at, part.at, this.data.runs[run]!, this.measure))?.name ?? part.carrier);
    // and what stands for a body where the model has none, one of its own
    const { parts } = this.data.runs[run]!;
    const own = parts.filter((p) => p.shown && (p.kind === 'ball' || p.kind === 'box')).indexOf(part);
    return palette[(i < 0 ? names.length + Math.max(own, 0) : i) % palette.length]!;
  }

  private actor(run: Run, index: number): Actor {
    const names = bodiesOf(run).map((p) => p.name);
    const a: Actor = { run, group: new Group(), shown: [], traces: [], forces: [], planes: [] };
    const hollow = hollows(run);
    for (const part of run.parts) {
      const color = this.colorOf(part, index, names);
      if (isCovered(part, run, this.measure)) continue;
      const s = this.drawing(part, run, { color, opacity: 1, hollow: hollow.has(part), measure: this.measure });
      if (s) a.shown.push(s), a.group.add(s.object);
      if (part.kind === 'surface' && part.plane) a.planes.push({ part, object: new Group() });
      if (part.kind === 'contact' || part.kind === 'force') a.forces.push(this.force(part, run));
    }
    for (const f of a.forces) a.group.add(f.object);
    for (const part of this.traced(run)) {
      const color = this.data.runs.length > 1 ? palette[index % palette.length]! : part.kind === 'contact' ? '#e69f00' : '#d55e00';
      const trace = new Trace(run, part.at, color);
      a.traces.push(trace);
      a.group.add(trace.object);
    }
    this.scene.add(a.group);
    return a;
  }

  private drawing(part: Part, run: Run, look: Look): Shown | null {
    switch (part.kind) {
      case 'ground':
        return ground(part, run, look);
      case 'curve':
        return curve(part, run, look);
      case 'round':
        return round(part, run, look);
      case 'tube':
        return tube(part, run, look);
      case 'hinge':
        return hinge(part, run, look);
      case 'spring':
      case 'damper':
        return tie(part, run, look);
      case 'spokes':
        return spokes(part, look);
      case 'blade':
        return blade(part, this.measure.planar ? null : (this.floor(run) ?? lowest(this.data.runs, this.measure, upOf(this.measure))), run, look);
      case 'particle':
        return standsOn(part, run, look) ?? show(part, look);
      case 'disc':
        return part.held ? wheel(part, look) : show(part, look);
      case 'body':
        return part.held ? gimbal(part, look) : isOfWheel(part, run) ? massCentre(part, look) : show(part, look);
      case 'force':
        return part.velocity ? velocity(part, run, look) : null;
      default:
        return show(part, look);
    }
  }

  // the traces asked for; where none is, contacts, else the first few things with mass
  private traced(run: Run): Part[] {
    const asked = run.parts.filter((p) => p.kind === 'trace');
    if (asked.length) return asked;
    const contacts = run.parts.filter((p) => p.kind === 'contact');
    if (contacts.length) return contacts;
    const particles = run.parts.filter((p) => p.kind === 'particle');
    if (particles.length && particles.length <= 8) return particles;
    const bodies = bodiesOf(run);
    if (!bodies.length) return run.parts.filter((p) => p.shown && p.kind === 'ball' && p.at.some((c) => c.values));
    return bodies.length <= 3 ? bodies : [run.parts.find((p) => p.kind === 'frame') ?? bodies[0]!];
  }

  private force(part: Part, run: Run): Force {
    let largest = 0;
    for (let i = 0; i < run.rows; i++) {
      const f = Math.hypot(...part.force!.map((c) => c.row(i)));
      if (Number.isFinite(f)) largest = Math.max(largest, f);
    }
    return { part, largest, ...arrow('#b5179e', 0.012 * this.measure.size) };
  }

  // of several runs the chosen one is plain, the others are seen through
  choose(run: number): void {
    this.actors.forEach((a, i) => {
      a.group.traverse((o) => {
        const m = (o as Mesh).material as MeshStandardMaterial | undefined;
        if (!m || !(m instanceof MeshStandardMaterial) || m.userData['own'] === undefined) {
          if (m instanceof MeshStandardMaterial) m.userData['own'] = m.opacity;
          else return;
        }
        m.opacity = (m.userData['own'] as number) * (i === run ? 1 : 0.28);
        m.transparent = m.opacity < 1;
      });
    });
    if (this.follow) this.follow = this.actors[run]!.run.parts.find((p) => p.name === this.follow!.name && p.kind === this.follow!.kind) ?? null;
  }

  // another motion of the same system: what is seen is made anew, the camera stays
  renew(): void {
    for (const a of this.actors) {
      this.scene.remove(a.group);
      this.gone.push(a.group);
    }
    this.measure = measure(this.data.runs);
    this.actors = this.data.runs.map((run, i) => this.actor(run, i));
    this.setTheme(this.theme);
    this.choose(0);
    this.resize(this.view.x, this.view.y);
  }

  // the canvas goes, and what the graphics card keeps for it
  free(): void {
    this.canvas.remove();
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  // ---- ground -----------------------------------------------------------------------------------

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new Color(theme.sky);
    this.gone.push(...this.ground.children);
    this.ground.clear();
    const m = this.measure;
    const planes = this.actors[0]!.planes;
    const still = planes.find((p) => isStill(p.part));
    if (m.planar) this.sheet(new Vector3(0, 0, 1), m.low[2]! - 0.08 * m.size, false);
    else if (still) {
      const start = { row: 0, part: 0 };
      const turn = new Quaternion();
      still.part.turn?.at(start, turn);
      const normal = new Vector3(0, 0, 1).applyQuaternion(turn);
      if (normal.dot(new Vector3(...(m.up as [number, number, number]))) < 0) normal.negate();
      this.sheet(normal, normal.dot(place(still.part.at, start, new Vector3())), true);
    } else if (!planes.length) {
      // what stays in a plane across z lies on that, however gravity leans
      const up = m.flat ? new Vector3(0, 0, Math.sign(m.up[2]!) || 1) : upOf(m);
      const floor = this.floor(this.data.runs[0]!);
      this.sheet(up, floor === null ? lowest(this.data.runs, m, up) : floor - slabThickness(m), true);
    }
    for (const a of this.actors)
      for (const p of a.planes) {
        this.gone.push(...p.object.children);
        p.object.clear();
        a.group.add(p.object);
        if (!isStill(p.part)) this.table(p.part, p.object);
      }
  }

  // the height of level ground that a constraint speaks of, as it is drawn
  private floor(run: Run): number | null {
    const m = this.measure;
    const up = upOf(m);
    const part = run.parts.find((p) => isFloor(p, m));
    if (!part) return null;
    return place(part.at, { row: 0, part: 0 }, new Vector3()).dot(up) - boundaryOf(part.to!, up, run, m);
  }

  // a sheet with a grid, across `normal` at this height, large enough for the motion
  private sheet(normal: Vector3, height: number, shadow: boolean): void {
    const m = this.measure;
    this.level = shadow ? height : null;
    const half = Math.max(0.9 * m.travel, 2.5 * m.size);
    const centre = new Vector3(...(m.low.map((l, k) => (l + m.high[k]!) / 2) as [number, number, number]));
    centre.addScaledVector(normal, height - centre.dot(normal));
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal);
    const step = niceStep(half / 8);
    const local = centre.clone().applyQuaternion(turn.clone().invert());
    const lines = gridLines(half, step, local.x, local.y, this.theme);
    lines.quaternion.copy(turn);
    lines.position.copy(centre);
    this.ground.add(lines);
    if (!shadow) return;
    const floor = new Mesh(new PlaneGeometry(6 * half, 6 * half), new ShadowMaterial({ opacity: this.theme.dark ? 0.45 : 0.22 }));
    floor.receiveShadow = true;
    floor.quaternion.copy(turn);
    floor.position.copy(centre).addScaledVector(normal, -0.002 * m.size);
    this.ground.add(floor);
  }

  // a plane that moves: a round table with its grid, moved with its frame
  private table(part: Part, object: Group): void {
    const m = this.measure;
    const r = part.range!;
    const reach = Math.max(Math.abs(r[0]!), Math.abs(r[1]!), Math.abs(r[2]!), Math.abs(r[3]!), m.size);
    const half = 1.25 * reach;
    const lines = gridLines(half, niceStep(half / 6), 0, 0, this.theme);
    const floor = new Mesh(new CircleGeometry(half, 96), new MeshStandardMaterial({ color: this.theme.dark ? '#2a2f38' : '#e9e7df', roughness: 0.9 }));
    floor.receiveShadow = true;
    floor.position.z = -0.004 * m.size;
    object.add(lines, floor);
  }

  // ---- camera -----------------------------------------------------------------------------------

  // a body that goes far is followed from the start
  private defaultFollow(): Part | null {
    const m = this.measure;
    if (!m.goesFar || this.data.runs.length > 1) return null;
    return bodiesOf(this.data.runs[0]!)[0] ?? null;
  }

  home(): void {
    const m = this.measure;
    const low = new Vector3(...(m.low as [number, number, number]));
    const high = new Vector3(...(m.high as [number, number, number]));
    const centre = low.clone().add(high).multiplyScalar(0.5);
    const up = new Vector3(...(m.up as [number, number, number]));
    const direction = new Vector3();
    if (m.planar) direction.set(0, 0, 1).addScaledVector(this.upright(), 0.1).addScaledVector(new Vector3().crossVectors(this.upright(), new Vector3(0, 0, 1)), 0.12);
    else {
      const side = Math.abs(up.z) > 0.5 ? new Vector3(0.55, -1, 0) : new Vector3(0.45, 0, 1);
      side.addScaledVector(up, -side.dot(up)).normalize();
      direction.copy(side).addScaledVector(up, 0.55);
    }
    direction.normalize();
    const target = centre;
    const radius = 1.45 * m.size;
    if (this.follow) place(this.follow.at, { row: 0, part: 0 }, target);
    const distance = this.follow ? this.distanceOf(radius) : this.distanceFor(low, high, direction);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.followed.copy(target);
    this.controls.minDistance = 0.3 * m.size;
    this.controls.maxDistance = 12 * Math.max(m.travel, m.size);
    this.controls.update();
  }

  // from where a ball is seen whole
  private distanceOf(radius: number): number {
    const half = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.atan(Math.tan(half) * Math.min(1, this.camera.aspect));
    return (1.02 * radius) / Math.sin(narrow);
  }

  // from where a box is seen whole, looking at its middle along this direction
  private distanceFor(low: Vector3, high: Vector3, direction: Vector3): number {
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const top = new Vector3().crossVectors(direction, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360) / 1.12;
    const wide = tall * this.camera.aspect;
    const margin = 0.12 * this.measure.size;
    let most = 0;
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z).sub(low.clone().add(high).multiplyScalar(0.5));
      const near = corner.dot(direction);
      most = Math.max(most, near + (Math.abs(corner.dot(right)) + margin) / wide, near + (Math.abs(corner.dot(top)) + margin) / tall);
    }
    return Math.max(most, this.distanceOf(0.5 * this.measure.size));
  }

  // nearer or farther, and around, for the keyboard
  turn(around: number, above: number, zoom: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const up = this.camera.up;
    offset.applyQuaternion(new Quaternion().setFromAxisAngle(up, around));
    const side = new Vector3().crossVectors(up, offset).normalize();
    offset.applyQuaternion(new Quaternion().setFromAxisAngle(side, above));
    this.camera.position.copy(this.controls.target).addScaledVector(offset, zoom);
  }

  resize(width: number, height: number, ratio = Math.min(devicePixelRatio, 2)): void {
    this.view.set(width, height);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
    for (const a of this.actors) for (const t of a.traces) t.resize(width, height);
  }

  // ---- motion -----------------------------------------------------------------------------------

  update(spots: Spot[]): void {
    const from = new Vector3();
    const vector = new Vector3();
    this.actors.forEach((a, i) => {
      const s = spots[i]!;
      for (const x of a.shown) {
        x.object.visible = this.isShown(x.part);
        if (x.object.visible) x.update(s);
      }
      for (const p of a.planes) {
        place(p.part.at, s, p.object.position);
        p.part.turn?.at(s, p.object.quaternion);
      }
      for (const f of a.forces) {
        f.object.visible = this.layers.forces;
        if (!this.layers.forces) continue;
        place(f.part.force!, s, vector).multiplyScalar((1.2 * this.measure.size) / (f.largest || 1));
        f.set(place(f.part.at, s, from), vector);
      }
      for (const t of a.traces) {
        t.object.visible = this.layers.traces;
        t.update(s);
      }
    });
    this.keepUp(spots);
  }

  // of one pixel at what is looked at, in metres, and the height of the floor, for tests
  get scale(): { pixel: number; floor: number | null } {
    const far = this.camera.position.distanceTo(this.controls.target);
    return { pixel: (2 * far * Math.tan((this.camera.fov * Math.PI) / 360)) / this.view.y, floor: this.level };
  }

  // how far bodies are drawn off their ground, for tests
  touches(s: Spot): Touch[] {
    const { shown, run } = this.actors[0]!;
    return touches(shown, run, s);
  }

  // what the first run's parts are drawn as, for tests: the room they take, and whether they are looked through
  drawn(): { kind: string; name: string; low: number[]; high: number[]; glass: boolean }[] {
    const { shown, forces } = this.actors[0]!;
    return [...shown, ...forces].map(({ part, object }) => {
      const box = new Box3();
      let glass = false;
      object.updateWorldMatrix(false, true);
      object.traverseVisible((o) => {
        if (!(o instanceof Mesh)) return;
        glass ||= (o.material as MeshStandardMaterial).transparent;
        const at = (o.geometry as BufferGeometry).getAttribute('position');
        for (let i = 0; i < at.count; i++) box.expandByPoint(new Vector3().fromBufferAttribute(at, i).applyMatrix4(o.matrixWorld));
      });
      return { kind: part.kind, name: part.name, low: box.min.toArray(), high: box.max.toArray(), glass };
    });
  }

  private isShown(p: Part): boolean {
    if (p.kind === 'frame') return this.layers.frames;
    if (p.kind === 'point') return this.layers.points;
    return true;
  }

  // the camera goes with the body that is followed
  private keepUp(spots: Spot[]): void {
    if (!this.follow) return;
    const run = this.actors.findIndex((a) => a.run.parts.includes(this.follow!));
    const now = place(this.follow.at, spots[Math.max(run, 0)]!, new Vector3());
    if (!Number.isFinite(now.lengthSq())) return;
    const step = now.clone().sub(this.followed);
    this.controls.target.add(step);
    this.camera.position.add(step);
    this.followed.copy(now);
  }

  setFollow(part: Part | null, spots: Spot[]): void {
    this.follow = part;
    if (!part) return;
    const now = place(part.at, spots[0]!, new Vector3());
    const offset = this.camera.position.clone().sub(this.controls.target);
    this.controls.target.copy(now);
    this.camera.position.copy(now).add(offset);
    this.followed.copy(now);
  }

  render(): void {
    this.controls.update();
    this.aimSun();
    this.renderer.render(this.scene, this.camera);
    this.discard();
  }

  // What is no longer seen is given back behind the next picture: its shaders serve there, and need not be compiled anew.
  private discard(): void {
    for (const old of this.gone)
      old.traverse((o) => {
        const { geometry, material } = o as Mesh;
        geometry?.dispose();
        for (const m of Array.isArray(material) ? material : material ? [material] : []) m.dispose();
      });
    this.gone = [];
  }

  // shadows are sharp where the eye is
  private aimSun(): void {
    const m = this.measure;
    const up = new Vector3(...(m.up as [number, number, number]));
    const reach = this.follow ? 3 * m.size : 0.75 * m.travel + m.size;
    const target = this.controls.target;
    const side = Math.abs(up.z) > 0.5 ? new Vector3(0.5, -0.25, 0) : new Vector3(0.5, 0, 0.35);
    if (m.planar) this.sun.position.copy(target).add(new Vector3(-0.4, 0.7, 1.6).multiplyScalar(2 * reach));
    else this.sun.position.copy(target).add(up.clone().add(side).multiplyScalar(2.2 * reach));
    this.sun.target.position.copy(target);
    const c = this.sun.shadow.camera;
    if (c.right === reach) return;
    c.left = c.bottom = -reach;
    c.right = c.top = reach;
    c.near = 0.1 * reach;
    c.far = 6 * reach;
    c.updateProjectionMatrix();
  }

  // the plane across the view through the place of a part: the place along its two directions, and the size of a pixel there;
  // and from where it is looked at, so that other places are seen on it
  sheetAt(part: Part, s: Spot): Sheet {
    const at = place(part.at, s, new Vector3()).applyMatrix4(this.camera.matrixWorldInverse);
    const [right, top, back] = [0, 1, 2].map((k) => new Vector3().setFromMatrixColumn(this.camera.matrixWorld, k).toArray());
    const scale = (-2 * at.z * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(this.view.y, 1);
    return { at: [at.x, at.y], right: right!, top: top!, back: back!, eye: this.camera.position.toArray(), far: -at.z, scale };
  }

  // place of a part on the canvas in pixels, null where it is behind the eye
  project(part: Part, s: Spot): { x: number; y: number } | null {
    const p = place(part.at, s, new Vector3()).project(this.camera);
    if (p.z > 1 || !Number.isFinite(p.x)) return null;
    return { x: ((p.x + 1) / 2) * this.view.x, y: ((1 - p.y) / 2) * this.view.y };
  }
}

// something is shown in its place, or it is the hub of spokes
function isCovered(part: Part, run: Run, m: Measure): boolean {
  // the shape of a contact, where the same body is shown otherwise
  if (part.shape) return run.parts.some((p) => p.shown && !p.shape && (p.kind === 'ball' || p.kind === 'box') && isAt(p.at, part.at, run, m));
  if (part.kind !== 'particle' && part.kind !== 'body') return false;
  return run.parts.some((p) => ((p.shown && (p.kind === 'ball' || p.kind === 'box')) || p.kind === 'spokes' || ((p.kind === 'disc' || p.kind === 'ball') && p.held && part.kind === 'body')) && isAt(p.at, part.at, run, m));
}

// the body of a wheel, which is drawn by its rolling
function isOfWheel(part: Part, run: Run): boolean {
  return part.carrier !== '' && run.parts.some((p) => p.kind === 'disc' && p.held && p.carrier === part.carrier);
}

// level ground in space, at rest: the floor under all
function isFloor(part: Part, m: Measure): boolean {
  if (part.kind !== 'ground' || m.planar || part.at.some((c) => c.values)) return false;
  const n = place(part.normal!, { row: 0, part: 0 }, new Vector3()).dot(upOf(m));
  return part.both ? Math.abs(n) > 0.999 : n > 0.999;
}

// a plane that does not move is the ground
function isStill(part: Part): boolean {
  return !part.turn?.values && part.at.every((c) => !c.values);
}

// lines of a grid around (0, 0), standing at whole steps of the world
function gridLines(half: number, step: number, x0: number, y0: number, theme: Theme): LineSegments {
  const at: number[] = [];
  const colors: number[] = [];
  const bold = new Color(theme.gridBold);
  const plain = new Color(theme.grid);
  const sky = new Color(theme.sky);
  const pieces = 12;
  const push = (x: number, y: number, c: Color) => {
    const fade = Math.min(Math.max((Math.hypot(x, y) / half - 0.55) / 0.45, 0), 1);
    const shade = c.clone().lerp(sky, fade * fade);
    at.push(x, y, 0);
    colors.push(shade.r, shade.g, shade.b);
  };
  for (let axis = 0; axis < 2; axis++) {
    const off = axis ? y0 : x0;
    for (let k = Math.ceil((off - half) / step); k <= (off + half) / step; k++) {
      const c = k % 5 === 0 ? bold : plain;
      const fixed = k * step - off;
      for (let i = 0; i < pieces; i++)
        for (const end of [i, i + 1]) {
          const along = half * ((2 * end) / pieces - 1);
          if (axis) push(along, fixed, c);
          else push(fixed, along, c);
        }
    }
  }
  const g = new BufferGeometry();
  g.setAttribute('position', new BufferAttribute(new Float32Array(at), 3));
  g.setAttribute('color', new BufferAttribute(new Float32Array(colors), 3));
  return new LineSegments(g, new LineBasicMaterial({ vertexColors: true }));
}
