// What can be changed in a live page: params and starts by sliders and fields, tolerance, end, method, the text itself.
import { Data, Param, Run, short } from '../src/data';
import { button, el } from '../src/dom';
import type { Editor } from './editor';
import type { Note } from './engine';

export interface Wish {
  text: string;
  sets: Record<string, string>;
  starts: Record<string, number>;
  until?: number;
  tolerance?: number;
}

// A row with a slider and a field; both tell the same number.
class Dial {
  readonly element: HTMLElement;
  private slider = el('input', { type: 'range', step: 'any' });
  private field = el('input', { type: 'text', inputmode: 'decimal', spellcheck: 'false', autocomplete: 'off' });
  changed = false;

  constructor(name: string, title: string, unit: string, private start: number, private act: () => void) {
    this.slider.setAttribute('aria-label', name);
    this.field.setAttribute('aria-label', `${name}, as a number`);
    this.slider.dataset['name'] = name;
    this.reach(start);
    this.set(start);
    this.slider.addEventListener('input', () => {
      this.tell(short(Number(this.slider.value), 5));
      this.touch();
    });
    this.field.addEventListener('input', () => this.fit());
    this.field.addEventListener('change', () => {
      const x = this.value;
      this.field.classList.toggle('wrong', !Number.isFinite(x));
      if (!Number.isFinite(x)) return;
      this.reach(x);
      this.slider.value = String(x);
      this.touch();
    });
    this.element = el('div', { class: 'dial', title }, el('label', {}, name), this.slider, this.field, el('span', { class: 'unit' }, unit));
  }

  private touch(): void {
    this.changed = true;
    this.act();
  }

  // from zero to twice the number, on both sides of zero where that is the number
  private reach(x: number): void {
    const most = Math.abs(x) > 0 ? 2 * Math.abs(x) : 1;
    const low = x > 0 ? 0 : -most;
    const high = x < 0 ? 0 : most;
    this.slider.min = String(Math.min(low, Number(this.slider.min || low)));
    this.slider.max = String(Math.max(high, Number(this.slider.max || high)));
  }

  private set(x: number): void {
    this.slider.value = String(x);
    this.tell(short(x, 7));
  }

  private tell(number: string): void {
    this.field.value = number;
    this.fit();
  }

  // a long number is seen whole: the slider gives way
  private fit(): void {
    this.field.style.width = `max(5.4rem, calc(${this.field.value.length + 1}ch + 1rem))`;
  }

  give(x: number): void {
    this.changed = true;
    this.reach(x);
    this.set(x);
  }

  get value(): number {
    return Number(this.field.value.trim().replace(',', '.'));
  }

  reset(): void {
    this.changed = false;
    this.set(this.start);
  }
}

export class Panel {
  readonly element = el('div', { class: 'live' });
  private params = new Map<string, Dial>();
  private starts = new Map<string, Dial>();
  private until: Dial | null = null;
  private tolerance = el('input', { type: 'text', inputmode: 'decimal', 'aria-label': 'Tolerance', placeholder: "the model's own" });
  private told = el('div', { class: 'told', role: 'status', 'aria-live': 'polite' });
  private state = el('p', { class: 'hint' }, 'zwang is being loaded …');
  private dials = el('div', { class: 'dials' });
  private gallery = el('select', { 'aria-label': 'A model of the gallery', id: 'gallery' }, el('option', { value: '' }, 'Gallery …'));

  constructor(private data: Data, readonly editor: Editor, private act: (textChanged: boolean) => void, share: () => void, take: (name: string) => void) {
    this.tolerance.addEventListener('change', () => this.act(false));
    this.gallery.addEventListener('change', () => {
      if (this.gallery.value) take(this.gallery.value);
      this.gallery.value = '';
    });
    const bar = el('div', { class: 'bar' }, this.gallery, button('Address', 'Put the model into the address of this page, and copy it', share));
    this.element.append(bar, this.state, this.told, this.dials, el('h3', {}, 'Text'), this.editor.element);
    this.lay();
  }

  // dials for what the model has now; those that were moved stay as they are
  lay(): void {
    const run = this.data.runs[0]!;
    const params = run.params.filter((p) => p.value !== null);
    const names = this.startsOf(run);
    if (params.map((p) => p.name).join() === [...this.params.keys()].join() && names.map((n) => n.name).join() === [...this.starts.keys()].join()) return;
    const act = () => this.act(false);
    const old = { params: this.params, starts: this.starts };
    const keep = (was: Map<string, Dial>, name: string, make: () => Dial) => (was.get(name)?.changed ? was.get(name)! : make());
    this.params = new Map(params.map((p: Param) => [p.name, keep(old.params, p.name, () => new Dial(p.name, p.note, p.unit, p.value!, act))]));
    this.starts = new Map(names.map((c) => [c.name, keep(old.starts, c.name, () => new Dial(c.name, `${c.name} at the start`, c.unit, c.value, act))]));
    this.until = new Dial('until', 'End of the run', 's', run.time[run.rows - 1] ?? 1, act);
    const group = (title: string, dials: Iterable<Dial>) => {
      const all = [...dials].map((d) => d.element);
      return all.length ? [el('h3', {}, title), ...all] : [];
    };
    const rest = el('div', { class: 'dial' }, el('label', {}, 'tolerance'), this.tolerance);
    this.dials.replaceChildren(
      ...group('Params', this.params.values()), ...group('Start', this.starts.values()), ...group('Run', [this.until]), rest,
      button('Back to the model', 'All numbers as the model has them', () => this.reset()),
    );
  }

  // coordinates and velocities, as the first row has them
  private startsOf(run: Run): { name: string; unit: string; value: number }[] {
    const names = new Set(run.columns.map((c) => c.name));
    const is = (n: string) => names.has(`${n}'`) || (n.endsWith("'") && names.has(n.slice(0, -1)));
    return run.columns.filter((c) => is(c.name) && !c.name.endsWith("''")).map((c) => ({ name: c.name, unit: c.unit, value: c.data.row(0) }));
  }

  private reset(): void {
    for (const d of [...this.params.values(), ...this.starts.values()]) d.reset();
    this.until?.reset();
    this.tolerance.value = '';
    this.act(false);
  }

  wish(): Wish {
    const sets = Object.fromEntries(this.data.sets.map((s) => [s.slice(0, s.indexOf('=')), s.slice(s.indexOf('=') + 1)]));
    const starts: Record<string, number> = {};
    for (const [name, d] of this.params) if (d.changed && Number.isFinite(d.value)) sets[name] = String(d.value);
    for (const [name, d] of this.starts) if (d.changed && Number.isFinite(d.value)) starts[name] = d.value;
    const tolerance = Number(this.tolerance.value);
    return {
      text: this.editor.value, sets, starts,
      ...(this.until?.changed && this.until.value > 0 && { until: this.until.value }),
      ...(tolerance > 0 && { tolerance }),
    };
  }

  // starts of the coordinates, as they are now
  get coordinates(): Record<string, number> {
    return Object.fromEntries([...this.starts].filter(([n]) => !n.endsWith("'")).map(([n, d]) => [n, d.value]));
  }

  // Starts of coordinates that the text gives become guesses there: those that constraints know, too, can only move so. Which
  // ones; none where there is nothing to change.
  loosen(): string[] {
    const found: string[] = [];
    const text = this.text.replace(/^(\s*initial\s+)([^\s=~]+)(\s*)=(?!=)/gm, (all, head: string, name: string, space: string) => {
      if (!(name in this.coordinates)) return all;
      found.push(name);
      return `${head}${name}${space}~`;
    });
    if (found.length) this.editor.value = text;
    return found;
  }

  // as if the fields had been written
  start(values: Record<string, number>): void {
    for (const [name, value] of Object.entries(values)) this.starts.get(name)?.give(value);
    this.act(false);
  }

  offer(models: { name: string; title: string }[]): void {
    for (const m of models) this.gallery.append(el('option', { value: m.name }, m.title || m.name));
  }

  // another model: nothing of the last one stays
  load(text: string): void {
    this.editor.value = text;
    this.params.clear();
    this.starts.clear();
    this.until = null;
    this.tolerance.value = '';
    this.data.sets = [];
  }

  get text(): string {
    return this.editor.value;
  }

  // errors stand here as the program prints them; a click goes to the place
  tell(notes: Note[], words: string): void {
    this.state.textContent = words;
    this.told.replaceChildren(...notes.map((n) => {
      const box = el('pre', { class: n.level, tabindex: '0' }, n.text.trimEnd());
      if (n.line) {
        const go = () => this.editor.go(n.line!, n.column ?? 1);
        box.addEventListener('click', go);
        box.addEventListener('keydown', (e) => e.key === 'Enter' && go());
      }
      return box;
    }));
  }
}
