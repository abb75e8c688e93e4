// The scene: what moves, ground, light, camera.
import {
  AmbientLight,
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
import { Cast, isStill, Layers } from './cast';
import { Data, Part, Spot } from './data';
import { Measure, measure, niceStep } from './measure';
import { place } from './parts';
import { cameraFor, lookAtAll, pixelAt } from './sight';
import { Theme } from './theme';

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

export class Stage {
  measure: Measure;
  readonly canvas: HTMLCanvasElement;
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  readonly layers: Layers = { traces: true, forces: false, frames: false, points: false };
  follow: Part | null = null;
  private renderer: WebGLRenderer;
  private scene = new Scene();
  cast: Cast;
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
    // OrbitControls turns about the axis that is up when it is made
    this.camera = cameraFor(this.measure);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.light();
    this.cast = this.enter();
    this.follow = this.cast.defaultFollow();
    this.layers.frames = this.measure.still; // turning is seen by axes where nothing goes anywhere
    this.scene.add(this.ground);
    this.setTheme(theme);
    this.choose(0);
  }

  private enter(): Cast {
    const cast = new Cast(this.data, this.measure);
    for (const a of cast.actors) this.scene.add(a.group);
    return cast;
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

  // ---- runs -------------------------------------------------------------------------------------

  // of several runs the chosen one is plain, the others are seen through
  choose(run: number): void {
    this.cast.actors.forEach((a, i) => {
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
    if (this.follow) this.follow = this.cast.actors[run]!.run.parts.find((p) => p.name === this.follow!.name && p.kind === this.follow!.kind) ?? null;
  }

  // another motion of the same system: what is seen is made anew, the camera stays
  renew(): void {
    for (const a of this.cast.actors) {
      this.scene.remove(a.group);
      this.gone.push(a.group);
    }
    this.measure = measure(this.data.runs);
    this.cast = this.enter();
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
    this.level = null;
    const under = this.cast.under();
    if (under) this.sheet(under.normal, under.height, under.floor);
    for (const a of this.cast.actors)
      for (const p of a.planes) {
        this.gone.push(...p.object.children);
        p.object.clear();
        a.group.add(p.object);
        if (!isStill(p.part)) this.table(p.part, p.object);
      }
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

  home(): void {
    const m = this.measure;
    const target = lookAtAll(this.camera, m, this.follow);
    this.controls.target.copy(target);
    this.followed.copy(target);
    this.controls.minDistance = 0.3 * m.size;
    this.controls.maxDistance = 12 * Math.max(m.travel, m.size);
    this.controls.update();
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
    for (const a of this.cast.actors) for (const t of a.traces) t.resize(width, height);
  }

  // ---- motion -----------------------------------------------------------------------------------

  update(spots: Spot[]): void {
    this.cast.update(spots, this.layers);
    this.keepUp(spots);
  }

  // of one pixel at what is looked at, in metres, and the height of the floor, for tests
  get scale(): { pixel: number; floor: number | null } {
    return { pixel: pixelAt(this.camera, this.controls.target, this.view.y), floor: this.level };
  }

  // the camera goes with the body that is followed
  private keepUp(spots: Spot[]): void {
    if (!this.follow) return;
    const run = this.cast.actors.findIndex((a) => a.run.parts.includes(this.follow!));
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
