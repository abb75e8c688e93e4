// What a live page runs first: the viewer, with its motion. What the page can do beside that, which is most of its bytes (the
// editor, and zwang itself), begins once something moves: until then both would only take the processor from it.
import { el } from '../src/dom';
import { page } from '../src/main';

declare global {
  interface Window {
    zwangPage: typeof page;
    zwangLater?: () => void;
    zwangPlace: HTMLElement; // where what can be changed is going to stand
  }
}

window.zwangPage = page;
window.zwangPlace = el('div', { class: 'live' }, el('p', { class: 'hint' }, 'zwang is being loaded …'));
page.sidebar.own('Live', window.zwangPlace);
// what can be changed moves, unless the reader wants no motion
if (!matchMedia('(prefers-reduced-motion: reduce)').matches) page.clock.play(true);

const pictures = 4; // drawn first: the next is asked for when the last is on its way to the screen
const patience = 3000; // ms, where none are drawn, as in a page behind others

let begun = false;
function begin(): void {
  if (begun || !window.zwangLater) return;
  begun = true;
  window.zwangLater();
}

// those before the first that has moved do not count
function wait(left: number): void {
  const counts = !page.clock.playing || page.clock.t > page.clock.from;
  if (left > 0) requestAnimationFrame(() => wait(counts ? left - 1 : left));
  else setTimeout(begin);
}

// the rest of the page is still being read
document.addEventListener('DOMContentLoaded', () => {
  wait(pictures);
  setTimeout(begin, patience);
});
