// Play, pause, scrub, speed, loop; stages and events on the time line.
import { Clock } from './clock';
import { Run, short } from './data';
import { button, drawn, el, toggle } from './dom';

const icons = {
  play: 'M7 4.5v15l13-7.5z',
  pause: 'M6 5h4v14H6zM14 5h4v14h-4z',
  start: 'M6 5h2.5v14H6zM20 5v14L9.5 12z',
  loop: 'M12 5V1.5L6.5 6 12 10.5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z',
};

// decimals that tell neighbouring instants apart
export function timeText(t: number, span: number): string {
  const decimals = Math.min(Math.max(Math.ceil(3 - Math.log10(Math.max(span, 1e-30))), 0), 20);
  return decimals > 8 ? short(t, 5) : t.toFixed(decimals);
}

export class Transport {
  readonly element: HTMLElement;
  private playButton: HTMLButtonElement;
  private slider: HTMLInputElement;
  private readout = el('output', { class: 'time', 'aria-live': 'off' });
  private stage = el('span', { class: 'stage' });
  private marks = el('div', { class: 'marks', 'aria-hidden': 'true' });
  private speed: HTMLSelectElement;
  private run!: Run;

  constructor(private clock: Clock) {
    this.playButton = button('', 'Play (space)', () => clock.play(!clock.playing), icons.play);
    this.playButton.classList.add('play');
    this.slider = el('input', {
      type: 'range',
      min: String(clock.from),
      max: String(clock.to),
      step: 'any',
      'aria-label': 'Time in seconds',
    });
    this.slider.addEventListener('input', () => {
      const t = Number(this.slider.value);
      clock.play(false);
      clock.seek(t);
    });
    this.speed = this.speeds();
    const loop = toggle('', 'Repeat (l)', clock.loop, (on) => (clock.loop = on));
    loop.append(drawn(icons.loop));
    loop.id = 'loop';
    this.element = el(
      'div',
      { class: 'transport', role: 'group', 'aria-label': 'Playing' },
      this.playButton,
      button('', 'To the start (Home)', () => clock.seek(clock.from), icons.start),
      el('div', { class: 'line' }, this.marks, this.slider),
      this.readout,
      this.stage,
      this.speed,
      loop,
    );
    clock.listen(() => this.update());
  }

  private speeds(): HTMLSelectElement {
    const base = this.clock.speed;
    const s = el('select', { 'aria-label': 'Speed', title: 'Speed ([ and ])' });
    for (const k of [0.1, 0.25, 0.5, 1, 2, 4, 8]) {
      const o = el('option', { value: String(k * base) }, `${short(k * base, 3)}×`);
      if (k === 1) o.selected = true;
      s.append(o);
    }
    s.addEventListener('change', () => (this.clock.speed = Number(s.value)));
    return s;
  }

  faster(by: number): void {
    this.speed.selectedIndex = Math.min(Math.max(this.speed.selectedIndex + by, 0), this.speed.options.length - 1);
    this.clock.speed = Number(this.speed.value);
  }

  choose(run: Run): void {
    this.run = run;
    this.slider.min = String(this.clock.from);
    this.slider.max = String(this.clock.to);
    this.marks.replaceChildren();
    const span = this.clock.to - this.clock.from || 1;
    const mark = (name: string, t: number, kind: string) => {
      const m = el('i', { class: kind, title: `${name}, t = ${short(t)} s` });
      m.style.left = `${(100 * (t - this.clock.from)) / span}%`;
      this.marks.append(m);
    };
    for (const s of run.stages) mark(s.name, s.t, 'begins');
    // a rattle of events would be a black bar
    const every = Math.ceil(run.events.length / 400);
    run.events.forEach((e, i) => i % every === 0 && mark(e.name, e.t, 'happens'));
    this.update();
  }

  private update(): void {
    const { t, playing, from, to } = this.clock;
    const path = this.playButton.querySelector('path')!;
    path.setAttribute('d', playing ? icons.pause : icons.play);
    const title = playing ? 'Pause (space)' : 'Play (space)';
    this.playButton.title = title;
    this.playButton.setAttribute('aria-label', title);
    this.slider.value = String(t);
    const text = timeText(t, to - from);
    this.readout.textContent = `${text} s`;
    this.slider.setAttribute('aria-valuetext', `${text} seconds`);
    const stage = this.run?.stages.findLast((s) => s.t <= t);
    this.stage.textContent = stage ? stage.name : '';
    this.slider.style.setProperty('--done', `${(100 * (t - from)) / (to - from || 1)}%`);
  }
}
