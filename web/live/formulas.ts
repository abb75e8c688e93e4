// What draws formulas, as a file of its own: pages that load in parts ask for it when equations are looked at.
import katex from 'katex';

declare const __FORMULA_STYLE__: string;
const style = new CSSStyleSheet();
style.replaceSync(__FORMULA_STYLE__);
document.adoptedStyleSheets.push(style);
(window as unknown as { zwangFormulas: typeof katex }).zwangFormulas = katex;
