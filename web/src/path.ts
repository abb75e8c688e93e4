// One quantity against another, with the point of the present instant on the curve.
import { Clock } from './clock';
import { Channel, Run, short, spotOf } from './data';
import { el } from './dom';
import { niceStep } from './measure';
import { Panel } from './plots';
import { Theme } from './theme';

export interface Way {
  label: string;
  run: Run;
  x: Channel;
  y: Channel;
  rows: number[] | null; // points at these rows, else a curve through all
  color: string;
}

interface Box {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

const margin = { left: 58, right: 14, top: 10, bottom: 40 };

function rangeOf(ways: Way[]): Box {
  const b: Box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
  for (const w of ways)
    for (let k = 0; k < (w.rows ?? w.run.time).length; k++) {
      const i = w.rows ? w.rows[k]! : k;
      const [x, y] = [w.x.row(i), w.y.row(i)];
      if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
      b.x0 = Math.min(b.x0, x);
      b.x1 = Math.max(b.x1, x);
      b.y0 = Math.min(b.y0, y);
      b.y1 = Math.max(b.y1, y);
    }
  if (!(b.x0 <= b.x1)) return { x0: -1, x1: 1, y0: -1, y1: 1 };
  const pad = (low: number, high: number) => 0.05 * (high - low) || 0.1 * Math.abs(low) || 1;
  const [px, py] = [pad(b.x0, b.x1), pad(b.y0, b.y1)];
  return { x0: b.x0 - px, x1: b.x1 + px, y0: b.y0 - py, y1: b.y1 + py };
}

export class PathPanel implements Panel {
  readonly element: HTMLElement;
  private canvas = el('canvas', { role: 'img' });
  private range: Box;
  private shown: Box;
  private width = 0;
  private height = 0;
  private still: HTMLCanvasElement | null = null; // all but the moving points

  constructor(
    title: string,
    private ways: Way[],
    private labels: [string, string],
    private sameScale: boolean,
    private clock: Clock,
    private theme: Theme,
    width: number,
  ) {
    this.range = rangeOf(ways);
    this.shown = { ...this.range };
    this.canvas.setAttribute('aria-label', `${labels[1]} against ${labels[0]}`);
    this.element = el('figure', { class: 'plot' });
    if (title) this.element.append(el('figcaption', {}, title));
    this.element.append(this.canvas);
    if (ways.some((w) => w.label)) this.element.append(this.legend());
    this.canvas.addEventListener('wheel', (e) => this.zoom(e), { passive: false });
    this.canvas.addEventListener('dblclick', () => {
      this.shown = { ...this.range };
      this.resize(this.width);
    });
    this.resize(width);
  }

  private legend(): HTMLElement {
    const l = el('div', { class: 'keys' });
    for (const w of this.ways) {
      const swatch = el('i');
      swatch.style.background = w.color;
      l.append(el('span', {}, swatch, w.label));
    }
    return l;
  }

  private zoom(e: WheelEvent): void {
    if (!e.ctrlKey && !e.shiftKey) return;
    e.preventDefault();
    const by = Math.exp(0.002 * (e.deltaY || e.deltaX));
    const s = this.shown;
    const x = s.x0 + ((s.x1 - s.x0) * (e.offsetX - margin.left)) / (this.width - margin.left - margin.right);
    const y = s.y1 - ((s.y1 - s.y0) * (e.offsetY - margin.top)) / (this.height - margin.top - margin.bottom);
    this.shown = { x0: x + (s.x0 - x) * by, x1: x + (s.x1 - x) * by, y0: y + (s.y0 - y) * by, y1: y + (s.y1 - y) * by };
    this.resize(this.width);
  }

  resize(width: number): void {
    this.width = width;
    const s = this.shown;
    const inner = width - margin.left - margin.right;
    const wanted = this.sameScale ? (inner * (s.y1 - s.y0)) / (s.x1 - s.x0) : 0.62 * inner;
    this.height = Math.min(Math.max(wanted, 0.3 * inner, 120), 0.95 * inner) + margin.top + margin.bottom;
    const ratio = Math.min(devicePixelRatio, 2);
    for (const c of [this.canvas, (this.still = document.createElement('canvas'))]) {
      c.width = Math.round(width * ratio);
      c.height = Math.round(this.height * ratio);
    }
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.drawStill(this.still!.getContext('2d')!, ratio);
    this.move(this.clock.t);
  }

  private scale(): { x: (v: number) => number; y: (v: number) => number; box: Box } {
    const box = { ...this.shown };
    const inner = { w: this.width - margin.left - margin.right, h: this.height - margin.top - margin.bottom };
    if (this.sameScale) {
      // the same length for a metre on both axes
      const perX = (box.x1 - box.x0) / inner.w;
      const perY = (box.y1 - box.y0) / inner.h;
      const lackX = Math.max(perY * inner.w - (box.x1 - box.x0), 0) / 2;
      const lackY = Math.max(perX * inner.h - (box.y1 - box.y0), 0) / 2;
      box.x0 -= lackX;
      box.x1 += lackX;
      box.y0 -= lackY;
      box.y1 += lackY;
    }
    return {
      x: (v) => margin.left + (inner.w * (v - box.x0)) / (box.x1 - box.x0),
      y: (v) => this.height - margin.bottom - (inner.h * (v - box.y0)) / (box.y1 - box.y0),
      box,
    };
  }

  private drawStill(c: CanvasRenderingContext2D, ratio: number): void {
    c.scale(ratio, ratio);
    const s = this.scale();
    this.drawAxes(c, s);
    c.save();
    c.beginPath();
    c.rect(margin.left, margin.top, this.width - margin.left - margin.right, this.height - margin.top - margin.bottom);
    c.clip();
    c.lineWidth = 1.8;
    c.lineJoin = 'round';
    for (const w of this.ways) {
      c.strokeStyle = c.fillStyle = w.color;
      for (const i of w.rows ?? []) {
        c.beginPath();
        c.arc(s.x(w.x.row(i)), s.y(w.y.row(i)), 2, 0, 2 * Math.PI);
        c.fill();
      }
      if (w.rows) continue;
      c.beginPath();
      let pen = false;
      for (let i = 0; i < w.run.rows; i++) {
        const [x, y] = [s.x(w.x.row(i)), s.y(w.y.row(i))];
        const fine = Number.isFinite(x) && Number.isFinite(y);
        if (fine && pen) c.lineTo(x, y);
        else if (fine) c.moveTo(x, y);
        pen = fine;
      }
      c.stroke();
    }
    c.restore();
  }

  private drawAxes(c: CanvasRenderingContext2D, s: ReturnType<PathPanel['scale']>): void {
    const { box } = s;
    const right = this.width - margin.right;
    const bottom = this.height - margin.bottom;
    c.font = '12px system-ui, sans-serif';
    c.fillStyle = this.theme.faint;
    c.strokeStyle = this.theme.grid;
    c.lineWidth = 1;
    const stepX = niceStep((box.x1 - box.x0) / Math.max(2, (right - margin.left) / 80));
    const stepY = niceStep((box.y1 - box.y0) / Math.max(2, (bottom - margin.top) / 45));
    c.textAlign = 'center';
    c.textBaseline = 'top';
    for (let k = Math.ceil(box.x0 / stepX); k * stepX <= box.x1; k++) {
      const x = Math.round(s.x(k * stepX)) + 0.5;
      c.beginPath();
      c.moveTo(x, margin.top);
      c.lineTo(x, bottom);
      c.stroke();
      c.fillText(short(k * stepX, 5), x, bottom + 5);
    }
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    for (let k = Math.ceil(box.y0 / stepY); k * stepY <= box.y1; k++) {
      const y = Math.round(s.y(k * stepY)) + 0.5;
      c.beginPath();
      c.moveTo(margin.left, y);
      c.lineTo(right, y);
      c.stroke();
      c.fillText(short(k * stepY, 5), margin.left - 6, y);
    }
    c.fillStyle = this.theme.ink;
    c.textAlign = 'center';
    c.textBaseline = 'bottom';
    c.fillText(this.labels[0], (margin.left + right) / 2, this.height - 4, right - margin.left);
    c.save();
    c.translate(4, (margin.top + bottom) / 2);
    c.rotate(-Math.PI / 2);
    c.textBaseline = 'top';
    c.fillText(this.labels[1], 0, 0, bottom - margin.top);
    c.restore();
  }

  move(t: number): void {
    const c = this.canvas.getContext('2d')!;
    const ratio = this.canvas.width / this.width;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    c.drawImage(this.still!, 0, 0);
    c.scale(ratio, ratio);
    const s = this.scale();
    for (const w of this.ways) {
      if (w.rows) continue;
      const spot = spotOf(w.run, t);
      const [x, y] = [s.x(w.x.at(spot)), s.y(w.y.at(spot))];
      if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
      c.beginPath();
      c.arc(x, y, 5, 0, 2 * Math.PI);
      c.fillStyle = w.color;
      c.fill();
      c.lineWidth = 2;
      c.strokeStyle = this.theme.paper;
      c.stroke();
    }
  }

  destroy(): void {}
}
