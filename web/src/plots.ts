// Curves over time: uPlot, with the page's time as a line through all of them.
import uPlot from 'uplot';
import { Clock } from './clock';
import { Channel, Run, short } from './data';
import { el } from './dom';
import { palette, Theme } from './theme';

export interface Panel {
  element: HTMLElement;
  move(t: number): void;
  resize(width: number): void;
  destroy(): void;
}

export interface Line {
  label: string;
  run: Run;
  data: Channel;
  color: string;
  dash?: number[];
}

const mostPoints = 4000;

// time and values of a line, thinned for the screen; of each stretch its least and largest value
function sampled(line: Line): [number[], (number | null)[]] {
  const { run, data } = line;
  const x: number[] = [];
  const y: (number | null)[] = [];
  const stride = Math.max(1, Math.ceil((2 * run.rows) / mostPoints));
  const push = (i: number) => {
    const v = data.row(i);
    let t = run.time[i]!;
    // uPlot wants time to rise; two rows of one instant stand next to each other
    if (x.length && t <= x[x.length - 1]!) t = x[x.length - 1]! + 1e-12 * (1 + Math.abs(t));
    x.push(t);
    y.push(Number.isFinite(v) ? v : null);
  };
  for (let from = 0; from < run.rows; from += stride) {
    const to = Math.min(from + stride, run.rows);
    if (stride === 1) {
      push(from);
      continue;
    }
    let low = from;
    let high = from;
    for (let i = from; i < to; i++) {
      if (data.row(i) < data.row(low)) low = i;
      if (data.row(i) > data.row(high)) high = i;
    }
    push(Math.min(low, high));
    if (low !== high) push(Math.max(low, high));
  }
  return [x, y];
}

function axis(theme: Theme, label?: string): uPlot.Axis {
  const a: uPlot.Axis = {
    stroke: theme.faint,
    grid: { stroke: theme.grid, width: 1 },
    ticks: { stroke: theme.grid, width: 1, size: 4 },
    font: '12px system-ui, sans-serif',
    labelFont: '12px system-ui, sans-serif',
    values: (_, ticks) => ticks.map((v) => short(v, 5)),
  };
  if (label) a.label = label;
  return a;
}

export function timePanel(title: string, lines: Line[], clock: Clock, theme: Theme, width: number): Panel {
  const tables = lines.map((l) => sampled(l) as uPlot.AlignedData);
  const joined = tables.length === 1 ? tables[0]! : uPlot.join(tables);
  const head = el('div', { class: 'playhead' });
  const element = el('figure', { class: 'plot', 'aria-label': title });
  if (title) element.append(el('figcaption', {}, title));
  const options: uPlot.Options = {
    width,
    height: 210,
    cursor: { sync: { key: 'time' }, drag: { x: true, y: false }, points: { size: 6 } },
    scales: { x: { time: false } },
    axes: [{ ...axis(theme, 't [s]'), size: 38, labelSize: 16, labelGap: 0 }, { ...axis(theme), size: 56 }],
    series: [
      { label: 't', value: (_, v) => (v === null ? '–' : short(v, 6)) },
      ...lines.map((l) => ({
        label: l.label,
        stroke: l.color,
        width: 1.8,
        spanGaps: lines.length > 1,
        ...(l.dash ? { dash: l.dash } : {}),
        value: (_: uPlot, v: number | null) => (v === null ? '–' : short(v, 5)),
      })),
    ],
    legend: { live: true },
    hooks: { draw: [(u) => place(u, clock.t)] },
  };
  const u = new uPlot(options, joined, element);
  u.ctx.canvas.setAttribute('role', 'img');
  u.ctx.canvas.setAttribute('aria-label', `${lines.map((l) => l.label).join(', ')} over time`);
  u.over.append(head);
  function place(plot: uPlot, t: number): void {
    const x = plot.valToPos(t, 'x');
    head.style.transform = `translateX(${x}px)`;
    if (plot.cursor.idx == null) plot.setLegend({ idx: plot.valToIdx(t) });
    head.style.display = x >= 0 && x <= plot.over.clientWidth ? '' : 'none';
  }
  // a click without a drag goes there
  let down = NaN;
  u.over.addEventListener('mousedown', (e) => (down = e.clientX));
  u.over.addEventListener('mouseup', (e) => {
    if (Math.abs(e.clientX - down) > 3) return;
    clock.play(false);
    clock.seek(u.posToVal(e.offsetX, 'x'));
  });
  return {
    element,
    move: (t) => place(u, t),
    resize: (w) => u.setSize({ width: w, height: 210 }),
    destroy: () => u.destroy(),
  };
}

export function colorOf(run: number, line: number, runs: number): { color: string; dash?: number[] } {
  if (runs === 1) return { color: palette[line % palette.length]! };
  const dashes = [undefined, [8, 5], [2, 4], [10, 4, 2, 4]];
  const dash = dashes[line % dashes.length];
  return { color: palette[run % palette.length]!, ...(dash ? { dash } : {}) };
}
