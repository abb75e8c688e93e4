// Names of bodies over the picture.
import { Part, Spot } from './data';
import { el } from './dom';
import { Stage } from './stage';

export class Labels {
  readonly element = el('div', { class: 'labels', 'aria-hidden': 'true' });
  on = false;
  private tags: HTMLElement[] = [];

  update(stage: Stage, bodies: Part[], s: Spot): void {
    const count = this.on ? bodies.length : 0;
    while (this.tags.length < count) {
      const tag = el('span');
      this.tags.push(tag);
      this.element.append(tag);
    }
    this.tags.forEach((tag, i) => {
      const at = i < count ? stage.project(bodies[i]!, s) : null;
      tag.hidden = !at;
      if (!at) return;
      tag.textContent = bodies[i]!.name;
      tag.style.transform = `translate(${at.x + 8}px, ${at.y - 22}px)`;
    });
  }
}
