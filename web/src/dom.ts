// Elements by hand: words of a model only ever become text, never markup.

type Child = Node | string;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) e.setAttribute(name, '');
    else if (value !== false) e.setAttribute(name, value);
  }
  e.append(...children);
  return e;
}

export function button(label: string, title: string, act: () => void, icon?: string): HTMLButtonElement {
  const b = el('button', { type: 'button', title, 'aria-label': title });
  if (icon) b.append(drawn(icon));
  if (label) b.append(label);
  b.addEventListener('click', act);
  return b;
}

// an icon from path data of a 24 by 24 square
export function drawn(path: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const p = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  p.setAttribute('d', path);
  svg.append(p);
  return svg;
}

// a button that is on or off
export function toggle(label: string, title: string, on: boolean, act: (on: boolean) => void): HTMLButtonElement {
  const b = button(label, title, () => {
    const now = b.getAttribute('aria-pressed') !== 'true';
    b.setAttribute('aria-pressed', String(now));
    act(now);
  });
  b.setAttribute('aria-pressed', String(on));
  b.classList.add('toggle');
  return b;
}
