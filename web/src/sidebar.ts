// Beside the scene: plots, values, equations, the model's text, the story of the run.
import katex from 'katex';
import { Clock } from './clock';
import { Channel, Curve, Data, Form, Run, short, spotOf } from './data';
import { el } from './dom';
import { PathPanel } from './path';
import { colorOf, Line, Panel, timePanel } from './plots';
import { Theme } from './theme';

const curvesMost = 8;

interface Tab {
  name: string;
  fill(page: HTMLElement): void;
  filled: boolean;
  page: HTMLElement;
  button: HTMLButtonElement;
  kept?: boolean; // it is not made anew with the others
}

const withUnit = (c: Curve) => (c.unit ? `${c.name} [${c.unit}]` : c.name);

export class Sidebar {
  readonly element = el('aside', { class: 'side', 'aria-label': 'Plots, equations and text' });
  private tabs: Tab[] = [];
  private panels: Panel[] = [];
  private chosen = 0;
  private values: { cell: HTMLElement; data: (run: Run) => Channel }[] = [];
  private columns = new Set<string>();
  private form: string;

  constructor(
    private data: Data,
    private clock: Clock,
    private theme: Theme,
  ) {
    this.form = data.forms[0]?.name ?? '';
    const list = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Pages' });
    this.element.append(list);
    this.add(list, 'Plots', (p) => this.fillPlots(p));
    this.add(list, 'Values', (p) => this.fillValues(p));
    this.add(list, 'Equations', (p) => this.fillEquations(p));
    this.add(list, 'Model', (p) => this.fillModel(p));
    this.add(list, 'Run', (p) => this.fillRun(p));
    list.addEventListener('keydown', (e) => this.walk(e));
    clock.listen(() => this.update());
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  // a tab of its own, in front of the others and open
  own(name: string, content: HTMLElement): void {
    const list = this.element.firstElementChild as HTMLElement;
    this.add(list, name, (p) => p.append(content));
    const tab = this.tabs.at(-1)!;
    tab.kept = true;
    list.prepend(tab.button);
    this.open(tab);
  }

  // plots need their width: called when the sidebar stands in the page; a page that has opened another tab needs none yet
  start(): void {
    if (!this.opened) this.open(this.tabs[0]!);
  }

  private get opened(): boolean {
    return this.tabs.some((t) => t.filled);
  }

  // ---- tabs -------------------------------------------------------------------------------------

  private add(list: HTMLElement, name: string, fill: (page: HTMLElement) => void): void {
    const id = name.toLowerCase();
    const b = el('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `page-${id}` }, name);
    const page = el('div', { class: `page ${id}`, role: 'tabpanel', id: `page-${id}`, 'aria-labelledby': `tab-${id}`, tabindex: '0' });
    const tab: Tab = { name, fill, filled: false, page, button: b };
    b.addEventListener('click', () => this.open(tab));
    this.tabs.push(tab);
    list.append(b);
    this.element.append(page);
  }

  private walk(e: KeyboardEvent): void {
    const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    if (!by) return;
    e.stopPropagation();
    const now = this.tabs.findIndex((t) => t.button.getAttribute('aria-selected') === 'true');
    const next = this.tabs[(now + by + this.tabs.length) % this.tabs.length]!;
    this.open(next);
    next.button.focus();
  }

  private open(tab: Tab): void {
    for (const t of this.tabs) {
      const on = t === tab;
      t.button.setAttribute('aria-selected', String(on));
      t.button.tabIndex = on ? 0 : -1;
      t.page.hidden = !on;
    }
    if (!tab.filled) {
      tab.filled = true;
      tab.fill(tab.page);
    }
    this.update();
  }

  // everything again, for another run or theme
  private refill(): void {
    for (const p of this.panels) p.destroy();
    this.panels = [];
    this.values = [];
    for (const t of this.tabs) {
      if (t.kept) continue;
      t.filled = false;
      t.page.replaceChildren();
    }
    this.open(this.tabs.find((t) => !t.page.hidden) ?? this.tabs[0]!);
  }

  choose(run: number): void {
    this.chosen = run;
    if (this.opened) this.refill();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    if (this.opened) this.refill();
  }

  private get run(): Run {
    return this.data.runs[this.chosen]!;
  }

  private get width(): number {
    const page = this.tabs[0]!.page;
    return Math.max((page.clientWidth || this.element.clientWidth) - 24, 200);
  }

  private resize(): void {
    if (!this.tabs[0]!.page.hidden) for (const p of this.panels) p.resize(this.width);
  }

  private update(): void {
    if (!this.tabs[0]!.page.hidden) for (const p of this.panels) p.move(this.clock.t);
    if (!this.tabs[1]!.page.hidden) {
      const s = spotOf(this.run, this.clock.t);
      for (const v of this.values) v.cell.textContent = short(v.data(this.run).at(s), 7);
    }
  }

  // ---- plots ------------------------------------------------------------------------------------

  private fillPlots(page: HTMLElement): void {
    const box = el('div');
    page.append(box);
    const plots = this.run.plots;
    if (plots.length) plots.forEach((_, i) => this.addPlot(box, i));
    else this.addCoordinates(box);
    this.addEnergy(box);
    for (const name of this.columns) this.addColumn(box, name);
    const pick = el('select', { 'aria-label': 'Add a plot' }, el('option', { value: '' }, 'Add a plot …'));
    for (const c of this.run.columns) pick.append(el('option', { value: c.name }, withUnit(c)));
    pick.addEventListener('change', () => {
      if (!pick.value || this.columns.has(pick.value)) return;
      this.columns.add(pick.value);
      this.addColumn(box, pick.value);
      pick.value = '';
    });
    page.append(pick, el('p', { class: 'hint' }, 'Drag over a plot to zoom in time, double-click to see all; click to go to that time.'));
  }

  private put(box: HTMLElement, p: Panel): void {
    this.panels.push(p);
    box.append(p.element);
  }

  private addPlot(box: HTMLElement, index: number): void {
    const plot = this.run.plots[index]!;
    const runs = this.data.runs;
    if (plot.x) {
      const ways = runs.flatMap((r, i) =>
        r.plots[index]!.y.map((y, k) => ({
          label: [plot.y.length > 1 ? y.name : '', r.label].filter(Boolean).join(', '),
          run: r,
          x: r.plots[index]!.x!,
          y: y.data,
          rows: r.plots[index]!.rows,
          color: colorOf(i, k, runs.length).color,
        })),
      );
      const labels: [string, string] = [plot.xLabel, plot.y.map((y) => y.name).join(', ')];
      this.put(box, new PathPanel(plot.title, ways, labels, plot.sameScale, this.clock, this.theme, this.width));
      return;
    }
    this.addLines(box, plot.title, (r) => r.plots[index]!.y);
  }

  private addLines(box: HTMLElement, title: string, curves: (r: Run) => Curve[]): void {
    const runs = this.data.runs;
    const lines: Line[] = runs.flatMap((run, i) =>
      curves(run).map((c, k) => ({
        label: [withUnit(c), run.label].filter(Boolean).join(', '),
        run,
        data: c.data,
        ...colorOf(i, k, runs.length),
      })),
    );
    if (lines.length) this.put(box, timePanel(title, lines, this.clock, this.theme, this.width));
  }

  private addColumn(box: HTMLElement, name: string): void {
    this.addLines(box, name, (r) => r.columns.filter((c) => c.name === name));
  }

  // no plots in the model: its coordinates, those of one unit together
  private addCoordinates(box: HTMLElement): void {
    const names = this.run.columns.map((c) => c.name);
    const coordinates = this.run.columns.filter((c) => names.includes(`${c.name}'`));
    const units = [...new Set(coordinates.map((c) => c.unit))];
    for (const unit of units) {
      const group = coordinates.filter((c) => c.unit === unit).slice(0, curvesMost);
      const wanted = new Set(group.map((c) => c.name));
      this.addLines(box, group.map((c) => c.name).join(', '), (r) => r.columns.filter((c) => wanted.has(c.name)));
    }
  }

  private addEnergy(box: HTMLElement): void {
    this.addLines(box, 'Energy', (r) => {
      const { kinetic, potential } = r.energy;
      const total = new Float32Array(r.rows).map((_, i) => kinetic.row(i) + potential.row(i));
      return [
        { name: 'kinetic', unit: 'J', data: kinetic },
        { name: 'potential', unit: 'J', data: potential },
        { name: 'sum', unit: 'J', data: new Channel(0, total) },
      ];
    });
  }

  // ---- values -----------------------------------------------------------------------------------

  private fillValues(page: HTMLElement): void {
    const body = el('tbody');
    this.run.columns.forEach((c, i) => {
      const cell = el('td', { class: 'number', 'data-column': c.name });
      body.append(el('tr', {}, el('th', { scope: 'row' }, c.name), cell, el('td', { class: 'unit' }, c.unit)));
      this.values.push({ cell, data: (r) => r.columns[i]!.data });
    });
    page.append(el('table', { class: 'values' }, el('caption', {}, 'At the present time'), body));
  }

  // ---- equations --------------------------------------------------------------------------------

  private fillEquations(page: HTMLElement): void {
    if (!this.data.forms.length) {
      page.append(el('p', {}, 'No form of the equations suits this model.'));
      return;
    }
    const pick = el('select', { 'aria-label': 'Form of the equations' });
    for (const f of this.data.forms) pick.append(el('option', { value: f.name }, `${f.title}`));
    // another model may not have the one chosen before
    if (!this.data.forms.some((f) => f.name === this.form)) this.form = this.data.forms[0]!.name;
    pick.value = this.form;
    const box = el('div', { class: 'equations' });
    const draw = () => {
      this.form = pick.value;
      box.replaceChildren();
      this.drawForm(box, this.data.forms.find((f) => f.name === pick.value)!);
    };
    pick.addEventListener('change', draw);
    page.append(pick, box);
    draw();
  }

  private drawForm(box: HTMLElement, form: Form): void {
    if (!form.whole) {
      box.append(el('p', {}, 'These equations are too long for a page; this prints them: ', el('code', {}, `zwang derive MODEL --form ${form.name}`)));
      return;
    }
    for (const g of form.groups ?? []) {
      box.append(el('h2', {}, g.title));
      for (const line of g.lines) {
        const row = el('div', { class: 'equation', tabindex: '0', role: 'math', 'aria-label': line.label || g.title });
        katex.render(line.tex, row, { displayMode: true, throwOnError: false, strict: 'ignore', trust: false, output: 'html', maxExpand: 1000, maxSize: 10 });
        box.append(row);
      }
    }
  }

  // ---- model ------------------------------------------------------------------------------------

  private fillModel(page: HTMLElement): void {
    const run = this.run;
    if (run.params.length) {
      const body = el('tbody');
      for (const p of run.params)
        body.append(
          el('tr', {}, el('th', { scope: 'row' }, p.name), el('td', { class: 'number' }, short(p.value)), el('td', { class: 'unit' }, p.unit), el('td', {}, p.note + (p.changes ? ' (changes)' : ''))),
        );
      page.append(el('table', {}, el('caption', {}, 'Params'), body));
    }
    for (const s of this.data.sources) page.append(el('h2', {}, s.name), el('pre', { class: 'source', tabindex: '0' }, s.text));
  }

  // ---- run --------------------------------------------------------------------------------------

  private fillRun(page: HTMLElement): void {
    const r = this.run;
    const facts: [string, string][] = [
      ['status', r.reason ? `${r.status}: ${r.reason}` : r.status],
      ['method', r.method],
      ['tolerance', short(r.tolerance)],
      ['steps', String(r.steps)],
      ['frames', String(r.rows)],
      ['energy balance', `${short(r.energy.balance, 2)} of the largest energy`],
      ['work of the forces', `${short(r.energy.work)} J`],
    ];
    if (r.doubt) facts.splice(1, 0, ['doubt', r.doubt]);
    const list = el('dl');
    for (const [name, value] of facts) list.append(el('dt', {}, name), el('dd', {}, value));
    page.append(list);
    if (r.residuals.length) {
      const body = el('tbody');
      for (const x of r.residuals)
        body.append(el('tr', {}, el('th', { scope: 'row' }, x.name), ...[x.position, x.velocity, x.acceleration].map((v) => el('td', { class: 'number' }, v === null ? '' : short(v, 2)))));
      const heads = ['constraint', 'position', 'velocity', 'acceleration'].map((h) => el('th', { scope: 'col' }, h));
      page.append(el('table', {}, el('caption', {}, 'Largest residuals of the constraints'), el('thead', {}, el('tr', {}, ...heads)), body));
    }
    this.addMarks(page, 'Stages', r.stages);
    this.addMarks(page, 'Events', r.events);
  }

  private addMarks(page: HTMLElement, title: string, marks: { name: string; t: number }[]): void {
    if (!marks.length) return;
    const list = el('ol', { class: 'happenings' });
    const most = 500;
    for (const m of marks.slice(0, most)) {
      const b = el('button', { type: 'button', title: 'Go there' }, `${short(m.t)} s`);
      b.addEventListener('click', () => {
        this.clock.play(false);
        this.clock.seek(m.t);
      });
      list.append(el('li', {}, b, ` ${m.name}`));
    }
    page.append(el('h2', {}, title), list);
    if (marks.length > most) page.append(el('p', { class: 'hint' }, `${marks.length - most} more`));
  }
}
