// The page: one scene, one clock, one sidebar.
import { bodiesOf } from './cast';
import { Clock, fairSpeed } from './clock';
import { Data, Part, readData, Run, short, Spot, spotOf } from './data';
import { button, el, toggle } from './dom';
import { film } from './film';
import { Labels } from './labels';
import { Sidebar } from './sidebar';
import { Sheet, Stage } from './stage';
import { surfaceData } from './surface';
import { themeOf, wantsDark } from './theme';
import { Transport } from './transport';

const icons = {
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  home: 'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z',
};

function hasScene(run: Run): boolean {
  return run.parts.some((p) => !['point', 'frame', 'force'].includes(p.kind));
}

export class Page {
  readonly data: Data = readData();
  private run = 0;
  private dark = wantsDark();
  readonly clock: Clock;
  private stages: { name: string; stage: Stage; old?: boolean }[] = [];
  private current = 0;
  private labels = new Labels();
  private transport: Transport;
  readonly sidebar: Sidebar;
  private view = el('div', { class: 'view' });
  private dirty = true;
  private plotting = 0;
  private heading = el('h1');

  constructor() {
    const runs = this.data.runs;
    const [from, to] = this.times();
    this.clock = new Clock(from, to, fairSpeed(to - from));
    const theme = themeOf(this.dark);
    const surface = surfaceData(this.data);
    if (hasScene(runs[0]!)) this.addStage('System', this.data);
    if (surface) this.addStage('Surface', surface);
    this.transport = new Transport(this.clock);
    this.sidebar = new Sidebar(this.data, this.clock, theme);
    this.lay();
    this.transport.choose(runs[0]!);
    this.clock.listen(() => (this.dirty = true));
    queueMicrotask(() => this.sidebar.start()); // what the page is a part of may open a tab before
    this.keys();
    document.documentElement.dataset['theme'] = this.dark ? 'dark' : 'light';
    this.size();
    for (const s of this.stages) s.stage.home();
    requestAnimationFrame(this.frame);
  }

  private addStage(name: string, data: Data): void {
    try {
      const stage = new Stage(data, themeOf(this.dark));
      stage.canvas.setAttribute('role', 'img');
      stage.canvas.setAttribute('aria-label', `${name} in motion, a picture in space; arrow keys turn it`);
      stage.canvas.tabIndex = 0;
      stage.controls.addEventListener('change', () => (this.dirty = true));
      this.stages.push({ name, stage });
    } catch {
      this.view.append(el('p', { class: 'hint' }, 'This browser draws no pictures in space (WebGL is off); plots and values work.'));
    }
  }

  // ---- layout -----------------------------------------------------------------------------------

  private lay(): void {
    this.heading.textContent = this.data.title || 'zwang';
    const dark = button('', 'Light or dark (d)', () => this.setDark(!this.dark), icons.moon);
    const head = el('header', {}, this.heading, this.runPicker(), dark);
    this.view.append(this.labels.element, this.tools());
    const app = el('div', { class: 'app' }, head, el('main', { class: 'stagebox' }, this.view, this.transport.element), this.sidebar.element);
    if (!this.stages.length) app.classList.add('flat');
    document.body.append(app);
    this.showStage(0);
    new ResizeObserver(() => this.size()).observe(this.view);
  }

  private runPicker(): HTMLElement {
    const box = el('div', { class: 'runs', role: 'group', 'aria-label': 'Runs' });
    if (this.data.runs.length < 2) return box;
    const pick = el('select', { 'aria-label': `Run shown in front, by ${this.data.varied}`, id: 'run' });
    this.data.runs.forEach((r, i) => pick.append(el('option', { value: String(i) }, r.label)));
    pick.addEventListener('change', () => this.choose(Number(pick.value)));
    box.append(pick);
    return box;
  }

  private tools(): HTMLElement {
    const box = el('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Picture' });
    if (!this.stages.length) return box;
    if (this.stages.length > 1) {
      const pick = el('select', { 'aria-label': 'What is seen' });
      this.stages.forEach((s, i) => pick.append(el('option', { value: String(i) }, s.name)));
      pick.addEventListener('change', () => this.showStage(Number(pick.value)));
      box.append(pick);
    }
    box.append(this.followPicker());
    const layer = (label: string, title: string, name: 'traces' | 'forces' | 'frames' | 'points') =>
      toggle(label, title, this.stages[0]!.stage.layers[name], (on) => {
        for (const s of this.stages) s.stage.layers[name] = on;
        this.dirty = true;
      });
    const has = (kind: string) => this.data.runs[0]!.parts.some((p) => p.kind === kind);
    box.append(layer('Traces', 'Paths of points', 'traces'));
    if (has('contact') || has('force')) box.append(layer('Forces', 'Reactions of constraints and contacts', 'forces'));
    if (has('frame')) box.append(layer('Axes', 'Axes of frames', 'frames'));
    if (has('point')) box.append(layer('Points', 'Points of the model', 'points'));
    box.append(
      toggle('Names', 'Names of bodies', false, (on) => {
        this.labels.on = on;
        this.dirty = true;
      }),
      button('', 'See all (Home view, 0)', () => this.home(), icons.home),
    );
    return box;
  }

  private followPicker(): HTMLElement {
    const stage = this.stages[0]!.stage;
    const bodies = bodiesOf(this.data.runs[0]!);
    const pick = el('select', { 'aria-label': 'Follow a body', title: 'Follow a body', id: 'follow' }, el('option', { value: '' }, 'Camera stays'));
    for (const b of bodies) pick.append(el('option', { value: b.name }, `Follow ${b.name}`));
    pick.value = stage.follow?.name ?? '';
    pick.addEventListener('change', () => {
      const part = bodiesOf(this.data.runs[this.run]!).find((b) => b.name === pick.value) ?? null;
      stage.setFollow(part, this.spots());
      if (!part) stage.home();
      this.dirty = true;
    });
    return pick;
  }

  private get stage(): Stage | null {
    return this.stages[this.current]?.stage ?? null;
  }

  private showStage(i: number): void {
    this.stage?.canvas.remove();
    this.current = i;
    if (!this.stage) return;
    if (this.stages[i]!.old) this.stage.renew();
    this.stages[i]!.old = false;
    this.view.prepend(this.stage.canvas);
    this.size();
  }

  private size(): void {
    const { clientWidth, clientHeight } = this.view;
    if (!this.stage || !clientWidth || !clientHeight) return;
    this.stage.resize(clientWidth, clientHeight);
    this.dirty = true;
  }

  private home(): void {
    this.stage?.home();
    this.dirty = true;
  }

  private setDark(on: boolean): void {
    this.dark = on;
    document.documentElement.dataset['theme'] = on ? 'dark' : 'light';
    for (const s of this.stages) s.stage.setTheme(themeOf(on));
    this.sidebar.setTheme(themeOf(on));
    this.dirty = true;
  }

  choose(run: number): void {
    this.run = run;
    for (const s of this.stages) s.stage.choose(run);
    this.transport.choose(this.data.runs[run]!);
    this.sidebar.choose(run);
    this.dirty = true;
  }

  // ---- taken by hand ------------------------------------------------------------------------------

  get picture(): HTMLElement {
    return this.view;
  }

  // The body whose place is nearest to this one of the picture, `within` so many pixels: which part it is; its place at the start
  // along the picture's two directions, and how far a pixel is there. With `take` the motion goes to its start.
  bodyNear(x: number, y: number, within: number, take = true): ({ part: number } & Sheet) | null {
    const run = this.data.runs[this.run]!;
    const spot = spotOf(run, this.clock.t);
    let best: { part: Part; far: number } | null = null;
    for (const part of this.stages[this.current]?.name === 'System' ? bodiesOf(run) : []) {
      const at = this.stage!.project(part, spot);
      const far = at ? Math.hypot(at.x - x, at.y - y) : Infinity;
      if (far <= within && far < (best?.far ?? Infinity)) best = { part, far };
    }
    if (!best) return null;
    if (take) {
      this.clock.play(false);
      this.clock.seek(this.clock.from);
    }
    return { part: run.parts.indexOf(best.part), ...this.stage!.sheetAt(best.part, spotOf(run, this.clock.from)) };
  }

  // ---- another motion -----------------------------------------------------------------------------

  // Params and starts have changed, or the whole model: what is not new in `data` stays.
  // `fresh`: another model, seen from the start as a page of its own.
  renew(data: Partial<Data>, fresh = false): void {
    Object.assign(this.data, data);
    this.heading.textContent = this.data.title || 'zwang';
    this.run = 0;
    this.clock.span(...this.times());
    if (fresh) this.restage();
    // what is not seen is made anew when it is looked at
    else
      this.stages.forEach((s, i) => {
        s.old = i !== this.current;
        if (!s.old) s.stage.renew();
      });
    this.transport.choose(this.data.runs[0]!);
    this.dirty = true;
    this.draw();
    // plots take longer than a picture: they follow as soon as the page has drawn it
    cancelAnimationFrame(this.plotting);
    this.plotting = requestAnimationFrame(() => this.sidebar.choose(0));
  }

  private restage(): void {
    for (const s of this.stages) s.stage.free();
    this.stages = [];
    this.clock.seek(this.clock.from);
    this.clock.speed = fairSpeed(this.clock.to - this.clock.from);
    const surface = surfaceData(this.data);
    if (hasScene(this.data.runs[0]!)) this.addStage('System', this.data);
    if (surface) this.addStage('Surface', surface);
    this.view.querySelector('.tools')!.replaceWith(this.tools());
    document.querySelector('main')!.classList.toggle('flat', !this.stages.length);
    this.current = 0;
    this.showStage(0);
    for (const s of this.stages) s.stage.home();
  }

  private times(): [number, number] {
    const runs = this.data.runs;
    return [Math.min(...runs.map((r) => r.time[0] ?? 0)), Math.max(...runs.map((r) => r.time[r.rows - 1] ?? 0))];
  }

  // ---- time -------------------------------------------------------------------------------------

  private spots(): Spot[] {
    return this.data.runs.map((r) => spotOf(r, this.clock.t));
  }

  private frame = (now: number): void => {
    requestAnimationFrame(this.frame);
    this.clock.tick(now);
    const moving = this.stage?.controls.update();
    if (!this.dirty && !moving) return;
    this.dirty = false;
    this.draw();
  };

  private draw(): void {
    if (!this.stage) return;
    const spots = this.spots();
    this.stage.update(spots);
    this.stage.render();
    this.labels.update(this.stage, bodiesOf(this.data.runs[this.run]!), spots[this.run]!);
  }

  private keys(): void {
    document.addEventListener('keydown', (e) => {
      const on = e.target as HTMLElement;
      // what is written into is an editor of the page, or inside of an element that keeps its insides
      if ((e.composedPath()[0] as HTMLElement).isContentEditable) return;
      if (['INPUT', 'SELECT', 'TEXTAREA'].includes(on.tagName) && e.key !== ' ') return;
      if (on.tagName === 'BUTTON' && (e.key === ' ' || e.key === 'Enter')) return;
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (this.key(e.key, on === this.stage?.canvas, e.shiftKey)) {
        e.preventDefault();
        this.dirty = true;
      }
    });
  }

  private key(key: string, onCanvas: boolean, large: boolean): boolean {
    const { clock } = this;
    const step = ((clock.to - clock.from) / 100) * (large ? 5 : 1);
    const turn = onCanvas ? 0.08 : 0;
    const go = (by: number) => (clock.play(false), clock.seek(clock.t + by));
    const act: Record<string, () => unknown> = {
      ' ': () => clock.play(!clock.playing),
      ArrowLeft: () => (turn ? this.stage!.turn(-turn, 0, 1) : go(-step)),
      ArrowRight: () => (turn ? this.stage!.turn(turn, 0, 1) : go(step)),
      ',': () => go(-step / 10),
      '.': () => go(step / 10),
      Home: () => clock.seek(clock.from),
      End: () => clock.seek(clock.to),
      '[': () => this.transport.faster(-1),
      ']': () => this.transport.faster(1),
      '+': () => this.stage?.turn(0, 0, 0.9),
      '-': () => this.stage?.turn(0, 0, 1.1),
      '0': () => this.home(),
      d: () => this.setDark(!this.dark),
      l: () => document.getElementById('loop')!.click(),
    };
    if (turn) {
      act['ArrowUp'] = () => this.stage!.turn(0, -turn, 1);
      act['ArrowDown'] = () => this.stage!.turn(0, turn, 1);
    }
    if (!act[key]) return false;
    act[key]!();
    return true;
  }

  // a page whose model is being written: anew when it is looked at again, at the same time of the motion
  watch(): void {
    const kept = Number(sessionStorage.getItem('t'));
    if (Number.isFinite(kept)) this.clock.seek(kept);
    const again = () => {
      sessionStorage.setItem('t', String(this.clock.t));
      location.reload();
    };
    addEventListener('focus', again);
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && again());
  }

  // ---- for programs: films and tests --------------------------------------------------------------

  // what a program may ask of the page
  readonly door = {
    seek: (t: number) => (this.clock.play(false), this.clock.seek(t), this.draw()),
    move: (t: number) => (this.clock.seek(t), this.stage?.update(this.spots())),
    play: (on: boolean) => this.clock.play(on),
    time: () => this.clock.t,
    span: () => [this.clock.from, this.clock.to],
    value: (name: string) => {
      const run = this.data.runs[this.run]!;
      return run.columns.find((c) => c.name === name)?.data.at(spotOf(run, this.clock.t));
    },
    bodies: () => bodiesOf(this.data.runs[this.run]!).map((p) => p.name),
    columns: () => this.data.runs[this.run]!.columns.map((c) => c.name),
    choose: (run: number) => this.choose(run),
    drawn: () => this.stage?.cast.drawn() ?? [],
    scale: () => this.stage?.scale ?? null,
    eye: () => this.stage?.camera.position.toArray() ?? [],
    // a body's place in the picture, in pixels
    where: (name: string) => {
      const run = this.data.runs[this.run]!;
      const part = bodiesOf(run).find((p) => p.name === name);
      return part && this.stage ? this.stage.project(part, spotOf(run, this.clock.t)) : null;
    },
    film: (words: string) => film(words, this.stage, this.clock, (s) => s.update(this.spots()), this.data.title),
  };
}

export const page = new Page();
(window as unknown as { zwang: unknown }).zwang = page.door;
// a film is asked for behind the name of the file: page.html#film=...
if (location.hash.startsWith('#film=')) page.door.film(location.hash.slice(6));
if (location.hash === '#watch') page.watch();
document.documentElement.dataset['ready'] = short(performance.now(), 4);
