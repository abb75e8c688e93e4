// Pictures of the scene one after another, left in the page as JPEG or PNG for whoever asked.
import { Clock } from './clock';
import { el } from './dom';
import { Stage } from './stage';
import { timeText } from './transport';

// words: "width=960,height=540,fps=30,first=0,count=100,type=jpeg"; first line of the answer: how many
// pictures the whole film has
export function film(words: string, stage: Stage | null, clock: Clock, update: (s: Stage) => void, title: string): void {
  const asked = new Map(words.split(',').map((w) => w.split('=') as [string, string]));
  const number = (name: string, otherwise: number) => Number(asked.get(name) ?? otherwise);
  const [width, height] = [number('width', 960), number('height', 540)];
  const still = asked.get('type') === 'png';
  const span = clock.to - clock.from;
  const step = clock.speed / number('fps', 30);
  const total = stage ? Math.floor(span / step + 1e-9) + 1 : 0;
  const out = el('pre', { id: 'film' });
  document.body.append(out);
  out.textContent = `total ${total}`;
  if (!stage) return;
  const sheet = document.createElement('canvas');
  sheet.width = width;
  sheet.height = height;
  const c = sheet.getContext('2d')!;
  stage.resize(width, height, 1);
  stage.home();
  const size = Math.round(height / 27);
  const ink = document.documentElement.dataset['theme'] === 'dark' ? '#e8eaee' : '#1d232b';
  const pictures: string[] = [];
  const first = number('first', 0);
  for (let i = first; i < Math.min(first + number('count', 1), total); i++) {
    clock.seek(still ? number('at', clock.from + span / 3) : clock.from + i * step);
    update(stage);
    stage.render();
    c.drawImage(stage.canvas, 0, 0, width, height);
    c.font = `${size}px system-ui, sans-serif`;
    c.fillStyle = ink;
    c.textBaseline = 'top';
    c.textAlign = 'left';
    if (asked.get('words') !== 'no') {
      c.fillText(title, size, size, width - 9 * size);
      c.textAlign = 'right';
      c.fillText(`t = ${timeText(clock.t, clock.to - clock.from)} s`, width - size, size);
    }
    pictures.push(sheet.toDataURL(still ? 'image/png' : 'image/jpeg', 0.92).split(',')[1]!);
  }
  out.textContent = [`total ${total}`, ...pictures].join('\n');
}
