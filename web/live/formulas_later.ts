// In the place of KaTeX, in pages that load in parts: formulas stand as text until what draws them has come.
import type katex from 'katex';

let come: Promise<typeof katex> | null = null;

function load(): Promise<typeof katex> {
  come ??= new Promise((done, fail) => {
    const script = document.createElement('script');
    script.src = 'formulas.js';
    script.onload = () => done((window as unknown as { zwangFormulas: typeof katex }).zwangFormulas);
    script.onerror = fail;
    document.head.append(script);
  });
  return come;
}

const later: Pick<typeof katex, 'render'> = {
  render(tex, row, options) {
    row.textContent = tex;
    load().then((k) => k.render(tex, row, options)).catch(() => (come = null));
  },
};
export default later;
