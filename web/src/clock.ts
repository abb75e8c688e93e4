// Time of the page: plays, pauses, jumps; tells everyone who listens.

export class Clock {
  t: number;
  playing = false;
  loop = true;
  private listeners: (() => void)[] = [];
  private last = 0;

  constructor(
    public from: number,
    public to: number,
    public speed: number, // seconds of the motion in a second
  ) {
    this.t = from;
  }

  listen(f: () => void): void {
    this.listeners.push(f);
  }

  private tell(): void {
    for (const f of this.listeners) f();
  }

  // another motion, seen at the same instant
  span(from: number, to: number): void {
    this.from = from;
    this.to = to;
    this.seek(this.t);
  }

  play(on: boolean): void {
    if (on && this.t >= this.to) this.t = this.from;
    this.playing = on;
    this.last = 0;
    this.tell();
  }

  seek(t: number): void {
    this.t = Math.min(Math.max(t, this.from), this.to);
    this.tell();
  }

  // once a picture; `now` in milliseconds. True where time moved.
  tick(now: number): boolean {
    if (!this.playing) return false;
    const passed = this.last ? Math.min((now - this.last) / 1000, 0.25) : 0;
    this.last = now;
    this.t += passed * this.speed;
    if (this.t >= this.to) {
      if (this.loop && this.to > this.from) this.t = this.from + ((this.t - this.from) % (this.to - this.from));
      else {
        this.t = this.to;
        this.playing = false;
      }
    }
    this.tell();
    return true;
  }
}

// Real time, unless the whole would be over in an eye's blink or take minutes: then about 12 seconds.
export function fairSpeed(span: number): number {
  if (span >= 1.5 && span <= 90) return 1;
  const wanted = span / 12;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const part = wanted / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}
