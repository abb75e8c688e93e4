// The live page: zwang in a worker that renews what the viewer shows. It begins when something moves: see first.ts.
import { unpack } from '../src/data';
import * as address from './address';
import { Client } from './client';
import { Editor } from './editor';
import { lendHand } from './hand';
import { page, placeOfPanel } from './page';
import { Panel } from './panel';
import type { Answer, Request } from './worker';

const counts = { answers: 0, again: false, read: 0, run: 0, scene: 0, drawn: 0, total: 0 };
let asked = 0;
// s between frames, as they are where the end is: it need not be looked for with every number
let every = (([from = 0, next = 0]) => next - from)(page.data.runs[0]!.time);
let fresh = false; // another model comes: the camera goes to it

function got(a: Answer, r: Request): void {
  const from = performance.now();
  if (a.every > 0) every = a.every;
  if (a.scene) {
    page.renew(unpack(a.scene), fresh);
    fresh = false;
    if (r.whole) panel.lay();
  }
  const failed = a.notes.some((n) => n.level === 'error');
  panel.tell(a.notes.filter((n) => n.level !== 'info'), failed ? 'The motion is that of the last text without errors.' : '');
  document.documentElement.classList.toggle('failed', failed);
  Object.assign(counts, a.took, { answers: counts.answers + 1, again: a.again, drawn: performance.now() - from, total: performance.now() - asked });
  // equations are for later, when nothing moves; numbers alone change none, but the surface that a system moves on
  if (!client.busy && !r.whole && a.scene && (!a.again || page.data.surface)) settle();
}

let settling = 0;
function settle(): void {
  clearTimeout(settling);
  settling = window.setTimeout(() => ask(true), 400);
}

const client = new Client(got);

function wishOf(whole: boolean): Omit<Request, 'id'> {
  const { text, ...wish } = panel.wish();
  const [first, ...used] = page.data.sources;
  return { files: [{ name: first?.name ?? 'model.zw', text }, ...used], ...wish, ...(!whole && every > 0 && { every }), from: page.clock.from, whole };
}

function ask(whole: boolean): void {
  clearTimeout(settling);
  asked = performance.now();
  client.ask(wishOf(whole));
}

// ---- models from elsewhere ------------------------------------------------------------------------

function load(name: string, text: string): void {
  page.data.sources = [{ name: `${name}.zw`, text }];
  panel.load(text);
  fresh = true;
  ask(true);
}

async function take(name: string): Promise<void> {
  const text = await client.example(name);
  if (text !== null) load(name, text);
  else panel.tell([], `There is no model ${name} in the gallery.`);
}

async function share(): Promise<void> {
  location.hash = `text=${await address.pack(panel.text)}`;
  // where copying is not allowed the address is there to be copied by hand
  await navigator.clipboard?.writeText(location.href).catch(() => undefined);
  panel.tell([], 'The address of this page holds the model now.');
}

async function follow(): Promise<void> {
  const [kind, value] = location.hash.slice(1).split('=');
  if (kind === 'model' && value) await take(decodeURIComponent(value));
  if (kind !== 'text' || !value) return;
  const text = await address.unpack(value);
  if (text === null) panel.tell([], 'The address holds no model that can be read.');
  else if (text !== panel.text) load('model', text);
}

// the text goes on at once, the motion when the writer pauses
let writing = 0;
const editor = new Editor(page.data.sources[0]?.text ?? '', () => client.editor(), () => {
  clearTimeout(writing);
  writing = window.setTimeout(() => ask(true), 40);
});
const panel: Panel = new Panel(page.data, editor, (textChanged) => ask(textChanged), () => void share(), (name) => {
  location.hash = `model=${encodeURIComponent(name)}`;
});
lendHand(client, panel, () => wishOf(false));
window.addEventListener('hashchange', () => void follow());
placeOfPanel.replaceWith(panel.element);
void client.ready.then(({ ready, examples }) => {
  panel.tell([], `zwang ${ready} runs in this page: move a slider, or change the text.`);
  panel.offer(examples);
  document.documentElement.dataset['live'] = ready;
  if (!/^#(model|text)=/.test(location.hash)) client.prepare(wishOf(false));
  void follow();
  void editor.look();
});
Object.assign((window as unknown as { zwang: object }).zwang, { live: counts, panel, editor });
