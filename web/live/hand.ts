// The pointer on a body: it is taken, and its start follows.
import type { Client } from './client';
import type { Pull } from './drag';
import { page } from './page';
import type { Panel } from './panel';
import type { Request } from './worker';

const reach = 24; // pixels around the place of a body

export function lendHand(client: Client, panel: Panel, wishOf: () => Omit<Request, 'id'>): void {
  let held: { pull: Pull; at: number[]; scale: number; x: number; y: number; id: number } | null = null;
  let busy = false;
  let wanted: number[] | null = null;

  async function follow(): Promise<void> {
    if (busy) return;
    busy = true;
    while (held && wanted) {
      held.pull.to = wanted;
      wanted = null;
      let starts = await client.pull(wishOf(), held.pull, panel.coordinates);
      let words = '';
      if (!starts) {
        const found = panel.loosen();
        if (found.length) {
          starts = await client.pull(wishOf(), held.pull, panel.coordinates);
          words = `The start of ${found.join(', ')} is a guess (~) in the text now: constraints know it, too.`;
        }
      }
      if (starts) panel.start(starts);
      else words = 'It cannot be moved there by the starts of coordinates: constraints hold it.';
      if (words) panel.tell([], words);
    }
    busy = false;
  }

  const box = page.picture;
  box.addEventListener('pointerdown', (e) => {
    if (e.button !== 0 || !(e.target instanceof HTMLCanvasElement)) return;
    const found = page.bodyNear(e.offsetX, e.offsetY, reach);
    const names = Object.keys(panel.coordinates);
    if (!found || !names.length) return;
    e.stopPropagation(); // the camera stays
    const { part, at, scale, ...seen } = found;
    held = { pull: { part, to: at, names, ...seen }, at, scale, x: e.clientX, y: e.clientY, id: e.pointerId };
    box.setPointerCapture(e.pointerId);
    box.classList.add('held');
  }, { capture: true });
  box.addEventListener('pointermove', (e) => {
    if (!held) {
      box.classList.toggle('near', e.target instanceof HTMLCanvasElement && page.bodyNear(e.offsetX, e.offsetY, reach, false) !== null);
      return;
    }
    wanted = [held.at[0]! + (e.clientX - held.x) * held.scale, held.at[1]! - (e.clientY - held.y) * held.scale];
    void follow();
  });
  const leave = (e: PointerEvent) => {
    if (held?.id !== e.pointerId) return;
    held = null;
    box.classList.remove('held');
  };
  box.addEventListener('pointerup', leave);
  box.addEventListener('pointercancel', leave);
}
