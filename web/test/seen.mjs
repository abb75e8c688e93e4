// What is seen of a page, told by functions that run in it.

// words that are seen, and by how much they stand out from what is behind them (WCAG 2)
export function contrasts() {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  const known = new Map(); // asking the canvas takes long
  const shade = (css) => {
    if (!known.has(css)) known.set(css, painted(css));
    return known.get(css);
  };
  const painted = (css) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = css;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((k) => top[3] * top[k] + (1 - top[3]) * below[k]).concat(1);
  const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, w, k) => sum + w * (c[k] / 255 <= 0.04045 ? c[k] / 255 / 12.92 : ((c[k] / 255 + 0.055) / 1.055) ** 2.4), 0);
  const grounds = new Map();
  const behind = (e) => {
    if (!e) return [255, 255, 255, 1];
    if (!grounds.has(e)) grounds.set(e, over(shade(getComputedStyle(e).backgroundColor), behind(e.parentElement ?? e.getRootNode().host)));
    return grounds.get(e);
  };
  const found = [];
  // also in elements that keep their insides
  const texts = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    const all = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) all.push(node);
      else if (node.shadowRoot) all.push(...texts(node.shadowRoot));
    }
    return all;
  };
  for (const node of texts(document.body)) {
    const e = node.parentElement;
    const text = node.textContent.trim();
    if (!e || !text || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || ['SCRIPT', 'STYLE'].includes(e.tagName) || e.closest('.katex-mathml')) continue;
    const s = getComputedStyle(e);
    if (e.getBoundingClientRect().width < 2) continue;
    const ground = behind(e);
    const [a, b] = [light(over(shade(s.color), ground)), light(ground)];
    const size = parseFloat(s.fontSize);
    found.push({ text: text.slice(0, 40), ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), large: size >= 24 || (size >= 18.66 && Number(s.fontWeight) >= 700) });
  }
  return found;
}

// the part of the scene that stands out by 3 from the colour most of it has, and by how much the most of it
export function standsOut() {
  const from = document.querySelector('.view canvas');
  const c = document.createElement('canvas');
  [c.width, c.height] = [from.width, from.height];
  const pen = c.getContext('2d');
  pen.drawImage(from, 0, 0);
  const data = pen.getImageData(0, 0, c.width, c.height).data;
  const light = (i) => [0.2126, 0.7152, 0.0722].reduce((sum, w, k) => sum + w * (data[i + k] / 255 <= 0.04045 ? data[i + k] / 255 / 12.92 : ((data[i + k] / 255 + 0.055) / 1.055) ** 2.4), 0);
  const colours = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const key = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    const known = colours.get(key) ?? { count: 0, light: light(i) };
    known.count++;
    colours.set(key, known);
  }
  const ground = [...colours.values()].reduce((a, b) => (b.count > a.count ? b : a));
  let [out, most] = [0, 0];
  for (const x of colours.values()) {
    const ratio = (Math.max(x.light, ground.light) + 0.05) / (Math.min(x.light, ground.light) + 0.05);
    if (ratio >= 3) out += x.count;
    most = Math.max(most, ratio);
  }
  return { out: out / (data.length / 4), ratio: most };
}

// what the keys are at, and whether that is seen
export function focused() {
  let e = document.activeElement;
  while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  // it, or what it is the inside of
  const shows = (x) => {
    const s = getComputedStyle(x);
    return (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2) || s.boxShadow !== 'none';
  };
  const around = e.isContentEditable ? [e, e.closest('.cm-editor'), e.getRootNode().host].filter((x) => x) : [e];
  return { asked: e.dataset.asked, seen: around.some(shows), edited: e.isContentEditable, what: e.outerHTML.slice(0, 80) };
}
